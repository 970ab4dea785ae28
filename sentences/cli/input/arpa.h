/* arpa.h - language models as arguments. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_ARPA_H
#define TZ_SENTENCES_CLI_INPUT_ARPA_H

#include "sentences/lm/lm.h"

/* An ARPA file, "-" for standard input, with the note below. Returns 0, or the exit code after a
 * message. */
int tz_arpa_read(const char *command, const char *name, tz_lm **ret_lm);
/* Says what unknown words count for, where the file does not. */
void tz_arpa_note(const char *command, const char *name, const tz_lm *lm);

#endif
