/* folder.c - see folder.h. SPDX-License-Identifier: MIT */
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/trapeze-test-XXXXXX";

int folder_setup(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

int folder_teardown(void **state) {
    (void)state;
    char line[sizeof folder + 16];
    snprintf(line, sizeof line, "rm -r %s", folder);
    return chdir("/") == 0 ? system(line) : -1;
}
