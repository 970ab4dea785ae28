/* document_trees.c - see document_trees.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/input/document_trees.h"

#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/cli/input/sentences.h"
#include "sentences/learn/analyse.h"

static const tz_stage stages[] = {TZ_STAGE_TAG, TZ_STAGE_FINE, TZ_STAGE_PARSE, TZ_STAGE_LABEL};
enum { STAGES = sizeof stages / sizeof *stages };

int tz_document_trees_open(const char *command, const char *file, const char *model,
                           unsigned threads, tz_document_trees *ret_trees) {
    unsigned all = 0;
    for (size_t s = 0; s < STAGES; s++)
        all |= 1u << stages[s];
    *ret_trees = (tz_document_trees){0};
    return file ? tz_treebank_open(command, file, &ret_trees->treebank)
                : tz_load_models(command, model, 0, all, threads, &ret_trees->analyser);
}

void tz_document_trees_close(tz_document_trees *trees) {
    if (trees->treebank.conllu)
        tz_treebank_close(&trees->treebank);
    tz_analyser_free(trees->analyser);
    *trees = (tz_document_trees){0};
}

/* A sentence whose arrays are to be filled in. */
typedef struct tree {
    int32_t *head;
    const char **relation, **tag;
} tree;

static bool new_tree(tz_arena *arena, int32_t words, tree *ret) {
    size_t places = (size_t)words + 1;
    *ret = (tree){tz_arena_array(arena, places, sizeof *ret->head),
                  tz_arena_array(arena, places, sizeof *ret->relation),
                  tz_arena_array(arena, places, sizeof *ret->tag)};
    return ret->head && ret->relation && ret->tag;
}

/* ---- From a file ----------------------------------------------------------------------------- */

/* A document, and where it was read. */
typedef struct place {
    const tz_side *document;
    const char *file;
    size_t line;
    size_t at, end; /* words: the sentence begins and has to end before; or the document ends */
} place;

static const char order[] = "--trees takes the documents' sentences, in their order";

static tz_status check_word(const char *trees, const tz_conllu_row *row, const place *p, size_t at,
                            tz_error *error) {
    const char *form = row->column[TZ_FORM];
    if (at >= p->end)
        return tz_bad_input(error, trees, row->line,
                            "the sentence goes on with '%s', where that of %s:%zu ends; %s", form,
                            p->file, p->line, order);
    if (strcmp(form, p->document->word[at]) != 0)
        return tz_bad_input(error, trees, row->line,
                            "the word '%s', where word %zu of the document of %s:%zu is '%s'; %s",
                            form, at + 1, p->file, p->line, p->document->word[at], order);
    if (row->head < 0 || strcmp(row->column[TZ_DEPREL], "_") == 0)
        return tz_bad_input(error, trees, row->line,
                            "the word '%s' has no %s; parse the file first (trapeze parse)", form,
                            row->head < 0 ? "head" : "relation (DEPREL)");
    return TZ_OK;
}

static tz_status check_end(const char *trees, const tz_conllu_row *row, const place *p, size_t at,
                           tz_error *error) {
    if (at == p->end || p->document->sentences == 0)
        return TZ_OK;
    return tz_bad_input(error, trees, row->line,
                        "the sentence ends with '%s', where that of %s:%zu goes on with '%s'; %s",
                        row->column[TZ_FORM], p->file, p->line, p->document->word[at], order);
}

/* The XPOS, or where there is none the UPOS. */
static const char *tag_of(const tz_conllu_row *row) {
    return row->column[strcmp(row->column[TZ_XPOS], "_") == 0 ? TZ_UPOS : TZ_XPOS];
}

