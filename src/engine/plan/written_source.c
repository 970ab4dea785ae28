/* written_source.c - the C file of a semiring that a text gave.
 *
 * Its functions are over vectors (trapeze/vectors.h). An operation stands where it is used; one
 * that is used more than once, under a name before. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/plan/written.h"

enum { IDENTIFIER = 40 };

/* A function that is being written, and how its arguments are called. */
typedef struct writer {
    FILE *out;
    const tz_written *w;
    const tz_function *f;
    const char *const *element; /* of an argument that is an element: a, b; NULL: a score, inputs */
    unsigned used[TZ_WRITTEN_CELLS];
    bool mangled; /* parts have names that C could take for something else */
} writer;

/* ---- Names ----------------------------------------------------------------------------------- */

/* Words of C, and macros that headers may define. */
static bool is_word_of_c(const char *name) {
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

static void put_part(const writer *to, size_t part) {
    fputs(to->w->part_name[part], to->out);
    if (to->mangled)
        fprintf(to->out, "_%zu", part);
}

/* The semiring's name as one of C. */
static void take_identifier(const tz_written *w, char ret[IDENTIFIER]) {
    const char *name = w->semiring.name;
    size_t size = 0;
    if (!isalpha((unsigned char)*name))
        ret[size++] = 's';
    for (; *name != '\0' && size + 2 < IDENTIFIER; name++)
        ret[size++] = (char)(isalnum((unsigned char)*name) ? *name : '_');
    ret[size] = '\0';
    if (is_word_of_c(ret)) {
        ret[size++] = '_';
        ret[size] = '\0';
    }
}

/* In quotes, on one line. */
static void put_quoted(FILE *out, const char *text) {
    putc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == 127)
            fprintf(out, "\\%03o", (unsigned)*text);
        else
            putc(*text, out);
    putc('"', out);
}

/* In a comment, on one line. */
static void put_remark(FILE *out, const char *text) {
    for (; *text != '\0'; text++)
        putc((unsigned char)*text < ' ' || *text == '/' || *text == '\\' ? ' ' : *text, out);
}

