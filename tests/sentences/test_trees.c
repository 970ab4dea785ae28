/* test_trees.c - are trees in brackets read as they stand, cleaned, given heads, and written; and
 * does what is wrong have its message? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "sentences/trees/heads.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/read_corpus.h"
#include "tests/support/read_trees.h"

static void assert_read(const char *text, const char *const *expected, size_t count) {
    OWNED(trees, read) = {0};
    OWNED(tz_text, written) = {0};
    tz_error error;
    if (trees_of_text(text, strlen(text), &read, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(read.count, count);
    for (size_t t = 0; t < count; t++)
        assert_string_equal(tree_text(&read.tree[t], &written), expected[t]);
}

TEST(forms) {
    static const char *const dogs[] = {"(S (NP (NNS Dogs)) (VP (VBP bark)))", "(UH hi)"};
    assert_read("(S (NP (NNS Dogs)) (VP (VBP bark))) (UH hi)", dogs, 2);
    assert_read("((S (NP (NNS Dogs))(VP(VBP bark))))((UH hi))\n\n", dogs, 2);
    assert_read("(ROOT\r\n  (S\t(NP (NNS\n  Dogs) )\n\n (VP (VBP bark))))\n(TOP (UH hi) )", dogs,
                2);
    assert_read("( (ROOT (S (NP (NNS Dogs)) (VP (VBP bark)))))(ROOT (TOP (UH hi)))", dogs, 2);
    static const char *const fragments[] = {"(ROOT (UH hi) (. !))", "(ROOT hi)"};
    assert_read("(ROOT (UH hi) (. !)) (ROOT hi)", fragments, 2);
    assert_read("", NULL, 0);
    assert_read(" \n\t\r\n", NULL, 0);
}

TEST(cleaned) {
    static const struct {
        const char *text, *cleaned;
    } cases[] = {
        {"(S (NP-SBJ-1 (-NONE- *)) (VP (VBZ is) (NP=2 (NN x))))", "(S (VP (VBZ is) (NP (NN x))))"},
        {"(S (NP (NP (-NONE- *T*-1)) (SBAR (-NONE- 0))) (ADVP|PRT (RP|RB up)))",
         "(S (ADVP (RP up)))"},
        {"( (S (-NONE- *)) (NP (NN x)))", "(NP (NN x))"}, /* one constituent is left */
        {"(PRN (-LRB- -LRB-) (NN a-LRB-b) (-RRB- -RRB-))",
         "(PRN (-LRB- -LRB-) (NN a-LRB-b) (-RRB- -RRB-))"},
        {"(X (A -LSB-) (A -RSB-) (A -LCB-) (A -RCB-) (A [) (A -LRB) (A --LRB--))",
         "(X (A -LSB-) (A -RSB-) (A -LCB-) (A -RCB-) (A -LSB-) (A -LRB) (A --LRB--))"},
        {"(X (= =) (-- -NONE-) (| |))", "(X (= =) (-- -NONE-) (| |))"},
        {"(X] ({-a b) ([ c))", "(X] ({ b) ([ c))"},
        {"(X (NN a\u200ab) (NN \u00a0) (NN \v))", "(X (NN a\u200ab) (NN \u00a0) (NN \v))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_read(cases[i].text, &cases[i].cleaned, 1);
        assert_read(cases[i].cleaned, &cases[i].cleaned, 1);
    }
    const char text[] = "(X (-LRB- -LRB-) (NN a-RRB--LCB-b))";
    OWNED(trees, read) = trees_in(text, sizeof text - 1);
    assert_string_equal(read.tree[0].word[0].form, "(");
    assert_string_equal(read.tree[0].word[0].tag, "-LRB-");
    assert_string_equal(read.tree[0].word[1].form, "a){b");
}

/* What brackets cannot say otherwise, and constituents that were dropped. */
TEST(written) {
    tz_tree_word word[] = {{"a b", "("}, {")", "NN"}};
    tz_draft_node draft[] = {{"x(y", 1, TZ_NO_NODE, 2, 0},
                             {"(", TZ_NO_NODE, 2, TZ_NO_NODE, 0},
                             {"NN", TZ_NO_NODE, TZ_NO_NODE, TZ_NO_NODE, 1}};
    OWN(tz_arena, arena) = tz_arena_new();
    tz_tree tree;
    OWNED(tz_text, text) = {0};
    assert_ok(tz_tree_number(arena, draft, 3, 0, word, &tree));
    assert_string_equal(tree_text(&tree, &text), "(x-LRB-y (-LRB- a\u00a0b) (NN -RRB-))");
    const uint8_t dropped[] = {0, 0, 1};
    tz_text_clear(&text);
    tz_brackets_write(&tree, dropped, &text);
    tz_text_add(&text, "", 1);
    assert_string_equal(text.data, "(x-LRB-y (-LRB- a\u00a0b) (NN-DEL -RRB-))");
}

