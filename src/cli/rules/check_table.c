/* check_table.c - the compiled rules against enumeration and the declarations of the file, length
 * by length. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/rules/checking.h"
#include "rules/polyhedra/form.h"
#include "rules/show/show.h"
#include "rules/tell/enumerate.h"

/* ---- Resources ------------------------------------------------------------------------------- */

typedef struct resource_sums {
    const tz_checking *check;
    int64_t *sum; /* [resources] what the uses add up to */
    const bool
        *added;   /* [resources] some line says what uses consume; else there is only the rest */
    int resource; /* out: the first that is not as declared, or -1 */
    int64_t expected;
} resource_sums;

/* Stops at a derivation whose resources do not sum as declared. */
static int sum_resources(void *user, const tz_enum_use *uses, size_t count) {
    resource_sums *sums = user;
    const tz_rules *rules = sums->check->rules;
    const int32_t *lengths = sums->check->lengths;
    memset(sums->sum, 0, rules->resources * sizeof *sums->sum);
    for (size_t u = 0; u < count; u++) {
        int64_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            index[q] = uses[u].index[q];
        for (unsigned c = 0; c < rules->charges; c++) {
            const tz_charge *charge = &rules->charge[c];
            if (charge->weight == uses[u].weight)
                sums->sum[charge->resource] +=
                    tz_form_value(&charge->amount, rules->lengths, lengths, TZ_MAX_RANK, index);
        }
    }
    for (unsigned r = 0; r < rules->resources; r++) {
        const tz_resource *resource = &rules->resource[r];
        if (resource->other < 0)
            continue;
        sums->expected = tz_form_value(&resource->total, rules->lengths, lengths, 0, NULL) -
                         sums->sum[resource->other];
        if (sums->added[r] ? sums->sum[r] != sums->expected : sums->expected < 0) {
            sums->resource = (int)r;
            return 1;
        }
    }
    return 0;
}

static void check_resources(tz_checking *check) {
    const tz_rules *rules = check->rules;
    int64_t *sum = calloc(rules->resources, sizeof *sum);
    bool *added = calloc(rules->resources, sizeof *added);
    resource_sums sums = {.check = check, .sum = sum, .added = added, .resource = -1};
    tz_status status = sum && added ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned c = 0; status == TZ_OK && c < rules->charges; c++)
        added[rules->charge[c].resource] = true;
    if (status == TZ_OK)
        status = tz_enumerate(rules, check->lengths, TZ_CHECK_MOST, sum_resources, &sums);
    if (status != TZ_OK) {
        tz_checking_broken(check, status, NULL);
    } else if (sums.resource >= 0) {
        char total[TZ_TERM_TEXT];
        const tz_resource *resource = &rules->resource[sums.resource];
        tz_form_text(&resource->total, rules->length_name, NULL, total, sizeof total);
        if (added[sums.resource])
            tz_checking_fail(
                check,
                "a derivation uses %lld of %s, but %.200s - %s is %lld: mend the resource lines",
                (long long)sum[sums.resource], resource->name, total,
                rules->resource[resource->other].name, (long long)sums.expected);
        else
            tz_checking_fail(
                check, "a derivation has %s = %.200s - %s = %lld, below 0: mend the resource lines",
                resource->name, total, rules->resource[resource->other].name,
                (long long)sums.expected);
    }
    free(sum);
    free(added);
}

/* ---- The table ------------------------------------------------------------------------------- */

static void print_count(double count) {
    /* the count semiring is exact to 2^53 */
    if (count == INFINITY)
        printf("  %15s", "no end");
    else if (count <= 9007199254740992.0)
        printf("  %15.0f", count);
    else
        printf("  %15.8e", count);
}

