/* near.c - see near.h. SPDX-License-Identifier: MIT */
#include "sentences/align/wordnet/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void tz_near_free(tz_near *near) {
    tz_numbers_free(&near->phrase);
    free(near->from);
    free(near->sense);
    *near = (tz_near){0};
}

tz_status tz_near_add(tz_near *near, uint64_t phrase, const uint32_t *sense, size_t senses) {
    size_t before = near->phrase.count;
    uint32_t number;
    bool grown = TZ_GROW(near->from, &near->from_capacity, before + 2);
    if (!grown)
        return TZ_NO_MEMORY;
    near->from[0] = 0;
    size_t begin = near->from[before];
    grown = TZ_GROW(near->sense, &near->capacity, begin + senses);
    tz_status status = grown ? tz_numbers_add(&near->phrase, phrase, &number) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    memcpy(near->sense + begin, sense, senses * sizeof *sense);
    near->from[before + 1] = begin + senses;
    return TZ_OK;
}

tz_status tz_near_index(const tz_near *near, const tz_wordnet *wordnet, tz_meaning *ret) {
    tz_buffer path = {0};
    tz_status status = TZ_OK;
    for (size_t p = 0; p < near->phrase.count && status == TZ_OK; p++) {
        size_t from = near->from[p], senses = near->from[p + 1] - from, count;
        status = tz_wordnet_ancestors(wordnet, near->sense + from, senses, &path, &count);
        if (status == TZ_OK)
            status = tz_meaning_add(ret, path.data, count);
    }
    tz_buffer_free(&path);
    return status == TZ_OK ? tz_meaning_index(ret) : status;
}

void tz_near_count(const tz_meaning *meaning, size_t distances, uint32_t *ret_count) {
    memset(ret_count, 0, distances * sizeof *ret_count);
    for (size_t i = 0; i < meaning->mets; i++)
        if (meaning->distance[meaning->met[i]] < distances)
            ret_count[meaning->distance[meaning->met[i]]]++;
}

double tz_near_value(const tz_near *near, double log_total, unsigned distance, bool known) {
    double away = near->eta * distance;
    return known ? exp(-away - log_total) : 1 / (1 + exp(log_total + away));
}
