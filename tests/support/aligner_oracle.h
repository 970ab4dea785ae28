/* aligner_oracle.h - EM of aligners by its formulas: over all alignments of tiny texts, one by one,
 * with parameters kept in tables of their own. Nothing of the engine is asked.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_ALIGNER_ORACLE_H
#define TZ_TESTS_SUPPORT_ALIGNER_ORACLE_H

#include <math.h>
#include <string.h>

#include "sentences/align/em/em.h"
#include "tests/support/tiny_pairs.h"

enum { REACH = 4, PARTS = 4, MOST = 3, MOST_DISTANCES = 2 + 4 * LABELS };

typedef struct model {
    tz_em_settings s;
    int low, high; /* distances */
    bool wordnet;
    double null, part[PARTS], length[MOST + 1], from_nowhere[BASE], jump[MOST_DISTANCES], eta;
    double (*t)[KEYS]; /* t[y][x], of phrases by their keys */
} model;

/* Expected uses. */
typedef struct uses {
    double null, from_nowhere[BASE], part[PARTS], length[MOST + 1], jump[MOST_DISTANCES], jumps;
    double (*t)[KEYS], near[KEYS], away; /* by WordNet: of rows, and the sum of their distances */
} uses;

static double table[KEYS][KEYS], counts[KEYS][KEYS];
static bool seen[KEYS][KEYS], row[KEYS];

enum { MOST_CHOICES = 3 * LONG + 1 };

/* Where the choices at a label stand in p->jump: over a node, into it. */
static int choice_of(int label, bool forward, bool into) {
    return 2 + 4 * label + (forward ? 0 : 2) + into;
}

/* The parameters of a jump, from the place where the last phrase ended: places in p->jump. */
static int jump_of(const model *p, int pair, int from, int to, int ret[MOST_CHOICES]) {
    if (p->s.jump != TZ_JUMP_SYNTAX) {
        ret[0] = to - from - p->low;
        return 1;
    }
    bool forward = to > from;
    int n = texts[pair].n, stop = forward ? to : to - 1; /* the word where it stops */
    int over[LONG],
        overs = forward ? cover(pair, from + 1, to - 1, over) : cover(pair, to, from, over);
    int count = 0;
    ret[count++] = forward ? 0 : 1;
    for (int c = 0; c < overs; c++)
        ret[count++] = choice_of(over[c], forward, false);
    for (int b = forward ? from + 1 : 1; b <= stop && stop <= n; b++)
        for (int e = stop; e <= (forward ? n : from); e++)
            if (e <= texts[pair].stop[b - 1] && node_of(pair, b, e) >= 0)
                ret[count++] = choice_of(node_of(pair, b, e), forward, true);
    return count;
}

/* ---------------------------------------------------------------------------------------------- */

static bool may(const model *p, int pair, int t, int length, int j, int q) {
    return t + length <= texts[pair].m && j + q <= texts[pair].stop[j] &&
           length <= (int)p->s.abstract_most && q <= (int)p->s.document_most;
}

static void see(const model *p) {
    memset(seen, 0, sizeof seen);
    memset(row, 0, sizeof row);
    for (int i = 0; i < PAIRS; i++)
        for (int t = 0; t < texts[i].m; t++)
            for (int j = 0; j < texts[i].n; j++)
                for (int length = 1; length <= MOST; length++)
                    for (int q = 1; q <= MOST; q++)
                        if (may(p, i, t, length, j, q)) {
                            int y = key(texts[i].document + j, q);
                            row[y] = true;
                            seen[y][key(texts[i].abstract + t, length)] = true;
                        }
}

static double fake(const model *p, int y, int x) {
    bool words = y < BASE && x < BASE;
    return (words ? p->s.prior[0] : p->s.base) + (y == x ? p->s.prior[1] : 0) +
           (same_stems(y, x) ? p->s.prior[2] : 0);
}

/* Does a row of t range over this phrase? */
static bool ranges(const model *p, int y, int x) {
    bool word = y < BASE && 1 <= x && x <= VOCABULARY && p->s.prior[0] > 0;
    return row[y] && (word || seen[y][x]);
}

static void begin(model *p) {
    bool none = p->s.prior[0] + p->s.prior[1] + p->s.prior[2] + p->s.base == 0;
    double more = p->s.mean || none ? 1 : 0;
    see(p);
    bool syntax = p->s.jump == TZ_JUMP_SYNTAX;
    p->low = syntax ? 0 : p->s.jump == TZ_JUMP_POWERS ? -8 : -REACH;
    p->high = syntax ? 1 + 4 * LABELS : p->s.jump == TZ_JUMP_POWERS ? 8 : REACH + 1;
    p->eta = 0;
    p->null = p->s.null;
    int parts = p->wordnet ? PARTS : PARTS - 1;
    for (int k = 0; k < PARTS; k++)
        p->part[k] = p->s.kind != TZ_ALIGNER_SEMI ? k == 2 : k < parts ? 1.0 / parts : 0;
    for (unsigned q = 1; q <= p->s.document_most; q++)
        p->length[q] = p->s.length == TZ_LENGTH_NONE ? 1 : 1.0 / p->s.document_most;
    for (int x = 1; x <= VOCABULARY; x++)
        p->from_nowhere[x] = 1.0 / VOCABULARY;
    for (int d = p->low; d <= p->high; d++)
        p->jump[d - p->low] = syntax ? 0.5 : 1.0 / (p->high - p->low + 1);
    for (int y = 0; y < KEYS; y++) {
        double all = 0;
        for (int x = 0; x < KEYS; x++)
            all += ranges(p, y, x) ? fake(p, y, x) + more : 0;
        for (int x = 0; x < KEYS; x++)
            p->t[y][x] = all > 0 && ranges(p, y, x) ? (fake(p, y, x) + more) / all : 0;
    }
}

