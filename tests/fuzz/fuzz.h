/* fuzz.h - what fuzz targets share.
 *
 * A target gives its reader whatever bytes it gets, uses what was read, and checks what must hold
 * of it. libFuzzer calls it with inputs that it makes up; replay.c, in every build with tests, with
 * those of its corpus. An input is right or wrong, and neither may end the program.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_FUZZ_FUZZ_H
#define TZ_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/lines.h"
#include "tests/support/own.h"

/* The target, which fuzz_NAME.c defines. */
void fuzz_target(const uint8_t *data, size_t size);
/* What a fuzzer calls: gives the target its input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding: prints the message and aborts. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What must hold. */
#define FUZZ_CHECK(condition)                                                                      \
    ((condition) ? (void)0 : fuzz_fail("%s:%d: %s", __FILE__, __LINE__, #condition))

/* Inputs of more bytes are passed over: what is long is slow and rarely new. */
enum { FUZZ_SIZE = 1 << 14 };

/* ---- Bytes as readers take them ------------------------------------------------------------- */

/* A copy in a block that ends where it ends, so that reading on is noticed; to be freed. */
void *fuzz_copy(const void *data, size_t size);
/* The same with the CRC-32 behind it that binary files end with; *ret_size is 4 more. */
void *fuzz_sealed(const void *data, size_t size, size_t *ret_size);
/* A stream of the bytes, to be closed. The next call may use the same memory. */
FILE *fuzz_stream(const void *data, size_t size);
/* The path of a regular file of the bytes, until the next call. */
const char *fuzz_file(const void *data, size_t size);
/* The bytes as lines of a text file, called "input". */
typedef struct fuzz_text {
    FILE *file;
    tz_lines *lines;
} fuzz_text;
fuzz_text fuzz_lines(const void *data, size_t size, size_t limit);
void fuzz_lines_free(fuzz_text *text);

/* ---- Bytes as choices ----------------------------------------------------------------------- */

/* What is left of an input. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

/* The next byte; 0 at the end. */
static inline uint8_t fuzz_byte(fuzz_input *input) {
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

/* The next `size` bytes, or as many as there are, which *ret_size says. */
static inline const uint8_t *fuzz_bytes(fuzz_input *input, size_t size, size_t *ret_size) {
    const uint8_t *bytes = input->at;
    *ret_size = size < input->left ? size : input->left;
    input->at += *ret_size;
    input->left -= *ret_size;
    return bytes;
}

/* ---- What was read --------------------------------------------------------------------------- */

/* A failure has a status of its own and one line of UTF-8 as its message. */
void fuzz_check_error(tz_status status, const tz_error *error);

#endif
