#include "CPowerCut.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512

// What was done to a file since its last sync. A truncation has no bytes.
typedef struct change {
    struct change *next;
    int64_t offset;  // of a truncation: the new size
    int64_t length;
    unsigned char *bytes;
} change;

// The content of a file, whatever its name is now.
typedef struct content {
    int references;  // handles and directory entries
    unsigned char *durable;
    int64_t durable_size;
    int64_t size;
    change *first, *last;
} content;

// A name in a directory: what it means now, and what it means to the disk.
typedef struct entry {
    struct entry *next;
    char *path;
    content *current;
    content *durable;
} entry;

struct nkul_disk {
    struct nkul_disk *next;
    char *directory;  // ends with '/'
    entry *entries;
    int64_t operations, syncs, capacity;
    int64_t stop_at;      // operations; negative: never
    int64_t fail_sync_at; // syncs; negative: never
    int epoch;            // rises with each cut; older handles are dead
    int stopped;
};

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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static nkul_disk *disks;
static sqlite3_vfs *real_vfs;
static sqlite3_vfs vfs;

// --- contents -------------------------------------------------------------------------------------------------------

static content *retain(content *c) {
    if (c) c->references++;
    return c;
}

static void forget_changes(content *c) {
    while (c->first) {
        change *next = c->first->next;
        free(c->first->bytes);
        free(c->first);
        c->first = next;
    }
    c->last = NULL;
}

static void release(content *c) {
    if (!c || --c->references > 0) return;
    forget_changes(c);
    free(c->durable);
    free(c);
}

static void resize(content *c, int64_t size) {
    if (size > c->durable_size) {
        c->durable = realloc(c->durable, (size_t)size);
        memset(c->durable + c->durable_size, 0, (size_t)(size - c->durable_size));
    }
    c->durable_size = size;
}

static void put(content *c, int64_t offset, const unsigned char *bytes, int64_t length) {
    if (offset + length > c->durable_size) resize(c, offset + length);
    memcpy(c->durable + offset, bytes, (size_t)length);
}

static void make_durable(content *c) {
    for (change *x = c->first; x; x = x->next) {
        if (x->bytes) put(c, x->offset, x->bytes, x->length); else resize(c, x->offset);
    }
    forget_changes(c);
}

static void note(content *c, const void *bytes, int64_t offset, int64_t length) {
    change *x = calloc(1, sizeof *x);
    x->offset = offset;
    x->length = length;
    if (bytes) {
        x->bytes = malloc(length > 0 ? (size_t)length : 1);
        memcpy(x->bytes, bytes, (size_t)length);
        if (offset + length > c->size) c->size = offset + length;
    } else {
        c->size = offset;
    }
    if (c->last) c->last->next = x; else c->first = x;
    c->last = x;
}

static content *load(const char *path) {
    content *c = calloc(1, sizeof *c);
    FILE *file = fopen(path, "rb");
    if (!file) return c;
    fseek(file, 0, SEEK_END);
    int64_t size = ftell(file);
    rewind(file);
    resize(c, size);
    if (size > 0 && fread(c->durable, 1, (size_t)size, file) != (size_t)size) resize(c, 0);
    c->size = c->durable_size;
    fclose(file);
    return c;
}

// --- directories ----------------------------------------------------------------------------------------------------

static nkul_disk *disk_of(const char *path) {
    for (nkul_disk *d = disks; path && d; d = d->next)
        if (strncmp(path, d->directory, strlen(d->directory)) == 0) return d;
    return NULL;
}

static entry *entry_of(nkul_disk *d, const char *path) {
    for (entry *e = d->entries; e; e = e->next)
        if (strcmp(e->path, path) == 0) return e;
    entry *e = calloc(1, sizeof *e);
    e->path = strdup(path);
    if (access(path, F_OK) == 0) {  // it was there before anyone watched
        e->current = retain(load(path));
        e->durable = retain(e->current);
    }
    e->next = d->entries;
    d->entries = e;
    return e;
}

static int same_directory(const char *one, const char *other) {
    const char *a = strrchr(one, '/'), *b = strrchr(other, '/');
    return a && b && a - one == b - other && strncmp(one, other, (size_t)(a - one)) == 0;
}

