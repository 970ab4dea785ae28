/* deletion_pairs.c - see deletion_pairs.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/deletion_pairs.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/eval/record.h"
#include "sentences/learn/analyse.h"
#include "sentences/trees/brackets.h"

enum { PLACE = 512 };

int tz_deletion_pairs_open(const char *command, const char *file,
                           const tz_deletion_options *options, tz_deletion_pairs *ret) {
    char *line;
    size_t size;
    tz_error error = {TZ_OK, ""};
    *ret = (tz_deletion_pairs){.options = *options};
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

void tz_deletion_pairs_share(tz_deletion_pairs *pairs, bool whole) {
    if (tz_ranks() == 1)
        return;
    tz_lines_rewind(pairs->treebank.text.lines);
    tz_lines_share(pairs->treebank.text.lines, &(tz_lines_cut){.share = tz_rank(),
                                                               .shares = tz_ranks(),
                                                               .block = whole ? SIZE_MAX : 1,
                                                               .paragraphs = !pairs->json});
}

void tz_deletion_pairs_close(tz_deletion_pairs *pairs) {
    tz_corpus_free(&pairs->corpus);
    tz_treebank_close(&pairs->treebank);
    *pairs = (tz_deletion_pairs){0};
}

tz_tree_source tz_deletion_pairs_source(const tz_deletion_pairs *pairs) {
    return pairs->json ? TZ_TREES_BRACKETS : tz_tree_source_of(pairs->options.levels);
}

/* ---- CoNLL-U --------------------------------------------------------------------------------- */

static tz_status make_tree(tz_deletion_pairs *from, const tz_sentence *sentence,
                           const char **const name[TZ_COLUMNS], tz_tree *ret, tz_error *error) {
    return tz_tree_of_dependencies(from->corpus.arena, tz_conllu_file(from->treebank.conllu),
                                   sentence, name, from->options.levels, ret, error);
}

/* The kept words as a sentence: with its own heads, and the tags and relations that they have in
 * the whole one. */
static tz_status compressed_tree(tz_deletion_pairs *from, const tz_sentence *whole,
                                 const tz_analysed *names, tz_tree *ret, tz_error *error) {
    tz_arena *arena = from->corpus.arena;
    const char **name[TZ_COLUMNS] = {NULL};
    static const int columns[] = {TZ_UPOS, TZ_XPOS, TZ_DEPREL};
    size_t positions = (size_t)whole->words + 1;
    int32_t *place = tz_arena_array(arena, positions, sizeof *place), kept = 0;
    tz_sentence sentence = {.line = whole->line,
                            .form = tz_arena_array(arena, positions, sizeof *sentence.form),
                            .head = tz_arena_array(arena, positions, sizeof *sentence.head)};
    bool room = place && sentence.form && sentence.head;
    for (int c = 0; c < 3; c++) {
        name[columns[c]] = tz_arena_array(arena, positions, sizeof *name[c]);
        room = room && name[columns[c]];
    }
    if (!room)
        return TZ_NO_MEMORY;
    for (int32_t w = 1; w <= whole->words; w++)
        if (whole->compression[w] >= 0)
            place[w] = ++kept;
    for (int32_t w = 1; w <= whole->words; w++) {
        if (whole->compression[w] < 0)
            continue;
        sentence.form[place[w]] = whole->form[w];
        sentence.head[place[w]] = place[whole->compression[w]];
        for (int c = 0; c < 3; c++)
            name[columns[c]][place[w]] = names->name[columns[c]][w];
        if (whole->compression[w] == 0)
            name[TZ_DEPREL][place[w]] = "root";
    }
    sentence.words = kept;
    return make_tree(from, &sentence, name, ret, error);
}

/* TZ_NONE with *ret_more: this one is left out. */
static tz_status next_conllu(tz_deletion_pairs *from, tz_arena *arena, tz_deletion_pair *pair,
                             tz_tree *ret_target, bool *ret_more, tz_error *error) {
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
    bool longer = sentence->words > from->options.words, empty = !sentence->compression;
    from->longer += longer;
    from->empty += !longer && empty;
    if (longer || empty)
        return TZ_NONE;
    tz_analysed analysed;
    pair->keep = tz_arena_array(arena, (size_t)sentence->words, sizeof *pair->keep);
    status =
        pair->keep ? tz_analysed_conllu(from->corpus.arena, sentence, &analysed) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    for (int32_t w = 1; w <= sentence->words; w++)
        pair->keep[w - 1] = sentence->compression[w] >= 0;
    status = make_tree(from, sentence, (const char **const *)analysed.name, &pair->tree, error);
    return status == TZ_OK && from->options.extraction == TZ_EXTRACT_ALIGNED
               ? compressed_tree(from, sentence, &analysed, ret_target, error)
               : status;
}

/* ---- JSON Lines ------------------------------------------------------------------------------ */

