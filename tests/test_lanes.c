/* test_lanes.c - are lanes that stand side by side lifted and read as each would be alone?
 *
 * Transposing, copying pieces of scores, and shares of products, against their definitions, for
 * every instruction set, with guards. What is refused, in whichever lane, and what does not count.
 * Then batches of problems of the same lengths against each problem in a chart of its own: goal
 * values, marginals and max-marginals by their bits; rows shorter and longer than what is
 * transposed at once, arrays laid out alike or each in its own way, outputs in any order of the
 * indices, charts used again. And how many does tz_run put side by side?
 *
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "copied.h"
#include "engine/engine.h"
#include "problem.h"

enum { MAX_LANES = 19 };

/* ---- Transposing ----------------------------------------------------------------------------- */

enum { MAX_ROWS = 37, MAX_COLUMNS = 70, PAD = 9, ROOM = 12000 };

/* Where a matrix stands in memory that is to stay as it is elsewhere. */
typedef struct matrix {
    size_t rows, columns, pitch, start, end;
    bool backwards;
} matrix;

static matrix random_matrix(random_state *random) {
    matrix m = {.rows = 1 + random_below(random, MAX_ROWS),
                .columns = 1 + random_below(random, MAX_COLUMNS)};
    m.pitch = m.rows + random_below(random, PAD);
    m.start = random_below(random, PAD);
    m.end = m.start + (m.columns - 1) * m.pitch + m.rows;
    m.backwards = random_below(random, 4) == 0;
    return m;
}

static size_t first_of(const matrix *m) {
    return m->backwards ? m->start + (m->columns - 1) * m->pitch : m->start;
}

static ptrdiff_t pitch_of(const matrix *m) {
    return m->backwards ? -(ptrdiff_t)m->pitch : (ptrdiff_t)m->pitch;
}

/* Does element `at` belong to it? Then *ret_row and *ret_column say where. */
static bool in_matrix(const matrix *m, size_t at, size_t *ret_row, size_t *ret_column) {
    if (at < m->start || at >= m->end)
        return false;
    *ret_row = (at - m->start) % m->pitch;
    *ret_column = (at - m->start) / m->pitch;
    if (m->backwards)
        *ret_column = m->columns - 1 - *ret_column;
    return *ret_row < m->rows;
}

static void check_guard(const unsigned char *element, size_t size) {
    for (size_t b = 0; b < size; b++)
        assert_int_equal(element[b], 0xa5);
}

static void transpose_one(const tz_algebra *algebra, random_state *random) {
    static unsigned char from[ROOM * 8], to[ROOM * 8];
    matrix m = random_matrix(random);
    size_t size = algebra->size, from_pitch = m.columns + random_below(random, PAD), row, column;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)random_below(random, 256);
    memset(to, 0xa5, sizeof to);
    algebra->transpose(to + first_of(&m) * size, pitch_of(&m), from + m.start * size,
                       (ptrdiff_t)from_pitch, m.rows, m.columns);
    for (size_t at = 0; at < sizeof to / size; at++)
        if (in_matrix(&m, at, &row, &column))
            assert_memory_equal(to + at * size, from + (m.start + row * from_pitch + column) * size,
                                size);
        else
            check_guard(to + at * size, size);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

enum { PIECES = 9, SPREAD = 400 };

/* Pieces whose elements, neighbours at one end, are SPREAD places or fewer apart at the other, none
 * in the same place. */
static size_t random_pieces(random_state *random, tz_piece *ret) {
    size_t pieces = random_below(random, PIECES + 1);
    int32_t near = (int32_t)random_below(random, PAD), far[SPREAD];
    for (int32_t i = 0; i < SPREAD; i++) {
        int32_t at = (int32_t)random_below(random, (uint64_t)i + 1);
        far[i] = far[at];
        far[at] = i;
    }
    for (size_t p = 0; p < pieces; p++) {
        ret[p] = (tz_piece){
            .near = near,
            .count = random_below(random, 2) ? TZ_PIECE : 1 + (int32_t)random_below(random, 16)};
        for (int32_t i = 0; i < ret[p].count; i++)
            ret[p].far[i] = random_below(random, 5) == 0 ? -1 : far[p * TZ_PIECE + (size_t)i];
        near += ret[p].count + (int32_t)random_below(random, 3);
    }
    return pieces;
}

