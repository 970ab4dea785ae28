/* baseline.c - see baseline.h. SPDX-License-Identifier: MIT */
#include "sentences/align/decode/baseline.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool tz_baseline_parse(const char *text, tz_baseline *ret_baseline) {
    static const char blocks[] = "blocks:";
    *ret_baseline = (tz_baseline){TZ_BASELINE_IDENTITY, 1};
    if (strcmp(text, "identity") == 0)
        return true;
    ret_baseline->kind = TZ_BASELINE_LCS;
    if (strcmp(text, "lcs") == 0)
        return true;
    ret_baseline->kind = TZ_BASELINE_BLOCKS;
    const char *number = text + sizeof blocks - 1;
    if (strncmp(text, blocks, sizeof blocks - 1) != 0 || !isdigit((unsigned char)*number))
        return false;
    char *end;
    errno = 0;
    long cutoff = strtol(number, &end, 10);
    ret_baseline->cutoff = (uint32_t)cutoff;
    return errno == 0 && *end == '\0' && 1 <= cutoff && cutoff <= TZ_MOST_PAIR_WORDS;
}

/* A pair of texts, and a number for each pair of places, those behind the last word included. */
typedef struct grid {
    const tz_form *document, *abstract;
    size_t n, m;
    uint32_t *number; /* [(m + 1) * (n + 1)] */
} grid;

static uint32_t *at(const grid *g, size_t t, size_t j) {
    return &g->number[t * (g->n + 1) + j];
}

static void add(tz_links *links, size_t j, size_t t) {
    links->link[links->count++] = (tz_link){(uint32_t)j, (uint32_t)t};
}

/* ---- All equal words ------------------------------------------------------------------------- */

static tz_status identity(const grid *g, tz_arena *arena, tz_links *ret_links) {
    size_t count = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t j = 0; j < g->n; j++)
            for (size_t t = 0; t < g->m; t++)
                if (g->document[j].word == g->abstract[t].word) {
                    if (round == 0)
                        count++;
                    else
                        add(ret_links, j, t);
                }
        if (round == 0)
            *ret_links = (tz_links){0, tz_arena_array(arena, count, sizeof *ret_links->link)};
        if (!ret_links->link)
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

/* ---- Common subsequences --------------------------------------------------------------------- */

static void lcs(grid *g, tz_links *links) {
    for (size_t t = g->m; t-- > 0;)
        for (size_t j = g->n; j-- > 0;) {
            uint32_t below = *at(g, t + 1, j), beside = *at(g, t, j + 1);
            *at(g, t, j) = g->document[j].word == g->abstract[t].word ? *at(g, t + 1, j + 1) + 1
                           : below > beside                           ? below
                                                                      : beside;
        }
    for (size_t t = 0, j = 0; t < g->m && j < g->n;)
        if (g->document[j].word == g->abstract[t].word)
            add(links, j++, t++);
        else if (*at(g, t + 1, j) >= *at(g, t, j + 1))
            t++;
        else
            j++;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool is_free(const uint8_t *made, const uint8_t *used, size_t t, size_t j, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (made[t + w] || used[j + w])
            return false;
    return true;
}

/* From the longest to the shortest: what is found of some length is the longest that is left. */
static void blocks(grid *g, uint32_t cutoff, uint8_t *made, uint8_t *used, tz_links *links) {
    uint32_t longest = 0;
    for (size_t t = g->m; t-- > 0;)
        for (size_t j = g->n; j-- > 0;)
            if (g->document[j].stem == g->abstract[t].stem) {
                uint32_t words = *at(g, t, j) = *at(g, t + 1, j + 1) + 1;
                longest = words > longest ? words : longest;
            }
    for (uint32_t words = longest; words >= cutoff; words--)
        for (size_t t = 0; t < g->m; t++)
            for (size_t j = 0; j < g->n; j++)
                if (*at(g, t, j) >= words && is_free(made, used, t, j, words)) {
                    for (size_t w = 0; w < words; w++)
                        add(links, j + w, t + w);
                    memset(made + t, 1, words);
                    memset(used + j, 1, words);
                }
}

/* ---------------------------------------------------------------------------------------------- */

tz_status tz_baseline_align(const tz_baseline *baseline, tz_arena *arena, const tz_form *document,
                            size_t n, const tz_form *abstract, size_t m, tz_links *ret_links) {
    grid g = {document, abstract, n, m, NULL};
    if (baseline->kind == TZ_BASELINE_IDENTITY)
        return identity(&g, arena, ret_links);
    g.number = tz_arena_array(arena, (m + 1) * (n + 1), sizeof *g.number);
    uint8_t *made = tz_arena_array(arena, m, 1), *used = tz_arena_array(arena, n, 1);
    *ret_links = (tz_links){0, tz_arena_array(arena, m < n ? m : n, sizeof *ret_links->link)};
    if (!g.number || !made || !used || !ret_links->link)
        return TZ_NO_MEMORY;
    if (baseline->kind == TZ_BASELINE_LCS)
        lcs(&g, ret_links);
    else
        blocks(&g, baseline->cutoff, made, used, ret_links);
    tz_links_sort(ret_links);
    return TZ_OK;
}
