/* test.h - what every test begins with: cmocka and what its header takes for granted.
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

/* What the program does: runs these tests, of which `names` lists the names as C has them. */
static inline int run_listed(const CMUnitTestFunction *test, size_t count, const char *names,
                             CMFixtureFunction setup, CMFixtureFunction teardown) {
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    char *list = strdup(names), *rest = list;
    int failed = -1;
    for (size_t t = 0; tests != NULL && list != NULL && t < count; t++)
        tests[t] = (struct CMUnitTest){.name = strtok_r(t == 0 ? list : NULL, ", \n", &rest),
                                       .test_func = test[t]};
    if (tests != NULL && list != NULL)
        failed = _cmocka_run_group_tests("tests", tests, count, setup, teardown);
    free(list);
    free(tests);
    return failed;
}

/* RUN_TESTS(a, b, c): a program of these tests. */
#define RUN_TESTS(...) RUN_TESTS_WITH(NULL, NULL, __VA_ARGS__)
/* The same between a setup and a teardown of all together. */
#define RUN_TESTS_WITH(setup, teardown, ...)                                                       \
    int main(void) {                                                                               \
        static const CMUnitTestFunction test[] = {__VA_ARGS__};                                    \
        return run_listed(test, sizeof test / sizeof *test, #__VA_ARGS__, setup, teardown);        \
    }

#endif
