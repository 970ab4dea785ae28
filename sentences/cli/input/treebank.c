/* treebank.c - see treebank.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/input/treebank.h"

#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/train/labels_all.h"

int tz_treebank_open(const char *command, const char *name, tz_treebank *ret_treebank) {
    *ret_treebank = (tz_treebank){0};
    int exit = tz_text_file_open(command, name, TZ_CONLLU_LINE, &ret_treebank->text);
    if (exit == 0 && !(ret_treebank->conllu = tz_conllu_new(ret_treebank->text.lines))) {
        tz_treebank_close(ret_treebank);
        exit = tz_failed(command, TZ_NO_MEMORY, NULL);
    }
    return exit;
}

void tz_treebank_close(tz_treebank *treebank) {
    tz_conllu_free(treebank->conllu);
    treebank->conllu = NULL;
    tz_text_file_close(&treebank->text);
}

void tz_treebank_share(tz_treebank *treebank) {
    tz_lines_share(
        treebank->text.lines,
        &(tz_lines_cut){.share = tz_rank(), .shares = tz_ranks(), .block = 1, .paragraphs = true});
}

/* What all ranks have read: how many sentences, and labels. */
static tz_status join(const tz_corpus_options *options, tz_corpus *corpus, uint64_t *ret_count,
                      tz_error *error) {
    *ret_count = corpus->count;
    tz_status status = tz_ranks_add(ret_count, 1, error);
    for (int column = 0; column < TZ_COLUMNS && status == TZ_OK; column++)
        if (options->labels[column] && options->grow)
            status = tz_labels_all(corpus, column, options->labels[column], error);
    return status;
}

static int read_part(const char *command, const char *name, const tz_corpus_options *options,
                     bool share, tz_corpus *ret_corpus) {
    tz_treebank treebank;
    *ret_corpus = (tz_corpus){0};
    int exit = tz_treebank_open(command, name, &treebank);
    if (exit != 0)
        return exit;
    tz_error error = {TZ_OK, ""};
    if (share)
        tz_treebank_share(&treebank);
    tz_status status = tz_corpus_read(treebank.conllu, options, ret_corpus, &error);
    uint64_t count = ret_corpus->count;
    if (status == TZ_OK && share)
        status = join(options, ret_corpus, &count, &error);
    if (status != TZ_OK) {
        exit = tz_failed(command, status, &error);
    } else if (count == 0) {
        tz_message(command, "%s: there is no sentence", tz_lines_name(treebank.text.lines));
        exit = TZ_EXIT_INPUT;
    }
    if (exit != 0)
        tz_corpus_free(ret_corpus);
    tz_treebank_close(&treebank);
    return exit;
}

int tz_treebank_read_share(const char *command, const char *name, const tz_corpus_options *options,
                           tz_corpus *ret_corpus) {
    return read_part(command, name, options, true, ret_corpus);
}

int tz_treebank_read(const char *command, const char *name, const tz_corpus_options *options,
                     tz_corpus *ret_corpus) {
    return read_part(command, name, options, false, ret_corpus);
}
