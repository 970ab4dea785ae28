/* labels.h - a list of different names, numbered from 0 in the order in which they were added.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_TABLES_LABELS_H
#define TZ_SENTENCES_FEATURES_TABLES_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

typedef struct tz_labels {
    char **name; /* name[0..count-1] */
    size_t count, capacity;
} tz_labels;

/* A zeroed list is empty. */
void tz_labels_free(tz_labels *names);
/* The number of a name, or -1. Cost: in proportion to the list, which is short (tags, labels). */
int32_t tz_labels_find(const tz_labels *names, const char *name);
/* The same, but a new name is added. TZ_NO_MEMORY. */
tz_status tz_labels_add(tz_labels *names, const char *name, int32_t *ret_number);

#endif
