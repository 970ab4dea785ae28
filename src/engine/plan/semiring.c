/* semiring.c - a semiring from its text: NAME or NAME(PARAMETER,...).
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "semirings/maker.h"

enum { MAX_TEXT = 255, MAX_NESTED = 8, SHOWN = 60 /* bytes of a text in a message */ };

size_t tz_semiring_numbers(const tz_semiring *semiring) {
    return semiring->values != NULL ? semiring->numbers : 1;
}

/* Plain ones and makers, both in alphabetical order, merged. */
const char *tz_semiring_form(size_t index) {
    for (size_t plain = 0, made = 0;; index--) {
        const tz_semiring *semiring = tz_semiring_at(plain, TZ_F64);
        const tz_semiring_maker *maker = tz_semiring_maker_at(made, TZ_F64);
        if (semiring == NULL && maker == NULL)
            return NULL;
        bool first = maker == NULL || (semiring != NULL && strcmp(semiring->name, maker->name) < 0);
        if (index == 0)
            return first ? semiring->name : maker->form;
        *(first ? &plain : &made) += 1;
    }
}

static const tz_semiring_maker *find_maker(const char *name, tz_precision precision) {
    const tz_semiring_maker *maker = NULL;
    for (size_t i = 0; (maker = tz_semiring_maker_at(i, precision)) != NULL; i++)
        if (strcmp(maker->name, name) == 0)
            break;
    return maker;
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Is it NAME or NAME(...), with parentheses that match? */
static bool well_formed(const char *text) {
    const char *open = strchr(text, '(');
    if (open == NULL)
        return strpbrk(text, "),") == NULL;
    size_t depth = 1;
    for (const char *at = open + 1; *at != '\0' && depth > 0; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0)
            return at[1] == '\0';
    }
    return false;
}

/* Cuts a well-formed text into its name and parameters, all ended by 0; commas inside a parameter's
 * parentheses do not count. Returns how many there are, the first `room` of them in ret. */
static size_t cut(char *text, const char **ret_parameter, size_t room) {
    char *open = strchr(text, '(');
    if (open == NULL || open[1] == ')') {
        text[strcspn(text, "(")] = '\0';
        return 0;
    }
    size_t count = 0, depth = 1;
    for (char *at = open; depth > 0; at++) {
        depth += at > open && *at == '(';
        depth -= *at == ')';
        if (at != open && depth > 0 && (*at != ',' || depth > 1))
            continue;
        if (depth > 0 && count++ < room)
            ret_parameter[count - 1] = at + 1;
        *at = '\0';
    }
    return count;
}

static tz_status read_number(const tz_semiring_maker *maker, const char *text, size_t *ret_number,
                             tz_error *opt_error) {
    size_t number = 0;
    bool fits = true, digits = *text != '\0';
    for (const char *at = text; *at != '\0'; at++) {
        digits &= *at >= '0' && *at <= '9';
        fits &= !__builtin_mul_overflow(number, 10, &number) &&
                !__builtin_add_overflow(number, (size_t)(*at - '0'), &number);
    }
    if (!digits || (fits && number == 0))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "%s takes a whole number from 1 on, such as %s(5), not '%.*s'", maker->form,
                       maker->name, SHOWN, text);
    if (!fits)
        return tz_fail(opt_error, TZ_TOO_LARGE, "%s: %.*s is too large", maker->form, SHOWN, text);
    *ret_number = number;
    return TZ_OK;
}

static tz_status unknown(const char *name, tz_error *opt_error) {
    if (strcmp(name, "resource") == 0)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "resource is not a semiring here: charge the rules with the resource, and "
                       "run the semiring over the charged rules");
    char known[400] = "";
    const char *form;
    for (size_t i = 0, used = 0; (form = tz_semiring_form(i)) != NULL && used < sizeof known; i++)
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", form);
    return tz_fail(opt_error, TZ_BAD_ARGUMENT, "no semiring is called '%.*s'; there are %s", SHOWN,
                   name, known);
}

