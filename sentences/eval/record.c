/* record.c - see record.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/record.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "sentences/eval/align.h"

static tz_status no_memory(tz_error *error) {
    return tz_fail(error, TZ_NO_MEMORY, "out of memory");
}

tz_status tz_record_parse(tz_arena *arena, const char *line, size_t size, const json_t **ret_record,
                          tz_error *error) {
    const json_t *value;
    tz_status status = tz_json_parse(arena, line, size, &value, error);
    if (status == TZ_OK && !json_is_object(value))
        return tz_fail(error, TZ_BAD_ARGUMENT, "expected an object {...}, not %s",
                       tz_json_kind(value));
    *ret_record = status == TZ_OK ? value : NULL;
    return status;
}

tz_status tz_record_id(tz_arena *arena, const json_t *record, const char **ret_id,
                       tz_error *error) {
    const json_t *id = json_object_get(record, "id");
    *ret_id = NULL;
    if (!id || json_is_null(id))
        return TZ_OK;
    if (json_is_string(id)) {
        *ret_id = tz_arena_text(arena, json_string_value(id), json_string_length(id));
    } else {
        tz_text text = {0};
        if (tz_json_print(arena, id, &text) == TZ_OK)
            *ret_id = tz_arena_text(arena, text.data, text.size);
        tz_text_free(&text);
    }
    return *ret_id ? TZ_OK : no_memory(error);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static tz_status list_of(tz_arena *arena, const json_t *record, const char *key,
                         const char *const **ret_word, size_t *ret_words, tz_error *error) {
    const json_t *value = json_object_get(record, key);
    size_t words = json_array_size(value); /* 0 where it is none */
    *ret_word = NULL;
    *ret_words = 0;
    if (!value)
        return TZ_OK;
    if (!json_is_string(value) && !json_is_array(value)) {
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "%s: expected a string with blanks between the words or a list, not %s", key,
                       tz_json_kind(value));
    }
    if (json_is_string(value))
        tz_arena_words(arena, json_string_value(value), NULL, &words);
    const char **word = tz_arena_array(arena, words, sizeof *word);
    if (!word)
        return no_memory(error);
    if (json_is_string(value) &&
        tz_arena_words(arena, json_string_value(value), word, &words) != TZ_OK)
        return no_memory(error);
    for (size_t w = 0; json_is_array(value) && w < words; w++) {
        const json_t *entry = json_array_get(value, w);
        if (!json_is_string(entry) || json_string_value(entry)[0] == '\0') {
            return tz_fail(error, TZ_BAD_ARGUMENT, "%s[%zu]: expected a word, not %s", key, w,
                           json_is_string(entry) ? "an empty string" : tz_json_kind(entry));
        }
        if (!(word[w] = tz_arena_text(arena, json_string_value(entry), json_string_length(entry))))
            return no_memory(error);
    }
    *ret_word = word;
    *ret_words = words;
    return TZ_OK;
}

tz_status tz_record_words(tz_arena *arena, const json_t *record, const char *const **ret_word,
                          size_t *ret_words, tz_error *error) {
    const char *key = json_object_get(record, "tokens") ? "tokens" : "words";
    return list_of(arena, record, key, ret_word, ret_words, error);
}

tz_status tz_record_tags(tz_arena *arena, const json_t *record, size_t words,
                         const char *const **ret_tag, tz_error *error) {
    size_t tags;
    tz_status status = list_of(arena, record, "pos", ret_tag, &tags, error);
    if (status == TZ_OK && *ret_tag && tags != words)
        return tz_fail(error, TZ_BAD_ARGUMENT, "pos: %zu tags for %zu words", tags, words);
    return status;
}

/* ---- Compressions ---------------------------------------------------------------------------- */

/* The sentence, the record, and where in it something is wrong: "keep", "keep[1]". */
typedef struct reader {
    tz_arena *arena;
    const json_t *record;
    const char *const *word;
    size_t words;
    char place[64];
    tz_error *error;
} reader;

static void at(reader *r, const char *key, bool list, size_t index) {
    if (list)
        snprintf(r->place, sizeof r->place, "%s[%zu]", key, index);
    else
        snprintf(r->place, sizeof r->place, "%s", key);
}

static tz_status bad_count(reader *r, size_t count) {
    return tz_fail(r->error, TZ_BAD_ARGUMENT, "%s: %zu marks for %zu words", r->place, count,
                   r->words);
}

