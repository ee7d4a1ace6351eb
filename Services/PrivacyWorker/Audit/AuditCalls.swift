internal import Models
internal import ServiceKit
internal import Storage

/// What the privacy worker answers about its audit log on the control socket, beside `audit.verify`: `audit.list` and
/// `audit.show`.
struct AuditCalls: Sendable {
    let reader: ReadOnlyDatabase

    /// Entries of one page at most.
    static let mostEntries: Int64 = 200

    /// An entry as it is told.
    struct Entry: Encodable, Sendable {
        let number: Int64
        let at_ms: UnixMilliseconds
        let actor, action: String
        /// HMAC of the device concerned, hexadecimal; missing if none is.
        let subject: String?
        let detail: JSONValue
        /// Hexadecimal.
        let previous, hash: String

        init(_ entry: AuditEntry) {
            number = entry.number
            at_ms = entry.at
            actor = entry.actor
            action = entry.action
            subject = entry.subject.isEmpty ? nil : Hexadecimal.text(entry.subject)
            detail = (try? JSONValue(bytes: Array(entry.detail.utf8))) ?? .string(entry.detail)
            previous = Hexadecimal.text(entry.previous)
            hash = Hexadecimal.text(entry.hash)
        }
    }

    /// A page of `audit.list`.
    struct Page: Encodable, Sendable {
        let entries: [Entry]
        /// `before` or `after` of the next page; left out on the last one.
        let next: Int64?
        /// The signed end of the log; left out before its first entry.
        let head: AuditHeadDocument?
    }

    var all: [ControlCall] {
        [
            .typed("audit.list", JSONValue.self) { try page($0) },
            .typed("audit.show", JSONValue.self) { try entry($0) },
        ]
    }

    /// `{before?, limit?}` the newest first, `{after, limit?}` the oldest first.
    func page(_ arguments: JSONValue) throws -> Page {
        let limit = try arguments.integer("limit", default: 50, in: 1...Self.mostEntries)
        let before = try arguments.integer("before", default: .max)
        let after = arguments["after"] == nil ? nil : try arguments.integer("after", default: 0, in: 0...Int64.max)
        return try reader.read { db in
            let log = AuditLog(db)
            let found =
                try after.map { try log.entries(after: $0, limit: limit + 1) }
                ?? log.entries(before: before, limit: limit + 1)
            let entries = found.prefix(Int(limit))
            return Page(
                entries: entries.map(Entry.init), next: found.count > entries.count ? entries.last?.number : nil,
                head: try log.head()?.document)
        }
    }

    func entry(_ arguments: JSONValue) throws -> Entry {
        let number = try arguments.integer("number", in: 1...Int64.max)
        guard let entry = try reader.read({ try AuditLog($0).entries(after: number - 1, limit: 1) }).first,
            entry.number == number
        else { throw ControlError.notFound("there is no entry \(number) in the audit log") }
        return Entry(entry)
    }
}
