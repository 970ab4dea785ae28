/* view.c - uses of weights whose indices are numbers of inputs, as emit[a,x[i]].
 *
 * Such a use becomes one of a view: a weight without inputs, over the positions and labels that
 * occur in it. Uses that differ in the names of their variables, or by the same constant
 * everywhere, have one view: emit[a,x[i]] and emit[b,x[j+1]]. So nothing but the reader, those who
 * print rules, and those who take scores and give answers knows of inputs.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/polyhedra/prove.h"
#include "rules/read/read.h"

enum { MOST_VIEWS = 1024 };

/* ---- Uses ------------------------------------------------------------------------------------ */

/* The indices of a view while they are found: forms over the variables of the rule. */
typedef struct indices {
    tz_form form[TZ_MAX_RANK * TZ_MAX_RANK];
    unsigned count;
} indices;

/* f = sign * g, but for the constant and lengths; 0: it is not. */
static int same_columns(const tz_form *f, const tz_form *g) {
    for (int sign = 1; sign >= -1; sign -= 2) {
        bool same = true;
        for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
            same &= f->column[c] == sign * g->column[c];
        if (same)
            return sign;
    }
    return 0;
}

static void add_index(indices *to, const tz_form *form) {
    for (unsigned i = 0; i < to->count; i++)
        if (same_columns(form, &to->form[i]) != 0)
            return;
    if (tz_form_has_columns(form))
        to->form[to->count++] = *form;
}

static void add_variables(indices *to, const tz_form *form) {
    for (unsigned c = 0; c < TZ_MAX_VARIABLES; c++)
        if (form->column[c] != 0) {
            const tz_form variable = tz_form_column(c);
            add_index(to, &variable);
        }
}

/* The forms of an argument: one, or an input's indices. */
static unsigned forms_of(const tz_reader *reader, const tz_view_index *argument) {
    return argument->looked_up ? reader->input[argument->input].rank : 1;
}

/* The view's indices are the different expressions of the use, constants aside; or its variables,
 * where these are fewer, as in near[x[i],x[j],j-i]. Those that an input is looked up by come first:
 * cells along the last ones then lie side by side in the declared weight, too. */
static indices choose_indices(const tz_reader *reader, const tz_view_index *argument,
                              unsigned arguments) {
    indices forms = {.count = 0}, variables = {.count = 0};
    for (unsigned q = 0; q < 2 * arguments; q++) {
        const tz_view_index *a = &argument[q % arguments];
        for (unsigned f = 0; a->looked_up == (q < arguments) && f < forms_of(reader, a); f++) {
            add_index(&forms, &a->at[f]);
            add_variables(&variables, &a->at[f]);
        }
    }
    return forms.count <= variables.count ? forms : variables;
}

/* The form over the view's indices that has this value. */
static tz_form over_view(const tz_form *form, const indices *own) {
    tz_form ret = {.constant = form->constant};
    memcpy(ret.length, form->length, sizeof ret.length);
    for (unsigned i = 0; i < own->count; i++) {
        const int sign = same_columns(form, &own->form[i]);
        if (sign == 0)
            continue;
        ret.column[i] = (int16_t)sign;
        ret.constant -= sign * own->form[i].constant;
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            ret.length[l] = (int16_t)(ret.length[l] - sign * own->form[i].length[l]);
        return ret;
    }
    /* A sum of variables, each of which is an index. */
    for (unsigned i = 0; i < own->count; i++)
        for (unsigned c = 0; c < TZ_MAX_VARIABLES; c++)
            if (own->form[i].column[c] != 0)
                ret.column[i] = form->column[c];
    return ret;
}

/* Room for one more view. */
static bool reserve_view(tz_reader *reader, const char *at) {
    if (reader->views == MOST_VIEWS)
        return tz_bad(reader, at, "more than %d different uses of weights with inputs: write fewer",
                      MOST_VIEWS);
    if ((reader->views & (reader->views - 1)) != 0)
        return true;
    const size_t room = reader->views == 0 ? 1 : 2u * reader->views;
    tz_view *view = tz_arena_array(reader->scratch, room, sizeof *view);
    if (view == NULL)
        return tz_no_memory(reader);
    if (reader->views > 0)
        memcpy(view, reader->view, reader->views * sizeof *view);
    reader->view = view;
    return true;
}

