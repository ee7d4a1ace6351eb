internal import Foundation
internal import Lanes
internal import Models
internal import Wire

/// The entries of one transaction: chains them to the log and signs its new head once.
struct AuditWriter {
    private let log: AuditLog
    private let keys: AuditKeys
    private let now: UnixMilliseconds
    private var number: Int64
    private var previous: [UInt8]
    private var last: AuditEntry?

    /// - Throws: ``AuditUnsound`` if the log does not end as it was signed: nothing may be chained to it.
    init(_ log: AuditLog, _ keys: AuditKeys, now: UnixMilliseconds) throws {
        self.log = log
        self.keys = keys
        self.now = now
        let head = try log.trustedHead(keys)
        number = head?.count ?? 0
        previous = head?.hash ?? AuditEntry.origin
    }

    /// Writes the first entry of a new log; of one that was begun, nothing.
    mutating func open() throws {
        if number == 0 { try write("privacy-worker", "log.opened", [], "{}") }
    }

    /// - Parameters:
    ///   - subject: 32 bytes, or none.
    ///   - detail: a JSON object.
    mutating func append(actor: String, action: String, subject: [UInt8], detail: String) throws {
        try open()
        try write(actor, action, subject, detail)
    }

    /// Signs the head, stores it and emits it; false if there were no entries.
    @discardableResult
    func finish(_ emit: inout Emission) throws -> Bool {
        guard let last else { return false }
        let head = try keys.head(after: last)
        try log.save(head)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let document = [UInt8](try encoder.encode(head.document))
        let key = Array("head".utf8), one = RowSet.full(1)
        try emit.append(
            to: .privacy, kind: .auditHead,
            columns: Columns(
                rowCount: 1,
                columns: [
                    Column(id: ColumnID.key, presence: one, bytes: key, ends: [UInt32(key.count)]),
                    Column(id: ColumnID.document, presence: one, bytes: document, ends: [UInt32(document.count)]),
                ]))
        return true
    }

    private mutating func write(_ actor: String, _ action: String, _ subject: [UInt8], _ detail: String) throws {
        let entry = AuditEntry(
            number: number + 1, at: now, actor: actor, action: action, subject: subject, detail: detail,
            previous: previous)
        try log.append(entry)
        (number, previous, last) = (entry.number, entry.hash, entry)
    }
}
