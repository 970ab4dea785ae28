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

/* What can be asked about a sentence: one of these. Each includes those before it, except that
 * deletions need no compressor. */
enum {
    TZ_TEXT_TAGS = 1,         /* UPOS, and XPOS where the model has it */
    TZ_TEXT_TREES = 2,        /* heads, and DEPREL where the model has it */
    TZ_TEXT_COMPRESSIONS = 4, /* which words the compressor keeps, as a tree and as text */
    TZ_TEXT_DELETIONS = 8,    /* the same, but by a grammar of deletions */
    TZ_TEXT_MOST_WORDS = 600  /* of a sentence; memory grows at most with the cube of its words */
};

/* How many words a compression keeps, where no number is given. */
enum {
    TZ_TEXT_FREE = 0,  /* as many as score best */
    TZ_TEXT_WARY = -1, /* the same for text written like news. Kept whole are sentences written like
                          law; lines that are no prose but mark-up, table rows, code or chat, which
                          models of news only make worse; and short notes, such as headings and list
                          items. Of other text that is not written like news, only adjuncts are
                          dropped */
};

typedef struct tz_text_model tz_text_model;

/* Reads a model file or a pack of them, as `trapeze train` and `trapeze model pack` write them.
 * asked: the largest question that will be asked. threads: how many tz_text_analyse uses, 0 counts
 * as 1; they change no result.
 * For TZ_TEXT_COMPRESSIONS, a grammar of deletions is loaded too where the file has one.
 * TZ_IO (the file is missing or damaged), TZ_BAD_ARGUMENT (it lacks a model that `asked` needs),
 * TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_text_model_load(const char *path, unsigned asked, unsigned threads,
                                       tz_text_model **ret_model, tz_error *opt_error);
/* The same from a file's bytes, which are borrowed for the call. `name` stands in front of
 * messages. */
TZ_PUBLIC tz_status tz_text_model_read(const char *name, const void *bytes, size_t size,
                                       unsigned asked, unsigned threads, tz_text_model **ret_model,
                                       tz_error *opt_error);
TZ_PUBLIC void tz_text_model_free(tz_text_model *model);

/* How the compressor chooses the words to keep. */
typedef struct tz_text_compressor {
    /* 0: the best compression under the guards; 1: minimum risk, each word kept with enough
     * probability over all compressions. */
    int marginal;
    /* Added to the score for each kept word, -100..100: in shares of the model's greatest weight;
     * of minimum risk, of a probability. */
    double bonus;
    /* Guards that are off: names separated by commas, or "all"; NULL: none. `trapeze compress
     * --help` lists them. */
    const char *opt_unguarded;
    int only; /* TZ_TEXT_LINEAR, TZ_TEXT_NEURAL: only these of the model's scores; 0: their sum */
} tz_text_compressor;
enum { TZ_TEXT_BOTH, TZ_TEXT_LINEAR, TZ_TEXT_NEURAL };

/* Sets this from now on; NULL: the best compression under all guards, as at first.
 * TZ_BAD_ARGUMENT (the model has no compressor, or no neural scores; a number out of range; there
 * is no such guard): then nothing has changed. */
TZ_PUBLIC tz_status tz_text_choose_compressor(tz_text_model *model,
                                              const tz_text_compressor *opt_how,
                                              tz_error *opt_error);

/* How a grammar of deletions chooses the words to keep where no number of words is given. */
typedef struct tz_text_deletions {
    int best;         /* 1: the best choice of words; 0: each word kept with a probability above
                         `threshold` */
    double threshold; /* 0..1; below 0: as the model was tuned */
    /* For the best choice, both finite. Its score is its log probability, plus `bonus` for each
     * kept word, plus `bigrams` times the log probability of its words by the model's bigrams. */
    double bonus, bigrams;
    /* A language model that adds lm_weight times its log probability of the words: an ARPA file of
     * any order, read when the name changes; NULL: none. The choice is then the best of
     * `candidates` choices (1 or more) that are best by bigrams: by the model's if `bigrams` is not
     * 0, which then are no part of the score, else by the file's own. By its own the choice is the
     * best of all for orders 1 and 2. In a file without <unk>, a word not listed counts as the
     * rarest one listed. */
    const char *opt_lm;
    double lm_weight;
    size_t candidates;
    /* 1: from all projective trees of a sentence, each as probable as the parser says; 200 words at
     * most, with a grammar learned for this, without bigrams and language model. 0: from the
     * parser's tree. */
    int all_trees;
} tz_text_deletions;

/* Sets how deletions are chosen from now on. NULL, as at first: words above the threshold to which
 * the model was tuned, from one tree. TZ_BAD_ARGUMENT (the model has no grammar of deletions, or
 * lacks what this needs; a number is out of range), TZ_IO (the language model), TZ_NO_MEMORY. After
 * a failure the choice is undefined until a call succeeds. */
