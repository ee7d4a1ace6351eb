#include "private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pthread_mutex_t nkul_lock = PTHREAD_MUTEX_INITIALIZER;
static nkul_disk *disks;

nkul_disk *nkul_disk_of(const char *path) {
    for (nkul_disk *d = disks; path && d; d = d->next)
        if (strncmp(path, d->directory, strlen(d->directory)) == 0) return d;
    return NULL;
}

entry *nkul_entry_of(nkul_disk *d, const char *path) {
    for (entry *e = d->entries; e; e = e->next)
        if (strcmp(e->path, path) == 0) return e;
    entry *e = calloc(1, sizeof *e);
    e->path = strdup(path);
    if (access(path, F_OK) == 0) {  // it was there before anyone watched
        e->current = nkul_retain(nkul_load(path));
        e->durable = nkul_retain(e->current);
    }
    e->next = d->entries;
    d->entries = e;
    return e;
}

static int same_directory(const char *one, const char *other) {
    const char *a = strrchr(one, '/'), *b = strrchr(other, '/');
    return a && b && a - one == b - other && strncmp(one, other, (size_t)(a - one)) == 0;
}

void nkul_sync_directory(nkul_disk *d, const char *path) {
    for (entry *e = d->entries; e; e = e->next) {
        if (!same_directory(e->path, path) || e->durable == e->current) continue;
        nkul_release(e->durable);
        e->durable = nkul_retain(e->current);
    }
}

// False if the machine has stopped. Counts an operation that changes something.
int nkul_may_change(nkul_disk *d) {
    if (d->stopped) return 0;
    if (d->stop_at >= 0 && d->operations >= d->stop_at) {
        d->stopped = 1;
        return 0;
    }
    d->operations++;
    return 1;
}

int64_t nkul_bytes_of(nkul_disk *d) {
    int64_t sum = 0;
    for (entry *e = d->entries; e; e = e->next) sum += e->current ? e->current->size : 0;
    return sum;
}

nkul_disk *nkul_disk_create(const char *directory) {
    char resolved[PATH_MAX];
    if (!realpath(directory, resolved)) return NULL;
    strncat(resolved, "/", sizeof resolved - strlen(resolved) - 1);
    pthread_mutex_lock(&nkul_lock);
    nkul_disk *d = NULL;
    if (!nkul_disk_of(resolved)) {
        d = calloc(1, sizeof *d);
        d->directory = strdup(resolved);
        d->capacity = d->stop_at = d->fail_sync_at = -1;
        d->next = disks;
        disks = d;
    }
    pthread_mutex_unlock(&nkul_lock);
    return d;
}

void nkul_disk_free(nkul_disk *disk) {
    pthread_mutex_lock(&nkul_lock);
    for (nkul_disk **place = &disks; *place; place = &(*place)->next)
        if (*place == disk) {
            *place = disk->next;
            break;
        }
    disk->epoch++;
    disk->stopped = 1;
    while (disk->entries) {
        entry *next = disk->entries->next;
        nkul_release(disk->entries->current);
        nkul_release(disk->entries->durable);
        free(disk->entries->path);
        free(disk->entries);
        disk->entries = next;
    }
    // The disk itself stays: handles of connections that were never closed point to it.
    pthread_mutex_unlock(&nkul_lock);
}

void nkul_disk_cut(nkul_disk *disk, uint64_t seed) {
    pthread_mutex_lock(&nkul_lock);
    uint64_t random = seed;
    for (entry *e = disk->entries; e; e = e->next) {
        nkul_cut_entry(e, (int)(nkul_draw(&random) % 4), &random);
        char shared_memory[PATH_MAX];
        snprintf(shared_memory, sizeof shared_memory, "%s-shm", e->path);
        unlink(shared_memory);
    }
    disk->epoch++;
    disk->stopped = 0;
    disk->stop_at = disk->fail_sync_at = -1;
    pthread_mutex_unlock(&nkul_lock);
}

void nkul_disk_stop_after(nkul_disk *disk, int64_t operations) {
    pthread_mutex_lock(&nkul_lock);
    disk->stop_at = operations < 0 ? -1 : disk->operations + operations;
    pthread_mutex_unlock(&nkul_lock);
}

int nkul_disk_has_stopped(nkul_disk *disk) {
    pthread_mutex_lock(&nkul_lock);
    int stopped = disk->stopped;
    pthread_mutex_unlock(&nkul_lock);
    return stopped;
}

int64_t nkul_disk_operations(nkul_disk *disk) {
    pthread_mutex_lock(&nkul_lock);
    int64_t count = disk->operations;
    pthread_mutex_unlock(&nkul_lock);
    return count;
}

int64_t nkul_disk_syncs(nkul_disk *disk) {
    pthread_mutex_lock(&nkul_lock);
    int64_t count = disk->syncs;
    pthread_mutex_unlock(&nkul_lock);
    return count;
}

void nkul_disk_fail_sync_after(nkul_disk *disk, int64_t syncs) {
    pthread_mutex_lock(&nkul_lock);
    disk->fail_sync_at = syncs < 0 ? -1 : disk->syncs + syncs;
    pthread_mutex_unlock(&nkul_lock);
}

void nkul_disk_set_capacity(nkul_disk *disk, int64_t bytes) {
    pthread_mutex_lock(&nkul_lock);
    disk->capacity = bytes;
    pthread_mutex_unlock(&nkul_lock);
}
