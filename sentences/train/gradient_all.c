/* gradient_all.c - the gradient of a batch whose sentences several ranks have.
 *
 * What a rank tells the others is its sentences' terms as they are, not sums of them: amounts of
 * all labels stand once for all features of a place, and the sum can be made in the order of the
 * batch, whoever has which sentence. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sentences/train/gradient.h"

/* Of a sentence; then its terms, and where a multiple of 8 bytes is reached its amounts. */
typedef struct told {
    uint64_t place, terms, amounts;
    double loss;
} told;

static size_t terms_size(size_t terms) {
    return (terms * sizeof(tz_gradient_term) + 7) / 8 * 8;
}

static size_t told_size(size_t terms, size_t amounts) {
    return sizeof(told) + terms_size(terms) + amounts * sizeof(double);
}

static tz_status pack(tz_gradient *g, size_t count, const size_t *place, const double *loss,
                      size_t *ret_size) {
    size_t size = 0;
    for (size_t s = 0; s < count; s++)
        size += told_size(g->terms[s].terms, g->terms[s].amounts);
    tz_status status = tz_buffer_reserve(&g->own, size + 8, 1);
    *ret_size = size;
    if (status != TZ_OK)
        return status;
    unsigned char *at = g->own.data;
    for (size_t s = 0; s < count; s++) {
        const tz_gradient_terms *terms = &g->terms[s];
        told head = {place[s], terms->terms, terms->amounts, loss[s]};
        memcpy(at, &head, sizeof head);
        at += sizeof head;
        memset(at + terms_size(terms->terms) - 8 * (terms->terms > 0), 0, 8 * (terms->terms > 0));
        if (terms->terms > 0)
            memcpy(at, terms->term, terms->terms * sizeof *terms->term);
        at += terms_size(terms->terms);
        if (terms->amounts > 0)
            memcpy(at, terms->amount, terms->amounts * sizeof *terms->amount);
        at += terms->amounts * sizeof *terms->amount;
    }
    return TZ_OK;
}

tz_status tz_gradient_sum_all(tz_gradient *g, size_t batch, size_t count, const size_t *place,
                              const double *loss, double *ret_loss, tz_error *opt_error) {
    size_t size = 0;
    if (tz_ranks() == 1) {
        for (size_t s = 0; s < count; s++)
            *ret_loss += loss[s];
        return tz_gradient_sum(g, count);
    }
    tz_status status = tz_gradient_views(g, batch);
    if (status == TZ_OK)
        status = pack(g, count, place, loss, &size);
    if (status == TZ_OK)
        status = tz_ranks_gather(g->own.data, size, &g->told, opt_error);
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
        at += told_size(head.terms, head.amounts);
    }
    for (size_t s = 0; s < batch; s++)
        *ret_loss += g->view[s].loss;
    return tz_gradient_sum_views(g, g->view, batch);
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
