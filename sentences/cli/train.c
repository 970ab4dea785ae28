/* train.c - `trapeze train WHAT ...`: one table, one dispatch. SPDX-License-Identifier: MIT */
#include "sentences/cli/train.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

typedef struct trainer {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} trainer;

static const trainer trainers[] = {
    {"tagger", "part-of-speech tags (UPOS), from CoNLL-U", tz_cli_train_tagger},
    {"fine-tagger", "the treebank's own tags (XPOS), from CoNLL-U", tz_cli_train_fine_tagger},
    {"parser", "dependency trees, from CoNLL-U", tz_cli_train_parser},
    {"labeller", "labels of arcs (DEPREL), from CoNLL-U", tz_cli_train_labeller},
    {"compressor", "sentence compression, from parsed pairs", tz_cli_train_compressor},
    {"deletions", "which constituents can go, for `compress --with deletions`",
     tz_cli_train_deletions},
    {"grammar", "a dependency grammar for the compressor, from CoNLL-U", tz_cli_train_grammar},
    {"pcfg", "a grammar of constituents, from trees in brackets", tz_cli_train_pcfg},
    {"lm", "n-gram language models, from text", tz_cli_train_lm},
    {"bigrams", "a language model for the compressor, from one of `lm`", tz_cli_train_bigrams},
    {"aligner", "words of abstracts with those of their documents, from texts",
     tz_cli_train_aligner},
};
enum { TRAINERS = sizeof trainers / sizeof *trainers };

static const char *trainer_name(const void *list, size_t index) {
    (void)list;
    return index < TRAINERS ? trainers[index].name : NULL;
}

static void print_help(FILE *file) {
    fprintf(file, "Usage: trapeze train WHAT [OPTION]... FILE\n"
                  "Learn a model from data.\n\n");
    for (size_t i = 0; i < TRAINERS; i++)
        fprintf(file, "  %-13s%s\n", trainers[i].name, trainers[i].summary);
    fprintf(file, "\n'trapeze train WHAT --help' explains one.\n"
                  "Exit codes: 0, 1 (bad input), 2 (bad usage).\n");
}

int tz_cli_train(int argc, char **argv) {
    static const char command[] = "trapeze train";
    if (argc < 2)
        return tz_usage_error(command, "say what to train");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        printf("trapeze %s\n", tz_version());
        return 0;
    }
    for (size_t i = 0; i < TRAINERS; i++)
        if (strcmp(name, trainers[i].name) == 0)
            return trainers[i].run(argc - 1, argv + 1);
    const char *near = tz_nearest(name, trainer_name, NULL);
    if (near)
        return tz_usage_error(command, "cannot train '%s'; did you mean '%s'?", name, near);
    return tz_usage_error(command, "cannot train '%s'", name);
}
