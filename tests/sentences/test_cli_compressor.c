/* test_cli_compressor.c - from pairs to compressions as a user types it: pairs, train compressor,
 * grammar and bigrams, and what they refuse.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"
#include "tests/support/toy.h"

/* The pairs' own trees teach the models that parse the records. */
static int set_up(void **state) {
    random_state seed[] = {{1}, {2}, {3}, {3}};
    if (shell_setup(state) != 0 || toy_file("train.conllu", toy_pairs, &seed[0], 120) != 0 ||
        toy_file("train.jsonl", toy_records, &seed[1], 80) != 0 ||
        toy_file("test.jsonl", toy_records, &seed[2], 30) != 0 ||
        toy_file("test.conllu", toy_pairs, &seed[3], 30) != 0)
        return -1;
    shell("for t in tagger fine-tagger parser labeller; do "
          "trapeze train $t -o $t.model --quiet --table 13 train.conllu || exit 1; done; "
          "trapeze model pack -o toy.model tagger.model fine-tagger.model parser.model "
          "labeller.model");
    return code;
}

TEST(pipeline) {
    /* What is parsed is what the toy language says. */
    prints("", "trapeze pairs -m toy.model test.jsonl | grep -v '^#' | cmp - test.conllu");
    works(
        "trapeze pairs -m toy.model train.jsonl > pairs.conllu && "
        "trapeze train grammar -o grammar.bin pairs.conllu && "
        "sed 's/.*tokens\": \"//; s/\".*//' train.jsonl | trapeze train lm --quiet -n 2 -o lm.arpa "
        "&& trapeze train bigrams -o bigrams.bin lm.arpa && "
        "trapeze train compressor --single-root --margin 1 --epochs 3 --table 13 --grammar "
        "grammar.bin --bigrams bigrams.bin --dev test.conllu --test test.conllu -o c.model "
        "pairs.conllu");
    assert_contains(err, "dev: kept-token F1 100.00 % (best)");
    assert_contains(err, "keeping a word weighs +0 more\n");
    assert_contains(err, "test: 30 sentences\n"
                         "  free                         kept-token F1 1.0000 mean, 1.0000 of all "
                         "words; exact 1.0000; ");
    assert_contains(err, "  at the reference's length    kept-token F1 1.0000 mean");
    assert_contains(err, "  bisection alone is exact for ");
    works("trapeze model pack -o full.model toy.model c.model grammar.bin bigrams.bin && "
          "trapeze model show full.model");
    assert_contains(out, "\ncompressor ");
    assert_contains(out, "\ngrammar ");
    assert_contains(out, "\nbigrams ");
    write_file("in.txt", "the old red dog sees a wet cat\n");
    prints("the dog sees a cat\n", "trapeze compress -m full.model in.txt");
    prints("6\n", "trapeze compress -m full.model --keep 6 in.txt | wc -w | tr -d ' '");
}

