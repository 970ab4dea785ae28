/* check.c - `trapeze rules check`: the compiled rules against the declarations of the file and
 * against enumeration. SPDX-License-Identifier: MIT */
#include "cli/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/counter.h"
#include "io/show/show.h"
#include "rules/polyhedra/form.h"
#include "rules/tell/cost.h"
#include "rules/tell/enumerate.h"

enum {
    LONGEST = 5,     /* of the lengths that are enumerated */
    MOST = 100000,   /* derivations enumerated */
    PRODUCTS_AT = 40 /* the length that products are told for */
};

typedef struct check {
    const char *command;
    const tz_rules *rules;
    bool failed;     /* something is not as declared */
    bool broken;     /* the check itself could not go on */
    bool several;    /* a structure has several derivations */
    int32_t reached; /* the last length that was enumerated, or -1 */
    int32_t counted; /* the last length that the engine counted, or -1 */
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_counter counter;
} check;

/* As `count` lines mean: the first length and other lower-case ones n, label sets 2. */
static void set_lengths(check *check, int32_t n) {
    for (unsigned l = 0; l < check->rules->lengths; l++) {
        char initial = check->rules->length_name[l][0];
        check->lengths[l] = l > 0 && initial >= 'A' && initial <= 'Z' ? 2 : n;
    }
}

static void broken(check *check, tz_status status, const tz_error *error) {
    const char *message = error && error->message[0] ? error->message : tz_status_name(status);
    tz_message(check->command, "%s: %s", check->rules->name, message);
    check->broken = true;
}

/* ---- Order and cost -------------------------------------------------------------------------- */

/* "j-i", or "(t, p)", of an item; a fold has no names for its indices. */
static void stage_text(const tz_rules *rules, unsigned item, unsigned stages,
                       char text[TZ_TERM_TEXT]) {
    size_t size = 0;
    text[0] = '\0';
    for (unsigned s = 0; s < stages && size < TZ_TERM_TEXT - 8; s++) {
        size += (size_t)snprintf(text + size, TZ_TERM_TEXT - size, "%s", s ? ", " : "");
        tz_form_text(&rules->kind[item].stage[s], rules->length_name, rules->item[item].index_name,
                     text + size, TZ_TERM_TEXT - size);
        size += strlen(text + size);
    }
}

/* One group: "stage j-i: rtrap, ltrap", with a new stage where the items' differ; folds, in
 * parentheses, go with the items around them. */
static void print_group(const tz_rules *rules, const tz_group *group) {
    char text[TZ_TERM_TEXT], last[TZ_TERM_TEXT] = "";
    unsigned item = 0;
    while (item < group->kinds && group->kind[item] >= rules->items)
        item++;
    const char *separator = "";
    for (unsigned k = 0; k < group->kinds; k++) {
        unsigned kind = group->kind[k];
        bool fold = kind >= rules->items;
        if (group->stages > 0 && item < group->kinds && (k == 0 || !fold)) {
            stage_text(rules, group->kind[k == 0 ? item : k], group->stages, text);
            if (strcmp(text, last) != 0) {
                printf("%sstage %s: ", k == 0 ? "" : "; ", text);
                separator = "";
            }
            memcpy(last, text, sizeof last);
        }
        printf(fold ? "%s(%s)" : "%s%s", separator, rules->kind[kind].name);
        separator = ", ";
    }
    putchar('\n');
}

static void print_cost(check *check) {
    const tz_rules *rules = check->rules;
    static const char *const name[] = {"time", "space"};
    for (unsigned g = 0; g < rules->groups; g++) {
        printf("%-11s", g == 0 ? "order" : "");
        print_group(rules, &rules->group[g]);
    }
    for (int space = 0; space < 2; space++) {
        char degree[512];
        tz_status status = tz_rules_degree(rules, space, degree, sizeof degree);
        if (status == TZ_OK)
            printf("%-11s%s\n", name[space], degree);
        else if (status == TZ_TOO_LARGE)
            printf("%-11stoo large to tell\n", name[space]);
        else
            broken(check, status, NULL);
    }
    double products;
    set_lengths(check, PRODUCTS_AT);
    tz_status status = tz_rules_products(rules, check->lengths, &products);
    if (status != TZ_OK && status != TZ_TOO_LARGE) {
        broken(check, status, NULL);
        return;
    }
    if (status == TZ_OK)
        printf("%-11s%.0f at", "products", products);
    else
        printf("%-11stoo many to count at", "products");
    for (unsigned l = 0; l < rules->lengths; l++)
        printf("%s %s = %ld", l ? "," : "", rules->length_name[l], (long)check->lengths[l]);
    putchar('\n');
}

/* ---- By enumeration -------------------------------------------------------------------------- */

