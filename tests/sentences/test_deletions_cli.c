/* test_deletions_cli.c - the grammar of deletions as a user types it: train deletions, compress and
 * eval compressor --with deletions, and what they refuse.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "sentences/learn/model.h"
#include "tests/support/amount.h"
#include "tests/support/shell.h"
#include "tests/support/toy.h"

/* In the toy language, adjectives go. */
static int set_up(void **state) {
    random_state seed[] = {{1}, {2}};
    if (shell_setup(state) != 0 || toy_file("train.conllu", toy_pairs, &seed[0], 120) != 0 ||
        toy_file("test.jsonl", toy_records, &seed[1], 30) != 0)
        return -1;
    shell("for t in tagger fine-tagger parser labeller; do "
          "trapeze train $t -o $t.model --quiet --table 13 train.conllu || exit 1; done; "
          "trapeze model pack -o parse.model tagger.model fine-tagger.model parser.model "
          "labeller.model && trapeze train deletions -o del.model --quiet train.conllu && "
          "trapeze model pack -o all.model parse.model del.model");
    return code;
}

TEST(pipeline) {
    works("trapeze train deletions -o tuned.model --dev "
          "train.conllu --test train.conllu --sisters 2 --modifier c,w --head t,c train.conllu");
    assert_contains(err, "120 pairs, ");
    assert_contains(err, "\ndev: ");
    assert_contains(err, "\ntest: ");
    assert_contains(err, "  likeliest choice             accuracy 100.00 %, F1 1.0000, exact "
                         "100.00 %, kept ");
    prints("deletions delete-tree, verb: sisters 2, ancestors 1, cw of ct\n",
           "trapeze model show tuned.model | tail -n 1 | sed 's/;.*//; s/  */ /g; s/ [0-9]* / /'");
    prints("", "trapeze train deletions -o again.model --quiet < train.conllu && cmp del.model "
               "again.model");
    shell("trapeze train deletions -o few.model --limit 7 train.conllu");
    assert_contains(err, "7 pairs, ");
    shell("trapeze train deletions -o short.model --max-words 3 train.conllu");
    assert_contains(err, "left out: 0 pairs of which nothing is kept, ");
}

TEST(compress) {
    write_file("in.txt", "the old red dog sees a wet cat\n\na cat sleeps\n");
    prints("the dog sees a cat\n\na cat sleeps\n",
           "trapeze compress -m all.model --with deletions in.txt");
    prints("the dog sees a cat\n\na cat sleeps\n",
           "trapeze compress -m all.model --with deletions --decode best in.txt");
    shell("trapeze compress -m all.model --with deletions -f ptb in.txt | head -n 1");
    assert_contains(out, "-DEL old) (");
    assert_contains(out, "-DEL red) (");
    shell("trapeze compress -m all.model --with deletions -f json in.txt | head -n 1 | "
          "sed 's/.*\"keep\"/\"keep\"/'");
    assert_result_near("\"keep\":\"10011101\",\"heads\":[4,-1,-1,5,0,8,-1,5],"
                       "\"p\":[1,0,0,1,1,1,0,1]}\n",
                       0.02);
    shell("trapeze compress -m all.model --with deletions --decode best -f json in.txt | grep -c "
          "'\"p\":'");
    assert_int_equal(code, 1);
    for (int keep = 1; keep <= 9; keep++) {
        char expected[16];
        shell("head -n 1 in.txt | trapeze compress -m all.model --with deletions --keep %d | "
              "wc -w | tr -d ' '",
              keep);
        snprintf(expected, sizeof expected, "%d\n", keep < 8 ? keep : 8);
        assert_result(expected);
    }
    prints("4\n",
           "trapeze compress -m all.model --with deletions --rate 0.5 in.txt | head -n 1 | wc -w | "
           "tr -d ' '");
    prints("the old red dog sees a wet cat\n",
           "trapeze compress -m all.model --with deletions --threshold 0 in.txt | head -n 1");
    prints("1\n",
           "trapeze compress -m all.model --with deletions --threshold 1 in.txt | head -n 1 | "
           "wc -w | tr -d ' '");
    prints("", "trapeze compress -m all.model --with deletions --threads 3 -f conllu in.txt > 3 && "
               "trapeze compress -m all.model --with deletions -f conllu in.txt | cmp - 3");
    /* A tree that is there is taken as it is. */
    prints("120\n",
           "trapeze compress -m del.model --with deletions -f text train.conllu > all.txt && "
           "wc -l < all.txt | tr -d ' '");
}

