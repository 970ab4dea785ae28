/* entries.c - see entries.h.
 *
 * What a step asks of an entry are equations between its indices and what is known before it: the
 * target's stage or indices, and entries of the sparse weights before it. So the entries of a term
 * are kept in the order of the values that their indices give to the equations, put together to
 * one number, and those that fit are found by a hash of that. SPDX-License-Identifier: MIT */
#include "engine/chart/entries.h"

#include <string.h>

#include "base/sort.h"
#include "engine/chart/facts.h"
#include "engine/chart/weights.h"
#include "engine/layout/indices.h"

/* ---- Elements -------------------------------------------------------------------------------- */

/* Where the elements of each lane's entries stand. *ret_shared: all weights' indices are the same
 * in all lanes. */
static tz_status place_entries(tz_chart *chart, bool *ret_shared) {
    const tz_rules *rules = chart->plan->rules;
    tz_entry_place *place = chart->entries.place.data;
    size_t count = 0;
    *ret_shared = true;
    for (unsigned w = 0; w < rules->weights; w++) {
        if (!rules->weight[w].sparse)
            continue;
        const tz_scores *first = &tz_lane_weight(chart, 0, w)->scores;
        bool shared = true;
        for (size_t lane = 1; lane < chart->lanes; lane++) {
            const tz_scores *scores = &tz_lane_weight(chart, lane, w)->scores;
            shared &= tz_same_entries(scores, first, rules->weight[w].rank);
        }
        *ret_shared &= shared;
        for (size_t lane = 0; lane < chart->lanes; lane++) {
            size_t entries = tz_lane_weight(chart, lane, w)->scores.entries, each = entries;
            place[lane * rules->weights + w] =
                (tz_entry_place){.first = shared ? count + lane : count, .shared = shared};
            if (shared && lane + 1 < chart->lanes)
                continue;
            if ((shared && __builtin_mul_overflow(entries, chart->lanes, &each)) ||
                __builtin_add_overflow(count, each, &count))
                return TZ_TOO_LARGE;
        }
    }
    chart->entries.count = count;
    return TZ_OK;
}

