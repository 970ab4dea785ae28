/* test_eval_cli.c - does `trapeze eval compression` do what its manual says, as a user types it?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"
#include "tests/support/toy.h"

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("gold.jsonl",
               "{\"id\":\"a\",\"tokens\":\"the dog barks .\",\"keep\":\"0111\"}\n\n"
               "{\"id\":\"b\",\"tokens\":[\"a\",\"black\",\"cat\",\"sleeps\",\"all\",\"day\"],"
               "\"keep\":[true,false,true,1,0,0]}\r\n");
    write_file("same.jsonl", "{\"id\":\"b\",\"keep\":\"101100\"}\n"
                             "{\"id\":\"a\",\"compression\":\"Dog barks.\"}\n");
    write_file("other.jsonl", "{\"id\":\"a\",\"tokens\":\"the dog barks .\",\"keep\":\"1111\"}\n"
                              "{\"id\":\"b\",\"keep\":\"000010\"}\n");
    write_file("other.txt", "the dog barks.\nall\n");
    return 0;
}

/* Words of references as they are printed, beside the references' texts: the first is the same but
 * for a comma and the end; the second is another text, and is passed over. */
TEST(text) {
    random_state random = random_start("toy treebank");
    assert_int_equal(toy_file("train.conllu", toy_treebank, &random, 50), 0);
    shell("trapeze train tagger -o tag.model --quiet --table 14 train.conllu && "
          "trapeze train parser -o parse.model --quiet --table 14 train.conllu && "
          "trapeze model pack -o toy.model tag.model parse.model");
    write_file("text.jsonl",
               "{\"tokens\":\"now , `` the dog '' , barks , and sees ?\","
               "\"keep\":\"000110010011\",\"text\":\"now, \\\"the dog\\\", barks, and sees?\","
               "\"compression\":\"The dog , barks sees .\"}\n"
               "{\"tokens\":\"a cat .\",\"keep\":\"011\",\"text\":\"a cat.\","
               "\"compression\":\"a dog .\"}\n");
    prints("figure\tvalue\ntext\t0\nmarks.inside\t0\ncommas.f1\t0.6666666666666666\n"
           "commas.precision\t0.5\ncommas.recall\t1\nmarks.end\t0\ncase\t0\n",
           "trapeze eval text -m toy.model --resamples 1 -f tsv text.jsonl | cut -f 1,2");
    prints("passed over: 1\n",
           "trapeze eval text -m toy.model --resamples 1 text.jsonl | grep passed");
    write_file("wrong.jsonl", "{\"tokens\":\"a cat .\",\"keep\":\"011\",\"text\":\"a cat.\"}\n");
    refused("wrong.jsonl:1: a record takes \"text\", \"keep\" and \"compression\"",
            "trapeze eval text -m toy.model wrong.jsonl");
}

