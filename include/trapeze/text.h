/* text.h - sentences tagged, parsed and compressed by trained models: the library trapeze-text.
 *
 * The rules of trapeze.h on errors and memory hold. A model belongs to one thread at a time.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_TEXT_H
#define TRAPEZE_TEXT_H

#include <trapeze/trapeze.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can be asked about a sentence; each takes those before it, but deletions no compressor. */
enum {
    TZ_TEXT_TAGS = 1,         /* UPOS, and XPOS where the model has it */
    TZ_TEXT_TREES = 2,        /* heads, and DEPREL where the model has it */
    TZ_TEXT_COMPRESSIONS = 4, /* which words are kept, as a tree and as text */
    TZ_TEXT_DELETIONS = 8,    /* the same by a grammar of deletions, not by the compressor */
    TZ_TEXT_MOST_WORDS = 600  /* of a sentence; memory grows with their cube at most */
};

/* How many words a compression keeps, where it is not told a number. */
enum {
    TZ_TEXT_FREE = 0,  /* as many as score best */
    TZ_TEXT_WARY = -1, /* the same; but all of a sentence that is written like law, and of a line
                          that is no prose, but mark-up, a row of a table, code or chat: models of
                          news make of it what is worse than that; and all of short notes,
                          as headings and items of lists are; and of other text that is not
                          written as news is, all but adjuncts */
};

typedef struct tz_text_model tz_text_model;

/* Reads a model file or a pack of them, as `trapeze train` and `trapeze model pack` write them.
 * asked: the largest that will be asked. threads: of tz_text_analyse, at least 1; they change no
 * result.
 * With compressions, a grammar of deletions is loaded too where there is one.
 * TZ_IO (the file, or damage in it), TZ_BAD_ARGUMENT (it lacks a model that `asked` takes),
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_text_model_load(const char *path, unsigned asked, unsigned threads,
                                       tz_text_model **ret_model, tz_error *opt_error);
/* The same of a file's bytes. name: what stands in front of messages. */
TZ_PUBLIC tz_status tz_text_model_read(const char *name, const void *bytes, size_t size,
                                       unsigned asked, unsigned threads, tz_text_model **ret_model,
                                       tz_error *opt_error);
TZ_PUBLIC void tz_text_model_free(tz_text_model *model);

/* How a grammar of deletions chooses words where it is not told how many. */
typedef struct tz_text_deletions {
    int best;         /* 0: words that are likely enough kept, over all choices; 1: the likeliest */
    double threshold; /* how likely, 0..1; below 0: as the model was tuned */
    /* Of the likeliest choice, finite: what a word adds to its score, and the weight of the log
     * probability of its words by the model's bigrams. */
    double bonus, bigrams;
    /* And by a language model, the ARPA file of this name, of any order, read when it is another
     * one than before; NULL: none. The choice is the best of the `candidates` (1 or more) that are
     * best by bigrams: the model's where these have a weight, which are no part of the score then,
     * else its own. With its own, it is the best of all for order 1 and 2. Words that a file
     * without <unk> does not list count as the rarest one that it lists. */
    const char *opt_lm;
    double lm_weight;
    size_t candidates;
    /* 1: from all projective trees of a sentence, 200 words at most, each as likely as the parser
     * says, if the grammar was learned for that; without bigrams and language model. 0: from one.
     */
    int all_trees;
} tz_text_deletions;

/* From now on; NULL: words that are likely enough as the model was tuned, from one tree, as it is
 * at first. TZ_BAD_ARGUMENT (the model has no grammar of deletions, or not what this takes; a
 * number out of range), TZ_IO (the language model), TZ_NO_MEMORY: then it is
 * open until a call succeeds. */
TZ_PUBLIC tz_status tz_text_choose_deletions(tz_text_model *model, const tz_text_deletions *opt_how,
                                             tz_error *opt_error);

/* Strings are UTF-8. What was not asked, or what the model does not tell, is NULL or -1. */
typedef struct tz_text_word {
    const char *form, *upos, *xpos, *deprel;
    size_t begin, end;  /* bytes of the line; of words that a token stands for ("im": in dem), the
                           first has all of it, the others nothing at its end */
    int32_t head;       /* of words 1, 2, ...; 0: the root */
    int32_t compressed; /* the head in the compression's tree; -1: the word is dropped */
} tz_text_word;

typedef struct tz_text_sentence {
    size_t words;
    const tz_text_word *word;
    const char *compression;
    int like_law; /* 1: kept whole, as it is written like law, no prose or a note (TZ_TEXT_WARY) */
} tz_text_sentence;

/* The answers about some lines. */
typedef struct tz_text_result tz_text_result;

/* Where a sentence stands: bytes of its line. */
typedef struct tz_text_span {
    size_t begin, end;
} tz_text_span;

/* The sentences of a line of text, UTF-8 ended by a zero byte: where Unicode sees their ends, and
 * rules for abbreviations do not object. Between them there is white space or nothing. *ret_span is
 * the model's until the next call. Cost: linear. TZ_BAD_ARGUMENT (no UTF-8), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_text_sentences(tz_text_model *model, const char *line,
                                      const tz_text_span **ret_span, size_t *ret_count,
                                      tz_error *opt_error);

/* line[0..count-1]: one sentence each, UTF-8 ended by a zero byte. asked: as above, at most what
 * the model was loaded for. opt_keep: how many words each compression keeps, 1..words (more: all),
 * TZ_TEXT_FREE (of deletions: those that are likely enough) or TZ_TEXT_WARY; NULL: TZ_TEXT_FREE for
 * all. The results do not depend on which sentences stand together. Cost: that of decoding, O(n^3)
 * for trees and compressions; of compressions to a number of words, tz_limit's. TZ_BAD_ARGUMENT (a
 * line that is no UTF-8, or too long: the message says which), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_text_analyse(tz_text_model *model, const char *const *line, size_t count,
                                    unsigned asked, const int64_t *opt_keep,
                                    tz_text_result **ret_result, tz_error *opt_error);
/* Scores for the compressor that stand in for those of the model: natural logs of the weights of
 * the rules compress-single-root (`trapeze rules show`), -1e9 to 1e9, or -infinity: impossible.
 * Borrowed for the call. */
typedef struct tz_text_scores {
    size_t words;      /* the sentence's, n below: what the model makes of the line */
    const double *arc; /* [h * (n + 1) + m]: m is kept, and modifies h (0: is the root) */
    const double
        *bigram; /* [i * (n + 2) + j]: j (n + 1: the end) is kept next after i (0: first) */
} tz_text_scores;

/* The same, with scores[0..count-1] for compressions; NULL: the model's. TZ_BAD_ARGUMENT: also
 * where a line does not have so many words, or a score is out of range. */
TZ_PUBLIC tz_status tz_text_analyse_scored(tz_text_model *model, const char *const *line,
                                           size_t count, unsigned asked, const int64_t *opt_keep,
                                           const tz_text_scores *opt_scores,
                                           tz_text_result **ret_result, tz_error *opt_error);
/* The result's; index below the number of lines. */
TZ_PUBLIC const tz_text_sentence *tz_text_result_sentence(const tz_text_result *result,
                                                          size_t index);
TZ_PUBLIC void tz_text_result_free(tz_text_result *result);

#ifdef __cplusplus
}
#endif
#endif