TEST(refused) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"(S (NP (NN a))", "in:1:1: the bracket that is opened here is never closed"},
        {"(S (NN a))\n\n (S\n  (NP (NN a)",
         "in:4:3: the bracket that is opened here is never closed"},
        {"(S (NN \u00fc) (NN b)))", "in:1:18: this bracket closes none"},
        {"(S (NP))", "in:1:4: NP has neither a word nor constituents"},
        {"(S (NN a) ())", "in:1:11: there is nothing between these brackets"},
        {"()", "in:1:1: there is nothing between these brackets"},
        {"(S (NN a b))",
         "in:1:10: two words, 'a' and 'b', under one tag, NN: each has brackets of its own"},
        {"(S (NN a) b)", "in:1:11: the word 'b' stands beside constituents: a word has brackets of "
                         "its own, (TAG WORD)"},
        {"(S b (NN a))", "in:1:6: the word 'b' and a constituent stand side by side: a word has "
                         "brackets of its own, (TAG WORD)"},
        {"( (NN a) b)", "in:1:10: the word 'b' stands beside constituents: a word has brackets of "
                        "its own, (TAG WORD)"},
        {"\n( (S (NP (-NONE- *))))",
         "in:2:1: nothing is left of the tree without its traces (-NONE-)"},
        {"(-NONE- *)", "in:1:1: nothing is left of the tree without its traces (-NONE-)"},
        {"( (NN a) (NN b))", "in:1:1: brackets without a category hold more than one tree"},
        {"( (S (NN a))\n( (S (NN b)))", "in:2:1: brackets without a category stand inside a tree, "
                                        "that of 1:1: is one of its brackets not closed?"},
        {"(S (NN a)) b\033[31m\u00fcber", "in:1:12: 'b?[31m\u00fcber' stands outside brackets"},
        {"wordwordwordwordwordwordwordwordwordwordwordwordwordword",
         "in:1:1: 'wordwordwordwordwordwordwordwordwordwordword...' stands outside brackets"},
        {"(S (NN a))\n(S (NN \xff))", "in:2: byte 8 of the line is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OWNED(trees, read) = {0};
        tz_error error;
        assert_int_equal(trees_of_text(wrong[i].text, strlen(wrong[i].text), &read, &error), TZ_IO);
        assert_string_equal(error.message, wrong[i].message);
    }
}

/* Each line one rule; ^ stands before the head child. */
TEST(heads) {
    static const char *const rules[] = {
        "(S (NP x) ^(VP x) (. x))",
        "(S ^(TO x) (VP x))",
        "(S ^(NP x) (NP x))",
        "(NP (DT x) (NN x) ^(NN x))",
        "(NP (NN x) ^(POS x))",
        "(NP ^(NP x) (PP x) (NP x))",
        "(NP (JJ x) ^(CD x))",
        "(NP (DT x) ^(JJ x))",
        "(NP (DT x) ^(DT x))",
        "(NML (NN x) ^(NN x) (RB x))",
        "(NP ^(NN x) (CC x) (NN x))",
        "(NP (CC x) ^(NN x))",
        "(NP (ADJP x) ^($ x) (CD x))",
        "(VP ^(MD x) (VP x))",
        "(VP (ADVP x) ^(VBD x) (VBD x))",
        "(VP ^(VP x) (CC x) (VP x))",
        "(PP (RB x) ^(IN x) (NP x))",
        "(PP (IN x) (NP x) ^(IN x))",
        "(PP (X x) ^(Y x))",
        "(ADVP (RB x) ^(RB x) (PP x))",
        "(ADJP (RB x) ^(JJ x))",
        "(WHPP ^(IN x) (WHNP x))",
        "(WHADVP ^(WRB x) (RB x))",
        "(SBAR ^(WHNP x) (S x))",
        "(X ^(A x) (B x))",
        "(FRAG (A x) ^(B x))",
        "(QP ^(RB x) (CD x) (CD x))",
        "(PRT ^(RP x) (X x))",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char text[64];
        size_t before = strcspn(rules[i], "^"), child = 0;
        snprintf(text, sizeof text, "%.*s%s", (int)before, rules[i], rules[i] + before + 1);
        for (size_t c = 1; c < before; c++)
            child += rules[i][c] == '(';
        OWNED(trees, read) = trees_in(text, strlen(text));
        if (read.tree[0].node[0].head_word != child || read.tree[0].node[0].head != child + 1)
            fail_msg("%s: %u", rules[i], read.tree[0].node[0].head_word);
    }
}

