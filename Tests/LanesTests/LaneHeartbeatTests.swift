import Lanes
import Models
import QoE
import Testing

/// What readers know of a lane on which nothing comes, by the cores alone.
@Suite struct LaneHeartbeatTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func reader(cursor: UInt64 = 9, head: UInt64 = 9) -> LaneReaderCore {
        var core = LaneReaderCore(
            subscription: LaneSubscription(lane: .batch, kinds: [.report]), reader: "r",
            cursor: Position(lane: .batch, generation: 7, block: cursor), firstSession: 1)
        _ = core.handle(.tick(now: 0))
        _ = core.handle(.received(.opened(session: 2, generation: 7, head: head, oldest: 1), now: 0))
        return core
    }

    private func beat(_ core: inout LaneReaderCore, head: UInt64, at second: Int64, session: UInt64 = 2) {
        let time = start + second * 1_000
        let actions = core.handle(
            .received(.heartbeat(session: session, generation: 7, head: head, time: time), now: second * 1_000))
        #expect(actions.isEmpty)
    }

    @Test func `a reader that has everything is current, and idle when a heartbeat has nothing new`() {
        var core = reader()
        #expect(core.status == .current && core.heartbeat == nil)
        beat(&core, head: 9, at: 1)
        #expect(core.status == .current)
        #expect(core.heartbeat == LaneHeartbeat(head: 9, time: start + 1_000, cameAt: 1_000))
        beat(&core, head: 9, at: 2)
        #expect(core.status == .idle && core.status.isConnected)
        beat(&core, head: 10, at: 3)
        #expect(core.status == .behind(1))
    }

    @Test func `a heartbeat that comes twice is not a second one`() {
        var core = reader()
        beat(&core, head: 9, at: 1)
        beat(&core, head: 9, at: 1)
        #expect(core.status == .current)
    }

    @Test func `a reader is behind until the effects of a block are committed, not only until it came`() {
        var core = reader()
        beat(&core, head: 9, at: 1)
        beat(&core, head: 9, at: 2)
        let block = SampleRows.block(10)
        #expect(core.handle(.received(.block(session: 2, block), now: 2_100)) == [.deliver(block)])
        #expect(core.status == .behind(1))
        _ = core.handle(.released(blocks: 1, bytes: block.size, committed: 10))
        #expect(core.status == .current)
    }

    @Test func `a heartbeat neither counts as applied nor moves a cursor`() {
        var core = reader(cursor: 3)
        beat(&core, head: 9, at: 1)
        #expect(core.received == 3 && core.status == .behind(6))
        guard case .send(.credit(_, _, let committed))? = core.handle(.tick(now: 1_000)).first else {
            Issue.record("no credit")
            return
        }
        #expect(committed == 3)
        #expect(
            core.handle(.received(.block(session: 2, SampleRows.block(4)), now: 1_001)) == [
                .deliver(SampleRows.block(4))
            ])
    }

    @Test func `a late heartbeat does not move the head back`() {
        var core = reader(cursor: 3)
        beat(&core, head: 9, at: 2)
        beat(&core, head: 4, at: 1)
        #expect(core.head == 9 && core.status == .behind(6))
    }

    @Test func `a writer is silent after three seconds without a word, and alive with the next`() {
        var core = reader()
        beat(&core, head: 9, at: 1)
        beat(&core, head: 9, at: 2)
        _ = core.handle(.tick(now: 5_000))
        #expect(core.status == .idle)
        _ = core.handle(.tick(now: 5_001))
        #expect(core.status == .silent && !core.status.isConnected && core.status.isSound)
        #expect(core.status.sentence(.batch) == "lane batch: its writer is silent")
        beat(&core, head: 9, at: 6)
        #expect(core.status == .idle)
    }

    @Test func `silence lasts until the writer answers, however often the reader asks`() {
        var core = reader()
        for second in Int64(1)...60 { _ = core.handle(.tick(now: second * 1_000)) }
        #expect(core.status == .silent)
        // A message of a session that is over is no sign of life in this one.
        beat(&core, head: 9, at: 60)
        #expect(core.status == .silent)
        guard case .send(.open(let opening))? = core.handle(.connected(now: 60_500)).first else {
            Issue.record("no opening")
            return
        }
        _ = core.handle(
            .received(.opened(session: opening.session, generation: 7, head: 9, oldest: 1), now: 60_600))
        #expect(core.status == .current)
    }

    @Test func `a writer that was never heard is waited for`() {
        var core = LaneReaderCore(
            subscription: LaneSubscription(lane: .batch, kinds: [.report]), reader: "r", cursor: nil, firstSession: 1)
        for second in Int64(0)...60 { _ = core.handle(.tick(now: second * 1_000)) }
        #expect(core.status == .waiting && core.heardAt == nil)
    }

    @Test func `a writer without heartbeats is alive by what else it says, and its lane never idle`() {
        var core = reader()
        for second in Int64(1)...20 {
            let head = LaneReply.head(session: 2, head: 9, through: 9, waitingBytes: 0)
            _ = core.handle(.received(head, now: second * 1_000))
            _ = core.handle(.tick(now: second * 1_000))
            #expect(core.status == .current)
        }
        _ = core.handle(.tick(now: 23_001))
        #expect(core.status == .silent)
    }

    @Test func `a heartbeat of another generation stops the reader`() {
        var core = reader()
        _ = core.handle(.received(.heartbeat(session: 2, generation: 8, head: 9, time: start), now: 1))
        #expect(core.status == .stopped(.otherGeneration(lane: .batch, expected: 7, found: 8)))
    }
}

