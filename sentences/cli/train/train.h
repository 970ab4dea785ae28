/* train.h - the tasks of `trapeze train`. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_H

/* argv[0] is the name of the model trained. They return the exit code. */
int tz_cli_train_tagger(int argc, char **argv);
int tz_cli_train_fine_tagger(int argc, char **argv);
int tz_cli_train_joint_tagger(int argc, char **argv);
int tz_cli_train_splitter(int argc, char **argv);
int tz_cli_train_tokeniser(int argc, char **argv);
int tz_cli_train_labeller(int argc, char **argv);
int tz_cli_train_parser(int argc, char **argv);
int tz_cli_train_compressor(int argc, char **argv);
int tz_cli_train_deletions(int argc, char **argv);
int tz_cli_train_grammar(int argc, char **argv);
int tz_cli_train_dictionary(int argc, char **argv);
int tz_cli_train_pcfg(int argc, char **argv);
int tz_cli_train_bigrams(int argc, char **argv);
int tz_cli_train_lm(int argc, char **argv);
int tz_cli_train_aligner(int argc, char **argv);

#endif
