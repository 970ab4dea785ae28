/* test_optimise.c - does every step of `trapeze rules optimise` keep the derivations, does the
 * search find what docs/rediscoveries.md says, and would a wrong result be noticed?
 *
 * TZ_SEED is the seed, TZ_RULE_SETS how many random rule sets. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cli/rules/optimise.h"
#include "rules/optimise/optimise.h"
#include "rules/optimise/program.h"
#include "rules/tell/cost.h"
#include "rules/tell/enumerate.h"
#include "tests/support/amount.h"
#include "tests/support/files.h"
#include "tests/support/random_features.h"

#define HERE TZ_SOURCE_ROOT "/tests/rules/"

static tz_rules *read_rules(const char *folder, const char *file) {
    char path[1024];
    tz_error error;
    tz_rules *rules;
    snprintf(path, sizeof path, HERE "%s/%s", folder, file);
    if (tz_rules_read(path, &rules, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return rules;
}

static tz_rules *parse(const char *text, size_t size) {
    tz_error error;
    tz_rules *rules;
    if (tz_rules_parse("test", text, size, &rules, &error) != TZ_OK)
        fail_msg("%s\n%.*s", error.message, (int)size, text);
    return rules;
}

/* ---- What is known to be there: the table of docs/rediscoveries.md --------------------------- */

enum { NAME, PROBLEM, WRITTEN, PUBLISHED, CHECKED, OPTIMISED, COLUMNS };

/* Divides a row at " | "; false: it is none. */
static bool read_row(char *line, char *ret[COLUMNS]) {
    if (strncmp(line, "| `", 3) != 0)
        return false;
    line += 2;
    for (unsigned c = 0; c < COLUMNS; c++) {
        char *end = need(strstr(line, " |"));
        *end = '\0';
        ret[c] = line;
        line = end + (c + 1 < COLUMNS ? 3 : 2);
    }
    ret[NAME]++;
    ret[NAME][strlen(ret[NAME]) - 1] = '\0';
    return true;
}

static tz_optimised *search(const tz_rules *rules, size_t programs) {
    tz_optimising how = {.rules = 64, .programs = programs, .seconds = 600};
    tz_optimised *found;
    bool late;
    assert_ok(tz_optimise(rules, &how, &found));
    assert_true(tz_optimised_programs(found, &late) <= programs + 1);
    assert_false(late);
    return found;
}

static void expect_degree(char *const row[COLUMNS], unsigned column, const char *degree) {
    static const char *const name[COLUMNS] = {
        [WRITTEN] = "as written", [CHECKED] = "check", [OPTIMISED] = "optimise"};
    if (strcmp(row[column], degree) != 0)
        fail_msg("%s: %s: %s, the table has %s", row[NAME], name[column], degree, row[column]);
}

/* The result derives the same, and computes the same. */
static void writes_the_same(const tz_rules *rules, tz_optimised *found) {
    OWNED(tz_text, text) = {0};
    tz_same same;
    tz_error error;
    assert_ok(tz_optimised_write(found, 0, &text));
    OWN(tz_rules, made) = parse(text.data, text.size);
    assert_ok(tz_check_same(rules, made, &same, &error));
    if (!same.same)
        fail_msg("%s: %s", rules->name, same.text);
}

static void finds_row(char *const row[COLUMNS]) {
    char file[256], degree[512];
    const bool gallery = strncmp(row[NAME], "gallery/", 8) == 0;
    snprintf(file, sizeof file, "%s%s.rules", gallery ? "../../rules/" : "optimise/", row[NAME]);
    OWN(tz_rules, rules) = read_rules(".", file);
    OWN(tz_optimised, found) = search(rules, 20);
    const bool any = tz_optimised_count(found) > 0;
    tz_optimised_degree_before(found, degree, sizeof degree);
    expect_degree(row, WRITTEN, degree);
    assert_ok(tz_rules_degree(rules, 0, degree, sizeof degree));
    expect_degree(row, CHECKED, degree);
    if (any)
        tz_optimised_degree(found, 0, degree, sizeof degree);
    expect_degree(row, OPTIMISED, any ? degree : "–");
    if (any && tz_optimised_highest(found, 0) < 6) /* beyond, values at n = 16 take seconds */
        writes_the_same(rules, found);
}

