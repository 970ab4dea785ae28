/* test_aligner.c - files of aligners, memory, and commands, with the known figures of the Edinburgh
 * paraphrase corpus.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sentences/align/decode/decode.h"
#include "sentences/align/em/em.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/shell.h"

enum { PAIRS = 3, LONG = 4, WORDS = 8 };

/* Words and stems are small numbers; abstracts have words 0..4, documents 0..6. */
static const tz_form lexicon[WORDS] = {{100, 1}, {101, 1}, {102, 2}, {103, 3},
                                       {104, 4}, {105, 1}, {106, 9}};
static const struct {
    int n, m, document[LONG], abstract[LONG];
} texts[PAIRS] = {
    {3, 3, {0, 5, 2}, {1, 2, 0}}, {4, 2, {6, 3, 3, 1}, {3, 4}}, {1, 4, {2}, {2, 2, 0, 3}}};

enum { VOCABULARY = 5 };

static tz_em_settings settings(void) {
    tz_em_settings s = tz_em_defaults();
    s.abstract_most = s.document_most = 1;
    return s;
}

static tz_em *new_em(const tz_em_settings *settings) {
    tz_em *em = tz_em_new();
    tz_status status = em ? TZ_OK : TZ_NO_MEMORY;
    for (int p = 0; p < PAIRS && status == TZ_OK; p++) {
        tz_form document[LONG], abstract[LONG];
        for (int w = 0; w < LONG; w++) {
            document[w] = lexicon[texts[p].document[w]];
            abstract[w] = lexicon[texts[p].abstract[w]];
        }
        status = tz_em_add(em, &(tz_passage){.form = document, .words = (size_t)texts[p].n},
                           &(tz_passage){.form = abstract, .words = (size_t)texts[p].m});
    }
    if (status == TZ_OK)
        status = tz_em_start(em, settings, NULL);
    if (status == TZ_OK)
        return em;
    tz_em_free(em);
    return NULL;
}

static double rewrite(const tz_aligner *a, const tz_form *document, const tz_form *abstract,
                      double *ret_part) {
    tz_rewrite known;
    tz_aligner_look_up(a, document, 1, abstract, 1, &known);
    return tz_parts_value(a, &known, ret_part);
}

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Never falls; with the share of words from nowhere as it is, too. */
TEST(objective) {
    for (int keep = 0; keep < 2; keep++) {
        tz_em_settings s = settings();
        s.null = 0.3;
        s.keep_null = keep;
        OWN(tz_em, em) = new_em(&s);
        assert_non_null(em);
        double before = -INFINITY;
        tz_error error;
        for (int i = 0; i < 30; i++) {
            tz_em_report report;
            assert_ok(tz_em_step(em, true, &report, &error));
            assert_true(report.objective >= before - 1e-9 * fabs(before));
            before = report.objective;
        }
        assert_true((tz_em_aligner(em)->null == 0.3) == keep);
    }
    tz_em_settings s = settings();
    OWN(tz_em, empty) = need(tz_em_new());
    assert_int_equal(tz_em_start(empty, &s, NULL), TZ_NONE);
}

/* ---- Files and memory ------------------------------------------------------------------------ */

static void ignore(void *user, const tz_em_entry *entry) {
    (void)user, (void)entry;
}

/* What may be asked of an aligner, of what kind `user` says. */
static int attempt(void *user) {
    const bool *loose = user;
    tz_em_settings s = settings();
    s.abstract_most = s.document_most = 2;
    s.mean = *loose;
    s.jump = *loose ? TZ_JUMP_POWERS : TZ_JUMP_GAUSSIAN;
    tz_decode_settings decode = {.posteriors = true, .most = *loose ? 3 : 1};
    OWN(tz_em, em) = new_em(&s);
    tz_em_report report;
    tz_error error;
    OWNED(tz_aligner, a) = {0};
    OWN(tz_align_decoder, decoder) = NULL;
    tz_decoded decoded[3];
    size_t count;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_status status = em && arena ? tz_em_step(em, true, &report, &error) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_em_save(em, "oom.state", 1, &error);
    if (status == TZ_OK)
        status = tz_em_load(em, "oom.state", &count, &error);
    if (status == TZ_OK)
        status = tz_em_table(em, ignore, NULL);
    if (status == TZ_OK)
        status = tz_aligner_save(tz_em_aligner(em), "oom.model", &error);
    if (status == TZ_OK)
        status = tz_aligner_load("oom.model", &a, &error);
    if (status == TZ_OK)
        status = tz_align_decoder_new(&a, NULL, &decoder);
    for (int round = 0; round < 2 && status == TZ_OK; round++) {
        status = tz_decode_phrases(decoder, arena, &(tz_passage){.form = lexicon, .words = 3},
                                   &(tz_passage){.form = lexicon, .words = 2}, &decode, decoded,
                                   &count, &error);
        decode = (tz_decode_settings){.posterior = true, .posteriors = true, .most = 1};
    }
    return (int)status;
}