TEST(table) {
    prints("kept words: F1             54.55 %  [  0.00,  85.71]\n"
           "  precision                60.00 %  [  0.00,  75.00]\n"
           "  recall                   50.00 %  [  0.00, 100.00]\n"
           "  mean F1                  42.86 %  [  0.00,  85.71]\n"
           "  mean precision           37.50 %  [  0.00,  75.00]\n"
           "  mean recall              50.00 %  [  0.00, 100.00]\n"
           "exact match                 0.00 %  [  0.00,   0.00]\n"
           "accuracy                   50.00 %  [ 33.33,  75.00]\n"
           "  mean                     54.17 %  [ 33.33,  75.00]\n"
           "SSA                        33.33 %  [  0.00,  66.67]\n"
           "  mean                     33.33 %  [  0.00,  66.67]\n"
           "1-grams: F1                54.55 %  [  0.00,  85.71]\n"
           "2-grams: F1                57.14 %  [  0.00,  80.00]\n"
           "3-grams: F1                50.00 %  [  0.00,  66.67]\n"
           "4-grams: F1                 0.00 %  [  0.00,   0.00]\n"
           "1-grams: mean F1           42.86 %  [  0.00,  85.71]\n"
           "2-grams: mean F1           40.00 %  [  0.00,  80.00]\n"
           "3-grams: mean F1           33.33 %  [  0.00,  66.67]\n"
           "4-grams: mean F1            0.00 %  [  0.00,   0.00]\n"
           "words kept                 50.00 %  [ 16.67, 100.00]\n"
           "  mean                     58.33 %  [ 16.67, 100.00]\n"
           "characters kept            45.45 %  [ 14.29, 100.00]\n"
           "  mean                     57.14 %  [ 14.29, 100.00]\n"
           "function word at the end    0.00 %  [  0.00,   0.00]\n"
           "opener stranded             0.00 %  [  0.00,   0.00]\n"
           "name cut                    0.00 %  [  0.00,   0.00]\n"
           "marks without partner       0.00 %  [  0.00,   0.00]\n"
           "negation lost               0.00 %  [  0.00,   0.00]\n"
           "a for an, an for a          0.00 %  [  0.00,   0.00]\n"
           "words kept by the references: 60.00 %\n"
           "characters kept by the references: 57.58 %\n"
           "references with a function word at the end: 0.00 %\n"
           "  with an opener stranded: 0.00 %\n"
           "  with a name cut: 0.00 %\n"
           "  with marks without partner: 0.00 %\n"
           "  with a negation lost: 0.00 %\n"
           "  with a for an, an for a: 0.00 %\n"
           "words: 10\n"
           "references: 2\n"
           "2 sentences; in brackets 95 % of 10000 bootstrap samples of them\n",
           "trapeze eval compression gold.jsonl other.jsonl");
    prints("", "trapeze eval compression --text gold.jsonl other.txt > text && "
               "trapeze eval compression gold.jsonl - --threads 3 < other.jsonl | diff text -");
    prints("%                                       1                         2             "
           "        2 - 1                   2 > 1       p\n"
           "kept words: F1                     100.00 [100.00, 100.00]    54.55 [  0.00,  "
           "85.71]   -45.45 [-100.00, -14.29]    0.0  0.5022\n"
           "  precision                        100.00 [100.00, 100.00]    60.00 [  0.00,  "
           "75.00]   -40.00 [-100.00, -25.00]    0.0  0.5022\n"
           "  recall                           100.00 [100.00, 100.00]    50.00 [  0.00, "
           "100.00]   -50.00 [-100.00,  +0.00]   12.1  1.0000\n"
           "  mean F1                          100.00 [100.00, 100.00]    42.86 [  0.00,  "
           "85.71]   -57.14 [-100.00, -14.29]    0.0  0.5022\n"
           "  mean precision                   100.00 [100.00, 100.00]    37.50 [  0.00,  "
           "75.00]   -62.50 [-100.00, -25.00]    0.0  0.5022\n"
           "  mean recall                      100.00 [100.00, 100.00]    50.00 [  0.00, "
           "100.00]   -50.00 [-100.00,  +0.00]   12.1  1.0000\n"
           "exact match                        100.00 [100.00, 100.00]     0.00 [  0.00,   "
           "0.00]  -100.00 [-100.00, -100.00]    0.0  0.5022\n"
           "accuracy                           100.00 [100.00, 100.00]    50.00 [ 33.33,  "
           "75.00]   -50.00 [-66.67, -25.00]    0.0  0.5022\n"
           "  mean                             100.00 [100.00, 100.00]    54.17 [ 33.33,  "
           "75.00]   -45.83 [-66.67, -25.00]    0.0  0.5022\n"
           "SSA                                100.00 [100.00, 100.00]    33.33 [  0.00,  "
           "66.67]   -66.67 [-100.00, -33.33]    0.0  0.5022\n"
           "  mean                             100.00 [100.00, 100.00]    33.33 [  0.00,  "
           "66.67]   -66.67 [-100.00, -33.33]    0.0  0.5022\n"
           "words kept                          60.00 [ 50.00,  75.00]    50.00 [ 16.67, "
           "100.00]   -10.00 [-33.33, +25.00]   24.2  1.0000\n"
           "  mean                              62.50 [ 50.00,  75.00]    58.33 [ 16.67, "
           "100.00]    -4.17 [-33.33, +25.00]   24.2  1.0000\n"
           "characters kept                     57.58 [ 47.62,  75.00]    45.45 [ 14.29, "
           "100.00]   -12.12 [-33.33, +25.00]   24.2  1.0000\n"
           "  mean                              61.31 [ 47.62,  75.00]    57.14 [ 14.29, "
           "100.00]    -4.17 [-33.33, +25.00]   24.2  1.0000\n"
           "kept words: F1, up to 4 words      100.00 [100.00, 100.00]    85.71 [ 85.71,  "
           "85.71]   -14.29 [-14.29, -14.29]    0.0  1.0000\n"
           "exact match, up to 4 words         100.00 [100.00, 100.00]     0.00 [  0.00,   "
           "0.00]  -100.00 [-100.00, -100.00]    0.0  1.0000\n"
           "kept words: F1, 5 words and more   100.00 [100.00, 100.00]     0.00 [  0.00,   "
           "0.00]  -100.00 [-100.00, -100.00]    0.0  1.0000\n"
           "exact match, 5 words and more      100.00 [100.00, 100.00]     0.00 [  0.00,   "
           "0.00]  -100.00 [-100.00, -100.00]    0.0  1.0000\n"
           "1: same.jsonl\n"
           "2: other.jsonl\n"
           "words kept by the references: 60.00 %\n"
           "characters kept by the references: 57.58 %\n"
           "words: 10\n"
           "references: 2\n"
           "2 sentences; in brackets 95 % of 10000 bootstrap samples of them\n"
           "2 > 1: share of samples where 2 is greater; p: approximate randomisation\n",
           "trapeze eval compression gold.jsonl same.jsonl other.jsonl --bins=4 | grep -v grams | "
           "grep -vE 'function word|opener|name cut|marks|negation|a for'");
}

