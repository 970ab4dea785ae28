/* test_gradient.c - is the gradient of the log-likelihood the derivative of it, and is it that of
 * probabilities? For every task, and every rule set that serves it.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/outline/outline.h"
#include "sentences/features/sentence/projective.h"
#include "sentences/train/objective.h"
#include "tests/support/random.h"

static const tz_task *const tasks[] = {&tz_tagger, &tz_fine_tagger, &tz_labeller, &tz_parser,
                                       &tz_compressor};
enum { TASKS = sizeof tasks / sizeof *tasks, BITS = 5, LABELS = 3, MOST = 6 };

/* A tree of one root word without arcs that cross: each word under one that is in it already. */
static void grow_tree(random_state *random, int32_t *head, int32_t n) {
    int32_t in[MOST], count = 1;
    in[0] = 1 + (int32_t)random_below(random, (uint64_t)n);
    memset(head, 0, ((size_t)n + 1) * sizeof *head);
    for (int32_t w = 1; w <= n; w++) {
        if (w != in[0]) {
            head[w] = in[random_below(random, (uint64_t)count)];
            in[count++] = w;
        }
    }
    tz_projectivise(head, n);
}

/* The tree of some of the words, at least one; as tz_sentence.compression. */
static void grow_compression(random_state *random, int32_t *head, int32_t n) {
    int32_t kept[MOST + 1] = {0}, of_kept[MOST + 1], count = 0;
    while (count == 0) {
        for (int32_t w = 1; w <= n; w++) {
            head[w] = -1;
            if (random_below(random, 3) > 0)
                kept[++count] = w;
        }
    }
    grow_tree(random, of_kept, count);
    for (int32_t k = 1; k <= count; k++)
        head[kept[k]] = kept[of_kept[k]];
}

/* n words of four forms, with random tags, labels, a random tree and compression. */
static tz_sentence make_sentence(random_state *random, struct tz_arena *arena, int32_t n) {
    static const char *const form[] = {"a", "Dog", "cats", "42"};
    static const char *const name[] = {"X", "Y", "Z"};
    static const int columns[] = {TZ_UPOS, TZ_XPOS, TZ_DEPREL};
    tz_sentence sentence;
    assert_ok(tz_sentence_new(arena, n, &sentence));
    grow_tree(random, sentence.head, n);
    for (int32_t w = 1; w <= n; w++) {
        assert_ok(tz_sentence_form(arena, &sentence, w, form[random_below(random, 4)]));
        int32_t *number[] = {&sentence.tag[w], &sentence.fine[w], &sentence.label[w]};
        for (size_t c = 0; c < 3; c++) {
            *number[c] = (int32_t)random_below(random, LABELS);
            tz_sentence_column(&sentence, w, columns[c], name[*number[c]]);
        }
    }
    tz_sentence_tagged(&sentence);
    sentence.compression = need(tz_arena_array(arena, (size_t)n + 1, sizeof *sentence.compression));
    grow_compression(random, sentence.compression, n);
    assert_ok(tz_outline_new(arena, NULL, &sentence));
    return sentence;
}

/* A model of random weights, multiples of 2^-12 in (-1, 1): so are its neighbours. */
static tz_model *make_model(random_state *random, const tz_task *task, const char *rules) {
    tz_model *model;
    tz_labels labels = {0};
    for (int32_t a = 0, number; task->labelled && a < LABELS; a++)
        assert_ok(tz_labels_add(&labels, (char[]){(char)('X' + a), 0}, &number));
    assert_ok(tz_model_new(task, rules, BITS, &labels, &model));
    for (size_t w = 0; w < tz_model_size(model); w++)
        model->weight[w] = (float)((double)random_below(random, 8191) - 4095) * 0x1p-12f;
    return model;
}

/* All amounts are followed, as for a line search. */
static tz_training everything(unsigned threads) {
    return (tz_training){
        .objective = TZ_LIKELIHOOD, .optimiser = TZ_LBFGS, .batch = 1, .threads = threads};
}

typedef struct setup {
    tz_model *model;
    tz_objective *objective;
    tz_gradient *gradient;
} setup;

static setup set_up(tz_model *model, unsigned threads) {
    setup s = {.model = model};
    tz_training training = everything(threads);
    assert_ok(tz_objective_new(model, &training, &s.objective, NULL));
    assert_ok(tz_gradient_new(model, threads, &s.gradient));
    return s;
}

