/* generate.c - prints rule files as constant C tables, at build time, and those of the gallery as
 * text: they are compiled when they are asked for, and here once, so that none ships with a
 * mistake.
 *
 *   generate OUT.c FILE.rules... --gallery FILE.rules...
 *
 * OUT.c appears whole or not at all. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/tell/emit.h"

typedef struct file {
    const char *path;
    tz_rules *rules;
} file;

static int by_name(const void *a, const void *b) {
    return strcmp(((const file *)a)->rules->name, ((const file *)b)->rules->name);
}

static void print_tables(FILE *out, const file *files, size_t count) {
    fputs("/* Rule sets as tables, and those of the gallery as text, printed by generate.c. */\n"
          "#include \"rules/builtin.h\"\n\n",
          out);
    for (size_t i = 0; i < count; i++)
        tz_emit_rules(out, files[i].rules);
    fprintf(out, "const size_t tz_builtin_count = %zu;\n", count);
    fputs("const tz_rules *const tz_builtin_rules[] = {\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs("    &", out);
        tz_emit_name(out, files[i].rules->name);
        fputs(",\n", out);
    }
    fputs("    NULL};\n", out);
}

/* Byte by byte: no string constant of C need be as long as a file. */
static bool print_text(FILE *out, const char *path, size_t number) {
    FILE *in = fopen(path, "rb");
    if (!in)
        return false;
    fprintf(out, "static const char text_%zu[] = {", number);
    size_t column = 0;
    for (int c; (c = getc(in)) != EOF;)
        fprintf(out, "%s%d,", column++ % 20 == 0 ? "\n    " : "", c < 128 ? c : c - 256);
    fputs("\n    0};\n", out);
    bool good = !ferror(in);
    fclose(in);
    return good;
}

static bool print_texts(FILE *out, const file *files, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!print_text(out, files[i].path, i))
            return false;
    fprintf(out, "const size_t tz_gallery_count = %zu;\n", count);
    fputs("const tz_gallery_text tz_gallery[] = {\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "    {\"gallery/%s\", text_%zu, sizeof text_%zu - 1},\n", files[i].rules->name,
                i, i);
    fputs("    {NULL, NULL, 0}};\n", out);
    return true;
}

/* Writes to a file of another name and renames it, so that nobody sees a part of it. */
static bool write_all(const char *path, const file *builtin, size_t builtins, const file *gallery,
                      size_t in_gallery) {
    size_t length = strlen(path);
    char *part = malloc(length + sizeof ".part");
    if (!part) {
        fprintf(stderr, "generate: out of memory\n");
        return false;
    }
    memcpy(part, path, length);
    memcpy(part + length, ".part", sizeof ".part");

    bool done = false;
    FILE *out = fopen(part, "w");
    if (out) {
        print_tables(out, builtin, builtins);
        done = print_texts(out, gallery, in_gallery) && !ferror(out);
        done = fclose(out) == 0 && done;
        done = done && rename(part, path) == 0;
    }
    if (!done) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        remove(part);
    }
    free(part);
    return done;
}

/* Sorted, no two of one name. */
static bool sort(file *files, size_t count) {
    qsort(files, count, sizeof *files, by_name);
    for (size_t i = 1; i < count; i++) {
        if (by_name(&files[i - 1], &files[i]) == 0) {
            fprintf(stderr, "generate: two rule sets are named %s\n", files[i].rules->name);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: generate OUT.c FILE.rules... --gallery FILE.rules...\n");
        return EXIT_FAILURE;
    }
    file *files = calloc((size_t)argc, sizeof *files);
    if (!files) {
        fprintf(stderr, "generate: out of memory\n");
        return EXIT_FAILURE;
    }
    size_t count = 0, builtins = 0;
    bool gallery = false, good = true;
    for (int a = 2; a < argc && good; a++) {
        if (strcmp(argv[a], "--gallery") == 0) {
            gallery = true;
            continue;
        }
        tz_error error;
        files[count].path = argv[a];
        good = tz_rules_read(argv[a], &files[count].rules, &error) == TZ_OK;
        if (!good)
            fprintf(stderr, "%s\n", error.message);
        count++;
        builtins += !gallery;
    }
    good = good && sort(files, builtins) && sort(files + builtins, count - builtins) &&
           write_all(argv[1], files, builtins, files + builtins, count - builtins);
    for (size_t i = 0; i < count; i++)
        tz_rules_free(files[i].rules);
    free(files);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
