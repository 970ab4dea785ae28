/* draw.h - draws structures: arcs over a sentence, and proof trees; as text and as SVG.
 *
 * A line of `trapeze run` or a CoNLL-U sentence becomes drawings; a drawing is drawn on a page. All
 * of a drawing lives in the arena given when it was made.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_DRAW_DRAW_H
#define TZ_IO_DRAW_DRAW_H

#include <locale.h>

#include "base/arena.h"
#include "base/text.h"
#include "io/conllu/conllu.h"

/* ---- Drawings ------------------------------------------------------------------------------- */

enum { TZ_DRAW_WORDS = 1 << 20 }; /* of a sentence at most */

typedef struct tz_arc {
    int32_t head, modifier; /* positions, different */
    const char *label;      /* "" if none */
    bool pair;              /* links two alike positions: without an arrow head */
} tz_arc;

/* A text below words first..last: a multiword token, a label of a span or of a word. */
typedef struct tz_cover {
    int32_t first, last;
    const char *text;
    int32_t row; /* from 0, next to the words, on */
    bool bare;   /* the text alone, without a bracket */
} tz_cover;

/* Positions are 0, the root, the words 1..words, and words + 1, the end; the two that are not words
 * are drawn where an arc needs them. */
typedef struct tz_diagram {
    int32_t words;
    const char *const *word; /* [words + 2] */
    const bool *skipped;     /* [words + 2] drawn grey */
    size_t arcs;
    const tz_arc *arc; /* by modifier, then head; no two alike */
    size_t covers;
    const tz_cover *cover; /* by row, left to right, disjoint */
} tz_diagram;

/* Rows of a grid, and the columns that they are matched with. */
typedef struct tz_grid_block {
    int32_t row, column, rows, columns; /* the first of each, from 0, which is before the first */
    bool along, down; /* one of them alone is a step that leaves the other where it is */
} tz_grid_block;

/* Two sequences, one against the other. */
typedef struct tz_grid {
    int32_t rows, columns;                  /* words */
    const char *const *row, *const *column; /* [1 + words] */
    size_t blocks;
    const tz_grid_block *block;
} tz_grid;

typedef struct tz_proof_node {
    const char *item, *rule; /* "rtri[0,4]", "complete-right" */
    size_t premises;         /* how many subtrees follow */
} tz_proof_node;

typedef struct tz_proof {
    size_t nodes;              /* > 0 */
    const tz_proof_node *node; /* in preorder; node[0] is the goal */
} tz_proof;

typedef struct tz_drawing {
    const char *caption;       /* "" if none */
    const tz_diagram *diagram; /* at most one of these; with none, the caption is all */
    const tz_proof *proof;
    const tz_grid *grid;
} tz_drawing;

/* A copy of `text` (UTF-8) in which characters that must not reach a terminal or XML are U+FFFD.
 * NULL when memory is out. */
const char *tz_draw_clean(tz_arena *arena, const char *text);
/* A diagram of `words` words that are still to be written to *ret_word, none of them skipped, no
 * arcs. NULL when memory is out. */
tz_diagram *tz_diagram_new(tz_arena *arena, int32_t words, const char ***ret_word,
                           bool **ret_skipped);

/* Draws the uses of a derivation by the shapes of their weights (draw_shapes.h). opt_word: of the
 * first length's sequence, [words]. Nodes are needed where there are uses by way of inputs.
 * TZ_NONE: the rules have no weight whose shape is drawn. TZ_TOO_LARGE: a sequence of more than
 * TZ_DRAW_WORDS. TZ_BAD_ARGUMENT: uses or nodes that are not of the rules; TZ_NO_MEMORY. */
tz_status tz_drawing_uses(tz_arena *arena, const tz_rules *rules, const int32_t *lengths,
                          const tz_derivation *derivation, const char *const *opt_word,
                          tz_drawing *ret_drawing);

/* Draws a CoNLL-U sentence. TZ_NO_MEMORY. */
tz_status tz_drawing_conllu(tz_arena *arena, const tz_conllu_sentence *from,
                            tz_drawing *ret_drawing);

