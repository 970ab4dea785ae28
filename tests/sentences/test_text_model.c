/* test_text_model.c - is trapeze/text.h as it says: its answers, what it refuses, memory?
 * SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include <trapeze/text.h>

#include "tests/support/modes.h"
#include "tests/support/oom.h"
#include "tests/support/shell.h"
#include "tests/support/toy_model.h"

static const char *const lines[] = {"The old, wet dog sees a cat", "", "a bark likes the red tree",
                                    "dog"};
enum { LINES = sizeof lines / sizeof *lines };

static int set_up(void **state) {
    return shell_setup(state) == 0 ? toy_model(10, 12) : -1;
}

static tz_text_model *load(unsigned asked) {
    tz_text_model *model;
    assert_ok(tz_text_model_load("toy.model", asked, 1, &model, NULL));
    return model;
}

TEST(answers) {
    OWN(tz_text_model, model) = load(TZ_TEXT_COMPRESSIONS);
    tz_text_result *result;
    static const int64_t keep[LINES] = {2, 2, 0, -5};
    assert_ok(tz_text_analyse(model, lines, LINES, TZ_TEXT_COMPRESSIONS, keep, &result, NULL));
    for (size_t i = 0; i < LINES; i++) {
        const tz_text_sentence *s = tz_text_result_sentence(result, i);
        size_t kept = 0;
        for (size_t w = 0; w < s->words; w++) {
            const tz_text_word *word = &s->word[w];
            assert_int_equal(word->end - word->begin, strlen(word->form));
            assert_memory_equal(lines[i] + word->begin, word->form, strlen(word->form));
            assert_non_null(word->upos);
            assert_null(word->xpos);
            assert_null(word->deprel);
            assert_in_range(word->head, 0, s->words);
            kept += word->compressed >= 0;
        }
        static const size_t words[LINES] = {8, 0, 6, 1}, some[LINES] = {2, 0, 5, 1};
        assert_int_equal(s->words, words[i]);
        assert_int_equal(kept, some[i]);
    }
    assert_string_equal(tz_text_result_sentence(result, 1)->compression, "");
    assert_string_equal(tz_text_result_sentence(result, 2)->compression, "a bark likes the tree");
    tz_text_result_free(result);

    /* What was not asked is not told. */
    assert_ok(tz_text_analyse(model, lines, LINES, TZ_TEXT_TAGS, NULL, &result, NULL));
    const tz_text_sentence *s = tz_text_result_sentence(result, 0);
    assert_string_equal(s->word[0].upos, "DET");
    assert_int_equal(s->word[0].head, -1);
    assert_int_equal(s->word[0].compressed, -1);
    assert_null(s->compression);
    tz_text_result_free(result);
    assert_ok(tz_text_analyse(model, NULL, 0, TZ_TEXT_TREES, NULL, &result, NULL));
    tz_text_result_free(result);
    tz_text_result_free(NULL);
    tz_text_model_free(NULL);
}

/* In all modes that a host may have, and it has them again. */
TEST(modes) {
    static const int64_t keep[LINES] = {2, 2, 0, 1};
    tz_text_model *other = load(TZ_TEXT_COMPRESSIONS), *model;
    OWN(tz_text_result, right) = NULL;
    assert_ok(tz_text_analyse(other, lines, LINES, TZ_TEXT_COMPRESSIONS, keep, &right, NULL));
    for (unsigned m = 0; m < MODES; m++) {
        const host_modes modes = modes_of(m);
        OWN(tz_text_result, got) = NULL;
        const tz_text_span *span;
        size_t spans = 0;
        const seen_modes entered = enter_modes(&modes);
        tz_status status = tz_text_model_load("toy.model", TZ_TEXT_COMPRESSIONS, 2, &model, NULL);
        if (status == TZ_OK)
            status = tz_text_sentences(model, lines[0], &span, &spans, NULL);
        if (status == TZ_OK)
            status = tz_text_analyse(model, lines, LINES, TZ_TEXT_COMPRESSIONS, keep, &got, NULL);
        assert_true(leave_modes(&entered));
        assert_ok(status);
        for (size_t i = 0; i < LINES; i++) {
            const tz_text_sentence *a = tz_text_result_sentence(got, i),
                                   *b = tz_text_result_sentence(right, i);
            assert_string_equal(a->compression, b->compression);
            for (size_t w = 0; w < a->words; w++) {
                assert_string_equal(a->word[w].upos, b->word[w].upos);
                assert_int_equal(a->word[w].head, b->word[w].head);
            }
        }
        tz_text_model_free(model);
    }
    tz_text_model_free(other);
}

