/* scores.c - from the states of a sentence's positions to the scores of arcs and bigrams.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "sentences/features/templates/features_compress.h"
#include "sentences/neural/neural.h"

static const float LARGEST = 1e4F; /* what a damaged model gives is cut to that */

static float within(float score) {
    return fminf(fmaxf(score, -LARGEST), LARGEST);
}

/* Where the numbers of a layer `.._more` stand. */
enum { ALONE, BY_KIND = 1, BY_HEAD = BY_KIND + TZ_NEURAL_KINDS }; /* arcs */
enum { BY_GAP = 1, RELATED = BY_GAP + TZ_NEURAL_GAPS, WHOLE = RELATED + TZ_NEURAL_RELATIONS, PART };

/* A layer's output, and memory for the next one's. */
static float *apply(const tz_layer *layer, const float *z, size_t rows, float **room) {
    float *y = *room;
    tz_layer_apply(layer, z, rows, y);
    *room += rows * tz_lanes(layer->out);
    return y;
}

/* The kind of an arc whose head is `far` words behind its word; before it, where that is < 0. */
static size_t far_kind(int32_t far) {
    static const int32_t bound[TZ_NEURAL_FAR - 1] = {1, 2, 3, 4, 6, 9, 14, 22};
    size_t bin = tz_neural_bin(abs(far), bound, TZ_NEURAL_FAR - 1);
    return TZ_NEURAL_RELATIONS + bin + (far > 0 ? TZ_NEURAL_FAR : 0);
}

static void score_arcs(const tz_neural *neural, const tz_outline *outline, const float *z,
                       float *room, float *arc) {
    int32_t n = outline->words;
    size_t rows = (size_t)n + 1, width = tz_lanes(neural->size.arc);
    size_t other = tz_lanes(neural->arc_more.out);
    const float *head = apply(&neural->arc_head, z, rows, &room);
    const float *word = apply(&neural->arc_word, z, rows, &room);
    const float *more = apply(&neural->arc_more, z, rows, &room);
    float share = 1 / sqrtf((float)neural->size.arc);
    for (int32_t h = 0; h <= n; h++) {
        arc[(size_t)h * rows] = arc[(size_t)h * (rows + 1)] = 0;
        for (int32_t m = 1; m <= n; m++) {
            if (h == m)
                continue;
            size_t relation = (size_t)tz_relation_of(outline, h, m), far = far_kind(h - m);
            const float *of_head = more + (size_t)h * other, *of_word = more + (size_t)m * other;
            float score =
                share * tz_inner_product(head + (size_t)h * width, word + (size_t)m * width, width);
            score += of_word[ALONE] + of_word[BY_KIND + relation] + of_head[BY_HEAD + relation];
            score += of_word[BY_KIND + far] + of_head[BY_HEAD + far];
            arc[(size_t)h * rows + (size_t)m] = within(score);
        }
    }
}

/* The subtrees whose tops are dropped between i and j: how many, whole ones and others, up to 3;
 * and the sum of their scores. */
static float dropped_tops(const tz_outline *outline, const float *top, size_t stride, int32_t i,
                          int32_t j, size_t *ret_many) {
    float sum = 0;
    ret_many[0] = ret_many[1] = 0;
    for (int32_t k = i + 1; k < j; k++) {
        const tz_outline_word *w = &outline->word[k];
        if (w->head > i && w->head < j)
            continue;
        bool part = w->first <= i || w->last >= j;
        sum += top[(size_t)k * stride + part];
        ret_many[part] += ret_many[part] < TZ_NEURAL_TOPS - 1;
    }
    return sum;
}

