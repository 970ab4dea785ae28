/* compression.c - see compression.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/compression.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/eval/defects.h"

_Static_assert(TZ_COMPRESSION_FIGURES == (int)TZ_WITH_DEFECT + (int)TZ_DEFECTS, "one for each");

const tz_figure tz_compression_figure[TZ_COMPRESSION_FIGURES] = {
    [TZ_KEPT_F1] = {"kept.f1", "kept words: F1", NULL},
    [TZ_KEPT_PRECISION] = {"kept.precision", "  precision", NULL},
    [TZ_KEPT_RECALL] = {"kept.recall", "  recall", NULL},
    [TZ_MEAN_KEPT_F1] = {"kept.f1.mean", "  mean F1", NULL},
    [TZ_MEAN_KEPT_PRECISION] = {"kept.precision.mean", "  mean precision", NULL},
    [TZ_MEAN_KEPT_RECALL] = {"kept.recall.mean", "  mean recall", NULL},
    [TZ_EXACT_MATCH] = {"exact", "exact match", NULL},
    [TZ_ACCURACY] = {"accuracy", "accuracy", NULL},
    [TZ_MEAN_ACCURACY] = {"accuracy.mean", "  mean", NULL},
    [TZ_SSA] = {"ssa", "SSA", NULL},
    [TZ_MEAN_SSA] = {"ssa.mean", "  mean", NULL},
    [TZ_NGRAM_F1] = {"1-grams.f1", "1-grams: F1", NULL},
    [TZ_NGRAM_F1 + 1] = {"2-grams.f1", "2-grams: F1", NULL},
    [TZ_NGRAM_F1 + 2] = {"3-grams.f1", "3-grams: F1", NULL},
    [TZ_NGRAM_F1 + 3] = {"4-grams.f1", "4-grams: F1", NULL},
    [TZ_MEAN_NGRAM_F1] = {"1-grams.f1.mean", "1-grams: mean F1", NULL},
    [TZ_MEAN_NGRAM_F1 + 1] = {"2-grams.f1.mean", "2-grams: mean F1", NULL},
    [TZ_MEAN_NGRAM_F1 + 2] = {"3-grams.f1.mean", "3-grams: mean F1", NULL},
    [TZ_MEAN_NGRAM_F1 + 3] = {"4-grams.f1.mean", "4-grams: mean F1", NULL},
    [TZ_ARCS_F1] = {"arcs.f1", "arcs: F1", NULL},
    [TZ_ARCS_PRECISION] = {"arcs.precision", "  precision", NULL},
    [TZ_ARCS_RECALL] = {"arcs.recall", "  recall", NULL},
    [TZ_MEAN_ARCS_F1] = {"arcs.f1.mean", "  mean F1", NULL},
    [TZ_RATE_WORDS] = {"rate.words", "words kept", NULL},
    [TZ_MEAN_RATE_WORDS] = {"rate.words.mean", "  mean", NULL},
    [TZ_RATE_CHARACTERS] = {"rate.characters", "characters kept", NULL},
    [TZ_MEAN_RATE_CHARACTERS] = {"rate.characters.mean", "  mean", NULL},
    [TZ_WITH_DEFECT + TZ_DEFECT_END] = {"defects.end", "function word at the end", NULL},
    [TZ_WITH_DEFECT + TZ_DEFECT_STRANDED] = {"defects.stranded", "opener stranded", NULL},
    [TZ_WITH_DEFECT + TZ_DEFECT_NAME] = {"defects.name", "name cut", NULL},
    [TZ_WITH_DEFECT + TZ_DEFECT_MARKS] = {"defects.marks", "marks without partner", NULL},
    [TZ_WITH_DEFECT + TZ_DEFECT_NEGATION] = {"defects.negation", "negation lost", NULL},
    [TZ_WITH_DEFECT + TZ_DEFECT_ARTICLE] = {"defects.article", "a for an, an for a", NULL},
};

/* What two sets share, and their sizes. */
typedef struct overlap {
    double both, found, right;
} overlap;

