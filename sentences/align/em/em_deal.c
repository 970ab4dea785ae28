/* em_deal.c - which pairs make a block, and which rank has it.
 *
 * Blocks are cut from all pairs in the order of their lengths, so that those of a block can be
 * summed side by side, and blocks that ranks have in the same round take about as long.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "ranks/parcels.h"
#include "sentences/align/em/em_own.h"
#include "sentences/features/tables/hash.h"

/* Pairs of words in a block, but for the last pair of texts. */
enum { WORK = 1 << 16 };

/* What all ranks know of a pair. */
typedef struct entry {
    uint64_t position, texts, trees; /* hashes */
    uint32_t n, m;
    uint32_t rank, place; /* whose it is, and where there */
} entry;

static uint64_t hash_texts(const tz_em *em, const tz_em_pair *pair) {
    uint64_t hash = tz_hash(pair->n, pair->m);
    for (size_t w = pair->at; w < pair->at + pair->n + pair->m; w++) {
        hash = tz_hash(tz_hash(hash, em->form[w].word), em->form[w].stem);
        hash = tz_hash(hash, em->stop[w]);
    }
    return hash;
}

/* As far as jumps see them. */
static uint64_t hash_trees(const tz_em *em, const tz_em_pair *pair) {
    const tz_jump_cover *cover = pair->opt_cover;
    uint64_t hash = 0;
    for (size_t node = 0; cover && em->settings.jump == TZ_JUMP_SYNTAX &&
                          node < cover->ending_from[cover->words + 1];
         node++) {
        hash = tz_hash(tz_hash(hash, cover->ending[node].begin), cover->ending[node].end);
        hash = tz_hash(hash, (uint64_t)cover->ending[node].label);
    }
    return hash;
}

static int by_position(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

static int by_length(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->m != y->m)
        return x->m < y->m ? -1 : 1;
    return by_position(a, b);
}

static tz_status list(const tz_em *em, tz_gathered *ret_all, tz_error *error) {
    entry *mine = malloc((em->pairs + 1) * sizeof *mine);
    if (!mine)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < em->pairs; i++) {
        const tz_em_pair *pair = &em->pair[i];
        mine[i] = (entry){.position = pair->position,
                          .texts = hash_texts(em, pair),
                          .trees = hash_trees(em, pair),
                          .n = (uint32_t)pair->n,
                          .m = (uint32_t)pair->m,
                          .rank = (uint32_t)tz_rank(),
                          .place = (uint32_t)i};
    }
    tz_status status = tz_ranks_gather(mine, em->pairs * sizeof *mine, ret_all, error);
    free(mine);
    return status;
}

/* Of all pairs, in their order. */
static void look_at_all(tz_em *em, const entry *all, size_t count) {
    em->words = em->longest = 0;
    em->texts_hash = em->trees_hash = count;
    for (size_t i = 0; i < count; i++) {
        em->words += all[i].m;
        em->longest = all[i].n > em->longest ? all[i].n : em->longest;
        em->texts_hash = tz_hash(em->texts_hash, all[i].texts);
        em->trees_hash = tz_hash(em->trees_hash, all[i].trees);
    }
}

/* ---- To the ranks ---------------------------------------------------------------------------- */

/* Then the forms, and where the words' sentences end. */
typedef struct parcel {
    uint64_t size, order, position;
    uint32_t n, m;
} parcel;

static size_t parcel_size(const tz_em_pair *pair) {
    size_t words = pair->n + pair->m;
    return sizeof(parcel) + words * sizeof(tz_form) + (words * sizeof(uint32_t) + 7) / 8 * 8;
}

static void pack(const tz_em *em, const tz_em_pair *pair, size_t order, unsigned char *at) {
    size_t words = pair->n + pair->m;
    parcel head = {parcel_size(pair), order, pair->position, (uint32_t)pair->n, (uint32_t)pair->m};
    memset(at + head.size - 8, 0, 8);
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    memcpy(at, em->form + pair->at, words * sizeof *em->form);
    memcpy(at + words * sizeof *em->form, em->stop + pair->at, words * sizeof *em->stop);
}

/* All pairs, and those of this rank. */
typedef struct packing {
    const tz_em *em;
    const entry *all;
} packing;

static size_t pack_own(const void *of, size_t i, unsigned char *opt_at) {
    const packing *p = of;
    if (p->all[i].rank != tz_rank())
        return 0;
    const tz_em_pair *pair = &p->em->pair[p->all[i].place];
    if (opt_at)
        pack(p->em, pair, i, opt_at);
    return parcel_size(pair);
}

