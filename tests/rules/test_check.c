/* test_check.c - does `trapeze rules` list, show and check, and name what is not as declared?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "tests/support/amount.h"
#include "tests/support/rules_text.h"
#include "tests/support/texts.h"

enum { SIZE = 65536 };

static char out[SIZE], err[SIZE]; /* of the last command */

/* What is written to the stream from here on goes to a new file; the old descriptor is kept. */
static FILE *divert(FILE *stream, int *ret_old) {
    FILE *file = need(tmpfile());
    fflush(stream);
    *ret_old = dup(fileno(stream));
    assert_true(*ret_old >= 0 && dup2(fileno(file), fileno(stream)) >= 0);
    return file;
}

static void restore(FILE *stream, int old, FILE *file, char text[SIZE]) {
    fflush(stream);
    dup2(old, fileno(stream));
    close(old);
    rewind(file);
    text[fread(text, 1, SIZE - 1, file)] = '\0';
    fclose(file);
}

/* `trapeze rules ARGUMENT...`, ended by NULL; the exit code. */
static int rules(const char *first, ...) {
    char *argv[16] = {"rules"};
    int argc = 1, old_out, old_err;
    va_list arguments;
    va_start(arguments, first);
    for (const char *a = first; a; a = va_arg(arguments, const char *))
        argv[argc++] = (char *)a;
    va_end(arguments);
    FILE *file_out = divert(stdout, &old_out), *file_err = divert(stderr, &old_err);
    int status = tz_cli_rules(argc, argv);
    restore(stdout, old_out, file_out, out);
    restore(stderr, old_err, file_err, err);
    return status;
}

