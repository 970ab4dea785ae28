/* gbnf.h - the state of reading a text in GBNF. SPDX-License-Identifier: MIT */
#ifndef TZ_GRAMMAR_GBNF_H
#define TZ_GRAMMAR_GBNF_H

#include "grammar/grammar.h"

enum { TZ_GBNF_MOST = 1 << 22 };

/* A class of all but some characters, to be filled when all characters of the text are known. */
typedef struct tz_negation {
    size_t at, line_start; /* where it stands */
    uint32_t line;
    int32_t symbol;
} tz_negation;

/* Parts of right sides, in a stack: those of the alternative that is being read lie on top. */
typedef struct tz_gbnf {
    tz_reader *reader;
    int32_t *part;
    size_t parts, room;
    size_t named; /* symbols */
    size_t made;  /* and parts of these, so that repeats of repeats end */
    unsigned depth;
    int32_t any; /* the symbol of `.`, or TZ_NO_NUMBER */
    tz_negation *negation;
    size_t negations, negation_room;
} tz_gbnf;

/* Adds a rule of `left`; if the rule is there already, its weight is added. */
tz_status tz_gbnf_add(tz_gbnf *gbnf, int32_t left, const int32_t *right, size_t size);
/* Reads "literal" and pushes its characters one after another. */
tz_status tz_gbnf_literal(tz_gbnf *gbnf);
tz_status tz_gbnf_push(tz_gbnf *gbnf, int32_t part);
/* Reads [abc]: adds a rule of `symbol` for each character. */
tz_status tz_gbnf_class(tz_gbnf *gbnf, int32_t symbol);
/* Reads [^abc] or `.`: the characters that it names join the alphabet; the classes are filled at
 * the end of the text. */
tz_status tz_gbnf_other_class(tz_gbnf *gbnf, int32_t symbol);
tz_status tz_gbnf_fill_classes(tz_gbnf *gbnf);

#endif
