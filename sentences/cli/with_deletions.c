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

/* name: of the option, which takes a number. */
static int take_number(const tz_options *o, const char *name, long low, long high, double *ret) {
    bool number =
        strlen(o->value) < TZ_NUMBER_SIZE && tz_number_read(o->value, strlen(o->value), ret);
    return number && *ret >= (double)low && *ret <= (double)high
               ? 0
               : tz_usage_error(o->command, "--%s takes a number from %ld to %ld, not '%s'", name,
                                low, high, o->value);
}

int tz_take_threshold(const tz_options *o, tz_with *with) {
    with->limited = true;
    return take_number(o, "threshold", 0, 1, &with->threshold);
}

int tz_take_bigrams(const tz_options *o, tz_with *with) {
    with->weighted = true;
    return take_number(o, "bigrams", 0, 100, &with->bigrams);
}

int tz_take_bonus(const tz_options *o, tz_with *with) {
    with->weighted = true;
    return take_number(o, "bonus", -100, 100, &with->bonus);
}

int tz_take_trees(const tz_options *o, tz_with *with) {
    with->trees = true;
    with->all = strcmp(o->value, "all") == 0;
    return with->all || strcmp(o->value, "best") == 0
               ? 0
               : tz_usage_error(o->command, "--trees is best or all, not '%s'", o->value);
}

int tz_take_lm_weight(const tz_options *o, tz_with *with) {
    with->rescoring = true;
    return take_number(o, "lm-weight", 0, 100, &with->lm_weight);
}

int tz_take_candidates(const tz_options *o, int which, tz_with *with) {
    with->rescoring = true;
    return tz_option_number(o, which, 1, 1000000, &with->candidates);
}

int tz_check_with(const char *command, const tz_with *with, bool length) {
    bool language = with->lm || with->rescoring;
    if (!with->deletions &&
        (with->decoding || with->limited || with->weighted || with->trees || language)) {
        return tz_usage_error(command, "--decode, --threshold, --bigrams, --bonus, --lm and "
                                       "--trees are for --with=deletions");
    }
    if (with->rescoring && !with->lm)
        return tz_usage_error(command, "--lm-weight and --candidates are for --lm");
    if (with->all && (with->bigrams != 0 || with->lm))
        return tz_usage_error(command, "--bigrams and --lm look at one tree, not at --trees=all");
    if (with->best && with->limited)
        return tz_usage_error(command, "--threshold is for --decode=marginal, not for best");
    if ((with->weighted || with->lm) && (!with->best || length)) {
        return tz_usage_error(command,
                              "--bigrams, --bonus and --lm are for --decode=best of any length");
    }
    if (length && !with->best && (with->decoding || with->limited)) {
        return tz_usage_error(command, "of a given length, the likeliest choice of words is found: "
                                       "--decode=best, without --threshold");
    }
    return 0;
}

tz_stage tz_with_stage(const tz_with *with) {
    return with->deletions ? TZ_STAGE_DELETE : TZ_STAGE_COMPRESS;
}

int tz_set_with(const char *command, const tz_with *with, const char *model,
                const tz_analyser *analyser) {
    const tz_deletion_how how = {.by = with->best ? TZ_DELETE_BY_BEST : TZ_DELETE_BY_MARGINALS,
                                 .threshold = with->limited ? with->threshold : -1,
                                 .bonus = with->bonus,
                                 .lambda = with->bigrams,
                                 .weight = with->lm_weight,
                                 .candidates = with->lm ? (size_t)with->candidates : 0};
    tz_deleter *deleter = tz_analyser_deleter(analyser);
    const tz_model *parser = tz_analyser_parser(analyser);
    tz_error error = {TZ_OK, ""};
    if (!deleter)
        return 0;
    if (with->all && !parser) {
        tz_message(command, "%s: all trees take a parser, which is not in this model", model);
        return TZ_EXIT_INPUT;
    }
    tz_status status = with->lm ? tz_deleter_read_lm(deleter, with->lm, &error) : TZ_OK;
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    if (tz_deleter_set(deleter, &how, with->all ? parser : NULL, &error) == TZ_OK)
        return 0;
    tz_message(command, "%s: %s", model, error.message);
    return TZ_EXIT_INPUT;
}
