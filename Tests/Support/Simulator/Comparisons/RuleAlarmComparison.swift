import GRDB
import Models
import Storage

/// Compares the alarms of rules at the router, what it told of them and what the exporter copied, with those of the model.
struct RuleAlarmComparison {
    let router: ServiceDatabase
    let exporter: ServiceDatabase

    private struct Found {
        let id: String, raisedAt: Int, clearedAt: Int?, severity: String, devices: Int, isFlapping: Bool
    }

    /// Each rule has raised the alarms it must, with their times, counts and severities, and no other.
    ///
    /// - Returns: what is seldom among what was found.
    func compare(_ expected: [String: ReferenceRules.Outcome]) throws -> Set<SimulatedEvent> {
        var found = try alarms(), events: Set<SimulatedEvent> = []
        for (rule, outcome) in expected {
            let own = found.removeValue(forKey: rule) ?? [:]
            if !outcome.doubtful.isEmpty { events.insert(.ruleDoubtful) }
            for subject in Set(own.keys).union(outcome.alarms.keys) where !outcome.doubtful.contains(subject) {
                let alarms = own[subject] ?? [], expected = outcome.alarms[subject] ?? []
                // The third within an hour is one that flaps.
                guard expected.count < 3, !alarms.contains(where: \.isFlapping) else { continue }
                guard alarms.count == expected.count, zip(alarms, expected).allSatisfy(Self.matches) else {
                    throw SimulationFailure(
                        "rule \(rule) about \(subject.owner) \(subject.cell): alarms are \(alarms), expected \(expected)"
                    )
                }
                if !expected.isEmpty { events.insert(.ruleAlarmRaised) }
                if expected.count > 1 { events.insert(.ruleAlarmAgain) }
                if expected.contains(where: \.isWithdrawn) { events.insert(.ruleAlarmWithdrawn) }
                if expected.contains(where: { $0.clearedAt != nil && !$0.isWithdrawn }) {
                    events.insert(.ruleAlarmOver)
                }
            }
        }
        if let other = found.keys.filter({ !$0.hasPrefix("storm.") }).min() {
            throw SimulationFailure("alarms of a rule that there never was: \(other)")
        }
        return events
    }

    private static func matches(_ found: Found, _ expected: ReferenceRuleAlarm) -> Bool {
        // What rows ahead of the watermark raised may have begun earlier than they say.
        let isRaised =
            expected.isConfirmed ? found.raisedAt == expected.raisedAt : found.raisedAt >= expected.raisedAt
        guard isRaised, found.clearedAt == expected.clearedAt else { return false }
        guard expected.clearedAt == nil else {
            return found.severity == "cleared"
                && (expected.isWithdrawn || !expected.isConfirmed || found.devices == expected.devices)
        }
        guard expected.isConfirmed, expected.isSettled else { return found.severity != "cleared" }
        return found.devices == expected.devices && found.severity == expected.severity
    }

    /// By rule and subject, in the order in which they were raised.
    private func alarms() throws -> [String: [ReferenceRuleSubject: [Found]]] {
        let rows = try router.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, rule, owner, subject, severity, raised_at, cleared_at, devices, flapping FROM alarms
                    WHERE scheme = 'cell' AND rule NOT IN ('urgent', 'alarms.flood') ORDER BY episode
                    """)
        }
        var alarms: [String: [ReferenceRuleSubject: [Found]]] = [:]
        for row in rows {
            let owner = PLMN(rawValue: row["owner"] ?? 0).text
            let subject = ReferenceRuleSubject(owner: owner.isEmpty ? "-" : owner, cell: row["subject"])
            alarms[row["rule"], default: [:]][subject, default: []].append(
                Found(
                    id: row["id"], raisedAt: row["raised_at"], clearedAt: row["cleared_at"], severity: row["severity"],
                    devices: row["devices"], isFlapping: row["flapping"]))
        }
        return alarms
    }

    /// The regulator was told each alarm, as it is; everybody else those of its own networks alone. The exporter has all of them.
    func compareTold(_ tenants: [ReferenceTenant]) throws {
        let rows = try router.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT a.id, a.cleared_at IS NOT NULL AS is_over, a.owner, t.name, m.topic
                    FROM alarms a LEFT JOIN alert_latest l ON l.alarm = a.number
                    LEFT JOIN alert_messages m ON m.tenant = l.tenant AND m.seq = l.seq
                    LEFT JOIN (SELECT number, name FROM tenants UNION SELECT 0, 'regulator') t ON t.number = l.tenant
                    WHERE a.scheme = 'cell' AND a.rule <> 'urgent'
                    """)
        }
        var told: Set<String> = [], over: [String: Bool] = [:]
        for row in rows {
            let id: String = row["id"], isOver: Bool = row["is_over"], topic: String = row["topic"] ?? ""
            over[id] = isOver
            guard let name = row["name"] as String? else { continue }
            if topic.contains("/cleared/") != isOver {
                throw SimulationFailure("\(name) was told \(topic) last of alarm \(id), which is over: \(isOver)")
            }
            if name == "regulator" { told.insert(id) }
            let owner = PLMN(rawValue: row["owner"] ?? 0).text
            if let tenant = tenants.first(where: { $0.name == name }), !tenant.isRegulator,
                !tenant.networks.contains(owner)
            {
                throw SimulationFailure("\(name) was told alarm \(id), which is one of \(owner)")
            }
        }
        let copies = try exporter.read {
            try Row.fetchAll($0, sql: "SELECT alarm, document FROM alarms WHERE alarm NOT LIKE '%-%'")
        }
        let shown = Dictionary(
            uniqueKeysWithValues: copies.map {
                ($0[0] as String, ($0[1] as String).contains("\"state\":\"cleared\""))
            })
        guard told == Set(over.keys), shown == over else {
            throw SimulationFailure(
                "alarms of rules: over or not \(over), the regulator was told \(told.sorted()), the exporter shows \(shown)"
            )
        }
    }
}
