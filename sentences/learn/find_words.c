/* find_words.c - see find_words.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/find_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/utf8.h"
#include "sentences/features/tables/hash.h"
#include "sentences/learn/decode.h"
#include "sentences/text/segment.h"

const char *const tz_word_label[] = {"in", "part", "end"};

typedef enum capitals { NONE, FIRST, ALL } capitals;

typedef struct found {
    tz_token at;
    bool within;      /* its token begins with a word before it */
    const char *form; /* form[0..size-1], of the model; NULL: what stands there */
    size_t size;
    capitals capitals; /* that it gets */
} found;

struct tz_word_finder {
    tz_tokeniser *rules;
    const tz_model *model; /* NULL: none, then neither is a decoder */
    tz_decoder *decoder;
    found *word; /* what was found last */
    size_t words, capacity;
    tz_token *token; /* of tz_find_tokens */
    size_t room;
    tz_text lower; /* of a token */
};

tz_status tz_word_finder_new(const tz_model *opt_model, tz_word_finder **ret_finder,
                             tz_error *opt_error) {
    *ret_finder = NULL;
    tz_word_finder *f = calloc(1, sizeof *f);
    if (!f)
        return TZ_NO_MEMORY;
    f->model = opt_model;
    tz_status status = tz_tokeniser_new(&f->rules, opt_error);
    if (status == TZ_OK && opt_model)
        status = tz_decoder_new(opt_model, 1, &f->decoder, opt_error);
    if (status != TZ_OK) {
        tz_word_finder_free(f);
        return status;
    }
    *ret_finder = f;
    return TZ_OK;
}

void tz_word_finder_free(tz_word_finder *finder) {
    if (finder) {
        tz_tokeniser_free(finder->rules);
        tz_decoder_free(finder->decoder);
        tz_text_free(&finder->lower);
        free(finder->word);
        free(finder->token);
        free(finder);
    }
}

/* ---- Characters ------------------------------------------------------------------------------ */

static uint32_t decode(const char *text, size_t size, unsigned *ret_used) {
    uint32_t code = (unsigned char)*text;
    unsigned used = tz_utf8_decode(text, size, &code);
    *ret_used = used > 0 ? used : 1;
    return code;
}

/* Letters and digits: 2; white space: 1; else 0. */
static int kind_of(const char *text, const tz_token *at, bool blank) {
    unsigned used;
    return blank ? 1 : tz_code_word(decode(text + at->begin, at->end - at->begin, &used)) ? 2 : 0;
}

/* What the hashes of a character's surroundings become: of `to`, that of its neighbour and its own.
 */
static void see_left(tz_word *w, bool run, bool piece) {
    w->suffix[0] = tz_hash(run ? w[-1].suffix[0] : 0, w->lower);
    w->suffix[1] = tz_hash(w[-1].lower, w->lower);
    for (size_t a = 2; a < TZ_AFFIX; a++)
        w->suffix[a] = tz_hash(w[-1].suffix[a - 1], w->lower);
    w->xpos = tz_hash(piece ? w[-1].xpos : 0, w->lower);
}

static void see_right(tz_word *w, bool run, bool piece) {
    w->prefix[0] = tz_hash(run ? w[1].prefix[0] : 0, w->lower);
    w->prefix[1] = tz_hash(w[1].lower, w->lower);
    for (size_t a = 2; a < TZ_AFFIX; a++)
        w->prefix[a] = tz_hash(w[1].prefix[a - 1], w->lower);
    w->deprel = tz_hash(piece ? w[1].deprel : 0, w->lower);
}

