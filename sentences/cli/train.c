/* train.c - `trapeze train TASK ...`: one table. SPDX-License-Identifier: MIT */
#include "sentences/cli/train.h"

#include "cli/cli.h"

static const tz_action trainers[] = {
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

int tz_cli_train(int argc, char **argv) {
    static const tz_actions train = {
        .command = "trapeze train",
        .what = "task",
        .about = "Learn a model from data.\n",
        .notes = "Exit codes: 0, 1 (bad input), 2 (bad usage).\n",
        .action = trainers,
        .actions = sizeof trainers / sizeof *trainers,
    };
    return tz_run_action(&train, argc, argv);
}
