/* train_aligner.c - `trapeze train aligner`: which phrases become which, from texts alone.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "sentences/align/extract.h"
#include "sentences/cli/texts.h"
#include "sentences/cli/train.h"
#include "sentences/cli/train_aligner_options.h"

static const char command[] = "trapeze train aligner";

typedef tz_train_aligner_settings settings;

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

static tz_status add(const settings *s, tz_em *em, tz_forms *forms, tz_arena *arena,
                     const tz_pair *pair) {
    tz_passage text[2];
    tz_status status = tz_passage_of(arena, forms, &pair->document, &text[0]);
    if (status == TZ_OK)
        status = tz_passage_of(arena, forms, &pair->abstract, &text[1]);
    if (status != TZ_OK)
        return status;
    return s->extract > 0 ? add_extracts(em, arena, pair, text, (size_t)s->extract)
                          : tz_em_add(em, &text[0], &text[1]);
}

static int read_file(const settings *s, const char *name, tz_em *em, tz_forms *forms) {
    tz_texts texts;
    int exit = tz_texts_open(command, name, NULL, s->text, s->words, &texts);
    tz_status status = exit == 0 ? TZ_OK : TZ_NONE;
    while (status == TZ_OK || (status == TZ_IO && s->keep_going)) {
        tz_error error = {TZ_OK, ""};
        tz_arena *arena = tz_arena_new();
        status = arena ? tz_texts_next(&texts, arena, &error) : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = add(s, em, forms, arena, &texts.pair);
        tz_arena_free(arena);
        if (status != TZ_OK && status != TZ_NONE)
            exit = tz_failed(command, status, status == TZ_IO ? &error : NULL);
    }
    tz_texts_close(&texts);
    return exit;
}

static void tell(const settings *s, long step, const tz_em *em, const tz_em_report *report) {
    if (!s->quiet) {
        fprintf(stderr, "%ld: log likelihood %.1f, perplexity %.2f, objective %.1f\n", step,
                report->log_likelihood, exp(-report->log_likelihood / (double)tz_em_words(em)),
                report->objective);
    }
}

/* All steps. TZ_NONE: there is nothing to learn from. */
static tz_status learn(const settings *s, tz_em *em, tz_error *error) {
    tz_status status = tz_em_start(em, &s->em);
    for (long i = 0; i <= s->iterations && status == TZ_OK; i++) {
        tz_em_report report;
        status = tz_em_step(em, i < s->iterations, &report, error);
        if (status == TZ_OK)
            tell(s, i, em, &report);
    }
    return status == TZ_OK ? tz_aligner_save(tz_em_aligner(em), s->output, error) : status;
}

static int train(const settings *s) {
    tz_em *em = tz_em_new();
    tz_forms *forms = tz_forms_new(s->em.exact);
    tz_error error = {TZ_OK, ""};
    int exit = em && forms ? 0 : tz_failed(command, TZ_NO_MEMORY, NULL);
    bool go_on = exit == 0;
    for (size_t f = 0; f < s->files && go_on; f++) {
        int wrong = read_file(s, s->file[f], em, forms);
        exit = wrong != 0 ? wrong : exit;
        go_on = wrong == 0 || s->keep_going;
    }
    if (go_on) {
        tz_status status = learn(s, em, &error);
        if (status == TZ_NONE) {
            tz_message(command, "there are no words in the input: nothing to learn from");
            exit = TZ_EXIT_INPUT;
        } else if (status != TZ_OK) {
            exit = tz_failed(command, status, error.message[0] ? &error : NULL);
        }
    }
    tz_forms_free(forms);
    tz_em_free(em);
    return exit;
}

int tz_cli_train_aligner(int argc, char **argv) {
    settings s;
    int exit;
    return tz_train_aligner_read_options(command, argc, argv, &s, &exit) ? train(&s) : exit;
}
