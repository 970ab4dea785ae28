/* test_guards.c - do guards find what needs what? and is the search under them exact?
 *
 * Sentences are made by hand, with their trees. The search is compared with all compressions of
 * short sentences, each scored by the definition. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/outline/outline.h"
#include "sentences/guards/guards.h"
#include "sentences/guards/kinds.h"
#include "sentences/guards/table.h"
#include "sentences/learn/decode_compress.h"
#include "sentences/learn/score.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

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
    assert_ok(tz_sentence_new(arena, n, &s));
    for (int32_t w = 1; w <= n; w++) {
        assert_ok(tz_sentence_form(arena, &s, w, form[w - 1]));
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
    assert_ok(tz_guards_find(table, arena, &s, without, &guarded));
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

TEST(frames) {
    /* "The suspect was armed." */
    assert_true(broken(police, "000000011111", TZ_GUARD_FRAME, 0) > 0);
    assert_true(broken(police, "000000011111", TZ_GUARD_FRAME, 1u << TZ_GUARD_FRAME) == 0);
    /* "There was evidence that the suspect was armed." */
    assert_true(broken(police, "001101111111", TZ_GUARD_NEGATION, 0) > 0);
    /* "There was no evidence that the suspect was armed." */
    for (int g = TZ_GUARD_NEGATION; g <= TZ_GUARD_HEDGE; g++)
        assert_int_equal(broken(police, "001111111111", (tz_guard)g, 0), 0);
    static const char works[] = "The/DT/2/det plant/NN/4/nsubj will/MD/4/aux close/VB/0/root "
                                "unless/IN/8/mark emissions/NNS/8/nsubj:pass are/VBP/8/aux:pass "
                                "cut/VBN/4/advcl ././4/punct";
    assert_true(broken(works, "111100001", TZ_GUARD_FRAME, 0) > 0); /* the condition is gone */
    assert_true(broken(works, "000001111", TZ_GUARD_FRAME, 0) > 0); /* it is asserted */
    assert_true(broken(works, "111101111", TZ_GUARD_FRAME, 0) > 0);
    assert_int_equal(broken(works, "111111111", TZ_GUARD_FRAME, 0), 0);
}

/* Conditions, whatever their trees are. */
TEST(conditions) {
    static const char bridge[] =
        "It/PRP/4/nsubj can/MD/4/aux not/RB/4/advmod open/VB/0/root until/IN/7/case the/DT/7/det "
        "ropes/NNS/9/obl are/VBP/9/aux:pass new/JJ/4/advcl ././4/punct";
    assert_true(broken(bridge, "1111000001", TZ_GUARD_CONDITION, 0) > 0);
    assert_int_equal(broken(bridge, "1111000001", TZ_GUARD_CONDITION, 1u << TZ_GUARD_CONDITION), 0);
    assert_true(broken(bridge, "0000011111", TZ_GUARD_CONDITION, 0) > 0); /* "The ropes are new." */
    assert_int_equal(broken(bridge, "1111111111", TZ_GUARD_CONDITION, 0), 0);
    static const char school[] =
        "It/PRP/2/nsubj stays/VBZ/3/ccomp provided/VBD/0/root that/IN/7/mark money/NN/7/nsubj:pass "
        "is/VBZ/7/aux:pass found/VBN/3/ccomp ././3/punct";
    assert_true(broken(school, "11001111", TZ_GUARD_CONDITION, 0) > 0);
    assert_true(broken(school, "00001111", TZ_GUARD_CONDITION, 1u << TZ_GUARD_FRAME) > 0);
    assert_true(broken(school, "11101111", TZ_GUARD_CONDITION, 1u << TZ_GUARD_FRAME) > 0);
    /* Without a clause it is no condition; nor is "provided" without "that". */
    static const char noon[] =
        "It/PRP/2/nsubj opens/VBZ/0/root until/IN/4/case noon/NN/2/obl ././2/punct";
    static const char food[] =
        "It/PRP/2/nsubj was/VBD/3/aux provided/VBN/0/root as/IN/5/mark is/VBZ/3/advcl";
    assert_int_equal(broken(noon, "11001", TZ_GUARD_CONDITION, 0), 0);
    assert_int_equal(broken(food, "11000", TZ_GUARD_CONDITION, 0), 0);
}

