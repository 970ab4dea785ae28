/* printed.h - compares a printed compression with the text of its reference.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_PRINTED_H
#define TZ_SENTENCES_EVAL_PRINTED_H

#include "sentences/eval/report.h"
#include "sentences/text/tokens.h"

enum {
    TZ_PRINTED_TEXT,   /* all is as in the reference's text */
    TZ_PRINTED_INSIDE, /* all marks between words are */
    TZ_PRINTED_COMMAS, /* places between words with a comma: F1, precision, recall */
    TZ_PRINTED_COMMAS_PRECISION,
    TZ_PRINTED_COMMAS_RECALL,
    TZ_PRINTED_END,  /* what stands behind the last word is */
    TZ_PRINTED_CASE, /* all letters are */
    TZ_PRINTED_FIGURES
};
extern const tz_figure tz_printed_figure[TZ_PRINTED_FIGURES];

/* Where the words stand in the text that they are the tokens of: ret_token[0..words-1]. Blanks do
 * not count, and quotation marks and brackets may be written as treebanks do (``, -LRB-). false:
 * they do not. */
bool tz_printed_place(const char *text, const char *const *word, size_t words, tz_token *ret_token);

/* Compares what is printed with the reference's text: letters and digits of both are the same, but
 * for case; blanks do not count, and quotation marks are the same however they are written. false:
 * the letters are not the same, and nothing is written. */
bool tz_printed_measure(const char *printed, const char *reference,
                        tz_ratio ret_ratio[TZ_PRINTED_FIGURES]);

#endif
