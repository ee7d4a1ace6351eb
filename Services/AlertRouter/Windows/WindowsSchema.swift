internal import Storage

/// The tables of `alert-router/windows.sqlite`.
///
/// The state of the rules' engine is a snapshot and what it was given since: a row of `window_inputs` for each block and each
/// watermark, written in the transaction that moves the cursors. So a start finds the engine as it was, whenever it ended.
enum WindowsSchema {
    static let migrations = [
        Migration(
            "windows of rules",
            sql: """
                CREATE TABLE window_rules (id TEXT PRIMARY KEY, document BLOB NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE window_state (
                    only INTEGER PRIMARY KEY CHECK (only = 1), life INTEGER NOT NULL, engine BLOB NOT NULL,
                    written_at INTEGER NOT NULL) STRICT;
                CREATE TABLE window_state_rules (id TEXT PRIMARY KEY, document BLOB NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE window_inputs (
                    number INTEGER PRIMARY KEY, watermark INTEGER, header BLOB, payload BLOB, is_sealed INTEGER) STRICT;
                CREATE TABLE window_transitions (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, life INTEGER NOT NULL, written_at INTEGER NOT NULL,
                    rule TEXT NOT NULL, owner_scheme TEXT NOT NULL, owner INTEGER NOT NULL, scheme TEXT NOT NULL,
                    subject TEXT NOT NULL, episode INTEGER NOT NULL, change TEXT NOT NULL, severity TEXT NOT NULL,
                    raised_at INTEGER NOT NULL, cleared_at INTEGER, devices INTEGER NOT NULL, found_at INTEGER NOT NULL,
                    type TEXT NOT NULL, cause TEXT NOT NULL, words TEXT NOT NULL, french TEXT NOT NULL) STRICT;
                """),
        Migration(
            "parents of storms",
            sql: """
                ALTER TABLE window_transitions ADD COLUMN parent INTEGER;
                ALTER TABLE window_transitions ADD COLUMN children INTEGER NOT NULL DEFAULT 0;
                """),
        Migration(
            "children that parents name, and how long rules wait",
            sql: """
                ALTER TABLE window_transitions ADD COLUMN named TEXT NOT NULL DEFAULT '';
                ALTER TABLE window_transitions ADD COLUMN hold_clear INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE window_transitions ADD COLUMN lateness INTEGER NOT NULL DEFAULT 0;
                """),
    ]
}
