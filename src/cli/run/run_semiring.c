/* run_semiring.c - `-s`: a semiring, or resource(NAME,D[,BASE]): BASE over the rule set in which
 * every item has the amount of the resource it uses as one more index. SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

static const char command[] = TZ_RUN;

void tz_run_list_semirings(char text[TZ_RUN_LIST]) {
    const char *form;
    size_t used = 0;
    static const char last[] = "or resource(NAME,D,SEMIRING)";
    size_t room = TZ_RUN_LIST - sizeof last;
    for (size_t i = 0; (form = tz_semiring_form(i)) != NULL && used + strlen(form) + 2 < room; i++)
        used += (size_t)snprintf(text + used, TZ_RUN_LIST - used, "%s, ", form);
    snprintf(text + used, TZ_RUN_LIST - used, "%s", last);
}

static int open_semiring(tz_runner *r, const char *text) {
    return tz_open_semiring(command, text, r->set.precision, &r->semiring);
}

/* ---- resource(NAME,D[,BASE]) ---------------------------------------------------------------- */

/* Blanks around a part do not count. */
static char *trimmed(char *text) {
    text += strspn(text, " \t");
    for (size_t size = strlen(text); size > 0 && strchr(" \t", text[size - 1]) != NULL;)
        text[--size] = '\0';
    return text;
}

/* Splits the text inside the parentheses at commas that stand in none. Returns how many parts. */
static unsigned split(char *text, char *part[3]) {
    unsigned parts = 0, depth = 0;
    char *start = text;
    for (char *c = text;; c++) {
        depth += *c == '(';
        depth -= *c == ')' && depth > 0;
        if (*c != '\0' && (*c != ',' || depth > 0))
            continue;
        bool last = *c == '\0';
        if (parts == 3)
            return 4;
        *c = '\0';
        part[parts++] = trimmed(start);
        start = c + 1;
        if (last)
            return parts;
    }
}

/* D is a number, or the name of a length. */
static int read_limit(tz_runner *r, const char *text) {
    size_t lengths = tz_rules_lengths(r->rules);
    for (r->limit_length = 0; r->limit_length < lengths; r->limit_length++)
        if (strcmp(tz_rules_length_name(r->rules, r->limit_length), text) == 0)
            return 0;
    char *end;
    r->limit = text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : -1;
    if (r->limit >= 0 && *end == '\0' && r->limit <= TZ_MAX_LENGTH)
        return 0;
    return tz_usage_error(command,
                          "the limit in resource(NAME,D) is a whole number from 0 to %d or the "
                          "name of a length, not '%s'",
                          TZ_MAX_LENGTH, text);
}

static int charge(tz_runner *r, const char *resource) {
    tz_error error = {TZ_OK, ""};
    if (tz_rules_charge(r->rules, resource, &r->charged, &error) == TZ_OK)
        return 0;
    if (error.status == TZ_NO_MEMORY) {
        tz_message(command, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    return tz_usage_error(command, "%s", error.message);
}

static int read_resource(tz_runner *r, char *inside) {
    char *part[3];
    unsigned parts = split(inside, part);
    if (parts < 2 || parts > 3)
        return tz_usage_error(command, "expected resource(NAME,D) or resource(NAME,D,SEMIRING), "
                                       "such as resource(kept,5,log)");
    const char *base = parts == 3 ? part[2] : "max";
    if (strncmp(base, "resource(", 9) == 0)
        return tz_usage_error(command, "one resource at a time: resource(NAME,D,SEMIRING) with a "
                                       "semiring such as max or log");
    int status = read_limit(r, part[1]);
    if (status == 0)
        status = open_semiring(r, base);
    if (status != 0)
        return status;
    if (r->semiring->number_name != NULL)
        return tz_usage_error(command,
                              "resource(..) takes a semiring of one number or a list of "
                              "them (max, log, count, kbest(K)), not %s",
                              r->semiring->name);
    return charge(r, part[0]);
}

int tz_run_charge_exactly(tz_runner *r, const char *resource, long amount) {
    r->exactly = true;
    r->limit_length = tz_rules_lengths(r->rules);
    r->limit = amount;
    return charge(r, resource);
}

int tz_run_open_semiring(tz_runner *r) {
    static const char resource[] = "resource";
    if (r->set.semiring == NULL) {
        char known[TZ_RUN_LIST];
        tz_run_list_semirings(known);
        return tz_usage_error(command, "which semiring? give -s %s", known);
    }
    char *copy = strdup(r->set.semiring);
    if (copy == NULL) {
        tz_message(command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    char *text = trimmed(copy), *inside = text + strcspn(text, " \t("), *name_end = inside;
    inside += strspn(inside, " \t");
    size_t size = strlen(inside);
    int status;
    if ((size_t)(name_end - text) != sizeof resource - 1 || *inside != '(' ||
        strncmp(text, resource, sizeof resource - 1) != 0) {
        status = open_semiring(r, r->set.semiring);
    } else if (inside[size - 1] != ')') {
        status = tz_usage_error(command, "'%s' lacks its closing parenthesis", r->set.semiring);
    } else {
        inside[size - 1] = '\0';
        status = read_resource(r, inside + 1);
    }
    free(copy);
    return status;
}

int32_t tz_run_limit(const tz_runner *r, const int32_t *lengths) {
    return r->limit_length < tz_rules_lengths(r->rules) ? lengths[r->limit_length]
                                                        : (int32_t)r->limit;
}
