/* links.h - alignments of an abstract with its document: phrase pairs, and links between words.
 *
 * Words count from 0. As text a link is "i-j": word i of the document, word j of the abstract.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_TEXTS_LINKS_H
#define TZ_SENTENCES_ALIGN_TEXTS_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "sentences/align/texts/forms.h"

enum { TZ_MOST_PAIR_WORDS = 1 << 20 }; /* most words of either side */

typedef struct tz_link {
    uint32_t document, abstract;
} tz_link;

/* A set of links, sorted by document word, then abstract word. */
typedef struct tz_links {
    size_t count;
    tz_link *link;
} tz_links;

/* Words abstract[0]..abstract[1]-1 are made from words document[0]..document[1]-1. */
typedef struct tz_phrase_pair {
    uint32_t document[2], abstract[2];
    bool possible; /* and not sure */
} tz_phrase_pair;

/* Makes links in any order a set. */
void tz_links_sort(tz_links *links);
/* Reads "0-0 1-2"; "1p2" and "1?2" are possible links. Memory is the arena's. TZ_BAD_ARGUMENT with
 * a message, TZ_NO_MEMORY. */
tz_status tz_links_parse(tz_arena *arena, const char *text, tz_links *ret_sure,
                         tz_links *ret_possible, tz_error *error);
void tz_links_print(const tz_links *links, tz_text *text);
/* How many of a are in b. */
size_t tz_links_common(const tz_links *a, const tz_links *b);
/* The links of both. TZ_NO_MEMORY. */
tz_status tz_links_join(tz_arena *arena, const tz_links *a, const tz_links *b, tz_links *ret_links);

/* Are both sides the same words? */
bool tz_phrases_same(const tz_phrase_pair *phrase, const tz_form *document,
                     const tz_form *abstract);
/* Links all pairs of words of each phrase pair. With forms: where both sides are the same words,
 * links each word with its equal only (soft links). opt_document and opt_abstract: both or neither.
 * Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_links_of_phrases(tz_arena *arena, const tz_phrase_pair *phrase, size_t phrases,
                              const tz_form *opt_document, const tz_form *opt_abstract,
                              tz_links *ret_links);

#endif
