/* sketch.c - see sketch.h. SPDX-License-Identifier: MIT */
#include "sentences/features/tables/sketch.h"

#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/replace.h"
#include "base/whole.h"
#include "sentences/features/tables/little.h"

enum { VERSION = 1, HEAD = 24, LARGEST = 1 << 28 };
static const char magic[8] = "TZSKETCH";

/* ---- The table ------------------------------------------------------------------------------- */

static tz_status make(tz_sketch_kind kind, uint64_t places, tz_sketch **ret_sketch) {
    *ret_sketch = NULL;
    tz_sketch *sketch = calloc(1, sizeof *sketch);
    if (!sketch)
        return TZ_NO_MEMORY;
    *sketch = (tz_sketch){kind, places, calloc(places, sizeof *sketch->mark),
                          calloc(places, sizeof *sketch->number)};
    if (!sketch->mark || !sketch->number) {
        tz_sketch_free(sketch);
        return TZ_NO_MEMORY;
    }
    *ret_sketch = sketch;
    return TZ_OK;
}

tz_status tz_sketch_new(tz_sketch_kind kind, size_t keys, tz_sketch **ret_sketch) {
    *ret_sketch = NULL;
    if (keys > LARGEST / 2)
        return TZ_TOO_LARGE;
    return make(kind, (uint64_t)keys + keys / 4 + 2, ret_sketch); /* a search ends at a free one */
}

void tz_sketch_free(tz_sketch *sketch) {
    if (sketch) {
        free(sketch->mark);
        free(sketch->number);
        free(sketch);
    }
}

/* The key's place, or the free one where it would go. The high half of the key names the place, 15
 * of the low bits are the mark. */
static size_t find(const tz_sketch *sketch, uint64_t key, uint16_t *ret_mark) {
    size_t place = (size_t)((key >> 32) * sketch->places >> 32);
    uint16_t mark = (uint16_t)(key | 1);
    while (sketch->mark[place] != 0 && sketch->mark[place] != mark)
        place = place + 1 < sketch->places ? place + 1 : 0;
    *ret_mark = mark;
    return place;
}

void tz_sketch_put_number(tz_sketch *sketch, uint64_t key, uint8_t number) {
    uint16_t mark;
    size_t place = find(sketch, key, &mark);
    if (sketch->mark[place] == 0) {
        sketch->mark[place] = mark;
        sketch->number[place] = number;
    }
}

void tz_sketch_put(tz_sketch *sketch, uint64_t key, double value) {
    double n = -10 * value;
    tz_sketch_put_number(sketch, key,
                         (uint8_t)(!(n > 0)             ? 0
                                   : n < TZ_SKETCH_MOST ? n + 0.5
                                                        : TZ_SKETCH_MOST));
}

bool tz_sketch_get_number(const tz_sketch *sketch, uint64_t key, uint8_t *ret_number) {
    uint16_t mark;
    size_t place = find(sketch, key, &mark);
    if (sketch->mark[place] == 0)
        return false;
    *ret_number = sketch->number[place];
    return true;
}

bool tz_sketch_get(const tz_sketch *sketch, uint64_t key, double *ret_value) {
    uint8_t number;
    if (!tz_sketch_get_number(sketch, key, &number))
        return false;
    *ret_value = -0.1 * (double)number;
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

void tz_sketch_write(const tz_sketch *sketch, tz_text *text) {
    size_t begin = text->size;
    tz_text_add(text, magic, sizeof magic);
    tz_text_add32(text, VERSION);
    tz_text_add32(text, sketch->kind);
    tz_text_add64(text, sketch->places);
    for (uint64_t p = 0; p < sketch->places; p++)
        tz_text_add(text, (const char[]){(char)sketch->mark[p], (char)(sketch->mark[p] >> 8)}, 2);
    tz_text_add(text, (const char *)sketch->number, sketch->places);
    tz_seal(text, begin);
}

static tz_status broken(const char *name, tz_error *opt_error, const char *what) {
    return tz_bad_input(opt_error, name, 0, "%s; make it anew or get another copy", what);
}

tz_status tz_sketch_read(const char *name, const void *bytes, size_t size, tz_sketch_kind kind,
                         tz_sketch **ret_sketch, tz_error *opt_error) {
    static const char *const kinds[] = {"table of something else", "language model",
                                        "dependency grammar", "tag dictionary"};
    const unsigned char *from = bytes;
    *ret_sketch = NULL;
    if (size < HEAD + 4 || memcmp(from, magic, sizeof magic) != 0)
        return tz_bad_input(opt_error, name, 0, "not a hashed %s of trapeze", kinds[kind]);
    uint64_t version = tz_get32(from + 8), found = tz_get32(from + 12),
             places = tz_get64(from + 16);
    if (version != VERSION) {
        return tz_bad_input(opt_error, name, 0, "the table has format %u, this program reads %d",
                            (unsigned)version, VERSION);
    }
    if (places < 1 || places > LARGEST || size != HEAD + 3 * places + 4)
        return broken(name, opt_error, "the table is damaged or cut off");
    if (!tz_is_sealed(from, size))
        return broken(name, opt_error, "the table is damaged: its checksum is wrong");
    if (found != kind) {
        const char *what = kinds[found <= TZ_SKETCH_DICTIONARY ? found : 0];
        return tz_bad_input(opt_error, name, 0, "this is a %s, not a %s", what, kinds[kind]);
    }
    tz_sketch *sketch;
    tz_status status = make(kind, places, &sketch);
    if (status != TZ_OK)
        return status;
    uint64_t used = 0;
    for (uint64_t p = 0; p < places; p++) {
        sketch->mark[p] = (uint16_t)(from[HEAD + 2 * p] | from[HEAD + 2 * p + 1] << 8);
        used += sketch->mark[p] != 0;
    }
    memcpy(sketch->number, from + HEAD + 2 * places, places);
    if (used == places) { /* a search would not end */
        tz_sketch_free(sketch);
        return broken(name, opt_error, "the table is damaged: it has no free place");
    }
    *ret_sketch = sketch;
    return TZ_OK;
}

const char *tz_sketch_section(const void *bytes, size_t size) {
    if (size < HEAD || memcmp(bytes, magic, sizeof magic) != 0)
        return NULL;
    uint64_t kind = tz_get32((const unsigned char *)bytes + 12);
    return kind == TZ_SKETCH_BIGRAMS      ? "bigrams"
           : kind == TZ_SKETCH_GRAMMAR    ? "grammar"
           : kind == TZ_SKETCH_DICTIONARY ? "dictionary"
                                          : NULL;
}

tz_status tz_sketch_save(const tz_sketch *sketch, const char *path, tz_error *opt_error) {
    tz_text text = {0};
    tz_sketch_write(sketch, &text);
    tz_status status = tz_replace_text(path, &text, opt_error);
    tz_text_free(&text);
    return status;
}

tz_status tz_sketch_load(const char *path, tz_sketch_kind kind, tz_sketch **ret_sketch,
                         tz_error *opt_error) {
    *ret_sketch = NULL;
    void *bytes;
    size_t size;
    tz_status status = tz_whole_read(path, &bytes, &size, opt_error);
    if (status == TZ_OK)
        status = tz_sketch_read(path, bytes, size, kind, ret_sketch, opt_error);
    free(bytes);
    return status;
}
