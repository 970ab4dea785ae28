/* limit.c - limited problems as the public header shows them. SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/ask/trace/name.h"
#include "engine/limits/limits.h"

static const int64_t FARTHEST = INT64_MAX / 4;

/* The charged rules' products up to which no forest is tried: it would take about as long as they
 * do or longer, and often have to be given up. */
static const double FEW = 3e6;

/* Work on a forest (see tz_forest_grow) that takes half as long as a product of the charged rules,
 * at most: where the forest needs more than all their products, little is lost with it. */
static const double WORK = 0.015;

/* Products that the charged rules take for the priced amounts low..high, INFINITY if there are
 * none: with room for `most`, a plain one becomes as many as there are two amounts of such a sum,
 * or fewer where items are too small for them. */
static double charged_products(const tz_limit_chart *c, int64_t low, int64_t high) {
    int64_t most;
    double products = INFINITY;
    if (tz_charged_choose(c, low, high, &most) == NULL)
        return INFINITY;
    tz_plan_products(c->limiter->plan, c->problem->lengths, &products);
    return products * ((double)most + 1) * ((double)most + 2) / 2;
}

/* What bisection found where it leaves a gap: if nothing within the limits, the end of the bracket
 * that uses less. */
static tz_kept *settle(const tz_limit_chart *c, const tz_limit_search *s) {
    if (s->best->derivation.node != NULL)
        return s->best;
    return (s->near->amount < s->far->amount) != c->side->rest ? s->near : s->far;
}

/* The uses as a caller has them. */
static tz_status name_uses(const tz_limit_chart *c, tz_kept *kept) {
    return tz_name_uses(c->chart, 0, &kept->derivation, kept->uses.data, kept->by_node.data,
                        &kept->positions);
}

static tz_status write_result(const tz_limit_chart *c, const tz_limit_search *s, tz_limit_path path,
                              tz_limited *ret) {
    tz_kept *kept = s->certain ? s->best : settle(c, s);
    double score = kept->derivation.score;
    bool rounded = kept == s->best && s->bound < score;
    *ret = (tz_limited){.score = score,
                        .amount = tz_limit_convert(c, c->side, kept->amount),
                        .derivation = &kept->derivation,
                        .bound = s->certain || rounded ? score : s->bound,
                        .exact = s->certain,
                        .path = path,
                        .steps = s->steps};
    return name_uses(c, kept);
}

/* The charged rules; all instances, where there are none. */
static tz_status solve_charged(tz_limit_chart *c, tz_limit_search *s) {
    double best = -INFINITY;
    int64_t most;
    const tz_limit_side *side = tz_charged_choose(c, s->low, s->high, &most);
    if (side == NULL) {
        tz_status evaluated = tz_limit_amounts(c, 1);
        s->priced = false;
        return evaluated == TZ_OK ? tz_limit_prune(c, s, INFINITY) : evaluated;
    }
    int64_t amount = s->low;
    tz_status status = tz_charged_evaluate(c, side, s->low, s->high);
    for (int64_t a = s->low; a <= s->high && status == TZ_OK; a++)
        if (tz_charged_goal(c, side, a) > best) {
            best = tz_charged_goal(c, side, a);
            amount = a;
        }
    if (status == TZ_OK)
        status = tz_charged_trace(c, side, amount, s->best);
    s->certain = status == TZ_OK;
    return status;
}

static tz_status solve_exact(tz_limit_chart *c, tz_limit_search *s, tz_limit_path *ret_path) {
    s->best = &c->kept[2];
    s->best->derivation = (tz_derivation){0};
    s->steps = 3; /* without a price, and the two that clip */
    *ret_path = TZ_BY_CHARGE;
    tz_status status = tz_limit_clip(c, &s->low, &s->high);
    return status == TZ_OK ? solve_charged(c, s) : status;
}

static tz_status solve(tz_limit_chart *c, tz_limit_search *s, tz_limit_method method,
                       tz_limit_path *ret_path) {
    if (method == TZ_LIMIT_EXACT)
        return solve_exact(c, s, ret_path);
    *ret_path = TZ_BY_BISECTION;
    tz_status status = tz_limit_bisect(c, s);
    if (status != TZ_OK || s->certain || method == TZ_LIMIT_DUAL)
        return status;
    double products = charged_products(c, s->low, s->high);
    if (s->priced && products > FEW) {
        *ret_path = TZ_BY_PRUNING;
        status = tz_limit_prune(c, s, WORK * products);
    }
    if (status != TZ_OK || s->certain)
        return status;
    *ret_path = TZ_BY_CHARGE;
    return solve_charged(c, s);
}

