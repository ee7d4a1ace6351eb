internal import ServiceKit
public import Storage

/// The tables of ingest beside its journals.
public enum IngestSchema {
    /// - `devices`: who may send; a token is kept as its SHA-256. `consent_past` is a ``ConsentHistory``, NULL before the
    ///   first change, as is `consent_changed_at`.
    ///   `revoked_at` is when an operator took the token away, and `token_hash` then is nobody's.
    ///   `activation_batch` is that of the code it was enrolled with, NULL without one.
    ///   `signed_at` is when the newest signature of it was made that changed anything, Unix seconds; `payout_at`
    ///   when it last gave a payout number, NULL if it has none. `signs_consents` is 1 once it has signed a change of consent.
    ///   `days_seen` and `last_seen_day` are those of ``DeviceTrust``: up to 7, and the last of them, days since 1970.
    /// - `code_batches`, `activation_codes`: codes as SHA-256, by the batch they were made in.
    /// - `memories`, `memory_changes`: what is remembered of each device, ``MemoryStore``.
    /// - `receipts`: texts of recent receipts that list items.
    /// - `device_names`: UUID, token's SHA-256 and public key (X9.63), of one length each and never moved: rows are added at the
    ///   end, changed where they stand, and never removed. So a name that is overwritten is nowhere else in the file.
    ///   Its indexes have the beginnings only.
    /// - `erasure_requests`: what was asked for; `device` is NULL when nothing of it is left.
    /// - `erased_tokens`: HMAC of tokens of erased devices, by which they read how their erasure stands.
    /// - `upload_keys`: keys that may send and read nothing, one a device, as SHA-256; kept as names are.
    /// - `passkeys`: public keys that are asked for before a copy or an erasure, one a device; kept as names are.
    /// - `push_devices`, `push_prompts`: ``IngestStore/pushTables``.
    /// - `access_requests`, `access_keys`: ``IngestStore/accessTables``.
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
        Migration(
            "activation codes, signatures, payout",
            sql: """
                CREATE TABLE code_batches (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    note TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    expires_at INTEGER NOT NULL,
                    revoked_at INTEGER
                ) STRICT;
                CREATE INDEX code_batches_by_expiry ON code_batches (expires_at);
                CREATE TABLE activation_codes (
                    hash BLOB PRIMARY KEY,
                    batch INTEGER NOT NULL,
                    used_at INTEGER
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX activation_codes_of_batch ON activation_codes (batch);
                ALTER TABLE devices ADD COLUMN activation_batch INTEGER;
                ALTER TABLE devices ADD COLUMN signed_at INTEGER;
                ALTER TABLE devices ADD COLUMN payout_at INTEGER;
                """),
        Migration("failed authentications") { try FailedAuthentication.createTable($0) },
        Migration(
            "changes of memories",
            sql: """
                ALTER TABLE memories ADD COLUMN through INTEGER NOT NULL DEFAULT 0;
                CREATE TABLE memory_changes (
                    number INTEGER PRIMARY KEY,
                    device INTEGER NOT NULL,
                    changes BLOB NOT NULL
                ) STRICT;
                """),
        Migration(
            "days on which devices were seen",
            sql: """
                ALTER TABLE devices ADD COLUMN days_seen INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE devices ADD COLUMN last_seen_day INTEGER NOT NULL DEFAULT 0;
                """),
        Migration("names of devices on their own, erasures", sql: erasures),
        Migration("requests for a copy of everything", sql: IngestStore.accessTables),
        Migration(
            "changes of memories that count with those before",
            sql: """
                CREATE TABLE linked_changes (
                    number INTEGER PRIMARY KEY,
                    device INTEGER NOT NULL,
                    previous INTEGER NOT NULL,
                    total INTEGER NOT NULL,
                    changes BLOB NOT NULL
                ) STRICT;
                INSERT INTO linked_changes
                    SELECT number, device, 0, length(changes), changes FROM memory_changes ORDER BY number;
                DROP TABLE memory_changes;
                ALTER TABLE linked_changes RENAME TO memory_changes;
                """),
        Migration("upload keys", sql: IngestStore.uploadKeyTables),
        Migration(
            "consents that are signed",
            sql: "ALTER TABLE devices ADD COLUMN signs_consents INTEGER NOT NULL DEFAULT 0;"),
        Migration("passkeys", sql: IngestStore.passkeyTables),
        Migration("questions by Web Push", sql: IngestStore.pushTables),
    ]

    private static let erasures = """
        CREATE TABLE device_names (
            ordinal INTEGER PRIMARY KEY, device_id BLOB NOT NULL, token_hash BLOB NOT NULL, device_key BLOB) STRICT;
        INSERT INTO device_names SELECT ordinal, device_id, token_hash, device_key FROM devices ORDER BY ordinal;
        CREATE INDEX device_names_by_id ON device_names (substr(device_id, 1, 6));
        CREATE INDEX device_names_by_token ON device_names (substr(token_hash, 1, 8));
        CREATE TABLE nameless (
            ordinal INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL, app_version TEXT NOT NULL,
            consent INTEGER NOT NULL, consent_version INTEGER NOT NULL, policy_version TEXT NOT NULL, age_band TEXT,
            guardian INTEGER NOT NULL, enrolled_at INTEGER NOT NULL, consent_changed_at INTEGER, consent_past BLOB,
            revoked_at INTEGER, activation_batch INTEGER, signed_at INTEGER, payout_at INTEGER,
            days_seen INTEGER NOT NULL DEFAULT 0, last_seen_day INTEGER NOT NULL DEFAULT 0) STRICT;
        INSERT INTO nameless SELECT ordinal, platform, app_version, consent, consent_version, policy_version, age_band,
            guardian, enrolled_at, consent_changed_at, consent_past, revoked_at, activation_batch, signed_at, payout_at,
            days_seen, last_seen_day FROM devices ORDER BY ordinal;
        DROP TABLE devices;
        ALTER TABLE nameless RENAME TO devices;
        CREATE TABLE erasure_requests (
            request TEXT PRIMARY KEY, device INTEGER, requested_at INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
        CREATE INDEX erasure_requests_of_device ON erasure_requests (device, requested_at);
        CREATE INDEX erasure_requests_by_time ON erasure_requests (requested_at);
        CREATE TABLE erased_tokens (
            mark BLOB PRIMARY KEY, request TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX erased_tokens_by_time ON erased_tokens (until);
        """
}
