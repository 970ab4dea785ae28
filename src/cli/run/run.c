/* run.c - `trapeze run`: makes the plan, and runs what kind of input there is.
 *
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/terminal.h"

static const char command[] = TZ_RUN;

/* The first question from this one on that is asked, or TZ_QUESTIONS. */
static tz_ask first_asked(const tz_runner *r, tz_ask from) {
    while (from < TZ_QUESTIONS && tz_asked(&r->set.questions, from) == 0)
        from++;
    return from;
}

/* Does the semiring have what the options ask for? */
static int check_pairing(const tz_runner *r) {
    static const char *const needs[] = {
        [TZ_OF_PATH] = "whose sum picks one derivation (max)",
        [TZ_OF_LOG_TOTAL] = "whose sum is a log total that every derivation has a share of (log)",
        [TZ_OF_TOTAL] = "whose sum is a total that every derivation has a share of (log, count)"};
    const tz_questions *q = &r->set.questions;
    const tz_semiring *semiring = r->semiring;
    const bool path = (semiring->laws & TZ_PATH) != 0 && semiring->gives == TZ_GIVES_SCORE;
    const bool shares = semiring->share != NULL;
    const bool can[] = {[TZ_OF_ANY] = true,
                        [TZ_OF_PATH] = path,
                        [TZ_OF_LOG_TOTAL] = !path && shares && semiring->gives == TZ_GIVES_SCORE,
                        [TZ_OF_TOTAL] = shares && (semiring->laws & TZ_IDEMPOTENT) == 0};
    for (tz_ask a = first_asked(r, 0); a < TZ_QUESTIONS; a = first_asked(r, a + 1)) {
        const tz_question *question = &tz_question_table[a];
        const bool picks = question->semirings == TZ_OF_PATH;
        if (picks && (semiring->laws & TZ_PATH) != 0 && semiring->gives == TZ_GIVES_NUMBER)
            return tz_usage_error(command,
                                  "%s needs a semiring that gives scores; %s gives a number (a "
                                  "text says `gives score` where it is one)",
                                  question->option, semiring->name);
        if (!can[question->semirings])
            return tz_usage_error(command, "%s needs a semiring %s; %s%s %s not", question->option,
                                  needs[question->semirings], picks ? "" : "that of ",
                                  semiring->name, picks ? "does" : "is");
    }
    const bool kbest = q->wanted[TZ_ASK_KBEST] > 0, samples = q->wanted[TZ_ASK_SAMPLES] > 0;
    if (kbest && semiring->mark != NULL)
        return tz_usage_error(command,
                              "--kbest does not go with %s; give -s max, which keeps to facts "
                              "as well",
                              semiring->name);
    if (q->path && q->wanted[TZ_ASK_BEST] == 0 && q->wanted[TZ_ASK_MIN_RISK] == 0 && !kbest &&
        !samples)
        return tz_usage_error(command, "--path is for the derivations of --best, --kbest, --sample "
                                       "or --min-risk");
    if ((q->distinct || q->within < INFINITY) && !kbest)
        return tz_usage_error(command, "--%s is for the list of --kbest K",
                              q->distinct ? "distinct" : "within");
    if (q->without_replacement && !samples)
        return tz_usage_error(command, "--without-replacement is for --sample K");
    return 0;
}

/* Do the options fit resource(NAME,D,..), if that is what is run? */
static int check_amount(const tz_runner *r) {
    bool charged = tz_runner_by_amounts(r), array = r->set.output != NULL;
    tz_ask asked = first_asked(r, 0);
    if (asked == TZ_ASK_BEST && !array)
        asked = first_asked(r, asked + 1);
    if (!charged && r->set.amount >= 0)
        return tz_usage_error(command, "--amount goes with -s resource(NAME,D,SEMIRING)");
    if (!charged)
        return 0;
    if (r->set.bounds.kind != TZ_RUN_FREE)
        return tz_usage_error(command, "--keep, --drop and --rate count words themselves; leave "
                                       "resource(..) out, or use --amount");
    if (asked != TZ_QUESTIONS && r->set.amount < 0)
        return tz_usage_error(command, "%s%s under resource(..) needs --amount A: of which amount?",
                              tz_question_table[asked].option,
                              asked == TZ_ASK_BEST ? " with -o" : "");
    if (r->limit_length == tz_rules_count(r->rules, TZ_LENGTHS) && r->set.amount > r->limit)
        return tz_usage_error(command, "--amount %ld is more than the limit %ld of %s",
                              r->set.amount, r->limit, r->set.semiring);
    if (r->set.output != NULL && r->limit_length < tz_rules_count(r->rules, TZ_LENGTHS))
        return tz_usage_error(command,
                              "-o needs a number as the limit in %s, since an array has "
                              "rows of one size",
                              r->set.semiring);
    return 0;
}

/* The best derivation within limits has a way of its own; everything else at an exact amount is a
 * matter of charged rules. */
static int apply_bounds(tz_runner *r) {
    const tz_run_bounds *bounds = &r->set.bounds;
    bool path = (r->semiring->laws & TZ_PATH) != 0 && r->semiring->gives == TZ_GIVES_SCORE;
    bool more =
        first_asked(r, first_asked(r, 0) == TZ_ASK_BEST ? TZ_ASK_BEST + 1 : 0) < TZ_QUESTIONS;
    if (bounds->kind == TZ_RUN_FREE)
        return 0;
    if (tz_rules_count(r->rules, TZ_LENGTHS) == 0)
        return tz_usage_error(command, "%s has no length, so no words to keep or drop",
                              tz_rules_name(r->rules));
    if (path && !more && r->semiring->mark == NULL)
        return tz_run_open_limiter(r);
    if (bounds->kind == TZ_RUN_RATE)
        return tz_usage_error(command, "--rate gives the value and --best under max; for more, "
                                       "give --keep or --drop an exact number");
    return tz_run_charge_exactly(r, tz_run_resource(r), bounds->amount);
}

