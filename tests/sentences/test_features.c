/* test_features.c - which features does a place in a fixed sentence have?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "sentences/features/templates/features_tag.h"
#include "sentences/learn/score.h"
#include "tests/support/read_corpus.h"

static const char text[] = "1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n"
                           "2\tcat\t_\tNOUN\tNN\t_\t5\tnsubj\t_\t_\n"
                           "3\tno\t_\tDET\tDT\t_\t4\tdet\t_\t_\n"
                           "4\tdog\t_\tNOUN\tNN\t_\t2\tacl\t_\t_\n"
                           "5\tsees\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n";

static tz_corpus corpus;
static const tz_sentence *sentence;

static int set_up(void **state) {
    (void)state;
    tz_corpus_options options = {0};
    tz_status status = read_corpus(text, sizeof text - 1, &options, &corpus, NULL);
    sentence = corpus.sentence;
    return status == TZ_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    tz_corpus_free(&corpus);
    return 0;
}

/* Keeps all keys. */
typedef struct keys {
    tz_features features;
    size_t count;
    uint64_t key[4 * TZ_FEATURES];
} keys;

static void keep(tz_features *features) {
    keys *k = (keys *)features;
    memcpy(k->key + k->count, features->key, features->count * sizeof *features->key);
    k->count += features->count;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorted, all different. */
static void close_keys(keys *k) {
    keep(&k->features);
    qsort(k->key, k->count, sizeof *k->key, by_value);
    for (size_t i = 1; i < k->count; i++)
        assert_true(k->key[i - 1] != k->key[i]);
}

/* Of the cell of a task's first weight, or the one given. */
static keys cell(const tz_task *task, const char *rules, tz_cell cell) {
    keys k = {.features.flush = keep};
    OWN(tz_model, model) = NULL;
    tz_labels labels = {0};
    int32_t number;
    if (task->labelled)
        assert_ok(tz_labels_add(&labels, "X", &number));
    assert_ok(tz_model_new(task, rules, 1, &labels, &model));
    tz_cell_features(model, sentence, &cell, &k.features);
    close_keys(&k);
    return k;
}

static keys arc(int32_t h, int32_t m) {
    return cell(&tz_parser, "eisner", (tz_cell){0, {h, m}});
}

static keys sibling(int32_t h, int32_t s, int32_t m) {
    return cell(&tz_parser, "sibling", (tz_cell){0, {h, s, m}});
}

static keys tag(int32_t i) {
    return cell(&tz_tagger, "chain", (tz_cell){2, {i, 0}});
}

static size_t common(const keys *a, const keys *b) {
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++)
        count += bsearch(&a->key[i], b->key, b->count, sizeof *b->key, by_value) != NULL;
    return count;
}

/* 41 templates with and without direction and distance; and two for each different tag between. */
TEST(arc_counts) {
    enum { PLAIN = 2 * 41 };
    assert_int_equal(arc(2, 1).count, PLAIN);
    assert_int_equal(arc(1, 2).count, PLAIN);
    assert_int_equal(arc(1, 3).count, PLAIN + 4); /* between: NN */
    assert_int_equal(arc(1, 4).count, PLAIN + 8); /* NN DT */
    assert_int_equal(arc(0, 5).count, PLAIN + 8); /* DT NN DT NN */
    assert_int_equal(arc(5, 1).count, PLAIN + 8); /* NN DT NN */
}

/* What two arcs share is what they have in common. 2 -> 1 and 2 -> 3 differ in direction, in the
 * modifier's word and in what stands to its left. */
TEST(arc_shared) {
    keys a = arc(2, 1), b = arc(2, 3), back = arc(1, 2), other = arc(4, 3);
    /* H HT; H; HT; MT; H HT MT; HT MT; HC MC; H MC; H4 MT; HT H_RIGHT MT; H_LEFT HT MT; HC_LEFT HC
     * HC_RIGHT MC; and to the modifier's right, a noun both times: HT H_RIGHT MT M_RIGHT; H_LEFT HT
     * MT M_RIGHT; HT MT M_RIGHT; the first two in coarse tags; H_SUFFIX HT MT; HT HW_RIGHT MT. */
    assert_int_equal(common(&a, &b), 19);
    assert_true(common(&a, &a) == a.count);
    assert_true(common(&a, &back) == 0);
    /* Modifiers to the left at distance 1, under the same tags: HT; MT; HT MT; HC MC, each twice.
     */
    assert_true(common(&a, &other) >= 8);
}

