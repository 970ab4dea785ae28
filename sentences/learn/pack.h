/* pack.h - several models in one file, each a section with a name: the models for tagging, parsing
 * and compressing raw text.
 *
 * Sections hold what stands in model files (model.h) and tables (sketch.h), byte for byte; a
 * section bears the name of the model's task, or of what the table is for. A pack file is made of
 * (all numbers little-endian):
 *   8 bytes   "TZPACKED"
 *   u32       version, TZ_PACK_VERSION
 *   u32       sections, 1..TZ_PACK_SECTIONS
 *   for each  24 bytes name, filled with zeros, the last a zero; u64 size
 *   sections  one after the other
 *   u32       CRC-32 of all before
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_PACK_H
#define TZ_SENTENCES_LEARN_PACK_H

#include "sentences/learn/model.h"
#include "sentences/neural/neural.h"

enum { TZ_PACK_VERSION = 1, TZ_PACK_SECTIONS = 16, TZ_PACK_NAME = 24 };

typedef struct tz_section {
    char name[TZ_PACK_NAME];
    const void *bytes;
    size_t size;
} tz_section;

typedef struct tz_pack {
    const char *path;
    size_t count;
    tz_section section[TZ_PACK_SECTIONS];
    void *bytes; /* of the whole file */
    size_t size;
} tz_pack;

/* Loads a pack file, or the file of one model or table as a pack of that section alone. `path` is
 * borrowed until tz_pack_free. Damage is found here or, inside a section, when the section is read.
 * TZ_IO, TZ_NO_MEMORY; then *ret_pack is zeroed. */
tz_status tz_pack_load(const char *path, tz_pack *ret_pack, tz_error *opt_error);
/* The same from the bytes of a file, which become the pack's on success, to be given to free. */
tz_status tz_pack_read(const char *name, void *bytes, size_t size, tz_pack *ret_pack,
                       tz_error *opt_error);
/* Does nothing to a zeroed one. */
void tz_pack_free(tz_pack *pack);

/* The section of this name, or NULL. */
const tz_section *tz_pack_find(const tz_pack *pack, const char *name);
/* The model of a task; TZ_NONE where the pack has none, then *ret_model is NULL. TZ_IO,
 * TZ_NO_MEMORY. */
tz_status tz_pack_model(const tz_pack *pack, const tz_task *task, tz_model **ret_model,
                        tz_error *opt_error);

/* Neural scores, from the section tz_neural_name or tz_neural_parser_name; errors likewise. TZ_IO
 * also where they are of the other kind. */
tz_status tz_pack_neural(const tz_pack *pack, const char *name, tz_neural **ret_neural,
                         tz_error *opt_error);

/* Puts all sections of `count` packs into one file, replaced atomically (replace.h). TZ_IO: two
 * sections of the same name, or too many; TZ_NO_MEMORY. */
tz_status tz_pack_save(const tz_pack *pack, size_t count, const char *path, tz_error *opt_error);

#endif