/* "Had it rained, ..." is a condition, "Had it rained?" none. */
TEST(inverted) {
    static const char rained[] = "Had/VBD/3/aux it/PRP/3/nsubj rained/VBN/6/advcl ,/,/3/punct "
                                 "we/PRP/6/nsubj left/VBD/0/root ././6/punct";
    static const char asked[] = "Had/VBD/3/aux it/PRP/3/nsubj rained/VBN/6/advcl ,/,/3/punct "
                                "he/PRP/6/nsubj asked/VBD/0/root ?/./6/punct";
    assert_true(broken(rained, "0000111", TZ_GUARD_CONDITION, 0) > 0);
    assert_true(broken(rained, "0110000", TZ_GUARD_CONDITION, 0) > 0);
    assert_int_equal(broken(rained, "1111111", TZ_GUARD_CONDITION, 0), 0);
    assert_int_equal(broken(asked, "0000111", TZ_GUARD_CONDITION, 0), 0);
}

/* The kinds of words w..w + more, which are one phrase. */
static void check_kinds(const tz_kinds *kinds, const char *text, int32_t w, int32_t more,
                        unsigned is) {
    tz_sentence s = make(text);
    unsigned found[MOST + 2];
    int32_t behind[MOST + 2];
    tz_kinds_find(kinds, &s, found, behind);
    assert_int_equal(behind[w], more);
    enum { WORDS = TZ_IS_NEGATION | TZ_IS_DOUBT | TZ_IS_CONDITION | TZ_IS_BOUND | TZ_IS_ADVERB };
    for (int32_t i = w; i <= w + more; i++)
        assert_int_equal(found[i] & WORDS, is);
    for (int32_t i = w + 1; i <= w + more; i++)
        assert_int_equal(behind[i], 0);
}

/* Of phrases the longest counts, and takes its words from others. */
TEST(kinds) {
    tz_kinds *kinds;
    assert_ok(tz_kinds_new(arena, &kinds));
    check_kinds(kinds, "Few/JJ/2/amod came/VBD/0/root", 1, 0, TZ_IS_NEGATION);
    check_kinds(kinds, "A/DT/2/det few/JJ/3/amod came/VBD/0/root", 2, 0, 0);
    check_kinds(kinds, "No/RB/2/advmod longer/RBR/0/root", 1, 1, TZ_IS_NEGATION);
    check_kinds(kinds, "They/PRP/2/nsubj rule/VBP/0/root", 2, 0, 0);
    check_kinds(kinds, "They/PRP/2/nsubj RULED/VBD/0/root out/RP/2/compound:prt", 2, 1,
                TZ_IS_DOUBT);
    check_kinds(kinds, "As/RB/2/advmod long/RB/0/root as/IN/2/mark", 1, 2, TZ_IS_CONDITION);
    check_kinds(kinds, "As/RB/2/advmod long/RB/0/root", 1, 0, 0);
    check_kinds(kinds, "almost/RB/0/root", 1, 0, TZ_IS_ADVERB | TZ_IS_BOUND);
    check_kinds(kinds, "no/DT/0/root more/JJR/1/fixed than/IN/1/fixed", 1, 2, TZ_IS_BOUND);
}

TEST(clauses) {
    static const char rained[] = "Although/IN/3/mark it/PRP/3/nsubj rained/VBD/6/advcl ,/,/3/punct "
                                 "we/PRP/6/nsubj left/VBD/0/root ././6/punct";
    assert_true(broken(rained, "1110001", TZ_GUARD_LINK, 0) > 0);
    assert_int_equal(broken(rained, "1111111", TZ_GUARD_LINK, 0), 0);
    /* the tree has the clause under the wrong word */
    static const char rumour[] = "A/DT/2/det rumour/NN/6/nsubj that/IN/6/mark it/PRP/5/nsubj "
                                 "failed/VBD/6/csubj spread/VBD/0/root ././6/punct";
    assert_true(broken(rumour, "0001101", TZ_GUARD_FRAME, 0) > 0);
}

