/* bands.c - see bands.h. SPDX-License-Identifier: MIT */
#include "sentences/align/draw/bands.h"

#include <stdlib.h>
#include <string.h>

enum {
    FONT = 16,
    LEFT = 7600,    /* of the texts; their names stand before it; all in 1/100 px */
    WIDTH = 76000,  /* of a line, if no word is longer */
    INDENT = 1600,  /* of lines that go on with a sentence */
    BLANK = 500,    /* between words */
    BETWEEN = 1500, /* from the boxes of a line to those of the next in the same text */
    RIVER = 9000,   /* from one text to the other */
    STEP = 320      /* from thread to thread */
};

/* ---- Lines ----------------------------------------------------------------------------------- */

static void add_token(tz_bands *p, const char *text, bool grey, int64_t *x) {
    int64_t width = tz_svg_width(p->utf8, text, FONT);
    tz_bands_line *l = &p->line[p->lines - 1];
    if (l->end > l->first && *x + width > WIDTH) {
        p->line[p->lines++] =
            (tz_bands_line){.first = p->tokens, .end = p->tokens, .indent = INDENT};
        l = &p->line[p->lines - 1];
        *x = INDENT;
    }
    p->token[p->tokens++] = (tz_bands_token){.text = text, .width = width, .grey = grey};
    l->end = p->tokens;
    *x += width + BLANK;
}

static void begin_line(tz_bands *p, int64_t *x) {
    p->line[p->lines++] = (tz_bands_line){.first = p->tokens, .end = p->tokens};
    *x = 0;
}

/* Sentences with a link begin a line; dots stand for the others. */
static void set_lines(tz_bands *p, size_t side) {
    const tz_drawn_text *text = &p->text[side];
    bool left_out = false;
    int64_t x;
    for (size_t s = 0; s <= text->sentences; s++) {
        if (s < text->sentences && !text->shown[s]) {
            left_out = left_out || text->begin[s] < text->begin[s + 1];
            continue;
        }
        if (left_out) {
            begin_line(p, &x);
            add_token(p, "\xe2\x80\xa6", true, &x);
            left_out = false;
        }
        if (s == text->sentences)
            break;
        begin_line(p, &x);
        for (uint32_t w = text->begin[s]; w < text->begin[s + 1]; w++) {
            add_token(p, text->word[w], !text->linked[w], &x);
            p->spot[side][w] = (tz_bands_spot){p->tokens - 1, p->lines - 1};
        }
    }
}

/* Places a line's words, with room for threads[g] threads in gap g. */
static void spread(tz_bands *p, const tz_bands_line *l, const size_t *threads) {
    int64_t x = LEFT + l->indent;
    for (size_t t = l->first; t < l->end; t++) {
        int64_t room = threads ? (int64_t)(threads[t - l->first] + 1) * STEP : 0;
        if (threads && threads[t - l->first] > 0)
            x += t == l->first ? room : room > BLANK ? room - BLANK : 0;
        p->token[t].x = x;
        x += p->token[t].width + BLANK;
    }
    p->width = x - BLANK > p->width ? x - BLANK : p->width;
}

/* ---- Bands ----------------------------------------------------------------------------------- */

static int compare_bands(const void *a, const void *b) {
    const tz_phrase_pair *x = ((const tz_band *)a)->phrase, *y = ((const tz_band *)b)->phrase;
    if (x->abstract[0] != y->abstract[0])
        return x->abstract[0] < y->abstract[0] ? -1 : 1;
    if (x->document[0] != y->document[0])
        return x->document[0] < y->document[0] ? -1 : 1;
    return (x->document[1] > y->document[1]) - (x->document[1] < y->document[1]);
}

