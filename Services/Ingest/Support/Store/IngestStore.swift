internal import Foundation
package import GRDB
package import IngestUploads
package import Models
internal import Wire

/// The SQL of ingest, inside the caller's transaction.
package struct IngestStore {
    package let db: Database

    package init(_ db: Database) { self.db = db }

    /// The text of a receipt that lists items.
    package func receipt(_ device: UInt64, _ batch: BatchID) throws -> [UInt8]? {
        try receiptBody(Int64(device), [UInt8](batch.data))
    }

    /// The same by the batch's 16 bytes.
    package func receiptBody(_ device: Int64, _ batch: [UInt8]) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT body FROM receipts WHERE device = ? AND batch = ?")
        guard let data = try Data.fetchOne(statement, arguments: [device, Data(batch)]) else { return nil }
        return try Inflater.inflate([UInt8](data), limit: 64 << 20)
    }

    package func save(_ receipt: Receipt, of device: UInt64, now: UnixMilliseconds) throws {
        let body = try Deflater.deflate(receipt.body, format: .zlib)
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO receipts (device, batch, given_at, body) VALUES (?, ?, ?, ?)"
        )
        .execute(arguments: [Int64(device), receipt.batchID.data, now, Data(body)])
    }

    package func forgetReceipt(_ device: UInt64, _ batch: BatchID) throws {
        try db.cachedStatement(sql: "DELETE FROM receipts WHERE device = ? AND batch = ?")
            .execute(arguments: [Int64(device), batch.data])
    }

    /// Forgets old texts, a bounded number at a time.
    package func forgetReceipts(before time: UnixMilliseconds) throws {
        let statement = try db.cachedStatement(
            sql: """
                DELETE FROM receipts WHERE (device, batch) IN
                    (SELECT device, batch FROM receipts WHERE given_at < ? ORDER BY given_at LIMIT 1000)
                """)
        try statement.execute(arguments: [time])
    }
}

extension BatchID {
    /// 16 bytes, big-endian.
    fileprivate var data: Data {
        var words = (high.bigEndian, low.bigEndian)
        return withUnsafeBytes(of: &words) { Data($0) }
    }
}