/* What is written like law, or is no prose, is kept whole where the caller is wary, and that is
 * told. */
TEST(law) {
    static const char *const law[] = {"the wet dog or the red cat shall bark or see any tree",
                                      "the wet dog sees a cat", "",
                                      "| the wet dog | sees | a cat |"};
    enum { LAWS = sizeof law / sizeof *law };
    static const int64_t keep[][LAWS] = {{TZ_TEXT_WARY, TZ_TEXT_WARY, TZ_TEXT_WARY, TZ_TEXT_WARY},
                                         {TZ_TEXT_FREE, TZ_TEXT_FREE, TZ_TEXT_FREE, TZ_TEXT_FREE},
                                         {5, 5, 5, 5}};

    OWN(tz_text_model, model) = load(TZ_TEXT_COMPRESSIONS);
    for (size_t k = 0; k < sizeof keep / sizeof *keep; k++) {
        OWN(tz_text_result, result) = NULL;
        assert_ok(tz_text_analyse(model, law, LAWS, TZ_TEXT_COMPRESSIONS, keep[k], &result, NULL));
        const tz_text_sentence *first = tz_text_result_sentence(result, 0),
                               *second = tz_text_result_sentence(result, 1);
        assert_int_equal(first->like_law, k == 0);
        assert_int_equal(strcmp(first->compression, law[0]) == 0, k == 0);
        assert_int_equal(second->like_law, k == 0); /* a note */
        assert_string_equal(second->compression, k == 0 ? law[1] : "the dog sees a cat");
        assert_int_equal(tz_text_result_sentence(result, 2)->like_law, 0);
        const tz_text_sentence *table = tz_text_result_sentence(result, 3);
        assert_int_equal(table->like_law, k == 0);
        assert_int_equal(strcmp(table->compression, law[3]) == 0, k == 0);
    }
}

