/* test_cli_batches.c - does `trapeze run` print the same lists, samples, limits and entropies
 * whatever the batch and the number of threads, and of a line what it says of it alone?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static unsigned state_of_numbers = 1;

static int number(void) {
    state_of_numbers = state_of_numbers * 1664525u + 1013904223u;
    return (int)(state_of_numbers >> 24) % 9 - 4;
}

/* Sentences of 0 to 6 words, some with facts. */
static void write_sentences(const char *name, int count) {
    FILE *file = need(fopen(name, "wb"));
    for (int s = 0; s < count; s++) {
        int n = s % 7;
        fprintf(file, "{\"n\":%d,\"arc\":[", n);
        for (int h = 0; h <= n; h++)
            for (int m = 0; m <= n; m++)
                fprintf(file, "%s%d%s",
                        m > 0   ? ","
                        : h > 0 ? ",["
                                : "[",
                        number(), m == n ? "]" : "");
        fprintf(file, "],\"bigram\":[");
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n + 1; j++)
                fprintf(file, "%s%d%s",
                        j > 0   ? ","
                        : i > 0 ? ",["
                                : "[",
                        number(), j == n + 1 ? "]" : "");
        fprintf(file, "]");
        if (n > 2 && s % 3 == 0)
            fprintf(file, ",\"require\":[[\"arc\",null,2]]");
        if (n > 2 && s % 5 == 0)
            fprintf(file, ",\"forbid\":[[\"arc\",0,1],[\"arc\",null,3]]");
        fprintf(file, "}\n");
    }
    assert_int_equal(fclose(file), 0);
}

TEST(batches) {
    static const char *const options[] = {
        "-s max --kbest 5",
        "-s log --sample 5",
        "-s log --sample 5 --without-replacement --seed 3",
        "-s log --min-risk --precision f32",
        "-s entropy",
        "-s 'kbest(4)' --precision f32",
        "-s 'resource(kept,n)' --best",
        "-s 'resource(kept,n,log)' --sample 2 --amount 0",
        "-s max --rate 0:0.5 --best",
        "-s log --keep 2 --sample 3",
    };
    static char one[SHELL_OUT];
    write_sentences("many.jsonl", 60);
    for (size_t i = 0; i < COUNT(options); i++) {
        works("trapeze run -r compress %s many.jsonl", options[i]);
        memcpy(one, out, sizeof one);
        prints(one, "trapeze run -r compress %s --threads 3 --batch 7 many.jsonl", options[i]);
        prints(one, "trapeze run -r compress %s --batch 1 many.jsonl", options[i]);
    }
}

/* Short lengths again and again, in one chart: each line is what the command says of it alone. */
TEST(again) {
    static const char *const lines[] = {
        "{\"n\":1,\"w\":[[0,0],[0,0.5]],\"v\":[[0,0],[0,0.25]]}\n",
        "{\"n\":2,\"w\":[[0,0,1],[0,1,0],[0,0,-1]],\"v\":[[0,0,0],[0,1,0],[0,0,2]]}\n",
        "{\"n\":1,\"w\":[[0,1],[0,0]],\"v\":[[0,0],[0,0]]}\n",
        "{\"n\":1,\"w\":[[0,0],[0,-2]],\"v\":[[0,0],[0,-1]]}\n",
    };
    static const char *const options[] = {"-s log --marginals", "-s max --max-marginals",
                                          "-s log --marginals --precision f32"};
    static const unsigned order[] = {0, 0, 2, 1, 0, 3, 1, 0, 0};
    FILE *file = need(fopen("again.jsonl", "wb"));
    for (size_t i = 0; i < COUNT(order); i++)
        fputs(lines[order[i]], file);
    assert_int_equal(fclose(file), 0);
    for (size_t o = 0; o < COUNT(options); o++) {
        static char all[SHELL_OUT];
        char *end = all;
        for (size_t i = 0; i < COUNT(order); i++) {
            write_file("one.jsonl", lines[order[i]]);
            works("trapeze run -r " TZ_SOURCE_ROOT "/tests/rules/good/uses-apart.rules %s "
                  "one.jsonl",
                  options[o]);
            end = stpcpy(end, out);
        }
        for (unsigned batch = 1; batch <= 3; batch++) {
            prints(all,
                   "trapeze run -r " TZ_SOURCE_ROOT "/tests/rules/good/uses-apart.rules %s "
                   "--batch %u again.jsonl",
                   options[o], batch);
        }
    }
}

TESTS_BETWEEN(shell_setup, shell_teardown)
