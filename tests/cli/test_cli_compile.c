/* test_cli_compile.c - does `trapeze rules compile` show what each pass of the compiler does, of
 * any rule set? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "rules/compile/compile.h"
#include "tests/support/shell.h"

TEST(order) {
    works("trapeze rules compile --after order eisner");
    assert_string_equal(err, "");
    assert_contains(out, "kinds\n"
                         "  rtri[i,j]; i >= 0, j-i >= 0, n-j >= 0; stage (j-i)\n");
    assert_contains(out,
                    "\n  (rtri ltri)[a0,a1]; a0 >= 0, a1-a0-1 >= 0, n-a1 >= 0; stage (a1-a0)\n");
    assert_contains(out, "steps\n"
                         "  rtri[i,i] += 1  # right-seed; i >= 0, n-i >= 0\n");
    assert_contains(out, "\n  rtrap[i,j] += (rtri ltri)[i,j] arc[i,j]  # attach-right; i >= 0, ");
    assert_contains(out, "\norder\n  (rtri ltri) rtrap rtri ltrap ltri\n");
    assert_null(strstr(out, "stands at"));
    assert_null(strstr(out, "for a"));
}

/* Before products are shared there are rules, and their side conditions are premises. */
TEST(rules) {
    works("trapeze rules compile --after=join-sides gallery/arc-eager");
    assert_contains(out, "\n  ([next])[a0]; a0-1 >= 0, n-a0 >= 0\n");
    assert_contains(out, "\nrules\n");
    assert_contains(out, "([next])[j]");
    assert_contains(out, "\nsteps\n  ([next])[j] += next[j]  # shift; ");
}

/* Each pass of each rule set prints something; the last has loops of all three kinds. */
TEST(passes) {
    shell("trapeze rules compile --help");
    for (size_t p = 0; tz_compile_pass(p) != NULL; p++)
        assert_contains(out, tz_compile_pass(p));
    for (size_t p = 0; tz_compile_pass(p) != NULL; p++) {
        static const char *const some[] = {"compress-sibling", "cky", "gallery/ctc",
                                           "gallery/cky-unary", "align-near"};
        for (size_t r = 0; r < sizeof some / sizeof *some; r++) {
            works("trapeze rules compile %s --after %s", some[r], tz_compile_pass(p));
            assert_string_equal(err, "");
            assert_contains(out, "kinds\n  ");
        }
    }
    shell("trapeze rules compile edit");
    assert_contains(out, "\n  edited[i,j]; i >= 0, n-i >= 0, j >= 0, m-j >= 0; stage (");
    assert_contains(out, "stands at (");
    assert_contains(out, "\ninside\n");
    assert_contains(out, "\noutside\n");
    assert_contains(out, "\nweights\n");
}

/* What one pass refuses can be looked at behind the one before. */
TEST(refused) {
#define UNORDERED TZ_SOURCE_ROOT "/tests/rules/bad/no-order.rules"
    works("trapeze rules compile " UNORDERED " --after fold");
    assert_contains(out, "\nsteps\n  ");
    shell("trapeze rules compile " UNORDERED " --after order");
    assert_int_equal(code, 1);
    assert_contains(err, "no-order.rules:");
    shell("trapeze rules compile " UNORDERED " --after nothing");
    assert_int_equal(code, 2);
    assert_contains(err, "no pass is called 'nothing'");
    shell("trapeze rules compile");
    assert_int_equal(code, 2);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
