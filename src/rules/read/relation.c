/* relation.c - `relation` lines, and rules with relations in their conditions.
 *
 * Such a rule is short for one rule for each tuple (of several relations: for each choice of a
 * tuple of each), whose condition equates the arguments with the tuple. So nothing but the reader
 * and those who print rules knows of relations. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/read/read.h"

enum {
    MAX_TUPLES = 256,   /* of one relation */
    MAX_CHOICES = 4096, /* of tuples, in all rules */
};

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool is_sign(const tz_cursor *cursor, const char *sign) {
    return cursor->kind == TZ_TOKEN_STRANGE && tz_span_is(cursor->span, sign);
}

/* An integer, perhaps with a minus. */
static bool read_integer(tz_reader *reader, tz_cursor *cursor, int32_t *ret_value) {
    bool negative = cursor->kind == TZ_TOKEN_MINUS;
    int32_t value = 0;
    if (negative)
        tz_next_token(cursor);
    if (cursor->kind != TZ_TOKEN_INTEGER)
        return tz_expected(reader, cursor, "an integer",
                           "a tuple is integers alone, as in `(0,1)`");
    for (size_t i = 0; i < cursor->span.size && value <= TZ_MAX_CONSTANT; i++)
        value = 10 * value + (cursor->span.at[i] - '0');
    if (value > TZ_MAX_CONSTANT)
        return tz_bad(reader, cursor->span.at,
                      "integer out of range in %s: it must lie between -%d and %d", reader->context,
                      TZ_MAX_CONSTANT, TZ_MAX_CONSTANT);
    *ret_value = negative ? -value : value;
    tz_next_token(cursor);
    return true;
}

/* The cursor stands on what should be "(". */
static bool read_tuple(tz_reader *reader, tz_cursor *cursor, const tz_listed *relation,
                       int32_t *ret_tuple) {
    const char *at = cursor->span.at;
    unsigned count = 0;
    if (!is_sign(cursor, "("))
        return tz_expected(reader, cursor, "a tuple",
                           "list tuples, with blanks between them, as in `(0,1) (2,3)`");
    do {
        int32_t value = 0;
        tz_next_token(cursor);
        if (!read_integer(reader, cursor, &value))
            return false;
        if (count < relation->rank)
            ret_tuple[count] = value;
        count++;
    } while (cursor->kind == TZ_TOKEN_COMMA);
    if (is_sign(cursor, "("))
        return tz_bad(reader, cursor->span.at,
                      "a tuple begins in %s before the last one ends: close that with `)`",
                      reader->context);
    if (!is_sign(cursor, ")"))
        return tz_expected(reader, cursor, "\",\" or \")\"",
                           "separate integers by commas and close them, as in `(0,1)`");
    tz_next_token(cursor);
    if (count != relation->rank)
        return tz_bad(reader, at, "tuple of %u %s in %s, which has %u %s: give it %u", count,
                      count == 1 ? "integer" : "integers", reader->context, relation->rank,
                      relation->rank == 1 ? "index" : "indices", relation->rank);
    return true;
}

static bool read_tuples(tz_reader *reader, tz_cursor *cursor, tz_listed *relation) {
    int32_t tuple[MAX_TUPLES * TZ_MAX_RANK];
    size_t rank = relation->rank, bytes = rank * sizeof tuple[0];
    for (; cursor->kind != TZ_TOKEN_END; relation->tuples++) {
        const char *at = cursor->span.at;
        int32_t *next = tuple + relation->tuples * rank;
        if (relation->tuples == MAX_TUPLES)
            return tz_bad(reader, at, "%s has more than %d tuples: use a sparse weight",
                          reader->context, MAX_TUPLES);
        if (!read_tuple(reader, cursor, relation, next))
            return false;
        for (unsigned t = 0; t < relation->tuples; t++)
            if (memcmp(tuple + t * rank, next, bytes) == 0)
                return tz_bad(reader, at, "this tuple stands twice in %s: remove one",
                              reader->context);
    }
    int32_t *kept = tz_arena_array(reader->arena, relation->tuples * rank, sizeof tuple[0]);
    if (kept == NULL)
        return tz_no_memory(reader);
    memcpy(kept, tuple, relation->tuples * bytes);
    relation->tuple = kept;
    relation->values = (uint16_t)(relation->tuples * rank);
    return true;
}

