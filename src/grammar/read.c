/* read.c - a grammar from its text: what both notations share. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "base/modes.h"
#include "base/utf8.h"
#include "grammar/grammar.h"

/* ---- Messages -------------------------------------------------------------------------------- */

uint32_t tz_reader_column(const tz_reader *r, size_t at) {
    uint32_t column = 1;
    for (size_t i = r->line_start; i < at && i < r->size; i++)
        column += !tz_utf8_continues(r->text[i]);
    return column;
}

tz_status tz_reader_fail(const tz_reader *r, size_t at, const char *format, ...) {
    char text[sizeof r->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tz_fail(r->error, TZ_BAD_RULES, "%s:%u:%u: %s", r->name, r->line,
                   tz_reader_column(r, at), text);
}

tz_status tz_reader_no_memory(const tz_reader *r) {
    return tz_fail(r->error, TZ_NO_MEMORY, "%s: %s", r->name, tz_status_name(TZ_NO_MEMORY));
}

/* ---- Names ----------------------------------------------------------------------------------- */

static int32_t add_symbol(tz_grammar *g, const char *name, size_t size, const tz_symbol *symbol) {
    if (!tz_grow((void **)&g->symbol, &g->symbol_room, g->symbols.count + 1, sizeof *g->symbol))
        return TZ_NO_NUMBER;
    g->symbol[g->symbols.count] = *symbol;
    return tz_name_table_add(&g->symbols, g->arena, name, size);
}

int32_t tz_reader_symbol(tz_reader *r, const char *name, size_t size, size_t at) {
    int32_t number = tz_name_table_find(&r->grammar->symbols, name, size);
    const tz_symbol symbol = {.line = r->line};
    if (number == TZ_NO_NUMBER) {
        number = add_symbol(r->grammar, name, size, &symbol);
        if (number != TZ_NO_NUMBER)
            r->grammar->symbol[number].column = tz_reader_column(r, at);
    }
    return number;
}

int32_t tz_reader_word(tz_reader *r, const char *name, size_t size) {
    return tz_name_table_add(&r->grammar->words, r->grammar->arena, name, size);
}

int32_t tz_grammar_make(tz_grammar *g, const char *name) {
    const tz_symbol symbol = {.made = true, .has_rules = true};
    char own[128];
    snprintf(own, sizeof own - 64, "%s", name);
    while (tz_name_table_find(&g->symbols, own, strlen(own)) != TZ_NO_NUMBER && strlen(own) < 100)
        strcat(own, "~");
    return add_symbol(g, own, strlen(own), &symbol);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

typedef struct wanted_rule {
    const tz_grammar *grammar;
    int32_t left;
    const int32_t *right;
    size_t size;
} wanted_rule;

static bool same_rule(const void *what, int32_t number) {
    const wanted_rule *w = what;
    const tz_grammar_rule *rule = &w->grammar->rule[number];
    return rule->left == w->left && rule->size == w->size &&
           (w->size == 0 ||
            memcmp(w->grammar->right + rule->first, w->right, w->size * sizeof *w->right) == 0);
}

tz_status tz_reader_rule(tz_reader *r, int32_t left, const int32_t *right, size_t size,
                         double weight, size_t at) {
    tz_grammar *g = r->grammar;
    uint64_t hash = tz_hash_more(size, (uint64_t)left);
    for (size_t i = 0; i < size; i++)
        hash = tz_hash_more(hash, (uint64_t)right[i]);
    const wanted_rule w = {g, left, right, size};
    const int32_t known = tz_table_find(&g->rule_table, hash, same_rule, &w);
    g->symbol[left].has_rules = true;
    if (known != TZ_NO_NUMBER) {
        if (g->weights != TZ_RULE_COUNTS && g->weights != TZ_RULE_UNIFORM)
            return tz_reader_fail(r, at,
                                  "%s has this rule in line %u already: leave one of them out, or "
                                  "give their weights as one",
                                  g->symbols.name[left], g->rule[known].line);
        g->rule[known].score += weight;
        return TZ_OK;
    }
    if (g->rules >= INT32_MAX / 2)
        return tz_fail(r->error, TZ_TOO_LARGE, "%s: too many rules", r->name);
    if (!tz_grow((void **)&g->rule, &g->rule_room, g->rules + 1, sizeof *g->rule) ||
        !tz_grow((void **)&g->right, &g->right_room, g->rights + size, sizeof *g->right) ||
        !tz_table_put(&g->rule_table, hash, (int32_t)g->rules))
        return tz_reader_no_memory(r);
    g->rule[g->rules++] = (tz_grammar_rule){left, r->line, g->rights, size, weight};
    if (size > 0)
        memcpy(g->right + g->rights, right, size * sizeof *right);
    g->rights += size;
    return TZ_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* UTF-8 without zero bytes. */
static tz_status check_text(tz_reader *r) {
    uint32_t code;
    for (size_t at = 0; at < r->size;) {
        const unsigned bytes = tz_utf8_decode(r->text + at, r->size - at, &code);
        if (bytes == 0 || code == 0)
            return tz_reader_fail(r, at,
                                  bytes == 0 ? "this is not UTF-8: convert the text"
                                             : "a zero byte: this is no text");
        at += bytes;
        if (code == '\n') {
            r->line++;
            r->line_start = at;
        }
    }
    r->line = 1;
    r->line_start = 0;
    return TZ_OK;
}

static tz_status fill_parts(tz_grammar *g) {
    tz_grammar_parts *p = &g->parts;
    if ((g->made = calloc(g->symbols.count + 1, sizeof *g->made)) == NULL)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < g->symbols.count; s++)
        g->made[s] = g->symbol[s].made;
    p->symbols = g->symbols.count;
    p->words = g->words.count;
    p->rules = g->rules;
    p->symbol = g->symbols.name;
    p->made = g->made;
    p->word = g->words.name;
    p->rule = g->rule;
    p->right = g->right;
    p->root = g->root;
    for (unsigned l = 0; l < TZ_GRAMMAR_LISTS; l++) {
        const tz_entries *of = &g->list[l];
        p->list[l] = (tz_grammar_list){of->rank, of->entries, of->index, of->score, of->rule};
    }
    return TZ_OK;
}

static tz_status read_all(tz_reader *r, tz_notation notation) {
    tz_status status = check_text(r);
    if (status == TZ_OK)
        status = notation == TZ_GBNF ? tz_read_gbnf(r) : tz_read_arrows(r);
    if (status == TZ_OK)
        status = tz_grammar_weigh(r);
    if (status == TZ_OK && (status = tz_grammar_binarise(r->grammar)) != TZ_OK)
        status = tz_fail(r->error, status, "%s: %s", r->name, tz_status_name(status));
    if (status == TZ_OK &&
        (r->grammar->symbols.count > TZ_MAX_LENGTH || r->grammar->words.count > TZ_MAX_LENGTH))
        status = tz_fail(r->error, TZ_TOO_LARGE,
                         "%s: more than %d words, or symbols with those that long rules need",
                         r->name, TZ_MAX_LENGTH);
    if (status == TZ_OK)
        status = tz_grammar_nothing(r);
    if (status == TZ_OK && fill_parts(r->grammar) != TZ_OK)
        status = tz_reader_no_memory(r);
    return status;
}

tz_status tz_grammar_parse(const char *name, const char *text, size_t size, tz_notation notation,
                           tz_rule_weights weights, const double *opt_score, size_t scores,
                           tz_grammar **ret, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    static const unsigned rank[TZ_GRAMMAR_LISTS] = {2, 1, 2, 3, 3, 3, 1};
    tz_error own;
    *ret = NULL;
    tz_reader r = {.name = name, .text = text, .size = size, .line = 1};
    r.score = opt_score;
    r.scores = scores;
    r.error = opt_error != NULL ? opt_error : &own;
    if (notation > TZ_GBNF || weights > TZ_RULE_UNIFORM)
        return tz_fail(r.error, TZ_BAD_ARGUMENT, "there is no such notation, or kind of weights");
    if (notation == TZ_GBNF && weights != TZ_RULE_UNIFORM)
        return tz_fail(r.error, TZ_BAD_ARGUMENT, "%s: GBNF has no weights: read it as uniform",
                       name);
    tz_grammar *g = r.grammar = calloc(1, sizeof *g);
    if (g == NULL || (g->arena = tz_arena_new()) == NULL) {
        free(g);
        return tz_reader_no_memory(&r);
    }
    g->weights = weights;
    g->root = TZ_NO_NUMBER;
    for (unsigned l = 0; l < TZ_GRAMMAR_LISTS; l++)
        g->list[l].rank = rank[l];
    const tz_status status = read_all(&r, notation);
    if (status == TZ_OK)
        *ret = g;
    else
        tz_grammar_free(g);
    return status;
}

void tz_grammar_free(tz_grammar *g) {
    if (g == NULL)
        return;
    tz_name_table_free(&g->symbols);
    tz_name_table_free(&g->words);
    for (unsigned l = 0; l < TZ_GRAMMAR_LISTS; l++) {
        free(g->list[l].index);
        free(g->list[l].score);
        free(g->list[l].rule);
    }
    for (unsigned l = 0; l <= TZ_LIST_BINARY; l++)
        tz_table_free(&g->key[l]);
    tz_table_free(&g->rule_table);
    free(g->symbol);
    free(g->rule);
    free(g->number);
    free(g->right);
    free(g->made);
    tz_arena_free(g->arena);
    free(g);
}

const tz_grammar_parts *tz_grammar_parts_of(const tz_grammar *g) {
    return &g->parts;
}

int32_t tz_grammar_word(const tz_grammar *g, const char *name, size_t size) {
    return tz_name_table_find(&g->words, name, size);
}

int32_t tz_grammar_symbol(const tz_grammar *g, const char *name, size_t size) {
    return tz_name_table_find(&g->symbols, name, size);
}
