/* check_pair.c - two derivations of one structure, as proof trees. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/width.h"
#include "cli/rules/checking.h"
#include "io/draw/draw.h"
#include "rules/polyhedra/form.h"
#include "rules/view.h"

enum { WIDTH = 100, TEXT = 512, MOST_USES = 12 };

static void print_uses(const tz_rules *rules, const tz_pair *pair) {
    for (size_t u = 0; u < pair->uses && u < MOST_USES; u++) {
        char text[TEXT];
        int64_t index[TZ_MAX_RANK];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            index[q] = pair->use[u].index[q];
        tz_cell_text(rules, &rules->weight[pair->use[u].weight], pair->lengths, index, text,
                     sizeof text);
        printf("%s%s", u > 0 ? " " : "", text);
    }
    if (pair->uses == 0)
        printf("no weights");
    else if (pair->uses > MOST_USES)
        printf(" and %zu more", pair->uses - MOST_USES);
}

/* "at[13]" */
static const char *item_text(tz_arena *arena, const tz_rules *rules, const tz_node *node) {
    const tz_item *item = &rules->item[node->item];
    const tz_weight named = {.name = item->name, .rank = item->rank};
    char text[TEXT];
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        index[q] = node->index[q];
    tz_cell_text(rules, &named, NULL, index, text, sizeof text);
    return tz_arena_text(arena, text, strlen(text));
}

static tz_status print_tree(const tz_rules *rules, const tz_node *node, size_t nodes,
                            tz_arena *arena) {
    tz_proof_node *to = tz_arena_array(arena, nodes, sizeof *to);
    if (to == NULL)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < nodes; i++) {
        to[i] = (tz_proof_node){.item = item_text(arena, rules, &node[i]),
                                .rule = rules->rule[node[i].rule].name,
                                .premises = node[i].premises};
        if (to[i].item == NULL)
            return TZ_NO_MEMORY;
    }
    const tz_proof proof = {nodes, to};
    const tz_drawing drawing = {.caption = "", .proof = &proof};
    const tz_style style = {.utf8 = tz_utf8_locale(), .width = WIDTH, .proof = TZ_PROOF_FIT};
    tz_text text = {0};
    tz_status status = tz_draw_text(&drawing, &style, &text);
    if (status == TZ_OK) {
        putchar('\n');
        tz_text_write(&text, stdout);
    }
    tz_text_free(&text);
    if (style.utf8 != (locale_t)0)
        freelocale(style.utf8);
    return status;
}

tz_status tz_check_print_pair(const tz_rules *rules, const tz_pair *pair) {
    char lengths[TZ_LENGTHS_TEXT];
    tz_arena *arena = tz_arena_new();
    tz_status status = arena != NULL ? TZ_OK : TZ_NO_MEMORY;
    tz_lengths_text(rules, pair->lengths, lengths, sizeof lengths);
    printf("\ntwo derivations of one structure, with %s: ", lengths);
    print_uses(rules, pair);
    putchar('\n');
    for (unsigned p = 0; p < 2 && status == TZ_OK; p++)
        status = print_tree(rules, pair->node[p], pair->nodes[p], arena);
    tz_arena_free(arena);
    return status;
}
