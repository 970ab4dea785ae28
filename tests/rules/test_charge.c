/* test_charge.c - what do charged rule sets say, and what cannot be charged?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/tell/cost.h"
#include "rules/tell/enumerate.h"
#include "rules/transform/amounts.h"
#include "rules/transform/charge.h"
#include "tests/support/oom.h"
#include "tests/support/rules_text.h"

static tz_rules *charge(const tz_rules *rules, const char *resource) {
    tz_error error = {TZ_OK, ""};
    tz_rules *charged;
    if (tz_rules_charge(rules, resource, &charged, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_string_equal(error.message, "");
    return charged;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* One, two and no premises; coefficients beyond 1 and lengths in charges; a letter and a name that
 * are taken. */
static const char *const pieces = "# What is cut.\n"
                                  "rules cuts\n"
                                  "cite Nobody\n"
                                  "count 1 2\n"
                                  "length n\n"
                                  "weight piece[i,j] 0 <= i < j <= n # a piece\n"
                                  "weight kept_total\n"
                                  "item at[u] 0 <= u <= n # a cut\n"
                                  "item both[i,j] 0 <= i <= j <= n\n"
                                  "item end\n"
                                  "goal end\n"
                                  "resource kept piece[i,j] j-i\n"
                                  "resource kept piece[i,j] j+n+2\n"
                                  "resource spared = n + n - kept\n"
                                  "axiom\n--- start\nat[0]\n"
                                  "at[i]\n--- next * piece[i,j] if j > i\nat[j]\n"
                                  "at[i] at[j]\n--- pair * piece[i,k] if k = j\nboth[i,j]\n"
                                  "at[n] both[0,n]\n--- end * kept_total\nend\n";

static const char *const charged_pieces =
    "# What is cut.\n"
    "rules   cuts-kept\n"
    "cite    Nobody\n"
    "length  n, kept_total2\n"
    "weight  piece[i,j]  0 <= i < j <= n  # a piece\n"
    "weight  kept_total\n"
    "item    at[u,v]  0 <= u <= n, 0 <= v <= kept_total2, u <= v  # a cut\n"
    "item    both[i,j,v]  0 <= i <= j <= n, 0 <= v <= kept_total2\n"
    "item    end[v]  0 <= v <= kept_total2\n"
    "goal    end[kept_total2]\n"
    "resource kept piece[i,j] j-i\n"
    "resource kept piece[i,j] n+j+2\n"
    "resource spared = n+n - kept\n"
    "\n"
    "    axiom\n"
    "    ------- start\n"
    "    at[0,0]\n"
    "\n"
    "    at[i,v-v1+i-n-j-2]\n"
    "    ------------------ next  * piece[i,j]  if j > i, v1 = j\n"
    "    at[j,v]\n"
    "\n"
    "    at[i,v1]  at[j,v-v1-v2+i-n-k-2]\n"
    "    ------------------------------- pair  * piece[i,k]  if k = j, v2 = k\n"
    "    both[i,j,v]\n"
    "\n"
    "    at[n,v1]  both[0,n,v-v1]\n"
    "    ------------------------ end  * kept_total\n"
    "    end[v]\n";

TEST(text) {
    OWN(tz_rules, rules) = parse_rules(pieces);
    OWNED(tz_text, text) = {0};
    assert_ok(tz_charge_text(rules, "kept", true, &text, NULL));
    if (text.size != strlen(charged_pieces) || memcmp(text.data, charged_pieces, text.size) != 0)
        fail_msg("the text is\n%.*s", (int)text.size, text.data);
    tz_rules_free(charge(rules, "kept"));
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void assert_refused(const tz_rules *rules, const char *resource, tz_status status,
                           const char *message) {
    tz_error error = {TZ_OK, ""};
    tz_rules *charged;
    assert_int_equal(tz_rules_charge(rules, resource, &charged, &error), status);
    assert_null(charged);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, message);
    assert_int_equal(tz_rules_charge(rules, resource, &charged, NULL), status);
}

