#pragma once

/// A VFS for SQLite that hands the frames of a write-ahead log to the file system in pieces of 64 KB.
///
/// SQLite writes a frame as 24 and 4 096 bytes, each with a call of its own; a commit of a thousand pages is two thousand
/// calls. This VFS keeps what is written one after another to a log in memory until 64 KB have come together, until the
/// log is synced, truncated or measured, or until something else of it is written. What is kept is read from there; a read
/// of which only a part is kept has it written first.
///
/// It is for connections that alone write their database, with `synchronous=FULL`. Under FULL SQLite syncs a log before it
/// tells other connections of new frames, so that promises are as before, and whatever fails while pieces are written is
/// the result of the call that wrote them, at the latest of that sync. A second writer would find its frames overwritten by
/// what is left of a transaction that was rolled back. A log that was synced and not written since is not synced again, as SQLite would before
/// each checkpoint. On a file system that may tear what lies beside a write SQLite
/// writes on after its sync: there nothing is gathered. All files but logs are those of the VFS below.

/// A commit can also have its sync put off: its frames are handed to the file system, where other connections see them and
/// where they outlive the process; a power cut may take them, the last commits first, until the log is synced.

/// Registers a VFS that gathers above another one, once for each; thread-safe.
///
/// - below: name of a registered VFS; NULL is the default one.
/// - name: what the new VFS is called.
///
/// Returns SQLite's result code.
int nkul_gathering_register(const char *below, const char *name);

/// Whether syncs of a connection's log are put off from now on, all but that of a log's header; to be called within a
/// transaction, and again after it: a checkpoint relies on its syncs. `connection` is a `sqlite3 *` in WAL mode.
void nkul_gathering_put_off(void *connection, int puts_off);

/// Syncs the log of a connection, if that was put off and was not done since. Returns SQLite's result code.
int nkul_gathering_sync(void *connection);
