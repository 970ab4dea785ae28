/* test_check_warnings.c - does `trapeze rules check` warn as a compiler does, of what is there, and
 * of nothing else? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/shell.h"

/* Only this, on stderr. */
static void assert_warned(const char *expected) {
    assert_int_equal(code, 0);
    assert_string_equal(err, expected);
}

#define TAGS(before, finish)                                                                       \
    "rules tags\nlength n, T\nweight tag[i,t] 1 <= i <= n, 0 <= t < T\n"                           \
    "item at[i,t] 1 <= i <= n, 0 <= t < T\nitem done\ngoal done\n\n"                               \
    "axiom\n--- first * tag[1,t]\nat[1,t]\n\n"                                                     \
    "at[i-1," before "]\n--- next * tag[i,t]\nat[i,t]\n\n"                                         \
    "at[n," finish "]\n--- finish\ndone\n"

TEST(variables) {
    write_file("tags.rules", TAGS("s", "one"));
    shell("trapeze rules check tags.rules");
    assert_warned("trapeze rules check: tags.rules:12:8: warning: variable \"s\" stands in rule "
                  "\"next\" once: write `_` for it if any value will do\n"
                  "trapeze rules check: tags.rules:16:6: warning: variable \"one\" stands in rule "
                  "\"finish\" once: write `_` for it if any value will do\n");
    static char before[SHELL_OUT];
    strcpy(before, out);
    write_file("tags.rules", TAGS("_", "_"));
    prints(before, "trapeze rules check tags.rules");
    write_file("tags.rules", TAGS("_s", "_one"));
    prints(before, "trapeze rules check tags.rules");
}

/* Every `_` is another variable: both are summed out, and neither is the other. */
TEST(blanks) {
    write_file("pairs.rules", "rules pairs\ncount 2 4 6\nlength n\n"
                              "weight w[i,j] 1 <= i <= n, 1 <= j <= 2\n"
                              "item got[i,j] 1 <= i <= n, 1 <= j <= 2\n"
                              "item done\ngoal done\nresource sum w[i,j] i+j\n\n"
                              "axiom\n--- get * w[i,j]\ngot[i,j]\n\n"
                              "got[_,_]\n--- finish\ndone\n");
    works("trapeze rules check pairs.rules");
    assert_string_equal(err, "");
    assert_contains(out, "\n          3                6                6                6 ");
    /* what is charged speaks of them */
    write_file("pairs.rules", "rules pairs\nlength n\nweight w[i,j] 1 <= i <= n, 1 <= j <= 2\n"
                              "item done\ngoal done\nresource sum w[i,j] i+j\n\n"
                              "axiom\n--- get * w[_,_]\ndone\n");
    shell("trapeze rules show --resource sum pairs.rules");
    assert_contains(out, "get  × w[_1,_2]");
    assert_contains(out, "done[_1+_2]");
    prints("{\"n\":2,\"values\":[null,null,1,4,8]}\n",
           "echo '{\"n\": 2, \"w\": [[0,0,0],[0,1,2],[0,4,8]]}' | "
           "trapeze run -r pairs.rules -s 'resource(sum,4,max)'");
    write_file("pairs.rules", "rules pairs\nlength n\nitem done[i] 0 <= i <= n\ngoal done[n]\n\n"
                              "axiom\n--- get if 0 <= _ < i\ndone[i]\n");
    refused("pairs.rules:7:17: \"_\" in a relation of rule \"get\": it is another variable "
            "wherever it stands; give the one that is meant a name",
            "trapeze rules check pairs.rules");
}

TEST(lengths) {
    write_file("more.rules", "rules more\nlength n, unused, m # words\nitem at[i] 0 <= i <= n\n"
                             "goal at[n]\naxiom\n--- start\nat[0]\n\n"
                             "at[i-1]\n--- step\nat[i]\n");
    shell("trapeze rules check more.rules");
    assert_warned(
        "trapeze rules check: more.rules:2:11: warning: length \"unused\" stands nowhere "
        "else: no domain, rule or goal depends on it\n"
        "trapeze rules check: more.rules:2:19: warning: length \"m\" stands nowhere else: "
        "no domain, rule or goal depends on it\n");
    /* one derivation for each length tells nothing */
    assert_contains(out, "\nambiguous  not known: ");
}