/// What a writer says when it has nothing to say.
@Suite struct LaneWriterHeartbeatTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func writer(wantsHeartbeats: Bool = true) -> LaneWriterCore {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        let opening = LaneOpening(
            reader: ReaderRegistration(name: "r"), lane: .batch, session: 1, generation: 7, after: 0, kinds: [1],
            wantsHeartbeats: wantsHeartbeats, total: .none, committed: 0)
        _ = core.handle(.received([1], .open(opening), now: 0))
        return core
    }

    private func beats(_ actions: [LaneWriterCore.Action]) -> [LaneReply] {
        actions.compactMap {
            guard case .send(_, let reply) = $0, case .heartbeat = reply else { return nil }
            return reply
        }
    }

    private func hear(_ core: inout LaneWriterCore, at now: Int64) -> [LaneReply] {
        beats(core.handle(.received([1], .credit(session: 1, total: .none, committed: 0), now: now)))
    }

    @Test func `what is complete is told with the next heartbeat, and nothing before it is known`() {
        var core = writer()
        func told(_ second: Int64) -> UnixMilliseconds?? {
            _ = core.handle(.received([1], .credit(session: 1, total: .none, committed: 0), now: second * 1_000))
            let beats = beats(core.handle(.tick(now: second * 1_000, time: start + second * 1_000)))
            guard case .heartbeat(_, _, _, _, let completeTo)? = beats.first else { return nil }
            return .some(completeTo)
        }
        #expect(told(1) == .some(nil))
        _ = core.handle(.completed(start - 500))
        #expect(told(2) == start - 500)
        #expect(told(3) == start - 500)
    }

    @Test func `who answers phones is complete to the time of the heartbeat before`() {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1, isOrigin: true)
        let opening = LaneOpening(
            reader: ReaderRegistration(name: "r"), lane: .batch, session: 1, generation: 7, after: 0, kinds: [1],
            wantsHeartbeats: true, total: .none, committed: 0)
        _ = core.handle(.received([1], .open(opening), now: 0))
        var told: [UnixMilliseconds?] = []
        for second in Int64(1)...3 {
            _ = core.handle(.received([1], .credit(session: 1, total: .none, committed: 0), now: second * 1_000))
            for case .heartbeat(_, _, _, _, let completeTo) in beats(
                core.handle(.tick(now: second * 1_000, time: start + second * 1_000)))
            { told.append(completeTo) }
        }
        #expect(told == [nil, start + 1_000, start + 2_000])
    }

    @Test func `once a second head and clock are told to readers that are heard, without credit`() {
        var core = writer()
        for second in Int64(1)...5 {
            _ = core.handle(.committed([SampleRows.block(UInt64(second))]))
            let told = beats(core.handle(.tick(now: second * 1_000, time: start + second)))
            #expect(told == [.heartbeat(session: 1, generation: 7, head: UInt64(second), time: start + second)])
            #expect(hear(&core, at: second * 1_000 + 500).isEmpty)
        }
    }

    @Test func `who does not read has one heartbeat in its pipe, and the newest when it is heard again`() {
        var core = writer()
        #expect(beats(core.handle(.tick(now: 1_000, time: start))).count == 1)
        for second in Int64(2)...14 {
            #expect(beats(core.handle(.tick(now: second * 1_000, time: start + second))).isEmpty)
        }
        #expect(
            hear(&core, at: 14_500) == [.heartbeat(session: 1, generation: 7, head: 0, time: start + 14)])
        #expect(hear(&core, at: 14_600).isEmpty)
        #expect(beats(core.handle(.tick(now: 15_000, time: start + 15))).count == 1)
    }

    @Test func `a reader that did not ask for heartbeats is sent none`() {
        var core = writer(wantsHeartbeats: false)
        for second in Int64(1)...5 {
            #expect(beats(core.handle(.tick(now: second * 1_000, time: start + second))).isEmpty)
            #expect(hear(&core, at: second * 1_000 + 500).isEmpty)
        }
    }
}
