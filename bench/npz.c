/* npz.c - what do files of arrays cost? `trapeze run` from an uncompressed .npz file to another,
 * 10,000 sentences of real lengths up to 40, beside the library call on the same arrays in memory,
 * and beside libzip alone, which reads the same input and writes the same output. All in turn, in
 * one run; times are of the processor (one thread), so that neither the disk nor others disturb
 * them.
 *
 * Usage: npz [SECONDS [FOLDER]]: for each rule set and semiring (10), and where the files go, some
 * 0.5 GB ($TMPDIR or /tmp). SPDX-License-Identifier: MIT */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zip.h>

#include "base/clock.h"
#include "io/npz/npz_write.h"
#include "measure/lengths.h"
#include "measure/probe.h"
#include "measure/timing.h"

enum { SENTENCES = 10000, LONGEST = 40, SIDE = LONGEST + 1, MEMBERS = 8, NAME = 512 };

extern char **environ;

static void stop(const char *message) __attribute__((noreturn));

static void stop(const char *message) {
    fprintf(stderr, "npz: %s\n", message);
    exit(1);
}

static void need(bool holds, const char *what) {
    if (!holds)
        stop(what);
}

static void *memory(size_t count, size_t size) {
    void *block = calloc(count, size);
    need(block != NULL, "out of memory");
    return block;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* What is asked of the rule set, as options of the command. */
typedef struct task {
    const char *semiring, *precision, *wanted, *descr;
    tz_type type;
} task;

typedef struct sentences {
    const task *task;
    const tz_rules *rules;
    int32_t *length;     /* [SENTENCES] */
    void *arc;           /* [SENTENCES][SIDE][SIDE], float or double */
    tz_scores *scores;   /* [SENTENCES] */
    tz_problem *problem; /* [SENTENCES] */
    double *value;       /* [SENTENCES] the library's answers */
    double *marginal;    /* [SENTENCES][SIDE][SIDE] */
    uint8_t *best;       /* [SENTENCES][SIDE][SIDE] how often each arc is used */
    tz_plan *plan;
    double library, command;                               /* seconds so far */
    char in[NAME + 16], out[NAME + 16], zipped[NAME + 16]; /* files */
} sentences;

static size_t size_of(tz_type type) {
    return type == TZ_FLOAT ? sizeof(float) : sizeof(double);
}

static int32_t *real_lengths(void) {
    int32_t *known, *length = memory(SENTENCES, sizeof *length);
    size_t count;
    tz_error error;
    need(tz_read_lengths(LENGTHS_FILE, &known, &count, &error) == TZ_OK, "no lengths");
    while (count > 0 && known[count - 1] > LONGEST)
        count--;
    need(count > 0, "no lengths");
    tz_pick_lengths(known, count, SENTENCES, 1, length);
    free(known);
    return length;
}

static void make_scores(sentences *s) {
    size_t cells = (size_t)SENTENCES * SIDE * SIDE, size = size_of(s->task->type);
    uint64_t state = 1; /* Knuth's multiplicative generator: any numbers do */
    s->arc = memory(cells, size);
    for (size_t c = 0; c < cells; c++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double score = (double)(state >> 11) * 0x1p-53 * 10 - 5;
        if (s->task->type == TZ_FLOAT)
            ((float *)s->arc)[c] = (float)score;
        else
            ((double *)s->arc)[c] = score;
    }
    for (size_t p = 0; p < SENTENCES; p++) {
        s->scores[p] = (tz_scores){.data = (const char *)s->arc + p * SIDE * SIDE * size,
                                   .type = s->task->type,
                                   .extent = {SIDE, SIDE},
                                   .stride = {SIDE, 1}};
        s->problem[p] = (tz_problem){.lengths = &s->length[p], .scores = &s->scores[p]};
    }
}

static void write_input(const sentences *s) {
    tz_npz_writer *writer;
    tz_error error = {TZ_OK, ""};
    const uint64_t extent[] = {SENTENCES, SIDE, SIDE};
    tz_status status = tz_npz_writer_new(s->in, &writer, &error);
    status = status == TZ_OK ? tz_npz_writer_add(writer, "n", "<i4", 4, 1, extent, &error) : status;
    if (status == TZ_OK) {
        status = tz_npz_writer_add(writer, "arc", s->task->descr, size_of(s->task->type), 3, extent,
                                   &error);
    }
    if (status == TZ_OK)
        status = tz_npz_writer_rows(writer, 0, SENTENCES, s->length, &error);
    if (status == TZ_OK)
        status = tz_npz_writer_rows(writer, 1, SENTENCES, s->arc, &error);
    status = status == TZ_OK ? tz_npz_writer_commit(writer, &error) : status;
    need(status == TZ_OK, error.message);
    tz_npz_writer_free(writer);
}

static void start(sentences *s, const task *task, const char *folder) {
    tz_error error = {TZ_OK, ""};
    *s = (sentences){.task = task,
                     .rules = tz_rules_find("eisner"),
                     .length = real_lengths(),
                     .scores = memory(SENTENCES, sizeof *s->scores),
                     .problem = memory(SENTENCES, sizeof *s->problem),
                     .value = memory(SENTENCES, sizeof *s->value),
                     .marginal = memory((size_t)SENTENCES * SIDE * SIDE, sizeof *s->marginal),
                     .best = memory((size_t)SENTENCES * SIDE, SIDE)};
    snprintf(s->in, sizeof s->in, "%s/in.npz", folder);
    snprintf(s->out, sizeof s->out, "%s/out.npz", folder);
    snprintf(s->zipped, sizeof s->zipped, "%s/zipped.npz", folder);
    make_scores(s);
    write_input(s);
    tz_precision precision = strcmp(task->precision, "f32") == 0 ? TZ_F32 : TZ_F64;
    need(tz_plan_new(s->rules, tz_semiring_find(task->semiring, precision), 0, &s->plan, &error) ==
             TZ_OK,
         error.message);
}

static void end(sentences *s) {
    unlink(s->in);
    unlink(s->out);
    unlink(s->zipped);
    tz_plan_free(s->plan);
    free(s->length);
    free(s->arc);
    free(s->scores);
    free(s->problem);
    free(s->value);
    free(s->marginal);
    free(s->best);
}

/* ---- The library ----------------------------------------------------------------------------- */

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    sentences *s = user;
    size_t first = problem * SIDE * SIDE;
    tz_status status = tz_goal(chart, lane, &s->value[problem]);
    if (status == TZ_OK && strcmp(s->task->wanted, "--marginals") == 0) {
        tz_output output = {.data = s->marginal + first, .stride = {SIDE, 1}};
        return tz_marginals(chart, lane, 0, &output);
    }
    const tz_derivation *derivation;
    status = status == TZ_OK ? tz_best(chart, lane, TZ_GOAL, NULL, &derivation) : status;
    for (size_t u = 0; status == TZ_OK && u < derivation->uses; u++) {
        const int32_t *index = derivation->use[u].index;
        s->best[first + (size_t)(index[0] * SIDE + index[1])] = 1;
    }
    return status;
}

