/* wordnet_read.c - WordNet's files. SPDX-License-Identifier: MIT
 *
 *   data.noun    offset lexicographer-file type words(hex) (word id)... pointers
 *                (symbol offset part source/target)... [frames] | gloss
 *   index.noun   lemma part synsets pointers (symbol)... senses tagged (offset)...
 *   noun.exc     inflected base...
 *
 * Lines that begin with a blank are the licence. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "base/lines.h"
#include "base/text.h"
#include "sentences/align/wordnet/wordnet.h"
#include "sentences/features/tables/hash.h"

static const char *const suffix[TZ_WORDNET_PARTS] = {"noun", "verb", "adj", "adv"};
static const char letters[] = "nvar";
enum { LONGEST_LINE = 1 << 20, MOST_WORDS = 0xfff, MOST_POINTERS = 0xffff };
static const uint64_t most_offset = (uint64_t)1 << 40;

/* A hypernym as the file has it. */
typedef struct upward {
    uint64_t key;
    size_t line;
    unsigned part; /* of the file */
} upward;

typedef struct reader {
    tz_wordnet *wordnet;
    const char *folder;
    unsigned part;
    char *path; /* of the file at hand */
    tz_lines *lines;
    char *line, *rest; /* at hand, and what is not read of it */
    tz_error *error;
    upward *up;
    size_t ups;
    size_t up_capacity, from_capacity, first_capacity, base_capacity;
} reader;

uint64_t tz_wordnet_hash(unsigned part, const char *lemma, size_t size) {
    return tz_hash(tz_hash_text(lemma, size), part);
}

