/* test_aligner_enumeration.c - does EM find what the formulas say? Against all alignments of tiny
 * texts, one by one (aligner_oracle.h): for every model of jumps and of
 * lengths, prior, start and limit on phrases, with WordNet and without. The engine is not asked.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sentences/align/decode/decode.h"
#include "sentences/align/em/em.h"
#include "sentences/align/model/layout.h"
#include "tests/support/aligner_oracle.h"
#include "tests/support/folder.h"
#include "tests/support/wordnet_make.h"

/* ---- Comparisons ----------------------------------------------------------------------------- */

static const char *at; /* what is being compared */

static void near(double got, double want, const char *what) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("%s: %s %.17g, not %.17g", at, what, got, want);
}

static tz_form forms[PAIRS][2][LONG];
static uint32_t stops[PAIRS][LONG];

static const char *words[PAIRS][2][LONG];
static int32_t heads[PAIRS][LONG][LONG + 1];
static const char *tags[PAIRS][LONG][LONG + 1], *relations[PAIRS][LONG][LONG + 1];
static tz_cover_sentence trees[PAIRS][LONG];
static tz_wordnet *wordnet; /* NULL: without */

static tz_passage passage(int pair, bool abstract) {
    int sentences = 0;
    for (int from = 0; from < texts[pair].n && !abstract; from = texts[pair].stop[from]) {
        int size = texts[pair].stop[from] - from, s = sentences++;
        for (int w = 1; w <= size; w++) {
            heads[pair][s][w] = texts[pair].head[from + w - 1];
            tags[pair][s][w] = texts[pair].tag[from + w - 1];
            relations[pair][s][w] = texts[pair].relation[from + w - 1];
        }
        trees[pair][s] =
            (tz_cover_sentence){size, heads[pair][s], relations[pair][s], tags[pair][s]};
    }
    return (tz_passage){.form = forms[pair][abstract],
                        .opt_stop = abstract ? NULL : stops[pair],
                        .words = (size_t)(abstract ? texts[pair].m : texts[pair].n),
                        .opt_word = words[pair][abstract],
                        .opt_tree = abstract ? NULL : trees[pair],
                        .trees = (size_t)sentences};
}

static tz_em *learner(const tz_em_settings *s) {
    tz_em *em = need(tz_em_new());
    if (wordnet)
        tz_em_use_wordnet(em, wordnet, s->abstract_most, s->document_most);
    for (int i = 0; i < PAIRS; i++) {
        for (int w = 0; w < LONG; w++) {
            forms[i][0][w] = lexicon[texts[i].document[w]];
            forms[i][1][w] = lexicon[texts[i].abstract[w]];
            words[i][0][w] = spelling[texts[i].document[w]];
            words[i][1][w] = spelling[texts[i].abstract[w]];
            stops[i][w] = (uint32_t)texts[i].stop[w];
        }
        tz_passage document = passage(i, false), abstract = passage(i, true);
        assert_ok(tz_em_add(em, &document, &abstract));
    }
    assert_ok(tz_em_start(em, s, NULL));
    return em;
}

static void compare_jumps(const tz_aligner *a, const model *p) {
    const tz_labels *own = &a->jumps.labels;
    for (int d = p->low; d <= p->high && p->s.jump != TZ_JUMP_SYNTAX; d++)
        near(exp(tz_jumps_log_p(&a->jumps, d)), p->jump[d - p->low], "jump");
    if (p->s.jump != TZ_JUMP_SYNTAX)
        return;
    assert_int_equal(own->count, LABELS);
    for (int d = 0; d < 2; d++)
        near(exp(a->jumps.log_p[d]), p->jump[d], "direction");
    for (int l = 0; l < LABELS; l++) {
        int32_t number = tz_labels_find(own, labels[l]);
        assert_true(number >= 0);
        for (int choice = 0; choice < 4; choice++)
            near(exp(a->jumps.log_p[2 + 4 * number + choice]), p->jump[2 + 4 * l + choice],
                 labels[l]);
    }
}

/* R(x | y) but for WordNet's part, which takes texts (compare_decoding). */
static double without_wordnet(const double part[PARTS]) {
    return part[0] + part[1] + part[2];
}