TEST(finds) {
    size_t size, rows = 0;
    char *text = read_file(TZ_SOURCE_ROOT "/docs/rediscoveries.md", &size), *rest, *row[COLUMNS];
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (read_row(line, row)) {
            finds_row(row);
            rows++;
        }
    assert_true(rows >= 30);
    free(text);
}

/* No lower degree is known of these. */
TEST(finds_nothing) {
    static const char *const names[] = {"eisner", "sibling", "compress", "cky",  "chain",
                                        "edit",   "forest",  "pcfg",     "align"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        OWN(tz_optimised, found) = search(tz_rules_find(names[k]), 30);
        assert_int_equal(tz_optimised_count(found), 0);
    }
}

/* ---- Would a wrong result be noticed? -------------------------------------------------------- */

/* Text that is like a result but for one thing: does the check tell? Files that are none do not
 * count. Returns 1 if it was told. */
static unsigned check_noticed(const tz_rules *rules, const char *text, size_t size) {
    OWN(tz_rules, wrong) = NULL;
    tz_same same;
    tz_error error;
    if (tz_rules_parse("test", text, size, &wrong, &error) != TZ_OK)
        return 0;
    assert_ok(tz_check_same(rules, wrong, &same, &error));
    if (same.same)
        fail_msg("not noticed:\n%.*s", (int)size, text);
    return 1;
}

/* The text with what stands at `at` replaced. */
static unsigned check_replaced(const tz_rules *rules, const tz_text *text, const char *at,
                               size_t size, const char *by, const char *more) {
    tz_text other = {0};
    tz_text_add(&other, text->data, (size_t)(at - text->data));
    tz_text_put(&other, by);
    tz_text_put(&other, more);
    tz_text_add(&other, at + size, (size_t)(text->data + text->size - at) - size);
    assert_false(other.failed);
    unsigned noticed = check_noticed(rules, other.data, other.size);
    tz_text_free(&other);
    return noticed;
}

typedef struct noticed {
    unsigned left_out, twice, weights, indices;
} noticed;

/* A rule left out; a rule twice; a weight left out; two of its indices exchanged. */
static void check_all_noticed(const char *file, noticed *count) {
    OWN(tz_rules, rules) = read_rules("optimise", file);
    OWN(tz_optimised, found) = search(rules, 10);
    OWNED(tz_text, text) = {0};
    assert_ok(tz_optimised_write(found, 0, &text));
    tz_text_add(&text, "", 1); /* strings end with 0 */
    assert_false(text.failed);
    text.size--;
    for (char *bar = text.data; (bar = strstr(bar, "---- ")) != NULL; bar++) {
        char *begin = bar, *end = strstr(bar, "\n\n"), again[1024], *name;
        while (strncmp(begin, "\n\n", 2) != 0)
            begin--;
        if (end == NULL)
            end = text.data + text.size;
        count->left_out += check_replaced(rules, &text, begin, (size_t)(end - begin), "\n", "");
        snprintf(again, sizeof again, "%.*s", (int)(end - begin), begin);
        name = strstr(again, "---- ") + 5;
        *name = *name == 'z' ? 'y' : 'z'; /* another name */
        count->twice += check_replaced(rules, &text, end, 0, again, "");
    }
    for (char *at = text.data; (at = strstr(at, "  * ")) != NULL; at++)
        count->weights += check_replaced(rules, &text, at, strcspn(at, "\n"), "", "");
    for (char *at = text.data; (at = strstr(at, "* arc[")) != NULL; at++) {
        const char turned[] = {at[8], ',', at[6], '\0'};
        assert_true(at[7] == ',' && at[9] == ']');
        count->indices += check_replaced(rules, &text, at + 6, 3, turned, "");
    }
}

TEST(notices) {
    noticed count = {0};
    check_all_noticed("bilexical.rules", &count);
    check_all_noticed("next-kept.rules", &count);
    print_message("%u left out, %u twice, %u weights, %u indices\n", count.left_out, count.twice,
                  count.weights, count.indices);
    assert_true(count.left_out >= 5 && count.twice >= 8 && count.weights >= 3);
    assert_true(count.indices >= 2);
}

/* Split heads say the same as one order of attachments, not as any order. */
TEST(notices_orders) {
    OWN(tz_rules, any) = read_rules("optimise", "either-order.rules");
    tz_same same;
    tz_error error;
    assert_ok(tz_check_same(any, tz_rules_find("eisner"), &same, &error));
    assert_false(same.same);
    assert_ok(tz_check_same(tz_rules_find("skip"), tz_rules_find("compress"), &same, &error));
    assert_false(same.same); /* other weights */
}