/* ---- Making --------------------------------------------------------------------------------- */

static tz_status make(char *text, unsigned nested, tz_precision precision, tz_semiring **ret,
                      tz_error *opt_error);

static tz_status copy_plain(const tz_semiring *plain, tz_semiring **ret, tz_error *opt_error) {
    *ret = malloc(sizeof **ret);
    if (*ret == NULL)
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    **ret = *plain;
    return TZ_OK;
}

/* The parts are made first, and freed where the whole cannot be. */
static tz_status make_with(const tz_semiring_maker *maker, const char *const *parameter,
                           unsigned nested, tz_precision precision, tz_semiring **ret,
                           tz_error *opt_error) {
    tz_semiring_argument argument[TZ_MAX_ARGUMENTS];
    size_t done = 0;
    tz_status status = TZ_OK;
    for (; maker->takes[done] != '\0' && status == TZ_OK; done++) {
        if (maker->takes[done] == 'n')
            status = read_number(maker, parameter[done], &argument[done].number, opt_error);
        else
            status = make((char *)parameter[done], nested + 1, precision, &argument[done].semiring,
                          opt_error);
    }
    if (status == TZ_OK) {
        const char *why = NULL;
        status = maker->make(argument, ret, &why);
        if (status == TZ_OK)
            return TZ_OK;
        tz_fail(opt_error, status, "%s: %s", maker->form,
                why != NULL ? why : tz_status_name(status));
    } else {
        done--;
    }
    while (done-- > 0)
        if (maker->takes[done] == 's')
            tz_semiring_free(argument[done].semiring);
    return status;
}

/* text: without blanks; it is cut up. */
static tz_status make(char *text, unsigned nested, tz_precision precision, tz_semiring **ret,
                      tz_error *opt_error) {
    const char *parameter[TZ_MAX_ARGUMENTS];
    if (nested > MAX_NESTED)
        return tz_fail(opt_error, TZ_TOO_LARGE, "semirings are nested %d deep at most", MAX_NESTED);
    if (!well_formed(text))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       strpbrk(text, "()") == NULL
                           ? "'%.*s': a comma between semirings; one is taken here"
                           : "'%.*s': parentheses do not match; write NAME or NAME(PARAMETER)",
                       SHOWN, text);
    size_t count = cut(text, parameter, TZ_MAX_ARGUMENTS);
    const tz_semiring *plain = tz_semiring_find(text, precision);
    const tz_semiring_maker *maker = find_maker(text, precision);
    if (plain == NULL && maker == NULL)
        return unknown(text, opt_error);
    size_t takes = maker != NULL ? strlen(maker->takes) : 0;
    if (count != takes)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s takes %zu parameter%s, not %zu: write %s",
                       text, takes, takes == 1 ? "" : "s", count,
                       maker != NULL ? maker->form : plain->name);
    return plain != NULL ? copy_plain(plain, ret, opt_error)
                         : make_with(maker, parameter, nested, precision, ret, opt_error);
}

tz_status tz_semiring_new(const char *text, tz_precision precision, tz_semiring **ret_semiring,
                          tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    char copy[MAX_TEXT + 1];
    size_t size = 0;
    *ret_semiring = NULL;
    for (; *text != '\0' && size <= MAX_TEXT; text++)
        if (*text != ' ' && *text != '\t')
            copy[size++] = *text;
    if (size > MAX_TEXT)
        return tz_fail(opt_error, TZ_TOO_LARGE, "the text of a semiring has %d bytes at most",
                       MAX_TEXT);
    copy[size] = '\0';
    return make(copy, 0, precision, ret_semiring, opt_error);
}

void tz_semiring_free(tz_semiring *semiring) {
    while (semiring != NULL) {
        tz_semiring *part = semiring->part;
        free(semiring);
        semiring = part;
    }
}