/* Checks the rule file with the first occurrence of a part of it replaced. */
static int check_changed(const char *name, const char *old, const char *new) {
    char temporary[] = "/tmp/trapeze-XXXXXX";
    size_t size;
    char *text = rule_file(name, &size);
    const char *at = need(strstr(text, old));
    int descriptor = mkstemp(temporary);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    fprintf(file, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    free(text);
    assert_int_equal(fclose(file), 0);
    int status = rules("check", temporary, NULL);
    remove(temporary);
    return status;
}

TEST(lists) {
    assert_int_equal(rules("list", NULL), 0);
    assert_string_equal(err, "");
    size_t lines = 0;
    for (const char *c = out; *c; c++)
        lines += *c == '\n';
    for (size_t r = 0; tz_rules_builtin(r); r++) {
        assert_contains(out, tz_rules_name(tz_rules_builtin(r)));
        lines--;
    }
    for (size_t g = 0; tz_gallery_name(g); g++) {
        assert_contains(out, tz_gallery_name(g));
        lines--;
    }
    assert_int_equal(lines, 0);
    assert_contains(
        out, "\ngallery/dtw                   n m                       Dynamic time warping\n");
    assert_contains(
        out, "\neisner                        n^3                       Arc-factored projective "
             "dependency parsing, any number of root words\n");
    assert_contains(out, "\nskip-bigram-note              n^4  ");
    assert_int_equal(rules("list", "eisner", NULL), TZ_EXIT_USAGE);
}

TEST(shows) {
    char temporary[] = "/tmp/trapeze-XXXXXX", text[SIZE];
    assert_int_equal(rules("show", "eisner", NULL), 0);
    assert_contains(out, "\n    rtri[i,k]  ltri[k+1,j]\n");
    assert_int_equal(rules("show", TZ_SOURCE_ROOT "/rules/eisner.rules", NULL), 0);
    memcpy(text, out, sizeof text);
    assert_int_equal(rules("show", "eisner", "--format=text", NULL), 0);
    assert_string_equal(out, text); /* built in and read from its file are the same */
    assert_int_equal(rules("show", TZ_SOURCE_ROOT "/rules/gallery/dtw.rules", NULL), 0);
    memcpy(text, out, sizeof text);
    assert_int_equal(rules("show", "gallery/dtw", NULL), 0);
    assert_string_equal(out, text);
    assert_int_equal(rules("show", "gallery/nusinov", NULL), TZ_EXIT_USAGE);
    assert_contains(err, "rules show: the gallery has no rule set 'gallery/nusinov'; did you mean "
                         "'gallery/nussinov'? ('trapeze rules list' lists them, and there is no "
                         "such file)\n");
    assert_int_equal(rules("show", "gallery/nussinov.rules", NULL), TZ_EXIT_USAGE);
    assert_contains(err, "did you mean 'gallery/nussinov'?");

    int descriptor = mkstemp(temporary);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(rules("show", "--format", "latex", "eisner", "-o", temporary, NULL), 0);
    assert_string_equal(out, "");
    size_t size;
    char *written = read_file(temporary, &size);
    remove(temporary);
    assert_int_equal(rules("show", "-f", "latex", "eisner", NULL), 0);
    assert_string_equal(out, written);
    free(written);
    assert_int_equal(rules("show", "-f", "dot", "eisner", NULL), 0);
    assert_contains(out, "digraph \"eisner\" {\n");
}

/* Rules that keep account of a resource. */
TEST(resource) {
    assert_int_equal(rules("show", "compress", "--resource", "kept", NULL), 0);
    assert_contains(out, "\n    rtri[i,k,u1]  ltri[k+1,j,u-u1]\n");
    assert_int_equal(rules("check", "--resource=kept", "compress", "-n", "4", NULL), 0);
    assert_contains(out, "\ntime       n^3 kept_total^2\nspace      n^2 kept_total\n");
    assert_contains(out, "\n          4               55               55               55\n");
    assert_int_equal(rules("check", "--resource=dropped", "skip-note", NULL), 0);
    assert_int_equal(rules("show", "compress", "--resource", "keep", NULL), TZ_EXIT_USAGE);
    assert_contains(err, "the rule set has kept, dropped");
}

TEST(refuses) {
    assert_int_equal(rules(NULL, NULL), TZ_EXIT_USAGE);
    assert_int_equal(rules("chekc", NULL), TZ_EXIT_USAGE);
    assert_contains(err, "did you mean 'check'?");
    assert_int_equal(rules("show", NULL), TZ_EXIT_USAGE);
    assert_int_equal(rules("show", "eisner", "skip", NULL), TZ_EXIT_USAGE);
    assert_int_equal(rules("show", "eisnre", NULL), TZ_EXIT_USAGE);
    assert_contains(err, "'eisner'");
    assert_int_equal(rules("show", "eisner", "-f", "pdf", NULL), TZ_EXIT_USAGE);
    assert_contains(err, "text, latex or dot");
    assert_int_equal(rules("show", "./no-such.rules", NULL), TZ_EXIT_INPUT);
    assert_int_equal(rules("show", "eisner", "-o", "/no/such/folder", NULL), TZ_EXIT_INPUT);
    assert_contains(err, "/no/such/folder");
    assert_int_equal(rules("check", "eisner", "-n", "101", NULL), TZ_EXIT_USAGE);
    assert_int_equal(rules("check", "eisner", "-n", "-1", NULL), TZ_EXIT_USAGE);
    static const char *const actions[] = {"--help", "list", "show", "check"};
    for (size_t a = 0; a < 4; a++) {
        assert_int_equal(rules(actions[a], a ? "--help" : NULL, NULL), 0);
        assert_contains(out, "Usage: trapeze rules");
        assert_string_equal(err, "");
    }
}

/* Every built-in rule set is as it says. */
TEST(builtin) {
    const tz_rules *set;
    for (size_t r = 0; (set = tz_rules_builtin(r)); r += AMOUNT(1, 3)) {
        assert_int_equal(rules("check", tz_rules_name(set), NULL), 0);
        if (strcmp(tz_rules_name(set), "align-far") != 0) /* some jumps need long documents */
            assert_string_equal(err, "");
        assert_contains(out, tz_rules_ambiguous(set) ? "\nambiguous  yes: " : "\nambiguous  no: ");
    }
    assert_int_equal(rules("check", "eisner", "-n", "6", NULL), 0);
    assert_contains(out, "\ntime       n^3\nspace      n^2\ngrows      in n: n^2 for one more\n"
                         "products   ");
    assert_contains(out, " at n = 40\n");
    assert_contains(
        out, "\n          5              273              273              273              273\n"
             "          6             1428                -                -\n");
    assert_int_equal(rules("check", "skip-note", NULL), 0);
    assert_contains(
        out, "\n          4              181              181              126              126\n");
    assert_contains(out, "\nresources  dropped = n - kept in every derivation up to n = 5\n");
}

/* Where a chart grows, and what it costs. */
TEST(growing) {
    static const char *const line[][2] = {
        {"chain", "\ngrows      in n: T^2 for one more; anew: done because of rule \"finish\"\n"},
        {"edit", "\ngrows      in n: m for one more\n           in m: n for one more\n"},
        {"align", "\n           not in n: rule \"phrase\"\n"},
        {"gallery/earley", "\ngrows      in n: T^2 + n^2 |binary| + n T for one more\n"},
        {"gallery/arc-eager", "\ngrows      not in n: rule \"left-arc\"\n"},
    };
    for (size_t l = 0; l < sizeof line / sizeof *line; l++) {
        assert_int_equal(rules("check", line[l][0], "-n0", NULL), 0);
        assert_contains(out, line[l][1]);
    }
}

/* Too short to tell is not a mismatch. */
TEST(short_checks) {
    assert_int_equal(rules("check", "skip-note", "--length=1", NULL), 0);
    assert_string_equal(err, "");
    assert_contains(out, "\nambiguous  yes: "); /* longer ones are looked at all the same */
    assert_int_equal(rules("check", "eisner", "-n0", NULL), 0);
    assert_contains(out, "\n          0                1                1                1\n\n");
    assert_contains(out, "\nambiguous  no: up to n = 5, every derivation");
}

TEST(mismatches) {
    assert_int_equal(check_changed("skip-note", "\nambiguous\n", "\n"), TZ_EXIT_INPUT);
    assert_contains(err, "skip-note: n = 2: 7 derivations of 6 structures: add a line `ambiguous`, "
                         "or give the weights indices that tell the derivations apart\n");
    assert_int_equal(check_changed("eisner", "\nlength", "\nambiguous\nlength"), TZ_EXIT_INPUT);
    assert_contains(err, "eisner: `ambiguous` is declared, but up to n = 5 no structure has "
                         "several derivations: remove the line");
    assert_int_equal(check_changed("eisner", "3 12 55", "3 13 55"), TZ_EXIT_INPUT);
    assert_contains(err, "eisner: n = 3: 12 structures, but `count` says 13: ");
    assert_int_equal(check_changed("skip-note", "6 25", "7 25"), TZ_EXIT_INPUT);
    assert_contains(err, "skip-note: n = 2: 6 structures, but `count` says 7: ");
    assert_int_equal(check_changed("compress", "bigram[i,j] j-i-1", "bigram[i,j] j-i"),
                     TZ_EXIT_INPUT);
    assert_contains(err, "compress: n = 0: a derivation uses 1 of dropped, but n - kept is 0: ");
    /* a rest without uses of its own is only that, as long as something is left */
    assert_int_equal(check_changed("skip", "resource dropped skip[k]  1\n", ""), 0);
    assert_int_equal(check_changed("chain", "\ngoal",
                                   "\nresource a emit[i,a] 2\n"
                                   "resource b = n - a\ngoal"),
                     TZ_EXIT_INPUT);
    assert_contains(err, "chain: n = 1, T = 2: a derivation has b = n - a = -1, below 0: ");
}

static int check_text(const char *text) {
    char temporary[] = "/tmp/trapeze-XXXXXX";
    int descriptor = mkstemp(temporary);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    int status = rules("check", temporary, NULL);
    remove(temporary);
    return status;
}

#define LATE(line, most)                                                                           \
    "rules late\n" line "length n\nweight piece[i,j] 0 <= i < j <= n\nitem at[i] 0 <= i <= n\n"    \
    "item far[i] 0 <= i <= n\ngoal at[n]\naxiom\n--- start\nat[0]\n\n"                             \
    "at[i]\n--- next * piece[i,j]\nat[j]\n\n"                                                      \
    "at[i]\n--- jump * piece[i,j] if j - i > " most "\nfar[j]\n\nfar[j]\n--- land\nat[j]\n"

/* A structure that has several derivations at lengths that are not enumerated; two of them. */
TEST(late) {
    assert_int_equal(check_text(LATE("", "12")), TZ_EXIT_INPUT);
    assert_contains(err, "late: n = 13: 2 derivations of 1 structure: add a line `ambiguous`, or "
                         "give the weights indices that tell the derivations apart\n");
    assert_contains(out, "\n          5               16               16               16\n");
    assert_contains(out, "\nambiguous  yes: some structure has several derivations\n"
                         "\ntwo derivations of one structure, with n = 13: piece[0,13]\n"
                         "\n───── start\nat[0]\n────── next\nat[13]\n"
                         "\n ───── start\n at[0]\n─────── jump\nfar[13]\n─────── land\nat[13]\n");
    assert_int_equal(check_text(LATE("ambiguous\n", "12")), 0);
    assert_contains(out, "\nambiguous  yes: some structure has several derivations\n");
    assert_null(strstr(out, "two derivations"));
    assert_int_equal(check_text(LATE("", "300")), TZ_EXIT_INPUT);
    assert_contains(err, "late: n = 301: 2 derivations of 1 structure: ");
    /* never: all that are drawn are structures of their own */
    assert_int_equal(rules("check", "semimarkov", NULL), 0);
    assert_contains(out, " every derivation is a structure of its own\ndrawn      ");
    assert_contains(out, " derivations at random, with lengths up to n = 40, ");
    assert_contains(out, ": each is a structure of its own\n");
}

#define TAGGER(line, finish)                                                                       \
    "rules tagger\n" line "length n, T, V\ninput x[i] < V 1 <= i <= n\n"                           \
    "weight emit[a,v] 0 <= a < T, 0 <= v < V\nitem at[i,a] 0 <= i <= n, 0 <= a < T\nitem done\n"   \
    "goal done\naxiom\n--- start\nat[0,0]\n\n"                                                     \
    "at[i-1,_]\n--- step * emit[a,x[i]]\nat[i,a]\n\n"                                              \
    "at[i-1,a-2]\n--- far * emit[a,x[i]] * emit[a-2,x[i]]\nat[i,a]\n\n" finish

/* Uses by way of inputs are told apart by their places, whatever the numbers are; and there are
 * some: V is 1 or more. */
TEST(places) {
    assert_int_equal(check_text(TAGGER("", "at[n,a]\n--- finish * emit[a,x[n]]\ndone\n")), 0);
    assert_string_equal(err, "");
    assert_contains(out, "\ncounted with T = 3, V = 1, which shows more derivations\n");
    assert_contains(out, ": each is a structure of its own\n");
    /* Two tags of a word that the same cell scores. */
    assert_int_equal(
        check_text(TAGGER("", "at[n,_]\n--- finish\ndone\n\n"
                              "at[i-1,_]\n--- late * emit[a,x[i]] if i > 7\nat[i,a-1]\n")),
        TZ_EXIT_INPUT);
    assert_contains(out, "\ntwo derivations of one structure, with ");
    assert_contains(out, ",x[8]]");
}

/* What would take hours is left out, and said to be; it is no failure. */
TEST(too_large) {
    static const char wide[] = "rules wide\nlength n\nitem a[i,j] 0 <= i <= 3000, 0 <= j <= 3000\n"
                               "item g\ngoal g\naxiom\n--- seed\na[_,_]\n\n"
                               "a[_,j] a[j,_]\n--- step\ng\n";
    assert_int_equal(check_text(wide), 0);
    assert_contains(err, ":2:8: warning: length \"n\" stands nowhere else");
    assert_int_equal(occurrences(err, "\n"), 1);
    assert_contains(out, "\n          0                -                -                -\n");
    assert_contains(out, "\nambiguous  not known: too much to enumerate even at n = 0\n"
                         "drawn      none of longer ones: there are none, or they take too much\n"
                         "not done   by the engine, too much to count from n = 0 on\n");

    static const char sparse[] = "rules sparse\nlength n\n"
                                 "weight w[a,b,c,d] sparse 0<=a<=n,0<=b<=n,0<=c<=n,0<=d<=n\n"
                                 "item x[a,b,c,d] 0<=a<=n,0<=b<=n,0<=c<=n,0<=d<=n\n"
                                 "goal x[0,0,0,n]\naxiom\n"
                                 "--- seed * w[a,b,c,d] * w[b,a,c,d] * w[c,a,b,d]\nx[a,b,c,d]\n";
    assert_int_equal(check_text(sparse), 0);
    assert_string_equal(err, "");
    assert_contains(out, "\nproducts   too many to count at n = 40\n");
    assert_contains(out, "\n          2                1                1                1\n");
    assert_contains(out, "\n          5                -                1                1\n");
    assert_contains(out, "\nnot done   by the engine, too much to count from n = 3 on\n");
}

/* A projection that squares its rows again and again. */
TEST(many_inequalities) {
    assert_int_equal(
        check_text("rules w\nlength n\nitem x[a,b,c,d] 0<=a<=n,0<=b<=n,0<=c<=n,0<=d<=n\n"
                   "item g\ngoal g\naxiom\n--- seed\nx[a,b,c,d]\n\n"
                   "x[a,b,c,d] x[e,f,g,h] x[i,j,k,l] x[m,n0,o,p]\n"
                   "--- big if a+e<=i+m, b-f<=j-n0, c+g-k>=o, d+h+l<=p+a, a<b, e<f, i<j+k, "
                   "m<=a+e+i, b+f>=j+n0, a+b+c+d<=e+f+g+h, e+f+g+h<=i+j+k+l, i+j+k+l<=m+n0+o+p, "
                   "a-f+k-p<=3, b-g+l-m>=1, c-h+i-n0<=2, d-e+j-o>=0\ng\n"),
        TZ_EXIT_INPUT);
    assert_contains(err, "too large to compile");
}