/* ---- The run ------------------------------------------------------------------------------- */

static bool ends_in_npz(const char *name) {
    size_t size = strlen(name);
    return size >= 4 && strcmp(name + size - 4, ".npz") == 0;
}

static int check_output(const tz_run_settings *s) {
    if (s->output != NULL && !ends_in_npz(s->output))
        return tz_usage_error(
            command, "-o writes arrays: give it a name that ends in .npz, not '%s'", s->output);
    if (s->output != NULL && s->questions.wanted[TZ_ASK_DERIVATION] > 0)
        return tz_usage_error(command, "--derivation is a tree, which no array holds; leave -o "
                                       "out");
    if (s->output != NULL && s->questions.path)
        return tz_usage_error(command, "--path is a list of uses, which no array holds; leave -o "
                                       "out");
    return 0;
}

static int make_plan(tz_runner *r) {
    tz_error error = {TZ_OK, ""};
    int status = 0;
    if (strcmp(r->set.rules, "-") == 0 && (r->set.file == NULL || strcmp(r->set.file, "-") == 0))
        return tz_usage_error(command, "-r - takes the rules from standard input: name a FILE with "
                                       "the problems");
    if ((status = check_output(&r->set)) != 0 ||
        (status = tz_open_rules(command, r->set.rules, r->set.quiet, &r->rules)) != 0 ||
        (status = tz_run_open_semiring(r)) != 0 || (status = check_pairing(r)) != 0 ||
        (status = check_amount(r)) != 0 || (status = apply_bounds(r)) != 0 ||
        (status = tz_run_find_items(r)) != 0)
        return status;
    if (r->set.output == NULL && tz_json_problem_rules(r->rules, &error) != TZ_OK) {
        tz_message(command, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    tz_status made = tz_plan_new(r->charged != NULL ? r->charged : r->rules, r->semiring,
                                 r->set.flags, &r->plan, &error);
    const char *why = error.message[0] != '\0' ? error.message : tz_status_name(made);
    r->gives_structures = r->semiring->share != NULL && r->semiring->gives == TZ_GIVES_SCORE &&
                          (r->semiring->laws & TZ_PATH) == 0 && r->output == NULL &&
                          (r->charged == NULL || r->exactly || r->set.amount >= 0);
    if (made == TZ_OK && r->set.questions.wanted[TZ_ASK_MIN_RISK] > 0 &&
        (status = tz_run_open_decoder(r)) != 0)
        return status;
    if (made == TZ_AMBIGUOUS)
        return tz_usage_error(command, "%s (--force runs it nevertheless)", why);
    if (made == TZ_LAW)
        return tz_usage_error(command, "%s", why);
    if (made != TZ_OK) {
        tz_message(command, "%s", why);
        return TZ_EXIT_INPUT;
    }
    return 0;
}

/* The input's first byte tells what it is, however it is called. */
static int work(tz_runner *r) {
    r->name = r->set.file != NULL ? r->set.file : "-";
    if (strcmp(r->name, "-") == 0 && tz_ranks() > 1)
        return tz_usage_error(command, "%s", tz_no_input_of_ranks);
    FILE *file = strcmp(r->name, "-") == 0 ? stdin : fopen(r->name, "rb");
    if (file == NULL) {
        tz_message(command, "%s: %s", r->name, strerror(errno));
        return TZ_EXIT_INPUT;
    }
    if (file == stdin)
        tz_tell_waiting(command);
    int first = getc(file), status;
    if (first != EOF)
        ungetc(first, file);
    bool npz = ends_in_npz(r->name) || tz_npz_begins(first);
    if (npz && tz_rank() > 0) { /* rank 0 does all of it */
        fclose(file);
        return 0;
    }
    r->format = r->set.output != NULL ? &tz_run_arrays : &tz_run_lines;
    if (npz)
        status = tz_run_npz(r, file);
    else if (r->set.output != NULL)
        status = tz_usage_error(command,
                                "-o takes problems from a .npz file; results for JSON Lines go to "
                                "standard output");
    else
        status = tz_run_json(r, file);
    if (!npz && file != stdin)
        fclose(file);
    if (r->stopped)
        tz_message(command, "%s", r->error.message);
    else if (r->failed > 0)
        tz_message(command, "%s: %zu %s%s could not be answered; see %s in the results", r->name,
                   r->failed, npz ? "row" : "line", r->failed == 1 ? "" : "s", r->format->failed);
    return status != 0 ? status : r->stopped || r->failed > 0 ? TZ_EXIT_INPUT : 0;
}

int tz_cli_run(int argc, char **argv) {
    tz_runner r = {0};
    int status;
    if (!tz_run_read_options(argc, argv, &r.set, &status))
        return status;
    r.set.progress = r.set.progress && tz_rank() == 0;
    tz_progress_start(&r.progress);
    status = make_plan(&r);
    if (status == 0) {
        if ((r.set.flags & TZ_FORCE) == 0)
            status = tz_check_sum(command, r.set.rules, r.rules, r.semiring, r.set.quiet);
        status = status == 0 ? work(&r) : status;
    }
    tz_runner_free(&r);
    return status;
}
