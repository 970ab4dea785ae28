/* read_corpus.h - sentences from text in memory. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_READ_CORPUS_H
#define TZ_TESTS_SUPPORT_READ_CORPUS_H

#include <stdint.h>
#include <stdio.h>

#include "sentences/features/sentence/corpus.h"

/* All sentences of a CoNLL-U file with these bytes, called "in" in messages. */
static inline tz_status read_corpus(const char *text, size_t size, const tz_corpus_options *options,
                                    tz_corpus *ret_corpus, tz_error *opt_error) {
    FILE *file = fmemopen((void *)(uintptr_t)text, size, "r");
    tz_lines *lines = file ? tz_lines_new(file, "in", TZ_CONLLU_LINE) : NULL;
    tz_conllu *conllu = lines ? tz_conllu_new(lines) : NULL;
    *ret_corpus = (tz_corpus){0};
    tz_status status =
        conllu ? tz_corpus_read(conllu, options, ret_corpus, opt_error) : TZ_NO_MEMORY;
    tz_conllu_free(conllu);
    tz_lines_free(lines);
    if (file)
        fclose(file);
    return status;
}

#endif
