/* shell.c - see shell.h. SPDX-License-Identifier: MIT */
#include "shell.h"

#include "tests/support/folder.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char out[SHELL_OUT], err[SHELL_ERR];
int code;

static void read_all(const char *name, char *text, size_t size) {
    OWN(FILE, file) = need(fopen(name, "rb"));
    size_t used = fread(text, 1, size - 1, file);
    assert_true(feof(file));
    text[used] = '\0';
}

static void run(const char *format, va_list arguments) {
    char line[8192];
    int size = snprintf(line, sizeof line, "exec >out 2>err\n");
    vsnprintf(line + size, sizeof line - (size_t)size, format, arguments);
    int status = system(line);
    assert_true(WIFEXITED(status));
    code = WEXITSTATUS(status);
    read_all("out", out, sizeof out);
    read_all("err", err, sizeof err);
}

/* Runs the command line of the function's arguments. */
#define RUN                                                                                        \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    run(format, arguments);                                                                        \
    va_end(arguments)

void shell(const char *format, ...) {
    RUN;
}

void works(const char *format, ...) {
    RUN;
    if (code != 0)
        fail_msg("exit %d, %s", code, err);
}

void prints(const char *expected, const char *format, ...) {
    RUN;
    assert_result(expected);
}

void refused(const char *message, const char *format, ...) {
    RUN;
    assert_refused(message);
}

void usage(const char *message, const char *format, ...) {
    RUN;
    assert_usage(message);
}

void write_file(const char *name, const char *text) {
    FILE *file = need(fopen(name, "wb"));
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

void assert_result(const char *expected) {
    if (code != 0 || err[0] != '\0' || strcmp(out, expected) != 0)
        fail_msg("exit %d, %s\nprinted  %s\nexpected %s", code, err, out, expected);
}

void assert_result_near(const char *expected, double tolerance) {
    const char *a = out, *b = expected;
    while (code == 0 && *a != '\0' && *b != '\0') {
        char *after_a, *after_b;
        double x = strtod(a, &after_a), y = strtod(b, &after_b);
        if (after_a == a || after_b == b) {
            if (*a++ != *b++)
                break;
        } else if (fabs(x - y) <= tolerance) {
            a = after_a;
            b = after_b;
        } else {
            break;
        }
    }
    if (code != 0 || *a != '\0' || *b != '\0')
        fail_msg("exit %d, %s\nprinted  %s\nexpected %s", code, err, out, expected);
}

void assert_usage(const char *message) {
    assert_int_equal(code, 2);
    assert_string_equal(out, "");
    assert_contains(err, message);
    assert_int_equal(strncmp(err, "trapeze", 7), 0);
}

void assert_refused(const char *message) {
    assert_int_equal(code, 1);
    assert_contains(err, message);
}

int shell_setup(void **state) {
    char path[4096], command[] = TZ_COMMAND;
    const char *old = getenv("PATH");
    char *slash = strrchr(command, '/');
    if (slash == NULL || folder_setup(state) != 0)
        return -1;
    *slash = '\0';
    snprintf(path, sizeof path, "%s:%s", command, old != NULL ? old : "/bin:/usr/bin");
    return setenv("PATH", path, 1);
}

int shell_teardown(void **state) {
    return folder_teardown(state);
}
