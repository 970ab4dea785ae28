/* corpus.c - see corpus.h. SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "sentences/features/sentence/kept.h"
#include "sentences/features/tables/hash.h"

/* ---- Sentences by hand ----------------------------------------------------------------------- */

/* Of positions 0..words. */
static int32_t *numbers(tz_arena *arena, int32_t words) {
    int32_t *array = tz_arena_array(arena, (size_t)words + 1, sizeof *array);
    if (array)
        memset(array, -1, ((size_t)words + 1) * sizeof *array);
    return array;
}

tz_status tz_sentence_new(tz_arena *arena, int32_t words, tz_sentence *ret_sentence) {
    size_t padded = (size_t)words + 2 + (size_t)2 * TZ_PADDING;
    tz_word *word = tz_arena_array(arena, padded, sizeof *word);
    tz_sentence s = {
        .words = words,
        .word = word ? word + TZ_PADDING : NULL,
        .form = tz_arena_array(arena, (size_t)words + 1, sizeof(char *)),
        .head = numbers(arena, words),
        .tag = numbers(arena, words),
        .fine = numbers(arena, words),
        .label = numbers(arena, words),
        .same_fine = numbers(arena, words),
        .same_coarse = numbers(arena, words),
    };
    if (!s.word || !s.form || !s.head || !s.tag || !s.fine || !s.label || !s.same_fine ||
        !s.same_coarse)
        return TZ_NO_MEMORY;
    for (int32_t p = 0; p <= TZ_PADDING; p++) {
        s.word[-p] = tz_word_outside(-p);
        s.word[words + 1 + p] = tz_word_outside(1 + p);
    }
    *ret_sentence = s;
    return TZ_OK;
}

tz_status tz_sentence_form(tz_arena *arena, tz_sentence *sentence, int32_t w, const char *form) {
    sentence->form[w] = tz_arena_text(arena, form, strlen(form));
    tz_word_read(form, &sentence->word[w]);
    return sentence->form[w] ? TZ_OK : TZ_NO_MEMORY;
}

void tz_sentence_column(tz_sentence *sentence, int32_t w, int column, const char *name) {
    tz_word *word = &sentence->word[w];
    uint64_t hash = tz_hash_text(name, strlen(name));
    if (column == TZ_UPOS)
        word->upos = hash;
    else if (column == TZ_DEPREL)
        word->deprel = hash;
    else
        word->xpos = strcmp(name, "_") == 0 ? word->upos : hash;
}

void tz_sentence_tagged(tz_sentence *sentence) {
    const tz_word *word = sentence->word;
    for (int32_t w = 1; w <= sentence->words; w++) {
        int32_t fine = w - 1, coarse = w - 1;
        while (fine > 0 && word[fine].xpos != word[w].xpos)
            fine--;
        while (coarse > 0 && word[coarse].upos != word[w].upos)
            coarse--;
        sentence->same_fine[w] = fine > 0 ? fine : -1;
        sentence->same_coarse[w] = coarse > 0 ? coarse : -1;
    }
}

/* ---- From files ------------------------------------------------------------------------------ */

/* Copies the rows with their text. */
static bool keep_rows(tz_arena *arena, const tz_conllu_sentence *from, tz_sentence *to) {
    tz_conllu_row *row = tz_arena_array(arena, from->rows, sizeof *row);
    for (size_t r = 0; row && r < from->rows; r++) {
        row[r] = from->row[r];
        for (size_t c = 0; c < TZ_COLUMNS; c++) {
            const char *text = from->row[r].column[c];
            row[r].column[c] = tz_arena_text(arena, text, strlen(text));
            if (!row[r].column[c])
                return false;
        }
    }
    to->row = row;
    to->rows = from->rows;
    return row != NULL;
}

static tz_status check_needs(const char *file, const tz_conllu_row *row, unsigned need,
                             tz_error *opt_error) {
    static const struct {
        int column;
        const char *name;
    } check[] = {{TZ_UPOS, "tag (UPOS)"},
                 {TZ_XPOS, "fine tag (XPOS)"},
                 {TZ_HEAD, "head (HEAD)"},
                 {TZ_DEPREL, "label (DEPREL)"}};
    for (size_t c = 0; c < sizeof check / sizeof *check; c++) {
        int column = check[c].column;
        if (need >> column & 1 && strcmp(row->column[column], "_") == 0) {
            return tz_bad_input(opt_error, file, row->line, "word %d has no %s", (int)row->first,
                                check[c].name);
        }
    }
    return TZ_OK;
}

