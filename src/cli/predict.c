/* predict.c - `trapeze tag` and `trapeze parse`. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/treebank.h"
#include "io/conllu_write.h"
#include "learn/decode.h"

enum { MODEL, THREADS, OPTIONS };
enum { PORTION = 64, PORTION_WORDS = 2048 }; /* decoded side by side, about */

static const tz_option option_table[OPTIONS] = {
    [MODEL] = {"model", 'm', "MODEL", "the file that `trapeze train` wrote"},
    [THREADS] = {"threads", 0, "N", "threads (1)"},
};

typedef struct settings {
    const tz_task *task;
    const char *command, *model, *file;
    long threads;
} settings;

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_word(const tz_model *model, const tz_conllu_row *row, int32_t answer,
                       tz_text *text) {
    const char *column[TZ_COLUMNS] = {NULL};
    char head[16];
    int which = model->task->column;
    snprintf(head, sizeof head, "%d", (int)answer);
    column[which] = which == TZ_HEAD ? head : model->labels.name[answer];
    if (which == TZ_HEAD) {
        column[TZ_DEPREL] = column[TZ_DEPS] = "_"; /* those of another tree */
    }
    tz_conllu_write(text, row, column);
}

static int write_sentence(const settings *s, const tz_model *model, const tz_sentence *sentence,
                          const int32_t *answer, tz_text *text) {
    tz_text_clear(text);
    for (size_t r = 0; r < sentence->rows; r++) {
        const tz_conllu_row *row = &sentence->row[r];
        if (row->kind == TZ_WORD) {
            write_word(model, row, answer[row->first], text);
        } else {
            tz_conllu_write(text, row, NULL);
        }
    }
    tz_text_put(text, "\n");
    if (text->failed) {
        tz_message(s->command, "%s", tz_status_name(TZ_NO_MEMORY));
        return TZ_EXIT_INPUT;
    }
    fwrite(text->data, 1, text->size, stdout); /* the dispatcher sees if it failed */
    return 0;
}

/* ---- Decoding -------------------------------------------------------------------------------- */

static int predict_corpus(const settings *s, const tz_model *model, tz_decoder *decoder,
                          const tz_corpus *corpus) {
    const tz_sentence *sentence[PORTION];
    for (size_t i = 0; i < corpus->count; i++) {
        sentence[i] = &corpus->sentence[i];
    }
    tz_error error = {TZ_OK, ""};
    const int32_t *const *answer;
    tz_status status = tz_decode(decoder, model->weight, sentence, corpus->count, &answer, &error);
    if (status != TZ_OK) {
        return tz_treebank_error(s->command, status, &error);
    }
    tz_text text = {0};
    int exit = 0;
    for (size_t i = 0; i < corpus->count && exit == 0; i++) {
        exit = write_sentence(s, model, sentence[i], answer[i], &text);
    }
    tz_text_free(&text);
    return exit;
}

static int predict(const settings *s, const tz_model *model, tz_decoder *decoder) {
    tz_treebank treebank;
    int exit = tz_treebank_open(s->command, s->file, &treebank);
    if (exit != 0) {
        return exit;
    }
    tz_corpus_options reading = {.keep_rows = true, .limit = PORTION, .words = PORTION_WORDS};
    tz_corpus corpus = {0};
    do {
        tz_error error = {TZ_OK, ""};
        tz_corpus_free(&corpus);
        tz_status status = tz_corpus_read(treebank.conllu, &reading, &corpus, &error);
        exit = status == TZ_OK ? predict_corpus(s, model, decoder, &corpus)
                               : tz_treebank_error(s->command, status, &error);
    } while (exit == 0 && corpus.count > 0);
    tz_corpus_free(&corpus);
    tz_treebank_close(&treebank);
    return exit;
}

static int read_options(tz_options *o, settings *s) {
    int which, status = 0;
    while ((which = tz_next_option(o)) != TZ_END && status == 0) {
        switch (which) {
        case TZ_STOP:
            return TZ_STOP;
        case TZ_OPERAND:
            if (s->file) {
                status = tz_usage_error(s->command, "one FILE at most, not '%s' and '%s'", s->file,
                                        o->value);
            }
            s->file = o->value;
            break;
        case MODEL:
            s->model = o->value;
            break;
        case THREADS:
            status = tz_option_number(o, which, 1, 256, &s->threads);
            break;
        }
    }
    if (status == 0 && !s->model) {
        status = tz_usage_error(s->command, "-m MODEL is missing");
    }
    o->status = status;
    return status == 0 ? 0 : TZ_STOP;
}

static int run(settings *s, int argc, char **argv, const char *about) {
    tz_options o = {.command = s->command,
                    .synopsis = "-m MODEL [OPTION]... [FILE|-]",
                    .about = about,
                    .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
                    .option = option_table,
                    .options = OPTIONS,
                    .argc = argc,
                    .argv = argv,
                    .next = 1};
    if (read_options(&o, s) != 0) {
        return o.status;
    }
    tz_model *model;
    tz_decoder *decoder = NULL;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_model_load(s->model, s->task, &model, &error);
    if (status == TZ_OK) {
        status = tz_decoder_new(model, (unsigned)s->threads, &decoder, &error);
    }
    int exit = status == TZ_OK ? predict(s, model, decoder)
                               : tz_treebank_error(s->command, status, &error);
    tz_decoder_free(decoder);
    tz_model_free(model);
    return exit;
}

int tz_cli_tag(int argc, char **argv) {
    settings s = {.task = &tz_tagger, .command = "trapeze tag", .threads = 1};
    return run(&s, argc, argv,
               "Tag the words of a CoNLL-U file: prints it with other parts of speech (UPOS).\n");
}

int tz_cli_parse(int argc, char **argv) {
    settings s = {.task = &tz_parser, .command = "trapeze parse", .threads = 1};
    return run(&s, argc, argv,
               "Parse a CoNLL-U file: prints it with other heads (HEAD), found from the words\n"
               "and the tags that stand in it (UPOS and XPOS).\n");
}
