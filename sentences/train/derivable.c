/* derivable.c - do the rules derive the right answers? Where its cells alone are possible,
 * there is a derivation, and it uses all of them. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/lines.h"
#include "sentences/train/objective.h"

enum { PORTION = 32 };

typedef struct trial {
    tz_scored scored; /* 0 for the right cells, else -INFINITY */
    size_t rights;
    bool derivable;
    tz_status status;
} trial;

static tz_status set(const tz_model *model, const tz_sentence *sentence, trial *trial) {
    tz_status status = tz_scored_fill(model, sentence, -INFINITY, &trial->scored);
    tz_cell *right = malloc((2 * (size_t)sentence->words + 1) * sizeof *right);
    if (status != TZ_OK || !right) {
        free(right);
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    }
    trial->derivable = false;
    trial->rights = model->variant->cells(sentence, model->task->gold(sentence), right);
    for (size_t c = 0; c < trial->rights; c++) {
        size_t w = right[c].weight;
        if (tz_rules_declared(model->rules, w, trial->scored.lengths, right[c].index))
            trial->scored.data[w][tz_cell_place(&trial->scored.shape[w], right[c].index)] = 0;
    }
    free(right);
    return TZ_OK;
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    trial *t = (trial *)user + problem;
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    t->derivable = status == TZ_OK && best->uses == t->rights;
    return status == TZ_NONE ? TZ_OK : status;
}

/* Sentences first..first + count - 1 of the corpus. */
static tz_status check(const tz_plan *plan, const tz_model *model, const tz_corpus *corpus,
                       size_t first, size_t count, unsigned threads, trial *trials,
                       tz_error *opt_error) {
    tz_problem problem[PORTION];
    tz_status status = TZ_OK;
    for (size_t s = 0; s < count && status == TZ_OK; s++) {
        status = set(model, &corpus->sentence[first + s], &trials[s]);
        problem[s] =
            (tz_problem){.lengths = trials[s].scored.lengths, .scores = trials[s].scored.scores};
    }
    if (status == TZ_OK) {
        tz_run_options options = {.threads = threads};
        status = tz_run(plan, problem, count, &options, visit, trials, opt_error);
    }
    for (size_t s = 0; s < count; s++)
        tz_scored_trim(&trials[s].scored);
    for (size_t s = 0; s < count && status == TZ_OK; s++) {
        const tz_sentence *sentence = &corpus->sentence[first + s];
        if (!trials[s].derivable && sentence->words > 0) {
            status = tz_bad_input(
                opt_error, "training data", sentence->line,
                "the rules of %s do not derive what is right for this sentence of %d words; take "
                "it out, or take other rules",
                tz_rules_name(model->rules), sentence->words);
        }
    }
    return status;
}

tz_status tz_check_derivable(const tz_model *model, const tz_corpus *corpus, unsigned threads,
                             tz_error *opt_error) {
    tz_plan *plan = NULL;
    trial *trials = calloc(PORTION, sizeof *trials);
    tz_status status =
        trials ? tz_plan_new(model->rules, tz_semiring_find("max", TZ_F32), 0, &plan, opt_error)
               : TZ_NO_MEMORY;
    for (size_t first = 0; status == TZ_OK && first < corpus->count; first += PORTION) {
        size_t left = corpus->count - first, count = left < PORTION ? left : PORTION;
        status = check(plan, model, corpus, first, count, threads, trials, opt_error);
    }
    for (size_t s = 0; trials && s < PORTION; s++)
        tz_scored_free(&trials[s].scored);
    free(trials);
    tz_plan_free(plan);
    return status;
}
