/* test_cli_text.c - do tag and parse take raw text, refuse what they must, and print each format as
 * the manual says? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/shell.h"
#include "tests/support/toy.h"

static int set_up(void **state) {
    random_state random = random_start("toy treebank");
    if (shell_setup(state) != 0 || toy_file("train.conllu", toy_treebank, &random, 200) != 0)
        return -1;
    shell("trapeze train tagger -o tag.model --quiet --table 14 train.conllu && "
          "trapeze train parser -o parse.model --quiet --table 14 train.conllu && "
          "trapeze model pack -o toy.model tag.model parse.model");
    return code;
}

TEST(formats) {
    write_file("in.txt", "the old dog sees a cat\n\na bark likes the tree");
    prints("the/DET old/ADJ dog/NOUN sees/VERB a/DET cat/NOUN\n\n"
           "a/DET bark/NOUN likes/VERB the/DET tree/NOUN\n",
           "trapeze tag -m toy.model in.txt");
    prints(" ┌────────────────┐┌─────┐\n"
           " │    ┌───┬──┐┌──┐││  ┌─┐│\n"
           " │    ▼   ▼  │▼  │▼│  ▼ │▼\n"
           "ROOT the old dog sees a cat\n"
           "\n\n"
           " ┌────────────┐┌────────┐\n"
           " │   ┌──┐┌───┐││   ┌───┐│\n"
           " │   ▼  │▼   │▼│   ▼   │▼\n"
           "ROOT a bark likes the tree\n",
           "trapeze parse -m toy.model < in.txt");
    prints("# sent_id = 1\n"
           "# text = the old dog sees a cat\n"
           "1\tthe\t_\tDET\t_\t_\t3\t_\t_\t_\n"
           "2\told\t_\tADJ\t_\t_\t3\t_\t_\t_\n"
           "3\tdog\t_\tNOUN\t_\t_\t4\t_\t_\t_\n"
           "4\tsees\t_\tVERB\t_\t_\t0\t_\t_\t_\n"
           "5\ta\t_\tDET\t_\t_\t6\t_\t_\t_\n"
           "6\tcat\t_\tNOUN\t_\t_\t4\t_\t_\t_\n\n"
           "# sent_id = 3\n"
           "# text = a bark likes the tree\n"
           "1\ta\t_\tDET\t_\t_\t2\t_\t_\t_\n"
           "2\tbark\t_\tNOUN\t_\t_\t3\t_\t_\t_\n"
           "3\tlikes\t_\tVERB\t_\t_\t0\t_\t_\t_\n"
           "4\tthe\t_\tDET\t_\t_\t5\t_\t_\t_\n"
           "5\ttree\t_\tNOUN\t_\t_\t3\t_\t_\t_\n\n",
           "trapeze parse -m toy.model -f conllu in.txt");
    prints("{\"text\":\"the old dog sees a cat\",\"tokens\":[\"the\",\"old\",\"dog\",\"sees\","
           "\"a\",\"cat\"],\"upos\":[\"DET\",\"ADJ\",\"NOUN\",\"VERB\",\"DET\",\"NOUN\"],"
           "\"tree\":[3,3,4,0,6,4]}\n"
           "{\"text\":\"\",\"tokens\":[],\"tree\":[]}\n"
           "{\"text\":\"a bark likes the tree\",\"tokens\":[\"a\",\"bark\",\"likes\",\"the\","
           "\"tree\"],\"upos\":[\"DET\",\"NOUN\",\"VERB\",\"DET\",\"NOUN\"],"
           "\"tree\":[2,3,0,5,3]}\n",
           "trapeze parse -m toy.model -f json in.txt");
    prints("{\"text\":\"the old dog sees a cat\",\"tokens\"",
           "trapeze tag -m toy.model -f json in.txt | head -c 41");
    works("trapeze parse -m toy.model -f svg in.txt");
    assert_int_equal(strncmp(out, "<svg ", 5), 0);
    assert_contains(out, ">likes</text>");
    assert_contains(out, "</svg>\n");
    shell("trapeze tag -m toy.model -f svg in.txt");
    assert_contains(out, ">NOUN</text>");
}

/* A line may hold several sentences: of one, tags stay on one line. */
TEST(sentences) {
    write_file("in.txt", "The dog sees. A cat likes the tree!\n\nthe cat. the dog\nNo. A dog.\n");
    prints("The dog sees . A cat likes the tree !\n\nthe cat . the dog\nNo . A dog .\n",
           "trapeze tag -m toy.model in.txt | sed 's,/[A-Z]*,,g'");
    prints("The dog sees.\nA cat likes the tree!\n\nthe cat. the dog\nNo.\nA dog.\n",
           "trapeze tag -m toy.model -f json in.txt | cut -d '\"' -f 4");
    prints("# sent_id = 1\n# text = The dog sees.\n"
           "# sent_id = 1.2\n# text = A cat likes the tree!\n"
           "# sent_id = 3\n# text = the cat. the dog\n"
           "# sent_id = 4\n# text = No.\n# sent_id = 4.2\n# text = A dog.\n",
           "trapeze parse -m toy.model -f conllu in.txt | grep '^#'");
    prints("The dog sees. A cat likes the tree!\n\nthe cat. the dog\nNo. A dog.\n",
           "trapeze tag -m toy.model --one-per-line -f json in.txt | cut -d '\"' -f 4");
    /* One of them is refused. */
    prints("The dog sees .\n\nthe cat . the dog\nNo . A dog .\n",
           "trapeze tag -m toy.model --keep-going --max-words 5 in.txt 2>/dev/null | "
           "sed 's,/[A-Z]*,,g'");
    assert_int_equal(code, 0); /* of sed */
    shell("trapeze tag -m toy.model --max-words 5 in.txt");
    assert_int_equal(code, 1);
    assert_contains(err, "in.txt:1: a sentence of 6 words, where 5 is the limit");
}

