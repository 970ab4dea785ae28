/* arpa.c - see arpa.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/input/arpa.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/cli.h"

int tz_arpa_read(const char *command, const char *name, tz_lm **ret_lm) {
    bool standard = strcmp(name, "-") == 0;
    FILE *file = standard ? stdin : fopen(name, "rb");
    tz_error error = {TZ_OK, ""};
    *ret_lm = NULL;
    if (!file) {
        tz_message(command, "%s: %s", name, strerror(errno));
        return TZ_EXIT_INPUT;
    }
    const char *called = standard ? "standard input" : name;
    tz_status status = tz_lm_read(file, called, ret_lm, &error);
    if (!standard)
        fclose(file);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    tz_arpa_note(command, called, *ret_lm);
    return 0;
}

void tz_arpa_note(const char *command, const char *name, const tz_lm *lm) {
    double log_prob;
    if (tz_lm_floor(lm, &log_prob))
        tz_message(command,
                   "%s has no <unk>: words that it does not list count as the rarest that it "
                   "lists, log10 %.3g",
                   name, log_prob / M_LN10);
}
