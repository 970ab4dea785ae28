/* speed_charged.c - charged rule sets beside a C loop. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "charged.h"
#include "speed.h"

/* One sentence, for the library and for the loop. */
typedef struct charged {
    int32_t lengths[2]; /* words, words kept */
    tz_rules *rules;
    tz_plan *plan;
    tz_chart *chart;
    double *score[2], *cells; /* arc, bigram; the loop's chart */
    double expected, value;
} charged;

static void check(bool holds, const char *what) {
    if (!holds)
        speed_fail(what);
}

static tz_status inside(void *user, size_t turn) {
    charged *c = user;
    (void)turn;
    return tz_inside(c->chart);
}

static tz_status loop(void *user, size_t turn) {
    charged *c = user;
    (void)turn;
    c->expected = charged_f64(c->lengths[0], c->lengths[1], c->score[0], c->score[1], c->cells);
    return TZ_OK;
}

static void start(charged *c, int n, int kept) {
    tz_scores scores[2];
    uint64_t seed = 1;
    *c = (charged){.lengths = {n, kept}};
    check(tz_rules_charge(tz_rules_find("compress"), "kept", &c->rules, NULL) == TZ_OK &&
              tz_plan_new(c->rules, tz_semiring_find("max", TZ_F64), 0, &c->plan, NULL) == TZ_OK &&
              tz_chart_new(c->plan, &c->chart) == TZ_OK,
          "compress cannot be charged");
    c->cells = aligned_alloc(64, charged_cells(n, kept) * sizeof *c->cells);
    check(c->cells != NULL, "out of memory");
    for (size_t w = 0; w < 2; w++) {
        tz_shape shape;
        check(tz_rules_shape(c->rules, w, c->lengths, &shape) == TZ_OK, "no shape");
        size_t cells = (size_t)(n + 1 + (int)w) * (size_t)(n + 1 + (int)w);
        c->score[w] = malloc(cells * sizeof(double));
        check(c->score[w] != NULL, "out of memory");
        for (size_t i = 0; i < cells; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth */
            c->score[w][i] = (double)(seed >> 40) * 0x1p-23 - 1;
        }
        scores[w] = tz_scores_dense(&shape, c->score[w]);
        scores[w].stride[0] = n + 1 + (int)w;
    }
    tz_problem problem = {.lengths = c->lengths, .scores = scores};
    check(tz_bind(c->chart, &problem, 1, NULL) == TZ_OK && inside(c, 0) == TZ_OK &&
              tz_goal(c->chart, 0, &c->value) == TZ_OK && loop(c, 0) == TZ_OK,
          "a charged rule set fails");
    check(fabs(c->value - c->expected) <= 1e-12 * n, "the C loop has another answer");
}

tz_middle speed_charged(double budget, int n, int kept, double ret_microseconds[2]) {
    charged c;
    tz_timings times;
    start(&c, n, kept);
    const tz_job jobs[] = {{inside, &c, NULL}, {loop, &c, NULL}};
    check(tz_time(jobs, 2, budget, &times) == TZ_OK, "out of memory");
    tz_middle ratio = tz_ratio(&times, 0, -1, 1, -1);
    for (int job = 0; job < 2; job++)
        ret_microseconds[job] = 1e6 * tz_difference(&times, job, -1).median;
    tz_timings_free(&times);
    tz_chart_free(c.chart);
    tz_plan_free(c.plan);
    tz_rules_free(c.rules);
    free(c.score[0]);
    free(c.score[1]);
    free(c.cells);
    return ratio;
}
