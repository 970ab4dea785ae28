/* test_interpret.c - does the fast engine say what the definition says?
 *
 * engine/interpret.c is the definition: plus and times alone, over every instance of every step. It
 * is itself checked against enumeration (test_enumeration.c, test_random_rules.c). Here every rule
 * set is compared with it under every semiring, in both precisions, with each instruction set,
 * lanes of different lengths side by side, sparse weights without some entries, impossible scores,
 * facts; and once more at lengths where schedules, bundles and vectors have taken their full shape.
 *
 * The table of what was compared, and the largest differences where sums round, are printed by the
 * last test. Measured (TZ_SEED=1): 1.4e-14, in float 2.4e-5; counts beyond 2^53 4.4e-14; entropies
 * 2.8e-14 and 1.7e-6.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/layout/address.h"
#include "tests/support/against_interpreter.h"
#include "tests/support/amount.h"
#include "tests/support/asked.h"
#include "tests/support/isas.h"
#include "tests/support/rule_files.h"

#define GOOD    TZ_SOURCE_ROOT "/tests/rules/good"
#define GALLERY TZ_SOURCE_ROOT "/rules/gallery"

enum { MOST_N = AMOUNT(7, 4), LANES = 13, COSTLY = AMOUNT(2000, 500), MOST_RULES = 120 };

/* Every registered one, and composed ones. Last, that which takes scores that do not round. */
static const char *const texts[] = {"max",           "log",      "count",    "bool",
                                    "entropy",       "kbest(1)", "kbest(4)", "required(max)",
                                    "required(log)", "ties"};
enum { SIMPLE = 3, TEXTS = sizeof texts / sizeof *texts, TIES = TEXTS - 1 };

static isas instruction_sets;

/* ---- What was compared ----------------------------------------------------------------------- */

static struct {
    char name[64];
    int32_t largest[TEXTS]; /* of the first length */
} compared[MOST_RULES];
static size_t compared_rules;
static agreement found[TEXTS][2];

static void note_compared(const tz_rules *rules, unsigned text, int32_t n) {
    size_t r = 0;
    while (r < compared_rules && strcmp(compared[r].name, rules->name) != 0)
        r++;
    assert_true(r < MOST_RULES);
    if (r == compared_rules)
        snprintf(compared[compared_rules++].name, sizeof compared->name, "%s", rules->name);
    compared[r].largest[text] = n > compared[r].largest[text] ? n : compared[r].largest[text];
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Under one semiring. */
static void compare_under(const tz_rules *rules, unsigned text, tz_precision precision,
                          asked *const *asked, size_t lanes, bool integers, size_t plans) {
    static random_problem p[LANES];
    OWN(tz_semiring, semiring) = make_semiring(texts[text], precision);
    tz_plan *plan = make_plan(rules, semiring, TZ_FORCE);
    for (size_t l = 0; l < lanes; l++) {
        p[l] = asked[l]->p;
        p[l].problem = asked_under(plan, asked[l]);
    }
    tz_plan_free(plan);
    definition of = {rules, semiring, precision, instruction_sets.flags, plans};
    if (!compare_with_interpreter(&of, p, lanes, integers, &found[text][precision]))
        fail_msg("%s", found[text][precision].message);
    for (size_t l = 0; l < lanes; l++)
        note_compared(rules, text, p[l].lengths[0]);
}

/* Lanes of these lengths, which are masked integers, masked plain scores, and such with facts:
 * `every` way under every semiring and in both precisions, or one for each semiring, in turn. */
static void compare_lanes(const tz_rules *rules, int32_t (*lengths)[TZ_MAX_LENGTHS], size_t lanes,
                          bool every, random_state *random) {
    static unsigned turn;
    enum { INTEGERS, PLAIN, FACTS, ROUNDS };
    static asked own[LANES];
    asked *asked[LANES];
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t l = 0; l < lanes; l++) {
            bool mask = round == INTEGERS || random_below(random, 2) == 0;
            score_source source = round == INTEGERS ? (mask ? masked_integers : integer_scores)
                                  : mask            ? masked_scores
                                                    : plain_scores;
            make_asked(rules, lengths[l], source, random, asked[l] = &own[l]);
            if (round == FACTS)
                draw_facts(rules, asked[l], random);
        }
        for (unsigned text = 0; text < TEXTS; text++)
            for (tz_precision f = TZ_F64; f <= TZ_F32; f++)
                if (text == TIES && round != INTEGERS)
                    continue;
                else if (every ||
                         (round == (text + turn) % ROUNDS && f == (text / ROUNDS + turn) % 2))
                    compare_under(rules, text, f, asked, lanes, round == INTEGERS,
                                  round == PLAIN ? instruction_sets.count : 1);
        for (size_t l = 0; l < lanes; l++)
            free_asked(rules, asked[l]);
    }
    turn++;
}

