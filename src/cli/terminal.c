/* terminal.c - see terminal.h. SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

size_t tz_terminal_width(FILE *file) {
    struct winsize window = {0};
    if (isatty(fileno(file)) == 0 || ioctl(fileno(file), TIOCGWINSZ, &window) != 0)
        return 0;
    return window.ws_col;
}

void tz_tell_waiting(const char *command) {
    if (isatty(STDIN_FILENO))
        tz_message(command, "reading what you type (Ctrl-D ends it); give a FILE to read that");
}
