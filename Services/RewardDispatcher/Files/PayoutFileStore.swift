internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
internal import Storage

/// Orders that are paid by file, in books of their own (`reward-dispatcher/payouts.sqlite`).
///
/// A number is kept sealed from the order until its file is on disk, and no longer.
struct PayoutFileStore: Sendable {
    static let migrations = [
        Migration(
            "orders",
            sql: """
                CREATE TABLE orders (
                    reference TEXT NOT NULL PRIMARY KEY, sealed BLOB, amount INTEGER NOT NULL, ordered_at INTEGER NOT NULL,
                    file TEXT, state TEXT NOT NULL, note TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
                CREATE INDEX orders_unwritten ON orders (file, reference) WHERE sealed IS NOT NULL;
                """)
    ]

    /// What became of an order: `ordered` until somebody says.
    struct Order: Sendable, Equatable {
        let amount: Int64
        let isWritten: Bool
        /// Nil until somebody says.
        let result: ResultFile.Result?
        let note: String
    }

    private let sealer: BlockSealer

    init(_ sealer: BlockSealer) { self.sealer = sealer }

    /// Takes up an order; one with the same reference changes nothing.
    func add(_ line: PayoutLine, _ db: Database) throws {
        let sealed = try sealer.seal(
            [UInt8](try JSONEncoder().encode(line.recipient)), additional: Array(line.reference.text.utf8))
        try db.execute(
            sql:
                "INSERT OR IGNORE INTO orders (reference, sealed, amount, ordered_at, state) VALUES (?, ?, ?, ?, 'ordered')",
            arguments: [line.reference.text, Data(sealed), line.amount, line.orderedAt])
    }

    func order(_ reference: PaymentReference, _ db: Database) throws -> Order? {
        let row = try Row.fetchOne(
            db, sql: "SELECT amount, file, state, note FROM orders WHERE reference = ?", arguments: [reference.text])
        return row.map {
            Order(
                amount: $0[0], isWritten: ($0[1] as String?) != nil, result: ResultFile.Result(rawValue: $0[2]),
                note: $0[3])
        }
    }

    /// Puts all orders that are in no file into the next one of a day; its name, nil if there are none.
    func assign(day: Int64, _ db: Database) throws -> String? {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM orders WHERE file IS NULL)") ?? false else {
            return nil
        }
        var number = 1
        while try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM orders WHERE file = ?)",
            arguments: [PayoutFile.name(day: day, number: number)]) ?? false
        { number += 1 }
        let name = PayoutFile.name(day: day, number: number)
        try db.execute(sql: "UPDATE orders SET file = ? WHERE file IS NULL", arguments: [name])
        return name
    }

    /// Files that were assigned and are perhaps not on disk: their numbers are still here.
    func unwritten(_ db: Database) throws -> [PayoutFile] {
        let names = try String.fetchAll(
            db, sql: "SELECT DISTINCT file FROM orders WHERE sealed IS NOT NULL AND file IS NOT NULL ORDER BY file")
        return try names.map { name in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT reference, sealed, amount, ordered_at FROM orders WHERE file = ? AND sealed IS NOT NULL",
                arguments: [name])
            return PayoutFile(name: name, try rows.map(line))
        }
    }

    /// A file is on disk: its numbers go from here.
    func forgetNumbers(of file: String, _ db: Database) throws {
        try db.execute(sql: "UPDATE orders SET sealed = zeroblob(length(sealed)) WHERE file = ?", arguments: [file])
        try db.execute(sql: "UPDATE orders SET sealed = NULL WHERE file = ?", arguments: [file])
    }

    /// An order of an erased subject: its number goes. Unless its file is on disk, where somebody may have seen it, it is in no file
    /// any more, and rejected.
    func withdraw(_ reference: PaymentReference, isOnDisk: (String) -> Bool, _ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT file FROM orders WHERE reference = ? AND sealed IS NOT NULL", arguments: [reference.text])
        guard let row else { return }
        let file = row[0] as String?
        try db.execute(
            sql: "UPDATE orders SET sealed = zeroblob(length(sealed)) WHERE reference = ?", arguments: [reference.text])
        try db.execute(sql: "UPDATE orders SET sealed = NULL WHERE reference = ?", arguments: [reference.text])
        guard file.map(isOnDisk) != true else { return }
        try db.execute(
            sql: "UPDATE orders SET file = 'withdrawn', state = 'rejected', note = 'withdrawn' WHERE reference = ?",
            arguments: [reference.text])
    }

    /// The books came out of a backup: what was in no file then may be in one since, and paid. It is in no further one.
    static func takeIn(_ restoration: Restoration, _ db: Database) throws {
        try db.execute(sql: "UPDATE orders SET file = 'before the restore', sealed = NULL WHERE file IS NULL")
    }

    func isRestored(_ db: Database) throws -> Bool {
        try RestoreRecord.lastRestore(db) != nil
    }

    func put(_ result: ResultFile.Result, note: String, of reference: PaymentReference, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE orders SET state = ?, note = ? WHERE reference = ?",
            arguments: [result.rawValue, note, reference.text])
    }

    /// Orders, and those of them that are in no file and that nobody has said anything about.
    func counts(_ db: Database) throws -> (unwritten: Int64, open: Int64) {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*) FILTER (WHERE file IS NULL), count(*) FILTER (WHERE file IS NOT NULL AND state = 'ordered')
                FROM orders
                """)
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    func replace(_ references: [ReplacedReference], _ db: Database) throws {
        let rename = try db.cachedStatement(sql: "UPDATE orders SET reference = ?, note = '' WHERE reference = ?")
        for one in references.flatMap(\.payments) {
            try rename.execute(arguments: [one.replacement.text, one.reference.text])
        }
        try ServiceDatabase.rewrite(tables: ["orders"], db)
    }

    private func line(_ row: Row) throws -> PayoutLine {
        let reference: String = row[0]
        let clear = try sealer.open(
            [UInt8](row[1] as Data), additional: Array(reference.utf8), place: "the number of an order")
        let number = try JSONDecoder().decode(PayoutNumber.self, from: Data(clear))
        return PayoutLine(
            reference: PaymentReference(stored: reference), recipient: number, amount: row[2], orderedAt: row[3])
    }
}
