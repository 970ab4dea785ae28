/* deal.c - see deal.h. SPDX-License-Identifier: MIT */
#include "sentences/train/deal.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ranks/ranks.h"

/* ---- Who has what ---------------------------------------------------------------------------- */

typedef struct entry {
    uint64_t line;
    int32_t words;
    uint32_t rank, place; /* in that rank's corpus */
    uint32_t unused;
} entry;

static int by_line(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Of all ranks, sorted. */
static tz_status list(const tz_corpus *corpus, entry **ret_entry, size_t *ret_count,
                      tz_error *opt_error) {
    entry *mine = malloc((corpus->count + 1) * sizeof *mine);
    size_t count = 0;
    *ret_entry = NULL;
    if (!mine)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < corpus->count; s++) {
        const tz_sentence *sentence = &corpus->sentence[s];
        if (sentence->words > 0)
            mine[count++] =
                (entry){sentence->line, sentence->words, (uint32_t)tz_rank(), (uint32_t)s, 0};
    }
    tz_gathered all = {0};
    tz_status status = tz_ranks_gather(mine, count * sizeof *mine, &all, opt_error);
    free(mine);
    if (status == TZ_OK) {
        *ret_entry = (entry *)(void *)all.data;
        *ret_count = all.at[tz_ranks()] / sizeof **ret_entry;
        /* Alone, sentences are in the order in which they were given. */
        if (tz_ranks() > 1)
            qsort(*ret_entry, *ret_count, sizeof **ret_entry, by_line);
        all.data = NULL;
    }
    tz_gathered_free(&all);
    return status;
}

void tz_deal_free(tz_deal *deal) {
    if (deal) {
        free(deal->length);
        free(deal->holder);
        free((void *)deal->held);
        tz_arena_free(deal->arena);
        free(deal);
    }
}

tz_status tz_deal_new(tz_corpus *corpus, const tz_sources *opt_sources, tz_deal **ret_deal,
                      tz_error *opt_error) {
    entry *all;
    size_t count = 0;
    *ret_deal = NULL;
    tz_status status = list(corpus, &all, &count, opt_error);
    if (status != TZ_OK)
        return status;
    tz_deal *deal = calloc(1, sizeof *deal);
    if (deal) {
        *deal = (tz_deal){.count = count, .opt_sources = opt_sources};
        deal->length = malloc((count + 1) * sizeof *deal->length);
        deal->holder = malloc((count + 1) * sizeof *deal->holder);
        deal->held = calloc(count + 1, sizeof *deal->held);
    }
    if (!deal || !deal->length || !deal->holder || !deal->held) {
        tz_deal_free(deal);
        free(all);
        return TZ_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        deal->length[i] = all[i].words;
        deal->holder[i] = all[i].rank;
        deal->words += (size_t)all[i].words;
        if (all[i].rank == tz_rank())
            deal->held[i] = &corpus->sentence[all[i].place];
    }
    free(all);
    *ret_deal = deal;
    return TZ_OK;
}

/* ---- A sentence as bytes --------------------------------------------------------------------- */

/* Then its words with what stands around them, the arrays below, the compression, the forms. */
typedef struct parcel {
    uint64_t size, number, line;
    int32_t words, compressed;
} parcel;

enum { COLUMNS = 6 };

static void columns_of(const tz_sentence *s, int32_t *column[COLUMNS]) {
    int32_t *const all[COLUMNS] = {s->head,  s->tag,       s->fine,
                                   s->label, s->same_fine, s->same_coarse};
    memcpy(column, all, sizeof all);
}

static size_t seen_words(int32_t words) {
    return (size_t)words + 2 + (size_t)2 * TZ_PADDING;
}

static size_t parcel_size(const tz_sentence *s) {
    size_t size = sizeof(parcel) + seen_words(s->words) * sizeof *s->word;
    size += (COLUMNS + (s->compression != NULL)) * ((size_t)s->words + 1) * sizeof(int32_t);
    for (int32_t w = 1; w <= s->words; w++)
        size += strlen(s->form[w]) + 1;
    return (size + 7) / 8 * 8;
}

static unsigned char *put(unsigned char *at, const void *bytes, size_t size) {
    if (size > 0) /* else there may be nothing to copy from */
        memcpy(at, bytes, size);
    return at + size;
}

static void pack(const tz_sentence *s, size_t number, unsigned char *at) {
    int32_t *column[COLUMNS];
    size_t numbers = ((size_t)s->words + 1) * sizeof(int32_t), size = parcel_size(s);
    parcel head = {size, number, s->line, s->words, s->compression != NULL};
    memset(at + size - 8, 0, 8);
    at = put(at, &head, sizeof head);
    at = put(at, s->word - TZ_PADDING, seen_words(s->words) * sizeof *s->word);
    columns_of(s, column);
    for (size_t c = 0; c < COLUMNS; c++)
        at = put(at, column[c], numbers);
    at = put(at, s->compression, s->compression ? numbers : 0);
    for (int32_t w = 1; w <= s->words; w++)
        at = put(at, s->form[w], strlen(s->form[w]) + 1);
}

