/* explore.c - see explore.h. SPDX-License-Identifier: MIT */
#include "rules/tell/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/tell/enumerate.h"

enum {
    LONGEST = 6000,   /* length that is looked at */
    MOST = 20000,     /* derivations of a combination that are told apart */
    EACH = 4,         /* work of a combination for every rule, */
    OF_DERIVATION = 8 /* and of telling a derivation from others */
};

typedef struct exploration {
    const tz_rules *rules;
    const tz_exploring *where;
    size_t left;             /* of the work */
    bool *used, *mine;       /* [rules] by any combination, by this one */
    unsigned most_used;      /* rules, and */
    size_t most_derivations; /* derivations, of `telling` */
    bool skipped;            /* some combination */
    bool further;            /* beyond all combinations */
    tz_explored *found;
} exploration;

unsigned tz_running_length(const tz_rules *rules) {
    unsigned l = 0;
    while (l < rules->lengths && tz_is_label_set(rules, l))
        l++;
    return l < rules->lengths ? l : 0;
}

bool tz_is_label_set(const tz_rules *rules, unsigned length) {
    char initial = rules->length_name[length][0];
    return initial >= 'A' && initial <= 'Z';
}

/* Has some input numbers only where this length is 1 or more? */
static bool bounds_numbers(const tz_rules *rules, unsigned length) {
    bool bounds = false;
    for (unsigned i = 0; i < rules->inputs; i++)
        bounds |= rules->input[i].bound.length[length] > 0 && rules->input[i].bound.constant <= 0;
    return bounds;
}

void tz_small_lengths(const tz_rules *rules, tz_exploring *ret) {
    unsigned running = tz_running_length(rules);
    *ret = (tz_exploring){.work = 0};
    for (unsigned l = 0; l < rules->lengths; l++) {
        bool labels = l != running && tz_is_label_set(rules, l);
        ret->most[l] = labels ? TZ_SMALL_LABELS : TZ_SMALL_LENGTH;
        ret->grows[l] = !labels;
        ret->least[l] = l != running && bounds_numbers(rules, l);
    }
}

void tz_lengths_text(const tz_rules *rules, const int32_t *lengths, char *ret_text, size_t size) {
    size_t used = 0;
    ret_text[0] = '\0';
    for (unsigned l = 0; l < rules->lengths && used < size; l++)
        used += (size_t)snprintf(ret_text + used, size - used, "%s%s = %ld", l > 0 ? ", " : "",
                                 rules->length_name[l], (long)lengths[l]);
}

void tz_reached_text(const tz_rules *rules, const tz_exploring *where, int32_t reach,
                     char *ret_text, size_t size) {
    int32_t lengths[TZ_MAX_LENGTHS];
    for (unsigned l = 0; l < rules->lengths; l++)
        lengths[l] = tz_explored_length(where, l, reach);
    tz_lengths_text(rules, lengths, ret_text, size);
}

int32_t tz_explored_length(const tz_exploring *where, unsigned l, int32_t most) {
    return most < where->least[l] ? where->least[l] : most > where->most[l] ? where->most[l] : most;
}

static void take(exploration *e, size_t work) {
    e->left -= work < e->left ? work : e->left;
}

static void note_rules(exploration *e, const int32_t *lengths, size_t derivations) {
    tz_explored *found = e->found;
    unsigned used = 0;
    for (unsigned r = 0; r < e->rules->rule_count; r++) {
        used += e->mine[r];
        e->used[r] |= e->mine[r];
    }
    if (!e->further &&
        (used > e->most_used || (used == e->most_used && derivations > e->most_derivations))) {
        memcpy(found->telling, lengths, e->rules->lengths * sizeof *lengths);
        e->most_used = used;
        e->most_derivations = derivations;
    }
    found->derivations = derivations > found->derivations ? derivations : found->derivations;
}

static tz_status tell_apart(exploration *e, const int32_t *lengths, size_t derivations) {
    size_t counted, structures;
    take(e, derivations * OF_DERIVATION);
    tz_status status = tz_count_structures(e->rules, lengths, MOST, &counted, &structures);
    if (status == TZ_OK && structures < counted) {
        e->found->ambiguous = true;
        e->found->counted = counted;
        e->found->structures = structures;
        memcpy(e->found->at, lengths, e->rules->lengths * sizeof *lengths);
    }
    return status;
}

