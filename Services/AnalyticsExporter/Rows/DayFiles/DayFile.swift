package import GRDB
internal import Models
package import Storage
internal import Wire

/// Schema and statements of one file of raw rows, `raw/<received day, UTC>.sqlite`: one row a block.
///
/// The columns of a block stay compressed as they travelled (and are sealed where blocks are); beside them stands what a
/// query needs to pass over a block without opening it. In tables of their own: whose rows each block has, in which hours they
/// were received, and what is left of blocks that rows were erased from.
package enum DayFile {
    package static let migrations = [
        Migration(
            "blocks",
            sql: """
                CREATE TABLE blocks (
                    sequence INTEGER PRIMARY KEY,
                    lane INTEGER NOT NULL, generation INTEGER NOT NULL, number INTEGER NOT NULL,
                    kind INTEGER NOT NULL, kind_version INTEGER NOT NULL, row_count INTEGER NOT NULL,
                    captured_from INTEGER NOT NULL, captured_to INTEGER NOT NULL, networks BLOB,
                    raw_length INTEGER NOT NULL, crc32 INTEGER NOT NULL, key_id INTEGER NOT NULL, payload BLOB NOT NULL);
                CREATE UNIQUE INDEX blocks_by_position ON blocks (lane, generation, number);
                """),
        // Of blocks that are there already the subjects are not known until somebody looks.
        Migration(
            "subjects of blocks, rows that are gone",
            sql: """
                CREATE TABLE block_subjects (sequence INTEGER PRIMARY KEY, subjects BLOB);
                INSERT INTO block_subjects (sequence) SELECT sequence FROM blocks INDEXED BY blocks_by_position
                    ORDER BY sequence;
                CREATE TABLE gaps (
                    sequence INTEGER PRIMARY KEY, rows BLOB NOT NULL, length INTEGER NOT NULL,
                    raw_length INTEGER NOT NULL, crc32 INTEGER NOT NULL);
                """),
        // Of blocks that are there already the hours are not known: they may be any of the day.
        Migration(
            "hours of blocks",
            sql: """
                CREATE TABLE block_hours (sequence INTEGER PRIMARY KEY, first INTEGER, last INTEGER);
                INSERT INTO block_hours (sequence) SELECT sequence FROM block_subjects ORDER BY sequence;
                """),
    ]

    /// Adds a part unless it is there already: a repetition after a crash changes nothing.
    ///
    /// - Returns: whether it was new.
    static func insert(_ part: RawPart, sequence: Int64, payload: [UInt8], keyID: UInt32, in db: Database) throws
        -> Bool
    {
        let statement = try db.cachedStatement(sql: insertSQL)
        let header = part.header
        try statement.execute(arguments: [
            sequence, Int64(part.lane.id), Int64(bitPattern: header.generation), Int64(bitPattern: header.number),
            Int64(header.kind), Int64(header.kindVersion), header.rowCount, part.captured.lowerBound,
            part.captured.upperBound, part.owners.map(ownerList), header.rawLength, Int64(header.crc32),
            Int64(keyID),
            Blob.value(payload),
        ])
        guard db.changesCount > 0 else { return false }
        try setSubjects(header.subjects, of: sequence, db)
        try db.cachedStatement(sql: "INSERT INTO block_hours (sequence, first, last) VALUES (?, ?, ?)")
            .execute(arguments: [sequence, part.hours.lowerBound, part.hours.upperBound])
        return true
    }

    /// The hours in which rows of a block were received, all of the day if that was not noted.
    ///
    /// - Parameter day: the day of the file.
    static func hours(of sequence: Int64, day: Int64, _ db: Database) throws -> ClosedRange<Int64> {
        let statement = try db.cachedStatement(sql: "SELECT first, last FROM block_hours WHERE sequence = ?")
        let row = try Row.fetchOne(statement, arguments: [sequence])
        guard let first = row?[0] as Int64?, let last = row?[1] as Int64? else {
            return ClosedRange(ReceivedHour.hours(ofDay: day))
        }
        return first...last
    }

    /// Notes whose rows a block has: device ordinals, ascending.
    static func setSubjects(_ subjects: [UInt64], of sequence: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO block_subjects (sequence, subjects) VALUES (?, ?)")
            .execute(arguments: [sequence, Blob.value(NumberList.bytes(of: subjects))])
    }

    /// Places of the blocks of a file; nil if it has none.
    package static func sequences(_ db: Database) throws -> ClosedRange<Int64>? {
        let row = try Row.fetchOne(db, sql: "SELECT min(sequence), max(sequence) FROM blocks")
        guard let low = row?[0] as Int64?, let high = row?[1] as Int64? else { return nil }
        return low...high
    }

    /// Raw rows of the blocks behind a place, erased ones too.
    static func rows(after sequence: Int64, _ layout: RawRowLayout, _ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT sum(row_count) FROM blocks WHERE sequence > ? AND kind IN (\(layout.kindList))",
            arguments: [sequence]) ?? 0
    }

    /// Raw rows that are there.
    ///
    /// - Parameter planned: numbers of rows, by the place of their block, that count as gone already.
    package static func rows(
        without planned: [Int64: Set<UInt64>], _ layout: RawRowLayout, _ db: Database
    ) throws -> Int64 {
        var gone = planned
        let gaps = try Row.fetchCursor(db, sql: "SELECT sequence, rows FROM gaps")
        while let row = try gaps.next() {
            gone[row[0], default: []].formUnion(NumberList.numbers(in: Blob.bytes(row, 1)))
        }
        let raw = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM blocks WHERE sequence = ? AND kind IN (\(layout.kindList)))")
        return try gone.reduce(rows(after: 0, layout, db)) { sum, block in
            try Bool.fetchOne(raw, arguments: [block.key]) == true ? sum - Int64(block.value.count) : sum
        }
    }

    /// What a sealed payload is bound to: where it stands.
    static func seal(lane: LaneName, generation: UInt64, number: UInt64, day: Int64) -> [UInt8] {
        var bytes = [lane.id]
        for value in [generation, number, UInt64(bitPattern: day)] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// Eight bytes an owner, big-endian.
    static func ownerList(_ owners: [Int64]) -> DatabaseValue {
        Blob.value(
            owners.flatMap { owner in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: owner >> Int64($0)) }
            })
    }

    private static let insertSQL = """
        INSERT INTO blocks (sequence, lane, generation, number, kind, kind_version, row_count, captured_from, captured_to,
            networks, raw_length, crc32, key_id, payload)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (lane, generation, number) DO NOTHING
        """
}
