/* strips.c - see strips.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "engine/plan/implied.h"
#include "engine/plan/strips.h"

typedef struct builder {
    const tz_plan *plan;
    struct tz_strip_plan *to;
    const tz_kind *kind;       /* whose steps are being added */
    const tz_bound_step *step; /* which of them */
    tz_strip_frame *frame;     /* of the step */
    bool traced;               /* the strips are TZ_TRACED */
    bool may_fuse;             /* with a fold: no other step's products are sought for */
    const tz_bound_term *fold; /* the premise that has been done with its item; or NULL */
} builder;

/* ---- Linear functions ---------------------------------------------------------------------------
 */

static tz_linear linear_of(const tz_form *form) {
    tz_linear ret = {.constant = (uint64_t)form->constant};
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        ret.length[l] = (uint64_t)form->length[l];
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        ret.column[c] = (uint64_t)form->column[c];
    return ret;
}

static void add_times(tz_linear *to, const tz_linear *x, uint64_t factor) {
    to->constant += factor * x->constant;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        to->length[l] += factor * x->length[l];
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        to->column[c] += factor * x->column[c];
}

/* In a strip's columns: the item's indices, those of entries, then the loops. */
static tz_linear own_columns(const tz_linear *x, const tz_strip_frame *frame) {
    const unsigned givens = frame->nest->givens;
    tz_linear own = *x;
    if (frame->index == NULL)
        return own;
    memset(own.column, 0, sizeof own.column);
    for (unsigned c = 0; c < givens; c++)
        if (x->column[c] != 0) {
            const tz_linear index = linear_of(&frame->index[c]);
            add_times(&own, &index, x->column[c]);
        }
    for (unsigned l = 0; l < frame->nest->loops; l++)
        own.column[frame->rank + l] = x->column[givens + l];
    return own;
}

/* Writes a form of the columns of a frame's nest, and what the lengths add to it. */
static void write_form(const tz_linear *x, const tz_strip_frame *frame, unsigned pairs,
                       uint64_t *word, tz_strip_form *form) {
    const unsigned loops = frame->nest->loops, rank = frame->rank;
    tz_linear own = own_columns(x, frame);
    const uint64_t change = loops > 0 ? own.column[rank + frame->numbers] : 0;
    if (frame->counted && change != 0) {
        tz_linear low = linear_of(&frame->nest->range[loops - 1].lower->form);
        low = own_columns(&low, frame);
        add_times(&own, &low, change);
    }
    *word++ = change;
    *word++ = 0; /* the lengths decide it */
    for (unsigned q = 0; q < 2 * pairs; q++)
        *word++ = q < rank ? own.column[q] : 0;
    for (unsigned o = 0; o < frame->numbers; o++)
        *word++ = own.column[rank + o];
    for (unsigned q = 0; q < rank; q += 2)
        own.constant -= TZ_PAIR_BIAS * own.column[q];
    form->constant = own.constant;
    memcpy(form->length, own.length, sizeof form->length);
}

/* ---- Forms of a step ----------------------------------------------------------------------------
 */

static uint64_t *next_word(const builder *b) {
    return b->to->word + b->to->words;
}

/* Room for a form. */
static void take_form(builder *b) {
    b->to->form[b->to->forms++].word = b->to->words;
    b->to->words += 2 + 2 * b->to->pairs + b->frame->numbers;
}

/* Its words. */
static uint64_t *add_linear(builder *b, const tz_linear *x) {
    uint64_t *word = next_word(b);
    write_form(x, b->frame, b->to->pairs, word, &b->to->form[b->to->forms]);
    take_form(b);
    return word;
}

static void add_address(builder *b, const tz_bound_term *term) {
    b->to->address[b->to->addresses++] =
        (tz_strip_address){.form = b->to->forms, .term = term, .frame = b->frame};
    take_form(b);
}

/* All but what is asked of entries when they are chosen. *ret_holes: there are some that ask for
 * another number than 0. */