/* ---- Every step, of every rule set ----------------------------------------------------------- */

typedef struct steps {
    const tz_rules *rules;
    tz_opt opt;
    size_t compared, refused, accumulated;
} steps;

enum { LIMIT = 3000, LONGEST = 3, MANY = 8 /* rules of a random set that take too long */ };

/* The program settled and in parts, written and read: does it have the same structures? */
static void check_program(steps *s, tz_status status, const tz_opt_program *program) {
    tz_opt_program settled, parts;
    OWNED(tz_text, text) = {0};
    tz_rules *made;
    tz_error error;
    if (status == TZ_OK)
        status = tz_opt_settle(&s->opt, program, &settled);
    if (status == TZ_OK)
        status = tz_opt_split_all(&s->opt, &settled, &parts);
    if (status == TZ_OK && parts.rules > 0)
        status = tz_opt_write(&s->opt, &parts, "made", &text);
    assert_true(status == TZ_OK || status == TZ_NONE || status == TZ_TOO_LARGE);
    if (status != TZ_OK || parts.rules == 0)
        return;
    status = tz_rules_parse("made", text.data, text.size, &made, &error);
    /* The order, or a rule, may be beyond the compiler. */
    if (status == TZ_BAD_RULES && strstr(error.message, "order") == NULL &&
        strstr(error.message, "cyclic") == NULL && strstr(error.message, "empty domain") == NULL &&
        strstr(error.message, "too large to compile") == NULL)
        fail_msg("%s\n%.*s", error.message, (int)text.size, text.data);
    s->refused += status != TZ_OK;
    for (unsigned mix = 0; mix < 8 && status == TZ_OK; mix++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        bool same;
        size_t derivations;
        for (unsigned l = 0; l < s->rules->lengths; l++)
            lengths[l] = mix < 4 ? (int32_t)mix : (int32_t)((mix + l * 2) % (LONGEST + 1));
        tz_status compared =
            tz_compare_structures(s->rules, made, lengths, LIMIT, &same, &derivations);
        if (compared == TZ_TOO_LARGE || compared == TZ_BAD_RULES)
            continue;
        assert_ok(compared);
        if (!same)
            fail_msg("mix %u differs:\n%.*s", mix, (int)text.size, text.data);
        s->compared += derivations > 0;
    }
    if (status == TZ_OK)
        tz_rules_free(made);
}

static void check_rule(steps *s, const tz_opt_program *program, unsigned r, tz_opt_program *made) {
    const tz_opt_rule *rule = program->rule[r];
    unsigned item;
    for (uint32_t factors = 1; factors < UINT32_C(1) << rule->factors && factors < 64; factors++)
        for (unsigned f = 0; f < rule->premises; f++)
            if (factors >> f & 1)
                check_program(s, tz_opt_unfold_fold(&s->opt, program, r, factors, f, &item, made),
                              made);
}

static void check_sums(steps *s, const tz_opt_program *program, unsigned r, tz_opt_program *made) {
    const tz_opt_rule *rule = program->rule[r];
    unsigned item;
    for (unsigned c = 0; c < rule->conditions; c++)
        for (unsigned v = 0; v < rule->variables; v++) {
            tz_status status = tz_opt_accumulate(&s->opt, program, r, c, v, &item, made);
            s->accumulated += status == TZ_OK;
            check_program(s, status, made);
        }
}

/* sums: only accumulations, which take little. */
static void check_steps(steps *s, bool sums) {
    s->opt = (tz_opt){.rules = s->rules, .most = TZ_OPT_RULES, .arena = tz_arena_new()};
    assert_non_null(s->opt.arena);
    s->opt.item = need(tz_arena_array(s->opt.arena, TZ_OPT_ITEMS, sizeof *s->opt.item));
    tz_opt_program program, made;
    if (tz_opt_read(&s->opt, &program) == TZ_OK) {
        tz_opt_sweep(&program);
        check_program(s, TZ_OK, &program);
        for (unsigned i = 0; i < s->rules->items && !sums; i++) {
            unsigned all = (1U << s->rules->item[i].rank) - 1;
            check_program(s, tz_opt_unfold_item(&s->opt, &program, i, &made), &made);
            for (unsigned passive = 1; passive < all; passive++)
                for (unsigned shared = 0; shared < all; shared++)
                    if ((passive & shared) == 0)
                        check_program(
                            s, tz_opt_speculate(&s->opt, &program, i, passive, shared, &made),
                            &made);
        }
        for (unsigned r = 0; r < program.rules; r++) {
            if (!sums)
                check_rule(s, &program, r, &made);
            check_sums(s, &program, r, &made);
        }
    }
    tz_arena_free(s->opt.arena);
}