/* "1101" */
static tz_status keep_of_string(reader *r, const char *text, uint8_t *ret_keep) {
    if (text[strspn(text, "01")] != '\0') {
        return tz_fail(r->error, TZ_BAD_ARGUMENT,
                       "%s: expected 0 or 1 for each word, as in \"1101\"; a compression's "
                       "words are \"compression\"",
                       r->place);
    }
    if (strlen(text) != r->words)
        return bad_count(r, strlen(text));
    for (size_t w = 0; w < r->words; w++)
        ret_keep[w] = text[w] == '1';
    return TZ_OK;
}

/* [1,1,0,1] or [true,true,false,true] */
static tz_status keep_of_list(reader *r, const json_t *list, uint8_t *ret_keep) {
    if (json_array_size(list) != r->words)
        return bad_count(r, json_array_size(list));
    for (size_t w = 0; w < r->words; w++) {
        const json_t *mark = json_array_get(list, w);
        bool one = json_is_true(mark) || (json_is_integer(mark) && json_integer_value(mark) == 1);
        bool zero = json_is_false(mark) || (json_is_integer(mark) && json_integer_value(mark) == 0);
        if (!one && !zero)
            return tz_fail(r->error, TZ_BAD_ARGUMENT, "%s: the mark of word %zu is neither 0 nor 1",
                           r->place, w + 1);
        ret_keep[w] = one;
    }
    return TZ_OK;
}

tz_status tz_record_text(tz_arena *arena, const char *text, const char *const *word, size_t words,
                         tz_compression *ret_compression, tz_error *error) {
    uint8_t *keep = tz_arena_array(arena, words, 1);
    tz_status status = keep ? tz_align(word, words, text, keep) : TZ_NO_MEMORY;
    *ret_compression = (tz_compression){.keep = keep};
    switch (status) {
    case TZ_OK:
        return TZ_OK;
    case TZ_NONE:
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "the compression is not made of words of the sentence, in their order");
    case TZ_TOO_LARGE:
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "sentence and compression are too long to be aligned; give \"keep\"");
    default:
        return no_memory(error);
    }
}

static tz_status text_of(reader *r, const json_t *value, uint8_t *ret_keep) {
    tz_text text = {0};
    for (size_t w = 0; w < json_array_size(value); w++) {
        const json_t *entry = json_array_get(value, w);
        if (!json_is_string(entry)) {
            tz_text_free(&text);
            return tz_fail(r->error, TZ_BAD_ARGUMENT, "%s: expected a word, not %s", r->place,
                           tz_json_kind(entry));
        }
        tz_text_put(&text, json_string_value(entry));
    }
    if (json_is_string(value))
        tz_text_put(&text, json_string_value(value));
    tz_text_add(&text, "", 1);
    tz_compression compression;
    tz_error error = {TZ_OK, ""};
    tz_status status =
        text.failed ? no_memory(&error)
                    : tz_record_text(r->arena, text.data, r->word, r->words, &compression, &error);
    tz_text_free(&text);
    if (status == TZ_OK) {
        memcpy(ret_keep, compression.keep, r->words);
        return TZ_OK;
    }
    return status == TZ_NO_MEMORY
               ? no_memory(r->error)
               : tz_fail(r->error, TZ_BAD_ARGUMENT, "%s: %s", r->place, error.message);
}

/* Is it a list of compressions, and not one? Marks are numbers or a string. */
static bool several_keeps(const json_t *keep) {
    const json_t *first = json_array_get(keep, 0);
    return json_is_string(first) || json_is_array(first);
}

/* One "keep", or "compression". */
static tz_status read_keep(reader *r, const json_t *value, bool text, uint8_t *ret_keep) {
    if (!json_is_string(value) && !json_is_array(value)) {
        return tz_fail(r->error, TZ_BAD_ARGUMENT, "%s: expected a string or a list, not %s",
                       r->place, tz_json_kind(value));
    }
    return text                    ? text_of(r, value, ret_keep)
           : json_is_string(value) ? keep_of_string(r, json_string_value(value), ret_keep)
                                   : keep_of_list(r, value, ret_keep);
}

/* ---- Trees ----------------------------------------------------------------------------------- */

/* The words that heads are numbered by: all, or the kept ones. ret_number[i]: the word, from 1,
 * that number i stands for; of 0, the root. */
