/* fuzz_wordnet.c - WordNet's twelve files, with form feeds between them: read, and asked how far
 * two words are apart. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "sentences/align/wordnet/wordnet.h"

static const char *const name[] = {"data.noun",  "data.verb",  "data.adj",  "data.adv",
                                   "index.noun", "index.verb", "index.adj", "index.adv",
                                   "noun.exc",   "verb.exc",   "adj.exc",   "adv.exc"};
enum { FILES = sizeof name / sizeof *name };

static char folder[] = "/tmp/trapeze-fuzz-XXXXXX";

static void remove_folder(void) {
    for (size_t f = 0; f < FILES; f++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, name[f]);
        unlink(path);
    }
    rmdir(folder);
}

static void write_files(fuzz_input input) {
    for (size_t f = 0; f < FILES; f++) {
        const uint8_t *end = input.left > 0 ? memchr(input.at, '\f', input.left) : NULL;
        size_t size = end != NULL ? (size_t)(end - input.at) : input.left;
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, name[f]);
        FILE *file = fopen(path, "wb");
        FUZZ_CHECK(file != NULL && fwrite(input.at, 1, size, file) == size);
        FUZZ_CHECK(fclose(file) == 0);
        fuzz_bytes(&input, size + (end != NULL), &size);
    }
}

static void ask(const tz_wordnet *wordnet) {
    static const char *const word[] = {"dogs", "cat"};
    tz_buffer ancestors[2] = {{0}, {0}};
    size_t count[2];
    for (size_t w = 0; w < 2; w++) {
        uint32_t sense[TZ_WORDNET_SENSES];
        size_t senses;
        FUZZ_CHECK(tz_wordnet_find(wordnet, &word[w], 1, sense, &senses) == TZ_OK);
        FUZZ_CHECK(tz_wordnet_ancestors(wordnet, sense, senses, &ancestors[w], &count[w]) == TZ_OK);
    }
    FUZZ_CHECK(tz_wordnet_distance(ancestors[0].data, count[0], ancestors[1].data, count[1]) <=
               TZ_WORDNET_FAR);
    tz_buffer_free(&ancestors[0]);
    tz_buffer_free(&ancestors[1]);
}

void fuzz_target(const uint8_t *data, size_t size) {
    static bool begun;
    OWN(tz_wordnet, wordnet) = NULL;
    tz_error error;
    if (!begun)
        FUZZ_CHECK(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    begun = true;
    write_files((fuzz_input){data, size});
    tz_status status = tz_wordnet_load(folder, &wordnet, &error);
    if (status == TZ_OK)
        ask(wordnet);
    else
        fuzz_check_error(status, &error);
}