#define JOINED "lines look wrapped and are joined, up to a blank one; --lines takes each by itself"

/* Lines that are wrapped are joined, by the rule with a note, or as told; others stay. */
TEST(wrapped) {
    static const char text[] = "The old dog sees a cat, and the cat sees the dog and\n"
                               "  likes it. A bark likes the old tree, and the tree sees\n"
                               "the dog.\n\n- the cat of the dog\n- the tree\n> a quoted bark\n";
    static const char joined[] =
        "The old dog sees a cat , and the cat sees the dog and likes it . A bark likes the old "
        "tree , and the tree sees the dog .\n\n- the cat of the dog\n- the tree\n> a quoted bark\n";
    write_file("in.txt", text);
    shell("trapeze tag -m toy.model in.txt >all.txt; sed 's,/[A-Z]*,,g' all.txt");
    assert_string_equal(out, joined);
    assert_contains(err, "trapeze tag: in.txt: " JOINED);
    prints(joined, "trapeze tag -m toy.model --wrapped <in.txt | sed 's,/[A-Z]*,,g'");
    prints("7\n", "trapeze tag -m toy.model --lines <in.txt | wc -l");
    prints("# sent_id = 1\n# sent_id = 1.2\n# sent_id = 5\n# sent_id = 6\n# sent_id = 7\n",
           "trapeze tag -m toy.model --wrapped -f conllu in.txt | grep sent_id");
    prints("a non-profit dog -- the cat\n", "printf 'a non-\\nprofit dog--\\nthe cat\\n' | "
                                            "trapeze tag -m toy.model --wrapped | "
                                            "sed 's,/[A-Z]*,,g'");
    /* What is wrong behind a paragraph is told behind it. */
    shell("printf 'the cat\nsees\n\377\nthe dog\n' | trapeze tag -m toy.model --wrapped "
          "--keep-going | sed 's,/[A-Z]*,,g'");
    assert_string_equal(out, "the cat sees\n\nthe dog\n");
    assert_contains(err, "standard input:3: byte 1 of the line is not UTF-8");
    prints("2\n", "trapeze tag -m toy.model --wrapped --max-bytes 60 in.txt | head -n 2 | wc -l");
    usage("one of --wrapped, --lines and --one-per-line at most", "trapeze tag --wrapped --lines");
}

