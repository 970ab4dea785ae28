/* test_rooms.c - does the README.md of a room name each file that is in it?
 *
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */

#include "tests/support/test.h"

#include <ctype.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/files.h"

#define ROOT TZ_SOURCE_ROOT "/"

/* Those whose pages name files one by one. */
static const char *const rooms[] = {"src/engine",    "src/rules",   "src/ambiguity",
                                    "src/automaton", "src/grammar", "src/measure"};

static const char *page; /* of the room that is walked */
static size_t files, missing;

/* Is `name`, "NAME." of NAME.c and NAME.h, there with nothing before it and c or h behind it? */
static bool is_named(const char *name, size_t size) {
    for (const char *at = page; (at = strstr(at, name)) != NULL; at++) {
        const bool begins = at == page || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && (at[size] == 'c' || at[size] == 'h'))
            return true;
    }
    return false;
}

static int look(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    const char *end = strrchr(path, '.');
    char name[256];
    if (type != FTW_F || end == NULL || (strcmp(end, ".c") != 0 && strcmp(end, ".h") != 0))
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(end + 1 - path - walk->base), path + walk->base);
    files++;
    if (!is_named(name, strlen(name))) {
        print_error("%s: not in the README.md of its room\n", path + sizeof ROOT - 1);
        missing++;
    }
    return 0;
}

TEST(names_every_file) {
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        char path[1024];
        size_t size;
        snprintf(path, sizeof path, ROOT "%s/README.md", rooms[r]);
        char *text = read_file(path, &size);
        page = text;
        snprintf(path, sizeof path, ROOT "%s", rooms[r]);
        const size_t before = files;
        assert_int_equal(nftw(path, look, 16, FTW_PHYS), 0);
        assert_true(files > before);
        assert_false(is_named("no_such_file.", 13));
        free(text);
    }
    assert_int_equal(missing, 0);
}
