/* test_score.c - is a cell's score the sum of its features' weights, is the way back its transpose,
 * and is the decoder's answer the best of all?
 *
 * Weights and amounts are whole numbers: sums are exact in any order.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sentences/features/outline/outline.h"
#include "sentences/features/sentence/projective.h"
#include "sentences/learn/decode.h"
#include "sentences/learn/score.h"
#include "tests/support/random.h"
#include "tests/support/read_corpus.h"

enum { BITS = 10 };

static const char text[] = "1\tShe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
                           "2\tsaw\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n"
                           "3\tthe\t_\tDET\tDT\t_\t5\tdet\t_\t_\n"
                           "4\told\t_\tADJ\tJJ\t_\t5\tamod\t_\t_\n"
                           "5\tdog\t_\tNOUN\tNN\t_\t2\tobj\t_\t_\n"
                           "6\ttoday\t_\tNOUN\tNN\t_\t2\tobl\t_\t_\n"
                           "7\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_\n"
                           "\n"
                           "1\tHe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
                           "2\tsings\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
                           "3\tand\t_\tCCONJ\tCC\t_\t4\tcc\t_\t_\n"
                           "4\tdances\t_\tVERB\tVBZ\t_\t2\tconj\t_\t_\n"
                           "\n"
                           "1\tYes\t_\tINTJ\tUH\t_\t0\troot\t_\t_\n";

static tz_corpus corpus;
static const tz_task *const tasks[] = {&tz_tagger, &tz_parser, &tz_labeller, &tz_compressor};
enum { TASKS = sizeof tasks / sizeof *tasks, LABELS = 3 };

static int set_up(void **state) {
    (void)state;
    tz_corpus_options options = {0};
    tz_status status = read_corpus(text, sizeof text - 1, &options, &corpus, NULL);
    for (size_t s = 0; s < corpus.count && status == TZ_OK; s++)
        status = tz_outline_new(corpus.arena, NULL, &corpus.sentence[s]);
    return status == TZ_OK && corpus.count == 3 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    tz_corpus_free(&corpus);
    return 0;
}

/* A model of random weights, -50..50. */
static tz_model *make(const tz_task *task, const tz_variant *variant, random_state *random) {
    tz_model *model;
    tz_labels labels = {0};
    int32_t number;
    for (int l = 0; task->labelled && l < LABELS; l++)
        assert_ok(tz_labels_add(&labels, (char[]){(char)('A' + l), 0}, &number));
    assert_ok(tz_model_new(task, variant->rules, BITS, &labels, &model));
    for (size_t w = 0; w < tz_model_size(model); w++)
        model->weight[w] = (float)((int)random_below(random, 101) - 50);
    return model;
}

/* ---- One cell at a time ---------------------------------------------------------------------- */

typedef struct sum {
    tz_features features;
    const tz_model *model;
    size_t label;
    double total;
} sum;

static void add(tz_features *features) {
    sum *s = (sum *)features;
    for (size_t f = 0; f < features->count; f++)
        s->total += (double)s->model->weight[tz_model_row(s->model, features->key[f]) + s->label];
}

/* The sum of the weights of a cell's features; label: 0 where there are none. */
static double score_cell(const tz_model *model, const tz_sentence *sentence, const tz_cell *cell,
                         size_t label) {
    sum s = {.features.flush = add, .model = model, .label = label};
    tz_cell_features(model, sentence, cell, &s.features);
    add(&s.features);
    return s.total;
}

/* The cell that stands at a place of a weight's array. */
static tz_cell cell_at(const tz_shape *shape, size_t weight, size_t place) {
    tz_cell cell = {.weight = weight};
    for (unsigned q = shape->rank; q-- > 0; place /= (size_t)shape->extent[q])
        cell.index[q] = shape->origin[q] + (int32_t)(place % (size_t)shape->extent[q]);
    return cell;
}

/* Checks all declared cells, gives their number, and adds up scores times amounts. */
static size_t check_cells(const tz_model *model, const tz_sentence *sentence,
                          const tz_scored *scored, double **amount, double *ret_product) {
    size_t checked = 0;
    *ret_product = 0;
    for (size_t w = 0; w < tz_rules_count(model->rules, TZ_WEIGHTS); w++) {
        const tz_shape *shape = &scored->shape[w];
        for (size_t c = 0; c < scored->cells[w]; c++) {
            tz_cell cell = cell_at(shape, w, c);
            if (!tz_rules_declared(model->rules, w, scored->lengths, cell.index)) {
                assert_true(amount[w][c] == 0);
                continue;
            }
            size_t label = model->task->labelled ? (size_t)cell.index[shape->rank - 1] : 0;
            assert_true(scored->data[w][c] == score_cell(model, sentence, &cell, label));
            *ret_product += scored->data[w][c] * amount[w][c];
            checked++;
        }
    }
    return checked;
}

