/* json_keys.c - see json_keys.h, and json_problem.h. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "base/near.h"
#include "io/json/json_keys.h"
#include "io/questions.h"
#include "rules/table.h"

/* Keys of every line: the first ones of problems, others of results, which may be given again, and
 * then those of the answers to questions. */
enum { PROBLEM_KEYS = 5 };
static const char *const line_key[] = {"id",    "words",  "forbid",  "require", "structure",
                                       "value", "values", "rounded", "entropy", "cost",
                                       "kl",    "limit",  "error",   "count"};
enum { OWN_KEYS = sizeof line_key / sizeof *line_key, LINE_KEYS = OWN_KEYS + TZ_QUESTIONS };

static const char *key_of_line(size_t k) {
    return k < OWN_KEYS ? line_key[k] : tz_question_table[k - OWN_KEYS].key;
}

/* The keys of a problem, one after the other, then NULL; room: for one that is made. */
static const char *problem_key(const tz_json_problem *p, size_t index, char room[TZ_MAX_KEY]) {
    const tz_rules *rules = p->rules;
    if (index < PROBLEM_KEYS)
        return line_key[index];
    index -= PROBLEM_KEYS;
    if (index < rules->lengths)
        return rules->length_name[index];
    index -= rules->lengths;
    if (index < p->weights)
        return p->weight[index].name;
    index -= p->weights;
    if (index < rules->inputs)
        return rules->input[index].name;
    index -= rules->inputs;
    if (index >= p->inputs * p->weights)
        return NULL;
    snprintf(room, TZ_MAX_KEY, "%s.%s", p->weight[index % p->weights].name,
             p->input[index / p->weights].name);
    return room;
}

/* One of a problem or a result, also of another semiring, which may take other arrays beside those
 * of weights. */
static bool known_key(const tz_json_problem *p, const char *key) {
    char room[TZ_MAX_KEY];
    const char *known, *dot = strchr(key, '.');
    bool is = false;
    for (uint16_t w = 0; w < p->weights && dot != NULL; w++) {
        const char *name = p->weight[w].name;
        is |= strncmp(key, name, (size_t)(dot - key)) == 0 && name[dot - key] == '\0';
    }
    for (size_t k = 0; k < LINE_KEYS; k++)
        is |= strcmp(key, key_of_line(k)) == 0;
    for (size_t k = 0; (known = problem_key(p, k, room)) != NULL; k++)
        is |= strcmp(key, known) == 0;
    return is;
}

/* Is it as good as certain that another key was meant? */
static bool misspelt(const char *key, const char *meant) {
    size_t size = strlen(key), other = strlen(meant), most = size > other ? size : other;
    return (size > 1 && strcasecmp(key, meant) == 0) ||
           (size > 2 && other > 2 && tz_distance(key, meant) <= (most <= 6 ? 1 : 2));
}

bool tz_json_keys_check(const tz_json_problem *p, const json_t *object, tz_json_place *place) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        char room[TZ_MAX_KEY];
        const char *meant;
        if (known_key(p, key))
            continue;
        for (size_t k = 0; (meant = problem_key(p, k, room)) != NULL; k++)
            if (misspelt(key, meant)) {
                place->key = key;
                return tz_json_refuse(place,
                                      "no key of a problem; did you mean \"%s\"? (Other keys that "
                                      "are not known are left alone.)",
                                      meant);
            }
    }
    return true;
}

tz_status tz_json_problem_rules(const tz_rules *rules, tz_error *opt_error) {
    for (size_t t = 0; t < LINE_KEYS; t++) {
        const char *what = NULL;
        for (uint16_t l = 0; l < rules->lengths; l++)
            if (strcmp(rules->length_name[l], key_of_line(t)) == 0)
                what = "length";
        for (size_t w = 0; w < tz_rules_count(rules, TZ_WEIGHTS) && t < PROBLEM_KEYS; w++)
            if (strcmp(tz_rules_name_of(rules, TZ_WEIGHTS, w), key_of_line(t)) == 0)
                what = "weight";
        for (uint16_t i = 0; i < rules->inputs && t < PROBLEM_KEYS; i++)
            if (strcmp(rules->input[i].name, key_of_line(t)) == 0)
                what = "input";
        if (what != NULL)
            return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                           "%.100s: the %s '%s' has the name of another key of JSON lines; rename "
                           "it",
                           rules->name, what, key_of_line(t));
    }
    return TZ_OK;
}
