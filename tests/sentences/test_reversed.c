/* test_reversed.c - does the English model, under its guards, leave what a sentence denies or makes
 * depend on something as it is? Each file of tests/sentences/reversed has sentences, what of each
 * must still be there, and how many may come out reversed; classes.txt tells the form.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tests/support/shell.h"

enum { LINES = 400, SIZE = 512 };

typedef struct sentences {
    const char *name;
    int most, most_given; /* that may be reversed: of any length, of a given one */
    size_t count;
    char line[LINES][SIZE]; /* up to the first tab the sentence */
} sentences;

static void read_sentences(const char *name, sentences *ret) {
    FILE *file = fopen(name, "r");
    char line[SIZE];
    *ret = (sentences){.name = name, .most = -1};
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#' ||
            sscanf(line, "most %d %d", &ret->most, &ret->most_given) == 2)
            continue;
        if (ret->count == LINES || !strchr(line, '\t'))
            fail_msg("%s: too many lines, or one without what must be there: %s", name, line);
        strcpy(ret->line[ret->count++], line);
    }
    fclose(file);
    if (ret->most < 0 || ret->count == 0)
        fail_msg("%s: no `most A B`, or no sentence", name);
}

static bool says(const char *text, const char *piece, size_t size) {
    for (; strlen(text) >= size; text++)
        if (strncasecmp(text, piece, size) == 0)
            return true;
    return false;
}

/* Is all there that must be? needs: after the sentence's tab. */
static bool keeps(const char *text, const char *needs) {
    bool kept = true;
    for (size_t size; *needs; needs += size + (needs[size] == '\t')) {
        size = strcspn(needs, "\t");
        const char *arrow = strstr(needs, " -> ");
        if (arrow && arrow < needs + size)
            kept &= !says(text, needs, (size_t)(arrow - needs)) ||
                    says(text, arrow + 4, (size_t)(needs + size - arrow - 4));
        else
            kept &= says(text, needs, size);
    }
    return kept && *text;
}

TEST(keeps) {
    assert_true(keeps("No evidence he lied.", "no evidence"));
    assert_true(keeps("No evidence he lied.", "lied -> no\tevidence"));
    assert_true(keeps("There was none.", "lied -> no evidence"));
    assert_false(keeps("He lied.", "lied -> no evidence"));
    assert_false(keeps("He lied.", "he\tno evidence"));
    assert_false(keeps("", "lied -> no evidence"));
}

/* `options`: of compress. */
static void check(const sentences *s, const char *options, int most) {
    FILE *file = fopen("in.txt", "w");
    int reversed = 0;
    assert_non_null(file);
    for (size_t l = 0; l < s->count; l++)
        fprintf(file, "%.*s\n", (int)strcspn(s->line[l], "\t"), s->line[l]);
    fclose(file);
    works("trapeze compress --one-per-line %s in.txt", options);
    char *at = out;
    for (size_t l = 0; l < s->count; l++) {
        size_t size = strcspn(at, "\n");
        assert_true(at[size] == '\n');
        at[size] = '\0';
        if (!keeps(at, strchr(s->line[l], '\t') + 1)) {
            print_message("# %s: %.*s\n#   became %s\n", options, (int)strcspn(s->line[l], "\t"),
                          s->line[l], at);
            reversed++;
        }
        at += size + 1;
    }
    print_message("# %s %s: %d of %zu reversed, at most %d may be\n", strrchr(s->name, '/') + 1,
                  options, reversed, s->count, most);
    assert_true(reversed <= most);
}

TEST(files) {
    static sentences s;
    glob_t found;
    assert_int_equal(glob(TZ_SOURCE_ROOT "/tests/sentences/reversed/*.txt", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 2);
    for (size_t f = 0; f < found.gl_pathc; f++) {
        read_sentences(found.gl_pathv[f], &s);
        check(&s, "", s.most);
        check(&s, "--decode marginal", s.most);
        check(&s, "--rate 0.7", s.most_given);
    }
    globfree(&found);
}

/* words.c is what words.txt and WordNet make. */
TEST(words) {
    shell("python3 %s/scripts/guard-words --check", TZ_SOURCE_ROOT);
    if (code == 77 || code == 127) { /* no WordNet, no Python */
        print_message("# skipped: %s", err);
        skip();
    }
    if (code != 0)
        fail_msg("%s", err);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
