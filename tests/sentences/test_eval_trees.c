/* test_eval_trees.c - are the figures of trees what their definitions say? By hand, and against
 * brute force over pairs of constituents. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "sentences/eval/trees.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/read_trees.h"
#include "tests/support/shell.h"

/* ---- Brute force ----------------------------------------------------------------------------- */

enum { WORDS = 6, MOST = 64 };
static const char *const tags[] = {"N", "V", ",", "''"};

/* A tree over words from..until-1, tagged as tag says. */
static void draw(random_state *random, tz_text *text, int from, int until, const int *tag) {
    char leaf[32];
    if (until - from == 1 && random_below(random, 2)) {
        snprintf(leaf, sizeof leaf, "(%s w%d)", tags[tag[from]], from);
        tz_text_put(text, leaf);
        return;
    }
    tz_text_put(text, random_below(random, 2) ? "(A " : "(B ");
    int cut =
        until - from == 1 ? until : from + 1 + (int)random_below(random, (uint64_t)(until - from));
    draw(random, text, from, cut, tag);
    if (cut < until)
        draw(random, text, cut, until, tag);
    tz_text_put(text, ")");
}

typedef struct found {
    int begin, end;
    const char *category;
} found;

/* Constituents in places between counted words. */
static int list(const tz_tree *tree, const tz_tree *gold, bool punctuation, found *ret) {
    int count = 0;
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        int place[2] = {0, 0};
        for (uint32_t w = 0; w < node->end; w++) {
            const char *tag = gold->word[w].tag;
            bool counts = punctuation || (strcmp(tag, ",") != 0 && strcmp(tag, "''") != 0);
            place[0] += counts && w < node->begin;
            place[1] += counts;
        }
        if (!tz_tree_leaf(node) && place[0] < place[1])
            ret[count++] = (found){place[0], place[1], node->category};
    }
    return count;
}

TEST(force) {
    random_state random = random_start("eval trees");
    for (int i = 0; i < 3000; i++) {
        OWNED(tz_text, text) = {0};
        int tag[WORDS], words = 1 + (int)random_below(&random, WORDS);
        bool punctuation = random_below(&random, 2);
        for (int t = 0; t < 2; t++) {
            for (int w = 0; w < words; w++)
                tag[w] = (int)random_below(&random, 4);
            draw(&random, &text, 0, words, tag);
        }
        OWNED(trees, read) = trees_in(text.data, text.size);
        found right[MOST], is[MOST];
        bool used[MOST] = {false};
        int rights = list(&read.tree[0], &read.tree[0], punctuation, right), both = 0, crossing = 0;
        int count = list(&read.tree[1], &read.tree[0], punctuation, is), same_tags = 0;
        for (int f = 0; f < count; f++) {
            bool crosses = false, matched = false;
            for (int r = 0; r < rights; r++) {
                const found *p = &right[r], *q = &is[f];
                bool same = p->begin == q->begin && p->end == q->end &&
                            strcmp(p->category, q->category) == 0;
                if (same && !used[r] && !matched)
                    used[r] = matched = true;
                crosses |= (p->begin < q->begin && q->begin < p->end && p->end < q->end) ||
                           (q->begin < p->begin && p->begin < q->end && q->end < p->end);
            }
            both += matched;
            crossing += crosses;
        }
        for (int w = 0; w < words; w++)
            same_tags += strcmp(read.tree[0].word[w].tag, read.tree[1].word[w].tag) == 0;
        tz_ratio r[TZ_TREES_FIGURES];
        assert_ok(tz_trees_measure(&read.tree[0], &read.tree[1], punctuation, r));
        const tz_ratio expected[TZ_TREES_FIGURES] = {
            [TZ_TREES_F1] = {2 * both, rights + count},
            [TZ_TREES_PRECISION] = {both, count},
            [TZ_TREES_RECALL] = {both, rights},
            [TZ_TREES_CROSSING] = {crossing, count},
            [TZ_TREES_UNCROSSED] = {crossing == 0, 1},
            [TZ_TREES_EXACT] = {both == rights && both == count, 1},
            [TZ_TREES_TAGS] = {same_tags, words}};
        assert_memory_equal(r, expected, sizeof expected);
    }
}

