/* show.c - a grammar as text, in the notation with arrows. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/modes.h"
#include "base/text.h"
#include "grammar/grammar.h"

/* In quotes; what ends a line or is one of both quotes stands as in C. */
static void put_word(tz_text *text, const char *word) {
    const char quote = strchr(word, '\'') == NULL ? '\'' : '"';
    tz_text_add(text, &quote, 1);
    for (; *word != '\0'; word++) {
        const char *escape = *word == '\n' ? "\\n" : *word == '\r' ? "\\r" : NULL;
        if (*word == quote)
            tz_text_put(text, "\\\"");
        else if (escape != NULL)
            tz_text_put(text, escape);
        else
            tz_text_add(text, word, 1);
    }
    tz_text_add(text, &quote, 1);
}

static void put_part(tz_text *text, const tz_grammar *g, int32_t part) {
    tz_text_put(text, " ");
    if (part >= 0)
        tz_text_put(text, g->symbols.name[part]);
    else
        put_word(text, g->words.name[-1 - part]);
}

static void put_rule(tz_text *text, const tz_grammar *g, int32_t left, const int32_t *right,
                     size_t size, double number) {
    tz_text_put(text, g->symbols.name[left]);
    tz_text_put(text, " ->");
    for (size_t i = 0; i < size; i++)
        put_part(text, g, right[i]);
    tz_text_put(text, " [");
    tz_text_number(text, number);
    tz_text_put(text, "]\n");
}

/* Entries of the first four lists: of each, the numbers behind the first are of symbols, but
 * words'. */
static void put_lists(tz_text *text, const tz_grammar *g) {
    const double made = g->weights == TZ_RULE_LOGS ? 0 : 1;
    for (unsigned l = 0; l <= TZ_LIST_BINARY; l++) {
        const tz_entries *of = &g->list[l];
        for (size_t e = 0; e < of->entries; e++) {
            const int32_t *index = of->index + e * of->rank;
            const int32_t right[2] = {l == TZ_LIST_WORD ? -1 - index[1]
                                      : of->rank > 1    ? index[1]
                                                        : 0,
                                      of->rank > 2 ? index[2] : 0};
            put_rule(text, g, index[0], right, of->rank - 1,
                     of->rule[e] == TZ_NO_NUMBER ? made : g->number[of->rule[e]]);
        }
    }
}

size_t tz_grammar_show(const tz_grammar *g, bool binarised, char *ret_text, size_t size) {
    TZ_DEFAULT_MODES;
    tz_text text = {0};
    tz_text_put(&text, "%start ");
    const char *root = g->symbols.name[g->root];
    tz_text_put(&text, root);
    /* A backslash before the line's end would join lines. */
    tz_text_put(&text, root[strlen(root) - 1] == '\\' ? " \n" : "\n");
    if (binarised)
        put_lists(&text, g);
    for (size_t r = 0; !binarised && r < g->rules; r++) {
        const tz_grammar_rule *rule = &g->rule[r];
        put_rule(&text, g, rule->left, rule->size > 0 ? g->right + rule->first : NULL, rule->size,
                 g->number[r]);
    }
    return tz_text_hand_out(&text, ret_text, size);
}