static size_t numbering(const uint8_t *keep, size_t words, bool all, int32_t *ret_number) {
    size_t count = 0;
    ret_number[0] = 0;
    for (size_t w = 0; w < words; w++)
        if (all || keep[w])
            ret_number[++count] = (int32_t)w + 1;
    return count;
}

static tz_status read_heads(reader *r, const json_t *list, const uint8_t *keep, int32_t *ret_head) {
    size_t kept = 0, entries = json_array_size(list);
    for (size_t w = 0; w < r->words; w++) {
        kept += keep[w];
        ret_head[w] = -1;
    }
    if (!json_is_array(list) || (entries != r->words && entries != kept)) {
        return tz_fail(r->error, TZ_BAD_ARGUMENT,
                       "%s: expected a list of %zu heads, one a word, or of %zu, one a kept "
                       "word",
                       r->place, r->words, kept);
    }
    int32_t *number = tz_arena_array(r->arena, r->words + 1, sizeof *number);
    if (!number)
        return no_memory(r->error);
    numbering(keep, r->words, entries == r->words, number);
    for (size_t i = 0; i < entries; i++) {
        const json_t *head = json_array_get(list, i);
        size_t w = (size_t)number[i + 1] - 1;
        if (!keep[w])
            continue;
        json_int_t h = json_is_integer(head) ? json_integer_value(head) : -1;
        if (h < 0 || h > (json_int_t)entries || h == (json_int_t)i + 1) {
            return tz_fail(r->error, TZ_BAD_ARGUMENT,
                           "%s[%zu]: expected the head of a kept word: another word's "
                           "number, or 0",
                           r->place, i);
        }
        ret_head[w] = number[h];
        if (h > 0 && !keep[number[h] - 1]) {
            return tz_fail(r->error, TZ_BAD_ARGUMENT,
                           "%s[%zu]: the head, word %d, is dropped; expected the tree of "
                           "the compression",
                           r->place, i, (int)number[h]);
        }
    }
    return TZ_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static tz_status read_all(reader *r, const json_t *value, const char *key, bool several,
                          tz_compression *compression, size_t count) {
    bool text = strcmp(key, "keep") != 0;
    const json_t *heads = json_object_get(r->record, "heads");
    heads = json_is_null(heads) ? NULL : heads;
    if (heads && several && json_array_size(heads) != count) {
        return tz_fail(r->error, TZ_BAD_ARGUMENT,
                       "heads: expected a list of %zu trees, one for each compression", count);
    }
    for (size_t c = 0; c < count; c++) {
        uint8_t *keep = tz_arena_array(r->arena, r->words, sizeof *keep);
        int32_t *head = heads ? tz_arena_array(r->arena, r->words, sizeof *head) : NULL;
        if (!keep || (heads && !head))
            return no_memory(r->error);
        at(r, key, several, c);
        tz_status status = read_keep(r, several ? json_array_get(value, c) : value, text, keep);
        if (status == TZ_OK && heads) {
            at(r, "heads", several, c);
            status = read_heads(r, several ? json_array_get(heads, c) : heads, keep, head);
        }
        if (status != TZ_OK)
            return status;
        compression[c] = (tz_compression){keep, head};
    }
    return TZ_OK;
}

tz_status tz_record_compressions(tz_arena *arena, const json_t *record, const char *const *word,
                                 size_t words, tz_compression **ret_compression, size_t *ret_count,
                                 tz_error *error) {
    static const char *const keys[] = {"keep", "compression", "compressions"};
    reader r = {.arena = arena, .record = record, .word = word, .words = words, .error = error};
    const json_t *value = NULL;
    size_t k = 0;
    while (k < 3 && !(value = json_object_get(record, keys[k])))
        k++;
    if (!value)
        return tz_fail(error, TZ_BAD_ARGUMENT, "there is no \"keep\" and no \"compression\"");
    if (k == 2 && !json_is_array(value))
        return tz_fail(error, TZ_BAD_ARGUMENT, "compressions: expected a list, not %s",
                       tz_json_kind(value));
    bool several = k == 0 ? several_keeps(value) : k == 2;
    size_t count = several ? json_array_size(value) : 1;
    if (count == 0)
        return tz_fail(error, TZ_BAD_ARGUMENT, "%s: the list is empty", keys[k]);
    tz_compression *compression = tz_arena_array(arena, count, sizeof *compression);
    if (!compression)
        return no_memory(error);
    *ret_compression = compression;
    *ret_count = count;
    return read_all(&r, value, keys[k], several, compression, count);
}