static tz_status parse_tree(tz_arena *arena, const char *place, const json_t *record,
                            const char *key, tz_tree *ret, tz_error *error) {
    char name[PLACE + 32];
    tz_tree second;
    const json_t *value = json_object_get(record, key);
    snprintf(name, sizeof name, "%s: %s", place, key);
    if (!json_is_string(value) || json_string_length(value) == 0)
        return tz_bad_input(error, place, 0, "there is no \"%s\" in brackets", key);
    FILE *file = fmemopen((void *)json_string_value(value), json_string_length(value), "r");
    tz_lines *lines = file ? tz_lines_new(file, name, TZ_BRACKETS_LINE) : NULL;
    tz_brackets *brackets = lines ? tz_brackets_new(lines, false) : NULL;
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

static const char **words_of(tz_arena *arena, const tz_tree *tree) {
    const char **form = tz_arena_array(arena, tree->words, sizeof *form);
    for (uint32_t w = 0; w < tree->words && form; w++)
        form[w] = tree->word[w].form;
    return form;
}

/* Which words of the tree have become those of the other. TZ_NONE: too few have. */
static tz_status keep_words_of(tz_deletion_pairs *from, tz_arena *arena, const tz_tree *target,
                               tz_deletion_pair *pair) {
    const char **source_word = words_of(arena, &pair->tree), **word = words_of(arena, target);
    uint32_t *source = tz_arena_array(arena, target->words, sizeof *source), count;
    pair->keep = tz_arena_array(arena, pair->tree.words, sizeof *pair->keep);
    if (!source_word || !word || !source || !pair->keep)
        return TZ_NO_MEMORY;
    tz_status status =
        tz_fewest_substitutions(source_word, pair->tree.words, word, target->words, source, &count);
    if (status == TZ_OK && count > (uint32_t)from->options.substitutions)
        status = TZ_NONE;
    for (uint32_t w = 0; w < target->words && status == TZ_OK; w++)
        pair->keep[source[w]] = 1;
    from->changed += status == TZ_NONE;
    return status;
}

static tz_status keep_marked(tz_deletion_pairs *from, tz_arena *arena, const json_t *record,
                             tz_deletion_pair *pair, tz_error *error) {
    tz_compression *compression;
    size_t compressions, kept = 0;
    const char **form = words_of(arena, &pair->tree);
    if (!form)
        return TZ_NO_MEMORY;
    tz_status status = tz_record_compressions(arena, record, form, pair->tree.words, &compression,
                                              &compressions, error);
    if (status != TZ_OK)
        return status;
    pair->keep = tz_arena_array(arena, pair->tree.words, sizeof *pair->keep);
    if (!pair->keep)
        return TZ_NO_MEMORY;
    for (uint32_t w = 0; w < pair->tree.words; w++)
        kept += pair->keep[w] = compression->keep[w];
    from->empty += kept == 0;
    return kept == 0 ? TZ_NONE : TZ_OK;
}

/* TZ_NONE: left out. */
static tz_status read_record(tz_deletion_pairs *from, tz_arena *arena, const char *place,
                             const json_t *record, tz_deletion_pair *pair, tz_tree *ret_target,
                             tz_error *error) {
    const char *const *word = NULL;
    size_t words = 0;
    bool target = from->options.extraction == TZ_EXTRACT_ALIGNED ||
                  json_object_get(record, "compression_tree");
    tz_status status = tz_record_words(arena, record, &word, &words, error);
    if (status == TZ_OK)
        status = parse_tree(arena, place, record, "tree", &pair->tree, error);
    if (status == TZ_OK && word)
        status = check_words(place, &pair->tree, word, words, error);
    if (status == TZ_OK && target)
        status = parse_tree(arena, place, record, "compression_tree", ret_target, error);
    if (status != TZ_OK)
        return status;
    if (pair->tree.words > (uint32_t)from->options.words) {
        from->longer++;
        return TZ_NONE;
    }
    return target ? keep_words_of(from, arena, ret_target, pair)
                  : keep_marked(from, arena, record, pair, error);
}

static tz_status next_json(tz_deletion_pairs *from, tz_arena *arena, tz_deletion_pair *pair,
                           tz_tree *ret_target, bool *ret_more, tz_error *error) {
    tz_lines *lines = from->treebank.text.lines;
    const json_t *record;
    char *line, place[PLACE];
    size_t size;
    do {
        tz_status status = tz_lines_next(lines, &line, &size, error);
        *ret_more = status == TZ_OK;
        if (status != TZ_OK)
            return status;
    } while (strspn(line, " \t") == size);
    snprintf(place, sizeof place, "%s:%zu", tz_lines_name(lines), tz_lines_number(lines));
    tz_status status = tz_record_parse(arena, line, size, &record, error);
    if (status == TZ_OK)
        status = read_record(from, arena, place, record, pair, ret_target, error);
    if (status == TZ_BAD_ARGUMENT) {
        tz_error wrong = *error;
        return tz_bad_input(error, place, 0, "%s", wrong.message);
    }
    return status;
}

/* ---- Either ---------------------------------------------------------------------------------- */

static tz_status extract(const tz_deletion_pairs *from, tz_arena *arena, const tz_tree *target,
                         tz_deletion_pair *pair) {
    tz_mapping mapping;
    switch (from->options.extraction) {
    case TZ_EXTRACT_KEPT:
        return tz_extract_kept(arena, &pair->tree, pair->keep, &pair->extracted);
    case TZ_EXTRACT_ALIGNED: {
        tz_status status = tz_tree_map(arena, &pair->tree, target, &mapping);
        return status == TZ_OK
                   ? tz_extract_aligned(arena, &pair->tree, target, &mapping, &pair->extracted)
                   : status;
    }
    default:
        return TZ_OK;
    }
}

tz_status tz_deletion_pairs_next(tz_deletion_pairs *from, tz_arena *arena, tz_deletion_pair *pair,
                                 tz_error *error) {
    tz_status status;
    tz_tree target;
    bool more;
    do {
        more = false;
        *pair = (tz_deletion_pair){0};
        status = from->json ? next_json(from, arena, pair, &target, &more, error)
                            : next_conllu(from, arena, pair, &target, &more, error);
    } while (status == TZ_NONE && more);
    if (status == TZ_OK)
        status = tz_outward_new(arena, &pair->tree, &pair->outward);
    if (status == TZ_OK)
        status = extract(from, arena, &target, pair);
    from->pairs += status == TZ_OK;
    return status;
}

tz_corpus tz_deletion_pairs_take(tz_deletion_pairs *from) {
    tz_corpus taken = from->corpus;
    from->corpus = (tz_corpus){0};
    return taken;
}