TEST(formats) {
    prints("figure\tvalue1\tlow1\thigh1\tvalue2\tlow2\thigh2\tdifference\tdifference_"
           "low\tdifference_high\tgreater\tp\n"
           "exact\t1\t1\t1\t0\t0\t0\t-1\t-1\t-1\t0\t0.4117647058823529\n"
           "arcs.f1.mean\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n",
           "trapeze eval compression -f tsv gold.jsonl same.jsonl other.jsonl --resamples 50 | "
           "grep -E 'figure|exact|arcs.f1.mean'");
    prints(
        "{\"sentences\":2,\"resamples\":10000,\"seed\":1,\"references.words_kept\":0.6,"
        "\"references.characters_kept\":0.5757575757575758,\"references.defects.end\":0,"
        "\"references.defects.stranded\":0,\"references.defects.name\":0,"
        "\"references.defects.marks\":0,\"references.defects.negation\":0,"
        "\"references.defects.article\":0,\"words\":10,\"references\":2,"
        "\"systems\":[\"other.jsonl\"] ... \",\"systems\":[{\"value\":0,\"low\":0,\"high\":0}]}\n",
        "trapeze eval compression --format=json gold.jsonl other.jsonl | "
        "sed 's/,\"figures.*exact/ ... /;s/,{\"figure\":\"accuracy.*//'");
}

/* Trees numbered by the sentence or by the compression; arcs need both. */
TEST(trees) {
    write_file("tree.jsonl", "{\"tokens\":\"the dog barks .\",\"keep\":\"0111\","
                             "\"heads\":[-1,3,0,3]}\n"
                             "{\"tokens\":\"x\",\"keep\":\"1\"}\n");
    write_file("short.jsonl", "{\"keep\":\"0111\",\"heads\":[2,0,1]}\n"
                              "{\"keep\":\"1\",\"heads\":[0]}\n");
    write_file("full.jsonl", "{\"keep\":\"0111\",\"heads\":[null,3,0,2]}\n"
                             "{\"keep\":\"1\",\"heads\":[0]}\n");
    prints("arcs.f1\t0.6666666666666666\t0.6666666666666666\t0.6666666666666666\n"
           "arcs.precision\t0.6666666666666666\t0.6666666666666666\t0.6666666666666666\n"
           "arcs.recall\t0.6666666666666666\t0.6666666666666666\t0.6666666666666666\n"
           "arcs.f1.mean\t0.6666666666666666\t0.6666666666666666\t0.6666666666666666\n",
           "trapeze eval compression -f tsv tree.jsonl short.jsonl | grep arcs");
    prints("", "trapeze eval compression -f tsv tree.jsonl full.jsonl | grep arcs > full && "
               "trapeze eval compression -f tsv tree.jsonl short.jsonl | grep arcs | diff - full");
    shell("trapeze eval compression gold.jsonl same.jsonl");
    assert_lacks(out, "arcs");
}

