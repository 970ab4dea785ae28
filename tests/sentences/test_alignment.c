/* test_alignment.c - does `trapeze eval alignment` count as one does by hand, and say what is wrong
 * with a file?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sentences/eval/alignment.h"
#include "tests/support/oom.h"
#include "tests/support/shell.h"

/* Five pairs and a system's alignments of them. The figures were counted by hand: of soft links 9
 * are found, of which 7 are possible and 6 sure, of 6 sure ones; of all pairs 11, 7 and 6; 3 and 2
 * of the pairs are right. Without "the", "a", "an" and the comma 5, 5 and 4, of 4; all are right.
 */
static const char gold[] =
    "{\"id\":1,\"document\":\"the man\",\"abstract\":\"The man\",\"sure\":\"0-0 1-1\"}\n"
    "{\"id\":2,\"document\":[\"a b\"],\"abstract\":[[\"a\",\"b\"]],\"sure\":\"1-1 0-0\"}\n\n"
    "{\"id\":3,\"document\":\"Old dogs bark\",\"abstract\":\"An old dog\",\"sure\":\"0-1\","
    "\"possible\":\"1-2\"}\n"
    "{\"id\":4,\"document\":\"x y\",\"abstract\":\"\",\"sure\":\"\"}\n"
    "{\"id\":\"5\",\"document\":\"the cat sleeps\",\"abstract\":\"cat , the\",\"phrases\":["
    "{\"document\":[0,1],\"abstract\":[2,3],\"class\":\"P\"},"
    "{\"document\":[1,2],\"abstract\":[0,1],\"class\":\"S\"}]}\n";

static const char found[] =
    "{\"id\":2,\"phrases\":[{\"document\":[0,2],\"abstract\":[0,1]},"
    "{\"document\":[1,2],\"abstract\":[1,2]}]}\n"
    "{\"id\":1,\"phrases\":[{\"document\":[0,2],\"abstract\":[0,2]}],\"links\":\"0-0\"}\n"
    "{\"id\":3,\"links\":\"2-0 1-2 0-1 0-1\"}\n"
    "{\"id\":5,\"sure\":\"1-0\"}\n{\"id\":4,\"phrases\":[]}\n";

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("gold.jsonl", gold);
    write_file("found.jsonl", found);
    return 0;
}

TEST(by_hand) {
    shell("trapeze eval alignment gold.jsonl found.jsonl -f tsv --resamples 9 | cut -f 1,2");
    assert_result_near("figure\tvalue\nlinks.f1\t0.7777777778\nlinks.precision\t0.6363636364\n"
                       "links.recall\t1\nlinks.aer\t0.2352941176\nlinks.exact\t0.4\n"
                       "soft.f1\t0.875\nsoft.precision\t0.7777777778\nsoft.recall\t1\n"
                       "soft.aer\t0.1333333333\nsoft.exact\t0.6\n"
                       "content.links.f1\t1\ncontent.links.precision\t1\ncontent.links.recall\t1\n"
                       "content.links.aer\t0\ncontent.links.exact\t1\n"
                       "content.soft.f1\t1\ncontent.soft.precision\t1\ncontent.soft.recall\t1\n"
                       "content.soft.aer\t0\ncontent.soft.exact\t1\n",
                       1e-9);
    prints("links: F1                       77.78\n"
           "  precision                     63.64\n"
           "  recall                       100.00\n"
           "  error rate                    23.53\n"
           "  exact                         40.00\n"
           "soft links: F1                  87.50\n"
           "  precision                     77.78\n"
           "  recall                       100.00\n"
           "  error rate                    13.33\n"
           "  exact                         60.00\n"
           "sure links: 6\nsure or possible links: 8\n5 pairs; in brackets 95 % of 10000 bo\n",
           "trapeze eval alignment gold.jsonl found.jsonl --ignore none | cut -c 1-37");
}

