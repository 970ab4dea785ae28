/* json_result.c - what charts say of a problem, as one line of JSON.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "io/json/json_result.h"
#include "io/json/json_structures.h"
#include "io/json/labels.h"
#include "io/values.h"
#include "rules/table.h"

void tz_json_scratch_free(tz_json_scratch *scratch) {
    TZ_FREE_BUFFERS(&scratch->number, &scratch->open, &scratch->order);
}

/* ---- Value --------------------------------------------------------------------------------- */

/* The largest power of two to which every whole number is an element of its own. */
static double most_exact(const tz_semiring *semiring) {
    const bool floats = semiring->size <= sizeof(float) * tz_semiring_numbers(semiring);
    return floats ? 16777216.0 : 9007199254740992.0;
}

/* A number, or a truth. */
static void put_number(tz_text *text, const tz_semiring *semiring, double value) {
    if (semiring->gives == TZ_GIVES_TRUTH)
        tz_text_put(text, value != 0 ? "true" : "false");
    else
        tz_text_number(text, value);
}

/* count: whether the number is one. */
static void put_rounded(tz_text *text, const tz_semiring *semiring, bool count, double largest) {
    if (count && largest > most_exact(semiring)) {
        tz_json_key(text, "rounded");
        tz_text_put(text, "true");
    }
}

/* Room for so many numbers; NULL: out of memory. */
static double *reserve_numbers(const tz_json_answer *to, size_t count) {
    tz_buffer *number = &to->scratch->number;
    return tz_buffer_reserve(number, count + 1, sizeof(double)) == TZ_OK ? number->data : NULL;
}

/* An element: a number, or a list; groups of `each` numbers are lists of their own. */
static void put_element(tz_text *text, const tz_semiring *semiring, const double *number,
                        size_t count) {
    const size_t each = semiring->each;
    if (!tz_is_list(semiring)) {
        put_number(text, semiring, number[0]);
        return;
    }
    tz_text_put(text, "[");
    for (size_t i = 0; i < count; i++) {
        tz_text_put(text, i > 0 ? "," : "");
        tz_text_put(text, each > 1 && i % each == 0 ? "[" : "");
        tz_text_number(text, number[i]);
        tz_text_put(text, each > 1 && i % each + 1 == each ? "]" : "");
    }
    tz_text_put(text, "]");
}

tz_status tz_json_value(const tz_json_answer *to, double log_q, const tz_chart *chart, size_t lane,
                        bool *ret_none) {
    const tz_semiring *semiring = to->semiring;
    const tz_json_problem *p = to->problem;
    double *number = reserve_numbers(to, tz_semiring_numbers(semiring));
    size_t count;
    if (number == NULL)
        return TZ_NO_MEMORY;
    tz_status status = tz_read_value(semiring, log_q, chart, lane, number, &count, ret_none);
    if (status != TZ_OK)
        return status;
    tz_json_key(to->text, tz_is_list(semiring) ? "values" : "value");
    put_element(to->text, semiring, number, count);
    put_rounded(to->text, semiring, semiring->gives == TZ_GIVES_NUMBER, number[0]);
    for (size_t i = 1; semiring->number_name != NULL && i < semiring->numbers; i++) {
        const char *name = semiring->number_name[i];
        size_t input = tz_find_input(semiring, name);
        if (input < semiring->inputs && !tz_input_given(&p->problem, p->weights, input))
            continue;
        tz_json_key(to->text, tz_number_key(name));
        tz_text_number(to->text, number[i]);
        put_rounded(to->text, semiring, strcmp(tz_number_key(name), "count") == 0, number[i]);
    }
    return TZ_OK;
}

/* ---- Amounts ------------------------------------------------------------------------------- */

/* A charged goal: its index without an amount, which is the last, and the largest of these. */
typedef struct goal {
    size_t item;
    int32_t index[TZ_MAX_RANK];
    int32_t *amount, limit;
} goal;

static tz_status find_goal(const tz_json_answer *to, goal *ret) {
    unsigned rank;
    tz_status status = tz_rules_goal(to->rules, to->lengths, &ret->item, &rank, ret->index);
    if (status == TZ_OK) {
        ret->amount = &ret->index[rank - 1];
        ret->limit = *ret->amount;
    }
    return status;
}

tz_status tz_json_amounts(const tz_json_answer *to, const tz_chart *chart, size_t lane) {
    double *number = reserve_numbers(to, tz_semiring_numbers(to->semiring)), largest = 0;
    size_t count;
    goal goal;
    tz_status status = number != NULL ? find_goal(to, &goal) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    tz_json_key(to->text, "values");
    tz_text_put(to->text, "[");
    for (*goal.amount = 0; *goal.amount <= goal.limit && status == TZ_OK; ++*goal.amount) {
        status = tz_item_values(chart, lane, goal.item, goal.index, number, &count);
        if (status != TZ_OK)
            break;
        tz_json_next(to->text);
        put_element(to->text, to->semiring, number, count);
        largest = number[0] > largest ? number[0] : largest;
    }
    tz_text_put(to->text, "]");
    put_rounded(to->text, to->semiring, to->semiring->gives == TZ_GIVES_NUMBER, largest);
    return status;
}

