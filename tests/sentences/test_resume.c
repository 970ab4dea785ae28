/* test_resume.c - is training that was stopped anywhere, and went on, the same as training that was
 * not? Are states that do not fit refused?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sentences/train/state.h"
#include "sentences/train/train.h"
#include "tests/support/folder.h"
#include "tests/support/oom.h"
#include "tests/support/toy.h"

static const char state_path[] = "state";
static tz_labels tags;
static tz_corpus corpus, dev;

static int set_up(void **state) {
    if (folder_setup(state) != 0)
        return -1;
    toy_corpus(1, 21, &tags, &corpus);
    toy_corpus(2, 20, &tags, &dev);
    return 0;
}

static int tear_down(void **state) {
    tz_corpus_free(&corpus);
    tz_corpus_free(&dev);
    tz_labels_free(&tags);
    return folder_teardown(state);
}

static tz_model *new_model(const tz_task *task, const char *rules, unsigned bits) {
    tz_model *model;
    tz_labels labels = {0};
    for (size_t a = 0; task->labelled && a < tags.count; a++) {
        int32_t number;
        assert_ok(tz_labels_add(&labels, tags.name[a], &number));
    }
    assert_ok(tz_model_new(task, rules, bits, &labels, &model));
    return model;
}

/* ---- Stopping -------------------------------------------------------------------------------- */

static int reports, most_reports; /* so far; when to stop */

static bool stop_after(void *user, const tz_training_progress *progress) {
    (void)user;
    (void)progress;
    return ++reports < most_reports;
}

static tz_training methods[] = {
    {.objective = TZ_PERCEPTRON, .optimiser = TZ_AVERAGE, .batch = 4, .margin = 0.5},
    {.objective = TZ_LIKELIHOOD,
     .optimiser = TZ_ADAGRAD,
     .batch = 4,
     .rate = 0.1,
     .l2 = 0.5,
     .least = 1e-3},
    {.objective = TZ_LIKELIHOOD, .optimiser = TZ_ADAM, .batch = 3, .rate = 0.01, .l2 = 0.5},
    {.objective = TZ_LIKELIHOOD, .optimiser = TZ_LBFGS, .batch = 1, .l2 = 0.5},
};

/* Stopped after every few reports, which fall within epochs and at their ends, with another number
 * of threads each time: weights and table use are those of one go. */
