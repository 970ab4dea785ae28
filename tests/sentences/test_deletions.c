/* test_deletions.c - does the grammar of deletions count what it should, and give probabilities by
 * the formula? Three trees worked out by hand; random ones; files; memory.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sentences/deletions/model.h"
#include "sentences/features/tables/hash.h"
#include "sentences/learn/pack.h"
#include "tests/support/oom.h"
#include "tests/support/random_tree.h"
#include "tests/support/shell.h"

static const tz_sight everything = {1, 1, 7, 7};

/* ---- By hand --------------------------------------------------------------------------------- */

enum { PAIRS = 3 };
static const struct {
    const char *tree;
    uint8_t keep[4];
} treebank[PAIRS] = {
    {"(S (NP *dogs/NNS) *(VP *bark/VBP (ADVP *loudly/RB)))", {1, 1, 0}},
    {"(S (NP *cats/NNS) *(VP *bark/VBP (ADVP *loudly/RB)))", {1, 1, 1}},
    {"(S (NP *dogs/NNS) *(VP *sleep/VBP (ADVP *here/RB) (ADVP *now/RB)))", {1, 1, 0, 1}},
};

static tz_outward outward(tz_arena *arena, const char *text) {
    tz_tree tree = read_tree(arena, text);
    tz_outward to;
    assert_ok(tz_outward_new(arena, &tree, &to));
    return to;
}

/* The rules of a tree of which these words are kept. */
static tz_status count_kept(tz_deletion_counts *counts, tz_arena *arena, const tz_tree *tree,
                            const uint8_t *keep) {
    tz_outward outward;
    tz_extracted extracted;
    tz_status status = tz_outward_new(arena, tree, &outward);
    if (status == TZ_OK)
        status = tz_extract_kept(arena, tree, keep, &extracted);
    return status == TZ_OK ? tz_deletion_count(counts, arena, tree, &outward, &extracted) : status;
}

static tz_deletions *learn(tz_arena *arena, const tz_sight *sight) {
    OWNED(tz_deletion_counts, counts) = {.sight = *sight};
    tz_deletions *model;
    for (int p = 0; p < PAIRS; p++) {
        tz_tree tree = read_tree(arena, treebank[p].tree);
        assert_ok(count_kept(&counts, arena, &tree, treebank[p].keep));
    }
    assert_int_equal(counts.rules, 6);
    assert_int_equal(counts.decisions, 13);
    assert_ok(tz_deletions_new(&counts, TZ_TREES_BRACKETS, &model));
    assert_int_equal(model->contexts, counts.contexts.count);
    return model;
}

/* Nodes: 0 S, 1 VP, 2 the verb, 3 the first adverb, ... NP is the last. */
TEST(order) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_outward t = outward(arena, "(S (A a/X) (B b/X) *(C (D *(E *d/Y (F f/Z))) *c/X) (G g/X))");
    static const struct {
        const char *category;
        uint32_t parent, begin, end, first, next, inner;
        tz_head_side side;
    } expected[] = {
        {"S", TZ_NO_NODE, 0, 6, 1, TZ_NO_NODE, TZ_NO_NODE, TZ_SIDE_HEAD},
        {"C", 0, 2, 5, 2, 6, TZ_NO_NODE, TZ_SIDE_HEAD},
        {"X", 1, 4, 5, TZ_NO_NODE, 3, TZ_NO_NODE, TZ_SIDE_HEAD},
        {"D", 1, 2, 4, 4, TZ_NO_NODE, TZ_NO_NODE, TZ_SIDE_LEFT}, /* and E: a chain */
        {"Y", 3, 2, 3, TZ_NO_NODE, 5, TZ_NO_NODE, TZ_SIDE_HEAD},
        {"F", 3, 3, 4, TZ_NO_NODE, TZ_NO_NODE, TZ_NO_NODE, TZ_SIDE_RIGHT},
        {"B", 0, 1, 2, TZ_NO_NODE, 7, TZ_NO_NODE, TZ_SIDE_LEFT},
        {"A", 0, 0, 1, TZ_NO_NODE, 8, 6, TZ_SIDE_LEFT},
        {"G", 0, 5, 6, TZ_NO_NODE, TZ_NO_NODE, TZ_NO_NODE, TZ_SIDE_RIGHT},
    };
    assert_int_equal(t.nodes, sizeof expected / sizeof *expected);
    for (uint32_t x = 0; x < t.nodes; x++) {
        const tz_outward_node *node = &t.node[x];
        const char *category = expected[x].category;
        assert_true(node->category == tz_hash_text(category, strlen(category)));
        assert_int_equal(node->parent, expected[x].parent);
        assert_int_equal(node->begin, expected[x].begin);
        assert_int_equal(node->end, expected[x].end);
        assert_int_equal(node->first, expected[x].first);
        assert_int_equal(node->next, expected[x].next);
        assert_int_equal(node->inner, expected[x].inner);
        assert_int_equal(node->side, expected[x].side);
    }
    static const char *const above[] = {"E", "D", "C"}; /* of the children of node 3 */
    for (int a = 0; a < 3; a++)
        assert_true(t.node[3].ancestor[a] == tz_hash_text(above[a], 1));
    assert_true(t.node[0].ancestor[1] == 0 && t.node[1].ancestor[2] == 0);
    static const uint32_t number[] = {0, 7, 7, 6, 6, 1, 3, 3, 4, 5, 5, 2, 8, 8};
    assert_memory_equal(t.number, number, sizeof number);
    tz_tree nothing = {0};
    assert_int_equal(tz_outward_new(arena, &nothing, &t), TZ_BAD_ARGUMENT);
}

