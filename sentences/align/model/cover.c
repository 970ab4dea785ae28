/* cover.c - see cover.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/cover.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sentences/features/sentence/projective.h"

/* ---- Nodes ----------------------------------------------------------------------------------- */

static tz_status number_label(tz_labels *labels, bool grow, const char *before, const char *name,
                              const char *after, int32_t *ret) {
    char *label = tz_joined(before, name, after);
    tz_status status = label ? TZ_OK : TZ_NO_MEMORY;
    if (label && grow)
        status = tz_labels_add(labels, label, ret);
    else if (label)
        *ret = tz_labels_find(labels, label);
    free(label);
    return status;
}

/* The nodes of one sentence, in no particular order. */
typedef struct nodes {
    tz_cover_node *node;
    size_t count;
    tz_labels *labels;
    bool grow;
} nodes;

static tz_status add_node(nodes *n, uint32_t begin, uint32_t end, const char *before,
                          const char *name, const char *after) {
    tz_cover_node *node = &n->node[n->count++];
    node->begin = begin;
    node->end = end;
    return number_label(n->labels, n->grow, before, name, after, &node->label);
}

/* Words of the sentence stand behind those of earlier ones, `words` of them. */
static tz_status add_sentence(tz_arena *scratch, const tz_cover_sentence *sentence, uint32_t words,
                              nodes *n) {
    int32_t size = sentence->words;
    int32_t *head = tz_arena_array(scratch, (size_t)size + 1, sizeof *head);
    int32_t *first = tz_arena_array(scratch, (size_t)size + 1, sizeof *first);
    int32_t *last = tz_arena_array(scratch, (size_t)size + 1, sizeof *last);
    if (!head || !first || !last)
        return TZ_NO_MEMORY;
    memcpy(head, sentence->head, ((size_t)size + 1) * sizeof *head);
    tz_projectivise(head, size);
    for (int32_t w = 1; w <= size; w++)
        first[w] = last[w] = w;
    for (int32_t w = 1; w <= size; w++) {
        for (int32_t a = head[w]; a > 0; a = head[a]) {
            first[a] = first[a] < w ? first[a] : w;
            last[a] = last[a] > w ? last[a] : w;
        }
    }
    tz_status status = TZ_OK;
    if (size > 0)
        status = add_node(n, words + 1, words + (uint32_t)size, "(", "root", ")");
    for (int32_t w = 1; w <= size && status == TZ_OK; w++) {
        if (size > 1)
            status =
                add_node(n, words + (uint32_t)w, words + (uint32_t)w, "", sentence->tag[w], "");
        int32_t span = last[w] - first[w] + 1;
        if (status == TZ_OK && span > 1 && span < size)
            status = add_node(n, words + (uint32_t)first[w], words + (uint32_t)last[w], "(",
                              sentence->relation[w], ")");
    }
    return status;
}