/* A bonus buys words; bigrams tell which. */
TEST(bigrams) {
    write_file("in.txt", "the old red dog sees a wet cat\n");
    prints("the old red dog sees a wet cat\n",
           "trapeze compress -m all.model --with deletions --decode best --bonus 50 in.txt");
    prints(
        "1\n",
        "trapeze compress -m all.model --with deletions --decode best --bonus -50 in.txt | wc -w "
        "| tr -d ' '");
    prints(
        "old dog sees wet cat\n",
        "printf 'old dog sees wet cat\\nold cat sees wet dog\\n' | "
        "trapeze train lm --quiet -n 2 -o lm.arpa && trapeze train bigrams -o bigrams lm.arpa && "
        "trapeze model pack -o words.model all.model bigrams && trapeze compress -m words.model "
        "--with deletions --decode best --bigrams 30 --bonus 60 in.txt");
    prints("the dog sees a cat\n",
           "trapeze compress -m words.model --with deletions --decode best --bigrams 0.001 in.txt");
    prints("1\n",
           "trapeze eval compressor -m words.model --with deletions --decode best --bigrams 0.001 "
           "--resamples 9 -f tsv test.jsonl | grep '^exact' | cut -f 2");
    refused("all.model: there are no bigrams in this model; `trapeze train bigrams`",
            "trapeze compress -m all.model --with deletions --decode best --bigrams 1 in.txt");
    usage("--bigrams, --bonus and --lm are for --decode=best of any length",
          "trapeze compress -m all.model --with deletions --bigrams 1 in.txt");
    usage("--bigrams, --bonus and --lm are for --decode=best of any length",
          "trapeze compress -m all.model --with deletions --decode best --keep 2 --bonus 1 in.txt");
    usage("--bigrams takes a number from 0 to 100, not 'x'",
          "trapeze compress -m all.model --with deletions --decode best --bigrams x in.txt");
}

/* Trigrams know what bigrams cannot: a dog that is old or wet, and never both. */
TEST(language_model) {
    static const char by_lm[] = "trapeze compress -m words.model --with deletions --decode best";
    write_file("in.txt", "the old wet dog sees 7 cats\n");
    write_file("lm.txt", "the old wet cat\nthe old dog sees # cats\nthe wet dog sees # cats\n"
                         "a wet dog sees # cats\nan old wet cat\n");
    for (int n = 1; n <= 4; n++)
        shell("trapeze train lm --quiet -n %d -o %d.arpa lm.txt", n, n);
    prints("the old wet dog sees 7 cats\n",
           "trapeze train bigrams -o two 2.arpa && trapeze model pack --replace -o words.model "
           "all.model two && %s --bonus 60 --lm 2.arpa --lm-weight 30 in.txt > own && "
           "%s --bonus 60 --lm 2.arpa --lm-weight 30 --bigrams 30 in.txt | cmp - own && cat own",
           by_lm, by_lm);
    for (int n = 3; n <= 4; n++) {
        prints("the wet dog sees 7 cats\n", "%s --bonus 60 --lm %d.arpa --lm-weight 30 in.txt",
               by_lm, n);
        prints("the wet dog sees 7 cats\n",
               "%s --bonus 60 --lm %d.arpa --lm-weight 30 --bigrams 30 --threads 2 in.txt", by_lm,
               n);
        prints("the old wet dog sees 7 cats\n",
               "%s --bonus 60 --lm %d.arpa --lm-weight 30 --bigrams 30 --candidates 1 in.txt",
               by_lm, n);
    }
    prints("", "%s --lm 1.arpa --lm-weight 0 in.txt > a; %s in.txt | cmp - a", by_lm, by_lm);
    prints("1\n",
           "trapeze eval compressor -m words.model --with deletions --decode best --lm 3.arpa "
           "--lm-weight 0.001 --resamples 9 -f tsv test.jsonl | grep '^exact' | cut -f 2");
    refused("absent.arpa: No such file", "%s --lm absent.arpa in.txt", by_lm);
    refused("cut.arpa:", "head -n 7 3.arpa > cut.arpa; %s --lm cut.arpa in.txt", by_lm);
    usage("--bigrams, --bonus and --lm are for --decode=best of any length",
          "trapeze compress -m all.model --with deletions --lm 3.arpa in.txt");
    usage("--bigrams, --bonus and --lm are for --decode=best of any length",
          "%s --lm 3.arpa --keep 2 in.txt", by_lm);
    usage("--lm-weight and --candidates are for --lm", "%s --candidates 2 in.txt", by_lm);
    usage("--candidates", "%s --lm 3.arpa --candidates 0 in.txt", by_lm);
    usage("--lm-weight takes a number from 0 to 100, not 'x'",
          "%s --lm 3.arpa --lm-weight x in.txt", by_lm);
}