/* ---- Any trees ------------------------------------------------------------------------------- */

/* Tree structure as it was drawn: parents, spans and sisters agree. */
static void check_links(const tz_tree *tree) {
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        uint32_t at = node->begin, behind = x + 1;
        for (uint32_t c = node->first; c != TZ_NO_NODE; c = tree->node[c].next) {
            assert_int_equal(c, behind);
            assert_int_equal(tree->node[c].parent, x);
            assert_int_equal(tree->node[c].begin, at);
            at = tree->node[c].end;
            behind = tz_tree_behind(tree, c);
        }
        assert_int_equal(at, tz_tree_leaf(node) ? node->begin : node->end);
        assert_int_equal(behind, tz_tree_behind(tree, x));
        if (tz_tree_leaf(node))
            assert_int_equal(node->end, node->begin + 1);
        else
            assert_int_equal(tree->node[node->head].parent, x);
        assert_in_range(node->head_word, node->begin, node->end - 1);
    }
}

static void draw(random_state *random, tz_text *text, int depth) {
    static const char *const categories[] = {"S", "NP", "VP", "CC", "-LRB-"};
    tz_text_put(text, "(");
    tz_text_put(text, categories[random_below(random, 5)]);
    tz_text_put(text, " ");
    uint64_t children = depth == 0 ? 0 : random_below(random, 4);
    if (children == 0)
        tz_text_put(text, random_below(random, 2) ? "-LRB-" : "w\u00f6rt");
    for (uint64_t c = 0; c < children; c++) {
        tz_text_put(text, c > 0 ? " " : "");
        draw(random, text, depth - 1);
    }
    tz_text_put(text, ")");
}

TEST(random) {
    random_state random = random_start("trees");
    OWNED(tz_text, text) = {0}, written = {0};
    for (int i = 0; i < 2000; i++) {
        tz_text_clear(&text);
        draw(&random, &text, 5);
        OWNED(trees, read) = trees_in(text.data, text.size);
        assert_int_equal(read.count, 1);
        check_links(&read.tree[0]);
        tree_text(&read.tree[0], &written);
        assert_int_equal(written.size, text.size + 1);
        assert_memory_equal(written.data, text.data, text.size);
    }
}

/* Any bytes are trees that are written and read alike, or wrong in a place that is told. */
TEST(damaged) {
    static const char text[] =
        "( (S (NP-SBJ (-NONE- *)) (VP (VBZ is) (NP (-LRB- -LRB-)))))\n(A b)\n";
    static const char bytes[] = "()() \n-=|NONE\xc3\xa4";
    random_state random = random_start("damaged trees");
    int wrong = 0;
    for (int round = 0; round < AMOUNT(30000, 3000); round++) {
        char damaged[sizeof text];
        trees again;
        OWNED(trees, read) = {0};
        tz_error error = {TZ_OK, ""};
        memcpy(damaged, text, sizeof text);
        for (uint64_t c = 1 + random_below(&random, 4); c > 0; c--)
            damaged[random_below(&random, sizeof text - 1)] =
                bytes[random_below(&random, sizeof bytes - 1)];
        tz_status status = trees_of_text(damaged, sizeof text - 1, &read, &error);
        assert_true(status == TZ_OK || (status == TZ_IO && strncmp(error.message, "in:", 3) == 0));
        wrong += status == TZ_IO;
        for (size_t t = 0; t < read.count; t++) {
            OWNED(tz_text, written) = {0};
            check_links(&read.tree[t]);
            tree_text(&read.tree[t], &written);
            again = trees_in(written.data, written.size - 1);
            assert_int_equal(again.count, 1);
            assert_true(tz_tree_same(&read.tree[t], &again.tree[0]));
            trees_free(&again);
        }
    }
    print_message("%d wrong\n", wrong);
    assert_in_range(wrong, AMOUNT(3000, 300), AMOUNT(29999, 2999));
}

/* 100,000 brackets deep: first a chain, then with a word on the left and the right of each. */
TEST(deep) {
    enum { DEPTH = 100000 };
    static const char *const open[] = {"(a ", "(a (b x) "}, *const close[] = {")", " (b x))"};
    for (int kind = 0; kind < 2; kind++) {
        OWNED(tz_text, text) = {0}, written = {0};
        for (int i = 0; i < DEPTH; i++)
            tz_text_put(&text, open[kind]);
        tz_text_put(&text, "(a x)");
        for (int i = 0; i < DEPTH; i++)
            tz_text_put(&text, close[kind]);
        OWNED(trees, read) = trees_in(text.data, text.size);
        assert_int_equal(read.tree[0].nodes, kind == 0 ? DEPTH + 1 : 3 * DEPTH + 1);
        tree_text(&read.tree[0], &written);
        assert_int_equal(written.size, text.size + 1);
        assert_memory_equal(written.data, text.data, text.size);
    }
}

