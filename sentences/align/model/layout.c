/* layout.c - see layout.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/layout.h"

#include <math.h>

/* What a weight holds. */
typedef enum role { WORD, REWRITE, PHRASE, NOWHERE, JUMP, AHEAD, BACK } role;

/* Documents of so many words are faster by `align-far`. */
enum { FAR_WORDS = 100 };
enum { WORDS, HMM, SPARSE, DENSE, FAR, MAP };

static const struct {
    const char *rules;
    size_t weights;
    role role[TZ_LAYOUT_WEIGHTS]; /* in order of declaration */
} layouts[TZ_LAYOUT_RULES] = {
    [WORDS] = {"align-words", 2, {WORD, NOWHERE}},
    [HMM] = {"align-hmm", 3, {WORD, NOWHERE, JUMP}},
    [SPARSE] = {"align-sparse", 4, {WORD, PHRASE, NOWHERE, JUMP}},
    [DENSE] = {"align", 3, {REWRITE, NOWHERE, JUMP}},
    [FAR] = {"align-far", 5, {REWRITE, NOWHERE, JUMP, AHEAD, BACK}},
    [MAP] = {"align-map", 3, {REWRITE, NOWHERE, JUMP}},
};

/* By which rule set. */
static size_t choose(const tz_aligner *a, size_t n) {
    if (a->kind == TZ_ALIGNER_MODEL1)
        return WORDS;
    if (a->jumps.kind == TZ_JUMP_SYNTAX)
        return MAP;
    if (a->jumps.kind == TZ_JUMP_POWERS && n >= FAR_WORDS)
        return FAR;
    if (a->abstract_most == 1 && a->document_most == 1)
        return HMM;
    return a->loose ? DENSE : SPARSE;
}

/* Places a weight behind what is there. */
static tz_status place(tz_layout *l, size_t w, role role) {
    tz_shape *shape = &l->shape[w];
    size_t cells = l->longer;
    l->offset[w] = l->size;
    if (role != PHRASE) {
        tz_status status = tz_rules_shape(l->rules, w, l->lengths, shape);
        if (status != TZ_OK)
            return status;
        cells = 1;
        for (size_t q = 0; q < shape->rank; q++)
            if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
                return TZ_TOO_LARGE;
    }
    if (__builtin_add_overflow(l->size, cells, &l->size) || l->size > SIZE_MAX / sizeof(double) / 2)
        return TZ_TOO_LARGE;
    const int32_t *origin = shape->origin, *extent = shape->extent;
    ptrdiff_t at = (ptrdiff_t)l->offset[w];
    switch (role) {
    case WORD:
        l->step = (size_t)extent[1];
        l->word = at + (1 - origin[0]) * extent[1] + 1 - origin[1];
        break;
    case REWRITE:
        l->rewrite = (ptrdiff_t)w;
        l->step = (size_t)extent[3];
        l->word = (ptrdiff_t)tz_layout_place(l, &(tz_place){.p = 1, .q = 1}, 0);
        break;
    case PHRASE:
        l->phrase = at;
        break;
    case NOWHERE:
        l->null = at + 1 - origin[0];
        break;
    case JUMP:
        l->jump = at;
        break;
    case AHEAD:
        l->ahead = at + TZ_JUMP_FIRST_POWER - origin[0];
        break;
    case BACK:
        l->back = at + TZ_JUMP_FIRST_POWER - origin[0];
        break;
    }
    return TZ_OK;
}

tz_status tz_layout_choose(const tz_aligner *a, size_t n, size_t m, size_t longer, tz_layout *ret) {
    if (n > TZ_MAX_LENGTH - 2 || m > TZ_MAX_LENGTH - 2)
        return TZ_TOO_LARGE;
    size_t which = choose(a, n);
    *ret = (tz_layout){
        .which = which,
        .rules = tz_rules_find(layouts[which].rules),
        .lengths = {(int32_t)m, (int32_t)n, (int32_t)a->abstract_most, (int32_t)a->document_most},
        .weights = layouts[which].weights,
        .longer = longer,
        .rewrite = -1,
        .jump = -1,
        .ahead = -1};
    tz_status status = TZ_OK;
    for (size_t w = 0; w < ret->weights && status == TZ_OK; w++)
        status = place(ret, w, layouts[which].role[w]);
    return status;
}

