/* test_tree_levels.c - do dependency trees become the constituents that `flat`, `prep` and `verb`
 * say? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "sentences/learn/analyse.h"
#include "sentences/trees/dependencies.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/read_corpus.h"
#include "tests/support/read_trees.h"
#include "tests/support/shell.h"

/* Words "FORM UPOS XPOS HEAD RELATION", one a line. */
static void conllu_of(const char *words, tz_text *text) {
    int w = 1, used = 0;
    char form[32], upos[16], xpos[16], head[8], relation[32];
    tz_text_clear(text);
    for (; sscanf(words, "%31s %15s %15s %7s %31s%n", form, upos, xpos, head, relation, &used) == 5;
         words += used) {
        char line[256];
        snprintf(line, sizeof line, "%d\t%s\t_\t%s\t%s\t_\t%s\t%s\t_\t_\n", w++, form, upos, xpos,
                 head, relation);
        tz_text_put(text, line);
    }
}

/* Of the only sentence; the corpus and arena hold what the tree borrows. */
static tz_status convert(const tz_text *conllu, tz_levels levels, tz_corpus *corpus,
                         tz_arena *arena, tz_tree *ret_tree, tz_error *error) {
    const tz_corpus_options options = {.keep_rows = true};
    tz_analysed item;
    tz_status status = read_corpus(conllu->data, conllu->size, &options, corpus, error);
    if (status == TZ_OK)
        status = tz_analysed_conllu(arena, corpus->sentence, &item);
    return status == TZ_OK ? tz_tree_of_dependencies(arena, "in", corpus->sentence, item.name,
                                                     levels, ret_tree, error)
                           : status;
}

