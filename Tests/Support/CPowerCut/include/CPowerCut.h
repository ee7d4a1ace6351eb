#pragma once
#include <stdint.h>

/// A VFS for SQLite that remembers what a disk may forget.
///
/// Files live where they always do, through the platform's own VFS; below the directory of a disk this VFS also keeps, in
/// memory, what was durable at the last xSync and every write since. A cut replaces the files by what a real disk might
/// have kept: any subset of the sectors written since, some of them torn, new files and deletions whose directory was not
/// synced or only perhaps. Handles that were open across a cut fail with SQLITE_IOERR for ever, so that the "dead" process
/// cannot write any more. All functions are thread-safe.
typedef struct nkul_disk nkul_disk;

/// Registers the VFS "powercut", once; it hands everything outside its disks to the default one. Returns SQLite's result
/// code.
int nkul_power_cut_register(void);

/// Begins to watch a directory, which must exist. NULL if it does not, or is watched already.
nkul_disk *nkul_disk_create(const char *directory);

/// Stops watching; files stay as they are.
void nkul_disk_free(nkul_disk *disk);

/// Cuts the power and gives it back: the files are what the disk kept, chosen by the seed.
void nkul_disk_cut(nkul_disk *disk, uint64_t seed);

/// After so many more operations that change something (write, truncate, sync, create, delete) every operation fails, as
/// if the machine had stopped; a cut ends that. Negative: never.
void nkul_disk_stop_after(nkul_disk *disk, int64_t operations);

/// Whether it did, and there has been no cut since.
int nkul_disk_has_stopped(nkul_disk *disk);

/// Operations that changed something, since the beginning.
int64_t nkul_disk_operations(nkul_disk *disk);

/// Syncs since the beginning.
int64_t nkul_disk_syncs(nkul_disk *disk);

/// After so many more syncs one fails, and what it should have written never becomes durable, as on Linux: later syncs
/// succeed without it. Negative: never.
void nkul_disk_fail_sync_after(nkul_disk *disk, int64_t syncs);

/// Bytes all watched files together may have; writes beyond give SQLITE_FULL. Negative: no limit.
void nkul_disk_set_capacity(nkul_disk *disk, int64_t bytes);
