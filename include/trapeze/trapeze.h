/* trapeze.h - weighted deduction: rules in the notation of papers, any semiring.
 *
 * Threads   Rules, semirings and plans never change once made and may be shared. A chart belongs
 *           to one thread at a time. There is no global mutable state.
 * Errors    What can fail returns tz_status. Outputs are written only on TZ_OK, except that a
 *           pointer *ret_x is set to NULL on failure. opt_error receives a message that says
 *           where, what and how to mend it.
 * Memory    *ret_x is new and the caller's to free with the matching _free, unless it says
 *           "the chart's"; opt_x may be NULL; every other pointer is borrowed for the call.
 *           Free functions take NULL.
 * Scores    Natural logs. -INFINITY means impossible; NaN, +INFINITY and |score| > 1e290
 *           (TZ_F32: 1e30) are refused. Under log and entropy see tz_inside.
 * Modes     Results do not depend on the caller's floating-point modes (rounding, flushing to
 *           zero, traps). A call restores them and the flags before it returns.
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
    TZ_MAX_LENGTH = 1 << 20 /* of one length */
};

typedef enum tz_status {
    TZ_OK = 0,
    TZ_NONE,         /* there is no derivation: a result, not an error */
    TZ_NO_MEMORY,    /* an allocation failed; nothing has changed */
    TZ_TOO_LARGE,    /* a size does not fit */
    TZ_BAD_ARGUMENT, /* the call is wrong: a length below 0, a missing array, ... */
    TZ_BAD_RULES,    /* the rule file is wrong */
    TZ_BAD_SCORE,    /* NaN, +INFINITY, or beyond the limit */
    TZ_AMBIGUOUS,    /* the rules derive a structure twice and the semiring would count it twice */
    TZ_LAW,          /* the semiring lacks a law or an operation that the call needs */
    TZ_IO,           /* a file cannot be read */
    TZ_DIVERGES,     /* derivations that go round in a circle add up without limit */
    TZ_STOPPED       /* the caller's watch asked for it (tz_watch) */
} tz_status;

typedef struct tz_error {
    tz_status status;
    char message[1024]; /* UTF-8, one line, no newline at its end */
} tz_error;

/* A constant English phrase for a status. */
TZ_PUBLIC const char *tz_status_name(tz_status status);
/* "MAJOR.MINOR.PATCH" of the library. */
TZ_PUBLIC const char *tz_version(void);

/* ---- Rules ------------------------------------------------------------------------------- */

typedef struct tz_rules tz_rules;

/* Reads, checks and compiles the rule file `text` of `size` bytes (Shieber, Schabes & Pereira 1995
 * notation). `name` stands in front of messages: NAME:LINE:COL: ...
 * TZ_BAD_RULES, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_parse(const char *name, const char *text, size_t size,
                                   tz_rules **ret_rules, tz_error *opt_error);
/* The same from a file. Also TZ_IO. */
TZ_PUBLIC tz_status tz_rules_read(const char *path, tz_rules **ret_rules, tz_error *opt_error);
/* A built-in rule set by name, or NULL. It lives as long as the program. */
TZ_PUBLIC const tz_rules *tz_rules_find(const char *name);
/* The index-th built-in rule set, in alphabetical order; NULL past the last. */
TZ_PUBLIC const tz_rules *tz_rules_builtin(size_t index);
/* The gallery, rule sets from the literature (docs/gallery.md): the index-th name, in alphabetical
 * order, such as "gallery/nussinov"; NULL past the last. */
TZ_PUBLIC const char *tz_gallery_name(size_t index);
/* One of these, as tz_rules_parse from its text. TZ_BAD_ARGUMENT: there is none of that name. */
TZ_PUBLIC tz_status tz_gallery_read(const char *name, tz_rules **ret_rules, tz_error *opt_error);
/* Does nothing for a built-in one. */
TZ_PUBLIC void tz_rules_free(tz_rules *rules);

TZ_PUBLIC const char *tz_rules_name(const tz_rules *rules);
/* Does the file say that some structure has several derivations? */
TZ_PUBLIC bool tz_rules_ambiguous(const tz_rules *rules);
/* Looks for a structure with several derivations, in a rule file that declares none. It compares
 * all derivations of small lengths and draws some of larger ones, for some hundredths of a second;
 * the result is the same on every machine. TZ_AMBIGUOUS: there is such a structure, so do not ask
 * tz_plan_new for a sum. TZ_OK: none was found, or the rules are built in or declare it.
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_ambiguity(const tz_rules *rules, tz_error *opt_error);

/* What a rule file gives names to; each kind is numbered from 0 in the order of declaration. */
typedef enum tz_named {
    TZ_LENGTHS,
    TZ_WEIGHTS,
    TZ_ITEMS,
    TZ_RULES, /* a rule with a relation of tuples in its condition is several of the same name, one
                 for each choice of tuples that it can apply to; one that needs an item which
                 nothing derives is none */
    TZ_INPUTS,
    TZ_RESOURCES
} tz_named;
/* How many there are. */
TZ_PUBLIC size_t tz_rules_count(const tz_rules *rules, tz_named what);
/* Their names; NULL past the last. */
TZ_PUBLIC const char *tz_rules_name_of(const tz_rules *rules, tz_named what, size_t which);
/* Does some rule use the weight (TZ_WEIGHTS), or look up the input's numbers (TZ_INPUTS)? If not,
 * their data may be NULL, and answers about the weight's cells are those of cells that no
 * derivation uses. False for all else, and past the last. */
TZ_PUBLIC bool tz_rules_used(const tz_rules *rules, tz_named what, size_t which);
/* The index-th warning about a likely slip, in the file's order, and its place; NULL past the last.
 * A built-in rule set has none. If a file is refused, its warnings are in the error's message. */
TZ_PUBLIC const char *tz_rules_warning(const tz_rules *rules, size_t index, unsigned *ret_line,
                                       unsigned *ret_column);

