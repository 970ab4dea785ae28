/* questions.c - see questions.h. SPDX-License-Identifier: MIT */
#include "io/questions.h"

#include <math.h>

static tz_status take_one(tz_chart *chart, size_t lane, tz_take *take, void *user) {
    const tz_derivation *derivation;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &derivation);
    return status == TZ_OK ? take(user, 0, derivation) : status;
}

static tz_status best(const tz_asking *a, tz_take *take, void *user) {
    return take_one(a->chart, a->lane, take, user);
}

static tz_status min_risk(const tz_asking *a, tz_take *take, void *user) {
    tz_status status = tz_bind_risk(a->decoder, a->chart, a->lane, NULL, NULL);
    return status == TZ_OK ? take_one(a->decoder, 0, take, user) : status;
}

static tz_status kbest(const tz_asking *a, tz_take *take, void *user) {
    const tz_derivation *derivation;
    tz_kbest *list;
    tz_status status = tz_kbest_new(a->chart, a->lane, a->questions->distinct, &list, a->error);
    if (status == TZ_OK)
        status = tz_kbest_within(list, a->questions->within);
    for (size_t k = 0; k < a->questions->wanted[TZ_ASK_KBEST] && status == TZ_OK; k++) {
        status = tz_kbest_next(list, &derivation);
        if (status == TZ_OK)
            status = take(user, k, derivation);
    }
    tz_kbest_free(list);
    return status;
}

static tz_status samples(const tz_asking *a, tz_take *take, void *user) {
    const tz_derivation *derivation;
    tz_sampler *sampler;
    tz_status status =
        tz_sampler_new(a->chart, a->lane, a->seed, a->questions->without_replacement, &sampler);
    for (size_t k = 0; k < a->questions->wanted[TZ_ASK_SAMPLES] && status == TZ_OK; k++) {
        status = tz_sampler_next(sampler, &derivation);
        if (status == TZ_OK)
            status = take(user, k, derivation);
    }
    tz_sampler_free(sampler);
    return status;
}

const tz_question tz_question_table[TZ_QUESTIONS] = {
    [TZ_ASK_ITEMS] = {"items", "--items", TZ_FORM_ITEMS, .numbers = tz_items, .nothing = -INFINITY},
    [TZ_ASK_BEST] = {"best", "--best", TZ_FORM_ONE, TZ_OF_PATH, .structures = best},
    [TZ_ASK_KBEST] = {"kbest", "--kbest", TZ_FORM_LIST, TZ_OF_PATH, .structures = kbest},
    [TZ_ASK_SAMPLES] = {"samples", "--sample", TZ_FORM_LIST, TZ_OF_TOTAL, .structures = samples},
    [TZ_ASK_MARGINALS] = {"marginals", "--marginals", TZ_FORM_CELLS, TZ_OF_LOG_TOTAL, true,
                          .numbers = tz_marginals},
    [TZ_ASK_ITEM_MARGINALS] = {"item_marginals", NULL, TZ_FORM_ITEMS, TZ_OF_LOG_TOTAL, true,
                               .numbers = tz_marginals, .first = TZ_ITEM},
    [TZ_ASK_MAX_MARGINALS] = {"max_marginals", "--max-marginals", TZ_FORM_CELLS, TZ_OF_PATH, true,
                              .numbers = tz_through, .nothing = -INFINITY},
    [TZ_ASK_ITEM_MAX_MARGINALS] = {"item_max_marginals", NULL, TZ_FORM_ITEMS, TZ_OF_PATH, true,
                                   .numbers = tz_through, .first = TZ_ITEM, .nothing = -INFINITY},
    [TZ_ASK_DERIVATION] = {"derivation", "--derivation", TZ_FORM_TREE, TZ_OF_PATH,
                           .structures = best},
    [TZ_ASK_MIN_RISK] = {"min_risk", "--min-risk", TZ_FORM_ONE, TZ_OF_LOG_TOTAL, true,
                         .structures = min_risk},
};

size_t tz_asked(const tz_questions *q, tz_ask which) {
    const size_t items = q->wanted[TZ_ASK_ITEMS];
    switch (which) {
    case TZ_ASK_ITEM_MARGINALS:
        return q->wanted[TZ_ASK_MARGINALS] > 0 ? items : 0;
    case TZ_ASK_ITEM_MAX_MARGINALS:
        return q->wanted[TZ_ASK_MAX_MARGINALS] > 0 ? items : 0;
    default:
        return q->wanted[which];
    }
}