/* ---- Commands -------------------------------------------------------------------------------- */

TEST(commands) {
    write_file("gold.ptb",
               "( (S (NP-SBJ (NN a)) (VP (VB b) (NP (NN c)) (PP (IN d) (NN e))) (. .)))\n"
               "(ROOT (NP (NN a)\n (, ,)))");
    write_file("system.ptb", "(S (NP (NN a)) (VP (VB b) (NP (NP (NN c)) (PP (IN d) (NN e)))) (. .))"
                             "(X (NN a) (: ,))");
    shell("trapeze eval trees gold.ptb system.ptb");
    /* right: S NP VP NP PP NP, found: S NP VP NP NP PP X, both: S NP VP NP PP */
    assert_result("constituents: F1           76.92 %  [  0.00,  90.91]\n"
                  "  precision                71.43 %  [  0.00,  83.33]  5 of 7 constituents\n"
                  "  recall                   83.33 %  [  0.00, 100.00]  5 of 6 constituents\n"
                  "crossing                    0.00 %  [  0.00,   0.00]  0 of 7 constituents\n"
                  "trees without crossing    100.00 %  [100.00, 100.00]  2 of 2 trees\n"
                  "exact trees                 0.00 %  [  0.00,   0.00]  0 of 2 trees\n"
                  "tags                       87.50 %  [ 50.00, 100.00]  7 of 8 words\n"
                  "2 trees; in brackets 95 % of 10000 bootstrap samples of them\n");
    prints("figure\tvalue\nconstituents.f1\t0.7692307692307693\n"
           "constituents.precision\t0.7142857142857143\n",
           "trapeze eval trees -f tsv --punctuation gold.ptb system.ptb | cut -f 1,2 | head -3");
    prints("value 1 1 1 0 1 1 1 ",
           "trapeze eval trees -f tsv gold.ptb gold.ptb | cut -f 2 | tr '\\n' ' '");
    prints("1\n", "trapeze eval trees gold.ptb system.ptb gold.ptb | head -1 | grep -c '2 > 1'");
    refused("one.ptb has fewer trees than gold.ptb",
            "sed 's,(X.*,,' system.ptb > one.ptb; trapeze eval trees gold.ptb one.ptb");
    refused("one.ptb has fewer trees than gold.ptb", "trapeze eval trees one.ptb gold.ptb");
    refused("standard input:1: the tree has 1 words, that of gold.ptb:1 has 6",
            "echo '(S (NN a))' | trapeze eval trees gold.ptb -");
    refused("x.ptb:1: word 3 is 'x', in gold.ptb:1 it is 'c'",
            "sed s/c/x/ gold.ptb > x.ptb; trapeze eval trees gold.ptb x.ptb");
    refused("standard input:1:1: the bracket that is opened here is never closed",
            "echo '(S (NN a)' | trapeze eval trees gold.ptb -");
    usage("two files are needed: GOLD and SYSTEM", "trapeze eval trees gold.ptb");
    usage("GOLD is read twice, and so cannot be standard input",
          "trapeze eval trees - system.ptb gold.ptb");
    usage("unknown task 'tree'; did you mean 'trees'?", "trapeze eval tree gold.ptb");
}

static int attempt(void *user) {
    const trees *pair = user;
    tz_ratio r[TZ_TREES_FIGURES];
    return (int)tz_trees_measure(&pair->tree[0], &pair->tree[1], false, r);
}

TEST(memory) {
    static const char text[] = "(S (A a) (B b)) (S (A a) (B b))";
    OWNED(trees, pair) = trees_in(text, sizeof text - 1);
    assert_int_equal(oom_sweep("trees", attempt, &pair, TZ_NO_MEMORY, false), 2);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
