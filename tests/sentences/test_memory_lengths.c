/* test_memory_lengths.c - does memory stay small where many sentences are compressed to a length?
 *
 * The search leaves charts of sizes that no two sentences share. Reads ../shared/data; skips,
 * saying so, where that is absent, and with sanitizers, whose memory is much more.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/amount.h"
#include "tests/support/shell.h"

static const char pairs[] =
    TZ_SOURCE_ROOT "/../shared/data/google-compression/eval-3000-9999.jsonl";

static int set_up(void **state) {
    return shell_setup(state);
}

TEST(lengths) {
    if (access(pairs, R_OK) != 0 || AMOUNT(0, 1)) {
        print_message("skipped: %s, or a build with sanitizers\n", pairs);
        skip();
    }
    prints("250\n",
           "head -n 250 %s | sed 's/.*\"text\": \"//; s/\", \"compression\".*//; s/\\\\\\\\.//g' "
           ">news.txt; trapeze compress -m %s/models/english.model --rate 0.5 news.txt | wc -l",
           pairs, TZ_SOURCE_ROOT);
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    printf("%ld MB\n", used.ru_maxrss / 1024);
    assert_true(used.ru_maxrss < 120 * 1024);
}

TESTS_BETWEEN(set_up, NULL)
