/* draw_svg.c - arcs over a sentence, as SVG.
 *
 * An arc rises from its head, runs level with rounded shoulders and comes down on its modifier.
 * Shoulders stay inside the band of the arc's own level, so nested arcs never touch, however wide
 * they are; with true ellipses they would. Words are moved apart until each label fits under the
 * shoulders of its arc. Coordinates are whole 1/100 px: no rounding differs between machines.
 *
 * SPDX-License-Identifier: MIT */
#include "io/draw/draw_layout.h"

enum {
    WORD_FONT = 16,
    LABEL_FONT = 11,
    COVER_FONT = 13,
    BLANK = 1100,     /* between words; all in 1/100 px */
    PORT_STEP = 650,  /* between the ports of a word */
    LABEL_SIDE = 700, /* free on both sides of a label */
    SHOULDER = 2600,  /* the widest rounding */
    FOOT = 1000,      /* from the words to the lowest level's band */
    TIP = 600,        /* the arrow head */
    TOP_LINE = 1300,  /* of the words, and of what stands below them */
    LINE = 2100,
    COVER_LINE = 2200
};

struct plan {
    const tz_diagram *diagram;
    uint8_t *used;
    int64_t *width, *x;
    int64_t band; /* height of a level */
};

static int64_t port_offset(const struct plan *plan, int32_t p, int port) {
    int64_t ports = __builtin_popcount(plan->used[p]);
    return plan->width[p] / 2 +
           (2 * (int64_t)tz_port_rank(plan->used[p], port) - ports + 1) * PORT_STEP / 2;
}

static int head_port(const tz_arc *arc) {
    return arc->modifier < arc->head ? TZ_PORT_LEFT : TZ_PORT_RIGHT;
}

static void pair(tz_text *out, const char *before, int64_t a, int64_t b) {
    tz_text_put(out, before);
    tz_draw_px(out, a);
    tz_text_put(out, " ");
    tz_draw_px(out, b);
}

static void single(tz_text *out, const char *command, int64_t a) {
    tz_text_put(out, command);
    tz_draw_px(out, a);
}

static int64_t head_x(const struct plan *plan, const tz_arc *arc) {
    return plan->x[arc->head] + port_offset(plan, arc->head, head_port(arc));
}

static int64_t modifier_x(const struct plan *plan, const tz_arc *arc) {
    return plan->x[arc->modifier] + port_offset(plan, arc->modifier, TZ_PORT_IN);
}

/* The path of an arc whose feet stand at y = base. */
static void draw_arc(tz_text *out, int64_t from, int64_t to, int64_t base, int64_t top,
                     int64_t round) {
    int64_t side = to > from ? 1 : -1;
    int64_t half = side * (to - from) / 2;
    int64_t shoulder = half < SHOULDER ? half : SHOULDER;
    const char *sweep = to > from ? " 0 0 1 " : " 0 0 0 ";
    pair(out, "M", from, base);
    single(out, "V", top + round);
    pair(out, "A", shoulder, round);
    pair(out, sweep, from + side * shoulder, top);
    single(out, "H", to - side * shoulder);
    pair(out, "A", shoulder, round);
    pair(out, sweep, to, top + round);
    single(out, "V", base - TIP + 100);
}

static tz_status place_words(struct plan *plan, const tz_style *style, tz_arena *arena,
                             int32_t first, int32_t last) {
    const tz_diagram *diagram = plan->diagram;
    tz_gap *gap = tz_arena_array(arena, diagram->covers + diagram->arcs, sizeof *gap);
    if (!gap)
        return TZ_NO_MEMORY;
    size_t gaps = 0;
    for (size_t c = 0; c < diagram->covers; c++) {
        const tz_cover *cover = &diagram->cover[c];
        int64_t need = tz_svg_width(style->utf8, cover->text, COVER_FONT);
        int64_t *width = &plan->width[cover->last];
        if (cover->first < cover->last)
            gap[gaps++] = (tz_gap){cover->first, cover->last, need - *width};
        else if (*width < need)
            *width = need;
    }
    for (size_t a = 0; a < diagram->arcs; a++) {
        const tz_arc *arc = &diagram->arc[a];
        bool rightward = arc->modifier > arc->head;
        int64_t out = port_offset(plan, arc->head, head_port(arc));
        int64_t in = port_offset(plan, arc->modifier, TZ_PORT_IN);
        int64_t need = 0;
        if (arc->label[0])
            need = tz_svg_width(style->utf8, arc->label, LABEL_FONT) + 2 * LABEL_SIDE;
        gap[gaps++] =
            (tz_gap){rightward ? arc->head : arc->modifier, rightward ? arc->modifier : arc->head,
                     need + (rightward ? out - in : in - out)};
    }
    return tz_place_apart(arena, first, last, plan->width, BLANK, gaps, gap, plan->x);
}

/* Labels, on white where the arcs of a tree that is not projective cross them. */
static void draw_labels(const struct plan *plan, const tz_style *style, const tz_bow *bow,
                        int64_t base, tz_text *out) {
    const tz_diagram *diagram = plan->diagram;
    for (int pass = 0; pass < 2; pass++) {
        tz_text_put(out, pass == 0 ? "<path fill=\"#fff\" d=\"" : "\"/>\n<g font-size=\"11\">\n");
        for (size_t a = 0; a < diagram->arcs; a++) {
            const tz_arc *arc = &diagram->arc[a];
            if (!arc->label[0])
                continue;
            int64_t middle = (head_x(plan, arc) + modifier_x(plan, arc)) / 2;
            int64_t y = base - FOOT - bow[a].level * plan->band - 300;
            int64_t width = tz_svg_width(style->utf8, arc->label, LABEL_FONT);
            if (pass == 1) {
                tz_svg_text(out, middle, y, "middle", "", width, arc->label);
                continue;
            }
            pair(out, "M", middle - width / 2, y + 150);
            single(out, "v-9.5h", width);
            tz_text_put(out, "v9.5z");
        }
    }
    tz_text_put(out, "</g>\n");
}

