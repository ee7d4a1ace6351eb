import Foundation
import GRDB
import Models
import PrivacyWorker
import Storage

/// Retention in a run: the policy, what operators ask for, and whether the runs are those of the model. Says nothing about what
/// is left: ``RetentionScan`` does.
final class SimulatedRetention {
    /// An order as the privacy worker keeps it, with what services reported.
    struct Run {
        let order: RetentionOrderDocument
        let isScheduled: Bool
        let isCompleted: Bool
        let isLate: Bool
        let reports: [RetentionReportDocument]
    }

    private unowned let simulation: Simulation
    private var requests: RetentionRunRequests?
    /// When it was last asked what would go; nil: that is answered.
    private var askedAt: Int64?
    /// The privacy worker's database, and its thread.
    var database: () -> ServiceDatabase? = { nil }
    var wake: () -> Void = {}

    init(in simulation: Simulation) {
        self.simulation = simulation
    }

    /// Since when there is a schedule: the privacy worker's first step; nil before.
    func begin() throws -> Int64? {
        try database()?.read { try Int64.fetchOne($0, sql: "SELECT at FROM retention_begin") }
    }

    /// What is kept for how long; nil gives no orders.
    var policy: RetentionPolicy? {
        guard let plan = simulation.retention else { return nil }
        let days = plan.days.compactMap { name, days in RetentionKind(rawValue: name).map { ($0, days) } }
        return RetentionPolicy(
            days: Dictionary(uniqueKeysWithValues: days),
            schedule: RetentionSchedule(hour: 3, minute: 30, zone: SimulatedReader.Plan.zone))
    }

    /// The privacy worker starts; what its life before was asked for is forgotten.
    func start() -> RetentionRunRequests {
        let requests = RetentionRunRequests()
        self.requests = requests
        return requests
    }

    /// Asks what would go, until there is an answer.
    func ask() {
        askedAt = askedAt ?? simulation.clock.now
        // What is left out, because too many wait, is asked for again.
        _ = requests?.add(isDryRun: true)
        wake()
        simulation.timeline.after(simulation.random.within(1500...3000)) { [self] in
            if askedAt != nil { ask() }
        }
    }

    /// True once every run that is due is executed everywhere, and every question answered.
    func isDone() throws -> Bool {
        guard simulation.retention != nil else { return true }
        let real = try newest(isDryRun: false)
        guard let last = try real?.issuedAt ?? begin() else { return false }
        guard !ReferenceRetention.isDue(since: Int(last), by: Int(simulation.clock.now)), real?.isCompleted ?? true
        else { return false }
        guard let asked = askedAt else { return true }
        guard let answer = try newest(isDryRun: true), answer.issuedAt >= asked, answer.isCompleted else {
            return false
        }
        askedAt = nil
        return true
    }

    private func newest(isDryRun: Bool) throws -> (issuedAt: Int64, isCompleted: Bool)? {
        guard let database = database() else { return nil }
        let row = try database.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT issued_at, completed_at IS NOT NULL FROM retention_orders WHERE is_dry_run = ?
                    ORDER BY issued_at DESC LIMIT 1
                    """, arguments: [isDryRun])
        }
        return row.map { (issuedAt: $0[0], isCompleted: $0[1]) }
    }

    /// Who has not executed what, for a person.
    func standing() throws -> String {
        try runs().map { "\($0.order.order): \($0.reports.map(\.service).sorted())" }.joined(separator: "; ")
    }

    /// Orders in the order in which they were given.
    func runs() throws -> [Run] {
        guard let database = database() else { return [] }
        return try database.read { db in
            let orders = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, document, is_scheduled, completed_at IS NOT NULL, is_late FROM retention_orders
                    ORDER BY issued_at, is_dry_run DESC
                    """)
            return try orders.map { row in
                let reports = try String.fetchAll(
                    db, sql: "SELECT document FROM retention_reports WHERE order_id = ?", arguments: [row[0] as String])
                return Run(
                    order: try Self.read(row[1]), isScheduled: row[2], isCompleted: row[3], isLate: row[4],
                    reports: try reports.map(Self.read))
            }
        }
    }

    private static func read<Document: Decodable>(_ text: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    }
}
