/* test_hardening.c - is the command built with what -Dhardening promises? It asks readelf, and is
 * skipped where there is none or the option is off. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"

static void assert_shows(const char *what, const char *why) {
    if (strstr(out, what) == NULL)
        fail_msg("%s: no '%s' in what readelf shows", why, what);
}

TEST(command) {
    if (!TZ_HARDENING)
        skip();
    shell("readelf -hldW " TZ_COMMAND " && readelf --dyn-syms -W " TZ_COMMAND);
    if (code != 0)
        skip();
    assert_shows("DYN (", "position-independent");
    assert_shows("GNU_RELRO", "tables of addresses are closed");
    assert_shows("BIND_NOW", "before anything runs");
    assert_shows("__stack_chk_fail", "stack protector");
    if (TZ_HARDENING > 1)
        assert_shows("printf_chk", "_FORTIFY_SOURCE");
}

TESTS_BETWEEN(shell_setup, shell_teardown)