static int compare(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_end(const void *a, const void *b) {
    const tz_cover_node *left = a, *right = b;
    int order = compare(left->end, right->end);
    return order != 0 ? order : compare(right->begin, left->begin);
}

static int by_beginning(const void *a, const void *b) {
    const tz_cover_node *left = a, *right = b;
    int order = compare(left->begin, right->begin);
    return order != 0 ? order : compare(right->end, left->end);
}

/* Nodes stand before those in them. */
static void find_parents(tz_jump_cover *cover, size_t nodes) {
    uint32_t above = TZ_COVER_TOP;
    for (uint32_t k = 0; k < nodes; k++) {
        const tz_cover_node *node = &cover->beginning[k];
        while (above != TZ_COVER_TOP && cover->beginning[above].end < node->end)
            above = cover->parent[above];
        cover->parent[k] = above;
        for (uint32_t w = node->begin; w <= node->end; w++)
            cover->lowest[w] = k;
        above = k;
    }
}

/* Sorts nodes into *cover, and finds where those of each word begin. */
static void sort(const nodes *n, tz_jump_cover *cover) {
    memcpy(cover->ending, n->node, n->count * sizeof *n->node);
    memcpy(cover->beginning, n->node, n->count * sizeof *n->node);
    qsort(cover->ending, n->count, sizeof *n->node, by_end);
    qsort(cover->beginning, n->count, sizeof *n->node, by_beginning);
    for (size_t i = 0; i < n->count; i++) {
        cover->ending_from[n->node[i].end + 1]++;
        cover->beginning_from[n->node[i].begin + 1]++;
    }
    for (size_t w = 1; w <= cover->words + 1; w++) {
        cover->ending_from[w] += cover->ending_from[w - 1];
        cover->beginning_from[w] += cover->beginning_from[w - 1];
    }
    find_parents(cover, n->count);
}

static tz_status reserve(tz_arena *arena, size_t words, size_t nodes, tz_jump_cover *ret) {
    size_t places = words + 2;
    *ret = (tz_jump_cover){
        .words = words,
        .ending = tz_arena_array(arena, nodes, sizeof *ret->ending),
        .beginning = tz_arena_array(arena, nodes, sizeof *ret->beginning),
        .ending_from = tz_arena_array(arena, places, sizeof *ret->ending_from),
        .beginning_from = tz_arena_array(arena, places, sizeof *ret->beginning_from),
        .longest = {tz_arena_array(arena, places, sizeof **ret->longest),
                    tz_arena_array(arena, places, sizeof **ret->longest)},
        .parent = tz_arena_array(arena, nodes, sizeof *ret->parent),
        .lowest = tz_arena_array(arena, places, sizeof *ret->lowest),
        .into = tz_arena_array(arena, nodes, sizeof *ret->into),
        .before = tz_arena_array(arena, places, sizeof *ret->before),
        .label = tz_arena_array(arena, places, sizeof *ret->label),
    };
    return ret->ending && ret->beginning && ret->ending_from && ret->beginning_from &&
                   ret->parent && ret->lowest && ret->into && ret->longest[0] && ret->longest[1] &&
                   ret->before && ret->label
               ? TZ_OK
               : TZ_NO_MEMORY;
}

static tz_status find_nodes(tz_arena *scratch, const tz_cover_sentence *sentence, size_t sentences,
                            nodes *n) {
    uint32_t words = 0;
    for (size_t s = 0; s < sentences; s++) {
        tz_status status = add_sentence(scratch, &sentence[s], words, n);
        if (status != TZ_OK)
            return status;
        words += (uint32_t)sentence[s].words;
    }
    return TZ_OK;
}

tz_status tz_cover_new(tz_arena *arena, const tz_cover_sentence *sentence, size_t sentences,
                       tz_labels *labels, bool grow, tz_jump_cover *ret) {
    size_t words = 0;
    for (size_t s = 0; s < sentences; s++)
        words += (size_t)sentence[s].words;
    if (words > INT32_MAX - 2)
        return TZ_TOO_LARGE;
    tz_arena *scratch = tz_arena_new();
    nodes all = {.labels = labels, .grow = grow};
    if (scratch)
        all.node = tz_arena_array(scratch, 2 * words + sentences, sizeof *all.node);
    tz_status status = all.node ? find_nodes(scratch, sentence, sentences, &all) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = reserve(arena, words, all.count, ret);
    if (status == TZ_OK)
        sort(&all, ret);
    tz_arena_free(scratch);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Row i of the table has all jumps from i; its column c has the one to j = c + 1. What it goes over
 * is what the jump to before[c] goes over, nearer to i, and one node more, of label[c]: forward the
 * longest that ends at j - 1 and begins behind i, backward the longest that begins at j and ends at
 * i or before. Column i goes over nothing. Rows come in order from 0 on, so that the longest nodes
 * ever get shorter forward, longer backward. */
static void start_rows(tz_jump_cover *c) {
    for (size_t w = 1; w <= c->words; w++) {
        c->longest[0][w] = c->ending_from[w + 1] - 1;
        c->longest[1][w] = c->beginning_from[w + 1] - 1;
    }
}

static void find_row(tz_jump_cover *c, uint32_t i) {
    uint32_t *forward = c->longest[0], *backward = c->longest[1], words = (uint32_t)c->words;
    for (uint32_t end = i + 1; end <= words; end++) {
        while (c->ending[forward[end]].begin <= i)
            forward[end]--;
        const tz_cover_node *node = &c->ending[forward[end]];
        c->before[end] = node->begin - 1;
        c->label[end] = node->label;
    }
    for (uint32_t begin = i; begin >= 1; begin--) {
        while (backward[begin] > c->beginning_from[begin] &&
               c->beginning[backward[begin] - 1].end <= i)
            backward[begin]--;
        const tz_cover_node *node = &c->beginning[backward[begin]];
        c->before[begin - 1] = node->end;
        c->label[begin - 1] = node->label;
    }
}

/* Is the node met on the way from i? */
static bool is_met(const tz_cover_node *node, bool forward, size_t i) {
    return forward ? node->begin > i : node->end <= i;
}

/* The node above that is met as well; TZ_COVER_TOP: none. */
static uint32_t met_above(const tz_jump_cover *c, uint32_t node, bool forward, size_t i) {
    uint32_t above = c->parent[node];
    return above != TZ_COVER_TOP && is_met(&c->beginning[above], forward, i) ? above : TZ_COVER_TOP;
}

/* The log probability of going into all nodes around a word that are met. */
static void find_into(tz_jump_cover *c, const double *log_p, double beyond, bool forward,
                      size_t i) {
    size_t from = forward ? c->beginning_from[i + 1] : 0;
    size_t end = c->beginning_from[forward ? c->words + 1 : i + 1];
    for (uint32_t k = (uint32_t)from; k < end; k++) {
        const tz_cover_node *node = &c->beginning[k];
        uint32_t above = met_above(c, k, forward, i);
        double p = node->label < 0 ? beyond : log_p[tz_cover_into(node->label, forward)];
        if (is_met(node, forward, i))
            c->into[k] = p + (above == TZ_COVER_TOP ? 0 : c->into[above]);
    }
}

void tz_cover_score(tz_jump_cover *c, const double *log_p, double beyond, double add, double *ret) {
    start_rows(c);
    for (size_t i = 0; i <= c->words; i++) {
        double *row = ret + i * (c->words + 2) + 1;
        find_row(c, (uint32_t)i);
        row[i] = 0;
        for (size_t j = i + 1; j <= c->words; j++)
            row[j] = row[c->before[j]] +
                     (c->label[j] < 0 ? beyond : log_p[tz_cover_over(c->label[j], true)]);
        for (size_t j = i; j-- > 0;)
            row[j] = row[c->before[j]] +
                     (c->label[j] < 0 ? beyond : log_p[tz_cover_over(c->label[j], false)]);
        find_into(c, log_p, beyond, true, i);
        for (size_t j = i; j <= c->words; j++)
            row[j] += add + log_p[0] + (j < c->words ? c->into[c->lowest[j + 1]] : 0);
        find_into(c, log_p, beyond, false, i);
        for (size_t j = 0; j < i; j++)
            row[j] += add + log_p[1] + (j > 0 ? c->into[c->lowest[j]] : 0);
    }
}

/* As find_into: c->into has how often jumps end at each node's word. */
static void count_into(tz_jump_cover *c, bool forward, size_t i, double *count) {
    size_t from = forward ? c->beginning_from[i + 1] : 0;
    size_t end = c->beginning_from[forward ? c->words + 1 : i + 1];
    for (uint32_t k = (uint32_t)end; k-- > from;) {
        const tz_cover_node *node = &c->beginning[k];
        uint32_t above = met_above(c, k, forward, i);
        if (!is_met(node, forward, i))
            continue;
        if (node->label >= 0)
            count[tz_cover_into(node->label, forward)] += c->into[k];
        if (above != TZ_COVER_TOP)
            c->into[above] += c->into[k];
    }
}

double tz_cover_count(tz_jump_cover *c, double *uses, double *count) {
    size_t nodes = c->beginning_from[c->words + 1];
    double sum[2] = {0};
    start_rows(c);
    for (size_t i = 0; i <= c->words; i++) {
        double *row = uses + i * (c->words + 2) + 1;
        memset(c->into, 0, nodes * sizeof *c->into);
        for (size_t j = i; j <= c->words; j++) {
            sum[0] += row[j];
            if (j < c->words)
                c->into[c->lowest[j + 1]] += row[j];
        }
        count_into(c, true, i, count);
        memset(c->into, 0, nodes * sizeof *c->into);
        for (size_t j = 0; j < i; j++) {
            sum[1] += row[j];
            if (j > 0)
                c->into[c->lowest[j]] += row[j];
        }
        count_into(c, false, i, count);
        find_row(c, (uint32_t)i);
        for (size_t j = c->words; j > i; j--) {
            row[c->before[j]] += row[j];
            if (c->label[j] >= 0)
                count[tz_cover_over(c->label[j], true)] += row[j];
        }
        for (size_t j = 0; j < i; j++) {
            row[c->before[j]] += row[j];
            if (c->label[j] >= 0)
                count[tz_cover_over(c->label[j], false)] += row[j];
        }
    }
    count[0] += sum[0];
    count[1] += sum[1];
    return sum[0] + sum[1];
}
