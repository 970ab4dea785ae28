/* test_pack.c - are packs of models read as they were written, and what is no pack refused?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/whole.h"
#include "sentences/learn/pack.h"
#include "tests/support/folder.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

static const char tagger[] = "tagger", parser[] = "parser", both[] = "both";
static tz_error error;

static void make(const tz_task *task, const char *path) {
    tz_labels labels = {0};
    int32_t number;
    if (task->labelled)
        assert_ok(tz_labels_add(&labels, "NOUN", &number));
    OWN(tz_model, model) = NULL;
    assert_ok(tz_model_new(task, task->variant[0].rules, 4, &labels, &model));
    model->weight[3] = -1;
    assert_ok(tz_model_save(model, TZ_WEIGHTS_BYTES, path, &error));
}

static void make_both(void) {
    tz_pack part[2];
    assert_ok(tz_pack_load(tagger, &part[0], &error));
    assert_ok(tz_pack_load(parser, &part[1], &error));
    assert_ok(tz_pack_save(part, 2, both, &error));
    tz_pack_free(&part[0]);
    tz_pack_free(&part[1]);
}

static int set_up(void **state) {
    if (folder_setup(state) != 0)
        return -1;
    make(&tz_tagger, tagger);
    make(&tz_parser, parser);
    make_both();
    return 0;
}

TEST(round_trip) {
    tz_pack pack;
    assert_ok(tz_pack_load(both, &pack, &error));
    assert_int_equal(pack.count, 2);
    static const tz_task *const tasks[] = {&tz_tagger, &tz_parser};
    for (int t = 0; t < 2; t++) {
        void *bytes;
        size_t size;
        OWN(tz_model, model) = NULL;
        const tz_section *section = tz_pack_find(&pack, tasks[t]->name);
        assert_non_null(section);
        assert_ok(tz_whole_read(t == 0 ? tagger : parser, &bytes, &size, &error));
        assert_int_equal(section->size, size);
        assert_memory_equal(section->bytes, bytes, size);
        free(bytes);
        assert_ok(tz_pack_model(&pack, tasks[t], &model, &error));
        assert_ptr_equal(model->task, tasks[t]);
        assert_true(tz_model_weight(model, 3) == -1);
    }
    assert_null(tz_pack_find(&pack, "tagge"));
    tz_pack_free(&pack);
    tz_pack_free(&pack);
}

/* The file of one model is a pack of it. */
TEST(model_file) {
    OWNED(tz_pack, pack) = {0};
    OWN(tz_model, model) = NULL;
    assert_ok(tz_pack_load(parser, &pack, &error));
    assert_int_equal(pack.count, 1);
    assert_int_equal(tz_pack_model(&pack, &tz_tagger, &model, &error), TZ_NONE);
    assert_null(model);
    assert_ok(tz_pack_model(&pack, &tz_parser, &model, &error));
}

