/* test_compression.c - are the figures of a compression what their definitions say? N-grams, arcs
 * and alignments against brute force. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/eval/align.h"
#include "sentences/eval/compression.h"
#include "sentences/eval/gold.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { WORDS = 8 };

/* ---- N-grams --------------------------------------------------------------------------------- */

/* Pairs each n-gram with the first equal one that is not used yet. */
static size_t shared_by_force(unsigned n, const int32_t *a, size_t as, const int32_t *b,
                              size_t bs) {
    bool used[64] = {false};
    size_t shared = 0;
    for (size_t i = 0; i + n <= as; i++) {
        for (size_t j = 0; j + n <= bs; j++) {
            if (!used[j] && memcmp(a + i, b + j, n * sizeof *a) == 0) {
                used[j] = true;
                shared++;
                break;
            }
        }
    }
    return shared;
}

TEST(ngrams) {
    random_state random = random_start("n-grams");
    for (int round = 0; round < 2000; round++) {
        int32_t a[30], b[30];
        size_t as = random_below(&random, 31), bs = random_below(&random, 31);
        uint64_t forms = 1 + random_below(&random, 6);
        for (size_t i = 0; i < 30; i++) {
            a[i] = (int32_t)random_below(&random, forms);
            b[i] = (int32_t)random_below(&random, forms);
        }
        for (unsigned n = 1; n <= TZ_NGRAM; n++) {
            size_t shared = SIZE_MAX;
            assert_ok(tz_ngrams_shared(n, a, as, b, bs, &shared));
            assert_int_equal(shared, shared_by_force(n, a, as, b, bs));
        }
    }
    assert_int_equal(tz_ngrams(1, 0), 0);
    assert_int_equal(tz_ngrams(4, 3), 0);
    assert_int_equal(tz_ngrams(4, 5), 2);
}

/* ---- Figures --------------------------------------------------------------------------------- */

static const char *const the_words[] = {"the", "old",           "dog", "saw",
                                        "the", "\xc3\xa4ltere", "cat", "."};
static const int32_t the_forms[] = {0, 1, 2, 3, 0, 4, 5, 6};
static const int32_t the_sizes[] = {3, 3, 3, 3, 3, 6, 3, 1};

static void assert_ratio(const tz_ratio *ratio, int figure, double part, double whole) {
    if (fabs(ratio[figure].part - part) > 1e-12 || fabs(ratio[figure].whole - whole) > 1e-12) {
        fail_msg("%s: %g / %g, not %g / %g", tz_compression_figure[figure].key, ratio[figure].part,
                 ratio[figure].whole, part, whole);
    }
}

static tz_source source_with(tz_compression *reference, size_t references) {
    return (tz_source){.words = WORDS,
                       .word = the_words,
                       .form = the_forms,
                       .characters = the_sizes,
                       .references = references,
                       .reference = reference};
}

/* Worked out by hand. */
TEST(figures) {
    static const uint8_t right[] = {1, 0, 1, 1, 0, 0, 1, 1}, found[] = {0, 1, 1, 1, 1, 0, 1, 0};
    static const int32_t right_head[] = {3, -1, 4, 0, -1, -1, 4, 4},
                         found_head[] = {-1, 3, 4, 0, 7, -1, 3, -1};
    tz_compression reference = {right, right_head}, system = {found, found_head};
    tz_source source = source_with(&reference, 1);
    tz_ratio r[TZ_COMPRESSION_FIGURES];
    assert_ok(tz_compression_measure(&source, &system, r));
    assert_ratio(r, TZ_KEPT_F1, 6, 10); /* dog saw cat */
    assert_ratio(r, TZ_KEPT_PRECISION, 3, 5);
    assert_ratio(r, TZ_KEPT_RECALL, 3, 5);
    assert_ratio(r, TZ_MEAN_KEPT_F1, 0.6, 1);
    assert_ratio(r, TZ_EXACT_MATCH, 0, 1);
    assert_ratio(r, TZ_ACCURACY, 4, 8);
    assert_ratio(r, TZ_MEAN_ACCURACY, 0.5, 1);
    assert_ratio(r, TZ_SSA, 2, 5); /* old is the, the second the goes, . comes */
    assert_ratio(r, TZ_MEAN_SSA, 0.4, 1);
    assert_ratio(r, TZ_NGRAM_F1, 8, 10);    /* the dog saw cat */
    assert_ratio(r, TZ_NGRAM_F1 + 1, 2, 8); /* dog saw */
    assert_ratio(r, TZ_NGRAM_F1 + 2, 0, 6);
    assert_ratio(r, TZ_MEAN_NGRAM_F1 + 1, 0.25, 1);
    assert_ratio(r, TZ_ARCS_F1, 4, 10); /* dog <- saw, saw <- root */
    assert_ratio(r, TZ_ARCS_PRECISION, 2, 5);
    assert_ratio(r, TZ_MEAN_ARCS_F1, 0.4, 1);
    assert_ratio(r, TZ_RATE_WORDS, 5, 8);
    assert_ratio(r, TZ_RATE_CHARACTERS, 15, 25);
    assert_ratio(r, TZ_MEAN_RATE_CHARACTERS, 0.6, 1);
    assert_ok(tz_compression_measure(&source, &reference, r));
    for (int f = 0; f < TZ_RATE_WORDS; f++)
        assert_true(r[f].whole > 0 && r[f].part == r[f].whole);
}