/* ---- Treebanks ------------------------------------------------------------------------------- */

/* The same part in CoNLL-U. */
static tz_corpus craft_corpus(const char *part, const trees *same) {
    char path[512];
    snprintf(path, sizeof path, TZ_SOURCE_ROOT "/../shared/data/craft/craft-%s.conllu", part);
    const tz_corpus corpus = corpus_of(path, true);
    assert_int_equal(corpus.count, same->count);
    return corpus;
}

/* The treebank's CoNLL-U has other quotation marks, and no thin spaces (U+2009, U+200A) at the ends
 * of words. */
static bool same_word(const char *word, const char *conllu) {
    if (strcmp(conllu, "\"") == 0)
        return strcmp(word, "``") == 0 || strcmp(word, "''") == 0;
    const char *at = strstr(word, conllu);
    static const char *const thin[] = {"", "\u2009", "\u200a"};
    bool before = false, behind = false;
    for (size_t i = 0; at && i < 3; i++) {
        before |= (size_t)(at - word) == strlen(thin[i]) && strncmp(word, thin[i], 3) == 0;
        behind |= strcmp(at + strlen(conllu), thin[i]) == 0;
    }
    return at && (at == word || before) && behind;
}

/* Read, written, read again: the same. Words and tags are those of the CoNLL-U. */
static void check_craft(const char *part, size_t count) {
    OWNED(trees, read) = craft_trees(part);
    OWNED(tz_corpus, corpus) = craft_corpus(part, &read);
    OWNED(tz_text, text) = {0};
    size_t different = 0;
    assert_int_equal(read.count, count);
    for (size_t t = 0; t < count; t++) {
        const tz_tree *tree = &read.tree[t];
        const tz_sentence *s = &corpus.sentence[t];
        check_links(tree);
        tree_text(tree, &text);
        OWNED(trees, again) = trees_in(text.data, text.size - 1);
        assert_int_equal(again.count, 1);
        assert_true(tz_tree_same(tree, &again.tree[0]));
        assert_int_equal(s->words, tree->words);
        for (size_t r = 0; r < s->rows; r++) {
            if (s->row[r].kind == TZ_WORD) {
                const tz_tree_word *word = &tree->word[s->row[r].first - 1];
                assert_true(same_word(word->form, s->row[r].column[TZ_FORM]));
                different += strcmp(word->form, s->row[r].column[TZ_FORM]) != 0;
                assert_string_equal(word->tag, s->row[r].column[TZ_XPOS]);
            }
        }
    }
    print_message("%s: %zu words are written otherwise in CoNLL-U\n", part, different);
}

TEST(craft_dev) {
    check_craft("dev", 2780);
}

TEST(craft_train) {
    check_craft("train", 18951);
}

/* The heads give 77.3 % of the dependencies of words that are no punctuation. */
TEST(craft_heads) {
    OWNED(trees, read) = craft_trees("dev");
    OWNED(tz_corpus, corpus) = craft_corpus("dev", &read);
    int words = 0, right = 0;
    for (size_t t = 0; t < read.count; t++) {
        const tz_tree *tree = &read.tree[t];
        const tz_sentence *s = &corpus.sentence[t];
        for (size_t r = 0; r < s->rows; r++) {
            const tz_conllu_row *row = &s->row[r];
            if (row->kind != TZ_WORD || strcmp(row->column[TZ_DEPREL], "punct") == 0)
                continue;
            uint32_t w = (uint32_t)row->first - 1, x = 0;
            while (tree->node[x].head_word != w)
                x++;
            uint32_t parent = tree->node[x].parent;
            int32_t head = parent == TZ_NO_NODE ? 0 : (int32_t)tree->node[parent].head_word + 1;
            right += head == row->head;
            words++;
        }
    }
    print_message("%d of %d\n", right, words);
    assert_int_equal(words, 54492);
    assert_in_range(right, words * 0.772, words * 0.774);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    (void)user;
    static const char text[] = "( (S (NP-SBJ (-NONE- *)) (VP (VBZ is) (NP (-LRB- -LRB-)))))\n(A b)";
    OWNED(trees, read) = {0};
    OWNED(tz_text, written) = {0};
    tz_error error;
    tz_status status = trees_of_text(text, sizeof text - 1, &read, &error);
    if (status == TZ_OK && !tree_text(&read.tree[0], &written))
        status = TZ_NO_MEMORY;
    return (int)status;
}

TEST(memory) {
    oom_sweep("trees", attempt, NULL, TZ_NO_MEMORY, false);
}