bool tz_use_inputs(tz_reader *reader, const char *at, unsigned weight,
                   const tz_view_index *argument, const tz_scope *scope, tz_term *ret_term) {
    const tz_weight *declared = &reader->weight[weight];
    const indices own = choose_indices(reader, argument, declared->rank);
    tz_view_index index[TZ_MAX_RANK];
    memset(index, 0, sizeof index);
    if (own.count > TZ_MAX_RANK)
        return tz_bad(reader, at,
                      "%s uses weight \"%s\" at more than %d different expressions: put an item "
                      "between",
                      reader->context, declared->name, TZ_MAX_RANK);
    for (unsigned q = 0; q < declared->rank; q++) {
        index[q].looked_up = argument[q].looked_up;
        index[q].input = argument[q].input;
        for (unsigned f = 0; f < forms_of(reader, &argument[q]); f++)
            index[q].at[f] = over_view(&argument[q].at[f], &own);
    }
    unsigned v = 0;
    while (v < reader->views && (reader->view[v].weight != weight ||
                                 memcmp(reader->view[v].index, index, sizeof index) != 0))
        v++;
    if (v == reader->views) {
        if (!reserve_view(reader, at))
            return false;
        tz_view *view = &reader->view[reader->views++];
        *view = (tz_view){.at = at, .weight = (uint16_t)weight, .rank = (uint8_t)own.count};
        memcpy(view->index, index, sizeof index);
        for (unsigned i = 0; i < own.count; i++)
            for (unsigned c = 0; c < scope->count && view->index_name[i].at == NULL; c++)
                if (own.form[i].column[c] != 0)
                    view->index_name[i] = scope->name[c];
    }
    *ret_term = (tz_term){.what = TZ_WEIGHT, .which = (uint16_t)(reader->rules->weights + v)};
    for (unsigned i = 0; i < own.count; i++)
        ret_term->index[i] = own.form[i];
    return true;
}

/* ---- Domains --------------------------------------------------------------------------------- */

/* Does it mention an index that an input gives? */
static bool mentions_input(const tz_view *view, const tz_form *form) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (form->column[q] != 0 && view->index[q].looked_up)
            return true;
    return false;
}

static bool too_large(tz_reader *reader, const tz_view *view) {
    return tz_bad(reader, view->at, "numbers are too large in the indices of weight \"%s\" here",
                  reader->weight[view->weight].name);
}

/* Where all inputs and the declared weight are, as far as that is said without their numbers. */
static bool make_domain(tz_reader *reader, const tz_view *view, tz_domain *ret) {
    const tz_weight *declared = &reader->weight[view->weight];
    size_t most = declared->domain.count;
    tz_form plain[TZ_MAX_RANK];
    for (unsigned q = 0; q < declared->rank; q++) {
        plain[q] = view->index[q].at[0];
        if (view->index[q].looked_up)
            most += reader->input[view->index[q].input].domain.count;
    }
    tz_constraint *at = tz_arena_array(reader->arena, most, sizeof *at);
    if (at == NULL)
        return tz_no_memory(reader);
    *ret = (tz_domain){at, 0};
    for (uint32_t c = 0; c < declared->domain.count; c++) {
        const tz_constraint *from = &declared->domain.at[c];
        tz_constraint *to = &at[ret->count];
        if (mentions_input(view, &from->form))
            continue;
        to->relation = from->relation;
        if (!tz_form_compose(&to->form, &from->form, plain, declared->rank))
            return too_large(reader, view);
        ret->count++;
    }
    for (unsigned q = 0; q < declared->rank; q++) {
        const tz_rules_input *input = &reader->input[view->index[q].input];
        for (uint32_t c = 0; view->index[q].looked_up && c < input->domain.count; c++) {
            tz_constraint *to = &at[ret->count++];
            to->relation = input->domain.at[c].relation;
            if (!tz_form_compose(&to->form, &input->domain.at[c].form, view->index[q].at,
                                 input->rank))
                return too_large(reader, view);
        }
    }
    return true;
}

/* Is the form at least 0, or 0, or not 0, whatever the numbers of inputs? */
static tz_status always(const tz_assumptions *assumed, const tz_constraint *constraint) {
    tz_form negative = {.constant = -constraint->form.constant};
    if (constraint->relation == TZ_NE)
        return TZ_NONE;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        negative.length[l] = (int16_t)-constraint->form.length[l];
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        negative.column[c] = (int16_t)-constraint->form.column[c];
    tz_status status = tz_assumptions_at_least_0(assumed, &constraint->form);
    return status == TZ_OK && constraint->relation == TZ_EQ
               ? tz_assumptions_at_least_0(assumed, &negative)
               : status;
}

