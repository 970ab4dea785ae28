/* tokenise.c - lines into tokens: Unicode's segments, joined and split as treebanks do.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "sentences/text/joins.h"
#include "sentences/text/segment.h"
#include "sentences/text/tokens.h"

struct tz_tokeniser {
    tz_segmenter *segmenter;
    uint8_t *kind; /* of the line's bytes */
    size_t kinds;
    tz_token *token;
    size_t count, capacity;
};

tz_status tz_tokeniser_new(tz_tokeniser **ret_tokeniser, tz_error *opt_error) {
    *ret_tokeniser = NULL;
    tz_tokeniser *tokeniser = calloc(1, sizeof *tokeniser);
    if (!tokeniser)
        return TZ_NO_MEMORY;
    tz_status status = tz_segmenter_new(TZ_SEGMENTS_WORDS, &tokeniser->segmenter, opt_error);
    if (status != TZ_OK) {
        free(tokeniser);
        return status;
    }
    *ret_tokeniser = tokeniser;
    return TZ_OK;
}

void tz_tokeniser_free(tz_tokeniser *tokeniser) {
    if (tokeniser) {
        tz_segmenter_free(tokeniser->segmenter);
        free(tokeniser->kind);
        free(tokeniser->token);
        free(tokeniser);
    }
}

/* One token, or its parts, the last of which come off first. */
static bool add(tz_tokeniser *tokeniser, const char *text, size_t begin, size_t end, bool whole) {
    if (!TZ_GROW(tokeniser->token, &tokeniser->capacity, tokeniser->count + (end - begin)))
        return false;
    size_t first = tokeniser->count, at;
    while (!whole && (at = tz_split(text, begin, end)) < end) {
        tokeniser->token[tokeniser->count++] = (tz_token){at, end};
        end = at;
    }
    tokeniser->token[tokeniser->count++] = (tz_token){begin, end};
    for (size_t low = first, high = tokeniser->count - 1; low < high; low++, high--) {
        tz_token other = tokeniser->token[low];
        tokeniser->token[low] = tokeniser->token[high];
        tokeniser->token[high] = other;
    }
    return true;
}

static bool add_chunk(tz_tokeniser *tokeniser, const tz_chunk *chunk) {
    for (size_t at = chunk->begin, end; at < chunk->end; at = end) {
        end = tz_join(chunk, at);
        bool whole = end > at;
        if (!whole)
            do {
                end++;
            } while (end < chunk->end && !(chunk->kind[end] & TZ_CUT));
        if (!add(tokeniser, chunk->text, at, end, whole))
            return false;
    }
    return true;
}

tz_status tz_tokenise(tz_tokeniser *tokeniser, const char *text, size_t size,
                      const tz_token **ret_token, size_t *ret_count) {
    bool grown = TZ_GROW(tokeniser->kind, &tokeniser->kinds, size);
    tz_status status =
        grown ? tz_segment(tokeniser->segmenter, text, size, tokeniser->kind) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    const uint8_t *kind = tokeniser->kind;
    while (size > 0 && kind[size - 1] & TZ_SPACE)
        size--;
    tokeniser->count = 0;
    for (size_t at = 0; at < size;) {
        if (kind[at] & TZ_SPACE) {
            at++;
            continue;
        }
        tz_chunk chunk = {.text = text, .kind = kind, .begin = at, .end = at};
        while (chunk.end < size && !(kind[chunk.end] & TZ_SPACE))
            chunk.end++;
        chunk.last = chunk.end == size;
        if (!add_chunk(tokeniser, &chunk))
            return TZ_NO_MEMORY;
        at = chunk.end;
    }
    *ret_token = tokeniser->token;
    *ret_count = tokeniser->count;
    return TZ_OK;
}
