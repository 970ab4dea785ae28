/* delete.c - see delete.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/delete.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "sentences/deletions/language.h"
#include "sentences/features/sentence/kept.h"
#include "sentences/features/tables/sketch.h"
#include "sentences/learn/parses.h"
#include "sentences/lm/lm.h"

enum { PORTION_CUBES = 1000000 }; /* of words, whose trees are looked at side by side */

struct tz_deleter {
    tz_deletions *model;
    tz_deletion_decoder *decoder;
    tz_sketch *bigrams; /* NULL: none */
    tz_lm *lm;          /* NULL: none */
    tz_deletion_how how;
    const tz_model *parser; /* NULL: one tree is enough */
};

tz_status tz_deleter_new(const tz_pack *pack, unsigned threads, tz_deleter **ret_deleter,
                         tz_error *opt_error) {
    const tz_section *section = tz_pack_find(pack, tz_deletions_name);
    *ret_deleter = NULL;
    if (!section)
        return TZ_NONE;
    tz_deleter *deleter = calloc(1, sizeof *deleter);
    if (!deleter)
        return TZ_NO_MEMORY;
    tz_status status =
        tz_deletions_read(pack->path, section->bytes, section->size, &deleter->model, opt_error);
    const tz_section *bigrams = tz_pack_find(pack, "bigrams");
    if (status == TZ_OK && bigrams)
        status = tz_sketch_read(pack->path, bigrams->bytes, bigrams->size, TZ_SKETCH_BIGRAMS,
                                &deleter->bigrams, opt_error);
    if (status == TZ_OK)
        status = tz_deletion_decoder_new(deleter->model, threads, &deleter->decoder, opt_error);
    if (status != TZ_OK) {
        tz_deleter_free(deleter);
        return status;
    }
    deleter->how = (tz_deletion_how){.threshold = deleter->model->threshold};
    *ret_deleter = deleter;
    return TZ_OK;
}

void tz_deleter_free(tz_deleter *deleter) {
    if (deleter) {
        tz_deletion_decoder_free(deleter->decoder);
        tz_deletions_free(deleter->model);
        tz_sketch_free(deleter->bigrams);
        tz_lm_free(deleter->lm);
    }
    free(deleter);
}

tz_status tz_deleter_read_lm(tz_deleter *deleter, const char *path, tz_error *opt_error) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return tz_fail(opt_error, TZ_IO, "%s: %s", path, strerror(errno));
    tz_lm *lm;
    tz_status status = tz_lm_read(file, path, &lm, opt_error);
    fclose(file);
    if (status != TZ_OK)
        return status;
    tz_lm_free(deleter->lm);
    deleter->lm = lm;
    if (deleter->how.opt_lm)
        deleter->how.opt_lm = lm;
    return TZ_OK;
}

const tz_lm *tz_deleter_lm(const tz_deleter *deleter) {
    return deleter->lm;
}

tz_status tz_deleter_set(tz_deleter *deleter, const tz_deletion_how *how,
                         const tz_model *opt_parser, tz_error *opt_error) {
    if (how->lambda != 0 && !deleter->bigrams) {
        return tz_fail(opt_error, TZ_IO,
                       "there are no bigrams in this model; `trapeze train bigrams` makes them");
    }
    if (opt_parser && deleter->model->source != TZ_TREES_TAGS) {
        return tz_fail(opt_error, TZ_IO,
                       "all trees take a grammar of deletions that was learned with --levels=tags "
                       "(`trapeze train deletions`), not this one");
    }
    deleter->how = *how;
    deleter->parser = opt_parser;
    deleter->how.bigrams = deleter->bigrams;
    deleter->how.opt_lm = how->candidates > 0 ? deleter->lm : NULL;
    if (how->threshold < 0)
        deleter->how.threshold = deleter->model->threshold;
    return TZ_OK;
}

