/* parcels.h - things that change hands: each is one rank's before, and one rank's after.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_PARCELS_H
#define TZ_RANKS_PARCELS_H

#include "ranks/ranks.h"

/* The bytes that tell thing i: a multiple of 8, 0 where another rank has it. Written to opt_at,
 * where it is given. */
typedef size_t tz_parcel(const void *of, size_t i, unsigned char *opt_at);

/* Zeroed at first. */
typedef struct tz_parcels {
    unsigned char *bytes; /* for rank 0, then for rank 1, ... */
    size_t *size;         /* [tz_ranks()]: of these */
} tz_parcels;

/* What this rank has of things 0..count - 1, of which thing i goes to rank to[i]. What is packed
 * need not be kept. TZ_NO_MEMORY. */
tz_status tz_parcels_pack(tz_parcels *parcels, size_t count, const uint32_t *to, tz_parcel *parcel,
                          const void *of);
/* Sends them, and frees them; what comes is behind one another, that of a rank in its order. Errors
 * of ranks.h. */
tz_status tz_parcels_send(tz_parcels *parcels, tz_gathered *ret, tz_error *opt_error);

#endif
