/* test.h - what every test begins with: cmocka, what its header takes for granted, and TEST; what
 * is freed with its scope (own.h), and what is made (made.h).
 *
 *     TEST(name) { assert_true(1 + 1 == 2); }
 *
 * is a test of its program, which runs those of its file from the first to the last (test.c has
 * its main). A program that makes its tests as it goes has a main of its own, and no TEST.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TEST_H
#define TZ_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <trapeze/trapeze.h>

#include "own.h"

#define TEST(name) TEST_BETWEEN(NULL, NULL, name)
/* The same with a setup before it and a teardown after it. */
#define TEST_BETWEEN(setup, teardown, name)                                                        \
    static void test_##name(void **state);                                                         \
    __attribute__((constructor)) static void add_test_##name(void) {                               \
        add_test(__LINE__, (struct CMUnitTest){#name, test_##name, setup, teardown, NULL});        \
    }                                                                                              \
    static void test_##name(void **state __attribute__((unused)))

/* Once for a file: a setup before all of its tests, and a teardown after them. */
#define TESTS_BETWEEN(setup, teardown) tests_between around_tests = {setup, teardown};
/* Likewise: what is done before that. */
#define BEFORE_TESTS void before_tests(void)

void add_test(int line, struct CMUnitTest test);

typedef struct tests_between {
    CMFixtureFunction setup, teardown;
} tests_between;
extern tests_between around_tests;
void before_tests(void);

#include "made.h"

#endif
