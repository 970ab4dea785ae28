/* labels_all.c - see labels_all.h. SPDX-License-Identifier: MIT */
#include "sentences/train/labels_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ranks/ranks.h"

/* A name, and where it comes first. */
typedef struct met {
    uint64_t line;
    int32_t word, size; /* of the name, with its zero byte; it follows */
} met;

static int32_t *numbers_of(const tz_sentence *sentence, int column) {
    return column == TZ_UPOS ? sentence->tag : column == TZ_XPOS ? sentence->fine : sentence->label;
}

/* This rank's names, in order. */
static tz_status list(const tz_corpus *corpus, int column, const tz_labels *labels,
                      tz_text *ret_list) {
    int32_t known = 0;
    for (size_t s = 0; s < corpus->count; s++) {
        const int32_t *number = numbers_of(&corpus->sentence[s], column);
        for (int32_t w = 1; w <= corpus->sentence[s].words; w++) {
            if (number[w] != known)
                continue;
            const char *name = labels->name[known++];
            met met = {corpus->sentence[s].line, w, (int32_t)strlen(name) + 1};
            tz_text_add(ret_list, (const char *)&met, sizeof met);
            tz_text_add(ret_list, name, (size_t)met.size);
        }
    }
    return ret_list->failed ? TZ_NO_MEMORY : TZ_OK;
}

static int by_place(const void *a, const void *b) {
    met x, y;
    memcpy(&x, *(const unsigned char *const *)a, sizeof x);
    memcpy(&y, *(const unsigned char *const *)b, sizeof y);
    if (x.line != y.line)
        return x.line < y.line ? -1 : 1;
    return (x.word > y.word) - (x.word < y.word);
}

/* The names of all, each once. */
static tz_status merge(const tz_gathered *all, tz_labels *ret) {
    size_t size = all->at[tz_ranks()], count = 0;
    const unsigned char **name = malloc((size / sizeof(met) + 1) * sizeof *name);
    tz_status status = name ? TZ_OK : TZ_NO_MEMORY;
    for (size_t at = 0; status == TZ_OK && at < size; count++) {
        met met;
        memcpy(&met, all->data + at, sizeof met);
        name[count] = all->data + at;
        at += sizeof met + (size_t)met.size;
    }
    if (status == TZ_OK)
        qsort((void *)name, count, sizeof *name, by_place);
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        int32_t number;
        status = tz_labels_add(ret, (const char *)name[i] + sizeof(met), &number);
    }
    free((void *)name);
    return status;
}

static void renumber(tz_corpus *corpus, int column, const tz_labels *old, const tz_labels *new,
                     int32_t *new_number) {
    for (size_t l = 0; l < old->count; l++)
        new_number[l] = tz_labels_find(new, old->name[l]);
    for (size_t s = 0; s < corpus->count; s++) {
        int32_t *number = numbers_of(&corpus->sentence[s], column);
        for (int32_t w = 1; w <= corpus->sentence[s].words; w++)
            number[w] = new_number[number[w]];
    }
}

tz_status tz_labels_all(tz_corpus *corpus, int column, tz_labels *labels, tz_error *opt_error) {
    if (tz_ranks() == 1)
        return TZ_OK;
    tz_text mine = {0};
    tz_gathered all = {0};
    tz_labels joined = {0};
    int32_t *new_number = malloc((labels->count + 1) * sizeof *new_number);
    tz_status status = new_number ? list(corpus, column, labels, &mine) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_ranks_gather(mine.data, mine.size, &all, opt_error);
    if (status == TZ_OK)
        status = merge(&all, &joined);
    if (status == TZ_OK) {
        renumber(corpus, column, labels, &joined, new_number);
        tz_labels_free(labels);
        *labels = joined;
    } else {
        tz_labels_free(&joined);
    }
    free(new_number);
    tz_text_free(&mine);
    tz_gathered_free(&all);
    return status;
}
