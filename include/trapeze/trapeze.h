/* trapeze.h - weighted deduction: rules in the notation of papers, any semiring.
 *
 * Threads   Rules, semirings and plans never change once made and may be shared. A chart belongs
 *           to one thread at a time. There is no global mutable state.
 * Errors    What can fail returns tz_status. Outputs are written only on TZ_OK, except that a
 *           pointer *ret_x is set to NULL on failure. opt_error receives a message: where the error
 *           is, what it is, and how to mend it. A problem number that is not bound, or a question
 *           asked before the pass that it needs ("After tz_inside"), is TZ_BAD_ARGUMENT.
 * Memory    *ret_x is new, and the caller frees it with the matching _free, unless its comment
 *           calls it the chart's (the list's, ...). opt_x may be NULL. Every other pointer is
 *           borrowed for the call. Free functions take NULL.
 * Scores    Natural logs. -INFINITY means impossible; NaN, +INFINITY and |score| > 1e290 (TZ_F32:
 *           1e30) are refused. Log and entropy also limit sums of scores: see tz_inside.
 * Modes     Results do not depend on the caller's floating-point modes (rounding, flushing to zero,
 *           traps). A call restores modes and flags before it returns.
 * Indices   Everything counts from 0 in the order of declaration in the rule file: lengths,
 *           weights, items, rules. Index values are those of the notation (words are 1..n).
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_TRAPEZE_H
#define TRAPEZE_TRAPEZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/isa.h>
#include <trapeze/semiring.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TZ_PUBLIC __attribute__((visibility("default")))
#else
#define TZ_PUBLIC
#endif

enum {
    TZ_MAX_RANK = 7,        /* indices of an item or weight: six, and the amount of a resource */
    TZ_MAX_LENGTH = 1 << 20 /* the largest value of a length */
};

typedef enum tz_status {
    TZ_OK = 0,
    TZ_NONE,         /* there is no derivation: a result, not an error */
    TZ_NO_MEMORY,    /* an allocation failed; nothing has changed, unless the function says so */
    TZ_TOO_LARGE,    /* a size does not fit */
    TZ_BAD_ARGUMENT, /* the call is wrong: a length below 0, a missing array, ... */
    TZ_BAD_RULES,    /* the rule file is wrong */
    TZ_BAD_SCORE,    /* a score is NaN or +INFINITY, or it or a sum is beyond a limit */
    TZ_AMBIGUOUS,    /* the rules derive a structure twice and the semiring would count it twice */
    TZ_LAW,          /* the semiring lacks a law or an operation that the call needs */
    TZ_IO,           /* a file cannot be read */
    TZ_DIVERGES,     /* derivations that go round in a circle add up without limit */
    TZ_STOPPED       /* the caller's tz_watch stopped the call */
} tz_status;

typedef struct tz_error {
    tz_status status;
    char message[1024]; /* UTF-8, one line, no newline at its end */
} tz_error;

/* A status as an English phrase, a constant. */
TZ_PUBLIC const char *tz_status_name(tz_status status);
/* The version of the library, "MAJOR.MINOR.PATCH". */
TZ_PUBLIC const char *tz_version(void);

/* ---- Rules ------------------------------------------------------------------------------- */

typedef struct tz_rules tz_rules;

/* Reads, checks and compiles the rule file `text` of `size` bytes (docs/rules.md; notation of
 * Shieber, Schabes & Pereira 1995). `name` stands in front of messages: NAME:LINE:COL: ...
 * TZ_BAD_RULES, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_parse(const char *name, const char *text, size_t size,
                                   tz_rules **ret_rules, tz_error *opt_error);
/* The same from a file. Also TZ_IO. */
TZ_PUBLIC tz_status tz_rules_read(const char *path, tz_rules **ret_rules, tz_error *opt_error);
/* A built-in rule set by name, or NULL. It lives as long as the program. */
TZ_PUBLIC const tz_rules *tz_rules_find(const char *name);
/* The index-th built-in rule set, in alphabetical order; NULL past the last. */
TZ_PUBLIC const tz_rules *tz_rules_builtin(size_t index);
/* The index-th name in the gallery of rule sets from the literature (docs/gallery.md), such as
 * "gallery/nussinov", in alphabetical order; NULL past the last. */
TZ_PUBLIC const char *tz_gallery_name(size_t index);
/* Reads a rule set of the gallery, as tz_rules_parse does. TZ_BAD_ARGUMENT: no such name. */
TZ_PUBLIC tz_status tz_gallery_read(const char *name, tz_rules **ret_rules, tz_error *opt_error);
/* Does nothing for a built-in rule set. */
TZ_PUBLIC void tz_rules_free(tz_rules *rules);

TZ_PUBLIC const char *tz_rules_name(const tz_rules *rules);
/* Does the file say that some structure has several derivations? */
TZ_PUBLIC bool tz_rules_ambiguous(const tz_rules *rules);
/* Looks for a structure with several derivations in rules that are not declared `ambiguous`. It
 * compares all derivations for small lengths and a random sample for larger ones. That takes some
 * hundredths of a second; the result is the same on every machine. TZ_AMBIGUOUS: there is such a
 * structure, so do not ask tz_plan_new for a sum. TZ_OK: none was found, or the rules are built in
 * or declared ambiguous. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_ambiguity(const tz_rules *rules, tz_error *opt_error);

/* What has a name in a rule file. Each kind is numbered from 0 in the order of declaration. */
typedef enum tz_named {
    TZ_LENGTHS,
    TZ_WEIGHTS,
    TZ_ITEMS,
    TZ_RULES, /* a rule whose condition has a relation of tuples counts as several of the same name,
                 one for each choice of tuples to which it can apply; a rule that needs an item
                 which nothing derives is left out */
    TZ_INPUTS,
    TZ_RESOURCES
} tz_named;
/* How many things of this kind the rules have. */
TZ_PUBLIC size_t tz_rules_count(const tz_rules *rules, tz_named what);
/* The name of one; NULL past the last. */
TZ_PUBLIC const char *tz_rules_name_of(const tz_rules *rules, tz_named what, size_t which);
/* Does some rule use the weight (TZ_WEIGHTS), or look up the input's numbers (TZ_INPUTS)? If not,
 * its data may be NULL, and answers about the weight's cells are those for cells that no derivation
 * uses. False for any other kind, and past the last. */
TZ_PUBLIC bool tz_rules_used(const tz_rules *rules, tz_named what, size_t which);
/* The index-th warning about a likely slip, in the file's order, with its line and column, from 1;
 * NULL past the last. A built-in rule set has none. If a file is refused, its warnings are in the
 * error's message. */
