/* npz_make.c - see npz_make.h. SPDX-License-Identifier: MIT */
#include "npz_make.h"

#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zip.h>

/* One element of type `descr`, in its byte order. */
static void put(unsigned char *at, const char *descr, size_t size, double number) {
    union {
        float f;
        double d;
        int64_t i;
        uint64_t u;
        unsigned char byte[8];
    } value;
    memset(&value, 0, sizeof value);
    if (descr[1] == 'f' && size == 4)
        value.f = (float)number;
    else if (descr[1] == 'f')
        value.d = number;
    else if (descr[1] == 'u')
        value.u = (uint64_t)number;
    else
        value.i = (int64_t)number;
    /* The bytes of value are those of a little-endian machine. */
    assert_int_equal(__BYTE_ORDER__, __ORDER_LITTLE_ENDIAN__);
    for (size_t b = 0; b < size; b++)
        at[b] = value.byte[descr[0] == '>' ? size - 1 - b : b];
}

unsigned char *npy_make(const npy_array *array, size_t *ret_size) {
    char shape[200] = "", header[512];
    size_t cells = 1, used = 0, size = array->descr[1] == 'O' ? 8 : (size_t)atoi(array->descr + 2);
    for (unsigned q = 0; q < array->rank; q++) {
        cells *= array->extent[q];
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%zu%s", q > 0 ? ", " : "",
                                 array->extent[q], array->rank == 1 ? "," : "");
    }
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }",
             array->descr, array->fortran ? "True" : "False", shape);
    if (array->header != NULL)
        snprintf(header, sizeof header, "%s", array->header);
    size_t start = array->version > 1 ? 12 : 10, length = strlen(header);
    size_t padded = (start + length + 1 + 63) / 64 * 64 - start;
    unsigned char *bytes = need(calloc(1, start + padded + cells * size + 4096));
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)(array->version > 0 ? array->version : 1);
    bytes[8] = (unsigned char)(padded & 0xff);
    bytes[9] = (unsigned char)(padded >> 8);
    memset(bytes + start, ' ', padded);
    memcpy(bytes + start, header, length);
    bytes[start + padded - 1] = '\n';
    for (size_t c = 0; c < cells && array->number != NULL; c++) {
        size_t place = c;
        if (array->fortran) {
            size_t rest = c, stride = cells;
            place = 0;
            for (unsigned q = array->rank; q-- > 0; rest /= array->extent[q]) {
                stride /= array->extent[q];
                place += rest % array->extent[q] * stride;
            }
        }
        put(bytes + start + padded + place * size, array->descr, size, array->number[c]);
    }
    *ret_size = (size_t)((ptrdiff_t)(start + padded + cells * size) + array->more);
    return bytes;
}

void npz_make(const char *path, npz_way way, const npy_array *array, size_t arrays) {
    int code;
    unlink(path);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(zip);
    unsigned char **bytes = calloc(arrays + 1, sizeof *bytes);
    assert_non_null(bytes);
    for (size_t a = 0; a < arrays; a++) {
        size_t size;
        char name[200];
        bytes[a] = npy_make(&array[a], &size);
        zip_source_t *source = zip_source_buffer(zip, bytes[a], size, 0);
        snprintf(name, sizeof name, "%s.npy", array[a].name);
        zip_int64_t member = zip_file_add(zip, name, source, 0);
        assert_true(member >= 0);
        zip_int32_t method = way == DEFLATED  ? ZIP_CM_DEFLATE
                             : way == BZIPPED ? ZIP_CM_BZIP2
                                              : ZIP_CM_STORE;
        assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)member, method, 0), 0);
        if (way == ENCRYPTED)
            assert_int_equal(
                zip_file_set_encryption(zip, (zip_uint64_t)member, ZIP_EM_TRAD_PKWARE, "secret"),
                0);
    }
    assert_int_equal(zip_close(zip), 0);
    for (size_t a = 0; a < arrays; a++)
        free(bytes[a]);
    free(bytes);
}

double *npz_load(const char *path, const char *name, tz_npy *ret_npy) {
    OWN(tz_npz, npz) = NULL;
    tz_npz_array *array = NULL;
    tz_error error = {TZ_OK, ""};
    FILE *file = need(fopen(path, "rb"));
    if (tz_npz_open(file, path, &npz, &error) != TZ_OK ||
        tz_npz_array_open(npz, name, &array, &error) != TZ_OK)
        fail_msg("%s: %s", name, error.message);
    *ret_npy = *tz_npz_array_header(array);
    double *number = need(calloc(ret_npy->count + 1, sizeof *number));
    assert_ok(tz_npz_array_read(array, ret_npy->extent[0], number, &error));
    const size_t size = ret_npy->size;
    assert_true(ret_npy->kind == 'f' ? size == 8 : size <= 4);
    for (size_t c = ret_npy->count; c-- > 0 && size < 8;) {
        uint64_t integer = 0; /* little-endian, as this machine */
        memcpy(&integer, (unsigned char *)number + c * size, size);
        number[c] = (double)integer;
    }
    tz_npz_array_free(array);
    return number;
}

unsigned char *read_bytes(const char *path, size_t *ret_size) {
    FILE *file = need(fopen(path, "rb"));
    fseek(file, 0, SEEK_END);
    *ret_size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = need(malloc(*ret_size + 1));
    assert_int_equal(fread(bytes, 1, *ret_size, file), *ret_size);
    fclose(file);
    return bytes;
}

void write_bytes(const char *path, const unsigned char *bytes, size_t size) {
    FILE *file = need(fopen(path, "wb"));
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

size_t patch(const char *path, const char *old, const char *new, size_t size) {
    size_t length, found = 0;
    FREED(unsigned char, bytes) = read_bytes(path, &length);
    for (size_t at = 0; at + size <= length; at++)
        if (memcmp(bytes + at, old, size) == 0) {
            memcpy(bytes + at, new, size);
            found++;
        }
    write_bytes(path, bytes, length);
    return found;
}
