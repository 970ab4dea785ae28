/* pcfg_problem.c - see pcfg_problem.h. SPDX-License-Identifier: MIT */
#include "sentences/trees/pcfg_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { DERIVABLE = 1, REACHED = 2 };

/* The log probability of another piece: few pieces are better than likely ones. */
static const double another = -20;

static double log_share(uint64_t part, uint64_t whole) {
    return log((double)part / (double)whole);
}

/* ---- The rules that matter ------------------------------------------------------------------- */

static bool emits(const tz_pcfg_scratch *p, const tz_pcfg_rule *rule, uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        if ((int32_t)rule->b == p->tag[w])
            return true;
    return false;
}

/* Can the goal stand for it? */
static bool may_stand(const tz_pcfg_scratch *p, uint32_t l, bool pieces) {
    const tz_pcfg_label *label = &p->pcfg->label[l];
    return pieces ? *label->chain != '\0' : label->roots > 0;
}

/* Marks labels over some words of these tags, in any order, then of those the ones below what the
 * goal stands for. */
static void mark(tz_pcfg_scratch *p, uint32_t words, bool pieces) {
    const tz_pcfg *g = p->pcfg;
    memset(p->mark, 0, g->labels);
    for (size_t r = g->binary; r < g->rules; r++)
        if (emits(p, &g->rule[r], words))
            p->mark[g->rule[r].a] = DERIVABLE;
    for (bool more = true; more;) {
        more = false;
        for (size_t r = 0; r < g->binary; r++) {
            const tz_pcfg_rule *rule = &g->rule[r];
            if (!p->mark[rule->a] && p->mark[rule->b] && p->mark[rule->c]) {
                p->mark[rule->a] = DERIVABLE;
                more = true;
            }
        }
    }
    for (size_t l = 0; l < g->labels; l++)
        if (p->mark[l] && may_stand(p, (uint32_t)l, pieces))
            p->mark[l] |= REACHED;
    for (bool more = true; more;) {
        more = false;
        for (size_t r = 0; r < g->binary; r++) {
            const tz_pcfg_rule *rule = &g->rule[r];
            uint8_t *b = &p->mark[rule->b], *c = &p->mark[rule->c];
            if (p->mark[rule->a] & REACHED && *b && *c && !(*b & *c & REACHED)) {
                *b |= REACHED;
                *c |= REACHED;
                more = true;
            }
        }
    }
}

static bool add(tz_pcfg_problem *s, tz_pcfg_entry entry) {
    bool grown = TZ_GROW(s->entry, &s->capacity, s->entries + 1);
    if (grown)
        s->entry[s->entries++] = entry;
    return grown;
}

static int compare(const void *a, const void *b) {
    const tz_pcfg_entry *p = a, *q = b;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    if (p->c != q->c)
        return p->c < q->c ? -1 : 1;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->label < q->label ? -1 : p->label > q->label;
}

/* Of entries from..entries-1, the goal's, the likeliest of each kind. */
static void unite(tz_pcfg_problem *s, size_t from) {
    size_t kept = from;
    if (s->entries > from)
        qsort(s->entry + from, s->entries - from, sizeof *s->entry, compare);
    for (size_t e = from; e < s->entries; e++)
        if (e == from || s->entry[e].b != s->entry[kept - 1].b ||
            s->entry[e].c != s->entry[kept - 1].c)
            s->entry[kept++] = s->entry[e];
    s->entries = kept;
}

/* The log probability of the goal's standing for it. */
static double stands(const tz_pcfg_scratch *p, const tz_pcfg_problem *s, uint32_t l) {
    const tz_pcfg_label *label = &p->pcfg->label[l];
    return s->pieces ? log_share(label->uses, p->uses) : log_share(label->roots, p->pcfg->trees);
}

