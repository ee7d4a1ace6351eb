#include "private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SECTOR 512

uint64_t nkul_draw(uint64_t *state) {  // SplitMix64
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Applies what the disk happened to write: `mode` 0 nothing, 1 everything, 2 any sectors, 3 a beginning of the changes.
static void keep_some(content *c, int mode, uint64_t *random) {
    int64_t count = 0, place = 0;
    for (change *x = c->first; x; x = x->next) count++;
    int64_t end = mode == 3 && count > 0 ? (int64_t)(nkul_draw(random) % (uint64_t)(count + 1)) : count;
    for (change *x = c->first; x && place < end && mode != 0; x = x->next, place++) {
        if (!x->bytes) {
            if (mode != 2 || nkul_draw(random) & 1) nkul_resize(c, x->offset);
            continue;
        }
        for (int64_t from = 0; from < x->length;) {
            int64_t sector_end = ((x->offset + from) / SECTOR + 1) * SECTOR - x->offset;
            int64_t to = sector_end < x->length ? sector_end : x->length;
            uint64_t dice = mode == 2 ? nkul_draw(random) % 16 : 15;
            if (mode == 3 && place == end - 1) dice = nkul_draw(random) % 16;
            int64_t kept = dice == 0 ? (int64_t)(nkul_draw(random) % (uint64_t)(to - from + 1)) : to - from;  // torn
            if (dice == 0 || dice > 7) nkul_put(c, x->offset + from, x->bytes + from, kept);
            from = to;
        }
    }
    nkul_forget_changes(c);
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

void nkul_cut_entry(entry *e, int mode, uint64_t *random) {
    if (e->current && access(e->path, F_OK) != 0) {  // unlinked by the program itself, without a sync of the directory
        nkul_release(e->current);
        e->current = NULL;
    }
    if (e->current != e->durable) {
        int keeps_current = mode == 1 || (mode != 0 && nkul_draw(random) & 1);
        content *kept = nkul_retain(keeps_current ? e->current : e->durable);
        nkul_release(e->current);
        nkul_release(e->durable);
        e->current = kept;
        e->durable = nkul_retain(kept);
    }
    if (!e->current) {
        unlink(e->path);
        return;
    }
    keep_some(e->current, mode, random);
    // Its own copy from now on: handles of the dead process hold the old one.
    content *fresh = calloc(1, sizeof *fresh);
    nkul_put(fresh, 0, e->current->durable ? e->current->durable : (unsigned char *)"", e->current->durable_size);
    fresh->size = fresh->durable_size;
    fresh->references = 2;
    nkul_release(e->current);
    nkul_release(e->durable);
    e->current = e->durable = fresh;
    write_out(e->path, fresh);
}
