/* test_aligner_sources.c - what an aligner takes besides texts, as a user types it: trees of the
 * documents, from a file or a model, and WordNet. Their errors; memory; and figures on the
 * Edinburgh paraphrase corpus.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sentences/align/decode/decode.h"
#include "sentences/align/em/em.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/shell.h"
#include "tests/support/wordnet_make.h"

static const char trees[] = "# sent_id = 1\n"
                            "1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n"
                            "2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
                            "3\truns\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
                            "4\t.\t_\tPUNCT\t_\t_\t3\tpunct\t_\t_\n"
                            "\n"
                            "1\tCats\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
                            "2\tsleep\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n"
                            "\n"
                            "1\tDucks\t_\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
                            "2\tsprint\t_\tVERB\tVBP\t_\t0\troot\t_\t_\n"
                            "\n";

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_file("t.jsonl", "{\"document\":[\"The dog runs .\",\"Cats sleep\"],"
                          "\"abstract\":\"a beast sleeps . the dog runs\"}\n"
                          "{\"document\":\"\",\"abstract\":\"nothing\"}\n"
                          "{\"document\":\"Ducks sprint\",\"abstract\":\"birds run\"}\n");
    write_file("t.conllu", trees);
    wordnet_make("wn");
    return 0;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

TEST(trees) {
    prints("", "trapeze train aligner --jump syntax --trees t.conllu -o s.model --quiet t.jsonl");
    prints("jumps               syntax\nforward\nover (root)\nover DT\nover NN\nover (nsubj)\n"
           "over VBZ\nover PUNCT\nover NNS\nover VBP\n",
           "trapeze model show s.model | sed -n '/^jumps/,$p' | sed 's/  *[01][.].*//'");
    prints("0-4 1-5 2-6\n\n\n", "trapeze align -m s.model --trees t.conllu t.jsonl");
    prints("", "trapeze align -m s.model --trees - t.jsonl < t.conllu | md5sum > a; "
               "trapeze align -m s.model --trees t.conllu - < t.jsonl | md5sum | cmp - a");
}

TEST(tree_errors) {
    static const char train[] = "trapeze train aligner --jump syntax -o m --quiet t.jsonl";
    usage("--jump syntax takes --trees FILE or --parse MODEL", "%s", train);
    usage("--jump syntax takes --trees FILE or --parse MODEL", "%s --trees t.conllu --parse x",
          train);
    usage("--trees and --parse go with --jump syntax",
          "trapeze train aligner --parse x -o m t.jsonl");
    refused("bad:8: the word 'sleeps', where word 6 of the document of t.jsonl:1 is 'sleep'",
            "sed s/sleep/sleeps/ t.conllu > bad; %s --trees bad", train);
    refused("bad: the file ends, where word 5 of the document of t.jsonl:1 is 'Cats'",
            "head -n 6 t.conllu > bad; %s --trees bad", train);
    refused("t.conllu:10: a sentence behind those of the last document",
            "head -n 1 t.jsonl > one; trapeze train aligner --jump syntax -o m --quiet "
            "--trees t.conllu one");
    refused(
        "t.conllu:8: the sentence goes on with 'sleep', where that of short:1 ends",
        "sed 's/ sleep\"/\"/' t.jsonl > short; trapeze train aligner --jump syntax -o m --quiet "
        "--trees t.conllu short");
    refused("bad:2: the word 'The' has no head; parse the file first",
            "sed 's/\t2\tdet/\t_\tdet/' t.conllu > bad; %s --trees bad", train);
    refused("bad:2: the word 'The' has no relation",
            "sed 's/\tdet/\t_/' t.conllu > bad; %s --trees bad", train);
    refused("absent: No such file", "%s --trees absent", train);
    refused("t.conllu: ", "%s --parse t.conllu", train);
}

TEST(tree_models) {
    prints("", "trapeze train aligner --jump syntax --trees t.conllu -o s.model --quiet t.jsonl && "
               "trapeze train aligner -o r.model --quiet t.jsonl");
    usage("the jumps of s.model are scored by syntax; that takes --trees FILE or --parse",
          "trapeze align -m s.model t.jsonl");
    usage("r.model is none", "trapeze align -m r.model --trees t.conllu t.jsonl");
    usage("--trees or --parse, not both",
          "trapeze align -m s.model --trees t.conllu --parse x t.jsonl");
    usage("--trees, --parse and --wordnet go with -m MODEL",
          "trapeze align -b lcs --trees t.conllu t.jsonl");
    /* A sentence too many is said after all pairs; a wrong one at its pair. */
    shell("head -n 1 t.jsonl | trapeze align -m s.model --trees t.conllu");
    assert_int_equal(code, 1);
    assert_non_null(strstr(err, "t.conllu:10: a sentence behind those of the last document"));
    shell("sed s/Ducks/Geese/ t.jsonl | trapeze align -m s.model --trees t.conllu");
    assert_int_equal(code, 1);
    assert_string_equal(out, "0-4 1-5 2-6\n\n");
    assert_non_null(strstr(err, "t.conllu:10: the word 'Ducks', where word 1 of the document of "));
}