/* A piece and what is on its right. */
static bool add_glue(tz_pcfg_scratch *p, tz_pcfg_problem *s) {
    for (int32_t l = 1; l < s->labels; l++) {
        uint32_t label = s->label[l];
        bool word = label == TZ_PCFG_UNKNOWN;
        if (!word && !may_stand(p, label, true))
            continue;
        double score = word ? log_share(1, p->uses) : stands(p, s, label);
        if (!add(s, (tz_pcfg_entry){0, l, 0, TZ_PCFG_GLUE, score + another}))
            return false;
    }
    return true;
}

/* Rules over two labels: the goal's first. */
static bool add_rules(tz_pcfg_scratch *p, tz_pcfg_problem *s) {
    const tz_pcfg *g = p->pcfg;
    for (int goal = 1; goal >= 0; goal--) {
        for (size_t r = 0; r < g->binary; r++) {
            const tz_pcfg_rule *rule = &g->rule[r];
            if (!(p->mark[rule->a] & REACHED) || !p->mark[rule->b] || !p->mark[rule->c] ||
                (goal && !may_stand(p, rule->a, s->pieces)))
                continue;
            double score = log_share(rule->count, g->label[rule->a].uses);
            tz_pcfg_entry e = {goal ? 0 : p->number[rule->a], p->number[rule->b],
                               p->number[rule->c], rule->a,
                               score + (goal ? stands(p, s, rule->a) : 0)};
            if (!add(s, e))
                return false;
        }
        if (goal)
            unite(s, 0);
        if (goal && s->pieces && !add_glue(p, s))
            return false;
    }
    s->rules = s->entries;
    return true;
}

/* The goal may be the last word alone: all of a sentence of one word, or its last piece. */
static bool add_last(tz_pcfg_scratch *p, tz_pcfg_problem *s) {
    const tz_pcfg *g = p->pcfg;
    uint32_t last = s->words - 1;
    if (p->tag[last] < 0)
        return !s->pieces || add(s, (tz_pcfg_entry){0, (int32_t)last + 1, 0, TZ_PCFG_UNKNOWN,
                                                    log_share(1, p->uses)});
    for (size_t r = g->binary; r < g->rules; r++) {
        const tz_pcfg_rule *rule = &g->rule[r];
        if ((int32_t)rule->b != p->tag[last] || !may_stand(p, rule->a, s->pieces))
            continue;
        double score = stands(p, s, rule->a) + log_share(rule->count, g->label[rule->a].uses);
        if (!add(s, (tz_pcfg_entry){0, (int32_t)last + 1, 0, rule->a, score}))
            return false;
    }
    unite(s, s->rules);
    return true;
}

static bool add_words(tz_pcfg_scratch *p, tz_pcfg_problem *s) {
    const tz_pcfg *g = p->pcfg;
    uint32_t words = s->words;
    if ((words == 1 || s->pieces) && !add_last(p, s))
        return false;
    for (size_t r = g->binary; r < g->rules && words > 1; r++) {
        const tz_pcfg_rule *rule = &g->rule[r];
        tz_pcfg_entry e = {p->number[rule->a], 0, 0, rule->a,
                           log_share(rule->count, g->label[rule->a].uses)};
        for (uint32_t w = 0; w < words && p->mark[rule->a] & REACHED; w++) {
            e.b = (int32_t)w + 1;
            if ((int32_t)rule->b == p->tag[w] && !add(s, e))
                return false;
        }
    }
    for (uint32_t w = 0; w < words && s->unknown > 0 && words > 1; w++)
        if (p->tag[w] < 0 &&
            !add(s, (tz_pcfg_entry){s->unknown, (int32_t)w + 1, 0, TZ_PCFG_UNKNOWN, 0}))
            return false;
    return true;
}

/* ---- The problem ----------------------------------------------------------------------------- */

void tz_pcfg_problem_free(tz_pcfg_problem *problem) {
    free(problem->label);
    free(problem->entry);
    free(problem->index);
    free(problem->score);
    *problem = (tz_pcfg_problem){0};
}

