/* fuzz_grammar.c - grammars: read, shown and read again, summed and sampled from.
 *
 * The first byte says how. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <trapeze/grammar.h>

#include "fuzz.h"

enum { MOST_RULES = 50, SAMPLES = 3, MOST_TREE = 4096 };

static char *shown(const tz_grammar *grammar, bool binarised, size_t *ret_size) {
    *ret_size = tz_grammar_show(grammar, binarised, NULL, 0);
    char *text = malloc(*ret_size + 1);
    FUZZ_CHECK(text != NULL && *ret_size > 0);
    FUZZ_CHECK(tz_grammar_show(grammar, binarised, text, *ret_size + 1) == *ret_size);
    return text;
}

/* Words and symbols that the notation with arrows can say. */
static bool is_plain(const tz_grammar_parts *parts) {
    for (size_t s = 0; s < parts->symbols; s++)
        if (parts->symbol[s][0] == '#' || parts->symbol[s][0] == '%')
            return false;
    for (size_t w = 0; w < parts->words; w++) {
        const char *word = parts->word[w];
        if (strpbrk(word, "\n\r") != NULL ||
            (strchr(word, '\'') != NULL && strchr(word, '"') != NULL))
            return false;
    }
    return true;
}

/* What is shown shows itself. */
static void read_back(const tz_grammar *grammar, tz_rule_weights weights) {
    for (int binarised = 0; binarised < 2; binarised++) {
        size_t size, again;
        OWN(tz_grammar, read) = NULL;
        tz_error error;
        FREED(char, text) = shown(grammar, binarised, &size);
        if (tz_grammar_parse("shown", text, size, TZ_ARROWS, weights, NULL, 0, &read, &error) !=
            TZ_OK)
            fuzz_fail("%s\n%s", text, error.message);
        FREED(char, twice) = shown(read, binarised, &again);
        if (!binarised && (again != size || memcmp(text, twice, size) != 0))
            fuzz_fail("%s\n%s", text, twice);
    }
}

static void draw(const tz_grammar *grammar, const double *total) {
    OWN(tz_grammar_sampler, sampler) = NULL;
    if (tz_grammar_sampler_new(grammar, total, 1, &sampler) != TZ_OK)
        return;
    for (int i = 0; i < SAMPLES; i++) {
        const uint32_t *rule;
        size_t rules;
        tz_status status = tz_grammar_sampler_next(sampler, &rule, &rules);
        if (status == TZ_TOO_LARGE)
            break;
        FUZZ_CHECK(status == TZ_OK && rules > 0);
        if (rules < MOST_TREE)
            FUZZ_CHECK(tz_grammar_brackets(grammar, rule, rules, NULL, 0) > 0);
    }
}

void fuzz_target(const uint8_t *data, size_t size) {
    OWN(tz_grammar, grammar) = NULL;
    tz_error error;
    unsigned line, column;
    if (size == 0)
        return;
    const tz_notation notation = data[0] % 6 == 5 ? TZ_GBNF : TZ_ARROWS;
    const tz_rule_weights weights =
        notation == TZ_GBNF ? TZ_RULE_UNIFORM : (tz_rule_weights)(data[0] % 6);
    char *text = fuzz_copy(data + 1, size - 1);
    tz_status status =
        tz_grammar_parse("input", text, size - 1, notation, weights, NULL, 0, &grammar, &error);
    free(text);
    if (status != TZ_OK) {
        FUZZ_CHECK(status == TZ_BAD_RULES || status == TZ_DIVERGES || status == TZ_TOO_LARGE);
        fuzz_check_error(status, &error);
        FUZZ_CHECK(status == TZ_TOO_LARGE ||
                   sscanf(error.message, "input:%u:%u: ", &line, &column) == 2);
        return;
    }
    const tz_grammar_parts *parts = tz_grammar_parts_of(grammar);
    if (is_plain(parts))
        read_back(grammar, weights == TZ_RULE_LOGS ? TZ_RULE_LOGS : TZ_RULE_WEIGHTS);
    FREED(double, total) = malloc((parts->symbols + 1) * sizeof *total);
    FUZZ_CHECK(total != NULL);
    if (parts->rules <= MOST_RULES && tz_grammar_totals(grammar, total, &error) == TZ_OK)
        draw(grammar, total);
}
