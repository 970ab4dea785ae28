/* describe.c - the members of table.h as data. A member added there is added here.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/tell/describe.h"

#include <string.h>

/* Every struct of table.h, but for tz_rules, which holds them all. */
#define STRUCTS(each)                                                                              \
    each(tz_form) each(tz_constraint) each(tz_domain) each(tz_bound) each(tz_range) each(tz_shear) \
        each(tz_nest) each(tz_rules_input) each(tz_rules_labels) each(tz_view_index)               \
            each(tz_weight) each(tz_item) each(tz_term) each(tz_listed) each(tz_rule)              \
                each(tz_resource) each(tz_charge) each(tz_warning) each(tz_kind) each(tz_group)    \
                    each(tz_step) each(tz_gauge)

#define DESCRIBED(type) type##_described
#define DECLARE(type)   static const tz_described DESCRIBED(type);
STRUCTS(DECLARE)

/* What a value is, told by its type: its kind, its description, and how C writes its type where
 * many of them are constant. (An enum has the type of an unsigned number.) */
// clang-format off
#define IS_STRUCT(type) type: TZ_STRUCT,
#define TYPE_CASE(type) type: &DESCRIBED(type),
#define C_CASE(type) type: #type,
// clang-format on
#define KIND(value)                                                                                \
    _Generic((value), STRUCTS(IS_STRUCT) bool : TZ_FLAG, double : TZ_REAL, const char * : TZ_TEXT, \
             int16_t : TZ_SIGNED, int32_t : TZ_SIGNED, default : TZ_UNSIGNED)
#define TYPE(value) _Generic((value), STRUCTS(TYPE_CASE) default : NULL)
#define C_TYPE(value)                                                                              \
    _Generic((value), STRUCTS(C_CASE) double : "double", const char * : "char *const",             \
             int32_t : "int32_t", uint16_t : "uint16_t", uint8_t : "uint8_t", default : NULL)

/* A member of S: one value; an array in place; a pointer to n of them. */
#define MEMBER(m) (((S *)0)->m)
#define ELEMENT(m, element)                                                                        \
    .name = #m, .kind = KIND(element), .offset = offsetof(S, m), .size = sizeof(element),          \
    .type = TYPE(element)
#define ONE(m)                                                                                     \
    { ELEMENT(m, MEMBER(m)), .count = 1 }
#define EACH(m)                                                                                    \
    { ELEMENT(m, MEMBER(m)[0]), .count = sizeof MEMBER(m) / sizeof MEMBER(m)[0] }
#define AT(m, n)                                                                                   \
    {                                                                                              \
        ELEMENT(m, MEMBER(m)[0]), .c_type = C_TYPE(MEMBER(m)[0]), .count_offset = offsetof(S, n),  \
                                  .count_size = sizeof MEMBER(n)                                   \
    }

#define ALL(members)                                                                               \
    { members, sizeof members / sizeof *members }
