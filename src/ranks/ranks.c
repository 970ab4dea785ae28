/* ranks.c - see ranks.h. Each call begins with a heading of every rank: what it is about to do,
 * and how much of it. SPDX-License-Identifier: MIT */
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/grow.h"
#include "ranks/engine.h"

/* As the build says: where the module is installed; or not defined, in a build without MPI. */
#ifdef TZ_RANKS_FOLDER
#define MODULE "trapeze-mpi.so"
#endif

enum { SAID = sizeof(((tz_error *)NULL)->message) };

static struct {
    const tz_ranks_engine *engine; /* NULL: alone */
    size_t rank, ranks;
    bool speaks;
    char said[SAID];    /* by this rank, last */
    bool broken;        /* a rank has left: there is nobody to talk to any more */
    int others;         /* the greatest exit code of those that left; */
    char message[SAID]; /* what the first of them had to say */
    uint64_t calls, bytes;
    double calling; /* seconds of processor time */
} team = {.ranks = 1};

typedef enum kind { GATHER, GATHER_FIRST, EXCHANGE, LEAVE } kind;

typedef struct heading {
    uint64_t kind, size;
} heading;

typedef struct farewell {
    int32_t exit;
    char message[SAID];
} farewell;

static double processor_seconds(void) {
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0
               ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
               : 0;
}

size_t tz_ranks(void) {
    return team.ranks;
}

size_t tz_rank(void) {
    return team.rank;
}

bool tz_ranks_says(const char *message) {
    snprintf(team.said, sizeof team.said, "%s", message);
    return team.rank == 0 || team.speaks;
}

void tz_ranks_speak(bool on) {
    team.speaks = on;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* Has a launcher started this process together with others? */
static bool launched(void) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const char *size = getenv(sizes[s]);
        if (size)
            return atol(size) > 1;
    }
    return getenv("PMIX_RANK") != NULL;
}

#ifdef MODULE
static void *load(const char *folder, const char *name) {
    char path[4096];
    int size = snprintf(path, sizeof path, "%s%s", folder, name);
    /* MPI loads modules of its own, which look for its symbols. */
    return size < (int)sizeof path && access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL)
                                                              : NULL;
}

