/* test_cli_compress.c - does compress leave out what it learnt to, to the lengths it is told, in
 * every format? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sentences/guards/guards.h"
#include "tests/support/amount.h"
#include "tests/support/shell.h"
#include "tests/support/toy_model.h"

static int set_up(void **state) {
    return shell_setup(state) == 0 ? toy_model(14, 14) : -1;
}

TEST(text) {
    write_file("in.txt", "The old, wet dog sees a cat\n\na bark likes the red tree\r\n");
    works("trapeze compress -m toy.model in.txt");
    assert_contains(out, "dog sees a cat\n\na bark likes the tree\n");
    assert_lacks(out, "wet");
    prints("the dog sees a cat\n",
           "printf 'the wet dog sees a cat\\n' | trapeze compress -m toy.model");
}

/* Each sentence of a line is compressed by itself. What is no news is told where the model is used
 * as a matter of course, and law is kept whole. */
TEST(whole_texts) {
    write_file("in.txt", "The wet dog sees a cat. A bark likes the red tree.\n");
    prints("The dog sees a cat. A bark likes the tree.\n", "trapeze compress -m toy.model in.txt");
    prints("2\n", "trapeze compress -m toy.model -f json in.txt | wc -l | tr -d ' '");
    prints("1\n",
           "trapeze compress -m toy.model --one-per-line -f json in.txt | wc -l | tr -d ' '");
    static const char whole[] = "the wet dog or the red cat shall bark or see any tree\n";
    write_file("law.txt", whole);
    works("cat law.txt in.txt | TRAPEZE_MODEL=toy.model trapeze compress");
    assert_int_equal(strncmp(out, whole, sizeof whole - 1), 0);
    assert_contains(out, "The dog sees a cat.");
    assert_string_equal(err,
                        "trapeze compress: standard input: 1 of 3 sentences are written like "
                        "law, which this model of news compresses badly: they were kept whole; "
                        "--any-text compresses them\n");
    static const char *const compressed[] = {"TRAPEZE_MODEL=toy.model trapeze compress --any-text",
                                             "TRAPEZE_MODEL=toy.model trapeze compress --rate 0.5",
                                             "trapeze compress -m toy.model"};
    for (size_t c = 0; c < sizeof compressed / sizeof *compressed; c++) {
        char command[128];
        snprintf(command, sizeof command, "%s law.txt", compressed[c]);
        works("%s", command);
        assert_string_equal(err, "");
        assert_lacks(out, "wet");
    }
    write_file("other.txt",
               "der Hund und die Katze schlafen unter dem alten Baum bis es regnet und "
               "dann laufen sie beide nach Hause zu uns\n");
    works("TRAPEZE_MODEL=toy.model trapeze compress other.txt");
    assert_contains(err, "other.txt: is this English? Of 22 words 0 are common ones");
    shell("TRAPEZE_MODEL=toy.model trapeze compress --any-text other.txt");
    assert_string_equal(err, "");
}

static size_t words_of(const char *text) {
    size_t words = 0;
    for (const char *at = text + strspn(text, " \n"); *at; at += strspn(at, " \n")) {
        at += strcspn(at, " \n");
        words++;
    }
    return words;
}

