/* fuzz_npy.c - headers of NumPy arrays: the bytes that tell where one is, then the header itself.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/npz/npy.h"

enum { ELEMENTS = 1 << 12 };

/* What is written for an array is read as the same one. */
static void write_back(const tz_npy *npy) {
    char text[TZ_NPY_HEADER], *header;
    tz_npy again;
    tz_error error;
    size_t at, size;
    tz_npy_print(text, npy->descr, npy->rank, npy->extent);
    FUZZ_CHECK(tz_npy_start((unsigned char *)text, &at, &size, &error) == TZ_OK);
    FUZZ_CHECK(at + size == TZ_NPY_HEADER);
    header = fuzz_copy(text + at, size);
    FUZZ_CHECK(tz_npy_parse(header, size, &again, &error) == TZ_OK);
    FUZZ_CHECK(again.kind == npy->kind && again.size == npy->size && again.count == npy->count);
    FUZZ_CHECK(again.swapped == npy->swapped && again.rank == npy->rank);
    FUZZ_CHECK(memcmp(again.extent, npy->extent, npy->rank * sizeof *npy->extent) == 0);
    free(header);
}

static void use_elements(const tz_npy *npy) {
    FREED(unsigned char, data) = malloc(npy->count * npy->size + 1);
    FREED(int64_t, number) = malloc(npy->count * sizeof *number + 1);
    FUZZ_CHECK(data != NULL && number != NULL);
    memset(data, 0x81, npy->count * npy->size);
    tz_npy_unswap(npy, data, npy->count);
    if (npy->kind != 'f')
        tz_npy_integers(npy, data, npy->count, number);
}

void fuzz_target(const uint8_t *data, size_t size) {
    size_t at, length;
    tz_npy npy;
    tz_error error;
    if (size < TZ_NPY_START)
        return;
    tz_status status = tz_npy_start(data, &at, &length, &error);
    if (status != TZ_OK)
        fuzz_check_error(status, &error);
    char *text = fuzz_copy(data + TZ_NPY_START, size - TZ_NPY_START);
    status = tz_npy_parse(text, size - TZ_NPY_START, &npy, &error);
    free(text);
    if (status != TZ_OK) {
        fuzz_check_error(status, &error);
        return;
    }
    if (npy.kind != 0 && npy.rank <= TZ_NPY_RANK)
        write_back(&npy);
    if (npy.kind != 0 && npy.count <= ELEMENTS)
        use_elements(&npy);
}
