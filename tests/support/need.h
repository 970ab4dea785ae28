/* need.h - memory that a test cannot do without. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_NEED_H
#define TZ_TESTS_SUPPORT_NEED_H

#include <stdio.h>
#include <stdlib.h>

/* The memory; exits where there is none: tests have nothing to recover. */
static inline void *need(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

#endif