static void put_number(FILE *out, double number) {
    if (isinf(number))
        fputs(number < 0 ? "-INFINITY" : "INFINITY", out);
    else if (number == floor(number) && fabs(number) < 1e15 && !(number == 0 && signbit(number)))
        fprintf(out, "%.0f", number);
    else
        fprintf(out, "%.17g", number);
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* How tightly an expression holds together. */
enum { SUM = 1, PRODUCT, SIGN, WORD };

static void put_value(const writer *to, unsigned cell, int least);

static bool is_comparison(tz_operation what) {
    return what == TZ_LESS || what == TZ_AT_MOST || what == TZ_EQUAL || what == TZ_DIFFER;
}

static void put_call(const writer *to, const char *function, unsigned a, unsigned b) {
    fprintf(to->out, "%s(", function);
    put_value(to, a, 0);
    if (b < to->f->cells) {
        fputs(", ", to->out);
        put_value(to, b, 0);
    }
    putc(')', to->out);
}

/* Where it is not zero. */
static void put_picks(const writer *to, unsigned cell) {
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

static void put_two(const writer *to, const char *sign, int level, const tz_written_op *op) {
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

static void put_operation(const writer *to, unsigned cell, int least) {
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
        put_number(to->out, op->number);
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

static bool is_named(const writer *to, unsigned cell) {
    return cell >= to->f->arguments && to->used[cell] > 1 && to->f->op[cell].what != TZ_NUMBER;
}

/* The value of a cell; least: how tightly it must hold together. */
static void put_value(const writer *to, unsigned cell, int least) {
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
            put_part(to, cell % parts);
        }
    }
}

/* Counts where each cell is used. */
static void count_uses(writer *to) {
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

/* static inline TYPE vector_NAME(ARGUMENTS) { ... }. type: vector, or numbers of result `r`. */
static void put_function(writer *to, const tz_function *f, const char *head, bool is_vector,
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
        put_part(to, p);
        fputs(" = ", to->out);
        put_value(to, f->result[p], 0);
        fputs(",\n", to->out);
    }
    fputs("    };\n}\n", to->out);
}

/* ---- The file -------------------------------------------------------------------------------- */

static void put_head(const writer *to, const char *name) {
    FILE *out = to->out;
    const tz_semiring *s = &to->w->semiring;
    fputs("/* ", out);
    put_remark(out, s->name);
    if (s->summary != NULL && *s->summary != '\0') {
        fputs(" - ", out);
        put_remark(out, s->summary);
    }
    fprintf(out,
            ". Made of the text by\n * 'trapeze semirings compile'; see trapeze/vectors.h. */\n");
    fprintf(out, "#define NAME   %s\n", name);
    if (to->w->parts > 1) {
        fputs("#define FIELDS(T) T ", out);
        for (size_t p = 0; p < to->w->parts; p++) {
            fputs(p > 0 ? ", " : "", out);
            put_part(to, p);
        }
        fprintf(out, ";\n#define PARTS  %zu\n", to->w->parts);
    }
    if (s->inputs > 0)
        fprintf(out, "#define INPUTS %zu\n", s->inputs);
    fputs("#include <trapeze/vectors.h>\n\n#include <trapeze/plugin.h>\n", out);
}

static void put_constant(const writer *to, const char *name, const double *at) {
    fprintf(to->out, "\nstatic const element %s = ", name);
    fputs(to->w->parts > 1 ? "{" : "", to->out);
    for (size_t p = 0; p < to->w->parts; p++) {
        fputs(p > 0 ? ", " : "", to->out);
        put_number(to->out, at[p]);
    }
    fputs(to->w->parts > 1 ? "};" : ";", to->out);
}

/* Is plus the greater of two numbers, and times the same for a, b and b, a? */
static bool is_best_score(const tz_written *w) {
    const tz_function *plus = &w->plus, *times = &w->times;
    const tz_operation sum = plus->op[2].what, product = times->op[2].what;
    return w->parts == 1 && plus->cells == 3 && times->cells == 3 && plus->result[0] == 2 &&
           times->result[0] == 2 && sum == TZ_MAX && plus->op[2].a + plus->op[2].b == 1 &&
           (product == TZ_ADD || product == TZ_MIN || product == TZ_MULTIPLY) &&
           times->op[2].a + times->op[2].b == 1 && w->semiring.laws & TZ_PATH &&
           w->semiring.gives == TZ_GIVES_SCORE;
}

static void put_lift(writer *to) {
    if (tz_written_is_score(to->w))
        return;
    to->element = NULL;
    fputs("\n#define HAS_LIFTED", to->out);
    for (size_t i = 0; i < to->w->semiring.inputs; i++)
        fprintf(to->out, "%s%s", i == 0 ? "\n/* input: " : ", ", to->w->input[i].name);
    fputs(to->w->semiring.inputs > 0 ? " */" : "", to->out);
    put_function(to, &to->w->lift, "vector vector_lifted(numbers score, const numbers *input)",
                 true, 0);
}

/* double HEAD { ... }, of the numbers `from`.. of what the vectors' function gives. */
static void put_answers(writer *to) {
    static const char *const element[] = {"x"}, *const two[] = {"a", "b"};
    FILE *out = to->out;
    const tz_written *w = to->w;
    to->element = element;
    for (unsigned r = 0; r < w->values.results; r++) {
        char head[60];
        snprintf(head, sizeof head, "numbers vector_value_%u(vector x)", r);
        put_function(to, &w->values, head, false, r);
    }
    fputs("\nstatic double value(const tz_semiring *self, const void *a) {\n    (void)self;\n"
          "    return vector_value_0(vector_of(*(const element *)a))[0];\n}\n",
          out);
    if (w->values.results > 1) {
        fputs("\nstatic size_t values(const tz_semiring *self, const void *a, double *ret) {\n"
              "    (void)self;\n    const vector x = vector_of(*(const element *)a);\n",
              out);
        for (unsigned r = 0; r < w->values.results; r++)
            fprintf(out, "    ret[%u] = vector_value_%u(x)[0];\n", r, r);
        fprintf(out, "    return %u;\n}\n\nstatic const char *const number_name[] = {",
                w->values.results);
        for (unsigned r = 0; r < w->values.results; r++) {
            fputs(r > 0 ? ", " : "", out);
            put_quoted(out, w->number_name[r]);
        }
        fputs("};\n", out);
    }
    if (w->share.results == 0)
        return;
    to->element = two;
    put_function(to, &w->share, "numbers vector_share(vector a, vector b)", false, 0);
    fputs("\nstatic double share(const tz_semiring *self, const void *part, const void *whole) {\n"
          "    (void)self;\n    return vector_share(vector_of(*(const element *)part),\n"
          "                        vector_of(*(const element *)whole))[0];\n}\n",
          out);
}

static void put_descriptor(const writer *to) {
    static const char *const gives[] = {[TZ_GIVES_SCORE] = "TZ_GIVES_SCORE",
                                        [TZ_GIVES_NUMBER] = "TZ_GIVES_NUMBER",
                                        [TZ_GIVES_TRUTH] = "TZ_GIVES_TRUTH"};
    static const struct {
        unsigned law;
        const char *name;
    } laws[] = {{TZ_COMMUTATIVE, "TZ_COMMUTATIVE"},
                {TZ_IDEMPOTENT, "TZ_IDEMPOTENT"},
                {TZ_PATH, "TZ_PATH"},
                {TZ_EXACT, "TZ_EXACT"}};
    FILE *out = to->out;
    const tz_semiring *s = &to->w->semiring;
    const char *between = "";
    if (s->inputs > 0)
        fputs("\nstatic const tz_input inputs[] = {", out);
    for (size_t i = 0; i < s->inputs; i++) {
        fputs(i > 0 ? ", {" : "{", out);
        put_quoted(out, s->input[i].name);
        fputs(", .finite = 1}", out);
    }
    fputs(s->inputs > 0 ? "};\n" : "", out);
    fputs("\nstatic const tz_semiring semiring = {\n    .name = ", out);
    put_quoted(out, s->name);
    fputs(",\n    .summary = ", out);
    put_quoted(out, s->summary != NULL ? s->summary : "");
    fputs(",\n    .laws = ", out);
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        if (s->laws & laws[l].law) {
            fprintf(out, "%s%s", between, laws[l].name);
            between = " | ";
        }
    fprintf(out, "%s,\n    .gives = %s,\n", s->laws == 0 ? "0" : "", gives[s->gives]);
    fputs("    .size = sizeof(element),\n    .align = _Alignof(number),\n    .zero = &zero,\n"
          "    .one = &one,\n    .plus = plus,\n    .times = times,\n    .lift = lift,\n"
          "    .value = value,\n",
          out);
    if (s->inputs > 0)
        fprintf(out, "    .inputs = %zu,\n    .input = inputs,\n    .lift_inputs = lift_inputs,\n",
                s->inputs);
    if (s->values != NULL)
        fprintf(out,
                "    .numbers = %zu,\n    .number_name = number_name,\n    .values = values,\n",
                s->numbers);
    if (s->share != NULL)
        fputs("    .share = share,\n", out);
    fprintf(out, "    .kernels = &kernels,\n};\n\nTZ_PLUGIN(semiring)\n");
}

static void put_file(writer *to) {
    static const char *const two[] = {"a", "b"};
    char name[IDENTIFIER];
    const tz_written *w = to->w;
    for (size_t p = 0; p < w->parts; p++)
        to->mangled |= is_word_of_c(w->part_name[p]);
    take_identifier(w, name);
    put_head(to, name);
    put_constant(to, "zero", w->zero);
    put_constant(to, "one", w->one);
    putc('\n', to->out);
    to->element = two;
    put_function(to, &w->plus, "vector vector_sum(vector a, vector b)", true, 0);
    put_function(to, &w->times, "vector vector_product(vector a, vector b)", true, 0);
    put_lift(to);
    fputs(w->semiring.laws & TZ_EXACT ? "\n#define EXACT_SUMS 1" : "", to->out);
    fputs(is_best_score(w) ? "\n#define TRACES" : "", to->out);
    fputs("\n#include <trapeze/blocks.h>\n", to->out);
    put_answers(to);
    put_descriptor(to);
}

tz_status tz_semiring_source(const tz_semiring *semiring, char **ret_text, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    writer to = {.w = tz_written_of(semiring)};
    size_t size;
    *ret_text = NULL;
    if (to.w == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s is not a semiring that a text gave",
                       semiring->name);
    char *text = NULL;
    to.out = open_memstream(&text, &size);
    bool done = to.out != NULL;
    if (done) {
        put_file(&to);
        done = !ferror(to.out);
        done = fclose(to.out) == 0 && done;
    }
    if (!done) {
        free(text);
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    }
    *ret_text = text;
    return TZ_OK;
}
