/* monomial.c - see monomial.h. SPDX-License-Identifier: MIT */
#include "rules/tell/monomial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does some term of m, multiplied out, have the lengths of a term of the product? */
static bool has_lengths(const tz_monomial *m, const unsigned *length) {
    unsigned more = 0;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
        if (length[l] > m->length[l] && !(m->added >> l & 1))
            return false;
        more += length[l] > m->length[l] ? length[l] - m->length[l] : 0;
    }
    return more <= m->power;
}

/* Does b grow at least as fast as a? */
static bool divides(const tz_monomial *a, const tz_monomial *b) {
    unsigned length[TZ_MAX_LENGTHS];
    memcpy(length, a->length, sizeof length);
    for (unsigned l = 0; a->power > 0 && l < TZ_MAX_LENGTHS; l++)
        if (a->added >> l & 1) {
            length[l] += a->power;
            if (!has_lengths(b, length))
                return false;
            length[l] -= a->power;
        }
    if (a->power == 0 && !has_lengths(b, length))
        return false;
    unsigned found = 0;
    for (unsigned w = 0; w < b->weights && found < a->weights; w++)
        found += a->weight[found] == b->weight[w];
    return found == a->weights;
}

/* snprintf onto what is there; false if it does not fit. */
static bool put(char *text, size_t size, const char *separator, const char *before,
                const char *name, const char *after, unsigned power) {
    char exponent[16] = "";
    if (power > 1)
        snprintf(exponent, sizeof exponent, "^%u", power);
    size_t used = strlen(text);
    int length =
        snprintf(text + used, size - used, "%s%s%s%s%s", separator, before, name, after, exponent);
    return length >= 0 && (size_t)length < size - used;
}

/* "(A+B)^2"; alone and to the first power, "A + B". */
static bool put_added(const tz_rules *rules, const tz_monomial *m, bool alone,
                      const char *separator, char *text, size_t size) {
    const char *before = alone && m->power == 1 ? "" : "(", *plus = *before ? "+" : " + ";
    bool put_all = true;
    for (unsigned l = 0; l < rules->lengths && put_all; l++) {
        if (!(m->added >> l & 1))
            continue;
        bool last = m->added >> l == 1;
        put_all = put(text, size, separator, before, rules->length_name[l],
                      last && !(alone && m->power == 1) ? ")" : "", last ? m->power : 1);
        separator = plus;
        before = "";
    }
    return put_all;
}

static bool put_monomial(const tz_rules *rules, const tz_monomial *m, char *text, size_t size) {
    const char *separator = text[0] ? " + " : "";
    bool one = true;
    for (unsigned l = 0; l < rules->lengths; l++) {
        if (m->length[l] > 0) {
            if (!put(text, size, separator, "", rules->length_name[l], "", m->length[l]))
                return false;
            separator = " ";
            one = false;
        }
    }
    if (m->power > 0) {
        if (!put_added(rules, m, one && m->weights == 0, separator, text, size))
            return false;
        separator = " ";
        one = false;
    }
    for (unsigned w = 0, same; w < m->weights; w += same) {
        for (same = 1; w + same < m->weights && m->weight[w + same] == m->weight[w]; same++) {
        }
        if (!put(text, size, separator, "|", rules->weight[m->weight[w]].name, "|", same))
            return false;
        separator = " ";
        one = false;
    }
    return !one || put(text, size, separator, "", "1", "", 1);
}

void tz_monomials_add(tz_monomials *sum, const tz_monomial *m) {
    size_t kept = 0;
    for (size_t j = 0; j < sum->count; j++)
        if (divides(m, &sum->at[j]))
            return;
    for (size_t j = 0; j < sum->count; j++)
        if (!divides(&sum->at[j], m))
            sum->at[kept++] = sum->at[j];
    sum->at[kept] = *m;
    sum->count = kept + 1;
}

tz_status tz_monomials_put(const tz_rules *rules, tz_monomials *sum, tz_status status,
                           char *ret_text, size_t size) {
    char *text = calloc(1, size + 1);
    if (text == NULL && status == TZ_OK)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK && sum->count == 0)
        sum->count = 1; /* the tz_monomial 1: the list is zeroed, and nothing was ever put in */
    for (size_t i = 0; i < sum->count && status == TZ_OK; i++)
        status = put_monomial(rules, &sum->at[i], text, size) ? TZ_OK : TZ_TOO_LARGE;
    if (status == TZ_OK)
        memcpy(ret_text, text, strlen(text) + 1);
    free(sum->at);
    free(text);
    return status;
}