static void sync_directory(nkul_disk *d, const char *path) {
    for (entry *e = d->entries; e; e = e->next) {
        if (!same_directory(e->path, path) || e->durable == e->current) continue;
        release(e->durable);
        e->durable = retain(e->current);
    }
}

// False if the machine has stopped. Counts an operation that changes something.
static int may_change(nkul_disk *d) {
    if (d->stopped) return 0;
    if (d->stop_at >= 0 && d->operations >= d->stop_at) {
        d->stopped = 1;
        return 0;
    }
    d->operations++;
    return 1;
}

static int is_dead(handle *h) { return h->disk && (h->disk->stopped || h->epoch != h->disk->epoch); }

static int64_t bytes_of(nkul_disk *d) {
    int64_t sum = 0;
    for (entry *e = d->entries; e; e = e->next) sum += e->current ? e->current->size : 0;
    return sum;
}

// --- files ----------------------------------------------------------------------------------------------------------

static int pc_close(sqlite3_file *f) {
    handle *h = (handle *)f;
    int code = h->real->pMethods ? h->real->pMethods->xClose(h->real) : SQLITE_OK;
    pthread_mutex_lock(&lock);
    release(h->content);
    pthread_mutex_unlock(&lock);
    free(h->path);
    return code;
}

static int pc_read(sqlite3_file *f, void *bytes, int amount, sqlite3_int64 offset) {
    handle *h = (handle *)f;
    pthread_mutex_lock(&lock);
    int dead = is_dead(h);
    pthread_mutex_unlock(&lock);
    return dead ? SQLITE_IOERR_READ : h->real->pMethods->xRead(h->real, bytes, amount, offset);
}

