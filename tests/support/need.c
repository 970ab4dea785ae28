/* need.c - see need.h. SPDX-License-Identifier: MIT */
#include "need.h"

#include "tests/support/test.h"

void *need_pointer(void *pointer, const char *what, const char *file, int line) {
    if (pointer == NULL) {
        print_error("%s: nothing\n", what);
        _fail(file, line);
    }
    return pointer;
}
