/* test_optimiser.c - do the optimisers do the steps that papers define, and find the optimum?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>

#include "sentences/train/objective.h"
#include "sentences/train/optimiser.h"
#include "tests/support/toy.h"

/* ---- Steps ----------------------------------------------------------------------------------- */

enum { BITS = 3, ROWS = 1 << BITS, STEPS = 200, EPOCH = 50 };

/* One weight by itself, in double. */
typedef struct plain {
    double w, square, mean, sum; /* sum: of w after every step */
    int times;
} plain;

static double plain_scale(const plain *p, tz_optimiser_kind kind) {
    if (kind == TZ_ADAM)
        return 1e-3 + (p->times > 0 ? sqrt(p->square / (1 - pow(0.999, p->times))) : 0);
    return sqrt(1 + p->square);
}

static void plain_step(plain *p, const tz_training *t, double g) {
    if (t->optimiser == TZ_AVERAGE) {
        p->w -= g;
    } else if (t->optimiser == TZ_ADAGRAD) {
        p->square += g * g;
        p->w -= t->rate * g / plain_scale(p, TZ_ADAGRAD);
    } else {
        p->times++;
        p->mean = 0.9 * p->mean + 0.1 * g;
        p->square = 0.999 * p->square + 0.001 * g * g;
        p->w -= t->rate * p->mean / (1 - pow(0.9, p->times)) / plain_scale(p, TZ_ADAM);
    }
}

/* Against each weight by itself, with the penalty of 64 steps at once, or of what is left when an
 * epoch ends. Weights are floats: each of 200 steps is rounded by 2^-25 of them at most, and they
 * are below 32. */
TEST(steps) {
    static const tz_training trainings[] = {
        {.optimiser = TZ_AVERAGE, .threads = 1},
        {.optimiser = TZ_ADAGRAD, .threads = 1, .rate = 0.3, .l2 = 2},
        {.optimiser = TZ_ADAGRAD, .threads = 3, .rate = 0.3},
        {.optimiser = TZ_ADAM, .threads = 1, .rate = 0.02, .l2 = 2},
        {.optimiser = TZ_ADAM, .threads = 2, .rate = 0.02},
    };
    random_state random = random_start("steps");
    for (size_t i = 0; i < sizeof trainings / sizeof *trainings; i++) {
        const tz_training *t = &trainings[i];
        tz_labels none = {0};
        OWN(tz_model, model) = NULL;
        OWN(tz_gradient, gradient) = NULL;
        OWN(tz_optimiser, optimiser) = NULL;
        plain plain[ROWS] = {{0}};
        float result[ROWS];
        double due = 0;
        int since = 0;
        assert_ok(tz_model_new(&tz_parser, "eisner", BITS, &none, &model));
        assert_ok(tz_gradient_new(model, t->threads, &gradient));
        assert_ok(tz_optimiser_new(model, t, &optimiser));
        for (int step = 1; step <= STEPS; step++) {
            assert_ok(tz_gradient_begin(gradient, 1));
            for (uint64_t r = 0; r < ROWS; r++) {
                if (random_below(&random, ROWS) >= r) { /* some rows more often than others */
                    double g = random_between(&random, -1, 1 + (double)r / 32);
                    assert_ok(tz_gradient_terms_add(&gradient->terms[0], model, &r, 1, &g));
                    plain_step(&plain[r], t, g);
                }
            }
            assert_ok(tz_gradient_sum(gradient, 1));
            tz_optimiser_step(optimiser, gradient, 1.0 / EPOCH);
            due += 1.0 / EPOCH;
            if (++since == 64 || step % EPOCH == 0) {
                for (size_t r = 0; r < ROWS && t->optimiser != TZ_AVERAGE; r++) {
                    double h = plain_scale(&plain[r], t->optimiser);
                    plain[r].w *= h / (h + t->rate * t->l2 * due);
                }
                due = since = 0;
            }
            for (size_t r = 0; r < ROWS; r++) {
                plain[r].sum += plain[r].w;
                assert_null(tz_gradient_of(gradient, r));
            }
            if (step % EPOCH == 0)
                tz_optimiser_finish(optimiser, result);
        }
        size_t moved = 0;
        for (size_t r = 0; r < ROWS; r++) {
            double expected = t->optimiser == TZ_AVERAGE ? plain[r].sum / STEPS : plain[r].w;
            moved += fabs(plain[r].w) > 0.01;
            assert_true(fabs(plain[r].w) < 32);
            assert_true(fabs((double)result[r] - expected) <= STEPS * 32 * 0x1p-25);
        }
        assert_true(moved >= ROWS / 2);
    }
}

