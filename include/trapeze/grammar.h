/* grammar.h - weighted context-free grammars as text, made ready for gallery/grammar,
 * gallery/prefix and gallery/next; and derivations as trees in the grammar's own rules.
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
    TZ_RULE_PROBABILITIES, /* those of a symbol's rules sum to 1, within 0.01 */
    TZ_RULE_WEIGHTS,       /* any number from 0 on; a rule without one weighs 1 */
    TZ_RULE_LOGS,          /* natural logs of such weights; a rule without a number has 0 */
    TZ_RULE_COUNTS, /* how often a rule was seen, in front of it or behind it; its probability is
                       its share among the rules of its left side. A symbol without rules is a
                       word */
    TZ_RULE_UNIFORM /* there are no numbers: each of a symbol's k rules has probability 1/k */
} tz_rule_weights;

/* Reads a grammar from `size` bytes of text, which is not needed afterwards. `name` stands in front
 * of messages: NAME:LINE:COLUMN: ... The start symbol is the first rule's left side, unless `%start
 * X` names it; in GBNF it is `root`. docs/grammars.md says what is read of both notations.
 * opt_score[scores]: log weights of all rules in the place of the text's, in the order of
 * tz_grammar_parts. Time and memory are linear in the size.
 * TZ_BAD_RULES: what is wrong, where, and how to mend it. TZ_DIVERGES: the weights of all ways to
 * derive the empty string from a symbol have no sum. TZ_BAD_ARGUMENT: no such notation or kind of
 * weights; GBNF with weights other than TZ_RULE_UNIFORM; another number of `scores` than of rules.
 * TZ_TOO_LARGE: more than 2^20 words or symbols. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_parse(const char *name, const char *text, size_t size,
                                     tz_notation notation, tz_rule_weights weights,
                                     const double *opt_score, size_t scores,
                                     tz_grammar **ret_grammar, tz_error *opt_error);
TZ_PUBLIC void tz_grammar_free(tz_grammar *grammar);

/* The weights of gallery/grammar, in its order. */
enum { TZ_GRAMMAR_LISTS = 7 };

/* Entries of a sparse weight. An entry with a symbol that derives no tree scores -INFINITY: else
 * sums over the words that may follow a prefix would include trees that never end. */
typedef struct tz_grammar_list {
    unsigned rank;
    size_t entries;
    const int32_t *index; /* [entries * rank] */
    const double *score;  /* [entries] logs */
    const int32_t *rule;  /* [entries] the rule that the entry stands for, or begins; -1: none */
} tz_grammar_list;

/* A rule of the text. */
typedef struct tz_grammar_rule {
    int32_t left;
    uint32_t line;
    size_t first, size; /* its right side is right[first..first+size-1] */
    double score;       /* log weight */
} tz_grammar_rule;

/* What a grammar holds. Symbols and words count from 0 in the order in which they first stand in
 * the text. Further symbols are made, with names of their own: for parts of GBNF's rules; for the
 * rest of a rule of more than two symbols (`NP~3.1`: rule 3 from its symbol 1 on, both counted from
 * 0); for words inside such rules. rule[] has the rules of the text; list[] has them again with at
 * most two symbols on the right. */
typedef struct tz_grammar_parts {
    size_t symbols, words, rules;
    const char *const *symbol;   /* [symbols] names */
    const bool *made;            /* [symbols] made: its nodes are left out of trees, their parts are
                                    not */
    const char *const *word;     /* [words] */
    const tz_grammar_rule *rule; /* [rules] */
    const int32_t *right;        /* a symbol; or -1 - word */
    int32_t root;
    int32_t height; /* the length D of the rule sets: the greatest height needed of trees over the
                       empty string */
    tz_grammar_list list[TZ_GRAMMAR_LISTS];
} tz_grammar_parts;

/* The result is the grammar's and lives as long. */
TZ_PUBLIC const tz_grammar_parts *tz_grammar_parts_of(const tz_grammar *grammar);
/* The number of a word or symbol by name; -1: there is none. */
TZ_PUBLIC int32_t tz_grammar_word(const tz_grammar *grammar, const char *name, size_t size);
TZ_PUBLIC int32_t tz_grammar_symbol(const tz_grammar *grammar, const char *name, size_t size);

/* Writes the grammar as text in the notation with arrows; with `binarised`, in the rules of list[].
 * The numbers are logs where they were read as logs, else weights: for counts and uniform rules
 * their shares. The text can be read again, unless a word has a line end or both quotes in it, or a
 * symbol begins with # or %. Writes at most `size` bytes, the final NUL included, and returns the
 * length of the whole text without the NUL; 0 where an allocation fails. */
TZ_PUBLIC size_t tz_grammar_show(const tz_grammar *grammar, bool binarised, char *ret_text,
                                 size_t size);

/* ret_total[symbols]: for each symbol the log of the sum over all its trees, which gallery/prefix
 * and gallery/next take. It is 0 for all symbols if the numbers are probabilities and all trees end
 * (within 1e-9). Else it is found by fixed-point iteration until no bit changes. A round costs the
 * number of rules; the nearer the sums are to having no limit, the more rounds it takes.
 * TZ_DIVERGES: no result within a million rounds, or 10^8 products. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_totals(const tz_grammar *grammar, double *ret_total,
                                      tz_error *opt_error);

/* A derivation by gallery/grammar (`rules`) as a tree: its rules in the order of a leftmost
 * derivation, *ret_rules numbers of rule[]. `words` are the problem's. ret_rule: room for
 * derivation->nodes. TZ_BAD_ARGUMENT: the derivation is not one by this grammar. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_tree(const tz_grammar *grammar, const tz_rules *rules,
                                    const tz_derivation *derivation, const int32_t *words,
                                    uint32_t *ret_rule, size_t *ret_rules);
/* Writes such a tree in brackets, `(S (NP they) (VP run))`. A name with blanks, brackets or quotes
 * in it stands as a JSON string. ret_text, size and result are as of tz_grammar_show. */
TZ_PUBLIC size_t tz_grammar_brackets(const tz_grammar *grammar, const uint32_t *rule, size_t rules,
                                     char *ret_text, size_t size);

/* Draws trees at random from the start symbol down, each with probability in proportion to its
 * weight. */
typedef struct tz_grammar_sampler tz_grammar_sampler;
/* total: of tz_grammar_totals. The grammar must outlive the sampler. TZ_NONE: the grammar has no
 * trees. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_sampler_new(const tz_grammar *grammar, const double *total,
                                           uint64_t seed, tz_grammar_sampler **ret_sampler);
/* The next tree, as tz_grammar_tree gives it; *ret_rule is the sampler's, until the next call.
 * TZ_TOO_LARGE: it has more than 2^20 rules. TZ_NO_MEMORY. */
TZ_PUBLIC tz_status tz_grammar_sampler_next(tz_grammar_sampler *sampler, const uint32_t **ret_rule,
                                            size_t *ret_rules);
TZ_PUBLIC void tz_grammar_sampler_free(tz_grammar_sampler *sampler);

#ifdef __cplusplus
}
#endif

#endif
