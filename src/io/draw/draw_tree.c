/* draw_tree.c - proof trees as papers print them: premises over a bar, the rule's name beside it.
 *
 * One layout serves text (in columns) and SVG (in 1/100 px). The bar reaches from the first premise
 * to the last, the conclusion is centred below it. From left to right and from the premises to the
 * goal, every line stands as far left as what stands before it at its own depth allows; a subtree
 * whose conclusion has no room moves to the right as a whole (after Wetherell & Shannon 1979, whose
 * trees may tear where they are moved: here all of its depths move).
 *
 * SPDX-License-Identifier: MIT */
#include "base/width.h"
#include "io/draw/draw.h"

enum { ITEM_FONT = 15, RULE_FONT = 11 };

/* What the layout is measured in. */
struct unit {
    locale_t utf8;
    bool svg;
    int64_t between; /* boxes */
    int64_t beside;  /* the bar: its rule's name */
    int64_t beyond;  /* the widest line above or below it: how far a bar reaches */
};

struct box {
    size_t end;                           /* the first node behind the subtree */
    int64_t depth, deepest;               /* of the node; of its subtree */
    int64_t bar, bar_end, text, text_end; /* where they begin and end */
    int64_t shift;                        /* of everything above the bar, still to be applied */
};

static int64_t measure(const struct unit *unit, const char *text, int font) {
    return unit->svg ? tz_svg_width(unit->utf8, text, font)
                     : (int64_t)tz_text_width(unit->utf8, text);
}

/* Places node i, whose premises have been placed; free[d] is the first free place at depth d. */
static void place(struct box *box, size_t i, const tz_proof_node *node, const struct unit *unit,
                  int64_t *free) {
    struct box *here = &box[i];
    int64_t low = free[here->depth] + unit->beyond, high = low;
    here->deepest = here->depth;
    for (size_t premise = i + 1; premise < here->end; premise = box[premise].end) {
        low = premise == i + 1 ? box[premise].text : low;
        high = box[premise].text_end;
        here->deepest = box[premise].deepest > here->deepest ? box[premise].deepest : here->deepest;
    }
    int64_t width = measure(unit, node->item, ITEM_FONT);
    int64_t text = node->premises > 0 ? low + (high - low - width) / 2 : low;
    int64_t bar = (text < low ? text : low) - unit->beyond;
    int64_t bar_end = (text + width > high ? text + width : high) + unit->beyond;
    int64_t shift = free[here->depth] > bar ? free[here->depth] - bar : 0;
    for (int64_t d = here->depth + 1; d <= here->deepest && shift > 0; d++)
        free[d] += shift;
    here->shift = shift;
    here->bar = bar + shift;
    here->bar_end = bar_end + shift;
    here->text = text + shift;
    here->text_end = text + width + shift;
    free[here->depth] =
        here->bar_end + unit->beside + measure(unit, node->rule, RULE_FONT) + unit->between;
}

static tz_status lay_out(const tz_proof *proof, const struct unit *unit, tz_arena *arena,
                         struct box **ret_box, int64_t *ret_width) {
    struct box *box = tz_arena_array(arena, proof->nodes, sizeof *box);
    size_t *open = tz_arena_array(arena, proof->nodes, sizeof *open);
    if (!box || !open)
        return TZ_NO_MEMORY;
    int64_t deepest = 0;
    for (size_t i = proof->nodes; i-- > 0;) {
        box[i].end = i + 1;
        for (size_t p = 0; p < proof->node[i].premises; p++)
            box[i].end = box[box[i].end].end;
    }
    for (size_t i = 0; i < proof->nodes; i++) {
        deepest = box[i].depth > deepest ? box[i].depth : deepest;
        for (size_t premise = i + 1; premise < box[i].end; premise = box[premise].end)
            box[premise].depth = box[i].depth + 1;
    }
    int64_t *free = tz_arena_array(arena, (size_t)deepest + 1, sizeof *free);
    if (!free)
        return TZ_NO_MEMORY;
    /* open[]: the nodes on the way from the goal whose premises are being placed. */
    size_t depth = 0;
    for (size_t i = 0; i < proof->nodes; i++) {
        open[depth++] = i;
        for (; depth > 0 && box[open[depth - 1]].end == i + 1; depth--)
            place(box, open[depth - 1], &proof->node[open[depth - 1]], unit, free);
    }
    for (size_t i = 0; i < proof->nodes; i++) {
        for (size_t premise = i + 1; premise < box[i].end; premise = box[premise].end) {
            struct box *above = &box[premise];
            above->bar += box[i].shift;
            above->bar_end += box[i].shift;
            above->text += box[i].shift;
            above->text_end += box[i].shift;
            above->shift += box[i].shift;
        }
    }
    *ret_box = box;
    *ret_width = 0;
    for (int64_t d = 0; d <= deepest; d++) {
        int64_t width = free[d] - unit->between;
        *ret_width = width > *ret_width ? width : *ret_width;
    }
    return TZ_OK;
}

/* ---- Text ---------------------------------------------------------------------------------- */

static void advance(tz_text *out, int64_t *at, int64_t to) {
    if (to > *at) {
        tz_draw_repeat(out, " ", (size_t)(to - *at));
        *at = to;
    }
}

