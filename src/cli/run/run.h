/* run.h - the parts of `trapeze run`: run_options.c reads the command line, run.c makes the plan,
 * run_semiring.c its semiring, run_items.c the items asked for; run_json.c and run_npz.c read
 * problems, run_batch.c solves them a batch at a time, run_answer.c and run_limit.c write their
 * answers; run_problem.c, run_facts.c and run_progress.c serve these.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RUN_RUN_H
#define TZ_CLI_RUN_RUN_H

#include <stdatomic.h>
#include <stdio.h>

#include "cli/cli.h"
#include "io/json/json_problem.h"
#include "io/json/json_result.h"
#include "io/npz/npz_result.h"
#include "ranks/rounds.h"

#define TZ_RUN "trapeze run"

/* --keep, --drop, --rate */
typedef enum tz_run_bound { TZ_RUN_FREE, TZ_RUN_KEEP, TZ_RUN_DROP, TZ_RUN_RATE } tz_run_bound;

enum { TZ_RATE_UNIT = 1000000000 };

typedef struct tz_run_bounds {
    tz_run_bound kind;
    long amount;
    int64_t lowest_rate, highest_rate; /* in units of 1e-9, so that shares are exact */
} tz_run_bounds;

typedef struct tz_run_settings {
    const char *rules, *semiring, *file, *output;
    const char *items; /* names, between commas */
    tz_questions questions;
    tz_precision precision;
    unsigned flags;                   /* of tz_plan_new */
    bool keep_going, quiet, progress; /* progress: on the terminal */
    long batch;                       /* 0: as many as suit the input */
    long threads;
    long amount; /* -1: not given */
    tz_run_bounds bounds;
} tz_run_settings;

/* The part of the answers that one run writes: under resource(NAME,D,..) with --amount, two runs
 * take turns. */
typedef enum tz_run_part { TZ_RUN_ALL, TZ_RUN_VALUES, TZ_RUN_ASKED } tz_run_part;

typedef enum tz_slot_state { TZ_SLOT_EMPTY, TZ_SLOT_READ, TZ_SLOT_DONE } tz_slot_state;

/* One problem of the batch. */
typedef struct tz_slot {
    tz_slot_state state;
    uint64_t place; /* number of its line or row */
    tz_json_problem input;
    tz_json_scratch scratch;
    tz_text text;    /* of the result, when it is DONE */
    bool required;   /* some fact is required; the semiring alone cannot obey it */
    tz_fact *facts;  /* required facts as forbidden cells, without lists of values; or NULL */
    bool impossible; /* no derivation agrees with the required facts */
    double log_q;    /* log partition function of q's scores */
    tz_error why;    /* it cannot be answered; no message: there is nothing to say */
} tz_slot;

typedef struct tz_progress {
    bool shown;
    double start, last;
    atomic_size_t solved;
    atomic_flag busy;
} tz_progress;

typedef struct tz_runner tz_runner;

/* Writes the answers of slots. A slot gets its value first; its lengths are those of the bound
 * rules. */
typedef struct tz_run_format {
    /* The value of a lane, or its values at all amounts; *ret_none: there is no derivation. */
    tz_status (*value)(tz_runner *r, tz_slot *slot, const int32_t *lengths, tz_chart *chart,
                       size_t lane, bool *ret_none);
    /* All other answers; the end of the slot's result. */
    tz_status (*asked)(tz_runner *r, tz_slot *slot, const int32_t *lengths,
                       const tz_asking *asking);
    tz_status (*end)(tz_slot *slot);
    /* Under limits, instead of these: value and best derivation; NULL: there is none. */
    tz_status (*limited)(tz_runner *r, tz_slot *slot, const tz_limited *opt_limited);
    /* Written in place of an answer. */
    tz_status (*failure)(tz_runner *r, tz_slot *slot, const char *message);
    const char *failed; /* how a failure shows; */
    bool mute;          /* its message does not */
    /* Prints the first `count` answers, in order. Returns 0, or TZ_EXIT_INPUT after a message. */
    int (*print)(tz_runner *r, size_t count);
} tz_run_format;
extern const tz_run_format tz_run_lines, tz_run_arrays;

struct tz_runner {
    tz_run_settings set;
    const char *name; /* of the input */
    const char *unit; /* the unit of its places: "" lines, " row " rows */
    tz_rules *rules;
    tz_semiring *semiring;
    size_t *item;        /* of set.questions */
    tz_rules *charged;   /* under resource(NAME,D,..), the rules that are run; else NULL */
    bool exactly;        /* exactly D of it: one value, not one for each amount */
    int rest;            /* of this resource, of which the charged one is the rest; -1: of that */
    tz_cells goal;       /* the charged goal, at any index; */
    tz_fact no_goal;     /* forbids it, where the rest would be below 0 */
    size_t limit_length; /* D is this length, if it is one; */
    long limit;          /* else this number */
    tz_plan *plan;
    tz_charts *charts;              /* of the plan, from batch to batch; NULL: none yet */
    bool gives_structures;          /* asks for probabilities of structures */
    tz_semiring *required_semiring; /* made when the first problem needs it, */
    tz_plan *required;              /* and its plan */
    tz_semiring *decoder_semiring;  /* under --min-risk, */
    tz_plan *decoder;
    tz_chart **decoder_chart;     /* [threads] */
    tz_semiring *q_semiring[2];   /* where q's scores are given: log, and for problems that take the
                                     plan for required facts required(log); made when needed, */
    tz_plan *q[2];                /* and their plans */
    tz_limiter *limiter;          /* under --keep, --drop or --rate, instead of the plan's runs; */
    tz_limit_chart **limit_chart; /* [threads] */
    const tz_run_format *format;
    tz_npz_output *output; /* of tz_run_arrays */
    tz_slot *slots;
    size_t room;          /* of slots */
    tz_problem *problems; /* of a batch, to be solved together */
    int32_t *lengths;     /* [problem][lengths of charged rules] */
    size_t *slot_of;      /* [problem] */
    size_t failed;
    bool ended;   /* no more input is to be read */
    bool stopped; /* by `error` */
    tz_error error;
    tz_progress progress;
    tz_rounds rounds; /* of JSON Lines */
};

