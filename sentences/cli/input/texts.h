/* texts.h - documents with their abstracts, from one file or from two. SPDX-License-Identifier: MIT
 */
#ifndef TZ_SENTENCES_CLI_INPUT_TEXTS_H
#define TZ_SENTENCES_CLI_INPUT_TEXTS_H

#include "cli/text_file.h"
#include "sentences/align/texts/pair.h"
#include "sentences/align/texts/records.h"

typedef struct tz_texts {
    tz_text_file input[2]; /* the file of both; or documents, abstracts */
    tz_records records;
    tz_tokeniser *tokeniser; /* NULL: words have blanks between them */
    size_t words;            /* most words of a text */
    const char *advice;      /* the message's end for longer ones: "--max-words=N raises it" */
    /* of the pair at hand */
    const json_t *id; /* or NULL */
    tz_pair pair;
} tz_texts;

/* Opens the records of `file` (NULL or "-": standard input); with opt_abstract, a pair is one line
 * of each file. text: texts are cut by the tokeniser. Returns 0, or the exit code after a message;
 * close it in either case. */
int tz_texts_open(const char *command, const char *file, const char *opt_abstract, bool text,
                  long words, tz_texts *ret_texts);
void tz_texts_close(tz_texts *texts);

/* Before the first pair, for a file that can be read again: is it an array of objects? These may
 * break lines anywhere, so lines cannot be shared between ranks. */
bool tz_texts_are_whole(const tz_texts *texts);
/* Before the first pair: reads only the pairs of this share, one of `shares` lines; of an array,
 * share 0 has all pairs and the others none. */
void tz_texts_share(tz_texts *texts, size_t share, size_t shares);

/* Reads the next pair, in the arena's memory. TZ_NONE after the last. TZ_IO with FILE:LINE: the
 * next call goes on after the error; TZ_TOO_LARGE: one of two files is shorter, with a message;
 * TZ_NO_MEMORY. */
tz_status tz_texts_next(tz_texts *texts, tz_arena *arena, tz_error *error);
/* Where the document of the pair at hand stands. */
const char *tz_texts_file(const tz_texts *texts);
size_t tz_texts_line(const tz_texts *texts);

/* TZ_BAD_ARGUMENT about the pair read last becomes TZ_IO with FILE:LINE; others stay. */
tz_status tz_texts_locate(const tz_texts *texts, tz_status status, tz_error *error);

#endif
