public import GRDB
internal import IngestSupport
public import Lanes
public import Logging
public import Models
public import ServiceKit

extension IngestEngine {
    /// What ingest does with its database when its home was restored, in the transaction that brings it over.
    public static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try RestoredDevices.leap(db, by: RestoredDevices.leap(after: restoration))
    }

    /// Takes the erasures that were ordered after the backup which the home was restored from; to be called before anybody is
    /// listened to.
    ///
    /// - Parameter deadline: milliseconds in which an erasure must be completed.
    /// - Throws: `ServiceError` naming the file if it cannot be read, errors of the database.
    public func takeOrdersSince(
        in home: Home, deadline: UnixMilliseconds, now: UnixMilliseconds, _ log: Logger
    ) throws {
        try OrdersSince(home, deadline: deadline, suppression).apply(to: self, now: now, log)
    }
}
