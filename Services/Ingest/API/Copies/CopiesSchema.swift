public import Storage

/// The tables of `ingest/copies.sqlite`: what ingest keeps of other services' state, beside its cursors on their lanes.
///
/// Nothing here is the only copy: without the file ingest reads the state lanes from their beginning and has it again.
public enum CopiesSchema {
    public static let migrations = [
        Migration(
            "rewards, documents of operators",
            sql: """
                CREATE TABLE subscribers (
                    device INTEGER PRIMARY KEY, paid INTEGER NOT NULL, pending INTEGER NOT NULL, granted INTEGER NOT NULL,
                    kept INTEGER NOT NULL, best INTEGER NOT NULL, days BLOB NOT NULL, dropped TEXT);
                CREATE TABLE grants (
                    id TEXT NOT NULL PRIMARY KEY, device INTEGER NOT NULL, campaign TEXT NOT NULL, record TEXT NOT NULL,
                    amount INTEGER NOT NULL, state TEXT NOT NULL, received_at INTEGER NOT NULL,
                    changed_at INTEGER NOT NULL) WITHOUT ROWID;
                CREATE INDEX grants_of_device ON grants (device, received_at, id);
                CREATE TABLE documents (
                    kind INTEGER NOT NULL, key TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (kind, key)
                ) WITHOUT ROWID;
                CREATE TABLE lanes_read (lane TEXT NOT NULL PRIMARY KEY, as_of INTEGER NOT NULL) WITHOUT ROWID;
                """),
        Migration("alarms, and who helped to raise them", sql: ImpactCopies.tables),
        Migration("parts of copies for subscribers", sql: AccessCopies.tables),
        Migration("medians of what was released", sql: MedianCopies.tables),
        Migration(
            "what devices have reached",
            sql: "CREATE TABLE progress (device INTEGER PRIMARY KEY, document BLOB NOT NULL) STRICT"),
        StandingCopies.migration,
        Migration("who helped, by alarm", sql: ImpactCopies.byAlarm),
    ]
}
