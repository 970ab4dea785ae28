/* automaton.c - `trapeze automaton check|show|compose`. SPDX-License-Identifier: MIT */
#include "cli/automaton/automaton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_file.h"

enum { LARGEST = 1 << 28 };

/* ---- Reading --------------------------------------------------------------------------------- */

static int read_text(const char *command, const char *file, tz_named_text *ret, char **ret_text) {
    tz_error error;
    const tz_status status = tz_text_read(file, LARGEST, ret_text, &ret->size, &error);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    ret->name = file;
    ret->text = *ret_text;
    if (ret->size <= LARGEST)
        return 0;
    tz_message(command, "%s: more than %d bytes", file, LARGEST);
    return TZ_EXIT_INPUT;
}

int tz_automaton_open(const char *command, const tz_automaton_choice *c, const char *file,
                      tz_automaton **ret) {
    const char *const files[] = {file, c->inputs, c->outputs};
    tz_named_text text[3];
    char *content[3] = {NULL, NULL, NULL};
    tz_error error;
    int failed = 0;
    *ret = NULL;
    if (file == NULL)
        return tz_usage_error(command, "which automaton? Name a file");
    if (c->weights < 0)
        return tz_usage_error(command,
                              "say what the numbers are: --weights costs, logs or probabilities");
    for (unsigned f = 0; f < 3 && failed == 0; f++)
        if (files[f] != NULL)
            failed = read_text(command, files[f], &text[f], &content[f]);
    if (failed == 0) {
        const tz_automaton_form form = {.weights = (tz_arc_weights)c->weights,
                                        .transducer = c->transducer,
                                        .inputs = c->inputs != NULL ? &text[1] : NULL,
                                        .outputs = c->outputs != NULL ? &text[2] : NULL};
        const tz_status status = tz_automaton_parse(&text[0], &form, ret, &error);
        failed = status == TZ_OK ? 0 : tz_failed(command, status, &error);
    }
    for (unsigned f = 0; f < 3; f++)
        free(content[f]);
    return failed;
}

/* ---- show, compose, check -------------------------------------------------------------------- */

typedef struct choice {
    tz_automaton_choice automaton;
} choice;
static const tz_option option_table[TZ_AUTOMATON_OPTIONS] = {TZ_AUTOMATON_OPTION_ROWS(choice)};

#define AUTOMATON_OPTIONS(argc, argv) TZ_COMMAND_ROWS(option_table, argc, argv)
#define ONE_AUTOMATON(argc, argv)                                                                  \
    .synopsis = "-w WEIGHTS [OPTION]... AUTOMATON", AUTOMATON_OPTIONS(argc, argv),                 \
    TZ_OPERANDS("one automaton", TZ_WHICH_AUTOMATON, 1, {offsetof(choice, automaton.file)})

/* Of an action that takes one; 0, or the exit code; *ret NULL: it is to end. */
static int read_one(tz_options *o, choice *c, tz_automaton **ret) {
    *c = (choice){.automaton = {.weights = -1}};
    *ret = NULL;
    return tz_take_options(o, NULL, c)
               ? tz_automaton_open(o->command, &c->automaton, c->automaton.file, ret)
               : o->status;
}

/* Is it another automaton where its text is read without symbol tables? */
static bool needs_tables(const tz_automaton *automaton, const char *text, size_t size,
                         tz_arc_weights weights) {
    const tz_automaton_parts *p = tz_automaton_parts_of(automaton), *q;
    const tz_named_text named = {"", text, size};
    const tz_automaton_form form = {.weights = weights, .transducer = p->transducer};
    tz_automaton *again;
    if (tz_automaton_parse(&named, &form, &again, NULL) != TZ_OK)
        return false;
    q = tz_automaton_parts_of(again);
    bool other = false;
    for (size_t i = 0; i < p->arcs && i < q->arcs && !other; i++)
        other = (p->arc[i].input < 0) != (q->arc[i].input < 0) ||
                (p->arc[i].output < 0) != (q->arc[i].output < 0);
    tz_automaton_free(again);
    return other;
}

