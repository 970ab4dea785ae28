/* lm_train.c - see lm_train.h. SPDX-License-Identifier: MIT */
#include "sentences/lm/lm_train.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text.h"
#include "ranks/ranks.h"
#include "sentences/lm/lm_counts.h"
#include "sentences/lm/lm_smooth.h"

struct tz_lm_trainer {
    tz_lm_words words;
    uint32_t *text; /* <s> word... </s>, again and again */
    size_t size, capacity;
    size_t ended; /* text of the sentences that have been ended */
    size_t sentences;
};

/* ---- Text ---------------------------------------------------------------------------------- */

tz_lm_trainer *tz_lm_trainer_new(void) {
    tz_lm_trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer && tz_lm_words_special(&trainer->words) != TZ_OK) {
        tz_lm_trainer_free(trainer);
        trainer = NULL;
    }
    return trainer;
}

void tz_lm_trainer_free(tz_lm_trainer *trainer) {
    if (trainer) {
        tz_lm_words_free(&trainer->words);
        free(trainer->text);
        free(trainer);
    }
}

static tz_status append(tz_lm_trainer *trainer, uint32_t word) {
    if (trainer->size >= UINT32_MAX)
        return TZ_TOO_LARGE;
    bool grown = TZ_GROW(trainer->text, &trainer->capacity, trainer->size + 1);
    if (grown)
        trainer->text[trainer->size++] = word;
    return grown ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_lm_trainer_word(tz_lm_trainer *trainer, const char *text, size_t size) {
    uint32_t word;
    if (size == 0 || memchr(text, ' ', size) || memchr(text, '\t', size) ||
        memchr(text, '\n', size) || memchr(text, '\r', size) || memchr(text, '\0', size))
        return TZ_BAD_ARGUMENT;
    tz_status status = tz_lm_words_add(&trainer->words, text, size, &word);
    if (status == TZ_OK && (word == TZ_LM_BEGIN || word == TZ_LM_END))
        return TZ_BAD_ARGUMENT;
    if (status == TZ_OK && trainer->size == trainer->ended)
        status = append(trainer, TZ_LM_BEGIN);
    return status == TZ_OK ? append(trainer, word) : status;
}

tz_status tz_lm_trainer_end(tz_lm_trainer *trainer) {
    if (trainer->size <= trainer->ended + 1) {
        trainer->size = trainer->ended;
        return TZ_OK;
    }
    tz_status status = append(trainer, TZ_LM_END);
    if (status == TZ_OK) {
        trainer->ended = trainer->size;
        trainer->sentences++;
    }
    return status;
}

size_t tz_lm_trainer_words(const tz_lm_trainer *trainer) {
    return trainer->ended - 2 * trainer->sentences;
}

size_t tz_lm_trainer_sentences(const tz_lm_trainer *trainer) {
    return trainer->sentences;
}

/* ---- Words of the model -------------------------------------------------------------------- */

typedef struct entry {
    const char *text;
    uint64_t count;
} entry;

static int by_text(const void *a, const void *b) {
    return strcmp(((const entry *)a)->text, ((const entry *)b)->text);
}

/* The words of this rank's text, and how often they occur: ret[trainer->words.count]. */
static void count_words(const tz_lm_trainer *trainer, entry *ret) {
    for (uint32_t word = 0; word < trainer->words.count; word++)
        ret[word] = (entry){tz_lm_words_text(&trainer->words, word), 0};
    for (size_t i = 0; i < trainer->ended; i++)
        ret[trainer->text[i]].count++;
}

/* Those of all ranks; a word may come several times. Their text is that of *gathered. */
static tz_status gather_words(const entry *mine, size_t count, tz_gathered *gathered,
                              entry **ret_all, size_t *ret_count, tz_error *opt_error) {
    tz_text told = {0};
    for (size_t w = 0; w < count; w++) {
        tz_text_add(&told, (const char *)&mine[w].count, sizeof mine[w].count);
        tz_text_add(&told, mine[w].text, strlen(mine[w].text) + 1);
    }
    tz_status status =
        told.failed ? TZ_NO_MEMORY : tz_ranks_gather(told.data, told.size, gathered, opt_error);
    tz_text_free(&told);
    size_t size = status == TZ_OK ? gathered->at[tz_ranks()] : 0, words = 0;
    entry *all = malloc((size / (sizeof all->count + 1) + 1) * sizeof *all);
    for (size_t at = 0; all && at < size; words++) {
        memcpy(&all[words].count, gathered->data + at, sizeof all->count);
        all[words].text = (const char *)gathered->data + at + sizeof all->count;
        at += sizeof all->count + strlen(all[words].text) + 1;
    }
    *ret_all = all;
    *ret_count = words;
    return status == TZ_OK && !all ? TZ_NO_MEMORY : status;
}

/* Gives the words that occur often enough to the model, in order; those of a sentence that was not
 * ended occur not at all. */
static tz_status add_words(entry *list, size_t count, uint32_t min_count, tz_lm_words *words) {
    tz_status status = tz_lm_words_special(words);
    qsort(list, count, sizeof *list, by_text);
    for (size_t first = 0, end; first < count && status == TZ_OK; first = end) {
        uint64_t occurs = 0;
        uint32_t word;
        for (end = first; end < count && strcmp(list[end].text, list[first].text) == 0; end++)
            occurs += list[end].count;
        if (occurs > 0 && occurs >= min_count)
            status = tz_lm_words_add(words, list[first].text, strlen(list[first].text), &word);
    }
    return status;
}

/* The words of the model, and new_word[word]: what a word of the text is called there. */
static tz_status choose_words(const tz_lm_trainer *trainer, const tz_lm_settings *settings,
                              tz_lm_words *words, uint32_t *new_word) {
    size_t count = trainer->words.count;
    tz_gathered gathered = {0};
    entry *list = malloc(count * sizeof *list);
    tz_status status = list ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        count_words(trainer, list);
    if (status == TZ_OK && tz_ranks() > 1) {
        entry *mine = list;
        status = gather_words(mine, count, &gathered, &list, &count, settings->opt_error);
        free(mine);
    }
    if (status == TZ_OK)
        status = add_words(list, count, settings->min_count, words);
    free(list);
    tz_gathered_free(&gathered);
    for (uint32_t word = 0; word < trainer->words.count && status == TZ_OK; word++) {
        const char *text = tz_lm_words_text(&trainer->words, word);
        new_word[word] = tz_lm_words_find(words, text, strlen(text));
        if (new_word[word] == TZ_LM_NO_WORD)
            new_word[word] = TZ_LM_UNKNOWN;
    }
    return status;
}

/* ---- Training ------------------------------------------------------------------------------ */

static void say(const tz_lm_settings *settings, const char *what) {
    if (settings->progress)
        settings->progress(settings->user, what);
}

/* text: as long as the trainer's; new_word: as long as its list of words. */
static tz_status train(const tz_lm_trainer *trainer, const tz_lm_settings *settings, uint32_t *text,
                       uint32_t *new_word, tz_lm *lm, tz_lm_report *report) {
    tz_lm_counts counts[TZ_LM_ORDER + 1];
    uint32_t *of_all = NULL;
    uint64_t unknown = 0;
    tz_status status = choose_words(trainer, settings, &lm->words, new_word);
    if (status != TZ_OK)
        return status;
    for (size_t i = 0; i < trainer->ended; i++) {
        text[i] = new_word[trainer->text[i]];
        unknown += text[i] == TZ_LM_UNKNOWN;
    }
    say(settings, "counting");
    status = tz_ranks_add(&unknown, 1, settings->opt_error);
    report->unknown = (size_t)unknown;
    if (status == TZ_OK)
        status = tz_ranks() == 1
                     ? tz_lm_counts_new(text, trainer->ended, lm->words.count, lm->order, counts)
                     : tz_lm_counts_all(text, trainer->ended, lm->words.count, lm->order, counts,
                                        &of_all, settings->opt_error);
    bool counted = status == TZ_OK;
    if (counted && tz_rank() == 0) {
        say(settings, "smoothing");
        status = tz_lm_smooth(of_all ? of_all : text, counts, settings, lm, report);
    }
    if (counted)
        tz_lm_counts_free(counts, lm->order);
    free(of_all);
    return status;
}

tz_status tz_lm_train(const tz_lm_trainer *trainer, const tz_lm_settings *settings, tz_lm **ret_lm,
                      tz_lm_report *opt_report) {
    *ret_lm = NULL;
    if (settings->order < 1 || settings->order > TZ_LM_ORDER)
        return TZ_BAD_ARGUMENT;
    for (unsigned n = 3; n <= settings->order; n++)
        if (settings->cutoff[n] < settings->cutoff[n - 1])
            return TZ_BAD_ARGUMENT;
    uint64_t all[] = {trainer->sentences, tz_lm_trainer_words(trainer)};
    tz_status status = tz_ranks_add(all, 2, settings->opt_error);
    if (status != TZ_OK || all[0] == 0)
        return status == TZ_OK ? TZ_NONE : status;
    tz_lm_report report = {.sentences = (size_t)all[0], .words = (size_t)all[1]};
    tz_lm *lm = calloc(1, sizeof *lm);
    uint32_t *text = malloc((trainer->ended + 1) * sizeof *text);
    uint32_t *new_word = malloc(trainer->words.count * sizeof *new_word);
    status = TZ_NO_MEMORY;
    if (lm && text && new_word) {
        lm->order = settings->order;
        status = train(trainer, settings, text, new_word, lm, &report);
    }
    free(text);
    free(new_word);
    if (status != TZ_OK || tz_rank() > 0) {
        tz_lm_free(lm);
        return status;
    }
    if (opt_report)
        *opt_report = report;
    *ret_lm = lm;
    return TZ_OK;
}
