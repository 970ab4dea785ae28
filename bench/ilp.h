/* ilp.h - compression under a length as an integer linear program, solved by CBC: what people use
 * instead of a dynamic program. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_ILP_H
#define TZ_BENCH_ILP_H

#include <stdbool.h>

#include <trapeze/trapeze.h>

enum { ILP_MOST_WORDS = 1000 };

typedef struct ilp_answer {
    double score;   /* of the compression found */
    double seconds; /* of the processor, to build the program and to solve it */
    bool optimal;   /* proved: no compression of this length has a higher score */
} ilp_answer;

/* The best compression that keeps exactly `kept` of n words: the objective of rules/compress.rules
 * over all trees, projective or not, so that the optimum is at least that of the rules. Any number
 * of root words. Thadani & McKeown 2013 (CoNLL): arcs and bigrams of kept words in one program;
 * trees by single-commodity flow, Martins, Smith & Xing 2009 (ACL), section 3.
 *
 * 0 <= n <= ILP_MOST_WORDS, 0 <= kept <= n. arc[h * (n + 1) + m] for 0 <= h <= n, 1 <= m <= n;
 * bigram[i * (n + 2) + j] for 0 <= i < j <= n + 1: natural logs, -INFINITY for impossible, at most
 * 1e9 in magnitude (a solver's tolerances are absolute); other entries are not read.
 * most_seconds: of the processor, above 0, at most 1e9; CBC looks at its clock between two long
 * steps, and when the time is over, the best compression found so far is given. ret_head[m] for 1
 * <= m <= n: the head of m, 0 for the root, -1 where m is dropped.
 *
 * One thread; the same answer each time unless the time runs out. The score is summed from the
 * compression found, without the solver's rounding; the optimum itself is known to about 1e-6.
 *
 * TZ_NONE: there is no compression of that length, or none was found in time. TZ_BAD_ARGUMENT,
 * TZ_BAD_SCORE, TZ_TOO_LARGE (n), TZ_NO_MEMORY; TZ_LAW: CBC gave up, or what it calls a solution is
 * no compression. If memory runs out inside CBC, it ends the program. */
tz_status ilp_solve(int n, int kept, const double *arc, const double *bigram, double most_seconds,
                    int *ret_head, ilp_answer *ret_answer);

/* CBC's. */
const char *ilp_version(void);

#endif