TEST(amounts) {
    static const char most[] = "At/IN/2/case most/JJS/4/amod 20/CD/4/nummod came/VBD/0/root "
                               "././4/punct";
    assert_true(broken(most, "00111", TZ_GUARD_HEDGE, 0) > 0);
    assert_int_equal(broken(most, "11111", TZ_GUARD_HEDGE, 0), 0);
    static const char thief[] = "The/DT/3/det alleged/JJ/4/dep thief/NN/4/nsubj fled/VBD/0/root";
    assert_true(broken(thief, "1011", TZ_GUARD_HEDGE, 0) > 0); /* whatever the tree says */
    static const char might[] = "It/PRP/3/nsubj might/MD/3/aux rain/VB/0/root";
    assert_true(broken(might, "101", TZ_GUARD_FRAME, 0) > 0);
}

TEST(pronouns) {
    static const char sides[] = "Both/DT/2/det sides/NNS/3/nsubj said/VBD/0/root they/PRP/6/nsubj "
                                "would/MD/6/aux meet/VB/3/ccomp ././3/punct";
    assert_true(broken(sides, "0001111", TZ_GUARD_PRONOUN, 0) > 0);
    assert_int_equal(broken(sides, "1111111", TZ_GUARD_PRONOUN, 0), 0);
    static const char they[] = "They/PRP/2/nsubj met/VBD/0/root friends/NNS/2/obj";
    assert_int_equal(broken(they, "110", TZ_GUARD_PRONOUN, 0), 0);
    static const char rained[] =
        "Police/NNS/2/nsubj said/VBD/0/root it/PRP/4/expl rained/VBD/2/ccomp";
    assert_int_equal(broken(rained, "0011", TZ_GUARD_PRONOUN, 0), 0);
}

/* "Who won.", "Where it is." are no sentences; "a bag that is warm" has no other head. */
TEST(main) {
    static const char ones[] = "We/PRP/2/nsubj met/VBD/0/root the/DT/4/det ones/NNS/2/obj "
                               "who/WP/6/nsubj won/VBD/4/acl:relcl ././2/punct";
    assert_true(broken(ones, "0000111", TZ_GUARD_MAIN, 0) > 0);
    assert_int_equal(broken(ones, "0000111", TZ_GUARD_MAIN, 1u << TZ_GUARD_MAIN), 0);
    assert_true(broken(ones, "1100111", TZ_GUARD_MAIN, 0) > 0);
    assert_int_equal(broken(ones, "1111111", TZ_GUARD_MAIN, 0), 0);
    static const char asked[] = "Ann/NNP/2/nsubj asked/VBD/0/root where/WRB/5/advmod "
                                "it/PRP/5/nsubj stood/VBD/2/ccomp ././2/punct";
    assert_true(broken(asked, "000010", TZ_GUARD_MAIN, 0) > 0);
    static const char said[] = "Ann/NNP/2/nsubj said/VBD/0/root he/PRP/4/nsubj left/VBD/2/ccomp";
    assert_int_equal(broken(said, "0011", TZ_GUARD_MAIN, 0), 0);
    static const char bag[] = "a/DT/2/det bag/NN/0/root that/WDT/5/nsubj is/VBZ/5/cop "
                              "warm/JJ/2/acl:relcl";
    assert_int_equal(broken(bag, "01000", TZ_GUARD_FINITE, 0), 0);
    static const char pour[] = "Pour/VB/0/root the/DT/3/det milk/NN/1/obj before/IN/6/mark "
                               "it/PRP/6/nsubj boils/VBZ/1/advcl";
    assert_int_equal(broken(pour, "111000", TZ_GUARD_FINITE, 0), 0);
    assert_true(broken(pour, "000001", TZ_GUARD_MAIN, 0) > 0);
}

