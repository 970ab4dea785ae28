/* adjuncts.c - of text that is no news, only adjuncts may be left out, each whole: beyond that,
 * what the model of news makes of it is worse than the text. SPDX-License-Identifier: MIT */
#include "sentences/guards/finding.h"

/* The first word of the phrase of c that is no mark. */
static int32_t opening(const finding *f, int32_t c) {
    int32_t w = f->first[c];
    while (w < c && f->is[w] & TZ_IS_MARK)
        w++;
    return w;
}

/* The last word of the phrase of c that is no mark. */
static int32_t ending(const finding *f, int32_t c) {
    int32_t w = f->last[c];
    while (w > c && f->is[w] & (TZ_IS_MARK | TZ_IS_STOP))
        w--;
    return w;
}

/* Is a mark, or an end of the sentence, on either side of the phrase of c? */
static bool is_set_off(const finding *f, int32_t c) {
    int32_t first = opening(f, c), last = ending(f, c);
    return (first == 1 || f->is[first - 1] & TZ_IS_MARK) &&
           f->is[last + 1] & (TZ_IS_MARK | TZ_IS_STOP);
}

/* Is what follows the phrase of c said of it, whatever the tree says: "in the garden if it is dry",
 * "which is good, but also means", "on the other side, but that is not so"? */
static bool is_taken_up(const finding *f, int32_t c) {
    int32_t next = ending(f, c) + 1;
    bool mark = f->is[next] & TZ_IS_MARK;
    next += mark;
    return f->is[next] & TZ_IS_CONDITION || listed(f, TZ_LIST_BUT, next) ||
           (mark && is_relation(f, next, "cc") && f->is[next + 1] & TZ_IS_FINITE);
}

/* Is it behind a phrase of its verb? The first one there may be what the verb takes, and where a
 * pronoun is the first, the second: "leave it at the desk". */
static bool is_further(const finding *f, int32_t c) {
    for (int32_t x = head(f, c) + 1; x < f->first[c]; x++)
        if (head(f, x) == head(f, c) && !is_tag(f, x, "PRP") &&
            (among(f->table->complement, relation(f, x)) ||
             among(f->table->adjunct, relation(f, x))))
            return true;
    return false;
}

/* Does the clause of c go on behind a mark within it? Trees take the main verb into the clause
 * before it: "my aunt, who taught me, never owned one". */
static bool goes_on(const finding *f, int32_t c) {
    int32_t mark = nearest(f, opening(f, c), 1, TZ_IS_MARK, TZ_IS_STOP);
    return mark > 0 && nearest(f, mark + 1, 1, TZ_IS_FINITE, TZ_IS_STOP) > 0 &&
           nearest(f, mark + 1, 1, TZ_IS_FINITE, TZ_IS_STOP) <= f->last[c];
}

/* Is it a finite verb that says what is so, with no condition, negation, "must", "may" or "there"?
 * Of others what stands beside them may be what counts: "did not stop at night". */
static bool is_plain(const finding *f, int32_t h) {
    bool finite = f->is[h] & TZ_IS_FINITE;
    if (f->is[h] & (TZ_IS_NEGATED | TZ_IS_CONDITIONAL) || !(f->is[h] & TZ_IS_VERB))
        return false;
    for (int32_t c = f->first[h]; c < h; c++) {
        if (head(f, c) != h)
            continue;
        if (f->is[c] & TZ_IS_BEFORE || relation(f, c) == f->table->expletive)
            return false;
        finite |= f->is[c] & TZ_IS_FINITE && among(f->table->auxiliary, relation(f, c));
    }
    return finite;
}

/* One more clause, with a comma or "and", about somebody or something else: its subject is no
 * pronoun. It is the last one or before the last, of no question, and nothing is weighed against
 * anything ("but", "if"). */
