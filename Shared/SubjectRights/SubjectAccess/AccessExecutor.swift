public import GRDB
public import Lanes
public import Models
package import Storage
internal import Wire

/// Gives what one service holds about subjects who ask for it: waits until everything of before the request has come, goes
/// through the service's tables page by page, seals what it finds and appends it to the service's lane. When a request is over
/// its parts are taken away again, out of the journal too.
///
/// How far it is stands in the service's database and moves with the parts, so a crash repeats nothing. One request after
/// another, one page a step. Confined to the thread of the service's engine.
public final class AccessExecutor {
    /// Bytes of lines that are sealed together.
    static let sealedAtOnce = 64 << 10
    /// Parts of a service in a request: some 600 000 raw rows. What is beyond is left out, and that is said.
    static let mostParts = 4_096
    /// Removals told in one step.
    static let removalsAtOnce = 1_000
    /// Milliseconds until it is looked whether there is room again.
    private static let pause: UnixMilliseconds = 1_000

    private let plan: AccessPlan
    private let database: ServiceDatabase
    private let journal: Journal
    private let copy: any SubjectCopy
    private let mostParts: Int
    private let lineage: Lineage
    private var work: AccessWork?
    private var sweep: Sweep?
    /// There may be something to begin.
    private var isChanged: Bool
    private var hasOpen: Bool
    private var isInTick = false
    /// When it is looked again, if the journal had no room.
    private var asksAgainAt: UnixMilliseconds?
    private var given: [AccessPartDocument] = []

    /// Parts of requests that are over, on their way out of the journal.
    private struct Sweep {
        let requests: Set<String>
        var pass = JournalErasure()
    }

    /// - Parameters:
    ///   - database: of the service; it must be the one of the journal.
    ///   - journal: of the lane that the parts travel on.
    package convenience init(
        _ plan: AccessPlan, database: ServiceDatabase, journal: Journal, copy: any SubjectCopy
    ) throws {
        try self.init(plan, database: database, journal: journal, copy: copy, mostParts: Self.mostParts)
    }

    init(
        _ plan: AccessPlan, database: ServiceDatabase, journal: Journal, copy: any SubjectCopy, mostParts: Int
    ) throws {
        self.plan = plan
        self.database = database
        self.journal = journal
        self.copy = copy
        self.mostParts = mostParts
        (isChanged, lineage) = try database.write { db in
            try AccessStore.createTables(db)
            return (try AccessStore(db).hasWork(), try Lineage(db))
        }
        hasOpen = isChanged
    }

    /// A request; heard again, it changes nothing.
    public func hear(_ order: AccessOrder, _ db: Database) throws {
        guard try AccessStore(db).add(order) else { return }
        (isChanged, hasOpen) = (true, true)
    }

    /// A request is over: what was given is taken away.
    public func hear(closed request: String, _ db: Database) throws {
        guard try AccessStore(db).close(request) else { return }
        if work?.order.request == request { work = nil }
        isChanged = true
    }

    /// What a row of kind `access_order` says.
    public func hear(_ word: AccessOrder.Word, _ db: Database) throws {
        switch word {
        case .ordered(let order): try hear(order, db)
        case .closed(let request): try hear(closed: request, db)
        }
    }

    /// A device is erased: nothing is known of its requests any more. Its rows in the journal go with all others of it.
    public func forget(_ device: UInt64, _ db: Database) throws {
        guard try AccessStore(db).forget(device) > 0 else { return }
        if work?.order.device == device { work = nil }
        isChanged = true
    }

    /// The last parts that were given since it was last asked; for who keeps count of them.
    public func takeGiven() -> [AccessPartDocument] {
        defer { given = [] }
        return given
    }

    /// When ``tick(in:)`` is to be called.
    public var nextTick: UnixMilliseconds? {
        isChanged || work != nil || sweep != nil ? 0 : asksAgainAt
    }

