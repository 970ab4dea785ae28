/* matching.c - see matching.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/matching.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

tz_status tz_numbering_add(tz_numbering *numbering, const char *id, size_t line) {
    if (!TZ_GROW(numbering->record, &numbering->capacity, numbering->count + 1))
        return TZ_NO_MEMORY;
    if (id) {
        uint32_t number;
        size_t before = numbering->ids.count;
        tz_status status = tz_lm_words_add(&numbering->ids, id, strlen(id), &number);
        if (status != TZ_OK)
            return status;
        numbering->repeated |= numbering->ids.count == before;
    } else {
        numbering->repeated = true;
    }
    numbering->record[numbering->count++] = (tz_numbered){id, line};
    return TZ_OK;
}

void tz_numbering_free(tz_numbering *numbering) {
    free(numbering->record);
    tz_lm_words_free(&numbering->ids);
    *numbering = (tz_numbering){0};
}

tz_status tz_matching_start(tz_matching *matching, tz_arena *arena, const tz_numbering *first,
                            const char *file) {
    *matching = (tz_matching){.first = first,
                              .file = file,
                              .line = tz_arena_array(arena, first->count, sizeof *matching->line)};
    return matching->line ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_matching_find(tz_matching *m, const char *id, size_t line, size_t *ret_which,
                           tz_error *error) {
    const tz_numbering *first = m->first;
    size_t which = m->count;
    if (m->count == 0)
        m->by_id = !first->repeated && id;
    if (m->by_id && !id)
        return tz_bad_input(error, m->file, line, "there is no \"id\", as the records before have");
    if (m->by_id) {
        uint32_t number = tz_lm_words_find(&first->ids, id, strlen(id));
        if (number == TZ_LM_NO_WORD) {
            return tz_bad_input(error, m->file, line, "%s has no %s with id '%s'", first->file,
                                first->what, id);
        }
        which = number;
    } else if (which >= first->count) {
        return tz_bad_input(error, m->file, line, "%s has only %zu %ss", first->file, first->count,
                            first->what);
    } else if (id && first->record[which].id && strcmp(id, first->record[which].id) != 0) {
        return tz_bad_input(error, m->file, line, "the id is '%s', that of %s:%zu is '%s'", id,
                            first->file, first->record[which].line, first->record[which].id);
    }
    if (m->line[which] > 0) {
        return tz_bad_input(error, m->file, line, "the id '%s' stands in line %zu already", id,
                            m->line[which]);
    }
    m->line[which] = line;
    m->count++;
    *ret_which = which;
    return TZ_OK;
}

tz_status tz_matching_end(const tz_matching *m, tz_error *error) {
    for (size_t r = 0; r < m->first->count && m->count < m->first->count; r++)
        if (m->line[r] == 0)
            return tz_bad_input(error, m->file, 0, "there is nothing for the %s of %s:%zu",
                                m->first->what, m->first->file, m->first->record[r].line);
    return TZ_OK;
}
