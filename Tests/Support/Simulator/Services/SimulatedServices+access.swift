import GRDB
import Models
import Storage

extension SimulatedServices {
    /// True once every copy that is over has been taken back by the privacy worker, and by all who gave parts of it.
    func haveClosedCopies(_ simulation: Simulation) throws -> Bool {
        guard simulation.access != nil else { return true }
        let over = copiesOver(simulation)
        let open = try privacyWorker.database.read {
            try String.fetchSet($0, sql: "SELECT request FROM access_requests WHERE state <> 'closed'")
        }
        // Ingest looks at the time every few seconds; with an erasure a key goes at once.
        let keys = try ingest.database.read {
            try String.fetchSet($0, sql: "SELECT request FROM access_requests WHERE slot IS NOT NULL")
        }
        let expired = over.filter { simulation.model.copies[$0]?.isWithdrawn == false }
        guard open.isDisjoint(with: over), keys.isDisjoint(with: expired) else { return false }
        return try all.allSatisfy { service in
            try service.database.read { db in
                guard try db.tableExists("access_orders") else { return true }
                return try String.fetchSet(db, sql: "SELECT request FROM access_orders").isDisjoint(with: over)
            }
        }
    }

    /// Of a copy that is over nothing is left anywhere.
    func compareAccess(_ simulation: Simulation) throws {
        guard simulation.access != nil else { return }
        let scan = AccessScan(over: copiesOver(simulation))
        for service in all {
            try scan.look(
                into: service.database, of: service.name, journals: service.writes, sealer: simulation.sealer)
        }
        try scan.lookForKeys(in: ingest.database, privacyWorker.database)
        for copy in simulation.model.copies.values where !copy.isOpen(at: Int(simulation.clock.now)) {
            simulation.note(copy.isWithdrawn ? .copyWithdrawn : .copyExpired)
        }
    }

    private func copiesOver(_ simulation: Simulation) -> Set<String> {
        let now = Int(simulation.clock.now)
        return Set(simulation.model.copies.values.filter { !$0.isOpen(at: now) }.map(\.request))
    }
}