TEST(evaluation) {
    prints("1\n",
           "trapeze eval compressor -m all.model --with deletions --resamples 9 -f tsv test.jsonl "
           "| grep '^kept.f1\t' | cut -f 2");
    prints("1\n",
           "trapeze eval compressor -m all.model --with deletions --decode best --length reference "
           "--resamples 9 -f tsv test.jsonl | grep '^exact' | cut -f 2");
}

/* Where the parser is certain, all trees are one: its scores times 50. */
static void certain_parser(const char *from, const char *to) {
    OWN(tz_model, model) = NULL;
    tz_error error = {TZ_OK, ""};
    assert_ok(tz_model_load(from, &tz_parser, &model, &error));
    assert_non_null(model->step);
    model->most *= 50;
    assert_ok(tz_model_save(model, TZ_WEIGHTS_FLOAT, to, &error));
}

TEST(all_trees) {
    write_file("in.txt", "the old red dog sees a wet cat\na cat sleeps\n");
    works("trapeze train parser -o sib.model --quiet --table 13 --order 2 --single-root "
          "--objective likelihood --epochs 4 train.conllu && "
          "trapeze train deletions -o tags.model --levels tags --parser sib.model "
          "--dev train.conllu train.conllu");
    assert_contains(err, "\ndev: 120 sentences, ");
    assert_contains(err, "  at the reference's length    accuracy 100.00 %, ");
    prints(" tags\n", "trapeze model show tags.model | tail -n 1 | cut -d , -f 2 | cut -d : -f 1");
    certain_parser("sib.model", "sure2.model");
    certain_parser("parser.model", "sure1.model");
    for (int order = 1; order <= 2; order++) {
        shell("trapeze model pack --replace -o sure.model parse.model sure%d.model tags.model && "
              "for t in best all; do trapeze compress -m sure.model --with deletions --trees $t "
              "-f json in.txt | sed 's/.*\"p\"//' > $t; done; cat best",
              order);
        char best[4096];
        snprintf(best, sizeof best, "%.4000s", out);
        shell("cat all");
        assert_result_near(best, 1e-6);
        static const char *const ways[] = {"",           "--decode best",           "--keep 3",
                                           "--rate 0.5", "--decode best --bonus 2", "--threads 2"};
        for (size_t w = AMOUNT(0, (size_t)order - 1); w < sizeof ways / sizeof *ways;
             w += AMOUNT(1, 2)) {
            prints("",
                   "for t in best all; do trapeze compress -m sure.model --with deletions "
                   "--trees $t %s -f conllu in.txt > $t; done; cmp best all",
                   ways[w]);
        }
    }
    prints("the dog sees a cat\na cat sleeps\n",
           "trapeze model pack --replace -o trees.model parse.model sib.model tags.model && "
           "trapeze compress -m trees.model --with deletions --trees all in.txt");
    prints("1\n",
           "trapeze eval compressor -m trees.model --with deletions --trees all --length reference "
           "--resamples 9 -f tsv test.jsonl | grep '^exact' | cut -f 2");
}

