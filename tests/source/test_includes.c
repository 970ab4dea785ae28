/* test_includes.c - does every file include only what its room may?
 *
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */

#include "tests/support/test.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A room, and the rooms and files that it may include: itself, and what stands above it. */
static const struct {
    const char *room, *may[8];
} rooms[] = {
    {"include", {"include"}},
    {"kernels", {"include", "kernels"}},
    {"semirings", {"include", "kernels", "semirings"}},
    {"src/base", {"include", "src/base"}},
    {"src/rules", {"include", "src/base", "src/rules"}},
    {"src/engine",
     {"include", "src/base", "src/rules", "kernels", "semirings/maker.h", "semirings/own.h",
      "src/engine"}},
    {"src/io",
     {"include", "src/base", "src/rules/table.h", "src/rules/view.h", "src/rules/polyhedra/form.h",
      "src/io"}},
    {"src/measure", {"include", "src/base", "src/measure"}},
    {"src/ranks", {"include", "src/base", "src/ranks"}},
    {"src/cli",
     {"include", "src/base", "src/rules", "src/io", "src/ranks", "src/measure", "src/cli"}},
    {"sentences", {"include", "src/base", "src/io", "src/ranks", "src/cli", "sentences"}},
    {"bench", {"include", "src/base", "src/io", "src/measure", "bench"}},
    {"web", {"include", "src/base", "src/rules", "sentences/text", "tests/support", "web"}},
    {"tests", {"include", "kernels", "semirings", "src", "sentences", "bench", "tests"}},
};
enum { ROOMS = sizeof rooms / sizeof *rooms, MAY = sizeof rooms->may / sizeof *rooms->may };

/* The engine's rooms: each may include those above it, but batch and limits not each other. */
static const char *const engine[] = {"plan/",    "engine.h",   "layout/", "chart/",
                                     "closure/", "interpret.", "pass/",   "ask/",
                                     "problem/", "batch/",     "limits/"};
enum { ENGINE = sizeof engine / sizeof *engine, BATCH = ENGINE - 2 };

enum { PATH = 1024 };
#define ROOT TZ_SOURCE_ROOT "/"

/* Is the file `path` this one or in this folder? Both from the root. */
static bool is_in(const char *path, const char *place) {
    size_t size = strlen(place);
    return strncmp(path, place, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

static size_t room_of(const char *path) {
    size_t room = 0;
    while (room < ROOMS && !is_in(path, rooms[room].room))
        room++;
    return room;
}

/* ENGINE: not of the engine. */
static size_t engine_room_of(const char *path) {
    static const char place[] = "src/engine/";
    size_t room = 0;
    if (strncmp(path, place, sizeof place - 1) != 0)
        return ENGINE;
    while (room < ENGINE &&
           strncmp(path + sizeof place - 1, engine[room], strlen(engine[room])) != 0)
        room++;
    return room;
}

static bool runs_down(const char *path, const char *included) {
    size_t from = engine_room_of(path), to = engine_room_of(included);
    return from == ENGINE || to == ENGINE || to == from || (to < from && to != BATCH);
}

static bool is_file(const char *path) {
    char full[sizeof ROOT + PATH];
    snprintf(full, sizeof full, ROOT "%s", path);
    return access(full, F_OK) == 0;
}

/* Where the file is that `from` includes by this name; "" if it is none of ours. */
static void find_included(const char *from, const char *name, char ret_path[PATH]) {
    const int folder = (int)(strrchr(from, '/') - from);
    snprintf(ret_path, PATH, "%.*s/%s", folder, from, name);
    static const char *const above[] = {"src/", "", "include/"};
    for (size_t a = 0; !is_file(ret_path) && a < sizeof above / sizeof *above; a++)
        snprintf(ret_path, PATH, "%s%s", above[a], name);
    if (!is_file(ret_path))
        *ret_path = '\0';
}

static int files, includes, wrong;

static void check_line(const char *path, int number, const char *line) {
    char close[2], name[256], included[PATH];
    if (sscanf(line, " # include \"%255[^\"]%1[\"]", name, close) != 2 &&
        sscanf(line, " # include <%255[^>]%1[>]", name, close) != 2)
        return;
    bool quoted = strchr(line, '"') != NULL;
    if (!quoted && strncmp(name, "trapeze/", 8) != 0)
        return;
    includes++;
    find_included(path, name, included);
    bool may = false;
    const char *const *allowed = rooms[room_of(path)].may;
    for (size_t a = 0; *included && a < MAY && allowed[a] != NULL; a++)
        may |= is_in(included, allowed[a]);
    if (!may || !runs_down(path, included)) {
        print_error("%s:%d: %s %s\n", path, number, *included ? "may not include" : "there is no",
                    name);
        wrong++;
    }
}

static int check_file(const char *full, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)walk;
    const char *path = full + sizeof ROOT - 1, *end = strrchr(path, '.');
    if (type != FTW_F || end == NULL || strcmp(end, ".c") * strcmp(end, ".h") != 0)
        return 0;
    if (room_of(path) == ROOMS) {
        print_error("%s stands in no room\n", path);
        wrong++;
        return 0;
    }
    FILE *file = fopen(full, "r");
    assert_non_null(file);
    char line[512];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++)
        check_line(path, number, line);
    fclose(file);
    files++;
    return 0;
}

static void test_includes(void **state) {
    (void)state;
    static const char *const folders[] = {"include",   "kernels",   "semirings",
                                          "src",       "sentences", "web/package/native",
                                          "web/tests", "bench",     "tests"};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        char full[sizeof ROOT + PATH];
        snprintf(full, sizeof full, ROOT "%s", folders[f]);
        assert_int_equal(nftw(full, check_file, 16, FTW_PHYS), 0);
    }
    print_message("%d includes of %d files\n", includes, files);
    assert_true(includes > files);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_includes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
