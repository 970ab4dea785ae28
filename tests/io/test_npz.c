/* test_npz.c - are the arrays of .npz files read and written right, and what cannot be read
 * refused?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zip.h>

#include "io/npz/npz.h"
#include "io/npz/npz_write.h"
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/npz_make.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static tz_npz *open_file(const char *path) {
    tz_npz *npz;
    tz_error error;
    FILE *file = need(fopen(path, "rb"));
    if (tz_npz_open(file, path, &npz, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return npz;
}

/* ---- Reading ------------------------------------------------------------------------------- */

enum { ROWS = 7, A = 3, B = 2, CELLS = A * B };

/* Small whole numbers: every type has them. */
static const double *numbers(void) {
    static double number[ROWS * CELLS];
    for (int c = 0; c < ROWS * CELLS; c++)
        number[c] = (c * 37 + 11) % 101;
    return number;
}

/* Element c of `data`, of this type in this machine's order. */
static double element(const tz_npy *npy, const void *data, size_t c) {
    int64_t number;
    if (npy->kind != 'f') {
        tz_npy_integers(npy, (const char *)data + c * npy->size, 1, &number);
        return (double)number;
    }
    return npy->size == 4 ? (double)((const float *)data)[c] : ((const double *)data)[c];
}

/* Every type, order and version, stored and deflated, read 1, 2, ... rows at a time. */
TEST(rows) {
    static const char *const types[] = {"<f4", ">f4", "<f8", ">f8", "|i1", "|u1", "<i2", ">i2",
                                        "<u2", ">u4", "<i4", ">i4", "<i8", ">i8", "<u8", ">u8"};
    for (size_t t = 0; t < COUNT(types); t++)
        for (int fortran = 0; fortran < 2; fortran++)
            for (int version = 1; version <= 3; version++)
                for (npz_way way = STORED; way <= DEFLATED; way++) {
                    npy_array array = {"x",     types[t], 3, {ROWS, A, B}, numbers(), fortran,
                                       version, NULL,     0};
                    npz_make("x.npz", way, &array, 1);
                    for (size_t step = 1; step <= ROWS; step++) {
                        OWN(tz_npz, npz) = open_file("x.npz");
                        OWN(tz_npz_array, x) = NULL;
                        tz_error error;
                        assert_ok(tz_npz_array_open(npz, "x", &x, &error));
                        const tz_npy *npy = tz_npz_array_header(x);
                        assert_int_equal(npy->rank, 3);
                        assert_int_equal(tz_npz_array_cells(x), CELLS);
                        for (size_t row = 0; row < ROWS; row += step) {
                            size_t rows = ROWS - row < step ? ROWS - row : step;
                            uint64_t data[ROWS * CELLS];
                            assert_ok(tz_npz_array_read(x, rows, data, &error));
                            for (size_t c = 0; c < rows * CELLS; c++)
                                assert_true(element(npy, data, c) == numbers()[row * CELLS + c]);
                        }
                    }
                }
}

TEST(names) {
    const npy_array arrays[] = {{.name = "arc", .descr = "<f8", .rank = 1, .extent = {0}},
                                {.name = "arc.index", .descr = "<i8"},
                                {.name = "npy", .descr = "|O", .rank = 1, .extent = {1}}};
    char text[200];
    tz_error error;
    tz_npz_array *array;
    npz_make("x.npz", STORED, arrays, COUNT(arrays));
    OWN(tz_npz, npz) = open_file("x.npz");
    tz_npz_list(npz, text, sizeof text);
    assert_string_equal(text, "arc, arc.index, npy");
    for (size_t a = 0; a < COUNT(arrays); a++) {
        assert_ok(tz_npz_array_open(npz, arrays[a].name, &array, &error));
        assert_int_equal(tz_npz_array_header(array)->rank, arrays[a].rank);
        tz_npz_array_free(array);
    }
    assert_int_equal(tz_npz_array_open(npz, "ar", &array, &error), TZ_NONE);
    assert_int_equal(tz_npz_array_open(npz, "arc.npy", &array, &error), TZ_NONE);
}

/* ---- What is refused ----------------------------------------------------------------------- */

