/* test_compressor.c - does the compressor learn what can be learned, and is what is said of it
 * true?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/features/outline/grammar.h"
#include "sentences/features/sentence/kept.h"
#include "sentences/features/templates/features_compress.h"
#include "sentences/learn/compress_measure.h"
#include "sentences/learn/decode.h"
#include "sentences/learn/score.h"
#include "sentences/train/train.h"
#include "tests/support/oom.h"
#include "tests/support/read_corpus.h"
#include "tests/support/toy.h"

static char *text;
static size_t text_size;

static void make_text(int sentences, uint64_t seed) {
    text = toy_text(toy_pairs, seed, sentences, &text_size);
}

/* The pairs with their outlines. */
static tz_status read_text(const tz_sources *opt_sources, tz_corpus *ret_corpus) {
    tz_corpus_options options = {.need = 1u << TZ_MISC};
    tz_status status = read_corpus(text, text_size, &options, ret_corpus, NULL);
    for (size_t s = 0; s < ret_corpus->count && status == TZ_OK; s++)
        status = tz_outline_new(ret_corpus->arena, opt_sources, &ret_corpus->sentence[s]);
    return status;
}

static tz_status train(const char *rules, tz_corpus *corpus, unsigned epochs,
                       tz_model **ret_model) {
    tz_training training = {.seed = 3, .epochs = epochs, .batch = 4, .threads = 1, .margin = 1};
    tz_labels none = {0};
    tz_table_use use;
    tz_status status = tz_model_new(&tz_compressor, rules, 14, &none, ret_model);
    return status == TZ_OK ? tz_train(*ret_model, corpus, NULL, &training, &use, NULL) : status;
}

/* Every variant learns the toy language, free and at the right length; figures say so. */
TEST(learns) {
    for (const tz_variant *v = tz_compressor.variant; v->rules; v++) {
        OWNED(tz_corpus, other) = {0}, corpus = {0};
        OWN(tz_model, model) = NULL;
        tz_compress_figures f;
        make_text(60, 1);
        assert_ok(read_text(NULL, &corpus));
        free(text);
        make_text(20, 2);
        assert_ok(read_text(NULL, &other));
        free(text);
        assert_ok(train(v->rules, &corpus, 4, &model));
        assert_ok(tz_compress_measure(model, model->weight, &other, true, &f, NULL));
        assert_int_equal(f.free.sentences, 20);
        assert_int_equal(f.free.exact, 20);
        assert_true(f.free.f1 == 20 && f.free.both == f.free.kept && f.free.kept == f.free.gold);
        assert_int_equal(f.held.exact, 20);
        assert_true(f.free.words == (double)other.words);
        assert_int_equal(f.pairs, other.words);
        assert_in_range(f.bisected, 20, f.pairs); /* where the free one is the best, at least */
    }
}

/* The keep weight moves the number of kept words, and tuning finds what gives the best F1. */
TEST(tune) {
    OWNED(tz_corpus, corpus) = {0};
    OWN(tz_model, model) = NULL;
    OWN(tz_decoder, decoder) = NULL;
    make_text(40, 5);
    assert_ok(read_text(NULL, &corpus));
    free(text);
    assert_ok(train("compress-single-root", &corpus, 4, &model));
    float *keep = &model->weight[tz_model_row(model, tz_compress_keep())];
    float most = 0;
    for (size_t w = 0; w < tz_model_size(model); w++)
        most = fmaxf(most, fabsf(model->weight[w]));
    *keep -= 0.2f * most;
    double before, after, added;
    assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
    assert_ok(tz_decode_score(decoder, model->weight, &corpus, &before, NULL));
    assert_ok(tz_compress_tune(model, &corpus, TZ_TUNE_F1, &added, NULL));
    assert_ok(tz_decode_score(decoder, model->weight, &corpus, &after, NULL));
    assert_true(after >= before);
    assert_true(before == 1 ? added == 0 : added > 0);
    tz_compress_figures f;
    for (int sign = -1; sign <= 1; sign += 2) { /* nothing but the root, and everything */
        *keep = (float)sign * 1e6f;
        assert_ok(tz_compress_measure(model, model->weight, &corpus, false, &f, NULL));
        assert_true(f.free.kept == (sign < 0 ? (double)corpus.count : (double)corpus.words));
        assert_int_equal(f.pairs, 0);
    }
}

/* The amount is the best one of those that there are, by each aim; the references' own rate is met
 * more closely than by others. */
