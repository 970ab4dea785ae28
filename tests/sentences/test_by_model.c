/* test_by_model.c - trees and compressions made by models for an evaluation: the same for any
 * number of threads, however sentences stand together, and without harm where memory is out.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/eval/by_model.h"
#include "tests/support/oom.h"
#include "tests/support/shell.h"
#include "tests/support/toy.h"

enum { WORDS = 7, SENTENCES = 150 };

static tz_pack pack;

/* As `trapeze` itself learns them. */
static int set_up(void **state) {
    random_state random = random_start("toy treebank");
    if (shell_setup(state) != 0 || toy_file("train.conllu", toy_treebank, &random, 100) != 0)
        return -1;
    shell(
        "awk -F '\t' -v OFS='\t' 'NF == 10 && $4 != \"ADJ\" {$10 = \"Kept=\" $7} 1' train.conllu > "
        "kept.conllu && for t in tagger parser compressor; do trapeze train $t -o $t.model "
        "--quiet --epochs 1 --table 10 kept.conllu || exit 1; done; "
        "trapeze model pack -o all.model tagger.model parser.model compressor.model");
    tz_error error;
    return code == 0 && tz_pack_load("all.model", &pack, &error) == TZ_OK ? 0 : -1;
}

static int tear_down(void **state) {
    tz_pack_free(&pack);
    return shell_teardown(state);
}

static const char *const words[WORDS] = {"the", "old", "dog", "likes", "a", "wet", "tea"};

typedef struct sample {
    tz_source source[SENTENCES];
    tz_compression compression[SENTENCES];
    uint8_t keep[SENTENCES][WORDS];
    tz_by_model item[SENTENCES];
} sample;

/* Words 0..count-1 of the sentence, some of them kept. */
static void make_sample(sample *s, random_state *random) {
    for (size_t i = 0; i < SENTENCES; i++) {
        for (size_t w = 0; w < WORDS; w++)
            s->keep[i][w] = random_below(random, 2) == 1;
        s->source[i] = (tz_source){.words = random_below(random, WORDS + 1), .word = words};
        s->compression[i] = (tz_compression){.keep = s->keep[i]};
        int64_t most = (int64_t)s->source[i].words + 1;
        s->item[i] = (tz_by_model){&s->source[i], &s->compression[i],
                                   (int64_t)random_below(random, (uint64_t)most + 1) - 1, false};
    }
}

static tz_analyser *analyser_of(unsigned threads) {
    tz_analyser *analyser;
    tz_error error;
    assert_ok(tz_analyser_new(&pack, ~0u, threads, &analyser, &error));
    return analyser;
}

static void check_tree(const tz_source *source, const tz_compression *c) {
    for (size_t w = 0; w < source->words; w++) {
        int32_t head = c->opt_head[w];
        assert_int_equal(head >= 0, c->keep[w]);
        assert_true(head <= (int32_t)source->words && head != (int32_t)w + 1);
        assert_true(head <= 0 || c->keep[head - 1]);
    }
}

static void assert_same(const tz_source *source, const tz_compression *a, const tz_compression *b) {
    assert_memory_equal(a->keep, b->keep, source->words);
    assert_memory_equal(a->opt_head, b->opt_head, source->words * sizeof *a->opt_head);
}

typedef tz_status maker(tz_analyser *analyser, tz_arena *arena, const tz_by_model *item,
                        size_t count, tz_error *opt_error);

/* All at once, with several threads, is what each alone gives. */
static void check(maker *make, bool compress) {
    random_state random = random_start(compress ? "compressions" : "trees");
    static sample s;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_error error;
    for (unsigned threads = 1; threads <= 3; threads++) {
        OWN(tz_analyser, analyser) = analyser_of(threads);
        make_sample(&s, &random);
        assert_ok(make(analyser, arena, s.item, SENTENCES, &error));
        for (size_t i = 0; i < SENTENCES; i++) {
            tz_compression alone = {.keep = s.keep[i]};
            tz_by_model item = s.item[i];
            item.compression = &alone;
            assert_ok(make(analyser, arena, &item, 1, &error));
            assert_same(&s.source[i], &s.compression[i], &alone);
            check_tree(&s.source[i], &alone);
            int64_t kept = 0;
            for (size_t w = 0; w < s.source[i].words; w++)
                kept += alone.keep[w];
            assert_true(!compress || item.keep < 0 || s.source[i].words == 0 || kept == item.keep);
        }
    }
}

TEST(trees) {
    check(tz_parse_by_model, false);
}

static tz_status compress(tz_analyser *analyser, tz_arena *arena, const tz_by_model *item,
                          size_t count, tz_error *opt_error) {
    return tz_compress_by_model(analyser, arena, TZ_STAGE_COMPRESS, item, count, opt_error);
}

TEST(compressions) {
    check(compress, true);
}

static int attempt(void *user) {
    static const uint8_t keep[WORDS] = {1, 0, 1, 1, 0, 0, 1};
    tz_analyser *analyser = user;
    tz_compression parsed = {.keep = keep}, made[2] = {{0}};
    tz_source source = {.words = WORDS, .word = words};
    tz_by_model item[] = {{&source, &made[0], 3, false}, {&source, &made[1], -1, false}};
    tz_by_model parse = {&source, &parsed, 0, false};
    OWN(tz_arena, arena) = tz_arena_new();
    tz_error error;
    tz_status status = arena ? tz_parse_by_model(analyser, arena, &parse, 1, &error) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = compress(analyser, arena, item, 2, &error);
    return (int)status;
}

/* The charts of a decoder stay from one call to the next, and so does what the first one made. */
TEST(memory) {
    OWN(tz_analyser, analyser) = analyser_of(1);
    assert_int_equal(attempt(analyser), 0);
    assert_true(oom_sweep("by_model", attempt, analyser, TZ_NO_MEMORY, false) > 20);
}

TESTS_BETWEEN(set_up, tear_down)
