/* alignment.h - evaluates alignments: gold alignments, those of systems, and their figures.
 *
 * A record (records.h) has
 *
 *   "id"                     any value, or none
 *   "document", "abstract"   the texts (pair.h), or "source" and "target"; or none
 *   "sure", "possible"       links, "0-0 1-2"; or "sureAlign", "possibleAlign"; "1p2" and "1?2" are
 *                            possible in any case
 *   "phrases"                instead: [{"document": [0, 2], "abstract": [1, 3], "class": "P"}], the
 *                            first word and the one behind the last; class "S", sure, or "P"
 *   "links"                  without "phrases" and "sure", the sure links
 *
 * A line that is not JSON is a list of links; or a file is made of columns (columns.h). Sure links
 * are possible as well.
 *
 * Links are of two kinds: all pairs of words of a phrase pair; and soft ones, where in a phrase
 * pair of the same words each word is linked only with itself. Texts say which words are the same;
 * where there are none, and a record has phrases and links, the links are the soft ones.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_ALIGNMENT_H
#define TZ_SENTENCES_EVAL_ALIGNMENT_H

#include "sentences/align/texts/links.h"
#include "sentences/align/texts/records.h"
#include "sentences/eval/matching.h"
#include "sentences/eval/report.h"

enum { TZ_ALIGNMENT_LINE = 1 << 24 }; /* bytes of a line */

enum { TZ_ALL_PAIRS, TZ_SOFT, TZ_LINK_KINDS };

/* Links of each kind. */
typedef struct tz_alignment {
    tz_links sure[TZ_LINK_KINDS], possible[TZ_LINK_KINDS];
} tz_alignment;

typedef struct tz_gold_pair {
    size_t words[2];    /* numbers of words of document and abstract; 0 without forms: not known */
    tz_form *form[2];   /* [words], or NULL */
    uint8_t *ignore[2]; /* [words]: is the word to be left out? */
    tz_alignment gold;
} tz_gold_pair;

typedef struct tz_alignments {
    tz_numbering numbering;
    tz_gold_pair *pair; /* [numbering.count] */
    bool texts;         /* every pair has both */
    /* private */
    size_t capacity;
    bool flip;
    uint32_t from;
    uint64_t *ignored; /* hashes, sorted */
    size_t ignores;
    tz_forms *forms;
    tz_arena *arena;
} tz_alignments;

/* Which words, of little meaning, are left out. */
typedef struct tz_ignore {
    tz_lines *opt_lines; /* one word a line; NULL: the list of 58 function words and marks */
    bool none;
} tz_ignore;

/* Reads the first file. flip: links are j-i, the texts exchanged; from: the number of the first
 * word in links, 0 or 1. TZ_IO with FILE:LINE, TZ_NO_MEMORY; free *ret_gold in either case. */
tz_status tz_alignments_read(tz_lines *lines, const tz_ignore *ignore, bool flip, uint32_t from,
                             tz_alignments *ret_gold, tz_error *error);
void tz_alignments_free(tz_alignments *gold);
/* Reads a file of the same pairs, whose sure links become gold's possible ones. *ret_strays: how
 * many of gold's sure links it lacks; these stay possible. */
tz_status tz_alignments_possible(tz_alignments *gold, tz_lines *lines, size_t *ret_strays,
                                 tz_error *error);
/* Reads a system's alignments of the same pairs, sure and possible links together:
 * (*ret_system)[count * TZ_LINK_KINDS], by pair, then kind; in gold's memory. */
tz_status tz_alignments_system(tz_alignments *gold, tz_lines *lines, tz_links **ret_system,
                               tz_error *error);

/* Does one file have links of word 0 in both texts, and the other in neither? Then the other may
 * count from 1; the result is negative if that is gold, positive if the system, else 0. system:
 * from tz_alignments_system. */
int tz_alignments_shifted(const tz_alignments *gold, const tz_links *system);

/* For all kinds of links: precision, recall, their harmonic mean, alignment error rate (Och & Ney
 * 2003: Computational Linguistics 29), and the share of pairs that have all sure links and only
 * possible ones; then the same without the words to be ignored. */
enum {
    TZ_ALIGNMENT_RATIOS = 5,
    TZ_ALIGNMENT_FIGURES = 2 * TZ_LINK_KINDS * TZ_ALIGNMENT_RATIOS,
};
extern const tz_figure tz_alignment_figure[TZ_ALIGNMENT_FIGURES];
extern const tz_harmonic tz_alignment_harmonic[TZ_ALIGNMENT_FIGURES];
/* system: from tz_alignments_system. Fills ret_ratio[count * TZ_ALIGNMENT_FIGURES].
 * TZ_NO_MEMORY. */
tz_status tz_alignments_measure(const tz_alignments *gold, const tz_links *system,
                                tz_ratio *ret_ratio);

#endif