/* CoNLL-U is told by its first line. Tags that are there are not predicted for a parse. */
TEST(inputs) {
    write_file("tagged.conllu", "# sent_id = x\n"
                                "1\tthe\tl\tDET\t_\tf\t_\tdet\td\tSpaceAfter=No\n"
                                "2\tcat\t_\tVERB\t_\t_\t_\t_\t_\t_\n");
    prints("# sent_id = x\n"
           "1\tthe\tl\tDET\t_\t_\tSpaceAfter=No\n"
           "2\tcat\t_\tVERB\t_\t_\t_\n\n",
           "trapeze parse -m toy.model tagged.conllu | cut -f 1-4,8-10");
    prints("# sent_id = x\n1\tthe\tl\tDET\n2\tcat\t_\tNOUN\n\n",
           "sed 's/VERB/_/; s/DET/_/' tagged.conllu | trapeze parse -m toy.model | cut -f 1-4");
    prints("the/DET cat/NOUN\n", "trapeze tag -m toy.model -f text tagged.conllu");
    shell("trapeze tag -m toy.model -f json tagged.conllu");
    assert_contains(out, "{\"text\":\"thecat\"");
    /* With another tree what belonged to the old one goes: DEPS, empty nodes, Kept=. With the same
     * one it stays. */
    write_file("empty.conllu", "# newpar\n"
                               "1\tthe\t_\tDET\t_\t_\t2\tdet\t2:det\tA=b|Kept=2\n"
                               "2\tcat\t_\tNOUN\t_\t_\t0\troot\t0:root\tKept=0\n"
                               "2.1\tsees\t_\tVERB\t_\t_\t_\t_\t2:obj\tCopyOf=2\n\n");
    prints("# newpar\n"
           "1\tthe\t_\tDET\t_\t_\t2\t_\t_\tA=b\n"
           "2\tcat\t_\tNOUN\t_\t_\t0\t_\t_\t_\n\n",
           "trapeze parse -m toy.model empty.conllu");
    prints("", "trapeze tag -m toy.model empty.conllu | cmp - empty.conllu");
    /* Multiword tokens: as they are written. */
    write_file("multi.conllu", "1-2\tdidn't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                               "1\tdid\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "2\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "3-4\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "3\tzu\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "4\tdem\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "5\tx\t_\t_\t_\t_\t_\t_\t_\t_\n");
    shell("trapeze tag -m toy.model -f json multi.conllu");
    assert_contains(out, "{\"text\":\"didn'tzum x\"");
    /* A comment of text, a number: not CoNLL-U, unless told so. */
    shell("printf '# a cat\\n' | trapeze tag -m toy.model -f json");
    assert_contains(out, "{\"text\":\"# a cat\",\"tokens\":[\"#\",\"a\",\"cat\"]");
    prints("", "printf '# a cat\\n' | trapeze tag -m toy.model --input-format conllu");
    shell("printf '# sent_id = 1\\n' | trapeze tag -m toy.model --input-format text -f json");
    assert_contains(out, "\"tokens\":[\"#\",\"sent_id\",\"=\",\"1\"]");
    /* What a row looks like decides, whatever comments stand before it. */
    prints("# Two\n1\tthe\tl\tDET\n2\tcat\t_\tVERB\n\n",
           "printf '# One\\n\\n# Two\\n' | cat - tagged.conllu | sed '/sent_id/d' | "
           "trapeze parse -m toy.model | cut -f 1-4");
    prints("3\n", "printf '# One\\n\\nthe cat\\n' | trapeze tag -m toy.model -f json | wc -l");
    prints("the/DET cat/NOUN\n", "gzip -c tagged.conllu | trapeze tag -m toy.model -f text");
    refused("standard input: what gzip packed is cut off",
            "head -c 9 tagged.conllu | gzip | head -c 20 | trapeze tag -m toy.model");
    /* Rows of other treebanks are no text, unless told so. */
    static const struct {
        int columns;
        const char *row, *message;
    } others[] = {
        {8, "1\\tthe\\tl\\tDET\\tDT\\t_\\t0\\troot", "as of CoNLL-X without its last two"},
        {14, "1\\tthe\\tl\\tl\\tDT\\tDT\\t_\\t_\\t0\\t0\\troot\\troot\\t_\\t_", "as of CoNLL-2009"},
        {3, "1\\tthe\\tDET", "as of a treebank"}};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        char message[200];
        snprintf(message, sizeof message,
                 "standard input:2: a row of %d columns, %s; CoNLL-U has 10", others[o].columns,
                 others[o].message);
        refused(message, "printf '# x\\n%s\\n' | trapeze tag -m toy.model", others[o].row);
        prints("2\n", "printf '# x\\n%s\\n' | trapeze tag -m toy.model --input-format text | wc -l",
               others[o].row);
    }
    prints("1\n", "printf '1\\tthe cat\\n' | trapeze tag -m toy.model -f json | wc -l");
    prints("", "printf '' | trapeze tag -m toy.model");
    prints("\n\n", "printf '\\n \\n' | trapeze tag -m toy.model");
    prints("the/DET cat/NOUN\na/DET\n",
           "printf '\\357\\273\\277the cat\\r\\na\\r\\n' | trapeze tag -m toy.model");
}

