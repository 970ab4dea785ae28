/* outline.c - see outline.h. SPDX-License-Identifier: MIT */
#include "sentences/features/outline/outline.h"

#include <string.h>

#include "base/arena.h"
#include "sentences/features/outline/bigrams.h"
#include "sentences/features/outline/chunks.h"
#include "sentences/features/outline/grammar.h"
#include "sentences/features/tables/hash.h"
#include "sentences/text/stem.h"

const char *tz_family_name(unsigned family) {
    static const char *const name[TZ_FAMILIES] = {
        "word", "fidelity", "grammar", "chunk", "sibling", "bigram", "lm", "gap", "outside"};
    return family < TZ_FAMILIES ? name[family] : NULL;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool is_one_of(const char *form, const char *const *list) {
    while (*list && strcmp(*list, form) != 0)
        list++;
    return *list != NULL;
}

static bool opens_bracket(const char *form) {
    static const char *const list[] = {"(", "[", "-LRB-", NULL};
    return is_one_of(form, list);
}

static bool closes_bracket(const char *form) {
    static const char *const list[] = {")", "]", "-RRB-", NULL};
    return is_one_of(form, list);
}

static bool opens_quote(const char *form) {
    static const char *const list[] = {"``", "\"", "\u201c", NULL};
    return is_one_of(form, list);
}

static bool closes_quote(const char *form) {
    static const char *const list[] = {"''", "\"", "\u201d", NULL};
    return is_one_of(form, list);
}

static bool negates(const char *form) {
    static const char *const list[] = {"not", "n't",    "n\u2019t", "never",   "no", "neither",
                                       "nor", "nobody", "nothing",  "without", NULL};
    return is_one_of(form, list);
}

static uint64_t stem_value(const tz_word *word, const char *form) {
    if (word->upos != tz_hash_text("VERB", 4))
        return 0;
    char lower[64], stem[sizeof lower];
    size_t size = strlen(form);
    if (size > sizeof lower)
        return 0;
    for (size_t i = 0; i < size; i++) {
        bool capital = form[i] >= 'A' && form[i] <= 'Z';
        lower[i] = (char)(capital ? form[i] + 32 : form[i]);
    }
    return tz_hash_text(stem, tz_stem(lower, size, stem));
}

static bool is_symbol(const char *form) {
    for (const char *c = form; *c; c++) {
        unsigned char code = (unsigned char)*c;
        if (code >= 0x80 || (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
            (code >= 'A' && code <= 'Z'))
            return false;
    }
    return true;
}

static void copy_word(const tz_word *from, tz_outline_word *to) {
    to->head = -1;
    to->word = from->lower;
    to->fine = from->xpos;
    to->coarse = from->upos;
    to->label = from->deprel;
}

static void read_words(const tz_sentence *sentence, tz_outline_word *word) {
    int32_t n = sentence->words;
    for (int32_t p = -TZ_PADDING; p <= n + 1 + TZ_PADDING; p++) {
        copy_word(&sentence->word[p], &word[p]);
        word[p].first = word[p].last = word[p].chunk = p;
    }
    bool bracketed = false, quoted = false;
    for (int32_t m = 1; m <= n; m++) {
        const char *form = sentence->form[m];
        tz_outline_word *w = &word[m];
        w->head = sentence->head[m];
        w->word = tz_word_value(&sentence->word[m], form);
        w->stem = stem_value(&sentence->word[m], form);
        w->capital = sentence->word[m].form != 0 && form[0] >= 'A' && form[0] <= 'Z';
        w->symbol = is_symbol(form);
        bool was_quoted = quoted;
        bracketed = bracketed && !closes_bracket(form);
        quoted = quoted && !closes_quote(form);
        w->bracketed = bracketed;
        w->quoted = quoted;
        bracketed = bracketed || opens_bracket(form);
        quoted = quoted || (!was_quoted && opens_quote(form));
    }
}

/* ---- The tree -------------------------------------------------------------------------------- */

static uint8_t size_bin(int32_t size) {
    static const int32_t bound[] = {1, 2, 3, 5, 8, 12, 20};
    uint8_t bin = 1;
    for (size_t b = 0; b < sizeof bound / sizeof *bound && size > bound[b]; b++)
        bin++;
    return bin;
}

enum { NO_SIBLING = 2, NO_GRANDPARENT = 3 };

/* The next word on either side, from m on in steps of `step` towards the head or away, that has
 * the same head on the same side. */
static void link_siblings(tz_outline_word *word, int32_t n) {
    for (int32_t m = 1; m <= n; m++)
        word[m].before = word[m].after = NO_SIBLING;
    for (int32_t m = 2; m <= n; m++) {
        int32_t s = m - 1, head = word[m].head;
        while (s > 0 && s != head && word[s].head != head)
            s = word[s].first <= s ? word[s].first - 1 : s - 1;
        if (s > 0 && s != head) {
            word[m].before = word[s].label;
            word[s].after = word[m].label;
        }
    }
}

static void read_tree(const tz_sentence *sentence, tz_outline_word *word) {
    int32_t n = sentence->words;
    for (int32_t m = 1; m <= n; m++) {
        for (int32_t a = m; a > 0; a = word[a].head) {
            word[m].depth++;
            word[a].first = word[a].first < m ? word[a].first : m;
            word[a].last = word[a].last > m ? word[a].last : m;
        }
    }
    word[0].first = 0;
    word[0].last = n;
    for (int32_t m = 1; m <= n; m++) {
        tz_outline_word *w = &word[m], *head = &word[w->head];
        w->size = size_bin(w->last - w->first + 1);
        w->path[0] = tz_hash(w->label, head->label);
        w->path[1] = w->head > 0 ? tz_hash(w->path[0], word[head->head].label) : NO_GRANDPARENT;
        if (negates(sentence->form[m])) {
            w->negated = true;
            head->negated = w->head > 0;
        }
    }
    link_siblings(word, n);
}

/* Words far apart in a tree of crossing arcs may count as related: spans are taken to be full. */
static tz_relation relation(const tz_outline_word *word, int32_t h, int32_t m) {
    const tz_outline_word *a = &word[h], *b = &word[m];
    if (h == m)
        return TZ_UNRELATED;
    if (b->first <= h && h <= b->last)
        return a->head == m ? TZ_CHILD_OF : TZ_DESCENDANT;
    if (a->first <= m && m <= a->last) {
        int32_t up = b->depth - a->depth;
        return up <= 1 ? TZ_HEAD_OF : up >= 4 ? TZ_ANCESTOR4 : (tz_relation)(TZ_HEAD_OF + up - 1);
    }
    return a->head == b->head ? TZ_SIBLING : TZ_UNRELATED;
}

static uint8_t *relations(tz_arena *arena, const tz_outline_word *word, int32_t n) {
    size_t width = (size_t)n + 1;
    uint8_t *table = tz_arena_array(arena, width * width, 1);
    for (int32_t h = 0; table && h <= n; h++)
        for (int32_t m = 1; m <= n; m++)
            table[(size_t)h * width + (size_t)m] = (uint8_t)relation(word, h, m);
    return table;
}

static tz_status read_chunks(tz_arena *arena, tz_outline_word *word, int32_t n) {
    size_t positions = (size_t)n + 1;
    uint64_t *upos = tz_arena_array(arena, positions, sizeof *upos);
    int32_t *head = tz_arena_array(arena, positions, sizeof *head);
    int32_t *chunk = tz_arena_array(arena, positions, sizeof *chunk);
    uint8_t *kind = tz_arena_array(arena, positions, 1);
    if (!upos || !head || !chunk || !kind)
        return TZ_NO_MEMORY;
    for (int32_t m = 1; m <= n; m++) {
        upos[m] = word[m].coarse;
        head[m] = word[m].head;
    }
    tz_chunks(upos, head, n, chunk, kind);
    for (int32_t m = 1; m <= n; m++) {
        word[m].chunk = chunk[m];
        word[m].chunk_kind = kind[m];
    }
    return TZ_OK;
}

tz_status tz_outline_new(tz_arena *arena, const tz_sources *opt_sources, tz_sentence *sentence) {
    int32_t n = sentence->words;
    size_t padded = (size_t)n + 2 + (size_t)2 * TZ_PADDING;
    tz_outline *outline = tz_arena_array(arena, 1, sizeof *outline);
    tz_outline_word *word = tz_arena_array(arena, padded, sizeof *word);
    if (!outline || !word)
        return TZ_NO_MEMORY;
    word += TZ_PADDING;
    read_words(sentence, word);
    read_tree(sentence, word);
    tz_status status = read_chunks(arena, word, n);
    if (status != TZ_OK)
        return status;
    *outline = (tz_outline){.words = n, .word = word, .relation = relations(arena, word, n)};
    if (!outline->relation)
        return TZ_NO_MEMORY;
    if (opt_sources)
        outline->without = opt_sources->without;
    if (opt_sources && opt_sources->grammar) {
        outline->grammar = tz_grammar_bins(opt_sources->grammar, arena, outline);
        status = outline->grammar ? status : TZ_NO_MEMORY;
    }
    if (opt_sources && opt_sources->bigrams) {
        outline->bigram = tz_bigrams_bins(opt_sources->bigrams, arena, outline);
        status = outline->bigram ? status : TZ_NO_MEMORY;
    }
    sentence->outline = outline;
    return status;
}
