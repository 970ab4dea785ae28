/* train_aligner.c - `trapeze train aligner`: which phrases become which, from texts alone.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/align/decode/extract.h"
#include "sentences/cli/input/document_trees.h"
#include "sentences/cli/input/texts.h"
#include "sentences/cli/train/train.h"
#include "sentences/cli/train/train_aligner_options.h"
#include "sentences/cli/train/train_aligner_table.h"
#include "sentences/cli/train/train_watch.h"

static const char command[] = "trapeze train aligner";

typedef tz_train_aligner_settings settings;

/* A training, as it goes on. */
typedef struct job {
    const settings *settings;
    tz_em *em;
    tz_forms *forms;
    tz_document_trees trees; /* under --jump syntax */
    tz_wordnet *wordnet;     /* NULL: without */
    tz_seen_words words;     /* none without --table */
    size_t file;             /* that is being read */
    size_t step;             /* how many are done */
    bool terminal;
    double begun, shown; /* seconds: the step, and what was said last */
} job;

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Each sentence of an abstract with its extract. */
static tz_status add_extracts(tz_em *em, tz_arena *arena, const tz_pair *pair,
                              const tz_passage text[2], size_t sentences) {
    const tz_side *side[] = {&pair->document, &pair->abstract};
    tz_extract_pair *part;
    size_t parts;
    tz_status status = tz_extract_pairs_new(arena, side, text, sentences, &part, &parts);
    for (size_t p = 0; p < parts && status == TZ_OK; p++)
        status = tz_em_add(em, &part[p].document, &part[p].abstract);
    return status;
}

/* A pair's place among all: by its file, its line, and where the abstract has several sentences, by
 * which that is. */
static uint64_t position_of(const job *j, const tz_texts *texts) {
    return (uint64_t)j->file << 48 | (uint64_t)tz_texts_line(texts) << 16;
}

static tz_status add(job *j, tz_arena *arena, const tz_texts *texts, tz_error *error) {
    const tz_pair *pair = &texts->pair;
    const tz_side *side[] = {&pair->document, &pair->abstract};
    tz_passage passage[2];
    tz_status status = TZ_OK;
    for (size_t s = 0; s < 2 && status == TZ_OK; s++) {
        status = tz_passage_of(arena, j->forms, side[s], &passage[s]);
        if (status == TZ_OK && j->settings->opt_table)
            status = tz_seen_words_add(&j->words, side[s], passage[s].form);
    }
    if (status == TZ_OK && j->settings->em.jump == TZ_JUMP_SYNTAX)
        status = tz_document_trees_next(&j->trees, arena, &pair->document, tz_texts_file(texts),
                                        tz_texts_line(texts), &passage[0].opt_tree,
                                        &passage[0].trees, error);
    if (status != TZ_OK)
        return status;
    tz_em_at(j->em, position_of(j, texts));
    return j->settings->extract > 0
               ? add_extracts(j->em, arena, pair, passage, (size_t)j->settings->extract)
               : tz_em_add(j->em, &passage[0], &passage[1]);
}

