internal import Foundation
internal import GRDB
internal import Models
internal import SubjectRights

/// What the privacy worker holds about a subscriber: the ledger of consents, and what the audit log says.
final class LedgerCopy: SubjectCopy {
    /// Consents of a page, and entries of the audit log that are looked at for one.
    private static let consentsAtOnce = 200
    private static let entriesAtOnce: Int64 = 2_000

    private let keys: AuditKeys

    init(_ keys: AuditKeys) { self.keys = keys }

    let held = [
        HeldKind(
            "consent",
            what: BilingualText(
                en: "every consent that was given, changed or withdrawn",
                fr: "chaque accord donné, changé ou retiré"),
            why: BilingualText(
                en: "proof of what was allowed, when", fr: "la preuve de ce qui était permis, et quand"),
            kept: BilingualText(en: "until everything is erased", fr: "jusqu'à l'effacement complet"),
            members: [
                HeldMember("version", .integer, "rises with each change"),
                HeldMember("purposes", .array, "names of what was allowed"),
                HeldMember("policy_version", .string, "the text that was agreed to"),
                HeldMember("age_band", .string, "as it was said; left out if it was not"),
                HeldMember("guardian", .boolean, "true if a guardian agreed"),
                HeldMember("received_at_ms", .integer, "Unix milliseconds"),
            ]),
        HeldKind(
            "audit_entry",
            what: BilingualText(
                en: "entries of the audit log about this device, which they name by a keyed hash",
                fr: "inscriptions du journal d'audit sur cet appareil, nommé par une empreinte à clé"),
            why: BilingualText(
                en: "proof of what was done with consents, copies and erasures",
                fr: "la preuve de ce qui a été fait des accords, copies et effacements"),
            kept: BilingualText(
                en: "for ever: the log is a chain; it names nobody to who has not the key",
                fr: "pour toujours : le journal est une chaîne ; il ne nomme personne à qui n'a pas la clé"),
            members: [
                HeldMember("number", .integer, "place in the log"), HeldMember("actor", .string, "who did it"),
                HeldMember("action", .string, "what was done"),
                HeldMember("detail", .string, "JSON"), HeldMember("at_ms", .integer, "Unix milliseconds"),
            ]),
    ]

    private struct ConsentLine: Encodable {
        let document: ConsentDocument
        let received_at_ms: UnixMilliseconds

        enum CodingKeys: String, CodingKey { case received_at_ms }

        func encode(to encoder: any Encoder) throws {
            try document.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(received_at_ms, forKey: .received_at_ms)
        }
    }

    private struct EntryLine: Encodable {
        let number: Int64
        let actor: String
        let action: String
        let detail: String
        let at_ms: UnixMilliseconds
    }

    /// After a place: `consents/<number>`, then `audit/<number>`.
    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        let parts = place?.split(separator: "/") ?? []
        let number = parts.last.flatMap { Int64($0) } ?? 0
        return parts.first == "audit"
            ? try entries(about: device, after: number, db)
            : try consents(of: Int64(bitPattern: device), after: number, db)
    }

    private func consents(of device: Int64, after number: Int64, _ db: Database) throws -> SubjectPage {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT number, received_at, document FROM consents WHERE device = ? AND number > ? ORDER BY number LIMIT ?
                """, arguments: [device, number, Self.consentsAtOnce])
        let lines = try rows.map { row in
            let document = try JSONDecoder().decode(ConsentDocument.self, from: Data((row[2] as String).utf8))
            return try SubjectLine(
                "consent", at: row[1], ConsentLine(document: document, received_at_ms: row[1]))
        }
        guard let last = rows.last?[0] as Int64?, rows.count == Self.consentsAtOnce else {
            return SubjectPage(lines: lines, next: "audit/0")
        }
        return SubjectPage(lines: lines, next: "consents/\(last)")
    }

    /// The log is searched from its beginning: no index says whom an entry is about.
    private func entries(about device: UInt64, after number: Int64, _ db: Database) throws -> SubjectPage {
        let subjects = try self.subjects(device, db)
        let looked = try AuditLog(db).entries(after: number, limit: Self.entriesAtOnce)
        let lines = try looked.filter { subjects.contains($0.subject) }.map { entry in
            try SubjectLine(
                "audit_entry", at: entry.at,
                EntryLine(
                    number: entry.number, actor: entry.actor, action: entry.action, detail: entry.detail,
                    at_ms: entry.at))
        }
        let isOver = looked.count < Int(Self.entriesAtOnce)
        return SubjectPage(lines: lines, next: isOver ? nil : looked.last.map { "audit/\($0.number)" })
    }

    /// By what the log names a device: the worker's own HMAC of its ordinal, and ingest's of its identifier.
    private func subjects(_ device: UInt64, _ db: Database) throws -> Set<[UInt8]> {
        let device = Int64(bitPattern: device)
        let marks = try String.fetchAll(
            db, sql: "SELECT DISTINCT subject FROM access_requests WHERE device = ?", arguments: [device])
        return Set(marks.compactMap { Hexadecimal.bytes($0) } + [keys.subject(device: device)])
    }
}
