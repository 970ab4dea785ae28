/* binarise.c - rules of at most two symbols, as the gallery's rule sets take them.
 *
 * A -> x y z becomes A -> x S and S -> y z. What is left of a rule is a symbol of its own, S, which
 * all rules that end so share: there are no more of them than symbols in the text. The first part
 * has the rule's weight and tells which rule it is; the others weigh 1. A word inside a longer rule
 * becomes a symbol with one rule. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "grammar/grammar.h"

/* ---- Entries --------------------------------------------------------------------------------- */

typedef struct wanted {
    const tz_entries *entries;
    const int32_t *index;
} wanted;

static bool same_index(const void *what, int32_t number) {
    const wanted *w = what;
    const unsigned rank = w->entries->rank;
    return memcmp(w->entries->index + (size_t)number * rank, w->index, rank * sizeof(int32_t)) == 0;
}

static uint64_t hash_index(const int32_t *index, unsigned rank) {
    uint64_t hash = rank;
    for (unsigned q = 0; q < rank; q++)
        hash = tz_hash_more(hash, (uint64_t)index[q]);
    return hash;
}

int32_t tz_grammar_entry(const tz_grammar *g, unsigned list, const int32_t *index) {
    const wanted w = {&g->list[list], index};
    return tz_table_find(&g->key[list], hash_index(index, w.entries->rank), same_index, &w);
}

tz_status tz_grammar_add(tz_grammar *g, unsigned list, const int32_t *index, double score,
                         int32_t rule) {
    tz_entries *to = &g->list[list];
    const size_t count = to->entries + 1;
    if (count > INT32_MAX / 2)
        return TZ_TOO_LARGE;
    if (!tz_grow((void **)&to->index, &to->room[0], count, to->rank * sizeof *to->index) ||
        !tz_grow((void **)&to->score, &to->room[1], count, sizeof *to->score) ||
        !tz_grow((void **)&to->rule, &to->room[2], count, sizeof *to->rule) ||
        (list <= TZ_LIST_BINARY &&
         !tz_table_put(&g->key[list], hash_index(index, to->rank), (int32_t)to->entries)))
        return TZ_NO_MEMORY;
    memcpy(to->index + to->entries * to->rank, index, to->rank * sizeof *index);
    to->score[to->entries] = score;
    to->rule[to->entries++] = rule;
    return TZ_OK;
}

/* ---- Symbols that are made ------------------------------------------------------------------- */

typedef struct maker {
    tz_grammar *grammar;
    int32_t *of_word; /* [words] the symbol that is this word, or TZ_NO_NUMBER */
    tz_table pairs;   /* from two symbols to the entry of the symbol that is these */
} maker;

/* The symbol that a part of a longer rule is. */
static tz_status symbol_of(maker *m, int32_t part, int32_t *ret) {
    *ret = part;
    if (part >= 0)
        return TZ_OK;
    int32_t *known = &m->of_word[-1 - part];
    if (*known == TZ_NO_NUMBER) {
        char name[32];
        snprintf(name, sizeof name, "~%d", -1 - part);
        if ((*known = tz_grammar_make(m->grammar, name)) == TZ_NO_NUMBER)
            return TZ_NO_MEMORY;
        const int32_t index[2] = {*known, -1 - part};
        const tz_status status = tz_grammar_add(m->grammar, TZ_LIST_WORD, index, 0, TZ_NO_NUMBER);
        if (status != TZ_OK)
            return status;
    }
    *ret = *known;
    return TZ_OK;
}

static bool same_pair(const void *what, int32_t entry) {
    const wanted *w = what;
    return memcmp(w->entries->index + 3 * (size_t)entry + 1, w->index, 2 * sizeof(int32_t)) == 0;
}

/* The symbol that is these two: what a rule needs from its symbol `from` on. */
static tz_status rest_of(maker *m, const int32_t pair[2], size_t rule, size_t from, int32_t *ret) {
    tz_grammar *g = m->grammar;
    const tz_entries *binary = &g->list[TZ_LIST_BINARY];
    const wanted w = {binary, pair};
    const uint64_t hash = hash_index(pair, 2);
    const int32_t known = tz_table_find(&m->pairs, hash, same_pair, &w);
    char name[96];
    if (known != TZ_NO_NUMBER) {
        *ret = binary->index[3 * (size_t)known];
        return TZ_OK;
    }
    const char *left = g->symbols.name[g->rule[rule].left];
    int size = (int)strnlen(left, 40);
    while (tz_utf8_continues(left[size]))
        size--;
    snprintf(name, sizeof name, "%.*s~%zu.%zu", size, left, rule, from);
    if ((*ret = tz_grammar_make(g, name)) == TZ_NO_NUMBER ||
        !tz_table_put(&m->pairs, hash, (int32_t)binary->entries))
        return TZ_NO_MEMORY;
    const int32_t index[3] = {*ret, pair[0], pair[1]};
    return tz_grammar_add(g, TZ_LIST_BINARY, index, 0, TZ_NO_NUMBER);
}

static tz_status add_long(maker *m, size_t which) {
    const tz_grammar_rule *rule = &m->grammar->rule[which];
    int32_t index[3] = {rule->left, 0, 0};
    tz_status status = symbol_of(m, m->grammar->right[rule->first + rule->size - 1], &index[2]);
    for (size_t from = rule->size - 2; status == TZ_OK; from--) {
        status = symbol_of(m, m->grammar->right[rule->first + from], &index[1]);
        if (status != TZ_OK || from == 0)
            break;
        const int32_t pair[2] = {index[1], index[2]};
        status = rest_of(m, pair, which, from, &index[2]);
    }
    return status != TZ_OK
               ? status
               : tz_grammar_add(m->grammar, TZ_LIST_BINARY, index, rule->score, (int32_t)which);
}

static tz_status add_rule(maker *m, size_t which) {
    const tz_grammar_rule *rule = &m->grammar->rule[which];
    if (rule->size > 1)
        return add_long(m, which);
    const int32_t part = rule->size == 1 ? m->grammar->right[rule->first] : 0;
    const int32_t index[2] = {rule->left, part >= 0 ? part : -1 - part};
    const unsigned list = rule->size == 0 ? TZ_LIST_NOTHING
                          : part < 0      ? TZ_LIST_WORD
                                          : TZ_LIST_UNARY;
    return tz_grammar_add(m->grammar, list, index, rule->score, (int32_t)which);
}

tz_status tz_grammar_binarise(tz_grammar *g) {
    maker m = {.grammar = g};
    tz_status status = tz_grammar_add(g, TZ_LIST_ROOT, &g->root, 0, TZ_NO_NUMBER);
    if ((m.of_word = malloc((g->words.count + 1) * sizeof *m.of_word)) == NULL)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < g->words.count; w++)
        m.of_word[w] = TZ_NO_NUMBER;
    for (size_t r = 0; r < g->rules && status == TZ_OK; r++)
        status = add_rule(&m, r);
    free(m.of_word);
    tz_table_free(&m.pairs);
    return status;
}
