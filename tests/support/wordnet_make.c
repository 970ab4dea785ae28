/* wordnet_make.c - see wordnet_make.h. SPDX-License-Identifier: MIT */
#include "tests/support/wordnet_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "tests/support/test.h"

enum { PARTS = 4, LICENCE = 2 };
static const char *const part_name[PARTS] = {"noun", "verb", "adj", "adv"};
static const char letter[] = "nvar";

const char *const wordnet_files[] = {
    "data.noun", "data.verb", "data.adj", "data.adv", "index.noun", "index.verb", "index.adj",
    "index.adv", "noun.exc",  "verb.exc", "adj.exc",  "adv.exc",    NULL};

/* A synset; what stands above it, by lemmas that have this one alone. A lemma's senses come in the
 * order of the table. */
static const struct {
    unsigned part;
    const char *word[3], *above[2], *instance_of, *gloss;
} synset[] = {
    {0, {"entity"}, {0}, NULL, "what there is"},
    {0, {"animal", "beast"}, {"entity"}, NULL, "what eats and moves"},
    {0, {"carnivore"}, {"animal"}, NULL, "what eats animals"},
    {0, {"thing"}, {"entity"}, NULL, "what is no animal"},
    {0, {"pet"}, {"thing"}, NULL, "what is kept for company"},
    {0, {"dog", "domestic_dog"}, {"carnivore", "pet"}, NULL, "what barks; \"@ n 0000\""},
    {0, {"cat"}, {"carnivore"}, NULL, "what mews"},
    {0, {"bird"}, {"animal"}, NULL, "what has feathers"},
    {0, {"duck"}, {"bird"}, NULL, "what quacks"},
    {0, {"guide_dog"}, {"domestic_dog"}, NULL, "what leads"},
    {0, {"dog"}, {"thing"}, NULL, "the second sense, which does not count"},
    {0, {"city"}, {"thing"}, NULL, "where many live"},
    {0, {"london"}, {0}, "city", "where very many live"},
    {0, {"box"}, {"thing"}, NULL, "what holds"},
    {0, {"axe"}, {"thing"}, NULL, "what cuts"},
    {0, {"axis"}, {"idea"}, NULL, "what is turned around"},
    {0, {"idea"}, {0}, NULL, "what is thought"},
    {0, {"notion"}, {"idea"}, NULL, "what is thought a little"},
    {0, {"attorney_general"}, {"entity"}, NULL, "who pleads"},
    {0, {"attorney"}, {"entity"}, NULL, "who pleads, too"},
    {0, {"run"}, {"notion"}, NULL, "what is run"},
    {1, {"act"}, {0}, NULL, "to do"},
    {1, {"move", "go"}, {"act"}, NULL, "to be elsewhere after"},
    {1, {"run"}, {"move"}, NULL, "to go with both feet above the ground"},
    {1, {"sprint"}, {"run"}, NULL, "to run as fast as one can"},
    {1, {"ask_for_it"}, {"act"}, NULL, "to deserve it"},
    {1, {"ask"}, {"act"}, NULL, "to want to know"},
    {2, {"good", "fine"}, {0}, NULL, "as it should be"},
    {2, {"large"}, {0}, NULL, "not small"},
    {2, {"well-known"}, {0}, NULL, "known to many"},
    {3, {"well"}, {0}, NULL, "in a good way"},
};
enum { SYNSETS = sizeof synset / sizeof *synset };

static size_t offset[SYNSETS];

static const char *const exceptions[PARTS] = {"axes axe axis\nmice mouse\n", "ran run\nwent go\n",
                                              "better good well\nbest good\n",
                                              "best well\nbetter well\n"};

static void write_file(const char *folder, const char *name, const tz_text *text) {
    char path[512];
    assert_false(text->failed);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = need(fopen(path, "w"));
    assert_int_equal(fwrite(text->data, 1, text->size, file), text->size);
    assert_int_equal(fclose(file), 0);
}

static bool has(size_t s, const char *word) {
    for (size_t w = 0; w < 3 && synset[s].word[w]; w++)
        if (strcmp(synset[s].word[w], word) == 0)
            return true;
    return false;
}

static size_t find(unsigned part, const char *word) {
    for (size_t s = 0; s < SYNSETS; s++)
        if (synset[s].part == part && has(s, word))
            return s;
    fail_msg("no synset of '%s'", word);
    return 0;
}

