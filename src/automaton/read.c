/* read.c - AT&T's text of automata, and symbol tables. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "automaton/automaton.h"
#include "base/fail.h"
#include "base/modes.h"
#include "base/near.h"
#include "base/number.h"
#include "base/utf8.h"

enum { MOST_FIELDS = 6 };

typedef struct field {
    const char *text;
    size_t size;
} field;

/* A text that is read line by line. */
typedef struct reader {
    const tz_named_text *of;
    size_t at;        /* of the next line */
    const char *line; /* the line's first byte */
    uint32_t number;  /* of the line, from 1 */
    field field[MOST_FIELDS];
    unsigned fields; /* of the line, MOST_FIELDS: so many or more */
    tz_error *error;
} reader;

/* Names of a symbol table; the one with number 0 is `nothing`. */
typedef struct symbols {
    const char *nothing; /* NULL: there is none */
    size_t nothing_size;
    bool given;
} symbols;

/* ---- Lines ----------------------------------------------------------------------------------- */

static tz_status fail_at(const reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static tz_status fail_at(const reader *r, const char *at, const char *format, ...) {
    char text[sizeof r->error->message];
    uint32_t column = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = r->line; c < at; c++)
        column += !tz_utf8_continues(*c);
    return tz_fail(r->error, TZ_BAD_RULES, "%s:%u:%u: %s", r->of->name, r->number, column, text);
}

