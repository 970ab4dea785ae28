/* resample.c - see resample.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/resample.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "base/sort.h"
#include "base/threads.h"

/* Streams of the randomisation test, apart from those of the bootstrap. */
static const uint64_t EXCHANGES = (uint64_t)1 << 63;
/* Sums of the same numbers in another order differ by their rounding; figures, by far less. */
static const double ROUNDING = 1e-10;

static double quotient(const tz_ratio *sum) {
    return sum->whole > 0 ? sum->part / sum->whole : INFINITY;
}

/* A figure of sums; INFINITY where it is not defined, which sorts behind all others. */
static double value(const tz_measured *m, const tz_ratio *sum, size_t figure) {
    const tz_harmonic *mean = m->opt_harmonic ? &m->opt_harmonic[figure] : NULL;
    if (!mean || mean->of[0] == mean->of[1])
        return quotient(&sum[figure]);
    double a = quotient(&sum[mean->of[0]]), b = quotient(&sum[mean->of[1]]);
    return isinf(a) || isinf(b) ? INFINITY : a + b > 0 ? 2 * a * b / (a + b) : 0;
}

/* Of the sums of the first system, and of the second behind them. */
static double difference(const tz_measured *m, const tz_ratio *sum, size_t figure) {
    double a = value(m, sum, figure), b = value(m, sum + m->figures, figure);
    return isinf(a) || isinf(b) ? INFINITY : b - a;
}

static void add(tz_ratio *sum, const tz_ratio *row, size_t figures, double times) {
    for (size_t f = 0; f < figures; f++) {
        sum[f].part += times * row[f].part;
        sum[f].whole += times * row[f].whole;
    }
}

/* One thread's memory. */
typedef struct worker {
    tz_ratio *sum;   /* [2 * figures]: of the first and the second system */
    uint32_t *times; /* [sentences]: how often each is in the sample */
} worker;

static bool worker_new(worker *w, const tz_measured *m) {
    *w = (worker){.sum = calloc(2 * m->figures + 1, sizeof *w->sum),
                  .times = calloc(m->sentences + 1, sizeof *w->times)};
    return w->sum && w->times;
}

static void worker_free(worker *w) {
    free(w->sum);
    free(w->times);
}

/* ---- Samples --------------------------------------------------------------------------------- */

/* Sums over a sample with replacement. opt_second: over the same one. */
static void draw(worker *w, uint64_t seed, uint64_t number, const tz_measured *first,
                 const tz_measured *opt_second) {
    size_t sentences = first->sentences, figures = first->figures;
    tz_stream stream = {.seed = seed, .number = number};
    memset(w->sum, 0, 2 * figures * sizeof *w->sum);
    memset(w->times, 0, sentences * sizeof *w->times);
    for (size_t s = 0; s < sentences; s++)
        w->times[(size_t)(tz_uniform(&stream) * (double)sentences)]++;
    for (size_t s = 0; s < sentences; s++) {
        if (w->times[s] > 0) {
            add(w->sum, first->ratio + s * figures, figures, w->times[s]);
            if (opt_second)
                add(w->sum + figures, opt_second->ratio + s * figures, figures, w->times[s]);
        }
    }
}

/* Sums where the systems have changed places in half of the sentences. */
static void exchange(worker *w, uint64_t seed, uint64_t number, const tz_measured *first,
                     const tz_measured *second) {
    size_t figures = first->figures;
    tz_stream stream = {.seed = seed, .number = EXCHANGES | number};
    memset(w->sum, 0, 2 * figures * sizeof *w->sum);
    for (size_t s = 0; s < first->sentences; s++) {
        size_t to = tz_uniform(&stream) < 0.5 ? figures : 0;
        add(w->sum + to, first->ratio + s * figures, figures, 1);
        add(w->sum + (figures - to), second->ratio + s * figures, figures, 1);
    }
}

typedef void sampler(worker *w, uint64_t seed, uint64_t number, const tz_measured *first,
                     const tz_measured *opt_second);

/* Samples that are drawn together. */
typedef struct drawing {
    const tz_resampling *r;
    sampler *sample;
    const tz_measured *first, *opt_second;
    double *found;
    size_t parts;
    atomic_bool failed;
} drawing;

static void draw_part(void *of, size_t part) {
    drawing *d = of;
    const tz_resampling *r = d->r;
    size_t figures = d->first->figures;
    worker w;
    bool ready = worker_new(&w, d->first);
    if (!ready)
        atomic_store(&d->failed, true);
    for (size_t i = part; i < r->resamples && ready; i += d->parts) {
        d->sample(&w, r->seed, i, d->first, d->opt_second);
        for (size_t f = 0; f < figures; f++)
            d->found[f * r->resamples + i] =
                d->opt_second ? difference(d->first, w.sum, f) : value(d->first, w.sum, f);
    }
    worker_free(&w);
}

