/* arrows.c - rules with arrows, `NP -> DT N [0.4] | 'they' [0.6]`, and counts, `12 NP -> DT N`.
 *
 * A rule is a line; a backslash at its end goes on with the next. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "grammar/grammar.h"

/* A rule that is being read. */
typedef struct line {
    int32_t *right;
    size_t size, room;
    double count; /* in front of the rule, or -1 */
} line;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_line(const tz_reader *r) {
    return r->at >= r->size || r->text[r->at] == '\n';
}

static void skip_blanks(tz_reader *r) {
    for (;;) {
        size_t ahead = tz_reader_peek(r, 1) == '\r' ? 2 : 1;
        if (!ends_line(r) && is_blank(r->text[r->at])) {
            r->at++;
        } else if (tz_reader_peek(r, 0) == '\\' && tz_reader_peek(r, ahead) == '\n') {
            r->at += ahead + 1;
            r->line++;
            r->line_start = r->at;
        } else {
            return;
        }
    }
}

static bool is_arrow(const char *text, size_t size) {
    return (size == 2 && memcmp(text, "->", 2) == 0) ||
           (size == 3 && (memcmp(text, "-->", 3) == 0 || memcmp(text, "\xe2\x86\x92", 3) == 0));
}

/* The bytes of a name: to a blank, a bar or a bracket. */
static size_t name_size(const tz_reader *r) {
    size_t size = 0;
    for (char c; r->at + size < r->size; size++) {
        c = r->text[r->at + size];
        if (is_blank(c) || c == '\n' || c == '|' || c == '[' || c == ']')
            break;
    }
    return size;
}

/* A word in quotes. */
static tz_status read_quoted(tz_reader *r, int32_t *ret_word) {
    const char quote = r->text[r->at];
    const char *begin = r->text + r->at + 1;
    size_t size = 0;
    while (r->at + 1 + size < r->size && begin[size] != quote && begin[size] != '\n')
        size++;
    if (r->at + 1 + size >= r->size || begin[size] == '\n')
        return tz_reader_fail(r, r->at, "this quotation has no end: put %c behind the word", quote);
    if (size == 0)
        return tz_reader_fail(r, r->at,
                              "a word without letters: leave it out, and the rule is of nothing");
    *ret_word = tz_reader_word(r, begin, size);
    if (*ret_word == TZ_NO_NUMBER)
        return tz_reader_no_memory(r);
    r->at += size + 2;
    return TZ_OK;
}

static tz_status read_number(tz_reader *r, size_t size, double *ret) {
    const tz_rule_weights weights = r->grammar->weights;
    if (!tz_number_read(r->text + r->at, size, ret) || *ret > 1e290 || *ret < -1e290)
        return tz_reader_fail(r, r->at, "'%.*s' is no number, such as 0.25",
                              (int)(size < 40 ? size : 40), r->text + r->at);
    if (weights != TZ_RULE_LOGS && *ret < 0)
        return tz_reader_fail(r, r->at, "a weight below 0: if these are logs, read them as logs");
    if (weights == TZ_RULE_PROBABILITIES && *ret > 1)
        return tz_reader_fail(
            r, r->at, "a probability above 1: read such numbers as weights, or counts, or logs");
    return TZ_OK;
}

/* `[0.4]`, or what stands in its place. */
static tz_status read_weight(tz_reader *r, double count, double *ret) {
    const tz_rule_weights weights = r->grammar->weights;
    const size_t at = r->at;
    *ret = count >= 0 ? count : weights == TZ_RULE_LOGS ? 0 : 1;
    if (tz_reader_peek(r, 0) != '[') {
        if (weights == TZ_RULE_PROBABILITIES)
            return tz_reader_fail(r, r->at,
                                  "this rule has no probability: write one behind it, as "
                                  "[0.5], or read the grammar as uniform or weights");
        if (weights == TZ_RULE_COUNTS && count < 0)
            return tz_reader_fail(r, r->at, "this rule has no count: write one in front of it");
        return TZ_OK;
    }
    if (weights == TZ_RULE_UNIFORM)
        return tz_reader_fail(r, at,
                              "a weight in a grammar that is read as uniform: say what it "
                              "is, probabilities, weights, logs or counts");
    if (count >= 0)
        return tz_reader_fail(r, at, "this rule has a count in front: leave one of both out");
    r->at++;
    skip_blanks(r);
    const size_t size = name_size(r);
    tz_status status = read_number(r, size, ret);
    if (status != TZ_OK)
        return status;
    r->at += size;
    skip_blanks(r);
    if (tz_reader_peek(r, 0) != ']')
        return tz_reader_fail(r, at, "this bracket has no end: write ] behind the number");
    r->at++;
    skip_blanks(r);
    if (!ends_line(r) && r->text[r->at] != '|')
        return tz_reader_fail(r, r->at,
                              "a weight ends its rule: put | before the next one, or a new line");
    return TZ_OK;
}

