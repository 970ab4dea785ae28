/* neural_file.c - reads the section (neural.h). SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/lines.h"
#include "sentences/features/tables/little.h"
#include "sentences/neural/neural.h"

enum { SIZES = sizeof(tz_neural_size) / 4, MIXES = sizeof(tz_neural_mix) / 4 };
enum { HEAD = 12 + 4 * SIZES + 4 * MIXES, TAIL = 4 };
enum { OUTSIDE = 3 }; /* rows of a vocabulary's vectors before those of its hashes */

static const char magic[8] = {'T', 'Z', 'N', 'E', 'U', 'R', 'A', 'L'};
static const float LARGEST = 100; /* weights are within that, on either side */

const char tz_neural_name[] = "neural", tz_neural_parser_name[] = "neural-parser";

const char *tz_neural_section(const void *bytes, size_t size) {
    if (size < HEAD + TAIL || memcmp(bytes, magic, sizeof magic) != 0)
        return NULL;
    const unsigned char *sizes = (const unsigned char *)bytes + 12;
    bool bigrams = tz_get32(sizes + offsetof(tz_neural_size, bigram)) > 0;
    return bigrams ? tz_neural_name : tz_neural_parser_name;
}

/* What is left of the file, and whether all was good so far. */
typedef struct reader {
    const unsigned char *at;
    tz_arena *arena; /* NULL: only the bytes are counted, */
    uint64_t bytes;  /* here */
    bool good, memory;
} reader;

static void *take(reader *r, size_t count, size_t size) {
    void *array = tz_arena_array(r->arena, count, size);
    r->memory = r->memory && array;
    return array;
}

static void read_floats(reader *r, size_t count, size_t room, float **ret) {
    r->bytes += 4 * (uint64_t)count;
    if (!r->arena)
        return;
    float *value = take(r, room, sizeof *value);
    for (size_t k = 0; k < count && value; k++) {
        value[k] = tz_get_float(r->at + 4 * k);
        r->good = r->good && fabsf(value[k]) <= LARGEST; /* no NaN is */
    }
    r->at += 4 * count;
    *ret = value;
}

/* Rows of a unit and bytes. */
static void read_vectors(reader *r, size_t rows, size_t width, tz_vectors *ret) {
    r->bytes += (uint64_t)rows * (4 + width);
    if (!r->arena)
        return;
    float *unit = take(r, rows, sizeof *unit);
    signed char *number = take(r, rows * width, 1);
    for (size_t k = 0; k < rows && unit && number; k++, r->at += 4 + width) {
        unit[k] = tz_get_float(r->at);
        r->good = r->good && fabsf(unit[k]) <= LARGEST / 128;
        if (width > 0)
            memcpy(number + k * width, r->at + 4, width);
    }
    *ret = (tz_vectors){width, unit, number};
}

static void read_layer(reader *r, size_t in, size_t out, tz_layer *ret) {
    *ret = (tz_layer){.in = in, .out = out};
    read_floats(r, out, tz_lanes(out), &ret->bias);
    r->bytes += (uint64_t)out * (4 + in);
    if (!r->arena)
        return;
    ret->weight = take(r, in * tz_lanes(out), sizeof *ret->weight);
    for (size_t o = 0; o < out && ret->weight; o++, r->at += 4 + in) {
        float unit = tz_get_float(r->at);
        r->good = r->good && fabsf(unit) <= LARGEST / 128;
        float *to = ret->weight + o / TZ_LANES * TZ_LANES * in + o % TZ_LANES;
        for (size_t k = 0; k < in; k++)
            to[k * TZ_LANES] = unit * (float)(signed char)r->at[4 + k];
    }
}

static void read_hashes(reader *r, size_t count, uint32_t **ret) {
    r->bytes += 4 * (uint64_t)count;
    if (!r->arena)
        return;
    uint32_t *hash = take(r, count, sizeof *hash);
    for (size_t k = 0; k < count && hash; k++) {
        hash[k] = tz_get32(r->at + 4 * k);
        r->good = r->good && (k == 0 || hash[k] > hash[k - 1]);
    }
    r->at += 4 * count;
    *ret = hash;
}

