/* engine.h - the module that carries bytes between ranks. It is loaded only where a launcher has
 * started the program, so that nobody else waits for it.
 *
 * Every function but begin ends the whole job, with a message, where the other ranks cannot be
 * reached. SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_ENGINE_H
#define TZ_RANKS_ENGINE_H

#include <stddef.h>

typedef struct tz_ranks_engine {
    /* Joins the other ranks; false: that failed. */
    int (*begin)(size_t *ret_rank, size_t *ret_ranks);
    void (*end)(void);
    /* Gives all ranks the bytes of every rank, equally many of each, in their order. */
    void (*gather)(const void *bytes, size_t size, void *ret_all);
    /* The same with size[r] bytes of rank r, one after the other. */
    void (*gather_any)(const void *bytes, const size_t *size, void *ret_all);
    /* The same to the first rank alone. */
    void (*gather_first)(const void *bytes, const size_t *size, void *ret_all);
    /* Sends to[r] bytes to rank r and receives from[r] bytes from it, one after the other. */
    void (*exchange)(const void *bytes, const size_t *to, void *ret_bytes, const size_t *from);
} tz_ranks_engine;

/* The one symbol of a module. */
#define TZ_RANKS_SYMBOL "tz_ranks_module"

#endif
