/* test_npz_json.c - does `trapeze run` answer arrays as it answers the same problems in JSON, and
 * many problems as each alone, bit by bit, to JSON and to arrays?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <trapeze/trapeze.h>

#include "tests/support/amount.h"
#include "tests/support/bad_lines.h"
#include "tests/support/files.h"
#include "tests/support/npz_problems.h"
#include "tests/support/shell.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int setup(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("kinds.rules", kinds_rules);
    static const char *const files[][2] = {
        {"six-indices", "six"}, {"inputs-edit", "edit"}, {"uses-apart", "apart"}};
    for (size_t f = 0; f < COUNT(files); f++) {
        char path[512], name[32];
        size_t size;
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "/tests/rules/good/%s.rules", files[f][0]);
        snprintf(name, sizeof name, "%s.rules", files[f][1]);
        FREED(char, text) = read_file(path, &size);
        write_file(name, text);
    }
    return 0;
}

/* ---- One by one ------------------------------------------------------------------------------ */

/* Some of the problems of x.jsonl are asked again, each alone; samples have seeds by line. */
static void compare_alone(const char *rules, const char *options, const char *json,
                          random_state *random) {
    static char line[SHELL_OUT];
    const bool sampled = strstr(options, "--sample") != NULL;
    for (size_t i = sampled ? PROBLEMS : random_below(random, 4); i < PROBLEMS;
         i += 1 + random_below(random, 7)) {
        const char *from = json;
        for (size_t before = 0; before < i; before++)
            from = strchr(from, '\n') + 1;
        snprintf(line, sizeof line, "%.*s\n", (int)strcspn(from, "\n"), from);
        prints(line, "sed -n %zup x.jsonl > one.jsonl && trapeze run -r %s %s one.jsonl", i + 1,
               rules, options);
    }
}

/* ---- One derivation, or one number for each cell --------------------------------------------- */

static double json_score(const json_t *value) {
    return json_is_null(value)     ? -INFINITY
           : json_is_string(value) ? INFINITY /* "inf" */
           : json_is_true(value)   ? 1
                                   : json_number_value(value);
}

/* The numbers of nested arrays one after the other; returns how many. */
static size_t flatten(const json_t *value, double *number) {
    size_t count = 0, i;
    const json_t *part;
    if (!json_is_array(value)) {
        *number = json_score(value);
        return 1;
    }
    json_array_foreach(value, i, part) {
        count += flatten(part, number + count);
    }
    return count;
}

/* How often the best derivation uses each cell, or each entry. */
static void count_uses(const weight *w, size_t problem, size_t first, const json_t *best,
                       double *number) {
    size_t i;
    const json_t *use;
    json_array_foreach(json_object_get(best, "weights"), i, use) {
        if (strcmp(json_string_value(json_array_get(use, 0)), w->name) != 0)
            continue;
        size_t at = 0;
        for (unsigned q = 0; q < w->shape.rank; q++)
            at = at * (size_t)w->shape.extent[q] +
                 (size_t)(json_integer_value(json_array_get(use, q + 1)) - w->shape.origin[q]);
        for (size_t e = first; w->shape.sparse && e < w->entries; e++) {
            const double *entry = &w->index[e * (w->shape.rank + 1)];
            bool same = *entry == (double)problem;
            for (unsigned q = 0; q < w->shape.rank; q++)
                same &= entry[1 + q] == (double)json_integer_value(json_array_get(use, q + 1));
            if (same)
                at = e - first;
        }
        number[at]++;
    }
}

