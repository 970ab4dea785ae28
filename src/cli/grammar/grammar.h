/* grammar.h - what the actions of `trapeze grammar` share. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_GRAMMAR_GRAMMAR_H
#define TZ_CLI_GRAMMAR_GRAMMAR_H

#include <trapeze/grammar.h>

#include "cli/cli.h"

/* A grammar as a command line names it, and how its file is to be read. */
typedef struct tz_grammar_choice {
    const char *file;
    int notation, weights; /* -1: not said */
} tz_grammar_choice;

/* The first options of every action. */
enum { TZ_GRAMMAR_WEIGHTS, TZ_GRAMMAR_NOTATION, TZ_GRAMMAR_OPTIONS };
/* `grammar` of the settings `type` is a tz_grammar_choice. */
#define TZ_GRAMMAR_OPTION_ROWS(type)                                                               \
    [TZ_GRAMMAR_WEIGHTS] = {"weights", 'w', "probabilities|weights|logs|counts|uniform",           \
                            "what the numbers of the rules are: probabilities, which\n"            \
                            "sum to 1 for each symbol; any weights; logs of weights;\n"            \
                            "counts of a treebank; uniform: there are none",                       \
                            TZ_CHOICE_AT(type, grammar.weights, 0)},                               \
    [TZ_GRAMMAR_NOTATION] = {"notation", 0, "arrows|gbnf",                                         \
                             "notation of the file: NLTK's, with arrows, or that of\n"             \
                             "llama.cpp (by default gbnf where the name ends in .gbnf)",           \
                             TZ_CHOICE_AT(type, grammar.notation, 0)}
#define TZ_GRAMMAR_UNSAID .grammar = {NULL, -1, -1}
#define TZ_GRAMMAR_OPERAND(type)                                                                   \
    TZ_OPERANDS("one grammar", TZ_WHICH_GRAMMAR, 1, {offsetof(type, grammar.file)})
#define TZ_WHICH_GRAMMAR "which grammar? Name a file"

/* Is the notation, said or by default, that of GBNF? */
bool tz_grammar_is_gbnf(const tz_grammar_choice *choice);
/* Reads it. 0, or the exit code after a message. */
int tz_grammar_open(const char *command, const tz_grammar_choice *choice, tz_grammar **ret);

/* parse.c */
int tz_cli_grammar_parse(int argc, char **argv);

#endif