tz_status tz_lift_entries(tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    tz_status status =
        tz_buffer_reserve(&chart->entries.element, chart->entries.count, chart->algebra->size);
    if (status != TZ_OK)
        return status;
    for (unsigned w = 0; w < rules->weights; w++)
        for (size_t lane = 0; lane < chart->lanes && rules->weight[w].sparse; lane++)
            tz_lift_list(chart, lane, w, tz_entry_element(chart, lane, w, 0),
                         tz_entries_shared(chart, w) ? (ptrdiff_t)chart->lanes : 1);
    for (unsigned w = 0; w < rules->weights; w++)
        memset(tz_entries_gathered(chart, w), 0, 2 * sizeof(uint64_t));
    return TZ_OK;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* How the entries of a term were sorted. */
typedef struct finder {
    bool made;
    bool all;                  /* as they were given */
    uint32_t equations;        /* that make the key; the others are asked one by one */
    int64_t low[TZ_MAX_RANK];  /* least value of each equation */
    int64_t span[TZ_MAX_RANK]; /* how many values it has */
    size_t first, count;       /* in chart->entries.sorted */
    size_t slot;               /* in chart->entries.slot, a power of two of slots */
    unsigned bits;
} finder;

static finder *finder_of(const tz_chart *chart, const tz_tie *tie, size_t lane) {
    return (finder *)chart->entries.finder.data + lane * chart->plan->sparse_terms + tie->number;
}

/* Are the entries sorted already, and is what was made of them good? Where each lane has indices of
 * its own, these are not kept. */
static tz_status recognise(tz_chart *chart, const tz_problem *problem, bool shared,
                           bool *ret_sorted, bool *ret_listed) {
    tz_entry_memory *memory = &chart->entries;
    const tz_rules *rules = chart->plan->rules;
    const bool as_before = memory->lanes == chart->lanes && shared;
    const bool known = as_before && tz_indices_known(&memory->known, rules, problem);
    const bool lengths = chart->bound.same_lengths &&
                         tz_indices_known_lengths(&memory->known, rules, problem->lengths);
    if (chart->plan->sparse_terms == 0)
        return TZ_OK;
    memory->lanes = 0;
    *ret_sorted = known && (lengths || !chart->plan->tied_lengths);
    *ret_listed = known && lengths;
    if (shared && !(known && lengths)) {
        tz_status status = tz_indices_keep(&memory->known, rules, problem);
        if (status != TZ_OK)
            return status;
        if (!chart->bound.same_lengths) /* no problem has such a length */
            memory->known.length[0] = -1;
    }
    memory->lanes = shared ? chart->lanes : 0;
    return TZ_OK;
}

void tz_entries_lengthened(tz_chart *chart) {
    tz_entry_memory *memory = &chart->entries;
    enum { MOST_STALE = 1 << 20 }; /* moves of what was recorded, beside those of lists */
    memory->known.length[0] = -1;  /* no problem has such a length */
    memory->records = memory->blocks = memory->operands = 0;
    if (memory->moves > MOST_STALE)
        tz_entries_unlisted(chart);
}

void tz_entries_unlisted(tz_chart *chart) {
    tz_entry_memory *memory = &chart->entries;
    const size_t finders = chart->lanes * chart->plan->sparse_terms;
    for (size_t f = 0; f < finders; f++)
        ((tz_kept_choices *)memory->kept.data)[f].made = false;
    memory->moves = memory->records = memory->blocks = memory->operands = 0;
    memory->recording = false;
}

tz_status tz_entries_bound(tz_chart *chart, const tz_problem *problems) {
    size_t finders, places;
    bool shared, sorted = false, listed = false;
    if (__builtin_mul_overflow(chart->lanes, chart->plan->sparse_terms, &finders) ||
        __builtin_mul_overflow(chart->lanes, (size_t)chart->plan->rules->weights, &places))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&chart->entries.finder, finders, sizeof(finder));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->entries.place, places, sizeof(tz_entry_place));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->entries.kept, finders, sizeof(tz_kept_choices));
    if (status == TZ_OK)
        status = place_entries(chart, &shared);
    if (status == TZ_OK)
        status = recognise(chart, problems, shared, &sorted, &listed);
    if (status != TZ_OK) {
        chart->entries.lanes = 0;
        return status;
    }
    for (size_t f = 0; f < finders && !sorted; f++)
        ((finder *)chart->entries.finder.data)[f].made = false;
    if (!sorted)
        chart->entries.sorted_count = chart->entries.slots = 0;
    if (!listed)
        tz_entries_unlisted(chart);
    return TZ_OK;
}

static bool holds(const tz_constraint *constraint, int64_t value) {
    return constraint->relation == TZ_GE   ? value >= 0
           : constraint->relation == TZ_EQ ? value == 0
                                           : value != 0;
}

/* What an entry's own indices add to a form. */
static int64_t own_part(const tz_form *form, const tz_tie *tie, unsigned rank,
                        const int32_t *index) {
    int64_t sum = 0;
    for (unsigned q = 0; q < rank; q++)
        sum += (int64_t)form->column[tie->first + q] * index[q];
    return sum;
}

static bool allowed(const tz_tie *tie, unsigned lengths, const int32_t *length, unsigned rank,
                    const int32_t *index) {
    for (uint32_t c = 0; c < tie->own.count; c++) {
        const tz_form *form = &tie->own.at[c]->form;
        if (!holds(tie->own.at[c], tz_form_value(form, lengths, length, 0, NULL) +
                                       own_part(form, tie, rank, index)))
            return false;
    }
    return true;
}

