/* test_npy.c - are the headers of NumPy arrays read as NumPy reads them, and wrong ones refused?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "io/npz/npy.h"
#include "tests/support/random.h"

static const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

static tz_status parse(const char *text, tz_npy *npy, tz_error *error) {
    *error = (tz_error){TZ_OK, ""};
    return tz_npy_parse(text, strlen(text), npy, error);
}

TEST(good_headers) {
    static const struct {
        const char *text;
        char kind;
        unsigned size, rank;
        bool swapped, fortran;
        uint64_t first, count;
    } good[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }      \n", 'f', 8, 2, false,
         false, 3, 12},
        {"{'descr': '>f4', 'fortran_order': True, 'shape': (3, 4, 5), }\n", 'f', 4, 3, true, true,
         3, 60},
        {"{\"shape\":(7,),\"fortran_order\":False,\"descr\":\"|u1\"}", 'u', 1, 1, false, false, 7,
         7},
        {" { 'descr' : '>i2' , 'shape' : ( 7 , ) , 'fortran_order' : True } ", 'i', 2, 1, true,
         false, 7, 7},
        {"{'descr': '=i4', 'fortran_order': False, 'shape': (3L, 0L), }", 'i', 4, 2, false, false,
         3, 0},
        {"{'descr': 'u8', 'fortran_order': False, 'shape': ()}", 'u', 8, 0, false, false, 0, 1},
        {"{'descr': '<i8', 'fortran_order': True, 'shape': (1, 2, 3, 4, 5, 6, 7), }", 'i', 8, 7,
         false, true, 1, 5040},
        /* Not numbers that can be scores or lengths: known by kind 0. */
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2, 2},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2, 2},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2, 2},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2, 2},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2, 2},
        {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2,
         2},
        {"{'descr': '', 'fortran_order': False, 'shape': (2,)}", 0, 0, 1, false, false, 2, 2},
        {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}", 0, 0, 0, false, false,
         0, 1},
    };
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        tz_npy npy;
        tz_error error;
        if (parse(good[g].text, &npy, &error) != TZ_OK)
            fail_msg("%s: %s", good[g].text, error.message);
        assert_int_equal(npy.kind, good[g].kind);
        assert_int_equal(npy.size, good[g].size);
        assert_int_equal(npy.rank, good[g].rank);
        assert_int_equal(npy.swapped, good[g].swapped == little);
        assert_int_equal(npy.fortran, good[g].fortran);
        assert_int_equal(npy.count, good[g].count);
        if (npy.rank > 0)
            assert_int_equal(npy.extent[0], good[g].first);
    }
}

TEST(bad_headers) {
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "byte 1 of its header should be '{'"},
        {"{", "byte 2 of its header should be a string"},
        {"{}", "its header lacks 'descr'"},
        {"{'descr': '<f8', 'shape': (3,)}", "its header lacks 'fortran_order'"},
        {"{'descr': '<f8', 'fortran_order': False}", "its header lacks 'shape'"},
        {"{'descr': '<f8' 'shape': (3,)}", "should be ',' or '}'"},
        {"{'descr' '<f8'}", "should be ':'"},
        {"{'descr': 8}", "should be a string"},
        {"{'descr': '<f8}", "should be the end of a string"},
        {"{'descr': '<\\x668'}", "should be a plain character"},
        {"{'descr': '<f8', 'descr': '<f8'}", "each once"},
        {"{'dtype': '<f8'}", "behind 'descr', 'fortran_order' or 'shape'"},
        {"{'fortran_order': 0}", "should be True or False"},
        {"{'fortran_order': Tru", "should be True or False"},
        {"{'shape': 3}", "should be a shape such as (3, 4)"},
        {"{'shape': (3)}", "should be a tuple: (3,) with a comma"},
        {"{'shape': (3 4)}", "should be ',' or ')'"},
        {"{'shape': (,)}", "should be a whole number"},
        {"{'shape': (-3,)}", "should be a whole number"},
        {"{'shape': (3.0,)}", "should be ',' or ')'"},
        {"{'shape': (3,", "should be a whole number"},
        {"{'shape': (18446744073709551616,)}", "should be a number below 2^64"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x", "should be its end"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,)}",
         "more cells than any file"},
        {"{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2)}",
         "more cells than any file"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        tz_npy npy;
        tz_error error;
        if (parse(bad[b].text, &npy, &error) == TZ_OK ||
            strstr(error.message, bad[b].message) == NULL)
            fail_msg("%s: '%s', expected '%s'", bad[b].text, error.message, bad[b].message);
    }
}

