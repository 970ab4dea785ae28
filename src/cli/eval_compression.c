/* eval_compression.c - `trapeze eval compression`: what is kept against what should be.
 *
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/eval.h"
#include "eval/gold.h"

static const char command[] = "trapeze eval compression";

enum { TEXT = TZ_EVAL_OPTIONS, REFERENCE, BINS, OPTIONS };
enum { MOST_REFERENCES = 64, MOST_BINS = 32, NAME = 64 };

typedef struct settings {
    tz_eval_settings shared;
    const char *file[3]; /* GOLD, SYSTEM, and NULL or SYSTEM2 */
    const char *reference[MOST_REFERENCES];
    size_t references;
    long bin[MOST_BINS]; /* sentences of at most so many words, ascending */
    size_t bins;
    bool text;
} settings;

/* ---- Files ----------------------------------------------------------------------------------- */

static int say(tz_status status, const tz_error *error) {
    tz_message(command, "%s", error->message[0] != '\0' ? error->message : tz_status_name(status));
    return TZ_EXIT_INPUT;
}

typedef struct source {
    FILE *file;
    tz_lines *lines;
} source;

static int open_source(const char *name, source *ret_source) {
    bool standard = strcmp(name, "-") == 0;
    *ret_source = (source){.file = standard ? stdin : fopen(name, "rb")};
    if (!ret_source->file) {
        tz_message(command, "%s: %s", name, strerror(errno));
        return TZ_EXIT_INPUT;
    }
    ret_source->lines =
        tz_lines_new(ret_source->file, standard ? "standard input" : name, TZ_GOLD_LINE);
    if (!ret_source->lines) {
        tz_message(command, "%s", tz_status_name(TZ_NO_MEMORY));
        return TZ_EXIT_INPUT;
    }
    return 0;
}

static void close_source(source *s) {
    tz_lines_free(s->lines);
    if (s->file && s->file != stdin) {
        fclose(s->file);
    }
}

/* ---- Figures --------------------------------------------------------------------------------- */

/* Those of all sentences, then F1 and exact match of each bin of lengths. from 0, to 0: open. */
enum { PER_BIN = 2 };

typedef struct figures {
    size_t count;
    tz_figure figure[TZ_COMPRESSION_FIGURES + PER_BIN * (MOST_BINS + 1)];
    char text[2 * PER_BIN * (MOST_BINS + 1)][NAME];
} figures;

static void add_bin(figures *f, size_t index, const char *what, const char *key, long from,
                    long to) {
    char *id = f->text[2 * index], *name = f->text[2 * index + 1];
    if (to == 0) {
        snprintf(id, NAME, "%s.from_%ld", key, from);
        snprintf(name, NAME, "%s, %ld words and more", what, from);
    } else if (from == 0) {
        snprintf(id, NAME, "%s.to_%ld", key, to);
        snprintf(name, NAME, "%s, up to %ld words", what, to);
    } else {
        snprintf(id, NAME, "%s.%ld_to_%ld", key, from, to);
        snprintf(name, NAME, "%s, %ld to %ld words", what, from, to);
    }
    f->figure[f->count++] = (tz_figure){id, name, NULL};
}

static void list_figures(const settings *s, figures *f) {
    f->count = TZ_COMPRESSION_FIGURES;
    memcpy(f->figure, tz_compression_figure, sizeof tz_compression_figure);
    for (size_t b = 0; s->bins > 0 && b <= s->bins; b++) {
        long from = b > 0 ? s->bin[b - 1] + 1 : 0, to = b < s->bins ? s->bin[b] : 0;
        add_bin(f, PER_BIN * b, "kept words: F1", "kept.f1", from, to);
        add_bin(f, PER_BIN * b + 1, "exact match", "exact", from, to);
    }
}

static tz_status measure(const settings *s, const tz_gold_sentence *sentence,
                         const tz_compression *output, tz_ratio *ratio) {
    tz_status status = tz_compression_measure(&sentence->source, output, ratio);
    size_t bin = 0;
    while (bin < s->bins && sentence->source.words > (size_t)s->bin[bin]) {
        bin++;
    }
    if (s->bins > 0) {
        ratio[TZ_COMPRESSION_FIGURES + PER_BIN * bin] = ratio[TZ_KEPT_F1];
        ratio[TZ_COMPRESSION_FIGURES + PER_BIN * bin + 1] = ratio[TZ_EXACT_MATCH];
    }
    return status;
}

