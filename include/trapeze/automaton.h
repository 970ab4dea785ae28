/* automaton.h - weighted acceptors and transducers as text, made ready for gallery/paths.
 *
 * What trapeze.h says of errors, memory and threads holds here. An automaton never changes once
 * made.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_AUTOMATON_H
#define TRAPEZE_AUTOMATON_H

#include <trapeze/trapeze.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tz_automaton tz_automaton;

/* What the numbers of an automaton are. An arc or final state without a number changes no score. */
typedef enum tz_arc_weights {
    TZ_ARC_COSTS, /* negative natural logs, as OpenFst's tropical and log weights; `Infinity` */
    TZ_ARC_LOGS,  /* natural logs; `-Infinity` */
    TZ_ARC_PROBABILITIES /* any number from 0 on, whatever they sum to */
} tz_arc_weights;

/* `size` bytes of text. `name` stands in front of messages. */
typedef struct tz_named_text {
    const char *name, *text;
    size_t size;
} tz_named_text;

/* How a text is to be read. `inputs` and `outputs` are symbol tables: a name and a number from 0 on
 * in each line, where 0 is the empty label. NULL: labels are names as they stand, and `0` and
 * `<eps>` are the empty label. */
typedef struct tz_automaton_form {
    tz_arc_weights weights;
    bool transducer; /* arcs have two labels, not one */
    const tz_named_text *inputs, *outputs;
} tz_automaton_form;

/* Reads AT&T's text, as OpenFst has it: `FROM TO LABEL [WEIGHT]` or `FROM TO INPUT OUTPUT [WEIGHT]`
 * for an arc, `STATE [WEIGHT]` for a final state. States have any names; that of the first line is
 * the start. The text is not needed afterwards. Time and memory are linear in its size.
 * TZ_BAD_RULES: what is wrong, where (NAME:LINE:COLUMN), and how to mend it. TZ_BAD_ARGUMENT:
 * `form` is wrong. TZ_TOO_LARGE: states, and arcs after the first with the same two ends, are more
 * than 2^20. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_automaton_parse(const tz_named_text *text, const tz_automaton_form *form,
                                       tz_automaton **ret_automaton, tz_error *opt_error);
/* The acceptor of one string of labels, each arc with log weight 0. TZ_BAD_ARGUMENT: no such kind
 * of weights. TZ_TOO_LARGE: 2^20 labels or more. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_automaton_of_string(const char *const *label, size_t labels,
                                           tz_arc_weights weights, tz_automaton **ret_automaton);
/* Composes two automata. A path of the result is a path of each, where the first one writes the
 * labels that the second one reads, by name; its score is the sum of theirs. Empty labels on both
 * sides are followed one side after the other, so no two paths stand for one pair (Mohri, Pereira &
 * Riley 2002). States on no path from the start to a final state are left out. Weights are shown as
 * in the first one. Time and memory are linear in the pairs of states that are reached and their
 * arcs. TZ_TOO_LARGE, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_automaton_compose(const tz_automaton *first, const tz_automaton *second,
                                         tz_automaton **ret_automaton, tz_error *opt_error);
TZ_PUBLIC void tz_automaton_free(tz_automaton *automaton);

/* An arc. Labels are numbers of names; -1: the empty label. */
typedef struct tz_automaton_arc {
    int32_t from, to, input, output; /* of an acceptor, output is input */
    double score;                    /* log weight */
    int32_t origin[2]; /* of a composition: its arcs in the first and the second; -1: none */
} tz_automaton_arc;

/* The most vertices of one strongly connected component that `trapeze automaton` and Python take:
 * gallery/paths solves for a component in time with the cube of its vertices. */
enum { TZ_LARGEST_COMPONENT = 5000 };

/* What an automaton holds. States and labels count from 0 in the order in which they first stand in
 * the text, or in the symbol table. `begin`, `end` and `pair` are weights of gallery/paths. Its
 * vertices are the states, then one for each arc after the first with the same two ends: such an
 * arc is split in two. */
typedef struct tz_automaton_parts {
    size_t states, arcs, inputs, outputs, vertices, pairs;
    bool transducer;
    int32_t start;
    const char *const *state;                 /* [states] names */
    const char *const *input, *const *output; /* [inputs], [outputs] */
    const tz_automaton_arc *arc;              /* [arcs] */
    const double *begin, *end;                /* [vertices] end of a state is its final log
                                                 weight */
    const int32_t *pair;                      /* [pairs * 2] */
    const double *pair_score;                 /* [pairs] */
    const int32_t *pair_arc;                  /* [pairs] the arc; -1: the second half of one */
    size_t largest; /* vertices of the largest strongly connected component */
} tz_automaton_parts;

/* The result is the automaton's and lives as long. */
TZ_PUBLIC const tz_automaton_parts *tz_automaton_parts_of(const tz_automaton *automaton);
/* The arcs of a derivation by gallery/paths, in the order of the path: *ret_arcs numbers of arcs.
 * ret_arc: room for derivation->nodes. TZ_BAD_ARGUMENT: the derivation is of another problem. */
TZ_PUBLIC tz_status tz_automaton_path(const tz_automaton *automaton,
                                      const tz_derivation *derivation, uint32_t *ret_arc,
                                      size_t *ret_arcs);
/* The automaton as text: arcs, then final states, but for those that a line has to name earlier.
 * Read with the symbol tables that it was read with, it is the same automaton; without any it is,
 * too, unless these call a label `0` or `<eps>`, or nothing otherwise. Writes at most `size` bytes,
 * the final NUL included, and returns the length of the whole text without the NUL. 0: memory is
 * out. */
TZ_PUBLIC size_t tz_automaton_show(const tz_automaton *automaton, char *ret_text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
