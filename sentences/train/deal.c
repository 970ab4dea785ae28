/* deal.c - see deal.h. SPDX-License-Identifier: MIT */
#include "sentences/train/deal.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ranks/parcels.h"

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

tz_status tz_deal_new(tz_corpus *corpus, tz_deal **ret_deal, tz_error *opt_error) {
    entry *all;
    size_t count = 0;
    *ret_deal = NULL;
    tz_status status = list(corpus, &all, &count, opt_error);
    if (status != TZ_OK)
        return status;
    tz_deal *deal = calloc(1, sizeof *deal);
    if (deal) {
        deal->count = count;
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

/* Then its words with what stands around them, the arrays below, the forms; or what is left of it
 * in an outline; the compression. */
typedef struct parcel {
    uint64_t size, number, line;
    int32_t words;
    uint32_t without;                            /* of the outline */
    bool compressed, outlined, grammar, bigrams; /* what it has */
} parcel;

enum { COLUMNS = 6 };

static void columns_of(const tz_sentence *s, int32_t *column[COLUMNS]) {
    int32_t *const all[COLUMNS] = {s->head,  s->tag,       s->fine,
                                   s->label, s->same_fine, s->same_coarse};
    memcpy(column, all, sizeof all);
}

/* Words with what stands around them. */
static size_t seen_words(int32_t words) {
    return (size_t)words + 2 + (size_t)2 * TZ_PADDING;
}

/* Relations and grammar bins of an outline; bigram bins. */
static size_t pairs(int32_t words, int32_t outside) {
    size_t width = (size_t)words + (size_t)outside;
    return width * width;
}

/* Writes where it is not NULL, and returns where it ends. */
static size_t put(unsigned char *opt_at, size_t done, const void *bytes, size_t size) {
    if (opt_at && size > 0) /* else there may be nothing to copy from */
        memcpy(opt_at + done, bytes, size);
    return done + size;
}

static size_t put_outline(const tz_outline *o, unsigned char *opt_at, size_t done) {
    done = put(opt_at, done, o->word - TZ_PADDING, seen_words(o->words) * sizeof *o->word);
    done = put(opt_at, done, o->relation, pairs(o->words, 1));
    done = put(opt_at, done, o->grammar, o->grammar ? pairs(o->words, 1) : 0);
    return put(opt_at, done, o->bigram, o->bigram ? pairs(o->words, 2) : 0);
}

static size_t put_words(const tz_sentence *s, unsigned char *opt_at, size_t done) {
    int32_t *column[COLUMNS];
    done = put(opt_at, done, s->word - TZ_PADDING, seen_words(s->words) * sizeof *s->word);
    columns_of(s, column);
    for (size_t c = 0; c < COLUMNS; c++)
        done = put(opt_at, done, column[c], ((size_t)s->words + 1) * sizeof(int32_t));
    for (int32_t w = 1; w <= s->words; w++)
        done = put(opt_at, done, s->form[w], strlen(s->form[w]) + 1);
    return done;
}

/* The size of a sentence's parcel, a multiple of 8; opt_at: where it is written. */
static size_t pack(const tz_sentence *s, size_t number, unsigned char *opt_at) {
    const tz_outline *o = s->outline;
    size_t done = sizeof(parcel);
    done = put(opt_at, done, s->compression,
               s->compression ? ((size_t)s->words + 1) * sizeof(int32_t) : 0);
    done = o ? put_outline(o, opt_at, done) : put_words(s, opt_at, done);
    const size_t size = (done + 7) / 8 * 8;
    parcel head = {.size = size,
                   .number = number,
                   .line = s->line,
                   .words = s->words,
                   .without = o ? o->without : 0,
                   .compressed = s->compression != NULL,
                   .outlined = o != NULL,
                   .grammar = o && o->grammar,
                   .bigrams = o && o->bigram};
    put(opt_at, 0, &head, sizeof head);
    if (opt_at)
        memset(opt_at + done, 0, size - done);
    return size;
}

/* A copy of the next bytes, which it moves behind; NULL where memory is out. */
static void *take(tz_arena *arena, const unsigned char **at, size_t count, size_t size) {
    void *ret = tz_arena_array(arena, count, size);
    if (ret)
        memcpy(ret, *at, count * size);
    *at += count * size;
    return ret;
}

static tz_status unpack_outline(tz_arena *arena, const parcel *head, const unsigned char *at,
                                tz_sentence *s) {
    tz_outline *o = tz_arena_array(arena, 1, sizeof *o);
    tz_outline_word *word = take(arena, &at, seen_words(head->words), sizeof *word);
    if (!o || !word)
        return TZ_NO_MEMORY;
    *o = (tz_outline){.words = head->words, .without = head->without, .word = word + TZ_PADDING};
    o->relation = take(arena, &at, pairs(head->words, 1), 1);
    o->grammar = head->grammar ? take(arena, &at, pairs(head->words, 1), 1) : NULL;
    o->bigram = head->bigrams ? take(arena, &at, pairs(head->words, 2), 1) : NULL;
    s->outline = o;
    return o->relation && (o->grammar || !head->grammar) && (o->bigram || !head->bigrams)
               ? TZ_OK
               : TZ_NO_MEMORY;
}

static tz_status unpack_words(tz_arena *arena, const parcel *head, const unsigned char *at,
                              tz_sentence *s) {
    tz_status status = tz_sentence_new(arena, head->words, s);
    if (status != TZ_OK)
        return status;
    size_t positions = (size_t)head->words + 1;
    memcpy(s->word - TZ_PADDING, at, seen_words(head->words) * sizeof *s->word);
    at += seen_words(head->words) * sizeof *s->word;
    int32_t *column[COLUMNS];
    columns_of(s, column);
    for (size_t c = 0; c < COLUMNS; c++, at += positions * sizeof(int32_t))
        memcpy(column[c], at, positions * sizeof(int32_t));
    for (int32_t w = 1; w <= head->words; w++) {
        size_t size = strlen((const char *)at);
        s->form[w] = tz_arena_text(arena, (const char *)at, size);
        if (!s->form[w])
            return TZ_NO_MEMORY;
        at += size + 1;
    }
    return TZ_OK;
}

static tz_status unpack(const tz_deal *deal, const unsigned char *at, tz_sentence *s) {
    parcel head;
    int32_t *compression = NULL;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    if (head.compressed) {
        compression = take(deal->arena, &at, (size_t)head.words + 1, sizeof *compression);
        if (!compression)
            return TZ_NO_MEMORY;
    }
    *s = (tz_sentence){.words = head.words};
    tz_status status = head.outlined ? unpack_outline(deal->arena, &head, at, s)
                                     : unpack_words(deal->arena, &head, at, s);
    s->line = head.line;
    s->compression = compression;
    return status;
}

/* ---- Dealing --------------------------------------------------------------------------------- */

static size_t pack_held(const void *of, size_t i, unsigned char *opt_at) {
    const tz_deal *deal = of;
    return deal->held[i] ? pack(deal->held[i], i, opt_at) : 0;
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
    tz_parcels parcels = {0};
    tz_gathered all = {0};
    tz_status status = tz_parcels_pack(&parcels, deal->count, to, pack_held, deal);
    if (status != TZ_OK)
        return status;
    /* What was packed is there no longer. */
    tz_corpus_free(corpus);
    tz_arena_free(deal->arena);
    deal->arena = NULL;
    memset((void *)deal->held, 0, deal->count * sizeof *deal->held);
    memcpy(deal->holder, to, deal->count * sizeof *to);
    status = tz_parcels_send(&parcels, &all, opt_error);
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
