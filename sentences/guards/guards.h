/* guards.h - guards against bad compressions: those that lose a "not", tear a name apart, keep a
 * preposition without its noun.
 *
 * A guard says that one word, where it is kept, *needs* another (table.h says which, by the
 * relation between them); that two words should not become neighbours; that a word should not head
 * the compression. Each has a price, which a search (learn/decode_compress.h) subtracts from the
 * score of a compression that breaks it. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_GUARDS_GUARDS_H
#define TZ_SENTENCES_GUARDS_GUARDS_H

#include "sentences/features/sentence/corpus.h"

struct tz_arena;

typedef enum tz_guard {
    TZ_GUARD_NEGATION,  /* a word and its negation stay together */
    TZ_GUARD_FRAME,     /* a statement denied, doubted or made a condition is not asserted */
    TZ_GUARD_HEDGE,     /* nor is one that is only believed, hoped or claimed */
    TZ_GUARD_OBJECT,    /* a verb keeps its object and its clausal complement */
    TZ_GUARD_SUBJECT,   /* a finite verb keeps its subject; a speaker what is said */
    TZ_GUARD_PREDICATE, /* be and its predicate, a verb and its auxiliaries */
    TZ_GUARD_PHRASE,    /* preposition and noun; a modifier of a noun does not stay without it */
    TZ_GUARD_NAME,      /* names, amounts and ranges of numbers stay whole */
    TZ_GUARD_FINITE,    /* a finite verb heads the compression, if there is one */
    TZ_GUARD_MARKS,     /* quotation marks and brackets in pairs; the full stop */
    TZ_GUARD_LINK,      /* no two phrases side by side whose link is gone; no loose end */
    TZ_GUARD_CONDITION, /* "if", "unless", "until" with the verb before and its clause */
    TZ_GUARD_PRONOUN,   /* "they" not without the subject before it: who? */
    TZ_GUARD_MAIN,      /* a main clause heads the compression; "who" with whom it is for */
    TZ_GUARD_LIMIT,     /* phrases that say which ones: "closed to lorries" */
    TZ_GUARD_ADJUNCT,   /* text that is not news loses only adjuncts, whole ones */
    TZ_GUARDS
} tz_guard;

/* Prices in the table's units, in this order: neighbours and roots that should not be; roots where
 * a finite verb has a need that must not be broken and half a phrase would otherwise be cheaper;
 * needs found by clauses.c; half a name or half of "63-year-old"; "they" without the subject before
 * it; needs to be broken only where nothing else is left, which cost TZ_GUARD_HARD times as
 * much. */
enum {
    TZ_GUARD_PRICE = 60,
    TZ_GUARD_ROOT = 600,
    TZ_GUARD_FIRM = 120, /* of clauses.c */
    TZ_GUARD_WHOLE = 130,
    TZ_GUARD_UNNAMED = 240,
    TZ_GUARD_NEVER = 250,
    TZ_GUARD_HARD = 50
};

/* A further bit of `without`: a length is given, which mostly rules out the needs of clauses.c. */
enum { TZ_GUARDS_LIMITED = 1 << TZ_GUARDS };

/* The name of a guard, such as "negation"; NULL past the last. */
const char *tz_guard_name(unsigned guard);

/* Names of guards as people choose them: likewise, and "all" behind the last one; and the set that
 * bits by these names mean. */
static inline const char *tz_guard_choice(unsigned guard) {
    return guard == TZ_GUARDS ? "all" : tz_guard_name(guard);
}
static inline unsigned tz_guards_chosen(unsigned bits) {
    return bits >> TZ_GUARDS & 1 ? (1u << TZ_GUARDS) - 1 : bits;
}

/* The table of guards, worked out once (table.c). */
typedef struct tz_guard_table tz_guard_table;
tz_status tz_guard_table_new(tz_guard_table **ret_table);
void tz_guard_table_free(tz_guard_table *table);

/* What guards find in a sentence. Positions are 0..words + 1: the root, words, the end. */
typedef struct tz_guarded {
    int32_t words;
    /* [a * (words + 2) + b]: 0, or 1 + the guard by which word a needs word b. */
    const uint8_t *need;
    /* [i * (words + 2) + j], i < j: likewise, the guard by which j should not be the kept word
     * after i. */
    const uint8_t *apart;
    const uint8_t *no_root; /* [words + 2]: likewise, the guard by which the word should not head
                               the compression */
    const uint8_t *price;   /* like need: the price, in the table's units */
    const bool *must;       /* [words + 2]: the word stays, by TZ_GUARD_ADJUNCT */
    unsigned root;          /* the price of a bad root where no length is given */
} tz_guarded;

static inline unsigned tz_need_price(const tz_guarded *guarded, int32_t a, int32_t b) {
    unsigned price = guarded->price[(size_t)a * ((size_t)guarded->words + 2) + (size_t)b];
    return price == TZ_GUARD_NEVER ? TZ_GUARD_HARD * price : price;
}
/* The price of word w as the head of the compression; limited: a length is given. */
static inline unsigned tz_root_price(const tz_guarded *guarded, int32_t w, bool limited) {
    if (guarded->no_root[w] == 0)
        return 0;
    if (limited)
        return TZ_GUARD_PRICE;
    unsigned price = guarded->root;
    return price > TZ_GUARD_FIRM || guarded->no_root[w] != 1 + TZ_GUARD_MAIN ? price
                                                                             : TZ_GUARD_FIRM;
}
static inline bool tz_apart(const tz_guarded *guarded, int32_t i, int32_t j) {
    return guarded->apart[(size_t)i * ((size_t)guarded->words + 2) + (size_t)j] != 0;
}

/* Finds the guards of a sentence with tags, heads and labels, as far as they are known. without: a
 * set of guards that are off, 1 << tz_guard each, and TZ_GUARDS_LIMITED. Memory is the arena's.
 * TZ_NO_MEMORY. Cost: O(n^2). */
tz_status tz_guards_find(const tz_guard_table *table, struct tz_arena *arena,
                         const tz_sentence *sentence, unsigned without, tz_guarded *ret_guarded);

/* Counts how often a compression, heads as in tz_sentence.compression, breaks each guard. */
void tz_guards_broken(const tz_guarded *guarded, const int32_t *compression,
                      size_t ret_broken[TZ_GUARDS]);

#endif
