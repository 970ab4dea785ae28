/* test_align_cli.c - does `trapeze align` do what its manual says, as a user types it? Baselines on
 * texts small enough to see, and their known figures on the Edinburgh paraphrase corpus.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/shell.h"

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("pairs.jsonl",
               "{\"id\":7,\"document\":[\"The dog barks .\",\"A cat sees the Dog .\"],"
               "\"abstract\":\"the dogs bark and a cat sees the dog\"}\n"
               "\n{\"document\":[[\"a\",\"b\"]],\"abstract\":[]}\n"
               "{\"id\":[1,\"x\"],\"document\":\"\",\"abstract\":\"a b\"}\n");
    return 0;
}

TEST(baselines) {
    prints("0-0 0-7 1-8 4-4 5-5 6-6 7-0 7-7 8-8\n\n\n",
           "trapeze align --baseline identity pairs.jsonl");
    prints("0-0 4-4 5-5 6-6 7-7 8-8\n\n\n", "trapeze align --baseline lcs pairs.jsonl");
    /* Five words, then three by their stems. */
    prints("0-0 1-1 2-2 4-4 5-5 6-6 7-7 8-8\n\n\n", "trapeze align -b blocks:1 < pairs.jsonl");
    prints("4-4 5-5 6-6 7-7 8-8\n\n\n", "trapeze align -b blocks:4 - < pairs.jsonl");
    prints("\n\n\n", "trapeze align -b blocks:6 pairs.jsonl");
}

TEST(json) {
    prints("{\"id\":7,\"phrases\":[{\"abstract\":[4,5],\"document\":[4,5]},"
           "{\"abstract\":[5,6],\"document\":[5,6]},{\"abstract\":[6,7],\"document\":[6,7]},"
           "{\"abstract\":[7,8],\"document\":[7,8]},{\"abstract\":[8,9],\"document\":[8,9]}],"
           "\"null\":[0,1,2,3],\"links\":\"4-4 5-5 6-6 7-7 8-8\"}\n"
           "{\"phrases\":[],\"null\":[],\"links\":\"\"}\n"
           "{\"id\":[1,\"x\"],\"phrases\":[],\"null\":[0,1],\"links\":\"\"}\n",
           "trapeze align -b blocks:5 -f json pairs.jsonl");
}

TEST(inputs) {
    write_file("d", "a b c\n\nDon't go.\n");
    write_file("s", "c a\nx\ndo n't\n");
    prints("0-1 2-0\n\n\n", "trapeze align -b identity --document d --abstract s");
    prints("0-1 2-0\n\n0-0 1-1\n",
           "trapeze align -b identity --text --document d --abstract - < s");
    write_file("e.json", "[\n{\"source\": \"a b\",\n\"target\": \"b\"}\n]\n");
    prints("1-0\n", "trapeze align -b lcs e.json");
}

/* Of the two sentences of the document the second has most of the abstract's, and the first most
 * of its rest. Links are those of the whole document. */
TEST(extract) {
    write_file("long.jsonl",
               "{\"document\":[\"The dog barks .\",\"It rains .\",\"A cat sees the dog .\"],"
               "\"abstract\":[\"the cat sees it rain\",\"\",\"the dog barks\"]}\n"
               "{\"document\":[],\"abstract\":[\"a\"]}\n{\"document\":[\"a\"],\"abstract\":[]}\n");
    prints("0-5 1-6 2-7 8-1 9-2 10-0\n\n\n", "trapeze align -b blocks:1 --extract 1 long.jsonl");
    prints("0-5 1-6 2-7 4-3 5-4 8-1 9-2 10-0\n\n\n",
           "trapeze align -b blocks:1 --extract 2 long.jsonl");
    prints(
        "1\n1\n",
        "trapeze train aligner --quiet --extract 2 -o model long.jsonl && trapeze align -m model "
        "--extract 2 -f json long.jsonl > a && trapeze align -m model --extract 3 -f json "
        "long.jsonl | cmp -s - a; echo $?; sed -n 2p a | grep -c '\"null\":\\[0\\]'");
    usage("--kbest goes with --decode best and --format json, and without --extract",
          "trapeze align -m model --extract 2 --kbest 2 -f json long.jsonl");
    usage("--extract", "trapeze align -b lcs --extract 0 long.jsonl");
}

