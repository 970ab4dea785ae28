/* test_lm.c - are the probabilities of trained language models those of the formulas?
 *
 * On small random texts, after every history that the vocabulary allows: they sum to 1, and they
 * are those of a plain program that goes from the definitions in lm_train.h and asks every n-gram's
 * count from a table. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sentences/lm/lm_train.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/written_lm.h"

enum { MOST = 8, WORDS = MOST - TZ_LM_SPECIAL, ORDERS = 5, CODES = 8 * 8 * 8 * 8 * 8, TEXT = 512 };

/* Models hold log10 P as floats. Measured with 3,000 texts (TZ_SEED=1): sums are off by 6.8e-8 at
 * most, logs by 2.9e-7. */
static const double sum_tolerance = 1.4e-7, log_tolerance = 6e-7;

/* ---- Texts --------------------------------------------------------------------------------- */

/* Words are 0..WORDS - 1, written a, b, ...; -1 ends a sentence. */
typedef struct text {
    int word[TEXT];
    size_t size;
} text;

static text random_text(random_state *random) {
    text t = {.size = 0};
    size_t sentences = 1 + random_below(random, random_below(random, 3) == 0 ? 40 : 8);
    unsigned kinds = 1 + (unsigned)random_below(random, WORDS);
    for (size_t s = 0; s < sentences; s++) {
        size_t words = 1 + random_below(random, 8);
        for (size_t w = 0; w < words; w++) {
            /* Some words often, some seldom. */
            t.word[t.size++] = (int)random_below(random, 1 + random_below(random, kinds));
        }
        t.word[t.size++] = -1;
    }
    return t;
}

static tz_lm_trainer *trainer_of(const text *t) {
    tz_lm_trainer *trainer = tz_lm_trainer_new();
    for (size_t i = 0; trainer && i < t->size; i++) {
        char name = (char)('a' + t->word[i]);
        tz_status status =
            t->word[i] < 0 ? tz_lm_trainer_end(trainer) : tz_lm_trainer_word(trainer, &name, 1);
        if (status != TZ_OK) {
            tz_lm_trainer_free(trainer);
            trainer = NULL;
        }
    }
    return trainer;
}

static tz_lm_settings random_settings(random_state *random, unsigned order) {
    tz_lm_settings s = {.order = order, .min_count = 1 + (uint32_t)random_below(random, 3)};
    for (unsigned n = 2; n <= order; n++) {
        s.cutoff[n] = n == 2 ? (uint32_t)random_below(random, 2)
                             : s.cutoff[n - 1] + (random_below(random, 4) == 0);
    }
    return s;
}

/* ---- From the definitions ------------------------------------------------------------------ */

/* Words: 0, 1, 2 as in the model, then 3 + word. An n-gram's code is its words as digits to the
 * base 8. */
typedef struct plain {
    const tz_lm_settings *settings;
    bool known[MOST];
    unsigned vocabulary; /* how many are known, without <s> */
    unsigned raw[ORDERS + 1][CODES];
    double discount[ORDERS + 1][4];
} plain;

static size_t power(unsigned n) {
    size_t result = 1;
    for (; n > 0; n--)
        result *= MOST;
    return result;
}

/* The count that smoothing uses. */
static unsigned adjusted(const plain *p, unsigned n, size_t code) {
    if (n == p->settings->order || code / power(n - 1) == TZ_LM_BEGIN)
        return n == 1 && code == TZ_LM_BEGIN ? 0 : p->raw[n][code];
    unsigned different = 0;
    for (size_t before = 0; before < MOST; before++)
        different += p->raw[n + 1][before * power(n) + code] > 0;
    return different;
}

static double discounted(const plain *p, unsigned n, unsigned count) {
    return count - p->discount[n][count < 3 ? count : 3];
}

