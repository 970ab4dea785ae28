/* written_function.h - writes functions of a semiring's text as C. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_WRITTEN_FUNCTION_H
#define TZ_ENGINE_PLAN_WRITTEN_FUNCTION_H

#include <stdio.h>

#include "engine/plan/written.h"

/* A function that is being written, and how its arguments are called. */
typedef struct tz_writer {
    FILE *out;
    const tz_written *w;
    const tz_function *f;
    const char *const *element; /* names of the arguments that are elements: a, b; NULL: they are a
                                   score and inputs */
    unsigned used[TZ_WRITTEN_CELLS];
    bool mangled; /* parts have names that C could take for something else */
} tz_writer;

/* Is it a word of C, or might headers define it as a macro? */
bool tz_is_word_of_c(const char *name);
void tz_put_part(const tz_writer *to, size_t part);
void tz_put_number(FILE *out, double number);
/* Writes static inline HEAD { ... }, which returns a vector, or the numbers of result r. */
void tz_put_function(tz_writer *to, const tz_function *f, const char *head, bool is_vector,
                     unsigned r);

#endif
