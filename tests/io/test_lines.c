/* test_lines.c - are the lines of a file the same however they come: as they stand, packed by gzip
 * in any number of parts, or read ahead before? And is a packed file that is damaged refused?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/lines.h"
#include "base/text.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { LIMIT = 1 << 20 };

/* ---- Files ----------------------------------------------------------------------------------- */

/* Bytes as gzip packs them, as one member of a file. */
static void pack(tz_text *to, const char *bytes, size_t size) {
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
    size_t room = size + size / 10 + 100;
    FREED(unsigned char, packed) = need(malloc(room));
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    tz_text_add(to, (const char *)packed, room - stream.avail_out);
    deflateEnd(&stream);
}

static FILE *open_bytes(const tz_text *bytes) {
    FILE *file = need(tmpfile());
    assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
    rewind(file);
    return file;
}

/* Lines, some empty, some with CRs, some of more bytes than are unpacked at once; perhaps none. */
static void random_text(random_state *random, tz_text *text) {
    size_t lines = random_below(random, 30);
    tz_text_clear(text);
    for (size_t l = 0; l < lines; l++) {
        size_t size =
            random_below(random, 40) == 0 ? random_below(random, 200000) : random_below(random, 9);
        for (size_t i = 0; i < size; i++)
            tz_text_put(text,
                        (const char *[]){"a", " ", "\t", "é", "日", "("}[random_below(random, 6)]);
        tz_text_put(text, random_below(random, 5) == 0 ? "\r\n" : "\n");
    }
    tz_text_put(text, random_below(random, 2) == 0 ? "the end" : "");
}

/* All lines that are left, with their numbers, and how it ended. */
static void read_rest(tz_lines *lines, tz_text *to) {
    char *line, number[32];
    size_t size;
    tz_error error = {TZ_OK, ""};
    tz_status status;
    while ((status = tz_lines_next(lines, &line, &size, &error)) == TZ_OK) {
        snprintf(number, sizeof number, "%zu:", tz_lines_number(lines));
        tz_text_put(to, number);
        tz_text_add(to, line, size);
        tz_text_put(to, "\n");
    }
    tz_text_put(to, status == TZ_NONE ? "none" : error.message);
    tz_text_add(to, "", 1);
}

