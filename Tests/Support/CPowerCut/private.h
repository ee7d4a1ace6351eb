#pragma once
// What the files of this module share. Everything is guarded by nkul_lock.
#include "CPowerCut.h"

#include <pthread.h>
#include <stdint.h>

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

extern pthread_mutex_t nkul_lock;

// contents.c
content *nkul_retain(content *c);
void nkul_release(content *c);
content *nkul_load(const char *path);
void nkul_note(content *c, const void *bytes, int64_t offset, int64_t length);
void nkul_forget_changes(content *c);
void nkul_make_durable(content *c);
void nkul_resize(content *c, int64_t size);
void nkul_put(content *c, int64_t offset, const unsigned char *bytes, int64_t length);

// directories.c
nkul_disk *nkul_disk_of(const char *path);
entry *nkul_entry_of(nkul_disk *disk, const char *path);
void nkul_sync_directory(nkul_disk *disk, const char *path);
int nkul_may_change(nkul_disk *disk);
int64_t nkul_bytes_of(nkul_disk *disk);

// cut.c
void nkul_cut_entry(entry *e, int mode, uint64_t *random);
uint64_t nkul_draw(uint64_t *state);
