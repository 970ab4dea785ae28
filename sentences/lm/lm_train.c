/* lm_train.c - see lm_train.h. SPDX-License-Identifier: MIT */
#include "sentences/lm/lm_train.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
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
    void *text = trainer->text;
    if (trainer->size >= UINT32_MAX)
        return TZ_TOO_LARGE;
    bool grown = tz_grow(&text, &trainer->capacity, trainer->size + 1, sizeof *trainer->text);
    trainer->text = text;
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
    uint32_t word, count;
} entry;

static int by_text(const void *a, const void *b) {
    return strcmp(((const entry *)a)->text, ((const entry *)b)->text);
}

/* Gives the words that occur often enough to the model, in order. new_word[word]: what a word of
 * the text is called there. */
static tz_status choose_words(const tz_lm_trainer *trainer, uint32_t min_count, tz_lm_words *words,
                              uint32_t *new_word) {
    size_t count = trainer->words.count, kept = 0;
    entry *list = malloc(count * sizeof *list);
    if (!list)
        return TZ_NO_MEMORY;
    for (uint32_t word = 0; word < count; word++) {
        list[word] = (entry){tz_lm_words_text(&trainer->words, word), word, 0};
        new_word[word] = word < TZ_LM_SPECIAL ? word : (uint32_t)TZ_LM_UNKNOWN;
    }
    for (size_t i = 0; i < trainer->ended; i++)
        list[trainer->text[i]].count++;
    for (uint32_t word = TZ_LM_SPECIAL; word < count; word++) {
        /* Words of a sentence not ended occur not at all. */
        if (list[word].count > 0 && list[word].count >= min_count)
            list[kept++] = list[word];
    }
    qsort(list, kept, sizeof *list, by_text);
    tz_status status = tz_lm_words_special(words);
    for (size_t i = 0; i < kept && status == TZ_OK; i++) {
        status =
            tz_lm_words_add(words, list[i].text, strlen(list[i].text), &new_word[list[i].word]);
    }
    free(list);
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
    tz_status status = choose_words(trainer, settings->min_count, &lm->words, new_word);
    if (status != TZ_OK)
        return status;
    for (size_t i = 0; i < trainer->ended; i++) {
        text[i] = new_word[trainer->text[i]];
        report->unknown += text[i] == TZ_LM_UNKNOWN;
    }
    say(settings, "counting");
    status = tz_lm_counts_new(text, trainer->ended, lm->words.count, lm->order, counts);
    if (status == TZ_OK) {
        say(settings, "smoothing");
        status = tz_lm_smooth(text, counts, settings, lm, report);
        tz_lm_counts_free(counts, lm->order);
    }
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
    if (trainer->sentences == 0)
        return TZ_NONE;
    tz_lm_report report = {0};
    tz_lm *lm = calloc(1, sizeof *lm);
    uint32_t *text = malloc(trainer->ended * sizeof *text);
    uint32_t *new_word = malloc(trainer->words.count * sizeof *new_word);
    tz_status status = TZ_NO_MEMORY;
    if (lm && text && new_word) {
        lm->order = settings->order;
        status = train(trainer, settings, text, new_word, lm, &report);
    }
    free(text);
    free(new_word);
    if (status != TZ_OK) {
        tz_lm_free(lm);
        return status;
    }
    if (opt_report)
        *opt_report = report;
    *ret_lm = lm;
    return TZ_OK;
}