#define MEMBERS(type, ...) static const tz_member type##_members[] = {__VA_ARGS__}
#define DESCRIBE(type, ...)                                                                        \
    MEMBERS(type, __VA_ARGS__);                                                                    \
    static const tz_described DESCRIBED(type) = ALL(type##_members)

#define S tz_form
DESCRIBE(tz_form, ONE(constant), EACH(length), EACH(column));
#undef S

#define S tz_constraint
DESCRIBE(tz_constraint, ONE(form), ONE(relation));
#undef S

#define S tz_domain
DESCRIBE(tz_domain, AT(at, count), ONE(count));
#undef S

#define S tz_bound
DESCRIBE(tz_bound, ONE(form), ONE(divisor));
#undef S

#define S tz_range
DESCRIBE(tz_range, AT(lower, lowers), AT(upper, uppers), ONE(lowers), ONE(uppers));
#undef S

#define S tz_shear
DESCRIBE(tz_shear, ONE(outer), ONE(inner), ONE(fall));
#undef S

#define S tz_nest
DESCRIBE(tz_nest, ONE(givens), ONE(loops), ONE(variables), ONE(entry), AT(range, loops),
         AT(variable, variables));
#undef S

#define S tz_rules_input
DESCRIBE(tz_rules_input, ONE(name), EACH(index_name), ONE(rank), ONE(line), ONE(bound), ONE(domain),
         ONE(domain_text), ONE(comment), ONE(cells), EACH(extent));
#undef S

#define S tz_rules_labels
DESCRIBE(tz_rules_labels, ONE(length), ONE(names), AT(name, names), ONE(line), ONE(comment));
#undef S

#define S tz_view_index
DESCRIBE(tz_view_index, ONE(looked_up), ONE(input), EACH(at));
#undef S

#define S tz_weight
DESCRIBE(tz_weight, ONE(name), EACH(index_name), ONE(rank), ONE(sparse), ONE(declared),
         AT(view, views), ONE(views), ONE(line), ONE(domain), ONE(domain_text), ONE(comment),
         ONE(cells), AT(used, uses), ONE(uses), EACH(extent), EACH(coordinate),
         EACH(coordinate_range), AT(shear, shears), ONE(shears), AT(index_shear, index_shears),
         ONE(index_shears), ONE(outside), ONE(outsides));
#undef S

#define S tz_item
DESCRIBE(tz_item, ONE(name), EACH(index_name), ONE(rank), ONE(line), ONE(domain), ONE(domain_text),
         ONE(comment), ONE(closure), EACH(extent));
#undef S

#define S tz_term
DESCRIBE(tz_term, ONE(what), ONE(which), EACH(index));
#undef S

#define S tz_listed
DESCRIBE(tz_listed, ONE(name), EACH(index_name), ONE(rank), ONE(tuples), ONE(values),
         AT(tuple, values), ONE(line), ONE(tuples_text), ONE(comment));
#undef S

#define S tz_rule
DESCRIBE(tz_rule, ONE(name), ONE(line), ONE(column), ONE(variables), AT(variable_name, variables),
         AT(premise, premises), AT(side, sides), AT(weight, weights), ONE(premises), ONE(sides),
         ONE(weights), ONE(condition), ONE(condition_text), ONE(conclusion));
#undef S

#define S tz_resource
DESCRIBE(tz_resource, ONE(name), ONE(other), ONE(total), ONE(line));
#undef S

#define S tz_charge
DESCRIBE(tz_charge, ONE(resource), ONE(weight), ONE(amount), ONE(line));
#undef S

#define S tz_warning
DESCRIBE(tz_warning, ONE(line), ONE(column), ONE(text));
#undef S

#define S tz_kind
DESCRIBE(tz_kind, ONE(name), ONE(rank), ONE(presence), ONE(group), ONE(domain), ONE(stages),
         EACH(stage), EACH(stage_range), EACH(coordinate), EACH(coordinate_range),
         AT(shear, shears), ONE(shears), ONE(inside), ONE(insides), ONE(outside), ONE(outsides),
         EACH(anew));
#undef S

#define S tz_group
DESCRIBE(tz_group, AT(kind, kinds), AT(joined, kinds), ONE(kinds), ONE(closed), ONE(closeds),
         ONE(stages));
#undef S

#define S tz_step
DESCRIBE(tz_step, ONE(rule), ONE(variables), ONE(sparse), ONE(shared_lengths), ONE(spilled_lengths),
         ONE(within), ONE(stages), ONE(has_split), ONE(has_run), ONE(rectangular), ONE(target),
         AT(term, terms), ONE(terms), ONE(nest), ONE(trace));
#undef S

#define S tz_gauge
DESCRIBE(tz_gauge, AT(kind, kinds), AT(weight, weights), ONE(kinds), ONE(weights));
#undef S

#define S tz_rules
MEMBERS(tz_rules, ONE(name), AT(cite, cites), ONE(cites), AT(count, counts), ONE(counts),
        ONE(ambiguous), ONE(derivations), AT(length_name, lengths), ONE(lengths), ONE(comment),
        AT(weight, weights), ONE(weights), AT(declared, declareds), ONE(declareds),
        AT(input, inputs), ONE(inputs), AT(labels, labelled), ONE(labelled), AT(item, items),
        ONE(items), AT(relation, relations), ONE(relations), AT(rule, rule_count), ONE(rule_count),
        AT(written, writtens), ONE(writtens), AT(resource, resources), ONE(resources),
        AT(charge, charges), ONE(charges), AT(declared_charge, declared_charges),
        ONE(declared_charges), ONE(goal), ONE(goal_line), ONE(goal_column), AT(warning, warnings),
        ONE(warnings), AT(kind, kinds), ONE(kinds), AT(group, groups), ONE(groups), AT(step, steps),
        AT(outside_step, outside_steps), AT(weight_step, weight_steps), ONE(steps),
        ONE(outside_steps), ONE(weight_steps), AT(gauge, gauges), ONE(gauges));
const tz_described tz_describe_rules = ALL(tz_rules_members);
#undef S

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
