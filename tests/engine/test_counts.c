/* test_counts.c - does every rule set derive the structures it should, each once (or, where it says
 * `ambiguous`, as often as known), and do its resources sum as declared? By enumeration, for
 * lengths 0 to 5. Also the enumerator itself on small rule sets: order, limits, cycles.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "rules/tell/enumerate.h"
#include "tests/support/problem.h"
#include "tests/support/rules_text.h"

enum { LONGEST = 5, LIMIT = 200000 };

typedef struct expected {
    const char *name;
    bool ambiguous;
    size_t derivations[LONGEST + 1], structures[LONGEST + 1]; /* n = 0, 1, ... */
} expected;

/* Projective trees with any number of root words: binom(3n + 1, n) / (n + 1); with one, and subsets
 * of words with trees: head_vectors, below, counts them by brute force. */
#define TREES                                                                                      \
    { 1, 1, 3, 12, 55, 273 }
#define ROOTED                                                                                     \
    { 0, 1, 2, 7, 30, 143 }
#define SUBSETS                                                                                    \
    { 1, 2, 6, 25, 126, 704 }
#define ROOTED_SUBSETS                                                                             \
    { 0, 1, 4, 16, 74, 388 }
/* Words of both sides, phrases of up to two words: with S = 2m - 1 document phrases,
 * D(t) = (1 + S) D(t - 1) + S D(t - 2). Single words: (m + 1)^m. */
#define ALIGNMENTS                                                                                 \
    { 1, 2, 19, 276, 5489, 138430 }
#define WORD_ALIGNMENTS                                                                            \
    { 1, 2, 9, 64, 625, 7776 }
#define TWICE                                                                                      \
    { 1, 2, 7, 33, 181, 1083 }

static const expected sets[] = {
    {"align", false, ALIGNMENTS, ALIGNMENTS},
    {"align-far", false, ALIGNMENTS, ALIGNMENTS},
    {"align-hmm", false, WORD_ALIGNMENTS, WORD_ALIGNMENTS},
    {"align-map", false, ALIGNMENTS, ALIGNMENTS},
    {"align-near", false, ALIGNMENTS, ALIGNMENTS},
    {"align-sparse", false, ALIGNMENTS, ALIGNMENTS},
    {"align-words", false, WORD_ALIGNMENTS, WORD_ALIGNMENTS},
    {"chain", false, {1, 2, 4, 8, 16, 32}, {1, 2, 4, 8, 16, 32}}, /* 2^n */
    /* Catalan(n - 1) * 2^(2n - 2) */
    {"cky", false, {0, 1, 4, 32, 320, 3584}, {0, 1, 4, 32, 320, 3584}},
    {"compress", false, SUBSETS, SUBSETS},
    {"compress-sibling", false, SUBSETS, SUBSETS},
    {"compress-sibling-single-root", false, ROOTED_SUBSETS, ROOTED_SUBSETS},
    {"compress-single-root", false, ROOTED_SUBSETS, ROOTED_SUBSETS},
    /* cky's, as its labels divide into those that keep and those that drop */
    {"delete-cky", false, {0, 1, 4, 32, 320, 3584}, {0, 1, 4, 32, 320, 3584}},
    /* sibling-single-root's trees, times 2^n - 1; prunings of these trees */
    {"delete-flat", false, {0, 1, 6, 49, 450, 4433}, {0, 1, 6, 49, 450, 4433}},
    {"delete-sibling", false, {0, 1, 4, 24, 166, 1240}, {0, 1, 4, 24, 166, 1240}},
    /* The table's are not trees: the second of two nodes may be any word as well as the first. Of a
     * tree, see test_deletion_rules.c. */
    {"delete-tree", false, {2, 5, 8, 11, 14, 17}, {2, 5, 8, 11, 14, 17}},
    {"delete-tree-bigram", false, {0, 3, 6, 9, 12, 15}, {0, 3, 6, 9, 12, 15}},
    /* central Delannoy numbers */
    {"edit", false, {1, 3, 13, 63, 321, 1683}, {1, 3, 13, 63, 321, 1683}},
    {"eisner", false, TREES, TREES},
    {"eisner-single-root", false, ROOTED, ROOTED},
    {"forest", false, {0, 4, 8, 12, 16, 20}, {0, 4, 8, 12, 16, 20}}, /* 2 nodes, 2n leaves each */
    {"pcfg", false, {0, 1, 4, 32, 320, 3584}, {0, 1, 4, 32, 320, 3584}},   /* as cky */
    {"semimarkov", false, {1, 2, 6, 18, 54, 162}, {1, 2, 6, 18, 54, 162}}, /* 2 * 3^(n - 1) */
    {"sibling", false, TREES, TREES},
    {"sibling-single-root", false, ROOTED, ROOTED},
    {"skip", false, SUBSETS, SUBSETS},
    {"skip-bigram-note", true, TWICE, SUBSETS},
    {"skip-note", true, TWICE, SUBSETS},
    {"tree-edit", true, {1, 3, 20, 175, 1764, 19404}, {1, 2, 12, 92, 810, 7772}},
};
enum { SETS = sizeof sets / sizeof *sets };

