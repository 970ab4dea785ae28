/* sentences.h - the sentences of a file, which is text or CoNLL-U. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_SENTENCES_H
#define TZ_SENTENCES_CLI_INPUT_SENTENCES_H

#include "base/text.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/learn/find_words.h"
#include "sentences/learn/split.h"
#include "sentences/text/layout.h"

/* TZ_INPUT_GUESS: CoNLL-U where the first line that is neither blank nor begins with # is a row of
 * ten columns, or has a comment of CoNLL-U (# sent_id = 1) before it. A row of another number of
 * columns, three or more, is an error. */
typedef enum tz_input_format { TZ_INPUT_GUESS, TZ_INPUT_TEXT, TZ_INPUT_CONLLU } tz_input_format;

enum { TZ_MOST_WORDS = 600, TZ_MOST_BYTES = 1 << 16 }; /* defaults for a sentence and its line */

/* What the lines of a text are. */
typedef enum tz_lines_are {
    TZ_LINES_GUESS, /* wrapped if the first ones look so (layout.h); not from a terminal */
    TZ_LINES_PARAGRAPHS,
    TZ_LINES_WRAPPED,  /* lines that go on in the next one are joined; a blank line ends a
                          paragraph */
    TZ_LINES_SENTENCES /* each line is one sentence, whatever it contains */
} tz_lines_are;

typedef struct tz_sentence_limits {
    long words, bytes;
    tz_lines_are lines;
} tz_sentence_limits;

/* A sentence, with its words as tokens of `line`: the file's line or several joined ones; for
 * CoNLL-U, the forms put together by SpaceAfter=No. Of several words that one token stands for, as
 * "im" for "in dem", the first has the whole token, the others are empty at its end. No words: an
 * empty line. */
typedef struct tz_input_sentence {
    tz_analysed analysed;
    tz_corpus corpus; /* its memory */
    const char *line;
    const tz_token *token;
    tz_line_kind kind;
    size_t number; /* of the line where it begins, the first of joined ones */
    size_t before; /* number of sentences before it on the line */
    bool followed; /* others follow on the line; both are always set */
} tz_input_sentence;

void tz_input_sentence_free(tz_input_sentence *item);
/* Frees all but `before` and `followed`. */
void tz_input_sentence_refuse(tz_input_sentence *item);

typedef struct tz_sentences {
    tz_treebank treebank; /* the open file */
    tz_sentence_limits limits;
    bool conllu;
    tz_word_finder *finder;
    tz_line_splitter *splitter; /* NULL: lines are sentences */
    size_t width;               /* of wrapped lines; 0: they are not joined */
    bool guessed;               /* the rule has found that */
    tz_text joined;             /* lines, where they are joined */
    tz_status behind;  /* what came instead of the line behind them, once it is to be told: */
    tz_error error;    /* its message */
    const char *line;  /* the file's that was read last, */
    tz_line_kind kind; /* of it */
    size_t number;
    const tz_token *part; /* and its sentences */
    size_t parts, next;   /* how many; which one comes next */
} tz_sentences;

/* NULL or "-" is standard input. analyser: its models of ends of sentences and of words, where
 * it has them; borrowed. Returns 0, or the exit code after a message. */
int tz_sentences_open(const char *command, const char *name, tz_input_format format,
                      const tz_sentence_limits *limits, const tz_analyser *analyser,
                      tz_sentences *ret_sentences);
void tz_sentences_close(tz_sentences *from);

/* TZ_NONE after the last; TZ_IO with FILE:LINE: the next call goes on after the error;
 * TZ_NO_MEMORY. */
tz_status tz_sentences_next(tz_sentences *from, tz_input_sentence *ret_item, tz_error *error);

#endif
