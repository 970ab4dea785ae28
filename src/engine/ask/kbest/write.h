/* write.h - writes derivations out. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_WRITE_H
#define TZ_ENGINE_ASK_KBEST_WRITE_H

#include "engine/ask/kbest/ranked.h"

/* Writes the derivation of a rank, 0 or among list->best, into kbest->written. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_ranked_write(tz_kbest *kbest, tz_ranked *list, uint32_t rank);
/* Gives the premises of a traced list's best instance their parts of the run. TZ_NO_MEMORY. */
tz_status tz_subtree_share(tz_kbest *kbest, tz_ranked *list, const tz_hyperedge *edge);

#endif
