/* zlib.h - what reading models asks of zlib, which Debian does not have for WebAssembly.
 *
 * What only writing asks is declared and nowhere defined. SPDX-License-Identifier: MIT */
#ifndef TZ_WEB_ZLIB_H
#define TZ_WEB_ZLIB_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned char Bytef;
typedef unsigned long uLong, uLongf;

enum { Z_OK = 0, Z_DATA_ERROR = -3, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5 };

/* CRC-32 (ISO 3309) of what `crc` is of, then these bytes; of nothing it is 0. */
uLong crc32_z(uLong crc, const Bytef *from, size_t size);
/* A zlib stream (RFC 1950). *size: the room at `to`, then how much was written. Z_DATA_ERROR (it
 * is damaged or cut off), Z_BUF_ERROR (it holds more). */
int uncompress(Bytef *to, uLongf *size, const Bytef *from, uLong from_size);

uLong compressBound(uLong size);
int compress2(Bytef *to, uLongf *size, const Bytef *from, uLong from_size, int level);

#endif
