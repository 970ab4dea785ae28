/* test_npz_damage.c - does a damaged .npz file, or a lack of memory, do any harm?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "io/npz/npz_problem.h"
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/npz_make.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Damage -------------------------------------------------------------------------------- */

enum { PROBLEMS = 5, N = 3, LABELS = 2 };

static void make_problems(const char *path, npz_way way) {
    static double n[PROBLEMS], span[PROBLEMS * LABELS * (N + 1) * (N + 1)];
    static double index[PROBLEMS * LABELS * 4], binary[PROBLEMS * LABELS];
    double labels = LABELS;
    size_t spans = COUNT(span), entries = COUNT(binary);
    for (int p = 0; p < PROBLEMS; p++)
        n[p] = (p * 2) % (N + 1);
    for (size_t c = 0; c < spans; c++)
        span[c] = (double)(c % 7) - 3;
    for (size_t e = 0; e < entries; e++) {
        index[4 * e] = (double)(e / LABELS);
        index[4 * e + 1] = (double)(e % LABELS);
        index[4 * e + 3] = (double)(e % LABELS);
        binary[e] = (double)e;
    }
    const npy_array arrays[] = {
        {.name = "n", .descr = "<i4", .rank = 1, .extent = {PROBLEMS}, .number = n},
        {.name = "T", .descr = "|u1", .number = &labels},
        {.name = "span",
         .descr = "<f8",
         .rank = 4,
         .extent = {PROBLEMS, LABELS, N + 1, N + 1},
         .number = span},
        {.name = "binary.index",
         .descr = "<i8",
         .rank = 2,
         .extent = {PROBLEMS * LABELS, 4},
         .number = index,
         .fortran = true},
        {.name = "binary",
         .descr = ">f4",
         .rank = 1,
         .extent = {PROBLEMS * LABELS},
         .number = binary},
    };
    npz_make(path, way, arrays, COUNT(arrays));
}

typedef struct command_line {
    int argc;
    char *argv[12];
} command_line;

/* Runs the command without a word. */
static int run_quietly(void *user) {
    command_line *line = user;
    int null = open("/dev/null", O_WRONLY);
    fflush(NULL);
    int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO);
    assert_true(null >= 0 && old_out >= 0 && old_err >= 0);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    int status = tz_cli_run(line->argc, line->argv);
    fflush(NULL);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    close(null);
    close(old_out);
    close(old_err);
    return status;
}

/* To another file, and to JSON Lines. */
static const command_line lines[] = {
    {9,
     {"run", "-rcky", "-slog", "--marginals", "--batch=2", "--keep-going", "-o", "y.npz", "x.npz",
      NULL}},
    {7, {"run", "-rcky", "-smax", "--best", "--max-marginals", "--batch=2", "x.npz", NULL}},
};

/* The number that the next file opened gets. */
static int next_file(void) {
    int file = dup(STDERR_FILENO);
    close(file);
    return file;
}

/* Bits flipped, bytes replaced, the end cut off: answered or refused, nothing else. */
TEST(mutations) {
    random_state random = random_start("mutations");
    size_t answered = 0, refused = 0;
    int free_before = next_file();
    for (npz_way way = STORED; way <= DEFLATED; way++) {
        size_t size;
        make_problems("good.npz", way);
        FREED(unsigned char, good) = read_bytes("good.npz", &size), *bytes = malloc(size);
        assert_non_null(bytes);
        for (int round = 0; round < 1500; round++) {
            size_t kept = size;
            memcpy(bytes, good, size);
            for (uint64_t m = 0; m <= random_below(&random, 4); m++) {
                size_t at = random_below(&random, size);
                bytes[at] = (unsigned char)(random_below(&random, 2)
                                                ? bytes[at] ^ 1u << random_below(&random, 8)
                                                : random_below(&random, 256));
            }
            if (random_below(&random, 8) == 0)
                kept = random_below(&random, size + 1);
            write_bytes("x.npz", bytes, kept);
            command_line line = lines[round % 2];
            int status = run_quietly(&line);
            if (status != 0 && status != TZ_EXIT_INPUT)
                fail_msg("exit %d in round %d", status, round);
            answered += status == 0;
            refused += status != 0;
        }
    }
    assert_true(answered > 0 && refused > 0);
    assert_int_equal(next_file(), free_before); /* all files have been closed */
}

/* ---- Memory -------------------------------------------------------------------------------- */

static int read_all(void *user) {
    (void)user;
    OWN(tz_npz, npz) = NULL;
    OWN(tz_npz_input, input) = NULL;
    tz_error error;
    tz_status status = tz_npz_open(fopen("x.npz", "rb"), "x.npz", &npz, &error);
    if (status == TZ_OK)
        status = tz_npz_input_new(npz, tz_rules_find("cky"), tz_semiring_find("max", TZ_F64),
                                  &input, &error);
    for (int p = 0; p < PROBLEMS && status == TZ_OK; p += 2)
        status = tz_npz_input_read(input, PROBLEMS - p < 2 ? 1 : 2, &error);
    assert_true(status == TZ_OK || error.status == status);
    return (int)status;
}

/* libzip's own allocations cannot be made to fail here: it is a library of its own. */
TEST(memory) {
    make_problems("x.npz", DEFLATED);
    assert_true(oom_sweep("reading", read_all, NULL, TZ_NO_MEMORY, false) > 20);
    int before = entries_here();
    unlink("y.npz");
    for (size_t c = 0; c < COUNT(lines); c++) {
        command_line line = lines[c];
        oom_sweep(c == 0 ? "to .npz" : "to JSON", run_quietly, &line, TZ_EXIT_INPUT, true);
        unlink("y.npz");
    }
    assert_true(entries_here() <= before); /* no temporary file is left */
}

TESTS_BETWEEN(folder_setup, folder_teardown)
