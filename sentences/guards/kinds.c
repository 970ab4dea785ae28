/* kinds.c - see kinds.h. SPDX-License-Identifier: MIT */
#include "sentences/guards/kinds.h"

#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "sentences/features/tables/hash.h"
#include "sentences/guards/table.h"

/* A word or tag of a list, or several words. */
typedef struct member {
    const uint64_t *hash;
    int32_t words;
    unsigned is;
    bool tag;
    bool always; /* whatever phrase it is in */
} member;

struct tz_kinds {
    member *member; /* by the first hash */
    size_t members;
};

static size_t count_members(const tz_guard_class *class) {
    size_t count = 0;
    for (; class->list; class ++)
        for (const char *at = class->list; *(at += strspn(at, " ")); at += strcspn(at, " "))
            count++;
    return count;
}

static tz_status read_member(tz_arena *arena, const tz_guard_class *class, const char *text,
                             size_t size, member *ret_member) {
    char *copy = tz_arena_text(arena, text, size);
    int32_t words = 1;
    for (size_t c = 0; copy && !class->tags && c < size; c++)
        words += copy[c] == '_';
    uint64_t *hash = tz_arena_array(arena, (size_t)words, sizeof *hash);
    if (!copy || !hash)
        return TZ_NO_MEMORY;
    *ret_member = (member){hash, words, class->is, class->tags, false};
    if (class->tags)
        hash[0] = tz_hash_text(copy, size);
    for (int32_t w = 0; w < words && !class->tags; w++) {
        size_t length = strcspn(copy, "_");
        tz_word word;
        copy[length] = '\0';
        tz_word_read(copy, &word);
        hash[w] = word.lower;
        copy += length + 1;
    }
    return TZ_OK;
}

static tz_status read_classes(tz_arena *arena, const tz_guard_class *class, bool always,
                              tz_kinds *kinds) {
    tz_status status = TZ_OK;
    for (; class->list; class ++)
        for (const char *at = class->list; *(at += strspn(at, " ")) && status == TZ_OK;) {
            size_t size = strcspn(at, " ");
            member *member = &kinds->member[kinds->members++];
            status = read_member(arena, class, at, size, member);
            member->always = always;
            at += size;
        }
    return status;
}

static tz_status sort_members(tz_arena *arena, tz_kinds *kinds) {
    size_t count = kinds->members;
    tz_keyed *keyed = tz_arena_array(arena, 2 * count, sizeof *keyed);
    member *sorted = tz_arena_array(arena, count, sizeof *sorted);
    if (!keyed || !sorted)
        return TZ_NO_MEMORY;
    for (size_t m = 0; m < count; m++)
        keyed[m] = (tz_keyed){kinds->member[m].hash[0], m};
    keyed = tz_sort_keyed(keyed, keyed + count, count);
    for (size_t m = 0; m < count; m++)
        sorted[m] = kinds->member[keyed[m].number];
    kinds->member = sorted;
    return TZ_OK;
}

tz_status tz_kinds_new(tz_arena *arena, tz_kinds **ret_kinds) {
    tz_kinds *k = *ret_kinds = tz_arena_array(arena, 1, sizeof *k);
    size_t count = count_members(tz_guard_classes) + count_members(tz_guard_words);
    if (!k || !(k->member = tz_arena_array(arena, count, sizeof *k->member)))
        return TZ_NO_MEMORY;
    tz_status status = read_classes(arena, tz_guard_classes, true, k);
    status = status == TZ_OK ? read_classes(arena, tz_guard_words, false, k) : status;
    return status == TZ_OK ? sort_members(arena, k) : status;
}

/* The first member with this hash; or that would be behind it. */
static size_t find(const tz_kinds *kinds, uint64_t hash) {
    size_t low = 0, high = kinds->members;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool below = kinds->member[middle].hash[0] < hash;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

static bool is_at(const member *member, const tz_sentence *sentence, int32_t w) {
    if (member->always)
        return false;
    for (int32_t i = 0; i < member->words; i++)
        if (w + i > sentence->words || sentence->word[w + i].lower != member->hash[i])
            return false;
    return true;
}

/* The classes of the longest phrase at w, and how many words it has; 0: none. */
static unsigned longest(const tz_kinds *kinds, const tz_sentence *sentence, int32_t w,
                        int32_t *ret_words) {
    uint64_t hash = sentence->word[w].lower;
    unsigned is = 0;
    *ret_words = 0;
    for (size_t m = find(kinds, hash); m < kinds->members && kinds->member[m].hash[0] == hash;
         m++) {
        const member *member = &kinds->member[m];
        if (member->words < *ret_words || !is_at(member, sentence, w))
            continue;
        is = member->words > *ret_words ? member->is : is | member->is;
        *ret_words = member->words;
    }
    return is;
}

/* The classes that a word or tag has in any phrase. */
static unsigned always(const tz_kinds *kinds, uint64_t hash, bool tag) {
    unsigned is = 0;
    for (size_t m = find(kinds, hash); m < kinds->members && kinds->member[m].hash[0] == hash; m++)
        if (kinds->member[m].always && kinds->member[m].tag == tag)
            is |= kinds->member[m].is;
    return is;
}

void tz_kinds_find(const tz_kinds *kinds, const tz_sentence *sentence, unsigned *ret_is,
                   int32_t *ret_more) {
    for (int32_t w = 1, words; w <= sentence->words; w += words > 1 ? words : 1) {
        unsigned is = longest(kinds, sentence, w, &words);
        for (int32_t i = 0; i < words || i < 1; i++) {
            const tz_word *word = &sentence->word[w + i];
            ret_is[w + i] =
                is | always(kinds, word->lower, false) | always(kinds, word->xpos, true);
            ret_more[w + i] = 0;
        }
        ret_more[w] = words > 1 && is ? words - 1 : 0;
    }
}