/* y.npz says what the lines of JSON say, bit by bit. */
static void compare_results(const problems *p, const char *json, const char *key, double none) {
    tz_npy npy;
    FREED(double, value) = npz_load("y.npz", "value", &npy), *best = NULL;
    bool uses = strcmp(key, "best") == 0;
    assert_int_equal(npy.extent[0], PROBLEMS);
    if (uses)
        best = npz_load("y.npz", "best.score", &npy);
    for (size_t k = 0; k < tz_rules_count(p->rules, TZ_WEIGHTS); k++) {
        const weight *w = &p->weight[k];
        char name[2 * NAME];
        size_t first = 0;
        const char *line = json;
        snprintf(name, sizeof name, "%s.%s", key, w->name);
        FREED(double, all) = key[0] != '\0' ? npz_load("y.npz", name, &npy) : NULL;
        if (all != NULL && !w->shape.sparse)
            for (unsigned q = 0; q < w->shape.rank; q++)
                assert_int_equal(npy.extent[1 + q], w->shape.extent[q]);
        for (size_t i = 0; i < PROBLEMS; i++, line = strchr(line, '\n') + 1) {
            json_t *result = json_loadb(line, strcspn(line, "\n"), 0, NULL);
            size_t count = w->shape.sparse ? 0 : w->cells, got = 0;
            while (w->shape.sparse && first + count < w->entries &&
                   w->index[(first + count) * (w->shape.rank + 1)] == (double)i)
                count++;
            double *expected = calloc(count + 1, sizeof *expected);
            assert_true(result != NULL && expected != NULL);
            const json_t *cells = json_object_get(result, key);
            assert_true(json_score(json_object_get(result, "value")) == value[i]);
            for (size_t c = 0; c < count; c++)
                expected[c] = none;
            if (uses) {
                assert_true(best[i] == value[i]);
                if (!json_is_null(cells))
                    count_uses(w, i, first, cells, expected);
            } else if (json_is_object(cells) && w->shape.sparse) {
                size_t e;
                const json_t *entry;
                json_array_foreach(json_object_get(cells, w->name), e, entry) {
                    expected[got++] = json_score(json_array_get(entry, w->shape.rank));
                }
                assert_int_equal(got, count);
            } else if (json_is_object(cells)) {
                assert_int_equal(flatten(json_object_get(cells, w->name), expected), count);
            }
            if (all != NULL)
                assert_memory_equal(all + first, expected, count * sizeof *expected);
            first += count;
            free(expected);
            json_decref(result);
        }
        if (all != NULL)
            assert_int_equal(npy.extent[0], w->shape.sparse ? w->entries : PROBLEMS);
    }
}

/* ---- Lists and named numbers ---------------------------------------------------------------- */

/* y.npz has the structures under `key`, `copies` for each problem: those listed, or the one. */
static void compare_structures(const problems *p, const char *json, const char *key,
                               size_t copies) {
    tz_npy npy;
    char name[2 * NAME];
    snprintf(name, sizeof name, "%s.score", key);
    double *score = npz_load("y.npz", name, &npy), *uses[MOST_WEIGHTS] = {NULL};
    size_t first[MOST_WEIGHTS] = {0};
    assert_int_equal(npy.count, PROBLEMS * copies);
    for (size_t k = 0; k < tz_rules_count(p->rules, TZ_WEIGHTS); k++) {
        const weight *w = &p->weight[k];
        snprintf(name, sizeof name, "%s.%s", key, w->name);
        uses[k] = npz_load("y.npz", name, &npy);
        assert_int_equal(npy.count, copies * (w->shape.sparse ? w->entries : PROBLEMS * w->cells));
    }
    for (size_t i = 0; i < PROBLEMS; i++, json = strchr(json, '\n') + 1) {
        json_t *result = json_loadb(json, strcspn(json, "\n"), 0, NULL);
        const json_t *list = json_object_get(result, key);
        assert_non_null(list);
        for (size_t k = 0; k < tz_rules_count(p->rules, TZ_WEIGHTS); k++) {
            const weight *w = &p->weight[k];
            size_t count = w->shape.sparse ? 0 : w->cells;
            while (w->shape.sparse && first[k] + count < w->entries &&
                   w->index[(first[k] + count) * (w->shape.rank + 1)] == (double)i)
                count++;
            double *expected = need(calloc(count + 1, sizeof *expected));
            for (size_t c = 0; c < copies; c++) {
                const json_t *one = json_is_array(list) ? json_array_get(list, c) : list;
                bool is = json_is_object(one);
                memset(expected, 0, count * sizeof *expected);
                assert_true(score[i * copies + c] ==
                            (is ? json_score(json_object_get(one, "score")) : -INFINITY));
                if (is)
                    count_uses(w, i, first[k], one, expected);
                for (size_t x = 0; x < count; x++)
                    assert_true(uses[k][w->shape.sparse ? (first[k] + x) * copies + c
                                                        : (i * copies + c) * w->cells + x] ==
                                expected[x]);
            }
            first[k] += w->shape.sparse ? count : 0;
            free(expected);
        }
        json_decref(result);
    }
    for (size_t k = 0; k < MOST_WEIGHTS; k++)
        free(uses[k]);
    free(score);
}