typedef enum tz_figures {
    TZ_FIGURES_TEXT,  /* inference figures; a rule file that says the same */
    TZ_FIGURES_LATEX, /* a document for pdflatex */
    TZ_FIGURES_DOT,   /* for Graphviz: which rules lead from which items to which */
    TZ_FIGURES_ORDER  /* the order of evaluation: a line for each group of items that need each
                         other, such as "stage j-i: rtrap, ltrap"; in parentheses stand products
                         that are stored */
} tz_figures;
/* A rule set as text. Writes at most `size` bytes, the final NUL included, and returns the length
 * of the whole text without the NUL; so call it with size 0 to learn that length. 0: memory is out.
 */
TZ_PUBLIC size_t tz_rules_show(const tz_rules *rules, tz_figures format, char *ret_text,
                               size_t size);

/* How the number of instances of rules grows, as text: "1", "n^3", "n T^2 + n^2". "n^3 |binary|":
 * a sparse weight has |binary| entries, and every stage of the target looks at each. If `space`:
 * how the number of items that a chart stores grows; scores do not count. A bound that adds lengths
 * gives a sum, "n (A+B)^2". Where a bound is the smaller of several lengths, each length counts as
 * much larger than the next. TZ_TOO_LARGE: the text, or a number on the way, does not fit.
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_degree(const tz_rules *rules, bool space, char *ret_text, size_t size);

/* The array that a weight's scores are given in, for these lengths: position 0 of dimension q holds
 * index origin[q] = min(0, smallest index), and extent[q] positions reach the largest index. */
typedef struct tz_shape {
    unsigned rank;
    bool sparse;
    int32_t origin[TZ_MAX_RANK];
    int32_t extent[TZ_MAX_RANK];
    int32_t least[TZ_MAX_RANK]; /* the smallest index; what stands before it is never read */
} tz_shape;

/* lengths: one per length of the rule set, 0..TZ_MAX_LENGTH. weight: or TZ_ITEM + the number of an
 * item, for the array that holds a number for each item of this name (tz_items).
 * TZ_BAD_ARGUMENT, TZ_TOO_LARGE. */
TZ_PUBLIC tz_status tz_rules_shape(const tz_rules *rules, size_t weight, const int32_t *lengths,
                                   tz_shape *ret_shape);
/* Is the weight declared at these index values? index: one per dimension. */
TZ_PUBLIC bool tz_rules_declared(const tz_rules *rules, size_t weight, const int32_t *lengths,
                                 const int32_t *index);

/* Inputs are what a problem gives as numbers that stand for indices of weights, as x in
 * emit[a,x[i]]. The array of an input's numbers, as tz_rules_shape; but position 0 of a dimension
 * holds the smallest index, so x[i], 1 <= i <= n, has n numbers. Each number is at least 0 and
 * below *ret_bound. */
TZ_PUBLIC tz_status tz_rules_input_shape(const tz_rules *rules, size_t input,
                                         const int32_t *lengths, tz_shape *ret_shape,
                                         int64_t *ret_bound);

/* The name that a `names` line gives to a value of indices that run to this length; NULL: none. */
TZ_PUBLIC const char *tz_rules_label(const tz_rules *rules, size_t length, size_t value);
/* The length whose names the values of an index of a weight or item have, or an input's numbers,
 * for which `index` is not read; false: they have none. */
TZ_PUBLIC bool tz_rules_labelled(const tz_rules *rules, tz_named what, size_t which, unsigned index,
                                 size_t *ret_length);

/* The goal's item and its index values for these lengths; ret_index: room for TZ_MAX_RANK, of which
 * the item's rank is written to *ret_rank. */
TZ_PUBLIC tz_status tz_rules_goal(const tz_rules *rules, const int32_t *lengths, size_t *ret_item,
                                  unsigned *ret_rank, int32_t *ret_index);

/* ---- Resources --------------------------------------------------------------------------- */

/* What `resource` lines declare: kept words, dropped words, ... (TZ_RESOURCES) */

/* How much of the resource one use of a cell consumes: the sum of its charges, at least 0. TZ_NONE:
 * no use is charged, since the resource is declared as the rest of another. TZ_BAD_ARGUMENT: such
 * as an index outside the weight's domain. */
TZ_PUBLIC tz_status tz_rules_amount(const tz_rules *rules, size_t resource, size_t weight,
                                    const int32_t *lengths, const int32_t *index,
                                    int64_t *ret_amount);

/* The same rules, keeping account of a resource. Every item gets one more index, its last: how much
 * of the resource its derivations use. The rules get one more length, the last: the most that this
 * index can be. The goal uses exactly so much; the goal's item with a smaller last index has the
 * value at that amount. Charges and weights stay, so the result can be charged for another
 * resource. Amounts are bounded where a bound linear in indices and lengths can be proved: charged
 * for kept words, `compress` takes O(n^3 d^2) for d of them, and only n^2 d cells. *ret_rules does
 * not refer to `rules`. TZ_BAD_ARGUMENT (no such resource; one that is only the rest of another),
 * TZ_TOO_LARGE (no room for another index, length or variable), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_rules_charge(const tz_rules *rules, const char *resource,
                                    tz_rules **ret_rules, tz_error *opt_error);

/* ---- Semirings --------------------------------------------------------------------------- */

typedef enum tz_precision { TZ_F64, TZ_F32 } tz_precision;

/* A registered semiring by name, or NULL. */
TZ_PUBLIC const tz_semiring *tz_semiring_find(const char *name, tz_precision precision);