/* Straight to the cells, or packed and put there. */
static void pieces_one(const tz_algebra *algebra, random_state *random) {
    static double rows[MAX_LANES][SPREAD], packed[(PIECES + 1) * TZ_PIECE * MAX_LANES];
    static unsigned char found[SPREAD * MAX_LANES * 8], expected[SPREAD * MAX_LANES * 8];
    const void *from[MAX_LANES];
    tz_piece piece[PIECES];
    bool wide = algebra->size == sizeof(double), allowed[2] = {true, true};
    size_t lanes = 1 + random_below(random, MAX_LANES), pieces = random_pieces(random, piece);
    double most[MAX_LANES], largest[MAX_LANES];
    for (size_t l = 0; l < lanes; l++) {
        for (size_t at = 0; at < SPREAD; at++)
            set_element(wide, rows[l], at, any_score(random));
        from[l] = rows[l];
        most[l] = largest[l] = -INFINITY;
    }
    if (pieces > 0 && random_below(random, 3) == 0) {
        const tz_piece *p = &piece[random_below(random, pieces)];
        size_t i = random_below(random, (uint64_t)p->count);
        set_element(wide, rows[random_below(random, lanes)], (size_t)p->near + i,
                    bad_score(random));
        allowed[0] = false;
        allowed[1] = p->far[i] < 0;
    }
    memset(expected, 0xa5, sizeof expected);
    for (size_t p = 0; p < pieces; p++)
        for (int32_t i = 0; i < piece[p].count; i++)
            for (size_t l = 0; l < lanes && piece[p].far[i] >= 0; l++) {
                double score = element_of(wide, rows[l], (size_t)(piece[p].near + i)) + 0.0;
                set_element(wide, expected, (size_t)piece[p].far[i] * lanes + l, score);
                largest[l] = score > largest[l] ? score : largest[l];
            }
    for (int pack = 0; pack < 2; pack++) {
        ptrdiff_t pitch = (ptrdiff_t)lanes;
        memset(found, 0xa5, sizeof found);
        assert_int_equal(algebra->deal[wide ? TZ_DOUBLE : TZ_FLOAT](
                             pack ? (void *)packed : found, pitch, from, lanes, piece, pieces, 1e29,
                             pack ? most : NULL),
                         allowed[pack]);
        if (pack)
            algebra->put(found, pitch, packed, pitch, lanes, piece, pieces);
        assert_memory_equal(found, expected, sizeof found);
    }
    if (allowed[1])
        assert_memory_equal(most, largest, lanes * sizeof *most);
}

/* Where no cell is, packed scores are -infinity. */
static void packed_rest(const tz_algebra *algebra) {
    static const double row[TZ_PIECE] = {0};
    const void *from[] = {row, row, row};
    const tz_piece piece = {.count = 5, .far = {4, 3, -1, 1, 0}};
    double packed[TZ_PIECE * 3], most[3] = {-1, -1, -1};
    algebra->deal[TZ_DOUBLE](packed, 3, from, 3, &piece, 1, 1, most);
    assert_int_equal(tz_packed(&piece), 8);
    for (size_t i = 0; i < 8 * 3; i++)
        assert_true(packed[i] == (i < 5 * 3 && i / 3 != 2 ? 0 : -INFINITY));
}

static void shift_one(const tz_algebra *algebra, random_state *random) {
    enum { MOST = 6 * TZ_LIFTED };
    double scale[TZ_FORMS * MAX_LANES], form[TZ_FORMS * (MOST + 3)], shift[MOST * MAX_LANES + 1];
    size_t lanes = 1 + random_below(random, MAX_LANES), forms = random_below(random, TZ_FORMS + 1),
           count = TZ_LIFTED * random_below(random, MOST / TZ_LIFTED + 1),
           pitch = count + random_below(random, 4);
    for (size_t i = 0; i < forms * lanes; i++)
        scale[i] = (double)random_below(random, 1000) - 500;
    for (size_t i = 0; i < forms * pitch; i++)
        form[i] = (double)random_below(random, 100) - 50;
    shift[count * lanes] = 77;
    algebra->shift(shift, scale, lanes, form, (ptrdiff_t)pitch, forms, count);
    assert_true(shift[count * lanes] == 77);
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; l < lanes; l++) {
            double sum = 0;
            for (size_t f = 0; f < forms; f++)
                sum += scale[f * lanes + l] * form[f * pitch + i];
            assert_true(shift[i * lanes + l] == sum);
        }
}

