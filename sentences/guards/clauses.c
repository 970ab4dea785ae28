/* clauses.c - what a clause is nothing without: a main clause to stand in, what a relative pronoun
 * is for, pronouns and clauses that a verb takes, and phrases that say which ones are meant.
 * SPDX-License-Identifier: MIT */
#include "sentences/guards/finding.h"

static bool has_mark_between(const finding *f, int32_t from, int32_t to) {
    for (int32_t w = from; w < to; w++)
        if (f->is[w] & (TZ_IS_MARK | TZ_IS_STOP))
            return true;
    return false;
}

/* The head of a main clause: the tree's root, and what is joined to one or said in one, or is said
 * to be so ("a reminder that"); with a subject, and no question within a sentence. */
static bool is_main(const finding *f, int32_t w) {
    for (int32_t steps = 0; steps <= f->n; w = head(f, w), steps++) {
        if (head(f, w) <= 0)
            return head(f, w) == 0;
        bool asked = f->is[f->first[w]] & TZ_IS_WH && f->first[w] != w;
        bool joined = is_relation(f, w, "conj");
        bool that = is_relation(f, w, "acl") && has_mark(f, w, false);
        if (asked || !(joined || that || among(f->table->main, relation(f, w))) ||
            (!joined && !child_of(f, w, f->table->subject)))
            return false;
    }
    return false;
}

/* The finite verb of what is said by whom word w says it last: of "rained" for "said" of "It
 * rained, Ann said"; 0. */
static int32_t said_last(const finding *f, int32_t w) {
    if (!listed(f, TZ_LIST_SAY, w) || !(f->is[w + 1] & TZ_IS_STOP))
        return 0;
    int32_t comma = nearest(f, w - 1, -1, TZ_IS_MARK, TZ_IS_STOP);
    return comma > 0 ? nearest(f, comma - 1, -1, TZ_IS_FINITE, TZ_IS_STOP) : 0;
}

/* Main clauses by the tree, and what is said last, which trees often have wrong. */
static void find_main(finding *f) {
    for (int32_t w = 1; w <= f->n; w++)
        f->main[w] = is_main(f, w);
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t verb = said_last(f, w);
        if (verb > 0 && among(f->table->auxiliary, relation(f, verb)) && head(f, verb) > 0)
            verb = head(f, verb);
        f->main[verb] = true;
    }
}

/* "the ones who got it": not "who got it". By the tree, or the noun before it. */
static void apply_relatives(finding *f) {
    for (int32_t w = 2; w <= f->n; w++) {
        if (!is_tag(f, w, "WDT") && !is_tag(f, w, "WP"))
            continue;
        int32_t c = w, before = f->is[w - 1] & TZ_IS_MARK ? w - 2 : w - 1;
        for (int32_t steps = 0; c > 0 && steps <= f->n; c = head(f, c), steps++)
            if (is_relation(f, c, "acl:relcl"))
                break;
        if (c > 0 && head(f, c) > 0 && head(f, c) < w)
            put(f, TZ_GUARD_MAIN, w, head(f, c), TZ_GUARD_UNNAMED);
        else if (before > 0 && f->is[before] & TZ_IS_NOUN)
            put(f, TZ_GUARD_MAIN, w, before, TZ_GUARD_UNNAMED);
    }
}

/* "turn it into a path", "tell us": a pronoun; "expected it to behave": a clause with its own
 * subject; "sorry to lose you". */
static void apply_complements(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t h = head(f, w), verb = h > 0 && is_relation(f, h, "obj") ? head(f, h) : h;
        if (h < 1)
            continue;
        bool object = is_relation(f, w, "obj") || is_relation(f, w, "iobj");
        if (object && listed(f, TZ_LIST_OBJECT, w))
            put(f, TZ_GUARD_OBJECT, h, w, TZ_GUARD_FIRM);
        if (is_relation(f, w, "ccomp") && h < w && listed(f, TZ_LIST_TELL, h))
            put(f, TZ_GUARD_OBJECT, h, w, TZ_GUARD_NEVER);
        if (verb > 0 && verb < w && has_mark(f, w, true) &&
            (listed(f, TZ_LIST_CONTROL, verb) || is_tag(f, verb, "JJ")))
            put_both(f, TZ_GUARD_OBJECT, verb, w, TZ_GUARD_UNNAMED);
    }
}

/* Is it a finite verb of more than one, or has it such an auxiliary? */
static bool is_plural(const finding *f, int32_t h) {
    for (int32_t w = f->first[h]; w <= h; w++)
        if ((w == h || (head(f, w) == h && among(f->table->auxiliary, relation(f, w)))) &&
            (is_tag(f, w, "VBP") || strcmp(f->sentence->form[w], "were") == 0))
            return true;
    return false;
}

