/* zlib.c - see zlib.h. Deflate: RFC 1951. SPDX-License-Identifier: MIT */
#include "zlib.h"

#include <stdbool.h>
#include <string.h>

uLong crc32_z(uLong crc, const Bytef *from, size_t size) {
    uint32_t table[256], sum = ~(uint32_t)crc;
    for (uint32_t byte = 0; byte < 256; byte++) {
        table[byte] = byte;
        for (int bit = 0; bit < 8; bit++)
            table[byte] = (table[byte] >> 1) ^ (table[byte] & 1 ? 0xedb88320 : 0);
    }
    for (size_t i = 0; i < size; i++)
        sum = (sum >> 8) ^ table[(sum ^ from[i]) & 0xff];
    return (uint32_t)~sum;
}

static uint32_t adler32_of(const Bytef *from, size_t size) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + from[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

enum { MOST_BITS = 15, LITERALS = 288, DISTANCES = 32, LENGTHS = 19, END = 256 };

typedef struct stream {
    const Bytef *from;
    size_t size, at;
    uint32_t held; /* bits that were read and not taken, */
    unsigned bits; /* so many */
    bool cut;      /* more was asked than there is */
    Bytef *to;
    size_t room, written;
} stream;

/* A prefix code: the number of codes of each length, and what they mean in their order. */
typedef struct code {
    uint16_t count[MOST_BITS + 1], symbol[LITERALS];
} code;

static unsigned take(stream *s, unsigned bits) {
    while (s->bits < bits) {
        s->cut = s->cut || s->at == s->size;
        s->held |= (uint32_t)(s->cut ? 0 : s->from[s->at++]) << s->bits;
        s->bits += 8;
    }
    unsigned ret = s->held & ((1u << bits) - 1);
    s->held >>= bits;
    s->bits -= bits;
    return ret;
}

/* Codes of a length are numbered one after the other, from twice the number behind the last one of
 * the length before. -1: there is no such code. */
static int symbol_of(stream *s, const code *code) {
    int number = 0, first = 0, index = 0;
    for (int length = 1; length <= MOST_BITS; length++) {
        number |= (int)take(s, 1);
        int count = code->count[length];
        if (number - first < count)
            return code->symbol[index + number - first];
        index += count;
        first = (first + count) << 1;
        number <<= 1;
    }
    return -1;
}

/* false: the lengths are those of no code. One that is not complete is fine for one symbol only. */
static bool make_code(const uint8_t *length, unsigned symbols, code *ret) {
    uint16_t offset[MOST_BITS + 2] = {0};
    int left = 1;
    memset(ret, 0, sizeof *ret);
    for (unsigned s = 0; s < symbols; s++)
        ret->count[length[s]]++;
    bool single = ret->count[0] + 1u >= symbols;
    ret->count[0] = 0;
    for (int bits = 1; bits <= MOST_BITS; bits++) {
        left = 2 * left - ret->count[bits];
        if (left < 0)
            return false;
        offset[bits + 1] = (uint16_t)(offset[bits] + ret->count[bits]);
    }
    for (unsigned s = 0; s < symbols; s++)
        if (length[s] > 0)
            ret->symbol[offset[length[s]]++] = (uint16_t)s;
    return left == 0 || single;
}

static void fixed_codes(code *ret_literals, code *ret_distances) {
    uint8_t length[LITERALS];
    for (unsigned s = 0; s < LITERALS; s++)
        length[s] = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
    make_code(length, LITERALS, ret_literals);
    memset(length, 5, DISTANCES);
    make_code(length, DISTANCES, ret_distances);
}

static int read_codes(stream *s, code *ret_literals, code *ret_distances) {
    static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t length[LITERALS + DISTANCES] = {0};
    unsigned literals = take(s, 5) + 257, distances = take(s, 5) + 1, lengths = take(s, 4) + 4;
    for (unsigned i = 0; i < lengths; i++)
        length[order[i]] = (uint8_t)take(s, 3);
    code code;
    if (literals > 286 || distances > 30 || !make_code(length, LENGTHS, &code))
        return Z_DATA_ERROR;
    memset(length, 0, sizeof length);
    for (unsigned i = 0; i < literals + distances;) {
        int symbol = symbol_of(s, &code);
        if (symbol < 0 || s->cut || (symbol == 16 && i == 0))
            return Z_DATA_ERROR;
        unsigned repeat = symbol < 16    ? 1
                          : symbol == 16 ? 3 + take(s, 2)
                          : symbol == 17 ? 3 + take(s, 3)
                                         : 11 + take(s, 7);
        uint8_t repeated = symbol < 16 ? (uint8_t)symbol : symbol == 16 ? length[i - 1] : 0;
        if (repeat > literals + distances - i)
            return Z_DATA_ERROR;
        memset(length + i, repeated, repeat);
        i += repeat;
    }
    return length[END] > 0 && make_code(length, literals, ret_literals) &&
                   make_code(length + literals, distances, ret_distances)
               ? Z_OK
               : Z_DATA_ERROR;
}

static int stored(stream *s) {
    s->held = s->bits = 0; /* up to the next byte */
    unsigned size = take(s, 16), inverse = take(s, 16);
    if (s->cut || (size ^ 0xffff) != inverse || size > s->size - s->at)
        return Z_DATA_ERROR;
    if (size > s->room - s->written)
        return Z_BUF_ERROR;
    memcpy(s->to + s->written, s->from + s->at, size);
    s->written += size;
    s->at += size;
    return Z_OK;
}

/* What was written `distance` ago once more. */
static int repeat(stream *s, unsigned size, const code *distances) {
    int symbol = symbol_of(s, distances);
    if (symbol < 0 || symbol > 29)
        return Z_DATA_ERROR;
    unsigned extra = symbol < 4 ? 0 : (unsigned)symbol / 2 - 1;
    unsigned base = symbol < 4 ? (unsigned)symbol : (2u + ((unsigned)symbol & 1)) << extra;
    size_t distance = base + take(s, extra) + (size_t)1;
    if (s->cut || distance > s->written)
        return Z_DATA_ERROR;
    if (size > s->room - s->written)
        return Z_BUF_ERROR;
    for (; size > 0; size--, s->written++)
        s->to[s->written] = s->to[s->written - distance];
    return Z_OK;
}

static int coded(stream *s, const code *literals, const code *distances) {
    for (;;) {
        int symbol = symbol_of(s, literals), status = Z_OK;
        if (symbol < 0 || symbol > 285 || s->cut)
            return Z_DATA_ERROR;
        if (symbol == END)
            return Z_OK;
        if (symbol < END) {
            if (s->written == s->room)
                return Z_BUF_ERROR;
            s->to[s->written++] = (Bytef)symbol;
            continue;
        }
        unsigned which = (unsigned)symbol - 257, extra = which < 8 ? 0 : which / 4 - 1;
        unsigned base = which < 8 ? which + 3 : ((4 + (which & 3)) << extra) + 3;
        status =
            which == 28 ? repeat(s, 258, distances) : repeat(s, base + take(s, extra), distances);
        if (status != Z_OK)
            return status;
    }
}

static int block(stream *s) {
    code literals, distances;
    int status = Z_OK;
    switch (take(s, 2)) {
    case 0:
        return stored(s);
    case 1:
        fixed_codes(&literals, &distances);
        break;
    case 2:
        status = read_codes(s, &literals, &distances);
        break;
    default:
        return Z_DATA_ERROR;
    }
    return status == Z_OK ? coded(s, &literals, &distances) : status;
}

int uncompress(Bytef *to, uLongf *size, const Bytef *from, uLong from_size) {
    stream s = {.from = from, .size = from_size, .to = to, .room = *size};
    unsigned method = take(&s, 8), flags = take(&s, 8);
    if (s.cut || (method & 15) != 8 || (method << 8 | flags) % 31 != 0 || flags & 0x20)
        return Z_DATA_ERROR;
    bool last = false;
    while (!last) {
        last = take(&s, 1);
        int status = block(&s);
        if (status != Z_OK)
            return status;
    }
    s.held = s.bits = 0;
    uint32_t sum = 0;
    for (int byte = 0; byte < 4; byte++)
        sum = sum << 8 | take(&s, 8);
    if (s.cut || sum != adler32_of(to, s.written))
        return Z_DATA_ERROR;
    *size = s.written;
    return Z_OK;
}
