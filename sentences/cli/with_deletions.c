/* with_deletions.c - see with_deletions.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/with_deletions.h"

#include <string.h>

#include "base/number.h"
#include "sentences/cli/input/arpa.h"

const tz_option tz_with_option[TZ_WITH_OPTIONS] = {
    [TZ_WITH] = {"with", 0, "compressor|deletions",
                 "compressor, or deletions: the grammar of deletions that\n"
                 "`trapeze train deletions` learns (compressor)"},
    [TZ_WITH_DECODE] = {"decode", 0, "marginal|best",
                        "marginal: words that are likely enough kept in all\n"
                        "choices of words (of the compressor: minimum risk); best:\n"
                        "the likeliest choice (deletions: marginal; else best)"},
    [TZ_WITH_THRESHOLD] = {"threshold", 0, "T",
                           "of deletions with marginal: keep words that are likelier than\n"
                           "T, 0 to 1 (as the model was tuned)"},
    [TZ_WITH_BIGRAMS] = {"bigrams", 0, "L",
                         "with best: add L times the log probability of the words by\n"
                         "the pack's bigrams (`trapeze train bigrams`), 0 to 100 (0)"},
    [TZ_WITH_BONUS] = {"bonus", 0, "B",
                       "add B for each word that is kept, -100 to 100; of\n"
                       "deletions with best; of the compressor in shares of its\n"
                       "greatest weight or, with marginal, of a probability (0)"},
    [TZ_WITH_LM] = {"lm", 0, "FILE.arpa",
                    "with best: add W times the log probability of the words by\n"
                    "this language model, of any order; --bigrams only propose\n"
                    "choices then, else its own do"},
    [TZ_WITH_LM_WEIGHT] = {"lm-weight", 0, "W", "of --lm, 0 to 100 (0.1)"},
    [TZ_WITH_CANDIDATES] = {"candidates", 0, "K",
                            "of --lm, where bigrams do not tell it all: look at the K\n"
                            "choices that are best by them (100)"},
    [TZ_WITH_TREES] = {"trees", 0, "best|all",
                       "of deletions: best, one tree; all, every tree, each as likely\n"
                       "as the parser says; learned with --levels=tags (best)"},
    [TZ_WITH_UNGUARDED] = {"unguarded", 0, "LIST",
                           "of the compressor: without these guards: negation, frame,\n"
                           "hedge, object, subject, predicate, phrase, name, finite,\n"
                           "marks, link, condition, pronoun, main, limit, contrast,\n"
                           "speaker; or all"},
    [TZ_WITH_ONLY] = {"only", 0, "linear|neural",
                      "of the compressor: of its linear model's scores and its\n"
                      "neural ones these alone (the sum of both)"},
};

static const char *candidate(const void *list, size_t index) {
    static const char *const name[] = {"compressor", "deletions", NULL};
    (void)list;
    return name[index];
}

static int take_model(const tz_options *o, tz_with *with) {
    with->deletions = strcmp(o->value, "deletions") == 0;
    if (with->deletions || strcmp(o->value, "compressor") == 0)
        return 0;
    const char *near = tz_nearest(o->value, candidate, NULL);
    return tz_usage_error(o->command, "--with is compressor or deletions, not '%s'%s%s%s", o->value,
                          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Is it the second of two choices? */
static int take_flag(const tz_options *o, int which, bool *ret) {
    unsigned choice;
    int status = tz_option_choice(o, which, &choice);
    *ret = choice == 1;
    return status;
}

static int take_number(const tz_options *o, int which, long low, long high, double *ret) {
    bool number =
        strlen(o->value) < TZ_NUMBER_SIZE && tz_number_read(o->value, strlen(o->value), ret);
    return number && *ret >= (double)low && *ret <= (double)high
               ? 0
               : tz_usage_error(o->command, "--%s takes a number from %ld to %ld, not '%s'",
                                o->option[which].name, low, high, o->value);
}

