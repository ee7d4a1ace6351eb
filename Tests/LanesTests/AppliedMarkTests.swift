import Models
import Testing

@testable import Lanes

@Suite struct AppliedMarkTests {
    private func reads(_ cursor: UInt64, of head: UInt64, isConnected: Bool = true, other: UInt64 = 0) -> [ReadFigures]
    {
        [
            ReadFigures(lane: .batch, cursor: cursor, head: head, isConnected: isConnected, inbox: InboxFigures()),
            ReadFigures(lane: .realtime, cursor: other, head: other, isConnected: true, inbox: InboxFigures()),
        ]
    }

    @Test func `a moment counts when all cursors have passed the heads of then`() {
        var mark = AppliedMark()
        #expect(mark.look(reads(3, of: 9), now: 100_000) == nil)
        #expect(mark.look(reads(8, of: 20), now: 101_000) == nil)
        #expect(mark.look(reads(9, of: 30), now: 102_000) == 100_000 - LaneReaderCore.silence)
        #expect(mark.look(reads(30, of: 30), now: 103_000) == 103_000 - LaneReaderCore.silence)
    }

    @Test func `nothing is known while a writer is away`() {
        var mark = AppliedMark()
        #expect(mark.look([], now: 100_000) == nil)
        #expect(mark.look(reads(9, of: 9, isConnected: false), now: 100_000) == nil)
        #expect(mark.look(reads(9, of: 12), now: 101_000) == nil)
        // The mark was set while it was there.
        #expect(mark.look(reads(12, of: 12, isConnected: false), now: 102_000) == 101_000 - LaneReaderCore.silence)
    }
}