static void draw_arcs(const struct plan *plan, const tz_style *style, const tz_bow *bow,
                      int64_t base, tz_text *out) {
    const tz_diagram *diagram = plan->diagram;
    int64_t round = plan->band * 4 / 5;
    tz_text_put(out, "<path fill=\"none\" stroke=\"#000\" stroke-width=\"0.9\" d=\"");
    for (size_t a = 0; a < diagram->arcs; a++) {
        const tz_arc *arc = &diagram->arc[a];
        tz_text_put(out, a > 0 ? "\n" : "");
        draw_arc(out, head_x(plan, arc), modifier_x(plan, arc), base,
                 base - FOOT - bow[a].level * plan->band, round);
    }
    tz_text_put(out, "\"/>\n<path d=\"");
    for (size_t a = 0; a < diagram->arcs; a++) {
        if (diagram->arc[a].pair)
            continue;
        pair(out, "M", modifier_x(plan, &diagram->arc[a]), base);
        tz_text_put(out, "l-2.4-6q2.4 1.4 4.8 0z");
    }
    tz_text_put(out, "\"/>\n");
    draw_labels(plan, style, bow, base, out);
}

/* y: where the first row of covers begins. */
static void draw_cover(const struct plan *plan, const tz_style *style, const tz_cover *cover,
                       int64_t y, tz_text *out) {
    int64_t left = plan->x[cover->first];
    int64_t right = plan->x[cover->last] + plan->width[cover->last];
    y += cover->row * (int64_t)COVER_LINE;
    if (!cover->bare) {
        tz_text_put(out, "<path fill=\"none\" stroke=\"#666\" stroke-width=\"0.7\" d=\"M");
        tz_draw_px(out, left);
        tz_text_put(out, " ");
        tz_draw_px(out, y);
        tz_text_put(out, "v3H");
        tz_draw_px(out, right);
        tz_text_put(out, "v-3\"/>\n");
    }
    tz_svg_text(out, (left + right) / 2, y + 1500, "middle", " font-size=\"13\" fill=\"#666\"",
                tz_svg_width(style->utf8, cover->text, COVER_FONT), cover->text);
}

tz_status tz_arcs_svg(const tz_diagram *diagram, const tz_style *style, tz_arena *arena,
                      tz_text *out, int64_t *ret_width, int64_t *ret_height) {
    size_t positions = (size_t)diagram->words + 2;
    struct plan plan = {.diagram = diagram};
    plan.used = tz_arena_array(arena, positions, sizeof *plan.used);
    plan.width = tz_arena_array(arena, positions, sizeof *plan.width);
    plan.x = tz_arena_array(arena, positions, sizeof *plan.x);
    tz_bow *bow = tz_arena_array(arena, diagram->arcs, sizeof *bow);
    if (!plan.used || !plan.width || !plan.x || !bow)
        return TZ_NO_MEMORY;
    int32_t first, last, highest = 0;
    tz_ports_used(diagram, plan.used, &first, &last);
    for (int32_t p = first; p <= last; p++) {
        int64_t width = tz_svg_width(style->utf8, diagram->word[p], WORD_FONT);
        int64_t ports = (int64_t)__builtin_popcount(plan.used[p]) * PORT_STEP;
        plan.width[p] = width > ports ? width : ports;
    }
    plan.band = 1300;
    for (size_t a = 0; a < diagram->arcs; a++) {
        const tz_arc *arc = &diagram->arc[a];
        size_t head = tz_port(arc->head, head_port(arc));
        size_t tooth = tz_port(arc->modifier, TZ_PORT_IN);
        bow[a].low = head < tooth ? head : tooth;
        bow[a].high = head < tooth ? tooth : head;
        plan.band = arc->label[0] ? 1700 : plan.band;
    }
    tz_status status = place_words(&plan, style, arena, first, last);
    if (status == TZ_OK)
        status = tz_bow_levels(arena, tz_port(diagram->words + 2, 0), diagram->arcs, bow, &highest);
    if (status != TZ_OK)
        return status;

    /* Above the topmost arc stands its label. */
    int64_t base = highest > 0 ? FOOT + highest * plan.band + (plan.band > 1300 ? 1200 : 100) : 0;
    if (diagram->arcs > 0)
        draw_arcs(&plan, style, bow, base, out);
    for (int32_t p = first; p <= last; p++) {
        tz_svg_text(out, plan.x[p] + plan.width[p] / 2, base + TOP_LINE + 200, "middle",
                    diagram->skipped[p] ? " fill=\"#999\"" : "",
                    tz_svg_width(style->utf8, diagram->word[p], WORD_FONT), diagram->word[p]);
    }
    int64_t rows = 0;
    for (size_t c = 0; c < diagram->covers; c++) {
        draw_cover(&plan, style, &diagram->cover[c], base + LINE, out);
        rows = diagram->cover[c].row + 1; /* they stand by row */
    }
    *ret_width = last < first ? 0 : plan.x[last] + plan.width[last];
    *ret_height = base + LINE + rows * COVER_LINE;
    return out->failed ? TZ_NO_MEMORY : TZ_OK;
}