/* Nothing kept, no tree, n-grams that there are none of, no words at all. */
TEST(nothing) {
    static const uint8_t none[WORDS], one[] = {0, 0, 0, 1, 0, 0, 0, 0};
    static const int32_t one_head[] = {-1, -1, -1, 0, -1, -1, -1, -1};
    tz_compression empty = {none, NULL}, short_one = {one, one_head};
    tz_ratio r[TZ_COMPRESSION_FIGURES];
    tz_source source = source_with(&empty, 1);
    assert_ok(tz_compression_measure(&source, &empty, r));
    assert_ratio(r, TZ_KEPT_F1, 0, 0);
    assert_ratio(r, TZ_MEAN_KEPT_F1, 1, 1);
    assert_ratio(r, TZ_MEAN_KEPT_PRECISION, 1, 1);
    assert_ratio(r, TZ_EXACT_MATCH, 1, 1);
    assert_ratio(r, TZ_ACCURACY, 8, 8);
    assert_ratio(r, TZ_SSA, 0, 0);
    assert_ratio(r, TZ_MEAN_SSA, 0, 0);
    assert_ratio(r, TZ_MEAN_NGRAM_F1, 0, 0);
    assert_ok(tz_compression_measure(&source, &short_one, r));
    assert_ratio(r, TZ_MEAN_KEPT_F1, 0, 1);
    assert_ratio(r, TZ_MEAN_KEPT_RECALL, 0, 1);
    assert_ratio(r, TZ_MEAN_NGRAM_F1, 0, 1);
    assert_ratio(r, TZ_MEAN_NGRAM_F1 + 1, 0, 0);
    assert_ratio(r, TZ_ARCS_F1, 0, 0);
    source = source_with(&short_one, 1);
    assert_ok(tz_compression_measure(&source, &short_one, r));
    assert_ratio(r, TZ_MEAN_NGRAM_F1, 1, 1);
    assert_ratio(r, TZ_MEAN_NGRAM_F1 + 1, 0, 0);
    assert_ratio(r, TZ_ARCS_F1, 2, 2);
    source.words = 0;
    assert_ok(tz_compression_measure(&source, &short_one, r));
    assert_ratio(r, TZ_MEAN_KEPT_F1, 1, 1);
    assert_ratio(r, TZ_MEAN_RATE_WORDS, 0, 0);
}

/* As it is defined, without a table. */
static int edits_by_force(const int32_t *a, size_t as, const int32_t *b, size_t bs) {
    if (as == 0 || bs == 0)
        return (int)(as + bs);
    int paired = edits_by_force(a + 1, as - 1, b + 1, bs - 1) + (a[0] != b[0]);
    if (a[0] == b[0])
        return paired;
    int deleted = edits_by_force(a + 1, as - 1, b, bs) + 1;
    int inserted = edits_by_force(a, as, b + 1, bs - 1) + 1;
    return paired < deleted ? paired < inserted ? paired : inserted
                            : (deleted < inserted ? deleted : inserted);
}

TEST(ssa) {
    random_state random = random_start("string accuracy");
    for (int round = 0; round < AMOUNT(10000, 1000); round++) {
        uint8_t keep[2][WORDS];
        int32_t kept[2][WORDS], form[WORDS];
        size_t count[2] = {0, 0}, right = 0;
        for (int w = 0; w < WORDS; w++) {
            form[w] = (int32_t)random_below(&random, 4);
            for (int i = 0; i < 2; i++) {
                keep[i][w] = random_below(&random, 3) > 0;
                if (keep[i][w])
                    kept[i][count[i]++] = form[w];
            }
            right += keep[0][w] == keep[1][w];
        }
        tz_compression reference = {keep[0], NULL}, system = {keep[1], NULL};
        tz_source source = source_with(&reference, 1);
        tz_ratio r[TZ_COMPRESSION_FIGURES];
        source.form = form;
        assert_ok(tz_compression_measure(&source, &system, r));
        double whole = (double)count[0],
               edits = edits_by_force(kept[1], count[1], kept[0], count[0]);
        assert_ratio(r, TZ_SSA, whole > 0 ? whole - edits : 0, whole);
        assert_ratio(r, TZ_MEAN_SSA, whole > 0 ? 1 - edits / whole : 0, whole > 0);
        assert_ratio(r, TZ_ACCURACY, (double)right, WORDS);
    }
}