static const char brackets[] =
    "{\"tree\": \"(ROOT (S (NP (NNS Dogs)) (VP (VBP bark) (ADVP (RB loudly)))))\", \"tokens\": "
    "\"Dogs bark loudly\", \"keep\": \"110\"}\n"
    "{\"tree\": \"(S (NP (NNS Cats)) (VP (VBP sleep) (ADVP (RB here))))\", \"keep\": [1,1,0]}\n";

TEST(all_trees_refused) {
    refused("all.model: all trees take a grammar of deletions that was learned with "
            "--levels=tags",
            "trapeze compress -m all.model --with deletions --trees all in.txt");
    refused("some.model: all trees take a parser, which is not in this model",
            "trapeze model pack -o some.model tagger.model fine-tagger.model tags.model && "
            "trapeze compress -m some.model --with deletions --trees all in.txt");
    refused("long.txt:1: a sentence of 201 words, where --trees=all takes 200 at most",
            "(yes dog | head -n 201 | tr '\\n' ' '; echo) > long.txt && "
            "trapeze compress -m trees.model --with deletions --trees all long.txt");
    refused("tagger.model: there is no parser in this model",
            "trapeze train deletions -o m --levels tags --parser tagger.model --dev train.conllu "
            "train.conllu");
    write_file("b.jsonl", brackets);
    refused("b.jsonl: its trees are in brackets; --levels=tags is for dependencies",
            "trapeze train deletions -o m --levels tags b.jsonl");
    usage("with --levels=tags, --sisters and --ancestors are 0 or 1",
          "trapeze train deletions -o m --levels tags --sisters 2 train.conllu");
    usage("--parser is for --levels=tags with --dev or --test",
          "trapeze train deletions -o m --levels tags --parser sib.model train.conllu");
    usage("--trees is best or all, not 'some'",
          "trapeze compress -m trees.model --with deletions --trees some in.txt");
    usage("--lm and --trees are for --with=deletions",
          "trapeze compress -m trees.model --trees all in.txt");
    usage("--bigrams and --lm look at one tree, not at --trees=all",
          "trapeze compress -m trees.model --with deletions --decode best --bigrams 1 --trees all");
}

TEST(brackets) {
    write_file("b.jsonl", brackets);
    works("trapeze train deletions -o b.model --dev b.jsonl b.jsonl");
    assert_contains(err, "2 pairs, 4 rules, 8 decisions in ");
    assert_contains(err, "likeliest choice             accuracy 100.00 %");
    prints(" brackets\n", "trapeze model show b.model | tail -n 1 | cut -d , -f 2 | cut -d : -f 1");
    refused("learned from trees in brackets; to find them takes a grammar of constituents",
            "trapeze model pack -o bracketed.model parse.model b.model && "
            "echo 'a cat sleeps' | trapeze compress -m bracketed.model --with deletions");
    write_file("trees.ptb", "(S (NP (DET the) (ADJ old) (NOUN dog)) (VP (VERB sees) (NP (DET a) "
                            "(ADJ wet) (NOUN cat))))\n(S (NP (DET a) (NOUN cat)) (VP (VERB sees) "
                            "(NP (DET the) (ADJ red) (ADJ old) (NOUN dog))))\n");
    write_file("t.jsonl",
               "{\"tree\": \"(S (NP (DET the) (ADJ old) (NOUN dog)) (VP (VERB sees) (NP (DET a) "
               "(ADJ wet) (NOUN cat))))\", \"keep\": \"1011101\"}\n");
    prints(
        "a dog sees the cat\n",
        "trapeze train pcfg --quiet -o pcfg.model trees.ptb; trapeze train deletions --quiet "
        "-o t.model t.jsonl; trapeze model pack -o trees.model parse.model pcfg.model t.model && "
        "echo 'a wet dog sees the red old cat' > in.txt && "
        "trapeze compress -m trees.model --with deletions in.txt");
    prints("(S (NP (DET a) (ADJ-DEL wet) (NOUN dog)) (VP (VERB sees) (NP (DET the) (ADJ-DEL "
           "red) (ADJ-DEL old) (NOUN cat))))\n",
           "trapeze compress -m trees.model --with deletions -f ptb in.txt");
    prints("\"heads\":[3,-1,8,8,8,-1,-1,0]\n",
           "trapeze compress -m trees.model --with deletions -f json in.txt | "
           "sed 's/.*\"heads\"/\"heads\"/; s/,\"p.*//'");
    refused("train.conllu: its trees are from dependencies, those of b.jsonl are not",
            "trapeze train deletions -o m b.jsonl train.conllu");
    refused("b.jsonl: its trees are not of the kind that was learned from",
            "trapeze train deletions -o m --dev b.jsonl train.conllu");
}

