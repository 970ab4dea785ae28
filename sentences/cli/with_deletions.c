/* with_deletions.c - see with_deletions.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/with_deletions.h"

#include <string.h>

#include "sentences/cli/input/arpa.h"

static int take_unguarded(tz_options *o, int which, void *user) {
    tz_with *with = user;
    int exit = tz_option_names(o, which, tz_guard_choice, &with->unguarded);
    with->unguarded = tz_guards_chosen(with->unguarded);
    return exit;
}

const tz_option tz_with_option[TZ_WITH_OPTIONS] = {
    {"with", 0, "compressor|deletions",
     "compressor, or deletions: the grammar of deletions that\n"
     "`trapeze train deletions` learns (compressor)",
     TZ_CHOICE_AT(tz_with, deletions, 0)},
    {"decode", 0, "marginal|best",
     "marginal: words kept with enough probability over all\n"
     "choices of words (compressor: minimum risk); best: the\n"
     "best choice (deletions: marginal; else best)",
     TZ_CHOICE_AT(tz_with, best, 0), TZ_GIVEN_AT(tz_with, decoding)},
    {"threshold", 0, "T",
     "deletions with marginal: keep words with a probability above\n"
     "T, 0 to 1 (as the model was tuned)",
     TZ_REAL_AT(tz_with, threshold, 0, 1), TZ_GIVEN_AT(tz_with, limited)},
    {"bigrams", 0, "L",
     "with best: add L times the log probability of the words by\n"
     "the pack's bigrams (`trapeze train bigrams`), 0 to 100 (0)",
     TZ_REAL_AT(tz_with, bigrams, 0, 100), TZ_GIVEN_AT(tz_with, weighted)},
    {"bonus", 0, "B",
     "add B for each kept word, -100 to 100: for deletions with\n"
     "best; for the compressor in units of its greatest weight\n"
     "or, with marginal, of probability (0)",
     TZ_REAL_AT(tz_with, bonus, -100, 100), TZ_GIVEN_AT(tz_with, added)},
    {"lm", 0, "FILE.arpa",
     "with best: add W times the log probability of the words by\n"
     "this language model, of any order; --bigrams then only\n"
     "propose choices; without them its own bigrams do",
     TZ_TEXT_AT(tz_with, lm)},
    {"lm-weight", 0, "W", "weight of --lm, 0 to 100 (0.1)", TZ_REAL_AT(tz_with, lm_weight, 0, 100),
     TZ_GIVEN_AT(tz_with, rescoring)},
    {"candidates", 0, "K",
     "with --lm, where bigrams do not tell it all: look at the K\n"
     "choices that are best by bigrams (100)",
     TZ_NUMBER_AT(tz_with, candidates, 1, 1000000), TZ_GIVEN_AT(tz_with, rescoring)},
    {"trees", 0, "best|all",
     "for deletions: best, one tree; all, every tree, each as\n"
     "probable as the parser says; learned with --levels=tags (best)",
     TZ_CHOICE_AT(tz_with, all, 0), TZ_GIVEN_AT(tz_with, trees)},
    {"unguarded", 0, "LIST",
     "for the compressor: leave out these guards: negation, frame,\n"
     "hedge, object, subject, predicate, phrase, name, finite,\n"
     "marks, link, condition, pronoun, main, limit, adjunct;\n"
     "or all",
     TZ_TAKEN_BY(take_unguarded)},
    {"only", 0, "linear|neural",
     "for the compressor: only its linear model's scores, or only\n"
     "its neural ones (the sum of both)",
     TZ_CHOICE_AT(tz_with, only, TZ_SCORER_LINEAR)},
};

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
