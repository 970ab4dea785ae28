/* train_aligner_table.c - see train_aligner_table.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_aligner_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "base/replace.h"

tz_status tz_seen_words_add(tz_seen_words *words, const tz_side *side, const tz_form *form) {
    if (!words->arena && !(words->arena = tz_arena_new()))
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < side->words; w++) {
        uint32_t number;
        size_t known = words->number.count;
        bool grown = TZ_GROW(words->text, &words->capacity, known + 1);
        tz_status status =
            grown ? tz_numbers_add(&words->number, form[w].word, &number) : TZ_NO_MEMORY;
        if (status != TZ_OK)
            return status;
        if (number == known && !(words->text[number] = tz_arena_text(words->arena, side->word[w],
                                                                     strlen(side->word[w]))))
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

void tz_seen_words_free(tz_seen_words *words) {
    tz_numbers_free(&words->number);
    free(words->text);
    tz_arena_free(words->arena);
    *words = (tz_seen_words){0};
}

typedef struct table {
    FILE *file;
    const tz_seen_words *words;
} table;

static void put_phrase(const table *t, const tz_form *form, unsigned length) {
    for (unsigned w = 0; w < length; w++)
        fprintf(t->file, "%s%s", w > 0 ? " " : "",
                t->words->text[tz_numbers_find(&t->words->number, form[w].word)]);
}

static void put_entry(void *user, const tz_em_entry *entry) {
    const table *t = user;
    char p[TZ_NUMBER_SIZE], uses[TZ_NUMBER_SIZE];
    tz_number_print(p, entry->t);
    tz_number_print(uses, entry->uses);
    put_phrase(t, entry->opt_document, entry->q);
    fputc('\t', t->file);
    put_phrase(t, entry->abstract, entry->p);
    fprintf(t->file, "\t%s\t%s\n", p, uses);
}

tz_status tz_train_aligner_table(const char *path, const tz_em *em, const tz_seen_words *words,
                                 tz_error *error) {
    tz_replace replace;
    tz_status status = tz_replace_open(path, &replace, error);
    if (status != TZ_OK)
        return status;
    table t = {replace.file, words};
    status = tz_em_table(em, put_entry, &t);
    if (status == TZ_OK)
        return tz_replace_commit(&replace, error); /* sees what writing failed */
    tz_replace_abandon(&replace);
    return status;
}
