/* eval_compressions.c - see eval_compressions.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/eval/eval_compressions.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text_file.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/eval/defects.h"

enum { NAME = 64 };

/* ---- Options --------------------------------------------------------------------------------- */

static int take_bins(tz_options *o, int which, void *user) {
    tz_eval_compressions *c = user;
    const char *at = o->value;
    (void)which;
    for (c->bins = 0; c->bins < TZ_EVAL_MOST_BINS; at++) {
        char *end;
        errno = 0;
        long bin = strtol(at, &end, 10);
        bool ascending = c->bins == 0 || bin > c->bin[c->bins - 1];
        if (!isdigit((unsigned char)*at) || errno != 0 || bin < 1 || bin > INT32_MAX || !ascending)
            break;
        c->bin[c->bins++] = bin;
        at = end;
        if (*at != ',')
            break;
    }
    return c->bins > 0 && *at == '\0'
               ? 0
               : tz_usage_error(o->command,
                                "--bins takes up to %d ascending numbers of words, as in "
                                "10,20,40, not '%s'",
                                TZ_EVAL_MOST_BINS, o->value);
}

static int take_reference(tz_options *o, int which, void *user) {
    tz_eval_compressions *c = user;
    (void)which;
    if (c->references == TZ_EVAL_REFERENCES)
        return tz_usage_error(o->command, "more than %d references", TZ_EVAL_REFERENCES);
    c->reference[c->references++] = o->value;
    return 0;
}

const tz_option tz_eval_compressions_option[TZ_EVAL_COMPRESSIONS_OPTIONS] = {
    {"reference", 'r', "FILE",
     "further references for the sentences of GOLD; may be\n"
     "given several times",
     TZ_TAKEN_BY(take_reference)},
    {"bins", 0, "LIST",
     "also F1 and exact match by length: 10,20 is for\n"
     "sentences of up to 10, 11 to 20, and more words",
     TZ_TAKEN_BY(take_bins)},
};

/* ---- Files ----------------------------------------------------------------------------------- */

int tz_eval_compressions_read(tz_eval_compressions *c) {
    int exit = 0;
    for (size_t f = 0; f <= c->references && exit == 0; f++) {
        tz_text_file in;
        tz_error error = {TZ_OK, ""};
        exit = tz_text_file_open(c->command, f == 0 ? c->file : c->reference[f - 1], TZ_GOLD_LINE,
                                 &in);
        tz_status status = exit != 0 ? TZ_OK
                           : f == 0  ? tz_gold_read(in.lines, &c->gold, &error)
                                     : tz_gold_references(&c->gold, in.lines, &error);
        tz_text_file_close(&in);
        exit = status == TZ_OK ? exit : tz_failed(c->command, status, &error);
    }
    return exit;
}

int tz_eval_compressions_outputs(tz_eval_compressions *c, const char *name, bool text,
                                 tz_compression **ret_output) {
    tz_text_file in;
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_OK;
    int exit = tz_text_file_open(c->command, name, TZ_GOLD_LINE, &in);
    if (exit == 0)
        status = tz_gold_outputs(&c->gold, in.lines, text, ret_output, &error);
    tz_text_file_close(&in);
    return status == TZ_OK ? exit : tz_failed(c->command, status, &error);
}

int tz_eval_compressions_models(const tz_eval_compressions *c, const char *path, unsigned must,
                                tz_analyser **ret_analyser) {
    unsigned stages = 0; /* those before them, as far as they are there */
    for (int s = 0; s < TZ_STAGES; s++)
        stages |= must >> s & 1 ? tz_stages_before((tz_stage)s) : 0;
    return tz_load_models(c->command, path, stages, must, c->settings.resampling.threads,
                          ret_analyser);
}

/* ---- Trees ----------------------------------------------------------------------------------- */

int tz_eval_compressions_parse(tz_eval_compressions *c, const char *path, size_t systems,
                               tz_compression *const *output) {
    tz_gold *gold = &c->gold;
    size_t count = 0;
    tz_analyser *analyser;
    tz_error error = {TZ_OK, ""};
    unsigned must = 1u << TZ_STAGE_TAG | 1u << TZ_STAGE_PARSE;
    int exit = tz_eval_compressions_models(c, path, must, &analyser);
    if (exit != 0)
        return exit;
    tz_by_model *item = calloc(gold->references + systems * gold->count, sizeof *item);
    for (size_t g = 0; g < gold->count && item; g++) {
        tz_source *source = &gold->sentence[g].source;
        for (size_t r = 0; r < source->references; r++)
            item[count++] = (tz_by_model){source, &source->reference[r], 0, false};
        for (size_t i = 0; i < systems; i++)
            item[count++] = (tz_by_model){source, &output[i][g], 0, false};
    }
    tz_status status =
        item ? tz_parse_by_model(analyser, gold->arena, item, count, &error) : TZ_NO_MEMORY;
    free(item);
    tz_analyser_free(analyser);
    return status == TZ_OK ? 0 : tz_failed(c->command, status, &error);
}

/* ---- Figures --------------------------------------------------------------------------------- */

