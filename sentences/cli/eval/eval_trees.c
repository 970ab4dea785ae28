/* eval_trees.c - `trapeze eval trees`: trees in brackets of the same words.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/text_file.h"
#include "sentences/cli/eval/eval.h"
#include "sentences/eval/trees.h"
#include "sentences/trees/brackets.h"

static const char command[] = "trapeze eval trees";

typedef struct settings {
    tz_eval_settings eval;
    bool punctuation;
    const char *file[3]; /* the third may be NULL */
} settings;

static const tz_option option_table[] = {
    {"punctuation", 0, NULL, "punctuation counts like other words",
     TZ_FLAG_AT(settings, punctuation)},
};

/* A file of trees, one of them read. */
typedef struct source {
    tz_text_file input;
    tz_brackets *brackets;
    tz_tree tree;
} source;

/* The figures of one system. */
typedef struct measured {
    tz_ratio *ratio; /* [trees * TZ_TREES_FIGURES] */
    size_t trees, capacity;
} measured;

/* ---- Files ----------------------------------------------------------------------------------- */

static int open_source(const char *name, source *ret) {
    int exit = tz_text_file_open(command, name, TZ_BRACKETS_LINE, &ret->input);
    if (exit == 0 && !(ret->brackets = tz_brackets_new(ret->input.lines, false)))
        exit = tz_failed(command, TZ_NO_MEMORY, NULL);
    return exit;
}

static void close_source(source *s) {
    tz_brackets_free(s->brackets);
    tz_text_file_close(&s->input);
}

/* Have both trees the same words? source[0] is GOLD. */
static int check(const source *s) {
    const tz_tree *gold = &s[0].tree, *system = &s[1].tree;
    const char *name[2] = {tz_lines_name(s[0].input.lines), tz_lines_name(s[1].input.lines)};
    size_t line[2] = {tz_brackets_line(s[0].brackets), tz_brackets_line(s[1].brackets)};
    if (gold->words != system->words) {
        tz_message(command, "%s:%zu: the tree has %u words, that of %s:%zu has %u", name[1],
                   line[1], system->words, name[0], line[0], gold->words);
        return TZ_EXIT_INPUT;
    }
    for (uint32_t w = 0; w < gold->words; w++) {
        if (strcmp(gold->word[w].form, system->word[w].form) != 0) {
            tz_message(command, "%s:%zu: word %u is '%s', in %s:%zu it is '%s'", name[1], line[1],
                       w + 1, system->word[w].form, name[0], line[0], gold->word[w].form);
            return TZ_EXIT_INPUT;
        }
    }
    return 0;
}

static tz_status add(const settings *s, const source *source, measured *m) {
    bool grown = tz_grow_any(&m->ratio, &m->capacity, m->trees + 1,
                             TZ_TREES_FIGURES * sizeof *m->ratio, false);
    return grown ? tz_trees_measure(&source[0].tree, &source[1].tree, s->punctuation,
                                    m->ratio + m->trees++ * TZ_TREES_FIGURES)
                 : TZ_NO_MEMORY;
}

/* The next tree of each; TZ_NONE in *ret_status: there are none. */
static int next(source *source, tz_arena *arena, tz_status *ret_status) {
    tz_error error = {TZ_OK, ""};
    tz_status status[2];
    for (int i = 0; i < 2; i++) {
        status[i] = tz_brackets_next(source[i].brackets, arena, &source[i].tree, &error);
        if (status[i] != TZ_OK && status[i] != TZ_NONE)
            return tz_failed(command, status[i], &error);
    }
    *ret_status = status[0];
    if (status[0] == status[1])
        return 0;
    tz_message(command, "%s has fewer trees than %s",
               tz_lines_name(source[status[0] != TZ_NONE].input.lines),
               tz_lines_name(source[status[0] == TZ_NONE].input.lines));
    return TZ_EXIT_INPUT;
}

static int walk(const settings *s, source *source, measured *m) {
    for (;;) {
        tz_arena *arena = tz_arena_new();
        tz_status status = TZ_NO_MEMORY;
        int exit = arena ? next(source, arena, &status) : tz_failed(command, status, NULL);
        if (exit == 0 && status == TZ_OK)
            exit = check(source);
        if (exit == 0 && status == TZ_OK && (status = add(s, source, m)) != TZ_OK)
            exit = tz_failed(command, status, NULL);
        tz_arena_free(arena);
        if (exit != 0 || status == TZ_NONE)
            return exit;
    }
}

static int measure(const settings *s, const char *name, measured *m) {
    source source[2] = {0};
    int exit = open_source(s->file[0], &source[0]);
    exit = exit == 0 ? open_source(name, &source[1]) : exit;
    exit = exit == 0 ? walk(s, source, m) : exit;
    close_source(&source[0]);
    close_source(&source[1]);
    return exit;
}

static int evaluate(const settings *s) {
    measured system[2] = {0};
    int exit = 0;
    tz_report report = {.figure = tz_trees_figure,
                        .systems = s->file[2] ? 2 : 1,
                        .opt_of = "trees",
                        .resampling = s->eval.resampling};
    for (size_t i = 0; i < report.systems && exit == 0; i++) {
        exit = measure(s, s->file[i + 1], &system[i]);
        report.name[i] = s->file[i + 1];
        report.system[i] = (tz_measured){
            .sentences = system[i].trees, .figures = TZ_TREES_FIGURES, .ratio = system[i].ratio};
    }
    exit = exit == 0 ? tz_eval_report(command, &report, &s->eval) : exit;
    free(system[0].ratio);
    free(system[1].ratio);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

static const char about[] =
    "Compare trees in brackets of the same words: precision, recall and F1 of constituents,\n"
    "how many cross right ones, exact trees, and tags, with 95 % intervals. SYSTEM2: is there\n"
    "a difference?\n";

static const char notes[] =
    "Trees are cleaned as by `trapeze trees`. A constituent is right if GOLD has one of the\n"
    "same category over the same words. All count, the root too, but not the outer brackets\n"
    "without a category or of ROOT or TOP, nor the brackets of single words (tags). Words that\n"
    "are tagged , . : `` or '' in GOLD are left out first.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

int tz_cli_eval_trees(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "[OPTION]... GOLD SYSTEM [SYSTEM2]",
                    .about = about,
                    .notes = notes,
                    .more = {TZ_GROUP_AT(tz_eval_option, settings, eval)},
                    .most = 3,
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.eval = tz_eval_default};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    int exit = tz_eval_files(&o, "SYSTEM", true, NULL, 0, s.file);
    return exit == 0 ? evaluate(&s) : exit;
}
