/* toy.h - toy treebanks for the tests of learning. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_TOY_H
#define TZ_TESTS_TOY_H

#include <stdio.h>

#include "random.h"

/* Sentences of a language in which words tell tags and tags tell heads, but for one word: "bark" is
 * a noun after a determiner and else a verb.
 *   sentence   noun phrase, verb, maybe a noun phrase; the verb is the root
 *   noun phrase   determiner, up to two adjectives, noun; all modify the noun, which modifies the
 *                 verb */
static inline int toy_phrase(FILE *file, random_state *random, int first, int verb_after,
                             int verb) {
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

static inline void toy_treebank(FILE *file, random_state *random, int sentences) {
    static const char *const verb[] = {"sees", "bark", "likes"};
    for (int s = 0; s < sentences; s++) {
        int at = toy_phrase(file, random, 1, 1, 0);
        fprintf(file, "%d\t%s\t_\tVERB\t_\t_\t0\troot\t_\t_\n", at, verb[random_below(random, 3)]);
        if (random_below(random, 2)) {
            toy_phrase(file, random, at + 1, 0, at);
        }
        fprintf(file, "\n");
    }
}

#endif
