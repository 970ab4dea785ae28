/* eval.c - `trapeze eval`: what was found against what is right. SPDX-License-Identifier: MIT */
#include "sentences/cli/eval/eval.h"

static const tz_action evaluations[] = {
    {"tagger", "tags (UPOS, XPOS) of CoNLL-U files", tz_cli_eval_treebank},
    {"parser", "heads and labels of CoNLL-U files", tz_cli_eval_treebank},
    {"words", "CoNLL-U files of the same text, cut into other words", tz_cli_eval_words},
    {"compression", "compressions, in JSON Lines or text", tz_cli_eval_compression},
    {"compressor", "a model, by compressing sentences with known compressions",
     tz_cli_eval_compressor},
    {"text", "how compressions are printed, beside their references", tz_cli_eval_text},
    {"lm", "how well a language model predicts text", tz_cli_eval_lm},
    {"alignment", "links between words", tz_cli_eval_alignment},
    {"trees", "trees of constituents, in brackets", tz_cli_eval_trees},
};

int tz_cli_eval(int argc, char **argv) {
    static const tz_actions eval = {
        .command = "trapeze eval",
        .what = "task",
        .about = "Compare what was found with what is right.\n",
        .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .action = evaluations,
        .actions = sizeof evaluations / sizeof *evaluations,
    };
    return tz_run_action(&eval, argc, argv);
}