/* P(word | the n - 1 words of the context), the context being the code of those. */
static double probability(const plain *p, unsigned n, size_t context, size_t word) {
    if (n == 0)
        return 1.0 / p->vocabulary;
    double sum = 0, kept = 0, own = 0;
    for (size_t w = 0; w < MOST; w++) {
        size_t code = context * MOST + w;
        unsigned count = adjusted(p, n, code);
        bool keep = count > 0 && (n == 1 || p->raw[n][code] >= p->settings->cutoff[n]);
        sum += count;
        kept += keep ? discounted(p, n, count) : 0;
        own = w == word && keep ? discounted(p, n, count) : own;
    }
    double shorter = probability(p, n - 1, n > 1 ? context % power(n - 2) : 0, word);
    return sum > 0 ? own / sum + (1 - kept / sum) * shorter : shorter;
}

static void find_discounts(plain *p, unsigned n) {
    double t[5] = {0}, d[4] = {0};
    for (size_t code = 0; code < power(n); code++) {
        unsigned count = adjusted(p, n, code);
        t[count <= 4 ? count : 0]++;
    }
    double y = t[1] / (t[1] + 2 * t[2]);
    for (int k = 1; k <= 3; k++)
        d[k] = k - (k + 1) * y * t[k + 1] / t[k];
    /* NaN is not between. */
    bool good = d[1] > 0 && d[1] < 1 && d[2] > 0 && d[2] < 2 && d[3] > 0 && d[3] < 3;
    for (int k = 1; k <= 3; k++)
        p->discount[n][k] = good ? d[k] : 0.5 * k;
}

static void make_plain(plain *p, const text *t, const tz_lm_settings *settings) {
    unsigned often[WORDS] = {0};
    memset(p, 0, sizeof *p);
    p->settings = settings;
    for (size_t i = 0; i < t->size; i++)
        if (t->word[i] >= 0)
            often[t->word[i]]++;
    for (unsigned w = 0; w < MOST; w++) {
        p->known[w] = w < TZ_LM_SPECIAL || (often[w - TZ_LM_SPECIAL] > 0 &&
                                            often[w - TZ_LM_SPECIAL] >= settings->min_count);
        p->vocabulary += p->known[w] && w != TZ_LM_BEGIN;
    }
    for (size_t first = 0, end; first < t->size; first = end + 1) {
        size_t sentence[16], size = 0;
        sentence[size++] = TZ_LM_BEGIN;
        for (end = first; t->word[end] >= 0; end++) {
            unsigned w = TZ_LM_SPECIAL + (unsigned)t->word[end];
            sentence[size++] = p->known[w] ? w : (size_t)TZ_LM_UNKNOWN;
        }
        sentence[size++] = TZ_LM_END;
        for (size_t i = 0; i < size; i++) {
            size_t code = 0;
            for (unsigned n = 1; n <= settings->order && i + n <= size; n++) {
                code = code * MOST + sentence[i + n - 1];
                p->raw[n][code]++;
            }
        }
    }
    for (unsigned n = 1; n <= settings->order; n++)
        find_discounts(p, n);
}

/* ---- Tests --------------------------------------------------------------------------------- */

/* The model's number of a plain word. */
static uint32_t number_of(const tz_lm *lm, unsigned word) {
    char name = (char)('a' + (int)word - TZ_LM_SPECIAL);
    return word < TZ_LM_SPECIAL ? word : tz_lm_word(lm, &name, 1);
}

static double worst_sum, worst_log;

/* After every history of `size` words. */
static void check_histories(const plain *p, const tz_lm *lm, unsigned size) {
    for (size_t history = 0; history < power(size); history++) {
        uint32_t before[ORDERS] = {0};
        bool known = true;
        size_t rest = history;
        for (unsigned i = size; i-- > 0; rest /= MOST) {
            known = known && p->known[rest % MOST];
            before[i] = number_of(lm, rest % MOST);
        }
        double sum = 0;
        for (unsigned w = 0; known && w < MOST; w++) {
            if (p->known[w] && w != TZ_LM_BEGIN) {
                double found = tz_lm_log_prob(lm, before, size, number_of(lm, w));
                double off = fabs(found - log(probability(p, size + 1, history, w)));
                worst_log = off > worst_log ? off : worst_log;
                assert_true(off <= log_tolerance);
                sum += exp(found);
            }
        }
        if (known) {
            worst_sum = fabs(sum - 1) > worst_sum ? fabs(sum - 1) : worst_sum;
            assert_true(fabs(sum - 1) <= sum_tolerance);
            assert_true(tz_lm_log_prob(lm, before, size, TZ_LM_BEGIN) == -INFINITY);
        }
    }
}

