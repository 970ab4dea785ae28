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

/* In a strip's columns: the item's indices, then the loops from TZ_MAX_RANK on. */
static tz_linear own_columns(const tz_linear *x, const tz_strip_frame *frame) {
    const unsigned givens = frame->nest->givens;
    tz_linear own = *x;
    memset(own.column, 0, sizeof own.column);
    for (unsigned c = 0; c < givens; c++) {
        if (frame->index == NULL) {
            own.column[c] = x->column[c];
        } else if (x->column[c] != 0) {
            const tz_linear index = linear_of(&frame->index[c]);
            add_times(&own, &index, x->column[c]);
        }
    }
    for (unsigned l = 0; l < frame->nest->loops; l++)
        own.column[TZ_MAX_RANK + l] = x->column[givens + l];
    return own;
}

/* Writes a form of the columns of a frame's nest, and what the lengths add to it. */
static void write_form(const tz_linear *x, const tz_strip_frame *frame, unsigned pairs,
                       uint64_t *word, tz_strip_form *form) {
    const unsigned loops = frame->nest->loops;
    tz_linear own = own_columns(x, frame);
    const uint64_t change = loops > 0 ? own.column[TZ_MAX_RANK + loops - 1] : 0;
    if (frame->counted && change != 0) {
        tz_linear low = linear_of(&frame->nest->range[loops - 1].lower->form);
        low = own_columns(&low, frame);
        add_times(&own, &low, change);
    }
    *word++ = change;
    *word++ = 0; /* the lengths decide it */
    for (unsigned q = 0; q < 2 * pairs; q++)
        *word++ = q < TZ_MAX_RANK ? own.column[q] : 0;
    for (unsigned o = 0; o < frame->outers; o++)
        *word++ = o + 1 < loops ? own.column[TZ_MAX_RANK + o] : 0;
    for (unsigned q = 0; q < TZ_MAX_RANK; q += 2)
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
    b->to->words += 2 + 2 * b->to->pairs + b->frame->outers;
}

static void add_linear(builder *b, const tz_linear *x) {
    write_form(x, b->frame, b->to->pairs, next_word(b), &b->to->form[b->to->forms]);
    take_form(b);
}

static void add_address(builder *b, const tz_bound_term *term) {
    b->to->address[b->to->addresses++] =
        (tz_strip_address){.form = b->to->forms, .term = term, .frame = b->frame};
    take_form(b);
}

static bool add_conditions(builder *b, tz_strip *to) {
    const tz_domain *entry = &b->step->nest->entry;
    tz_known k = tz_known_of(b->kind, b->step->nest);
    for (uint32_t c = 0; c < entry->count; c++) {
        tz_known new = {0};
        if (entry->at[c].relation == TZ_NE)
            return false;
        tz_learn_constraint(&new, &entry->at[c]);
        for (unsigned i = 0; i < new.count; i++) {
            if (tz_follows(&k, &new.form[i]))
                continue;
            if (to->conditions == UINT8_MAX)
                return false;
            const tz_linear x = linear_of(&new.form[i]);
            add_linear(b, &x);
            to->conditions++;
        }
    }
    return true;
}

/* Bounds of a loop; of the last one, what is left from its turn on, where turns are counted. */
static bool add_bounds(builder *b, const tz_bound *bound, unsigned bounds, bool counted) {
    const unsigned last = b->step->nest->givens + b->step->nest->loops - 1u;
    for (unsigned i = 0; i < bounds; i++) {
        tz_linear x = linear_of(&bound[i].form);
        if (bound[i].divisor != 1)
            return false;
        x.column[last] -= counted;
        add_linear(b, &x);
    }
    return bounds > 0 && bounds < UINT8_MAX;
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

/* Do the loops visit the points in the order of the rule's variables? */
static bool in_order(const tz_bound_step *step) {
    const tz_nest *nest = step->nest;
    unsigned q = 0; /* loops before it are settled by the variables so far */
    for (unsigned v = 0; v < nest->variables && q < nest->loops; v++) {
        const int16_t *column = nest->variable[v].column + nest->givens;
        for (unsigned later = q + 1; later < nest->loops; later++)
            if (column[later] != 0)
                return false;
        if (column[q] < 0)
            return false;
        q += column[q] > 0;
    }
    return q == nest->loops;
}

_Static_assert((int)TZ_MAX_COLUMNS - (int)TZ_MAX_RANK <= (int)TZ_STRIP_LOOPS, "loops of a strip");

/* Has the step instances along loops, in order? */
static bool is_plain(const tz_bound_step *step) {
    return step->step->sparse == 0 && step->nest->givens <= TZ_MAX_RANK &&
           step->nest->loops <= TZ_MAX_COLUMNS - TZ_MAX_RANK && step->terms <= UINT8_MAX &&
           in_order(step);
}

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
    return is_plain(fold) ? fold : NULL;
}

