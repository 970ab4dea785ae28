/* marks.c - see marks.h; tokens.h has the rules. SPDX-License-Identifier: MIT */
#include "sentences/text/marks.h"

#include <string.h>

#include "base/utf8.h"
#include "sentences/text/joins.h"
#include "sentences/text/layout.h"
#include "sentences/text/segment.h"

/* ---- Tokens ---------------------------------------------------------------------------------- */

bool tz_blank_before(const tz_kept *s, size_t t) {
    return t == 0 || s->token[t].begin > s->token[t - 1].end;
}

bool tz_blank_after(const tz_kept *s, size_t t) {
    return t + 1 >= s->count || tz_blank_before(s, t + 1);
}

static bool is_one_of(const tz_kept *s, size_t t, const char *const *list) {
    size_t size = s->token[t].end - s->token[t].begin;
    for (size_t i = 0; list[i]; i++)
        if (strlen(list[i]) == size && memcmp(list[i], s->line + s->token[t].begin, size) == 0)
            return true;
    return false;
}

bool tz_wordlike(const char *text, size_t size) {
    uint32_t code;
    unsigned used;
    for (size_t at = 0; at < size; at += used) {
        used = tz_utf8_decode(text + at, size - at, &code);
        if (used == 0 || tz_code_word(code))
            return true;
    }
    return false;
}

bool tz_has_word(const tz_kept *s, size_t t) {
    return tz_wordlike(s->line + s->token[t].begin, s->token[t].end - s->token[t].begin);
}

bool tz_has_capital(const tz_kept *s, size_t t) {
    uint32_t code = 0;
    size_t begin = s->token[t].begin;
    tz_utf8_decode(s->line + begin, s->token[t].end - begin, &code);
    return tz_code_capital(code);
}

size_t tz_footnotes(const char *text, size_t size, size_t at) {
    enum { MARK = 3 };
    while (at < size && text[at] == '[') {
        size_t end = at + 1;
        while (end < size && end - at <= MARK && ((unsigned char)text[end] < 0x80) &&
               tz_code_word((unsigned char)text[end]))
            end++;
        if (end == at + 1 || end == size || text[end] != ']')
            break;
        at = end + 1;
    }
    return at;
}

/* The end of those that token t begins, right behind something; where it begins: of none. */
static size_t footnotes_end(const tz_kept *s, size_t t) {
    size_t begin = s->token[t].begin;
    return tz_blank_before(s, t) ? begin : tz_footnotes(s->line, s->token[s->count - 1].end, begin);
}

static bool in_footnote(const tz_kept *s, size_t t) {
    return t > 0 && !tz_blank_before(s, t) && footnotes_end(s, t - 1) >= s->token[t].end;
}

tz_role tz_role_of(const tz_kept *s, size_t t) {
    static const char *const quotes[] = {"\"", "''", "``", "'", "`", NULL};
    static const char *const opening[] = {"(", "[", "{", "“", "‘", "«", "„", "「", "（", NULL};
    static const char *const closing[] = {")", "]", "}", "”", "’", "»", "」", "）", NULL};
    static const char *const separators[] = {",", ";", ":", "，", "、", "；", "：", NULL};
    static const char *const dashes[] = {"-", "--", "–", "—", "/", NULL};
    static const char *const wide_stops[] = {"…", "。", "！", "？", NULL};
    const char *text = s->line + s->token[t].begin;
    if (s->token[t].begin == s->token[t].end)
        return TZ_ROLE_WORD;
    if (tz_has_word(s, t)) {
        if (in_footnote(s, t))
            return TZ_ROLE_NOTE;
        bool apostrophe = tz_apostrophe(text, s->token[t].end - s->token[t].begin) > 0;
        return apostrophe && !tz_blank_before(s, t) ? TZ_ROLE_CLITIC : TZ_ROLE_WORD;
    }
    if (is_one_of(s, t, dashes))
        return tz_blank_before(s, t) || tz_blank_after(s, t) ? TZ_ROLE_SEPARATOR : TZ_ROLE_JOINER;
    return is_one_of(s, t, quotes)                                       ? TZ_ROLE_QUOTE
           : is_one_of(s, t, opening)                                    ? TZ_ROLE_OPENING
           : is_one_of(s, t, closing)                                    ? TZ_ROLE_CLOSING
           : is_one_of(s, t, separators)                                 ? TZ_ROLE_SEPARATOR
           : strchr(".!?", *text) != NULL || is_one_of(s, t, wide_stops) ? TZ_ROLE_STOP
                                                                         : TZ_ROLE_OTHER;
}

