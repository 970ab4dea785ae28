/* test_deletions_large.c - deletions in larger trees: numbers of choices, lengths, samples; and
 * memory.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sentences/deletions/decode.h"
#include "tests/support/deletion_oracle.h"
#include "tests/support/oom.h"

static const tz_deletion_how by_best = {.by = TZ_DELETE_BY_BEST}, by_marginals = {.threshold = 0.5};

static void near(double got, double want) {
    double off = fabs(got - want) / fmax(1, fabs(want));
    if (!(off <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

/* ---- Larger trees ---------------------------------------------------------------------------- */

static tz_deletions *random_model(tz_arena *arena, random_state *random, tz_sight sight) {
    static oracle o;
    tz_deletions *model;
    train(arena, random, &sight, &o, &model);
    return model;
}

/* 2^n - 1 choices, and binomial coefficients by the number of kept words, in trees of up to 40
 * words and 30 levels. */
TEST(derivations) {
    random_state random = random_start("derivations");
    for (unsigned n = 1; n <= 40; n++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = random_model(arena, &random, (tz_sight){n % 4, 1, 7, 7});
        tz_tree from = random_tree(arena, &random, n, n % 3 == 0 ? 30 : 8);
        tz_outward tree;
        double value[64], choose = 1;
        assert_ok(tz_outward_new(arena, &from, &tree));
        run *r = start(model, &tree, "count", NULL, 0);
        assert_ok(tz_goal(r->chart, 0, value));
        assert_true(*value == ldexp(1, (int)n) - 1);
        end(r);
        by_kept(model, &tree, "count", value);
        assert_true(value[0] == 0);
        for (unsigned m = 1; m <= n; m++) {
            choose = choose * (n - m + 1) / m;
            assert_true(value[m] == choose);
        }
    }
}

/* What --keep M finds scores what the charged rules give there; for every M. */
TEST(lengths) {
    enum { WORDS = 30, TREES = 6 };
    random_state random = random_start("lengths");
    for (unsigned t = 0; t < TREES; t++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = random_model(arena, &random, (tz_sight){t % 4, 1, 7, 7});
        tz_tree from = random_tree(arena, &random, WORDS, 10);
        tz_outward tree;
        OWN(tz_deletion_decoder, decoder) = NULL;
        double value[WORDS + 1];
        assert_ok(tz_outward_new(arena, &from, &tree));
        by_kept(model, &tree, "max", value);
        assert_ok(tz_deletion_decoder_new(model, 1, &decoder, NULL));
        for (unsigned m = 1; m <= WORDS; m++) {
            uint8_t keep[WORDS];
            unsigned kept = 0;
            tz_deletion_item item = {.tree = &tree, .amount = m, .keep = keep};
            assert_ok(tz_deletion_decode(decoder, &by_best, &item, 1, NULL));
            for (unsigned w = 0; w < WORDS; w++)
                kept += keep[w];
            assert_int_equal(kept, m);
            near(item.score, value[m]);
        }
    }
}

/* Shares of kept words among 10,000 samples, within 4 standard errors of the marginals; of 20
 * trees. */
TEST(samples) {
    enum { TREES = 20, WORDS = 26, SAMPLES = 10000 };
    random_state random = random_start("samples");
    double furthest = 0;
    for (unsigned t = 0; t < TREES; t++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = random_model(arena, &random, (tz_sight){1, 1, 7, 7});
        tz_tree from = random_tree(arena, &random, WORDS, 8);
        tz_outward tree;
        OWN(tz_deletion_decoder, decoder) = NULL;
        OWN(tz_sampler, sampler) = NULL;
        uint8_t keep[WORDS];
        double marginal[WORDS], share[WORDS] = {0};
        assert_ok(tz_outward_new(arena, &from, &tree));
        assert_ok(tz_deletion_decoder_new(model, 1, &decoder, NULL));
        tz_deletion_item item = {.tree = &tree, .keep = keep, .opt_marginal = marginal};
        assert_ok(tz_deletion_decode(decoder, &by_marginals, &item, 1, NULL));
        run *r = start(model, &tree, "log", NULL, 0);
        assert_ok(tz_sampler_new(r->chart, 0, random_bits(&random), false, &sampler));
        for (int s = 0; s < SAMPLES; s++) {
            const tz_derivation *sample;
            assert_ok(tz_sampler_next(sampler, &sample));
            unsigned mask = mask_of_uses(sample);
            for (unsigned w = 0; w < WORDS; w++)
                share[w] += (mask >> w & 1) / (double)SAMPLES;
        }
        for (unsigned w = 0; w < WORDS; w++) {
            double deviation = sqrt(marginal[w] * (1 - marginal[w]) / SAMPLES);
            double off = fabs(share[w] - marginal[w]);
            assert_true(off <= 4 * deviation + 1e-12);
            furthest = fmax(furthest, deviation > 0 ? off / deviation : 0);
        }
        end(r);
    }
    print_message("# at most %.2f standard errors from the marginals\n", furthest);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct disturbed {
    const tz_deletions *model;
    const tz_outward *tree;
    tz_deletion_decoder *ready; /* or NULL */
} disturbed;

static tz_status decode_all(tz_deletion_decoder *decoder, const tz_outward *tree, int64_t amount) {
    uint8_t keep[MOST_WORDS];
    tz_deletion_item item = {.tree = tree, .amount = amount, .keep = keep};
    tz_status status = tz_deletion_decode(decoder, &by_marginals, &item, 1, NULL);
    return status == TZ_OK ? tz_deletion_decode(decoder, &by_best, &item, 1, NULL) : status;
}

static int attempt(void *user) {
    const disturbed *d = user;
    OWN(tz_deletion_decoder, decoder) = NULL;
    tz_status status = tz_deletion_decoder_new(d->model, 1, &decoder, NULL);
    if (status == TZ_OK)
        status = decode_all(decoder, d->tree, 0);
    return (int)status;
}

static int attempt_length(void *user) {
    const disturbed *d = user;
    return (int)decode_all(d->ready, d->tree, 2);
}

TEST(out_of_memory) {
    random_state random = random_start("memory");
    OWN(tz_arena, arena) = tz_arena_new();
    tz_outward tree;
    tz_tree from = random_tree(arena, &random, 4, 3);
    assert_ok(tz_outward_new(arena, &from, &tree));
    OWN(tz_deletions, model) = random_model(arena, &random, (tz_sight){1, 1, 7, 7});
    disturbed d = {model, &tree, NULL};
    oom_sweep("decoding", attempt, &d, TZ_NO_MEMORY, false);
    assert_ok(tz_deletion_decoder_new(model, 1, &d.ready, NULL));
    assert_ok(decode_all(d.ready, &tree, 2));
    oom_sweep("decoding to a length", attempt_length, &d, TZ_NO_MEMORY, false);
    tz_deletion_decoder_free(d.ready);
}
