/* conllu_write.h - sentences as CoNLL-U, with other columns than they were read with.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_CONLLU_CONLLU_WRITE_H
#define TZ_IO_CONLLU_CONLLU_WRITE_H

#include "base/text.h"
#include "io/conllu/conllu.h"

/* Appends a row and its LF. opt_column: what stands instead of the row's own columns where it is
 * not NULL. */
void tz_conllu_write(tz_text *text, const tz_conllu_row *row,
                     const char *const opt_column[TZ_COLUMNS]);

#endif
