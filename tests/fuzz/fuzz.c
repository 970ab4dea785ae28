/* fuzz.c - see fuzz.h. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size <= FUZZ_SIZE)
        fuzz_target(data, size);
    return 0;
}

void fuzz_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

void *fuzz_copy(const void *data, size_t size) {
    void *copy = malloc(size > 0 ? size : 1);
    FUZZ_CHECK(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

void *fuzz_sealed(const void *data, size_t size, size_t *ret_size) {
    unsigned char *copy = malloc(size + 4);
    FUZZ_CHECK(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    const uint32_t crc = (uint32_t)crc32_z(0, copy, size);
    for (unsigned b = 0; b < 4; b++)
        copy[size + b] = (unsigned char)(crc >> 8 * b);
    *ret_size = size + 4;
    return copy;
}

/* A file in memory with these bytes, made once. */
static int memory_file(const void *data, size_t size) {
    static int file = -1;
    if (file < 0)
        file = memfd_create("input", MFD_CLOEXEC);
    FUZZ_CHECK(file >= 0 && ftruncate(file, (off_t)size) == 0);
    FUZZ_CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
    return file;
}

FILE *fuzz_stream(const void *data, size_t size) {
    int file = dup(memory_file(data, size));
    FUZZ_CHECK(file >= 0 && lseek(file, 0, SEEK_SET) == 0);
    FILE *stream = fdopen(file, "rb");
    FUZZ_CHECK(stream != NULL);
    return stream;
}

const char *fuzz_file(const void *data, size_t size) {
    static char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory_file(data, size));
    return path;
}

fuzz_text fuzz_lines(const void *data, size_t size, size_t limit) {
    /* Without a file: system calls would take most of the time. */
    FILE *file = fmemopen((void *)data, size, "rb");
    tz_lines *lines = file != NULL ? tz_lines_new(file, "input", limit) : NULL;
    FUZZ_CHECK(lines != NULL);
    return (fuzz_text){file, lines};
}

void fuzz_lines_free(fuzz_text *text) {
    tz_lines_free(text->lines);
    fclose(text->file);
}

void fuzz_check_error(tz_status status, const tz_error *error) {
    FUZZ_CHECK(status != TZ_OK && status == error->status);
    const char *text = error->message;
    size_t size = strnlen(text, sizeof error->message);
    FUZZ_CHECK(size > 0 && size < sizeof error->message);
    for (size_t at = 0; at < size;) {
        uint32_t code;
        unsigned used = tz_utf8_decode(text + at, size - at, &code);
        FUZZ_CHECK(used > 0 && code != '\n');
        at += used;
    }
}
