/* test_npz_json.c - does `trapeze run` answer arrays as it answers the same problems in JSON, bit
 * by bit, to JSON and to arrays?
 *
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <trapeze/trapeze.h>

#include "bad_lines.h"
#include "io/text.h"
#include "npz_make.h"
#include "random.h"
#include "shell.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int setup(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("kinds.rules", kinds_rules);
    return 0;
}

/* ---- The same problems as arrays and as JSON ----------------------------------------------- */

enum { PROBLEMS = 11, MOST_WEIGHTS = 8, MOST_LENGTHS = 4, NAME = 40 };

typedef struct weight {
    const char *name;
    char index_name[NAME];
    tz_shape shape; /* of the array: as large as the largest problem needs, and more */
    size_t cells;   /* of a problem */
    double *number; /* dense [PROBLEMS][cells], NaN outside the domain; sparse [entries] */
    double *index;  /* sparse [entries][1 + rank] */
    size_t entries;
} weight;

typedef struct problems {
    tz_rules *rules;
    int32_t length[PROBLEMS][MOST_LENGTHS];
    double column[MOST_LENGTHS][PROBLEMS]; /* the same, to be written */
    weight weight[MOST_WEIGHTS];
} problems;

static double random_number(random_state *random) {
    /* Every float32 is also a double. */
    return random_below(random, 8) == 0 ? -INFINITY : (double)(float)random_between(random, -5, 5);
}

static void fill_weight(problems *p, size_t which, const int32_t *largest, random_state *random) {
    weight *w = &p->weight[which];
    tz_shape *shape = &w->shape;
    w->name = tz_rules_weight_name(p->rules, which);
    snprintf(w->index_name, sizeof w->index_name, "%s.index", w->name);
    assert_int_equal(tz_rules_shape(p->rules, which, largest, shape), TZ_OK);
    w->cells = 1;
    for (unsigned q = 0; q < shape->rank; q++)
        w->cells *= (size_t)++shape->extent[q];
    w->number = calloc(PROBLEMS * w->cells, sizeof *w->number);
    w->index = calloc(PROBLEMS * w->cells * (shape->rank + 1), sizeof *w->index);
    assert_true(w->number != NULL && w->index != NULL);
    for (size_t i = 0; i < PROBLEMS * w->cells; i++) {
        int32_t index[TZ_MAX_RANK];
        size_t problem = i / w->cells, rest = i;
        for (unsigned q = shape->rank; q-- > 0; rest /= (size_t)shape->extent[q])
            index[q] = shape->origin[q] + (int32_t)(rest % (size_t)shape->extent[q]);
        bool declared = tz_rules_declared(p->rules, which, p->length[problem], index);
        if (!shape->sparse) {
            w->number[i] = declared ? random_number(random) : NAN;
        } else if (declared && random_below(random, 3) > 0) {
            double *entry = &w->index[w->entries * (shape->rank + 1)];
            *entry++ = (double)problem;
            for (unsigned q = 0; q < shape->rank; q++)
                *entry++ = index[q];
            w->number[w->entries++] = random_number(random);
        }
    }
}

static void make(problems *p, const char *rules, random_state *random) {
    int32_t largest[MOST_LENGTHS] = {0};
    memset(p, 0, sizeof *p);
    if (strchr(rules, '.') != NULL)
        assert_int_equal(tz_rules_read(rules, &p->rules, NULL), TZ_OK);
    else
        p->rules = (tz_rules *)tz_rules_find(rules);
    assert_non_null(p->rules);
    for (size_t l = 0; l < tz_rules_lengths(p->rules); l++)
        for (size_t i = 0; i < PROBLEMS; i++) {
            bool labels = tz_rules_length_name(p->rules, l)[0] < 'a';
            p->length[i][l] = (int32_t)(labels ? 2 : random_below(random, 6));
            p->column[l][i] = p->length[i][l];
            if (p->length[i][l] > largest[l])
                largest[l] = p->length[i][l];
        }
    for (size_t w = 0; w < tz_rules_weights(p->rules); w++)
        fill_weight(p, w, largest, random);
}

static void clear(problems *p) {
    for (size_t w = 0; w < tz_rules_weights(p->rules); w++) {
        free(p->weight[w].number);
        free(p->weight[w].index);
    }
    tz_rules_free(p->rules);
}

/* As JSON Lines, null for NaN and -infinity, and the row for an id. */
static const double *put_array(tz_text *text, const tz_shape *shape, unsigned q,
                               const double *number) {
    if (q == shape->rank || q == TZ_MAX_RANK) {
        tz_text_number(text, isnan(*number) ? -INFINITY : *number);
        return number + 1;
    }
    for (int32_t i = 0; i < shape->extent[q]; i++) {
        tz_text_put(text, i == 0 ? "[" : ",");
        number = put_array(text, shape, q + 1, number);
    }
    tz_text_put(text, "]");
    return number;
}

static void put_entries(tz_text *text, const weight *w, size_t problem) {
    bool any = false;
    tz_text_put(text, "[");
    for (size_t e = 0; e < w->entries; e++) {
        const double *entry = &w->index[e * (w->shape.rank + 1)];
        if (*entry != (double)problem)
            continue;
        tz_text_put(text, any ? ",[" : "[");
        for (unsigned q = 0; q < w->shape.rank; q++) {
            tz_text_number(text, entry[1 + q]);
            tz_text_put(text, ",");
        }
        tz_text_number(text, w->number[e]);
        tz_text_put(text, "]");
        any = true;
    }
    tz_text_put(text, "]");
}

