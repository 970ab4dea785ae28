/* pcfg.c - see pcfg.h: labels, and rules counted. SPDX-License-Identifier: MIT */
#include "sentences/trees/pcfg.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text.h"
#include "sentences/features/tables/hash.h"
#include "sentences/features/tables/numbers.h"

/* What labels are told by is hashed; 64 bits leave no doubt. */
struct tz_pcfg_trainer {
    tz_numbers known; /* labels by their hashes */
    tz_pcfg_label *label;
    size_t label_capacity;
    tz_numbers seen; /* rules by their labels, packed */
    tz_pcfg_rule *rule;
    size_t rule_capacity;
    tz_labels tags;
    tz_arena *arena; /* of chains */
    uint64_t trees;
};

const char tz_pcfg_name[] = "pcfg";

enum { BITS = 21 }; /* of a label in a packed rule: TZ_PCFG_LABELS and TZ_NO_NODE, cut, fit */

void tz_pcfg_free(tz_pcfg *pcfg) {
    if (pcfg) {
        free(pcfg->label);
        free(pcfg->rule);
        tz_labels_free(&pcfg->tags);
        tz_arena_free(pcfg->arena);
        free(pcfg);
    }
}

tz_pcfg_trainer *tz_pcfg_trainer_new(void) {
    tz_pcfg_trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer && !(trainer->arena = tz_arena_new())) {
        free(trainer);
        return NULL;
    }
    return trainer;
}