/* Opens x.npz and reads all of array x: the message says `expected`. */
static void assert_unreadable(const char *expected) {
    tz_npz *npz = NULL;
    tz_npz_array *x = NULL;
    tz_error error = {TZ_OK, ""};
    char data[4096];
    FILE *file = need(fopen("x.npz", "rb"));
    tz_status status = tz_npz_open(file, "x.npz", &npz, &error);
    if (status == TZ_OK)
        status = tz_npz_array_open(npz, "x", &x, &error);
    if (status == TZ_OK && tz_npz_array_header(x)->rank == 3)
        status = tz_npz_array_read(x, ROWS, data, &error);
    tz_npz_array_free(x);
    tz_npz_free(npz);
    if (status == TZ_OK || strstr(error.message, expected) == NULL)
        fail_msg("'%s', expected '%s'", error.message, expected);
    assert_int_equal(strncmp(error.message, "x.npz: ", 7), 0);
    assert_int_equal(error.status, status);
}

/* The name of a member is made that of another: x and y become twice x. */
TEST(refused) {
    const npy_array good = {
        .name = "x", .descr = "<f8", .rank = 3, .extent = {ROWS, A, B}, .number = numbers()};
    npy_array twice[] = {good, good}, bad = good;
    twice[1].name = "y";
    npz_make("x.npz", STORED, twice, 2);
    assert_int_equal(patch("x.npz", "y.npy", "x.npy", 5), 2);
    assert_unreadable("x.npz: array 'x': there are 2 of that name; keep one");

    npz_make("x.npz", ENCRYPTED, &good, 1);
    assert_unreadable("array 'x': it is encrypted");
    if (zip_compression_method_supported(ZIP_CM_BZIP2, 1)) {
        npz_make("x.npz", BZIPPED, &good, 1);
        assert_unreadable("array 'x': it is compressed by method 12; numpy.savez stores");
    }

    bad.more = 8;
    npz_make("x.npz", STORED, &bad, 1);
    assert_unreadable("array 'x': 344 bytes of numbers, but its shape takes 336");
    bad.more = -1;
    npz_make("x.npz", DEFLATED, &bad, 1);
    assert_unreadable("array 'x': 335 bytes of numbers, but its shape takes 336");
    bad = good;
    bad.header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976, 1)}";
    npz_make("x.npz", STORED, &bad, 1);
    assert_unreadable("array 'x': its shape has more cells than any file");
    bad.header = "{'descr': '<f8', 'fortran_order': True, 'shape': (1073741824, 2)}";
    npz_make("x.npz", STORED, &bad, 1);
    assert_unreadable("but its shape takes 17179869184; write it with numpy.savez");
    bad.header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 134217729)}";
    npz_make("x.npz", DEFLATED, &bad, 1);
    assert_unreadable("array 'x': a row has 134217729 numbers; it may have 1073741824 bytes");
    bad.header = "{'descr': '<f8'";
    npz_make("x.npz", STORED, &bad, 1);
    assert_unreadable("array 'x': byte 55 of its header should be ',' or '}'");

    /* A checksum that is not that of the bytes; seen when the last row has been read. */
    double other[ROWS * CELLS];
    memcpy(other, numbers(), sizeof other);
    for (int fortran = 0; fortran < 2; fortran++) {
        npy_array x = good;
        x.fortran = fortran;
        npz_make("x.npz", STORED, &x, 1);
        assert_int_equal(patch("x.npz", (const char *)&other[5], "abcdefgh", 8), 1);
        assert_unreadable("array 'x': it is damaged: its checksum is not that of its bytes");
    }

    size_t size;
    npz_make("x.npz", STORED, &good, 1);
    unsigned char *bytes = read_bytes("x.npz", &size);
    write_bytes("x.npz", bytes, size - 30);
    assert_unreadable("cannot be read as .npz: ");
    write_bytes("x.npz", bytes, 0);
    assert_unreadable("cannot be read as .npz: ");
    free(bytes);
    write_bytes("x.npz", (const unsigned char *)"\x93NUMPY\x01\x00", 8);
    assert_unreadable("cannot be read as .npz: ");
}

