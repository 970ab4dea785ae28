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
    const uint64_t *auxiliary; /* that make a clause with a word that is not a verb */
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
    bool news;     /* written as news is */
    bool *must;    /* words that stay */
    int32_t *more; /* for a phrase of a list, how many words follow its first */
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

static inline bool listed(const finding *f, tz_guard_list list, int32_t w) {
    return among(f->table->list[list], f->sentence->word[w].lower);
}

static inline bool is_tag(const finding *f, int32_t w, const char *tag) {
    return f->sentence->word[w].xpos == hash_of(tag, strlen(tag));
}

static inline bool is_relation(const finding *f, int32_t w, const char *name) {
    return relation(f, w) == hash_of(name, strlen(name));
}

/* The first child of any of these relations; 0: none. */
static inline int32_t child_of(const finding *f, int32_t h, const uint64_t *relations) {
    for (int32_t c = f->first[h]; c <= f->last[h]; c++)
        if (c != h && head(f, c) == h && among(relations, relation(f, c)))
            return c;
    return 0;
}

/* Does word h have the mark "to", or if not `to` another mark? */
static inline bool has_mark(const finding *f, int32_t h, bool to) {
    for (int32_t c = f->first[h]; c < h; c++)
        if (head(f, c) == h && is_relation(f, c, "mark") && is_tag(f, c, "TO") == to)
            return true;
    return false;
}

/* ---- Needs ----------------------------------------------------------------------------------- */

/* Word a needs word b at this price, or the highest price of several guards. */
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

/* The nearest word with a bit of `is`, from w on in steps of 1 or -1, before a word with a bit of
 * `end`; 0: none. */
static inline int32_t nearest(const finding *f, int32_t w, int32_t step, unsigned is,
                              unsigned end) {
    for (; w >= 1 && w <= f->n && !(f->is[w] & end); w += step)
        if (f->is[w] & is)
            return w;
    return 0;
}

/* register.c: sets `news`. After all kinds of words and spans. */
void tz_guards_register(finding *f);

/* adjuncts.c: in a sentence that is not news, all words but adjuncts stay. After all other
 * needs. */
void tz_guards_adjuncts(finding *f);

/* clauses.c: the parts without which a clause makes no sense. After tz_guards_register. */
void tz_guards_clauses(finding *f);

/* gaps.c: which words should not become neighbours, and which should not head the compression;
 * tz_guards_roots returns the price of the latter. After all needs. */
void tz_guards_gaps(finding *f);
unsigned tz_guards_roots(finding *f);

#endif