static tz_status call_library(void *user, size_t turn) {
    sentences *s = user;
    (void)turn;
    memset(s->best, 0, (size_t)SENTENCES * SIDE * SIDE);
    tz_run_options options = {.outside = strcmp(s->task->wanted, "--marginals") == 0};
    double before = tz_cpu_seconds();
    tz_status status = tz_run(s->plan, s->problem, SENTENCES, &options, visit, s, NULL);
    s->library += tz_cpu_seconds() - before;
    return status;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Of the processes that have ended. */
static double children_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static tz_status call_command(void *user, size_t turn) {
    sentences *s = user;
    char *arguments[] = {"trapeze",
                         "run",
                         "-r",
                         "eisner",
                         "-s",
                         (char *)s->task->semiring,
                         (char *)s->task->wanted,
                         "--precision",
                         (char *)s->task->precision,
                         "--quiet",
                         "-o",
                         s->out,
                         s->in,
                         NULL};
    pid_t child;
    int status;
    (void)turn;
    if (posix_spawn(&child, TZ_COMMAND, NULL, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0)
        return TZ_IO;
    s->command = children_seconds();
    return TZ_OK;
}

/* ---- libzip ---------------------------------------------------------------------------------- */

/* The members of the command's output, in memory. */
typedef struct zipped {
    const sentences *sentences;
    size_t members;
    char name[MEMBERS][64];
    void *data[MEMBERS];
    size_t size[MEMBERS];
    double bytes;   /* of input and output */
    double seconds; /* so far */
} zipped;

/* Reads member by member, into `z` if it is given. Returns the bytes. */
static size_t read_archive(const char *path, zipped *z) {
    static char buffer[1 << 16];
    size_t bytes = 0;
    zip_t *archive = zip_open(path, ZIP_RDONLY, NULL);
    need(archive != NULL, "libzip cannot open the file");
    for (zip_uint64_t m = 0; m < (zip_uint64_t)zip_get_num_entries(archive, 0); m++) {
        zip_stat_t about;
        zip_file_t *file = zip_fopen_index(archive, m, 0);
        need(file != NULL && zip_stat_index(archive, m, 0, &about) == 0, "no member");
        if (z) {
            need(z->members < MEMBERS, "too many members");
            snprintf(z->name[z->members], sizeof z->name[0], "%s", about.name);
            z->size[z->members] = about.size;
            z->data[z->members] = memory(about.size + 1, 1);
            need(zip_fread(file, z->data[z->members++], about.size) == (zip_int64_t)about.size,
                 "libzip cannot read the file");
        } else {
            for (zip_int64_t got; (got = zip_fread(file, buffer, sizeof buffer)) > 0;)
                bytes += (size_t)got;
        }
        bytes += z ? about.size : 0;
        zip_fclose(file);
    }
    zip_close(archive);
    return bytes;
}

static tz_status call_libzip(void *user, size_t turn) {
    zipped *z = user;
    double before = tz_cpu_seconds();
    (void)turn;
    read_archive(z->sentences->in, NULL);
    zip_t *archive = zip_open(z->sentences->zipped, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    need(archive != NULL, "libzip cannot make a file");
    for (size_t m = 0; m < z->members; m++) {
        zip_source_t *source = zip_source_buffer(archive, z->data[m], z->size[m], 0);
        zip_int64_t index =
            source ? zip_file_add(archive, z->name[m], source, ZIP_FL_ENC_UTF_8) : -1;
        need(index >= 0 &&
                 zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0,
             "libzip cannot add a member");
    }
    tz_status status = zip_close(archive) == 0 ? TZ_OK : TZ_IO;
    z->seconds += tz_cpu_seconds() - before;
    return status;
}

/* ---- The comparison -------------------------------------------------------------------------- */

/* The command's answers are the library's. */
static void check(const sentences *s, const zipped *z) {
    bool marginals = strcmp(s->task->wanted, "--marginals") == 0, found = false;
    const void *right = marginals ? (const void *)s->marginal : s->best;
    size_t size = (size_t)SENTENCES * SIDE * SIDE * (marginals ? sizeof(double) : 1);
    for (size_t m = 0; m < z->members; m++) {
        if (strcmp(z->name[m], marginals ? "marginals.arc.npy" : "best.arc.npy") == 0) {
            found = true;
            need(z->size[m] > size &&
                     memcmp((const char *)z->data[m] + z->size[m] - size, right, size) == 0,
                 "the command's answers are not the library's");
        }
    }
    need(found, "the command's output lacks what was asked for");
}

static double middle(const tz_timings *t, int job) {
    return 1000 * tz_difference(t, job, -1).median;
}

static void compare(const task *task, double budget, const char *folder) {
    enum { LIBRARY, LIBZIP, COMMAND, JOBS };
    sentences s;
    start(&s, task, folder);
    need(call_library(&s, 0) == TZ_OK && call_command(&s, 0) == TZ_OK, "no answers");
    zipped z = {.sentences = &s};
    z.bytes = (double)read_archive(s.out, &z) + (double)read_archive(s.in, NULL);
    check(&s, &z);
    const tz_job job[JOBS] = {
        [LIBRARY] = {call_library, &s, &s.library},
        [LIBZIP] = {call_libzip, &z, &z.seconds},
        [COMMAND] = {call_command, &s, &s.command},
    };
    tz_timings t;
    need(tz_time(job, JOBS, budget, &t) == TZ_OK, "a job failed");
    double *factor = memory(t.samples, sizeof *factor);
    for (size_t i = 0; i < t.samples; i++) {
        const double *seconds = t.seconds + i * JOBS;
        factor[i] = (seconds[COMMAND] - seconds[LIBRARY]) / seconds[LIBZIP];
    }
    tz_middle m = tz_middle_of(factor, t.samples);
    printf("\neisner x %s %s, %s: %.0f MB in and out, %zu samples\n", task->semiring, task->wanted,
           task->precision, z.bytes / 1e6, t.samples);
    printf("    library %.0f ms, libzip %.0f ms, trapeze run %.0f ms\n", middle(&t, LIBRARY),
           middle(&t, LIBZIP), middle(&t, COMMAND));
    printf("%-60s %8.2f +- %-5.2f x    <= 1.5    %s\n", "(trapeze run - library) / libzip",
           m.median, m.spread, m.median <= 1.5 ? "yes" : "NO");
    for (size_t i = 0; i < z.members; i++)
        free(z.data[i]);
    free(factor);
    tz_timings_free(&t);
    end(&s);
}

int main(int argc, char **argv) {
    static const task tasks[] = {
        {"max", "f32", "--best", "<f4", TZ_FLOAT},
        {"log", "f64", "--marginals", "<f8", TZ_DOUBLE},
    };
    double budget = argc > 1 ? strtod(argv[1], NULL) : 10;
    const char *folder = argc > 2 ? argv[2] : getenv("TMPDIR");
    char cpu[128], own[NAME];
    if (!(budget > 0)) {
        fprintf(stderr, "Usage: npz [SECONDS [FOLDER]]\n");
        return 2;
    }
    snprintf(own, sizeof own, "%.400s/trapeze-npz-XXXXXX", folder ? folder : "/tmp");
    need(mkdtemp(own) != NULL, "cannot make a folder for the files");
    tz_cpu_name(cpu, sizeof cpu);
    printf("trapeze %s, %s, %d sentences of up to %d words; medians, +- half the quartiles' "
           "distance\n",
           tz_version(), cpu, SENTENCES, LONGEST);
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
        compare(&tasks[t], budget, own);
    rmdir(own);
    return 0;
}
