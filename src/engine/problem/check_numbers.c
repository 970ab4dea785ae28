/* check_numbers.c - the numbers of a problem that are indices of weights, checked.
 * SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "engine/problem/check.h"
#include "rules/view.h"

static tz_status bad_number(const tz_rules *rules, const tz_rules_input *input,
                            const int32_t *lengths, const int64_t *index, int32_t number,
                            int64_t bound, tz_error *opt_error) {
    const tz_weight named = {.name = input->name, .rank = input->rank};
    char cell[320];
    tz_cell_text(rules, &named, lengths, index, cell, sizeof cell);
    if (bound <= 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "%s is %d, but input %s has no numbers: they stay below %lld", cell,
                       (int)number, input->name, (long long)bound);
    return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s is %d: it must be from 0 to %lld", cell,
                   (int)number, (long long)bound - 1);
}

tz_status tz_check_numbers(const tz_rules *rules, const tz_problem *problem, unsigned which,
                           tz_error *opt_error) {
    const tz_rules_input *input = &rules->input[which];
    const int32_t *lengths = problem->lengths;
    tz_shape shape;
    int64_t bound;
    bool any = true;
    tz_status status = tz_rules_input_shape(rules, which, lengths, &shape, &bound);
    if (status != TZ_OK)
        return tz_fail(opt_error, status, "input %s: %s", input->name, tz_status_name(status));
    const tz_input_numbers *numbers = problem->numbers != NULL ? &problem->numbers[which] : NULL;
    if ((numbers == NULL || numbers->data == NULL) && !tz_input_used(rules, which))
        return TZ_OK;
    for (unsigned q = 0; q < input->rank; q++) {
        any &= shape.extent[q] > 0;
        if (numbers != NULL && numbers->extent[q] < shape.extent[q])
            return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                           "%s has %d positions in dimension %u, but needs %d: index %s runs to %d",
                           input->name, (int)numbers->extent[q], q + 1, (int)shape.extent[q],
                           input->index_name[q], (int)(shape.origin[q] + shape.extent[q] - 1));
    }
    if (any && (numbers == NULL || numbers->data == NULL))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "input %s has no data", input->name);
    tz_walk walk;
    for (tz_walk_start(&walk, &input->cells, rules->lengths, lengths, NULL); tz_walk_next(&walk);) {
        int64_t index[TZ_MAX_RANK];
        ptrdiff_t at = 0;
        for (unsigned q = 0; q < input->rank; q++) {
            index[q] = tz_walk_variable(&walk, q);
            at += (ptrdiff_t)(index[q] - shape.origin[q]) * numbers->stride[q];
        }
        const int32_t number = numbers->data[at];
        if ((number < 0 || number >= bound) &&
            tz_domain_holds(&input->domain, rules->lengths, lengths, input->rank, index))
            return bad_number(rules, input, lengths, index, number, bound, opt_error);
    }
    return TZ_OK;
}