/* ---- run_options.c ------------------------------------------------------------------------- */

/* Reads the command line. False: the command must end with *ret_status, after a message or
 * --help. */
bool tz_run_read_options(int argc, char **argv, tz_run_settings *ret_settings, int *ret_status);

/* ---- run_semiring.c ------------------------------------------------------------------------ */

enum { TZ_RUN_LIST = 256 };
/* The semirings as text: "max, log, kbest(K), ... or resource(NAME,D,SEMIRING)". */
void tz_run_list_semirings(char text[TZ_RUN_LIST]);
/* Opens the semiring that the settings name, and charges the rules for resource(..). Returns 0, or
 * the exit code after a message. */
int tz_run_open_semiring(tz_runner *r);
/* Charges the rules for exactly so much of a resource. Returns 0, or the exit code after a
 * message. */
int tz_run_charge_exactly(tz_runner *r, const char *resource, long amount);
/* The D of resource(NAME,D,..), or what --keep and --drop leave of it, for a problem of these
 * lengths; below 0: there is no derivation. */
int32_t tz_run_limit(const tz_runner *r, const int32_t *lengths);

/* ---- run_items.c --------------------------------------------------------------------------- */

/* Looks up the items that --items names. 0, or the exit code after a message. */
int tz_run_find_items(tz_runner *r);

/* ---- run_problem.c ------------------------------------------------------------------------- */

/* Is there a value for each amount? */
bool tz_runner_by_amounts(const tz_runner *r);
/* Does this part use the plan for required facts? */
bool tz_slot_takes_required(const tz_slot *slot, tz_run_part part);
/* The slot's problem as the plan takes it; lengths: room for one more than the rules have. */
tz_problem tz_runner_problem(const tz_runner *r, const tz_slot *slot, tz_run_part part,
                             int32_t *lengths);
/* Checks that --amount is within the limit for the slot's lengths. */
tz_status tz_runner_check_amount(const tz_runner *r, const tz_slot *slot, tz_error *error);
/* ---- run_progress.c ------------------------------------------------------------------------ */

void tz_progress_start(tz_progress *progress);
/* Ends a slot whose problem is solved, or failed with this status. Returns the status, or that of
 * ending its result. May show how many are solved. Called from any thread. */
tz_status tz_runner_end(tz_runner *r, tz_slot *slot, tz_status status);
void tz_runner_clear_progress(tz_runner *r);

/* ---- run_batch.c --------------------------------------------------------------------------- */

/* Makes room for `batch` problems at a time. False: memory is out, after a message. */
bool tz_runner_reserve(tz_runner *r, size_t batch);
void tz_runner_free(tz_runner *r);
/* Checks the slot's problem (tz_problem_check), and the amount asked for. */
tz_status tz_runner_check(const tz_runner *r, const tz_slot *slot, tz_error *error);
/* Puts FILE:LINE: or FILE: row ROW: in front of the message. */
void tz_runner_locate(const tz_runner *r, const tz_slot *slot, tz_error *error);
/* Marks a slot that cannot be answered: an error stands in its place, or the run ends there. The
 * message already says where. */
void tz_runner_fail(tz_runner *r, tz_slot *slot, const tz_error *error);
/* Ends the run with an error. */
void tz_runner_stop(tz_runner *r, const tz_error *error);
/* Answers `count` slots. Returns how many are to be printed: all, or those before the one that ends
 * the run. */
size_t tz_runner_solve(tz_runner *r, size_t count);

/* ---- run_answer.c --------------------------------------------------------------------------- */

/* Solves problems[0..count) of the slots slot_of[], and writes their answers. */
tz_status tz_runner_answer(tz_runner *r, size_t count, tz_error *error);

/* ---- run_facts.c ---------------------------------------------------------------------------- */

/* Decides how the slot's required facts are met, before it is solved. Errors of tz_facts_new;
 * TZ_LAW: the questions asked cannot respect them. */
tz_status tz_runner_take_facts(const tz_runner *r, tz_slot *slot, tz_error *error);
/* The plan for problems with required facts, made when it is first needed; NULL: none, see error.
 */
const tz_plan *tz_runner_required_plan(tz_runner *r, tz_error *error);

/* ---- run_limit.c ---------------------------------------------------------------------------- */

/* The name of the limited resource: "kept" or "dropped". */
const char *tz_run_resource(const tz_runner *r);
/* Makes the limiter that --keep, --drop or --rate needs. 0, or the exit code after a message. */
int tz_run_open_limiter(tz_runner *r);
/* tz_runner_answer under the limiter. */
tz_status tz_runner_limit(tz_runner *r, size_t count, tz_error *error);
void tz_run_close_limiter(tz_runner *r);
/* Makes the charts that --min-risk decodes with. Returns 0, or the exit code after a message. */
int tz_run_open_decoder(tz_runner *r);
void tz_run_close_decoder(tz_runner *r);

/* ---- run_json.c, run_npz.c ----------------------------------------------------------------- */

/* Read, solve and print the whole file. Return 0; or TZ_EXIT_INPUT, after a message or, without one
 * yet, with `stopped` or `failed` set. tz_run_npz closes the file, tz_run_json does not. */
int tz_run_json(tz_runner *r, FILE *file);
int tz_run_npz(tz_runner *r, FILE *file);

#endif
