/* sums.c - see sums.h. SPDX-License-Identifier: MIT */
#include "ranks/sums.h"

#include <stdlib.h>
#include <string.h>

#include "ranks/slices.h"

static size_t first_row(const tz_sums *s, size_t rank) {
    return tz_slice_first(s->rows, rank);
}

static size_t owner(const tz_sums *s, uint32_t row) {
    return tz_slice_owner(s->rows, row);
}

tz_status tz_sums_new(size_t rows, size_t width, tz_sums **ret_sums) {
    tz_sums *s = calloc(1, sizeof *s);
    *ret_sums = NULL;
    if (!s)
        return TZ_NO_MEMORY;
    *s = (tz_sums){.rows = rows, .width = width};
    s->first = first_row(s, tz_rank());
    s->last = first_row(s, tz_rank() + 1);
    s->sum = calloc((s->last - s->first) * width + 1, sizeof *s->sum);
    s->size = calloc(tz_ranks(), sizeof *s->size);
    s->place = calloc(tz_ranks(), sizeof *s->place);
    if (!s->sum || !s->size || !s->place) {
        tz_sums_free(s);
        return TZ_NO_MEMORY;
    }
    *ret_sums = s;
    return TZ_OK;
}

void tz_sums_free(tz_sums *s) {
    if (s) {
        free(s->sum);
        free(s->size);
        free(s->place);
        tz_buffer_free(&s->out);
        tz_gathered_free(&s->in);
        free(s);
    }
}

void tz_sums_clear(tz_sums *s) {
    memset(s->sum, 0, (s->last - s->first) * s->width * sizeof *s->sum);
}

static void add_row(double *sum, const double *value, size_t width) {
    for (size_t a = 0; a < width; a++)
        sum[a] += value[a];
}

/* ---- What goes to another rank --------------------------------------------------------------- */

enum { DENSE = 1 };

/* Of a slice: then rows, and where a multiple of 8 bytes is reached their values; or, DENSE, the
 * values of all rows. */
typedef struct packet {
    uint32_t rows, kind;
} packet;

static size_t row_bytes(size_t rows) {
    return (rows * sizeof(uint32_t) + 7) / 8 * 8;
}

/* For each rank the number of rows becomes the size of its packet. */
static size_t measure(tz_sums *s, const tz_sums_part *part, size_t parts, packet *head) {
    size_t all = 0;
    memset(head, 0, tz_ranks() * sizeof *head);
    for (size_t p = 0; p < parts; p++)
        for (size_t i = 0; i < part[p].rows; i++)
            head[owner(s, part[p].row ? part[p].row[i] : (uint32_t)i)].rows++;
    for (size_t r = 0; r < tz_ranks(); r++) {
        size_t slice = (first_row(s, r + 1) - first_row(s, r)) * s->width * sizeof(double);
        size_t listed = row_bytes(head[r].rows) + head[r].rows * s->width * sizeof(double);
        head[r].kind = slice < listed ? DENSE : 0;
        s->size[r] = head[r].rows > 0 ? sizeof *head + (slice < listed ? slice : listed) : 0;
        s->place[r] = all;
        all += s->size[r];
    }
    return all;
}

static void fill(tz_sums *s, const tz_sums_part *part, size_t parts, packet *head) {
    unsigned char *out = s->out.data;
    for (size_t r = 0; r < tz_ranks(); r++) {
        if (s->size[r] == 0)
            continue;
        memset(out + s->place[r], 0, s->size[r]);
        memcpy(out + s->place[r], &head[r], sizeof *head);
        head[r].rows = 0;
    }
    for (size_t p = 0; p < parts; p++) {
        for (size_t i = 0; i < part[p].rows; i++) {
            uint32_t row = part[p].row ? part[p].row[i] : (uint32_t)i;
            size_t r = owner(s, row), value = s->width * sizeof(double);
            unsigned char *at = out + s->place[r];
            packet told;
            memcpy(&told, at, sizeof told);
            at += sizeof told;
            size_t place = told.kind == DENSE ? row - first_row(s, r) : head[r].rows++;
            if (told.kind != DENSE) {
                memcpy(at + place * sizeof row, &row, sizeof row);
                at += row_bytes(told.rows);
            }
            memcpy(at + place * value, part[p].value + i * s->width, value);
        }
    }
}

static void take(tz_sums *s, const unsigned char *at) {
    packet head;
    memcpy(&head, at, sizeof head);
    const uint32_t *row = (const uint32_t *)(const void *)(at + sizeof head);
    size_t listed = head.kind == DENSE ? 0 : row_bytes(head.rows);
    size_t rows = head.kind == DENSE ? s->last - s->first : head.rows;
    const double *value = (const double *)(const void *)(at + sizeof head + listed);
    for (size_t i = 0; i < rows; i++, value += s->width)
        add_row(s->sum + (head.kind == DENSE ? i : row[i] - s->first) * s->width, value, s->width);
}

tz_status tz_sums_add(tz_sums *s, const tz_sums_part *part, size_t parts, tz_error *opt_error) {
    if (tz_ranks() == 1) {
        for (size_t p = 0; p < parts; p++)
            for (size_t i = 0; i < part[p].rows; i++)
                add_row(s->sum + (part[p].row ? part[p].row[i] : i) * s->width,
                        part[p].value + i * s->width, s->width);
        return TZ_OK;
    }
    packet *head = malloc(tz_ranks() * sizeof *head);
    if (!head)
        return TZ_NO_MEMORY;
    tz_status status = tz_buffer_reserve(&s->out, measure(s, part, parts, head) + 8, 1);
    if (status == TZ_OK) {
        fill(s, part, parts, head);
        status = tz_ranks_exchange(s->out.data, s->size, &s->in, opt_error);
    }
    free(head);
    for (size_t r = 0; r < tz_ranks() && status == TZ_OK; r++)
        if (s->in.at[r + 1] > s->in.at[r])
            take(s, s->in.data + s->in.at[r]);
    return status;
}

tz_status tz_sums_all(tz_sums *s, double *ret, tz_error *opt_error) {
    size_t mine = (s->last - s->first) * s->width * sizeof *s->sum;
    if (tz_ranks() == 1) {
        memcpy(ret, s->sum, mine);
        return TZ_OK;
    }
    tz_status status = tz_ranks_gather(s->sum, mine, &s->in, opt_error);
    if (status == TZ_OK)
        memcpy(ret, s->in.data, s->in.at[tz_ranks()]);
    return status;
}
