internal import GRDB
internal import Models
internal import Storage

/// The alarms and the devices counted in them, in the router's database. Every function runs in the caller's transaction.
struct AlertRouterStore {
    /// An alarm with the number of its row.
    struct Stored {
        let number: Int64
        var alarm: Alarm
    }

    static let columns = """
        number, id, rule, scheme, owner_scheme, owner, subject, episode, severity, problem, raised_at, changed_at, \
        records, devices, published_at, due_at, cleared_at, type, cause, words, french, \
        parent, child_count, children, suppressed_by, flapping, reading
        """

    private let problems: AlarmProblems

    init(_ problems: AlarmProblems) { self.problems = problems }

    /// The last alarm of a key, whichever its episode.
    func alarm(_ key: AlarmKey, _ db: Database) throws -> Stored? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM alarms
                WHERE owner_scheme = ? AND owner = ? AND scheme = ? AND rule = ? AND subject = ?
                ORDER BY episode DESC LIMIT 1
                """)
        return try Row.fetchOne(
            statement,
            arguments: [
                key.owner?.scheme ?? "", key.owner?.number ?? 0, key.subject.scheme, key.rule, key.subject.text,
            ]
        ).map(stored)
    }

    /// The alarm of a row.
    func alarm(number: Int64, _ db: Database) throws -> Stored? {
        let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM alarms WHERE number = ?")
        return try Row.fetchOne(statement, arguments: [number]).map(stored)
    }

    /// The identifier of the alarm of a row.
    static func id(of number: Int64, _ db: Database) throws -> String? {
        let statement = try db.cachedStatement(sql: "SELECT id FROM alarms WHERE number = ?")
        return try String.fetchOne(statement, arguments: [number])
    }

    /// Adds a new alarm and gives back its number.
    func insert(_ alarm: Alarm, _ db: Database) throws -> Int64 {
        let key = alarm.key, words = alarm.problem.number == AlarmProblem.found ? alarm.problem : nil
        try db.cachedStatement(
            sql: """
                INSERT INTO alarms (id, rule, scheme, owner_scheme, owner, subject, episode, severity, problem, raised_at,
                    changed_at, records, devices, published_at, due_at, cleared_at, over_at, type, cause,
                    words, french, parent, child_count, children, reading)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            alarm.id, key.rule, key.subject.scheme, key.owner?.scheme ?? "", key.owner?.number ?? 0, key.subject.text,
            key.episode, alarm.severity.rawValue, alarm.problem.number, alarm.raisedAt, alarm.changedAt, alarm.records,
            alarm.devices, alarm.publishedAt, alarm.dueAt, alarm.clearedAt, alarm.overAt,
            words?.type, words?.cause, words?.text, words?.french,
            alarm.parent, alarm.childCount, alarm.children.joined(separator: " "), alarm.reading,
        ])
        return db.lastInsertedRowID
    }

    /// Keeps everything of an alarm but when it is looked at whether it is over.
    func update(_ stored: Stored, _ db: Database) throws {
        let alarm = stored.alarm
        try db.cachedStatement(
            sql: """
                UPDATE alarms SET severity = ?, problem = ?, raised_at = ?, changed_at = ?, records = ?, devices = ?, published_at = ?,
                    due_at = ?, cleared_at = ?, parent = ?, child_count = ?, children = ?, reading = ? WHERE number = ?
                """
        ).execute(arguments: [
            alarm.severity.rawValue, alarm.problem.number, alarm.raisedAt, alarm.changedAt, alarm.records,
            alarm.devices, alarm.publishedAt, alarm.dueAt, alarm.clearedAt, alarm.parent, alarm.childCount,
            alarm.children.joined(separator: " "), alarm.reading, stored.number,
        ])
    }

    /// Alarms whose changes are to be told by now, longest due first.
    func due(_ now: UnixMilliseconds, limit: Int, _ db: Database) throws -> [Stored] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Self.columns) FROM alarms WHERE due_at <= ? ORDER BY due_at, number LIMIT ?")
        return try Row.fetchAll(statement, arguments: [now, limit]).map(stored)
    }

    /// When the next change is to be told.
    func nextDue(_ db: Database) throws -> UnixMilliseconds? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(due_at) FROM alarms WHERE due_at IS NOT NULL"))
    }

    /// - Throws: ``UnreadableAlarm`` for the first alarm of a programme that does not run here.
    func refuseUnknownProblems(_ db: Database) throws {
        for row in try Row.fetchAll(
            db, sql: "SELECT problem, min(id) FROM alarms WHERE problem <> 0 GROUP BY problem ORDER BY problem")
        where problems[row[0]] == nil {
            throw UnreadableAlarm(id: row[1], reason: "problem \(row[0] as Int64) is of no programme that runs here")
        }
    }

    /// The words of a rule.
    private static func found(_ row: Row) -> AlarmProblem? {
        guard row[9] == AlarmProblem.found, let type: String = row[17] else { return nil }
        return AlarmProblem(
            AlarmProblem.found, rule: row[2], severity: Severity(rawValue: row[8]) ?? .indeterminate, type: type,
            cause: row[18], text: row[19], french: row[20], when: [])
    }

    /// The alarm of a row that begins with ``columns``.
    func stored(_ row: Row) throws -> Stored {
        let id: String = row[1], scheme: String = row[3], owner: String = row[4], text: String = row[6]
        guard let subject = AlarmedSubject(scheme: scheme, text: text) else {
            throw UnreadableAlarm(id: id, reason: "no \(scheme) is called \(text)")
        }
        guard let problem = problems[row[9]] ?? Self.found(row) else {
            throw UnreadableAlarm(id: id, reason: "problem \(row[9] as Int64) is of no programme that runs here")
        }
        let key = AlarmKey(
            rule: row[2], owner: owner.isEmpty ? nil : Scope(scheme: owner, number: row[5]), subject: subject,
            episode: row[7])
        var alarm = Alarm(
            id: id, key: key, severity: Severity(rawValue: row[8]) ?? .indeterminate, problem: problem,
            raisedAt: row[10], changedAt: row[11], clearedAt: row[16], records: row[12], devices: row[13],
            publishedAt: row[14], dueAt: row[15], parent: row[21], childCount: row[22],
            children: (row[23] as String).split(separator: " ").map(String.init), suppressedBy: row[24],
            isFlapping: row[25] != 0)
        alarm.reading = row[26]
        return Stored(number: row[0], alarm: alarm)
    }
}