static double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

static void add(tz_ratio *ratio, double part, double whole) {
    ratio->part += part;
    ratio->whole += whole;
}

/* ret[0] F1, [1] precision, [2] recall. */
static void add_overlap(const overlap *o, double weight, tz_ratio *ret) {
    add(&ret[0], weight * 2 * o->both, weight * (o->found + o->right));
    add(&ret[1], weight * o->both, weight * o->found);
    add(&ret[2], weight * o->both, weight * o->right);
}

static double f1(const overlap *o) {
    return share(2 * o->both, o->found + o->right);
}

/* ---- Kept words ------------------------------------------------------------------------------ */

static void measure_kept(const tz_source *source, const tz_compression *reference,
                         const tz_compression *system, double weight, tz_ratio *ret) {
    overlap o = {0, 0, 0};
    for (size_t w = 0; w < source->words; w++) {
        o.both += system->keep[w] && reference->keep[w];
        o.found += system->keep[w];
        o.right += reference->keep[w];
    }
    bool none = o.found + o.right == 0;
    add_overlap(&o, weight, &ret[TZ_KEPT_F1]);
    add(&ret[TZ_MEAN_KEPT_F1], weight * (none ? 1 : f1(&o)), weight);
    add(&ret[TZ_MEAN_KEPT_PRECISION], weight * (none ? 1 : share(o.both, o.found)), weight);
    add(&ret[TZ_MEAN_KEPT_RECALL], weight * (none ? 1 : share(o.both, o.right)), weight);
    add(&ret[TZ_EXACT_MATCH], weight * (o.both == o.found && o.both == o.right), weight);
}

static void measure_accuracy(const tz_source *source, const tz_compression *reference,
                             const tz_compression *system, double weight, tz_ratio *ret) {
    double right = 0, words = (double)source->words;
    for (size_t w = 0; w < source->words; w++)
        right += !system->keep[w] == !reference->keep[w];
    if (words > 0) {
        add(&ret[TZ_ACCURACY], weight * right, weight * words);
        add(&ret[TZ_MEAN_ACCURACY], weight * right / words, weight);
    }
}

/* ---- Strings --------------------------------------------------------------------------------- */

static size_t kept_forms(const tz_source *source, const tz_compression *c, int32_t *ret_form) {
    size_t kept = 0;
    for (size_t w = 0; w < source->words; w++)
        if (c->keep[w])
            ret_form[kept++] = source->form[w];
    return kept;
}