/* Exactly so many words: floor(R n + 1/2), M, n - D, from 1 to n. */
TEST(lengths) {
    static const char sentence[] = "the old dog sees a wet cat";
    enum { N = 7 };
    for (int m = 1; m <= N + 2; m++) {
        works("echo %s | trapeze compress -m toy.model --keep %d", sentence, m);
        assert_int_equal(words_of(out), m < N ? m : N);
        shell("echo %s | trapeze compress -m toy.model --drop %d", sentence, m);
        assert_int_equal(words_of(out), m < N ? N - m : 1);
    }
    for (int r = 0; r <= 20; r += AMOUNT(1, 3)) {
        shell("echo %s | trapeze compress -m toy.model --rate %.2f", sentence, r / 20.0);
        int words = (int)floor(r / 20.0 * N + 0.5);
        assert_int_equal(words_of(out), words > 1 ? words : 1);
    }
    /* Between two rates: the best, and never fewer or more. */
    prints("the dog sees a cat\n", "echo %s | trapeze compress -m toy.model --rate 0:1", sentence);
    shell("echo %s | trapeze compress -m toy.model --rate .2:.4", sentence);
    assert_int_equal(words_of(out), 2);
    shell("echo %s | trapeze compress -m toy.model --rate .9:1", sentence);
    assert_int_equal(words_of(out), 7);
    usage("--rate takes a number from 0 to 1, or two, LOW:HIGH, not '.9:.8'",
          "echo %s | trapeze compress -m toy.model --rate .9:.8", sentence);
    usage("--unguarded: there is no 'x'; --help lists them",
          "echo %s | trapeze compress -m toy.model --unguarded name,x", sentence);
    works("echo %s | trapeze compress -m toy.model --unguarded name,all --decode marginal",
          sentence);
    /* Sections out of a pack, and back into it. */
    prints("the dog sees a cat\n",
           "trapeze model pack -o some --only compressor,tagger toy.model && trapeze model pack -o "
           "rest --only parser toy.model && trapeze model pack -o back some rest && echo %s | "
           "trapeze compress -m back --keep 5",
           sentence);
    refused("toy.model: there is no lexicon; `trapeze model show` lists what is there",
            "trapeze model pack -o some --only lexicon toy.model");
    /* The best of the best one's length is the best one. */
    prints("the dog sees a cat\n", "echo %s | trapeze compress -m toy.model --keep 5", sentence);
}

/* However short it is, and whatever guards there are, something of it is a word; what is empty
 * leaves no blank. */
TEST(words) {
    write_file("in.txt", "( the , \" \" ) : ; ( dog ) .\n\" a \" : , ( ; ) cat .\n");
    static const char *const lengths[] = {"", "--keep 1", "--keep 2", "--rate 0"};
    static const char *const others[] = {"", "--unguarded all", "--decode marginal"};
    for (size_t o = 0; o < 12; o++)
        prints("2\n", "trapeze compress -m toy.model %s %s in.txt | grep -c '[a-z]'",
               lengths[o / 3], others[o % 3]);
    write_file("long.txt",
               "The wet dog sees a cat. The dog sees.\nThe dog. The wet dog sees a cat.\n");
    prints("The dog sees.\nThe dog.\n", "trapeze compress -m toy.model --max-words 4 --keep-going "
                                        "long.txt 2>/dev/null || true");
}

TEST(formats) {
    write_file("in.txt", "the old dog sees a cat");
    prints("{\"text\":\"the old dog sees a cat\",\"tokens\":[\"the\",\"old\",\"dog\",\"sees\","
           "\"a\",\"cat\"],\"upos\":[\"DET\",\"ADJ\",\"NOUN\",\"VERB\",\"DET\",\"NOUN\"],"
           "\"tree\":[3,3,4,0,6,4],\"compression\":\"the dog sees a cat\","
           "\"keep\":\"101111\",\"heads\":[3,-1,4,0,6,4]}\n",
           "trapeze compress -m toy.model -f json in.txt");
    works("trapeze compress -m toy.model -f json in.txt > system.json && "
          "sed 's/101111/101011/; s/,\"heads.*/}/' system.json > gold.json && "
          "trapeze eval compression -f tsv gold.json system.json");
    prints("# sent_id = 1\n"
           "# text = the old dog sees a cat\n"
           "1\tthe\t_\tDET\t_\t_\t3\t_\t_\tKept=3\n"
           "2\told\t_\tADJ\t_\t_\t3\t_\t_\t_\n"
           "3\tdog\t_\tNOUN\t_\t_\t4\t_\t_\tKept=4\n"
           "4\tsees\t_\tVERB\t_\t_\t0\t_\t_\tKept=0\n"
           "5\ta\t_\tDET\t_\t_\t6\t_\t_\tKept=6\n"
           "6\tcat\t_\tNOUN\t_\t_\t4\t_\t_\tKept=4\n\n",
           "trapeze compress -m toy.model -f conllu in.txt");
    shell("trapeze compress -m toy.model -f svg in.txt");
    assert_contains(
        out, " fill=\"#999\" textLength=\"20.48\" lengthAdjust=\"spacingAndGlyphs\">old</text>");
    assert_contains(out, ">the dog sees a cat</text>");
    assert_lacks(out,
                 " fill=\"#999\" textLength=\"24\" lengthAdjust=\"spacingAndGlyphs\">dog</text>");
    assert_contains(out, " textLength=\"24\" lengthAdjust=\"spacingAndGlyphs\">dog</text>");
    prints("{\"text\":\"\",\"tokens\":[],\"tree\":[],\"compression\":\"\",\"keep\":\"\","
           "\"heads\":[]}\n",
           "printf '\\n' | trapeze compress -m toy.model -f json --rate 0.5");
}

