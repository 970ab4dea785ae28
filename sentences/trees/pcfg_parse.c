/* pcfg_parse.c - the best tree of tagged words by a grammar (pcfg.h). SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/trees/heads.h"
#include "sentences/trees/pcfg_problem.h"

/* One sentence. */
typedef struct slot {
    tz_pcfg_item *item;
    tz_pcfg_problem problem;
    bool none; /* there is no tree yet */
} slot;

struct tz_pcfg_parser {
    unsigned threads;
    tz_plan *plan;
    tz_pcfg_scratch scratch;
};

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

/* The label of each node of a derivation, in the grammar. size: of the part below a node. */
static bool find_labels(const slot *s, const tz_derivation *best, uint32_t *ret_label) {
    size_t *size = calloc(best->nodes + 1, sizeof *size);
    for (size_t d = best->nodes; d-- > 0 && size;) {
        const tz_node *node = &best->node[d];
        bool word = node->premises == 0;
        size_t right = word ? 0 : d + 1 + size[d + 1];
        size[d] = word ? 1 : 1 + size[d + 1] + size[right];
        if (node->index[0] > 0)
            ret_label[d] = s->problem.label[node->index[0]];
        else if (word)
            ret_label[d] = tz_pcfg_standing(&s->problem, true, node->index[1], 0);
        else
            ret_label[d] = tz_pcfg_standing(&s->problem, false, best->node[d + 1].index[0],
                                            best->node[right].index[0]);
    }
    free(size);
    return size != NULL;
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

/* The category that most roots have first. */
static uint32_t grow_root(growing *g, const tz_pcfg *pcfg, tz_arena *arena) {
    size_t root = 0;
    for (size_t l = 0; l < pcfg->labels; l++)
        if (pcfg->label[l].roots > pcfg->label[root].roots)
            root = l;
    const char *chain = pcfg->label[root].chain;
    return grow_node(g, arena, chain, strcspn(chain, " "), TZ_NO_NODE);
}

/* Labels of children that are not complete hand their own children on to what is above. */
static tz_status tree_of(const tz_pcfg_parser *p, const slot *s, const tz_derivation *best) {
    tz_pcfg_item *item = s->item;
    tz_arena *arena = item->arena;
    uint32_t *label = tz_arena_array(arena, best->nodes, sizeof *label);
    const char **chain = tz_arena_array(arena, best->nodes, sizeof *chain);
    pending *open = tz_arena_array(arena, best->nodes + 1, sizeof *open);
    size_t nodes = 1, depth = 0;
    growing g;
    if (!label || !chain || !open || !find_labels(s, best, label))
        return TZ_NO_MEMORY;
    for (size_t d = 0; d < best->nodes; d++) {
        chain[d] = label[d] == TZ_PCFG_GLUE      ? ""
                   : label[d] == TZ_PCFG_UNKNOWN ? item->word[best->node[d].index[1] - 1].tag
                                                 : p->scratch.pcfg->label[label[d]].chain;
        nodes += chain_length(chain[d]);
    }
    if (!make(&g, arena, nodes))
        return TZ_NO_MEMORY;
    open[0] =
        (pending){label[0] == TZ_PCFG_GLUE ? grow_root(&g, p->scratch.pcfg, arena) : TZ_NO_NODE, 1};
    for (size_t d = 0; d < best->nodes; d++) {
        while (open[depth].premises == 0)
            depth--;
        open[depth].premises--;
        uint32_t lowest = grow_chain(&g, arena, chain[d], open[depth].parent);
        open[++depth] = (pending){lowest, best->node[d].premises};
    }
    item->log_probability = s->problem.pieces ? -INFINITY : best->score;
    return finish(item, &g);
}

/* All words below one constituent. */
static tz_status flat_tree(const tz_pcfg *pcfg, tz_pcfg_item *item) {
    growing g;
    if (!make(&g, item->arena, (size_t)item->words + 1))
        return TZ_NO_MEMORY;
    uint32_t top = item->words == 1 ? TZ_NO_NODE : grow_root(&g, pcfg, item->arena);
    for (uint32_t w = 0; w < item->words; w++)
        grow_node(&g, item->arena, item->word[w].tag, strlen(item->word[w].tag), top);
    item->log_probability = -INFINITY;
    return finish(item, &g);
}

/* ---- Parsing --------------------------------------------------------------------------------- */

tz_status tz_pcfg_parser_new(const tz_pcfg *pcfg, unsigned threads, tz_pcfg_parser **ret_parser,
                             tz_error *opt_error) {
    tz_pcfg_parser *p = calloc(1, sizeof *p);
    *ret_parser = NULL;
    if (!p)
        return TZ_NO_MEMORY;
    p->threads = threads;
    tz_status status = tz_pcfg_scratch_new(pcfg, &p->scratch);
    if (status == TZ_OK)
        status = tz_plan_new(tz_rules_find("pcfg"), tz_semiring_find("max", TZ_F64), 0, &p->plan,
                             opt_error);
    if (status == TZ_OK)
        *ret_parser = p;
    else
        tz_pcfg_parser_free(p);
    return status;
}

void tz_pcfg_parser_free(tz_pcfg_parser *parser) {
    if (parser) {
        tz_plan_free(parser->plan);
        tz_pcfg_scratch_free(&parser->scratch);
    }
    free(parser);
}

typedef struct portion {
    const tz_pcfg_parser *parser;
    slot **slot;
} portion;

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const portion *portion = user;
    const tz_derivation *best;
    slot *s = portion->slot[problem];
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    s->none = status == TZ_NONE;
    if (s->none)
        return TZ_OK;
    return status == TZ_OK ? tree_of(portion->parser, s, best) : status;
}

/* Trees of the slots that have none yet. list, problem: room for all. */
static tz_status run(tz_pcfg_parser *p, slot *slots, size_t count, bool pieces, slot **list,
                     tz_problem *problem, tz_error *opt_error) {
    tz_status status = TZ_OK;
    size_t problems = 0;
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        slot *s = &slots[i];
        if (s->none) {
            list[problems] = s;
            problem[problems++] =
                (tz_problem){.lengths = s->problem.lengths, .scores = s->problem.scores};
            status = tz_pcfg_problem_new(&p->scratch, s->item->word, s->item->words, pieces,
                                         &s->problem);
        }
    }
    portion portion = {p, list};
    const tz_run_options options = {.threads = p->threads};
    if (status == TZ_OK && problems > 0)
        status = tz_run(p->plan, problem, problems, &options, visit, &portion, opt_error);
    for (size_t i = 0; i < count; i++)
        tz_pcfg_problem_free(&slots[i].problem);
    return status;
}

tz_status tz_pcfg_parse(tz_pcfg_parser *parser, uint32_t words, tz_pcfg_item *item, size_t count,
                        tz_error *opt_error) {
    slot *slots = calloc(count + 1, sizeof *slots), **list = calloc(count + 1, sizeof *list);
    tz_problem *problem = calloc(count + 1, sizeof *problem);
    tz_status status = slots && list && problem ? TZ_OK : TZ_NO_MEMORY;
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        slots[i] = (slot){.item = &item[i], .none = item[i].words <= words};
    for (int pieces = 0; pieces < 2 && status == TZ_OK; pieces++)
        status = run(parser, slots, count, pieces, list, problem, opt_error);
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        if (item[i].words > words)
            status = flat_tree(parser->scratch.pcfg, &item[i]);
    free(slots);
    free((void *)list);
    free(problem);
    return status;
}
