/* compress_scores.c - see compress_scores.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/compress_scores.h"

#include <math.h>
#include <string.h>

#include "sentences/text/marks.h"

enum { ARC, BIGRAM }; /* weights of the rules: arc or sib, bigram */

/* What the linear model's scores, over its greatest weight, are multiplied by; and the threshold.
 */
static const double SCALE = 18, THRESHOLD = 0.38;
/* Neural scores are natural logs: so many of them are as much as a greatest weight. */
static const double NEURAL_UNIT = 2.5;

tz_compress_scorer tz_compress_scorer_of(const tz_model *model) {
    double greatest = (double)tz_model_greatest(model);
    return (tz_compress_scorer){.model = model, .greatest = greatest > 0 ? greatest : 1};
}

/* ---- Which scores ---------------------------------------------------------------------------- */

static bool given(const tz_sentence *opt_sentence) {
    return opt_sentence && opt_sentence->given;
}

/* The neural scores that are used; NULL: none. */
static const tz_neural *neural(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence) {
    return given(opt_sentence) || scorer->only == TZ_SCORER_LINEAR ? NULL : scorer->neural;
}

static bool both(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence) {
    return neural(scorer, opt_sentence) && scorer->only == TZ_SCORER_BOTH;
}

double tz_compress_scale(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence) {
    const tz_neural *n = neural(scorer, opt_sentence);
    double scale = !n                           ? SCALE
                   : both(scorer, opt_sentence) ? (double)n->mix.scale
                                                : 1 / (double)n->mix.weight;
    return scale / scorer->greatest;
}

double tz_compress_threshold(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence) {
    const tz_neural *n = neural(scorer, opt_sentence);
    return n ? (double)n->mix.threshold : THRESHOLD;
}

double tz_compress_bonus(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence) {
    const tz_neural *n = neural(scorer, opt_sentence);
    return both(scorer, opt_sentence) ? (double)n->mix.bonus * scorer->greatest : 0;
}

double tz_compress_unit(const tz_compress_scorer *scorer, const tz_sentence *opt_sentence) {
    const tz_neural *n = neural(scorer, opt_sentence);
    double share = n ? (double)n->mix.weight * NEURAL_UNIT : 0;
    return scorer->greatest * (both(scorer, opt_sentence) || !n ? 1 + share : share);
}

/* ---- Adding them up -------------------------------------------------------------------------- */

/* One more array of scores: (i, j) stands at from[i * stride[0] + j * stride[1]]. */
typedef struct cells {
    const void *from;
    bool single; /* floats, not doubles */
    ptrdiff_t stride[2];
} cells;

static double cell(const cells *c, int32_t i, int32_t j) {
    ptrdiff_t at = i * c->stride[0] + j * c->stride[1];
    return c->single ? (double)((const float *)c->from)[at] : ((const double *)c->from)[at];
}

/* arc[h,m] or bigram[i,j]; of sib[h,s,m] each s gets that of h and m. Cells that are not declared
 * are passed over. */
static void add(tz_scored *scored, size_t weight, double share, const cells *more) {
    const tz_shape *shape = &scored->shape[weight];
    double *to = scored->data[weight];
    unsigned last = shape->rank - 1;
    int32_t middle = shape->rank == 3 ? shape->extent[1] : 1;
    for (int32_t a = 0; a < shape->extent[0]; a++)
        for (int32_t s = 0; s < middle; s++)
            for (int32_t b = 0; b < shape->extent[last]; b++, to++) {
                int32_t i = a + shape->origin[0], j = b + shape->origin[last];
                if (j >= 1 && (weight == ARC ? i != j : i < j))
                    *to += share * cell(more, i, j);
            }
}

static void add_both(tz_scored *scored, double share, const cells *arc, const cells *bigram) {
    add(scored, ARC, share, arc);
    add(scored, BIGRAM, share, bigram);
}

static cells given_cells(const tz_scores *scores) {
    return (cells){scores->data, scores->type == TZ_FLOAT, {scores->stride[0], scores->stride[1]}};
}

tz_status tz_compress_score(const tz_compress_scorer *scorer, const tz_sentence *sentence,
                            tz_neural_scores *room, tz_scored *ret_scored) {
    const tz_model *model = scorer->model;
    const tz_neural *n = neural(scorer, sentence);
    bool linear = !given(sentence) && (!n || both(scorer, sentence));
    tz_status status = linear ? tz_score_sentence(model, model->weight, sentence, ret_scored)
                              : tz_scored_fill(model, sentence, 0, ret_scored);
    if (status == TZ_OK && given(sentence)) {
        const cells arc = given_cells(&sentence->given[ARC]);
        const cells bigram = given_cells(&sentence->given[BIGRAM]);
        add_both(ret_scored, scorer->greatest / SCALE, &arc, &bigram);
    }
    if (status == TZ_OK && n)
        status = tz_neural_score(n, sentence, room);
    if (status == TZ_OK && n) {
        const cells arc = {room->arc, true, {(ptrdiff_t)room->words + 1, 1}};
        const cells bigram = {room->bigram, true, {(ptrdiff_t)room->words + 2, 1}};
        add_both(ret_scored, (double)n->mix.weight * scorer->greatest, &arc, &bigram);
    }
    return status;
}

static bool is_word(const tz_sentence *sentence, int32_t w) {
    return tz_wordlike(sentence->form[w], strlen(sentence->form[w]));
}

bool tz_compress_lacks_words(const tz_sentence *sentence, const int32_t *answer,
                             tz_scored *scored) {
    const tz_shape *shape = &scored->shape[ARC];
    const size_t cells = scored->cells[ARC] / (size_t)shape->extent[0];
    const size_t last = (size_t)shape->extent[shape->rank - 1];
    double *root = scored->data[ARC] + (size_t)(0 - shape->origin[0]) * cells;
    int32_t words = 0, kept = 0;
    for (int32_t w = 1; w <= sentence->words; w++) {
        words += is_word(sentence, w);
        kept += is_word(sentence, w) && answer[w] >= 0;
    }
    if (given(sentence) || words == 0 || kept > 0)
        return false;
    for (size_t c = 0; c < cells; c++) {
        int32_t m = (int32_t)(c % last) + shape->origin[shape->rank - 1];
        if (m >= 1 && !is_word(sentence, m))
            root[c] = -INFINITY;
    }
    return true;
}