TZ_PUBLIC const char *tz_rules_warning(const tz_rules *rules, size_t index, unsigned *ret_line,
                                       unsigned *ret_column);

typedef enum tz_figures {
    TZ_FIGURES_TEXT,  /* inference figures: a rule file that says the same */
    TZ_FIGURES_LATEX, /* a document for pdflatex */
    TZ_FIGURES_DOT,   /* for Graphviz: a graph from premises to conclusions */
    TZ_FIGURES_ORDER  /* the order of evaluation: a line for each group of items that need each
                         other, such as "stage j-i: rtrap, ltrap"; stored products stand in
                         parentheses */
} tz_figures;
/* A rule set as text. Writes at most `size` bytes, the final NUL included, and returns the length
 * of the whole text without the NUL. Call it with size 0 to learn that length. Returns 0 where an
 * allocation fails. */
TZ_PUBLIC size_t tz_rules_show(const tz_rules *rules, tz_figures format, char *ret_text,
                               size_t size);

/* Writes how the number of rule instances grows with the lengths: "1", "n^3", "n T^2 + n^2". With
 * `space`: how the number of items that a chart stores grows; scores do not count, except cells of
 * sparse weights that inputs look up. In "n^3 |binary|", |binary| is the number of entries of a
 * sparse weight. Entries that equations tie to the stage of a rule's target are found there; every
 * stage looks at all others. A bound that adds lengths gives a sum, "n (A+B)^2". Where a bound is
 * the smaller of several lengths, each length is taken to be much larger than the next one
 * declared. TZ_TOO_LARGE: the text, or a number on the way, does not fit. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_degree(const tz_rules *rules, bool space, char *ret_text, size_t size);

/* The shape of an array of a weight's scores for given lengths. Position 0 of dimension q holds
 * index origin[q] = min(0, smallest index); extent[q] positions reach to the largest index.
 * Smallest and largest are what the domain's relations allow; only `!=` does not count. */
typedef struct tz_shape {
    unsigned rank;
    bool sparse;
    int32_t origin[TZ_MAX_RANK];
    int32_t extent[TZ_MAX_RANK];
    int32_t least[TZ_MAX_RANK]; /* the smallest index; scores before it are never read */
} tz_shape;

/* The shape of a weight's scores; with weight = TZ_ITEM + the number of an item, that of an array
 * with a number for each item of this name (tz_items). lengths: one per length of the rule set,
 * 0..TZ_MAX_LENGTH. TZ_BAD_ARGUMENT, TZ_TOO_LARGE. */
TZ_PUBLIC tz_status tz_rules_shape(const tz_rules *rules, size_t weight, const int32_t *lengths,
                                   tz_shape *ret_shape);
/* Is the weight declared at these index values, one per dimension? With weight = TZ_INPUT + the
 * number of an input: has it a number there? False past the last weight or input. */
TZ_PUBLIC bool tz_rules_declared(const tz_rules *rules, size_t weight, const int32_t *lengths,
                                 const int32_t *index);

/* An input is an array of numbers that stand for indices of weights, as x in emit[a,x[i]]. Gives
 * its shape as tz_rules_shape does, but position 0 of a dimension holds the smallest index: x[i]
 * with 1 <= i <= n has n numbers. Each number must be at least 0 and below *ret_bound.
 * TZ_BAD_ARGUMENT, TZ_TOO_LARGE. */
TZ_PUBLIC tz_status tz_rules_input_shape(const tz_rules *rules, size_t input,
                                         const int32_t *lengths, tz_shape *ret_shape,
                                         int64_t *ret_bound);

/* The name that a `names` line gives to a value of indices that run to length number `length`;
 * NULL: it has none. */
TZ_PUBLIC const char *tz_rules_label(const tz_rules *rules, size_t length, size_t value);
/* Do the values of index number `index` of a weight or item have names, or (`index` is not read)
 * the numbers of an input? If so, *ret_length is the length by which tz_rules_label finds them. */
TZ_PUBLIC bool tz_rules_labelled(const tz_rules *rules, tz_named what, size_t which, unsigned index,
                                 size_t *ret_length);

/* The goal's item, its rank and its index values for these lengths. ret_index: room for
 * TZ_MAX_RANK. TZ_BAD_ARGUMENT: a length out of range. */
TZ_PUBLIC tz_status tz_rules_goal(const tz_rules *rules, const int32_t *lengths, size_t *ret_item,
                                  unsigned *ret_rank, int32_t *ret_index);

/* ---- Resources --------------------------------------------------------------------------- */

/* `resource` lines declare them: kept words, dropped words, ... (TZ_RESOURCES). */

/* How much of the resource one use of a cell consumes: the sum of its charges, at least 0. TZ_NONE:
 * no use is charged, since the resource is declared as the rest of another. TZ_BAD_ARGUMENT: a
 * number or length out of range, or an index outside the weight's domain. */
TZ_PUBLIC tz_status tz_rules_amount(const tz_rules *rules, size_t resource, size_t weight,
                                    const int32_t *lengths, const int32_t *index,
                                    int64_t *ret_amount);

/* Makes the same rules with account kept of a resource. Every item gets one more index, its last:
 * how much of the resource its derivations use. The rules get one more length, the last: the most
 * that this index can be. The goal uses exactly that much; the goal's item with a smaller last
 * index has the value at that amount. Charges and weights stay, so the result can be charged for
 * another resource. The amount of an item is bounded where a bound linear in indices and lengths
 * can be proved: charged for kept words, `compress` takes O(n^3 d^2) time for d of them, and only
 * n^2 d cells. *ret_rules does not refer to `rules`. TZ_BAD_ARGUMENT (no such resource; one that is
 * only the rest of another), TZ_TOO_LARGE (no room for another index, length or variable),
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_charge(const tz_rules *rules, const char *resource,
                                    tz_rules **ret_rules, tz_error *opt_error);

/* ---- Semirings --------------------------------------------------------------------------- */

typedef enum tz_precision { TZ_F64, TZ_F32 } tz_precision;

/* A registered semiring by name, or NULL. It lives as long as the program. */
TZ_PUBLIC const tz_semiring *tz_semiring_find(const char *name, tz_precision precision);

