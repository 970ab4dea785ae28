/* npz_problems.c - see npz_problems.h. SPDX-License-Identifier: MIT */
#include "npz_problems.h"

#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static double random_number(random_state *random) {
    /* Every float32 is also a double. */
    return random_below(random, 8) == 0 ? -INFINITY : (double)(float)random_between(random, -5, 5);
}

static void fill_weight(problems *p, size_t which, const int32_t *largest, random_state *random) {
    weight *w = &p->weight[which];
    tz_shape *shape = &w->shape;
    w->name = tz_rules_name_of(p->rules, TZ_WEIGHTS, which);
    snprintf(w->index_name, sizeof w->index_name, "%s.index", w->name);
    *shape = shape_of(p->rules, which, largest);
    w->cells = 1;
    for (unsigned q = 0; q < shape->rank; q++)
        w->cells *= (size_t)++shape->extent[q];
    w->number = calloc(PROBLEMS * w->cells, sizeof *w->number);
    w->index = calloc(PROBLEMS * w->cells * (shape->rank + 1), sizeof *w->index);
    assert_true(w->number != NULL && w->index != NULL);
    for (size_t i = 0; i < INPUTS; i++) {
        snprintf(w->input_name[i], NAME, "%.30s.%s", w->name, i == COST ? "cost" : "q");
        w->input[i] = need(calloc(PROBLEMS * w->cells, sizeof *w->input[i]));
        for (size_t c = 0; c < PROBLEMS * w->cells; c++)
            w->input[i][c] = i == Q && random_below(random, 40) == 0
                                 ? -INFINITY
                                 : (double)(float)random_between(random, -5, 5);
    }
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

static void fill_given(problems *p, size_t which, const int32_t *largest, random_state *random) {
    given *g = &p->given[which];
    int64_t bound;
    g->name = tz_rules_name_of(p->rules, TZ_INPUTS, which);
    assert_ok(tz_rules_input_shape(p->rules, which, largest, &g->shape, &bound));
    g->cells = 1;
    for (unsigned q = 0; q < g->shape.rank; q++)
        g->cells *= (size_t)g->shape.extent[q];
    g->number = need(calloc(PROBLEMS * g->cells, sizeof *g->number));
    for (size_t i = 0; i < PROBLEMS * g->cells; i++) {
        tz_shape own;
        assert_ok(tz_rules_input_shape(p->rules, which, p->length[i / g->cells], &own, &bound));
        g->number[i] = bound > 0 ? (double)random_below(random, (uint64_t)bound) : 0;
    }
}

void problems_make(problems *p, const char *rules, random_state *random) {
    int32_t largest[MOST_LENGTHS] = {0};
    memset(p, 0, sizeof *p);
    if (strchr(rules, '.') != NULL)
        assert_ok(tz_rules_read(rules, &p->rules, NULL));
    else
        p->rules = (tz_rules *)tz_rules_find(rules);
    assert_non_null(p->rules);
    for (size_t l = 0; l < tz_rules_count(p->rules, TZ_LENGTHS); l++)
        for (size_t i = 0; i < PROBLEMS; i++) {
            bool labels = tz_rules_name_of(p->rules, TZ_LENGTHS, l)[0] < 'a';
            p->length[i][l] = (int32_t)(labels ? 2 : random_below(random, 6));
            p->column[l][i] = p->length[i][l];
            if (p->length[i][l] > largest[l])
                largest[l] = p->length[i][l];
        }
    for (size_t w = 0; w < tz_rules_count(p->rules, TZ_WEIGHTS); w++)
        fill_weight(p, w, largest, random);
    assert_true(tz_rules_count(p->rules, TZ_INPUTS) <= MOST_GIVEN);
    for (size_t k = 0; k < tz_rules_count(p->rules, TZ_INPUTS); k++)
        fill_given(p, k, largest, random);
}

void problems_free(problems *p) {
    for (size_t w = 0; w < tz_rules_count(p->rules, TZ_WEIGHTS); w++) {
        free(p->weight[w].number);
        free(p->weight[w].index);
        free(p->weight[w].input[COST]);
        free(p->weight[w].input[Q]);
    }
    for (size_t k = 0; k < tz_rules_count(p->rules, TZ_INPUTS); k++)
        free(p->given[k].number);
    tz_rules_free(p->rules);
}

/* null for NaN and -infinity */
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

/* An input's numbers of a problem, which are the first along each dimension of the array. */
static void put_numbers(tz_text *text, const given *g, const tz_shape *own, unsigned q,
                        size_t cell) {
    if (q == own->rank) {
        tz_text_number(text, g->number[cell]);
        return;
    }
    for (int32_t i = 0; i < own->extent[q]; i++) {
        tz_text_put(text, i == 0 ? "[" : ",");
        put_numbers(text, g, own, q + 1, cell * (size_t)g->shape.extent[q] + (size_t)i);
    }
    tz_text_put(text, own->extent[q] == 0 ? "[]" : "]");
}

static void put_entries(tz_text *text, const weight *w, const double *number, size_t problem) {
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
        tz_text_number(text, number[e]);
        tz_text_put(text, "]");
        any = true;
    }
    tz_text_put(text, "]");
}

