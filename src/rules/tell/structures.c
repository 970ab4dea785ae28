/* structures.c - are all derivations distinct structures? See enumerate.h. SPDX-License-Identifier:
 * MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "rules/tell/enumerate.h"

/* All derivations' uses, one after the other. */
typedef struct multisets {
    tz_enum_use *use;
    size_t *start; /* of each derivation's uses */
    size_t uses, count, use_capacity, capacity;
    const tz_rules *opt_declared; /* cells are named by its declared weights: others may lack some
                                     that no rule uses */
    bool failed;                  /* memory is out */
} multisets;

typedef struct multiset {
    const tz_enum_use *use;
    size_t count;
} multiset;

static int compare_uses(const void *left, const void *right) {
    const tz_enum_use *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (a->index[q] != b->index[q])
            return a->index[q] < b->index[q] ? -1 : 1;
    return 0;
}

static int compare_multisets(const void *left, const void *right) {
    const multiset *a = left, *b = right;
    for (size_t u = 0; u < a->count && u < b->count; u++) {
        int order = compare_uses(&a->use[u], &b->use[u]);
        if (order)
            return order;
    }
    return (a->count > b->count) - (a->count < b->count);
}

/* Views come behind the declared weights. */
static void name_declared(const tz_rules *rules, tz_enum_use *use) {
    unsigned declared;
    tz_declared_weights(rules, &declared);
    const tz_weight *weight = &rules->weight[use->weight];
    use->weight = weight->view == NULL ? weight->declared : declared + use->weight;
}

static int collect(void *user, const tz_enum_use *uses, size_t count) {
    multisets *all = user;
    void *use = all->use, *start = all->start;
    bool grown = tz_grow(&use, &all->use_capacity, all->uses + count, sizeof *all->use);
    all->use = use;
    grown = grown && tz_grow(&start, &all->capacity, all->count + 1, sizeof *all->start);
    all->start = start;
    all->failed = !grown;
    if (all->failed)
        return 1;
    all->start[all->count++] = all->uses;
    if (count > 0) {
        memcpy(all->use + all->uses, uses, count * sizeof *uses);
        for (size_t u = 0; all->opt_declared != NULL && u < count; u++)
            name_declared(all->opt_declared, &all->use[all->uses + u]);
        qsort(all->use + all->uses, count, sizeof *uses, compare_uses);
    }
    all->uses += count;
    return 0;
}

/* Sorted; to be freed: all->use, all->start, *ret_set. */
static tz_status sort_all(const tz_rules *rules, const int32_t *lengths, size_t limit,
                          multisets *all, multiset **ret_set) {
    *ret_set = NULL;
    tz_status status = tz_enumerate(rules, lengths, limit, collect, all);
    if (status != TZ_OK)
        return status;
    multiset *set = all->failed ? NULL : calloc(all->count + 1, sizeof *set);
    if (set == NULL)
        return TZ_NO_MEMORY;
    for (size_t d = 0; d < all->count; d++) {
        set[d].use = all->use ? all->use + all->start[d] : NULL; /* no derivation has any */
        set[d].count = (d + 1 < all->count ? all->start[d + 1] : all->uses) - all->start[d];
    }
    qsort(set, all->count, sizeof *set, compare_multisets);
    *ret_set = set;
    return TZ_OK;
}

static void free_all(multisets *all, multiset *set) {
    free(set);
    free(all->use);
    free(all->start);
}

tz_status tz_count_structures(const tz_rules *rules, const int32_t *lengths, size_t limit,
                              size_t *ret_derivations, size_t *ret_structures) {
    multisets all = {0};
    multiset *set;
    size_t structures = 0;
    tz_status status = sort_all(rules, lengths, limit, &all, &set);
    if (status == TZ_OK) {
        for (size_t d = 0; d < all.count; d++)
            structures += d == 0 || compare_multisets(&set[d - 1], &set[d]) != 0;
        *ret_derivations = all.count;
        *ret_structures = rules->derivations ? all.count : structures;
    }
    free_all(&all, set);
    return status;
}

tz_status tz_compare_structures(const tz_rules *a, const tz_rules *b, const int32_t *lengths,
                                size_t limit, bool *ret_same, size_t *ret_derivations) {
    multisets one = {.opt_declared = a}, two = {.opt_declared = b};
    multiset *first, *second = NULL;
    tz_status status = sort_all(a, lengths, limit, &one, &first);
    if (status == TZ_OK)
        status = sort_all(b, lengths, limit, &two, &second);
    if (status == TZ_OK) {
        bool same = one.count == two.count;
        for (size_t d = 0; d < one.count && same; d++)
            same = compare_multisets(&first[d], &second[d]) == 0;
        *ret_same = same;
        *ret_derivations = one.count;
    }
    free_all(&one, first);
    free_all(&two, second);
    return status;
}
