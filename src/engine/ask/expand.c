/* expand.c - see expand.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/expand.h"
#include "engine/chart/weights.h"
#include "engine/layout/scores.h"
#include "engine/pass/contract.h"

enum {
    PART = TZ_MAX_TERMS, /* of a strip at once, instances */
    MANY = 8             /* for which a block takes less time */
};

static inline const struct tz_strip_chart *strips_of(const tz_chart *chart) {
    return chart->trace.strips[TZ_LISTED];
}

tz_status tz_expand_prepare(tz_chart *chart, size_t lane) {
    const tz_plan *plan = chart->plan;
    tz_status status = tz_strips_prepare(chart, TZ_LISTED, lane);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->trace.products, PART + 1, plan->wide.size);
    const unsigned steps = plan->sparse_terms > 0 ? plan->rules->steps : 0;
    for (unsigned s = 0; s < steps && status == TZ_OK; s++)
        status = tz_entries_sort(chart, &plan->trace[s], lane);
    return status;
}

/* ---- Which instances ---------------------------------------------------------------------------
 */

/* Enters the next strip that has entries for its sparse weights; false past the last. */
static bool next_strip(tz_expansion *e) {
    while (e->next < e->end) {
        e->at.strip = e->next++;
        for (unsigned q = 2 * strips_of(e->chart)->plan->pairs; q < e->at.strip->width; q++)
            e->at.at[q] = 0;
        if (tz_strip_holds(e->at.strip, e->at.at) &&
            (e->at.strip->sparse == 0 ||
             tz_entry_walk_start(&e->entries, e->chart, tz_instance_step(e->chart, &e->at), e->lane,
                                 e->column)))
            return true;
    }
    return false;
}

/* Starts the loops around the last one of the strip, for its present entries. */
static void start_loops(tz_expansion *e) {
    const tz_strip *strip = e->at.strip;
    e->loops.strip = strip;
    e->loops.started = false;
    if (strip->sparse == 0)
        return;
    const unsigned pairs = strips_of(e->chart)->plan->pairs;
    const unsigned rank = tz_instance_step(e->chart, &e->at)->target.rank;
    for (unsigned x = 0; x < strip->width - 2 * pairs - strip->outers; x++)
        e->at.at[2 * pairs + x] = (uint64_t)e->column[rank + x];
    memcpy(e->at.entry, e->entries.entry, sizeof e->at.entry);
}

/* Moves on to the next point of these loops, the next entries, or the next strip. */
static bool next_point(tz_expansion *e) {
    while (e->at.strip == NULL || !tz_loops_next(&e->loops, e->at.at)) {
        bool more = e->at.strip != NULL && e->at.strip->sparse > 0 &&
                    tz_entry_walk_next(&e->entries, e->column);
        if (!more && !next_strip(e))
            return false;
        start_loops(e);
    }
    return true;
}

/* ---- Their products ---------------------------------------------------------------------------
 */

/* Does an operand, part `part` of its strip, stand in a space at the address that its form gives?
 * If not, it is an entry, or a weight that has no place. */
static inline bool is_placed(const tz_chart *chart, const tz_strip *strip, unsigned part) {
    return part < strip->premises || !chart->layout.weight_box[strip->which[part]].absent;
}

static inline const char *placed(const tz_chart *chart, size_t lane, const tz_instance *instance,
                                 const uint64_t *form) {
    return (const char *)(uintptr_t)(tz_form_at(form, instance->at, instance->strip->width) +
                                     form[0] * (uint64_t)instance->turn) +
           lane * chart->algebra->size;
}

