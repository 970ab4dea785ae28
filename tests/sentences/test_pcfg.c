/* test_pcfg.c - is the grammar what its treebank says, and the best tree the best of all? By hand,
 * against every derivation one by one, and on CRAFT; files, memory, commands.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/whole.h"
#include "sentences/eval/trees.h"
#include "sentences/learn/constituents.h"
#include "sentences/trees/pcfg.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/read_trees.h"
#include "tests/support/shell.h"

static tz_pcfg *learn(const trees *treebank, const tz_tree *opt_more) {
    OWN(tz_pcfg_trainer, trainer) = tz_pcfg_trainer_new();
    tz_pcfg *grammar;
    assert_non_null(trainer);
    for (size_t t = 0; t < treebank->count; t++)
        assert_ok(tz_pcfg_trainer_add(trainer, &treebank->tree[t]));
    if (opt_more)
        assert_ok(tz_pcfg_trainer_add(trainer, opt_more));
    assert_ok(tz_pcfg_trainer_end(trainer, &grammar));
    return grammar;
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* VP is the head of S, VB of VP. A label is told by its chain here, and one of children that are
 * not complete by "". */
static const char treebank[] = "(S (NP (NN a)) (VP (VB b) (NP (NN c) (NN c))) (. .))\n"
                               "(S (NP (NN a)) (VP (VB b)) (. .))\n"
                               "(S (NP (NN a)) (VP (VB b) (NP (NN d))))\n"
                               "(UH e)\n";

static double share(const tz_pcfg *g, const char *a, const char *b, const char *c) {
    double sum = 0;
    for (size_t r = 0; r < g->binary; r++) {
        const tz_pcfg_rule *rule = &g->rule[r];
        if (strcmp(g->label[rule->a].chain, a) == 0 && strcmp(g->label[rule->b].chain, b) == 0 &&
            strcmp(g->label[rule->c].chain, c) == 0)
            sum += (double)rule->count / (double)g->label[rule->a].uses;
    }
    return sum;
}

TEST(by_hand) {
    OWNED(trees, read) = trees_in(treebank, sizeof treebank - 1);
    OWN(tz_pcfg, g) = learn(&read, NULL);
    /* S, UH; S without its full stop, after VP and after VP VB; VP, VP VB, NP NN, . below S; VB,
     * NP, NP NN below VP; NN below NP. */
    assert_int_equal(g->labels, 12);
    assert_int_equal(g->trees, 4);
    assert_int_equal(g->tags.count, 4);
    /* The subject goes to the head first, which makes S of two children. */
    assert_true(share(g, "S", "NP NN", "VP") == 1.0 / 3);
    assert_true(share(g, "S", "", ".") == 2.0 / 3);
    assert_true(share(g, "", "NP NN", "VP") == 1);
    assert_true(share(g, "", "NP NN", "VP VB") == 1);
    assert_true(share(g, "VP", "VB", "NP") == 0.5);
    assert_true(share(g, "VP", "VB", "NP NN") == 0.5);
    assert_true(share(g, "NP", "NN", "NN") == 1);
    uint32_t roots = 0;
    for (size_t l = 0; l < g->labels; l++) {
        roots += g->label[l].roots;
        if (g->label[l].roots > 0)
            assert_int_equal(g->label[l].roots, strcmp(g->label[l].chain, "S") == 0 ? 3 : 1);
    }
    assert_int_equal(roots, 4);
    /* "a b d .": 3/4 as root, S -> <..> . 2/3, then the label of VP -> VB NP NN. */
    OWN(tz_arena, arena) = tz_arena_new();
    tz_tree_word word[] = {{"a", "NN"}, {"b", "VB"}, {"d", "NN"}, {".", "."}};
    tz_pcfg_item item = {.words = 4, .word = word, .arena = arena};
    OWN(tz_pcfg_parser, parser) = NULL;
    OWNED(tz_text, text) = {0};
    assert_ok(tz_pcfg_parser_new(g, 1, &parser, NULL));
    assert_ok(tz_pcfg_parse(parser, 9, &item, 1, NULL));
    assert_string_equal(tree_text(&item.tree, &text),
                        "(S (NP (NN a)) (VP (VB b) (NP (NN d))) (. .))");
    assert_true(fabs(item.log_probability - log(0.75 * 1 / 3 * 0.5)) < 1e-14);
    /* No tree; too long; one word; a tag that is not known. */
    item.words = 1;
    word[0].tag = "UH";
    assert_ok(tz_pcfg_parse(parser, 9, &item, 1, NULL));
    assert_string_equal(tree_text(&item.tree, &text), "(UH a)");
    assert_true(item.log_probability == log(0.25));
    word[0].tag = "XX";
    assert_ok(tz_pcfg_parse(parser, 9, &item, 1, NULL));
    assert_string_equal(tree_text(&item.tree, &text), "(XX a)");
    assert_true(item.log_probability == -INFINITY);
    item.words = 4;
    assert_ok(tz_pcfg_parse(parser, 9, &item, 1, NULL));
    assert_string_equal(tree_text(&item.tree, &text), "(S (XX a) (VP (VB b) (NP (NN d))) (. .))");
    assert_true(item.log_probability == -INFINITY);
    word[0].tag = "NN";
    assert_ok(tz_pcfg_parse(parser, 3, &item, 1, NULL));
    assert_string_equal(tree_text(&item.tree, &text), "(S (NN a) (VB b) (NN d) (. .))");
}