/* The nodes of each depth stand from left to right in preorder. */
static tz_status print_tree(const tz_proof *proof, const struct box *box, int64_t deepest,
                            const struct unit *unit, tz_arena *arena, tz_text *out) {
    size_t *begin = tz_arena_array(arena, (size_t)deepest + 2, sizeof *begin);
    size_t *order = tz_arena_array(arena, proof->nodes, sizeof *order);
    if (!begin || !order)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < proof->nodes; i++)
        begin[box[i].depth + 1]++;
    for (int64_t d = 0; d < deepest; d++)
        begin[d + 1] += begin[d];
    for (size_t i = 0; i < proof->nodes; i++)
        order[begin[box[i].depth]++] = i; /* begin[d] becomes where depth d ends */
    for (int64_t depth = deepest; depth >= 0; depth--) {
        size_t first = depth > 0 ? begin[depth - 1] : 0;
        int64_t at = 0;
        for (size_t o = first; o < begin[depth]; o++) {
            const struct box *here = &box[order[o]];
            advance(out, &at, here->bar);
            tz_draw_repeat(out, "─", (size_t)(here->bar_end - here->bar));
            tz_text_put(out, " ");
            tz_text_put(out, proof->node[order[o]].rule);
            at += here->bar_end - here->bar + 1 +
                  measure(unit, proof->node[order[o]].rule, RULE_FONT);
        }
        tz_text_put(out, "\n");
        at = 0;
        for (size_t o = first; o < begin[depth]; o++) {
            const struct box *here = &box[order[o]];
            advance(out, &at, here->text);
            tz_text_put(out, proof->node[order[o]].item);
            at += here->text_end - here->text;
        }
        tz_text_put(out, "\n");
    }
    return TZ_OK;
}

static tz_status print_outline(const tz_proof *proof, const struct box *box, int64_t deepest,
                               tz_arena *arena, tz_text *out) {
    /* more[d]: another premise follows below the node of depth d on the way to this one */
    bool *more = tz_arena_array(arena, (size_t)deepest + 1, sizeof *more);
    size_t *end = tz_arena_array(arena, (size_t)deepest + 1, sizeof *end);
    if (!more || !end)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < proof->nodes; i++) {
        int64_t depth = box[i].depth;
        end[depth] = box[i].end;
        more[depth] = depth > 0 && box[i].end < end[depth - 1];
        for (int64_t d = 1; d < depth; d++)
            tz_text_put(out, more[d] ? "│  " : "   ");
        tz_text_put(out, depth == 0 ? "" : more[depth] ? "├─ " : "└─ ");
        tz_text_put(out, proof->node[i].item);
        tz_text_put(out, "  ");
        tz_text_put(out, proof->node[i].rule);
        tz_text_put(out, "\n");
    }
    return TZ_OK;
}

tz_status tz_proof_text(const tz_proof *proof, const tz_style *style, tz_arena *arena,
                        tz_text *out) {
    struct unit unit = {.utf8 = style->utf8, .between = 3, .beside = 1};
    struct box *box;
    int64_t width;
    tz_status status = lay_out(proof, &unit, arena, &box, &width);
    if (status != TZ_OK)
        return status;
    int64_t deepest = box[0].deepest;
    bool tree = style->proof == TZ_PROOF_TREE ||
                (style->proof == TZ_PROOF_FIT && width <= (int64_t)style->width);
    int64_t cells = 0;
    for (size_t i = 0; i < proof->nodes && !tree; i++)
        cells += 3 * box[i].depth;
    if (tree && __builtin_mul_overflow(width, 2 * (deepest + 1), &cells))
        return TZ_TOO_LARGE;
    if (cells > TZ_DRAW_CELLS)
        return TZ_TOO_LARGE;
    status = tree ? print_tree(proof, box, deepest, &unit, arena, out)
                  : print_outline(proof, box, deepest, arena, out);
    return status == TZ_OK && out->failed ? TZ_NO_MEMORY : status;
}

/* ---- SVG ----------------------------------------------------------------------------------- */

tz_status tz_proof_svg(const tz_proof *proof, const tz_style *style, tz_arena *arena, tz_text *out,
                       int64_t *ret_width, int64_t *ret_height) {
    enum { LEVEL = 2500, RISE = 1550, DROP = 500 }; /* of the bar and the line below, 1/100 px */
    struct unit unit = {
        .utf8 = style->utf8, .svg = true, .between = 1400, .beside = 400, .beyond = 200};
    struct box *box;
    int64_t width;
    tz_status status = lay_out(proof, &unit, arena, &box, &width);
    if (status != TZ_OK)
        return status;
    int64_t bottom = (box[0].deepest + 1) * LEVEL;
    tz_text_put(out, "<path stroke=\"#000\" stroke-width=\"0.8\" d=\"");
    for (size_t i = 0; i < proof->nodes; i++) {
        tz_text_put(out, i > 0 ? "\nM" : "M");
        tz_draw_px(out, box[i].bar);
        tz_text_put(out, " ");
        tz_draw_px(out, bottom - box[i].depth * LEVEL - RISE);
        tz_text_put(out, "H");
        tz_draw_px(out, box[i].bar_end);
    }
    tz_text_put(out, "\"/>\n<g font-size=\"15\">\n");
    for (size_t i = 0; i < proof->nodes; i++) {
        tz_svg_text(out, (box[i].text + box[i].text_end) / 2, bottom - box[i].depth * LEVEL,
                    "middle", "", box[i].text_end - box[i].text, proof->node[i].item);
    }
    tz_text_put(out, "</g>\n<g font-size=\"11\" font-style=\"italic\">\n");
    for (size_t i = 0; i < proof->nodes; i++) {
        tz_svg_text(out, box[i].bar_end + unit.beside, bottom - box[i].depth * LEVEL - RISE + 350,
                    "start", "", measure(&unit, proof->node[i].rule, RULE_FONT),
                    proof->node[i].rule);
    }
    tz_text_put(out, "</g>\n");
    *ret_width = width;
    *ret_height = bottom + DROP;
    return out->failed ? TZ_NO_MEMORY : TZ_OK;
}
