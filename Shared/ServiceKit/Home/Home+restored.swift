import Foundation
public import GRDB
public import Lanes
public import Storage

extension Home {
    /// `<home>/restored.json`: that the home came out of a backup, see `Restoration`.
    public var restoredFile: String { path + "/restored.json" }

    /// `<home>/ingest/orders-since.json`: erasures that were ordered after the backup, `ErasureOrderList`; gone when ingest
    /// has taken them.
    public var ordersSinceFile: String { directory(of: .ingest) + "/orders-since.json" }

    /// The restore that the home came out of; nil if it was never restored.
    ///
    /// - Throws: ``ServiceError`` naming the file if it cannot be read.
    public func restoration() throws -> Restoration? {
        guard let bytes = FileManager.default.contents(atPath: restoredFile) else {
            guard access(restoredFile, F_OK) == 0 else { return nil }
            throw ServiceError(.home, "cannot read \(restoredFile)", errno: errno)
        }
        do { return try JSONDecoder().decode(Restoration.self, from: bytes) } catch {
            throw ServiceError(.home, "\(restoredFile) is not what nkul restore writes: \(error)")
        }
    }

    /// Brings a service's database over if the home was restored and it was not brought over yet.
    ///
    /// - Parameter also: what else the service has to do at that moment, in the same transaction.
    public func settle(
        _ database: ServiceDatabase, also: (Restoration, Database) throws -> Void = { _, _ in }
    ) throws {
        guard let restoration = try restoration() else { return }
        try restoration.settle(database) { try also(restoration, $0) }
    }
}