static void test_transpose(void **state) {
    (void)state;
    random_state random = random_start("transpose");
    for (int precision = 0; precision < 2; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra algebra;
            const tz_semiring *s = tz_semiring_find("max", precision ? TZ_F64 : TZ_F32);
            assert_int_equal(tz_algebra_take(&algebra, s, isa_flags[i], NULL), TZ_OK);
            assert_non_null(algebra.transpose);
            packed_rest(&algebra);
            for (int turn = 0; turn < 150; turn++) {
                transpose_one(&algebra, &random);
                pieces_one(&algebra, &random);
                shift_one(&algebra, &random);
            }
        }
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Of products of random cells, some of which are not there, in problems that may be impossible. */
static void shares_one(const tz_algebra *algebra, random_state *random) {
    enum { CELLS = 50, MOST = 3 * TZ_LEAST_SHARES };
    static double from[TZ_MAX_FACTORS][CELLS * MAX_LANES], whole[MAX_LANES], to[MAX_LANES][MOST];
    static int32_t cell[TZ_MAX_FACTORS][MOST];
    const tz_semiring *s = algebra->semiring;
    const bool wide = algebra->size == sizeof(double);
    const size_t lanes = random_below(random, 3) == 0 ? 1 : 1 + random_below(random, MAX_LANES),
                 n = TZ_LEAST_SHARES + random_below(random, MOST - TZ_LEAST_SHARES);
    tz_products of = {.factors = 1 + (unsigned)random_below(random, TZ_MAX_FACTORS),
                      .lanes = lanes};
    double *ret[MAX_LANES];
    memset(to, 0xa5, sizeof to);
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = to[l] + random_below(random, MOST - n + 1);
        set_element(wide, whole, l, random_below(random, 5) == 0 ? 0 : 0.01 + random_unit(random));
    }
    for (unsigned f = 0; f < of.factors; f++) {
        of.base[f] = from[f];
        of.cell[f] = cell[f];
        for (size_t e = 0; e < CELLS * lanes; e++)
            set_element(wide, from[f], e, random_below(random, 9) == 0 ? 0 : random_unit(random));
        for (size_t i = 0; i < n; i++)
            cell[f][i] = (int32_t)random_below(random, CELLS) ^
                         (f == 0 && random_below(random, 5) == 0 ? -1 : 0);
    }
    algebra->product_shares(s, ret, &of, n, whole);
    for (size_t l = 0; l < lanes; l++) {
        const char *part = (const char *)whole + l * algebra->size;
        for (double *at = to[l]; at < to[l] + MOST; at++) {
            size_t i = (size_t)(at - ret[l]);
            double product = 0;
            if (at < ret[l] || i >= n) {
                check_guard((unsigned char *)at, sizeof *at);
                continue;
            }
            for (unsigned f = 0; f < of.factors && cell[0][i] >= 0; f++) {
                const char *a =
                    (const char *)from[f] + ((size_t)cell[f][i] * lanes + l) * algebra->size;
                if (f == 0)
                    memcpy(&product, a, algebra->size);
                else
                    s->times(s, &product, &product, a);
            }
            double expected = s->share(s, &product, part);
            if (memcmp(part, algebra->zero, algebra->size) != 0)
                assert_memory_equal(at, &expected, sizeof expected);
        }
    }
}

static void test_shares(void **state) {
    (void)state;
    random_state random = random_start("shares");
    for (int precision = 0; precision < 2; precision++)
        for (int i = 0; i < ISAS; i++) {
            tz_algebra algebra;
            const tz_semiring *s = tz_semiring_find("log", precision ? TZ_F64 : TZ_F32);
            assert_int_equal(tz_algebra_take(&algebra, s->narrow, isa_flags[i], NULL), TZ_OK);
            assert_non_null(algebra.product_shares);
            for (int turn = 0; turn < 300; turn++)
                shares_one(&algebra, &random);
        }
}