/* Those of all sentences, then F1 and exact match of each bin of lengths. from 0, to 0: open. */
enum { PER_BIN = 2 };

typedef struct figures {
    size_t count;
    tz_figure figure[TZ_COMPRESSION_FIGURES + PER_BIN * (TZ_EVAL_MOST_BINS + 1)];
    char text[2 * PER_BIN * (TZ_EVAL_MOST_BINS + 1)][NAME];
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

static void list_figures(const tz_eval_compressions *c, figures *f) {
    f->count = TZ_COMPRESSION_FIGURES;
    memcpy(f->figure, tz_compression_figure, sizeof tz_compression_figure);
    for (size_t b = 0; c->bins > 0 && b <= c->bins; b++) {
        long from = b > 0 ? c->bin[b - 1] + 1 : 0, to = b < c->bins ? c->bin[b] : 0;
        add_bin(f, PER_BIN * b, "kept words: F1", "kept.f1", from, to);
        add_bin(f, PER_BIN * b + 1, "exact match", "exact", from, to);
    }
}

static tz_status measure_sentence(const tz_eval_compressions *c, const tz_source *source,
                                  const tz_compression *output, tz_ratio *ratio) {
    tz_status status = tz_compression_measure(source, output, ratio);
    size_t bin = 0;
    while (bin < c->bins && source->words > (size_t)c->bin[bin])
        bin++;
    if (c->bins > 0) {
        ratio[TZ_COMPRESSION_FIGURES + PER_BIN * bin] = ratio[TZ_KEPT_F1];
        ratio[TZ_COMPRESSION_FIGURES + PER_BIN * bin + 1] = ratio[TZ_EXACT_MATCH];
    }
    return status;
}

/* *ret_ratio is the caller's to free. */
static tz_status measure(const tz_eval_compressions *c, const tz_compression *output, size_t count,
                         tz_ratio **ret_ratio) {
    *ret_ratio = calloc(c->gold.count * count, sizeof **ret_ratio);
    tz_status status = *ret_ratio ? TZ_OK : TZ_NO_MEMORY;
    for (size_t s = 0; s < c->gold.count && status == TZ_OK; s++) {
        status =
            measure_sentence(c, &c->gold.sentence[s].source, &output[s], *ret_ratio + s * count);
    }
    return status;
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

/* The shares of references that have a defect. */
static void defects_of_references(const tz_gold *gold, double ret_share[TZ_DEFECTS]) {
    double all = 0;
    memset(ret_share, 0, TZ_DEFECTS * sizeof *ret_share);
    for (size_t p = 0; p < gold->count; p++) {
        const tz_source *s = &gold->sentence[p].source;
        for (size_t r = 0; r < s->references; r++) {
            bool defect[TZ_DEFECTS];
            tz_defects_find(s, &s->reference[r], defect);
            for (size_t d = 0; d < TZ_DEFECTS; d++)
                ret_share[d] += defect[d];
            all++;
        }
    }
    for (size_t d = 0; d < TZ_DEFECTS; d++)
        ret_share[d] /= all > 0 ? all : 1;
}

int tz_eval_compressions_report(const tz_eval_compressions *c, size_t systems,
                                const char *const *name, const tz_compression *const *output) {
    static figures f;
    double words, characters, defect[TZ_DEFECTS];
    tz_ratio *ratio[2] = {NULL, NULL};
    tz_status status = TZ_OK;
    list_figures(c, &f);
    rates_of_references(&c->gold, &words, &characters);
    defects_of_references(&c->gold, defect);
    const tz_remark remark[] = {
        {"references.words_kept", "words kept by the references", words, true},
        {"references.characters_kept", "characters kept by the references", characters, true},
        {"references.defects.end", "references with a function word at the end",
         defect[TZ_DEFECT_END], true},
        {"references.defects.stranded", "  with an opener stranded", defect[TZ_DEFECT_STRANDED],
         true},
        {"references.defects.name", "  with a name cut", defect[TZ_DEFECT_NAME], true},
        {"references.defects.marks", "  with marks without partner", defect[TZ_DEFECT_MARKS], true},
        {"references.defects.negation", "  with a negation lost", defect[TZ_DEFECT_NEGATION], true},
        {"references.defects.article", "  with a for an, an for a", defect[TZ_DEFECT_ARTICLE],
         true},
        {"words", "words", (double)c->gold.words, false},
        {"references", "references", (double)c->gold.references, false},
    };
    tz_report report = {.figure = f.figure,
                        .systems = systems,
                        .remarks = sizeof remark / sizeof *remark,
                        .remark = remark,
                        .resampling = c->settings.resampling};
    for (size_t s = 0; s < systems && status == TZ_OK; s++) {
        status = measure(c, output[s], f.count, &ratio[s]);
        report.name[s] = name[s];
        report.system[s] =
            (tz_measured){.sentences = c->gold.count, .figures = f.count, .ratio = ratio[s]};
    }
    int exit = status == TZ_OK ? tz_eval_report(c->command, &report, &c->settings)
                               : tz_failed(c->command, status, NULL);
    free(ratio[0]);
    free(ratio[1]);
    return exit;
}
