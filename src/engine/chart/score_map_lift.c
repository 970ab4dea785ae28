/* score_map_lift.c - scores lifted by maps (score_map.c): for semirings that copy scores or lift
 * them side by side, and lanes whose arrays have the same layout, or are padded to it (padding.c).
 *
 * Plain copies go straight to their cells. Scores that are to be scaled are gone through once, so
 * many at a time as stay in the first-level cache between being taken, lifted and put to their
 * cells. The scales are told before that by a few samples: a derivation picks one score among some
 * tens, time and again, and so comes close to the largest of a sample, but not to the largest of
 * all. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/chart/score_maps.h"
#include "engine/chart/score_range.h"

enum {
    LANES = 16,   /* that are lifted at once */
    SCORES = 512, /* that are lifted at once */
    SAMPLES = 4,  /* that are looked at for large scores */
    SAMPLE = 32   /* scores of a sample */
};

/* Lanes first..first+count-1, and where their scores are. */
typedef struct group {
    size_t first, count;
    const void *from[LANES];
} group;

/* The group after, the first one after {0}; false past the last. */
static bool next_group(const tz_chart *chart, unsigned w, group *g) {
    size_t left = chart->lanes - g->first - g->count;
    g->first += g->count;
    g->count = left < LANES ? left : LANES;
    for (size_t l = 0; l < g->count; l++)
        g->from[l] = tz_padded_weight(chart, g->first + l, w)->scores.data;
    return left > 0;
}

/* Pieces first..first+count-1, packed or straight to the cells. */
static bool take_within(const tz_chart *chart, const tz_score_map *map, const group *g,
                        tz_type type, size_t first, size_t count, void *to, bool packed,
                        double limit) {
    const tz_algebra *algebra = chart->algebra;
    double most[LANES] = {0};
    if (chart->lanes == 1)
        return algebra->score_moves[type]->pick(to, *g->from,
                                                (const tz_patch *)map->piece.data + first, count,
                                                map->rows, limit, packed);
    return algebra->score_moves[type]->deal(
        to, (ptrdiff_t)(packed ? g->count : chart->lanes), g->from, g->count,
        (const tz_piece *)map->piece.data + first, count, limit, packed ? most : NULL);
}

/* The same; notes whether some are so large that their elements may not be exact. */
static bool take(tz_chart *chart, const tz_score_map *map, const group *g, tz_type type,
                 size_t first, size_t count, void *to, bool packed) {
    const double limit = chart->plan->wide.limit, exact = chart->plan->exact;
    if (exact > 0 && exact < limit) {
        if (take_within(chart, map, g, type, first, count, to, packed, exact))
            return true;
        chart->scaling.large = true;
    }
    return take_within(chart, map, g, type, first, count, to, packed, limit);
}

/* How many scores of a lane a piece takes where they are packed. */
static size_t packed_of(const tz_chart *chart, const tz_score_map *map, size_t piece) {
    return chart->lanes == 1 ? (size_t)((const tz_patch *)map->piece.data)[piece].packed
                             : (size_t)tz_packed((const tz_piece *)map->piece.data + piece);
}

static size_t size_of(tz_type type) {
    return type == TZ_FLOAT ? sizeof(float) : sizeof(double);
}

/* Does any lane give something beside the scores? */
static bool any_inputs(const tz_chart *chart, unsigned w) {
    for (size_t i = 0; i < chart->plan->wide.semiring->inputs; i++)
        for (size_t lane = 0; lane < chart->lanes; lane++)
            if (tz_lane_input(chart, lane, i, w)->data != NULL)
                return true;
    return false;
}

/* Are scores copied? */
static bool copied(const tz_chart *chart, unsigned w) {
    const tz_algebra *algebra = chart->algebra;
    return algebra->lift_copies &&
           algebra->size == size_of(tz_lane_weight(chart, 0, w)->scores.type);
}

bool tz_score_map_possible(const tz_chart *chart, unsigned w) {
    const tz_algebra *algebra = chart->algebra;
    return chart->bound.facts == NULL && !chart->layout.weight_box[w].absent &&
           (copied(chart, w) || algebra->lifts != NULL) &&
           chart->bound.score_layout[w] != TZ_OWN_LAYOUTS && !chart->scaling.centred &&
           !any_inputs(chart, w);
}

/* ---- Scaling -------------------------------------------------------------------------------- */