/* Beside the program, as in a build tree; below its prefix; or where it was to be installed. */
static void *open_module(void) {
    char own[4096];
    ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    own[size > 0 ? size : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        slash[1] = '\0';
    void *module = slash ? load(own, MODULE) : NULL;
    return module ? module : load(TZ_RANKS_FOLDER "/", MODULE);
}

static tz_status join(tz_error *opt_error) {
    void *module = open_module();
    const tz_ranks_engine *engine = module ? dlsym(module, TZ_RANKS_SYMBOL) : NULL;
    if (!engine) {
        const char *why = dlerror();
        return tz_fail(opt_error, TZ_IO, "cannot load " MODULE ", which speaks MPI: %s",
                       why ? why : "it is neither beside the program nor in " TZ_RANKS_FOLDER);
    }
    if (!engine->begin(&team.rank, &team.ranks))
        return tz_fail(opt_error, TZ_IO, "MPI does not start");
    team.engine = engine;
    if (team.rank > 0 && !freopen("/dev/null", "w", stdout))
        return tz_fail(opt_error, TZ_IO, "/dev/null: cannot be opened");
    return TZ_OK;
}
#else
static tz_status join(tz_error *opt_error) {
    return tz_fail(opt_error, TZ_IO,
                   "started together with others, but this build knows no MPI; configure it with "
                   "-Dmpi=enabled, or start one process");
}
#endif

tz_status tz_ranks_begin(tz_error *opt_error) {
    return launched() ? join(opt_error) : TZ_OK;
}

/* Those that leave say why; to be called by all. */
static void hear_farewells(const heading *heading, const farewell *mine) {
    farewell *all = calloc(team.ranks, sizeof *all);
    farewell instead = {.exit = 1, .message = "out of memory"};
    if (!all) {
        fprintf(stderr, "trapeze: %s\n", instead.message);
        abort(); /* which ends the job */
    }
    team.engine->gather(mine, sizeof *mine, all);
    team.broken = true;
    for (size_t r = team.ranks; r-- > 0;) {
        if (heading[r].kind != LEAVE || all[r].exit == 0)
            continue;
        team.others = all[r].exit > team.others ? all[r].exit : team.others;
        memcpy(team.message, all[r].message, sizeof team.message);
    }
    free(all);
}

int tz_ranks_end(int exit, void (*tell)(const char *message)) {
    if (!team.engine)
        return exit;
    if (!team.broken) {
        heading mine = {LEAVE, 0}, *all = calloc(team.ranks, sizeof *all);
        farewell farewell = {.exit = exit};
        memcpy(farewell.message, team.said, sizeof farewell.message);
        if (!all)
            abort();
        team.engine->gather(&mine, sizeof mine, all);
        hear_farewells(all, &farewell);
        free(all);
        if (exit == 0 && team.others > 0 && team.rank == 0 && team.message[0])
            tell(team.message);
    }
    team.engine->end();
    if (team.rank > 0)
        return 0;
    return exit > team.others ? exit : team.others;
}

/* ---- Together -------------------------------------------------------------------------------- */

void tz_gathered_free(tz_gathered *gathered) {
    free(gathered->data);
    free(gathered->at);
    *gathered = (tz_gathered){0};
}

static tz_status left(tz_error *opt_error) {
    return tz_fail(opt_error, TZ_IO, "%s", team.message[0] ? team.message : "a rank has ended");
}

/* What all are about to do: the same, or *ret_all is freed. */
static tz_status head(kind kind, size_t size, heading **ret_all, tz_error *opt_error) {
    heading mine = {kind, size}, *all = calloc(team.ranks, sizeof *all);
    *ret_all = NULL;
    if (team.broken || !all) {
        free(all);
        return team.broken ? left(opt_error) : TZ_NO_MEMORY;
    }
    double begun = processor_seconds();
    team.engine->gather(&mine, sizeof mine, all);
    team.calling += processor_seconds() - begun;
    bool leave = false;
    for (size_t r = 0; r < team.ranks; r++)
        leave |= all[r].kind == LEAVE;
    if (leave) {
        static const farewell none;
        hear_farewells(all, &none);
        free(all);
        return left(opt_error);
    }
    team.calls++;
    *ret_all = all;
    return TZ_OK;
}

/* Room for size[r] bytes of each rank. */
static bool reserve(tz_gathered *g, const size_t *size) {
    void *data = g->data;
    if (!g->at && !(g->at = calloc(team.ranks + 1, sizeof *g->at)))
        return false;
    for (size_t r = 0; r < team.ranks; r++)
        if (__builtin_add_overflow(g->at[r], size[r], &g->at[r + 1]))
            return false;
    bool grown = tz_grow(&data, &g->capacity, g->at[team.ranks] + 1, 1);
    g->data = data;
    return grown;
}

static tz_status alone(const void *bytes, size_t size, tz_gathered *g) {
    if (!reserve(g, &size))
        return TZ_NO_MEMORY;
    if (size > 0)
        memcpy(g->data, bytes, size);
    return TZ_OK;
}

/* A rank that has no room cannot leave here, where the others wait for it. */
static void must(bool room) {
    if (!room) {
        fputs("trapeze: out of memory for what the other ranks have to tell\n", stderr);
        abort();
    }
}

static tz_status gather(kind kind, const void *bytes, size_t size, tz_gathered *g,
                        tz_error *opt_error) {
    heading *all;
    if (!team.engine)
        return alone(bytes, size, g);
    tz_status status = head(kind, size, &all, opt_error);
    if (status != TZ_OK)
        return status;
    size_t *sizes = malloc(team.ranks * sizeof *sizes);
    must(sizes != NULL);
    bool to_me = kind == GATHER || team.rank == 0;
    for (size_t r = 0; r < team.ranks; r++)
        sizes[r] = to_me || r == team.rank ? (size_t)all[r].size : 0;
    static const unsigned char nothing[1];
    bytes = bytes ? bytes : nothing;
    must(reserve(g, sizes));
    double begun = processor_seconds();
    if (kind == GATHER)
        team.engine->gather_any(bytes, sizes, g->data);
    else
        team.engine->gather_first(bytes, sizes, g->data);
    team.calling += processor_seconds() - begun;
    team.bytes += size;
    free(sizes);
    free(all);
    return TZ_OK;
}

tz_status tz_ranks_gather(const void *bytes, size_t size, tz_gathered *g, tz_error *opt_error) {
    return gather(GATHER, bytes, size, g, opt_error);
}

tz_status tz_ranks_gather_first(const void *bytes, size_t size, tz_gathered *g,
                                tz_error *opt_error) {
    return gather(GATHER_FIRST, bytes, size, g, opt_error);
}

tz_status tz_ranks_exchange(const void *bytes, const size_t *size, tz_gathered *g,
                            tz_error *opt_error) {
    heading *all;
    if (!team.engine)
        return alone(bytes, size[0], g);
    tz_status status = head(EXCHANGE, 0, &all, opt_error);
    if (status != TZ_OK)
        return status;
    free(all);
    size_t *sizes = malloc((team.ranks + 1) * team.ranks * sizeof *sizes), *from = sizes;
    must(sizes != NULL);
    size_t *table = sizes + team.ranks;
    double begun = processor_seconds();
    team.engine->gather(size, team.ranks * sizeof *size, table);
    for (size_t r = 0; r < team.ranks; r++) {
        from[r] = table[r * team.ranks + team.rank];
        team.bytes += r != team.rank ? size[r] : 0;
    }
    must(reserve(g, from));
    team.engine->exchange(bytes, size, g->data, from);
    team.calling += processor_seconds() - begun;
    free(sizes);
    return TZ_OK;
}

tz_status tz_ranks_add(uint64_t *number, size_t count, tz_error *opt_error) {
    tz_gathered all = {0};
    if (!team.engine)
        return TZ_OK;
    tz_status status = tz_ranks_gather(number, count * sizeof *number, &all, opt_error);
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        number[i] = 0;
        for (size_t r = 0; r < team.ranks; r++)
            number[i] += ((const uint64_t *)(const void *)all.data)[r * count + i];
    }
    tz_gathered_free(&all);
    return status;
}

