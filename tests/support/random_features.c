/* random_features.c - see random_features.h. Everything is text put into the file; where the
 * reader does not take it, the file stays as it was. SPDX-License-Identifier: MIT */
#include "random_features.h"
#include "own.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "problem.h"
#include "random_parts.h"
#include "rules/read/reader.h"

/* ---- Text ------------------------------------------------------------------------------------ */

/* Read, not compiled; its arena is to be freed in any case. */
static bool read_text(const rules_text *text, tz_rules *ret) {
    tz_error error;
    *ret = (tz_rules){.arena = tz_arena_new()};
    if (ret->arena == NULL)
        exit(1);
    return tz_read_rules("", text->at, text->size, ret, &error) == TZ_OK;
}

/* Puts text in at a place; false: there is no room. */
static bool insert(rules_text *text, size_t place, const char *what) {
    size_t size = strlen(what);
    if (text->size + size >= RULES_TEXT)
        return false;
    memmove(text->at + place + size, text->at + place, text->size - place);
    memcpy(text->at + place, what, size);
    text->size += size;
    text->at[text->size] = '\0';
    return true;
}

/* Takes what was tried if it can be read. */
static bool take(rules_text *text, const rules_text *tried) {
    tz_rules rules;
    const bool read = read_text(tried, &rules);
    tz_arena_free(rules.arena);
    if (read)
        *text = *tried;
    return read;
}

/* ---- Declarations ---------------------------------------------------------------------------- */

/* The last item is declared first. */
static void turn_items(rules_text *text, rules_text *tried) {
    char line[512];
    *tried = *text;
    char *first = strstr(tried->at, "\nitem "), *last = first;
    for (char *next = first; (next = strstr(next + 1, "\nitem ")) != NULL;)
        last = next;
    if (first == last)
        return;
    size_t size = strcspn(last + 1, "\n") + 1;
    if (size >= sizeof line)
        return;
    snprintf(line, size + 1, "%s", last + 1);
    size_t from = (size_t)(last + 1 - tried->at), to = (size_t)(first + 1 - tried->at);
    memmove(tried->at + from, tried->at + from + size, tried->size - from - size + 1);
    tried->size -= size;
    insert(tried, to, line);
    take(text, tried);
}

/* Another name for an item: a letter that indices may have too, or one that others get. */
static void rename_item(random_state *random, rules_text *text, rules_text *tried) {
    static const char *const names[] = {"u",      "v",          "it1_any",   "it0_any2",
                                        "it2_at", "used_total", "it1_outer", "at_sum"};
    char old[8];
    const char *name = names[random_below(random, sizeof names / sizeof *names)];
    snprintf(old, sizeof old, "it%u", (unsigned)random_below(random, 3));
    *tried = *text;
    for (char *at = tried->at; (at = strstr(at, old)) != NULL;) {
        if ((at > tried->at && (at[-1] == '_' || (at[-1] >= 'a' && at[-1] <= 'z'))) ||
            at[3] == '_') {
            at++;
            continue;
        }
        size_t place = (size_t)(at - tried->at);
        memmove(at, at + 3, tried->size - place - 3 + 1);
        tried->size -= 3;
        if (!insert(tried, place, name))
            return;
        at = tried->at + place + strlen(name);
    }
    take(text, tried);
}

/* Names of labels, fewer or more than there will be. */
static void add_names(random_state *random, rules_text *text, rules_text *tried) {
    *tried = *text;
    insert(tried, (size_t)(strstr(tried->at, "\nitem ") + 1 - tried->at),
           random_below(random, 2) ? "names   T A n used\n" : "names   m B I # names\n");
    take(text, tried);
}

void add_features(random_state *random, rules_text *text) {
    FREED(rules_text, tried) = malloc(sizeof *tried);
    if (tried == NULL)
        exit(1);
    text->at[text->size] = '\0';
    if (random_below(random, 2))
        turn_items(text, tried);
    if (random_below(random, 3) == 0)
        add_names(random, text, tried);
    while (random_below(random, 2))
        rename_item(random, text, tried);
}

/* ---- Resources ------------------------------------------------------------------------------- */

bool add_resource(random_state *random, const char *name, rules_text *text) {
    tz_rules rules;
    const bool read = read_text(text, &rules);
    const size_t weights = read ? tz_rules_count(&rules, TZ_WEIGHTS) : 0;
    bool added = false;
    for (unsigned tries = 0; tries < 3 && weights > 0; tries++) {
        const tz_weight *w = weight_of(&rules, random_below(random, weights));
        const unsigned q = w->rank ? (unsigned)random_below(random, w->rank) : 0;
        const unsigned more = (unsigned)random_below(random, 3);
        rules_text tried = *text;
        put_text(&tried, "resource %s %s", name, w->name);
        for (unsigned i = 0; i < w->rank; i++)
            put_text(&tried, "%s%s", i > 0 ? "," : "[", w->index_name[i]);
        put_text(&tried, "%s ", w->rank > 0 ? "]" : "");
        if (w->rank > 0 && random_below(random, 2))
            put_text(&tried, "%s+%u\n", w->index_name[q], more);
        else
            put_text(&tried, "%u\n", more);
        added |= take(text, &tried); /* not what is negative somewhere */
    }
    tz_arena_free(rules.arena);
    return added;
}