TEST(start) {
    unsigned char start[TZ_NPY_START] = "\x93NUMPY\x01\x00\x76\x00{'";
    size_t at = 0, size = 0;
    tz_error error;
    assert_ok(tz_npy_start(start, &at, &size, &error));
    assert_int_equal(at, 10);
    assert_int_equal(size, 0x76);
    for (unsigned char version = 2; version <= 3; version++) {
        memcpy(start + 6, ((unsigned char[]){version, 0, 0x76, 0x01, 0x00, 0x00}), 6);
        assert_ok(tz_npy_start(start, &at, &size, &error));
        assert_int_equal(at, 12);
        assert_int_equal(size, 0x176);
    }
    start[11] = 0x40;
    assert_int_equal(tz_npy_start(start, &at, &size, &error), TZ_TOO_LARGE);
    assert_non_null(strstr(error.message, "its header has 1073742198 bytes"));
    start[6] = 4;
    assert_int_equal(tz_npy_start(start, &at, &size, &error), TZ_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "version 4.0 of the .npy format is not known"));
    start[0] = 'P';
    assert_int_equal(tz_npy_start(start, &at, &size, &error), TZ_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "this is not a NumPy array"));
}

/* What is printed is read as what it was, whatever the shape. */
TEST(print) {
    const uint64_t extent[TZ_NPY_RANK] = {INT64_MAX / 8, 0, UINT32_MAX, 1, UINT64_MAX};
    for (unsigned rank = 0; rank <= TZ_NPY_RANK; rank++) {
        char text[TZ_NPY_HEADER];
        size_t at, size;
        tz_npy npy;
        tz_error error;
        tz_npy_print(text, "<f8", rank, extent);
        assert_ok(tz_npy_start((unsigned char *)text, &at, &size, &error));
        assert_int_equal(at + size, TZ_NPY_HEADER);
        assert_int_equal(text[TZ_NPY_HEADER - 1], '\n');
        assert_ok(tz_npy_parse(text + at, size, &npy, &error));
        assert_int_equal(npy.rank, rank);
        assert_memory_equal(npy.extent, extent, rank * sizeof *extent);
    }
}

TEST(integers) {
    static const struct {
        char kind;
        unsigned size;
        uint64_t bits;
        int64_t number;
    } cases[] = {
        {'i', 1, 0x80, -128},           {'u', 1, 0x80, 128},
        {'i', 2, 0x8000, -32768},       {'u', 2, 0x8000, 32768},
        {'i', 4, 0xffffffff, -1},       {'u', 4, 0xffffffff, 4294967295},
        {'i', 8, UINT64_MAX, -1},       {'u', 8, UINT64_MAX, INT64_MAX},
        {'u', 8, INT64_MAX, INT64_MAX}, {'i', 4, 25, 25},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int swapped = 0; swapped < 2; swapped++) {
            tz_npy npy = {.kind = cases[c].kind, .size = cases[c].size, .swapped = swapped};
            uint64_t data[2] = {0, 0};
            int64_t number[2];
            unsigned char *to = (unsigned char *)data;
            for (unsigned b = 0; b < 2 * npy.size; b++) {
                unsigned byte = b % npy.size;
                bool high_first = swapped == little;
                to[b] =
                    (unsigned char)(cases[c].bits >> 8 * (high_first ? npy.size - 1 - byte : byte));
            }
            tz_npy_unswap(&npy, data, 2);
            tz_npy_integers(&npy, data, 2, number);
            assert_int_equal(number[0], cases[c].number);
            assert_int_equal(number[1], cases[c].number);
        }
}

/* Whatever the bytes, the parser ends, and what it accepts has a size. */
TEST(mutations) {
    static const char good[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } \n";
    random_state random = random_start("mutations");
    size_t accepted = 0;
    for (int round = 0; round < 100000; round++) {
        size_t size = sizeof good - 1;
        FREED(char, text) = need(malloc(size));
        memcpy(text, good, size);
        for (unsigned m = 0; m <= random_below(&random, 3); m++)
            text[random_below(&random, size)] = random_below(&random, 2)
                                                    ? (char)random_below(&random, 256)
                                                    : good[random_below(&random, size)];
        if (random_below(&random, 4) == 0)
            size = random_below(&random, size + 1);
        tz_npy npy;
        tz_error error = {TZ_OK, ""};
        tz_status status = tz_npy_parse(text, size, &npy, &error);
        assert_true(status == TZ_OK || error.message[0] != '\0');
        if (status == TZ_OK && npy.kind != 0)
            assert_true(npy.count <= INT64_MAX / npy.size);
        accepted += status == TZ_OK;
    }
    assert_true(accepted > 0 && accepted < 100000);
}
