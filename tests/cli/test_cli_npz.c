/* test_cli_npz.c - does `trapeze run` take arrays from any file, and say what is wrong with those
 * that it cannot answer?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/npz_make.h"
#include "tests/support/shell.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- A small file, and what can be wrong with it ------------------------------------------- */

/* Its trees: 0>1 0>2, score 3; 0>1>2, 4; 0>2>1, 6. Twice, then one with nothing to attach to. */
static const double arc[] = {0, 1, 2, 0, 0, 3,         0,         4,         0, 0, 1, 2, 0, 0,
                             3, 0, 4, 0, 0, -INFINITY, -INFINITY, -INFINITY, 0, 3, 0, 4, 0};
static const double twos[] = {2, 2, 2};
static const npy_array small_n = {
    .name = "n", .descr = "<i8", .rank = 1, .extent = {3}, .number = twos};
static const npy_array small_arc = {
    .name = "arc", .descr = "<f8", .rank = 3, .extent = {3, 3, 3}, .number = arc};

static void write_two(const char *path, const npy_array *n, const npy_array *scores) {
    const npy_array array[] = {*n, *scores};
    npz_make(path, STORED, array, 2);
}

static const char small_results[] = "{\"id\":0,\"n\":2,\"value\":6}\n"
                                    "{\"id\":1,\"n\":2,\"value\":6}\n"
                                    "{\"id\":2,\"n\":2,\"value\":null}\n";

/* Files are told by what is in them; standard input and pipes are files. */
TEST(inputs) {
    write_two("x.npz", &small_n, &small_arc);
    prints(small_results, "trapeze run -r eisner -s max x.npz");
    prints(small_results, "cp x.npz arrays && trapeze run -r eisner -s max arrays");
    prints(small_results, "trapeze run -r eisner -s max <x.npz");
    prints(small_results, "cat x.npz | trapeze run -r eisner -s max");
    prints("",
           "cat x.npz | trapeze run -r eisner -s max -o y.npz - && trapeze run -r eisner -s max "
           "--batch=1 -o z.npz x.npz && cmp z.npz y.npz");
    shell("ls -A | grep -c '^[.]trapeze-'"); /* temporary files */
    assert_string_equal(out, "0\n");

    /* One length for all. */
    double two = 2;
    npy_array n = {.name = "n", .descr = "|u1", .number = &two};
    write_two("x.npz", &n, &small_arc);
    prints(small_results, "trapeze run -r eisner -s max x.npz");

    /* No problems, no results. */
    npy_array none = small_n, nothing = small_arc;
    none.extent[0] = nothing.extent[0] = 0;
    write_two("x.npz", &none, &nothing);
    prints("", "trapeze run -r eisner -s log x.npz");
    prints("", "trapeze run -r eisner -s log --marginals -o y.npz x.npz");
    tz_npy npy;
    free(npz_load("y.npz", "marginals.arc", &npy));
    assert_int_equal(npy.extent[0], 0);
    assert_int_equal(npy.extent[2], 3);
}

/* Cells that are used more often than a byte says: the array has wider numbers, and the same bytes
 * however many problems are read at once. */
TEST(wide_counts) {
    static const double n[] = {3, 300, 5, 70000, 0}, pen[] = {-1, -1, -1, -1, -1};
    static const char *const type[] = {"", "|u1", "<u2", "<u2", "<u4", "<u4"};
    write_file("w.rules",
               "rules w\nstructures derivations\nlength n\nweight pen\nitem at[i] 0 <= i <= n\n"
               "goal at[n]\n\n  axiom\n  --- s\n  at[0]\n\n  at[i-1]\n  --- t * pen\n"
               "  at[i]\n");
    for (size_t count = 1; count <= COUNT(n); count++) {
        const npy_array array[] = {
            {.name = "n", .descr = "<i8", .rank = 1, .extent = {count}, .number = n},
            {.name = "pen", .descr = "<f8", .rank = 1, .extent = {count}, .number = pen}};
        npz_make("x.npz", STORED, array, 2);
        prints("",
               "trapeze run -r w.rules -s max --best --kbest 2 -o y.npz x.npz && trapeze run -r "
               "w.rules -s max --best --kbest 2 --batch 1 -o z.npz x.npz && cmp z.npz y.npz && "
               "trapeze run -r w.rules -s max --best --kbest 2 --batch 2 --threads 2 -o z.npz "
               "x.npz && cmp z.npz y.npz");
        tz_npy npy;
        double *best = npz_load("y.npz", "best.pen", &npy);
        assert_string_equal(npy.descr, type[count]);
        for (size_t p = 0; p < count; p++)
            assert_true(best[p] == n[p]);
        free(best);
        double *kbest = npz_load("y.npz", "kbest.pen", &npy);
        assert_string_equal(npy.descr, type[count]);
        for (size_t p = 0; p < count; p++)
            assert_true(kbest[2 * p] == n[p] && kbest[2 * p + 1] == 0);
        free(kbest);
    }
}