tz_status tz_ranks_any(bool mine, bool *ret_any, tz_error *opt_error) {
    uint64_t number = mine;
    tz_status status = tz_ranks_add(&number, 1, opt_error);
    *ret_any = number > 0;
    return status;
}

/* ---- What it took ---------------------------------------------------------------------------- */

tz_status tz_ranks_used(tz_ranks_use *ret_use, tz_error *opt_error) {
    tz_gathered all = {0};
    struct rusage usage;
    tz_ranks_use most = {.calls = team.calls, .bytes = team.bytes, .calling = team.calling};
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        most.memory = (uint64_t)usage.ru_maxrss * 1024;
        most.busy = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                    1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) - team.calling;
    }
    tz_status status = tz_ranks_gather(&most, sizeof most, &all, opt_error);
    for (size_t r = 0; r < team.ranks && status == TZ_OK; r++) {
        const tz_ranks_use *use = (const tz_ranks_use *)(const void *)all.data + r;
        most.bytes = use->bytes > most.bytes ? use->bytes : most.bytes;
        most.memory = use->memory > most.memory ? use->memory : most.memory;
        most.busy = use->busy > most.busy ? use->busy : most.busy;
        most.calling = use->calling > most.calling ? use->calling : most.calling;
    }
    *ret_use = most;
    tz_gathered_free(&all);
    return status;
}
