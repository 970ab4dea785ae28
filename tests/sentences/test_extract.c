/* test_extract.c - does an extract take the sentences that add most, as one finds by hand and by
 * trying every sentence each time?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sentences/align/decode/extract.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"

enum { SENTENCES = 12, LONGEST = 6, WORDS = SENTENCES * LONGEST, STEMS = 9 };

typedef struct text {
    size_t sentences;
    uint32_t begin[SENTENCES + 1];
    tz_form word[WORDS];
} text;

/* Letters are stems; a bar ends a sentence. */
static text text_of(const char *letters) {
    text t = {.sentences = 1};
    for (; *letters; letters++) {
        uint32_t *end = &t.begin[t.sentences];
        if (*letters == '|') {
            end[1] = end[0];
            t.sentences++;
        } else {
            t.word[(*end)++] = (tz_form){0, (uint64_t)*letters};
        }
    }
    return t;
}

/* The sentences of an extract, by what they begin with: "0 3". */
static const char *extract(const text *document, const text *abstract, size_t most) {
    static char line[16 * SENTENCES];
    OWN(tz_arena, arena) = tz_arena_new();
    tz_stem_index index;
    tz_extract e;
    assert_ok(
        tz_stem_index_new(arena, document->word, document->begin, document->sentences, &index));
    assert_ok(tz_extract_new(arena, &index, abstract->word, abstract->begin[1], most, &e));
    line[0] = '\0';
    size_t words = 0;
    for (size_t s = 0, k = 0; s < document->sentences && k < e.sentences; s++) {
        if (e.place[e.begin[k]] != document->begin[s] || e.begin[k] == e.begin[k + 1] ||
            document->begin[s] == document->begin[s + 1])
            continue;
        for (uint32_t w = document->begin[s]; w < document->begin[s + 1]; w++)
            assert_int_equal(e.place[words++], w);
        assert_int_equal(e.begin[++k], words);
        sprintf(line + strlen(line), k > 1 ? " %zu" : "%zu", s);
    }
    assert_int_equal(words, e.words);
    return line;
}

static const char *taken(const char *document, const char *abstract, size_t most) {
    text d = text_of(document), a = text_of(abstract);
    return extract(&d, &a, most);
}

TEST(by_hand) {
    /* a is everywhere and says nothing; b is rare; what is covered adds nothing. */
    assert_string_equal(taken("ac|ac|ab|a", "ab", 1), "2");
    assert_string_equal(taken("ac|ac|ab|a", "abc", 2), "0 2");
    assert_string_equal(taken("bb|bc|ad|a", "bcd", 2), "1 2");
    /* c and d are worth more than b twice; then b and e are left. */
    assert_string_equal(taken("b|bcd|be|e|f", "bbcde", 1), "1");
    assert_string_equal(taken("b|bcd|be|e|f", "bbcde", 2), "1 2");
    /* The first of equal ones; sentences that add nothing, in order. */
    assert_string_equal(taken("c|b|b|c", "b", 1), "1");
    assert_string_equal(taken("c|b|b|c", "b", 3), "0 1 2");
    assert_string_equal(taken("c|b|d", "xyz", 2), "0 1");
    /* b, c and d are as rare as e, f and g, in whatever order they are added up. */
    assert_string_equal(taken("bcd|gfe|bx|ce|df|g", "gbfced", 1), "0");
    /* Fewer sentences than asked for; sentences without words; no words at all. */
    assert_string_equal(taken("a|b", "b", 5), "0 1");
    assert_string_equal(taken("|a||b|", "b", 2), "1 3");
    assert_string_equal(taken("a|b", "", 1), "0");
    assert_string_equal(taken("", "a", 3), "");
    assert_string_equal(taken("a", "a", 0), "");
}

/* ---- Against trying every sentence ----------------------------------------------------------- */

static bool has(const text *t, size_t sentence, uint64_t stem) {
    for (uint32_t w = t->begin[sentence]; w < t->begin[sentence + 1]; w++)
        if (t->word[w].stem == stem)
            return true;
    return false;
}

/* What a sentence adds: idf of the abstract's stems that neither it lacks nor `taken` has. */
static double gain_of(const text *d, const text *abstract, const bool *taken, size_t sentence) {
    double gain = 0;
    for (uint64_t stem = 0; stem < STEMS; stem++) {
        bool covered = !has(abstract, 0, stem) || !has(d, sentence, stem);
        double uses = 0;
        for (size_t s = 0; s < d->sentences; s++) {
            covered = covered || (taken[s] && has(d, s, stem));
            uses += has(d, s, stem);
        }
        gain += covered ? 0 : log((double)d->sentences / uses);
    }
    return gain;
}

static const char *expected(const text *d, const text *abstract, size_t most) {
    static char line[16 * SENTENCES];
    bool taken[SENTENCES] = {false};
    for (size_t k = 0; k < most; k++) {
        size_t best = d->sentences;
        double most_gain = -1;
        for (size_t s = 0; s < d->sentences; s++) {
            double gain = gain_of(d, abstract, taken, s);
            if (!taken[s] && d->begin[s] < d->begin[s + 1] && gain > most_gain + 1e-9) {
                best = s;
                most_gain = gain;
            }
        }
        if (best < d->sentences)
            taken[best] = true;
    }
    line[0] = '\0';
    for (size_t s = 0; s < d->sentences; s++)
        if (taken[s])
            sprintf(line + strlen(line), line[0] ? " %zu" : "%zu", s);
    return line;
}

static text random_text(random_state *random, size_t sentences) {
    text t = {.sentences = sentences};
    for (size_t s = 0; s < sentences; s++) {
        t.begin[s + 1] = t.begin[s] + (uint32_t)random_below(random, LONGEST + 1);
        for (uint32_t w = t.begin[s]; w < t.begin[s + 1]; w++)
            t.word[w] = (tz_form){random_bits(random), random_below(random, STEMS)};
    }
    return t;
}

