/* finding.h - what the files of this room share while they find the guards of a sentence.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_GUARDS_FINDING_H
#define TZ_SENTENCES_GUARDS_FINDING_H

#include <string.h>

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
    const uint64_t *main;   /* of clauses said in a main clause, or beside it */
    const uint64_t *within; /* of a word in -ing that is part of a phrase */
    const uint64_t *subject, *complement, *adjunct, *possessor, *adposition;
    const uint64_t *list[TZ_LISTS]; /* words in lower case */
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
    bool *main;    /* heads of main clauses */
    bool talk;     /* about the writer or reader */
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

/* ---- Needs ----------------------------------------------------------------------------------- */

/* The higher price, where several guards say so. */
static inline void put(finding *f, tz_guard guard, int32_t a, int32_t b, uint8_t price) {
    if (a < 1 || b < 1 || a > f->n || b > f->n || a == b || !on(f, guard) ||
        f->price[at(f, a, b)] >= price)
        return;
    f->need[at(f, a, b)] = (uint8_t)(1 + guard);
    f->price[at(f, a, b)] = price;
}

static inline void put_both(finding *f, tz_guard guard, int32_t a, int32_t b, uint8_t price) {
    put(f, guard, a, b, price);
    put(f, guard, b, a, price);
}

/* All words of the clause of c need w. */
static inline void put_clause(finding *f, const tz_guard_row *row, int32_t c, int32_t w) {
    for (int32_t x = f->first[c]; x <= f->last[c]; x++) {
        int32_t a = x;
        for (int32_t steps = 0; a > 0 && a != c && steps <= f->n; steps++)
            a = head(f, a);
        if (a == c && relation(f, x) != hash_of("punct", 5))
            put(f, row->guard, x, w, row->price);
    }
}

/* The nearest word of a kind from w on, in steps of 1 or -1, before one that ends the search; 0. */
static inline int32_t nearest(const finding *f, int32_t w, int32_t step, unsigned is,
                              unsigned end) {
    for (; w >= 1 && w <= f->n && !(f->is[w] & end); w += step)
        if (f->is[w] & is)
            return w;
    return 0;
}

/* clauses.c: what a clause is nothing without. After all kinds of words and spans. */
void tz_guards_clauses(finding *f);

/* gaps.c: what should not become neighbours; what should not head the compression; the price
 * of the latter is returned. After all needs. */
void tz_guards_gaps(finding *f);
unsigned tz_guards_roots(finding *f);

#endif