static bool is_one_more(const finding *f, int32_t c) {
    int32_t subject = child_of(f, c, f->table->subject), open = opening(f, c);
    int32_t next = f->last[c] + 1;
    if (!(f->is[c] & TZ_IS_CLAUSE) || head(f, c) > c || subject == 0 || is_tag(f, subject, "PRP") ||
        strcmp(f->sentence->form[f->n], "?") == 0)
        return false;
    for (int32_t w = 1; w < c; w++)
        if (f->is[w] & TZ_IS_CONDITION || listed(f, TZ_LIST_BUT, w) ||
            (w <= 2 && f->is[w] & TZ_IS_WH))
            return false;
    while (next <= f->n && f->is[next] & TZ_IS_MARK)
        next++;
    return (f->is[next] & TZ_IS_STOP || is_relation(f, next, "cc")) &&
           (strcmp(f->sentence->form[open], "and") == 0 || f->is[open - 1] & TZ_IS_MARK);
}

/* Is it one of a list: is another one joined to its head? */
static bool is_listed(const finding *f, int32_t c) {
    for (int32_t x = c + 1; x <= f->last[head(f, c)]; x++)
        if (head(f, x) == head(f, c) && is_relation(f, x, "conj"))
            return true;
    return false;
}

static bool is_adjunct(const finding *f, int32_t c) {
    const unsigned never = TZ_IS_NEGATION | TZ_IS_NEGATED | TZ_IS_CONDITION | TZ_IS_CONDITIONAL |
                           TZ_IS_ADVERB | TZ_IS_BOUND | TZ_IS_ABOUT | TZ_IS_WH;
    int32_t h = head(f, c), open = opening(f, c);
    if (is_relation(f, c, "punct")) /* and quotation marks as what stands in them */
        return f->is[c] & (TZ_IS_MARK | TZ_IS_STOP);
    if (open > 1 && strcmp(f->sentence->form[open - 1], ":") == 0)
        return false; /* "Ann: it rains" */
    if (is_relation(f, c, "cc"))
        return c == 1 && !listed(f, TZ_LIST_BUT, c);
    if (is_relation(f, c, "conj"))
        return is_one_more(f, c);
    if (is_relation(f, c, "discourse") || is_relation(f, c, "vocative"))
        return !(f->is[c] & TZ_IS_NEGATION);
    bool named = is_relation(f, c, "acl:relcl") || is_relation(f, c, "acl");
    if (named || is_relation(f, c, "appos")) /* "who" begins it */
        return c > h && is_set_off(f, c) && !is_taken_up(f, c) &&
               (named ? !goes_on(f, c) : !is_listed(f, c));
    if ((f->is[c] | f->is[open]) & never)
        return false;
    bool loose = c < h ? is_plain(f, h) : is_plain(f, h) && is_further(f, c);
    bool bare = is_relation(f, c, "obl:unmarked");
    if (is_relation(f, c, "advmod"))
        return is_tag(f, c, "RB") && !listed(f, TZ_LIST_FOCUS, c) && (loose || is_set_off(f, c));
    if (bare || is_relation(f, c, "obl")) {
        bool place = listed(f, TZ_LIST_PLACE, open) && !is_tag(f, open + 1, "IN");
        return !is_taken_up(f, c) && (c < h ? is_set_off(f, c) : loose && (bare || place));
    }
    return is_relation(f, c, "advcl") &&
           (listed(f, TZ_LIST_REASON, open) || (is_tag(f, c, "VBG") && is_set_off(f, c)));
}

void tz_guards_adjuncts(finding *f) {
    if (!on(f, TZ_GUARD_ADJUNCT))
        return;
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t a = w;
        for (int32_t steps = 0; a > 0 && steps <= f->n && !is_adjunct(f, a); steps++)
            a = head(f, a);
        f->must[w] = a == 0;
    }
    for (int32_t c = 1; c <= f->n; c++) {
        if (f->must[c] || head(f, c) < 1 || is_relation(f, c, "punct"))
            continue;
        put(f, TZ_GUARD_ADJUNCT, c, head(f, c), TZ_GUARD_NEVER);
        if (!is_adjunct(f, c))
            put(f, TZ_GUARD_ADJUNCT, head(f, c), c, TZ_GUARD_NEVER);
    }
}
