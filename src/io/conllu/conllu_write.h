/* conllu_write.h - writes sentences as CoNLL-U, with other columns than they were read with.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_CONLLU_CONLLU_WRITE_H
#define TZ_IO_CONLLU_CONLLU_WRITE_H

#include "base/text.h"
#include "io/conllu/conllu.h"

/* Appends a row and its LF. A column in opt_column that is not NULL replaces the row's own. */
void tz_conllu_write(tz_text *text, const tz_conllu_row *row,
                     const char *const opt_column[TZ_COLUMNS]);

#endif
