/* draw_walk.c - a proof tree in JSON, node by node. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/grow.h"
#include "io/draw/draw_source.h"

/* A node some of whose premises have not been visited. */
typedef struct open {
    size_t number;
    const json_t *premises;
    size_t next;
} open;

typedef struct walk {
    const tz_draw_source *source;
    tz_draw_visit visit;
    void *user;
    open *open;
    size_t depth, depths, nodes;
} walk;

/* One node; its premises are left for later. */
static tz_status enter(walk *w, const json_t *value) {
    const json_t *premises = json_object_get(value, "premises");
    const size_t number = ++w->nodes;
    void *opened = w->open;
    bool grown = tz_grow(&opened, &w->depths, w->depth + 1, sizeof *w->open);
    w->open = opened;
    if (!grown)
        return TZ_NO_MEMORY;
    if (premises && !json_is_array(premises))
        return tz_draw_bad(w->source, "node %zu of the derivation: \"premises\" is not a list",
                           number);
    w->open[w->depth++] = (open){number, premises, 0};
    return w->visit(w->user, value, number, json_array_size(premises));
}

tz_status tz_draw_walk(const tz_draw_source *source, const json_t *value, tz_draw_visit visit,
                       void *user) {
    walk w = {.source = source, .visit = visit, .user = user};
    if (!json_is_object(value))
        return tz_draw_bad(source, "\"derivation\" is not an object");
    tz_status status = enter(&w, value);
    while (status == TZ_OK && w.depth > 0) {
        open *last = &w.open[w.depth - 1];
        const json_t *premise = json_array_get(last->premises, last->next++);
        if (!premise)
            w.depth--;
        else if (json_is_object(premise))
            status = enter(&w, premise);
        else
            status = tz_draw_bad(source, "node %zu of the derivation: a premise is not an object",
                                 last->number);
    }
    free(w.open);
    return status;
}