static double parts_of(const model *p, int y, int x, double part[PARTS]) {
    part[0] = y == x ? p->part[0] : 0;
    part[1] = same_stems(y, x) && alike(y) > 0 ? p->part[1] / alike(y) : 0;
    part[2] = p->part[2] * p->t[y][x];
    part[3] = p->wordnet && edges(y, x) >= 0
                  ? p->part[3] * exp(-p->eta * edges(y, x)) / near_sum(y, p->eta, false)
                  : 0;
    return part[0] + part[1] + part[2] + part[3];
}

/* ---- All alignments, one by one -------------------------------------------------------------- */

typedef struct segment {
    int t, length, j, q; /* j is -1: from nowhere */
} segment;

typedef struct walk {
    const model *p;
    int pair;
    segment segment[LONG + 1];
    double z, best;
    int best_count;
    segment best_segment[LONG + 1];
    uses *opt_uses;
    double null[LONG], place[LONG][MOST + 1][LONG][MOST + 1];
} walk;

/* The probability of a jump, or where uses are counted, one more of p. */
static double jump(walk *w, int from, int to, double p) {
    int parameter[MOST_CHOICES], count = jump_of(w->p, w->pair, from, to, parameter);
    double product = 1;
    for (int c = 0; c < count; c++) {
        product *= w->p->jump[parameter[c]];
        if (p > 0)
            w->opt_uses->jump[parameter[c]] += p;
    }
    if (p > 0)
        w->opt_uses->jumps += p;
    return product;
}

static void finish(walk *w, int count, int at, double p) {
    const model *m = w->p;
    int n = texts[w->pair].n;
    bool model1 = m->s.kind == TZ_ALIGNER_MODEL1;
    p *= model1 ? 1 : (1 - m->null) * jump(w, at, n + 1, 0);
    if (!w->opt_uses) {
        w->z += p;
        if (p > w->best) {
            w->best = p;
            w->best_count = count;
            memcpy(w->best_segment, w->segment, sizeof w->segment);
        }
        return;
    }
    p /= w->z;
    at = 0;
    for (int s = 0; s < count; s++) {
        const segment *g = &w->segment[s];
        int x = key(texts[w->pair].abstract + g->t, g->length);
        if (g->j < 0) {
            w->opt_uses->null += p;
            w->opt_uses->from_nowhere[x] += p;
            w->null[g->t] += p;
            continue;
        }
        int y = key(texts[w->pair].document + g->j, g->q);
        double part[PARTS], all = parts_of(m, y, x, part);
        for (int k = 0; k < PARTS; k++)
            w->opt_uses->part[k] += p * part[k] / all;
        w->opt_uses->near[y] += p * part[3] / all;
        w->opt_uses->away += p * part[3] / all * (edges(y, x) < 0 ? 0 : edges(y, x));
        w->opt_uses->t[y][x] += p * part[2] / all;
        w->opt_uses->length[g->q] += p;
        jump(w, at, g->j + 1, p);
        w->place[g->t][g->length][g->j][g->q] += p;
        at = g->j + g->q;
    }
    jump(w, at, n + 1, p);
}

static void go(walk *w, int count, int t, int at, double so_far) {
    const model *p = w->p;
    int n = texts[w->pair].n;
    bool model1 = p->s.kind == TZ_ALIGNER_MODEL1;
    if (so_far == 0)
        return;
    if (t >= texts[w->pair].m || count >= LONG) {
        finish(w, count, at, so_far);
        return;
    }
    w->segment[count] = (segment){t, 1, -1, 0};
    go(w, count + 1, t + 1, at,
       so_far * (model1 ? 1.0 / (n + 1) : p->null) * p->from_nowhere[texts[w->pair].abstract[t]]);
    for (int length = 1; length <= MOST; length++)
        for (int j = 0; j < n; j++)
            for (int q = 1; q <= MOST; q++) {
                if (!may(p, w->pair, t, length, j, q))
                    continue;
                double part[PARTS],
                    score = parts_of(p, key(texts[w->pair].document + j, q),
                                     key(texts[w->pair].abstract + t, length), part);
                score *=
                    model1 ? 1.0 / (n + 1) : (1 - p->null) * jump(w, at, j + 1, 0) * p->length[q];
                w->segment[count] = (segment){t, length, j, q};
                go(w, count + 1, t + length, j + q, so_far * score);
            }
}

/* ---- One iteration --------------------------------------------------------------------------- */

