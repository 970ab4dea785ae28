/* test_gauge.c - do the gauges change no answer, and are they all there are?
 *
 * The identity of table.h is checked at every point of every inside step. How many there are is
 * counted once more, from the points alone, modulo a prime.
 *
 * TZ_RULE_SETS is how many random rule sets, TZ_SEED their seed.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "tests/support/amount.h"
#include "tests/support/random_rules.h"
#include "tests/support/rules_text.h"

typedef void visitor(const tz_rules *rules, const tz_step *step, const int32_t *length,
                     const int64_t *variable, void *user);

/* ---- Every point of a step ------------------------------------------------------------------- */

/* The step's stages, then the cells of each of its sparse weights, are tried in turn. */
typedef struct points {
    const tz_rules *rules;
    const tz_step *step;
    const int32_t *length;
    int64_t given[TZ_MAX_COLUMNS];
    uint64_t left;
    visitor *visit;
    void *user;
} points;

static void visit_points(points *p) {
    tz_walk walk;
    tz_walk_start(&walk, &p->step->nest, p->rules->lengths, p->length, p->given);
    while (p->left > 0 && tz_walk_next(&walk)) {
        int64_t variable[TZ_MAX_VARIABLES];
        for (unsigned v = 0; v < p->step->variables; v++)
            variable[v] = tz_walk_variable(&walk, v);
        p->visit(p->rules, p->step, p->length, variable, p->user);
        p->left--;
    }
}

static void visit_cells(points *p, unsigned sparse, unsigned given) {
    if (sparse == p->step->sparse) {
        visit_points(p);
        return;
    }
    tz_walk walk;
    const tz_weight *weight = &p->rules->weight[p->step->term[sparse].which];
    tz_walk_start(&walk, &weight->cells, p->rules->lengths, p->length, NULL);
    while (p->left > 0 && tz_walk_next(&walk)) {
        for (unsigned q = 0; q < weight->rank; q++)
            p->given[given + q] = tz_walk_variable(&walk, q);
        visit_cells(p, sparse + 1, given + weight->rank);
    }
}

static void visit_stages(points *p, unsigned stage) {
    const tz_kind *kind = &p->rules->kind[p->step->target.which];
    if (stage == p->step->stages) {
        visit_cells(p, 0, stage);
        return;
    }
    int64_t low, high;
    tz_range_value(&kind->stage_range[stage], p->rules->lengths, p->length, 0, NULL, &low, &high);
    for (p->given[stage] = low; p->given[stage] <= high; p->given[stage]++)
        visit_stages(p, stage + 1);
}

/* As many points of each inside step as `most`, for every length from 0 to `longest`. */
static void visit_rules(const tz_rules *rules, int32_t longest, uint64_t most, visitor *visit,
                        void *user) {
    int32_t length[TZ_MAX_LENGTHS] = {0};
    unsigned l = 0;
    while (l < rules->lengths) {
        for (unsigned s = 0; s < rules->steps; s++) {
            points p = {.rules = rules,
                        .step = &rules->step[s],
                        .length = length,
                        .left = most,
                        .visit = visit,
                        .user = user};
            visit_stages(&p, 0);
        }
        for (l = 0; l < rules->lengths && ++length[l] > longest; l++)
            length[l] = 0;
    }
}

/* ---- The identity ---------------------------------------------------------------------------- */

static unsigned term_rank(const tz_rules *rules, const tz_term *term) {
    return term->what == TZ_WEIGHT ? rules->weight[term->which].rank
                                   : rules->kind[term->which].rank;
}

static int64_t term_value(const tz_rules *rules, const tz_gauge *gauge, const tz_step *step,
                          const tz_term *term, const int32_t *length, const int64_t *variable) {
    int64_t index[TZ_MAX_RANK];
    unsigned rank = term_rank(rules, term);
    for (unsigned q = 0; q < rank; q++)
        index[q] =
            tz_form_value(&term->index[q], rules->lengths, length, step->variables, variable);
    const tz_form *form = term->what == TZ_WEIGHT ? gauge->weight : gauge->kind;
    return tz_form_value(&form[term->which], rules->lengths, length, rank, index);
}

