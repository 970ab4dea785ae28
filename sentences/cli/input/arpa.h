/* arpa.h - language models as arguments. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_ARPA_H
#define TZ_SENTENCES_CLI_INPUT_ARPA_H

#include "sentences/lm/lm.h"

/* Reads an ARPA file, "-" for standard input, and prints the note below. Returns 0, or the exit
 * code after a message. */
int tz_arpa_read(const char *command, const char *name, tz_lm **ret_lm);
/* Prints the probability used for unknown words, where the file has none. */
void tz_arpa_note(const char *command, const char *name, const tz_lm *lm);

#endif
