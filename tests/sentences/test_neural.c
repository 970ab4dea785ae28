/* test_neural.c - are the neural scores those that PyTorch found, and the trees and labels; and are
 * damaged sections refused?
 *
 * python/neural/example.py wrote small.neural and parser.neural, with random weights, and the
 * scores and best trees with their labels of the sentences by an independent implementation.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/whole.h"
#include "sentences/features/tables/little.h"
#include "sentences/learn/reparse.h"
#include "sentences/neural/neural.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/read_corpus.h"

#define FOLDER TZ_SOURCE_ROOT "/tests/sentences/neural"

/* Both compute in single precision, in another order: measured, the greatest difference of scores
 * up to 12 is 2.4e-6. */
static const double TOLERANCE = 1e-5;

static unsigned char *section(size_t *ret_size) {
    void *bytes;
    assert_ok(tz_whole_read(FOLDER "/small.neural", &bytes, ret_size, NULL));
    return bytes;
}

static tz_neural *small(void) {
    size_t size;
    tz_neural *neural;
    FREED(unsigned char, bytes) = section(&size);
    assert_ok(tz_neural_read("small", bytes, size, &neural, NULL));
    return neural;
}

/* The sentences, with outlines. */
static tz_corpus sentences(tz_arena *arena) {
    tz_corpus corpus = corpus_of(FOLDER "/sentences.conllu", false);
    for (size_t s = 0; s < corpus.count; s++)
        assert_ok(tz_outline_new(arena, NULL, &corpus.sentence[s]));
    return corpus;
}

static double next_number(FILE *file) {
    double number;
    assert_int_equal(fscanf(file, "%lf", &number), 1);
    return number;
}

TEST(scores) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_neural, neural) = small();
    OWNED(tz_corpus, corpus) = sentences(arena);
    OWNED(tz_neural_scores, scores) = {0};
    OWN(FILE, file) = fopen(FOLDER "/scores.txt", "r");
    double greatest = 0;
    assert_non_null(file);
    for (size_t s = 0; s < corpus.count; s++) {
        size_t n = (size_t)corpus.sentence[s].words;
        assert_ok(tz_neural_score(neural, &corpus.sentence[s], &scores));
        for (size_t h = 0; h <= n; h++)
            for (size_t m = 0; m <= n; m++) {
                double right = next_number(file);
                if (m > 0 && h != m)
                    greatest = fmax(greatest, fabs(right - (double)scores.arc[h * (n + 1) + m]));
            }
        for (size_t i = 0; i <= n; i++)
            for (size_t j = 0; j <= n + 1; j++) {
                double right = next_number(file);
                if (i < j)
                    greatest = fmax(greatest, fabs(right - (double)scores.bigram[i * (n + 2) + j]));
            }
    }
    if (greatest > TOLERANCE)
        fail_msg("scores differ by %g", greatest);
}

static char *names[] = {"amod", "root", "other", "dep", "det"};
static const tz_labels labels = {names, 5, 5};

static tz_reparser *parser(unsigned threads) {
    OWNED(tz_pack, pack) = {0};
    tz_reparser *reparser;
    assert_ok(tz_pack_load(FOLDER "/parser.neural", &pack, NULL));
    assert_ok(tz_reparser_new(&pack, &labels, threads, &reparser, NULL));
    return reparser;
}

TEST(trees) {
    enum { MOST = 8, WORDS = 16 };
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_corpus, corpus) = sentences(arena);
    assert_true(corpus.count <= MOST);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        OWN(FILE, file) = fopen(FOLDER "/heads.txt", "r");
        OWN(tz_reparser, reparser) = parser(threads);
        int32_t room[MOST][WORDS], *head[MOST];
        const tz_sentence *sentence[MOST];
        assert_non_null(file);
        for (size_t s = 0; s < corpus.count; s++) {
            head[s] = room[s];
            sentence[s] = &corpus.sentence[s];
            assert_true(sentence[s]->words < WORDS);
        }
        assert_ok(tz_reparse(reparser, sentence, corpus.count, head, NULL));
        for (size_t s = 0; s < corpus.count; s++) {
            for (int32_t m = 1; m <= sentence[s]->words; m++)
                assert_int_equal(head[s][m], (int32_t)next_number(file));
            for (int32_t m = 1; m <= sentence[s]->words; m++) {
                char name[8];
                assert_int_equal(fscanf(file, "%7s", name), 1);
                assert_string_equal(names[tz_reparsed_labels(reparser, s)[m]], name);
            }
        }
    }
}

/* A pack without, one that calls the scores of a compressor a parser's, or the other way, and a
 * labeller that does not know all labels. */
TEST(kinds) {
    tz_pack pack;
    tz_reparser *reparser;
    tz_neural *neural;
    tz_error error;
    assert_ok(tz_pack_load(FOLDER "/small.neural", &pack, NULL));
    assert_int_equal(tz_reparser_new(&pack, &labels, 1, &reparser, &error), TZ_NONE);
    assert_null(reparser);
    strcpy(pack.section[0].name, tz_neural_parser_name);
    assert_int_equal(tz_reparser_new(&pack, &labels, 1, &reparser, &error), TZ_IO);
    assert_non_null(strstr(error.message, "holds what is neural;"));
    tz_pack_free(&pack);
    assert_ok(tz_pack_load(FOLDER "/parser.neural", &pack, NULL));
    const tz_labels few = {names, 4, 4};
    assert_int_equal(tz_reparser_new(&pack, &few, 1, &reparser, &error), TZ_IO);
    assert_non_null(strstr(error.message, "labels that the labeller does not know"));
    strcpy(pack.section[0].name, tz_neural_name);
    assert_int_equal(tz_pack_neural(&pack, tz_neural_name, &neural, &error), TZ_IO);
    assert_non_null(strstr(error.message, "holds what is neural-parser;"));
    tz_pack_free(&pack);
}

