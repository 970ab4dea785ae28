/* json_problem.h - reads one line of JSON as a problem of a rule set.
 *
 * {"id": any, "words": ["the", ...], "n": 4, "arc": [[...], ...], "binary": [[0,1,2,-0.5], ...],
 *  "arc.cost": [[...], ...], "forbid": [...], "require": [...], "structure": [...]}
 *
 * Every length, input (json_numbers.h) and weight of the rule set must be there, but for lengths
 * whose values have names. A dense weight is nested arrays of numbers and nulls (-infinity), a
 * sparse one a list of [index, ..., score], one without indices a plain number or null. Arrays
 * reach at least as far as tz_rules_shape says; what lies further is kept in `scores` but never
 * used. "id" (any value; it is echoed as jansson reads it: whole numbers have 64 bits, others are
 * doubles) and "words" (as many strings as the first length says) may be left out and are for
 * echoing. Where the semiring takes inputs (tz_semiring.input), they stand in arrays of their
 * weight's shape, a sparse one's with the same entries in the same order, or are left out. Facts:
 * json_facts.h. Other keys are ignored. Keys may come in any order, none twice.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_PROBLEM_H
#define TZ_IO_JSON_JSON_PROBLEM_H

#include <trapeze/trapeze.h>

#include "base/text.h"
#include "io/json/json_facts.h"

typedef struct tz_json_problem {
    tz_problem problem; /* points into what follows */
    tz_text id, words;  /* as JSON, without blanks; empty where absent */
    const tz_rules *rules;
    const struct tz_weight *weight; /* [weights] that the rules declare */
    unsigned weights;
    const tz_input *input; /* [inputs] of the semiring */
    size_t inputs;
    int32_t *lengths;
    tz_scores *scores;              /* and after them, those of the semiring's inputs */
    int32_t (*extent)[TZ_MAX_RANK]; /* of every dense weight's array, as it was written */
    tz_input_numbers *numbers;      /* of the rules' inputs */
    tz_json_facts facts;
    double *number;
    int32_t *index;
    size_t number_capacity, index_capacity;
} tz_json_problem;

/* Refuses rule sets with a length or weight that has the name of a key with another meaning. */
tz_status tz_json_problem_rules(const tz_rules *rules, tz_error *opt_error);

/* An empty problem, whose memory tz_json_problem_read grows and reuses. TZ_NO_MEMORY: it is zeroed,
 * and may be freed. What is given must outlive it; opt_semiring: whose inputs to read. */
tz_status tz_json_problem_init(tz_json_problem *problem, const tz_rules *rules,
                               const tz_semiring *opt_semiring);
void tz_json_problem_free(tz_json_problem *problem);

/* Reads `line`, which has no zero byte. After an error in what is well-formed JSON, `id` is still
 * there, and nothing else is. TZ_BAD_ARGUMENT: the message says where in the line and how to mend
 * it; TZ_NO_MEMORY. Cost: linear in size. */
tz_status tz_json_problem_read(tz_json_problem *problem, const char *line, size_t size,
                               tz_error *error);

#endif
