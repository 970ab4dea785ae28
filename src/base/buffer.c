/* buffer.c - see buffer.h. SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static tz_status make(size_t count, size_t size, void **ret_data, size_t *ret_bytes) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - TZ_MAX_ALIGN)
        return TZ_TOO_LARGE;
    bytes = (bytes + TZ_MAX_ALIGN - 1) / TZ_MAX_ALIGN * TZ_MAX_ALIGN;
    *ret_data = aligned_alloc(TZ_MAX_ALIGN, bytes > 0 ? bytes : TZ_MAX_ALIGN);
    *ret_bytes = bytes;
    return *ret_data != NULL ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_buffer_reserve(tz_buffer *buffer, size_t count, size_t size) {
    if (size > 0 && count <= buffer->size / size && buffer->data != NULL)
        return TZ_OK;
    void *data;
    size_t bytes;
    tz_status status = make(count, size, &data, &bytes);
    if (status != TZ_OK)
        return status;
    free(buffer->data);
    *buffer = (tz_buffer){data, bytes};
    return TZ_OK;
}

tz_status tz_buffer_grow(tz_buffer *buffer, size_t count, size_t size) {
    if (size > 0 && count <= buffer->size / size && buffer->data != NULL)
        return TZ_OK;
    size_t doubled = buffer->size / size * 2;
    void *data;
    size_t bytes;
    tz_status status = make(count > doubled ? count : doubled, size, &data, &bytes);
    if (status != TZ_OK)
        return status;
    if (buffer->size > 0)
        memcpy(data, buffer->data, buffer->size);
    free(buffer->data);
    *buffer = (tz_buffer){data, bytes};
    return TZ_OK;
}

tz_status tz_buffer_grow_zeroed(tz_buffer *buffer, size_t count, size_t size) {
    size_t before = buffer->size;
    tz_status status = tz_buffer_grow(buffer, count, size);
    if (status == TZ_OK && buffer->size > before)
        memset((char *)buffer->data + before, 0, buffer->size - before);
    return status;
}

void tz_buffer_free(tz_buffer *buffer) {
    free(buffer->data);
    *buffer = (tz_buffer){0};
}

void tz_buffers_free(tz_buffer *const *buffers) {
    for (; *buffers != NULL; buffers++)
        tz_buffer_free(*buffers);
}
