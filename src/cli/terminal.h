/* terminal.h - terminals at a command's input and output. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_TERMINAL_H
#define TZ_CLI_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The columns of the terminal `file`; 0: it is no terminal, or does not tell. */
size_t tz_terminal_width(FILE *file);
/* If standard input is a terminal, tells the user that the command reads from it. */
void tz_tell_waiting(const char *command);

#endif
