/* test_model.c - are models read as they were written, and what is no model refused?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "sentences/learn/model.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

static char path[] = "/tmp/trapeze-model-XXXXXX";
static tz_error error;

static tz_model *make(const tz_task *task, unsigned bits) {
    tz_labels labels = {0};
    int32_t number;
    if (task->labelled) {
        assert_ok(tz_labels_add(&labels, "NOUN", &number));
        assert_ok(tz_labels_add(&labels, "ADJ", &number));
        assert_ok(tz_labels_add(&labels, "été", &number));
    }
    tz_model *model;
    assert_ok(tz_model_new(task, task->variant[0].rules, bits, &labels, &model));
    random_state random = random_start("model");
    for (size_t w = 0; w < tz_model_size(model); w++)
        model->weight[w] = random_below(&random, 3) ? 0 : (float)random_between(&random, -9, 9);
    return model;
}

/* A byte keeps sqrt(|w| / g) to half a step of 1/127; the square is off by at most twice that root
 * and half a step of it, and rounding in `float` by far less. */
static void assert_close(const tz_model *model, const tz_model *other) {
    float most = 0;
    for (size_t w = 0; w < tz_model_size(model); w++)
        most = fmaxf(most, fabsf(model->weight[w]));
    for (size_t w = 0; w < tz_model_size(model); w++) {
        double a = (double)model->weight[w], b = (double)tz_model_weight(other, w),
               g = (double)most;
        double root = sqrt(fabs(a) / g), half = 0.5001 / 127;
        assert_true(fabs(a - b) <= g * (2 * root * half + half * half));
        assert_true(a != 0 || b == 0);
    }
}

TEST(round_trip) {
    const tz_task *const tasks[] = {&tz_tagger, &tz_parser};
    for (size_t t = 0; t < 2; t++) {
        for (int encoding = 0; encoding < 2; encoding++) {
            tz_model *model = make(tasks[t], 9), *loaded;
            assert_ok(tz_model_save(model, (tz_encoding)encoding, path, &error));
            assert_ok(tz_model_load(path, tasks[t], &loaded, &error));
            assert_ptr_equal(loaded->task, tasks[t]);
            assert_ptr_equal(loaded->rules, model->rules);
            assert_int_equal(loaded->bits, 9);
            assert_int_equal(loaded->width, model->width);
            assert_int_equal(loaded->labels.count, model->labels.count);
            for (size_t l = 0; l < model->labels.count; l++)
                assert_string_equal(loaded->labels.name[l], model->labels.name[l]);
            if (encoding == TZ_WEIGHTS_FLOAT) {
                assert_memory_equal(loaded->weight, model->weight,
                                    tz_model_size(model) * sizeof *model->weight);
            } else {
                assert_null(loaded->weight); /* the bytes are all there is in memory */
                assert_close(model, loaded);
            }
            tz_model_free(loaded);
            assert_int_equal(tz_model_load(path, tasks[1 - t], &loaded, &error), TZ_IO);
            assert_non_null(strstr(error.message, t == 0 ? "is a tagger, not a parser"
                                                         : "is a parser, not a tagger"));
            assert_null(loaded);
            tz_model_free(model);
        }
    }
}

