// igzip, the deflate of ISA-L, in one call: Swift cannot see into its state, whose tables are too large for tuples.
#pragma once
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

// Level 1 with a token buffer for 32 K tokens at once.
struct nkul_igzip {
    struct isal_zstream stream;
    uint8_t level[ISAL_DEF_LVL1_MEDIUM];
};

// Its memory begins as zeros, so that what it gives depends on nothing but its input. NULL without memory.
static inline void *nkul_igzip_create(void) { return calloc(1, sizeof(struct nkul_igzip)); }

static inline void nkul_igzip_destroy(void *igzip) { free(igzip); }

// Most bytes that deflating `length` bytes can give: what does not shrink is stored in blocks of at most 65 535 bytes with five
// bytes before each.
static inline size_t nkul_igzip_bound(size_t length) { return length + 5 * (length / 65535 + 1) + 16; }

// Deflates `input` as one bare stream; the bytes written to `output`, 0 if it failed.
static inline size_t nkul_igzip_deflate(
    void *memory, const void *input, size_t length, void *output, size_t capacity) {
    struct nkul_igzip *igzip = (struct nkul_igzip *)memory;
    struct isal_zstream *stream = &igzip->stream;
    if (length > UINT32_MAX || capacity > UINT32_MAX) return 0;
    isal_deflate_stateless_init(stream);
    stream->level = 1;
    stream->level_buf = igzip->level;
    stream->level_buf_size = sizeof igzip->level;
    stream->end_of_stream = 1;
    stream->flush = NO_FLUSH;
    stream->next_in = (uint8_t *)input;
    stream->avail_in = (uint32_t)length;
    stream->next_out = (uint8_t *)output;
    stream->avail_out = (uint32_t)capacity;
    return isal_deflate_stateless(stream) == COMP_OK && stream->avail_in == 0 ? stream->total_out : 0;
}
