/* test_check_lengths.c - does `trapeze rules check` look at lengths that show something, and say
 * what it has looked at? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>

#include "tests/support/shell.h"

/* Pairs with at least h bases between, one of whose rules stands there twice. */
#define HAIRPINS(more)                                                                             \
    "rules hairpins\n" more "length n, h\nweight pair[i,j] 1 <= i, i+h < j, j <= n\n"              \
    "weight single[i] 1 <= i <= n\nitem fold[i,j] 1 <= i, i <= j+1, j <= n\ngoal fold[1,n]\n\n"    \
    "axiom\n--- none\nfold[i,i-1]\n\nfold[i+1,j]\n--- single * single[i]\nfold[i,j]\n\n"           \
    "fold[i+1,k-1] fold[k+1,j]\n--- pair * pair[i,k]\nfold[i,j]\n"
#define AGAIN "\nfold[i+1,k-1] fold[k+1,j]\n--- again * pair[i,k]\nfold[i,j]\n"

/* With h = n there is one derivation for each n, so that nothing shows. */
TEST(chooses_lengths) {
    write_file("twice.rules", HAIRPINS("") AGAIN);
    refused("hairpins: n = 2, h = 0: 3 derivations of 2 structures: add a line `ambiguous`",
            "trapeze rules check twice.rules");
    assert_contains(out, "\n          5                1                1                1\n"
                         "\ncounted with h = 0, which shows more derivations\n");
    assert_contains(out, "\n          5               61               61               21\n");
    assert_contains(out, "\nambiguous  yes: ");
    assert_contains(out, " at n = 40, h = 0\n");

    write_file("once.rules", HAIRPINS("count 1 1 1 1 1\n"));
    works("trapeze rules check once.rules");
    assert_string_equal(err, "");
    assert_contains(out, "               1                1                1                1\n"
                         "\ncounted with h = 0, ");
    assert_contains(out, "\n          5               21               21               21\n");
    assert_contains(out, "\nambiguous  no: up to n = 5, h = 5, every derivation is a structure of "
                         "its own\n");

    write_file("declared.rules", HAIRPINS("ambiguous\n"));
    refused("`ambiguous` is declared, but up to n = 5, h = 5 no structure has several",
            "trapeze rules check declared.rules");
}

/* Numbers of derivations are of something: the other lengths, and which entries there are. */
TEST(says_of_what) {
    static const char table[] = "\n\n          n      derivations";
    static const struct {
        const char *arguments, *expected;
    } of[] = {
        {"edit", "\n\ncounted with m = n"},
        {"-n m=2 edit", "\n\ncounted with m = 2"},
        {"cky", "\n\ncounted with T = 2, every entry of sparse weights"},
        {"delete-tree", "\n\ncounted with N = 2, Q = 2, every entry of sparse weights"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char expected[256];
        snprintf(expected, sizeof expected, "%s%s", of[i].expected, table);
        shell("trapeze rules check %s", of[i].arguments);
        assert_contains(out, expected);
    }
    shell("trapeze rules check eisner");
    assert_lacks(out, "counted with");
}

TEST(takes_lengths) {
    write_file("twice.rules", HAIRPINS("") AGAIN);
    refused("hairpins: n = 3, h = 1: 3 derivations of 2 structures",
            "trapeze rules check -n n=3,h=1 twice.rules");
    assert_contains(out, "\n          3                3                3                2\n\n");
    assert_contains(out, " at n = 40, h = 1\n");
    assert_lacks(out, "with h = 0");
    shell("trapeze rules check -n 2,h=0 twice.rules");
    assert_contains(out, "\n          2                3                3                2\n\n");
    refused("hairpins: n = 25, h = 20: 41 derivations of 16 structures: ",
            "trapeze rules check -n h=20 twice.rules");
    works("trapeze rules check -n h=10000 twice.rules");
    assert_contains(out,
                    "\nambiguous  not known: up to n = 5, h = 10000 no lengths have more than one "
                    "derivation; give others by -n\n");
    assert_contains(err, ":17:5: warning: rule \"pair\" is in no derivation with lengths up to "
                         "n = 5, h = 10000; if it needs longer ones, give them by -n\n");

    static const struct {
        const char *lengths, *message;
    } wrong[] = {
        {"k=3", "no length is called 'k': hairpins has n, h"},
        {"h=", "--length takes a whole number from 0 to 1048576, not ''"},
        {"=3", "--length: no length is called ''"},
        {"h=-1", "not '-1'"},
        {"h=0,h=1", "--length gives 'h' twice"},
        {"3,4", "--length takes one number, and others by name, as in -n 5,h=0: '4' is too many"},
        {"3,n=4", "--length gives n twice: as 3 and as n=4"},
        {"n=101", "--length: n goes up to 100, not 101"},
        {"3,,h=0", "--length: nothing between two commas in '3,,h=0'"},
        {"''", "--length takes a whole number from 0 to 100, not ''"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        usage(wrong[i].message, "trapeze rules check -n %s twice.rules", wrong[i].lengths);
}

/* Lengths beyond all combinations are looked at where these show too little. */
TEST(looks_further) {
    write_file("late.rules", "rules late\nlength n\nweight w[i,j] 0 <= i < j <= n\n"
                             "item at[i] 0 <= i <= n\ngoal at[n]\n\naxiom\n--- start\nat[0]\n\n"
                             "at[i]\n--- far * w[i,j] if j >= i+6\nat[j]\n\n"
                             "at[i]\n--- farther * w[i,j] if j >= i+7\nat[j]\n");
    refused("late: n = 10: 2 derivations of 1 structure: ", "trapeze rules check late.rules");
    refused("late: n = 7: 2 derivations of 1 structure: ", "trapeze rules check -n 8 late.rules");
    assert_contains(out, "\n          8                2                2                1\n");
}

TEST(bench_takes_lengths) {
    write_file("once.rules", HAIRPINS(""));
    works("trapeze bench -r once.rules,eisner -s max -n 6,12,h=1 --time 0.001 --format tsv");
    assert_int_equal(occurrences(out, "\t6\t64\t"), 2);
    assert_int_equal(occurrences(out, "\t12\t64\t"), 2);
    works("trapeze bench -r once.rules -s max -n n=9,h=1 --time 0.001 --format tsv");
    assert_int_equal(occurrences(out, "\t9\t64\t"), 1);
    usage("no length is called 'k'", "trapeze bench -r once.rules,eisner -s max -n 9,k=1");
}

TESTS_BETWEEN(shell_setup, shell_teardown)