/* Makes a semiring from the name of a registered one, or a name with parameters: kbest(5). Blanks
 * do not matter.
 * TZ_BAD_ARGUMENT (an unknown name; the wrong number of parameters, or one that is no number from 1
 * on), TZ_TOO_LARGE (a parameter), TZ_LAW (its parts cannot be composed so), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_new(const char *text, tz_precision precision,
                                    tz_semiring **ret_semiring, tz_error *opt_error);
/* Makes a semiring from a text in the notation of docs/semirings.md; elements are doubles. `name`
 * is the text's: it stands in front of messages, "FILE:LINE:COLUMN: ...", and without folders and
 * ending it is the semiring's name. The text need not be trusted: it has 64 KB at most and no
 * loops, and what it computes takes bounded time and memory. TZ_BAD_ARGUMENT (what is wrong, and
 * where), TZ_LAW (a law that is always needed, or one that is declared, fails for elements that the
 * message shows), TZ_TOO_LARGE, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_parse(const char *name, const char *text,
                                      tz_semiring **ret_semiring, tz_error *opt_error);
/* The same from a file. Also TZ_IO. */
TZ_PUBLIC tz_status tz_semiring_read(const char *path, tz_semiring **ret_semiring,
                                     tz_error *opt_error);
/* Writes a semiring of the two functions above as a C file that computes the same by
 * trapeze/vectors.h and can be compiled as a plug-in. Free *ret_text with free(). The file holds
 * the text's names, numbers and operations, and quotes its summary, so compiling and loading it is
 * as harmless as reading the text. TZ_BAD_ARGUMENT: the semiring is another one. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_source(const tz_semiring *semiring, char **ret_text,
                                       tz_error *opt_error);
/* Loads a compiled semiring from a shared object with TZ_PLUGIN (trapeze/plugin.h). This runs the
 * object's code: load only what you trust. The object stays in memory. TZ_IO (the file is missing
 * or cannot be loaded), TZ_BAD_ARGUMENT (it is no plug-in, or is for another version of Trapeze or
 * a machine with more instructions), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_load(const char *path, tz_semiring **ret_semiring,
                                     tz_error *opt_error);
/* Frees a semiring that one of these made. No plan may still use it. */
TZ_PUBLIC void tz_semiring_free(tz_semiring *semiring);
/* The index-th form that tz_semiring_new takes, in alphabetical order: the name of a registered
 * semiring, "max", or one with the parameters that it needs, "kbest(K)"; NULL past the last. */
TZ_PUBLIC const char *tz_semiring_form(size_t index);
/* The most numbers that one element stands for (tz_item_values), such as K for kbest(K); 1 if the
 * semiring does not tell. */
TZ_PUBLIC size_t tz_semiring_numbers(const tz_semiring *semiring);

/* ---- Plans: rules x semiring -------------------------------------------------------------- */

typedef struct tz_plan tz_plan;

enum {
    TZ_FORCE = 1 << 0,     /* run an ambiguous rule set under a semiring that counts structures
                              twice */
    TZ_NO_AVX512 = 1 << 1, /* do not use AVX-512; the results have the same bits */
    TZ_NO_AVX2 = 1 << 2,   /* use neither AVX2 nor AVX-512 */
    TZ_PLAIN = 1 << 3      /* compute by plus and times alone, as the passes are defined: many times
                              slower, to check an answer or a semiring of your own */
};

/* Makes the plan of a rule set under a semiring; both must outlive it. TZ_AMBIGUOUS, TZ_LAW (the
 * semiring is not commutative, or it has `mark` and the rules have a closure), TZ_BAD_ARGUMENT
 * (either is NULL, or the descriptor lacks name, plus or times), TZ_NO_MEMORY. Every function that
 * takes a plan and returns a status rejects NULL with TZ_BAD_ARGUMENT, so you may check once at the
 * end. */
TZ_PUBLIC tz_status tz_plan_new(const tz_rules *rules, const tz_semiring *semiring, unsigned flags,
                                tz_plan **ret_plan, tz_error *opt_error);
TZ_PUBLIC void tz_plan_free(tz_plan *plan);
/* The instruction set of the plan's inner loops: the best one that the machine runs, the flags
 * allow and the library has. If there is none, the smallest that the library has. */
TZ_PUBLIC tz_isa tz_plan_isa(const tz_plan *plan);
/* Semiring products (applications of times) of one inside pass for these lengths: work shared by
 * several rules counts once, sparse weights count as full. TZ_BAD_ARGUMENT, TZ_TOO_LARGE (too many
 * to count; nothing is written). */
TZ_PUBLIC tz_status tz_plan_products(const tz_plan *plan, const int32_t *lengths,
                                     double *ret_products);

/* ---- Problems ----------------------------------------------------------------------------- */

typedef enum tz_type { TZ_DOUBLE, TZ_FLOAT } tz_type;

/* The scores of one weight.
 * Dense: the score at indices idx[] stands at data[sum over q of (idx[q] - origin[q]) * stride[q]]
 * (tz_shape gives the origin), strides in elements. extent[q] is how many positions dimension q
 * has, at least the shape's. Scores outside the declared domain are never read.
 * Sparse: entry e has the index values index[e * rank + q] and the score data[e * stride[0]];
 * absent entries are impossible. An entry outside the domain or given twice is refused. */