tz_status tz_json_best_amounts(tz_json_answer *to, tz_chart *chart, size_t lane) {
    const tz_derivation *derivation;
    goal goal;
    tz_status status = find_goal(to, &goal);
    if (status != TZ_OK)
        return status;
    tz_json_key(to->text, "best");
    tz_text_put(to->text, "[");
    for (*goal.amount = 0; *goal.amount <= goal.limit && status == TZ_OK; ++*goal.amount) {
        double value;
        status = tz_item_value(chart, lane, goal.item, goal.index, false, &value);
        if (status == TZ_OK)
            status = value == -INFINITY ? TZ_NONE
                                        : tz_best(chart, lane, goal.item, goal.index, &derivation);
        if (status == TZ_OK) {
            tz_json_structure(to, 0, derivation);
        } else if (status == TZ_NONE) {
            tz_json_next(to->text);
            tz_text_put(to->text, "null");
            status = TZ_OK;
        }
    }
    tz_text_put(to->text, "]");
    return status;
}

/* ---- Numbers of cells and items ------------------------------------------------------------ */

/* Dimension q and those after it: at most TZ_MAX_RANK deep. */
static const double *put_array(tz_text *text, const tz_semiring *semiring, const tz_shape *shape,
                               unsigned q, const double *number) {
    if (q == shape->rank) {
        put_number(text, semiring, *number);
        return number + 1;
    }
    tz_text_put(text, "[");
    for (int32_t i = 0; i < shape->extent[q]; i++) {
        if (i > 0)
            tz_text_put(text, ",");
        number = put_array(text, semiring, shape, q + 1, number);
    }
    tz_text_put(text, "]");
    return number;
}

static void put_entries(tz_text *text, const tz_json_problem *p, size_t which, unsigned rank,
                        const double *number) {
    const tz_scores *scores = &p->scores[which];
    tz_text_put(text, "[");
    for (size_t e = 0; e < scores->entries; e++) {
        tz_text_put(text, e > 0 ? ",[" : "[");
        tz_json_weight_indices(text, p->rules, which, scores->index + e * rank, rank);
        tz_text_put(text, rank > 0 ? "," : "");
        tz_text_number(text, number[e]);
        tz_text_put(text, "]");
    }
    tz_text_put(text, "]");
}

/* The shape of a weight's array as it was given, and how many numbers it has: the product is that
 * of an array that has been read, so it fits. */
static size_t shape_of_weight(const tz_json_problem *p, size_t w, tz_shape *ret) {
    const tz_weight *weight = &p->weight[w];
    size_t count = 1;
    *ret = (tz_shape){.rank = weight->rank, .sparse = weight->sparse};
    for (unsigned q = 0; q < weight->rank && !weight->sparse; q++)
        count *= (size_t)(ret->extent[q] = p->extent[w][q]);
    return weight->sparse ? p->scores[w].entries : count;
}

static tz_status shape_of_items(const tz_json_problem *p, size_t item, tz_shape *ret,
                                size_t *ret_count) {
    tz_status status = tz_rules_shape(p->rules, TZ_ITEM + item, p->lengths, ret);
    *ret_count = 1;
    for (unsigned q = 0; q < ret->rank && status == TZ_OK; q++)
        if (__builtin_mul_overflow(*ret_count, (size_t)ret->extent[q], ret_count))
            status = TZ_TOO_LARGE;
    return status;
}

/* {"arc":[[..],..],..}, in the shape of the input, or {"at":[..],..}. */
static tz_status put_numbers(const tz_json_answer *to, const tz_question *question,
                             const tz_asking *a) {
    const tz_json_problem *p = to->problem;
    const bool items = question->form == TZ_FORM_ITEMS;
    const size_t all = items ? to->questions->wanted[TZ_ASK_ITEMS] : p->weights;
    tz_text *text = to->text;
    const char *separator = "\"";
    tz_json_key(text, question->key);
    tz_text_put(text, "{");
    for (size_t i = 0; i < all; i++) {
        const size_t which = items ? to->questions->item[i] : i;
        tz_shape shape;
        size_t count;
        tz_status status = TZ_OK;
        if (!items && p->scores[i].data == NULL && !tz_weight_used(p->rules, (unsigned)i))
            continue;
        if (items)
            status = shape_of_items(p, which, &shape, &count);
        else
            count = shape_of_weight(p, which, &shape);
        double *number = status == TZ_OK ? reserve_numbers(to, count) : NULL;
        if (number == NULL)
            return status == TZ_OK ? TZ_NO_MEMORY : status;
        for (size_t c = 0; c < count; c++)
            number[c] = question->nothing;
        const tz_output output = tz_output_dense(&shape, number);
        status = question->numbers(a->chart, a->lane, question->first + which, &output);
        if (status != TZ_OK)
            return status;
        tz_text_put(text, separator);
        tz_text_put(text, items ? p->rules->item[which].name : p->weight[which].name);
        tz_text_put(text, "\":");
        separator = ",\"";
        if (shape.sparse)
            put_entries(text, p, which, shape.rank, number);
        else
            put_array(text, to->semiring, &shape, 0, number);
    }
    tz_text_put(text, "}");
    return TZ_OK;
}

