/* test_random_rules.c - rule sets that nobody foresaw: does the interpreter say what enumeration
 * says, and the fast engine what the interpreter says?
 *
 * Written ones: tests/rules/good/NAME.rules, rules/gallery/NAME.rules. Random ones: items, domains,
 * rules and index expressions put together by chance, most of them so that a premise is smaller
 * than its conclusion in one common measure, which makes an order likely, some of them in no such
 * way. What is refused must be refused at a place in the file, and what is called cyclic must be
 * cyclic.
 *
 * TZ_SEED is the seed, TZ_RULE_SETS how many random rule sets, TZ_RULE_SET runs one alone, by the
 * number that a failure prints; TZ_VERBOSE=1 prints what was refused and why.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "rules/read/reader.h"
#include "rules/tell/enumerate.h"
#include "tests/support/against_enumeration.h"
#include "tests/support/against_interpreter.h"
#include "tests/support/check_known.h"
#include "tests/support/isas.h"
#include "tests/support/random_facts.h"
#include "tests/support/random_rules.h"
#include "tests/support/rule_files.h"

#define GOOD    TZ_SOURCE_ROOT "/tests/rules/good"
#define GALLERY TZ_SOURCE_ROOT "/rules/gallery"

/* ---- Written rule sets ----------------------------------------------------------------------- */

/* n = 0..4 for all lengths at once, then mixes. */
static bool check_rules(const tz_rules *rules, const char *name, random_state *random,
                        comparison *c) {
    enum { LANES = 5, LIMIT = 20000 };
    if (tz_has_closures(rules)) /* endlessly many derivations: test_closures.c */
        return true;
    verdict verdict = AGREES;
    size_t derivations = 0;
    for (unsigned mix = 0; mix < 2 && verdict == AGREES; mix++) {
        verdict = TOO_MANY;
        for (int most = 4; most > 1 && verdict == TOO_MANY; most--) {
            int32_t lengths[LANES][TZ_MAX_LENGTHS];
            for (int lane = 0; lane < LANES; lane++)
                do
                    for (unsigned l = 0; l < rules->lengths; l++)
                        lengths[lane][l] = mix > 0       ? (int32_t)random_below(random, most + 1)
                                           : lane < most ? lane
                                                         : most;
                while (!has_numbers(rules, lengths[lane]));
            verdict = compare_with_enumeration(rules, lengths, LANES, LIMIT, regimes_in_turn(mix),
                                               random, c);
        }
        derivations += c->derivations;
    }
    if (verdict != AGREES || derivations == 0)
        print_message("%s: %s\n", name, derivations == 0 ? "derives nothing" : c->message);
    return verdict == AGREES && derivations > 0;
}

static void check_files(const char *folder) {
    if (getenv("TZ_RULE_SET") != NULL)
        skip();
    random_state random = random_start(folder);
    comparison c = {0};
    int wrong = 0;
    rule_files files = rule_files_in(folder);
    for (tz_rules *rules; (rules = next_rules(&files)) != NULL; tz_rules_free(rules))
        wrong += !check_rules(rules, file_of_rules(&files), &random, &c);
    assert_int_equal(wrong, 0);
}

TEST(good_files) {
    check_files(GOOD);
}

TEST(gallery) {
    check_files(GALLERY);
}

/* ---- Random rule sets ------------------------------------------------------------------------ */

static int ignore(void *user, const tz_enum_use *uses, size_t count) {
    (void)uses;
    (void)count;
    ++*(size_t *)user;
    return 0;
}

typedef struct totals {
    unsigned accepted, derived, refused, cyclic, unordered, too_many, circles, wrong;
    size_t numbers; /* compared with the interpreter's */
} totals;

static void complain(totals *t, const rules_text *rules, unsigned number, const char *what) {
    printf("rule set %u: %s\n%s\n", number, what, rules->at);
    t->wrong++;
}

/* Does enumeration find that the item at which a cycle is said to start does not need itself? */
static bool not_cyclic(const rules_text *rules, const char *message) {
    tz_rules table = {.arena = tz_arena_new()};
    tz_error error;
    size_t count = 0;
    bool refuted = false;
    assert_non_null(table.arena);
    if (tz_read_rules("random.rules", rules->at, rules->size, &table, &error) == TZ_OK) {
        int length = 0;
        char item[16] = "";
        int32_t lengths[TZ_MAX_LENGTHS];
        const char *at = strstr(message, "with every length ");
        if (at == NULL || sscanf(at, "with every length %d, %15[a-z0-9]", &length, item) != 2)
            goto done;
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            lengths[l] = length;
        table.goal = (tz_term){.what = TZ_INSIDE};
        while (strcmp(table.item[table.goal.which].name, item) != 0)
            table.goal.which++;
        at = strstr(at, item) + strlen(item);
        for (unsigned q = 0; q < table.item[table.goal.which].rank; q++) {
            char *end;
            table.goal.index[q].constant = (int32_t)strtol(at + 1, &end, 10);
            at = end;
        }
        refuted = tz_enumerate(&table, lengths, SIZE_MAX, ignore, &count) == TZ_OK;
    }
done:
    tz_arena_free(table.arena);
    return refuted;
}

