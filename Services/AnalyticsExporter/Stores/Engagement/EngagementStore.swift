package import Foundation
package import GRDB
package import Models
internal import QoE
internal import Wire

/// Counts of what became of prompts, by day, policy version, rule and operator, in the exporter's own database: figures about
/// nobody. The outcomes themselves lie in the day files, beside raw rows.
package struct EngagementStore {
    /// Kept apart of each day; what is of one more counts as `other`, so that phones that make up versions or networks fill
    /// no table.
    var mostKeys = 4_096
    /// Days for which counts are kept.
    static let keptDays: Int64 = 400

    package let zone: TimeZone

    package init(zone: TimeZone) { self.zone = zone }

    package static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE engagement (
                    day INTEGER NOT NULL, policy_version TEXT NOT NULL, rule INTEGER NOT NULL, plmn INTEGER NOT NULL,
                    shown INTEGER NOT NULL, answered INTEGER NOT NULL, ignored INTEGER NOT NULL,
                    dismissed INTEGER NOT NULL, PRIMARY KEY (day, policy_version, rule, plmn)) WITHOUT ROWID;
                """)
    }

    /// Adds the counts of one transaction, and forgets days that are over.
    package func save(_ counts: [EngagementKey: EngagementCounts], now: UnixMilliseconds, in db: Database) throws {
        guard !counts.isEmpty else { return }
        var room: [Int64: Int] = [:]
        for (key, added) in counts.sorted(by: { $0.key < $1.key }) {
            if try Self.add(added, to: key, db) { continue }
            let left = try room[key.day] ?? mostKeys - Self.keys(of: key.day, db)
            try Self.insert(added, at: left > 0 ? key : .other(key.day), db)
            room[key.day] = left - 1
        }
        try db.execute(
            sql: "DELETE FROM engagement WHERE day < ?",
            arguments: [CivilDay.number(of: now, in: zone) - Self.keptDays])
    }

    private static func keys(of day: Int64, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM engagement WHERE day = ?"), arguments: [day]) ?? 0
    }

    /// False if nothing is counted by the key yet.
    private static func add(_ counts: EngagementCounts, to key: EngagementKey, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE engagement SET shown = shown + ?, answered = answered + ?, ignored = ignored + ?,
                    dismissed = dismissed + ?
                WHERE day = ? AND policy_version = ? AND rule = ? AND plmn = ?
                """
        ).execute(arguments: values(counts) + place(key))
        return db.changesCount > 0
    }

    private static func insert(_ counts: EngagementCounts, at key: EngagementKey, _ db: Database) throws {
        if try add(counts, to: key, db) { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO engagement (shown, answered, ignored, dismissed, day, policy_version, rule, plmn)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: values(counts) + place(key))
    }

    private static func values(_ counts: EngagementCounts) -> StatementArguments {
        [counts.shown, counts.answered, counts.ignored, counts.dismissed]
    }

    private static func place(_ key: EngagementKey) -> StatementArguments {
        [key.day, key.policyVersion, key.ruleCode, key.plmn.rawValue]
    }
}

/// What outcomes of prompts are counted by.
package struct EngagementKey: Hashable, Comparable {
    /// Local day since 1970 on which the outcome was captured.
    var day: Int64
    /// The policy in force on the phone, as the phone says it.
    var policyVersion: String
    /// Nil: the phone did not say, or its subscriber does not allow to.
    var rule: PromptRule?
    /// Of the SIM.
    var plmn: PLMN

    /// Where outcomes are counted that are too many kinds of to keep apart.
    static func other(_ day: Int64) -> EngagementKey {
        EngagementKey(day: day, policyVersion: "other", rule: nil, plmn: .unknown)
    }

    /// What stands in the database for a rule.
    var ruleCode: Int64 { rule?.rawValue ?? -1 }

    package static func < (one: EngagementKey, other: EngagementKey) -> Bool {
        (one.day, one.policyVersion, one.ruleCode, one.plmn)
            < (other.day, other.policyVersion, other.ruleCode, other.plmn)
    }
}

/// How many prompts came to what.
package struct EngagementCounts: Equatable {
    var shown: Int64 = 0
    var answered: Int64 = 0
    var ignored: Int64 = 0
    var dismissed: Int64 = 0

    /// Of the prompts that were shown, to a ten-thousandth; nil where none was. May be above 1: a prompt that was shown before the first
    /// day may be answered on it.
    func share(_ count: Int64) -> Double? {
        shown > 0 ? (Double(count) / Double(shown) * 10_000).rounded() / 10_000 : nil
    }

    mutating func count(_ outcome: PromptOutcome) {
        switch outcome {
        case .shown: shown += 1
        case .answered: answered += 1
        case .ignored: ignored += 1
        case .dismissed: dismissed += 1
        }
    }

    static func += (one: inout EngagementCounts, other: EngagementCounts) {
        one.shown += other.shown
        one.answered += other.answered
        one.ignored += other.ignored
        one.dismissed += other.dismissed
    }
}