static void set_bands(tz_bands *p, const tz_drawn_alignment *drawn) {
    for (size_t f = 0; f < drawn->phrases; f++)
        p->band[p->bands++].phrase = &drawn->phrase[f];
    if (p->bands > 0)
        qsort(p->band, p->bands, sizeof *p->band, compare_bands);
    for (size_t b = 1; b < p->bands; b++) {
        const tz_phrase_pair *x = p->band[b - 1].phrase, *y = p->band[b].phrase;
        bool follows = x->abstract[1] == y->abstract[0] && x->document[1] == y->document[0];
        p->band[b].colour = (p->band[b - 1].colour + !follows) % TZ_BANDS_COLOURS;
    }
}

tz_bands_stretch tz_bands_stretch_of(const tz_bands *p, size_t side, uint32_t from, uint32_t end) {
    const tz_bands_spot *spot = p->spot[side];
    uint32_t last = from;
    while (last + 1 < end && spot[last + 1].line == spot[from].line)
        last++;
    const tz_bands_token *left = &p->token[spot[from].token], *right = &p->token[spot[last].token];
    return (tz_bands_stretch){spot[from].line, left->x, right->x + right->width};
}

static void set_stretches(tz_bands *p) {
    for (size_t b = 0; b < p->bands; b++) {
        const tz_phrase_pair *f = p->band[b].phrase;
        p->band[b].from = tz_bands_stretch_of(p, 0, f->document[0], f->document[1]);
        p->band[b].to = tz_bands_stretch_of(p, 1, f->abstract[0], f->abstract[1]);
    }
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* The gap whose middle is nearest to x: before one of the words, or behind the last. */
static size_t nearest_gap(const tz_bands *p, const tz_bands_line *l, int64_t x) {
    size_t best = 0;
    int64_t least = INT64_MAX;
    for (size_t g = 0; g < l->end - l->first; g++) {
        int64_t away = llabs(p->token[l->first + g].x - BLANK / 2 - x);
        if (away < least) {
            least = away;
            best = g;
        }
    }
    const tz_bands_token *last = &p->token[l->end - 1];
    return x > last->x + last->width || llabs(last->x + last->width + BLANK - x) < least
               ? l->end - l->first
               : best;
}

static tz_status set_passages(tz_bands *p) {
    size_t room = 0;
    for (size_t b = 0; b < p->bands; b++)
        room += p->band[b].to.line - p->band[b].from.line - 1;
    if (room > TZ_DRAWN_THREADS)
        return TZ_TOO_LARGE;
    p->passage = tz_arena_array(p->arena, room, sizeof *p->passage);
    if (!p->passage)
        return TZ_NO_MEMORY;
    for (size_t b = 0; b < p->bands; b++) {
        const tz_band *band = &p->band[b];
        int64_t from = (band->from.left + band->from.right) / 2;
        int64_t to = (band->to.left + band->to.right) / 2;
        int64_t top = p->line[band->from.line].y, drop = p->line[band->to.line].y - top;
        for (size_t l = band->from.line + 1; l < band->to.line; l++) {
            int64_t wish = from + (to - from) * (p->line[l].y - top) / drop;
            p->passage[p->passages++] =
                (tz_bands_passage){b, l, nearest_gap(p, &p->line[l], wish), wish, wish};
        }
    }
    return TZ_OK;
}

static int compare_passages(const void *a, const void *b) {
    const tz_bands_passage *x = *(const tz_bands_passage *const *)a,
                           *y = *(const tz_bands_passage *const *)b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->gap != y->gap)
        return x->gap < y->gap ? -1 : 1;
    if (x->wish != y->wish)
        return x->wish < y->wish ? -1 : 1;
    return (x->band > y->band) - (x->band < y->band);
}

/* The threads of a gap, passage[0] .. [count - 1], side by side. */
static void set_threads(const tz_bands *p, tz_bands_passage *const *passage, size_t count) {
    const tz_bands_line *l = &p->line[passage[0]->line];
    size_t gap = passage[0]->gap;
    if (gap < l->end - l->first) {
        const tz_bands_token *next = &p->token[l->first + gap];
        int64_t left = gap > 0 ? next[-1].x + next[-1].width : LEFT + l->indent;
        for (size_t t = 0; t < count; t++)
            passage[t]->x = left + (next->x - left) * (int64_t)(t + 1) / (int64_t)(count + 1);
        return;
    }
    int64_t least = p->token[l->end - 1].x + p->token[l->end - 1].width + STEP + STEP / 2;
    for (size_t t = 0; t < count; t++) {
        passage[t]->x = passage[t]->wish > least ? passage[t]->wish : least;
        least = passage[t]->x + STEP;
    }
}

