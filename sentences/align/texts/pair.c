/* pair.c - see pair.h. SPDX-License-Identifier: MIT */
#include "sentences/align/texts/pair.h"

#include <string.h>

#include "base/fail.h"

static tz_status tokenise(tz_arena *arena, tz_tokeniser *tokeniser, const char *text,
                          const char **ret_word, size_t *ret_words) {
    const tz_token *token;
    tz_status status = tz_tokenise(tokeniser, text, strlen(text), &token, ret_words);
    for (size_t w = 0; status == TZ_OK && ret_word && w < *ret_words; w++) {
        ret_word[w] = tz_arena_text(arena, text + token[w].begin, token[w].end - token[w].begin);
        status = ret_word[w] ? TZ_OK : TZ_NO_MEMORY;
    }
    return status;
}

static tz_status words_of(tz_arena *arena, tz_tokeniser *tokeniser, const char *text,
                          const char **ret_word, size_t *ret_words) {
    return tokeniser ? tokenise(arena, tokeniser, text, ret_word, ret_words)
                     : tz_arena_words(arena, text, ret_word, ret_words);
}

tz_status tz_side_of_text(tz_arena *arena, tz_tokeniser *tokeniser, const char *text,
                          tz_side *ret_side) {
    size_t words;
    tz_status status = words_of(arena, tokeniser, text, NULL, &words);
    const char **word = status == TZ_OK ? tz_arena_array(arena, words, sizeof *word) : NULL;
    if (!word)
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    *ret_side = (tz_side){.word = word, .words = words};
    return words_of(arena, tokeniser, text, word, &words);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A list of words. With ret_word NULL they are only counted. */
static tz_status read_words(tz_arena *arena, const json_t *list, const char *key, size_t sentence,
                            const char **ret_word, size_t *ret_words, tz_error *error) {
    *ret_words = json_array_size(list);
    for (size_t w = 0; w < *ret_words; w++) {
        const json_t *word = json_array_get(list, w);
        if (!json_is_string(word) || json_string_length(word) == 0) {
            return tz_fail(error, TZ_BAD_ARGUMENT, "%s[%zu][%zu]: expected a word, not %s", key,
                           sentence, w,
                           json_is_string(word) ? "an empty string" : tz_json_kind(word));
        }
        if (ret_word && !(ret_word[w] = tz_arena_text(arena, json_string_value(word),
                                                      json_string_length(word))))
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

static tz_status read_sentence(tz_arena *arena, tz_tokeniser *tokeniser, const json_t *sentence,
                               const char *key, size_t number, const char **ret_word,
                               size_t *ret_words, tz_error *error) {
    if (json_is_string(sentence))
        return words_of(arena, tokeniser, json_string_value(sentence), ret_word, ret_words);
    if (json_is_array(sentence))
        return read_words(arena, sentence, key, number, ret_word, ret_words, error);
    return tz_fail(error, TZ_BAD_ARGUMENT,
                   "%s[%zu]: expected a sentence, a string or a list of words, not %s", key, number,
                   tz_json_kind(sentence));
}

static tz_status read_side(tz_arena *arena, tz_tokeniser *tokeniser, const json_t *value,
                           const char *key, tz_side *ret_side, tz_error *error) {
    if (json_is_string(value))
        return tz_side_of_text(arena, tokeniser, json_string_value(value), ret_side);
    if (!json_is_array(value))
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "%s: expected a string or a list of sentences, not %s", key,
                       tz_json_kind(value));
    const char **word = NULL;
    size_t sentences = json_array_size(value), total = 0;
    size_t *end = tz_arena_array(arena, sentences, sizeof *end);
    if (!end)
        return TZ_NO_MEMORY;
    for (int round = 0; round < 2; round++) {
        size_t at = 0;
        for (size_t s = 0; s < sentences; s++) {
            size_t words;
            tz_status status = read_sentence(arena, tokeniser, json_array_get(value, s), key, s,
                                             word ? word + at : NULL, &words, error);
            if (status != TZ_OK)
                return status;
            at += words;
            end[s] = at;
        }
        if (round == 0 && !(word = tz_arena_array(arena, at, sizeof *word)))
            return TZ_NO_MEMORY;
        total = at;
    }
    *ret_side = (tz_side){word, total, end, sentences};
    return TZ_OK;
}

tz_status tz_pair_read(tz_arena *arena, tz_tokeniser *tokeniser, const json_t *object,
                       tz_pair *ret_pair, tz_error *error) {
    static const char *const names[2][2] = {{"document", "source"}, {"abstract", "target"}};
    tz_side *side[] = {&ret_pair->document, &ret_pair->abstract};
    *ret_pair = (tz_pair){0};
    for (size_t s = 0; s < 2; s++) {
        const char *key = json_object_get(object, names[s][0]) ? names[s][0] : names[s][1];
        const json_t *value = json_object_get(object, key);
        tz_status status = value ? read_side(arena, tokeniser, value, key, side[s], error) : TZ_OK;
        if (status == TZ_NO_MEMORY || status == TZ_TOO_LARGE)
            return tz_fail(error, status, "%s", tz_status_name(status));
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

tz_status tz_side_sentences(tz_arena *arena, const tz_side *side, const uint32_t **ret_begin,
                            size_t *ret_sentences) {
    size_t sentences = side->sentences > 0 ? side->sentences : 1;
    uint32_t *begin = tz_arena_array(arena, sentences + 1, sizeof *begin);
    if (!begin)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s + 1 < sentences; s++)
        begin[s + 1] = (uint32_t)side->opt_end[s];
    begin[sentences] = (uint32_t)side->words;
    *ret_begin = begin;
    *ret_sentences = sentences;
    return TZ_OK;
}