/* The tree of a CoNLL-U file is taken as it is; an old Kept= goes. */
TEST(conllu) {
    write_file("in.conllu", "1\tthe\t_\tDET\t_\t_\t3\tdet\t_\tKept=3|A=b\n"
                            "2\told\t_\tADJ\t_\t_\t3\tamod\t_\tKept=3|SpaceAfter=No\n"
                            "3\tdog\t_\tNOUN\t_\t_\t0\tdep\t_\tC=d|Kept=0\n\n");
    prints("1\tthe\t_\tDET\t_\t_\t3\tdet\t_\tA=b|Kept=3\n"
           "2\told\t_\tADJ\t_\t_\t3\tamod\t_\tSpaceAfter=No\n"
           "3\tdog\t_\tNOUN\t_\t_\t0\tdep\t_\tC=d|Kept=0\n\n",
           "trapeze compress -m toy.model -f conllu in.conllu");
    prints("the dog\n", "trapeze compress -m toy.model in.conllu");
    /* Trees are found where they are missing. */
    prints("3\t_\n3\t_\n0\t_\n\n",
           "cut -f 1-6 in.conllu | awk 'NF { $0 = $0 \"\\t_\\t_\\t_\\t_\" } 1' | "
           "trapeze compress -m toy.model -f conllu | cut -f 7,8");
    works("trapeze compress -m compress.model in.conllu");
    refused("standard input:1: that takes a tagger, which the model compress.model does",
            "echo the cat | trapeze compress -m compress.model");
}

/* --help lists the guards that there are, in their order. */
TEST(guards) {
    char listed[512] = "";
    for (unsigned g = 0; g < TZ_GUARDS; g++) {
        strcat(listed, g > 0 ? ", " : "");
        strcat(listed, tz_guard_name(g));
    }
    strcat(listed, "; or all\n");
    static const char *const commands[] = {"compress", "eval compressor"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        works("trapeze %s --help | tr -s '\\n ' ' ' | sed 's/.* guards: //; "
              "s/ --only.*//'; echo",
              commands[c]);
        assert_string_equal(out, listed);
    }
}

TEST(threads) {
    prints(AMOUNT("301\n301\n", "61\n61\n"),
           "awk 'BEGIN { for (i = 0; i < %d; i++) { for (j = 0; j < i %% 12; j++) printf \"the %%s "
           "dog sees \", i %% 3 ? \"old\" : \"red\"; print \"a cat\" } for (i = 0; i < 40; i++) "
           "printf \"the old dog sees it \" }' > many.txt; for o in '' '--rate 0.4'; do "
           "trapeze compress -m toy.model $o many.txt > one; "
           "trapeze compress -m toy.model --threads 3 $o many.txt | cmp - one && wc -l < one; done",
           AMOUNT(300, 60));
}

TESTS_BETWEEN(set_up, shell_teardown)