static void add_conditions(builder *b, tz_strip *to, bool *ret_holes) {
    const tz_domain *entry = b->step->ties != NULL ? &b->step->ties->before : &b->step->nest->entry;
    tz_known k = tz_known_of(b->kind, b->step->nest);
    for (uint32_t c = 0; c < entry->count; c++) {
        const bool hole = entry->at[c].relation == TZ_NE;
        tz_known new = {.form = {entry->at[c].form}, .count = hole};
        tz_learn_constraint(&new, &entry->at[c]);
        for (unsigned i = 0; i < new.count; i++) {
            if (!hole && tz_follows(&k, &new.form[i]))
                continue;
            const tz_linear x = linear_of(&new.form[i]);
            *add_linear(b, &x) = hole;
            to->conditions++;
            *ret_holes |= hole;
        }
    }
}

/* Bounds of a loop; of the last one, what is left from its turn on, where turns are counted.
 * *ret_over: some are over a divisor. */
static void add_bounds(builder *b, const tz_bound *bound, unsigned bounds, bool counted,
                       bool *ret_over) {
    const unsigned last = b->step->nest->givens + b->step->nest->loops - 1u;
    for (unsigned i = 0; i < bounds; i++) {
        tz_linear x = linear_of(&bound[i].form);
        if (counted)
            x.column[last] -= (uint64_t)bound[i].divisor;
        *add_linear(b, &x) = (uint64_t)bound[i].divisor;
        *ret_over |= bound[i].divisor != 1;
    }
}

/* The indices of the step's premises or weights; which they are. */
static unsigned add_terms(builder *b, bool weights) {
    unsigned count = 0;
    for (unsigned t = 0; t < b->step->terms; t++) {
        const tz_bound_term *term = &b->step->term[t];
        if ((term->what == TZ_WEIGHT) != weights)
            continue;
        b->to->which[b->to->terms++] = term->which;
        count++;
        for (unsigned q = 0; q < 2 * b->to->pairs; q += 2) {
            tz_linear pair = {.constant = TZ_PAIR_BIAS};
            for (unsigned half = 0; half < 2 && q + half < term->rank; half++) {
                tz_linear x = linear_of(&term->index[q + half]);
                add_times(&pair, &x, half == 0 ? 1 : (uint64_t)1 << 32);
            }
            add_linear(b, &pair);
        }
    }
    return count;
}

/* ---- Steps --------------------------------------------------------------------------------------
 */

_Static_assert((int)TZ_MAX_COLUMNS <= (int)TZ_STRIP_LOOPS, "numbers of a strip");
_Static_assert(2 * TZ_MAX_TERMS <= UINT8_MAX, "terms of a strip");

/* The only step of a fold that is the step's only premise, where the step has no loops: an item of
 * it is an item of the fold too, so both are done at once. NULL if there is none. */
static const tz_bound_step *only_fold(const builder *b, const tz_bound_term **ret) {
    const tz_rules *rules = b->plan->rules;
    const tz_bound_term *premise = NULL;
    for (unsigned t = 0; t < b->step->terms; t++)
        if (b->step->term[t].what != TZ_WEIGHT) {
            if (premise != NULL)
                return NULL;
            premise = &b->step->term[t];
        }
    if (!b->may_fuse || b->fold != NULL || premise == NULL || b->step->nest->loops > 0 ||
        premise->which < rules->items || rules->kind[premise->which].insides != 1)
        return NULL;
    const tz_bound_step *fold = &b->plan->trace[rules->kind[premise->which].inside];
    *ret = premise;
    return tz_is_plain(fold) && b->kind->rank + fold->nest->loops <= TZ_MAX_COLUMNS ? fold : NULL;
}

/* The frame of a step whose givens are the item's indices, or indices of a premise of it. */
static tz_strip_frame *new_frame(builder *b, const tz_nest *nest, const tz_bound_term *premise,
                                 unsigned numbers) {
    tz_strip_frame *frame = &b->to->frame[b->to->frames++];
    *frame = (tz_strip_frame){.nest = nest,
                              .index = premise != NULL ? premise->index : NULL,
                              .rank = b->kind->rank,
                              .numbers = numbers};
    return frame;
}

