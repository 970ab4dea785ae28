/* state.h - the file from which stopped training goes on.
 *
 * One function lists its contents, for writing and reading alike: tz_state_bytes and the others
 * write what they are given, or read into it. The file is made of:
 *   8 bytes   "TZSTATE\n"
 *   u32       version, TZ_STATE_VERSION
 *   ...       numbers and arrays as they stand in memory
 *   u32       CRC-32 of all before
 * A state can be used only on machines of the same byte order; the version tells.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_STATE_H
#define TZ_SENTENCES_TRAIN_STATE_H

#include "base/replace.h"

enum { TZ_STATE_VERSION = 2 };

/* After the first failure all calls but tz_state_close do nothing. */
typedef struct tz_state {
    const char *path;
    FILE *file;
    tz_replace replace; /* when written */
    bool writes;
    uint32_t crc;
    uint64_t left; /* when read: bytes before the CRC */
    tz_status status;
    tz_error *opt_error;
} tz_state;

/* Opens the file. For reading, the whole file is checked first. TZ_IO, TZ_NO_MEMORY in
 * state->status. */
void tz_state_open(tz_state *state, const char *path, bool writes, tz_error *opt_error);
void tz_state_bytes(tz_state *state, void *bytes, size_t size);
/* Bytes that must be the same when read: TZ_IO if they differ. `what` names them in the message:
 * "the option --rate". */
void tz_state_same(tz_state *state, const void *bytes, size_t size, const char *what);
/* Puts the new file in the old one's place, if nothing failed; ends in any case. */
tz_status tz_state_close(tz_state *state);

#endif
