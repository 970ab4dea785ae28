/* kbest_room.c - the memory of lists. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "engine/ask/kbest.h"

enum { MORE = 1 << 14 /* bytes that are added at a time */ };

void *tz_kbest_room(tz_kbest *k, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    if (bytes > k->left) {
        if (bytes > MORE / 4)
            return tz_arena_array(k->arena, count, size);
        char *more = tz_arena_array(k->arena, MORE, 1);
        if (more == NULL)
            return NULL;
        k->room = more;
        k->left = MORE;
    }
    return tz_kbest_small(k, bytes);
}

void tz_kbest_discard(tz_kbest *k) {
    if (k == NULL)
        return;
    tz_buffer *buffer[] = {&k->block,
                           &k->asking,
                           &k->strips,
                           &k->candidates,
                           &k->pending,
                           &k->node,
                           &k->use,
                           &k->parts,
                           &k->sorting,
                           &k->written.node,
                           &k->written.unsorted,
                           &k->written.use};
    for (size_t b = 0; b < sizeof buffer / sizeof *buffer; b++)
        tz_buffer_free(buffer[b]);
    tz_arena_free(k->arena);
    free(k);
}
