/* engine_mpi.c - the module over MPI. SPDX-License-Identifier: MIT */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/engine.h"

extern const tz_ranks_engine tz_ranks_module;

static size_t rank, ranks;

/* MPI counts by int: what is larger goes in portions. */
enum { PORTION = 1 << 30 };

static int begin(size_t *ret_rank, size_t *ret_ranks) {
    int mine, all, level;
    /* The calling thread alone speaks to the others; helpers work beside it. */
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, &mine) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &all) != MPI_SUCCESS)
        return 0;
    *ret_rank = rank = (size_t)mine;
    *ret_ranks = ranks = (size_t)all;
    return 1;
}

static void end(void) {
    MPI_Finalize();
}

static void gather(const void *bytes, size_t size, void *ret_all) {
    MPI_Allgather(bytes, (int)size, MPI_BYTE, ret_all, (int)size, MPI_BYTE, MPI_COMM_WORLD);
}

/* Between two ranks, in portions; `at` the next request. */
static size_t post(char *bytes, size_t size, size_t other, int sends, MPI_Request *at) {
    size_t posted = 0;
    for (size_t done = 0; done < size; done += PORTION, posted++) {
        int count = size - done < PORTION ? (int)(size - done) : PORTION;
        if (sends)
            MPI_Isend(bytes + done, count, MPI_BYTE, (int)other, 0, MPI_COMM_WORLD, at + posted);
        else
            MPI_Irecv(bytes + done, count, MPI_BYTE, (int)other, 0, MPI_COMM_WORLD, at + posted);
    }
    return posted;
}

static void exchange(const void *bytes, const size_t *to, void *ret_bytes, const size_t *from) {
    size_t requests = 0;
    for (size_t r = 0; r < ranks; r++)
        requests += 2 + to[r] / PORTION + from[r] / PORTION;
    MPI_Request *request = malloc(requests * sizeof(MPI_Request));
    if (!request)
        MPI_Abort(MPI_COMM_WORLD, 1);
    char *in = ret_bytes, *out = (char *)bytes;
    requests = 0;
    for (size_t r = 0; r < ranks; in += from[r], r++)
        if (r != rank)
            requests += post(in, from[r], r, 0, request + requests);
    in = ret_bytes;
    for (size_t r = 0; r < ranks; out += to[r], in += from[r], r++)
        if (r != rank)
            requests += post(out, to[r], r, 1, request + requests);
        else if (to[r] > 0)
            memcpy(in, out, to[r]);
    MPI_Waitall((int)requests, request, MPI_STATUSES_IGNORE);
    free(request);
}

/* What MPI wants to know of parts behind one another; NULL where it counts too little. */
static int *lay_out(const size_t *size) {
    int *layout = malloc(2 * ranks * sizeof(int)); /* sizes, then places */
    size_t at = 0;
    if (!layout)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t r = 0; r < ranks; r++) {
        layout[r] = (int)(at + size[r] <= INT_MAX ? size[r] : 0);
        layout[ranks + r] = (int)(at <= INT_MAX ? at : 0);
        at += size[r];
    }
    if (at <= INT_MAX)
        return layout;
    free(layout);
    return NULL;
}

static void gather_any(const void *bytes, const size_t *size, void *ret_all) {
    int *layout = lay_out(size);
    if (layout) {
        MPI_Allgatherv(bytes, layout[rank], MPI_BYTE, ret_all, layout, layout + ranks, MPI_BYTE,
                       MPI_COMM_WORLD);
        free(layout);
        return;
    }
    char *at = ret_all;
    for (size_t r = 0; r < ranks; at += size[r], r++) {
        if (r == rank && size[r] > 0)
            memcpy(at, bytes, size[r]);
        for (size_t done = 0; done < size[r]; done += PORTION)
            MPI_Bcast(at + done, size[r] - done < PORTION ? (int)(size[r] - done) : PORTION,
                      MPI_BYTE, (int)r, MPI_COMM_WORLD);
    }
}

static void gather_first(const void *bytes, const size_t *size, void *ret_all) {
    size_t *part = calloc(2 * ranks, sizeof *part); /* to, from */
    if (!part)
        MPI_Abort(MPI_COMM_WORLD, 1);
    part[0] = size[rank];
    if (rank == 0)
        memcpy(part + ranks, size, ranks * sizeof *part);
    exchange(bytes, part, ret_all, part + ranks);
    free(part);
}

const tz_ranks_engine tz_ranks_module = {
    .begin = begin,
    .end = end,
    .gather = gather,
    .gather_any = gather_any,
    .gather_first = gather_first,
    .exchange = exchange,
};
