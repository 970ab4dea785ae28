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

TEST(perceptron) {
    need_mpi();
    same_models("parser --dev dev.conllu --table 12 --epochs 2 --quiet train.conllu", 3);
    same_models("compressor --single-root --table 12 --epochs 1 --quiet kept.conllu", 2);
}

TEST(likelihood) {
    need_mpi();
    same_models("tagger --objective likelihood --table 12 --epochs 2 --quiet train.conllu", 4);
    same_models("parser --objective likelihood --optimiser lbfgs --epochs 1 --table 10 --quiet "
                "--threads 2 train.conllu",
                3);
}

TEST(aligner) {
    need_mpi();
    same_models("aligner --iterations 2 --quiet pairs.jsonl", 3);
}

TEST(counts) {
    need_mpi();
    shell("cut -f2 train.conllu >words.txt");
    same_models("lm --order 3 --quiet words.txt", 3);
    same_models("deletions --quiet kept.conllu", 2);
}

/* One process and so many say the same of the same input. */
static void same_output(const char *command, int ranks) {
    shell("trapeze %s >one.out", command);
    int alone = code;
    shell("mpirun -n %d trapeze %s >all.out", ranks, command);
    if ((code != 0) != (alone != 0))
        fail_msg("%s: exit %d, of %d ranks %d, %s", command, alone, ranks, code, err);
    char said[SHELL_ERR];
    memcpy(said, err, sizeof said);
    shell("cmp one.out all.out");
    if (code != 0)
        fail_msg("%d ranks, %s: %s%s", ranks, command, out, err);
    memcpy(err, said, sizeof said);
}

/* What is wrong is said once, by whoever sees it, behind what comes before it. */
TEST(output) {
    need_mpi();
    works("for i in $(seq 100); do echo '{\"n\": 1, \"arc\": [[0,'$i'],[0,0]]}'; done >problems; "
          "sed '70s/1/x/' problems >wrong; cut -f2 train.conllu | head -n 200 >lines; "
          "trapeze train tagger --quiet --table 12 --epochs 1 -o tag.model train.conllu");
    same_output("run -r eisner -s max --best --batch 8 problems", 3);
    same_output("run -r eisner -s max --batch 8 wrong", 3);
    assert_int_equal(occurrences(err, "wrong:70:"), 1);
    same_output("tag -m tag.model lines", 3);
    same_output("tag -m tag.model --format conllu train.conllu", 2);
    same_output("align --baseline=identity pairs.jsonl", 2);
}

TEST(refused) {
    need_mpi();
    shell("sed '50s/\t0\t/\tx\t/; 50s/\t[0-9]*\t/\tx\t/' train.conllu >wrong.conllu; mpirun -n 2 "
          "trapeze "
          "train tagger --quiet -o no.model wrong.conllu");
    assert_int_equal(code, 1);
    assert_int_equal(occurrences(err, "wrong.conllu:50:"), 1);
    shell("mpirun -n 2 trapeze tag -m tag.model </dev/null");
    assert_int_equal(occurrences(err, "standard input reaches one process alone: name a FILE"), 1);
    /* A full disk loses no earlier state. It is full for the ranks alone: mpirun has files of its
     * own, and ranks are not to share memory by such. */
    shell("trapeze train tagger --quiet --table 12 --epochs 1 --state s -o a.model train.conllu && "
          "cp s s.before && OMPI_MCA_btl=self,tcp mpirun -n 2 sh -c \"trap '' XFSZ; ulimit -f 8; "
          "exec trapeze train tagger --quiet --table 12 --epochs 3 --state s --resume -o a.model "
          "train.conllu\"");
    assert_int_equal(code, 1);
    assert_int_equal(occurrences(err, "File too large"), 1);
    works("cmp s s.before");
}

/* Killed, and resumed by another number of ranks. */
TEST(killed) {
    need_mpi();
    shell("%s/scripts/kill-ranks \"$(command -v trapeze)\" %d", TZ_SOURCE_ROOT, AMOUNT(1, 0));
    if (code != 0)
        fail_msg("%s%s", out, err);
    print_message("%s", out);
}

TESTS_BETWEEN(set_up, shell_teardown)