/* Are the view's indices bounded? Where that is not known, they may be. */
static bool bounded(const tz_assumptions *assumed, unsigned rank, tz_status *status) {
    for (unsigned c = 0; c < rank && *status == TZ_OK; c++)
        for (int sign = -1; sign <= 1 && *status == TZ_OK; sign += 2)
            *status = tz_assumptions_bounded(assumed, c, sign);
    bool free_index = *status == TZ_NONE;
    if (*status != TZ_NO_MEMORY)
        *status = TZ_OK;
    return !free_index;
}

/* Is the declared weight there for every number that its inputs may give? Then what instances
 * there are does not depend on them. */
static bool check_numbers(tz_reader *reader, const tz_view *view, const tz_domain *domain) {
    const tz_weight *declared = &reader->weight[view->weight];
    tz_assumptions assumed = {.lengths = reader->rules->lengths, .columns = view->rank};
    tz_constraint number[2 * TZ_MAX_RANK];
    tz_form index[TZ_MAX_RANK];
    uint32_t numbers = 0;
    for (unsigned q = 0; q < declared->rank; q++) {
        index[q] = view->index[q].at[0];
        if (!view->index[q].looked_up)
            continue;
        const unsigned column = assumed.columns++;
        index[q] = tz_form_column(column);
        number[numbers++] = (tz_constraint){index[q], TZ_GE};
        number[numbers] = (tz_constraint){reader->input[view->index[q].input].bound, TZ_GE};
        number[numbers].form.constant -= 1;
        number[numbers++].form.column[column] = -1;
    }
    const tz_domain given = {number, numbers};
    tz_status status = tz_assumptions_add(&assumed, domain, NULL, view->rank);
    if (status == TZ_OK)
        status = tz_assumptions_add(&assumed, &given, NULL, assumed.columns);
    for (uint32_t c = 0; c < declared->domain.count && status == TZ_OK; c++) {
        tz_constraint all = declared->domain.at[c];
        if (!mentions_input(view, &all.form))
            continue;
        if (!tz_form_compose(&all.form, &all.form, index, declared->rank))
            return too_large(reader, view);
        status = always(&assumed, &all);
    }
    if (status == TZ_OK && !bounded(&assumed, view->rank, &status))
        return tz_bad(reader, view->at,
                      "weight \"%s\" is used here at expressions without bounds: give the domains "
                      "of the weight and its inputs some",
                      declared->name);
    if (status == TZ_NO_MEMORY)
        return tz_no_memory(reader);
    if (status == TZ_OK)
        return true;
    for (unsigned q = 0; q < declared->rank; q++)
        if (view->index[q].looked_up)
            return tz_bad(reader, view->at,
                          "the domain of weight \"%s\" leaves out numbers that input \"%s\" may "
                          "give: let it hold all of them, and score what is impossible -infinity",
                          declared->name, reader->input[view->index[q].input].name);
    return false;
}

/* ---- Weights --------------------------------------------------------------------------------- */

static bool make_weight(tz_reader *reader, const tz_view *view, tz_weight *ret) {
    const tz_weight *declared = &reader->weight[view->weight];
    tz_view_index *index = tz_arena_array(reader->arena, declared->rank, sizeof *index);
    if (index == NULL)
        return tz_no_memory(reader);
    memcpy(index, view->index, declared->rank * sizeof *index);
    *ret = *declared;
    ret->declared = view->weight;
    ret->view = index;
    ret->views = declared->rank;
    ret->rank = view->rank;
    ret->sparse = false;
    for (unsigned i = 0; i < view->rank; i++)
        if (!tz_keep(reader, view->index_name[i], &ret->index_name[i]))
            return false;
    return make_domain(reader, view, &ret->domain) && check_numbers(reader, view, &ret->domain);
}

/* Which weights rules use as they are declared, direct[w], and which by way of views, viewed[w];
 * warns of others. *ret_all: all of them as they are declared, and no other way. */
static bool find_uses(tz_reader *reader, bool *direct, bool *viewed, bool *ret_all) {
    const tz_rules *rules = reader->rules;
    for (unsigned v = 0; v < reader->views; v++)
        viewed[reader->view[v].weight] = true;
    for (unsigned r = 0; r < rules->rule_count; r++)
        for (unsigned t = 0; t < reader->rule[r].weights; t++)
            if (reader->rule[r].weight[t].which < rules->weights)
                direct[reader->rule[r].weight[t].which] = true;
    *ret_all = true;
    for (unsigned w = 0; w < rules->weights; w++) {
        *ret_all &= direct[w] && !viewed[w];
        if (!direct[w] && !viewed[w] &&
            !tz_warn(reader, reader->weight_location[w].at,
                     "weight \"%s\" stands in no rule: its scores need not be given",
                     reader->weight[w].name))
            return false;
    }
    return true;
}

