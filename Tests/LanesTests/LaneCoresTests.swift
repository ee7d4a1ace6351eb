import Lanes
import Models
import QoE
import Testing
import Wire

/// The two cores against each other over a network that loses, repeats and reorders.
@Suite struct LaneCoresTests {
    @Test(arguments: UInt64(0)..<1_000) func `every block once in order and never more than credit`(seed: UInt64) throws
    {
        var world = LaneWorld(seed: seed)
        for _ in 0..<400 { world.turn() }
        world.calm()
        #expect(world.violations.isEmpty, "seed \(seed): \(world.violations.first ?? "")")
        #expect(world.isComplete, "seed \(seed): \(world.delivered.count) of \(world.expected.count) blocks")
        #expect(world.status == .idle, "seed \(seed)")
    }

    @Test func `faultless network needs one session`() {
        var world = LaneWorld(seed: 5, faults: 0, restarts: 0)
        for _ in 0..<400 { world.turn() }
        world.calm()
        #expect(world.isComplete)
        #expect(world.openings == 1)
    }

    @Test func `world without its repairs loses blocks`() {
        let failed = (UInt64(0)..<40).filter { seed in
            var world = LaneWorld(seed: seed)
            world.ignoresGaps = true
            for _ in 0..<400 { world.turn() }
            world.calm()
            return !world.isComplete
        }
        #expect(failed.count > 5)
    }
}

/// A journal in memory, a writer, a reader, and what is on the way between them.
struct LaneWorld {
    private var random: SplitMix64
    private var faults: Int
    private let restarts: Int
    private var now: Int64 = 0
    private var journal: [Block] = []
    private var writer: LaneWriterCore
    private var reader: LaneReaderCore
    private let subscription: LaneSubscription
    private var toWriter: [LaneRequest] = []
    private var toReader: [LaneReply] = []
    private var pages: [LanePageRequest] = []
    private var inbox: [Block] = []
    private var skipped: UInt64 = 0
    private var cursor: UInt64 = 0
    private var session: UInt64 = 0
    private var granted: Credit = .none
    private var sent: Credit = .none
    private var appliedBeforeRestart = 0
    /// The highest head of which the reader was told, and its own opinion of it, since it was started.
    private var beaten: UInt64 = 0
    private var lastHead: UInt64 = 0
    private(set) var delivered: [UInt64] = []
    private(set) var violations: [String] = []
    private(set) var openings = 0
    /// Plants a mistake: the messages are made to look consecutive.
    var ignoresGaps = false

    init(seed: UInt64, faults: Int = 12, restarts: Int = 1) {
        random = SplitMix64(seed: seed)
        self.faults = faults
        self.restarts = restarts
        subscription = LaneSubscription(
            lane: .batch, kinds: [.report],
            window: Credit(blocks: UInt64(1 + random.below(9)), bytes: UInt64(200 + random.below(2_000))))
        writer = LaneWriterCore(lane: .batch, generation: 7, head: 0, oldest: 1, recentBytes: 3_000)
        reader = LaneReaderCore(subscription: subscription, reader: "r", cursor: nil, firstSession: 1)
    }

    /// Numbers of the blocks the reader asked for.
    var expected: [UInt64] { journal.filter { $0.header.kind == 1 }.map(\.header.number) }

    /// True if the reader got what it asked for, once and in order.
    var isComplete: Bool { delivered == expected }

    mutating func turn() {
        now += Int64(random.below(faults == 0 ? 3 : 300))
        defer { lookAtStatus() }
        switch random.below(10) {
        case 0, 1: commit()
        case 2: act(reader.handle(.tick(now: now)))
        case 3: act(writer.handle(.tick(now: now, time: now)))
        case 4: release()
        case 5: readPage()
        case 6 where random.below(100) < restarts: restartWriter()
        case 6 where random.below(100) < restarts: restartReader()
        case 7, 8:
            guard !toReader.isEmpty else { return }
            let message = toReader.remove(at: place(in: toReader.count))
            act(reader.handle(.received(bent(message), now: now)))
        default:
            guard !toWriter.isEmpty else { return }
            let message = toWriter.remove(at: place(in: toWriter.count))
            act(writer.handle(.received([1], message, now: now)))
        }
    }

    /// No more faults: everything must arrive in bounded time.
    mutating func calm() {
        faults = 0
        for _ in 0..<20 {
            now += 1_000
            act(reader.handle(.tick(now: now)))
            act(writer.handle(.tick(now: now, time: now)))
            while !(toWriter.isEmpty && toReader.isEmpty && pages.isEmpty && inbox.isEmpty) {
                while !toWriter.isEmpty { act(writer.handle(.received([1], toWriter.removeFirst(), now: now))) }
                readPage()
                while !toReader.isEmpty { act(reader.handle(.received(bent(toReader.removeFirst()), now: now))) }
                release()
            }
        }
    }

    /// Whatever is lost, late or comes in another order, the reader does not say that it has what it has not.
    private mutating func lookAtStatus() {
        beaten = max(beaten, reader.heartbeat?.head ?? 0)
        if reader.head < lastHead { violations.append("head moved back from \(lastHead) to \(reader.head)") }
        lastHead = reader.head
        guard reader.status == .current || reader.status == .idle, cursor < beaten else { return }
        violations.append("\(reader.status) at \(cursor), but a heartbeat told of \(beaten)")
    }

    /// How the reader stands, in a word.
    var status: LaneStatus { reader.status }

