/* encode.c - from a sentence and its tree to the states of its positions 0..n + 1: vectors of each
 * word and its head, a recurrence in both directions, and once more the tree.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "sentences/features/tables/hash.h"
#include "sentences/features/templates/features_compress.h"
#include "sentences/neural/neural.h"

enum { UNKNOWN, BEGIN, END, FIRST_HASH }; /* rows of a vocabulary's vectors */
enum { SHORTEST = 3, LONGEST = 4 };       /* parts of words, in letters */

/* ---- Vectors --------------------------------------------------------------------------------- */

static size_t find_row(const uint32_t *hash, size_t count, uint64_t value) {
    uint32_t key = (uint32_t)value;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hash[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && hash[low] == key ? FIRST_HASH + low : UNKNOWN;
}

static void add_vector(const tz_vectors *vectors, size_t row, float share, float *to) {
    const signed char *number = vectors->number + row * vectors->width;
    float unit = vectors->unit[row] * share;
    for (size_t k = 0; k < vectors->width; k++)
        to[k] += unit * (float)number[k];
}

/* Calls add_vector for each part of "<word>", a digit being #, or counts them where `to` is NULL.
 */
static size_t add_parts(const tz_neural *neural, const char *form, float share, float *to) {
    uint32_t last[LONGEST] = {'<'}; /* the last letters, the very last first */
    size_t codes = 1, parts = 0, size = strlen(form);
    for (bool more = true; more; codes++) {
        uint32_t code = '>';
        more = size > 0;
        if (more) {
            unsigned used = tz_utf8_decode(form, size, &code);
            code = used > 0 ? tz_code_lower(code) : (unsigned char)*form;
            code = code >= '0' && code <= '9' ? '#' : code;
            form += used > 0 ? used : 1;
            size -= used > 0 ? used : 1;
        }
        memmove(last + 1, last, (LONGEST - 1) * sizeof *last);
        last[0] = code;
        for (size_t length = SHORTEST; length <= LONGEST && length <= codes + 1; length++) {
            uint64_t hash = length;
            for (size_t k = length; k > 0; k--)
                hash = tz_hash(hash, last[k - 1]);
            if (to)
                add_vector(&neural->part, (size_t)(hash % neural->size.buckets), share, to);
            parts++;
        }
    }
    return parts;
}

static void write_vectors(const tz_neural *neural, const tz_sentence *sentence, int32_t p,
                          float *to) {
    const tz_outline_word *w = &sentence->outline->word[p];
    const uint64_t value[TZ_VOCABULARIES] = {w->word, w->fine, w->coarse, w->label};
    bool inside = p >= 1 && p <= sentence->words;
    for (size_t v = 0; v < TZ_VOCABULARIES; v++) {
        size_t row = inside ? find_row(neural->hash[v], neural->size.hashes[v], value[v])
                            : (size_t)(p == 0 ? BEGIN : END);
        add_vector(&neural->word[v], row, 1, to);
        if (v == TZ_VOCABULARY_WORD && inside) {
            size_t parts = add_parts(neural, sentence->form[p], 0, NULL);
            add_parts(neural, sentence->form[p], 1 / (float)parts, to);
        }
        to += neural->word[v].width;
    }
    static const int32_t bound[] = {1, 2, 3, 4, 5, 6, 8};
    size_t depth = inside ? 1 + tz_neural_bin(w->depth, bound, sizeof bound / sizeof *bound) : 0;
    add_vector(&neural->depth, depth, 1, to);
    add_vector(&neural->span, inside ? w->size : 0, 1, to + neural->size.bins);
}

static size_t vector_width(const tz_neural *neural) {
    size_t width = 2 * (size_t)neural->size.bins;
    for (size_t v = 0; v < TZ_VOCABULARIES; v++)
        width += neural->size.width[v];
    return width;
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Where a position's head is; those outside the words have position 0. */
static size_t head_of(const tz_sentence *sentence, size_t p) {
    int32_t head = p <= (size_t)sentence->words ? sentence->outline->word[p].head : 0;
    return head > 0 ? (size_t)head : 0;
}

static void rectify(float *x, size_t count) {
    for (size_t k = 0; k < count; k++)
        x[k] = x[k] > 0 ? x[k] : 0;
}

static float sigmoid(float x) {
    return 1 / (1 + expf(-x));
}

/* c_t = f_t c_{t-1} + (1 - f_t) tanh(z_t), h_t = sigmoid(o_t) c_t, in one direction (Bradbury et
 * al. 2017, Quasi-recurrent neural networks). gate: rows of z, f and o, each for both directions.
 */
static void scan(const float *gate, size_t stride, size_t size, size_t rows, bool back, float *h,
                 size_t to_stride) {
    const float *own = gate + (back ? size : 0);
    for (size_t k = 0; k < size; k++) {
        float c = 0;
        for (size_t t = 0; t < rows; t++) {
            size_t row = back ? rows - 1 - t : t;
            const float *g = own + row * stride + k;
            float f = sigmoid(g[2 * size]);
            c = f * c + (1 - f) * tanhf(g[0]);
            h[row * to_stride + (back ? size : 0) + k] = sigmoid(g[4 * size]) * c;
        }
    }
}

/* In each row of x: what belongs to the head's row and, as a mean, to the children's, from what
 * stands at `own` there, `width` numbers. */
static void look_at_tree(const tz_sentence *sentence, float *x, size_t rows, size_t stride,
                         size_t own, size_t width, bool children) {
    size_t above = own + width, below = above + width;
    for (size_t p = 0; p < rows; p++)
        memcpy(x + p * stride + above, x + head_of(sentence, p) * stride + own, width * sizeof *x);
    for (size_t p = 0; p < rows && children; p++)
        memset(x + p * stride + below, 0, width * sizeof *x);
    for (size_t c = 1; c + 1 < rows && children; c++) {
        float *to = x + head_of(sentence, c) * stride + below;
        for (size_t k = 0; k < width; k++)
            to[k] += x[c * stride + own + k];
    }
    for (size_t p = 0; p + 1 < rows && children; p++) {
        float count = 0;
        for (size_t c = 1; c + 1 < rows; c++)
            count += (float)(head_of(sentence, c) == p);
        for (size_t k = 0; k < width && count > 1; k++)
            x[p * stride + below + k] /= count;
    }
}

size_t tz_neural_encode_room(const tz_neural *neural, size_t words) {
    size_t wide = 2 * vector_width(neural) + tz_lanes(neural->gates.out);
    return (words + 2) * (wide + neural->joining.in + tz_lanes(neural->size.mixed));
}

void tz_neural_encode(const tz_neural *neural, const tz_sentence *sentence, float *room, float *z) {
    size_t rows = (size_t)sentence->words + 2, width = vector_width(neural);
    size_t mixed = neural->size.mixed, size = neural->size.scan, joined = neural->joining.in;
    float *x = room, *mix = x + rows * 2 * width, *gate = mix + rows * tz_lanes(mixed);
    float *join = gate + rows * tz_lanes(neural->gates.out);
    memset(x, 0, rows * 2 * width * sizeof *x);
    for (size_t p = 0; p < rows; p++)
        write_vectors(neural, sentence, (int32_t)p, x + p * 2 * width);
    look_at_tree(sentence, x, rows, 2 * width, 0, width, false);
    tz_layer_apply(&neural->mixing, x, rows, mix);
    rectify(mix, rows * tz_lanes(mixed));
    for (size_t p = 0; p < rows; p++)
        memcpy(join + p * joined, mix + p * tz_lanes(mixed), mixed * sizeof *join);
    /* The numbers of a layer's input stand without gaps: mixed is a whole number of vectors. */
    tz_layer_apply(&neural->gates, mix, rows, gate);
    for (int back = 0; back < 2; back++)
        scan(gate, tz_lanes(neural->gates.out), size, rows, back, join + mixed, joined);
    look_at_tree(sentence, join, rows, joined, mixed, 2 * size, true);
    tz_layer_apply(&neural->joining, join, rows, z);
    rectify(z, rows * tz_lanes(neural->size.state));
}
