/* draw.h - draws alignments: a grid of characters, and bands between two texts as SVG.
 *
 * Only sentences with a link are drawn; dots stand for those left out.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_DRAW_DRAW_H
#define TZ_SENTENCES_ALIGN_DRAW_DRAW_H

#include "io/draw/draw.h"
#include "sentences/align/texts/links.h"
#include "sentences/align/texts/pair.h"

/* Words of pairs and links are words of the two texts. */
typedef struct tz_drawn_alignment {
    const char *caption; /* "" if none */
    const tz_side *document, *abstract;
    const tz_phrase_pair *phrase; /* [phrases] */
    size_t phrases;
    const tz_links *links;      /* of the phrase pairs */
    const tz_links *opt_likely; /* further links that the grid shows */
} tz_drawn_alignment;

/* Draws a grid for each sentence of the abstract, its words down and the document's across: # for a
 * link, + for a likely one, else a dot. Sentences of the document stand side by side as far as
 * `width` columns have room. `utf8` as for tz_text_width. TZ_TOO_LARGE: more than TZ_DRAW_CELLS
 * cells; TZ_NO_MEMORY. */
tz_status tz_draw_grid(const tz_drawn_alignment *drawn, locale_t utf8, size_t width, tz_text *out);
/* Explains the signs of grids in one line, followed by an empty one; `likely`: with likely
 * links. */
void tz_draw_grid_legend(bool likely, tz_text *out);

/* Draws both texts as lines of words, each sentence on lines of its own, and a band for each phrase
 * pair; words in no pair are grey. Pairs that follow each other in both texts have the same colour.
 * TZ_TOO_LARGE: more than TZ_DRAWN_WORDS words in sentences with a link, or bands would pass
 * through lines more than TZ_DRAWN_THREADS times; TZ_NO_MEMORY. */
enum { TZ_DRAWN_WORDS = 1 << 16, TZ_DRAWN_THREADS = 1 << 20 };
tz_status tz_draw_bands(const tz_drawn_alignment *drawn, locale_t utf8, tz_page *page);

/* ---- draw.c: what both are made from ----------------------------------------------------------
 */

typedef struct tz_drawn_text {
    const char **word; /* [words], fit to be shown (tz_draw_clean) */
    size_t words, sentences;
    const uint32_t *begin; /* [sentences + 1] */
    bool *linked;          /* [words] */
    bool *shown;           /* [sentences]: has a linked word */
} tz_drawn_text;

/* A text with no word linked yet. Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_drawn_text_new(tz_arena *arena, const tz_side *side, tz_drawn_text *ret_text);
/* Fills in `shown`. Returns how many words the shown sentences have. */
size_t tz_drawn_text_show(tz_drawn_text *text);

#endif
