/* article.h - chooses between "a" and "an". SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_ARTICLE_H
#define TZ_SENTENCES_TEXT_ARTICLE_H

#include <stdbool.h>
#include <stddef.h>

/* Is the word a or an, in letters of either case? */
bool tz_article_is(const char *word, size_t size);
/* Does this word take "an"? Judged by its first sound, as the spelling shows it: of letters,
 * numbers, and abbreviations that are spelt out (an FBI agent, a NATO base). UTF-8; quotation marks
 * before the word are ignored. */
bool tz_article_an(const char *next, size_t size);

#endif
