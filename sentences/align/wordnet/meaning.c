/* meaning.c - see meaning.h. SPDX-License-Identifier: MIT */
#include "sentences/align/wordnet/meaning.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void tz_meaning_free(tz_meaning *m) {
    free(m->distance);
    free(m->met);
    free(m->above);
    free(m->from);
    *m = (tz_meaning){0};
}

tz_status tz_meaning_add(tz_meaning *m, const tz_ancestor *ancestor, size_t ancestors) {
    if (!TZ_GROW(m->above, &m->capacity, m->aboves + ancestors))
        return TZ_NO_MEMORY;
    for (size_t a = 0; a < ancestors; a++) {
        uint32_t synset = ancestor[a].synset;
        m->above[m->aboves++] = (tz_above){synset, (uint32_t)m->phrases, ancestor[a].edges};
        m->synsets = synset < m->synsets ? m->synsets : (size_t)synset + 1;
    }
    m->phrases++;
    return TZ_OK;
}

tz_status tz_meaning_index(tz_meaning *m) {
    tz_above *sorted = malloc((m->aboves + 1) * sizeof *sorted);
    m->from = calloc(m->synsets + 2, sizeof *m->from);
    m->distance = malloc(m->phrases + 1);
    m->met = calloc(m->phrases + 1, sizeof *m->met);
    if (!sorted || !m->from || !m->distance || !m->met) {
        free(sorted);
        return TZ_NO_MEMORY;
    }
    memset(m->distance, TZ_WORDNET_FAR, m->phrases + 1);
    for (size_t a = 0; a < m->aboves; a++)
        m->from[m->above[a].synset + 2]++;
    for (size_t s = 0; s < m->synsets; s++)
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

void tz_meaning_ask(tz_meaning *m, const tz_ancestor *ancestor, size_t ancestors) {
    for (size_t i = 0; i < m->mets; i++)
        m->distance[m->met[i]] = TZ_WORDNET_FAR;
    m->mets = 0;
    for (size_t p = 0; p < ancestors && ancestor[p].synset < m->synsets; p++)
        for (size_t a = m->from[ancestor[p].synset]; a < m->from[ancestor[p].synset + 1]; a++)
            meet(m, m->above[a].phrase, ancestor[p].edges + m->above[a].edges);
}