static void tear_down(setup *s) {
    tz_objective_free(s->objective);
    tz_gradient_free(s->gradient);
}

static double loss_of(setup *s, const tz_sentence *const *sentence, size_t count) {
    double loss = 0;
    assert_ok(tz_objective_batch(s->objective, sentence, count, s->gradient, &loss, NULL));
    return loss;
}

/* The derivative by a weight. */
static double sum_of(const setup *s, size_t w) {
    const double *sum = tz_gradient_of(s->gradient, w / s->model->width);
    return sum ? sum[w % s->model->width] : 0;
}

static double moved(setup *s, const tz_sentence *const *sentence, size_t count, size_t w,
                    float by) {
    float weight = s->model->weight[w];
    s->model->weight[w] = weight + by;
    double loss = loss_of(s, sentence, count);
    s->model->weight[w] = weight;
    return loss;
}

/* The derivative by each weight against differences of the loss at distances h and 2h: errors of
 * order h^4 (Richardson), and of rounding / h. Tables of 2^5 rows make all features share rows.
 * Worst of 20 seeds: 1.2e-10. */
static const double TOLERANCE = 1e-9;

static void check_gradient(random_state *random, const tz_task *task, const char *rules,
                           double *worst) {
    enum { SENTENCES = 3 };
    struct tz_arena *arena = tz_arena_new();
    tz_sentence sentence[SENTENCES];
    const tz_sentence *batch[SENTENCES];
    tz_model *model = make_model(random, task, rules);
    setup s = set_up(model, 1);
    const float h = 0x1p-12f;
    size_t different = 0;
    for (size_t i = 0; i < SENTENCES; i++) {
        sentence[i] = make_sentence(random, arena, (int32_t[]){1, 4, MOST}[i]);
        batch[i] = &sentence[i];
    }
    loss_of(&s, batch, SENTENCES);
    assert_ok(tz_gradient_sum(s.gradient, SENTENCES));
    for (size_t w = 0; w < tz_model_size(model); w++) {
        double near = moved(&s, batch, SENTENCES, w, h) - moved(&s, batch, SENTENCES, w, -h);
        double far = moved(&s, batch, SENTENCES, w, 2 * h) - moved(&s, batch, SENTENCES, w, -2 * h);
        double slope = (8 * near - far) / (12 * (double)h), given = sum_of(&s, w);
        double error = fabs(slope - given) / fmax(1, fabs(given));
        *worst = fmax(*worst, error);
        assert_true(error <= TOLERANCE);
        different += fabs(given) > 0.01;
    }
    assert_true(different > tz_model_size(model) / 4); /* each has an effect */
    tear_down(&s);
    tz_model_free(model);
    tz_arena_free(arena);
}

TEST(gradient) {
    random_state random = random_start("gradient");
    for (size_t t = 0; t < TASKS; t++) {
        for (const tz_variant *v = tasks[t]->variant; v->rules; v++) {
            double worst = 0;
            for (int trial = 0; trial < 2; trial++)
                check_gradient(&random, tasks[t], v->rules, &worst);
            print_message("%s, %s: worst %.1e\n", tasks[t]->name, v->rules, worst);
        }
    }
}

/* The gradient of a batch is the sum of its sentences', and the same for any number of threads. */
TEST(threads) {
    random_state random = random_start("gradient threads");
    enum { SENTENCES = 7 };
    for (size_t t = 0; t < TASKS; t++) {
        for (const tz_variant *v = tasks[t]->variant; v->rules; v++) {
            struct tz_arena *arena = tz_arena_new();
            tz_sentence sentence[SENTENCES];
            const tz_sentence *batch[SENTENCES];
            OWN(tz_model, model) = make_model(&random, tasks[t], v->rules);
            setup one = set_up(model, 1), three = set_up(model, 3), each = set_up(model, 2);
            double losses = 0;
            for (size_t i = 0; i < SENTENCES; i++) {
                sentence[i] = make_sentence(&random, arena, 1 + (int32_t)random_below(&random, 6));
                batch[i] = &sentence[i];
                losses += loss_of(&each, &batch[i], 1);
                assert_ok(tz_gradient_sum(each.gradient, 1));
            }
            double loss = loss_of(&one, batch, SENTENCES);
            assert_true(loss == loss_of(&three, batch, SENTENCES) && loss == losses);
            assert_ok(tz_gradient_sum(one.gradient, SENTENCES));
            assert_ok(tz_gradient_sum(three.gradient, SENTENCES));
            for (size_t w = 0; w < tz_model_size(model); w++) {
                assert_true(sum_of(&one, w) == sum_of(&three, w));
                assert_true(sum_of(&one, w) == sum_of(&each, w));
            }
            tear_down(&one);
            tear_down(&three);
            tear_down(&each);
            tz_arena_free(arena);
        }
    }
}

