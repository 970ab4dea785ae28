/* speed.c - is the library as fast as it should be? One table: what is measured, the figure, what
 * it should be. Everything that is compared is timed in turn, in one run; figures are medians of
 * ratios. Answers are compared before times are taken. Uses the public API, as any caller would.
 *
 * Usage: speed [SECONDS], for each group of measurements; 2 by default.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/lengths.h"
#include "measure/probe.h"
#include "speed.h"

/* ---- The table ----------------------------------------------------------------------------- */

static int failures;

/* A row. target: what the figure should be at least (sign '>') or at most ('<'). */
static void row(tz_middle figure, const char *unit, char sign, double target, const char *format,
                ...) __attribute__((format(printf, 5, 6)));

static void row(tz_middle figure, const char *unit, char sign, double target, const char *format,
                ...) {
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    bool met = sign == '>' ? figure.median >= target : figure.median <= target;
    failures += !met;
    printf("%-60s %8.2f +- %-5.2f %-3s  %c= %-6g %s\n", what, figure.median, figure.spread, unit,
           sign, target, met ? "yes" : "NO");
    fflush(stdout);
}

static void microseconds(const speed *s, const char *what, int a, int b) {
    tz_middle m = speed_each(s, a, b);
    printf("    %-50s %10.3f us a sentence\n", what, 1e6 * m.median);
}

