/* test_words.c - are words, and tokens that stand for several, learnt from a treebank; and how well
 * is a text of German and Czech cut by what was learnt? Of these it reads ../shared/data; skips,
 * saying so, where that is absent. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "sentences/learn/find_words.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/shell.h"

OWNABLE(tz_word_finder)

/* A row of a word; a number like 1-2: of a token. */
static void row(FILE *file, const char *number, const char *form, const char *misc) {
    fprintf(file, "%s\t%s\t_\tX\t_\t_\t_\t_\t_\t%s\n", number, form, misc);
}

/* Sentences like "Im Mai war er am 3. Juni z.B. da, sagt's Ada." */
static void write_treebank(const char *name) {
    static const char *const month[] = {"Mai", "Juni", "Juli"};
    FILE *file = need(fopen(name, "w"));
    for (int s = 0; s < 60; s++) {
        char day[8];
        snprintf(day, sizeof day, "%d.", 1 + s % 30);
        row(file, "1-2", s % 4 ? "Im" : "IM", "_");
        row(file, "1", s % 4 ? "In" : "IN", "_");
        row(file, "2", s % 4 ? "dem" : "DEM", "_");
        row(file, "3", month[s % 3], "_");
        row(file, "4-5", "am", "_");
        row(file, "4", "an", "_");
        row(file, "5", "dem", "_");
        row(file, "6", day, "_");
        row(file, "7", month[s / 3 % 3], "_");
        row(file, "8", "z.B.", "SpaceAfter=No");
        row(file, "9", ",", "_");
        row(file, "10-11", "sagt's", "_");
        row(file, "10", "sagt", "_");
        row(file, "11", "'s", "_");
        row(file, "12", s % 2 ? "am-Ende" : "1945", "SpaceAfter=No");
        row(file, "13", ".", "_");
        fputs("\n", file);
    }
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
    if (shell_setup(state) != 0)
        return -1;
    write_treebank("train.conllu");
    shell("trapeze train tokeniser --quiet --table 14 --epochs 5 -o words train.conllu && "
          "trapeze train tagger --quiet --table 12 --epochs 1 -o tags train.conllu && "
          "trapeze model pack -o model tags words");
    return code;
}

TEST(learnt) {
    write_file("in.txt", "  Im Juni am 7. Mai z.B., sagt's 1945.\n");
    prints("\"I\",\"m\",\"Juni\",\"am\",\"7\",\".\",\"Mai\",\"z.B.\",\",\",\"sagt\",\"'s\","
           "\"1945\",\".\"\n",
           "trapeze tag -m tags --one-per-line -f json in.txt | cut -d '[' -f 2 | cut -d ']' -f 1");
    prints("1-2\tIm\t_\n1\tIn\t_\n2\tdem\t_\n3\tJuni\t_\n4-5\tam\t_\n4\tan\t_\n5\tdem\t_\n"
           "6\t7.\t_\n7\tMai\t_\n8\tz.B.\tSpaceAfter=No\n9\t,\t_\n10-11\tsagt's\t_\n"
           "10\tsagt\t_\n11\t's\t_\n12\t1945\tSpaceAfter=No\n13\t.\t_\n\n",
           "trapeze tag -m model --one-per-line -f conllu in.txt | cut -f 1,2,10 | tail -n +3");
    prints("IN DEM Juni\n", "echo 'IM Juni' | trapeze tag -m model -f text | sed 's/.X//g'");
    /* What was written is what is read again. */
    prints(
        "{\"text\":\"Im Juni am 7. Mai z.B., sagt's 1945.\",\"tokens\":\n",
        "trapeze tag -m model --one-per-line -f conllu in.txt >a && trapeze tag -m model a | cmp "
        "- a && "
        "trapeze tag -m model -f json a | cut -d '[' -f 1");
    prints("1\n",
           "trapeze train tokeniser --quiet --table 14 --epochs 5 --threads 3 -o same train.conllu "
           "&& cmp words same && trapeze model show model | grep -c tokeniser");
}

