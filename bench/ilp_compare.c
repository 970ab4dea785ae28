/* ilp_compare.c - how much longer does an integer program take to compress a sentence to a length,
 * and what does it gain by trees that are not projective? Both get the same scores:
 *
 *   uniform   in [-5, 5)
 *   planted   in [-1, 1), and 1 more for every arc and bigram of a compression of that length
 *
 * Ours is at most the integer program's optimum, and equal to it where that is projective:
 * otherwise the program says so and ends with 1. Times are from the caller's arrays to the best
 * compression; CBC's is a single run, ours a median.
 *
 * Usage: ilp [SEED [SENTENCES]], 1 and 11 by default; SENTENCES for every n and kind of scores.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ilp.h"
#include "measure/probe.h"
#include "measure/timing.h"
#include "measure/workload.h"

enum { LONGEST = 40, MOST_SENTENCES = 1000, ARCS = 0, BIGRAMS = 1 };
#define TOLERANCE    1e-6 /* CBC's */
#define MOST_SECONDS 60.0

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("ilp: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void need(tz_status status, const tz_error *opt_error) {
    if (status != TZ_OK)
        fail("%s", opt_error != NULL && opt_error->message[0] != '\0' ? opt_error->message
                                                                      : tz_status_name(status));
}

/* ---- Sentences ----------------------------------------------------------------------------- */

typedef struct sentence {
    int32_t n, kept;
    double arc[(LONGEST + 1) * (LONGEST + 1)];
    double bigram[(LONGEST + 1) * (LONGEST + 2)];
} sentence;

static int32_t kept_of(int32_t n) {
    return (int32_t)floor(0.4 * n + 0.5);
}

static void take_scores(const tz_workload *work, size_t problem, sentence *s) {
    size_t n = (size_t)work->lengths[problem];
    s->n = (int32_t)n;
    s->kept = kept_of(s->n);
    memcpy(s->arc, work->problem[problem].scores[ARCS].data, (n + 1) * (n + 1) * sizeof(double));
    memcpy(s->bigram, work->problem[problem].scores[BIGRAMS].data,
           (n + 1) * (n + 2) * sizeof(double));
}

/* ---- Ours ---------------------------------------------------------------------------------- */

/* The library's call, and with method TZ_LIMIT_EXACT the plain dynamic program over lengths. */
typedef struct ours {
    tz_limiter *limiter;
    tz_limit_chart *chart;
    tz_limit_method method;
    const sentence *sentence;
    tz_limited found;
    double seconds; /* of all runs so far */
} ours;

static void ours_new(ours *o) {
    tz_error error = {TZ_OK, ""};
    *o = (ours){.method = TZ_LIMIT_AUTO};
    need(tz_limiter_new(tz_rules_find("compress"), "kept", TZ_F64, 0, &o->limiter, &error), &error);
    need(tz_limit_chart_new(o->limiter, &o->chart), NULL);
}

static void ours_free(ours *o) {
    tz_limit_chart_free(o->chart);
    tz_limiter_free(o->limiter);
}

static tz_status ours_run(void *user, size_t turn) {
    ours *o = user;
    const sentence *s = o->sentence;
    const tz_rules *rules = tz_rules_find("compress");
    double start = tz_cpu_seconds();
    (void)turn;
    tz_shape arcs, bigrams;
    tz_status status = tz_rules_shape(rules, ARCS, &s->n, &arcs);
    if (status == TZ_OK)
        status = tz_rules_shape(rules, BIGRAMS, &s->n, &bigrams);
    if (status != TZ_OK)
        return status;
    tz_scores scores[] = {
        [ARCS] = tz_scores_dense(&arcs, s->arc), [BIGRAMS] = tz_scores_dense(&bigrams, s->bigram)};
    tz_problem problem = {.lengths = &s->n, .scores = scores};
    status = tz_limit(o->chart, &problem, s->kept, s->kept, o->method, &o->found, NULL);
    o->seconds += tz_cpu_seconds() - start;
    return status;
}

