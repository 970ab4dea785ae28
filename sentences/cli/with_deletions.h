/* with_deletions.h - the options of commands that compress: by which model, and how. SPDX-License-
 * Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_WITH_DELETIONS_H
#define TZ_SENTENCES_CLI_WITH_DELETIONS_H

#include "cli/cli.h"
#include "sentences/learn/delete.h"

/* With the compressor, as TZ_WITH_USUAL has it. */
typedef struct tz_with {
    bool deletions;
    bool best, decoding, limited; /* --decode=best; --decode was given; --threshold was */
    bool weighted;                /* --bigrams or --bonus was */
    bool trees, all;              /* --trees was; it is all */
    double threshold, bigrams, bonus;
    const char *lm;   /* NULL: none */
    bool rescoring;   /* --lm-weight or --candidates was given */
    double lm_weight; /* else both have what is usual */
    long candidates;
} tz_with;

/* What is usual. */
#define TZ_WITH_USUAL                                                                              \
    { .lm_weight = 0.1, .candidates = 100 }

#define TZ_WITH_OPTION                                                                             \
    {                                                                                              \
        "with", 0, "MODEL",                                                                        \
            "compressor, or deletions: the grammar of deletions that\n"                            \
            "`trapeze train deletions` learns (compressor)"                                        \
    }
#define TZ_DECODE_OPTION                                                                           \
    {                                                                                              \
        "decode", 0, "HOW",                                                                        \
            "of deletions: marginal, words that are likely enough kept\n"                          \
            "in all choices of words; best, the likeliest choice\n"                                \
            "(marginal)"                                                                           \
    }
#define TZ_THRESHOLD_OPTION                                                                        \
    {                                                                                              \
        "threshold", 0, "T",                                                                       \
            "with marginal: keep words that are likelier than T, 0 to 1\n"                         \
            "(as the model was tuned)"                                                             \
    }

#define TZ_BIGRAMS_OPTION                                                                          \
    {                                                                                              \
        "bigrams", 0, "L",                                                                         \
            "with best: add L times the log probability of the words by\n"                         \
            "the pack's bigrams (`trapeze train bigrams`), 0 to 100 (0)"                           \
    }
#define TZ_LM_OPTION                                                                               \
    {                                                                                              \
        "lm", 0, "FILE.arpa",                                                                      \
            "with best: add W times the log probability of the words by\n"                         \
            "this language model, of any order; --bigrams only propose\n"                          \
            "choices then, else its own do"                                                        \
    }
#define TZ_LM_WEIGHT_OPTION                                                                        \
    { "lm-weight", 0, "W", "of --lm, 0 to 100 (0.1)" }
#define TZ_CANDIDATES_OPTION                                                                       \
    {                                                                                              \
        "candidates", 0, "K",                                                                      \
            "of --lm, where bigrams do not tell it all: look at the K\n"                           \
            "choices that are best by them (100)"                                                  \
    }
#define TZ_TREES_OPTION                                                                            \
    {                                                                                              \
        "trees", 0, "WHICH",                                                                       \
            "of deletions: best, one tree; all, every tree, each as likely\n"                      \
            "as the parser says; learned with --levels=tags (best)"                                \
    }
#define TZ_BONUS_OPTION                                                                            \
    { "bonus", 0, "B", "with best: add B for each word that is kept, -100 to 100 (0)" }

/* Functions return 0, or the exit code after a message. */
int tz_take_with(const tz_options *o, tz_with *with);
int tz_take_decode(const tz_options *o, tz_with *with);
int tz_take_threshold(const tz_options *o, tz_with *with);
int tz_take_bigrams(const tz_options *o, tz_with *with);
int tz_take_bonus(const tz_options *o, tz_with *with);
int tz_take_trees(const tz_options *o, tz_with *with);
int tz_take_lm_weight(const tz_options *o, tz_with *with);
int tz_take_candidates(const tz_options *o, int which, tz_with *with);
/* Do they go together? length: that of compressions is given. */
int tz_check_with(const char *command, const tz_with *with, bool length);

/* The stage that compresses. */
tz_stage tz_with_stage(const tz_with *with);
/* And how, where it is loaded, from `model`. */
int tz_set_with(const char *command, const tz_with *with, const char *model,
                const tz_analyser *analyser);

#endif