/* y.npz has the numbers under `key`: `lists` lists of `numbers`, of which JSON may have fewer. */
static void compare_numbers(const char *json, const char *key, size_t lists, size_t numbers) {
    tz_npy npy;
    double *number = npz_load("y.npz", key, &npy), got[64];
    assert_int_equal(npy.count, PROBLEMS * lists * numbers);
    for (size_t i = 0; i < PROBLEMS; i++, json = strchr(json, '\n') + 1) {
        json_t *result = json_loadb(json, strcspn(json, "\n"), 0, NULL);
        const json_t *value = json_object_get(result, key);
        assert_non_null(value);
        for (size_t l = 0; l < lists; l++) {
            size_t count = flatten(lists > 1 ? json_array_get(value, l) : value, got);
            for (size_t x = 0; x < numbers; x++)
                assert_true(number[(i * lists + l) * numbers + x] ==
                            (x < count ? got[x] : -INFINITY));
        }
        json_decref(result);
    }
    free(number);
}

TEST(lists_as_json) {
    static const struct {
        const char *options, *structures, *numbers;
        size_t copies, lists, of;
        bool resource;
    } asked[] = {
        {"-s max --kbest 4", "kbest", "value", 4, 1, 1, false},
        {"-s log --sample 3", "samples", "value", 3, 1, 1, false},
        {"-s count --sample 3 --without-replacement", "samples", "value", 3, 1, 1, false},
        {"-s log --min-risk", "min_risk", "value", 1, 1, 1, false},
        {"-s 'kbest(3)'", NULL, "values", 0, 1, 3, false},
        {"-s 'kbest(1)'", NULL, "values", 0, 1, 1, false},
        {"-s max --kbest 4 --within 1", "kbest", "value", 4, 1, 1, false},
        {"-s ties", NULL, "count", 0, 1, 1, false},
        {"-s entropy", NULL, "value", 0, 1, 1, false},
        {"-s entropy", NULL, "entropy", 0, 1, 1, false},
        {"-s entropy", NULL, "cost", 0, 1, 1, false},
        {"-s entropy", NULL, "kl", 0, 1, 1, false},
        {"-s 'resource(kept,3,log)'", NULL, "values", 0, 4, 1, true},
        {"-s 'resource(kept,2,kbest(2))'", NULL, "values", 0, 3, 2, true},
        {"-s 'resource(dropped,2)' --amount 1 --kbest 3", "kbest", "values", 3, 3, 1, true},
        {"-s max --keep 2 --best", "best", "value", 1, 1, 1, true},
        {"-s max --rate 0:1 --best", "best", "value", 1, 1, 1, true},
        {"-s log --drop 1 --sample 2", "samples", "value", 2, 1, 1, true},
        {"-s entropy --keep 2", NULL, "kl", 0, 1, 1, true},
    };
    static const char *const rules[] = {"compress", "cky", "./kinds.rules", "./six.rules",
                                        "./edit.rules"};
    static const form forms[] = {{"<f8", "<i4", false, STORED}, {">f4", ">i8", true, DEFLATED}};
    random_state random = random_start("lists as JSON");
    static char json[SHELL_OUT];
    for (size_t r = 0; r < COUNT(rules); r++) {
        OWNED(problems, p) = {0};
        problems_make(&p, rules[r], &random);
        problems_write_json(&p, "x.jsonl");
        for (size_t a = 0; a < COUNT(asked); a++) {
            /* Each question is asked under some of the rule sets; with sanitizers, under one. */
            if (asked[a].resource ? r > 0 : AMOUNT((a + r) % 2, a % COUNT(rules) != r))
                continue;
            works("trapeze run -r %s %s x.jsonl", rules[r], asked[a].options);
            memcpy(json, out, sizeof json);
            if (AMOUNT(true, a % 3 == 0))
                compare_alone(rules[r], asked[a].options, json, &random);
            problems_write_npz(&p, &forms[a % 2], "x.npz");
            size_t batch = 1 + random_below(&random, PROBLEMS + 2);
            prints(json, "trapeze run -r %s %s --batch %zu --threads 2 x.npz", rules[r],
                   asked[a].options, batch);
            prints("", "trapeze run -r %s %s --batch %zu -o y.npz x.npz", rules[r],
                   asked[a].options, batch);
            compare_numbers(json, asked[a].numbers, asked[a].lists, asked[a].of);
            if (asked[a].structures != NULL)
                compare_structures(&p, json, asked[a].structures, asked[a].copies);
        }
    }
}