static void compare_parameters(const tz_aligner *a, const model *p) {
    tz_rewrite known;
    double got[TZ_PARTS], want[PARTS];
    near(a->part[TZ_PART_NEAR], p->part[3], "part wn");
    if (p->wordnet)
        near(a->near.eta, p->eta, "eta");
    near(a->null, p->null, "null");
    for (unsigned q = 1; q <= p->s.document_most; q++)
        near(a->length[q - 1], p->length[q], "length");
    if (p->s.kind != TZ_ALIGNER_MODEL1)
        compare_jumps(a, p);
    for (int x = 1; x <= VOCABULARY; x++)
        near(tz_aligner_from_nowhere(a, &lexicon[x]), p->from_nowhere[x], "from nowhere");
    for (int y = 1; y <= WORDS; y++)
        for (int x = 1; x <= VOCABULARY && row[y]; x++) {
            if (!ranges(p, y, x))
                continue;
            tz_aligner_look_up(a, &lexicon[y], 1, &lexicon[x], 1, &known);
            parts_of(p, y, x, want);
            near(tz_parts_value(a, &known, got), without_wordnet(want), "R of words");
        }
    for (int i = 0; i < PAIRS; i++)
        for (int t = 0; t < texts[i].m; t++)
            for (int j = 0; j < texts[i].n; j++)
                for (int length = 1; length <= MOST; length++)
                    for (int q = 1; q <= MOST; q++) {
                        if (!may(p, i, t, length, j, q))
                            continue;
                        tz_aligner_look_up(a, forms[i][0] + j, (unsigned)q, forms[i][1] + t,
                                           (unsigned)length, &known);
                        parts_of(p, key(texts[i].document + j, q),
                                 key(texts[i].abstract + t, length), want);
                        near(tz_parts_value(a, &known, got), without_wordnet(want), "R");
                        for (int k = 0; k < 3; k++)
                            near(got[k], want[k], tz_part_name((size_t)k));
                    }
}

/* The best alignment; posteriors of its pairs, and of all links. */
static void compare_decoding(const tz_aligner *a, const model *p) {
    uses u = {.t = counts};
    OWN(tz_align_decoder, decoder) = NULL;
    tz_error error;
    assert_ok(tz_align_decoder_new(a, wordnet, &decoder));
    for (int i = 0; i < PAIRS; i++) {
        walk w;
        tz_decoded best, likely;
        size_t count;
        OWN(tz_arena, arena) = tz_arena_new();
        tz_passage document = passage(i, false), abstract = passage(i, true);
        tz_decode_settings s = {.posteriors = true, .most = 1};
        walk_pair(&w, p, i, &u);
        assert_ok(
            tz_decode_phrases(decoder, arena, &document, &abstract, &s, &best, &count, &error));
        near(best.log_likelihood, log(w.z), "log likelihood");
        near(best.score, log(w.best), "best score");
        for (size_t f = 0; f < best.phrases; f++) {
            const tz_phrase_pair *g = &best.phrase[f].pair;
            near(best.phrase[f].posterior,
                 w.place[g->abstract[0]][g->abstract[1] - g->abstract[0]][g->document[0]]
                        [g->document[1] - g->document[0]],
                 "posterior of a pair");
        }
        double link[LONG][LONG] = {{0}};
        for (int t = 0; t < texts[i].m; t++)
            for (int j = 0; j < texts[i].n; j++)
                for (int length = 1; length <= MOST; length++)
                    for (int q = 1; q <= MOST; q++) {
                        if (!may(p, i, t, length, j, q))
                            continue;
                        bool diagonal =
                            key(texts[i].document + j, q) == key(texts[i].abstract + t, length);
                        for (int k = 0; k < length; k++)
                            for (int l = 0; l < q; l++)
                                if (!diagonal || k == l)
                                    link[t + k][j + l] += w.place[t][length][j][q];
                    }
        s.posterior = s.likely = true;
        assert_ok(
            tz_decode_phrases(decoder, arena, &document, &abstract, &s, &likely, &count, &error));
        size_t above = 0, likely_ones = 0;
        for (int t = 0; t < texts[i].m; t++) {
            for (int j = 0; j < texts[i].n; j++) {
                above += link[t][j] > 0.5;
                likely_ones += link[t][j] > 0.1;
            }
        }
        assert_int_equal(likely.links.count, above);
        assert_int_equal(likely.likely.count, likely_ones);
        for (size_t l = 0; l < likely_ones; l++)
            assert_true(link[likely.likely.link[l].abstract][likely.likely.link[l].document] > 0.1);
        for (size_t f = 0; f < likely.phrases; f++) {
            double all = 0;
            const tz_decoded_phrase *phrase = &likely.phrase[f];
            near(phrase->posterior, link[phrase->pair.abstract[0]][phrase->pair.document[0]],
                 "posterior of a link");
            for (size_t k = 0; k < TZ_PARTS; k++)
                all += phrase->share[k];
            near(all, 1, "sum of shares");
        }
    }
}

