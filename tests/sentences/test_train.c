/* test_train.c - does training learn what can be learned, the same for any number of threads, and
 * fail without harm?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/learn/decode.h"
#include "sentences/train/train.h"
#include "tests/support/oom.h"
#include "tests/support/read_corpus.h"
#include "tests/support/toy.h"

static char *text;
static size_t text_size;

/* sentences of the toy language, of this seed. */
static void make_text(int sentences, uint64_t seed) {
    text = toy_text(toy_treebank, seed, sentences, &text_size);
}

/* names: the labels of the task. */
static tz_status read_text(const tz_task *task, bool grow, tz_labels *names,
                           tz_corpus *ret_corpus) {
    tz_corpus_options options = {.grow = grow, .need = 1u << task->column | task->needs};
    options.labels[task->column] = task->labelled ? names : NULL;
    return read_corpus(text, text_size, &options, ret_corpus, NULL);
}

typedef struct setting {
    const tz_task *task;
    const char *rules;
    unsigned threads, batch, bits;
    tz_objective_kind objective;
    tz_optimiser_kind optimiser;
    double rate;
    bool (*report)(void *user, const tz_training_progress *progress);
} setting;

/* Reads the text, trains for four epochs; tags are the model's labels, or freed. */
static tz_status train(const setting *set, tz_model **ret_model, tz_table_use *ret_use) {
    *ret_model = NULL;
    tz_labels tags = {0}, none = {0};
    OWNED(tz_corpus, corpus) = {0};
    tz_status status = read_text(set->task, true, &tags, &corpus);
    tz_training training = {.objective = set->objective,
                            .optimiser = set->optimiser,
                            .rate = set->rate,
                            .l2 = 0.01,
                            .seed = 7,
                            .epochs = 4,
                            .batch = set->batch,
                            .threads = set->threads,
                            .report = set->report};
    if (status == TZ_OK) {
        status = tz_model_new(set->task, set->rules, set->bits, set->task->labelled ? &tags : &none,
                              ret_model);
    }
    if (status == TZ_OK)
        status = tz_train(*ret_model, &corpus, NULL, &training, ret_use, NULL);
    if (status != TZ_OK) {
        tz_model_free(*ret_model);
        *ret_model = NULL;
    }
    tz_labels_free(&tags);
    return status;
}

/* Task, rules, threads, batch, bits, objective, optimiser, rate, report. */
static const setting learners[] = {
    {&tz_tagger, "chain", 1, 4, 14, TZ_PERCEPTRON, TZ_AVERAGE, 0, NULL},
    {&tz_parser, "eisner", 1, 4, 16, TZ_PERCEPTRON, TZ_AVERAGE, 0, NULL},
    {&tz_parser, "eisner-single-root", 1, 1, 16, TZ_PERCEPTRON, TZ_AVERAGE, 0, NULL},
    {&tz_parser, "sibling", 1, 4, 16, TZ_PERCEPTRON, TZ_AVERAGE, 0, NULL},
    {&tz_tagger, "chain", 1, 16, 14, TZ_LIKELIHOOD, TZ_ADAGRAD, 0.2, NULL},
    {&tz_tagger, "chain", 1, 16, 14, TZ_LIKELIHOOD, TZ_LBFGS, 0, NULL},
    {&tz_parser, "eisner", 1, 16, 16, TZ_LIKELIHOOD, TZ_ADAM, 0.02, NULL},
    {&tz_parser, "sibling-single-root", 1, 16, 16, TZ_LIKELIHOOD, TZ_ADAGRAD, 0.05, NULL},
    {&tz_labeller, "chain", 1, 4, 14, TZ_PERCEPTRON, TZ_AVERAGE, 0, NULL},
};
enum { LEARNERS = sizeof learners / sizeof *learners };

/* Trained on 200 sentences, no word of 100 others is wrong. */
TEST(learns) {
    for (size_t l = 0; l < LEARNERS; l++) {
        OWN(tz_model, model) = NULL;
        tz_table_use use;
        make_text(200, 1);
        assert_ok(train(&learners[l], &model, &use));
        free(text);
        make_text(100, 2);
        OWNED(tz_corpus, corpus) = {0};
        double right = 0;
        OWN(tz_decoder, decoder) = NULL;
        assert_ok(read_text(learners[l].task, false, &model->labels, &corpus));
        assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
        assert_ok(tz_decode_score(decoder, model->weight, &corpus, &right, NULL));
        assert_true(right == 1);
        assert_int_equal(use.rows, (size_t)1 << learners[l].bits);
        assert_true(use.shared < use.used && use.used < use.rows);
        free(text);
    }
}

