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

#include "sentences/align/decode.h"
#include "sentences/align/em.h"
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
        status = tz_em_add(em, &(tz_passage){document, NULL, (size_t)texts[p].n},
                           &(tz_passage){abstract, NULL, (size_t)texts[p].m});
    }
    if (status == TZ_OK)
        status = tz_em_start(em, settings);
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
static void test_objective(void **state) {
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        tz_em_settings s = settings();
        s.null = 0.3;
        s.keep_null = keep;
        tz_em *em = new_em(&s);
        assert_non_null(em);
        double before = -INFINITY;
        tz_error error;
        for (int i = 0; i < 30; i++) {
            tz_em_report report;
            assert_int_equal(tz_em_step(em, true, &report, &error), TZ_OK);
            assert_true(report.objective >= before - 1e-9 * fabs(before));
            before = report.objective;
        }
        assert_true((tz_em_aligner(em)->null == 0.3) == keep);
        tz_em_free(em);
    }
    tz_em_settings s = settings();
    tz_em *empty = tz_em_new();
    assert_non_null(empty);
    assert_int_equal(tz_em_start(empty, &s), TZ_NONE);
    tz_em_free(empty);
}

/* ---- Files and memory ------------------------------------------------------------------------ */

static int attempt(void *user) {
    (void)user;
    tz_em_settings s = settings();
    tz_em *em = new_em(&s);
    tz_em_report report;
    tz_error error;
    tz_aligner a = {0};
    tz_align_decoder *decoder = NULL;
    tz_decoded decoded;
    size_t count;
    tz_arena *arena = tz_arena_new();
    tz_status status = em && arena ? tz_em_step(em, true, &report, &error) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_aligner_save(tz_em_aligner(em), "oom.model", &error);
    if (status == TZ_OK)
        status = tz_aligner_load("oom.model", &a, &error);
    if (status == TZ_OK)
        status = tz_align_decoder_new(&a, &decoder);
    if (status == TZ_OK)
        status = tz_decode_phrases(
            decoder, arena, &(tz_passage){lexicon, NULL, 3}, &(tz_passage){lexicon, NULL, 2},
            &(tz_decode_settings){.posteriors = true, .most = 1}, &decoded, &count, &error);
    tz_align_decoder_free(decoder);
    tz_aligner_free(&a);
    tz_arena_free(arena);
    tz_em_free(em);
    return (int)status;
}

static void test_out_of_memory(void **state) {
    (void)state;
    oom_sweep("aligner", attempt, NULL, TZ_NO_MEMORY, false);
}

/* What is read is what was written; no byte can change unseen. Words that training never saw: more
 * words of the vocabulary, rows like any. */
static void test_files(void **state) {
    (void)state;
    static char bytes[4096];
    tz_em_settings s = settings();
    tz_em *em = new_em(&s);
    tz_em_report report;
    tz_error error;
    tz_aligner a;
    assert_int_equal(tz_em_step(em, true, &report, &error), TZ_OK);
    const tz_aligner *own = tz_em_aligner(em);
    assert_int_equal(tz_aligner_save(own, "a.model", &error), TZ_OK);
    assert_true(tz_aligner_file("a.model") && !tz_aligner_file("absent"));
    assert_int_equal(tz_aligner_load("a.model", &a, &error), TZ_OK);
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
    tz_em_free(em);
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

static void test_commands(void **state) {
    (void)state;
    write_file("t.jsonl",
               "{\"document\":\"the cat sleeps . a dog barks\",\"abstract\":\"a dog barks\"}\n"
               "{\"id\":2,\"document\":[],\"abstract\":\"dogs\"}\n"
               "{\"document\":\"dogs bark\",\"abstract\":\"\"}\n");
    shell("trapeze train aligner -o t.model --iterations 2 t.jsonl");
    assert_int_equal(code, 0);
    assert_non_null(strstr(err, "0: log likelihood -"));
    assert_non_null(strstr(err, "2: log likelihood -"));
    shell("trapeze train aligner -o again.model --quiet --iterations 2 < t.jsonl && "
          "cmp t.model again.model && trapeze align -m t.model t.jsonl");
    assert_result("4-0 5-1 6-2\n\n\n");
    shell("trapeze align -m t.model -f json t.jsonl | sed 's/:-[0-9.]*/:S/g' | tail -n 2");
    assert_result("{\"id\":2,\"score\":S,\"log_likelihood\":S,\"phrases\":[],\"null\":[0],"
                  "\"links\":\"\"}\n"
                  "{\"score\":S,\"log_likelihood\":S,\"phrases\":[],\"null\":[],\"links\":\"\"}\n");
    shell("trapeze model show t.model | head -n 7 | tail -n 3");
    assert_result("words of abstracts  4\nwords of documents  9\npairs of phrases    23\n");
    shell("trapeze train aligner -o u.model --quiet --null 0.25 t.jsonl && "
          "trapeze model show u.model | grep nowhere");
    assert_result("from nowhere        0.2500\n");
}

static void test_refused(void **state) {
    (void)state;
    write_file("bad", "{\"document\":\"a\",\"abstract\":\"a\"}\n{\"document\":\"a\"}\n");
    shell("trapeze train aligner -o m bad");
    assert_refused("bad:2: there is no \"abstract\"");
    write_file("bad", "");
    shell("trapeze train aligner -o m bad");
    assert_refused("there are no words in the input");
    write_file("bad", "{\"document\":\"a b c\",\"abstract\":\"a\"}\n");
    shell("trapeze train aligner -o m --max-words 2 bad");
    assert_refused("bad:1: document: 3 words, where 2 is the limit");
    shell("trapeze align -m bad bad");
    assert_refused("bad: not an aligner of trapeze");
    shell("trapeze train aligner bad");
    assert_usage("where does the model go? -o MODEL");
    shell("trapeze train aligner -o m --null 1 bad");
    assert_usage("--null is learn, or a number between 0 and 1");
}

static void test_edinburgh(void **state) {
    (void)state;
    static const char folder[] = TZ_SOURCE_ROOT "/../shared/data/edinburgh-plusplus";
    if (access(folder, R_OK) != 0) {
        print_message("# skipped: there is no %s\n", folder);
        skip();
    }
    shell("trapeze train aligner --phrase 1,1 -o e.model %s/gold.train.sure.json 2> said; "
          "sed 's/.*likelihood //; s/,.*//' said",
          folder);
    assert_result_near("-107874\n-69127\n-64993\n-64387\n-64211\n-64139\n-64101\n-64077\n-64061\n"
                       "-64049\n-64040\n",
                       1);
    shell("trapeze align -m e.model %s/gold.train.sure.json | trapeze eval alignment -f tsv "
          "--resamples 9 %s/gold.train.sure.json --possible %s/gold.train.sure+poss.json - | "
          "grep ^soft | cut -f 2",
          folder, folder, folder);
    assert_result_near("0.846\n0.915\n0.787\n0.153\n0.154\n", 2e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objective), cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_files),     cmocka_unit_test(test_commands),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_edinburgh),
    };
    return cmocka_run_group_tests(tests, shell_setup, shell_teardown);
}
