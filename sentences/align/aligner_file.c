/* aligner_file.c - an aligner as a file. SPDX-License-Identifier: MIT
 *
 *   8 bytes   "TZALIGNS"
 *   u32       version, 1
 *   u32       reach
 *   u64       words of abstracts, words of documents, cells
 *   f64       null, parts, floor, null_total
 *   f64       jumps
 *   for each word of abstracts    u64 word, u64 stem, f64 null_count
 *   for each word of documents    u64 word, u64 stem, f64 total
 *   for each cell                 u64 words, f64 count
 *   u32       CRC-32 of all before
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/lines.h"
#include "base/replace.h"
#include "base/whole.h"
#include "sentences/align/aligner.h"

static const char magic[8] = "TZALIGNS";
enum { VERSION = 1, HEAD = 8 + 4 + 4 + 3 * 8, SINGLE = 3 + TZ_PARTS, LONGEST = 1 << 20 };

/* ---- Writing --------------------------------------------------------------------------------- */

static void put(tz_text *text, uint64_t number, unsigned bytes) {
    char byte[8];
    for (unsigned b = 0; b < bytes; b++)
        byte[b] = (char)(unsigned char)(number >> 8 * b);
    tz_text_add(text, byte, bytes);
}

static void put_real(tz_text *text, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(text, bits, 8);
}

static void put_words(tz_text *text, const tz_numbers *words, const uint64_t *stem,
                      const double *number) {
    for (size_t w = 0; w < words->count; w++) {
        put(text, words->value[w], 8);
        put(text, stem[w], 8);
        put_real(text, number[w]);
    }
}

tz_status tz_aligner_save(const tz_aligner *a, const char *path, tz_error *opt_error) {
    const double single[SINGLE] = {
        a->null,  a->part[TZ_PART_SAME], a->part[TZ_PART_STEM], a->part[TZ_PART_TABLE],
        a->floor, a->null_total};
    tz_text text = {0};
    tz_text_add(&text, magic, sizeof magic);
    put(&text, VERSION, 4);
    put(&text, (uint64_t)a->reach, 4);
    put(&text, a->abstract.count, 8);
    put(&text, a->document.count, 8);
    put(&text, a->cell.count, 8);
    for (size_t i = 0; i < SINGLE; i++)
        put_real(&text, single[i]);
    for (size_t d = 0; d < 2 * (size_t)a->reach + 2; d++)
        put_real(&text, a->jump[d]);
    put_words(&text, &a->abstract, a->abstract_stem, a->null_count);
    put_words(&text, &a->document, a->document_stem, a->total);
    for (size_t c = 0; c < a->cell.count; c++) {
        put(&text, a->cell.value[c], 8);
        put_real(&text, a->count[c]);
    }
    if (!text.failed)
        put(&text, crc32_z(0, (const Bytef *)text.data, text.size), 4);
    tz_status status = tz_replace_text(path, &text, opt_error);
    tz_text_free(&text);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* What is left of a file. */
typedef struct reader {
    const unsigned char *at;
    bool wrong; /* a number that no aligner has */
} reader;

static uint64_t get(reader *r, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned b = 0; b < bytes; b++)
        number |= (uint64_t)*r->at++ << 8 * b;
    return number;
}

/* Above 0, or with `zero` at least that, and at most `most`. */
static double get_real(reader *r, double most, bool zero) {
    uint64_t bits = get(r, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    r->wrong |= !(zero ? number >= 0 : number > 0) || !(number <= most);
    return number;
}

static tz_status get_words(reader *r, size_t count, tz_numbers *words, uint64_t **stem,
                           double **number) {
    tz_status status = TZ_OK;
    *stem = calloc(count + 1, sizeof **stem);
    *number = calloc(count + 1, sizeof **number);
    if (!*stem || !*number)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < count && status == TZ_OK; w++) {
        uint32_t which;
        status = tz_numbers_add(words, get(r, 8), &which);
        r->wrong |= status == TZ_OK && which != w;
        (*stem)[w] = get(r, 8);
        (*number)[w] = get_real(r, 1e300, false);
    }
    return status;
}