/* ---- Every derivation ------------------------------------------------------------------------ */

enum { WORDS = 6, TAGS = 3 };
static const char *const tags[TAGS] = {"N", "V", "P"};

/* A tree over so many words of random tags. */
static void draw(random_state *random, tz_text *text, uint64_t words, bool unary) {
    static const char *const categories[] = {"S", "NP", "VP"};
    bool leaf = words == 1 && (!unary || random_below(random, 2));
    tz_text_put(text, "(");
    tz_text_put(text,
                leaf ? tags[random_below(random, TAGS)] : categories[random_below(random, 3)]);
    tz_text_put(text, " ");
    if (leaf)
        tz_text_put(text, "w");
    for (uint64_t left = leaf ? 0 : words; left > 0;) {
        uint64_t child = words == 1 ? 1 : 1 + random_below(random, left);
        child -= child == words && words > 1;
        draw(random, text, child, words > 1);
        left -= child;
    }
    tz_text_put(text, ")");
}

static void draw_treebank(random_state *random, size_t count, trees *ret) {
    OWNED(tz_text, text) = {0};
    for (size_t t = 0; t < count; t++)
        draw(random, &text, 1 + random_below(random, WORDS), true);
    tz_text_add(&text, "", 1);
    *ret = trees_in(text.data, text.size - 1);
}

/* Shares of each label sum to 1; every label has a rule. */
static void check_sums(const tz_pcfg *g) {
    FREED(double, sum) = need(calloc(g->labels, sizeof *sum));
    uint64_t roots = 0;
    for (size_t r = 0; r < g->rules; r++) {
        assert_int_equal(g->rule[r].c == TZ_NO_NODE, r >= g->binary);
        sum[g->rule[r].a] += (double)g->rule[r].count / (double)g->label[g->rule[r].a].uses;
    }
    for (size_t l = 0; l < g->labels; l++) {
        assert_true(fabs(sum[l] - 1) < 1e-12);
        roots += g->label[l].roots;
    }
    assert_int_equal(roots, g->trees);
}

/* The greatest log probability of words i..j below label a, over all derivations. */
static double best(const tz_pcfg *g, const int *tag, uint32_t a, int i, int j) {
    double found = -INFINITY;
    for (size_t r = 0; r < g->rules; r++) {
        const tz_pcfg_rule *rule = &g->rule[r];
        double score = log((double)rule->count / (double)g->label[a].uses);
        if (rule->a != a)
            continue;
        if (rule->c == TZ_NO_NODE) {
            if (i == j && strcmp(g->tags.name[rule->b], tags[tag[i]]) == 0)
                found = fmax(found, score);
            continue;
        }
        for (int k = i; k < j; k++) {
            double left = best(g, tag, rule->b, i, k);
            if (left > -INFINITY)
                found = fmax(found, score + left + best(g, tag, rule->c, k + 1, j));
        }
    }
    return found;
}

