/* test_cli_files.c - what becomes of the files that commands write, and of those they would
 * replace?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/shell.h"

static const char good[] = "1\tgo\t_\t_\t_\t_\t0\troot\t_\t_\n\n";

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("good.conllu", good);
    write_file("bad.conllu",
               "1\tgo\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tgo\t_\t_\t_\t_\t7\troot\t_\t_\n\n");
    write_file("lengths.txt", "3\n");
    shell("for i in $(seq 99); do cat good.conllu; done >many.conllu");
    return 0;
}

static void assert_old(const char *command) {
    size_t size;
    char *text = read_file("old", &size);
    if (strcmp(text, "old\n") != 0)
        fail_msg("after '%s' the file was: %s", command, text);
    free(text);
    shell("ls -A | grep '^.trapeze-'");
    assert_string_equal(out, "");
}

/* A late error, and a disk that is full (files of no more than 512 bytes), leave the old file. */
TEST(errors) {
    static const char *const command[] = {
        "trapeze draw -o old bad.conllu",
        "ln -f old old.svg; trapeze draw -o old.svg bad.conllu",
        "ulimit -f 1; trapeze rules show -o old eisner",
        "ulimit -f 1; trapeze rules show -o old --format latex eisner",
        "ulimit -f 1; trapeze bench -r eisner -s max -n 3,4,5,6 --time 0.001 --plot old >bench.out",
        "ulimit -f 1; trapeze draw -o old many.conllu",
    };
    for (size_t c = 0; c < sizeof command / sizeof *command; c++) {
        for (int ignored = 0; ignored < 2; ignored++) {
            write_file("old", "old\n");
            shell("%s %s\nexit $?", ignored ? "trap '' XFSZ;" : "", command[c]);
            assert_int_not_equal(code, 0);
            if (ignored && strstr(command[c], "ulimit")) {
                assert_int_equal(code, 1);
                assert_non_null(strstr(err, "File too large"));
            }
            /* Ended by a signal, the next that writes here cleans up. */
            works("trapeze rules show -o other eisner");
            assert_old(command[c]);
        }
    }
}

TEST(written) {
    write_file("old", "old\n");
    works("chmod 640 old; trapeze draw -o old good.conllu && stat -c %%a old && cat old");
    assert_int_equal(strncmp(out, "640\n", 4), 0);
    assert_non_null(strstr(out, "ROOT"));
    prints("<svg",
           "trapeze bench -r eisner -s max -n 3,4 --time 0.001 --plot old >bench.out && head -c 4 "
           "old");
    refused("cannot write: No space left on device", "trapeze rules show -o /dev/full eisner");
    refused("cannot write: Is a directory", "trapeze rules show -o . eisner");
    refused("cannot write: No such file or directory", "trapeze rules show -o none/x eisner");
}

/* What is read and written at once is neither. */
TEST(inputs) {
    static const char *const command[] = {
        "trapeze draw -o good.conllu good.conllu",
        "trapeze draw good.conllu --output ./good.conllu",
        "trapeze draw --output=good.conllu <good.conllu",
        "ln -sf good.conllu link; trapeze draw -olink -- good.conllu",
        "cp good.conllu x.npz; trapeze run -r eisner -s max -o x.npz ./x.npz",
        "trapeze rules show eisner >x.rules; trapeze rules show -o x.rules x.rules",
        "trapeze bench -r eisner -s max --lengths lengths.txt --plot=lengths.txt",
    };
    for (size_t c = 0; c < sizeof command / sizeof *command; c++)
        usage("is an input too and would be lost; give --", "%s", command[c]);
    size_t size;
    char *text = read_file("good.conllu", &size);
    assert_string_equal(text, good);
    free(text);
    /* What is no file may be both. */
    prints("", "trapeze draw -o /dev/null /dev/null");
}

TEST(links) {
    write_file("old", "old\n");
    prints("", "ln -sf old to; trapeze draw -o to good.conllu && test -L to && grep -q ROOT old");
    refused("to: cannot write: the link leads nowhere",
            "ln -sf none to; trapeze draw -o to good.conllu");
    refused("to: cannot write: the link leads nowhere",
            "ln -sf to to; trapeze draw -o to good.conllu");
}

