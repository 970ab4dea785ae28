/* limits.c - what does a limit on the kept words cost? compress x max in double, one sentence at a
 * time. First the share of all (sentence, amount) that bisection alone solves, for random scores
 * without and with structure; then times for several n and m, all jobs in turn in one run, beside
 * what they should be: the charged rules have room for the smaller of m and n - m, as none need
 * more. Answers are compared before times are taken.
 *
 * Usage: limits [SECONDS], for the times; 8 by default. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/timing.h"

enum { MOST = 60, SHARED = 30, SHARED_MOST = 40, TIMED = 24 };

/* From few products of the charged rules to many: 10^5, 2.4 10^6, 6 10^6, 6 10^7. */
static const struct {
    int n, m;
    double most[2]; /* the combination's time, at most, over the charged rules' */
} SIZE[] = {{20, 5, {1.6, 2}}, {40, 10, {1.1, 1.3}}, {40, 16, {0.7, 1.6}}, {60, 30, {0.2, 0.3}}};

static void stop(const char *message) __attribute__((noreturn));

static void stop(const char *message) {
    fprintf(stderr, "limits: %s\n", message);
    exit(1);
}

static void need(tz_status status, const char *what) {
    if (status != TZ_OK)
        stop(what);
}

/* ---- Sentences ----------------------------------------------------------------------------------
 */

static uint64_t seed = 1;