/* The largest scores of a patch's first rows. */
static void sample_rows(const tz_chart *chart, const tz_score_map *map, size_t piece,
                        double *ret_most) {
    const tz_patch *p = (const tz_patch *)map->piece.data + piece;
    const tz_scores *scores = &tz_padded_weight(chart, 0, map->weight)->scores;
    int seen = 0;
    for (size_t r = 0; r < map->rows && seen < SAMPLE; r++) {
        unsigned of = p->row[r]; /* neighbours */
        if (of == 0)
            continue;
        tz_score_range(chart->plan, scores, p->far[r] + (ptrdiff_t)__builtin_ctz(of) * p->step,
                       p->step, (size_t)__builtin_popcount(of), ret_most);
        seen += __builtin_popcount(of);
    }
}

/* The largest scores of each lane in the sample that begins with a piece. */
static void take_sample(const tz_chart *chart, const tz_score_map *map, const group *g,
                        size_t piece, double *ret_most) {
    enum { PIECES = SAMPLE / TZ_PIECE };
    tz_type type = tz_padded_weight(chart, 0, map->weight)->scores.type;
    double room[SAMPLE * LANES];
    size_t left = map->pieces - piece;
    for (size_t l = 0; l < g->count; l++)
        ret_most[l] = -INFINITY;
    if (chart->lanes == 1)
        sample_rows(chart, map, piece, ret_most);
    else
        chart->algebra->score_moves[type]->deal(
            room, (ptrdiff_t)g->count, g->from, g->count, (const tz_piece *)map->piece.data + piece,
            left < PIECES ? left : PIECES, chart->plan->wide.limit, ret_most);
}

/* Takes samples so many pieces apart: the mean of their largest scores, of each lane. False: there
 * was none but -infinity of some lane. */
static bool sample(const tz_chart *chart, const tz_score_map *map, const group *g, size_t apart,
                   double *ret_mean) {
    double sum[LANES] = {0};
    int samples[LANES] = {0};
    bool told = true;
    for (size_t p = 0; p < map->pieces; p += apart) {
        double most[LANES];
        take_sample(chart, map, g, p, most);
        for (size_t l = 0; l < g->count; l++) {
            bool any = most[l] > -INFINITY;
            sum[l] += any ? most[l] : 0;
            samples[l] += any;
        }
    }
    for (size_t l = 0; l < g->count; l++) {
        ret_mean[l] = samples[l] > 0 ? sum[l] / samples[l] : -INFINITY;
        told &= samples[l] > 0;
    }
    return told;
}

tz_status tz_score_map_sample(tz_chart *chart, unsigned w, double *ret_most) {
    size_t weights = chart->plan->rules->weights;
    const tz_score_map *map;
    tz_status status = tz_score_map_find(chart, w, &map);
    if (status != TZ_OK)
        return status;
    for (group g = {0}; next_group(chart, w, &g);) {
        double mean[LANES];
        if (!sample(chart, map, &g, map->pieces / SAMPLES + 1, mean))
            sample(chart, map, &g, 1, mean);
        for (size_t l = 0; l < g.count; l++)
            ret_most[(g.first + l) * weights + w] = mean[l];
    }
    return TZ_OK;
}

/* The scales of a group by gauge, then lane. */
static void find_scales(const tz_chart *chart, const group *g, double *ret) {
    const tz_rules *rules = chart->plan->rules;
    for (size_t f = 0; f < tz_used_gauges(rules); f++)
        for (size_t l = 0; l < g->count; l++)
            ret[f * g->count + l] = chart->scaling.scale[(g->first + l) * rules->gauges + f];
}

/* Shifts of SCORES scores where those of all cells are the same. */
static void fill_shifts(const tz_algebra *algebra, const tz_score_map *map, const group *g,
                        const double *scale, unsigned gauges, double *shift) {
    algebra->score_moves[TZ_DOUBLE]->shift(shift, scale, g->count, map->same[0], TZ_PIECE, gauges,
                                           TZ_PIECE);
    for (size_t known = TZ_PIECE * g->count, more; known < SCORES; known += more) {
        more = known < SCORES - known ? known : SCORES - known;
        memcpy(shift + known, shift, more * sizeof *shift);
    }
}

/* tz_moves.put of elements of any size. */
static void put_any(size_t size, char *to, size_t pitch, const char *from, size_t lanes,
                    const tz_piece *piece, size_t pieces) {
    const size_t cell = lanes * size;
    for (size_t p = 0; p < pieces; p++, from += (size_t)tz_packed(piece++) * cell)
        for (int32_t i = 0; i < piece->count; i++)
            if (piece->far[i] >= 0)
                memcpy(to + (size_t)piece->far[i] * pitch * size, from + (size_t)i * cell, cell);
}

