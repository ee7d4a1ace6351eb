internal import GRDB
internal import Lanes
internal import Models
internal import OnCall

/// The notifications of one transaction: numbers the messages of each tenant, stores them, and gathers the rows of the alarms lane.
struct AlarmNotifications {
    let now: UnixMilliseconds
    let db: Database
    private let tenants: [AlertTenant]
    private let book: OnCallBook
    private let deflater: BodyDeflater
    private var seqs: [Int64: Int64] = [:]
    private var told: [AlertMessage] = []
    private var rows = KeyedRows()
    private var contributions = ContributionRows()
    private var handlings = KeyedRows()
    private var tasks = KeyedRows()
    /// Whether something was begun that is due later.
    private(set) var hasBegun = false
    /// What is told of sites, by kind.
    private var sites: [RecordKind: KeyedRows] = [:]

    /// - Parameters:
    ///   - tenants: besides the built-in regulator, who is told first.
    ///   - book: what begins with an alarm.
    init(_ tenants: [AlertTenant], _ book: OnCallBook, _ deflater: BodyDeflater, now: UnixMilliseconds, _ db: Database)
    {
        self.tenants = tenants
        self.book = book
        self.deflater = deflater
        self.now = now
        self.db = db
    }

    /// Tells everyone whose alarm it is, and the alarms lane.
    mutating func tell(_ notification: AlarmNotification, alarm number: Int64) throws {
        let document = notification.alarm.document(state: notification.state)
        let serving = try AlertRouterStore.networks(serving: number, db)
        rows.append(
            key: Array(notification.alarm.id.utf8), document: document, networks: serving,
            owner: notification.alarm.key.owner)
        contributions.append(try AlertRouterStore.takeContributions(to: notification.alarm, number: number, db))
        guard !notification.isSilent else { return }
        if notification.state == .cleared { try endHandlings(of: number) }
        let hasHandling = try begin(notification, number, serving) || notification.state != .raised
        let body = deflater.deflate(document)
        let exact =
            notification.alarm.hasExactDocument
            ? deflater.deflate(notification.alarm.document(state: notification.state, isExact: true)) : body
        try tell(
            notification, hasHandling ? shown(exact, notification, number, to: .regulator) : exact, alarm: number,
            to: .regulator)
        for tenant in tenants where tenant.isTold(of: notification.alarm.key.owner, servedBy: serving) {
            if try notification.state == .raised || AlertMessageStore(tenant: tenant).knows(alarm: number, db) {
                let body = tenant.isRegulator ? exact : body
                let shown = hasHandling ? try shown(body, notification, number, to: tenant) : body
                try tell(notification, shown, alarm: number, to: tenant)
            } else {
                try introduce(notification.alarm, alarm: number, to: tenant)
            }
        }
    }

    /// Tells the tenant whose handling it is, and the alarms lane.
    mutating func tell(_ handling: AlarmHandling, of alarm: Alarm, number: Int64) throws {
        try append(handling)
        guard let tenant = ([.regulator] + tenants).first(where: { $0.name == handling.tenant }),
            let notification = AlarmNotification(.update, alarm)
        else { return }
        let document = alarm.document(state: notification.state, isExact: tenant.isRegulator)
        try tell(notification, deflater.deflate(handling.shown(in: document)), alarm: number, to: tenant)
    }

    /// Tells the alarms lane alone.
    mutating func append(_ handling: AlarmHandling) throws {
        handlings.append(key: Array(handling.key.utf8), document: try SortedJSON.bytes(of: handling))
    }

    /// Tells what became of a command.
    mutating func tell(_ task: AlarmTask) throws {
        tasks.append(key: Array(task.command.task.utf8), document: try SortedJSON.bytes(of: task))
    }

    /// Tells what there is of a site now.
    mutating func tell(_ kind: RecordKind, key: String, _ document: some Encodable) throws {
        sites[kind, default: KeyedRows()].append(key: Array(key.utf8), document: try SortedJSON.bytes(of: document))
    }

    /// Takes something of a site off the alarms lane.
    mutating func forget(_ kind: RecordKind, key: String) {
        sites[kind, default: KeyedRows()].append(key: Array(key.utf8), document: nil)
    }

    /// Takes handlings and tasks off the alarms lane.
    mutating func forget(handlings keys: [String] = [], tasks ids: [String] = []) {
        for key in keys { handlings.append(key: Array(key.utf8), document: nil) }
        for id in ids { tasks.append(key: Array(id.utf8), document: nil) }
    }

    /// An alarm is over: so is what contacts had begun about it.
    private mutating func endHandlings(of number: Int64) throws {
        for handling in try AlarmHandlingRows.handlings(of: number, db) {
            var core = AlarmHandlingCore(handling)
            guard core.end() else { continue }
            try AlarmHandlingRows.put(core.handling, of: number, db)
            try append(core.handling)
        }
    }

    /// Begins what comes with an alarm that is raised, has got worse, or is told on its own after another alarm has spoken for it:
    /// of each tenant that is told of it. One that does not know it yet is introduced instead.
    ///
    /// - Returns: whether anything was begun.
    private mutating func begin(_ notification: AlarmNotification, _ number: Int64, _ serving: Set<PLMN>) throws -> Bool
    {
        let alarm = notification.alarm, isRaised = notification.state == .raised
        // Of rules' alarms nothing else is told that leaves the severity as it was.
        let isFreed = alarm.problem.number == AlarmProblem.found && alarm.severity == notification.previous
        let isWorse = alarm.severity > notification.previous ?? .cleared
        guard !book.isEmpty, isRaised || notification.state == .updated && (isWorse || isFreed) else { return false }
        var any = false
        for tenant in [AlertTenant.regulator] + tenants where tenant.isTold(of: alarm.key.owner, servedBy: serving) {
            guard try isRaised || AlertMessageStore(tenant: tenant).knows(alarm: number, db) else { continue }
            let known = isRaised ? nil : try AlarmHandlingRows.handling(of: number, by: tenant.name, db)
            any = try begin(alarm, known, number, serving, of: tenant.name, isNew: isRaised) || any
        }
        return any
    }

