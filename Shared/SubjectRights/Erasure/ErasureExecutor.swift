public import GRDB
public import Lanes
public import Models
package import Storage
internal import Wire

/// Executes erasures in one service: waits until the subject's rows have come, has the service's tables and journals
/// rewritten without them in bounded slices, empties the write-ahead logs, and signs. In that order, whatever crashes.
///
/// A pass takes all subjects that wait together. Its progress is in memory only: after a crash it begins anew and finds less.
/// Confined to the thread of the service's engine.
public final class ErasureExecutor {
    /// Subjects of one pass at most: what is done for all of them in one transaction stays short.
    static let mostSubjects = 100
    /// Milliseconds until logs that could not be emptied are looked at again; twice as long each time, up to the last.
    private static let pauses: ClosedRange<UnixMilliseconds> = 20...1_000
    /// Rows a second with which a service soon has a checkpoint of its own. Cells that an erasure changes are fewer.
    private static let loaded = 10_000
    /// Milliseconds for which a log is left to that checkpoint.
    private static let patience: UnixMilliseconds = 30_000
    /// A log with less to be written to the file, in bytes, waits for nothing.
    private static let shortLog = 4 << 20
    private let plan: ErasurePlan
    private let database: ServiceDatabase
    private let journals: [Journal]
    private let records: any SubjectRecords
    private let key: ReceiptKey
    private let lineage: Lineage
    private var filter: ErasureFilter
    /// Those whose records are still there or still to come, and who has signed, as the tables have them.
    private var open: [ErasureSubject]
    private var signers: [String: Set<String>]
    private var pass: ErasurePass?
    private var decoder = ColumnDecoder()
    /// There may be something to begin.
    private var isChanged = true
    private var isInTick = false
    private var hasErased: Bool
    private var areLogsEmpty = false
    /// When the logs are looked at again, if somebody was in the way and nothing else happens.
    private var asksAgainAt: UnixMilliseconds?
    private var pause = ErasureExecutor.pauses.lowerBound
    /// Since when the log has been left to the service's own checkpoint.
    private var logIsLeftSince: UnixMilliseconds?
    private var isAnnounced: Bool
    private var pace: SliceThrottle
    /// The receipts of the last tick.
    public private(set) var signed: [ErasureReceiptDocument] = []

    /// - Parameters:
    ///   - database: of the service; it must be the one of the journals.
    ///   - journals: of the lanes the service writes.
    ///   - stopwatch: for the rests between slices; a constant makes runs repeatable.
    package init(
        _ plan: ErasurePlan, database: ServiceDatabase, journals: [Journal], records: any SubjectRecords,
        key: ReceiptKey, stopwatch: @escaping () -> ContinuousClock.Instant = { .now }
    ) throws {
        self.plan = plan
        pace = SliceThrottle(stopwatch: stopwatch)
        self.database = database
        self.journals = journals
        self.records = records
        self.key = key
        (open, signers, hasErased, isAnnounced, lineage) = try database.write { db in
            try ErasureStore.createTables(db)
            let store = ErasureStore(db)
            let isAnnounced = try plan.lane == nil || store.isAnnounced(key: key.id)
            return (
                try store.open(), try store.signers(), try !store.erased().isEmpty, isAnnounced, try Lineage(db)
            )
        }
        filter = ErasureFilter(open)
    }

