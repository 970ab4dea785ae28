/* oom.h - failing the 1st, 2nd, 3rd, ... allocation until the call succeeds.
 *
 * The test executable is linked with --wrap for malloc, calloc, realloc, aligned_alloc and free
 * (oom.c), so every allocation of the static library, the command and the test passes through here;
 * those that libc makes for itself do not. Let no library free a block of ours: it would count as
 * live until its address comes back. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_OOM_H
#define TZ_TESTS_SUPPORT_OOM_H

#include <stdbool.h>
#include <stddef.h>

/* Calls attempt(user) with the first allocation failing, then the second, and so on, until none is
 * reached; then all of it again with every allocation failing from the first, the second, ... on.
 * A disturbed attempt must return `failure`, or 0 as well where it may recover from a single one;
 * an undisturbed one 0; and every attempt must free what it allocated. Anything else fails the
 * running cmocka test. Returns how many allocations an undisturbed attempt makes. */
size_t oom_sweep(const char *what, int (*attempt)(void *user), void *user, int failure,
                 bool may_recover);

/* Blocks allocated and not yet freed. */
size_t oom_live(void);
/* Allocations made so far, failed ones included. */
size_t oom_count(void);

#endif