TEST(complements) {
    static const char path[] = "They/PRP/2/nsubj want/VBP/0/root to/TO/4/mark turn/VB/2/xcomp "
                               "it/PRP/4/obj into/IN/8/case a/DT/8/det path/NN/4/obl";
    assert_true(broken(path, "11110111", TZ_GUARD_OBJECT, 0) > 0);
    assert_int_equal(broken(path, "11111111", TZ_GUARD_OBJECT, 0), 0);
    static const char hope[] = "Ann/NNP/2/nsubj expected/VBD/0/root rain/NN/2/obj to/TO/5/mark "
                               "fall/VB/2/advcl ././2/punct";
    assert_true(broken(hope, "111001", TZ_GUARD_OBJECT, 0) > 0);
    static const char said[] = "It/PRP/2/nsubj rained/VBD/5/dep ,/,/2/punct Ann/NNP/5/nsubj "
                               "said/VBD/0/root ././5/punct";
    assert_true(broken(said, "000111", TZ_GUARD_OBJECT, 0) > 0);
    static const char late[] = "He/PRP/5/nsubj was/VBD/5/cop an/DT/4/det hour/NN/5/obl "
                               "late/JJ/0/root ././5/punct";
    size_t two = broken(late, "110001", TZ_GUARD_PREDICATE, 0);
    assert_true(two > 0 && two > broken(late, "110011", TZ_GUARD_PREDICATE, 0));
    static const char forgot[] = "I/PRP/2/nsubj forgot/VBD/0/root to/TO/4/mark mention/VB/2/xcomp "
                                 "her/PRP/4/obj here/RB/4/advmod ././2/punct";
    assert_true(broken(forgot, "1111001", TZ_GUARD_OBJECT, 0) > 1);
    assert_int_equal(broken(forgot, "1111001", TZ_GUARD_OBJECT, 1u << TZ_GUARD_OBJECT), 0);
}

TEST(limits) {
    static const char guests[] =
        "Guests/NNS/5/nsubj who/WP/3/nsubj smoke/VBP/1/acl:relcl must/MD/5/aux leave/VB/0/root";
    assert_true(broken(guests, "10011", TZ_GUARD_LIMIT, 0) > 0);
    assert_int_equal(broken(guests, "10011", TZ_GUARD_LIMIT, 1u << TZ_GUARD_LIMIT), 0);
    assert_int_equal(broken(guests, "11111", TZ_GUARD_LIMIT, 0), 0);
    static const char bridge[] = "It/PRP/2/nsubj stays/VBZ/0/root closed/JJ/2/xcomp to/IN/5/case "
                                 "cars/NNS/3/obl ././2/punct";
    assert_true(broken(bridge, "111001", TZ_GUARD_LIMIT, 0) > 0);
    static const char failing[] = "Failing/VBG/6/advcl to/TO/3/mark do/VB/1/xcomp this/DT/6/nsubj "
                                  "may/MD/6/aux hurt/VB/0/root it/PRP/6/obj";
    assert_true(broken(failing, "0001111", TZ_GUARD_LIMIT, 0) > 0);
    assert_int_equal(broken(failing, "1111111", TZ_GUARD_LIMIT, 0), 0);
    static const char groups[] =
        "Groups/NNS/7/nsubj of/IN/6/case more/JJR/5/advmod than/IN/3/fixed "
        "ten/CD/6/nummod people/NNS/1/nmod pay/VBP/0/root";
    assert_true(broken(groups, "1000001", TZ_GUARD_LIMIT, 0) > 0);
    assert_int_equal(broken(groups, "1111111", TZ_GUARD_LIMIT, 0), 0);
}

/* Of "from A to B", "A, not B" and "A but not B" each end needs the one that says the rest of it.
 */
