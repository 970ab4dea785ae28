/* npy.c - see npy.h. SPDX-License-Identifier: MIT */
#include "io/npz/npy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"

tz_status tz_npy_start(const unsigned char *start, size_t *ret_at, size_t *ret_size,
                       tz_error *error) {
    if (memcmp(start, "\x93NUMPY", 6) != 0)
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "this is not a NumPy array: it does not begin as one; write it with "
                       "numpy.savez");
    if (start[6] < 1 || start[6] > 3)
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "version %u.%u of the .npy format is not known; 1.0, 2.0 and 3.0 are",
                       start[6], start[7]);
    size_t size = (size_t)start[8] | (size_t)start[9] << 8;
    if (start[6] > 1)
        size |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    if (size > TZ_NPY_LIMIT)
        return tz_fail(error, TZ_TOO_LARGE, "its header has %zu bytes; %d are allowed", size,
                       (int)TZ_NPY_LIMIT);
    *ret_at = start[6] > 1 ? 12 : 10;
    *ret_size = size;
    return TZ_OK;
}

/* ---- The dict ----------------------------------------------------------------------------- */

typedef struct scan {
    const char *start, *at, *end;
    tz_error *error;
} scan;

static bool wrong(scan *s, const char *expected) {
    tz_fail(s->error, TZ_BAD_ARGUMENT,
            "byte %zu of its header should be %s; write it with numpy.savez",
            (size_t)(s->at - s->start) + 1, expected);
    return false;
}

static void skip_blanks(scan *s) {
    while (s->at < s->end && strchr(" \t\r\n", *s->at) != NULL && *s->at != '\0')
        s->at++;
}

/* Is the next thing but blanks this character? Then it is taken. */
static bool take(scan *s, char c) {
    skip_blanks(s);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

static bool take_word(scan *s, const char *word) {
    size_t size = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0)
        return false;
    s->at += size;
    return true;
}

/* 'text' or "text" without escapes, cut off to size - 1 bytes. */
static bool read_string(scan *s, char *ret, size_t size) {
    char quote = take(s, '\'') ? '\'' : take(s, '"') ? '"' : '\0';
    size_t used = 0;
    if (quote == '\0')
        return wrong(s, "a string");
    for (; s->at < s->end && *s->at != quote; s->at++) {
        if (*s->at == '\\' || iscntrl((unsigned char)*s->at))
            return wrong(s, "a plain character");
        if (used + 1 < size)
            ret[used++] = *s->at;
    }
    ret[used] = '\0';
    return take(s, quote) || wrong(s, "the end of a string");
}

static bool read_extent(scan *s, uint64_t *ret) {
    uint64_t number = 0;
    skip_blanks(s);
    if (s->at == s->end || !isdigit((unsigned char)*s->at))
        return wrong(s, "a whole number");
    for (; s->at < s->end && isdigit((unsigned char)*s->at); s->at++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*s->at - '0'), &number))
            return wrong(s, "a number below 2^64");
    if (s->at < s->end && *s->at == 'L') /* as Python 2 wrote it */
        s->at++;
    *ret = number;
    return true;
}

/* (), (3,), (3, 4), (3, 4,) */
static bool read_shape(scan *s, tz_npy *npy) {
    bool comma = true;
    if (!take(s, '('))
        return wrong(s, "a shape such as (3, 4)");
    for (npy->rank = 0; !take(s, ')'); npy->rank++) {
        uint64_t extent;
        if (!comma)
            return wrong(s, "',' or ')'");
        if (!read_extent(s, &extent))
            return false;
        if (npy->rank < TZ_NPY_RANK)
            npy->extent[npy->rank] = extent;
        if (__builtin_mul_overflow(npy->count, extent, &npy->count))
            npy->count = UINT64_MAX;
        comma = take(s, ',');
    }
    return npy->rank != 1 || comma || wrong(s, "a tuple: (3,) with a comma");
}

/* "<f8": byte order, kind, bytes. */
static void read_descr(tz_npy *npy) {
    const char *at = npy->descr;
    char order = strchr("<>=|", *at) != NULL && *at != '\0' ? *at++ : '=';
    char kind = *at != '\0' ? *at++ : '\0', size = *at != '\0' ? *at++ : '\0';
    bool known = kind == 'f' ? size == '4' || size == '8'
                 : kind == 'i' || kind == 'u'
                     ? size == '1' || size == '2' || size == '4' || size == '8'
                     : false;
    if (!known || *at != '\0')
        return;
    npy->kind = kind;
    npy->size = (unsigned)(size - '0');
    npy->swapped = order == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<');
}

