/* parcels.c - see parcels.h. SPDX-License-Identifier: MIT */
#include "ranks/parcels.h"

#include <stdlib.h>

static void empty(tz_parcels *parcels) {
    free(parcels->bytes);
    free(parcels->size);
    *parcels = (tz_parcels){0};
}

tz_status tz_parcels_pack(tz_parcels *parcels, size_t count, const uint32_t *to, tz_parcel *parcel,
                          const void *of) {
    const size_t ranks = tz_ranks();
    size_t all = 0, *at = calloc(ranks, sizeof *at);
    parcels->size = calloc(ranks, sizeof *parcels->size);
    for (size_t i = 0; i < count && parcels->size; i++)
        parcels->size[to[i]] += parcel(of, i, NULL);
    for (size_t r = 0; r < ranks && at && parcels->size; all += parcels->size[r++])
        at[r] = all;
    parcels->bytes = at && parcels->size ? malloc(all + 8) : NULL;
    for (size_t i = 0; i < count && parcels->bytes; i++)
        at[to[i]] += parcel(of, i, parcels->bytes + at[to[i]]);
    free(at);
    if (parcels->bytes)
        return TZ_OK;
    empty(parcels);
    return TZ_NO_MEMORY;
}

tz_status tz_parcels_send(tz_parcels *parcels, tz_gathered *ret, tz_error *opt_error) {
    tz_status status = tz_ranks_exchange(parcels->bytes, parcels->size, ret, opt_error);
    empty(parcels);
    return status;
}
