/* labels.c - see labels.h. SPDX-License-Identifier: MIT */
#include "sentences/features/tables/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void tz_labels_free(tz_labels *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    *names = (tz_labels){0};
}

int32_t tz_labels_find(const tz_labels *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return (int32_t)i;
    return -1;
}

tz_status tz_labels_add(tz_labels *names, const char *name, int32_t *ret_number) {
    int32_t number = tz_labels_find(names, name);
    if (number < 0) {
        bool grown = TZ_GROW(names->name, &names->capacity, names->count + 1);
        size_t size = strlen(name) + 1;
        char *copy = grown ? malloc(size) : NULL;
        if (!copy)
            return TZ_NO_MEMORY;
        names->name[names->count] = memcpy(copy, name, size);
        number = (int32_t)names->count++;
    }
    *ret_number = number;
    return TZ_OK;
}
