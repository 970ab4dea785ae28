/* table.h - the table of guards as data: table.c. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_GUARDS_TABLE_H
#define TZ_SENTENCES_GUARDS_TABLE_H

#include "sentences/guards/guards.h"

/* Classes of words; a word may be of several. */
enum {
    TZ_IS_NEGATION = 1 << 0,  /* not, no, never */
    TZ_IS_DOUBT = 1 << 1,     /* deny, doubt: their complement is said not to be true */
    TZ_IS_VERB = 1 << 19,     /* of any form, by its tag */
    TZ_IS_HEDGE = 1 << 18,    /* believe, hope: their complement may be true */
    TZ_IS_CONDITION = 1 << 2, /* if, unless */
    TZ_IS_FINITE = 1 << 3,    /* a finite verb or modal, by its tag */
    TZ_IS_NAME = 1 << 4,
    TZ_IS_NUMBER = 1 << 5,
    TZ_IS_TO = 1 << 6,
    TZ_IS_OPENER = 1 << 7,    /* a determiner or preposition, which begins a phrase */
    TZ_IS_STOP = 1 << 8,      /* a mark that ends a sentence, or the end itself */
    TZ_IS_UNIT = 1 << 9,      /* $, %, million */
    TZ_IS_RANGE = 1 << 10,    /* - and to between numbers */
    TZ_IS_MARK = 1 << 11,     /* comma, dash, colon */
    TZ_IS_WH = 1 << 12,       /* who, which, that at the head of a clause */
    TZ_IS_AND = 1 << 13,      /* & */
    TZ_IS_JOINT = 1 << 17,    /* and, which: begins a phrase joined to another */
    TZ_IS_LACK = 1 << 20,     /* failure, lack: a noun by which its complement is not so */
    TZ_IS_ADVERB = 1 << 21,   /* allegedly, nearly: the meaning changes without it */
    TZ_IS_BOUND = 1 << 22,    /* fewer than, at most: before a number */
    TZ_IS_ABOUT = 1 << 23,    /* more than, about: before a number */
    TZ_IS_AMOUNT = 1 << 24,   /* half, all: beside numbers */
    TZ_IS_EXCESS = 1 << 25,   /* too: a negation before an adjective */
    TZ_IS_BEFORE = 1 << 26,   /* from, would: before a verb that is not so */
    TZ_IS_CONTENT = 1 << 27,  /* a noun, verb, adjective, adverb or number, by its tag */
    TZ_IS_PRONOUN = 1 << 28,  /* he, they: for somebody named before */
    TZ_IS_NOUN = 1 << 29,     /* by its tag */
    TZ_IS_INVERTED = 1 << 30, /* "had it rained" */
    TZ_IS_PLAIN = 0,          /* "a few": as a whole in no class */
    /* Worked out from the tree: */
    TZ_IS_NEGATED = 1 << 14,     /* has a negation, or an argument that has "no" */
    TZ_IS_CONDITIONAL = 1 << 15, /* has a mark that is a condition */
    TZ_IS_CLAUSE = 1 << 16,      /* is finite, or has a finite auxiliary */
};

/* Words in lower case, or tags (XPOS), with blanks between them. rule_out is two words: each is of
 * the class where they are neighbours, and of no class by itself. */
typedef struct tz_guard_class {
    unsigned is;
    bool tags;
    const char *list;
} tz_guard_class;
extern const tz_guard_class tz_guard_classes[]; /* ends with list NULL, as does */
extern const tz_guard_class tz_guard_words[];   /* words.c */

typedef enum tz_need_way {
    TZ_CHILD_NEEDS_HEAD = 1,
    TZ_HEAD_NEEDS_CHILD = 2,
    TZ_BOTH_NEED = 3
} tz_need_way;

/* Prices are ten times the log odds that a reference keeps to the guard where it could break it, as
 * parsed by the English model: 40 means that one of 55 breaks it; 250: none does. */

/* A child and its head, with one of these relations and each with one of these classes; 0: any
 * class. */
typedef struct tz_guard_row {
    tz_guard guard;
    const char *relations; /* with blanks between them; NULL: any but `conj` and `root` */
    tz_need_way way;
    unsigned child, head;
    uint8_t price;
} tz_guard_row;
extern const tz_guard_row tz_guard_rows[];   /* ends with way 0 */
extern const tz_guard_row tz_guard_frames[]; /* whose child is a clause; likewise */

/* A word and its new neighbour after the words between them are left out. */
typedef struct tz_guard_gap {
    tz_guard guard;
    unsigned left, right;
} tz_guard_gap;
extern const tz_guard_gap tz_guard_gaps[]; /* ends with left 0 */

/* Neighbours in the sentence that need each other. */
typedef struct tz_guard_pair {
    tz_guard guard;
    unsigned left, right;
    uint8_t price;
} tz_guard_pair;
extern const tz_guard_pair tz_guard_pairs[]; /* ends with left 0 */

/* Lists of words for clauses.c. */
typedef enum tz_guard_list {
    TZ_LIST_TALK,    /* words that speak to or of the writer and reader, as news does not */
    TZ_LIST_PLAIN,   /* words that are rare in news */
    TZ_LIST_OBJECT,  /* object pronouns that stay with their verb */
    TZ_LIST_ANY,     /* words like "anyone", too general without their relative clause */
    TZ_LIST_CONTROL, /* verbs whose object is the subject of the clause after it */
    TZ_LIST_SAY,
    TZ_LIST_TELL, /* verbs with an addressee and a content */
    TZ_LIST_ONE,  /* articles that go with one */
    TZ_LIST_BUT,
    TZ_LIST_TO,
    TZ_LIST_FOCUS,  /* adverbs on which the meaning depends */
    TZ_LIST_PLACE,  /* words that begin a phrase of place or time */
    TZ_LIST_REASON, /* words that begin a phrase of reason */
    TZ_LISTS
} tz_guard_list;
extern const char *const tz_guard_lists[TZ_LISTS]; /* words in lower case, with blanks between */
/* Relations of clauses with a subject that are said in a main clause, or beside it. */
extern const char *const tz_guard_main;

/* Relations of a phrase that is joined to a head on its left by a comma or a word before it; and of
 * one that is joined to a head on its right by a comma behind it. */
extern const char *const tz_guard_joined, *const tz_guard_joined_left;

#endif
