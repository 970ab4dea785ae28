/* test_relations.c - do relations with tuples mean what they say? A condition with one is compared
 * with a sparse weight that has an entry for each tuple, and with the rules that it is short for.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/show/show.h"
#include "rules/tell/enumerate.h"
#include "tests/support/equal.h"
#include "tests/support/rules_text.h"
#include "tests/support/solved.h"

/* ---- As sparse weights ----------------------------------------------------------------------- */

/* Sums, constants, negative integers, lengths, several relations, tuples that no instance has. */
#define HEADER(name)                                                                               \
    "rules " name "\n"                                                                             \
    "length n, m\n"                                                                                \
    "weight move[i,d] 1 <= i <= n, -2 <= d <= 2\n"                                                 \
    "weight stay[i,s] 1 <= i <= n, 0 <= s <= 3\n"                                                  \
    "item at[i,x,s] 0 <= i <= n, 0 <= x <= m, 0 <= s <= 3\n"                                       \
    "item done\n"                                                                                  \
    "goal done\n"                                                                                  \
    "axiom\n--- start\nat[0,x,0]\n"

static const char with_relations[] =
    HEADER("with-relations") "relation step[d,t] (-2,-1) (-1,0) (1,0) (2,1) (5,5)\n"
                             "relation next[s,t] (0,1) (1,2) (2,0) (2,3) (3,0)\n"
                             "relation odd[s] (1) (3) (7)\n"
                             "relation far[x,i] (0,2) (1,0) (2,1)\n"
                             "at[i-1,x,s]\n--- stay * stay[i,s] if next[s,t], x <= m\nat[i,x,t]\n"
                             "at[i-1,x-d,s]\n"
                             "--- move * move[i,d] if step[d,u], 1 <= x, next[s,t-u]\n"
                             "at[i,x,t]\n"
                             "at[i-1,x,s]\n--- jump * stay[i,s] if odd[x-s], odd[1], next[t,s+1]\n"
                             "at[i,x-s,t]\n"
                             "at[i-1,x,s]\n--- far * stay[i,s] if far[m-x,n-i]\nat[i,x,s]\n"
                             "at[n,x,s]\n--- finish if odd[s+x]\ndone\n";

static const char with_weights[] =
    HEADER("with-weights") "weight step[d,t] sparse -2 <= d <= 9, -9 <= t <= 9\n"
                           "weight next[s,t] sparse 0 <= s <= 3, 0 <= t <= 9\n"
                           "weight odd[s] sparse 0 <= s <= 9\n"
                           "weight far[x,i] sparse 0 <= x <= 9, 0 <= i <= 9\n"
                           "at[i-1,x,s]\n--- stay * stay[i,s] * next[s,t] if x <= m\nat[i,x,t]\n"
                           "at[i-1,x-d,s]\n"
                           "--- move * move[i,d] * step[d,u] * next[s,t-u] if 1 <= x\nat[i,x,t]\n"
                           "at[i-1,x,s]\n--- jump * stay[i,s] * odd[x-s] * odd[1] * next[t,s+1]\n"
                           "at[i,x-s,t]\n"
                           "at[i-1,x,s]\n--- far * stay[i,s] * far[m-x,n-i]\nat[i,x,s]\n"
                           "at[n,x,s]\n--- finish * odd[s+x]\ndone\n";

static double model(const char *name, const int32_t *index) {
    static const struct {
        const char *name;
        int32_t tuple[2];
    } tuples[] = {
        {"step", {-2, -1}}, {"step", {-1, 0}}, {"step", {1, 0}}, {"step", {2, 1}},
        {"step", {5, 5}},   {"next", {0, 1}},  {"next", {1, 2}}, {"next", {2, 0}},
        {"next", {2, 3}},   {"next", {3, 0}},  {"odd", {1}},     {"odd", {3}},
        {"odd", {7}},       {"far", {0, 2}},   {"far", {1, 0}},  {"far", {2, 1}},
    };
    if (strcmp(name, "move") == 0 || strcmp(name, "stay") == 0)
        return -0.25 * index[0] + 0.375 * index[1] * (name[0] == 'm' ? 1 : -1);
    if (strcmp(name, "tag") == 0)
        return index[1];
    for (size_t t = 0; t < sizeof tuples / sizeof *tuples; t++)
        if (strcmp(tuples[t].name, name) == 0 && tuples[t].tuple[0] == index[0] &&
            (strcmp(name, "odd") == 0 || tuples[t].tuple[1] == index[1]))
            return 0;
    return -INFINITY;
}