TEST(ends) {
    static const char fell[] = "It/PRP/2/nsubj fell/VBD/0/root from/IN/4/case forty/CD/2/obl "
                               "to/IN/7/case about/RB/7/advmod ten/CD/2/obl ././2/punct";
    assert_true(broken(fell, "11110001", TZ_GUARD_NAME, 0) > 0);
    assert_int_equal(broken(fell, "11001111", TZ_GUARD_NAME, 0), 0);
    static const char open[] = "It/PRP/2/nsubj opens/VBZ/0/root from/IN/4/case May/NNP/2/obl "
                               "to/IN/6/case June/NNP/4/nmod ././2/punct";
    assert_true(broken(open, "1111001", TZ_GUARD_NAME, 0) > 0);
    assert_true(broken(open, "1100111", TZ_GUARD_NAME, 0) > 0);
    assert_int_equal(broken(open, "1111111", TZ_GUARD_NAME, 0), 0);
    static const char friday[] = "We/PRP/2/nsubj met/VBD/0/root Monday/NNP/2/obl ,/,/6/punct "
                                 "not/RB/6/advmod Friday/NNP/3/appos ././2/punct";
    assert_true(broken(friday, "1100111", TZ_GUARD_NEGATION, 0) > 0);
    assert_int_equal(broken(friday, "1110001", TZ_GUARD_NEGATION, 0), 0);
    static const char motion[] = "It/PRP/3/nsubj was/VBD/3/aux:pass moved/VBN/0/root but/CC/5/cc "
                                 "rejected/VBN/3/conj ././3/punct";
    assert_true(broken(motion, "111001", TZ_GUARD_FRAME, 0) > 0);
    assert_int_equal(broken(motion, "111001", TZ_GUARD_FRAME, 1u << TZ_GUARD_FRAME), 0);
    static const char told[] = "Ann/NNP/2/nsubj informed/VBD/0/root us/PRP/2/obj that/IN/6/mark "
                               "it/PRP/6/nsubj rained/VBD/2/ccomp ././2/punct";
    size_t two = broken(told, "1110001", TZ_GUARD_OBJECT, 0);
    assert_true(two > 0 && two > broken(told, "1111111", TZ_GUARD_OBJECT, 0));
}

/* Neither half of "play-off" without the other, but both without the hyphen; "an estimated 300";
 * of "Ann and Bo were" both, of "Ann and Bo was" one. */
TEST(halves) {
    static const char final[] = "The/DT/4/det play/NN/4/compound -/HYPH/4/punct off/NN/5/nsubj "
                                "ended/VBD/0/root";
    assert_true(broken(final, "11001", TZ_GUARD_NAME, 0) > 0);
    assert_true(broken(final, "10011", TZ_GUARD_NAME, 0) > 0);
    assert_true(broken(final, "10101", TZ_GUARD_NAME, 0) > 0);
    assert_int_equal(broken(final, "11011", TZ_GUARD_NAME, 0), 0);
    static const char crowd[] =
        "An/DT/4/det estimated/VBN/4/amod 300/CD/4/nummod people/NNS/5/nsubj "
        "came/VBD/0/root";
    assert_true(broken(crowd, "10111", TZ_GUARD_PHRASE, 0) > 0);
    assert_int_equal(broken(crowd, "11111", TZ_GUARD_PHRASE, 0), 0);
    static const char both[] = "Ann/NNP/5/nsubj and/CC/3/cc Bo/NNP/1/conj were/VBD/5/aux:pass "
                               "seen/VBN/0/root";
    static const char one[] = "Ann/NNP/5/nsubj and/CC/3/cc Bo/NNP/1/conj was/VBD/5/aux:pass "
                              "seen/VBN/0/root";
    assert_int_equal(broken(both, "10011", TZ_GUARD_SUBJECT, 0),
                     1 + broken(one, "10011", TZ_GUARD_SUBJECT, 0));
    assert_int_equal(broken(both, "11111", TZ_GUARD_SUBJECT, 0), 0);
}

static const char sold[] =
    "Well/UH/3/discourse I/PRP/3/nsubj sold/VBD/0/root cups/NNS/3/obj at/IN/7/case the/DT/7/det "
    "fair/NN/3/obl because/IN/10/mark it/PRP/10/nsubj leaked/VBD/3/advcl ././3/punct";

