/* text_model.c - see trapeze/text.h: lines to tokens, through the stages of a pack, and out as
 * plain arrays. SPDX-License-Identifier: MIT */
#include <trapeze/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "base/modes.h"
#include "base/utf8.h"
#include "sentences/learn/text_model.h"

struct tz_text_result {
    tz_arena *arena;
    tz_text_sentence *sentence;
};

/* ---- Models ---------------------------------------------------------------------------------- */

static unsigned bit(tz_stage stage) {
    return 1u << stage;
}

/* The stages that a question takes. */
static unsigned stages_for(unsigned asked) {
    unsigned tags = bit(TZ_STAGE_TAG) | bit(TZ_STAGE_FINE);
    unsigned trees = tags | bit(TZ_STAGE_PARSE) | bit(TZ_STAGE_LABEL);
    return asked & TZ_TEXT_DELETIONS      ? trees | bit(TZ_STAGE_DELETE)
           : asked & TZ_TEXT_COMPRESSIONS ? trees | bit(TZ_STAGE_COMPRESS)
           : asked & TZ_TEXT_TREES        ? trees
                                          : tags;
}

static tz_status check_stages(const tz_text_model *model, const char *path, tz_error *opt_error) {
    static const tz_stage must[] = {TZ_STAGE_TAG, TZ_STAGE_PARSE, TZ_STAGE_COMPRESS,
                                    TZ_STAGE_DELETE, TZ_STAGE_LABEL};
    unsigned missing = model->stages & ~tz_analyser_stages(model->analyser);
    if (!(model->stages & bit(TZ_STAGE_DELETE))) /* others can do without labels */
        missing &= ~bit(TZ_STAGE_LABEL);
    for (size_t m = 0; m < sizeof must / sizeof *must; m++) {
        if (missing & bit(must[m])) {
            char message[512];
            snprintf(message, sizeof message, "%.400s: there is no %s in this model", path,
                     tz_stage_name(must[m]));
            return tz_text_fail(opt_error, TZ_BAD_ARGUMENT, message);
        }
    }
    return TZ_OK;
}

static tz_status new_model(const tz_pack *pack, unsigned asked, unsigned threads,
                           tz_text_model **ret_model, tz_error *opt_error) {
    tz_error error = {TZ_OK, ""};
    tz_text_model *model = calloc(1, sizeof *model);
    if (!model)
        return tz_text_fail(opt_error, TZ_NO_MEMORY, tz_status_name(TZ_NO_MEMORY));
    model->stages = stages_for(asked);
    unsigned also = asked & TZ_TEXT_COMPRESSIONS ? bit(TZ_STAGE_DELETE) : 0;
    tz_status status = tz_analyser_new(pack, model->stages | also, threads > 0 ? threads : 1,
                                       &model->analyser, &error);
    if (status == TZ_OK)
        status = check_stages(model, pack->path, &error);
    if (status == TZ_OK)
        model->stages |= also & tz_analyser_stages(model->analyser);
    if (status == TZ_OK)
        status = tz_word_finder_new(tz_analyser_tokeniser(model->analyser), &model->finder, &error);
    if (status == TZ_OK)
        status =
            tz_line_splitter_new(tz_analyser_splitter(model->analyser),
                                 tz_analyser_tokeniser(model->analyser), &model->splitter, &error);
    if (status != TZ_OK) {
        tz_text_model_free(model);
        return tz_text_fail(opt_error, status,
                            *error.message ? error.message : tz_status_name(status));
    }
    *ret_model = model;
    return TZ_OK;
}

static tz_status no_pack(tz_status status, const tz_error *error, tz_error *opt_error) {
    return tz_text_fail(opt_error, status,
                        *error->message ? error->message : tz_status_name(status));
}

tz_status tz_text_model_read(const char *name, const void *bytes, size_t size, unsigned asked,
                             unsigned threads, tz_text_model **ret_model, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_error error = {TZ_OK, ""};
    tz_pack pack; /* borrows the bytes, and only reads them */
    *ret_model = NULL;
    tz_status status = tz_pack_read(name, (void *)(uintptr_t)bytes, size, &pack, &error);
    return status == TZ_OK ? new_model(&pack, asked, threads, ret_model, opt_error)
                           : no_pack(status, &error, opt_error);
}