static bool is_comma(const tz_kept *s, size_t t) {
    static const char *const commas[] = {",", "，", NULL};
    return is_one_of(s, t, commas);
}

/* What commas stand between: words, $ and the like. */
static bool is_content(const tz_kept *s, size_t t) {
    tz_role role = tz_role_of(s, t);
    return role == TZ_ROLE_WORD || role == TZ_ROLE_CLITIC || role == TZ_ROLE_OTHER;
}

static bool is_quote(const tz_kept *s, size_t t) {
    static const char *const closing[] = {"\"", "''", "'", "”", "’", NULL};
    return is_one_of(s, t, closing);
}

bool tz_quote_opens(const tz_kept *s, size_t t) {
    return !tz_blank_after(s, t) &&
           (tz_blank_before(s, t) || tz_role_of(s, t - 1) == TZ_ROLE_OPENING);
}

/* ---- Hyphens, footnotes, pairs --------------------------------------------------------------- */

static void place_joiners(const tz_kept *s) {
    for (size_t t = 1; t + 1 < s->count; t++)
        if (tz_role_of(s, t) == TZ_ROLE_JOINER)
            s->shown[t] = s->shown[t - 1] && s->shown[t + 1];
}

static void drop_footnotes(const tz_kept *s) {
    size_t end = 0;
    for (size_t t = 0; t < s->count; t++) {
        size_t notes = footnotes_end(s, t);
        end = notes > s->token[t].begin ? notes : end;
        s->shown[t] = s->shown[t] && s->token[t].begin >= end;
    }
}

typedef struct mark {
    size_t at, words, shown; /* the token; words before it, and those shown */
    tz_role role;
} mark;

/* One without a partner; but an apostrophe goes with the word that it stands behind, as 6" does,
 * and a quotation may begin with this sentence or end with it. */
static void place_alone(const tz_kept *s, size_t t) {
    if (is_quote(s, t) && (t == 0 || t + 1 == s->count)) {
        s->shown[t] = true;
        return;
    }
    const char *text = s->line + s->token[t].begin;
    bool behind = t > 0 && !tz_blank_before(s, t) && tz_has_word(s, t - 1);
    bool part = behind && (tz_apostrophe(text, s->token[t].end - s->token[t].begin) > 0 ||
                           (text[-1] >= '0' && text[-1] <= '9'));
    s->shown[t] = s->shown[t] && part && s->shown[t - 1];
}

/* all: words that are shown. Quotation marks stay away where
 * all that is shown stands between them. */
static void place_pair(const tz_kept *s, const mark *first, size_t t, size_t words, size_t shown,
                       size_t all) {
    bool any = words > first->words, none = any && shown == first->shown;
    bool whole = any && shown - first->shown == words - first->words;
    bool both = s->shown[t] && s->shown[first->at];
    bool bracket =
        first->role != TZ_ROLE_QUOTE && strchr("([{", s->line[s->token[first->at].begin]) != NULL;
    bool part = bracket || shown - first->shown < all;
    s->shown[t] = s->shown[first->at] = !none && (both || (part && whole));
}

/* "I" is who speaks, not who writes: where it is shown, so are the quotation marks around it. */
static void place_own_words(const tz_kept *s, const mark *first, size_t t) {
    static const char *const own[] = {"I",   "i",   "We", "we", "My", "my",
                                      "Our", "our", "me", "us", NULL};
    for (size_t w = first->at + 1; w < t; w++)
        if (s->shown[w] && is_one_of(s, w, own))
            s->shown[first->at] = s->shown[t] = true;
}

static bool is_word(const tz_kept *s, size_t t) {
    tz_role role = tz_role_of(s, t);
    return role == TZ_ROLE_WORD || role == TZ_ROLE_OTHER;
}

