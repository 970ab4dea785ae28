/* explore.h - looks at the derivations of a rule set for small lengths in all combinations.
 *
 * Equal lengths alone can show nothing: where hairpins have at least h bases, no base of h has a
 * partner. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_EXPLORE_H
#define TZ_RULES_TELL_EXPLORE_H

#include "rules/table.h"

enum {
    TZ_SMALL_LENGTH = 5, /* where all combinations are looked at; */
    TZ_SMALL_LABELS = 3, /* of label sets */
    TZ_LENGTHS_TEXT = TZ_MAX_LENGTHS * 96
};

typedef struct tz_exploring {
    int32_t least[TZ_MAX_LENGTHS], most[TZ_MAX_LENGTHS]; /* of each length */
    bool grows[TZ_MAX_LENGTHS]; /* beyond its most, where little shows up to there */
    size_t work;                /* values tried for variables, about: a million takes 0.2 s or so */
} tz_exploring;

typedef struct tz_explored {
    int32_t reach;      /* the last length to which all combinations were looked at, or -1 */
    size_t derivations; /* the most that a combination has */
    int32_t telling[TZ_MAX_LENGTHS]; /* a combination with the most rules in its derivations, and of
                                        those with the most derivations: the first */
    bool circles; /* of some lengths, derivations go round in a closure: nothing is known of them */
    bool ambiguous;             /* some structure has several derivations, as for */
    int32_t at[TZ_MAX_LENGTHS]; /* these lengths: */
    size_t counted, structures; /* so many derivations of so many structures */
} tz_explored;

/* Looks at combinations by increasing largest length, then at longer ones while some rule is in no
 * derivation or nothing has two derivations, and marks the rules in them, used[rule]; others keep
 * their mark. What is too much to enumerate is left out. TZ_NO_MEMORY; TZ_BAD_RULES: an item needs
 * itself, and is of no closure. */
tz_status tz_explore(const tz_rules *rules, const tz_exploring *where, bool *used,
                     tz_explored *ret);

/* Is any rule used that the rule in the file beginning at rule[*rule] stands for? *rule moves on to
 * those of the next one. */
bool tz_any_used(const tz_rules *rules, const bool *used, unsigned *rule);

/* The length that runs where others stay: the first with a lower-case initial, or the first. */
unsigned tz_running_length(const tz_rules *rules);
/* Is the length a label set, by its upper-case initial? */
bool tz_is_label_set(const tz_rules *rules, unsigned length);
/* Where tz_explore looks: small lengths, of which those that bound an input's numbers let it have
 * some; all but `work`. */
void tz_small_lengths(const tz_rules *rules, tz_exploring *ret);
/* "n = 5, h = 0" */
void tz_lengths_text(const tz_rules *rules, const int32_t *lengths, char *ret_text, size_t size);
/* The same of the lengths up to which all combinations were looked at. */
void tz_reached_text(const tz_rules *rules, const tz_exploring *where, int32_t reach,
                     char *ret_text, size_t size);

/* A length of at most `most`, within the bounds of length l. */
int32_t tz_explored_length(const tz_exploring *where, unsigned l, int32_t most);

#endif