typedef struct tally {
    uint64_t points, wrong;
} tally;

static void check_point(const tz_rules *rules, const tz_step *step, const int32_t *length,
                        const int64_t *variable, void *user) {
    tally *tally = user;
    for (unsigned g = 0; g < rules->gauges; g++) {
        const tz_gauge *gauge = &rules->gauge[g];
        int64_t sum = 0;
        for (unsigned t = tz_is_presence(rules, step) ? step->terms : 0; t < step->terms; t++)
            sum += term_value(rules, gauge, step, &step->term[t], length, variable);
        tally->wrong += sum != term_value(rules, gauge, step, &step->target, length, variable);
    }
    tally->points++;
}

static bool is_zero(const tz_form *form) {
    return form->constant == 0 && !tz_form_has_columns(form) && !tz_form_has_lengths(form);
}

/* The identity, in which a presence has no terms, and that a gauge says something of a weight, and
 * of no index that is not there. */
static bool gauges_hold(const tz_rules *rules, int32_t longest, uint64_t most, tally *tally) {
    for (unsigned g = 0; g < rules->gauges; g++) {
        const tz_gauge *gauge = &rules->gauge[g];
        bool any = false;
        if (gauge->kinds != rules->kinds || gauge->weights != rules->weights)
            return false;
        for (unsigned w = 0; w < rules->weights; w++) {
            any |= !is_zero(&gauge->weight[w]);
            for (unsigned q = rules->weight[w].rank; q < TZ_MAX_COLUMNS; q++)
                if (gauge->weight[w].column[q] != 0)
                    return false;
        }
        for (unsigned k = 0; k < rules->kinds; k++)
            for (unsigned q = rules->kind[k].rank; q < TZ_MAX_COLUMNS; q++)
                if (gauge->kind[k].column[q] != 0)
                    return false;
        if (!any)
            return false;
    }
    uint64_t wrong = tally->wrong;
    visit_rules(rules, longest, most, check_point, tally);
    return tally->wrong == wrong;
}

/* ---- How many there are ---------------------------------------------------------------------- */

enum { PRIME = 1000003, MOST_COLUMNS = 420, WIDTH = 1 + TZ_MAX_RANK + TZ_MAX_LENGTHS };

/* Rows modulo PRIME, each without the pivots of those before it. */
typedef struct residues {
    unsigned rank, pivot[MOST_COLUMNS];
    int64_t row[MOST_COLUMNS][MOST_COLUMNS];
} residues;

static int64_t inverse(int64_t a) {
    int64_t ret = 1;
    for (int e = PRIME - 2; e > 0; e >>= 1, a = a * a % PRIME)
        ret = e & 1 ? ret * a % PRIME : ret;
    return ret;
}

static void add_residues(residues *to, const int64_t *row) {
    int64_t *own = to->row[to->rank];
    for (unsigned c = 0; c < MOST_COLUMNS; c++)
        own[c] = (row[c] % PRIME + PRIME) % PRIME;
    for (unsigned r = 0; r < to->rank; r++) {
        int64_t factor = PRIME - own[to->pivot[r]];
        for (unsigned c = 0; c < MOST_COLUMNS && factor < PRIME; c++)
            own[c] = (own[c] + factor * to->row[r][c]) % PRIME;
    }
    for (unsigned c = 0; c < MOST_COLUMNS; c++)
        if (own[c] != 0) {
            int64_t factor = inverse(own[c]);
            for (unsigned d = 0; d < MOST_COLUMNS; d++)
                own[d] = own[d] * factor % PRIME;
            to->pivot[to->rank++] = c;
            return;
        }
}

/* Identities, what they say of kinds alone, and the cells of weights. */
typedef struct equations {
    residues all, kinds, cells;
} equations;

