/* eval_words.c - `trapeze eval words`: CoNLL-U files of the same text, each cut into sentences and
 * words by itself.
 *
 * Figures are F1, 2 right / (of GOLD + of PREDICTED), after Zeman et al. 2018 (CoNLL 2018 shared
 * task). A word of both files has the same characters of the text; one of several that a token
 * stands for (im: in dem) the same token, place in it and form, case aside. They are counted over
 * *stretches* of text, the shortest at whose ends both files end a sentence.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "sentences/cli/eval/eval.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/text/tokens.h"

static const char command[] = "trapeze eval words";

enum { SENTENCES, TOKENS, WORDS, UPOS, XPOS, UAS, LAS, FIGURES };

static const tz_figure figures[FIGURES] = {
    [SENTENCES] = {"sentences.f1", "sentences: F1", NULL},
    [TOKENS] = {"tokens.f1", "tokens: F1", NULL},
    [WORDS] = {"words.f1", "words: F1", NULL},
    [UPOS] = {"upos.f1", "UPOS: F1", NULL},
    [XPOS] = {"xpos.f1", "XPOS: F1", NULL},
    [UAS] = {"uas.f1", "UAS: F1", NULL},
    [LAS] = {"las.f1", "LAS: F1", NULL},
};

enum { UNKNOWN = -2, ROOT = -1 };

typedef struct word {
    tz_token at;
    int32_t part; /* of several that a token stands for: which one, from 1; 0: it is its token's */
    int32_t head; /* one of the stretch, or ROOT, UNKNOWN */
    uint64_t lower;
    const char *column[TZ_COLUMNS]; /* UPOS, XPOS, DEPREL */
} word;

/* Bytes of the text without blanks. */
typedef struct spans {
    tz_token *at;
    size_t count, capacity;
} spans;

/* A file, and its part of the stretch. */
typedef struct side {
    tz_treebank treebank;
    tz_arena *arena;
    tz_text text;
    spans sentence, token;
    word *word;
    size_t words, capacity, line;
} side;

/* ---- Reading --------------------------------------------------------------------------------- */

static bool add_span(spans *list, size_t begin, size_t end) {
    bool grown = TZ_GROW(list->at, &list->capacity, list->count + 1);
    if (grown)
        list->at[list->count++] = (tz_token){begin, end};
    return grown;
}

static void add_form(tz_text *text, const char *form) {
    static const char *const blank[] = {" ", "\u00a0", "\u3000"};
    while (*form) {
        size_t skip = 0;
        for (size_t b = 0; b < sizeof blank / sizeof *blank; b++)
            skip = strncmp(form, blank[b], strlen(blank[b])) == 0 ? strlen(blank[b]) : skip;
        tz_text_add(text, form, skip > 0 ? 0 : 1);
        form += skip > 0 ? skip : 1;
    }
}

static bool add_word(side *s, const tz_conllu_row *row, int32_t part, tz_token at, size_t base) {
    static const int kept[] = {TZ_UPOS, TZ_XPOS, TZ_DEPREL};
    if (!TZ_GROW(s->word, &s->capacity, s->words + 1))
        return false;
    word *w = &s->word[s->words++];
    tz_word seen;
    tz_word_read(row->column[TZ_FORM], &seen);
    *w = (word){.at = at,
                .part = part,
                .lower = seen.lower,
                .head = row->head > 0    ? (int32_t)base + row->head - 1
                        : row->head == 0 ? ROOT
                                         : UNKNOWN};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        const char *text = row->column[kept[k]];
        w->column[kept[k]] = tz_arena_text(s->arena, text, strlen(text));
        if (!w->column[kept[k]])
            return false;
    }
    return true;
}

