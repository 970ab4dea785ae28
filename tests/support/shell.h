/* shell.h - commands as a user types them: run by the shell in a folder of their own, with
 * `trapeze` in the PATH. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_SHELL_H
#define TZ_TESTS_SUPPORT_SHELL_H

#include "tests/support/texts.h"

enum { SHELL_OUT = 1 << 20, SHELL_ERR = 1 << 16 };

/* What the last command wrote and returned. */
extern char out[SHELL_OUT], err[SHELL_ERR];
extern int code;

/* Makes the folder and goes there; 0 if that worked. */
int shell_setup(void **state);
/* Removes it with all that is in it. */
int shell_teardown(void **state);

/* Runs a command line. */
void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void write_file(const char *name, const char *text);

/* The last command returned 0, had nothing to say, and printed this. */
void assert_result(const char *expected);
/* The same, but every number may be off by `tolerance`. */
void assert_result_near(const char *expected, double tolerance);
/* The last command returned 1; `message` is part of what it said. */
void assert_refused(const char *message);
/* It returned 2 and printed nothing; likewise. */
void assert_usage(const char *message);

/* Run a command line and look at it as these do; works: it returned 0, whatever it said. */
void works(const char *format, ...) __attribute__((format(printf, 1, 2)));
void prints(const char *expected, const char *format, ...) __attribute__((format(printf, 2, 3)));
void refused(const char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));
void usage(const char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