static bool find_tags(tz_pcfg_scratch *p, const tz_tree_word *word, uint32_t words) {
    bool grown = TZ_GROW(p->tag, &p->tag_capacity, words);
    for (uint32_t w = 0; w < words && grown; w++)
        p->tag[w] = tz_labels_find(&p->pcfg->tags, word[w].tag);
    return grown;
}

static bool number_labels(tz_pcfg_scratch *p, tz_pcfg_problem *s) {
    const tz_pcfg *g = p->pcfg;
    s->label = malloc((g->labels + 2) * sizeof *s->label);
    s->labels = 1;
    for (size_t l = 0; l < g->labels && s->label; l++) {
        if (p->mark[l] & REACHED) {
            s->label[s->labels] = (uint32_t)l;
            p->number[l] = s->labels++;
        }
    }
    for (uint32_t w = 0; w < s->words && s->label && s->pieces && !s->unknown; w++) {
        if (p->tag[w] < 0) {
            s->unknown = s->labels++;
            s->label[s->unknown] = TZ_PCFG_UNKNOWN;
        }
    }
    return s->label != NULL;
}

tz_status tz_pcfg_problem_new(tz_pcfg_scratch *p, const tz_tree_word *word, uint32_t words,
                              bool pieces, tz_pcfg_problem *s) {
    *s = (tz_pcfg_problem){.words = words, .pieces = pieces};
    if (!find_tags(p, word, words))
        return TZ_NO_MEMORY;
    mark(p, words, pieces);
    if (!number_labels(p, s) || !add_rules(p, s) || !add_words(p, s))
        return TZ_NO_MEMORY;
    s->index = malloc((3 * s->entries + 1) * sizeof *s->index);
    s->score = malloc((s->entries + 1) * sizeof *s->score);
    if (!s->index || !s->score)
        return TZ_NO_MEMORY;
    int32_t *index = s->index;
    for (size_t e = 0; e < s->entries; e++) {
        *index++ = s->entry[e].a;
        *index++ = s->entry[e].b;
        if (e < s->rules)
            *index++ = s->entry[e].c;
        s->score[e] = s->entry[e].score;
    }
    s->lengths[0] = (int32_t)words;
    s->lengths[1] = s->labels;
    s->scores[p->binary] = tz_scores_sparse(s->index, s->score, s->rules);
    s->scores[p->word] =
        tz_scores_sparse(s->index + 3 * s->rules, s->score + s->rules, s->entries - s->rules);
    return TZ_OK;
}

uint32_t tz_pcfg_standing(const tz_pcfg_problem *s, bool word, int32_t b, int32_t c) {
    size_t e = word ? s->rules : 0;
    while (s->entry[e].b != b || s->entry[e].c != c)
        e++;
    return s->entry[e].label;
}

/* ---- Scratch --------------------------------------------------------------------------------- */

tz_status tz_pcfg_scratch_new(const tz_pcfg *pcfg, tz_pcfg_scratch *ret_scratch) {
    const tz_rules *rules = tz_rules_find("pcfg");
    tz_pcfg_scratch s = {.pcfg = pcfg,
                         .mark = malloc(pcfg->labels),
                         .number = malloc(pcfg->labels * sizeof *s.number)};
    const char *name;
    for (size_t w = 0; (name = tz_rules_name_of(rules, TZ_WEIGHTS, w)) != NULL; w++)
        *(strcmp(name, "word") == 0 ? &s.word : &s.binary) = w;
    for (size_t l = 0; l < pcfg->labels; l++)
        s.uses += *pcfg->label[l].chain ? pcfg->label[l].uses : 0;
    *ret_scratch = s;
    return s.mark && s.number ? TZ_OK : TZ_NO_MEMORY;
}

void tz_pcfg_scratch_free(tz_pcfg_scratch *scratch) {
    free(scratch->mark);
    free(scratch->number);
    free(scratch->tag);
}
