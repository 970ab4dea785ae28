/* register.c - is a sentence written as news is? What the model learned of is the first sentences
 * of news: long, full of names, about others, and they begin with who or what.
 *
 * SPDX-License-Identifier: MIT */
#include "sentences/guards/finding.h"

/* "Close the door": the verb of an order heads its clause as finite ones do. */
static bool find_orders(finding *f) {
    bool any = false;
    for (int32_t w = 1; w <= f->n; w++)
        if (head(f, w) == 0 && f->is[w] & TZ_IS_VERB && !(f->is[w] & TZ_IS_CLAUSE) &&
            (is_tag(f, w, "VB") || is_tag(f, w, "GW")) && !child_of(f, w, f->table->subject) &&
            !has_mark(f, w, true))
            f->is[w] |= TZ_IS_CLAUSE, any = true;
    return any;
}

/* Is it of a list, or said by whom a list names: "Action: ", "Ann Lee: "? */
static bool is_listing(const finding *f) {
    static const char *const markers[] = {"LS", "NFP", "HYPH", ":"};
    enum { NEAR = 3 };
    for (size_t m = 0; m < sizeof markers / sizeof *markers && f->n > 0; m++)
        if (is_tag(f, 1, markers[m]))
            return true;
    for (int32_t w = 2; w <= NEAR && w < f->n; w++)
        if (strcmp(f->sentence->form[w], ":") == 0)
            return true;
    return false;
}

/* Is it about the writer or the reader, a question, or of a list? Quotations do not count. */
static bool is_talk(const finding *f) {
    bool quoted = false;
    if (is_listing(f))
        return true;
    for (int32_t w = 1; w <= f->n; w++) {
        const char *form = f->sentence->form[w];
        if (strcmp(form, "\"") == 0)
            quoted = !quoted;
        else if (strcmp(form, "``") == 0 || strcmp(form, "\u201c") == 0)
            quoted = true;
        else if (strcmp(form, "''") == 0 || strcmp(form, "\u201d") == 0)
            quoted = false;
        bool numeral = f->is[w - 1] & TZ_IS_NAME || is_tag(f, w + 1, "HYPH"); /* "Division I" */
        if (!quoted && !numeral && (listed(f, TZ_LIST_TALK, w) || is_tag(f, w, "UH")))
            return true;
    }
    return f->n > 0 && strcmp(f->sentence->form[f->n], "?") == 0;
}

/* Has it the points of news? Words; each name, and each word that is rare in news, of so many at
 * most; and a beginning that is neither a noun nor before one. They are rounded weights of a
 * logistic regression that tells 3,000 sentences of news from EWT's mail, reviews and answers. */
static bool is_leading(const finding *f) {
    enum { NAME = 5, NAMES = 4, PLAIN = -5, PLAINS = 5, BEGINNING = -13, LEAST = 15 };
    static const char *const beginning[] = {"NN",  "NNS", "NNP", "NNPS", "JJ",  "JJR", "JJS", "DT",
                                            "PDT", "CD",  "$",   "``",   "VBZ", "VBP", "MD"};
    int32_t names = 0, plain = 0, points = f->n + BEGINNING;
    for (int32_t w = 1; w <= f->n; w++) {
        names += (f->is[w] & TZ_IS_NAME) && names < NAMES;
        plain += listed(f, TZ_LIST_PLAIN, w) && plain < PLAINS;
    }
    for (size_t b = 0; b < sizeof beginning / sizeof *beginning && f->n > 0; b++)
        points -= is_tag(f, 1, beginning[b]) ? BEGINNING : 0;
    return points + NAME * names + PLAIN * plain >= LEAST;
}

/* Without labels nothing is known of adjuncts. */
static bool is_labelled(const finding *f) {
    for (int32_t w = 1; w <= f->n; w++)
        if (is_relation(f, w, "root"))
            return true;
    return false;
}

void tz_guards_register(finding *f) {
    bool order = find_orders(f);
    f->news = !is_labelled(f) || (!order && !is_talk(f) && is_leading(f));
}
