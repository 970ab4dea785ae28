/* test_meaning.c - distances to all phrases at once, against one by one; and how fast what is far
 * becomes unlikely: the fit against a grid.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/align/wordnet/decay.h"
#include "sentences/align/wordnet/meaning.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

/* ---- Distances ------------------------------------------------------------------------------- */

enum { SYNSETS = 40, PHRASES = 30, MOST_SENSES = 3 };

/* Each synset has up to three above it, of larger numbers; now and then a circle. */
typedef struct made {
    tz_wordnet wordnet;
    uint64_t value[SYNSETS];
    size_t from[SYNSETS + 1];
    uint32_t above[3 * SYNSETS];
    uint32_t sense[PHRASES][MOST_SENSES];
    size_t senses[PHRASES];
} made;

static void make(random_state *random, made *ret) {
    *ret = (made){0};
    size_t ups = 0;
    for (uint32_t s = 0; s < SYNSETS; s++) {
        ret->from[s] = ups;
        for (uint64_t a = random_below(random, 4); a > 0; a--)
            ret->above[ups++] = random_below(random, 20) == 0
                                    ? (uint32_t)random_below(random, SYNSETS)
                                    : s + (uint32_t)random_below(random, SYNSETS - s);
    }
    ret->from[SYNSETS] = ups;
    ret->wordnet = (tz_wordnet){.synset = {.value = ret->value, .count = SYNSETS},
                                .above_from = ret->from,
                                .above = ret->above};
    for (size_t p = 0; p < PHRASES; p++) {
        ret->senses[p] = random_below(random, MOST_SENSES + 1);
        for (size_t i = 0; i < ret->senses[p]; i++)
            ret->sense[p][i] = (uint32_t)random_below(random, SYNSETS);
    }
}

/* Fewest edges from s up to t, by steps of one edge. */
static void climb(const made *m, size_t p, unsigned edges[SYNSETS]) {
    for (size_t s = 0; s < SYNSETS; s++)
        edges[s] = TZ_WORDNET_FAR;
    for (size_t i = 0; i < m->senses[p]; i++)
        edges[m->sense[p][i]] = 0;
    for (size_t round = 0; round < SYNSETS; round++)
        for (size_t s = 0; s < SYNSETS; s++)
            for (size_t a = m->from[s]; a < m->from[s + 1]; a++)
                if (edges[s] + 1 < edges[m->above[a]])
                    edges[m->above[a]] = edges[s] + 1;
}

static unsigned plain_distance(const made *m, size_t x, size_t y) {
    unsigned up[2][SYNSETS], least = TZ_WORDNET_FAR;
    climb(m, x, up[0]);
    climb(m, y, up[1]);
    for (size_t s = 0; s < SYNSETS; s++)
        if (up[0][s] < TZ_WORDNET_FAR && up[1][s] < TZ_WORDNET_FAR && up[0][s] + up[1][s] < least)
            least = up[0][s] + up[1][s];
    return least;
}

static tz_status add(tz_meaning *meaning, const made *m, size_t p, tz_buffer *path) {
    size_t count;
    tz_status status = tz_wordnet_ancestors(&m->wordnet, m->sense[p], m->senses[p], path, &count);
    return status == TZ_OK ? tz_meaning_add(meaning, path->data, count) : status;
}

static tz_status ask(tz_meaning *meaning, const made *m, size_t p, tz_buffer *path) {
    size_t count;
    tz_status status = tz_wordnet_ancestors(&m->wordnet, m->sense[p], m->senses[p], path, &count);
    if (status == TZ_OK)
        tz_meaning_ask(meaning, path->data, count);
    return status;
}

TEST(distances) {
    random_state random = random_start("distances");
    FREED(made, m) = malloc(sizeof *m);
    OWNED(tz_buffer, path) = {0};
    assert_non_null(m);
    for (int round = 0; round < AMOUNT(20, 4); round++) {
        make(&random, m);
        OWNED(tz_meaning, meaning) = {0};
        for (size_t p = 0; p < PHRASES / 2; p++)
            assert_ok(add(&meaning, m, p, &path));
        assert_ok(tz_meaning_index(&meaning));
        for (size_t y = 0; y < PHRASES; y++) {
            size_t mets = 0;
            assert_ok(ask(&meaning, m, y, &path));
            for (size_t x = 0; x < PHRASES / 2; x++) {
                assert_int_equal(meaning.distance[x], plain_distance(m, x, y));
                mets += meaning.distance[x] < TZ_WORDNET_FAR;
            }
            assert_int_equal(meaning.mets, mets);
        }
    }
}