static void expect(const tz_deletions *model, const tz_outward *tree, tz_decision decision,
                   double dropped, double kept) {
    double p[2];
    tz_deletions_probability(model, tree, &decision, p);
    if (!(fabs(p[0] - dropped) <= 1e-15 && fabs(p[1] - kept) <= 1e-15))
        fail_msg("%.17g %.17g, not %.17g %.17g", p[0], p[1], dropped, kept);
}

/* s = v = 1, M = H = ctw; counts are dropped, kept. */
TEST(by_hand) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_deletions, model) = learn(arena, &everything);
    tz_outward t = outward(arena, treebank[0].tree);
    const uint32_t vp = 1, bark = 2, loudly = 3, dogs = 4;
    /* Six head children, all kept: nothing 0 6, VP 0 3, below S 0 3, VBP 0 3, bark 0 2. */
    expect(model, &t, (tz_decision){vp, false, 0, false}, 0.5 / 7 / 4 / 4 / 4 / 3,
           1 - 0.5 / 7 / 4 / 4 / 4 / 3);
    /* Nothing 0 6; then c VBP, below VP, t VBP 0 3 each, bark 0 2. */
    expect(model, &t, (tz_decision){bark, false, 0, false}, 0.5 / 7 / 4 / 4 / 4 / 3,
           1 - 0.5 / 7 / 4 / 4 / 4 / 3);
    /* Left modifiers: nothing, NP, of VP, kept, no sister's flag, nor category, below S, NNS, of
     * VBP: 0 3; dogs 0 2; of bark 0 1. */
    expect(model, &t, (tz_decision){dogs, true, 0, false}, 0.5 / pow(4, 9) / 3 / 2,
           1 - 0.5 / pow(4, 9) / 3 / 2);
    /* Of a head that was dropped nothing is known but for c of M and H. */
    expect(model, &t, (tz_decision){dogs, false, 0, false}, 0.5 / pow(4, 3), 1 - 0.5 / pow(4, 3));
    /* Right ones: nothing, ADVP, of VBP, kept 2 2, which is 1/2; no sister's flag: 2 1, so (2 + 2 *
     * 0.5) / 5 = 0.6; no category 0.64, below VP 0.656, RB 0.6624, of VBP 0.66496; loudly 1 1, so
     * (1 + 2 * 0.66496) / 4 = 0.58248; of bark 0.54124. */
    expect(model, &t, (tz_decision){loudly, true, 0, false}, 0.54124, 0.45876);
    /* now: a sister that was dropped, 0 1; and so in all seven contexts. Had it been kept: 1/2. */
    t = outward(arena, treebank[2].tree);
    expect(model, &t, (tz_decision){4, true, 0, false}, 0.5 / 128, 1 - 0.5 / 128);
    expect(model, &t, (tz_decision){4, true, 1, false}, 0.5, 0.5);
    /* here, of sleep: ... 0.66496; here 1 0, so (1 + 0.66496) / 2 = 0.83248; 0.91624. */
    expect(model, &t, (tz_decision){3, true, 0, false}, 0.91624, 0.08376);
}

/* Less is seen: s = v = 0, M = c, H = cw. */
TEST(fewer) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_deletions, model) = learn(arena, &(tz_sight){0, 0, 1, 5});
    tz_outward t = outward(arena, treebank[0].tree);
    /* Nothing, ADVP, of VBP, kept 2 2; of bark 1 1. */
    expect(model, &t, (tz_decision){3, true, 0, false}, 0.5, 0.5);
    /* Nothing 0 6, VP 0 3, bark 0 2. */
    expect(model, &t, (tz_decision){1, false, 0, false}, 0.5 / 7 / 4 / 3, 1 - 0.5 / 7 / 4 / 3);
    t = outward(arena, treebank[2].tree);
    /* Of sleep 1 1, whatever its sister was. */
    expect(model, &t, (tz_decision){4, true, 0, false}, 0.5, 0.5);
}

/* ---- At random ------------------------------------------------------------------------------- */