TEST(as_weights) {
    static const char *const semirings[] = {"count", "log", "max"};
    OWN(tz_rules, relations) = parse_rules(with_relations);
    OWN(tz_rules, weights) = parse_rules(with_weights);
    double derivations = 0;
    for (int32_t n = 0; n <= 7; n++)
        for (int32_t m = 0; m <= 6; m++)
            for (int i = 0; i < 3; i++) {
                const int32_t lengths[] = {n, m};
                solved a = solve_rules(relations, semirings[i], lengths, model);
                OWNED(solved, b) = solve_rules(weights, semirings[i], lengths, model);
                double got = solved_goal(&a), want = solved_goal(&b);
                if (!(got == want || fabs(got - want) <= 1e-13 * (1 + fabs(want))))
                    fail_msg("n = %d, m = %d, %s: %.17g, not %.17g", n, m, semirings[i], got, want);
                derivations += i == 0 ? got : 0;
                solved_free(&a);
            }
    assert_true(derivations > 1000);
}

/* ---- As the rules that they are short for ---------------------------------------------------- */

#define TAGS                                                                                       \
    "rules tags\nlength n\nweight tag[i,t] 1 <= i <= n, 0 <= t <= 2\n"                             \
    "item at[i,t] 1 <= i <= n, 0 <= t <= 2\nitem done\ngoal done\n"

static const char short_text[] =
    TAGS "relation next[s,t] (0,1) (2,0) (1,1) (7,0) # what follows\n"
         "axiom\n--- first * tag[1,t]\nat[1,t]\n"
         "at[i-1,s]\n--- then * tag[i,t] if next[s,t]\nat[i,t]\nat[n,t]\n--- finish\ndone\n";
static const char long_text[] =
    TAGS "axiom\n--- first * tag[1,t]\nat[1,t]\n"
         "at[i-1,0]\n--- then-a * tag[i,1]\nat[i,1]\n"
         "at[i-1,2]\n--- then-b * tag[i,0]\nat[i,0]\n"
         "at[i-1,1]\n--- then-c * tag[i,1]\nat[i,1]\nat[n,t]\n--- finish\ndone\n";

static int collect(void *user, const tz_enum_use *uses, size_t count) {
    char *text = user;
    size_t at = strlen(text);
    for (size_t u = 0; u < count; u++)
        at += (size_t)snprintf(text + at, 4096 - at, "%d,%d ", uses[u].index[0], uses[u].index[1]);
    snprintf(text + at, 4096 - at, "| ");
    return 0;
}

