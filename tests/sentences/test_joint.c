/* test_joint.c - are both tags of a word decided together, and do they agree with what is known?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/sentence/dictionary.h"
#include "sentences/learn/joint.h"
#include "tests/support/random.h"
#include "tests/support/read_corpus.h"
#include "tests/support/shell.h"

/* ---- Restricting ----------------------------------------------------------------------------- */

enum { LABELS = 5, WORDS = 4 };
static const char *const label_names[LABELS] = {"NOUN NN", "NOUN NNS", "VERB VB", "PROPN NNP",
                                                "VERB NN"};

static tz_model *random_model(random_state *random) {
    tz_model *model;
    tz_labels labels = {0};
    for (size_t a = 0; a < LABELS; a++) {
        int32_t number;
        assert_ok(tz_labels_add(&labels, label_names[a], &number));
    }
    assert_ok(tz_model_new(&tz_joint_tagger, "chain", 8, &labels, &model));
    for (size_t w = 0; w < tz_model_size(model); w++)
        model->weight[w] = (float)random_between(random, -1, 1);
    return model;
}

/* What is asked, and what is known: names or "_". */
static void random_sentence(random_state *random, tz_arena *arena, tz_analysed *ret) {
    static const char *const words[] = {"dog", "dogs", "bark", "Rex"};
    static const char *const upos[] = {"NOUN", "VERB", "PROPN", "X"};
    static const char *const xpos[] = {"NN", "NNS", "VB", "NNP", "ZZ"};
    char line[64] = "";
    tz_token token[WORDS];
    size_t count = 1 + random_below(random, WORDS);
    for (size_t t = 0; t < count; t++) {
        const char *word = words[random_below(random, 4)];
        token[t].begin = strlen(line);
        strcat(line, word);
        token[t].end = strlen(line);
        strcat(line, " ");
    }
    const char *text = tz_arena_text(arena, line, strlen(line));
    assert_ok(tz_analysed_tokens(arena, text, token, count, ret));
    ret->todo = 1 + (unsigned)random_below(random, 3); /* one of the tags, or both */
    for (size_t w = 1; w <= count; w++) {
        ret->name[TZ_UPOS][w] = upos[random_below(random, 4)];
        ret->name[TZ_XPOS][w] = xpos[random_below(random, 5)];
    }
}

/* May word w have label a? By the definition: it agrees with what is not asked for, or none does.
 */
static bool may(const tz_analysed *item, size_t w, size_t a) {
    bool any = false, fits[LABELS];
    for (size_t b = 0; b < LABELS; b++) {
        size_t upos = strcspn(label_names[b], " ");
        const char *name = item->name[TZ_UPOS][w];
        bool same_upos = strlen(name) == upos && strncmp(name, label_names[b], upos) == 0;
        bool same_xpos = strcmp(item->name[TZ_XPOS][w], label_names[b] + upos + 1) == 0;
        fits[b] = (item->todo & 1u << TZ_STAGE_TAG || same_upos) &&
                  (item->todo & 1u << TZ_STAGE_FINE || same_xpos);
        any |= fits[b];
    }
    return !any || fits[a];
}

/* The score of labels, which are the digits of `number`. */
static double score_of(const tz_scored *scored, int32_t words, size_t number) {
    double sum = 0;
    for (int32_t w = 1, before = -1; w <= words; w++, number /= LABELS) {
        int32_t a = (int32_t)(number % LABELS);
        sum += before < 0 ? scored->data[0][a] : scored->data[1][before * LABELS + a];
        sum += scored->data[2][w * LABELS + a];
        before = a;
    }
    return sum;
}