/* Fills in found[figure * resamples + r]: figures of the first system, or differences. */
static tz_status resample(const tz_resampling *r, sampler *sample, const tz_measured *first,
                          const tz_measured *opt_second, double *found) {
    drawing d = {.r = r,
                 .sample = sample,
                 .first = first,
                 .opt_second = opt_second,
                 .found = found,
                 .parts = r->threads > 1 ? r->threads : 1};
    tz_parallel(d.parts, d.parts, draw_part, &d);
    return d.failed ? TZ_NO_MEMORY : TZ_OK;
}

/* ---- What they say --------------------------------------------------------------------------- */

/* Sorts the resampled values. */
static tz_interval interval(double value, double *resampled, size_t count) {
    tz_sort_numbers(resampled, count);
    while (count > 0 && isinf(resampled[count - 1]))
        count--;
    if (isinf(value) || count == 0)
        return (tz_interval){.defined = false};
    return (tz_interval){.defined = true,
                         .value = value,
                         .low = tz_quantile(resampled, count, 0.025),
                         .high = tz_quantile(resampled, count, 0.975)};
}

static double share_above(const double *resampled, size_t count) {
    double above = 0, defined = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isinf(resampled[i])) {
            defined++;
            above += resampled[i] > 0 ? 1 : resampled[i] == 0 ? 0.5 : 0;
        }
    }
    return defined > 0 ? above / defined : 0;
}

/* Where the difference is not defined once exchanged, that speaks for the systems being alike. */
static double p_value(double observed, const double *exchanged, size_t count) {
    double least = fabs(observed) - ROUNDING;
    size_t extreme = 0;
    for (size_t i = 0; i < count; i++)
        extreme += fabs(exchanged[i]) >= least;
    return (double)(1 + extreme) / (double)(1 + count);
}

/* ---- Asked for ------------------------------------------------------------------------------- */

/* All sentences once: ret_sum[figures]. */
static void total(const tz_measured *m, tz_ratio *ret_sum) {
    memset(ret_sum, 0, m->figures * sizeof *ret_sum);
    for (size_t s = 0; s < m->sentences; s++)
        add(ret_sum, m->ratio + s * m->figures, m->figures, 1);
}

/* The memory for `tables` tables of resampled values, then for the sums of two systems. */
static tz_status reserve(const tz_resampling *r, const tz_measured *m, size_t tables,
                         double **ret_found, tz_ratio **ret_sum) {
    size_t cells, rows = tables * m->figures;
    *ret_found = NULL;
    *ret_sum = NULL;
    if (__builtin_mul_overflow(rows + 1, r->resamples, &cells) || cells > SIZE_MAX / 32 ||
        m->figures > SIZE_MAX / 64 || m->sentences > UINT32_MAX - 1)
        return TZ_TOO_LARGE;
    *ret_found = calloc(cells, sizeof **ret_found);
    *ret_sum = calloc(2 * m->figures + 1, sizeof **ret_sum);
    return *ret_found && *ret_sum ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_estimate(const tz_resampling *r, const tz_measured *system,
                      tz_interval *ret_interval) {
    double *found;
    tz_ratio *sum;
    tz_status status = reserve(r, system, 1, &found, &sum);
    if (status == TZ_OK)
        status = resample(r, draw, system, NULL, found);
    if (status == TZ_OK) {
        total(system, sum);
        for (size_t f = 0; f < system->figures; f++)
            ret_interval[f] =
                interval(value(system, sum, f), found + f * r->resamples, r->resamples);
    }
    free(found);
    free(sum);
    return status;
}

tz_status tz_compare(const tz_resampling *r, const tz_measured *first, const tz_measured *second,
                     tz_difference *ret_difference) {
    double *found;
    tz_ratio *sum;
    size_t figures = first->figures, count = r->resamples;
    tz_status status = reserve(r, first, 2, &found, &sum);
    double *exchanged = found ? found + figures * count : NULL;
    if (status == TZ_OK)
        status = resample(r, draw, first, second, found);
    if (status == TZ_OK)
        status = resample(r, exchange, first, second, exchanged);
    if (status == TZ_OK) {
        total(first, sum);
        total(second, sum + figures);
        for (size_t f = 0; f < figures; f++) {
            double observed = difference(first, sum, f);
            tz_interval bounds = interval(observed, found + f * count, count);
            ret_difference[f] = (tz_difference){.interval = bounds};
            if (bounds.defined) {
                ret_difference[f].greater = share_above(found + f * count, count);
                ret_difference[f].p = p_value(observed, exchanged + f * count, count);
            }
        }
    }
    free(found);
    free(sum);
    return status;
}
