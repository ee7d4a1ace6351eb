internal import GRDB
internal import Models
internal import Storage

/// What the checks remember. In the caller's transaction.
///
///     capture_traces(device, minute, count, at, latitude, longitude)   see ``CaptureTrace``
///     captures(hash, device, day)   what was captured when and where, by a hash, for ten days
struct SuspicionBook {
    static let migration = Migration(
        "what is odd",
        sql: """
            ALTER TABLE grants ADD COLUMN suspected TEXT NOT NULL DEFAULT '';
            CREATE TABLE capture_traces (
                device INTEGER PRIMARY KEY, minute INTEGER NOT NULL, count INTEGER NOT NULL, at INTEGER,
                latitude INTEGER, longitude INTEGER) STRICT;
            CREATE TABLE captures (
                hash INTEGER PRIMARY KEY, device INTEGER NOT NULL, day INTEGER NOT NULL) STRICT;
            CREATE INDEX captures_of_device ON captures (device);
            CREATE INDEX captures_of_day ON captures (day);
            """)

    /// Days for which captures are kept: records come so late.
    static let keptDays: Int64 = 10

    private var lastDay: Int64 = .min

    /// Takes a record that is paid for, and says what is odd about it.
    ///
    /// - Parameter day: the local day of its receipt.
    mutating func check(_ record: RewardedRecord, day: Int64, _ db: Database) throws -> Suspicion? {
        var trace = try Self.known(of: record.device, db) ?? CaptureTrace()
        let odd = SuspicionRules.check(record, &trace)
        try save(trace, of: record.device, db)
        let isCopied = try isCopied(record, day, db)
        return isCopied ? .copied : odd
    }

    /// What is remembered of a device; nil if nothing is.
    static func known(of device: UInt64, _ db: Database) throws -> CaptureTrace? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT minute, count, at, latitude, longitude FROM capture_traces WHERE device = ?"),
            arguments: [Int64(bitPattern: device)])
        guard let row else { return nil }
        var trace = CaptureTrace(minute: row[0], count: row[1])
        if let at = row[2] as Int64?, let latitude = row[3] as Int64?, let longitude = row[4] as Int64? {
            trace.place = CaptureTrace.Place(at: at, latitude: latitude, longitude: longitude)
        }
        return trace
    }

    private func save(_ trace: CaptureTrace, of device: UInt64, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO capture_traces (device, minute, count, at, latitude, longitude)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(bitPattern: device), trace.minute, trace.count, trace.place?.at, trace.place?.latitude,
            trace.place?.longitude,
        ])
    }

    /// Whether another device has captured the same. Positions that are rounded, and clocks that are, meet by chance: only what has
    /// both a position and a part of a second counts.
    private mutating func isCopied(_ record: RewardedRecord, _ day: Int64, _ db: Database) throws -> Bool {
        guard let latitude = record.latitude, let longitude = record.longitude, record.capturedAt % 1_000 != 0 else {
            return false
        }
        if day > lastDay {
            lastDay = day
            try db.execute(sql: "DELETE FROM captures WHERE day < ?", arguments: [day - Self.keptDays])
        }
        let hash = ShortHash.number(
            "nkul-capture-1", UInt64(bitPattern: record.capturedAt), UInt64(bitPattern: latitude),
            UInt64(bitPattern: longitude))
        let first = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT device FROM captures WHERE hash = ?"), arguments: [hash])
        if let first { return first != Int64(bitPattern: record.device) }
        try db.cachedStatement(sql: "INSERT INTO captures (hash, device, day) VALUES (?, ?, ?)")
            .execute(arguments: [hash, Int64(bitPattern: record.device), day])
        return false
    }
}
