/* train_splitter.c - see train_splitter.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_splitter.h"

#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/learn/split.h"

enum { PARAGRAPH = 40 }; /* sentences at most: treebanks of sentences in a row have one paragraph */

/* A paragraph: its text, and where sentences end there. */
typedef struct paragraph {
    tz_text text;
    size_t end[PARAGRAPH], ends;
} paragraph;

typedef struct reading {
    tz_line_splitter *splitter;
    tz_labels *labels;
    tz_corpus corpus;
    size_t capacity, paragraphs; /* paragraphs: those of other ranks too */
    bool share;
} reading;

/* The tokens of the sentence, with white space where the file has it. */
static void add_sentence(paragraph *p, const tz_conllu_sentence *s) {
    int32_t covered = 0;
    bool space = false;
    for (size_t r = 0; r < s->rows; r++) {
        const tz_conllu_row *row = &s->row[r];
        bool multi = row->kind == TZ_MULTIWORD;
        if (!multi && (row->kind != TZ_WORD || row->first <= covered))
            continue;
        tz_text_put(&p->text, space ? " " : "");
        tz_text_put(&p->text, row->column[TZ_FORM]);
        covered = multi ? row->last : covered;
        space = row->space_after;
    }
    p->end[p->ends++] = p->text.size;
    tz_text_put(&p->text, space ? " " : "");
}

static tz_status finish(reading *r, paragraph *p) {
    bool own = p->ends > 0 && (!r->share || r->paragraphs % tz_ranks() == tz_rank());
    r->paragraphs += p->ends > 0;
    const tz_token *token;
    tz_status status = p->text.failed ? TZ_NO_MEMORY : TZ_OK;
    if (own && status == TZ_OK) {
        bool grown = TZ_GROW(r->corpus.sentence, &r->capacity, r->corpus.count + 1);
        tz_sentence *to = grown ? &r->corpus.sentence[r->corpus.count] : NULL;
        status = grown ? tz_line_words(r->splitter, r->corpus.arena, p->text.data, p->text.size, to,
                                       &token)
                       : TZ_NO_MEMORY;
        if (status == TZ_OK && to->words > 0) {
            for (size_t t = 0, e = 0; t < (size_t)to->words; t++) {
                while (e < p->ends && p->end[e] < token[t].end)
                    e++;
                bool end = e < p->ends && p->end[e] == token[t].end;
                to->fine[t + 1] = end ? TZ_SPLIT_END : TZ_SPLIT_IN;
            }
            r->corpus.words += (size_t)to->words;
            r->corpus.count++;
        }
    }
    tz_text_clear(&p->text);
    p->ends = 0;
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
    paragraph p = {.ends = 0};
    const tz_conllu_sentence *s;
    tz_status status = TZ_OK;
    for (int l = 0; l < TZ_SPLIT_LABELS && status == TZ_OK; l++) {
        int32_t number;
        status = tz_labels_add(r->labels, tz_split_label[l], &number);
    }
    while (status == TZ_OK && (status = tz_conllu_next(conllu, &s, error)) == TZ_OK) {
        if (p.ends == PARAGRAPH || begins_paragraph(s))
            status = finish(r, &p);
        if (status == TZ_OK && s->words > 0)
            add_sentence(&p, s);
    }
    status = status == TZ_NONE ? finish(r, &p) : status;
    tz_text_free(&p.text);
    return status;
}

int tz_paragraphs_read(const char *command, const char *name, bool share, tz_labels *labels,
                       tz_corpus *ret_corpus) {
    tz_treebank treebank;
    tz_error error = {TZ_OK, ""};
    reading r = {.labels = labels, .share = share, .corpus = {.arena = tz_arena_new()}};
    *ret_corpus = (tz_corpus){0};
    int exit = tz_treebank_open(command, name, &treebank);
    if (exit != 0) {
        tz_corpus_free(&r.corpus);
        return exit;
    }
    tz_status status =
        r.corpus.arena ? tz_line_splitter_new(NULL, &r.splitter, &error) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = read_all(&r, treebank.conllu, &error);
    if (status != TZ_OK) {
        exit = tz_failed(command, status, &error);
    } else if (r.paragraphs == 0) {
        tz_message(command, "%s: there is no sentence", tz_lines_name(treebank.text.lines));
        exit = TZ_EXIT_INPUT;
    }
    tz_line_splitter_free(r.splitter);
    tz_treebank_close(&treebank);
    if (exit == 0)
        *ret_corpus = r.corpus;
    else
        tz_corpus_free(&r.corpus);
    return exit;
}
