/* view.c - weights whose indices are numbers of inputs. SPDX-License-Identifier: MIT */
#include "rules/view.h"

#include <stdio.h>
#include <string.h>

#include "rules/polyhedra/form.h"

enum { INDEX_TEXT = 8192 };

/* first: position 0 holds the smallest index; else 0, if that is smaller. */
static tz_status shape_of(const tz_rules *rules, unsigned rank, const tz_range *extent, bool first,
                          const int32_t *lengths, tz_shape *ret_shape) {
    tz_shape shape = {.rank = rank};
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return TZ_BAD_ARGUMENT;
    for (unsigned q = 0; q < rank; q++) {
        int64_t low, high;
        tz_range_value(&extent[q], rules->lengths, lengths, 0, NULL, &low, &high);
        /* An empty domain takes no room. */
        bool empty = low > high;
        if (!empty && (low < INT32_MIN || low > INT32_MAX))
            return TZ_TOO_LARGE;
        shape.origin[q] = (int32_t)(empty || (low > 0 && !first) ? 0 : low);
        shape.least[q] = empty || low > INT32_MAX ? 0 : (int32_t)low;
        if (!empty && high - shape.origin[q] >= INT32_MAX)
            return TZ_TOO_LARGE;
        shape.extent[q] =
            empty || high < shape.origin[q] ? 0 : (int32_t)(high - shape.origin[q] + 1);
    }
    *ret_shape = shape;
    return TZ_OK;
}

tz_status tz_weight_shape(const tz_rules *rules, const tz_weight *weight, const int32_t *lengths,
                          tz_shape *ret_shape) {
    tz_status status = shape_of(rules, weight->rank, weight->extent, false, lengths, ret_shape);
    if (status == TZ_OK)
        ret_shape->sparse = weight->sparse;
    return status;
}

tz_status tz_item_shape(const tz_rules *rules, const tz_item *item, const int32_t *lengths,
                        tz_shape *ret_shape) {
    return shape_of(rules, item->rank, item->extent, false, lengths, ret_shape);
}

tz_status tz_input_shape(const tz_rules *rules, const tz_rules_input *input, const int32_t *lengths,
                         tz_shape *ret_shape) {
    return shape_of(rules, input->rank, input->extent, true, lengths, ret_shape);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Appends what fits. */
static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

void tz_written_index(const tz_rules *rules, const tz_weight *weight, const tz_form *index,
                      unsigned q, const char *const *column_name, char *ret_text, size_t size) {
    if (weight->view == NULL) {
        tz_form_notation(&index[q], rules->length_name, column_name, ret_text, size);
        return;
    }
    const tz_view_index *view = &weight->view[q];
    unsigned forms = view->looked_up ? rules->input[view->input].rank : 1;
    snprintf(ret_text, size, "%s", view->looked_up ? rules->input[view->input].name : "");
    for (unsigned f = 0; f < forms; f++) {
        char text[INDEX_TEXT] = "?";
        tz_form form;
        if (tz_form_compose(&form, &view->at[f], index, weight->rank))
            tz_form_notation(&form, rules->length_name, column_name, text, sizeof text);
        append(ret_text, size, !view->looked_up ? "" : f == 0 ? "[" : ",");
        append(ret_text, size, text);
    }
    append(ret_text, size, view->looked_up && forms > 0 ? "]" : "");
}

size_t tz_put_term(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                   tz_form_writer *put_form, char *ret_text, size_t size) {
    const tz_weight *weight = term->what == TZ_WEIGHT ? &rules->weight[term->which] : NULL;
    unsigned rank = weight != NULL ? tz_written_rank(weight) : rules->item[term->which].rank;
    snprintf(ret_text, size, "%s", weight != NULL ? weight->name : rules->item[term->which].name);
    for (unsigned q = 0; q < rank; q++) {
        char index[INDEX_TEXT];
        if (weight != NULL)
            tz_written_index(rules, weight, term->index, q, column_name, index, sizeof index);
        else
            put_form(&term->index[q], rules->length_name, column_name, index, sizeof index);
        append(ret_text, size, q == 0 ? "[" : ",");
        append(ret_text, size, index);
    }
    append(ret_text, size, rank > 0 ? "]" : "");
    return strlen(ret_text);
}

void tz_cell_text(const tz_rules *rules, const tz_weight *weight, const int32_t *lengths,
                  const int64_t *index, char *ret_text, size_t size) {
    const unsigned rank = tz_written_rank(weight);
    snprintf(ret_text, size, "%.60s", weight->name);
    for (unsigned q = 0; q < rank; q++) {
        const tz_view_index *view = weight->view != NULL ? &weight->view[q] : NULL;
        const bool looked_up = view != NULL && view->looked_up;
        const unsigned forms = looked_up ? rules->input[view->input].rank : 1;
        char number[32];
        append(ret_text, size, q == 0 ? "[" : ",");
        append(ret_text, size, looked_up ? rules->input[view->input].name : "");
        for (unsigned f = 0; f < forms; f++) {
            int64_t value = view == NULL ? index[q]
                                         : tz_form_value(&view->at[f], rules->lengths, lengths,
                                                         weight->rank, index);
            snprintf(number, sizeof number, "%s%lld",
                     !looked_up ? ""
                     : f == 0   ? "["
                                : ",",
                     (long long)value);
            append(ret_text, size, number);
        }
        append(ret_text, size, looked_up && forms > 0 ? "]" : "");
    }
    append(ret_text, size, rank > 0 ? "]" : "");
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static const tz_rules_labels *labels_of(const tz_rules *rules, unsigned length) {
    for (unsigned i = 0; i < rules->labelled; i++)
        if (rules->labels[i].length == length)
            return &rules->labels[i];
    return NULL;
}

const tz_rules_labels *tz_index_labels(const tz_rules *rules, const tz_domain *domain, unsigned q) {
    for (unsigned i = 0; i < rules->labelled; i++) {
        tz_form below = {.constant = -1}; /* T - 1 - a >= 0 */
        below.length[rules->labels[i].length] = 1;
        below.column[q] = -1;
        for (uint32_t c = 0; c < domain->count; c++)
            if (domain->at[c].relation == TZ_GE && tz_form_equal(&domain->at[c].form, &below))
                return &rules->labels[i];
    }
    return NULL;
}

const tz_rules_labels *tz_input_labels(const tz_rules *rules, const tz_rules_input *input) {
    for (unsigned l = 0; l < rules->lengths; l++) {
        tz_form length = {0};
        length.length[l] = 1;
        if (tz_form_equal(&input->bound, &length))
            return labels_of(rules, l);
    }
    return NULL;
}