tz_status tz_text_model_load(const char *path, unsigned asked, unsigned threads,
                             tz_text_model **ret_model, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_error error = {TZ_OK, ""};
    tz_pack pack;
    *ret_model = NULL;
    tz_status status = tz_pack_load(path, &pack, &error);
    if (status != TZ_OK)
        return no_pack(status, &error, opt_error);
    status = new_model(&pack, asked, threads, ret_model, opt_error);
    tz_pack_free(&pack);
    return status;
}

void tz_text_model_free(tz_text_model *model) {
    if (model) {
        tz_word_finder_free(model->finder);
        tz_line_splitter_free(model->splitter);
        free(model->span);
        tz_analyser_free(model->analyser);
        free(model->lm);
    }
    free(model);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static bool is_utf8(const char *line, size_t size) {
    uint32_t code;
    for (unsigned step; size > 0; line += step, size -= step) {
        step = tz_utf8_decode(line, size, &code);
        if (step == 0)
            return false;
    }
    return true;
}

tz_status tz_text_sentences(tz_text_model *model, const char *line, const tz_text_span **ret_span,
                            size_t *ret_count, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    const tz_token *sentence;
    size_t size = strlen(line), count = 0;
    if (!is_utf8(line, size))
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT, "the line is no UTF-8");
    tz_status status = tz_line_split(model->splitter, line, size, &sentence, &count);
    tz_text_span *span = status == TZ_OK ? calloc(count + 1, sizeof *span) : NULL;
    status = status == TZ_OK && !span ? TZ_NO_MEMORY : status;
    if (status != TZ_OK)
        return tz_text_fail(opt_error, status, tz_status_name(status));
    for (size_t s = 0; s < count; s++)
        span[s] = (tz_text_span){sentence[s].begin, sentence[s].end};
    free(model->span);
    *ret_span = model->span = span;
    *ret_count = count;
    return TZ_OK;
}

static long within(int64_t words, int64_t least) {
    return words < least                ? (long)least
           : words > TZ_TEXT_MOST_WORDS ? TZ_TEXT_MOST_WORDS
                                        : (long)words;
}

static tz_length length_for(const tz_text_length *l) {
    if (l->by == TZ_TEXT_RATE)
        return (tz_length){TZ_LENGTH_RATE, l->low, l->high > l->low ? l->high : 0, 0};
    if (l->by == TZ_TEXT_DROP)
        return (tz_length){.kind = TZ_LENGTH_DROP, .words = within(l->words, 0)};
    return l->words == TZ_TEXT_FREE   ? (tz_length){.kind = TZ_LENGTH_FREE}
           : l->words == TZ_TEXT_WARY ? (tz_length){.kind = TZ_LENGTH_WARY}
                                      : (tz_length){TZ_LENGTH_KEEP, 0, 0, within(l->words, 1)};
}

/* What is wrong with it, as of read_line; NULL: nothing. */
static const char *wrong_with_length(const tz_text_length *l, unsigned asked) {
    if (l->by != TZ_TEXT_KEEP && l->by != TZ_TEXT_DROP && l->by != TZ_TEXT_RATE)
        return "has a length of no kind that there is";
    if (l->by == TZ_TEXT_DROP && l->words < 0)
        return "has fewer than 0 words to drop";
    if (l->by == TZ_TEXT_RATE && !(l->low >= 0 && l->low <= l->high && l->high <= 1))
        return "has rates that are not from 0 to 1, the lower one first";
    if (l->by == TZ_TEXT_RATE && l->low < l->high && asked & TZ_TEXT_DELETIONS)
        return "has a range of rates, which is for the compressor, not for deletions";
    return NULL;
}

