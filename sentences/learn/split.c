/* split.c - see split.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/split.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "sentences/learn/decode.h"
#include "sentences/learn/find_words.h"
#include "sentences/text/layout.h"
#include "sentences/text/marks.h"

const char *const tz_split_label[] = {"in", "end"};

struct tz_line_splitter {
    tz_splitter *rules;
    tz_word_finder *finder;
    const tz_model *model; /* NULL: none, then neither is a decoder */
    tz_decoder *decoder;
    tz_token *sentence;
    size_t capacity;
};

tz_status tz_line_splitter_new(const tz_model *opt_model, const tz_model *opt_words,
                               tz_line_splitter **ret_splitter, tz_error *opt_error) {
    *ret_splitter = NULL;
    tz_line_splitter *s = calloc(1, sizeof *s);
    if (!s)
        return TZ_NO_MEMORY;
    s->model = opt_model;
    tz_status status = tz_splitter_new(&s->rules, opt_error);
    if (status == TZ_OK)
        status = tz_word_finder_new(opt_words, &s->finder, opt_error);
    if (status == TZ_OK && opt_model)
        status = tz_decoder_new(opt_model, 1, &s->decoder, opt_error);
    if (status != TZ_OK) {
        tz_line_splitter_free(s);
        return status;
    }
    *ret_splitter = s;
    return TZ_OK;
}

void tz_line_splitter_free(tz_line_splitter *splitter) {
    if (splitter) {
        tz_splitter_free(splitter->rules);
        tz_word_finder_free(splitter->finder);
        tz_decoder_free(splitter->decoder);
        free(splitter->sentence);
        free(splitter);
    }
}

tz_status tz_line_words(tz_line_splitter *splitter, tz_arena *arena, const char *text, size_t size,
                        tz_sentence *ret_words, const tz_token **ret_token) {
    static const char *const said[2][3] = {{"close", "blank", "last"},
                                           {"end-close", "end-blank", "end-last"}};
    const tz_token *end, *token = NULL;
    size_t ends, count = 0, e = 0;
    tz_status status = tz_split_line(splitter->rules, text, size, &end, &ends);
    if (status == TZ_OK)
        status = tz_find_tokens(splitter->finder, text, size, &token, &count);
    if (status == TZ_OK && count > TZ_CONLLU_WORDS)
        status = TZ_TOO_LARGE;
    if (status == TZ_OK)
        status = tz_sentence_new(arena, (int32_t)count, ret_words);
    for (size_t t = 0; t < count && status == TZ_OK; t++) {
        const char *form =
            tz_arena_text(arena, text + token[t].begin, token[t].end - token[t].begin);
        status = form ? tz_sentence_form(arena, ret_words, (int32_t)t + 1, form) : TZ_NO_MEMORY;
        if (status != TZ_OK)
            break;
        while (e < ends && end[e].end < token[t].end)
            e++;
        bool stops = e < ends && end[e].end == token[t].end, last = t + 1 == count;
        bool blank = !last && token[t + 1].begin > token[t].end;
        tz_sentence_column(ret_words, (int32_t)t + 1, TZ_UPOS,
                           said[stops][last    ? 2
                                       : blank ? 1
                                               : 0]);
    }
    *ret_token = token;
    return status;
}

/* The sentences that end with words of that label, and with the last word. */
static tz_status collect(tz_line_splitter *s, const tz_token *token, size_t count,
                         const int32_t *label, size_t *ret_count) {
    const int32_t end = tz_labels_find(&s->model->labels, tz_split_label[TZ_SPLIT_END]);
    bool grown = TZ_GROW(s->sentence, &s->capacity, count + 1);
    *ret_count = 0;
    for (size_t t = 0, begin = 0; grown && t < count; t++)
        if (label[t + 1] == end || t + 1 == count) {
            s->sentence[(*ret_count)++] = (tz_token){token[begin].begin, token[t].end};
            begin = t + 1;
        }
    return grown ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status split_plain(tz_line_splitter *splitter, const char *text, size_t size,
                             const tz_token **ret_sentence, size_t *ret_count) {
    if (!splitter->model)
        return tz_split_line(splitter->rules, text, size, ret_sentence, ret_count);
    tz_arena *arena = tz_arena_new();
    tz_sentence words;
    const tz_sentence *list[] = {&words};
    const tz_token *token;
    const int32_t *const *answer;
    tz_status status =
        arena ? tz_line_words(splitter, arena, text, size, &words, &token) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_decode(splitter->decoder, splitter->model->weight, list, 1, &answer, NULL);
    if (status == TZ_OK)
        status = collect(splitter, token, (size_t)words.words, answer[0], ret_count);
    *ret_sentence = splitter->sentence;
    tz_arena_free(arena);
    return status;
}

/* The text without its footnotes, of which origin[i] says where byte i stood. Returns its size. */
static size_t drop_footnotes(const char *text, size_t size, char *plain, size_t *origin) {
    size_t count = 0, end;
    for (size_t at = 0; at < size; at = end) {
        end = at > 0 && !strchr(" \t", text[at - 1]) ? tz_footnotes(text, size, at) : at;
        if (end > at)
            continue;
        end = at + 1;
        origin[count] = at;
        plain[count++] = text[at];
    }
    return count;
}

static tz_status split_noted(tz_line_splitter *s, const char *text, size_t size,
                             const tz_token **ret_sentence, size_t *ret_count) {
    if (!memchr(text, '[', size))
        return split_plain(s, text, size, ret_sentence, ret_count);
    const tz_token *found;
    tz_arena *arena = tz_arena_new();
    char *plain = arena ? tz_arena_array(arena, size, 1) : NULL;
    size_t *origin = plain ? tz_arena_array(arena, size, sizeof *origin) : NULL;
    tz_status status =
        origin ? split_plain(s, plain, drop_footnotes(text, size, plain, origin), &found, ret_count)
               : TZ_NO_MEMORY;
    if (status == TZ_OK && !TZ_GROW(s->sentence, &s->capacity, *ret_count))
        status = TZ_NO_MEMORY;
    for (size_t i = 0; status == TZ_OK && i < *ret_count; i++)
        s->sentence[i] = (tz_token){origin[found[i].begin],
                                    tz_footnotes(text, size, origin[found[i].end - 1] + 1)};
    *ret_sentence = s->sentence;
    tz_arena_free(arena);
    return status;
}

tz_status tz_line_split(tz_line_splitter *s, const char *text, size_t size,
                        const tz_token **ret_sentence, size_t *ret_count) {
    size_t dateline = tz_line_dateline(text, size);
    tz_status status = split_noted(s, text + dateline, size - dateline, ret_sentence, ret_count);
    if (status != TZ_OK || dateline == 0)
        return status;
    bool own = *ret_sentence == s->sentence;
    if (!TZ_GROW(s->sentence, &s->capacity, *ret_count + 1))
        return TZ_NO_MEMORY;
    memmove(s->sentence + 1, own ? s->sentence : *ret_sentence, *ret_count * sizeof *s->sentence);
    for (size_t i = 1; i <= *ret_count; i++)
        s->sentence[i] = (tz_token){s->sentence[i].begin + dateline, s->sentence[i].end + dateline};
    s->sentence[0] = (tz_token){strspn(text, " \t"), dateline};
    *ret_sentence = s->sentence;
    ++*ret_count;
    return TZ_OK;
}