/* Lists in a record, and further files, are the same references. */
TEST(references) {
    write_file("both.jsonl",
               "{\"tokens\":\"the dog barks .\",\"keep\":[\"0111\",[1,1,1,1]]}\n"
               "{\"tokens\":\"a black cat sleeps all day\",\"compressions\":[\"a cat sleeps\","
               "[\"all\"]]}\n");
    refused("same.jsonl:1: keep: 6 marks for 4 words",
            "trapeze eval compression both.jsonl same.jsonl"); /* by order: ids are not in GOLD */
    prints("", "tac same.jsonl | trapeze eval compression both.jsonl - > both && "
               "trapeze eval compression -r other.jsonl gold.jsonl same.jsonl | diff both -");
    prints("exact match                50.00 %  [ 50.00,  50.00]\n"
           "words kept by the references: 55.00 %\n"
           "characters kept by the references: 51.52 %\n"
           "references with a function word at the end: 0.00 %\n"
           "references: 4\n",
           "grep -E 'exact|references' both");
}

static void refuses(const char *record, const char *message) {
    write_file("system.jsonl", record);
    refused(message, "trapeze eval compression gold.jsonl system.jsonl");
}

TEST(mismatches) {
    refuses("{\"id\":\"a\",\"keep\":\"0111\"}\n",
            "system.jsonl: there is nothing for the sentence of gold.jsonl:3");
    refuses("{\"id\":\"c\",\"keep\":\"0111\"}\n",
            "system.jsonl:1: gold.jsonl has no sentence with id 'c'");
    refuses("{\"id\":\"a\",\"keep\":\"0111\"}\n\n{\"id\":\"a\",\"keep\":\"0111\"}\n",
            "system.jsonl:3: the id 'a' stands in line 1 already");
    refuses("{\"id\":\"a\",\"keep\":\"0111\"}\n{\"keep\":\"101100\"}\n",
            "system.jsonl:2: there is no \"id\", as the records before have");
    refuses("{\"keep\":\"0111\"}\n{\"id\":\"x\",\"keep\":\"101100\"}\n",
            "system.jsonl:2: the id is 'x', that of gold.jsonl:3 is 'b'");
    refuses("{\"keep\":\"0111\"}\n{\"keep\":\"101100\"}\n{\"keep\":\"1\"}\n",
            "system.jsonl:3: gold.jsonl has only 2 sentences");
    refuses("{\"tokens\":\"the dog\",\"keep\":\"01\"}\n",
            "system.jsonl:1: the sentence has 2 words, that of gold.jsonl:1 has 4");
    refuses("{\"tokens\":\"the cat barks .\",\"keep\":\"0101\"}\n",
            "system.jsonl:1: word 2 is 'cat', in gold.jsonl:1 it is 'dog'");
    refuses("{\"keep\":[\"0101\",\"1111\"]}\n",
            "system.jsonl:1: 2 compressions of one sentence; one is evaluated at a time");
}

