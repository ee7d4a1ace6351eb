import ExporterStores
import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

/// Compares what the router told, and what the exporter copied, with the alarms of the model.
struct AlarmComparison {
    let router: ServiceDatabase
    let exporter: ServiceDatabase
    /// Operators and cells whose alarms may have been raised or not, as some of their rows were erased.
    let doubtful: Set<ReferenceAlarm>
    /// Where numbers of messages leap.
    let numbers: AlertNumbers

    /// The first messages are so old that they are not kept for replay any more.
    var areOld = false

    /// How the identifiers of alarms begin that erasures are late: Nkul's own, of which the model knows nothing. Those of rules
    /// have no hyphens; ``RuleAlarmComparison`` compares them.
    private static let lateErasures = "erasures-"

    /// To which moment the router knows its lane; nil while it does not.
    let completeTo: Int?

    /// What the built-in regulator was told, and what the exporter shows, are all alarms there are; each has the records it should,
    /// and is over if it should be.
    func compare(_ expected: [ReferenceAlarm: ReferenceAlarmState]) throws {
        try compare(expected, told: 0, name: "regulator")
        try compareStates(expected)
        guard doubtful.isEmpty else { return }
        let copies = try exporter.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM alarms WHERE alarm NOT LIKE '\(Self.lateErasures)%' AND alarm LIKE '%-%'"
            )
                ?? 0
        }
        guard copies == expected.count else {
            throw SimulationFailure("the exporter has \(copies) alarms instead of \(expected.count)")
        }
    }

    /// What a tenant was told, and what the exporter shows it, are these alarms.
    func compare(_ states: [ReferenceAlarm: ReferenceAlarmState], of tenant: String) throws {
        let expected = Set(states.keys)
        let number = try router.read {
            try Int.fetchOne($0, sql: "SELECT number FROM tenants WHERE name = ? AND state = 0", arguments: [tenant])
        }
        guard let number else { throw SimulationFailure("the router does not know tenant \(tenant)") }
        try compare(states, told: number, name: tenant)
        let shown = Set(
            try ExporterStore.alarms(of: tenant, in: exporter).filter {
                !$0.hasPrefix(Self.lateErasures) && $0.contains("-")
            }.map(Self.alarm))
        guard sure(shown) == sure(expected) else {
            throw SimulationFailure(
                "the exporter shows tenant \(tenant) other alarms: missing \(expected.subtracting(shown).sorted()), "
                    + "too many \(shown.subtracting(expected).sorted())")
        }
    }

    /// The alarm that an identifier of the product names.
    static func alarm(_ id: String) -> ReferenceAlarm {
        let parts = id.components(separatedBy: "-")
        return ReferenceAlarm(
            plmn: parts[0], cell: parts[1] == "none" ? "" : parts[1], raisedAt: parts.count > 2 ? Int(parts[2]) ?? 0 : 0
        )
    }

    /// Of an alarm that is gone no message is left, and no copy; nor is anything of it on the lane, or of who had raised it.
    ///
    /// - Parameters:
    ///   - unsure: devices of which a part was erased: copies take a contribution out that may be of that part, the router
    ///     only one that is.
    ///   - now: messages of the last eight days are kept for who was away.
    func compareGone(_ copies: ServiceDatabase, unsure: Set<Int>, now: Int64, sealer: BlockSealer?) throws {
        try compareLane(copies, unsure, sealer)
        let orphans = try router.read {
            try Int.fetchOne(
                $0,
                sql: "SELECT count(*) FROM alert_messages WHERE at < ? AND alarm NOT IN (SELECT number FROM alarms)",
                arguments: [now - 8 * 86_400_000])
        }
        let shown = try exporter.read { try String.fetchSet($0, sql: "SELECT alarm FROM alarms") }
        let told = try exporter.read {
            try String.fetchSet($0, sql: "SELECT alarm FROM alarm_changes WHERE document IS NOT NULL")
        }
        let copied = try copies.read { try String.fetchSet($0, sql: "SELECT id FROM alarms") }
        guard orphans == 0, told.isSubset(of: shown), copied == shown else {
            throw SimulationFailure(
                "\(orphans ?? 0) messages of alarms that are gone; of alarms there are changes of \(told.sorted()), "
                    + "copies \(copied.sorted()), shown \(shown.sorted())")
        }
    }

    private func compareLane(_ copies: ServiceDatabase, _ unsure: Set<Int>, _ sealer: BlockSealer?) throws {
        let known = try copies.read { db in
            try String.fetchSet(db, sql: "SELECT id FROM alarms UNION SELECT alarm || '/' || device FROM contributions")
        }
        var decoder = ColumnDecoder()
        let all = JournalPage.Limit(blocks: .max, bytes: .max)
        let page = try Journal.read(lane: .alerts, from: router.reader(), after: 0, limit: all, sealer: sealer)
        for block in page.blocks where [RecordKind.alarm.id, RecordKind.contribution.id].contains(block.header.kind) {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount where columns[ColumnID.document]?.value(row) != nil {
                let key = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
                let device = key.split(separator: "/").dropFirst().first.flatMap { Int($0) }
                guard !known.contains(key), !(device.map(unsure.contains) ?? false) else { continue }
                throw SimulationFailure("the lane still has \(key), which is gone")
            }
        }
    }

    /// Of a tenant that was removed nothing is left but its number.
    func compareRemoved(_ tenant: String) throws {
        let left = try router.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM alert_messages
                    WHERE tenant NOT IN (SELECT number FROM tenants WHERE state = 0) AND tenant <> 0
                    """)
        }
        guard left == 0 else { throw SimulationFailure("\(left ?? 0) messages are left of removed tenants") }
    }

    /// Every alarm that erasures are late is over, for they are all completed; true if there was one.
    func compareLateness() throws -> Bool {
        let alarms = try exporter.read {
            try String.fetchAll($0, sql: "SELECT document FROM alarms WHERE alarm LIKE '\(Self.lateErasures)%'")
        }
        if let raised = alarms.first(where: { !$0.contains("\"state\":\"cleared\"") }) {
            throw SimulationFailure("no erasure is late any more, and still there is \(raised)")
        }
        return !alarms.isEmpty
    }

    private func sure(_ alarms: Set<ReferenceAlarm>) -> Set<ReferenceAlarm> {
        alarms.filter { !doubtful.contains($0.place) }
    }

    private func compareStates(_ expected: [ReferenceAlarm: ReferenceAlarmState]) throws {
        let rows = try router.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, cleared_at, changed_at, records, episode, (
                        SELECT topic FROM alert_latest l JOIN alert_messages m ON m.tenant = l.tenant AND m.seq = l.seq
                        WHERE l.tenant = 0 AND l.alarm = number) AS topic
                    FROM alarms WHERE scheme = 'cell' AND rule = 'urgent'
                    """)
        }
        for row in rows {
            let alarm = Self.alarm(row["id"])
            guard !doubtful.contains(alarm.place), let state = expected[alarm] else { continue }
            let isLast = !expected.keys.contains { $0.place == alarm.place && $0.raisedAt > alarm.raisedAt }
            let clearedAt: Int? = row["cleared_at"], isToldAsOver = (row["topic"] as String?)?.contains("/cleared/")
            let document = try exporter.read {
                try String.fetchOne($0, sql: "SELECT document FROM alarms WHERE alarm = ?", arguments: [row["id"]])
            }
            // What came after the end ends it, too.
            let isOver =
                !isLast || state.hasLateEvidence || completeTo.map { $0 >= state.endsAt + 60_000 } ?? (clearedAt != nil)
            let records: Int = row["records"], changedAt: Int = row["changed_at"]
            guard clearedAt == (isOver ? state.endsAt : nil), isToldAsOver == isOver, records == state.rows.count,
                changedAt == state.lastRow, document?.contains("\"state\":\"cleared\"") == isOver,
                document?.hasSuffix("\"records\":\(records)}") == true
            else {
                throw SimulationFailure(
                    "alarm \(alarm) is \(row), of which is told \(document ?? "nothing"), expected to end at "
                        + "\(state.endsAt) with \(state.rows.count) records; the lane is known to \(completeTo ?? 0)")
            }
        }
    }

    private func compare(
        _ states: [ReferenceAlarm: ReferenceAlarmState], told tenant: Int, name: String
    ) throws {
        let expected = Set(states.keys)
        let messages = try router.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT seq, topic, coalesce(id, 'gone-none-0') AS id, coalesce(rule <> 'urgent', 0) AS is_other
                    FROM alert_messages LEFT JOIN alarms ON number = alarm WHERE tenant = ? ORDER BY seq
                    """, arguments: [tenant])
        }
        // After eight days the last message of each alarm is left.
        guard areOld || numbers.allow(messages.map { $0["seq"] }, of: tenant) else {
            throw SimulationFailure(
                "tenant \(name): numbers of alert messages: \(messages.map { $0["seq"] as Int }), \(numbers)")
        }
        let told = Set(messages.filter { !($0["is_other"] as Bool) }.map { Self.alarm($0["id"]) })
        // Who comes later is not told what is over.
        let missing = sure(expected).subtracting(told).filter { alarm in
            tenant == 0
                || !expected.contains { $0.place == alarm.place && $0.raisedAt > alarm.raisedAt }
                    && states[alarm].map { $0.endsAt > completeTo ?? 0 && !$0.hasLateEvidence } ?? false
        }
        guard missing.isEmpty, sure(told).isSubset(of: expected) else {
            throw SimulationFailure(
                "tenant \(name): alarms missing \(missing.sorted()), too many \(sure(told).subtracting(expected).sorted())"
            )
        }
    }
}
