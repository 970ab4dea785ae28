/* grammar.h - weighted context-free grammars as text, made ready for gallery/grammar, prefix and
 * next, and trees in the grammar's own rules.
 *
 * What trapeze.h says of errors, memory and threads holds here. A grammar never changes once read.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_GRAMMAR_H
#define TRAPEZE_GRAMMAR_H

#include <trapeze/trapeze.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tz_grammar tz_grammar;

typedef enum tz_notation {
    TZ_ARROWS, /* NP -> DT N [0.4] | 'they' [0.6], as NLTK writes CFG and PCFG */
    TZ_GBNF    /* root ::= "a" [0-9]+ | root "b", as llama.cpp does; words are single characters */
} tz_notation;

/* What the numbers of a grammar are. */
typedef enum tz_rule_weights {
    TZ_RULE_PROBABILITIES, /* of each symbol's rules, which sum to 1, within 0.01 */
    TZ_RULE_WEIGHTS,       /* any from 0 on; a rule without a number weighs 1 */
    TZ_RULE_LOGS,          /* natural logs of these; a rule without a number has 0 */
    TZ_RULE_COUNTS, /* how often a rule was seen, in front of it or behind; its probability is
                       its share. A symbol without rules is a word */
    TZ_RULE_UNIFORM /* there are none: each of a symbol's k rules has probability 1/k */
} tz_rule_weights;

/* Reads a grammar, of which `name` stands in front of messages: NAME:LINE:COLUMN: ... The first
 * rule's left side is the start, but for `%start X`, or the rule `root` of GBNF (docs/grammars.md
 * says what of both notations is read). opt_score: log weights of all rules in the place of the
 * text's, as many as `scores` says, in the order of tz_grammar_parts. Time and memory are linear in
 * the size.
 * TZ_BAD_RULES: what is wrong, where, and how to mend it. TZ_DIVERGES: the weights of all ways in
 * which a symbol is nothing do not sum. TZ_BAD_ARGUMENT, TZ_TOO_LARGE, TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_parse(const char *name, const char *text, size_t size,
                                     tz_notation notation, tz_rule_weights weights,
                                     const double *opt_score, size_t scores,
                                     tz_grammar **ret_grammar, tz_error *opt_error);
TZ_PUBLIC void tz_grammar_free(tz_grammar *grammar);

/* The weights of gallery/grammar, in its order. */
enum { TZ_GRAMMAR_LISTS = 7 };

/* Entries of a sparse weight. One with a symbol that has no tree at all scores -INFINITY: else what
 * may come after a prefix would be summed over trees that never end. */
typedef struct tz_grammar_list {
    unsigned rank;
    size_t entries;
    const int32_t *index; /* [entries * rank] */
    const double *score;  /* [entries] logs */
    const int32_t *rule;  /* [entries] the rule that it stands for, or begins; -1: none */
} tz_grammar_list;

/* A rule of the file. */
typedef struct tz_grammar_rule {
    int32_t left;
    uint32_t line;
    size_t first, size; /* its right side is right[first..first+size-1] */
    double score;       /* log weight */
} tz_grammar_rule;

/* What a grammar holds. Symbols and words count from 0 in the order in which they first stand in
 * the text, but for symbols that were made, which have names of their own: of parts of GBNF's
 * rules; of what a rule of more than two symbols still needs (`NP~3.1`: rule 3 from its symbol 1
 * on, both from 0); of words inside such rules. The grammar's rules are the file's; list[] has
 * them again with at most two symbols. */
typedef struct tz_grammar_parts {
    size_t symbols, words, rules;
    const char *const *symbol;   /* [symbols] names */
    const bool *made;            /* [symbols] a node of it is no node of a tree: its parts are */
    const char *const *word;     /* [words] */
    const tz_grammar_rule *rule; /* [rules] */
    const int32_t *right;        /* a symbol; or -1 - word */
    int32_t root;
    int32_t height; /* the length D of the rule sets: no more is needed for trees over nothing */
    tz_grammar_list list[TZ_GRAMMAR_LISTS];
} tz_grammar_parts;

/* It is the grammar's. */
TZ_PUBLIC const tz_grammar_parts *tz_grammar_parts_of(const tz_grammar *grammar);
/* The number of a word or a symbol; -1: there is none of this name. */
TZ_PUBLIC int32_t tz_grammar_word(const tz_grammar *grammar, const char *name, size_t size);
TZ_PUBLIC int32_t tz_grammar_symbol(const tz_grammar *grammar, const char *name, size_t size);

/* The grammar as text in the notation with arrows, `binarised` as list[] has it; the numbers are
 * logs where they were read as logs; else weights, for counts and uniform rules their shares. It
 * can be read again, but for words that have a line's end or both quotes in them, and symbols
 * that begin with # or %. Writes at most
 * `size` bytes, the final NUL included, and returns the length of the whole text without the NUL.
 * 0: memory is out. */
TZ_PUBLIC size_t tz_grammar_show(const tz_grammar *grammar, bool binarised, char *ret_text,
                                 size_t size);

/* total[a], for all symbols: the log of the sum over all trees of a, which gallery/prefix and next
 * take. 0 for all symbols of a grammar of probabilities of which all trees end (within 1e-9). Else
 * by fixed-point iteration until no bit changes: each round costs the number of rules, and
 * there are the more the nearer the grammar is to one whose sums have no limit. TZ_DIVERGES: they
 * are not found within a million rounds, or 10^8 products. */
TZ_PUBLIC tz_status tz_grammar_totals(const tz_grammar *grammar, double *ret_total,
                                      tz_error *opt_error);

/* A tree as its rules in the order of a leftmost derivation, from a derivation by gallery/grammar.
 * `words` are the problem's. ret_rule: room for derivation->nodes rules. */
TZ_PUBLIC tz_status tz_grammar_tree(const tz_grammar *grammar, const tz_rules *rules,
                                    const tz_derivation *derivation, const int32_t *words,
                                    uint32_t *ret_rule, size_t *ret_rules);
/* Such a tree in brackets, `(S (NP they) (VP run))`. A name with blanks, brackets or quotes in it
 * stands as a JSON string. As tz_grammar_show. */
TZ_PUBLIC size_t tz_grammar_brackets(const tz_grammar *grammar, const uint32_t *rule, size_t rules,
                                     char *ret_text, size_t size);

/* Trees at random, each as likely as its weight, from the start down. */
typedef struct tz_grammar_sampler tz_grammar_sampler;
/* total: of tz_grammar_totals. TZ_NONE: the grammar has no trees. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_sampler_new(const tz_grammar *grammar, const double *total,
                                           uint64_t seed, tz_grammar_sampler **ret_sampler);
/* The next one; *ret_rule is the sampler's, until the next call. TZ_TOO_LARGE: it has more than
 * 2^20 rules. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_sampler_next(tz_grammar_sampler *sampler, const uint32_t **ret_rule,
                                            size_t *ret_rules);
TZ_PUBLIC void tz_grammar_sampler_free(tz_grammar_sampler *sampler);

#ifdef __cplusplus
}
#endif

#endif