/* Daume & Marcu's example: both words of "c d" come from "a", where that has been seen often. */
TEST(phrase) {
    prints("\"phrases\":[{\"abstract\":[0,2],\"document\":[0,1],\"p\n",
           "for w in e f g h i j k l e g i k f h j l; do echo '{\"document\":\"'$w' a "
           "m\",\"abstract\":"
           "\"'$w' c d m\"}'; echo '{\"document\":\"m b '$w'\",\"abstract\":\"m '$w'\"}'; done > "
           "seen; "
           "trapeze train aligner --quiet --base 0.1 -o model seen && "
           "echo '{\"document\":\"a b\",\"abstract\":\"c d\"}' | trapeze align -m model -f json | "
           "grep -o '\"phrases.*,\"p'");
}

static void refuses(const char *text, const char *message) {
    write_file("bad", text);
    refused(message, "trapeze align -b lcs bad > kept; code=$?; head -c 0 kept; exit $code");
}

TEST(refused) {
    refuses("{\"document\":\"a\",\"abstract\":\"a\"}\n{\"document\":\"a\"}\n",
            "bad:2: there is no \"abstract\": a string, or a list of sentences");
    refuses("{\"abstract\":\"a\"}\n", "bad:1: there is no \"document\"");
    refuses("{\"document\":\"a\",\n", "bad:1: column ");
    refuses("a b c\n", "bad:1: expected {\"document\": .., \"abstract\": ..}");
    refuses("{\"document\":[3],\"abstract\":\"a\"}\n",
            "bad:1: document[0]: expected a sentence, a string or a list of words, not a number");
    refused("pairs.jsonl:1: document: 10 words, where 8 is the limit; --max-words=N",
            "trapeze align -b lcs --max-words 8 pairs.jsonl");
    write_file("one", "a\n");
    write_file("two", "a\nb\n");
    shell("trapeze align -b lcs --document one --abstract two | tail -n 0");
    assert_non_null(strstr(err, "one:1: the file ends here, where two goes on"));
    usage("say how: -m MODEL, or --baseline=identity, lcs or blocks:N",
          "trapeze align pairs.jsonl");
    usage("--baseline is identity, lcs or blocks:N", "trapeze align -b blocks:0 pairs.jsonl");
    usage("--document and --abstract go together", "trapeze align -b lcs --document one");
    usage("'pairs.jsonl' is one too many",
          "trapeze align -b lcs --document one --abstract two pairs.jsonl");
}

TEST(keep_going) {
    write_file("some", "{\"id\":1,\"document\":\"a\"}\n{\"document\":\n"
                       "{\"id\":2,\"document\":\"a\",\"abstract\":\"a\"}\n");
    prints("{\"id\":1,\"error\":\"some:1: there is no \\\"abstract\\\": a string,\n"
           "{\"error\":\"some:2: column 12: the line ends inside a value: w\n"
           "{\"id\":2,\"phrases\":[{\"abstract\":[0,1],\"document\":[0,1]}],\"nul\n2\n",
           "trapeze align -b lcs --keep-going -f json some 2> said | cut -c 1-60; wc -l < said");
    shell("trapeze align -b lcs --keep-going some > kept 2> said; code=$?; cat kept; exit $code");
    assert_int_equal(code, 1);
    assert_string_equal(out, "\n\n0-0\n");
}

/* 714 pairs of sentences, 13,314 sure links: figures found by another program. */
TEST(edinburgh) {
    static const char folder[] = TZ_SOURCE_ROOT "/../shared/data/edinburgh-plusplus";
    static const struct {
        const char *baseline, *figures; /* precision, recall, F1, error rate, exact */
    } known[] = {
        {"identity", "0.648 0.734 0.689 0.312 0.025\n"},
        {"lcs", "0.968 0.685 0.802 0.198 0.119\n"},
        {"blocks:1", "0.933 0.735 0.822 0.178 0.142\n"},
        {"blocks:2", "0.981 0.605 0.749 0.251 0.055\n"},
        {"blocks:3", "0.992 0.483 0.649 0.351 0.046\n"},
    };
    if (access(folder, R_OK) != 0) {
        print_message("# skipped: there is no %s\n", folder);
        skip();
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        shell("trapeze align -b %s %s/gold.train.sure.json | trapeze eval alignment -f tsv "
              "--resamples 9 %s/gold.train.sure.json --possible %s/gold.train.sure+poss.json - | "
              "awk '/^soft/ {v[$1] = $2} END {printf \"%%.4f %%.4f %%.4f %%.4f %%.4f\\n\", "
              "v[\"soft.precision\"], v[\"soft.recall\"], v[\"soft.f1\"], v[\"soft.aer\"], "
              "v[\"soft.exact\"]}'",
              known[k].baseline, folder, folder, folder);
        assert_result_near(known[k].figures, 6e-4);
    }
}

TESTS_BETWEEN(set_up, shell_teardown)
