/* wordnet.c - see wordnet.h. SPDX-License-Identifier: MIT */
#include "sentences/align/wordnet/wordnet.h"

#include <stdlib.h>

enum { LONGEST_PATH = (TZ_WORDNET_FAR - 1) / 2 - 1 };

/* Those that were not found before go to the end of the list. */
static tz_status add(tz_numbers *found, tz_buffer *list, const uint32_t *synset, size_t count,
                     uint32_t edges) {
    tz_status status = TZ_OK;
    for (size_t s = 0; s < count && status == TZ_OK; s++) {
        uint32_t number;
        size_t before = found->count;
        status = tz_numbers_add(found, synset[s], &number);
        if (status != TZ_OK || found->count == before)
            continue;
        status = tz_buffer_grow(list, found->count, sizeof(tz_ancestor));
        if (status == TZ_OK)
            ((tz_ancestor *)list->data)[number] = (tz_ancestor){synset[s], edges};
    }
    return status;
}

static int by_synset(const void *a, const void *b) {
    const tz_ancestor *left = a, *right = b;
    return (left->synset > right->synset) - (left->synset < right->synset);
}

/* Breadth first: the list is its own queue. */
tz_status tz_wordnet_ancestors(const tz_wordnet *w, const uint32_t *sense, size_t senses,
                               tz_buffer *ret, size_t *ret_count) {
    tz_numbers found = {0};
    tz_status status = add(&found, ret, sense, senses, 0);
    for (size_t at = 0; at < found.count && status == TZ_OK; at++) {
        tz_ancestor here = ((const tz_ancestor *)ret->data)[at];
        size_t from = w->above_from[here.synset], end = w->above_from[here.synset + 1];
        if (here.edges < LONGEST_PATH)
            status = add(&found, ret, w->above + from, end - from, here.edges + 1);
    }
    *ret_count = found.count;
    tz_numbers_free(&found);
    if (status == TZ_OK && *ret_count > 1)
        qsort(ret->data, *ret_count, sizeof(tz_ancestor), by_synset);
    return status;
}

unsigned tz_wordnet_distance(const tz_ancestor *a, size_t as, const tz_ancestor *b, size_t bs) {
    unsigned least = TZ_WORDNET_FAR;
    for (size_t i = 0, j = 0; i < as && j < bs;) {
        if (a[i].synset == b[j].synset && a[i].edges + b[j].edges < least)
            least = a[i].edges + b[j].edges;
        uint32_t next = a[i].synset;
        i += next <= b[j].synset;
        j += b[j].synset <= next;
    }
    return least;
}
