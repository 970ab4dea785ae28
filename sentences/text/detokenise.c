/* detokenise.c - tokens that are kept back to text; tokens.h has the rules.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/utf8.h"
#include "sentences/text/article.h"
#include "sentences/text/joins.h"
#include "sentences/text/segment.h"
#include "sentences/text/tokens.h"

/* What a token is to its neighbours. */
typedef enum role { WORD, CLITIC, JOINER, OPENING, CLOSING, QUOTE, SEPARATOR, STOP, OTHER } role;

typedef struct sentence {
    const char *line;
    const tz_token *token;
    size_t count;
    bool *shown;
} sentence;

static bool blank_before(const sentence *s, size_t t) {
    return t == 0 || s->token[t].begin > s->token[t - 1].end;
}

static bool blank_after(const sentence *s, size_t t) {
    return t + 1 >= s->count || blank_before(s, t + 1);
}

static bool is_one_of(const sentence *s, size_t t, const char *const *list) {
    size_t size = s->token[t].end - s->token[t].begin;
    for (size_t i = 0; list[i]; i++)
        if (strlen(list[i]) == size && memcmp(list[i], s->line + s->token[t].begin, size) == 0)
            return true;
    return false;
}

static bool has_word(const sentence *s, size_t t) {
    uint32_t code;
    unsigned used;
    for (size_t at = s->token[t].begin; at < s->token[t].end; at += used) {
        used = tz_utf8_decode(s->line + at, s->token[t].end - at, &code);
        if (used == 0 || tz_code_word(code))
            return true;
    }
    return false;
}

static role role_of(const sentence *s, size_t t) {
    static const char *const quotes[] = {"\"", "''", "``", "'", "`", NULL};
    static const char *const opening[] = {"(", "[", "{", "“", "‘", "«", "„", "「", "（", NULL};
    static const char *const closing[] = {")", "]", "}", "”", "’", "»", "」", "）", NULL};
    static const char *const separators[] = {",", ";", ":", "，", "、", "；", "：", NULL};
    static const char *const dashes[] = {"-", "--", "–", "—", "/", NULL};
    static const char *const wide_stops[] = {"…", "。", "！", "？", NULL};
    const char *text = s->line + s->token[t].begin;
    if (has_word(s, t)) {
        bool apostrophe = tz_apostrophe(text, s->token[t].end - s->token[t].begin) > 0;
        return apostrophe && !blank_before(s, t) ? CLITIC : WORD;
    }
    if (is_one_of(s, t, dashes))
        return blank_before(s, t) || blank_after(s, t) ? SEPARATOR : JOINER;
    return is_one_of(s, t, quotes)                                       ? QUOTE
           : is_one_of(s, t, opening)                                    ? OPENING
           : is_one_of(s, t, closing)                                    ? CLOSING
           : is_one_of(s, t, separators)                                 ? SEPARATOR
           : strchr(".!?", *text) != NULL || is_one_of(s, t, wide_stops) ? STOP
                                                                         : OTHER;
}

/* ---- Punctuation without purpose ------------------------------------------------------------- */

static void place_joiners(const sentence *s) {
    for (size_t t = 1; t + 1 < s->count; t++)
        if (role_of(s, t) == JOINER)
            s->shown[t] = s->shown[t - 1] && s->shown[t + 1];
}

/* Whether a quotation mark that looks the same on both sides stands before what it quotes. */
static bool opens(const sentence *s, size_t t) {
    return !blank_after(s, t) && (blank_before(s, t) || role_of(s, t - 1) == OPENING);
}

typedef struct mark {
    size_t at, words, shown; /* the token; words before it, and those shown */
    role role;
} mark;

static void drop_half_pairs(const sentence *s) {
    enum { DEPTH = 32 };
    mark open[DEPTH];
    size_t depth = 0, words = 0, shown = 0;
    for (size_t t = 0; t < s->count; t++) {
        role role = role_of(s, t);
        bool word = role == WORD || role == OTHER;
        words += word;
        shown += word && s->shown[t];
        if (role != QUOTE && role != OPENING && role != CLOSING)
            continue;
        bool begins = role == OPENING || (role == QUOTE && opens(s, t));
        size_t partner = depth;
        while (!begins && partner > 0 && (open[partner - 1].role == QUOTE) != (role == QUOTE))
            partner--;
        if (!begins && partner > 0) {
            const mark *first = &open[partner - 1];
            bool emptied = shown == first->shown && words > first->words;
            if (!s->shown[t] || !s->shown[first->at] || emptied)
                s->shown[t] = s->shown[first->at] = false;
            depth = partner - 1;
        } else if (begins && depth < DEPTH) {
            open[depth++] = (mark){t, words, shown, role};
        }
    }
}