/* The fewest constituents, or words of unknown tags, that words i.. can be cut into. */
static int fewest(const tz_pcfg *g, const int *tag, int i, int words) {
    int found = i == words ? 0 : 100;
    for (int j = i; j < words; j++) {
        bool piece = j == i && tz_labels_find(&g->tags, tags[tag[i]]) < 0;
        for (size_t l = 0; l < g->labels && !piece; l++)
            piece = *g->label[l].chain && best(g, tag, (uint32_t)l, i, j) > -INFINITY;
        int rest = piece ? 1 + fewest(g, tag, j + 1, words) : 100;
        found = rest < found ? rest : found;
    }
    return found;
}

static int children(const tz_tree *tree) {
    int count = 0;
    for (uint32_t c = tree->node[0].first; c != TZ_NO_NODE; c = tree->node[c].next)
        count++;
    return count;
}

/* The log probability of a tree whose rules g has: what one more such tree adds to the counts. */
static double score_of(const tz_pcfg *g, const trees *treebank, const tz_tree *tree) {
    OWN(tz_pcfg, more) = learn(treebank, tree);
    double score = 0;
    assert_int_equal(more->labels, g->labels);
    assert_int_equal(more->rules, g->rules);
    for (size_t r = 0; r < g->rules; r++) {
        const tz_pcfg_rule *rule = &g->rule[r];
        score += (more->rule[r].count - rule->count) *
                 log((double)rule->count / (double)g->label[rule->a].uses);
    }
    for (size_t l = 0; l < g->labels; l++)
        if (more->label[l].roots > g->label[l].roots)
            score += log(g->label[l].roots / (double)g->trees);
    return score;
}

TEST(enumeration) {
    random_state random = random_start("pcfg");
    int parsed = 0;
    for (int round = 0; round < AMOUNT(60, 10); round++) {
        OWNED(trees, read) = {0};
        draw_treebank(&random, 8, &read);
        OWN(tz_pcfg, g) = learn(&read, NULL);
        OWN(tz_pcfg_parser, parser) = NULL;
        check_sums(g);
        assert_ok(tz_pcfg_parser_new(g, 1, &parser, NULL));
        for (int s = 0; s < 10; s++) {
            int tag[WORDS], words = 1 + (int)random_below(&random, WORDS);
            tz_tree_word word[WORDS];
            OWN(tz_arena, arena) = tz_arena_new();
            double expected = -INFINITY;
            for (int w = 0; w < words; w++) {
                tag[w] = (int)random_below(&random, TAGS);
                word[w] = (tz_tree_word){"w", tags[tag[w]]};
            }
            for (size_t l = 0; l < g->labels; l++)
                if (g->label[l].roots > 0)
                    expected = fmax(expected, log(g->label[l].roots / (double)g->trees) +
                                                  best(g, tag, (uint32_t)l, 0, words - 1));
            tz_pcfg_item item = {.words = (uint32_t)words, .word = word, .arena = arena};
            assert_ok(tz_pcfg_parse(parser, WORDS, &item, 1, NULL));
            if (expected > -INFINITY) {
                double score = score_of(g, &read, &item.tree);
                assert_true(fabs(item.log_probability - expected) < 1e-12);
                assert_true(fabs(score - expected) < 1e-12);
                assert_int_equal(item.tree.words, words);
            } else {
                int pieces = fewest(g, tag, 0, words);
                assert_true(item.log_probability == -INFINITY);
                assert_int_equal(item.tree.words, words);
                if (pieces > 1)
                    assert_int_equal(children(&item.tree), pieces);
            }
            parsed += expected > -INFINITY;
        }
    }
    print_message("%d parsed\n", parsed);
    assert_true(parsed > AMOUNT(60, 10));
}

/* ---- CRAFT ----------------------------------------------------------------------------------- */

/* Every 20th sentence of up to 25 words, with the right tags: F1 84.06; of all of them 83.42. Side
 * by side in threads, the same trees. */
