/* limit.c - limited problems as the public header shows them. SPDX-License-Identifier: MIT */
#include <math.h>

#include "limits/limit.h"

/* What bisection found where it leaves a gap: if nothing within the limits, the end of the bracket
 * that uses less. */
static const tz_kept *settle(const tz_limit_chart *c, const tz_limit_search *s) {
    if (s->best->derivation.node != NULL)
        return s->best;
    return (s->near->amount < s->far->amount) != c->side->rest ? s->near : s->far;
}

static void write_result(const tz_limit_chart *c, const tz_limit_search *s, tz_limit_path path,
                         tz_limited *ret) {
    const tz_kept *kept = s->certain ? s->best : settle(c, s);
    double score = kept->derivation.score;
    *ret = (tz_limited){.score = score,
                        .amount = tz_limit_convert(c, kept->amount),
                        .derivation = &kept->derivation,
                        .bound = s->certain || s->bound < score ? score : s->bound,
                        .exact = s->certain,
                        .path = path,
                        .steps = s->steps};
}

tz_status tz_limit(tz_limit_chart *c, const tz_problem *problem, int64_t low, int64_t high,
                   tz_limit_method method, tz_limited *ret, tz_error *opt_error) {
    if (low > high)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "no amount is from %lld to %lld: give the lower limit first", (long long)low,
                       (long long)high);
    tz_status status = tz_limit_take(c, problem, opt_error);
    if (status != TZ_OK)
        return status;
    int64_t ends[] = {tz_limit_convert(c, low), tz_limit_convert(c, high)};
    tz_limit_search s = {.low = ends[c->side->rest], .high = ends[!c->side->rest]};
    tz_limit_path path = TZ_BY_BISECTION;
    status = tz_limit_bisect(c, &s);
    if (status == TZ_OK && !s.certain && method != TZ_LIMIT_DUAL) {
        path = TZ_BY_PRUNING;
        status = tz_limit_prune(c, &s, INFINITY);
    }
    if (status == TZ_OK)
        write_result(c, &s, path, ret);
    else if (status != TZ_NONE)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    return status;
}
