/* semirings.c - `trapeze semirings list|show|check`; compile: semirings_compile.c.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include <trapeze/isa.h>
#include <trapeze/kernel.h>

#include "cli/cli.h"

enum { COLUMN = 16, LIST_COLUMN = 25 };

/* ---- list ------------------------------------------------------------------------------------ */

/* A semiring of a form: "kbest(K)" with K = 2, "required(BASE)" with max as its part. */
static tz_status example_of(const char *form, tz_semiring **ret, tz_error *error) {
    char text[64];
    const char *open = strchr(form, '(');
    if (open == NULL)
        snprintf(text, sizeof text, "%s", form);
    else
        snprintf(text, sizeof text, "%.*s(%s)", (int)(open - form), form,
                 strcmp(open, "(BASE)") == 0 ? "max" : "2");
    return tz_semiring_new(text, TZ_F64, ret, error);
}

static int list(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze semirings list",
        .synopsis = "",
        .about = "Lists the built-in semirings: name, what it computes.\n",
        TZ_WORDS(argc, argv),
    };
    if (!tz_take_options(&options, NULL, NULL))
        return options.status;
    const char *form;
    for (size_t i = 0; (form = tz_semiring_form(i)) != NULL; i++) {
        tz_semiring *semiring;
        tz_error error = {TZ_OK, ""};
        tz_status status = example_of(form, &semiring, &error);
        if (status != TZ_OK)
            return tz_failed(options.command, status, &error);
        printf("%-*s  %s\n", LIST_COLUMN, form, semiring->summary);
        tz_semiring_free(semiring);
    }
    printf("%-*s  SEMIRING, of derivations that use D of a resource of the rules\n", LIST_COLUMN,
           "resource(NAME,D,SEMIRING)");
    return tz_flush_results(options.command);
}

/* ---- show ------------------------------------------------------------------------------------ */

static void print_laws(const tz_semiring *s) {
    static const struct {
        unsigned law;
        const char *name;
    } laws[] = {{TZ_COMMUTATIVE, "commutative"},
                {TZ_IDEMPOTENT, "idempotent"},
                {TZ_PATH, "path"},
                {TZ_EXACT, "exact"}};
    const char *between = "";
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        if (s->laws & laws[l].law) {
            printf("%s%s", between, laws[l].name);
            between = ", ";
        }
    putchar('\n');
}

static void print_names(const char *head, const char *const *name, size_t count) {
    printf("%-*s  ", COLUMN, head);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i > 0 ? ", " : "", name[i]);
    putchar('\n');
}

static void print_semiring(const tz_semiring *s) {
    static const char *const gives[] = {[TZ_GIVES_SCORE] = "a log score",
                                        [TZ_GIVES_NUMBER] = "a number",
                                        [TZ_GIVES_TRUTH] = "true or false"};
    static const char *const isa_name[] = {
        [TZ_ISA_BASELINE] = "plain", [TZ_ISA_AVX2] = "AVX2", [TZ_ISA_AVX512] = "AVX-512"};
    const char *given[TZ_MAX_INPUTS], *isa[TZ_ISAS];
    size_t isas = 0;
    printf("%-*s  %s\n", COLUMN, s->name, s->summary != NULL ? s->summary : "");
    printf("%-*s  ", COLUMN, "laws");
    print_laws(s);
    printf("%-*s  %zu bytes\n", COLUMN, "element", s->size > 0 ? s->size : sizeof(double));
    printf("%-*s  %s\n", COLUMN, "value", gives[s->gives]);
    if (s->number_name != NULL)
        print_names("numbers", s->number_name, s->each > 0 ? s->each : s->numbers);
    for (size_t i = 0; i < s->inputs; i++)
        given[i] = s->input[i].name;
    if (s->inputs > 0)
        print_names("inputs", given, s->inputs);
    printf("%-*s  %s\n", COLUMN, "best, k best",
           (s->laws & TZ_PATH) && s->gives == TZ_GIVES_SCORE ? "yes" : "no");
    printf("%-*s  %s\n", COLUMN, "shares", s->share != NULL ? "yes: marginals, samples" : "no");
    for (int i = 0; s->kernels != NULL && i < TZ_ISAS; i++)
        if (s->kernels->contract[i] != NULL)
            isa[isas++] = isa_name[i];
    if (isas > 0)
        print_names("kernels", isa, isas);
    if (s->kernels != NULL && s->kernels->narrow != NULL)
        printf("%-*s  %zu bytes, as long as nothing leaves their range\n", COLUMN,
               "narrow elements", s->kernels->narrow->size);
}