static void check_refused(const rules_text *rules, unsigned number, tz_status status,
                          const tz_error *error, totals *t) {
    unsigned line, column;
    if (getenv("TZ_VERBOSE") != NULL)
        printf("%u: %s\n", number, error->message);
    t->refused++;
    if (status != TZ_BAD_RULES ||
        sscanf(error->message, "random.rules:%u:%u: ", &line, &column) != 2 || line == 0 ||
        column == 0)
        complain(t, rules, number, error->message);
    if (strstr(error->message, "is cyclic") != NULL) {
        t->cyclic++;
        if (not_cyclic(rules, error->message))
            complain(t, rules, number, error->message);
    }
    t->unordered += strstr(error->message, "no evaluation order") != NULL;
}

/* Facts for all lanes. */
static void draw_askable(const tz_rules *rules, const tz_semiring *semiring, random_problem *p,
                         random_facts *facts, unsigned lanes, random_state *random) {
    OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
    for (unsigned lane = 0; lane < lanes; lane++) {
        random_facts_draw(rules, &p[lane], &facts[lane], random);
        random_facts_askable(plan, semiring, &p[lane].problem);
    }
}

/* Under three semirings, of all the next ones, on any instruction set. */
static void check_interpreted(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS],
                              unsigned lanes, const rules_text *text, unsigned number,
                              random_state *random, totals *t) {
    static const char *const all[] = {"max",      "log",           "count",
                                      "bool",     "entropy",       "kbest(1)",
                                      "kbest(3)", "required(max)", "required(log)"};
    static const char *const stars[] = {"max",      "log",      "bool", "entropy",
                                        "kbest(1)", "kbest(3)", "ties"};
    const bool closed = tz_has_closures(rules);
    const char *const *semirings = closed ? stars : all;
    const unsigned count = closed ? sizeof stars / sizeof *stars : sizeof all / sizeof *all;
    const isas here = isas_here();
    for (unsigned k = 0; k < 3; k++) {
        const char *name = semirings[(3 * number + k) % count];
        tz_precision precision = random_below(random, 2) ? TZ_F32 : TZ_F64;
        bool integers = random_below(random, 2);
        random_problem p[MAX_LANES];
        random_facts facts[MAX_LANES];
        agreement found = {.numbers = 0};
        OWN(tz_semiring, semiring) = make_semiring(name, precision);
        /* Ways around are added up in another order by a solver that eliminates. */
        integers |= closed && semiring->laws & TZ_EXACT && !(semiring->laws & TZ_PATH);
        for (unsigned lane = 0; lane < lanes; lane++)
            make_problem(rules, lengths[lane],
                         closed     ? integers ? low_integers : low_scores
                         : integers ? masked_integers
                                    : masked_scores,
                         random, &p[lane]);
        if (random_below(random, 2) == 0)
            draw_askable(rules, semiring, p, facts, lanes, random);
        definition of = {rules, semiring, precision, &here.flags[random_below(random, here.count)],
                         1};
        if (!compare_with_interpreter(&of, p, lanes, integers, &found))
            complain(t, text, number, found.message);
        t->numbers += found.numbers;
        free_problems(p, lanes);
    }
}

/* What derivations are left by facts, by enumeration, and what both ways of computing say: of lanes
 * side by side, forbidden cells and items under every semiring, required ones under required(...).
 */
static void check_known_parts(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS],
                              unsigned lanes, size_t limit, random_state *random) {
    static const char *const all[] = {"max",  "log",           "count",
                                      "bool", "required(max)", "required(log)"};
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {
        const bool required = k > 3;
        known own[MAX_LANES];
        tz_problem problem[MAX_LANES];
        OWN(tz_semiring, semiring) = make_semiring(all[k], TZ_F64);
        for (unsigned l = 0; l < lanes; l++) {
            assert_true(known_make(&own[l], rules, lengths[l], limit, masked_scores, random));
            unsigned tries = 0;
            do {
                known_draw(&own[l], (unsigned)random_below(random, 3),
                           required && tries < 20 ? 1 + (unsigned)random_below(random, 2) : 0,
                           random);
                known_filter(&own[l]);
                tries++;
            } while (own[l].most > 1);
            problem[l] = own[l].own.problem;
        }
        for (unsigned plain = 0; plain < 2; plain++) {
            unsigned flags = TZ_FORCE | (plain ? TZ_PLAIN : 0);
            OWN(tz_plan, plan) = make_plan(rules, semiring, flags);
            OWN(tz_chart, chart) = make_chart(plan);
            run_outside(chart, problem, lanes);
            for (unsigned l = 0; l < lanes; l++)
                check_known(chart, l, &own[l], all[k], 1e-12);
        }
        for (unsigned l = 0; l < lanes; l++)
            known_free(&own[l]);
    }
}