/* A semiring by its text: the name of a registered one, or a name with parameters: kbest(5). Blanks
 * do not matter.
 * TZ_BAD_ARGUMENT (an unknown name; the wrong number of parameters, or one that is no number from 1
 * on), TZ_TOO_LARGE (a number), TZ_LAW (a composition of what cannot be composed), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_new(const char *text, tz_precision precision,
                                    tz_semiring **ret_semiring, tz_error *opt_error);
/* A semiring from a text in the notation of docs/semirings.md; elements are doubles. `name` is that
 * of the text, for messages, "FILE:LINE:COLUMN: ..."; without folders and its ending, that of the
 * semiring. The text may be anyone's: it is 64 KB at most, runs no loops, and what it computes
 * takes bounded time and memory. TZ_BAD_ARGUMENT (what is wrong, and where), TZ_LAW (a law that is
 * always needed, or one that is declared, fails for elements that the message shows), TZ_TOO_LARGE,
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_parse(const char *name, const char *text,
                                      tz_semiring **ret_semiring, tz_error *opt_error);
/* The same from a file. Also TZ_IO. */
TZ_PUBLIC tz_status tz_semiring_read(const char *path, tz_semiring **ret_semiring,
                                     tz_error *opt_error);
/* The C file that computes the same as a semiring of the two above, by trapeze/vectors.h: a
 * plug-in, if it is compiled as one. *ret_text is for free(). It has names, numbers and operations
 * of the text, and quotes what it says of itself, so that compiling and loading it is as harmless
 * as reading the text. TZ_BAD_ARGUMENT: it is another semiring. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_source(const tz_semiring *semiring, char **ret_text,
                                       tz_error *opt_error);
/* A semiring that has been compiled, from a shared object with TZ_PLUGIN (trapeze/plugin.h). This
 * runs code: load only what you trust. The object stays in memory. TZ_IO (there is none, or none
 * that can be loaded), TZ_BAD_ARGUMENT (one that is no plug-in, or for another version of Trapeze
 * or a machine with more instructions), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_semiring_load(const char *path, tz_semiring **ret_semiring,
                                     tz_error *opt_error);
/* Frees what these made; no plan may still use it. */
TZ_PUBLIC void tz_semiring_free(tz_semiring *semiring);
/* The index-th form that tz_semiring_new takes, in alphabetical order: the name of a registered
 * semiring, "max", or one with the parameters that it needs, "kbest(K)"; NULL past the last. */
TZ_PUBLIC const char *tz_semiring_form(size_t index);
/* The most numbers that an element stands for (tz_item_values), such as K for kbest(K); 1 if the
 * semiring does not say. */
TZ_PUBLIC size_t tz_semiring_numbers(const tz_semiring *semiring);

/* ---- Plans: rules x semiring -------------------------------------------------------------- */

typedef struct tz_plan tz_plan;

enum {
    TZ_FORCE = 1 << 0,     /* run an ambiguous rule set under a semiring that counts twice */
    TZ_NO_AVX512 = 1 << 1, /* do not use AVX-512; the results have the same bits */
    TZ_NO_AVX2 = 1 << 2,   /* use neither AVX2 nor AVX-512 */
    TZ_PLAIN = 1 << 3      /* compute by plus and times alone, as the passes are defined; many times
                              slower, to check an answer or a semiring of your own */
};

/* rules and semiring must outlive the plan. TZ_AMBIGUOUS, TZ_LAW (the semiring is not commutative,
 * or has marks and the rules a closure), TZ_BAD_ARGUMENT (either is NULL, or the descriptor lacks
 * name, plus or times), TZ_NO_MEMORY. Every function that takes a plan and returns a status rejects
 * NULL with TZ_BAD_ARGUMENT, so you may check once at the end. */
TZ_PUBLIC tz_status tz_plan_new(const tz_rules *rules, const tz_semiring *semiring, unsigned flags,
                                tz_plan **ret_plan, tz_error *opt_error);
TZ_PUBLIC void tz_plan_free(tz_plan *plan);
/* The instruction set of the plan's inner loops: the best one that the machine runs, the flags
 * allow and the library has; if there is none, the library's least. */
TZ_PUBLIC tz_isa tz_plan_isa(const tz_plan *plan);
/* Semiring products (applications of times) of one inside pass for these lengths: work shared by
 * several rules counts once, sparse weights count as full. TZ_BAD_ARGUMENT, TZ_TOO_LARGE (too many
 * to count; nothing is written). */
TZ_PUBLIC tz_status tz_plan_products(const tz_plan *plan, const int32_t *lengths,
                                     double *ret_products);

/* ---- Problems ----------------------------------------------------------------------------- */

typedef enum tz_type { TZ_DOUBLE, TZ_FLOAT } tz_type;

/* The scores of one weight.
 * Dense: index idx[] stands at data[sum over q of (idx[q] - origin[q]) * stride[q]] (tz_shape gives
 * the origin), strides in elements; extent[q] is how many positions dimension q has, at least the
 * shape's. Entries outside the declared domain are never read.
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

/* The numbers of one input: those for idx[] stand at data[sum over q of (idx[q] - origin[q]) *
 * stride[q]] (tz_rules_input_shape gives the origin), strides in elements; extent[q] is how many
 * positions dimension q has, at least the shape's. */
typedef struct tz_input_numbers {
    const int32_t *data;
    int32_t extent[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
} tz_input_numbers;

/* The cells of a weight, or the items of a name, that have these index values. TZ_ANY matches every
 * value. Index values past the rank are not read. */
enum { TZ_ANY = INT32_MIN, TZ_ITEM = 1 << 20 };
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
 * are then about the derivations that agree with all facts.
 *
 * A forbidden cell is as impossible as one that scores -INFINITY, with the same bits. A forbidden
 * item is zero, inside and outside. Required facts take a semiring that has `mark`, such as
 * required(log) in the place of log. No possible derivation may use two cells of one required fact,
 * or one of them twice: that is checked. tz_facts_new is far faster, as required(BASE) has no
 * compiled loops: it turns required facts into forbidden cells, where that says the same.
 *
 * A cell outside the declared domain is refused, as is a pattern with an index that no declared
 * cell has. A cell of a sparse weight need not have an entry. Long lists cost least when they are
 * ordered by weight and indices. Items take 80 bytes each in a chart. */
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
     * facts and directions are about the weights as declared, and a fact about all uses of a cell.
     */
    const tz_input_numbers *numbers;
} tz_problem;

