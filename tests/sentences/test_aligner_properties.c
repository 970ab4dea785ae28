/* test_aligner_properties.c - what must hold of any aligner's learning: the objective never falls,
 * and rises along each step; expected uses add up; threads change no bit; long documents by powers
 * of two are what a plain pass over all distances says.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sentences/align/decode/decode.h"
#include "sentences/align/em/em_own.h"
#include "tests/support/amount.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/wordnet_make.h"

enum { LONGEST = 400, SENTENCE = 7 };

static tz_wordnet *wordnet; /* a made one */

/* Words 1..w, of which three have a stem. */
static tz_form form(uint64_t word) {
    return (tz_form){1000 + word, word / 3};
}

static const char *spelling(const tz_form *form) {
    static const char *const names[] = {"dog",    "cat",  "guide", "run",   "the", "bird",
                                        "sprint", "dogs", "idea",  "thing", "of",  "axes"};
    return names[(form->word - 1000) % (sizeof names / sizeof *names)];
}

/* Sentences of seven words, whose arcs may cross. */
static void make_trees(random_state *r, size_t words, int32_t (*head)[SENTENCE + 1],
                       tz_cover_sentence *ret) {
    static const char *const name[] = {"", "a", "b", "a", "c", "d", "b", "e"};
    for (size_t s = 0; s * SENTENCE < words; s++) {
        size_t left = words - s * SENTENCE, size = left < SENTENCE ? left : SENTENCE;
        for (size_t w = 1; w <= size; w++)
            head[s][w] = (int32_t)random_below(r, w);
        ret[s] = (tz_cover_sentence){(int32_t)size, head[s], name, name};
    }
}

static tz_status add_pair(tz_em *em, random_state *r, size_t n, size_t m, uint64_t words) {
    tz_form document[LONGEST], abstract[LONGEST];
    const char *word[2][LONGEST];
    int32_t head[LONGEST / SENTENCE + 1][SENTENCE + 1];
    tz_cover_sentence tree[LONGEST / SENTENCE + 1];
    uint32_t stop[LONGEST];
    for (size_t j = 0; j < n; j++) {
        document[j] = form(random_below(r, words));
        stop[j] = (uint32_t)((j / SENTENCE + 1) * SENTENCE < n ? (j / SENTENCE + 1) * SENTENCE : n);
        word[0][j] = spelling(&document[j]);
    }
    for (size_t t = 0; t < m; t++) { /* copies, most of them of what comes next, and others */
        size_t from = random_below(r, 3) > 0 ? (t * 2) % (n + 1) : random_below(r, n + 1);
        abstract[t] = from < n ? document[from] : form(random_below(r, words));
        word[1][t] = spelling(&abstract[t]);
    }
    make_trees(r, n, head, tree);
    return tz_em_add(em,
                     &(tz_passage){.form = document,
                                   .opt_stop = stop,
                                   .words = n,
                                   .opt_word = word[0],
                                   .opt_tree = tree,
                                   .trees = (n + SENTENCE - 1) / SENTENCE},
                     &(tz_passage){.form = abstract, .words = m, .opt_word = word[1]});
}

/* Half of those that may have WordNet have it. */
static tz_em *new_learner(random_state *r, const tz_em_settings *s) {
    tz_em *em = need(tz_em_new());
    if (random_below(r, 2) && s->kind == TZ_ALIGNER_SEMI)
        tz_em_use_wordnet(em, wordnet, s->abstract_most, s->document_most);
    return em;
}

static tz_em *learner(random_state *r, const tz_em_settings *s) {
    tz_em *em = new_learner(r, s);
    for (int i = 0; i < 8; i++)
        assert_ok(
            add_pair(em, r, 1 + random_below(r, 12), random_below(r, 9), 4 + random_below(r, 20)));
    assert_ok(add_pair(em, r, 3, 4, 5)); /* some words, certainly */
    assert_ok(tz_em_start(em, s, NULL));
    return em;
}

