import AnalyticsExporter
import Lanes
import Models
import Storage

/// Exports in a run: tenants ask for them, files are made between steps of the exporter, and no file that is current ever has a
/// row that the exporter no longer has.
final class SimulatedExports {
    private unowned let simulation: Simulation
    private unowned let operators: SimulatedOperators
    /// Hours are taken to be whole before they end, so that most files of a run are made of rows, and rows come late.
    private static let lead = 3_600_000 - SimulationSettings.start % 3_600_000 - 4_000
    private let rows: SimulatedRawRows
    // Of its own, so that what is drawn here shifts nothing else of a seed.
    private var random: SeededRandom
    private var script: ExportScript?
    private var made = 0
    /// The exporter's thread, to be told that something waits.
    var wake: () -> Void = {}

    init(_ rows: SimulatedRawRows, _ operators: SimulatedOperators, in simulation: Simulation) {
        (self.rows, self.operators, self.simulation) = (rows, operators, simulation)
        random = SeededRandom(seed: simulation.seed &* 73 &+ 5)
    }

    /// A life of the exporter begins.
    func begin(_ database: ServiceDatabase, _ script: OperationsScript) throws -> ExportScript {
        let new = try ExportScript(
            database: database, files: rows.files, script: script, directory: rows.exports, sealer: simulation.sealer,
            lead: Self.lead)
        self.script = new
        return new
    }

    /// The exporter has committed something.
    func look() throws {
        guard let script else { return }
        try expectNone(script.faults(isWhole: false), "has a row that is gone")
        let now = simulation.clock.now
        if random.chance(300), !operators.tenants.isEmpty {
            try script.ask(for: random.pick(operators.tenants).name, now: now)
            wake()
        }
        guard random.chance(900), try script.begin(now: now) else { return }
        made += 1
        if made == 3 { simulation.note(.exportsMade) }
        wake()
    }

    /// Everything has come to rest: what is still to be made is made, and then each file has what it should have.
    func compare() throws {
        guard let script else { return }
        // Whatever was stale has been so for long enough.
        try script.finish(now: simulation.clock.now + 60_000)
        try expectNone(script.faults(isWhole: true), "is not what the rows are")
        if try script.newestVersion() > 1 { simulation.note(.exportRewritten) }
        for device in simulation.model.erased {
            try expectNone(script.files(with: Int64(device)), "has rows of device \(device), which is erased")
        }
    }

    private func expectNone(_ files: [String], _ fault: String) throws {
        guard let first = files.first else { return }
        throw SimulationFailure("export \(first) \(fault)")
    }
}