/* The frame of a step whose givens are the item's indices, or indices of a premise of it. */
static tz_strip_frame *new_frame(builder *b, const tz_nest *nest, const tz_bound_term *premise,
                                 unsigned outers) {
    tz_strip_frame *frame = &b->to->frame[b->to->frames++];
    *frame = (tz_strip_frame){
        .nest = nest, .index = premise != NULL ? premise->index : NULL, .outers = outers};
    return frame;
}

/* The bounds of the last loop. */
static bool add_last(builder *b, tz_strip *to) {
    const tz_nest *nest = b->step->nest;
    if (nest->loops == 0)
        return true;
    const tz_range *last = &nest->range[nest->loops - 1];
    const bool counted = last->lowers == 1 && last->lower->divisor == 1;
    b->frame->counted = counted;
    to->lowers = counted ? 0 : (uint8_t)last->lowers;
    to->uppers = (uint8_t)last->uppers;
    return (counted || add_bounds(b, last->lower, last->lowers, false)) &&
           add_bounds(b, last->upper, last->uppers, counted);
}

/* Adds the address of a term, and which premise it is. */
static void add_operand(builder *b, unsigned term) {
    const tz_bound_term *of = &b->step->term[term];
    unsigned part = 0;
    for (unsigned t = 0; t < term; t++)
        part += b->step->term[t].what != TZ_WEIGHT;
    b->to->part[b->to->parts++] = of->what != TZ_WEIGHT ? (uint8_t)part : TZ_NO_PREMISE;
    add_address(b, of);
}

/* Adds a step; false where it needs the general way. */
static bool add_step(builder *b, bool alone) {
    const tz_bound_step *step = b->step, *fold;
    const tz_bound_term *premise = NULL;
    tz_strip *strip = &b->to->strip[b->to->strips];
    if (!is_plain(step))
        return false;
    fold = only_fold(b, &premise);
    const tz_nest *nest = fold != NULL ? fold->nest : step->nest;
    const unsigned outers = nest->loops > 1 ? nest->loops - 1u : 0;
    tz_strip_frame *own = b->frame = new_frame(b, step->nest, NULL, outers);
    b->to->strips++;
    *strip = (tz_strip){.form = next_word(b),
                        .which = b->to->which + b->to->terms,
                        .bounds = b->to->bounds + b->to->loops,
                        .rule = step->step->rule,
                        .node_premises = b->plan->rules->rule[step->step->rule].premises,
                        .width = (uint8_t)(2 * b->to->pairs + outers),
                        .outers = (uint8_t)outers,
                        .alone = alone && outers == 0};
    if (!add_conditions(b, strip))
        return false;
    if (fold != NULL) {
        b->fold = premise;
        b->step = fold;
        b->frame = new_frame(b, nest, premise, outers);
    }
    if (!add_last(b, strip))
        return false;
    const tz_bound_step *computed = &b->plan->inside[b->step->step - b->plan->rules->step];
    strip->simple = strip->lowers == 0 && strip->uppers <= 1;
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
        b->to->bounds[b->to->loops++] = (uint8_t)nest->range[o].lowers;
        b->to->bounds[b->to->loops++] = (uint8_t)nest->range[o].uppers;
        if (!add_bounds(b, nest->range[o].lower, nest->range[o].lowers, false) ||
            !add_bounds(b, nest->range[o].upper, nest->range[o].uppers, false))
            return false;
    }
    return true;
}

/* Makes the last strip that of leaves, if it is. */
static void make_leaf(builder *b, tz_strip_kind *to) {
    const tz_strip *strip = &b->to->strip[b->to->strips - 1];
    if (!strip->alone || strip->operands + strip->weights > 0 || b->step->nest->loops > 0 ||
        strip->conditions > 1)
        return;
    to->leaf = strip->form;
    to->leaf_rule = b->step->step->rule;
    if (strip->conditions == 0) {
        static const tz_linear always;
        to->leaf = next_word(b);
        add_linear(b, &always);
    }
    b->to->strips--;
}

enum { MOST_STEPS = 64 /* of a kind */ };

/* Which steps have no instance where another one has; false where steps that have are not in the
 * order of their rules. */
