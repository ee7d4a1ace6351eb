import Models
import Testing

@testable import Wire

@Suite struct HostilePayloadTests {
    private func sample(_ seed: UInt64) throws -> (Columns, EncodedColumns) {
        var dice = SplitMix64(seed: seed)
        let table = SeededTables.table(&dice, rowCount: 40)
        var encoder = ColumnEncoder()
        return (table.withoutEmptyColumns, try encoder.encode(table))
    }

    @Test(arguments: 0..<6) func `a flipped bit is an error`(seed: UInt64) throws {
        let (_, encoded) = try sample(seed)
        var decoder = ColumnDecoder()
        for index in encoded.payload.indices {
            var damaged = encoded
            damaged.payload[index] ^= 1 << UInt8(index & 7)
            #expect(throws: WireError.self) { try decoder.decode(damaged) }
        }
    }

    @Test(arguments: 0..<6) func `what gets past the checksum never crashes`(seed: UInt64) throws {
        let (_, encoded) = try sample(seed)
        var dice = SplitMix64(seed: seed &+ 1_000)
        var decoder = ColumnDecoder(), encoder = ColumnEncoder(), passed = 0
        for _ in 0..<4_000 {
            var payload = encoded.payload
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                payload[Int.random(in: payload.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            if Bool.random(using: &dice) { payload.removeLast(Int.random(in: 0..<payload.count, using: &dice)) }
            if let table = try? decoder.decodeUnchecked(payload, 40, encoded.rawLength) {
                #expect(Columns(rowCount: 40, columns: table.columns) == table)
                _ = try encoder.encode(table)
                passed += 1
            }
        }
        #expect(passed > 0, "none of the damaged payloads is a table: nothing was checked")
    }

    @Test(arguments: 0..<4) func `directories of garbage never crash`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        var decoder = ColumnDecoder()
        for _ in 0..<20_000 {
            var payload: [UInt8] = [1, 40]
            payload += (0..<Int.random(in: 0...60, using: &dice)).map { _ in
                Bool.random(using: &dice) ? UInt8.random(in: 0...4, using: &dice) : .random(in: 0...255, using: &dice)
            }
            _ = try? decoder.decodeUnchecked(payload, 40, Int.random(in: 0...600, using: &dice))
        }
    }

    @Test(arguments: 0..<3) func `a truncated payload is an error`(seed: UInt64) throws {
        let (table, encoded) = try sample(seed)
        var decoder = ColumnDecoder()
        for length in 0..<encoded.payload.count {
            #expect(throws: WireError.self) {
                try decoder.decodeUnchecked(Array(encoded.payload[..<length]), 40, encoded.rawLength)
            }
        }
        #expect(try decoder.decode(encoded) == table)
    }

    @Test func `bytes after the end are an error`() throws {
        let (_, encoded) = try sample(1)
        var decoder = ColumnDecoder()
        #expect(throws: WireError.trailingBytes(what: "payload")) {
            try decoder.decodeUnchecked(encoded.payload + [0], 40, encoded.rawLength)
        }
    }

    @Test func `another row count than the headers is an error`() throws {
        let (_, encoded) = try sample(2)
        var decoder = ColumnDecoder()
        #expect(throws: WireError.corrupt(what: "row count of the payload")) {
            try decoder.decodeUnchecked(encoded.payload, 41, encoded.rawLength)
        }
    }

    @Test func `a length that lies costs no memory`() {
        var decoder = ColumnDecoder()
        let huge: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0x0f]
        #expect(throws: WireError.tooLarge(what: "payload", limit: WireLimits.rawLength)) {
            try decoder.decodeUnchecked([1, 4, 1, 9, 3] + huge, 4, 0)
        }
        // 60 MB are within the limit, but six bytes cannot inflate to them.
        #expect(throws: WireError.truncated(what: "payload")) {
            try decoder.decodeUnchecked([1, 4, 1, 9, 3, 0x80, 0x8e, 0xce, 0x1c, 1, 2, 3, 4, 5, 6], 4, 60_000_000)
        }
    }

    @Test func `an unknown version or encoding is named`() {
        var decoder = ColumnDecoder()
        #expect(throws: WireError.unsupportedFormat(what: "payload", version: 2)) {
            try decoder.decodeUnchecked([2, 4, 0], 4, 0)
        }
        #expect(throws: WireError.unknownEncoding(column: 9, encoding: 7)) {
            try decoder.decodeUnchecked([1, 4, 1, 9, 7, 4], 4, 4)
        }
    }
}

extension ColumnDecoder {
    fileprivate mutating func decodeUnchecked(
        _ payload: [UInt8], _ rowCount: Int, _ rawLength: Int
    ) throws(WireError) -> Columns {
        let result = payload.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try decodeUnchecked(bytes, rowCount: rowCount, rawLength: rawLength) }
        }
        return try result.get()
    }
}