/* The bounds of the last loop. */
static void add_last(builder *b, tz_strip *to, bool *ret_over) {
    const tz_nest *nest = b->step->nest;
    if (nest->loops == 0)
        return;
    const tz_range *last = &nest->range[nest->loops - 1];
    const bool counted = last->lowers == 1 && last->lower->divisor == 1;
    b->frame->counted = counted;
    to->lowers = counted ? 0 : last->lowers;
    to->uppers = last->uppers;
    if (!counted)
        add_bounds(b, last->lower, last->lowers, false, ret_over);
    add_bounds(b, last->upper, last->uppers, counted, ret_over);
}

/* Adds the address of a term, and which premise or weight it is. */
static void add_operand(builder *b, unsigned term) {
    const tz_bound_term *of = &b->step->term[term];
    unsigned part = 0;
    for (unsigned t = 0; t < b->step->terms; t++)
        part += b->step->term[t].what != TZ_WEIGHT ? of->what == TZ_WEIGHT || t < term
                                                   : of->what == TZ_WEIGHT && t < term;
    b->to->part[b->to->parts++] = (uint8_t)part;
    add_address(b, of);
}

static void add_step(builder *b, bool alone) {
    const tz_bound_step *step = b->step, *fold;
    const tz_bound_term *premise = NULL;
    bool holes = false, over = false;
    fold = only_fold(b, &premise);
    const tz_nest *nest = fold != NULL ? fold->nest : step->nest;
    const unsigned outers = nest->loops > 1 ? nest->loops - 1u : 0;
    const unsigned numbers = (unsigned)step->nest->givens - b->kind->rank + outers;
    tz_strip_frame *own = b->frame = new_frame(b, step->nest, NULL, numbers);
    b->to->step[b->to->strips] = step;
    tz_strip *strip = &b->to->strip[b->to->strips++];
    *strip = (tz_strip){.form = next_word(b),
                        .which = b->to->which + b->to->terms,
                        .bounds = b->to->bounds + b->to->loops,
                        .rule = step->step->rule,
                        .node_premises = b->plan->rules->rule[step->step->rule].premises,
                        .width = (uint8_t)(2 * b->to->pairs + numbers),
                        .outers = (uint8_t)outers,
                        .sparse = step->step->sparse,
                        .alone = alone && numbers == 0};
    add_conditions(b, strip, &holes);
    if (fold != NULL) {
        b->fold = premise;
        b->step = fold;
        b->frame = new_frame(b, nest, premise, numbers);
    }
    add_last(b, strip, &over);
    const tz_bound_step *computed = &b->plan->inside[b->step->step - b->plan->rules->step];
    strip->simple = strip->lowers == 0 && strip->uppers <= 1 && !holes && !over;
    strip->operands = (uint8_t)b->step->terms;
    strip->part = b->to->part + b->to->parts;
    for (int inner = 1; inner >= 0; inner--)
        for (unsigned t = 0; t < b->step->terms; t++)
            if (computed->term[t].inner == (inner == 1))
                add_operand(b, t);
    strip->premise = next_word(b);
    strip->premises = (uint8_t)add_terms(b, false);
    strip->weight = next_word(b);
    if (fold != NULL) { /* the step's own weights go before those of the fold */
        builder around = *b;
        around.step = step;
        around.frame = own;
        strip->weights = (uint8_t)add_terms(&around, true);
    }
    strip->weights += (uint8_t)add_terms(b, true);
    strip->outer = next_word(b);
    for (unsigned o = 0; o < outers; o++) {
        b->to->bounds[b->to->loops++] = nest->range[o].lowers;
        b->to->bounds[b->to->loops++] = nest->range[o].uppers;
        add_bounds(b, nest->range[o].lower, nest->range[o].lowers, false, &over);
        add_bounds(b, nest->range[o].upper, nest->range[o].uppers, false, &over);
    }
}

