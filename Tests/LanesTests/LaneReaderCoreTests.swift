import Lanes
import Models
import QoE
import Testing

@Suite struct LaneReaderCoreTests {
    private func opened(cursor: Position? = nil, generation: UInt64 = 7, head: UInt64 = 9, oldest: UInt64 = 1)
        -> LaneReaderCore
    {
        var core = LaneReaderCore(
            subscription: LaneSubscription(lane: .batch, kinds: [.report]), reader: "r", cursor: cursor, firstSession: 1
        )
        _ = core.handle(.tick(now: 0))
        _ = core.handle(.received(.opened(session: 2, generation: generation, head: head, oldest: oldest), now: 1))
        return core
    }

    @Test func `reader ahead of the head stops for good and says so`() {
        var core = opened(cursor: Position(lane: .batch, generation: 7, block: 12))
        #expect(core.status == .stopped(.readerAheadOfHead(lane: .batch, after: 12, head: 9)))
        #expect(core.status.sentence(.batch).hasPrefix("lane batch: reader is ahead of the writer's head (12 > 9)"))
        #expect(!core.status.isSound)
        #expect(core.handle(.tick(now: 60_000)).isEmpty)
        #expect(core.handle(.connected(now: 60_000)).isEmpty)
        #expect(core.handle(.received(.opened(session: 2, generation: 7, head: 20, oldest: 1), now: 60_001)).isEmpty)
        #expect(!core.status.isSound)
    }

    @Test func `reader of another generation stops and says so`() {
        let core = opened(cursor: Position(lane: .batch, generation: 6, block: 2))
        #expect(core.status == .stopped(.otherGeneration(lane: .batch, expected: 6, found: 7)))
        #expect(core.status.sentence(.batch).contains("another generation"))
    }

    @Test func `refusals become the same errors`() {
        var core = opened(cursor: Position(lane: .batch, generation: 7, block: 2))
        _ = core.handle(.received(.refused(session: 2, code: .aheadOfHead, text: "1"), now: 2))
        #expect(core.status == .stopped(.readerAheadOfHead(lane: .batch, after: 2, head: 1)))
        core = opened(cursor: Position(lane: .batch, generation: 7, block: 2))
        _ = core.handle(.received(.refused(session: 2, code: .otherGeneration, text: "255"), now: 2))
        #expect(core.status == .stopped(.otherGeneration(lane: .batch, expected: 7, found: 255)))
        core = opened(cursor: Position(lane: .batch, generation: 7, block: 2))
        _ = core.handle(.received(.refused(session: 2, code: .tombstonesGone, text: "rebuild"), now: 2))
        #expect(core.status.sentence(.batch) == "lane batch: refused: rebuild")
    }

    @Test func `newer kind is not delivered but says upgrade`() {
        var core = opened()
        let actions = core.handle(.received(.block(session: 2, SampleRows.block(1, version: 2)), now: 2))
        #expect(actions.isEmpty)
        #expect(core.status.sentence(.batch) == "lane batch: kind report version 2 is above 1: upgrade this service")
    }

    @Test func `messages of other sessions are ignored`() {
        var core = opened()
        #expect(core.handle(.received(.block(session: 1, SampleRows.block(1)), now: 2)).isEmpty)
        #expect(core.handle(.received(.unknown(session: 1), now: 2)).isEmpty)
        #expect(core.received == 0)
    }

    @Test func `gap opens a session after the last block`() {
        var core = opened()
        #expect(
            core.handle(.received(.block(session: 2, SampleRows.block(1)), now: 2)) == [.deliver(SampleRows.block(1))])
        guard
            case .send(.open(let opening))? = core.handle(.received(.block(session: 2, SampleRows.block(3)), now: 3))
                .first
        else {
            Issue.record("no new session")
            return
        }
        #expect(opening.after == 1 && opening.session == 3 && opening.generation == 7)
        #expect(opening.total.blocks == Credit.standard.blocks - 1)
    }

    @Test func `silence opens a session after five seconds`() {
        var core = opened()
        for second in Int64(1)...5 {
            guard case .send(.credit)? = core.handle(.tick(now: second * 1_000)).first else {
                Issue.record("no heartbeat in second \(second)")
                return
            }
        }
        guard case .send(.open)? = core.handle(.tick(now: 5_001)).first else {
            Issue.record("still waiting")
            return
        }
        #expect(core.status == .silent)
    }

    @Test func `detached reader learns what it missed`() {
        var core = LaneReaderCore(
            subscription: LaneSubscription(lane: .batch, kinds: [.report]), reader: "r",
            cursor: Position(lane: .batch, generation: 7, block: 3), firstSession: 1)
        _ = core.handle(.tick(now: 0))
        #expect(
            core.handle(.received(.opened(session: 2, generation: 7, head: 20, oldest: 11), now: 1)) == [
                .missed(blocks: 7)
            ])
        #expect(core.status == .behind(17))
    }

    @Test func `without the answer to its opening nothing is taken`() {
        var core = LaneReaderCore(
            subscription: LaneSubscription(lane: .batch, kinds: [.report]), reader: "r",
            cursor: Position(lane: .batch, generation: 7, block: 3), firstSession: 1)
        _ = core.handle(.tick(now: 0))
        let actions = core.handle(.received(.skipped(session: 2, after: 3, through: 10), now: 1))
        #expect(core.received == 3)
        guard case .send(.open(let opening))? = actions.first else {
            Issue.record("it does not ask again: \(actions)")
            return
        }
        #expect(opening.after == 3)
        #expect(
            core.handle(.received(.opened(session: opening.session, generation: 7, head: 20, oldest: 11), now: 2)) == [
                .missed(blocks: 7)
            ])
    }
}
