/* messages.c - what the subcommands say. SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "ranks/ranks.h"

static void say(const char *command, const char *format, va_list arguments) {
    /* One write, so that lines of several processes do not mix. Control characters, which file
     * names and input can contain, would reach the terminal. */
    char line[2048];
    int size = snprintf(line, sizeof line, "%s: ", command);
    vsnprintf(line + size, sizeof line - (size_t)size, format, arguments);
    for (char *c = line; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    if (tz_ranks_says(line + size))
        fprintf(stderr, "%s\n", line);
}

void tz_message(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
}

int tz_usage_error(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
    if (tz_rank() == 0)
        fprintf(stderr, "Try '%s --help'.\n", command);
    return TZ_EXIT_USAGE;
}

int tz_failed(const char *command, tz_status status, const tz_error *opt_error) {
    bool told = opt_error != NULL && opt_error->message[0] != '\0';
    tz_message(command, "%s", told ? opt_error->message : tz_status_name(status));
    return TZ_EXIT_INPUT;
}

const char tz_no_input_of_ranks[] = "standard input reaches one process alone: name a FILE";

int tz_flush_results(const char *command) {
    /* fflush alone forgets a failure of an earlier write. */
    bool failed = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return 0;
    tz_message(command, "cannot write the results: %s",
               errno != 0 ? strerror(errno) : "an earlier write failed");
    return TZ_EXIT_INPUT;
}
