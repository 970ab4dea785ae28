/* json_result.c - what charts say of a problem, as one line of JSON.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/json/inputs.h"
#include "io/json/json_result.h"
#include "io/json/json_structures.h"
#include "io/json/labels.h"
#include "rules/table.h"

void tz_json_scratch_free(tz_json_scratch *scratch) {
    free(scratch->number);
    free(scratch->open);
    free(scratch->order);
    *scratch = (tz_json_scratch){0};
}

/* ---- Value --------------------------------------------------------------------------------- */

/* The largest power of two to which every whole number is an element of its own. */
static double most_exact(const tz_semiring *semiring) {
    return semiring->size == sizeof(float) ? 16777216.0 : 9007199254740992.0;
}

/* A number, or a truth. */
static void put_number(tz_text *text, const tz_semiring *semiring, double value) {
    if (semiring->gives == TZ_GIVES_TRUTH)
        tz_text_put(text, value != 0 ? "true" : "false");
    else
        tz_text_number(text, value);
}

static void put_rounded(tz_text *text, const tz_semiring *semiring, double largest) {
    if (semiring->gives == TZ_GIVES_NUMBER && largest > most_exact(semiring)) {
        tz_json_key(text, "rounded");
        tz_text_put(text, "true");
    }
}

/* Is the semiring's element a list? */
static bool is_list(const tz_semiring *semiring) {
    return semiring->values != NULL && semiring->number_name == NULL;
}

static tz_status reserve_numbers(tz_json_scratch *scratch, size_t count) {
    void *number = scratch->number;
    if (!tz_grow(&number, &scratch->number_capacity, count + 1, sizeof *scratch->number))
        return TZ_NO_MEMORY;
    scratch->number = number;
    return TZ_OK;
}

/* Groups of `each` numbers are lists of their own. */
static void put_list(tz_text *text, const double *number, size_t count, size_t each) {
    tz_text_put(text, "[");
    for (size_t i = 0; i < count; i++) {
        tz_text_put(text, i > 0 ? "," : "");
        tz_text_put(text, each > 1 && i % each == 0 ? "[" : "");
        tz_text_number(text, number[i]);
        tz_text_put(text, each > 1 && i % each + 1 == each ? "]" : "");
    }
    tz_text_put(text, "]");
}

/* The numbers after the first by name. */
static void put_named(tz_text *text, const tz_semiring *semiring, const tz_json_problem *p,
                      const double *number, double log_q, bool none) {
    for (size_t i = 1; i < semiring->numbers; i++) {
        const char *name = semiring->number_name[i];
        size_t input = tz_find_input(semiring, name);
        if (input < semiring->inputs && !tz_input_given(&p->problem, p->weights, input))
            continue;
        bool q = strcmp(name, "q") == 0;
        double value = q ? tz_divergence(log_q, number[1], number[i]) : number[i];
        tz_json_key(text, tz_number_key(name));
        tz_text_number(text, none ? -INFINITY : value);
    }
}

tz_status tz_json_value(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *problem,
                        const tz_semiring *semiring, double log_q, const tz_chart *chart,
                        size_t lane, bool *ret_none) {
    size_t count;
    tz_status status = reserve_numbers(scratch, tz_semiring_numbers(semiring));
    if (status == TZ_OK)
        status = tz_item_values(chart, lane, TZ_GOAL, NULL, scratch->number, &count);
    if (status != TZ_OK)
        return status;
    const double *number = scratch->number;
    *ret_none = count == 0 || (semiring->gives == TZ_GIVES_SCORE && number[0] == -INFINITY);
    tz_json_key(text, is_list(semiring) ? "values" : "value");
    if (is_list(semiring))
        put_list(text, number, count, semiring->each);
    else
        put_number(text, semiring, number[0]);
    put_rounded(text, semiring, number[0]);
    if (semiring->number_name != NULL)
        put_named(text, semiring, problem, number, log_q, *ret_none);
    return TZ_OK;
}

tz_status tz_json_amounts(tz_text *text, tz_json_scratch *scratch, const tz_semiring *semiring,
                          const tz_rules *charged, const int32_t *lengths, const tz_chart *chart,
                          size_t lane) {
    size_t item, count;
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    double largest = 0;
    tz_status status = reserve_numbers(scratch, tz_semiring_numbers(semiring));
    if (status == TZ_OK)
        status = tz_rules_goal(charged, lengths, &item, &rank, index);
    if (status != TZ_OK)
        return status;
    int32_t limit = index[rank - 1];
    tz_json_key(text, "values");
    tz_text_put(text, "[");
    for (int32_t amount = 0; amount <= limit && status == TZ_OK; amount++) {
        index[rank - 1] = amount;
        status = tz_item_values(chart, lane, item, index, scratch->number, &count);
        tz_text_put(text, amount > 0 ? "," : "");
        if (status == TZ_OK && is_list(semiring))
            put_list(text, scratch->number, count, semiring->each);
        else if (status == TZ_OK)
            put_number(text, semiring, scratch->number[0]);
        largest = status == TZ_OK && scratch->number[0] > largest ? scratch->number[0] : largest;
    }
    tz_text_put(text, "]");
    put_rounded(text, semiring, largest);
    return status;
}