static void load(const char *name, tz_rules *rules) {
    size_t size;
    FREED(char, text) = rule_file(name, &size);
    read_good_rules(text, rules);
}

/* Structures, each derived once but where it says `ambiguous`, as its `count` line says. */
static void as_declared(const char *name) {
    tz_rules rules;
    load(name, &rules);
    if (rules.counts == 0)
        fail_msg("%s.rules: no `count` line, and no numbers here", name);
    for (int n = 1; n <= LONGEST && (unsigned)n <= rules.counts; n++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        size_t derivations = 0, structures = 0;
        set_lengths(&rules, n, 2, lengths);
        assert_ok(tz_count_structures(&rules, lengths, LIMIT, &derivations, &structures));
        if ((double)structures != rules.count[n - 1] ||
            (derivations != structures && !rules.ambiguous))
            fail_msg("%s, n = %d: %zu derivations of %zu structures", name, n, derivations,
                     structures);
    }
    tz_arena_free(rules.arena);
}

TEST(every_file_is_expected) {
    size_t seen = 0;
    DIR *folder = need(opendir(TZ_SOURCE_ROOT "/rules"));
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".rules") != 0)
            continue;
        *end = '\0';
        size_t s = 0;
        while (s < SETS && strcmp(sets[s].name, entry->d_name) != 0)
            s++;
        if (s == SETS)
            as_declared(entry->d_name);
        else
            seen++;
    }
    closedir(folder);
    assert_int_equal(seen, SETS);
}

/* The gallery: sources, counts, and what is named as its file is. */
TEST(gallery) {
    struct dirent **entry;
    int count = scandir(TZ_SOURCE_ROOT "/rules/gallery", &entry, is_rule_file, alphasort);
    assert_true(count > 0);
    for (int e = 0; e < count; e++) {
        char name[512];
        tz_rules rules;
        snprintf(name, sizeof name, "gallery/%.*s", (int)strlen(entry[e]->d_name) - 6,
                 entry[e]->d_name);
        load(name, &rules);
        assert_string_equal(rules.name, strchr(name, '/') + 1);
        const bool endless = tz_has_closures(&rules); /* see test_closures.c */
        if ((rules.counts < LONGEST && !endless) || rules.cites == 0)
            fail_msg("%s: a `count` line and a `cite` line are missing", name);
        for (unsigned w = 0; w < rules.weights; w++)
            assert_string_not_equal(rules.weight[w].comment, "");
        tz_arena_free(rules.arena);
        if (!endless)
            as_declared(name);
        free(entry[e]);
    }
    free(entry);
}

TEST(counts) {
    for (size_t s = 0; s < SETS; s++) {
        tz_rules rules;
        load(sets[s].name, &rules);
        assert_string_equal(rules.name, sets[s].name);
        assert_int_equal(rules.ambiguous, sets[s].ambiguous);
        assert_int_equal(rules.counts, LONGEST);
        for (int n = 0; n <= LONGEST; n++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            size_t derivations = 0, structures = 0;
            set_lengths(&rules, n, 2, lengths);
            assert_ok(tz_count_structures(&rules, lengths, LIMIT, &derivations, &structures));
            if (derivations != sets[s].derivations[n] || structures != sets[s].structures[n])
                fail_msg("%s, n = %d: %zu derivations of %zu structures", sets[s].name, n,
                         derivations, structures);
            if (n > 0)
                assert_true(rules.count[n - 1] == (double)structures);
        }
        tz_arena_free(rules.arena);
    }
}