TEST(formulas) {
    static plain p;
    random_state random = random_start("formulas");
    size_t estimated = 0, orders = 0;
    for (int round = 0; round < 60; round++) {
        text t = random_text(&random);
        OWN(tz_lm_trainer, trainer) = trainer_of(&t);
        assert_non_null(trainer);
        for (unsigned order = 1; order <= ORDERS; order++) {
            tz_lm_settings settings = random_settings(&random, order);
            tz_lm_report report;
            OWN(tz_lm, lm) = NULL;
            assert_ok(tz_lm_train(trainer, &settings, &lm, &report));
            assert_int_equal(tz_lm_order(lm), order);
            make_plain(&p, &t, &settings);
            assert_int_equal(tz_lm_count(lm, 1), p.vocabulary + 1);
            for (unsigned size = 0; size < order && (size < 4 || round % 8 == 0); size++)
                check_histories(&p, lm, size);
            for (unsigned n = 1; n <= order; n++) {
                estimated += !report.fallback[n];
                orders++;
            }
        }
    }
    print_message("# sums off by %.2g, logs by %.2g; discounts estimated for %zu of %zu orders\n",
                  worst_sum, worst_log, estimated, orders);
    /* Both ways of finding discounts have been seen. */
    assert_true(estimated > 0 && estimated < orders);
}

/* A sentence's probability is the product of its words'; more context than the model has, and words
 * that it has not, make no difference. */
TEST(sentences) {
    random_state random = random_start("sentences");
    for (unsigned order = 1; order <= TZ_LM_ORDER; order++) {
        text t = random_text(&random);
        OWN(tz_lm_trainer, trainer) = trainer_of(&t);
        tz_lm_settings settings = {.order = order};
        OWN(tz_lm, lm) = NULL;
        assert_ok(tz_lm_train(trainer, &settings, &lm, NULL));
        uint32_t sentence[22] = {TZ_LM_BEGIN};
        for (size_t words = 0; words <= 20; words++) {
            double sum = 0;
            sentence[words + 1] = TZ_LM_END;
            for (size_t i = 1; i <= words + 1; i++) {
                size_t used = i < order ? i : order - 1;
                double all = tz_lm_log_prob(lm, sentence, i, sentence[i]);
                assert_true(all == tz_lm_log_prob(lm, sentence + i - used, used, sentence[i]));
                sum += all;
            }
            assert_true(tz_lm_sentence(lm, sentence + 1, words) == sum);
            sentence[words + 1] = (uint32_t)random_below(&random, tz_lm_count(lm, 1));
        }
        uint32_t strange[2] = {UINT32_MAX, UINT32_MAX - 1}, unknown[2] = {0, 0};
        assert_true(tz_lm_log_prob(lm, strange, 2, 1000000) ==
                    tz_lm_log_prob(lm, unknown, 2, TZ_LM_UNKNOWN));
    }
}

/* a occurs once: V = 3 with <unk> and </s>. Fixed discounts; each of a, </s> has (1 - 0.5) / 2 of
 * its own, and 0.5 is shared by three. */
TEST(one_word) {
    text t = {.word = {0, -1}, .size = 2};
    OWN(tz_lm_trainer, trainer) = trainer_of(&t);
    tz_lm_settings settings = {.order = 1};
    tz_lm *lm;
    assert_ok(tz_lm_train(trainer, &settings, &lm, NULL));
    assert_string_equal(tz_lm_text(lm, 3), "a");
    assert_true(fabs(exp(tz_lm_log_prob(lm, NULL, 0, 3)) - (0.25 + 0.5 / 3)) < sum_tolerance);
    assert_true(fabs(exp(tz_lm_log_prob(lm, NULL, 0, TZ_LM_UNKNOWN)) - 0.5 / 3) < sum_tolerance);
    tz_lm_free(lm);
    /* As a bigram, a gets 0.5 of its own after <s>. */
    settings.order = 2;
    assert_ok(tz_lm_train(trainer, &settings, &lm, NULL));
    uint32_t begin = TZ_LM_BEGIN;
    assert_true(fabs(exp(tz_lm_log_prob(lm, &begin, 1, 3)) - (0.5 + 0.5 * (0.25 + 0.5 / 3))) <
                sum_tolerance);
    tz_lm_free(lm);
}