/* Rules of the same pair by both: the compressed tree is the pruned one. And words that were
 * changed, or are not there. */
TEST(extraction) {
    write_file("p.jsonl",
               "{\"tree\": \"(S (NP (DT the) (JJ old) (NNS dogs)) (VP (VBP bark) (ADVP (RB "
               "loudly))))\", \"compression_tree\": \"(S (NP (DT the) (NNS dogs)) (VP (VBP "
               "bark)))\"}\n");
    works("trapeze train deletions -o k.model p.jsonl; "
          "trapeze train deletions -o a.model --extract aligned p.jsonl; cmp k.model a.model");
    assert_string_equal(err, "1 pairs, 3 rules, 7 decisions in 55 contexts\n"
                             "1 pairs, 3 rules, 7 decisions in 55 contexts\n");
    write_file("s.jsonl",
               "{\"tree\": \"(S (NP (DT the) (NNS dogs)) (VP (VBP bark)))\", "
               "\"compression_tree\": \"(S (NP (DT the) (NNS cats)) (VP (VBP bark)))\"}\n"
               "{\"tree\": \"(S (NP (NNS dogs)) (VP (VBP bark)))\", "
               "\"compression_tree\": \"(S (NP (DT the) (NNS dogs)) (VP (VBP bark)))\"}\n"
               "{\"tree\": \"(S (NP (NNS dogs)) (VP (VBP bark)))\", "
               "\"compression_tree\": \"(VP (VBP bark))\"}\n");
    shell("trapeze train deletions -o s.model s.jsonl");
    assert_contains(err, "1 pairs, 1 rules, 2 decisions");
    assert_contains(err, "left out: 0 pairs of which nothing is kept, 0 of more than 200 words, 2 "
                         "with other words in the compression\n");
    for (int aligned = 0; aligned < 2; aligned++) {
        shell("trapeze train deletions -o s.model --substitutions 1 --extract %s s.jsonl",
              aligned ? "aligned" : "kept");
        assert_contains(err, aligned ? "2 pairs, 2 rules, 4 decisions"
                                     : "2 pairs, 3 rules, 6 decisions");
        assert_contains(err, ", 1 with other words");
    }
    prints("", "trapeze train deletions -o t.model --quiet --extract aligned train.conllu && "
               "trapeze train deletions -o u.model --quiet train.conllu && cmp t.model u.model");
    refused("b.jsonl:1: there is no \"compression_tree\" in brackets",
            "trapeze train deletions -o m --extract aligned b.jsonl");
    usage("--extract is kept or aligned, not 'both'",
          "trapeze train deletions -o m --extract both train.conllu");
}

TEST(refused_input) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"{\"keep\": \"1\"}\n", "bad:1: there is no \"tree\""},
        {"{\"tree\": \"(S (A a) (B b))\", \"keep\": \"1\"}\n", "bad:1: keep: "},
        {"\n{\"tree\": \"(S (A a) (B b))\", \"keep\": \"10\", \"tokens\": \"a c\"}\n",
         "bad:2: tokens: word 2 is 'c', in the tree it is 'b'"},
        {"{\"tree\": \"(S (A a) (B b))\", \"keep\": \"10\", \"tokens\": \"a\"}\n",
         "bad:1: tokens: 1 words, where the tree has 2"},
        {"{\"tree\": \"(S (A a) (B b)\", \"keep\": \"10\"}\n", "bad:1: tree:1:1: "},
        {"{\"tree\": \"(S (A a)) (B b)\", \"keep\": \"10\"}\n", "bad:1: tree: there are two"},
        {"{\"tree\": \"(S (-NONE- a))\", \"keep\": \"1\"}\n", "bad:1: tree"},
        {"1\ta\t_\tNOUN\t_\t_\t0\t_\t_\tKept=0\n", "bad:1: "},
        {"1\ta\t_\t_\t_\t_\t0\troot\t_\tKept=0\n", "bad:1: "},
        {"1\ta\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n", "nothing to learn from"},
        {"", "nothing to learn from"},
    };
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        write_file("bad", wrong[w].text);
        refused(wrong[w].message, "trapeze train deletions -o m bad");
    }
    write_file("bad", "1\ta\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n");
    refused("bad: there are no pairs of which something is kept",
            "trapeze train deletions -o m --dev bad train.conllu");
    refused("absent", "trapeze train deletions -o m absent");
}

