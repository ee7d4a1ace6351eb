internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// What erasure keeps in the dispatcher's database while it is at work. Every function runs in the caller's transaction.
///
/// - `grants.erased_owner`, `grants.erased_id`: see ``ErasedGrant``; such a grant has device 0, and random bytes as record.
/// - `erasing_subjects`: the random owner of a subject whose grants are being erased, until the last of them is.
/// - `replaced_references`: references that still stand in the provider's books or in corners of the file.
struct ErasureTables {
    static let migration = Migration(
        "erasure of subjects",
        sql: """
            ALTER TABLE grants ADD COLUMN erased_owner TEXT;
            ALTER TABLE grants ADD COLUMN erased_id TEXT;
            CREATE INDEX grants_erased_open ON grants (state)
                WHERE state IN ('sent', 'asked', 'unknown', 'pending') AND erased_owner IS NOT NULL;
            CREATE TABLE erasing_subjects (device INTEGER PRIMARY KEY, owner TEXT NOT NULL) STRICT;
            CREATE TABLE replaced_references (
                reference TEXT NOT NULL PRIMARY KEY, replacement TEXT NOT NULL) STRICT, WITHOUT ROWID;
            """)

    /// Every table with identifiers of grants, records or numbers in trees that SQLite balances.
    static let rewritten = [
        "grants", "ledger_entries", "payouts", "replaced_references", "engagement_facts", "engagement_days",
        "nicknames",
        "standings_told", "capture_traces", "captures",
        "emergencies",
    ]

    /// The owner that takes a subject's place in the ledger; `made` if there is none yet.
    func owner(of device: UInt64, orElse made: @autoclosure () -> String, _ db: Database) throws -> String {
        let statement = try db.cachedStatement(sql: "SELECT owner FROM erasing_subjects WHERE device = ?")
        if let owner = try String.fetchOne(statement, arguments: [Int64(bitPattern: device)]) { return owner }
        let owner = made()
        try db.execute(
            sql: "INSERT INTO erasing_subjects (device, owner) VALUES (?, ?)",
            arguments: [Int64(bitPattern: device), owner])
        return owner
    }

    /// All grants of a subject are erased: who it became in the ledger is not known any more.
    func forgetOwner(of device: UInt64, _ db: Database) throws {
        let device = Int64(bitPattern: device)
        try db.execute(
            sql:
                "UPDATE erasing_subjects SET owner = replace(hex(zeroblob(length(owner))), '00', '0') WHERE device = ?",
            arguments: [device])
        try db.execute(sql: "DELETE FROM erasing_subjects WHERE device = ?", arguments: [device])
    }

    /// Grants of a device, in no particular order.
    func grants(of device: UInt64, limit: Int, _ db: Database) throws -> [GrantID] {
        let statement = try db.cachedStatement(sql: "SELECT id FROM grants WHERE device = ? LIMIT ?")
        return try String.fetchAll(statement, arguments: [Int64(bitPattern: device), limit]).map(GrantID.init(stored:))
    }

    /// Takes device, record and the provider's words out of a grant.
    ///
    /// - Parameter record: 16 random bytes; no two grants have the same.
    func erase(_ id: GrantID, as erased: ErasedGrant, record: [UInt8], _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE grants SET device = 0, record = ?, reason = '', erased_owner = ?, erased_id = ? WHERE id = ?
                """
        ).execute(arguments: [Data(record), erased.owner, erased.id.text, id.text])
    }

    /// An erased grant is settled: what the provider knows it by goes, here at once and elsewhere soon. It is not asked about
    /// any more.
    func replaceReference(of grant: Grant, by erased: ErasedGrant, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE grants SET id = ?, reference = '', provider_id = '', due_at = NULL WHERE id = ?"
        ).execute(arguments: [erased.id.text, grant.id.text])
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO replaced_references (reference, replacement, attempts) VALUES (?, ?, ?)"
        ).execute(arguments: [grant.id.text, erased.id.text, grant.attempts])
    }

    /// What a grant is called since its reference was replaced; nil once that is forgotten.
    func replacement(of reference: GrantID, _ db: Database) throws -> GrantID? {
        try String.fetchOne(
            db, sql: "SELECT replacement FROM replaced_references WHERE reference = ?", arguments: [reference.text]
        ).map(GrantID.init(stored:))
    }

    func replacedReferences(_ db: Database) throws -> [ReplacedReference] {
        try Row.fetchAll(db, sql: "SELECT reference, replacement, attempts FROM replaced_references ORDER BY reference")
            .map {
                ReplacedReference(
                    reference: GrantID(stored: $0[0]), replacement: GrantID(stored: $0[1]), attempts: $0[2])
            }
    }

    /// References that stand nowhere else any more.
    func forget(_ references: [ReplacedReference], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM replaced_references WHERE reference = ?")
        for one in references { try statement.execute(arguments: [one.reference.text]) }
    }

    /// Under which grants of erased subjects that are not settled are known to the provider.
    func openReferences(_ db: Database) throws -> [PaymentReference] {
        try String.fetchAll(
            db,
            sql: """
                SELECT reference FROM grants WHERE state IN ('sent', 'asked', 'unknown', 'pending')
                    AND erased_owner IS NOT NULL AND reference <> ''
                """
        ).map(PaymentReference.init(stored:))
    }

    /// Grants of erased subjects that are not settled.
    func openGrants(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) FROM grants
                    WHERE state IN ('sent', 'asked', 'unknown', 'pending') AND erased_owner IS NOT NULL
                    """)) ?? 0
    }
}
