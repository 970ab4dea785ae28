/* test_lm_cli.c - do `trapeze train lm` and `trapeze eval lm` do what their manual says, as a user
 * types them? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("a.txt", "the dog barks\nthe  cat\tsleeps\n\nthe dog sleeps\n");
    write_file("b.txt", "a cat barks\r\n");
    write_file("empty.txt", " \n\n");
    return 0;
}

TEST(train) {
    works("trapeze train lm -o m.arpa a.txt b.txt");
    assert_string_equal(out, "");
    assert_contains(err, "4 sentences, 12 words, 0 of them <unk>\n1-grams: 9, discounts ");
    assert_contains(err, "\n3-grams: ");
    prints("", "cat b.txt a.txt | trapeze train lm --quiet --order=3 -o - | cmp - m.arpa");
    prints("\\data\\\nngram 1=9\nngram 2=11\nngram 3=11\n39\nm.arpa\n",
           "head -4 m.arpa; grep -c . m.arpa; ls m.arpa*");
    shell("trapeze train lm --quiet -n 2 --min-count 2 -o m2.arpa a.txt b.txt && cat m2.arpa");
    assert_contains(out, "ngram 1=8\nngram 2=11\n");
    assert_lacks(out, "\ta\n");
    works(
        "trapeze train lm --quiet --cutoff 1,2 -o c.arpa a.txt b.txt && grep -A9 3-grams: c.arpa");
    assert_contains(out, "<s> the dog");
    assert_lacks(out, "cat");
}

/* An old model stays until the new one is whole; permissions, links and pipes are respected. */
TEST(replace) {
    write_file("old.arpa", "old");
    works("chmod 640 old.arpa && ln -s old.arpa link.arpa");
    refused("there is no sentence in the input", "trapeze train lm -o link.arpa empty.txt");
    prints("oldold.arpa\n", "cat old.arpa; ls | grep old");
    prints("640,regular file\n777,symbolic link\n",
           "trapeze train lm --quiet -o link.arpa a.txt && stat -c %%a,%%F old.arpa link.arpa");
    works("trapeze eval lm -m old.arpa a.txt");
    prints("", "trapeze train lm --quiet -o /dev/stdout a.txt | cmp - old.arpa");
    refused("nowhere/m.arpa: cannot write: No such file",
            "trapeze train lm -o nowhere/m.arpa a.txt");
    refused(
        "No space",
        "if [ -w /dev/full ]; then trapeze train lm -o /dev/full a.txt; else echo 'No space' >&2;"
        " exit 1; fi");
}

TEST(eval) {
    /* 0.1 a word, 0.5 the end, 0.01 what is unknown. */
    write_file("u.arpa", "\\data\\\nngram 1=5\n\\1-grams:\n-2 <unk>\n-99 <s>\n-0.30103 </s>\n-1 a\n"
                         "-1 b\n\\end\\\n");
    write_file("t.txt", "a b\n\nb c\n");
    shell("trapeze eval lm -m u.arpa t.txt");
    /* 10^-(3 + 2 + 0.60206), over 6 tokens; without c, 10^-3.60206 over 5. */
    assert_result_near("{\"sentences\":2,\"words\":4,\"unknown\":1,\"log_prob\":-12.89922,"
                       "\"perplexity\":8.58374,\"perplexity_known\":5.25306}\n",
                       1e-5);
    prints("{\"sentences\":0,\"words\":0,\"unknown\":0,\"log_prob\":0,\"perplexity\":1,"
           "\"perplexity_known\":1}\n",
           "trapeze eval lm --model=u.arpa <empty.txt");
}

TEST(errors) {
    usage("where does the model go? -o FILE", "trapeze train lm a.txt");
    usage("--order takes a whole number from 1 to 8, not '9'",
          "trapeze train lm --order 9 -o x a.txt");
    usage("--min-count takes a whole number from 1", "trapeze train lm --min-count 0 -o x a.txt");
    static const char *const cutoff[] = {"0", "2,1", "1,", ",1", "", "x", "1 2", "-1", "1;2"};
    for (size_t i = 0; i < sizeof cutoff / sizeof *cutoff; i++) {
        usage("--cutoff takes whole numbers from 1 that do not fall",
              "trapeze train lm --cutoff='%s' -o x a.txt", cutoff[i]);
    }
    usage("--cutoff takes at most 7 numbers",
          "trapeze train lm --cutoff=1,1,1,1,1,1,1,1 -o x a.txt");
    refused("nowhere.txt: No such file", "trapeze train lm -o x nowhere.txt");
    refused("standard input:2: '<s>' is no word",
            "printf 'a b\\n<s> c\\n' | trapeze train lm -o x");
    refused("standard input:2: byte 2 of the line is not UTF-8",
            "printf 'a\\nb\\377\\n' | trapeze train lm -o x");
    prints("", "ls | grep '^x' || true");
    usage("which model? -m FILE", "trapeze eval lm a.txt");
    refused("a.txt:4: there is no line \\data\\", "trapeze eval lm -m a.txt a.txt");
    refused("nowhere.arpa: No such file", "trapeze eval lm -m nowhere.arpa a.txt");
    usage("one file at a time, not 'a.txt' and 'b.txt'", "trapeze eval lm -m a.txt a.txt b.txt");
    works("trapeze train lm --help && trapeze eval lm --help");
    assert_contains(out, "Kneser-Ney");
    assert_contains(out, "perplexity");
}

/* What is not listed is as rare as the rarest word that is, and this is said. */
TEST(floor) {
    write_file("floor.arpa", "\\data\\\nngram 1=3\n\\1-grams:\n-99 <s>\n-0.30103 </s>\n-1.5 a\n"
                             "\\end\\\n");
    shell("gzip floor.arpa && printf 'b a\\n' | trapeze eval lm -m floor.arpa.gz 2>said");
    assert_result_near("{\"sentences\":1,\"words\":2,\"unknown\":1,\"log_prob\":-7.60090,"
                       "\"perplexity\":12.5992,\"perplexity_known\":7.95271}\n",
                       1e-4);
    prints("trapeze eval lm: floor.arpa.gz has no <unk>: words that it does not list count as "
           "the rarest that it lists, log10 -1.5\n",
           "cat said");
}

TESTS_BETWEEN(set_up, shell_teardown)
