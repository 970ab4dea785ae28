/* fuzz_npz.c - problems as NumPy arrays in a zip archive, whose checksums are right.
 *
 * The first byte chooses the rule set and the semiring, the second how many problems are read at a
 * time. Then come arrays: a byte for the name, a byte of flags, two for the number of bytes of
 * elements, the header up to its newline, and the elements. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text.h"
#include "fuzz.h"
#include "io/npz/npz_problem.h"
#include "problems.h"

enum { ARRAYS = 12, MOST_PROBLEMS = 64 };
/* Flags of an array. */
enum { DEFLATED = 1, DAMAGED = 2, VERSION2 = 4, LONGER = 8 };
/* Sizes of the records of an archive. */
enum { LOCAL = 30, CENTRAL = 46, END = 22 };

static void add(tz_text *text, const void *bytes, size_t size) {
    tz_text_add(text, bytes, size);
    FUZZ_CHECK(!text->failed);
}

/* A .npy file. */
static void write_array(fuzz_input *input, unsigned flags, tz_text *text) {
    size_t data = fuzz_byte(input), size, elements;
    data |= (size_t)fuzz_byte(input) << 8;
    const uint8_t *newline = input->left > 0 ? memchr(input->at, '\n', input->left) : NULL;
    size_t line = newline != NULL ? (size_t)(newline - input->at) + 1 : input->left;
    const uint8_t *header = fuzz_bytes(input, line, &size);
    unsigned char start[12] = "\x93NUMPY\1";
    start[6] = flags & VERSION2 ? 2 : 1;
    start[8] = (unsigned char)size;
    start[9] = (unsigned char)(size >> 8);
    add(text, start, flags & VERSION2 ? 12 : 10);
    add(text, header, size);
    const uint8_t *bytes = fuzz_bytes(input, data, &elements);
    add(text, bytes, elements);
    for (size_t left = data - elements; left > 0; left--)
        add(text, "", 1); /* zeros */
}

static void put16(unsigned char *to, size_t value) {
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
}

static void put32(unsigned char *to, size_t value) {
    put16(to, value);
    put16(to + 2, value >> 16);
}

/* A record of this array; offset: of its bytes, in the directory. */
static void write_member(tz_text *text, bool central, unsigned flags, const char *name,
                         uint32_t crc, const tz_text *packed, size_t plain, size_t offset) {
    unsigned char head[CENTRAL] = {0}, *at = head + (central ? 6 : 4);
    memcpy(head, central ? "PK\1\2" : "PK\3\4", 4);
    put16(at, 20); /* the version that reads it */
    put16(at + 4, flags & DEFLATED ? 8 : 0);
    put16(at + 8, 1 + 32); /* January 1st, 1980 */
    put32(at + 10, crc ^ (flags & DAMAGED ? 1 : 0));
    put32(at + 14, packed->size);
    put32(at + 18, plain + (flags & LONGER ? 8 : 0));
    put16(at + 22, strlen(name));
    if (central)
        put32(head + 42, offset);
    add(text, head, central ? CENTRAL : LOCAL);
    add(text, name, strlen(name));
}

/* The name of an array that the rule set may have, or of none. */
static void choose_name(const fuzz_chart *chart, unsigned byte, char ret_name[80]) {
    static const char *const end[] = {"", ".index", ".cost", ".q"};
    const size_t lengths = tz_rules_count(chart->rules, TZ_LENGTHS);
    const size_t names = lengths + tz_rules_count(chart->rules, TZ_WEIGHTS) + 1;
    const size_t which = byte % names;
    const char *name = which < lengths ? tz_rules_name_of(chart->rules, TZ_LENGTHS, which)
                       : which < names - 1
                           ? tz_rules_name_of(chart->rules, TZ_WEIGHTS, which - lengths)
                           : "other";
    snprintf(ret_name, 80, "%s%s.npy", name, end[byte / names % 4]);
}

static void write_archive(const fuzz_chart *chart, fuzz_input *input, tz_text *archive) {
    OWNED(tz_text, directory) = {0}, plain = {0}, packed = {0};
    unsigned char end[END] = "PK\5\6";
    size_t arrays = 0;
    for (; input->left > 0 && arrays < ARRAYS; arrays++) {
        char name[80];
        choose_name(chart, fuzz_byte(input), name);
        unsigned flags = fuzz_byte(input);
        tz_text_clear(&plain);
        tz_text_clear(&packed);
        write_array(input, flags, &plain);
        uint32_t crc = (uint32_t)crc32_z(0, (const Bytef *)plain.data, plain.size);
        if (flags & DEFLATED) { /* without the two bytes before and the four behind of zlib */
            uLongf size = compressBound(plain.size);
            FREED(unsigned char, bytes) = malloc(size);
            FUZZ_CHECK(bytes != NULL);
            FUZZ_CHECK(compress2(bytes, &size, (const Bytef *)plain.data, plain.size, 1) == Z_OK);
            add(&packed, bytes + 2, size - 6);
        } else {
            add(&packed, plain.data, plain.size);
        }
        write_member(&directory, true, flags, name, crc, &packed, plain.size, archive->size);
        write_member(archive, false, flags, name, crc, &packed, plain.size, 0);
        add(archive, packed.data, packed.size);
    }
    put16(end + 8, arrays);
    put16(end + 10, arrays);
    put32(end + 12, directory.size);
    put32(end + 16, archive->size);
    if (arrays > 0)
        add(archive, directory.data, directory.size);
    add(archive, end, END);
}

static void read_problems(const fuzz_chart *chart, tz_npz_input *input, size_t batch) {
    uint64_t problems = tz_npz_input_problems(input);
    tz_error error;
    for (uint64_t next = 0; next < problems && next < MOST_PROBLEMS; next += batch) {
        size_t count = problems - next < batch ? (size_t)(problems - next) : batch;
        tz_status status = tz_npz_input_read(input, count, &error);
        if (status != TZ_OK) {
            fuzz_check_error(status, &error);
            return;
        }
        for (size_t row = 0; row < count; row++) {
            tz_problem problem;
            status = tz_npz_input_problem(input, row, &problem, &error);
            if (status == TZ_OK)
                fuzz_answer(chart, &problem);
            else
                fuzz_check_error(status, &error);
        }
    }
}

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    const fuzz_chart *chart = fuzz_chart_of(fuzz_byte(&input));
    size_t batch = 1 + fuzz_byte(&input) % 8u;
    OWNED(tz_text, archive) = {0};
    OWN(tz_npz, npz) = NULL;
    OWN(tz_npz_input, arrays) = NULL;
    tz_error error;
    write_archive(chart, &input, &archive);
    FILE *file = fuzz_stream(archive.data, archive.size);
    tz_status status = tz_npz_open(file, "input", &npz, &error);
    if (status == TZ_OK)
        status = tz_npz_input_new(npz, chart->rules, chart->semiring, &arrays, &error);
    if (status == TZ_OK)
        read_problems(chart, arrays, batch);
    else
        fuzz_check_error(status, &error);
}
