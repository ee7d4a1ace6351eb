import Models

/// Rows out of few places and times that lie in one another at every level: cells begin as references, grow and part.
enum NearbyRows {
    /// 1 785 000 000: 17:20 UTC, 18:20 in Douala.
    static let noon: Int64 = 1_785_000_000
    /// Minutes after: the same 5 minutes, the same hour, other hours, past midnight in Douala and in India, another day.
    static let minutes: [Int64] = [0, 4, 5, 35, 45, 340, 395, 405, 75, 90, 2_000]
    /// The west of level-16 cells, by steps of about a cell: of one parent, grandparent, … and far away.
    static let steps: [Int64] = [0, 1, 2, 4, 9, 17, 33, 70, 140, 300, 700]

    static func random(_ dice: inout SplitMix64) -> AcceptedRow {
        var row = AcceptedRow.plain(
            device: Int64.random(in: 1...4, using: &dice),
            capturedAt: (noon + 60 * dice.pick(minutes)) * 1_000)
        row[ColumnID.longitude] = 115_140_000 + 54_932 * dice.pick(steps)
        row[ColumnID.latitude] = 38_667_000 + (dice.chance(percent: 20) ? 54_932 * dice.pick(steps) : 0)
        // Beyond 6.1 km a row enters at level 15, beyond … at coarser ones.
        row[ColumnID.accuracy] = dice.pick([nil, nil, nil, 8_000, 10_000, 10_001])
        row[ColumnID.mnc] = dice.pick([1, 1, 1, 2])
        row[ColumnID.download] = dice.pick([nil, 100, 5_000])
        row[ColumnID.rsrp] = dice.pick([nil, -843, -900])
        // One in four is not shared with operators.
        row[ColumnID.flags] = dice.pick([nil, 1, 8, 4 + 32])
        return row
    }
}
