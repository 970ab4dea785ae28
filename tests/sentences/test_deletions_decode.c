/* test_deletions_decode.c - do `delete-tree` and `delete-tree-bigram` find what enumeration finds?
 * All choices of words of small random trees, with probabilities by the formula, counted and
 * computed once more: best, k best, sums, marginals, lengths, facts, entropy; and with bigrams.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sentences/deletions/language.h"
#include "sentences/lm/lm.h"
#include "tests/support/deletion_oracle.h"

/* ---- All choices of words -------------------------------------------------------------------- */

typedef struct all_masks {
    unsigned words, count;
    double score[MASKS], z, log_z, marginal[MOST_WORDS], best[MOST_WORDS + 1], entropy;
} all_masks;

/* Those of which every bit of `with` is set and none of `without`. */
static all_masks enumerate(const oracle *o, const tz_tree *tree, unsigned with, unsigned without) {
    all_masks a = {.words = tree->words};
    for (unsigned k = 0; k <= MOST_WORDS; k++)
        a.best[k] = -INFINITY;
    for (unsigned mask = 1; mask < 1u << a.words; mask++) {
        double *score = &a.score[mask];
        if ((mask & with) != with || mask & without)
            continue;
        go(o, tree, 0, mask, score, NULL);
        unsigned kept = (unsigned)__builtin_popcount(mask);
        a.count++;
        a.z += exp(*score);
        a.best[kept] = fmax(a.best[kept], *score);
        a.best[0] = fmax(a.best[0], *score);
        for (unsigned w = 0; w < a.words; w++)
            a.marginal[w] += mask >> w & 1 ? exp(*score) : 0;
    }
    a.log_z = log(a.z);
    for (unsigned w = 0; w < a.words; w++)
        a.marginal[w] /= a.z;
    for (unsigned mask = 1; mask < 1u << a.words; mask++)
        if ((mask & with) == with && !(mask & without))
            a.entropy -= exp(a.score[mask] - a.log_z) * (a.score[mask] - a.log_z);
    return a;
}
static double worst;

