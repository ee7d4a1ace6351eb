internal import AlarmRules
internal import Alarms
internal import Foundation
internal import GRDB
internal import Models
internal import Wire

/// Carries out what sensors report and what contacts want of sites: alarms, arming, orders to doors.
///
///     realtime ─sensor_event─▶ SensorCore ─▶ alarms, sensor_state      operations ─site_command─▶ SiteCommandCore ─▶ site_task
///     realtime ─command_result─▶ site_task                                                     └─▶ door_order ─▶ ingest ─▶ device
struct Sites {
    /// What is read of `operations`: documents of people, and what contacts want done.
    static let documents: [RecordKind] = [.site, .sensor, .door, .doorKey]
    static let kinds = documents + [.siteCommand]

    static let atOnce = 200
    /// For how long it is known what became of a command.
    static let keptTasks: UnixMilliseconds = 30 * 86_400_000

    /// What became of a row; the value of `outcome` of the metric that counts them.
    enum Outcome: String, CaseIterable {
        case taken
        /// No document is about the sensor, or it is of another site.
        case unknownSensor = "unknown_sensor"
        /// The device may not report for the site, or is not the one that was told.
        case foreignDevice = "foreign_device"
        /// It was noticed before what is known already.
        case late
        /// There is no such command, or it has its answer.
        case unknownCommand = "unknown_command"
        /// A command that cannot be read.
        case unreadable
    }

    private let alarms: SensorAlarms
    private let counted: (Outcome, Int) -> Void
    private let unreadable: (_ command: String, _ error: any Error) -> Void
    private let unusable: (_ document: String, _ reason: String) -> Void
    private var outcomes: [Outcome: Int] = [:]
    private var nextOver: UnixMilliseconds?
    private var oldestTask: UnixMilliseconds?

    /// - Parameters:
    ///   - counted: told after a commit what became of rows.
    ///   - unreadable: told which commands were set aside, and why.
    ///   - unusable: told which documents cannot be used, and why.
    init(
        _ store: AlertRouterStore, counted: @escaping (_ outcome: Outcome, _ rows: Int) -> Void,
        unreadable: @escaping (_ command: String, _ error: any Error) -> Void,
        unusable: @escaping (_ document: String, _ reason: String) -> Void, _ db: Database
    ) throws {
        alarms = SensorAlarms(store)
        self.counted = counted
        self.unreadable = unreadable
        self.unusable = unusable
        nextOver = try SiteStore(db).nextDue()
        oldestTask = try SiteStore(db).oldestTask()
        for (kind, key, document) in try SiteStore(db).stored(Self.documents) { _ = usable(document, kind, key) }
    }

    /// When a delay or a command is over, or something is forgotten.
    var nextDue: UnixMilliseconds? { [nextOver, oldestTask.map { $0 + Self.keptTasks }].compactMap(\.self).min() }

    /// The transaction is committed.
    mutating func committed() {
        for outcome in Outcome.allCases { if let rows = outcomes[outcome] { counted(outcome, rows) } }
        outcomes = [:]
    }

    // MARK: - Documents

