/* test_cli_learn.c - do train, tag, parse and eval do what their manual says, as a user types it?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/shell.h"
#include "tests/support/toy.h"

static int set_up(void **state) {
    random_state random = random_start("toy treebank");
    return shell_setup(state) == 0 && toy_file("train.conllu", toy_treebank, &random, 200) == 0 &&
                   toy_file("dev.conllu", toy_treebank, &random, 50) == 0
               ? 0
               : -1;
}

/* Training, predicting and measuring, from end to end; the file's other rows and columns stay. */
TEST(tagger) {
    works("trapeze train tagger -o tag.model --dev dev.conllu --table 14 train.conllu");
    assert_contains(err, "dev: UPOS accuracy 100.00 % (best)");
    assert_contains(err, "rows used");
    works("sed 's/[A-Z][A-Z]*/_/' dev.conllu | trapeze tag -m tag.model > tagged.conllu && "
          "trapeze eval tagger dev.conllu tagged.conllu && cmp dev.conllu tagged.conllu");
    assert_contains(out, "UPOS accuracy             100.00 %");
    write_file("two.conllu", "# sent_id = a\n"
                             "1-2\tthecat\t_\t_\t_\t_\t_\t_\t_\t_\n"
                             "1\tthe\tl\t_\tX\tf=g\t2\tdet\te\tm\n"
                             "2\tcat\t_\tX\t_\t_\t_\t_\t_\t_\n"
                             "2.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_\n");
    prints("# sent_id = a\n"
           "1-2\tthecat\t_\t_\t_\t_\t_\t_\t_\t_\n"
           "1\tthe\tl\tDET\tX\tf=g\t2\tdet\te\tm\n"
           "2\tcat\t_\tNOUN\t_\t_\t_\t_\t_\t_\n"
           "2.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_\n"
           "\n",
           "trapeze tag -m tag.model two.conllu");
    prints("", "trapeze tag -m tag.model < /dev/null");
}

TEST(parser) {
    static const char *const roots[] = {"", "--single-root", "--order 2",
                                        "--order=2 --single-root"};
    for (size_t r = 0; r < sizeof roots / sizeof *roots; r++) {
        works("trapeze train parser -o parse.model --dev dev.conllu --table=16 --threads 2 %s "
              "train.conllu && trapeze parse -m parse.model dev.conllu > parsed.conllu && "
              "trapeze eval parser dev.conllu parsed.conllu",
              roots[r]);
        assert_contains(out, "UAS                       100.00 %");
        assert_contains(out, "UAS without punctuation   100.00 %");
    }
    prints("", "trapeze parse -m parse.model --threads 3 dev.conllu | cmp - parsed.conllu");
    write_file("one.conllu", "1\tsees\t_\tVERB\t_\t_\t_\t_\t_\tm\n");
    prints("1\tsees\t_\tVERB\t_\t_\t0\t_\t_\tm\n\n", "trapeze parse -m parse.model one.conllu");
}

/* The same seed gives the same file, whatever the number of threads; another one does not. */
TEST(repeatable) {
    prints("", "for t in 1 2; do trapeze train parser -o t$t.model --quiet --seed 5 --epochs 2 "
               "--table 12 --threads $t train.conllu || exit 9; done; cmp t1.model t2.model");
    shell("trapeze train parser -o t3.model --quiet --seed 6 --epochs 2 --table 12 train.conllu; "
          "cmp -s t1.model t3.model");
    assert_int_equal(code, 1);
    works("trapeze train parser -o t4.model --floats --quiet --epochs 1 --table 12 train.conllu; "
          "trapeze parse -m t4.model dev.conllu | wc -l");
    shell("ls *.model.*");
    assert_int_equal(code, 2);
}