static void near(double got, double want) {
    double off = fabs(got - want) / fmax(1, fabs(want));
    worst = fmax(worst, off);
    if (!(off <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

static const tz_deletion_how by_best = {.by = TZ_DELETE_BY_BEST};

/* ---- The decoder ----------------------------------------------------------------------------- */

static void check_free(tz_deletion_decoder *decoder, const tz_outward *tree, const all_masks *a) {
    uint8_t keep[MOST_WORDS];
    double marginal[MOST_WORDS];
    tz_deletion_item item = {.tree = tree, .keep = keep, .opt_marginal = marginal};
    assert_ok(tz_deletion_decode(decoder, &by_best, &item, 1, NULL));
    near(item.score, a->best[0]);
    near(a->score[mask_of(keep, a->words)], a->best[0]);
    static const double threshold[] = {0, 0.3, 0.5, 1};
    for (int t = 0; t < 4; t++) {
        double most = 0;
        assert_ok(tz_deletion_decode(decoder, &(tz_deletion_how){.threshold = threshold[t]}, &item,
                                     1, NULL));
        near(item.score, a->log_z);
        assert_true(item.score <= 1e-12);
        for (unsigned w = 0; w < a->words; w++) {
            near(marginal[w], a->marginal[w]);
            most = fmax(most, marginal[w]);
        }
        for (unsigned w = 0; w < a->words; w++)
            assert_true(keep[w] == (marginal[w] > threshold[t]) ||
                        (keep[w] && marginal[w] == most));
        assert_true(mask_of(keep, a->words) != 0);
    }
}

/* All at once, in any company and by threads: the same. */
static void check_lengths(tz_deletion_decoder *decoder, const tz_outward *tree,
                          const all_masks *a) {
    uint8_t keep[MOST_WORDS + 1][MOST_WORDS];
    tz_deletion_item item[MOST_WORDS + 1];
    for (unsigned m = 0; m <= a->words; m++)
        item[m] = (tz_deletion_item){.tree = tree, .amount = m, .keep = keep[m]};
    assert_ok(tz_deletion_decode(decoder, &by_best, item, a->words + 1, NULL));
    for (unsigned m = 0; m <= a->words; m++) {
        unsigned mask = mask_of(keep[m], a->words);
        near(item[m].score, a->best[m]);
        near(a->score[mask], a->best[m]);
        assert_true(m == 0 || (unsigned)__builtin_popcount(mask) == m);
    }
}

/* ---- The rules ------------------------------------------------------------------------------- */

/* All 2^n - 1, in order, each once. */
static void check_kbest(const tz_deletions *model, const tz_outward *tree, const all_masks *a) {
    bool seen[MASKS] = {false};
    double last = 0;
    unsigned count = 0;
    run *r = start(model, tree, "max", NULL, 0);
    const tz_derivation *next;
    tz_status status;
    tz_kbest *list = make_kbest(r->chart, 0, true);
    while ((status = tz_kbest_next(list, &next)) == TZ_OK) {
        unsigned mask = mask_of_uses(next);
        near(next->score, a->score[mask]);
        assert_true(!seen[mask] && next->score <= last);
        seen[mask] = true;
        last = next->score;
        count++;
    }
    assert_int_equal(status, TZ_NONE);
    assert_int_equal(count, a->count);
    tz_kbest_free(list);
    end(r);
}

static void check_entropy(const tz_deletions *model, const tz_outward *tree, const all_masks *a) {
    run *r = start(model, tree, "entropy", NULL, 0);
    double value[8];
    size_t count;
    assert_ok(tz_item_values(r->chart, 0, TZ_GOAL, NULL, value, &count));
    near(value[0], a->log_z);
    near(value[1], a->entropy);
    end(r);
}

/* One word stays, another goes. */
static void check_facts(const oracle *o, const tz_deletions *model, const tz_tree *from,
                        const tz_outward *tree, random_state *random) {
    if (from->words < 2)
        return;
    unsigned stays = (unsigned)random_below(random, from->words);
    unsigned goes = (stays + 1 + (unsigned)random_below(random, from->words - 1)) % from->words;
    all_masks a = enumerate(o, from, 1u << stays, 1u << goes);
    tz_cells cell[] = {{TZ_DELETE_WORD, {TZ_ANY, (int32_t)stays + 1}},
                       {TZ_DELETE_WORD, {TZ_ANY, (int32_t)goes + 1}}};
    tz_fact fact[] = {{true, &cell[0], 1}, {false, &cell[1], 1}};
    run *r = start(model, tree, "required(log)", fact, 2);
    double value;
    value = goal_of(r->chart, 0);
    near(value, a.log_z);
    end(r);
    /* As forbidden entries alone, max tells the best one. */
    tz_fact *facts;
    tz_error error;
    run *plain = start(model, tree, "max", NULL, 0);
    plain->problem.facts = fact;
    plain->problem.fact_count = 2;
    tz_status status = tz_facts_new(tz_rules_find("delete-tree"), &plain->problem, &facts, &error);
    assert_ok(status);
    end(plain);
    r = start(model, tree, "max", facts, 1);
    const tz_derivation *best = best_of(r->chart, 0);
    near(best->score, a.best[0]);
    near(a.score[mask_of_uses(best)], a.best[0]);
    tz_facts_free(facts);
    end(r);
}

TEST(enumeration) {
    enum { MODELS = 32, TREES = 7 }; /* 224 trees */
    static oracle o;
    random_state random = random_start("enumeration");
    for (unsigned i = 0; i < MODELS; i++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = NULL;
        OWN(tz_deletion_decoder, decoder) = NULL;
        tz_sight sight = {i % 4, i / 4 % 4, 1 | (unsigned)random_below(&random, 8),
                          1 | (unsigned)random_below(&random, 8)};
        train(arena, &random, &sight, &o, &model);
        assert_ok(tz_deletion_decoder_new(model, 1 + i % 2, &decoder, NULL));
        for (int t = 0; t < TREES; t++) {
            unsigned words = t == 0 ? 1 : 2 + (unsigned)random_below(&random, MOST_WORDS - 1);
            tz_tree from = random_tree(arena, &random, words, 6);
            tz_outward tree;
            assert_ok(tz_outward_new(arena, &from, &tree));
            all_masks a = enumerate(&o, &from, 0, 0);
            assert_int_equal(a.count, (1u << words) - 1);
            check_free(decoder, &tree, &a);
            check_lengths(decoder, &tree, &a);
            check_kbest(model, &tree, &a);
            check_entropy(model, &tree, &a);
            check_facts(&o, model, &from, &tree, &random);
        }
    }
    print_message("# off by at most %.3g\n", worst);
}

/* ---- Bigrams --------------------------------------------------------------------------------- */

/* The words of the mask with its neighbours: ends are 0 and words + 1. */
static double sum_bigrams(const double *bigram, unsigned words, unsigned mask) {
    unsigned last = 0;
    double sum = 0;
    for (unsigned w = 1; w <= words + 1; w++) {
        if (w > words || mask >> (w - 1) & 1) {
            sum += bigram[last * (words + 2) + w];
            last = w;
        }
    }
    return sum;
}

static void check_bigrams(const tz_deletions *model, const tz_outward *tree, const double *bigram,
                          double bonus, const all_masks *a) {
    double best = -INFINITY, z = 0, value;
    for (unsigned mask = 1; mask < 1u << a->words; mask++) {
        double score =
            a->score[mask] + sum_bigrams(bigram, a->words, mask) + bonus * __builtin_popcount(mask);
        best = fmax(best, score);
        z += exp(score);
    }
    for (int sum = 0; sum < 3; sum++) {
        static const char *const semiring[] = {"max", "log", "count"};
        OWN(tz_arena, arena) = tz_arena_new();
        tz_deletion_problem built;
        OWN(tz_plan, plan) = NULL;
        tz_error error = {TZ_OK, ""};
        assert_ok(tz_deletion_score_bigrams(model, tree, bonus, bigram, arena, &built));
        assert_ok(tz_plan_new(tz_rules_find("delete-tree-bigram"),
                              tz_semiring_find(semiring[sum], TZ_F64), 0, &plan, &error));
        OWN(tz_chart, chart) = make_chart(plan);
        tz_problem problem = {.lengths = built.lengths, .scores = built.scores};
        if (tz_bind(chart, &problem, 1, &error) != TZ_OK)
            fail_msg("%s", error.message);
        assert_ok(tz_inside(chart));
        value = goal_of(chart, 0);
        near(value, sum == 0 ? best : sum == 1 ? log(z) : a->count);
        if (sum == 0) {
            const tz_derivation *derivation = best_of(chart, 0);
            unsigned mask = mask_of_uses(derivation);
            near(a->score[mask] + sum_bigrams(bigram, a->words, mask) +
                     bonus * __builtin_popcount(mask),
                 best);
        }
    }
}

TEST(bigrams) {
    enum { MODELS = 16, TREES = 6, LONG = 8 };
    static oracle o;
    random_state random = random_start("bigrams");
    worst = 0;
    for (unsigned i = 0; i < MODELS; i++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = NULL;
        tz_sight sight = {i % 4, i / 4, 1 | (unsigned)random_below(&random, 8),
                          1 | (unsigned)random_below(&random, 8)};
        train(arena, &random, &sight, &o, &model);
        for (int t = 0; t < TREES; t++) {
            double bigram[(LONG + 2) * (LONG + 2)];
            tz_outward tree;
            tz_tree from =
                random_tree(arena, &random, 1 + (unsigned)random_below(&random, LONG), 5);
            for (unsigned b = 0; b < (LONG + 2) * (LONG + 2); b++)
                bigram[b] = random_between(&random, -3, 1);
            assert_ok(tz_outward_new(arena, &from, &tree));
            all_masks a = enumerate(&o, &from, 0, 0);
            check_bigrams(model, &tree, bigram, random_between(&random, -1, 1), &a);
        }
    }
    print_message("# off by at most %.3g\n", worst);
}

/* ---- Language models ------------------------------------------------------------------------- */

enum { VOCABULARY = 4 }; /* a, b, c, d; a model knows all but the last */

/* All n-grams of some words, <s> first or </s> last, each with a log probability and a weight for
 * backing off; every other one, at random, but those that longer ones take. */
static tz_lm *random_lm(random_state *random, unsigned order) {
    static const char *const name[] = {"<unk>", "<s>", "</s>", "a", "b", "c"};
    enum { NAMES = sizeof name / sizeof *name, MOST = NAMES * NAMES * NAMES * NAMES };
    static bool listed[5][MOST];
    size_t count[5] = {0}, numbers = 1;
    FILE *file = need(tmpfile());
    for (unsigned n = 1; n <= order; n++) {
        numbers *= NAMES;
        for (size_t g = 0; g < numbers; g++) { /* digits: the last word lowest */
            size_t before = g / NAMES % NAMES, word = g % NAMES;
            bool possible =
                n == 1 || (listed[n - 1][g / NAMES] && word > 1 && before != 0 && before != 2);
            listed[n][g] = possible && (n == 1 || random_below(random, 3) > 0);
            count[n] += listed[n][g];
        }
    }
    fprintf(file, "\\data\\\n");
    for (unsigned n = 1; n <= order; n++)
        fprintf(file, "ngram %u=%zu\n", n, count[n]);
    numbers = 1;
    for (unsigned n = 1; n <= order; n++) {
        numbers *= NAMES;
        fprintf(file, "\n\\%u-grams:\n", n);
        for (size_t g = 0; g < numbers; g++) {
            if (!listed[n][g])
                continue;
            fprintf(file, "%.6f\t", n == 1 && g == 1 ? -99 : random_between(random, -2, -0.1));
            for (size_t at = numbers / NAMES; at > 0; at /= NAMES)
                fprintf(file, "%s%c", name[g / at % NAMES], at > 1 ? ' ' : '\t');
            fprintf(file, "%.6f\n", n < order ? random_between(random, -1, 0.2) : 0);
        }
    }
    fprintf(file, "\n\\end\\\n");
    rewind(file);
    tz_lm *lm;
    tz_error error = {TZ_OK, ""};
    if (tz_lm_read(file, "random", &lm, &error) != TZ_OK)
        fail_msg("%s", error.message);
    fclose(file);
    return lm;
}

typedef struct choice {
    unsigned mask;
    double first, score; /* by bigrams; by the language model */
} choice;

static int by_first(const void *a, const void *b) {
    double x = ((const choice *)a)->first, y = ((const choice *)b)->first;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* All choices of words, scored as the header says. word[], of the text; bigram: of the search. */
static void score_choices(const tz_lm *lm, const uint32_t *word, const double *bigram, double bonus,
                          double weight, const all_masks *a, choice *choice) {
    for (unsigned mask = 1; mask < 1u << a->words; mask++) {
        uint32_t kept[MOST_WORDS];
        size_t count = 0;
        for (unsigned w = 0; w < a->words; w++)
            if (mask >> w & 1)
                kept[count++] = word[w];
        double score = a->score[mask] + bonus * (double)count;
        choice[mask - 1].mask = mask;
        choice[mask - 1].first = score + sum_bigrams(bigram, a->words, mask);
        choice[mask - 1].score = score + weight * tz_lm_sentence(lm, kept, count);
    }
    qsort(choice, (1u << a->words) - 1, sizeof *choice, by_first);
}

/* K at a time: all that there are, and fewer; those of the search, whatever ties there are. */
static void check_lm(const tz_deletions *model, const tz_outward *tree, const tz_lm *lm,
                     const uint32_t *word, const all_masks *a, random_state *random) {
    static choice list[MASKS];
    static const size_t candidates[] = {1, 2, 5, 17, MASKS};
    double bigram[(MOST_WORDS + 2) * (MOST_WORDS + 2)], bonus = random_between(random, -1, 2);
    double weight = random_between(random, 0.1, 2);
    unsigned width = a->words + 2, all = (1u << a->words) - 1;
    for (unsigned i = 0; i < width; i++) {
        for (unsigned j = i + 1; j < width; j++) {
            uint32_t before = i == 0 ? (uint32_t)TZ_LM_BEGIN : word[i - 1];
            uint32_t next = j > a->words ? (uint32_t)TZ_LM_END : word[j - 1];
            bigram[i * width + j] = weight * tz_lm_log_prob(lm, &before, 1, next);
        }
    }
    score_choices(lm, word, bigram, bonus, weight, a, list);
    tz_deletion_decoder *decoder;
    assert_ok(tz_deletion_decoder_new(model, 1, &decoder, NULL));
    for (size_t k = 0; k < sizeof candidates / sizeof *candidates; k++) {
        uint8_t keep[MOST_WORDS];
        tz_deletion_item item = {.tree = tree, .keep = keep, .opt_word = word};
        tz_deletion_how how = {.by = TZ_DELETE_BY_BEST,
                               .bonus = bonus,
                               .opt_lm = lm,
                               .weight = weight,
                               .candidates = candidates[k]};
        unsigned few = candidates[k] < all ? (unsigned)candidates[k] : all;
        if (few < all && list[few - 1].first - list[few].first < 1e-9)
            continue; /* which of them is among the first is open */
        assert_ok(tz_deletion_decode(decoder, &how, &item, 1, NULL));
        double best = -INFINITY, found = 0;
        if (tz_lm_order(lm) <= 2)
            few = 1; /* the search knows it all */
        for (unsigned c = 0; c < all; c++) {
            if (c < few)
                best = fmax(best, list[c].score);
            if (list[c].mask == mask_of(keep, a->words))
                found = list[c].score;
        }
        near(item.score, best);
        near(found, best);
    }
    tz_deletion_decoder_free(decoder);
}

/* The best of all choices, and of the few that are best by bigrams, of models of order 1 to 4. */
TEST(language_model) {
    enum { MODELS = 24, LONG = 8 };
    static oracle o;
    random_state random = random_start("language models");
    worst = 0;
    for (unsigned i = 0; i < MODELS; i++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = NULL;
        tz_sight sight = {i % 4, i / 4 % 4, 7, 7};
        train(arena, &random, &sight, &o, &model);
        OWN(tz_lm, lm) = random_lm(&random, 1 + i % 4);
        for (int t = 0; t < 6; t++) {
            uint32_t word[LONG];
            tz_outward tree;
            tz_tree from =
                random_tree(arena, &random, 1 + (unsigned)random_below(&random, LONG), 5);
            assert_ok(tz_outward_new(arena, &from, &tree));
            for (unsigned w = 0; w < from.words; w++) {
                const char form[] = {"aBcD"[random_below(&random, VOCABULARY)], 0};
                assert_ok(tz_deletion_lm_word(lm, form, &word[w]));
                assert_int_equal(
                    word[w],
                    *form == 'D'
                        ? TZ_LM_UNKNOWN
                        : tz_lm_word(lm, &"a\0b\0c"[2 * (*form == 'B') + 4 * (*form == 'c')], 1));
            }
            all_masks a = enumerate(&o, &from, 0, 0);
            check_lm(model, &tree, lm, word, &a, &random);
        }
    }
    print_message("# off by at most %.3g\n", worst);
}

/* What a model rules out is possible all the same, as the last resort. */
TEST(ruled_out) {
    static const char text[] =
        "\\data\\\nngram 1=3\n\n\\1-grams:\n-99\t<unk>\n-0.5\tdog\n-0.5\t#\n\n\\end\\\n";
    OWN(tz_lm, lm) = NULL;
    FILE *file = need(tmpfile());
    fputs(text, file);
    rewind(file);
    assert_ok(tz_lm_read(file, "few", &lm, NULL));
    fclose(file);
    static const char *const form[] = {"Dog", "cat", "7th", "#"};
    uint32_t word[4], context[6];
    for (int w = 0; w < 4; w++)
        assert_ok(tz_deletion_lm_word(lm, form[w], &word[w]));
    assert_true(word[0] == tz_lm_word(lm, "dog", 3) && word[1] == TZ_LM_UNKNOWN);
    assert_true(word[2] == tz_lm_word(lm, "#", 1) && word[3] == word[2]);
    /* cat and the end are not in it */
    near(tz_deletion_lm_sentence(lm, word, (const uint8_t[]){1, 1, 0, 1}, 4, context),
         (-0.5 - 99 - 0.5 - 99) * log(10));
}