static void fail(check *check, int32_t n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Messages tell the length and what would mend it. */
static void fail(check *check, int32_t n, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tz_message(check->command, "%s: %s = %ld: %s", check->rules->name, check->rules->length_name[0],
               (long)n, text);
    check->failed = true;
}

typedef struct resource_sums {
    const check *check;
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

static void check_resources(check *check, int32_t n) {
    const tz_rules *rules = check->rules;
    int64_t *sum = calloc(rules->resources, sizeof *sum);
    bool *added = calloc(rules->resources, sizeof *added);
    resource_sums sums = {.check = check, .sum = sum, .added = added, .resource = -1};
    tz_status status = sum && added ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned c = 0; status == TZ_OK && c < rules->charges; c++)
        added[rules->charge[c].resource] = true;
    if (status == TZ_OK)
        status = tz_enumerate(rules, check->lengths, MOST, sum_resources, &sums);
    if (status != TZ_OK) {
        broken(check, status, NULL);
    } else if (sums.resource >= 0) {
        char total[TZ_TERM_TEXT];
        const tz_resource *resource = &rules->resource[sums.resource];
        tz_form_text(&resource->total, rules->length_name, NULL, total, sizeof total);
        if (added[sums.resource])
            fail(check, n,
                 "a derivation uses %lld of %s, but %.200s - %s is %lld: mend the resource lines",
                 (long long)sum[sums.resource], resource->name, total,
                 rules->resource[resource->other].name, (long long)sums.expected);
        else
            fail(check, n,
                 "a derivation has %s = %.200s - %s = %lld, below 0: mend the resource lines",
                 resource->name, total, rules->resource[resource->other].name,
                 (long long)sums.expected);
    }
    free(sum);
    free(added);
}

/* ---- The table ------------------------------------------------------------------------------- */

static void print_count(double count) {
    /* the count semiring is exact to 2^53 */
    if (count <= 9007199254740992.0)
        printf("  %15.0f", count);
    else
        printf("  %15.8e", count);
}

/* By the engine; false from the first length on that is too much. */
static bool count_in_time(check *check, int32_t n, double *ret_count) {
    tz_error error = {0};
    if (check->counted != n - 1)
        return false;
    tz_status status = tz_counter_derivations(&check->counter, check->lengths, ret_count, &error);
    if (status == TZ_OK)
        check->counted = n;
    else if (status != TZ_TOO_LARGE)
        broken(check, status, &error);
    return status == TZ_OK;
}

/* The row of one length. */
static void check_length(check *check, int32_t n) {
    const tz_rules *rules = check->rules;
    double derivations;
    set_lengths(check, n);
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
    if (n <= LONGEST && check->reached == n - 1) {
        tz_status status =
            tz_count_structures(rules, check->lengths, MOST, &enumerated, &structures);
        known = status == TZ_OK;
        if (known)
            check->reached = n;
        else if (status != TZ_TOO_LARGE)
            broken(check, status, NULL);
    }
    if (known)
        printf("  %15zu  %15zu", enumerated, structures);
    else
        printf("  %15s  %15s", "-", "-");
    bool declared = n >= 1 && (uint32_t)n <= rules->counts;
    if (declared)
        print_count(rules->count[n - 1]);
    putchar('\n');

    if (known && counted && (double)enumerated != derivations)
        fail(check, n, "the engine counts %.0f derivations, enumeration %zu: a defect of Trapeze",
             derivations, enumerated);
    if (known && structures < enumerated) {
        if (!rules->ambiguous && !check->several)
            fail(check, n,
                 "%zu derivations of %zu structure%s: add a line `ambiguous`, or give the weights "
                 "indices that tell the derivations apart",
                 enumerated, structures, structures == 1 ? "" : "s");
        check->several = true;
    }
    double found = known ? (double)structures : counted ? derivations : 0;
    if (declared && (known || (counted && !rules->ambiguous)) && found != rules->count[n - 1])
        fail(check, n,
             "%.0f structure%s, but `count` says %.0f: mend the rules or the `count` line", found,
             found == 1 ? "" : "s", rules->count[n - 1]);
    if (known && rules->resources > 0 && !check->broken)
        check_resources(check, n);
}

static void print_findings(check *check, int32_t length) {
    const tz_rules *rules = check->rules;
    char reach[TZ_TERM_TEXT];
    snprintf(reach, sizeof reach, "%s = %ld", rules->length_name[0], (long)check->reached);
    printf("\n%-11s", "ambiguous");
    if (rules->derivations)
        printf("no: by `structures derivations`, every derivation is a structure of its own\n");
    else if (check->several)
        printf("yes: some structure has several derivations\n");
    else if (check->reached < 0)
        printf("not known: too much to enumerate even at %s = 0\n", rules->length_name[0]);
    else
        printf("no: up to %s, every derivation is a structure of its own\n", reach);
    if (check->counted < length)
        printf("%-11sby the engine, too much to count from %s = %ld on\n", "not done",
               rules->length_name[0], (long)check->counted + 1);
    for (unsigned r = 0; r < rules->resources && !check->failed && check->reached >= 0; r++) {
        char total[TZ_TERM_TEXT];
        const tz_resource *resource = &rules->resource[r];
        if (resource->other < 0)
            continue;
        tz_form_text(&resource->total, rules->length_name, NULL, total, sizeof total);
        printf("%-11s%s = %s - %s in every derivation up to %s\n", "resources", resource->name,
               total, rules->resource[resource->other].name, reach);
    }
    /* Of several lengths only equal ones were looked at. */
    if (rules->ambiguous && !check->several && check->reached == LONGEST && rules->lengths == 1) {
        tz_message(check->command,
                   "%s: `ambiguous` is declared, but up to %s no structure has several "
                   "derivations: remove the line",
                   rules->name, reach);
        check->failed = true;
    }
}

int tz_check_declared(const char *command, const tz_rules *rules, int32_t length) {
    check check = {.command = command, .rules = rules, .reached = -1, .counted = -1};
    tz_error error = {0};
    printf("%s\n\n", rules->name);
    print_cost(&check);
    tz_status status = tz_counter_init(&check.counter, rules, &error);
    if (status != TZ_OK)
        broken(&check, status, &error);
    if (!check.broken)
        printf("\n%11s  %15s  %15s  %15s  %15s\n", rules->length_name[0], "derivations",
               "by enumeration", "structures", "declared");
    for (int32_t n = 0; n <= length && !check.broken; n++)
        check_length(&check, n);
    if (!check.broken)
        print_findings(&check, length);
    tz_counter_free(&check.counter);
    return check.failed || check.broken ? TZ_EXIT_INPUT : 0;
}