TEST(craft) {
    enum { MOST = 100 };
    OWNED(trees, train) = craft_trees("train"), dev = craft_trees("dev");
    tz_pcfg_item item[2][MOST];
    size_t count = 0;
    OWN(tz_pcfg, g) = learn(&train, NULL);
    tz_arena *arena[2] = {tz_arena_new(), tz_arena_new()};
    const tz_tree *gold[MOST];
    tz_pcfg_parser *parser;
    check_sums(g);
    print_message("%zu labels, %zu rules\n", g->labels, g->rules);
    for (size_t t = 0, k = 0; t < dev.count; t++) {
        if (dev.tree[t].words <= 25 && k++ % AMOUNT(20, 80) == 0) {
            gold[count] = &dev.tree[t];
            for (int i = 0; i < 2; i++)
                item[i][count] = (tz_pcfg_item){
                    .words = dev.tree[t].words, .word = dev.tree[t].word, .arena = arena[i]};
            count++;
        }
    }
    assert_int_equal(count, AMOUNT(81, 21));
    assert_ok(tz_pcfg_parser_new(g, 1, &parser, NULL));
    for (size_t c = 0; c < count; c++)
        assert_ok(tz_pcfg_parse(parser, 25, &item[0][c], 1, NULL));
    tz_pcfg_parser_free(parser);
    tz_ratio sum = {0, 0}, ratio[TZ_TREES_FIGURES];
    for (size_t c = 0; c < count; c++) {
        assert_ok(tz_trees_measure(gold[c], &item[0][c].tree, false, ratio));
        sum.part += ratio[TZ_TREES_F1].part;
        sum.whole += ratio[TZ_TREES_F1].whole;
    }
    print_message("F1 %.4f\n", sum.part / sum.whole);
    assert_true(sum.part / sum.whole > 0.83);
    /* Items of one arena each: the threads write to them at once. */
    tz_arena *own[MOST];
    for (size_t c = 0; c < count; c++)
        item[1][c].arena = own[c] = tz_arena_new();
    assert_ok(tz_pcfg_parser_new(g, 3, &parser, NULL));
    assert_ok(tz_pcfg_parse(parser, 25, item[1], count, NULL));
    for (size_t c = 0; c < count; c++) {
        assert_true(tz_tree_same(&item[0][c].tree, &item[1][c].tree));
        assert_true(item[0][c].log_probability == item[1][c].log_probability);
        tz_arena_free(own[c]);
    }
    tz_pcfg_parser_free(parser);
    tz_arena_free(arena[0]);
    tz_arena_free(arena[1]);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void assert_same(const tz_pcfg *a, const tz_pcfg *b) {
    assert_int_equal(a->labels, b->labels);
    assert_int_equal(a->rules, b->rules);
    assert_int_equal(a->binary, b->binary);
    assert_int_equal(a->trees, b->trees);
    assert_int_equal(a->tags.count, b->tags.count);
    assert_memory_equal(a->rule, b->rule, a->rules * sizeof *a->rule);
    for (size_t l = 0; l < a->labels; l++) {
        assert_string_equal(a->label[l].chain, b->label[l].chain);
        assert_int_equal(a->label[l].roots, b->label[l].roots);
        assert_int_equal(a->label[l].uses, b->label[l].uses);
    }
    for (size_t t = 0; t < a->tags.count; t++)
        assert_string_equal(a->tags.name[t], b->tags.name[t]);
}

/* As it was; every cut and every changed byte is found. */
TEST(files) {
    OWNED(trees, read) = trees_in(treebank, sizeof treebank - 1);
    FREED(void, bytes) = NULL;
    size_t size;
    tz_error error;
    OWN(tz_pcfg, g) = learn(&read, NULL);
    tz_pcfg *again;
    assert_ok(tz_pcfg_save(g, "g.model", NULL));
    assert_ok(tz_whole_read("g.model", &bytes, &size, &error));
    assert_ok(tz_pcfg_read("g", bytes, size, &again, &error));
    assert_same(g, again);
    tz_pcfg_free(again);
    unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(tz_pcfg_read("g", bytes, i, &again, &error), TZ_IO);
        assert_null(again);
        byte[i] ^= 0x11;
        assert_int_equal(tz_pcfg_read("g", bytes, size, &again, &error), TZ_IO);
        byte[i] ^= 0x11;
    }
    assert_int_equal(tz_pcfg_read("g", "TZMODEL\n", 8, &again, &error), TZ_IO);
    assert_string_equal(error.message, "g: not a grammar of `trapeze train pcfg`");
    byte[8] = 7;
    assert_int_equal(tz_pcfg_read("g", bytes, size, &again, &error), TZ_IO);
    assert_string_equal(error.message, "g: the grammar has format 7, this program reads format 1; "
                                       "train it anew");
}

