/* columns.h - links as lines of columns, one a line, as the shared tasks of 2003 and 2005 had them
 * (Mihalcea & Pedersen 2003, section 3): the number of the sentence, of a word of the one text and
 * of one of the other, all from 1, word 0 for none; then S or P (default S), and a confidence,
 * which is ignored.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_TEXTS_COLUMNS_H
#define TZ_SENTENCES_ALIGN_TEXTS_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct tz_column_link {
    uint32_t sentence, document, abstract;
    bool possible; /* and not sure */
} tz_column_link;

/* Reads a line; false where it is not a link. */
bool tz_column_link_read(const char *line, tz_column_link *ret_link);
/* Appends the link as " i-j", or " ipj" where it is only possible, with words counted from 0;
 * nothing for word 0. */
void tz_column_link_put(const tz_column_link *link, tz_text *text);

#endif
