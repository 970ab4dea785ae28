/* test_cover.c - is what the pointer jumps over written with the fewest nodes of the trees?
 * Against all ways to cover each stretch; by examples; and how often labels are jumped over;
 * memory.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/align/model/cover.h"
#include "sentences/features/sentence/projective.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { MOST = 12, SENTENCES = 4, NAMES = 3, DOCUMENT = MOST * SENTENCES };

/* ---- Random documents ------------------------------------------------------------------------ */

typedef struct document {
    size_t sentences, words;
    int32_t head[SENTENCES][MOST + 1];
    const char *relation[SENTENCES][MOST + 1], *tag[SENTENCES][MOST + 1];
    tz_cover_sentence sentence[SENTENCES];
} document;

static bool circle(const int32_t *head, int32_t words) {
    for (int32_t w = 1; w <= words; w++) {
        int32_t steps = 0;
        for (int32_t a = w; a > 0 && steps <= words; a = head[a])
            steps++;
        if (steps > words)
            return true;
    }
    return false;
}

/* Trees of any form, one or several in a sentence; sentences may be empty. */
static void make(random_state *random, document *d) {
    static const char *const relation[NAMES] = {"nmod", "obj", "root"};
    static const char *const tag[NAMES] = {"NN", "VB", "IN"};
    d->sentences = random_below(random, SENTENCES + 1);
    d->words = 0;
    for (size_t s = 0; s < d->sentences; s++) {
        int32_t words = (int32_t)random_below(random, MOST + 1);
        do {
            for (int32_t w = 1; w <= words; w++)
                d->head[s][w] = (int32_t)random_below(random, (uint64_t)words + 1);
        } while (circle(d->head[s], words));
        for (int32_t w = 1; w <= words; w++) {
            d->relation[s][w] = relation[random_below(random, NAMES)];
            d->tag[s][w] = tag[random_below(random, NAMES)];
        }
        d->sentence[s] = (tz_cover_sentence){words, d->head[s], d->relation[s], d->tag[s]};
        d->words += (size_t)words;
    }
}

/* ---- All covers ------------------------------------------------------------------------------ */

/* node[b][e]: the label of the highest node of words b..e; -1: there is none. */
typedef struct plain {
    int32_t node[DOCUMENT + 2][DOCUMENT + 2];
} plain;

static int32_t label_of(const tz_labels *labels, const char *before, const char *name,
                        const char *after) {
    char text[32];
    snprintf(text, sizeof text, "%s%s%s", before, name, after);
    int32_t label = tz_labels_find(labels, text);
    assert_true(label >= 0);
    return label;
}

static void find_nodes(const document *d, const tz_labels *labels, plain *p) {
    int32_t words = 0;
    memset(p, -1, sizeof *p);
    for (size_t s = 0; s < d->sentences; s++) {
        int32_t n = d->sentence[s].words, head[MOST + 1];
        memcpy(head, d->head[s], sizeof head);
        tz_projectivise(head, n);
        for (int32_t w = 1; w <= n; w++) {
            int32_t first = w, last = w, below = 0;
            for (int32_t v = 1; v <= n; v++) {
                int32_t a = v;
                while (a != w && a > 0)
                    a = head[a];
                if (a != w)
                    continue;
                below++;
                first = v < first ? v : first;
                last = v > last ? v : last;
            }
            assert_int_equal(below, last - first + 1); /* projective */
            if (below < n)
                p->node[words + first][words + last] =
                    below == 1 ? label_of(labels, "", d->tag[s][w], "")
                               : label_of(labels, "(", d->relation[s][w], ")");
            if (n > 1)
                p->node[words + w][words + w] = label_of(labels, "", d->tag[s][w], "");
        }
        if (n > 0)
            p->node[words + 1][words + n] = label_of(labels, "(", "root", ")");
        words += n;
    }
}

/* Parameters that are used, and how often. */
typedef struct tally {
    const double *log_p;
    double sum, uses, *count;
} tally;

static void use(tally *t, size_t parameter) {
    t->sum += t->log_p[parameter];
    t->count[parameter] += t->uses;
}

/* The fewest nodes that cover words b..e, one after the other: fewest[x] for b..x. There must be
 * one such cover only. */