static bool read_dict(scan *s, tz_npy *npy) {
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    enum { DESCR, FORTRAN_ORDER, SHAPE, KEYS };
    bool seen[KEYS] = {false}, comma = true;
    if (!take(s, '{'))
        return wrong(s, "'{'");
    while (!take(s, '}')) {
        char key[16];
        unsigned which = 0;
        if (!comma)
            return wrong(s, "',' or '}'");
        if (!read_string(s, key, sizeof key))
            return false;
        while (which < KEYS && strcmp(keys[which], key) != 0)
            which++;
        if (which == KEYS || seen[which])
            return wrong(s, "behind 'descr', 'fortran_order' or 'shape', each once");
        seen[which] = true;
        if (!take(s, ':'))
            return wrong(s, "':'");
        if (which == DESCR && (take(s, '[') || take(s, '(')))
            strcpy(npy->descr, "of records");
        if (which == DESCR && npy->descr[0] != '\0')
            return true; /* the rest is of no use: whoever wants numbers refuses it */
        if (which == DESCR && !read_string(s, npy->descr, sizeof npy->descr))
            return false;
        if (which == FORTRAN_ORDER) {
            npy->fortran = take_word(s, "True");
            if (!npy->fortran && !take_word(s, "False"))
                return wrong(s, "True or False");
        }
        if (which == SHAPE && !read_shape(s, npy))
            return false;
        comma = take(s, ',');
    }
    skip_blanks(s);
    if (s->at < s->end)
        return wrong(s, "its end");
    for (unsigned k = 0; k < KEYS; k++)
        if (!seen[k]) {
            tz_fail(s->error, TZ_BAD_ARGUMENT, "its header lacks '%s'; write it with numpy.savez",
                    keys[k]);
            return false;
        }
    return true;
}

tz_status tz_npy_parse(const char *text, size_t size, tz_npy *ret_npy, tz_error *error) {
    tz_npy npy = {.count = 1};
    scan s = {text, text, text + size, error};
    if (!read_dict(&s, &npy))
        return TZ_BAD_ARGUMENT;
    read_descr(&npy);
    npy.fortran = npy.fortran && npy.rank > 1;
    if (npy.kind != 0 && npy.count > INT64_MAX / npy.size)
        return tz_fail(error, TZ_TOO_LARGE, "its shape has more cells than any file");
    *ret_npy = npy;
    return TZ_OK;
}

void tz_npy_print(char text[TZ_NPY_HEADER], const char *descr, unsigned rank,
                  const uint64_t *extent) {
    enum { AT = 10 };
    char shape[160] = "";
    size_t used = 0;
    for (unsigned q = 0; q < rank; q++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%" PRIu64 "%s",
                                 q > 0 ? ", " : "", extent[q], rank == 1 ? "," : "");
    memset(text, ' ', TZ_NPY_HEADER);
    memcpy(text, "\x93NUMPY\x01\x00", 8);
    text[8] = (char)((TZ_NPY_HEADER - AT) & 0xff);
    text[9] = (char)((TZ_NPY_HEADER - AT) >> 8);
    int written =
        snprintf(text + AT, TZ_NPY_HEADER - AT,
                 "{'descr': '%.8s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    text[AT + written] = ' ';
    text[TZ_NPY_HEADER - 1] = '\n';
}

/* ---- Elements ----------------------------------------------------------------------------- */

void tz_npy_unswap(const tz_npy *npy, void *data, size_t count) {
    if (!npy->swapped)
        return;
    uint16_t *two = data;
    uint32_t *four = data;
    uint64_t *eight = data;
    for (size_t i = 0; i < count && npy->size == 2; i++)
        two[i] = __builtin_bswap16(two[i]);
    for (size_t i = 0; i < count && npy->size == 4; i++)
        four[i] = __builtin_bswap32(four[i]);
    for (size_t i = 0; i < count && npy->size == 8; i++)
        eight[i] = __builtin_bswap64(eight[i]);
}

void tz_npy_integers(const tz_npy *npy, const void *data, size_t count, int64_t *ret_number) {
#define CONVERT(type)                                                                              \
    for (size_t i = 0; i < count; i++)                                                             \
    ret_number[i] = (int64_t)((const type *)data)[i]
    switch (npy->size | (npy->kind == 'u' ? 16u : 0u)) {
    case 1:
        CONVERT(int8_t);
        break;
    case 2:
        CONVERT(int16_t);
        break;
    case 4:
        CONVERT(int32_t);
        break;
    case 8:
        CONVERT(int64_t);
        break;
    case 17:
        CONVERT(uint8_t);
        break;
    case 18:
        CONVERT(uint16_t);
        break;
    case 20:
        CONVERT(uint32_t);
        break;
    case 24:
        for (size_t i = 0; i < count; i++) {
            uint64_t number = ((const uint64_t *)data)[i];
            ret_number[i] = number > INT64_MAX ? INT64_MAX : (int64_t)number;
        }
        break;
    }
#undef CONVERT
}
