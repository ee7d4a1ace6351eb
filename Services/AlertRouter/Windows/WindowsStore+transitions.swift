internal import AlarmRules
internal import GRDB
internal import Models

/// The outbox of the windows: what their alarms have come to, until the router's own database has it.
extension WindowsStore {
    /// For so long a transition is kept that was taken over: a backup has the two databases of slightly different moments.
    static let kept: UnixMilliseconds = 3_600_000

    /// - Returns: its number.
    func append(_ found: FoundTransition, now: UnixMilliseconds) throws -> Int64 {
        try db.cachedStatement(
            sql: """
                INSERT INTO window_transitions (life, written_at, rule, owner_scheme, owner, scheme, subject, episode, change,
                    severity, raised_at, cleared_at, devices, found_at, type, cause, words, french, parent, children,
                    named, hold_clear, lateness)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            found.life, now, found.key.rule, found.key.owner.scheme, found.key.owner.number, found.key.subject.scheme,
            found.key.subject.text, found.key.episode, found.change.rawValue, found.severity.rawValue, found.raisedAt,
            found.clearedAt, found.devices, found.foundAt, found.type, found.cause, found.text, found.french,
            found.parent, found.children, found.named.text, found.holdClear, found.lateness,
        ])
        return db.lastInsertedRowID
    }

    func newestTransition() throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT coalesce(max(number), 0) FROM window_transitions") ?? 0
    }

    /// Those of a life after a number, in order.
    func transitions(of life: Int64, after number: Int64, limit: Int) throws -> [FoundTransition] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, life, rule, owner_scheme, owner, scheme, subject, episode, change, severity, raised_at,
                        cleared_at, devices, found_at, type, cause, words, french, parent, children, named,
                        hold_clear, lateness
                    FROM window_transitions WHERE life = ? AND number > ? ORDER BY number LIMIT ?
                    """), arguments: [life, number, limit]
        ).map(Self.transition)
    }

    func dropTransitions(through number: Int64, now: UnixMilliseconds) throws {
        try db.execute(
            sql: "DELETE FROM window_transitions WHERE number <= ? AND written_at < ?",
            arguments: [number, now - Self.kept])
    }

    private static func transition(_ row: Row) throws -> FoundTransition {
        let rule: String = row[2]
        guard let subject = AlarmedSubject(scheme: row[5], text: row[6]),
            let change = RuleTransition.Change(rawValue: row[8]), let severity = Severity(rawValue: row[9])
        else { throw UnreadableAlarm(id: rule, reason: "transition \(row[0] as Int64) cannot be read") }
        return FoundTransition(
            number: row[0], life: row[1],
            key: FoundTransition.Key(
                rule: rule, owner: Scope(scheme: row[3], number: row[4]), subject: subject, episode: row[7]),
            change: change, severity: severity, raisedAt: row[10], clearedAt: row[11], devices: row[12],
            foundAt: row[13], type: row[14], cause: row[15], text: row[16], french: row[17],
            parent: row[18], children: row[19], named: .init(text: row[20]), holdClear: row[21], lateness: row[22])
    }
}