/* ---- Batches --------------------------------------------------------------------------------- */

typedef struct lane {
    random_problem p;
    void *data[MAX_WEIGHTS];
    tz_scores scores[MAX_WEIGHTS];
    tz_problem problem;
} lane;

/* Strides of an array with the first index fastest, or the last, and so many positions of each
 * dimension that nothing is asked of; returns its size. */
static size_t set_strides(const tz_shape *shape, bool first_fastest, int pad, ptrdiff_t *ret) {
    ptrdiff_t stride = 1;
    for (unsigned i = 0; i < shape->rank; i++) {
        unsigned q = first_fastest ? i : shape->rank - 1 - i;
        ret[q] = stride;
        stride *= shape->extent[q] + pad;
    }
    return (size_t)stride;
}

/* Where the cell of a row-major array stands in one with these strides. */
static ptrdiff_t place(const tz_shape *shape, size_t cell, const ptrdiff_t *stride) {
    ptrdiff_t at = 0;
    for (unsigned q = shape->rank; q-- > 0; cell /= (size_t)shape->extent[q])
        at += (ptrdiff_t)(cell % (size_t)shape->extent[q]) * stride[q];
    return at;
}

/* layout: bit 0 floats, bit 1 the first index fastest, bit 2 padded. What is not asked for is NaN.
 */
static void make_lane(const tz_rules *rules, const int32_t *lengths, score_source source,
                      unsigned layout, random_state *random, lane *ret) {
    make_problem(rules, lengths, source, random, &ret->p);
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_shape *shape = &ret->p.shape[w];
        ret->scores[w] = tz_scores_dense(shape, NULL);
        size_t size = set_strides(shape, layout & 2, layout & 4 ? 3 : 0, ret->scores[w].stride);
        double *copy = calloc(size + 1, sizeof *copy);
        assert_non_null(copy);
        for (size_t at = 0; at < size; at++)
            set_element(!(layout & 1), copy, at, NAN);
        ret->data[w] = copy;
        ret->scores[w].data = copy;
        ret->scores[w].type = layout & 1 ? TZ_FLOAT : TZ_DOUBLE;
        for (size_t c = 0; c < ret->p.cells[w]; c++) {
            ptrdiff_t at = place(shape, c, ret->scores[w].stride);
            if (layout & 1)
                ((float *)copy)[at] = (float)ret->p.data[w][c];
            else
                copy[at] = ret->p.data[w][c];
        }
    }
    ret->problem = ret->p.problem;
    ret->problem.scores = ret->scores;
    ret->problem.lengths = ret->p.lengths;
}

static void free_lane(const tz_rules *rules, lane *lane) {
    for (unsigned w = 0; w < rules->weights; w++)
        free(lane->data[w]);
    free_problem(rules, &lane->p);
}

static size_t answered;

typedef tz_status (*asked)(tz_chart *, size_t, size_t, const tz_output *);

/* A weight's numbers, row-major whatever the output's order is. */
static tz_status ask(asked what, tz_chart *chart, size_t problem, size_t weight,
                     const tz_shape *shape, size_t cells, bool first_fastest, double *ret) {
    double *data = calloc(cells + 1, sizeof *data);
    assert_non_null(data);
    tz_output output = {.data = data};
    set_strides(shape, first_fastest, 0, output.stride);
    for (size_t c = 0; c < cells; c++)
        data[c] = NAN;
    tz_status status = what(chart, problem, weight, &output);
    for (size_t c = 0; c < cells; c++)
        ret[c] = data[place(shape, c, output.stride)];
    free(data);
    return status;
}

