/* strips.h - the instances of steps as linear forms (tz_strip).
 *
 * An item's instances come in strips, along the last loop of each step, for each choice of entries
 * of its sparse weights and each point of the loops around it. Conditions, bounds, and where
 * operands, premises and weights stand are linear in the item's indices, those of the entries, and
 * these loops. The forms are made with the plan; addresses and what the lengths add are filled in
 * when these are bound (ask/strips.h). SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_STRIPS_H
#define TZ_ENGINE_PLAN_STRIPS_H

#include "engine/plan/plan.h"
#include "kernels/strips.h"

/* A linear function of lengths and the columns of a nest. */
typedef struct tz_linear {
    uint64_t constant, length[TZ_MAX_LENGTHS], column[TZ_MAX_COLUMNS];
} tz_linear;

/* The first of a form's words in the plan, and the terms that lengths add to its value. */
typedef struct tz_strip_form {
    size_t word;
    uint64_t constant, length[TZ_MAX_LENGTHS];
} tz_strip_form;

/* The columns of a step's nest in a strip: the item's indices, those of entries, and the loops. */
typedef struct tz_strip_frame {
    const tz_nest *nest;
    const tz_form *index; /* its givens, over the item's indices; NULL: the givens begin with
                             these */
    unsigned rank;        /* of the item */
    unsigned numbers;     /* of the strip: indices of entries, loops around the last one */
    bool counted;         /* turn 0 is the last loop's lower bound; else 0 */
    /* [columns of the nest] each column as a form: its words, then the terms of lengths. */
    const uint64_t *column;
} tz_strip_frame;

/* A form that is the address of a term; or of the element of a kind's item, whose indices the
 * frame's givens are. */
typedef struct tz_strip_address {
    size_t form;
    const tz_bound_term *term; /* or NULL: */
    unsigned kind;
    const tz_strip_frame *frame;
} tz_strip_address;

/* The strips of a plan, which all its charts share; pointers are to its own words. */
struct tz_strip_plan {
    unsigned pairs;             /* of indices, for all kinds and weights: 1, 2 or TZ_STRIP_PAIRS */
    tz_strip_kind *kind;        /* [kinds] */
    tz_strip *strip;            /* [strips] of all kinds */
    const tz_bound_step **step; /* [strips] the step of each */
    uint64_t *word;             /* [words] all but addresses, without the terms of lengths */
    tz_strip_form *form;
    tz_strip_address *address;
    tz_strip_frame *frame;
    tz_nest *nest; /* [kinds] whose givens are the indices alone */
    uint16_t *which, *bounds;
    uint8_t *part;
    size_t strips, words, forms, addresses, frames, terms, loops, parts;
};

/* Writes plan->strips. TZ_TRACED stays NULL where nothing is traced directly; both stay NULL where
 * no question uses instances. TZ_NO_MEMORY. */
tz_status tz_strip_plan_new(tz_plan *plan);

/* The number of words of a frame's column. */
static inline size_t tz_frame_words(const tz_strip_frame *frame, unsigned pairs) {
    return 2 + 2 * (size_t)pairs + frame->numbers + 1 + TZ_MAX_LENGTHS;
}

#endif
