/* threads.h - several threads, in forked processes too. Private. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_THREADS_H
#define TZ_BASE_THREADS_H

#include "trapeze/trapeze.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* The number of the calling thread among those that share its work. */
static inline size_t tz_thread_number(void) {
#ifdef _OPENMP
    return (size_t)omp_get_thread_num();
#else
    return 0;
#endif
}

/* function(of), which may share its work among so many threads of OpenMP. TZ_NO_MEMORY, with a
 * message, also where the system lets no thread begin. */
tz_status tz_with_threads(unsigned threads, tz_status (*function)(void *), void *of,
                          tz_error *opt_error);

#endif
