/* ranks.h - processes that work together: those that `mpirun` started, or this one alone.
 *
 * Ranks are numbered from 0. All do the same until they come to where each has a share; what they
 * then have to tell each other goes through the few calls here, which all of them make in the same
 * order. Alone, every call is a copy at most.
 *
 * A rank that ends early, since its share of the input is wrong or memory is out, says so: calls
 * of the others then fail with its message, so that all come to an end and rank 0 tells it, once.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_RANKS_H
#define TZ_RANKS_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Once, at first: joins the others, where a launcher has started this process with others; what
 * ranks but the first write to standard output is lost from then on. TZ_IO: they cannot be reached,
 * or this build has no MPI. */
tz_status tz_ranks_begin(tz_error *opt_error);
/* Once, at last, with this rank's exit code: waits for the others. Rank 0 tells what one that
 * failed alone had to say, by `tell`, and returns the greatest of the codes; the others return 0,
 * since a launcher would end the job as soon as one does not. */
int tz_ranks_end(int exit, void (*tell)(const char *message));

size_t tz_ranks(void); /* how many; 1: alone */
size_t tz_rank(void);  /* which one this is */

/* What ranks but the first have to say is kept for tz_ranks_end, the last of it, since mostly all
 * have the same to say. True: it is to be printed. */
bool tz_ranks_says(const char *message);
/* From now on every rank speaks for itself, of its share; or no more. */
void tz_ranks_speak(bool on);

/* ---- Together ------------------------------------------------------------------------------- */

/* What the ranks gave: rank r data[at[r]..at[r + 1]]. Zeroed at first; used again and again. */
typedef struct tz_gathered {
    unsigned char *data;
    size_t *at; /* [tz_ranks() + 1] */
    size_t capacity;
} tz_gathered;

void tz_gathered_free(tz_gathered *gathered);

/* The bytes of all ranks, to all. The calls here: TZ_NO_MEMORY; TZ_IO: another rank has failed,
 * with its message. Parts that are whole multiples of 8 bytes stay aligned to that. */
tz_status tz_ranks_gather(const void *bytes, size_t size, tz_gathered *gathered,
                          tz_error *opt_error);
/* To rank 0; the others get nothing. */
tz_status tz_ranks_gather_first(const void *bytes, size_t size, tz_gathered *gathered,
                                tz_error *opt_error);
/* To every rank its part: size[r] bytes for rank r, behind one another. */
tz_status tz_ranks_exchange(const void *bytes, const size_t *size, tz_gathered *gathered,
                            tz_error *opt_error);
/* The sum over ranks of whole numbers; likewise. */
tz_status tz_ranks_add(uint64_t *number, size_t count, tz_error *opt_error);
/* Has any? */
tz_status tz_ranks_any(bool mine, bool *ret_any, tz_error *opt_error);

/* ---- What it took --------------------------------------------------------------------------- */

typedef struct tz_ranks_use {
    uint64_t calls;  /* in which the ranks told each other something */
    uint64_t bytes;  /* that a rank sent, the one that sent most */
    uint64_t memory; /* of a rank at its most, in bytes, where it was most */
    /* Seconds of processor time, of the rank that took most: outside of these calls, and in them,
     * where waiting takes time, too. */
    double busy, calling;
} tz_ranks_use;

/* Of all ranks so far, to all. */
tz_status tz_ranks_used(tz_ranks_use *ret_use, tz_error *opt_error);

#endif
