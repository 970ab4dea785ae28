/* ilp.c - see ilp.h. Variables, whole numbers 0 or 1 but for the flow:
 *
 *   keep[m]            m is kept
 *   arc[h,m]           m is kept and modifies h
 *   flow[h,m] >= 0     how many words the subtree of m has, if m modifies h
 *   bigram[i,j]        j is the kept word (or the end) next after i
 *
 * The sum of score * variable over arcs and bigrams is maximised under
 *
 *   sum over h of arc[h,m] = keep[m]                                            for each m
 *   sum over h of flow[h,m] - sum over k of flow[m,k] = keep[m]                 for each m
 *   flow[0,m] <= kept * arc[0,m], flow[h,m] <= (kept - 1) * arc[h,m]            for each arc
 *   arc[h,m] <= keep[h]                                                         for each arc, h > 0
 *   sum over j of bigram[0,j] = 1
 *   sum over i of bigram[i,m] = keep[m] = sum over j of bigram[m,j]             for each m
 *   sum over m of keep[m] = kept
 *
 * Each kept word takes one unit of flow, which only the root gives: so there is no cycle. Bigrams
 * lead forwards, so that their path needs no flow. That heads are kept follows from the flow for
 * whole numbers; to say it makes the linear relaxation tighter.
 * SPDX-License-Identifier: MIT */
#include "ilp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <Cbc_C_Interface.h>

#include "base/clock.h"

/* ---- The program --------------------------------------------------------------------------- */

/* Columns stand in the order of the list above; there is one for every index,
 * impossible or not: h and i from 0 to n, m from 1 to n, j from 1 to n + 1. */
typedef struct program {
    int n;
    const double *score_arc, *score_bigram;
    Cbc_Model *model;
    int terms;   /* of the row being written */
    int *column; /* [terms] */
    double *factor;
} program;

static int keep(int m) {
    return m - 1;
}

static int arc(const program *p, int h, int m) {
    return p->n + h * p->n + m - 1;
}

static int flow(const program *p, int h, int m) {
    return arc(p, p->n + 1 + h, m);
}

static int bigram(const program *p, int i, int j) {
    return flow(p, p->n + 1, 1) + i * (p->n + 1) + j - 1;
}

static double arc_score(const program *p, int h, int m) {
    return h == m ? -INFINITY : p->score_arc[(size_t)h * ((size_t)p->n + 1) + (size_t)m];
}

static double bigram_score(const program *p, int i, int j) {
    return i >= j ? -INFINITY : p->score_bigram[(size_t)i * ((size_t)p->n + 2) + (size_t)j];
}

/* CBC minimises. An impossible variable can only be 0, and so CBC leaves it out. */
static void add_column(program *p, double score, double most, bool whole) {
    bool possible = score > -INFINITY;
    Cbc_addCol(p->model, "", 0, possible ? most : 0, possible ? -score : 0, whole, 0, NULL, NULL);
}

static void add_columns(program *p, int kept) {
    int n = p->n;
    for (int m = 1; m <= n; m++)
        add_column(p, 0, 1, true);
    for (int h = 0; h <= n; h++)
        for (int m = 1; m <= n; m++)
            add_column(p, arc_score(p, h, m), 1, true);
    for (int h = 0; h <= n; h++)
        for (int m = 1; m <= n; m++)
            add_column(p, arc_score(p, h, m) > -INFINITY ? 0 : -INFINITY, kept, false);
    for (int i = 0; i <= n; i++)
        for (int j = 1; j <= n + 1; j++)
            add_column(p, bigram_score(p, i, j), 1, true);
}

static void term(program *p, double factor, int column) {
    p->column[p->terms] = column;
    p->factor[p->terms++] = factor;
}

/* sense: 'E' for =, 'L' for <=. */
static void end_row(program *p, char sense, double right) {
    Cbc_addRow(p->model, "", p->terms, p->column, p->factor, sense, right);
    p->terms = 0;
}

static void add_rows(program *p, int kept) {
    int n = p->n;
    for (int m = 1; m <= n; m++) {
        for (int h = 0; h <= n; h++)
            term(p, 1, arc(p, h, m));
        term(p, -1, keep(m));
        end_row(p, 'E', 0);
        for (int h = 0; h <= n; h++)
            if (h != m)
                term(p, 1, flow(p, h, m));
        for (int k = 1; k <= n; k++)
            if (k != m)
                term(p, -1, flow(p, m, k));
        term(p, -1, keep(m));
        end_row(p, 'E', 0);
    }
    for (int h = 0; h <= n; h++) {
        for (int m = 1; m <= n; m++) {
            term(p, 1, flow(p, h, m));
            term(p, h == 0 ? -kept : 1 - kept, arc(p, h, m));
            end_row(p, 'L', 0);
            if (h > 0) {
                term(p, 1, arc(p, h, m));
                term(p, -1, keep(h));
                end_row(p, 'L', 0);
            }
        }
    }
    for (int i = 0; i <= n; i++) {
        for (int j = 1; j <= n + 1; j++)
            term(p, 1, bigram(p, i, j));
        if (i > 0)
            term(p, -1, keep(i));
        end_row(p, 'E', i == 0);
    }
    for (int m = 1; m <= n; m++) {
        for (int i = 0; i <= n; i++)
            term(p, 1, bigram(p, i, m));
        term(p, -1, keep(m));
        end_row(p, 'E', 0);
    }
    for (int m = 1; m <= n; m++)
        term(p, 1, keep(m));
    end_row(p, 'E', kept);
}

