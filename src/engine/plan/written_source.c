/* written_source.c - the C file of a semiring that a text gave.
 *
 * Its functions are over vectors (trapeze/vectors.h). SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/plan/written_function.h"

enum { IDENTIFIER = 40 };

/* ---- Names ----------------------------------------------------------------------------------- */

/* The semiring's name as one of C. */
static void take_identifier(const tz_written *w, char ret[IDENTIFIER]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const char *name = w->semiring.name;
    size_t size = 0;
    if (strchr("0123456789", *name) != NULL) /* or there is none */
        ret[size++] = 's';
    for (; *name != '\0' && size + 2 < IDENTIFIER; name++)
        ret[size++] = (char)(strchr(letters, *name) != NULL ? *name : '_');
    ret[size] = '\0';
    if (tz_is_word_of_c(ret)) {
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

/* ---- The file -------------------------------------------------------------------------------- */

static void put_head(const tz_writer *to, const char *name) {
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
            tz_put_part(to, p);
        }
        fprintf(out, ";\n#define PARTS  %zu\n", to->w->parts);
    }
    if (s->inputs > 0)
        fprintf(out, "#define INPUTS %zu\n", s->inputs);
    fputs("#include <trapeze/vectors.h>\n\n#include <trapeze/plugin.h>\n", out);
}

static void put_constant(const tz_writer *to, const char *name, const double *at) {
    fprintf(to->out, "\nstatic const element %s = ", name);
    fputs(to->w->parts > 1 ? "{" : "", to->out);
    for (size_t p = 0; p < to->w->parts; p++) {
        fputs(p > 0 ? ", " : "", to->out);
        tz_put_number(to->out, at[p]);
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

static void put_lift(tz_writer *to) {
    if (tz_written_is_score(to->w))
        return;
    to->element = NULL;
    fputs("\n#define HAS_LIFTED", to->out);
    for (size_t i = 0; i < to->w->semiring.inputs; i++)
        fprintf(to->out, "%s%s", i == 0 ? "\n/* input: " : ", ", to->w->input[i].name);
    fputs(to->w->semiring.inputs > 0 ? " */" : "", to->out);
    tz_put_function(to, &to->w->lift, "vector vector_lifted(numbers score, const numbers *input)",
                    true, 0);
}

/* double HEAD { ... }, of the numbers `from`.. of what the vectors' function gives. */
static void put_answers(tz_writer *to) {
    static const char *const element[] = {"x"}, *const two[] = {"a", "b"};
    FILE *out = to->out;
    const tz_written *w = to->w;
    to->element = element;
    for (unsigned r = 0; r < w->values.results; r++) {
        char head[60];
        snprintf(head, sizeof head, "numbers vector_value_%u(vector x)", r);
        tz_put_function(to, &w->values, head, false, r);
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
    tz_put_function(to, &w->share, "numbers vector_share(vector a, vector b)", false, 0);
    fputs("\nstatic double share(const tz_semiring *self, const void *part, const void *whole) {\n"
          "    (void)self;\n    return vector_share(vector_of(*(const element *)part),\n"
          "                        vector_of(*(const element *)whole))[0];\n}\n",
          out);
}

static void put_descriptor(const tz_writer *to) {
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

static void put_file(tz_writer *to) {
    static const char *const two[] = {"a", "b"};
    char name[IDENTIFIER];
    const tz_written *w = to->w;
    for (size_t p = 0; p < w->parts; p++)
        to->mangled |= tz_is_word_of_c(w->part_name[p]);
    take_identifier(w, name);
    put_head(to, name);
    put_constant(to, "zero", w->zero);
    put_constant(to, "one", w->one);
    putc('\n', to->out);
    to->element = two;
    tz_put_function(to, &w->plus, "vector vector_sum(vector a, vector b)", true, 0);
    tz_put_function(to, &w->times, "vector vector_product(vector a, vector b)", true, 0);
    put_lift(to);
    fputs(w->semiring.laws & TZ_EXACT ? "\n#define EXACT_SUMS 1" : "", to->out);
    fputs(is_best_score(w) ? "\n#define TRACES" : "", to->out);
    fputs("\n#include <trapeze/blocks.h>\n", to->out);
    put_answers(to);
    put_descriptor(to);
}

tz_status tz_semiring_source(const tz_semiring *semiring, char **ret_text, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_writer to = {.w = tz_written_of(semiring)};
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