/* [0, 1): splitmix64 (Steele, Lea & Flood 2014). */
static double uniform(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct sentence {
    double arc[(MOST + 1) * (MOST + 1)], bigram[(MOST + 1) * (MOST + 2)];
    int32_t lengths[2]; /* n, and what the charged rules may use */
    tz_scores scores[2];
    tz_problem problem;
} sentence;

/* Uniform: every score in [-5, 5). Structured: words matter more or less, near heads are better,
 * and leaving words out costs by the logarithm of how many. */
static void draw(sentence *s, const tz_rules *rules, int n, bool structured) {
    tz_shape shape[2];
    s->lengths[0] = n;
    for (unsigned w = 0; w < 2; w++)
        need(tz_rules_shape(rules, w, s->lengths, &shape[w]), "no shape");
    int width = shape[0].extent[1];
    for (int m = 1; m <= n; m++) {
        double word = 6 * uniform() - 3;
        for (int h = 0; h <= n; h++)
            s->arc[h * width + m] =
                structured ? word - 0.3 * abs(h - m) + uniform() : 10 * uniform() - 5;
    }
    width = shape[1].extent[1];
    for (int i = 0; i <= n; i++)
        for (int j = i + 1; j <= n + 1; j++)
            s->bigram[i * width + j] =
                structured ? uniform() - 1.5 * log(j - i) : 10 * uniform() - 5;
    s->scores[0] = tz_scores_dense(&shape[0], s->arc);
    s->scores[1] = tz_scores_dense(&shape[1], s->bigram);
    s->problem = (tz_problem){.lengths = s->lengths, .scores = s->scores};
}

/* ---- Shares -------------------------------------------------------------------------------------
 */

static void print_shares(const tz_rules *rules, tz_limit_chart *chart) {
    static sentence s;
    printf("share of (sentence, kept words) that bisection alone solves, %d sentences each\n",
           SHARED);
    for (unsigned structured = 0; structured < 2; structured++)
        for (int n = 10; n <= SHARED_MOST; n += 10) {
            unsigned exact = 0, all = 0, passes = 0, most = 0;
            for (unsigned i = 0; i < SHARED; i++) {
                draw(&s, rules, n, structured);
                for (int m = 0; m <= n; m++) {
                    tz_limited found;
                    need(tz_limit(chart, &s.problem, m, m, TZ_LIMIT_DUAL, &found, NULL),
                         "bisection failed");
                    exact += found.exact;
                    passes += found.steps;
                    most = found.steps > most ? found.steps : most;
                    all++;
                }
            }
            printf("    %-10s n = %d: %5.1f %%, %.1f passes on average, %u at most\n",
                   structured ? "structured" : "uniform", n, 100.0 * exact / all,
                   (double)passes / all, most);
        }
}

/* ---- Times --------------------------------------------------------------------------------------
 */

typedef struct bench {
    tz_limit_chart *chart;
    tz_rules *rules; /* charged ones */
    tz_chart *charged;
    sentence *sentences; /* [TIMED] */
    int n, m;
    double most; /* the combination's time, at most, over the charged rules' */
} bench;

typedef struct work {
    bench *bench;
    bool charged; /* by the charged rules, not by the combination */
} work;

static tz_status solve(const work *w, sentence *s, double *ret_score) {
    const int m = w->bench->m;
    if (!w->charged) {
        tz_limited found;
        tz_status status =
            tz_limit(w->bench->chart, &s->problem, m, m, TZ_LIMIT_AUTO, &found, NULL);
        *ret_score = found.score;
        return status;
    }
    const tz_derivation *best;
    size_t item;
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    tz_chart *chart = w->bench->charged;
    s->lengths[1] = m;
    tz_status status = tz_rules_goal(w->bench->rules, s->lengths, &item, &rank, index);
    if (status == TZ_OK)
        status = tz_bind(chart, &s->problem, 1, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart);
    index[rank - 1] = m;
    if (status == TZ_OK)
        status = tz_best(chart, 0, item, index, &best);
    *ret_score = status == TZ_OK ? best->score : -INFINITY;
    return status;
}

static tz_status run(void *user, size_t turn) {
    const work *w = user;
    double score;
    return solve(w, &w->bench->sentences[turn % TIMED], &score);
}

static int missed;

static void row(tz_middle figure, char sign, double target, const char *what) {
    bool met = sign == '>' ? figure.median >= target : figure.median <= target;
    missed += !met;
    printf("%-60s %8.2f +- %-5.2f x    %c= %-6g %s\n", what, figure.median, figure.spread, sign,
           target, met ? "yes" : "NO");
}

static void print_times(bench *b, double budget) {
    enum { CHARGED, COMBINED, JOBS };
    work work[JOBS] = {{b, true}, {b, false}};
    tz_job job[JOBS];
    tz_timings times;
    unsigned by[3] = {0};
    for (unsigned j = 0; j < JOBS; j++)
        job[j] = (tz_job){.run = run, .user = &work[j]};
    for (unsigned i = 0; i < TIMED; i++) {
        sentence *s = &b->sentences[i];
        double charged;
        tz_limited found;
        need(solve(&work[CHARGED], s, &charged), "the charged rules failed");
        need(tz_limit(b->chart, &s->problem, b->m, b->m, TZ_LIMIT_AUTO, &found, NULL),
             "the combination failed");
        if (fabs(charged - found.score) > 1e-12 * fabs(charged))
            stop("the charged rules and the combination differ");
        by[found.path]++;
    }
    need(tz_time(job, JOBS, budget, &times), "a job failed");
    printf(
        "    charged rules %10.3f us a sentence, combination %10.3f us: bisection solves %u, the "
        "forest %u, the charged rules %u\n",
        1e6 * tz_difference(&times, CHARGED, -1).median,
        1e6 * tz_difference(&times, COMBINED, -1).median, by[TZ_BY_BISECTION], by[TZ_BY_PRUNING],
        by[TZ_BY_CHARGE]);
    row(tz_ratio(&times, COMBINED, -1, CHARGED, -1), '<', b->most, "combination / charged rules");
    tz_timings_free(&times);
}

int main(int argc, char **argv) {
    double budget = argc > 1 ? strtod(argv[1], NULL) : 8;
    const tz_rules *rules = tz_rules_find("compress");
    bench b = {.sentences = calloc(TIMED, sizeof *b.sentences)};
    tz_limiter *limiter;
    tz_plan *plan;
    if (b.sentences == NULL)
        stop("out of memory");
    need(tz_limiter_new(rules, "kept", TZ_F64, 0, &limiter, NULL), "no limiter");
    need(tz_limit_chart_new(limiter, &b.chart), "no chart");
    need(tz_rules_charge(rules, "kept", &b.rules, NULL), "no charged rules");
    need(tz_plan_new(b.rules, tz_semiring_find("max", TZ_F64), 0, &plan, NULL), "no plan");
    need(tz_chart_new(plan, &b.charged), "no chart");
    print_shares(rules, b.chart);
    const unsigned sizes = sizeof SIZE / sizeof *SIZE;
    for (unsigned z = 0; z < sizes; z++)
        for (unsigned structured = 0; structured < 2; structured++) {
            b.n = SIZE[z].n;
            b.m = SIZE[z].m;
            b.most = SIZE[z].most[structured];
            printf("\nn = %d, m = %d, %s scores\n", b.n, b.m,
                   structured ? "structured" : "uniform");
            for (unsigned i = 0; i < TIMED; i++)
                draw(&b.sentences[i], rules, b.n, structured);
            print_times(&b, budget / (2 * sizes));
        }
    tz_chart_free(b.charged);
    tz_plan_free(plan);
    tz_rules_free(b.rules);
    tz_limit_chart_free(b.chart);
    tz_limiter_free(limiter);
    free(b.sentences);
    return missed > 0;
}
