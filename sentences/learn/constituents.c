/* constituents.c - see constituents.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/constituents.h"

#include <stdlib.h>
#include <string.h>

#include "sentences/trees/pcfg.h"

struct tz_constituents {
    tz_pcfg *grammar;
    tz_pcfg_parser *parser;
};

tz_status tz_constituents_new(const tz_pack *pack, unsigned threads,
                              tz_constituents **ret_constituents, tz_error *opt_error) {
    const tz_section *section = tz_pack_find(pack, tz_pcfg_name);
    *ret_constituents = NULL;
    if (!section)
        return TZ_NONE;
    tz_constituents *c = calloc(1, sizeof *c);
    if (!c)
        return TZ_NO_MEMORY;
    tz_status status =
        tz_pcfg_read(pack->path, section->bytes, section->size, &c->grammar, opt_error);
    if (status == TZ_OK)
        status = tz_pcfg_parser_new(c->grammar, threads, &c->parser, opt_error);
    if (status == TZ_OK)
        *ret_constituents = c;
    else
        tz_constituents_free(c);
    return status;
}

void tz_constituents_free(tz_constituents *constituents) {
    if (constituents) {
        tz_pcfg_parser_free(constituents->parser);
        tz_pcfg_free(constituents->grammar);
    }
    free(constituents);
}

static tz_status prepare(const tz_analysed *from, tz_pcfg_item *to) {
    uint32_t words = (uint32_t)from->sentence.words;
    *to = (tz_pcfg_item){.words = words,
                         .word = tz_arena_array(from->arena, words, sizeof *to->word),
                         .arena = from->arena};
    for (uint32_t w = 0; w < words && to->word; w++) {
        const char *fine = from->name[TZ_XPOS][w + 1];
        to->word[w].form = from->sentence.form[w + 1];
        to->word[w].tag = strcmp(fine, "_") == 0 ? from->name[TZ_UPOS][w + 1] : fine;
    }
    return to->word ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_constituents_find(tz_constituents *constituents, tz_analysed *const *item,
                               size_t count, tz_error *opt_error) {
    tz_pcfg_item *list = calloc(count + 1, sizeof *list);
    tz_status status = list ? TZ_OK : TZ_NO_MEMORY;
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        status = prepare(item[i], &list[i]);
    if (status == TZ_OK)
        status = tz_pcfg_parse(constituents->parser, TZ_CONSTITUENT_WORDS, list, count, opt_error);
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        tz_tree *tree = tz_arena_array(item[i]->arena, 1, sizeof *tree);
        item[i]->tree = tree;
        if (tree)
            *tree = list[i].tree;
        else
            status = TZ_NO_MEMORY;
    }
    free(list);
    return status;
}