static tz_em_settings any_settings(random_state *r) {
    static const double priors[][3] = {{2, 4, 3}, {0, 0, 0}, {0.5, 0, 1}, {0, 4, 3}};
    tz_em_settings s = tz_em_defaults();
    s.kind = random_below(r, 6) == 0 ? 1 + random_below(r, 2) : TZ_ALIGNER_SEMI;
    s.abstract_most = 1 + (unsigned)random_below(r, 3);
    s.document_most = 1 + (unsigned)random_below(r, 3);
    s.jump = (unsigned)random_below(r, TZ_JUMP_KINDS);
    s.length = (unsigned)random_below(r, TZ_LENGTH_KINDS);
    memcpy(s.prior, priors[random_below(r, 4)], sizeof s.prior);
    s.mean = random_below(r, 2);
    s.base = random_below(r, 3) == 0 ? 0.1 : 0;
    s.keep_null = random_below(r, 4) == 0;
    return s;
}

/* ---- The objective --------------------------------------------------------------------------- */

static double evaluate(tz_em *em) {
    tz_em_report report;
    tz_error error;
    assert_ok(tz_em_step(em, false, &report, &error));
    assert_false(isnan(report.objective));
    return report.objective;
}

TEST(objective) {
    random_state r = random_start("objective");
    for (int c = 0; c < AMOUNT(120, 20); c++) {
        tz_em_settings s = any_settings(&r);
        OWN(tz_em, em) = learner(&r, &s);
        double before = -INFINITY;
        for (int i = 0; i < 10; i++) {
            tz_em_report report;
            tz_error error;
            assert_ok(tz_em_step(em, true, &report, &error));
            assert_false(isnan(report.objective));
            if (!(report.objective >= before - 1e-9 * fabs(before)))
                fail_msg("case %d: %.17g after %.17g", c, report.objective, before);
            before = report.objective;
        }
    }
}

/* A copy of the parameters that a step changes. */
typedef struct parameters {
    double null, part[TZ_PARTS], length[TZ_MOST_PHRASE], null_total, eta;
    double *jump, *null_count, *total, *count;
} parameters;

static double *copy(const double *from, size_t count) {
    double *to = need(malloc((count + 1) * sizeof *to));
    memcpy(to, from, count * sizeof *to);
    return to;
}

static parameters take(const tz_aligner *a) {
    parameters p = {.null = a->null,
                    .null_total = a->null_total,
                    .eta = a->near.eta,
                    .jump = copy(a->jumps.log_p, tz_jumps_count(&a->jumps)),
                    .null_count = copy(a->null_count, a->vocabulary),
                    .total = copy(a->total, a->document.count),
                    .count = copy(a->count, a->cell.count)};
    memcpy(p.part, a->part, sizeof p.part);
    memcpy(p.length, a->length, sizeof p.length);
    return p;
}

static void drop(parameters *p) {
    free(p->jump);
    free(p->null_count);
    free(p->total);
    free(p->count);
}

enum { GROUPS = 7 };

static double between(double from, double to, double x) {
    return from + x * (to - from);
}

/* Sets one group of parameters a part x of the way from `from` to `to`, and the others to `from`.
 * Jumps move along natural parameters, so that they stay of their kind. */
static void set(tz_aligner *a, const parameters *from, const parameters *to, int group, double x) {
    double part[GROUPS] = {0}, sum = 0;
    part[group] = x;
    a->near.eta = between(from->eta, to->eta, part[6]);
    a->null = between(from->null, to->null, part[0]);
    for (size_t k = 0; k < TZ_PARTS; k++)
        a->part[k] = between(from->part[k], to->part[k], part[1]);
    for (size_t q = 0; q < TZ_MOST_PHRASE; q++)
        a->length[q] = between(from->length[q], to->length[q], part[2]);
    size_t jumps = tz_jumps_count(&a->jumps);
    for (size_t d = 0; d < jumps; d++)
        sum += exp(a->jumps.log_p[d] = between(from->jump[d], to->jump[d], part[3]));
    for (size_t d = 0; d < jumps && a->jumps.kind != TZ_JUMP_SYNTAX; d++)
        a->jumps.log_p[d] -= log(sum);
    for (size_t d = 0; d < jumps && a->jumps.kind == TZ_JUMP_SYNTAX; d += 2) {
        sum = exp(a->jumps.log_p[d]) + exp(a->jumps.log_p[d + 1]); /* of two choices */
        a->jumps.log_p[d] -= log(sum);
        a->jumps.log_p[d + 1] -= log(sum);
    }
    a->null_total = 1;
    for (size_t w = 0; w < a->vocabulary; w++)
        a->null_count[w] = between(from->null_count[w] / from->null_total,
                                   to->null_count[w] / to->null_total, part[4]);
    for (size_t y = 0; y < a->document.count; y++)
        if (from->total[y] > 0 && to->total[y] > 0)
            a->total[y] = 1 / between(1 / from->total[y], 1 / to->total[y], part[5]);
    for (size_t c = 0; c < a->cell.count; c++) {
        size_t y = a->cell.value[c] >> 32;
        if (from->total[y] > 0 && to->total[y] > 0)
            a->count[c] = a->total[y] * between(from->count[c] / from->total[y],
                                                to->count[c] / to->total[y], part[5]);
    }
}