static bool add_sentence(side *s, const tz_conllu_sentence *from) {
    const tz_conllu_row *token = NULL; /* the last one of several words */
    const size_t begin = s->text.size, base = s->words;
    size_t token_begin = 0;
    bool good = true;
    for (size_t r = 0; r < from->rows && good; r++) {
        const tz_conllu_row *row = &from->row[r];
        if (row->kind == TZ_MULTIWORD) {
            token = row;
            token_begin = s->text.size;
            if (!tz_conllu_spelt(row))
                add_form(&s->text, row->column[TZ_FORM]);
        }
        if (row->kind != TZ_WORD)
            continue;
        bool within = token && row->first <= token->last, whole = within && !tz_conllu_spelt(token);
        const size_t at = whole ? token_begin : s->text.size;
        if (!whole)
            add_form(&s->text, row->column[TZ_FORM]);
        good = add_word(s, row, whole ? row->first - token->first + 1 : 0,
                        (tz_token){at, s->text.size}, base);
        if (good && (!within || row->first == token->last))
            good = add_span(&s->token, within ? token_begin : at, s->text.size);
    }
    s->line = from->row[0].line;
    return good && !s->text.failed && add_span(&s->sentence, begin, s->text.size);
}

/* The next sentence. TZ_NONE: there is none. */
static tz_status read_sentence(side *s, tz_error *error) {
    const tz_conllu_sentence *from;
    tz_status status = tz_conllu_next(s->treebank.conllu, &from, error);
    return status != TZ_OK || add_sentence(s, from) ? status : TZ_NO_MEMORY;
}

static bool begin_stretch(side *s) {
    tz_arena_free(s->arena);
    s->arena = tz_arena_new();
    tz_text_clear(&s->text);
    s->words = s->token.count = s->sentence.count = 0;
    return s->arena != NULL;
}

/* Both files up to where both end a sentence. TZ_NONE: they have ended. */
static tz_status read_stretch(side *side, tz_error *error) {
    tz_status status = TZ_OK;
    if (!begin_stretch(&side[0]) || !begin_stretch(&side[1]))
        return TZ_NO_MEMORY;
    do {
        bool first = side[0].text.size <= side[1].text.size;
        status = read_sentence(&side[!first], error);
        if (status == TZ_NONE && side[0].text.size == 0 && side[1].text.size == 0)
            return read_sentence(&side[first], error) == TZ_NONE ? TZ_NONE : TZ_IO;
    } while (status == TZ_OK && side[0].text.size != side[1].text.size);
    return status == TZ_NONE ? TZ_IO : status;
}

/* ---- Figures --------------------------------------------------------------------------------- */

static void count(tz_ratio *ratio, size_t right, size_t gold, size_t guess) {
    *ratio = (tz_ratio){2 * (double)right, (double)(gold + guess)};
}

static int compare_spans(const tz_token *a, const tz_token *b) {
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1)
                                : (a->end > b->end) - (a->end < b->end);
}

static void count_spans(tz_ratio *ratio, const spans *a, const spans *b) {
    size_t right = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        int order = compare_spans(&a->at[i], &b->at[j]);
        right += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    count(ratio, right, a->count, b->count);
}

/* The word of PREDICTED that each of GOLD is, or UNKNOWN. */
static void pair_words(const side *gold, const side *guess, int32_t *pair) {
    for (size_t i = 0; i < gold->words; i++)
        pair[i] = UNKNOWN;
    for (size_t i = 0, j = 0; i < gold->words && j < guess->words;) {
        const word *a = &gold->word[i], *b = &guess->word[j];
        int order = compare_spans(&a->at, &b->at);
        order = order == 0 ? (a->part > b->part) - (a->part < b->part) : order;
        if (order == 0 && (a->part == 0 || a->lower == b->lower))
            pair[i] = (int32_t)j;
        i += order <= 0;
        j += order >= 0;
    }
}

static bool any(const side *s, int column) {
    for (size_t w = 0; w < s->words; w++)
        if (column == TZ_HEAD ? s->word[w].head != UNKNOWN
                              : strcmp(s->word[w].column[column], "_") != 0)
            return true;
    return false;
}

