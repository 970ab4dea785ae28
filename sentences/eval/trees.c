/* trees.c - see trees.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/trees.h"

#include <stdlib.h>
#include <string.h>

const tz_figure tz_trees_figure[TZ_TREES_FIGURES] = {
    [TZ_TREES_F1] = {"constituents.f1", "constituents: F1", NULL},
    [TZ_TREES_PRECISION] = {"constituents.precision", "  precision", "constituents"},
    [TZ_TREES_RECALL] = {"constituents.recall", "  recall", "constituents"},
    [TZ_TREES_CROSSING] = {"crossing", "crossing", "constituents"},
    [TZ_TREES_UNCROSSED] = {"trees.uncrossed", "trees without crossing", "trees"},
    [TZ_TREES_EXACT] = {"trees.exact", "exact trees", "trees"},
    [TZ_TREES_TAGS] = {"tags", "tags", "words"},
};

typedef struct span {
    uint32_t begin, end;
    const char *category;
} span;

static int compare(const void *a, const void *b) {
    const span *p = a, *q = b;
    if (p->begin != q->begin)
        return p->begin < q->begin ? -1 : 1;
    if (p->end != q->end)
        return p->end < q->end ? -1 : 1;
    return strcmp(p->category, q->category);
}

static bool is_punctuation(const char *tag) {
    static const char *const tags[] = {",", ".", ":", "``", "''"};
    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++)
        if (strcmp(tags[t], tag) == 0)
            return true;
    return false;
}

/* The constituents in order; place[w]: counted words before word w. */
static size_t list(const tz_tree *tree, const uint32_t *place, span *ret_span) {
    size_t count = 0;
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        span s = {place[node->begin], place[node->end], node->category};
        if (!tz_tree_leaf(node) && s.begin < s.end)
            ret_span[count++] = s;
    }
    qsort(ret_span, count, sizeof *ret_span, compare);
    return count;
}

static size_t shared(const span *a, size_t as, const span *b, size_t bs) {
    size_t both = 0;
    for (size_t i = 0, j = 0; i < as && j < bs;) {
        int order = compare(&a[i], &b[j]);
        both += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return both;
}

/* far[i]: how far right constituents reach that begin before word i; near[i]: where the leftmost of
 * those begins that end there. */
static size_t crossing(const span *found, size_t count, const span *right, size_t rights,
                       uint32_t words, uint32_t *far, uint32_t *near) {
    size_t crossing = 0;
    for (uint32_t i = 0; i <= words; i++)
        far[i] = near[i] = i;
    for (size_t r = 0; r < rights; r++) {
        if (far[right[r].begin] < right[r].end)
            far[right[r].begin] = right[r].end;
        if (near[right[r].end] > right[r].begin)
            near[right[r].end] = right[r].begin;
    }
    for (size_t f = 0; f < count; f++) {
        bool crosses = false;
        for (uint32_t i = found[f].begin + 1; i < found[f].end && !crosses; i++)
            crosses = far[i] > found[f].end || near[i] < found[f].begin;
        crossing += crosses;
    }
    return crossing;
}

tz_status tz_trees_measure(const tz_tree *gold, const tz_tree *system, bool punctuation,
                           tz_ratio *ret_ratio) {
    size_t positions = (size_t)gold->words + 1;
    uint32_t *place = calloc(3 * positions, sizeof *place);
    span *right = calloc((size_t)gold->nodes + system->nodes, sizeof *right);
    if (!place || !right) {
        free(place);
        free(right);
        return TZ_NO_MEMORY;
    }
    span *found = right + gold->nodes;
    size_t tags = 0;
    for (uint32_t w = 0; w < gold->words; w++) {
        place[w + 1] = place[w] + (punctuation || !is_punctuation(gold->word[w].tag));
        tags += strcmp(gold->word[w].tag, system->word[w].tag) == 0;
    }
    size_t rights = list(gold, place, right), count = list(system, place, found);
    size_t both = shared(right, rights, found, count);
    size_t crossed = crossing(found, count, right, rights, place[gold->words], place + positions,
                              place + 2 * positions);
    free(place);
    free(right);
    double b = (double)both, r = (double)rights, f = (double)count;
    ret_ratio[TZ_TREES_F1] = (tz_ratio){2 * b, r + f};
    ret_ratio[TZ_TREES_PRECISION] = (tz_ratio){b, f};
    ret_ratio[TZ_TREES_RECALL] = (tz_ratio){b, r};
    ret_ratio[TZ_TREES_CROSSING] = (tz_ratio){(double)crossed, f};
    ret_ratio[TZ_TREES_UNCROSSED] = (tz_ratio){crossed == 0, 1};
    ret_ratio[TZ_TREES_EXACT] = (tz_ratio){both == rights && both == count, 1};
    ret_ratio[TZ_TREES_TAGS] = (tz_ratio){(double)tags, gold->words};
    return TZ_OK;
}
