/* toy.c - see toy.h. SPDX-License-Identifier: MIT */
#include "toy.h"

#include "tests/support/test.h"

#include <stdlib.h>

#include "read_corpus.h"

/* ---- Trees ----------------------------------------------------------------------------------- */

static int phrase(FILE *file, random_state *random, int first, int verb_after, int verb) {
    static const char *const noun[] = {"dog", "cat", "tree", "bark", "tea"};
    static const char *const adjective[] = {"old", "red", "wet"};
    int adjectives = (int)random_below(random, 3), last = first + adjectives + 1;
    int head = verb_after ? last + 1 : verb;
    fprintf(file, "%d\t%s\t_\tDET\t_\t_\t%d\tdet\t_\t_\n", first,
            random_below(random, 2) ? "the" : "a", last);
    for (int a = first + 1; a < last; a++) {
        fprintf(file, "%d\t%s\t_\tADJ\t_\t_\t%d\tamod\t_\t_\n", a,
                adjective[random_below(random, 3)], last);
    }
    fprintf(file, "%d\t%s\t_\tNOUN\t_\t_\t%d\tdep\t_\t_\n", last, noun[random_below(random, 5)],
            head);
    return last + 1;
}

void toy_treebank(FILE *file, random_state *random, int sentences) {
    static const char *const verb[] = {"sees", "bark", "likes"};
    for (int s = 0; s < sentences; s++) {
        int at = phrase(file, random, 1, 1, 0);
        fprintf(file, "%d\t%s\t_\tVERB\t_\t_\t0\troot\t_\t_\n", at, verb[random_below(random, 3)]);
        if (random_below(random, 2))
            phrase(file, random, at + 1, 0, at);
        fprintf(file, "\n");
    }
}

/* ---- Compressions ---------------------------------------------------------------------------- */

typedef struct word {
    const char *form, *tag, *label;
    int head;
    int kept;
} word;

/* Determiner, up to two adjectives, noun. */
static int noun_phrase(word *word, random_state *random, int at, int verb) {
    static const char *const noun[] = {"dog", "cat", "tree", "tea"};
    static const char *const adjective[] = {"old", "red", "wet"};
    int adjectives = (int)random_below(random, 3), last = at + adjectives + 1;
    word[at] = (struct word){random_below(random, 2) ? "the" : "a", "DET", "det", last, 1};
    for (int a = at + 1; a < last; a++)
        word[a] = (struct word){adjective[random_below(random, 3)], "ADJ", "amod", last, 0};
    word[last] = (struct word){noun[random_below(random, 4)], "NOUN", verb > last ? "nsubj" : "obj",
                               verb, 1};
    return last + 1;
}

/* Returns the number of words, word[1..]. */
static int sentence(word word[16], random_state *random) {
    static const char *const verb[] = {"sees", "likes", "finds"};
    int at = noun_phrase(word, random, 1, 15), root = at;
    for (int w = 1; w < at; w++)
        word[w].head = word[w].head == 15 ? root : word[w].head;
    word[at++] = (struct word){verb[random_below(random, 3)], "VERB", "root", 0, 1};
    return (random_below(random, 2) ? noun_phrase(word, random, at, root) : at) - 1;
}

void toy_pairs(FILE *file, random_state *random, int sentences) {
    for (int s = 0; s < sentences; s++) {
        word word[16];
        int words = sentence(word, random);
        for (int w = 1; w <= words; w++) {
            fprintf(file, "%d\t%s\t_\t%s\t%s\t_\t%d\t%s\t_\t", w, word[w].form, word[w].tag,
                    word[w].tag, word[w].head, word[w].label);
            if (word[w].kept)
                fprintf(file, "Kept=%d\n", word[w].head);
            else
                fprintf(file, "_\n");
        }
        fprintf(file, "\n");
    }
}

void toy_records(FILE *file, random_state *random, int sentences) {
    for (int s = 0; s < sentences; s++) {
        word word[16];
        int words = sentence(word, random);
        fprintf(file, "{\"id\": \"toy-%d\", \"tokens\": \"", s);
        for (int w = 1; w <= words; w++)
            fprintf(file, "%s%s", w > 1 ? " " : "", word[w].form);
        fprintf(file, "\", \"keep\": \"");
        for (int w = 1; w <= words; w++)
            fprintf(file, "%d", word[w].kept);
        fprintf(file, "\"}\n");
    }
}

/* ---- Where they go --------------------------------------------------------------------------- */

int toy_file(const char *name, toy_writer *write, random_state *random, int sentences) {
    FILE *file = fopen(name, "w");
    if (!file)
        return -1;
    write(file, random, sentences);
    return fclose(file);
}

char *toy_text(toy_writer *write, uint64_t seed, int sentences, size_t *ret_size) {
    random_state random = {seed};
    char *text;
    FILE *file = need(open_memstream(&text, ret_size));
    write(file, &random, sentences);
    fclose(file);
    return text;
}

void toy_corpus(uint64_t seed, int sentences, tz_labels *tags, tz_corpus *ret_corpus) {
    size_t size;
    FREED(char, text) = toy_text(toy_treebank, seed, sentences, &size);
    tz_corpus_options options = {.labels = {[TZ_UPOS] = tags}, .grow = true};
    assert_ok(read_corpus(text, size, &options, ret_corpus, NULL));
}
