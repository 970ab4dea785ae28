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

/* What the numbers of an automaton are. Where none is given, the path is as if there were none. */
typedef enum tz_arc_weights {
    TZ_ARC_COSTS, /* negative natural logs, as OpenFst's tropical and log weights; `Infinity` */
    TZ_ARC_LOGS,  /* natural logs; `-Infinity` */
    TZ_ARC_PROBABILITIES /* any from 0 on, whatever they sum to */
} tz_arc_weights;

/* A text, of which `name` stands in front of messages. */
typedef struct tz_named_text {
    const char *name, *text;
    size_t size;
} tz_named_text;

/* How a text is to be read. Symbol tables have a name and a number from 0 on in each line; 0 is of
 * the label of nothing. NULL: labels are names as they stand, and `0` and `<eps>` are nothing. */
typedef struct tz_automaton_form {
    tz_arc_weights weights;
    bool transducer; /* arcs have two labels, not one */
    const tz_named_text *inputs, *outputs;
} tz_automaton_form;

/* Reads AT&T's text, as OpenFst has it: `FROM TO LABEL [WEIGHT]` or `FROM TO INPUT OUTPUT [WEIGHT]`
 * for an arc, `STATE [WEIGHT]` for a final state. States have any names; that of the first line is
 * the start. Time and memory are linear in the size.
 * TZ_BAD_RULES: what is wrong, where (NAME:LINE:COLUMN), and how to mend it. TZ_TOO_LARGE: more
 * than 2^20 states, together with the arcs that have another one of the same ends before them.
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_automaton_parse(const tz_named_text *text, const tz_automaton_form *form,
                                       tz_automaton **ret_automaton, tz_error *opt_error);
/* The acceptor of one string. TZ_TOO_LARGE, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_automaton_of_string(const char *const *label, size_t labels,
                                           tz_arc_weights weights, tz_automaton **ret_automaton);
/* Every path of the composition is a path of each, where the first one writes what the second one
 * reads, by name; its score is their sum. Labels of nothing on both sides are followed one side
 * after the other, so no two paths stand for one pair (Mohri, Pereira & Riley 2002). States that
 * are on no path from the start to a final state are left out. Weights are shown as the first
 * one's are. Time and memory: of the pairs of states that are reached, and of their arcs.
 * TZ_TOO_LARGE, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_automaton_compose(const tz_automaton *first, const tz_automaton *second,
                                         tz_automaton **ret_automaton, tz_error *opt_error);
TZ_PUBLIC void tz_automaton_free(tz_automaton *automaton);

/* Labels are numbers of names; -1: nothing. */
typedef struct tz_automaton_arc {
    int32_t from, to, input, output; /* of an acceptor, output is input */
    double score;                    /* log weight */
    int32_t origin[2]; /* of a composition: the arcs of the first and the second one, -1: none */
} tz_automaton_arc;

/* Sums over paths take time with the cube of the vertices that need one another, as gallery/paths
 * solves for them; `trapeze automaton` and Python refuse more. */
enum { TZ_LARGEST_COMPONENT = 5000 };

/* What an automaton holds. States and labels count from 0 in the order in which they first stand in
 * the text, or in the symbol table. `begin`, `end` and `pair` are the weights of gallery/paths: its
 * vertices are the states, then one for each arc that has another one of the same ends before it,
 * as it is split in two. */
typedef struct tz_automaton_parts {
    size_t states, arcs, inputs, outputs, vertices, pairs;
    bool transducer;
    int32_t start;
    const char *const *state;                 /* [states] names */
    const char *const *input, *const *output; /* [inputs], [outputs] */
    const tz_automaton_arc *arc;              /* [arcs] */
    const double *begin, *end;                /* [vertices] end of a state: its final log weight */
    const int32_t *pair;                      /* [pairs * 2] */
    const double *pair_score;                 /* [pairs] */
    const int32_t *pair_arc;                  /* [pairs] the arc; -1: its second half */
    size_t largest; /* vertices of the largest strongly connected component */
} tz_automaton_parts;

/* It is the automaton's. */
TZ_PUBLIC const tz_automaton_parts *tz_automaton_parts_of(const tz_automaton *automaton);
/* The arcs of a derivation by gallery/paths, in their order. ret_arc: room for derivation->nodes.
 * TZ_BAD_ARGUMENT: it is of another problem. */
TZ_PUBLIC tz_status tz_automaton_path(const tz_automaton *automaton,
                                      const tz_derivation *derivation, uint32_t *ret_arc,
                                      size_t *ret_arcs);
/* The automaton as text that can be read again, with the same labels' names: arcs, then final
 * states; the start's first. Writes at most `size` bytes, the final NUL included, and returns the
 * length of the whole text without the NUL. 0: memory is out. */
TZ_PUBLIC size_t tz_automaton_show(const tz_automaton *automaton, char *ret_text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