static void add_point(const tz_rules *rules, const tz_step *step, const int32_t *length,
                      const int64_t *variable, void *user) {
    equations *e = user;
    int64_t all[MOST_COLUMNS] = {0}, kinds[MOST_COLUMNS] = {0};
    for (unsigned t = tz_is_presence(rules, step) ? step->terms : 0; t <= step->terms; t++) {
        const tz_term *term = t < step->terms ? &step->term[t] : &step->target;
        bool weight = term->what == TZ_WEIGHT;
        int64_t at[WIDTH] = {1}, cell[MOST_COLUMNS] = {0};
        for (unsigned q = 0; q < term_rank(rules, term); q++)
            at[1 + q] =
                tz_form_value(&term->index[q], rules->lengths, length, step->variables, variable);
        for (unsigned l = 0; l < rules->lengths && !weight; l++)
            at[1 + TZ_MAX_RANK + l] = length[l];
        unsigned first = (term->which + (weight ? rules->kinds : 0u)) * WIDTH;
        assert_true(first + WIDTH <= MOST_COLUMNS);
        for (unsigned c = 0; c < WIDTH; c++) {
            int64_t value = t < step->terms ? at[c] : -at[c];
            all[first + c] += value;
            (weight ? cell : kinds)[first + c] += value;
        }
        if (weight)
            add_residues(&e->cells, cell);
    }
    add_residues(&e->all, all);
    add_residues(&e->kinds, kinds);
}

/* Solutions, less those without a weight, told apart by what they say of cells in use. */
static unsigned count_gauges(const tz_rules *rules, int32_t longest) {
    FREED(equations, e) = need(calloc(1, sizeof *e));
    visit_rules(rules, longest, UINT64_MAX, add_point, e);
    return e->kinds.rank + e->cells.rank - e->all.rank;
}

/* ---- Built-in rule sets ---------------------------------------------------------------------- */

static void print_gauges(const tz_rules *rules) {
    char text[256];
    print_message("# %s: %u\n", rules->name, (unsigned)rules->gauges);
    for (unsigned g = 0; g < rules->gauges; g++) {
        const tz_gauge *gauge = &rules->gauge[g];
        print_message("#  ");
        for (unsigned w = 0; w < rules->weights; w++) {
            tz_form_text(&gauge->weight[w], rules->length_name, rules->weight[w].index_name, text,
                         sizeof text);
            print_message("  %s %s", rules->weight[w].name, text);
        }
        print_message("  |");
        static const char *const column[TZ_MAX_COLUMNS] = {"#0", "#1", "#2", "#3"};
        for (unsigned k = 0; k < rules->kinds; k++) {
            tz_form_text(&gauge->kind[k], rules->length_name,
                         k < rules->items ? rules->item[k].index_name : column, text, sizeof text);
            print_message("  %s %s", rules->kind[k].name, text);
        }
        print_message("\n");
    }
}

/* Lengths up to `longest` must be enough for the points to span what points of all lengths do. */
static void check_count(const tz_rules *rules, int32_t longest) {
    unsigned count = count_gauges(rules, longest);
    if (rules->gauges != (count < TZ_MAX_GAUGES ? count : TZ_MAX_GAUGES))
        fail_msg("%s: %u gauges found, of %u", rules->name, (unsigned)rules->gauges, count);
}

TEST(builtin) {
    const tz_rules *rules;
    for (size_t i = 0; (rules = tz_rules_builtin(i)); i++) {
        tally tally = {0};
        bool thousands = strcmp(rules->name, "align-far") == 0;
        int32_t longest = rules->lengths > 4 ? 2 : rules->lengths > 3 ? 3 : AMOUNT(5, 3);
        print_gauges(rules);
        if (!gauges_hold(rules, longest, thousands ? 100 : UINT64_MAX, &tally))
            fail_msg("%s: the identity fails", rules->name);
        if (!thousands) /* some of its rules have instances from n = 2049 on */
            check_count(rules, longest);
    }
}

/* The goal's form, at these lengths. */
static int64_t goal_value(const tz_rules *rules, unsigned gauge, const int32_t *length) {
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        index[q] = tz_form_value(&rules->goal.index[q], rules->lengths, length, 0, NULL);
    return tz_form_value(&rules->gauge[gauge].kind[rules->goal.which], rules->lengths, length,
                         TZ_MAX_RANK, index);
}