/* ---- Trees by brute force -------------------------------------------------------------------- */

/* Does w descend from h (or is it h)? */
static bool descends(const int *head, int w, int h) {
    while (w != h && w != 0)
        w = head[w];
    return w == h;
}

/* Do the heads of the words kept (head -1: dropped) make a projective tree under 0? */
static bool projective(const int *head, int n) {
    for (int m = 1; m <= n; m++) {
        int steps = 0;
        for (int a = m; head[m] >= 0 && a != 0; a = head[a])
            if (head[a] < 0 || ++steps > n)
                return false;
    }
    for (int m = 1; m <= n; m++)
        for (int w = 1; head[m] >= 0 && w <= n; w++)
            if (head[w] >= 0 && (w < m) != (w < head[m]) && w != m && !descends(head, w, head[m]))
                return false;
    return true;
}

/* The table's four kinds of structures, counted over all vectors of heads. */
TEST(head_vectors) {
    static const size_t trees[] = TREES, rooted[] = ROOTED;
    static const size_t subsets[] = SUBSETS, rooted_subsets[] = ROOTED_SUBSETS;
    for (int n = 0; n <= LONGEST; n++) {
        int head[LONGEST + 1] = {0};
        size_t count[4] = {0};
        for (int m = 1; m <= n; m++)
            head[m] = -1;
        for (int m = 0; m <= n;) {
            int roots = 0, kept = 0;
            for (int w = 1; w <= n; w++) {
                roots += head[w] == 0;
                kept += head[w] >= 0;
            }
            if (projective(head, n)) {
                count[0] += kept == n;
                count[1] += kept == n && roots == 1;
                count[2]++;
                count[3] += roots == 1;
            }
            for (m = 1; m <= n && ++head[m] > n; m++)
                head[m] = -1;
            m = m > n ? n + 1 : 0;
        }
        assert_int_equal(count[0], trees[n]);
        assert_int_equal(count[1], rooted[n]);
        assert_int_equal(count[2], subsets[n]);
        assert_int_equal(count[3], rooted_subsets[n]);
    }
}

/* ---- Resources ------------------------------------------------------------------------------- */

typedef struct sums {
    const tz_rules *rules;
    const int32_t *lengths;
} sums;

static int64_t value(const sums *sums, const tz_form *form, const int32_t *index) {
    int64_t sum = form->constant;
    for (unsigned l = 0; l < sums->rules->lengths; l++)
        sum += (int64_t)form->length[l] * sums->lengths[l];
    for (unsigned c = 0; index && c < TZ_MAX_RANK; c++)
        sum += (int64_t)form->column[c] * index[c];
    return sum;
}

static int check_sums(void *user, const tz_enum_use *uses, size_t count) {
    const sums *sums = user;
    int64_t charged[8] = {0};
    for (size_t u = 0; u < count; u++)
        for (unsigned c = 0; c < sums->rules->charges; c++) {
            const tz_charge *charge = &sums->rules->charge[c];
            if (charge->weight == uses[u].weight) {
                int64_t amount = value(sums, &charge->amount, uses[u].index);
                assert_true(amount >= 0);
                charged[charge->resource] += amount;
            }
        }
    for (unsigned r = 0; r < sums->rules->resources; r++) {
        const tz_resource *resource = &sums->rules->resource[r];
        if (resource->other >= 0)
            assert_int_equal(charged[r],
                             value(sums, &resource->total, NULL) - charged[resource->other]);
    }
    return 0;
}

TEST(resources) {
    size_t declaring = 0, resources = 0;
    for (size_t s = 0; s < SETS; s++) {
        tz_rules rules;
        load(sets[s].name, &rules);
        resources += rules.resources;
        for (unsigned r = 0; r < rules.resources; r++)
            declaring += rules.resource[r].other >= 0;
        for (int n = 0; n <= LONGEST; n++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            sums sums = {&rules, lengths};
            set_lengths(&rules, n, 2, lengths);
            assert_ok(tz_enumerate(&rules, lengths, LIMIT, check_sums, &sums));
        }
        tz_arena_free(rules.arena);
    }
    assert_int_equal(resources, 21);
    assert_int_equal(declaring, 8);
}