/* ---- The optimum ----------------------------------------------------------------------------- */

/* The penalised loss of all sentences. */
static double loss_of(const tz_model *model, const tz_corpus *corpus, const tz_training *training) {
    enum { MOST = 32 };
    const tz_sentence *sentence[MOST];
    OWN(tz_gradient, gradient) = NULL;
    OWN(tz_objective, objective) = NULL;
    double loss = 0, squares = 0;
    assert_in_range(corpus->count, 1, MOST);
    for (size_t s = 0; s < corpus->count; s++)
        sentence[s] = &corpus->sentence[s];
    assert_ok(tz_objective_new(model, training, &objective, NULL));
    assert_ok(tz_gradient_new(model, 1, &gradient));
    assert_ok(tz_objective_batch(objective, sentence, corpus->count, gradient, &loss, NULL));
    for (size_t w = 0; w < tz_model_size(model); w++)
        squares += (double)model->weight[w] * (double)model->weight[w];
    return loss + training->l2 / 2 * squares;
}

/* A strictly convex loss has one optimum: L-BFGS, and long AdaGrad and Adam on all sentences at
 * once, come to it; and the perceptron does not. AdaGrad and Adam leave out amounts below 2^-10:
 * that puts them 2.3e-5 above it. */
TEST(optimum) {
    static const tz_task *const task[] = {&tz_tagger, &tz_parser};
    static const tz_training trainings[] = {
        {.objective = TZ_LIKELIHOOD, .optimiser = TZ_LBFGS, .l2 = 1, .epochs = 5},
        {.objective = TZ_LIKELIHOOD, .optimiser = TZ_ADAGRAD, .l2 = 1, .rate = 0.3, .epochs = 1000},
        {.objective = TZ_LIKELIHOOD, .optimiser = TZ_ADAM, .l2 = 1, .rate = 0.03, .epochs = 500},
        {.objective = TZ_PERCEPTRON, .optimiser = TZ_AVERAGE, .l2 = 1, .epochs = 10},
    };
    OWNED(tz_labels, tags) = {0};
    OWNED(tz_corpus, corpus) = {0};
    toy_corpus(1, 4, &tags, &corpus);
    for (size_t i = 0; i < 2; i++) {
        double loss[4];
        for (size_t t = 0; t < 4; t++) {
            tz_training training = trainings[t];
            training.threads = 1;
            training.batch = 10;
            OWN(tz_model, model) = NULL;
            tz_table_use use;
            tz_labels labels = {0};
            for (size_t a = 0; task[i]->labelled && a < tags.count; a++) {
                int32_t number;
                assert_ok(tz_labels_add(&labels, tags.name[a], &number));
            }
            assert_ok(tz_model_new(task[i], task[i]->variant->rules, 6, &labels, &model));
            assert_ok(tz_train(model, &corpus, NULL, &training, &use, NULL));
            training.objective = TZ_LIKELIHOOD;
            loss[t] = loss_of(model, &corpus, &training);
        }
        print_message("%s: %.9g; adagrad %.2g above it, adam %.2g, perceptron %.2g\n",
                      task[i]->name, loss[0], loss[1] - loss[0], loss[2] - loss[0],
                      loss[3] - loss[0]);
        assert_true(fabs(loss[1] - loss[0]) <= 1e-8 && fabs(loss[2] - loss[0]) <= 1e-8);
        assert_true(loss[3] > loss[0] + 1);
    }
}
