/* grow.c - see grow.h. SPDX-License-Identifier: MIT */
#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Asks for large pages, each of which comes into being at once; where there are none, nothing is
 * lost. */
static void prefer_large_pages(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 1 << 12, HUGE = 1 << 22 };
    uintptr_t from = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)memory + bytes) / PAGE * PAGE;
    if (bytes >= HUGE)
        madvise((void *)from, end - from, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

enum { LEAST = 1 << 9 }; /* bytes that it begins with */

bool tz_grow(void **array, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity)
        return true;
    size_t wanted = *capacity <= SIZE_MAX / 2 ? 2 * *capacity : SIZE_MAX;
    if (wanted < LEAST / size)
        wanted = LEAST / size;
    if (wanted < count || wanted > SIZE_MAX / size)
        wanted = count;
    if (wanted > SIZE_MAX / size)
        return false;
    void *larger = realloc(*array, wanted * size);
    if (larger == NULL)
        return false;
    prefer_large_pages(larger, wanted * size);
    *array = larger;
    *capacity = wanted;
    return true;
}

bool tz_grow_zeroed(void **array, size_t *capacity, size_t count, size_t size) {
    size_t old = *capacity;
    if (!tz_grow(array, capacity, count, size))
        return false;
    if (*capacity > old)
        memset((char *)*array + old * size, 0, (*capacity - old) * size);
    return true;
}

bool tz_grow_any(void *array, size_t *capacity, size_t count, size_t size, bool zeroed) {
    void *elements;
    memcpy(&elements, array, sizeof elements);
    bool grown = (zeroed ? tz_grow_zeroed : tz_grow)(&elements, capacity, count, size);
    memcpy(array, &elements, sizeof elements);
    return grown;
}