TEST(against_trying) {
    random_state random = random_start("extracts");
    for (int round = 0; round < 20000; round++) {
        text document = random_text(&random, 1 + random_below(&random, SENTENCES));
        text abstract = random_text(&random, 1);
        size_t most = 1 + random_below(&random, 4);
        assert_string_equal(extract(&document, &abstract, most),
                            expected(&document, &abstract, most));
    }
}

/* ---- Pairs of sentences and extracts --------------------------------------------------------- */

/* Of four sentences the last two say what the abstract's second says; its first is empty. */
TEST(pairs) {
    static const char *const words[2][6] = {{"x", "a", "b", "a", "c", "d"}, {"c", "b", "x"}};
    static const size_t ends[2][4] = {{1, 3, 4, 6}, {0, 2, 3}};
    const tz_side document = {words[0], 6, ends[0], 4}, abstract = {words[1], 3, ends[1], 3};
    const tz_side *const side[] = {&document, &abstract};
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_forms, forms) = tz_forms_new(false);
    tz_passage text[2];
    tz_extract_pair *pair;
    size_t pairs;
    for (size_t s = 0; s < 2; s++)
        assert_ok(tz_passage_of(arena, forms, side[s], &text[s]));
    assert_ok(tz_extract_pairs_new(arena, side, text, 2, &pair, &pairs));
    assert_int_equal(pairs, 2);
    assert_int_equal(pair[0].document.words, 4); /* a b, c d */
    assert_int_equal(pair[0].abstract.words, 2);
    for (uint32_t w = 0; w < 4; w++) {
        assert_int_equal(pair[0].place[w], w + 1 + (w >= 2));
        assert_int_equal(pair[0].document.form[w].word, text[0].form[pair[0].place[w]].word);
        assert_int_equal(pair[0].document.opt_stop[w], w < 2 ? 2 : 4);
    }
    assert_int_equal(pair[1].document.words, 3); /* x, a b */
    assert_int_equal(pair[1].first, 2);

    /* "c" from "c d", "b" from "b"; "x" from "x". */
    tz_decoded_phrase first[] = {{.pair = {{2, 4}, {0, 1}, false}},
                                 {.pair = {{1, 2}, {1, 2}, false}}};
    tz_decoded_phrase second[] = {{.pair = {{0, 1}, {0, 1}, false}}};
    tz_link links[] = {{1, 1}, {2, 0}, {3, 0}, {0, 0}};
    tz_decoded whole = {0};
    assert_ok(tz_extract_pair_add(arena, &pair[0],
                                  &(tz_decoded){.phrases = 2,
                                                .phrase = first,
                                                .links = {3, links},
                                                .likely = {1, links},
                                                .score = -3,
                                                .log_likelihood = -2},
                                  &whole));
    assert_ok(tz_extract_pair_add(arena, &pair[1],
                                  &(tz_decoded){.phrases = 1,
                                                .phrase = second,
                                                .links = {1, links + 3},
                                                .score = -1,
                                                .log_likelihood = -0.5},
                                  &whole));
    OWNED(tz_text, text_of_links) = {0};
    tz_links_print(&whole.links, &text_of_links);
    tz_text_put(&text_of_links, " / ");
    tz_links_print(&whole.likely, &text_of_links);
    tz_text_add(&text_of_links, "", 1);
    assert_string_equal(text_of_links.data, "0-2 2-1 4-0 5-0 / 2-1");
    assert_int_equal(whole.phrases, 3);
    assert_int_equal(whole.phrase[0].pair.document[0], 4);
    assert_int_equal(whole.phrase[0].pair.document[1], 6);
    assert_int_equal(whole.phrase[2].pair.document[1], 1);
    assert_int_equal(whole.phrase[2].pair.abstract[0], 2);
    assert_true(whole.score == -4 && whole.log_likelihood == -2.5);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    const text *t = user;
    tz_stem_index index;
    tz_extract e;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_status status = arena
                           ? tz_stem_index_new(arena, t[0].word, t[0].begin, t[0].sentences, &index)
                           : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_extract_new(arena, &index, t[1].word, t[1].begin[1], 2, &e);
    return (int)status;
}

static int attempt_pairs(void *user) {
    const tz_side *side = user;
    const tz_side *const sides[] = {&side[0], &side[1]};
    tz_form form[2][4] = {{{1, 1}, {2, 2}, {3, 3}, {4, 4}}, {{3, 3}, {1, 1}}};
    const tz_passage passage[2] = {{.form = form[0], .words = 4}, {.form = form[1], .words = 2}};
    tz_decoded_phrase phrase = {.pair = {{0, 1}, {0, 1}, false}};
    tz_decoded whole = {0}, part = {.phrases = 1, .phrase = &phrase};
    tz_extract_pair *pair;
    size_t pairs = 0;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_status status =
        arena ? tz_extract_pairs_new(arena, sides, passage, 1, &pair, &pairs) : TZ_NO_MEMORY;
    for (size_t p = 0; p < pairs && status == TZ_OK; p++)
        status = tz_extract_pair_add(arena, &pair[p], &part, &whole);
    return (int)status;
}

TEST(out_of_memory) {
    tz_side side[] = {{.words = 4, .opt_end = (size_t[]){2, 4}, .sentences = 2},
                      {.words = 2, .opt_end = (size_t[]){1, 2}, .sentences = 2}};
    oom_sweep("pairs", attempt_pairs, side, TZ_NO_MEMORY, false);
    text t[] = {text_of("ab|bc|d"), text_of("cd")};
    oom_sweep("extracts", attempt, t, TZ_NO_MEMORY, false);
}