static void check_random(random_state *random, unsigned sets, bool sums) {
    static rules_text text;
    steps all = {.compared = 0};
    for (unsigned set = 0; set < sets; set++) {
        OWN(tz_rules, rules) = NULL;
        tz_error error;
        make_random_rules(random, &text);
        add_features(random, &text);
        if (tz_rules_parse("random", text.at, text.size, &rules, &error) != TZ_OK)
            continue;
        steps s = {.rules = rules};
        if (rules->rule_count <= MANY)
            check_steps(&s, sums);
        all.compared += s.compared;
        all.accumulated += s.accumulated;
    }
    print_message("%zu comparisons, %zu accumulations\n", all.compared, all.accumulated);
    assert_true(all.compared > 0);
}

TEST(steps_of_random_rules) {
    random_state random = random_start("optimise");
    check_random(&random, random_rule_sets(AMOUNT(6, 1)), false);
}

TEST(sums_of_random_rules) {
    random_state random = random_start("accumulate");
    check_random(&random, random_rule_sets(AMOUNT(16, 2)), true);
}

static bool check_result(const tz_rules *rules, tz_optimised *found, size_t which,
                         const rules_text *from) {
    tz_text text = {0};
    tz_rules *made;
    tz_same same;
    tz_error error;
    tz_status status = tz_optimised_write(found, which, &text);
    if (status == TZ_OK)
        status = tz_rules_parse("made", text.data, text.size, &made, &error);
    const bool read = status == TZ_OK;
    if (read) {
        unsigned line, column;
        const char *warning = tz_rules_warning(made, 0, &line, &column);
        if (warning != NULL && tz_rules_warning(rules, 0, &line, &column) == NULL)
            fail_msg("%s\n%.*s\n%.*s", warning, (int)from->size, from->at, (int)text.size,
                     text.data);
        assert_ok(tz_check_same(rules, made, &same, &error));
        if (!same.same)
            fail_msg("%s\n%.*s\n%.*s", same.text, (int)from->size, from->at, (int)text.size,
                     text.data);
        tz_rules_free(made);
    }
    tz_text_free(&text);
    return read;
}

/* What a search gives for any rules that it takes, as it is computed, is what it was. */
TEST(results_of_random_rules) {
    random_state random = random_start("results");
    static rules_text text;
    size_t results = 0, refused = 0;
    for (unsigned set = 0; set < random_rule_sets(AMOUNT(18, 3)); set++) {
        OWN(tz_rules, rules) = NULL;
        tz_error error;
        make_random_rules(&random, &text);
        add_features(&random, &text);
        if (tz_rules_parse("random", text.at, text.size, &rules, &error) != TZ_OK)
            continue;
        tz_optimising how = {.rules = 64, .programs = 6, .seconds = 600, .same = true};
        tz_optimised *found;
        const char *without = tz_optimise_without(rules);
        refused += without != NULL;
        if (without == NULL && rules->rule_count <= MANY) {
            assert_ok(tz_optimise(rules, &how, &found));
            for (size_t which = 0; which < tz_optimised_count(found); which++)
                results += check_result(rules, found, which, &text);
            tz_optimised_free(found);
        }
    }
    print_message("%zu results, %zu refused\n", results, refused);
    assert_true(results > 0 && refused > 0);
}

TEST(steps_of_files) {
    static const char *const names[] = {"compress", "semimarkov", "edit", "cky", "chain"};
    (void)state;
    size_t compared = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        steps s = {.rules = tz_rules_find(names[k])};
        check_steps(&s, false);
        compared += s.compared;
    }
    static const char *const files[] = {"bilexical.rules", "next-kept.rules", "unlike-pairs.rules",
                                        "cumulative.rules"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        OWN(tz_rules, rules) = read_rules("optimise", files[k]);
        steps s = {.rules = rules};
        check_steps(&s, false);
        compared += s.compared;
    }
    print_message("%zu comparisons\n", compared);
    assert_true(compared > 0);
}
