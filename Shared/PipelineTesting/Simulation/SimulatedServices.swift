import AlertRouter
import AnalyticsExporter
import BatchAggregator
import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

/// The reading services of a run, and what came out of them.
final class SimulatedServices {
    private let router: SimulatedReader
    private let aggregator: SimulatedReader
    private let exporter: SimulatedReader
    private let rawRows: RawRowFiles
    private unowned let simulation: Simulation

    private var all: [SimulatedReader] { [router, aggregator, exporter] }

    init(in simulation: Simulation) throws {
        self.simulation = simulation
        let records = [RecordKind.report, .feedback]
        let rawRows = try RawRowFiles(directory: RawRowFiles.inMemory, sealer: simulation.sealer)
        self.rawRows = rawRows
        router = try SimulatedReader(
            .init(
                name: "alert-router", migrations: AlertRouterEffects.migrations, reads: [(.realtime, records)],
                writes: [.alerts], effects: { try AlertRouterEffects(database: $0, publish: { _ in }) }), in: simulation
        )
        let zone = TimeZone(identifier: "Africa/Douala")!
        let openRows = try OpenRowDirectory(path: nil, timeZone: zone)
        aggregator = try SimulatedReader(
            .init(
                name: "batch-aggregator", migrations: AggregatorEffects.migrations,
                reads: [(.realtime, records), (.batch, records)], writes: [.rollups],
                effects: { database in
                    try AggregatorEffects(
                        database: database, open: openRows, timeZone: zone, isRollupsFull: { false }, stopwatch: { 0 })
                }), in: simulation)
        exporter = try SimulatedReader(
            .init(
                name: "analytics-exporter", migrations: ExporterStore.migrations,
                reads: [(.realtime, records), (.batch, records), (.rollups, [.cell]), (.alerts, [.alarm])], writes: [],
                effects: { try ExporterEffects(database: $0, files: rawRows) }), in: simulation)
    }

    /// Starts the services, some of them when there is already something to read.
    func start() throws {
        for service in all {
            let delay = simulation.random.chance(500) ? 0 : simulation.random.below(5000)
            simulation.timeline.after(delay) { if service.engine == nil { try service.start() } }
        }
    }

    /// Readers the journal of a lane waits for from the beginning.
    static func readers(of lane: LaneName) -> [ReaderRegistration] {
        switch lane {
        case .realtime: ["alert-router", "batch-aggregator", "analytics-exporter"].map { ReaderRegistration(name: $0) }
        case .batch: ["batch-aggregator", "analytics-exporter"].map { ReaderRegistration(name: $0) }
        default: []
        }
    }

    // MARK: Troubles

    /// Lets one of the services die, now or around a commit.
    func trouble(_ number: Int, commits: Int, afterwards: Bool) {
        let service = all[number % all.count]
        if simulation.random.chance(250) {
            service.die()
        } else {
            service.arm(commits: commits, afterwards: afterwards)
        }
    }

    func disarm() {
        for service in all { service.disarm() }
    }

    func cutOne(for milliseconds: Int) {
        let links = simulation.random.pick(all).links
        guard !links.isEmpty else { return }
        let lane = simulation.random.pick(links.keys.sorted { $0.id < $1.id })
        links[lane]!.cut(for: milliseconds)
    }

    func cutAll(for milliseconds: Int) {
        for service in all {
            for lane in [LaneName.realtime, .batch] { service.links[lane]?.cut(for: milliseconds) }
        }
    }

    // MARK: Standing

    var areCaughtUp: Bool { all.allSatisfy(\.isCaughtUp) && isFolded }

    /// After a restore: who has read ingest's lanes before must stop, with the right reason.
    var haveStopped: Bool {
        all.allSatisfy { service in
            [LaneName.realtime, .batch].allSatisfy { lane in
                guard let link = service.links[lane] else { return service.engine != nil }
                if case .stopped = link.core.status { return true }
                return false
            }
        }
    }

    /// True if every service has a durable cursor on each of ingest's lanes that it reads.
    var haveAllBegun: Bool {
        all.allSatisfy { service in
            guard let engine = service.engine else { return false }
            return engine.subscriptions.map(\.lane).filter { [.realtime, .batch].contains($0) }
                .allSatisfy { engine.cursor($0) != nil }
        }
    }

