/* pcfg.h - a probabilistic context-free grammar of constituents, read off a treebank.
 *
 * Markov grammar from the head outwards (Collins 1997; Klein & Manning 2003, section 2): a
 * constituent's children are added to its head child one after the other, those on the left first,
 * each time under a label that knows the constituent, its head child, the side, and the child added
 * last: h = 1. A label of a constituent knows its category and that of its parent: v = 2. A chain
 * of constituents with one child each is one label. Rules are a -> b c and a -> tag; the
 * probability of a rule is its share of its label's uses.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_PCFG_H
#define TZ_SENTENCES_TREES_PCFG_H

#include "sentences/features/tables/labels.h"
#include "sentences/trees/tree.h"

enum { TZ_PCFG_LABELS = 1 << 20, TZ_PCFG_TAGS = 4096 };

typedef struct tz_pcfg_rule {
    uint32_t a, b, c; /* labels; a -> tag: b is the number of the tag, c is TZ_NO_NODE */
    uint32_t count;
} tz_pcfg_rule;

typedef struct tz_pcfg_label {
    /* Its constituents from the top, with blanks between their categories: "S VP"; for a word the
     * last is its tag. "": children of an incomplete constituent. */
    const char *chain;
    uint32_t roots; /* number of trees whose root it is */
    uint64_t uses;  /* sum of the counts of its rules */
} tz_pcfg_label;

/* Does not change once made. */
typedef struct tz_pcfg {
    size_t labels, rules;
    tz_pcfg_label *label;
    tz_pcfg_rule *rule; /* in the order of a, b, c, all different; [0..binary-1] are a -> b c */
    size_t binary;
    uint64_t trees; /* sum of `roots` over all labels */
    tz_labels tags;
    tz_arena *arena;
} tz_pcfg;

extern const char tz_pcfg_name[]; /* of a section of a pack: "pcfg" */

void tz_pcfg_free(tz_pcfg *pcfg);

/* ---- Learning -------------------------------------------------------------------------------- */

typedef struct tz_pcfg_trainer tz_pcfg_trainer;

/* NULL when memory is out. */
tz_pcfg_trainer *tz_pcfg_trainer_new(void);
void tz_pcfg_trainer_free(tz_pcfg_trainer *trainer);
/* Counts the rules of a tree that has heads. TZ_TOO_LARGE, TZ_NO_MEMORY. Cost: linear. */
tz_status tz_pcfg_trainer_add(tz_pcfg_trainer *trainer, const tz_tree *tree);
/* The grammar of all trees added. TZ_BAD_ARGUMENT: there are none; TZ_NO_MEMORY. */
tz_status tz_pcfg_trainer_end(const tz_pcfg_trainer *trainer, tz_pcfg **ret_pcfg);

/* ---- pcfg_file.c ----------------------------------------------------------------------------- */

/* Saves a model file, or section of a pack: little-endian, with a CRC-32 at the end (pcfg_file.c
 * has the format). The file is replaced atomically. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_pcfg_save(const tz_pcfg *pcfg, const char *path, tz_error *opt_error);
/* Do the bytes begin like a grammar's? */
bool tz_pcfg_bytes(const void *bytes, size_t size);
/* Reads a grammar from the bytes of a file, called `name` in messages. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_pcfg_read(const char *name, const void *bytes, size_t size, tz_pcfg **ret_pcfg,
                       tz_error *opt_error);

/* ---- pcfg_parse.c ---------------------------------------------------------------------------- */

/* A sentence with tags, and its tree. */
typedef struct tz_pcfg_item {
    uint32_t words; /* at least 1 */
    tz_tree_word *word;
    tz_arena *arena;
    tz_tree tree; /* written; with heads (heads.h) */
    /* written: the log probability of the best tree; -INFINITY where the grammar has none */
    double log_probability;
} tz_pcfg_item;

typedef struct tz_pcfg_parser tz_pcfg_parser;

/* The grammar is borrowed. threads >= 1; results do not depend on them. TZ_NO_MEMORY. */
tz_status tz_pcfg_parser_new(const tz_pcfg *pcfg, unsigned threads, tz_pcfg_parser **ret_parser,
                             tz_error *opt_error);
void tz_pcfg_parser_free(tz_pcfg_parser *parser);
/* The best tree of each sentence, by the rule set `pcfg`. Rules that are in no tree over a
 * sentence's tags are left out first. Where there is no tree: few and likely constituents over all
 * words below one of the category that most roots have, in which a word of an unknown tag stands
 * alone. Cost: the rest of the rules times words^3. Sentences of more than `words` words get one
 * constituent over all words. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_pcfg_parse(tz_pcfg_parser *parser, uint32_t words, tz_pcfg_item *item, size_t count,
                        tz_error *opt_error);

#endif