/* "Ann and Bo were there": not "Ann were there". The last of them, with "and". */
static void apply_numbers(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t c = head(f, w), s = c > w && is_relation(f, c, "conj") ? head(f, c) : 0;
        if (s > 0 && is_relation(f, w, "cc") && head(f, s) > c &&
            (is_tag(f, s, "NN") || is_tag(f, s, "NNP")) &&
            among(f->table->subject, relation(f, s)) && is_plural(f, head(f, s)))
            put(f, TZ_GUARD_SUBJECT, s, c, TZ_GUARD_WHOLE);
    }
}

/* "an estimated 300 people": not "an 300 people". */
static void apply_articles(finding *f) {
    for (int32_t d = 1; d + 2 <= f->n; d++)
        if (listed(f, TZ_LIST_ONE, d) && f->is[d + 2] & (TZ_IS_NUMBER | TZ_IS_UNIT) &&
            !(f->is[d + 1] & (TZ_IS_NUMBER | TZ_IS_UNIT)) && !is_tag(f, d + 3, "HYPH"))
            put(f, TZ_GUARD_PHRASE, d, d + 1, TZ_GUARD_NEVER);
}

/* "It rained, Ann said": not "Ann said"; by the tree, and by the comma before who speaks last. */
static void apply_said(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t h = head(f, w), verb = said_last(f, w);
        if (h > w && listed(f, TZ_LIST_SAY, h) && is_relation(f, w, "ccomp"))
            put(f, TZ_GUARD_OBJECT, h, w, TZ_GUARD_NEVER);
        if (verb > 0)
            put(f, TZ_GUARD_OBJECT, w, verb, TZ_GUARD_NEVER);
    }
}

/* "Failing to do this may damage the seal": what does? The subject may be a clause, whatever the
 * tree says. */
static void apply_gerunds(finding *f) {
    int32_t w = 1;
    while (w <= f->n && !(f->is[w] & TZ_IS_CONTENT))
        w++;
    if (w > f->n || !is_tag(f, w, "VBG") || among(f->table->within, relation(f, w)))
        return;
    int32_t verb = nearest(f, w + 1, 1, TZ_IS_FINITE, TZ_IS_STOP | TZ_IS_MARK | TZ_IS_WH);
    int32_t main = verb > 0 && among(f->table->auxiliary, relation(f, verb)) ? head(f, verb) : verb;
    for (int32_t x = w; x < verb; x++)
        put(f, TZ_GUARD_LIMIT, main, x, TZ_GUARD_UNNAMED);
}

/* "those who ...", "something we did not do", "guests who arrive late", "groups of more than ten",
 * "closed to lorries". */
static void apply_limits(finding *f) {
    for (int32_t c = 1; c <= f->n; c++) {
        int32_t h = head(f, c);
        if (h < 1 || h > c)
            continue;
        if (is_relation(f, c, "acl:relcl") && !has_mark_between(f, h, c)) {
            bool plural = is_tag(f, h, "NNS") && among(f->table->subject, relation(f, h)) &&
                          !child_of(f, h, f->table->possessor);
            if (listed(f, TZ_LIST_ANY, h) || is_tag(f, h, "JJS") || plural)
                put(f, TZ_GUARD_LIMIT, h, c, TZ_GUARD_UNNAMED);
        }
        bool some = is_relation(f, c, "nmod") && is_tag(f, h, "NNS");
        for (int32_t w = f->first[c]; some && w < c; w++)
            if (f->is[w] & (TZ_IS_BOUND | TZ_IS_ABOUT) && f->is[w + 1] & TZ_IS_NUMBER)
                put(f, TZ_GUARD_LIMIT, h, c, TZ_GUARD_UNNAMED);
        int32_t to = is_relation(f, c, "obl") ? child_of(f, c, f->table->adposition) : 0;
        if (to > 0 && is_tag(f, h, "JJ") && listed(f, TZ_LIST_TO, to))
            put(f, TZ_GUARD_LIMIT, h, c, TZ_GUARD_UNNAMED);
    }
}

/* "I forgot to mention.", "You know.": what? */
static void apply_incomplete(finding *f) {
    for (int32_t i = 1; i <= f->n; i++)
        for (int32_t j = i + 2; listed(f, TZ_LIST_SAY, i) && j <= f->n + 1; j++)
            if (f->is[j] & (TZ_IS_STOP | TZ_IS_MARK) && f->is[i] & TZ_IS_VERB &&
                on(f, TZ_GUARD_OBJECT))
                f->apart[at(f, i, j)] = 1 + TZ_GUARD_OBJECT;
}

void tz_guards_clauses(finding *f) {
    find_main(f);
    apply_relatives(f);
    apply_complements(f);
    apply_numbers(f);
    apply_articles(f);
    apply_said(f);
    apply_gerunds(f);
    apply_limits(f);
    apply_incomplete(f);
}
