/* wordnet_forms.c - base forms, by WordNet's rules. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"
#include "sentences/align/wordnet/wordnet.h"
#include "sentences/features/sentence/words.h"

enum { NOUN, VERB, ADJECTIVE, ADVERB };

typedef struct detachment {
    const char *ending, *instead;
} detachment;
/* In WordNet's order; the first that leads to a lemma counts. */
static const detachment rules[TZ_WORDNET_PARTS][9] = {
    [NOUN] = {{"s", ""},
              {"ses", "s"},
              {"xes", "x"},
              {"zes", "z"},
              {"ches", "ch"},
              {"shes", "sh"},
              {"men", "man"},
              {"ies", "y"}},
    [VERB] = {{"s", ""},
              {"ies", "y"},
              {"es", "e"},
              {"es", ""},
              {"ed", "e"},
              {"ed", ""},
              {"ing", "e"},
              {"ing", ""}},
    [ADJECTIVE] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}},
};

/* A phrase being looked up. */
typedef struct search {
    const tz_wordnet *wordnet;
    unsigned part;
    uint32_t *sense;
    size_t senses;
    tz_text phrase, whole, word; /* in lower case; a form of all of it, and of one word */
    bool failed;                 /* memory was out */
} search;

static bool ends_with(const char *text, size_t size, const char *ending) {
    size_t length = strlen(ending);
    return size >= length && memcmp(text + size - length, ending, length) == 0;
}

static uint32_t synset_of(const search *s, const char *lemma, size_t size) {
    uint32_t number = tz_numbers_find(&s->wordnet->lemma, tz_wordnet_hash(s->part, lemma, size));
    return number == TZ_NO_NUMBER ? TZ_NO_NUMBER : s->wordnet->first[number];
}

/* Takes the sense of a lemma. */
static void take(search *s, const char *lemma, size_t size) {
    uint32_t synset = synset_of(s, lemma, size);
    for (size_t i = 0; i < s->senses; i++)
        if (s->sense[i] == synset)
            return;
    if (synset != TZ_NO_NUMBER && s->senses < TZ_WORDNET_SENSES)
        s->sense[s->senses++] = synset;
}

/* Base forms of an exception, with blanks between them; NULL: it is none. */
static const char *exception(const search *s, const char *form, size_t size) {
    const tz_wordnet *w = s->wordnet;
    uint32_t number = tz_numbers_find(&w->exception, tz_wordnet_hash(s->part, form, size));
    return number == TZ_NO_NUMBER ? NULL : w->base[number];
}

/* Writes the word's base form by the rules to s->word; false: it has none. */
static bool detach(search *s, const char *form, size_t size) {
    static const char ful[] = "ful";
    size_t cut = s->part == NOUN && ends_with(form, size, ful) ? sizeof ful - 1 : 0;
    size -= cut; /* "boxesful" */
    if (s->part == NOUN && cut == 0 && (size <= 2 || ends_with(form, size, "ss")))
        return false;
    for (const detachment *d = rules[s->part]; d->ending; d++) {
        if (!ends_with(form, size, d->ending))
            continue;
        tz_text_clear(&s->word);
        tz_text_add(&s->word, form, size - strlen(d->ending));
        tz_text_put(&s->word, d->instead);
        if (cut > 0)
            tz_text_put(&s->word, ful);
        s->failed |= s->word.failed;
        if (!s->word.failed && synset_of(s, s->word.data, s->word.size) != TZ_NO_NUMBER)
            return true;
    }
    return false;
}

/* Adds the first base form of a word to s->whole, or the word as it is. */
static void add_base(search *s, const char *form, size_t size) {
    const char *base = exception(s, form, size);
    if (base)
        tz_text_add(&s->whole, base, strcspn(base, " "));
    else if (detach(s, form, size))
        tz_text_add(&s->whole, s->word.data, s->word.size);
    else
        tz_text_add(&s->whole, form, size);
}

/* Of several words, those up to the first `bases` by their base forms. */
static void take_composed(search *s, size_t bases) {
    const char *at = s->phrase.data, *end = at + s->phrase.size;
    tz_text_clear(&s->whole);
    for (size_t w = 0; at < end; w++) {
        size_t size = 0;
        while (at + size < end && at[size] != '_' && at[size] != '-')
            size++;
        if (w < bases)
            add_base(s, at, size);
        else
            tz_text_add(&s->whole, at, size);
        at += size;
        if (at < end)
            tz_text_add(&s->whole, at++, 1);
    }
    s->failed |= s->whole.failed;
    if (!s->whole.failed)
        take(s, s->whole.data, s->whole.size);
}

static void search_part(search *s) {
    const char *form = s->phrase.data;
    size_t size = s->phrase.size;
    take(s, form, size);
    const char *base = exception(s, form, size);
    for (; base && *base; base += strspn(base, " ")) {
        size_t length = strcspn(base, " ");
        take(s, base, length);
        base += length;
    }
    if (!exception(s, form, size) && detach(s, form, size))
        take(s, s->word.data, s->word.size);
    if (memchr(form, '_', size) || memchr(form, '-', size)) {
        take_composed(s, SIZE_MAX);
        if (s->part == VERB) /* "asked for it": the words behind are no verbs */
            take_composed(s, 1);
    }
}

tz_status tz_wordnet_find(const tz_wordnet *w, const char *const *word, size_t words,
                          uint32_t ret_sense[TZ_WORDNET_SENSES], size_t *ret_senses) {
    search s = {.wordnet = w, .sense = ret_sense};
    for (size_t i = 0; i < words; i++) {
        if (i > 0)
            tz_text_put(&s.phrase, "_");
        tz_text_add_lower(&s.phrase, word[i], strlen(word[i]));
    }
    for (s.part = 0;
         s.part < TZ_WORDNET_PARTS && s.phrase.size > 0 && !s.phrase.failed && !s.failed; s.part++)
        search_part(&s);
    s.failed |= s.phrase.failed;
    tz_text_free(&s.phrase);
    tz_text_free(&s.whole);
    tz_text_free(&s.word);
    *ret_senses = s.senses;
    return s.failed ? TZ_NO_MEMORY : TZ_OK;
}