void tz_pcfg_trainer_free(tz_pcfg_trainer *trainer) {
    if (trainer) {
        tz_numbers_free(&trainer->known);
        tz_numbers_free(&trainer->seen);
        free(trainer->label);
        free(trainer->rule);
        tz_labels_free(&trainer->tags);
        tz_arena_free(trainer->arena);
        free(trainer);
    }
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* The label of this hash; a new one has no chain yet (NULL). */
static tz_status label(tz_pcfg_trainer *t, uint64_t hash, uint32_t *ret_label) {
    size_t before = t->known.count;
    tz_status status = tz_numbers_add(&t->known, hash, ret_label);
    if (status != TZ_OK || t->known.count == before)
        return status;
    if (t->known.count > TZ_PCFG_LABELS)
        return TZ_TOO_LARGE;
    if (!TZ_GROW(t->label, &t->label_capacity, t->known.count))
        return TZ_NO_MEMORY;
    t->label[*ret_label] = (tz_pcfg_label){0};
    return TZ_OK;
}

static tz_status count(tz_pcfg_trainer *t, uint32_t a, uint32_t b, uint32_t c) {
    const uint64_t mask = ((uint64_t)1 << BITS) - 1;
    uint64_t packed = (uint64_t)a << 2 * BITS | (uint64_t)b << BITS | (c & mask);
    size_t before = t->seen.count;
    uint32_t number;
    tz_status status = tz_numbers_add(&t->seen, packed, &number);
    if (status != TZ_OK)
        return status;
    if (t->seen.count > before) {
        if (!TZ_GROW(t->rule, &t->rule_capacity, t->seen.count))
            return TZ_NO_MEMORY;
        t->rule[number] = (tz_pcfg_rule){a, b, c, 0};
    }
    if (t->rule[number].count == UINT32_MAX)
        return TZ_TOO_LARGE;
    t->rule[number].count++;
    t->label[a].uses++;
    return TZ_OK;
}

/* Of each node at the top of a chain. */
typedef struct top {
    uint64_t chain; /* the hash of its categories */
    uint32_t label;
} top;

/* Where children stand that are added from the head outwards. */
typedef struct adding {
    uint64_t constituent, head; /* hashes: of the label; of the head child's chain */
    uint32_t label;             /* of the constituent */
    uint32_t at;                /* of what is added so far */
    uint32_t left;              /* children still to be added */
} adding;

static tz_status add_child(tz_pcfg_trainer *t, adding *adding, bool on_left, const top *child) {
    uint32_t above = adding->label;
    tz_status status = TZ_OK;
    if (--adding->left > 0) {
        uint64_t hash = tz_hash(tz_hash(adding->constituent, adding->head), on_left ? 1 : 2);
        status = label(t, tz_hash(hash, child->chain), &above);
        if (status == TZ_OK && !t->label[above].chain)
            t->label[above].chain = "";
    }
    if (status == TZ_OK)
        status = on_left ? count(t, above, child->label, adding->at)
                         : count(t, above, adding->at, child->label);
    adding->at = above;
    return status;
}

/* The rules of constituent x; list: room for its children. */
static tz_status add_children(tz_pcfg_trainer *t, const tz_tree *tree, uint32_t x,
                              uint64_t constituent, uint32_t label, const top *tops,
                              uint32_t *list) {
    uint32_t children = 0, head = 0;
    for (uint32_t c = tree->node[x].first; c != TZ_NO_NODE; c = tree->node[c].next) {
        if (c == tree->node[x].head)
            head = children;
        list[children++] = c;
    }
    const top *head_top = &tops[list[head]];
    adding adding = {constituent, head_top->chain, label, head_top->label, children - 1};
    tz_status status = TZ_OK;
    for (uint32_t i = head; i > 0 && status == TZ_OK; i--)
        status = add_child(t, &adding, true, &tops[list[i - 1]]);
    for (uint32_t i = head + 1; i < children && status == TZ_OK; i++)
        status = add_child(t, &adding, false, &tops[list[i]]);
    return status;
}

static bool only_child(const tz_tree *tree, uint32_t x) {
    const tz_tree_node *node = &tree->node[x];
    return node->parent != TZ_NO_NODE && tree->node[node->parent].first == x &&
           node->next == TZ_NO_NODE;
}

/* The categories from `from` down to `to`, each the only child of the one before. */
static const char *chain_text(tz_arena *arena, const tz_tree *tree, uint32_t from, uint32_t to) {
    tz_text text = {0};
    for (uint32_t x = from; x <= to; x++) {
        tz_text_put(&text, x > from ? " " : "");
        tz_text_put(&text, tree->node[x].category);
    }
    const char *chain = text.failed ? NULL : tz_arena_text(arena, text.data, text.size);
    tz_text_free(&text);
    return chain;
}

/* The chain that ends with x: its label, and its rules. */
static tz_status add_chain(tz_pcfg_trainer *t, const tz_tree *tree, uint32_t x, top *tops,
                           uint32_t *list) {
    const tz_tree_node *node = tree->node;
    uint32_t above = x;
    while (only_child(tree, above))
        above--; /* the parent stands right before */
    uint64_t chain = 0;
    for (uint32_t y = above; y <= x; y++)
        chain = tz_hash(chain, tz_hash_text(node[y].category, strlen(node[y].category)));
    const char *parent = node[above].parent == TZ_NO_NODE ? "" : node[node[above].parent].category;
    uint64_t hash = tz_hash(chain, tz_hash_text(parent, strlen(parent)));
    tops[above].chain = chain;
    tz_status status = label(t, hash, &tops[above].label);
    if (status != TZ_OK)
        return status;
    tz_pcfg_label *l = &t->label[tops[above].label];
    if (!l->chain && !(l->chain = chain_text(t->arena, tree, above, x)))
        return TZ_NO_MEMORY;
    if (above == 0 && l->roots == UINT32_MAX)
        return TZ_TOO_LARGE;
    l->roots += above == 0;
    if (!tz_tree_leaf(&node[x]))
        return add_children(t, tree, x, hash, tops[above].label, tops, list);
    int32_t tag;
    status = tz_labels_add(&t->tags, tree->word[node[x].begin].tag, &tag);
    if (status == TZ_OK && tag >= TZ_PCFG_TAGS)
        status = TZ_TOO_LARGE;
    return status == TZ_OK ? count(t, tops[above].label, (uint32_t)tag, TZ_NO_NODE) : status;
}

tz_status tz_pcfg_trainer_add(tz_pcfg_trainer *trainer, const tz_tree *tree) {
    top *tops = calloc(tree->nodes, sizeof *tops);
    uint32_t *list = calloc(tree->nodes, sizeof *list);
    tz_status status = tops && list ? TZ_OK : TZ_NO_MEMORY;
    for (uint32_t x = tree->nodes; x-- > 0 && status == TZ_OK;) {
        uint32_t first = tree->node[x].first;
        if (first == TZ_NO_NODE || tree->node[first].next != TZ_NO_NODE)
            status = add_chain(trainer, tree, x, tops, list);
    }
    trainer->trees += status == TZ_OK;
    free(tops);
    free(list);
    return status;
}

/* ---- The grammar ----------------------------------------------------------------------------- */

/* Rules a -> b c come first. */
static int compare(const void *a, const void *b) {
    const tz_pcfg_rule *p = a, *q = b;
    bool word = p->c == TZ_NO_NODE, other = q->c == TZ_NO_NODE;
    if (word != other)
        return word ? 1 : -1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return p->c < q->c ? -1 : p->c > q->c;
}

static bool copy(const tz_pcfg_trainer *t, tz_pcfg *pcfg) {
    int32_t number;
    pcfg->arena = tz_arena_new();
    pcfg->label = malloc(t->known.count * sizeof *pcfg->label);
    pcfg->rule = malloc(t->seen.count * sizeof *pcfg->rule);
    if (!pcfg->arena || !pcfg->label || !pcfg->rule)
        return false;
    memcpy(pcfg->label, t->label, t->known.count * sizeof *pcfg->label);
    memcpy(pcfg->rule, t->rule, t->seen.count * sizeof *pcfg->rule);
    for (size_t l = 0; l < t->known.count; l++) {
        const char *chain = t->label[l].chain;
        pcfg->label[l].chain = tz_arena_text(pcfg->arena, chain, strlen(chain));
        if (!pcfg->label[l].chain)
            return false;
    }
    for (size_t g = 0; g < t->tags.count; g++)
        if (tz_labels_add(&pcfg->tags, t->tags.name[g], &number) != TZ_OK)
            return false;
    return true;
}

tz_status tz_pcfg_trainer_end(const tz_pcfg_trainer *trainer, tz_pcfg **ret_pcfg) {
    *ret_pcfg = NULL;
    if (trainer->trees == 0)
        return TZ_BAD_ARGUMENT;
    tz_pcfg *pcfg = calloc(1, sizeof *pcfg);
    if (!pcfg || !copy(trainer, pcfg)) {
        tz_pcfg_free(pcfg);
        return TZ_NO_MEMORY;
    }
    pcfg->labels = trainer->known.count;
    pcfg->rules = trainer->seen.count;
    pcfg->trees = trainer->trees;
    qsort(pcfg->rule, pcfg->rules, sizeof *pcfg->rule, compare);
    while (pcfg->binary < pcfg->rules && pcfg->rule[pcfg->binary].c != TZ_NO_NODE)
        pcfg->binary++;
    *ret_pcfg = pcfg;
    return TZ_OK;
}