static void place_pairs(const tz_kept *s) {
    enum { DEPTH = 32 };
    mark open[DEPTH];
    size_t depth = 0, words = 0, shown = 0, all = 0;
    for (size_t t = 0; t < s->count; t++)
        all += s->shown[t] && is_word(s, t);
    for (size_t t = 0; t < s->count; t++) {
        tz_role role = tz_role_of(s, t);
        words += is_word(s, t);
        shown += s->shown[t] && is_word(s, t);
        if (role != TZ_ROLE_QUOTE && role != TZ_ROLE_OPENING && role != TZ_ROLE_CLOSING)
            continue;
        bool quote = role == TZ_ROLE_QUOTE;
        bool begins = role == TZ_ROLE_OPENING || (quote && tz_quote_opens(s, t));
        size_t partner = depth;
        while (!begins && partner > 0 && (open[partner - 1].role == TZ_ROLE_QUOTE) != quote)
            partner--;
        if (begins && depth < DEPTH) {
            open[depth++] = (mark){t, words, shown, role};
        } else if (!begins && partner > 0) {
            place_pair(s, &open[partner - 1], t, words, shown, all);
            if (is_quote(s, t))
                place_own_words(s, &open[partner - 1], t);
            while (depth-- > partner)
                place_alone(s, open[depth].at);
        } else if (!begins) {
            place_alone(s, t);
        }
    }
    while (depth-- > 0)
        place_alone(s, open[depth].at);
}

/* ---- Between two kept words ------------------------------------------------------------------ */

/* Is the word below another one in the sentence's tree, or that one? */
static bool is_under(const tz_kept_tree *tree, size_t count, int32_t word, int32_t top) {
    for (size_t steps = 0; word > 0 && word != top && steps <= count; steps++)
        word = tree->head[word];
    return word == top;
}

/* Does the subject end with token a and its predicate go on with token b? Not where a comma that is
 * shown stands in the subject: the one behind it belongs to that. */
static bool subject_then_predicate(const tz_kept *s, size_t a, size_t b) {
    const tz_kept_tree *tree = s->opt_tree;
    int32_t next = (int32_t)b + 1, w = (int32_t)a + 1;
    for (size_t steps = 0; tree && w > 0 && steps <= s->count; steps++, w = tree->head[w]) {
        int32_t verb = tree->head[w];
        if (strncmp(tree->deprel[w], "nsubj", 5) != 0 || (next != verb && tree->head[next] != verb))
            continue;
        for (size_t t = 0; t < a; t++)
            if (s->shown[t] && is_comma(s, t) && is_under(tree, s->count, (int32_t)t + 1, w))
                return false;
        return strcmp(tree->deprel[next], "cc") != 0;
    }
    return false;
}

/* Does token b begin what is joined to something that ends with token a: red[, green], blue? */
static bool list_goes_on(const tz_kept *s, size_t a, size_t b) {
    const tz_kept_tree *tree = s->opt_tree;
    int32_t w = (int32_t)b + 1;
    if (!tree || strcmp(tree->deprel[w], "cc") == 0)
        return false;
    for (size_t steps = 0; tree->head[w] > w && steps <= s->count; steps++)
        w = tree->head[w];
    return strcmp(tree->deprel[w], "conj") == 0 && tree->head[w] > 0 &&
           !is_under(tree, s->count, (int32_t)a + 1, w) &&
           is_under(tree, s->count, (int32_t)a + 1, tree->head[w]);
}