size_t tz_layout_place(const tz_layout *l, const tz_place *place, size_t e) {
    if (l->rewrite < 0)
        return (size_t)l->phrase + e;
    const int32_t index[] = {place->p, place->q, (int32_t)place->t + 1, (int32_t)place->j + 1};
    const tz_shape *shape = &l->shape[l->rewrite];
    size_t at = 0;
    for (size_t q = 0; q < 4; q++)
        at = at * (size_t)shape->extent[q] + (size_t)(index[q] - shape->origin[q]);
    return l->offset[l->rewrite] + at;
}

bool tz_layout_use(const tz_layout *l, const tz_use *use, tz_place *ret) {
    role role = layouts[l->which].role[use->weight];
    if (role != WORD && role != REWRITE && role != PHRASE)
        return false;
    const int32_t *index = use->index;
    *ret = (tz_place){.p = 1, .q = 1};
    if (role != WORD) {
        ret->p = (uint8_t)*index++;
        ret->q = (uint8_t)*index++;
    }
    ret->t = (uint32_t)index[0] - 1;
    ret->j = (uint32_t)index[1] - 1;
    return true;
}

void tz_layout_index(const tz_layout *l, const tz_place *place, int32_t *ret) {
    for (size_t e = 0; e < l->longer; e++, ret += 4) {
        ret[0] = place[e].p;
        ret[1] = place[e].q;
        ret[2] = (int32_t)place[e].t + 1;
        ret[3] = (int32_t)place[e].j + 1;
    }
}

double tz_layout_log_length(const tz_layout *l, const tz_aligner *a, unsigned q) {
    return a->kind == TZ_ALIGNER_MODEL1 ? -log((double)l->lengths[1] + 1) : log(a->length[q - 1]);
}

void tz_layout_score(const tz_layout *l, const tz_aligner *a, const tz_form *abstract,
                     tz_jump_cover *opt_cover, double *ret) {
    size_t m = (size_t)l->lengths[0], n = (size_t)l->lengths[1];
    double null = a->kind == TZ_ALIGNER_MODEL1 ? -log((double)n + 1) : log(a->null);
    double moves = log1p(-a->null);
    if (l->rewrite >= 0)
        for (size_t cell = l->offset[l->rewrite]; cell < l->offset[l->rewrite + 1]; cell++)
            ret[cell] = -INFINITY;
    for (size_t t = 0; t < m; t++)
        ret[l->null + (ptrdiff_t)t] = null + log(tz_aligner_from_nowhere(a, &abstract[t]));
    const tz_jumps *jumps = &a->jumps;
    if (l->which == MAP)
        tz_cover_score(opt_cover, jumps->log_p, jumps->beyond, moves, ret + l->jump);
    else if (l->ahead >= 0)
        tz_jumps_score_far(jumps, moves, ret + l->jump, ret + l->ahead, ret + l->back);
    else if (l->jump >= 0)
        tz_jumps_score(jumps, n, moves, ret + l->jump);
}

double tz_layout_take_jumps(const tz_layout *l, const tz_aligner *a, tz_jump_cover *opt_cover,
                            double *uses, double *counts) {
    const tz_jumps *jumps = &a->jumps;
    if (l->which == MAP)
        return tz_cover_count(opt_cover, uses + l->jump, counts);
    if (l->ahead >= 0)
        return tz_jumps_take_far(jumps, uses + l->jump, uses + l->ahead, uses + l->back, counts);
    return l->jump >= 0 ? tz_jumps_take(jumps, (size_t)l->lengths[1], uses + l->jump, counts) : 0;
}

/* ---- Problems -------------------------------------------------------------------------------- */

void tz_layout_scores(const tz_layout *l, const double *score, const int32_t *index,
                      tz_scores *ret) {
    for (size_t w = 0; w < l->weights; w++) {
        const double *from = score + l->offset[w];
        ret[w] = layouts[l->which].role[w] == PHRASE ? tz_scores_sparse(index, from, l->longer)
                                                     : tz_scores_dense(&l->shape[w], from);
    }
}

void tz_layout_outputs(const tz_layout *l, double *data, tz_output *ret) {
    for (size_t w = 0; w < l->weights; w++) {
        double *to = data + l->offset[w];
        ret[w] = layouts[l->which].role[w] == PHRASE ? (tz_output){.data = to, .stride = {1}}
                                                     : tz_output_dense(&l->shape[w], to);
    }
}