TEST(out_of_memory) {
    for (int loose = 0; loose < 2; loose++)
        oom_sweep("aligner", attempt, &(bool){loose}, TZ_NO_MEMORY, false);
}

/* What is read is what was written; no byte can change unseen. Words that training never saw: more
 * words of the vocabulary, rows like any. */
TEST(files) {
    static char bytes[4096];
    tz_em_settings s = settings();
    OWN(tz_em, em) = new_em(&s);
    tz_em_report report;
    tz_error error;
    tz_aligner a;
    assert_ok(tz_em_step(em, true, &report, &error));
    const tz_aligner *own = tz_em_aligner(em);
    assert_ok(tz_aligner_save(own, "a.model", &error));
    assert_true(tz_aligner_file("a.model") && !tz_aligner_file("absent"));
    assert_ok(tz_aligner_load("a.model", &a, &error));
    double part[TZ_PARTS], other[TZ_PARTS];
    for (int y = 0; y < WORDS; y++)
        for (int x = 0; x < WORDS; x++)
            assert_true(rewrite(&a, &lexicon[y], &lexicon[x], part) ==
                        rewrite(own, &lexicon[y], &lexicon[x], other));
    tz_form strange = {999, 9};
    rewrite(&a, &strange, &lexicon[0], part);
    near(part[TZ_PART_TABLE], a.part[TZ_PART_TABLE] / (VOCABULARY + 1));
    rewrite(&a, &lexicon[6], &strange, part);
    near(part[TZ_PART_STEM], a.part[TZ_PART_STEM]);
    tz_aligner_free(&a);
    FILE *file = fopen("a.model", "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t b = 0; b <= size; b++) {
        file = fopen("b.model", "wb");
        bytes[b] ^= 4;
        fwrite(bytes, 1, b < size ? size : size - 1, file);
        bytes[b] ^= 4;
        fclose(file);
        assert_int_equal(tz_aligner_load("b.model", &a, &error), TZ_IO);
    }
}

/* ---- Commands -------------------------------------------------------------------------------- */

TEST(commands) {
    write_file("t.jsonl",
               "{\"document\":\"the cat sleeps . a dog barks\",\"abstract\":\"a dog barks\"}\n"
               "{\"id\":2,\"document\":[],\"abstract\":\"dogs\"}\n"
               "{\"document\":\"dogs bark\",\"abstract\":\"\"}\n");
    works("trapeze train aligner -o t.model --iterations 2 t.jsonl");
    assert_non_null(strstr(err, "0: log likelihood -"));
    assert_non_null(strstr(err, "2: log likelihood -"));
    prints("4-0 5-1 6-2\n\n\n",
           "trapeze train aligner -o again.model --quiet --iterations 2 < t.jsonl && "
           "cmp t.model again.model && trapeze align -m t.model t.jsonl");
    prints("{\"id\":2,\"score\":S,\"log_likelihood\":S,\"phrases\":[],\"null\":[0],"
           "\"links\":\"\"}\n"
           "{\"score\":S,\"log_likelihood\":S,\"phrases\":[],\"null\":[],\"links\":\"\"}\n",
           "trapeze align -m t.model -f json t.jsonl | sed 's/:-[0-9.]*/:S/g' | tail -n 2");
    prints("words of abstracts  4\nwords of documents  9\npairs of phrases    23\n",
           "trapeze model show t.model | head -n 7 | tail -n 3");
    prints("from nowhere        0.2500\n",
           "trapeze train aligner -o u.model --quiet --null 0.25 t.jsonl && "
           "trapeze model show u.model | grep nowhere");
    write_file("case.jsonl", "{\"document\":\"Dog dog\",\"abstract\":\"DOG\"}\n");
    prints("words of documents  1\nwords of documents  2\n",
           "for c in fold exact; do trapeze train aligner --quiet --case $c -o c.model case.jsonl; "
           "trapeze model show c.model | grep 'of documents'; done");
    prints("from nowhere        0.2000\n",
           "trapeze train aligner --model hmm --iterations 0 --quiet -o h.model t.jsonl; "
           "trapeze model show h.model | grep nowhere");
}