/* A directory that promises more than the file can hold must cost nothing. */
TEST(lying_directory) {
    const npy_array x = {.name = "x",
                         .descr = "<f8",
                         .rank = 3,
                         .extent = {ROWS, A, B},
                         .number = numbers(),
                         .header = "{'descr': '<f8', 'fortran_order': False, 'shape': "
                                   "(67108864, 4, 1), }"};
    for (npz_way way = STORED; way <= DEFLATED; way++) {
        npz_make("x.npz", way, &x, 1);
        size_t size, patched = 0;
        unsigned char *bytes = read_bytes("x.npz", &size);
        for (size_t at = 0; at + 46 < size; at++)
            if (memcmp(bytes + at, "PK\x01\x02", 4) == 0) {
                memcpy(bytes + at + 24, "\x80\x00\x00\x80", 4); /* 2^31 + 128 */
                patched++;
            }
        write_bytes("x.npz", bytes, size);
        free(bytes);
        assert_int_equal(patched, 1);
        assert_unreadable("it claims to have 2147483776 bytes");
    }
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* Arrays of which some get larger numbers after so many rows: the same as from the start. */
static void write_wider(const char *path, size_t after, size_t other_after) {
    static const char *const names[] = {"a", "b", "c"};
    uint32_t rows[ROWS * CELLS], narrow[ROWS * CELLS];
    size_t size[] = {1, 1, 1};
    OWN(tz_npz_writer, writer) = NULL;
    tz_error error;
    for (size_t i = 0; i < ROWS * CELLS; i++)
        rows[i] = (uint32_t)i;
    assert_ok(tz_npz_writer_new(path, &writer, &error));
    for (unsigned a = 0; a < 3; a++)
        assert_ok(
            tz_npz_writer_add(writer, names[a], "|u1", 1, 3, (uint64_t[]){ROWS + a, A, B}, &error));
    for (size_t r = 0; r <= ROWS; r++)
        for (unsigned a = 0; a < 3; a++) {
            if (a != 1 && r == (a == 0 ? after : other_after)) {
                size[a] = a == 0 ? 2 : 4;
                assert_ok(tz_npz_writer_widen(writer, a, a == 0 ? "<u2" : "<u4", size[a], &error));
            }
            if (r == ROWS)
                continue;
            tz_npz_resize(rows + r * CELLS, 4, narrow, size[a], CELLS);
            assert_ok(tz_npz_writer_rows(writer, a, 1, narrow, &error));
        }
    assert_ok(tz_npz_writer_commit(writer, &error));
}

TEST(wider) {
    size_t size, first_size;
    write_wider("first.npz", 0, 0);
    unsigned char *first = read_bytes("first.npz", &first_size);
    for (size_t after = 0; after <= ROWS; after++)
        for (size_t other = 0; other <= ROWS; other++) {
            write_wider("y.npz", after, other);
            unsigned char *bytes = read_bytes("y.npz", &size);
            assert_int_equal(size, first_size);
            assert_memory_equal(bytes, first, size);
            free(bytes);
        }
    free(first);
    OWN(tz_npz, npz) = open_file("first.npz");
    OWN(tz_npz_array, a) = NULL, *b = NULL, *c = NULL;
    tz_error error;
    uint16_t two[ROWS * CELLS];
    uint8_t one[ROWS * CELLS];
    uint32_t four[ROWS * CELLS];
    assert_ok(tz_npz_array_open(npz, "a", &a, &error));
    assert_ok(tz_npz_array_open(npz, "b", &b, &error));
    assert_ok(tz_npz_array_open(npz, "c", &c, &error));
    assert_ok(tz_npz_array_read(a, ROWS, two, &error));
    assert_ok(tz_npz_array_read(b, ROWS, one, &error));
    assert_ok(tz_npz_array_read(c, ROWS, four, &error));
    for (size_t i = 0; i < ROWS * CELLS; i++)
        assert_true(two[i] == i && one[i] == (uint8_t)i && four[i] == i);
    unlink("first.npz");
    unlink("y.npz");
}

/* Two arrays grow together; `rows` of the ROWS that were announced come to be. */
static void write_rows(const char *path, size_t rows) {
    OWN(tz_npz_writer, writer) = NULL;
    tz_error error;
    uint8_t small[ROWS];
    for (size_t r = 0; r < ROWS; r++)
        small[r] = (uint8_t)(r * r);
    assert_ok(tz_npz_writer_new(path, &writer, &error));
    assert_ok(tz_npz_writer_add(writer, "x", "<f8", 8, 3, (uint64_t[]){ROWS, A, B}, &error));
    assert_ok(tz_npz_writer_add(writer, "small", "|u1", 1, 1, (uint64_t[]){ROWS}, &error));
    assert_ok(tz_npz_writer_add(writer, "none", "<f8", 8, 2, (uint64_t[]){ROWS, 0}, &error));
    for (size_t r = 0; r < rows; r += 2) {
        size_t n = rows - r < 2 ? rows - r : 2;
        assert_ok(tz_npz_writer_rows(writer, 0, n, numbers() + r * CELLS, &error));
        assert_ok(tz_npz_writer_rows(writer, 1, n, small + r, &error));
        assert_ok(tz_npz_writer_rows(writer, 2, n, small, &error));
    }
    assert_int_equal(access(path, F_OK), -1); /* not before it is complete */
    assert_ok(tz_npz_writer_commit(writer, &error));
}

TEST(written) {
    for (size_t rows = 0; rows <= ROWS; rows++) {
        unlink("y.npz");
        write_rows("y.npz", rows);
        int code;
        zip_t *zip = zip_open("y.npz", ZIP_RDONLY | ZIP_CHECKCONS, &code);
        assert_non_null(zip);
        assert_int_equal(zip_get_num_entries(zip, 0), 3);
        zip_discard(zip);

        OWN(tz_npz, npz) = open_file("y.npz");
        OWN(tz_npz_array, none) = NULL, *small = NULL, *x = NULL;
        tz_error error;
        double data[ROWS * CELLS];
        uint8_t byte[ROWS];
        assert_ok(tz_npz_array_open(npz, "x", &x, &error));
        assert_ok(tz_npz_array_open(npz, "small", &small, &error));
        assert_ok(tz_npz_array_open(npz, "none", &none, &error));
        assert_int_equal(tz_npz_array_header(x)->extent[0], rows);
        assert_int_equal(tz_npz_array_header(x)->extent[2], B);
        assert_int_equal(tz_npz_array_header(none)->extent[0], rows);
        assert_int_equal(tz_npz_array_header(none)->extent[1], 0);
        assert_ok(tz_npz_array_read(x, rows, data, &error));
        assert_ok(tz_npz_array_read(small, rows, byte, &error));
        assert_memory_equal(data, numbers(), rows * CELLS * sizeof *data);
        for (size_t r = 0; r < rows; r++)
            assert_int_equal(byte[r], r * r);
    }
    /* The same rows, the same bytes; and readable as other files of the user are. */
    size_t size, other_size;
    struct stat about;
    write_rows("z.npz", ROWS);
    unsigned char *bytes = read_bytes("y.npz", &size), *other = read_bytes("z.npz", &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    free(bytes);
    free(other);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("z.npz", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0666 & ~mask);
    unlink("y.npz");
    unlink("z.npz");
}

TEST(not_written) {
    tz_npz_writer *writer;
    tz_error error;
    int before = entries_here();
    assert_ok(tz_npz_writer_new("y.npz", &writer, &error));
    assert_int_equal(entries_here(), before + 1);
    assert_int_equal(
        tz_npz_writer_add(writer, "x", "<f8", 8, 2, (uint64_t[]){UINT64_MAX, 2}, &error),
        TZ_TOO_LARGE);
    assert_non_null(strstr(error.message, "y.npz: would be larger than any file"));
    tz_npz_writer_free(writer);
    assert_int_equal(entries_here(), before);
    assert_int_equal(tz_npz_writer_new("absent/y.npz", &writer, &error), TZ_IO);
    assert_non_null(strstr(error.message, "absent/y.npz: cannot write: No such file"));
    assert_null(writer);
}

TESTS_BETWEEN(folder_setup, folder_teardown)
