/* kept.c - see kept.h. SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/sentence/projective.h"

/* The value of `Kept` among the fields of MISC, `Name=value|Name=value`; NULL: there is none. */
static const char *kept_field(const char *misc) {
    static const char name[] = "Kept=";
    while (misc && strncmp(misc, name, sizeof name - 1) != 0) {
        misc = strchr(misc, '|');
        misc = misc ? misc + 1 : NULL;
    }
    return misc ? misc + sizeof name - 1 : NULL;
}

/* -1: not a position of the sentence. */
static int32_t read_head(const char *text, int32_t n) {
    char *end;
    long number = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    return number >= 0 && number <= n && (*end == '\0' || *end == '|') ? (int32_t)number : -1;
}

static tz_status check_tree(const char *file, const tz_conllu_sentence *from, const int32_t *head,
                            tz_error *opt_error) {
    for (int32_t m = 1; m <= from->words; m++) {
        int32_t steps = 0, a = m;
        if (head[m] < 0)
            continue;
        if (head[m] > 0 && head[head[m]] < 0) {
            return tz_bad_input(opt_error, file, from->word[m]->line,
                                "word %d is kept and modifies word %d, which is not: the head of a "
                                "kept word is another one, or 0",
                                (int)m, (int)head[m]);
        }
        while (a > 0 && steps++ <= from->words)
            a = head[a];
        if (a != 0) {
            return tz_bad_input(opt_error, file, from->word[m]->line,
                                "the kept words are no tree: word %d is among its own heads, or "
                                "below such a word",
                                (int)m);
        }
    }
    return TZ_OK;
}

/* The kept words as a sentence of their own: its tree without crossing arcs. */
static bool lift(int32_t *compression, int32_t n) {
    size_t positions = (size_t)n + 1;
    int32_t *place = calloc(positions, sizeof *place); /* among the kept words */
    int32_t *word = calloc(positions, sizeof *word);   /* and back */
    int32_t *head = calloc(positions, sizeof *head);
    int32_t kept = 0;
    bool room = place && word && head;
    for (int32_t m = 1; room && m <= n; m++) {
        if (compression[m] >= 0) {
            place[m] = ++kept;
            word[kept] = m;
        }
    }
    for (int32_t k = 1; room && k <= kept; k++)
        head[k] = place[compression[word[k]]];
    if (room && tz_projectivise(head, kept) > 0)
        for (int32_t k = 1; k <= kept; k++)
            compression[word[k]] = word[head[k]];
    free(place);
    free(word);
    free(head);
    return room;
}

tz_status tz_kept_read(tz_arena *arena, const char *file, const tz_conllu_sentence *from,
                       tz_sentence *to, tz_error *opt_error) {
    bool any = false;
    to->compression = NULL;
    for (int32_t m = 1; m <= from->words; m++)
        any |= kept_field(from->word[m]->column[TZ_MISC]) != NULL;
    if (!any)
        return TZ_OK;
    int32_t *head = tz_arena_array(arena, (size_t)from->words + 1, sizeof *head);
    if (!head)
        return TZ_NO_MEMORY;
    for (int32_t m = 1; m <= from->words; m++) {
        const char *field = kept_field(from->word[m]->column[TZ_MISC]);
        head[m] = field ? read_head(field, from->words) : -1;
        if (field && head[m] < 0) {
            return tz_bad_input(opt_error, file, from->word[m]->line,
                                "word %d: Kept=%.*s is no word of the sentence", (int)m,
                                (int)strcspn(field, "|"), field);
        }
    }
    tz_status status = check_tree(file, from, head, opt_error);
    if (status == TZ_OK && !lift(head, from->words))
        status = TZ_NO_MEMORY;
    to->compression = status == TZ_OK ? head : NULL;
    return status;
}

int32_t tz_kept_single_root(int32_t *compression, int32_t n) {
    int32_t root = 0, moved = 0;
    for (int32_t m = 1; m <= n; m++) {
        if (compression[m] == 0 && root > 0) {
            compression[m] = root;
            moved++;
        }
        root = compression[m] == 0 ? m : root;
    }
    return moved;
}

tz_overlap tz_kept_overlap(const int32_t *compression, const int32_t *gold, int32_t n) {
    tz_overlap overlap = {0};
    for (int32_t m = 1; m <= n; m++) {
        overlap.kept += compression[m] >= 0;
        overlap.gold += gold[m] >= 0;
        overlap.both += compression[m] >= 0 && gold[m] >= 0;
    }
    return overlap;
}

double tz_overlap_f1(const tz_overlap *overlap) {
    int32_t all = overlap->kept + overlap->gold;
    return all > 0 ? 2 * (double)overlap->both / (double)all : 1;
}
