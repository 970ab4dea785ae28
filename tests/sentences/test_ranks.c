/* test_ranks.c - several processes that MPI started: is what they make, byte for byte, what one
 * makes?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/amount.h"
#include "tests/support/random.h"
#include "tests/support/shell.h"
#include "tests/support/toy.h"

/* Documents of words w0, w1, ...; abstracts of some of theirs. */
static void pairs(FILE *file, random_state *random, int count) {
    for (int i = 0; i < count; i++) {
        unsigned words = 4 + random_below(random, 20), most = 0;
        char abstract[512] = "";
        fprintf(file, "{\"document\": \"");
        for (unsigned w = 0; w < words; w++) {
            unsigned word = random_below(random, 60);
            fprintf(file, "%sw%u", w > 0 ? " " : "", word);
            if (random_below(random, 3) == 0)
                most += (unsigned)snprintf(abstract + most, sizeof abstract - most, "%sw%u",
                                           most > 0 ? " " : "", word);
        }
        fprintf(file, "\", \"abstract\": \"%s\"}\n", abstract);
    }
}

static int set_up(void **state) {
    random_state random = random_start("ranks");
    /* As many processes as are asked for, by root too, who runs tests; memory of MPI's own is
     * not freed at the end. */
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    return shell_setup(state) == 0 && toy_file("train.conllu", toy_treebank, &random, 60) == 0 &&
                   toy_file("dev.conllu", toy_treebank, &random, 10) == 0 &&
                   toy_file("kept.conllu", toy_pairs, &random, 30) == 0 &&
                   toy_file("pairs.jsonl", pairs, &random, 700) == 0
               ? 0
               : -1;
}

/* Is there MPI? Else the test is passed over. */
static void need_mpi(void) {
#ifdef TZ_MPI
    if (system("command -v mpirun >/dev/null 2>&1") == 0)
        return;
    print_message("mpirun is not in the PATH: nothing of several processes is tested\n");
#else
    print_message("this build has no MPI: nothing of several processes is tested\n");
#endif
    skip();
}

/* Trained by one process without mpirun, and by so many: the same model. */
static void same_models(const char *options, int ranks) {
    shell("trapeze train %s -o one.model", options);
    if (code != 0)
        fail_msg("%s: %s", options, err);
    shell("mpirun -n %d trapeze train %s -o all.model", ranks, options);
    if (code != 0)
        fail_msg("%d ranks, %s: %s", ranks, options, err);
    shell("cmp one.model all.model");
    if (code != 0)
        fail_msg("%d ranks, %s: %s%s", ranks, options, out, err);
}

static void test_perceptron(void **state) {
    (void)state;
    need_mpi();
    same_models("parser --dev dev.conllu --table 12 --epochs 2 --quiet train.conllu", 3);
    same_models("compressor --single-root --table 12 --epochs 1 --quiet kept.conllu", 2);
}

static void test_likelihood(void **state) {
    (void)state;
    need_mpi();
    same_models("tagger --objective likelihood --table 12 --epochs 2 --quiet train.conllu", 4);
    same_models("parser --objective likelihood --optimiser lbfgs --epochs 1 --table 10 --quiet "
                "--threads 2 train.conllu",
                3);
}

static void test_aligner(void **state) {
    (void)state;
    need_mpi();
    same_models("aligner --iterations 2 --quiet pairs.jsonl", 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perceptron),
        cmocka_unit_test(test_likelihood),
        cmocka_unit_test(test_aligner),
    };
    return cmocka_run_group_tests(tests, set_up, shell_teardown);
}
