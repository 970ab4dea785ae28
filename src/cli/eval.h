/* eval.h - what `trapeze eval` evaluates besides CoNLL-U files. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_EVAL_H
#define TZ_CLI_EVAL_H

/* argv[0] is "lm". Returns the exit code. */
int tz_cli_eval_lm(int argc, char **argv);

#endif
