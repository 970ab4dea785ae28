/* test_tables.c - do the dependency grammar and the bigrams of the compressor give the
 * probabilities that their definitions say?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/outline/bigrams.h"
#include "sentences/features/outline/grammar.h"
#include "sentences/lm/lm_train.h"
#include "tests/support/oom.h"

/* Numbers are kept to 0.1, and at most three of them are added up. */
#define STEP 0.0501

/* ---- Bigrams --------------------------------------------------------------------------------- */

static const char *const text[] = {"the dog barks", "the dog sees the cat", "a cat barks",
                                   "the old dog sees a tree", "## dogs bark"};
enum { LINES = sizeof text / sizeof *text };

static tz_status train_lm(unsigned order, tz_lm **ret_lm) {
    OWN(tz_lm_trainer, trainer) = tz_lm_trainer_new();
    tz_lm_settings settings = {.order = order, .min_count = 1};
    tz_status status = trainer ? TZ_OK : TZ_NO_MEMORY;
    for (size_t l = 0; l < LINES && status == TZ_OK; l++) {
        const char *line = text[l], *word;
        size_t size;
        while (status == TZ_OK && (word = tz_lm_next(&line, &size)) != NULL)
            status = tz_lm_trainer_word(trainer, word, size);
        status = status == TZ_OK ? tz_lm_trainer_end(trainer) : status;
    }
    status = status == TZ_OK ? tz_lm_train(trainer, &settings, ret_lm, NULL) : status;
    return status;
}

static uint64_t value(const tz_lm *lm, uint32_t word) {
    return word == TZ_LM_BEGIN ? tz_word_outside(0).lower
           : word == TZ_LM_END ? tz_word_outside(1).lower
                               : tz_form_value(tz_lm_text(lm, word));
}

TEST(bigrams) {
    tz_lm *lm = NULL;
    tz_sketch *bigrams;
    assert_ok(train_lm(2, &lm));
    assert_ok(tz_bigrams_new(lm, &bigrams));
    for (uint32_t v = 0; v < tz_lm_count(lm, 1); v++) {
        for (uint32_t w = 0; w < tz_lm_count(lm, 1); w++) {
            if (w == TZ_LM_BEGIN || v == TZ_LM_END || v == TZ_LM_UNKNOWN)
                continue;
            double expected = tz_lm_log_prob(lm, &v, 1, w);
            double got = tz_bigrams_log_prob(bigrams, value(lm, v), value(lm, w));
            assert_true(fabs(got - expected) <= 2 * STEP);
        }
    }
    /* A word that is not there is the unknown one; a new one before changes nothing. */
    uint32_t dog = tz_lm_word(lm, "dog", 3);
    double unknown = tz_lm_log_prob(lm, &dog, 1, TZ_LM_UNKNOWN);
    double got = tz_bigrams_log_prob(bigrams, tz_form_value("DOG"), tz_form_value("xyz"));
    assert_true(fabs(got - unknown) <= 2 * STEP);
    got = tz_bigrams_log_prob(bigrams, tz_form_value("xyz"), tz_form_value("dog"));
    assert_true(fabs(got - tz_lm_log_prob(lm, NULL, 0, dog)) <= STEP);
    assert_true(tz_bigrams_log_prob(bigrams, tz_form_value("7,5"), tz_form_value("dogs")) >
                tz_bigrams_log_prob(bigrams, tz_form_value("a"), tz_form_value("dogs")));
    tz_sketch_free(bigrams);
    tz_lm_free(lm);
    assert_ok(train_lm(1, &lm));
    assert_int_equal(tz_bigrams_new(lm, &bigrams), TZ_BAD_ARGUMENT);
    assert_null(bigrams);
    tz_lm_free(lm);
}

/* ---- Grammar --------------------------------------------------------------------------------- */

/* "the dog" (a <- b), "a dog", "the cat": D <- N, three times on the left, next to it; and N is
 * three times the root. */
static tz_status phrase(tz_arena *arena, const char *first, const char *second, tz_sentence *ret) {
    tz_status status = tz_sentence_new(arena, 2, ret);
    status = status == TZ_OK ? tz_sentence_form(arena, ret, 1, first) : status;
    status = status == TZ_OK ? tz_sentence_form(arena, ret, 2, second) : status;
    if (status == TZ_OK) {
        tz_sentence_column(ret, 1, TZ_UPOS, "D");
        tz_sentence_column(ret, 2, TZ_UPOS, "N");
        tz_sentence_column(ret, 1, TZ_XPOS, "_");
        tz_sentence_column(ret, 2, TZ_XPOS, "_");
        ret->head[1] = 2;
        ret->head[2] = 0;
        status = tz_outline_new(arena, NULL, ret);
    }
    return status;
}

