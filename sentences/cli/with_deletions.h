/* with_deletions.h - the options of commands that compress: which model, and how it chooses words.
 * SPDX-License- Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_WITH_DELETIONS_H
#define TZ_SENTENCES_CLI_WITH_DELETIONS_H

#include "cli/cli.h"
#include "sentences/learn/delete.h"

/* Which model compresses and how; TZ_WITH_USUAL is the compressor. */
typedef struct tz_with {
    bool deletions;
    bool best, decoding, limited; /* --decode=best; --decode was given; --threshold was given */
    bool weighted, added;         /* --bigrams was given; --bonus was given */
    unsigned unguarded;           /* compressor: guards that are off, 1 << tz_guard */
    tz_scorer_kind only;          /* compressor: which scores */
    bool trees, all;              /* --trees was given; --trees=all */
    double threshold, bigrams, bonus;
    const char *lm;   /* NULL: none */
    bool rescoring;   /* --lm-weight or --candidates was given */
    double lm_weight; /* default unless `rescoring`, as candidates */
    long candidates;
} tz_with;

/* The defaults. */
#define TZ_WITH_USUAL                                                                              \
    { .lm_weight = 0.1, .candidates = 100 }

/* The options. */
enum { TZ_WITH_OPTIONS = 11 };
extern const tz_option tz_with_option[TZ_WITH_OPTIONS];

/* Checks that the options go together. length: the length of compressions is given. Returns 0, or
 * the exit code after a message. */
int tz_check_with(const char *command, const tz_with *with, bool length);

/* The stage that compresses. */
tz_stage tz_with_stage(const tz_with *with);
/* Sets how the stage chooses words, once it is loaded from `model`. Returns 0, or the exit code
 * after a message. */
int tz_set_with(const char *command, const tz_with *with, const char *model, tz_analyser *analyser);

#endif