static tz_status read_characters(tz_arena *arena, const char *text, const tz_token *word,
                                 size_t words, const tz_token *at, tz_sentence *to) {
    enum { GOES_ON = 1, ENDS, BLANK };
    const int32_t count = to->words;
    uint8_t *kind = tz_arena_array(arena, (size_t)count + 2, 1);
    tz_status status = kind ? TZ_OK : TZ_NO_MEMORY;
    for (int32_t c = 1, w = 0; c <= count && status == TZ_OK; c++) {
        const tz_token *here = &at[c - 1];
        while ((size_t)w < words && word[w].end < here->end)
            w++;
        bool blank = (size_t)w == words || word[w].begin >= here->end;
        kind[c] = (uint8_t)kind_of(text, here, blank);
        const char *form =
            blank ? " " : tz_arena_text(arena, text + here->begin, here->end - here->begin);
        status = form ? tz_sentence_form(arena, to, c, form) : TZ_NO_MEMORY;
        to->word[c].upos = tz_hash(blank ? BLANK : word[w].end == here->end ? ENDS : GOES_ON, 0);
    }
    for (int32_t c = 1; c <= count && status == TZ_OK; c++)
        see_left(&to->word[c], kind[c] == kind[c - 1], kind[c - 1] != 1);
    for (int32_t c = count; c > 0 && status == TZ_OK; c--)
        see_right(&to->word[c], kind[c] == kind[c + 1], kind[c + 1] != 1);
    return status;
}

