/* aligner_file.c - an aligner as a file. SPDX-License-Identifier: MIT
 *
 *   8 bytes   "TZALIGNS"
 *   u32       version, 3
 *   ...       what `exchange` lists: u32, u64 and f64, little-endian
 *   u32       CRC-32 of all before
 *
 * One function says what stands in it, for writing and for reading alike.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/replace.h"
#include "base/whole.h"
#include "sentences/align/model/aligner.h"
#include "sentences/align/wordnet/decay.h"
#include "sentences/features/tables/little.h"

static const char magic[8] = "TZALIGNS";
enum { VERSION = 3, HEAD = sizeof magic + 4, LONGEST = 1 << 20 };

/* A file that is written, or read. After the first failure everything further does nothing. */
typedef struct file {
    tz_text *opt_text; /* written to */
    const unsigned char *at;
    size_t left; /* bytes to be read */
    bool wrong;  /* a number that no aligner has, or the end */
    bool no_memory;
} file;

static bool failed(const file *f) {
    return f->wrong || f->no_memory;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint64_t integer(file *f, uint64_t number, unsigned bytes) {
    char byte[8];
    if (f->opt_text) {
        for (unsigned b = 0; b < bytes; b++)
            byte[b] = (char)(unsigned char)(number >> 8 * b);
        tz_text_add(f->opt_text, byte, bytes);
        return number;
    }
    f->wrong |= f->left < bytes;
    if (failed(f))
        return 0;
    number = 0;
    for (unsigned b = 0; b < bytes; b++)
        number |= (uint64_t)*f->at++ << 8 * b;
    f->left -= bytes;
    return number;
}

/* From 0 to `most`. */
static unsigned small(file *f, unsigned number, unsigned most) {
    uint64_t got = integer(f, number, 4);
    f->wrong |= got > most;
    return got > most ? 0 : (unsigned)got;
}

static void real(file *f, double *number, double least, double most) {
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    bits = integer(f, bits, 8);
    memcpy(number, &bits, sizeof bits);
    f->wrong |= !(*number >= least && *number <= most);
}

static void reals(file *f, double **array, size_t count, double least, double most) {
    if (failed(f))
        return;
    if (!f->opt_text) {
        f->wrong |= count > f->left / sizeof **array;
        *array = failed(f) ? NULL : calloc(count + 1, sizeof **array);
        f->no_memory |= !failed(f) && !*array;
    }
    for (size_t i = 0; i < count && !failed(f); i++)
        real(f, *array + i, least, most);
}

static void counts(file *f, uint32_t **array, size_t count) {
    if (failed(f))
        return;
    if (!f->opt_text) {
        f->wrong |= count > f->left / sizeof **array;
        *array = failed(f) ? NULL : calloc(count + 1, sizeof **array);
        f->no_memory |= !failed(f) && !*array;
    }
    for (size_t i = 0; i < count && !failed(f); i++)
        (*array)[i] = (uint32_t)integer(f, (*array)[i], 4);
}

/* Different values, by their numbers. */
static void numbers(file *f, tz_numbers *numbers) {
    size_t count = (size_t)integer(f, numbers->count, 8);
    f->wrong |= !f->opt_text && count > f->left / 8;
    for (size_t i = 0; i < count && !failed(f); i++) {
        uint64_t value = integer(f, f->opt_text ? numbers->value[i] : 0, 8);
        if (f->opt_text || failed(f))
            continue;
        uint32_t number;
        tz_status status = tz_numbers_add(numbers, value, &number);
        f->no_memory |= status == TZ_NO_MEMORY;
        f->wrong |= status == TZ_TOO_LARGE || (status == TZ_OK && number != i);
    }
}

/* Different names, by their numbers. */
static void labels(file *f, tz_labels *labels) {
    unsigned count = small(f, (unsigned)labels->count, LONGEST);
    tz_text name = {0};
    for (unsigned l = 0; l < count && !failed(f); l++) {
        unsigned size = small(f, f->opt_text ? (unsigned)strlen(labels->name[l]) : 0, LONGEST);
        tz_text_clear(&name);
        for (unsigned b = 0; b < size && !failed(f); b++) {
            uint64_t byte = f->opt_text ? (unsigned char)labels->name[l][b] : 0;
            char read = (char)(unsigned char)integer(f, byte, 1);
            if (!f->opt_text)
                tz_text_add(&name, &read, 1);
        }
        if (f->opt_text || failed(f))
            continue;
        int32_t number = 0;
        tz_text_add(&name, "", 1);
        f->no_memory |= name.failed || tz_labels_add(labels, name.data, &number) != TZ_OK;
        f->wrong |= !failed(f) && number != (int32_t)l;
    }
    tz_text_free(&name);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void exchange_jumps(file *f, tz_jumps *jumps) {
    jumps->kind = small(f, jumps->kind, TZ_JUMP_KINDS - 1);
    jumps->low = -(int32_t)small(f, (unsigned)-jumps->low, LONGEST);
    jumps->high = (int32_t)small(f, (unsigned)jumps->high, LONGEST);
    reals(f, &jumps->log_p, tz_jumps_count(jumps), -1e300, 0);
    real(f, &jumps->beyond, -1e300, 0);
    real(f, &jumps->mean, -HUGE_VAL, HUGE_VAL);
    real(f, &jumps->variance, -HUGE_VAL, HUGE_VAL);
    labels(f, &jumps->labels);
    size_t all = tz_cover_parameters(jumps->labels.count);
    f->wrong |= jumps->kind == TZ_JUMP_SYNTAX && (jumps->low != 0 || tz_jumps_count(jumps) != all);
}

static void exchange_near(file *f, tz_near *near) {
    near->fingerprint = integer(f, near->fingerprint, 8);
    real(f, &near->eta, 0, TZ_DECAY_MOST);
    size_t count = (size_t)integer(f, near->phrase.count, 8);
    f->wrong |= !f->opt_text && count > f->left / 16;
    for (size_t p = 0; p < count && !failed(f); p++) {
        uint32_t sense[TZ_WORDNET_SENSES] = {0}, *given = sense;
        unsigned senses = 0;
        if (f->opt_text) {
            given = near->sense + near->from[p];
            senses = (unsigned)(near->from[p + 1] - near->from[p]);
        }
        uint64_t phrase = integer(f, f->opt_text ? near->phrase.value[p] : 0, 8);
        senses = small(f, senses, TZ_WORDNET_SENSES);
        for (unsigned s = 0; s < senses; s++)
            sense[s] = (uint32_t)integer(f, given[s], 4);
        f->wrong |= senses == 0;
        if (f->opt_text || failed(f))
            continue;
        f->wrong |= tz_numbers_find(&near->phrase, phrase) != TZ_NO_NUMBER;
        f->no_memory |= !failed(f) && tz_near_add(near, phrase, sense, senses) != TZ_OK;
    }
}

static void exchange(file *f, tz_aligner *a) {
    a->kind = small(f, a->kind, TZ_ALIGNER_KINDS - 1);
    a->abstract_most = small(f, a->abstract_most, TZ_MOST_PHRASE);
    a->document_most = small(f, a->document_most, TZ_MOST_PHRASE);
    f->wrong |= a->abstract_most == 0 || a->document_most == 0;
    a->exact = small(f, a->exact, 1);
    a->loose = small(f, a->loose, 1);
    a->length_kind = small(f, a->length_kind, TZ_LENGTH_KINDS - 1);
    for (size_t k = 0; k < TZ_PRIORS; k++)
        real(f, &a->prior[k], 0, 1e300);
    real(f, &a->unseen, 0, 1);
    real(f, &a->null, 0, 1);
    for (size_t k = 0; k < TZ_PARTS; k++)
        real(f, &a->part[k], 0, 1);
    for (size_t q = 0; q < TZ_MOST_PHRASE; q++)
        real(f, &a->length[q], 0, 1);
    exchange_jumps(f, &a->jumps);
    numbers(f, &a->abstract);
    a->vocabulary = (size_t)integer(f, a->vocabulary, 8);
    f->wrong |= a->vocabulary > a->abstract.count;
    reals(f, &a->null_count, a->vocabulary, 0, 1e300);
    real(f, &a->null_total, 1e-300, 1e300);
    numbers(f, &a->document);
    a->document_words = (size_t)integer(f, a->document_words, 8);
    f->wrong |= a->document_words > a->document.count;
    reals(f, &a->total, a->document.count, 0, 1e300);
    numbers(f, &a->cell);
    for (size_t c = 0; c < a->cell.count && !failed(f); c++)
        f->wrong |= a->cell.value[c] >> 32 >= a->document.count ||
                    (uint32_t)a->cell.value[c] >= a->abstract.count;
    reals(f, &a->count, a->cell.count, 0, 1e300);
    numbers(f, &a->stem);
    counts(f, &a->members, a->stem.count);
    exchange_near(f, &a->near);
}

tz_status tz_aligner_save(const tz_aligner *a, const char *path, tz_error *opt_error) {
    tz_text text = {0};
    file f = {.opt_text = &text};
    tz_aligner same = *a;
    tz_text_add(&text, magic, sizeof magic);
    integer(&f, VERSION, 4);
    exchange(&f, &same);
    tz_seal(&text, 0);
    tz_status status = tz_replace_text(path, &text, opt_error);
    tz_text_free(&text);
    return status;
}

static tz_status read_aligner(const char *path, const unsigned char *bytes, size_t size,
                              tz_aligner *a, tz_error *opt_error) {
    static const char again[] = "make it anew or get another copy";
    if (size < HEAD + 4 || memcmp(bytes, magic, sizeof magic) != 0)
        return tz_bad_input(opt_error, path, 0, "not an aligner of trapeze");
    file f = {.at = bytes + sizeof magic, .left = size - sizeof magic - 4};
    uint64_t version = integer(&f, 0, 4);
    if (version != VERSION) {
        return tz_bad_input(opt_error, path, 0,
                            "the aligner has format %u, this program reads %d; make it anew",
                            (unsigned)version, VERSION);
    }
    if (!tz_is_sealed(bytes, size)) {
        return tz_bad_input(opt_error, path, 0,
                            "the aligner is damaged or cut off: its checksum is wrong; %s", again);
    }
    exchange(&f, a);
    if (!f.no_memory && (f.wrong || f.left > 0))
        return tz_bad_input(opt_error, path, 0, "the aligner is damaged: a number is wrong; %s",
                            again);
    return f.no_memory ? tz_out_of_memory(opt_error, path, 0) : TZ_OK;
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
