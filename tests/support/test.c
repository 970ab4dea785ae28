/* test.c - see test.h: runs the tests of a program. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

enum { TESTS = 64 };
static struct CMUnitTest test[TESTS];
static int line_of[TESTS];
static size_t tests;

__attribute__((weak)) tests_between around_tests = {NULL, NULL};
__attribute__((weak)) void before_tests(void) {}

/* Constructors of a file may be called in any order. */
void add_test(int line, struct CMUnitTest added) {
    if (tests == TESTS)
        abort();
    size_t t = tests++;
    for (; t > 0 && line_of[t - 1] > line; t--) {
        test[t] = test[t - 1];
        line_of[t] = line_of[t - 1];
    }
    test[t] = added;
    line_of[t] = line;
}

int main(void) {
    before_tests();
    return _cmocka_run_group_tests("tests", test, tests, around_tests.setup, around_tests.teardown);
}