/* Of what is no news only adjuncts go, and whole. */
TEST(adjuncts) {
    const unsigned off = 1u << TZ_GUARD_ADJUNCT;
    assert_int_equal(broken(sold, "01110000001", TZ_GUARD_ADJUNCT, 0), 0);
    assert_int_equal(broken(sold, "11111111111", TZ_GUARD_ADJUNCT, 0), 0);
    assert_int_equal(broken(sold, "01100000001", TZ_GUARD_ADJUNCT, 0), 1); /* the object */
    assert_int_equal(broken(sold, "01100000001", TZ_GUARD_ADJUNCT, off), 0);
    assert_true(broken(sold, "01110010001", TZ_GUARD_ADJUNCT, 0) > 0); /* "sold it fair" */
    /* not what a negation is about, nor the first phrase behind a verb; not before "but" */
    static const char slept[] = "I/PRP/3/nsubj never/RB/3/advmod slept/VBD/0/root well/NN/3/obj "
                                "there/RB/3/advmod ././3/punct";
    assert_int_equal(broken(slept, "111101", TZ_GUARD_ADJUNCT, 0), 1);
    static const char went[] = "I/PRP/2/nsubj went/VBD/0/root in/IN/4/case June/NNP/2/obl";
    assert_int_equal(broken(went, "1100", TZ_GUARD_ADJUNCT, 0), 2);
    static const char cheap[] = "I/PRP/2/nsubj liked/VBD/0/root it/PRP/2/obj ,/,/8/punct "
                                "but/CC/8/cc the/DT/7/det lid/NN/8/nsubj broke/VBD/2/conj";
    assert_true(broken(cheap, "11100000", TZ_GUARD_ADJUNCT, 0) > 0);
    static const char grand[] = "I/PRP/2/nsubj liked/VBD/0/root it/PRP/2/obj ,/,/8/punct "
                                "and/CC/8/cc the/DT/7/det lid/NN/8/nsubj shone/VBD/2/conj";
    assert_int_equal(broken(grand, "11100000", TZ_GUARD_ADJUNCT, 0), 0);
    /* nor what follows a pronoun, what "if" goes on from, or a clause that took the main verb in */
    static const char left[] = "I/PRP/2/nsubj left/VBD/0/root it/PRP/2/obj there/RB/2/obl:unmarked";
    assert_true(broken(left, "1110", TZ_GUARD_ADJUNCT, 0) > 0);
    static const char meet[] =
        "We/PRP/2/nsubj met/VBD/0/root Ann/NNP/2/obj at/IN/5/case noon/NN/2/obl if/IN/8/mark "
        "it/PRP/8/nsubj rained/VBD/2/advcl";
    assert_true(broken(meet, "11100111", TZ_GUARD_ADJUNCT, 0) > 0);
    static const char aunt[] = "My/PRP$/2/nmod:poss aunt/NN/0/root ,/,/5/punct who/WP/5/nsubj "
                               "smokes/VBZ/2/acl:relcl ,/,/7/punct coughs/VBZ/5/conj ././2/punct";
    assert_true(broken(aunt, "11000001", TZ_GUARD_ADJUNCT, 0) > 0);
    static const char friend[] = "My/PRP$/2/nmod:poss aunt/NN/7/nsubj ,/,/5/punct who/WP/5/nsubj "
                                 "smokes/VBZ/2/acl:relcl ,/,/5/punct coughs/VBZ/0/root ././7/punct";
    assert_int_equal(broken(friend, "11000011", TZ_GUARD_ADJUNCT, 0), 0);
    static const char ann[] = "Ann/NNP/0/root :/:/5/punct the/DT/4/det sun/NN/5/nsubj "
                              "shines/VBZ/1/conj ././1/punct";
    assert_true(broken(ann, "100001", TZ_GUARD_ADJUNCT, 0) > 0);
}

/* Talk, and what has few of the points of news, is none. What stands in quotation marks is no talk;
 * a question, an order and an item of a list are. */
