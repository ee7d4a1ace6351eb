#include "CWriteGathering.h"

#include <CLinux.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { piece = 64 << 10 };

// A log. Followed in memory by the handle of the VFS below. Like every handle of SQLite one thread at a time uses it.
typedef struct handle {
    sqlite3_file base;
    sqlite3_file *real;
    int gathers;
    int is_synced;  // nothing was written since the last sync
    int has_header;  // the log's header was written since: it must be on the disk before frames of the log it begins
    int puts_off;  // syncs of frames are put off
    int owed;  // flags of the last sync that was put off; 0: none
    char *kept;  // `piece` bytes, once something was written
    int count;   // bytes kept
    sqlite3_int64 offset;  // where the first of them belongs
} handle;

static sqlite3_vfs *below_of(sqlite3_vfs *self) { return self->pAppData; }
static sqlite3_file *real(sqlite3_file *f) { return ((handle *)f)->real; }

// Whatever happens nothing is kept any more: after a failure SQLite rolls the transaction back.
static int hand_over(handle *h) {
    int count = h->count;
    h->count = 0;
    nkul_give_way();
    return count ? h->real->pMethods->xWrite(h->real, h->kept, count, h->offset) : SQLITE_OK;
}

static int wg_close(sqlite3_file *f) {
    handle *h = (handle *)f;
    free(h->kept);  // what was not synced belongs to nothing that was committed
    return h->real->pMethods->xClose(h->real);
}

static int wg_read(sqlite3_file *f, void *bytes, int amount, sqlite3_int64 offset) {
    handle *h = (handle *)f;
    sqlite3_int64 end = h->offset + h->count;
    nkul_give_way();  // a checkpoint reads page after page
    if (h->count && offset < end && offset + amount > h->offset) {
        if (offset >= h->offset && offset + amount <= end) {
            memcpy(bytes, h->kept + (offset - h->offset), (size_t)amount);
            return SQLITE_OK;
        }
        int code = hand_over(h);
        if (code != SQLITE_OK) return code;
    }
    return h->real->pMethods->xRead(h->real, bytes, amount, offset);
}

static int wg_write(sqlite3_file *f, const void *bytes, int amount, sqlite3_int64 offset) {
    handle *h = (handle *)f;
    h->is_synced = 0;
    if (offset == 0) h->has_header = 1;
    if (h->count && (offset != h->offset + h->count || h->count + amount > piece)) {
        int code = hand_over(h);
        if (code != SQLITE_OK) return code;
    }
    if (!h->kept && h->gathers) h->kept = malloc(piece);
    if (!h->kept || amount > piece) return h->real->pMethods->xWrite(h->real, bytes, amount, offset);
    if (!h->count) h->offset = offset;
    memcpy(h->kept + h->count, bytes, (size_t)amount);
    h->count += amount;
    return SQLITE_OK;
}

static int wg_truncate(sqlite3_file *f, sqlite3_int64 size) {
    handle *h = (handle *)f;
    h->is_synced = 0;
    if (h->offset >= size) h->count = 0;
    int code = hand_over(h);
    return code != SQLITE_OK ? code : real(f)->pMethods->xTruncate(real(f), size);
}

static int wg_sync(sqlite3_file *f, int flags) {
    handle *h = (handle *)f;
    if (h->is_synced) return SQLITE_OK;
    int code = hand_over(h);
    if (code == SQLITE_OK && h->puts_off && !h->has_header) {
        h->owed = flags;
        return SQLITE_OK;
    }
    if (code == SQLITE_OK) code = real(f)->pMethods->xSync(real(f), flags);
    h->is_synced = code == SQLITE_OK;
    if (h->is_synced) h->has_header = h->owed = 0;
    return code;
}

static int wg_size(sqlite3_file *f, sqlite3_int64 *size) {
    int code = hand_over((handle *)f);
    return code != SQLITE_OK ? code : real(f)->pMethods->xFileSize(real(f), size);
}

static int wg_lock(sqlite3_file *f, int level) { return real(f)->pMethods->xLock(real(f), level); }
static int wg_unlock(sqlite3_file *f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
static int wg_reserved(sqlite3_file *f, int *result) { return real(f)->pMethods->xCheckReservedLock(real(f), result); }
static int wg_control(sqlite3_file *f, int operation, void *argument) {
    return real(f)->pMethods->xFileControl(real(f), operation, argument);
}
static int wg_sector(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }
static int wg_device(sqlite3_file *f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }

// Version 1: shared memory and mappings are asked of the database's file only.
static const sqlite3_io_methods methods = {
    1, wg_close, wg_read, wg_write, wg_truncate, wg_sync, wg_size, wg_lock, wg_unlock, wg_reserved, wg_control,
    wg_sector, wg_device, NULL, NULL, NULL, NULL, NULL, NULL,
};

static int wg_open(sqlite3_vfs *self, const char *name, sqlite3_file *f, int flags, int *flags_out) {
    sqlite3_vfs *below = below_of(self);
    if (!(flags & SQLITE_OPEN_WAL)) return below->xOpen(below, name, f, flags, flags_out);
    handle *h = (handle *)f;
    memset(h, 0, sizeof *h);
    h->real = (sqlite3_file *)(h + 1);
    int code = below->xOpen(below, name, h->real, flags, flags_out);
    if (h->real->pMethods) h->base.pMethods = &methods;
    h->gathers = h->real->pMethods &&
        (h->real->pMethods->xDeviceCharacteristics(h->real) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
    return code;
}

static int wg_delete(sqlite3_vfs *self, const char *name, int sync_it) {
    return below_of(self)->xDelete(below_of(self), name, sync_it);
}
static int wg_access(sqlite3_vfs *self, const char *name, int flags, int *result) {
    return below_of(self)->xAccess(below_of(self), name, flags, result);
}
static int wg_full_path(sqlite3_vfs *self, const char *name, int size, char *out) {
    return below_of(self)->xFullPathname(below_of(self), name, size, out);
}

// The log of a connection, once it has one; NULL if it is none of the files above.
static handle *log_of(void *connection) {
    sqlite3_file *f = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &f);
    return code == SQLITE_OK && f && f->pMethods == &methods ? (handle *)f : NULL;
}

void nkul_gathering_put_off(void *connection, int puts_off) {
    handle *h = log_of(connection);
    if (h) h->puts_off = puts_off;
}

int nkul_gathering_sync(void *connection) {
    handle *h = log_of(connection);
    return h && h->owed ? wg_sync((sqlite3_file *)h, h->owed) : SQLITE_OK;
}

int nkul_gathering_register(const char *below, const char *name) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int code = sqlite3_initialize();
    if (code != SQLITE_OK) return code;
    pthread_mutex_lock(&lock);
    if (!sqlite3_vfs_find(name)) {
        sqlite3_vfs *found = sqlite3_vfs_find(below), *vfs = malloc(sizeof *vfs);
        char *own_name = strdup(name);
        code = !found ? SQLITE_NOTFOUND : !vfs || !own_name ? SQLITE_NOMEM : SQLITE_OK;
        if (code == SQLITE_OK) {
            *vfs = *found;
            vfs->szOsFile = (int)sizeof(handle) + found->szOsFile;
            vfs->pNext = NULL;
            vfs->zName = own_name;
            vfs->pAppData = found;
            vfs->xOpen = wg_open;
            vfs->xDelete = wg_delete;
            vfs->xAccess = wg_access;
            vfs->xFullPathname = wg_full_path;
            code = sqlite3_vfs_register(vfs, 0);
        }
        if (code != SQLITE_OK) {
            free(vfs);
            free(own_name);
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}