/* With learnt words, no sentence ends within "3. Juni", but behind "1945.". */
TEST(ends) {
    prints(
        "",
        "trapeze train splitter --quiet --table 12 --epochs 9 --words words -o ends train.conllu "
        "&& trapeze model pack -o both tags words ends");
    write_file("two.txt",
               "Im Juni am 7. Mai z.B., sagt's 1945. Im Mai am 2. Juli z.B., sagt's am-Ende.");
    prints("# text = Im Juni am 7. Mai z.B., sagt's 1945.\n"
           "# text = Im Mai am 2. Juli z.B., sagt's am-Ende.\n",
           "trapeze tag -m both -f conllu two.txt | grep '# text'");
    refused("the model is a splitter, not a tokeniser",
            "trapeze train splitter --quiet --words ends -o no train.conllu");
}

/* ---- Laws ------------------------------------------------------------------------------------ */

/* A line that may have anything in it. */
static void random_line(random_state *random, char *line) {
    static const char *const piece[] = {"Im", "am", "IM",  " ", " ",  "3",      ".",
                                        ",",  "'s", "z.B", "Ö", "日", "\u00a0", "\xf0\x9f\x99\x82",
                                        "-",  "a"};
    *line = '\0';
    for (size_t p = random_below(random, 40); p > 0; p--)
        strcat(line, piece[random_below(random, sizeof piece / sizeof *piece)]);
}

static bool blank(const char *at) {
    bool second = *at == '\xa0' && at[-1] == '\xc2'; /* its second byte; no line begins with one */
    return *at == ' ' || strncmp(at, "\u00a0", 2) == 0 || second;
}

/* The words stand in the line one behind the other, none of its characters is in two or, but for
 * blanks, in none; and an empty word is one of those that its token stands for. */
static void check(const char *line, const tz_token *token, const tz_analysed *a) {
    size_t words = (size_t)a->sentence.words, at = 0;
    for (size_t w = 0; w < words; w++) {
        assert_true(token[w].begin >= at && token[w].end >= token[w].begin);
        for (; at < token[w].begin; at++)
            assert_true(blank(line + at));
        assert_true(a->within[w + 1] ? w > 0 && token[w].begin == token[w - 1].end
                                     : token[w].begin < token[w].end);
        for (; at < token[w].end; at++)
            assert_false(blank(line + at));
        assert_true(*a->sentence.form[w + 1] != '\0');
    }
    for (; line[at]; at++)
        assert_true(blank(line + at));
}

static void find(tz_word_finder *finder, const char *line, size_t *ret_several) {
    const tz_token *token;
    tz_analysed analysed;
    size_t words;
    OWN(tz_arena, arena) = need(tz_arena_new());
    assert_ok(tz_find_words(finder, line, strlen(line), &words));
    assert_ok(tz_found_words(finder, arena, line, &token, &analysed));
    assert_int_equal(analysed.sentence.words, words);
    check(line, token, &analysed);
    for (size_t w = 0; w < words; w++)
        *ret_several += token[w].begin == token[w].end;
}

/* By the model, and by one of weights that say nothing. */
TEST(laws) {
    random_state random = random_start("laws");
    OWN(tz_model, model) = NULL;
    OWN(tz_word_finder, finder) = NULL;
    char line[512];
    size_t several = 0;
    assert_ok(tz_model_load("words", &tz_word_tokeniser, &model, NULL));
    assert_ok(tz_word_finder_new(model, &finder, NULL));
    for (int l = 0; l < AMOUNT(100, 1000); l++) {
        for (size_t w = 0; l % 2 && w < 100; w++)
            model->step[random_below(&random, tz_model_size(model))] =
                (signed char)random_below(&random, 100);
        random_line(&random, line);
        find(finder, line, &several);
    }
    assert_true(several > 0);
}

static int attempt(void *user) {
    static const char line[] = "Im Juni, sagt's";
    const tz_token *token;
    tz_analysed analysed;
    size_t words;
    tz_word_finder *finder;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_status status = arena ? tz_word_finder_new(user, &finder, NULL) : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        status = tz_find_words(finder, line, strlen(line), &words);
        if (status == TZ_OK)
            status = tz_found_words(finder, arena, line, &token, &analysed);
        tz_word_finder_free(finder);
    }
    return (int)status;
}

TEST(memory) {
    OWN(tz_model, model) = NULL;
    assert_ok(tz_model_load("words", NULL, &model, NULL));
    oom_sweep("words", attempt, model, TZ_NO_MEMORY, false);
}

/* ---- F1 of words ----------------------------------------------------------------------------- */

/* in: text of another cut than `gold`. By hand: of 2 and 3 sentences 1 is in both, of 6 and 6
 * tokens 4, of 7 and 6 words 4, of which 3 have the same tag and 2 the same head, both the label.
 */
