/* test_alignment_pairs.c - are the ten pairs that were aligned by hand as they should be, and what
 * do they say of the baselines?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "sentences/align/texts/forms.h"
#include "sentences/align/texts/links.h"
#include "sentences/align/texts/pair.h"
#include "sentences/align/texts/records.h"
#include "tests/support/shell.h"

#define PAIRS TZ_SOURCE_ROOT "/tests/sentences/alignment/pairs.jsonl"

enum { MOST = 256 }; /* words of a text */

/* What is found in all pairs together. */
static struct counts {
    int pairs, sure, possible, words, null, back, longer, same, stems, other;
} seen;

/* ---- Texts ----------------------------------------------------------------------------------- */

static void check_tokens(tz_tokeniser *tokeniser, const char *const *word, size_t words,
                         const char *text) {
    const tz_token *token;
    size_t count;
    assert_ok(tz_tokenise(tokeniser, text, strlen(text), &token, &count));
    assert_int_equal(count, words);
    for (size_t w = 0; w < words; w++) {
        assert_int_equal(token[w].end - token[w].begin, strlen(word[w]));
        assert_memory_equal(text + token[w].begin, word[w], strlen(word[w]));
    }
}

/* A sentence as it is written is cut into these words. */
static void check_sentence(tz_tokeniser *tokeniser, const char *const *word, size_t words) {
    char written[4096] = "";
    for (size_t w = 0; w < words; w++) {
        bool joined = w == 0 || strchr(".,:", word[w][0]) || strcmp(word[w], "'s") == 0;
        strcat(strcat(written, joined ? "" : " "), word[w]);
    }
    check_tokens(tokeniser, word, words, written);
}

static void check_side(tz_arena *arena, tz_tokeniser *tokeniser, const tz_side *side, size_t least,
                       size_t most) {
    const uint32_t *begin;
    size_t sentences;
    assert_ok(tz_side_sentences(arena, side, &begin, &sentences));
    assert_in_range(sentences, least, most);
    assert_true(side->words <= MOST);
    for (size_t s = 0; s < sentences; s++)
        check_sentence(tokeniser, side->word + begin[s], begin[s + 1] - begin[s]);
}

/* ---- Phrase pairs ---------------------------------------------------------------------------- */

static void read_range(const json_t *phrase, const char *key, const tz_side *side,
                       uint32_t *ret_range) {
    const json_t *range = json_object_get(phrase, key);
    assert_int_equal(json_array_size(range), 2);
    for (size_t e = 0; e < 2; e++)
        ret_range[e] = (uint32_t)json_integer_value(json_array_get(range, e));
    assert_true(ret_range[0] < ret_range[1] && ret_range[1] <= side->words);
    for (size_t s = 0; s < side->sentences; s++) /* none goes beyond its sentence */
        assert_false(ret_range[0] < side->opt_end[s] && ret_range[1] > side->opt_end[s]);
}

static void count_kind(tz_forms *forms, const tz_pair *pair, const uint32_t *d, const uint32_t *a) {
    tz_form from[MOST], to[MOST];
    size_t words = d[1] - d[0];
    bool same = words == a[1] - a[0], stems = same;
    assert_ok(tz_forms_of(forms, pair->document.word + d[0], words, from));
    assert_ok(tz_forms_of(forms, pair->abstract.word + a[0], a[1] - a[0], to));
    for (size_t w = 0; w < words && stems; w++) {
        same = same && from[w].word == to[w].word;
        stems = from[w].stem == to[w].stem;
    }
    seen.same += same;
    seen.stems += stems && !same;
    seen.other += !stems;
    seen.longer += words > 1 || a[1] - a[0] > 1;
}