static int take_unguarded(const tz_options *o, tz_with *with) {
    for (const char *at = o->value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t size = strcspn(at, ",");
        unsigned guard = 0;
        while (guard < TZ_GUARDS && (strlen(tz_guard_name(guard)) != size ||
                                     strncmp(tz_guard_name(guard), at, size) != 0))
            guard++;
        bool all = size == 3 && strncmp(at, "all", 3) == 0;
        if (guard == TZ_GUARDS && !all) {
            return tz_usage_error(o->command,
                                  "--unguarded: there is no guard '%.*s'; --help lists them",
                                  (int)size, at);
        }
        with->unguarded |= all ? (1u << TZ_GUARDS) - 1 : 1u << guard;
    }
    return 0;
}

static int take_only(const tz_options *o, int which, tz_with *with) {
    bool neural;
    int status = take_flag(o, which, &neural);
    with->only = neural ? TZ_SCORER_NEURAL : TZ_SCORER_LINEAR;
    return status;
}

int tz_take_with(const tz_options *o, int which, int first, tz_with *with) {
    switch (which - first) {
    case TZ_WITH:
        return take_model(o, with);
    case TZ_WITH_DECODE:
        with->decoding = true;
        return take_flag(o, which, &with->best);
    case TZ_WITH_THRESHOLD:
        with->limited = true;
        return take_number(o, which, 0, 1, &with->threshold);
    case TZ_WITH_BIGRAMS:
        with->weighted = true;
        return take_number(o, which, 0, 100, &with->bigrams);
    case TZ_WITH_BONUS:
        with->added = true;
        return take_number(o, which, -100, 100, &with->bonus);
    case TZ_WITH_LM:
        with->lm = o->value;
        return 0;
    case TZ_WITH_LM_WEIGHT:
        with->rescoring = true;
        return take_number(o, which, 0, 100, &with->lm_weight);
    case TZ_WITH_CANDIDATES:
        with->rescoring = true;
        return tz_option_number(o, which, 1, 1000000, &with->candidates);
    case TZ_WITH_UNGUARDED:
        return take_unguarded(o, with);
    case TZ_WITH_ONLY:
        return take_only(o, which, with);
    default:
        with->trees = true;
        return take_flag(o, which, &with->all);
    }
}

int tz_check_with(const char *command, const tz_with *with, bool length) {
    bool language = with->lm || with->rescoring;
    if (!with->deletions && (with->limited || with->weighted || with->trees || language)) {
        return tz_usage_error(command, "--threshold, --bigrams, --lm and --trees are for "
                                       "--with=deletions");
    }
    if (!with->deletions)
        return 0;
    if (with->unguarded)
        return tz_usage_error(command, "--unguarded is for --with=compressor");
    if (with->only != TZ_SCORER_BOTH)
        return tz_usage_error(command, "--only is for --with=compressor");
    if (with->rescoring && !with->lm)
        return tz_usage_error(command, "--lm-weight and --candidates are for --lm");
    if (with->all && (with->bigrams != 0 || with->lm))
        return tz_usage_error(command, "--bigrams and --lm look at one tree, not at --trees=all");
    if (with->best && with->limited)
        return tz_usage_error(command, "--threshold is for --decode=marginal, not for best");
    if ((with->weighted || with->added || with->lm) && (!with->best || length)) {
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
                tz_analyser *analyser) {
    const tz_compress_how compress = {.without = with->unguarded,
                                      .risk = with->decoding && !with->best,
                                      .bonus = with->bonus,
                                      .only = with->only};
    if (with->only == TZ_SCORER_NEURAL && !tz_analyser_neural(analyser)) {
        tz_message(command, "%s: there are no neural scores in this model", model);
        return TZ_EXIT_INPUT;
    }
    tz_analyser_compress(analyser, &compress);
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
    if (with->lm)
        tz_arpa_note(command, with->lm, tz_deleter_lm(deleter));
    if (tz_deleter_set(deleter, &how, with->all ? parser : NULL, &error) == TZ_OK)
        return 0;
    tz_message(command, "%s: %s", model, error.message);
    return TZ_EXIT_INPUT;
}