static int print(const char *command, const tz_automaton_choice *c, const tz_automaton *automaton) {
    const size_t size = tz_automaton_show(automaton, NULL, 0);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    const bool made = text != NULL && tz_automaton_show(automaton, text, size + 1) == size;
    if (made)
        fwrite(text, 1, size, stdout);
    if (made && (c->inputs != NULL || c->outputs != NULL) &&
        needs_tables(automaton, text, size, (tz_arc_weights)c->weights))
        tz_message(command, "warning: without the same symbol tables this is read otherwise: there "
                            "labels called '0' and '<eps>' are nothing, and no others");
    free(text);
    return made ? tz_flush_results(command) : tz_failed(command, TZ_NO_MEMORY, NULL);
}

static int show(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze automaton show",
        .about = "Prints an automaton as text, arcs, then final states, to be read with the same "
                 "symbol\n"
                 "tables.\n",
        ONE_AUTOMATON(argc, argv),
    };
    choice c;
    tz_automaton *automaton;
    int failed = read_one(&options, &c, &automaton);
    if (automaton != NULL)
        failed = print(options.command, &c.automaton, automaton);
    tz_automaton_free(automaton);
    return failed;
}

static int compose(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze automaton compose",
        .synopsis = "-w WEIGHTS [OPTION]... FIRST SECOND",
        .about =
            "Prints the composition: its paths are pairs of a path of FIRST and a path of SECOND\n"
            "that reads what the first one writes. The options say how both files are read.\n",
        AUTOMATON_OPTIONS(argc, argv),
        TZ_OPERANDS("two automata", TZ_WHICH_AUTOMATON, 2,
                    {offsetof(choice, automaton.file), offsetof(choice, automaton.second)}),
    };
    choice c = {.automaton = {.weights = -1}};
    tz_automaton *first = NULL, *second = NULL, *both = NULL;
    tz_error error;
    if (!tz_take_options(&options, NULL, &c))
        return options.status;
    int failed = tz_automaton_open(options.command, &c.automaton, c.automaton.file, &first);
    if (failed == 0)
        failed = tz_automaton_open(options.command, &c.automaton, c.automaton.second, &second);
    if (failed == 0) {
        const tz_status status = tz_automaton_compose(first, second, &both, &error);
        failed = status == TZ_OK ? print(options.command, &c.automaton, both)
                                 : tz_failed(options.command, status, &error);
    }
    tz_automaton_free(first);
    tz_automaton_free(second);
    tz_automaton_free(both);
    return failed;
}

static int check(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze automaton check",
        .about =
            "Prints the size of an automaton and of its largest strongly connected component:\n"
            "sums over paths take time with the cube of its vertices.\n",
        ONE_AUTOMATON(argc, argv),
    };
    choice c;
    tz_automaton *automaton;
    size_t finals = 0, nothing = 0;
    const int failed = read_one(&options, &c, &automaton);
    if (automaton == NULL)
        return failed;
    const tz_automaton_parts *p = tz_automaton_parts_of(automaton);
    for (size_t s = 0; s < p->states; s++)
        finals += p->end[s] > -INFINITY;
    for (size_t a = 0; a < p->arcs; a++)
        nothing += p->arc[a].input < 0 && p->arc[a].output < 0;
    printf("%s\n\nkind        %s\nstates      %zu, from %s; %zu final\narcs        %zu, %zu of "
           "nothing\n",
           c.automaton.file, p->transducer ? "transducer" : "acceptor", p->states,
           p->state[p->start], finals, p->arcs, nothing);
    if (p->transducer)
        printf("labels      %zu read, %zu written\n", p->inputs, p->outputs);
    else
        printf("labels      %zu\n", p->inputs);
    printf("components  the largest has %zu states\n", p->largest);
    tz_automaton_free(automaton);
    return tz_flush_results(options.command);
}

/* ---- The actions ----------------------------------------------------------------------------- */

static const tz_action actions[] = {
    {"check", "the size of an automaton", check},
    {"show", "the automaton as text", show},
    {"compose", "the composition of two", compose},
    {"paths", "sums, best paths, samples, of all strings or of one", tz_cli_automaton_paths},
};

static const tz_actions all = {
    .command = "trapeze automaton",
    .what = "action",
    .about = "Weighted acceptors and transducers as text, as AT&T's tools and OpenFst have them.\n",
    .action = actions,
    .actions = sizeof actions / sizeof *actions,
};

int tz_cli_automaton(int argc, char **argv) {
    return tz_run_action(&all, argc, argv);
}