/* Makes a rule set and reads it; NULL: it was refused. */
static tz_rules *begin(void make(random_state *, rules_text *), unsigned number,
                       random_state *random, rules_text *rules, totals *t) {
    tz_rules *parsed;
    tz_error error = {TZ_OK, ""};
    make(random, rules);
    if (getenv("TZ_RULE_SET") != NULL) {
        printf("%s", rules->at);
        fflush(stdout);
    }
    tz_status status = tz_rules_parse("random.rules", rules->at, rules->size, &parsed, &error);
    if (status == TZ_OK)
        t->accepted++;
    else
        check_refused(rules, number, status, &error, t);
    return status == TZ_OK ? parsed : NULL;
}

/* What goes round cannot be enumerated: the interpreter solves it in its own way. */
static void check_closures(unsigned number, uint64_t seed, totals *t) {
    random_state random = {seed * 1000003 + number};
    FREED(rules_text, rules) = need(malloc(sizeof *rules));
    OWN(tz_rules, parsed) = begin(make_random_closures, number, &random, rules, t);
    if (parsed != NULL) {
        const size_t numbers = t->numbers;
        int32_t lengths[MAX_LANES][TZ_MAX_LENGTHS];
        const unsigned lanes = 1 + (unsigned)random_below(&random, 3);
        for (unsigned lane = 0; lane < lanes; lane++)
            for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
                lengths[lane][l] = 1 + (int32_t)random_below(&random, 3);
        for (unsigned g = 0; g < parsed->groups; g++)
            t->circles += parsed->group[g].closeds > 0;
        check_interpreted(parsed, lengths, lanes, rules, number, &random, t);
        t->derived += t->numbers > numbers;
    }
}

static void check_rule_set(unsigned number, uint64_t seed, totals *t, comparison *c) {
    enum { LIMIT = 1500 };
    random_state random = {seed * 1000003 + number};
    FREED(rules_text, rules) = need(malloc(sizeof *rules));
    OWN(tz_rules, parsed) = begin(make_random_rules, number, &random, rules, t);
    if (parsed != NULL) {
        verdict verdict = TOO_MANY;
        for (unsigned most = 6; most >= 2 && verdict == TOO_MANY; most--) {
            int32_t lengths[MAX_LANES][TZ_MAX_LENGTHS];
            unsigned lanes = 1 + (unsigned)random_below(&random, 6);
            for (unsigned lane = 0; lane < lanes; lane++)
                for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
                    lengths[lane][l] = (int32_t)random_below(&random, most);
            unsigned which = 1u << random_below(&random, REGIMES) | 0x40u
                                                                        << random_below(&random, 2);
            verdict = compare_with_enumeration(parsed, lengths, lanes, LIMIT, which, &random, c);
            if (verdict == AGREES)
                check_interpreted(parsed, lengths, lanes, rules, number, &random, t);
            if (verdict == AGREES)
                check_known_parts(parsed, lengths, lanes, LIMIT, &random);
        }
        t->derived += c->derivations > 0;
        t->too_many += verdict == TOO_MANY;
        if (verdict == DIFFERS || verdict == CYCLIC)
            complain(t, rules, number, c->message);
    }
}

TEST(random_rules) {
    random_state random = random_start("random rules");
    const char *one = getenv("TZ_RULE_SET");
    unsigned sets = random_rule_sets(AMOUNT(80, 12));
    totals t = {0};
    comparison c = {0};
    for (unsigned number = 0; number < sets && one == NULL; number++)
        check_rule_set(number, random.at, &t, &c);
    if (one != NULL)
        check_rule_set((unsigned)strtoul(one, NULL, 10), random.at, &t, &c);
    print_message("# %u accepted (%u derive something, %u too large), %u refused (%u cyclic, %u "
                  "without an order)\n",
                  t.accepted, t.derived, t.too_many, t.refused, t.cyclic, t.unordered);
    print_message("# %zu numbers compared with the interpreter's\n", t.numbers);
    print_message("# largest error / S: scores %.2g, marginals %.2g, max-marginals %.2g\n", c.score,
                  c.marginal, c.through);
    assert_int_equal(t.wrong, 0);
    assert_true(one != NULL || t.derived > sets / 6);
}

TEST(random_closures) {
    random_state random = random_start("random closures");
    const char *one = getenv("TZ_RULE_SET");
    unsigned sets = random_rule_sets(AMOUNT(20, 3));
    totals t = {0};
    for (unsigned number = 0; number < sets && one == NULL; number++)
        check_closures(number, random.at, &t);
    if (one != NULL)
        check_closures((unsigned)strtoul(one, NULL, 10), random.at, &t);
    print_message("# %u accepted (%u answer, %u groups with equations), %u refused (%u cyclic, %u "
                  "without an order); %zu numbers\n",
                  t.accepted, t.derived, t.circles, t.refused, t.cyclic, t.unordered, t.numbers);
    assert_int_equal(t.wrong, 0);
    assert_true(one != NULL || t.circles > sets / 10);
}