/* The best labels of all that are allowed, by enumeration. */
static double best_of_all(const tz_scored *scored, const tz_analysed *item) {
    size_t all = 1;
    double best = -INFINITY;
    for (int32_t w = 0; w < item->sentence.words; w++)
        all *= LABELS;
    for (size_t number = 0; number < all; number++) {
        bool allowed = true;
        size_t left = number;
        for (int32_t w = 1; w <= item->sentence.words; w++, left /= LABELS)
            allowed = allowed && may(item, (size_t)w, left % LABELS);
        double score = score_of(scored, item->sentence.words, number);
        best = allowed && score > best ? score : best;
    }
    return best;
}

static void test_restricted(void **state) {
    (void)state;
    random_state random = random_start("restricted tags");
    OWN(tz_model, model) = random_model(&random);
    OWNED(tz_joint, joint) = {0};
    OWN(tz_decoder, decoder) = NULL;
    assert_ok(tz_joint_new(&model->labels, &joint));
    assert_ok(tz_decoder_new(model, 1, &decoder, NULL));
    for (int trial = 0; trial < 200; trial++) {
        OWN(tz_arena, arena) = tz_arena_new();
        tz_analysed item, *items = &item;
        random_sentence(&random, arena, &item);
        const tz_sentence *sentence = &item.sentence;
        OWNED(tz_scored, scored) = {0};
        assert_ok(tz_score_sentence(model, model->weight, sentence, &scored));
        tz_joint_batch batch = {&joint, &items};
        tz_decoder_adjust(decoder, tz_joint_restrict, &batch);
        const int32_t *const *answer;
        assert_ok(tz_decode(decoder, model->weight, &sentence, 1, &answer, NULL));
        size_t number = 0;
        for (int32_t w = sentence->words; w > 0; w--) {
            assert_true(may(&item, (size_t)w, (size_t)answer[0][w]));
            number = number * LABELS + (size_t)answer[0][w];
        }
        double gap = score_of(&scored, sentence->words, number) - best_of_all(&scored, &item);
        assert_true(fabs(gap) < 1e-12);
    }
}

/* ---- Dictionaries ---------------------------------------------------------------------------- */

/* Forms that have the same share of the same tags are of one kind; the commonest has the number 1;
 * what came once is not there. */
static void test_dictionary(void **state) {
    (void)state;
    static const char text[] = "1\tDog\t_\tX\tNN\t_\t_\t_\t_\t_\n"
                               "2\tdog\t_\tX\tNN\t_\t_\t_\t_\t_\n"
                               "3\tcat\t_\tX\tNN\t_\t_\t_\t_\t_\n"
                               "4\tcat\t_\tX\tNN\t_\t_\t_\t_\t_\n"
                               "5\tbark\t_\tX\tNN\t_\t_\t_\t_\t_\n"
                               "6\tbark\t_\tX\tVB\t_\t_\t_\t_\t_\n"
                               "7\tonce\t_\tX\tVB\t_\t_\t_\t_\t_\n\n";
    OWNED(tz_labels, tags) = {0};
    OWNED(tz_corpus, corpus) = {0};
    tz_corpus_options options = {.grow = true, .labels[TZ_XPOS] = &tags};
    assert_ok(read_corpus(text, sizeof text - 1, &options, &corpus, NULL));
    OWNED(tz_tag_counts, counts) = {0};
    OWN(tz_sketch, dictionary) = NULL;
    assert_ok(tz_tag_counts_add(&counts, &corpus.sentence[0]));
    assert_ok(tz_dictionary_new(&counts, tags.count, &dictionary));
    static const uint8_t kinds[] = {1, 1, 1, 1, 2, 2, 0};
    tz_dictionary_look(dictionary, &corpus.sentence[0]);
    for (int32_t w = 1; w <= 7; w++)
        assert_int_equal(corpus.sentence[0].word[w].kind, kinds[w - 1]);
    tz_dictionary_look(NULL, &corpus.sentence[0]);
    for (int32_t w = 1; w <= 7; w++)
        assert_int_equal(corpus.sentence[0].word[w].kind, 0);
}

/* ---- As a user types it ---------------------------------------------------------------------- */

