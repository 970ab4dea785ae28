/* bisect.c - the best price on a resource.
 *
 * The best derivation under a price p on each unit used gives the bound score + p (amount - m) on
 * every derivation of amount m. Seen over p, each derivation is a line of slope amount - m, and the
 * best bound is the lowest point of their upper envelope. The bracket holds a line that falls and
 * one that does not; each step takes the price where they cross. Either another line is above there
 * and replaces one of them, or the crossing is the lowest point. So no price comes twice, each step
 * but the last finds another point of the concave hull of (amount, score), and digits do not matter
 * (Eisner & Severance 1976, JACM 23:4; the bound is Everett's, 1963, Operations Research 11:3).
 *
 * The first bracket needs no bound on prices: on one side stands the best derivation without a
 * price, on the other one of the largest (or least) amount at all, found by evaluating amounts in
 * the place of scores. A price of plus or minus the largest score of a bigram, as has been used for
 * compression, does not always reach that far. SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/ask/trace/best.h"
#include "engine/limits/limits.h"

/* Keeps the best derivation of the chart. */
static tz_status keep_best(tz_limit_chart *c, tz_kept *to) {
    const tz_derivation *best;
    tz_status status = tz_trace_best(c->chart, 0, &best);
    return status == TZ_OK ? tz_limit_keep(c, best, to) : status;
}

static bool within(const tz_limit_search *s, const tz_kept *kept) {
    return s->low <= kept->amount && kept->amount <= s->high;
}

/* Takes note of a derivation that has been found: is it the best within the limits so far? */
static tz_status note(tz_limit_chart *c, tz_limit_search *s, const tz_kept *found) {
    const tz_derivation *best = &s->best->derivation;
    if (!within(s, found) || (best->node != NULL && best->score >= found->derivation.score))
        return TZ_OK;
    return tz_limit_keep(c, &found->derivation, s->best);
}

static void swap(tz_kept *a, tz_kept *b) {
    tz_kept before = *a;
    *a = *b;
    *b = before;
}

/* The bound that a derivation which is best for its price gives. */
static double bound_of(const tz_limit_search *s, const tz_kept *kept, double price) {
    return kept->derivation.score + price * (double)(kept->amount - s->target);
}

tz_status tz_limit_bisect(tz_limit_chart *c, tz_limit_search *s) {
    tz_kept *found = &c->kept[3];
    s->near = &c->kept[0];
    s->far = &c->kept[1];
    s->best = &c->kept[2];
    s->best->derivation = (tz_derivation){0};
    s->steps = 1;
    s->price = 0;
    s->priced = true;
    tz_status status = keep_best(c, s->near);
    if (status != TZ_OK)
        return status;
    s->bound = s->near->derivation.score;
    s->certain = within(s, s->near);
    if (s->certain)
        return note(c, s, s->near);
    int direction = s->near->amount < s->low ? 1 : -1;
    s->target = direction > 0 ? s->low : s->high;

    s->priced = false;
    s->steps++;
    status = tz_limit_amounts(c, direction);
    if (status == TZ_OK)
        status = keep_best(c, s->far);
    if (status != TZ_OK)
        return status;
    int64_t extreme = s->far->amount;
    if (direction * (extreme - s->target) < 0)
        return TZ_NONE;
    if (direction > 0)
        s->high = s->high < extreme ? s->high : extreme;
    else
        s->low = s->low > extreme ? s->low : extreme;
    status = note(c, s, s->far);
    while (status == TZ_OK) {
        double price = (s->near->derivation.score - s->far->derivation.score) /
                       (double)(s->far->amount - s->near->amount);
        double crossing = bound_of(s, s->near, price);
        s->steps++;
        s->priced = false;
        status = isfinite(price) ? tz_limit_price(c, price) : TZ_BAD_SCORE;
        if (status == TZ_BAD_SCORE)
            return TZ_OK; /* the price leaves the range of scores: what is known stays true */
        if (status == TZ_OK)
            status = keep_best(c, found);
        if (status == TZ_OK)
            status = note(c, s, found);
        if (status != TZ_OK)
            break;
        s->price = price;
        s->priced = true;
        double above = bound_of(s, found, price);
        s->bound = above > crossing ? above : crossing;
        /* Rounding may have found what is not above the crossing. */
        bool beyond = direction * (found->amount - s->target) >= 0;
        int64_t gained =
            direction * (beyond ? s->far->amount - found->amount : found->amount - s->near->amount);
        bool higher = beyond && gained == 0 && found->derivation.score > s->far->derivation.score;
        if (found->amount == s->target || above <= crossing || (gained <= 0 && !higher)) {
            s->certain = s->best->derivation.node != NULL &&
                         (found->amount == s->target || s->best->derivation.score >= s->bound ||
                          s->far->amount == s->target);
            break;
        }
        swap(found, beyond ? s->far : s->near);
    }
    return status;
}

tz_status tz_limit_clip(tz_limit_chart *c, int64_t *low, int64_t *high) {
    for (int direction = -1; direction <= 1; direction += 2) {
        tz_status status = tz_limit_amounts(c, direction);
        if (status == TZ_OK)
            status = keep_best(c, &c->kept[3]);
        if (status != TZ_OK)
            return status;
        int64_t extreme = c->kept[3].amount;
        if (direction < 0)
            *low = *low > extreme ? *low : extreme;
        else
            *high = *high < extreme ? *high : extreme;
    }
    return *low <= *high ? TZ_OK : TZ_NONE;
}