/* Rules name declared weights, and views behind them: place[] says which weights they become. */
static bool rename_uses(tz_reader *reader, const uint16_t *place) {
    for (unsigned r = 0; r < reader->rules->rule_count; r++) {
        tz_rule *rule = &reader->rule[r];
        tz_term *term = tz_arena_array(reader->arena, rule->weights, sizeof *term);
        if (term == NULL)
            return tz_no_memory(reader);
        for (unsigned t = 0; t < rule->weights; t++) {
            term[t] = rule->weight[t];
            term[t].which = place[term[t].which];
        }
        rule->weight = term;
    }
    return true;
}

/* Charges of declared weights, for their views as well. */
static bool spread_charges(tz_reader *reader, const tz_weight *weight, unsigned weights) {
    tz_rules *rules = reader->rules;
    const tz_weight *declared = reader->weight;
    uint32_t most = 0, count = 0;
    for (unsigned c = 0; c < rules->charges; c++)
        for (unsigned w = 0; w < weights; w++)
            most += weight[w].declared == reader->charge[c].weight;
    tz_charge *charge = tz_arena_array(reader->arena, most, sizeof *charge);
    if (charge == NULL)
        return tz_no_memory(reader);
    for (unsigned c = 0; c < rules->charges; c++)
        for (unsigned w = 0; w < weights; w++) {
            tz_form plain[TZ_MAX_RANK];
            tz_charge *to = &charge[count];
            const tz_charge *from = &reader->charge[c];
            if (weight[w].declared != from->weight)
                continue;
            *to = *from;
            to->weight = (uint16_t)w;
            count++;
            for (unsigned q = 0; q < weight[w].views; q++) {
                plain[q] = weight[w].view[q].at[0];
                if (weight[w].view[q].looked_up && from->amount.column[q] != 0)
                    return tz_bad(reader, reader->charge_at[c],
                                  "this amount depends on index \"%s\" of weight \"%s\", in whose "
                                  "place rules have an input: let it depend on other indices",
                                  declared[from->weight].index_name[q],
                                  declared[from->weight].name);
            }
            if (weight[w].view != NULL &&
                !tz_form_compose(&to->amount, &from->amount, plain, weight[w].views))
                return tz_bad(reader, reader->charge_at[c], "this amount is too large");
        }
    const char **charge_at = tz_arena_array(reader->scratch, most, sizeof *charge_at);
    if (charge_at == NULL)
        return tz_no_memory(reader);
    for (uint32_t i = 0, c = 0; c < rules->charges; c++)
        for (unsigned w = 0; w < weights; w++)
            if (weight[w].declared == reader->charge[c].weight)
                charge_at[i++] = reader->charge_at[c];
    rules->declared_charge = reader->charge;
    rules->declared_charges = rules->charges;
    rules->charge = reader->charge = charge;
    rules->charges = (uint16_t)count;
    reader->charge_at = charge_at;
    return true;
}

bool tz_place_views(tz_reader *reader) {
    tz_rules *rules = reader->rules;
    const unsigned declared = rules->weights;
    bool all;
    bool *direct = tz_arena_array(reader->scratch, declared, sizeof *direct);
    bool *viewed = tz_arena_array(reader->scratch, declared, sizeof *viewed);
    if (direct == NULL || viewed == NULL)
        return tz_no_memory(reader);
    for (unsigned w = 0; w < declared; w++)
        reader->weight[w].declared = (uint16_t)w;
    if (!find_uses(reader, direct, viewed, &all))
        return false;
    if (all && rules->inputs == 0)
        return true;
    uint16_t *place = tz_arena_array(reader->scratch, declared + reader->views, sizeof *place);
    tz_weight *weight = tz_arena_array(reader->arena, declared + reader->views, sizeof *weight);
    if (place == NULL || weight == NULL)
        return tz_no_memory(reader);
    unsigned count = 0;
    for (unsigned w = 0; w < declared; w++) {
        place[w] = (uint16_t)count;
        if (direct[w])
            weight[count++] = reader->weight[w];
        for (unsigned v = 0; v < reader->views; v++) {
            if (reader->view[v].weight != w)
                continue;
            place[declared + v] = (uint16_t)count;
            if (!make_weight(reader, &reader->view[v], &weight[count++]))
                return false;
        }
    }
    if (!rename_uses(reader, place) || !spread_charges(reader, weight, count))
        return false;
    rules->declared = reader->weight;
    rules->declareds = (uint16_t)declared;
    rules->weight = weight;
    rules->weights = (uint16_t)count;
    return true;
}
