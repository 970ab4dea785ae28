/* aligner.c - see aligner.h. SPDX-License-Identifier: MIT */
#include "sentences/align/aligner.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"

static const double fake_any = 2, fake_same = 4, fake_stem = 3;

void tz_aligner_free(tz_aligner *a) {
    void *const array[] = {a->jump,  a->abstract_stem, a->null_count, a->document_stem,
                           a->total, a->count,         a->members};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    tz_numbers_free(&a->abstract);
    tz_numbers_free(&a->document);
    tz_numbers_free(&a->cell);
    tz_numbers_free(&a->stem);
    *a = (tz_aligner){0};
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The number of a word, with its stem beside it. */
static tz_status add_word(tz_numbers *words, uint64_t **stem, size_t *capacity, const tz_form *form,
                          uint32_t *ret_number) {
    void *stems = *stem;
    bool grown = tz_grow(&stems, capacity, words->count + 1, sizeof **stem);
    *stem = stems;
    tz_status status = grown ? tz_numbers_add(words, form->word, ret_number) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        (*stem)[*ret_number] = form->stem;
    return status;
}

tz_status tz_aligner_add(tz_aligner *a, const tz_form *document, size_t n, const tz_form *abstract,
                         size_t m) {
    uint32_t x, y, cell;
    tz_status status = TZ_OK;
    for (size_t t = 0; t < m && status == TZ_OK; t++)
        status = add_word(&a->abstract, &a->abstract_stem, &a->capacity[0], &abstract[t], &x);
    for (size_t j = 0; j < n && status == TZ_OK; j++)
        status = add_word(&a->document, &a->document_stem, &a->capacity[1], &document[j], &y);
    for (size_t j = 0; j < n && status == TZ_OK; j++) {
        y = tz_numbers_find(&a->document, document[j].word);
        for (size_t t = 0; t < m && status == TZ_OK; t++) {
            x = tz_numbers_find(&a->abstract, abstract[t].word);
            status = tz_numbers_add(&a->cell, (uint64_t)y << 32 | x, &cell);
        }
    }
    a->reach = (int32_t)n > a->reach ? (int32_t)n : a->reach;
    return status;
}

static size_t class_size(const tz_aligner *a, uint64_t stem) {
    uint32_t number = tz_numbers_find(&a->stem, stem);
    return number == TZ_NO_NUMBER ? 0 : a->members[number];
}

tz_status tz_aligner_count_stems(tz_aligner *a) {
    a->members = calloc(a->abstract.count + 1, sizeof *a->members);
    tz_status status = a->members ? TZ_OK : TZ_NO_MEMORY;
    for (size_t x = 0; x < a->abstract.count && status == TZ_OK; x++) {
        uint32_t number;
        status = tz_numbers_add(&a->stem, a->abstract_stem[x], &number);
        if (status == TZ_OK)
            a->members[number]++;
    }
    return status;
}

/* ---- Priors ---------------------------------------------------------------------------------- */

double tz_aligner_fake(const tz_form *document, const tz_form *abstract) {
    return fake_any + (document->word == abstract->word ? fake_same : 0) +
           (document->stem == abstract->stem ? fake_stem : 0);
}

double tz_aligner_fakes(const tz_aligner *a, const tz_form *document) {
    bool known = tz_numbers_find(&a->abstract, document->word) != TZ_NO_NUMBER;
    return fake_any * (double)a->abstract.count + (known ? fake_same : 0) +
           fake_stem * (double)class_size(a, document->stem);
}

tz_status tz_aligner_start(tz_aligner *a, double null) {
    size_t distances = 2 * (size_t)a->reach + 2;
    a->jump = calloc(distances, sizeof *a->jump);
    a->null_count = calloc(a->abstract.count + 1, sizeof *a->null_count);
    a->total = calloc(a->document.count + 1, sizeof *a->total);
    a->count = calloc(a->cell.count + 1, sizeof *a->count);
    if (!a->jump || !a->null_count || !a->total || !a->count || tz_aligner_count_stems(a) != TZ_OK)
        return TZ_NO_MEMORY;
    a->null = null;
    a->floor = 1 / (double)distances;
    a->null_total = fake_any * (double)a->abstract.count;
    for (size_t k = 0; k < TZ_PARTS; k++)
        a->part[k] = 1.0 / TZ_PARTS;
    for (size_t d = 0; d < distances; d++)
        a->jump[d] = a->floor;
    for (size_t x = 0; x < a->abstract.count; x++)
        a->null_count[x] = fake_any;
    for (size_t y = 0; y < a->document.count; y++)
        a->total[y] = tz_aligner_fakes(a, &(tz_form){a->document.value[y], a->document_stem[y]});
    for (size_t c = 0; c < a->cell.count; c++) {
        size_t y = a->cell.value[c] >> 32, x = (uint32_t)a->cell.value[c];
        a->count[c] = tz_aligner_fake(&(tz_form){a->document.value[y], a->document_stem[y]},
                                      &(tz_form){a->abstract.value[x], a->abstract_stem[x]});
    }
    return TZ_OK;
}

/* ---- Probabilities --------------------------------------------------------------------------- */

/* t(x | y) */
static double table(const tz_aligner *a, const tz_form *document, const tz_form *abstract,
                    uint32_t x) {
    uint32_t y = tz_numbers_find(&a->document, document->word);
    if (y == TZ_NO_NUMBER)
        return 1 / (double)(a->abstract.count + 1);
    double fake = tz_aligner_fake(document, abstract);
    if (x == TZ_NO_NUMBER)
        return fake / (a->total[y] + fake);
    uint32_t cell = tz_numbers_find(&a->cell, (uint64_t)y << 32 | x);
    return (cell == TZ_NO_NUMBER ? fake : a->count[cell]) / a->total[y];
}

double tz_aligner_rewrite(const tz_aligner *a, const tz_form *document, const tz_form *abstract,
                          double *ret_part) {
    uint32_t x = tz_numbers_find(&a->abstract, abstract->word);
    double alike = document->stem == abstract->stem
                       ? (double)(class_size(a, document->stem) + (x == TZ_NO_NUMBER))
                       : 0;
    ret_part[TZ_PART_SAME] = document->word == abstract->word ? a->part[TZ_PART_SAME] : 0;
    ret_part[TZ_PART_STEM] = alike > 0 ? a->part[TZ_PART_STEM] / alike : 0;
    ret_part[TZ_PART_TABLE] = a->part[TZ_PART_TABLE] * table(a, document, abstract, x);
    return ret_part[TZ_PART_SAME] + ret_part[TZ_PART_STEM] + ret_part[TZ_PART_TABLE];
}

static double from_nowhere(const tz_aligner *a, const tz_form *abstract) {
    uint32_t x = tz_numbers_find(&a->abstract, abstract->word);
    return x == TZ_NO_NUMBER ? fake_any / (a->null_total + fake_any)
                             : a->null_count[x] / a->null_total;
}

void tz_aligner_score(const tz_aligner *a, const tz_form *document, size_t n,
                      const tz_form *abstract, size_t m, const tz_aligner_cells *ret_score) {
    double part[TZ_PARTS], moves = log1p(-a->null);
    for (size_t t = 1; t <= m; t++) {
        ret_score->null[t] = log(a->null) + log(from_nowhere(a, &abstract[t - 1]));
        for (size_t j = 1; j <= n; j++)
            ret_score->rewrite[t * (n + 1) + j] =
                log(tz_aligner_rewrite(a, &document[j - 1], &abstract[t - 1], part));
    }
    int32_t longest = (int32_t)n;
    for (int32_t d = -longest; d <= longest + 1; d++) {
        bool known = -a->reach <= d && d <= a->reach + 1;
        ret_score->jump[d + longest] = moves + log(known ? a->jump[d + a->reach] : a->floor);
    }
}
