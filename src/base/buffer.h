/* buffer.h - memory that grows and is reused, aligned for any vector. SPDX-License-Identifier: MIT
 */
#ifndef TZ_BASE_BUFFER_H
#define TZ_BASE_BUFFER_H

#include <stddef.h>

#include "trapeze/trapeze.h"

enum { TZ_MAX_ALIGN = 64 };

/* A zeroed buffer is empty. */
typedef struct tz_buffer {
    void *data;
    size_t size; /* bytes */
} tz_buffer;

/* Grows the buffer to at least count * size bytes; its contents are lost. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_buffer_reserve(tz_buffer *buffer, size_t count, size_t size);
/* The same, keeping the contents, at least doubling. */
tz_status tz_buffer_grow(tz_buffer *buffer, size_t count, size_t size);
/* The same; new bytes are 0. */
tz_status tz_buffer_grow_zeroed(tz_buffer *buffer, size_t count, size_t size);
void tz_buffer_free(tz_buffer *buffer);
/* Frees all buffers of a list that ends with NULL. */
void tz_buffers_free(tz_buffer *const *buffers);
#define TZ_FREE_BUFFERS(...) tz_buffers_free((tz_buffer *const[]){__VA_ARGS__, NULL})

#endif