/* As many equations as one key can hold. */
static void measure(finder *f, const tz_tie *tie, unsigned rank, const tz_scores *scores) {
    int64_t room = INT64_MAX;
    f->equations = 0;
    for (uint32_t c = 0; c < tie->equation.count && c < TZ_MAX_RANK; c++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (size_t e = 0; e < scores->entries; e++) {
            int64_t v = own_part(&tie->equation.at[c]->form, tie, rank, &scores->index[e * rank]);
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        if (low > high || high - low >= room)
            return;
        f->low[c] = low;
        f->span[c] = high - low + 1;
        room /= f->span[c];
        f->equations++;
    }
}

static uint64_t key_of(const finder *f, const tz_tie *tie, unsigned rank, const int32_t *index) {
    uint64_t key = 0;
    for (uint32_t c = 0; c < f->equations; c++)
        key = key * (uint64_t)f->span[c] +
              (uint64_t)(own_part(&tie->equation.at[c]->form, tie, rank, index) - f->low[c]);
    return key;
}

/* ---- Finding ---------------------------------------------------------------------------------
 *
 * Where the entries of a key begin stands in the first slot from the key's own on that is theirs or
 * nobody's. */

static const uint32_t NOWHERE = UINT32_MAX;

static uint32_t *slots_of(const tz_chart *chart, const finder *f) {
    return (uint32_t *)chart->entries.slot.data + f->slot;
}

static uint32_t *slot_of(const finder *f, uint32_t *slot, const tz_keyed *sorted, uint64_t key) {
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - f->bits));
    while (slot[at] != NOWHERE && sorted[slot[at]].key != key)
        at = (at + 1) & (((size_t)1 << f->bits) - 1);
    return &slot[at];
}

static tz_status fill_slots(tz_chart *chart, finder *f, const tz_keyed *sorted) {
    size_t most;
    if (f->equations == 0)
        return TZ_OK;
    for (f->bits = 1; f->bits < 33 && (size_t)1 << f->bits < 2 * f->count; f->bits++)
        ;
    f->slot = chart->entries.slots;
    if (f->bits == 33 || __builtin_add_overflow(f->slot, (size_t)1 << f->bits, &most))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_grow(&chart->entries.slot, most, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    chart->entries.slots = most;
    uint32_t *slot = slots_of(chart, f);
    memset(slot, 0xff, sizeof *slot << f->bits);
    for (size_t e = f->count; e-- > 0;)
        *slot_of(f, slot, sorted, sorted[e].key) = (uint32_t)e;
    return TZ_OK;
}

static tz_status sort_term(tz_chart *chart, const tz_bound_step *step, unsigned t, size_t lane) {
    const tz_tie *tie = &step->ties->term[t];
    const tz_bound_term *term = &step->term[t];
    unsigned lengths = chart->plan->rules->lengths, rank = term->rank;
    const int32_t *length = tz_lane_length(chart, lane);
    const tz_scores *scores = &tz_lane_weight(chart, lane, term->which)->scores;
    finder *f = finder_of(chart, tie, lane);
    /* Lanes often share a grammar. */
    if (lane > 0 && tz_entries_shared(chart, term->which) && finder_of(chart, tie, 0)->made &&
        (!step->ties->lengths || chart->bound.same_lengths)) {
        *f = *finder_of(chart, tie, 0);
        return TZ_OK;
    }
    *f = (finder){.made = true, .count = scores->entries};
    f->all = tie->own.count == 0 && tie->equation.count == 0;
    if (f->all)
        return TZ_OK;
    measure(f, tie, rank, scores);
    size_t count = chart->entries.sorted_count, most;
    if (__builtin_add_overflow(count, scores->entries, &most))
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_grow(&chart->entries.sorted, most, sizeof(tz_keyed));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&chart->entries.keyed, scores->entries, sizeof(tz_keyed));
    if (status != TZ_OK) {
        f->made = false;
        return status;
    }
    tz_keyed *sorted = (tz_keyed *)chart->entries.sorted.data + count;
    const tz_keyed *in_order = sorted;
    bool ascending = true;
    f->first = count;
    f->count = 0;
    for (size_t e = 0; e < scores->entries; e++) {
        const int32_t *index = &scores->index[e * rank];
        if (!allowed(tie, lengths, length, rank, index))
            continue;
        sorted[f->count] = (tz_keyed){key_of(f, tie, rank, index), e};
        ascending &= f->count == 0 || sorted[f->count - 1].key <= sorted[f->count].key;
        f->count++;
    }
    if (!ascending)
        in_order = tz_sort_keyed(sorted, chart->entries.keyed.data, f->count);
    if (in_order != sorted)
        memcpy(sorted, in_order, f->count * sizeof *sorted);
    chart->entries.sorted_count = count + f->count;
    status = fill_slots(chart, f, sorted);
    f->made = status == TZ_OK;
    return status;
}