static void go_over(const plain *p, int32_t b, int32_t e, bool forward, tally *t) {
    int32_t fewest[DOCUMENT + 2], last[DOCUMENT + 2], ways[DOCUMENT + 2];
    fewest[b - 1] = 0;
    ways[b - 1] = 1;
    for (int32_t x = b; x <= e; x++) {
        fewest[x] = INT32_MAX;
        ways[x] = 0;
        for (int32_t y = b; y <= x; y++) {
            if (p->node[y][x] < 0 || fewest[y - 1] + 1 > fewest[x])
                continue;
            ways[x] = fewest[y - 1] + 1 < fewest[x] ? ways[y - 1] : ways[x] + ways[y - 1];
            fewest[x] = fewest[y - 1] + 1;
            last[x] = y;
        }
    }
    if (e >= b)
        assert_int_equal(ways[e], 1);
    for (int32_t x = e; x >= b; x = last[x] - 1)
        use(t, tz_cover_over(p->node[last[x]][x], forward));
}

/* All nodes from `least` to `most` that have the word. */
static void go_into(const plain *p, int32_t word, int32_t least, int32_t most, bool forward,
                    tally *t) {
    for (int32_t b = least; b <= word; b++)
        for (int32_t e = word; e <= most; e++)
            if (p->node[b][e] >= 0)
                use(t, tz_cover_into(p->node[b][e], forward));
}

static void jump(const plain *p, int32_t words, int32_t i, int32_t j, tally *t) {
    bool forward = j > i;
    use(t, forward ? 0 : 1);
    if (forward) {
        go_over(p, i + 1, j - 1, true, t);
        if (j <= words)
            go_into(p, j, i + 1, words, true, t);
    } else {
        go_over(p, j, i, false, t);
        if (j > 1)
            go_into(p, j - 1, 1, i, false, t);
    }
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b))))
        fail_msg("%.17g, not %.17g", a, b);
}

static void check(random_state *random, const document *d, plain *p) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_labels, labels) = {0};
    tz_jump_cover c;
    assert_ok(tz_cover_new(arena, d->sentence, d->sentences, &labels, true, &c));
    assert_int_equal(c.words, d->words);
    find_nodes(d, &labels, p);
    int32_t n = (int32_t)d->words;
    size_t width = d->words + 2, all = tz_cover_parameters(labels.count);
    double *log_p = tz_arena_array(arena, all, sizeof *log_p);
    double *count = tz_arena_array(arena, all, sizeof *count);
    double *expected = tz_arena_array(arena, all, sizeof *expected);
    double *score = tz_arena_array(arena, (width - 1) * width, sizeof *score);
    double *uses = tz_arena_array(arena, (width - 1) * width, sizeof *uses);
    assert_true(log_p && count && expected && score && uses);
    for (size_t i = 0; i < all; i += 2) {
        double chance = random_unit(random);
        log_p[i] = log(chance);
        log_p[i + 1] = log(1 - chance);
    }
    for (size_t i = 0; i < (width - 1) * width; i++)
        uses[i] = i % width > 0 ? random_unit(random) : NAN;
    tz_cover_score(&c, log_p, NAN, 0.25, score);
    double everything = 0;
    for (int32_t i = 0; i <= n; i++) {
        double mass[2] = {0};
        for (int32_t j = 1; j <= n + 1; j++) {
            size_t at = (size_t)i * width + (size_t)j;
            tally t = {.log_p = log_p, .uses = uses[at], .count = expected};
            jump(p, n, i, j, &t);
            near(score[at], 0.25 + t.sum);
            mass[j > i] += exp(t.sum);
            everything += uses[at];
        }
        assert_true(mass[0] <= exp(log_p[1]) + 1e-12 && mass[1] <= exp(log_p[0]) + 1e-12);
    }
    near(tz_cover_count(&c, uses, count), everything);
    for (size_t i = 0; i < all; i++)
        near(count[i], expected[i]);
}

TEST(all_covers) {
    random_state random = random_start("covers");
    FREED(document, d) = calloc(1, sizeof *d);
    FREED(plain, p) = malloc(sizeof *p);
    assert_true(d && p);
    for (int round = 0; round < AMOUNT(200, 30); round++) {
        make(&random, d);
        check(&random, d, p);
    }
}

/* ---- Examples -------------------------------------------------------------------------------- */

/* To go over labels costs 1, 10, 100, ..., so that a score says which they were; backward half as
 * much. To go into them costs nothing in `over`; in `into` it is the other way round. */
