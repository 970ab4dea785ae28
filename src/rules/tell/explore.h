/* explore.h - explores the derivations of a rule set for all combinations of small lengths.
 *
 * Equal lengths alone can show nothing: where hairpins have at least h bases, no base of h has a
 * partner. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_EXPLORE_H
#define TZ_RULES_TELL_EXPLORE_H

#include "rules/table.h"

enum {
    TZ_SMALL_LENGTH = 5, /* up to which all combinations are explored; */
    TZ_SMALL_LABELS = 3, /* of label sets */
    TZ_LENGTHS_TEXT = TZ_MAX_LENGTHS * 96
};

typedef struct tz_exploring {
    int32_t least[TZ_MAX_LENGTHS], most[TZ_MAX_LENGTHS]; /* of each length */
    bool grows[TZ_MAX_LENGTHS]; /* also explored beyond its most, where little is found up to it */
    size_t work;                /* values tried for variables, about: a million takes about 0.2 s */
} tz_exploring;

typedef struct tz_explored {
    int32_t reach;      /* the greatest length up to which all combinations were explored, or -1 */
    size_t derivations; /* the most of a combination */
    int32_t telling[TZ_MAX_LENGTHS]; /* the first combination with the most rules in its derivations
                                        and, of these, the most derivations */
    bool circles;   /* for some lengths derivations go round in a closure: these are not explored */
    bool ambiguous; /* some structure has several derivations, as for */
    int32_t at[TZ_MAX_LENGTHS]; /* these lengths: */
    size_t counted, structures; /* so many derivations of so many structures */
} tz_explored;

/* Explores combinations by increasing largest length, then longer ones while some rule is in no
 * derivation or nothing has two derivations. Marks the rules in derivations, used[rule]; others
 * keep their mark. Combinations with too much to enumerate are left out. TZ_NO_MEMORY;
 * TZ_BAD_RULES: an item needs itself and is in no closure. */
tz_status tz_explore(const tz_rules *rules, const tz_exploring *where, bool *used,
                     tz_explored *ret);

/* Is any of the rules used that the file's rule beginning at rule[*rule] stands for? Moves *rule on
 * to those of the file's next rule. */
bool tz_any_used(const tz_rules *rules, const bool *used, unsigned *rule);

/* The length that runs where others stay: the first with a lower-case initial, or the first. */
unsigned tz_running_length(const tz_rules *rules);
/* Is the length a label set, by its upper-case initial? */
bool tz_is_label_set(const tz_rules *rules, unsigned length);
/* Sets the small lengths that tz_explore explores, large enough for inputs to have numbers; sets
 * all but `work`. */
void tz_small_lengths(const tz_rules *rules, tz_exploring *ret);
/* Writes lengths as "n = 5, h = 0". */
void tz_lengths_text(const tz_rules *rules, const int32_t *lengths, char *ret_text, size_t size);
/* The same for the lengths up to which all combinations were explored. */
void tz_reached_text(const tz_rules *rules, const tz_exploring *where, int32_t reach,
                     char *ret_text, size_t size);

/* A length of at most `most`, within the bounds of length l. */
int32_t tz_explored_length(const tz_exploring *where, unsigned l, int32_t most);

#endif