/* Contiguous row-major scores for the shape of a dense weight. */
TZ_PUBLIC tz_scores tz_scores_dense(const tz_shape *shape, const double *data);
/* Contiguous row-major numbers for the shape of an input. */
TZ_PUBLIC tz_input_numbers tz_input_numbers_dense(const tz_shape *shape, const int32_t *data);
/* Entries of a sparse weight: index[entries * rank], data[entries]. */
TZ_PUBLIC tz_scores tz_scores_sparse(const int32_t *index, const double *data, size_t entries);

/* Refuses what tz_bind would refuse, for one problem. Cost: the size of the scores, and one inside
 * pass for each required fact. */
TZ_PUBLIC tz_status tz_problem_check(const tz_plan *plan, const tz_problem *problem,
                                     tz_error *opt_error);

/* ---- Charts -------------------------------------------------------------------------------- */

/* Memory for a plan's items, which grows as needed and is reused. It also keeps what was worked out
 * about the lengths seen so far, up to 64 MB and always the last ones: so problems whose lengths
 * came before, in as many lanes, allocate nothing. */
typedef struct tz_chart tz_chart;

TZ_PUBLIC tz_status tz_chart_new(const tz_plan *plan, tz_chart **ret_chart);
TZ_PUBLIC void tz_chart_free(tz_chart *chart);

/* Watches long calls and can stop them: for a "Cancel" button, Ctrl-C, a line of progress. It is
 * the caller's, and must live as long as a chart or a call has it. Some milliseconds after `stop`
 * becomes other than 0, whoever set it, the call returns TZ_STOPPED. Everything remains usable: a
 * chart is still bound, and nothing of it counts as computed. `stop` is not looked at while scores
 * or answers are copied, which takes as long as reading them, nor in tz_kbest_next, tz_sampler_next
 * and functions that take no chart. */
typedef struct tz_watch tz_watch;
struct tz_watch {
    volatile int stop; /* set by `look`, by any other thread, or by a handler of signals */
    /* NULL, or what the calling thread, and no other, calls every `seconds` and before each
     * tz_visit. It may do anything but use the objects at work. */
    void (*look)(tz_watch *watch);
    double seconds;  /* the least time between two calls of `look` */
    size_t done, of; /* set by tz_run: problems done so far, and all */
    void *user;      /* the caller's own */
};

/* For tz_inside and what follows it on this chart, from now on; NULL: nobody watches. */
TZ_PUBLIC void tz_chart_watch(tz_chart *chart, tz_watch *opt_watch);

/* Takes problems 0..count-1, to evaluate them side by side, each in a lane. All cost as much as the
 * longest: bind like lengths together, or let tz_run group them. Scores and facts are borrowed
 * until the next tz_bind or tz_chart_free. Each problem has facts of its own. Cost:
 * tz_problem_check's. TZ_BAD_ARGUMENT, TZ_BAD_SCORE, TZ_TOO_LARGE, TZ_NO_MEMORY, TZ_LAW (a required
 * fact without `mark`); after a failure nothing is bound. */
TZ_PUBLIC tz_status tz_bind(tz_chart *chart, const tz_problem *problems, size_t count,
                            tz_error *opt_error);

/* tz_bind and tz_inside of problems that go on from those of the last tz_extend of this chart: a
 * word more, a word less, or other words at the end. opt_kept: one per length of the rule set; up
 * to these lengths the problems are as they were: the same scores for all cells that are declared
 * for them, the same numbers of inputs, the same entries of sparse weights. NULL: nothing is as it
 * was, as for the first ones.
 *
 * Items that the kept lengths have, and that stay where a length grows (`trapeze rules check` says
 * which), keep their values; new ones are computed: for eisner, O(n^2) for one word more. The chart
 * has room for half as much again; when that is used up, all is computed once more. Going back
 * takes no time where everything stays. Values and answers have the same bits as after tz_bind and
 * tz_inside. What cannot go on is computed anew: problems with facts, with inputs of the semiring
 * or directions, of different lengths side by side; kept lengths below 2 that grow; rule sets that
 * do not grow. Of scores, only those of new cells that rules use are looked at. Errors: those of
 * tz_bind and tz_inside; after a failure nothing is computed. */
TZ_PUBLIC tz_status tz_extend(tz_chart *chart, const tz_problem *problems, size_t count,
                              const int32_t *opt_kept, tz_error *opt_error);

/* Computes the value of every item of every bound problem. Cost: tz_plan_products (O(n^3) for
 * eisner). TZ_BAD_SCORE, as in tz_outside: the score of a derivation, or of a part, leaves the
 * range where the semiring is exact (tz_semiring.exact). For log and entropy the range is 2e14, in
 * float 2.5e6, and less where the engine multiplies more than three factors at once. TZ_DIVERGES:
 * see tz_diverging. */
TZ_PUBLIC tz_status tz_inside(tz_chart *chart);
/* After TZ_DIVERGES: which of the bound problems, and an item whose derivations go round in a
 * circle without a limit; ret_index[TZ_MAX_RANK]. TZ_NONE: nothing diverged. */
TZ_PUBLIC tz_status tz_diverging(const tz_chart *chart, size_t *ret_problem, size_t *ret_item,
                                 int32_t *ret_index);
/* After tz_inside: computes the outside value of every item, at a small multiple of tz_inside's
 * cost. The outside value is a sum over the derivations of the goal that use the item: of the
 * product of everything in the derivation that is outside the item (Eisner 1996, Goodman 1999
 * section 4). */
TZ_PUBLIC tz_status tz_outside(tz_chart *chart);

/* Stands for the goal where the number of an item is asked for; the index is not read then. */
enum { TZ_GOAL = INT32_MAX };

