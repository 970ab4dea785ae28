/* growth.c - how does time grow with the length? For each rule set the exponent e of time ~ n^e
 * from one length to the next: of log Z and of the marginals of all weights (log, double, one
 * problem at a time, from the caller's arrays). A step that is far above the rule set's degree is a
 * cliff. Scores are uniform in [-5, 5): from some length on sums leave the range of a double, which
 * is a step of its own. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/pipeline.h"

enum { STEPS = 9, LENGTHS = 4, LEAST_TURNS = 3, MOST_TURNS = 1000 };

static const int32_t lengths[STEPS] = {10, 20, 40, 80, 160, 320, 640, 1280, 2000};

/* fixed: the lengths after n. */
typedef struct family {
    const char *rules;
    int degree;
    int32_t most, fixed[LENGTHS - 1];
} family;

/* clang-format off */
static const family families[] = {
    {"chain", 1, 640, {2}},
    {"chain", 1, 640, {3}},
    {"chain", 1, 640, {10}},
    {"chain", 1, 640, {20}},
    {"gallery/cky-dense", 3, 640, {2}},
    {"gallery/cky-dense", 3, 640, {3}},
    {"gallery/cky-dense", 3, 640, {10}},
    {"gallery/cky-dense", 3, 640, {20}},
    {"gallery/ctc", 1, 2000, {10, 30}},
    {"gallery/plan7", 1, 2000, {200, 20}},
};
/* clang-format on */

static void need(tz_status status, const char *what) {
    if (status != TZ_OK) {
        fprintf(stderr, "growth: %s\n", what);
        exit(1);
    }
}

/* The least seconds of a turn, after a first one; of about `budget` seconds in all. */
static double least_seconds(const tz_plan *plan, const tz_workload *work, unsigned stages,
                            double budget) {
    tz_pipeline *pipeline;
    double least = INFINITY, sum = 0;
    need(tz_pipeline_new(plan, tz_semiring_find("log", TZ_F64), work, 1, 1, 1, &pipeline),
         "out of memory");
    tz_staged staged = {pipeline, stages, false, 0};
    for (int turn = 0; turn < LEAST_TURNS || (sum < budget && turn < MOST_TURNS); turn++) {
        const double start = tz_cpu_seconds();
        need(tz_pipeline_turn(&staged, 0), "the library failed");
        const double seconds = tz_cpu_seconds() - start;
        sum += seconds;
        if (turn > 0 && seconds < least)
            least = seconds;
    }
    tz_pipeline_free(pipeline);
    return least;
}

/* Stops before a length that would take more than `patience` seconds. */
static void print_row(const family *f, const tz_rules *rules, const tz_plan *plan, unsigned stages,
                      const char *question, double budget, double patience) {
    const int32_t *fixed = f->fixed;
    double before = 0, steepest = -INFINITY;
    char name[64];
    snprintf(name, sizeof name, fixed[1] > 0 ? "%s, %d x %d" : "%s, %d", f->rules, (int)fixed[0],
             (int)fixed[1]);
    printf("%-24s %-9s |", name, question);
    for (int s = 0; s < STEPS; s++) {
        const double step = s > 0 ? (double)lengths[s] / lengths[s - 1] : 1;
        if (lengths[s] > f->most ||
            before * pow(step, f->degree) * (LEAST_TURNS - (stages & TZ_STAGE_OUTSIDE ? 0 : 1)) >
                patience) {
            printf(" %8s", "-");
            before = INFINITY;
            continue;
        }
        int32_t of[LENGTHS] = {lengths[s], fixed[0], fixed[1], fixed[2]};
        tz_workload *work;
        need(tz_workload_new(rules, TZ_DOUBLE, of, 1, 1, &work), "out of memory");
        const double seconds = least_seconds(plan, work, stages, budget);
        tz_workload_free(work);
        if (s == 0) {
            printf(" %8.1f", 1e6 * seconds);
        } else {
            const double growth = tz_growth(lengths[s - 1], before, lengths[s], seconds);
            steepest = growth > steepest ? growth : steepest;
            printf(" %8.2f", growth);
        }
        fflush(stdout);
        before = seconds;
    }
    printf(" | %+6.2f\n", steepest - f->degree);
}

static void print_family(const family *f, double budget, double patience) {
    tz_rules *read = NULL;
    tz_error error;
    tz_plan *plan;
    const tz_rules *rules = tz_rules_find(f->rules);
    if (rules == NULL) {
        need(tz_gallery_read(f->rules, &read, &error), "no such rules");
        rules = read;
    }
    need(tz_plan_new(rules, tz_semiring_find("log", TZ_F64), 0, &plan, &error), "no plan");
    print_row(f, rules, plan, TZ_STAGE_BIND | TZ_STAGE_INSIDE, "log Z", budget, patience);
    print_row(f, rules, plan,
              TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_OUTSIDE | TZ_STAGE_MARGINALS, "marginals",
              budget, patience);
    tz_plan_free(plan);
    tz_rules_free(read);
}

int main(int count, char **arguments) {
    const char *only = count > 1 ? arguments[1] : "";
    const double patience = count > 2 ? atof(arguments[2]) : 60;
    if (count > 3 || only[0] == '-') {
        fputs(
            "Usage: growth [RULES [PATIENCE]]\n"
            "How time grows with n: microseconds at n = 10, then the exponent e of time ~ n^e\n"
            "from the n before, and how far the steepest step is above the degree.\n"
            "RULES: only those whose name has this in it. PATIENCE: seconds; a row ends before a\n"
            "length that would take more (60).\n",
            only[0] == '-' && strcmp(only, "--help") == 0 ? stdout : stderr);
        return strcmp(only, "--help") == 0 ? 0 : 2;
    }
    printf("%-24s %-9s |", "rule set, other lengths", "n =");
    for (int s = 0; s < STEPS; s++)
        printf(" %8d", (int)lengths[s]);
    printf(" | beyond\n");
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        if (strstr(families[f].rules, only) != NULL)
            print_family(&families[f], .05, patience);
    return 0;
}
