package import Models

/// Up to which moment everything that was on the lanes is applied: a mark is set at the heads, as the writers tell them, and it
/// counts when all cursors have passed it. Pure.
package struct AppliedMark: Sendable {
    private var moment: UnixMilliseconds = 0
    private var heads: [LaneName: UInt64] = [:]

    package init() {}

    /// Looks at cursors and heads; to be called about once a second.
    ///
    /// - Parameter now: of the caller's clock. A head is at most as old as `LaneReaderCore/silence`.
    /// - Returns: a moment before which nothing is left to be applied, if a mark was passed.
    package mutating func look(_ reads: [ReadFigures], now: UnixMilliseconds) -> UnixMilliseconds? {
        if heads.isEmpty {
            guard !reads.isEmpty, reads.allSatisfy(\.isConnected) else { return nil }
            moment = now - LaneReaderCore.silence
            heads = Dictionary(uniqueKeysWithValues: reads.map { ($0.lane, $0.head) })
        }
        for read in reads where read.cursor >= heads[read.lane] ?? .max { heads[read.lane] = nil }
        return heads.isEmpty ? moment : nil
    }
}
