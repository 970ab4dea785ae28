/* show.c - terms as text, for all of the formats. SPDX-License-Identifier: MIT */
#include "rules/show/show.h"
#include "base/modes.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/view.h"

/* Appends what fits; the size so far. */
static size_t append(char text[TZ_TERM_TEXT], size_t size, const char *more) {
    size_t length = strlen(more);
    if (length >= TZ_TERM_TEXT - size)
        length = TZ_TERM_TEXT - size - 1;
    memcpy(text + size, more, length);
    text[size + length] = '\0';
    return size + length;
}

size_t tz_term_text(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                    char ret_text[TZ_TERM_TEXT]) {
    return tz_put_term(rules, term, column_name, tz_form_notation, ret_text, TZ_TERM_TEXT);
}

size_t tz_declared_text(const char *name, const char *const *index_name, unsigned rank,
                        char ret_text[TZ_TERM_TEXT]) {
    size_t size = append(ret_text, 0, name);
    for (unsigned q = 0; q < rank; q++) {
        size = append(ret_text, size, q == 0 ? "[" : ",");
        size = append(ret_text, size, index_name[q]);
    }
    return rank > 0 ? append(ret_text, size, "]") : size;
}

size_t tz_input_text(const tz_rules *rules, const tz_rules_input *input,
                     char ret_text[TZ_TERM_TEXT]) {
    char bound[TZ_TERM_TEXT];
    tz_form least = input->bound;
    const bool most = tz_form_has_lengths(&least) && least.constant == 1;
    least.constant -= most;
    size_t size = tz_declared_text(input->name, input->index_name, input->rank, ret_text);
    tz_form_notation(&least, rules->length_name, NULL, bound, sizeof bound);
    size = append(ret_text, size, most ? " <= " : " < ");
    return append(ret_text, size, bound);
}

size_t tz_rules_show(const tz_rules *rules, tz_figures format, char *ret_text, size_t size) {
    TZ_DEFAULT_MODES;
    static tz_status (*const shows[])(const tz_rules *rules, FILE *file) = {
        [TZ_FIGURES_TEXT] = tz_show_text,
        [TZ_FIGURES_LATEX] = tz_show_latex,
        [TZ_FIGURES_DOT] = tz_show_dot,
        [TZ_FIGURES_ORDER] = tz_show_order,
    };
    tz_text text = {.failed = true};
    FILE *file = open_memstream(&text.data, &text.size);
    if (file != NULL) {
        text.failed = shows[format](rules, file) != TZ_OK || ferror(file) != 0;
        text.failed |= fclose(file) != 0;
    }
    return tz_text_hand_out(&text, ret_text, size);
}
