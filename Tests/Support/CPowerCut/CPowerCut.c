#include "private.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Followed in memory by the handle of the platform's VFS.
typedef struct handle {
    sqlite3_file base;
    nkul_disk *disk;  // NULL: not watched
    content *content;
    int epoch;
    int syncs_directory;  // its first sync also makes names of its directory durable, as in os_unix.c
    char *path;
    sqlite3_file *real;
} handle;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

static int is_dead(handle *h) { return h->disk && (h->disk->stopped || h->epoch != h->disk->epoch); }

static int pc_close(sqlite3_file *f) {
    handle *h = (handle *)f;
    int code = h->real->pMethods ? h->real->pMethods->xClose(h->real) : SQLITE_OK;
    pthread_mutex_lock(&nkul_lock);
    nkul_release(h->content);
    pthread_mutex_unlock(&nkul_lock);
    free(h->path);
    return code;
}

static int pc_read(sqlite3_file *f, void *bytes, int amount, sqlite3_int64 offset) {
    handle *h = (handle *)f;
    pthread_mutex_lock(&nkul_lock);
    int dead = is_dead(h);
    pthread_mutex_unlock(&nkul_lock);
    return dead ? SQLITE_IOERR_READ : h->real->pMethods->xRead(h->real, bytes, amount, offset);
}

static int pc_write(sqlite3_file *f, const void *bytes, int amount, sqlite3_int64 offset) {
    handle *h = (handle *)f;
    if (!h->disk) return h->real->pMethods->xWrite(h->real, bytes, amount, offset);
    int code = SQLITE_IOERR_WRITE;
    pthread_mutex_lock(&nkul_lock);
    if (!is_dead(h) && nkul_may_change(h->disk)) {
        int64_t growth = offset + amount - h->content->size;
        if (h->disk->capacity >= 0 && growth > 0 && nkul_bytes_of(h->disk) + growth > h->disk->capacity) {
            code = SQLITE_FULL;
        } else {
            nkul_note(h->content, bytes, offset, amount);
            code = h->real->pMethods->xWrite(h->real, bytes, amount, offset);
        }
    }
    pthread_mutex_unlock(&nkul_lock);
    return code;
}

static int pc_truncate(sqlite3_file *f, sqlite3_int64 size) {
    handle *h = (handle *)f;
    if (!h->disk) return h->real->pMethods->xTruncate(h->real, size);
    int code = SQLITE_IOERR_TRUNCATE;
    pthread_mutex_lock(&nkul_lock);
    if (!is_dead(h) && nkul_may_change(h->disk)) {
        nkul_note(h->content, NULL, size, 0);
        code = h->real->pMethods->xTruncate(h->real, size);
    }
    pthread_mutex_unlock(&nkul_lock);
    return code;
}

static int pc_sync(sqlite3_file *f, int flags) {
    handle *h = (handle *)f;
    if (!h->disk) return h->real->pMethods->xSync(h->real, flags);
    int code = SQLITE_IOERR_FSYNC;
    pthread_mutex_lock(&nkul_lock);
    nkul_disk *d = h->disk;
    if (!is_dead(h) && nkul_may_change(d)) {
        int fails = d->fail_sync_at >= 0 && d->syncs >= d->fail_sync_at;
        d->syncs++;
        if (fails) {
            d->fail_sync_at = -1;
            nkul_forget_changes(h->content);  // the kernel drops the pages it could not write, and says so once
        } else {
            nkul_make_durable(h->content);
            if (h->syncs_directory) nkul_sync_directory(d, h->path);
            h->syncs_directory = 0;
            code = SQLITE_OK;
        }
    }
    pthread_mutex_unlock(&nkul_lock);
    return code;
}

static int pc_size(sqlite3_file *f, sqlite3_int64 *size) {
    handle *h = (handle *)f;
    return is_dead(h) ? SQLITE_IOERR_FSTAT : h->real->pMethods->xFileSize(h->real, size);
}

static int pc_lock(sqlite3_file *f, int level) {
    handle *h = (handle *)f;
    return is_dead(h) ? SQLITE_IOERR_LOCK : h->real->pMethods->xLock(h->real, level);
}

static int pc_unlock(sqlite3_file *f, int level) { return ((handle *)f)->real->pMethods->xUnlock(((handle *)f)->real, level); }

static int pc_reserved(sqlite3_file *f, int *result) {
    handle *h = (handle *)f;
    return is_dead(h) ? SQLITE_IOERR_CHECKRESERVEDLOCK : h->real->pMethods->xCheckReservedLock(h->real, result);
}

static int pc_control(sqlite3_file *f, int operation, void *argument) {
    handle *h = (handle *)f;
    if (operation == SQLITE_FCNTL_SIZE_HINT && h->disk) return SQLITE_OK;  // growth must be seen as writes
    return h->real->pMethods->xFileControl(h->real, operation, argument);
}

static int pc_sector(sqlite3_file *f) { return ((handle *)f)->real->pMethods->xSectorSize(((handle *)f)->real); }

