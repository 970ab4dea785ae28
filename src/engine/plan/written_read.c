/* written_read.c - a semiring from its text. docs/semirings.md describes the notation.
 *
 * A statement begins at the beginning of a line with its keyword, and goes on over lines that begin
 * with a blank. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "base/near.h"
#include "base/text_file.h"
#include "engine/plan/written.h"

enum { LONGEST = 1 << 16, NAME = 30, MOST_STATEMENTS = 64, SUMMARY = 120 };

enum { ELEMENT, INPUT, ZERO, ONE, PLUS, TIMES, LIFT, VALUE, ALSO, SHARE, GIVES, LAWS, ABOUT, CITE };
static const char *const keywords[] = {"element", "input", "zero",  "one",  "plus",
                                       "times",   "lift",  "value", "also", "share",
                                       "gives",   "laws",  "about", "cite", NULL};

typedef struct statement {
    int what;
    const char *begin, *body, *end;
} statement;

typedef char short_name[NAME + 1];

typedef struct source {
    const char *file, *text;
    tz_error *opt_error;
    size_t count;
    statement statement[MOST_STATEMENTS];
    size_t parts, inputs, numbers;
    short_name part[TZ_WRITTEN_PARTS], input[TZ_MAX_INPUTS], number[TZ_WRITTEN_PARTS + 1];
} source;

static const char *keyword_at(const void *list, size_t index) {
    return ((const char *const *)list)[index];
}

/* ---- Statements ------------------------------------------------------------------------------ */

static tz_status find_statements(source *s) {
    const char *at = s->text;
    statement *last = NULL;
    while (*at != '\0') {
        const size_t size = strcspn(at, "\n");
        const bool blank = strspn(at, " \t\r") >= size, goes_on = *at == ' ' || *at == '\t';
        if (!blank && goes_on && last == NULL)
            return tz_bad_text(s->opt_error, s->file, s->text, at + strspn(at, " \t"),
                               "a statement begins at the beginning of a line");
        if (!blank && goes_on)
            last->end = at + size;
        if (!blank && !goes_on && *at != '#') {
            char word[NAME + 1] = "";
            const size_t letters = strcspn(at, " \t\r\n#");
            int what = 0;
            snprintf(word, sizeof word, "%.*s", (int)(letters < NAME ? letters : NAME), at);
            while (keywords[what] != NULL && strcmp(keywords[what], word) != 0)
                what++;
            const char *near = tz_nearest(word, keyword_at, keywords);
            if (keywords[what] == NULL)
                return tz_bad_text(s->opt_error, s->file, s->text, at,
                                   "unknown statement '%s'%s%s%s", word,
                                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                                   near != NULL ? "'?" : "");
            for (size_t i = 0; i < s->count && what != ALSO && what != CITE; i++)
                if (s->statement[i].what == what)
                    return tz_bad_text(s->opt_error, s->file, s->text, at, "a second '%s'", word);
            if (s->count == MOST_STATEMENTS)
                return tz_bad_text(s->opt_error, s->file, s->text, at, "more than %d statements",
                                   MOST_STATEMENTS);
            last = &s->statement[s->count++];
            *last = (statement){what, at, at + letters, at + size};
        }
        at += size + (at[size] == '\n');
    }
    return TZ_OK;
}

static const statement *find(const source *s, int what) {
    for (size_t i = 0; i < s->count; i++)
        if (s->statement[i].what == what)
            return &s->statement[i];
    return NULL;
}

/* The next word of a statement, to its commas; false at its end. */
static bool next_word(const statement *of, const char **at, const char **ret_word,
                      size_t *ret_size) {
    for (;;) {
        *at += strspn(*at, " \t\r\n,");
        if (*at < of->end && **at == '#')
            *at += strcspn(*at, "\n");
        else
            break;
    }
    if (*at >= of->end)
        return false;
    *ret_word = *at;
    *ret_size = strcspn(*at, " \t\r\n,#=");
    *ret_size += *ret_size == 0;
    *at += *ret_size;
    return true;
}

/* A name that is no word of expressions and not among the `count` others. */
static tz_status read_name(source *s, const char *word, size_t size, short_name *others,
                           size_t count) {
    static const char *const taken[] = {"a",   "b",   "score", "inf",   "min", "max",
                                        "exp", "log", "sqrt",  "floor", "abs"};
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (size > NAME || strspn(word, letters) < size || strspn(word, "0123456789") > 0)
        return tz_bad_text(s->opt_error, s->file, s->text, word,
                           "a name is up to %d letters, digits and _, a letter first", NAME);
    memcpy(others[count], word, size);
    others[count][size] = '\0';
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], others[count]) == 0)
            return tz_bad_text(s->opt_error, s->file, s->text, word,
                               "'%s' has a meaning in expressions: choose another name",
                               others[count]);
    for (size_t i = 0; i < count; i++)
        if (strcmp(others[i], others[count]) == 0)
            return tz_bad_text(s->opt_error, s->file, s->text, word, "a second '%s'",
                               others[count]);
    return TZ_OK;
}

