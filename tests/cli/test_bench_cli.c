/* test_bench_cli.c - does `trapeze bench` say what its manual says, and refuse what it should?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/shell.h"

TEST(help) {
    works("trapeze bench --help");
    assert_string_equal(err, "");
    static const char *const all[] = {"-r, --rules=RULES,...",
                                      "-s, --semiring=SEMIRING,...",
                                      "-n, --length=LIST",
                                      "--lengths=FILE",
                                      "--labels=N",
                                      "--batch=LIST",
                                      "--threads=LIST",
                                      "--precision=LIST",
                                      "--task=LIST",
                                      "--time=SECONDS",
                                      "--seed=N",
                                      "--format=table|tsv|json",
                                      "--plot=FILE",
                                      "--force",
                                      "--quiet",
                                      "Tasks:",
                                      "Columns:",
                                      "The peak"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_contains(out, all[i]);
    shell("trapeze --help");
    assert_contains(out, "bench  ");
}

TEST(usage) {
    static const struct {
        const char *options, *message;
    } wrong[] = {
        {"-s max", "which rule sets? give -r RULES,..."},
        {"-r eisner", "which semirings? give -s SEMIRING,..."},
        {"-r eisnre -s max", "no rule set is called 'eisnre'; did you mean 'eisner'?"},
        {"-r eisner -s mx", "; did you mean 'max'?"},
        {"-r eisner -s zzzzzz", "no semiring is called 'zzzzzz'"},
        {"-r eisner -s 'kbest(0)'", "whole number from 1 on, such as kbest(5), not '0'"},
        {"-r eisner -s 'max,kbest(2)' --task best", "--task=best needs a semiring whose sum picks"},
        {"-r eisner,,chain -s max", "--rules: nothing between two commas in 'eisner,,chain'"},
        {"-r eisner -s max -n 4,x", "--length takes a whole number from 0 to 1048576, not 'x'"},
        {"-r eisner -s max -n 4,-1", "--length takes a whole number from 0 to 1048576, not '-1'"},
        {"-r eisner -s max --batch 0", "--batch takes a whole number from 1 to"},
        {"-r eisner -s max --threads 0", "--threads takes a whole number from 1 to"},
        {"-r eisner -s max --labels 0", "--labels takes a whole number from 1 to"},
        {"-r eisner -s max --precision f32,f16", "--precision is f32 or f64, not 'f16'"},
        {"-r eisner -s max --task insid", "did you mean 'inside'?"},
        {"-r eisner -s max --time 0", "--time takes seconds, above 0 and up to 3600, not '0'"},
        {"-r eisner -s max --time 1s", "--time takes seconds, above 0 and up to 3600, not '1s'"},
        {"-r eisner -s max --format csv", "--format is table, tsv or json, not 'csv'"},
        {"-r eisner -s max x.jsonl", "what is 'x.jsonl'? rule sets are given by -r"},
        {"-r eisner -s log --task best", "--task=best needs a semiring whose sum picks one"},
        {"-r eisner -s max --threads 2 --task inside", "--task=inside is for charts"},
        {"-r eisner -s max --lengths l -n 4", "-n and --lengths are two ways"},
        {"-r eisner -s max --lengths l --plot p.svg", "--plot draws over n"},
        {"-r skip-note -s log -n 4", "(--force runs it nevertheless)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        usage(wrong[i].message, "trapeze bench %s", wrong[i].options);
        assert_contains(err, "Try 'trapeze bench --help'.");
    }
    refused("trapeze bench: missing.txt: No such file or directory",
            "trapeze bench -r eisner -s max --lengths missing.txt");
    refused("trapeze bench: missing/p.svg: cannot write: No such file or directory",
            "trapeze bench -r eisner -s max -n 4 --plot missing/p.svg");
    refused("missing.rules", "trapeze bench -r ./missing.rules -s max");
}

/* Cells of line `line` of tab-separated output. */
static size_t cut(const char *text, size_t line, char cell[32][64]) {
    for (; line > 0 && text != NULL; line--)
        text = strchr(text, '\n') != NULL ? strchr(text, '\n') + 1 : NULL;
    size_t count = 0;
    while (text != NULL && *text != '\0' && count < 32) {
        size_t size = strcspn(text, "\t\n");
        snprintf(cell[count++], 64, "%.*s", (int)size, text);
        if (text[size] != '\t')
            break;
        text += size + 1;
    }
    return count;
}