static int pc_device(sqlite3_file *f) { return ((handle *)f)->real->pMethods->xDeviceCharacteristics(((handle *)f)->real); }

static int pc_shm_map(sqlite3_file *f, int region, int size, int extend, void volatile **address) {
    handle *h = (handle *)f;
    return is_dead(h) ? SQLITE_IOERR_SHMMAP : h->real->pMethods->xShmMap(h->real, region, size, extend, address);
}

static int pc_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
    handle *h = (handle *)f;
    if (is_dead(h) && (flags & SQLITE_SHM_LOCK)) return SQLITE_IOERR_SHMLOCK;
    return h->real->pMethods->xShmLock(h->real, offset, count, flags);
}

static void pc_shm_barrier(sqlite3_file *f) { ((handle *)f)->real->pMethods->xShmBarrier(((handle *)f)->real); }

// A dead process must not unlink the shared memory of its successor.
static int pc_shm_unmap(sqlite3_file *f, int delete_it) {
    handle *h = (handle *)f;
    return h->real->pMethods->xShmUnmap(h->real, is_dead(h) ? 0 : delete_it);
}

// Version 2: shared memory, but no memory mapping of the file, whose writes could not be seen.
static const sqlite3_io_methods methods = {
    2, pc_close, pc_read, pc_write, pc_truncate, pc_sync, pc_size, pc_lock, pc_unlock, pc_reserved, pc_control, pc_sector,
    pc_device, pc_shm_map, pc_shm_lock, pc_shm_barrier, pc_shm_unmap, NULL, NULL,
};

static int pc_open(sqlite3_vfs *self, const char *name, sqlite3_file *f, int flags, int *flags_out) {
    (void)self;
    handle *h = (handle *)f;
    memset(h, 0, sizeof *h);
    h->real = (sqlite3_file *)(h + 1);
    int watched = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL);
    pthread_mutex_lock(&nkul_lock);
    nkul_disk *d = watched ? nkul_disk_of(name) : NULL;
    int code = SQLITE_CANTOPEN;
    if (!d || !d->stopped) {
        entry *e = d ? nkul_entry_of(d, name) : NULL;
        int is_new = e && (access(name, F_OK) != 0 || !e->current);
        if (!is_new || !(flags & SQLITE_OPEN_CREATE) || nkul_may_change(d)) {
            code = real_vfs->xOpen(real_vfs, name, h->real, flags, flags_out);
            if (code == SQLITE_OK && d) {
                if (is_new) {
                    nkul_release(e->current);
                    e->current = nkul_retain(calloc(1, sizeof *e->current));
                    h->syncs_directory =
                        (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL)) != 0;
                }
                h->disk = d;
                h->epoch = d->epoch;
                h->content = nkul_retain(e->current);
                h->path = strdup(name);
            }
        }
    }
    pthread_mutex_unlock(&nkul_lock);
    if (h->real->pMethods) h->base.pMethods = &methods;
    return code;
}

static int pc_delete(sqlite3_vfs *self, const char *name, int sync_it) {
    (void)self;
    int code = SQLITE_IOERR_DELETE;
    pthread_mutex_lock(&nkul_lock);
    nkul_disk *d = nkul_disk_of(name);
    if (!d) {
        code = real_vfs->xDelete(real_vfs, name, sync_it);
    } else if (nkul_may_change(d)) {
        entry *e = nkul_entry_of(d, name);
        code = real_vfs->xDelete(real_vfs, name, 0);
        if (code == SQLITE_OK) {
            nkul_release(e->current);
            e->current = NULL;
            if (sync_it) nkul_sync_directory(d, name);
        }
    }
    pthread_mutex_unlock(&nkul_lock);
    return code;
}

static int pc_access(sqlite3_vfs *self, const char *name, int flags, int *result) {
    (void)self;
    pthread_mutex_lock(&nkul_lock);
    nkul_disk *d = nkul_disk_of(name);
    int stopped = d && d->stopped;
    pthread_mutex_unlock(&nkul_lock);
    return stopped ? SQLITE_IOERR_ACCESS : real_vfs->xAccess(real_vfs, name, flags, result);
}

static int pc_full_path(sqlite3_vfs *self, const char *name, int size, char *out) {
    (void)self;
    return real_vfs->xFullPathname(real_vfs, name, size, out);
}

int nkul_power_cut_register(void) {
    sqlite3_initialize();
    pthread_mutex_lock(&nkul_lock);
    if (!real_vfs) {
        real_vfs = sqlite3_vfs_find(NULL);
        vfs = *real_vfs;
        vfs.szOsFile = (int)sizeof(handle) + real_vfs->szOsFile;
        vfs.pNext = NULL;
        vfs.zName = "powercut";
        vfs.pAppData = NULL;
        vfs.xOpen = pc_open;
        vfs.xDelete = pc_delete;
        vfs.xAccess = pc_access;
        vfs.xFullPathname = pc_full_path;
    }
    pthread_mutex_unlock(&nkul_lock);
    return sqlite3_vfs_find("powercut") == &vfs ? SQLITE_OK : sqlite3_vfs_register(&vfs, 0);
}