tz_status tz_limit(tz_limit_chart *c, const tz_problem *problem, int64_t low, int64_t high,
                   tz_limit_method method, tz_limited *ret, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    if (low > high)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "no amount is from %lld to %lld: give the lower limit first", (long long)low,
                       (long long)high);
    tz_status status = tz_limit_take(c, problem, opt_error);
    if (status != TZ_OK)
        return status;
    low = low > -FARTHEST ? low : -FARTHEST; /* so that differences fit */
    high = high < FARTHEST ? high : FARTHEST;
    tz_limit_search s = {.low = low, .high = high};
    tz_limit_path path;
    tz_limit_ends(c, c->side, &s.low, &s.high);
    status = solve(c, &s, method, &path);
    if (status == TZ_OK)
        status = write_result(c, &s, path, ret);
    else if (status != TZ_NONE)
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    return status;
}

/* ---- The curve ----------------------------------------------------------------------------------
 */

/* The priced amount of a limited one. */
static int64_t priced(const tz_limit_chart *c, int64_t amount) {
    return tz_limit_convert(c, c->side, amount);
}

static tz_status find_curve(tz_limit_chart *c, size_t *ret_count) {
    int64_t low = -FARTHEST, high = FARTHEST;
    int64_t most;
    tz_status status = tz_limit_clip(c, &low, &high);
    if (status != TZ_OK)
        return status;
    bool done;
    c->curve_side = tz_charged_choose(c, low, high, &most);
    if (c->curve_side != NULL) {
        status = tz_charged_evaluate(c, c->curve_side, low, high);
    } else {
        status = tz_forest_grow(c, INFINITY, 0, INFINITY, &done);
        if (status == TZ_OK)
            status = tz_forest_evaluate(c, high, INFINITY, &done);
    }
    tz_limit_ends(c, c->side, &low, &high);
    if (status == TZ_OK && high < 0)
        status = TZ_NONE; /* a rest that is below 0 is no amount */
    size_t count = (size_t)high + 1;
    if (status == TZ_OK)
        status = tz_buffer_reserve(&c->curve, count, sizeof(double));
    if (status != TZ_OK)
        return status;
    double *values = c->curve.data;
    for (size_t a = 0; a < count; a++) {
        int64_t amount = priced(c, (int64_t)a);
        values[a] = (int64_t)a < low        ? -INFINITY
                    : c->curve_side != NULL ? tz_charged_goal(c, c->curve_side, amount)
                                            : tz_forest_goal(c, amount);
    }
    *ret_count = count;
    return TZ_OK;
}

tz_status tz_limit_curve(tz_limit_chart *c, const tz_problem *problem, const double **ret_values,
                         size_t *ret_count, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_values = NULL;
    tz_status status = tz_limit_take(c, problem, opt_error);
    if (status != TZ_OK)
        return status;
    status = find_curve(c, &c->curve_count);
    if (status != TZ_OK)
        return status == TZ_NONE ? status
                                 : tz_fail(opt_error, status, "%s", tz_status_name(status));
    c->has_curve = true;
    *ret_values = c->curve.data;
    *ret_count = c->curve_count;
    return TZ_OK;
}

tz_status tz_limit_best(tz_limit_chart *c, int64_t amount, const tz_derivation **ret_derivation) {
    TZ_DEFAULT_MODES;
    *ret_derivation = NULL;
    if (!c->has_curve)
        return TZ_BAD_ARGUMENT;
    if (amount < 0 || amount >= (int64_t)c->curve_count ||
        ((const double *)c->curve.data)[amount] == -INFINITY)
        return TZ_NONE;
    tz_kept *to = &c->kept[0];
    tz_status status = c->curve_side != NULL
                           ? tz_charged_trace(c, c->curve_side, priced(c, amount), to)
                           : tz_forest_trace(c, priced(c, amount), to);
    if (status == TZ_OK)
        status = name_uses(c, to);
    if (status == TZ_OK)
        *ret_derivation = &to->derivation;
    return status;
}
