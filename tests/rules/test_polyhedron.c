/* test_polyhedron.c - are minima, projections and tidied systems right? Against every integer
 * point of small boxes.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "rules/polyhedra/polyhedron.h"
#include "tests/support/random.h"

enum { COLUMNS = 3, SIDE = 4, TRIALS = 4000 };

static random_state random_numbers;

static unsigned draw(unsigned below) {
    return (unsigned)random_below(&random_numbers, below);
}

static int seed(void **unused) {
    (void)unused;
    random_numbers = random_start("polyhedron");
    return 0;
}

static int64_t at(const int64_t *row, const int64_t *x, unsigned columns) {
    int64_t sum = row[0];
    for (unsigned c = 0; c < columns; c++)
        sum += row[1 + c] * x[c];
    return sum;
}

static bool holds(const tz_poly *poly, const int64_t *x) {
    for (size_t r = 0; r < poly->rows; r++) {
        int64_t value = at(poly->row + r * (poly->columns + 1), x, poly->columns);
        if (poly->equal[r] ? value != 0 : value < 0)
            return false;
    }
    return true;
}

/* The next point of -SIDE..SIDE in every coordinate; false after the last. */
static bool next(int64_t *x, unsigned columns) {
    for (unsigned c = 0; c < columns; c++) {
        if (++x[c] <= SIDE)
            return true;
        x[c] = -SIDE;
    }
    return false;
}

static void first(int64_t *x, unsigned columns) {
    for (unsigned c = 0; c < columns; c++)
        x[c] = -SIDE;
}

/* The box -SIDE..SIDE and some rows; `differences` makes them x[a] - x[b] + constant, whose
 * polyhedra have whole corners and whole shadows. */
static void random_system(tz_poly *poly, bool differences) {
    tz_poly_init(poly, COLUMNS);
    for (unsigned c = 0; c < COLUMNS; c++) {
        int64_t row[COLUMNS + 1] = {SIDE};
        row[1 + c] = 1;
        assert_true(tz_poly_add(poly, row, false));
        row[1 + c] = -1;
        assert_true(tz_poly_add(poly, row, false));
    }
    for (unsigned rows = draw(6); rows > 0; rows--) {
        int64_t row[COLUMNS + 1] = {(int64_t)draw(9) - 4};
        if (differences) {
            row[1 + draw(COLUMNS)] += 1;
            row[1 + draw(COLUMNS)] -= 1;
        } else {
            for (unsigned c = 0; c < COLUMNS; c++)
                row[1 + c] = (int64_t)draw(7) - 3;
        }
        assert_true(tz_poly_add(poly, row, draw(5) == 0));
    }
}

/* Whole corners: the least value over the rational points is the least over the whole ones, and
 * there are rational points only if there are whole ones. */
TEST(minimum_of_differences) {
    for (int trial = 0; trial < TRIALS; trial++) {
        OWNED(tz_poly, poly) = {0};
        random_system(&poly, true);
        int64_t objective[COLUMNS + 1], x[COLUMNS], least = INT64_MAX, num, den;
        for (unsigned c = 0; c <= COLUMNS; c++)
            objective[c] = (int64_t)draw(9) - 4;
        first(x, COLUMNS);
        do {
            if (holds(&poly, x) && at(objective, x, COLUMNS) < least)
                least = at(objective, x, COLUMNS);
        } while (next(x, COLUMNS));

        tz_lp result = tz_poly_minimise(&poly, objective, &num, &den);
        assert_int_equal(result, least == INT64_MAX ? TZ_LP_EMPTY : TZ_LP_OPTIMUM);
        if (result == TZ_LP_OPTIMUM) {
            assert_int_equal(den, 1);
            assert_int_equal(num, least);
        }
    }
}

/* In two columns the corners can be counted: the minimum over a box cut by two lines is taken at a
 * crossing of two of the lines (Cramer's rule). */