/* The derivative of the objective along what each group of parameters does in a step. */
TEST(derivatives) {
    random_state r = random_start("derivatives");
    for (int c = 0; c < AMOUNT(60, 10); c++) {
        tz_em_settings s = any_settings(&r);
        s.mean = false; /* at the start unseen words would have more than their fake count */
        OWN(tz_em, em) = learner(&r, &s);
        tz_em_report report;
        tz_error error;
        for (int i = 0; i < 1 + c % 3; i++)
            assert_ok(tz_em_step(em, true, &report, &error));
        parameters from = take(&em->aligner);
        assert_ok(tz_em_step(em, true, &report, &error));
        parameters to = take(&em->aligner);
        for (int group = 0; group < GROUPS; group++) {
            const double step = 1e-4;
            set(&em->aligner, &from, &to, group, 0);
            double before = evaluate(em);
            set(&em->aligner, &from, &to, group, step);
            double slope = (evaluate(em) - before) / step;
            if (!(slope >= -1e-6 * (1 + fabs(before))))
                fail_msg("case %d, group %d: %g", c, group, slope);
        }
        drop(&from);
        drop(&to);
    }
}

/* ---- What adds up ---------------------------------------------------------------------------- */

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Of a pair, each abstract word comes from somewhere, or from nowhere, once in all; there is a jump
 * for each phrase pair, and one to the end. */
TEST(sums) {
    random_state r = random_start("sums");
    for (int c = 0; c < AMOUNT(100, 20); c++) {
        tz_em_settings s = any_settings(&r);
        OWN(tz_em, em) = new_learner(&r, &s);
        size_t n = c % 10 == 0 ? 130 : 1 + random_below(&r, 9), m = 1 + random_below(&r, 6);
        assert_ok(add_pair(em, &r, n, m, 9));
        assert_ok(tz_em_start(em, &s, NULL));
        tz_em_report report;
        tz_error error;
        assert_ok(tz_em_step(em, false, &report, &error));
        tz_layout layout;
        const tz_em_pair *pair = em->pair;
        const double *use = em->uses_of.data;
        double from[LONGEST] = {0}, phrases = 0;
        assert_ok(tz_layout_choose(&em->aligner, n, m, pair->longer, &layout));
        for (size_t t = 0; t < m; t++) {
            from[t] += use[(size_t)layout.null + t];
            for (size_t j = 0; j < n; j++) {
                from[t] += use[(size_t)layout.word + t * layout.step + j];
                phrases += use[(size_t)layout.word + t * layout.step + j];
            }
        }
        for (size_t e = 0; e < pair->longer; e++) {
            const tz_place *place = &em->longer.place[e];
            for (unsigned p = 0; p < place->p; p++)
                from[place->t + p] += use[tz_layout_place(&layout, place, e)];
            phrases += use[tz_layout_place(&layout, place, e)];
        }
        for (size_t t = 0; t < m; t++)
            near(from[t], 1);
        if (s.kind != TZ_ALIGNER_MODEL1)
            near(*em->uses.jumps, phrases + 1);
    }
}

/* ---- Threads --------------------------------------------------------------------------------- */

TEST(threads) {
    for (int c = 0; c < 6; c++) {
        parameters first = {0};
        double objective = 0;
        for (unsigned threads = 1; threads <= 4; threads *= 2) {
            random_state r = {(uint64_t)c};
            tz_em_settings s = any_settings(&r);
            s.threads = threads;
            OWN(tz_em, em) = learner(&r, &s);
            tz_em_report report;
            tz_error error;
            for (int i = 0; i < 3; i++)
                assert_ok(tz_em_step(em, true, &report, &error));
            const tz_aligner *a = tz_em_aligner(em);
            if (threads == 1) {
                first = take(a);
                objective = report.objective;
            }
            assert_memory_equal(&objective, &report.objective, sizeof objective);
            assert_memory_equal(first.part, a->part, sizeof first.part);
            assert_memory_equal(first.count, a->count, a->cell.count * sizeof *a->count);
            assert_memory_equal(first.jump, a->jumps.log_p,
                                tz_jumps_count(&a->jumps) * sizeof *first.jump);
        }
        drop(&first);
    }
}

