/* own.h - what is freed where its scope ends. Not where an assertion fails: that jumps.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_OWN_H
#define TZ_TESTS_SUPPORT_OWN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OWN(tz_plan, plan) = NULL; declares a tz_plan *plan that tz_plan_free gets at the end of the
 * block, those declared last first; OWNED(tz_text, text) = {0}; a tz_text whose address it gets;
 * FREED(char, bytes) = ...; a char *bytes that free gets. What they are declared with may declare
 * more of the same kind: OWN(tz_plan, a) = NULL, *b = NULL; */
#define OWN(type, name)   __attribute__((cleanup(own_##type))) type *name
#define OWNED(type, name) __attribute__((cleanup(type##_free))) type name
#define FREED(type, name) __attribute__((cleanup(own_memory))) type *name

static inline void own_memory(void *name) {
    void *memory;
    memcpy(&memory, name, sizeof memory);
    free(memory);
}

static inline void own_FILE(FILE **name) {
    if (*name)
        fclose(*name);
}

/* Of whatever room: what is not used is not called. */
#define OWNABLE(type)                                                                              \
    typedef struct type type;                                                                      \
    void type##_free(type *name);                                                                  \
    static inline void own_##type(type **name) {                                                   \
        type##_free(*name);                                                                        \
    }
OWNABLE(tz_align_decoder)
OWNABLE(tz_analyser)
OWNABLE(tz_arena)
OWNABLE(tz_automaton)
OWNABLE(tz_brackets)
OWNABLE(tz_chart)
OWNABLE(tz_charts)
OWNABLE(tz_compress_decoder)
OWNABLE(tz_conllu)
OWNABLE(tz_constituents)
OWNABLE(tz_decoder)
OWNABLE(tz_deletion_decoder)
OWNABLE(tz_deletions)
OWNABLE(tz_em)
OWNABLE(tz_forms)
OWNABLE(tz_gradient)
OWNABLE(tz_grammar)
OWNABLE(tz_grammar_sampler)
OWNABLE(tz_guard_table)
OWNABLE(tz_kbest)
OWNABLE(tz_limit_chart)
OWNABLE(tz_limiter)
OWNABLE(tz_line_splitter)
OWNABLE(tz_lines)
OWNABLE(tz_lm)
OWNABLE(tz_lm_trainer)
OWNABLE(tz_model)
OWNABLE(tz_neural)
OWNABLE(tz_npz)
OWNABLE(tz_npz_array)
OWNABLE(tz_npz_input)
OWNABLE(tz_npz_writer)
OWNABLE(tz_objective)
OWNABLE(tz_optimised)
OWNABLE(tz_optimiser)
OWNABLE(tz_pcfg)
OWNABLE(tz_pcfg_parser)
OWNABLE(tz_pcfg_trainer)
OWNABLE(tz_pipeline)
OWNABLE(tz_plan)
OWNABLE(tz_queue)
OWNABLE(tz_reparser)
OWNABLE(tz_rules)
OWNABLE(tz_sampler)
OWNABLE(tz_semiring)
OWNABLE(tz_sketch)
OWNABLE(tz_splitter)
OWNABLE(tz_text)
OWNABLE(tz_text_model)
OWNABLE(tz_text_result)
OWNABLE(tz_tokeniser)
OWNABLE(tz_wordnet)
OWNABLE(tz_workload)

#endif
