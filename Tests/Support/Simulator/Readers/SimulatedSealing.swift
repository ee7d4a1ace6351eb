import Foundation
import GRDB
import Models
import Storage

/// Buckets that are sealed in a run: when the aggregator closes days, the model is told with whom it did.
final class SimulatedSealing {
    /// Of a cell that stays; few devices meet in a world.
    static let minimumDevices = 2

    private unowned let simulation: Simulation

    init(in simulation: Simulation) {
        self.simulation = simulation
    }

    /// The aggregator has committed something. Whoever it has heard of as to be erased is, before any day is closed.
    func look(into database: ServiceDatabase) throws {
        let (through, heard) = try database.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT through FROM sealing") ?? 0,
                Set(try String.fetchAll(db, sql: "SELECT request FROM erasures"))
            )
        }
        guard through > simulation.model.sealedThrough else { return }
        simulation.note(.daysSealed)
        let cells = simulation.model.seal(before: through, erased: heard, minimumDevices: Self.minimumDevices)
        if cells.kept > 0 { simulation.note(.sealedCellKept) }
        if cells.removed > 0 { simulation.note(.sealedCellRemoved) }
    }

    /// Of sealed cells nobody can say whose they were, and days that are closed have no rows any more.
    static func check(_ database: ServiceDatabase) throws {
        let named = try database.read { db in
            let through = try Int64.fetchOne(db, sql: "SELECT through FROM sealing") ?? 0
            // A key has the begin of its bucket behind the bucket's four bytes of length, big-endian.
            return try Int.fetchOne(
                db, sql: "SELECT count(*) FROM cells WHERE length(devices) > 0 AND substr(key, 2, 8) < ?",
                arguments: [withUnsafeBytes(of: through.bigEndian) { Data($0) }]) ?? 0
        }
        guard named == 0 else { throw SimulationFailure("\(named) sealed cells still name devices") }
    }
}
