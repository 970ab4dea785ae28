/* describe.c - the members of table.h as data. A member added there is added here.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/tell/describe.h"

#include <string.h>

#define SIZE(s, m) sizeof(((s *)0)->m)

/* One value, or an array in place, of a scalar kind. */
#define VALUE(k, s, m)                                                                             \
    { .name = #m, .kind = k, .offset = offsetof(s, m), .size = SIZE(s, m), .count = 1 }
#define ARRAY(k, s, m)                                                                             \
    {                                                                                              \
        .name = #m, .kind = k, .offset = offsetof(s, m), .size = SIZE(s, m[0]),                    \
        .count = SIZE(s, m) / SIZE(s, m[0])                                                        \
    }
/* A pointer to n of them. */
#define POINTER(k, s, m, n, c)                                                                     \
    {                                                                                              \
        .name = #m, .c_type = c, .kind = k, .offset = offsetof(s, m), .size = SIZE(s, m[0]),       \
        .count_offset = offsetof(s, n), .count_size = SIZE(s, n)                                   \
    }
/* The same for structs. */
#define STRUCT(t, s, m)                                                                            \
    {                                                                                              \
        .name = #m, .kind = TZ_STRUCT, .offset = offsetof(s, m), .size = SIZE(s, m), .count = 1,   \
        .type = &t                                                                                 \
    }
#define STRUCTS(t, s, m)                                                                           \
    {                                                                                              \
        .name = #m, .kind = TZ_STRUCT, .offset = offsetof(s, m), .size = SIZE(s, m[0]),            \
        .count = SIZE(s, m) / SIZE(s, m[0]), .type = &t                                            \
    }
#define STRUCT_POINTER(t, s, m, n)                                                                 \
    {                                                                                              \
        .name = #m, .c_type = "tz_" #t, .kind = TZ_STRUCT, .offset = offsetof(s, m),               \
        .size = SIZE(s, m[0]), .count_offset = offsetof(s, n), .count_size = SIZE(s, n),           \
        .type = &t                                                                                 \
    }
#define DESCRIBED(members)                                                                         \
    { members, sizeof members / sizeof members[0] }

static const tz_member form_members[] = {
    VALUE(TZ_SIGNED, tz_form, constant),
    ARRAY(TZ_SIGNED, tz_form, length),
    ARRAY(TZ_SIGNED, tz_form, column),
};
static const tz_described form = DESCRIBED(form_members);

static const tz_member constraint_members[] = {
    STRUCT(form, tz_constraint, form),
    VALUE(TZ_UNSIGNED, tz_constraint, relation),
};
static const tz_described constraint = DESCRIBED(constraint_members);

static const tz_member domain_members[] = {
    STRUCT_POINTER(constraint, tz_domain, at, count),
    VALUE(TZ_UNSIGNED, tz_domain, count),
};
static const tz_described domain = DESCRIBED(domain_members);

static const tz_member bound_members[] = {
    STRUCT(form, tz_bound, form),
    VALUE(TZ_SIGNED, tz_bound, divisor),
};
static const tz_described bound = DESCRIBED(bound_members);

static const tz_member range_members[] = {
    STRUCT_POINTER(bound, tz_range, lower, lowers),
    STRUCT_POINTER(bound, tz_range, upper, uppers),
    VALUE(TZ_UNSIGNED, tz_range, lowers),
    VALUE(TZ_UNSIGNED, tz_range, uppers),
};
static const tz_described range = DESCRIBED(range_members);

static const tz_member shear_members[] = {
    VALUE(TZ_UNSIGNED, tz_shear, outer),
    VALUE(TZ_UNSIGNED, tz_shear, inner),
    STRUCT(bound, tz_shear, fall),
};
static const tz_described shear = DESCRIBED(shear_members);

static const tz_member nest_members[] = {
    VALUE(TZ_UNSIGNED, tz_nest, givens),
    VALUE(TZ_UNSIGNED, tz_nest, loops),
    VALUE(TZ_UNSIGNED, tz_nest, variables),
    STRUCT(domain, tz_nest, entry),
    STRUCT_POINTER(range, tz_nest, range, loops),
    STRUCT_POINTER(form, tz_nest, variable, variables),
};
static const tz_described nest = DESCRIBED(nest_members);

static const tz_member input_members[] = {
    VALUE(TZ_TEXT, tz_rules_input, name),        ARRAY(TZ_TEXT, tz_rules_input, index_name),
    VALUE(TZ_UNSIGNED, tz_rules_input, rank),    VALUE(TZ_UNSIGNED, tz_rules_input, line),
    STRUCT(form, tz_rules_input, bound),         STRUCT(domain, tz_rules_input, domain),
    VALUE(TZ_TEXT, tz_rules_input, domain_text), VALUE(TZ_TEXT, tz_rules_input, comment),
    STRUCT(nest, tz_rules_input, cells),         STRUCTS(range, tz_rules_input, extent),
};
static const tz_described rules_input = DESCRIBED(input_members);

static const tz_member labels_members[] = {
    VALUE(TZ_UNSIGNED, tz_rules_labels, length),
    VALUE(TZ_UNSIGNED, tz_rules_labels, names),
    POINTER(TZ_TEXT, tz_rules_labels, name, names, "char *const"),
    VALUE(TZ_UNSIGNED, tz_rules_labels, line),
    VALUE(TZ_TEXT, tz_rules_labels, comment),
};
static const tz_described labels = DESCRIBED(labels_members);

static const tz_member view_index_members[] = {
    VALUE(TZ_FLAG, tz_view_index, looked_up),
    VALUE(TZ_UNSIGNED, tz_view_index, input),
    STRUCTS(form, tz_view_index, at),
};
static const tz_described view_index = DESCRIBED(view_index_members);

static const tz_member weight_members[] = {
    VALUE(TZ_TEXT, tz_weight, name),
    ARRAY(TZ_TEXT, tz_weight, index_name),
    VALUE(TZ_UNSIGNED, tz_weight, rank),
    VALUE(TZ_FLAG, tz_weight, sparse),
    VALUE(TZ_UNSIGNED, tz_weight, declared),
    STRUCT_POINTER(view_index, tz_weight, view, views),
    VALUE(TZ_UNSIGNED, tz_weight, views),
    VALUE(TZ_UNSIGNED, tz_weight, line),
    STRUCT(domain, tz_weight, domain),
    VALUE(TZ_TEXT, tz_weight, domain_text),
    VALUE(TZ_TEXT, tz_weight, comment),
    STRUCT(nest, tz_weight, cells),
    STRUCT_POINTER(nest, tz_weight, used, uses),
    VALUE(TZ_UNSIGNED, tz_weight, uses),
    STRUCTS(range, tz_weight, extent),
    STRUCTS(form, tz_weight, coordinate),
    STRUCTS(range, tz_weight, coordinate_range),
    STRUCT_POINTER(shear, tz_weight, shear, shears),
    VALUE(TZ_UNSIGNED, tz_weight, shears),
    STRUCT_POINTER(shear, tz_weight, index_shear, index_shears),
    VALUE(TZ_UNSIGNED, tz_weight, index_shears),
    VALUE(TZ_UNSIGNED, tz_weight, outside),
    VALUE(TZ_UNSIGNED, tz_weight, outsides),
};
static const tz_described weight = DESCRIBED(weight_members);

static const tz_member item_members[] = {
    VALUE(TZ_TEXT, tz_item, name),     ARRAY(TZ_TEXT, tz_item, index_name),
    VALUE(TZ_UNSIGNED, tz_item, rank), VALUE(TZ_UNSIGNED, tz_item, line),
    STRUCT(domain, tz_item, domain),   VALUE(TZ_TEXT, tz_item, domain_text),
    VALUE(TZ_TEXT, tz_item, comment),  VALUE(TZ_FLAG, tz_item, closure),
    STRUCTS(range, tz_item, extent),
};
static const tz_described item = DESCRIBED(item_members);

static const tz_member term_members[] = {
    VALUE(TZ_UNSIGNED, tz_term, what),
    VALUE(TZ_UNSIGNED, tz_term, which),
    STRUCTS(form, tz_term, index),
};
static const tz_described term = DESCRIBED(term_members);

static const tz_member listed_members[] = {
    VALUE(TZ_TEXT, tz_listed, name),       ARRAY(TZ_TEXT, tz_listed, index_name),
    VALUE(TZ_UNSIGNED, tz_listed, rank),   VALUE(TZ_UNSIGNED, tz_listed, tuples),
    VALUE(TZ_UNSIGNED, tz_listed, values), POINTER(TZ_SIGNED, tz_listed, tuple, values, "int32_t"),
    VALUE(TZ_UNSIGNED, tz_listed, line),   VALUE(TZ_TEXT, tz_listed, tuples_text),
    VALUE(TZ_TEXT, tz_listed, comment),
};
static const tz_described listed = DESCRIBED(listed_members);

static const tz_member rule_members[] = {
    VALUE(TZ_TEXT, tz_rule, name),
    VALUE(TZ_UNSIGNED, tz_rule, line),
    VALUE(TZ_UNSIGNED, tz_rule, column),
    VALUE(TZ_UNSIGNED, tz_rule, variables),
    POINTER(TZ_TEXT, tz_rule, variable_name, variables, "char *const"),
    STRUCT_POINTER(term, tz_rule, premise, premises),
    STRUCT_POINTER(term, tz_rule, side, sides),
    STRUCT_POINTER(term, tz_rule, weight, weights),
    VALUE(TZ_UNSIGNED, tz_rule, premises),
    VALUE(TZ_UNSIGNED, tz_rule, sides),
    VALUE(TZ_UNSIGNED, tz_rule, weights),
    STRUCT(domain, tz_rule, condition),
    VALUE(TZ_TEXT, tz_rule, condition_text),
    STRUCT(term, tz_rule, conclusion),
};
static const tz_described rule = DESCRIBED(rule_members);

static const tz_member resource_members[] = {
    VALUE(TZ_TEXT, tz_resource, name),
    VALUE(TZ_SIGNED, tz_resource, other),
    STRUCT(form, tz_resource, total),
    VALUE(TZ_UNSIGNED, tz_resource, line),
};
static const tz_described resource = DESCRIBED(resource_members);

static const tz_member charge_members[] = {
    VALUE(TZ_UNSIGNED, tz_charge, resource),
    VALUE(TZ_UNSIGNED, tz_charge, weight),
    STRUCT(form, tz_charge, amount),
    VALUE(TZ_UNSIGNED, tz_charge, line),
};
static const tz_described charge = DESCRIBED(charge_members);

static const tz_member warning_members[] = {
    VALUE(TZ_UNSIGNED, tz_warning, line),
    VALUE(TZ_UNSIGNED, tz_warning, column),
    VALUE(TZ_TEXT, tz_warning, text),
};
static const tz_described warning = DESCRIBED(warning_members);

static const tz_member kind_members[] = {
    VALUE(TZ_TEXT, tz_kind, name),
    VALUE(TZ_UNSIGNED, tz_kind, rank),
    VALUE(TZ_FLAG, tz_kind, presence),
    VALUE(TZ_UNSIGNED, tz_kind, group),
    STRUCT(domain, tz_kind, domain),
    VALUE(TZ_UNSIGNED, tz_kind, stages),
    STRUCTS(form, tz_kind, stage),
    STRUCTS(range, tz_kind, stage_range),
    STRUCTS(form, tz_kind, coordinate),
    STRUCTS(range, tz_kind, coordinate_range),
    STRUCT_POINTER(shear, tz_kind, shear, shears),
    VALUE(TZ_UNSIGNED, tz_kind, shears),
    VALUE(TZ_UNSIGNED, tz_kind, inside),
    VALUE(TZ_UNSIGNED, tz_kind, insides),
    VALUE(TZ_UNSIGNED, tz_kind, outside),
    VALUE(TZ_UNSIGNED, tz_kind, outsides),
    ARRAY(TZ_UNSIGNED, tz_kind, anew),
};
static const tz_described kind = DESCRIBED(kind_members);

static const tz_member group_members[] = {
    POINTER(TZ_UNSIGNED, tz_group, kind, kinds, "uint16_t"),
    POINTER(TZ_UNSIGNED, tz_group, joined, kinds, "uint8_t"),
    VALUE(TZ_UNSIGNED, tz_group, kinds),
    VALUE(TZ_UNSIGNED, tz_group, closed),
    VALUE(TZ_UNSIGNED, tz_group, closeds),
    VALUE(TZ_UNSIGNED, tz_group, stages),
};
static const tz_described group = DESCRIBED(group_members);

static const tz_member step_members[] = {
    VALUE(TZ_UNSIGNED, tz_step, rule),
    VALUE(TZ_UNSIGNED, tz_step, variables),
    VALUE(TZ_UNSIGNED, tz_step, sparse),
    VALUE(TZ_UNSIGNED, tz_step, shared_lengths),
    VALUE(TZ_UNSIGNED, tz_step, within),
    VALUE(TZ_UNSIGNED, tz_step, stages),
    VALUE(TZ_FLAG, tz_step, has_split),
    VALUE(TZ_FLAG, tz_step, has_run),
    VALUE(TZ_FLAG, tz_step, rectangular),
    STRUCT(term, tz_step, target),
    STRUCT_POINTER(term, tz_step, term, terms),
    VALUE(TZ_UNSIGNED, tz_step, terms),
    STRUCT(nest, tz_step, nest),
    STRUCT(nest, tz_step, trace),
};
static const tz_described step = DESCRIBED(step_members);

static const tz_member gauge_members[] = {
    STRUCT_POINTER(form, tz_gauge, kind, kinds),
    STRUCT_POINTER(form, tz_gauge, weight, weights),
    VALUE(TZ_UNSIGNED, tz_gauge, kinds),
    VALUE(TZ_UNSIGNED, tz_gauge, weights),
};
static const tz_described gauge = DESCRIBED(gauge_members);

static const tz_member rules_members[] = {
    VALUE(TZ_TEXT, tz_rules, name),
    POINTER(TZ_TEXT, tz_rules, cite, cites, "char *const"),
    VALUE(TZ_UNSIGNED, tz_rules, cites),
    POINTER(TZ_REAL, tz_rules, count, counts, "double"),
    VALUE(TZ_UNSIGNED, tz_rules, counts),
    VALUE(TZ_FLAG, tz_rules, ambiguous),
    VALUE(TZ_FLAG, tz_rules, derivations),
    POINTER(TZ_TEXT, tz_rules, length_name, lengths, "char *const"),
    VALUE(TZ_UNSIGNED, tz_rules, lengths),
    VALUE(TZ_TEXT, tz_rules, comment),
    STRUCT_POINTER(weight, tz_rules, weight, weights),
    VALUE(TZ_UNSIGNED, tz_rules, weights),
    STRUCT_POINTER(weight, tz_rules, declared, declareds),
    VALUE(TZ_UNSIGNED, tz_rules, declareds),
    STRUCT_POINTER(rules_input, tz_rules, input, inputs),
    VALUE(TZ_UNSIGNED, tz_rules, inputs),
    STRUCT_POINTER(labels, tz_rules, labels, labelled),
    VALUE(TZ_UNSIGNED, tz_rules, labelled),
    STRUCT_POINTER(item, tz_rules, item, items),
    VALUE(TZ_UNSIGNED, tz_rules, items),
    STRUCT_POINTER(listed, tz_rules, relation, relations),
    VALUE(TZ_UNSIGNED, tz_rules, relations),
    STRUCT_POINTER(rule, tz_rules, rule, rule_count),
    VALUE(TZ_UNSIGNED, tz_rules, rule_count),
    STRUCT_POINTER(rule, tz_rules, written, writtens),
    VALUE(TZ_UNSIGNED, tz_rules, writtens),
    STRUCT_POINTER(resource, tz_rules, resource, resources),
    VALUE(TZ_UNSIGNED, tz_rules, resources),
    STRUCT_POINTER(charge, tz_rules, charge, charges),
    VALUE(TZ_UNSIGNED, tz_rules, charges),
    STRUCT_POINTER(charge, tz_rules, declared_charge, declared_charges),
    VALUE(TZ_UNSIGNED, tz_rules, declared_charges),
    STRUCT(term, tz_rules, goal),
    VALUE(TZ_UNSIGNED, tz_rules, goal_line),
    VALUE(TZ_UNSIGNED, tz_rules, goal_column),
    STRUCT_POINTER(warning, tz_rules, warning, warnings),
    VALUE(TZ_UNSIGNED, tz_rules, warnings),
    STRUCT_POINTER(kind, tz_rules, kind, kinds),
    VALUE(TZ_UNSIGNED, tz_rules, kinds),
    STRUCT_POINTER(group, tz_rules, group, groups),
    VALUE(TZ_UNSIGNED, tz_rules, groups),
    STRUCT_POINTER(step, tz_rules, step, steps),
    STRUCT_POINTER(step, tz_rules, outside_step, outside_steps),
    STRUCT_POINTER(step, tz_rules, weight_step, weight_steps),
    VALUE(TZ_UNSIGNED, tz_rules, steps),
    VALUE(TZ_UNSIGNED, tz_rules, outside_steps),
    VALUE(TZ_UNSIGNED, tz_rules, weight_steps),
    STRUCT_POINTER(gauge, tz_rules, gauge, gauges),
    VALUE(TZ_UNSIGNED, tz_rules, gauges),
};
const tz_described tz_describe_rules = DESCRIBED(rules_members);

const void *tz_member_elements(const tz_member *member, const void *base, size_t *ret_count) {
    const char *at = (const char *)base + member->offset;
    *ret_count = member->count;
    if (member->count > 0)
        return at;
    const void *elements;
    memcpy(&elements, at, sizeof elements);
    *ret_count =
        (size_t)tz_member_unsigned((const char *)base + member->count_offset, member->count_size);
    return elements;
}

int64_t tz_member_signed(const void *at, size_t size) {
    switch (size) {
    case sizeof(int16_t):
        return *(const int16_t *)at;
    case sizeof(int32_t):
        return *(const int32_t *)at;
    default:
        return *(const int64_t *)at;
    }
}

uint64_t tz_member_unsigned(const void *at, size_t size) {
    switch (size) {
    case sizeof(uint8_t):
        return *(const uint8_t *)at;
    case sizeof(uint16_t):
        return *(const uint16_t *)at;
    case sizeof(uint32_t):
        return *(const uint32_t *)at;
    default:
        return *(const uint64_t *)at;
    }
}
