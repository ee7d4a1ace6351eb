import Lanes
import Models
import Testing

@Suite struct LaneWriterCoreTests {
    private func opening(
        session: UInt64 = 1, generation: UInt64 = 7, after: UInt64 = 0, kinds: [UInt8] = [1], lane: LaneName = .batch,
        total: Credit = Credit(blocks: 10, bytes: 100_000), reader: String = "r", wantsHeartbeats: Bool = false
    ) -> LaneRequest {
        .open(
            LaneOpening(
                reader: ReaderRegistration(name: reader), lane: lane, session: session, generation: generation,
                after: after,
                kinds: kinds, wantsHeartbeats: wantsHeartbeats, total: total, committed: after))
    }

    private func refusal(_ request: LaneRequest, tombstonesGone: UInt64 = 0) -> LaneRefusal? {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 5, oldest: 1, tombstonesGone: tombstonesGone)
        guard case .send(_, .refused(_, let code, _))? = core.handle(.received([1], request, now: 0)).first else {
            return nil
        }
        return code
    }

    @Test func `refuses who must not go on`() {
        #expect(refusal(opening(after: 6)) == .aheadOfHead)
        #expect(refusal(opening(generation: 8)) == .otherGeneration)
        #expect(refusal(opening(generation: 0, after: 3)) == .otherGeneration)
        #expect(refusal(opening(lane: .realtime)) == .otherLane)
        #expect(refusal(opening(after: 2), tombstonesGone: 3) == .tombstonesGone)
        #expect(refusal(opening(generation: 0)) == nil)
        #expect(refusal(opening(after: 5)) == nil)
        #expect(refusal(opening(), tombstonesGone: 3) == nil)
    }

    @Test func `credit of an unknown session is answered so`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 5, oldest: 1)
        #expect(
            core.handle(.received([1], .credit(session: 9, total: .standard, committed: 0), now: 0)) == [
                .send([1], .unknown(session: 9))
            ])
    }

    @Test func `fresh blocks are sent from memory at once`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        _ = core.handle(.received([1], opening(), now: 0))
        let actions = core.handle(.committed([SampleRows.block(1), SampleRows.block(2)]))
        #expect(
            actions == [
                .send([1], .block(session: 1, SampleRows.block(1))),
                .send([1], .block(session: 1, SampleRows.block(2))),
            ])
    }

    @Test func `other kinds are skipped before the next block`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        _ = core.handle(.received([1], opening(), now: 0))
        #expect(core.handle(.committed([SampleRows.block(1, kind: 2), SampleRows.block(2, kind: 2)])).isEmpty)
        #expect(core.handle(.tick(now: 1, time: 1)).first == .send([1], .skipped(session: 1, after: 0, through: 2)))
        let actions = core.handle(.committed([SampleRows.block(3, kind: 2), SampleRows.block(4)]))
        #expect(
            actions == [
                .send([1], .skipped(session: 1, after: 2, through: 3)),
                .send([1], .block(session: 1, SampleRows.block(4))),
            ])
    }

    @Test func `trimmed blocks are never passed off as skipped`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 9, oldest: 1)
        guard case .read(let request)? = core.handle(.received([1], opening(after: 2), now: 0)).last else {
            Issue.record("no page asked for")
            return
        }
        let page = JournalPage(
            generation: 7, head: 9, oldest: 6, blocks: (6...9).map { SampleRows.block($0) }, through: 9, waitingBytes: 0
        )
        #expect(core.handle(.pageRead(request, page)) == [.send([1], .unknown(session: 1))])
        let again = core.handle(.received([1], opening(session: 2, after: 2), now: 0))
        #expect(again.first == .send([1], .opened(session: 2, generation: 7, head: 9, oldest: 6)))
        guard case .read(let second)? = again.last else {
            Issue.record("no page asked for")
            return
        }
        #expect(second.after == 5)
        let actions = core.handle(.pageRead(second, page))
        #expect(
            actions.prefix(2) == [
                .send([1], .skipped(session: 2, after: 2, through: 5)),
                .send([1], .block(session: 2, SampleRows.block(6))),
            ])
        #expect(actions.count == 5)
    }

    @Test func `memory does not grow with a reader that is away`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1, recentBytes: 100_000)
        _ = core.handle(.received([1], opening(), now: 0))
        for number in UInt64(1)...5_000 {
            _ = core.handle(.committed([SampleRows.block(number, payload: 1_000)]))
            #expect(core.bufferedBytes <= 100_000)
        }
    }

    @Test func `silent reader is forgotten`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        _ = core.handle(.received([1], opening(), now: 0))
        _ = core.handle(.tick(now: 15_000, time: 1))
        #expect(core.readers == ["r"])
        _ = core.handle(.tick(now: 15_001, time: 1))
        #expect(core.readers.isEmpty)
    }

    @Test func `one reader has one session`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        _ = core.handle(.received([1], opening(), now: 0))
        _ = core.handle(.received([2], opening(session: 5), now: 0))
        #expect(core.readers == ["r"])
        #expect(core.handle(.committed([SampleRows.block(1)])) == [.send([2], .block(session: 5, SampleRows.block(1)))])
    }

    @Test func `unreachable reader ends at once`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        _ = core.handle(.received([1], opening(), now: 0))
        _ = core.handle(.unreachable([1]))
        #expect(core.handle(.committed([SampleRows.block(1)])).isEmpty)
    }
}
