/* rulesets.h - the library and the yardsticks of plain/ on the same sentences, timed in turn.
 * Failures end the program: there is nothing to measure then. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_RULESETS_H
#define TZ_BENCH_RULESETS_H

#include "bench/plain/plain.h"
#include "measure/pipeline.h"

enum { RULESETS_BATCH = 32, RULESETS_LENGTHS = 4 };

/* What is asked of problems of these lengths; entries: of a sparse weight. */
typedef struct ruleset_size {
    const char *rules;
    int32_t length[RULESETS_LENGTHS];
    size_t entries;
} ruleset_size;

typedef enum ruleset_question {
    ASK_BEST,
    ASK_SUM,
    ASK_MARGINALS,
    RULESETS_QUESTIONS
} ruleset_question;

/* Who answers: the library, one problem at a time and in a batch, and the yardsticks. */
typedef enum ruleset_way {
    BY_LIBRARY,
    BY_VECTOR,
    BY_TEXTBOOK,
    BY_LIBRARY_BATCH,
    BY_BATCH,
    RULESETS_WAYS
} ruleset_way;

/* Microseconds of the processor a sentence, 0 where a way is left out (a batch that is too large,
 * no yardstick), and the ratios of them, medians of those of the samples. */
typedef struct ruleset_times {
    tz_middle microseconds[RULESETS_WAYS];
    tz_middle to_vector, to_textbook, to_batch; /* the library's time being divided by it */
} ruleset_times;

void rulesets_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Problems of delete-tree, whose entries a tree must have made. */
tz_workload *rulesets_trees(const tz_rules *rules, tz_type type, const int32_t *length,
                            size_t problems);
/* Makes random scores of plan7 those of profiles. */
void rulesets_profiles(tz_workload *work);

/* Compares the answers, and takes the times in about `budget` seconds. isa: TZ_ISAS for the best
 * that there is. A batch that would take the library more than `patience` seconds is left out. */
void rulesets_measure(const ruleset_size *size, tz_isa isa, double budget, double patience,
                      ruleset_times ret_times[RULESETS_QUESTIONS]);

#endif
