/* test_wordnet.c - are words found in WordNet's files, and how far apart? In a made database, whose
 * distances can be counted by hand, and where it is installed in WordNet itself; damaged files;
 * memory.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lines.h"
#include "sentences/align/wordnet/wordnet.h"
#include "tests/support/amount.h"
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/wordnet_make.h"

static int enter(void **state) {
    if (folder_setup(state) != 0)
        return -1;
    wordnet_make("made");
    return 0;
}

static tz_wordnet *load(const char *path) {
    tz_wordnet *w;
    tz_error error;
    if (tz_wordnet_load(path, &w, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return w;
}

/* The senses of a phrase, with blanks between its words. */
static size_t find(const tz_wordnet *w, const char *phrase, uint32_t sense[TZ_WORDNET_SENSES]) {
    char copy[64];
    const char *word[8];
    size_t words = 0, senses;
    snprintf(copy, sizeof copy, "%s", phrase);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " "))
        word[words++] = at;
    assert_ok(tz_wordnet_find(w, word, words, sense, &senses));
    return senses;
}

static unsigned distance(const tz_wordnet *w, const char *x, const char *y) {
    uint32_t sense[TZ_WORDNET_SENSES];
    tz_buffer path[2] = {{0}};
    size_t count[2];
    const char *const phrase[] = {x, y};
    for (size_t i = 0; i < 2; i++) {
        size_t senses = find(w, phrase[i], sense);
        assert_ok(tz_wordnet_ancestors(w, sense, senses, &path[i], &count[i]));
    }
    unsigned d = tz_wordnet_distance(path[0].data, count[0], path[1].data, count[1]);
    assert_int_equal(tz_wordnet_distance(path[1].data, count[1], path[0].data, count[0]), d);
    tz_buffer_free(&path[0]);
    tz_buffer_free(&path[1]);
    return d;
}

static const unsigned far = TZ_WORDNET_FAR;

typedef struct known {
    const char *x, *y;
    unsigned distance;
} known;

static void check(const char *path, const known *expected) {
    OWN(tz_wordnet, w) = load(path);
    for (; expected->x; expected++) {
        unsigned d = distance(w, expected->x, expected->y);
        if (d != expected->distance)
            fail_msg("%s and %s: %u, not %u", expected->x, expected->y, d, expected->distance);
    }
}

/* By the drawing in wordnet_make.h. */
TEST(distances) {
    static const known expected[] = {
        {"dog", "dog", 0},        {"dog", "domestic dog", 0},
        {"dog", "cat", 2},        {"dog", "carnivore", 1},
        {"dog", "pet", 1},        {"dog", "thing", 2}, /* by pet, not by the second sense */
        {"dog", "entity", 3},                          /* both ways are as long */
        {"guide dog", "duck", 5},                      /* dog carnivore animal bird duck */
        {"guide dog", "box", 4},                       /* dog pet thing box */
        {"London", "city", 1},                         /* an instance */
        {"LONDON", "box", 3},                          /* capitals do not count */
        {"dog", "idea", far},                          /* they do not meet */
        {"dog", "the", far},                           /* not there */
        {"run", "sprint", 1}, /* the verbs; the noun stands far from `sprint` */
        {"run", "notion", 1}, /* the nouns */
        {"sprint", "go", 2},  /* not the first word of its synset */
        {"good", "fine", 0},      {"good", "large", far}, /* adjectives have nothing above them */
        {"better", "well", 0}, /* adverbs, as `better` has two base forms */
        {"well", "good", far},    {NULL, NULL, 0},
    };
    check("made", expected);
}