/* Makes the last strip that of leaves, if it is: tracing needs no other. */
static void make_leaf(builder *b, tz_strip_kind *to) {
    const tz_strip *strip = &b->to->strip[b->to->strips - 1];
    if (!strip->alone || strip->operands + strip->weights > 0 || b->step->nest->loops > 0 ||
        strip->conditions > 1 || !strip->simple || to->leaf != NULL)
        return;
    to->leaf = strip->form;
    to->leaf_rule = b->step->step->rule;
    if (strip->conditions == 0) {
        static const tz_linear always;
        to->leaf = next_word(b);
        add_linear(b, &always);
    }
    b->to->strips -= b->traced;
}

/* Adds the form of the kind's cells. */
static void add_cell(builder *b, tz_strip_kind *to) {
    const tz_rules *rules = b->plan->rules;
    const unsigned which = b->fold != NULL ? b->fold->which : (unsigned)(b->kind - rules->kind);
    tz_nest *nest = &b->to->nest[which];
    nest->givens = rules->kind[which].rank;
    b->frame = new_frame(b, nest, b->fold, 0);
    to->cell = next_word(b);
    add_address(b, NULL);
    b->to->address[b->to->addresses - 1].kind = which;
}

/* Adds the steps of a kind. */
static void add_kind(builder *b, const bool *alone, bool ordered, tz_strip_kind *to) {
    const tz_bound_step *bound = b->plan->trace + b->kind->inside;
    const size_t before = b->to->strips;
    const unsigned count = b->kind->insides;
    b->may_fuse = b->traced;
    for (unsigned s = 0; s < count; s++)
        b->may_fuse &= alone[s] && bound[s].nest->loops == 0;
    *to = (tz_strip_kind){
        .direct = b->traced, .plain = true, .ordered = ordered, .strip = b->to->strip + before};
    for (unsigned s = 0; s < count; s++) {
        b->step = &bound[s];
        add_step(b, alone[s]);
        to->plain &= b->frame->numbers == 0;
        make_leaf(b, to);
    }
    to->strips = (uint32_t)(b->to->strips - before);
    if (b->traced)
        add_cell(b, to);
}

/* Writes the columns of all frames. */
static tz_status write_columns(const tz_plan *plan, struct tz_strip_plan *to) {
    for (size_t f = 0; f < to->frames; f++) {
        tz_strip_frame *frame = &to->frame[f];
        const unsigned columns = (unsigned)frame->nest->givens + frame->nest->loops;
        const size_t words = tz_frame_words(frame, to->pairs);
        uint64_t *word = tz_arena_array(plan->arena, columns * words + 1, sizeof *word);
        if (word == NULL)
            return TZ_NO_MEMORY;
        frame->column = word;
        for (unsigned c = 0; c < columns; c++, word += words) {
            tz_linear x = {.constant = 0};
            tz_strip_form form;
            x.column[c] = 1;
            write_form(&x, frame, to->pairs, word, &form);
            memcpy(word + words - 1 - TZ_MAX_LENGTHS, &form.constant, sizeof form.constant);
            memcpy(word + words - TZ_MAX_LENGTHS, form.length, sizeof form.length);
        }
    }
    return TZ_OK;
}

