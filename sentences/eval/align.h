/* align.h - finds the words of a sentence that a text consists of. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_ALIGN_H
#define TZ_SENTENCES_EVAL_ALIGN_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Marks words that, written one after the other, are the text; blanks (of ASCII) do not matter, nor
 * whether the text's first letter is a capital (of ASCII). Of several choices the one whose words
 * stand in the fewest runs, and of these the one that begins, and goes on, first. ret_keep[words]:
 * 1 or 0. Cost: words times the text's bytes; TZ_TOO_LARGE where that is more than 2^24. TZ_NONE:
 * there are none. TZ_NO_MEMORY. */
tz_status tz_align(const char *const *word, size_t words, const char *text, uint8_t *ret_keep);

#endif
