/* test_lm_treebank.c - a language model of real text: it sums to 1 after histories of the text, and
 * longer contexts predict unseen text better.
 *
 * Reads ../shared/data/ud-english-ewt; skips, saying so, where that is absent.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "io/conllu/conllu.h"
#include "sentences/lm/lm_train.h"

#define FOLDER TZ_SOURCE_ROOT "/../shared/data/ud-english-ewt/en_ewt-ud-"

enum { HISTORIES = 25, ORDERS = 5 };

typedef struct totals {
    size_t sentences, words, histories;
    double log_prob[ORDERS + 1], worst_sum;
} totals;

/* The model holds floats. Measured: off by 3.2e-8 at most. */
static const double sum_tolerance = 1e-7;

static void check_sum(const tz_lm *lm, const uint32_t *before, size_t count, totals *t) {
    double sum = 0;
    for (uint32_t word = 0; word < tz_lm_count(lm, 1); word++)
        sum += exp(tz_lm_log_prob(lm, before, count, word));
    t->worst_sum = fabs(sum - 1) > t->worst_sum ? fabs(sum - 1) : t->worst_sum;
    t->histories++;
    assert_true(fabs(sum - 1) <= sum_tolerance);
}

static void learn(const tz_conllu_sentence *s, tz_lm_trainer *trainer) {
    for (int32_t w = 1; w <= s->words; w++) {
        /* Some forms contain blanks; those words are left out here. */
        const char *form = s->word[w]->column[TZ_FORM];
        tz_status status = tz_lm_trainer_word(trainer, form, strlen(form));
        assert_true(status == TZ_OK || status == TZ_BAD_ARGUMENT);
    }
    assert_ok(tz_lm_trainer_end(trainer));
}

static void predict(const tz_conllu_sentence *s, tz_lm *const *lm, totals *t) {
    uint32_t words[512];
    assert_true(s->words < 512);
    words[0] = TZ_LM_BEGIN;
    for (int32_t w = 1; w <= s->words; w++) {
        const char *form = s->word[w]->column[TZ_FORM];
        words[w] = tz_lm_word(lm[1], form, strlen(form));
    }
    t->sentences++;
    t->words += (size_t)s->words;
    for (unsigned order = 1; order <= ORDERS; order++)
        t->log_prob[order] += tz_lm_sentence(lm[order], words + 1, (size_t)s->words);
    if (t->sentences % 80 == 0) {
        check_sum(lm[ORDERS], words, 1 + (size_t)s->words, t);
        check_sum(lm[3], words, 2, t);
    }
}

/* False where the file is not there. */
static bool walk(const char *path, tz_lm_trainer *trainer, tz_lm *const *lm, totals *t) {
    OWN(FILE, file) = fopen(path, "rb");
    if (!file && errno == ENOENT) {
        print_message("# skipped: there is no %s\n", path);
        return false;
    }
    assert_non_null(file);
    OWN(tz_lines, lines) = tz_lines_new(file, path, TZ_CONLLU_LINE);
    OWN(tz_conllu, conllu) = tz_conllu_new(lines);
    const tz_conllu_sentence *s;
    while (tz_conllu_next(conllu, &s, NULL) == TZ_OK)
        if (trainer)
            learn(s, trainer);
        else
            predict(s, lm, t);
    return true;
}

TEST(treebank) {
    tz_lm_trainer *trainer = tz_lm_trainer_new();
    tz_lm *lm[ORDERS + 1] = {NULL};
    totals t = {0};
    if (!walk(FOLDER "train.conllu", trainer, NULL, NULL)) {
        tz_lm_trainer_free(trainer);
        skip();
    }
    for (unsigned order = 1; order <= ORDERS; order++) {
        tz_lm_settings settings = {.order = order};
        tz_lm_report report;
        assert_ok(tz_lm_train(trainer, &settings, &lm[order], &report));
        for (unsigned n = 1; n <= order; n++)
            assert_false(report.fallback[n]);
    }
    tz_lm_trainer_free(trainer);
    assert_true(walk(FOLDER "dev.conllu", NULL, lm, &t));
    double perplexity[ORDERS + 1];
    for (unsigned order = 1; order <= ORDERS; order++) {
        perplexity[order] = exp(-t.log_prob[order] / (double)(t.words + t.sentences));
        print_message("# order %u: perplexity %.2f\n", order, perplexity[order]);
        assert_true(order == 1 || perplexity[order] < perplexity[order - 1]);
        tz_lm_free(lm[order]);
    }
    print_message("# after %zu histories, sums off by %.2g\n", t.histories, t.worst_sum);
    assert_true(t.histories >= HISTORIES);
    /* 1089, 433, 408, 405, 405: a bigram must be worth far more than the rest. */
    assert_true(perplexity[2] < 0.45 * perplexity[1] && perplexity[3] < 0.96 * perplexity[2]);
}
