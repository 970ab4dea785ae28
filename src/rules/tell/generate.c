/* generate.c - prints rule files as constant C tables, at build time.
 *
 *   generate OUT.c FILE.rules...
 *
 * OUT.c appears whole or not at all. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/tell/emit.h"

static int by_name(const void *a, const void *b) {
    return strcmp((*(tz_rules *const *)a)->name, (*(tz_rules *const *)b)->name);
}

static void print_tables(FILE *out, tz_rules *const *rules, size_t count) {
    fputs("/* Rule sets as tables, printed by generate.c. */\n"
          "#include \"rules/builtin.h\"\n\n",
          out);
    for (size_t i = 0; i < count; i++)
        tz_emit_rules(out, rules[i]);
    fprintf(out, "const size_t tz_builtin_count = %zu;\n", count);
    fputs("const tz_rules *const tz_builtin_rules[] = {\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs("    &", out);
        tz_emit_name(out, rules[i]->name);
        fputs(",\n", out);
    }
    fputs("    NULL};\n", out);
}

/* Writes to a file of another name and renames it, so that nobody sees a part of it. */
static int write_tables(const char *path, tz_rules *const *rules, size_t count) {
    size_t length = strlen(path);
    char *part = malloc(length + sizeof ".part");
    if (!part) {
        fprintf(stderr, "generate: out of memory\n");
        return EXIT_FAILURE;
    }
    memcpy(part, path, length);
    memcpy(part + length, ".part", sizeof ".part");

    bool done = false;
    FILE *out = fopen(part, "w");
    if (out) {
        print_tables(out, rules, count);
        done = !ferror(out);
        done = fclose(out) == 0 && done;
        done = done && rename(part, path) == 0;
    }
    if (!done) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        remove(part);
    }
    free(part);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: generate OUT.c FILE.rules...\n");
        return EXIT_FAILURE;
    }
    int result = EXIT_FAILURE;
    size_t files = (size_t)argc - 2, count = 0;
    tz_rules **rules = calloc(files + 1, sizeof *rules);
    if (!rules) {
        fprintf(stderr, "generate: out of memory\n");
        return EXIT_FAILURE;
    }
    for (; count < files; count++) {
        tz_error error;
        if (tz_rules_read(argv[2 + count], &rules[count], &error) != TZ_OK) {
            fprintf(stderr, "%s\n", error.message);
            goto done;
        }
    }
    qsort(rules, count, sizeof *rules, by_name);
    for (size_t i = 1; i < count; i++) {
        if (by_name(&rules[i - 1], &rules[i]) == 0) {
            fprintf(stderr, "generate: two rule sets are named %s\n", rules[i]->name);
            goto done;
        }
    }
    result = write_tables(argv[1], rules, count);
done:
    for (size_t i = 0; i < count; i++)
        tz_rules_free(rules[i]);
    free(rules);
    return result;
}
