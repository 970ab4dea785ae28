/* fuzz_semiring.c - semirings as text: read, and used where they are right.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* The value of a small problem. */
static double solve(const tz_semiring *semiring, unsigned flags) {
    enum { N = 3 };
    const tz_rules *rules = tz_rules_find("eisner");
    const int32_t lengths[] = {N};
    double arc[N + 1][N + 1], ret = 0;
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
            arc[i][j] = i == j ? 0 : (i * 3 + j) % 5 - 2;
    tz_scores scores[] = {{.data = arc, .extent = {N + 1, N + 1}, .stride = {N + 1, 1}}};
    tz_problem problem = {.lengths = lengths, .scores = scores};
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = NULL;
    if (tz_plan_new(rules, semiring, TZ_FORCE | flags, &plan, NULL) == TZ_OK &&
        tz_chart_new(plan, &chart) == TZ_OK && tz_bind(chart, &problem, 1, NULL) == TZ_OK &&
        tz_inside(chart) == TZ_OK)
        FUZZ_CHECK(tz_goal(chart, 0, &ret) == TZ_OK);
    return ret;
}

void fuzz_target(const uint8_t *data, size_t size) {
    OWN(tz_semiring, semiring) = NULL;
    tz_error error;
    tz_status status = tz_semiring_read(fuzz_file(data, size), &semiring, &error);
    if (status != TZ_OK) {
        FUZZ_CHECK(status == TZ_BAD_ARGUMENT || status == TZ_LAW);
        FUZZ_CHECK(semiring == NULL && error.status == status && error.message[0] != '\0');
        return;
    }
    double fast = solve(semiring, 0), plain = solve(semiring, TZ_PLAIN);
    double apart = fast - plain, most = 1 + (plain < 0 ? -plain : plain);
    FUZZ_CHECK(!(apart > 1e-6 * most || apart < -1e-6 * most));
}