/* After tz_inside: the value of the goal of one problem as score, number or truth (see tz_gives).
 * Under TZ_GIVES_SCORE, -INFINITY where there is no derivation. */
TZ_PUBLIC tz_status tz_goal(const tz_chart *chart, size_t problem, double *ret_value);
/* The same as the semiring's own element, of semiring->size bytes. */
TZ_PUBLIC tz_status tz_goal_element(const tz_chart *chart, size_t problem, void *ret_element);
/* The value of one item, inside or outside; outside its domain, that of the semiring's zero. Under
 * required facts, an inside value is that of the item's derivations that agree with all. index: one
 * per index of the item. TZ_BAD_ARGUMENT also for an item that the rules do not have. */
TZ_PUBLIC tz_status tz_item_value(const tz_chart *chart, size_t problem, size_t item,
                                  const int32_t *index, bool outside, double *ret_value);
/* All numbers that an item's inside element stands for (tz_semiring.values).
 *   kbest(K)  the scores of the K best derivations, best first; fewer if there are fewer
 *   ties      the best score, and how many derivations have it (0: there is none)
 *   entropy   log Z; the entropy of the derivations, whose probabilities are exp(score) / Z; their
 *             expected cost; their expected score in q. The last two are 0 if not given.
 * The divergence KL(p || q) is log Z_q - entropy - values[3] of TZ_GOAL, where log Z_q is the goal,
 * under log, of the problem {lengths, inputs + number of weights}. It is +INFINITY if values[3] is
 * -INFINITY: q excludes what p allows. ret_values: room for tz_semiring_numbers. */
TZ_PUBLIC tz_status tz_item_values(const tz_chart *chart, size_t problem, size_t item,
                                   const int32_t *index, double *ret_values, size_t *ret_count);

/* Where to write one number per cell of a weight, laid out as tz_scores. Sparse: the number of
 * entry e, in the order of the problem's entries, goes to data[e * stride[0]]. */
typedef struct tz_output {
    double *data;
    ptrdiff_t stride[TZ_MAX_RANK];
} tz_output;

/* Contiguous: row-major for the shape, or one after the other for entries. */
TZ_PUBLIC tz_output tz_output_dense(const tz_shape *shape, double *data);

/* After tz_outside: how often each cell of a weight, or with TZ_ITEM + its number each item of a
 * name, is used, as expected under the distribution exp(score) / Z. For weights this is also the
 * gradient of log Z, and uses by way of inputs count; for what no derivation uses twice it is a
 * probability. Writes all cells of the shape (tz_rules_shape): 0 outside the domain and where the
 * score is -INFINITY. TZ_LAW: the semiring has no `share`. TZ_NONE: there is no derivation, and
 * nothing is written. Cost: tz_inside's at most; the size of the shape for items. */
TZ_PUBLIC tz_status tz_marginals(tz_chart *chart, size_t problem, size_t weight,
                                 const tz_output *output);
/* The same for every weight w of every bound problem p, to outputs[p * weights + w], where weights
 * is tz_rules_count of TZ_WEIGHTS; data NULL: not wanted. A problem without a derivation gets 0.
 * Problems of the same lengths take a fraction of their time one by one, above all if their outputs
 * have the same strides and the last stride is 1. */
TZ_PUBLIC tz_status tz_marginals_all(tz_chart *chart, const tz_output *outputs);
/* Likewise for each cell, or item, the semiring sum over its uses in derivations, each worth its
 * whole derivation: max-marginals under max, numbers of derivations under count. Outside the
 * domain, the value of zero. */
TZ_PUBLIC tz_status tz_through(tz_chart *chart, size_t problem, size_t weight,
                               const tz_output *output);

/* After tz_inside: the values of the items of a name, each that of tz_item_value; outside the
 * domain zero's. The shape is that of TZ_ITEM + item. */
TZ_PUBLIC tz_status tz_items(tz_chart *chart, size_t problem, size_t item, const tz_output *output);

/* After tz_outside under log: the derivatives of log Z and of the marginals, at epsilon = 0, as the
 * scores move by epsilon times the problem's direction v. For log Z this is the sum over cells of
 * marginal times v. For the marginals it is H v, where H, the Hessian of log Z, is the covariance
 * of uses. It is 0 outside the domain and where the score is -INFINITY, as in tz_marginals.
 *
 * Dual numbers through inside, outside and marginals (the second-order expectation semiring, Li &
 * Eisner 2009 (EMNLP), section 4): the second parts are of the same kind as the first, and stand
 * beside them. The first call after tz_outside computes them for all problems of the chart and all
 * weights, at about twice the cost of tz_inside, tz_outside and tz_marginals.
 * TZ_LAW: a semiring whose elements are not real numbers (tz_semiring.multiples). TZ_NONE: no
 * derivation. TZ_BAD_ARGUMENT, TZ_NO_MEMORY, TZ_TOO_LARGE. */
TZ_PUBLIC tz_status tz_goal_tangent(tz_chart *chart, size_t problem, double *ret_value);
TZ_PUBLIC tz_status tz_marginal_tangents(tz_chart *chart, size_t problem, size_t weight,
                                         const tz_output *output);

/* ---- Derivations --------------------------------------------------------------------------- */

typedef struct tz_use {
    uint32_t weight;
    int32_t index[TZ_MAX_RANK];
    double score; /* as it was bound */
} tz_use;

typedef struct tz_node {
    uint32_t item, rule;
    uint32_t premises; /* how many subtrees follow, in the order of the rule's premises */
    int32_t index[TZ_MAX_RANK];
} tz_node;

/* Where the inputs of a use were looked up: the index values of each input, in the order of the
 * weight's indices. For differ[y[u-1],y[u]] they are u - 1 and u. */
typedef struct tz_position {
    uint32_t count; /* of the index values told, at most TZ_MAX_RANK */
    int32_t at[TZ_MAX_RANK];
} tz_position;