TEST(registers) {
#define TEN                                                                                        \
    " Ann/NNP/2/dep Lee/NNP/2/dep Bo/NNP/2/dep Mo/NNP/2/dep of/IN/2/dep a/DT/2/dep town/NN/2/dep " \
    "by/IN/2/dep a/DT/2/dep sea/NN/2/dep"
    static const struct {
        const char *text;
        bool news;
    } all[] = {
        {"Ann/NNP/2/nsubj left/VBD/0/root" TEN, true},
        {"Ann/NNP/2/nsubj left/VBD/0/root", false},
        {"Then/RB/2/advmod left/VBD/0/root" TEN, false},
        {"Ann/NNP/2/nsubj left/VBD/0/root me/PRP/2/obj" TEN, false},
        {"Division/NNP/2/nsubj I/PRP/1/flat left/VBD/0/root" TEN, true},
        {"\"/``/3/punct I/PRP/3/nsubj won/VBD/4/ccomp \"/''/3/punct said/VBD/0/root" TEN, true},
        {"Ann/NNP/2/nsubj left/VBD/0/root" TEN " ?/./2/punct", false},
        {"Pour/VB/0/root milk/NN/1/obj" TEN, false},
        {"Hi/UH/3/discourse Ann/NNP/3/nsubj left/VBD/0/root" TEN, false},
        {"Action/NN/3/dep :/:/3/punct leave/VB/0/root" TEN, false},
        {"-/NFP/3/punct It/PRP/3/nsubj rains/VBZ/0/root" TEN, false}};
    for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
        tz_sentence s = make(all[t].text);
        tz_guarded guarded;
        bool must = false;
        assert_ok(tz_guards_find(table, arena, &s, 0, &guarded));
        for (int32_t w = 1; w <= s.words; w++) {
            must |= guarded.must[w];
            assert_int_equal(tz_root_price(&guarded, w, true),
                             guarded.no_root[w] ? TZ_GUARD_PRICE : 0);
        }
        assert_int_equal(must, !all[t].news);
        assert_ok(tz_guards_find(table, arena, &s, TZ_GUARDS_LIMITED, &guarded));
        for (int32_t w = 1; w <= s.words; w++)
            assert_false(guarded.must[w]);
    }
}