tz_status tz_json_best_amounts(tz_text *text, const tz_json_paths *paths, const tz_rules *charged,
                               const int32_t *lengths, tz_chart *chart, size_t lane) {
    const tz_derivation *derivation;
    size_t item;
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    tz_status status = tz_rules_goal(charged, lengths, &item, &rank, index);
    if (status != TZ_OK)
        return status;
    int32_t limit = index[rank - 1];
    tz_json_key(text, "best");
    tz_text_put(text, "[");
    for (int32_t amount = 0; amount <= limit && status == TZ_OK; amount++) {
        index[rank - 1] = amount;
        double value;
        status = tz_item_value(chart, lane, item, index, false, &value);
        if (status == TZ_OK && value == -INFINITY)
            status = TZ_NONE;
        if (status == TZ_OK)
            status = tz_best(chart, lane, item, index, &derivation);
        tz_json_listed(text, amount == 0, paths, status == TZ_OK ? derivation : NULL);
        status = status == TZ_NONE ? TZ_OK : status;
    }
    tz_text_put(text, "]");
    return status;
}

/* ---- One number for each cell of a weight -------------------------------------------------- */

/* Dimension q and those after it: at most TZ_MAX_RANK deep. opt_values: whose values they are. */
static const double *put_array(tz_text *text, const tz_semiring *opt_values, const int32_t *extent,
                               unsigned rank, unsigned q, const double *number) {
    if (q == rank) {
        if (opt_values != NULL)
            put_number(text, opt_values, *number);
        else
            tz_text_number(text, *number);
        return number + 1;
    }
    tz_text_put(text, "[");
    for (int32_t i = 0; i < extent[q]; i++) {
        if (i > 0)
            tz_text_put(text, ",");
        number = put_array(text, opt_values, extent, rank, q + 1, number);
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

typedef tz_status (*question)(tz_chart *chart, size_t problem, size_t weight,
                              const tz_output *output);

/* {"arc":[[..],..],..} in the shape of the input; `outside` stands where the chart writes none. */
static tz_status put_cells(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *p,
                           const char *key, question ask, double outside, tz_chart *chart,
                           size_t lane) {
    const char *separator = "{\"";
    tz_json_key(text, key);
    for (uint16_t w = 0; w < p->weights; w++) {
        const tz_weight *weight = &p->weight[w];
        const tz_scores *scores = &p->scores[w];
        if (scores->data == NULL && !tz_weight_used(p->rules, w))
            continue;
        size_t count = weight->sparse ? scores->entries : 1;
        /* The product is that of an array that has been read, so it fits. */
        for (unsigned q = 0; q < weight->rank && !weight->sparse; q++)
            count *= (size_t)p->extent[w][q];

        if (reserve_numbers(scratch, count) != TZ_OK)
            return TZ_NO_MEMORY;
        for (size_t i = 0; i < count; i++)
            scratch->number[i] = outside;
        tz_output output = {.data = scratch->number};
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            output.stride[q] = scores->stride[q];
        tz_status status = ask(chart, lane, w, &output);
        if (status != TZ_OK)
            return status;

        tz_text_put(text, separator);
        tz_text_put(text, weight->name);
        tz_text_put(text, "\":");
        separator = ",\"";
        if (weight->sparse)
            put_entries(text, p, w, weight->rank, scratch->number);
        else
            put_array(text, NULL, p->extent[w], weight->rank, 0, scratch->number);
    }
    tz_text_put(text, *separator == '{' ? "{}" : "}");
    return TZ_OK;
}

/* {"at":[..],..}: a number for each item of the names that are questions, asked about as first +
 * its number. opt_values: as above. */
static tz_status put_items(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *p,
                           const tz_questions *questions, const char *key, question ask,
                           size_t first, const tz_semiring *opt_values, tz_chart *chart,
                           size_t lane) {
    tz_json_key(text, key);
    tz_text_put(text, "{");
    for (size_t i = 0; i < questions->items; i++) {
        tz_shape shape;
        size_t count = 1;
        tz_status status =
            tz_rules_shape(p->rules, TZ_ITEM + questions->item[i], p->lengths, &shape);
        if (status != TZ_OK)
            return status;
        for (unsigned q = 0; q < shape.rank; q++)
            if (__builtin_mul_overflow(count, (size_t)shape.extent[q], &count))
                return TZ_TOO_LARGE;
        if (reserve_numbers(scratch, count) != TZ_OK)
            return TZ_NO_MEMORY;
        tz_output output = tz_output_dense(&shape, scratch->number);
        status = ask(chart, lane, first + questions->item[i], &output);
        if (status != TZ_OK)
            return status;
        tz_text_put(text, i > 0 ? ",\"" : "\"");
        tz_text_put(text, p->rules->item[questions->item[i]].name);
        tz_text_put(text, "\":");
        put_array(text, opt_values, shape.extent, shape.rank, 0, scratch->number);
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

/* The arrays of marginals and max-marginals, of weights and of items. */
static tz_status put_marginals(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *p,
                               const tz_questions *questions, tz_chart *chart, size_t lane,
                               bool none) {
    static const struct {
        const char *key, *items_key;
        question ask;
        double outside;
    } both[] = {
        {"marginals", "item_marginals", tz_marginals, 0},
        {"max_marginals", "item_max_marginals", tz_through, -INFINITY},
    };
    tz_status status = TZ_OK;
    for (size_t m = 0; m < 2 && status == TZ_OK; m++) {
        if (!(m == 0 ? questions->marginals : questions->max_marginals))
            continue;
        if (none)
            put_none(text, both[m].key);
        else
            status =
                put_cells(text, scratch, p, both[m].key, both[m].ask, both[m].outside, chart, lane);
        if (questions->items == 0 || status != TZ_OK)
            continue;
        if (none)
            put_none(text, both[m].items_key);
        else
            status = put_items(text, scratch, p, questions, both[m].items_key, both[m].ask, TZ_ITEM,
                               NULL, chart, lane);
    }
    return status;
}

tz_status tz_json_asked(tz_text *text, const tz_json_paths *paths, const tz_json_problem *p,
                        const tz_semiring *semiring, const tz_questions *questions, uint64_t seed,
                        tz_chart *chart, size_t lane, bool none) {
    tz_json_scratch *scratch = paths->scratch;
    const tz_derivation *derivation = NULL;
    tz_status status = TZ_OK;
    if (questions->items > 0)
        status =
            put_items(text, scratch, p, questions, "items", tz_items, 0, semiring, chart, lane);
    if (status != TZ_OK)
        return status;
    if (!none && (questions->best || questions->derivation))
        status = tz_best(chart, lane, TZ_GOAL, NULL, &derivation);
    if (status == TZ_OK && questions->best) {
        if (none)
            put_none(text, "best");
        else
            tz_json_structure(text, "best", paths, derivation);
    }
    if (status == TZ_OK && questions->kbest > 0 && none)
        tz_text_put(text, ",\"kbest\":[]");
    else if (status == TZ_OK && questions->kbest > 0)
        status = tz_json_kbest(text, paths, chart, lane, questions);
    if (status == TZ_OK && questions->samples > 0 && none)
        tz_text_put(text, ",\"samples\":[]");
    else if (status == TZ_OK && questions->samples > 0)
        status = tz_json_samples(text, paths, chart, lane, questions, seed);
    if (status == TZ_OK)
        status = put_marginals(text, scratch, p, questions, chart, lane, none);
    if (status == TZ_OK && questions->derivation) {
        if (none)
            put_none(text, "derivation");
        else
            status = tz_json_tree(text, scratch, p->rules, derivation);
    }
    return status;
}

void tz_json_limited(tz_text *text, const tz_json_paths *paths, const char *resource, bool best,
                     const tz_limited *opt_limited) {
    static const char *const path[] = {
        [TZ_BY_BISECTION] = "bisection", [TZ_BY_PRUNING] = "pruned", [TZ_BY_CHARGE] = "charged"};
    tz_json_key(text, "value");
    tz_text_number(text, opt_limited != NULL ? opt_limited->score : -INFINITY);
    if (opt_limited == NULL) {
        if (best)
            put_none(text, "best");
        put_none(text, "limit");
        return;
    }
    if (best)
        tz_json_structure(text, "best", paths, opt_limited->derivation);
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

void tz_json_optional(tz_text *text, const char *key, const tz_json_paths *paths,
                      const tz_derivation *opt_derivation) {
    if (opt_derivation == NULL)
        put_none(text, key);
    else
        tz_json_structure(text, key, paths, opt_derivation);
}

tz_status tz_json_probability(tz_text *text, const tz_json_facts *facts, tz_chart *chart,
                              size_t lane, bool none) {
    double score, log_probability;
    tz_status status =
        none ? TZ_NONE
             : tz_structure(chart, lane, facts->use, facts->uses, &score, &log_probability);
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
