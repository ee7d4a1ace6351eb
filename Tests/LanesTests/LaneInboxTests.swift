import Models
import Testing

@testable import Lanes

/// When blocks that wait are handed out.
@Suite struct LaneInboxTests {
    private let windows: [LaneName: Credit] = [
        .batch: Credit(blocks: 10, bytes: 1 << 20), .realtime: Credit(blocks: 10, bytes: 1 << 20),
    ]

    private func inbox(_ numbers: ClosedRange<UInt64>) -> LaneInbox {
        var inbox = LaneInbox()
        for number in numbers { inbox.add(LaneBlock(lane: .batch, block: SampleRows.block(number))) }
        return inbox
    }

    @Test func `nothing is due while nothing waits`() {
        let inbox = LaneInbox()
        #expect(inbox.due(gathering: nil, windows, excluding: []) == nil)
        #expect(self.inbox(1...2).due(gathering: nil, windows, excluding: [.batch]) == nil)
    }

    @Test func `a block is due when it comes, if none are gathered`() throws {
        let before = ContinuousClock.now, inbox = inbox(1...1), after = ContinuousClock.now
        let due = try #require(inbox.due(gathering: nil, windows, excluding: []))
        #expect(before <= due && due <= after)
    }

    @Test func `gathering ends at its time, or when no block has come for a moment`() throws {
        let before = ContinuousClock.now, inbox = inbox(1...4), after = ContinuousClock.now
        let soon = after + .milliseconds(40)
        #expect(inbox.due(gathering: soon, windows, excluding: []) == soon)
        let due = try #require(inbox.due(gathering: after + .seconds(10), windows, excluding: []))
        #expect(before + LaneInbox.quiet <= due && due <= after + LaneInbox.quiet)
    }

    @Test func `gathering ends when half a window waits, and the batch says that writers are held back`() throws {
        let before = ContinuousClock.now, later = before + .seconds(10)
        var (less, half) = (inbox(1...4), inbox(1...5))
        let after = ContinuousClock.now
        #expect(try #require(less.due(gathering: later, windows, excluding: [])) >= before + LaneInbox.quiet)
        #expect(try #require(half.due(gathering: later, windows, excluding: [])) <= after)
        #expect(!less.take(everything: true, windows, excluding: []).holdsWritersBack)
        let batch = half.take(everything: true, windows, excluding: [])
        #expect(batch.holdsWritersBack && batch.blocks.count == 5)
        #expect(!half.take(everything: true, windows, excluding: []).holdsWritersBack)
    }
}