/* Sure pairs have no word of the abstract in common; they stand in its order. */
static void check_phrases(tz_forms *forms, const tz_pair *pair, const json_t *phrases) {
    bool sure[MOST] = {false}, aligned[MOST] = {false};
    uint32_t last = 0, before = 0;
    for (size_t f = 0; f < json_array_size(phrases); f++) {
        const json_t *phrase = json_array_get(phrases, f);
        const char *class = json_string_value(json_object_get(phrase, "class"));
        uint32_t d[2], a[2];
        read_range(phrase, "document", &pair->document, d);
        read_range(phrase, "abstract", &pair->abstract, a);
        assert_true(a[0] >= before);
        before = a[0];
        for (uint32_t w = a[0]; w < a[1]; w++)
            aligned[w] = true;
        if (strcmp(class, "S") != 0) {
            assert_string_equal(class, "P");
            seen.possible++;
            continue;
        }
        for (uint32_t w = a[0]; w < a[1]; w++) {
            assert_false(sure[w]);
            sure[w] = true;
        }
        seen.sure++;
        seen.back += d[0] < last;
        last = d[1];
        count_kind(forms, pair, d, a);
    }
    for (size_t w = 0; w < pair->abstract.words; w++)
        seen.null += !aligned[w];
    seen.words += (int)pair->abstract.words;
}

TEST(consistent) {
    OWN(tz_forms, forms) = tz_forms_new(false);
    OWN(tz_tokeniser, tokeniser) = NULL;
    tz_error error;
    FILE *file = need(fopen(PAIRS, "rb"));
    OWNED(tz_records, records) = {.lines = tz_lines_new(file, PAIRS, 1 << 16)};
    assert_ok(tz_tokeniser_new(&tokeniser, &error));
    for (;;) {
        const json_t *object;
        const char *line;
        tz_pair pair;
        OWN(tz_arena, arena) = tz_arena_new();
        tz_status status = tz_records_next(&records, arena, &object, &line, &error);
        if (status == TZ_OK) {
            assert_ok(tz_pair_read(arena, NULL, object, &pair, &error));
            check_side(arena, tokeniser, &pair.document, 4, 8);
            check_side(arena, tokeniser, &pair.abstract, 1, 3);
            check_phrases(forms, &pair, json_object_get(object, "phrases"));
            seen.pairs++;
        }
        if (status == TZ_NONE)
            break;
        assert_ok(status);
    }
    tz_lines_free(records.lines);
    fclose(file);
    print_message("# %d pairs, %d abstract words, %d from nowhere; %d sure phrase pairs: %d the "
                  "same, %d of the same stems, %d others; %d of several words; %d go back; %d "
                  "possible\n",
                  seen.pairs, seen.words, seen.null, seen.sure, seen.same, seen.stems, seen.other,
                  seen.longer, seen.back, seen.possible);
    /* There is something of everything. */
    assert_int_equal(seen.pairs, 10);
    assert_true(seen.null >= 30 && seen.possible >= 60 && seen.back >= 40 && seen.longer >= 60);
    assert_true(seen.same >= 60 && seen.stems >= 5 && seen.other >= 40);
}

/* ---- Baselines ------------------------------------------------------------------------------- */

/* Of links, all soft: precision and recall. `which`: lines of the file, as for sed. */
static void assert_figures(const char *which, const char *baseline, double found, double possible,
                           double sure, double all_sure) {
    char expected[256];
    snprintf(expected, sizeof expected, "soft.precision\t%.12g\nsoft.recall\t%.12g\n",
             possible / found, sure / all_sure);
    shell("sed -n %s " PAIRS " > pairs && trapeze align -b %s pairs | "
          "trapeze eval alignment pairs - -f tsv --resamples 9 | grep -E '^soft.[pr]' | cut -f 1,2",
          which, baseline);
    assert_result_near(expected, 1e-9);
}

TEST(baselines) {
    /* By hand: "40,000 euros", "3,000 people", "signed a petition against", "de Wit gave in". Of
     * the 27 sure links 12 are those of "Mayor De Wit" with "Mayor Anna de Wit". */
    assert_figures("/clock/p", "blocks:2", 12, 12, 12, 27);
    /* Counted by another program. */
    assert_figures("1,10p", "identity", 632, 186, 160, 307);
    assert_figures("1,10p", "lcs", 144, 98, 90, 307);
    assert_figures("1,10p", "blocks:1", 252, 162, 153, 307);
    assert_figures("1,10p", "blocks:2", 121, 103, 100, 307);
}

TESTS_BETWEEN(shell_setup, shell_teardown)