TEST(aims) {
    static const double share[] = {0, 0.01, 0.02, 0.04, 0.06, 0.09, 0.13, 0.18, 0.25};
    OWNED(tz_corpus, corpus) = {0};
    OWN(tz_model, model) = NULL;
    make_text(40, 6);
    assert_ok(read_text(NULL, &corpus));
    free(text);
    assert_ok(train("compress-single-root", &corpus, 1, &model));
    float *keep = &model->weight[tz_model_row(model, tz_compress_keep())];
    const double most = (double)tz_model_greatest(model);
    *keep -= 0.1f * (float)most;
    for (int aim = TZ_TUNE_F1; aim <= TZ_TUNE_RATE; aim++) {
        const float before = *keep;
        double added, best = -INFINITY, chosen = -INFINITY;
        tz_compress_figures f;
        assert_ok(tz_compress_tune(model, &corpus, (tz_tune)aim, &added, NULL));
        for (int t = -8; t <= 9; t++) { /* 9: the chosen one */
            double amount = t == 9 ? added : (t < 0 ? -1 : 1) * most * share[abs(t)];
            *keep = before + (float)amount;
            assert_ok(tz_compress_measure(model, model->weight, &corpus, false, &f, NULL));
            double good = aim == TZ_TUNE_F1      ? f.free.f1
                          : aim == TZ_TUNE_EXACT ? (double)f.free.exact
                                                 : -fabs(f.free.kept - f.free.gold);
            best = fmax(best, good);
            chosen = good;
        }
        assert_true(chosen == best);
        assert_true(best != 0 || aim != TZ_TUNE_F1);
        *keep = before;
    }
}

/* ---- Families -------------------------------------------------------------------------------- */

typedef struct gather {
    tz_features features;
    size_t count;
} gather;

static void count(tz_features *features) {
    ((gather *)features)->count += features->count;
}

static size_t features_of(const tz_model *model, const tz_sentence *sentence, const tz_cell *cell,
                          bool *ret_impossible) {
    gather g = {.features.flush = count};
    tz_cell_features(model, sentence, cell, &g.features);
    *ret_impossible = g.features.impossible;
    return g.count + g.features.count;
}

/* Each family is what some cell loses without it; without all of them the keep feature and those of
 * plain arcs are left. Arcs outside the input tree can be made impossible. */
TEST(families) {
    make_text(1, 9);
    tz_labels none = {0};
    OWN(tz_model, model) = NULL;
    assert_ok(tz_model_new(&tz_compressor, "compress-sibling-single-root", 12, &none, &model));
    const tz_cell cells[] = {{0, {2, 3, 1}}, {0, {3, 3, 2}}, {1, {1, 3}}, {1, {0, 1}}};
    enum { CELLS = sizeof cells / sizeof *cells };
    uint8_t bins[64];
    memset(bins, 1, sizeof bins);
    size_t with[CELLS];
    for (unsigned family = 0; family <= TZ_FAMILIES; family++) {
        OWNED(tz_corpus, corpus) = {0};
        tz_sources sources = {.without = family > 0 ? 1u << (family - 1) : 0};
        assert_ok(read_text(&sources, &corpus));
        tz_sentence *sentence = &corpus.sentence[0];
        assert_true(sentence->words >= 3);
        tz_outline outline = *sentence->outline; /* with tables */
        outline.grammar = outline.bigram = bins;
        sentence->outline = &outline;
        size_t lost = 0;
        for (size_t c = 0; c < CELLS; c++) {
            bool impossible;
            size_t features = features_of(model, sentence, &cells[c], &impossible);
            with[c] = family == 0 ? features : with[c];
            bool outside =
                family - 1 == TZ_FAMILY_OUTSIDE && cells[c].weight == 0 &&
                tz_relation_of(&outline, cells[c].index[0], cells[c].index[2]) != TZ_HEAD_OF;
            assert_true(impossible == outside);
            assert_true(features <= with[c]);
            lost += with[c] - features;
        }
        assert_true((family == 0) == (lost == 0));
        assert_true(family == 0 || tz_family_name(family - 1) != NULL);
    }
    assert_null(tz_family_name(TZ_FAMILIES));
    free(text);
}

/* Impossible arcs: every kept word's head is its head in the sentence, and kept. */
TEST(inside) {
    make_text(30, 4);
    OWNED(tz_corpus, corpus) = {0};
    OWN(tz_model, model) = NULL;
    OWN(tz_decoder, decoder) = NULL;
    tz_sources sources = {.without = 1u << TZ_FAMILY_OUTSIDE};
    assert_ok(read_text(&sources, &corpus));
    free(text);
    assert_ok(train("compress-single-root", &corpus, 1, &model));
    assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
    for (size_t s = 0; s < corpus.count; s++) {
        const tz_sentence *sentence = &corpus.sentence[s];
        const int32_t *const *answer;
        int32_t roots = 0;
        assert_ok(tz_decode(decoder, model->weight, &sentence, 1, &answer, NULL));
        for (int32_t m = 1; m <= sentence->words; m++) {
            int32_t h = answer[0][m];
            roots += h == 0;
            assert_true(h <= 0 || (h == sentence->head[m] && answer[0][h] >= 0));
        }
        assert_int_equal(roots, 1);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    const tz_corpus *corpus = user;
    tz_labels none = {0};
    OWN(tz_model, model) = NULL;
    double added;
    tz_status status = tz_model_new(&tz_compressor, "compress-single-root", 8, &none, &model);
    status = status == TZ_OK ? tz_compress_tune(model, corpus, TZ_TUNE_F1, &added, NULL) : status;
    return (int)status;
}

TEST(memory) {
    make_text(1, 6);
    OWNED(tz_corpus, corpus) = {0};
    assert_ok(read_text(NULL, &corpus));
    free(text);
    assert_true(oom_sweep("tune", attempt, &corpus, TZ_NO_MEMORY, true) > 10);
}