/* Reads a system's file; *ret_ratio is the caller's to free. */
static int measure_system(const settings *s, tz_gold *gold, size_t count, const char *name,
                          tz_ratio **ret_ratio) {
    source in;
    const tz_compression *output = NULL;
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_OK;
    *ret_ratio = NULL;
    int exit = open_source(name, &in);
    if (exit == 0) {
        status = tz_gold_outputs(gold, in.lines, s->text, &output, &error);
    }
    if (exit == 0 && status == TZ_OK) {
        *ret_ratio = calloc(gold->count * count, sizeof **ret_ratio);
        status = *ret_ratio ? TZ_OK : TZ_NO_MEMORY;
        for (size_t p = 0; p < gold->count && status == TZ_OK; p++) {
            status = measure(s, &gold->sentence[p], &output[p], *ret_ratio + p * count);
        }
    }
    close_source(&in);
    return exit != 0 || status == TZ_OK ? exit : say(status, &error);
}

/* ---- The report ------------------------------------------------------------------------------ */

/* How much the references keep: each against itself. */
static void rates_of_references(const tz_gold *gold, double *ret_words, double *ret_characters) {
    double kept[2] = {0, 0}, all[2] = {0, 0};
    for (size_t p = 0; p < gold->count; p++) {
        const tz_source *s = &gold->sentence[p].source;
        for (size_t r = 0; r < s->references; r++) {
            for (size_t w = 0; w < s->words; w++) {
                double weight = 1 / (double)s->references, size = s->characters[w];
                double mark = s->reference[r].keep[w];
                kept[0] += weight * mark;
                kept[1] += weight * mark * size;
                all[0] += weight;
                all[1] += weight * size;
            }
        }
    }
    *ret_words = all[0] > 0 ? kept[0] / all[0] : 0;
    *ret_characters = all[1] > 0 ? kept[1] / all[1] : 0;
}

static int report(const settings *s, const tz_gold *gold, const figures *f,
                  tz_ratio *const *ratio) {
    double words, characters;
    rates_of_references(gold, &words, &characters);
    const tz_remark remark[] = {
        {"references.words_kept", "words kept by the references", words, true},
        {"references.characters_kept", "characters kept by the references", characters, true},
        {"words", "words", (double)gold->words, false},
        {"references", "references", (double)gold->references, false},
    };
    tz_report r = {.figure = f->figure,
                   .systems = s->file[2] ? 2 : 1,
                   .name = {s->file[1], s->file[2]},
                   .system = {{gold->count, f->count, ratio[0]}, {gold->count, f->count, ratio[1]}},
                   .remarks = sizeof remark / sizeof *remark,
                   .remark = remark,
                   .resampling = s->shared.resampling};
    return tz_eval_report(command, &r, &s->shared);
}

static int read_gold(const settings *s, tz_gold *gold) {
    int exit = 0;
    for (size_t f = 0; f <= s->references && exit == 0; f++) {
        source in;
        tz_error error = {TZ_OK, ""};
        exit = open_source(f == 0 ? s->file[0] : s->reference[f - 1], &in);
        tz_status status = exit != 0 ? TZ_OK
                           : f == 0  ? tz_gold_read(in.lines, gold, &error)
                                     : tz_gold_references(gold, in.lines, &error);
        close_source(&in);
        exit = status == TZ_OK ? exit : say(status, &error);
    }
    return exit;
}