static void copy_elements(char *to, const char *from, size_t size, size_t count) {
    if (size == 2 * sizeof(double)) /* so that the usual size is not left to a call */
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * 2 * sizeof(double), from + i * 2 * sizeof(double), 2 * sizeof(double));
    else
        memcpy(to, from, count * size);
}

/* tz_moves.lay of elements of any size. */
static void lay_any(size_t size, char *to, const char *from, const tz_patch *patch,
                    size_t patches) {
    for (const tz_patch *p = patch; p < patch + patches; from += (size_t)p++->packed * size)
        for (ptrdiff_t c = 0; c < p->columns; c++)
            for (unsigned of = p->column[c], first, end; of != 0; of &= ~0u << end) {
                first = (unsigned)__builtin_ctz(of);
                end = first + (unsigned)__builtin_ctz(~(of >> first));
                copy_elements(to + (p->near + c * p->apart + (ptrdiff_t)first) * (ptrdiff_t)size,
                              from + (p->start[c] + (ptrdiff_t)first) * (ptrdiff_t)size, size,
                              end - first);
            }
}

static bool lift_group(tz_chart *chart, unsigned w, const tz_score_map *map, const group *g) {
    const tz_algebra *algebra = chart->algebra;
    unsigned gauges = tz_used_gauges(chart->plan->rules);
    const double *form = map->form.data;
    char *to = (char *)chart->space[TZ_AT_WEIGHT].data + g->first * algebra->size;
    tz_type type = tz_padded_weight(chart, 0, w)->scores.type;
    _Alignas(TZ_MAX_ALIGN) double taken[SCORES], score[SCORES], shift[SCORES];
    /* Vectors are loaded from here as a whole. */
    _Alignas(TZ_MAX_ALIGN) char lifted[SCORES * TZ_MOST_LIFTED + TZ_MAX_ALIGN];
    double scale[TZ_FORMS * LANES];
    bool allowed = true;
    find_scales(chart, g, scale);
    if (form == NULL && algebra->scaled)
        fill_shifts(algebra, map, g, scale, gauges, shift);
    for (size_t p = 0, n, done = 0, count; p < map->pieces; p += n, done += count) {
        const double *from = type == TZ_FLOAT ? score : taken;
        count = 0;
        for (n = 0; p + n < map->pieces; n++) {
            size_t more = packed_of(chart, map, p + n);
            if ((count + more) * g->count > SCORES)
                break;
            count += more;
        }
        const size_t scores = count * g->count;
        allowed &= take(chart, map, g, type, p, n, taken, true);
        for (size_t i = 0; type == TZ_FLOAT && i < scores; i++)
            score[i] = (double)((const float *)taken)[i];
        if (form != NULL && algebra->scaled)
            algebra->score_moves[TZ_DOUBLE]->shift(shift, scale, g->count, form + done,
                                                   (ptrdiff_t)map->packed, gauges, count);
        chart->scaling.misfit |=
            !algebra->lifts(algebra->semiring, lifted, &(tz_lifting){from, shift, {0}}, scores);
        if (chart->lanes == 1 && algebra->moves == NULL)
            lay_any(algebra->size, to, lifted, (const tz_patch *)map->piece.data + p, n);
        else if (chart->lanes == 1)
            algebra->moves->lay(to, lifted, (const tz_patch *)map->piece.data + p, n, map->rows);
        else if (algebra->moves == NULL)
            put_any(algebra->size, to, chart->lanes, lifted, g->count,
                    (const tz_piece *)map->piece.data + p, n);
        else
            algebra->moves->put(to, (ptrdiff_t)chart->lanes, lifted, (ptrdiff_t)g->count, g->count,
                                (const tz_piece *)map->piece.data + p, n);
    }
    return allowed;
}

tz_status tz_score_map_lift(tz_chart *chart, unsigned w, bool *ret_allowed) {
    const tz_algebra *algebra = chart->algebra;
    tz_type type = tz_padded_weight(chart, 0, w)->scores.type;
    const tz_score_map *map;
    tz_status status = tz_score_map_find(chart, w, &map);
    if (status != TZ_OK)
        return status;
    *ret_allowed = true;
    for (group g = {0}; next_group(chart, w, &g);)
        if (copied(chart, w))
            *ret_allowed &=
                take(chart, map, &g, type, 0, map->pieces,
                     (char *)chart->space[TZ_AT_WEIGHT].data + g.first * algebra->size, false);
        else
            *ret_allowed &= lift_group(chart, w, map, &g);
    return TZ_OK;
}
