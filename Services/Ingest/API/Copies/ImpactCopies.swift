internal import Foundation
internal import GRDB
internal import IngestCommands
internal import Models
internal import QoE

/// The alarms, and who helped to raise them, that one transaction of the copy changes; ``save(now:)`` ends it.
///
/// Of each device the newest `mostAlarms` contributions are kept, and none longer than ``keptDays``; alarms as long as they are
/// on the lane. A contribution may come before its alarm, so they meet only when somebody asks.
struct ImpactCopies {
    /// Days for which a device is told what it helped to raise.
    static let keptDays: Int64 = 366

    private let db: Database
    private let mostAlarms: Int64
    private var devices: Set<Int64> = []
    /// Alarms that this transaction is the first to know as raised, or as over.
    private var raised: Set<String> = []
    private var over: Set<String> = []
    /// Contributions that this transaction is the first to know.
    private var joined: [String: [UInt64]] = [:]

    /// Whether anybody may be asked about alarms; without, what is new is not looked up.
    private let asks: Bool

    init(_ db: Database, mostAlarms: Int64, asks: Bool) {
        self.db = db
        self.mostAlarms = mostAlarms
        self.asks = asks
    }

    static let tables = """
        CREATE TABLE alarms (
            id TEXT NOT NULL PRIMARY KEY, rule TEXT NOT NULL, severity TEXT NOT NULL, state TEXT NOT NULL,
            acknowledged INTEGER NOT NULL, raised_at INTEGER NOT NULL, cleared_at INTEGER, cell TEXT) WITHOUT ROWID;
        CREATE TABLE contributions (
            device INTEGER NOT NULL, first_at INTEGER NOT NULL, name TEXT NOT NULL, alarm TEXT NOT NULL,
            records INTEGER NOT NULL, PRIMARY KEY (device, first_at, name)) WITHOUT ROWID;
        CREATE INDEX contributions_by_time ON contributions (first_at);
        """
    static let byAlarm = "CREATE INDEX contributions_of_alarms ON contributions (alarm)"

    /// Takes over an alarm as it is now, or its removal; false if it cannot be read.
    mutating func putAlarm(_ record: StateRecord) throws -> Bool {
        guard let document = record.document else {
            try db.execute(sql: "DELETE FROM alarms WHERE id = ?", arguments: [record.key])
            return true
        }
        guard let alarm = ImpactAlarm(document: document) else { return false }
        let before = try String.fetchOne(
            db.cachedStatement(sql: "SELECT state FROM alarms WHERE id = ?"), arguments: [record.key])
        if alarm.isOver {
            if let before, before != alarm.state { over.insert(record.key) }
        } else if before == nil {
            raised.insert(record.key)
        }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO alarms (id, rule, severity, state, acknowledged, raised_at, cleared_at, cell)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            record.key, alarm.rule, alarm.severity, alarm.state, alarm.isAcknowledged, alarm.raisedAt, alarm.clearedAt,
            alarm.cell,
        ])
        return true
    }

    /// Takes over what a device has to do with an alarm, or that it has nothing to do with it any more.
    mutating func putContribution(_ record: StateRecord) throws -> Bool {
        guard let document = record.document else { return try remove(record.key) }
        guard let told = try? JSONDecoder().decode(ContributionDocument.self, from: Data(document)),
            told.key == record.key
        else { return false }
        let device = Int64(bitPattern: told.device)
        if asks {
            let isKnown = try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM contributions WHERE device = ? AND first_at = ? AND name = ?)"),
                arguments: [device, told.firstAt, ImpactAlarm.name(ofAlarm: told.alarm)])
            if isKnown != true { joined[told.alarm, default: []].append(told.device) }
        }
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO contributions (device, first_at, name, alarm, records) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            device, told.firstAt, ImpactAlarm.name(ofAlarm: told.alarm), told.alarm, told.records,
        ])
        devices.insert(device)
        return true
    }

    private func remove(_ key: String) throws -> Bool {
        guard let mark = key.lastIndex(of: "/"), let device = UInt64(key[key.index(after: mark)...]) else {
            return false
        }
        try db.execute(
            sql: "DELETE FROM contributions WHERE device = ? AND alarm = ?",
            arguments: [Int64(bitPattern: device), String(key[..<mark])])
        return true
    }

    /// What devices may be asked about: alarms that they helped to raise, when both are known, and when those are over.
    func occasions() throws -> [AlarmOccasion] {
        var occasions: [AlarmOccasion] = []
        for id in raised.union(over).union(joined.keys).sorted() {
            guard
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT rule, state, raised_at, cleared_at FROM alarms WHERE id = ?"),
                    arguments: [id])
            else { continue }
            let isOver = ImpactAlarm.isOver(row[1])
            // Whoever is known to have helped only now is asked once, of how it is now.
            let isAll = isOver ? over.contains(id) : raised.contains(id)
            let devices = try isAll ? helpers(of: id) : joined[id] ?? []
            guard !devices.isEmpty, isAll || !isOver else { continue }
            occasions.append(
                AlarmOccasion(
                    alarm: ImpactAlarm.name(ofAlarm: id), rule: ImpactAlarm.promptRule(of: row[0]),
                    moment: isOver ? .over : .raised, at: (isOver ? row[3] as Int64? : nil) ?? row[2],
                    devices: devices))
        }
        return occasions
    }

    private func helpers(of alarm: String) throws -> [UInt64] {
        try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT device FROM contributions WHERE alarm = ? ORDER BY device"),
            arguments: [alarm]
        ).map(UInt64.init(bitPattern:))
    }

    /// Drops what is too much of each device that changed, and what is too old of all.
    func save(now: UnixMilliseconds) throws {
        for device in devices.sorted() {
            try db.cachedStatement(
                sql: """
                    DELETE FROM contributions WHERE device = ?1 AND (first_at, name) <= (
                        SELECT first_at, name FROM contributions WHERE device = ?1
                        ORDER BY first_at DESC, name DESC LIMIT 1 OFFSET ?2)
                    """
            ).execute(arguments: [device, mostAlarms])
        }
        guard !devices.isEmpty else { return }
        try db.cachedStatement(sql: "DELETE FROM contributions WHERE first_at < ?").execute(arguments: [
            now - Self.keptDays * 86_400_000
        ])
    }
}
