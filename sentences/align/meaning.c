/* meaning.c - see meaning.h. SPDX-License-Identifier: MIT */
#include "sentences/align/meaning.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void tz_meaning_free(tz_meaning *m) {
    free(m->distance);
    free(m->met);
    free(m->above);
    free(m->from);
    tz_buffer_free(&m->path);
    *m = (tz_meaning){0};
}

tz_status tz_meaning_add(tz_meaning *m, const uint32_t *sense, size_t senses) {
    size_t count;
    tz_status status = tz_wordnet_ancestors(m->wordnet, sense, senses, &m->path, &count);
    void *above = m->above;
    if (status == TZ_OK && !tz_grow(&above, &m->capacity, m->aboves + count, sizeof *m->above))
        status = TZ_NO_MEMORY;
    m->above = above;
    if (status != TZ_OK)
        return status;
    const tz_ancestor *path = m->path.data;
    for (size_t a = 0; a < count; a++)
        m->above[m->aboves++] = (tz_above){path[a].synset, (uint32_t)m->phrases, path[a].edges};
    m->phrases++;
    return TZ_OK;
}

tz_status tz_meaning_index(tz_meaning *m) {
    size_t synsets = m->wordnet->synset.count;
    tz_above *sorted = malloc((m->aboves + 1) * sizeof *sorted);
    m->from = calloc(synsets + 2, sizeof *m->from);
    m->distance = malloc(m->phrases + 1);
    m->met = calloc(m->phrases + 1, sizeof *m->met);
    if (!sorted || !m->from || !m->distance || !m->met) {
        free(sorted);
        return TZ_NO_MEMORY;
    }
    memset(m->distance, TZ_WORDNET_FAR, m->phrases + 1);
    for (size_t a = 0; a < m->aboves; a++)
        m->from[m->above[a].synset + 2]++;
    for (size_t s = 0; s < synsets; s++)
        m->from[s + 2] += m->from[s + 1];
    for (size_t a = 0; a < m->aboves; a++)
        sorted[m->from[m->above[a].synset + 1]++] = m->above[a];
    free(m->above);
    m->above = sorted;
    return TZ_OK;
}

static void meet(tz_meaning *m, uint32_t phrase, unsigned edges) {
    if (m->distance[phrase] == TZ_WORDNET_FAR)
        m->met[m->mets++] = phrase;
    if (m->distance[phrase] > edges)
        m->distance[phrase] = (uint8_t)edges;
}

tz_status tz_meaning_ask(tz_meaning *m, const uint32_t *sense, size_t senses) {
    size_t count;
    for (size_t i = 0; i < m->mets; i++)
        m->distance[m->met[i]] = TZ_WORDNET_FAR;
    m->mets = 0;
    tz_status status = tz_wordnet_ancestors(m->wordnet, sense, senses, &m->path, &count);
    const tz_ancestor *path = m->path.data;
    for (size_t p = 0; p < count && status == TZ_OK; p++)
        for (size_t a = m->from[path[p].synset]; a < m->from[path[p].synset + 1]; a++)
            meet(m, m->above[a].phrase, path[p].edges + m->above[a].edges);
    return status;
}
