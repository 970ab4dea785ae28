/* test_cli_batches.c - does `trapeze run` print the same lists, samples, limits and entropies
 * whatever the batch and the number of threads?
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
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
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

static void test_batches(void **state) {
    (void)state;
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
        shell("trapeze run -r compress %s many.jsonl", options[i]);
        assert_int_equal(code, 0);
        memcpy(one, out, sizeof one);
        shell("trapeze run -r compress %s --threads 3 --batch 7 many.jsonl", options[i]);
        assert_result(one);
        shell("trapeze run -r compress %s --batch 1 many.jsonl", options[i]);
        assert_result(one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
    };
    return cmocka_run_group_tests_name("cli_batches", tests, shell_setup, shell_teardown);
}
