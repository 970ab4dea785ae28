/* test_outline.c - is what the compressor sees of a tree what the tree says?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/outline/outline.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

/* A random projective tree over words first..last, whose top hangs on `head`. */
static void grow(random_state *random, int32_t *head, int32_t first, int32_t last, int32_t above) {
    if (first > last)
        return;
    int32_t top = first + (int32_t)random_below(random, (uint64_t)(last - first + 1));
    head[top] = above;
    for (int side = 0; side < 2; side++) {
        int32_t from = side ? top + 1 : first, to = side ? last : top - 1;
        while (from <= to) {
            int32_t end = from + (int32_t)random_below(random, (uint64_t)(to - from + 1));
            grow(random, head, from, end, top);
            from = end + 1;
        }
    }
}

static tz_status make(tz_arena *arena, const char *const *form, int32_t n, tz_sentence *ret) {
    tz_status status = tz_sentence_new(arena, n, ret);
    for (int32_t w = 1; w <= n && status == TZ_OK; w++) {
        char label[16];
        status = tz_sentence_form(arena, ret, w, form ? form[w - 1] : "word");
        snprintf(label, sizeof label, "l%d", (int)w % 5);
        tz_sentence_column(ret, w, TZ_UPOS, w % 3 ? "NOUN" : "VERB");
        tz_sentence_column(ret, w, TZ_XPOS, "_");
        tz_sentence_column(ret, w, TZ_DEPREL, label);
        ret->head[w] = w - 1;
    }
    return status;
}

/* Steps from m up to h; 0: h is not above m. */
static int32_t climb(const int32_t *head, int32_t h, int32_t m) {
    int32_t steps = 0;
    while (m > 0 && m != h) {
        m = head[m];
        steps++;
    }
    return m == h ? steps : 0;
}

static void check_relation(const tz_outline *o, const int32_t *head, int32_t h, int32_t m) {
    int32_t up = climb(head, h, m), down = h > 0 ? climb(head, m, h) : 0;
    tz_relation expected = h == m                        ? TZ_UNRELATED
                           : up == 1                     ? TZ_HEAD_OF
                           : up == 2                     ? TZ_ANCESTOR2
                           : up == 3                     ? TZ_ANCESTOR3
                           : up > 3                      ? TZ_ANCESTOR4
                           : down == 1                   ? TZ_CHILD_OF
                           : down > 1                    ? TZ_DESCENDANT
                           : h > 0 && head[h] == head[m] ? TZ_SIBLING
                                                         : TZ_UNRELATED;
    assert_int_equal(tz_relation_of(o, h, m), expected);
}

/* The next sibling on the same side of the head, from m in this direction. */
static uint64_t sibling(const tz_sentence *s, int32_t m, int32_t step) {
    int32_t h = s->head[m];
    for (int32_t w = m + step; w > 0 && w <= s->words && w != h; w += step)
        if (s->head[w] == h)
            return s->word[w].deprel;
    return 0;
}

TEST(trees) {
    random_state random = random_start("outline");
    for (int round = 0; round < 200; round++) {
        int32_t n = (int32_t)random_below(&random, 13);
        OWN(tz_arena, arena) = tz_arena_new();
        tz_sentence s;
        assert_ok(make(arena, NULL, n, &s));
        for (int32_t from = 1; from <= n;) { /* several roots now and then */
            int32_t to = from + (int32_t)random_below(&random, (uint64_t)(n - from + 1));
            to = random_below(&random, 2) ? n : to;
            grow(&random, s.head, from, to, 0);
            from = to + 1;
        }
        assert_ok(tz_outline_new(arena, NULL, &s));
        const tz_outline *o = s.outline;
        for (int32_t m = 1; m <= n; m++) {
            const tz_outline_word *w = &o->word[m];
            int32_t first = m, last = m;
            for (int32_t d = 1; d <= n; d++) {
                first = climb(s.head, m, d) > 0 && d < first ? d : first;
                last = climb(s.head, m, d) > 0 && d > last ? d : last;
            }
            assert_int_equal(w->first, first);
            assert_int_equal(w->last, last);
            assert_int_equal(w->depth, climb(s.head, 0, m));
            assert_int_equal(w->label, s.word[m].deprel);
            uint64_t before = sibling(&s, m, -1), after = sibling(&s, m, 1);
            assert_true(before ? w->before == before : w->before < 8);
            assert_true(after ? w->after == after : w->after < 8);
            for (int32_t h = 0; h <= n; h++)
                check_relation(o, s.head, h, m);
        }
    }
}

TEST(words) {
    static const char *const form[] = {"Never", "runs",          "(",  "2,000", "11th",    ")",
                                       "\"",    "\u00c9t\u00e9", "\"", "n't",   "Running", "--"};
    enum { N = sizeof form / sizeof *form };
    OWN(tz_arena, arena) = tz_arena_new();
    tz_sentence s;
    assert_ok(make(arena, form, N, &s));
    tz_sentence_column(&s, 2, TZ_UPOS, "VERB");
    tz_sentence_column(&s, 11, TZ_UPOS, "VERB");
    assert_ok(tz_outline_new(arena, NULL, &s));
    const tz_outline_word *w = s.outline->word;
    assert_true(w[1].capital && !w[2].capital && w[11].capital);
    assert_true(!w[3].bracketed && w[4].bracketed && w[5].bracketed && !w[6].bracketed);
    assert_true(!w[7].quoted && w[8].quoted && !w[9].quoted && !w[10].quoted);
    assert_true(w[4].word == w[5].word && w[4].word != w[1].word);
    assert_true(w[1].word == tz_form_value("never"));
    assert_true(w[2].stem != 0 && w[2].stem == w[11].stem && w[1].stem == 0);
    assert_true(w[3].symbol && w[12].symbol && !w[1].symbol && !w[4].symbol && !w[8].symbol);
    assert_true(w[10].negated && w[9].negated && !w[8].negated); /* each word's head is before it */
    assert_int_equal(w[0].head, -1);
    assert_true(w[0].word != w[N + 1].word);
}

static int attempt(void *user) {
    (void)user;
    tz_sentence s;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_status status = arena ? make(arena, NULL, 5, &s) : TZ_NO_MEMORY;
    status = status == TZ_OK ? tz_outline_new(arena, NULL, &s) : status;
    return (int)status;
}

TEST(memory) {
    assert_true(oom_sweep("outline", attempt, NULL, TZ_NO_MEMORY, false) > 1);
}
