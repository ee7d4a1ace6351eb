internal import GRDB
internal import Models
internal import ServiceKit
internal import Storage
internal import Wire

/// The documents of the book in the router's database. Every function runs in the caller's transaction.
enum OnCallStore {
    static let migration = Migration(
        "schedules, escalations, planned work",
        sql: """
            CREATE TABLE on_call_documents (
                kind INTEGER NOT NULL, key TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (kind, key))
                STRICT, WITHOUT ROWID;
            """)

    /// What cannot be used of a document, in a sentence.
    struct Fault: Equatable {
        let document: String
        let reason: String
    }

    /// The book as it is stored. What does not compile, which only a document of a newer version does, is left out.
    static func book(_ db: Database) throws -> OnCallBook {
        var book = OnCallBook()
        for row in try Row.fetchAll(db, sql: "SELECT kind, key, document FROM on_call_documents") {
            guard let kind = OnCallBook.kinds.first(where: { Int64($0.id) == row[0] }) else { continue }
            do { try book.put(kind, row[1], Blob.bytes(row, 2)) } catch { continue }
        }
        return book
    }

    /// Takes in the rows of a block.
    ///
    /// - Returns: keys of what has changed, and what cannot be used.
    static func follow(
        _ kind: RecordKind, _ columns: Columns, _ book: inout OnCallBook, _ db: Database
    ) throws -> (changed: [String], faults: [Fault]) {
        guard let keys = columns[ColumnID.key] else { return ([], []) }
        let documents = columns[ColumnID.document]
        var changed: [String] = [], faults: [Fault] = []
        for row in 0..<columns.rowCount {
            guard let key = keys.value(row).map({ String(decoding: $0, as: UTF8.self) }) else { continue }
            let document = documents?.value(row).map { Array($0) }
            changed.append(key)
            do throws(DocumentRefusal) { try book.put(kind, key, document) } catch {
                faults.append(Fault(document: "\(kind.name) \(key)", reason: error.description))
            }
            try db.execute(
                sql: "DELETE FROM on_call_documents WHERE kind = ? AND key = ?", arguments: [Int64(kind.id), key])
            guard let document else { continue }
            try db.execute(
                sql: "INSERT INTO on_call_documents (kind, key, document) VALUES (?, ?, ?)",
                arguments: [Int64(kind.id), key, Blob.value(document)])
        }
        return (changed, faults)
    }
}