/* ---- Stopping -------------------------------------------------------------------------------- */

static bool stop(void *user, size_t done, size_t pairs) {
    int *calls = user;
    assert_true(0 < done && done <= pairs);
    return ++*calls > 1;
}

/* A step that is stopped changes no parameter. */
TEST(stop) {
    random_state r = random_start("stop");
    tz_em_settings s = tz_em_defaults();
    int calls = 0;
    s.opt_progress = stop;
    s.user = &calls;
    OWN(tz_em, em) = learner(&r, &s);
    tz_em_report report;
    tz_error error;
    parameters before = take(&em->aligner);
    assert_int_equal(tz_em_step(em, true, &report, &error), TZ_NONE);
    parameters after = take(&em->aligner);
    assert_memory_equal(before.count, after.count, em->aligner.cell.count * sizeof *before.count);
    assert_memory_equal(before.part, after.part, sizeof before.part);
    assert_true(before.null == after.null);
    assert_ok(tz_em_step(em, true, &report, &error));
    drop(&before);
    drop(&after);
}

/* ---- Long documents -------------------------------------------------------------------------- */

/* All distances, one by one: forward and backward over places. Single words. */
typedef struct plain {
    size_t n, m;
    double *jump;           /* of distance d at jump[d + n] */
    double *ahead, *back;   /* [(m + 1) * (n + 1)] */
    double *from, *nowhere; /* [m * n], [m] */
} plain;

static double jump(const plain *p, size_t from, size_t to) {
    return p->jump[to + p->n - from];
}

static double both_ways(plain *p) {
    size_t width = p->n + 1;
    double z = 0;
    p->ahead[0] = 1;
    for (size_t t = 1; t <= p->m; t++)
        for (size_t i = 0; i <= p->n; i++) {
            double sum = 0;
            for (size_t k = 0; k <= p->n && i > 0; k++)
                sum += p->ahead[(t - 1) * width + k] * jump(p, k, i);
            p->ahead[t * width + i] = p->ahead[(t - 1) * width + i] * p->nowhere[t - 1] +
                                      (i > 0 ? sum * p->from[(t - 1) * p->n + i - 1] : 0);
        }
    for (size_t i = 0; i <= p->n; i++) {
        p->back[p->m * width + i] = jump(p, i, p->n + 1);
        z += p->ahead[p->m * width + i] * jump(p, i, p->n + 1);
    }
    for (size_t t = p->m; t-- > 0;)
        for (size_t i = 0; i <= p->n; i++) {
            double sum = p->back[(t + 1) * width + i] * p->nowhere[t];
            for (size_t k = 1; k <= p->n; k++)
                sum += jump(p, i, k) * p->from[t * p->n + k - 1] * p->back[(t + 1) * width + k];
            p->back[t * width + i] = sum;
        }
    return z;
}

/* Adds the expected numbers of jumps, by distance. */
static void count_jumps(const plain *p, double z, double *uses) {
    size_t width = p->n + 1;
    for (size_t t = 0; t < p->m; t++)
        for (size_t i = 0; i <= p->n; i++)
            for (size_t k = 1; k <= p->n; k++)
                uses[k + p->n - i] += p->ahead[t * width + i] * jump(p, i, k) *
                                      p->from[t * p->n + k - 1] * p->back[(t + 1) * width + k] / z;
    for (size_t i = 0; i <= p->n; i++)
        uses[p->n + 1 + p->n - i] += p->ahead[p->m * width + i] * jump(p, i, p->n + 1) / z;
}