const void *tz_instance_operand(tz_chart *chart, size_t lane, const tz_instance *instance,
                                unsigned operand, void *room) {
    const tz_strip *strip = instance->strip;
    const unsigned part = strip->part[operand];
    if (is_placed(chart, strip, part))
        return placed(chart, lane, instance, tz_strip_operand(strip, operand));
    const unsigned w = part - strip->premises;
    const size_t entry = w < strip->sparse ? instance->entry[w] : 0;
    if (w < strip->sparse && !chart->plan->plain)
        return tz_entry_element(chart, lane, strip->which[part], entry);
    const tz_use use = tz_instance_use(chart, lane, instance, w);
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        index[q] = use.index[q];
    tz_lift_cell(chart, lane, use.weight, index, entry, room, NULL);
    return room;
}

static void fill_block(const tz_expansion *e, const char *const *base, const ptrdiff_t *change) {
    tz_operand operand[TZ_MAX_TERMS];
    for (unsigned o = 0; o < e->at.strip->operands; o++)
        operand[o] =
            (tz_operand){.base = base[o], .run = change[o] / (ptrdiff_t)e->chart->algebra->size};
    tz_block block = {.target = e->chart->trace.products.data,
                      .run = 1,
                      .splits = 1,
                      .width = e->count,
                      .lanes = 1,
                      .outer = operand,
                      .outers = e->at.strip->operands,
                      .bundle = 1,
                      .first_write = 1};
    tz_contract(e->chart, &block, 1);
}

/* Fills in the elements of a part, by a block where that is shorter. What needs gathering goes
 * instance by instance. */
static void fill(tz_expansion *e) {
    const tz_algebra *algebra = e->chart->algebra;
    const tz_strip *strip = e->at.strip;
    const size_t size = algebra->size;
    char *const product = e->chart->trace.products.data;
    const char *base[TZ_MAX_TERMS];
    ptrdiff_t change[TZ_MAX_TERMS];
    e->element = product;
    const uint64_t *form = tz_strip_operand(strip, 0);
    for (unsigned o = 0; o < strip->operands; o++, form += 2 + strip->width) {
        change[o] = (ptrdiff_t)form[0];
        if (is_placed(e->chart, strip, strip->part[o])) {
            base[o] = placed(e->chart, e->lane, &e->at, form);
            continue;
        }
        char *room = product + (1 + o) * size;
        base[o] = tz_instance_operand(e->chart, e->lane, &e->at, o, room);
        change[o] = 0;
        if (base[o] == room)
            e->count = 1;
    }
    if (e->count >= MANY) {
        fill_block(e, base, change);
        return;
    }
    for (size_t x = 0; x < e->count; x++) {
        char *to = product + x * size;
        memcpy(to, algebra->one, size);
        for (unsigned o = 0; o < strip->operands; o++, base[o - 1] += change[o - 1])
            algebra->semiring->times(algebra->semiring, to, to, base[o]);
    }
}

void tz_expand_start(tz_expansion *e, tz_chart *chart, size_t lane, unsigned kind,
                     const int32_t *index) {
    const struct tz_strip_chart *strips = strips_of(chart);
    e->chart = chart;
    e->lane = lane;
    e->next = strips->kind[kind].strip;
    e->end = e->next + strips->kind[kind].strips;
    e->count = 0;
    e->in_strip = false;
    e->at.strip = NULL;
    e->at.turn = 0;
    tz_item_numbers(strips, index, e->at.at);
    for (unsigned q = 0; q < chart->plan->rules->kind[kind].rank; q++)
        e->column[q] = index[q];
}

bool tz_expand_next(tz_expansion *e) {
    e->at.turn += (int64_t)e->count;
    while (!e->in_strip || e->at.turn > e->high) {
        if (!next_point(e))
            return false;
        e->in_strip = tz_strip_turns(e->at.strip, e->at.at, &e->at.turn, &e->high) != NULL;
    }
    const int64_t left = e->high - e->at.turn;
    e->count = left < PART ? (size_t)left + 1 : PART;
    fill(e);
    return true;
}

/* ---- What they are made of --------------------------------------------------------------------
 */

const tz_bound_step *tz_instance_step(const tz_chart *chart, const tz_instance *instance) {
    const struct tz_strip_chart *strips = strips_of(chart);
    return strips->plan->step[instance->strip - strips->strip];
}