void tz_wordnet_free(tz_wordnet *w) {
    if (!w)
        return;
    tz_numbers_free(&w->synset);
    tz_numbers_free(&w->lemma);
    tz_numbers_free(&w->exception);
    free(w->above_from);
    free(w->above);
    free(w->first);
    free((void *)w->base);
    tz_arena_free(w->arena);
    free(w);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

static tz_status wrong(const reader *r, const char *what) {
    return tz_bad_input(r->error, r->path, tz_lines_number(r->lines),
                        "%s; expected WordNet's format (wndb(5WN)): get another copy of the file",
                        what);
}

/* The next field, zero-terminated; NULL at the end of the line. */
static char *field(reader *r) {
    r->rest += strspn(r->rest, " ");
    if (!*r->rest)
        return NULL;
    char *begin = r->rest;
    r->rest += strcspn(r->rest, " ");
    if (*r->rest)
        *r->rest++ = '\0';
    return begin;
}

/* The next field as a number up to `most`. */
static bool number(reader *r, unsigned base, uint64_t most, uint64_t *ret) {
    static const char digits[] = "0123456789abcdef";
    const char *text = field(r);
    *ret = 0;
    for (; text && *text; text++) {
        char lower = *text >= 'A' && *text <= 'F' ? (char)(*text + 32) : *text;
        const char *digit = memchr(digits, lower, base);
        if (!digit || (*ret = *ret * base + (uint64_t)(digit - digits)) > most)
            return false;
    }
    return text != NULL;
}

static bool skip(reader *r, uint64_t fields) {
    while (fields > 0 && field(r))
        fields--;
    return fields == 0;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static tz_status add_above(reader *r, uint64_t offset, const char *part) {
    const char *letter =
        part && part[0] && !part[1] ? strchr(letters, *part == 's' ? 'a' : *part) : NULL;
    if (!letter)
        return wrong(r, "a pointer to no part of speech");
    if (!TZ_GROW(r->up, &r->up_capacity, r->ups + 1))
        return TZ_NO_MEMORY;
    r->up[r->ups++] = (upward){tz_wordnet_key((unsigned)(letter - letters), offset),
                               tz_lines_number(r->lines), r->part};
    return TZ_OK;
}

/* Hypernyms stand in the order of their synsets, so that counts of them are enough. */
static tz_status read_synset(reader *r) {
    tz_wordnet *w = r->wordnet;
    uint64_t offset, words, pointers;
    uint32_t synset;
    size_t before = w->synset.count;
    if (!number(r, 10, most_offset, &offset))
        return wrong(r, "the line does not begin with the number of a synset");
    tz_status status = tz_numbers_add(&w->synset, tz_wordnet_key(r->part, offset), &synset);
    if (status == TZ_OK && w->synset.count == before)
        return wrong(r, "a synset that stands further up, too");
    if (status == TZ_OK && !TZ_GROW(w->above_from, &r->from_capacity, before + 2))
        status = TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    if (!skip(r, 2) || !number(r, 16, MOST_WORDS, &words) || !skip(r, 2 * words))
        return wrong(r, "the synset has fewer words than it says");
    if (!number(r, 10, MOST_POINTERS, &pointers))
        return wrong(r, "the synset does not say how many pointers it has");
    w->above_from[before] = r->ups;
    for (uint64_t p = 0; p < pointers && status == TZ_OK; p++) {
        const char *symbol = field(r);
        uint64_t to;
        bool read = symbol && number(r, 10, most_offset, &to);
        const char *part = read ? field(r) : NULL;
        if (!part || !skip(r, 1))
            return wrong(r, "the synset has fewer pointers than it says");
        if (strcmp(symbol, "@") == 0 || strcmp(symbol, "@i") == 0)
            status = add_above(r, to, part);
    }
    w->above_from[before + 1] = r->ups;
    return status;
}

static tz_status read_lemma(reader *r) {
    tz_wordnet *w = r->wordnet;
    uint64_t synsets, pointers, offset;
    uint32_t lemma;
    const char *name = field(r);
    if (!name || !skip(r, 1) || !number(r, 10, MOST_POINTERS, &synsets) || synsets == 0 ||
        !number(r, 10, MOST_POINTERS, &pointers) || !skip(r, pointers + 2) ||
        !number(r, 10, most_offset, &offset))
        return wrong(r, "the line does not tell the synsets of a lemma");
    uint32_t synset = tz_numbers_find(&w->synset, tz_wordnet_key(r->part, offset));
    if (synset == TZ_NO_NUMBER)
        return wrong(r, "the lemma's first synset is not in the data file");
    tz_status status =
        tz_numbers_add(&w->lemma, tz_wordnet_hash(r->part, name, strlen(name)), &lemma);
    if (status == TZ_OK && !TZ_GROW(w->first, &r->first_capacity, w->lemma.count))
        status = TZ_NO_MEMORY;
    if (status == TZ_OK)
        w->first[lemma] = synset;
    return status;
}

/* Of a form that has several lines, the first one counts. */
static tz_status read_exception(reader *r) {
    tz_wordnet *w = r->wordnet;
    uint32_t exception;
    size_t before = w->exception.count;
    const char *form = field(r);
    r->rest += strspn(r->rest, " ");
    if (!form || !*r->rest)
        return wrong(r, "an exception without a base form");
    tz_status status =
        tz_numbers_add(&w->exception, tz_wordnet_hash(r->part, form, strlen(form)), &exception);
    if (status != TZ_OK || w->exception.count == before)
        return status;
    bool grown = TZ_GROW(w->base, &r->base_capacity, before + 1);
    return grown && (w->base[before] = tz_arena_text(w->arena, r->rest, strlen(r->rest)))
               ? TZ_OK
               : TZ_NO_MEMORY;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static tz_status read_lines(reader *r, tz_status (*read)(reader *)) {
    for (;;) {
        size_t size;
        tz_status status = tz_lines_next(r->lines, &r->line, &size, r->error);
        if (status != TZ_OK)
            return status == TZ_NONE ? TZ_OK : status;
        r->rest = r->line;
        if (size > 0 && *r->line != ' ')
            status = read(r);
        if (status == TZ_NO_MEMORY)
            tz_out_of_memory(r->error, r->path, 0);
        if (status != TZ_OK)
            return status;
    }
}

static tz_status read_file(reader *r, const char *before, const char *after,
                           tz_status (*read)(reader *)) {
    char name[16];
    snprintf(name, sizeof name, "/%s%s%s", before, suffix[r->part], after);
    r->path = tz_joined(r->folder, name, "");
    FILE *file = r->path ? fopen(r->path, "r") : NULL;
    r->lines = file ? tz_lines_new(file, r->path, LONGEST_LINE) : NULL;
    tz_status status = TZ_OK;
    if (r->path && !file)
        status = tz_bad_input(r->error, r->path, 0,
                              "%s; it is a file of WordNet (Debian's package wordnet-base)",
                              strerror(errno));
    else if (!r->lines)
        status = tz_out_of_memory(r->error, r->folder, 0);
    else
        status = read_lines(r, read);
    tz_lines_free(r->lines);
    if (file)
        fclose(file);
    free(r->path);
    return status;
}

static tz_status resolve(reader *r) {
    tz_wordnet *w = r->wordnet;
    w->above = calloc(r->ups + 1, sizeof *w->above);
    if (!w->above)
        return tz_out_of_memory(r->error, r->folder, 0);
    for (size_t u = 0; u < r->ups; u++) {
        const upward *up = &r->up[u];
        w->above[u] = tz_numbers_find(&w->synset, up->key);
        if (w->above[u] == TZ_NO_NUMBER) {
            char name[16];
            snprintf(name, sizeof name, "/data.%s", suffix[up->part]);
            char *path = tz_joined(r->folder, name, "");
            tz_status status = path ? tz_bad_input(r->error, path, up->line,
                                                   "a hypernym that is no synset of these files; "
                                                   "get another copy of them")
                                    : TZ_NO_MEMORY;
            free(path);
            return status;
        }
    }
    for (size_t s = 0; s < w->synset.count; s++)
        w->fingerprint = tz_hash(w->fingerprint, w->synset.value[s] + w->above_from[s]);
    for (size_t u = 0; u < r->ups; u++)
        w->fingerprint = tz_hash(w->fingerprint, w->above[u]);
    return TZ_OK;
}

static tz_status read_all(reader *r) {
    tz_status status = TZ_OK;
    for (r->part = 0; r->part < TZ_WORDNET_PARTS && status == TZ_OK; r->part++)
        status = read_file(r, "data.", "", read_synset);
    for (r->part = 0; r->part < TZ_WORDNET_PARTS && status == TZ_OK; r->part++)
        status = read_file(r, "index.", "", read_lemma);
    for (r->part = 0; r->part < TZ_WORDNET_PARTS && status == TZ_OK; r->part++)
        status = read_file(r, "", ".exc", read_exception);
    return status == TZ_OK ? resolve(r) : status;
}

tz_status tz_wordnet_load(const char *folder, tz_wordnet **ret_wordnet, tz_error *opt_error) {
    reader r = {.wordnet = calloc(1, sizeof *r.wordnet), .folder = folder, .error = opt_error};
    tz_status status = TZ_NO_MEMORY;
    if (r.wordnet && (r.wordnet->arena = tz_arena_new()))
        status = read_all(&r);
    if (status == TZ_NO_MEMORY)
        tz_out_of_memory(opt_error, folder, 0);
    if (status != TZ_OK) {
        tz_wordnet_free(r.wordnet);
        r.wordnet = NULL;
    }
    free(r.up);
    *ret_wordnet = r.wordnet;
    return status;
}
