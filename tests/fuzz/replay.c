/* replay.c - the main of a fuzz target without a fuzzer: gives it the files named, and all files of
 * the folders named, in order. SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static void replay(const char *path) {
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &about) != 0)
        fuzz_fail("%s: %s", path, strerror(errno));
    size_t size = (size_t)about.st_size;
    FREED(uint8_t, bytes) = malloc(size > 0 ? size : 1);
    if (bytes == NULL || fread(bytes, 1, size, file) != size)
        fuzz_fail("%s: cannot be read", path);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* so that it is known which one ended the program */
    LLVMFuzzerTestOneInput(bytes, size);
}

static int is_input(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv) {
    size_t count = 0;
    for (int a = 1; a < argc; a++) {
        struct dirent **entry;
        int entries = scandir(argv[a], &entry, is_input, alphasort);
        if (entries < 0 && errno == ENOTDIR) {
            replay(argv[a]);
            count++;
        } else if (entries < 0) {
            fuzz_fail("%s: %s", argv[a], strerror(errno));
        }
        for (int e = 0; e < entries; e++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[a], entry[e]->d_name);
            replay(path);
            free(entry[e]);
            count++;
        }
        if (entries >= 0)
            free(entry);
    }
    printf("%zu inputs\n", count);
    return count > 0 ? 0 : 1;
}