TEST(phrases) {
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
TEST(bare) {
    tz_guarded guarded;
    tz_sentence none;
    assert_ok(tz_sentence_new(arena, 0, &none));
    assert_ok(tz_guards_find(table, arena, &none, 0, &guarded));
    for (int g = 0; g < TZ_GUARDS; g++)
        assert_int_equal(broken("a/_/0/_ b/_/1/_ c/_/2/_ d/_/1/_", "1001", (tz_guard)g, 0), 0);
}

/* ---- The search ------------------------------------------------------------------------------ */

static const char plant[] = "The/DT/2/det plant/NN/4/nsubj will/MD/4/aux close/VB/0/root "
                            "unless/IN/7/mark fees/NNS/7/nsubj:pass fall/VBP/4/advcl ././4/punct";
static const char ann[] = "Ann/NNP/3/nsubj Lee/NNP/1/flat ate/VBD/0/root the/DT/6/det "
                          "old/JJ/6/amod pie/NN/3/obj in/IN/8/case Rome/NNP/3/obl";

/* The best score of these words alone, over all trees; prices of the root are in the scores. */
static double best_tree(tz_chart *chart, const tz_scored *scored, double *bigram, unsigned kept) {
    const tz_shape *shape = &scored->shape[1];
    int32_t n = scored->lengths[0];
    tz_scores scores[2] = {scored->scores[0], tz_scores_dense(shape, bigram)};
    tz_problem problem = {.lengths = scored->lengths, .scores = scores};
    memcpy(bigram, scored->data[1], scored->cells[1] * sizeof *bigram);
    for (int32_t i = 0; i <= n; i++)
        for (int32_t j = i + 1; j <= n + 1; j++) {
            bool can = (i == 0 || kept >> (i - 1) & 1) && (j > n || kept >> (j - 1) & 1);
            for (int32_t k = i + 1; k < j; k++)
                can = can && !(kept >> (k - 1) & 1);
            if (!can)
                bigram[(i - shape->origin[0]) * shape->extent[1] + j - shape->origin[1]] =
                    -INFINITY;
        }
    run_inside(chart, &problem, 1);
    double value = goal_of(chart, 0);
    return value;
}

/* The prices of needs and neighbours. */
static double owed(const tz_guarded *guarded, unsigned kept) {
    int32_t n = guarded->words, last = 0;
    double sum = 0;
    for (int32_t a = 1; a <= n + 1; a++) {
        if (a <= n && !(kept >> (a - 1) & 1))
            continue;
        sum += tz_apart(guarded, last, a) ? TZ_GUARD_PRICE : 0;
        last = a;
        for (int32_t b = 1; a <= n && b <= n; b++)
            sum += kept >> (b - 1) & 1 ? 0 : tz_need_price(guarded, a, b);
    }
    return sum;
}

static double price_of_root(const tz_guarded *guarded, tz_scored *scored, double price,
                            bool limited) {
    const tz_shape *shape = &scored->shape[0];
    for (int32_t m = 1; m <= guarded->words; m++)
        scored->data[0][(0 - shape->origin[0]) * shape->extent[1] + m - shape->origin[1]] -=
            price * tz_root_price(guarded, m, limited);
    return price;
}

/* Scores at random: the search finds what the best of all choices of words scores. */
static void check_search(tz_model *model, const char *text, int64_t low, int64_t high) {
    tz_sentence s = make(text);
    const tz_sentence *sentence = &s;
    int32_t answer[MOST + 1], *answers[1] = {answer};
    tz_words words = {low, high, high == 0};
    tz_guarded guarded;
    OWNED(tz_scored, scored) = {0};
    OWN(tz_compress_decoder, decoder) = NULL;
    double bigram[(MOST + 2) * (MOST + 2)], best = -INFINITY;
    assert_ok(tz_outline_new(arena, NULL, &s));
    assert_ok(tz_compress_decoder_new(model, 1, &decoder, NULL));
    assert_ok(tz_decode_compress(decoder, &sentence, 1, &words, answers, NULL));
    assert_ok(tz_guards_find(table, arena, &s, high > 0 ? TZ_GUARDS_LIMITED : 0, &guarded));
    assert_ok(tz_score_sentence(model, model->weight, &s, &scored));
    OWN(tz_plan, plan) = make_plan(model->rules, tz_semiring_find("max", TZ_F64), 0);
    OWN(tz_chart, chart) = make_chart(plan);
    double price = price_of_root(&guarded, &scored, tz_compress_price(decoder, &words), high > 0);
    unsigned found = 0;
    for (int32_t w = 1; w <= s.words; w++)
        found |= (unsigned)(answer[w] >= 0) << (w - 1);
    unsigned must = 0;
    for (int32_t w = 1; w <= s.words; w++)
        must |= (unsigned)guarded.must[w] << (w - 1);
    assert_true(high == 0 || must == 0);
    unsigned stop = strcmp(s.form[s.words], ".") == 0 ? 1u << (s.words - 1) : 0, first = 1;
    for (unsigned kept = 1; kept < 1u << s.words; kept++) {
        int64_t count = __builtin_popcount(kept);
        if ((high > 0 && (count < low || count > high)) || (kept & must) != must)
            continue;
        double score = best_tree(chart, &scored, bigram, kept) - price * owed(&guarded, kept);
        first = score > best ? kept : first;
        best = score > best ? score : best;
    }
    double score = best_tree(chart, &scored, bigram, found) - price * owed(&guarded, found);
    assert_true(found != stop);
    assert_true(first == stop || (score > best - 1e-6 && score < best + 1e-6));
}

TEST(search) {
    random_state random = random_start("scores");
    for (int trial = 0; trial < 12; trial++) {
        tz_labels none = {0};
        OWN(tz_model, model) = NULL;
        assert_ok(tz_model_new(&tz_compressor, "compress-single-root", 8, &none, &model));
        for (size_t w = 0; w < tz_model_size(model); w++)
            model->weight[w] = (float)random_below(&random, 200) / 50 - 2;
        check_search(model, trial % 2 ? plant : ann, 0, 0);
        check_search(model, sold, 0, 0);
        check_search(model, trial % 2 ? plant : ann, 2 + trial % 5, 2 + trial % 5);
        check_search(model, trial % 2 ? ann : plant, 2, 4);
    }
}

static int attempt(void *user) {
    const tz_sentence *sentence = user;
    OWN(tz_guard_table, own) = NULL;
    tz_guarded guarded;
    OWN(tz_arena, room) = tz_arena_new();
    tz_status status = room ? tz_guard_table_new(&own) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_guards_find(own, room, sentence, 0, &guarded);
    return (int)status;
}

TEST(memory) {
    tz_sentence s = make(police);
    oom_sweep("guards", attempt, &s, TZ_NO_MEMORY, false);
}

TEST(names) {
    for (unsigned g = 0; g < TZ_GUARDS; g++)
        assert_non_null(tz_guard_name(g));
    assert_null(tz_guard_name(TZ_GUARDS));
}

TESTS_BETWEEN(set_up, tear_down)