static void soft(const char *words, const char *phrases, const char *expected) {
    char text[256];
    snprintf(text, sizeof text, "{\"document\":\"%s\",\"abstract\":\"%s\",\"sure\":\"0-0 1-1\"}\n",
             words, words);
    write_file("one.gold", text);
    snprintf(text, sizeof text, "{\"phrases\":[%s]}\n", phrases);
    write_file("one.found", text);
    shell("trapeze eval alignment one.gold one.found -f tsv --resamples 9 | cut -f 1,2 | "
          "grep -E '^(links|soft).precision'");
    assert_result_near(expected, 1e-9);
}

/* Daume & Marcu's examples: "the man" with "the man", as one pair of phrases; "a" with "a b", and
 * "b" with "b". */
TEST(soft) {
    soft("the man", "{\"document\":[0,2],\"abstract\":[0,2]}",
         "links.precision\t0.5\nsoft.precision\t1\n");
    soft("a b", "{\"document\":[0,2],\"abstract\":[0,1]},{\"document\":[1,2],\"abstract\":[1,2]}",
         "links.precision\t0.6666666667\nsoft.precision\t0.6666666667\n");
}

/* A list of one's own: six links of content words are left, of which five are possible. Two
 * systems. */
TEST(options) {
    write_file("words", " Dog\nB\n\n");
    prints("content.soft.precision\t0.8333333333333334\ncontent.soft.recall\t1\n",
           "trapeze eval alignment gold.jsonl found.jsonl --ignore words -f tsv --resamples 9 | "
           "cut -f 1,2 | grep 'content.soft.[pr]'");
    shell("trapeze eval alignment gold.jsonl found.jsonl gold.jsonl -f tsv --resamples 99 | "
          "grep -E 'figure|^soft.f1' | cut -f 1,2,5,8");
    assert_result_near("figure\tvalue1\tvalue2\tdifference\nsoft.f1\t0.875\t1\t0.125\n", 1e-9);
    prints("{\"pairs\":5,\"resamples\":10000,\"seed\":1,\"sure\":6\n",
           "trapeze eval alignment gold.jsonl found.jsonl --threads 3 -f json > a; "
           "trapeze eval alignment gold.jsonl - --threads 1 -f json < found.jsonl | "
           "sed 's/\"-\"/\"found.jsonl\"/' | cmp a && cut -c 1-46 a");
}

/* Pharaoh's lines, an array over several lines, the other direction, possible links apart. */
TEST(formats) {
    write_file("g.links", "\n0-0 1-1\n\n2-0\n");
    write_file("s.links", "\n0-0\n0-1\n2-0\n");
    shell("trapeze eval alignment g.links s.links -f tsv --resamples 9 | grep -v NA | cut -f 1,2 | "
          "grep soft");
    assert_result_near("soft.f1\t0.6666666667\nsoft.precision\t0.6666666667\n"
                       "soft.recall\t0.6666666667\nsoft.aer\t0.3333333333\nsoft.exact\t0.5\n",
                       1e-9);
    write_file("g.json", "[\n  {\"id\": \"a\", \"source\": \"x } y\",\n \"target\": \"z \\\" {\",\n"
                         "   \"sureAlign\": \"0-1 2-0\"}, {\"id\":\"b\",\"source\":\"x\","
                         "\"target\":\"z\",\"sureAlign\":\"\"}\n]\n");
    write_file("p.json", "[{\"id\": \"a\", \"sureAlign\": \"0-1 1-1\"},{\"id\": \"b\","
                         "\"sureAlign\": \"0-0\"}]");
    write_file("s.links", "0-1 1-1\n0-0\n");
    prints(
        "soft.precision\t1\nsoft.recall\t0.5\ncontent.soft.precision\t1\n"
        "content.soft.recall\t0\n"
        "trapeze eval alignment: p.json: 1 sure links of g.json are not there; they are "
        "taken as possible\n",
        "trapeze eval alignment g.json s.links --possible p.json -f tsv --resamples 9 2> warned | "
        "grep -E 'soft.[pr]' | cut -f 1,2; cat warned");
    write_file("turned.links", "1-0 0-2\n\n");
    prints("soft.f1\t1\nsoft.exact\t1\n",
           "trapeze eval alignment --flip g.json turned.links -f tsv --resamples 9 | "
           "grep -E '^soft.(f1|exact)' | cut -f 1,2");
}

