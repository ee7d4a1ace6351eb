import Foundation
import Models
import Testing
import Wire

@testable import AggregatorDeriving

@Suite struct OpenRowDeriverTests {
    /// Blocks are read without the columns that are not named: it must not matter what they hold.
    @Test(arguments: 0..<20) func `the named columns are all that is looked at`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let table = table(&dice)
        var one = OpenRowDeriver(.qoe, timeZone: .gmt), other = one
        let named = Columns(
            rowCount: table.rowCount, columns: try table.columns.filter { try one.ids(1).contains($0.id) })
        let days = try one.derive(table, kind: 1), again = try other.derive(named, kind: 1)
        #expect(days.map(\.day) == again.map(\.day))
        #expect(days.map(\.rows) == again.map(\.rows))
    }

    /// Every column of integers that there may be, present in some rows.
    private func table(_ dice: inout SplitMix64) -> Columns {
        let rows = (0..<200).map { _ in
            var row = AcceptedRow.plain(device: Int64.random(in: 1...9, using: &dice))
            for id in UInt8(6)...77 where dice.chance(percent: 40) { row[id] = Int64.random(in: 0...20, using: &dice) }
            row[ColumnID.receivedAt] = 1_767_225_600_000 + Int64.random(in: 0...172_800_000, using: &dice)
            row[ColumnID.capturedAt] = dice.chance(percent: 20) ? nil : row[ColumnID.receivedAt]! - 700_000
            row[ColumnID.latitude] = Int64.random(in: 38_000_000...42_000_000, using: &dice)
            row[ColumnID.longitude] = Int64.random(in: 97_000_000...101_000_000, using: &dice)
            row[ColumnID.speed] = dice.pick([nil, 0, 1_000_000])
            row[ColumnID.accuracy] = dice.pick([nil, 5, 2_000])
            row[ColumnID.mockLocation] = dice.pick([nil, 0, 1])
            return row
        }
        return AcceptedRow.table(rows)
    }
}
