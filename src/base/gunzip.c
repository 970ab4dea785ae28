/* gunzip.c - see gunzip.h. RFC 1952, by zlib. SPDX-License-Identifier: MIT */
#include "base/gunzip.h"

#include <stdbool.h>
#include <stdlib.h>

#include <zlib.h>

enum {
    PACKED = 4096, /* bytes read at once: a pipe is waited for until it has so many */
    ROOM = 1 << 16,
    GZIP = 16 /* added to the window's size: inflate takes the frame of gzip, and nothing else */
};

struct tz_gunzip {
    FILE *file;
    z_stream stream;
    tz_status status;
    const char *what;     /* is wrong, where status is TZ_IO */
    bool between, padded; /* members; zeros have come after the last one */
    unsigned char *at, *end;
    unsigned char in[PACKED], out[ROOM];
};

tz_gunzip *tz_gunzip_new(FILE *file) {
    tz_gunzip *g = malloc(sizeof *g);
    if (!g)
        return NULL;
    g->file = file;
    g->stream = (z_stream){.next_in = g->in, .avail_in = 2};
    g->status = TZ_OK;
    g->what = NULL;
    g->between = g->padded = false;
    g->at = g->end = g->out;
    g->in[0] = TZ_GZIP_FIRST;
    g->in[1] = TZ_GZIP_SECOND;
    if (inflateInit2(&g->stream, MAX_WBITS + GZIP) != Z_OK) {
        free(g);
        return NULL;
    }
    return g;
}

void tz_gunzip_free(tz_gunzip *g) {
    if (g)
        inflateEnd(&g->stream);
    free(g);
}

static bool fail(tz_gunzip *g, tz_status status, const char *what) {
    g->status = status;
    g->what = what;
    return false;
}

/* Are there bytes to unpack? */
static bool more(tz_gunzip *g) {
    if (g->stream.avail_in == 0) {
        g->stream.next_in = g->in;
        g->stream.avail_in = (uInt)fread(g->in, 1, PACKED, g->file);
    }
    return g->stream.avail_in > 0;
}

/* After a member: another one, or zeros up to the end. */
static bool begin_member(tz_gunzip *g) {
    for (; more(g); g->stream.next_in++, g->stream.avail_in--) {
        if (*g->stream.next_in != 0) {
            if (g->padded || *g->stream.next_in != TZ_GZIP_FIRST)
                return fail(g, TZ_IO, "after what gzip packed stands something else");
            g->between = false;
            return inflateReset(&g->stream) == Z_OK;
        }
        g->padded = true;
    }
    return false;
}

/* Puts the next bytes at `at`. */
static bool unpack(tz_gunzip *g) {
    g->at = g->end = g->out;
    while (g->status == TZ_OK && g->end == g->out) {
        if (g->between && !begin_member(g))
            return false;
        if (!more(g))
            return ferror(g->file) ? false : fail(g, TZ_IO, "what gzip packed is cut off");
        g->stream.next_out = g->out;
        g->stream.avail_out = ROOM;
        int status = inflate(&g->stream, Z_NO_FLUSH);
        g->end = g->stream.next_out;
        g->between = status == Z_STREAM_END;
        if (status == Z_MEM_ERROR)
            fail(g, TZ_NO_MEMORY, NULL);
        else if (status != Z_OK && status != Z_BUF_ERROR && !g->between)
            fail(g, TZ_IO, "what gzip packed is damaged");
    }
    return g->end > g->out;
}

int tz_gunzip_byte(tz_gunzip *g) {
    return g->at < g->end || unpack(g) ? *g->at++ : EOF;
}

tz_status tz_gunzip_ended(const tz_gunzip *g, const char **ret_what) {
    *ret_what = g->what;
    return g->status;
}