static void put_licence(tz_text *text) {
    for (int line = 1; line <= LICENCE; line++) {
        char words[64];
        snprintf(words, sizeof words, "  %d This is a made database.  \n", line);
        tz_text_put(text, words);
    }
}

static void put_pointer(tz_text *text, const char *symbol, unsigned part, const char *to) {
    char pointer[64];
    snprintf(pointer, sizeof pointer, " %s %08zu %c 0000", symbol, offset[find(part, to)],
             letter[part]);
    tz_text_put(text, pointer);
}

static void put_synset(tz_text *text, size_t s) {
    char number[64];
    size_t words = 0, pointers = synset[s].instance_of ? 1 : 0;
    while (words < 3 && synset[s].word[words])
        words++;
    for (size_t a = 0; a < 2 && synset[s].above[a]; a++)
        pointers++;
    snprintf(number, sizeof number, "%08zu 03 %c %02zx", offset[s], letter[synset[s].part], words);
    tz_text_put(text, number);
    for (size_t w = 0; w < words; w++) {
        tz_text_put(text, " ");
        tz_text_put(text, synset[s].word[w]);
        tz_text_put(text, " 0");
    }
    snprintf(number, sizeof number, " %03zu", pointers + 1);
    tz_text_put(text, number);
    for (size_t a = 0; a < 2 && synset[s].above[a]; a++)
        put_pointer(text, "@", synset[s].part, synset[s].above[a]);
    if (synset[s].instance_of)
        put_pointer(text, "@i", synset[s].part, synset[s].instance_of);
    put_pointer(text, "+", 0, "entity"); /* no hypernym */
    tz_text_put(text, synset[s].part == 1 ? " 01 + 02 00 | " : " | ");
    tz_text_put(text, synset[s].gloss);
    tz_text_put(text, "  \n");
}

static void put_data(tz_text *text, unsigned part) {
    tz_text_clear(text);
    put_licence(text);
    for (size_t s = 0; s < SYNSETS; s++) {
        if (synset[s].part != part)
            continue;
        offset[s] = text->size;
        put_synset(text, s);
    }
}

static int by_line(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A line for each lemma, sorted. */
static void put_index(tz_text *text, unsigned part) {
    char *line[3 * SYNSETS];
    size_t lines = 0;
    for (size_t s = 0; s < SYNSETS; s++) {
        for (size_t w = 0; synset[s].part == part && w < 3 && synset[s].word[w]; w++) {
            const char *word = synset[s].word[w];
            char senses[256] = "", entry[512];
            size_t count = 0;
            if (find(part, word) != s)
                continue;
            for (size_t t = s; t < SYNSETS; t++) {
                if (synset[t].part != part || !has(t, word))
                    continue;
                size_t used = strlen(senses);
                snprintf(senses + used, sizeof senses - used, " %08zu", offset[t]);
                count++;
            }
            snprintf(entry, sizeof entry, "%s %c %zu 2 @ + %zu 0%s  \n", word, letter[part], count,
                     count, senses);
            assert_non_null(line[lines++] = tz_joined(entry, "", ""));
        }
    }
    qsort(line, lines, sizeof *line, by_line);
    tz_text_clear(text);
    put_licence(text);
    for (size_t l = 0; l < lines; l++) {
        tz_text_put(text, line[l]);
        free(line[l]);
    }
}

void wordnet_make(const char *folder) {
    OWNED(tz_text, text) = {0};
    char name[16];
    mkdir(folder, 0777);
    for (int round = 0; round < 2; round++) /* the second knows the places of all */
        for (unsigned p = 0; p < PARTS; p++)
            put_data(&text, p);
    for (unsigned p = 0; p < PARTS; p++) {
        snprintf(name, sizeof name, "data.%s", part_name[p]);
        put_data(&text, p);
        write_file(folder, name, &text);
        snprintf(name, sizeof name, "index.%s", part_name[p]);
        put_index(&text, p);
        write_file(folder, name, &text);
        snprintf(name, sizeof name, "%s.exc", part_name[p]);
        tz_text_clear(&text);
        tz_text_put(&text, exceptions[p]);
        write_file(folder, name, &text);
    }
}
