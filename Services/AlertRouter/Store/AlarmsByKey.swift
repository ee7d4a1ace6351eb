internal import GRDB
internal import Models
internal import Storage

/// The step from alarms by (network, cell) to alarms by (owner, subject, rule, episode), under the same numbers and identifiers;
/// and from tenants of networks to tenants of scopes.
///
/// A table that others refer to cannot be changed in its key, and taking it away would take their rows along: devices and
/// networks of alarms are copied too, row by row, in the one transaction of the step.
enum AlarmsByKey {
    static let migration = Migration("alarms by rule, owner, subject and episode") { db in
        try db.execute(sql: tables)
        try copyAlarms(db)
        try db.execute(sql: copies)
    }

    /// A cell before: its code, or −1 for none; −2 for the alarm of late erasures, and below that for those that are over.
    private static let noCell: Int64 = -1

    private static let tables = """
        CREATE TABLE keyed_alarms (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, rule TEXT NOT NULL, scheme TEXT NOT NULL,
            owner_scheme TEXT NOT NULL, owner INTEGER NOT NULL, subject TEXT NOT NULL, episode INTEGER NOT NULL,
            severity TEXT NOT NULL, problem INTEGER NOT NULL, raised_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
            records INTEGER NOT NULL, devices INTEGER NOT NULL, published_at INTEGER NOT NULL, due_at INTEGER,
            UNIQUE (owner_scheme, owner, scheme, rule, subject, episode));
        CREATE TABLE keyed_devices (
            alarm INTEGER NOT NULL REFERENCES keyed_alarms (number) ON DELETE CASCADE, device INTEGER NOT NULL,
            records INTEGER, first_at INTEGER, told INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (alarm, device)) WITHOUT ROWID;
        CREATE TABLE keyed_networks (
            alarm INTEGER NOT NULL REFERENCES keyed_alarms (number) ON DELETE CASCADE, plmn INTEGER NOT NULL,
            PRIMARY KEY (alarm, plmn)) WITHOUT ROWID;
        """

    private static let copies = """
        INSERT INTO keyed_devices SELECT alarm, device, records, first_at, told FROM alarm_devices;
        INSERT INTO keyed_networks SELECT alarm, plmn FROM alarm_networks;
        DROP TABLE alarm_devices;
        DROP TABLE alarm_networks;
        DROP TABLE alarms;
        ALTER TABLE keyed_alarms RENAME TO alarms;
        ALTER TABLE keyed_devices RENAME TO alarm_devices;
        ALTER TABLE keyed_networks RENAME TO alarm_networks;
        CREATE INDEX alarms_due ON alarms (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX contributions_untold ON alarm_devices (alarm) WHERE records > told;
        CREATE INDEX contributions_of_device ON alarm_devices (device);
        CREATE INDEX contributions_by_time ON alarm_devices (first_at, alarm, device) WHERE first_at IS NOT NULL;
        CREATE INDEX contributions_without_time ON alarm_devices (alarm, device) WHERE first_at IS NULL;
        ALTER TABLE tenants RENAME COLUMN networks TO scopes;
        UPDATE tenants SET scopes = 'plmn:' || replace(scopes, ' ', ' plmn:') WHERE scopes <> '';
        """

    /// The alarm of late erasures that there is was raised after those that are over: it is the last episode.
    private static func copyAlarms(_ db: Database) throws {
        let insert = try db.makeStatement(
            sql: """
                INSERT INTO keyed_alarms SELECT number, ?, ?, ?, ?, ?, ?, ?, severity, problem, raised_at, changed_at,
                    records, devices, published_at, due_at FROM alarms WHERE number = ?
                """)
        let rows = try Row.fetchCursor(db, sql: "SELECT number, plmn, cell, raised_at FROM alarms ORDER BY number")
        var episode: Int64 = 0
        while let row = try rows.next() {
            let cell: Int64 = row[2]
            if cell < noCell { episode += 1 }
            let key =
                cell < noCell ? AlarmKey.lateErasures(episode: episode) : key(PLMN(rawValue: row[1]), cell)
            try insert.execute(arguments: [
                key.id(raisedAt: row[3]), key.rule, key.subject.scheme, key.owner?.scheme ?? "", key.owner?.number ?? 0,
                key.subject.text, key.episode, row[0] as Int64,
            ])
        }
    }

    private static func key(_ network: PLMN, _ cell: Int64) -> AlarmKey {
        AlarmKey(
            owner: Scope(network),
            subject: .cell(cell < 0 ? nil : Quadkey(level: Quadkey.finestLevel, code: UInt64(cell))))
    }
}
