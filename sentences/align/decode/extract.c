/* extract.c - see extract.h. SPDX-License-Identifier: MIT */
#include "sentences/align/decode/extract.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which sentences have a stem ------------------------------------------------------------- */

typedef struct use {
    uint64_t stem;
    uint32_t sentence;
} use;

static int compare_uses(const void *a, const void *b) {
    const use *x = a, *y = b;
    if (x->stem != y->stem)
        return x->stem < y->stem ? -1 : 1;
    return (x->sentence > y->sentence) - (x->sentence < y->sentence);
}

tz_status tz_stem_index_new(tz_arena *arena, const tz_form *document, const uint32_t *begin,
                            size_t sentences, tz_stem_index *ret) {
    size_t words = begin[sentences], uses = 0;
    use *u = tz_arena_array(arena, words, sizeof *u);
    *ret = (tz_stem_index){.sentences = sentences,
                           .begin = begin,
                           .stem = tz_arena_array(arena, words, sizeof *ret->stem),
                           .first = tz_arena_array(arena, words + 1, sizeof *ret->first),
                           .sentence = tz_arena_array(arena, words, sizeof *ret->sentence)};
    if (!u || !ret->stem || !ret->first || !ret->sentence)
        return TZ_NO_MEMORY;
    for (uint32_t s = 0; s < sentences; s++)
        for (uint32_t w = begin[s]; w < begin[s + 1]; w++)
            u[w] = (use){document[w].stem, s};
    if (words > 0)
        qsort(u, words, sizeof *u, compare_uses);
    for (size_t w = 0; w < words; w++) {
        if (w > 0 && compare_uses(&u[w - 1], &u[w]) == 0)
            continue;
        if (w == 0 || u[w - 1].stem != u[w].stem) {
            ret->stem[ret->stems] = u[w].stem;
            ret->first[ret->stems++] = uses;
        }
        ret->sentence[uses++] = u[w].sentence;
    }
    ret->first[ret->stems] = uses;
    return TZ_OK;
}

/* ---- Taking sentences ------------------------------------------------------------------------ */

/* Gains closer than this are equal: sums of logarithms that differ by rounding alone. */
#define SAME 1e-9

/* A stem of the abstract that the document has. */
typedef struct wanted {
    size_t stem;
    double idf;
    bool covered;
} wanted;

static int compare_wanted(const void *a, const void *b) {
    const wanted *x = a, *y = b;
    return (x->stem > y->stem) - (x->stem < y->stem);
}

static int compare_stems(const void *key, const void *member) {
    const uint64_t *a = key, *b = member;
    return (*a > *b) - (*a < *b);
}

/* The different stems of a sentence of the abstract. Returns how many. */
static size_t want(const tz_stem_index *index, const tz_form *abstract, size_t words, wanted *ret) {
    size_t count = 0, kept = 0;
    for (size_t w = 0; w < words && index->stems > 0; w++) {
        const uint64_t *found =
            bsearch(&abstract[w].stem, index->stem, index->stems, sizeof *found, compare_stems);
        if (found) {
            size_t stem = (size_t)(found - index->stem);
            size_t sentences = index->first[stem + 1] - index->first[stem];
            ret[count++] = (wanted){stem, log((double)index->sentences / (double)sentences), false};
        }
    }
    if (count > 0)
        qsort(ret, count, sizeof *ret, compare_wanted);
    for (size_t w = 0; w < count; w++)
        if (w == 0 || ret[w].stem != ret[kept - 1].stem)
            ret[kept++] = ret[w];
    return kept;
}

static bool has(const tz_stem_index *index, size_t stem, size_t sentence) {
    for (size_t u = index->first[stem]; u < index->first[stem + 1]; u++)
        if (index->sentence[u] == sentence)
            return true;
    return false;
}

/* The sentence that adds most, among those with words that are not taken; behind the last where
 * there is none. */
static size_t next(const tz_stem_index *index, wanted *stem, size_t stems, double *gain,
                   const bool *taken) {
    size_t best = index->sentences;
    memset(gain, 0, index->sentences * sizeof *gain);
    for (size_t k = 0; k < stems; k++)
        for (size_t u = index->first[stem[k].stem];
             u < index->first[stem[k].stem + 1] && !stem[k].covered; u++)
            gain[index->sentence[u]] += stem[k].idf;
    for (size_t s = 0; s < index->sentences; s++)
        if (!taken[s] && index->begin[s] < index->begin[s + 1] &&
            (best == index->sentences || gain[s] > gain[best] + SAME))
            best = s;
    for (size_t k = 0; k < stems; k++)
        stem[k].covered = stem[k].covered || has(index, stem[k].stem, best);
    return best;
}

static tz_status gather(tz_arena *arena, const tz_stem_index *index, const bool *taken,
                        size_t words, size_t sentences, tz_extract *ret) {
    *ret = (tz_extract){.place = tz_arena_array(arena, words, sizeof *ret->place),
                        .begin = tz_arena_array(arena, sentences + 1, sizeof *ret->begin)};
    if (!ret->place || !ret->begin)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < index->sentences; s++) {
        if (!taken[s])
            continue;
        for (uint32_t w = index->begin[s]; w < index->begin[s + 1]; w++)
            ret->place[ret->words++] = w;
        ret->begin[++ret->sentences] = (uint32_t)ret->words;
    }
    return TZ_OK;
}

tz_status tz_extract_new(tz_arena *arena, const tz_stem_index *index, const tz_form *abstract,
                         size_t words, size_t most, tz_extract *ret) {
    wanted *stem = tz_arena_array(arena, words, sizeof *stem);
    double *gain = tz_arena_array(arena, index->sentences, sizeof *gain);
    bool *taken = tz_arena_array(arena, index->sentences, sizeof *taken);
    if (!stem || !gain || !taken)
        return TZ_NO_MEMORY;
    size_t stems = want(index, abstract, words, stem), size = 0, count = 0;
    for (; count < most; count++) {
        size_t s = next(index, stem, stems, gain, taken);
        if (s == index->sentences)
            break;
        taken[s] = true;
        size += index->begin[s + 1] - index->begin[s];
    }
    return gather(arena, index, taken, size, count, ret);
}