TEST(base_forms) {
    static const known expected[] = {
        {"dogs", "dog", 0},
        {"boxes", "box", 0},
        {"beasts", "animal", 0},
        {"axes", "axe", 0},  /* an exception with two base forms, */
        {"axes", "axis", 0}, /* both of which count */
        {"ran", "run", 0},
        {"went", "move", 0},
        {"running", "run", far}, /* WordNet does not undo doubled letters by rules */
        {"moved", "move", 0},
        {"moving", "move", 0},
        {"asks", "ask", 0},
        {"asking", "ask", 0},
        {"larger", "large", 0},
        {"largest", "large", 0},
        {"finer", "good", 0},
        {"weller", "well", far},                      /* adverbs have no rules */
        {"guide dogs", "guide dog", 0},               /* the last word, */
        {"attorneys general", "attorney general", 0}, /* or any */
        {"asked for it", "ask for it", 0},
        {"better-known", "well-known", far}, /* only a word's first base form is tried: `good` */
        {"mice", "mouse", far},              /* its base form is not there */
        {"", "dog", far},
        {NULL, NULL, 0},
    };
    check("made", expected);
}

/* Many edges on either side count as none: a long chain. */
TEST(long_paths) {
    enum { CHAIN = 400 };
    FREED(size_t, from) = malloc((CHAIN + 1) * sizeof *from);
    FREED(uint32_t, above) = malloc(CHAIN * sizeof *above);
    assert_true(from && above);
    for (size_t s = 0; s <= CHAIN; s++)
        from[s] = s;
    for (size_t s = 0; s < CHAIN; s++)
        above[s] = (uint32_t)((s + 1) % CHAIN); /* and round */
    tz_wordnet w = {.above_from = from, .above = above};
    tz_buffer path[2] = {{0}};
    size_t count[2];
    const uint32_t sense[] = {0, 126, 127};
    for (size_t y = 1; y < 3; y++) {
        assert_ok(tz_wordnet_ancestors(&w, &sense[0], 1, &path[0], &count[0]));
        assert_ok(tz_wordnet_ancestors(&w, &sense[y], 1, &path[1], &count[1]));
        assert_int_equal(tz_wordnet_distance(path[0].data, count[0], path[1].data, count[1]),
                         y == 1 ? 126 : far);
    }
    tz_buffer_free(&path[0]);
    tz_buffer_free(&path[1]);
}

