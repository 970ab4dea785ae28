/* test_tree_pairs.c - how many pairs of the corpora are deletions and a few substitutions, and how
 * well does the mapping between their trees link words? Known figures.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/json/json.h"
#include "sentences/learn/analyse.h"
#include "sentences/trees/dependencies.h"
#include "sentences/trees/mapping.h"
#include "tests/support/files.h"
#include "tests/support/read_corpus.h"
#include "tests/support/shell.h"

#define DATA TZ_SOURCE_ROOT "/../shared/data/"

enum { MOST = 300 }; /* words */

typedef struct side {
    char *words; /* with zeros for blanks */
    const char *word[MOST];
    size_t count;
} side;

static side split(const char *text) {
    side s = {.words = strdup(text)};
    assert_non_null(s.words);
    for (char *at = strtok(s.words, " "); at; at = strtok(NULL, " ")) {
        assert_in_range(s.count, 0, MOST - 1);
        s.word[s.count++] = at;
    }
    return s;
}

/* Adds 1 to count[k] for all k at least the substitutions of the pair. */
static void add_pair(const char *source, const char *target, int count[7]) {
    side s = split(source), t = split(target);
    uint32_t at[MOST], substitutions;
    if (s.count < t.count) {
        side longer = t;
        t = s;
        s = longer;
    }
    if (tz_fewest_substitutions(s.word, s.count, t.word, t.count, at, &substitutions) == TZ_OK)
        for (uint32_t k = substitutions; k < 7; k++)
            count[k]++;
    free(s.words);
    free(t.words);
}

static char *read_or_skip(const char *path, size_t *ret_size) {
    if (access(path, R_OK) != 0) {
        print_message("%s is not there\n", path);
        skip();
    }
    return read_file(path, ret_size);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

TEST(google) {
    size_t size;
    char *text = read_or_skip(DATA "google-compression/eval-3000-9999.jsonl", &size);
    int count[7] = {0}, pairs = 0;
    for (char *line = text; *line; pairs++) {
        size_t length = strcspn(line, "\n");
        OWN(tz_arena, arena) = tz_arena_new();
        const json_t *record;
        tz_error error;
        assert_ok(tz_json_parse(arena, line, length, &record, &error));
        add_pair(text_of(record, "tokens"), text_of(record, "compression"), count);
        line += length + (line[length] == '\n');
    }
    free(text);
    static const int expected[] = {5854, 6719, 6938, 6974, 6983, 6989, 6990};
    assert_int_equal(pairs, 7000);
    assert_memory_equal(count, expected, sizeof expected);
}

/* ---- Edinburgh ------------------------------------------------------------------------------- */

/* And an arena of its own, where it is there. */
static const json_t *read_edinburgh(tz_arena **ret_arena) {
    size_t size;
    char *text = read_or_skip(DATA "edinburgh-plusplus/gold.train.sure.json", &size);
    const json_t *records;
    tz_error error;
    *ret_arena = tz_arena_new();
    assert_ok(tz_json_parse(*ret_arena, text, size, &records, &error));
    free(text);
    assert_int_equal(json_array_size(records), 714);
    return records;
}

TEST(edinburgh) {
    OWN(tz_arena, arena) = NULL;
    const json_t *records = read_edinburgh(&arena);
    int count[7] = {0};
    for (size_t r = 0; r < json_array_size(records); r++) {
        const json_t *record = json_array_get(records, r);
        add_pair(text_of(record, "source"), text_of(record, "target"), count);
    }
    static const int expected[] = {35, 63, 88, 131, 175, 208, 246};
    assert_memory_equal(count, expected, sizeof expected);
}

static void write_words(FILE *file, const char *text) {
    side s = split(text);
    for (size_t w = 0; w < s.count; w++)
        fprintf(file, "%zu\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n", w + 1, s.word[w]);
    fputs("\n", file);
    free(s.words);
}

static void convert(tz_arena *arena, const tz_sentence *sentence, tz_tree *ret_tree) {
    tz_analysed item;
    tz_error error;
    assert_ok(tz_analysed_conllu(arena, sentence, &item));
    if (tz_tree_of_dependencies(arena, "parsed", sentence, item.name, TZ_LEVELS_VERB, ret_tree,
                                &error) != TZ_OK)
        fail_msg("%s", error.message);
}

/* Links i-j as a table over words. */
static void read_links(const char *links, bool swapped, bool sure[MOST][MOST], int *ret_count) {
    int i, j, used;
    memset(sure, 0, sizeof(bool[MOST][MOST]));
    for (; sscanf(links, "%d-%d%n", &i, &j, &used) == 2; links += used, ++*ret_count)
        sure[swapped ? j : i][swapped ? i : j] = true;
}

/* Sure links between words, by the mapping between automatic trees of `verb`. */
TEST(links) {
    static bool sure[MOST][MOST];
    OWN(tz_arena, arena) = NULL;
    const json_t *records = read_edinburgh(&arena);
    FILE *file = fopen("words.conllu", "w");
    for (size_t r = 0; r < json_array_size(records); r++) {
        write_words(file, text_of(json_array_get(records, r), "source"));
        write_words(file, text_of(json_array_get(records, r), "target"));
    }
    fclose(file);
    prints("",
           "trapeze parse -m %s/models/english.model --format conllu words.conllu > parsed.conllu",
           TZ_SOURCE_ROOT);
    OWNED(tz_corpus, corpus) = corpus_of("parsed.conllu", true);
    assert_int_equal(corpus.count, 2 * 714);
    int right = 0, found = 0, gold = 0;
    for (size_t r = 0; r < 714; r++) {
        tz_tree tree[2];
        tz_mapping mapping;
        OWN(tz_arena, pair) = tz_arena_new();
        bool swapped = corpus.sentence[2 * r].words < corpus.sentence[2 * r + 1].words;
        convert(pair, &corpus.sentence[2 * r], &tree[swapped]);
        convert(pair, &corpus.sentence[2 * r + 1], &tree[!swapped]);
        read_links(text_of(json_array_get(records, r), "sureAlign"), swapped, sure, &gold);
        assert_ok(tz_tree_map(pair, &tree[0], &tree[1], &mapping));
        for (uint32_t x = 0; x < tree[0].nodes; x++) {
            if (tz_tree_leaf(&tree[0].node[x]) && mapping.target[x] != TZ_NO_NODE) {
                right += sure[tree[0].node[x].begin][tree[1].node[mapping.target[x]].begin];
                found++;
            }
        }
    }
    double precision = (double)right / found, recall = (double)right / gold;
    double f1 = 2 * precision * recall / (precision + recall);
    print_message("sure links: precision %.3f, recall %.3f, F1 %.3f\n", precision, recall, f1);
    assert_true(f1 > 0.533 && f1 < 0.553); /* 0.543 measured */
}

TESTS_BETWEEN(shell_setup, shell_teardown)
