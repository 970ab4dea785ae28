/* train_text.c - see train_text.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/learn/find_words.h"
#include "sentences/learn/split.h"

enum {
    PARAGRAPH = 40, /* sentences at most: treebanks of sentences in a row have one paragraph */
    SEVERAL = 3,    /* sentences, for the tokeniser: each second time; else one */
    TOKEN_LABELS = 100
};

/* Something ends behind so many bytes of the text. */
typedef struct end {
    size_t at;
    int32_t label;
} end;

typedef struct reading {
    tz_line_splitter *splitter; /* of paragraphs, */
    tz_word_finder *finder;     /* or of some sentences */
    tz_labels *labels;
    tz_corpus corpus;
    size_t capacity, paragraphs; /* paragraphs: those of other ranks too */
    bool train;
    /* The paragraph, or sentence, that is being read. */
    tz_text text;
    end *end;
    size_t ends, room, sentences;
} reading;

static tz_status add_end(reading *r, int32_t label) {
    bool grown = TZ_GROW(r->end, &r->room, r->ends + 1);
    if (grown)
        r->end[r->ends++] = (end){r->text.size, label};
    return grown ? TZ_OK : TZ_NO_MEMORY;
}

/* A token that stands for other words: its label. */
static tz_status label_of(const reading *r, const tz_conllu_sentence *s, const tz_conllu_row *row,
                          int32_t *ret_label) {
    tz_text name = {0};
    const char *form = row->column[TZ_FORM];
    bool plain = !strchr(form, ' ');
    tz_text_add_lower(&name, form, strlen(form));
    for (int32_t w = row->first; w <= row->last; w++) {
        form = s->word[w]->column[TZ_FORM];
        plain = plain && !strchr(form, ' ');
        tz_text_put(&name, " ");
        tz_text_add_lower(&name, form, strlen(form));
    }
    tz_text_add(&name, "", 1);
    tz_status status = name.failed ? TZ_NO_MEMORY : TZ_OK;
    if (status == TZ_OK)
        *ret_label = tz_labels_find(r->labels, name.data);
    if (status == TZ_OK && *ret_label < 0) {
        bool add = r->train && plain && r->labels->count < TOKEN_LABELS;
        *ret_label = TZ_WORD_END;
        status = add ? tz_labels_add(r->labels, name.data, ret_label) : TZ_OK;
    }
    tz_text_free(&name);
    return status;
}

/* A token and the ends of its words; a blank within it is none of them. */
static tz_status add_token(reading *r, const tz_conllu_sentence *s, const tz_conllu_row *row) {
    int32_t label = TZ_WORD_END;
    tz_status status = TZ_OK;
    if (row->kind == TZ_MULTIWORD && tz_conllu_spelt(row)) {
        for (int32_t w = row->first; w < row->last && status == TZ_OK; w++) {
            tz_text_put(&r->text, s->word[w]->column[TZ_FORM]);
            status = add_end(r, TZ_WORD_PART);
        }
        row = s->word[row->last];
    } else if (row->kind == TZ_MULTIWORD) {
        status = label_of(r, s, row, &label);
    }
    tz_text_put(&r->text, row->column[TZ_FORM]);
    return status == TZ_OK ? add_end(r, label) : status;
}

/* The tokens of the sentence, with white space where the file has it. */
static tz_status add_sentence(reading *r, const tz_conllu_sentence *s) {
    int32_t covered = 0;
    bool space = false;
    tz_status status = TZ_OK;
    for (size_t t = 0; t < s->rows && status == TZ_OK; t++) {
        const tz_conllu_row *row = &s->row[t];
        bool multi = row->kind == TZ_MULTIWORD;
        if (!multi && (row->kind != TZ_WORD || row->first <= covered))
            continue;
        tz_text_put(&r->text, space ? " " : "");
        if (r->finder)
            status = add_token(r, s, row);
        else
            tz_text_put(&r->text, row->column[TZ_FORM]);
        covered = multi ? row->last : covered;
        space = row->space_after;
    }
    if (status == TZ_OK && r->splitter)
        status = add_end(r, TZ_SPLIT_END);
    tz_text_put(&r->text, space ? " " : "");
    r->sentences++;
    return status;
}

