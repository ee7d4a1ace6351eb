internal import Foundation
internal import GRDB
internal import Models

extension DeviceStore {
    /// A record that waits, opened.
    private struct Waiting {
        let seq: Int64
        let at: Int64
        let members: [UInt8]
    }

    /// Makes an upload of the oldest records of one kind, as many as go into it. One urgent record alone is an object, as clear
    /// text, so that it fits a message; anything else is an array, compressed.
    ///
    /// Its bytes are kept: each try sends the same ones under the same key.
    func form(_ order: UploadOrder, _ db: Database) throws {
        let isUrgent = order.slot == .urgent
        guard
            let kind = try Int64.fetchOne(
                db, sql: "SELECT kind FROM records WHERE slot IS NULL AND is_urgent = ? ORDER BY seq LIMIT 1",
                arguments: [isUrgent])
        else { return }
        let rows = try waiting(kind, isUrgent: isUrgent, most: order.rows, db)
        var count = rows.count
        let isObject = isUrgent && count == 1
        var body = isObject ? Self.object(rows[0], order.shift) : Self.array(rows.prefix(count), order.shift)
        while body.count > order.bytes, count > 1 {
            count = max(1, min(count - 1, count * order.bytes / body.count))
            body = Self.array(rows.prefix(count), order.shift)
        }
        let all =
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM records WHERE slot IS NULL AND is_urgent = ?", arguments: [isUrgent])
            ?? count
        for row in rows.prefix(count) {
            try db.cachedStatement(sql: "UPDATE records SET slot = ? WHERE seq = ?")
                .execute(arguments: [order.slot.rawValue, row.seq])
        }
        try db.execute(
            sql: "INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                order.slot.rawValue, order.key, kind, count, body.count, !isObject, order.shift, count < all,
                rows.prefix(count).map(\.at).max() ?? 0, Data(try sealer.seal(body, at: "upload \(order.key)")),
            ])
        self.count("uploads", 1)
    }

    private func waiting(_ kind: Int64, isUrgent: Bool, most: Int, _ db: Database) throws -> [Waiting] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT seq, at, sealed FROM records WHERE slot IS NULL AND is_urgent = ? AND kind = ?
                ORDER BY seq LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [isUrgent, kind, most]).map { row in
            let seq = row["seq"] as Int64
            return Waiting(
                seq: seq, at: row["at"], members: try sealer.open([UInt8](row["sealed"] as Data), at: "record \(seq)"))
        }
    }

    private static func array(_ rows: ArraySlice<Waiting>, _ shift: Int64) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "[")]
        for row in rows {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += object(row, shift)
        }
        json.append(UInt8(ascii: "]"))
        return GzipBody.compress(json)
    }

    private static func object(_ row: Waiting, _ shift: Int64) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"seq\":\(row.seq),\"captured_at_ms\":\(row.at + shift)")
        return json.bytes + (row.members.isEmpty ? [] : [UInt8(ascii: ",")]) + row.members + [UInt8(ascii: "}")]
    }
}
