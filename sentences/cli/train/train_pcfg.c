/* train_pcfg.c - `trapeze train pcfg`: a grammar of constituents from trees in brackets.
 *
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text_file.h"
#include "sentences/cli/train/train.h"
#include "sentences/trees/brackets.h"
#include "sentences/trees/pcfg.h"

static const char command[] = "trapeze train pcfg";

typedef struct settings {
    const char *output, *const *file;
    size_t files;
    bool quiet;
} settings;

static const tz_option option_table[] = {
    {"output", 'o', "MODEL", "the file to write", TZ_TEXT_AT(settings, output)},
    {"quiet", 0, NULL, "say nothing", TZ_FLAG_AT(settings, quiet)},
};

/* The next tree, counted; TZ_NONE after the last. */
static tz_status add_tree(tz_brackets *brackets, tz_pcfg_trainer *trainer, size_t *words,
                          tz_error *error) {
    tz_arena *arena = tz_arena_new();
    tz_tree tree;
    tz_status status = arena ? tz_brackets_next(brackets, arena, &tree, error) : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        *words += tree.words;
        status = tz_pcfg_trainer_add(trainer, &tree);
    }
    tz_arena_free(arena);
    return status;
}

static int read_file(const char *name, tz_pcfg_trainer *trainer, size_t *words) {
    tz_text_file input;
    int exit = tz_text_file_open(command, name, TZ_BRACKETS_LINE, &input);
    if (exit != 0)
        return exit;
    tz_error error = {TZ_OK, ""};
    tz_brackets *brackets = tz_brackets_new(input.lines, false);
    tz_status status = brackets ? TZ_OK : TZ_NO_MEMORY;
    while (status == TZ_OK)
        status = add_tree(brackets, trainer, words, &error);
    tz_brackets_free(brackets);
    tz_text_file_close(&input);
    return status == TZ_NONE ? 0 : tz_failed(command, status, status == TZ_IO ? &error : NULL);
}

static int finish(const settings *s, const tz_pcfg_trainer *trainer, size_t words) {
    tz_pcfg *grammar;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_pcfg_trainer_end(trainer, &grammar);
    if (status == TZ_BAD_ARGUMENT) {
        tz_message(command, "%s: there is no tree",
                   strcmp(s->file[0], "-") != 0 ? s->file[0] : "standard input");
        return TZ_EXIT_INPUT;
    }
    if (status == TZ_OK && !s->quiet)
        fprintf(stderr, "%llu trees, %zu words: %zu labels, %zu rules\n",
                (unsigned long long)grammar->trees, words, grammar->labels, grammar->rules);
    if (status == TZ_OK)
        status = tz_pcfg_save(grammar, s->output, &error);
    tz_pcfg_free(grammar);
    return status == TZ_OK ? 0 : tz_failed(command, status, status == TZ_IO ? &error : NULL);
}

static int run(const settings *s) {
    size_t words = 0;
    tz_pcfg_trainer *trainer = tz_pcfg_trainer_new();
    int exit = trainer ? 0 : tz_failed(command, TZ_NO_MEMORY, NULL);
    for (size_t f = 0; f < s->files && exit == 0; f++)
        exit = read_file(s->file[f], trainer, &words);
    exit = exit == 0 ? finish(s, trainer, words) : exit;
    tz_pcfg_trainer_free(trainer);
    return exit;
}

static const char about[] =
    "Learn a grammar of constituents from trees in brackets, for `trapeze parse --format ptb`.\n"
    "Trees are cleaned as by `trapeze trees`.\n";

static const char notes[] =
    "The grammar is Markov, from the head outwards: a constituent knows its category and its\n"
    "parent's, and a child that is added knows the head child and the child added before it\n"
    "on that side. Probabilities are relative frequencies.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

int tz_cli_train_pcfg(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "-o MODEL [OPTION]... [FILE|-]...",
                    .about = about,
                    .notes = notes,
                    .most = INT_MAX,
                    .usual = "-",
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {0};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = o.operand;
    s.files = (size_t)o.operands;
    return s.output ? run(&s) : tz_usage_error(command, "-o MODEL is missing: the file to write");
}
