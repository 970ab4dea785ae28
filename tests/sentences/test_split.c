/* test_split.c - are the ends of sentences learnt from a treebank: of abbreviations that no list
 * has, and of text without stops? Of EWT it reads ../shared/data; skips, saying so, where that is
 * absent. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sentences/cli/train/train_text.h"
#include "sentences/learn/decode.h"
#include "sentences/learn/split.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/shell.h"

/* Paragraphs of sentences like "Ald. Ada saw Bo. it fell". */
static void write_treebank(void) {
    static const char *const name[] = {"Ada", "Bo", "Cyr", "Dee", "Eve", "Flo"};
    FILE *file = need(fopen("train.conllu", "w"));
    for (int p = 0; p < 60; p++) {
        fprintf(file, "# newpar\n1\tAld.\t_\t_\t_\t_\t_\t_\t_\t_\n2\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n",
                name[p % 6]);
        fprintf(file, "3\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\n4\t%s\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n",
                name[p / 6 % 6]);
        fprintf(file, "5\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
        fprintf(file, "1\tit\t_\t_\t_\t_\t_\t_\t_\t_\n2\tfell\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
        fprintf(file, "1-2\tit's\t_\t_\t_\t_\t_\t_\t_\t_\n1\tit\t_\t_\t_\t_\t_\t_\t_\t_\n"
                      "2\t's\t_\t_\t_\t_\t_\t_\t_\t_\n3\ton\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    }
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_treebank();
    shell("trapeze train splitter --quiet --table 12 --epochs 5 -o ends train.conllu && "
          "sed 's/\t_\t_/\t_\tX/' train.conllu >tags.conllu && "
          "trapeze train tagger --quiet --table 12 --epochs 1 -o tags tags.conllu && "
          "trapeze model pack -o model tags ends");
    return code;
}

static const char text[] = "Ald. Eve saw Flo. it fell it's on Ald. Bo saw Ada.";

TEST(learnt) {
    write_file("in.txt", text);
    prints("Ald.\nEve saw Flo. it fell it's on Ald.\nBo saw Ada.\n",
           "trapeze tag -m tags -f json in.txt | cut -d '\"' -f 4");
    prints("Ald. Eve saw Flo.\nit fell\nit's on\nAld. Bo saw Ada.\n",
           "trapeze tag -m model -f json in.txt | cut -d '\"' -f 4");
    prints(
        "1\n",
        "trapeze train splitter --quiet --table 12 --epochs 5 --threads 3 -o same train.conllu && "
        "cmp ends same && trapeze model show model | grep -c splitter");
}

/* Footnotes go with the sentence that they stand behind. */
TEST(footnotes) {
    static const char notes[] = "Ald. Eve[a] saw Flo.[1][2] it fell it's on Ald. Bo saw Ada.[12]";
    for (int m = 0; m < 2; m++) {
        OWN(tz_model, model) = NULL;
        OWN(tz_line_splitter, splitter) = NULL;
        const tz_token *s;
        size_t sentences;
        if (m == 1)
            assert_ok(tz_model_load("ends", NULL, &model, NULL));
        assert_ok(tz_line_splitter_new(model, NULL, &splitter, NULL));
        assert_ok(tz_line_split(splitter, notes, strlen(notes), &s, &sentences));
        char found[128] = "";
        for (size_t i = 0; i < sentences; i++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s|",
                     (int)(s[i].end - s[i].begin), notes + s[i].begin);
        assert_string_equal(
            found, m == 0 ? "Ald.|Eve[a] saw Flo.[1][2] it fell it's on Ald.|Bo saw Ada.[12]|"
                          : "Ald. Eve[a] saw Flo.[1][2]|it fell|it's on|Ald. Bo saw Ada.[12]|");
    }
}

/* A dateline is a sentence of its own; no dash behind another word makes one. */
TEST(datelines) {
    static const char *const text[][2] = {
        {" LONDON, March 3 (Reuters) - It fell.", "LONDON, March 3 (Reuters) -|It fell.|"},
        {"ZÜRICH \u2014 It fell. It rose.", "ZÜRICH \u2014|It fell.|It rose.|"},
        {"London - It fell.", "London - It fell.|"},
        {"IBM - which fell - rose.", "IBM - which fell - rose.|"},
        {"LONDON police - It fell.", "LONDON police - It fell.|"},
        {"UN - It fell.", "UN - It fell.|"},
        {"LONDON -", "LONDON -|"}};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        OWN(tz_line_splitter, splitter) = NULL;
        const tz_token *s;
        size_t sentences;
        assert_ok(tz_line_splitter_new(NULL, NULL, &splitter, NULL));
        assert_ok(tz_line_split(splitter, text[i][0], strlen(text[i][0]), &s, &sentences));
        char found[128] = "";
        for (size_t k = 0; k < sentences; k++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s|",
                     (int)(s[k].end - s[k].begin), text[i][0] + s[k].begin);
        assert_string_equal(found, text[i][1]);
    }
}

/* Sentences of labels: how many, and how many of them are in both. */
static void count(const int32_t *a, const int32_t *b, int32_t words, size_t ret[3]) {
    bool same = true;
    for (int32_t w = 1; w <= words; w++) {
        bool first = a[w] == TZ_SPLIT_END || w == words,
             second = b[w] == TZ_SPLIT_END || w == words;
        ret[0] += first;
        ret[1] += second;
        ret[2] += first && second && same;
        same = first == second && (same || first);
    }
}

TEST(ewt) {
    static const char folder[] = TZ_SOURCE_ROOT "/../shared/data/ud-english-ewt";
    if (access(folder, R_OK) != 0 || AMOUNT(0, 1)) {
        print_message("skipped: %s, or a build with sanitizers\n", folder);
        skip();
    }
    char path[512];
    snprintf(path, sizeof path, "%s/en_ewt-ud-dev.conllu", folder);
    prints(
        "",
        "trapeze train splitter --quiet --epochs 3 --prune 0.01 -o ewt %s/en_ewt-ud-train.conllu",
        folder);
    OWN(tz_model, model) = NULL;
    OWN(tz_decoder, decoder) = NULL;
    OWNED(tz_labels, labels) = {0};
    OWNED(tz_corpus, corpus) = {0};
    assert_ok(tz_model_load("ewt", &tz_sentence_splitter, &model, NULL));
    assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
    assert_int_equal(
        tz_train_text_read("test", path, &tz_sentence_splitter, false, NULL, &labels, &corpus), 0);
    size_t sum[3] = {0, 0, 0};
    for (size_t s = 0; s < corpus.count; s++) {
        const tz_sentence *list[] = {&corpus.sentence[s]};
        const int32_t *const *answer;
        assert_ok(tz_decode(decoder, model->weight, list, 1, &answer, NULL));
        count(answer[0], list[0]->fine, list[0]->words, sum);
    }
    double f1 = 200 * (double)sum[2] / (double)(sum[0] + sum[1]);
    printf("EWT dev: %.2f\n", f1);
    assert_true(f1 >= 87);
}

static int attempt(void *user) {
    const tz_model *model = user;
    OWN(tz_line_splitter, splitter) = NULL;
    const tz_token *sentence;
    size_t sentences;
    tz_status status = tz_line_splitter_new(model, NULL, &splitter, NULL);
    if (status == TZ_OK)
        status = tz_line_split(splitter, text, strlen(text), &sentence, &sentences);
    if (status == TZ_OK)
        status = tz_line_split(splitter, "it fell.[1] it", 14, &sentence, &sentences);
    return (int)status;
}

TEST(memory) {
    OWN(tz_model, model) = NULL;
    assert_ok(tz_model_load("ends", NULL, &model, NULL));
    oom_sweep("split", attempt, model, TZ_NO_MEMORY, false);
}

TESTS_BETWEEN(set_up, shell_teardown)