static double ours_seconds(ours *o, tz_limit_method method) {
    o->method = method;
    tz_job job = {ours_run, o, &o->seconds};
    tz_timings times;
    need(tz_time(&job, 1, 0.05, &times), NULL);
    double seconds = tz_difference(&times, 0, -1).median;
    tz_timings_free(&times);
    o->method = TZ_LIMIT_AUTO;
    return seconds;
}

/* The best compression under the scores of `other` is what is planted. */
static void plant(ours *o, const sentence *other, sentence *s) {
    size_t n = (size_t)s->n;
    for (size_t c = 0; c < (n + 1) * (n + 1); c++)
        s->arc[c] /= 5;
    for (size_t c = 0; c < (n + 1) * (n + 2); c++)
        s->bigram[c] /= 5;
    o->sentence = other;
    need(ours_run(o, 0), NULL);
    for (size_t u = 0; u < o->found.derivation->uses; u++) {
        const tz_use *use = &o->found.derivation->use[u];
        size_t row = (size_t)use->index[0], column = (size_t)use->index[1];
        *(use->weight == ARCS ? &s->arc[row * (n + 1) + column]
                              : &s->bigram[row * (n + 2) + column]) += 1;
    }
}

/* ---- The comparison ------------------------------------------------------------------------ */

/* Do no two arcs cross? head[m] < 0: m is dropped. */
static bool projective(int n, const int *head) {
    for (int a = 1; a <= n; a++) {
        for (int b = 1; b <= n && head[a] >= 0; b++) {
            int low = a < head[a] ? a : head[a], high = a + head[a] - low;
            int from = b < head[b] ? b : head[b], to = b + head[b] - from;
            if (head[b] >= 0 && low < from && from < high && high < to)
                return false;
        }
    }
    return true;
}

typedef struct comparison {
    size_t sentences, proved, projective;
    double cbc[MOST_SENTENCES], plain[MOST_SENTENCES], ours[MOST_SENTENCES]; /* seconds */
    double ratio[MOST_SENTENCES];                                            /* CBC / ours */
    double gain[MOST_SENTENCES]; /* of the integer program's score */
} comparison;

static void compare(ours *o, const sentence *s, comparison *c) {
    int n = s->n, kept = s->kept, head[LONGEST + 1], words = 0;
    size_t at = c->sentences++;
    ilp_answer answer;
    o->sentence = s;
    need(ours_run(o, 0), NULL);
    double score = o->found.score;
    for (size_t u = 0; u < o->found.derivation->uses; u++)
        words += o->found.derivation->use[u].weight == ARCS;
    if (words != kept)
        fail("sentence %zu, n = %d: ours keeps %d words instead of %d", at, n, words, kept);
    tz_status status = ilp_solve(n, kept, s->arc, s->bigram, MOST_SECONDS, head, &answer);
    if (status == TZ_NONE) /* within the time: there is a compression of every length */
        answer = (ilp_answer){-INFINITY, MOST_SECONDS, false};
    else
        need(status, NULL);
    if (answer.optimal) {
        bool equal = projective(n, head);
        if (score > answer.score + TOLERANCE || (equal && score < answer.score - TOLERANCE))
            fail("sentence %zu, n = %d: ours %.9f, the integer program's %.9f, %sprojective", at, n,
                 score, answer.score, equal ? "" : "not ");
        c->projective += equal;
        c->gain[c->proved++] = answer.score - score;
    }
    c->plain[at] = ours_seconds(o, TZ_LIMIT_EXACT);
    if (fabs(o->found.score - score) > TOLERANCE)
        fail("sentence %zu, n = %d: ours %.9f, the plain program %.9f", at, n, score,
             o->found.score);
    c->ours[at] = ours_seconds(o, TZ_LIMIT_AUTO);
    c->cbc[at] = answer.seconds;
    c->ratio[at] = answer.seconds / c->ours[at];
}