/* "NOUN NN"; NULL: no memory. */
static const char *both_tags(tz_arena *arena, const tz_conllu_row *row) {
    const char *upos = row->column[TZ_UPOS], *xpos = row->column[TZ_XPOS];
    size_t size = strlen(upos) + 1 + strlen(xpos) + 1;
    char *both = tz_arena_array(arena, size, 1);
    if (both)
        snprintf(both, size, "%s %s", upos, xpos);
    return both;
}

static tz_status read_word(tz_arena *arena, const tz_conllu_row *row,
                           const tz_corpus_options *options, tz_sentence *to) {
    const struct {
        int column;
        int32_t *number;
    } named[] = {{TZ_UPOS, to->tag}, {TZ_XPOS, to->fine}, {TZ_DEPREL, to->label}};
    int32_t w = row->first;
    tz_status status = tz_sentence_form(arena, to, w, row->column[TZ_FORM]);
    to->head[w] = row->head;
    for (size_t c = 0; c < sizeof named / sizeof *named && status == TZ_OK; c++) {
        const char *name = row->column[named[c].column];
        tz_labels *labels = options->labels[named[c].column];
        tz_sentence_column(to, w, named[c].column, name);
        if (labels && options->both && named[c].column == TZ_UPOS) {
            name = both_tags(arena, row);
            if (!name)
                return TZ_NO_MEMORY;
        }
        if (labels && options->grow)
            status = tz_labels_add(labels, name, &named[c].number[w]);
        else if (labels)
            named[c].number[w] = tz_labels_find(labels, name);
    }
    return status;
}

static tz_status read_sentence(tz_arena *arena, const char *file, const tz_conllu_sentence *from,
                               const tz_corpus_options *options, tz_sentence *to,
                               tz_error *opt_error) {
    tz_status status = tz_sentence_new(arena, from->words, to);
    for (int32_t w = 1; w <= from->words && status == TZ_OK; w++) {
        status = check_needs(file, from->word[w], options->need, opt_error);
        if (status == TZ_OK)
            status = read_word(arena, from->word[w], options, to);
    }
    if (status == TZ_OK) {
        to->line = from->rows > 0 ? from->row[0].line : 0;
        tz_sentence_tagged(to);
        status = tz_kept_read(arena, file, from, to, opt_error);
    }
    if (status == TZ_OK && options->need >> TZ_MISC & 1 && !to->compression) {
        status = tz_bad_input(opt_error, file, from->rows > 0 ? from->row[0].line : 0,
                              "no word of the sentence is kept: MISC of kept words says "
                              "Kept=HEAD, as `trapeze pairs` writes it");
    }
    if (status == TZ_OK)
        status = options->keep_rows && !keep_rows(arena, from, to) ? TZ_NO_MEMORY : TZ_OK;
    return status;
}

tz_status tz_corpus_read(tz_conllu *conllu, const tz_corpus_options *options, tz_corpus *ret_corpus,
                         tz_error *opt_error) {
    tz_corpus corpus = {.arena = tz_arena_new()};
    size_t capacity = 0;
    tz_status status = corpus.arena ? TZ_OK : TZ_NO_MEMORY;
    while (status == TZ_OK && (options->limit == 0 || corpus.count < options->limit) &&
           (options->words == 0 || corpus.words < options->words)) {
        const tz_conllu_sentence *from;
        status = tz_conllu_next(conllu, &from, opt_error);
        if (status != TZ_OK)
            break;
        bool grown = TZ_GROW(corpus.sentence, &capacity, corpus.count + 1);
        status = grown ? read_sentence(corpus.arena, tz_conllu_file(conllu), from, options,
                                       &corpus.sentence[corpus.count], opt_error)
                       : TZ_NO_MEMORY;
        if (status == TZ_OK)
            corpus.words += (size_t)corpus.sentence[corpus.count++].words;
    }
    if (status != TZ_OK && status != TZ_NONE) {
        if (status == TZ_NO_MEMORY)
            tz_out_of_memory(opt_error, tz_conllu_file(conllu), 0);
        tz_corpus_free(&corpus);
        *ret_corpus = (tz_corpus){0};
        return status;
    }
    *ret_corpus = corpus;
    return TZ_OK;
}

void tz_corpus_free(tz_corpus *corpus) {
    free(corpus->sentence);
    tz_arena_free(corpus->arena);
    *corpus = (tz_corpus){0};
}
