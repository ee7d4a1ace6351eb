internal import AlarmRules
internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights
internal import Wire

/// Runs the rules: rows of phones and the watermark go in, transitions of alarms come out, into an outbox from which
/// ``FoundAlarms`` takes them over.
///
/// Confined to the thread of its engine, which is not that of the urgent path.
final class WindowsEffects: BlockEffects {
    /// What `ServiceDatabase` needs to open the windows' database.
    static let migrations: [Migration] = WindowsSchema.migrations
    /// Its name in the readers' tables of the writers, and among those who have nothing left of an erased subject.
    static let reader = "alert-router-windows"

    /// What the windows read. Optional: uploads do not wait for rules, and a state lane tells a latecomer everything.
    static func subscriptions(_ programmes: Programmes) -> [LaneSubscription] {
        let kinds = programmes.kinds.map(\.kind)
        return [
            LaneSubscription(
                lane: .realtime, kinds: programmes.recordKinds { !$0.kind.problems.isEmpty }, isRequired: false),
            LaneSubscription(lane: .batch, kinds: kinds, isRequired: false),
            LaneSubscription(lane: .operations, kinds: [.rule], isRequired: false),
            LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .erasureOrder], isRequired: false),
        ]
    }

    /// The engine is written anew after so many bytes of blocks, or milliseconds.
    static let mostBytes = 32 << 20
    static let longest: UnixMilliseconds = 60_000
    /// The engine goes on to the watermark in steps of so many milliseconds.
    static let step: UnixMilliseconds = 10_000

    private let programmes: Programmes
    private let trust: TrustPolicy
    private let sealer: BlockSealer?
    private let handlers: EffectHandlers<WindowsEffects>
    private var decoder = ColumnDecoder()
    private(set) var engine: RuleEngine
    /// Of the episodes' numbers.
    private(set) var life: Int64
    /// Of the rules at work.
    private var documents: [(id: String, document: [UInt8])]
    /// Stored rules that do not run.
    private(set) var refusals: [RuleSet.Refusal] = []
    /// Why the state that there was could not be used; nil if it could.
    private(set) var lost: String?
    /// The rules at work are not those that there are.
    private var isReloading = true
    private var lanesTo: UnixMilliseconds?
    private(set) var advancedTo: UnixMilliseconds = .min
    private var bytes = 0
    private var writtenAt: UnixMilliseconds?
    /// The last transition in the outbox, committed or not.
    private(set) var newest: Int64
    private var skippedRows: [RuleExclusion: Int] = [:]
    private var unknownDevice: Int64?
    private var changes: [RuleTransition.Change: Int] = [:]

    /// Up to which transition the router has taken them over.
    var taken: () -> Int64 = { 0 }
    /// Told after a commit what it did.
    var told: (Told) -> Void = { _ in }

    /// What a commit did, for figures and for whoever takes transitions over.
    struct Told {
        var newest: Int64
        /// The watermark of the rules; nil before the first.
        var reached: UnixMilliseconds?
        var skipped: [RuleExclusion: Int]
        var unknownDevice: Int64?
        var changes: [RuleTransition.Change: Int]
        var rules: Int
        var refusals: [RuleSet.Refusal]
        var windowBytes: Int
    }

    /// - Parameters:
    ///   - database: opened with ``migrations``.
    ///   - trust: whose rows count.
    ///   - sealer: seals rows that wait for the next snapshot; nil: they are in clear.
    init(
        programmes: Programmes, database: ServiceDatabase, trust: TrustPolicy = .any, sealer: BlockSealer? = nil
    ) throws {
        self.programmes = programmes
        self.trust = trust
        self.sealer = sealer
        handlers = Self.handlers(programmes)
        let state = try database.read { try WindowsStore($0).state() }
        (newest, documents) = (try database.read { try WindowsStore($0).newestTransition() }, state?.rules ?? [])
        (engine, life) = (RuleEngine([]), state?.life ?? 0)
        guard let state else {
            try begin(database)
            return
        }
        guard let rules = RuleSet.compiled(state.rules, programmes),
            let known = try? RuleEngine.decoded(state.engine, rules)
        else {
            lost = "the windows of rules were written by another program and begin anew"
            try begin(database)
            return
        }
        engine = known
        try database.read { db in
            try WindowsStore(db).inputs(sealer) { input in
                switch input {
                case .block(let block): _ = try feed(block)
                case .watermark(let moment): _ = advance(to: moment)
                }
            }
        }
        (skippedRows, unknownDevice) = ([:], nil)
    }

    /// Where the router takes transitions over.
    func desk(_ database: ServiceDatabase) throws -> TransitionDesk {
        let reader = try database.reader()
        return TransitionDesk(life: life, newest: newest) { [life] number, limit in
            try reader.read { try WindowsStore($0).transitions(of: life, after: number, limit: limit) }
        }
    }

    /// A new life: no window, and episodes are numbered from 1.
    private func begin(_ database: ServiceDatabase) throws {
        life = Int64.random(in: 1 ... .max)
        documents = []
        try database.write { db in
            try WindowsStore(db).write(engine.encoded(), life: life, rules: [], now: 0)
        }
    }

    private static func handlers(_ programmes: Programmes) -> EffectHandlers<WindowsEffects> {
        var handlers: [RecordKind: EffectHandlers<WindowsEffects>.Handler] = [
            .rule: { windows, block, transaction in try windows.follow(block.columns, transaction.db) },
            .erasureOrder: { windows, block, transaction in
                for (_, order) in try block.columns.documents(ErasureOrderDocument.self)
                where order.state == .completed { try ErasureExecutor.forget(order.request, transaction.db) }
            },
        ]
        for kind in programmes.kinds { handlers[kind.kind] = { _, _, _ in } }
        return EffectHandlers(reader, handlers)
    }

    func require(_ kind: RecordKind, on lane: LaneName) throws { try handlers.require(kind, on: lane) }

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        let store = WindowsStore(transaction.db)
        var windows = self
        for block in blocks {
            guard programmes.kind(block.block.header.kind) != nil else {
                try handlers.handle(block, &decoder, with: &windows, in: &transaction)
                continue
            }
            // Rules that are told of before a row look at it.
            if isReloading { try reload(store, now: transaction.now) }
            bytes += try store.append(block.block, sealer)
            try put(feed(block), foundAt: block.block.header.committedAt, store, transaction.now)
        }
        if isReloading { try reload(store, now: transaction.now) }
        _ = try writeIfDue(store, transaction.now)
    }

    func tick(in transaction: inout EffectTransaction) throws -> Bool {
        let store = WindowsStore(transaction.db)
        var did = isReloading
        if isReloading { try reload(store, now: transaction.now) }
        if let moment = dueMoment {
            try store.append(watermark: moment)
            try put(advance(to: moment), foundAt: moment, store, transaction.now)
            did = true
        }
        return try writeIfDue(store, transaction.now) || did
    }

    func committed(now: UnixMilliseconds) {
        told(
            Told(
                newest: newest, reached: advancedTo == .min ? nil : advancedTo, skipped: skippedRows,
                unknownDevice: unknownDevice, changes: changes,
                rules: engine.rules.count,
                refusals: refusals, windowBytes: engine.measuredBytes))
        (skippedRows, unknownDevice, changes) = ([:], nil, [:])
    }

    func lanesComplete(to moments: [LaneName: UnixMilliseconds]) {
        lanesTo = moments.moment(of: [.realtime, .batch])
    }

    var nextTick: UnixMilliseconds? { isReloading || dueMoment != nil ? 0 : nil }

    /// Where the engine is to go on to; nil if it is there.
    private var dueMoment: UnixMilliseconds? {
        guard let lanesTo else { return nil }
        let moment = lanesTo - lanesTo % Self.step
        let setBack = UnixMilliseconds(RuleEngine.setBackMinutes) * 60_000
        return moment > advancedTo || moment <= advancedTo - setBack ? moment : nil
    }

    private func feed(_ block: LaneBlock) throws -> [RuleTransition] {
        let columns = try block.block.columns(with: &decoder)
        guard let rows = RuleRows(block.block.header, columns, programmes, trust, columns: engine.columns) else {
            return []
        }
        let fed = rows.feed(&engine)
        skippedRows.merge(fed.skipped, uniquingKeysWith: +)
        unknownDevice = fed.unknownDevice ?? unknownDevice
        return fed.found
    }

    private func advance(to moment: UnixMilliseconds) -> [RuleTransition] {
        advancedTo = moment
        return engine.advance(to: moment)
    }

    private func put(
        _ found: [RuleTransition], foundAt: UnixMilliseconds, _ store: WindowsStore, _ now: UnixMilliseconds
    ) throws {
        for one in found {
            let rule = engine.rules.first { $0.id == one.childRule }
            newest = try store.append(FoundTransition(one, rule, life: life, foundAt: foundAt), now: now)
            changes[one.change, default: 0] += 1
        }
    }

    /// Takes over rows of kind `rule`.
    private func follow(_ columns: Columns, _ db: Database) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row) else { continue }
            try WindowsStore(db).put(rule: String(decoding: key, as: UTF8.self), documents?.value(row).map(Array.init))
        }
        isReloading = true
    }

    /// Puts the rules that there are to work. What decides as before goes on as it was.
    private func reload(_ store: WindowsStore, now: UnixMilliseconds) throws {
        let rules = RuleSet(programmes, stored: try store.rules())
        (isReloading, refusals) = (false, rules.refusals)
        guard rules.rules != engine.rules else { return }
        try put(engine.reload(rules.rules), foundAt: now, store, now)
        documents = rules.documents
        try write(store, now)
    }

    /// True if it was.
    private func writeIfDue(_ store: WindowsStore, _ now: UnixMilliseconds) throws -> Bool {
        guard bytes >= Self.mostBytes || now >= (writtenAt ?? now) + Self.longest || now < writtenAt ?? now else {
            writtenAt = writtenAt ?? now
            return false
        }
        try write(store, now)
        return true
    }

    private func write(_ store: WindowsStore, _ now: UnixMilliseconds) throws {
        try store.write(engine.encoded(), life: life, rules: documents, now: now)
        try store.dropTransitions(through: taken(), now: now)
        (bytes, writtenAt) = (0, now)
    }
}

