/* enumerate.h - visits every derivation, one by one: the oracle that the engine is checked against.
 *
 * It follows the rules as written (items, domains, conditions) and shares no code with the compiler
 * or the engine. Exponential: for lengths of a few words. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_ENUMERATE_H
#define TZ_RULES_TELL_ENUMERATE_H

#include "rules/table.h"

typedef struct tz_enum_use {
    uint16_t weight; /* or an item */
    bool item;
    int32_t index[TZ_MAX_RANK];
} tz_enum_use;

/* uses: the weights of one derivation, in the order of a preorder walk of its proof tree. A return
 * value other than 0 stops the enumeration. */
typedef int (*tz_enum_visit)(void *user, const tz_enum_use *uses, size_t count);

/* Visits every derivation of the goal in the order of the tie rule: by rule (file order), then by
 * the values of the rule's variables in the table's order, then by the first premise's
 * derivation, then the second's, ... Sparse weights count as full. More than `limit` derivations of
 * any one item gives TZ_TOO_LARGE, and so does a search that would take minutes; an item that needs
 * itself TZ_BAD_RULES; a stopped enumeration TZ_OK. TZ_BAD_ARGUMENT, TZ_NO_MEMORY. */
tz_status tz_enumerate(const tz_rules *rules, const int32_t *lengths, size_t limit,
                       tz_enum_visit visit, void *user);

/* The same for derivations that use no impossible cell. Which cells are impossible decides where
 * side conditions hold. */
typedef bool (*tz_enum_possible)(void *user, const tz_enum_use *use);
tz_status tz_enumerate_possible(const tz_rules *rules, const int32_t *lengths, size_t limit,
                                tz_enum_possible possible, void *possible_user, tz_enum_visit visit,
                                void *user);
/* The same, with each item of the proof tree before what its rule uses; items may be impossible,
 * too. opt_possible: NULL: nothing is. */
tz_status tz_enumerate_items(const tz_rules *rules, const int32_t *lengths, size_t limit,
                             tz_enum_possible opt_possible, void *possible_user,
                             tz_enum_visit visit, void *user);

/* Counts the derivations and marks the rules in them, used[rule]; others keep their mark. A limit
 * of SIZE_MAX is none: more count as SIZE_MAX. *trials: values tried for variables before it gives
 * up; counted down. Errors as above. Polynomial in the lengths. */
tz_status tz_enumerate_rules(const tz_rules *rules, const int32_t *lengths, size_t limit,
                             size_t *trials, bool *used, size_t *ret_derivations);

/* Are all derivations distinct structures? *ret_structures counts the multisets of uses; where the
 * rules say that derivations are what is counted, derivations. */
tz_status tz_count_structures(const tz_rules *rules, const int32_t *lengths, size_t limit,
                              size_t *ret_derivations, size_t *ret_structures);

/* Do two rule sets with the same lengths and weights derive the same structures, each as often?
 * *ret_derivations: of the first. */
tz_status tz_compare_structures(const tz_rules *a, const tz_rules *b, const int32_t *lengths,
                                size_t limit, bool *ret_same, size_t *ret_derivations);

#endif