/* Strips of no kind so far, with room for all. NULL when memory is out. */
static struct tz_strip_plan *new_strips(const tz_plan *plan, bool traced) {
    const tz_rules *rules = plan->rules;
    tz_arena *arena = plan->arena;
    size_t forms = 2 * (size_t)rules->kinds, terms = rules->kinds, most_forms = 0, most = 0;
    unsigned rank = 0;
    for (unsigned s = 0; s < rules->steps; s++) {
        const tz_bound_step *step = &plan->trace[s];
        const tz_nest *nest = step->nest;
        const size_t numbers = (size_t)nest->givens + nest->loops;
        size_t own = 2 * (size_t)nest->entry.count + (1 + TZ_STRIP_PAIRS) * (size_t)step->terms;
        for (unsigned q = 0; q < nest->loops; q++)
            own += (size_t)nest->range[q].lowers + nest->range[q].uppers;
        forms += own;
        terms += step->terms;
        most_forms = own > most_forms ? own : most_forms;
        most = numbers > most ? numbers : most;
        for (unsigned t = 0; t < step->terms; t++)
            rank = step->term[t].rank > rank ? step->term[t].rank : rank;
    }
    if (traced) { /* each may go through a fold */
        forms += rules->steps * most_forms;
        terms += rules->steps * plan->most_terms / 2;
    }
    for (unsigned k = 0; k < rules->kinds; k++)
        rank = rules->kind[k].rank > rank ? rules->kind[k].rank : rank;
    struct tz_strip_plan *to = tz_arena_array(arena, 1, sizeof *to);
    if (to == NULL)
        return NULL;
    const unsigned pairs = rank <= 2 ? 1 : rank <= 4 ? 2 : TZ_STRIP_PAIRS;
    const size_t strips = rules->steps;
    *to = (struct tz_strip_plan){
        .pairs = pairs,
        .kind = tz_arena_array(arena, rules->kinds, sizeof *to->kind),
        .strip = tz_arena_array(arena, strips + 1, sizeof *to->strip),
        .step = tz_arena_array(arena, strips + 1, sizeof *to->step),
        .word = tz_arena_array(arena, forms * (2 + 2 * pairs + most) + 1, sizeof *to->word),
        .form = tz_arena_array(arena, forms + 1, sizeof *to->form),
        .address = tz_arena_array(arena, terms + 1, sizeof *to->address),
        .frame = tz_arena_array(arena, 2 * strips + rules->kinds, sizeof *to->frame),
        .nest = tz_arena_array(arena, rules->kinds, sizeof *to->nest),
        .which = tz_arena_array(arena, terms + 1, sizeof *to->which),
        .bounds = tz_arena_array(arena, 2 * most * strips + 1, sizeof *to->bounds),
        .part = tz_arena_array(arena, terms + 1, sizeof *to->part),
    };
    return to->kind == NULL || to->strip == NULL || to->step == NULL || to->word == NULL ||
                   to->form == NULL || to->address == NULL || to->frame == NULL ||
                   to->nest == NULL || to->which == NULL || to->bounds == NULL || to->part == NULL
               ? NULL
               : to;
}

tz_status tz_strip_plan_new(tz_plan *plan) {
    const tz_rules *rules = plan->rules;
    const tz_semiring *semiring = plan->wide.semiring;
    const bool path = (semiring->laws & TZ_PATH) != 0;
    size_t most_terms = 1, most_steps = 0;
    for (unsigned s = 0; s < rules->steps; s++)
        most_terms = plan->trace[s].terms > most_terms ? plan->trace[s].terms : most_terms;
    for (unsigned k = 0; k < rules->kinds; k++)
        most_steps = rules->kind[k].insides > most_steps ? rules->kind[k].insides : most_steps;
    plan->most_terms = 2 * most_terms;
    if (!path && semiring->share == NULL)
        return TZ_OK;
    const unsigned count = path && plan->wide.kernels->trace != NULL ? TZ_STRIPS : TZ_TRACED;
    bool *alone = tz_arena_array(plan->arena, most_steps + 1, sizeof *alone);
    tz_status status = alone != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned p = 0; p < count && status == TZ_OK; p++) {
        plan->strips[p] = new_strips(plan, p == TZ_TRACED);
        status = plan->strips[p] != NULL ? TZ_OK : TZ_NO_MEMORY;
    }
    for (unsigned k = 0; k < rules->kinds && status == TZ_OK; k++) {
        const tz_kind *kind = &rules->kind[k];
        const bool ordered = tz_list_alone(plan->trace + kind->inside, kind->insides, alone);
        for (unsigned p = 0; p < count; p++) {
            builder b = {
                .plan = plan, .to = plan->strips[p], .kind = kind, .traced = p == TZ_TRACED};
            /* In a closure, not every instance of the best value leads to an end: see
             * trace/circle.c. */
            if (p == TZ_LISTED || (ordered && !tz_is_closed(rules, k)))
                add_kind(&b, alone, ordered, &plan->strips[p]->kind[k]);
        }
    }
    for (unsigned p = 0; p < count && status == TZ_OK; p++)
        status = write_columns(plan, plan->strips[p]);
    return status;
}
