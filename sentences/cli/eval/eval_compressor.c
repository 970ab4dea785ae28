/* eval_compressor.c - `trapeze eval compressor`: how good are the compressions of a model?
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/replace.h"
#include "sentences/cli/eval/eval_compressions.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/cli/with_deletions.h"

static const char command[] = "trapeze eval compressor";

typedef struct settings {
    tz_eval_compressions c;
    const char *model[2];
    size_t models;
    const char *output; /* or NULL */
    bool any_text;
    bool held;        /* to the references' length, the median of several */
    tz_length length; /* or to this one, of TZ_LENGTH_RATE */
    tz_with with;
} settings;

/* ---- Compressions ---------------------------------------------------------------------------- */

static int compare_words(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* How many words the references keep: their median, of two in the middle the shorter one. -1:
 * memory is out. */
static int64_t kept(const tz_source *source) {
    int64_t *words = calloc(source->references, sizeof *words);
    if (!words)
        return -1;
    for (size_t r = 0; r < source->references; r++)
        for (size_t w = 0; w < source->words; w++)
            words[r] += source->reference[r].keep[w];
    qsort(words, source->references, sizeof *words, compare_words);
    int64_t median = words[(source->references - 1) / 2];
    free(words);
    return median;
}

/* How many words to keep; -1: as the model likes best, -2: memory is out. */
static int64_t words_of(const settings *s, const tz_source *source, const tz_length *length) {
    if (s->held) {
        int64_t words = kept(source);
        return words < 0 ? -2 : words;
    }
    int64_t words = tz_length_of(length, TZ_PROSE, source->word, (int32_t)source->words).low;
    return words > 0 ? words : -1;
}

/* output: [gold.count]. wary: as `trapeze compress` is with the English model. */
static int compress(settings *s, const char *model, bool wary, tz_compression *output) {
    const tz_length length = wary ? tz_length_wary(s->length) : s->length;
    tz_gold *gold = &s->c.gold;
    tz_analyser *analyser;
    tz_error error = {TZ_OK, ""};
    unsigned must = 1u << TZ_STAGE_TAG | 1u << TZ_STAGE_PARSE | 1u << tz_with_stage(&s->with);
    must |= s->with.deletions ? 1u << TZ_STAGE_LABEL : 0;
    int exit = tz_eval_compressions_models(&s->c, model, must, &analyser);
    if (exit != 0)
        return exit;
    exit = tz_set_with(command, &s->with, model, analyser);
    if (exit != 0) {
        tz_analyser_free(analyser);
        return exit;
    }
    tz_by_model *item = calloc(gold->count, sizeof *item);
    bool made = item != NULL;
    for (size_t g = 0; g < gold->count && made; g++) {
        const tz_source *source = &gold->sentence[g].source;
        int64_t words = words_of(s, source, &length);
        made = words != -2;
        item[g] = (tz_by_model){source, &output[g], words, length.kind == TZ_LENGTH_WARY};
    }
    tz_status status = made ? tz_compress_by_model(analyser, gold->arena, tz_with_stage(&s->with),
                                                   item, gold->count, &error)
                            : TZ_NO_MEMORY;
    free(item);
    tz_analyser_free(analyser);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

/* ---- The outputs ----------------------------------------------------------------------------- */

static void put_record(tz_text *text, const tz_gold_sentence *sentence,
                       const tz_compression *output) {
    const tz_source *source = &sentence->source;
    tz_text_put(text, "{");
    if (sentence->id) {
        tz_text_put(text, "\"id\":");
        tz_text_quote(text, sentence->id, strlen(sentence->id));
        tz_text_put(text, ",");
    }
    tz_text_put(text, "\"tokens\":[");
    for (size_t w = 0; w < source->words; w++) {
        tz_text_put(text, w > 0 ? "," : "");
        tz_text_quote(text, source->word[w], strlen(source->word[w]));
    }
    tz_text_put(text, "],\"keep\":\"");
    for (size_t w = 0; w < source->words; w++)
        tz_text_put(text, output->keep[w] ? "1" : "0");
    tz_text_put(text, "\",\"heads\":[");
    for (size_t w = 0; w < source->words; w++) {
        tz_text_put(text, w > 0 ? "," : "");
        tz_text_number(text, output->opt_head[w]);
    }
    tz_text_put(text, "]}\n");
}

static int write_outputs(const settings *s, const tz_compression *output) {
    tz_replace file;
    tz_text text = {0};
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_replace_open(s->output, &file, &error);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    for (size_t g = 0; g < s->c.gold.count && !text.failed; g++) {
        tz_text_clear(&text);
        put_record(&text, &s->c.gold.sentence[g], &output[g]);
        tz_text_write(&text, file.file);
    }
    if (text.failed) {
        tz_replace_abandon(&file);
        status = TZ_NO_MEMORY;
    } else {
        status = tz_replace_commit(&file, &error);
    }
    tz_text_free(&text);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

static int evaluate(settings *s) {
    tz_compression *output[2] = {NULL, NULL};
    char *found_model = NULL;
    int exit = s->models > 0 ? 0 : tz_find_model(command, &found_model);
    if (found_model)
        s->model[s->models++] = found_model;
    exit = exit == 0 ? tz_eval_compressions_read(&s->c) : exit;
    for (size_t m = 0; m < s->models && exit == 0; m++) {
        output[m] = calloc(s->c.gold.count, sizeof *output[m]);
        exit = output[m] ? compress(s, s->model[m], found_model && !s->any_text, output[m])
                         : tz_failed(command, TZ_NO_MEMORY, NULL);
    }
    if (exit == 0 && s->output)
        exit = write_outputs(s, output[0]);
    if (exit == 0)
        exit = tz_eval_compressions_parse(&s->c, s->model[0], s->models, output);
    if (exit == 0) {
        const tz_compression *found[2] = {output[0], output[1]};
        exit = tz_eval_compressions_report(&s->c, s->models, s->model, found);
    }
    free(output[0]);
    free(output[1]);
    free(found_model);
    tz_gold_free(&s->c.gold);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

static int take_model(tz_options *o, int which, void *user) {
    settings *s = user;
    (void)which;
    if (s->models == 2)
        return tz_usage_error(command, "two models at most");
    s->model[s->models++] = o->value;
    return 0;
}

static int take_length(tz_options *o, int which, void *user) {
    settings *s = user;
    (void)which;
    s->held = strcmp(o->value, "reference") == 0;
    s->length = (tz_length){.kind = TZ_LENGTH_FREE};
    if (s->held || strcmp(o->value, "free") == 0)
        return 0;
    s->length.kind = TZ_LENGTH_RATE;
    bool number = strlen(o->value) < TZ_NUMBER_SIZE &&
                  tz_number_read(o->value, strlen(o->value), &s->length.rate);
    return number && s->length.rate >= 0 && s->length.rate <= 1
               ? 0
               : tz_usage_error(command,
                                "--length is free, reference, or a rate from 0 to 1, not '%s'",
                                o->value);
}

static int check(const settings *s) {
    if (!s->c.file)
        return tz_usage_error(command, "GOLD is missing");
    if (s->models == 2 && s->output)
        return tz_usage_error(command, "-o takes the compressions of one model, not of two");
    return tz_check_with(command, &s->with, s->held || s->length.kind != TZ_LENGTH_FREE);
}

int tz_cli_eval_compressor(int argc, char **argv) {
    static const tz_option option[] = {
        {"model", 'm', "MODEL",
         "the model, with taggers, parser and compressor (the\n"
         "English one); given twice: is there a difference?",
         TZ_TAKEN_BY(take_model)},
        {"length", 0, "free|reference|R",
         "free: as many words as the model finds best (free);\n"
         "reference: as many as the reference keeps, the median of\n"
         "several; R: R times as many as there are, rounded",
         TZ_TAKEN_BY(take_length)},
        {"output", 'o', "FILE",
         "write the compressions, as SYSTEM of\n"
         "`trapeze eval compression`",
         TZ_TEXT_AT(settings, output)},
        {"any-text", 0, NULL,
         "compress also what is written like law, which is kept whole\n"
         "where no -m is given and the length is free",
         TZ_FLAG_AT(settings, any_text)},
    };
    tz_options o = {
        .command = command,
        .synopsis = "[OPTION]... GOLD",
        .about =
            "Compress the sentences of GOLD and compare with its compressions: what\n"
            "'trapeze eval compression' says of them. Tags and trees of the sentences are the\n"
            "model's own; arcs are those of the (first) model's parser on all compressions.\n",
        .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .more = {TZ_GROUP_AT(tz_eval_option, settings, c.settings),
                 TZ_GROUP_AT(tz_eval_compressions_option, settings, c),
                 TZ_GROUP_AT(tz_with_option, settings, with)},
        .most = 1,
        .wanted = "one GOLD",
        TZ_COMMAND_ROWS(option, argc, argv)};
    settings s = {.c = {.command = command, .settings = tz_eval_default}, .with = TZ_WITH_USUAL};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.c.file = o.operands > 0 ? *o.operand : NULL;
    int exit = check(&s);
    return exit == 0 ? evaluate(&s) : exit;
}