    private mutating func commit() {
        let blocks = (0..<(1 + random.below(5))).map { _ in
            SampleRows.block(
                UInt64(journal.count + 1), kind: random.chance(percent: 70) ? 1 : 2,
                payload: random.chance(percent: 3) ? 5_000 : random.below(300)
            ).numbered(&journal)
        }
        act(writer.handle(.committed(blocks)))
    }

    private mutating func release() {
        guard !inbox.isEmpty || skipped > cursor else { return }
        let count = inbox.isEmpty ? 0 : 1 + random.below(inbox.count)
        let batch = inbox.prefix(count)
        inbox.removeFirst(count)
        delivered += batch.map(\.header.number)
        if let last = batch.last { cursor = max(cursor, last.header.number) }
        if inbox.isEmpty { cursor = max(cursor, skipped) }
        act(reader.handle(.released(blocks: count, bytes: batch.reduce(0) { $0 + $1.size }, committed: cursor)))
    }

    private mutating func readPage() {
        guard !pages.isEmpty else { return }
        let request = pages.removeFirst()
        var page = JournalPage(
            generation: 7, head: UInt64(journal.count), oldest: 1, blocks: [], through: UInt64(journal.count),
            waitingBytes: 0)
        var bytes: UInt64 = 0
        for block in journal where block.header.number > request.after && request.kinds.contains(block.header.kind) {
            guard UInt64(page.blocks.count) < request.limit.blocks, bytes + UInt64(block.size) <= request.limit.bytes
            else {
                page.through = block.header.number - 1
                page.waitingBytes = block.size
                break
            }
            bytes += UInt64(block.size)
            page.blocks.append(block)
        }
        act(writer.handle(.pageRead(request, page)))
    }

    private mutating func restartWriter() {
        writer = LaneWriterCore(lane: .batch, generation: 7, head: UInt64(journal.count), oldest: 1, recentBytes: 3_000)
        // A late opening may begin a session of the writer before anew: what that one sent is none of this one's business.
        session = 0
        pages = []
        toReader = []
    }

    /// What was not released is lost with the process; the cursor stays.
    private mutating func restartReader() {
        inbox = []
        skipped = 0
        (beaten, lastHead) = (0, 0)
        toReader = []
        let position = cursor == 0 ? nil : Position(lane: .batch, generation: 7, block: cursor)
        reader = LaneReaderCore(
            subscription: subscription, reader: "r", cursor: position, firstSession: random.next() >> 1)
    }

    private mutating func act(_ actions: [LaneReaderCore.Action]) {
        for action in actions {
            switch action {
            case .send(let request):
                if case .open = request { openings += 1 }
                post(request)
            case .deliver(let block): inbox.append(block)
            case .skip(let position): skipped = position.block
            case .missed: violations.append("blocks missed")
            }
        }
        if reader.held.blocks > subscription.window.blocks { violations.append("more blocks held than the window") }
        if reader.held.bytes > max(subscription.window.bytes, 6_000) {
            violations.append("more bytes held than the window")
        }
        if !reader.status.isSound { violations.append("stopped: \(reader.status)") }
    }

    private mutating func act(_ actions: [LaneWriterCore.Action]) {
        for action in actions {
            switch action {
            case .send(_, let reply):
                watch(reply)
                post(reply)
            case .read(let request): pages.append(request)
            case .progress(let said):
                if said.committed > cursor { violations.append("progress before commit") }
            }
        }
        if writer.bufferedBytes > 3_000 + 6_000 { violations.append("writer holds too much") }
    }

    /// What the writer sends in a session, against what the reader has granted in it (all of it, arrived or not).
    private mutating func watch(_ reply: LaneReply) {
        if case .opened(let id, _, _, _) = reply, id != session {
            session = id
            sent = .none
        }
        guard case .block(let id, let block) = reply, id == session else { return }
        sent.blocks += 1
        sent.bytes += UInt64(block.size)
        let total = grants[id] ?? .none
        if sent.blocks > total.blocks || sent.bytes > total.bytes { violations.append("sent beyond credit") }
    }

    private var grants: [UInt64: Credit] = [:]

    private mutating func post(_ request: LaneRequest) {
        switch request {
        case .open(let opening): grants[opening.session] = opening.total
        case .credit(let session, let total, _): grants[session] = total
        }
        if random.chance(percent: faults) { return }
        toWriter.append(request)
        if random.chance(percent: faults) { toWriter.append(request) }
    }

    private mutating func post(_ reply: LaneReply) {
        if random.chance(percent: faults) { return }
        toReader.append(reply)
        if random.chance(percent: faults) { toReader.append(reply) }
    }

    /// The first message of a queue, or by a fault a later one.
    private mutating func place(in count: Int) -> Int { random.chance(percent: faults) ? random.below(count) : 0 }

    private func bent(_ reply: LaneReply) -> LaneReply {
        guard ignoresGaps else { return reply }
        switch reply {
        case .skipped(let session, _, let through): return .skipped(session: session, after: 0, through: through)
        case .head(let session, let head, _, let waiting):
            return .head(session: session, head: head, through: 0, waitingBytes: waiting)
        default: return reply
        }
    }
}

extension Block {
    /// Gives the block the next number of a journal and puts it there.
    fileprivate func numbered(_ journal: inout [Block]) -> Block {
        var block = self
        block.header.number = UInt64(journal.count + 1)
        block.header.previous = UInt64(journal.count)
        journal.append(block)
        return block
    }
}
