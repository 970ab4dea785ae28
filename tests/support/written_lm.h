/* written_lm.h - a language model as the text of its file.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_WRITTEN_LM_H
#define TZ_TESTS_SUPPORT_WRITTEN_LM_H

#include <stdio.h>

#include "sentences/lm/lm.h"
#include "tests/support/test.h"

/* The caller's to free. */
static inline char *written_lm(const tz_lm *lm, size_t *ret_size) {
    char *bytes = NULL;
    FILE *file = open_memstream(&bytes, ret_size);
    assert_ok(tz_lm_write(lm, file));
    fclose(file);
    return bytes;
}

#endif
