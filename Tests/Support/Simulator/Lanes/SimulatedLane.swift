import Lanes
import Models
import QoE
import Storage
import Wire

/// The writing end of a lane: the product's core with a simulated network and a journal that is read after a while.
final class SimulatedLane {
    private struct Account {
        var session: UInt64
        var total: Credit
        var sent = Credit.none
    }

    let name: LaneName
    private unowned let simulation: Simulation
    private(set) var core: LaneWriterCore?
    private var database: ServiceDatabase?
    private var sealer: BlockSealer?
    private var links: [[UInt8]: SimulatedLink] = [:]
    private var accounts: [[UInt8]: Account] = [:]
    private var progress: [String: ReaderProgress] = [:]
    /// Pages being read, by reader's connection.
    private var reading: Set<[UInt8]> = []
    /// The last block at each moment at which some were committed, since the writer was last started.
    private var heads: [(time: Int64, number: UInt64)] = []
    private(set) var openedAt: Int64 = 0
    /// The last block of each kind that was committed since the run began.
    private var newest: [UInt8: UInt64] = [:]
    private var oldest: UInt64 = 1
    /// The last block of an old program; what follows is of a newer kind.
    private var lastOldBlock: UInt64?

    init(_ name: LaneName, in simulation: Simulation) {
        self.name = name
        self.simulation = simulation
    }

    /// The kind of the lane whose version an upgrade raises.
    static func upgradedKind(of lane: LaneName) -> RecordKind {
        switch lane {
        case .realtime: .feedback
        case .batch: .report
        case .requests: .consent
        case .alerts: .alarm
        case .rollups: .cell
        case .rewards: .grant
        case .privacy: .auditHead
        case .operations: .campaign
        case .deliveries: .delivery
        }
    }

    /// The writing service has started.
    ///
    /// - Parameter isUpgraded: it is a newer program; if the lane is the upgraded one, its kind has a newer version.
    func open(_ journal: Journal, in database: ServiceDatabase, sealer: BlockSealer?, isUpgraded: Bool) {
        if isUpgraded, simulation.upgradedLane == name { lastOldBlock = lastOldBlock ?? journal.head }
        core = LaneWriterCore(
            lane: name, generation: journal.generation, head: journal.head, oldest: journal.oldest,
            isOrigin: [.realtime, .batch, .requests].contains(name), recentBytes: simulation.faults.recentBytes)
        self.database = database
        self.sealer = sealer
        accounts = [:]
        reading = []
        (openedAt, heads) = (simulation.clock.now, [(simulation.clock.now, journal.head)])
    }

    /// The last block that was committed before a moment; 0 if the writer was not there then.
    func head(before time: Int64) -> UInt64 { heads.last { $0.time < time }?.number ?? 0 }

    /// The writing service has died.
    func close() {
        core = nil
        database = nil
        progress = [:]
    }

    /// What readers said since the last call.
    func takeProgress() -> [ReaderProgress] {
        defer { progress = [:] }
        return progress.values.sorted { $0.reader.name < $1.reader.name }
    }

    func connect(_ link: SimulatedLink) {
        links[link.peer] = link
    }

    /// A request arrived; it is lost if nobody is here.
    func receive(_ request: LaneRequest, from link: SimulatedLink) throws {
        guard core != nil else { return }
        note(request, link.peer)
        try handle(.received(link.peer, request, now: simulation.clock.now))
    }

    /// True if the writer is busy with something for a reader: a page, or a message under way.
    func isBusy(with link: SimulatedLink) -> Bool { reading.contains(link.peer) }

    /// The last block of some kinds, 0 if it may be trimmed.
    func newest(of kinds: [RecordKind]) -> UInt64 {
        let number = kinds.compactMap { newest[$0.id] }.max() ?? 0
        return number < oldest ? 0 : number
    }

    func handle(_ event: LaneWriterCore.Event) throws {
        guard core != nil else { return }
        if case .committed(let blocks) = event {
            for header in blocks.map(\.header) { newest[header.kind] = header.number }
            if let last = blocks.last { heads.append((simulation.clock.now, last.header.number)) }
        }
        if case .trimmed(let oldest, _) = event { self.oldest = oldest }
        if case .rewritten = event { try lookAgain() }
        for action in core!.handle(event) { try carryOut(action) }
    }

    /// Blocks that have lost their last row are gone, and nobody can wait for them.
    private func lookAgain() throws {
        guard let database else { return }
        let limit = JournalPage.Limit(blocks: .max, bytes: .max)
        let page = try Journal.read(lane: name, from: database.reader(), after: 0, limit: limit, sealer: sealer)
        newest = [:]
        for header in page.blocks.map(\.header) { newest[header.kind] = header.number }
    }

    private func carryOut(_ action: LaneWriterCore.Action) throws {
        switch action {
        case .send(let peer, let reply):
            guard let link = links[peer], !link.isDead else { return try handle(.unreachable(peer)) }
            try account(reply, peer)
            try link.carryDown(upgraded(reply))
        case .read(let request): readPage(request)
        case .progress(let said):
            var said = said
            if let before = progress[said.reader.name], before.isJoining { said.isJoining = true }
            progress[said.reader.name] = said
        }
    }

    private func readPage(_ request: LanePageRequest) {
        guard let database else { return }
        reading.insert(request.peer)
        let (name, sealer) = (name, sealer)
        simulation.timeline.after(simulation.pause() + simulation.random.pick([0, 50, 300])) { [self] in
            guard self.database === database, core != nil else { return }
            reading.remove(request.peer)
            let limit = JournalPage.Limit(
                blocks: Int(clamping: request.limit.blocks), bytes: Int(clamping: request.limit.bytes))
            let page = try Journal.read(
                lane: name, from: database.reader(), after: request.after, kinds: Set(request.kinds), limit: limit,
                sealer: sealer)
            try handle(.pageRead(request, page))
            try links[request.peer]?.checkThatNothingSleeps()
        }
    }

    /// What a newer program would have written.
    private func upgraded(_ reply: LaneReply) -> LaneReply {
        guard let lastOldBlock, case .block(let session, var block) = reply, block.header.number > lastOldBlock,
            block.header.kind == Self.upgradedKind(of: name).id
        else { return reply }
        block.header.kindVersion += 1
        return .block(session: session, block)
    }

    /// Keeps the books on credit from the messages alone, without asking the core.
    private func note(_ request: LaneRequest, _ peer: [UInt8]) {
        switch request {
        case .open(let opening):
            if accounts[peer]?.session == opening.session { return }
            accounts[peer] = Account(session: opening.session, total: opening.total)
        case .credit(let session, let total, _):
            guard var account = accounts[peer], account.session == session else { return }
            account.total = Credit(
                blocks: max(account.total.blocks, total.blocks), bytes: max(account.total.bytes, total.bytes))
            accounts[peer] = account
        }
    }

    private func account(_ reply: LaneReply, _ peer: [UInt8]) throws {
        guard case .block(let session, let block) = reply, var account = accounts[peer], account.session == session
        else { return }
        account.sent = Credit(blocks: account.sent.blocks + 1, bytes: account.sent.bytes + UInt64(block.size))
        accounts[peer] = account
        guard account.sent.blocks <= account.total.blocks, account.sent.bytes <= account.total.bytes else {
            throw SimulationFailure("lane \(name.rawValue): sent \(account.sent), credit \(account.total)")
        }
    }
}
