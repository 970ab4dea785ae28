/* train_lm.c - `trapeze train lm`: an n-gram language model from text. SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/replace.h"
#include "cli/cli.h"
#include "cli/text_file.h"
#include "ranks/ranks.h"
#include "sentences/cli/train/train.h"
#include "sentences/lm/lm_train.h"

static const char command[] = "trapeze train lm";

enum { LINE_LIMIT = 1 << 24 };

typedef struct settings {
    tz_lm_settings lm;
    const char *output;
    const char *const *file;
    size_t files;
    bool quiet;
} settings;

/* ---- Progress and summary ------------------------------------------------------------------ */

typedef struct progress {
    bool quiet, shown;
    double start, last;
} progress;

static void show(void *user, const char *what) {
    progress *p = user;
    double time = tz_seconds();
    if (!p->quiet && time - p->start > 2 && time - p->last > 0.2) {
        fprintf(stderr, "\r\033[K%s: %s, %.0f s ", command, what, time - p->start);
        p->last = time;
        p->shown = true;
    }
}

static void clear(progress *p) {
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}

static void summarize(const tz_lm *lm, const tz_lm_report *report) {
    fprintf(stderr, "%zu sentences, %zu words, %zu of them <unk>\n", report->sentences,
            report->words, report->unknown);
    for (unsigned n = 1; n <= tz_lm_order(lm); n++) {
        const double *discount = report->discount[n];
        fprintf(stderr, "%u-grams: %zu, discounts %.4f %.4f %.4f%s\n", n, tz_lm_count(lm, n),
                discount[1], discount[2], discount[3],
                report->fallback[n] ? " (fixed: too little text to estimate them)" : "");
    }
}

/* ---- Text ---------------------------------------------------------------------------------- */

static tz_status add_line(tz_lm_trainer *trainer, tz_lines *lines, const char *line,
                          tz_error *error) {
    size_t size;
    for (const char *word; (word = tz_lm_next(&line, &size)) != NULL;) {
        tz_status status = tz_lm_trainer_word(trainer, word, size);
        if (status == TZ_BAD_ARGUMENT) {
            return tz_bad_input(error, tz_lines_name(lines), tz_lines_number(lines),
                                "'%.*s' is no word: it stands for an end of the sentence, which "
                                "every line has without it",
                                (int)size, word);
        }
        if (status != TZ_OK) {
            return tz_bad_input(error, tz_lines_name(lines), tz_lines_number(lines), "%s",
                                tz_status_name(status));
        }
    }
    tz_status status = tz_lm_trainer_end(trainer);
    return status == TZ_OK ? status
                           : tz_bad_input(error, tz_lines_name(lines), tz_lines_number(lines), "%s",
                                          tz_status_name(status));
}

static int read_file(tz_lm_trainer *trainer, const char *name, progress *p) {
    tz_text_file in;
    int exit = tz_text_file_open(command, name, LINE_LIMIT, &in);
    if (exit == 0 && tz_ranks() > 1)
        tz_lines_share(in.lines,
                       &(tz_lines_cut){.share = tz_rank(), .shares = tz_ranks(), .block = 1});
    while (exit == 0) {
        char *line;
        size_t size;
        tz_error error;
        tz_status status = tz_lines_next(in.lines, &line, &size, &error);
        if (status == TZ_NONE)
            break;
        if (status != TZ_OK || add_line(trainer, in.lines, line, &error) != TZ_OK)
            exit = tz_failed(command, TZ_IO, &error);
        if (tz_lines_number(in.lines) % 1024 == 0) {
            char what[64];
            snprintf(what, sizeof what, "reading, %zu sentences", tz_lm_trainer_sentences(trainer));
            show(p, what);
        }
    }
    tz_text_file_close(&in);
    return exit;
}

/* ---- Training ------------------------------------------------------------------------------ */

static int write_model(const tz_lm *lm, const char *path, progress *p) {
    tz_replace output;
    tz_error error;
    show(p, "writing");
    if (strcmp(path, "-") == 0)
        return tz_lm_write(lm, stdout) == TZ_OK ? 0 : tz_flush_results(command);
    if (tz_replace_open(path, &output, &error) != TZ_OK)
        return tz_failed(command, TZ_IO, &error);
    if (tz_lm_write(lm, output.file) != TZ_OK) {
        tz_message(command, "%s: cannot write: %s", path, strerror(errno));
        tz_replace_abandon(&output);
        return TZ_EXIT_INPUT;
    }
    return tz_replace_commit(&output, &error) == TZ_OK ? 0 : tz_failed(command, TZ_IO, &error);
}

