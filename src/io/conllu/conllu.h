/* conllu.h - reads the sentences of a CoNLL-U file, one at a time.
 *
 * https://universaldependencies.org/format.html. Read: comments, words, multiword tokens (1-2) and
 * empty nodes (1.1); LF or CR LF; the last newline and the blank line after the last sentence may
 * be missing. Checked: ten columns, consecutive ids, heads that are words of the sentence and make
 * no cycle; that there are words where comments give a `sent_id` or `text`. Several words may hang
 * on the root, and a head may be `_` (not yet parsed).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_CONLLU_CONLLU_H
#define TZ_IO_CONLLU_CONLLU_H

#include "base/lines.h"

enum {
    TZ_ID,
    TZ_FORM,
    TZ_LEMMA,
    TZ_UPOS,
    TZ_XPOS,
    TZ_FEATS,
    TZ_HEAD,
    TZ_DEPREL,
    TZ_DEPS,
    TZ_MISC,
    TZ_COLUMNS
};

enum {
    TZ_CONLLU_LINE = 1 << 20,     /* bytes of a line */
    TZ_CONLLU_SENTENCE = 1 << 28, /* bytes of a sentence at most */
    TZ_CONLLU_WORDS = 1 << 20     /* words of a sentence at most */
};

typedef enum tz_conllu_kind { TZ_COMMENT, TZ_WORD, TZ_MULTIWORD, TZ_EMPTY_NODE } tz_conllu_kind;

typedef struct tz_conllu_row {
    tz_conllu_kind kind;
    const char *column[TZ_COLUMNS]; /* as in the file; a comment: the whole line, then "" */
    int32_t first, last; /* a word: its id twice; a multiword token: the words it covers; an empty
                            node: the word before it, 0 if none, twice */
    int32_t head;        /* of a word: 0 is the root, -1 unknown (`_`) */
    bool space_after;    /* false where MISC says SpaceAfter=No */
    size_t line;
} tz_conllu_row;

typedef struct tz_conllu_sentence {
    const char *id; /* of the comment `# sent_id = ...`, or NULL */
    size_t rows;
    const tz_conllu_row *row; /* in the order of the file */
    int32_t words;
    const tz_conllu_row *const *word; /* word[1] .. word[words]; word[0] is NULL */
} tz_conllu_sentence;

typedef struct tz_conllu tz_conllu;

/* `lines` is borrowed until tz_conllu_free; TZ_CONLLU_LINE is a sensible limit for it. NULL when
 * memory is out. */
tz_conllu *tz_conllu_new(tz_lines *lines);
void tz_conllu_free(tz_conllu *conllu);

/* The next sentence; the reader's, until the next call. TZ_NONE after the last; TZ_IO with
 * FILE:LINE: reading failed or the sentence is malformed (then the next call goes on with the
 * sentence after it); TZ_NO_MEMORY. Cost: linear in the size of the sentence. */
tz_status tz_conllu_next(tz_conllu *conllu, const tz_conllu_sentence **ret_sentence,
                         tz_error *opt_error);
/* Do the words of a multiword token, the rows behind it, spell it (do n't: don't)? */
bool tz_conllu_spelt(const tz_conllu_row *token);
/* The name that the lines have in messages. */
const char *tz_conllu_file(const tz_conllu *conllu);

#endif