TEST(same_as_json) {
    static const char *const rules[] = {
        "eisner",     "compress",      "edit",        "cky",          "chain",
        "semimarkov", "./kinds.rules", "./six.rules", "./edit.rules", "./apart.rules"};
    static const struct {
        const char *options, *key;
        double none;
    } asked[] = {
        {"-s max --best", "best", 0},
        {"-s max --max-marginals", "max_marginals", -INFINITY},
        {"-s log --marginals", "marginals", 0},
        {"-s log --marginals --precision f32", "marginals", 0},
        {"-s count", "", 0},
        {"-s bool", "", 0},
    };
    static const form forms[] = {
        {"<f8", "<i4", false, STORED},
        {"<f4", "|u1", false, DEFLATED},
        {">f4", ">i8", true, STORED},
        {">f8", "<u2", true, DEFLATED},
    };
    random_state random = random_start("same as JSON");
    static char json[SHELL_OUT];
    size_t unlike = 0, total = 0;
    for (size_t r = 0; r < COUNT(rules); r += AMOUNT(1, 3)) {
        OWNED(problems, p) = {0};
        problems_make(&p, rules[r], &random);
        problems_write_json(&p, "x.jsonl");
        for (size_t a = 0; a < COUNT(asked); a++) {
            works("trapeze run -r %s %s x.jsonl", rules[r], asked[a].options);
            memcpy(json, out, sizeof json);
            if (AMOUNT(true, a % 3 == 0))
                compare_alone(rules[r], asked[a].options, json, &random);
            unlike += strstr(json, "\"value\":null") == NULL;
            total++;
            const size_t f = (r + a) % COUNT(forms);
            problems_write_npz(&p, &forms[f], "x.npz");
            size_t batch = 1 + random_below(&random, PROBLEMS + 2);
            prints(json, "trapeze run -r %s %s --batch %zu --threads %d x.npz", rules[r],
                   asked[a].options, batch, (int)(1 + f % 2));
            prints("", "trapeze run -r %s %s --batch %zu --threads %d -o y.npz x.npz", rules[r],
                   asked[a].options, batch, (int)(1 + f % 2));
            compare_results(&p, json, asked[a].key, asked[a].none);
        }
    }
    assert_true(unlike > 0 && unlike < total);
}

TESTS_BETWEEN(setup, shell_teardown)
