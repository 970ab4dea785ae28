/* pcfg_parse.c - the best tree of tagged words by a grammar (pcfg.h).
 *
 * The goal of the rule set `pcfg` is label 0. It stands for all labels of roots: each of their
 * rules is there once more with 0 in the label's place, and with the label's probability as a root;
 * of two that are the same then, the likelier one. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/trees/heads.h"
#include "sentences/trees/pcfg.h"

/* A rule with labels of one sentence, in which the goal is 0. */
typedef struct entry {
    int32_t a, b, c; /* a -> word: b is the word, c is 0 */
    uint32_t label;  /* what stands for a in the grammar */
    double score;
} entry;

/* One sentence. */
typedef struct slot {
    tz_pcfg_item *item;
    uint32_t *label; /* [1..labels-1]: in the grammar */
    int32_t labels;  /* the goal's included */
    entry *entry;    /* rules, then words; first those of the goal */
    size_t rules, entries, capacity;
    int32_t *index; /* of rules, three numbers each, then of words, two each */
    double *score;
    int32_t lengths[2];
    tz_scores scores[2];
} slot;

struct tz_pcfg_parser {
    const tz_pcfg *pcfg;
    unsigned threads;
    tz_plan *plan;
    size_t binary, word; /* weights of the rule set */
    uint8_t *mark;       /* of labels */
    int32_t *number;     /* of labels, in a sentence */
    int32_t *tag;        /* [words]: numbers of tags; -1 unknown */
    size_t tag_capacity;
};

enum { DERIVABLE = 1, REACHED = 2 };

static double log_share(uint64_t part, uint64_t whole) {
    return log((double)part / (double)whole);
}

/* ---- The rules that matter ------------------------------------------------------------------- */

static bool emits(const tz_pcfg_parser *p, const tz_pcfg_rule *rule, uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        if ((int32_t)rule->b == p->tag[w])
            return true;
    return false;
}

