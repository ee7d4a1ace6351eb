internal import GRDB
internal import Lanes
internal import Models
internal import Storage

/// What a restored home does not know of its grants: which of them were paid in the life that was lost. The provider is asked
/// about each attempt that may have been made to pay them before it is told to pay.
///
///     restored_grants(id)          those that were open in the backup and are still to be turned into `unknown`
///     restored_erasures(request)   erasures since the backup; nobody is paid before they have come
///
/// Confined to the thread of the effects, in their transactions.
struct RestoredGrants {
    static let migration = Migration(
        "grants of a restored home",
        sql: """
            CREATE TABLE restored_grants (id TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
            CREATE TABLE restored_erasures (request TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
            """)

    /// Grants of one transaction.
    static let atOnce = 500
    /// A feedback that was lost with its receipt is sent again for so long: its grant may have been paid, too.
    static let sentAgain: UnixMilliseconds = 9 * 86_400_000
    /// Until erasures that have not come are looked for again.
    private static let pause: UnixMilliseconds = 1_000

    /// Whether there are grants to be turned.
    private(set) var hasGrants: Bool
    /// Not before this time is the provider called.
    private(set) var callsFrom: UnixMilliseconds = .min
    private var awaitsErasures: Bool
    private let restoredAt: UnixMilliseconds?

    init(_ db: Database) throws {
        hasGrants = try Self.has("restored_grants", db)
        awaitsErasures = try Self.has("restored_erasures", db)
        restoredAt = try RestoreRecord.lastRestore(db)
    }

    /// Notes what is open, when the database is brought over.
    static func note(_ restoration: Restoration, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO restored_grants (id)
                    SELECT id FROM grants WHERE state IN ('pending', 'sent', 'asked', 'unknown') AND erased_id IS NULL
                """)
        let insert = try db.cachedStatement(sql: "INSERT OR IGNORE INTO restored_erasures (request) VALUES (?)")
        for request in restoration.awaitedErasures { try insert.execute(arguments: [request]) }
    }

    /// Turns the next of them.
    mutating func askFirst(_ store: RewardDispatcherStore, _ changes: inout GrantChanges) throws {
        guard hasGrants else { return }
        let ids = try String.fetchAll(
            changes.db, sql: "SELECT id FROM restored_grants ORDER BY id LIMIT ?", arguments: [Self.atOnce])
        for id in ids {
            // One that was erased meanwhile has another name, or is asked about already.
            if let grant = try store.grant(GrantID(stored: id), changes.db) {
                try changes.decide(.restored(now: changes.now), grant)
            }
            try changes.db.execute(sql: "DELETE FROM restored_grants WHERE id = ?", arguments: [id])
        }
        hasGrants = ids.count == Self.atOnce
    }

    /// Whether the provider may be called: all grants are turned, all erasures have come.
    mutating func mayCall(now: UnixMilliseconds, _ db: Database) throws -> Bool {
        guard awaitsErasures else { return !hasGrants }
        try db.execute(sql: "DELETE FROM restored_erasures WHERE request IN (SELECT request FROM erasures)")
        awaitsErasures = try Self.has("restored_erasures", db)
        callsFrom = awaitsErasures ? now + Self.pause : .min
        return !awaitsErasures && !hasGrants
    }

    /// Whether what was received at a time, or ended then, may have been paid for in the life that was lost.
    func mayBePaid(receivedAt time: UnixMilliseconds) -> Bool {
        restoredAt.map { time <= $0 + Self.sentAgain } ?? false
    }

    private static func has(_ table: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
    }
}