/* Phrases, and the ways to ask for them. */
TEST(phrases) {
    write_file("p.jsonl",
               "{\"id\":1,\"document\":[\"the cat sleeps .\",\"a dog barks\"],\"abstract\":"
               "\"a dog barks\"}\n"
               "{\"id\":2,\"document\":\"The cats sleep . A dog barked\",\"abstract\":"
               "\"the cat slept\"}\n");
    prints("4-0 5-1 6-2\n0-0 0-1 1-0 1-1 2-2\n",
           "trapeze train aligner --quiet -o p.model --null 0.2 --phrase 3,3 p.jsonl; "
           "trapeze align -m p.model p.jsonl");
    prints("4-0 4-1 4-2 5-0 5-1 5-2 6-0 6-1 6-2\n0-0 0-1 1-0 1-1 2-2\n",
           "trapeze align -m p.model --links all p.jsonl");
    prints("4-0 5-1 6-2\n0-0 0-1 1-0 1-1 2-2\n",
           "trapeze align -m p.model --decode posterior p.jsonl");
    prints("{\"id\":1,\"rank\":1\n\"links\":\"4-0 5-1 6-2\"}\n"
           "{\"id\":1,\"rank\":2\n\"links\":\"4-0 5-1 6-2\"}\n"
           "{\"id\":2,\"rank\":1\n\"links\":\"0-0 0-1 1-0 1-1 2-2\"}\n"
           "{\"id\":2,\"rank\":2\n\"links\":\"0-0 0-1 1-0 1-1 6-2\"}\n",
           "trapeze align -m p.model -f json --kbest 2 p.jsonl | grep -o '^.*\"rank\":[0-9]*\\|"
           "\"links.*'");
    write_file("d", "a b c\n\nc d\n");
    write_file("s", "b c\nx\nd\n");
    prints("1-0 2-1\n\n1-0\n",
           "trapeze train aligner --quiet -o d.model --document d --abstract s; "
           "trapeze align -m d.model --document d --abstract s");
    /* No phrase goes beyond a sentence of a list: of four words and two, eight pairs. */
    write_file("list", "{\"document\":[\"a b\",\"c d\"],\"abstract\":\"b c\"}\n");
    write_file("text", "{\"document\":\"a b c d\",\"abstract\":[\"b\",\"c\"]}\n");
    prints("pairs of phrases    8\npairs of phrases    9\n",
           "for f in list text; do trapeze train aligner --quiet -o s.model $f; "
           "trapeze model show s.model | grep 'pairs of'; done");
}

/* Training that was stopped goes on to the same bytes; threads change none; words are as they were
 * written. */
TEST(resume) {
    write_file("r.jsonl", "{\"document\":\"The cat sleeps . A dog barks\",\"abstract\":\"a dog "
                          "barks\"}\n{\"document\":\"dogs bark\",\"abstract\":\"the dogs\"}\n");
    static const char *const options[] = {"", "--jump powers", "--jump gaussian --init mean",
                                          "--model hmm", "--base 0.1 --prior 0.5,1,0"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        prints(
            "",
            "rm -f r.state; trapeze train aligner --quiet -o r1.model %s --table r.tsv r.jsonl && "
            "trapeze train aligner --quiet -o r2.model %s --state r.state --iterations 3 r.jsonl "
            "&& trapeze train aligner --quiet -o r2.model %s --state r.state --resume --threads 3 "
            "r.jsonl && cmp r1.model r2.model",
            options[k], options[k], options[k]);
    }
    prints("bark\tdogs\nbark\tThe dogs\ndogs bark\tThe dogs\ndogs bark\tdogs\n5\n",
           "cut -f 1,2 r.tsv | grep -i 'bark.*dogs'; grep -c '^\t' r.tsv");
    refused("r.state: training was begun with another --prior; go on with the same",
            "trapeze train aligner -o m --state r.state --resume --prior 1,1,1 --base 0.1 r.jsonl");
    refused(
        "r.state: training was begun with another set of texts; go on",
        "trapeze train aligner -o m --state r.state --resume --prior 0.5,1,0 --base 0.1 p.jsonl");
    usage("--state r.state is there already: go on from it with --resume",
          "trapeze train aligner -o m --state r.state r.jsonl");
    usage("--resume goes with --state FILE", "trapeze train aligner -o m --resume r.jsonl");
}