/* One arc for each word. */
TEST(eisner) {
    const tz_rules *rules = tz_rules_find("eisner");
    assert_int_equal(rules->gauges, 1);
    assert_int_equal(rules->kinds, rules->items + 1);
    const tz_gauge *gauge = &rules->gauge[0];
    assert_true(tz_form_equal(&gauge->weight[0], &(tz_form){.constant = 1}));
    for (unsigned k = 0; k < rules->items; k++)
        assert_true(tz_form_equal(&gauge->kind[k], &(tz_form){.column = {-1, 1}}));
    assert_true(
        tz_form_equal(&gauge->kind[rules->items], &(tz_form){.constant = -1, .column = {-1, 1}}));
}

/* Bigrams cover the sentence; there is one more than arcs; and the kept words that bigrams end at
 * are those that arcs end at. */
TEST(compress) {
    const tz_rules *rules = tz_rules_find("compress");
    const int32_t length[] = {10};
    assert_int_equal(rules->gauges, 3);
    assert_int_equal(goal_value(rules, 0, length), 11);
    assert_int_equal(goal_value(rules, 1, length), 1);
    assert_true(is_zero(&rules->gauge[0].weight[0]));
    assert_true(tz_form_equal(&rules->gauge[0].weight[1], &(tz_form){.column = {-1, 1}}));
    assert_true(tz_form_equal(&rules->gauge[1].weight[0], &(tz_form){.constant = -1}));
    assert_true(tz_form_equal(&rules->gauge[1].weight[1], &(tz_form){.constant = 1}));
}

/* The first grows at the goal, where one does. */
TEST(goal) {
    static const char *const name[] = {"chain",      "cky",     "compress", "edit",     "eisner",
                                       "semimarkov", "sibling", "skip",     "skip-note"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const tz_rules *rules = tz_rules_find(name[i]);
        const int32_t shorter[] = {5, 3}, longer[] = {9, 3};
        assert_true(rules->gauges > 0);
        if (goal_value(rules, 0, longer) <= goal_value(rules, 0, shorter))
            fail_msg("%s: the first gauge does not grow at the goal", name[i]);
    }
}

/* ---- Others ---------------------------------------------------------------------------------- */

/* No weights, and one that leads to the same items as no weight does. */
TEST(none) {
    static const char *const text[] = {
        ("rules r\nlength n\nitem a[i] 0 <= i <= n\ngoal a[n]\n"
         "axiom\n--- s\na[0]\n\na[i]\n--- t\na[i+1]\n"),
        ("rules r\nlength n\nweight w[i] sparse 0 <= i <= n\nitem a[i] 0 <= i <= n\n"
         "goal a[n]\naxiom\n--- s\na[0]\n\na[i]\n--- t * w[i]\na[i+1]\n\n"
         "a[i]\n--- u\na[i+1]\n"),
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        OWN(tz_rules, rules) = parse_rules(text[i]);
        assert_int_equal(rules->gauges, 0);
        check_count(rules, 6);
    }
}

/* Cells that only one rule sees; an n that is fixed; the middle, a loop of one round; a gauge whose
 * coefficients must be turned around to grow. */
TEST(places) {
    static const char head[] = "rules r\nlength n\nweight w[i,j] 0 <= i <= n, 0 <= j <= n\n"
                               "item a[i] 0 <= i <= n\nitem b\ngoal b\naxiom\n--- s\na[0]\n\n";
    static const char *const text[] = {
        ("a[i]\n--- t * w[i,j] if j > i\na[j]\n\na[n]\n--- u * w[0,n]\nb\n\n"
         "axiom\n--- e * w[0,0] if n = 0\nb\n"),
        "a[i]\n--- t * w[i,j] if j > i\na[j]\n\na[i]\n--- u if i = n-i\nb\n",
        "a[i]\n--- t * w[j,i] if j > i\na[j]\n\na[n]\n--- u\nb\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char source[1024];
        const int32_t shorter = 4, longer = 6;
        tally tally = {0};
        snprintf(source, sizeof source, "%s%s", head, text[i]);
        OWN(tz_rules, rules) = parse_rules(source);
        assert_true(gauges_hold(rules, 7, UINT64_MAX, &tally));
        check_count(rules, 7);
        assert_true(rules->gauges > 0);
        assert_true(goal_value(rules, 0, &longer) > goal_value(rules, 0, &shorter));
    }
}

/* w's cell i goes with v's cell 2^k i, and v's with x's in the same way: what is 1 for each place
 * in x is 2^2k in w. */