TEST(refused) {
    OWN(tz_lm_trainer, trainer) = tz_lm_trainer_new();
    tz_lm_settings settings = {.order = 2};
    tz_lm *lm;
    assert_int_equal(tz_lm_train(trainer, &settings, &lm, NULL), TZ_NONE);
    assert_null(lm);
    assert_ok(tz_lm_trainer_end(trainer));
    assert_int_equal(tz_lm_trainer_sentences(trainer), 0);
    static const char *const bad[] = {"", "<s>", "</s>", "a b", "a\tb", "a\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(tz_lm_trainer_word(trainer, bad[i], strlen(bad[i])), TZ_BAD_ARGUMENT);
    /* A sentence that has not been ended does not count, nor do its words. */
    assert_ok(tz_lm_trainer_word(trainer, "x", 1));
    assert_int_equal(tz_lm_train(trainer, &settings, &lm, NULL), TZ_NONE);
    assert_ok(tz_lm_trainer_end(trainer));
    assert_ok(tz_lm_trainer_word(trainer, "y", 1));
    assert_int_equal(tz_lm_trainer_words(trainer), 1);
    assert_ok(tz_lm_train(trainer, &settings, &lm, NULL));
    assert_int_equal(tz_lm_count(lm, 1), 4);
    assert_int_equal(tz_lm_word(lm, "y", 1), TZ_LM_UNKNOWN);
    tz_lm_free(lm);
    settings.order = 0;
    assert_int_equal(tz_lm_train(trainer, &settings, &lm, NULL), TZ_BAD_ARGUMENT);
    settings.order = TZ_LM_ORDER + 1;
    assert_int_equal(tz_lm_train(trainer, &settings, &lm, NULL), TZ_BAD_ARGUMENT);
    settings = (tz_lm_settings){.order = 3, .cutoff = {[2] = 2, [3] = 1}};
    assert_int_equal(tz_lm_train(trainer, &settings, &lm, NULL), TZ_BAD_ARGUMENT);
}

/* The order of sentences makes no difference, nor does training again. */
TEST(same) {
    random_state random = random_start("same");
    for (int round = 0; round < 20; round++) {
        text t = random_text(&random), turned = {.size = 0};
        for (size_t end = t.size; end > 0;) { /* the last sentence first */
            size_t first = end - 1;
            while (first > 0 && t.word[first - 1] >= 0)
                first--;
            memcpy(turned.word + turned.size, t.word + first, (end - first) * sizeof *t.word);
            turned.size += end - first;
            end = first;
        }
        tz_lm_settings settings = random_settings(&random, 1 + round % ORDERS);
        char *bytes[3];
        size_t size[3];
        OWN(tz_lm_trainer, trainer) = trainer_of(&t), *other = trainer_of(&turned);
        for (int i = 0; i < 3; i++) {
            OWN(tz_lm, lm) = NULL;
            assert_ok(tz_lm_train(i == 2 ? other : trainer, &settings, &lm, NULL));
            bytes[i] = written_lm(lm, &size[i]);
        }
        for (int i = 1; i < 3; i++) {
            assert_int_equal(size[i], size[0]);
            assert_memory_equal(bytes[i], bytes[0], size[0]);
            free(bytes[i]);
        }
        free(bytes[0]);
    }
}

static int train_once(void *user) {
    OWN(tz_lm_trainer, trainer) = trainer_of(user);
    tz_lm_settings settings = {.order = 4, .min_count = 2};
    OWN(tz_lm, lm) = NULL;
    tz_status status =
        trainer ? tz_lm_train(trainer, &settings, &lm, NULL) : (tz_status)TZ_NO_MEMORY;
    return (int)status;
}

TEST(memory) {
    random_state random = random_start("memory");
    text t = random_text(&random);
    /* Memory that cannot be given back early does no harm. */
    assert_true(oom_sweep("training", train_once, &t, TZ_NO_MEMORY, true) > 10);
}