static tz_status unpack(const tz_deal *deal, const unsigned char *at, tz_sentence *s) {
    parcel head;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    tz_status status = tz_sentence_new(deal->arena, head.words, s);
    size_t positions = (size_t)head.words + 1;
    if (status == TZ_OK && head.compressed)
        s->compression = tz_arena_array(deal->arena, positions, sizeof *s->compression);
    if (status != TZ_OK || (head.compressed && !s->compression))
        return TZ_NO_MEMORY;
    s->line = head.line;
    memcpy(s->word - TZ_PADDING, at, seen_words(head.words) * sizeof *s->word);
    at += seen_words(head.words) * sizeof *s->word;
    int32_t *column[COLUMNS + 1];
    columns_of(s, column);
    column[COLUMNS] = s->compression;
    for (size_t c = 0; c < (size_t)(COLUMNS + head.compressed);
         c++, at += positions * sizeof(int32_t))
        memcpy(column[c], at, positions * sizeof(int32_t));
    for (int32_t w = 1; w <= head.words; w++) {
        size_t size = strlen((const char *)at);
        s->form[w] = tz_arena_text(deal->arena, (const char *)at, size);
        if (!s->form[w])
            return TZ_NO_MEMORY;
        at += size + 1;
    }
    return deal->opt_sources ? tz_outline_new(deal->arena, deal->opt_sources, s) : TZ_OK;
}

/* ---- Dealing --------------------------------------------------------------------------------- */

/* Parcels for all ranks, behind one another; size[r] bytes for each. */
static unsigned char *pack_all(const tz_deal *deal, const uint32_t *to, size_t *size) {
    size_t ranks = tz_ranks(), *at = calloc(ranks + 1, sizeof *at);
    memset(size, 0, ranks * sizeof *size);
    for (size_t i = 0; i < deal->count; i++)
        if (deal->held[i])
            size[to[i]] += parcel_size(deal->held[i]);
    for (size_t r = 0; at && r < ranks; r++)
        at[r + 1] = at[r] + size[r];
    unsigned char *bytes = at ? malloc(at[ranks] + 1) : NULL;
    for (size_t i = 0; bytes && i < deal->count; i++) {
        if (deal->held[i]) {
            pack(deal->held[i], i, bytes + at[to[i]]);
            at[to[i]] += parcel_size(deal->held[i]);
        }
    }
    free(at);
    return bytes;
}

static tz_status unpack_all(tz_deal *deal, const tz_gathered *all) {
    deal->arena = tz_arena_new();
    if (!deal->arena)
        return TZ_NO_MEMORY;
    for (size_t at = 0; at < all->at[tz_ranks()];) {
        parcel head;
        memcpy(&head, all->data + at, sizeof head);
        tz_sentence *sentence = tz_arena_array(deal->arena, 1, sizeof *sentence);
        tz_status status = sentence ? unpack(deal, all->data + at, sentence) : TZ_NO_MEMORY;
        if (status != TZ_OK)
            return status;
        deal->held[head.number] = sentence;
        at += head.size;
    }
    return TZ_OK;
}

tz_status tz_deal_out(tz_deal *deal, tz_corpus *corpus, const uint32_t *to, tz_error *opt_error) {
    if (tz_ranks() == 1)
        return TZ_OK;
    size_t *size = calloc(tz_ranks(), sizeof *size);
    unsigned char *bytes = size ? pack_all(deal, to, size) : NULL;
    tz_gathered all = {0};
    tz_status status = bytes ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK) { /* what was packed is there no longer */
        tz_corpus_free(corpus);
        tz_arena_free(deal->arena);
        deal->arena = NULL;
        memset((void *)deal->held, 0, deal->count * sizeof *deal->held);
        memcpy(deal->holder, to, deal->count * sizeof *to);
        status = tz_ranks_exchange(bytes, size, &all, opt_error);
    }
    free(bytes);
    free(size);
    if (status == TZ_OK)
        status = unpack_all(deal, &all);
    tz_gathered_free(&all);
    return status;
}

typedef struct dealt {
    double work;
    size_t number, place;
} dealt;

/* The greatest first. */
static int by_work(const void *a, const void *b) {
    const dealt *x = a, *y = b;
    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

tz_status tz_deal_evenly(const tz_deal *deal, const size_t *order, size_t count, const double *work,
                         double *load, uint32_t *to) {
    size_t ranks = tz_ranks();
    dealt *card = malloc((count + 1) * sizeof *card);
    double *of_batch = calloc(ranks, sizeof *of_batch);
    for (size_t i = 0; card && i < count; i++)
        card[i] = (dealt){work[deal->length[order[i]]], order[i], i};
    if (card && of_batch)
        qsort(card, count, sizeof *card, by_work);
    for (size_t i = 0; card && of_batch && i < count; i++) {
        size_t least = 0; /* of the batch, then of all */
        for (size_t r = 1; r < ranks; r++)
            if (of_batch[r] < of_batch[least] ||
                (of_batch[r] == of_batch[least] && load[r] < load[least]))
                least = r;
        to[card[i].number] = (uint32_t)least;
        of_batch[least] += card[i].work;
        load[least] += card[i].work;
    }
    bool room = card && of_batch;
    free(card);
    free(of_batch);
    return room ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_deal_tell(const tz_deal *deal, uint64_t *number, tz_error *opt_error) {
    tz_gathered all = {0};
    size_t mine = 0;
    uint64_t *told = malloc((deal->count + 1) * sizeof *told);
    if (!told)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < deal->count; i++)
        if (deal->held[i])
            told[mine++] = number[i];
    tz_status status = tz_ranks_gather(told, mine * sizeof *told, &all, opt_error);
    for (size_t i = 0; i < deal->count && status == TZ_OK; i++) {
        size_t *at = &all.at[deal->holder[i]];
        memcpy(&number[i], all.data + *at, sizeof *number);
        *at += sizeof *number;
    }
    free(told);
    tz_gathered_free(&all);
    return status;
}
