/* gradient_all.c - the gradient of a batch whose sentences several ranks have.
 *
 * What a rank tells another are its sentences' terms in that one's rows, as they are, not sums of
 * them: amounts of all labels stand once for all features of a place, and the sum can be made in
 * the order of the batch, whoever has which sentence. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "ranks/slices.h"
#include "sentences/train/gradient.h"

/* Of a sentence; then its terms, and where a multiple of 8 bytes is reached its amounts. */
typedef struct told {
    uint64_t place, terms, amounts;
    double loss;
} told;

static size_t terms_size(size_t terms) {
    return (terms * sizeof(tz_gradient_term) + 7) / 8 * 8;
}

static size_t told_size(const told *head) {
    return sizeof *head + terms_size(head->terms) + head->amounts * sizeof(double);
}

/* Whose is the row? Rows are a power of two. */
static size_t owner(const tz_gradient *g, uint32_t row) {
    return (size_t)((((uint64_t)row + 1) * tz_ranks() - 1) >> g->model->bits);
}

/* head[s * ranks + r]: what rank r is told of sentence s. */
static void measure(tz_gradient *g, size_t count, const size_t *place, const double *loss,
                    told *head) {
    size_t ranks = tz_ranks();
    memset(g->size, 0, ranks * sizeof *g->size);
    for (size_t s = 0; s < count; s++) {
        const tz_gradient_terms *terms = &g->terms[s];
        told *of = head + s * ranks;
        for (size_t r = 0; r < ranks; r++)
            of[r] = (told){place[s], 0, terms->amounts, loss[s]};
        for (size_t t = 0; t < terms->terms; t++)
            of[owner(g, terms->term[t].row)].terms++;
        for (size_t r = 0; r < ranks; r++)
            g->size[r] += told_size(&of[r]);
    }
}

static void fill(tz_gradient *g, size_t count, told *head) {
    size_t ranks = tz_ranks(), at = 0;
    unsigned char *out = g->own.data;
    tz_gradient_term **to = g->to; /* in the messages */
    for (size_t r = 0; r < ranks; at += g->size[r], r++)
        g->place[r] = at;
    for (size_t s = 0; s < count; s++) {
        const tz_gradient_terms *terms = &g->terms[s];
        for (size_t r = 0; r < ranks; r++) {
            const told *of = &head[s * ranks + r];
            unsigned char *message = out + g->place[r];
            size_t listed = terms_size(of->terms);
            memcpy(message, of, sizeof *of);
            to[r] = (tz_gradient_term *)(void *)(message + sizeof *of);
            if (listed > 0)
                memset(message + sizeof *of + listed - 8, 0, 8);
            if (of->amounts > 0)
                memcpy(message + sizeof *of + listed, terms->amount,
                       of->amounts * sizeof *terms->amount);
            g->place[r] += told_size(of);
        }
        for (size_t t = 0; t < terms->terms; t++)
            *to[owner(g, terms->term[t].row)]++ = terms->term[t];
    }
}

static tz_status tell(tz_gradient *g, size_t count, const size_t *place, const double *loss,
                      tz_error *opt_error) {
    size_t size = 0;
    told *head = malloc((count * tz_ranks() + 1) * sizeof *head);
    if (!head)
        return TZ_NO_MEMORY;
    measure(g, count, place, loss, head);
    for (size_t r = 0; r < tz_ranks(); r++)
        size += g->size[r];
    tz_status status = tz_buffer_reserve(&g->own, size + 8, 1);
    if (status == TZ_OK)
        fill(g, count, head);
    free(head);
    return status == TZ_OK ? tz_ranks_exchange(g->own.data, g->size, &g->told, opt_error) : status;
}

tz_status tz_gradient_sum_all(tz_gradient *g, size_t batch, size_t count, const size_t *place,
                              const double *loss, double *ret_loss, tz_error *opt_error) {
    if (tz_ranks() == 1) {
        for (size_t s = 0; s < count; s++)
            *ret_loss += loss[s];
        return tz_gradient_sum(g, count);
    }
    tz_status status = tz_gradient_views(g, batch);
    if (status == TZ_OK)
        status = tell(g, count, place, loss, opt_error);
    if (status != TZ_OK)
        return status;
    for (size_t at = 0; at < g->told.at[tz_ranks()];) {
        const unsigned char *from = g->told.data + at;
        told head;
        memcpy(&head, from, sizeof head);
        from += sizeof head;
        g->view[head.place] = (tz_gradient_view){
            (const tz_gradient_term *)(const void *)from,
            (const double *)(const void *)(from + terms_size(head.terms)), head.terms, head.loss};
        at += told_size(&head);
    }
    for (size_t s = 0; s < batch; s++)
        *ret_loss += g->view[s].loss;
    return tz_gradient_sum_views(g, g->view, batch);
}

tz_status tz_gradient_rows_first(tz_gradient *g, tz_error *opt_error) {
    return g->shared
               ? tz_slices_first(g->row, (size_t)1 << g->model->bits, sizeof *g->row, opt_error)
               : TZ_OK;
}

/* A row that has features: whose, and whether of several. */
typedef struct seen {
    uint32_t row, owner, shared;
} seen;

tz_status tz_gradient_join(tz_gradient *g, tz_error *opt_error) {
    size_t rows = (size_t)1 << g->model->bits, count = 0;
    if (tz_ranks() == 1)
        return TZ_OK;
    for (size_t r = 0; r < rows; r++)
        count += g->row[r].owner != 0;
    seen *mine = malloc((count + 1) * sizeof *mine);
    if (!mine)
        return TZ_NO_MEMORY;
    count = 0;
    for (size_t r = 0; r < rows; r++)
        if (g->row[r].owner != 0)
            mine[count++] = (seen){(uint32_t)r, g->row[r].owner, g->row[r].shared};
    tz_gathered all = {0};
    tz_status status = tz_ranks_gather(mine, count * sizeof *mine, &all, opt_error);
    free(mine);
    for (size_t r = 0; r < rows && status == TZ_OK; r++)
        g->row[r].owner = g->row[r].shared = 0;
    for (size_t at = 0; status == TZ_OK && at < all.at[tz_ranks()]; at += sizeof(seen)) {
        seen told;
        memcpy(&told, all.data + at, sizeof told);
        tz_gradient_row *row = &g->row[told.row];
        row->owner = row->owner == 0 ? told.owner : row->owner;
        row->shared |= told.shared || row->owner != told.owner;
    }
    tz_gathered_free(&all);
    return status;
}
