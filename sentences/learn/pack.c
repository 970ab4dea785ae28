/* pack.c - see pack.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/replace.h"
#include "base/text.h"
#include "base/whole.h"
#include "sentences/deletions/model.h"
#include "sentences/features/tables/little.h"
#include "sentences/features/tables/sketch.h"
#include "sentences/trees/pcfg.h"

enum { HEAD = 16, ENTRY = TZ_PACK_NAME + 8, TAIL = 4, LOOKED_AT = 4096 };

static const char magic[8] = {'T', 'Z', 'P', 'A', 'C', 'K', 'E', 'D'};

/* ---- Reading --------------------------------------------------------------------------------- */

static tz_status damaged(const char *name, tz_error *opt_error, const char *what) {
    return tz_bad_input(opt_error, name, 0,
                        "the pack is damaged: %s; get another copy or make it "
                        "anew with `trapeze model pack`",
                        what);
}

/* Lower-case letters and hyphens, then zeros to the end. */
static bool good_name(const char *name) {
    size_t size = strnlen(name, TZ_PACK_NAME);
    bool good = size > 0 && size < TZ_PACK_NAME;
    for (size_t i = 0; i < TZ_PACK_NAME; i++) {
        good = good &&
               (i < size ? (name[i] >= 'a' && name[i] <= 'z') || name[i] == '-' : name[i] == '\0');
    }
    return good;
}

static tz_status read_sections(tz_pack *pack, tz_error *opt_error) {
    const unsigned char *from = pack->bytes;
    if (tz_get32(from + 8) != TZ_PACK_VERSION) {
        return tz_bad_input(opt_error, pack->path, 0,
                            "the pack has format %u, this program reads format %d; make it anew",
                            (unsigned)tz_get32(from + 8), TZ_PACK_VERSION);
    }
    uint64_t weights = 0;
    size_t count = tz_get32(from + 12), at = HEAD + count * ENTRY, end = pack->size - TAIL;
    if (count < 1 || count > TZ_PACK_SECTIONS || at > end)
        return damaged(pack->path, opt_error, "its table is cut off");
    if (!tz_is_sealed(from, pack->size))
        return damaged(pack->path, opt_error, "its checksum is wrong");
    for (size_t s = 0; s < count; s++) {
        tz_section *section = &pack->section[s];
        uint64_t size = tz_get64(from + HEAD + s * ENTRY + TZ_PACK_NAME);
        memcpy(section->name, from + HEAD + s * ENTRY, TZ_PACK_NAME);
        if (!good_name(section->name) || tz_pack_find(pack, section->name) || size > end - at)
            return damaged(pack->path, opt_error, "its table makes no sense");
        section->bytes = from + at;
        section->size = (size_t)size;
        at += (size_t)size;
        pack->count = s + 1;
        weights += tz_model_weights(section->bytes, section->size);
    }
    if (weights > TZ_PACK_WEIGHTS)
        return tz_bad_input(opt_error, pack->path, 0,
                            "its models have %llu weights; packs up to %d are read",
                            (unsigned long long)weights, TZ_PACK_WEIGHTS);
    return at == end ? TZ_OK : damaged(pack->path, opt_error, "its table makes no sense");
}

/* A line \data\ near the beginning, as language models have it. */
static bool is_arpa(const char *bytes, size_t size) {
    static const char line[] = "\\data\\";
    const size_t most = size < LOOKED_AT ? size : LOOKED_AT;
    for (size_t at = 0; at + sizeof line - 1 <= most; at++)
        if ((at == 0 || bytes[at - 1] == '\n') && memcmp(bytes + at, line, sizeof line - 1) == 0)
            return true;
    return false;
}

/* What it is instead of a model, as far as that shows. */
static const char *what_else(const void *bytes, size_t size) {
    static const struct {
        const char *magic, *what;
    } others[] = {
        {"TZALIGNS", "an aligner, which `trapeze align -m` takes, no model of sentences"},
        {"TZSTATE\n", "the state of a training, which `trapeze train --resume` goes on from, no "
                      "model"},
    };
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
        if (size >= 8 && memcmp(bytes, others[o].magic, 8) == 0)
            return others[o].what;
    return is_arpa(bytes, size) ? "a language model (ARPA), which --lm and `trapeze eval lm -m` "
                                  "take, no model of sentences"
                                : "not a model of trapeze";
}