/* ---- The solution -------------------------------------------------------------------------- */

/* Reads the heads, and sums the scores of the tree and the path over the words that have one.
 * False: that is no tree, or not of `kept` words. */
static bool read_solution(const program *p, int kept, const double *value, int *head,
                          double *ret_score) {
    int n = p->n, last = 0, words = 0;
    double score = 0;
    for (int m = 1; m <= n; m++) {
        head[m] = -1;
        for (int h = 0; h <= n; h++) {
            if (value[arc(p, h, m)] < 0.5)
                continue;
            if (head[m] >= 0)
                return false;
            head[m] = h;
            score += arc_score(p, h, m);
        }
    }
    for (int m = 1; m <= n; m++) {
        int at = m, steps = 0;
        if (head[m] < 0)
            continue;
        words++;
        score += bigram_score(p, last, m);
        last = m;
        while (at > 0 && steps++ < n)
            at = head[at];
        if (at != 0)
            return false;
    }
    *ret_score = score + bigram_score(p, last, n + 1);
    return words == kept && *ret_score > -INFINITY;
}

static tz_status solve(program *p, int kept, double most_seconds, int *head, ilp_answer *answer) {
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.0f", ceil(most_seconds));
    Cbc_setLogLevel(p->model, 0);
    Cbc_setParameter(p->model, "threads", "0");
    Cbc_setParameter(p->model, "seconds", seconds);
    Cbc_setParameter(p->model, "timeMode", "cpu");
    Cbc_setParameter(p->model, "ratioGap", "0");
    Cbc_setParameter(p->model, "allowableGap", "0");
    Cbc_setParameter(p->model, "increment", "1e-9"); /* what a better solution is better by */
    Cbc_solve(p->model);
    if (Cbc_isProvenInfeasible(p->model))
        return TZ_NONE;
    answer->optimal = Cbc_isProvenOptimal(p->model);
    if (!answer->optimal && !Cbc_isSecondsLimitReached(p->model))
        return TZ_LAW;
    const double *value = Cbc_bestSolution(p->model);
    if (value == NULL)
        return answer->optimal ? TZ_LAW : TZ_NONE;
    return read_solution(p, kept, value, head, &answer->score) ? TZ_OK : TZ_LAW;
}

/* ---- Checks -------------------------------------------------------------------------------- */

static bool usable(double score) {
    return score == -INFINITY || fabs(score) <= 1e9;
}

static tz_status check(const program *p, int kept, double most_seconds) {
    int n = p->n;
    if (n < 0 || kept < 0 || kept > n || !(most_seconds > 0 && most_seconds <= 1e9))
        return TZ_BAD_ARGUMENT;
    if (n > ILP_MOST_WORDS)
        return TZ_TOO_LARGE;
    for (int h = 0; h <= n; h++) {
        for (int m = 1; m <= n; m++)
            if (!usable(arc_score(p, h, m)))
                return TZ_BAD_SCORE;
        for (int j = 1; j <= n + 1; j++)
            if (!usable(bigram_score(p, h, j)))
                return TZ_BAD_SCORE;
    }
    return TZ_OK;
}

tz_status ilp_solve(int n, int kept, const double *arc, const double *bigram, double most_seconds,
                    int *ret_head, ilp_answer *ret_answer) {
    double start = tz_cpu_seconds();
    program p = {.n = n, .score_arc = arc, .score_bigram = bigram};
    tz_status status = check(&p, kept, most_seconds);
    if (status != TZ_OK)
        return status;
    ilp_answer answer = {0, 0, false};
    size_t most_terms = 2 * (size_t)n + 2;
    int *head = calloc((size_t)n + 1, sizeof *head);
    p.column = calloc(most_terms, sizeof *p.column);
    p.factor = calloc(most_terms, sizeof *p.factor);
    p.model = Cbc_newModel();
    if (head == NULL || p.column == NULL || p.factor == NULL || p.model == NULL)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK) {
        add_columns(&p, kept);
        add_rows(&p, kept);
        status = solve(&p, kept, most_seconds, head, &answer);
    }
    if (status == TZ_OK) {
        answer.seconds = tz_cpu_seconds() - start;
        *ret_answer = answer;
        for (int m = 1; m <= n; m++)
            ret_head[m] = head[m];
    }
    if (p.model != NULL)
        Cbc_deleteModel(p.model);
    free(p.column);
    free(p.factor);
    free(head);
    return status;
}

const char *ilp_version(void) {
    return Cbc_getVersion();
}