/* By log-likelihood, with every way of moving weights. */
TEST(likelihood) {
    static const char *const how[] = {"", "--optimiser adam --rate 0.02 --l2 0.2",
                                      "--optimiser lbfgs --epochs 2 --least 0", "--least 0.01"};
    for (int h = 0; h < 4; h++) {
        works("trapeze train tagger -o tag.model --table 14 --objective likelihood --epochs 5 %s "
              "--dev dev.conllu train.conllu && trapeze tag -m tag.model dev.conllu | "
              "trapeze eval tagger dev.conllu -",
              how[h]);
        assert_contains(err, "neg. log lik. 0.");
        assert_contains(err, "a word");
        assert_contains(out, "UPOS accuracy             100.00 %");
    }
    shell("trapeze train parser -o parse.model --objective=likelihood --epochs 3 --threads 2 "
          "--table 16 train.conllu && trapeze parse -m parse.model dev.conllu | "
          "trapeze eval parser dev.conllu -");
    assert_contains(out, "UAS                       100.00 %");
    shell("trapeze train parser -o parse.model --margin 2.5 --epochs 3 --table 16 train.conllu && "
          "trapeze parse -m parse.model dev.conllu | trapeze eval parser dev.conllu -");
    assert_contains(out, "UAS                       100.00 %");
}

/* Stopped by each signal, and gone on with, also on other threads: the same file as without. The
 * signal comes after the first epoch, and before the last, however slow this is: what a training
 * says of 10,000 epochs has no room in the pipe, so that it waits to be read. */
TEST(stopped) {
    static const char *const signals[] = {"INT", "TERM"};
    static const char *const how[] = {"--objective likelihood", "--batch 3"};
    shell("mkfifo said");
    for (int s = 0; s < 2; s++) {
        /* The shell has commands in the background ignore SIGINT. */
        refused(
            "stopped; no model is written; --resume goes on from s.state",
            "rm -f s.model; env --default-signal=%s trapeze train tagger -o s.model "
            "--epochs 10000 --table 10 --state s.state %s --dev dev.conllu --patience 10000 "
            "train.conllu 2>said & { read -r first; kill -s %s $!; echo \"$first\"; tail -n 2; } "
            "<said >&2; wait $!",
            signals[s], how[s], signals[s]);
        int epoch = 0; /* the last that was over */
        for (const char *line = err; (line = strstr(line, "epoch ")); line++)
            sscanf(line, "epoch %d of", &epoch);
        assert_in_range(epoch, 1, 9999);
        shell("ls s.model");
        assert_int_equal(code, 2);
        usage("--state s.state is there already",
              "trapeze train tagger -o s.model --epochs %d --table 10 --state s.state %s "
              "--dev dev.conllu --patience 10000 train.conllu",
              epoch + 2, how[s]);
        prints("",
               "trapeze train tagger -o s.model --epochs %d --table 10 --state s.state %s "
               "--dev dev.conllu --patience 10000 --resume --threads 3 --quiet train.conllu && "
               "trapeze train tagger -o t.model --epochs %d --table 10 %s --quiet "
               "--dev dev.conllu --patience 10000 train.conllu && cmp s.model t.model; rm s.state",
               epoch + 2, how[s], epoch + 2, how[s]);
    }
}

TEST(lifted) {
    write_file("cross.conllu", "1\ta\t_\tA\t_\t_\t3\t_\t_\t_\n"
                               "2\tb\t_\tB\t_\t_\t0\t_\t_\t_\n"
                               "3\tc\t_\tC\t_\t_\t2\t_\t_\t_\n"
                               "4\td\t_\tD\t_\t_\t1\t_\t_\t_\n\n"
                               "1\ta\t_\tA\t_\t_\t0\t_\t_\t_\n"
                               "2\tb\t_\tB\t_\t_\t0\t_\t_\t_\n");
    works("trapeze train parser -o c.model --table 10 --epochs 1 cross.conllu");
    assert_contains(err, "2 arcs of 1 trees were lifted");
    assert_lacks(err, "left out");
    shell("trapeze train parser -o c.model --table 10 --epochs 1 --single-root cross.conllu");
    assert_contains(err, "1 trees without exactly one root word were left out");
}

