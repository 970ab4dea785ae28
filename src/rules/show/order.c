/* order.c - the order of evaluation as text. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/show/show.h"

enum { STAGES = 2048 };

/* "j-i", or "t, p", of an item; a fold has no names for its indices. */
static void stage_text(const tz_rules *rules, unsigned item, char text[STAGES]) {
    size_t size = 0;
    text[0] = '\0';
    for (unsigned s = 0; s < rules->kind[item].stages && size < STAGES - 8; s++) {
        size += (size_t)snprintf(text + size, STAGES - size, "%s", s ? ", " : "");
        tz_form_text(&rules->kind[item].stage[s], rules->length_name, rules->item[item].index_name,
                     text + size, STAGES - size);
        size += strlen(text + size);
    }
}

/* One group: "stage j-i: rtrap, ltrap", with a new stage where the items' differ; folds, in
 * parentheses, go with the items around them; those of its closure stand in braces. */
static void put_group(const tz_rules *rules, const tz_group *group, FILE *file) {
    char text[STAGES], last[STAGES] = "";
    unsigned item = 0;
    while (item < group->kinds && group->kind[item] >= rules->items)
        item++;
    const char *separator = "";
    for (unsigned k = 0; k < group->kinds; k++) {
        unsigned kind = group->kind[k];
        bool fold = kind >= rules->items;
        if (group->stages > 0 && item < group->kinds && (k == 0 || !fold)) {
            stage_text(rules, group->kind[k == 0 ? item : k], text);
            if (strcmp(text, last) != 0) {
                fputs(k == 0 ? "stage " : "; stage ", file);
                fputs(text, file);
                separator = ": ";
            }
            memcpy(last, text, sizeof last);
        }
        fputs(separator, file);
        fputs(fold ? "(" : group->closeds > 0 && k == group->closed ? "closure {" : "", file);
        fputs(rules->kind[kind].name, file);
        const bool last_closed = group->closeds > 0 && k + 1u == group->closed + group->closeds;
        fputs(fold ? ")" : last_closed ? "}" : "", file);
        separator = ", ";
    }
    fputs("\n", file);
}

tz_status tz_show_order(const tz_rules *rules, FILE *file) {
    for (unsigned g = 0; g < rules->groups; g++)
        put_group(rules, &rules->group[g], file);
    return TZ_OK;
}