static double interpolated(double both, double all, double kinds, double lower) {
    return (both + kinds * lower) / (all + kinds);
}

TEST(grammar) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_sentence s[3], other;
    assert_ok(phrase(arena, "the", "dog", &s[0]));
    assert_ok(phrase(arena, "a", "dog", &s[1]));
    assert_ok(phrase(arena, "the", "cat", &s[2]));
    tz_corpus corpus = {.count = 3, .sentence = s, .words = 6};
    tz_sketch *grammar;
    assert_ok(tz_grammar_new(&corpus, 1, &grammar));
    /* the <- dog: D after (dog, left): 2 of 2; after (N, left, next): 3 of 3; after left: 3 of 3.
     * "the" after (D, N, left) and after D: 2 of 3, two kinds. */
    double lower = interpolated(3, 3, 1, interpolated(3, 3, 1, 0));
    double tag = interpolated(2, 2, 1, lower);
    double word = interpolated(2, 3, 2, interpolated(2, 3, 2, 0));
    double got = tz_grammar_log_prob(grammar, s[0].outline, 2, 1);
    assert_true(fabs(got - log(tag) - log(word)) <= 2 * STEP);
    /* the <- cat came once: the tag backs off from (cat, left), which came once and is left out. */
    got = tz_grammar_log_prob(grammar, s[2].outline, 2, 1);
    assert_true(fabs(got - log(lower) - log(word)) <= 2 * STEP);
    /* A new word: the share of new ones twice, and 1/1000. */
    assert_ok(phrase(arena, "this", "dog", &other));
    got = tz_grammar_log_prob(grammar, other.outline, 2, 1);
    assert_true(fabs(got - log(tag) - 2 * log(2.0 / 5) + log(1000)) <= 3 * STEP);
    /* the <- root: D never stood on the right of anything. The share of new tags there, of the root
     * (which has come, but not next to a word) and of all heads, and 1/1000; then the word after D,
     * which the root never had. */
    got = tz_grammar_log_prob(grammar, s[0].outline, 0, 1);
    double strange = 2 * log(1.0 / 4) - log(1000) + log(interpolated(2, 3, 2, 0));
    assert_true(fabs(got - strange) <= 3 * STEP);
    tz_sketch_free(grammar);
    corpus.count = 0;
    assert_int_equal(tz_grammar_new(&corpus, 1, &grammar), TZ_NONE);
}

/* ---- Both ------------------------------------------------------------------------------------ */

TEST(bins) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_sentence s;
    OWN(tz_lm, lm) = NULL;
    OWN(tz_sketch, bigrams) = NULL, *grammar = NULL;
    assert_ok(phrase(arena, "the", "dog", &s));
    assert_int_equal(tz_grammar_bin(s.outline, 2, 1), 0);
    assert_int_equal(tz_bigram_bin(s.outline, 0, 1), 0);
    tz_corpus corpus = {.count = 1, .sentence = &s, .words = 2};
    assert_ok(train_lm(2, &lm));
    assert_ok(tz_bigrams_new(lm, &bigrams));
    assert_ok(tz_grammar_new(&corpus, 1, &grammar));
    tz_sources sources = {grammar, bigrams, 0};
    assert_ok(tz_outline_new(arena, &sources, &s));
    assert_in_range(tz_grammar_bin(s.outline, 2, 1), 1, 16);
    assert_true(tz_grammar_bin(s.outline, 2, 1) < tz_grammar_bin(s.outline, 0, 1));
    assert_in_range(tz_bigram_bin(s.outline, 2, 3), 1, 16);
    assert_true(tz_bigram_bin(s.outline, 1, 2) < tz_bigram_bin(s.outline, 0, 2));
}

static int attempt(void *user) {
    const tz_lm *lm = user;
    tz_sentence s;
    OWN(tz_sketch, bigrams) = NULL, *grammar = NULL;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_status status = arena ? phrase(arena, "the", "dog", &s) : TZ_NO_MEMORY;
    tz_corpus corpus = {.count = 1, .sentence = &s, .words = 2};
    status = status == TZ_OK ? tz_bigrams_new(lm, &bigrams) : status;
    status = status == TZ_OK ? tz_grammar_new(&corpus, 1, &grammar) : status;
    tz_sources sources = {grammar, bigrams, 0};
    status = status == TZ_OK ? tz_outline_new(arena, &sources, &s) : status;
    return (int)status;
}

TEST(memory) {
    OWN(tz_lm, lm) = NULL;
    assert_ok(train_lm(2, &lm));
    assert_true(oom_sweep("tables", attempt, lm, TZ_NO_MEMORY, false) > 8);
}
