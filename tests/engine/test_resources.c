/* Do the amounts of resources come out as the rule files declare them?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/rules_text.h"

#include "rules/table.h"
#include "rules/tell/enumerate.h"
#include "tests/support/problem.h"

/* Two lengths, a resource that two lines charge to one weight, one that is only the rest. */
static const char *const twice = "rules twice\n"
                                 "length n, T\n"
                                 "weight piece[i,j,a] 0 <= i < j <= n, 0 <= a < T\n"
                                 "weight stop\n"
                                 "item at[i] 0 <= i <= n\n"
                                 "goal at[n]\n"
                                 "resource pieces piece[i,j,a] 1\n"
                                 "resource cost piece[i,j,a] j-i\n"
                                 "resource cost piece[i,j,a] a+T+2\n"
                                 "resource spared = n + 1 - pieces\n"
                                 "axiom\n--- start * stop\nat[0]\n"
                                 "at[i]\n--- next * piece[i,j,a]\nat[j]\n";

TEST(amounts) {
    OWN(tz_rules, rules) = parse_rules(twice);
    const int32_t lengths[] = {5, 3}, index[] = {1, 4, 2}, outside[] = {1, 1, 2};
    int64_t amount = -1;
    assert_int_equal(tz_rules_count(rules, TZ_RESOURCES), 3);
    assert_string_equal(tz_rules_name_of(rules, TZ_RESOURCES, 0), "pieces");
    assert_string_equal(tz_rules_name_of(rules, TZ_RESOURCES, 1), "cost");
    assert_string_equal(tz_rules_name_of(rules, TZ_RESOURCES, 2), "spared");
    assert_null(tz_rules_name_of(rules, TZ_RESOURCES, 3));
    assert_ok(tz_rules_amount(rules, 0, 0, lengths, index, &amount));
    assert_int_equal(amount, 1);
    assert_ok(tz_rules_amount(rules, 1, 0, lengths, index, &amount));
    assert_int_equal(amount, 3 + 2 + 3 + 2);
    assert_ok(tz_rules_amount(rules, 1, 1, lengths, index, &amount));
    assert_int_equal(amount, 0);
    amount = -1;
    assert_int_equal(tz_rules_amount(rules, 2, 0, lengths, index, &amount), TZ_NONE);
    assert_int_equal(tz_rules_amount(rules, 0, 0, lengths, outside, &amount), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_amount(rules, 0, 2, lengths, index, &amount), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_amount(rules, 3, 0, lengths, index, &amount), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_rules_amount(rules, 0, 0, (int32_t[]){-1, 3}, index, &amount),
                     TZ_BAD_ARGUMENT);
    assert_int_equal(amount, -1);

    size_t other = 9;
    int64_t total = -1;
    assert_int_equal(tz_rules_resource_complement(rules, 1, lengths, &other, &total), TZ_NONE);
    assert_int_equal(tz_rules_resource_complement(rules, 3, lengths, &other, &total),
                     TZ_BAD_ARGUMENT);
    assert_int_equal(other, 9);
    assert_ok(tz_rules_resource_complement(rules, 0, lengths, &other, &total));
    assert_int_equal(other, 2);
    assert_int_equal(total, 6);
    assert_ok(tz_rules_resource_complement(rules, 2, lengths, &other, &total));
    assert_int_equal(other, 0);
    assert_int_equal(total, 6);
}

typedef struct totals {
    const tz_rules *rules;
    const int32_t *lengths;
    size_t derivations;
} totals;

static int64_t total_of(const totals *t, size_t resource, const tz_enum_use *uses, size_t count) {
    int64_t total = 0, amount;
    for (size_t u = 0; u < count; u++) {
        assert_ok(tz_rules_amount(t->rules, resource, uses[u].weight, t->lengths, uses[u].index,
                                  &amount));
        assert_true(amount >= 0);
        total += amount;
    }
    return total;
}

static int check_sum(void *user, const tz_enum_use *uses, size_t count) {
    totals *t = user;
    t->derivations++;
    for (size_t r = 0; r < tz_rules_count(t->rules, TZ_RESOURCES); r++) {
        size_t other;
        int64_t total;
        if (tz_rules_resource_complement(t->rules, r, t->lengths, &other, &total) == TZ_OK)
            assert_int_equal(total_of(t, r, uses, count) + total_of(t, other, uses, count), total);
    }
    return 0;
}

/* A resource and its complement sum to the total in every derivation. */
TEST(complements) {
    size_t checked = 0;
    const tz_rules *rules;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) != NULL; r++) {
        if (tz_rules_count(rules, TZ_RESOURCES) == 0)
            continue;
        for (int32_t n = 0; n <= 4; n++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            totals t = {.rules = rules, .lengths = lengths};
            set_lengths(rules, n, 2, lengths);
            assert_ok(tz_enumerate(rules, lengths, SIZE_MAX, check_sum, &t));
            checked += t.derivations;
        }
    }
    assert_true(checked > 1000);
}