TEST(refused_models) {
    write_file("in.txt", "a cat sleeps\n");
    refused("del.model: there is no compressor in this model, but a grammar of deletions: "
            "--with=deletions",
            "trapeze compress -m del.model train.conllu");
    refused("parse.model: there is no grammar of deletions in this model",
            "trapeze compress -m parse.model --with deletions in.txt");
    refused("in.txt:1: that takes a tagger, which the model del.model does not have",
            "trapeze compress -m del.model --with deletions in.txt");
    refused("all.model: a second deletions", "trapeze model pack -o two.model del.model all.model");
    refused("cut.model: the model of deletions is damaged: it is cut off",
            "head -c 100 del.model > cut.model; trapeze model show cut.model");
    refused("parse.model: there is no grammar of deletions in this model",
            "trapeze eval compressor -m parse.model --with deletions test.jsonl");
    write_file("untagged.conllu", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n");
    refused("untagged.conllu:1: that takes a tagger, which the model del.model does not "
            "have",
            "trapeze compress -m del.model --with deletions untagged.conllu");
    write_file("bare.conllu", "1\ta\t_\tNOUN\tNN\t_\t0\t_\t_\t_\n");
    refused("bare.conllu:1: that takes a labeller, which the model del.model does not have",
            "trapeze compress -m del.model --with deletions bare.conllu");
}

TEST(usage) {
    usage("where does the model go? -o MODEL", "trapeze train deletions train.conllu");
    usage("--sisters", "trapeze train deletions -o m --sisters 4 train.conllu");
    usage("--ancestors", "trapeze train deletions -o m --ancestors 4 train.conllu");
    usage("--modifier is a list of c, t and w, with c, not 'x'",
          "trapeze train deletions -o m --modifier x train.conllu");
    usage("--head is a list of c, t and w, with c, not 't,w'",
          "trapeze train deletions -o m --head t,w train.conllu");
    usage("--head is a list of c, t and w, with c, not 'c,c'",
          "trapeze train deletions -o m --head c,c train.conllu");
    usage("did you mean 'verb'?", "trapeze train deletions -o m --levels vreb train.conllu");
    usage("did you mean 'deletions'?", "trapeze compress -m all.model --with deletion");
    usage("--threshold is for --decode=marginal, not for best",
          "trapeze compress -m all.model --with deletions --decode best --threshold 0.3");
    usage("--threshold, --bigrams, --lm and --trees are for --with=deletions",
          "trapeze compress -m all.model --threshold 0.5");
    usage("--unguarded is for --with=compressor",
          "trapeze compress -m all.model --with deletions --unguarded name");
    usage("--threshold takes a number from 0 to 1, not '2'",
          "trapeze compress -m all.model --with deletions --threshold 2");
    usage("of a given length, the likeliest choice of words is found",
          "trapeze compress -m all.model --with deletions --threshold .5 --keep 3");
    usage("--decode is marginal or best, not 'worst'",
          "trapeze compress -m all.model --with deletions --decode worst");
    usage("--format=ptb is for --with=deletions", "trapeze compress -m all.model -f ptb");
    usage("of a given length, the likeliest choice of words is found",
          "trapeze eval compressor -m all.model --with deletions --threshold .5 --length reference "
          "test.jsonl");
}

TESTS_BETWEEN(set_up, shell_teardown)
