/* links.c - see links.h. SPDX-License-Identifier: MIT */
#include "sentences/align/texts/links.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static int compare(const void *a, const void *b) {
    const tz_link *x = a, *y = b;
    if (x->document != y->document)
        return x->document < y->document ? -1 : 1;
    return (x->abstract > y->abstract) - (x->abstract < y->abstract);
}

void tz_links_sort(tz_links *links) {
    size_t kept = 0;
    if (links->count > 0)
        qsort(links->link, links->count, sizeof *links->link, compare);
    for (size_t l = 0; l < links->count; l++)
        if (l == 0 || compare(&links->link[kept - 1], &links->link[l]) != 0)
            links->link[kept++] = links->link[l];
    links->count = kept;
}

/* A word's number; moves *at behind it. */
static bool read_number(const char **at, uint32_t *ret_number) {
    uint32_t number = 0;
    const char *first = *at;
    for (; isdigit((unsigned char)**at) && number < TZ_MOST_PAIR_WORDS; ++*at)
        number = 10 * number + (uint32_t)(**at - '0');
    *ret_number = number;
    return *at > first && number < TZ_MOST_PAIR_WORDS;
}

static const char blanks[] = " \t\r\n";

tz_status tz_links_parse(tz_arena *arena, const char *text, tz_links *ret_sure,
                         tz_links *ret_possible, tz_error *error) {
    size_t count = 0;
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        at += strcspn(at, blanks);
        count++;
    }
    *ret_sure = (tz_links){0, tz_arena_array(arena, count, sizeof *ret_sure->link)};
    *ret_possible = (tz_links){0, tz_arena_array(arena, count, sizeof *ret_possible->link)};
    if (!ret_sure->link || !ret_possible->link)
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        const char *first = at;
        tz_link link;
        char mark = read_number(&at, &link.document) ? *at : '\0';
        at += mark != '\0';
        if (!strchr("-p?", mark) || mark == '\0' || !read_number(&at, &link.abstract) ||
            !strchr(blanks, *at)) {
            int size = (int)strcspn(first, blanks);
            return tz_fail(error, TZ_BAD_ARGUMENT,
                           "'%.*s' is no link: write i-j, with the numbers of two words, which "
                           "count from 0, or ipj where it is possible and not sure",
                           size < 40 ? size : 40, first);
        }
        tz_links *links = mark == '-' ? ret_sure : ret_possible;
        links->link[links->count++] = link;
    }
    tz_links_sort(ret_sure);
    tz_links_sort(ret_possible);
    return TZ_OK;
}

void tz_links_print(const tz_links *links, tz_text *text) {
    for (size_t l = 0; l < links->count; l++) {
        char link[32];
        snprintf(link, sizeof link, "%s%u-%u", l > 0 ? " " : "", (unsigned)links->link[l].document,
                 (unsigned)links->link[l].abstract);
        tz_text_put(text, link);
    }
}

tz_status tz_links_join(tz_arena *arena, const tz_links *a, const tz_links *b,
                        tz_links *ret_links) {
    tz_link *link = tz_arena_array(arena, a->count + b->count, sizeof *link);
    if (!link)
        return TZ_NO_MEMORY;
    if (a->count > 0)
        memcpy(link, a->link, a->count * sizeof *link);
    if (b->count > 0)
        memcpy(link + a->count, b->link, b->count * sizeof *link);
    *ret_links = (tz_links){a->count + b->count, link};
    tz_links_sort(ret_links);
    return TZ_OK;
}

size_t tz_links_common(const tz_links *a, const tz_links *b) {
    size_t count = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        int order = compare(&a->link[i], &b->link[j]);
        count += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

bool tz_phrases_same(const tz_phrase_pair *phrase, const tz_form *document,
                     const tz_form *abstract) {
    uint32_t words = phrase->abstract[1] - phrase->abstract[0];
    if (phrase->document[1] - phrase->document[0] != words)
        return false;
    for (uint32_t w = 0; w < words; w++)
        if (document[phrase->document[0] + w].word != abstract[phrase->abstract[0] + w].word)
            return false;
    return true;
}

tz_status tz_links_of_phrases(tz_arena *arena, const tz_phrase_pair *phrase, size_t phrases,
                              const tz_form *document, const tz_form *abstract,
                              tz_links *ret_links) {
    size_t room = 0, count = 0;
    for (size_t f = 0; f < phrases; f++)
        room += (size_t)(phrase[f].document[1] - phrase[f].document[0]) *
                (phrase[f].abstract[1] - phrase[f].abstract[0]);
    tz_link *link = tz_arena_array(arena, room, sizeof *link);
    if (!link)
        return TZ_NO_MEMORY;
    for (size_t f = 0; f < phrases; f++) {
        const uint32_t *d = phrase[f].document, *a = phrase[f].abstract;
        bool diagonal = document && tz_phrases_same(&phrase[f], document, abstract);
        for (uint32_t i = d[0]; i < d[1]; i++)
            for (uint32_t j = a[0]; j < a[1]; j++)
                if (!diagonal || i - d[0] == j - a[0])
                    link[count++] = (tz_link){i, j};
    }
    *ret_links = (tz_links){count, link};
    tz_links_sort(ret_links);
    return TZ_OK;
}
