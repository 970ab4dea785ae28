/* align.h - finds the words of a sentence that a text consists of. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_ALIGN_H
#define TZ_SENTENCES_EVAL_ALIGN_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Marks words that, written one after the other, are the text: ret_keep[words] is 1 or 0. ASCII
 * blanks do not matter, nor whether the text's first ASCII letter is a capital. Of several choices
 * it takes the one whose words stand in the fewest runs, and of these the first in lexicographic
 * order of positions. Cost: words times the text's bytes; TZ_TOO_LARGE: more than 2^24. TZ_NONE: no
 * choice makes the text. TZ_NO_MEMORY. */
tz_status tz_align(const char *const *word, size_t words, const char *text, uint8_t *ret_keep);

#endif
