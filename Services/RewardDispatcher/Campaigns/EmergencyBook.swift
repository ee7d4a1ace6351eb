internal import GRDB
internal import Models
internal import Storage

/// Emergencies that wait for others to confirm them, and those that confirm. In the caller's transaction; only while a campaign
/// pays for them.
///
/// A device's further emergencies from the same cell within the time add nothing, so that nobody confirms itself and few are
/// looked at for each that comes.
///
///     emergencies(hash, device, kind, plmn, cell, captured_at, received_at, is_open)
///
/// `hash` names the record; a cell is its code (`Quadkey.code`); `is_open`: some campaign may still pay for it.
struct EmergencyBook {
    static let migration = Migration(
        "emergencies that others confirm",
        sql: """
            CREATE TABLE emergencies (
                hash INTEGER PRIMARY KEY, device INTEGER NOT NULL, kind TEXT NOT NULL, plmn INTEGER NOT NULL,
                cell INTEGER NOT NULL, captured_at INTEGER NOT NULL, received_at INTEGER NOT NULL,
                is_open INTEGER NOT NULL) STRICT;
            CREATE INDEX emergencies_by_cell ON emergencies (cell, captured_at, device);
            CREATE INDEX emergencies_open ON emergencies (cell, captured_at) WHERE is_open = 1;
            CREATE INDEX emergencies_of_device ON emergencies (device);
            CREATE INDEX emergencies_by_receipt ON emergencies (received_at);
            """)

    /// How long they are kept: records come so late.
    static let kept: UnixMilliseconds = 10 * 86_400_000

    /// An emergency as it is kept.
    struct Entry {
        let hash: Int64
        let record: RewardedRecord
    }

    /// The day on which old ones were last deleted.
    private var lastDay: Int64 = .min

    /// Deletes what is too old, once a day.
    mutating func forgetOld(day: Int64, now: UnixMilliseconds, _ db: Database) throws {
        guard day > lastDay else { return }
        lastDay = day
        try db.execute(sql: "DELETE FROM emergencies WHERE received_at < ?", arguments: [now - Self.kept])
    }

    /// Nobody pays for them any more.
    func forgetAll(_ db: Database) throws { try db.execute(sql: "DELETE FROM emergencies") }

    /// Takes an emergency; false if it has no position, is known, or its device has reported one from there within the time.
    ///
    /// - Parameter time: milliseconds before and after it.
    func add(_ record: RewardedRecord, within time: UnixMilliseconds, _ db: Database) throws -> Bool {
        guard let cell = record.cell.map({ Int64(bitPattern: $0.code) }) else { return false }
        let hash = ShortHash.number("nkul-emergency-1", record.device, record.record.high, record.record.low)
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO emergencies (hash, device, kind, plmn, cell, captured_at, received_at, is_open)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 1 WHERE NOT EXISTS (
                    SELECT 1 FROM emergencies
                    WHERE cell = ?5 AND captured_at BETWEEN ?6 - ?8 AND ?6 + ?8 AND device = ?2)
                """
        ).execute(arguments: [
            hash, Int64(bitPattern: record.device), record.kind, record.plmn.rawValue, cell, record.capturedAt,
            record.receivedAt, time,
        ])
        return db.changesCount > 0
    }

    /// Those that may be confirmed by an emergency that came now, and itself: open ones from its cell within the time.
    func open(around record: RewardedRecord, within time: UnixMilliseconds, _ db: Database) throws -> [Entry] {
        guard let cell = record.cell.map({ Int64(bitPattern: $0.code) }) else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT hash, device, kind, plmn, cell, captured_at, received_at FROM emergencies
                    WHERE is_open = 1 AND cell = ? AND captured_at BETWEEN ? AND ? ORDER BY captured_at, hash
                    """), arguments: [cell, record.capturedAt - time, record.capturedAt + time]
        ).map(Self.entry)
    }

    /// Whether so many other devices have reported one from the same cell within a condition's time.
    func isConfirmed(_ entry: Entry, _ condition: ConfirmedEmergency, _ db: Database) throws -> Bool {
        guard let cell = entry.record.cell.map({ Int64(bitPattern: $0.code) }) else { return false }
        let time = condition.minutes * 60_000, at = entry.record.capturedAt
        let others = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) FROM (
                        SELECT DISTINCT device FROM emergencies
                        WHERE cell = ? AND captured_at BETWEEN ? AND ? AND device <> ? LIMIT ?)
                    """),
            arguments: [cell, at - time, at + time, Int64(bitPattern: entry.record.device), condition.devices])
        return others == condition.devices
    }

    /// No campaign looks at it any more.
    func close(_ entry: Entry, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE emergencies SET is_open = 0 WHERE hash = ?").execute(arguments: [entry.hash]
        )
    }

    private static func entry(_ row: Row) -> Entry {
        // Somewhere in its cell, which is all that campaigns ask for.
        let bounds = Quadkey(level: CampaignDayDocument.cellLevel, code: UInt64(bitPattern: row[4] as Int64)).bounds
        return Entry(
            hash: row[0],
            record: RewardedRecord(
                kind: row[2], device: UInt64(bitPattern: row[1] as Int64), record: RecordIdentifier(high: 0, low: 0),
                receivedAt: row[6], capturedAt: row[5], plmn: PLMN(rawValue: row[3]),
                latitude: Int64((bounds.south + bounds.north) / 2 * 1e7),
                longitude: Int64((bounds.west + bounds.east) / 2 * 1e7), isEmergency: true, isMocked: false, flags: []))
    }
}