TEST(rules_and_goals) {
    write_file("skip.rules",
               "rules skip\nlength n\nweight w[i] 1 <= i <= n\nweight v[i] 1 <= i <= n\n"
               "item at[i,j] 0 <= i <= n, 0 <= j <= n\nitem done\n"
               "goal done\naxiom\n--- start\nat[0,0]\n\n"
               "at[i-1,j]\n--- step * w[i]\nat[i,j]\n\n"
               "at[i-1,j]\n--- skip * v[i]\nat[i,j]\n\n"
               "at[i,j]\n  ---- odd if i < j\ndone\n\nat[n,0]\n--- finish\ndone\n");
    shell("trapeze rules check skip.rules");
    assert_warned("trapeze rules check: skip.rules:21:8: warning: rule \"odd\" is in no derivation "
                  "with lengths up to n = 5; if it needs longer ones, give them by -n\n");

    write_file("none.rules", "rules none\nlength n\nitem at[i] 0 <= i <= n\ngoal at[n]\n\n"
                             "axiom\n--- start\nat[1]\n\nat[i-2]\n--- step if i < n\nat[i]\n");
    works("trapeze rules check none.rules");
    assert_contains(out, "\nambiguous  "); /* n = 1 has a derivation */
    write_file("none.rules", "rules none\nlength n\nitem at[i] 0 <= i <= n+1\ngoal at[n+1]\n\n"
                             "axiom\n--- start\nat[0]\n\nat[i-1]\n--- step if i <= n\nat[i]\n");
    shell("trapeze rules check none.rules");
    assert_warned("trapeze rules check: none.rules:4:6: warning: no derivation of the goal with "
                  "lengths up to n = 5: mend the rules, or give longer ones by -n\n");
    assert_contains(out, "\nambiguous  not known: ");
}

/* A rule with a relation stands for several: one of them in a derivation is enough. */
TEST(relations) {
    write_file("turns.rules", "rules turns\nlength n\nweight tag[i,t] 1 <= i <= n, 0 <= t <= 3\n"
                              "relation next[s,t] (0,1) (1,0) (2,3)\n"
                              "item at[i,t] 1 <= i <= n, 0 <= t <= 3\nitem done\ngoal done\n\n"
                              "axiom\n--- first * tag[1,0]\nat[1,0]\n\n"
                              "at[i-1,s]\n--- then * tag[i,t] if next[s,t]\nat[i,t]\n\n"
                              "at[n,_]\n--- finish\ndone\n");
    shell("trapeze rules check turns.rules");
    assert_warned("");
}

/* Warnings are told once, wherever a rule file is read, and beside errors. */
TEST(everywhere) {
    static const char told[] = "tags.rules:16:6: warning: variable \"one\" stands in rule "
                               "\"finish\" once: write `_` for it if any value will do";
    static const char *const commands[] = {"run -r tags.rules -s max one.json",
                                           "run -r tags.rules -s log --best one.json; true",
                                           "run -r - -s max one.json <tags.rules",
                                           "bench -r tags.rules -s log -n 1 --time 0.001",
                                           "draw -r tags.rules best.json",
                                           "rules show tags.rules",
                                           "rules check tags.rules",
                                           "rules check - <tags.rules",
                                           "rules optimise tags.rules"};
    write_file("tags.rules", TAGS("_", "one"));
    write_file("one.json", "{\"n\": 1, \"T\": 1, \"tag\": [[0],[2]]}\n");
    shell("trapeze run -r tags.rules -s max --best --quiet one.json >best.json");
    assert_string_equal(err, "");
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        works("trapeze %s", commands[c]);
        const char *once = need(strstr(err, strchr(told, ':')));
        assert_null(strstr(once + 1, strchr(told, ':')));
    }
    shell("trapeze bench -r tags.rules -s log -n 1 --time 0.001 --quiet");
    assert_string_equal(err, "");
    write_file("tags.rules", TAGS("s", "one") "\nat[i,b]\n--- odd\nat[i,t]\n");
    refused("rule \"odd\" is cyclic", "trapeze run -r tags.rules -s max one.json");
    assert_contains(err, "(12:8: warning: variable \"s\" stands in rule \"next\" once: ");
    assert_contains(err, "(20:6: warning: variable \"b\" stands in rule \"odd\" once: ");
    /* a FILE that is rules */
    usage("one FILE at most, not 'tags.rules' and 'one.json'; rules are given by -r "
          "tags.rules\n",
          "trapeze run tags.rules one.json -s max");
    usage("rules are given by -r tags.rules\n", "trapeze run one.json tags.rules -s max");
    usage("which rule set? give -r tags.rules\n", "trapeze run -s max tags.rules");
}