/* Several references give the mean of what each gives; the same one twice, what it gives. */
TEST(references) {
    random_state random = random_start("references");
    for (int round = 0; round < 200; round++) {
        uint8_t keep[4][WORDS];
        tz_compression c[4];
        tz_ratio one[3][TZ_COMPRESSION_FIGURES], all[TZ_COMPRESSION_FIGURES];
        for (int i = 0; i < 4; i++) {
            for (int w = 0; w < WORDS; w++)
                keep[i][w] = random_below(&random, 2) == 1;
            c[i] = (tz_compression){keep[i], NULL};
        }
        tz_source source = source_with(c, 3);
        assert_ok(tz_compression_measure(&source, &c[3], all));
        for (int i = 0; i < 3; i++) {
            source = source_with(&c[i], 1);
            assert_ok(tz_compression_measure(&source, &c[3], one[i]));
        }
        for (int f = 0; f < TZ_COMPRESSION_FIGURES; f++) {
            assert_ratio(all, f, (one[0][f].part + one[1][f].part + one[2][f].part) / 3,
                         (one[0][f].whole + one[1][f].whole + one[2][f].whole) / 3);
        }
    }
}

/* ---- Alignment ------------------------------------------------------------------------------- */

static unsigned runs_of(unsigned mask) {
    return (unsigned)__builtin_popcount(mask & ~(mask << 1));
}

/* Bit w of a mask is word w; the earlier the first word that two masks differ in is kept, the
 * better. */
static bool earlier(unsigned a, unsigned b) {
    unsigned differ = a ^ b;
    return (a & (differ & (~differ + 1))) != 0;
}

static void spell(const char *const *word, size_t words, unsigned mask, char *text) {
    text[0] = '\0';
    for (size_t w = 0; w < words; w++)
        if (mask >> w & 1)
            strcat(text, word[w]);
}

