internal import Foundation
internal import GRDB
internal import Models

/// The SQL of the audit log, inside the caller's transaction.
struct AuditLog {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// The signed end of the log; nil before its first entry.
    func head() throws -> AuditHead? {
        guard let row = try Row.fetchOne(db, sql: "SELECT count, hash, at, signature FROM audit_head") else {
            return nil
        }
        return AuditHead(count: row[0], hash: Self.bytes(row[1]), at: row[2], signature: Self.bytes(row[3]))
    }

    func save(_ head: AuditHead) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO audit_head (id, count, hash, at, signature) VALUES (1, ?, ?, ?, ?)"
        ).execute(arguments: [head.count, Data(head.hash), head.at, Data(head.signature)])
    }

    func append(_ entry: AuditEntry) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO audit_entries (number, at, actor, action, subject, detail, previous, hash)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            entry.number, entry.at, entry.actor, entry.action, entry.subject.isEmpty ? nil : Data(entry.subject),
            entry.detail, Data(entry.previous), Data(entry.hash),
        ])
    }

    /// Goes through all entries in the order of their numbers.
    func forEach(_ body: (AuditEntry) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "\(Self.select) ORDER BY number")
        while let row = try rows.next() { try body(Self.entry(row)) }
    }

    /// Some entries in the order of their numbers.
    func entries(after number: Int64, limit: Int64) throws -> [AuditEntry] {
        try Row.fetchAll(
            db.cachedStatement(sql: "\(Self.select) WHERE number > ? ORDER BY number LIMIT ?"),
            arguments: [number, limit]
        ).map(Self.entry)
    }

    /// Some entries, the newest first.
    func entries(before number: Int64, limit: Int64) throws -> [AuditEntry] {
        try Row.fetchAll(
            db.cachedStatement(sql: "\(Self.select) WHERE number < ? ORDER BY number DESC LIMIT ?"),
            arguments: [number, limit]
        ).map(Self.entry)
    }

    /// The entry with the highest number.
    func last() throws -> AuditEntry? {
        try Row.fetchOne(db.cachedStatement(sql: "\(Self.select) ORDER BY number DESC LIMIT 1")).map(Self.entry)
    }

    private static let select =
        "SELECT number, at, actor, action, subject, detail, previous, hash FROM audit_entries"

    private static func entry(_ row: Row) -> AuditEntry {
        AuditEntry(
            number: row[0], at: row[1], actor: row[2], action: row[3], subject: bytes(row[4]), detail: row[5],
            previous: bytes(row[6]), hash: bytes(row[7]))
    }

    private static func bytes(_ data: Data?) -> [UInt8] { data.map { [UInt8]($0) } ?? [] }
}

extension AuditLog {
    /// True if anything was ever kept in this database: then there is a signed head, and the key that signed it.
    func isBegun() throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM audit_head) OR EXISTS (SELECT 1 FROM audit_entries)
                    OR EXISTS (SELECT 1 FROM consents)
                """) ?? false
    }

    /// The head on which the next entry may be chained: signed by `keys`, and of the last entry; nil before the first.
    ///
    /// - Throws: ``AuditUnsound``. That entries before the last are as they were written only ``AuditVerifier`` can tell.
    func trustedHead(_ keys: AuditKeys) throws -> AuditHead? {
        guard let head = try head() else {
            if try isBegun() { throw AuditUnsound(fault: .noHead) }
            return nil
        }
        if let fault = try fault(of: head, keys) { throw AuditUnsound(fault: fault) }
        return head
    }

    private func fault(of head: AuditHead, _ keys: AuditKeys) throws -> AuditFault? {
        guard keys.hasSigned(head) else { return .wrongSignature }
        let last = try last()
        guard let last, last.number == head.count else {
            return .wrongLength(signed: head.count, found: last?.number ?? 0)
        }
        guard last.hash == head.hash else { return .wrongEnd(number: last.number) }
        return last.expectedHash == last.hash ? nil : .changed(number: last.number)
    }
}

/// Why the worker adds nothing to a log: its end is not what it signed itself. A head over that would make the forgery sound.
struct AuditUnsound: Error, Equatable, CustomStringConvertible {
    let fault: AuditFault

    var description: String {
        "the audit log is not sound: \(fault); nothing was added and nothing signed, consents wait on their lane."
            + " See nkul-privacy-worker --verify, keep this state.sqlite as evidence and put back a copy that is sound"
    }
}