static bool is_named(const char *name, const char *const *list) {
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* Does token a need what follows, so that no comma parts them? By the tree: a function word that
 * stands before its head; what modifies a word from b on; and a verb before its object, its clause
 * or an infinitive. */
static bool needs_next(const tz_kept *s, size_t a, size_t b) {
    static const char *const function[] = {"det", "nmod:poss", "case", "mark", "cc", NULL};
    static const char *const modifier[] = {"amod", "nummod",   "compound", "aux",
                                           "cop",  "aux:pass", NULL};
    static const char *const argument[] = {"obj", "iobj", "xcomp", "ccomp", NULL};
    static const char *const to[] = {"to", NULL};
    const tz_kept_tree *tree = s->opt_tree;
    int32_t w = (int32_t)b + 1, here = (int32_t)a + 1;
    if (!tree)
        return false;
    if ((tree->head[here] > here && is_named(tree->deprel[here], function)) ||
        (tree->head[here] >= w && is_named(tree->deprel[here], modifier)))
        return true;
    if (s->shown[b - 1] && !is_content(s, b - 1)) /* he said, "It rained" */
        return false;
    bool infinitive = is_one_of(s, b, to) && strcmp(tree->deprel[w], "mark") == 0;
    for (size_t steps = 0; tree->head[w] > w && steps <= s->count; steps++)
        w = tree->head[w];
    return tree->head[w] == here && (infinitive || is_named(tree->deprel[w], argument));
}

bool tz_ends_sentence(const tz_kept *s, size_t t) {
    size_t begin = t + 1, depth = 0; /* not [1] behind it */
    bool blank = tz_blank_after(s, t);
    for (; begin < s->count && (depth > 0 || !tz_has_word(s, begin)); begin++) {
        blank = blank || tz_blank_after(s, begin);
        depth += s->line[s->token[begin].begin] == '[';
        depth -= depth > 0 && s->line[s->token[begin].begin] == ']';
    }
    return tz_role_of(s, t) == TZ_ROLE_STOP && blank && begin < s->count &&
           tz_has_capital(s, begin);
}

/* The colon right before token b, but for marks; b: there is none. */
static size_t colon_before(const tz_kept *s, size_t a, size_t b) {
    static const char *const colons[] = {":", "：", NULL};
    for (size_t t = b; t-- > a + 1 && !is_content(s, t);)
        if (is_one_of(s, t, colons))
            return t;
    return b;
}

/* Tokens a and b are shown, and no content between them is. */
static void rebuild_gap(const tz_kept *s, size_t a, size_t b) {
    size_t commas = 0, first = 0, depth = 0, stop = 0, semicolon = 0;
    bool words = false, comma_shown = false;
    for (size_t t = a + 1; t < b; t++) {
        tz_role role = tz_role_of(s, t);
        bool comma = is_comma(s, t) && depth == 0;
        words = words || is_content(s, t);
        depth += role == TZ_ROLE_OPENING;
        depth -= role == TZ_ROLE_CLOSING && depth > 0;
        comma_shown = comma_shown || (comma && s->shown[t]);
        semicolon = depth == 0 && s->line[s->token[t].begin] == ';' ? t : semicolon;
        first = comma && commas == 0 ? t : first;
        commas += comma;
        stop = stop == 0 && tz_ends_sentence(s, t) ? t : stop;
    }
    for (size_t t = a + 1; t < b && !words; t++) {
        tz_role role = tz_role_of(s, t);
        s->shown[t] = s->shown[t] || role == TZ_ROLE_SEPARATOR || role == TZ_ROLE_STOP;
    }
    if (!words)
        return;
    const size_t mark = semicolon > 0 ? semicolon : colon_before(s, a, b);
    if (stop > 0) {
        bool speech = is_quote(s, b - 1) && is_comma(s, b - 2); /* "No. No," she said */
        stop = speech ? b - 2 : stop;
        for (size_t t = a + 1; t < b; t++) {
            tz_role role = tz_role_of(s, t);
            bool other = role != TZ_ROLE_SEPARATOR && role != TZ_ROLE_STOP;
            s->shown[t] = t == stop || (s->shown[t] && other);
        }
    } else if (mark < b) {
        for (size_t t = a + 1; t < b; t++)
            s->shown[t] = t == mark || (s->shown[t] && tz_role_of(s, t) != TZ_ROLE_SEPARATOR);
    } else if (commas > 0 && !comma_shown) {
        s->shown[first] = commas % 2 == 1 ? !subject_then_predicate(s, a, b) && !needs_next(s, a, b)
                                          : list_goes_on(s, a, b);
    }
}

/* Marks that lost what they separate, at a gap. */
static void drop_separators(const tz_kept *s) {
    size_t last = SIZE_MAX; /* the token shown last */
    for (size_t t = 0; t < s->count; t++) {
        if (!s->shown[t])
            continue;
        bool gap = last == SIZE_MAX ? t > 0 : t > last + 1;
        tz_role here = tz_role_of(s, t);
        tz_role before = last == SIZE_MAX ? TZ_ROLE_OPENING : tz_role_of(s, last);
        bool ends = here == TZ_ROLE_CLOSING || here == TZ_ROLE_STOP ||
                    (here == TZ_ROLE_QUOTE && !tz_blank_before(s, t));
        bool begins = before == TZ_ROLE_OPENING || before == TZ_ROLE_SEPARATOR;
        bool marks = here == TZ_ROLE_SEPARATOR || (here == TZ_ROLE_STOP && last == SIZE_MAX);
        if (gap && ((marks && begins) || (here == TZ_ROLE_CLITIC && before != TZ_ROLE_WORD))) {
            s->shown[t] = false;
            continue;
        }
        if (gap && before == TZ_ROLE_SEPARATOR && ends)
            s->shown[last] = false;
        last = t;
    }
}

/* ---- The end --------------------------------------------------------------------------------- */

/* The first stop from token t to the next word; count: none. */
static size_t stop_from(const tz_kept *s, size_t t) {
    while (t < s->count && !tz_has_word(s, t) && tz_role_of(s, t) != TZ_ROLE_STOP)
        t++;
    return t < s->count && tz_role_of(s, t) == TZ_ROLE_STOP ? t : s->count;
}

/* Of marks behind the last word shown, the stop of its own clause, else of the sentence. An
 * abbreviation's own full stop will do. Returns whether a stop is to be added: the sentence ends
 * with a mark, but not with one that can end this. */
static bool rebuild_end(const tz_kept *s) {
    size_t last = SIZE_MAX, end = 0;
    for (size_t t = 0; t < s->count; t++) {
        last = s->shown[t] && is_content(s, t) ? t : last;
        end = is_content(s, t) ? t + 1 : end;
    }
    if (last == SIZE_MAX)
        return false;
    size_t own = stop_from(s, last + 1), whole = stop_from(s, end);
    bool shown = own < s->count && s->line[s->token[own].begin] != '.';
    size_t stop = shown ? own : whole;
    bool dotted = s->line[s->token[last].end - 1] == '.';
    bool mark = end < s->count && stop == s->count && tz_role_of(s, end) == TZ_ROLE_SEPARATOR;
    for (size_t t = last + 1; t < s->count; t++) {
        tz_role role = tz_role_of(s, t);
        bool full_stop =
            s->token[t].end - s->token[t].begin == 1 && s->line[s->token[t].begin] == '.';
        s->shown[t] = t == stop ? !(full_stop && dotted)
                                : s->shown[t] && role != TZ_ROLE_STOP && role != TZ_ROLE_SEPARATOR;
        dotted = dotted && !s->shown[t];
    }
    return mark && !dotted;
}

size_t tz_stop_within(const tz_kept *s, size_t t) {
    static const char *const closing[] = {"\"", "''", "”", NULL};
    size_t next = t + 1;
    if (t == 0 || !is_one_of(s, t, closing) || s->shown[t - 1] || !is_comma(s, t - 1))
        return t;
    while (next < s->count && !s->shown[next])
        next++;
    return next < s->count && tz_role_of(s, next) == TZ_ROLE_STOP ? next : t;
}

static bool all_shown(const tz_kept *s) {
    for (size_t t = 0; t < s->count; t++)
        if (!s->shown[t])
            return false;
    return true;
}

size_t tz_marker_tokens(const tz_kept *s) {
    size_t begin = s->count > 0 ? s->token[0].begin : 0, end = 0;
    size_t size = s->count > 0 ? s->token[s->count - 1].end - begin : 0, tokens = 0;
    end = begin + tz_line_marker(s->line + begin, size);
    while (tokens < s->count && s->token[tokens].end <= end)
        tokens++;
    return tokens < s->count && end > begin ? tokens : 0;
}

bool tz_rebuild_marks(const tz_kept *s) {
    if (all_shown(s))
        return false;
    place_joiners(s);
    drop_footnotes(s);
    place_pairs(s);
    size_t last = SIZE_MAX;
    for (size_t t = 0; t < s->count; t++) {
        if (!s->shown[t] || !is_content(s, t))
            continue;
        if (last != SIZE_MAX)
            rebuild_gap(s, last, t);
        last = t;
    }
    bool stop = rebuild_end(s);
    drop_separators(s);
    for (size_t t = 0; last != SIZE_MAX && t < tz_marker_tokens(s); t++)
        s->shown[t] = true;
    return stop;
}
