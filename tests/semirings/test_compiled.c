/* test_compiled.c - do semirings that are compiled give the bits of the same texts interpreted, and
 * are shared objects that are no plug-ins refused?
 *
 * Those of the gallery, on five rule sets, one problem and several side by side. The compiler is
 * that of `trapeze semirings compile`; where there is none, what needs it is skipped.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semirings/written.h"
#include "tests/support/problem.h"
#include "tests/support/shell.h"

static const char *const gallery[] = {"best-two", "bottleneck", "expectation", "lexicographic",
                                      "logsum",   "polynomial", "shortest",    "ties",
                                      "viterbi",  "ways"};
static const char *const rule_sets[] = {"chain", "cky", "compress", "edit", "eisner"};
enum {
    SEMIRINGS = sizeof gallery / sizeof *gallery,
    RULE_SETS = sizeof rule_sets / sizeof(char *)
};
enum { PROBLEMS = 5, LENGTH = 9, NUMBERS = 4096, MOST = TZ_WRITTEN_PARTS };

static bool no_compiler(void) {
    return system("${CC:-cc} --version >/dev/null 2>&1") != 0;
}

static tz_semiring *load(const char *path) {
    tz_semiring *ret = NULL;
    tz_error error;
    const size_t size = strlen(path);
    tz_status status = (strcmp(path + size - 3, ".so") == 0 ? tz_semiring_load
                                                            : tz_semiring_read)(path, &ret, &error);
    if (status != TZ_OK)
        fail_msg("%s", error.message);
    return ret;
}

/* ---- The same bits --------------------------------------------------------------------------- */

/* Goals of some problems, [problem][part]; their inputs are `numbers`. */
static void solve(const tz_rules *rules, const tz_semiring *s, const random_problem *problem,
                  size_t count, const double *numbers, unsigned flags, double (*ret)[MOST]) {
    const size_t weights = tz_rules_count(rules, TZ_WEIGHTS);
    tz_scores input[PROBLEMS][2 * MAX_WEIGHTS];
    tz_problem of[PROBLEMS];
    for (size_t p = 0; p < count; p++) {
        of[p] = problem[p].problem;
        for (size_t i = 0; i < s->inputs * weights; i++) {
            assert_true(problem[p].cells[i % weights] <= NUMBERS);
            input[p][i] = problem[p].scores[i % weights];
            input[p][i].data = numbers;
        }
        of[p].inputs = s->inputs > 0 ? input[p] : NULL;
    }
    tz_plan *plan = make_plan(rules, s, TZ_FORCE | flags);
    tz_chart *chart = make_chart(plan);
    tz_error error = {TZ_OK, ""};
    if (tz_bind(chart, of, count, &error) != TZ_OK)
        fail_msg("%s, %s: %s", tz_rules_name(rules), s->name, error.message);
    assert_ok(tz_inside(chart));
    for (size_t p = 0; p < count; p++)
        assert_ok(tz_goal_element(chart, p, ret[p]));
    tz_chart_free(chart);
    tz_plan_free(plan);
}

static void compare(const tz_rules *rules, const tz_semiring *text, const tz_semiring *compiled,
                    const random_problem *problem, size_t count, const double *numbers,
                    unsigned flags) {
    double is[PROBLEMS][MOST], should_be[PROBLEMS][MOST];
    solve(rules, text, problem, count, numbers, flags, should_be);
    solve(rules, compiled, problem, count, numbers, flags, is);
    for (size_t p = 0; p < count; p++)
        if (memcmp(is[p], should_be[p], text->size) != 0)
            for (size_t k = 0; k < text->size / sizeof(double); k++)
                if (memcmp(&is[p][k], &should_be[p][k], sizeof(double)) != 0)
                    fail_msg("%s, %s, %zu problems, flags %u: number %zu is %a, not %a",
                             tz_rules_name(rules), text->name, count, flags, k, is[p][k],
                             should_be[p][k]);
}

static void compare_all(const char *name, const char *plugin, random_state *random) {
    char path[400];
    snprintf(path, sizeof path, TZ_SOURCE_ROOT "/semirings/gallery/%s.semiring", name);
    OWN(tz_semiring, text) = load(path), *compiled = load(plugin);
    static double numbers[NUMBERS];
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = plain_scores(random);
    assert_string_equal(compiled->name, text->name);
    assert_string_equal(compiled->summary, text->summary);
    assert_int_equal(compiled->laws, text->laws);
    assert_int_equal(compiled->gives, text->gives);
    assert_int_equal(tz_semiring_numbers(compiled), tz_semiring_numbers(text));
    for (size_t r = 0; r < RULE_SETS; r++) {
        const tz_rules *rules = tz_rules_find(rule_sets[r]);
        random_problem problem[PROBLEMS];
        int32_t lengths[TZ_MAX_LENGTHS];
        for (size_t p = 0; p < PROBLEMS; p++) {
            set_lengths(rules, LENGTH, 2, lengths);
            make_problem(rules, lengths, p % 2 == 0 ? masked_integers : masked_scores, random,
                         &problem[p]);
        }
        compare(rules, text, compiled, problem, 1, numbers, 0);
        compare(rules, text, compiled, problem + 1, 1, numbers, 0);
        compare(rules, text, compiled, problem + 1, 1, numbers, TZ_PLAIN);
        compare(rules, text, compiled, problem, PROBLEMS, numbers, 0);
        free_problems(problem, PROBLEMS);
    }
}