static void same_numbers(asked what, const tz_rules *rules, tz_chart *batch, tz_chart *alone,
                         const lane *lane, size_t at, random_state *random) {
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_shape *shape = &lane->p.shape[w];
        size_t cells = lane->p.cells[w];
        double *found = calloc(cells + 1, sizeof *found),
               *expected = calloc(cells + 1, sizeof *expected);
        assert_non_null(found);
        assert_non_null(expected);
        tz_status status = ask(what, batch, at, w, shape, cells, random_below(random, 2), found);
        assert_int_equal(ask(what, alone, 0, w, shape, cells, random_below(random, 2), expected),
                         status);
        if (status == TZ_OK)
            assert_memory_equal(found, expected, cells * sizeof *found);
        answered += status == TZ_OK;
        free(found);
        free(expected);
    }
}

/* tz_marginals_all, into arrays that are alike, or of any order, or not all wanted, against
 * tz_marginals; 0 where that finds no derivation. */
static void same_at_once(const tz_rules *rules, tz_chart *chart, const lane *lane, size_t lanes,
                         random_state *random) {
    static tz_output output[MAX_LANES * MAX_WEIGHTS];
    const int pad = random_below(random, 2) ? 3 : 0;
    const bool alike = random_below(random, 2), all = random_below(random, 2);
    static size_t room[MAX_LANES * MAX_WEIGHTS];
    for (size_t i = 0; i < lanes * rules->weights; i++) {
        const tz_shape *shape = &lane[i / rules->weights].p.shape[i % rules->weights];
        room[i] = set_strides(shape, !alike && random_below(random, 2), pad, output[i].stride);
        output[i].data = NULL;
        if (!all && random_below(random, 3) == 0)
            continue;
        output[i].data = calloc(room[i] + 1, sizeof(double));
        for (size_t c = 0; c < room[i]; c++)
            output[i].data[c] = NAN;
    }
    assert_int_equal(tz_marginals_all(chart, output), TZ_OK);
    for (size_t i = 0; i < lanes * rules->weights; i++) {
        const size_t w = i % rules->weights, l = i / rules->weights, cells = lane[l].p.cells[w];
        const tz_shape *shape = &lane[l].p.shape[w];
        if (output[i].data == NULL)
            continue;
        double *expected = calloc(cells + 1, sizeof *expected);
        tz_status status = ask(tz_marginals, chart, l, w, shape, cells, false, expected);
        size_t untouched = 0;
        for (size_t c = 0; c < cells; c++) {
            double right = status == TZ_OK ? expected[c] : 0;
            assert_memory_equal(&output[i].data[place(shape, c, output[i].stride)], &right,
                                sizeof right);
        }
        for (size_t c = 0; c < room[i]; c++)
            untouched += output[i].data[c] != output[i].data[c];
        assert_int_equal(untouched, room[i] - cells);
        free(expected);
        free(output[i].data);
    }
}

static void try_batch(const tz_plan *plan, tz_chart *batch, tz_chart *alone, int32_t n,
                      size_t lanes, score_source source, random_state *random) {
    const tz_rules *rules = plan->rules;
    static lane lane[MAX_LANES];
    tz_problem problem[MAX_LANES] = {0};
    int32_t lengths[TZ_MAX_LENGTHS];
    bool alike = random_below(random, 4) != 0;
    unsigned layout = (unsigned)random_below(random, 8);
    set_lengths(rules, n, 2, lengths);
    for (size_t l = 0; l < lanes; l++) {
        make_lane(rules, lengths, source, alike ? layout : (unsigned)random_below(random, 8),
                  random, &lane[l]);
        problem[l] = lane[l].problem;
    }
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_bind(batch, problem, lanes, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TZ_OK);
    assert_int_equal(tz_inside(batch), TZ_OK);
    assert_int_equal(tz_outside(batch), TZ_OK);
    if (plan->wide.semiring->share != NULL)
        same_at_once(rules, batch, lane, lanes, random);
    for (size_t l = 0; l < lanes; l++) {
        double found, expected;
        assert_int_equal(tz_bind(alone, &problem[l], 1, &error), TZ_OK);
        assert_int_equal(tz_inside(alone), TZ_OK);
        assert_int_equal(tz_outside(alone), TZ_OK);
        assert_int_equal(tz_goal(batch, l, &found), TZ_OK);
        assert_int_equal(tz_goal(alone, 0, &expected), TZ_OK);
        assert_memory_equal(&found, &expected, sizeof found);
        same_numbers(tz_through, rules, batch, alone, &lane[l], l, random);
        if (plan->wide.semiring->share != NULL)
            same_numbers(tz_marginals, rules, batch, alone, &lane[l], l, random);
    }
    for (size_t l = 0; l < lanes; l++)
        free_lane(rules, &lane[l]);
}