tz_tree_source tz_deleter_source(const tz_deleter *deleter) {
    return deleter->model->source;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static bool of_brackets(const tz_deleter *deleter) {
    return deleter->model->source == TZ_TREES_BRACKETS;
}

static tz_status find_tree(const tz_deleter *deleter, const tz_analysed *from, tz_tree *ret,
                           tz_error *opt_error) {
    if (!of_brackets(deleter)) {
        return tz_tree_of_dependencies(
            from->arena, NULL, &from->sentence, (const char **const *)from->name,
            tz_tree_source_levels(deleter->model->source), ret, opt_error);
    }
    if (!from->tree) {
        return tz_fail(opt_error, TZ_IO,
                       "the grammar of deletions was learned from trees in brackets; to find them "
                       "takes a grammar of constituents (`trapeze train pcfg`), which the model "
                       "does not have");
    }
    *ret = *from->tree;
    return TZ_OK;
}

static tz_status prepare_parses(const tz_deleter *deleter, tz_arena *scratch, tz_analysed *from,
                                tz_deletion_item *to, tz_error *opt_error) {
    size_t positions = (size_t)from->sentence.words + 1;
    if (from->sentence.words > TZ_ALL_TREES_WORDS) {
        return tz_fail(opt_error, TZ_IO,
                       "a sentence has %d words; all trees are looked at of up to %d",
                       (int)from->sentence.words, (int)TZ_ALL_TREES_WORDS);
    }
    tz_parses *parses = tz_arena_array(scratch, 1, sizeof *parses);
    if (!parses)
        return TZ_NO_MEMORY;
    to->opt_parses = parses;
    if (deleter->how.by == TZ_DELETE_BY_BEST || from->keep > 0) {
        to->opt_head = tz_arena_array(from->arena, positions, sizeof *to->opt_head);
        if (!to->opt_head)
            return TZ_NO_MEMORY;
    }
    return tz_parses_of(deleter->parser, &from->sentence, scratch, parses);
}

/* The words of the language model. */
static tz_status number_words(const tz_deleter *deleter, const tz_analysed *from,
                              tz_deletion_item *to) {
    size_t words = (size_t)from->sentence.words;
    uint32_t *word = tz_arena_array(from->arena, words, sizeof *word);
    tz_status status = word ? TZ_OK : TZ_NO_MEMORY;
    for (size_t w = 0; w < words && status == TZ_OK; w++)
        status = tz_deletion_lm_word(deleter->lm, from->sentence.form[w + 1], &word[w]);
    to->opt_word = word;
    return status;
}

static tz_status prepare(const tz_deleter *deleter, tz_arena *scratch, tz_analysed *from,
                         tz_deletion_item *to, tz_error *opt_error) {
    size_t words = (size_t)from->sentence.words;
    tz_tree tree;
    tz_outward *outward = tz_arena_array(from->arena, 1, sizeof *outward);
    *to = (tz_deletion_item){.tree = outward,
                             .amount = from->keep,
                             .keep = tz_arena_array(from->arena, words, sizeof *to->keep)};
    if (!outward || !to->keep)
        return TZ_NO_MEMORY;
    tz_status status = find_tree(deleter, from, &tree, opt_error);
    if (status == TZ_OK)
        status = tz_outward_new(from->arena, &tree, outward);
    if (status == TZ_OK && deleter->parser)
        status = prepare_parses(deleter, scratch, from, to, opt_error);
    if (status == TZ_OK && deleter->how.opt_lm)
        status = number_words(deleter, from, to);
    if (status != TZ_OK || deleter->how.by != TZ_DELETE_BY_MARGINALS || from->keep > 0)
        return status;
    from->kept = to->opt_marginal = tz_arena_array(from->arena, words, sizeof *to->opt_marginal);
    return from->kept ? TZ_OK : TZ_NO_MEMORY;
}

/* The tree of the kept words: each modifies the next one above it in the whole tree. */
static tz_status take(const tz_deleter *deleter, tz_analysed *to, const tz_deletion_item *from) {
    const uint8_t *keep = from->keep;
    int32_t words = to->sentence.words;
    int32_t *whole = from->opt_head ? from->opt_head : to->sentence.head;
    int32_t *head = tz_arena_array(to->arena, (size_t)words + 1, sizeof *head);
    if (head && of_brackets(deleter)) {
        whole = tz_arena_array(to->arena, (size_t)words + 1, sizeof *whole);
        if (whole)
            tz_tree_dependencies(to->tree, whole);
    }
    if (!head || !whole)
        return TZ_NO_MEMORY;
    for (int32_t w = 1; w <= words; w++) {
        int32_t above = whole[w];
        while (above > 0 && !keep[above - 1])
            above = whole[above];
        head[w] = keep[w - 1] ? above : -1;
    }
    tz_kept_single_root(head, words);
    to->sentence.compression = head;
    return TZ_OK;
}

/* How many of these are decoded side by side: all, or as many as all their trees have room. */
static size_t portion_of(const tz_deleter *deleter, tz_analysed *const *item, size_t count) {
    size_t cubes = 0, taken = 0;
    while (taken < count && (!deleter->parser || cubes < PORTION_CUBES)) {
        size_t positions = (size_t)item[taken++]->sentence.words + 1;
        cubes += positions * positions * positions;
    }
    return taken;
}

static tz_status delete_portion(tz_deleter *deleter, tz_arena *scratch, tz_analysed *const *item,
                                size_t count, tz_error *opt_error) {
    tz_deletion_item *deletion = tz_arena_array(scratch, count, sizeof *deletion);
    tz_status status = deletion ? TZ_OK : TZ_NO_MEMORY;
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        status = prepare(deleter, scratch, item[i], &deletion[i], opt_error);
    if (status == TZ_OK)
        status = tz_deletion_decode(deleter->decoder, &deleter->how, deletion, count, opt_error);
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        status = take(deleter, item[i], &deletion[i]);
    return status;
}

tz_status tz_delete(tz_deleter *deleter, tz_analysed *const *item, size_t count,
                    tz_error *opt_error) {
    tz_status status = TZ_OK;
    for (size_t done = 0, portion; done < count && status == TZ_OK; done += portion) {
        tz_arena *scratch = tz_arena_new();
        portion = portion_of(deleter, item + done, count - done);
        status = scratch ? delete_portion(deleter, scratch, item + done, portion, opt_error)
                         : TZ_NO_MEMORY;
        tz_arena_free(scratch);
    }
    return status;
}