    /// One bounded piece of work; true if it did anything.
    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        // The step of the last tick was not committed: what it changed in memory is not so.
        if isInTick { (work, sweep) = (nil, nil) }
        (isInTick, isChanged, asksAgainAt, given) = (true, false, nil, [])
        let store = AccessStore(transaction.db)
        if try takeAway(store, transaction.db, &transaction.emit) { return true }
        if work == nil { try begin(store, transaction.now, transaction.db) }
        guard work != nil else { return false }
        try proceed(store, transaction.db, &transaction.emit)
        return true
    }

    /// After the commit of a step.
    public func committed() throws {
        isInTick = false
        guard hasOpen, !isChanged, work == nil, sweep == nil, asksAgainAt == nil else { return }
        isChanged = try database.read { db in try next(AccessStore(db), db) != nil }
    }

    /// The first order whose records have all come.
    private func next(_ store: AccessStore, _ db: Database) throws -> AccessWork? {
        let open = try store.open(plan.service, copy.held)
        hasOpen = !open.isEmpty
        guard hasOpen else { return nil }
        var cursors: [LaneName: Position] = [:]
        for lane in plan.barriers { cursors[lane] = try Cursor.read(lane, db) }
        return open.first { plan.isReady($0.order.document, cursor: { cursors[$0] }, lineage: lineage) }
    }

    private func begin(_ store: AccessStore, _ now: UnixMilliseconds, _ db: Database) throws {
        guard let next = try next(store, db) else { return }
        guard try hasRoom(store) else { return asksAgainAt = now + Self.pause }
        work = next
    }

    /// Copies take a quarter of what the journal may have, and none of it while it is full.
    private func hasRoom(_ store: AccessStore) throws -> Bool {
        try !journal.isFull && store.bytes() < journal.limits.maximumBytes / 4
    }

    private func proceed(_ store: AccessStore, _ db: Database, _ emit: inout Emission) throws {
        guard var work else { return }
        work.take(try copy.page(of: work.order.device, after: work.place, in: db))
        if work.waiting.count >= Self.sealedAtOnce || work.isOver { try give(&work, store, &emit) }
        self.work = work.isOver ? nil : work
        isChanged = isChanged || work.isOver
    }

    /// Seals what waits, and after the last of it what it was.
    private func give(_ work: inout AccessWork, _ store: AccessStore, _ emit: inout Emission) throws {
        var parts: [AccessPart] = []
        if !work.waiting.isEmpty { parts = try seal(work.waiting, work, after: work.parts, isLast: false) }
        if !work.isOver, work.parts + parts.count >= mostParts - 1 {
            (work.isOver, work.contents.isCutShort) = (true, true)
        }
        if work.isOver {
            parts += try seal(work.contents.bytes(), work, after: work.parts + parts.count, isLast: true)
            given.append(parts.last!.document)
        }
        for part in parts {
            try emit.append(to: plan.lane, kind: .accessPart, columns: AccessPart.columns([part]))
        }
        work.parts += parts.count
        work.bytes += parts.reduce(0) { $0 + $1.sealed.count }
        work.waiting = []
        try store.save(work)
    }

    private func seal(_ bytes: [UInt8], _ work: AccessWork, after parts: Int, isLast: Bool) throws -> [AccessPart] {
        try AccessPart.seal(bytes, of: plan.service, for: work.order, from: parts + 1, isLast: isLast)
    }

    /// Says of the parts of closed requests that they are gone, then takes them out of the journal; false if there are none.
    private func takeAway(_ store: AccessStore, _ db: Database, _ emit: inout Emission) throws -> Bool {
        if sweep != nil {
            try goOnSweeping(store, db)
            return true
        }
        let closed = try store.closed()
        guard !closed.isEmpty else { return false }
        var keys: [String] = []
        for (request, parts) in closed where parts > 0 {
            let left = max(0, parts - (Self.removalsAtOnce - keys.count))
            for index in left..<parts { keys.append(AccessPartDocument.key(request, plan.service, index + 1)) }
            if left < parts { try store.set(parts: left, of: request) }
        }
        if keys.isEmpty {
            sweep = Sweep(requests: Set(closed.map(\.request)))
        } else {
            try emit.append(to: plan.lane, kind: .accessPart, columns: AccessPart.removals(of: keys))
            isChanged = true
        }
        return true
    }

    private func goOnSweeping(_ store: AccessStore, _ db: Database) throws {
        guard var sweep else { return }
        let requests = sweep.requests
        try journal.eraseSuperseded(db, kind: .accessPart, &sweep.pass) { columns, _ in
            AccessPart.kept(columns, without: requests)
        }
        self.sweep = sweep.pass.isDone ? nil : sweep
        guard sweep.pass.isDone else { return }
        for request in requests.sorted() { try store.remove(request) }
        isChanged = true
    }
}