static void assert_same(const tz_text *a, const tz_text *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* What all lines of the bytes are. `looks`: so many times, some of them are read ahead first. */
static void read_all(random_state *random, const tz_text *bytes, size_t looks, tz_text *to) {
    OWN(FILE, file) = open_bytes(bytes);
    OWN(tz_lines, lines) = need(tz_lines_new(file, "in", LIMIT));
    tz_text_clear(to);
    for (size_t l = 0; l < looks; l++) {
        char *line;
        size_t size, ahead = random_below(random, 8);
        if (random_below(random, 2) == 0)
            tz_lines_peek(lines);
        tz_lines_mark(lines);
        while (ahead-- > 0 && tz_lines_next(lines, &line, &size, NULL) == TZ_OK) {
        }
        tz_lines_reset(lines);
    }
    read_rest(lines, to);
    if (random_below(random, 2) == 0) { /* and once more */
        tz_text_clear(to);
        tz_lines_rewind(lines);
        read_rest(lines, to);
    }
}

/* Packed as one or more members, with zeros behind them or not: the same lines. */
TEST(packed) {
    random_state random = random_start("packed");
    OWNED(tz_text, text) = {0}, packed = {0}, plain = {0}, found = {0};
    for (unsigned round = 0; round < 60; round++) {
        random_text(&random, &text);
        tz_text_clear(&packed);
        for (size_t at = 0, size; at < text.size || packed.size == 0; at += size) {
            size = random_below(&random, 2) == 0 ? text.size - at
                                                 : random_below(&random, text.size - at + 1);
            pack(&packed, text.data + at, size);
        }
        for (size_t zeros = random_below(&random, 3) * 5000; zeros > 0; zeros--)
            tz_text_add(&packed, "", 1);
        read_all(&random, &text, 0, &plain);
        read_all(&random, &packed, round % 3, &found);
        assert_same(&found, &plain);
    }
}

/* Reading ahead changes nothing. */
TEST(ahead) {
    random_state random = random_start("ahead");
    OWNED(tz_text, text) = {0}, plain = {0}, found = {0};
    for (unsigned round = 0; round < 100; round++) {
        random_text(&random, &text);
        read_all(&random, &text, 0, &plain);
        read_all(&random, &text, 1 + round % 4, &found);
        assert_same(&found, &plain);
    }
}

/* A share of a packed file is that of the file. */
TEST(share) {
    random_state random = random_start("share");
    OWNED(tz_text, text) = {0}, packed = {0}, plain = {0}, found = {0};
    for (unsigned round = 0; round < 30; round++) {
        random_text(&random, &text);
        tz_text_clear(&packed);
        pack(&packed, text.data ? text.data : "", text.size);
        FILE *files[] = {open_bytes(&text), open_bytes(&packed)};
        tz_text *to[] = {&plain, &found};
        for (int f = 0; f < 2; f++) {
            OWN(tz_lines, lines) = tz_lines_new(files[f], "in", LIMIT);
            const tz_lines_cut cut = {.share = 1, .shares = 3, .block = 2, .paragraphs = round % 2};
            assert_non_null(lines);
            tz_text_clear(to[f]);
            tz_lines_share(lines, &cut);
            read_rest(lines, to[f]);
            fclose(files[f]);
        }
        assert_same(&found, &plain);
    }
}

TEST(peek) {
    static const struct {
        const char *text;
        int first;
    } cases[] = {{"", EOF}, {" \n\t\r\n", EOF}, {"\n\n [1", '['}, {"\x1f[", 0x1f}, {"{}", '{'}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        OWNED(tz_text, bytes) = {0}, found = {0}, expected = {0};
        tz_text_put(&bytes, cases[c].text);
        tz_text_put(&bytes, "\n");
        OWN(FILE, file) = open_bytes(&bytes);
        OWN(tz_lines, lines) = tz_lines_new(file, "in", LIMIT);
        assert_int_equal(tz_lines_peek(lines), cases[c].first);
        assert_int_equal(tz_lines_peek(lines), cases[c].first);
        read_rest(lines, &found);
        tz_lines_rewind(lines);
        read_rest(lines, &expected);
        assert_same(&found, &expected);
    }
}

/* Cut off at any place, or with a byte that is another one: never other lines without a message.
 * What follows the flags in the head of a member, its time and system, is nothing to check. */
TEST(damage) {
    random_state random = random_start("damage");
    const char *text = "one\ntwo, which is longer, and two, which is longer\nthree\n";
    OWNED(tz_text, packed) = {0}, right = {0}, plain = {0}, found = {0};
    tz_text_put(&plain, text);
    pack(&packed, text, strlen(text));
    read_all(&random, &plain, 0, &right);
    for (size_t size = 2; size < packed.size; size++) {
        OWNED(tz_text, cut) = {0};
        tz_text_add(&cut, packed.data, size);
        read_all(&random, &cut, 0, &found);
        assert_non_null(strstr(found.data, "in: what gzip packed is cut off"));
    }
    for (size_t at = 2; at < packed.size; at++) {
        for (int flip = 1; flip < 256; flip *= 2) {
            if (at >= 4 && at < 10)
                continue;
            packed.data[at] ^= (char)flip;
            read_all(&random, &packed, 0, &found);
            packed.data[at] ^= (char)flip;
            bool refused = strstr(found.data, "in:") != NULL; /* a message */
            if (!refused && strcmp(found.data, right.data) != 0)
                fail_msg("byte %zu, bit %d: read as\n%s", at, flip, found.data);
        }
    }
    tz_text_put(&packed, "more");
    read_all(&random, &packed, 0, &found);
    assert_non_null(strstr(found.data, "in: after what gzip packed stands something else"));
}

/* A file that begins with but the first byte of a packed one. */
TEST(no_gzip) {
    OWNED(tz_text, bytes) = {0}, found = {0};
    random_state random = random_start("no gzip");
    tz_text_put(&bytes, "\x1f");
    read_all(&random, &bytes, 1, &found);
    assert_string_equal(found.data, "1:\x1f\nnone");
    tz_text_put(&bytes, "a\nb");
    read_all(&random, &bytes, 2, &found);
    assert_string_equal(found.data, "1:\x1f"
                                    "a\n2:b\nnone");
}

static int attempt(void *user) {
    FILE *file = open_bytes(user);
    OWN(tz_lines, lines) = tz_lines_new(file, "in", LIMIT);
    tz_status status = lines ? TZ_OK : TZ_NO_MEMORY;
    tz_error error = {TZ_OK, ""};
    char *line;
    size_t size, read = 0;
    for (int ahead = 0; ahead < 2 && status == TZ_OK; ahead++) {
        if (ahead == 0)
            tz_lines_mark(lines);
        while (status == TZ_OK) {
            status = tz_lines_next(lines, &line, &size, &error);
            read += status == TZ_OK;
        }
        if (ahead == 0)
            tz_lines_reset(lines);
        status = status == TZ_NONE ? TZ_OK : status;
    }
    fclose(file);
    if (status != TZ_OK)
        assert_int_equal(status, TZ_NO_MEMORY);
    else
        assert_int_equal(read, 6);
    return status == TZ_OK ? 0 : 1;
}

TEST(memory) {
    const char *text = "one\ntwo\nand three\n";
    OWNED(tz_text, plain) = {0}, packed = {0};
    tz_text_put(&plain, text);
    pack(&packed, text, strlen(text));
    assert_true(oom_sweep("plain", attempt, &plain, 1, false) >= 3);
    assert_true(oom_sweep("packed", attempt, &packed, 1, false) >= 4);
}