TEST(strange) {
    shell("printf 'the cat\\nbad \\377\\nthe dog\\n' | trapeze tag -m toy.model");
    assert_int_equal(code, 1);
    assert_string_equal(out, "the/DET cat/NOUN\n");
    assert_contains(err, "trapeze tag: standard input:2: byte 5 of the line is not UTF-8");
    refused("standard input:2: byte 5 of the line is zero",
            "printf 'the cat\\nbad \\0\\nthe dog\\n' | trapeze tag -m toy.model");
    shell("printf '\\377\\nthe cat\\n\\300\\200' | trapeze tag -m toy.model --keep-going");
    assert_int_equal(code, 1);
    assert_string_equal(out, "\nthe/DET cat/NOUN\n\n");
    assert_contains(err, "standard input:1: byte 1 of the line is not UTF-8\n");
    assert_contains(err, "standard input:3: byte 1 of the line is not UTF-8\n");
    shell("printf '\\377\\nthe cat\\n' | trapeze tag -m toy.model --keep-going -f json");
    assert_contains(out, "{\"error\":\"standard input:1: byte 1 of the line is not UTF-8\"}\n{");
    shell("awk 'BEGIN { for (i = 0; i < 100000; i++) printf \"the cat ...\" }' > long.txt");
    refused("long.txt:1: the line is longer than 65536 bytes; --max-bytes=N raises the limit",
            "trapeze tag -m toy.model long.txt");
    refused("long.txt:1: a sentence of 300000 words, where 600 is the limit; --max-words=N "
            "raises it",
            "trapeze tag -m toy.model --max-bytes 2000000 long.txt");
    prints("300000\n",
           "trapeze tag -m toy.model --max-bytes 2000000 --max-words 1000000 long.txt | wc -w");
    /* Why it cannot be read is known although it was looked at before. */
    refused("trapeze tag: .: cannot read: Is a directory\n", "trapeze tag -m toy.model .");
    refused("trapeze parse: .: cannot read: Is a directory\n",
            "trapeze parse -m toy.model --input-format conllu .");
    /* 500 words, one word, emoji. */
    prints(
        "501\n",
        "awk 'BEGIN { for (i = 0; i < 100; i++) printf \"the old dog sees it \"; print \"\\ncat\" "
        "}' > words.txt; trapeze parse -m toy.model -f conllu words.txt | grep -c '^[0-9]'");
    prints("\U0001f44d\U0001f3fd the cat 東\n",
           "printf '\\360\\237\\221\\215\\360\\237\\217\\275 the cat \\346\\235\\261\\n' | "
           "trapeze tag -m toy.model | sed 's:/[A-Z]*::g'");
}

/* The same for any number of threads; in order, over many portions. */
TEST(threads) {
    prints(
        "500\n",
        "awk 'BEGIN { for (i = 0; i < 500; i++) { for (j = 0; j < i %% 30; j++) printf \"the cat "
        "sees \"; print i } }' > many.txt; trapeze parse -m toy.model -f json many.txt > one; "
        "trapeze parse -m toy.model --threads 3 -f json many.txt | cmp - one && wc -l < one");
    prints("", "awk -F'\"' '{ n = split($4, w, \" \"); if (w[n] != NR - 1) print NR }' one");
}

