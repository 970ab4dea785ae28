/* show.h - rule sets as figures: text, LaTeX, and Graphviz. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_SHOW_SHOW_H
#define TZ_RULES_SHOW_SHOW_H

#include <stdio.h>

#include "rules/table.h"

/* Each function writes UTF-8; ferror tells whether all of it was written. TZ_NO_MEMORY. */

/* The header, then every rule as an inference figure: a rule file that says the same, without
 * comments in other places. */
tz_status tz_show_text(const tz_rules *rules, FILE *file);
/* The same as a document for pdflatex, with nothing beyond amsmath and geometry. */
tz_status tz_show_latex(const tz_rules *rules, FILE *file);
/* The shape of derivations: kinds of items, and rules from premises to conclusion. */
tz_status tz_show_dot(const tz_rules *rules, FILE *file);
/* The order of evaluation. */
tz_status tz_show_order(const tz_rules *rules, FILE *file);

/* A draft of the compiler: kinds, rules or steps, groups, loops, as far as there are any. */
struct tz_draft;
void tz_show_draft(const struct tz_draft *draft, FILE *file);

enum { TZ_TERM_TEXT = 8192 };

/* `NAME[index,...]`, with these names for the columns of its indices, as "rtri[i,k+1]"; the number
 * of its bytes. */
size_t tz_term_text(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                    char ret_text[TZ_TERM_TEXT]);
/* The same for a declaration, "rtri[i,j]". */
size_t tz_declared_text(const char *name, const char *const *index_name, unsigned rank,
                        char ret_text[TZ_TERM_TEXT]);
/* "x[i] < V" */
size_t tz_input_text(const tz_rules *rules, const tz_rules_input *input,
                     char ret_text[TZ_TERM_TEXT]);

#endif