TEST(records) {
    refuses("{\"keep\":\"01\"}\n", "system.jsonl:1: keep: 2 marks for 4 words");
    refuses("{\"keep\":\"dog barks\"}\n", "system.jsonl:1: keep: expected 0 or 1 for each word");
    refuses("{\"keep\":[1,1,2,0]}\n", "system.jsonl:1: keep: the mark of word 3 is neither");
    refuses("{\"keep\":7}\n", "system.jsonl:1: keep: expected a string or a list, not");
    refuses("{\"keep\":[]}\n", "system.jsonl:1: keep: 0 marks for 4 words");
    refuses("{}\n", "system.jsonl:1: there is no \"keep\" and no \"compression\"");
    refuses("[1]\n", "system.jsonl:1: expected an object {...}, not an array");
    refuses("{\"keep\n", "system.jsonl:1: ");
    refuses("{\"compression\":\"dog sings\"}\n",
            "system.jsonl:1: compression: the compression is not made of words of the sentence");
    refuses("{\"compressions\":\"dog\"}\n", "system.jsonl:1: compressions: expected a list, not");
    refuses("{\"compressions\":[]}\n", "system.jsonl:1: compressions: the list is empty");
    refuses("{\"tokens\":[\"the\",\"\"],\"keep\":\"01\"}\n",
            "system.jsonl:1: tokens[1]: expected a word, not an empty string");
    refuses("{\"tokens\":3,\"keep\":\"01\"}\n", "system.jsonl:1: tokens: expected a string");
    refuses("{\"keep\":\"0111\",\"heads\":[3,0]}\n",
            "system.jsonl:1: heads: expected a list of 4 heads, one a word, or of 3");
    refuses("{\"keep\":\"0111\",\"heads\":[-1,3,5,3]}\n", "system.jsonl:1: heads[2]: expected the");
    refuses("{\"keep\":\"0111\",\"heads\":[-1,1,0,3]}\n",
            "system.jsonl:1: heads[1]: the head, word 1, is dropped");
    refused("standard input:1: there are no \"tokens\"",
            "echo '{\"keep\":\"1\"}' | trapeze eval compression - same.jsonl");
    refused("/dev/null: there is no sentence", "trapeze eval compression /dev/null same.jsonl");
    refused("absent: No such file", "trapeze eval compression gold.jsonl absent");
    refused("standard input:2: the compression is not made of words of the sentence",
            "printf 'dog\\nsleeping\\n' | trapeze eval compression --text gold.jsonl -");
}

/* Trees by a parser: of the kept words alone, references and outputs alike. */
TEST(parsed) {
    random_state random = random_start("toy treebank");
    assert_int_equal(toy_file("train.conllu", toy_treebank, &random, 200), 0);
    works("trapeze train tagger -o tag.model --quiet --epochs 2 --table 12 train.conllu && "
          "trapeze train parser -o parse.model --quiet --epochs 2 --table 14 train.conllu && "
          "trapeze model pack -o both.model tag.model parse.model");
    write_file("toy.jsonl", "{\"tokens\":\"the old dog sees a red cat\",\"keep\":\"1011101\"}\n"
                            "{\"tokens\":\"the cat bark\",\"keep\":\"111\"}\n");
    write_file("found.jsonl", "{\"keep\":\"0011001\"}\n{\"keep\":\"000\"}\n");
    prints("arcs.f1\t1\t1\t1\narcs.f1.mean\t1\t1\t1\n",
           "trapeze eval compression -m both.model -f tsv toy.jsonl toy.jsonl | grep arcs.f1");
    shell("trapeze eval compression -m both.model -f tsv toy.jsonl found.jsonl | cut -f 1,2 | "
          "grep arcs");
    /* dog <- sees, sees <- root, cat <- sees, of those and two determiners; and nothing of three.
     */
    assert_result("arcs.f1\t0.5454545454545454\narcs.precision\t1\narcs.recall\t0.375\n"
                  "arcs.f1.mean\t0.375\n");
    refused("tag.model: there is no parser in this model",
            "trapeze eval compression -m tag.model toy.jsonl found.jsonl");
    refused("gold.jsonl: not a model of trapeze",
            "trapeze eval compression -m gold.jsonl toy.jsonl found.jsonl");
    refused("both.model: there is no compressor in this model",
            "trapeze eval compressor -m both.model toy.jsonl");
}

/* A language whose compressions leave out adjectives: a model that has learned it is right, freely
 * and at the references' length; held to nothing it keeps nothing. */