static int evaluate(const settings *s) {
    static figures f;
    tz_gold gold = {0};
    tz_ratio *ratio[2] = {NULL, NULL};
    list_figures(s, &f);
    int exit = read_gold(s, &gold);
    for (int system = 0; system < 2 && s->file[system + 1] && exit == 0; system++) {
        exit = measure_system(s, &gold, f.count, s->file[system + 1], &ratio[system]);
    }
    exit = exit == 0 ? report(s, &gold, &f, ratio) : exit;
    free(ratio[0]);
    free(ratio[1]);
    tz_gold_free(&gold);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

static int read_bins(settings *s, const char *list) {
    const char *at = list;
    for (s->bins = 0; s->bins < MOST_BINS; at++) {
        char *end;
        errno = 0;
        long bin = strtol(at, &end, 10);
        bool ascending = s->bins == 0 || bin > s->bin[s->bins - 1];
        if (!isdigit((unsigned char)*at) || errno != 0 || bin < 1 || bin > INT32_MAX ||
            !ascending) {
            break;
        }
        s->bin[s->bins++] = bin;
        at = end;
        if (*at != ',') {
            break;
        }
    }
    return s->bins > 0 && *at == '\0'
               ? 0
               : tz_usage_error(command,
                                "--bins takes up to %d ascending numbers of words, as in "
                                "10,20,40, not '%s'",
                                MOST_BINS, list);
}

static int take_option(tz_options *o, int which, settings *s) {
    size_t files = 0;
    while (files < 3 && s->file[files]) {
        files++;
    }
    switch (which) {
    case TZ_OPERAND:
        if (files == 3) {
            return tz_usage_error(command, "'%s' is one too many", o->value);
        }
        s->file[files] = o->value;
        return 0;
    case TEXT:
        s->text = true;
        return 0;
    case REFERENCE:
        if (s->references == MOST_REFERENCES) {
            return tz_usage_error(command, "more than %d references", MOST_REFERENCES);
        }
        s->reference[s->references++] = o->value;
        return 0;
    case BINS:
        return read_bins(s, o->value);
    default:
        return tz_eval_set(o, which, &s->shared);
    }
}

static int check(const settings *s) {
    int standard = 0;
    for (size_t f = 0; f < 3 && s->file[f]; f++) {
        standard += strcmp(s->file[f], "-") == 0;
    }
    for (size_t r = 0; r < s->references; r++) {
        standard += strcmp(s->reference[r], "-") == 0;
    }
    if (!s->file[1]) {
        return tz_usage_error(command, "two files are needed: GOLD and SYSTEM");
    }
    return standard > 1 ? tz_usage_error(command, "only one file can be standard input") : 0;
}

static const char about[] =
    "Compare compressions with those of GOLD, all JSON Lines: words kept (precision, recall,\n"
    "F1, exact match), n-grams, arcs where both have trees, and how much is kept, with 95 %\n"
    "intervals. SYSTEM2: is there a difference?\n";

static const char notes[] =
    "A record of GOLD, or of SYSTEM, which may leave out the tokens:\n"
    "  {\"id\": 1, \"tokens\": \"The dog barks .\", \"keep\": \"0111\", \"heads\": [-1, 3, 0, 3]}\n"
    "\"tokens\" and \"keep\" can be lists as well; \"compression\" instead of \"keep\" is the\n"
    "compression as text or list of words; \"heads\" (optional) is the compression's tree: the\n"
    "head of each word, 0 for the root, -1 or null where the word is dropped, or heads of\n"
    "the kept words alone, counted among themselves. Several references: lists of those.\n"
    "Sentences are matched by id where GOLD has different ones and SYSTEM has any, else by\n"
    "order.\n"
    "\n"
    "Mean figures are means over sentences; all others count the words, n-grams or arcs of\n"
    "all sentences together. Several references are averaged.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

int tz_cli_eval_compression(int argc, char **argv) {
    tz_option option[OPTIONS] = {
        [TEXT] = {"text", 0, NULL, "SYSTEM is text, a compression a line, in the order of GOLD"},
        [REFERENCE] = {"reference", 'r', "FILE",
                       "further references for the sentences of GOLD; may be\n"
                       "given several times"},
        [BINS] = {"bins", 0, "LIST",
                  "also F1 and exact match by length: 10,20 is for\n"
                  "sentences of up to 10, 11 to 20, and more words"},
    };
    memcpy(option, tz_eval_option, sizeof tz_eval_option);
    tz_options o = {.command = command,
                    .synopsis = "[OPTION]... GOLD SYSTEM [SYSTEM2]",
                    .about = about,
                    .notes = notes,
                    .option = option,
                    .options = OPTIONS,
                    .argc = argc,
                    .argv = argv,
                    .next = 1};
    settings s = {.shared = tz_eval_default};
    int status = 0;
    for (int which; status == 0 && (which = tz_next_option(&o)) != TZ_END;) {
        if (which == TZ_STOP) {
            return o.status;
        }
        status = take_option(&o, which, &s);
    }
    status = status == 0 ? check(&s) : status;
    return status == 0 ? evaluate(&s) : status;
}