/* The same bits for 1 and 3 threads; others for another seed of the data. */
TEST(threads) {
    for (size_t l = 0; l < LEARNERS; l++) {
        OWN(tz_model, other) = NULL, *three = NULL, *one = NULL;
        tz_table_use use, again;
        setting set = learners[l];
        make_text(40, 3);
        assert_ok(train(&set, &one, &use));
        set.threads = 3;
        assert_ok(train(&set, &three, &again));
        free(text);
        make_text(40, 4);
        assert_ok(train(&set, &other, &again));
        free(text);
        size_t bytes = tz_model_size(one) * sizeof *one->weight;
        assert_memory_equal(one->weight, three->weight, bytes);
        assert_memory_not_equal(one->weight, other->weight, bytes);
    }
}

/* ---- The average ----------------------------------------------------------------------------- */

enum { RECORDED = 1 << 10 };
static float *history;
static size_t recorded, recorded_size;
static tz_model *watched;
static unsigned best_epoch;
static double best_accuracy;

static bool record(void *user, const tz_training_progress *progress) {
    (void)user;
    if (!progress->epoch_over) {
        assert_true(recorded < RECORDED);
        memcpy(history + recorded++ * recorded_size, watched->weight,
               recorded_size * sizeof *history);
    }
    return true;
}

/* Lazy averaging gives the mean of the weights after every batch, which are summed here as they
 * are. All weights are whole numbers below 2^24, so that nothing is rounded but the means: at most
 * 2^-24 of themselves in `float`, and the sums of `double` by less. */
TEST(average) {
    make_text(30, 5);
    tz_labels tags = {0};
    OWNED(tz_corpus, corpus) = {0};
    tz_table_use use;
    assert_ok(read_text(&tz_tagger, true, &tags, &corpus));
    assert_ok(tz_model_new(&tz_tagger, "chain", 8, &tags, &watched));
    recorded = 0;
    recorded_size = tz_model_size(watched);
    history = need(calloc(RECORDED * recorded_size, sizeof *history));
    tz_training training = {.epochs = 2, .batch = 4, .threads = 1, .report = record};
    assert_ok(tz_train(watched, &corpus, NULL, &training, &use, NULL));
    assert_int_equal(recorded, 2 * 8);
    size_t moved = 0;
    for (size_t w = 0; w < recorded_size; w++) {
        double mean = 0;
        /* The weights seen by report are those after the batch. */
        for (size_t r = 0; r < recorded; r++)
            mean += (double)history[r * recorded_size + w];
        mean /= (double)recorded;
        moved += mean != 0;
        assert_true(fabs(mean - (double)watched->weight[w]) <= 0x1p-23 * fabs(mean));
    }
    assert_true(moved > 100);
    free(history);
    tz_model_free(watched);
    free(text);
}

static bool remember_best(void *user, const tz_training_progress *progress) {
    (void)user;
    if (progress->epoch_over) {
        assert_true(progress->accuracy >= 0 && progress->accuracy <= progress->best);
        if (best_epoch == 0 || progress->accuracy > best_accuracy) {
            best_epoch = progress->epoch;
            best_accuracy = progress->accuracy;
        } else {
            assert_true(progress->epoch - best_epoch <= 2);
        }
    }
    return true;
}

/* With a development corpus the weights are those of the best epoch, and training ends `patience`
 * epochs after it. */
TEST(stops) {
    make_text(60, 6);
    tz_labels tags = {0};
    OWNED(tz_corpus, corpus) = {0};
    tz_table_use use;
    OWN(tz_model, model) = NULL;
    OWN(tz_decoder, decoder) = NULL;
    double right;
    assert_ok(read_text(&tz_tagger, true, &tags, &corpus));
    assert_ok(tz_model_new(&tz_tagger, "chain", 5, &tags, &model));
    tz_training training = {
        .epochs = 50, .patience = 2, .batch = 4, .threads = 1, .report = remember_best};
    best_epoch = 0;
    assert_ok(tz_train(model, &corpus, &corpus, &training, &use, NULL));
    assert_in_range(best_epoch, 1, 48);
    assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
    assert_ok(tz_decode_score(decoder, model->weight, &corpus, &right, NULL));
    assert_true(right == best_accuracy);
    free(text);
}

static int reports;

/* Once everything has been allocated that training needs. */
static bool stop_soon(void *user, const tz_training_progress *progress) {
    (void)user;
    return ++reports < 3 && !progress->epoch_over;
}

static int attempt(void *user) {
    OWN(tz_model, model) = NULL;
    tz_table_use use;
    reports = 0;
    tz_status status = train(user, &model, &use);
    return status == TZ_NONE ? 0 : (int)status;
}

TEST(memory) {
    make_text(3, 8);
    for (size_t l = 0; l < LEARNERS; l++) {
        setting set = learners[l];
        set.bits = 4;
        set.report = stop_soon;
        oom_sweep("train", attempt, &set, TZ_NO_MEMORY, false);
    }
    free(text);
}