static tz_status no_memory(const reader *r) {
    return tz_fail(r->error, TZ_NO_MEMORY, "%s: %s", r->of->name, tz_status_name(TZ_NO_MEMORY));
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line's fields. TZ_NONE: there is no more. */
static tz_status next_line(reader *r) {
    const char *text = r->of->text;
    const size_t size = r->of->size;
    uint32_t code;
    if (r->at >= size)
        return TZ_NONE;
    r->number++;
    r->fields = 0;
    r->line = text + r->at;
    bool inside = false;
    for (; r->at < size && text[r->at] != '\n';) {
        const unsigned bytes = tz_utf8_decode(text + r->at, size - r->at, &code);
        if (bytes == 0 || code == 0)
            return fail_at(r, text + r->at,
                           bytes == 0 ? "this is not UTF-8: convert the text"
                                      : "a zero byte: this is no text");
        /* A byte order mark is one wherever it stands, so that shown names read the same. */
        const bool blank = is_blank(text[r->at]) || code == 0xfeff;
        if (!blank && !inside && r->fields < MOST_FIELDS)
            r->field[r->fields++] = (field){text + r->at, 0};
        else if (!blank && !inside)
            return fail_at(r, text + r->at, "too many columns: %d at most", MOST_FIELDS - 1);
        inside = !blank;
        if (inside)
            r->field[r->fields - 1].size += bytes;
        r->at += bytes;
    }
    r->at++;
    return TZ_OK;
}

static int shown(const field *f) {
    size_t size = f->size < 40 ? f->size : 40;
    while (size < f->size && size > 0 && tz_utf8_continues(f->text[size]))
        size--;
    return (int)size;
}

static bool is_text(const field *f, const char *text) {
    return f->size == strlen(text) && memcmp(f->text, text, f->size) == 0;
}

/* ---- Symbol tables --------------------------------------------------------------------------- */

static tz_status read_symbols(reader *r, tz_automaton *a, tz_name_table *names, symbols *ret) {
    tz_status status;
    ret->given = true;
    while ((status = next_line(r)) == TZ_OK) {
        double number;
        if (r->fields == 0)
            continue;
        if (r->fields != 2)
            return fail_at(r, r->line, "a symbol table has a name and a number in each line");
        const field *name = &r->field[0];
        if (!tz_number_read(r->field[1].text, r->field[1].size, &number) || number < 0 ||
            number != floor(number))
            return fail_at(r, r->field[1].text, "'%.*s' is no number from 0 on, as symbols have",
                           shown(&r->field[1]), r->field[1].text);
        if (number == 0 && ret->nothing != NULL)
            return fail_at(r, r->field[1].text,
                           "number 0 is of '%.*s' already: give each symbol a number of its own",
                           (int)ret->nothing_size, ret->nothing);
        if (tz_name_table_find(names, name->text, name->size) != TZ_NO_NUMBER ||
            (ret->nothing != NULL && name->size == ret->nothing_size &&
             memcmp(name->text, ret->nothing, name->size) == 0))
            return fail_at(r, name->text, "the table has '%.*s' already: leave one of them out",
                           shown(name), name->text);
        if (number == 0) {
            ret->nothing = name->text;
            ret->nothing_size = name->size;
        } else if (tz_name_table_add(names, a->arena, name->text, name->size) == TZ_NO_NUMBER) {
            return no_memory(r);
        }
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static const char *nth_name(const void *list, size_t index) {
    const tz_name_table *names = list;
    return index < names->count && index < 10000 ? names->name[index] : NULL;
}

/* A label's number, -1: nothing. */
static tz_status read_label(reader *r, tz_automaton *a, tz_name_table *names, const symbols *table,
                            const field *f, int32_t *ret) {
    *ret = -1;
    if (table->given ? table->nothing != NULL && f->size == table->nothing_size &&
                           memcmp(f->text, table->nothing, f->size) == 0
                     : is_text(f, "0") || is_text(f, "<eps>"))
        return TZ_OK;
    if (!table->given) {
        *ret = tz_name_table_add(names, a->arena, f->text, f->size);
        return *ret == TZ_NO_NUMBER ? no_memory(r) : TZ_OK;
    }
    *ret = tz_name_table_find(names, f->text, f->size);
    if (*ret != TZ_NO_NUMBER)
        return TZ_OK;
    char name[64];
    snprintf(name, sizeof name, "%.*s", shown(f), f->text);
    const char *near = tz_nearest(name, nth_name, names);
    return fail_at(r, f->text, "'%s' is not in the symbol table%s%s%s", name,
                   near != NULL ? "; did you mean '" : ": add it there", near != NULL ? near : "",
                   near != NULL ? "'?" : "");
}

/* ---- Automata -------------------------------------------------------------------------------- */

/* The weight in column `column`, which may be missing. */
static tz_status read_weight(reader *r, const tz_automaton *a, unsigned column, double *ret_number,
                             double *ret_score) {
    static const char *const what[] = {"cost", "log weight", "probability"};
    const double none = tz_automaton_number(a->weights, 0);
    const double impossible = tz_automaton_number(a->weights, -INFINITY);
    *ret_number = none;
    *ret_score = 0;
    if (column >= r->fields)
        return TZ_OK;
    const field *f = &r->field[column];
    const field positive = {f->text + (*f->text == '-'), f->size - (*f->text == '-')};
    if (isinf(impossible) && (is_text(&positive, "Infinity") || is_text(&positive, "inf")))
        *ret_number = *f->text == '-' ? -INFINITY : INFINITY;
    else if (!tz_number_read(f->text, f->size, ret_number))
        return fail_at(r, f->text, "'%.*s' is no %s%s", shown(f), f->text, what[a->weights],
                       a->transducer ? ", such as 0.5"
                                     : ", such as 0.5; where it is a second label, read the text "
                                       "as a transducer");
    else if (fabs(*ret_number) > 1e290)
        return fail_at(r, f->text, "a number beyond 1e290: make it smaller");
    if (isinf(*ret_number) && *ret_number != impossible)
        return fail_at(r, f->text, "%.*s gains without end: an arc that is impossible has %s",
                       shown(f), f->text, impossible > 0 ? "Infinity" : "-Infinity");
    if (a->weights == TZ_ARC_PROBABILITIES && *ret_number < 0)
        return fail_at(r, f->text,
                       "%.*s is below 0: say that the numbers are logs or costs, if they are",
                       shown(f), f->text);
    *ret_score = a->weights == TZ_ARC_COSTS  ? 0 - *ret_number
                 : a->weights == TZ_ARC_LOGS ? *ret_number
                                             : log(*ret_number);
    return TZ_OK;
}

static tz_status read_final(reader *r, tz_automaton *a) {
    double number, score;
    const int32_t state = tz_automaton_state(a, r->field[0].text, r->field[0].size);
    if (state == TZ_NO_NUMBER)
        return no_memory(r);
    if (!isnan(a->final_number[state]))
        return fail_at(r, r->field[0].text,
                       "state %.*s is final by a line before: leave one of them out",
                       shown(&r->field[0]), r->field[0].text);
    const tz_status status = read_weight(r, a, 1, &number, &score);
    if (status == TZ_OK) {
        a->final[state] = score;
        a->final_number[state] = number;
    }
    return status;
}

static tz_status read_arc(reader *r, tz_automaton *a, const symbols table[2]) {
    tz_automaton_arc arc = {.origin = {-1, -1}};
    double number;
    arc.from = tz_automaton_state(a, r->field[0].text, r->field[0].size);
    arc.to = tz_automaton_state(a, r->field[1].text, r->field[1].size);
    if (arc.from == TZ_NO_NUMBER || arc.to == TZ_NO_NUMBER)
        return no_memory(r);
    tz_status status = read_label(r, a, &a->inputs, &table[0], &r->field[2], &arc.input);
    arc.output = arc.input;
    if (status == TZ_OK && a->transducer)
        status = read_label(r, a, &a->outputs, &table[1], &r->field[3], &arc.output);
    if (status == TZ_OK)
        status = read_weight(r, a, a->transducer ? 4 : 3, &number, &arc.score);
    if (status == TZ_OK && a->arcs >= TZ_MOST_ARCS)
        return tz_fail(r->error, TZ_TOO_LARGE, "%s: too many arcs", r->of->name);
    return status == TZ_OK && !tz_automaton_add(a, &arc, number) ? no_memory(r) : status;
}

static tz_status read_lines(reader *r, tz_automaton *a, const symbols table[2]) {
    const unsigned least = a->transducer ? 4 : 3;
    tz_status status;
    while ((status = next_line(r)) == TZ_OK) {
        if (r->fields == 0)
            continue;
        if (r->fields > 2 && r->fields < least)
            return fail_at(r, r->line,
                           "%u columns: an arc of a transducer has two labels, FROM TO INPUT "
                           "OUTPUT [WEIGHT]; where it has one, read the text as an acceptor",
                           r->fields);
        if (r->fields > least + 1)
            return fail_at(r, r->field[least + 1].text,
                           a->transducer
                               ? "too many columns: an arc is FROM TO INPUT OUTPUT [WEIGHT]"
                               : "too many columns: an arc is FROM TO LABEL [WEIGHT]; where it has "
                                 "two labels, read the text as a transducer");
        status = r->fields <= 2 ? read_final(r, a) : read_arc(r, a, table);
        if (status != TZ_OK)
            return status;
    }
    if (status == TZ_NONE && a->states.count == 0) {
        r->number = 1;
        r->line = r->of->text;
        return fail_at(r, r->line, "no line has an arc or a final state: write one, such as 0 1 a");
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status read_all(reader *r, tz_automaton *a, const tz_automaton_form *form) {
    symbols table[2] = {{0}, {0}};
    const tz_named_text *const given[2] = {form->inputs, form->outputs};
    tz_name_table *const names[2] = {&a->inputs, &a->outputs};
    tz_status status = TZ_OK;
    for (unsigned t = 0; t < (a->transducer ? 2 : 1) && status == TZ_OK; t++)
        if (given[t] != NULL) {
            reader of = {.of = given[t], .error = r->error};
            status = read_symbols(&of, a, names[t], &table[t]);
            if (status == TZ_OK && table[t].nothing != NULL &&
                (a->nothing[t] =
                     tz_arena_text(a->arena, table[t].nothing, table[t].nothing_size)) == NULL)
                status = no_memory(r);
        }
    if (status == TZ_OK)
        status = read_lines(r, a, table);
    if (status == TZ_OK && (status = tz_automaton_finish(a)) != TZ_OK)
        status = status == TZ_TOO_LARGE
                     ? tz_fail(r->error, status,
                               "%s: more than %d states, with the arcs that have the same ends as "
                               "one before",
                               r->of->name, TZ_MAX_LENGTH)
                     : no_memory(r);
    return status;
}

tz_status tz_automaton_parse(const tz_named_text *text, const tz_automaton_form *form,
                             tz_automaton **ret, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_error own;
    reader r = {.of = text, .error = opt_error != NULL ? opt_error : &own};
    *ret = NULL;
    if (form->weights > TZ_ARC_PROBABILITIES)
        return tz_fail(r.error, TZ_BAD_ARGUMENT, "there is no such kind of weights");
    if (!form->transducer && form->outputs != NULL)
        return tz_fail(r.error, TZ_BAD_ARGUMENT,
                       "an acceptor has one symbol table: leave that of outputs out, or read a "
                       "transducer");
    tz_automaton *a = tz_automaton_new(form->weights, form->transducer);
    if (a == NULL)
        return no_memory(&r);
    const tz_status status = read_all(&r, a, form);
    if (status == TZ_OK)
        *ret = a;
    else
        tz_automaton_free(a);
    return status;
}