/* ---- Lines --------------------------------------------------------------------------------- */

static void put_id(tz_text *text, const tz_json_problem *p) {
    if (p->id.size > 0) {
        tz_json_key(text, "id");
        tz_text_add(text, p->id.data, p->id.size);
    }
}

static void put_none(tz_text *text, const char *key) {
    tz_json_key(text, key);
    tz_text_put(text, "null");
}

void tz_json_open(tz_text *text, const tz_json_problem *p) {
    tz_text_clear(text);
    put_id(text, p);
    for (uint16_t l = 0; l < p->rules->lengths; l++) {
        tz_json_key(text, p->rules->length_name[l]);
        tz_text_number(text, p->lengths[l]);
    }
    if (p->words.size > 0) {
        tz_json_key(text, "words");
        tz_text_add(text, p->words.data, p->words.size);
    }
}

tz_status tz_json_asked(tz_json_answer *to, const tz_asking *a) {
    tz_status status = TZ_OK;
    for (tz_ask which = 0; which < TZ_QUESTIONS && status == TZ_OK; which++) {
        const tz_question *question = &tz_question_table[which];
        if (tz_asked(to->questions, which) == 0)
            continue;
        if (question->numbers == NULL)
            status = tz_json_derivations(
                to->text, which, a,
                question->form == TZ_FORM_TREE ? tz_json_tree : tz_json_structure, to);
        else if (a->none && question->outside)
            put_none(to->text, question->key);
        else
            status = put_numbers(to, question, a);
    }
    return status;
}

void tz_json_limited(tz_json_answer *to, const char *resource, const tz_limited *opt_limited) {
    static const char *const path[] = {
        [TZ_BY_BISECTION] = "bisection", [TZ_BY_PRUNING] = "pruned", [TZ_BY_CHARGE] = "charged"};
    tz_text *text = to->text;
    const char *best = tz_question_table[TZ_ASK_BEST].key;
    bool asked = to->questions->wanted[TZ_ASK_BEST] > 0;
    tz_json_key(text, "value");
    tz_text_number(text, opt_limited != NULL ? opt_limited->score : -INFINITY);
    if (opt_limited == NULL) {
        if (asked)
            put_none(text, best);
        put_none(text, "limit");
        return;
    }
    if (asked) {
        tz_json_key(text, best);
        tz_json_structure(to, 0, opt_limited->derivation);
    }
    tz_json_key(text, "limit");
    tz_text_put(text, "{\"");
    tz_text_put(text, resource);
    tz_text_put(text, "\":");
    tz_text_number(text, (double)opt_limited->amount);
    tz_json_key(text, "bound");
    tz_text_number(text, opt_limited->bound);
    tz_json_key(text, "steps");
    tz_text_number(text, opt_limited->steps);
    tz_json_key(text, "path");
    tz_text_put(text, "\"");
    tz_text_put(text, path[opt_limited->path]);
    tz_text_put(text, "\"}");
}

tz_status tz_json_probability(const tz_json_answer *to, const tz_asking *a) {
    const tz_json_facts *facts = &to->problem->facts;
    tz_text *text = to->text;
    double score, log_probability;
    tz_status status = a->none ? TZ_NONE
                               : tz_structure(a->chart, a->lane, facts->use, facts->uses, &score,
                                              &log_probability, a->error);
    if (status == TZ_NONE)
        put_none(text, "structure");
    if (status != TZ_OK)
        return status == TZ_NONE ? TZ_OK : status;
    tz_json_key(text, "structure");
    tz_text_put(text, "{\"score\":");
    tz_text_number(text, score);
    tz_json_key(text, "log_probability");
    tz_text_number(text, log_probability);
    tz_text_put(text, "}");
    return TZ_OK;
}

tz_status tz_json_close(tz_text *text) {
    tz_text_put(text, "}\n");
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}

tz_status tz_json_failure(tz_text *text, const tz_json_problem *p, const char *message) {
    tz_text_clear(text);
    put_id(text, p);
    tz_json_key(text, "error");
    tz_text_quote(text, message, strlen(message));
    tz_text_put(text, "}\n");
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}