/* About what the interpreter does in a pass: products, items, and steps that are looked at, which
 * is at every stage once for every choice of entries of their sparse weights. */
static double effort(const tz_plan *plan, const int32_t *lengths) {
    const tz_rules *rules = plan->rules;
    double products, cells, steps = 0;
    if (tz_plan_products(plan, lengths, &products) != TZ_OK)
        return INFINITY;
    tz_best_lanes(plan, lengths, &(int){-1}, &cells);
    for (unsigned k = 0; k < rules->kinds; k++) {
        const tz_kind *kind = &rules->kind[k];
        double stages = 1;
        for (unsigned s = 0; s < kind->stages; s++) {
            int64_t low, high;
            tz_range_value(&kind->stage_range[s], rules->lengths, lengths, 0, NULL, &low, &high);
            stages *= low <= high ? (double)(high - low + 1) : 0;
        }
        for (unsigned i = kind->inside; i < (unsigned)kind->inside + kind->insides; i++) {
            double entries = 1;
            for (unsigned t = 0; t < rules->step[i].sparse; t++) {
                tz_shape shape;
                unsigned weight = rules->step[i].term[t].which;
                if (tz_rules_shape(rules, weight, lengths, &shape) != TZ_OK)
                    return INFINITY;
                for (unsigned q = 0; q < shape.rank; q++)
                    entries *= shape.extent[q];
            }
            steps += stages * entries;
        }
    }
    return products + cells + steps;
}

/* The largest n up to `most` at which a pass takes no more than this effort. */
static int32_t affordable(const tz_rules *rules, int32_t labels, int32_t most, double efforts) {
    const tz_semiring *semiring = tz_semiring_find("max", TZ_F64);
    OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
    int32_t n = 0;
    for (bool more = true; more && n < most;) {
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, n + 1, labels, lengths);
        more = effort(plan, lengths) <= efforts;
        n += more;
    }
    return n;
}

/* n = 0 .. most side by side, with two or three labels. */
static void compare_short(const tz_rules *rules, int32_t most, double efforts, bool every,
                          random_state *random) {
    int32_t lengths[LANES][TZ_MAX_LENGTHS];
    most = affordable(rules, 2, most, efforts);
    for (int32_t n = 0; n <= most; n++)
        set_lengths(rules, n, n % 3 == 2 ? 3 : 2, lengths[n]);
    compare_lanes(rules, lengths, (size_t)most + 1, every, random);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

TEST(short) {
    random_state random = random_start("short ones");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        compare_short(tz_rules_builtin(i), MOST_N, COSTLY, AMOUNT(true, false), &random);
}

/* One problem so long that loops of a schedule have turns to keep, and turns of other numbers of
 * splits and turns. */
static void compare_turns(const tz_rules *rules, random_state *random) {
    static const unsigned texts_asked[] = {0, 2}; /* whose sums do not round */
    for (unsigned t = 0; t < 2; t++) {
        static asked own;
        asked *asked = &own;
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, affordable(rules, 2, 32, AMOUNT(8000, 4000)), 2, lengths);
        make_asked(rules, lengths, integer_scores, random, asked);
        compare_under(rules, texts_asked[t], TZ_F64, &asked, 1, true, 1);
        free_asked(rules, asked);
    }
}

