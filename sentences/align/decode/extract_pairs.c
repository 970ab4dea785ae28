/* extract_pairs.c - see extract.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/align/decode/extract.h"

/* The trees that begin in the extract. */
static tz_status gather_trees(tz_arena *arena, const tz_passage *document,
                              const tz_extract *extract, tz_passage *ret) {
    tz_cover_sentence *tree = tz_arena_array(arena, document->trees, sizeof *tree);
    size_t place = 0, w = 0;
    if (!tree)
        return TZ_NO_MEMORY;
    for (size_t t = 0; t < document->trees; t++) {
        while (w < extract->words && extract->place[w] < place)
            w++;
        if (w < extract->words && extract->place[w] == place)
            tree[ret->trees++] = document->opt_tree[t];
        place += (size_t)document->opt_tree[t].words;
    }
    ret->opt_tree = tree;
    return TZ_OK;
}

/* The sentences of a document that an extract has. */
static tz_status gather(tz_arena *arena, const tz_passage *document, const tz_extract *extract,
                        tz_passage *ret) {
    tz_form *form = tz_arena_array(arena, extract->words, sizeof *form);
    uint32_t *stop = tz_arena_array(arena, extract->words, sizeof *stop);
    const char **word = tz_arena_array(arena, extract->words, sizeof *word);
    if (!form || !stop || !word)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < extract->words; w++) {
        form[w] = document->form[extract->place[w]];
        word[w] = document->opt_word ? document->opt_word[extract->place[w]] : NULL;
    }
    for (size_t s = 0; s < extract->sentences; s++)
        for (uint32_t w = extract->begin[s]; w < extract->begin[s + 1]; w++)
            stop[w] = extract->begin[s + 1];
    *ret = (tz_passage){.form = form,
                        .opt_stop = stop,
                        .words = extract->words,
                        .opt_word = document->opt_word ? word : NULL};
    return document->opt_tree ? gather_trees(arena, document, extract, ret) : TZ_OK;
}

tz_status tz_extract_pairs_new(tz_arena *arena, const tz_side *const side[2],
                               const tz_passage passage[2], size_t most, tz_extract_pair **ret_pair,
                               size_t *ret_pairs) {
    const uint32_t *begin[2];
    size_t sentences[2], count = 0;
    tz_stem_index index;
    for (size_t s = 0; s < 2; s++)
        if (tz_side_sentences(arena, side[s], &begin[s], &sentences[s]) != TZ_OK)
            return TZ_NO_MEMORY;
    tz_extract_pair *pair = tz_arena_array(arena, sentences[1], sizeof *pair);
    tz_status status =
        pair ? tz_stem_index_new(arena, passage[0].form, begin[0], sentences[0], &index)
             : TZ_NO_MEMORY;
    for (size_t s = 0; s < sentences[1] && status == TZ_OK; s++) {
        tz_extract extract;
        uint32_t first = begin[1][s], words = begin[1][s + 1] - first;
        const tz_form *form = passage[1].form + first;
        if (words == 0)
            continue;
        status = tz_extract_new(arena, &index, form, words, most, &extract);
        if (status != TZ_OK)
            break;
        pair[count] = (tz_extract_pair){
            .abstract = {.form = form,
                         .words = words,
                         .opt_word = passage[1].opt_word ? passage[1].opt_word + first : NULL},
            .place = extract.place,
            .first = first};
        status = gather(arena, &passage[0], &extract, &pair[count++].document);
    }
    *ret_pair = pair;
    *ret_pairs = count;
    return status;
}

/* ---- Putting alignments together ------------------------------------------------------------- */

static tz_link link_of(const tz_extract_pair *pair, const tz_link *link) {
    return (tz_link){pair->place[link->document], pair->first + link->abstract};
}

static tz_status add_links(tz_arena *arena, const tz_extract_pair *pair, const tz_links *links,
                           tz_links *whole) {
    tz_links moved = {links->count, tz_arena_array(arena, links->count, sizeof *moved.link)};
    if (!moved.link)
        return TZ_NO_MEMORY;
    for (size_t l = 0; l < links->count; l++)
        moved.link[l] = link_of(pair, &links->link[l]);
    return tz_links_join(arena, whole, &moved, whole);
}

/* A phrase stands in one sentence, and so in one place of the document. */
static tz_decoded_phrase phrase_of(const tz_extract_pair *pair, const tz_decoded_phrase *phrase) {
    tz_decoded_phrase moved = *phrase;
    const uint32_t *d = phrase->pair.document;
    moved.pair.document[0] = pair->place[d[0]];
    moved.pair.document[1] = pair->place[d[1] - 1] + 1;
    for (size_t e = 0; e < 2; e++)
        moved.pair.abstract[e] = pair->first + phrase->pair.abstract[e];
    return moved;
}

tz_status tz_extract_pair_add(tz_arena *arena, const tz_extract_pair *pair,
                              const tz_decoded *decoded, tz_decoded *whole) {
    tz_decoded_phrase *phrase =
        tz_arena_array(arena, whole->phrases + decoded->phrases, sizeof *phrase);
    if (!phrase)
        return TZ_NO_MEMORY;
    if (whole->phrases > 0)
        memcpy(phrase, whole->phrase, whole->phrases * sizeof *phrase);
    for (size_t f = 0; f < decoded->phrases; f++)
        phrase[whole->phrases + f] = phrase_of(pair, &decoded->phrase[f]);
    whole->phrase = phrase;
    whole->phrases += decoded->phrases;
    whole->score += decoded->score;
    whole->log_likelihood += decoded->log_likelihood;
    tz_status status = add_links(arena, pair, &decoded->links, &whole->links);
    return status == TZ_OK ? add_links(arena, pair, &decoded->likely, &whole->likely) : status;
}