/* Both outcomes are possible, and 1 together: to 1e-12, of a million. */
TEST(probabilities) {
    enum { MODELS = 16, TREES = 40, ALL = 1000000 };
    random_state random = random_start("probabilities");
    double worst = 0, least = 1;
    for (unsigned m = 0; m < MODELS; m++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWNED(tz_deletion_counts,
              counts) = {.sight = {m % 4, m / 4, 1 | (unsigned)random_below(&random, 8),
                                   1 | (unsigned)random_below(&random, 8)}};
        OWN(tz_deletions, model) = NULL;
        tz_outward tree[2 * TREES];
        for (int t = 0; t < 2 * TREES; t++) {
            tz_tree from = random_tree(arena, &random, 2 + (unsigned)random_below(&random, 20), 6);
            uint8_t keep[32];
            for (uint32_t w = 0; w < from.words; w++)
                keep[w] = w == 0 || random_below(&random, 50) > 0;
            assert_ok(tz_outward_new(arena, &from, &tree[t]));
            if (t < TREES)
                assert_ok(count_kept(&counts, arena, &from, keep));
        }
        assert_ok(tz_deletions_new(&counts, TZ_TREES_FLAT, &model));
        for (int c = 0; c < ALL / MODELS;) {
            double p[2];
            const tz_outward *t = &tree[random_below(&random, 2 * TREES)];
            tz_decision decision = {(uint32_t)random_below(&random, t->nodes),
                                    random_below(&random, 2), (unsigned)random_below(&random, 8),
                                    false};
            if (decision.node == 0)
                continue;
            tz_deletions_probability(model, t, &decision, p);
            worst = fmax(worst, fabs(p[0] + p[1] - 1));
            least = fmin(least, fmin(p[0], p[1]));
            c++;
        }
    }
    print_message("# p(0) + p(1) - 1: at most %.3g; the least p: %.3g\n", worst, least);
    assert_true(worst <= 1e-12 && least > 0);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static size_t slurp(const char *name, char *to, size_t room) {
    FILE *file = need(fopen(name, "rb"));
    size_t size = fread(to, 1, room, file);
    fclose(file);
    assert_true(size < room);
    return size;
}

/* What is read is what was written; no byte can change unseen. */
TEST(files) {
    static char bytes[8192];
    OWN(tz_arena, arena) = tz_arena_new();
    tz_deletions *model = learn(arena, &(tz_sight){2, 3, 5, 3}), *again;
    tz_error error;
    OWNED(tz_pack, pack) = {0};
    model->threshold = 0.37;
    assert_ok(tz_deletions_save(model, "d.model", &error));
    assert_ok(tz_pack_load("d.model", &pack, &error));
    const tz_section *section = tz_pack_find(&pack, "deletions");
    assert_non_null(section);
    assert_ok(tz_deletions_read("d.model", section->bytes, section->size, &again, &error));
    assert_int_equal(again->source, TZ_TREES_BRACKETS);
    assert_memory_equal(&again->sight, &model->sight, sizeof model->sight);
    assert_true(again->threshold == 0.37);
    assert_int_equal(again->contexts, model->contexts);
    assert_memory_equal(again->context, model->context, model->contexts * sizeof *model->context);
    tz_deletions_free(again);

    size_t size = slurp("d.model", bytes, sizeof bytes);
    for (size_t b = 0; b < size; b++) {
        bytes[b] ^= 4;
        assert_int_equal(tz_deletions_read("b", bytes, size, &again, &error), TZ_IO);
        assert_null(again);
        bytes[b] ^= 4;
        assert_int_equal(tz_deletions_read("b", bytes, b, &again, &error), TZ_IO);
    }
    bytes[8] = 2;
    assert_int_equal(tz_deletions_read("b", bytes, size, &again, &error), TZ_IO);
    assert_string_equal(error.message, "b: the model of deletions has format 2, this program reads "
                                       "format 1; train it anew");
    bytes[8] = 1;
    bytes[100] ^= 1;
    assert_int_equal(tz_deletions_read("b", bytes, size, &again, &error), TZ_IO);
    assert_string_equal(error.message, "b: the model of deletions is damaged: its checksum is "
                                       "wrong; train it anew or get another copy");
    tz_deletions_free(model);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_deletion_counts, counts) = {.sight = everything};
    OWN(tz_deletions, model) = NULL, *again = NULL;
    tz_error error;
    OWNED(tz_pack, pack) = {0};
    tz_status status = arena ? count_kept(&counts, arena, user, treebank[0].keep) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_deletions_new(&counts, TZ_TREES_BRACKETS, &model);
    if (status == TZ_OK)
        status = tz_deletions_save(model, "oom.model", &error);
    if (status == TZ_OK)
        status = tz_pack_load("oom.model", &pack, &error);
    if (status == TZ_OK)
        status =
            tz_deletions_read("oom", pack.section[0].bytes, pack.section[0].size, &again, &error);
    return (int)status;
}

TEST(out_of_memory) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_tree tree = read_tree(arena, treebank[0].tree);
    oom_sweep("deletions", attempt, &tree, TZ_NO_MEMORY, false);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
