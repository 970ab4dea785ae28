/* test_explore.c - does looking at small lengths find what enumeration of each of them finds?
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "rules/tell/enumerate.h"
#include "rules/tell/explore.h"
#include "tests/support/oom.h"
#include "tests/support/rules_text.h"

enum { MOST = 3, LABELS = 2 };

static tz_exploring all_to(const tz_rules *rules, int32_t most) {
    tz_exploring where = {.work = SIZE_MAX / 2};
    for (unsigned l = 0; l < rules->lengths; l++)
        where.most[l] = rules->length_name[l][0] <= 'Z' && most > LABELS ? LABELS : most;
    return where;
}

/* Every combination by itself; the one of many that is first in no order but this. */
static void check_set(const tz_rules *rules) {
    const tz_exploring where = all_to(rules, MOST);
    FREED(bool, used) = calloc(rules->rule_count, 1), *mine = calloc(rules->rule_count, 1);
    FREED(bool, expected) = calloc(rules->rule_count, 1);
    tz_explored found;
    assert_true(used != NULL && mine != NULL && expected != NULL);
    assert_ok(tz_explore(rules, &where, used, &found));
    assert_int_equal(found.reach, MOST);

    int32_t lengths[TZ_MAX_LENGTHS] = {0};
    size_t most = 0, most_used = 0, told = 0;
    bool ambiguous = false;
    for (unsigned l = 0; l < rules->lengths;) {
        size_t derivations, structures, trials = SIZE_MAX, counted, uses = 0;
        memset(mine, 0, rules->rule_count);
        assert_ok(tz_count_structures(rules, lengths, SIZE_MAX, &derivations, &structures));
        assert_ok(tz_enumerate_rules(rules, lengths, SIZE_MAX, &trials, mine, &counted));
        assert_int_equal(counted, derivations);
        ambiguous = ambiguous || structures < derivations;
        most = derivations > most ? derivations : most;
        for (unsigned r = 0; r < rules->rule_count; r++) {
            expected[r] |= mine[r];
            uses += mine[r];
        }
        most_used = uses > most_used ? uses : most_used;
        if (memcmp(lengths, found.telling, rules->lengths * sizeof *lengths) == 0)
            told = uses;
        for (l = 0; l < rules->lengths && lengths[l] == where.most[l]; l++)
            lengths[l] = 0;
        if (l < rules->lengths) {
            lengths[l]++;
            l = 0;
        }
    }
    assert_int_equal(found.derivations, most);
    assert_int_equal(found.ambiguous, ambiguous);
    assert_int_equal(told, most_used);
    assert_memory_equal(used, expected, rules->rule_count);
    if (ambiguous) {
        size_t derivations, structures;
        assert_ok(tz_count_structures(rules, found.at, SIZE_MAX, &derivations, &structures));
        assert_true(derivations == found.counted && structures == found.structures &&
                    structures < derivations);
    }
}

TEST(builtin) {
    static const char *const names[] = {"eisner", "edit", "chain", "cky", "skip-note", "forest"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        check_set(tz_rules_find(names[k]));
}

/* A rule for which hairpins must be shorter than strings, the same once more, and one that none can
 * use. */
static const char parameter[] =
    "rules parameter\nlength n, h, K\nweight pair[i,j] 1 <= i, i+h < j, j <= n\n"
    "item at[i,k] 0 <= i <= n, 0 <= k < K\nitem done\ngoal done\n"
    "axiom\n--- start\nat[0,0]\n\nat[i-1,k]\n--- skip\nat[i,k]\n\n"
    "at[i-1,k]\n--- take * pair[i,j]\nat[j,k]\n\nat[i-1,k]\n--- again * pair[i,j]\nat[j,k]\n\n"
    "at[i-1,k]\n--- more * pair[i,j] if k+1 < K\nat[j,k+1]\n\nat[i,k]\n--- odd if i < k\ndone\n\n"
    "at[n,_]\n--- finish\ndone\n";

TEST(parameters) {
    OWN(tz_rules, rules) = parse_rules(parameter);
    check_set(rules);
    tz_exploring where = all_to(rules, MOST);
    bool used[16] = {false};
    tz_explored found;
    /* where hairpins are too long, nothing shows, until the string may grow */
    where.least[1] = where.most[1] = 7;
    assert_ok(tz_explore(rules, &where, used, &found));
    assert_true(found.derivations == 1 && !found.ambiguous && !used[2]);
    where.grows[0] = true;
    where.work = 1 << 16;
    assert_ok(tz_explore(rules, &where, used, &found));
    assert_true(found.ambiguous && found.at[0] > 8 && found.at[1] == 7 && used[2] && !used[5]);
    assert_int_equal(found.reach, MOST);
    /* without time for it, nothing is told */
    where.work = 1;
    memset(used, 0, sizeof used);
    where.grows[0] = false;
    assert_ok(tz_explore(rules, &where, used, &found));
    assert_true(found.reach < MOST && !found.ambiguous);
}

static int attempt(void *user) {
    const tz_exploring where = all_to(user, 2);
    bool used[16] = {false};
    tz_explored found;
    return (int)tz_explore(user, &where, used, &found);
}

static int read_attempt(void *user) {
    OWN(tz_rules, rules) = NULL;
    return tz_rules_parse("test", user, strlen(user), &rules, NULL);
}

static int doubt_attempt(void *user) {
    tz_status status = tz_rules_ambiguity(user, NULL);
    return status == TZ_AMBIGUOUS ? 0 : (int)status;
}

TEST(memory) {
    tz_rules *late =
        parse_rules("rules late\nlength n\nweight w[i,j] 0 <= i < j <= n\nitem at[i] 0 <= i <= n\n"
                    "item far[i] 0 <= i <= n\ngoal at[n]\naxiom\n--- start\nat[0]\n\n"
                    "at[i]\n--- next * w[i,j] if j - i > 5\nat[j]\n\n"
                    "at[i]\n--- jump * w[i,j] if j - i > 5\nfar[j]\n\nfar[j]\n--- land\nat[j]\n");
    assert_int_equal(tz_rules_ambiguity(late, NULL), TZ_AMBIGUOUS);
    oom_sweep("doubt", doubt_attempt, late, TZ_NO_MEMORY, false);
    tz_rules_free(late);
    tz_rules *rules = parse_rules(parameter);
    oom_sweep("explore", attempt, rules, TZ_NO_MEMORY, false);
    tz_rules_free(rules);
    static char warned[] = "rules warned\nlength n, m\nitem x[a] 0 <= a <= n\ngoal x[n]\n"
                           "axiom\n--- r\nx[a]\n";
    oom_sweep("read", read_attempt, warned, TZ_NO_MEMORY, false);
}