TEST(minimum_at_corners) {
    for (int trial = 0; trial < TRIALS; trial++) {
        enum { ROWS = 6 };
        int64_t row[ROWS][3] = {{SIDE, 1, 0}, {SIDE, -1, 0}, {SIDE, 0, 1}, {SIDE, 0, -1}};
        int64_t objective[3];
        OWNED(tz_poly, poly) = {0};
        tz_poly_init(&poly, 2);
        for (int r = 0; r < ROWS; r++) {
            for (int c = 0; c < 3 && r >= 4; c++)
                row[r][c] = (int64_t)draw(15) - 7;
            assert_true(tz_poly_add(&poly, row[r], false));
        }
        for (int c = 0; c < 3; c++)
            objective[c] = (int64_t)draw(9) - 4;
        bool any = false;
        int64_t best = 0, best_den = 1;
        for (int a = 0; a < ROWS; a++) {
            for (int b = 0; b < a; b++) {
                int64_t den = row[a][1] * row[b][2] - row[b][1] * row[a][2];
                int64_t x = row[a][2] * row[b][0] - row[b][2] * row[a][0];
                int64_t y = row[b][1] * row[a][0] - row[a][1] * row[b][0];
                if (den < 0)
                    den = -den, x = -x, y = -y;
                bool inside = den != 0;
                for (int r = 0; r < ROWS && inside; r++)
                    inside = row[r][0] * den + row[r][1] * x + row[r][2] * y >= 0;
                int64_t value = objective[0] * den + objective[1] * x + objective[2] * y;
                if (inside && (!any || value * best_den < best * den))
                    any = true, best = value, best_den = den;
            }
        }
        int64_t num, den;
        tz_lp result = tz_poly_minimise(&poly, objective, &num, &den);
        assert_int_equal(result, any ? TZ_LP_OPTIMUM : TZ_LP_EMPTY);
        if (any) {
            assert_true(den > 0);
            assert_true(num * best_den == best * den);
            for (int64_t d = 2; d <= den; d++)
                assert_false(den % d == 0 && num % d == 0);
        }
    }
}

TEST(minimum_without_bound) {
    int64_t num, den;
    OWNED(tz_poly, poly) = {0};
    tz_poly_init(&poly, 2);
    const int64_t zero[] = {7, 0, 0}, x[] = {0, 1, 0}, y[] = {0, 0, 1};
    assert_int_equal(tz_poly_minimise(&poly, zero, &num, &den), TZ_LP_OPTIMUM);
    assert_true(num == 7 && den == 1);
    assert_int_equal(tz_poly_minimise(&poly, x, &num, &den), TZ_LP_UNBOUNDED);
    const int64_t low[] = {-2, 1, 0}, high[] = {1, -1, 0};
    assert_true(tz_poly_add(&poly, low, false)); /* x >= 2 */
    assert_int_equal(tz_poly_minimise(&poly, x, &num, &den), TZ_LP_OPTIMUM);
    assert_true(num == 2 && den == 1);
    assert_int_equal(tz_poly_minimise(&poly, y, &num, &den), TZ_LP_UNBOUNDED);
    assert_true(tz_poly_add(&poly, high, false)); /* x <= 1: empty, though y is not bounded */
    assert_int_equal(tz_poly_minimise(&poly, y, &num, &den), TZ_LP_EMPTY);
}

/* The same points before and after; and no row left that the others imply. */
TEST(tidy_keeps_points) {
    for (int trial = 0; trial < TRIALS; trial++) {
        OWNED(tz_poly, poly) = {0}, tidied = {0};
        random_system(&poly, draw(2) == 0);
        assert_true(tz_poly_copy(&tidied, &poly));
        tz_lp result = tz_poly_tidy(&tidied);
        assert_true(result == TZ_LP_OPTIMUM || result == TZ_LP_EMPTY);
        int64_t x[COLUMNS];
        first(x, COLUMNS);
        do {
            assert_int_equal(holds(&poly, x), result == TZ_LP_OPTIMUM && holds(&tidied, x));
        } while (next(x, COLUMNS));

        for (size_t r = 0; r < tidied.rows && result == TZ_LP_OPTIMUM; r++) {
            OWNED(tz_poly, rest) = {0};
            tz_poly_init(&rest, COLUMNS);
            for (size_t s = 0; s < tidied.rows; s++) {
                if (s != r) {
                    assert_true(
                        tz_poly_add(&rest, tidied.row + s * (COLUMNS + 1), tidied.equal[s]));
                }
            }
            int64_t num, den, form[COLUMNS + 1];
            bool implied = true;
            for (int sign = 1; sign >= (tidied.equal[r] ? -1 : 1); sign -= 2) {
                for (unsigned c = 0; c <= COLUMNS; c++)
                    form[c] = sign * tidied.row[r * (COLUMNS + 1) + c];
                tz_lp low = tz_poly_minimise(&rest, form, &num, &den);
                implied = implied && low == TZ_LP_OPTIMUM && num >= 0;
            }
            assert_false(implied);
        }
    }
}

