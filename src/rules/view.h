/* view.h - views: weights whose indices are numbers of inputs, as emit[a,x[i]].
 *
 * Rules multiply by views as by any other weight. The user sees only the declared weight.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_VIEW_H
#define TZ_RULES_VIEW_H

#include "rules/table.h"

/* tz_rules_shape for one of the rules' weights or a declared weight, or an item; and
 * tz_rules_input_shape. */
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
/* Writes a term, "span[i,k+1]"; put_form (form.h) writes the indices of items. Returns its bytes.
 * Truncates. */
typedef void tz_form_writer(const tz_form *form, const char *const *length_name,
                            const char *const *column_name, char *ret_text, size_t size);
size_t tz_put_term(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                   tz_form_writer *put_form, char *ret_text, size_t size);
/* Writes a cell, "arc[2,3]" or "emit[0,x[3]]". Truncates. */
void tz_cell_text(const tz_rules *rules, const tz_weight *weight, const int32_t *lengths,
                  const int64_t *index, char *ret_text, size_t size);

/* The labels of the values of index q in this domain: the labels of the length that bounds it, as T
 * in 0 <= a < T; NULL where it has none. */
const tz_rules_labels *tz_index_labels(const tz_rules *rules, const tz_domain *domain, unsigned q);
/* The labels of an input's numbers; NULL where they have none. */
const tz_rules_labels *tz_input_labels(const tz_rules *rules, const tz_rules_input *input);

#endif