/* "bark" is a noun after "the" and else a verb; "zork" and "zorks" are unknown, but for the
 * dictionary. */
static void make_files(void) {
    works(
        "awk 'BEGIN { for (i = 0; i < 40; i++) { "
        "print \"1\\tthe\\t_\\tDET\\tDT\\t_\\t2\\tdet\\t_\\t_\"; "
        "print \"2\\t\" (i %% 2 ? \"bark\" : \"dog\") \"\\t_\\tNOUN\\tNN\\t_\\t0\\troot\\t_\\t_\"; "
        "if (i %% 3) print \"3\\tbark\\t_\\tVERB\\tVB\\t_\\t2\\tx\\t_\\t_\"; print \"\" } }' "
        "> train.conllu");
    write_file("seen.conllu", "1\tzork\t_\t_\tVB\t_\t_\t_\t_\t_\n"
                              "2\tzork\t_\t_\tVB\t_\t_\t_\t_\t_\n"
                              "3\tbark\t_\t_\tVB\t_\t_\t_\t_\t_\n"
                              "4\tbark\t_\t_\tVB\t_\t_\t_\t_\t_\n"
                              "5\tdog\t_\t_\tNN\t_\t_\t_\t_\t_\n"
                              "6\tdog\t_\t_\tNN\t_\t_\t_\t_\t_\n\n");
}

static void test_command(void **state) {
    (void)state;
    make_files();
    works("trapeze train dictionary -o dictionary seen.conllu && trapeze train joint-tagger "
          "--dictionary dictionary --dev train.conllu --table 12 -o joint train.conllu && trapeze "
          "model pack -o pack joint dictionary && trapeze model show pack");
    assert_contains(err, "both tags right 100.00 % (best)");
    assert_contains(out, "joint-tagger");
    assert_contains(out, "dictionary");
    prints(
        "",
        "cut -f 1-3 train.conllu | awk -v OFS='\\t' 'NF { print $0, \"_\", \"_\", \"_\", \"_\", "
        "\"_\", \"_\", \"_\"; next } 1' > bare; trapeze tag -m pack bare | cut -f 4,5 > found; cut "
        "-f 4,5 train.conllu | cmp - found");
    works("echo 'the zork' | trapeze tag -m pack");
    /* One tag is known: the other one goes with it. */
    prints(
        "the\tDET\tDT\nbark\tVERB\tVB\nbark\tNOUN\tNN\n\n",
        "echo '{\"tokens\": \"the bark bark\", \"pos\": \"DT VB NN\", \"keep\": \"111\"}' > pair; "
        "trapeze pairs --tags -m pack pair | cut -f 2,4,5");
    prints("the\t_\tDT\nbark\t_\tVB\nbark\t_\tNN\n\n", "trapeze pairs --tags pair | cut -f 2,4,5");
}

static void test_refused(void **state) {
    (void)state;
    make_files();
    refused("train.conllu: not a hashed tag dictionary of trapeze",
            "trapeze train joint-tagger -o x --dictionary train.conllu train.conllu");
    refused("absent: No such file",
            "trapeze train joint-tagger -o x --dictionary absent train.conllu");
    refused("seen.conllu:1: word 1 has no tag (UPOS)",
            "trapeze train joint-tagger -o x seen.conllu");
    usage("FILE is missing", "trapeze train dictionary -o x");
    usage("unknown option '--dictionary'", "trapeze train tagger --dictionary x -o x train.conllu");
    usage("--retag passes over", "trapeze pairs --tags --retag pair");
    refused("more than 255 different fine tags",
            "awk 'BEGIN { for (i = 0; i < 300; i++) print (i + 1) \"\\tw\\t_\\t_\\tT\" i "
            "\"\\t_\\t_\\t_\\t_\\t_\" }' > many.conllu; trapeze train dictionary -o x many.conllu");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restricted),
        cmocka_unit_test(test_dictionary),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("joint", tests, shell_setup, shell_teardown);
}