/* Two at a time; the compiler has less to do than for who uses the plug-in. */
TEST(gallery) {
    random_state random = random_start("compiled");
    if (no_compiler()) {
        print_message("# skipped: there is no C compiler\n");
        skip();
    }
    for (size_t g = 0; g < SEMIRINGS; g += 2)
        shell("export CFLAGS=-O1; cd '" TZ_SOURCE_ROOT "/semirings/gallery'\n"
              "trapeze semirings compile -o \"$OLDPWD/%s.so\" %s.semiring & first=$!\n"
              "trapeze semirings compile -o \"$OLDPWD/%s.so\" %s.semiring; second=$?\n"
              "wait $first && exit $second",
              gallery[g], gallery[g], gallery[g + 1], gallery[g + 1]),
            assert_result("");
    for (size_t g = 0; g < SEMIRINGS; g++) {
        char plugin[40];
        snprintf(plugin, sizeof plugin, "%s.so", gallery[g]);
        compare_all(gallery[g], plugin, &random);
    }
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void assert_not_loaded(const char *path, tz_status should_be, const char *message) {
    tz_semiring *semiring;
    tz_error error;
    assert_int_equal(tz_semiring_load(path, &semiring, &error), should_be);
    assert_null(semiring);
    assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
    assert_contains(error.message, message);
}

static void build(const char *name, const char *code) {
    write_file("own.c", code);
    prints("", "${CC:-cc} -shared -fPIC -I '" TZ_SOURCE_ROOT "/include' -o %s own.c", name);
}

TEST(no_plugins) {
    assert_not_loaded("missing.so", TZ_IO, "No such file");
    write_file("text.so", "element x\n");
    assert_not_loaded("text.so", TZ_IO, ""); /* in the words of the system */
    refused("text.so: ", "trapeze run -r eisner -s ./text.so </dev/null");
    if (no_compiler()) {
        print_message("# skipped: there is no C compiler\n");
        skip();
    }
    build("other.so", "int x;\n");
    assert_not_loaded("other.so", TZ_BAD_ARGUMENT, "it has no tz_plugin_of_semiring");
#define OWN_PLUGIN                                                                                 \
    "#include <trapeze/plugin.h>\nstatic const tz_semiring s = {.name = \"s\"};\n"                 \
    "const tz_plugin tz_plugin_of_semiring = "
    build("old.so", OWN_PLUGIN "{TZ_PLUGIN_VERSION + 1, 0, TZ_PLUGIN_SIZES, &s};\n");
    assert_not_loaded("old.so", TZ_BAD_ARGUMENT, "for another version of Trapeze");
    build("small.so", OWN_PLUGIN "{TZ_PLUGIN_VERSION, 0, {8}, &s};\n");
    assert_not_loaded("small.so", TZ_BAD_ARGUMENT, "for another version of Trapeze");
    build("far.so", OWN_PLUGIN "{TZ_PLUGIN_VERSION, TZ_ISAS, TZ_PLUGIN_SIZES, &s};\n");
    assert_not_loaded("far.so", TZ_BAD_ARGUMENT, "instruction set");
    build("empty.so", OWN_PLUGIN "{TZ_PLUGIN_VERSION, 0, TZ_PLUGIN_SIZES, &s};\n");
    assert_not_loaded("empty.so", TZ_BAD_ARGUMENT, "lacks a name, plus or times");
}

/* ---- The command ----------------------------------------------------------------------------- */

TEST(command) {
    write_file("mine.semiring",
               "element int, P\nzero 0, 0\none 1, 0\nplus a.int + b.int, a.P + b.P\n"
               "times a.int * b.int, a.int * b.P + a.P * b.int\nlift 1, score\n"
               "value P / int\nabout \"the\" */ mean\\\nlaws commutative\n");
    works("trapeze semirings compile --c - mine.semiring");
    assert_contains(out, "#define FIELDS(T) T int_0, P_1;"); /* words of C */
    assert_contains(out, "/* mine - \"the\" *  mean . Made");
    assert_contains(out, ".summary = \"\\\"the\\\" */ mean\\\\\"");
    refused("there is no C compiler '/no/such/compiler' (No such file or directory)",
            "CC=/no/such/compiler trapeze semirings compile mine.semiring");
    refused("false failed", "CC=false trapeze semirings compile mine.semiring");
    usage("what can be compiled is a file, NAME.semiring", "trapeze semirings compile max");
    usage("the name of a plug-in ends with .so",
          "trapeze semirings compile -o mine.o mine.semiring");
    refused("missing.semiring: No such file or directory",
            "trapeze semirings compile missing.semiring");
    if (no_compiler()) {
        print_message("# skipped: there is no C compiler\n");
        skip();
    }
    prints("", "CFLAGS=-O1 trapeze semirings compile mine.semiring");
    write_file("in.jsonl",
               "{\"n\": 2, \"arc\": [[null, 1, 1], [null, null, 0], [null, 1, null]]}\n");
    prints("{\"n\":2,\"value\":1.6666666666666667}\n",
           "trapeze run -r eisner -s ./mine.so in.jsonl");
    prints("{\"n\":2,\"value\":1.6666666666666667}\n",
           "trapeze run -r eisner -s ./mine.semiring in.jsonl");
    usage("./mine.so is a plug-in", "trapeze semirings check ./mine.so");
}

/* A built-in one was no text. */
TEST(source) {
    char *text;
    tz_error error;
    assert_int_equal(tz_semiring_source(tz_semiring_find("max", TZ_F64), &text, &error),
                     TZ_BAD_ARGUMENT);
    assert_null(text);
    assert_string_equal(error.message, "max is not a semiring that a text gave");
}

/* Where headers are while nothing is installed. */
BEFORE_TESTS {
    setenv("CPATH", TZ_SOURCE_ROOT "/include:" TZ_SOURCE_ROOT, 1);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
