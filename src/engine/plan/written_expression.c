/* written_expression.c - expressions of a semiring's text to lists of operations.
 *
 *   choice   sum-of-comparison ? choice : choice
 *   compare  sum [< <= > >= == != sum]      1 or 0
 *   sum      product {+|- product}          product: unary {*|/ unary}
 *   unary    -unary, a number, inf, a name, FUNCTION(choice, ...), (choice)
 *
 * What is computed already is not computed again. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "engine/plan/written.h"

enum { DEPTH = 50, NAME = 40 };

tz_status tz_bad_text(tz_error *opt_error, const char *file, const char *text, const char *at,
                      const char *format, ...) {
    char message[200];
    size_t line = 1, column = 1;
    va_list arguments;
    for (; text < at; text++) {
        column = *text == '\n' ? 1 : column + ((*text & 0xc0) != 0x80);
        line += *text == '\n';
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s:%zu:%zu: %s", file, line, column, message);
}

static const struct {
    const char *name;
    tz_operation what;
    unsigned arguments;
} functions[] = {{"min", TZ_MIN, 2}, {"max", TZ_MAX, 2},   {"exp", TZ_EXP, 1},
                 {"log", TZ_LOG, 1}, {"sqrt", TZ_SQRT, 1}, {"floor", TZ_FLOOR, 1},
                 {"abs", TZ_ABS, 1}};

typedef struct reader {
    const tz_expressions *of;
    const char *at;
    tz_function *f;
    unsigned depth;
    tz_status status; /* after the first failure nothing counts */
} reader;

static uint8_t choice(reader *r);

__attribute__((format(printf, 2, 3))) static uint8_t wrong(reader *r, const char *format, ...) {
    char message[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (r->status == TZ_OK)
        r->status = tz_bad_text(r->of->opt_error, r->of->file, r->of->text, r->at, "%s", message);
    return 0;
}

/* Comments are blanks. */
static void skip(reader *r) {
    while (r->at < r->of->end && strchr(" \t\r\n#", *r->at) != NULL)
        if (*r->at == '#')
            while (r->at < r->of->end && *r->at != '\n')
                r->at++;
        else
            r->at++;
}

static bool take(reader *r, const char *token) {
    const size_t size = strlen(token);
    skip(r);
    if ((size_t)(r->of->end - r->at) < size || memcmp(r->at, token, size) != 0)
        return false;
    r->at += size;
    return true;
}

static uint8_t add(reader *r, tz_written_op op) {
    tz_function *f = r->f;
    if (r->status != TZ_OK)
        return 0;
    for (unsigned o = f->arguments; o < f->cells; o++)
        if (memcmp(&f->op[o], &op, sizeof op) == 0)
            return (uint8_t)o;
    if (f->cells == TZ_WRITTEN_CELLS)
        return wrong(r, "%s takes more than %d operations", r->of->what, TZ_WRITTEN_CELLS);
    f->op[f->cells] = op;
    return (uint8_t)f->cells++;
}

static uint8_t operation(reader *r, tz_operation what, uint8_t a, uint8_t b, uint8_t c) {
    tz_written_op op;
    memset(&op, 0, sizeof op); /* with what lies between members: operations are compared whole */
    op.what = what;
    op.a = a;
    op.b = b;
    op.c = c;
    return add(r, op);
}

static uint8_t constant(reader *r, double number) {
    tz_written_op op;
    memset(&op, 0, sizeof op);
    op.what = TZ_NUMBER;
    op.number = number;
    return add(r, op);
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static uint8_t number(reader *r) {
    const char *end = r->at;
    double value;
    while (end < r->of->end &&
           (is_digit(*end) || is_letter(*end) || *end == '.' ||
            ((*end == '-' || *end == '+') && (end[-1] == 'e' || end[-1] == 'E'))))
        end++;
    const size_t size = (size_t)(end - r->at);
    if (!tz_number_read(r->at, size, &value))
        return wrong(r, "'%.*s' is no number", (int)(size < NAME ? size : NAME), r->at);
    if (isinf(value))
        return wrong(r, "the number is too large for a double; infinity is called inf");
    r->at = end;
    return constant(r, value);
}

static uint8_t call(reader *r, size_t function) {
    uint8_t argument[3] = {0};
    if (!take(r, "("))
        return wrong(r, "%s is a function: write %s(...)", functions[function].name,
                     functions[function].name);
    for (unsigned a = 0; a < functions[function].arguments; a++) {
        if (a > 0 && !take(r, ","))
            return wrong(r, "%s takes %u arguments", functions[function].name,
                         functions[function].arguments);
        argument[a] = choice(r);
    }
    if (!take(r, ")"))
        return wrong(r, "')' is missing after what %s takes", functions[function].name);
    return operation(r, functions[function].what, argument[0], argument[1], 0);
}

static uint8_t name(reader *r) {
    char text[NAME + 1], known[120] = "";
    size_t size = 0, used = 0;
    const char *begin = r->at, *end = begin;
    while (end < r->of->end && (is_letter(*end) || is_digit(*end) || *end == '.'))
        end++;
    size = (size_t)(end - begin);
    if (size > NAME)
        return wrong(r, "names have %d letters at most", NAME);
    memcpy(text, begin, size);
    text[size] = '\0';
    r->at = end;
    if (strcmp(text, "inf") == 0)
        return constant(r, (double)INFINITY);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(text, functions[i].name) == 0)
            return call(r, i);
    for (const tz_written_name *n = r->of->named; n->name != NULL; n++) {
        if (strcmp(text, n->name) == 0)
            return n->cell;
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used > 0 ? ", " : "", n->name);
    }
    r->at = begin;
    return wrong(r, "'%s' is not known here; %s%s", text,
                 used > 0 ? "there are " : "only numbers are", known);
}

