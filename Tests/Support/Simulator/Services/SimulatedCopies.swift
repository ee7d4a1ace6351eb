import Foundation
import GRDB
import Models
import Storage
import SubjectRights

/// How phones read the copies that they asked for: parts are taken from ingest's tables, opened with the key of the request, and
/// compared with the model.
final class SimulatedCopies {
    /// What a phone hears that asks for its copy.
    enum Answer {
        /// Nobody is there, or something is missing.
        case later
        case whole
        case gone
        /// The request was lost with a home.
        case lost
    }

    static let givers = [
        "alert-router", "analytics-exporter", "batch-aggregator", "privacy-worker", "reward-dispatcher",
    ]

    private unowned let simulation: Simulation
    private unowned let ingest: SimulatedIngest
    private unowned let services: SimulatedServices

    init(_ services: SimulatedServices, _ ingest: SimulatedIngest, in simulation: Simulation) {
        self.services = services
        self.ingest = ingest
        self.simulation = simulation
    }

    /// What is answered to the device that asked.
    ///
    /// - Throws: ``SimulationFailure`` if that is not what the model says.
    func read(_ request: String) throws -> Answer {
        guard ingest.isUp else { return .later }
        guard let copy = simulation.model.copies[request] else {
            simulation.note(.copyLost)
            return .lost
        }
        let now = Int(simulation.clock.now), isOpen = copy.isOpen(at: now)
        guard let key = try privateKey(of: request), isOpen else {
            guard try !isOpen || privateKey(of: request) != nil else {
                throw SimulationFailure("\(request) of device \(copy.device) is gone before its time")
            }
            guard try !copy.isWithdrawn || privateKey(of: request) == nil else {
                throw SimulationFailure("\(request) of device \(copy.device) can be read after an erasure")
            }
            simulation.note(copy.isWithdrawn ? .copyWithdrawn : .copyExpired)
            return .gone
        }
        var lines: [[String: Any]] = []
        for giver in Self.givers {
            guard let found = try given(by: giver, request, key) else { return .later }
            lines += found
        }
        try CopyComparison(copy, simulation, services).compare(lines)
        simulation.note(simulation.isRestored ? .copyReadAfterRestore : .copyRead)
        return .whole
    }

    /// The private key of a request; nil if it is deleted.
    private func privateKey(of request: String) throws -> [UInt8]? {
        try ingest.database.read { db in
            try Data.fetchOne(
                db, sql: "SELECT key FROM access_requests JOIN access_keys USING (slot) WHERE request = ?",
                arguments: [request]
            ).map { [UInt8]($0) }
        }
    }

    /// What a service has given; nil as long as that is not all.
    private func given(by giver: String, _ request: String, _ key: [UInt8]) throws -> [[String: Any]]? {
        let rows = try services.copies.database.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT part, is_last, sealed FROM access_parts WHERE request = ? AND service = ? ORDER BY part",
                arguments: [request, giver])
        }
        guard let last = rows.last, last["is_last"] as Bool, rows.map({ $0["part"] as Int }) == Array(1...rows.count)
        else {
            return nil
        }
        let opened = try rows.map { row in
            let part = AccessPartDocument(request: request, service: giver, index: row["part"], isLast: row["is_last"])
            return try AccessPart.open([UInt8](row["sealed"] as Data), part, with: key)
        }
        let lines = try opened.dropLast().joined().split(separator: UInt8(ascii: "\n")).map { line in
            try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        }
        let contents = try AccessContents(bytes: opened.last!)
        guard contents.service == giver, contents.lines == lines.count, !contents.isCutShort else {
            throw SimulationFailure("\(giver) gives \(lines.count) lines and says that it is \(contents.lines)")
        }
        return lines
    }
}