TEST(compressor) {
    random_state random = random_start("toy compressions");
    assert_int_equal(toy_file("train.conllu", toy_treebank, &random, 300), 0);
    works("awk -F '\t' -v OFS='\t' 'NF == 10 && $4 != \"ADJ\" {$10 = \"Kept=\" $7} NF == 10 {$8 = "
          "\"_\"} 1' train.conllu "
          "> kept.conllu && awk 'NF == 10 {t = t \" \" $2; k = k ($4 != \"ADJ\")} NF == 0 && n++ < "
          "50 "
          "{print \"{\\\"tokens\\\":\\\"\" t \"\\\",\\\"keep\\\":\\\"\" k \"\\\"}\"} NF == 0 "
          "{t = k = \"\"}' train.conllu > toys.jsonl && "
          "trapeze train tagger -o tag.model --quiet --epochs 3 --table 12 train.conllu && "
          "trapeze train parser -o parse.model --quiet --epochs 3 --table 14 train.conllu && "
          "trapeze train compressor -o short.model --quiet --epochs 3 --table 14 kept.conllu && "
          "trapeze model pack -o all.model tag.model parse.model short.model");
    prints("kept.f1\t1\t1\t1\nexact\t1\t1\t1\narcs.f1\t1\t1\t1\n",
           "trapeze eval compressor -m all.model -f tsv toys.jsonl -o free.jsonl | "
           "grep -E '^(kept.f1|exact|arcs.f1)\t'");
    prints(
        "kept.f1\t1\t1\t1\narcs.f1\tNA\tNA\tNA\n",
        "trapeze eval compression -f tsv toys.jsonl free.jsonl | grep -E '^(kept.f1|arcs.f1)\t'");
    prints("1\n",
           "sed 's/1\\(1*\\)\"}/0\\1\"}/' toys.jsonl > less.jsonl && trapeze eval compressor "
           "-m all.model --threads 2 -f tsv --length reference less.jsonl | "
           "awk '$1 == \"kept.precision\" {p = $2} $1 == \"kept.recall\" {print p == $2}'");
    prints("exact\t1\t1\t1\t1\t1\t1\t0\t0\t0\t0.5\t1\n",
           "sed 's/\"keep\":\"[01]*/\"compression\":\"/' toys.jsonl > none.jsonl && trapeze eval "
           "compressor "
           "-m all.model -m all.model --length=reference -f tsv none.jsonl | grep -E '^exact'");
    prints("exact\t1\t1\t1\n",
           "awk 'BEGIN {RS = \"\"; ORS = \"\\n\\n\"} NR <= 50' train.conllu | trapeze compress -m "
           "all.model "
           "--format json | trapeze eval compression -f tsv toys.jsonl - | grep -E '^exact'");
    refused("none/x: cannot write", "trapeze eval compressor -m all.model -o none/x toys.jsonl");
    refused("absent: No such file", "TRAPEZE_MODEL=absent trapeze eval compressor toys.jsonl");
}

TEST(usage) {
    usage("two files are needed: GOLD and SYSTEM", "trapeze eval compression gold.jsonl");
    usage("only one file can be standard input", "trapeze eval compression - -");
    usage("'d' is one too many", "trapeze eval compression a b c d");
    usage("--bins takes up to 32 ascending numbers of words, as in 10,20,40, not '10,5'",
          "trapeze eval compression --bins 10,5 a b");
    usage("--format is table, tsv or json, not 'xml'", "trapeze eval compression --format xml a b");
    usage("--resamples takes a whole number from 1", "trapeze eval compression --resamples 0 a b");
    usage("did you mean 'compression'?", "trapeze eval compresion a b");
    usage("GOLD is missing", "trapeze eval compressor");
    usage("one GOLD, not 'a' and 'b'", "trapeze eval compressor a b");
    usage("-o takes the compressions of one model, not of two",
          "trapeze eval compressor -m a -m b -o c gold.jsonl");
    usage("--length is free, reference, or a rate from 0 to 1, not 'short'",
          "trapeze eval compressor --length short a");
    works("trapeze eval compressor --help");
    assert_contains(out, "--length");
    works("trapeze eval compression --help");
    assert_contains(out, "Exit code");
}

TESTS_BETWEEN(set_up, shell_teardown)