/* As another than root, who may do anything. */
TEST(protected) {
    write_file("old", "old\n");
    assert_int_equal(chmod("old", 0444), 0);
    assert_int_equal(chmod(".", 0777), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(77);
        int no = open("/dev/null", O_WRONLY);
        dup2(no, STDERR_FILENO);
        execlp("trapeze", "trapeze", "rules", "show", "-o", "old", "eisner", (char *)NULL);
        _exit(78);
    }
    int status;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 78)
        skip(); /* the build is not for everybody's eyes */
    assert_int_equal(status, 1 << 8);
    assert_old("-o read-only");
    chmod("old", 0644);
}

/* `trapeze draw -o old`, which has opened its output and waits for more to read. */
static pid_t begin(int *ret_input) {
    int pipes[2];
    char before[256];
    write_file("old", "old\n");
    assert_int_equal(pipe(pipes), 0);
    shell("ls -A | grep '^.trapeze-'");
    snprintf(before, sizeof before, "%.255s", out);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        dup2(pipes[0], STDIN_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        execlp("trapeze", "trapeze", "draw", "-o", "old", (char *)NULL);
        _exit(78);
    }
    close(pipes[0]);
    *ret_input = pipes[1];
    assert_int_equal(write(pipes[1], good, 5), 5);
    for (int tries = 0; tries < 1000 && strcmp(out, before) == 0; tries++) {
        usleep(10000);
        shell("ls -A | grep '^.trapeze-'");
    }
    assert_string_not_equal(out, before);
    return child;
}

static int end(pid_t child, int input) {
    int status;
    close(input);
    waitpid(child, &status, 0);
    return status;
}

TEST(signals) {
    static const int number[] = {SIGINT, SIGTERM, SIGHUP};
    int input, other;
    for (size_t s = 0; s < sizeof number / sizeof *number; s++) {
        pid_t child = begin(&input);
        kill(child, number[s]);
        int status = end(child, input);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == number[s]);
        assert_old("a signal");
    }
    /* What a killed one left behind goes with the next; what is in use stays. */
    pid_t killed = begin(&input);
    kill(killed, SIGKILL);
    end(killed, input);
    pid_t slow = begin(&other);
    shell("ls -A | grep -c '^.trapeze-'");
    assert_string_equal(out, "1\n");
    shell("trapeze rules show -o new eisner; ls -A | grep -c '^.trapeze-'");
    assert_string_equal(out, "1\n");
    assert_int_equal(write(other, good + 5, sizeof good - 6), (long)sizeof good - 6);
    assert_int_equal(end(slow, other), 0);
    shell("grep -q ROOT old && ls -A | grep '^.trapeze-'");
    assert_string_equal(out, "");
}

/* A rule file on standard input, such as what `rules show` prints, for all that read rules. */
TEST(rules_from_input) {
    write_file("two.json", "{\"n\": 2, \"arc\": [[null,1,2],[null,null,3],[null,4,null]]}\n");
    prints("{\"n\":2,\"value\":6}\n",
           "trapeze rules show eisner | trapeze run -r - -s max two.json");
    works("trapeze rules show eisner | trapeze rules check -");
    assert_string_equal(err, "");
    assert_contains(out, "\n          5              273              273              273 ");
    prints("",
           "trapeze rules show eisner | trapeze rules show - >one; trapeze rules show eisner | cmp "
           "- one");
    shell("trapeze rules show eisner | trapeze bench -r - -s max -n 5 --time 0.001 --format tsv");
    assert_contains(out, "\neisner\tmax\t");
    refused("trapeze rules check: -:1:1: unknown keyword \"rule\"",
            "echo 'rule x' | trapeze rules check -");
    usage("-r - takes the rules from standard input: name a FILE with the problems",
          "trapeze run -r - -s max </dev/null");
    refused("this file has more than ", "yes '# a line' | trapeze rules check -");
}

TESTS_BETWEEN(set_up, shell_teardown)
