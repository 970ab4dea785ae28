/* test_projective.c - are lifted trees projective, and the ones that the definition asks for?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/features/sentence/projective.h"
#include "tests/support/random.h"

enum { N = 9 };

/* h ->* w, by closing the relation step by step. */
static void closure(const int32_t *head, int32_t n, bool reach[N + 1][N + 1]) {
    memset(reach, 0, (N + 1) * sizeof *reach);
    for (int32_t w = 0; w <= n; w++)
        reach[w][w] = true;
    for (int32_t round = 0; round <= n; round++) {
        for (int32_t h = 0; h <= n; h++)
            for (int32_t m = 1; m <= n; m++)
                reach[h][m] = reach[h][m] || reach[h][head[m]];
    }
}

static bool projective_arc(bool reach[N + 1][N + 1], int32_t h, int32_t m) {
    for (int32_t w = 1; w <= N; w++)
        if (((h < w && w < m) || (m < w && w < h)) && !reach[h][w])
            return false;
    return true;
}

/* With the root at position 0, a tree is projective where no two arcs cross. */
static bool crossing(const int32_t *head, int32_t n) {
    for (int32_t a = 1; a <= n; a++) {
        for (int32_t b = 1; b <= n; b++) {
            int32_t al = a < head[a] ? a : head[a], ah = a < head[a] ? head[a] : a;
            int32_t bl = b < head[b] ? b : head[b], bh = b < head[b] ? head[b] : b;
            if (al < bl && bl < ah && ah < bh)
                return true;
        }
    }
    return false;
}

/* The definition, with everything worked out anew for each lift. */
static size_t lift_all(int32_t *head, int32_t n) {
    for (size_t lifts = 0;; lifts++) {
        bool reach[N + 1][N + 1];
        int32_t which = 0;
        closure(head, n, reach);
        for (int32_t m = n; m >= 1; m--)
            if (!projective_arc(reach, head[m], m) &&
                (which == 0 || abs(head[m] - m) <= abs(head[which] - which)))
                which = m;
        if (which == 0)
            return lifts;
        head[which] = head[head[which]];
    }
}

/* Words join in random order, each below one that has joined. */
static void random_tree(random_state *random, int32_t n, int32_t *head) {
    int32_t order[N + 1] = {0};
    for (int32_t w = 1; w <= n; w++) {
        int32_t at = 1 + (int32_t)(random_below(random, (uint64_t)w));
        memmove(order + at + 1, order + at, (size_t)(w - at) * sizeof *order);
        order[at] = w;
    }
    for (int32_t i = 1; i <= n; i++)
        head[order[i]] = order[random_below(random, (uint64_t)i)];
}

TEST(random) {
    random_state random = random_start("projective");
    size_t lifted = 0, already = 0;
    for (int round = 0; round < 4000; round++) {
        int32_t n = 1 + round % N;
        int32_t head[N + 1] = {0}, before[N + 1], expected[N + 1];
        bool reach[N + 1][N + 1];
        random_tree(&random, n, head);
        memcpy(before, head, sizeof head);
        memcpy(expected, head, sizeof head);
        bool was = !crossing(head, n);
        size_t lifts = tz_projectivise(head, n);
        assert_int_equal(lifts, lift_all(expected, n));
        assert_memory_equal(head, expected, sizeof head);
        assert_false(crossing(head, n));
        assert_true(was == (lifts == 0));
        closure(before, n, reach);
        for (int32_t m = 1; m <= n; m++) {
            assert_true(reach[head[m]][m]); /* an ancestor of before */
            assert_true(tz_arc_projective(head, m));
        }
        lifted += lifts > 0;
        already += was;
    }
    assert_true(lifted > 1000 && already > 1000);
}

/* 3 -> 1 and 1 -> 4 go over the root word, 2; the shorter arc is lifted first, and then the other
 * has 2 as the head of its head. */
TEST(known) {
    int32_t head[] = {0, 3, 0, 2, 1};
    const int32_t expected[] = {0, 2, 0, 2, 2};
    assert_int_equal(tz_projectivise(head, 4), 2);
    assert_memory_equal(head, expected, sizeof expected);
}
