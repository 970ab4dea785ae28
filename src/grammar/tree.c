/* tree.c - trees in a grammar's own rules, from derivations by gallery/grammar; in brackets.
 *
 * A tree is its rules in the order of a leftmost derivation. A derivation's nodes in preorder are
 * in that order; those of entries that only go on with a rule are left out.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/modes.h"
#include "base/text.h"
#include "grammar/grammar.h"

/* ---- From a derivation ----------------------------------------------------------------------- */

/* The symbol of an item, span[a,i,j] or null[d,a]. */
static int32_t symbol_of(const tz_node *node, bool is_null) {
    return node->index[is_null ? 1 : 0];
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The entry of a node of `rule`, whose premises begin at nodes below[0] and below[1]. */
static int32_t entry_of(const tz_grammar *g, const char *rule, const tz_node *node,
                        const tz_node *const below[2], const int32_t *words, unsigned *ret_list) {
    const bool over_nothing = strstr(rule, "nothing") != NULL;
    int32_t index[3] = {symbol_of(node, over_nothing), 0, 0};
    if (strcmp(rule, "nothing") == 0) {
        *ret_list = TZ_LIST_NOTHING;
    } else if (strcmp(rule, "word") == 0) {
        *ret_list = TZ_LIST_WORD;
        index[1] = words[node->index[1]];
    } else {
        *ret_list = begins(rule, "unary") ? TZ_LIST_UNARY : TZ_LIST_BINARY;
        for (unsigned b = 0; b < node->premises && b < 2; b++) {
            const bool null = over_nothing || strcmp(rule, b == 0 ? "after" : "before") == 0;
            index[1 + b] = symbol_of(below[b], null);
        }
    }
    return tz_grammar_entry(g, *ret_list, index);
}

tz_status tz_grammar_tree(const tz_grammar *g, const tz_rules *rules, const tz_derivation *found,
                          const int32_t *words, uint32_t *ret_rule, size_t *ret_rules) {
    TZ_DEFAULT_MODES;
    size_t *end = malloc((found->nodes + 1) * sizeof *end), made = 0;
    size_t *open = malloc((found->nodes + 1) * sizeof *open), opened = 0;
    tz_status status = end != NULL && open != NULL ? TZ_OK : TZ_NO_MEMORY;
    /* Where the nodes below each node end: backwards, premises are known when their node comes. */
    for (size_t i = found->nodes; status == TZ_OK && i-- > 0;) {
        size_t at = i + 1;
        if (found->node[i].premises > opened)
            status = TZ_BAD_ARGUMENT;
        for (unsigned b = 0; status == TZ_OK && b < found->node[i].premises; b++)
            at = end[open[--opened]];
        end[i] = at;
        open[opened++] = i;
    }
    for (size_t i = 1; status == TZ_OK && i < found->nodes; i++) { /* 0 is the sentence */
        const tz_node *node = &found->node[i];
        const char *rule = tz_rules_name_of(rules, TZ_RULES, node->rule);
        const tz_node *below[2] = {node + 1, NULL};
        unsigned list;
        if (node->premises == 2)
            below[1] = &found->node[end[i + 1]];
        const int32_t entry =
            rule == NULL ? TZ_NO_NUMBER : entry_of(g, rule, node, below, words, &list);
        if (entry == TZ_NO_NUMBER)
            status = TZ_BAD_ARGUMENT;
        else if (g->list[list].rule[entry] != TZ_NO_NUMBER)
            ret_rule[made++] = (uint32_t)g->list[list].rule[entry];
    }
    free(end);
    free(open);
    if (status == TZ_OK)
        *ret_rules = made;
    return status;
}

/* ---- In brackets ----------------------------------------------------------------------------- */

static void put_name(tz_text *text, const char *name) {
    if (*name == '\0' || strpbrk(name, " ()\"\\\t\n\r") != NULL || (unsigned char)*name < ' ')
        tz_text_quote(text, name, strlen(name));
    else
        tz_text_put(text, name);
}

/* What is left of a rule's right side. */
typedef struct rest {
    size_t at, end;
    bool bracket; /* a symbol of the tree, whose bracket is to be closed */
} rest;

/* False: these are not the rules of a tree. */
static bool write_tree(const tz_grammar *g, const uint32_t *rule, size_t rules, rest *open,
                       tz_text *text) {
    const int32_t *right = g->right;
    size_t depth = 0, next = 0;
    int32_t symbol = g->root;
    for (bool first = true;;) {
        if (symbol >= 0) {
            if (next == rules || rule[next] >= g->rules || g->rule[rule[next]].left != symbol)
                return false;
            const tz_grammar_rule *used = &g->rule[rule[next++]];
            const bool bracket = !g->symbol[symbol].made;
            if (bracket) {
                tz_text_put(text, first ? "(" : " (");
                put_name(text, g->symbols.name[symbol]);
            }
            first = false;
            open[depth++] = (rest){used->first, used->first + used->size, bracket};
        } else {
            tz_text_put(text, " ");
            put_name(text, g->words.name[-1 - symbol]);
        }
        while (depth > 0 && open[depth - 1].at == open[depth - 1].end)
            if (open[--depth].bracket)
                tz_text_put(text, ")");
        if (depth == 0)
            return next == rules;
        symbol = right[open[depth - 1].at++];
    }
}

size_t tz_grammar_brackets(const tz_grammar *g, const uint32_t *rule, size_t rules, char *ret_text,
                           size_t size) {
    TZ_DEFAULT_MODES;
    tz_text text = {0};
    rest *open = malloc((rules + 1) * sizeof *open);
    text.failed |= open == NULL || !write_tree(g, rule, rules, open, &text);
    free(open);
    return tz_text_hand_out(&text, ret_text, size);
}