TEST(wordnet_itself) {
    static const char path[] = "/usr/share/wordnet";
    static const known expected[] = {
        {"dog", "cat", 4}, /* dog canine carnivore feline cat */
        {"cars", "truck", 2}, {"buy", "purchased", 0}, {"children", "child", 0},
        {"said", "say", 0},   {"New York", "city", 1}, /* an instance */
        {NULL, NULL, 0},
    };
    if (access("/usr/share/wordnet/data.noun", R_OK) != 0) {
        print_message("there is no %s\n", path);
        skip();
    }
    OWN(tz_wordnet, w) = load(path);
    assert_true(w->synset.count > 100000 && w->lemma.count > w->synset.count);
    check(path, expected);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

static void write_bytes(const char *path, const char *bytes, size_t size) {
    FILE *file = need(fopen(path, "w"));
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* What is said of a file that has this line at its end, or of none. */
static void refused(const char *name, const char *line, const char *message) {
    char path[64];
    size_t size = 0;
    tz_wordnet *w;
    tz_error error;
    snprintf(path, sizeof path, "made/%s", name);
    FREED(char, whole) = read_file(path, &size);
    FREED(char, longer) = need(malloc(size + 512));
    memcpy(longer, whole, size);
    if (line) {
        strcpy(longer + size, line);
        write_bytes(path, longer, size + strlen(line));
    } else {
        unlink(path);
    }
    assert_int_equal(tz_wordnet_load("made", &w, &error), TZ_IO);
    assert_null(w);
    if (!strstr(error.message, message) || strncmp(error.message, path, strlen(path)) != 0)
        fail_msg("'%s' of %s: %s", line ? line : "", name, error.message);
    write_bytes(path, whole, size);
}

TEST(messages) {
    refused("noun.exc", NULL, "wordnet-base");
    refused("data.verb", NULL, "wordnet-base");
    refused("data.adj", "x\n", "data.adj:6: the line does not begin with the number of a synset");
    refused("data.adj", "99999999999999\n", "the line does not begin with the number");
    refused("data.adj", "00000500 03 a 02 one 0 two\n", "fewer words than it says");
    refused("data.adj", "00000500 03 a fff one 0 | x\n", "fewer words than it says");
    refused("data.adj", "00000500 03 a zz one 0 | x\n", "fewer words than it says");
    refused("data.adj", "00000500 03 a 01 one 0\n", "how many pointers");
    refused("data.adj", "00000500 03 a 01 one 0 001\n", "fewer pointers than it says");
    refused("data.adj", "00000500 03 a 01 one 0 001 @ 1 a\n", "fewer pointers than it says");
    refused("data.adj", "00000500 03 a 01 one 0 001 @ 1 q 0000 | x\n", "no part of speech");
    refused("data.adj", "00000500 03 a 01 one 0 001 @ 00000001 a 0000 | x\n",
            "data.adj:6: a hypernym that is no synset");
    refused("data.noun", "00000062 03 n 01 entity 0 000 | x\n", "stands further up");
    refused("index.adv", "x r 1 0 1 0\n", "index.adv:4: the line does not tell the synsets");
    refused("index.adv", "x r 0 0 0 0 00000062\n", "the line does not tell the synsets");
    refused("index.adv", "x r 1 9 @ 1 0 00000062\n", "the line does not tell the synsets");
    refused("index.adv", "x r 1 0 1 0 00000001\n", "not in the data file");
    refused("verb.exc", "gone\n", "verb.exc:3: an exception without a base form");
    refused("verb.exc", "\xff go\n", "UTF-8");
}

/* Cut off, or with some bytes changed: read, or refused by name; never more. */
TEST(damage) {
    random_state random = random_start("damage");
    char path[64];
    for (int round = 0; round < AMOUNT(3000, 300); round++) {
        size_t size, files = 0;
        while (wordnet_files[files])
            files++;
        const char *name = wordnet_files[random_below(&random, files)];
        snprintf(path, sizeof path, "made/%s", name);
        FREED(char, whole) = read_file(path, &size), *copy = malloc(size + 1);
        assert_non_null(copy);
        memcpy(copy, whole, size);
        size_t left = round % 2 ? size : random_below(&random, size);
        for (uint64_t c = random_below(&random, 4); c > 0 && left > 0; c--)
            copy[random_below(&random, left)] = " 0129af@\n|z\0\xff"[random_below(&random, 13)];
        write_bytes(path, copy, left);
        OWN(tz_wordnet, w) = NULL;
        tz_error error = {TZ_OK, ""};
        tz_status status = tz_wordnet_load("made", &w, &error);
        assert_true(status == TZ_OK ? w != NULL
                                    : status == TZ_IO && !w && strstr(error.message, "made/"));
        for (size_t i = 0; w && i < 4; i++)
            distance(w, (const char *[]){"dog", "asked for it", "axes", "run"}[i], "guide dogs");
        write_bytes(path, whole, size);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int attempt(void *user) {
    (void)user;
    OWN(tz_wordnet, w) = NULL;
    uint32_t sense[TZ_WORDNET_SENSES];
    const char *const phrase[] = {"asked", "for", "it"}, *const dog[] = {"dogs"};
    size_t senses = 0, count;
    OWNED(tz_buffer, path) = {0};
    tz_status status = tz_wordnet_load("made", &w, NULL);
    if (status == TZ_OK)
        status = tz_wordnet_find(w, phrase, 3, sense, &senses);
    if (status == TZ_OK)
        status = tz_wordnet_find(w, dog, 1, sense, &senses);
    if (status == TZ_OK)
        status = tz_wordnet_ancestors(w, sense, senses, &path, &count);
    return (int)status;
}

TEST(out_of_memory) {
    oom_sweep("WordNet", attempt, NULL, TZ_NO_MEMORY, false);
}

TESTS_BETWEEN(enter, folder_teardown)