    /// Takes over documents of people. Of one that cannot be used there is none.
    mutating func follow(_ kind: RecordKind, _ columns: Columns, _ notifications: inout AlarmNotifications) throws {
        guard let keys = columns[ColumnID.key] else { return }
        let store = SiteStore(notifications.db), documents = columns[ColumnID.document]
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            let document = documents?.value(row).map(Array.init).flatMap { usable($0, kind, key) }, id = Int64(key)
            if kind == .sensor, document == nil, let id { try remove(sensor: id, store, &notifications) }
            try store.put(document, key, kind)
            if kind == .sensor, document != nil, let id { try show(sensor: id, store, &notifications) }
        }
        nextOver = try store.nextDue()
    }

    /// A document that can be decoded; nil, and told, if it cannot.
    private func usable(_ document: [UInt8], _ kind: RecordKind, _ key: String) -> [UInt8]? {
        do {
            try SiteStore.check(document, kind)
            return document
        } catch {
            unusable("\(kind.name) \(key)", "\(error)")
            return nil
        }
    }

    /// A sensor is there, or is another one now.
    private func show(sensor id: Int64, _ store: SiteStore, _ notifications: inout AlarmNotifications) throws {
        guard let sensor = try store.sensor(id) else { return }
        let known = try store.state(of: id)
        var state = known?.site == sensor.site ? known! : SensorState(sensor: id, site: sensor.site)
        if let known, known.site != sensor.site { try alarms.clearAll(of: known, sensor, &notifications) }
        state = SensorCore(state, sensor).state
        try keep(state, store, &notifications)
    }

    private func remove(
        sensor id: Int64, _ store: SiteStore, _ notifications: inout AlarmNotifications
    ) throws {
        guard let sensor = try store.sensor(id), let state = try store.state(of: id) else { return }
        try alarms.clearAll(of: state, sensor, &notifications)
        try store.removeState(of: id)
        notifications.forget(.sensorState, key: "\(id)")
    }

    // MARK: - What devices send

    /// Takes in what sensors have noticed, in the order of the lane.
    mutating func take(events: SiteRows, _ notifications: inout AlarmNotifications) throws {
        let store = SiteStore(notifications.db)
        for event in events.events {
            outcomes[try take(event, store, &notifications), default: 0] += 1
        }
        nextOver = try store.nextDue()
    }

    private func take(
        _ event: SiteRows.Event, _ store: SiteStore, _ notifications: inout AlarmNotifications
    ) throws -> Outcome {
        guard let sensor = try store.sensor(event.sensor), sensor.site == event.site,
            let site = try store.site(event.site)
        else { return .unknownSensor }
        guard site.has(device: event.device) else { return .foreignDevice }
        var core = SensorCore(
            try store.state(of: sensor.id) ?? SensorState(sensor: sensor.id, site: sensor.site), sensor)
        guard let actions = core.take(event.reading, now: notifications.now) else { return .late }
        try keep(core.state, store, &notifications)
        try alarms.carryOut(actions, core.state, sensor, at: event.reading.eventAt, &notifications)
        return .taken
    }

    /// Takes in what devices made of commands.
    mutating func take(results: SiteRows, _ notifications: inout AlarmNotifications) throws {
        let store = SiteStore(notifications.db)
        for result in results.results {
            outcomes[try take(result, store, &notifications), default: 0] += 1
        }
        nextOver = try store.nextDue()
    }

    private mutating func take(
        _ result: SiteRows.Result, _ store: SiteStore, _ notifications: inout AlarmNotifications
    ) throws -> Outcome {
        guard var stored = try store.task(result.task), stored.task.result == nil else { return .unknownCommand }
        guard stored.device == result.device else { return .foreignDevice }
        // What comes after the end changes nothing but what is known of it.
        let isInTime = stored.dueAt.map { result.receivedAt < $0 } ?? false
        guard isInTime || stored.task.code == SiteCommandCore.Refusal.noAnswer.code || stored.dueAt != nil else {
            return .unknownCommand
        }
        stored.task.result = result.outcome.word
        if isInTime, result.outcome == .opened {
            try decide(&stored, nil, store, &notifications)
        } else {
            try decide(
                &stored, isInTime ? .device(result.outcome, result.detail) : .noAnswer, store, &notifications)
        }
        return isInTime ? .taken : .late
    }

    // MARK: - Commands

    /// Decides the commands of a block.
    mutating func decide(
        _ columns: Columns, tenants: [AlertTenant], _ notifications: inout AlarmNotifications
    ) throws {
        guard let documents = columns[ColumnID.document] else { return }
        let store = SiteStore(notifications.db)
        for row in 0..<columns.rowCount {
            // Without a document: it was answered.
            guard let document = documents.value(row) else { continue }
            let command: SiteCommand
            do {
                command = try JSONDecoder().decode(SiteCommand.self, from: Data(document))
            } catch {
                outcomes[.unreadable, default: 0] += 1
                unreadable(String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self), error)
                continue
            }
            guard try store.task(command.task) == nil else { continue }
            var stored = SiteStore.Stored(task: SiteTask(command: command, state: .pending))
            do {
                if let order = try carryOut(command, tenants, store, &notifications) {
                    (stored.dueAt, stored.device) = (order.expiresAt, order.device)
                    try store.put(stored, begunAt: notifications.now)
                    try notifications.tell(.doorOrder, key: order.task, order)
                } else {
                    try decide(&stored, nil, store, &notifications)
                }
            } catch let refusal as SiteCommandCore.Refusal {
                try decide(&stored, refusal, store, &notifications)
            }
        }
        nextOver = try store.nextDue()
    }

    /// - Returns: what a device has to do; nil if it is done.
    private func carryOut(
        _ command: SiteCommand, _ tenants: [AlertTenant], _ store: SiteStore,
        _ notifications: inout AlarmNotifications
    ) throws -> DoorOrder? {
        let core = SiteCommandCore(command: command, now: notifications.now)
        try core.checkTime()
        guard let tenant = ([.regulator] + tenants).first(where: { $0.name == command.tenant }),
            let site = try site(of: command, store), owns(tenant, site)
        else { throw SiteCommandCore.Refusal.unknown }
        guard command.act == .open else {
            try arm(command, core, site, store, &notifications)
            return nil
        }
        guard let door = try store.door(command.id), let zone = LocalZone(name: site.zone) else {
            throw SiteCommandCore.Refusal.unknown
        }
        try core.checkKeys(try store.documents(DoorKeyDocument.self, .doorKey), zone: zone)
        return DoorOrder(
            task: command.task, door: door.id, site: site.id, device: door.device, expiresAt: command.expiresAt)
    }

    private func owns(_ tenant: AlertTenant, _ site: SiteDocument) -> Bool {
        tenant.isRegulator || tenant.scopes.contains(Scope(scheme: SensorEvent.siteScheme, number: site.id))
    }

    private func site(of command: SiteCommand, _ store: SiteStore) throws -> SiteDocument? {
        switch command.target {
        case .site: try store.site(command.id)
        case .sensor: try store.sensor(command.id).flatMap { try store.site($0.site) }
        case .door: try store.door(command.id).flatMap { try store.site($0.site) }
        }
    }

    private func arm(
        _ command: SiteCommand, _ core: SiteCommandCore, _ site: SiteDocument, _ store: SiteStore,
        _ notifications: inout AlarmNotifications
    ) throws {
        let now = notifications.now
        do {
            try core.checkCode(
                of: site, wrongCodes: try store.wrongCodes(of: site.id, after: now - SiteCommandCore.lockTime))
        } catch let refusal as SiteCommandCore.Refusal {
            if refusal == .wrongCode { try store.noteWrongCode(of: site.id, now: now) }
            throw refusal
        }
        let meant: [SensorDocument]
        if command.target == .sensor {
            guard let sensor = try store.sensor(command.id) else { throw SiteCommandCore.Refusal.unknown }
            if sensor.isAlways { throw SiteCommandCore.Refusal.always }
            meant = [sensor]
        } else {
            meant = try store.documents(SensorDocument.self, .sensor).filter { $0.site == site.id && !$0.isAlways }
        }
        for sensor in meant {
            var core = SensorCore(
                try store.state(of: sensor.id) ?? SensorState(sensor: sensor.id, site: site.id), sensor)
            let actions: [SensorCore.Action]
            if command.act == .arm {
                actions = core.arm(exitDelay: site.exitDelay, now: now)
            } else {
                core.disarm()
                actions = []
            }
            try keep(core.state, store, &notifications)
            try alarms.carryOut(actions, core.state, sensor, at: now, &notifications)
        }
    }

    /// Ends a command: done, or refused.
    private mutating func decide(
        _ stored: inout SiteStore.Stored, _ refusal: SiteCommandCore.Refusal?, _ store: SiteStore,
        _ notifications: inout AlarmNotifications
    ) throws {
        let now = notifications.now
        if stored.dueAt != nil { notifications.forget(.doorOrder, key: stored.task.command.task) }
        stored.dueAt = nil
        stored.task.state = refusal == nil ? .done : .failed
        (stored.task.code, stored.task.reason) = (refusal?.code, refusal?.reason)
        stored.task.decidedAt = stored.task.decidedAt ?? now
        try store.put(stored, begunAt: now)
        oldestTask = oldestTask ?? now
        try notifications.tell(.siteTask, key: stored.task.command.task, stored.task)
    }

    // MARK: - Time

    /// Ends delays and commands whose time is over; true if there were any.
    mutating func expire(_ notifications: inout AlarmNotifications) throws -> Bool {
        guard let nextDue, nextDue <= notifications.now else { return false }
        let store = SiteStore(notifications.db), now = notifications.now
        for var stored in try store.dueTasks(now, limit: Self.atOnce) {
            try decide(&stored, .noAnswer, store, &notifications)
        }
        for state in try store.dueSensors(now, limit: Self.atOnce) {
            guard let sensor = try store.sensor(state.sensor) else {
                try store.removeState(of: state.sensor)
                continue
            }
            var core = SensorCore(state, sensor)
            let actions = core.tick(now: now)
            try keep(core.state, store, &notifications)
            try alarms.carryOut(actions, core.state, sensor, at: state.dueAt ?? now, &notifications)
        }
        for task in try store.forgetTasks(before: now - Self.keptTasks, limit: Self.atOnce) {
            notifications.forget(.siteTask, key: task)
        }
        nextOver = try store.nextDue()
        oldestTask = try store.oldestTask()
        return true
    }

    private func keep(
        _ state: SensorState, _ store: SiteStore, _ notifications: inout AlarmNotifications
    ) throws {
        try store.put(state)
        try notifications.tell(.sensorState, key: "\(state.sensor)", state)
    }
}
