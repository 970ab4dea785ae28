/* limits.c - what does a limit on the kept words cost? compress x max in double, one sentence at a
 * time. First the share of all (sentence, amount) that bisection alone solves, for random scores
 * without and with structure; then times at n = 40, m = 16, all jobs in turn in one run, beside
 * what they should be. Answers are compared before times are taken.
 *
 * Usage: limits [SECONDS], for the times; 4 by default. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/timing.h"

enum { MOST = 40, SHARED = 30, TIMED = 24, M = 16 };

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
        for (int n = 10; n <= MOST; n += 10) {
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
    sentence *closed, *open; /* [TIMED] bisection solves them; it does not */
} bench;

typedef struct work {
    bench *bench;
    sentence *sentences;
    int32_t most; /* of the charged rules; 0: the combination */
} work;

static tz_status solve(const work *w, sentence *s, double *ret_score) {
    if (w->most == 0) {
        tz_limited found;
        tz_status status =
            tz_limit(w->bench->chart, &s->problem, M, M, TZ_LIMIT_AUTO, &found, NULL);
        *ret_score = found.score;
        return status;
    }
    const tz_derivation *best;
    size_t item;
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    tz_chart *chart = w->bench->charged;
    s->lengths[1] = w->most;
    tz_status status = tz_rules_goal(w->bench->rules, s->lengths, &item, &rank, index);
    if (status == TZ_OK)
        status = tz_bind(chart, &s->problem, 1, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart);
    index[rank - 1] = M;
    if (status == TZ_OK)
        status = tz_best_item(chart, 0, item, index, &best);
    *ret_score = status == TZ_OK ? best->score : -INFINITY;
    return status;
}

static tz_status run(void *user, size_t turn) {
    const work *w = user;
    double score;
    return solve(w, &w->sentences[turn % TIMED], &score);
}

/* Both kinds of sentences, drawn until there are enough of each. */
static void draw_both(bench *b, const tz_rules *rules, bool structured) {
    sentence *s = malloc(sizeof *s);
    if (s == NULL)
        stop("out of memory");
    for (unsigned closed = 0, open = 0; closed < TIMED || open < TIMED;) {
        tz_limited found;
        draw(s, rules, MOST, structured);
        need(tz_limit(b->chart, &s->problem, M, M, TZ_LIMIT_DUAL, &found, NULL),
             "bisection failed");
        sentence *to = found.exact ? b->closed + closed : b->open + open;
        if ((found.exact ? closed : open) == TIMED)
            continue;
        *(found.exact ? &closed : &open) += 1;
        *to = *s;
        to->scores[0].data = to->arc;
        to->scores[1].data = to->bigram;
        to->problem = (tz_problem){.lengths = to->lengths, .scores = to->scores};
    }
    free(s);
}

static int missed;

static void row(tz_middle figure, char sign, double target, const char *what) {
    bool met = sign == '>' ? figure.median >= target : figure.median <= target;
    missed += !met;
    printf("%-60s %8.2f +- %-5.2f x    %c= %-6g %s\n", what, figure.median, figure.spread, sign,
           target, met ? "yes" : "NO");
}

static void print_times(bench *b, double budget) {
    enum { FULL, SAME, CLOSED, OPEN, JOBS };
    work work[JOBS] = {{b, b->open, MOST}, {b, b->open, M}, {b, b->closed, 0}, {b, b->open, 0}};
    tz_job job[JOBS];
    tz_timings times;
    for (unsigned j = 0; j < JOBS; j++)
        job[j] = (tz_job){.run = run, .user = &work[j]};
    for (unsigned i = 0; i < TIMED; i++) {
        double plain, same, combined;
        need(solve(&work[FULL], &b->open[i], &plain), "the charged rules failed");
        need(solve(&work[SAME], &b->open[i], &same), "the charged rules failed");
        need(solve(&work[OPEN], &b->open[i], &combined), "the combination failed");
        if (plain != same || fabs(plain - combined) > 1e-12 * fabs(plain))
            stop("the charged rules and the combination differ");
    }
    need(tz_time(job, JOBS, budget, &times), "a job failed");
    static const char *const names[] = {"charged rules, room for 40", "charged rules, room for 16",
                                        "combination, bisection solves it",
                                        "combination, bisection leaves a gap"};
    for (int j = 0; j < JOBS; j++)
        printf("    %-50s %10.3f us a sentence\n", names[j],
               1e6 * tz_difference(&times, j, -1).median);
    row(tz_ratio(&times, FULL, -1, CLOSED, -1), '>', 8,
        "charged rules, full / combination, solved");
    row(tz_ratio(&times, OPEN, -1, FULL, -1), '<', 1.3, "combination, gap / charged rules, full");
    tz_timings_free(&times);
}

int main(int argc, char **argv) {
    double budget = argc > 1 ? strtod(argv[1], NULL) : 4;
    const tz_rules *rules = tz_rules_find("compress");
    bench b = {.closed = calloc(TIMED, sizeof *b.closed), .open = calloc(TIMED, sizeof *b.open)};
    tz_limiter *limiter;
    tz_plan *plan;
    if (b.closed == NULL || b.open == NULL)
        stop("out of memory");
    need(tz_limiter_new(rules, "kept", TZ_F64, 0, &limiter, NULL), "no limiter");
    need(tz_limit_chart_new(limiter, &b.chart), "no chart");
    need(tz_rules_charge(rules, "kept", &b.rules, NULL), "no charged rules");
    need(tz_plan_new(b.rules, tz_semiring_find("max", TZ_F64), 0, &plan, NULL), "no plan");
    need(tz_chart_new(plan, &b.charged), "no chart");
    print_shares(rules, b.chart);
    for (unsigned structured = 0; structured < 2; structured++) {
        printf("\nn = %d, m = %d, %s scores\n", MOST, M, structured ? "structured" : "uniform");
        draw_both(&b, rules, structured);
        print_times(&b, budget / 2);
    }
    tz_chart_free(b.charged);
    tz_plan_free(plan);
    tz_rules_free(b.rules);
    tz_limit_chart_free(b.chart);
    tz_limiter_free(limiter);
    free(b.closed);
    free(b.open);
    return missed > 0;
}