/* Of all subsets of the words that spell the text, the best. */
TEST(align) {
    static const char *const syllable[] = {"a", "b", "ab", "ba", "aa"};
    random_state random = random_start("alignments");
    int found = 0;
    for (int round = 0; round < 2000; round++) {
        const char *word[WORDS];
        char text[64], other[64];
        uint8_t keep[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = syllable[random_below(&random, 5)];
        spell(word, WORDS, (unsigned)random_below(&random, 256), text);
        size_t size = strlen(text);
        if (size > 0 && random_below(&random, 3) == 0)
            text[random_below(&random, size)] = "ab"[random_below(&random, 2)];
        unsigned best = UINT32_MAX, got = 0;
        for (unsigned mask = 0; mask < 1u << WORDS; mask++) {
            spell(word, WORDS, mask, other);
            if (strcmp(text, other) == 0 &&
                (best == UINT32_MAX || runs_of(mask) < runs_of(best) ||
                 (runs_of(mask) == runs_of(best) && earlier(mask, best))))
                best = mask;
        }
        tz_status status = tz_align(word, WORDS, text, keep);
        assert_int_equal(status, best == UINT32_MAX ? TZ_NONE : TZ_OK);
        for (int w = 0; w < WORDS && status == TZ_OK; w++)
            got |= (unsigned)keep[w] << w;
        assert_int_equal(got, status == TZ_OK ? best : 0);
        found += status == TZ_OK;
    }
    assert_in_range(found, 1000, 1999);
}

static void assert_aligned(const char *text, const char *expected) {
    uint8_t keep[WORDS];
    assert_int_equal(tz_align(the_words, WORDS, text, keep), expected ? TZ_OK : TZ_NONE);
    for (int w = 0; w < WORDS && expected; w++)
        assert_int_equal(keep[w], expected[w] == '1');
}

TEST(align_text) {
    assert_aligned("The dog saw the cat.", "10111011");
    assert_aligned("  the\told dog ", "11100000");
    assert_aligned("the \xc3\xa4ltere cat", "00001110");
    assert_aligned("", "00000000");
    assert_aligned("the Dog", NULL);
    assert_aligned("cat dog", NULL);
    assert_aligned("the old dog saw the \xc3\xa4ltere cat . .", NULL);
    size_t size = (1 << 24) / WORDS;
    FREED(char, text) = malloc(size + 1);
    uint8_t keep[WORDS];
    assert_non_null(text);
    memset(text, 'x', size);
    text[size] = '\0';
    assert_int_equal(tz_align(the_words, WORDS, text, keep), TZ_TOO_LARGE);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    const tz_source *source = user;
    tz_ratio r[TZ_COMPRESSION_FIGURES];
    uint8_t keep[WORDS];
    tz_status status = tz_align(source->word, source->words, "the cat", keep);
    return status != TZ_OK ? (int)status
                           : (int)tz_compression_measure(source, source->reference, r);
}

TEST(memory) {
    static const uint8_t all[] = {1, 1, 1, 1, 1, 1, 1, 1};
    tz_compression c = {all, NULL};
    tz_source source = source_with(&c, 1);
    assert_int_equal(oom_sweep("figures", attempt, &source, TZ_NO_MEMORY, false), 7);
}

static char gold_file[] = "{\"id\":1,\"tokens\":\"the cat . the\",\"keep\":[\"0110\",[1,1,0,0]]}\n"
                          "{\"id\":\"b\",\"words\":[\"a\",\"b\"],\"compression\":[\"b\"],"
                          "\"heads\":[0]}\n";
static char system_file[] = "{\"id\":\"b\",\"tokens\":[\"a\",\"b\"],\"keep\":\"01\",\"heads\":"
                            "[-1,0]}\n{\"id\":1,\"compression\":\"cat the\"}\n";

typedef tz_status reading(tz_gold *gold, tz_lines *lines, tz_compression **ret_output,
                          tz_error *error);

static tz_status read_gold(tz_gold *gold, tz_lines *lines, tz_compression **ret_output,
                           tz_error *error) {
    (void)ret_output;
    return tz_gold_read(lines, gold, error);
}

static tz_status read_outputs(tz_gold *gold, tz_lines *lines, tz_compression **ret_output,
                              tz_error *error) {
    return tz_gold_outputs(gold, lines, false, ret_output, error);
}

static tz_status read_references(tz_gold *gold, tz_lines *lines, tz_compression **ret_output,
                                 tz_error *error) {
    (void)ret_output;
    return tz_gold_references(gold, lines, error);
}

static tz_status read_from(char *bytes, reading *read, tz_gold *gold, tz_compression **ret_output) {
    FILE *file = fmemopen(bytes, strlen(bytes), "r");
    OWN(tz_lines, lines) = file ? tz_lines_new(file, "memory", TZ_GOLD_LINE) : NULL;
    tz_error error = {TZ_OK, ""};
    tz_status status = lines ? read(gold, lines, ret_output, &error) : TZ_NO_MEMORY;
    if (status != TZ_OK && status != TZ_NO_MEMORY)
        print_message("%s\n", error.message);
    if (file)
        fclose(file);
    return status;
}

/* From files to a report in every format. */
static int attempt_files(void *user) {
    OWNED(tz_gold, gold) = {0};
    tz_compression *output;
    tz_ratio ratio[2 * TZ_COMPRESSION_FIGURES];
    OWN(tz_text, text) = user;
    tz_text_clear(text);
    tz_status status = read_from(gold_file, read_gold, &gold, NULL);
    status = status == TZ_OK ? read_from(gold_file, read_references, &gold, NULL) : status;
    status = status == TZ_OK ? read_from(system_file, read_outputs, &gold, &output) : status;
    for (size_t p = 0; p < 2 && status == TZ_OK; p++) {
        status = tz_compression_measure(&gold.sentence[p].source, &output[p],
                                        ratio + p * TZ_COMPRESSION_FIGURES);
    }
    tz_measured measured = {.sentences = 2, .figures = TZ_COMPRESSION_FIGURES, .ratio = ratio};
    tz_report report = {.figure = tz_compression_figure,
                        .systems = 2,
                        .name = {"a", "b"},
                        .system = {measured, measured},
                        .resampling = {.resamples = 2, .seed = 1, .threads = 1}};
    for (int format = 0; format < 3 && status == TZ_OK; format++)
        status = tz_report_print(&report, (tz_report_format)format, text);
    return (int)status;
}

TEST(memory_files) {
    tz_text text = {0};
    assert_true(oom_sweep("files", attempt_files, &text, TZ_NO_MEMORY, false) > 100);
}