static void run(const char *name, const tz_em_settings *s) {
    enum { STEPS = 3 };
    model p = {.s = *s, .t = table, .wordnet = wordnet != NULL};
    OWN(tz_em, em) = learner(s);
    tz_error error;
    at = name;
    if (s->kind != TZ_ALIGNER_SEMI) {
        p.s.abstract_most = p.s.document_most = 1;
        p.s.prior[0] = p.s.prior[2] = 0;
        p.s.prior[1] = 1;
        p.s.mean = true;
    }
    begin(&p);
    double before = -INFINITY, constant = 0;
    for (int i = 0; i < STEPS; i++) {
        tz_em_report report;
        compare_parameters(tz_em_aligner(em), &p);
        assert_ok(tz_em_step(em, true, &report, &error));
        double prior = log_prior(&p);
        near(report.log_likelihood, iterate(&p), "log likelihood of all");
        if (i == 0)
            constant = report.objective - report.log_likelihood - prior;
        near(report.objective - report.log_likelihood, prior + constant, "log prior");
        if (!(report.objective >= before - 1e-9 * fabs(before)))
            fail_msg("%s: the objective fell from %.17g to %.17g", name, before, report.objective);
        before = report.objective;
    }
    compare_parameters(tz_em_aligner(em), &p);
    compare_decoding(tz_em_aligner(em), &p);
}

TEST(jumps_and_lengths) {
    for (unsigned jump = 0; jump < TZ_JUMP_KINDS; jump++)
        for (unsigned length = 0; length < TZ_LENGTH_KINDS; length++)
            for (unsigned most = 0; most < 4; most++) {
                static const unsigned limits[4][2] = {{1, 1}, {2, 2}, {3, 2}, {2, 3}};
                char name[80];
                snprintf(name, sizeof name, "%s, length %s, phrases of %u, %u", tz_jump_name(jump),
                         tz_length_name(length), limits[most][0], limits[most][1]);
                tz_em_settings s = tz_em_defaults();
                s.jump = jump;
                s.length = length;
                s.abstract_most = limits[most][0];
                s.document_most = limits[most][1];
                run(name, &s);
                s.mean = true;
                run(name, &s);
            }
}

TEST(priors_and_starts) {
    static const double priors[][3] = {{2, 4, 3}, {0, 0, 0}, {0.5, 0, 0}, {0, 4, 3}, {1, 0, 2}};
    for (size_t k = 0; k < sizeof priors / sizeof *priors; k++)
        for (int choice = 0; choice < 8; choice++) {
            char name[80];
            tz_em_settings s = tz_em_defaults();
            memcpy(s.prior, priors[k], sizeof s.prior);
            s.mean = choice & 1;
            s.base = choice & 2 ? 0.1 : 0;
            s.keep_null = choice & 4;
            s.null = 0.3;
            s.abstract_most = s.document_most = 3;
            snprintf(name, sizeof name, "prior %g %g %g, choice %d", priors[k][0], priors[k][1],
                     priors[k][2], choice);
            run(name, &s);
        }
}

TEST(wordnet) {
    static const char *const folder = "wordnet";
    tz_error error;
    wordnet_make(folder);
    assert_ok(tz_wordnet_load(folder, &wordnet, &error));
    for (int choice = 0; choice < 8; choice++) {
        tz_em_settings s = tz_em_defaults();
        char name[80];
        s.abstract_most = choice & 1 ? 2 : 1;
        s.document_most = choice & 1 ? 3 : 1;
        s.mean = choice & 2;
        s.jump = choice & 4 ? TZ_JUMP_SYNTAX : TZ_JUMP_RELATIVE;
        snprintf(name, sizeof name, "WordNet, choice %d", choice);
        run(name, &s);
    }
    tz_wordnet_free(wordnet);
    wordnet = NULL;
}

TEST(baselines) {
    tz_em_settings s = tz_em_defaults();
    s.kind = TZ_ALIGNER_HMM;
    s.null = 0.2;
    run("hmm", &s);
    s.kind = TZ_ALIGNER_MODEL1;
    run("model1", &s);
}

TESTS_BETWEEN(folder_setup, folder_teardown)
