/* parts.c - see parts.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/parts.h"

#include "sentences/align/model/aligner.h"

static double same(const tz_aligner *a, const tz_rewrite *r) {
    (void)a;
    return r->same ? 1 : 0;
}

static double stem(const tz_aligner *a, const tz_rewrite *r) {
    (void)a;
    return r->stem && r->alike > 0 ? 1 / r->alike : 0;
}

/* A row or a cell that training did not see has its fake count, and is a part of the total. */
static double table(const tz_aligner *a, const tz_rewrite *r) {
    if (r->row == TZ_NO_NUMBER && r->words)
        return 1 / (double)(a->vocabulary + 1);
    double total = r->row == TZ_NO_NUMBER ? 0 : a->total[r->row];
    if (r->cell != TZ_NO_NUMBER)
        return total > 0 ? a->count[r->cell] / total : 0;
    double fake = tz_aligner_fake(a, r);
    bool any = r->words && a->prior[TZ_PRIOR_ANY] > 0, counted = any && r->column != TZ_NO_NUMBER;
    if (any)
        fake += a->unseen;
    total += counted ? 0 : fake;
    return fake > 0 ? fake / total : 0;
}

static double near(const tz_aligner *a, const tz_rewrite *r) {
    (void)a;
    return r->near;
}

static const struct {
    const char *name;
    double (*value)(const tz_aligner *aligner, const tz_rewrite *rewrite);
} parts[TZ_PARTS] = {
    [TZ_PART_SAME] = {"id", same},
    [TZ_PART_STEM] = {"stem", stem},
    [TZ_PART_TABLE] = {"t", table},
    [TZ_PART_NEAR] = {"wn", near},
};

const char *tz_part_name(size_t part) {
    return parts[part].name;
}

double tz_parts_value(const tz_aligner *aligner, const tz_rewrite *rewrite,
                      double ret_part[TZ_PARTS]) {
    double sum = 0;
    for (size_t k = 0; k < TZ_PARTS; k++) {
        ret_part[k] =
            aligner->part[k] > 0 ? aligner->part[k] * parts[k].value(aligner, rewrite) : 0;
        sum += ret_part[k];
    }
    return sum;
}