static int by_order(const void *a, const void *b) {
    const parcel *x = *(const parcel *const *)a, *y = *(const parcel *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

/* The pairs that have come, in order, instead of those that have gone. */
static tz_status unpack_all(tz_em *em, const tz_gathered *in) {
    size_t size = in->at[tz_ranks()], count = 0, words = 0;
    const parcel **list = malloc((size / sizeof(parcel) + 1) * sizeof *list);
    for (size_t at = 0; list && at < size; at += list[count++]->size) {
        list[count] = (const parcel *)(const void *)(in->data + at);
        words += (size_t)list[count]->n + list[count]->m;
    }
    em->form = malloc((words + 1) * sizeof *em->form);
    em->stop = malloc((words + 1) * sizeof *em->stop);
    em->pair = calloc(count + 1, sizeof *em->pair);
    em->forms = 0;
    em->pairs = count;
    em->form_capacity = em->stop_capacity = words + 1;
    em->pair_capacity = count + 1;
    if (!list || !em->form || !em->stop || !em->pair) {
        free((void *)list);
        return TZ_NO_MEMORY;
    }
    qsort((void *)list, count, sizeof *list, by_order);
    for (size_t i = 0; i < count; i++) {
        const tz_form *form = (const tz_form *)(const void *)(list[i] + 1);
        size_t both = (size_t)list[i]->n + list[i]->m;
        em->pair[i] = (tz_em_pair){
            .position = list[i]->position, .at = em->forms, .n = list[i]->n, .m = list[i]->m};
        memcpy(em->form + em->forms, form, both * sizeof *form);
        memcpy(em->stop + em->forms, form + both, both * sizeof *em->stop);
        em->forms += both;
    }
    free((void *)list);
    return TZ_OK;
}

static tz_status exchange(tz_em *em, const entry *all, const uint32_t *to, size_t count,
                          tz_error *error) {
    const packing packing = {em, all};
    tz_parcels parcels = {0};
    tz_gathered in = {0};
    tz_status status = tz_parcels_pack(&parcels, count, to, pack_own, &packing);
    if (status != TZ_OK)
        return status;
    free(em->form);
    free(em->stop);
    free(em->pair);
    em->form = NULL;
    em->stop = NULL;
    em->pair = NULL;
    status = tz_parcels_send(&parcels, &in, error);
    if (status == TZ_OK)
        status = unpack_all(em, &in);
    tz_gathered_free(&in);
    return status;
}

/* Alone, all stay: in that order. */
static tz_status reorder(tz_em *em, const entry *all) {
    tz_em_pair *pair = malloc((em->pairs + 1) * sizeof *pair);
    if (!pair)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < em->pairs; i++)
        pair[i] = em->pair[all[i].place];
    free(em->pair);
    em->pair = pair;
    em->pair_capacity = em->pairs + 1;
    return TZ_OK;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Block b is in round b / ranks, and rank b % ranks has it. */
static tz_status cut(tz_em *em, const entry *all, size_t count, uint32_t *to) {
    size_t capacity = 0, blocks = 0, mine = 0;
    for (size_t i = 0; i < count; blocks++) {
        bool is_mine = blocks % tz_ranks() == tz_rank();
        size_t first = mine;
        for (uint64_t work = 0; i < count && work < WORK; i++) {
            work += (uint64_t)all[i].n * all[i].m;
            to[i] = (uint32_t)(blocks % tz_ranks());
            mine += is_mine;
        }
        if (!is_mine)
            continue;
        if (!TZ_GROW(em->block, &capacity, em->blocks + 1))
            return TZ_NO_MEMORY;
        em->block[em->blocks++] =
            (tz_em_block){.first = first, .last = mine, .round = blocks / tz_ranks()};
    }
    em->rounds = (blocks + tz_ranks() - 1) / tz_ranks();
    return TZ_OK;
}

tz_status tz_em_deal(tz_em *em, tz_error *error) {
    tz_gathered gathered = {0};
    tz_status status = list(em, &gathered, error);
    if (status != TZ_OK) {
        tz_gathered_free(&gathered);
        return status;
    }
    entry *all = (entry *)(void *)gathered.data;
    size_t count = gathered.at[tz_ranks()] / sizeof *all;
    uint32_t *to = malloc((count + 1) * sizeof *to);
    status = to ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        if (count > 0) /* else there is nothing to sort */
            qsort(all, count, sizeof *all, by_position);
        look_at_all(em, all, count);
        if (count > 0)
            qsort(all, count, sizeof *all, by_length);
        status = cut(em, all, count, to);
    }
    if (status == TZ_OK)
        status = tz_ranks() > 1 ? exchange(em, all, to, count, error) : reorder(em, all);
    free(to);
    tz_gathered_free(&gathered);
    return status;
}