tz_status tz_entries_sort(tz_chart *chart, const tz_bound_step *step, size_t lane) {
    tz_status status = TZ_OK;
    for (unsigned t = 0; t < step->step->sparse && status == TZ_OK; t++)
        if (!finder_of(chart, &step->ties->term[t], lane)->made)
            status = sort_term(chart, step, t, lane);
    return status;
}

/* ---- Walking --------------------------------------------------------------------------------- */

/* The entries of term t that fit what is known before it. */
static void enter(tz_entry_walk *w, unsigned t, const int64_t *column) {
    const tz_chart *chart = w->chart;
    const tz_tie *tie = &w->step->ties->term[t];
    const finder *f = finder_of(chart, tie, w->lane);
    unsigned lengths = chart->plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, w->lane);
    uint64_t key = 0;
    w->at[t] = 0;
    w->end[t] = f->count;
    if (f->equations == 0)
        return;
    for (uint32_t c = 0; c < f->equations; c++) {
        int64_t v =
            -tz_form_value(&tie->equation.at[c]->form, lengths, length, tie->first, column) -
            f->low[c];
        if (v < 0 || v >= f->span[c]) {
            w->end[t] = 0;
            return;
        }
        key = key * (uint64_t)f->span[c] + (uint64_t)v;
    }
    const tz_keyed *sorted = (const tz_keyed *)chart->entries.sorted.data + f->first;
    w->at[t] = *slot_of(f, slots_of(chart, f), sorted, key);
    w->at[t] = w->at[t] != NOWHERE ? w->at[t] : f->count;
    w->end[t] = w->at[t];
    while (w->end[t] < f->count && sorted[w->end[t]].key == key)
        w->end[t]++;
}

/* Takes the next entry of term t, and tells whether it fits all that is not sorted by. */
static bool take(tz_entry_walk *w, unsigned t, int64_t *column) {
    const tz_chart *chart = w->chart;
    const tz_tie *tie = &w->step->ties->term[t];
    const finder *f = finder_of(chart, tie, w->lane);
    const tz_bound_term *term = &w->step->term[t];
    const tz_scores *scores = &tz_lane_weight(chart, w->lane, term->which)->scores;
    unsigned lengths = chart->plan->rules->lengths, known = tie->first + term->rank;
    const int32_t *length = tz_lane_length(chart, w->lane);
    size_t at = w->at[t]++;
    if (!f->all)
        at = ((const tz_keyed *)chart->entries.sorted.data)[f->first + at].number;
    w->entry[t] = at;
    for (unsigned q = 0; q < term->rank; q++)
        column[tie->first + q] = scores->index[at * term->rank + q];
    for (uint32_t c = f->equations; c < tie->equation.count; c++)
        if (tz_form_value(&tie->equation.at[c]->form, lengths, length, known, column) != 0)
            return false;
    for (uint32_t c = 0; c < tie->other.count; c++)
        if (!holds(tie->other.at[c],
                   tz_form_value(&tie->other.at[c]->form, lengths, length, known, column)))
            return false;
    return true;
}

/* The next choice, term t being the last one that has been entered. */
static bool go_on(tz_entry_walk *w, unsigned t, int64_t *column) {
    for (;;) {
        if (w->at[t] == w->end[t]) {
            if (t-- == 0)
                return false;
        } else if (take(w, t, column)) {
            if (t + 1 == w->step->step->sparse)
                return true;
            enter(w, ++t, column);
        }
    }
}

bool tz_entry_walk_start(tz_entry_walk *walk, const tz_chart *chart, const tz_bound_step *step,
                         size_t lane, int64_t *column) {
    walk->chart = chart;
    walk->step = step;
    walk->lane = lane;
    enter(walk, 0, column);
    return go_on(walk, 0, column);
}

bool tz_entry_walk_next(tz_entry_walk *walk, int64_t *column) {
    return go_on(walk, walk->step->step->sparse - 1u, column);
}

void tz_entries_free(tz_entry_memory *e) {
    TZ_FREE_BUFFERS(&e->element, &e->uses, &e->place, &e->finder, &e->sorted, &e->slot, &e->kept,
                    &e->move, &e->choice, &e->keyed, &e->record, &e->hash, &e->block, &e->operand);
    tz_indices_free(&e->known);
}