/* Marks labels over some words of these tags, in any order, then of those the ones below a root. */
static void mark(tz_pcfg_parser *p, uint32_t words) {
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
        if (p->mark[l] && g->label[l].roots > 0)
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

static bool add(slot *s, entry entry) {
    void *list = s->entry;
    bool grown = tz_grow(&list, &s->capacity, s->entries + 1, sizeof *s->entry);
    s->entry = list;
    if (grown)
        s->entry[s->entries++] = entry;
    return grown;
}

static int compare(const void *a, const void *b) {
    const entry *p = a, *q = b;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    if (p->c != q->c)
        return p->c < q->c ? -1 : 1;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->label < q->label ? -1 : p->label > q->label;
}

/* Of entries from..entries-1, the goal's, the likeliest of each kind. */
static void unite(slot *s, size_t from) {
    size_t kept = from;
    if (s->entries > from)
        qsort(s->entry + from, s->entries - from, sizeof *s->entry, compare);
    for (size_t e = from; e < s->entries; e++)
        if (e == from || s->entry[e].b != s->entry[kept - 1].b ||
            s->entry[e].c != s->entry[kept - 1].c)
            s->entry[kept++] = s->entry[e];
    s->entries = kept;
}

/* Rules over two labels: the goal's first. */
static bool add_rules(tz_pcfg_parser *p, slot *s) {
    const tz_pcfg *g = p->pcfg;
    for (int goal = 1; goal >= 0; goal--) {
        for (size_t r = 0; r < g->binary; r++) {
            const tz_pcfg_rule *rule = &g->rule[r];
            const tz_pcfg_label *label = &g->label[rule->a];
            if (!(p->mark[rule->a] & REACHED) || !p->mark[rule->b] || !p->mark[rule->c] ||
                (goal && label->roots == 0))
                continue;
            double root = goal ? log_share(label->roots, g->trees) : 0;
            entry e = {goal ? 0 : p->number[rule->a], p->number[rule->b], p->number[rule->c],
                       rule->a, root + log_share(rule->count, label->uses)};
            if (!add(s, e))
                return false;
        }
        if (goal)
            unite(s, 0);
    }
    s->rules = s->entries;
    return true;
}

/* A sentence of one word has no other use for the goal. */
static bool add_words(tz_pcfg_parser *p, slot *s) {
    const tz_pcfg *g = p->pcfg;
    uint32_t words = s->item->words;
    for (size_t r = g->binary; r < g->rules; r++) {
        const tz_pcfg_rule *rule = &g->rule[r];
        const tz_pcfg_label *label = &g->label[rule->a];
        if (!(p->mark[rule->a] & REACHED) || (words == 1 && label->roots == 0))
            continue;
        double root = words == 1 ? log_share(label->roots, g->trees) : 0;
        for (uint32_t w = 0; w < words; w++) {
            entry e = {words == 1 ? 0 : p->number[rule->a], (int32_t)w + 1, 0, rule->a,
                       root + log_share(rule->count, label->uses)};
            if ((int32_t)rule->b == p->tag[w] && !add(s, e))
                return false;
        }
    }
    if (words == 1)
        unite(s, s->rules);
    return true;
}

/* ---- The problem ----------------------------------------------------------------------------- */

static void slot_free(slot *s) {
    free(s->label);
    free(s->entry);
    free(s->index);
    free(s->score);
}

static bool find_tags(tz_pcfg_parser *p, const tz_pcfg_item *item) {
    void *list = p->tag;
    bool grown = tz_grow(&list, &p->tag_capacity, item->words, sizeof *p->tag);
    p->tag = list;
    for (uint32_t w = 0; w < item->words && grown; w++)
        p->tag[w] = tz_labels_find(&p->pcfg->tags, item->word[w].tag);
    return grown;
}

static bool number_labels(tz_pcfg_parser *p, slot *s) {
    const tz_pcfg *g = p->pcfg;
    s->label = malloc((g->labels + 1) * sizeof *s->label);
    s->labels = 1;
    for (size_t l = 0; l < g->labels && s->label; l++) {
        if (p->mark[l] & REACHED) {
            s->label[s->labels] = (uint32_t)l;
            p->number[l] = s->labels++;
        }
    }
    return s->label != NULL;
}

static tz_status prepare(tz_pcfg_parser *p, slot *s) {
    if (!find_tags(p, s->item))
        return TZ_NO_MEMORY;
    mark(p, s->item->words);
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
    s->lengths[0] = (int32_t)s->item->words;
    s->lengths[1] = s->labels;
    s->scores[p->binary] = tz_scores_sparse(s->index, s->score, s->rules);
    s->scores[p->word] =
        tz_scores_sparse(s->index + 3 * s->rules, s->score + s->rules, s->entries - s->rules);
    return TZ_OK;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

/* A tree as it is read off a derivation from above. */
typedef struct growing {
    tz_draft_node *draft;
    uint32_t nodes;
    uint32_t *last; /* of each node: its last child so far */
} growing;

static uint32_t grow_node(growing *g, tz_arena *arena, const char *category, size_t size,
                          uint32_t parent) {
    uint32_t x = g->nodes++;
    g->draft[x] = (tz_draft_node){tz_arena_text(arena, category, size), TZ_NO_NODE, TZ_NO_NODE,
                                  TZ_NO_NODE, 0};
    g->last[x] = TZ_NO_NODE;
    if (parent != TZ_NO_NODE) {
        uint32_t last = g->last[parent];
        *(last == TZ_NO_NODE ? &g->draft[parent].first : &g->draft[last].next) = x;
        g->last[parent] = x;
    }
    return x;
}

/* A chain below `parent`; its lowest node. An empty one: the parent. */
static uint32_t grow_chain(growing *g, tz_arena *arena, const char *chain, uint32_t parent) {
    while (*chain) {
        size_t size = strcspn(chain, " ");
        parent = grow_node(g, arena, chain, size, parent);
        chain += size + (chain[size] == ' ');
    }
    return parent;
}

static size_t chain_length(const char *chain) {
    size_t length = *chain != '\0';
    for (; *chain; chain++)
        length += *chain == ' ';
    return length;
}

/* What the goal stands for in a derivation: its rule, or word, is used once. */
static uint32_t root_label(const tz_pcfg_parser *p, const slot *s, const tz_derivation *best) {
    size_t u = 0;
    while (best->use[u].index[0] != 0)
        u++;
    const int32_t *index = best->use[u].index;
    bool word = best->use[u].weight == p->word;
    size_t e = word ? s->rules : 0;
    while (s->entry[e].b != index[1] || s->entry[e].c != (word ? 0 : index[2]))
        e++;
    return s->entry[e].label;
}

static bool make(growing *g, tz_arena *arena, size_t nodes) {
    *g = (growing){.draft = tz_arena_array(arena, nodes, sizeof *g->draft),
                   .last = tz_arena_array(arena, nodes, sizeof *g->last)};
    return g->draft && g->last;
}

static tz_status finish(tz_pcfg_item *item, const growing *g) {
    for (uint32_t x = 0; x < g->nodes; x++)
        if (!g->draft[x].category)
            return TZ_NO_MEMORY;
    tz_status status = tz_tree_number(item->arena, g->draft, g->nodes, 0, item->word, &item->tree);
    if (status == TZ_OK)
        tz_tree_heads(&item->tree);
    return status;
}

/* Where the children of a node of a derivation go, and how many are still to come. */
typedef struct pending {
    uint32_t parent, premises;
} pending;

/* Labels of children that are not complete hand their own children on to what is above. */
static tz_status tree_of(const tz_pcfg_parser *p, const slot *s, const tz_derivation *best) {
    tz_pcfg_item *item = s->item;
    const tz_pcfg_label *label = p->pcfg->label;
    uint32_t root = root_label(p, s, best);
    size_t nodes = 0, depth = 0;
    for (size_t d = 0; d < best->nodes; d++)
        nodes += chain_length(label[d > 0 ? s->label[best->node[d].index[0]] : root].chain);
    growing g;
    pending *open = tz_arena_array(item->arena, best->nodes + 1, sizeof *open);
    if (!open || !make(&g, item->arena, nodes))
        return TZ_NO_MEMORY;
    open[0] = (pending){TZ_NO_NODE, 1};
    for (size_t d = 0; d < best->nodes; d++) {
        const tz_node *node = &best->node[d];
        uint32_t l = d > 0 ? s->label[node->index[0]] : root;
        while (open[depth].premises == 0)
            depth--;
        open[depth].premises--;
        uint32_t lowest = grow_chain(&g, item->arena, label[l].chain, open[depth].parent);
        open[++depth] = (pending){lowest, node->premises};
    }
    item->log_probability = best->score;
    return finish(item, &g);
}

/* All words below the category that most roots have. */
static tz_status flat_tree(const tz_pcfg *pcfg, tz_pcfg_item *item) {
    size_t root = 0;
    growing g;
    for (size_t l = 0; l < pcfg->labels; l++)
        if (pcfg->label[l].roots > pcfg->label[root].roots)
            root = l;
    if (!make(&g, item->arena, (size_t)item->words + 1))
        return TZ_NO_MEMORY;
    const char *chain = pcfg->label[root].chain;
    uint32_t top = item->words == 1
                       ? TZ_NO_NODE
                       : grow_node(&g, item->arena, chain, strcspn(chain, " "), TZ_NO_NODE);
    for (uint32_t w = 0; w < item->words; w++)
        grow_node(&g, item->arena, item->word[w].tag, strlen(item->word[w].tag), top);
    item->log_probability = -INFINITY;
    return finish(item, &g);
}

/* ---- Parsing --------------------------------------------------------------------------------- */

static void find_weights(tz_pcfg_parser *p) {
    const tz_rules *rules = tz_rules_find("pcfg");
    const char *name;
    for (size_t w = 0; (name = tz_rules_weight_name(rules, w)) != NULL; w++)
        *(strcmp(name, "word") == 0 ? &p->word : &p->binary) = w;
}

tz_status tz_pcfg_parser_new(const tz_pcfg *pcfg, unsigned threads, tz_pcfg_parser **ret_parser,
                             tz_error *opt_error) {
    tz_pcfg_parser *p = calloc(1, sizeof *p);
    *ret_parser = NULL;
    if (!p)
        return TZ_NO_MEMORY;
    p->pcfg = pcfg;
    p->threads = threads;
    p->mark = malloc(pcfg->labels);
    p->number = malloc(pcfg->labels * sizeof *p->number);
    find_weights(p);
    tz_status status = p->mark && p->number
                           ? tz_plan_new(tz_rules_find("pcfg"), tz_semiring_find("max", TZ_F64), 0,
                                         &p->plan, opt_error)
                           : TZ_NO_MEMORY;
    if (status == TZ_OK)
        *ret_parser = p;
    else
        tz_pcfg_parser_free(p);
    return status;
}

void tz_pcfg_parser_free(tz_pcfg_parser *parser) {
    if (parser) {
        tz_plan_free(parser->plan);
        free(parser->mark);
        free(parser->number);
        free(parser->tag);
        free(parser);
    }
}

typedef struct portion {
    const tz_pcfg_parser *parser;
    slot *slot;
} portion;

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const portion *portion = user;
    const tz_derivation *best;
    slot *s = &portion->slot[problem];
    tz_status status = tz_best(chart, lane, &best);
    if (status == TZ_OK)
        return tree_of(portion->parser, s, best);
    return status == TZ_NONE ? flat_tree(portion->parser->pcfg, s->item) : status;
}

tz_status tz_pcfg_parse(tz_pcfg_parser *parser, uint32_t words, tz_pcfg_item *item, size_t count,
                        tz_error *opt_error) {
    slot *slots = calloc(count + 1, sizeof *slots);
    tz_problem *problem = calloc(count + 1, sizeof *problem);
    tz_status status = slots && problem ? TZ_OK : TZ_NO_MEMORY;
    size_t problems = 0;
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        slot *s = &slots[problems];
        s->item = &item[i];
        if (item[i].words > words) {
            status = flat_tree(parser->pcfg, &item[i]);
        } else {
            problem[problems++] = (tz_problem){.lengths = s->lengths, .scores = s->scores};
            status = prepare(parser, s);
        }
    }
    portion portion = {parser, slots};
    const tz_run_options options = {.threads = parser->threads};
    if (status == TZ_OK)
        status = tz_run(parser->plan, problem, problems, &options, visit, &portion, opt_error);
    for (size_t i = 0; i < problems; i++)
        slot_free(&slots[i]);
    free(slots);
    free(problem);
    return status;
}
