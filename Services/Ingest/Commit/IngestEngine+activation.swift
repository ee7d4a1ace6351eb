internal import GRDB
internal import IngestSupport
package import IngestUploads
package import Models
internal import ServiceKit
internal import Storage

/// Activation codes as operators make and revoke them, between two commits.
extension IngestEngine {
    /// Codes that may be kept at once, used ones included.
    static let mostCodes = 1_000_000
    /// How long codes are kept after they have expired, so that an operator still sees how many were used.
    static let codesKept: UnixMilliseconds = 30 * 86_400_000

    /// Keeps new codes.
    ///
    /// - Throws: `ControlError` if there would be too many.
    package func addCodes(
        _ hashes: [[UInt8]], note: String, expiresAt: UnixMilliseconds, now: UnixMilliseconds
    ) throws -> Int64 {
        try database.write { db in
            let store = IngestStore(db)
            guard try store.countCodes() + hashes.count <= Self.mostCodes else {
                throw ControlError.refused("at most \(Self.mostCodes) activation codes are kept at a time")
            }
            return try store.addCodes(hashes, note: note, expiresAt: expiresAt, now: now)
        }
    }

    package func codeBatches(now: UnixMilliseconds) throws -> [ActivationBatch] {
        try database.read { try IngestStore($0).codeBatches(now: now) }
    }

    /// - Throws: `ControlError` if there is no such batch.
    package func revokeCodes(of batch: Int64, now: UnixMilliseconds) throws -> ActivationBatch {
        try database.write { db in
            try IngestStore(db).revokeCodes(of: batch, now: now)
            guard let found = try IngestStore(db).codeBatches(now: now, only: batch).first else {
                throw ControlError.notFound("there is no batch \(batch) of activation codes")
            }
            return found
        }
    }
}