static tz_status take_word(tz_arena *arena, const tz_conllu_row *row, int32_t w, tree *t) {
    const char *relation = row->column[TZ_DEPREL], *tag = tag_of(row);
    t->head[w] = row->head;
    t->relation[w] = tz_arena_text(arena, relation, strlen(relation));
    t->tag[w] = tz_arena_text(arena, tag, strlen(tag));
    return t->relation[w] && t->tag[w] ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status read_sentence(tz_document_trees *trees, tz_arena *arena, const place *p,
                               tz_cover_sentence *ret, tz_error *error) {
    const char *name = tz_conllu_file(trees->treebank.conllu);
    const tz_conllu_sentence *sentence;
    tree t;
    tz_status status = tz_conllu_next(trees->treebank.conllu, &sentence, error);
    if (status == TZ_NONE)
        return tz_bad_input(error, name, 0,
                            "the file ends, where word %zu of the document of %s:%zu is '%s'; %s",
                            p->at + 1, p->file, p->line, p->document->word[p->at], order);
    if (status != TZ_OK)
        return status;
    if (!new_tree(arena, sentence->words, &t))
        return TZ_NO_MEMORY;
    for (int32_t w = 1; w <= sentence->words && status == TZ_OK; w++) {
        status = check_word(name, sentence->word[w], p, p->at + (size_t)w - 1, error);
        if (status == TZ_OK)
            status = take_word(arena, sentence->word[w], w, &t);
    }
    *ret = (tz_cover_sentence){sentence->words, t.head, t.relation, t.tag};
    return status == TZ_OK && sentence->words > 0
               ? check_end(name, sentence->word[sentence->words], p,
                           p->at + (size_t)sentence->words, error)
               : status;
}

/* Where the sentence ends that word `at` belongs to, as far as that is known. */
static size_t end_of(const tz_side *document, size_t at) {
    size_t s = 0;
    while (s < document->sentences && document->opt_end[s] <= at)
        s++;
    return s < document->sentences ? document->opt_end[s] : document->words;
}

static tz_status read_all(tz_document_trees *trees, tz_arena *arena, const tz_side *document,
                          const char *file, size_t line, tz_cover_sentence *ret, size_t *ret_count,
                          tz_error *error) {
    for (size_t at = 0; at < document->words;) {
        place p = {document, file, line, at, end_of(document, at)};
        tz_status status = read_sentence(trees, arena, &p, &ret[*ret_count], error);
        if (status != TZ_OK)
            return status;
        at += (size_t)ret[*ret_count].words;
        *ret_count += ret[*ret_count].words > 0;
    }
    return TZ_OK;
}

/* ---- By a model ------------------------------------------------------------------------------ */

static tz_status make_item(tz_arena *arena, const char *const *word, size_t words,
                           tz_analysed *ret) {
    tz_token *token = tz_arena_array(arena, words, sizeof *token);
    tz_text line = {0};
    for (size_t w = 0; token && w < words; w++) {
        token[w].begin = line.size;
        tz_text_put(&line, word[w]);
        token[w].end = line.size;
    }
    tz_status status = token && !line.failed
                           ? tz_analysed_tokens(arena, line.data, token, words, ret)
                           : TZ_NO_MEMORY;
    tz_text_free(&line);
    for (size_t s = 0; s < STAGES; s++)
        ret->todo |= 1u << stages[s];
    return status;
}

static tz_status parse_all(tz_document_trees *trees, tz_arena *arena, const tz_side *document,
                           const char *file, size_t line, tz_cover_sentence *ret, size_t *ret_count,
                           tz_error *error) {
    size_t sentences = document->sentences > 0 ? document->sentences : 1, at = 0;
    tz_analysed *all = tz_arena_array(arena, sentences, sizeof *all);
    tz_analysed **item = tz_arena_array(arena, sentences, sizeof *item);
    if (!all || !item)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < sentences; s++) {
        size_t end = document->sentences > 0 ? document->opt_end[s] : document->words;
        if (end - at > TZ_MOST_WORDS)
            return tz_bad_input(error, file, line,
                                "a sentence of %zu words, where --parse takes up to %d; write the "
                                "document as a list of sentences",
                                end - at, TZ_MOST_WORDS);
        item[*ret_count] = &all[s];
        tz_status status = make_item(arena, document->word + at, end - at, &all[s]);
        if (status != TZ_OK)
            return status;
        *ret_count += end > at;
        at = end;
    }
    tz_status status = tz_analyse(trees->analyser, item, *ret_count, error);
    for (size_t s = 0; s < *ret_count && status == TZ_OK; s++)
        ret[s] = (tz_cover_sentence){item[s]->sentence.words, item[s]->sentence.head,
                                     item[s]->name[TZ_DEPREL], item[s]->name[TZ_XPOS]};
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

tz_status tz_document_trees_next(tz_document_trees *trees, tz_arena *arena, const tz_side *document,
                                 const char *file, size_t line,
                                 const tz_cover_sentence **ret_sentence, size_t *ret_sentences,
                                 tz_error *error) {
    tz_cover_sentence *sentence =
        tz_arena_array(arena, document->words + document->sentences + 1, sizeof *sentence);
    *ret_sentence = sentence;
    *ret_sentences = 0;
    if (!sentence)
        return TZ_NO_MEMORY;
    return trees->analyser
               ? parse_all(trees, arena, document, file, line, sentence, ret_sentences, error)
               : read_all(trees, arena, document, file, line, sentence, ret_sentences, error);
}

tz_status tz_document_trees_end(tz_document_trees *trees, tz_error *error) {
    const tz_conllu_sentence *sentence;
    if (trees->analyser)
        return TZ_OK;
    tz_status status;
    do
        status = tz_conllu_next(trees->treebank.conllu, &sentence, error);
    while (status == TZ_OK && sentence->words == 0);
    if (status != TZ_OK)
        return status == TZ_NONE ? TZ_OK : status;
    return tz_bad_input(error, tz_conllu_file(trees->treebank.conllu), sentence->word[1]->line,
                        "a sentence behind those of the last document; %s", order);
}
