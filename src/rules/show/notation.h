/* notation.h - the header of a rule file, for all who print one: figures, charged rule sets and
 * optimised ones. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_SHOW_NOTATION_H
#define TZ_RULES_SHOW_NOTATION_H

#include <stdio.h>

#include "base/text.h"
#include "rules/table.h"

/* Where the lines go, and how they look. */
typedef struct tz_notation {
    const tz_rules *rules;
    FILE *file; /* NULL: to the text */
    tz_text *text;
    bool columns; /* declarations stand in columns */
} tz_notation;

void tz_put(const tz_notation *to, const char *text);
/* A keyword, with blanks up to where its line goes on. */
void tz_put_keyword(const tz_notation *to, const char *keyword);

/* The comment above the rule set, and its name: NAME, cut where needed to leave room for END. */
void tz_put_title(const tz_notation *to, const char *name, const char *end);
/* cite, count, ambiguous and structures; counts only where they still hold. */
void tz_put_claims(const tz_notation *to, bool counts);
/* The lengths, and one more if it is not NULL. */
void tz_put_lengths(const tz_notation *to, const char *opt_more);
/* names, input, weight and relation, of the declared weights. */
void tz_put_declarations(const tz_notation *to);
/* Needs columns. */
void tz_put_items(const tz_notation *to);
void tz_put_resources(const tz_notation *to);

/* A rule as a figure: its premises above the line, beside it weights and the condition, below it
 * the conclusion. A zeroed one is empty. */
typedef struct tz_figure {
    tz_text above, beside, below;
} tz_figure;

void tz_figure_premise(tz_figure *figure, const char *text);
void tz_figure_side(tz_figure *figure, const char *text);
void tz_figure_weight(tz_figure *figure, const tz_notation *to, const char *text);
/* Puts it and empties it; note: a comment above it, or "". What failed in it fails in to->text. */
void tz_put_figure(const tz_notation *to, tz_figure *figure, const char *note, const char *name);
/* A rule of these, whose terms are written by their names. */
void tz_put_rule(const tz_notation *to, const tz_rules *rules, const tz_rule *rule,
                 const char *name, tz_figure *figure);
void tz_figure_free(tz_figure *figure);

/* The comment of a declaration whose line has `size` bytes, if there is room for it. */
void tz_put_comment(const tz_notation *to, size_t size, const char *comment);

#endif
