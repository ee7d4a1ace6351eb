internal import GRDB
internal import Models
internal import Storage
internal import Wire

extension DayFile {
    /// A block by its place, not opened.
    static func block(
        _ sequence: Int64, day: String, _ layout: RawRowLayout, _ db: Database
    ) throws -> StoredRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(StoredRow.columns) FROM \(StoredRow.from) WHERE b.sequence = ?")
        return try Row.fetchOne(statement, arguments: [sequence]).map { try StoredRow($0, day: day, layout) }
    }

    /// Puts what remains of a block where the block stands.
    ///
    /// Every value keeps the number of bytes that it has in the file, the payload with zeros at its end. SQLite then overwrites
    /// the row where it is; it would move rows of other length between pages and leave copies of their neighbours in the gaps,
    /// which a later erasure of those could not reach. A payload that has become longer (fewer rows hardly ever deflate to
    /// more) is overwritten with zeros first.
    static func replace(_ stored: StoredRow, by rest: RawRest, day: String, _ db: Database) throws {
        var payload = rest.payload
        if payload.count > stored.payload.count {
            try db.execute(
                sql: "UPDATE blocks SET payload = zeroblob(length(payload)) WHERE sequence = ?",
                arguments: [stored.sequence])
        } else {
            payload += [UInt8](repeating: 0, count: stored.payload.count - payload.count)
        }
        let midnight = (ReceivedDay.number(named: day) ?? 0) * ReceivedDay.milliseconds
        let captured =
            RawPartMaker.bounds(rest.columns[ColumnID.capturedAt]?.integers ?? []) ?? midnight...midnight
        try db.cachedStatement(
            sql: """
                UPDATE blocks SET captured_from = ?, captured_to = ?, networks = ?, raw_length = ?, crc32 = ?, payload = ?
                WHERE sequence = ?
                """
        ).execute(arguments: [
            captured.lowerBound, captured.upperBound, owners(of: rest.columns, stored),
            StoredSize.largest(like: Int64(stored.rawLength)), StoredSize.largest(like: Int64(stored.crc32)),
            Blob.value(payload), stored.sequence,
        ])
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO gaps (sequence, \(RawGap.columns)) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [
                stored.sequence, Blob.value(NumberList.bytes(of: rest.gap.rows.map(UInt64.init))), rest.gap.length,
                rest.gap.rawLength, Int64(rest.gap.crc32),
            ])
        try setSubjects(rest.columns.devices, of: stored.sequence, db)
    }

    /// The owners of the rows that are left, and the unknown one in the place of those that have gone.
    private static func owners(of columns: Columns, _ stored: StoredRow) -> DatabaseValue {
        guard let old = stored.networks else { return .null }
        let owners = RowOwners(columns, stored.scope)
        let left = owners.distinct(rowCount: columns.rowCount, limit: RawPart.ownerLimit) ?? []
        let missing = max(0, old.count / 8 - left.count)
        return ownerList(left + [Int64](repeating: 0, count: missing))
    }
}

/// How many bytes SQLite takes for a whole number.
enum StoredSize {
    private static let largest: [Int64] = [0, 1, 0x7F, 0x7FFF, 0x7F_FFFF, 0x7FFF_FFFF, 0x7FFF_FFFF_FFFF, .max]

    /// The largest number that takes as many as one that is not negative: stands where that is not to be told any more.
    static func largest(like number: Int64) -> Int64 { largest.first { number <= $0 } ?? .max }
}