static void assert_tree(const char *words, tz_levels levels, const char *expected) {
    OWNED(tz_text, conllu) = {0}, text = {0};
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_corpus, corpus) = {0};
    tz_tree tree;
    tz_error error;
    conllu_of(words, &conllu);
    if (convert(&conllu, levels, &corpus, arena, &tree, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_string_equal(tree_text(&tree, &text), expected);
}

static const char fell[] = "because SCONJ IN 4 mark\n"
                           "it PRON PRP 4 nsubj\n"
                           "never ADV RB 4 advmod\n"
                           "fell VERB VBD 7 advcl\n"
                           "I PRON PRP 7 nsubj\n"
                           "was AUX VBD 7 cop\n"
                           "glad ADJ JJ 0 root\n"
                           "out ADP IN 10 case\n"
                           "of ADP IN 10 case\n"
                           "habit NOUN NN 7 obl\n";

TEST(levels) {
    assert_tree(fell, TZ_LEVELS_FLAT,
                "(root (advcl (mark because) (nsubj it) (advmod never) (VBD fell)) (nsubj I) "
                "(cop was) (JJ glad) (obl (case out) (case of) (NN habit)))");
    assert_tree(fell, TZ_LEVELS_PREP,
                "(root (advcl+C (mark because) (S (nsubj it) (advmod never) (VBD fell))) (nsubj I) "
                "(cop was) (JJ glad) (obl+P (case out) (NP (case of) (NP habit))))");
    assert_tree(fell, TZ_LEVELS_VERB,
                "(root (advcl+C (mark because) (S (nsubj it) (VP (advmod never) (VBD fell)))) "
                "(nsubj I) (cop was) (JJ glad) (obl+P (case out) (NP (case of) (NP habit))))");
}

/* Relations are not looked at. */
TEST(tags) {
    assert_tree(fell, TZ_LEVELS_TAGS,
                "(JJ (VBD (IN because) (PRP it) (RB never) (VBD fell)) (PRP I) (VBD was) (JJ glad) "
                "(NN (IN out) (IN of) (NN habit)))");
    assert_tree("dogs NOUN NNS 2 _\nbark VERB _ 0 _\n", TZ_LEVELS_TAGS,
                "(VERB (NNS dogs) (VERB bark))");
}

TEST(verbs) {
    /* The auxiliary before the gap stays outside; a subtype is an auxiliary; UPOS AUX, too. */
    assert_tree("he PRON PRP 5 nsubj\nhas AUX VBZ 5 aux\noften ADV RB 5 obl\n"
                "been AUX VBN 5 aux:pass\nseen VERB VBN 0 root\nhere ADV RB 5 advmod\n",
                TZ_LEVELS_VERB,
                "(root (nsubj he) (aux has) (obl often) (VP (aux:pass been) (VBN seen) "
                "(advmod here)))");
    /* Alone in its VP: the leaf, with its tag; without others: one constituent. */
    assert_tree("dogs NOUN NNS 2 nsubj\nbark VERB VBP 0 root\n", TZ_LEVELS_VERB,
                "(root (nsubj dogs) (VBP bark))");
    assert_tree("do AUX VB 2 aux\nbark VERB VB 0 root\n", TZ_LEVELS_VERB,
                "(root (aux do) (VB bark))");
    assert_tree("dogs NOUN NNS 2 nsubj\nare AUX VBP 0 root\nhere ADV RB 2 advmod\n", TZ_LEVELS_VERB,
                "(root (nsubj dogs) (VP (VBP are) (advmod here)))");
    /* Below a conjunction, alone. */
    assert_tree("go VERB VB 0 root\nto PART TO 3 mark\nbark VERB VB 1 xcomp\n", TZ_LEVELS_VERB,
                "(root (VB go) (xcomp+C (mark to) (S bark)))");
}

TEST(prepositions) {
    /* With a dependent of its own, or not at the very left, or on the right, it stays. */
    assert_tree("right ADV RB 2 advmod\nin ADP IN 4 case\nthe DET DT 4 det\nbox NOUN NN 0 root\n",
                TZ_LEVELS_PREP, "(root (case (advmod right) (IN in)) (det the) (NN box))");
    assert_tree("not PART RB 3 advmod\nin ADP IN 3 case\nbox NOUN NN 0 root\n", TZ_LEVELS_PREP,
                "(root (advmod not) (case in) (NN box))");
    assert_tree("box NOUN NN 0 root\n's PART POS 1 case\n", TZ_LEVELS_PREP,
                "(root (NN box) (case 's))");
    /* A conjunction around a preposition; and the head is the outmost. */
    assert_tree("as SCONJ IN 3 mark\nin ADP IN 3 case\nbox NOUN NN 0 root\n", TZ_LEVELS_PREP,
                "(root+C (mark as) (S (case in) (NP box)))");
    assert_tree("in ADP IN 2 case:loc\nboxes NOUN _ 0 root\n", TZ_LEVELS_PREP,
                "(root+P (case:loc in) (NP boxes))");
    /* A tag that is not there is the coarse one; words at the root but the first hang on it. */
    assert_tree("boxes NOUN _ 0 root\nred ADJ _ 0 amod\n", TZ_LEVELS_FLAT,
                "(root (NOUN boxes) (amod red))");
}

/* 1 <- 3, 2 <- 4, crossing: 2 is lifted to 3's head, or rather 1 is lifted. */
TEST(crossing) {
    assert_tree("a X X 3 p\nb X X 4 q\nc X X 0 r\nd X X 3 s\n", TZ_LEVELS_FLAT,
                "(r (p a) (q b) (X c) (s d))");
}

TEST(refused) {
    static const struct {
        const char *words, *message;
        tz_levels levels;
    } wrong[] = {
        {"a X X _ p\n", "in:1: word 1 has no head (HEAD)", TZ_LEVELS_FLAT},
        {"a X X 0 p\nb X X 1 _\n", "in:1: word 2 has no relation (DEPREL)", TZ_LEVELS_FLAT},
        {"a _ _ 0 p\n", "in:1: word 1 has no tag (XPOS or UPOS)", TZ_LEVELS_FLAT},
        {"a _ X 0 p\n", "in:1: word 1 has no tag (UPOS), which --levels verb tells verbs by",
         TZ_LEVELS_VERB},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OWNED(tz_text, conllu) = {0};
        OWN(tz_arena, arena) = tz_arena_new();
        OWNED(tz_corpus, corpus) = {0};
        tz_tree tree;
        tz_error error;
        conllu_of(wrong[i].words, &conllu);
        assert_int_equal(convert(&conllu, wrong[i].levels, &corpus, arena, &tree, &error), TZ_IO);
        assert_string_equal(error.message, wrong[i].message);
    }
}

/* A random projective tree over words from..until-1 below `head`; returns its root. */
static int draw(random_state *random, int from, int until, int head, int *heads) {
    int root = from + (int)random_below(random, (uint64_t)(until - from));
    heads[root] = head;
    for (int side = 0; side < 2; side++) {
        int begin = side == 0 ? from : root + 1, end = side == 0 ? root : until;
        while (begin < end) {
            int cut = begin + 1 + (int)random_below(random, (uint64_t)(end - begin));
            draw(random, begin, cut, root, heads);
            begin = cut;
        }
    }
    return root;
}

/* `flat` loses nothing: heads and relations are found again. In all levels every word has its own
 * head word below it, and reading what is written gives the same spans and categories. */
TEST(random) {
    enum { MOST = 12 };
    static const char *const relations[] = {"case", "mark", "aux", "advmod", "nsubj", "cop"};
    random_state random = random_start("tree_levels");
    for (int i = 0; i < 1000; i++) {
        OWNED(tz_text, conllu) = {0};
        int heads[MOST + 1], n = 1 + (int)random_below(&random, MOST);
        draw(&random, 1, n + 1, 0, heads);
        for (int w = 1; w <= n; w++) {
            char line[96];
            snprintf(line, sizeof line, "%d\tw%d\t_\t%s\tT\t_\t%d\t%s\t_\t_\n", w, w,
                     random_below(&random, 2) ? "VERB" : "NOUN", heads[w],
                     relations[random_below(&random, 6)]);
            tz_text_put(&conllu, line);
        }
        for (unsigned levels = 0; tz_levels_name(levels); levels++) {
            OWN(tz_arena, arena) = tz_arena_new();
            OWNED(tz_corpus, corpus) = {0};
            tz_tree tree;
            tz_error error;
            int32_t head[MOST + 1];
            bool seen[MOST] = {false};
            assert_ok(convert(&conllu, (tz_levels)levels, &corpus, arena, &tree, &error));
            assert_int_equal(tree.words, n);
            for (uint32_t x = 0; x < tree.nodes; x++) {
                const tz_tree_node *node = &tree.node[x];
                assert_in_range(node->head_word, node->begin, node->end - 1);
                if (tz_tree_leaf(node)) {
                    assert_false(seen[node->begin]);
                    seen[node->begin] = true;
                } else {
                    assert_true(tree.node[node->first].next != TZ_NO_NODE);
                }
            }
            tz_tree_dependencies(&tree, head);
            for (int w = 1; w <= n && levels == TZ_LEVELS_FLAT; w++)
                assert_int_equal(head[w], heads[w]);
        }
    }
}

TEST_BETWEEN(shell_setup, shell_teardown, commands) {
    tz_text conllu = {0};
    conllu_of(fell, &conllu);
    tz_text_add(&conllu, "", 1);
    write_file("fell.conllu", conllu.data);
    tz_text_free(&conllu);
    prints("(root (advcl+C (mark because) (S (nsubj it) (advmod never) (VBD fell))) (nsubj "
           "I) (cop was) (JJ glad) (obl+P (case out) (NP (case of) (NP habit))))\n",
           "trapeze trees --levels prep fell.conllu");
    prints("", "(cat fell.conllu; echo) > all.conllu; "
               "trapeze trees --levels flat --to conllu fell.conllu | cmp - all.conllu");
    write_file("dogs.ptb", "((S (NP-SBJ (DT The) (NNS dogs))\n (VP (VBP bark))))");
    prints("(S (NP (DT The) (NNS dogs)) (VP (VBP bark)))\n", "trapeze trees dogs.ptb");
    prints("1\tThe\t_\t_\tDT\t_\t2\tDT\t_\t_\n2\tdogs\t_\t_\tNNS\t_\t3\tNP\t_\t_\n"
           "3\tbark\t_\t_\tVBP\t_\t0\tS\t_\t_\n\n",
           "trapeze trees --to conllu - < dogs.ptb");
    refused("standard input:4:19: this bracket closes none",
            "(echo; echo ' '; cat dogs.ptb; echo ')') | trapeze trees");
    prints("", "trapeze trees < /dev/null");
    refused("standard input:1: byte 1 of the line is not UTF-8", "printf '\\377' | trapeze trees");
    refused("dogs.ptb:1: 1 column where CoNLL-U has 10", "trapeze trees --from conllu dogs.ptb");
    refused("standard input:1:1: the bracket that is opened here is never closed",
            "echo '(S (NN x)' | trapeze trees");
    /* One tree that is wrong costs no other. */
    write_file("some.ptb",
               "(S (NN a))\n(S (NN b)\n  (NN c)\n(S (NN d) e\n   (X x))\n(S (NN f))(S (NN g))\n"
               "\377\n(S (NN h))\n(S (NN i)");
    shell("trapeze trees --keep-going some.ptb || echo $?");
    assert_string_equal(out, "(S (NN a))\n\n\n(S (NN f))\n(S (NN g))\n\n(S (NN h))\n\n1\n");
    assert_contains(err, "some.ptb:2:1: the bracket that is opened here is never closed");
    assert_contains(err, "some.ptb:4:11: the word 'e' stands beside constituents");
    assert_contains(err, "some.ptb:7: byte 1 of the line is not UTF-8");
    assert_contains(err, "some.ptb:9:1: the bracket that is opened here is never closed");
    write_file("some.conllu",
               "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n1\tb\n\n1\tc\t_\tX\t_\t_\t0\troot\t_\t_\n");
    shell("trapeze trees --keep-going some.conllu || echo $?");
    assert_string_equal(out, "(root a)\n\n(root c)\n1\n");
    usage("--levels is flat, prep, verb or tags, not 'verbs'; did you mean 'verb'?",
          "trapeze trees --levels verbs dogs.ptb");
    usage("--to is ptb or conllu, not 'svg'", "trapeze trees --to svg dogs.ptb");
    refused("none.ptb: No such file", "trapeze trees none.ptb");
}

static int attempt(void *user) {
    const tz_text *conllu = user;
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_corpus, corpus) = {0};
    tz_tree tree;
    tz_error error;
    tz_status status =
        arena ? convert(conllu, TZ_LEVELS_VERB, &corpus, arena, &tree, &error) : TZ_NO_MEMORY;
    return (int)status;
}

TEST(memory) {
    OWNED(tz_text, conllu) = {0};
    conllu_of(fell, &conllu);
    oom_sweep("levels", attempt, &conllu, TZ_NO_MEMORY, false);
}