static int pc_write(sqlite3_file *f, const void *bytes, int amount, sqlite3_int64 offset) {
    handle *h = (handle *)f;
    if (!h->disk) return h->real->pMethods->xWrite(h->real, bytes, amount, offset);
    int code = SQLITE_IOERR_WRITE;
    pthread_mutex_lock(&lock);
    if (!is_dead(h) && may_change(h->disk)) {
        int64_t growth = offset + amount - h->content->size;
        if (h->disk->capacity >= 0 && growth > 0 && bytes_of(h->disk) + growth > h->disk->capacity) {
            code = SQLITE_FULL;
        } else {
            note(h->content, bytes, offset, amount);
            code = h->real->pMethods->xWrite(h->real, bytes, amount, offset);
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int pc_truncate(sqlite3_file *f, sqlite3_int64 size) {
    handle *h = (handle *)f;
    if (!h->disk) return h->real->pMethods->xTruncate(h->real, size);
    int code = SQLITE_IOERR_TRUNCATE;
    pthread_mutex_lock(&lock);
    if (!is_dead(h) && may_change(h->disk)) {
        note(h->content, NULL, size, 0);
        code = h->real->pMethods->xTruncate(h->real, size);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int pc_sync(sqlite3_file *f, int flags) {
    handle *h = (handle *)f;
    if (!h->disk) return h->real->pMethods->xSync(h->real, flags);
    int code = SQLITE_IOERR_FSYNC;
    pthread_mutex_lock(&lock);
    nkul_disk *d = h->disk;
    if (!is_dead(h) && may_change(d)) {
        int fails = d->fail_sync_at >= 0 && d->syncs >= d->fail_sync_at;
        d->syncs++;
        if (fails) {
            d->fail_sync_at = -1;
            forget_changes(h->content);  // the kernel drops the pages it could not write, and says so once
        } else {
            make_durable(h->content);
            if (h->syncs_directory) sync_directory(d, h->path);
            h->syncs_directory = 0;
            code = SQLITE_OK;
        }
    }
    pthread_mutex_unlock(&lock);
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

// --- the VFS --------------------------------------------------------------------------------------------------------

static int pc_open(sqlite3_vfs *self, const char *name, sqlite3_file *f, int flags, int *flags_out) {
    (void)self;
    handle *h = (handle *)f;
    memset(h, 0, sizeof *h);
    h->real = (sqlite3_file *)(h + 1);
    int watched = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL);
    pthread_mutex_lock(&lock);
    nkul_disk *d = watched ? disk_of(name) : NULL;
    int code = SQLITE_CANTOPEN;
    if (!d || !d->stopped) {
        entry *e = d ? entry_of(d, name) : NULL;
        int is_new = e && (access(name, F_OK) != 0 || !e->current);
        if (!is_new || !(flags & SQLITE_OPEN_CREATE) || may_change(d)) {
            code = real_vfs->xOpen(real_vfs, name, h->real, flags, flags_out);
            if (code == SQLITE_OK && d) {
                if (is_new) {
                    release(e->current);
                    e->current = retain(calloc(1, sizeof *e->current));
                    h->syncs_directory =
                        (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL)) != 0;
                }
                h->disk = d;
                h->epoch = d->epoch;
                h->content = retain(e->current);
                h->path = strdup(name);
            }
        }
    }
    pthread_mutex_unlock(&lock);
    if (h->real->pMethods) h->base.pMethods = &methods;
    return code;
}

static int pc_delete(sqlite3_vfs *self, const char *name, int sync_it) {
    (void)self;
    int code = SQLITE_IOERR_DELETE;
    pthread_mutex_lock(&lock);
    nkul_disk *d = disk_of(name);
    if (!d) {
        code = real_vfs->xDelete(real_vfs, name, sync_it);
    } else if (may_change(d)) {
        entry *e = entry_of(d, name);
        code = real_vfs->xDelete(real_vfs, name, 0);
        if (code == SQLITE_OK) {
            release(e->current);
            e->current = NULL;
            if (sync_it) sync_directory(d, name);
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int pc_access(sqlite3_vfs *self, const char *name, int flags, int *result) {
    (void)self;
    pthread_mutex_lock(&lock);
    nkul_disk *d = disk_of(name);
    int stopped = d && d->stopped;
    pthread_mutex_unlock(&lock);
    return stopped ? SQLITE_IOERR_ACCESS : real_vfs->xAccess(real_vfs, name, flags, result);
}

static int pc_full_path(sqlite3_vfs *self, const char *name, int size, char *out) {
    (void)self;
    return real_vfs->xFullPathname(real_vfs, name, size, out);
}

int nkul_power_cut_register(int make_default) {
    sqlite3_initialize();
    pthread_mutex_lock(&lock);
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
    pthread_mutex_unlock(&lock);
    if (!make_default && sqlite3_vfs_find("powercut") == &vfs) return SQLITE_OK;
    return sqlite3_vfs_register(&vfs, make_default);
}

// --- disks ----------------------------------------------------------------------------------------------------------

nkul_disk *nkul_disk_create(const char *directory) {
    char resolved[PATH_MAX];
    if (!realpath(directory, resolved)) return NULL;
    strncat(resolved, "/", sizeof resolved - strlen(resolved) - 1);
    pthread_mutex_lock(&lock);
    nkul_disk *d = NULL;
    if (!disk_of(resolved)) {
        d = calloc(1, sizeof *d);
        d->directory = strdup(resolved);
        d->capacity = d->stop_at = d->fail_sync_at = -1;
        d->next = disks;
        disks = d;
    }
    pthread_mutex_unlock(&lock);
    return d;
}

void nkul_disk_free(nkul_disk *disk) {
    pthread_mutex_lock(&lock);
    for (nkul_disk **place = &disks; *place; place = &(*place)->next)
        if (*place == disk) {
            *place = disk->next;
            break;
        }
    disk->epoch++;
    disk->stopped = 1;
    while (disk->entries) {
        entry *next = disk->entries->next;
        release(disk->entries->current);
        release(disk->entries->durable);
        free(disk->entries->path);
        free(disk->entries);
        disk->entries = next;
    }
    // The disk itself stays: handles of connections that were never closed point to it.
    pthread_mutex_unlock(&lock);
}

static uint64_t draw(uint64_t *state) {  // SplitMix64
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Applies what the disk happened to write: `mode` 0 nothing, 1 everything, 2 any sectors, 3 a beginning of the changes.
static void keep_some(content *c, int mode, uint64_t *random) {
    int64_t count = 0, place = 0;
    for (change *x = c->first; x; x = x->next) count++;
    int64_t end = mode == 3 && count > 0 ? (int64_t)(draw(random) % (uint64_t)(count + 1)) : count;
    for (change *x = c->first; x && place < end && mode != 0; x = x->next, place++) {
        if (!x->bytes) {
            if (mode != 2 || draw(random) & 1) resize(c, x->offset);
            continue;
        }
        for (int64_t from = 0; from < x->length;) {
            int64_t sector_end = ((x->offset + from) / SECTOR + 1) * SECTOR - x->offset;
            int64_t to = sector_end < x->length ? sector_end : x->length;
            uint64_t dice = mode == 2 ? draw(random) % 16 : 15;
            if (mode == 3 && place == end - 1) dice = draw(random) % 16;
            int64_t kept = dice == 0 ? (int64_t)(draw(random) % (uint64_t)(to - from + 1)) : to - from;  // torn
            if (dice == 0 || dice > 7) put(c, x->offset + from, x->bytes + from, kept);
            from = to;
        }
    }
    forget_changes(c);
}

// A new file of that content under the name, so that handles of the dead process keep the old one.
static void write_out(const char *path, content *c) {
    char temporary[PATH_MAX];
    snprintf(temporary, sizeof temporary, "%s.cut", path);
    FILE *file = fopen(temporary, "wb");
    if (!file) abort();
    if (c->durable_size > 0 && fwrite(c->durable, 1, (size_t)c->durable_size, file) != (size_t)c->durable_size) abort();
    fclose(file);
    if (rename(temporary, path) != 0) abort();
}

static void cut_entry(entry *e, int mode, uint64_t *random) {
    if (e->current && access(e->path, F_OK) != 0) {  // unlinked by the program itself, without a sync of the directory
        release(e->current);
        e->current = NULL;
    }
    if (e->current != e->durable) {
        int keeps_current = mode == 1 || (mode != 0 && draw(random) & 1);
        content *kept = retain(keeps_current ? e->current : e->durable);
        release(e->current);
        release(e->durable);
        e->current = kept;
        e->durable = retain(kept);
    }
    if (!e->current) {
        unlink(e->path);
        return;
    }
    keep_some(e->current, mode, random);
    // Its own copy from now on: handles of the dead process hold the old one.
    content *fresh = calloc(1, sizeof *fresh);
    put(fresh, 0, e->current->durable ? e->current->durable : (unsigned char *)"", e->current->durable_size);
    fresh->size = fresh->durable_size;
    fresh->references = 2;
    release(e->current);
    release(e->durable);
    e->current = e->durable = fresh;
    write_out(e->path, fresh);
}

void nkul_disk_cut(nkul_disk *disk, uint64_t seed) {
    pthread_mutex_lock(&lock);
    uint64_t random = seed;
    for (entry *e = disk->entries; e; e = e->next) {
        cut_entry(e, (int)(draw(&random) % 4), &random);
        char shared_memory[PATH_MAX];
        snprintf(shared_memory, sizeof shared_memory, "%s-shm", e->path);
        unlink(shared_memory);
    }
    disk->epoch++;
    disk->stopped = 0;
    disk->stop_at = disk->fail_sync_at = -1;
    pthread_mutex_unlock(&lock);
}

void nkul_disk_stop_after(nkul_disk *disk, int64_t operations) {
    pthread_mutex_lock(&lock);
    disk->stop_at = operations < 0 ? -1 : disk->operations + operations;
    pthread_mutex_unlock(&lock);
}

int64_t nkul_disk_operations(nkul_disk *disk) {
    pthread_mutex_lock(&lock);
    int64_t count = disk->operations;
    pthread_mutex_unlock(&lock);
    return count;
}

int64_t nkul_disk_syncs(nkul_disk *disk) {
    pthread_mutex_lock(&lock);
    int64_t count = disk->syncs;
    pthread_mutex_unlock(&lock);
    return count;
}

void nkul_disk_fail_sync_after(nkul_disk *disk, int64_t syncs) {
    pthread_mutex_lock(&lock);
    disk->fail_sync_at = syncs < 0 ? -1 : disk->syncs + syncs;
    pthread_mutex_unlock(&lock);
}

void nkul_disk_set_capacity(nkul_disk *disk, int64_t bytes) {
    pthread_mutex_lock(&lock);
    disk->capacity = bytes;
    pthread_mutex_unlock(&lock);
}
