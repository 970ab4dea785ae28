/* deletion_pairs.c - see deletion_pairs.h. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fmemopen */
#include "sentences/cli/deletion_pairs.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "sentences/eval/record.h"
#include "sentences/learn/analyse.h"
#include "sentences/trees/brackets.h"
#include "sentences/trees/dependencies.h"

enum { PLACE = 512 };

int tz_deletion_pairs_open(const char *command, const char *file, tz_tree_source levels, long words,
                           tz_deletion_pairs *ret) {
    char *line;
    size_t size;
    tz_error error = {TZ_OK, ""};
    *ret = (tz_deletion_pairs){.levels = levels, .words = words};
    int exit = tz_treebank_open(command, file, &ret->treebank);
    if (exit != 0)
        return exit;
    tz_lines_limit(ret->treebank.text.lines, TZ_BRACKETS_LINE, "");
    tz_status status;
    do
        status = tz_lines_next(ret->treebank.text.lines, &line, &size, &error);
    while (status == TZ_OK && strspn(line, " \t") == size);
    if (status == TZ_OK) {
        ret->json = line[strspn(line, " \t")] == '{';
        tz_lines_back(ret->treebank.text.lines);
    }
    if (status == TZ_OK || status == TZ_NONE)
        return 0;
    tz_deletion_pairs_close(ret);
    return tz_failed(command, status, &error);
}

void tz_deletion_pairs_close(tz_deletion_pairs *pairs) {
    tz_corpus_free(&pairs->corpus);
    tz_treebank_close(&pairs->treebank);
    *pairs = (tz_deletion_pairs){0};
}

tz_tree_source tz_deletion_pairs_source(const tz_deletion_pairs *pairs) {
    return pairs->json ? TZ_TREES_BRACKETS : pairs->levels;
}

/* ---- CoNLL-U --------------------------------------------------------------------------------- */

/* TZ_NONE with *ret_more: this one is left out. */
static tz_status next_conllu(tz_deletion_pairs *from, tz_arena *arena, tz_deletion_pair *pair,
                             bool *ret_more, tz_error *error) {
    tz_corpus_options reading = {
        .keep_rows = true, .limit = 1, .need = 1u << TZ_HEAD | 1u << TZ_DEPREL};
    tz_corpus_free(&from->corpus);
    tz_status status = tz_corpus_read(from->treebank.conllu, &reading, &from->corpus, error);
    if (status != TZ_OK)
        return status;
    *ret_more = from->corpus.count > 0;
    if (!*ret_more)
        return TZ_NONE;
    const tz_sentence *sentence = from->corpus.sentence;
    size_t words = (size_t)sentence->words;
    from->longer += sentence->words > from->words;
    from->empty += sentence->words <= from->words && !sentence->compression;
    if (sentence->words > from->words || !sentence->compression)
        return TZ_NONE;
    tz_analysed analysed;
    status = tz_analysed_conllu(from->corpus.arena, sentence, &analysed);
    pair->line = sentence->line;
    pair->keep = tz_arena_array(arena, words, sizeof *pair->keep);
    if (status != TZ_OK || !pair->keep)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < words; w++)
        pair->keep[w] = sentence->compression[w + 1] >= 0;
    return tz_tree_of_dependencies(from->corpus.arena, tz_conllu_file(from->treebank.conllu),
                                   sentence, (const char **const *)analysed.name,
                                   (tz_levels)from->levels, &pair->tree, error);
}

/* ---- JSON Lines ------------------------------------------------------------------------------ */

static tz_status parse_tree(tz_arena *arena, const char *place, const json_t *value, tz_tree *ret,
                            tz_error *error) {
    char name[PLACE + 8];
    tz_tree second;
    snprintf(name, sizeof name, "%s: tree", place);
    if (!json_is_string(value) || json_string_length(value) == 0)
        return tz_bad_input(error, place, 0, "there is no \"tree\": the sentence in brackets");
    FILE *file = fmemopen((void *)json_string_value(value), json_string_length(value), "r");
    tz_lines *lines = file ? tz_lines_new(file, name, TZ_BRACKETS_LINE) : NULL;
    tz_brackets *brackets = lines ? tz_brackets_new(lines) : NULL;
    tz_status status = brackets ? tz_brackets_next(brackets, arena, ret, error) : TZ_NO_MEMORY;
    if (status == TZ_NONE || (status == TZ_OK && ret->words == 0))
        status = tz_bad_input(error, name, 0, "there are no words in it");
    if (status == TZ_OK) {
        status = tz_brackets_next(brackets, arena, &second, error);
        status = status == TZ_OK     ? tz_bad_input(error, name, 0, "there are two")
                 : status == TZ_NONE ? TZ_OK
                                     : status;
    }
    tz_brackets_free(brackets);
    tz_lines_free(lines);
    if (file)
        fclose(file);
    return status;
}