/* The model of the toolkit finds the trees that its parser writes. */
TEST(parser) {
    static const char model[] = TZ_SOURCE_ROOT "/models/english.model";
    if (access(model, R_OK) != 0) {
        print_message("# skipped: there is no %s\n", model);
        skip();
    }
    prints("",
           "printf 'The dog runs .\\nCats sleep\\nDucks sprint\\n' | "
           "trapeze parse -m %s -f conllu > p.conllu && "
           "trapeze train aligner --jump syntax --trees p.conllu -o p.model --quiet t.jsonl && "
           "trapeze train aligner --jump syntax --parse %s -o q.model --quiet t.jsonl && "
           "cmp p.model q.model && trapeze align -m p.model --parse %s t.jsonl > a && "
           "trapeze align -m p.model --trees p.conllu t.jsonl | cmp - a",
           model, model, model);
    refused(
        "long:1: a sentence of 700 words, where --parse takes up to 600; write the "
        "document as a list of sentences",
        "awk 'BEGIN { printf \"{\\\"document\\\":\\\"\"; for (i = 0; i < 700; i++) printf \"a \"; "
        "print \"\\\",\\\"abstract\\\":\\\"a\\\"}\" }' > long; "
        "trapeze align -m p.model --parse %s long",
        model);
}

/* Each sentence of an abstract with the trees of its extract; learning that was stopped. */
TEST(extracts) {
    prints("0-4 1-5 2-6\n\n0-0 1-1\n",
           "trapeze train aligner --jump syntax --trees t.conllu --wordnet wn --extract 1 "
           "-o x.model --quiet t.jsonl && trapeze align -m x.model --wordnet wn --extract 1 "
           "--trees t.conllu t.jsonl");
    refused(
        "t.conllu:4: the sentence goes on with 'runs', where that of cut:1 ends",
        "sed 's/\"The dog runs [.]\",\"Cats sleep\"/\"The dog\",\"runs . Cats sleep\"/' t.jsonl > "
        "cut; trapeze align -m x.model --wordnet wn --extract 1 --trees t.conllu cut");
    refused("t.conllu:5: the sentence ends with '.', where that of cut:1 goes on with 'Cats'",
            "sed 's/[.]\",\"Cats/. Cats/; s/\"The/\"\",\"The/' t.jsonl > cut; "
            "trapeze align -m x.model --wordnet wn --trees t.conllu cut");
    static const char train[] = "trapeze train aligner --jump syntax --wordnet wn --quiet "
                                "--trees t.conllu -o y.model --state y.state t.jsonl";
    prints("",
           "%s --iterations 4 && mv y.model z.model && rm y.state && %s --iterations 2 && "
           "%s --iterations 4 --resume && cmp y.model z.model",
           train, train, train);
    refused("y.state: ",
            "sed 's/\t1\t/\t1\t/; s/nsubj/obj/; s/\tNNS\t/\tNN\t/' t.conllu > u.conllu; "
            "%s --iterations 6 --resume --trees u.conllu",
            train);
    refused("--wordnet", "trapeze train aligner --jump syntax --quiet --trees t.conllu -o y.model "
                         "--state y.state --resume t.jsonl");
}

/* ---- WordNet --------------------------------------------------------------------------------- */

TEST(wordnet) {
    prints("", "trapeze train aligner --wordnet wn -o w.model --quiet t.jsonl");
    /* A duck is a bird, and to sprint is to run. */
    prints("0-4 1-5 2-6\n\n0-0 1-1\n", "trapeze align -m w.model --wordnet wn t.jsonl");
    prints("2\n", "trapeze align -m w.model --wordnet wn -f json t.jsonl | tail -n 1 | "
                  "grep -o '\"wn\":0.9' | wc -l");
    prints("3\n", "trapeze model show w.model | grep -c -e '^part wn  ' -e '^eta  ' "
                  "-e '^phrases in WordNet  '");
    /* Without it there is a message, and a model all the same. */
    works("trapeze train aligner -o r.model --iterations 0 t.jsonl");
    assert_non_null(strstr(err, "words of like meaning are not looked for; --wordnet FOLDER"));
    shell("trapeze align -m r.model -f json t.jsonl | grep -c wn; trapeze model show r.model | "
          "grep -c wn");
    assert_string_equal(out, "0\n0\n");
}