TEST(tsv) {
    static char head[32][64], cell[32][64];
    works("trapeze bench -r eisner -s max,log -n 4,8 --batch 1,3 --precision f32 --time 0.001 "
          "--task bind,inside,value --format tsv");
    assert_string_equal(err, "");
    assert_int_equal(cut(out, 0, head), 17);
    assert_string_equal(head[5], "n");
    assert_string_equal(head[9], "microseconds");
    /* semirings, batches, tasks in the order of --help, n innermost */
    static const char *const semiring[] = {"max", "log"}, *const batch[] = {"1", "3"},
                             *const task[] = {"value", "bind", "inside"}, *const n[] = {"4", "8"};
    double time_of_max[12];
    for (size_t r = 0; r < 24; r++) {
        assert_int_equal(cut(out, r + 1, cell), 17);
        assert_string_equal(cell[0], "eisner");
        assert_string_equal(cell[1], semiring[r / 12]);
        assert_string_equal(cell[2], "f32");
        assert_string_equal(cell[4], task[r / 2 % 3]);
        assert_string_equal(cell[5], n[r % 2]);
        assert_string_equal(cell[6], batch[r / 6 % 2]);
        assert_string_equal(cell[8], "1");
        assert_string_equal(cell[16], "4"); /* bytes: those of narrow elements under log */
        if (r < 12)
            assert_string_equal(cell[15], "1");
        if (strcmp(cell[4], "value") != 0)
            continue;
        double time = strtod(cell[9], NULL), rate = strtod(cell[11], NULL);
        assert_true(time > 0 && fabs(time * rate / 1e6 - 1) < 1e-4);
        assert_true(strtod(cell[12], NULL) > 0 && strtod(cell[13], NULL) > 0);
        assert_int_equal(strcmp(cell[14], "NA") == 0, r % 2 == 0);
        if (r < 12)
            time_of_max[r] = time;
        else
            assert_true(fabs(time / time_of_max[r - 12] / strtod(cell[15], NULL) - 1) < 1e-4);
    }
    assert_int_equal(cut(out, 25, cell), 0);
}

