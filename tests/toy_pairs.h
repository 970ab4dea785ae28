/* toy_pairs.h - toy sentences with compressions, for the tests of the compressor.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_TOY_PAIRS_H
#define TZ_TESTS_TOY_PAIRS_H

#include <stdio.h>

#include "random.h"

/* Words of a toy sentence: subject, verb, maybe object. */
typedef struct toy_word {
    const char *form, *tag, *label;
    int head;
    int kept;
} toy_word;

/* Determiner, up to two adjectives, noun. What is compressed: adjectives are dropped. */
static inline int toy_noun_phrase(toy_word *word, random_state *random, int at, int verb) {
    static const char *const noun[] = {"dog", "cat", "tree", "tea"};
    static const char *const adjective[] = {"old", "red", "wet"};
    int adjectives = (int)random_below(random, 3), last = at + adjectives + 1;
    word[at] = (toy_word){random_below(random, 2) ? "the" : "a", "DET", "det", last, 1};
    for (int a = at + 1; a < last; a++) {
        word[a] = (toy_word){adjective[random_below(random, 3)], "ADJ", "amod", last, 0};
    }
    word[last] =
        (toy_word){noun[random_below(random, 4)], "NOUN", verb > last ? "nsubj" : "obj", verb, 1};
    return last + 1;
}

/* Returns the number of words, word[1..]. */
static inline int toy_sentence(toy_word word[16], random_state *random) {
    static const char *const verb[] = {"sees", "likes", "finds"};
    int at = toy_noun_phrase(word, random, 1, 15), root = at;
    for (int w = 1; w < at; w++) {
        word[w].head = word[w].head == 15 ? root : word[w].head;
    }
    word[at++] = (toy_word){verb[random_below(random, 3)], "VERB", "root", 0, 1};
    return (random_below(random, 2) ? toy_noun_phrase(word, random, at, root) : at) - 1;
}

/* As `trapeze pairs` writes them. */
static inline void toy_pairs(FILE *file, random_state *random, int sentences) {
    for (int s = 0; s < sentences; s++) {
        toy_word word[16];
        int words = toy_sentence(word, random);
        for (int w = 1; w <= words; w++) {
            fprintf(file, "%d\t%s\t_\t%s\t%s\t_\t%d\t%s\t_\t", w, word[w].form, word[w].tag,
                    word[w].tag, word[w].head, word[w].label);
            if (word[w].kept) {
                fprintf(file, "Kept=%d\n", word[w].head);
            } else {
                fprintf(file, "_\n");
            }
        }
        fprintf(file, "\n");
    }
}

/* As JSON Lines. */
static inline void toy_records(FILE *file, random_state *random, int sentences) {
    for (int s = 0; s < sentences; s++) {
        toy_word word[16];
        int words = toy_sentence(word, random);
        fprintf(file, "{\"id\": \"toy-%d\", \"tokens\": \"", s);
        for (int w = 1; w <= words; w++) {
            fprintf(file, "%s%s", w > 1 ? " " : "", word[w].form);
        }
        fprintf(file, "\", \"keep\": \"");
        for (int w = 1; w <= words; w++) {
            fprintf(file, "%d", word[w].kept);
        }
        fprintf(file, "\"}\n");
    }
}

#endif