static tz_status read_names(source *s, int what, size_t most, short_name *ret, size_t *ret_count) {
    const statement *of = find(s, what);
    const char *at = of != NULL ? of->body : NULL, *word;
    size_t size;
    tz_status status = TZ_OK;
    while (of != NULL && status == TZ_OK && next_word(of, &at, &word, &size)) {
        if (*ret_count == most)
            return tz_bad_text(s->opt_error, s->file, s->text, word, "%s: %zu names at most",
                               keywords[what], most);
        status = read_name(s, word, size, ret, *ret_count);
        *ret_count += status == TZ_OK;
    }
    if (status == TZ_OK && of != NULL && *ret_count == 0)
        return tz_bad_text(s->opt_error, s->file, s->text, of->begin, "%s: a name is missing",
                           keywords[what]);
    return status;
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Elements' numbers in an expression: a.cost, or a where there is one only; cost for no prefix. */
enum { MOST_NAMED = 2 * TZ_WRITTEN_PARTS + TZ_MAX_INPUTS + 2 };
typedef struct scope {
    char text[MOST_NAMED][NAME + 3];
    tz_written_name named[MOST_NAMED + 1];
    size_t count;
} scope;

static void name_cell(scope *to, const char *prefix, const char *name, uint8_t cell) {
    snprintf(to->text[to->count], sizeof *to->text, "%s%s", prefix, name);
    to->named[to->count] = (tz_written_name){to->text[to->count], cell};
    to->count++;
}

static void name_element(const source *s, scope *to, const char *prefix, const uint8_t *cell) {
    for (size_t p = 0; p < s->parts; p++) {
        char dotted[4] = "";
        snprintf(dotted, sizeof dotted, *prefix != '\0' && s->parts > 1 ? "%s." : "%s", prefix);
        name_cell(to, dotted, *prefix != '\0' && s->parts == 1 ? "" : s->part[p], cell[p]);
    }
}

static tz_status read_function(const source *s, const statement *of, const char *from,
                               const scope *scope, size_t want, tz_function *f, uint8_t *ret) {
    const tz_expressions e = {.file = s->file,
                              .text = s->text,
                              .end = of->end,
                              .what = keywords[of->what],
                              .named = scope->named,
                              .opt_error = s->opt_error};
    return tz_read_expressions(&e, from, want, f, ret);
}

static tz_status missing(const source *s, int what) {
    return tz_fail(s->opt_error, TZ_BAD_ARGUMENT, "%s: '%s' is missing", s->file, keywords[what]);
}

/* A function of `elements` elements, of the statement `what`. */
static tz_status read_of_elements(const source *s, int what, unsigned elements, size_t want,
                                  tz_function *f) {
    const statement *of = find(s, what);
    scope scope = {.count = 0};
    if (of == NULL)
        return missing(s, what);
    f->arguments = f->cells = elements * (unsigned)s->parts;
    f->results = (unsigned)want;
    for (unsigned e = 0; e < elements; e++) {
        uint8_t cell[TZ_WRITTEN_PARTS];
        for (size_t p = 0; p < s->parts; p++)
            cell[p] = (uint8_t)(e * s->parts + p);
        name_element(s, &scope, e == 0 ? "a" : "b", cell);
    }
    return read_function(s, of, of->body, &scope, want, f, f->result);
}

/* a + b * c. */
static tz_status read_plus_times(const source *s, tz_function *f) {
    const statement *plus = find(s, PLUS), *times = find(s, TIMES);
    scope inner = {.count = 0}, outer = {.count = 0};
    uint8_t cell[3][TZ_WRITTEN_PARTS], product[TZ_WRITTEN_PARTS];
    f->arguments = f->cells = 3 * (unsigned)s->parts;
    f->results = (unsigned)s->parts;
    for (unsigned c = 0; c < f->arguments; c++)
        cell[c / s->parts][c % s->parts] = (uint8_t)c;
    name_element(s, &inner, "a", cell[1]);
    name_element(s, &inner, "b", cell[2]);
    tz_status status = read_function(s, times, times->body, &inner, s->parts, f, product);
    name_element(s, &outer, "a", cell[0]);
    name_element(s, &outer, "b", product);
    return status != TZ_OK ? status
                           : read_function(s, plus, plus->body, &outer, s->parts, f, f->result);
}

static tz_status read_constant(const source *s, int what, double *ret) {
    const statement *of = find(s, what);
    const scope none = {.count = 0};
    tz_function f = {.results = (unsigned)s->parts};
    if (of == NULL)
        return missing(s, what);
    tz_status status = read_function(s, of, of->body, &none, s->parts, &f, f.result);
    if (status != TZ_OK)
        return status;
    tz_written_apply(&f, NULL, ret);
    for (size_t p = 0; p < s->parts; p++) {
        if (isnan(ret[p]))
            return tz_bad_text(s->opt_error, s->file, s->text, of->begin, "%s is no number",
                               keywords[what]);
        ret[p] += 0.0;
    }
    return TZ_OK;
}

static tz_status read_lift(const source *s, tz_function *f) {
    const statement *of = find(s, LIFT);
    scope scope = {.count = 0};
    f->arguments = f->cells = 1 + (unsigned)s->inputs;
    f->results = (unsigned)s->parts;
    if (of == NULL && s->parts > 1)
        return missing(s, LIFT);
    if (of == NULL)
        return TZ_OK; /* the score */
    name_cell(&scope, "", "score", 0);
    for (size_t i = 0; i < s->inputs; i++)
        name_cell(&scope, "", s->input[i], (uint8_t)(1 + i));
    return read_function(s, of, of->body, &scope, s->parts, f, f->result);
}

/* What an element stands for: `value`, and each `also NAME = EXPRESSION`. */
static tz_status read_values(source *s, tz_function *f) {
    static const uint8_t cell[TZ_WRITTEN_PARTS] = {0, 1, 2, 3, 4, 5, 6, 7};
    const statement *of = find(s, VALUE);
    scope scope = {.count = 0};
    f->arguments = f->cells = (unsigned)s->parts;
    name_element(s, &scope, "", cell);
    snprintf(s->number[0], sizeof s->number[0], "value");
    s->numbers = 1;
    if (of == NULL && s->parts > 1)
        return missing(s, VALUE);
    tz_status status = of == NULL ? TZ_OK : read_function(s, of, of->body, &scope, 1, f, f->result);
    for (size_t i = 0; i < s->count && status == TZ_OK; i++) {
        const statement *more = &s->statement[i];
        const char *at = more->body, *word;
        size_t size;
        if (more->what != ALSO)
            continue;
        if (s->numbers > TZ_WRITTEN_PARTS)
            return tz_bad_text(s->opt_error, s->file, s->text, more->begin,
                               "more than %d numbers besides the value", TZ_WRITTEN_PARTS);
        if (!next_word(more, &at, &word, &size))
            return tz_bad_text(s->opt_error, s->file, s->text, more->begin,
                               "write also NAME = EXPRESSION");
        status = read_name(s, word, size, s->number, s->numbers);
        at += strspn(at, " \t");
        if (status == TZ_OK && *at != '=')
            return tz_bad_text(s->opt_error, s->file, s->text, at,
                               "'=' is missing: write also NAME = EXPRESSION");
        if (status == TZ_OK)
            status = read_function(s, more, at + 1, &scope, 1, f, f->result + s->numbers++);
    }
    f->results = (unsigned)s->numbers;
    return status;
}

static tz_status read_words(const source *s, tz_semiring *ret) {
    static const char *const laws[] = {"commutative", "idempotent", "path", "exact"};
    static const unsigned law[] = {TZ_COMMUTATIVE, TZ_IDEMPOTENT, TZ_PATH, TZ_EXACT};
    static const char *const gives[] = {"score", "number", "truth"};
    const statement *of = find(s, LAWS);
    const char *at, *word;
    size_t size;
    for (at = of != NULL ? of->body : NULL; of != NULL && next_word(of, &at, &word, &size);) {
        size_t i = 0;
        while (i < 4 && (strlen(laws[i]) != size || memcmp(laws[i], word, size) != 0))
            i++;
        if (i == 4)
            return tz_bad_text(s->opt_error, s->file, s->text, word,
                               "laws are commutative, idempotent, path and exact");
        ret->laws |= law[i];
    }
    of = find(s, GIVES);
    for (at = of != NULL ? of->body : NULL; of != NULL && next_word(of, &at, &word, &size);) {
        size_t i = 0;
        while (i < 3 && (strlen(gives[i]) != size || memcmp(gives[i], word, size) != 0))
            i++;
        if (i == 3)
            return tz_bad_text(s->opt_error, s->file, s->text, word,
                               "a semiring gives a score, a number or a truth");
        ret->gives = (tz_gives)i;
    }
    return TZ_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* A file's name without folders and ending. */
static void put_name(char *to, const char *file) {
    const char *slash = strrchr(file, '/');
    const char *base = slash != NULL ? slash + 1 : file;
    snprintf(to, NAME + 1, "%.*s", (int)strcspn(base, "."), base);
}

static tz_status read_all(source *s, tz_written *w) {
    tz_status status = read_names(s, ELEMENT, TZ_WRITTEN_PARTS, s->part, &s->parts);
    if (status == TZ_OK && s->parts == 0)
        return missing(s, ELEMENT);
    if (status == TZ_OK)
        status = read_names(s, INPUT, TZ_MAX_INPUTS, s->input, &s->inputs);
    w->parts = s->parts;
    if (status == TZ_OK)
        status = read_constant(s, ZERO, w->zero);
    if (status == TZ_OK)
        status = read_constant(s, ONE, w->one);
    if (status == TZ_OK)
        status = read_of_elements(s, PLUS, 2, s->parts, &w->plus);
    if (status == TZ_OK)
        status = read_of_elements(s, TIMES, 2, s->parts, &w->times);
    if (status == TZ_OK)
        status = read_plus_times(s, &w->plus_times);
    if (status == TZ_OK)
        status = read_lift(s, &w->lift);
    if (status == TZ_OK)
        status = read_values(s, &w->values);
    if (status == TZ_OK && find(s, SHARE) != NULL)
        status = read_of_elements(s, SHARE, 2, 1, &w->share);
    return status == TZ_OK ? read_words(s, &w->semiring) : status;
}

/* The names, which outlive the text. */
static void take_names(const source *s, tz_written *w) {
    char *to = w->names;
    put_name(to, s->file);
    w->semiring.name = to;
    to += NAME + 1;
    for (size_t i = 0; i < s->parts; i++, to += NAME + 1) {
        memcpy(to, s->part[i], NAME + 1);
        w->part_name[i] = to;
    }
    for (size_t i = 0; i < s->inputs; i++, to += NAME + 1) {
        memcpy(to, s->input[i], NAME + 1);
        w->input[i] = (tz_input){.name = to, .finite = 1};
    }
    for (size_t i = 0; i < s->numbers; i++, to += NAME + 1) {
        memcpy(to, s->number[i], NAME + 1);
        w->number_name[i] = to;
    }
    const statement *about = find(s, ABOUT);
    const char *body = about != NULL ? about->body + strspn(about->body, " \t") : "";
    const size_t size = about != NULL && body < about->end ? strcspn(body, "\r\n#") : 0;
    snprintf(to, SUMMARY, "%.*s", (int)(size < SUMMARY ? size : SUMMARY - 1), body);
    w->semiring.summary = to;
    w->semiring.inputs = s->inputs;
}

tz_status tz_semiring_parse(const char *name, const char *text, tz_semiring **ret_semiring,
                            tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    enum { NAMES = (2 + TZ_MAX_INPUTS + 2 * TZ_WRITTEN_PARTS) * (NAME + 1) + SUMMARY };
    *ret_semiring = NULL;
    if (strlen(text) > LONGEST)
        return tz_fail(opt_error, TZ_TOO_LARGE, "%s: the text of a semiring has %d bytes at most",
                       name, LONGEST);
    source *s = calloc(1, sizeof *s);
    tz_written *w = calloc(1, sizeof *w + NAMES);
    tz_status status = TZ_NO_MEMORY;
    if (s == NULL || w == NULL) {
        tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    } else {
        *s = (source){.file = name, .text = text, .opt_error = opt_error};
        status = find_statements(s);
        if (status == TZ_OK)
            status = read_all(s, w);
        if (status == TZ_OK) {
            take_names(s, w);
            tz_function *const functions[] = {&w->plus, &w->times, &w->plus_times, &w->lift};
            for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
                tz_written_steps(functions[i]);
            tz_written_finish(w);
            status = tz_try_laws(w, name, opt_error);
        }
    }
    free(s);
    if (status == TZ_OK)
        *ret_semiring = &w->semiring;
    else
        free(w);
    return status;
}

tz_status tz_semiring_read(const char *path, tz_semiring **ret_semiring, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_semiring = NULL;
    char *text;
    size_t size;
    tz_status status = tz_text_read(path, LONGEST, &text, &size, opt_error);
    if (status == TZ_OK)
        status = strlen(text) < size
                     ? tz_bad_text(opt_error, path, text, text + strlen(text), "a zero byte")
                     : tz_semiring_parse(path, text, ret_semiring, opt_error);
    free(text);
    return status;
}