static void put_weight(tz_text *text, const weight *w, const char *key, const double *number,
                       size_t problem) {
    char part[100];
    snprintf(part, sizeof part, ",\"%s\":", key);
    tz_text_put(text, part);
    if (w->shape.sparse)
        put_entries(text, w, number, problem);
    else
        put_array(text, &w->shape, 0, number + problem * w->cells);
}

void problems_write_json(const problems *p, const char *path) {
    OWNED(tz_text, text) = {0};
    char part[100];
    for (size_t i = 0; i < PROBLEMS; i++) {
        snprintf(part, sizeof part, "{\"id\":%zu", i);
        tz_text_put(&text, part);
        for (size_t l = 0; l < tz_rules_count(p->rules, TZ_LENGTHS); l++) {
            snprintf(part, sizeof part, ",\"%s\":%d", tz_rules_name_of(p->rules, TZ_LENGTHS, l),
                     (int)p->length[i][l]);
            tz_text_put(&text, part);
        }
        for (size_t k = 0; k < tz_rules_count(p->rules, TZ_WEIGHTS); k++) {
            const weight *w = &p->weight[k];
            put_weight(&text, w, w->name, w->number, i);
            for (size_t j = 0; j < INPUTS; j++)
                put_weight(&text, w, w->input_name[j], w->input[j], i);
        }
        for (size_t k = 0; k < tz_rules_count(p->rules, TZ_INPUTS); k++) {
            tz_shape own;
            int64_t bound;
            assert_ok(tz_rules_input_shape(p->rules, k, p->length[i], &own, &bound));
            snprintf(part, sizeof part, ",\"%s\":", p->given[k].name);
            tz_text_put(&text, part);
            put_numbers(&text, &p->given[k], &own, 0, i);
        }
        tz_text_put(&text, "}\n");
    }
    assert_false(text.failed);
    write_bytes(path, (unsigned char *)text.data, text.size);
}

void problems_write_npz(const problems *p, const form *form, const char *path) {
    npy_array array[MOST_LENGTHS + (2 + INPUTS) * MOST_WEIGHTS + MOST_GIVEN + 1],
        base = {.rank = 1, .fortran = form->fortran};
    size_t arrays = 0;
    for (size_t k = 0; k < tz_rules_count(p->rules, TZ_WEIGHTS); k++) {
        const weight *w = &p->weight[k];
        npy_array *a = &array[arrays++];
        *a = base;
        a->name = w->name;
        a->descr = form->scores;
        a->number = w->number;
        a->extent[0] = w->shape.sparse ? w->entries : PROBLEMS;
        for (unsigned q = 0; q < w->shape.rank && !w->shape.sparse; q++)
            a->extent[a->rank++] = (size_t)w->shape.extent[q];
        for (size_t j = 0; j < INPUTS; j++) {
            array[arrays] = *a;
            array[arrays].name = w->input_name[j];
            array[arrays++].number = w->input[j];
        }
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
    for (size_t k = 0; k < tz_rules_count(p->rules, TZ_INPUTS); k++) {
        const given *g = &p->given[k];
        npy_array *a = &array[arrays++];
        *a = base;
        a->name = g->name;
        a->descr = form->integers;
        a->number = g->number;
        a->extent[0] = PROBLEMS;
        for (unsigned q = 0; q < g->shape.rank; q++)
            a->extent[a->rank++] = (size_t)g->shape.extent[q];
    }
    for (size_t l = 0; l < tz_rules_count(p->rules, TZ_LENGTHS); l++) {
        array[arrays] = base;
        array[arrays].name = tz_rules_name_of(p->rules, TZ_LENGTHS, l);
        array[arrays].descr = form->integers;
        array[arrays].extent[0] = PROBLEMS;
        array[arrays++].number = p->column[l];
    }
    array[arrays++] = (npy_array){.name = "unknown", .descr = "|O", .rank = 1, .extent = {2}};
    npz_make(path, form->way, array, arrays);
}