/* ---- The way back ---------------------------------------------------------------------------- */

typedef struct product {
    const tz_model *model;
    double total;
} product;

static void multiply(void *user, const uint64_t *key, size_t count, const double *amount) {
    product *p = user;
    for (size_t f = 0; f < count; f++) {
        const float *row = p->model->weight + tz_model_row(p->model, key[f]);
        for (size_t a = 0; a < p->model->width; a++)
            p->total += (double)row[a] * amount[a];
    }
}

/* Random amounts, -2..2, for declared cells. */
static void draw_amounts(const tz_model *model, const tz_scored *scored, random_state *random,
                         double **ret_amount) {
    for (size_t w = 0; w < tz_rules_count(model->rules, TZ_WEIGHTS); w++) {
        ret_amount[w] = need(calloc(scored->cells[w] + 1, sizeof **ret_amount));
        for (size_t c = 0; c < scored->cells[w]; c++) {
            tz_cell cell = cell_at(&scored->shape[w], w, c);
            if (tz_rules_declared(model->rules, w, scored->lengths, cell.index))
                ret_amount[w][c] = (double)random_below(random, 5) - 2;
        }
    }
}

/* For every declared cell of every variant, the sum of the weights of its features; and for random
 * amounts, cells' scores times amounts are weights times the amounts of their features. */
TEST(scores) {
    random_state random = random_start("scores");
    for (size_t t = 0; t < TASKS; t++) {
        for (const tz_variant *v = tasks[t]->variant; v->rules; v++) {
            OWN(tz_model, model) = make(tasks[t], v, &random);
            OWNED(tz_scored, scored) = {0};
            for (size_t s = 0; s < corpus.count; s++) {
                const tz_sentence *sentence = &corpus.sentence[s];
                double *amount[TZ_TASK_WEIGHTS] = {NULL}, expected;
                const double *given[TZ_TASK_WEIGHTS];
                assert_ok(tz_score_sentence(model, model->weight, sentence, &scored));
                draw_amounts(model, &scored, &random, amount);
                assert_true(check_cells(model, sentence, &scored, amount, &expected) > 0);
                memcpy(given, amount, sizeof given);
                product p = {.model = model};
                tz_score_back(model, sentence, &scored, given, multiply, &p);
                assert_true(p.total == expected);
                for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++)
                    free(amount[w]);
            }
        }
    }
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Weights that bytes hold exactly, squares of -127..127 of which one is the greatest, score the
 * same when they are read from a file of bytes: whole numbers are added instead of floats. */
TEST(bytes) {
    random_state random = random_start("bytes");
    char path[] = "/tmp/trapeze-score-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t t = 0; t < TASKS; t++) {
        for (const tz_variant *v = tasks[t]->variant; v->rules; v++) {
            tz_model *model = make(tasks[t], v, &random), *loaded;
            for (size_t w = 0; w < tz_model_size(model); w++) {
                int step = w == 0 ? 127 : (int)random_below(&random, 255) - 127;
                model->weight[w] = (float)(step * abs(step));
            }
            assert_ok(tz_model_save(model, TZ_WEIGHTS_BYTES, path, NULL));
            assert_ok(tz_model_load(path, tasks[t], &loaded, NULL));
            assert_true(loaded->step && !model->step && !loaded->weight &&
                        loaded->most == 127 * 127);
            for (size_t s = 0; s < corpus.count; s++) {
                const tz_sentence *sentence = &corpus.sentence[s];
                OWNED(tz_scored, a) = {0}, b = {0};
                assert_ok(tz_score_sentence(model, model->weight, sentence, &a));
                assert_ok(tz_score_sentence(loaded, loaded->weight, sentence, &b));
                for (size_t w = 0; w < tz_rules_count(model->rules, TZ_WEIGHTS); w++) {
                    assert_int_equal(a.cells[w], b.cells[w]);
                    assert_memory_equal(a.data[w], b.data[w], a.cells[w] * sizeof(double));
                }
            }
            tz_model_free(model);
            tz_model_free(loaded);
        }
    }
    unlink(path);
}

/* ---- Best answers ---------------------------------------------------------------------------- */