TEST(figures) {
    static const char gold[] =
        "1\tA\t_\tX\tx\t_\t0\troot\t_\t_\n2\tb\t_\tX\tx\t_\t1\tl\t_\tSpaceAfter=No\n"
        "3\t.\t_\tX\tx\t_\t1\tl\t_\t_\n\n"
        "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\t_\tX\tx\t_\t2\tl\t_\t_\n"
        "2\tdem\t_\tX\tx\t_\t0\troot\t_\t_\n3\tc\t_\tX\tx\t_\t2\tl\t_\t_\n4\td\t_\tX\tx\t_\t2\tl\t_"
        "\t_\n\n";
    static const char guess[] =
        "1\tA\t_\tX\tx\t_\t0\troot\t_\t_\n2\tb.\t_\tX\tx\t_\t1\tl\t_\t_\n\n"
        "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tIN\t_\tY\tx\t_\t0\troot\t_\t_\n"
        "2\tden\t_\tX\tx\t_\t1\tl\t_\t_\n\n"
        "1\tc\t_\tX\tx\t_\t0\troot\t_\t_\n2\td\t_\tX\tx\t_\t1\tl\t_\t_\n\n";
    write_file("gold", gold);
    write_file("guess", guess);
    shell("trapeze eval words -f tsv --resamples 10 gold guess | tail -n +2 | cut -f 1,2");
    assert_result_near("sentences.f1\t0.4\ntokens.f1\t0.727273\nwords.f1\t0.615385\n"
                       "upos.f1\t0.461538\nxpos.f1\t0.615385\nuas.f1\t0.153846\nlas.f1\t0.153846\n",
                       1e-5);
    shell("trapeze eval words -f tsv --resamples 10 gold gold | grep -vc '\t1\t1\t1$'");
    assert_string_equal(out, "1\n"); /* the head */
    refused("guess:1: the text is not that of other", "sed s/A/B/ gold >other; trapeze eval words "
                                                      "other guess");
    refused("the text is not that of", "head -n 4 gold | trapeze eval words - guess");
    refused("the text is not that of", "head -n 3 guess | trapeze eval words gold -");
    usage("two files are needed", "trapeze eval words gold");
}

/* ---- Treebanks ------------------------------------------------------------------------------- */

/* Learns from part of a treebank, and returns F1 of the words of the other one, of its sentences
 * one a line; by rules into *ret_rules. */
static double words_of(const char *train, const char *test, double *ret_rules) {
    works("%s >t.conllu && %s >d.conllu && sed -n 's/^# text = //p' d.conllu >d.txt && "
          "trapeze train tokeniser --quiet --objective likelihood --epochs 3 --prune 0.01 -o w "
          "t.conllu && trapeze model pack -o with tags w && for m in tags with; do trapeze tag "
          "-m $m --one-per-line --max-words 2000 --format conllu d.txt | trapeze eval words "
          "-f tsv --resamples 10 d.conllu - | grep words.f1 | cut -f 2; done",
          train, test);
    char *rest;
    *ret_rules = strtod(out, &rest);
    return strtod(rest, NULL);
}

static void treebank(const char *name, const char *train, const char *test, double least) {
    char folder[512], from[2048], to[2048];
    snprintf(folder, sizeof folder, "%s/../shared/data/%s", TZ_SOURCE_ROOT, name);
    if (access(folder, R_OK) != 0 || AMOUNT(0, 1)) {
        print_message("skipped: %s, or a build with sanitizers\n", folder);
        skip();
    }
    double rules;
    snprintf(from, sizeof from, "(cd %s && %s)", folder, train);
    snprintf(to, sizeof to, "(cd %s && %s)", folder, test);
    double learnt = words_of(from, to, &rules);
    printf("%s: words %.2f, by rules %.2f\n", name, 100 * learnt, 100 * rules);
    assert_true(learnt > rules && learnt >= least);
}

TEST(german) {
    treebank("ud-german-gsd", "awk 'BEGIN { RS = \"\"; ORS = \"\\n\\n\" } NR % 4' *dev.conllu",
             "awk 'BEGIN { RS = \"\"; ORS = \"\\n\\n\" } NR % 4 == 0' *dev.conllu", 0.995);
}

TEST(czech) {
    treebank("ud-czech-cltt", "cat *train.conllu", "cat *dev.conllu", 0.985);
}

TESTS_BETWEEN(set_up, shell_teardown)
