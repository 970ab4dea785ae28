/* ranks.h - processes that work together: those that `mpirun` started, or only this one.
 *
 * Ranks are numbered from 0. All do the same until each has a share of the work; then they exchange
 * data by the few calls here, which all of them make in the same order. With a single rank, every
 * call is at most a copy.
 *
 * A rank that ends early, since its share of the input is wrong or memory is out, tells the others:
 * their calls then fail with its message, so that all end and rank 0 prints it once.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RANKS_RANKS_H
#define TZ_RANKS_RANKS_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Call once, first: joins the other ranks if a launcher has started this process with others. From
 * then on, output of ranks but the first to standard output is lost. TZ_IO: they cannot be reached,
 * or this build has no MPI. */
tz_status tz_ranks_begin(tz_error *opt_error);
/* Call once, last, with this rank's exit code: waits for the others. Rank 0 passes the message of a
 * rank that failed alone to `tell`, and returns the greatest code. The others return 0, since a
 * launcher ends the job as soon as a rank returns another code. */
int tz_ranks_end(int exit, void (*tell)(const char *message));

size_t tz_ranks(void); /* the number of ranks; 1: alone */
size_t tz_rank(void);  /* this rank's number */

/* Should this rank print the message? Ranks but the first only keep their last message for
 * tz_ranks_end, since mostly all have the same. */
bool tz_ranks_says(const char *message);
/* on: from now on every rank prints its own messages, about its share; false ends this. */
void tz_ranks_speak(bool on);

/* ---- Together ------------------------------------------------------------------------------- */

/* The bytes from all ranks: those of rank r are data[at[r]..at[r + 1] - 1]. Zeroed at first; can be
 * reused. */
typedef struct tz_gathered {
    unsigned char *data;
    size_t *at; /* [tz_ranks() + 1] */
    size_t capacity;
} tz_gathered;

void tz_gathered_free(tz_gathered *gathered);

/* Gives all ranks the bytes of all. Errors of this and the next calls: TZ_NO_MEMORY; TZ_IO: another
 * rank has failed, with its message. Parts that are whole multiples of 8 bytes stay aligned to
 * 8. */
tz_status tz_ranks_gather(const void *bytes, size_t size, tz_gathered *gathered,
                          tz_error *opt_error);
/* The same for rank 0 only; the others get nothing. */
tz_status tz_ranks_gather_first(const void *bytes, size_t size, tz_gathered *gathered,
                                tz_error *opt_error);
/* Gives every rank its part: size[r] bytes for rank r, one after the other. */
tz_status tz_ranks_exchange(const void *bytes, const size_t *size, tz_gathered *gathered,
                            tz_error *opt_error);
/* Gives all ranks the sums of number[0..count-1] over ranks. */
tz_status tz_ranks_add(uint64_t *number, size_t count, tz_error *opt_error);
/* Is `mine` true on any rank? */
tz_status tz_ranks_any(bool mine, bool *ret_any, tz_error *opt_error);

/* ---- What it took --------------------------------------------------------------------------- */

typedef struct tz_ranks_use {
    uint64_t calls;  /* exchanges between ranks */
    uint64_t bytes;  /* sent by the rank that sent most */
    uint64_t memory; /* the greatest of the ranks' peaks, in bytes */
    /* Seconds of processor time of the rank that took most: outside of these calls, and in them,
     * waiting included. */
    double busy, calling;
} tz_ranks_use;

/* Gives all ranks the use of all so far. */
tz_status tz_ranks_used(tz_ranks_use *ret_use, tz_error *opt_error);

#endif
