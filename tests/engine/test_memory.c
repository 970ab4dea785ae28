/* test_memory.c - what happens when memory is out, at any moment?
 *
 * Every call is repeated with its 1st, 2nd, 3rd, ... allocation failing until it succeeds (oom.h):
 * it must say TZ_NO_MEMORY, change nothing and leave no block behind. Under the address sanitizer
 * it shows the same for libc's own memory.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <trapeze/trapeze.h>

#include "cli/cli.h"
#include "io/json/json_problem.h"
#include "tests/support/oom.h"

enum { LENGTH = 4, PROBLEMS = 3 };

/* ---- A problem of any rule set: score of a cell = its place in memory order, from 0 ---------- */

typedef struct sample {
    tz_problem problem;
    int32_t length[8];
    tz_scores scores[16], twice[32]; /* the same, for a semiring's inputs and as direction */
    tz_shape shape[16];
    tz_input_numbers numbers[4];
    tz_fact fact;
    void *block[32];
    size_t blocks;
} sample;

static void *keep(sample *sample, size_t size) {
    void *block = need(malloc(size + 1));
    return sample->block[sample->blocks++] = block;
}

/* All cells that are declared. */
static tz_scores sparse_scores(sample *sample, const tz_rules *rules, size_t weight,
                               const tz_shape *shape) {
    size_t cells = 1;
    for (unsigned q = 0; q < shape->rank; q++)
        cells *= (size_t)shape->extent[q];
    int32_t *index = keep(sample, cells * shape->rank * sizeof *index);
    double *data = keep(sample, cells * sizeof *data);
    tz_scores ret = {.data = data, .type = TZ_DOUBLE, .stride = {1}, .index = index};
    for (size_t cell = 0; cell < cells; cell++) {
        int32_t *at = &index[ret.entries * shape->rank];
        size_t rest = cell;
        for (unsigned q = shape->rank; q-- > 0; rest /= (size_t)shape->extent[q])
            at[q] = shape->origin[q] + (int32_t)(rest % (size_t)shape->extent[q]);
        if (tz_rules_declared(rules, weight, sample->length, at))
            data[ret.entries++] = (double)cell;
    }
    return ret;
}

/* 0, 1, 2, ..., as often as they fit. */
static tz_input_numbers input_numbers(sample *sample, const tz_rules *rules, size_t input) {
    tz_shape shape;
    int64_t bound;
    size_t cells = 1;
    assert_ok(tz_rules_input_shape(rules, input, sample->length, &shape, &bound));
    for (unsigned q = 0; q < shape.rank; q++)
        cells *= (size_t)shape.extent[q];
    int32_t *data = keep(sample, cells * sizeof *data);
    for (size_t c = 0; c < cells; c++)
        data[c] = (int32_t)((int64_t)c % bound);
    return tz_input_numbers_dense(&shape, data);
}

static void sample_make(sample *sample, const tz_rules *rules, int32_t length) {
    memset(sample, 0, sizeof *sample);
    for (size_t l = 0; l < tz_rules_count(rules, TZ_LENGTHS); l++)
        sample->length[l] = length;
    for (size_t w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        tz_shape *shape = &sample->shape[w];
        *shape = shape_of(rules, w, sample->length);
        if (shape->sparse) {
            sample->scores[w] = sparse_scores(sample, rules, w, shape);
            continue;
        }
        size_t cells = 1;
        for (unsigned q = 0; q < shape->rank; q++)
            cells *= (size_t)shape->extent[q];
        double *data = keep(sample, cells * sizeof *data);
        for (size_t c = 0; c < cells; c++)
            data[c] = (double)c;
        sample->scores[w] = tz_scores_dense(shape, data);
    }
    sample->problem = (tz_problem){.lengths = sample->length, .scores = sample->scores};
    if (tz_rules_count(rules, TZ_INPUTS) > 0)
        sample->problem.numbers = sample->numbers;
    for (size_t i = 0; i < tz_rules_count(rules, TZ_INPUTS); i++)
        sample->numbers[i] = input_numbers(sample, rules, i);
}

/* All else that a problem may have: a fact, of all cells of the last weight whose last index is 1;
 * and what the semiring takes besides, or a direction. */
static void sample_add(sample *sample, const tz_rules *rules, const tz_semiring *semiring) {
    const size_t weights = tz_rules_count(rules, TZ_WEIGHTS);
    tz_cells *cells = keep(sample, sizeof *cells);
    *cells = (tz_cells){.weight = weights - 1};
    for (unsigned q = 0; q < sample->shape[weights - 1].rank; q++)
        cells->index[q] = TZ_ANY;
    cells->index[sample->shape[weights - 1].rank - 1] = 1;
    sample->fact = (tz_fact){.cells = cells, .count = 1};
    memcpy(sample->twice, sample->scores, weights * sizeof *sample->scores);
    memcpy(sample->twice + weights, sample->scores, weights * sizeof *sample->scores);
    sample->problem.facts = &sample->fact;
    sample->problem.fact_count = 1;
    *(semiring->inputs > 0 ? &sample->problem.inputs : &sample->problem.direction) = sample->twice;
}