TEST(eval) {
    write_file("gold.conllu", "1\ta\t_\tA\t_\t_\t2\t_\t_\t_\n"
                              "2\tb\t_\tB\t_\t_\t0\t_\t_\t_\n"
                              "3\t.\t_\tPUNCT\t_\t_\t2\t_\t_\t_\n\n"
                              "1\tc\t_\tA\t_\t_\t0\t_\t_\t_\n");
    write_file("guess.conllu", "1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n"
                               "2\tb\t_\tB\t_\t_\t0\t_\t_\t_\n"
                               "3\t.\t_\tPUNCT\t_\t_\t1\t_\t_\t_\n\n"
                               "1\tc\t_\tA\t_\t_\t_\t_\t_\t_\n");
    prints("UPOS accuracy              75.00 %  [ 66.67, 100.00]  3 of 4 words\n"
           "UPOS, whole sentences      50.00 %  [  0.00, 100.00]  1 of 2 sentences\n"
           "2 sentences; in brackets 95 % of 10000 bootstrap samples of them\n",
           "trapeze eval tagger gold.conllu guess.conllu");
    prints("UAS                        25.00 %  [  0.00,  33.33]  1 of 4 words\n"
           "UAS without punctuation    33.33 %  [  0.00,  50.00]  1 of 3 words\n"
           "UAS, whole sentences        0.00 %  [  0.00,   0.00]  0 of 2 sentences\n"
           "2 sentences; in brackets 95 % of 10000 bootstrap samples of them\n",
           "trapeze eval parser gold.conllu - < guess.conllu");
    refused("guess.conllu:5: word 1 has no head", "trapeze eval parser guess.conllu gold.conllu");
    refused("standard input has fewer sentences than gold.conllu",
            "head -n 4 gold.conllu | trapeze eval tagger gold.conllu -");
    refused("standard input:1: the sentence has 1 words, that of gold.conllu has 3",
            "tail -n 1 gold.conllu | trapeze eval tagger gold.conllu -");
    refused("standard input:2: word 2 is 'x', in gold.conllu:2 it is 'b'",
            "sed s/b/x/ gold.conllu | trapeze eval tagger gold.conllu -");
}

/* A tagset like that of Czech: the table becomes smaller, or what is told does not fit. */
TEST(many_tags) {
    prints("", "awk 'BEGIN { for (i = 1; i <= 300; i++) printf "
               "\"1\\tw%%d\\t_\\tX\\tT%%d\\t_\\t_\\t_\\t_\\t_\\n\\n\", "
               "i, i }' > tags.conllu; trapeze train fine-tagger -o many.model --quiet --table 12 "
               "--epochs 5 tags.conllu");
    prints("w256\tT256\nw257\tT257\nw300\tT300\n",
           "trapeze tag -m many.model tags.conllu | cut -f 2,5 | grep "
           "'^w\\(256\\|257\\|300\\)\t'");
    refused("300 labels and --table=18 are more than 67108864 weights; 17 fits",
            "trapeze train fine-tagger -o x.model --table 18 tags.conllu");
    prints("300 labels: a table of 2^17 rows has room for them\n",
           "trapeze train fine-tagger --epochs 1 -o x.model tags.conllu 2>&1 | head -n 1");
}

/* Labels, fine tags, and two systems: where nothing was found, nothing is measured. */
TEST(eval_two) {
    write_file("g.conllu", "1\ta\t_\tA\tx\t_\t2\tl\t_\t_\n"
                           "2\tb\t_\tB\ty\t_\t0\tr\t_\t_\n\n"
                           "1\tc\t_\tA\tx\t_\t0\tr\t_\t_\n\n");
    write_file("p.conllu", "1\ta\t_\tA\tx\t_\t2\tl:s\t_\t_\n"
                           "2\tb\t_\tB\tx\t_\t0\tr\t_\t_\n\n"
                           "1\tc\t_\tA\tx\t_\t0\tr\t_\t_\n\n");
    prints("figure\tvalue\tlow\thigh\nuas\t1\t1\t1\nuas.without_punctuation\t1\t1\t1\n"
           "las\t0.6666666666666666\t0.5\t1\n"
           "las.without_punctuation\t0.6666666666666666\t0.5\t1\nuas.sentences\t1\t1\t1\n",
           "sed 's/[lr][:s]*\t_/_\t_/;s/[xy]/_/' p.conllu > bare.conllu; trapeze eval parser -f "
           "tsv --resamples 100 g.conllu p.conllu");
    prints("%                               1                         2                     "
           "2 - 1                   2 > 1       p\n"
           "UPOS accuracy              100.00 [100.00, 100.00]   100.00 [100.00, 100.00]    "
           "+0.00 [ +0.00,  +0.00]   50.0  1.0000\n"
           "XPOS accuracy               66.67 [ 50.00, 100.00]        -\n"
           "UPOS, whole sentences      100.00 [100.00, 100.00]   100.00 [100.00, 100.00]    "
           "+0.00 [ +0.00,  +0.00]   50.0  1.0000\n"
           "1: p.conllu\n"
           "2: bare.conllu\n"
           "2 sentences; in brackets 95 % of 10000 bootstrap samples of them\n"
           "2 > 1: share of samples where 2 is greater; p: approximate randomisation\n",
           "trapeze eval tagger g.conllu p.conllu bare.conllu");
    prints(
        "{\"sentences\":2,\"resamples\":10000,\"seed\":2,\"systems\":[\"bare.conllu\"],\"figures\":"
        "[{\"figure\":\"uas\",\"systems\":[{\"value\":1,\"low\":1,\"high\":1}]},{\"figure\":\"uas."
        "without_punctuation\",\"systems\":[{\"value\":1,\"low\":1,\"high\":1}]},{\"figure\":"
        "\"las\",\"systems\":[null]},{\"figure\":\"las.without_punctuation\",\"systems\":[null]},{"
        "\"figure\":\"uas.sentences\",\"systems\":[{\"value\":1,\"low\":1,\"high\":1}]}]}\n",
        "trapeze eval parser g.conllu bare.conllu -f json --seed=2");
}