TEST(same) {
    static const struct {
        const tz_task *task;
        const char *rules;
        size_t method;
    } of[] = {{&tz_tagger, "chain", 0},  {&tz_tagger, "chain", 1},
              {&tz_tagger, "chain", 2},  {&tz_tagger, "chain", 3},
              {&tz_parser, "eisner", 0}, {&tz_parser, "eisner", 1},
              {&tz_parser, "eisner", 2}, {&tz_parser, "sibling-single-root", 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        tz_training training = methods[of[i].method];
        training.epochs = training.optimiser == TZ_LBFGS ? 2 : 4;
        training.seed = 5;
        training.threads = 1;
        training.report = stop_after;
        OWN(tz_model, whole) = new_model(of[i].task, of[i].rules, 7);
        tz_table_use use, again;
        most_reports = INT32_MAX;
        reports = 0;
        assert_ok(tz_train(whole, &corpus, &dev, &training, &use, NULL));
        int in_all = reports, stops = 0;
        /* L-BFGS begins its epoch anew: stop within the first, then within the second. */
        int portion = training.optimiser == TZ_LBFGS ? in_all - 1 : 4;
        training.opt_state = state_path;
        tz_model *parts = NULL;
        tz_status status = TZ_NONE;
        while (status == TZ_NONE) {
            tz_model_free(parts);
            parts = new_model(of[i].task, of[i].rules, 7);
            most_reports = stops == 0 ? 1 : portion;
            training.resume = stops > 0;
            training.threads = 1 + (unsigned)stops % 3;
            reports = 0;
            status = tz_train(parts, &corpus, &dev, &training, &again, NULL);
            stops += status == TZ_NONE;
            assert_true(stops < 50);
        }
        assert_ok(status);
        assert_true(stops >= (training.optimiser == TZ_LBFGS ? 2 : 5));
        assert_memory_equal(parts->weight, whole->weight,
                            tz_model_size(whole) * sizeof *whole->weight);
        assert_memory_equal(&use, &again, sizeof use);
        /* A training that is over has nothing left to do, unless it may go on for longer. */
        reports = 0;
        training.resume = true;
        assert_ok(tz_train(parts, &corpus, &dev, &training, &again, NULL));
        assert_int_equal(reports, 0);
        assert_memory_equal(parts->weight, whole->weight,
                            tz_model_size(whole) * sizeof *whole->weight);
        tz_model_free(parts);
        unlink(state_path);
    }
}

/* More epochs than there were to be: as if they had been asked for at once. */
TEST(longer) {
    tz_table_use use;
    tz_training training = methods[1];
    training.threads = 1;
    training.epochs = 3;
    OWN(tz_model, whole) = new_model(&tz_tagger, "chain", 7),
                  *more = new_model(&tz_tagger, "chain", 7);
    assert_ok(tz_train(whole, &corpus, NULL, &training, &use, NULL));
    training.opt_state = state_path;
    training.epochs = 2;
    assert_ok(tz_train(more, &corpus, NULL, &training, &use, NULL));
    assert_memory_not_equal(more->weight, whole->weight,
                            tz_model_size(whole) * sizeof *whole->weight);
    training.epochs = 3;
    training.resume = true;
    assert_ok(tz_train(more, &corpus, NULL, &training, &use, NULL));
    assert_memory_equal(more->weight, whole->weight, tz_model_size(whole) * sizeof *whole->weight);
    unlink(state_path);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void refused(tz_model *model, tz_corpus *on, const tz_corpus *opt_dev,
                    const tz_training *training, const char *why) {
    tz_table_use use;
    tz_error error;
    assert_int_equal(tz_train(model, on, opt_dev, training, &use, &error), TZ_IO);
    if (!strstr(error.message, why))
        fail_msg("'%s' lacks '%s'", error.message, why);
}

/* Another task, option, treebank; no state. */
TEST(other) {
    tz_table_use use;
    tz_training training = methods[1], other;
    training.threads = training.epochs = 1;
    training.opt_state = state_path;
    training.resume = true;
    tz_model *model = new_model(&tz_tagger, "chain", 7),
             *parser = new_model(&tz_parser, "eisner", 7);
    OWN(tz_model, larger) = new_model(&tz_tagger, "chain", 8);
    refused(model, &corpus, &dev, &training, "No such file");
    training.resume = false;
    assert_ok(tz_train(model, &corpus, &dev, &training, &use, NULL));
    training.resume = true;
    refused(parser, &corpus, &dev, &training, "another task, rule set, set of labels");
    refused(larger, &corpus, &dev, &training, "another --table");
    refused(model, &dev, &dev, &training, "another treebank");
    refused(model, &corpus, &corpus, &training, "another --dev");
    refused(model, &corpus, NULL, &training, "another --dev");
    other = training;
    other.l2 *= 2;
    refused(model, &corpus, &dev, &other, "another --l2");
    other = training;
    other.least = 0;
    refused(model, &corpus, &dev, &other, "another --least");
    other = training;
    other.rate *= 2;
    refused(model, &corpus, &dev, &other, "another --rate");
    other = training;
    other.seed++;
    refused(model, &corpus, &dev, &other, "another --seed");
    other = training;
    other.batch++;
    refused(model, &corpus, &dev, &other, "another --batch");
    other = training;
    other.optimiser = TZ_ADAM;
    refused(model, &corpus, &dev, &other, "another --optimiser");
    other = training;
    other.objective = TZ_PERCEPTRON;
    refused(model, &corpus, &dev, &other, "another --objective");
    uint64_t *form = &corpus.sentence[3].word[1].upos; /* nothing but a feature */
    *form ^= 1;
    refused(parser, &corpus, &dev, &training, "another task");
    *form ^= 1;
    tz_model_free(model);
    tz_model_free(parser);
    unlink(state_path);
}

static void write_bytes(const char *bytes, size_t size) {
    FILE *file = need(fopen(state_path, "wb"));
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* A file that is cut off, longer, or has a bit wrong: any of the first 200 bytes, and one in 97. */
TEST(damaged) {
    tz_table_use use;
    tz_training training = methods[2];
    training.threads = training.epochs = 1;
    training.opt_state = state_path;
    OWN(tz_model, model) = new_model(&tz_parser, "eisner", 4);
    assert_ok(tz_train(model, &corpus, NULL, &training, &use, NULL));
    training.resume = true;
    static char bytes[1 << 16];
    FILE *file = need(fopen(state_path, "rb"));
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    assert_in_range(size, 500, sizeof bytes - 2);
    for (size_t at = 0; at < size; at += at < 200 ? 1 : 97) {
        bytes[at] ^= 4;
        write_bytes(bytes, size);
        refused(model, &corpus, NULL, &training, at < 8 ? "not a training state" : "damaged");
        bytes[at] ^= 4;
    }
    for (size_t cut = 0; cut < size; cut += cut < 20 ? 1 : 97) {
        write_bytes(bytes, cut);
        refused(model, &corpus, NULL, &training, cut < 16 ? "not a training state" : "damaged");
    }
    bytes[size] = 0;
    write_bytes(bytes, size + 1);
    refused(model, &corpus, NULL, &training, "damaged");
    write_bytes(bytes, size);
    assert_ok(tz_train(model, &corpus, NULL, &training, &use, NULL));
    unlink(state_path);
}

/* Stopped after its first batch, and gone on with to the end of its only epoch. */
static int attempt(void *user) {
    tz_training training = *(const tz_training *)user;
    tz_corpus few = corpus;
    tz_table_use use;
    OWN(tz_model, model) = NULL;
    tz_labels none = {0};
    few.count = 2;
    tz_status status = tz_model_new(&tz_parser, "eisner", 4, &none, &model);
    most_reports = 1;
    reports = 0;
    if (status == TZ_OK)
        status = tz_train(model, &few, NULL, &training, &use, NULL);
    if (status == TZ_NONE) {
        most_reports = INT32_MAX;
        training.resume = true;
        status = tz_train(model, &few, NULL, &training, &use, NULL);
    }
    return (int)status;
}

TEST(memory) {
    for (size_t m = 0; m < 3; m++) {
        tz_training training = methods[m];
        training.threads = training.batch = training.epochs = 1;
        training.opt_state = state_path;
        training.report = stop_after;
        oom_sweep("resume", attempt, &training, TZ_NO_MEMORY, false);
    }
    unlink(state_path);
}

TESTS_BETWEEN(set_up, tear_down)