/* A sum over a rule file refuses what it would count twice, and warns where nothing tells. */
TEST(run_warns) {
    write_file("late.rules", "rules late\nlength n, h\nweight w[i,j] 0 <= i < j <= n\n"
                             "item at[i] 0 <= i <= n\ngoal at[n]\n\naxiom\n--- start\nat[0]\n\n"
                             "at[i-1]\n--- step\nat[i]\n\n"
                             "at[i]\n--- far * w[i,j] if j > i+h\nat[j]\n\n"
                             "at[i]\n--- again * w[i,j] if j > i+h\nat[j]\n");
    write_file("one.json", "{\"n\": 1, \"h\": 1, \"w\": [[0,0],[0,0]]}\n");
    usage("trapeze run: late.rules: with n = 1, h = 0, 3 derivations have 2 structures, and "
          "the sum of log counts every derivation: see 'trapeze rules check' (--force runs it "
          "nevertheless)\n",
          "trapeze run -r late.rules -s log one.json");
    usage("the sum of entropy counts every derivation",
          "trapeze run -r late.rules -s entropy --quiet one.json");
    static const char bench[] = "trapeze bench -r late.rules -n 4 --time=0.001 --quiet -s %s";
    shell(bench, "log");
    assert_int_equal(code, 2);
    assert_contains(err, "trapeze bench: late.rules: with n = 1, h = 0, 3 derivations have 2 "
                         "structures, and the sum of log counts every derivation");
    shell(bench, "log --force");
    assert_int_equal(code, 0);
    shell(bench, "max");
    assert_int_equal(code, 0);
    static const char *const quiet[] = {"-s log --force", "-s count --force", "-s max", "-s bool"};
    for (size_t k = 0; k < sizeof quiet / sizeof *quiet; k++) {
        shell("trapeze run -r late.rules %s one.json", quiet[k]);
        assert_warned("");
    }
    write_file("one.rules", "rules one\nlength n\nweight w[i] 1 <= i <= n\nitem at[i] 0 <= i <= n\n"
                            "goal at[n]\n\naxiom\n--- start\nat[0]\n\n"
                            "at[i-1]\n--- step * w[i]\nat[i]\n");
    shell("echo '{\"n\": 1, \"w\": [0,2]}' | trapeze run -r one.rules -s count");
    assert_warned(
        "trapeze run: warning: one.rules: no lengths up to n = 5 have two derivations, so "
        "that nothing tells whether the sum of count counts a structure twice: try longer "
        "ones by 'trapeze rules check -n' (--force: it does not)\n");
    write_file("one.rules", "rules one\nstructures derivations\nlength n\nitem at[i] 0 <= i <= n\n"
                            "goal at[n]\n\naxiom\n--- start\nat[0]\n\n"
                            "at[i-1]\n--- step\nat[i]\n");
    shell("echo '{\"n\": 1}' | trapeze run -r one.rules -s count");
    assert_warned("");
}

TESTS_BETWEEN(shell_setup, shell_teardown)