typedef struct example {
    tz_arena *arena;
    tz_labels labels;
    tz_jump_cover cover;
    double *over, *into;
} example;

static void open_example(const tz_cover_sentence *sentence, size_t sentences, example *e) {
    *e = (example){.arena = tz_arena_new()};
    assert_ok(tz_cover_new(e->arena, sentence, sentences, &e->labels, true, &e->cover));
    size_t labels = e->labels.count, all = tz_cover_parameters(labels);
    size_t cells = (e->cover.words + 1) * (e->cover.words + 2);
    double *over = tz_arena_array(e->arena, all, sizeof *over);
    double *into = tz_arena_array(e->arena, all, sizeof *into);
    e->over = tz_arena_array(e->arena, cells, sizeof *e->over);
    e->into = tz_arena_array(e->arena, cells, sizeof *e->into);
    assert_true(labels <= 14 && over && into && e->over && e->into);
    for (int32_t l = 0; l < (int32_t)labels; l++) {
        for (int forward = 0; forward < 2; forward++) {
            over[tz_cover_over(l, forward)] = pow(10, l) / (forward ? 1 : 2);
            into[tz_cover_into(l, forward)] = pow(10, l) / (forward ? 1 : 2);
        }
    }
    tz_cover_score(&e->cover, over, NAN, 0, e->over);
    tz_cover_score(&e->cover, into, NAN, 0, e->into);
}

static void close_example(example *e) {
    tz_labels_free(&e->labels);
    tz_arena_free(e->arena);
}

/* Are these the labels, with blanks between them? */
static void check_labels(const example *e, const double *score, size_t i, size_t j,
                         const char *expected) {
    char copy[64];
    double sum = 0;
    snprintf(copy, sizeof copy, "%s", expected);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        int32_t label = tz_labels_find(&e->labels, name);
        assert_true(label >= 0);
        sum += pow(10, label) / (j > i ? 1 : 2);
    }
    if (score[i * (e->cover.words + 2) + j] != sum)
        fail_msg("from %zu to %zu: not '%s'", i, j, expected);
}

static void goes_over(const example *e, size_t i, size_t j, const char *expected) {
    check_labels(e, e->over, i, j, expected);
}

static void goes_into(const example *e, size_t i, size_t j, const char *expected) {
    check_labels(e, e->into, i, j, expected);
}

/* The paper's: over "tripled it 's sales", and over "of Apple Macintosh systems". */
TEST(examples) {
    /* 1 Connecting 2 Point 3 tripled 4 it 5 's 6 sales 7 of 8 Apple 9 Macintosh 10 systems 11 . */
    static const int32_t head[] = {0, 2, 3, 0, 6, 6, 3, 10, 10, 10, 6, 3};
    static const char *const relation[] = {NULL,       "compound", "nsubj", "root",
                                           "nmod",     "case",     "obj",   "case",
                                           "compound", "compound", "nmod",  "punct"};
    static const char *const tag[] = {NULL,  "NNP", "NNP", "VBD", "PRP", "POS",
                                      "NNS", "IN",  "NNP", "NNP", "NNS", "."};
    static const int32_t two_heads[] = {0, 2, 0}, one_head[] = {0, 0};
    static const char *const two[] = {NULL, "nsubj", "root"}, *const two_tags[] = {NULL, "NN",
                                                                                   "VB"};
    static const char *const one[] = {NULL, "root"}, *const one_tag[] = {NULL, "UH"};
    const tz_cover_sentence sentence[] = {
        {11, head, relation, tag}, {2, two_heads, two, two_tags}, {1, one_head, one, one_tag}};
    example e;
    open_example(sentence, 3, &e);
    goes_over(&e, 2, 7, "VBD PRP POS NNS");
    goes_over(&e, 6, 11, "(nmod)");
    goes_over(&e, 2, 11, "VBD (obj)");
    goes_over(&e, 3, 10, "PRP POS NNS IN NNP NNP");
    goes_over(&e, 2, 3, "");
    goes_over(&e, 11, 12, "");
    goes_over(&e, 0, 12, "(root)");
    goes_over(&e, 0, 14, "(root) (root)");
    goes_over(&e, 0, 15, "(root) (root) (root)"); /* to the end; one word may be a sentence */
    goes_over(&e, 6, 15, "(nmod) . (root) (root)");
    goes_over(&e, 0, 3, "(nsubj)");
    goes_over(&e, 2, 1, "(nsubj)"); /* backward: the phrase just left is jumped over, too */
    goes_over(&e, 3, 3, "VBD");
    goes_over(&e, 12, 3, "VBD (obj) . NN");
    goes_over(&e, 14, 1, "(root) (root) (root)");
    goes_into(&e, 2, 7, "IN (nmod) (obj)");
    goes_into(&e, 2, 3, "VBD");
    goes_into(&e, 2, 4, "PRP (obj)");
    goes_into(&e, 0, 1, "NNP (nsubj) (root)");
    goes_into(&e, 0, 12, "NN (root)");
    goes_into(&e, 0, 15, ""); /* the end */
    goes_into(&e, 5, 15, "");
    goes_into(&e, 3, 1, "");            /* the beginning */
    goes_into(&e, 3, 3, "NNP (nsubj)"); /* backward: what ends before word 3 */
    goes_into(&e, 12, 12, "(root) .");
    goes_into(&e, 10, 10, "NNP (nmod) (obj)");
    goes_into(&e, 11, 10, "NNP (nmod) (obj) (root)");
    close_example(&e);
}

