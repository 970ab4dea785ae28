/* record.h - a line of JSON about a sentence and what it is compressed to.
 *
 *   "id"            any value, or none
 *   "tokens"        the sentence's words: a string with blanks between them, or a list of strings
 *                   ("words" is the same)
 *   "pos"           their fine tags (XPOS), likewise, or none
 *   "keep"          which are kept: "1101", or [1,1,0,1]; or, for several compressions, a list of
 *                   those
 *   "compression"   without "keep": the compression as text (tz_align), or a list of its words
 *   "compressions"  or a list of such
 *   "heads"         a compression's tree: for each word its head, counted from 1 in the sentence, 0
 *                   for the root, -1 or null where the word is dropped; or for the kept words
 *                   alone, counted among themselves; or, for several compressions, a list of
 *                   those
 *
 * Other keys are ignored. What is returned is the arena's. Errors: TZ_BAD_ARGUMENT with a message
 * that begins with the key; TZ_NO_MEMORY. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_RECORD_H
#define TZ_SENTENCES_EVAL_RECORD_H

#include "io/json/json.h"
#include "sentences/eval/compression.h"

/* Parses one line, an object. */
tz_status tz_record_parse(tz_arena *arena, const char *line, size_t size, const json_t **ret_record,
                          tz_error *error);

/* The "id": the text of a string, else the value as JSON; NULL where there is none or it is
 * null. */
tz_status tz_record_id(tz_arena *arena, const json_t *record, const char **ret_id, tz_error *error);

/* ret_word is NULL where the record has none. */
tz_status tz_record_words(tz_arena *arena, const json_t *record, const char *const **ret_word,
                          size_t *ret_words, tz_error *error);

/* Fine tags (XPOS) of so many words; ret_tag is NULL where the record has none. */
tz_status tz_record_tags(tz_arena *arena, const json_t *record, size_t words,
                         const char *const **ret_tag, tz_error *error);

/* The compressions of a sentence of these words, at least one. */
tz_status tz_record_compressions(tz_arena *arena, const json_t *record, const char *const *word,
                                 size_t words, tz_compression **ret_compression, size_t *ret_count,
                                 tz_error *error);

/* The compression whose text this is (tz_align); messages do not begin with a key. */
tz_status tz_record_text(tz_arena *arena, const char *text, const char *const *word, size_t words,
                         tz_compression *ret_compression, tz_error *error);

#endif
