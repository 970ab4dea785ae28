/* run.h - the parts of `trapeze run`: run_options.c reads the command line, run.c makes the plan,
 * run_json.c and run_npz.c read problems, run_batch.c solves them a batch at a time.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RUN_H
#define TZ_CLI_RUN_H

#include <stdatomic.h>
#include <stdio.h>

#include "cli/cli.h"
#include "io/json_problem.h"
#include "io/json_result.h"
#include "io/npz_result.h"

#define TZ_RUN "trapeze run"

typedef struct tz_run_settings {
    const char *rules, *semiring, *file, *output;
    tz_wanted wanted;
    tz_precision precision;
    bool force, keep_going, quiet;
    long batch; /* 0: as many as suit the input */
    long threads;
} tz_run_settings;

typedef enum tz_slot_state { TZ_SLOT_EMPTY, TZ_SLOT_READ, TZ_SLOT_DONE } tz_slot_state;

/* One problem of the batch. */
typedef struct tz_slot {
    tz_slot_state state;
    uint64_t place; /* number of its line or row */
    tz_json_problem input;
    tz_json_scratch scratch;
    tz_text text; /* of the result, when it is DONE */
} tz_slot;

typedef struct tz_progress {
    bool shown;
    double start, last;
    atomic_size_t solved;
    atomic_flag busy;
} tz_progress;

typedef struct tz_runner {
    tz_run_settings set;
    const char *name; /* of the input */
    const char *unit; /* what its places count: "" lines, " row " rows */
    tz_rules *rules;
    const tz_semiring *semiring;
    tz_plan *plan;
    tz_npz_output *output; /* NULL: JSON Lines to standard output */
    tz_slot *slots;
    size_t room;          /* of slots */
    tz_problem *problems; /* of a batch, to be solved together */
    size_t *slot_of;      /* [problem] */
    size_t failed;
    bool ended;   /* nothing more is to be read */
    bool stopped; /* because of `error` */
    tz_error error;
    tz_progress progress;
} tz_runner;

/* ---- run_options.c ------------------------------------------------------------------------- */

/* false: the command is to end with *ret_status, after a message or an answer to --help. */
bool tz_run_read_options(int argc, char **argv, tz_run_settings *ret_settings, int *ret_status);
/* The semiring that the settings name. 0, or the exit code after a message. */
int tz_run_open_semiring(const tz_run_settings *settings, const tz_semiring **ret_semiring);

/* ---- run_batch.c --------------------------------------------------------------------------- */

void tz_progress_start(tz_progress *progress);
/* Room for `batch` problems at a time. false: out of memory, after a message. */
bool tz_runner_reserve(tz_runner *r, size_t batch);
void tz_runner_free(tz_runner *r);
/* FILE:LINE: or FILE: row ROW: in front of the message. */
void tz_runner_locate(const tz_runner *r, const tz_slot *slot, tz_error *error);
/* The slot cannot be answered: by an error in its place, or by ending the run there. The message
 * already says where. */
void tz_runner_fail(tz_runner *r, tz_slot *slot, const tz_error *error);
/* Ends the run. */
void tz_runner_stop(tz_runner *r, const tz_error *error);
/* Answers `count` slots. Returns how many are to be printed: all, or those before the one that ends
 * the run. */
size_t tz_runner_solve(tz_runner *r, size_t count);
/* The first `count` results, in order. 0, or TZ_EXIT_INPUT after a message. */
int tz_runner_print(tz_runner *r, size_t count);

/* ---- run_json.c, run_npz.c ----------------------------------------------------------------- */

/* Reads, solves and prints all of the file. 0, or TZ_EXIT_INPUT after a message, or with `stopped`
 * or `failed` set, for which there is none yet. tz_run_npz closes the file, tz_run_json does not.
 */
int tz_run_json(tz_runner *r, FILE *file);
int tz_run_npz(tz_runner *r, FILE *file);

#endif
