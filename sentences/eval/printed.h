/* printed.h - compares a printed compression with the text of its reference.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_PRINTED_H
#define TZ_SENTENCES_EVAL_PRINTED_H

#include "sentences/eval/report.h"
#include "sentences/text/tokens.h"

enum {
    TZ_PRINTED_TEXT,   /* the whole text is the reference's */
    TZ_PRINTED_INSIDE, /* all marks between words are the reference's */
    TZ_PRINTED_COMMAS, /* places between words with a comma: F1, precision, recall */
    TZ_PRINTED_COMMAS_PRECISION,
    TZ_PRINTED_COMMAS_RECALL,
    TZ_PRINTED_END,  /* the text after the last word is the reference's */
    TZ_PRINTED_CASE, /* all letters have the reference's case */
    TZ_PRINTED_FIGURES
};
extern const tz_figure tz_printed_figure[TZ_PRINTED_FIGURES];

/* Where the words stand in the text whose tokens they are: ret_token[0..words-1]. Blanks do not
 * count, and quotation marks and brackets may be written as in treebanks (``, -LRB-). False: the
 * words are not the text's. */
bool tz_printed_place(const char *text, const char *const *word, size_t words, tz_token *ret_token);

/* Compares a printed text with the reference's. Their letters and digits must be the same but for
 * case; blanks do not count, and all ways to write a quotation mark are the same. False: the
 * letters differ, and nothing is written. */
bool tz_printed_measure(const char *printed, const char *reference,
                        tz_ratio ret_ratio[TZ_PRINTED_FIGURES]);

#endif
