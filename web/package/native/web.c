/* web.c - see web.h. SPDX-License-Identifier: MIT */
#include "web.h"

#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/polyhedra/instances_by_trial.h"
#include "rules/tell/enumerate.h"

enum { TRIALS = 1 << 20 /* values tried for the variables of an item's instances */ };

int tz_web_gives(const tz_semiring *semiring) {
    return semiring->gives;
}

unsigned tz_web_laws(const tz_semiring *semiring) {
    const bool path = (semiring->laws & TZ_PATH) != 0;
    const bool sums = !path && (semiring->laws & TZ_IDEMPOTENT) == 0;
    const bool shares = semiring->share != NULL;
    return (path ? TZ_WEB_PATH : 0u) | (shares && sums ? TZ_WEB_DRAWS : 0u) |
           (shares ? TZ_WEB_SHARES : 0u);
}

const char *tz_web_number_name(const tz_semiring *semiring, size_t index) {
    if (semiring->number_name == NULL || index >= semiring->numbers)
        return NULL;
    for (size_t i = 0; i < semiring->inputs; i++)
        if (strcmp(semiring->input[i].name, semiring->number_name[index]) == 0)
            return NULL;
    return semiring->number_name[index];
}

tz_status tz_web_run(const tz_plan *plan, const tz_problem *problems, size_t count,
                     const tz_run_options *options, tz_answers *answers, tz_error *error) {
    return tz_run(plan, problems, count, options, tz_answer, answers, error);
}

tz_status tz_web_structures(const tz_rules *rules, const int32_t *lengths, size_t limit,
                            double *ret_derivations, double *ret_structures) {
    size_t derivations, structures;
    tz_status status = tz_count_structures(rules, lengths, limit, &derivations, &structures);
    if (status != TZ_OK)
        return status;
    *ret_derivations = (double)derivations;
    *ret_structures = (double)structures;
    return TZ_OK;
}

unsigned tz_web_stage(const tz_rules *rules, const int32_t *lengths, size_t item,
                      const int32_t *index, int32_t *ret_at) {
    const tz_kind *kind = &rules->kind[item];
    const tz_group *group = &rules->group[kind->group];
    int64_t at[TZ_MAX_RANK];
    unsigned place = 0;
    for (unsigned q = 0; q < kind->rank; q++)
        at[q] = index[q];
    if (!tz_domain_holds(&kind->domain, rules->lengths, lengths, kind->rank, at))
        return 0;
    ret_at[0] = kind->group;
    for (unsigned s = 0; s < group->stages; s++)
        ret_at[1 + s] =
            (int32_t)tz_form_value(&kind->stage[s], rules->lengths, lengths, kind->rank, at);
    while (group->kind[place] != item)
        place++;
    ret_at[1 + group->stages] = (int32_t)place;
    return group->stages + 2u;
}

bool tz_web_stays(const tz_rules *rules, size_t item, size_t length) {
    return rules->kind[item].anew[length] == 0;
}

/* ---- Instances ------------------------------------------------------------------------------- */

typedef struct writer {
    const tz_rules *rules;
    const tz_problem *problem;
    int32_t *ret;
    size_t room, words;
} writer;

static void put(writer *w, int64_t word) {
    if (w->words < w->room)
        w->ret[w->words] = (int32_t)word;
    w->words++;
}

/* Which, and its indices. */
static void put_term(writer *w, unsigned which, unsigned rank, const int64_t *index) {
    put(w, which);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        put(w, q < rank ? index[q] : 0);
}

static int64_t looked_up(const writer *w, const tz_view_index *view, unsigned rank,
                         const int64_t *index) {
    const tz_rules *rules = w->rules;
    const tz_input_numbers *numbers = &w->problem->numbers[view->input];
    tz_shape shape;
    int64_t bound;
    ptrdiff_t at = 0;
    if (tz_rules_input_shape(rules, view->input, w->problem->lengths, &shape, &bound) != TZ_OK)
        return 0;
    for (unsigned q = 0; q < shape.rank; q++)
        at += (ptrdiff_t)(tz_form_value(&view->at[q], rules->lengths, w->problem->lengths, rank,
                                        index) -
                          shape.origin[q]) *
              numbers->stride[q];
    return numbers->data[at];
}

/* A weight that rules multiply by, as the file declares it. */
static void put_weight(writer *w, unsigned which, const int64_t *index) {
    const tz_weight *weight = &w->rules->weight[which];
    int64_t declared[TZ_MAX_RANK];
    for (unsigned q = 0; q < weight->views; q++) {
        const tz_view_index *view = &weight->view[q];
        declared[q] = view->looked_up ? looked_up(w, view, weight->rank, index)
                                      : tz_form_value(&view->at[0], w->rules->lengths,
                                                      w->problem->lengths, weight->rank, index);
    }
    bool view = weight->view != NULL;
    put_term(w, weight->declared, view ? weight->views : weight->rank, view ? declared : index);
}

static tz_status write_instance(void *user, const tz_rule *rule, const int32_t *value) {
    writer *w = user;
    int64_t variable[TZ_MAX_VARIABLES], index[TZ_MAX_RANK];
    for (unsigned v = 0; v < rule->variables; v++)
        variable[v] = value[v];
    put(w, rule - w->rules->rule);
    put(w, rule->premises);
    put(w, rule->weights);
    for (unsigned t = 0; t < (unsigned)rule->premises + rule->weights; t++) {
        bool premise = t < rule->premises;
        const tz_term *term = premise ? &rule->premise[t] : &rule->weight[t - rule->premises];
        unsigned rank =
            premise ? w->rules->item[term->which].rank : w->rules->weight[term->which].rank;
        for (unsigned q = 0; q < rank; q++)
            index[q] = tz_form_value(&term->index[q], w->rules->lengths, w->problem->lengths,
                                     rule->variables, variable);
        if (premise)
            put_term(w, term->which, rank, index);
        else
            put_weight(w, term->which, index);
    }
    return TZ_OK;
}

tz_status tz_web_instances(const tz_rules *rules, const tz_problem *problem, size_t item,
                           const int32_t *index, int32_t *ret, size_t room, size_t *ret_words) {
    writer w = {.rules = rules, .problem = problem, .ret = ret, .room = room};
    size_t trials = TRIALS;
    tz_status status = TZ_OK;
    for (unsigned r = 0; r < rules->rule_count && status == TZ_OK; r++) {
        const tz_rule *rule = &rules->rule[r];
        if (rule->conclusion.which != item)
            continue;
        if (rule->sides > 0) /* whether they hold, the rules alone do not tell */
            return TZ_LAW;
        tz_clauses clauses;
        status = tz_clauses_make(rules, problem->lengths, rule, &clauses);
        if (status == TZ_OK)
            status = tz_clauses_solve(&clauses, index, &trials, write_instance, &w);
        tz_clauses_free(&clauses);
    }
    *ret_words = w.words;
    return status;
}