/* The fewest edits between two lists of words; row: room for targets + 1. */
static int32_t edits(const int32_t *source, size_t sources, const int32_t *target, size_t targets,
                     int32_t *row) {
    for (size_t j = 0; j <= targets; j++)
        row[j] = (int32_t)j;
    for (size_t i = 1; i <= sources; i++) {
        int32_t diagonal = row[0];
        row[0] = (int32_t)i;
        for (size_t j = 1; j <= targets; j++) {
            int32_t best = diagonal + (source[i - 1] != target[j - 1]);
            diagonal = row[j];
            best = diagonal + 1 < best ? diagonal + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[targets];
}

static void measure_ssa(const int32_t *form, size_t found, const int32_t *other, size_t right,
                        double weight, int32_t *row, tz_ratio *ret) {
    if (right == 0)
        return;
    double length = (double)right, kept = length - edits(form, found, other, right, row);
    add(&ret[TZ_SSA], weight * kept, weight * length);
    add(&ret[TZ_MEAN_SSA], weight * kept / length, weight);
}

/* form: room for three times the words and one more. */
static tz_status measure_strings(const tz_source *source, const tz_compression *reference,
                                 const tz_compression *system, double weight, int32_t *form,
                                 tz_ratio *ret) {
    int32_t *other = form + source->words;
    size_t found = kept_forms(source, system, form), right = kept_forms(source, reference, other);
    measure_ssa(form, found, other, right, weight, other + source->words, ret);
    for (unsigned n = 1; n <= TZ_NGRAM; n++) {
        size_t shared;
        tz_status status = tz_ngrams_shared(n, form, found, other, right, &shared);
        if (status != TZ_OK)
            return status;
        overlap o = {(double)shared, (double)tz_ngrams(n, found), (double)tz_ngrams(n, right)};
        if (o.found + o.right > 0) {
            add(&ret[TZ_NGRAM_F1 + n - 1], weight * 2 * o.both, weight * (o.found + o.right));
            add(&ret[TZ_MEAN_NGRAM_F1 + n - 1], weight * f1(&o), weight);
        }
    }
    return TZ_OK;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

static void measure_arcs(const tz_source *source, const tz_compression *reference,
                         const tz_compression *system, double weight, tz_ratio *ret) {
    overlap o = {0, 0, 0};
    for (size_t w = 0; w < source->words; w++) {
        o.both +=
            system->keep[w] && reference->keep[w] && system->opt_head[w] == reference->opt_head[w];
        o.found += system->keep[w];
        o.right += reference->keep[w];
    }
    if (o.found + o.right > 0) {
        add_overlap(&o, weight, &ret[TZ_ARCS_F1]);
        add(&ret[TZ_MEAN_ARCS_F1], weight * f1(&o), weight);
    }
}

/* ---- Length ---------------------------------------------------------------------------------- */

static void measure_rates(const tz_source *source, const tz_compression *system, tz_ratio *ret) {
    double kept = 0, kept_characters = 0, characters = 0;
    for (size_t w = 0; w < source->words; w++) {
        kept += system->keep[w];
        kept_characters += system->keep[w] ? source->characters[w] : 0;
        characters += source->characters[w];
    }
    double words = (double)source->words;
    if (words > 0) {
        ret[TZ_RATE_WORDS] = (tz_ratio){kept, words};
        ret[TZ_MEAN_RATE_WORDS] = (tz_ratio){kept / words, 1};
        ret[TZ_RATE_CHARACTERS] = (tz_ratio){kept_characters, characters};
        ret[TZ_MEAN_RATE_CHARACTERS] = (tz_ratio){share(kept_characters, characters), 1};
    }
}

static void measure_defects(const tz_source *source, const tz_compression *system, tz_ratio *ret) {
    bool defect[TZ_DEFECTS];
    tz_defects_find(source, system, defect);
    for (size_t d = 0; d < TZ_DEFECTS; d++)
        ret[TZ_WITH_DEFECT + d] = (tz_ratio){defect[d], 1};
}

tz_status tz_compression_measure(const tz_source *source, const tz_compression *system,
                                 tz_ratio *ret_ratio) {
    tz_ratio ratio[TZ_COMPRESSION_FIGURES] = {{0, 0}};
    size_t trees = 0;
    int32_t *form = calloc(3 * source->words + 1, sizeof *form);
    tz_status status = form ? TZ_OK : TZ_NO_MEMORY;
    for (size_t r = 0; r < source->references; r++)
        trees += source->reference[r].opt_head != NULL;
    for (size_t r = 0; r < source->references && status == TZ_OK; r++) {
        const tz_compression *reference = &source->reference[r];
        double weight = 1 / (double)source->references;
        measure_kept(source, reference, system, weight, ratio);
        if (system->opt_head && reference->opt_head)
            measure_arcs(source, reference, system, 1 / (double)trees, ratio);
        measure_accuracy(source, reference, system, weight, ratio);
        status = measure_strings(source, reference, system, weight, form, ratio);
    }
    free(form);
    if (status == TZ_OK) {
        measure_rates(source, system, ratio);
        measure_defects(source, system, ratio);
        memcpy(ret_ratio, ratio, sizeof ratio);
    }
    return status;
}