TEST(long_documents) {
    random_state r = random_start("long documents");
    tz_em_settings s = tz_em_defaults();
    s.abstract_most = s.document_most = 1;
    s.jump = TZ_JUMP_POWERS;
    OWN(tz_em, em) = tz_em_new();
    const size_t n = 300, m = 7;
    assert_ok(add_pair(em, &r, n, m, 40));
    assert_ok(tz_em_start(em, &s, NULL));
    tz_em_report report;
    tz_error error;
    const tz_aligner *a = tz_em_aligner(em);
    plain p = {n,
               m,
               calloc(2 * n + 2, sizeof(double)),
               calloc((m + 1) * (n + 1), sizeof(double)),
               calloc((m + 1) * (n + 1), sizeof(double)),
               calloc(m * n, sizeof(double)),
               calloc(m, sizeof(double))};
    double *uses = calloc(2 * n + 2, sizeof *uses);
    for (int i = 0; i < 3; i++) {
        for (size_t d = 0; d < 2 * n + 2; d++)
            p.jump[d] = (1 - a->null) * exp(tz_jumps_log_p(&a->jumps, (int32_t)d - (int32_t)n));
        for (size_t t = 0; t < m; t++) {
            const tz_form *abstract = em->form + n + t;
            p.nowhere[t] = a->null * tz_aligner_from_nowhere(a, abstract);
            for (size_t j = 0; j < n; j++) {
                tz_rewrite known;
                double part[TZ_PARTS];
                tz_aligner_look_up(a, em->form + j, 1, abstract, 1, &known);
                p.from[t * n + j] = tz_parts_value(a, &known, part);
            }
        }
        double z = both_ways(&p), all = 0;
        assert_ok(tz_em_step(em, true, &report, &error));
        near(report.log_likelihood, log(z));
        memset(uses, 0, (2 * n + 2) * sizeof *uses);
        count_jumps(&p, z, uses);
        /* 17 numbers, and one for each of 2^(k-1) < |d| <= 2^k, up to 512 */
        for (size_t d = 0; d < 2 * n + 2; d++)
            all += uses[d];
        near(*em->uses.jumps, all);
        all += 0.01 * (2 * 512 + 1);
        for (int32_t first = 9, last = 16; last <= 512; first = last + 1, last *= 2)
            for (int sign = -1; sign <= 1; sign += 2) {
                double mass = 0.01 * (last - first + 1);
                for (int32_t d = first; d <= last; d++)
                    if (sign * d >= -(int32_t)n && sign * d <= (int32_t)n + 1)
                        mass += uses[sign * d + (int32_t)n];
                near(exp(tz_jumps_log_p(&a->jumps, sign * first)), mass / all / (last - first + 1));
                near(exp(tz_jumps_log_p(&a->jumps, sign * last)), mass / all / (last - first + 1));
            }
        for (int32_t d = -8; d <= 8; d++)
            near(exp(tz_jumps_log_p(&a->jumps, d)), (uses[d + (int32_t)n] + 0.01) / all);
    }
    double *const array[] = {p.jump, p.ahead, p.back, p.from, p.nowhere, uses};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
}

/* ---- An example ------------------------------------------------------------------------------ */

/* Daume & Marcu's: the document "a b", the abstract "c d", and "c d" is made from "a". */
TEST(example) {
    const tz_form document[] = {{1, 1}, {2, 2}}, abstract[] = {{3, 3}, {4, 4}};
    tz_passage from = {.form = document, .words = 2}, to = {.form = abstract, .words = 2};
    tz_em_settings s = tz_em_defaults();
    s.mean = true;
    OWN(tz_em, em) = tz_em_new();
    assert_ok(tz_em_add(em, &from, &to));
    assert_ok(tz_em_start(em, &s, NULL));
    tz_rewrite known;
    tz_aligner_look_up(&em->aligner, document, 1, abstract, 2, &known);
    assert_int_not_equal(known.cell, TZ_NO_NUMBER);
    em->aligner.count[known.cell] = em->aligner.total[known.row];
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_align_decoder, decoder) = NULL;
    tz_decoded best;
    size_t count;
    tz_error error;
    assert_ok(tz_align_decoder_new(&em->aligner, NULL, &decoder));
    assert_ok(tz_decode_phrases(decoder, arena, &from, &to, &(tz_decode_settings){.most = 1}, &best,
                                &count, &error));
    assert_int_equal(best.phrases, 1);
    const tz_phrase_pair *pair = &best.phrase[0].pair;
    assert_int_equal(pair->abstract[0] * 1000 + pair->abstract[1] * 100 + pair->document[0] * 10 +
                         pair->document[1],
                     201);
}

static int enter(void **state) {
    if (folder_setup(state) != 0)
        return -1;
    wordnet_make(".");
    return tz_wordnet_load(".", &wordnet, NULL) != TZ_OK;
}

static int leave(void **state) {
    tz_wordnet_free(wordnet);
    return folder_teardown(state);
}

TESTS_BETWEEN(enter, leave)
