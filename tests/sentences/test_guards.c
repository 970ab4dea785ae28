/* test_guards.c - do guards find what needs what? and is the search under them exact?
 *
 * Sentences are made by hand, with their trees. The search is compared with all compressions of
 * short sentences, each scored by the definition. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/guards/guards.h"

enum { MOST = 24 };

static tz_arena *arena;
static tz_guard_table *table;

static int set_up(void **state) {
    (void)state;
    arena = tz_arena_new();
    return arena && tz_guard_table_new(&table) == TZ_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    tz_guard_table_free(table);
    tz_arena_free(arena);
    return 0;
}

/* A sentence from "form/XPOS/head/deprel form/..." */
static tz_sentence make(const char *text) {
    char copy[1024], *save = NULL;
    char form[MOST][32], fine[MOST][16], label[MOST][24];
    int head[MOST];
    int32_t n = 0;
    tz_sentence s;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save), n++)
        assert_int_equal(
            sscanf(word, "%31[^/]/%15[^/]/%d/%23s", form[n], fine[n], &head[n], label[n]), 4);
    assert_int_equal(tz_sentence_new(arena, n, &s), TZ_OK);
    for (int32_t w = 1; w <= n; w++) {
        assert_int_equal(tz_sentence_form(arena, &s, w, form[w - 1]), TZ_OK);
        tz_sentence_column(&s, w, TZ_UPOS, "X");
        tz_sentence_column(&s, w, TZ_XPOS, fine[w - 1]);
        tz_sentence_column(&s, w, TZ_DEPREL, label[w - 1]);
        s.head[w] = head[w - 1];
    }
    return s;
}

/* How often the compression with these marks breaks the guard; its root is its first word. */
static size_t broken(const char *text, const char *keep, tz_guard guard, unsigned without) {
    tz_sentence s = make(text);
    tz_guarded guarded;
    size_t count[TZ_GUARDS];
    int32_t compression[MOST + 1] = {0}, root = 0;
    assert_int_equal(strlen(keep), s.words);
    assert_int_equal(tz_guards_find(table, arena, &s, without, &guarded), TZ_OK);
    for (int32_t w = 1; w <= s.words; w++) {
        compression[w] = keep[w - 1] == '0' ? -1 : root;
        root = keep[w - 1] == '1' && root == 0 ? w : root;
    }
    tz_guards_broken(&guarded, compression, count);
    return count[guard];
}

static const char police[] =
    "Police/NNS/2/nsubj said/VBD/0/root there/EX/4/expl was/VBD/2/ccomp no/DT/6/det "
    "evidence/NN/4/nsubj that/IN/11/mark the/DT/9/det suspect/NN/11/nsubj was/VBD/11/cop "
    "armed/JJ/6/acl ././2/punct";

static void test_frames(void **state) {
    (void)state;
    /* "The suspect was armed." */
    assert_true(broken(police, "000000011111", TZ_GUARD_FRAME, 0) > 0);
    assert_true(broken(police, "000000011111", TZ_GUARD_FRAME, 1u << TZ_GUARD_FRAME) == 0);
    /* "There was evidence that the suspect was armed." */
    assert_true(broken(police, "001101111111", TZ_GUARD_NEGATION, 0) > 0);
    /* "There was no evidence that the suspect was armed." */
    for (int g = TZ_GUARD_NEGATION; g <= TZ_GUARD_HEDGE; g++)
        assert_int_equal(broken(police, "001111111111", (tz_guard)g, 0), 0);
    static const char plant[] = "The/DT/2/det plant/NN/4/nsubj will/MD/4/aux close/VB/0/root "
                                "unless/IN/8/mark emissions/NNS/8/nsubj:pass are/VBP/8/aux:pass "
                                "cut/VBN/4/advcl ././4/punct";
    assert_true(broken(plant, "111100001", TZ_GUARD_FRAME, 0) > 0); /* the condition is gone */
    assert_true(broken(plant, "000001111", TZ_GUARD_FRAME, 0) > 0); /* it is asserted */
    assert_true(broken(plant, "111101111", TZ_GUARD_FRAME, 0) > 0);
    assert_int_equal(broken(plant, "111111111", TZ_GUARD_FRAME, 0), 0);
}

static void test_phrases(void **state) {
    (void)state;
    static const char city[] =
        "Mayor/NNP/2/compound Ann/NNP/4/nsubj Lee/NNP/2/flat spoke/VBD/0/root "
        "for/IN/6/case 12/CD/8/nummod to/TO/8/case 18/CD/9/nummod minutes/NNS/4/obl in/IN/12/case "
        "the/DT/12/det park/NN/4/obl ././4/punct";
    assert_int_equal(broken(city, "1111111111111", TZ_GUARD_NAME, 0), 0);
    assert_true(broken(city, "0101000000001", TZ_GUARD_NAME, 0) > 0);
    assert_true(broken(city, "1111110011111", TZ_GUARD_NAME, 0) > 0);
    assert_true(broken(city, "1111000001001", TZ_GUARD_PHRASE, 0) > 0);
    assert_true(broken(city, "1111000000011", TZ_GUARD_PHRASE, 0) > 0);
    assert_true(broken(city, "1111000001101", TZ_GUARD_LINK, 0) > 0);
    assert_true(broken(city, "1110000001111", TZ_GUARD_FINITE, 0) > 0);
    assert_int_equal(
        broken("He/PRP/2/nsubj (/-LRB-/2/punct or/CC/4/cc she/PRP/1/conj )/-RRB-/4/punct", "11011",
               TZ_GUARD_MARKS, 0),
        0);
    assert_int_equal(
        broken("He/PRP/2/nsubj (/-LRB-/2/punct or/CC/4/cc she/PRP/1/conj )/-RRB-/4/punct", "11010",
               TZ_GUARD_MARKS, 0),
        1);
}

/* A tree of any shape without labels: nothing is found, nothing is read out of bounds. */
static void test_bare(void **state) {
    (void)state;
    tz_guarded guarded;
    tz_sentence none;
    assert_int_equal(tz_sentence_new(arena, 0, &none), TZ_OK);
    assert_int_equal(tz_guards_find(table, arena, &none, 0, &guarded), TZ_OK);
    for (int g = 0; g < TZ_GUARDS; g++)
        assert_int_equal(broken("a/_/0/_ b/_/1/_ c/_/2/_ d/_/1/_", "1001", (tz_guard)g, 0), 0);
}

static void test_names(void **state) {
    (void)state;
    for (unsigned g = 0; g < TZ_GUARDS; g++)
        assert_non_null(tz_guard_name(g));
    assert_null(tz_guard_name(TZ_GUARDS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_phrases),
        cmocka_unit_test(test_bare),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