/* A model of zeros has no greatest weight to divide by. */
TEST(zeros) {
    tz_model *model = make(&tz_parser, 3), *loaded;
    memset(model->weight, 0, tz_model_size(model) * sizeof *model->weight);
    assert_ok(tz_model_save(model, TZ_WEIGHTS_BYTES, path, &error));
    assert_ok(tz_model_load(path, NULL, &loaded, &error));
    for (size_t w = 0; w < 8; w++)
        assert_true(tz_model_weight(loaded, w) == 0);
    tz_model_free(loaded);
    tz_model_free(model);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

enum { ROOM = 1 << 14, TEMPLATES = 32, PACKED = 40, HEAD = 48 };

static void put(unsigned char *to, uint64_t value, int size) {
    for (int b = 0; b < size; b++)
        to[b] = (unsigned char)(value >> 8 * b);
}

/* Refused, with the file's name. `sealed`: after its checksum was made to fit. */
static void refuse(unsigned char *bytes, size_t size, bool sealed, const char *what) {
    tz_model *model = (tz_model *)path;
    if (sealed)
        put(bytes + size - 4, crc32(0, bytes, (uInt)(size - 4)), 4);
    error.message[0] = '\0';
    assert_int_equal(tz_model_read(path, bytes, size, &tz_tagger, &model, &error), TZ_IO);
    assert_null(model);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    if (!strstr(error.message, what))
        fail_msg("'%s' lacks '%s'", error.message, what);
}

static size_t good_bytes(unsigned char *bytes) {
    OWN(tz_model, model) = make(&tz_tagger, 4);
    assert_ok(tz_model_save(model, TZ_WEIGHTS_BYTES, path, &error));
    FILE *file = need(fopen(path, "rb"));
    size_t size = fread(bytes, 1, ROOM, file);
    fclose(file);
    assert_in_range(size, HEAD + 20, ROOM - 1);
    return size;
}

TEST(pruning) {
    OWN(tz_model, model) = make(&tz_tagger, 8), *pruned = make(&tz_tagger, 8);
    double least = 0.5 * (double)tz_model_greatest(model);
    size_t kept = 0, gone = 0;
    tz_model_prune(pruned, 0.5);
    for (size_t w = 0; w < tz_model_size(model); w++) {
        bool small = fabs((double)model->weight[w]) < least;
        assert_true(pruned->weight[w] == (small ? 0 : model->weight[w]));
        gone += small && model->weight[w] != 0;
        kept += !small;
    }
    assert_true(kept > 0 && gone > 0);
    tz_model_prune(pruned, 0);
    assert_true(tz_model_greatest(pruned) == tz_model_greatest(model));
}

TEST(damaged) {
    static unsigned char good[ROOM], bytes[ROOM];
    size_t size = good_bytes(good);
    for (size_t cut = 0; cut < size; cut++) {
        memcpy(bytes, good, size);
        refuse(bytes, cut, false, "model");
    }
    memcpy(bytes, good, size);
    bytes[size] = 0;
    refuse(bytes, size + 1, false, "damaged");
    for (size_t at = 0; at < size; at++) {
        memcpy(bytes, good, size);
        bytes[at] ^= (unsigned char)(1 << at % 8);
        refuse(bytes, size, false, "model");
    }
}

/* Files whose checksum is right, made to harm: sizes that do not fit, names that do not end,
 * weights that are no numbers. */
TEST(forged) {
    static unsigned char good[ROOM], bytes[ROOM];
    size_t size = good_bytes(good);
    static const struct {
        int at, bytes;
        uint64_t value;
        const char *what;
    } forged[] = {
        {8, 4, 2, "format 2"},
        {12, 4, 2, "damaged"}, /* encoding */
        {12, 4, 0, "damaged"}, /* four bytes each */
        {16, 4, 0, "damaged"}, /* bits */
        {16, 4, 27, "damaged"},
        {16, 4, 26, "weights; models up to 67108864 are read"},
        {16, 4, 20, "too short for its table"},
        {16, 4, 5, "damaged"},
        {20, 4, 0, "damaged"}, /* labels */
        {20, 4, 2, "damaged"},
        {20, 4, 4, "damaged"},
        {20, 4, UINT32_MAX, "damaged"},
        {24, 4, UINT32_MAX, "damaged"}, /* names */
        {24, 4, 1, "damaged"},
        {28, 4, 0x7fc00000, "damaged"}, /* NaN */
        {28, 4, 0x7f800000, "damaged"},
        {28, 4, 0xbf800000, "damaged"},
        {TEMPLATES, 8, 1, "other feature templates"},
        {PACKED, 8, UINT64_MAX, "damaged"},
        {PACKED, 8, UINT64_MAX - 60, "damaged"},
        {PACKED, 8, 0, "damaged"},
        {HEAD, 1, 'T', "does not know"},                       /* task */
        {HEAD + 7, 1, 'x', "does not know"},                   /* rule set */
        {HEAD + 13, 4, 'A' | 'D' << 8 | 'J' << 16, "damaged"}, /* a label twice */
    };
    for (size_t f = 0; f < sizeof forged / sizeof *forged; f++) {
        memcpy(bytes, good, size);
        put(bytes + forged[f].at, forged[f].value, forged[f].bytes);
        refuse(bytes, size, true, forged[f].what);
    }
    /* Any one byte, then any two; whatever it is, it is refused or it is a model. */
    random_state random = random_start("forged");
    size_t accepted = 0;
    for (int round = 0; round < 20000; round++) {
        memcpy(bytes, good, size);
        bytes[random_below(&random, size - 4)] = (unsigned char)random_bits(&random);
        if (round % 2)
            bytes[random_below(&random, size - 4)] = (unsigned char)random_bits(&random);
        put(bytes + size - 4, crc32(0, bytes, (uInt)(size - 4)), 4);
        OWN(tz_model, model) = NULL;
        tz_status status = tz_model_read(path, bytes, size, NULL, &model, &error);
        assert_true(status == TZ_OK || status == TZ_IO);
        for (size_t w = 0; model && w < tz_model_size(model); w++)
            assert_true(isfinite(tz_model_weight(model, w)));
        accepted += status == TZ_OK;
    }
    assert_true(accepted > 0 && accepted < 20000);
}

TEST(files) {
    OWN(tz_model, model) = NULL;
    /* What is in no folder, on any machine. */
    assert_int_equal(tz_model_load("/dev/null/model", NULL, &model, &error), TZ_IO);
    assert_non_null(strstr(error.message, "/dev/null/model: "));
    assert_int_equal(tz_model_load("/dev", NULL, &model, &error), TZ_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
    model = make(&tz_parser, 2);
    assert_int_equal(tz_model_save(model, TZ_WEIGHTS_BYTES, "/dev/null/model", &error), TZ_IO);
    assert_non_null(strstr(error.message, "cannot write"));
}

static int load(void *user) {
    (void)user;
    OWN(tz_model, model) = NULL;
    return tz_model_load(path, &tz_tagger, &model, NULL);
}

static int save(void *user) {
    return (int)tz_model_save(user, TZ_WEIGHTS_FLOAT, path, NULL);
}

TEST(memory) {
    OWN(tz_model, model) = make(&tz_tagger, 5);
    assert_true(oom_sweep("save", save, model, TZ_NO_MEMORY, false) > 3);
    assert_true(oom_sweep("load", load, NULL, TZ_NO_MEMORY, false) > 6);
}

TEST(sizes) {
    tz_labels none = {0};
    tz_model *model;
    assert_int_equal(tz_model_new(&tz_parser, "eisner", 0, &none, &model), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_model_new(&tz_parser, "eisner", 29, &none, &model), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_model_new(&tz_parser, "chain", 4, &none, &model), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_model_new(&tz_tagger, "chain", 4, &none, &model), TZ_BAD_ARGUMENT);
    assert_null(model);
}

static int set_up(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

TESTS_BETWEEN(set_up, tear_down)