static void refuses(const char *system, const char *message) {
    write_file("bad", system);
    refused(message, "trapeze eval alignment gold.jsonl bad");
}

TEST(refused) {
    refuses("{\"id\":1,\"links\":\"0-0\"}\n{\"id\":2,\"links\":\"0-2\"}\n",
            "bad:2: there is no word 2 in the abstract, whose words are 0 to 1");
    refuses("{\"id\":4,\"links\":\"0-0\"}\n", "bad:1: the abstract has no words");
    refuses("{\"id\":1,\"links\":\"0-0 1:1\"}\n", "bad:1: '1:1' is no link: write i-j");
    refuses("{\"id\":1,\"links\":\"0-\"}\n", "bad:1: '0-' is no link");
    refuses("{\"id\":1,\"links\":\"99999999999-1\"}\n", "is no link");
    refuses("{\"id\":1}\n", "bad:1: there is no \"sure\", no \"phrases\" and no \"links\"");
    refuses("{\"id\":1,\"links\":[]}\n", "bad:1: links: expected links, as in \"0-0 1-2\"");
    refuses("{\"id\":1,\"phrases\":[{\"document\":[0,1],\"abstract\":[1,1]}]}\n",
            "bad:1: phrases[0]: expected \"abstract\": [from, to]");
    refuses("{\"id\":1,\"phrases\":[{\"document\":[0,3],\"abstract\":[1,2]}]}\n",
            "bad:1: there is no word 2 in the document");
    refuses("{\"id\":1,\"phrases\":[{\"document\":[0,1],\"abstract\":[1,2],\"class\":3}]}\n",
            "bad:1: phrases[0]: \"class\" is \"S\" or \"P\"");
    refuses("{\"id\":1,\"links\":\"\"}\n", "bad: there is nothing for the pair of gold.jsonl:2");
    refuses("{\"id\":9,\"links\":\"\"}\n", "bad:1: gold.jsonl has no pair with id '9'");
    refuses("{\"id\":1,\"links\":\"\"\n", "bad:1: column ");
    refuses("[{\"id\":1,\"links\":\"\"}\n", "bad:1: the list of objects is not closed");
    refuses("[{\"id\":1,\n\"links\":\"\"} {\n", "bad:2: expected a comma or the end of the list");
    refuses("[{\"id\":1,\n\"links\":\"\"},3]\n", "bad:2: expected the next object");
    refuses("[]\n{}\n", "bad:2: expected nothing behind the end of the list");
    refuses("0-0\n0-0\n0-1\n\n0-0\n\n", "bad:6: gold.jsonl has only 5 pairs");
    write_file("bad", "");
    refused("bad: there is no pair", "trapeze eval alignment bad found.jsonl");
    write_file("bad", "{\"id\":1,\"document\":7,\"sure\":\"\"}\n");
    refused("bad:1: document: expected a string or a list of sentences, not a number",
            "trapeze eval alignment bad found.jsonl");
    write_file("bad", "{\"id\":1,\"document\":[[\"a\",\"\"]],\"sure\":\"\"}\n");
    refused("bad:1: document[0][1]: expected a word, not an empty string",
            "trapeze eval alignment bad found.jsonl");
    refused("absent: No such file", "trapeze eval alignment gold.jsonl absent");
    usage("two files are needed: GOLD and SYSTEM", "trapeze eval alignment gold.jsonl");
    usage("only one file can be standard input", "trapeze eval alignment - -");
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static tz_lines *open_lines(const char *name, FILE **ret_file) {
    *ret_file = fopen(name, "rb");
    return *ret_file ? tz_lines_new(*ret_file, name, 1 << 16) : NULL;
}

static void figures(const char *gold, const char *system, const char *expected) {
    shell("trapeze eval alignment %s %s -f tsv --resamples 9 | cut -f 1,2 | "
          "grep -E '^links.(precision|recall)'",
          gold, system);
    assert_result_near(expected, 1e-9);
}

/* The same links in every form: of sure ones 0-0 and 2-0, of possible ones 1-2 and, in the second
 * pair, 0-1, whose sure link is 1-1. */
TEST(possible) {
    static const char *const form[] = {
        "0-0 2-0 1p2\n1-1 0?1\n",
        "{\"sure\":\"0-0 2-0 1?2\"}\n{\"sure\":\"1-1\",\"possible\":\"0-1\"}\n",
        "{\"sure\":\"0-0 2-0\",\"possible\":\"1p2\"}\n{\"links\":\"1-1 0p1\"}\n",
        "0001 1 1 S\n0001 3 1\n\n0001 2 3 P 0.25\n0002 2 2 S 1\n0002 0 1 P\n0002 1 2 p\n",
    };
    write_file("s.links", "0-0 1-2\n1-1 0-0\n");
    for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
        write_file("g.form", form[f]);
        figures("g.form", "s.links", "links.precision\t0.75\nlinks.recall\t0.66666666667\n");
        figures("s.links", "g.form", "links.precision\t0.6\nlinks.recall\t0.75\n");
        figures("g.form", "g.form", "links.precision\t1\nlinks.recall\t1\n");
    }
    /* Sentences of columns that have no links are not there; of a system's, the last ones as well.
     */
    write_file("g.form", "1 1 1\n4 2 2\n");
    write_file("s.links", "0-0\n\n\n1-1\n");
    figures("g.form", "s.links", "links.precision\t1\nlinks.recall\t1\n");
    write_file("s.form", "1 1 1\n");
    figures("g.form", "s.form", "links.precision\t1\nlinks.recall\t0.5\n");
    refuses("1 1 1\n1 2-2\n", "bad:2: expected SENTENCE WORD WORD, numbers from 1");
    refuses("2 1 1\n1 2 2\n", "bad:2: sentence 1 comes after sentence 2: sort the lines");
}

