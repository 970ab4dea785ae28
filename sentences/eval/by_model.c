/* by_model.c - see by_model.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/by_model.h"

#include <string.h>

#include "base/arena.h"
#include "base/fail.h"

enum { PORTION = 64, PORTION_WORDS = 2048 }; /* analysed side by side, about */

static tz_status no_memory(tz_error *opt_error) {
    return tz_fail(opt_error, TZ_NO_MEMORY, "out of memory");
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Which words of a source a sentence has: of word i, 1..count, place[i] - 1; place[0] is 0. */
typedef struct selection {
    size_t count;
    int32_t *place;
} selection;

static bool select_words(tz_arena *arena, const tz_source *source, const uint8_t *opt_keep,
                         selection *ret) {
    *ret = (selection){.place = tz_arena_array(arena, source->words + 1, sizeof *ret->place)};
    for (size_t w = 0; ret->place && w < source->words; w++)
        if (!opt_keep || opt_keep[w])
            ret->place[++ret->count] = (int32_t)w + 1;
    return ret->place != NULL;
}

/* A sentence of these words, with blanks between them. */
static tz_status make_sentence(tz_arena *arena, const tz_source *source, const selection *words,
                               tz_analysed *ret) {
    size_t size = 0, at = 0;
    for (size_t i = 1; i <= words->count; i++)
        size += strlen(source->word[words->place[i] - 1]) + 1;
    char *line = tz_arena_array(arena, size + 1, 1);
    tz_token *token = tz_arena_array(arena, words->count, sizeof *token);
    if (!line || !token)
        return TZ_NO_MEMORY;
    for (size_t i = 1; i <= words->count; i++) {
        const char *word = source->word[words->place[i] - 1];
        size_t length = strlen(word);
        memcpy(line + at, word, length);
        token[i - 1] = (tz_token){at, at + length};
        at += length;
        line[at++] = ' ';
    }
    return tz_analysed_tokens(arena, line, token, words->count, ret);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* The tree of the selected words, in the numbers of the source. */
static bool take_tree(tz_arena *arena, const tz_by_model *item, const selection *words,
                      const int32_t *head) {
    size_t count = item->source->words;
    int32_t *tree = tz_arena_array(arena, count, sizeof *tree);
    if (!tree)
        return false;
    for (size_t w = 0; w < count; w++)
        tree[w] = -1;
    for (size_t i = 1; i <= words->count; i++)
        tree[words->place[i] - 1] = words->place[head[i]];
    item->compression->opt_head = tree;
    return true;
}

/* compression: of positions 0..words; NULL where nothing is kept. */
static bool take_compression(tz_arena *arena, const tz_by_model *item, const int32_t *compression) {
    size_t count = item->source->words;
    uint8_t *keep = tz_arena_array(arena, count, sizeof *keep);
    int32_t *tree = tz_arena_array(arena, count, sizeof *tree);
    if (!keep || !tree)
        return false;
    for (size_t w = 0; w < count; w++) {
        tree[w] = compression ? compression[w + 1] : -1;
        keep[w] = tree[w] >= 0;
    }
    *item->compression = (tz_compression){keep, tree};
    return true;
}

/* ---- Portions -------------------------------------------------------------------------------- */

typedef struct portion {
    tz_analysed analysed[PORTION];
    tz_analysed *list[PORTION];
    const tz_by_model *item[PORTION];
    selection words[PORTION];
    size_t count;
} portion;

/* Takes in the next items, up to a portion's words; returns how many. Those without words to be
 * analysed are answered at once. */
static tz_status fill(portion *p, tz_arena *scratch, tz_arena *arena, bool compress, unsigned todo,
                      const tz_by_model *item, size_t count, size_t *ret_taken) {
    size_t taken = 0, words = 0;
    p->count = 0;
    while (taken < count && p->count < PORTION && words < PORTION_WORDS) {
        const tz_by_model *next = &item[taken++];
        selection *chosen = &p->words[p->count];
        if (!select_words(scratch, next->source, compress ? NULL : next->compression->keep, chosen))
            return TZ_NO_MEMORY;
        if (chosen->count == 0 || (compress && next->keep == 0)) {
            if (!(compress ? take_compression(arena, next, NULL)
                           : take_tree(arena, next, chosen, NULL)))
                return TZ_NO_MEMORY;
            continue;
        }
        tz_analysed *sentence = &p->analysed[p->count];
        tz_status status = make_sentence(scratch, next->source, chosen, sentence);
        if (status != TZ_OK)
            return status;
        sentence->todo = todo;
        sentence->keep = compress && next->keep > 0 ? next->keep : 0;
        sentence->wary = compress && next->wary;
        p->list[p->count] = sentence;
        p->item[p->count++] = next;
        words += chosen->count;
    }
    *ret_taken = taken;
    return TZ_OK;
}

static tz_status take(const portion *p, tz_arena *arena, bool compress) {
    for (size_t i = 0; i < p->count; i++) {
        const tz_sentence *s = &p->analysed[i].sentence;
        if (!(compress ? take_compression(arena, p->item[i], s->compression)
                       : take_tree(arena, p->item[i], &p->words[i], s->head)))
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

/* The last stage: parsing or a way of compressing. */
static tz_status go(tz_analyser *analyser, tz_arena *arena, tz_stage last, const tz_by_model *item,
                    size_t count, tz_error *opt_error) {
    bool compress = last != TZ_STAGE_PARSE;
    unsigned wanted = tz_stages_before(last) | 1u << last;
    unsigned todo = wanted & tz_analyser_stages(analyser);
    tz_status status = TZ_OK;
    for (size_t done = 0; done < count && status == TZ_OK;) {
        tz_arena *scratch = tz_arena_new();
        portion *p = scratch ? tz_arena_array(scratch, 1, sizeof *p) : NULL;
        size_t taken = 0;
        status = p ? fill(p, scratch, arena, compress, todo, item + done, count - done, &taken)
                   : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = tz_analyse(analyser, p->list, p->count, opt_error);
        if (status == TZ_OK)
            status = take(p, arena, compress);
        done += taken;
        tz_arena_free(scratch);
    }
    return status == TZ_NO_MEMORY ? no_memory(opt_error) : status;
}

tz_status tz_parse_by_model(tz_analyser *analyser, tz_arena *arena, const tz_by_model *item,
                            size_t count, tz_error *opt_error) {
    return go(analyser, arena, TZ_STAGE_PARSE, item, count, opt_error);
}

tz_status tz_compress_by_model(tz_analyser *analyser, tz_arena *arena, tz_stage by,
                               const tz_by_model *item, size_t count, tz_error *opt_error) {
    return go(analyser, arena, by, item, count, opt_error);
}
