/* test_kept.c - compressions in CoNLL-U: read, refused, measured. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "sentences/features/sentence/kept.h"
#include "tests/support/read_corpus.h"

/* A sentence whose words have these in MISC. */
static tz_status read(const char *const *misc, int words, unsigned need, tz_corpus *ret,
                      tz_error *error) {
    char text[2048] = "";
    for (int w = 0; w < words; w++) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%d\tw\t_\tX\tX\t_\t%d\tdep\t_\t%s\n", w + 1, w, misc[w]);
    }
    tz_corpus_options options = {.need = need};
    error->message[0] = '\0';
    return read_corpus(text, strlen(text), &options, ret, error);
}

TEST(read) {
    static const char *const misc[] = {"SpaceAfter=No|Kept=3", "_", "Kept=0|Else=1", "NotKept=1"};
    tz_corpus corpus;
    tz_error error;
    assert_ok(read(misc, 4, 1u << TZ_MISC, &corpus, &error));
    const int32_t *compression = corpus.sentence[0].compression;
    assert_int_equal(compression[1], 3);
    assert_int_equal(compression[2], -1);
    assert_int_equal(compression[3], 0);
    assert_int_equal(compression[4], -1);
    tz_corpus_free(&corpus);
    static const char *const none[] = {"_", "SpaceAfter=No"};
    assert_ok(read(none, 2, 0, &corpus, &error));
    assert_null(corpus.sentence[0].compression);
    tz_corpus_free(&corpus);
}

/* Arcs 1 -> 3 and 2 -> 4 cross, but for the dropped words they would not. */
TEST(crossing) {
    static const char *const crossing[] = {"Kept=0", "Kept=1", "Kept=1", "Kept=2"};
    static const char *const nested[] = {"Kept=0", "_", "Kept=1", "_"};
    tz_corpus corpus;
    tz_error error;
    assert_ok(read(crossing, 4, 0, &corpus, &error));
    assert_int_equal(corpus.sentence[0].compression[4], 1); /* lifted */
    assert_int_equal(corpus.sentence[0].compression[3], 1);
    tz_corpus_free(&corpus);
    assert_ok(read(nested, 4, 0, &corpus, &error));
    assert_int_equal(corpus.sentence[0].compression[3], 1);
    tz_corpus_free(&corpus);
}

TEST(refused) {
    static const struct {
        const char *misc[3], *message;
        unsigned need;
    } wrong[] = {
        {{"Kept=0", "Kept=4", "_"}, "in:2: word 2: Kept=4 is no word of the sentence", 0},
        {{"Kept=0", "Kept=x", "_"}, "in:2: word 2: Kept=x is no word of the sentence", 0},
        {{"Kept=0", "Kept=3", "_"},
         "in:2: word 2 is kept and modifies word 3, which is not: the head of a kept word is "
         "another one, or 0",
         0},
        {{"Kept=0", "Kept=3", "Kept=2|A=b"},
         "in:2: the kept words are no tree: word 2 is among its own heads, or below such a word",
         0},
        {{"_", "_", "_"},
         "in:1: no word of the sentence is kept: MISC of kept words says Kept=HEAD, as `trapeze "
         "pairs` writes it",
         1u << TZ_MISC},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tz_corpus corpus;
        tz_error error;
        assert_int_equal(read(wrong[i].misc, 3, wrong[i].need, &corpus, &error), TZ_IO);
        assert_string_equal(error.message, wrong[i].message);
    }
}

TEST(single_root) {
    int32_t compression[] = {0, 3, -1, 0, 3, 0, -1, 5, 0};
    const int32_t expected[] = {0, 3, -1, 0, 3, 3, -1, 5, 3};
    assert_int_equal(tz_kept_single_root(compression, 8), 2);
    assert_memory_equal(compression, expected, sizeof expected);
    assert_int_equal(tz_kept_single_root(compression, 8), 0);
}

TEST(overlap) {
    const int32_t a[] = {0, 2, 0, -1, 2, -1}, b[] = {0, -1, 0, 2, 2, -1};
    tz_overlap o = tz_kept_overlap(a, b, 5);
    assert_int_equal(o.both, 2);
    assert_int_equal(o.kept, 3);
    assert_int_equal(o.gold, 3);
    assert_true(tz_overlap_f1(&o) == 4.0 / 6);
    o = tz_kept_overlap(a, b, 0);
    assert_true(tz_overlap_f1(&o) == 1);
}
