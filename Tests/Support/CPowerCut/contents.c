#include "private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

content *nkul_retain(content *c) {
    if (c) c->references++;
    return c;
}

void nkul_forget_changes(content *c) {
    while (c->first) {
        change *next = c->first->next;
        free(c->first->bytes);
        free(c->first);
        c->first = next;
    }
    c->last = NULL;
}

void nkul_release(content *c) {
    if (!c || --c->references > 0) return;
    nkul_forget_changes(c);
    free(c->durable);
    free(c);
}

void nkul_resize(content *c, int64_t size) {
    if (size > c->durable_size) {
        c->durable = realloc(c->durable, (size_t)size);
        memset(c->durable + c->durable_size, 0, (size_t)(size - c->durable_size));
    }
    c->durable_size = size;
}

void nkul_put(content *c, int64_t offset, const unsigned char *bytes, int64_t length) {
    if (offset + length > c->durable_size) nkul_resize(c, offset + length);
    memcpy(c->durable + offset, bytes, (size_t)length);
}

void nkul_make_durable(content *c) {
    for (change *x = c->first; x; x = x->next) {
        if (x->bytes) nkul_put(c, x->offset, x->bytes, x->length); else nkul_resize(c, x->offset);
    }
    nkul_forget_changes(c);
}

void nkul_note(content *c, const void *bytes, int64_t offset, int64_t length) {
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

content *nkul_load(const char *path) {
    content *c = calloc(1, sizeof *c);
    FILE *file = fopen(path, "rb");
    if (!file) return c;
    fseek(file, 0, SEEK_END);
    int64_t size = ftell(file);
    rewind(file);
    nkul_resize(c, size);
    if (size > 0 && fread(c->durable, 1, (size_t)size, file) != (size_t)size) nkul_resize(c, 0);
    c->size = c->durable_size;
    fclose(file);
    return c;
}