static tz_status measure(const side *gold, const side *guess, tz_ratio *ret_ratio) {
    static const int column[FIGURES] = {
        [UPOS] = TZ_UPOS, [XPOS] = TZ_XPOS, [UAS] = TZ_HEAD, [LAS] = TZ_DEPREL};
    int32_t *pair = tz_arena_array(gold->arena, gold->words, sizeof *pair);
    size_t right[FIGURES] = {0};
    if (!pair)
        return TZ_NO_MEMORY;
    pair_words(gold, guess, pair);
    count_spans(&ret_ratio[SENTENCES], &gold->sentence, &guess->sentence);
    count_spans(&ret_ratio[TOKENS], &gold->token, &guess->token);
    for (size_t w = 0; w < gold->words; w++) {
        if (pair[w] == UNKNOWN)
            continue;
        const word *a = &gold->word[w], *b = &guess->word[pair[w]];
        bool attached =
            a->head >= 0 ? pair[a->head] == b->head && b->head != UNKNOWN : a->head == b->head;
        bool same[FIGURES] = {[WORDS] = true, [UAS] = attached};
        for (int f = UPOS; f < FIGURES; f++)
            same[f] |= f != UAS && strcmp(a->column[column[f]], b->column[column[f]]) == 0;
        same[LAS] &= attached;
        for (int f = WORDS; f < FIGURES; f++)
            right[f] += same[f];
    }
    for (int f = WORDS; f < FIGURES; f++)
        if (f == WORDS || (any(gold, column[f]) && any(guess, column[f])))
            count(&ret_ratio[f], right[f], gold->words, guess->words);
    return TZ_OK;
}

static tz_status differ(const side *side, tz_error *error) {
    return tz_bad_input(error, tz_lines_name(side[1].treebank.text.lines), side[1].line,
                        "the text is not that of %s, up to the sentence in its line %zu",
                        tz_lines_name(side[0].treebank.text.lines), side[0].line);
}

static tz_status walk(side *side, tz_ratio **ratio, size_t *stretches, tz_error *error) {
    size_t capacity = 0;
    for (;;) {
        tz_status status = read_stretch(side, error);
        bool same =
            status == TZ_OK && memcmp(side[0].text.data, side[1].text.data, side[0].text.size) == 0;
        if ((status == TZ_OK && !same) || (status == TZ_IO && error->message[0] == '\0'))
            return differ(side, error);
        if (status != TZ_OK)
            return status == TZ_NONE ? TZ_OK : status;
        if (!tz_grow_any(ratio, &capacity, *stretches + 1, FIGURES * sizeof **ratio, true))
            return TZ_NO_MEMORY;
        status = measure(&side[0], &side[1], *ratio + (*stretches)++ * FIGURES);
        if (status != TZ_OK)
            return status;
    }
}

static void close_side(side *s) {
    tz_treebank_close(&s->treebank);
    tz_arena_free(s->arena);
    tz_text_free(&s->text);
    free(s->sentence.at);
    free(s->token.at);
    free(s->word);
}

int tz_cli_eval_words(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "[OPTION]... GOLD PREDICTED",
        .about =
            "Compare CoNLL-U files of the same text, of which PREDICTED may be cut into other\n"
            "sentences and words, as `trapeze parse` finds them: F1 of sentences, tokens and\n"
            "words, and of those with the right tag, head, and head and label (UAS, LAS).\n",
        .notes = "Labels (DEPREL) are compared as they stand, with subtypes.\n\n"
                 "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .most = 2,
        TZ_COMMAND_ROWS(tz_eval_option, argc, argv)};
    tz_eval_settings settings = tz_eval_default;
    const char *file[3];
    if (!tz_take_options(&o, NULL, &settings))
        return o.status;
    side side[2] = {0};
    tz_ratio *ratio = NULL;
    size_t stretches = 0;
    tz_error error = {TZ_OK, ""};
    int exit = tz_eval_files(&o, "PREDICTED", false, NULL, 0, file);
    for (size_t s = 0; s < 2 && exit == 0; s++)
        exit = tz_treebank_open(command, file[s], &side[s].treebank);
    tz_status status = exit == 0 ? walk(side, &ratio, &stretches, &error) : TZ_OK;
    if (status != TZ_OK)
        exit = tz_failed(command, status, &error);
    if (exit == 0) {
        tz_report report = {.figure = figures,
                            .systems = 1,
                            .name = {file[1]},
                            .opt_of = "stretches",
                            .system = {{stretches, FIGURES, ratio}},
                            .resampling = settings.resampling};
        exit = tz_eval_report(command, &report, &settings);
    }
    free(ratio);
    close_side(&side[0]);
    close_side(&side[1]);
    return exit;
}