TEST(refused) {
    write_file("bad", "{\"document\":\"a\",\"abstract\":\"a\"}\n{\"document\":\"a\"}\n");
    refused("bad:2: there is no \"abstract\"", "trapeze train aligner -o m bad");
    write_file("bad", "");
    refused("there are no words in the input", "trapeze train aligner -o m bad");
    write_file("bad", "{\"document\":\"a b c\",\"abstract\":\"a\"}\n");
    refused("bad:1: document: 3 words, where 2 is the limit",
            "trapeze train aligner -o m --max-words 2 bad");
    refused("bad: not an aligner of trapeze", "trapeze align -m bad bad");
    write_file("one", "a\n");
    write_file("two", "a\nb\n");
    refused("one:1: the file ends here, where two goes on",
            "trapeze train aligner -o m --document one --abstract two");
    usage("--document and --abstract go together, without a FILE of both",
          "trapeze train aligner -o m --document one bad");
    usage("where does the model go? -o MODEL", "trapeze train aligner bad");
    usage("--null is learn, or a number between 0 and 1",
          "trapeze train aligner -o m --null 1 bad");
    usage("--phrase is two numbers from 1 to 8, as 2,2",
          "trapeze train aligner -o m --phrase 2,9 bad");
    usage("--phrase is two numbers from 1 to 8, as 2,2",
          "trapeze train aligner -o m --phrase 2 bad");
    usage("--prior is three numbers from 0 on, as 2,4,3",
          "trapeze train aligner -o m --prior 1,-1,0 bad");
    usage("--base takes a number from 0 to 1000000, not 'x'",
          "trapeze train aligner -o m --base x bad");
    usage("--jump is relative, gaussian, powers or syntax, not 'far'",
          "trapeze train aligner -o m --jump far bad");
    usage("--model model1 has no --jump",
          "trapeze train aligner -o m --model model1 --jump powers bad");
    usage("--max-words is 4096 at most under --jump powers",
          "trapeze train aligner -o m --jump powers --max-words 5000 bad");
    usage("--kbest goes with --decode best and --format json", "trapeze align -m m --kbest 2 bad");
    usage("--decode, --kbest and --links go with -m MODEL",
          "trapeze align -b lcs --decode posterior bad");
    usage("--decode is best or posterior, not 'all'", "trapeze align -m m --decode all bad");
    write_file("some", "{\"document\":\"a b\",\"abstract\":\"a\"}\n{\"document\":1}\nx\n"
                       "{\"document\":\"b\",\"abstract\":\"b\"}\n");
    shell("trapeze train aligner -o some.model --quiet --keep-going some absent 2> said; code=$?; "
          "grep -o 'some:[0-9]*' said; trapeze model show some.model | grep 'of abstracts'; "
          "exit $code");
    assert_int_equal(code, 1);
    assert_string_equal(out, "some:2\nsome:3\nwords of abstracts  2\n");
    refused("long:1: document: 4097 words, where 4096 is the limit; jumps by powers of two",
            "trapeze train aligner -o some.model --quiet --jump powers --keep-going some; awk "
            "'BEGIN {printf \"{\\\"abstract\\\":\\\"a\\\",\\\"document\\\":\\\"\"; for (i = 0; i < "
            "4097; i++) printf \"a \"; print \"\\\"}\"}' > long; trapeze align -m some.model long");
}

TEST(edinburgh) {
    static const char folder[] = TZ_SOURCE_ROOT "/../shared/data/edinburgh-plusplus";
    if (access(folder, R_OK) != 0) {
        print_message("# skipped: there is no %s\n", folder);
        skip();
    }
    if (AMOUNT(false, true)) { /* test_aligner_sources.c learns from words */
        shell("trapeze train aligner --iterations 2 -o e.model %s/gold.train.sure.json 2> said; "
              "sed -n 's/.*likelihood //; s/,.*//p' said",
              folder);
        assert_result_near("-92982\n-67264\n-64569\n", 1);
        return;
    }
    shell("trapeze train aligner --phrase 1,1 -o e.model %s/gold.train.sure.json 2> said; "
          "sed -n 's/.*likelihood //; s/,.*//p' said",
          folder);
    assert_result_near("-107874\n-69127\n-64993\n-64387\n-64211\n-64139\n-64101\n-64077\n-64061\n"
                       "-64049\n-64040\n",
                       1);
    shell("trapeze align -m e.model %s/gold.train.sure.json | trapeze eval alignment -f tsv "
          "--resamples 9 %s/gold.train.sure.json --possible %s/gold.train.sure+poss.json - | "
          "grep ^soft | cut -f 2",
          folder, folder, folder);
    assert_result_near("0.846\n0.915\n0.787\n0.153\n0.154\n", 2e-3);
    shell("trapeze train aligner -o e.model %s/gold.train.sure.json 2> said; "
          "sed -n 's/.*likelihood //; s/,.*//p' said",
          folder);
    assert_result_near("-92982\n-67264\n-64569\n-64089\n-63947\n-63879\n-63836\n-63805\n-63783\n"
                       "-63765\n-63752\n",
                       1);
    shell("trapeze align -m e.model %s/gold.train.sure.json | trapeze eval alignment -f tsv "
          "--resamples 9 %s/gold.train.sure.json --possible %s/gold.train.sure+poss.json - | "
          "grep ^soft | cut -f 2",
          folder, folder, folder);
    assert_result_near("0.837\n0.912\n0.773\n0.162\n0.147\n", 2e-3);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