/* By the engine; false from the first length on that is too much. */
static bool count_in_time(tz_checking *check, int32_t n, double *ret_count) {
    tz_error error = {0};
    if (check->counted != n - 1)
        return false;
    tz_status status = tz_counter_derivations(&check->counter, check->lengths, ret_count, &error);
    if (status == TZ_DIVERGES) {
        *ret_count = INFINITY;
        status = TZ_OK;
    }
    if (status == TZ_OK)
        check->counted = n;
    else if (status != TZ_TOO_LARGE)
        tz_checking_broken(check, status, &error);
    return status == TZ_OK;
}

/* The row of one length. */
static void check_length(tz_checking *check, int32_t n) {
    const tz_rules *rules = check->rules;
    double derivations;
    tz_checking_set_lengths(check, n);
    bool counted = count_in_time(check, n, &derivations);
    if (check->broken)
        return;
    printf("%11ld", (long)n);
    if (counted)
        print_count(derivations);
    else
        printf("  %15s", "-");

    size_t enumerated = 0, structures = 0;
    bool known = false;
    bool few = n <= TZ_CHECK_LONGEST || (counted && derivations <= TZ_CHECK_FEW);
    if (few && check->reached == n - 1) {
        tz_status status =
            tz_count_structures(rules, check->lengths, TZ_CHECK_MOST, &enumerated, &structures);
        known = status == TZ_OK;
        if (known) {
            check->reached = n;
            check->most = enumerated > check->most ? enumerated : check->most;
        } else if (status != TZ_TOO_LARGE && !(status == TZ_BAD_RULES && tz_has_closures(rules)))
            tz_checking_broken(check, status, NULL);
    }
    if (known)
        printf("  %15zu  %15zu", enumerated, structures);
    else
        printf("  %15s  %15s", "-", "-");
    bool declared = check->as_declared && n >= 1 && (uint32_t)n <= rules->counts;
    if (declared)
        print_count(rules->count[n - 1]);
    putchar('\n');

    if (known && counted && (double)enumerated != derivations)
        tz_checking_fail(check,
                         "the engine counts %.0f derivations, enumeration %zu: a defect of Trapeze",
                         derivations, enumerated);
    if (known && structures < enumerated)
        tz_checking_several(check, enumerated, structures);
    double found = known ? (double)structures : counted ? derivations : 0;
    if (declared && (known || (counted && !rules->ambiguous)) && found != rules->count[n - 1])
        tz_checking_fail(
            check, "%.0f structure%s, but `count` says %.0f: mend the rules or the `count` line",
            found, found == 1 ? "" : "s", rules->count[n - 1]);
    if (known && rules->resources > 0 && !check->broken)
        check_resources(check);
}

/* Of which problems the table counts derivations: the lengths that do not run, and that all cells
 * of sparse weights are there. */
static void print_counted(const tz_checking *check) {
    const tz_rules *rules = check->rules;
    unsigned running = tz_running_length(rules);
    const char *separator = "\ncounted with ";
    bool sparse = false;
    for (unsigned l = 0; l < rules->lengths; l++) {
        const char *name = rules->length_name[l];
        if (l == running)
            continue;
        printf("%s%s = ", separator, name);
        if (check->chosen != NULL || tz_is_label_set(rules, l) ||
            tz_named_length(check->named, name) >= 0)
            printf("%ld", (long)check->lengths[l]);
        else
            fputs(rules->length_name[running], stdout);
        separator = ", ";
    }
    for (unsigned w = 0; w < rules->weights; w++)
        sparse |= rules->weight[w].sparse;
    if (sparse)
        printf("%severy entry of sparse weights", separator);
    if (sparse || rules->lengths > 1)
        puts(check->chosen != NULL ? ", which shows more derivations" : "");
}

void tz_check_table(tz_checking *check, int32_t length) {
    check->reached = check->counted = -1;
    tz_checking_set_lengths(check, 0);
    print_counted(check);
    printf("\n%11s  %15s  %15s  %15s", check->rules->length_name[tz_running_length(check->rules)],
           "derivations", "by enumeration", "structures");
    if (check->as_declared)
        printf("  %15s", "declared");
    putchar('\n');
    for (int32_t n = 0; n <= length && !check->broken; n++)
        check_length(check, n);
}
