/* plain.c - see plain.h. SPDX-License-Identifier: MIT */
#include "bench/plain/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* ---- Which ----------------------------------------------------------------------------------- */

#define LIST(form, algebra, isa) plain_list_##form##_##algebra##_##isa
#define DECLARE(isa)                                                                               \
    extern const plain_yardstick *const LIST(0, max, isa)[],                                       \
        *const LIST(1, max, isa)[], *const LIST(2, max, isa)[], *const LIST(0, log, isa)[],        \
                                                                    *const LIST(1, log, isa)[],    \
                                                                        *const LIST(2, log, isa)[]
#define ROW(isa)                                                                                   \
    {                                                                                              \
        {LIST(0, max, isa), LIST(1, max, isa), LIST(2, max, isa)}, {                               \
            LIST(0, log, isa), LIST(1, log, isa), LIST(2, log, isa)                                \
        }                                                                                          \
    }

DECLARE(baseline);
#if defined(__x86_64__)
DECLARE(avx2);
DECLARE(avx512);
#endif

static const plain_yardstick *const *const lists[TZ_ISAS][PLAIN_ALGEBRAS][PLAIN_FORMS] = {
    [TZ_ISA_BASELINE] = ROW(baseline),
#if defined(__x86_64__)
    [TZ_ISA_AVX2] = ROW(avx2),
    [TZ_ISA_AVX512] = ROW(avx512),
#endif
};

static bool runs(tz_isa isa) {
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return isa == TZ_ISA_BASELINE || (isa == TZ_ISA_AVX2 && avx2) ||
           (isa == TZ_ISA_AVX512 && avx512);
#else
    return isa == TZ_ISA_BASELINE;
#endif
}

const plain_yardstick *plain_find(const char *rules, plain_algebra algebra, plain_form form,
                                  tz_isa isa) {
    if (!runs(isa) || lists[isa][algebra][form] == NULL)
        return NULL;
    const plain_yardstick *const *list = lists[isa][algebra][form];
    while (*list != NULL && strcmp((*list)->rules, rules) != 0)
        list++;
    return *list;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A block, and more while it turns out to be too small: the next time it is as large as all. */
struct plain_room {
    char *block;
    size_t size, used;
    struct more {
        struct more *next;
    } * more;
    size_t beyond; /* bytes in more */
};

enum { LINE = 64 };

static void *need(void *memory) {
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

plain_room *plain_room_new(void) {
    return need(calloc(1, sizeof(plain_room)));
}

static void free_more(plain_room *room) {
    while (room->more != NULL) {
        struct more *next = room->more->next;
        free(room->more);
        room->more = next;
    }
    room->beyond = 0;
}

void plain_room_free(plain_room *room) {
    if (room == NULL)
        return;
    free_more(room);
    free(room->block);
    free(room);
}

void *plain_take(plain_room *room, size_t bytes) {
    bytes = (bytes + LINE - 1) / LINE * LINE;
    if (bytes <= room->size - room->used) {
        room->used += bytes;
        return room->block + room->used - bytes;
    }
    struct more *block = need(aligned_alloc(LINE, LINE + bytes));
    block->next = room->more;
    room->more = block;
    room->beyond += bytes;
    return (char *)block + LINE;
}

static void give_back(plain_room *room) {
    if (room->more != NULL) {
        room->size += room->beyond;
        free_more(room);
        free(room->block);
        room->block = need(aligned_alloc(LINE, room->size));
    }
    room->used = 0;
}

/* ---- Solving --------------------------------------------------------------------------------- */

void plain_solve(const plain_yardstick *yardstick, plain_room *room, const plain_problem *problem,
                 plain_answer *answer) {
    give_back(room);
#if defined(__SSE2__)
    /* What is too small for a normal number is zero: a hundred times faster than it is. */
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
#endif
    yardstick->solve(room, problem, answer);
#if defined(__SSE2__)
    _mm_setcsr(before);
#endif
}