/* Layers of any widths against the plain sum. Both add in the same order: the same bits. */
TEST(layer) {
    random_state random = random_start("neural");
    float x[9 * 11], y[9 * 24], weight[24 * 11], bias[24];
    for (size_t in = 1; in <= 11; in++)
        for (size_t out = 1; out <= 17; out += 4)
            for (size_t rows = 1; rows <= 9; rows += 2) {
                tz_layer layer = {in, out, weight, bias};
                for (size_t k = 0; k < rows * in; k++)
                    x[k] = (float)random_unit(&random) - 0.5F;
                for (size_t k = 0; k < tz_lanes(out) * in; k++)
                    weight[k] = (float)random_unit(&random) - 0.5F;
                for (size_t o = 0; o < tz_lanes(out); o++)
                    bias[o] = (float)random_unit(&random);
                tz_layer_apply(&layer, x, rows, y);
                for (size_t r = 0; r < rows; r++)
                    for (size_t o = 0; o < out; o++) {
                        const float *w = weight + o / TZ_LANES * TZ_LANES * in + o % TZ_LANES;
                        float sum = bias[o];
                        for (size_t k = 0; k < in; k++)
                            sum += x[r * in + k] * w[k * TZ_LANES];
                        assert_true(y[r * tz_lanes(out) + o] == sum);
                    }
            }
}

static void seal(unsigned char *bytes, size_t size) {
    tz_put32(bytes + size - 4, (uint32_t)crc32_z(0, bytes, size - 4));
}

/* A number of the file changed, the checksum made right again. */
static void check_refused(size_t at, uint32_t value, const char *message) {
    size_t size;
    tz_neural *neural;
    tz_error error;
    FREED(unsigned char, bytes) = section(&size);
    tz_put32(bytes + at, value);
    seal(bytes, size);
    assert_int_equal(tz_neural_read("small", bytes, size, &neural, &error), TZ_IO);
    assert_null(neural);
    assert_non_null(strstr(error.message, message));
}

TEST(damaged) {
    enum { SIZES = 12, MIX = SIZES + 4 * 17, HASHES = MIX + 4 * 4 };
    size_t size;
    tz_neural *neural;
    unsigned char *bytes = section(&size);
    for (size_t cut = 0; cut < size; cut++) {
        FREED(unsigned char, part) = need(malloc(cut + 1));
        memcpy(part, bytes, cut);
        if (cut >= 4)
            seal(part, cut);
        assert_int_equal(tz_neural_read("small", part, cut, &neural, NULL), TZ_IO);
    }
    bytes[size / 2] ^= 1;
    assert_int_equal(tz_neural_read("small", bytes, size, &neural, NULL), TZ_IO);
    free(bytes);
    check_refused(8, 2, "format 2");
    check_refused(SIZES, 1 << 30, "sizes make no sense");
    check_refused(SIZES + 4 * 4, 6, "too long");                  /* wider vectors */
    check_refused(SIZES + 4 * 10, 12, "make no sense");           /* no whole number of vectors */
    check_refused(SIZES + 4 * 15, 12, "make no sense");           /* likewise */
    check_refused(MIX, 0x7fc00000, "make no sense");              /* NaN */
    check_refused(HASHES, UINT32_MAX, "weights make no sense");   /* not ascending */
    check_refused(size - 8, 0x7f800000, "weights make no sense"); /* infinity */
}

static int read_and_score(void *user) {
    tz_corpus *corpus = user;
    size_t size;
    void *bytes;
    OWN(tz_neural, neural) = NULL;
    OWNED(tz_neural_scores, scores) = {0};
    tz_status status = tz_whole_read(FOLDER "/small.neural", &bytes, &size, NULL);
    if (status == TZ_OK) {
        status = tz_neural_read("small", bytes, size, &neural, NULL);
        free(bytes);
    }
    if (status == TZ_OK)
        status = tz_neural_score(neural, &corpus->sentence[0], &scores);
    return (int)status;
}

static int read_and_parse(void *user) {
    tz_corpus *corpus = user;
    const tz_sentence *sentence = &corpus->sentence[0];
    OWN(tz_reparser, reparser) = NULL;
    OWNED(tz_pack, pack) = {0};
    int32_t room[16], *head = room;
    tz_status status = tz_pack_load(FOLDER "/parser.neural", &pack, NULL);
    if (status == TZ_OK)
        status = tz_reparser_new(&pack, &labels, 1, &reparser, NULL);
    if (status == TZ_OK)
        status = tz_reparse(reparser, &sentence, 1, &head, NULL);
    return (int)status;
}

TEST(memory) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_corpus, corpus) = sentences(arena);
    oom_sweep("neural", read_and_score, &corpus, TZ_NO_MEMORY, false);
    oom_sweep("parser", read_and_parse, &corpus, TZ_NO_MEMORY, false);
}