TEST(refusals) {
    assert_refused(tz_rules_find("compress"), "keep", TZ_BAD_ARGUMENT,
                   "compress: no resource \"keep\": the rule set has kept, dropped");
    assert_refused(tz_rules_find("eisner"), "kept", TZ_BAD_ARGUMENT,
                   "eisner: no resource \"kept\": the rule set declares none; add a line such as "
                   "`resource kept WEIGHT[...] AMOUNT`");
    tz_rules *rules = parse_rules(pieces);
    assert_refused(rules, "spared", TZ_BAD_ARGUMENT,
                   "cuts: nothing is charged to resource \"spared\", it is what kept leaves: "
                   "charge kept and read it from there, or say what uses it in a line such as "
                   "`resource spared WEIGHT[...] AMOUNT`");
    tz_rules_free(rules);
    rules = parse_rules("rules wide\nlength n\nweight w\n"
                        "item it[a,b,c,d,e,f,g] 0 <= a <= n, a <= b, b <= c, c <= d, d <= e, "
                        "e <= f, f <= g, g <= n\ngoal it[n,n,n,n,n,n,n]\n"
                        "resource r w 1\naxiom\n--- x * w\nit[a,a,a,a,a,a,a]\n");
    assert_refused(rules, "r", TZ_TOO_LARGE,
                   "wide: no room for the amount of r: item \"it\" has 7 indices already, the most "
                   "there may be");
    tz_rules_free(rules);
    rules = parse_rules("rules many\nlength a, b, c, d, e, f\nweight w\nitem it\ngoal it\n"
                        "resource r w 1\naxiom\n--- x * w\nit\n");
    assert_refused(rules, "r", TZ_TOO_LARGE,
                   "many: no room for the total of r: it would be one more length than 6, the most "
                   "there may be");
    tz_rules_free(rules);
    rules =
        parse_rules("rules wide\nlength n\nweight w[i] 0 <= i <= n\nitem it[i] 0 <= i <= n\n"
                    "goal it[n]\n"
                    "resource r w[i] i+n\nresource r w[i] i\nresource r w[i] i\nresource r w[i] i\n"
                    "resource r w[i] i\nresource r w[i] i\nresource r w[i] i\nresource r w[i] i\n"
                    "resource r w[i] i\nresource r w[i] i\nresource r w[i] i\nresource r w[i] i\n"
                    "resource r w[i] i\nresource r w[i] i\nresource r w[i] i\nresource r w[i] i\n"
                    "resource r w[i] i\n"
                    "axiom\n--- x * w[i]\nit[i]\n");
    assert_refused(rules, "r", TZ_TOO_LARGE,
                   "wide: rule \"x\" would have more than 16 variables with what it uses of r: "
                   "split it in two");
    tz_rules_free(rules);
}

/* Where bounds would show that the goal has no derivation, which the reader refuses. */
TEST(underivable) {
    tz_rules *rules = parse_rules("rules none\nlength n\nweight w\nitem a[i] 0 <= i <= n\n"
                                  "goal a[0]\nresource r w 1\n"
                                  "axiom\n--- x * w\na[1]\n"
                                  "a[i]\n--- y * w\na[i+1]\n");
    OWN(tz_rules, charged) = charge(rules, "r");
    assert_int_equal(charged->lengths, 2);
    tz_rules_free(rules);
}

/* Names are not those of relations, nor of variables that only these have; a closure that a side
 * condition looks at is one under its second name. */