/* The columns of its step's nest. */
static void find_columns(const tz_chart *chart, size_t lane, const tz_instance *instance,
                         int64_t *ret) {
    const tz_strip *strip = instance->strip;
    const tz_bound_step *step = tz_instance_step(chart, instance);
    const unsigned rank = step->target.rank, pairs = strips_of(chart)->plan->pairs;
    unsigned columns = rank;
    for (unsigned q = 0; q < rank; q++)
        ret[q] = (int64_t)(instance->at[q] - (q % 2 == 0 ? TZ_PAIR_BIAS : 0));
    for (unsigned x = 2 * pairs; x < strip->width; x++)
        ret[columns++] = (int64_t)instance->at[x];
    if (step->nest->loops == 0)
        return;
    ret[columns] = instance->turn;
    if (strip->lowers == 0) /* turns count from it */
        ret[columns] +=
            tz_form_value(&step->nest->range[step->nest->loops - 1].lower->form,
                          chart->plan->rules->lengths, tz_lane_length(chart, lane), columns, ret);
}

bool tz_instance_before(const tz_chart *chart, size_t lane, const tz_instance *a,
                        const tz_instance *b) {
    const unsigned lengths = chart->plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, lane);
    int64_t column[2][TZ_MAX_COLUMNS];
    const tz_nest *nest[2];
    if (a->strip->rule != b->strip->rule)
        return a->strip->rule < b->strip->rule;
    for (unsigned i = 0; i < 2; i++) {
        nest[i] = tz_instance_step(chart, i == 0 ? a : b)->nest;
        find_columns(chart, lane, i == 0 ? a : b, column[i]);
    }
    for (unsigned v = 0; v < nest[0]->variables; v++) {
        int64_t value[2];
        for (unsigned i = 0; i < 2; i++)
            value[i] = tz_form_value(&nest[i]->variable[v], lengths, length,
                                     (unsigned)nest[i]->givens + nest[i]->loops, column[i]);
        if (value[0] != value[1])
            return value[0] < value[1];
    }
    return false;
}

/* Index values whose pairs have these forms. */
static void find_index(const tz_chart *chart, const tz_instance *instance, const uint64_t *form,
                       int32_t *ret) {
    const unsigned pairs = strips_of(chart)->plan->pairs, width = instance->strip->width;
    memset(ret, 0, TZ_MAX_RANK * sizeof *ret);
    for (unsigned p = 0; p < pairs; p++, form += 2 + width)
        tz_pair_write(tz_form_at(form, instance->at, width) + form[0] * (uint64_t)instance->turn, p,
                      ret);
}

/* Words that the forms of an index take. */
static size_t index_words(const tz_chart *chart, const tz_strip *strip) {
    return strips_of(chart)->plan->pairs * (2u + strip->width);
}

bool tz_instance_steady(const tz_chart *chart, const tz_instance *instance) {
    const tz_strip *strip = instance->strip;
    const uint64_t *end = strip->weight + strip->weights * index_words(chart, strip);
    for (const uint64_t *form = strip->weight; form < end; form += 2 + strip->width)
        if (form[0] != 0)
            return false;
    return true;
}

void tz_instance_premise(const tz_chart *chart, const tz_instance *instance, unsigned premise,
                         int32_t *ret_index) {
    const tz_strip *strip = instance->strip;
    find_index(chart, instance, strip->premise + premise * index_words(chart, strip), ret_index);
}

tz_use tz_instance_use(const tz_chart *chart, size_t lane, const tz_instance *instance,
                       unsigned w) {
    const tz_strip *strip = instance->strip;
    tz_use use = {.weight = strip->which[strip->premises + w]};
    find_index(chart, instance, strip->weight + w * index_words(chart, strip), use.index);
    if (w < strip->sparse)
        use.score = tz_entry_score(tz_lane_weight(chart, lane, use.weight), instance->entry[w]);
    return use;
}