/* Gives every thread its place, and moves words apart for it. */
static tz_status thread(tz_bands *p) {
    tz_bands_passage **by_gap = tz_arena_array(p->arena, p->passages, sizeof *by_gap);
    size_t *threads = tz_arena_array(p->arena, p->tokens + 1, sizeof *threads);
    if (!by_gap || !threads)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < p->passages; i++)
        by_gap[i] = &p->passage[i];
    if (p->passages > 0)
        qsort(by_gap, p->passages, sizeof *by_gap, compare_passages);
    for (size_t l = 0, i = 0; l < p->lines; l++) {
        size_t words = p->line[l].end - p->line[l].first, begin = i;
        memset(threads, 0, (words + 1) * sizeof *threads);
        for (; i < p->passages && by_gap[i]->line == l; i++)
            threads[by_gap[i]->gap]++;
        spread(p, &p->line[l], threads);
        for (size_t g = 0; g <= words; begin += threads[g++])
            if (threads[g] > 0)
                set_threads(p, &by_gap[begin], threads[g]);
    }
    for (size_t i = 0; i < p->passages; i++)
        p->width = p->passage[i].x > p->width ? p->passage[i].x : p->width;
    return TZ_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

static tz_status prepare(tz_bands *p, const tz_drawn_alignment *drawn) {
    const tz_side *side[] = {drawn->document, drawn->abstract};
    size_t words = 0, sentences = 0;
    for (size_t s = 0; s < 2; s++) {
        tz_status status = tz_drawn_text_new(p->arena, side[s], &p->text[s]);
        if (status != TZ_OK)
            return status;
        for (size_t f = 0; f < drawn->phrases; f++) {
            const uint32_t *range = s == 0 ? drawn->phrase[f].document : drawn->phrase[f].abstract;
            for (uint32_t w = range[0]; w < range[1]; w++)
                p->text[s].linked[w] = true;
        }
        words += tz_drawn_text_show(&p->text[s]);
        sentences += p->text[s].sentences;
        p->spot[s] = tz_arena_array(p->arena, side[s]->words, sizeof **p->spot);
    }
    /* Dots stand before, between and behind sentences. */
    p->token = tz_arena_array(p->arena, words + sentences + 2, sizeof *p->token);
    p->line = tz_arena_array(p->arena, words + sentences + 2, sizeof *p->line);
    p->band = tz_arena_array(p->arena, drawn->phrases, sizeof *p->band);
    if (!p->spot[0] || !p->spot[1] || !p->token || !p->line || !p->band)
        return TZ_NO_MEMORY;
    return words <= TZ_DRAWN_WORDS ? TZ_OK : TZ_TOO_LARGE;
}

tz_status tz_bands_lay_out(tz_bands *p, const tz_drawn_alignment *drawn) {
    tz_status status = prepare(p, drawn);
    if (status != TZ_OK)
        return status;
    set_lines(p, 0);
    p->upper = p->lines;
    set_lines(p, 1);
    int64_t y = 0;
    for (size_t l = 0; l < p->lines; l++) {
        spread(p, &p->line[l], NULL);
        p->line[l].y = y;
        y += TZ_BANDS_BOX + (l + 1 == p->upper ? RIVER : BETWEEN);
    }
    p->height = p->lines > 0 ? p->line[p->lines - 1].y + TZ_BANDS_BOX : 0;
    set_bands(p, drawn);
    set_stretches(p);
    status = set_passages(p);
    if (status == TZ_OK)
        status = thread(p);
    if (status == TZ_OK)
        set_stretches(p);
    return status;
}
