internal import GRDB
package import Models
package import QoE

/// Which devices are asked by Web Push, and what they were asked; where a browser is told is not here.
extension IngestStore {
    /// - `push_devices`: devices whose browser is asked, since when.
    /// - `push_prompts`: prompts of such a device of the last ``promptsKept``: questions that were sent, by the alarm's name and what of
    ///   it was asked (0 raised, 1 over), and others that it told of, without either. `prompt` is a hash of its name, which feedback
    ///   has, too; `outcome` is NULL while nothing but `shown` is known.
    static let pushTables = """
        CREATE TABLE push_devices (device INTEGER PRIMARY KEY, since INTEGER NOT NULL) STRICT;
        CREATE TABLE push_prompts (
            device INTEGER NOT NULL, prompt INTEGER NOT NULL, asked_at INTEGER NOT NULL, rule INTEGER NOT NULL, outcome INTEGER,
            alarm TEXT, moment INTEGER, PRIMARY KEY (device, prompt)) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX push_prompts_of_alarms ON push_prompts (device, alarm, moment) WHERE alarm IS NOT NULL;
        CREATE INDEX push_prompts_by_time ON push_prompts (asked_at);
        """

    /// How long prompts are kept, milliseconds: what a prompt policy looks back at.
    package static let promptsKept: UnixMilliseconds = 31 * 86_400_000
    /// Prompts of a device that are kept, the newest; more than any policy asks in ``promptsKept``.
    private static let mostPrompts = 640

    /// Notes that a device's browser is asked from now on; one that was asked before stays as it was.
    package func beginPush(of device: UInt64, at now: UnixMilliseconds) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO push_devices (device, since) VALUES (?, ?)")
            .execute(arguments: [Int64(device), now])
    }

    /// Notes that it is asked no more; what it was asked is forgotten with it. False if it was not asked.
    package func endPush(of device: UInt64) throws -> Bool {
        try db.cachedStatement(sql: "DELETE FROM push_devices WHERE device = ?").execute(arguments: [Int64(device)])
        guard db.changesCount > 0 else { return false }
        try db.cachedStatement(sql: "DELETE FROM push_prompts WHERE device = ?").execute(arguments: [Int64(device)])
        return true
    }

    /// Since when a device's browser is asked; nil if it is not.
    package func pushSince(of device: UInt64) throws -> UnixMilliseconds? {
        let statement = try db.cachedStatement(sql: "SELECT since FROM push_devices WHERE device = ?")
        return try UnixMilliseconds.fetchOne(statement, arguments: [Int64(device)])
    }

    /// Whether a device was asked that of an alarm.
    package func isAsked(_ device: UInt64, _ moment: PushPromptDocument.Moment, of alarm: String) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM push_prompts WHERE device = ? AND alarm = ? AND moment = ?)")
        return try Bool.fetchOne(statement, arguments: [Int64(device), alarm, moment.number]) ?? false
    }

    /// What a device was asked, the oldest first.
    package func prompts(of device: UInt64, since time: UnixMilliseconds) throws -> [PastPrompt] {
        let statement = try db.cachedStatement(
            sql: "SELECT asked_at, rule, outcome FROM push_prompts WHERE device = ? AND asked_at > ? ORDER BY asked_at")
        return try Row.fetchAll(statement, arguments: [Int64(device), time]).map { row in
            PastPrompt(
                shownAt: row[0], rule: PromptRule(rawValue: row[1]) ?? .slowSpeed,
                outcome: (row[2] as Int64?).flatMap(PromptOutcome.init(rawValue:)))
        }
    }

    /// Questions that were sent to anybody after a time.
    package func questions(since time: UnixMilliseconds) throws -> Int {
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM push_prompts WHERE asked_at > ? AND alarm IS NOT NULL")
        return try Int.fetchOne(statement, arguments: [time]) ?? 0
    }

    /// Notes a question that is sent.
    package func note(
        _ prompt: String, to device: UInt64, _ rule: PromptRule, _ moment: PushPromptDocument.Moment, of alarm: String,
        at now: UnixMilliseconds
    ) throws {
        try db.cachedStatement(
            sql: "INSERT INTO push_prompts (device, prompt, asked_at, rule, alarm, moment) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [Int64(device), Self.hash(prompt), now, rule.rawValue, alarm, moment.number])
    }

    /// Notes what a device that is asked tells of a prompt. An answer stays one, whatever is told after it.
    package func note(
        _ outcome: PromptOutcome, of prompt: String, by device: UInt64, _ rule: PromptRule?, at time: UnixMilliseconds
    ) throws {
        let known: PromptOutcome? = outcome == .shown ? nil : outcome
        try db.cachedStatement(
            sql: """
                INSERT INTO push_prompts (device, prompt, asked_at, rule, outcome) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (device, prompt) DO UPDATE SET outcome =
                    CASE WHEN outcome = \(PromptOutcome.answered.rawValue) THEN outcome ELSE coalesce(?5, outcome) END
                """
        ).execute(arguments: [
            Int64(device), Self.hash(prompt), time, (rule ?? .slowSpeed).rawValue, known?.rawValue,
        ])
        try db.cachedStatement(
            sql: """
                DELETE FROM push_prompts WHERE device = ?1 AND prompt IN (
                    SELECT prompt FROM push_prompts WHERE device = ?1 ORDER BY asked_at DESC, prompt LIMIT -1 OFFSET ?2)
                """
        ).execute(arguments: [Int64(device), Self.mostPrompts])
    }

    /// FNV-1a of a prompt's name; two of one device that have the same are taken for one.
    private static func hash(_ prompt: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in prompt.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64(bitPattern: hash)
    }

    /// Forgets prompts that nobody looks back at any more, a bounded number at a time.
    package func forgetPrompts(before time: UnixMilliseconds) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM push_prompts WHERE (device, prompt) IN
                    (SELECT device, prompt FROM push_prompts WHERE asked_at < ? ORDER BY asked_at LIMIT 1000)
                """
        ).execute(arguments: [time])
    }
}

extension PushPromptDocument.Moment {
    /// As the table has it.
    package var number: Int64 {
        switch self {
        case .raised: 0
        case .over: 1
        }
    }

    package init?(number: Int64) {
        guard let moment = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = moment
    }
}
