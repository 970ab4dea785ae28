/* terminal.h - what a terminal on either side means for a command. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_TERMINAL_H
#define TZ_CLI_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The columns of the terminal that `file` is; 0: it is none, or does not tell. */
size_t tz_terminal_width(FILE *file);
/* Where standard input is a terminal: tells the person before it that the command reads there. */
void tz_tell_waiting(const char *command);

#endif
