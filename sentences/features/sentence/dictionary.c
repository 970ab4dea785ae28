/* dictionary.c - see dictionary.h. SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/dictionary.h"

#include <stdlib.h>

#include "sentences/features/tables/hash.h"

void tz_tag_counts_free(tz_tag_counts *counts) {
    tz_tally_free(&counts->form);
    tz_tally_free(&counts->pair);
}

static uint64_t pair_key(uint64_t form, size_t tag) {
    return tz_hash(form, tag + 1);
}

tz_status tz_tag_counts_add(tz_tag_counts *counts, const tz_sentence *sentence) {
    tz_status status = TZ_OK;
    for (int32_t w = 1; w <= sentence->words && status == TZ_OK; w++) {
        uint64_t form = sentence->word[w].lower;
        uint32_t ignored;
        status = tz_tally_add(&counts->form, form, &ignored);
        if (status == TZ_OK)
            status =
                tz_tally_add(&counts->pair, pair_key(form, (size_t)sentence->fine[w]), &ignored);
    }
    return status;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* A kind by its tags and shares; how many forms are of it. */
typedef struct kind {
    uint32_t code;
    uint32_t forms;
} kind;

static uint32_t share_bin(uint32_t count, uint32_t all) {
    double share = (double)count / (double)all;
    return share > 0.95 ? 3 : share > 0.7 ? 2 : share > 0.3 ? 1 : 0;
}

/* Above 0: a tag is its number and 1. */
static uint32_t code_of(const tz_tag_counts *counts, uint64_t form, uint32_t all, size_t tags) {
    uint32_t most = 0, next = 0, first = 0, second = 0;
    for (uint32_t t = 0; t < (uint32_t)tags; t++) {
        uint32_t count = tz_tally_get(&counts->pair, pair_key(form, t));
        if (count > most) {
            next = most, second = first;
            most = count, first = t + 1;
        } else if (count > next) {
            next = count, second = t + 1;
        }
    }
    if (next < 0.05 * all)
        next = second = 0;
    return (first << 2 | share_bin(most, all)) << 10 | second << 2 | share_bin(next, all);
}

static int by_code(const void *a, const void *b) {
    const kind *x = a, *y = b;
    return (x->code > y->code) - (x->code < y->code);
}

static int by_forms(const void *a, const void *b) {
    const kind *x = a, *y = b;
    return x->forms != y->forms ? (x->forms < y->forms) - (x->forms > y->forms) : by_code(a, b);
}

/* kind[0..count-1], one for each form, becomes a list of different ones, the commonest first. */
static size_t list_kinds(kind *kind, size_t count) {
    size_t kinds = 0;
    qsort(kind, count, sizeof *kind, by_code);
    for (size_t k = 0; k < count; k++)
        if (kinds > 0 && kind[kinds - 1].code == kind[k].code)
            kind[kinds - 1].forms++;
        else
            kind[kinds++] = kind[k];
    qsort(kind, kinds, sizeof *kind, by_forms);
    return kinds < TZ_SKETCH_MOST ? kinds : TZ_SKETCH_MOST;
}

tz_status tz_dictionary_new(const tz_tag_counts *counts, size_t tags, tz_sketch **ret_dictionary) {
    const tz_tally *form = &counts->form;
    size_t forms = 0;
    *ret_dictionary = NULL;
    kind *list = malloc((form->keys + 1) * sizeof *list);
    uint32_t *code = malloc((form->capacity + 1) * sizeof *code); /* 0: there is no such form */
    tz_status status = list && code ? TZ_OK : TZ_NO_MEMORY;
    for (size_t f = 0; f < form->capacity && status == TZ_OK; f++) {
        bool often = form->key[f] != 0 && form->count[f] >= TZ_DICTIONARY_LEAST;
        code[f] = often ? code_of(counts, form->key[f], form->count[f], tags) : 0;
        if (often)
            list[forms++] = (kind){code[f], 1};
    }
    status = status == TZ_OK ? tz_sketch_new(TZ_SKETCH_DICTIONARY, forms, ret_dictionary) : status;
    size_t kinds = status == TZ_OK ? list_kinds(list, forms) : 0;
    for (size_t f = 0; f < form->capacity && status == TZ_OK; f++) {
        size_t k = 0;
        while (k < kinds && list[k].code != code[f])
            k++;
        if (k < kinds)
            tz_sketch_put_number(*ret_dictionary, form->key[f], (uint8_t)(k + 1));
    }
    free(list);
    free(code);
    return status;
}

void tz_dictionary_look(const tz_sketch *opt_dictionary, const tz_sentence *sentence) {
    for (int32_t w = 1; w <= sentence->words; w++) {
        tz_word *word = &sentence->word[w];
        if (!opt_dictionary || !tz_sketch_get_number(opt_dictionary, word->lower, &word->kind))
            word->kind = 0;
    }
}
