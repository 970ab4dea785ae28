/* treebank.c - see treebank.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/treebank.h"

#include "cli/cli.h"

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

int tz_treebank_read(const char *command, const char *name, const tz_corpus_options *options,
                     tz_corpus *ret_corpus) {
    tz_treebank treebank;
    *ret_corpus = (tz_corpus){0};
    int exit = tz_treebank_open(command, name, &treebank);
    if (exit != 0)
        return exit;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_corpus_read(treebank.conllu, options, ret_corpus, &error);
    if (status != TZ_OK) {
        exit = tz_failed(command, status, &error);
    } else if (ret_corpus->count == 0) {
        tz_message(command, "%s: there is no sentence", tz_lines_name(treebank.text.lines));
        tz_corpus_free(ret_corpus);
        exit = TZ_EXIT_INPUT;
    }
    tz_treebank_close(&treebank);
    return exit;
}