static void title(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void title(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    putchar('\n');
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

/* ---- eisner x max -------------------------------------------------------------------------- */

static void eisner_max(double budget, int n) {
    speed s;
    speed_start(&s, "eisner", "max", TZ_F32, n);
    size_t few = n <= 40 ? 64 : n <= 160 ? 8 : 1, many = n <= 160 ? 64 : 16;
    int textbook = speed_textbook(&s, few);
    int bind1 = speed_library(&s, few, 1, TZ_STAGE_BIND);
    int value1 = speed_library(&s, few, 1, TZ_STAGE_BIND | TZ_STAGE_INSIDE);
    /* Of a long sentence it is long enough for the clock, and a small part of a difference. */
    const bool clocked = n >= 160;
    int best1 = (clocked ? speed_clocked : speed_library)(
        &s, few, 1, TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_BEST);
    int outside1 = speed_library(&s, few, 1, TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_OUTSIDE);
    int bind = speed_library(&s, many, 0, TZ_STAGE_BIND);
    int value = speed_library(&s, many, 0, TZ_STAGE_BIND | TZ_STAGE_INSIDE);
    int best = speed_library(&s, many, 0, TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_BEST);
    int outside = speed_library(&s, many, 0, TZ_STAGE_BIND | TZ_STAGE_INSIDE | TZ_STAGE_OUTSIDE);
    int hand_bind1 = speed_hand(&s, HAND_MAX, few, false, TZ_STAGE_BIND);
    int hand_value1 = speed_hand(&s, HAND_MAX, few, false, TZ_STAGE_BIND | TZ_STAGE_INSIDE);
    int hand_bind = speed_hand(&s, HAND_MAX, many, true, TZ_STAGE_BIND);
    int hand_value = speed_hand(&s, HAND_MAX, many, true, TZ_STAGE_BIND | TZ_STAGE_INSIDE);
    speed_check(&s);
    speed_run(&s, budget);

    title("eisner x max, float32, n = %d; single, and a batch of %zu (%zu lanes)", n, many,
          s.lanes);
    microseconds(&s, "textbook", textbook, -1);
    microseconds(&s, "single: bind", bind1, -1);
    microseconds(&s, "single: inside", value1, bind1);
    microseconds(&s, "single: outside", outside1, value1);
    microseconds(&s, "single: best", best1, clocked ? -1 : value1);
    microseconds(&s, "batch: bind", bind, -1);
    microseconds(&s, "batch: inside", value, bind);
    microseconds(&s, "batch: outside", outside, value);
    microseconds(&s, "batch: best", best, value);
    microseconds(&s, "hand, single: bind", hand_bind1, -1);
    microseconds(&s, "hand, single: inside", hand_value1, hand_bind1);
    microseconds(&s, "hand, batch: bind", hand_bind, -1);
    microseconds(&s, "hand, batch: inside", hand_value, hand_bind);

    double bound1 = n == 20 ? 2 : n == 40 ? 4 : 8, bound = n == 40 ? 12 : 8;
    row(speed_ratio(&s, textbook, -1, value1, bind1), "x", '>', bound1,
        "n = %d: textbook / single, bound", n);
    row(speed_ratio(&s, textbook, -1, value, bind), "x", '>', bound,
        "n = %d: textbook / batch, bound", n);
    if (n == 40) {
        row(speed_ratio(&s, textbook, -1, value1, -1), "x", '>', 3.3,
            "n = 40: textbook / single, from the caller's arrays");
        row(speed_ratio(&s, textbook, -1, value, -1), "x", '>', 9,
            "n = 40: textbook / batch, from the caller's arrays");
        tz_peak peak;
        double products, seconds = speed_each(&s, value, bind).median;
        size_t chart = 4 * 41 * 42 / 2 * sizeof(float) * s.lanes;
        int32_t length = n;
        if (tz_probe(tz_plan_isa(s.plan), TZ_F32, chart, &peak) == TZ_OK &&
            tz_plan_products(s.plan, &length, &products) == TZ_OK)
            row((tz_middle){100 * products / seconds / tz_peak_products(&peak, TZ_F32), 0}, "%",
                '>', 50, "n = 40: batch, of the load-bound peak (%.1f G products/s)",
                1e-9 * tz_peak_products(&peak, TZ_F32));
    }
    if (n == 40) {
        row(speed_ratio(&s, best1, value1, value1, bind1), "x", '<', 0.3,
            "n = 40: best / inside, single");
        row(speed_ratio(&s, best, value, value, bind), "x", '<', 0.8,
            "n = 40: best / inside, batch");
    }
    if (n == 160)
        row(speed_ratio(&s, best1, -1, value1, bind1), "x", '<', 0.1,
            "n = 160: best / inside, single");
    row(speed_ratio(&s, value1, -1, hand_value1, -1), "x", '<', 1.25,
        "n = %d: library / hand, single, from the caller's arrays", n);
    row(speed_ratio(&s, value1, bind1, hand_value1, hand_bind1), "x", '<', 1.25,
        "n = %d: library / hand, single, bound", n);
    row(speed_ratio(&s, value, -1, hand_value, -1), "x", '<', 1.1,
        "n = %d: library / hand, batch, from the caller's arrays", n);
    row(speed_ratio(&s, value, bind, hand_value, hand_bind), "x", '<', 1.1,
        "n = %d: library / hand, batch, bound", n);
    row(speed_ratio(&s, outside1, value1, value1, bind1), "x", '<', 2.5,
        "n = %d: outside / inside, single", n);
    row(speed_ratio(&s, outside, value, value, bind), "x", '<', 2.5,
        "n = %d: outside / inside, batch", n);
    if (n == 640)
        speed_growth[1] = speed_each(&s, value1, bind1).median;
    if (n == 160)
        speed_growth[0] = speed_each(&s, value1, bind1).median;
    speed_end(&s);
}

/* ---- Log Z with marginals ------------------------------------------------------------------ */

enum {
    TO_INSIDE = TZ_STAGE_BIND | TZ_STAGE_INSIDE,
    TO_OUTSIDE = TO_INSIDE | TZ_STAGE_OUTSIDE,
    TO_MARGINALS = TO_OUTSIDE | TZ_STAGE_MARGINALS
};

/* Jobs of the library, or of the hand-written one. */
typedef struct log_jobs {
    int bind1, value1, all1, bind, value, all;
} log_jobs;

static void print_log(const speed *s, const char *who, const log_jobs *j) {
    static const char *const stages[] = {"bind", "inside", "log Z with marginals"};
    const int job[2][3][2] = {{{j->bind1, -1}, {j->value1, j->bind1}, {j->all1, -1}},
                              {{j->bind, -1}, {j->value, j->bind}, {j->all, -1}}};
    for (int batch = 0; batch < 2; batch++)
        for (int i = 0; i < 3; i++) {
            char what[64];
            snprintf(what, sizeof what, "%s%s: %s", who, batch ? "batch" : "single", stages[i]);
            microseconds(s, what, job[batch][i][0], job[batch][i][1]);
        }
}

static void compare_log(const speed *s, const log_jobs *j, const log_jobs *hand) {
    row(speed_ratio(s, j->value1, -1, hand->value1, -1), "x", '<', 1.25,
        "n = %d: library / hand, single, log Z", s->n);
    row(speed_ratio(s, j->all1, -1, hand->all1, -1), "x", '<', 1.25,
        "n = %d: library / hand, single, with marginals", s->n);
    row(speed_ratio(s, j->value, -1, hand->value, -1), "x", '<', 1.1,
        "n = %d: library / hand, batch, log Z", s->n);
    row(speed_ratio(s, j->all, -1, hand->all, -1), "x", '<', 1.1,
        "n = %d: library / hand, batch, with marginals", s->n);
}

static log_jobs hand_log(speed *s, size_t few, size_t many) {
    return (log_jobs){.bind1 = speed_hand(s, HAND_LOG, few, false, TZ_STAGE_BIND),
                      .value1 = speed_hand(s, HAND_LOG, few, false, TO_INSIDE),
                      .all1 = speed_hand(s, HAND_LOG, few, false, TO_MARGINALS),
                      .bind = speed_hand(s, HAND_LOG, many, true, TZ_STAGE_BIND),
                      .value = speed_hand(s, HAND_LOG, many, true, TO_INSIDE),
                      .all = speed_hand(s, HAND_LOG, many, true, TO_MARGINALS)};
}

static void eisner_log(double budget, int n) {
    speed s;
    speed_start(&s, "eisner", "log", TZ_F64, n);
    size_t few = n <= 40 ? 64 : 8, many = 64;
    int textbook = speed_textbook(&s, few);
    log_jobs library = {.bind1 = speed_library(&s, few, 1, TZ_STAGE_BIND),
                        .value1 = speed_library(&s, few, 1, TO_INSIDE),
                        .all1 = speed_library(&s, few, 1, TO_MARGINALS),
                        .bind = speed_library(&s, many, 0, TZ_STAGE_BIND),
                        .value = speed_library(&s, many, 0, TO_INSIDE),
                        .all = speed_library(&s, many, 0, TO_MARGINALS)};
    int outside = speed_library(&s, many, 0, TO_OUTSIDE);
    log_jobs hand = hand_log(&s, few, many);
    speed_check(&s);
    speed_run(&s, budget);

    title("eisner x log, float64, n = %d; single, and a batch of %zu (%zu lanes)", n, many,
          s.lanes);
    microseconds(&s, "textbook (max, float32)", textbook, -1);
    print_log(&s, "", &library);
    microseconds(&s, "batch: outside", outside, library.value);
    microseconds(&s, "batch: marginals", library.all, outside);
    print_log(&s, "hand, ", &hand);

    if (n == 40)
        row(speed_ratio(&s, library.all, -1, textbook, -1), "x", '<', 0.7,
            "n = 40: log Z with marginals, batch / textbook max");
    compare_log(&s, &library, &hand);
    row(speed_ratio(&s, outside, library.value, library.value, library.bind), "x", '<', 2.5,
        "n = %d: outside / inside, batch", n);
    speed_end(&s);
}

/* ---- Rule sets ----------------------------------------------------------------------------- */

/* The other rule set's jobs beside eisner's, in turn. */
static void other_rules(double budget, const char *name, const char *semiring,
                        tz_precision precision) {
    speed a, b;
    bool log = strcmp(semiring, "log") == 0;
    unsigned last = log ? TO_MARGINALS : TO_INSIDE;
    speed_start(&a, "eisner", semiring, precision, 40);
    speed_start(&b, name, semiring, precision, 40);
    int bind = speed_library(&a, 64, 0, TZ_STAGE_BIND);
    int all = speed_library(&a, 64, 0, last);
    int other_bind = speed_adopt(&a, &b, speed_library(&b, 64, 0, TZ_STAGE_BIND));
    int other_all = speed_adopt(&a, &b, speed_library(&b, 64, 0, last));
    int inside = speed_clocked(&a, 64, 0, TO_INSIDE);
    int other_inside = speed_adopt(&a, &b, speed_clocked(&b, 64, 0, TO_INSIDE));
    int inside1 = speed_clocked(&a, 64, 1, TO_INSIDE);
    int other_inside1 = speed_adopt(&a, &b, speed_clocked(&b, 64, 1, TO_INSIDE));
    speed_check(&a);
    speed_check(&b);
    speed_run(&a, budget);
    title("%s x %s, n = 40, batch of 64", name, semiring);
    microseconds(&a, "eisner: bind", bind, -1);
    microseconds(&a, "eisner: inside", inside, -1);
    microseconds(&a, "eisner: inside, single", inside1, -1);
    if (log)
        microseconds(&a, "eisner: log Z with marginals", all, -1);
    char what[64];
    snprintf(what, sizeof what, "%s: bind", name);
    microseconds(&a, what, other_bind, -1);
    snprintf(what, sizeof what, "%s: inside", name);
    microseconds(&a, what, other_inside, -1);
    snprintf(what, sizeof what, "%s: inside, single", name);
    microseconds(&a, what, other_inside1, -1);
    snprintf(what, sizeof what, "%s: log Z with marginals", name);
    if (log)
        microseconds(&a, what, other_all, -1);
    if (log) {
        row(speed_ratio(&a, other_all, -1, all, -1), "x", '<', 1.6, "%s / eisner", name);
    } else if (strcmp(name, "compress") == 0) {
        row(speed_ratio(&a, other_all, -1, all, -1), "x", '<', 1.35,
            "%s / eisner, from the caller's arrays", name);
        row(speed_ratio(&a, other_inside, -1, inside, -1), "x", '<', 1.35, "%s / eisner, bound",
            name);
    } else {
        row(speed_ratio(&a, other_inside1, -1, inside1, -1), "x", '<', 2,
            "%s / eisner, single, bound", name);
        row(speed_ratio(&a, other_inside, -1, inside, -1), "x", '<', 2, "%s / eisner, batch, bound",
            name);
        double copy = tz_probe_copy(b.work->bytes);
        double each = (double)b.work->bytes / (double)b.work->problems;
        row((tz_middle){100 * each / speed_each(&a, other_bind, -1).median / copy, 0}, "%", '>', 25,
            "tz_bind of its scores, of memcpy's rate (%.1f GB/s)", 1e-9 * copy);
    }
    speed_end(&b);
    speed_end(&a);
}

/* One sentence, so many words kept, beside a C loop of the same bounds that compilers vectorize. */
static void charged(double budget) {
    double microseconds[2];
    tz_middle ratio = speed_charged(budget, 40, 16, microseconds);
    title("compress charged for 16 kept words x max, float64, n = 40");
    printf("    %-50s %10.3f us a sentence\n", "single: inside", microseconds[0]);
    printf("    %-50s %10.3f us a sentence\n", "C loop", microseconds[1]);
    row(ratio, "x", '<', 1.2, "library / C loop, single, bound");
}

/* ---- Threads, memory ----------------------------------------------------------------------- */

static void threads(double budget, const char *lengths_file) {
    enum { SENTENCES = 1000 };
    const tz_rules *rules = tz_rules_find("eisner");
    const tz_semiring *semiring = tz_semiring_find("log", TZ_F64);
    int32_t *known = NULL, lengths[SENTENCES];
    size_t count = 0;
    tz_error error = {TZ_OK, ""};
    tz_workload *work = NULL;
    tz_plan *plan = NULL;
    tz_pipeline *one = NULL, *two = NULL;
    if (tz_read_lengths(lengths_file, &known, &count, &error) != TZ_OK)
        speed_fail(error.message);
    tz_pick_lengths(known, count, SENTENCES, 1, lengths);
    if (tz_workload_new(rules, TZ_DOUBLE, lengths, SENTENCES, 1, &work) != TZ_OK ||
        tz_plan_new(rules, semiring, 0, &plan, &error) != TZ_OK ||
        tz_pipeline_new(plan, semiring, work, SENTENCES, 0, 1, &one) != TZ_OK ||
        tz_pipeline_new(plan, semiring, work, SENTENCES, 0, 2, &two) != TZ_OK)
        speed_fail("out of memory");
    const tz_job jobs[] = {
        {tz_pipeline_turn, &(tz_staged){one, TO_MARGINALS, false, 0}, NULL},
        {tz_pipeline_turn, &(tz_staged){two, TO_MARGINALS, false, 0}, NULL},
    };
    tz_timings times;
    if (tz_time(jobs, 2, budget, &times) != TZ_OK)
        speed_fail("tz_run failed");
    title("eisner x log with marginals, 1,000 sentences of real lengths, tz_run");
    printf("    one thread: %.0f sentences/s; two: %.0f\n",
           SENTENCES / tz_difference(&times, 0, -1).median,
           SENTENCES / tz_difference(&times, 1, -1).median);
    row(tz_ratio(&times, 0, -1, 1, -1), "x", '>', 1.85, "one thread / two threads");
    tz_timings_free(&times);
    tz_pipeline_free(one);
    tz_pipeline_free(two);
    tz_plan_free(plan);
    tz_workload_free(work);
    free(known);
}

/* ---- k best --------------------------------------------------------------------------------- */

static void kbest(double budget, const char *rules, tz_precision precision) {
    enum { TO_INSIDE = TZ_STAGE_BIND | TZ_STAGE_INSIDE };
    speed s;
    speed_start(&s, rules, "max", precision, 40);
    int best = speed_library(&s, 4, 1, TO_INSIDE | TZ_STAGE_BEST);
    int listed = speed_library(&s, 4, 1, TO_INSIDE | TZ_STAGE_KBEST);
    speed_run(&s, budget);
    title("%s x max, %s, n = 40, single: the %d best", rules,
          precision == TZ_F32 ? "float32" : "float64", TZ_STAGE_K);
    microseconds(&s, "bind, inside, best", best, -1);
    microseconds(&s, "bind, inside, k best", listed, -1);
    row(speed_ratio(&s, listed, -1, best, -1), "x", '<', 1.5, "k best / best");
    speed_end(&s);
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* Kilobytes that a line of /proc/self/status tells; 0 where there is none. */
static double status_kilobytes(const char *name) {
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name) + 1, NULL);
    if (file != NULL)
        fclose(file);
    return kilobytes;
}

/* First of all, while the process is small. */
static void memory(void) {
    const tz_rules *rules = tz_rules_find("eisner");
    const tz_semiring *semiring = tz_semiring_find("log", TZ_F64);
    int32_t lengths[32];
    tz_error error;
    tz_workload *work = NULL;
    tz_plan *plan = NULL;
    tz_pipeline *pipeline = NULL;
    for (int i = 0; i < 32; i++)
        lengths[i] = 160;
    if (tz_workload_new(rules, TZ_DOUBLE, lengths, 32, 1, &work) != TZ_OK ||
        tz_plan_new(rules, semiring, 0, &plan, &error) != TZ_OK ||
        tz_pipeline_new(plan, semiring, work, 32, 0, 1, &pipeline) != TZ_OK)
        speed_fail("out of memory");
    double before = status_kilobytes("VmRSS");
    if (tz_pipeline_turn(&(tz_staged){pipeline, TO_MARGINALS, false, 0}, 0) != TZ_OK)
        speed_fail("tz_run failed");
    double more = (status_kilobytes("VmHWM") - before) / 1024;
    more -= (double)work->bytes / (1 << 20); /* the marginals: as large as the scores */
    title("eisner x log with marginals, batch of 32, n = 160");
    if (before > 0)
        row((tz_middle){more, 0}, "MB", '<', 32, "peak memory besides input and output");
    else
        printf("    memory: not measured, /proc/self/status is missing\n");
    tz_pipeline_free(pipeline);
    tz_plan_free(plan);
    tz_workload_free(work);
}

int main(int argc, char **argv) {
    double budget = argc > 1 ? strtod(argv[1], NULL) : 2;
    char cpu[128];
    tz_plan *plan = NULL;
    tz_error error;
    if (!(budget > 0)) {
        fprintf(stderr, "Usage: speed [SECONDS]\n");
        return 2;
    }
    if (tz_plan_new(tz_rules_find("eisner"), tz_semiring_find("max", TZ_F32), 0, &plan, &error) !=
        TZ_OK)
        speed_fail(error.message);
    tz_cpu_name(cpu, sizeof cpu);
    printf("trapeze %s, %s, %s, compiled by %s, seed 1; medians, +- half the quartiles' distance\n",
           tz_version(), cpu, tz_isa_name(tz_plan_isa(plan)), tz_compiler_name());
    tz_plan_free(plan);
    memory();
    eisner_max(budget, 20);
    eisner_max(budget, 40);
    eisner_max(budget, 160);
    eisner_max(budget, 640);
    row((tz_middle){tz_growth(160, speed_growth[0], 640, speed_growth[1]), 0}, "", '<', 3.1,
        "growth exponent, n = 160 to 640, single, bound");
    eisner_log(budget, 20);
    eisner_log(budget, 40);
    eisner_log(budget, 160);
    other_rules(budget, "compress", "max", TZ_F32);
    other_rules(budget, "compress", "log", TZ_F64);
    other_rules(budget, "sibling", "max", TZ_F32);
    charged(budget);
    kbest(budget, "eisner", TZ_F32);
    kbest(budget, "eisner", TZ_F64);
    kbest(budget, "compress", TZ_F32);
    kbest(budget, "compress", TZ_F64);
    threads(budget, LENGTHS_FILE);
    printf("\n%d figure%s not as %s should be\n", failures, failures == 1 ? "" : "s",
           failures == 1 ? "it" : "they");
    return 0;
}
