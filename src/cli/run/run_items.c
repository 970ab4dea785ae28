/* run_items.c - `--items`: names of items, between commas. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "cli/run/run.h"

static const char command[] = TZ_RUN;

static const char *item_name(const void *rules, size_t index) {
    return tz_rules_name_of(rules, TZ_ITEMS, index);
}

/* The item of this name; there is none: a usage error, and the number of items. */
static int find(const tz_rules *rules, const char *name, size_t *ret_item) {
    const char *known;
    for (*ret_item = 0; (known = tz_rules_name_of(rules, TZ_ITEMS, *ret_item)) != NULL; ++*ret_item)
        if (strcmp(known, name) == 0)
            return 0;
    const char *near = tz_nearest(name, item_name, rules);
    return tz_usage_error(command, "%s has no item '%s'; %s%s%s", tz_rules_name(rules), name,
                          near != NULL ? "did you mean '" : "'trapeze rules show' tells its items",
                          near != NULL ? near : "", near != NULL ? "'?" : "");
}

int tz_run_find_items(tz_runner *r) {
    if (r->set.items == NULL)
        return 0;
    if (r->charged != NULL || r->limiter != NULL)
        return tz_usage_error(command, "--items shows the items of the rules themselves, which "
                                       "know no amounts; leave resource(..), --keep, --drop and "
                                       "--rate out");
    char *names = strdup(r->set.items), *rest = names, *name;
    size_t most = 1;
    for (const char *c = r->set.items; *c != '\0'; c++)
        most += *c == ',';
    r->item = calloc(most, sizeof *r->item);
    int status = 0;
    if (names == NULL || r->item == NULL) {
        tz_message(command, "out of memory");
        status = TZ_EXIT_INPUT;
    }
    while (status == 0 && (name = strsep(&rest, ",")) != NULL) {
        size_t *item = &r->item[r->set.questions.wanted[TZ_ASK_ITEMS]];
        status = find(r->rules, name, item);
        for (size_t i = 0; i < r->set.questions.wanted[TZ_ASK_ITEMS] && status == 0; i++)
            if (r->item[i] == *item)
                status = tz_usage_error(command, "--items names '%s' twice", name);
        r->set.questions.wanted[TZ_ASK_ITEMS] += status == 0;
    }
    r->set.questions.item = r->item;
    free(names);
    return status;
}