/* One symbol or word of a right side. */
static tz_status read_part(tz_reader *r, line *l) {
    int32_t part;
    const char c = r->text[r->at];
    if (!tz_grow((void **)&l->right, &l->room, l->size + 1, sizeof *l->right))
        return tz_reader_no_memory(r);
    if (c == '\'' || c == '"') {
        const tz_status status = read_quoted(r, &part);
        if (status != TZ_OK)
            return status;
        l->right[l->size++] = -1 - part;
        return TZ_OK;
    }
    const size_t size = name_size(r);
    if (size == 0)
        return tz_reader_fail(r, r->at, "a bracket that nothing opened");
    if (is_arrow(r->text + r->at, size))
        return tz_reader_fail(r, r->at, "a second arrow: each rule has a line of its own");
    part = tz_reader_symbol(r, r->text + r->at, size, r->at);
    if (part == TZ_NO_NUMBER)
        return tz_reader_no_memory(r);
    l->right[l->size++] = part;
    r->at += size;
    return TZ_OK;
}

static tz_status read_alternatives(tz_reader *r, line *l, int32_t left) {
    for (;;) {
        tz_status status = TZ_OK;
        double weight = 0;
        l->size = 0;
        skip_blanks(r);
        const size_t at = r->at;
        while (status == TZ_OK && !ends_line(r) && r->text[r->at] != '|' && r->text[r->at] != '[') {
            status = read_part(r, l);
            skip_blanks(r);
        }
        if (status == TZ_OK)
            status = read_weight(r, l->count, &weight);
        if (status == TZ_OK)
            status = tz_reader_rule(r, left, l->right, l->size, weight, at);
        if (status != TZ_OK || ends_line(r))
            return status;
        if (l->count >= 0)
            return tz_reader_fail(r, r->at,
                                  "a count is of one rule: write the others in lines "
                                  "of their own");
        r->at++;
    }
}

/* `%start X`, as NLTK has it. */
static tz_status read_start(tz_reader *r) {
    const size_t at = r->at, size = name_size(r);
    if (size != 6 || memcmp(r->text + at, "%start", 6) != 0)
        return tz_reader_fail(r, at, "only %%start NAME begins so");
    r->at += size;
    skip_blanks(r);
    const size_t name = name_size(r);
    if (name == 0)
        return tz_reader_fail(r, r->at, "name the symbol to start from: %%start S");
    r->grammar->root = tz_reader_symbol(r, r->text + r->at, name, r->at);
    if (r->grammar->root == TZ_NO_NUMBER)
        return tz_reader_no_memory(r);
    r->at += name;
    skip_blanks(r);
    return ends_line(r) ? TZ_OK : tz_reader_fail(r, r->at, "one symbol is the start");
}

/* A count in front of the left side: a number that no arrow follows. */
static tz_status read_count(tz_reader *r, line *l) {
    const size_t size = name_size(r), at = r->at;
    double number;
    l->count = -1;
    if (r->grammar->weights != TZ_RULE_COUNTS || !tz_number_read(r->text + at, size, &number))
        return TZ_OK;
    r->at += size;
    skip_blanks(r);
    if (is_arrow(r->text + r->at, name_size(r))) {
        r->at = at;
        return TZ_OK;
    }
    const size_t behind = r->at;
    r->at = at;
    const tz_status status = read_number(r, size, &l->count);
    r->at = behind;
    return status;
}

static tz_status read_rule(tz_reader *r, line *l) {
    tz_status status = read_count(r, l);
    if (status != TZ_OK)
        return status;
    const size_t at = r->at, size = name_size(r);
    if (size == 0 || is_arrow(r->text + at, size))
        return tz_reader_fail(r, at, "a rule begins with a symbol: NP -> DT N");
    if (r->text[at] == '\'' || r->text[at] == '"')
        return tz_reader_fail(r, at,
                              "a word has no rules: write a symbol, without quotes, on the "
                              "left side");
    const int32_t left = tz_reader_symbol(r, r->text + at, size, at);
    if (left == TZ_NO_NUMBER)
        return tz_reader_no_memory(r);
    r->at += size;
    skip_blanks(r);
    const size_t arrow = name_size(r);
    if (!is_arrow(r->text + r->at, arrow))
        return tz_reader_fail(r, r->at, "an arrow, ->, stands behind %s, between blanks",
                              r->grammar->symbols.name[left]);
    r->at += arrow;
    if (r->grammar->root == TZ_NO_NUMBER)
        r->grammar->root = left;
    return read_alternatives(r, l, left);
}

tz_status tz_read_arrows(tz_reader *r) {
    tz_status status = TZ_OK;
    line l = {0};
    if (r->size >= 3 && memcmp(r->text, "\xef\xbb\xbf", 3) == 0)
        r->at = r->line_start = 3;
    while (status == TZ_OK && r->at < r->size) {
        skip_blanks(r);
        if (tz_reader_peek(r, 0) == '#')
            while (!ends_line(r))
                r->at++;
        else if (tz_reader_peek(r, 0) == '%' && r->grammar->weights != TZ_RULE_COUNTS)
            status = read_start(r);
        else if (!ends_line(r))
            status = read_rule(r, &l);
        if (status == TZ_OK && r->at < r->size) {
            r->at++;
            r->line++;
            r->line_start = r->at;
        }
    }
    if (status == TZ_OK && r->grammar->rules == 0)
        status = tz_reader_fail(r, r->at, "a grammar without rules: write one, S -> 'word'");
    free(l.right);
    return status;
}
