import Foundation
import GRDB
import Models
import ServiceKit
import Storage
import SubjectRights

/// Which of the later orders concern a restored home.
struct RestoredErasures {
    /// Orders that the home does not know: ingest takes them when it starts.
    let unknown: [ErasureOrderDocument]
    /// Requests of those that erase a device that is in the home: parts leave rewards as they are, and one of a device that goes
    /// as a whole is not taken any more.
    let awaited: [String]
    /// How many concern a device that is in the home.
    let concerned: Int

    /// - Parameter home: restored, not started yet; its databases are only read.
    init(_ orders: LaterOrders, in home: Home) throws {
        let key = try KeyStore(directory: home.keys).existing(SuppressionKey.name)
        try orders.requireKey(key)
        let known = try Self.requests(in: "erasure_orders", .privacyWorker, home)
            .union(Self.requests(in: "erasure_requests", .ingest, home))
        let unknown = try orders.all().filter { !known.contains($0.request) }
        self.unknown = unknown
        guard let key, !unknown.isEmpty else {
            (awaited, concerned) = ([], 0)
            return
        }
        let subjects = try Self.subjects(Set(unknown.map(\.subject)), SuppressionKey(secret: key), home)
        awaited = unknown.filter { $0.scope.isEverything && subjects.contains($0.subject) }.map(\.request)
        concerned = unknown.count { subjects.contains($0.subject) }
    }

    /// Those that a service knew at the backup; an older program may not have known erasures.
    private static func requests(in table: String, _ service: ServiceName, _ home: Home) throws -> Set<String> {
        let path = home.database(of: service)
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let database = try ReadOnlyDatabase(path: path)
        defer { try? database.close() }
        return try database.read { db in
            try db.tableExists(table) ? String.fetchSet(db, sql: "SELECT request FROM \(table)") : []
        }
    }

    /// Those of whom there is a device.
    private static func subjects(_ wanted: Set<String>, _ key: SuppressionKey, _ home: Home) throws -> Set<String> {
        let database = try ReadOnlyDatabase(path: home.database(of: .ingest))
        defer { try? database.close() }
        return try database.read { db in
            var found: Set<String> = []
            let rows = try Row.fetchCursor(
                db, sql: "SELECT device_id FROM device_names JOIN devices USING (ordinal)")
            while let row = try rows.next() {
                let mark = Hexadecimal.text(key.mark(ofDevice: [UInt8](row[0] as Data)))
                if wanted.contains(mark) { found.insert(mark) }
            }
            return found
        }
    }
}
