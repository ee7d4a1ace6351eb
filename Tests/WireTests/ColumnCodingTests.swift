import Models
import Testing

@testable import Wire

@Suite struct ColumnCodingTests {
    @Test(arguments: 0..<60) func `every table comes back as it was`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        for _ in 0..<4 {
            let table = SeededTables.table(&dice)
            #expect(try decoder.decode(encoder.encode(table)) == table.withoutEmptyColumns)
        }
    }

    @Test(arguments: 0..<60) func `columns that are not wanted are stepped over`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        let table = SeededTables.table(&dice).withoutEmptyColumns
        let wanted = Set((UInt8.min...UInt8.max).filter { _ in Bool.random(using: &dice) })
        let encoded = try encoder.encode(table)
        let some = try decoder.decode(
            encoded.payload, rowCount: encoded.rowCount, rawLength: encoded.rawLength, crc32: encoded.crc32,
            only: wanted)
        #expect(some.rowCount == table.rowCount)
        #expect(some.columns == table.columns.filter { wanted.contains($0.id) })
    }

    @Test(arguments: [0, 1, 63, 64, 65, 4_096]) func `row counts at the edges come back`(rowCount: Int) throws {
        var dice = SplitMix64(seed: UInt64(rowCount))
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        let table = SeededTables.table(&dice, rowCount: rowCount)
        #expect(try decoder.decode(encoder.encode(table)) == table.withoutEmptyColumns)
    }

    @Test func `the largest and smallest integers come back from both encodings`() throws {
        let values: [Int64?] = [.min, .max, nil, .min, 0, .max, -1, 1]
        let table = Columns(
            rowCount: 8,
            columns: [
                Column(id: 1, encoding: .integer, values: values), Column(id: 2, encoding: .delta, values: values),
            ])
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        #expect(try decoder.decode(encoder.encode(table)) == table)
    }

    @Test func `columns nobody knows are handed on`() throws {
        let table = Columns(rowCount: 2, columns: [Column(id: 251, values: [7, nil]), Column(id: 3, values: [1, 2])])
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        let handedOn = try encoder.encode(try decoder.decode(encoder.encode(table)))
        #expect(try decoder.decode(handedOn)[251]?.integer(0) == 7)
        #expect(handedOn.payload == (try encoder.encode(table).payload))
    }

    @Test func `random identifiers lie beside the deflated part`() throws {
        var dice = SplitMix64(seed: 1)
        let bytes = (0..<1_600).map { _ in UInt8.random(in: 0...255, using: &dice) }
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(
            Columns(rowCount: 100, columns: [Column(id: 1, presence: .full(100), fixed16: bytes)]))
        #expect(encoded.rawLength == 0)
        #expect(encoded.payload.count == 1_600 + 7)
    }

    @Test func `too many rows are refused`() {
        var encoder = ColumnEncoder(), decoder = ColumnDecoder()
        #expect(throws: WireError.tooLarge(what: "number of rows", limit: WireLimits.rows)) {
            try encoder.encode(Columns(rowCount: WireLimits.rows + 1))
        }
        #expect(throws: WireError.tooLarge(what: "number of rows", limit: WireLimits.rows)) {
            try decoder.decode([], rowCount: WireLimits.rows + 1, rawLength: 0, crc32: 0)
        }
    }
}