static int train(settings *s) {
    progress p = {.quiet = s->quiet || tz_rank() > 0 || !isatty(STDERR_FILENO),
                  .start = tz_seconds()};
    tz_lm_report report;
    tz_error error = {TZ_OK, ""};
    tz_lm *lm = NULL;
    tz_lm_trainer *trainer = tz_lm_trainer_new();
    int exit = trainer ? 0 : tz_failed(command, TZ_NO_MEMORY, NULL);
    for (size_t f = 0; f < s->files && exit == 0; f++)
        exit = read_file(trainer, s->file[f], &p);
    if (exit == 0) {
        s->lm.progress = show;
        s->lm.user = &p;
        s->lm.opt_error = &error;
        tz_status status = tz_lm_train(trainer, &s->lm, &lm, &report);
        if (status == TZ_NONE) {
            tz_message(command, "there is no sentence in the input: nothing to learn from");
            exit = TZ_EXIT_INPUT;
        } else if (status != TZ_OK) {
            exit = tz_failed(command, status, &error);
        }
    }
    if (exit == 0 && lm)
        exit = write_model(lm, s->output, &p);
    clear(&p);
    if (exit == 0 && lm && !s->quiet)
        summarize(lm, &report);
    tz_lm_free(lm);
    tz_lm_trainer_free(trainer);
    return exit;
}

/* ---- Command line -------------------------------------------------------------------------- */

static int take_cutoffs(tz_options *o, int which, void *user) {
    tz_lm_settings *lm = &((settings *)user)->lm;
    (void)which;
    const char *at = o->value;
    uint32_t last = 0;
    for (unsigned n = 2; n <= TZ_LM_ORDER; n++) {
        if (n == 2 || *at != '\0') {
            char *end;
            errno = 0;
            unsigned long number = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
            if (number < 1 || errno != 0 || number > UINT32_MAX || number < last ||
                (*end != '\0' && *end != ',') || (*end == ',' && end[1] == '\0')) {
                return tz_usage_error(command,
                                      "--cutoff takes whole numbers from 1 that do not fall, "
                                      "separated by commas, not '%s'",
                                      o->value);
            }
            last = (uint32_t)number;
            at = end + (*end == ',');
        }
        lm->cutoff[n] = last;
    }
    if (*at != '\0')
        return tz_usage_error(command, "--cutoff takes at most %d numbers", TZ_LM_ORDER - 1);
    return 0;
}

static const tz_option option_table[] = {
    {"order", 'n', "N", "words of an n-gram at most: 1 to 8 (default 3)",
     TZ_NUMBER_AT(settings, lm.order, 1, TZ_LM_ORDER)},
    {"min-count", 0, "C",
     "words that occur less often than C times become <unk>\n(default 1: none)",
     TZ_NUMBER_AT(settings, lm.min_count, 1, INT32_MAX)},
    {"cutoff", 0, "LIST",
     "leave out 2-grams, 3-grams, ... that occur less often than the\n"
     "numbers of LIST, separated by commas; the last is for all longer\n"
     "ones, and none is below the one before (default 1: keep all)",
     TZ_TAKEN_BY(take_cutoffs)},
    {"output", 'o', "FILE", "where the model goes, an ARPA file; - is standard output",
     TZ_TEXT_AT(settings, output)},
    {"quiet", 0, NULL, "no progress on the terminal, no summary", TZ_FLAG_AT(settings, quiet)},
};

int tz_cli_train_lm(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "-o MODEL.arpa [OPTION]... [FILE|-]...",
        .about =
            "Learns an n-gram language model: interpolated modified Kneser-Ney (Chen & Goodman\n"
            "1998). FILE is UTF-8 text, one sentence a line, words separated by blanks, as\n"
            "they are to be looked up later (case matters); blank lines are passed over.\n",
        .notes =
            "The model is an ARPA file, as the usual tools write and read them. It depends on\n"
            "which sentences there are, not on their order.\n\n"
            "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .most = INT_MAX,
        .usual = "-",
        TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.lm = {.order = 3, .min_count = 1}};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = o.operand;
    s.files = (size_t)o.operands;
    return s.output ? train(&s) : tz_usage_error(command, "where does the model go? -o FILE");
}
