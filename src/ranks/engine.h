/* engine.h - what carries bytes between ranks: a module of its own, loaded only where a launcher
 * has started the program, so that nobody else waits for it.
 *
 * Every function but begin ends the whole job, with a message, where the other ranks cannot be
 * reached. SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_ENGINE_H
#define TZ_RANKS_ENGINE_H

#include <stddef.h>

typedef struct tz_ranks_engine {
    /* Joins the others; false: that failed. */
    int (*begin)(size_t *ret_rank, size_t *ret_ranks);
    void (*end)(void);
    /* The same number of bytes of every rank, in their order. */
    void (*gather)(const void *bytes, size_t size, void *ret_all);
    /* size[r] bytes of rank r, behind one another. */
    void (*gather_any)(const void *bytes, const size_t *size, void *ret_all);
    /* The same to the first rank alone. */
    void (*gather_first)(const void *bytes, const size_t *size, void *ret_all);
    /* to[r] bytes of mine to rank r, from[r] bytes of its; behind one another. */
    void (*exchange)(const void *bytes, const size_t *to, void *ret_bytes, const size_t *from);
} tz_ranks_engine;

/* The one symbol of a module. */
#define TZ_RANKS_SYMBOL "tz_ranks_module"

#endif