static uint8_t unary(reader *r) {
    uint8_t ret = 0;
    skip(r);
    if (r->status != TZ_OK)
        return 0;
    if (r->at == r->of->end)
        return wrong(r, "%s ends where a value is expected", r->of->what);
    if (++r->depth > DEPTH)
        return wrong(r, "expressions are nested %d deep at most", DEPTH);
    if (take(r, "-")) {
        uint8_t a = unary(r);
        bool is_number = a >= r->f->arguments && r->f->op[a].what == TZ_NUMBER;
        ret = is_number ? constant(r, -r->f->op[a].number) : operation(r, TZ_NEGATE, a, 0, 0);
    } else if (take(r, "(")) {
        ret = choice(r);
        if (!take(r, ")"))
            wrong(r, "')' is missing");
    } else if (is_digit(*r->at) || *r->at == '.') {
        ret = number(r);
    } else if (is_letter(*r->at)) {
        ret = name(r);
    } else {
        wrong(r, "a value is expected: a number, a name, a function or '('");
    }
    r->depth--;
    return ret;
}

static uint8_t product(reader *r) {
    uint8_t ret = unary(r);
    for (;;)
        if (take(r, "*"))
            ret = operation(r, TZ_MULTIPLY, ret, unary(r), 0);
        else if (take(r, "/"))
            ret = operation(r, TZ_DIVIDE, ret, unary(r), 0);
        else
            return ret;
}

static uint8_t sum(reader *r) {
    uint8_t ret = product(r);
    for (;;)
        if (take(r, "+"))
            ret = operation(r, TZ_ADD, ret, product(r), 0);
        else if (take(r, "-"))
            ret = operation(r, TZ_SUBTRACT, ret, product(r), 0);
        else
            return ret;
}

static uint8_t compare(reader *r) {
    static const struct {
        const char *token;
        tz_operation what;
        bool turned;
    } comparisons[] = {{"<=", TZ_AT_MOST, false}, {">=", TZ_AT_MOST, true}, {"==", TZ_EQUAL, false},
                       {"!=", TZ_DIFFER, false},  {"<", TZ_LESS, false},    {">", TZ_LESS, true}};
    uint8_t a = sum(r);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (take(r, comparisons[i].token)) {
            uint8_t b = sum(r);
            return comparisons[i].turned ? operation(r, comparisons[i].what, b, a, 0)
                                         : operation(r, comparisons[i].what, a, b, 0);
        }
    return a;
}

static uint8_t choice(reader *r) {
    if (++r->depth > DEPTH)
        return wrong(r, "expressions are nested %d deep at most", DEPTH);
    uint8_t ret = compare(r);
    if (take(r, "?")) {
        uint8_t yes = choice(r);
        if (!take(r, ":"))
            wrong(r, "':' is missing: a choice is CONDITION ? VALUE : VALUE");
        uint8_t no = choice(r);
        ret = operation(r, TZ_CHOOSE, ret, yes, no);
    }
    r->depth--;
    return ret;
}

tz_status tz_read_expressions(const tz_expressions *of, const char *at, size_t want, tz_function *f,
                              uint8_t *ret) {
    reader r = {.of = of, .at = at, .f = f};
    for (size_t i = 0; i < want && r.status == TZ_OK; i++) {
        if (i > 0 && !take(&r, ","))
            wrong(&r, "%s gives %zu value%s, and an element has %zu", of->what, i,
                  i == 1 ? "" : "s", want);
        ret[i] = choice(&r);
    }
    skip(&r);
    if (r.status == TZ_OK && r.at < of->end) {
        if (*r.at == ',')
            wrong(&r, "%s gives %zu value%s only", of->what, want, want == 1 ? "" : "s");
        else
            wrong(&r, "'%c' is not expected here", *r.at >= ' ' && *r.at < 127 ? *r.at : '?');
    }
    return r.status;
}
