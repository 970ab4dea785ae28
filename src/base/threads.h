/* threads.h - shares work among threads that the library makes itself. Private.
 *
 * The threads are one pool of the process. They are made when first needed, and wait without taking
 * time. Where the system refuses one, there are fewer; the calling thread always works too, so that
 * nothing fails for want of threads. A process forked from this one begins with an empty pool.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_THREADS_H
#define TZ_BASE_THREADS_H

#include <stddef.h>

/* Calls body(of, i) for i = 0..count-1, each once, by up to `threads` threads at a time: the
 * calling one and others, which take the next i when they are done with one. Returns when all are
 * done; what they wrote is then visible. Any thread may call it, and so may a body. Cost: some
 * microseconds, where threads and count are above 1. */
void tz_parallel(size_t threads, size_t count, void (*body)(void *of, size_t i), void *of);
/* The same. While the calling thread has nothing left to do but others have, it calls wait(of)
 * every few hundredths of a second. */
void tz_parallel_wait(size_t threads, size_t count, void (*body)(void *of, size_t i),
                      void (*wait)(void *of), void *of);

/* In a body: a number below `threads` (or 0, where that is 0) that no other thread of the same call
 * has, of the innermost call where they are nested. Elsewhere 0. */
size_t tz_thread_number(void);

#endif