/* Is head[1..n] a projective tree? */
static bool is_tree(const int32_t *head, int32_t n) {
    for (int32_t m = 1; m <= n; m++) {
        int32_t up = m;
        for (int steps = 0; up > 0; up = head[up])
            if (steps++ > n)
                return false; /* a cycle */
    }
    for (int32_t m = 1; m <= n; m++)
        if (!tz_arc_projective(head, m))
            return false;
    return true;
}

/* Is this an answer that the rules derive? Of the compressor: are the kept words a tree? */
static bool derivable(const tz_model *model, const tz_sentence *sentence, const int32_t *answer) {
    int32_t place[8] = {0}, head[8] = {0}, kept = 0, roots = 0;
    if (model->task->labelled)
        return true;
    for (int32_t m = 1; m <= sentence->words; m++) {
        place[m] = answer[m] >= 0 ? ++kept : 0;
        roots += answer[m] == 0;
    }
    for (int32_t m = 1; m <= sentence->words; m++) {
        if (answer[m] > 0 && place[answer[m]] == 0)
            return false; /* the head is dropped */
        if (answer[m] >= 0)
            head[place[m]] = place[answer[m]];
    }
    return is_tree(head, kept) &&
           (roots == 1 || strstr(model->variant->rules, "single-root") == NULL);
}

static double score_answer(const tz_model *model, const tz_sentence *sentence,
                           const int32_t *answer, const unsigned *rank) {
    tz_cell cell[16] = {0};
    size_t cells = model->variant->cells(sentence, answer, cell);
    double total = 0;
    for (size_t c = 0; c < cells; c++) {
        size_t last = (size_t)cell[c].index[rank[cell[c].weight] - 1];
        total += score_cell(model, sentence, &cell[c], model->task->labelled ? last : 0);
    }
    return total;
}

/* The best of all answers to a sentence of n words, each a number from least to choices - 1. */
static double best_of_all(const tz_model *model, const tz_sentence *sentence, int32_t least,
                          int32_t choices, const unsigned *rank, size_t *ret_answers) {
    int32_t answer[8] = {0};
    for (int32_t w = 1; w <= sentence->words; w++)
        answer[w] = least;
    double best = -1e300;
    *ret_answers = 0;
    for (;;) {
        if (derivable(model, sentence, answer)) {
            double score = score_answer(model, sentence, answer, rank);
            best = score > best ? score : best;
            ++*ret_answers;
        }
        int32_t w = 1;
        while (w <= sentence->words && ++answer[w] == choices)
            answer[w++] = least;
        if (w > sentence->words)
            return best;
    }
}

TEST(decoding) {
    random_state random = random_start("decoding");
    const tz_sentence *sentence = &corpus.sentence[1];
    const int32_t n = sentence->words;
    for (size_t t = 0; t < TASKS; t++) {
        for (const tz_variant *v = tasks[t]->variant; v->rules; v++) {
            bool single = strstr(v->rules, "single-root") != NULL;
            for (int round = 0; round < 20; round++) {
                OWN(tz_model, model) = make(tasks[t], v, &random);
                unsigned rank[TZ_TASK_WEIGHTS] = {0};
                for (size_t w = 0; w < tz_rules_count(model->rules, TZ_WEIGHTS); w++) {
                    tz_shape shape;
                    tz_rules_shape(model->rules, w, (int32_t[]){n, LABELS}, &shape);
                    rank[w] = shape.rank;
                }
                bool drops = tasks[t] == &tz_compressor;
                size_t answers, trees = drops ? (single ? 74 : 126) : single ? 30 : 55;
                size_t expected = tasks[t]->labelled ? 81 : trees;
                OWN(tz_decoder, decoder) = NULL;
                const int32_t *const *answer;
                double best = best_of_all(model, sentence, drops ? -1 : 0,
                                          tasks[t]->labelled ? LABELS : n + 1, rank, &answers);
                assert_int_equal(answers, expected);
                assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
                assert_ok(tz_decode(decoder, model->weight, &sentence, 1, &answer, NULL));
                assert_true(derivable(model, sentence, answer[0]));
                assert_true(score_answer(model, sentence, answer[0], rank) == best);
            }
        }
    }
}

/* Of word 2's modifiers 1, 5, 6, 7 and word 5's 3, 4: the one before, from the head outwards. */
TEST(siblings) {
    const int32_t *head = corpus.sentence[0].head, expected[] = {0, 2, 0, 4, 5, 2, 5, 6};
    for (int32_t m = 1; m <= corpus.sentence[0].words; m++)
        assert_int_equal(tz_earlier_sibling(head, m), expected[m]);
}

TESTS_BETWEEN(set_up, tear_down)