typedef struct tz_derivation {
    double score;
    size_t uses, nodes;
    const tz_use *use;           /* by weight, then indices; one used twice stands twice */
    const tz_node *node;         /* the proof tree in preorder; node[0] is the goal */
    const tz_position *position; /* [uses] of each; NULL: the rules have no inputs */
} tz_derivation;

/* A derivation as a path: its uses in the order in which they are derived. The uses of a rule's
 * premises come first, premise by premise, then those of the rule itself, as they stand in the
 * file. Where premises are parts from left to right, as in chains, segmentations and alignments,
 * this is the order of positions. ret_order[uses]: numbers of uses. TZ_BAD_ARGUMENT: the derivation
 * is none of these rules, or lacks positions. TZ_NO_MEMORY. Cost: a sort of the uses. */
TZ_PUBLIC tz_status tz_path(const tz_rules *rules, const int32_t *lengths,
                            const tz_derivation *derivation, size_t *ret_order);

/* After tz_inside under a path semiring: the best derivation of an item; TZ_GOAL: of all. It is the
 * chart's, until the next call of tz_best, tz_best_uses, tz_bind or tz_chart_free on it. Ties go to
 * the rule that stands first in the file, then to the smallest values of the summed-out variables,
 * in order of appearance; variables of a part of the sum that is worked out first (docs/rules.md)
 * come last. No back-pointers are kept: splits are scanned again, O(n^2) for eisner. TZ_LAW,
 * TZ_NO_MEMORY. TZ_NONE: there is none, also outside the item's domain. TZ_BAD_ARGUMENT: the rules
 * have no such item. */
TZ_PUBLIC tz_status tz_best(tz_chart *chart, size_t problem, size_t item, const int32_t *index,
                            const tz_derivation **ret_derivation);
/* The uses of the goal's alone, which costs less: no proof tree, nothing sorted, no positions. They
 * come in the order in which they are found, from the goal down, the same for every machine and
 * grouping. The chart's until the same calls. */
TZ_PUBLIC tz_status tz_best_uses(tz_chart *chart, size_t problem, const tz_use **ret_use,
                                 size_t *ret_uses);
/* Draws a derivation's uses by the shapes of their weights: arcs above a sentence, spans and labels
 * below it, pairs, or a grid of two sequences (docs/command.md says which shape is drawn how).
 * Rules with inputs take the proof tree, which tells positions; others may have 0 nodes. opt_words:
 * the words of the first length's sequence, as many as the length; NULL: numbers stand in their
 * place. Writes at most `size` bytes, the final NUL included; *ret_size: the length of the whole
 * without it. TZ_NONE: the rules have no weight of such a shape. TZ_BAD_ARGUMENT: a use, or the
 * proof tree where it is needed, is not of the rules. TZ_TOO_LARGE: a length above 2^20.
 * TZ_NO_MEMORY. */
typedef enum tz_draw_format { TZ_DRAW_TEXT, TZ_DRAW_SVG } tz_draw_format;
TZ_PUBLIC tz_status tz_draw(const tz_rules *rules, const int32_t *lengths,
                            const tz_derivation *derivation, const char *const *opt_words,
                            tz_draw_format format, char *ret_text, size_t size, size_t *ret_size);

/* ---- k best --------------------------------------------------------------------------------- */

/* The derivations of one problem, best first, worked out as they are asked for. */
typedef struct tz_kbest tz_kbest;

/* After tz_inside under a path semiring that gives scores and prefers greater ones. A chart may
 * have any number of lists, each with memory of its own; a freed list leaves its memory to the
 * chart's next one. The chart must outlive the list. Once the chart is bound or run inside again,
 * tz_kbest_next gives TZ_BAD_ARGUMENT. distinct: give only the first derivation of each structure
 * (the same uses, at the same positions of inputs); this changes nothing unless the rules are
 * ambiguous. TZ_LAW: required(max), whose values leave out the required facts; use tz_facts_new.
 * TZ_BAD_ARGUMENT, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_kbest_new(tz_chart *chart, size_t problem, bool distinct,
                                 tz_kbest **ret_kbest);
/* The next derivation, the list's until the next call; TZ_NONE when there is none left. Scores
 * never increase; each is that of its uses, summed in inside's order. Ties: a fixed order,
 * the same for every machine and grouping, that begins with tz_best's derivation: by the instance
 * of the item (first rule in the file, then the smallest values of its variables), then by the rank
 * of the first premise among that premise's own derivations, then of the second's, ... where a
 * product that rules share counts as one premise. Huang & Chiang 2005 (IWPT), algorithm 3. The
 * first costs what tz_best does; for the second, the instances of the items in the first are
 * listed, O(n^2) for eisner; each further one takes O(n + log) list operations at most; memory in
 * proportion to those. After TZ_NO_MEMORY or TZ_TOO_LARGE the call may be repeated.
 * TZ_DIVERGES: in a closure, derivations that go round cost nothing, and never end. */
TZ_PUBLIC tz_status tz_kbest_next(tz_kbest *kbest, const tz_derivation **ret_derivation);
/* From now on the list holds only derivations that score at most `within` less than the best.
 * within >= 0, else TZ_BAD_ARGUMENT. May be called at any time. */
TZ_PUBLIC tz_status tz_kbest_within(tz_kbest *kbest, double within);
TZ_PUBLIC void tz_kbest_free(tz_kbest *kbest);

/* ---- Samples ------------------------------------------------------------------------------- */

/* Draws derivations of one problem at random, each with probability exp(score) / Z, where Z is the
 * sum over all derivations: exactly, but for the rounding of items' values. Under count all
 * derivations are equally likely. */
typedef struct tz_sampler tz_sampler;

