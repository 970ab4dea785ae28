/* view.h - weights whose indices are numbers of inputs, as emit[a,x[i]]: views.
 *
 * Rules multiply by views as by any other weight. Everything that the user sees is of the declared
 * weight. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_VIEW_H
#define TZ_RULES_VIEW_H

#include "rules/table.h"

/* tz_rules_shape, of one of the rules' weights or of one that is declared, and the shapes that
 * tz_rules_input_shape give. */
tz_status tz_weight_shape(const tz_rules *rules, const tz_weight *weight, const int32_t *lengths,
                          tz_shape *ret_shape);
tz_status tz_item_shape(const tz_rules *rules, const tz_item *item, const int32_t *lengths,
                        tz_shape *ret_shape);
tz_status tz_input_shape(const tz_rules *rules, const tz_rules_input *input, const int32_t *lengths,
                         tz_shape *ret_shape);

/* How many indices the notation has: those of the declared weight. */
static inline unsigned tz_written_rank(const tz_weight *weight) {
    return weight->view != NULL ? weight->views : weight->rank;
}

/* Index q as it is written, "k+1" or "x[k+1]", where the weight's own indices are these forms.
 * Truncates. */
void tz_written_index(const tz_rules *rules, const tz_weight *weight, const tz_form *index,
                      unsigned q, const char *const *column_name, char *ret_text, size_t size);
/* A term, "span[i,k+1]"; put_form (form.h): of the indices of items. Its bytes. Truncates. */
typedef void tz_form_writer(const tz_form *form, const char *const *length_name,
                            const char *const *column_name, char *ret_text, size_t size);
size_t tz_put_term(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                   tz_form_writer *put_form, char *ret_text, size_t size);
/* A cell, "arc[2,3]" or "emit[0,x[3]]". Truncates. */
void tz_cell_text(const tz_rules *rules, const tz_weight *weight, const int32_t *lengths,
                  const int64_t *index, char *ret_text, size_t size);

/* The labels of the values of index q of this domain: those of the length that it stays below, as T
 * in 0 <= a < T; NULL where it has none. */
const tz_rules_labels *tz_index_labels(const tz_rules *rules, const tz_domain *domain, unsigned q);
/* Those of an input's numbers. */
const tz_rules_labels *tz_input_labels(const tz_rules *rules, const tz_rules_input *input);

#endif