static void row(const char *scores, int n, comparison *c) {
    tz_middle cbc = tz_middle_of(c->cbc, c->sentences);
    tz_middle plain = tz_middle_of(c->plain, c->sentences);
    tz_middle own = tz_middle_of(c->ours, c->sentences);
    tz_middle ratio = tz_middle_of(c->ratio, c->sentences);
    tz_middle gain = c->proved > 0 ? tz_middle_of(c->gain, c->proved) : (tz_middle){NAN, NAN};
    printf("%-8s %3d %5d %7zu %10zu %8.2f %8.1f +- %-6.1f %8.3f %8.3f +- %-6.3f %7.0f +- %-6.0f "
           "%7.0f\n",
           scores, n, (int)kept_of(n), c->proved, c->projective, gain.median, 1e3 * cbc.median,
           1e3 * cbc.spread, 1e3 * plain.median, 1e3 * own.median, 1e3 * own.spread, ratio.median,
           ratio.spread, c->ratio[0]);
    fflush(stdout);
}

static void compare_length(ours *o, int n, uint64_t seed, size_t sentences) {
    static const char *const kinds[] = {"uniform", "planted"};
    static int32_t lengths[2 * MOST_SENTENCES];
    static comparison compared;
    static sentence s, other;
    tz_workload *work;
    for (size_t i = 0; i < 2 * sentences; i++)
        lengths[i] = n;
    need(tz_workload_new(tz_rules_find("compress"), TZ_DOUBLE, lengths, 2 * sentences, seed, &work),
         NULL);
    for (size_t kind = 0; kind < 2; kind++) {
        compared = (comparison){.sentences = 0};
        for (size_t i = 0; i < sentences; i++) {
            take_scores(work, 2 * i, &s);
            if (kind == 1) {
                take_scores(work, 2 * i + 1, &other);
                plant(o, &other, &s);
            }
            compare(o, &s, &compared);
        }
        row(kinds[kind], n, &compared);
    }
    tz_workload_free(work);
}

static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *ret) {
    char *end;
    *ret = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && least <= *ret && *ret <= most;
}

/* That plans are made for. */
static tz_isa best_isa(void) {
    tz_plan *plan;
    tz_error error = {TZ_OK, ""};
    need(tz_plan_new(tz_rules_find("compress"), tz_semiring_find("max", TZ_F64), 0, &plan, &error),
         &error);
    tz_isa isa = tz_plan_isa(plan);
    tz_plan_free(plan);
    return isa;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, sentences = 11;
    char cpu[128];
    ours o;
    if (argc > 3 || (argc > 1 && !parse_number(argv[1], 0, UINT64_MAX - 1, &seed)) ||
        (argc > 2 && !parse_number(argv[2], 1, MOST_SENTENCES, &sentences))) {
        fprintf(stderr, "Usage: ilp [SEED [SENTENCES]], at most %d sentences\n", MOST_SENTENCES);
        return 2;
    }
    ours_new(&o);
    tz_isa isa = best_isa();
    tz_cpu_name(cpu, sizeof cpu);
    printf("trapeze %s, %s, %s, compiled by %s; CBC %s; float64; seed %llu, %llu sentences each\n",
           tz_version(), cpu, tz_isa_name(isa), tz_compiler_name(), ilp_version(),
           (unsigned long long)seed, (unsigned long long)sentences);
    printf(
        "medians, +- half the quartiles' distance; solved: optimum proved within %.0f s; gain: by "
        "trees that are not projective;\nplain: the exact dynamic program without bisection\n\n",
        MOST_SECONDS);
    printf("%-8s %3s %5s %7s %10s %8s %18s %8s %18s %17s %7s\n", "scores", "n", "kept", "solved",
           "projective", "gain", "CBC, ms", "plain, ms", "ours, ms", "CBC / ours", "least");
    for (int n = 10; n <= LONGEST; n += 10)
        compare_length(&o, n, seed, sentences);
    ours_free(&o);
    return 0;
}
