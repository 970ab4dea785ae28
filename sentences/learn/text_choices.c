/* text_choices.c - see trapeze/text.h: how a model chooses the words of compressions.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "sentences/learn/delete.h"
#include "sentences/learn/text_model.h"

/* ---- The compressor -------------------------------------------------------------------------- */

/* "negation,name" or "all" as bits; false: a name is no guard's, *ret_wrong of this size. */
static bool read_guards(const char *list, unsigned *ret_guards, const char **ret_wrong,
                        int *ret_size) {
    *ret_guards = 0;
    for (const char *at = list;; at++) {
        const size_t size = strcspn(at, ",");
        unsigned guard = 0;
        const char *name;
        while ((name = tz_guard_choice(guard)) != NULL &&
               !(strlen(name) == size && memcmp(name, at, size) == 0))
            guard++;
        if (!name) {
            *ret_wrong = at;
            *ret_size = size < 60 ? (int)size : 60;
            return false;
        }
        *ret_guards |= tz_guards_chosen(1u << guard);
        at += size;
        if (*at == '\0')
            return true;
    }
}

tz_status tz_text_choose_compressor(tz_text_model *model, const tz_text_compressor *opt_how,
                                    tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    const tz_text_compressor *how = opt_how ? opt_how : &(tz_text_compressor){0};
    static const tz_scorer_kind kinds[] = {[TZ_TEXT_BOTH] = TZ_SCORER_BOTH,
                                           [TZ_TEXT_LINEAR] = TZ_SCORER_LINEAR,
                                           [TZ_TEXT_NEURAL] = TZ_SCORER_NEURAL};
    unsigned without = 0;
    const char *wrong;
    int size;
    if (!(model->stages >> TZ_STAGE_COMPRESS & 1))
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT, "the model was not loaded for that");
    if (!(fabs(how->bonus) <= 100))
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT,
                            "the bonus is not a number from -100 to 100");
    if (how->only < 0 || (size_t)how->only >= sizeof kinds / sizeof *kinds)
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT,
                            "there are no other scores than linear and neural");
    if (how->only == TZ_TEXT_NEURAL && !tz_analyser_neural(model->analyser))
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT, "there are no neural scores in this model");
    if (how->opt_unguarded && !read_guards(how->opt_unguarded, &without, &wrong, &size))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "there is no guard '%.*s'", size, wrong);
    const tz_compress_how chosen = {.without = without,
                                    .risk = how->marginal != 0,
                                    .bonus = how->bonus,
                                    .only = kinds[how->only]};
    tz_analyser_compress(model->analyser, &chosen);
    return TZ_OK;
}

/* ---- Deletions ------------------------------------------------------------------------------- */

/* What is wrong with it; NULL: nothing. */
static const char *wrong_with_deletions(const tz_text_model *model, const tz_text_deletions *how) {
    if (!(how->threshold <= 1))
        return "the threshold is not a number from 0 to 1";
    if (!isfinite(how->bonus) || !isfinite(how->bigrams) || !isfinite(how->lm_weight))
        return "bonus, bigrams and lm_weight are finite";
    if (how->opt_lm && how->candidates == 0)
        return "candidates are 1 or more";
    if (how->all_trees && (how->opt_lm || how->bigrams != 0))
        return "bigrams and language models look at one tree, not at all trees";
    if (how->all_trees && !tz_analyser_parser(model->analyser))
        return "all trees take a parser, which is not in this model";
    return NULL;
}

static tz_status read_lm(tz_text_model *model, tz_deleter *deleter, const char *path,
                         tz_error *error) {
    if (model->lm && strcmp(model->lm, path) == 0)
        return TZ_OK;
    char *copy = strdup(path);
    tz_status status = copy ? tz_deleter_read_lm(deleter, path, error) : TZ_NO_MEMORY;
    if (status != TZ_OK) {
        free(copy);
        return status;
    }
    free(model->lm);
    model->lm = copy;
    return TZ_OK;
}

tz_status tz_text_choose_deletions(tz_text_model *model, const tz_text_deletions *opt_how,
                                   tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    const tz_text_deletions usual = {.threshold = -1};
    const tz_text_deletions *how = opt_how ? opt_how : &usual;
    tz_deleter *deleter = tz_analyser_deleter(model->analyser);
    tz_error error = {TZ_OK, ""};
    const char *wrong = deleter ? wrong_with_deletions(model, how)
                        : model->stages & 1u << TZ_STAGE_COMPRESS
                            ? "there is no grammar of deletions in the model"
                            : "the model was not loaded for that";
    if (wrong)
        return tz_text_fail(opt_error, TZ_BAD_ARGUMENT, wrong);
    const tz_deletion_how chosen = {.by = how->best ? TZ_DELETE_BY_BEST : TZ_DELETE_BY_MARGINALS,
                                    .threshold = how->threshold,
                                    .bonus = how->bonus,
                                    .lambda = how->bigrams,
                                    .weight = how->lm_weight,
                                    .candidates = how->opt_lm ? how->candidates : 0};
    tz_status status = how->opt_lm ? read_lm(model, deleter, how->opt_lm, &error) : TZ_OK;
    if (status == TZ_OK) {
        status = tz_deleter_set(
            deleter, &chosen, how->all_trees ? tz_analyser_parser(model->analyser) : NULL, &error);
        status = status == TZ_IO ? TZ_BAD_ARGUMENT : status;
    }
    return status == TZ_OK ? TZ_OK
                           : tz_text_fail(opt_error, status,
                                          *error.message ? error.message : tz_status_name(status));
}
