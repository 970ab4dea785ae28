/* train_aligner.c - `trapeze train aligner`: which words become which, from texts alone.
 *
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "sentences/align/em.h"
#include "sentences/cli/texts.h"
#include "sentences/cli/train.h"

static const char command[] = "trapeze train aligner";

enum { OUTPUT, ITERATIONS, PROBABILITY, TEXT, MAX_WORDS, QUIET, OPTIONS };

static const tz_option option_table[OPTIONS] = {
    [OUTPUT] = {"output", 'o', "MODEL", "the file to write"},
    [ITERATIONS] = {"iterations", 0, "N", "steps of expectation maximisation (10)"},
    [PROBABILITY] = {"null", 0, "P",
                     "the share of abstract words that come from nowhere stays\n"
                     "P, a number between 0 and 1; or learn (learn, from 0.16)"},
    [TEXT] = {"text", 0, NULL, "cut text into words; else there are blanks between them"},
    [MAX_WORDS] = {"max-words", 0, "N", "refuse texts of more words (4096)"},
    [QUIET] = {"quiet", 0, NULL, "do not say how well each step's model fits"},
};

typedef struct settings {
    tz_em_settings em;
    const char *output, *file[256];
    size_t files;
    long iterations, words;
    bool text, quiet;
} settings;

static tz_status add(tz_em *em, tz_forms *forms, tz_arena *arena, const tz_pair *pair) {
    size_t n = pair->document.words, m = pair->abstract.words;
    tz_form *document = tz_arena_array(arena, n, sizeof *document);
    tz_form *abstract = tz_arena_array(arena, m, sizeof *abstract);
    if (!document || !abstract)
        return TZ_NO_MEMORY;
    tz_status status = tz_forms_of(forms, pair->document.word, n, document);
    if (status == TZ_OK)
        status = tz_forms_of(forms, pair->abstract.word, m, abstract);
    return status == TZ_OK ? tz_em_add(em, document, n, abstract, m) : status;
}

static int read_file(const settings *s, const char *name, tz_em *em, tz_forms *forms) {
    tz_texts texts;
    int exit = tz_texts_open(command, name, NULL, s->text, s->words, &texts);
    tz_status status = TZ_OK;
    tz_error error = {TZ_OK, ""};
    while (exit == 0 && status == TZ_OK) {
        tz_arena *arena = tz_arena_new();
        status = arena ? tz_texts_next(&texts, arena, &error) : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = add(em, forms, arena, &texts.pair);
        tz_arena_free(arena);
    }
    tz_texts_close(&texts);
    if (exit != 0 || status == TZ_NONE)
        return exit;
    return tz_failed(command, status, status == TZ_IO ? &error : NULL);
}

static void tell(const settings *s, long step, const tz_em *em, const tz_em_report *report) {
    if (!s->quiet) {
        fprintf(stderr, "%ld: log likelihood %.1f, perplexity %.2f, objective %.1f\n", step,
                report->log_likelihood, exp(-report->log_likelihood / (double)tz_em_words(em)),
                report->objective);
    }
}

static int train(const settings *s) {
    tz_em *em = tz_em_new();
    tz_forms *forms = tz_forms_new();
    tz_error error = {TZ_OK, ""};
    int exit = em && forms ? 0 : tz_failed(command, TZ_NO_MEMORY, NULL);
    for (size_t f = 0; f < s->files && exit == 0; f++)
        exit = read_file(s, s->file[f], em, forms);
    if (exit == 0) {
        tz_status status = tz_em_start(em, &s->em);
        if (status == TZ_NONE) {
            tz_message(command, "there are no words in the input: nothing to learn from");
            exit = TZ_EXIT_INPUT;
        }
        for (long i = 0; i <= s->iterations && status == TZ_OK; i++) {
            tz_em_report report;
            status = tz_em_step(em, i < s->iterations, &report, &error);
            if (status == TZ_OK)
                tell(s, i, em, &report);
        }
        if (status == TZ_OK)
            status = tz_aligner_save(tz_em_aligner(em), s->output, &error);
        if (status != TZ_OK && exit == 0)
            exit = tz_failed(command, status, error.message[0] ? &error : NULL);
    }
    tz_forms_free(forms);
    tz_em_free(em);
    return exit;
}

/* ---- Command line ---------------------------------------------------------------------------- */

static int take_null(const tz_options *o, tz_em_settings *em) {
    char *end;
    if (strcmp(o->value, "learn") == 0) {
        em->keep_null = false;
        return 0;
    }
    em->null = strtod(o->value, &end);
    em->keep_null = true;
    return end > o->value && *end == '\0' && 0 < em->null && em->null < 1
               ? 0
               : tz_usage_error(command, "--null is learn, or a number between 0 and 1, not '%s'",
                                o->value);
}

static int take(tz_options *o, int which, void *user) {
    settings *s = user;
    switch (which) {
    case OUTPUT:
        s->output = o->value;
        return 0;
    case ITERATIONS:
        return tz_option_number(o, which, 0, 100000, &s->iterations);
    case PROBABILITY:
        return take_null(o, &s->em);
    case TEXT:
        s->text = true;
        return 0;
    case MAX_WORDS:
        return tz_option_number(o, which, 1, TZ_MAX_LENGTH - 2, &s->words);
    case QUIET:
        s->quiet = true;
        return 0;
    default:
        if (s->files == sizeof s->file / sizeof *s->file)
            return tz_usage_error(command, "more than %zu files", s->files);
        s->file[s->files++] = o->value;
        return 0;
    }
}

int tz_cli_train_aligner(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "-o MODEL [OPTION]... [FILE|-]...",
        .about =
            "Learn which words of documents become which words of their abstracts, without any\n"
            "alignments: a hidden Markov model over the rule set align-hmm (Daume & Marcu 2005, "
            "for\n"
            "single words). FILE is JSON Lines, as for `trapeze align`:\n"
            "  {\"document\": [\"The dog barks .\", \"It is late .\"], \"abstract\": \"A dog barks "
            ".\"}\n",
        .notes =
            "Before each step, and after the last, it says how well the model fits: the log\n"
            "likelihood of the abstracts, perplexity per word of them, and the objective,\n"
            "which adds the log prior and never falls. The model holds no text. `trapeze align\n"
            "-m MODEL` aligns with it. Time grows with m n^2 for an abstract of m and a\n"
            "document of n words.\n"
            "\n"
            "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .option = option_table,
        .options = OPTIONS,
        .argc = argc,
        .argv = argv,
        .next = 1};
    settings s = {.em = {.null = 0.16}, .iterations = 10, .words = 4096};
    if (!tz_take_options(&o, take, &s))
        return o.status;
    if (!s.output)
        return tz_usage_error(command, "where does the model go? -o MODEL");
    if (s.files == 0)
        s.file[s.files++] = "-";
    return train(&s);
}