TEST(coefficients) {
    for (int doublings = 2; doublings <= 8; doublings += 6) {
        char text[1024], chain[256] = "";
        for (int d = 1; d <= doublings; d++) {
            size_t size = strlen(chain);
            snprintf(chain + size, sizeof chain - size, "%s k%d-k%d = k%d", d > 1 ? "," : "", d,
                     d - 1, d - 1);
        }
        snprintf(text, sizeof text,
                 "rules r\nlength n\nweight w[i] 0 <= i <= n\nweight v[i] 0 <= i <= 2000\n"
                 "weight x[i] 0 <= i <= 2000\nitem a[i] 0 <= i <= n\nitem b[i] 0 <= i <= n\n"
                 "goal b[n]\naxiom\n--- s\na[0]\n\n"
                 "a[k0]\n--- t * w[k0] * v[k%d] if%s\na[k0+1]\n\n"
                 "a[k0]\n--- u * v[k0] * x[k%d] if%s\nb[k0]\n\na[i]\n--- e\nb[i]\n",
                 doublings, chain, doublings, chain);
        OWN(tz_rules, rules) = parse_rules(text);
        tally tally = {0};
        bool any = false;
        assert_true(gauges_hold(rules, 6, UINT64_MAX, &tally));
        assert_true(rules->gauges > 0 && tally.points > 0);
        for (unsigned g = 0; g < rules->gauges; g++)
            any |= rules->gauge[g].weight[2].column[0] != 0;
        assert_int_equal(any, doublings == 2);
    }
}

/* More items than are looked at. */
TEST(too_many) {
    static char text[1 << 14];
    enum { ITEMS = 120 };
    int size = snprintf(text, sizeof text,
                        "rules r\nlength n\nweight w[i] 0 <= i <= n\nitem x0\ngoal x%d\n", ITEMS);
    for (int i = 1; i <= ITEMS; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "item x%d\n", i);
    size += snprintf(text + size, sizeof text - (size_t)size, "axiom\n--- s\nx0\n");
    for (int i = 1; i <= ITEMS; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, "\nx%d\n--- r%d * w[%d]\nx%d\n",
                         i - 1, i, i, i);
    OWN(tz_rules, rules) = parse_rules(text);
    assert_int_equal(rules->gauges, 0);
}

TEST(good_files) {
    DIR *folder = need(opendir(TZ_SOURCE_ROOT "/tests/rules/good"));
    tally tally = {0};
    unsigned files = 0, some = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        OWN(tz_rules, rules) = NULL;
        tz_error error;
        if (strstr(entry->d_name, ".rules") == NULL)
            continue;
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "/tests/rules/good/%s", entry->d_name);
        if (tz_rules_read(path, &rules, &error) != TZ_OK)
            fail_msg("%s", error.message);
        if (!gauges_hold(rules, 3, 20000, &tally))
            fail_msg("%s: the identity fails", entry->d_name);
        check_count(rules, rules->lengths == 1 ? 6 : rules->lengths == 2 ? 5 : 3);
        files++;
        some += rules->gauges > 0;
    }
    closedir(folder);
    print_message("# %u of %u files have gauges\n", some, files);
    assert_true(tally.points > 0 && some > files / 4);
}

TEST(random) {
    random_state random = random_start("random rules");
    unsigned sets = random_rule_sets(AMOUNT(80, 12));
    unsigned accepted = 0, some = 0;
    rules_text *text = need(malloc(sizeof *text));
    tally tally = {0};
    for (unsigned s = 0; s < sets; s++) {
        OWN(tz_rules, rules) = NULL;
        tz_error error;
        make_random_rules(&random, text);
        if (tz_rules_parse("random.rules", text->at, text->size, &rules, &error) != TZ_OK)
            continue;
        accepted++;
        some += rules->gauges > 0;
        if (!gauges_hold(rules, rules->lengths > 2 ? 2 : 3, 2000, &tally))
            fail_msg("rule set %u:\n%s", s, text->at);
    }
    free(text);
    print_message("# %u accepted, %u with gauges\n", accepted, some);
    assert_true(tally.points > 0 && some > accepted / 10);
}
