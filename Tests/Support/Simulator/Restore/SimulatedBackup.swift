import Administration
import GRDB
import Models
import ServiceKit
import Storage

/// Backups of the home of a run, made by the product while all goes on, and what the run knew at the moments of each.
final class SimulatedBackup {
    /// A backup that was made.
    struct Made {
        let file: String
        let knowledge: BackedUpKnowledge
    }

    private let script: BackupScript
    private let home: SimulatedHome
    private let services: SimulatedServices
    private unowned let simulation: Simulation
    private var count = 0

    init(_ script: BackupScript, of home: SimulatedHome, _ services: SimulatedServices, in simulation: Simulation) {
        self.script = script
        self.home = home
        self.services = services
        self.simulation = simulation
    }

    /// Makes one; nil if no moment was found at which the home was whole.
    ///
    /// - Parameter steps: steps of the simulation between the moments of two databases, at most.
    func make(steps: Int) throws -> Made? {
        var knowledge = BackedUpKnowledge()
        count += 1
        let file = home.path("backup-\(count)")
        let pace = BackupPace(
            before: { [self] service in
                for _ in 0..<simulation.random.below(steps + 1) { _ = try simulation.timeline.step() }
                if let service { try look(at: service, &knowledge) }
            },
            pause: { [self] seconds, _ in
                simulation.note(.backupTookAnotherMoment)
                try goOn(for: Int64(seconds * 1000))
            })
        do {
            try script.backUp(home.current, to: file, now: simulation.clock.now, pace: pace)
        } catch let error as ServiceError where error.message.hasPrefix("no moment") {
            return nil
        }
        simulation.note(.homeBackedUp)
        return Made(file: file, knowledge: knowledge)
    }

    /// Lets everything go on for so many milliseconds.
    private func goOn(for milliseconds: Int64) throws {
        let end = simulation.clock.now + milliseconds
        while let next = simulation.timeline.nextTime, next <= end { _ = try simulation.timeline.step() }
    }

    /// Notes what is known of a service at this moment, which is that of its database.
    private func look(at service: ServiceName, _ knowledge: inout BackedUpKnowledge) throws {
        switch service {
        case .ingest:
            knowledge.ingest = services.ingest.knowledge
            if try !services.haveErased(simulation.requestedErasures) { simulation.note(.erasureAtBackup) }
        case .analyticsExporter:
            knowledge.operators = services.operators.knowledge
            knowledge.places = try services.exporter.database.read { try GivenPlaces.Last($0) }
        case .rewardDispatcher: knowledge.rewards = services.rewards.knowledge
        case .alertRouter: knowledge.alerts = try services.lastAlerts()
        case .batchAggregator, .privacyWorker, .notifier: break
        }
        guard let reader = services.all.first(where: { $0.service == service }) else { return }
        knowledge.readers[service] = reader.knowledge
        if reader.engine == nil { simulation.note(.serviceAwayAtBackup) }
    }
}

extension SimulatedServices {
    /// The last number of an alert message, by tenant; 0 before the first.
    func lastAlerts() throws -> [Int: Int] {
        try router.database.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT number, (SELECT coalesce(max(seq), 0) FROM alert_messages WHERE tenant = number)
                    FROM (SELECT number FROM tenants UNION SELECT 0 AS number)
                    """)
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int, $0[1] as Int) })
        }
    }
}
