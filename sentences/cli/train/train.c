/* train.c - `trapeze train TASK ...`: one table. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train.h"

#include <string.h>

#include "cli/cli.h"
#include "ranks/ranks.h"

static const tz_action trainers[] = {
    {"tagger", "part-of-speech tags (UPOS), from CoNLL-U", tz_cli_train_tagger},
    {"fine-tagger", "the treebank's own tags (XPOS), from CoNLL-U", tz_cli_train_fine_tagger},
    {"joint-tagger", "both tags of a word together, from CoNLL-U", tz_cli_train_joint_tagger},
    {"parser", "dependency trees, from CoNLL-U", tz_cli_train_parser},
    {"splitter", "where sentences end, from CoNLL-U", tz_cli_train_splitter},
    {"tokeniser", "where words end in text, from CoNLL-U", tz_cli_train_tokeniser},
    {"labeller", "labels of arcs (DEPREL), from CoNLL-U", tz_cli_train_labeller},
    {"compressor", "sentence compression, from parsed pairs", tz_cli_train_compressor},
    {"deletions", "which constituents can go, for `compress --with deletions`",
     tz_cli_train_deletions},
    {"grammar", "a dependency grammar for the compressor, from CoNLL-U", tz_cli_train_grammar},
    {"dictionary", "which tags words have, for the joint tagger, from CoNLL-U",
     tz_cli_train_dictionary},
    {"pcfg", "a grammar of constituents, from trees in brackets", tz_cli_train_pcfg},
    {"lm", "n-gram language models, from text", tz_cli_train_lm},
    {"bigrams", "a language model for the compressor, from one of `lm`", tz_cli_train_bigrams},
    {"aligner", "words of abstracts with those of their documents, from texts",
     tz_cli_train_aligner},
};

/* Of these rank 0 does all; the others are over in seconds. */
static bool is_alone(const char *name) {
    static const char *const alone[] = {"grammar", "dictionary", "pcfg", "bigrams"};
    bool found = false;
    for (size_t a = 0; a < sizeof alone / sizeof *alone; a++)
        found |= strcmp(name, alone[a]) == 0;
    return found;
}

int tz_cli_train(int argc, char **argv) {
    if (tz_rank() > 0 && argc > 1 && is_alone(argv[1]))
        return 0;
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