/* After tz_inside. A chart may have any number of samplers, each with memory of its own. The chart
 * must outlive the sampler. Once it is bound or run inside again, tz_sampler_next gives
 * TZ_BAD_ARGUMENT. Sample number s depends on the problem and the seed only: not on the plan's
 * flags, on what else is bound, or on threads. Problems sampled with one seed share their random
 * numbers.
 * without_replacement: no derivation comes twice, and each is drawn with probability proportional
 * to exp(score) among those that have not come yet (of an ambiguous rule set, a structure comes
 * once for each of its derivations).
 * TZ_BAD_ARGUMENT; TZ_NO_MEMORY; TZ_LAW: under a semiring without `share`, or one whose sum is
 * idempotent or picks one of its terms (max, bool), whose values are not sums over derivations. */
TZ_PUBLIC tz_status tz_sampler_new(tz_chart *chart, size_t problem, uint64_t seed,
                                   bool without_replacement, tz_sampler **ret_sampler);
/* The next sample; the sampler's, until the next call for it. Its score is the sum of its uses'
 * scores, added in their order. TZ_NONE: there is no derivation, or none is left.
 * The instances of an item are evaluated when it first occurs in a sample, O(n) for eisner, and
 * kept; from then on a sample takes O(log n) for each of its items. Without replacement memory
 * grows by O(1) for each item of a sample.
 * TZ_TOO_LARGE: values beyond what the semiring counts (2^1024 under count), of which the shares
 * are not known. TZ_NO_MEMORY: the call may be repeated, and gives the same sample; unless memory
 * ran out while the values were made once more with elements of a wider range, which leaves none:
 * then TZ_BAD_ARGUMENT. */
TZ_PUBLIC tz_status tz_sampler_next(tz_sampler *sampler, const tz_derivation **ret_derivation);
TZ_PUBLIC void tz_sampler_free(tz_sampler *sampler);

/* ---- Facts and marginals put to use --------------------------------------------------------- */

/* Finds the cells that no derivation that agrees with the problem's facts uses. Where all
 * derivations without them agree with the facts (for dependency trees: always, for known arcs, sets
 * of heads and kept words), any semiring can be asked under the required facts too, at the speed
 * that it has without facts. The cells depend on the scores only by which are -INFINITY: training
 * needs them once for each sentence. *ret_fact is for tz_problem.facts, alone: it forbids these
 * cells. Independent of the problem's memory. Where rules have inputs, its cells of weights behind
 * the last stand for uses at one position; where the problem's facts speak of items, so does this
 * one. TZ_NONE: no derivation agrees. TZ_LAW: forbidding cells does not say it, or the rules have
 * side conditions (use required(BASE)) or closures. Else as tz_bind. Cost: inside passes of max,
 * two for each required fact, and one outside pass. */
TZ_PUBLIC tz_status tz_facts_new(const tz_rules *rules, const tz_problem *problem,
                                 tz_fact **ret_fact, tz_error *opt_error);
TZ_PUBLIC void tz_facts_free(tz_fact *fact);

/* After tz_inside under log (anything that gives scores and has `share`): the score of the
 * structure that consists of these uses (their sum, as bound; use[].score is not read), and its
 * log probability: of all derivations that have exactly these uses together, where the rules are
 * ambiguous. uses: in any order; one used twice stands twice.
 * TZ_NONE: no derivation that agrees with the problem's facts has that structure. TZ_BAD_ARGUMENT:
 * a use outside the weight's domain. TZ_LAW: another semiring; rules with side conditions or
 * closures; or derivations of these cells alone can use one of them more often than the structure
 * does, so that counting does not tell them apart. Cost: inside passes for the problem's lengths,
 * one for each different cell and required fact. */
TZ_PUBLIC tz_status tz_structure(tz_chart *chart, size_t problem, const tz_use *use, size_t uses,
                                 double *ret_score, double *ret_log_probability);

/* Minimum-risk decoding: binds to `decoder`, a chart of the same rules under a path semiring, the
 * problem of `marginals` (after tz_outside, under log) with other scores, and runs tz_inside: a
 * cell scores its marginal times gain[weight] (NULL: 1), and what was impossible stays so. tz_best
 * of it has the largest expected number of uses in common with the truth, by gain: maximum
 * expected recall (Goodman 1996, "labelled recall"; the risk of Smith & Eisner 2006 that adds up
 * over cells); k best and others work as well. Facts are kept; required ones take required(max).
 * TZ_BAD_ARGUMENT (other rules, a gain that is no number), TZ_NONE, else as tz_bind and
 * tz_marginals. Cost: theirs. */
TZ_PUBLIC tz_status tz_bind_risk(tz_chart *decoder, tz_chart *marginals, size_t problem,
                                 const double *opt_gain, tz_error *opt_error);

/* ---- Batches ------------------------------------------------------------------------------- */

/* Charts that one tz_run leaves to the next, one for each thread, so that lengths which came before
 * need not be worked out again. They are for one plan, which must outlive them, and for one tz_run
 * at a time. */
typedef struct tz_charts tz_charts;

TZ_PUBLIC tz_status tz_charts_new(const tz_plan *plan, tz_charts **ret_charts);
TZ_PUBLIC void tz_charts_free(tz_charts *charts);

typedef struct tz_run_options {
    bool outside;      /* run tz_outside as well */
    unsigned lanes;    /* problems evaluated side by side at most; 0: chosen by length */
    unsigned threads;  /* 0: one */
    tz_charts *charts; /* of the same plan; NULL: new ones */
    tz_watch *watch;   /* NULL: nobody watches */
} tz_run_options;

/* Called once for every problem, when its chart is ready: ask chart for `lane` (tz_goal, tz_best,
 * tz_marginals, ...). With several threads, called from any of them, each with a chart of its own.
 * It has the caller's floating-point modes; flags that it raises go no further.
 * Anything but TZ_OK ends the run with that status. */
typedef tz_status (*tz_visit)(void *user, size_t problem, tz_chart *chart, size_t lane);

