/* arcs.c - see arcs.h. SPDX-License-Identifier: MIT */
#include "engine/closure/arcs.h"

#include <string.h>

#include "engine/chart/facts.h"
#include "engine/layout/space.h"

tz_status tz_arcs_start(tz_chart *chart) {
    tz_closure_memory *m = &chart->closure;
    uint32_t *number = m->number.data;
    for (size_t n = 0; n < m->nodes; n++)
        number[tz_arcs_node(chart, n)->cell] = 0;
    m->nodes = m->arcs = 0;
    m->free_epoch = 0;
    return tz_buffer_grow_zeroed(&m->number, chart->layout.cells[TZ_AT_INSIDE] + 1, sizeof *number);
}

tz_status tz_arcs_add_node(tz_chart *chart, size_t lane, const tz_arc_node *node) {
    tz_closure_memory *m = &chart->closure;
    int64_t index[TZ_MAX_RANK];
    if (m->nodes == UINT32_MAX - 1)
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_grow(&m->node, m->nodes + 1, sizeof *node);
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        index[q] = node->index[q];
    tz_arc_node *new = (tz_arc_node *)m->node.data + m->nodes++;
    *new = *node;
    new->forbidden = tz_item_facts(chart, lane, node->kind, index, false) > 0;
    ((uint32_t *)m->number.data)[node->cell] = (uint32_t)m->nodes;
    return TZ_OK;
}

tz_status tz_arcs_add(tz_chart *chart, uint32_t from, uint32_t to, const void *product) {
    tz_closure_memory *m = &chart->closure;
    const size_t size = chart->algebra->size;
    if (tz_is_zero(chart, product) || tz_arcs_node(chart, to)->forbidden)
        return TZ_OK;
    if (m->arcs == UINT32_MAX)
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_grow(&m->arc, m->arcs + 1, sizeof(tz_arc));
    if (status == TZ_OK)
        status = tz_buffer_grow(&m->product, m->arcs + 1, size);
    if (status != TZ_OK)
        return status;
    ((tz_arc *)m->arc.data)[m->arcs] = (tz_arc){from, to};
    memcpy((char *)m->product.data + m->arcs++ * size, product, size);
    return TZ_OK;
}

tz_status tz_arcs_solve(tz_chart *chart, tz_space space, size_t lane, tz_solver solver) {
    tz_closure_memory *m = &chart->closure;
    const size_t size = chart->algebra->size;
    if (m->arcs == 0)
        return TZ_OK;
    tz_status status = tz_buffer_reserve(&m->value, m->nodes, size);
    if (status != TZ_OK)
        return status;
    tz_equations e = {.algebra = chart->algebra,
                      .arc = m->arc.data,
                      .product = m->product.data,
                      .value = m->value.data,
                      .nodes = m->nodes,
                      .arcs = m->arcs,
                      .work = &m->work,
                      .matrix = &m->matrix,
                      .known = &m->known,
                      .watching = &chart->watching,
                      .room = chart->pair.data};
    for (size_t n = 0; n < m->nodes; n++) {
        const tz_arc_node *node = tz_arcs_node(chart, n);
        memcpy(e.value + n * size,
               node->forbidden ? chart->algebra->zero : tz_cell(chart, space, node->cell, lane),
               size);
    }
    status = solver(&e);
    if (status == TZ_DIVERGES) {
        const tz_arc_node *node = tz_arcs_node(chart, e.diverging);
        m->diverging = (tz_diverging_item){.lane = lane, .item = node->kind};
        memcpy(m->diverging.index, node->index, sizeof node->index);
    }
    for (size_t n = 0; n < m->nodes && status == TZ_OK; n++)
        memcpy(tz_cell(chart, space, tz_arcs_node(chart, n)->cell, lane), e.value + n * size, size);
    return status;
}

void tz_closure_free(tz_closure_memory *c) {
    TZ_FREE_BUFFERS(&c->node, &c->arc, &c->product, &c->number, &c->value, &c->work, &c->matrix,
                    &c->known.arc, &c->known.product, &c->known.part);
}
