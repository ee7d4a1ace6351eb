internal import GRDB
internal import Models
internal import Storage

/// Which devices' records count in an alarm, how many of each, and what of that has been told.
extension AlertRouterStore {
    /// Devices of an alarm whose contributions are told: the first so many. The others are counted only, so that an alarm that
    /// half a country reports does not fill the lane.
    static let mostContributors: Int64 = 1_000

    /// Devices that were counted before are not told: nothing is known of when and how often they reported.
    static let contributions = Migration(
        "contributions of devices",
        sql: """
            ALTER TABLE alarm_devices ADD COLUMN records INTEGER;
            ALTER TABLE alarm_devices ADD COLUMN first_at INTEGER;
            ALTER TABLE alarm_devices ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX contributions_untold ON alarm_devices (alarm) WHERE records > told;
            """)

    /// Counts records in an alarm.
    ///
    /// - Parameter devices: how many it has so far.
    /// - Returns: how many devices are new to it.
    func count(
        _ records: [UrgentRecord], in alarm: Int64, devices: Int64, most: Int64 = mostContributors, _ db: Database
    ) throws -> Int64 {
        let known = try db.cachedStatement(
            sql: "UPDATE alarm_devices SET records = records + 1 WHERE alarm = ? AND device = ?")
        let first = try db.cachedStatement(
            sql: "INSERT INTO alarm_devices (alarm, device, records, first_at) VALUES (?, ?, ?, ?)")
        var new: Int64 = 0
        for record in records {
            try known.execute(arguments: [alarm, record.device])
            guard db.changesCount == 0 else { continue }
            let isTold = devices + new < most
            try first.execute(arguments: [
                alarm, record.device, isTold ? 1 as Int64? : nil, isTold ? record.receivedAt as Int64? : nil,
            ])
            new += 1
        }
        return new
    }

    /// Contributions that have grown since they were told last; they are told now.
    static func takeContributions(to alarm: Alarm, number: Int64, _ db: Database) throws -> [ContributionDocument] {
        let untold = try db.cachedStatement(
            sql:
                "SELECT device, records, first_at FROM alarm_devices WHERE alarm = ? AND records > told ORDER BY device"
        )
        let found = try Row.fetchAll(untold, arguments: [number]).map { row in
            ContributionDocument(
                alarm: alarm.id, device: UInt64(bitPattern: row[0] as Int64), records: row[1], firstAt: row[2])
        }
        guard !found.isEmpty else { return [] }
        try db.cachedStatement(sql: "UPDATE alarm_devices SET told = records WHERE alarm = ? AND records > told")
            .execute(arguments: [number])
        return found
    }
}
