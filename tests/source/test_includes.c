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
    const char *room, *may[9];
} rooms[] = {
    {"include/trapeze/vectors.h", {"include", "kernels"}},
    {"include/trapeze/blocks.h", {"include", "kernels"}},
    {"include", {"include"}},
    {"kernels", {"include", "kernels"}},
    {"semirings", {"include", "kernels", "semirings"}},
    {"src/base", {"include", "src/base"}},
    {"src/rules", {"include", "src/base", "src/rules"}},
    {"src/engine",
     {"include", "src/base", "src/rules", "kernels", "semirings/maker.h", "semirings/own.h",
      "semirings/written.h", "src/engine"}},
    {"src/ambiguity", {"include", "src/base", "src/rules", "src/ambiguity"}},
    {"src/grammar", {"include", "src/base", "src/grammar"}},
    {"src/automaton", {"include", "src/base", "src/automaton"}},
    {"src/io",
     {"include", "src/base", "src/rules/table.h", "src/rules/view.h", "src/rules/polyhedra/form.h",
      "src/rules/tell/steps.h", "src/io"}},
    {"src/measure", {"include", "src/base", "src/measure"}},
    {"src/ranks", {"include", "src/base", "src/ranks"}},
    {"src/cli",
     {"include", "src/base", "src/rules", "src/ambiguity", "src/io", "src/ranks", "src/measure",
      "src/cli"}},
    {"sentences", {"include", "src/base", "src/io", "src/ranks", "src/cli", "sentences"}},
    {"bench", {"include", "src/base", "src/io", "src/measure", "bench"}},
    {"web", {"include", "src/base", "src/rules", "sentences/text", "tests/support", "web"}},
    {"tests", {"include", "kernels", "semirings", "src", "sentences", "bench", "tests"}},
};
enum { ROOMS = sizeof rooms / sizeof *rooms, MAY = sizeof rooms->may / sizeof *rooms->may };

/* The rooms inside a room: each may include those above it, but the last `apart` not each other. */
static const struct stack {
    const char *place;
    size_t apart;
    const char *room[12];
} stacks[] = {
    {"src/engine/",
     2,
     {"plan/", "engine.h", "layout/", "chart/", "closure/", "interpret.", "pass/", "ask/",
      "problem/", "batch/", "limits/"}},
    {"sentences/features/", 1, {"tables/", "sentence/", "outline/", "templates/"}},
    {"sentences/align/", 3, {"texts/", "wordnet/", "model/", "em/", "decode/", "draw/"}},
};
enum { STACKS = sizeof stacks / sizeof *stacks, STACK = sizeof stacks->room / sizeof(char *) };

enum { PATH = 1024 };
#define ROOT TZ_SOURCE_ROOT "/"

/* Is the file `path` this one or in this folder? Both from the root. */
static bool is_in(const char *path, const char *place) {
    size_t size = strlen(place);
    return strncmp(path, place, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

static bool begins(const char *path, const char *with) {
    return strncmp(path, with, strlen(with)) == 0;
}

/* Which room of the stack the file is in; STACK: in none. */
static size_t level_of(const struct stack *stack, const char *path) {
    size_t level = 0;
    if (!begins(path, stack->place))
        return STACK;
    path += strlen(stack->place);
    while (level < STACK && stack->room[level] != NULL && !begins(path, stack->room[level]))
        level++;
    return level < STACK && stack->room[level] != NULL ? level : STACK;
}

static size_t room_of(const char *path) {
    size_t room = 0;
    while (room < ROOMS && !is_in(path, rooms[room].room))
        room++;
    for (const struct stack *s = stacks; s < stacks + STACKS; s++)
        if (begins(path, s->place) && level_of(s, path) == STACK)
            room = ROOMS;
    return room;
}

static bool runs_down(const char *path, const char *included) {
    for (const struct stack *s = stacks; s < stacks + STACKS; s++) {
        size_t from = level_of(s, path), to = level_of(s, included), levels = 0;
        while (levels < STACK && s->room[levels] != NULL)
            levels++;
        if (from < STACK && to < STACK && to != from && (to > from || to + s->apart >= levels))
            return false;
    }
    return true;
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
    FILE *file = need(fopen(full, "r"));
    char line[512];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++)
        check_line(path, number, line);
    fclose(file);
    files++;
    return 0;
}

TEST(includes) {
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