static void compare_files(const char *folder, bool turns) {
    random_state random = random_start(folder);
    rule_files files = rule_files_in(folder);
    for (tz_rules *rules; (rules = next_rules(&files)) != NULL; tz_rules_free(rules)) {
        if (tz_has_closures(rules)) /* not for any scores: test_closures.c */
            continue;
        compare_short(rules, AMOUNT(6, 2), 4000, false, &random);
        if (turns)
            compare_turns(rules, &random);
        int32_t lengths[4][TZ_MAX_LENGTHS];
        for (unsigned l = 0; l < 4; l++)
            do
                for (unsigned q = 0; q < TZ_MAX_LENGTHS; q++)
                    lengths[l][q] = (int32_t)random_below(&random, AMOUNT(5, 4));
            while (!has_numbers(rules, lengths[l]));
        if (rules->lengths > 1)
            compare_lanes(rules, lengths, 4, false, &random);
    }
}

TEST(good_files) {
    compare_files(GOOD, false);
}

TEST(gallery) {
    compare_files(GALLERY, true);
}

/* One more length and one more index of every item. */
TEST(charged) {
    random_state random = random_start("charged rules");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        for (size_t r = 0; r < tz_rules_count(tz_rules_builtin(i), TZ_RESOURCES); r++) {
            OWN(tz_rules, charged) = NULL;
            const char *resource = tz_rules_name_of(tz_rules_builtin(i), TZ_RESOURCES, r);
            enum { CHARGED = AMOUNT(3, 2) };
            int32_t lengths[CHARGED][TZ_MAX_LENGTHS];
            assert_ok(tz_rules_charge(tz_rules_builtin(i), resource, &charged, NULL));
            for (int32_t l = 0; l < CHARGED; l++) {
                set_lengths(charged, 2 * l + 1, 2, lengths[l]);
                lengths[l][charged->lengths - 1] = (int32_t)random_below(&random, 6);
            }
            compare_lanes(charged, lengths, CHARGED, false, &random);
        }
}

/* One problem at full size; shorter where elements are large. */
TEST(long) {
    random_state random = random_start("long ones");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned k = 0; k < 2 * TEXTS; k++) {
            static asked own;
            asked *asked = &own;
            unsigned text = k / 2, integers = k % 2;
            int32_t lengths[TZ_MAX_LENGTHS];
            double efforts = text < SIMPLE ? COSTLY : COSTLY / 5;
            set_lengths(rules, affordable(rules, 3, 200, efforts), 3, lengths);
            make_asked(rules, lengths, integers ? integer_scores : plain_scores, &random, asked);
            compare_under(rules, text, TZ_F64, &asked, 1, integers, 1);
            free_asked(rules, asked);
        }
    }
}

TEST(table) {
    print_message("# largest n compared\n# %-30s", "");
    for (unsigned t = 0; t < TEXTS; t++)
        print_message(" %s", texts[t]);
    for (size_t r = 0; r < compared_rules; r++) {
        print_message("\n# %-30s", compared[r].name);
        for (unsigned t = 0; t < TEXTS; t++)
            print_message(" %*d", (int)strlen(texts[t]), (int)compared[r].largest[t]);
    }
    print_message("\n# largest differences\n");
    for (unsigned t = 0; t < TEXTS; t++)
        for (unsigned f = 0; f < 2; f++) {
            print_message("# %-13s %s", texts[t], f == 0 ? "f64" : "f32");
            for (unsigned k = 0; k < QUESTIONS; k++)
                print_message("  %s %.2g", question_name[k], found[t][f].worst[k]);
            print_message("  (%zu numbers)\n", found[t][f].numbers);
        }
}

BEFORE_TESTS {
    instruction_sets = isas_here();
}
