/* corpus.c - see corpus.h. SPDX-License-Identifier: MIT */
#include "learn/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "learn/hash.h"
#include "rules/arena.h"

static uint64_t tag_hash(const char *upos, const char *xpos) {
    const char *tag = strcmp(xpos, "_") != 0 ? xpos : upos;
    return tz_hash_text(tag, strlen(tag));
}

/* Copies the rows with their text. */
static bool keep_rows(tz_arena *arena, const tz_conllu_sentence *from, tz_sentence *to) {
    tz_conllu_row *row = tz_arena_array(arena, from->rows, sizeof *row);
    for (size_t r = 0; row && r < from->rows; r++) {
        row[r] = from->row[r];
        for (size_t c = 0; c < TZ_COLUMNS; c++) {
            const char *text = from->row[r].column[c];
            row[r].column[c] = tz_arena_text(arena, text, strlen(text));
            if (!row[r].column[c]) {
                return false;
            }
        }
    }
    to->row = row;
    to->rows = from->rows;
    return row != NULL;
}

/* Marks where a tag came last. */
static bool link_tags(tz_arena *arena, tz_sentence *sentence) {
    size_t positions = (size_t)sentence->words + 1;
    int32_t *fine = tz_arena_array(arena, positions, sizeof *fine);
    int32_t *coarse = tz_arena_array(arena, positions, sizeof *coarse);
    if (!fine || !coarse) {
        return false;
    }
    for (int32_t w = 1; w <= sentence->words; w++) {
        fine[w] = coarse[w] = w - 1;
        while (fine[w] > 0 && sentence->word[fine[w]].xpos != sentence->word[w].xpos) {
            fine[w]--;
        }
        while (coarse[w] > 0 && sentence->word[coarse[w]].upos != sentence->word[w].upos) {
            coarse[w]--;
        }
        fine[w] = fine[w] > 0 ? fine[w] : -1;
        coarse[w] = coarse[w] > 0 ? coarse[w] : -1;
    }
    sentence->same_fine = fine;
    sentence->same_coarse = coarse;
    return true;
}

static tz_status read_sentence(tz_arena *arena, const char *file, const tz_conllu_sentence *from,
                               const tz_corpus_options *options, tz_labels *tags, tz_sentence *to,
                               tz_error *opt_error) {
    int32_t n = from->words;
    size_t positions = (size_t)n + 2;
    tz_word *word = tz_arena_array(arena, positions + (size_t)2 * TZ_PADDING, sizeof *word);
    *to = (tz_sentence){.words = n, .line = from->rows > 0 ? from->row[0].line : 0};
    to->head = tz_arena_array(arena, positions, sizeof *to->head);
    to->tag = tz_arena_array(arena, positions, sizeof *to->tag);
    if (!word || !to->head || !to->tag || (options->keep_rows && !keep_rows(arena, from, to))) {
        return TZ_NO_MEMORY;
    }
    word += TZ_PADDING;
    to->word = word;
    for (int32_t p = -TZ_PADDING; p <= n + 1 + TZ_PADDING; p++) {
        if (p < 1 || p > n) {
            word[p] = tz_word_outside(p < 1 ? p : p - n);
            continue;
        }
        const tz_conllu_row *row = from->word[p];
        const char *upos = row->column[TZ_UPOS];
        tz_word_read(row->column[TZ_FORM], &word[p]);
        word[p].upos = tz_hash_text(upos, strlen(upos));
        word[p].xpos = tag_hash(upos, row->column[TZ_XPOS]);
        to->head[p] = row->head;
        to->tag[p] = tz_labels_find(tags, upos);
        if (options->need_tags && strcmp(upos, "_") == 0) {
            return tz_bad_input(opt_error, file, row->line, "word %d has no tag (UPOS)", p);
        }
        if (options->need_heads && row->head < 0) {
            return tz_bad_input(opt_error, file, row->line, "word %d has no head (HEAD)", p);
        }
        if (options->grow_tags && tz_labels_add(tags, upos, &to->tag[p]) != TZ_OK) {
            return TZ_NO_MEMORY;
        }
    }
    return link_tags(arena, to) ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_corpus_read(tz_conllu *conllu, const tz_corpus_options *options, tz_labels *tags,
                         tz_corpus *ret_corpus, tz_error *opt_error) {
    tz_corpus corpus = {.arena = tz_arena_new()};
    size_t capacity = 0;
    tz_status status = corpus.arena ? TZ_OK : TZ_NO_MEMORY;
    while (status == TZ_OK && (options->limit == 0 || corpus.count < options->limit) &&
           (options->words == 0 || corpus.words < options->words)) {
        const tz_conllu_sentence *from;
        status = tz_conllu_next(conllu, &from, opt_error);
        if (status != TZ_OK) {
            break;
        }
        void *list = corpus.sentence;
        bool grown = tz_grow(&list, &capacity, corpus.count + 1, sizeof *corpus.sentence);
        corpus.sentence = list;
        status = grown ? read_sentence(corpus.arena, tz_conllu_file(conllu), from, options, tags,
                                       &corpus.sentence[corpus.count], opt_error)
                       : TZ_NO_MEMORY;
        if (status == TZ_OK) {
            corpus.words += (size_t)corpus.sentence[corpus.count++].words;
        }
    }
    if (status != TZ_OK && status != TZ_NONE) {
        if (status == TZ_NO_MEMORY && opt_error) {
            tz_bad_input(opt_error, tz_conllu_file(conllu), 0, "out of memory");
            opt_error->status = status;
        }
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
