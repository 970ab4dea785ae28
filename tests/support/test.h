/* test.h - what every test begins with: cmocka and what its header takes for granted.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_TEST_H
#define TZ_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
