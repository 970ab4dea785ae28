/* grow.h - arrays that grow. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_GROW_H
#define TZ_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `count` elements of `size` bytes, at least doubling; false when memory is out or
 * the size does not fit (nothing changed). */
bool tz_grow(void **array, size_t *capacity, size_t count, size_t size);
/* The same; new elements are zeroed. */
bool tz_grow_zeroed(void **array, size_t *capacity, size_t count, size_t size);
/* The same for an array of any type; `array` points to the pointer to it. */
bool tz_grow_any(void *array, size_t *capacity, size_t count, size_t size, bool zeroed);
#define TZ_GROW(array, capacity, count)                                                            \
    tz_grow_any(&(array), capacity, count, sizeof *(array), false)
#define TZ_GROW_ZEROED(array, capacity, count)                                                     \
    tz_grow_any(&(array), capacity, count, sizeof *(array), true)

#endif
