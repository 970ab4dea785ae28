/* gaps.c - words that should not become neighbours where those between them are left out, and those
 * that should not head a compression. SPDX-License-Identifier: MIT */
#include "sentences/guards/finding.h"

static void keep_apart(finding *f, tz_guard guard, int32_t i, int32_t j) {
    if (on(f, guard) && j > i + 1)
        f->apart[at(f, i, j)] = (uint8_t)(1 + guard);
}

static void apply_gaps(finding *f) {
    for (int32_t i = 1; i <= f->n; i++) {
        bool pronoun = among(f->table->loose, relation(f, i)); /* "this", "that" by themselves */
        for (const tz_guard_gap *g = tz_guard_gaps; g->left && !pronoun; g++)
            for (int32_t j = i + 2; f->is[i] & g->left && j <= f->n + 1; j++)
                if (f->is[j] & g->right)
                    keep_apart(f, g->guard, i, j);
    }
}

/* A phrase that is joined to its head by what stands before it: not without that behind the head.
 */
static void apply_joined(finding *f) {
    for (int32_t c = 1; c <= f->n; c++) {
        int32_t h = head(f, c), from = f->first[c];
        if (h < 1 || h >= from || !among(f->table->joined, relation(f, c)))
            continue;
        uint64_t cc = hash_of("cc", 2);
        int32_t link = from - 1; /* a comma before it, or a comma or "and" that it begins with */
        while (link < c && !(link > h && (f->is[link] & TZ_IS_MARK || relation(f, link) == cc)))
            link++;
        for (int32_t w = link + 1; w < c; w++) /* the word, where both are there */
            link = relation(f, w) == cc && head(f, w) == c ? w : link;
        for (int32_t i = h; link < c && i < link; i++)
            for (int32_t j = link + 1; j <= f->last[c]; j++)
                keep_apart(f, TZ_GUARD_LINK, i, j);
    }
}

/* "Although it rained, we left", "He is ill, she said": the clauses not without the comma. */
static void apply_joined_left(finding *f) {
    for (int32_t c = 1; c <= f->n; c++) {
        int32_t h = head(f, c), link = f->last[c] + 1, least = link - 2;
        if (h <= c || !among(f->table->joined_left, relation(f, c)))
            continue;
        while (link > c && link > least && !(f->is[link] & TZ_IS_MARK)) /* behind it, or its last */
            link--;
        if (link <= c || link >= h || !(f->is[link] & TZ_IS_MARK))
            continue;
        for (int32_t i = c; i < link; i++)
            for (int32_t j = link + 1; j <= h; j++)
                keep_apart(f, TZ_GUARD_LINK, i, j);
    }
}

/* The sentence's full stop stays. */
static void apply_stop(finding *f) {
    for (int32_t i = 0; i < f->n && f->n > 0 && f->is[f->n] & TZ_IS_STOP; i++)
        keep_apart(f, TZ_GUARD_MARKS, i, f->n + 1);
}

/* A clause heads a compression: the main one, or one that is joined to it; where that has none, as
 * "a bag that is warm", the tree's root. */
unsigned tz_guards_roots(finding *f) {
    bool any = false, hard = false, main = false;
    bool clauses = on(f, TZ_GUARD_MAIN) && !(f->without & TZ_GUARDS_LIMITED);
    for (int32_t w = 1; w <= f->n; w++) {
        any |= (f->is[w] & TZ_IS_CLAUSE) != 0;
        main |= f->is[w] & TZ_IS_CLAUSE && f->main[w];
        for (int32_t b = 1; b <= f->n && f->is[w] & TZ_IS_CLAUSE; b++)
            hard |= f->price[at(f, w, b)] == TZ_GUARD_NEVER;
    }
    for (int32_t w = 1; w <= f->n && any; w++) {
        bool clause = f->is[w] & TZ_IS_CLAUSE || (!main && head(f, w) == 0 && clauses);
        if (!clause && on(f, TZ_GUARD_FINITE))
            f->no_root[w] = 1 + TZ_GUARD_FINITE;
        else if (!f->main[w] && clauses)
            f->no_root[w] = 1 + TZ_GUARD_MAIN;
    }
    return hard ? TZ_GUARD_ROOT : TZ_GUARD_PRICE;
}

/* "He was.": what is he? */
static void apply_copulas(finding *f) {
    for (int32_t i = 1; i <= f->n; i++)
        for (int32_t j = i + 2; relation(f, i) == hash_of("cop", 3) && j <= f->n + 1; j++)
            if (f->is[j] & (TZ_IS_STOP | TZ_IS_FINITE | TZ_IS_MARK))
                keep_apart(f, TZ_GUARD_PREDICATE, i, j);
}

void tz_guards_gaps(finding *f) {
    apply_gaps(f);
    apply_copulas(f);
    apply_joined(f);
    apply_joined_left(f);
    apply_stop(f);
}