/* A sibling's cell has the features of its arc, and 20 templates twice. */
TEST(sibling) {
    enum { SIBLING = 2 * 20 };
    keys a = arc(5, 2), first = sibling(5, 5, 2), next = sibling(5, 4, 2), other = sibling(5, 3, 2);
    assert_int_equal(first.count, a.count + SIBLING);
    assert_int_equal(next.count, a.count + SIBLING);
    assert_int_equal(common(&a, &next), a.count);
    assert_int_equal(common(&first, &next), a.count);
    /* Siblings of another word and tag: nothing; nor in the other direction. */
    assert_int_equal(common(&other, &next), a.count);
    keys right = sibling(2, 2, 4), left = sibling(4, 4, 2), there = arc(2, 4), back = arc(4, 2);
    assert_int_equal(common(&right, &left), common(&there, &back));
    /* What no derivation uses has the arc's features only. */
    assert_int_equal(sibling(5, 1, 2).count, a.count);
    assert_int_equal(sibling(2, 5, 4).count, arc(2, 4).count);
    /* The same sibling and modifier under heads of other words and tags: ST MT; SC MC; S MT; ST M;
     * S M, twice each. */
    keys root = sibling(0, 2, 4), noun = sibling(1, 2, 4);
    keys arcs[2] = {arc(0, 4), arc(1, 4)};
    assert_int_equal(common(&root, &noun) - common(&arcs[0], &arcs[1]), 10);
}

/* "The" and "no" share their tag's neighbours, none of which the tagger sees, and so nothing but
 * what is around: nothing. "cat" and "dog" are of one shape, and follow determiners. */
TEST(tag) {
    enum { TEMPLATES = 29 };
    keys the = tag(1), cat = tag(2), no = tag(3), dog = tag(4);
    assert_int_equal(the.count, TEMPLATES);
    assert_int_equal(tag(5).count, TEMPLATES);
    assert_int_equal(common(&the, &no), 0);
    assert_int_equal(common(&cat, &dog), 1); /* SHAPE FIRST; the shapes around differ: Xxx, xx */
    keys after[3];
    for (int32_t a = -1; a < 2; a++) {
        after[a + 1] = (keys){.features.flush = keep};
        (a < 0 ? tz_features_first : tz_features_after)(sentence, &a, &after[a + 1].features);
        close_keys(&after[a + 1]);
        assert_int_equal(after[a + 1].count, 1);
        assert_int_equal(common(&after[a + 1], &the), 0);
    }
    assert_int_equal(common(&after[0], &after[1]), 0);
    assert_int_equal(common(&after[1], &after[2]), 0);
}

static tz_word word(const char *form) {
    tz_word result;
    tz_word_read(form, &result);
    return result;
}

TEST(words) {
    tz_word upper = word("ÉTÉ"), lower = word("été"), longer = word("étés");
    assert_true(upper.form != lower.form);
    assert_true(upper.lower == lower.lower);
    assert_true(upper.shape != lower.shape && lower.shape == longer.shape);
    assert_true(word("Cat").shape == word("Élan").shape);
    assert_true(word("12").shape == word("1999").shape && word("1").shape != word("12").shape);
    assert_true(word("ab").prefix[1] == word("abc").prefix[1]);
    assert_true(word("ab").prefix[3] == word("ab").prefix[1]);
    assert_true(word("bc").suffix[1] == word("abc").suffix[1]);
    assert_true(word("abc").suffix[1] != word("cb").suffix[1]);
    assert_true(lower.prefix[2] == longer.prefix[2] && lower.prefix[3] != longer.prefix[3]);
    static const uint32_t pairs[][2] = {
        {'A', 'a'},     {0xc9, 0xe9},   {0x116, 0x117},   {0x139, 0x13a},    {0x3a3, 0x3c3},
        {0x416, 0x436}, {0x401, 0x451}, {0x17d, 0x17e},   {'a', 'a'},        {0xd7, 0xd7},
        {0xdf, 0xdf},   {0x130, 0x130}, {0x3042, 0x3042}, {0x1f600, 0x1f600}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        assert_int_equal(tz_code_lower(pairs[p][0]), pairs[p][1]);
}

TESTS_BETWEEN(set_up, tear_down)