static void write_json(const problems *p, const char *path) {
    tz_text text = {0};
    char part[100];
    for (size_t i = 0; i < PROBLEMS; i++) {
        snprintf(part, sizeof part, "{\"id\":%zu", i);
        tz_text_put(&text, part);
        for (size_t l = 0; l < tz_rules_lengths(p->rules); l++) {
            snprintf(part, sizeof part, ",\"%s\":%d", tz_rules_length_name(p->rules, l),
                     (int)p->length[i][l]);
            tz_text_put(&text, part);
        }
        for (size_t k = 0; k < tz_rules_weights(p->rules); k++) {
            const weight *w = &p->weight[k];
            snprintf(part, sizeof part, ",\"%s\":", w->name);
            tz_text_put(&text, part);
            if (w->shape.sparse)
                put_entries(&text, w, i);
            else
                put_array(&text, &w->shape, 0, w->number + i * w->cells);
        }
        tz_text_put(&text, "}\n");
    }
    assert_false(text.failed);
    write_bytes(path, (unsigned char *)text.data, text.size);
    tz_text_free(&text);
}

/* How the arrays are written. */
typedef struct form {
    const char *scores, *integers;
    bool fortran;
    npz_way way;
} form;

static void write_npz(const problems *p, const form *form, const char *path) {
    npy_array array[MOST_LENGTHS + 2 * MOST_WEIGHTS], base = {.rank = 1, .fortran = form->fortran};
    size_t arrays = 0;
    for (size_t k = 0; k < tz_rules_weights(p->rules); k++) {
        const weight *w = &p->weight[k];
        npy_array *a = &array[arrays++];
        *a = base;
        a->name = w->name;
        a->descr = form->scores;
        a->number = w->number;
        a->extent[0] = w->shape.sparse ? w->entries : PROBLEMS;
        for (unsigned q = 0; q < w->shape.rank && !w->shape.sparse; q++)
            a->extent[a->rank++] = (size_t)w->shape.extent[q];
        if (!w->shape.sparse)
            continue;
        a = &array[arrays++];
        *a = base;
        a->name = w->index_name;
        a->descr = form->integers;
        a->rank = 2;
        a->extent[0] = w->entries;
        a->extent[1] = w->shape.rank + 1;
        a->number = w->index;
    }
    for (size_t l = 0; l < tz_rules_lengths(p->rules); l++) {
        array[arrays] = base;
        array[arrays].name = tz_rules_length_name(p->rules, l);
        array[arrays].descr = form->integers;
        array[arrays].extent[0] = PROBLEMS;
        array[arrays++].number = p->column[l];
    }
    array[arrays++] = (npy_array){.name = "unknown", .descr = "|O", .rank = 1, .extent = {2}};
    npz_make(path, form->way, array, arrays);
}

static double json_score(const json_t *value) {
    return json_is_null(value) ? -INFINITY : json_is_true(value) ? 1 : json_number_value(value);
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
    double *value = npz_load("y.npz", "value", &npy), *best = NULL;
    bool uses = strcmp(key, "best") == 0;
    assert_int_equal(npy.extent[0], PROBLEMS);
    if (uses)
        best = npz_load("y.npz", "best.score", &npy);
    for (size_t k = 0; k < tz_rules_weights(p->rules); k++) {
        const weight *w = &p->weight[k];
        char name[2 * NAME];
        size_t first = 0;
        const char *line = json;
        snprintf(name, sizeof name, "%s.%s", key, w->name);
        double *all = key[0] != '\0' ? npz_load("y.npz", name, &npy) : NULL;
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
        free(all);
    }
    free(value);
    free(best);
}

static void test_same_as_json(void **state) {
    (void)state;
    static const char *const rules[] = {"eisner", "compress",   "edit",         "cky",
                                        "chain",  "semimarkov", "./kinds.rules"};
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
    size_t unlike = 0;
    for (size_t r = 0; r < COUNT(rules); r++) {
        problems p;
        make(&p, rules[r], &random);
        write_json(&p, "x.jsonl");
        for (size_t a = 0; a < COUNT(asked); a++) {
            shell("trapeze run -r %s %s x.jsonl", rules[r], asked[a].options);
            assert_int_equal(code, 0);
            memcpy(json, out, sizeof json);
            unlike += strstr(json, "\"value\":null") == NULL;
            for (size_t f = 0; f < COUNT(forms); f++) {
                write_npz(&p, &forms[f], "x.npz");
                size_t batch = 1 + random_below(&random, PROBLEMS + 2);
                shell("trapeze run -r %s %s --batch %zu --threads %d x.npz", rules[r],
                      asked[a].options, batch, (int)(1 + f % 2));
                assert_result(json);
                shell("trapeze run -r %s %s --batch %zu --threads %d -o y.npz x.npz", rules[r],
                      asked[a].options, batch, (int)(1 + f % 2));
                assert_result("");
                compare_results(&p, json, asked[a].key, asked[a].none);
            }
        }
        clear(&p);
    }
    assert_true(unlike > 0 && unlike < COUNT(rules) * COUNT(asked));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_json),
    };
    return cmocka_run_group_tests_name("npz_json", tests, setup, shell_teardown);
}