tz_status tz_pack_read(const char *name, void *bytes, size_t size, tz_pack *ret_pack,
                       tz_error *opt_error) {
    *ret_pack = (tz_pack){0};
    tz_pack pack = {.path = name, .bytes = bytes, .size = size};
    char task[TZ_PACK_NAME] = "";
    const char *neural = tz_neural_section(bytes, size);
    const char *table = tz_deletions_bytes(bytes, size) ? tz_deletions_name
                        : tz_pcfg_bytes(bytes, size)    ? tz_pcfg_name
                        : neural                        ? neural
                                                        : tz_sketch_section(bytes, size);
    tz_status status = TZ_OK;
    if (table)
        strcpy(task, table);
    if (size >= HEAD + TAIL && memcmp(bytes, magic, sizeof magic) == 0) {
        status = read_sections(&pack, opt_error);
    } else if (table || (tz_model_task(bytes, size, task, sizeof task) && good_name(task))) {
        pack.count = 1;
        pack.section[0] = (tz_section){.bytes = bytes, .size = size};
        memcpy(pack.section[0].name, task, sizeof task);
    } else {
        status = tz_bad_input(opt_error, name, 0, "%s", what_else(bytes, size));
    }
    if (status == TZ_OK)
        *ret_pack = pack;
    return status;
}

tz_status tz_pack_load(const char *path, tz_pack *ret_pack, tz_error *opt_error) {
    *ret_pack = (tz_pack){0};
    void *bytes;
    size_t size;
    tz_status status = tz_whole_read(path, &bytes, &size, opt_error);
    if (status == TZ_OK)
        status = tz_pack_read(path, bytes, size, ret_pack, opt_error);
    if (status != TZ_OK)
        free(bytes);
    return status;
}

void tz_pack_free(tz_pack *pack) {
    free(pack->bytes);
    *pack = (tz_pack){0};
}

const tz_section *tz_pack_find(const tz_pack *pack, const char *name) {
    for (size_t s = 0; s < pack->count; s++)
        if (strcmp(pack->section[s].name, name) == 0)
            return &pack->section[s];
    return NULL;
}

tz_status tz_pack_model(const tz_pack *pack, const tz_task *task, tz_model **ret_model,
                        tz_error *opt_error) {
    *ret_model = NULL;
    const tz_section *section = tz_pack_find(pack, task->name);
    return section ? tz_model_read(pack->path, section->bytes, section->size, task, ret_model,
                                   opt_error)
                   : TZ_NONE;
}

tz_status tz_pack_neural(const tz_pack *pack, const char *name, tz_neural **ret_neural,
                         tz_error *opt_error) {
    *ret_neural = NULL;
    const tz_section *section = tz_pack_find(pack, name);
    if (!section)
        return TZ_NONE;
    const char *kind = tz_neural_section(section->bytes, section->size);
    if (kind && strcmp(kind, name) != 0)
        return tz_bad_input(opt_error, pack->path, 0,
                            "its section %s holds what is %s; pack it anew", name, kind);
    return tz_neural_read(pack->path, section->bytes, section->size, ret_neural, opt_error);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static tz_status collect(const tz_pack *pack, size_t count, tz_pack *ret_all, tz_error *opt_error) {
    for (size_t p = 0; p < count; p++) {
        for (size_t s = 0; s < pack[p].count; s++) {
            const char *name = pack[p].section[s].name;
            if (tz_pack_find(ret_all, name))
                return tz_bad_input(opt_error, pack[p].path, 0, "a second %s", name);
            if (ret_all->count == TZ_PACK_SECTIONS) {
                return tz_bad_input(opt_error, pack[p].path, 0, "more than %d sections",
                                    TZ_PACK_SECTIONS);
            }
            ret_all->section[ret_all->count++] = pack[p].section[s];
        }
    }
    return TZ_OK;
}

static void write_pack(const tz_pack *all, tz_text *text) {
    tz_text_add(text, magic, sizeof magic);
    tz_text_add32(text, TZ_PACK_VERSION);
    tz_text_add32(text, (uint32_t)all->count);
    for (size_t s = 0; s < all->count; s++) {
        tz_text_add(text, all->section[s].name, TZ_PACK_NAME);
        tz_text_add64(text, all->section[s].size);
    }
    for (size_t s = 0; s < all->count; s++)
        tz_text_add(text, all->section[s].bytes, all->section[s].size);
    tz_seal(text, 0);
}

tz_status tz_pack_save(const tz_pack *pack, size_t count, const char *path, tz_error *opt_error) {
    tz_pack all = {0}; /* borrows */
    tz_text text = {0};
    tz_status status = collect(pack, count, &all, opt_error);
    if (status == TZ_OK) {
        write_pack(&all, &text);
        status = tz_replace_text(path, &text, opt_error);
    }
    tz_text_free(&text);
    return status;
}
