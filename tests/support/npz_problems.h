/* npz_problems.h - random problems of a rule set, to be written as arrays and as JSON Lines.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_NPZ_PROBLEMS_H
#define TZ_TESTS_SUPPORT_NPZ_PROBLEMS_H

#include <trapeze/trapeze.h>

#include "npz_make.h"
#include "random.h"

enum { PROBLEMS = 11, MOST_WEIGHTS = 8, MOST_LENGTHS = 4, MOST_GIVEN = 3 };
enum { NAME = 40, COST = 0, Q = 1, INPUTS = 2 };

typedef struct weight {
    const char *name;
    char index_name[NAME];
    tz_shape shape; /* of the array: as large as the largest problem needs, and more */
    size_t cells;   /* of a problem */
    double *number; /* dense [PROBLEMS][cells], NaN outside the domain; sparse [entries] */
    double *index;  /* sparse [entries][1 + rank] */
    size_t entries;
    char input_name[INPUTS][NAME];
    double *input[INPUTS]; /* as many numbers: costs, and another distribution's scores */
} weight;

/* An input of the rules. */
typedef struct given {
    const char *name;
    tz_shape shape; /* likewise */
    size_t cells;
    double *number; /* [PROBLEMS][cells] */
} given;

typedef struct problems {
    tz_rules *rules;
    int32_t length[PROBLEMS][MOST_LENGTHS];
    double column[MOST_LENGTHS][PROBLEMS]; /* the same, to be written */
    weight weight[MOST_WEIGHTS];
    given given[MOST_GIVEN];
} problems;

/* How the arrays are written. */
typedef struct form {
    const char *scores, *integers;
    bool fortran;
    npz_way way;
} form;

/* Problems of a built-in rule set or, where there is a '.' in its name, of a file. */
void problems_make(problems *problems, const char *rules, random_state *random);
void problems_free(problems *problems);
/* The row for an id. */
void problems_write_json(const problems *problems, const char *path);
void problems_write_npz(const problems *problems, const form *form, const char *path);

#endif
