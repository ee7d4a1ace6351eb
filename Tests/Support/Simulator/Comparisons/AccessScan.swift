import GRDB
import Lanes
import Models
import Storage
import Wire

/// Looks for what is left of copies that are over: keys, orders, and parts in tables and in the journals of lanes.
struct AccessScan {
    /// Requests of which nothing may be left.
    let over: Set<String>

    /// - Throws: ``SimulationFailure`` naming request and place.
    func look(into database: ServiceDatabase, of service: String, journals: [LaneName], sealer: BlockSealer?) throws {
        guard !over.isEmpty else { return }
        try database.read { db in
            // The privacy worker counts parts in a table of that name, and keeps none there.
            for table in ["access_orders", "access_parts"]
            where try db.tableExists(table)
                && (table != "access_parts" || db.columns(in: table).contains { $0.name == "sealed" })
            {
                let found = try String.fetchSet(db, sql: "SELECT request FROM \(table)")
                if let request = found.intersection(over).min() {
                    throw SimulationFailure("\(request) is over and still in \(table) of \(service)")
                }
            }
        }
        for lane in journals { try look(into: lane, of: database, sealer: sealer) }
    }

    /// Keys are gone, and nobody's number stands beside the request.
    func lookForKeys(in ingest: ServiceDatabase, _ worker: ServiceDatabase) throws {
        let kept = try ingest.read {
            try String.fetchSet($0, sql: "SELECT request FROM access_requests WHERE slot IS NOT NULL")
        }
        let keys = try ingest.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM access_keys WHERE key <> zeroblob(32)") ?? 0
        }
        let open = try worker.read {
            try String.fetchSet(
                $0, sql: "SELECT request FROM access_requests WHERE state <> 'closed' OR device IS NOT NULL")
        }
        guard kept.isDisjoint(with: over), keys == kept.count, open.isDisjoint(with: over) else {
            throw SimulationFailure(
                "of \(over.sorted()), which are over, there are keys of \(kept.sorted()), \(open.sorted())")
        }
    }

    private func look(into lane: LaneName, of database: ServiceDatabase, sealer: BlockSealer?) throws {
        var decoder = ColumnDecoder()
        let all = JournalPage.Limit(blocks: .max, bytes: .max)
        let page = try Journal.read(lane: lane, from: database.reader(), after: 0, limit: all, sealer: sealer)
        for block in page.blocks where block.header.kind == RecordKind.accessPart.id {
            let columns = try block.columns(with: &decoder)
            let keys = columns[ColumnID.key], sealed = columns[ColumnID.sealed]
            for row in 0..<columns.rowCount where sealed?.value(row) != nil {
                let request = AccessPartDocument.request(
                    ofKey: String(decoding: keys?.value(row) ?? [], as: UTF8.self))
                guard over.contains(request) else { continue }
                throw SimulationFailure("\(request) is over and still on lane \(lane.rawValue)")
            }
        }
    }
}
