/* conllu_write.c - see conllu_write.h. SPDX-License-Identifier: MIT */
#include "io/conllu/conllu_write.h"

void tz_conllu_write(tz_text *text, const tz_conllu_row *row,
                     const char *const opt_column[TZ_COLUMNS]) {
    size_t columns = row->kind == TZ_COMMENT ? 1 : TZ_COLUMNS;
    for (size_t c = 0; c < columns; c++) {
        bool other = opt_column && opt_column[c];
        tz_text_put(text, c > 0 ? "\t" : "");
        tz_text_put(text, other ? opt_column[c] : row->column[c]);
    }
    tz_text_put(text, "\n");
}