/* Solves problems of any lengths, like ones side by side where that is cheapest. The values do not
 * depend on the grouping or the threads. A forked process may use threads, too. Checks all problems
 * first; errors of tz_bind name the problem. */
TZ_PUBLIC tz_status tz_run(const tz_plan *plan, const tz_problem *problems, size_t count,
                           const tz_run_options *opt_options, tz_visit visit, void *user,
                           tz_error *opt_error);

/* Arrays for the answers of a tz_run; what is NULL is not wanted. Where a problem has no
 * derivation, marginals are 0, and so on: every cell of the shape is written. */
typedef struct tz_answers {
    double *value;  /* [count]: tz_goal */
    double *values; /* [count * tz_semiring_numbers]: tz_item_values */
    size_t *number; /* [count]: how many of its values a problem has; not NULL if values is not */
    /* [count * weights], by problem; data NULL: not wanted of this one. */
    const tz_output *marginals; /* tz_marginals; takes tz_run_options.outside */
    const tz_output *through;   /* tz_through; likewise */
    const tz_output *best;      /* how often tz_best's derivation uses each cell of the shape */
    const tz_output *tangents;  /* tz_marginal_tangents; takes tz_run_options.outside */
} tz_answers;

/* A tz_visit that fills arrays: tz_run(plan, problems, count, options, tz_answer, &answers, ...).
 * Errors of the functions named. `best` of a sparse weight looks for the entry of every use. */
TZ_PUBLIC tz_status tz_answer(void *answers, size_t problem, tz_chart *chart, size_t lane);

/* ---- Limits on a resource ------------------------------------------------------------------- */

/* Finds the best derivation among those that consume a given amount of a resource. It holds the
 * plans for that, and never changes. */
typedef struct tz_limiter tz_limiter;
/* Memory for one thread, grown as needed and reused. */
typedef struct tz_limit_chart tz_limit_chart;

/* resource: its name; rules must outlive the limiter; flags: of tz_plan_new. Compiles the charged
 * rules, which takes much longer than most problems: make it once.
 * TZ_BAD_ARGUMENT: the rules do not declare it. TZ_LAW: they have closures. TZ_NO_MEMORY, ... */
TZ_PUBLIC tz_status tz_limiter_new(const tz_rules *rules, const char *resource,
                                   tz_precision precision, unsigned flags, tz_limiter **ret_limiter,
                                   tz_error *opt_error);
TZ_PUBLIC void tz_limiter_free(tz_limiter *limiter);
TZ_PUBLIC tz_status tz_limit_chart_new(const tz_limiter *limiter, tz_limit_chart **ret_chart);
TZ_PUBLIC void tz_limit_chart_free(tz_limit_chart *chart);

/* For its calls from now on; NULL: nobody watches. */
TZ_PUBLIC void tz_limit_chart_watch(tz_limit_chart *chart, tz_watch *opt_watch);

typedef enum tz_limit_method {
    TZ_LIMIT_AUTO,  /* bisection, and what it leaves open by an exact program */
    TZ_LIMIT_EXACT, /* by the charged rules alone (tz_rules_charge) */
    TZ_LIMIT_DUAL   /* bisection alone: a bound, and a derivation that need not be the best */
} tz_limit_method;

/* What settled it. */
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

/* The best derivation whose amount of the resource is in low..high. low > high is a
 * TZ_BAD_ARGUMENT; limits that no amount can reach are none.
 *
 * Bisection (TZ_LIMIT_DUAL; Everett 1963 for the bound, Eisner & Severance 1976 for the steps): a
 * price on the resource, found in at most as many passes of the plain rules as the concave hull of
 * all (amount, score) has vertices, and two; O(n^3) each for compress. Exact where the best
 * derivation is a vertex of the hull. Where it is not, `exact` is false and bound and score say how
 * much is open; if no derivation within the limits was met, the one given uses less than they ask
 * for: `amount` tells.
 *
 * TZ_LIMIT_AUTO goes on with the exact program on the instances that are part of a derivation
 * within reach of the bound, by max-marginals, and takes the charged rules in its place where these
 * need few products, or less work. It ends where a derivation is as good as the bound up to
 * rounding, as where many are tied; where many are within reach of the bound and none within the
 * limits reaches it, it takes longest. Where the rest of the resource is declared (`dropped = n -
 * kept`), both use the cheaper of the two: O(n^3 min(m, n-m)^2) for m of n words. Always exact.
 *
 * Scores are compared as the semiring max computes them, in the limiter's precision: `exact` and
 * `bound` hold up to rounding. Where several derivations are best, which one is given may depend on
 * the path, but on nothing else. TZ_NONE: no derivation within the limits. Errors of tz_bind. */
TZ_PUBLIC tz_status tz_limit(tz_limit_chart *chart, const tz_problem *problem, int64_t low,
                             int64_t high, tz_limit_method method, tz_limited *ret_limited,
                             tz_error *opt_error);

/* The whole curve: the best score for each amount 0..*ret_count - 1, up to the largest that a
 * derivation has; -INFINITY for an amount that none has. Cost: one pass of the charged rules with
 * room for all of it, O(n^5) for compress. *ret_values is the chart's, until its next tz_limit or
 * tz_limit_curve. TZ_NONE: no derivation at all. Errors of tz_bind. */
TZ_PUBLIC tz_status tz_limit_curve(tz_limit_chart *chart, const tz_problem *problem,
                                   const double **ret_values, size_t *ret_count,
                                   tz_error *opt_error);
/* After tz_limit_curve, whose problem must still be there: the best derivation of an amount, as
 * tz_limited gives it; the chart's, until its next call. TZ_NONE, TZ_BAD_ARGUMENT (no curve). */
TZ_PUBLIC tz_status tz_limit_best(tz_limit_chart *chart, int64_t amount,
                                  const tz_derivation **ret_derivation);

#ifdef __cplusplus
}
#endif
#endif
