/* finding.h - what the files of this room share while they find the guards of a sentence.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_GUARDS_FINDING_H
#define TZ_SENTENCES_GUARDS_FINDING_H

#include "base/arena.h"
#include "sentences/features/tables/hash.h"
#include "sentences/guards/guards.h"
#include "sentences/guards/kinds.h"
#include "sentences/guards/table.h"

struct tz_guard_table {
    tz_arena *arena;
    tz_kinds *kinds;
    const uint64_t **row, **frame; /* relations of each row, ending with 0; NULL: any */
    const uint64_t *joined, *joined_left;
    const uint64_t *argument;  /* whose "no" negates the verb */
    const uint64_t *auxiliary; /* that make a clause of what is no verb */
    const uint64_t *loose;
    uint64_t determiner, expletive;
};

static inline uint64_t hash_of(const char *text, size_t size) {
    return tz_hash_text(text, size);
}

static inline bool among(const uint64_t *list, uint64_t hash) {
    while (*list && *list != hash)
        list++;
    return *list != 0;
}

typedef struct finding {
    const tz_guard_table *table;
    const tz_sentence *sentence;
    unsigned without;
    int32_t n, *first, *last; /* spans of subtrees */
    unsigned *is;
    int32_t *more; /* of a phrase that a list has, how many words follow its first */
    uint8_t *need, *apart, *no_root, *price;
} finding;

static inline size_t at(const finding *f, int32_t a, int32_t b) {
    return (size_t)a * ((size_t)f->n + 2) + (size_t)b;
}

static inline uint64_t relation(const finding *f, int32_t w) {
    return f->sentence->word[w].deprel;
}

static inline int32_t head(const finding *f, int32_t w) {
    return f->sentence->head[w];
}

static inline bool on(const finding *f, tz_guard guard) {
    return !(f->without >> guard & 1);
}

/* gaps.c: what should not become neighbours; what should not head the compression, whose price is
 * returned. After all needs. */
void tz_guards_gaps(finding *f);
unsigned tz_guards_roots(finding *f);

#endif