/* Sets every word's answer; false after the last combination. */
static bool next_answer(int32_t *answer, int32_t n, int32_t low, int32_t high) {
    for (int32_t w = 1; w <= n; w++) {
        if (++answer[w] <= high)
            return true;
        answer[w] = low;
    }
    return false;
}

/* The probabilities, exp(-loss), of all answers that are derivable sum to 1; those that are not are
 * refused. n = 4; log Z and scores of about 10 are rounded: worst of 20 seeds 1.1e-14. */
TEST(probabilities) {
    random_state random = random_start("probabilities");
    for (size_t t = 0; t < TASKS; t++) {
        for (const tz_variant *v = tasks[t]->variant; v->rules; v++) {
            struct tz_arena *arena = tz_arena_new();
            OWN(tz_model, model) = make_model(&random, tasks[t], v->rules);
            setup s = set_up(model, 1);
            tz_sentence sentence = make_sentence(&random, arena, 4);
            const tz_sentence *batch = &sentence;
            const tz_corpus corpus = {.count = 1, .sentence = &sentence, .words = 4};
            int32_t *answer = (int32_t *)(uintptr_t)tasks[t]->gold(&sentence);
            int32_t low = tasks[t] == &tz_compressor ? -1 : 0;
            int32_t high = tasks[t]->labelled ? LABELS - 1 : 4;
            size_t derived = 0, all = 0;
            double sum = 0;
            for (int32_t w = 1; w <= 4; w++)
                answer[w] = low;
            do {
                tz_error error;
                tz_status status = tz_check_derivable(model, &corpus, 1, &error);
                assert_true(status == TZ_OK || status == TZ_IO);
                if (status == TZ_OK) {
                    sum += exp(-loss_of(&s, &batch, 1));
                    derived++;
                } else {
                    assert_non_null(strstr(error.message, v->rules));
                }
                all++;
            } while (next_answer(answer, 4, low, high));
            print_message("%s, %s: %zu of %zu answers; 1 - sum = %.1e\n", tasks[t]->name, v->rules,
                          derived, all, 1 - sum);
            assert_true(fabs(1 - sum) <= 5e-14);
            tear_down(&s);
            tz_arena_free(arena);
        }
    }
}

/* A right answer that its features make impossible has no gradient, and disturbs no other. */
TEST(impossible) {
    random_state random = random_start("impossible");
    const tz_sources inside_only = {.without = 1u << TZ_FAMILY_OUTSIDE};
    struct tz_arena *arena = tz_arena_new();
    OWN(tz_model, model) = make_model(&random, &tz_compressor, "compress-single-root");
    setup s = set_up(model, 1);
    tz_sentence possible = make_sentence(&random, arena, 4);
    memcpy(possible.head, (int32_t[]){0, 0, 1, 2, 1}, 5 * sizeof(int32_t));
    memcpy(possible.compression, (int32_t[]){0, 0, 1, -1, 1}, 5 * sizeof(int32_t));
    tz_sentence impossible = make_sentence(&random, arena, 4);
    memcpy(impossible.head, possible.head, 5 * sizeof(int32_t));
    memcpy(impossible.compression, (int32_t[]){0, 0, -1, 1, 1}, 5 * sizeof(int32_t));
    assert_ok(tz_outline_new(arena, &inside_only, &possible));
    assert_ok(tz_outline_new(arena, &inside_only, &impossible));
    const tz_sentence *batch[] = {&impossible, &possible, &impossible};
    double alone = loss_of(&s, batch + 1, 1);
    size_t terms = s.gradient->terms[0].terms;
    assert_true(alone > 0 && alone < INFINITY && terms > 0);
    assert_true(loss_of(&s, batch, 3) == alone);
    assert_int_equal(s.gradient->terms[0].terms, 0);
    assert_int_equal(s.gradient->terms[1].terms, terms);
    tear_down(&s);
    tz_arena_free(arena);
}
