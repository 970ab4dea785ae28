/* detokenise.c - tokens that are kept back to text; tokens.h has the rules.
 * SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "sentences/text/article.h"
#include "sentences/text/marks.h"
#include "sentences/text/segment.h"

/* ---- Text ------------------------------------------------------------------------------------ */

/* Does a token that stood right behind another one do so behind any? */
static bool leans_left(const tz_kept *s, size_t t) {
    tz_role role = tz_role_of(s, t);
    return role != TZ_ROLE_WORD && role != TZ_ROLE_OPENING &&
           !(role == TZ_ROLE_QUOTE && tz_quote_opens(s, t));
}

/* Does a token that stood right before another one do so before any? */
static bool leans_right(const tz_kept *s, size_t t) {
    tz_role role = tz_role_of(s, t);
    return role == TZ_ROLE_OPENING || (role == TZ_ROLE_QUOTE && tz_quote_opens(s, t)) ||
           (role == TZ_ROLE_OTHER &&
            tz_role_of(s, t + 1) == TZ_ROLE_WORD); /* $ before a number, not % before a comma */
}

/* The first letter of a token, as a capital; the rest as it stands. */
static void add_capital(const tz_kept *s, size_t t, tz_text *text) {
    uint32_t code = 0;
    size_t begin = s->token[t].begin, size = s->token[t].end - begin;
    unsigned used = tz_utf8_decode(s->line + begin, size, &code);
    char capital[4];
    tz_text_add(text, capital, tz_utf8_encode(tz_code_upper(code), capital));
    tz_text_add(text, s->line + begin + used, size - used);
}

/* The article t, if the word that is shown after it was not there before and takes the other one:
 * that one. NULL: as it stands. */
static const char *other_article(const tz_kept *s, size_t t) {
    size_t size = s->token[t].end - s->token[t].begin, next = t + 1;
    if (!tz_article_is(s->line + s->token[t].begin, size))
        return NULL;
    bool gap = false;
    for (; next < s->count && !(s->shown[next] && tz_has_word(s, next)); next++)
        gap = gap || !s->shown[next];
    if (next == s->count || !gap)
        return NULL;
    bool an =
        tz_article_an(s->line + s->token[next].begin, s->token[next].end - s->token[next].begin);
    bool capital = s->line[s->token[t].begin] == 'A';
    return an == (size == 2) ? NULL : an ? capital ? "An" : "an" : capital ? "A" : "a";
}

static size_t first_word(const tz_kept *s, bool shown) {
    size_t t = tz_marker_tokens(s);
    while (t < s->count && (tz_role_of(s, t) != TZ_ROLE_WORD || (shown && !s->shown[t])))
        t++;
    return t;
}

/* Is it written in small letters but for the first one? Not iPad. */
static bool may_be_capital(const tz_kept *s, size_t t) {
    uint32_t code = 0;
    unsigned used;
    size_t begin = s->token[t].begin, end = s->token[t].end;
    for (size_t at = begin; at < end; at += used) {
        used = tz_utf8_decode(s->line + at, end - at, &code);
        if (used == 0 || (at > begin && tz_code_capital(code)))
            return false;
    }
    return true;
}

/* The first word of a sentence that has lost what began it. begin: the line's first word, and the
 * first that is shown; last: what is shown before, SIZE_MAX: nothing. */
static bool begins_anew(const tz_kept *s, size_t t, size_t last, const size_t begin[2]) {
    bool behind = last != SIZE_MAX && t > last + 1 && tz_ends_sentence(s, last);
    bool first = t == begin[1] && t != begin[0] && tz_has_capital(s, begin[0]);
    return (behind || first) && may_be_capital(s, t);
}

void tz_detokenise(const char *line, const tz_token *token, size_t count,
                   const tz_kept_tree *opt_tree, bool *shown, tz_text *text) {
    const tz_kept s = {line, token, count, shown, opt_tree};
    bool stop = tz_rebuild_marks(&s);
    const size_t begin[] = {first_word(&s, false), first_word(&s, true)};
    size_t last = SIZE_MAX;
    for (size_t t = 0; t < count; t++) {
        if (!shown[t])
            continue;
        if (last != SIZE_MAX && t == last + 1) {
            tz_text_add(text, line + token[last].end, token[t].begin - token[last].end);
        } else if (last != SIZE_MAX) {
            bool close = !tz_blank_before(&s, t) && leans_left(&s, t);
            bool open = !tz_blank_after(&s, last) && leans_right(&s, last);
            tz_text_put(text, close || open ? "" : " ");
        }
        const size_t within = tz_stop_within(&s, t);
        if (within > t)
            tz_text_add(text, line + token[within].begin, token[within].end - token[within].begin);
        const char *article = other_article(&s, t);
        bool capital = tz_role_of(&s, t) == TZ_ROLE_WORD && begins_anew(&s, t, last, begin);
        if (article && capital)
            tz_text_put(text, article[1] ? "An" : "A");
        else if (article)
            tz_text_put(text, article);
        else if (capital)
            add_capital(&s, t, text);
        else
            tz_text_add(text, line + token[t].begin, token[t].end - token[t].begin);
        last = t;
        t = within;
    }
    tz_text_put(text, stop ? "." : "");
}