    /// Takes the rows of subjects that are being erased out of blocks that only come now.
    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] { try filter.sift(blocks, &decoder) }

    /// So many rows have come that are none of an erasure's business; while they do, slices are followed by rests.
    public func came(_ rows: Int, now: UnixMilliseconds) { pace.came(rows, now: now) }

    /// A subject to be erased; heard again, it changes nothing.
    public func hear(_ subject: ErasureSubject, _ db: Database) throws {
        let store = ErasureStore(db)
        guard try store.add(subject) else { return }
        filter.add(subject)
        open.append(subject)
        isChanged = true
    }

    /// A receipt of another service.
    public func hear(_ receipt: ErasureReceiptDocument, _ db: Database) throws {
        try hear(signer: receipt.service, of: receipt.request, db)
    }

    /// That a service, or a part of this one, has nothing left.
    public func hear(signer: String, of request: String, _ db: Database) throws {
        guard plan.waitsFor.contains(signer) else { return }
        try ErasureStore(db).add(receiptOf: signer, for: request)
        signers[request, default: []].insert(signer)
        isChanged = true
    }

    /// Requests of which nothing is left here and which were said to be done, for who missed it.
    public static func done(_ db: Database) throws -> [String] {
        try db.tableExists("erasures") ? ErasureStore(db).signed() : []
    }

    /// Whether records of anybody who is to be erased here are still there or still to come.
    public static func areRecordsLeft(_ db: Database) throws -> Bool {
        try db.tableExists("erasures") && ErasureStore(db).isOpen()
    }

    /// Whether all of some requests were heard of here, executed or not.
    public static func haveHeard(of requests: [String], _ db: Database) throws -> Bool {
        try requests.isEmpty || db.tableExists("erasures") && ErasureStore(db).knows(requests)
    }

    /// Forgets requests that are completed everywhere.
    public static func forget(_ request: String, _ db: Database) throws {
        try ErasureStore.createTables(db)
        try ErasureStore(db).forget(request)
    }

    /// The receipts of the last tick, once.
    public func takeSigned() -> [ErasureReceiptDocument] {
        defer { signed = [] }
        return signed
    }

    /// When ``tick(in:)`` is to be called.
    public var nextTick: UnixMilliseconds? {
        let canBegin = pass == nil && isChanged && (hasErased || !filter.isEmpty)
        if !isAnnounced || (hasErased && areLogsEmpty) || canBegin { return 0 }
        if pass != nil { return pace.nextSlice }
        return asksAgainAt
    }

    /// One bounded piece of work; true if it did anything.
    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        let store = ErasureStore(transaction.db)
        if isInTick { try beginAnew(store) }
        isInTick = true
        signed = []
        let announces = try announce(store, transaction.now, &transaction.emit)
        if hasErased && areLogsEmpty {
            try sign(store, transaction.now, &transaction.emit)
            return true
        }
        if pass == nil { try begin(transaction.db) }
        guard pass != nil, transaction.now >= pace.nextSlice else { return announces }
        pace.began()
        try proceed(store, in: &transaction)
        return true
    }

    /// After the commit of a step.
    public func committed(now: UnixMilliseconds) throws {
        isInTick = false
        pace.ended(now: now)
        if !isChanged, pass == nil, !open.isEmpty { isChanged = try !database.read { try ready($0) }.isEmpty }
        guard hasErased, !areLogsEmpty, !leavesLog(now), now >= asksAgainAt ?? now else { return }
        areLogsEmpty = try records.truncateLogs() && database.truncateLog()
        asksAgainAt = areLogsEmpty ? nil : now + pause
        pause = areLogsEmpty ? Self.pauses.lowerBound : min(2 * pause, Self.pauses.upperBound)
    }

    /// Whether the log is better emptied later: to write a hundred megabytes of it to the file keeps the disk from commits
    /// that alarms wait for, and the service does it every few seconds anyway. Right after that there is nothing left to write.
    private func leavesLog(_ now: UnixMilliseconds) -> Bool {
        let isLong = database.unwrittenLogBytes > Self.shortLog
        if isLong, pace.rows.rate(now) >= Self.loaded, now < (logIsLeftSince ?? now) + Self.patience {
            logIsLeftSince = logIsLeftSince ?? now
            asksAgainAt = now + Self.pauses.upperBound
            return true
        }
        if logIsLeftSince != nil { (logIsLeftSince, asksAgainAt) = (nil, nil) }
        return false
    }

    /// The subjects whose records have all come.
    private func ready(_ db: Database) throws -> [ErasureSubject] {
        guard !open.isEmpty else { return [] }
        var cursors: [LaneName: Position] = [:]
        for lane in plan.barriers { cursors[lane] = try Cursor.read(lane, db) }
        return open.filter { subject in
            plan.isComplete(
                subject.document, cursor: { cursors[$0] }, signers: signers[subject.request] ?? [], lineage: lineage)
        }
    }

    /// The step of the last tick was not committed: what it changed here is not so.
    private func beginAnew(_ store: ErasureStore) throws {
        pass = nil
        try load(store)
        hasErased = try !store.erased().isEmpty
        areLogsEmpty = false
        isAnnounced = try plan.lane == nil || store.isAnnounced(key: key.id)
        isChanged = true
    }

    private func load(_ store: ErasureStore) throws {
        (open, signers) = (try store.open(), try store.signers())
        filter = ErasureFilter(open)
    }

    private func announce(_ store: ErasureStore, _ now: UnixMilliseconds, _ emit: inout Emission) throws -> Bool {
        guard !isAnnounced, let lane = plan.lane else { return false }
        let document = key.document(since: now)
        try emit.append(
            to: lane, kind: .verificationKey, columns: .documents([(document.keyID, document)]))
        try store.announced(key: key.id)
        isAnnounced = true
        return true
    }

    /// Begins a pass with every subject whose rows have all come.
    private func begin(_ db: Database) throws {
        isChanged = false
        let ready = try ready(db)
        guard !ready.isEmpty else { return }
        records.beginPass()
        pass = ErasurePass(Array(ready.prefix(Self.mostSubjects)), journals: journals.count)
    }

    private func proceed(_ store: ErasureStore, in transaction: inout EffectTransaction) throws {
        guard var pass else { return }
        var isOver = false
        defer { self.pass = isOver ? nil : pass }
        if !pass.areRecordsErased {
            let slice = try records.erase(pass.subjects, in: &transaction)
            try count(slice.removed, pass, store)
            pass.areRecordsErased = slice.isDone
        } else if let place = pass.journals.firstIndex(where: { !$0.isDone }) {
            try erase(journals[place], &pass, place, store, transaction.db)
        } else {
            for subject in pass.subjects { try store.close(subject.request) }
            try load(store)
            (hasErased, areLogsEmpty, asksAgainAt) = (true, false, nil)
            isChanged = true
            isOver = true
        }
    }

    private func erase(
        _ journal: Journal, _ pass: inout ErasurePass, _ place: Int, _ store: ErasureStore, _ db: Database
    ) throws {
        let filter = pass.filter
        var removed: [UInt64: Int] = [:]
        try journal.erase(db, subjects: filter.devices, &pass.journals[place]) { columns, header in
            let sifted = try filter.sift(columns, kind: header.kind, isOwn: true)
            removed.merge(sifted.removed, uniquingKeysWith: +)
            return sifted.kept
        }
        try count(removed, pass, store)
    }

    private func count(_ removed: [UInt64: Int], _ pass: ErasurePass, _ store: ErasureStore) throws {
        for subject in pass.subjects {
            if let rows = removed[subject.device] { try store.count(rows, for: subject.request) }
        }
    }

    /// Says for every request whose records are gone, from the logs too, that they are.
    private func sign(_ store: ErasureStore, _ now: UnixMilliseconds, _ emit: inout Emission) throws {
        for (document, removed) in try store.erased() {
            let receipt = try key.sign(
                ErasureReceiptDocument(
                    request: document.request, subject: document.subject, service: key.service,
                    barriers: journals.map(\.position), removed: removed, signedAt: now, keyID: key.id))
            if let lane = plan.lane {
                try emit.append(
                    to: lane, kind: .erasureReceipt,
                    columns: .documents([("\(document.request)/\(key.service)", receipt)]))
            }
            try store.sign(document)
            signed.append(receipt)
        }
        (hasErased, areLogsEmpty) = (false, false)
    }
}