/* Sets p->jump to exp(a d + b d^2) / sum, and returns the mean of d, or of d^2. */
static double moment(model *p, double a, double b, bool square) {
    double most = -INFINITY, sum = 0, all = 0;
    for (int d = p->low; d <= p->high; d++)
        most = fmax(most, a * d + b * d * d);
    for (int d = p->low; d <= p->high; d++)
        sum += p->jump[d - p->low] = exp(a * d + b * d * d - most);
    for (int d = p->low; d <= p->high; d++)
        all += (p->jump[d - p->low] /= sum) * (square ? d * d : d);
    return all;
}

/* Bisection for a, in bisection for b. */
static void fit_gaussian(model *p, const double *jump) {
    double all = 0, mean = 0, square = 0, b[2] = {-50, 50};
    for (int d = p->low; d <= p->high; d++) {
        all += jump[d - p->low];
        mean += jump[d - p->low] * d;
        square += jump[d - p->low] * d * d;
    }
    for (int step = 0; step < 100; step++) {
        double a[2] = {-1000, 1000}, middle = (b[0] + b[1]) / 2;
        for (int inner = 0; inner < 100; inner++) {
            double between = (a[0] + a[1]) / 2;
            a[moment(p, between, middle, false) > mean / all] = between;
        }
        b[moment(p, (a[0] + a[1]) / 2, middle, true) > square / all] = middle;
    }
}

/* Bisection for the eta that makes the expected distance what it was. */
static void fit_eta(model *p, const uses *u) {
    double eta[2] = {0, 20};
    for (int step = 0; step < 100; step++) {
        double middle = (eta[0] + eta[1]) / 2, mean = 0;
        for (int y = 0; y < KEYS; y++)
            mean += u->near[y] > 0 ? u->near[y] * near_sum(y, middle, true) : 0;
        eta[mean < u->away] = middle;
    }
    p->eta = eta[0];
}

static void fit(model *p, uses *u) {
    double parts = u->part[0] + u->part[1] + u->part[2] + u->part[3], lengths = 0, all = 0;
    for (int d = p->low; d <= p->high; d++)
        all += u->jump[d - p->low] += 0.01;
    if (p->wordnet)
        fit_eta(p, u);
    if (p->s.jump == TZ_JUMP_GAUSSIAN)
        fit_gaussian(p, u->jump);
    else
        for (int d = p->low; d <= p->high; d++) {
            bool syntax = p->s.jump == TZ_JUMP_SYNTAX; /* one of two choices, side by side */
            double sum = syntax ? u->jump[d & ~1] + u->jump[d | 1] : all;
            p->jump[d - p->low] = u->jump[d - p->low] / sum;
        }
    if (!p->s.keep_null && p->s.kind != TZ_ALIGNER_MODEL1)
        p->null = u->null / (u->null + u->jumps);
    for (int k = 0; k < PARTS; k++)
        p->part[k] = u->part[k] / parts;
    for (int q = 1; q <= MOST; q++)
        lengths += u->length[q];
    for (int q = 1; q <= MOST && p->s.length == TZ_LENGTH_TRAINED; q++)
        p->length[q] = u->length[q] / lengths;
    for (int x = 1; x <= VOCABULARY; x++)
        p->from_nowhere[x] =
            (u->from_nowhere[x] + p->s.prior[0]) / (u->null + p->s.prior[0] * VOCABULARY);
    for (int y = 0; y < KEYS; y++) {
        double total = 0;
        for (int x = 0; x < KEYS; x++)
            total += ranges(p, y, x) ? u->t[y][x] + fake(p, y, x) : 0;
        for (int x = 0; x < KEYS; x++)
            p->t[y][x] = total > 0 && ranges(p, y, x) ? (u->t[y][x] + fake(p, y, x)) / total : 0;
    }
}

/* Fake counts times log probabilities, of all that have any. */
static double log_prior(const model *p) {
    double sum = 0;
    for (int d = p->low; d <= p->high && p->s.kind != TZ_ALIGNER_MODEL1; d++)
        sum += 0.01 * log(p->jump[d - p->low]);
    for (int x = 1; x <= VOCABULARY && p->s.prior[0] > 0; x++)
        sum += p->s.prior[0] * log(p->from_nowhere[x]);
    for (int y = 0; y < KEYS; y++)
        for (int x = 0; x < KEYS && row[y]; x++)
            if (ranges(p, y, x) && fake(p, y, x) > 0)
                sum += fake(p, y, x) * log(p->t[y][x]);
    return sum;
}

static void walk_pair(walk *w, const model *p, int pair, uses *u) {
    *w = (walk){.p = p, .pair = pair};
    go(w, 0, 0, 0, 1);
    w->opt_uses = u;
    go(w, 0, 0, 0, 1);
}

/* Returns the log likelihood before it. */
static double iterate(model *p) {
    uses u = {.t = counts};
    walk w;
    double likelihood = 0;
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < PAIRS; i++) {
        walk_pair(&w, p, i, &u);
        likelihood += log(w.z);
    }
    fit(p, &u);
    return likelihood;
}

#endif