/* What cannot be written is refused at once, by every task, before the data are looked at. */
TEST(outputs) {
    static const char *const tasks[] = {"tagger",    "fine-tagger", "joint-tagger", "parser",
                                        "splitter",  "tokeniser",   "labeller",     "compressor",
                                        "deletions", "grammar",     "dictionary",   "pcfg",
                                        "lm",        "bigrams",     "aligner"};
    write_file("old", "old\n");
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        refused("none/x: cannot write: No such file or directory",
                "trapeze train %s -o none/x absent", tasks[t]);
        refused(".: cannot write: Is a directory", "trapeze train %s -o . absent", tasks[t]);
        refused("old/x: cannot write: Not a directory", "trapeze train %s -o old/x absent",
                tasks[t]);
        /* What could be written is as it was, where the data are no good. */
        refused("absent", "trapeze train %s -o old absent", tasks[t]);
        prints("old\n", "cat old; trapeze train %s -o new absent 2>told; test ! -e new", tasks[t]);
    }
    refused("none/x: cannot write", "trapeze train aligner -o x --table none/x absent");
    refused("none/x: cannot write", "trapeze train tagger -o x --state none/x absent");
    refused("absent", "mkdir 18; trapeze train tagger -o x --table 18 absent"); /* no file */
}

TEST(refused) {
    write_file("untagged.conllu", "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n");
    refused("untagged.conllu:1: word 1 has no tag (UPOS)",
            "trapeze train tagger -o x untagged.conllu");
    refused("untagged.conllu:1: word 1 has no head (HEAD)",
            "trapeze train parser -o x untagged.conllu");
    refused("standard input: there is no sentence", "trapeze train parser -o x - < /dev/null");
    refused("absent: No such file", "trapeze train parser -o x absent");
    refused("dev.conllu: not a model of trapeze", "trapeze parse -m dev.conllu dev.conllu");
    refused(
        "t.model: there is no parser in this model",
        "trapeze train tagger -o t.model --quiet --table 8 --epochs 1 dev.conllu; trapeze parse "
        "-m t.model dev.conllu");
    refused("none/x: cannot write: No such file",
            "trapeze train tagger -o none/x --quiet --table 8 --epochs 1 dev.conllu");
    refused("standard input:1: 2 columns where CoNLL-U has 10",
            "printf '1\\ta\\n' | trapeze tag -m t.model --input-format=conllu");

    usage("say which task: tagger, fine-tagger, ", "trapeze train");
    usage("did you mean 'tagger'?", "trapeze train taggr");
    usage("-o MODEL is missing", "trapeze train tagger train.conllu");
    usage("the treebank is missing", "trapeze train tagger -o x");
    usage("unknown option '--single-root'", "trapeze train tagger -o x --single-root train.conllu");
    usage("--table takes a whole number from 1 to 26",
          "trapeze train parser -o x --table 29 train.conllu");
    usage("--objective is perceptron or likelihood, not 'likelyhood'; did you mean 'likelihood'?",
          "trapeze train parser -o x --objective likelyhood train.conllu");
    usage("--optimiser is adagrad, adam or lbfgs, not 'sgd'",
          "trapeze train parser -o x --objective likelihood --optimiser sgd train.conllu");
    usage("go with --objective likelihood", "trapeze train parser -o x --rate 0.1 train.conllu");
    usage("--margin goes with --objective perceptron",
          "trapeze train parser -o x --objective likelihood --margin 1 train.conllu");
    usage("--rate is above 0",
          "trapeze train parser -o x --objective likelihood --rate 0 train.conllu");
    usage("--l2 takes a number from 0 to 1000000, not '-1'",
          "trapeze train parser -o x --objective likelihood --l2 -1 train.conllu");
    usage("--optimiser lbfgs has no --rate and no --batch",
          "trapeze train parser -o x --objective likelihood --optimiser lbfgs --batch 2 a");
    usage("--resume goes with --state FILE", "trapeze train parser -o x --resume train.conllu");
    refused("absent: No such file",
            "trapeze train parser -o x --resume --state absent --table 10 train.conllu");
    refused("dev.conllu: not a training state of trapeze",
            "trapeze train parser -o x --resume --state dev.conllu --table 10 train.conllu");
    refused("none/s: cannot write: No such file",
            "trapeze train parser -o x --state none/s --epochs 1 --table 10 --quiet train.conllu");
    refused("absent: No such file", "TRAPEZE_MODEL=absent trapeze tag dev.conllu");
    usage("two files are needed: GOLD and PREDICTED", "trapeze eval tagger dev.conllu");
    usage(
        "unknown task 'dogs': tagger, parser, words, compression, compressor, text, lm, alignment "
        "or trees",
        "trapeze eval dogs a b");
    usage("say which task: tagger, parser, words, ", "trapeze eval");
    static const char *const helps[] = {"train", "train tagger", "train parser",
                                        "tag",   "parse",        "eval"};
    for (size_t h = 0; h < sizeof helps / sizeof *helps; h++) {
        works("trapeze %s --help", helps[h]);
        assert_contains(out, "Exit code");
    }
}