static int attempt(void *user) {
    const made *m = user;
    OWNED(tz_meaning, meaning) = {0};
    OWNED(tz_buffer, path) = {0};
    tz_status status = TZ_OK;
    for (size_t p = 0; p < 5 && status == TZ_OK; p++)
        status = add(&meaning, m, p, &path);
    if (status == TZ_OK)
        status = tz_meaning_index(&meaning);
    if (status == TZ_OK)
        status = ask(&meaning, m, 7, &path);
    return (int)status;
}

TEST(out_of_memory) {
    random_state random = random_start("memory");
    FREED(made, m) = need(malloc(sizeof *m));
    make(&random, m);
    oom_sweep("meaning", attempt, m, TZ_NO_MEMORY, false);
}

/* ---- Decay ----------------------------------------------------------------------------------- */

enum { ROWS = 5, DISTANCES = 9 };

typedef struct counts {
    uint32_t count[ROWS * DISTANCES];
    double weight[ROWS], distance;
} counts;

/* What the fit is to make largest, in so many words. */
static double objective(const counts *c, double eta) {
    double sum = -eta * c->distance;
    for (size_t y = 0; y < ROWS; y++) {
        double z = 0;
        for (size_t d = 0; d < DISTANCES; d++)
            z += c->count[y * DISTANCES + d] * exp(-eta * (double)d);
        if (c->weight[y] > 0)
            sum -= c->weight[y] * log(z);
    }
    return sum;
}

TEST(fit) {
    random_state random = random_start("fit");
    int inside = 0, at_ends = 0;
    for (int round = 0; round < 200; round++) {
        counts c = {0};
        for (size_t y = 0; y < ROWS; y++) {
            size_t nearest = DISTANCES;
            c.weight[y] = random_below(&random, 4) ? 10 * random_unit(&random) : 0;
            for (size_t d = 0; d < DISTANCES; d++) {
                c.count[y * DISTANCES + d] =
                    random_below(&random, 3) ? (uint32_t)random_below(&random, 1 + d * d) : 0;
                if (c.count[y * DISTANCES + d] > 0 && nearest == DISTANCES)
                    nearest = d;
            }
            if (nearest == DISTANCES)
                c.count[y * DISTANCES + (nearest = 3)] = 1;
            /* expected pairs of this row are so far on average */
            c.distance += c.weight[y] * ((double)nearest + (round % 4 ? random_unit(&random) : 0));
        }
        double eta = tz_decay_fit(c.count, ROWS, DISTANCES, c.weight, c.distance);
        assert_true(eta >= 0 && eta <= TZ_DECAY_MOST);
        double best = objective(&c, eta);
        for (int step = 0; step <= 4000; step++) {
            double other = objective(&c, TZ_DECAY_MOST * step / 4000);
            if (other > best + 1e-12 * (1 + fabs(best)))
                fail_msg("round %d: %.17g at %g, %.17g at %g", round, best, eta, other,
                         TZ_DECAY_MOST * step / 4000);
        }
        inside += eta > 0 && eta < TZ_DECAY_MOST;
        at_ends += eta == 0 || eta == TZ_DECAY_MOST;
    }
    assert_true(inside > 50 && at_ends > 10);
}

/* Ends: all pairs as near as can be; farther than chance has them; nothing at all. */
TEST(ends) {
    static const uint32_t count[] = {1, 4, 4};
    const double one = 1, none = 0;
    assert_true(tz_decay_fit(count, 1, 3, &one, 0) == TZ_DECAY_MOST);
    assert_true(tz_decay_fit(count, 1, 3, &one, 1.9) == 0);
    assert_true(tz_decay_fit(count, 1, 3, &none, 0) == 0);
    assert_true(tz_decay_fit(count, 0, 3, &one, 0) == 0);
    /* 1 e^0 + 4 e^-eta + 4 e^-2eta has the mean 1/2 where u + 2 u^2 * 3 = 1/4 ... of u = e^-eta:
     * (4 u + 8 u^2) / (1 + 4 u + 4 u^2) = 1/2, so 12 u^2 + 4 u - 1 = 0, u = 1/6. */
    assert_true(fabs(tz_decay_fit(count, 1, 3, &one, 0.5) - log(6)) < 1e-12);
}

TEST(totals) {
    static const uint32_t count[300] = {[250] = 2, [252] = 1}, nothing[3] = {0};
    assert_true(fabs(tz_decay_log_total(count, 300, 0) - log(3)) < 1e-15);
    assert_true(fabs(tz_decay_log_total(count, 300, 20) - (log(2 + exp(-40)) - 5000)) < 1e-11);
    assert_true(tz_decay_log_total(nothing, 3, 1) == -INFINITY);
}
