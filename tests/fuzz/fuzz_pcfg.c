/* fuzz_pcfg.c - grammars of constituents whose checksum is right: read, and asked for a tree of
 * tagged words. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "sentences/trees/pcfg.h"

enum { WORDS = 3 };

static void ask(const tz_pcfg *grammar) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_tree_word word[WORDS];
    tz_pcfg_item item = {.words = WORDS, .word = word, .arena = arena};
    OWN(tz_pcfg_parser, parser) = NULL;
    tz_error error;
    for (uint32_t w = 0; w < WORDS; w++)
        word[w] = (tz_tree_word){"a", w < grammar->tags.count ? grammar->tags.name[w] : "NN"};
    FUZZ_CHECK(arena != NULL && tz_pcfg_parser_new(grammar, 1, &parser, &error) == TZ_OK);
    FUZZ_CHECK(tz_pcfg_parse(parser, WORDS, &item, 1, &error) == TZ_OK);
    FUZZ_CHECK(item.tree.words == WORDS);
    FUZZ_CHECK(item.log_probability <= 0);
}

void fuzz_target(const uint8_t *data, size_t size) {
    tz_error error;
    FREED(unsigned char, bytes) = fuzz_sealed(data, size, &size);
    OWN(tz_pcfg, grammar) = NULL;
    tz_status status = tz_pcfg_read("input", bytes, size, &grammar, &error);
    if (status == TZ_OK) {
        FUZZ_CHECK(tz_pcfg_bytes(bytes, size));
        ask(grammar);
    } else {
        fuzz_check_error(status, &error);
    }
}