/* What was read becomes a sentence of the corpus, whose words or characters have labels. */
static tz_status finish(reading *r) {
    bool own = r->sentences > 0 && (!r->train || r->paragraphs % tz_ranks() == tz_rank());
    r->paragraphs += r->sentences > 0;
    const tz_token *token;
    tz_status status = r->text.failed ? TZ_NO_MEMORY : TZ_OK;
    if (own && status == TZ_OK) {
        bool grown = TZ_GROW(r->corpus.sentence, &r->capacity, r->corpus.count + 1);
        tz_sentence *to = grown ? &r->corpus.sentence[r->corpus.count] : NULL;
        const tz_text *text = &r->text;
        tz_arena *arena = r->corpus.arena;
        status = !grown ? TZ_NO_MEMORY
                 : r->splitter
                     ? tz_line_words(r->splitter, arena, text->data, text->size, to, &token)
                     : tz_text_characters(r->finder, arena, text->data, text->size, to, &token);
        if (status == TZ_OK && to->words > 0) {
            for (size_t t = 0, e = 0; t < (size_t)to->words; t++) {
                while (e < r->ends && r->end[e].at < token[t].end)
                    e++;
                bool ends = e < r->ends && r->end[e].at == token[t].end;
                to->fine[t + 1] = ends ? r->end[e].label : 0;
            }
            r->corpus.words += (size_t)to->words;
            r->corpus.count++;
        }
    }
    tz_text_clear(&r->text);
    r->ends = r->sentences = 0;
    return status;
}

static bool begins_paragraph(const tz_conllu_sentence *s) {
    for (size_t r = 0; r < s->rows; r++)
        if (s->row[r].kind == TZ_COMMENT && (strncmp(s->row[r].column[0], "# newpar", 8) == 0 ||
                                             strncmp(s->row[r].column[0], "# newdoc", 8) == 0))
            return true;
    return false;
}

static tz_status read_all(reading *r, tz_conllu *conllu, tz_error *error) {
    const char *const *label = r->splitter ? tz_split_label : tz_word_label;
    const int labels = r->splitter ? TZ_SPLIT_LABELS : TZ_WORD_LABELS;
    const tz_conllu_sentence *s;
    tz_status status = TZ_OK;
    for (int l = 0; l < labels && status == TZ_OK; l++) {
        int32_t number;
        status = tz_labels_add(r->labels, label[l], &number);
    }
    while (status == TZ_OK && (status = tz_conllu_next(conllu, &s, error)) == TZ_OK) {
        size_t most = r->splitter ? PARAGRAPH : r->paragraphs % 2 ? SEVERAL : 1;
        if (r->sentences >= most || begins_paragraph(s))
            status = finish(r);
        if (status == TZ_OK && s->words > 0)
            status = add_sentence(r, s);
    }
    return status == TZ_NONE ? finish(r) : status;
}

int tz_train_text_read(const char *command, const char *name, const tz_task *task, bool train,
                       const char *opt_words, tz_labels *labels, tz_corpus *ret_corpus) {
    tz_treebank treebank;
    tz_error error = {TZ_OK, ""};
    reading r = {.labels = labels, .train = train, .corpus = {.arena = tz_arena_new()}};
    *ret_corpus = (tz_corpus){0};
    int exit = tz_treebank_open(command, name, &treebank);
    if (exit != 0) {
        tz_corpus_free(&r.corpus);
        return exit;
    }
    tz_model *words = NULL;
    tz_status status = r.corpus.arena ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && opt_words)
        status = tz_model_load(opt_words, &tz_word_tokeniser, &words, &error);
    if (status == TZ_OK)
        status = task == &tz_sentence_splitter
                     ? tz_line_splitter_new(NULL, words, &r.splitter, &error)
                     : tz_word_finder_new(NULL, &r.finder, &error);
    if (status == TZ_OK)
        status = read_all(&r, treebank.conllu, &error);
    if (status != TZ_OK) {
        exit = tz_failed(command, status, &error);
    } else if (r.paragraphs == 0) {
        tz_message(command, "%s: there is no sentence", tz_lines_name(treebank.text.lines));
        exit = TZ_EXIT_INPUT;
    }
    tz_text_free(&r.text);
    free(r.end);
    tz_line_splitter_free(r.splitter);
    tz_word_finder_free(r.finder);
    tz_model_free(words);
    tz_treebank_close(&treebank);
    if (exit == 0)
        *ret_corpus = r.corpus;
    else
        tz_corpus_free(&r.corpus);
    return exit;
}