static bool list_alone(const tz_bound_step *bound, unsigned count, bool *ret_alone) {
    for (unsigned s = 0; s < count; s++) {
        ret_alone[s] = true;
        for (unsigned o = 0; o < count; o++) {
            if (o == s || tz_exclude(&bound[s], &bound[o]))
                continue;
            ret_alone[s] = false;
            if (o < s ? bound[o].step->rule >= bound[s].step->rule
                      : bound[o].step->rule <= bound[s].step->rule)
                return false;
        }
    }
    return true;
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
static bool add_kind(builder *b, tz_strip_kind *to) {
    const tz_bound_step *bound = b->plan->trace + b->kind->inside;
    const size_t before = b->to->strips;
    const unsigned count = b->kind->insides;
    bool alone[MOST_STEPS];
    if (count > MOST_STEPS || !list_alone(bound, count, alone))
        return false;
    for (unsigned s = 0; s < count; s++)
        b->may_fuse &= alone[s] && bound[s].nest->loops == 0;
    *to = (tz_strip_kind){.direct = true, .plain = true, .strip = b->to->strip + before};
    for (unsigned s = 0; s < count; s++) {
        b->step = &bound[s];
        if (!add_step(b, alone[s]))
            return false;
        to->plain &= b->frame->outers == 0;
        make_leaf(b, to);
    }
    to->strips = (uint32_t)(b->to->strips - before);
    add_cell(b, to);
    return true;
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

tz_status tz_strip_plan_new(tz_plan *plan) {
    const tz_rules *rules = plan->rules;
    size_t most_terms = 1, most_forms = 0;
    for (unsigned s = 0; s < rules->steps; s++)
        most_terms = plan->trace[s].terms > most_terms ? plan->trace[s].terms : most_terms;
    plan->most_terms = 2 * most_terms;
    if (plan->wide.kernels->trace == NULL || !(plan->wide.semiring->laws & TZ_PATH))
        return TZ_OK;
    size_t forms = 2 * (size_t)rules->kinds, addresses = 0, outers = 0;
    unsigned rank = 0;
    for (unsigned s = 0; s < rules->steps; s++) {
        const tz_nest *nest = plan->trace[s].nest;
        const size_t terms = plan->trace[s].terms;
        size_t own = 2 * (size_t)nest->entry.count + (1 + TZ_STRIP_PAIRS) * terms;
        addresses += terms;
        outers = nest->loops > outers ? nest->loops : outers;
        for (unsigned q = 0; q < nest->loops; q++)
            own += (size_t)nest->range[q].lowers + nest->range[q].uppers;
        forms += own;
        most_forms = own > most_forms ? own : most_forms;
        for (unsigned t = 0; t < terms; t++)
            rank = plan->trace[s].term[t].rank > rank ? plan->trace[s].term[t].rank : rank;
    }
    /* Each may go through a fold, and is added again without. */
    const size_t strips = 2 * (size_t)rules->steps;
    forms = 2 * forms + rules->steps * most_forms;
    addresses = 2 * (addresses + rules->kinds) + rules->steps * most_terms;
    for (unsigned k = 0; k < rules->kinds; k++)
        rank = rules->kind[k].rank > rank ? rules->kind[k].rank : rank;
    tz_arena *arena = plan->arena;
    struct tz_strip_plan *to = tz_arena_array(arena, 1, sizeof *to);
    if (to == NULL)
        return TZ_NO_MEMORY;
    const unsigned pairs = rank <= 2 ? 1 : rank <= 4 ? 2 : TZ_STRIP_PAIRS;
    *to = (struct tz_strip_plan){
        .pairs = pairs,
        .kind = tz_arena_array(arena, 2 * (size_t)rules->kinds, sizeof *to->kind),
        .strip = tz_arena_array(arena, strips + 1, sizeof *to->strip),
        .word = tz_arena_array(arena, forms * (2 + 2 * pairs + outers) + 1, sizeof *to->word),
        .form = tz_arena_array(arena, forms + 1, sizeof *to->form),
        .address = tz_arena_array(arena, addresses + 1, sizeof *to->address),
        .frame = tz_arena_array(arena, 2 * (strips + rules->kinds) + 1, sizeof *to->frame),
        .nest = tz_arena_array(arena, rules->kinds, sizeof *to->nest),
        .which = tz_arena_array(arena, addresses + 1, sizeof *to->which),
        .bounds = tz_arena_array(arena, 2 * outers * strips + 1, sizeof *to->bounds),
        .part = tz_arena_array(arena, addresses + 1, sizeof *to->part),
    };
    if (to->kind == NULL || to->strip == NULL || to->word == NULL || to->form == NULL ||
        to->address == NULL || to->frame == NULL || to->nest == NULL || to->which == NULL ||
        to->bounds == NULL || to->part == NULL)
        return TZ_NO_MEMORY;
    for (unsigned k = 0; k < rules->kinds; k++) {
        builder b = {.plan = plan, .to = to, .kind = &rules->kind[k]};
        struct tz_strip_plan before = *to;
        /* In a closure, not every instance of the best value leads to an end: see trace/circle.c.
         */
        tz_strip_kind *fused = &to->kind[k], *apart = &to->kind[rules->kinds + k];
        b.may_fuse = true;
        bool direct = !tz_is_closed(rules, k) && add_kind(&b, fused);
        *apart = *fused;
        if (direct && b.fold != NULL) {
            b = (builder){.plan = plan, .to = to, .kind = &rules->kind[k]};
            direct = add_kind(&b, apart);
        }
        if (direct)
            continue;
        *to = before;
        *fused = *apart = (tz_strip_kind){.direct = false};
    }
    plan->strips = to;
    return write_columns(plan, to);
}
