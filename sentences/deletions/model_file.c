/* model_file.c - models to and from files; model.h has the format. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/replace.h"
#include "sentences/deletions/model.h"
#include "sentences/features/tables/little.h"

enum { HEAD = 48, ENTRY = 16, TAIL = 4 };
static const char magic[8] = {'T', 'Z', 'D', 'E', 'L', 'E', 'T', 'E'};

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_model(const tz_deletions *m, tz_text *text) {
    uint64_t threshold;
    memcpy(&threshold, &m->threshold, sizeof threshold);
    tz_text_add(text, magic, sizeof magic);
    tz_text_add32(text, TZ_DELETIONS_VERSION);
    tz_text_add32(text, (uint32_t)m->source);
    tz_text_add32(text, m->sight.sisters);
    tz_text_add32(text, m->sight.ancestors);
    tz_text_add32(text, m->sight.modifier);
    tz_text_add32(text, m->sight.head);
    tz_text_add64(text, threshold);
    tz_text_add64(text, m->contexts);
    for (size_t c = 0; c < m->contexts; c++) {
        tz_text_add64(text, m->context[c].context);
        tz_text_add32(text, m->context[c].count[0]);
        tz_text_add32(text, m->context[c].count[1]);
    }
    tz_seal(text, 0);
}

tz_status tz_deletions_save(const tz_deletions *model, const char *path, tz_error *opt_error) {
    tz_text text = {0};
    write_model(model, &text);
    tz_status status = tz_replace_text(path, &text, opt_error);
    tz_text_free(&text);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

bool tz_deletions_bytes(const void *bytes, size_t size) {
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static tz_status damaged(const char *name, tz_error *opt_error, const char *what) {
    return tz_bad_input(opt_error, name, 0,
                        "the model of deletions is damaged: %s; train it anew or get another copy",
                        what);
}

static tz_status read_head(const char *name, const unsigned char *from, size_t size,
                           tz_deletions *m, tz_error *opt_error) {
    if (!tz_deletions_bytes(from, size))
        return tz_bad_input(opt_error, name, 0, "not a model of deletions");
    if (size < HEAD + TAIL)
        return damaged(name, opt_error, "it is cut off");
    if (tz_get32(from + 8) != TZ_DELETIONS_VERSION) {
        return tz_bad_input(opt_error, name, 0,
                            "the model of deletions has format %u, this program reads format %d; "
                            "train it anew",
                            (unsigned)tz_get32(from + 8), TZ_DELETIONS_VERSION);
    }
    uint64_t contexts = tz_get64(from + 40), threshold = tz_get64(from + 32);
    if (contexts != (size - HEAD - TAIL) / ENTRY || (size - HEAD - TAIL) % ENTRY != 0)
        return damaged(name, opt_error, "it is cut off");
    if (!tz_is_sealed(from, size))
        return damaged(name, opt_error, "its checksum is wrong");
    const unsigned all = TZ_SEE_CATEGORY | TZ_SEE_TAG | TZ_SEE_WORD;
    uint32_t source = tz_get32(from + 12);
    m->sight = (tz_sight){tz_get32(from + 16), tz_get32(from + 20), tz_get32(from + 24),
                          tz_get32(from + 28)};
    m->contexts = (size_t)contexts;
    memcpy(&m->threshold, &threshold, sizeof m->threshold);
    if (source >= TZ_TREE_SOURCES || m->sight.sisters > TZ_SISTERS ||
        m->sight.ancestors > TZ_ANCESTORS || m->sight.modifier > all || m->sight.head > all ||
        !(m->sight.modifier & TZ_SEE_CATEGORY) || !(m->sight.head & TZ_SEE_CATEGORY) ||
        !(m->threshold >= 0 && m->threshold <= 1) || contexts > UINT32_MAX ||
        (source == TZ_TREES_TAGS && (m->sight.sisters > 1 || m->sight.ancestors > 1)))
        return damaged(name, opt_error, "its options make no sense");
    m->source = (tz_tree_source)source;
    return TZ_OK;
}

static tz_status read_contexts(const char *name, const unsigned char *from, tz_deletions *m,
                               tz_error *opt_error) {
    m->context = malloc((m->contexts + 1) * sizeof *m->context);
    if (!m->context)
        return tz_out_of_memory(opt_error, name, 0);
    for (size_t c = 0; c < m->contexts; c++, from += ENTRY) {
        tz_context_count *to = &m->context[c];
        *to = (tz_context_count){tz_get64(from), {tz_get32(from + 8), tz_get32(from + 12)}};
        if ((c > 0 && to->context <= to[-1].context) || (to->count[0] == 0 && to->count[1] == 0))
            return damaged(name, opt_error, "its counts make no sense");
    }
    return tz_deletions_index(m) == TZ_OK ? TZ_OK : tz_out_of_memory(opt_error, name, 0);
}

tz_status tz_deletions_read(const char *name, const void *bytes, size_t size,
                            tz_deletions **ret_model, tz_error *opt_error) {
    tz_deletions *model = *ret_model = calloc(1, sizeof *model);
    if (!model)
        return tz_out_of_memory(opt_error, name, 0);
    tz_status status = read_head(name, bytes, size, model, opt_error);
    if (status == TZ_OK)
        status = read_contexts(name, (const unsigned char *)bytes + HEAD, model, opt_error);
    if (status != TZ_OK) {
        tz_deletions_free(model);
        *ret_model = NULL;
    }
    return status;
}
