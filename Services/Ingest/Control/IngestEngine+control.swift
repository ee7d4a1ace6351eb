internal import GRDB
internal import IngestCommit
internal import IngestSupport
internal import Lanes
internal import Models
internal import Storage

/// What operators ask of the writing thread, between two commits.
extension IngestEngine {
    /// How the readers of ingest's lanes stand.
    var readerStandings: [ReaderStanding] { [realtime, batch, requests].flatMap(\.standings) }

    func detach(_ wish: ReaderDetachment) throws -> ReaderStanding {
        try wish.perform(on: [realtime, batch, requests], in: database)
    }

    /// Makes a device's token worthless for good; what it has sent stays. Revoking it again changes nothing.
    func revoke(device ordinal: Int64, now: UnixMilliseconds) throws {
        try database.write { db in
            guard try IngestStore(db).isActive(ordinal) else { return }
            try IngestStore(db).revoke(UInt64(ordinal), now: now)
        }
    }
}