/* Where arcs cross, one hangs higher afterwards. A document without words has one jump: to its
 * end. */
TEST(odd_trees) {
    static const int32_t straight[] = {0, 3, 1, 0, 3};
    static const int32_t crossing[] = {0, 3, 4, 0, 1}; /* lifted: 2 to 1, 4 to 3 */
    static const char *const name[] = {NULL, "a", "b", "c", "d"};
    const tz_cover_sentence sentence[] = {{4, straight, name, name}, {4, crossing, name, name}};
    example e;
    for (size_t s = 0; s < 2; s++) {
        open_example(&sentence[s], 1, &e);
        goes_over(&e, 0, 5, "(root)");
        goes_over(&e, 0, 3, "(a)");
        goes_over(&e, 0, 4, "(a) c");
        goes_over(&e, 1, 5, "b c d");
        close_example(&e);
    }
    open_example(NULL, 0, &e);
    goes_over(&e, 0, 1, "");
    close_example(&e);
}

/* What the labels lack has one probability of its own. */
TEST(unknown_labels) {
    static const int32_t head[] = {0, 2, 0};
    static const char *const name[] = {NULL, "a", "b"};
    static const double log_p[] = {-1, -2, -3, -4, -5, -6}; /* forward, backward; a */
    const tz_cover_sentence sentence = {2, head, name, name};
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_labels, labels) = {0};
    int32_t number;
    tz_jump_cover c;
    double score[12], count[6] = {0};
    assert_ok(tz_labels_add(&labels, "a", &number));
    assert_ok(tz_cover_new(arena, &sentence, 1, &labels, false, &c));
    assert_int_equal(labels.count, 1);
    tz_cover_score(&c, log_p, -10, 0, score);
    assert_true(score[1] == -1 - 4 - 10);          /* into a and the sentence */
    assert_true(score[2] == -1 - 3 - 10 - 10);     /* over a; into b and the sentence */
    assert_true(score[3] == -1 - 10);              /* over all */
    assert_true(score[4 + 1] == -2 - 5);           /* back over a */
    assert_true(score[8 + 2] == -2 - 10 - 6 - 10); /* back over b; into a and the sentence */
    double uses[12] = {[1] = 1, [2] = 1, [3] = 1, [4 + 1] = 1, [8 + 2] = 1};
    assert_true(tz_cover_count(&c, uses, count) == 5);
    static const double expected[] = {3, 2, 1, 1, 1, 1};
    assert_memory_equal(count, expected, sizeof expected);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    OWN(tz_arena, arena) = tz_arena_new();
    OWNED(tz_labels, labels) = {0};
    const document *d = user;
    tz_jump_cover c;
    tz_status status = arena ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_cover_new(arena, d->sentence, d->sentences, &labels, true, &c);
    return (int)status;
}

TEST(out_of_memory) {
    random_state random = random_start("memory");
    FREED(document, d) = need(calloc(1, sizeof *d));
    do
        make(&random, d);
    while (d->words < 20);
    oom_sweep("cover", attempt, d, TZ_NO_MEMORY, false);
}