TEST(tidy_rounds) {
    OWNED(tz_poly, poly) = {0};
    tz_poly_init(&poly, 2);
    const int64_t low[] = {-3, 2, 0}, high[] = {7, -2, 0}, twice[] = {4, -1, 0};
    const int64_t even[] = {4, 2, -6}, holds_always[] = {5, 0, 0}, odd[] = {1, 2, -4};
    assert_true(tz_poly_add(&poly, low, false) && tz_poly_add(&poly, high, false));
    assert_true(tz_poly_add(&poly, twice, false) && tz_poly_add(&poly, even, true));
    assert_true(tz_poly_add(&poly, holds_always, false));
    assert_int_equal(tz_poly_tidy(&poly), TZ_LP_OPTIMUM);
    const int64_t expected[] = {-2, 1, 0, 3, -1, 0, 2, 1, -3}; /* 2 <= x <= 3, x + 2 = 3y */
    assert_int_equal(poly.rows, 3);
    assert_memory_equal(poly.row, expected, sizeof expected);
    assert_true(!poly.equal[0] && !poly.equal[1] && poly.equal[2]);

    assert_true(tz_poly_add(&poly, odd, true)); /* 2x - 4y + 1 = 0 */
    assert_int_equal(tz_poly_tidy(&poly), TZ_LP_EMPTY);
    assert_int_equal(poly.rows, 4);
}

/* Differences have whole shadows: a point is in the projection just if a value of the column taken
 * away completes it. Other systems: the projection holds at least those. */
TEST(shadow) {
    for (int trial = 0; trial < TRIALS; trial++) {
        bool differences = draw(2) == 0;
        OWNED(tz_poly, poly) = {0}, flat = {0};
        random_system(&poly, differences);
        assert_true(tz_poly_copy(&flat, &poly));
        unsigned gone = draw(COLUMNS);
        tz_lp result = tz_poly_eliminate(&flat, gone);
        assert_true(result == TZ_LP_OPTIMUM || result == TZ_LP_EMPTY);
        for (size_t r = 0; r < flat.rows && result == TZ_LP_OPTIMUM; r++)
            assert_int_equal(flat.row[r * (COLUMNS + 1) + 1 + gone], 0);
        int64_t x[COLUMNS];
        first(x, COLUMNS);
        do {
            int64_t y[COLUMNS] = {x[0], x[1], x[2]};
            bool lit = false;
            for (y[gone] = -SIDE; y[gone] <= SIDE && !lit; y[gone]++)
                lit = holds(&poly, y);
            bool dark = result == TZ_LP_OPTIMUM && holds(&flat, x);
            assert_true(differences ? lit == dark : !lit || dark);
        } while (next(x, COLUMNS));
    }
}

TEST(overflow) {
    const int64_t big = INT64_MAX - 1;
    const int64_t rows[][4] = {{-1, big, big - 2, 1}, {-1, big - 4, 3, big}, {-1, 5, big, big - 8}};
    const int64_t objective[] = {0, 1, 1, 1}, least[] = {0, INT64_MIN, 0, 0};
    int64_t num, den;
    OWNED(tz_poly, poly) = {0};
    tz_poly_init(&poly, 3);
    for (int r = 0; r < 3; r++)
        assert_true(tz_poly_add(&poly, rows[r], false));
    assert_int_equal(tz_poly_minimise(&poly, objective, &num, &den), TZ_LP_OVERFLOW);
    assert_int_equal(tz_poly_minimise(&poly, least, &num, &den), TZ_LP_OVERFLOW);
    assert_int_equal(tz_poly_tidy(&poly), TZ_LP_OVERFLOW);
    const int64_t against[] = {0, -3, big, 1};
    assert_true(tz_poly_add(&poly, against, false));
    assert_int_equal(tz_poly_eliminate(&poly, 0), TZ_LP_OVERFLOW);
    assert_int_equal(poly.rows, 4);
    assert_true(tz_poly_add(&poly, least, true));
    assert_int_equal(tz_poly_eliminate(&poly, 0), TZ_LP_OVERFLOW);
    assert_int_equal(tz_poly_tidy(&poly), TZ_LP_OVERFLOW);
}

/* Rows x + a y >= 0 and -x + b z >= 0 with every a and b their own make a new row for every pair;
 * with the same directions and other constants, one row stays of all. */
TEST(rows_limited) {
    for (int own = 0; own <= 1; own++) {
        OWNED(tz_poly, poly) = {0};
        tz_poly_init(&poly, 3);
        for (int64_t r = 1; r <= 60; r++) {
            const int64_t low[] = {r, 1, own ? r : 1, 0}, high[] = {r, -1, 0, own ? r : 1};
            assert_true(tz_poly_add(&poly, low, false) && tz_poly_add(&poly, high, false));
        }
        assert_int_equal(tz_poly_eliminate(&poly, 0), own ? TZ_LP_OVERFLOW : TZ_LP_OPTIMUM);
        assert_int_equal(poly.rows, own ? 120 : 1);
        const int64_t strongest[] = {2, 0, 1, 1};
        if (!own)
            assert_memory_equal(poly.row, strongest, sizeof strongest);
    }
}

TESTS_BETWEEN(seed, NULL)
