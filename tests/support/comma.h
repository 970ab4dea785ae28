/* comma.h - a locale that writes 1,5. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_COMMA_H
#define TZ_TESTS_SUPPORT_COMMA_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/test.h"

/* Uses such a locale, which is made in a folder that is removed again: few machines have one. Skips
 * where the C library does not bring localedef. */
static inline void use_comma(void) {
    char folder[] = "/tmp/trapeze-locale-XXXXXX", command[512];
    assert_non_null(mkdtemp(folder));
    /* It warns of all that is left out, and then fails. */
    snprintf(command, sizeof command,
             "cd %s && printf '%%s\\n' LC_NUMERIC 'decimal_point \",\"' 'thousands_sep \".\"' "
             "'grouping 3;3' 'END LC_NUMERIC' >source && "
             "{ localedef -c -i source ./comma >said 2>&1; test -f comma/LC_NUMERIC; }",
             folder);
    bool made = system(command) == 0;
    setenv("LOCPATH", folder, 1);
    const char *found = setlocale(LC_NUMERIC, "comma");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (!made) {
        print_message("# skipped: there is no localedef\n");
        skip();
    }
    assert_non_null(found);
    assert_string_equal(localeconv()->decimal_point, ",");
}

#endif