bool tz_read_relation(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement) {
    uint16_t which = reader->rules->relations;
    tz_listed *relation = &reader->relation[which];
    tz_scope scope;
    tz_span name = cursor->span;
    tz_set_context(reader, "relation", name);
    if (cursor->kind != TZ_TOKEN_NAME) {
        tz_set_context(reader, "a `relation` line", (tz_span){0});
        return tz_expected(reader, cursor, "a name",
                           "write one, as in `relation next[a,b] (0,1) (1,2)`");
    }
    if (!tz_names_add(reader, name, TZ_NAME_RELATION, which) ||
        !tz_keep(reader, name, &relation->name))
        return false;
    tz_next_token(cursor);
    if (!tz_read_indices(reader, cursor, &scope))
        return false;
    if (scope.count == 0)
        return tz_bad(reader, name.at,
                      "%s has no indices: name one for each integer of a tuple, as in `relation "
                      "next[a,b] (0,1) (1,2)`",
                      reader->context);
    for (unsigned q = 0; q < scope.count; q++)
        if (!tz_keep(reader, scope.name[q], &relation->index_name[q]))
            return false;
    relation->rank = (uint8_t)scope.count;
    relation->line = statement->line;
    tz_span text = {cursor->span.at, (size_t)(cursor->end - cursor->span.at)};
    if (cursor->kind == TZ_TOKEN_END)
        return tz_bad(reader, name.at, "%s has no tuples: list them, as in `(0,1) (2,3)`",
                      reader->context);
    reader->relation_at[which] = name.at;
    reader->rules->relations++;
    return read_tuples(reader, cursor, relation) && tz_keep(reader, text, &relation->tuples_text) &&
           tz_keep(reader, statement->comment, &relation->comment);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* The tuples chosen for the relations of a rule, the last of which changes first. */
typedef struct choice {
    const tz_condition *condition;
    unsigned tuple[TZ_MAX_USED];
} choice;

static const tz_listed *relation_of(const tz_reader *reader, const choice *c, unsigned u) {
    return &reader->relation[c->condition->used[u].which];
}

static bool next_choice(const tz_reader *reader, choice *c) {
    for (unsigned u = c->condition->count; u-- > 0; c->tuple[u] = 0)
        if (++c->tuple[u] < relation_of(reader, c, u)->tuples)
            return true;
    return false;
}

/* How many choices there are in all rules together, or 0 where there are too many. */
static size_t count_choices(const tz_reader *reader) {
    size_t sum = 0;
    for (unsigned r = 0; r < reader->rules->rule_count; r++) {
        const choice c = {.condition = &reader->condition[r]};
        size_t product = 1;
        for (unsigned u = 0; u < c.condition->count && product <= MAX_CHOICES; u++)
            product *= relation_of(reader, &c, u)->tuples;
        if (product > MAX_CHOICES || (sum += product) > MAX_CHOICES)
            return 0;
    }
    return sum;
}

/* The rule's own relations, and that the arguments are the tuples. */
static bool equate(tz_reader *reader, const choice *c, tz_rule *rule) {
    unsigned count = rule->condition.count;
    for (unsigned u = 0; u < c->condition->count; u++)
        count += relation_of(reader, c, u)->rank;
    tz_constraint *at = tz_arena_array(reader->arena, count, sizeof at[0]), *to = at;
    if (at == NULL)
        return tz_no_memory(reader);
    for (unsigned k = 0; k < rule->condition.count; k++)
        *to++ = rule->condition.at[k];
    for (unsigned u = 0; u < c->condition->count; u++) {
        const tz_listed *relation = relation_of(reader, c, u);
        const int32_t *tuple = relation->tuple + c->tuple[u] * (size_t)relation->rank;
        for (unsigned q = 0; q < relation->rank; q++, to++) {
            *to = (tz_constraint){c->condition->used[u].index[q], TZ_EQ};
            to->form.constant -= tuple[q];
        }
    }
    rule->condition = (tz_domain){at, count};
    return true;
}

/* What each variable of a rule becomes: the variable of another number, or an integer. */
typedef struct renaming {
    tz_form value[TZ_MAX_VARIABLES];
    bool settled[TZ_MAX_VARIABLES]; /* an integer */
    unsigned left;                  /* variables */
} renaming;

/* Equations with one variable and nothing else but an integer settle it: as if the integer stood in
 * its place, so that loops and folds need not find out. */
static renaming settle(const tz_rule *rule) {
    renaming ret = {.left = 0};
    for (uint32_t k = 0; k < rule->condition.count; k++) {
        const tz_form *form = &rule->condition.at[k].form;
        unsigned seen = 0, variable = 0;
        for (unsigned v = 0; v < rule->variables; v++)
            if (form->column[v] != 0) {
                seen++;
                variable = v;
            }
        bool settles = rule->condition.at[k].relation == TZ_EQ && seen == 1 &&
                       abs(form->column[variable]) == 1 && !tz_form_has_lengths(form);
        if (!settles || ret.settled[variable])
            continue;
        ret.settled[variable] = true;
        ret.value[variable].constant = -form->column[variable] * form->constant;
    }
    for (unsigned v = 0; v < rule->variables; v++)
        if (!ret.settled[v])
            ret.value[v] = tz_form_column(ret.left++);
    return ret;
}

static bool rename_terms(tz_reader *reader, const renaming *names, unsigned variables,
                         const tz_term *from, unsigned count, const tz_term **ret) {
    tz_term *to = tz_arena_array(reader->arena, count, sizeof to[0]);
    if (to == NULL)
        return tz_no_memory(reader);
    for (unsigned t = 0; t < count; t++) {
        to[t] = from[t];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            tz_form_compose(&to[t].index[q], &from[t].index[q], names->value, variables);
    }
    *ret = to;
    return true;
}

/* Has it become a relation of integers that holds? */
static bool says_nothing(const tz_constraint *constraint) {
    int32_t constant = constraint->form.constant;
    if (tz_form_has_columns(&constraint->form) || tz_form_has_lengths(&constraint->form))
        return false;
    return constraint->relation == TZ_EQ   ? constant == 0
           : constraint->relation == TZ_NE ? constant != 0
                                           : constant >= 0;
}

/* Puts integers in the place of the variables that are settled. */
static bool put_integers(tz_reader *reader, tz_rule *rule, tz_location *location) {
    const renaming names = settle(rule);
    const unsigned variables = rule->variables;
    const tz_domain before = rule->condition;
    const tz_term *conclusion = NULL;
    tz_constraint *at = tz_arena_array(reader->arena, before.count, sizeof at[0]);
    const char **name = tz_arena_array(reader->arena, variables, sizeof name[0]);
    const char **column = tz_arena_array(reader->scratch, variables, sizeof column[0]);
    if (at == NULL || name == NULL || column == NULL)
        return tz_no_memory(reader);
    for (unsigned v = 0, left = 0; v < variables; v++)
        if (!names.settled[v]) {
            name[left] = rule->variable_name[v];
            column[left++] = location->column[v];
        }
    rule->condition = (tz_domain){at, 0};
    for (uint32_t k = 0; k < before.count; k++) {
        tz_constraint *to = &at[rule->condition.count];
        *to = before.at[k];
        tz_form_compose(&to->form, &before.at[k].form, names.value, variables);
        rule->condition.count += !says_nothing(to);
    }
    if (!rename_terms(reader, &names, variables, rule->premise, rule->premises, &rule->premise) ||
        !rename_terms(reader, &names, variables, rule->side, rule->sides, &rule->side) ||
        !rename_terms(reader, &names, variables, rule->weight, rule->weights, &rule->weight) ||
        !rename_terms(reader, &names, variables, &rule->conclusion, 1, &conclusion))
        return false;
    rule->conclusion = *conclusion;
    rule->variables = (uint8_t)names.left;
    rule->variable_name = name;
    location->column = column;
    return true;
}

/* Adds the instances of rule r that can apply to those in `to`. */
static bool add_instances(tz_reader *reader, unsigned r, tz_rule *to, tz_location *location,
                          uint16_t *count) {
    const tz_rule *rule = &reader->rule[r];
    choice c = {.condition = &reader->condition[r]};
    const bool several = c.condition->count > 0;
    uint16_t before = *count;
    tz_set_context(reader, "rule", (tz_span){rule->name, strlen(rule->name)});
    do {
        tz_rule instance = *rule;
        tz_location at = reader->rule_location[r];
        if (several && (!equate(reader, &c, &instance) || !put_integers(reader, &instance, &at)))
            return false;
        tz_status status = several ? tz_rule_possible(reader->rules, &instance) : TZ_OK;
        if (status == TZ_NO_MEMORY)
            return tz_no_memory(reader);
        if (status == TZ_NONE)
            continue;
        if (*count == TZ_MAX_LINES)
            return tz_bad(reader, reader->rule_location[r].at,
                          "with one rule for each tuple, there are more than %d rules up to %s: "
                          "give the relations fewer tuples",
                          TZ_MAX_LINES, reader->context);
        location[*count] = at;
        to[(*count)++] = instance;
    } while (next_choice(reader, &c));
    if (*count == before)
        return tz_bad(reader, reader->rule_location[r].at,
                      "%s can never apply whatever the lengths: its domains and other relations "
                      "exclude every tuple of \"%s\"; change one of them",
                      reader->context, relation_of(reader, &c, 0)->name);
    return true;
}

static bool warn_of_unused(tz_reader *reader) {
    for (unsigned i = 0; i < reader->rules->relations; i++) {
        bool used = false;
        for (unsigned r = 0; r < reader->rules->rule_count; r++)
            for (unsigned u = 0; u < reader->condition[r].count; u++)
                used |= reader->condition[r].used[u].which == i;
        if (!used && !tz_warn(reader, reader->relation_at[i], "relation \"%s\" stands in no rule",
                              reader->relation[i].name))
            return false;
    }
    return true;
}

bool tz_expand_relations(tz_reader *reader) {
    if (reader->rules->relations == 0)
        return true;
    if (!warn_of_unused(reader))
        return false;
    size_t choices = count_choices(reader);
    if (choices == 0)
        return tz_bad(reader, reader->relation_at[0],
                      "the rules' conditions have more than %d choices of tuples: give relations "
                      "fewer, or rules fewer relations",
                      MAX_CHOICES);
    uint16_t count = 0;
    size_t room = choices < TZ_MAX_LINES ? choices : TZ_MAX_LINES;
    tz_rule *rule = tz_arena_array(reader->arena, room, sizeof rule[0]);
    tz_location *location = tz_arena_array(reader->scratch, room, sizeof location[0]);
    if (rule == NULL || location == NULL)
        return tz_no_memory(reader);
    for (unsigned r = 0; r < reader->rules->rule_count; r++)
        if (!add_instances(reader, r, rule, location, &count))
            return false;
    reader->rules->written = reader->rule;
    reader->rules->writtens = reader->rules->rule_count;
    reader->rules->rule = reader->rule = rule;
    reader->rules->rule_count = count;
    reader->rule_location = location;
    return true;
}