extension WindowsEffects: SubjectRecords {
    /// Every table of `alert-router/windows.sqlite`.
    static let tables: [HeldTable] = [
        .free("window_rules", "rules that operators set"), .free("window_state_rules", "rules at work"),
        .personal(
            "window_state",
            PersonalRows(
                of: nil,
                erased: .by("WindowsEffects: the device leaves every window and alarm, and the state is written anew"),
                copied: .none("ingest and the exporter give the rows that it is made of"),
                kept: .asLongAs("a rule's window, a day at most, or an alarm that is open"))),
        .personal(
            "window_inputs",
            PersonalRows(
                of: nil, erased: .by("WindowsEffects: the state is written anew, and they go"),
                copied: .none("ingest and the exporter give them"), kept: .asLongAs("the next snapshot, a minute"))),
        .free("window_transitions", "alarms of rules on their way: counts, no device"),
    ]

    var subjects: SubjectDeclaration {
        SubjectDeclaration(
            service: Self.reader, on: nil, reads: Self.subscriptions(programmes).map(\.lane), records: self)
    }

    /// Windows know neither place nor time of a row well enough for a part of them: a device goes from all.
    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        let store = WindowsStore(transaction.db)
        var slice = ErasureSlice(isDone: true)
        for device in Set(subjects.map(\.device)).sorted() {
            // No window has a device of a greater number.
            guard let ordinal = UInt32(exactly: device) else { continue }
            let erased = engine.erase(ordinal)
            slice.removed[device] = erased.windows
            try put(erased.transitions, foundAt: transaction.now, store, transaction.now)
        }
        try write(store, transaction.now)
        return slice
    }
}
