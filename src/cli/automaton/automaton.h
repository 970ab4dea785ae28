/* automaton.h - what the actions of `trapeze automaton` share. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_AUTOMATON_AUTOMATON_H
#define TZ_CLI_AUTOMATON_AUTOMATON_H

#include <trapeze/automaton.h>

#include "cli/cli.h"

/* Automata as a command line names them, and how their files are to be read. */
typedef struct tz_automaton_choice {
    const char *file, *second, *inputs, *outputs;
    int weights; /* -1: not said */
    bool transducer;
} tz_automaton_choice;

/* The first options of every action. */
enum {
    TZ_AUTOMATON_WEIGHTS,
    TZ_AUTOMATON_TRANSDUCER,
    TZ_AUTOMATON_INPUTS,
    TZ_AUTOMATON_OUTPUTS,
    TZ_AUTOMATON_OPTIONS
};
/* `automaton` of the settings `type` is a tz_automaton_choice. */
#define TZ_AUTOMATON_OPTION_ROWS(type)                                                             \
    [TZ_AUTOMATON_WEIGHTS] = {"weights", 'w', "costs|logs|probabilities",                          \
                              "what the numbers are: negative natural logs, natural\n"             \
                              "logs, or probabilities",                                            \
                              TZ_CHOICE_AT(type, automaton.weights, 0)},                           \
    [TZ_AUTOMATON_TRANSDUCER] = {"transducer", 't', NULL, "arcs have two labels",                  \
                                 TZ_FLAG_AT(type, automaton.transducer)},                          \
    [TZ_AUTOMATON_INPUTS] = {"inputs", 0, "FILE", "the symbol table of labels that are read",      \
                             TZ_TEXT_AT(type, automaton.inputs)},                                  \
    [TZ_AUTOMATON_OUTPUTS] = {"outputs", 0, "FILE",                                                \
                              "the symbol table of labels that a transducer writes",               \
                              TZ_TEXT_AT(type, automaton.outputs)}

#define TZ_WHICH_AUTOMATON "which automaton? Name a file"

/* Reads it, from this file. 0, or the exit code after a message. */
int tz_automaton_open(const char *command, const tz_automaton_choice *choice, const char *file,
                      tz_automaton **ret);

/* paths.c */
int tz_cli_automaton_paths(int argc, char **argv);

#endif