tz_status tz_text_characters(tz_word_finder *finder, tz_arena *arena, const char *text, size_t size,
                             tz_sentence *ret_characters, const tz_token **ret_character) {
    const tz_token *word;
    size_t words, count = 0;
    tz_status status = tz_tokenise(finder->rules, text, size, &word, &words);
    if (status != TZ_OK)
        return status;
    const size_t begin = words > 0 ? word[0].begin : 0, end = words > 0 ? word[words - 1].end : 0;
    tz_token *character = tz_arena_array(arena, end - begin, sizeof *character);
    if (!character)
        return TZ_NO_MEMORY;
    for (size_t from = begin; from < end; count++) {
        unsigned used;
        decode(text + from, end - from, &used);
        character[count] = (tz_token){from, from + used};
        from += used;
    }
    if (count > TZ_CONLLU_WORDS)
        return TZ_TOO_LARGE;
    status = tz_sentence_new(arena, (int32_t)count, ret_characters);
    *ret_character = character;
    return status == TZ_OK ? read_characters(arena, text, word, words, character, ret_characters)
                           : status;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool add(tz_word_finder *f, found word) {
    bool grown = TZ_GROW(f->word, &f->capacity, f->words + 1);
    if (grown)
        f->word[f->words++] = word;
    return grown;
}

/* Its first letter is a capital, or all of several are. */
static capitals capitals_of(const char *text, size_t size) {
    capitals is = NONE;
    unsigned used;
    for (size_t at = 0; at < size; at += used) {
        bool capital = tz_code_capital(decode(text + at, size - at, &used));
        if (at == 0 && !capital)
            return NONE;
        is = at == 0 ? FIRST : at == used && capital ? ALL : capital ? is : FIRST;
    }
    return is;
}

/* The token stands for the words of a label, if that is of this token; else for itself. */
static bool add_token(tz_word_finder *f, const char *text, tz_token at, const char *label) {
    size_t size = at.end - at.begin, surface = strcspn(label, " ");
    const char *word = label + surface + strspn(label + surface, " ");
    tz_text_clear(&f->lower);
    tz_text_add_lower(&f->lower, text + at.begin, size);
    if (f->lower.failed)
        return false;
    if (*word == '\0' || f->lower.size != surface || memcmp(f->lower.data, label, surface) != 0)
        return add(f, (found){.at = at});
    capitals is = capitals_of(text + at.begin, size);
    bool grown = true, first = true;
    for (size_t used; *word && grown; word += used + strspn(word + used, " ")) {
        used = strcspn(word, " ");
        grown = add(f, (found){.at = {first ? at.begin : at.end, at.end},
                               .within = !first,
                               .form = word,
                               .size = used,
                               .capitals = first || is == ALL ? is : NONE});
        first = false;
    }
    return grown;
}

static bool is_blank(const tz_sentence *characters, int32_t c) {
    return c > characters->words || strcmp(characters->form[c], " ") == 0;
}

static tz_status collect(tz_word_finder *f, const char *text, const tz_sentence *characters,
                         const tz_token *at, const int32_t *label) {
    const int32_t in = tz_labels_find(&f->model->labels, tz_word_label[TZ_WORD_IN]),
                  part = tz_labels_find(&f->model->labels, tz_word_label[TZ_WORD_PART]);
    bool grown = true, within = false;
    size_t begin = characters->words > 0 ? at[0].begin : 0;
    for (int32_t c = 1; c <= characters->words && grown; c++) {
        bool blank = is_blank(characters, c), last = is_blank(characters, c + 1);
        if (blank || (!last && label[c] == in)) {
            begin = blank ? at[c - 1].end : begin;
            continue;
        }
        const tz_token token = {begin, at[c - 1].end};
        bool ends = last || label[c] != part;
        if (!within && ends && label[c] != in && label[c] != part)
            grown = add_token(f, text, token, f->model->labels.name[label[c]]);
        else
            grown = add(f, (found){.at = token, .within = within});
        within = !ends;
        begin = token.end;
    }
    return grown ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status find_by_model(tz_word_finder *f, const char *text, size_t size) {
    tz_arena *arena = tz_arena_new();
    tz_sentence characters;
    const tz_sentence *list[] = {&characters};
    const tz_token *at;
    const int32_t *const *answer;
    tz_status status =
        arena ? tz_text_characters(f, arena, text, size, &characters, &at) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_decode(f->decoder, f->model->weight, list, 1, &answer, NULL);
    if (status == TZ_OK)
        status = collect(f, text, &characters, at, answer[0]);
    tz_arena_free(arena);
    return status;
}

tz_status tz_find_words(tz_word_finder *finder, const char *text, size_t size, size_t *ret_words) {
    const tz_token *token;
    size_t count = 0;
    finder->words = 0;
    tz_status status = finder->model ? find_by_model(finder, text, size)
                                     : tz_tokenise(finder->rules, text, size, &token, &count);
    for (size_t t = 0; t < count && status == TZ_OK; t++)
        status = add(finder, (found){.at = token[t]}) ? TZ_OK : TZ_NO_MEMORY;
    *ret_words = finder->words;
    return status;
}

tz_status tz_find_tokens(tz_word_finder *finder, const char *text, size_t size,
                         const tz_token **ret_token, size_t *ret_tokens) {
    size_t words, tokens = 0;
    tz_status status = tz_find_words(finder, text, size, &words);
    if (status == TZ_OK && !TZ_GROW(finder->token, &finder->room, words))
        status = TZ_NO_MEMORY;
    for (size_t w = 0; w < words && status == TZ_OK; w++)
        if (finder->word[w].within)
            finder->token[tokens - 1].end = finder->word[w].at.end;
        else
            finder->token[tokens++] = finder->word[w].at;
    *ret_token = finder->token;
    *ret_tokens = tokens;
    return status;
}

static tz_status set_form(tz_arena *arena, const found *word, int32_t w, tz_sentence *sentence) {
    tz_text form = {0};
    unsigned used;
    char bytes[4];
    for (size_t at = 0; at < word->size; at += used) {
        uint32_t code = decode(word->form + at, word->size - at, &used);
        if (word->capitals == ALL || (word->capitals == FIRST && at == 0))
            tz_text_add(&form, bytes, tz_utf8_encode(tz_code_upper(code), bytes));
        else
            tz_text_add(&form, word->form + at, used);
    }
    tz_text_add(&form, "", 1);
    tz_status status = form.failed ? TZ_NO_MEMORY : tz_sentence_form(arena, sentence, w, form.data);
    tz_text_free(&form);
    return status;
}

tz_status tz_found_words(const tz_word_finder *finder, tz_arena *arena, const char *text,
                         const tz_token **ret_token, tz_analysed *ret_analysed) {
    const size_t count = finder->words;
    tz_token *token = tz_arena_array(arena, count, sizeof *token);
    bool *within = tz_arena_array(arena, count + 1, sizeof *within);
    if (!token || !within)
        return TZ_NO_MEMORY;
    for (size_t t = 0; t < count; t++) {
        token[t] = finder->word[t].at;
        within[t + 1] = finder->word[t].within;
    }
    tz_status status = tz_analysed_tokens(arena, text, token, count, ret_analysed);
    for (size_t t = 0; t < count && status == TZ_OK; t++)
        if (finder->word[t].form)
            status = set_form(arena, &finder->word[t], (int32_t)t + 1, &ret_analysed->sentence);
    ret_analysed->within = within;
    *ret_token = token;
    return status;
}