/* Memory that is out ends *go_on; what is wrong with the file, too, without --keep-going. */
static int read_file(job *j, const char *name, bool *go_on) {
    const settings *s = j->settings;
    tz_texts texts;
    int exit = tz_texts_open(command, name, s->opt_abstract, s->text, s->words, &texts);
    if (exit == 0)
        tz_texts_share(&texts, tz_rank(), tz_ranks());
    tz_ranks_speak(s->keep_going);
    tz_status status = exit == 0 ? TZ_OK : TZ_NONE;
    *go_on = exit == 0 || s->keep_going;
    while (status != TZ_NONE && *go_on) {
        tz_error error = {TZ_OK, ""};
        tz_arena *arena = tz_arena_new();
        status = arena ? tz_texts_next(&texts, arena, &error) : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = add(j, arena, &texts, &error);
        tz_arena_free(arena);
        if (status == TZ_OK || status == TZ_NONE)
            continue;
        exit = tz_failed(command, status, error.message[0] ? &error : NULL);
        *go_on = status == TZ_IO && s->keep_going;
    }
    tz_ranks_speak(false);
    tz_texts_close(&texts);
    return exit;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static bool watch(void *user, size_t done, size_t pairs) {
    job *j = user;
    double now = tz_seconds(), spent = now - j->begun;
    if (j->terminal && now - j->shown >= 0.5 && spent > 1) {
        j->shown = now;
        double left = spent / (double)done * (double)(pairs - done);
        if (j->step < (size_t)j->settings->iterations)
            fprintf(stderr, "\r\033[Kstep %zu of %ld", j->step + 1, j->settings->iterations);
        else
            fputs("\r\033[Kthe last model", stderr);
        fprintf(stderr, ", %3.0f %%: %d:%02d left", 100 * (double)done / (double)pairs,
                (int)left / 60, (int)left % 60);
        fflush(stderr);
    }
    return !tz_train_signalled();
}

static void tell(const job *j, const tz_em_report *report) {
    if (!j->settings->quiet) {
        fprintf(stderr, "%s%zu: log likelihood %.1f, perplexity %.2f, objective %.1f\n",
                j->shown > 0 ? "\r\033[K" : "", j->step, report->log_likelihood,
                exp(-report->log_likelihood / (double)tz_em_words(j->em)), report->objective);
    }
}

static tz_status write_all(const job *j, tz_error *error) {
    const settings *s = j->settings;
    tz_status status = tz_train_tell_ranks(s->quiet, error);
    if (status != TZ_OK || tz_rank() > 0)
        return status;
    status = tz_aligner_save(tz_em_aligner(j->em), s->output, error);
    return status == TZ_OK && s->opt_table
               ? tz_train_aligner_table(s->opt_table, j->em, &j->words, error)
               : status;
}

/* All steps. */
static tz_status learn(job *j, tz_error *error) {
    const settings *s = j->settings;
    tz_status status = TZ_OK;
    if (s->resume)
        status = tz_em_load(j->em, s->opt_state, &j->step, error);
    if (status == TZ_OK && s->opt_state && !s->resume && tz_ranks() > 1)
        status = tz_em_save(j->em, s->opt_state, 0, error); /* where one is lost, all are */
    if (s->opt_state)
        tz_train_catch_signals();
    for (bool more = true; more && status == TZ_OK;) {
        tz_em_report report;
        j->begun = tz_seconds();
        j->shown = 0;
        more = j->step < (size_t)s->iterations;
        status = tz_em_step(j->em, more, &report, error);
        if (status == TZ_NONE) { /* stopped: the step begins anew */
            tz_status kept = tz_em_save(j->em, s->opt_state, j->step, error);
            return kept == TZ_OK ? TZ_NONE : kept;
        }
        if (status != TZ_OK)
            return status;
        tell(j, &report);
        j->step += more;
        if (more && s->opt_state)
            status = tz_em_save(j->em, s->opt_state, j->step, error);
    }
    return status == TZ_OK ? write_all(j, error) : status;
}

static int start_and_learn(job *j) {
    tz_em_settings em = j->settings->em;
    tz_error error = {TZ_OK, ""};
    em.opt_progress = watch;
    em.user = j;
    tz_status status = tz_em_start(j->em, &em, &error);
    if (status == TZ_NONE) {
        tz_message(command, "there are no words in the input: nothing to learn from");
        return TZ_EXIT_INPUT;
    }
    if (status == TZ_OK)
        status = learn(j, &error);
    if (status == TZ_NONE) {
        tz_message(command, "stopped; no model is written; --resume goes on from %s",
                   j->settings->opt_state);
        return TZ_EXIT_INPUT;
    }
    return status == TZ_OK ? 0 : tz_failed(command, status, error.message[0] ? &error : NULL);
}

/* What is needed besides texts. */
static int open_all(job *j) {
    const settings *s = j->settings;
    tz_error error = {TZ_OK, ""};
    if (!j->em || !j->forms)
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    if (s->opt_wordnet) {
        tz_status status = tz_wordnet_load(s->opt_wordnet, &j->wordnet, &error);
        if (status != TZ_OK)
            return tz_failed(command, status, &error);
        tz_em_use_wordnet(j->em, j->wordnet, s->em.abstract_most, s->em.document_most);
    } else if (s->em.kind == TZ_ALIGNER_SEMI && !s->quiet) {
        tz_message(command, "words of like meaning are not looked for; --wordnet FOLDER does that");
    }
    return s->em.jump == TZ_JUMP_SYNTAX
               ? tz_document_trees_open(command, s->opt_trees, s->opt_parser, s->em.threads,
                                        &j->trees)
               : 0;
}

static int read_all(job *j, bool *go_on) {
    const settings *s = j->settings;
    tz_error error = {TZ_OK, ""};
    int exit = 0;
    for (size_t f = 0; f < s->files && *go_on; f++) {
        j->file = f;
        int wrong = read_file(j, s->file[f], go_on);
        exit = wrong != 0 ? wrong : exit;
    }
    if (exit != 0 || !s->opt_trees || tz_document_trees_end(&j->trees, &error) == TZ_OK)
        return exit;
    *go_on = s->keep_going;
    return tz_failed(command, TZ_IO, &error);
}

/* What several ranks cannot do. */
static int check_ranks(const settings *s) {
    if (tz_ranks() == 1)
        return 0;
    if (s->opt_wordnet || s->em.jump == TZ_JUMP_SYNTAX)
        return tz_usage_error(command, "--wordnet and --jump syntax take one process alone");
    if (s->opt_table)
        return tz_usage_error(command,
                              "--table takes one process alone; with --state FILE, one can "
                              "--resume when all steps are done, and write it");
    return 0;
}

static int train(const settings *s) {
    int refused = check_ranks(s);
    if (refused != 0)
        return refused;
    job j = {.settings = s,
             .em = tz_em_new(),
             .forms = tz_forms_new(s->em.exact),
             .terminal = !s->quiet && isatty(STDERR_FILENO)};
    int exit = open_all(&j);
    bool go_on = exit == 0;
    if (go_on)
        exit = read_all(&j, &go_on);
    if (go_on) {
        int wrong = start_and_learn(&j);
        exit = wrong != 0 ? wrong : exit;
    }
    tz_seen_words_free(&j.words);
    tz_document_trees_close(&j.trees);
    tz_forms_free(j.forms);
    tz_em_free(j.em);
    tz_wordnet_free(j.wordnet);
    return exit;
}

int tz_cli_train_aligner(int argc, char **argv) {
    settings s;
    int exit;
    if (!tz_train_aligner_read_options(command, argc, argv, &s, &exit))
        return exit;
    s.quiet = s.quiet || tz_rank() > 0;
    return train(&s);
}
