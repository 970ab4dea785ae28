/* written_function.c - functions of a semiring's text as functions of C over vectors.
 *
 * An operation stands where it is used; one that is used more than once, under a name before.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "engine/plan/written_function.h"

/* ---- Names and numbers ----------------------------------------------------------------------- */

bool tz_is_word_of_c(const char *name) {
    static const char *const words[] = {
        "alignas",  "alignof",   "and",      "asm",      "auto",    "bool",     "break",  "case",
        "char",     "const",     "complex",  "continue", "default", "do",       "double", "else",
        "enum",     "errno",     "extern",   "false",    "float",   "for",      "goto",   "i386",
        "if",       "imaginary", "inline",   "int",      "isnan",   "linux",    "long",   "nan",
        "noreturn", "or",        "register", "restrict", "return",  "short",    "signed", "sizeof",
        "static",   "stderr",    "stdin",    "stdout",   "struct",  "switch",   "true",   "typedef",
        "typeof",   "union",     "unix",     "unsigned", "void",    "volatile", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return *name == '_' || strncmp(name, "vector_", 7) == 0 ||
           strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") < strlen(name);
}

void tz_put_part(const tz_writer *to, size_t part) {
    fputs(to->w->part_name[part], to->out);
    if (to->mangled)
        fprintf(to->out, "_%zu", part);
}

void tz_put_number(FILE *out, double number) {
    char text[TZ_NUMBER_SIZE];
    if (isinf(number)) {
        fputs(number < 0 ? "-INFINITY" : "INFINITY", out);
        return;
    }
    tz_number_print(text, number);
    fputs(text, out);
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* How tightly an expression holds together. */
enum { SUM = 1, PRODUCT, SIGN, WORD };

static void put_value(const tz_writer *to, unsigned cell, int least);

static bool is_comparison(tz_operation what) {
    return what == TZ_LESS || what == TZ_AT_MOST || what == TZ_EQUAL || what == TZ_DIFFER;
}

static void put_call(const tz_writer *to, const char *function, unsigned a, unsigned b) {
    fprintf(to->out, "%s(", function);
    put_value(to, a, 0);
    if (b < to->f->cells) {
        fputs(", ", to->out);
        put_value(to, b, 0);
    }
    putc(')', to->out);
}

/* Where it is not zero. */
static void put_picks(const tz_writer *to, unsigned cell) {
    const tz_written_op *op = &to->f->op[cell];
    if (cell < to->f->arguments || !is_comparison(op->what)) {
        fputs("is_other(", to->out);
        put_value(to, cell, 0);
        fputs(", numbers_of(0))", to->out);
    } else if (op->what == TZ_LESS) {
        put_call(to, "is_larger", op->b, op->a);
    } else {
        put_call(to,
                 op->what == TZ_AT_MOST ? "is_at_most"
                 : op->what == TZ_EQUAL ? "is_equal"
                                        : "is_other",
                 op->a, op->b);
    }
}

static void put_two(const tz_writer *to, const char *sign, int level, const tz_written_op *op) {
    put_value(to, op->a, level);
    fputs(sign, to->out);
    put_value(to, op->b, level + 1);
}

static int level_of(const tz_written_op *op) {
    return op->what == TZ_ADD || op->what == TZ_SUBTRACT      ? SUM
           : op->what == TZ_MULTIPLY || op->what == TZ_DIVIDE ? PRODUCT
           : op->what == TZ_NEGATE                            ? SIGN
                                                              : WORD;
}

static void put_operation(const tz_writer *to, unsigned cell, int least) {
    static const char *const function[] = {
        [TZ_MIN] = "numbers_smaller", [TZ_MAX] = "numbers_larger",  [TZ_ABS] = "numbers_abs",
        [TZ_SQRT] = "numbers_sqrt",   [TZ_FLOOR] = "numbers_floor", [TZ_EXP] = "numbers_exp",
        [TZ_LOG] = "numbers_log"};
    const tz_written_op *op = &to->f->op[cell];
    const unsigned none = to->f->cells;
    const bool enclosed = level_of(op) < least;
    if (enclosed)
        putc('(', to->out);
    switch (op->what) {
    case TZ_NUMBER:
        fputs("numbers_of(", to->out);
        tz_put_number(to->out, op->number);
        putc(')', to->out);
        break;
    case TZ_ADD:
        put_two(to, " + ", SUM, op);
        break;
    case TZ_SUBTRACT:
        put_two(to, " - ", SUM, op);
        break;
    case TZ_MULTIPLY:
        put_two(to, " * ", PRODUCT, op);
        break;
    case TZ_DIVIDE:
        put_two(to, " / ", PRODUCT, op);
        break;
    case TZ_NEGATE:
        putc('-', to->out);
        put_value(to, op->a, WORD);
        break;
    case TZ_LESS:
    case TZ_AT_MOST:
    case TZ_EQUAL:
    case TZ_DIFFER:
    case TZ_CHOOSE:
        fputs("numbers_chosen(", to->out);
        put_picks(to, op->what == TZ_CHOOSE ? op->a : cell);
        fputs(", ", to->out);
        if (op->what == TZ_CHOOSE) {
            put_value(to, op->b, 0);
            fputs(", ", to->out);
            put_value(to, op->c, 0);
        } else {
            fputs("numbers_of(1), numbers_of(0)", to->out);
        }
        putc(')', to->out);
        break;
    case TZ_MIN:
    case TZ_MAX:
        put_call(to, function[op->what], op->a, op->b);
        break;
    case TZ_ABS:
    case TZ_SQRT:
    case TZ_FLOOR:
    case TZ_EXP:
    case TZ_LOG:
        put_call(to, function[op->what], op->a, none);
        break;
    }
    if (enclosed)
        putc(')', to->out);
}

static bool is_named(const tz_writer *to, unsigned cell) {
    return cell >= to->f->arguments && to->used[cell] > 1 && to->f->op[cell].what != TZ_NUMBER;
}

/* The value of a cell; least: how tightly it must hold together. */
static void put_value(const tz_writer *to, unsigned cell, int least) {
    const size_t parts = to->w->parts;
    if (is_named(to, cell)) {
        fprintf(to->out, "t%u", cell - to->f->arguments);
    } else if (cell >= to->f->arguments) {
        put_operation(to, cell, least);
    } else if (to->element == NULL) {
        if (cell == 0)
            fputs("score", to->out);
        else
            fprintf(to->out, "input[%u]", cell - 1);
    } else {
        fputs(to->element[cell / parts], to->out);
        if (parts > 1) {
            putc('.', to->out);
            tz_put_part(to, cell % parts);
        }
    }
}

/* Counts where each cell is used. */
static void count_uses(tz_writer *to) {
    const tz_function *f = to->f;
    memset(to->used, 0, sizeof to->used);
    for (unsigned r = 0; r < f->results; r++)
        to->used[f->result[r]]++;
    for (unsigned o = f->cells; o-- > f->arguments;) {
        const tz_written_op *op = &f->op[o];
        const bool two = op->what == TZ_ADD || op->what == TZ_SUBTRACT || op->what == TZ_MULTIPLY ||
                         op->what == TZ_DIVIDE || op->what == TZ_MIN || op->what == TZ_MAX ||
                         op->what == TZ_CHOOSE || is_comparison(op->what);
        if (op->what == TZ_NUMBER || to->used[o] == 0)
            continue;
        to->used[op->a]++;
        to->used[op->b] += two;
        to->used[op->c] += op->what == TZ_CHOOSE;
    }
}

void tz_put_function(tz_writer *to, const tz_function *f, const char *head, bool is_vector,
                     unsigned r) {
    to->f = f;
    count_uses(to);
    fprintf(to->out, "\nstatic inline %s {\n", head);
    if (to->element == NULL && to->w->semiring.inputs == 0)
        fputs("    (void)input;\n", to->out);
    for (unsigned o = f->arguments; o < f->cells; o++)
        if (is_named(to, o)) {
            fprintf(to->out, "    const numbers t%u = ", o - f->arguments);
            put_operation(to, o, 0);
            fputs(";\n", to->out);
        }
    if (!is_vector || to->w->parts == 1) {
        fputs("    return ", to->out);
        put_value(to, f->result[r], 0);
        fputs(";\n}\n", to->out);
        return;
    }
    fputs("    return (vector){\n", to->out);
    for (unsigned p = 0; p < to->w->parts; p++) {
        fputs("        .", to->out);
        tz_put_part(to, p);
        fputs(" = ", to->out);
        put_value(to, f->result[p], 0);
        fputs(",\n", to->out);
    }
    fputs("    };\n}\n", to->out);
}
