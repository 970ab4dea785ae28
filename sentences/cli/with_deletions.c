/* with_deletions.c - see with_deletions.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/with_deletions.h"

#include <string.h>

#include "base/number.h"

static const char *candidate(const void *list, size_t index) {
    static const char *const name[] = {"compressor", "deletions", NULL};
    (void)list;
    return name[index];
}

int tz_take_with(const tz_options *o, tz_with *with) {
    with->deletions = strcmp(o->value, "deletions") == 0;
    if (with->deletions || strcmp(o->value, "compressor") == 0)
        return 0;
    const char *near = tz_nearest(o->value, candidate, NULL);
    return tz_usage_error(o->command, "--with is compressor or deletions, not '%s'%s%s%s", o->value,
                          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int tz_take_decode(const tz_options *o, tz_with *with) {
    with->best = strcmp(o->value, "best") == 0;
    with->decoding = true;
    return with->best || strcmp(o->value, "marginal") == 0
               ? 0
               : tz_usage_error(o->command, "--decode is best or marginal, not '%s'", o->value);
}

int tz_take_threshold(const tz_options *o, tz_with *with) {
    with->limited = true;
    bool number = strlen(o->value) < TZ_NUMBER_SIZE &&
                  tz_number_read(o->value, strlen(o->value), &with->threshold);
    return number && with->threshold >= 0 && with->threshold <= 1
               ? 0
               : tz_usage_error(o->command, "--threshold takes a number from 0 to 1, not '%s'",
                                o->value);
}

int tz_check_with(const char *command, const tz_with *with, bool length) {
    if (!with->deletions && (with->decoding || with->limited))
        return tz_usage_error(command, "--decode and --threshold are for --with=deletions");
    if (with->best && with->limited)
        return tz_usage_error(command, "--threshold is for --decode=marginal, not for best");
    if (length && !with->best && (with->decoding || with->limited)) {
        return tz_usage_error(command, "of a given length, the likeliest choice of words is found: "
                                       "--decode=best, without --threshold");
    }
    return 0;
}

tz_stage tz_with_stage(const tz_with *with) {
    return with->deletions ? TZ_STAGE_DELETE : TZ_STAGE_COMPRESS;
}

void tz_set_with(const tz_with *with, const tz_analyser *analyser) {
    if (tz_analyser_deleter(analyser)) {
        tz_deleter_set(tz_analyser_deleter(analyser),
                       with->best ? TZ_DELETE_BY_BEST : TZ_DELETE_BY_MARGINALS,
                       with->limited ? with->threshold : -1);
    }
}