/* A line as a sentence on its way, and its tokens, in the arena. */
static tz_status read_line(tz_text_model *model, tz_arena *arena, const char *line,
                           const tz_text_length *asked_for, tz_analysed *analysed,
                           const tz_token **ret_token, const char **what) {
    size_t size = strlen(line), count;
    if (!is_utf8(line, size)) {
        *what = "is no UTF-8";
        return TZ_BAD_ARGUMENT;
    }
    tz_status status = tz_find_words(model->finder, line, size, &count);
    if (status == TZ_TOO_LARGE || (status == TZ_OK && count > TZ_TEXT_MOST_WORDS)) {
        *what = "has more than 600 words";
        return TZ_BAD_ARGUMENT;
    }
    if (status == TZ_OK)
        status = tz_found_words(model->finder, arena, line, ret_token, analysed);
    if (status != TZ_OK)
        return status;
    const tz_length length = length_for(asked_for);
    const tz_sentence *s = &analysed->sentence;
    tz_words words = tz_length_of(&length, tz_line_kind_of(line, size), s->form + 1, s->words);
    analysed->keep = words.low;
    analysed->most = words.high;
    analysed->wary = words.wary;
    return TZ_OK;
}

static const char *known(const char *const *name, size_t w) {
    return name && strcmp(name[w], "_") != 0 ? name[w] : NULL;
}

static tz_status write_compression(tz_arena *arena, const char *line, const tz_token *token,
                                   const tz_analysed *analysed, const char **ret_text) {
    const tz_sentence *sentence = &analysed->sentence;
    size_t words = (size_t)sentence->words;
    bool *shown = tz_arena_array(arena, words, sizeof *shown);
    tz_text text = {0};
    if (!shown)
        return TZ_NO_MEMORY;
    tz_analysed_shown(analysed, token, shown);
    const tz_kept_tree tree = {sentence->head, analysed->name[TZ_DEPREL]};
    tz_detokenise(line, token, words, &tree, shown, &text);
    *ret_text = text.failed ? NULL : tz_arena_text(arena, text.data ? text.data : "", text.size);
    tz_text_free(&text);
    return *ret_text ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status write_sentence(tz_arena *arena, const char *line, const tz_token *token,
                                unsigned asked, bool wary, const tz_analysed *a,
                                tz_text_sentence *to) {
    const tz_sentence *s = &a->sentence;
    size_t words = (size_t)s->words;
    tz_text_word *word = tz_arena_array(arena, words, sizeof *word);
    bool trees = asked >= TZ_TEXT_TREES, compressed = asked >= TZ_TEXT_COMPRESSIONS;
    if (!word)
        return TZ_NO_MEMORY;
    for (size_t w = 1; w <= words; w++) {
        word[w - 1] = (tz_text_word){
            .form = s->form[w],
            .upos = known(a->name[TZ_UPOS], w),
            .xpos = known(a->name[TZ_XPOS], w),
            .deprel = trees ? known(a->name[TZ_DEPREL], w) : NULL,
            .begin = token[w - 1].begin,
            .end = token[w - 1].end,
            .head = trees ? s->head[w] : -1,
            .compressed = compressed && s->compression ? s->compression[w] : -1,
        };
    }
    *to = (tz_text_sentence){.words = words, .word = word};
    if (!compressed)
        return TZ_OK;
    to->like_law = wary && a->keep > 0;
    if (words == 0 || !s->compression) {
        to->compression = "";
        return TZ_OK;
    }
    return write_compression(arena, line, token, a, &to->compression);
}

/* The sentence takes the scores. what: as of read_line. */
static tz_status take_scores(tz_arena *arena, const tz_text_scores *from, tz_sentence *sentence,
                             const char **what) {
    const size_t n = (size_t)sentence->words;
    if (from->words != n) {
        *what = "does not have as many words as its scores are for";
        return TZ_BAD_ARGUMENT;
    }
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 1; j <= n + 1; j++) {
            double arc = j <= n && i != j ? from->arc[i * (n + 1) + j] : 0;
            double bigram = i < j ? from->bigram[i * (n + 2) + j] : 0;
            if ((!(fabs(arc) <= 1e9) && arc != -INFINITY) ||
                (!(fabs(bigram) <= 1e9) && bigram != -INFINITY)) {
                *what = "has scores that are not from -1e9 to 1e9, nor -infinity";
                return TZ_BAD_ARGUMENT;
            }
        }
    tz_scores *given = tz_arena_array(arena, 2, sizeof *given);
    if (!given)
        return TZ_NO_MEMORY;
    const int32_t wide = sentence->words + 1;
    given[0] = (tz_scores){.data = from->arc, .extent = {wide, wide}, .stride = {wide, 1}};
    given[1] =
        (tz_scores){.data = from->bigram, .extent = {wide, wide + 1}, .stride = {wide + 1, 1}};
    sentence->given = given;
    return TZ_OK;
}