    var standing: String {
        all.map { service in
            let lanes = service.links.sorted { $0.key.id < $1.key.id }.map { lane, link in
                "\(lane.rawValue) \(link.core.received)/\(simulation.lanes[lane]?.core?.head ?? 0) \(link.core.status)"
            }
            return "\(service.name): \(lanes.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    // MARK: Comparison

    /// Raw rows, statistics and alarms are those of the model.
    func compare(_ model: ReferenceModel) throws {
        try compareRawRows(model.rows, all: true)
        try compareStatistics(model)
        try compareAlarms(model.alarms)
    }

    /// Nothing of the new generation was applied, and of the old one nothing twice.
    func compareAfterRestore(_ accepted: [ReferenceRow]) throws {
        try compareRawRows(accepted, all: false)
        for service in all {
            for lane in [LaneName.realtime, .batch] {
                guard let status = service.links[lane]?.core.status else { continue }
                switch status {
                case .stopped(.otherGeneration), .stopped(.readerAheadOfHead): continue
                default:
                    throw SimulationFailure("\(service.name) goes on after a restore: lane \(lane.rawValue) \(status)")
                }
            }
        }
    }

    private func compareRawRows(_ expected: [ReferenceRow], all isComplete: Bool) throws {
        var stored: [String: StoredRawRow] = [:]
        try rawRows.forEachBlock { kind, columns in
            for row in 0..<columns.rowCount {
                let one = StoredRawRow(kind, columns, row)
                if stored.updateValue(one, forKey: "\(one.device) \(one.id)") != nil {
                    throw SimulationFailure("raw row twice: device \(one.device), id \(one.id)")
                }
            }
        }
        for row in expected {
            guard let one = stored.removeValue(forKey: "\(row.device) \(row.id)") else {
                if isComplete { throw SimulationFailure("raw row missing: device \(row.device), id \(row.id)") }
                continue
            }
            if !one.says(row) { throw SimulationFailure("raw row differs: \(one) instead of \(row)") }
        }
        if let extra = stored.values.first {
            throw SimulationFailure("raw row nobody acknowledged: device \(extra.device), id \(extra.id)")
        }
    }

    /// The cells are those of the model, and the exporter has been told of every sample in them.
    private func compareStatistics(_ model: ReferenceModel) throws {
        var text: [UInt8] = []
        try CellDump.write(
            aggregator.database.reader(), openDirectory: "/nonexistent",
            timeZone: TimeZone(identifier: "Africa/Douala")!,
            to: { text += $0 })
        let dump = String(decoding: text, as: UTF8.self), expected = model.dump
        let stored = try aggregator.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM cells") ?? 0 }
        guard dump == expected else {
            throw SimulationFailure("\(stored) cells: " + TextDifference.first(dump, expected))
        }
        let figures = (exporter.engine?.effects as? ExporterEffects)?.figures
        let samples = expected.split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            let isCoarsestDay = words[0] == "86400" && (words[2] == "-" || words[2].count == 6)
            return isCoarsestDay ? sum + Int(words[5].dropFirst("samples=".count))! : sum
        }
        guard figures?.heatmapSamples == Int64(samples), figures?.rawRows == Int64(model.rows.count) else {
            throw SimulationFailure(
                "the exporter counts \(figures!), expected \(samples) samples, \(model.rows.count) rows")
        }
    }

    /// True once no open row waits to be counted.
    private var isFolded: Bool {
        (aggregator.engine?.effects as? AggregatorEffects).map { !$0.hasWork } ?? false
    }

    private func compareAlarms(_ expected: Set<ReferenceAlarm>) throws {
        let messages = try router.database.read { db in
            try Row.fetchAll(db, sql: "SELECT seq, topic FROM alert_messages ORDER BY seq")
        }
        guard messages.map({ $0["seq"] as Int }) == Array(1..<messages.count + 1) else {
            throw SimulationFailure("numbers of alert messages have a gap")
        }
        let told = Set(
            messages.map { message -> ReferenceAlarm in
                let parts = (message["topic"] as String).components(separatedBy: "/")
                return ReferenceAlarm(plmn: parts[1], cell: parts[3])
            })
        guard told == expected else {
            throw SimulationFailure(
                "alarms missing \(expected.subtracting(told).sorted()), too many \(told.subtracting(expected).sorted())"
            )
        }
        let copies = try exporter.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM alarms") ?? 0 }
        guard copies == expected.count else {
            throw SimulationFailure("the exporter has \(copies) alarms instead of \(expected.count)")
        }
    }
}
