internal import Foundation
internal import GRDB
internal import Models
internal import Storage

/// The tables of the privacy worker and the SQL of its consent ledger, inside the caller's transaction.
struct PrivacyWorkerStore {
    /// - `consents`: every consent of every device, in the order they came. Rows are added, never changed, and removed only
    ///   when their subject is erased, or long after a newer one took their place.
    /// - `audit_entries`, `audit_head`: ``AuditLog``.
    static let migrations = [
        Migration(
            "consent ledger, audit log",
            sql: """
                CREATE TABLE consents (
                    number INTEGER PRIMARY KEY, device INTEGER NOT NULL, version INTEGER NOT NULL,
                    received_at INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
                CREATE INDEX consents_by_device ON consents (device, number);
                CREATE TABLE audit_entries (
                    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
                    subject BLOB, detail TEXT NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
                CREATE TABLE audit_head (
                    id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL, hash BLOB NOT NULL,
                    at INTEGER NOT NULL, signature BLOB NOT NULL) STRICT;
                CREATE TRIGGER consents_are_kept BEFORE DELETE ON consents
                    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;
                CREATE TRIGGER consents_are_final BEFORE UPDATE ON consents
                    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;
                CREATE TRIGGER audit_entries_are_kept BEFORE DELETE ON audit_entries
                    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
                CREATE TRIGGER audit_entries_are_final BEFORE UPDATE ON audit_entries
                    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
                """),
        // Consents of a device that is being erased may go, in the transaction that says which it is, and no others.
        Migration(
            "erasures",
            sql: """
                CREATE TABLE consents_erased (device INTEGER PRIMARY KEY) STRICT;
                DROP TRIGGER consents_are_kept;
                CREATE TRIGGER consents_are_kept BEFORE DELETE ON consents
                    WHEN OLD.device NOT IN (SELECT device FROM consents_erased)
                    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;
                """ + ErasureOrders.schema),
        // So may consents that newer ones have taken the place of, in the transaction that says which they are.
        Migration(
            "retention",
            sql: """
                CREATE TABLE consents_superseded (number INTEGER PRIMARY KEY) STRICT;
                DROP TRIGGER consents_are_kept;
                CREATE TRIGGER consents_are_kept BEFORE DELETE ON consents
                    WHEN OLD.device NOT IN (SELECT device FROM consents_erased)
                        AND OLD.number NOT IN (SELECT number FROM consents_superseded)
                    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;
                """ + RetentionOrders.schema),
    ]

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// The consent of a device with the highest version.
    func newestConsent(of device: Int64) throws -> ConsentDocument? {
        let statement = try db.cachedStatement(
            sql: "SELECT document FROM consents WHERE device = ? ORDER BY version DESC, number DESC LIMIT 1")
        guard let text = try String.fetchOne(statement, arguments: [device]) else { return nil }
        return try JSONDecoder().decode(ConsentDocument.self, from: Data(text.utf8))
    }

    /// Adds a consent to the ledger; `text` is its document.
    func append(_ record: ConsentRecord, text: String) throws {
        try db.cachedStatement(
            sql: "INSERT INTO consents (device, version, received_at, document) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [record.device, record.document.version, record.receivedAt, text])
    }
}