typedef struct tz_scores {
    const void *data;
    tz_type type;
    int32_t extent[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
    const int32_t *index;
    size_t entries;
} tz_scores;

/* The numbers of one input, as those of a dense weight: the number at idx[] stands at data[sum over
 * q of (idx[q] - origin[q]) * stride[q]] (tz_rules_input_shape gives the origin), strides in
 * elements. extent[q] is how many positions dimension q has, at least the shape's. */
typedef struct tz_input_numbers {
    const int32_t *data;
    int32_t extent[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
} tz_input_numbers;

/* The cells of a weight, or the items of a name, that have these index values. TZ_ANY matches every
 * value. Index values past the rank are not read. */
enum { TZ_ANY = INT32_MIN, TZ_ITEM = 1 << 20, TZ_INPUT = 1 << 21 };
typedef struct tz_cells {
    size_t weight; /* or TZ_ITEM + the number of an item */
    int32_t index[TZ_MAX_RANK];
} tz_cells;

/* What is known of derivations beforehand. cells[0..count-1] are cells of weights, items, or both.
 *
 * Forbidden: no derivation uses any of them. Required: every derivation uses one of them. So a
 * required fact can name an arc (that cell), a kept word (an arc to it from anywhere), the heads
 * that a word may have (an arc from each), or a state at a position (that item). A derivation uses
 * an item as often as the item stands in its proof tree; side conditions are no uses. All answers
 * are about the derivations that agree with all facts.
 *
 * A forbidden cell gives the same bits as one that scores -INFINITY. A forbidden item is zero,
 * inside and outside. Required facts take a semiring that has `mark`, such as required(log) in the
 * place of log, which has no kernels. No possible derivation may use two cells of one required
 * fact, or one of them twice: this is checked. Far faster is tz_facts_new: it turns required facts
 * into forbidden cells, where that says the same.
 *
 * A cell outside the declared domain is refused, as is a pattern with an index that no declared
 * cell has. A cell of a sparse weight need not have an entry. Long lists cost least when they are
 * ordered by weight and indices. Each item that a fact names takes 80 bytes in a chart. */
typedef struct tz_fact {
    bool required;
    const tz_cells *cells;
    size_t count;
} tz_fact;

typedef struct tz_problem {
    const int32_t *lengths;  /* one per length of the rule set, >= 0 */
    const tz_scores *scores; /* one per weight, in order of declaration */
    /* The semiring's further inputs (tz_semiring.input), one array of tz_scores after the other:
     * entropy takes costs, and the scores of another distribution q. NULL: none is given; data
     * NULL: none for this weight. What is not given is 0. Shapes, strides and limits are those of
     * the scores; a sparse weight has one number for each of its scores' entries, in their order.
     */
    const tz_scores *inputs;
    const tz_fact *facts; /* all of them hold; borrowed as long as the scores */
    size_t fact_count;
    /* The direction in which the scores move (tz_marginal_tangents): finite numbers, one tz_scores
     * per weight, laid out as inputs are. NULL: they do not move; data NULL: this weight's do not.
     */
    const tz_scores *direction;
    /* One per input of the rule set. The rules look up cells of weights by these numbers. Scores,
     * facts and directions are about the weights as declared, and a fact is about all uses of its
     * cells. */
    const tz_input_numbers *numbers;
} tz_problem;

/* Contiguous row-major scores for the shape of a dense weight. */
TZ_PUBLIC tz_scores tz_scores_dense(const tz_shape *shape, const double *data);
/* Contiguous row-major numbers for the shape of an input. */
TZ_PUBLIC tz_input_numbers tz_input_numbers_dense(const tz_shape *shape, const int32_t *data);
/* Entries of a sparse weight: index[entries * rank], data[entries]. */
TZ_PUBLIC tz_scores tz_scores_sparse(const int32_t *index, const double *data, size_t entries);

/* Checks one problem: refuses what tz_bind would refuse, with the same error. Cost: the size of the
 * scores, and one inside pass for each required fact. */
TZ_PUBLIC tz_status tz_problem_check(const tz_plan *plan, const tz_problem *problem,
                                     tz_error *opt_error);

/* ---- Charts -------------------------------------------------------------------------------- */

/* Memory for a plan's items, which grows as needed and is reused. The plan must outlive it. It also
 * keeps what was worked out about the lengths seen so far, up to 64 MB and always the last ones: so
 * problems whose lengths came before, in as many lanes, allocate nothing. */
typedef struct tz_chart tz_chart;

TZ_PUBLIC tz_status tz_chart_new(const tz_plan *plan, tz_chart **ret_chart);
TZ_PUBLIC void tz_chart_free(tz_chart *chart);

/* Watches long calls and can stop them: for a "Cancel" button, Ctrl-C, a line of progress. The
 * caller owns it and keeps it alive as long as a chart or a call has it. Some milliseconds after
 * `stop` becomes other than 0, the call returns TZ_STOPPED, whoever set it. Everything remains
 * usable: a chart is still bound, but nothing in it counts as computed. `stop` is not looked at
 * while scores or answers are copied, which takes as long as reading them, nor in tz_kbest_next,
 * tz_sampler_next and functions that take no chart. */
typedef struct tz_watch tz_watch;
struct tz_watch {
    volatile int stop; /* set by `look`, by any other thread, or by a signal handler */
    /* Called by the thread that made the call, and no other, every `seconds` and before each
     * tz_visit; may be NULL. It may do anything but use the objects at work. */
    void (*look)(tz_watch *watch);
    double seconds;  /* the least time between two calls of `look` */
    size_t done, of; /* set by tz_run: problems done so far, and all */
    void *user;      /* the caller's own */
};

/* Lets a watch look at tz_inside and what follows it on this chart, from now on; NULL: none. */
TZ_PUBLIC void tz_chart_watch(tz_chart *chart, tz_watch *opt_watch);

/* Takes problems 0..count-1, at least one, to evaluate them side by side, each in a lane. All cost
 * as much as the longest: bind like lengths together, or let tz_run group them. Scores, inputs and
 * facts are borrowed until the next tz_bind or tz_chart_free. Each problem has facts of its own.
 * Cost: tz_problem_check's. TZ_BAD_ARGUMENT, TZ_BAD_SCORE, TZ_TOO_LARGE, TZ_NO_MEMORY, TZ_LAW (a
 * required fact without `mark`); after a failure nothing is bound. */
TZ_PUBLIC tz_status tz_bind(tz_chart *chart, const tz_problem *problems, size_t count,
                            tz_error *opt_error);

/* Does tz_bind and tz_inside for problems that go on from those of the chart's last tz_extend: a
 * word more, a word less, or other words at the end. opt_kept: one per length of the rule set. Up
 * to these lengths the problems are as they were: the same scores for all cells declared for them,
 * the same numbers of inputs, the same entries of sparse weights. NULL: nothing is as it was, as in
 * the first call.
 *
 * Items of the kept lengths keep their values if they stay where a length grows (`trapeze rules
 * check` says which do); new items are computed: for eisner, in O(n^2) for one word more. The chart
 * has room for half as much again; when that is used up, all is computed once more. Going back
 * takes no time where everything stays. Values and answers have the same bits as after tz_bind and
 * tz_inside. What cannot go on is computed anew: problems with facts, directions, other numbers of
 * entries of sparse weights, or different lengths side by side; another count of problems; kept
 * lengths below 2 that grow; semirings with inputs; rule sets that do not grow. Only the scores of
 * new cells that rules use are looked at. Errors: those of tz_bind and tz_inside; after a failure
 * nothing is computed. */
TZ_PUBLIC tz_status tz_extend(tz_chart *chart, const tz_problem *problems, size_t count,
                              const int32_t *opt_kept, tz_error *opt_error);

/* Computes the inside value of every item of every bound problem. Cost: tz_plan_products (O(n^3)
 * for eisner). TZ_BAD_SCORE, as in tz_outside: the score of a derivation, or of a part of one,
 * leaves the range where the semiring is exact (tz_semiring.exact). For log and entropy this is
 * +-2e14, in float +-2.5e6, and less where the engine multiplies more than three factors at once.
 * TZ_DIVERGES: see tz_diverging. */
TZ_PUBLIC tz_status tz_inside(tz_chart *chart);
/* After TZ_DIVERGES: a bound problem, and an item of it whose derivations go round in a circle
 * without a limit; ret_index[TZ_MAX_RANK]. TZ_NONE: nothing diverged. */
TZ_PUBLIC tz_status tz_diverging(const tz_chart *chart, size_t *ret_problem, size_t *ret_item,
                                 int32_t *ret_index);
/* After tz_inside: computes the outside value of every item, at a small multiple of tz_inside's
 * cost. It is the sum, over the derivations of the goal that use the item, of the product of
 * everything in the derivation outside the item (Eisner 1996, Goodman 1999 section 4). */
TZ_PUBLIC tz_status tz_outside(tz_chart *chart);

/* Given as the number of an item it stands for the goal; the index is then not read. */
enum { TZ_GOAL = INT32_MAX };

/* After tz_inside: the value of one problem's goal as score, number or truth (tz_gives). A score is
 * -INFINITY where there is no derivation. */
TZ_PUBLIC tz_status tz_goal(const tz_chart *chart, size_t problem, double *ret_value);
/* The same as an element of the semiring, semiring->size bytes. */
TZ_PUBLIC tz_status tz_goal_element(const tz_chart *chart, size_t problem, void *ret_element);
/* The value of one item, inside or, after tz_outside, outside; outside the item's domain, the value
 * of zero. Under required facts, an inside value is that of the item's derivations that agree with
 * all of them. index: one per index of the item. TZ_BAD_ARGUMENT also for an item that the rules do
 * not have. */
TZ_PUBLIC tz_status tz_item_value(const tz_chart *chart, size_t problem, size_t item,
                                  const int32_t *index, bool outside, double *ret_value);
/* All numbers that an item's inside element stands for (tz_semiring.values).
 *   kbest(K)  the scores of the K best derivations, best first; fewer if there are fewer
 *   ties      the best score, and how many derivations have it (0: there is none)
 *   entropy   log Z; the entropy of the derivations, whose probabilities are exp(score) / Z; their
 *             expected cost; their expected score in q. The last two are 0 if not given, and all
 *             but log Z where there is no derivation
 * The divergence KL(p || q) is log Z_q - entropy - values[3] of TZ_GOAL, where log Z_q is the goal,
 * under log, of the problem {lengths, inputs + number of weights}. It is +INFINITY if values[3] is
 * -INFINITY: q excludes what p allows; what the command and Python say of no derivation is 0.
 * ret_values: room for tz_semiring_numbers. */
TZ_PUBLIC tz_status tz_item_values(const tz_chart *chart, size_t problem, size_t item,
                                   const int32_t *index, double *ret_values, size_t *ret_count);

/* Where to write one number per cell of a weight, laid out as tz_scores. All of the shape needs
 * room, also the positions before tz_shape.least, however large the scores' array is. Sparse: entry
 * e, in the order of the problem's entries, goes to data[e * stride[0]]. */
typedef struct tz_output {
    double *data;
    ptrdiff_t stride[TZ_MAX_RANK];
} tz_output;

/* A contiguous output: row-major for the shape, or one number after the other for entries. */
TZ_PUBLIC tz_output tz_output_dense(const tz_shape *shape, double *data);

/* After tz_outside: the expected number of uses of each cell of a weight, or with TZ_ITEM + its
 * number of each item of a name, under the distribution exp(score) / Z. For a weight this is also
 * the gradient of log Z; uses by way of inputs count. Where no derivation uses a cell twice, the
 * number is a probability. Writes all cells of the shape (tz_rules_shape): 0 outside the domain and
 * where the score is -INFINITY. TZ_LAW: the semiring has no `share`. TZ_NONE: there is no
 * derivation, and nothing is written. Cost: tz_inside's at most; the size of the shape for
 * items. */
TZ_PUBLIC tz_status tz_marginals(tz_chart *chart, size_t problem, size_t weight,
                                 const tz_output *output);
/* The same for every weight w of every bound problem p, to outputs[p * weights + w], where weights
 * is tz_rules_count of TZ_WEIGHTS; data NULL: not wanted. A problem without a derivation gets 0.
 * Problems of the same lengths take a fraction of the time that they take one by one, above all if
 * their outputs have the same strides and the last stride is 1. */
TZ_PUBLIC tz_status tz_marginals_all(tz_chart *chart, const tz_output *outputs);
/* Likewise, for each cell or item, the semiring sum over its uses in derivations, each use worth
 * its whole derivation: max-marginals under max, numbers of derivations under count. Outside the
 * domain, the value of zero. TZ_NONE: there is no derivation, and nothing is written. */
TZ_PUBLIC tz_status tz_through(tz_chart *chart, size_t problem, size_t weight,
                               const tz_output *output);

/* After tz_inside: the inside values of all items of a name, as tz_item_value gives them; outside
 * the domain the value of zero. The shape is that of TZ_ITEM + item (tz_rules_shape). */
TZ_PUBLIC tz_status tz_items(tz_chart *chart, size_t problem, size_t item, const tz_output *output);

/* After tz_outside under log: the derivatives of log Z and of the marginals, at epsilon = 0, as the
 * scores move by epsilon times the problem's direction v. For log Z this is the sum over cells of
 * marginal times v. For the marginals it is H v, where H, the Hessian of log Z, is the covariance
 * of uses. It is 0 outside the domain and where the score is -INFINITY, as in tz_marginals.
 *
 * They are computed by dual numbers through inside, outside and marginals (the second-order
 * expectation semiring, Li & Eisner 2009 (EMNLP), section 4), whose second parts are elements like
 * the first and stand beside them. The first call after tz_outside computes them for all problems
 * of the chart and all weights, at about twice the cost of tz_inside, tz_outside and tz_marginals.
 * TZ_LAW: a semiring whose elements are not real numbers (tz_semiring.multiples). TZ_NONE: no
 * derivation. TZ_BAD_ARGUMENT, TZ_NO_MEMORY, TZ_TOO_LARGE. */
TZ_PUBLIC tz_status tz_goal_tangent(tz_chart *chart, size_t problem, double *ret_value);
TZ_PUBLIC tz_status tz_marginal_tangents(tz_chart *chart, size_t problem, size_t weight,
                                         const tz_output *output);

/* ---- Derivations --------------------------------------------------------------------------- */

typedef struct tz_use {
    uint32_t weight;
    int32_t index[TZ_MAX_RANK];
    double score; /* of the cell, as it was bound */
} tz_use;

typedef struct tz_node {
    uint32_t item, rule;
    uint32_t premises; /* how many subtrees follow, in the order of the rule's premises */
    int32_t index[TZ_MAX_RANK];
} tz_node;

/* Where a use looked up its inputs: the index values of each input, in the order of the weight's
 * indices. For differ[y[u-1],y[u]] they are u - 1 and u. */
typedef struct tz_position {
    uint32_t count; /* index values in `at`, at most TZ_MAX_RANK */
    int32_t at[TZ_MAX_RANK];
} tz_position;

typedef struct tz_derivation {
    double score;
    size_t uses, nodes;
    const tz_use *use;           /* by weight, then indices; one used twice stands twice */
    const tz_node *node;         /* the proof tree in preorder; node[0] is the goal */
    const tz_position *position; /* [uses], for each use; NULL: the rules have no inputs */
    const uint32_t
        *by_node; /* [uses] numbers of uses: those of node[0]'s rule, of node[1]'s, ... */
} tz_derivation;

/* A derivation as a path: its uses in the order in which they are derived. The uses of a rule's
 * premises come first, premise by premise, then those of the rule itself, in the order of the file.
 * Where premises are parts from left to right, as in chains, segmentations and alignments, this is
 * the order of positions. ret_order[uses]: numbers of uses. TZ_BAD_ARGUMENT: the derivation is not
 * one by these rules, or lacks positions or by_node. TZ_NO_MEMORY. Cost: the uses and nodes. */
TZ_PUBLIC tz_status tz_path(const tz_rules *rules, const int32_t *lengths,
                            const tz_derivation *derivation, size_t *ret_order);

/* After tz_inside under a path semiring: the best derivation of an item, or with TZ_GOAL of the
 * goal. It is the chart's, until its next tz_best, tz_best_uses, tz_bind or tz_chart_free. Ties go
 * to the rule that stands first in the file, then to the smallest values of the summed-out
 * variables, in order of appearance; variables of a part of the sum that is worked out first
 * (docs/rules.md) come last. No back-pointers are kept: splits are scanned again, O(n^2) for
 * eisner. TZ_LAW, TZ_NO_MEMORY. TZ_NONE: there is no derivation, as outside the item's domain.
 * TZ_BAD_ARGUMENT: the rules have no such item. */
TZ_PUBLIC tz_status tz_best(tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                            const tz_derivation **ret_derivation);
/* Only the uses of the goal's best derivation, which costs less: no proof tree, nothing sorted, no
 * positions. They come in the order in which they are found, from the goal down, the same for every
 * machine and grouping. They are the chart's until the same calls. Errors as tz_best. */
TZ_PUBLIC tz_status tz_best_uses(tz_chart *chart, size_t problem, const tz_use **ret_use,
                                 size_t *ret_uses);
/* Draws a derivation's uses by the shapes of their weights: arcs above a sentence, spans and labels
 * below it, pairs, or a grid of two sequences (docs/command.md says which shape is drawn how).
 * Under rules with inputs the proof tree is needed, which tells positions; under others it may have
 * 0 nodes. opt_words: the words of the first length's sequence, as many as the length; NULL:
 * numbers stand in their place. Writes at most `size` bytes, the final NUL included; *ret_size: the
 * length of the whole without it. TZ_NONE: the rules have no weight of such a shape.
 * TZ_BAD_ARGUMENT: a use, or the proof tree where it is needed, is not of the rules. TZ_TOO_LARGE:
 * a length above 2^20. TZ_NO_MEMORY. */
typedef enum tz_draw_format { TZ_DRAW_TEXT, TZ_DRAW_SVG } tz_draw_format;
TZ_PUBLIC tz_status tz_draw(const tz_rules *rules, const int32_t *lengths,
                            const tz_derivation *derivation, const char *const *opt_words,
                            tz_draw_format format, char *ret_text, size_t size, size_t *ret_size);

/* ---- k best --------------------------------------------------------------------------------- */

/* The derivations of one problem, best first, worked out as they are asked for. */
typedef struct tz_kbest tz_kbest;

/* After tz_inside under a path semiring that gives scores and prefers greater ones. A chart may
 * have any number of lists, each with memory of its own; a freed list leaves its memory to the next
 * one. The chart must outlive the list. Once the chart is bound or run inside again, tz_kbest_next
 * gives TZ_BAD_ARGUMENT. distinct: give only the first derivation of each structure (the same uses,
 * at the same positions of inputs); this changes nothing unless the rules are ambiguous. TZ_LAW:
 * another semiring; also required(max), whose values leave out the required facts: use
 * tz_facts_new. TZ_BAD_ARGUMENT, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_kbest_new(tz_chart *chart, size_t problem, bool distinct,
                                 tz_kbest **ret_kbest, tz_error *opt_error);
/* The next derivation, the list's until the next call; TZ_NONE when there is none left. Scores
 * never increase; each is that of its uses, summed in inside's order. Ties stand in a fixed order,
 * the same for every machine and grouping, that begins with tz_best's derivation: by the instance
 * of the item (first rule in the file, then the smallest values of its variables), then by the rank
 * of the first premise among that premise's own derivations, then of the second's, ... where a
 * product that rules share counts as one premise. Huang & Chiang 2005 (IWPT), algorithm 3. The
 * first costs what tz_best does; for the second, the instances of the items in the first are
 * listed, O(n^2) for eisner; each further one takes O(n + log) list operations at most. Memory is
 * in proportion to these. After TZ_NO_MEMORY or TZ_TOO_LARGE the call may be repeated. TZ_DIVERGES:
 * in a closure, going round costs nothing, so the derivations never end. */
TZ_PUBLIC tz_status tz_kbest_next(tz_kbest *kbest, const tz_derivation **ret_derivation);
/* From now on the list holds only derivations that score at most `within` less than the best.
 * within >= 0, else TZ_BAD_ARGUMENT. May be called at any time. */
TZ_PUBLIC tz_status tz_kbest_within(tz_kbest *kbest, double within);
TZ_PUBLIC void tz_kbest_free(tz_kbest *kbest);

/* ---- Samples ------------------------------------------------------------------------------- */

/* Draws derivations of one problem at random, each with probability exp(score) / Z, where Z is the
 * sum over all derivations; exact but for the rounding of items' values. Under count all
 * derivations are equally likely. */
typedef struct tz_sampler tz_sampler;

/* After tz_inside. A chart may have any number of samplers, each with memory of its own. The chart
 * must outlive the sampler. Once it is bound or run inside again, tz_sampler_next gives
 * TZ_BAD_ARGUMENT. Sample number s depends on the problem and the seed only: not on the plan's
 * flags, on what else is bound, or on threads. Problems sampled with one seed share their random
 * numbers: what the command makes of its --seed for line l, from 1, and the packages for problem
 * l - 1 of a batch, is the sum of that seed and l * 0x9e3779b97f4a7c15.
 * without_replacement: no derivation comes twice, and each is drawn with probability proportional
 * to exp(score) among those that have not come yet (of an ambiguous rule set, a structure comes
 * once for each of its derivations).
 * TZ_BAD_ARGUMENT; TZ_NO_MEMORY; TZ_LAW: under a semiring without `share`, or one whose sum is
 * idempotent or picks one of its terms (max, bool), whose values are not sums over derivations. */
TZ_PUBLIC tz_status tz_sampler_new(tz_chart *chart, size_t problem, uint64_t seed,
                                   bool without_replacement, tz_sampler **ret_sampler);
/* The next sample; it is the sampler's, until its next call. Its score is the sum of its uses'
 * scores, added in their order. TZ_NONE: there is no derivation, or none is left.
 * The instances of an item are evaluated when it first occurs in a sample, O(n) for eisner, and
 * kept; from then on a sample takes O(log n) for each of its items. Without replacement memory
 * grows by O(1) for each item of a sample.
 * TZ_TOO_LARGE: values beyond what the semiring counts (2^1024 under count), whose shares are not
 * known. TZ_NO_MEMORY: the call may be repeated and gives the same sample; but if memory ran out
 * while the values were computed again with elements of a wider range, none are left, and the next
 * call gives TZ_BAD_ARGUMENT. */
TZ_PUBLIC tz_status tz_sampler_next(tz_sampler *sampler, const tz_derivation **ret_derivation);
TZ_PUBLIC void tz_sampler_free(tz_sampler *sampler);

/* ---- Facts and marginals put to use --------------------------------------------------------- */

/* Finds the cells that are used by no derivation that agrees with the problem's facts. Where all
 * derivations without these cells agree with the facts (for dependency trees: always, for known
 * arcs, sets of heads and kept words), any semiring can be asked under required facts too, at the
 * speed that it has without facts. The cells depend on the scores only by which are -INFINITY:
 * training needs them once for each sentence. *ret_fact forbids these cells: it goes to
 * tz_problem.facts, alone. It does not refer to the problem's memory. Where rules have inputs, its
 * cells of weights behind the last stand for uses at one position; where the problem's facts speak
 * of items, so does this one. TZ_NONE: no derivation agrees. TZ_LAW: forbidding cells cannot say
 * the same, or the rules have side conditions (use required(BASE)) or closures. Else as tz_bind.
 * Cost: inside passes of max, two for each required fact, and one outside pass. */
TZ_PUBLIC tz_status tz_facts_new(const tz_rules *rules, const tz_problem *problem,
                                 tz_fact **ret_fact, tz_error *opt_error);
TZ_PUBLIC void tz_facts_free(tz_fact *fact);

/* After tz_inside under log (or any semiring that gives scores and has `share`): the score of the
 * structure that consists of these uses (the sum of their bound scores; use[].score is not read),
 * and its log probability, where the rules are ambiguous that of all derivations with exactly these
 * uses. The uses stand in any order; a cell used twice stands twice.
 * TZ_NONE: no derivation that agrees with the problem's facts has that structure. TZ_BAD_ARGUMENT:
 * a use outside the weight's domain. TZ_LAW: another semiring; rules with side conditions or
 * closures; or derivations with only these cells can use one of them more often than the structure
 * does, so that counting uses does not tell them apart. Cost: inside passes for the problem's
 * lengths, one for each different cell and required fact. */
TZ_PUBLIC tz_status tz_structure(tz_chart *chart, size_t problem, const tz_use *use, size_t uses,
                                 double *ret_score, double *ret_log_probability,
                                 tz_error *opt_error);

/* Minimum-risk decoding. `decoder` is a chart of the same rules under a path semiring; `marginals`
 * has a problem after tz_outside under log. Binds this problem to `decoder` with other scores and
 * runs tz_inside: a cell scores its marginal times gain[weight] (NULL: 1), and impossible cells
 * stay so. tz_best then gives the largest expected number of uses in common with the truth,
 * weighted by gain: maximum expected recall (Goodman 1996, "labelled recall"; the risk of Smith &
 * Eisner 2006 that adds up over cells). k best and others work as well. Facts are kept; required
 * ones take required(max). TZ_BAD_ARGUMENT (other rules, a gain that is no number), TZ_NONE, else
 * as tz_bind and tz_marginals. Cost: theirs. */
TZ_PUBLIC tz_status tz_bind_risk(tz_chart *decoder, tz_chart *marginals, size_t problem,
                                 const double *opt_gain, tz_error *opt_error);

/* ---- Batches ------------------------------------------------------------------------------- */

/* Charts that one tz_run leaves to the next, one for each thread, so that nothing is worked out
 * again for lengths that came before. They are for one plan, which must outlive them, and for one
 * tz_run at a time. */
typedef struct tz_charts tz_charts;

TZ_PUBLIC tz_status tz_charts_new(const tz_plan *plan, tz_charts **ret_charts);
TZ_PUBLIC void tz_charts_free(tz_charts *charts);

typedef struct tz_run_options {
    bool outside;      /* run tz_outside as well */
    unsigned lanes;    /* at most so many problems side by side; 0: chosen by length */
    unsigned threads;  /* 0: one */
    tz_charts *charts; /* of the same plan; NULL: new ones */
    tz_watch *watch;   /* NULL: nobody watches */
} tz_run_options;

/* Called once for every problem, when its chart is ready: ask chart for `lane` (tz_goal, tz_best,
 * tz_marginals, ...). With several threads, any of them may call it, each with a chart of its own.
 * It runs in the caller's floating-point modes; flags that it raises go no further. Anything but
 * TZ_OK ends the run with that status. */
typedef tz_status (*tz_visit)(void *user, size_t problem, tz_chart *chart, size_t lane);

/* Runs tz_bind and tz_inside on problems of any lengths, with like lengths side by side where that
 * is cheapest. The values do not depend on the grouping or the threads. A forked process may use
 * threads, too. Checks all problems first; errors of tz_bind name the problem. */
TZ_PUBLIC tz_status tz_run(const tz_plan *plan, const tz_problem *problems, size_t count,
                           const tz_run_options *opt_options, tz_visit visit, void *user,
                           tz_error *opt_error);

/* Arrays for the answers of a tz_run; NULL: not wanted. Every cell of the shape is written: where a
 * problem has no derivation 0, in `through` the value of zero. */
typedef struct tz_answers {
    double *value;  /* [count]: tz_goal */
    double *values; /* [count * tz_semiring_numbers]: tz_item_values */
    size_t *number; /* [count]: how many of its values a problem has; not NULL if values is not */
    /* [count * weights], by problem; data NULL: not wanted for this one. */
    const tz_output *marginals; /* tz_marginals; needs tz_run_options.outside */
    const tz_output *through;   /* tz_through; likewise */
    const tz_output *best;      /* how often tz_best's derivation uses each cell of the shape */
    const tz_output *tangents;  /* tz_marginal_tangents; likewise */
} tz_answers;

/* A tz_visit that fills arrays: tz_run(plan, problems, count, options, tz_answer, &answers, ...).
 * Errors of the functions named. `best` of a sparse weight looks for the entry of every use. */
TZ_PUBLIC tz_status tz_answer(void *answers, size_t problem, tz_chart *chart, size_t lane);

/* ---- Limits on a resource ------------------------------------------------------------------- */

/* Finds the best derivation among those that consume a given amount of a resource. It holds the
 * plans for this, and never changes. */
typedef struct tz_limiter tz_limiter;
/* Memory for one thread, grown as needed and reused. The limiter must outlive it. */
typedef struct tz_limit_chart tz_limit_chart;

/* Compiles the charged rules, which takes much longer than most problems: make a limiter once.
 * resource: its name; rules must outlive the limiter; flags: of tz_plan_new.
 * TZ_BAD_ARGUMENT: the rules do not declare it. TZ_LAW: they have closures. TZ_NO_MEMORY, ... */
TZ_PUBLIC tz_status tz_limiter_new(const tz_rules *rules, const char *resource,
                                   tz_precision precision, unsigned flags, tz_limiter **ret_limiter,
                                   tz_error *opt_error);
TZ_PUBLIC void tz_limiter_free(tz_limiter *limiter);
TZ_PUBLIC tz_status tz_limit_chart_new(const tz_limiter *limiter, tz_limit_chart **ret_chart);
TZ_PUBLIC void tz_limit_chart_free(tz_limit_chart *chart);

/* Lets a watch look at the chart's calls from now on; NULL: none. */
TZ_PUBLIC void tz_limit_chart_watch(tz_limit_chart *chart, tz_watch *opt_watch);

typedef enum tz_limit_method {
    TZ_LIMIT_AUTO,  /* bisection, then an exact program for what it leaves open */
    TZ_LIMIT_EXACT, /* by the charged rules alone (tz_rules_charge) */
    TZ_LIMIT_DUAL   /* bisection alone: a bound, and a derivation that may not be the best */
} tz_limit_method;

/* What settled the answer. */
typedef enum tz_limit_path {
    TZ_BY_BISECTION,
    TZ_BY_PRUNING, /* the exact program on the instances that the bound leaves */
    TZ_BY_CHARGE   /* the charged rules; where the rules cannot be charged, all instances */
} tz_limit_path;

typedef struct tz_limited {
    double score; /* of the derivation: the sum of its uses' scores, in their order */
    double bound; /* no derivation within the limits scores more; the score itself, where exact */
    int64_t amount;
    bool exact; /* the derivation is the best one within the limits */
    tz_limit_path path;
    unsigned steps;                  /* inside passes of the plain rules */
    const tz_derivation *derivation; /* of the plain rules; the chart's, until its next call */
} tz_limited;

/* The best derivation whose amount of the resource is in low..high. TZ_BAD_ARGUMENT: low > high.
 *
 * Bisection (TZ_LIMIT_DUAL; Everett 1963 for the bound, Eisner & Severance 1976 for the steps): a
 * price on the resource, found in at most two more passes of the plain rules than the concave hull
 * of all (amount, score) has vertices; O(n^3) each for compress. Exact where the best derivation is
 * a vertex of the hull. Where it is not, `exact` is false and bound and score say how much is open;
 * if no derivation within the limits was met, the one given uses less than `low`: `amount` tells.
 *
 * TZ_LIMIT_AUTO goes on with the exact program on the instances that are part of a derivation
 * within reach of the bound, by max-marginals, and takes the charged rules instead where these need
 * few products, or less work. It ends as soon as a derivation is as good as the bound up to
 * rounding, as when many are tied. It takes longest where many are within reach of the bound and
 * none within the limits reaches it. Where the rest of the resource is declared (`dropped = n -
 * kept`), both use the cheaper of the two: O(n^3 min(m, n-m)^2) for m of n words. Always exact.
 *
 * Scores are compared as the semiring max computes them, in the limiter's precision: `exact` and
 * `bound` hold up to rounding. Where several derivations are best, which one is given may depend on
 * the path, but on nothing else. TZ_NONE: no derivation is within the limits. Errors of
 * tz_bind. */
TZ_PUBLIC tz_status tz_limit(tz_limit_chart *chart, const tz_problem *problem, int64_t low,
                             int64_t high, tz_limit_method method, tz_limited *ret_limited,
                             tz_error *opt_error);

/* The whole curve: the best score for each amount 0..*ret_count - 1, up to the largest that a
 * derivation has; -INFINITY for an amount that none has. Cost: one pass of the charged rules with
 * room for all amounts, O(n^5) for compress. *ret_values is the chart's, until its next tz_limit or
 * tz_limit_curve. TZ_NONE: no derivation at all. Errors of tz_bind. */
TZ_PUBLIC tz_status tz_limit_curve(tz_limit_chart *chart, const tz_problem *problem,
                                   const double **ret_values, size_t *ret_count,
                                   tz_error *opt_error);
/* After tz_limit_curve, whose problem must still be there: the best derivation of one amount, as
 * tz_limited gives it; the chart's, until its next call. TZ_NONE: the amount has none.
 * TZ_BAD_ARGUMENT: there is no curve. */
TZ_PUBLIC tz_status tz_limit_best(tz_limit_chart *chart, int64_t amount,
                                  const tz_derivation **ret_derivation);

#ifdef __cplusplus
}
#endif
#endif