static tz_status get_all(reader *r, size_t words, size_t rows, size_t cells, tz_aligner *a) {
    a->null = get_real(r, 1, true);
    for (size_t k = 0; k < TZ_PARTS; k++)
        a->part[k] = get_real(r, 1, true);
    a->floor = get_real(r, 1, false);
    a->null_total = get_real(r, 1e300, false);
    size_t distances = 2 * (size_t)a->reach + 2;
    a->jump = calloc(distances, sizeof *a->jump);
    a->count = calloc(cells + 1, sizeof *a->count);
    if (!a->jump || !a->count)
        return TZ_NO_MEMORY;
    for (size_t d = 0; d < distances; d++)
        a->jump[d] = get_real(r, 1, false);
    tz_status status = get_words(r, words, &a->abstract, &a->abstract_stem, &a->null_count);
    if (status == TZ_OK)
        status = get_words(r, rows, &a->document, &a->document_stem, &a->total);
    for (size_t c = 0; c < cells && status == TZ_OK; c++) {
        uint32_t which;
        uint64_t value = get(r, 8);
        status = tz_numbers_add(&a->cell, value, &which);
        r->wrong |=
            status == TZ_OK && (which != c || value >> 32 >= rows || (uint32_t)value >= words);
        a->count[c] = get_real(r, 1e300, false);
    }
    return status == TZ_OK && !r->wrong ? tz_aligner_count_stems(a) : status;
}

static tz_status read_aligner(const char *path, const unsigned char *bytes, size_t size,
                              tz_aligner *a, tz_error *opt_error) {
    static const char again[] = "make it anew or get another copy";
    if (size < HEAD + 4 || memcmp(bytes, magic, sizeof magic) != 0)
        return tz_bad_input(opt_error, path, 0, "not an aligner of trapeze");
    reader r = {.at = bytes + sizeof magic};
    uint64_t version = get(&r, 4), reach = get(&r, 4);
    uint64_t words = get(&r, 8), rows = get(&r, 8), cells = get(&r, 8);
    if (version != VERSION) {
        return tz_bad_input(opt_error, path, 0, "the aligner has format %u, this program reads %d",
                            (unsigned)version, VERSION);
    }
    if (reach > LONGEST || words > size || rows > size || cells > size ||
        size != HEAD + 8 * (SINGLE + 2 * reach + 2) + 24 * (words + rows) + 16 * cells + 4)
        return tz_bad_input(opt_error, path, 0, "the aligner is damaged or cut off; %s", again);
    reader sum = {.at = bytes + size - 4};
    if (get(&sum, 4) != crc32_z(0, bytes, size - 4))
        return tz_bad_input(opt_error, path, 0, "the aligner is damaged: its checksum is wrong; %s",
                            again);
    a->reach = (int32_t)reach;
    tz_status status = get_all(&r, words, rows, cells, a);
    if (status == TZ_OK && r.wrong)
        return tz_bad_input(opt_error, path, 0, "the aligner is damaged: a number is wrong; %s",
                            again);
    return status == TZ_OK ? TZ_OK : tz_out_of_memory(opt_error, path, 0);
}

tz_status tz_aligner_load(const char *path, tz_aligner *ret_aligner, tz_error *opt_error) {
    void *bytes;
    size_t size;
    *ret_aligner = (tz_aligner){0};
    tz_status status = tz_whole_read(path, &bytes, &size, opt_error);
    if (status == TZ_OK)
        status = read_aligner(path, bytes, size, ret_aligner, opt_error);
    if (status != TZ_OK)
        tz_aligner_free(ret_aligner);
    free(bytes);
    return status;
}

bool tz_aligner_file(const char *path) {
    char head[sizeof magic];
    FILE *file = fopen(path, "rb");
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head &&
              memcmp(head, magic, sizeof head) == 0;
    if (file)
        fclose(file);
    return is;
}