/// An alarm in the database of which this program does not know what it says.
struct UnreadableAlarm: Error, Equatable, CustomStringConvertible {
    let id: String
    let reason: String

    var description: String { "alarm \(id): \(reason)" }
}

/// Which networks served the SIMs of an alarm, and so whose alarm it is besides.
extension AlertRouterStore {
    /// Notes networks that served a record of an alarm, other than that of the SIM.
    func note(_ serving: Set<PLMN>, of alarm: Int64, _ db: Database) throws {
        guard !serving.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: "INSERT INTO alarm_networks (alarm, plmn) VALUES (?, ?) ON CONFLICT DO NOTHING")
        for network in serving { try statement.execute(arguments: [alarm, network.rawValue]) }
    }

    static func networks(serving alarm: Int64, _ db: Database) throws -> Set<PLMN> {
        let statement = try db.cachedStatement(sql: "SELECT plmn FROM alarm_networks WHERE alarm = ?")
        return Set(try Int64.fetchAll(statement, arguments: [alarm]).map(PLMN.init(rawValue:)))
    }

    /// Alarms of a tenant with numbers after one and up to another, by number.
    func alarms(
        of tenant: AlertTenant, after: Int64, through: Int64, limit: Int, _ db: Database
    ) throws -> [Stored] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(Self.columns) FROM alarms
                WHERE number > ? AND number <= ? AND number IN (\(Self.numbers(for: tenant))) ORDER BY number LIMIT ?
                """, arguments: [after, through, limit]
        ).map(stored)
    }

    /// A query for the numbers of all alarms that a tenant is told.
    static func numbers(for tenant: AlertTenant) -> String {
        if tenant.isRegulator { return "SELECT number FROM alarms" }
        let numbers = Dictionary(grouping: tenant.scopes.sorted(), by: \.scheme).mapValues { scopes in
            scopes.map { "\($0.number)" }.joined(separator: ", ")
        }
        let own = numbers.sorted { $0.key < $1.key }.map {
            "SELECT number FROM alarms WHERE owner_scheme = '\($0.key)' AND owner IN (\($0.value))"
        }
        let served = "SELECT alarm FROM alarm_networks WHERE plmn IN (\(numbers[Scope.plmn] ?? ""))"
        return (own + [served]).joined(separator: " UNION ")
    }
}