#define ONE_SEMIRING                                                                               \
    TZ_OPERANDS("one SEMIRING", "which semiring? Name a built-in one or a file", 1, {0})

/* The semiring that is the only operand. 0, or the exit code; *ret NULL: it is to end. */
static int open_operand(tz_options *o, const char **ret_text, tz_semiring **ret) {
    *ret_text = NULL;
    *ret = NULL;
    return tz_take_options(o, NULL, ret_text) ? tz_open_semiring(o->command, *ret_text, TZ_F64, ret)
                                              : o->status;
}

static int show(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze semirings show",
        .synopsis = "SEMIRING",
        .about = "Prints what a semiring computes, its laws, what an element takes (in double\n"
                 "precision), what it takes and gives, and what its kernels are compiled for.\n",
        TZ_WORDS(argc, argv),
        ONE_SEMIRING,
    };
    tz_semiring *semiring;
    const char *text;
    int status = open_operand(&options, &text, &semiring);
    if (semiring == NULL)
        return status;
    print_semiring(semiring);
    tz_semiring_free(semiring);
    return tz_flush_results(options.command);
}

/* ---- check ----------------------------------------------------------------------------------- */

static int check(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze semirings check",
        .synopsis = "FILE.semiring",
        .about = "Reads a semiring that is given as text, and tries its laws on random elements:\n"
                 "those of every semiring, and those that it declares.\n",
        .notes =
            "An error is told with its line and column, a law that fails with the elements that\n"
            "break it. This finds mistakes and proves nothing.\n",
        TZ_WORDS(argc, argv),
        ONE_SEMIRING,
    };
    tz_semiring *semiring;
    const char *text;
    int status = open_operand(&options, &text, &semiring);
    if (semiring == NULL)
        return status;
    if (!tz_is_semiring_file(text)) {
        tz_semiring_free(semiring);
        return tz_usage_error(options.command,
                              "%s is %s; what can be checked is a file, NAME.semiring", text,
                              tz_is_plugin_file(text) ? "a plug-in" : "built in");
    }
    printf("%s: associative, distributive, zero and one are neutral; ", text);
    print_laws(semiring);
    tz_semiring_free(semiring);
    return tz_flush_results(options.command);
}

/* ---- semirings ------------------------------------------------------------------------------- */

static const tz_action actions[] = {
    {"list", "the built-in semirings", list},
    {"show", "what a semiring computes, its laws, the size of its elements", show},
    {"check", "a semiring as text: what is wrong, and whether its laws hold", check},
    {"compile", "a semiring as text: a plug-in, as fast as a built-in one", tz_semirings_compile},
};

static const tz_actions semirings = {
    .command = "trapeze semirings",
    .what = "action",
    .about = "About semirings: what is computed over the derivations of a rule set.\n",
    .notes =
        "SEMIRING is a built-in one, as `list` names them, with its parameters: kbest(5); or a\n"
        "file, NAME.semiring, or the plug-in that it is compiled to, NAME.so.\n"
        "'man trapeze-semirings' tells more.\n",
    .action = actions,
    .actions = sizeof actions / sizeof *actions,
};

int tz_cli_semirings(int argc, char **argv) {
    return tz_run_action(&semirings, argc, argv);
}