static tz_status look_at(exploration *e, const int32_t *lengths) {
    size_t derivations = 0;
    take(e, EACH * (size_t)e->rules->rule_count);
    memset(e->mine, 0, e->rules->rule_count * sizeof *e->mine);
    tz_status status =
        tz_enumerate_rules(e->rules, lengths, SIZE_MAX, &e->left, e->mine, &derivations);
    if (status == TZ_OK)
        note_rules(e, lengths, derivations);
    if (status == TZ_OK && derivations > 1 && !e->found->ambiguous && !e->rules->derivations)
        status = derivations > MOST ? TZ_TOO_LARGE : tell_apart(e, lengths, derivations);
    const bool circle = status == TZ_BAD_RULES && tz_has_closures(e->rules);
    if (status != TZ_TOO_LARGE && !circle)
        return status;
    e->found->circles |= circle;
    e->skipped = true;
    return TZ_OK;
}

/* The next combination of lengths up to `most`; false after the last. */
static bool next_lengths(const exploration *e, int32_t most, int32_t *lengths) {
    for (unsigned l = e->rules->lengths; l-- > 0;) {
        if (lengths[l] < tz_explored_length(e->where, l, most)) {
            lengths[l]++;
            return true;
        }
        lengths[l] = e->where->least[l];
    }
    return false;
}

/* Those of which some length is `most`, or bounded below by more. */
static tz_status look_up_to(exploration *e, int32_t most) {
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_status status = TZ_OK;
    memcpy(lengths, e->where->least, sizeof lengths);
    do {
        bool fresh = most == 0;
        for (unsigned l = 0; l < e->rules->lengths; l++)
            fresh |= lengths[l] > tz_explored_length(e->where, l, most - 1);
        if (fresh)
            status = look_at(e, lengths);
    } while (status == TZ_OK && e->left > 0 && next_lengths(e, most, lengths));
    return status;
}

bool tz_any_used(const tz_rules *rules, const bool *used, unsigned *rule) {
    const tz_rule *at = rules->rule;
    const unsigned first = *rule;
    bool any = false;
    for (; *rule < rules->rule_count && at[*rule].line == at[first].line; ++*rule)
        any |= used[*rule];
    return any;
}

/* Does every rule stand in a derivation, and has something two? */
static bool shows_all(const exploration *e) {
    bool all = e->found->derivations > 1;
    for (unsigned r = 0; r < e->rules->rule_count;)
        all &= tz_any_used(e->rules, e->used, &r);
    return all;
}

/* What needs longer lengths than all combinations allow: one of those that grow, or all of them;
 * others as in what told most. Each way has its share of the work. */
static tz_status look_further(exploration *e, int32_t from) {
    const unsigned lengths = e->rules->lengths;
    tz_status status = TZ_OK;
    for (unsigned way = 0; way <= lengths; way++) {
        if (way < lengths && !e->where->grows[way])
            continue;
        e->left = e->where->work / (lengths + 1);
        for (int32_t n = from; n <= LONGEST && e->left > 0 && !shows_all(e); n += 1 + n / 2) {
            int32_t longer[TZ_MAX_LENGTHS];
            memcpy(longer, e->found->telling, sizeof longer);
            for (unsigned l = 0; l < lengths; l++)
                if (e->where->grows[l] && (way == lengths || way == l))
                    longer[l] = n;
            status = look_at(e, longer);
            if (status != TZ_OK)
                return status;
        }
    }
    return status;
}

tz_status tz_explore(const tz_rules *rules, const tz_exploring *where, bool *used,
                     tz_explored *ret) {
    exploration e = {
        .rules = rules, .where = where, .left = where->work, .used = used, .found = ret};
    int32_t longest = 0;
    bool complete = true;
    tz_status status = TZ_OK;
    *ret = (tz_explored){.reach = -1};
    memcpy(ret->telling, where->least, sizeof ret->telling);
    for (unsigned l = 0; l < rules->lengths; l++)
        if (where->least[l] < where->most[l] && where->most[l] > longest)
            longest = where->most[l];
    e.mine = calloc(rules->rule_count, sizeof *e.mine);
    if (e.mine == NULL)
        return TZ_NO_MEMORY;
    for (int32_t most = 0; most <= longest && e.left > 0 && status == TZ_OK; most++) {
        status = look_up_to(&e, most);
        complete = complete && !e.skipped && e.left > 0;
        if (complete && status == TZ_OK)
            ret->reach = most;
    }
    e.further = true;
    if (status == TZ_OK)
        status = look_further(&e, longest + 1);
    free(e.mine);
    return status;
}
