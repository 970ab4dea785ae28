/* article.c - see article.h. SPDX-License-Identifier: MIT */
#include "sentences/text/article.h"

#include <string.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

bool tz_article_is(const char *word, size_t size) {
    return (size == 1 || (size == 2 && lower(word[1]) == 'n')) && size > 0 && lower(word[0]) == 'a';
}

/* Eight, eleven, eighteen, and what begins with them. */
static bool number_an(const char *at, size_t size) {
    size_t digits = 0;
    while (digits < size && is_digit(at[digits]))
        digits++;
    return at[0] == '8' || (digits == 2 && at[0] == '1' && (at[1] == '1' || at[1] == '8'));
}

/* Is it read letter by letter? Capitals alone, that are few or have no vowel. */
static bool spelt_out(const char *at, size_t size) {
    size_t letters = 0, vowels = 0;
    while (letters < size && is_letter(at[letters])) {
        if (lower(at[letters]) == at[letters])
            return false;
        vowels += strchr("AEIOU", at[letters]) != NULL;
        letters++;
    }
    return letters <= 3 || vowels == 0;
}

static bool begins(const char *at, size_t size, const char *const *list) {
    for (; *list; list++) {
        size_t length = strlen(*list), i = 0;
        while (i < length && i < size && lower(at[i]) == (*list)[i])
            i++;
        if (i == length)
            return true;
    }
    return false;
}

bool tz_article_an(const char *next, size_t size) {
    static const char *const silent[] = {"hour", "hono", "honest", "heir", NULL};
    static const char *const you[] = {"eu",  "ew",  "uni", "use", "usu", "usa", "uti", "ura",
                                      "ure", "uro", "ubi", "uga", "uk",  "uto", NULL};
    static const char *const not_you[] = {"unin", "unim", "unid", "unill", NULL};
    static const char *const one[] = {"one-", "once", "oneself", NULL};
    while (size > 0 && !is_letter(*next) && !is_digit(*next)) {
        next++;
        size--;
    }
    if (size == 0)
        return false;
    if (is_digit(*next))
        return number_an(next, size);
    if (spelt_out(next, size))
        return strchr("AEFHILMNORSX", *next) != NULL;
    if (lower(*next) == 'h')
        return begins(next, size, silent);
    if ((size == 3 && begins(next, size, (const char *const[]){"one", NULL})) ||
        begins(next, size, one))
        return false;
    if (begins(next, size, you) && !begins(next, size, not_you))
        return false;
    return strchr("aeiou", lower(*next)) != NULL;
}