    /// Begins it of one tenant.
    ///
    /// - Parameters:
    ///   - known: the tenant's handling so far.
    ///   - isNew: whether the tenant learns of the alarm only now, which planned work may explain then.
    /// - Returns: whether anything was begun.
    private mutating func begin(
        _ alarm: Alarm, _ known: AlarmHandling?, _ number: Int64, _ serving: Set<PLMN>, of tenant: String, isNew: Bool
    ) throws -> Bool {
        var core = AlarmHandlingCore(known ?? AlarmHandling(alarm: alarm.id, tenant: tenant))
        if isNew, let planned = book.planned(alarm, servedBy: serving, of: tenant, at: now) {
            core.plan(planned)
        } else if core.needsSomebody, core.handling.escalation?.nextAt == nil,
            let escalation = book.escalation(for: alarm, servedBy: serving, of: tenant)
        {
            core.begin(escalation.id, wait: escalation.steps[0].wait, now: now)
        } else {
            return false
        }
        try AlarmHandlingRows.put(core.handling, of: number, db)
        try append(core.handling)
        hasBegun = true
        return true
    }

    /// The body that a tenant is sent: with its handling, if it has begun one.
    ///
    /// - Parameter body: the alarm's document, deflated.
    private func shown(
        _ body: [UInt8], _ notification: AlarmNotification, _ number: Int64, to tenant: AlertTenant
    ) throws -> [UInt8] {
        guard let handling = try AlarmHandlingRows.handling(of: number, by: tenant.name, db) else { return body }
        let document = notification.alarm.document(state: notification.state, isExact: tenant.isRegulator)
        return deflater.deflate(handling.shown(in: document))
    }

    /// Tells one tenant of an alarm as of a new one, unless it has been told of it before or it is over. What comes with an alarm begins
    /// then, unless the tenant had begun something before.
    mutating func introduce(_ alarm: Alarm, alarm number: Int64, to tenant: AlertTenant) throws {
        guard alarm.severity != .cleared, let notification = AlarmNotification(.raise, alarm),
            try !AlertMessageStore(tenant: tenant).knows(alarm: number, db)
        else { return }
        if !book.isEmpty, try AlarmHandlingRows.handling(of: number, by: tenant.name, db) == nil {
            let serving = try AlertRouterStore.networks(serving: number, db)
            _ = try begin(alarm, nil, number, serving, of: tenant.name, isNew: true)
        }
        let document = alarm.document(state: notification.state, isExact: tenant.isRegulator)
        let body = try shown(deflater.deflate(document), notification, number, to: tenant)
        try tell(notification, body, alarm: number, to: tenant)
    }

    private mutating func tell(
        _ notification: AlarmNotification, _ body: [UInt8], alarm number: Int64, to tenant: AlertTenant
    ) throws {
        let messages = AlertMessageStore(tenant: tenant)
        var seq = try seqs[tenant.number] ?? messages.lastSeq(db)
        for topic in notification.topics {
            seq += 1
            let header = AlertHeader.alarm(notification, tenant: tenant, seq: seq, time: now)
            let message = AlertMessage(tenant: tenant.number, seq: seq, topic: topic, header: header, body: body)
            try messages.append(message, alarm: number, at: now, db)
            told.append(message)
        }
        try messages.setLatest(seq, ofAlarm: number, db)
        seqs[tenant.number] = seq
    }

    /// The messages in the order of their numbers, to be sent once committed.
    consuming func finish(_ emit: inout Emission) throws -> [AlertMessage] {
        for (tenant, seq) in seqs { try AlertMessageStore.setLastSeq(seq, ofTenant: tenant, db) }
        if !rows.isEmpty { try emit.append(to: .alerts, kind: .alarm, columns: rows.columns) }
        if !contributions.isEmpty {
            try emit.append(to: .alerts, kind: .contribution, columns: contributions.columns)
        }
        if !handlings.isEmpty { try emit.append(to: .alerts, kind: .alarmHandling, columns: handlings.columns) }
        if !tasks.isEmpty { try emit.append(to: .alerts, kind: .alarmTask, columns: tasks.columns) }
        for (kind, rows) in sites.sorted(by: { $0.key.id < $1.key.id }) {
            try emit.append(to: .alerts, kind: kind, columns: rows.columns)
        }
        return told
    }
}

/// Messages on their way from a transaction to the endpoints. They leave once the transaction is committed.
struct AlarmOutbox {
    private let publish: ([AlertMessage]) -> Void
    private let deflater = BodyDeflater()
    private var waiting: [AlertMessage] = []

    /// - Parameter publish: takes the messages of each commit, in order for each tenant.
    init(publish: @escaping ([AlertMessage]) -> Void) { self.publish = publish }

    /// What is told in a transaction, to these tenants and to the built-in regulator.
    func notifications(
        to tenants: [AlertTenant], _ book: OnCallBook, in transaction: EffectTransaction
    ) -> AlarmNotifications {
        AlarmNotifications(tenants, book, deflater, now: transaction.now, transaction.db)
    }

    /// Takes over what was told.
    mutating func take(_ notifications: consuming AlarmNotifications, _ emit: inout Emission) throws {
        waiting += try notifications.finish(&emit)
    }

    /// The transaction is committed.
    mutating func release() {
        guard !waiting.isEmpty else { return }
        publish(waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}
