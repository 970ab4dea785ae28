/* contexts.h - the contexts of a decision to keep or drop a child, and the order in which parts of
 * them are forgotten.
 *
 * The children of a kept constituent with two children or more are decided from the head outwards:
 * the head child H, then left modifiers L^1, L^2, ..., then right ones. The decision about H sees H
 * and the categories from the constituent upwards; the decision about a modifier M also sees
 * whether H was kept, and the nearest sisters towards the head with the decisions about them.
 *
 * A *chain* is the list of contexts from which a probability is interpolated. The last has seen
 * nothing but which of H, L, R is decided; the first everything. The parts are forgotten in this
 * order,
 *   of H:  its word, its tag, ancestors from the outermost, its category;
 *   of M:  H's word, M's word, H's tag, M's tag, ancestors from the outermost, the farthest
 *          sister's category, its flag, ... the nearest one's, whether H was kept, H's category,
 *          M's.
 *
 * Galley & McKeown 2007, section 3. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_DELETIONS_CONTEXTS_H
#define TZ_SENTENCES_DELETIONS_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "sentences/deletions/outward.h"

/* What a context sees of a head child or a modifier, as bits; the category is always seen. */
enum { TZ_SEE_CATEGORY = 1, TZ_SEE_TAG = 2, TZ_SEE_WORD = 4 };

enum {
    TZ_SISTERS = 3,                                      /* sisters seen, at most */
    TZ_CHAIN = 1 + 3 + 2 * TZ_SISTERS + TZ_ANCESTORS + 4 /* contexts of a chain, at most */
};

typedef struct tz_sight {
    unsigned sisters, ancestors; /* 0..TZ_SISTERS, 0..TZ_ANCESTORS */
    unsigned modifier, head;     /* TZ_SEE_... */
} tz_sight;

/* The decisions before child `node`: bit j of flags says whether the sister j + 1 places towards
 * the head was kept, if there is one. For a head child head_kept and flags do not matter. own: the
 * decision is whether the word of a leaf stays in the constituent that the leaf is, as if it were
 * its head child. */
typedef struct tz_decision {
    uint32_t node;
    bool head_kept;
    unsigned flags;
    bool own;
} tz_decision;

/* The chain's hashes, the context that has seen nothing first. Returns how many: the same number
 * for all children on the same side of a head. */
size_t tz_chain(const tz_sight *sight, const tz_outward *tree, const tz_decision *decision,
                uint64_t ret_context[TZ_CHAIN]);

#endif