/* Fine tags that are given are used, or not; what cannot be learned from is left out. */
TEST(pairs) {
    write_file("a.jsonl", "{\"tokens\":[\"the\",\"old\",\"cat\",\"sees\"],\"keep\":[1,0,1,1],"
                          "\"pos\":\"A B C D\",\"id\":7}\n"
                          "\n"
                          "{\"tokens\":\"the cat sees\",\"keep\":\"000\"}\n"
                          "{\"tokens\":\"the old old old cat sees\",\"keep\":\"100011\"}\n");
    works("trapeze pairs -m toy.model --max-words 5 a.jsonl");
    assert_string_equal(err, "trapeze pairs: left out: 1 pairs of which nothing is kept, 1 of more "
                             "than 5 words\n");
    assert_string_equal(out, "# sent_id = 7\n"
                             "1\tthe\t_\tDET\tA\t_\t3\tdet\t_\tKept=3\n"
                             "2\told\t_\tADJ\tB\t_\t3\tamod\t_\t_\n"
                             "3\tcat\t_\tNOUN\tC\t_\t4\tnsubj\t_\tKept=4\n"
                             "4\tsees\t_\tVERB\tD\t_\t0\troot\t_\tKept=0\n\n");
    prints("2\told\t_\tADJ\tADJ\t_\t3\tamod\t_\t_\n",
           "trapeze pairs -m toy.model --retag --quiet a.jsonl | head -n 3 | tail -n 1");
    static const struct {
        const char *line, *message;
    } wrong[] = {
        {"{\"keep\":\"1\"}", "a.jsonl:1: there is no \"tokens\": the words of the sentence"},
        {"{\"tokens\":\"a b\",\"keep\":\"1\"}", "a.jsonl:1: keep: 1 marks for 2 words"},
        {"{\"tokens\":\"a b\",\"keep\":\"11\",\"pos\":\"X\"}",
         "a.jsonl:1: pos: 1 tags for 2 words"},
        {"{\"tokens\":\"a b\"}", "a.jsonl:1: there is no \"keep\" and no \"compression\""},
        {"[1]", "a.jsonl:1: expected an object {...}, not"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        write_file("a.jsonl", wrong[w].line);
        refused(wrong[w].message, "trapeze pairs -m toy.model a.jsonl");
    }
    write_file("b.jsonl", "{\"tokens\":\"the cat\",\"keep\":\"01\",\"pos\":\"A B\"}\n[1]\n\377\n"
                          "{\"tokens\":\"a dog\",\"keep\":\"11\",\"pos\":\"C D\"}\n");
    shell("trapeze pairs --tags --keep-going b.jsonl | cut -f 1,2,5");
    assert_string_equal(out, "1\tthe\tA\n2\tcat\tB\n\n1\ta\tC\n2\tdog\tD\n\n");
    assert_contains(err, "b.jsonl:2: expected an object {...}, not");
    assert_contains(err, "b.jsonl:3: byte 1 of the line is not UTF-8");
    refused("b.jsonl:2: ", "trapeze pairs --tags --keep-going b.jsonl >/dev/null");
    refused("tagger.model: there is no fine-tagger in this model; `trapeze model pack` puts models "
            "together",
            "trapeze pairs -m tagger.model a.jsonl");
    usage("one FILE at most, not 'a' and 'b'", "trapeze pairs a b");
}

TEST(training) {
    /* The same bytes for any number of threads. */
    prints("",
           "for t in 1 2; do trapeze train compressor --epochs 2 --table 12 --order 2 --threads $t "
           "--quiet -o $t.model test.conllu || exit 1; done; cmp 1.model 2.model");
    works("trapeze train compressor --epochs 1 --table 12 --quiet --without lm,fidelity --test "
          "test.conllu train.conllu && ls *.model | wc -l | tr -d ' '");
    assert_contains(err, "test: 30 sentences");
    usage("--without writes no model: leave out -o",
          "trapeze train compressor --without lm -o x.model train.conllu");
    usage("--without: there is no 'chunks'; did you mean 'chunk'?; --help lists them",
          "trapeze train compressor --without lm,chunks train.conllu");
    prints(
        "1\n1\n1\n",
        "for t in f1 exact rate; do trapeze train compressor --epochs 1 --table 10 --tune $t --dev "
        "test.conllu -o $t.model train.conllu 2>&1 | grep -c 'keeping a word weighs'; done");
    usage("--tune is f1, exact or rate, not 'words'",
          "trapeze train compressor --tune words --dev test.conllu -o x.model train.conllu");
    usage("--tune is for --dev: on which pairs?",
          "trapeze train compressor --tune exact -o x.model train.conllu");
    usage("-o MODEL is missing", "trapeze train compressor train.conllu");
    refused("none.conllu:1: no word of the sentence is kept: MISC of kept words says "
            "Kept=HEAD, as `trapeze pairs` writes it",
            "sed 's/Kept=.*/_/' test.conllu > none.conllu; "
            "trapeze train compressor -o x.model none.conllu");
    write_file("roots.conllu", "1\ta\t_\tX\t_\t_\t0\tr\t_\tKept=0\n"
                               "2\tb\t_\tX\t_\t_\t1\tr\t_\tKept=0\n");
    works("trapeze train compressor -o x.model --single-root --epochs 1 --table 10 roots.conllu");
    assert_contains(err, "1 root words now modify the first root word of their compression");
}

TEST(tables) {
    refused("g.bin: this is a dependency grammar, not a language model",
            "trapeze train grammar -o g.bin train.conllu test.conllu && "
            "trapeze train compressor --grammar g.bin --bigrams g.bin -o x.model train.conllu");
    refused("train.conllu: not a hashed dependency grammar of trapeze",
            "trapeze train compressor --grammar train.conllu -o x.model train.conllu");
    usage("-o FILE is missing: the file to write", "trapeze train grammar train.conllu");
    usage("FILE is missing: what to learn from", "trapeze train bigrams -o b.bin");
    usage("one FILE, not 'a' and 'b'", "trapeze train bigrams -o b.bin a b");
    refused("one.arpa: the model is of order 1: bigrams take order 2 or more",
            "echo a b | trapeze train lm --quiet -n 1 -o one.arpa; "
            "trapeze train bigrams -o b.bin one.arpa");
    refused("none.arpa: No such file or directory", "trapeze train bigrams -o b.bin none.arpa");
}

TESTS_BETWEEN(set_up, shell_teardown)