static void score_bigrams(const tz_neural *neural, const tz_outline *outline, const float *z,
                          float *room, float *bigram) {
    int32_t n = outline->words;
    size_t rows = (size_t)n + 2, width = tz_lanes(neural->size.bigram);
    size_t other = tz_lanes(neural->left_more.out), tops = tz_lanes(neural->top_more.out);
    const float *left = apply(&neural->left, z, rows, &room);
    const float *right = apply(&neural->right, z, rows, &room);
    const float *left_more = apply(&neural->left_more, z, rows, &room);
    const float *right_more = apply(&neural->right_more, z, rows, &room);
    const float *top = apply(&neural->top_more, z, rows, &room);
    const float *count = neural->count;
    float share = 1 / sqrtf((float)neural->size.bigram);
    for (int32_t i = 0; i <= n; i++) {
        const float *a = left_more + (size_t)i * other;
        for (int32_t j = i + 1; j <= n + 1; j++) {
            const float *b = right_more + (size_t)j * other;
            size_t many[2], gap = (size_t)tz_count_bin(j - i - 1) - 1;
            size_t relation = j <= n ? (size_t)tz_relation_of(outline, i, j) : TZ_UNRELATED;
            float score = share * tz_inner_product(left + (size_t)i * width,
                                                   right + (size_t)j * width, width);
            score += a[ALONE] + a[BY_GAP + gap] + a[RELATED + relation];
            score += b[ALONE] + b[BY_GAP + gap] + b[RELATED + relation];
            score += dropped_tops(outline, top, tops, i, j, many);
            score += count[gap] + count[TZ_NEURAL_GAPS + many[0]] +
                     count[TZ_NEURAL_GAPS + TZ_NEURAL_TOPS + many[1]];
            score += (float)many[0] * (a[WHOLE] + b[WHOLE]) + (float)many[1] * (a[PART] + b[PART]);
            bigram[(size_t)i * rows + (size_t)j] = within(score);
        }
    }
}

void tz_neural_label(const tz_neural *neural, const float *label, size_t words, const int32_t *head,
                     int32_t *ret) {
    float x[TZ_NEURAL_WIDTH], y[TZ_NEURAL_WIDTH];
    size_t width = neural->size.label, labels = neural->size.labels;
    const float *of_word = label + (words + 1) * width;
    for (size_t m = 1; m <= words; m++) {
        for (size_t k = 0; k < width; k++)
            x[k] = fmaxf(label[(size_t)head[m] * width + k] + of_word[m * width + k], 0);
        tz_layer_apply(&neural->label_out, x, 1, y);
        ret[m] = 0;
        for (size_t l = 1; l < labels; l++)
            if (y[l] > y[ret[m]])
                ret[m] = (int32_t)l;
    }
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

tz_status tz_neural_score(const tz_neural *neural, const tz_sentence *sentence,
                          tz_neural_scores *scores) {
    size_t n = (size_t)sentence->words, rows = n + 2;
    if (n > TZ_NEURAL_WORDS)
        return TZ_TOO_LARGE;
    size_t arcs = tz_lanes(neural->arc_head.out) + tz_lanes(neural->arc_word.out) +
                  tz_lanes(neural->arc_more.out);
    size_t bigrams = tz_lanes(neural->left.out) + tz_lanes(neural->right.out) +
                     tz_lanes(neural->left_more.out) + tz_lanes(neural->right_more.out) +
                     tz_lanes(neural->top_more.out);
    size_t work = larger(tz_neural_encode_room(neural, n), rows * larger(arcs, bigrams));
    size_t states = rows * tz_lanes(neural->size.state), cells = (n + 1) * rows;
    size_t labels = neural->size.labels > 0 ? (n + 1) * neural->size.label : 0;
    if (!TZ_GROW(scores->room, &scores->capacity, 2 * (cells + labels) + states + work))
        return TZ_NO_MEMORY;
    scores->words = n;
    scores->arc = scores->room;
    scores->bigram = neural->size.bigram > 0 ? scores->arc + cells : NULL;
    scores->label = labels > 0 ? scores->arc + 2 * cells : NULL;
    float *z = scores->arc + 2 * (cells + labels), *room = z + states;
    tz_neural_encode(neural, sentence, room, z);
    score_arcs(neural, sentence->outline, z, room, scores->arc);
    if (labels > 0) {
        tz_layer_apply(&neural->label_head, z, n + 1, scores->label);
        tz_layer_apply(&neural->label_word, z, n + 1, scores->label + labels);
    }
    if (scores->bigram)
        score_bigrams(neural, sentence->outline, z, room, scores->bigram);
    return TZ_OK;
}

void tz_neural_scores_free(tz_neural_scores *scores) {
    free(scores->room);
    *scores = (tz_neural_scores){0};
}