static void try_rules(const char *name, const char *semiring, score_source source,
                      random_state *random) {
    static const int32_t n[] = {1, 6, 6, 9, 3};
    static const size_t lanes[] = {2, 3, 8, 16, MAX_LANES};
    for (unsigned i = 0; i < 2 * ISAS; i++) {
        tz_plan *plan;
        tz_chart *batch, *alone;
        const tz_semiring *s = tz_semiring_find(semiring, i % 2 ? TZ_F64 : TZ_F32);
        assert_int_equal(tz_plan_new(tz_rules_find(name), s, isa_flags[i / 2], &plan, NULL), TZ_OK);
        assert_int_equal(tz_chart_new(plan, &batch), TZ_OK);
        assert_int_equal(tz_chart_new(plan, &alone), TZ_OK);
        for (unsigned turn = 0; turn < 5; turn++)
            for (unsigned again = 0; again < 2; again++)
                try_batch(plan, batch, alone, n[turn], lanes[(turn + i) % 5], source, random);
        if (i == 2 * ISAS - 1)
            try_batch(plan, batch, alone, 70, 3, source, random);
        tz_chart_free(batch);
        tz_chart_free(alone);
        tz_plan_free(plan);
    }
}

/* One bad score, which counts where the cell is in the domain. */
static void refuse_one(const tz_plan *plan, tz_chart *chart, random_state *random) {
    static const double bad[] = {NAN, INFINITY};
    const tz_rules *rules = plan->rules;
    static lane lane[MAX_LANES];
    tz_problem problem[MAX_LANES] = {0};
    int32_t lengths[TZ_MAX_LENGTHS];
    int64_t index[TZ_MAX_RANK];
    size_t lanes = 1 + random_below(random, 2) * random_below(random, MAX_LANES);
    unsigned layout = (unsigned)random_below(random, 4) * 2 + 1,
             w = (unsigned)random_below(random, rules->weights);
    set_lengths(rules, 7, 2, lengths);
    for (size_t l = 0; l < lanes; l++) {
        make_lane(rules, lengths, plain_scores, layout, random, &lane[l]);
        problem[l] = lane[l].problem;
    }
    size_t l = random_below(random, lanes), cell = random_below(random, lane[l].p.cells[w]);
    const tz_shape *shape = &lane[l].p.shape[w];
    ptrdiff_t at = place(shape, cell, lane[l].scores[w].stride);
    ((float *)lane[l].data[w])[at] = (float)bad[random_below(random, 2)];
    for (unsigned q = shape->rank; q-- > 0; cell /= (size_t)shape->extent[q])
        index[q] = shape->origin[q] + (int64_t)(cell % (size_t)shape->extent[q]);
    bool counts =
        tz_domain_holds(&rules->weight[w].domain, rules->lengths, lengths, shape->rank, index);
    tz_error error = {TZ_OK, ""};
    assert_int_equal(tz_bind(chart, problem, lanes, &error), counts ? TZ_BAD_SCORE : TZ_OK);
    assert_int_equal(error.message[0] != '\0', counts);
    for (size_t each = 0; each < lanes; each++)
        free_lane(rules, &lane[each]);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const rules[] = {"eisner", "compress", "sibling"};
    static const char *const semirings[] = {"max", "log", "count"};
    random_state random = random_start("refused");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (unsigned i = 0; i < 6 * ISAS; i++) {
            tz_plan *plan;
            tz_chart *chart;
            const tz_semiring *s = tz_semiring_find(semirings[i % 3], i / 3 % 2 ? TZ_F64 : TZ_F32);
            assert_int_equal(tz_plan_new(tz_rules_find(rules[r]), s, isa_flags[i / 6], &plan, NULL),
                             TZ_OK);
            assert_int_equal(tz_chart_new(plan, &chart), TZ_OK);
            for (int turn = 0; turn < 12; turn++)
                refuse_one(plan, chart, &random);
            tz_chart_free(chart);
            tz_plan_free(plan);
        }
}

