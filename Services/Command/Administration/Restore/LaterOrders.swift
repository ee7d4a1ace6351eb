import Foundation
import GRDB
import Models
package import ServiceKit
import Storage
import SubjectRights

/// Erasures that may have been ordered after a backup, from where they outlived the home: a file that was kept elsewhere, or
/// the previous home if its disk can still be read.
package enum LaterOrders: Sendable {
    case file(String)
    case previousHome(Home)
    /// The operator says that there are none.
    case none

    /// All orders that are told of there, by time of request.
    ///
    /// - Throws: `ServiceError` naming the file or the database that cannot be read.
    func all() throws -> [ErasureOrderDocument] {
        switch self {
        case .none: []
        case .file(let path): try Self.read(path)
        case .previousHome(let home): try Self.read(home)
        }
    }

    /// Orders that name devices by another key than the restored home has would match nobody.
    ///
    /// - Parameter key: of the restored home, nil if it has none yet.
    func requireKey(_ key: [UInt8]?) throws {
        guard case .previousHome(let home) = self, FileManager.default.fileExists(atPath: home.keys) else { return }
        let other = try KeyStore(directory: home.keys).existing(SuppressionKey.name)
        guard other == key || other == nil else {
            throw ServiceError(
                .home,
                "\(home.path) names devices by another \(SuppressionKey.name) than the backup: it is not its previous home"
            )
        }
    }

    private static func read(_ path: String) throws -> [ErasureOrderDocument] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ServiceError(.usage, "--orders: \(path) cannot be read", errno: errno)
        }
        guard let list = try? JSONDecoder().decode(ErasureOrderList.self, from: bytes),
            list.format == ErasureOrderList.format
        else { throw ServiceError(.usage, "--orders: \(path) is not what \"nkul admin erasure export\" writes") }
        return list.orders
    }

    /// What the privacy worker has ordered, what ingest took and the worker has not heard of, and what the home was itself to
    /// erase after a restore, if its ingest was never started since.
    private static func read(_ home: Home) throws -> [ErasureOrderDocument] {
        try home.checkVersion()
        var orders: [String: ErasureOrderDocument] = [:]
        if FileManager.default.fileExists(atPath: home.ordersSinceFile) {
            for order in try read(home.ordersSinceFile) { orders[order.request] = order }
        }
        for request in try texts("SELECT document FROM erasure_requests", .ingest, home) {
            let document = try JSONDecoder().decode(ErasureRequestDocument.self, from: Data(request.utf8))
            orders[document.subject.request] = ErasureOrderDocument(document)
        }
        for order in try texts("SELECT document FROM erasure_orders", .privacyWorker, home) {
            let document = try JSONDecoder().decode(ErasureOrderDocument.self, from: Data(order.utf8))
            orders[document.request] = document
        }
        return ErasureOrderList(Array(orders.values), exportedAt: 0).orders
    }

    private static func texts(_ sql: String, _ service: ServiceName, _ home: Home) throws -> [String] {
        let database = try ReadOnlyDatabase(path: home.database(of: service))
        defer { try? database.close() }
        return try database.read { try String.fetchAll($0, sql: sql) }
    }
}