/* ---- The enumerator -------------------------------------------------------------------------- */

typedef struct trace {
    char text[512];
    size_t stop;
} trace;

static int write_indices(void *user, const tz_enum_use *uses, size_t count) {
    trace *trace = user;
    size_t at = strlen(trace->text);
    for (size_t u = 0; u < count; u++)
        at += (size_t)snprintf(trace->text + at, sizeof trace->text - at, "%u%d", uses[u].weight,
                               uses[u].index[0]);
    snprintf(trace->text + at, sizeof trace->text - at, " ");
    return trace->stop && --trace->stop == 0;
}

/* Rules in file order, then variables in order of appearance, then the first premise's derivations
 * slowest; the uses in preorder. */
static const char ordered[] = "rules ordered\n"
                              "length n\n"
                              "weight u[i] 1 <= i <= n\n"
                              "weight v[i] 1 <= i <= n\n"
                              "item leaf[i] 1 <= i <= n\n"
                              "item pair\n"
                              "goal pair\n"
                              "  axiom\n"
                              "  --- second * v[i]\n"
                              "  leaf[i]\n"
                              "  axiom\n"
                              "  --- first * u[i]\n"
                              "  leaf[i]\n"
                              "  leaf[i] leaf[j]\n"
                              "  --- both * u[j] if i < j\n"
                              "  pair\n"
                              "  leaf[i]\n"
                              "  --- one\n"
                              "  pair\n";

TEST(order) {
    tz_rules rules;
    read_good_rules(ordered, &rules);
    trace trace = {.stop = 0};
    assert_ok(tz_enumerate(&rules, (int32_t[]){2}, LIMIT, write_indices, &trace));
    assert_string_equal(trace.text, "021112 021102 020112 020102 11 01 12 02 ");
    trace.text[0] = '\0';
    trace.stop = 3;
    assert_ok(tz_enumerate(&rules, (int32_t[]){2}, LIMIT, write_indices, &trace));
    assert_string_equal(trace.text, "021112 021102 020112 ");
    trace.stop = 0;
    assert_ok(tz_enumerate(&rules, (int32_t[]){2}, 8, write_indices, &trace));
    assert_int_equal(tz_enumerate(&rules, (int32_t[]){2}, 7, write_indices, &trace), TZ_TOO_LARGE);
    assert_int_equal(tz_enumerate(&rules, (int32_t[]){-1}, 7, write_indices, &trace),
                     TZ_BAD_ARGUMENT);
    trace.text[0] = '\0';
    assert_ok(tz_enumerate(&rules, (int32_t[]){0}, 7, write_indices, &trace));
    assert_string_equal(trace.text, "");
    tz_arena_free(rules.arena);
}

static const char circular[] = "rules circular\n"
                               "length n\n"
                               "item a[i] 0 <= i <= n\n"
                               "item b[i] 0 <= i <= n\n"
                               "goal a[n]\n"
                               "  axiom\n"
                               "  --- seed\n"
                               "  b[i]\n"
                               "  b[i]\n"
                               "  --- there\n"
                               "  a[i]\n"
                               "  a[i]\n"
                               "  --- back\n"
                               "  b[i]\n";

/* x and y are bounded by their sum and difference only: 0 <= x + y <= n, 0 <= x - y <= n. */
static const char slanted[] = "rules slanted\n"
                              "length n\n"
                              "weight w[x,y] 0 <= x+y <= n, 0 <= x-y <= n\n"
                              "item all\n"
                              "goal all\n"
                              "  axiom\n"
                              "  --- any * w[x,y]\n"
                              "  all\n";

TEST(odd_rules) {
    tz_rules rules;
    trace trace = {.stop = 0};
    read_good_rules(circular, &rules);
    assert_int_equal(tz_enumerate(&rules, (int32_t[]){2}, LIMIT, write_indices, &trace),
                     TZ_BAD_RULES);
    tz_arena_free(rules.arena);
    read_good_rules(slanted, &rules);
    size_t derivations, structures;
    assert_ok(tz_count_structures(&rules, (int32_t[]){4}, LIMIT, &derivations, &structures));
    assert_int_equal(derivations, 13); /* of 5 * 5 sums and differences, those of like parity */
    assert_int_equal(structures, 13);
    tz_arena_free(rules.arena);
}