/* The same derivations in the same order; the proof tree has the rule's own name. */
TEST(as_rules) {
    OWN(tz_rules, brief) = parse_rules(short_text);
    OWN(tz_rules, full) = parse_rules(long_text);
    assert_int_equal(brief->rule_count, full->rule_count);
    for (unsigned r = 0; r < full->rule_count; r++) {
        const tz_rule *a = &brief->rule[r], *b = &full->rule[r];
        assert_int_equal(a->variables, b->variables);
        assert_int_equal(a->condition.count, b->condition.count);
        assert_int_equal(strncmp(a->name, b->name, 4), 0);
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            assert_true(tz_form_equal(&a->conclusion.index[q], &b->conclusion.index[q]));
    }
    for (int32_t n = 0; n <= 5; n++) {
        char got[4096] = "", want[4096] = "";
        assert_ok(tz_enumerate(brief, &n, 1000, collect, got));
        assert_ok(tz_enumerate(full, &n, 1000, collect, want));
        assert_string_equal(got, want);
        assert_true(n == 0 || strlen(got) > 0);
    }
    const int32_t n = 2;
    OWNED(solved, s) = solve_rules(brief, "max", &n, model);
    static const char *const names[] = {"finish", "then", "first"};
    const tz_derivation *best = best_of(s.chart, 0);
    assert_true(best->score == 2); /* tags 2 0 or 1 1 */
    assert_int_equal(best->nodes, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(tz_rules_name_of(brief, TZ_RULES, best->node[i].rule), names[i]);
    assert_null(tz_rules_name_of(brief, TZ_RULES, 5));
}

/* A rule is shown once, as it was written, and so is the relation. */
TEST(shown) {
    OWN(tz_rules, rules) = parse_rules(short_text);
    char *text = NULL;
    size_t size;
    FILE *file = need(open_memstream(&text, &size));
    tz_show_text(rules, file);
    assert_int_equal(fclose(file), 0);
    const char *then = need(strstr(text, "then  × tag[i,t]  if next[s,t]\n"));
    assert_null(strstr(then + 1, "then"));
    assert_non_null(
        strstr(text, "relation   next[s,t]  (0,1) (2,0) (1,1) (7,0)  # what follows\n"));
    free(text);
    OWN(tz_rules, other) =
        parse_rules(TAGS "relation next[s,t] (0,1) (2,0) (1,1) (8,0) # what follows\n"
                         "axiom\n--- first * tag[1,t]\nat[1,t]\n"
                         "at[i-1,s]\n--- then * tag[i,t] if next[s,t]\nat[i,t]\n"
                         "at[n,t]\n--- finish\ndone\n");
    assert_true(tz_rules_equal(rules, rules));
    assert_false(tz_rules_equal(rules, other));
}

/* Derivations with equal uses are structures of their own; else the file is refused under sums. */
TEST(derivations) {
    static const char tied[] =
        "rules tied\n%slength n\nweight turn[s,t] 0 <= s <= 1, 0 <= t <= 1\n"
        "item at[i,s] 0 <= i <= n, 0 <= s <= 1\nitem done\ngoal done\n"
        "axiom\n--- start\nat[0,s]\nat[i-1,s]\n--- step * turn[s,t]\nat[i,t]\n"
        "at[n,s]\n--- finish\ndone\n";
    static const char *const line[] = {"", "ambiguous\n", "structures derivations\n"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text, tied, line[i]);
        OWN(tz_rules, rules) = parse_rules(text);
        const int32_t n = 4;
        size_t derivations, structures;
        assert_ok(tz_count_structures(rules, &n, 1000, &derivations, &structures));
        assert_int_equal(derivations, 32);
        assert_true(i == 2 ? structures == 32 : structures < 32);
        assert_int_equal(tz_rules_ambiguous(rules), i == 1);
        OWN(tz_plan, plan) = NULL;
        tz_status status = tz_plan_new(rules, tz_semiring_find("log", TZ_F64), 0, &plan, NULL);
        assert_int_equal(status, i == 1 ? TZ_AMBIGUOUS : TZ_OK);
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* A file whose relation r has `tuples` tuples (i), and whose rule has `used` of them. */
static void assert_limit(unsigned tuples, unsigned relations, unsigned used, unsigned rules,
                         const char *message) {
    char *text = NULL;
    size_t size;
    FILE *file = need(open_memstream(&text, &size));
    fputs("rules many\nlength n\nitem at[i] 0 <= i <= n\ngoal at[n]\n", file);
    for (unsigned r = 0; r < relations; r++) {
        fprintf(file, "relation r%u[x]", r);
        for (unsigned t = 0; t < tuples; t++)
            fprintf(file, " (%u)", t);
        putc('\n', file);
    }
    fputs("axiom\n--- start\nat[0]\n", file);
    for (unsigned k = 0; k < rules; k++) {
        fprintf(file, "at[i-1]\n--- step%u if r%u[v0]", k, k % relations);
        for (unsigned u = 1; u < used; u++)
            fprintf(file, ", r%u[v%u]", (k + u) % relations, u);
        fputs("\nat[i]\n", file);
    }
    fclose(file);
    OWN(tz_rules, read) = NULL;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_rules_parse("many", text, size, &read, &error);
    if (message == NULL && status != TZ_OK)
        fail_msg("%s", error.message);
    if (message != NULL) {
        assert_int_equal(status, TZ_BAD_RULES);
        assert_memory_equal(error.message, message, strlen(message)); /* then warnings */
    }
    free(text);
}

TEST(limits) {
    assert_limit(256, 1, 1, 1, NULL);
    assert_limit(257, 1, 1, 1,
                 "many:5:1442: relation \"r0\" has more than 256 tuples: use a sparse weight");
    assert_limit(1, 8, 8, 1, NULL);
    assert_limit(1, 9, 9, 1,
                 "many:18:78: more than 8 relations with tuples in rule \"step0\": make one of "
                 "several, or split the rule");
    assert_limit(17, 3, 3, 1,
                 "many:5:10: the rules' conditions have more than 4096 choices of tuples: give "
                 "relations fewer, or rules fewer relations");
    assert_limit(11, 3, 3, 1,
                 "many:12:5: with one rule for each tuple, there are more than 1024 rules up to "
                 "rule \"step0\": give the relations fewer tuples");
}