/* scripts/treebank, of a treebank that has no XPOS. */
TEST(without_fine_tags) {
    works("%s/scripts/treebank train.conllu dev.conllu all.model", TZ_SOURCE_ROOT);
    assert_contains(err, " words have no XPOS: of tags, UPOS alone is learned\n");
    assert_contains(out, "UPOS accuracy             100.00 %");
    assert_lacks(out, "XPOS");
    prints("the/DET old/ADJ dog/NOUN likes/VERB tea/NOUN\n",
           "echo the old dog likes tea | trapeze tag -m all.model");
    works("%s/scripts/jackknife train.conllu 2 > tagged && trapeze eval tagger train.conllu tagged",
          TZ_SOURCE_ROOT);
}

/* Real text, a little of it: a tenth of the words is enough to be right most of the time. */
TEST(treebank) {
    static const char folder[] = TZ_SOURCE_ROOT "/../shared/data/ud-english-ewt";
    if (access(folder, R_OK) != 0) {
        print_message("%s is absent: skipped\n", folder);
        skip();
    }
    works("for f in train dev; do awk 'BEGIN {RS = \"\"; ORS = \"\\n\\n\"} NR > 300 {exit} 1' "
          "%s/en_ewt-ud-$f.conllu > $f.conllu; done\n"
          "trapeze train tagger -o t.model --quiet --epochs 3 --table 16 train.conllu && "
          "trapeze tag -m t.model dev.conllu | trapeze eval tagger dev.conllu - && "
          "trapeze train parser -o p.model --quiet --epochs 2 --table 18 train.conllu && "
          "trapeze parse -m p.model dev.conllu | trapeze eval parser dev.conllu -",
          folder);
    double tags = 0, arcs = 0;
    assert_int_equal(sscanf(out, "UPOS accuracy %lf", &tags), 1);
    const char *uas = need(strstr(out, "UAS "));
    assert_int_equal(sscanf(uas, "UAS %lf", &arcs), 1);
    print_message("UPOS %.2f, UAS %.2f\n", tags, arcs);
    assert_true(tags > 80 && arcs > 70);
}

TESTS_BETWEEN(set_up, shell_teardown)
