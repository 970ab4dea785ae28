/* read_corpus.h - sentences from files and from text in memory. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_READ_CORPUS_H
#define TZ_TESTS_SUPPORT_READ_CORPUS_H

#include <stdint.h>
#include <stdio.h>

#include "sentences/features/sentence/corpus.h"
#include "tests/support/test.h"

/* All sentences of a CoNLL-U file, or NULL, which is closed; `name` is for messages. */
static inline tz_status corpus_of_file(FILE *file, const char *name,
                                       const tz_corpus_options *options, tz_corpus *ret_corpus,
                                       tz_error *opt_error) {
    OWN(FILE, own) = file;
    OWN(tz_lines, lines) = own ? tz_lines_new(own, name, TZ_CONLLU_LINE) : NULL;
    OWN(tz_conllu, conllu) = lines ? tz_conllu_new(lines) : NULL;
    *ret_corpus = (tz_corpus){0};
    return conllu ? tz_corpus_read(conllu, options, ret_corpus, opt_error) : TZ_NO_MEMORY;
}

/* The same of these bytes, called "in". */
static inline tz_status read_corpus(const char *text, size_t size, const tz_corpus_options *options,
                                    tz_corpus *ret_corpus, tz_error *opt_error) {
    return corpus_of_file(fmemopen((void *)(uintptr_t)text, size, "r"), "in", options, ret_corpus,
                          opt_error);
}

/* Those of a file that is there, without a mistake. */
static inline tz_corpus corpus_of(const char *path, bool keep_rows) {
    const tz_corpus_options options = {.keep_rows = keep_rows};
    tz_corpus corpus;
    tz_error error;
    if (corpus_of_file(need(fopen(path, "r")), path, &options, &corpus, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return corpus;
}

#endif
