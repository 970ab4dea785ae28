/* lengths.c - see lengths.h. SPDX-License-Identifier: MIT */
#include "cli/lengths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t tz_named_length(const tz_named_lengths *named, const char *name) {
    for (unsigned k = 0; k < named->count; k++)
        if (strcmp(named->at[k].name, name) == 0)
            return named->at[k].length;
    return -1;
}

void tz_put_named_lengths(const tz_named_lengths *named, const tz_rules *rules, int32_t *lengths) {
    for (unsigned l = 0; l < rules->lengths; l++) {
        int32_t length = tz_named_length(named, rules->length_name[l]);
        if (length >= 0)
            lengths[l] = length;
    }
}

void tz_small_named_lengths(const tz_rules *rules, const tz_named_lengths *named,
                            tz_exploring *ret) {
    tz_small_lengths(rules, ret);
    for (unsigned l = 0; l < rules->lengths; l++) {
        int32_t given = tz_named_length(named, rules->length_name[l]);
        if (l == tz_running_length(rules) || given < 0)
            continue;
        ret->least[l] = ret->most[l] = given;
        ret->grows[l] = false;
    }
}

static int take_named(const tz_options *o, int which, char *part, char *sign,
                      tz_named_lengths *named) {
    const char *option = o->option[which].name;
    tz_options one = *o;
    long length;
    *sign = '\0';
    if (*part == '\0' || strlen(part) >= sizeof named->at[0].name)
        return tz_usage_error(o->command, "--%s: no length is called '%s'", option, part);
    if (tz_named_length(named, part) >= 0)
        return tz_usage_error(o->command, "--%s gives '%s' twice", option, part);
    if (named->count == TZ_NAMED_MOST)
        return tz_usage_error(o->command, "--%s takes %d named lengths at most", option,
                              TZ_NAMED_MOST);
    one.value = sign + 1;
    int status = tz_option_number(&one, which, 0, TZ_MAX_LENGTH, &length);
    if (status != 0)
        return status;
    snprintf(named->at[named->count].name, sizeof named->at[0].name, "%s", part);
    named->at[named->count++].length = (int32_t)length;
    return 0;
}

int tz_take_lengths(const tz_options *o, int which, tz_named_lengths *named,
                    int (*number)(const tz_options *options, int which, const char *part,
                                  void *user),
                    void *user) {
    char *text = strdup(o->value);
    int status = 0;
    if (text == NULL) {
        tz_message(o->command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    for (char *part = text, *comma; part != NULL && status == 0; part = comma) {
        comma = strchr(part, ',');
        if (comma != NULL)
            *comma++ = '\0';
        char *sign = strchr(part, '=');
        if (*part == '\0' && strchr(o->value, ',') != NULL)
            status = tz_usage_error(o->command, "--%s: nothing between two commas in '%s'",
                                    o->option[which].name, o->value);
        else
            status = sign != NULL ? take_named(o, which, part, sign, named)
                                  : number(o, which, part, user);
    }
    free(text);
    return status;
}

int tz_check_named_lengths(const char *command, const tz_named_lengths *named,
                           tz_rules *const *rules, size_t count) {
    for (unsigned k = 0; k < named->count; k++) {
        bool known = false;
        for (size_t r = 0; r < count; r++)
            for (unsigned l = 0; l < rules[r]->lengths; l++)
                known |= strcmp(rules[r]->length_name[l], named->at[k].name) == 0;
        if (known)
            continue;
        char list[TZ_MAX_LENGTHS * 68] = "";
        size_t size = 0;
        for (unsigned l = 0; l < rules[0]->lengths; l++)
            size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", l > 0 ? ", " : "",
                                     rules[0]->length_name[l]);
        return tz_usage_error(command, "no length is called '%s': %s has %s", named->at[k].name,
                              rules[0]->name, list);
    }
    return 0;
}