/* Of line i: as opt_length says, or else opt_keep. */
static tz_text_length length_of(const int64_t *opt_keep, const tz_text_length *opt_length,
                                size_t i) {
    return opt_length ? opt_length[i]
                      : (tz_text_length){.words = opt_keep ? opt_keep[i] : TZ_TEXT_FREE};
}

static tz_status analyse(tz_text_model *model, const char *const *line, size_t count,
                         unsigned asked, const int64_t *opt_keep, const tz_text_length *opt_length,
                         const tz_text_scores *opt_scores, tz_text_result **ret_result,
                         tz_error *opt_error) {
    tz_error error = {TZ_OK, ""};
    *ret_result = NULL;
    unsigned missing = stages_for(asked) & ~model->stages;
    if (missing & bit(TZ_STAGE_DELETE) && model->stages & bit(TZ_STAGE_COMPRESS))
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT,
                            "there is no grammar of deletions in the model");
    if (missing)
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT, "the model was not loaded for that");
    tz_text_result *result = calloc(1, sizeof *result);
    tz_arena *arena = result ? result->arena = tz_arena_new() : NULL;
    tz_analysed *analysed = calloc(count + 1, sizeof *analysed);
    tz_analysed **item = calloc(count + 1, sizeof *item);
    const tz_token **token = calloc(count + 1, sizeof *token);
    tz_status status = arena && analysed && item && token ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        result->sentence = tz_arena_array(arena, count, sizeof *result->sentence);
        status = result->sentence ? TZ_OK : TZ_NO_MEMORY;
    }
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        const tz_text_length length = length_of(opt_keep, opt_length, i);
        const char *what = wrong_with_length(&length, asked);
        status = what ? TZ_BAD_ARGUMENT
                      : read_line(model, arena, line[i], &length, &analysed[i], &token[i], &what);
        if (status == TZ_OK && opt_scores)
            status = take_scores(arena, &opt_scores[i], &analysed[i].sentence, &what);
        if (what)
            snprintf(error.message, sizeof error.message, "line %zu %s", i, what);
        analysed[i].todo = stages_for(asked) & tz_analyser_stages(model->analyser);
        item[i] = &analysed[i];
    }
    if (status == TZ_OK)
        status = tz_analyse(model->analyser, item, count, &error);
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        const tz_text_length length = length_of(opt_keep, opt_length, i);
        const bool wary = length.by == TZ_TEXT_KEEP && length.words == TZ_TEXT_WARY;
        status = write_sentence(arena, line[i], token[i], asked, wary, &analysed[i],
                                &result->sentence[i]);
    }
    free(analysed);
    free(item);
    free(token);
    if (status == TZ_OK) {
        *ret_result = result;
        return TZ_OK;
    }
    tz_text_result_free(result);
    return tz_text_fail(opt_error, status, *error.message ? error.message : tz_status_name(status));
}

tz_status tz_text_analyse(tz_text_model *model, const char *const *line, size_t count,
                          unsigned asked, const int64_t *opt_keep, tz_text_result **ret_result,
                          tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    return analyse(model, line, count, asked, opt_keep, NULL, NULL, ret_result, opt_error);
}

tz_status tz_text_analyse_with(tz_text_model *model, const char *const *line, size_t count,
                               unsigned asked, const tz_text_length *opt_length,
                               const tz_text_scores *opt_scores, tz_text_result **ret_result,
                               tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    return analyse(model, line, count, asked, NULL, opt_length, opt_scores, ret_result, opt_error);
}

const tz_text_sentence *tz_text_result_sentence(const tz_text_result *result, size_t index) {
    return &result->sentence[index];
}

void tz_text_result_free(tz_text_result *result) {
    if (result)
        tz_arena_free(result->arena);
    free(result);
}
