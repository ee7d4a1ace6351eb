internal import Storage

extension OutboxStore {
    /// - `channels`: documents as they came; `gone` why a subscription is over, of that very document.
    /// - `tenants`: whose alarms channels tell.
    /// - `open_alarms`: alarms that are not over, for channels that come later.
    /// - `told_alarms`: of each channel what it was told of alarms that go on.
    /// - `deliveries`: what is told, was told and could not be: state 0 waiting, 1 delivered, 2 dead.
    static let migration = Migration(
        "channels and the outbox",
        sql: """
            CREATE TABLE channels (
                id TEXT NOT NULL PRIMARY KEY, document BLOB NOT NULL, gone TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
            CREATE TABLE tenants (name TEXT NOT NULL PRIMARY KEY, document BLOB NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE open_alarms (
                id TEXT NOT NULL PRIMARY KEY, document BLOB NOT NULL, networks TEXT NOT NULL) STRICT, WITHOUT ROWID;
            CREATE TABLE told_alarms (
                channel TEXT NOT NULL, alarm TEXT NOT NULL, severity TEXT NOT NULL, changes INTEGER NOT NULL,
                PRIMARY KEY (channel, alarm)) STRICT, WITHOUT ROWID;
            CREATE INDEX told_alarms_by_alarm ON told_alarms (alarm);
            CREATE TABLE deliveries (
                seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, channel TEXT NOT NULL, alarm TEXT NOT NULL,
                transition TEXT NOT NULL, previous TEXT, document BLOB NOT NULL, state INTEGER NOT NULL DEFAULT 0,
                attempts INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', created_at INTEGER NOT NULL,
                changed_at INTEGER NOT NULL, due_at INTEGER NOT NULL) STRICT;
            CREATE INDEX deliveries_due ON deliveries (channel, due_at, seq) WHERE state = 0;
            CREATE INDEX deliveries_of_alarms ON deliveries (channel, alarm, seq) WHERE state = 0;
            CREATE INDEX deliveries_ended ON deliveries (changed_at) WHERE state > 0;
            CREATE TABLE channel_keys (id TEXT NOT NULL) STRICT;
            """)
}
