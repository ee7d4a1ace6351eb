import Lanes
import Models
import Testing
import Wire

@Suite struct RewrittenBlocksTests {
    private let peer: [UInt8] = [1]

    private func opened() -> LaneWriterCore {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1)
        _ = core.handle(.committed((1...3).map { SampleRows.block($0) }))
        return core
    }

    private func open(_ core: inout LaneWriterCore, after: UInt64) -> [LaneWriterCore.Action] {
        core.handle(
            .received(
                peer,
                .open(
                    LaneOpening(
                        reader: ReaderRegistration(name: "r", isRequired: true), lane: .batch, session: 9,
                        generation: 7, after: after, kinds: [1], wantsHeartbeats: false,
                        total: Credit(blocks: 10, bytes: 1 << 20),
                        committed: 0)), now: 0))
    }

    @Test func `blocks in memory are forgotten and read from the journal`() {
        var core = opened()
        _ = core.handle(.rewritten(through: 3))
        #expect(core.bufferedBytes == 0)
        let actions = open(&core, after: 0)
        #expect(actions.contains { if case .read = $0 { true } else { false } })
        #expect(!actions.contains { if case .send(_, .block) = $0 { true } else { false } })
    }

    @Test func `blocks behind the rewritten ones stay in memory`() {
        var core = opened()
        let all = core.bufferedBytes
        _ = core.handle(.rewritten(through: 2))
        #expect(core.bufferedBytes == all / 3)
        #expect(open(&core, after: 2).contains(.send(peer, .block(session: 9, SampleRows.block(3)))))
        // What comes next follows it.
        let next = SampleRows.block(4)
        #expect(core.handle(.committed([next])).contains(.send(peer, .block(session: 9, next))))
        var other = opened()
        _ = other.handle(.rewritten(through: 2))
        #expect(open(&other, after: 1).contains { if case .read = $0 { true } else { false } })
    }

    @Test func `a page behind the rewritten blocks is good`() throws {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 3, oldest: 1)
        let asked = open(&core, after: 2)
        let request = try #require(asked.compactMap { if case .read(let request) = $0 { request } else { nil } }.first)
        _ = core.handle(.rewritten(through: 2))
        let page = JournalPage(
            generation: 7, head: 3, oldest: 1, blocks: [SampleRows.block(3)], through: 3, waitingBytes: 0)
        #expect(core.handle(.pageRead(request, page)).contains(.send(peer, .block(session: 9, SampleRows.block(3)))))
    }

    @Test(arguments: [1, 2, 3]) func `a page that was read before is read again`(through: UInt64) throws {
        var core = LaneWriterCore(lane: .batch, generation: 7, head: 3, oldest: 1)
        let asked = open(&core, after: 0)
        let request = try #require(asked.compactMap { if case .read(let request) = $0 { request } else { nil } }.first)
        _ = core.handle(.rewritten(through: through))
        let page = JournalPage(
            generation: 7, head: 3, oldest: 1, blocks: [SampleRows.block(1)], through: 3, waitingBytes: 0)
        let actions = core.handle(.pageRead(request, page))
        #expect(actions.count == 1)
        guard case .read(let again) = try #require(actions.first) else { return #expect(Bool(false)) }
        #expect(again.after == 0)
        #expect(core.handle(.pageRead(again, page)).contains { if case .send(_, .block) = $0 { true } else { false } })
    }
}