/* Everything after the head, or how many bytes that is. */
static void read_rest(reader *r, tz_neural *neural) {
    const tz_neural_size *s = &neural->size;
    size_t width = 2 * (size_t)s->bins, relations = TZ_NEURAL_RELATIONS, state = s->state;
    size_t more = 1 + TZ_NEURAL_GAPS + relations + 2;
    tz_vectors *const word = neural->word;
    for (size_t v = 0; v < TZ_VOCABULARIES; v++) {
        read_hashes(r, s->hashes[v], &neural->hash[v]);
        width += s->width[v];
    }
    read_hashes(r, s->labels, &neural->label);
    read_vectors(r, OUTSIDE + (size_t)s->hashes[0], s->width[0], &word[0]);
    read_vectors(r, s->buckets, s->width[0], &neural->part);
    for (size_t v = 1; v < TZ_VOCABULARIES; v++)
        read_vectors(r, OUTSIDE + (size_t)s->hashes[v], s->width[v], &word[v]);
    read_vectors(r, TZ_NEURAL_BINS, s->bins, &neural->depth);
    read_vectors(r, TZ_NEURAL_BINS, s->bins, &neural->span);
    read_layer(r, 2 * width, s->mixed, &neural->mixing);
    read_layer(r, s->mixed, 6 * (size_t)s->scan, &neural->gates);
    read_layer(r, s->mixed + 6 * (size_t)s->scan, state, &neural->joining);
    read_layer(r, state, s->arc, &neural->arc_head);
    read_layer(r, state, s->arc, &neural->arc_word);
    read_layer(r, state, 1 + 2 * (size_t)TZ_NEURAL_KINDS, &neural->arc_more);
    if (s->bigram == 0) {
        read_layer(r, state, s->label, &neural->label_head);
        read_layer(r, state, s->label, &neural->label_word);
        read_layer(r, s->label, s->labels, &neural->label_out);
        return;
    }
    read_layer(r, state, s->bigram, &neural->left);
    read_layer(r, state, s->bigram, &neural->right);
    read_layer(r, state, more, &neural->left_more);
    read_layer(r, state, more, &neural->right_more);
    read_layer(r, state, 2, &neural->top_more);
    float *count = NULL;
    read_floats(r, TZ_NEURAL_COUNTS, TZ_NEURAL_COUNTS, &count);
    if (count)
        memcpy(neural->count, count, sizeof neural->count);
}

static bool good_sizes(const tz_neural_size *s) {
    bool good = s->bins <= TZ_NEURAL_WIDTH && s->buckets >= 1 && s->buckets <= TZ_NEURAL_ROWS;
    for (size_t v = 0; v < TZ_VOCABULARIES; v++)
        good = good && s->hashes[v] <= TZ_NEURAL_ROWS && s->width[v] <= TZ_NEURAL_WIDTH;
    const uint32_t width[] = {s->mixed, s->scan, s->state, s->arc};
    for (size_t w = 0; w < sizeof width / sizeof *width; w++)
        good = good && width[w] >= 1 && width[w] <= TZ_NEURAL_WIDTH;
    good = good && s->bigram <= TZ_NEURAL_WIDTH;
    good = good && s->label <= TZ_NEURAL_WIDTH && s->labels <= TZ_NEURAL_WIDTH &&
           (s->labels > 0) == (s->bigram == 0);
    return good && s->mixed % TZ_LANES == 0 && s->state % TZ_LANES == 0 && s->label % TZ_LANES == 0;
}

static bool good_mix(const tz_neural_mix *mix) {
    return mix->weight > 0 && mix->weight <= LARGEST && fabsf(mix->bonus) <= LARGEST &&
           mix->scale > 0 && mix->scale <= LARGEST && mix->threshold >= 0 && mix->threshold <= 1;
}

static void read_head(const unsigned char *from, tz_neural *neural) {
    uint32_t size[SIZES];
    float mix[MIXES];
    for (size_t s = 0; s < SIZES; s++)
        size[s] = tz_get32(from + 12 + 4 * s);
    for (size_t m = 0; m < MIXES; m++)
        mix[m] = tz_get_float(from + 12 + 4 * SIZES + 4 * m);
    memcpy(&neural->size, size, sizeof size);
    memcpy(&neural->mix, mix, sizeof mix);
}

static tz_status damaged(const char *name, tz_error *opt_error, const char *what) {
    return tz_bad_input(opt_error, name, 0,
                        "the neural scores are damaged: %s; get another copy or make them anew "
                        "with python/neural",
                        what);
}

tz_status tz_neural_read(const char *name, const void *bytes, size_t size, tz_neural **ret_neural,
                         tz_error *opt_error) {
    const unsigned char *from = bytes;
    *ret_neural = NULL;
    if (!tz_neural_section(bytes, size))
        return damaged(name, opt_error, "they are cut off");
    if (tz_get32(from + 8) != TZ_NEURAL_VERSION)
        return tz_bad_input(opt_error, name, 0,
                            "the neural scores have format %u, this program reads format %d; make "
                            "them anew",
                            (unsigned)tz_get32(from + 8), TZ_NEURAL_VERSION);
    if (!tz_is_sealed(from, size))
        return damaged(name, opt_error, "their checksum is wrong");
    tz_neural head = {0};
    read_head(from, &head);
    if (!good_sizes(&head.size) || !good_mix(&head.mix))
        return damaged(name, opt_error, "their sizes make no sense");
    reader r = {.at = from + HEAD, .good = true, .memory = true};
    read_rest(&r, &head);
    if (r.bytes != (uint64_t)size - HEAD - TAIL)
        return damaged(name, opt_error, "they are cut off, or too long");
    r.arena = head.arena = tz_arena_new();
    tz_neural *neural = r.arena ? tz_arena_array(r.arena, 1, sizeof *neural) : NULL;
    if (neural) {
        read_rest(&r, &head);
        *neural = head;
    }
    if (!neural || !r.memory || !r.good) {
        tz_arena_free(head.arena);
        return neural && r.memory ? damaged(name, opt_error, "their weights make no sense")
                                  : tz_out_of_memory(opt_error, name, 0);
    }
    *ret_neural = neural;
    return TZ_OK;
}

void tz_neural_free(tz_neural *neural) {
    if (neural)
        tz_arena_free(neural->arena);
}
