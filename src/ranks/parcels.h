/* parcels.h - sends things from rank to rank: each is one rank's before, and one rank's after.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_PARCELS_H
#define TZ_RANKS_PARCELS_H

#include "ranks/ranks.h"

/* The number of bytes of thing i: a multiple of 8, 0 where another rank has it. Writes them to
 * opt_at, if given. */
typedef size_t tz_parcel(const void *of, size_t i, unsigned char *opt_at);

/* Zeroed at first. */
typedef struct tz_parcels {
    unsigned char *bytes; /* for rank 0, then for rank 1, ... */
    size_t *size;         /* [tz_ranks()]: of these */
} tz_parcels;

/* Packs those of things 0..count - 1 that this rank has; thing i goes to rank to[i]. Packed things
 * need not be kept. TZ_NO_MEMORY. */
tz_status tz_parcels_pack(tz_parcels *parcels, size_t count, const uint32_t *to, tz_parcel *parcel,
                          const void *of);
/* Sends parcels and frees them. Received things stand one after the other, those of a rank in its
 * order. Errors of ranks.h. */
tz_status tz_parcels_send(tz_parcels *parcels, tz_gathered *ret, tz_error *opt_error);

#endif
