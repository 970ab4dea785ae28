/* trees.c - `trapeze trees`: trees in brackets, cleaned and with heads, and dependency trees as
 * trees of constituents. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "io/conllu/conllu_write.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/cli/levels.h"
#include "sentences/learn/analyse.h"
#include "sentences/trees/brackets.h"
#include "sentences/trees/dependencies.h"

static const char command[] = "trapeze trees";

typedef enum format { GUESS, CONLLU, PTB } format;

typedef struct settings {
    tz_levels levels;
    format from;
    bool conllu, keep_going; /* conllu: what is written */
    const char *file;
} settings;

/* What is open, and the tree at hand. */
typedef struct job {
    const settings *settings;
    tz_text_file input;
    bool brackets;
    tz_conllu *conllu;
    tz_brackets *reader;
    tz_corpus corpus; /* of the sentence: its memory */
    tz_arena *arena;  /* of the tree */
    tz_tree tree;
    tz_text text;
} job;

/* ---- Reading --------------------------------------------------------------------------------- */

static tz_status next_sentence(job *j, tz_error *error) {
    const tz_corpus_options options = {.keep_rows = true, .limit = 1};
    tz_analysed item;
    tz_status status = tz_corpus_read(j->conllu, &options, &j->corpus, error);
    if (status == TZ_OK && j->corpus.count == 0)
        return TZ_NONE;
    if (status == TZ_OK)
        status = tz_analysed_conllu(j->arena, j->corpus.sentence, &item);
    if (status == TZ_OK)
        status = tz_tree_of_dependencies(j->arena, tz_conllu_file(j->conllu), j->corpus.sentence,
                                         item.name, j->settings->levels, &j->tree, error);
    return status;
}

/* TZ_NONE after the last. */
static tz_status next(job *j, tz_error *error) {
    tz_arena_free(j->arena);
    tz_corpus_free(&j->corpus);
    j->arena = tz_arena_new();
    if (!j->arena)
        return TZ_NO_MEMORY;
    return j->brackets ? tz_brackets_next(j->reader, j->arena, &j->tree, error)
                       : next_sentence(j, error);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The words with their heads; an arc is called by the category of all that the word is head of. */
static tz_status write_conllu(job *j) {
    size_t size = (size_t)j->tree.words + 1;
    int32_t *head = tz_arena_array(j->arena, size, sizeof *head);
    const char **category = tz_arena_array(j->arena, size, sizeof *category);
    if (!head || !category)
        return TZ_NO_MEMORY;
    tz_tree_dependencies(&j->tree, head);
    for (uint32_t x = j->tree.nodes; x-- > 0;)
        category[j->tree.node[x].head_word + 1] = j->tree.node[x].category;
    size_t words = 0;
    for (size_t r = 0; j->corpus.count > 0 && r < j->corpus.sentence->rows; r++) {
        const tz_conllu_row *row = &j->corpus.sentence->row[r];
        char number[16];
        const char *column[TZ_COLUMNS] = {NULL};
        if (row->kind == TZ_WORD) {
            words++;
            snprintf(number, sizeof number, "%d", (int)head[words]);
            column[TZ_HEAD] = number;
            column[TZ_DEPREL] = category[words];
            column[TZ_DEPS] = "_";
        }
        tz_conllu_write(&j->text, row, column);
    }
    for (size_t w = words + 1; j->corpus.count == 0 && w < size; w++) {
        char id[16], number[16];
        tz_conllu_row row = {.kind = TZ_WORD};
        const char *column[TZ_COLUMNS] = {id,
                                          j->tree.word[w - 1].form,
                                          "_",
                                          "_",
                                          j->tree.word[w - 1].tag,
                                          "_",
                                          number,
                                          category[w],
                                          "_",
                                          "_"};
        snprintf(id, sizeof id, "%zu", w);
        snprintf(number, sizeof number, "%d", (int)head[w]);
        tz_conllu_write(&j->text, &row, column);
    }
    return TZ_OK;
}

static int run(job *j) {
    int exit = 0;
    for (;;) {
        tz_error error = {TZ_OK, ""};
        tz_status status = next(j, &error);
        if (status == TZ_NONE)
            return exit;
        tz_text_clear(&j->text);
        if (status == TZ_IO && j->settings->keep_going) {
            exit = tz_failed(command, status, &error);
            tz_text_put(&j->text, "\n");
            tz_text_write(&j->text, stdout);
            continue;
        }
        if (status == TZ_OK && j->settings->conllu)
            status = write_conllu(j);
        else if (status == TZ_OK)
            tz_brackets_write(&j->tree, NULL, &j->text);
        tz_text_put(&j->text, "\n");
        status = status == TZ_OK && j->text.failed ? TZ_NO_MEMORY : status;
        if (status != TZ_OK)
            return tz_failed(command, status, status == TZ_NO_MEMORY ? NULL : &error);
        tz_text_write(&j->text, stdout); /* the dispatcher sees if it failed */
    }
}

/* ---- Command line ---------------------------------------------------------------------------- */

static const tz_option option_table[] = {
    TZ_LEVELS_AT(settings, levels),
    {"from", 0, "conllu|ptb",
     "conllu or ptb (ptb where the first line that is not blank\n"
     "begins with a bracket)",
     TZ_CHOICE_AT(settings, from, CONLLU)},
    {"to", 0, "ptb|conllu", "ptb: a tree in brackets a line; or conllu (ptb)",
     TZ_CHOICE_AT(settings, conllu, 0)},
    {"keep-going", 0, NULL,
     "answer a tree that is wrong with an empty line, and go on; of\n"
     "trees in brackets, a bracket in the first column begins a tree",
     TZ_FLAG_AT(settings, keep_going)},
};

static int open_all(job *j) {
    const settings *s = j->settings;
    int exit = tz_text_file_open(command, s->file, TZ_BRACKETS_LINE, &j->input);
    if (exit != 0)
        return exit;
    j->brackets = s->from == PTB || (s->from == GUESS && tz_lines_peek(j->input.lines) == '(');
    if (j->brackets)
        j->reader = tz_brackets_new(j->input.lines, s->keep_going);
    else
        j->conllu = tz_conllu_new(j->input.lines);
    return j->reader || j->conllu ? 0 : tz_failed(command, TZ_NO_MEMORY, NULL);
}

static const char about[] =
    "Read trees and write them. Trees in brackets are cleaned: traces (-NONE-) are left out,\n"
    "and functions of categories (NP-SBJ becomes NP). Dependency trees become trees of\n"
    "constituents.\n";

static const char notes[] =
    "Heads of constituents follow the rules of Collins (1999); in --to conllu each word has the\n"
    "head that the tree gives it, and as relation the category of its constituent.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong, also with --keep-going; 2 for bad usage.\n";

int tz_cli_trees(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "[OPTION]... [FILE|-]",
                    .about = about,
                    .notes = notes,
                    .most = 1,
                    .usual = "-",
                    .wanted = "one FILE at most",
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.levels = TZ_LEVELS_VERB};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = *o.operand;
    job j = {.settings = &s};
    int exit = open_all(&j);
    exit = exit == 0 ? run(&j) : exit;
    tz_brackets_free(j.reader);
    tz_conllu_free(j.conllu);
    tz_text_file_close(&j.input);
    tz_corpus_free(&j.corpus);
    tz_arena_free(j.arena);
    tz_text_free(&j.text);
    return exit;
}