TZ_PUBLIC tz_status tz_text_choose_deletions(tz_text_model *model, const tz_text_deletions *opt_how,
                                             tz_error *opt_error);

/* One word. Strings are UTF-8. NULL or -1: not asked, or the model does not tell. */
typedef struct tz_text_word {
    const char *form, *upos, *xpos, *deprel;
    size_t begin, end;  /* bytes of the line. Where one token stands for several words ("im": in
                           dem), the first has all its bytes, the others none, at its end */
    int32_t head;       /* a word from 1 on; 0: the root */
    int32_t compressed; /* the head in the compression's tree; -1: the word is dropped */
} tz_text_word;

typedef struct tz_text_sentence {
    size_t words;
    const tz_text_word *word;
    const char *compression;
    int like_law; /* 1: kept whole, being written like law, no prose or a note (TZ_TEXT_WARY) */
} tz_text_sentence;

/* The answers about some lines. The model must outlive them. */
typedef struct tz_text_result tz_text_result;

/* Where a sentence stands: bytes of its line. */
typedef struct tz_text_span {
    size_t begin, end;
} tz_text_span;

/* Splits a line of text, UTF-8 ended by a zero byte, into sentences: at the boundaries of Unicode,
 * unless a rule for abbreviations objects. Between sentences there is white space or nothing.
 * *ret_span is the model's until the next call of this function. Cost: linear. TZ_BAD_ARGUMENT (no
 * UTF-8), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_text_sentences(tz_text_model *model, const char *line,
                                      const tz_text_span **ret_span, size_t *ret_count,
                                      tz_error *opt_error);

/* Analyses line[0..count-1]: one sentence each, UTF-8 ended by a zero byte. asked: a question that
 * the model was loaded for. opt_keep: how many words each compression keeps, 1..words (more: all),
 * TZ_TEXT_FREE (of deletions: those that are likely enough) or TZ_TEXT_WARY; NULL: TZ_TEXT_FREE for
 * all. A sentence's result does not depend on the others. Cost: that of decoding, O(n^3) for trees
 * and compressions; of compressions to a number of words, tz_limit's. TZ_BAD_ARGUMENT (a line is no
 * UTF-8, or has more than TZ_TEXT_MOST_WORDS words: the message says which; the model was not
 * loaded for the question), TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_text_analyse(tz_text_model *model, const char *const *line, size_t count,
                                    unsigned asked, const int64_t *opt_keep,
                                    tz_text_result **ret_result, tz_error *opt_error);
/* Scores that replace the compressor's own: natural-log scores of the weights of the rule set
 * compress-single-root (`trapeze rules show`), from -1e9 to 1e9, or -infinity: impossible. Borrowed
 * for the call. */
typedef struct tz_text_scores {
    size_t words;         /* n below: of the sentence, as the model splits the line */
    const double *arc;    /* [h * (n + 1) + m]: m is kept and modifies h (0: the root) */
    const double *bigram; /* [i * (n + 2) + j]: j is kept next after i; 0: start, n + 1: end */
} tz_text_scores;

/* How many words a compression keeps, in any of the ways of `trapeze compress`. */
typedef struct tz_text_length {
    int by;        /* TZ_TEXT_KEEP, TZ_TEXT_DROP or TZ_TEXT_RATE */
    int64_t words; /* TZ_TEXT_KEEP: as opt_keep above; TZ_TEXT_DROP: words to drop, 0 or more */
    /* TZ_TEXT_RATE, 0 <= low <= high <= 1: any number of words from low to high times the
     * sentence's; the nearest if none lies between; if low = high, rounded. Deletions take low =
     * high only. */
    double low, high;
} tz_text_length;
enum { TZ_TEXT_KEEP, TZ_TEXT_DROP, TZ_TEXT_RATE };

/* The same, with opt_length[0..count-1] in place of opt_keep, and opt_scores[0..count-1] for
 * compressions; NULL: the model's. At a given length, at least one word is kept. TZ_BAD_ARGUMENT
 * also where a length is wrong, a line does not have as many words as its scores, or a score is out
 * of range. */
TZ_PUBLIC tz_status tz_text_analyse_with(tz_text_model *model, const char *const *line,
                                         size_t count, unsigned asked,
                                         const tz_text_length *opt_length,
                                         const tz_text_scores *opt_scores,
                                         tz_text_result **ret_result, tz_error *opt_error);
/* The answer about one line; it is the result's. index: below the number of lines. */
TZ_PUBLIC const tz_text_sentence *tz_text_result_sentence(const tz_text_result *result,
                                                          size_t index);
TZ_PUBLIC void tz_text_result_free(tz_text_result *result);

#ifdef __cplusplus
}
#endif
#endif