TEST(usage) {
    write_two("x.npz", &small_n, &small_arc);
    write_file("x.jsonl", "{\"n\":0,\"arc\":[]}\n");
    usage("-o writes arrays: give it a name that ends in .npz, not 'y'",
          "trapeze run -r eisner -s max -o y x.npz");
    usage("--derivation is a tree, which no array holds; leave -o out",
          "trapeze run -r eisner -s max --derivation -o y.npz x.npz");
    usage("-o takes problems from a .npz file; results for JSON Lines go to standard out",
          "trapeze run -r eisner -s max -o y.npz x.jsonl");
    refused("absent/y.npz: cannot write: No such file or directory",
            "trapeze run -r eisner -s max -o absent/y.npz x.npz");
    refused("x.npz: cannot be read as .npz: ",
            "mv x.jsonl x.npz && trapeze run -r eisner -s max x.npz");
    assert_contains(err, "; write it with numpy.savez");
    refused("absent.npz: No such file or directory", "trapeze run -r eisner -s max absent.npz");
    if (access("/dev/full", W_OK) == 0) {
        write_two("x.npz", &small_n, &small_arc);
        refused("cannot write the results", "trapeze run -r eisner -s max x.npz >/dev/full");
    }
}

/* Nothing can be answered: an array is missing or cannot be. */
TEST(wrong_arrays) {
    static const struct {
        npy_array n, arc;
        const char *message;
    } wrong[] = {
        {{.name = "m", .descr = "<i8", .rank = 1, .extent = {3}},
         {.name = "arc", .descr = "<f8"},
         "array 'n': missing; give it as integers [problems], or one number (arrays there are: m, "
         "arc)"},
        {{.name = "n", .descr = "<f8", .rank = 1, .extent = {3}},
         {.name = "arc", .descr = "<f8"},
         "array 'n': numbers of type '<f8', but a length is an integer: save n.astype('int32')"},
        {{.name = "n", .descr = "<i8", .rank = 2, .extent = {3, 1}},
         {.name = "arc", .descr = "<f8"},
         "array 'n': 2 axes; give it as integers [problems], or one number"},
        {{.name = "n", .descr = "<i8", .rank = 1, .extent = {3}},
         {.name = "arcs", .descr = "<f8"},
         "array 'arc': missing; give it as float32 or float64 [problems, h, m] (arrays there are: "
         "n, arcs)"},
        {{.name = "n", .descr = "<i8", .rank = 1, .extent = {3}},
         {.name = "arc", .descr = "<f2"},
         "array 'arc': numbers of type '<f2', but scores are float32 or float64: save "
         "arc.astype('float64')"},
        {{.name = "n", .descr = "<i8", .rank = 1, .extent = {3}},
         {.name = "arc", .descr = "|O"},
         "array 'arc': numbers of type '|O', but scores are float32 or float64"},
        {{.name = "n", .descr = "<i8", .rank = 1, .extent = {3}},
         {.name = "arc", .descr = "<f8", .rank = 2, .extent = {3, 9}},
         "array 'arc': 2 axes; give it as float32 or float64 [problems, h, m]"},
        {{.name = "n", .descr = "<i8", .rank = 1, .extent = {3}},
         {.name = "arc", .descr = "<f8", .rank = 3, .extent = {4, 3, 3}},
         "array 'arc': it is of 4 problems (its first axis), but 'n' is of 3; give them the same"},
        {{.name = "n", .descr = "<i8"},
         {.name = "arc", .descr = "<f8", .rank = 3, .extent = {1u << 30, 0, 0}},
         "array 'arc': 1073741824 problems without a number; give lengths [problems]"},
        {{.name = "n", .descr = "<i8"},
         {.name = "arc", .descr = "<f8", .rank = 3, .extent = {0, 1u << 31, 1}},
         "array 'arc': axis 1 has more than 2147483647 positions"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        write_two("x.npz", &wrong[i].n, &wrong[i].arc);
        unlink("y.npz");
        refused(wrong[i].message, "trapeze run -r eisner -s max --keep-going -o y.npz x.npz");
        assert_contains(err, "x.npz: ");
        assert_int_equal(access("y.npz", F_OK), -1);
    }
}

/* What entropy takes besides scores, and what it gives; lists of a row that could not be answered.
 */
TEST(inputs_of_semirings) {
    static const double half[27] = {0, 1, 2}; /* of the second and third problem: nothing */
    npy_array cost = small_arc, wrong = small_arc;
    tz_npy npy;
    cost.name = "arc.cost";
    cost.number = half;
    npy_array array[] = {small_n, small_arc, cost};
    npz_make("x.npz", STORED, array, 3);
    prints("", "trapeze run -r eisner -s entropy -o y.npz x.npz");
    double *found = npz_load("y.npz", "cost", &npy), total = exp(3) + exp(4) + exp(6);
    assert_int_equal(npy.extent[0], 3);
    assert_float_equal(found[0], (3 * exp(3) + exp(4) + 2 * exp(6)) / total, 1e-12);
    assert_true(found[1] == 0 && found[2] == 0);
    free(found);
    shell("trapeze run -r eisner -s max x.npz"); /* which has no use for costs */
    assert_result(small_results);

    wrong.name = "arc.cost";
    wrong.descr = "<i4";
    array[2] = wrong;
    npz_make("x.npz", STORED, array, 3);
    refused("x.npz: array 'arc.cost': numbers of type '<i4', but these are float32 or",
            "trapeze run -r eisner -s entropy x.npz");
    wrong.descr = "<f8";
    wrong.extent[0] = 2;
    array[2] = wrong;
    npz_make("x.npz", STORED, array, 3);
    refused("array 'arc.cost': it is of 2 problems (its first axis), but 'arc' is of 3",
            "trapeze run -r eisner -s entropy x.npz");
    wrong = cost;
    wrong.extent[1] = wrong.extent[2] = 2;
    array[2] = wrong;
    npz_make("x.npz", STORED, array, 3);
    refused("x.npz: row 0: arc.cost: axis 1 has 2 positions; for n = 2 it needs 3 (h from",
            "trapeze run -r eisner -s entropy x.npz");

    double nan_arc[27];
    npy_array scores = small_arc;
    memcpy(nan_arc, arc, sizeof nan_arc);
    nan_arc[9 + 1] = NAN;
    scores.number = nan_arc;
    write_two("x.npz", &small_n, &scores);
    refused("1 row could not be answered; see NaN in the results",
            "trapeze run -r eisner -s max --kbest 2 --keep-going -o y.npz x.npz");
    found = npz_load("y.npz", "kbest.score", &npy);
    assert_int_equal(npy.extent[1], 2);
    assert_true(found[0] == 6 && found[1] == 4 && isnan(found[2]) && isnan(found[3]));
    assert_true(found[4] == -INFINITY && found[5] == -INFINITY);
    free(found);
    found = npz_load("y.npz", "kbest.arc", &npy);
    assert_int_equal(npy.rank, 4);
    assert_true(found[2] == 1 && found[7] == 1 && found[9 + 1] == 1 && found[9 + 5] == 1);
    for (size_t i = 18; i < 54; i++)
        assert_true(found[i] == 0);
    free(found);
}

/* Arrays have rows of one size, and no facts. */
TEST(lists_refused) {
    write_two("x.npz", &small_n, &small_arc);
    usage("-o needs a number as the limit in resource(kept,n), since an array has rows of",
          "trapeze run -r compress -s 'resource(kept,n)' -o y.npz x.npz");
    usage("--best with -o under resource(..) needs --amount A",
          "trapeze run -r compress -s 'resource(kept,2)' --best -o y.npz x.npz");
}

/* Rows that are wrong: the others are answered. */
TEST(wrong_rows) {
    static const struct {
        double n, score;
        const char *message;
    } wrong[] = {
        {-1, 1, "x.npz: row 1: n is -1: a length is 0 to 1048576"},
        {9e15, 1, "x.npz: row 1: n is at least 2147483647: a length is 0 to 1048576"},
        {3, 1, "x.npz: row 1: arc: axis 1 has 3 positions; for n = 3 it needs 4 (h from 0 to 3)"},
        {2, NAN, "x.npz: row 1: arc[0,1] is NaN"},
        {2, INFINITY, "x.npz: row 1: arc[0,1] is +infinity"},
        {2, 1e300, "x.npz: row 1: arc[0,1] is 1e+300: beyond"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        for (int batch = 1; batch <= 3; batch++) {
            double length[] = {2, wrong[i].n, 2}, score[COUNT(arc)];
            npy_array n = small_n, scores = small_arc;
            tz_npy npy;
            memcpy(score, arc, sizeof score);
            score[9 + 1] = wrong[i].score;
            n.number = length;
            scores.number = score;
            write_two("x.npz", &n, &scores);

            refused(wrong[i].message, "trapeze run -r eisner -s max --batch %d x.npz", batch);
            assert_string_equal(out, "{\"id\":0,\"n\":2,\"value\":6}\n");
            refused("x.npz: 1 row could not be answered; see \"error\" in the results",
                    "trapeze run -r eisner -s max --keep-going --batch %d x.npz", batch);
            assert_contains(out, "{\"id\":1,\"error\":\"x.npz: row 1: ");
            assert_contains(out, "{\"id\":2,\"n\":2,\"value\":null}\n");

            unlink("y.npz");
            refused(wrong[i].message,
                    "trapeze run -r eisner -s max --best --batch %d -o y.npz x.npz", batch);
            assert_contains(err, "y.npz has the first 1 of 3 rows");
            double *value = npz_load("y.npz", "value", &npy);
            assert_int_equal(npy.extent[0], 1);
            assert_true(value[0] == 6);
            free(value);

            refused(
                wrong[i].message,
                "trapeze run -r eisner -s max --best --max-marginals --keep-going --batch %d -o "
                "y.npz x.npz",
                batch);
            assert_contains(err, "x.npz: 1 row could not be answered; see NaN in the results");
            value = npz_load("y.npz", "value", &npy);
            FREED(double, uses) = npz_load("y.npz", "best.arc", &npy);
            FREED(double, through) = npz_load("y.npz", "max_marginals.arc", &npy);
            assert_int_equal(npy.extent[0], 3);
            assert_true(value[0] == 6 && isnan(value[1]) && value[2] == -INFINITY);
            for (int c = 0; c < 9; c++) {
                assert_true(uses[c] == (c == 2 || c == 7));
                assert_true(uses[9 + c] == 0 && uses[18 + c] == 0);
                assert_true(isnan(through[9 + c]) && through[18 + c] == -INFINITY);
            }
            free(value);
        }
    /* The first is wrong: nothing is written. */
    double length[] = {-1, 2, 2};
    npy_array n = small_n;
    n.number = length;
    write_two("x.npz", &n, &small_arc);
    unlink("y.npz");
    refused("row 0: n is -1", "trapeze run -r eisner -s max -o y.npz x.npz");
    assert_int_equal(access("y.npz", F_OK), -1);
}

/* A file that is wrong throughout does not flood the terminal. */
TEST(many_wrong_rows) {
    enum { ROWS = 12 };
    double length[ROWS];
    for (int row = 0; row < ROWS; row++)
        length[row] = -1;
    npy_array n = small_n, scores = small_arc;
    n.number = length;
    n.extent[0] = scores.extent[0] = ROWS;
    scores.number = NULL;
    write_two("x.npz", &n, &scores);
    refused("row 9: n is -1: a length is 0 to 1048576 (more such rows are not shown)",
            "trapeze run -r eisner -s max --keep-going -o y.npz x.npz");
    assert_lacks(err, "row 10:");
    assert_contains(err, "x.npz: 12 rows could not be answered; see NaN in the results");
}

/* The file ends, or is damaged, behind the first batch: what has been answered stays. */
TEST(damage) {
    tz_npy npy;
    write_two("x.npz", &small_n, &small_arc);
    assert_int_equal(patch("x.npz", (const char *)&arc[25], "\x01\x02\x03\x04\x05\x06\x07\x08", 8),
                     3);
    refused("x.npz: array 'arc': it is damaged: its checksum is not that of its bytes",
            "trapeze run -r eisner -s max --batch 1 x.npz");
    assert_int_equal(strncmp(out, "{\"id\":0,", 8), 0);
    assert_lacks(out, "\"id\":2");
    refused("array 'arc': it is damaged",
            "trapeze run -r eisner -s max --batch 2 --keep-going -o y.npz x.npz");
    assert_contains(err, "y.npz has the first 2 of 3 rows");
    free(npz_load("y.npz", "value", &npy));
    assert_int_equal(npy.extent[0], 2);
}

/* ---- Sparse weights ------------------------------------------------------------------------ */

TEST(sparse) {
    static const double one = 1, two = 2, span[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const struct {
        const char *descr;
        size_t entries, columns;
        double index[8];
        const char *message;
    } cases[] = {
        {"<i4", 2, 4, {0, 0, 0, 0, 2, 0, 0, 0}, NULL},
        {"<f4", 2, 4, {0}, "array 'binary.index': numbers of type '<f4', but indices are integers"},
        {"<i4", 2, 3, {0}, "array 'binary.index': give it as integers [entries, 4], the problem"},
        {"<i4", 1, 4, {0}, "array 'binary.index': 1 entries, but 'binary' has 2 scores"},
        {"<i4",
         2,
         4,
         {1, 0, 0, 0, 0, 0, 0, 0},
         "entry 1 is of problem 0, behind one of a later problem; sort index and scores by "
         "numpy.argsort(index[:, 0], kind='stable')"},
        {"<i4", 2, 4, {0, 0, 0, 0, 3, 0, 0, 0}, "entry 1 is of problem 3, but they are 0 to 2"},
        {"<i8",
         2,
         4,
         {0, 0, 0, 0, 0, 0, 0, 1099511627776.0},
         "x.npz: row 0: entry 1: binary[0,0,2147483647] lies outside the declared domain"},
        {"<i8", 2, 4, {1, 0, 0, 0, 1, 0, 0, 0}, "x.npz: row 1: entry 1 repeats binary[0,0,0]"},
    };
    const double score[] = {0.5, 0.25};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const npy_array array[] = {
            {.name = "n", .descr = "<i4", .number = &two},
            {.name = "T", .descr = "<i4", .number = &one},
            {.name = "span", .descr = "<f8", .rank = 4, .extent = {3, 1, 3, 3}, .number = span},
            {.name = "binary", .descr = "<f4", .rank = 1, .extent = {2}, .number = score},
            {.name = "binary.index",
             .descr = cases[i].descr,
             .rank = 2,
             .extent = {cases[i].entries, cases[i].columns},
             .number = cases[i].index},
        };
        npz_make("x.npz", STORED, array, COUNT(array));
        shell("trapeze run -r cky -s max --batch 2 x.npz");
        if (cases[i].message == NULL)
            assert_result("{\"id\":0,\"n\":2,\"T\":1,\"value\":0.5}\n"
                          "{\"id\":1,\"n\":2,\"T\":1,\"value\":null}\n"
                          "{\"id\":2,\"n\":2,\"T\":1,\"value\":0.25}\n");
        else
            assert_refused(cases[i].message);
        npz_make("x.npz", STORED, array, COUNT(array) - 1);
        refused("array 'binary.index': missing; give it as integers [entries, 4], the "
                "problem first (arrays there are: n, T, span, binary)",
                "trapeze run -r cky -s max x.npz");
    }
}

/* More uses than a byte counts. */
TEST(many_uses) {
    enum { N = 300 };
    static double zero[N + 1];
    const double n = N, one = 1;
    const npy_array array[] = {
        {.name = "n", .descr = "<i4", .number = &n},
        {.name = "T", .descr = "<i4", .number = &one},
        {.name = "start", .descr = "<f4", .rank = 2, .extent = {1, 1}, .number = zero},
        {.name = "trans", .descr = "<f4", .rank = 3, .extent = {1, 1, 1}, .number = zero},
        {.name = "emit", .descr = "<f4", .rank = 3, .extent = {1, N + 1, 1}, .number = zero},
    };
    tz_npy npy;
    npz_make("x.npz", STORED, array, COUNT(array));
    prints("", "trapeze run -r chain -s max --best -o y.npz x.npz");
    double *trans = npz_load("y.npz", "best.trans", &npy),
           *emit = npz_load("y.npz", "best.emit", &npy);
    assert_true(trans[0] == N - 1 && emit[0] == 0 && emit[1] == 1 && emit[N] == 1);
    free(trans);
    free(emit);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
