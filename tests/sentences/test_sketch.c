/* test_sketch.c - do hashed tables give back what was put in, and refuse files that are damaged?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sentences/features/tables/sketch.h"
#include "sentences/features/tables/tally.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { KEYS = 20000 };

static double value_of(size_t i) {
    return -0.1 * (double)(i % 255);
}

static tz_sketch *filled(uint64_t seed, size_t keys) {
    tz_sketch *sketch;
    random_state random = {seed};
    assert_ok(tz_sketch_new(TZ_SKETCH_BIGRAMS, keys, &sketch));
    for (size_t i = 0; i < keys; i++)
        tz_sketch_put(sketch, random_bits(&random), value_of(i));
    return sketch;
}

/* Two keys of 20,000 share a mark and lie close together now and then: what is not exact is rare,
 * as are strangers that are taken for known. The share of such pairs is the mean length of a
 * search, 3 for a table that is 4/5 full, over 2^15: 1 in 10,000. */
TEST(values) {
    random_state random = random_start("sketch"), again = random;
    OWN(tz_sketch, sketch) = filled(random.at, KEYS);
    size_t wrong = 0, strangers = 0;
    for (size_t i = 0; i < KEYS; i++) {
        double value = 1;
        assert_true(tz_sketch_get(sketch, random_bits(&again), &value));
        wrong += fabs(value - value_of(i)) > 1e-12;
    }
    for (size_t i = 0; i < KEYS; i++) {
        double value;
        strangers += tz_sketch_get(sketch, random_bits(&again), &value);
    }
    assert_in_range(wrong, 0, 12);
    assert_in_range(strangers, 0, 12);
}

TEST(range) {
    tz_sketch *sketch;
    double value;
    assert_ok(tz_sketch_new(TZ_SKETCH_GRAMMAR, 4, &sketch));
    assert_false(tz_sketch_get(sketch, 0, &value));
    tz_sketch_put(sketch, 0, 0.5);
    tz_sketch_put(sketch, (uint64_t)1 << 33 | 2, -INFINITY);
    tz_sketch_put(sketch, (uint64_t)1 << 34 | 4, -1.26);
    tz_sketch_put(sketch, (uint64_t)1 << 34 | 4, -3); /* stays */
    assert_true(tz_sketch_get(sketch, 0, &value) && value == 0);
    assert_true(tz_sketch_get(sketch, (uint64_t)1 << 33 | 2, &value) && fabs(value + 25.4) < 1e-12);
    assert_true(tz_sketch_get(sketch, (uint64_t)1 << 34 | 4, &value) && fabs(value + 1.3) < 1e-12);
    tz_sketch_free(sketch);
    assert_int_equal(tz_sketch_new(TZ_SKETCH_GRAMMAR, SIZE_MAX, &sketch), TZ_TOO_LARGE);
    assert_null(sketch);
}

TEST(file) {
    tz_sketch *sketch = filled(5, 300), *back;
    OWNED(tz_text, text) = {0};
    tz_error error;
    tz_sketch_write(sketch, &text);
    assert_false(text.failed);
    assert_string_equal(tz_sketch_section(text.data, text.size), "bigrams");
    assert_null(tz_sketch_section("TZSKETCH", 8));
    assert_ok(tz_sketch_read("t", text.data, text.size, TZ_SKETCH_BIGRAMS, &back, &error));
    assert_int_equal(back->places, sketch->places);
    assert_memory_equal(back->mark, sketch->mark, back->places * sizeof *back->mark);
    assert_memory_equal(back->number, sketch->number, back->places);
    tz_sketch_free(back);
    assert_int_equal(tz_sketch_read("t", text.data, text.size, TZ_SKETCH_GRAMMAR, &back, &error),
                     TZ_IO);
    assert_string_equal(error.message, "t: this is a language model, not a dependency grammar");
    /* Every byte matters, and every length. */
    for (size_t i = 0; i < text.size; i++) {
        text.data[i] ^= 0x10;
        assert_int_equal(
            tz_sketch_read("t", text.data, text.size, TZ_SKETCH_BIGRAMS, &back, &error), TZ_IO);
        text.data[i] ^= 0x10;
        assert_int_equal(tz_sketch_read("t", text.data, i, TZ_SKETCH_BIGRAMS, &back, &error),
                         TZ_IO);
    }
    tz_sketch_free(sketch);
}

TEST(tally) {
    OWNED(tz_tally, tally) = {0};
    uint32_t before;
    assert_int_equal(tz_tally_get(&tally, 7), 0);
    for (uint64_t i = 0; i < 30000; i++) {
        assert_ok(tz_tally_add(&tally, i % 3000 << 20, &before));
        assert_int_equal(before, i / 3000);
    }
    assert_int_equal(tally.keys, 3000);
    assert_int_equal(tz_tally_get(&tally, (uint64_t)2999 << 20), 10);
    assert_int_equal(tz_tally_get(&tally, (uint64_t)3000 << 20), 0);
    assert_int_equal(tz_tally_get(&tally, 0), 10); /* counted as 1 */
    assert_int_equal(tz_tally_get(&tally, 1), 10);
}

static int attempt(void *user) {
    (void)user;
    OWN(tz_sketch, sketch) = NULL, *back = NULL;
    OWNED(tz_text, text) = {0};
    OWNED(tz_tally, tally) = {0};
    tz_status status = tz_sketch_new(TZ_SKETCH_BIGRAMS, 100, &sketch);
    uint32_t before;
    if (status == TZ_OK) {
        tz_sketch_write(sketch, &text);
        status = text.failed
                     ? TZ_NO_MEMORY
                     : tz_sketch_read("t", text.data, text.size, TZ_SKETCH_BIGRAMS, &back, NULL);
    }
    for (uint64_t i = 1; i < 2000 && status == TZ_OK; i++)
        status = tz_tally_add(&tally, i << 20, &before);
    return (int)status;
}

TEST(memory) {
    assert_true(oom_sweep("sketch", attempt, NULL, TZ_NO_MEMORY, false) > 6);
}
