/* semiring_argument.c - see semiring_argument.h. SPDX-License-Identifier: MIT */
#include "cli/semiring_argument.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* What is being read, for whom. */
typedef struct reading {
    const char *command;
    tz_precision precision;
    const tz_rules *rules;
    tz_charged *to;
} reading;

static int open_semiring(const reading *r, const char *text) {
    return tz_open_semiring(r->command, text, r->precision, &r->to->semiring);
}

/* ---- resource(NAME,D[,BASE]) ---------------------------------------------------------------- */

/* Blanks around a part do not count. */
static char *trimmed(char *text) {
    text += strspn(text, " \t");
    for (size_t size = strlen(text); size > 0 && strchr(" \t", text[size - 1]) != NULL;)
        text[--size] = '\0';
    return text;
}

char *tz_next_part(char **text) {
    char *start = *text, *c = start;
    unsigned depth = 0;
    if (start == NULL)
        return NULL;
    for (; *c != '\0' && (*c != ',' || depth > 0); c++) {
        depth += *c == '(';
        depth -= *c == ')' && depth > 0;
    }
    *text = *c == ',' ? c + 1 : NULL;
    *c = '\0';
    return trimmed(start);
}

/* D is a number, or the name of a length. */
static int read_limit(const reading *r, const char *text) {
    size_t lengths = tz_rules_count(r->rules, TZ_LENGTHS), *length = &r->to->limit_length;
    for (*length = 0; *length < lengths; ++*length)
        if (strcmp(tz_rules_name_of(r->rules, TZ_LENGTHS, *length), text) == 0)
            return 0;
    char *end;
    r->to->limit = text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : -1;
    if (r->to->limit >= 0 && *end == '\0' && r->to->limit <= TZ_MAX_LENGTH)
        return 0;
    return tz_usage_error(r->command,
                          "the limit in resource(NAME,D) is a whole number from 0 to %d or the "
                          "name of a length, not '%s'",
                          TZ_MAX_LENGTH, text);
}

static int charge(const reading *r, const char *resource) {
    tz_error error = {TZ_OK, ""};
    if (tz_rules_charge(r->rules, resource, &r->to->rules, &error) == TZ_OK)
        return 0;
    if (error.status == TZ_NO_MEMORY) {
        tz_message(r->command, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    return tz_usage_error(r->command, "%s", error.message);
}

static int read_resource(const reading *r, char *inside) {
    char *part[3] = {NULL}, *next;
    unsigned parts = 0;
    for (; (next = tz_next_part(&inside)) != NULL; parts++)
        if (parts < 3)
            part[parts] = next;
    if (parts < 2 || parts > 3)
        return tz_usage_error(r->command, "expected resource(NAME,D) or resource(NAME,D,SEMIRING), "
                                          "such as resource(kept,5,log)");
    const char *base = parts == 3 ? part[2] : "max";
    if (strncmp(base, "resource(", 9) == 0)
        return tz_usage_error(r->command,
                              "one resource at a time: resource(NAME,D,SEMIRING) with a "
                              "semiring such as max or log");
    int status = read_limit(r, part[1]);
    if (status == 0)
        status = open_semiring(r, base);
    if (status != 0)
        return status;
    if (r->to->semiring->number_name != NULL)
        return tz_usage_error(r->command,
                              "resource(..) takes a semiring of one number or a list of "
                              "them (max, log, count, kbest(K)), not %s",
                              r->to->semiring->name);
    return charge(r, part[0]);
}

int tz_charged_exactly(const char *command, const tz_rules *rules, const char *resource,
                       long amount, tz_charged *ret) {
    const reading r = {command, TZ_F64, rules, ret};
    ret->limit_length = tz_rules_count(rules, TZ_LENGTHS);
    ret->limit = amount;
    return charge(&r, resource);
}

int tz_charged_open(const char *command, const char *given, tz_precision precision,
                    const tz_rules *rules, tz_charged *ret) {
    static const char resource[] = "resource";
    *ret = (tz_charged){.limit_length = 0};
    const reading r = {command, precision, rules, ret};
    char *copy = strdup(given);
    if (copy == NULL) {
        tz_message(command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    char *text = trimmed(copy), *inside = text + strcspn(text, " \t("), *name_end = inside;
    inside += strspn(inside, " \t");
    size_t size = strlen(inside);
    int status;
    if ((size_t)(name_end - text) != sizeof resource - 1 ||
        strncmp(text, resource, sizeof resource - 1) != 0) {
        status = open_semiring(&r, given);
    } else if (*inside != '(') {
        status = read_resource(&r, inside); /* which says what it takes */
    } else if (inside[size - 1] != ')') {
        status = tz_usage_error(command, "'%s' lacks its closing parenthesis", given);
    } else {
        inside[size - 1] = '\0';
        status = read_resource(&r, inside + 1);
    }
    free(copy);
    return status;
}

int32_t tz_charged_limit(const tz_charged *charged, const tz_rules *rules, const int32_t *lengths) {
    return charged->limit_length < tz_rules_count(rules, TZ_LENGTHS)
               ? lengths[charged->limit_length]
               : (int32_t)charged->limit;
}

void tz_charged_free(tz_charged *charged) {
    tz_semiring_free(charged->semiring);
    tz_rules_free(charged->rules);
    *charged = (tz_charged){.limit_length = 0};
}