static double float_scores(random_state *random) {
    return (double)(float)masked_scores(random);
}

static double near_scores(random_state *random) {
    return (double)(float)plain_scores(random);
}

/* Narrow elements do not reach. */
static double far_scores(random_state *random) {
    return (double)(float)large_scores(random);
}

static void test_side_by_side(void **state) {
    (void)state;
    static const char *const rules[] = {"eisner", "compress", "sibling"};
    random_state random = random_start("side by side");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        try_rules(rules[r], "max", float_scores, &random);
        try_rules(rules[r], "log", near_scores, &random);
        try_rules(rules[r], "log", far_scores, &random);
        try_rules(rules[r], "count", float_scores, &random);
    }
    assert_true(answered > 1000);
}

/* ---- How many side by side ------------------------------------------------------------------- */

enum { MIXED = 24, LONG = 4 };

typedef struct group {
    double value[MIXED];
    size_t last; /* lane of a long one */
    size_t last_of_short;
} group;

static tz_status note(void *user, size_t problem, tz_chart *chart, size_t lane) {
    group *g = user;
    size_t *last = problem < LONG ? &g->last : &g->last_of_short;
    *last = lane > *last ? lane : *last;
    return tz_goal(chart, lane, &g->value[problem]);
}

/* Short sentences together, long ones one by one unless told else; the same bits. */
static void test_long_alone(void **state) {
    (void)state;
    random_state random = random_start("long ones alone");
    const tz_rules *rules = tz_rules_find("eisner");
    for (int log = 0; log < 2; log++) {
        static lane lane[MIXED];
        tz_problem problem[MIXED] = {0};
        tz_plan *plan;
        const tz_semiring *s = tz_semiring_find(log ? "log" : "max", log ? TZ_F64 : TZ_F32);
        assert_int_equal(tz_plan_new(rules, s, 0, &plan, NULL), TZ_OK);
        for (size_t p = 0; p < MIXED; p++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            set_lengths(rules, p < LONG ? 150 + (int32_t)p : 12, 2, lengths);
            make_lane(rules, lengths, near_scores, 0, &random, &lane[p]);
            problem[p] = lane[p].problem;
        }
        group chosen = {.last = 0}, told = {.last = 0};
        const tz_run_options options = {.lanes = 16};
        assert_int_equal(tz_run(plan, problem, MIXED, NULL, note, &chosen, NULL), TZ_OK);
        assert_int_equal(tz_run(plan, problem, MIXED, &options, note, &told, NULL), TZ_OK);
        assert_int_equal(chosen.last, 0);
        assert_int_equal(chosen.last_of_short, log ? 7 : 15);
        assert_int_equal(told.last, LONG - 1);
        assert_int_equal(told.last_of_short, 15);
        assert_memory_equal(chosen.value, told.value, sizeof chosen.value);
        for (size_t p = 0; p < MIXED; p++)
            free_lane(rules, &lane[p]);
        tz_plan_free(plan);
    }
}

/* Of second-order scores a lane has so many that those of 16 would have no place. */
static void test_weights_have_a_place(void **state) {
    (void)state;
    tz_plan *plan;
    const tz_semiring *s = tz_semiring_find("max", TZ_F32);
    assert_int_equal(tz_plan_new(tz_rules_find("sibling"), s, 0, &plan, NULL), TZ_OK);
    size_t lanes = tz_best_lanes(plan, (int32_t[TZ_MAX_LENGTHS]){1});
    assert_int_equal(lanes, 16);
    for (int32_t n = 2; n < 100; n++) {
        size_t fewer = tz_best_lanes(plan, (int32_t[TZ_MAX_LENGTHS]){n});
        assert_true(fewer <= lanes);
        lanes = fewer;
    }
    assert_int_equal(lanes, 1);
    tz_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transpose),  cmocka_unit_test(test_shares),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_long_alone), cmocka_unit_test(test_weights_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