TEST(refused) {
    tz_pack pack, twice[2];
    assert_int_equal(tz_pack_load("/dev/null/pack", &pack, &error), TZ_IO);
    assert_non_null(strstr(error.message, "/dev/null/pack: "));
    assert_null(pack.bytes);
    assert_int_equal(tz_pack_load(__FILE__, &pack, &error), TZ_IO);
    assert_ok(tz_pack_load(both, &twice[0], &error));
    assert_ok(tz_pack_load(parser, &twice[1], &error));
    assert_int_equal(tz_pack_save(twice, 2, both, &error), TZ_IO);
    assert_non_null(strstr(error.message, "parser: a second parser"));
    assert_int_equal(tz_pack_save(twice, 1, "/dev/null/pack", &error), TZ_IO);
    tz_pack_free(&twice[0]);
    tz_pack_free(&twice[1]);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

static unsigned char *good;
static size_t good_size;

static void put(unsigned char *to, uint64_t value, int size) {
    for (int b = 0; b < size; b++)
        to[b] = (unsigned char)(value >> 8 * b);
}

/* Whatever it is, it is refused with the file's name or it is a pack. Takes `bytes`. */
static bool accepts(unsigned char *bytes, size_t size) {
    OWNED(tz_pack, pack) = {0};
    error.message[0] = '\0';
    tz_status status = tz_pack_read("some.pack", bytes, size, &pack, &error);
    if (status != TZ_OK) {
        assert_int_equal(status, TZ_IO);
        assert_int_equal(strncmp(error.message, "some.pack: ", 11), 0);
        assert_null(pack.bytes);
        free(bytes);
        return false;
    }
    for (size_t s = 0; s < pack.count; s++) {
        const unsigned char *from = pack.section[s].bytes;
        assert_true(from >= bytes && pack.section[s].size <= size - (size_t)(from - bytes));
    }
    OWN(tz_model, model) = NULL;
    status = tz_pack_model(&pack, &tz_tagger, &model, &error);
    assert_true(status == TZ_OK || status == TZ_IO || status == TZ_NONE);
    return true;
}

/* The first model of two begins here; its size, as a power of two, is there. */
enum { TABLE = 16 + 2 * 32, WEIGHTS = TABLE + 16 };

static unsigned char *copy(size_t size) {
    unsigned char *bytes = need(calloc(1, size + 1));
    memcpy(bytes, good, size < good_size ? size : good_size);
    return bytes;
}

static unsigned char *seal(unsigned char *bytes) {
    put(bytes + good_size - 4, crc32(0, bytes, (uInt)(good_size - 4)), 4);
    return bytes;
}

TEST(damaged) {
    for (size_t size = 0; size < good_size; size++)
        assert_false(accepts(copy(size), size));
    assert_false(accepts(copy(good_size + 1), good_size + 1));
    for (size_t at = 0; at < good_size; at++) {
        unsigned char *bytes = copy(good_size);
        bytes[at] ^= (unsigned char)(1 << at % 8);
        assert_false(accepts(bytes, good_size));
    }
    assert_true(accepts(copy(good_size), good_size));
}

/* Models of few bytes that take much memory: how much, is limited. */
TEST(weights) {
    FREED(unsigned char, bytes) = copy(good_size);
    tz_pack pack;
    assert_memory_equal(bytes + TABLE, "TZMODEL", 7);
    put(bytes + WEIGHTS, 26, 4);
    put(bytes + WEIGHTS + 4, 4, 4); /* labels */
    assert_int_equal(tz_pack_read("some.pack", seal(bytes), good_size, &pack, &error), TZ_IO);
    assert_non_null(strstr(error.message, "weights; packs up to 134217728 are read"));
}

/* With a checksum that fits: sizes beyond the file, names that are none or alike. */
TEST(forged) {
    static const struct {
        int at, bytes;
        uint64_t value;
    } forged[] = {
        {8, 4, 2},
        {12, 4, 0},
        {12, 4, 1},
        {12, 4, 3},
        {12, 4, UINT32_MAX},
        {16, 1, 0},
        {16, 1, ' '},
        {17, 1, 0},
        {16 + 23, 1, 'x'},
        {40, 8, 1},
        {40, 8, UINT64_MAX},
        {72, 8, UINT64_MAX - 100},
        {48, 8, 0x726567676174}, /* "tagger" */
    };
    for (size_t f = 0; f < sizeof forged / sizeof *forged; f++) {
        unsigned char *bytes = copy(good_size);
        put(bytes + forged[f].at, forged[f].value, forged[f].bytes);
        assert_false(accepts(seal(bytes), good_size));
    }
    random_state random = random_start("forged");
    int accepted = 0;
    for (int round = 0; round < 20000; round++) {
        unsigned char *bytes = copy(good_size);
        for (int changes = 1 + round % 2; changes > 0; changes--)
            bytes[random_below(&random, good_size - 4)] = (unsigned char)random_bits(&random);
        accepted += accepts(seal(bytes), good_size);
    }
    assert_true(accepted > 0 && accepted < 20000);
}

static int load(void *user) {
    (void)user;
    OWNED(tz_pack, pack) = {0};
    return tz_pack_load(both, &pack, NULL);
}

static int save(void *user) {
    return (int)tz_pack_save(user, 1, both, NULL);
}

TEST(memory) {
    OWNED(tz_pack, pack) = {0};
    assert_ok(tz_pack_load(both, &pack, &error));
    oom_sweep("load", load, NULL, TZ_NO_MEMORY, false);
    oom_sweep("save", save, &pack, TZ_NO_MEMORY, false);
}

static int read_good(void **state) {
    if (set_up(state) != 0)
        return -1;
    void *bytes;
    tz_status status = tz_whole_read(both, &bytes, &good_size, &error);
    good = bytes;
    return status == TZ_OK ? 0 : -1;
}

static int free_good(void **state) {
    free(good);
    return folder_teardown(state);
}

TESTS_BETWEEN(read_good, free_good)