static void drop_separators(const sentence *s) {
    size_t last = SIZE_MAX; /* the token shown last */
    for (size_t t = 0; t < s->count; t++) {
        if (!s->shown[t])
            continue;
        bool gap = last == SIZE_MAX ? t > 0 : t > last + 1;
        role here = role_of(s, t), before = last == SIZE_MAX ? OPENING : role_of(s, last);
        bool ends = here == CLOSING || here == STOP || (here == QUOTE && !blank_before(s, t));
        bool begins = before == OPENING || before == SEPARATOR;
        if (gap && ((here == SEPARATOR && begins) || (here == CLITIC && before != WORD))) {
            s->shown[t] = false;
            continue;
        }
        if (gap && before == SEPARATOR && ends)
            s->shown[last] = false;
        last = t;
    }
    if (last != SIZE_MAX && last + 1 < s->count && role_of(s, last) == SEPARATOR)
        s->shown[last] = false;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Does a token that stood right behind another one do so behind any? */
static bool leans_left(const sentence *s, size_t t) {
    role role = role_of(s, t);
    return role != WORD && role != OPENING && !(role == QUOTE && opens(s, t));
}

/* Does a token that stood right before another one do so before any? */
static bool leans_right(const sentence *s, size_t t) {
    role role = role_of(s, t);
    return role == OPENING || (role == QUOTE && opens(s, t)) ||
           (role == OTHER &&
            role_of(s, t + 1) == WORD); /* $ before a number, not % before a comma */
}

/* The first letter of a token, as a capital; the rest as it stands. */
static void add_capital(const sentence *s, size_t t, tz_text *text) {
    uint32_t code = 0;
    size_t begin = s->token[t].begin, size = s->token[t].end - begin;
    unsigned used = tz_utf8_decode(s->line + begin, size, &code);
    char capital[4];
    tz_text_add(text, capital, tz_utf8_encode(tz_code_upper(code), capital));
    tz_text_add(text, s->line + begin + used, size - used);
}

/* The article t, if the word that is shown after it was not there before and takes the other one:
 * that one. NULL: as it stands. */
static const char *other_article(const sentence *s, size_t t) {
    size_t size = s->token[t].end - s->token[t].begin, next = t + 1;
    if (!tz_article_is(s->line + s->token[t].begin, size))
        return NULL;
    bool gap = false;
    for (; next < s->count && !(s->shown[next] && has_word(s, next)); next++)
        gap = gap || !s->shown[next];
    if (next == s->count || !gap)
        return NULL;
    bool an =
        tz_article_an(s->line + s->token[next].begin, s->token[next].end - s->token[next].begin);
    bool capital = s->line[s->token[t].begin] == 'A';
    return an == (size == 2) ? NULL : an ? capital ? "An" : "an" : capital ? "A" : "a";
}

static size_t first_word(const sentence *s, bool shown) {
    size_t t = 0;
    while (t < s->count && (role_of(s, t) != WORD || (shown && !s->shown[t])))
        t++;
    return t;
}

static bool begins_with_capital(const sentence *s, size_t t) {
    uint32_t code = 0;
    size_t begin = s->token[t].begin;
    tz_utf8_decode(s->line + begin, s->token[t].end - begin, &code);
    return tz_code_capital(code);
}

void tz_detokenise(const char *line, const tz_token *token, size_t count, bool *shown,
                   tz_text *text) {
    sentence s = {line, token, count, shown};
    place_joiners(&s);
    drop_half_pairs(&s);
    drop_separators(&s);
    size_t first = first_word(&s, false), now = first_word(&s, true);
    bool capital = now < count && now != first && begins_with_capital(&s, first);
    size_t last = SIZE_MAX;
    for (size_t t = 0; t < count; t++) {
        if (!shown[t])
            continue;
        if (last != SIZE_MAX && t == last + 1) {
            tz_text_add(text, line + token[last].end, token[t].begin - token[last].end);
        } else if (last != SIZE_MAX) {
            bool close = !blank_before(&s, t) && leans_left(&s, t);
            bool open = !blank_after(&s, last) && leans_right(&s, last);
            tz_text_put(text, close || open ? "" : " ");
        }
        const char *article = other_article(&s, t);
        if (article && capital && t == now)
            tz_text_put(text, article[1] ? "An" : "A");
        else if (article)
            tz_text_put(text, article);
        else if (capital && t == now)
            add_capital(&s, t, text);
        else
            tz_text_add(text, line + token[t].begin, token[t].end - token[t].begin);
        last = t;
    }
}
