public import Storage

/// The tables of ingest beside its journals.
public enum IngestSchema {
    /// - `devices`: who may send; a token is kept as its SHA-256. `consent_past` is a ``ConsentHistory``, NULL before the
    ///   first change, as is `consent_changed_at`.
    ///   `revoked_at` is when an operator took the token away, and `token_hash` then is nobody's.
    /// - `memories`: ``DeviceMemory``, one blob a device.
    /// - `receipts`: texts of recent receipts that list items.
    public static let migrations: [Migration] = [
        Migration(
            "devices, memories, receipts",
            sql: """
                CREATE TABLE devices (
                    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
                    device_id BLOB NOT NULL UNIQUE,
                    token_hash BLOB NOT NULL UNIQUE,
                    platform TEXT NOT NULL,
                    app_version TEXT NOT NULL,
                    consent INTEGER NOT NULL,
                    consent_version INTEGER NOT NULL,
                    policy_version TEXT NOT NULL,
                    age_band TEXT,
                    guardian INTEGER NOT NULL,
                    device_key BLOB,
                    enrolled_at INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE memories (
                    device INTEGER PRIMARY KEY,
                    memory BLOB NOT NULL
                ) STRICT;
                CREATE TABLE receipts (
                    device INTEGER NOT NULL,
                    batch BLOB NOT NULL,
                    given_at INTEGER NOT NULL,
                    body BLOB NOT NULL,
                    PRIMARY KEY (device, batch)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX receipts_by_time ON receipts (given_at);
                """),
        Migration(
            "changes of consent",
            sql: """
                ALTER TABLE devices ADD COLUMN consent_changed_at INTEGER;
                ALTER TABLE devices ADD COLUMN consent_past BLOB;
                """),
        Migration("revoked devices", sql: "ALTER TABLE devices ADD COLUMN revoked_at INTEGER;"),
    ]
}