TEST(wordnet_errors) {
    refused("absent/data.noun: No such file or directory; it is a file of WordNet",
            "trapeze train aligner --wordnet absent -o m t.jsonl");
    usage("--wordnet goes with --model semi",
          "trapeze train aligner --model hmm --wordnet wn -o m t.jsonl");
    prints("", "trapeze train aligner --wordnet wn -o w.model --quiet t.jsonl && "
               "trapeze train aligner -o r.model --quiet t.jsonl");
    refused("r.model: the model has learned without WordNet; leave --wordnet out",
            "trapeze align -m r.model --wordnet wn t.jsonl");
    refused("w.model: the model has learned with another copy of WordNet, not this one",
            "cp -r wn other && sed -i '/notion/d' other/data.noun other/index.noun && "
            "sed -i '/^run/d' other/index.noun && sed -i '/ run 0/d' other/data.noun && "
            "trapeze align -m w.model --wordnet other t.jsonl");
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static const tz_form form[] = {{11, 1}, {12, 2}, {13, 3}, {14, 4}};
static const char *const word[] = {"guide", "dogs", "run", "cats"};
static const int32_t head[] = {0, 2, 3, 0, 3};
static const char *const name[] = {NULL, "a", "b", "c", "d"};

static tz_status learn(const tz_wordnet *wordnet, tz_em *em, const tz_passage *document,
                       const tz_passage *abstract) {
    tz_em_settings s = tz_em_defaults();
    tz_em_report report;
    tz_error error;
    s.jump = TZ_JUMP_SYNTAX;
    tz_em_use_wordnet(em, wordnet, s.abstract_most, s.document_most);
    tz_status status = tz_em_add(em, document, abstract);
    if (status == TZ_OK)
        status = tz_em_start(em, &s, NULL);
    return status == TZ_OK ? tz_em_step(em, true, &report, &error) : status;
}

static int attempt(void *user) {
    const tz_wordnet *wordnet = user;
    const tz_cover_sentence tree = {4, head, name, name};
    tz_passage document = {
        .form = form, .words = 4, .opt_word = word, .opt_tree = &tree, .trees = 1};
    tz_passage abstract = {.form = form + 1, .words = 3, .opt_word = word + 1};
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_em, em) = tz_em_new();
    OWNED(tz_aligner, a) = {0};
    OWN(tz_align_decoder, decoder) = NULL;
    tz_decoded decoded;
    tz_error error;
    size_t count;
    tz_status status = arena && em ? learn(wordnet, em, &document, &abstract) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_aligner_save(tz_em_aligner(em), "oom.model", &error);
    if (status == TZ_OK)
        status = tz_aligner_load("oom.model", &a, &error);
    if (status == TZ_OK)
        status = tz_align_decoder_new(&a, wordnet, &decoder);
    if (status == TZ_OK)
        status = tz_decode_phrases(decoder, arena, &document, &abstract,
                                   &(tz_decode_settings){.posteriors = true, .most = 1}, &decoded,
                                   &count, &error);
    return (int)status;
}

TEST(out_of_memory) {
    OWN(tz_wordnet, wordnet) = NULL;
    assert_ok(tz_wordnet_load("wn", &wordnet, NULL));
    oom_sweep("aligner with trees and WordNet", attempt, wordnet, TZ_NO_MEMORY, false);
}

/* Trees that are not there, or of another document. */
TEST(misuse) {
    const tz_cover_sentence tree = {4, head, name, name};
    tz_passage document = {.form = form, .words = 3, .opt_word = word};
    tz_em_settings s = tz_em_defaults();
    s.jump = TZ_JUMP_SYNTAX;
    for (size_t trees = 0; trees < 2; trees++) {
        OWN(tz_em, em) = tz_em_new();
        document.opt_tree = trees > 0 ? &tree : NULL;
        document.trees = trees;
        assert_ok(tz_em_add(em, &document, &document));
        assert_int_equal(tz_em_start(em, &s, NULL), TZ_BAD_ARGUMENT);
    }
}

/* ---- The Edinburgh corpus -------------------------------------------------------------------- */

/* Learns from its texts, checks that the objective never falls, and prints SoftP, R and F. */
static void figures(const char *train, const char *align, const char *expected) {
    static const char folder[] = TZ_SOURCE_ROOT "/../shared/data/edinburgh-plusplus";
    shell("trapeze train aligner %s -o e.model %s/gold.train.sure.json 2>&1 | "
          "awk '/objective/ { if (n++ && $NF < last) print \"falls\"; last = $NF }'; "
          "trapeze align -m e.model %s %s/gold.train.sure.json | trapeze eval alignment -f tsv "
          "--resamples 9 %s/gold.train.sure.json --possible %s/gold.train.sure+poss.json - | "
          "grep '^soft.[fpr][1re]' | cut -f 2",
          train, folder, align, folder, folder, folder);
    assert_result_near(expected, 3e-3);
}

TEST(edinburgh) {
    static const char *const needs[] = {TZ_SOURCE_ROOT "/../shared/data/edinburgh-plusplus",
                                        TZ_SOURCE_ROOT "/models/english.model",
                                        "/usr/share/wordnet/data.noun"};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (access(needs[i], R_OK) != 0) {
            print_message("# skipped: there is no %s\n", needs[i]);
            skip();
        }
    }
    static const char parse[] = "--parse " TZ_SOURCE_ROOT "/models/english.model";
    figures("--phrase 1,1 --wordnet /usr/share/wordnet", "", "0.851\n0.924\n0.789\n");
    if (AMOUNT(false, true))
        return; /* the longest are left out */
    figures("--wordnet /usr/share/wordnet", "--wordnet /usr/share/wordnet",
            "0.844\n0.908\n0.788\n");
    char train[512];
    snprintf(train, sizeof train, "--phrase 1,1 --jump syntax %s", parse);
    figures(train, parse, "0.837\n0.902\n0.780\n");
}

TESTS_BETWEEN(set_up, shell_teardown)