typedef struct tz_result_choice {
    const char *arcs;          /* the weight whose uses are arcs, or NULL: `arc` and `sib` */
    const tz_rules *opt_rules; /* whose shapes say how uses are drawn, instead */
    bool derivation;           /* proof trees instead of arcs */
    const char *id; /* only the result of this id (as JSON, or the string), or NULL: any */
} tz_result_choice;

/* The drawings of one line of `trapeze run`: one for its best structure, or several (best under
 * each amount of a resource, k best, samples). *ret_drawings is NULL and the status TZ_NONE where
 * the id is another one. TZ_IO with FILE:LINE, TZ_NO_MEMORY. */
tz_status tz_drawings_result(tz_arena *arena, const char *file, size_t line, const char *text,
                             size_t size, const tz_result_choice *choice, tz_drawing **ret_drawings,
                             size_t *ret_count, tz_error *opt_error);

/* ---- Pages --------------------------------------------------------------------------------- */

/* Drawings of an SVG document, one below the other. A zeroed page is empty. */
typedef struct tz_page {
    tz_text text;
    int64_t width, height; /* in 1/100 px */
} tz_page;

void tz_draw_repeat(tz_text *out, const char *text, size_t times);
/* Writes a number of 1/100 px, with a point in any locale: 12.5. */
void tz_draw_px(tz_text *out, int64_t px);
/* Writes text for XML, with entities where needed. */
void tz_draw_xml(tz_text *out, const char *text);

/* Makes room for the drawing just drawn below the others. */
void tz_page_add(tz_page *page, int64_t width, int64_t height);
/* Writes the head of an SVG document that shows the whole page; its end is "</svg>\n". */
void tz_svg_head(tz_text *out, const tz_page *page);
/* One SVG <text>; anchor is "start", "middle" or "end"; attributes are added as they stand. It is
 * set to the width that tz_svg_width() gives, whatever face is there: others may be a third wider.
 */
void tz_svg_text(tz_text *out, int64_t x, int64_t y, const char *anchor, const char *attributes,
                 int64_t width, const char *text);
/* The width that text is given, in 1/100 px at a font size in px. */
int64_t tz_svg_width(locale_t utf8, const char *text, int font);

/* ---- Drawing ------------------------------------------------------------------------------- */

/* TZ_PROOF_FIT: as a tree where `width` has room for it, else as an outline. */
typedef enum tz_proof_form { TZ_PROOF_FIT, TZ_PROOF_TREE, TZ_PROOF_OUTLINE } tz_proof_form;

typedef struct tz_style {
    locale_t utf8; /* tz_utf8_locale() */
    bool color;    /* text: skipped words are dim, not in parentheses */
    bool captions;
    size_t width;        /* text: columns to keep to where there is a choice */
    size_t wrap;         /* text: longer lines of arcs go on below, cut between words; 0: none do */
    tz_proof_form proof; /* text: how proof trees are drawn */
} tz_style;

/* Each appends to the page. TZ_TOO_LARGE: as text it would take more than TZ_DRAW_CELLS
 * characters; TZ_NO_MEMORY. */
enum { TZ_DRAW_CELLS = 1 << 28 };
tz_status tz_draw_text(const tz_drawing *drawing, const tz_style *style, tz_text *out);
tz_status tz_draw_svg(const tz_drawing *drawing, const tz_style *style, tz_page *page);

/* The parts of these two, for arcs, grids and trees; `arena` is for working memory. */
tz_status tz_arcs_text(const tz_diagram *diagram, const tz_style *style, tz_arena *arena,
                       tz_text *out);
tz_status tz_arcs_svg(const tz_diagram *diagram, const tz_style *style, tz_arena *arena,
                      tz_text *out, int64_t *ret_width, int64_t *ret_height);
tz_status tz_grid_text(const tz_grid *grid, const tz_style *style, tz_text *out);
void tz_grid_svg(const tz_grid *grid, const tz_style *style, tz_text *out, int64_t *ret_width,
                 int64_t *ret_height);
tz_status tz_proof_text(const tz_proof *proof, const tz_style *style, tz_arena *arena,
                        tz_text *out);
tz_status tz_proof_svg(const tz_proof *proof, const tz_style *style, tz_arena *arena, tz_text *out,
                       int64_t *ret_width, int64_t *ret_height);

#endif