/* Files that count from 0 and from 1: told, in either direction; and read as they are meant. */
TEST(counting) {
    write_file("zero", "0-0 1-1 2-2\n0-0 1-2 2-1\n");
    write_file("one", "1-1 2-2 3-3\n1-1 2-3 3-2\n");
    works("trapeze eval alignment one zero >figures");
    assert_string_equal(err,
                        "trapeze eval alignment: one: no link has word 0 of either text, as those "
                        "of zero have: does it count from 1? Say --from=1 then\n");
    works("trapeze eval alignment zero one >figures");
    assert_string_equal(err,
                        "trapeze eval alignment: one: no link has word 0 of either text, as those "
                        "of zero have: does it count from 1? Words count from 0\n");
    figures("--from 1 one", "zero", "links.precision\t1\nlinks.recall\t1\n");
    figures("--from=1 --flip one", "zero", "links.precision\t1\nlinks.recall\t1\n");
    figures("one", "one", "links.precision\t1\nlinks.recall\t1\n");
    refused("zero:1: '0-0' has word 0, but words count from 1 by --from",
            "trapeze eval alignment --from 1 zero zero");
    usage("--from is 0 or 1, not '2'", "trapeze eval alignment --from 2 zero zero");
}

static int attempt(void *user) {
    (void)user;
    OWNED(tz_alignments, a) = {0};
    tz_links *links = NULL;
    tz_error error;
    tz_ratio ratio[5 * TZ_ALIGNMENT_FIGURES];
    tz_ignore ignore = {0};
    FILE *first = NULL, *second = NULL;
    tz_lines *lines = open_lines("gold.jsonl", &first);
    OWN(tz_lines, others) = lines ? open_lines("found.jsonl", &second) : NULL;
    tz_status status =
        others ? tz_alignments_read(lines, &ignore, false, 0, &a, &error) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_alignments_system(&a, others, &links, &error);
    if (status == TZ_OK)
        status = tz_alignments_measure(&a, links, ratio);
    tz_lines_free(lines);
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return (int)status;
}

TEST(out_of_memory) {
    oom_sweep("alignments", attempt, NULL, TZ_NO_MEMORY, false);
}

TESTS_BETWEEN(set_up, shell_teardown)
