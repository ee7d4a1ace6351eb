import Foundation
import Models
import Testing

@testable import BatchAggregator

@Suite struct FoldRowsTests {
    private func rows(_ seed: UInt64, parts: Int, byPlace: Bool) throws -> (records: Int, FoldRows) {
        var dice = SplitMix64(seed: seed)
        var deriver = OpenRowDeriver(timeZone: .gmt)
        let accepted = (0..<3_000).map { _ in
            var row = AcceptedRow.plain(device: Int64.random(in: 1...9, using: &dice))
            row[ColumnID.latitude] = Int64.random(in: 38_000_000...42_000_000, using: &dice)
            row[ColumnID.longitude] = Int64.random(in: 97_000_000...101_000_000, using: &dice)
            if dice.chance(percent: 5) { row[ColumnID.latitude] = nil }
            row[ColumnID.mnc] = dice.pick([1, 2])
            row[ColumnID.download] = dice.pick([nil, 10])
            return row
        }
        var rows = FoldRows(parts: parts)
        for day in deriver.derive(AcceptedRow.table(accepted)) { try rows.add(day.rows) }
        rows.cut(byPlace: byPlace)
        return (accepted.count, rows)
    }

    @Test(arguments: [1, 2, 7, 40], [true, false]) func everyRowIsInOnePart(parts: Int, byPlace: Bool) throws {
        let (count, rows) = try rows(1, parts: parts, byPlace: byPlace)
        var sum = CellSum(), scratch = CellSum(), unpacked = CellSum(), keys: Set<PlaceKey> = [], records = 0
        for part in 0..<parts {
            var slice = RowSlice()
            slice.load(rows, part: part)
            records += slice.rowCount
            #expect(slice.rowCount < 4 * count / parts)
            for (number, key) in slice.keys.enumerated() {
                #expect(keys.insert(key).inserted)
                slice.add(number, to: &sum, scratch: &scratch, unpacked: &unpacked)
            }
        }
        #expect(records == count && sum.samples == count && sum.devices == Array(1...9))
    }

    @Test func partsAreNeighbourhoodsOneAfterAnother() throws {
        let (_, rows) = try rows(2, parts: 9, byPlace: true)
        let places = rows.keys.map { Set($0.map(\.neighbourhood)) }
        #expect(places.allSatisfy { !$0.isEmpty })
        for (one, next) in zip(places, places.dropFirst()) { #expect(one.max()! < next.min()!) }
    }

    /// An interrupted fold reads its rows again, and of one part after another only those that are left.
    @Test(arguments: [true, false]) func theSameRowsAreCutAlike(byPlace: Bool) throws {
        let first = try rows(3, parts: 5, byPlace: byPlace), again = try rows(3, parts: 5, byPlace: byPlace)
        #expect(first.1.keys == again.1.keys)
        #expect(first.1.records.map(\.pieces) == again.1.records.map(\.pieces))
    }
}
