internal import GRDB
internal import IngestSupport
internal import Lanes
public import Models
internal import Storage
public import SubjectRights
public import Wire

/// How ingest executes erasures: between commits, a slice at a time.
extension IngestEngine {
    /// When a slice of an erasure or of a retention order is to be done.
    var nextSlice: UnixMilliseconds? {
        guard let erasure = rounds.nextTick else { return retention.nextTick }
        return min(erasure, retention.nextTick ?? erasure)
    }

    /// Whether a slice is to be done now.
    public func hasErasureWork(now: UnixMilliseconds) -> Bool { rounds.nextTick.map { $0 <= now } ?? false }

    /// One slice; the blocks it appended to the requests lane, to be pushed.
    public func eraseSlice(now: UnixMilliseconds) throws -> [Block] {
        do {
            let blocks = try database.write { db in
                var transaction = EffectTransaction(db, now: now, emit: emission(db, now))
                _ = try rounds.tick(in: &transaction)
                return try transaction.emit.finish().flatMap(\.blocks)
            }
            memories?.commit()
            try rounds.committed(now: now)
            return blocks
        } catch {
            memories?.rollBack()
            throw error
        }
    }

    /// What slices append to the requests lane.
    func emission(_ db: Database, _ now: UnixMilliseconds) -> Emission {
        Emission { [self] lane, kind, columns in
            guard lane == .requests else { throw LaneError.notWritten(lane: lane) }
            return try requests.append(db, kind: kind, columns: columns, encoder: &encoder, now: now)
        }
    }

    /// The other file of ingest has nothing left of a request's subject.
    public func copiesAreClean(of requests: [String]) throws {
        guard !requests.isEmpty else { return }
        try database.write { db in
            for request in requests { try rounds.hear(signer: Self.copies, of: request, db) }
        }
    }

    /// Lanes with blocks that were rewritten since this was last asked, and the highest of them.
    public func takeRewritten() -> [(lane: LaneName, through: UInt64)] {
        [realtime, batch, requests].compactMap { journal in journal.takeRewritten().map { (journal.lane, $0) } }
    }

    /// The name under which the other file says that it is clean.
    static let copies = "ingest-copies"
}

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
