/* lm_words.c - see lm_words.h. SPDX-License-Identifier: MIT */
#include "sentences/lm/lm_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/lm/lm.h"

void tz_lm_words_free(tz_lm_words *words) {
    free(words->start);
    free(words->text);
    free(words->slot);
    *words = (tz_lm_words){0};
}

/* FNV-1a (Fowler, Noll & Vo), the high bits folded into the low ones that choose the slot. */
static uint64_t hash(const char *text, size_t size) {
    uint64_t value = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        value = (value ^ (unsigned char)text[i]) * 0x100000001b3u;
    return value ^ value >> 32;
}

/* The slot of the word, or the free one where it belongs. */
static size_t slot_of(const tz_lm_words *words, const char *text, size_t size) {
    size_t mask = words->slots - 1, at = (size_t)hash(text, size) & mask;
    for (; words->slot[at] != 0; at = (at + 1) & mask) {
        const char *other = tz_lm_words_text(words, words->slot[at] - 1);
        if (strncmp(other, text, size) == 0 && other[size] == '\0')
            break;
    }
    return at;
}

uint32_t tz_lm_words_find(const tz_lm_words *words, const char *text, size_t size) {
    if (words->slots == 0)
        return TZ_LM_NO_WORD;
    if (size == 5 && memcmp(text, "<UNK>", size) == 0)
        text = "<unk>";
    uint32_t found = words->slot[slot_of(words, text, size)];
    return found == 0 ? TZ_LM_NO_WORD : found - 1;
}

/* Half of the slots at least are free. */
static bool make_slots(tz_lm_words *words) {
    if (words->count < words->slots / 2)
        return true;
    size_t slots = words->slots > 0 ? 2 * words->slots : 64;
    uint32_t *slot = slots > words->slots ? calloc(slots, sizeof *slot) : NULL;
    if (!slot)
        return false;
    free(words->slot);
    words->slot = slot;
    words->slots = slots;
    for (uint32_t word = 0; word < words->count; word++) {
        const char *text = tz_lm_words_text(words, word);
        words->slot[slot_of(words, text, strlen(text))] = word + 1;
    }
    return true;
}

tz_status tz_lm_words_add(tz_lm_words *words, const char *text, size_t size, uint32_t *ret_word) {
    uint32_t word = tz_lm_words_find(words, text, size);
    if (word == TZ_LM_NO_WORD) {
        if (words->count >= TZ_LM_NO_WORD - 1 || size >= SIZE_MAX - words->size)
            return TZ_TOO_LARGE;
        bool grown = TZ_GROW(words->start, &words->start_capacity, words->count + 1) &&
                     TZ_GROW(words->text, &words->text_capacity, words->size + size + 1);
        if (!grown || !make_slots(words))
            return TZ_NO_MEMORY;
        word = (uint32_t)words->count++;
        words->slot[slot_of(words, text, size)] = word + 1;
        words->start[word] = words->size;
        memcpy(words->text + words->size, text, size);
        words->size += size;
        words->text[words->size++] = '\0';
    }
    *ret_word = word;
    return TZ_OK;
}

tz_status tz_lm_words_special(tz_lm_words *words) {
    static const char *const text[TZ_LM_SPECIAL] = {
        [TZ_LM_UNKNOWN] = "<unk>", [TZ_LM_BEGIN] = "<s>", [TZ_LM_END] = "</s>"};
    tz_status status = TZ_OK;
    uint32_t word;
    for (size_t i = 0; i < TZ_LM_SPECIAL && status == TZ_OK; i++)
        status = tz_lm_words_add(words, text[i], strlen(text[i]), &word);
    return status;
}