TEST(json) {
    json_error_t error;
    works("trapeze bench -r eisner,cky -s count -n 3 --labels 2 --time 0.001 --seed 7 "
          "--task gradient,outside -f json");
    json_t *all = json_loads(out, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(all);
    assert_string_equal(json_string_value(json_object_get(all, "version")), TZ_VERSION);
    assert_int_equal(json_integer_value(json_object_get(all, "seed")), 7);
    json_t *rows = json_object_get(all, "rows"), *row = json_array_get(rows, 3);
    assert_int_equal(json_array_size(rows), 4);
    assert_int_equal(json_object_size(row), 17);
    assert_string_equal(json_string_value(json_object_get(row, "rules")), "cky");
    assert_string_equal(json_string_value(json_object_get(row, "task")), "outside");
    assert_int_equal(json_integer_value(json_object_get(row, "n")), 3);
    assert_true(json_is_number(json_object_get(row, "microseconds")));
    assert_true(json_is_null(json_object_get(row, "products_per_second")));
    json_decref(all);
}

TEST(table) {
    works("trapeze bench -r eisner -s max -n 4 --time 0.001 --task best");
    assert_contains(out, "# trapeze " TZ_VERSION ", ");
    assert_contains(out, ", seed 1\n# medians of 0.001 s a task");
    assert_contains(out, "\nrules   semiring  precision  isa ");
    assert_contains(out, "\neisner  max       f64 ");
}

/* A user's own rule file, with two lengths and a label set. */
TEST(own_rules) {
    write_file("own.rules", "rules own\nlength n, m, T\nweight a[i,t] 1 <= i <= n, 0 <= t < T\n"
                            "weight b[j] sparse 1 <= j <= m\n"
                            "item x[i] 0 <= i <= n\nitem y[j] 0 <= j <= m\nitem top\ngoal top\n"
                            "axiom\n--- start\nx[0]\n\nx[i-1]\n--- step * a[i,_]\nx[i]\n\n"
                            "axiom\n--- second\ny[0]\n\ny[j-1]\n--- more * b[j]\ny[j]\n\n"
                            "x[n] y[m]\n--- end\ntop\n");
    shell("trapeze bench -r own.rules -s log,max -n 0,1,20 --time 0.001 --task value,gradient "
          "--labels 3 --format tsv");
    assert_string_equal(err, "");
    assert_int_equal(code, 0);
    assert_contains(out, "\nown\tlog\tf64\t");
    assert_contains(out, "\nown\tmax\tf64\t");
}

/* Everything that `trapeze run -s` takes; a limit may be a length. */
TEST(resources) {
    shell("trapeze bench -r compress,skip -s 'max,resource(kept,3,max), kbest(2) ,"
          "resource(dropped, n, log)' -n 6 --time 0.001 --task value,gradient --format tsv");
    assert_string_equal(err, "");
    assert_int_equal(code, 0);
    assert_contains(out, "\ncompress\tresource(kept,3,max)\tf64\t");
    assert_contains(out, "\nskip\tresource(dropped, n, log)\tf64\t");
    assert_contains(out, "\ncompress\tkbest(2)\t");
    works("trapeze bench -r compress -s 'resource(kept,2)' -n 4 --time 0.001 --task best");
    usage("kept", "trapeze bench -r eisner -s 'resource(kept,3,max)' -n 6");
    usage("'resource(kept,3,max' lacks its closing parenthesis",
          "trapeze bench -r compress -s 'resource(kept,3,max' -n 6");
    usage("--semiring: nothing between two commas in 'max,,log'",
          "trapeze bench -r compress -s 'max,,log' -n 6");
}

/* What goes round in a circle adds up; or no semiring could sum it. */
TEST(closures) {
    shell("trapeze bench -r gallery/paths,gallery/cky-unary -s log,max,entropy -n 5 --time 0.001 "
          "--task value,gradient --precision f32,f64 --batch 1,3 --format tsv");
    assert_string_equal(err, "");
    assert_int_equal(code, 0);
    assert_contains(out, "\ncky-unary\tlog\t");
    shell("trapeze bench -r gallery/paths -s count -n V=5 --time 0.001");
    assert_int_equal(code, 1);
    assert_contains(err, "go round in a circle add up without limit: take a semiring that sums");
}

TEST(mixed) {
    static char cell[32][64];
    write_file("l.txt", "3 5\n0\n9 2\n");
    shell("trapeze bench -r eisner -s log --lengths l.txt --threads 1,2 --task value,gradient "
          "--time 0.001 --format tsv");
    assert_string_equal(err, "");
    assert_int_equal(code, 0);
    assert_int_equal(cut(out, 4, cell), 17);
    assert_string_equal(cell[5], "mixed");
    assert_string_equal(cell[6], "8");
    assert_string_equal(cell[7], "NA");
    assert_string_equal(cell[8], "2");
    works("trapeze bench -r eisner -s log --lengths l.txt --batch 3 --time 0.001 --format tsv");
    assert_int_equal(cut(out, 1, cell), 17);
    assert_string_equal(cell[6], "3");
}

/* Every element that is opened is closed, in order; attributes are quoted. */
static void assert_well_formed(const char *text) {
    char open[16][32];
    size_t depth = 0;
    for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at, '<')) {
        const char *end = need(strchr(at, '>'));
        size_t quotes = 0;
        for (const char *c = at; c < end; c++)
            quotes += *c == '"';
        assert_int_equal(quotes % 2, 0);
        size_t name = strcspn(at + 1 + (at[1] == '/'), " />");
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(open[depth]), name);
            assert_memory_equal(open[depth], at + 2, name);
        } else if (end[-1] != '/') {
            assert_true(depth < 16 && name < 32);
            snprintf(open[depth++], 32, "%.*s", (int)name, at + 1);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

TEST(plot) {
    works(
        "trapeze bench -r eisner,compress -s max,log -n 2,4,8 --time 0.001 --plot p.svg -f tsv && "
        "cat p.svg >&2");
    assert_int_equal(strncmp(err, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39), 0);
    assert_well_formed(err);
    assert_int_equal(occurrences(err, "<polyline"), 4);
    assert_int_equal(occurrences(err, "<circle"), 12);
    assert_contains(err, ">compress x log, f64, value, batch 64<");
    assert_lacks(err, "nan");
    assert_lacks(err, "inf");
    refused("p.svg: no row can be drawn",
            "trapeze bench -r eisner -s max -n 0 --time 0.001 --plot p.svg");
}

TESTS_BETWEEN(shell_setup, shell_teardown)