static void sample_free(sample *sample) {
    while (sample->blocks > 0)
        free(sample->block[--sample->blocks]);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static const tz_rules *builtin(const char *name) {
    const tz_rules *rules = tz_rules_find(name);
    assert_non_null(rules);
    return rules;
}

static int read_rules(void *user) {
    OWN(tz_rules, rules) = (tz_rules *)user; /* to be overwritten */
    tz_error error;
    tz_status status = tz_rules_read(user, &rules, &error);
    assert_true((status == TZ_OK) == (rules != NULL));
    assert_true(status == TZ_OK || error.status == status);
    return (int)status;
}

TEST(rule_file) {
    char path[] = TZ_SOURCE_ROOT "/rules/edit.rules";
    assert_true(oom_sweep("edit", read_rules, path, TZ_NO_MEMORY, false) > 0);
}

/* What that file does not have. */
static int parse_rules(void *user) {
    (void)user;
    static const char text[] = "rules   small  # a comment\n"
                               "cite    nobody\n"
                               "count   1 1 1\n"
                               "ambiguous\n"
                               "length  n, T\n"
                               "weight  step[i,j]  0 <= i < j <= n\n"
                               "weight  kind[a,i] sparse  0 <= a < T, 0 <= i <= n\n"
                               "resource far step[i,j] j-i-1\n"
                               "resource near = n - far\n"
                               "item    at[i]  0 <= i <= n  # reached\n"
                               "goal    at[n]\n"
                               "axiom\n"
                               "--- start\n"
                               "at[0]\n"
                               "at[i]\n"
                               "--- go * step[i,j] * kind[a,j] if j != i+2, i+j >= 1\n"
                               "at[j]\n";
    OWN(tz_rules, rules) = NULL;
    tz_error error;
    tz_status status = tz_rules_parse("small", text, sizeof text - 1, &rules, &error);
    assert_true((status == TZ_OK) == (rules != NULL));
    return (int)status;
}

TEST(rules) {
    assert_true(oom_sweep("small rules", parse_rules, NULL, TZ_NO_MEMORY, false) > 0);
}

static int read_bad_rules(void *user) {
    static const char text[] = "rules broken\n"
                               "length n\n"
                               "item a[i] 0 <= i <= n\n"
                               "goal a[n]\n"
                               "a[i-1] b[i]\n"
                               "--- step\n"
                               "a[i]\n";
    tz_rules *rules;
    tz_error error;
    tz_status status = tz_rules_parse("broken", text, sizeof text - 1, &rules, &error);
    assert_null(rules);
    assert_int_equal(error.status, status);
    (void)user;
    return status == TZ_BAD_RULES ? 0 : (int)status;
}

TEST(bad_rules) {
    oom_sweep("rules with an error", read_bad_rules, NULL, TZ_NO_MEMORY, false);
}

/* ---- Plans and charts ------------------------------------------------------------------------ */

typedef struct calls {
    const tz_rules *rules;
    const tz_semiring *semiring;
    unsigned flags;
    const tz_plan *plan;
    sample sample[PROBLEMS];
    double number[4096];
} calls;

static int attempt_plan(void *user) {
    calls *calls = user;
    OWN(tz_plan, plan) = (tz_plan *)user; /* to be overwritten */
    tz_error error;
    tz_status status = tz_plan_new(calls->rules, calls->semiring, calls->flags, &plan, &error);
    assert_true((status == TZ_OK) == (plan != NULL));
    return (int)status;
}

/* Everything that can be asked of one lane. */
static tz_status ask(calls *calls, tz_chart *chart, size_t problem, size_t lane) {
    double value;
    tz_status status = tz_goal(chart, lane, &value);
    if (status == TZ_OK && calls->semiring->laws & TZ_PATH) {
        const tz_derivation *derivation;
        status = tz_best(chart, lane, TZ_GOAL, NULL, &derivation);
    }
    for (size_t w = 0; w < tz_rules_count(calls->rules, TZ_WEIGHTS) && status == TZ_OK; w++) {
        tz_output output = tz_output_dense(&calls->sample[problem].shape[w], calls->number);
        if (calls->sample[problem].shape[w].sparse)
            output = (tz_output){calls->number, {1}};
        status = tz_through(chart, lane, w, &output);
        if (status == TZ_OK && calls->semiring->share)
            status = tz_marginals(chart, lane, w, &output);
        if (status == TZ_OK && calls->semiring->share &&
            calls->sample[problem].problem.direction != NULL)
            status = tz_marginal_tangents(chart, lane, w, &output);
    }
    return status;
}

static int use_chart(void *user) {
    calls *calls = user;
    tz_problem problems[PROBLEMS];
    for (int p = 0; p < PROBLEMS; p++)
        problems[p] = calls->sample[p].problem;
    tz_error error;
    OWN(tz_chart, chart) = NULL;
    tz_status status = tz_chart_new(calls->plan, &chart);
    /* Two bindings: the second grows what the first has left. */
    for (size_t count = 1; count <= PROBLEMS && status == TZ_OK; count += PROBLEMS - 1) {
        status = tz_bind(chart, problems, count, &error);
        if (status == TZ_OK)
            status = tz_inside(chart);
        if (status == TZ_OK)
            status = tz_outside(chart);
        for (size_t lane = 0; lane < count && status == TZ_OK; lane++)
            status = ask(calls, chart, lane, lane);
    }
    return (int)status;
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    return ask(user, chart, problem, lane);
}

static int run(void *user) {
    calls *calls = user;
    tz_problem problems[PROBLEMS];
    for (int p = 0; p < PROBLEMS; p++)
        problems[p] = calls->sample[p].problem;
    tz_error error;
    tz_run_options options = {.outside = true, .lanes = 2, .threads = 1};
    return (int)tz_run(calls->plan, problems, PROBLEMS, &options, visit, user, &error);
}

static const char *const rule_names[] = {"compress", "cky", "edit", "semimarkov"};
static const char *const semiring_names[] = {"max", "log"};

/* calls with a plan. all: with all that a problem may have. */
static void sweep_calls(int (*attempt)(void *user), const char *what, const tz_rules *rules,
                        const char *semiring, unsigned flags, bool all) {
    static calls calls;
    char name[128];
    calls.rules = rules;
    calls.semiring = tz_semiring_find(semiring, TZ_F64);
    calls.flags = flags;
    OWN(tz_plan, plan) = make_plan(calls.rules, calls.semiring, flags);
    calls.plan = plan;
    for (int p = 0; p < PROBLEMS; p++) {
        sample_make(&calls.sample[p], calls.rules, LENGTH + p - 1);
        if (all)
            sample_add(&calls.sample[p], calls.rules, calls.semiring);
    }
    snprintf(name, sizeof name, "%s: %s, %s", what, tz_rules_name(rules), semiring);
    assert_true(oom_sweep(name, attempt, &calls, TZ_NO_MEMORY, false) > 0);
    for (int p = 0; p < PROBLEMS; p++)
        sample_free(&calls.sample[p]);
}

/* For each of a few rule sets and semirings. */
static void for_all_calls(int (*attempt)(void *user), const char *what, unsigned flags) {
    for (size_t r = 0; r < sizeof rule_names / sizeof *rule_names; r++)
        for (size_t s = 0; s < sizeof semiring_names / sizeof *semiring_names; s++)
            sweep_calls(attempt, what, builtin(rule_names[r]), semiring_names[s], flags, false);
}

TEST(plan) {
    for_all_calls(attempt_plan, "plan", TZ_FORCE);
    for_all_calls(attempt_plan, "plain plan", TZ_PLAIN);
}

TEST(chart) {
    for_all_calls(use_chart, "chart", 0);
    for_all_calls(use_chart, "plain chart", TZ_PLAIN);
}

TEST(run) {
    for_all_calls(run, "run", 0);
    for_all_calls(run, "plain run", TZ_PLAIN);
}

/* Rules whose weights are looked up by numbers: tables, entries, facts, directions and what a
 * semiring takes besides, for all of them. */
TEST(inputs) {
    OWN(tz_rules, rules) = NULL;
    assert_ok(tz_rules_read(TZ_SOURCE_ROOT "/tests/rules/good/inputs-hmm.rules", &rules, NULL));
    for (unsigned all = 0; all < 2; all++) {
        sweep_calls(use_chart, "chart", rules, "max", 0, all);
        sweep_calls(use_chart, "chart", rules, "log", 0, all);
        sweep_calls(run, "run", rules, "log", 0, all);
    }
    sweep_calls(use_chart, "chart", rules, "entropy", 0, true);
    sweep_calls(run, "plain run", rules, "log", TZ_PLAIN, true);
}

/* Binding problems of lengths that came before, and all that follows, allocates nothing. */
TEST(chart_is_reused) {
    static calls calls;
    calls.rules = builtin("compress");
    calls.semiring = tz_semiring_find("max", TZ_F64);
    OWN(tz_plan, plan) = make_plan(calls.rules, calls.semiring, 0);
    OWN(tz_chart, chart) = make_chart(plan);
    size_t after_first = 0;
    for (int32_t round = 0; round < 6; round++) {
        sample_make(&calls.sample[0], calls.rules, LENGTH - round % 3);
        size_t before = oom_count();
        run_outside(chart, &calls.sample[0].problem, 1);
        assert_ok(ask(&calls, chart, 0, 0));
        after_first += round >= 3 ? oom_count() - before : 0;
        sample_free(&calls.sample[0]);
    }
    assert_int_equal(after_first, 0);
}

/* ---- The command ----------------------------------------------------------------------------- */

static const char line[] =
    "{\"id\": \"a\", \"n\": 2, \"words\": [\"x\", \"y\"],"
    " \"arc\": [[null, 1, 2], [null, null, 3], [null, 4, null]],"
    " \"bigram\": [[null, 1, 2, 3], [null, null, 0.5, -1], [null, null, null, 0]]}";

static int read_line(void *user) {
    OWNED(tz_json_problem, problem) = {0};
    tz_error error;
    tz_status status = tz_json_problem_init(&problem, builtin("compress"), NULL);
    if (status == TZ_OK)
        status = tz_json_problem_read(&problem, user, strlen(user), &error);
    return (int)status;
}

TEST(json) {
    assert_true(oom_sweep("a line of JSON", read_line, (void *)line, TZ_NO_MEMORY, false) > 0);
}

/* So large that memory may fail inside keys, strings, numbers, arrays and objects. */
TEST(large_json) {
    enum { KEYS = 300, SIZE = 40000 };
    OWNED(tz_text, text) = {0};
    char part[128], *blob = malloc(SIZE);
    assert_non_null(blob);
    memset(blob, 'x', SIZE);
    tz_text_put(&text, "{\"id\":{");
    for (int k = 0; k < KEYS; k++) {
        int digits = k % 60;
        snprintf(part, sizeof part, "%s\"k%0*d\":", k > 0 ? "," : "", 1 + digits / 2, k);
        tz_text_put(&text, part);
        snprintf(part, sizeof part, k % 2 ? "[0.%0*d,[]]" : "\"%0*d\\u00e9\"", 1 + digits, k);
        tz_text_put(&text, part);
    }
    tz_text_put(&text, ",\"");
    tz_text_add(&text, blob, SIZE);
    tz_text_put(&text, "\":\"");
    tz_text_add(&text, blob, SIZE);
    tz_text_put(&text, "\"},");
    tz_text_put(&text, strstr(line, "\"n\""));
    tz_text_add(&text, "", 1);
    assert_true(oom_sweep("a large line", read_line, text.data, TZ_NO_MEMORY, false) > 20);
    free(blob);
}

typedef struct command_line {
    int argc;
    char **argv;
    char expected[1 << 14]; /* what it prints when nothing fails; empty: not known yet */
} command_line;

/* Runs the command. What it prints must be as expected, or the first lines of it where it fails. */
static int run_command(void *user) {
    command_line *line = user;
    char path[] = "test_memory.XXXXXX";
    int out = mkstemp(path), null = open("/dev/null", O_WRONLY);
    fflush(NULL);
    int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO);
    assert_true(out >= 0 && null >= 0 && old_out >= 0 && old_err >= 0);
    unlink(path);
    dup2(out, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    int status = tz_cli_run(line->argc, line->argv);
    fflush(NULL);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    char printed[sizeof line->expected] = "";
    ssize_t size = pread(out, printed, sizeof printed - 1, 0);
    assert_true(size >= 0 && (size == 0 || printed[size - 1] == '\n'));
    if (line->expected[0] == '\0')
        memcpy(line->expected, printed, sizeof printed);
    assert_memory_equal(printed, line->expected, size);
    assert_true(status != 0 || line->expected[size] == '\0');
    close(out);
    close(null);
    close(old_out);
    close(old_err);
    return status;
}

/* A batch that does not fit into memory is solved line by line, so one failure need not show. */
TEST(command) {
    char path[] = "test_memory.XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = need(fdopen(file, "w"));
    fprintf(stream, "%s\n%s\n", line, line);
    fclose(stream);
    char *best[] = {"run",    "-r",           "compress",        "-s", "max",
                    "--best", "--derivation", "--max-marginals", path, NULL};
    char *marginals[] = {"run", "-r", "compress", "-s", "log", "--marginals", path, NULL};
    command_line commands[] = {{.argc = 9, .argv = best}, {.argc = 7, .argv = marginals}};
    for (size_t c = 0; c < 2; c++) {
        assert_int_equal(run_command(&commands[c]), 0);
        oom_sweep(c == 0 ? "trapeze run -s max" : "trapeze run -s log", run_command, &commands[c],
                  TZ_EXIT_INPUT, true);
    }
    remove(path);
}