/* Sizes and numbers that make no sense, with the right checksum. */
TEST(senseless) {
    random_state random = random_start("pcfg files");
    OWNED(trees, read) = trees_in(treebank, sizeof treebank - 1);
    FREED(void, bytes) = NULL;
    size_t size;
    tz_error error;
    OWN(tz_pcfg, g) = learn(&read, NULL);
    tz_pcfg *again;
    assert_ok(tz_pcfg_save(g, "g.model", NULL));
    assert_ok(tz_whole_read("g.model", &bytes, &size, &error));
    int refused = 0;
    for (int round = 0; round < AMOUNT(20000, 3000); round++) {
        FREED(unsigned char, changed) = malloc(size);
        memcpy(changed, bytes, size);
        for (uint64_t c = 1 + random_below(&random, 3); c > 0; c--)
            changed[12 + random_below(&random, size - 16)] ^= (unsigned char)random_bits(&random);
        uint32_t crc = (uint32_t)crc32(0, changed, (unsigned)size - 4);
        for (int b = 0; b < 4; b++)
            changed[size - 4 + (size_t)b] = (unsigned char)(crc >> 8 * b);
        tz_status status = tz_pcfg_read("g", changed, size, &again, &error);
        assert_true(status == TZ_OK || status == TZ_IO);
        refused += status == TZ_IO;
        if (status == TZ_OK) {
            tz_tree_word word[] = {{"a", "NN"}, {"b", "VB"}, {"d", "NN"}, {".", "."}};
            OWN(tz_arena, arena) = tz_arena_new();
            tz_pcfg_item item = {.words = 4, .word = word, .arena = arena};
            tz_pcfg_parser *parser;
            if (round % 20 == 0) {
                assert_ok(tz_pcfg_parser_new(again, 1, &parser, NULL));
                assert_ok(tz_pcfg_parse(parser, 4, &item, 1, NULL));
                assert_int_equal(item.tree.words, 4);
                tz_pcfg_parser_free(parser);
            }
        }
        tz_pcfg_free(again);
    }
    print_message("%d refused\n", refused);
    assert_in_range(refused, AMOUNT(10000, 1500), AMOUNT(19999, 2999));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* One word through the stage of a pack. */
static tz_status analyse(tz_arena *arena, const void *bytes, size_t size) {
    const tz_pack pack = {.path = "m", .count = 1, .section = {{"pcfg", bytes, size}}};
    const tz_token token = {0, 1};
    OWN(tz_constituents, constituents) = NULL;
    tz_analysed item, *list[] = {&item};
    tz_status status = tz_constituents_new(&pack, 1, &constituents, NULL);
    if (status == TZ_OK)
        status = tz_analysed_tokens(arena, "e", &token, 1, &item);
    if (status == TZ_OK) {
        item.name[TZ_XPOS][1] = "UH";
        status = tz_constituents_find(constituents, list, 1, NULL);
    }
    if (status == TZ_OK)
        assert_string_equal(item.tree->node[0].category, "UH");
    return status;
}

static int attempt(void *user) {
    const trees *read = user;
    OWN(tz_pcfg_trainer, trainer) = tz_pcfg_trainer_new();
    OWN(tz_pcfg, g) = NULL, *again = NULL;
    OWN(tz_pcfg_parser, parser) = NULL;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_tree_word word[] = {{"a", "NN"}, {"b", "VB"}, {"d", "NN"}, {".", "."}};
    tz_pcfg_item item = {.words = 4, .word = word, .arena = arena};
    FREED(void, bytes) = NULL;
    size_t size = 0;
    tz_status status = trainer && arena ? TZ_OK : TZ_NO_MEMORY;
    for (size_t t = 0; t < read->count && status == TZ_OK; t++)
        status = tz_pcfg_trainer_add(trainer, &read->tree[t]);
    if (status == TZ_OK)
        status = tz_pcfg_trainer_end(trainer, &g);
    if (status == TZ_OK)
        status = tz_pcfg_save(g, "m.model", NULL);
    if (status == TZ_OK)
        status = tz_whole_read("m.model", &bytes, &size, NULL);
    if (status == TZ_OK)
        status = tz_pcfg_read("m", bytes, size, &again, NULL);
    if (status == TZ_OK)
        status = tz_pcfg_parser_new(again, 1, &parser, NULL);
    if (status == TZ_OK)
        status = tz_pcfg_parse(parser, 4, &item, 1, NULL);
    if (status == TZ_OK)
        status = analyse(arena, bytes, size);
    return (int)status;
}

TEST(memory) {
    OWNED(trees, read) = trees_in(treebank, sizeof treebank - 1);
    oom_sweep("pcfg", attempt, &read, TZ_NO_MEMORY, false);
}

/* ---- Commands -------------------------------------------------------------------------------- */

TEST(commands) {
    write_file("train.ptb", treebank);
    works("trapeze train pcfg -o g.model train.ptb");
    assert_string_equal(err, "4 trees, 12 words: 12 labels, 15 rules\n");
    prints("", "trapeze train pcfg --quiet -o h.model < train.ptb; cmp g.model h.model");
    prints("pcfg                              12  15 rules, of 4 trees\n",
           "trapeze model show g.model | tail -1 | cut -c 26-");
    write_file("in.conllu", "1\tx\t_\tN\tNN\t_\t_\t_\t_\t_\n2\ty\t_\tV\tVB\t_\t_\t_\t_\t_\n"
                            "3\t(\t_\tN\tNN\t_\t_\t_\t_\t_\n\n1\tz\t_\tN\tUH\t_\t_\t_\t_\t_\n\n");
    prints("(S (NP (NN x)) (VP (VB y) (NP (NN -LRB-))))\n(UH z)\n",
           "trapeze parse -m g.model --format ptb in.conllu");
    refused("standard input:1: that takes a tagger, which the model g.model does not have",
            "echo x y | trapeze parse -m g.model --format ptb");
    refused("standard input:5: that takes a fine-tagger",
            "sed 's/UH/_/' in.conllu | trapeze parse -m g.model --format ptb --keep-going");
    refused("g.model: there is no parser in this model", "trapeze parse -m g.model in.conllu");
    usage("--format is text, conllu, json or svg, not 'ptb'",
          "trapeze tag -m g.model --format ptb in.conllu");
    prints(
        "(S (NP (NN x)) (VP (VB y) (NP (NN -LRB-))))\n(UH z)\n",
        "trapeze model pack -o pack.model g.model && trapeze parse -m pack.model -f ptb in.conllu");
    refused("pack.model: a second pcfg", "trapeze model pack -o two.model g.model pack.model");
    usage("-o MODEL is missing: the file to write", "trapeze train pcfg train.ptb");
    refused("standard input:1:4: the bracket that is opened here is never closed",
            "echo '(S (NP' | trapeze train pcfg -o x.model");
    refused("/dev/null: there is no tree", "trapeze train pcfg -o x.model /dev/null");
    /* Without a grammar of constituents: the dependencies, as `trapeze trees` has them. */
    write_file("t.txt", "The dogs bark .\n");
    prints("",
           "M=%s/models/english.model; trapeze parse -m $M -f ptb t.txt > a; trapeze parse -m $M "
           "-f conllu t.txt | trapeze trees > b; diff a b",
           TZ_SOURCE_ROOT);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