TEST(features) {
    OWN(tz_rules, rules) =
        parse_rules("rules all\nlength n\nweight w[i] 0 <= i <= n\n"
                    "relation at_any[s,u] (0,1) (1,2)\n"
                    "item seen[i] 0 <= i <= n\nitem at[i] 0 <= i <= n\nclosure at\n"
                    "goal seen[n]\nresource r w[i] 1\n"
                    "axiom\n--- x\nat[0]\n"
                    "at[i]\n--- round * w[i]\nat[i]\n"
                    "at[i]\n--- on if at_any[i,u], j = i+1\nat[j]\n"
                    "at[i] [at[i]]\n--- see * w[i]\nseen[i]\n");
    OWNED(tz_text, text) = {0};
    assert_ok(tz_charge_text(rules, "r", true, &text, NULL));
    tz_text_add(&text, "", 1);
    assert_non_null(strstr(text.data, "\nclosure at, at_any2\n"));
    assert_non_null(strstr(text.data, "[at_any2[i]]"));
    assert_non_null(strstr(text.data, "item    at[i,v]"));
    tz_rules_free(charge(rules, "r"));
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

static void assert_bounds(const tz_rules *rules, const tz_amounts *amounts, const char *item,
                          const char *least, const char *most) {
    unsigned i = 0;
    char text[2][64] = {"none", "none"};
    while (strcmp(rules->item[i].name, item) != 0)
        i++;
    if (amounts[i].has_least)
        tz_form_text(&amounts[i].least, rules->length_name, rules->item[i].index_name, text[0],
                     sizeof text[0]);
    if (amounts[i].has_most)
        tz_form_text(&amounts[i].most, rules->length_name, rules->item[i].index_name, text[1],
                     sizeof text[1]);
    assert_string_equal(text[0], least);
    assert_string_equal(text[1], most);
}

TEST(bounds) {
    tz_amounts amounts[16];
    const tz_rules *rules = tz_rules_find("compress");
    assert_ok(tz_find_amounts(rules, 0, amounts));
    assert_bounds(rules, amounts, "hook", "0", "0");
    assert_bounds(rules, amounts, "rtri", "0", "j-i");
    assert_bounds(rules, amounts, "ltri", "0", "j-i");
    assert_bounds(rules, amounts, "rtrap", "1", "j-i");
    assert_bounds(rules, amounts, "ltrap", "1", "j-i");
    assert_ok(tz_find_amounts(rules, 1, amounts));
    assert_bounds(rules, amounts, "rtri", "0", "j-i");
    assert_bounds(rules, amounts, "rtrap", "0", "j-i-1");
    rules = tz_rules_find("compress-single-root");
    assert_ok(tz_find_amounts(rules, 0, amounts));
    assert_bounds(rules, amounts, "top", "1", "n");
    rules = tz_rules_find("skip");
    assert_ok(tz_find_amounts(rules, 1, amounts));
    assert_bounds(rules, amounts, "hook", "j-i", "j-i");
    rules = tz_rules_find("skip-bigram-note");
    assert_ok(tz_find_amounts(rules, 1, amounts));
    assert_bounds(rules, amounts, "rtri", "p-j-1", "p-i-1");
}

/* The bounds save a good part of the convolution. */
TEST(products) {
    const tz_rules *rules = tz_rules_find("compress");
    const int32_t lengths[] = {40, 16};
    double products[2];
    for (int bounded = 0; bounded < 2; bounded++) {
        OWN(tz_rules, charged) = NULL;
        OWNED(tz_text, text) = {0};
        assert_ok(tz_charge_text(rules, "kept", bounded, &text, NULL));
        assert_ok(tz_rules_parse("test", text.data, text.size, &charged, NULL));
        assert_ok(tz_rules_products(charged, lengths, &products[bounded]));
    }
    print_message("# products with bounds: %.0f, without: %.0f\n", products[1], products[0]);
    assert_true(products[1] < 0.4 * products[0]);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    OWN(tz_rules, charged) = NULL;
    return tz_rules_charge(user, "used", &charged, NULL);
}

TEST(memory) {
    OWN(tz_rules, rules) = parse_rules("rules small\nlength n\nweight w[i] 0 <= i <= n\n"
                                       "item a[i] 0 <= i <= n\ngoal a[n]\nresource used w[i] 1\n"
                                       "axiom\n--- x\na[0]\n"
                                       "a[i]\n--- y * w[i] if j > i\na[j]\n");
    assert_true(oom_sweep("tz_rules_charge", attempt, rules, TZ_NO_MEMORY, false) > 50);
}