TEST(models) {
    works("trapeze model show toy.model");
    assert_contains(out, "toy.model: ");
    assert_contains(
        out, "section           bytes  rules                         labels      rows     used\n");
    assert_contains(out, "chain                              4     16384");
    assert_contains(out, "eisner                             0     16384");
    prints("4\n", "TRAPEZE_MODEL=tag.model trapeze model show | wc -l");
    prints("the/DET cat/NOUN\n", "echo the cat | TRAPEZE_MODEL=toy.model trapeze tag");
    refused("standard input:1: that takes a tagger, which the model parse.model does not have",
            "echo the cat | trapeze parse -m parse.model");
    refused("tag.model: there is no parser in this model",
            "echo the cat | trapeze parse -m tag.model");
    refused("toy.model: there is no compressor in this model",
            "echo the cat | trapeze compress -m toy.model");
    refused("toy.model: a second tagger", "trapeze model pack -o x tag.model toy.model");
    refused("not a model of trapeze", "trapeze model pack -o x in.txt train.conllu");
    /* What it is instead, where that shows. */
    write_file("pair.jsonl", "{\"document\":[\"the cat sees\"],\"abstract\":\"the cat\"}\n");
    works("trapeze train aligner --quiet --iterations 1 --state state -o aligner pair.jsonl && "
          "printf 'the cat\\n' | trapeze train lm --quiet -n 2 -o lm.arpa");
    static const char *const commands[] = {"tag -m", "compress -m", "model pack -o x"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        refused("aligner: an aligner, which `trapeze align -m` takes", "trapeze %s aligner",
                commands[c]);
        refused("lm.arpa: a language model (ARPA), which --lm", "trapeze %s lm.arpa", commands[c]);
        refused("state: the state of a training", "trapeze %s state", commands[c]);
    }
    refused("lm.arpa: a language model (ARPA)", "trapeze model show lm.arpa");
    refused("cut.model: the pack is damaged",
            "head -c 500 toy.model > cut.model; trapeze tag -m cut.model train.conllu");
    refused("/dev/null: not a regular file", "trapeze model show /dev/null");
}

/* Neural scores (random ones) find other trees and labels; known trees stay; and nothing is looked
 * at again where there are no labels to be seen. */
TEST(second_look) {
    prints(
        "1\n",
        "trapeze train labeller -o label.model --quiet --table 14 train.conllu && "
        "trapeze model pack -o labels.model toy.model label.model && "
        "trapeze model pack -o again.model labels.model %s/tests/sentences/neural/parser.neural && "
        "trapeze model show again.model | grep -c neural-parser",
        TZ_SOURCE_ROOT);
    write_file("text.txt", "the old dog sees a cat\na bark likes the tree\nbark\n");
    prints(
        "3 det,3 amod,4 dep,0 root,6 det,4 dep,2 det,3 dep,0 root,5 det,3 dep,0 root,\n"
        "0 root,1 root,2 dep,3 dep,1 root,5 root,4 root,1 root,2 dep,0 root,4 root,0 amod,\n",
        "for model in labels again; do trapeze parse -m $model.model -f conllu text.txt > $model; "
        "grep '^[0-9]' $model | cut -f 7,8 | tr '\\n\\t' ', '; echo; done; "
        "trapeze parse -m again.model --threads 3 -f conllu text.txt | cmp - again");
    prints("",
           "trapeze model pack -o bare.model toy.model %s/tests/sentences/neural/parser.neural && "
           "trapeze parse -m bare.model -f conllu text.txt > without && "
           "trapeze parse -m toy.model -f conllu text.txt | cmp - without",
           TZ_SOURCE_ROOT);
}

TEST(usage) {
    usage("--format is text, conllu, json or svg, not 'xml'", "trapeze tag -f xml");
    usage("--input-format is text or conllu, not 'json'", "trapeze tag --input-format json");
    usage("one FILE at most, not 'a' and 'b'", "trapeze tag a b");
    usage("unknown option '--rate'", "trapeze tag --rate 0.5");
    usage("--rate takes a number from 0 to 1, or two, LOW:HIGH, not '1.5'",
          "trapeze compress --rate 1.5");
    usage("--rate takes a number from 0 to 1, or two, LOW:HIGH, not 'x'",
          "trapeze compress --rate x");
    usage("one of --rate, --keep and --drop at most", "trapeze compress --keep 3 --drop 2");
    usage("--keep takes a whole number from 1", "trapeze compress --keep 0");
    usage("--max-words takes a whole number from 1", "trapeze tag --max-words 0");
    usage("say which action: show or pack", "trapeze model");
    usage("unknown action 'shw'; did you mean 'show'?", "trapeze model shw");
    usage("-o MODEL is missing", "trapeze model pack a");
    usage("the parts are missing", "trapeze model pack -o x");
    usage("one MODEL, not 'a' and 'b'", "trapeze model show a b");
    static const char *const helps[] = {"compress", "model", "model show", "model pack"};
    for (size_t h = 0; h < sizeof helps / sizeof *helps; h++) {
        works("trapeze %s --help", helps[h]);
        assert_contains(out, "Usage: trapeze");
    }
}

TESTS_BETWEEN(set_up, shell_teardown)
