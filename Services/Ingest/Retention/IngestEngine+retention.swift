internal import GRDB
internal import Lanes
public import Models
internal import Storage
public import SubjectRights
public import Wire

/// How ingest executes retention orders: between commits, a slice at a time, after its copies have.
extension IngestEngine {
    /// Whether a slice is to be done now.
    public func hasRetentionWork(now: UnixMilliseconds) -> Bool { retention.nextTick.map { $0 <= now } ?? false }

    /// One slice; the blocks it appended to the requests lane, to be pushed.
    public func retainSlice(now: UnixMilliseconds) throws -> [Block] {
        let blocks = try database.write { db in
            var transaction = EffectTransaction(db, now: now, emit: emission(db, now))
            _ = try retention.tick(in: &transaction)
            return try transaction.emit.finish().flatMap(\.blocks)
        }
        try retention.committed(now: now)
        return blocks
    }

    /// The copies have executed an order: now it is this file's turn. Told again, it changes nothing.
    public func retain(_ outcomes: [RetentionOutcome]) throws {
        try database.write { db in
            for outcome in outcomes { try retention.hear(outcome.order, parts: outcome.report.kinds, db) }
        }
    }
}