/* Are these the words of the tree? */
static tz_status check_words(const char *place, const tz_tree *tree, const char *const *word,
                             size_t words, tz_error *error) {
    for (size_t w = 0; w < words && w < tree->words; w++) {
        if (strcmp(word[w], tree->word[w].form) != 0) {
            return tz_bad_input(error, place, 0, "tokens: word %zu is '%s', in the tree it is '%s'",
                                w + 1, word[w], tree->word[w].form);
        }
    }
    return words == tree->words
               ? TZ_OK
               : tz_bad_input(error, place, 0, "tokens: %zu words, where the tree has %u", words,
                              (unsigned)tree->words);
}

static tz_status read_record(tz_deletion_pairs *from, tz_arena *arena, const char *place,
                             const char *line, size_t size, tz_deletion_pair *pair,
                             tz_error *error) {
    const json_t *record;
    const char *const *word = NULL;
    tz_compression *compression;
    size_t words = 0, compressions, kept = 0;
    tz_status status = tz_record_parse(arena, line, size, &record, error);
    if (status == TZ_OK)
        status = tz_record_words(arena, record, &word, &words, error);
    if (status == TZ_OK)
        status = parse_tree(arena, place, json_object_get(record, "tree"), &pair->tree, error);
    if (status == TZ_OK && word)
        status = check_words(place, &pair->tree, word, words, error);
    if (status != TZ_OK)
        return status;
    const char **form = tz_arena_array(arena, pair->tree.words, sizeof *form);
    if (!form)
        return TZ_NO_MEMORY;
    for (uint32_t w = 0; w < pair->tree.words; w++)
        form[w] = pair->tree.word[w].form;
    status = tz_record_compressions(arena, record, form, pair->tree.words, &compression,
                                    &compressions, error);
    if (status != TZ_OK)
        return status;
    pair->keep = (uint8_t *)compression->keep;
    for (uint32_t w = 0; w < pair->tree.words; w++)
        kept += pair->keep[w];
    bool longer = pair->tree.words > (uint32_t)from->words;
    from->longer += longer;
    from->empty += !longer && kept == 0;
    return longer || kept == 0 ? TZ_NONE : TZ_OK;
}

static tz_status next_json(tz_deletion_pairs *from, tz_arena *arena, tz_deletion_pair *pair,
                           bool *ret_more, tz_error *error) {
    tz_lines *lines = from->treebank.text.lines;
    char *line, place[PLACE];
    size_t size;
    do {
        tz_status status = tz_lines_next(lines, &line, &size, error);
        *ret_more = status == TZ_OK;
        if (status != TZ_OK)
            return status;
    } while (strspn(line, " \t") == size);
    pair->line = tz_lines_number(lines);
    snprintf(place, sizeof place, "%s:%zu", tz_lines_name(lines), pair->line);
    tz_status status = read_record(from, arena, place, line, size, pair, error);
    if (status == TZ_BAD_ARGUMENT) {
        tz_error wrong = *error;
        return tz_bad_input(error, place, 0, "%s", wrong.message);
    }
    return status;
}

/* ---- Either ---------------------------------------------------------------------------------- */

tz_status tz_deletion_pairs_next(tz_deletion_pairs *from, tz_arena *arena, tz_deletion_pair *pair,
                                 tz_error *error) {
    tz_status status;
    bool more;
    do {
        more = false;
        *pair = (tz_deletion_pair){0};
        status = from->json ? next_json(from, arena, pair, &more, error)
                            : next_conllu(from, arena, pair, &more, error);
    } while (status == TZ_NONE && more);
    if (status == TZ_OK)
        status = tz_outward_new(arena, &pair->tree, &pair->outward);
    from->pairs += status == TZ_OK;
    return status;
}