TEST(refusals) {
    tz_text_model *model = load(TZ_TEXT_TREES), *none;
    tz_text_result *result;
    tz_error error;
    char long_line[2 * (TZ_TEXT_MOST_WORDS + 1) + 1] = "";
    for (size_t w = 0; w <= TZ_TEXT_MOST_WORDS; w++)
        memcpy(long_line + 2 * w, "a ", 3);
    const struct {
        const char *line, *says;
    } bad[] = {
        {"a \xff", "line 1 is no UTF-8"},
        {"a \xe2\x82", "line 1 is no UTF-8"},
        {long_line, "line 1 has more than 600 words"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        const char *const two[] = {"dog", bad[b].line};
        assert_int_equal(tz_text_analyse(model, two, 2, TZ_TEXT_TAGS, NULL, &result, &error),
                         TZ_BAD_ARGUMENT);
        assert_null(result);
        assert_int_equal(error.status, TZ_BAD_ARGUMENT);
        assert_string_equal(error.message, bad[b].says);
    }
    assert_int_equal(
        tz_text_analyse(model, lines, LINES, TZ_TEXT_COMPRESSIONS, NULL, &result, &error),
        TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "the model was not loaded for that");
    tz_text_model_free(model);
    assert_int_equal(tz_text_model_load("none", TZ_TEXT_TAGS, 1, &none, &error), TZ_IO);
    assert_null(none);
    assert_int_equal(tz_text_model_load("tag.model", TZ_TEXT_TREES, 1, &none, &error),
                     TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "tag.model: there is no parser in this model");
}

/* A pack without compressor serves deletions; one with both, both. */
TEST(deletions) {
    works("trapeze train labeller -o label.model --quiet --table 12 train.conllu && "
          "trapeze train deletions -o del.model --quiet pairs.conllu && "
          "trapeze model pack -o deletions.model tag.model parse.model label.model del.model && "
          "trapeze model pack -o both.model toy.model label.model del.model");
    static const char *const packs[] = {"deletions.model", "both.model"};
    static const unsigned loads[] = {TZ_TEXT_DELETIONS, TZ_TEXT_COMPRESSIONS};
    static const int64_t keep[LINES] = {0, 0, 3, 9};
    tz_text_model *model;
    tz_text_result *result;
    tz_error error;
    for (int p = 0; p < 2; p++) {
        assert_ok(tz_text_model_load(packs[p], loads[p], 1, &model, &error));
        assert_ok(tz_text_analyse(model, lines, LINES, TZ_TEXT_DELETIONS, keep, &result, &error));
        static const size_t some[LINES] = {6, 0, 3, 1};
        for (size_t i = 0; i < LINES; i++) {
            const tz_text_sentence *s = tz_text_result_sentence(result, i);
            size_t kept = 0;
            for (size_t w = 0; w < s->words; w++)
                kept += s->word[w].compressed >= 0;
            assert_int_equal(kept, some[i]);
        }
        assert_string_equal(tz_text_result_sentence(result, 0)->compression, "The, dog sees a cat");
        assert_string_equal(tz_text_result_sentence(result, 0)->word[1].deprel, "amod");
        tz_text_result_free(result);
        tz_text_model_free(model);
    }
    model = load(TZ_TEXT_COMPRESSIONS);
    assert_int_equal(tz_text_analyse(model, lines, LINES, TZ_TEXT_DELETIONS, NULL, &result, &error),
                     TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "there is no grammar of deletions in the model");
    tz_text_model_free(model);
    assert_int_equal(tz_text_model_load("toy.model", TZ_TEXT_DELETIONS, 1, &model, &error),
                     TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "toy.model: there is no grammar of deletions in this model");
}

static size_t kept_by(tz_text_model *model, const tz_text_deletions *opt_how) {
    OWN(tz_text_result, result) = NULL;
    tz_error error = {TZ_OK, ""};
    size_t kept = 0;
    if (tz_text_choose_deletions(model, opt_how, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_ok(tz_text_analyse(model, lines, LINES, TZ_TEXT_DELETIONS, NULL, &result, &error));
    for (size_t i = 0; i < LINES; i++) {
        const tz_text_sentence *s = tz_text_result_sentence(result, i);
        for (size_t w = 0; w < s->words; w++)
            kept += s->word[w].compressed >= 0;
    }
    return kept;
}

static void refuse_choice(tz_text_model *model, const tz_text_deletions *how, tz_status status,
                          const char *message) {
    tz_error error;
    assert_int_equal(tz_text_choose_deletions(model, how, &error), status);
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
}

/* As it is told, until it is told otherwise. */
TEST(choices) {
    tz_text_model *model;
    tz_error error;
    write_file("short.txt", "the dog sees a cat\n");
    shell("trapeze train lm --quiet -n 3 -o short.arpa short.txt");
    assert_ok(tz_text_model_load("deletions.model", TZ_TEXT_DELETIONS, 1, &model, &error));
    size_t usual = kept_by(model, NULL), all = kept_by(model, &(tz_text_deletions){.threshold = 0});
    assert_int_equal(kept_by(model, &(tz_text_deletions){.best = 1, .bonus = 99}), all);
    size_t few = kept_by(model, &(tz_text_deletions){.best = 1, .bonus = -99});
    assert_true(few < usual && usual < all);
    tz_text_deletions by_lm = {
        .best = 1, .opt_lm = "short.arpa", .lm_weight = 50, .bonus = 99, .candidates = 9};
    for (int again = 0; again < 2; again++)
        assert_true(kept_by(model, &by_lm) < all);
    assert_int_equal(kept_by(model, NULL), usual);
    by_lm.candidates = 0;
    refuse_choice(model, &by_lm, TZ_BAD_ARGUMENT, "candidates are 1 or more");
    refuse_choice(model, &(tz_text_deletions){.threshold = NAN}, TZ_BAD_ARGUMENT, "the threshold");
    refuse_choice(model, &(tz_text_deletions){.bonus = INFINITY}, TZ_BAD_ARGUMENT, "are finite");
    refuse_choice(model, &(tz_text_deletions){.bigrams = 1}, TZ_BAD_ARGUMENT, "no bigrams");
    refuse_choice(model, &(tz_text_deletions){.all_trees = 1, .bigrams = 1}, TZ_BAD_ARGUMENT,
                  "look at one tree");
    refuse_choice(model, &(tz_text_deletions){.all_trees = 1}, TZ_BAD_ARGUMENT, "--levels=tags");
    refuse_choice(model, &(tz_text_deletions){.opt_lm = "absent", .candidates = 1}, TZ_IO,
                  "absent: ");
    tz_text_model_free(model);
    model = load(TZ_TEXT_COMPRESSIONS);
    refuse_choice(model, NULL, TZ_BAD_ARGUMENT, "there is no grammar of deletions");
    tz_text_model_free(model);
    model = load(TZ_TEXT_TREES);
    refuse_choice(model, NULL, TZ_BAD_ARGUMENT, "was not loaded for that");
    tz_text_model_free(model);
}

/* How many words of each line are kept. */
static void keep_by(tz_text_model *model, const tz_text_compressor *opt_how,
                    const tz_text_length *opt_length, size_t ret_kept[LINES]) {
    OWN(tz_text_result, result) = NULL;
    assert_ok(tz_text_choose_compressor(model, opt_how, NULL));
    assert_ok(tz_text_analyse_with(model, lines, LINES, TZ_TEXT_COMPRESSIONS, opt_length, NULL,
                                   &result, NULL));
    for (size_t i = 0; i < LINES; i++) {
        const tz_text_sentence *s = tz_text_result_sentence(result, i);
        ret_kept[i] = 0;
        for (size_t w = 0; w < s->words; w++)
            ret_kept[i] += s->word[w].compressed >= 0;
    }
}

/* Lengths of any kind, beside each other. Lines have 8, 0, 6 and 1 words. */
TEST(lengths) {
    OWN(tz_text_model, model) = load(TZ_TEXT_COMPRESSIONS);
    static const struct {
        tz_text_length length[LINES];
        size_t kept[LINES];
    } cases[] = {
        {{{TZ_TEXT_KEEP, 3, 0, 0}, {0}, {TZ_TEXT_DROP, 2, 0, 0}, {TZ_TEXT_DROP, 5, 0, 0}},
         {3, 0, 4, 1}},
        {{{TZ_TEXT_RATE, 0, 0.5, 0.5},
          {TZ_TEXT_RATE, 0, 1, 1},
          {TZ_TEXT_RATE, 0, 0, 0},
          {TZ_TEXT_RATE, 0, 0, 0}},
         {4, 0, 1, 1}},
        {{{TZ_TEXT_RATE, 0, 0.1, 0.26},
          {TZ_TEXT_DROP, 0, 0, 0},
          {TZ_TEXT_RATE, 0, 0.2, 0.9},
          {TZ_TEXT_KEEP, INT64_MAX, 0, 0}},
         {2, 0, 5, 1}},
        {{{TZ_TEXT_DROP, INT64_MAX, 0, 0},
          {TZ_TEXT_KEEP, TZ_TEXT_WARY, 0, 0},
          {TZ_TEXT_KEEP, TZ_TEXT_FREE, 0, 0},
          {TZ_TEXT_RATE, 0, 0.1, 0.2}},
         {1, 0, 5, 1}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t kept[LINES];
        keep_by(model, NULL, cases[c].length, kept);
        for (size_t i = 0; i < LINES; i++)
            assert_int_equal(kept[i], cases[c].kept[i]);
    }
    const struct {
        tz_text_length length;
        const char *message;
    } bad[] = {
        {{3, 1, 0, 0}, "line 0 has a length of no kind that there is"},
        {{-1, 1, 0, 0}, "line 0 has a length of no kind that there is"},
        {{TZ_TEXT_DROP, -1, 0, 0}, "line 0 has fewer than 0 words to drop"},
        {{TZ_TEXT_RATE, 0, 0.5, 0.4}, "line 0 has rates that are not from 0 to 1"},
        {{TZ_TEXT_RATE, 0, -0.1, 0.4}, "line 0 has rates that are not from 0 to 1"},
        {{TZ_TEXT_RATE, 0, 0.1, 1.1}, "line 0 has rates that are not from 0 to 1"},
        {{TZ_TEXT_RATE, 0, NAN, 1}, "line 0 has rates that are not from 0 to 1"},
        {{TZ_TEXT_RATE, 0, 0.1, NAN}, "line 0 has rates that are not from 0 to 1"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        tz_text_result *result;
        tz_error error;
        assert_int_equal(tz_text_analyse_with(model, lines, 1, TZ_TEXT_COMPRESSIONS, &bad[b].length,
                                              NULL, &result, &error),
                         TZ_BAD_ARGUMENT);
        assert_null(result);
        if (!strstr(error.message, bad[b].message))
            fail_msg("%s", error.message);
    }
}

/* The compressor as it is told, until it is told otherwise; what is refused changes nothing. */
TEST(compressor) {
    OWN(tz_text_model, model) = load(TZ_TEXT_COMPRESSIONS);
    static const size_t all[LINES] = {8, 0, 6, 1}, none[LINES] = {0};
    size_t usual[LINES], kept[LINES];
    keep_by(model, NULL, NULL, usual);
    assert_true(usual[0] > 0 && usual[0] < all[0]);
    keep_by(model, &(tz_text_compressor){.bonus = 100, .opt_unguarded = "phrase,name"}, NULL, kept);
    assert_memory_equal(kept, all, sizeof all);
    keep_by(model, &(tz_text_compressor){.bonus = -100, .opt_unguarded = "all"}, NULL, kept);
    assert_memory_equal(kept, none, sizeof none);
    keep_by(model, &(tz_text_compressor){.marginal = 1, .bonus = 1, .only = TZ_TEXT_LINEAR}, NULL,
            kept);
    assert_memory_equal(kept, all, sizeof all);
    const struct {
        tz_text_compressor how;
        const char *message;
    } bad[] = {
        {{.bonus = NAN}, "the bonus is not a number from -100 to 100"},
        {{.bonus = 101}, "the bonus is not a number from -100 to 100"},
        {{.only = 3}, "no other scores than linear and neural"},
        {{.only = -1}, "no other scores than linear and neural"},
        {{.only = TZ_TEXT_NEURAL}, "there are no neural scores in this model"},
        {{.opt_unguarded = "name,nam"}, "there is no guard 'nam'"},
        {{.opt_unguarded = "name,"}, "there is no guard ''"},
        {{.opt_unguarded = ""}, "there is no guard ''"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        tz_error error;
        assert_int_equal(tz_text_choose_compressor(model, &bad[b].how, &error), TZ_BAD_ARGUMENT);
        if (!strstr(error.message, bad[b].message))
            fail_msg("%s", error.message);
    }
    keep_by(model, NULL, NULL, kept);
    assert_memory_equal(kept, usual, sizeof usual);
    tz_error error;
    OWN(tz_text_model, trees) = load(TZ_TEXT_TREES);
    assert_int_equal(tz_text_choose_compressor(trees, NULL, &error), TZ_BAD_ARGUMENT);
    assert_string_equal(error.message, "the model was not loaded for that");
}

typedef struct question {
    const char *pack;
    unsigned asked;
} question;

static int use(void *user) {
    const question *q = user;
    OWN(tz_text_model, model) = NULL;
    OWN(tz_text_result, result) = NULL;
    tz_error error;
    tz_status status = tz_text_model_load(q->pack, q->asked, 1, &model, &error);
    const tz_text_deletions how = {
        .best = 1, .opt_lm = "short.arpa", .lm_weight = 1, .candidates = 3};
    if (status == TZ_OK && q->asked == TZ_TEXT_DELETIONS)
        status = tz_text_choose_deletions(model, &how, &error);
    if (status == TZ_OK)
        status = tz_text_analyse(model, lines, LINES, q->asked, NULL, &result, &error);
    return (int)status;
}

TEST(memory) {
    question trees = {"toy.model", TZ_TEXT_TREES},
             deletions = {"deletions.model", TZ_TEXT_DELETIONS};
    assert_true(oom_sweep("a model and four sentences", use, &trees, TZ_NO_MEMORY, false) > 0);
    assert_true(oom_sweep("deletions", use, &deletions, TZ_NO_MEMORY, false) > 0);
}

TESTS_BETWEEN(set_up, shell_teardown)
