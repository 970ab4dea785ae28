/* weigh.c - what the numbers of a grammar are: logs of probabilities or weights.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "grammar/grammar.h"

/* Of counts: symbols without rules are words. */
static tz_status make_words(tz_reader *r) {
    tz_grammar *g = r->grammar;
    const size_t symbols = g->symbols.count;
    int32_t *now = malloc((symbols + 1) * sizeof *now);
    size_t kept = 0;
    if (now == NULL)
        return tz_reader_no_memory(r);
    for (size_t s = 0; s < symbols; s++) {
        const char *name = g->symbols.name[s];
        now[s] = (int32_t)kept;
        if (!g->symbol[s].has_rules) {
            const int32_t word = tz_reader_word(r, name, strlen(name));
            if (word == TZ_NO_NUMBER) {
                free(now);
                return tz_reader_no_memory(r);
            }
            now[s] = -1 - word;
            continue;
        }
        g->symbol[kept] = g->symbol[s];
        g->symbols.name[kept++] = name;
    }
    g->symbols.count = kept;
    tz_table_free(&g->symbols.table);
    for (size_t s = 0; s < kept; s++)
        if (!tz_table_put(&g->symbols.table,
                          tz_hash_bytes(g->symbols.name[s], strlen(g->symbols.name[s])),
                          (int32_t)s)) {
            free(now);
            return tz_reader_no_memory(r);
        }
    for (size_t i = 0; i < g->rules; i++)
        g->rule[i].left = now[g->rule[i].left];
    for (size_t i = 0; i < g->rights; i++)
        if (g->right[i] >= 0)
            g->right[i] = now[g->right[i]];
    g->root = now[g->root];
    free(now);
    return TZ_OK;
}

/* A message about a symbol. */
static tz_status fail_at(tz_reader *r, int32_t symbol, const char *what) {
    const tz_grammar *g = r->grammar;
    return tz_fail(r->error, TZ_BAD_RULES, "%s:%u:%u: %s %s", r->name, g->symbol[symbol].line,
                   g->symbol[symbol].column, g->symbols.name[symbol], what);
}

static tz_status check_sums(tz_reader *r, const double *sum) {
    const tz_grammar *g = r->grammar;
    for (size_t i = 0; i < g->rules; i++) {
        const int32_t left = g->rule[i].left;
        char what[160];
        if (g->weights == TZ_RULE_PROBABILITIES && !(fabs(sum[left] - 1) <= 0.01)) {
            snprintf(what, sizeof what,
                     "has rules whose probabilities sum to %.6g: make it 1, or read them as "
                     "weights or counts",
                     sum[left]);
            return fail_at(r, left, what);
        }
        if (g->weights == TZ_RULE_COUNTS && !(sum[left] > 0))
            return fail_at(r, left, "was never seen: its counts are all 0");
    }
    return TZ_OK;
}

/* The caller's in the place of the text's. */
static tz_status take_scores(tz_reader *r) {
    tz_grammar *g = r->grammar;
    if (r->scores != g->rules)
        return tz_fail(r->error, TZ_BAD_ARGUMENT, "%s: %zu log weights for %zu rules", r->name,
                       r->scores, g->rules);
    if ((g->number = malloc((g->rules + 1) * sizeof *g->number)) == NULL)
        return tz_reader_no_memory(r);
    for (size_t i = 0; i < g->rules; i++) {
        const double score = r->score[i];
        if (!(score <= 1e290) || (score < -1e290 && score != -INFINITY))
            return tz_fail(r->error, TZ_BAD_SCORE,
                           "%s: the log weight of rule %zu is no number below 1e290", r->name, i);
        g->rule[i].score = score;
        g->number[i] = g->weights == TZ_RULE_LOGS ? score : exp(score);
    }
    return TZ_OK;
}

tz_status tz_grammar_weigh(tz_reader *r) {
    tz_grammar *g = r->grammar;
    tz_status status = g->weights == TZ_RULE_COUNTS ? make_words(r) : TZ_OK;
    for (size_t s = 0; status == TZ_OK && s < g->symbols.count; s++)
        if (!g->symbol[s].has_rules)
            status = fail_at(r, (int32_t)s,
                             "has no rules: write one, or put it in quotes if it is a word");
    if (status == TZ_OK && r->score != NULL)
        return take_scores(r);
    double *sum = status == TZ_OK ? calloc(g->symbols.count + 1, sizeof *sum) : NULL;
    if (status != TZ_OK)
        return status;
    if (sum == NULL)
        return tz_reader_no_memory(r);
    for (size_t i = 0; i < g->rules; i++)
        sum[g->rule[i].left] += g->rule[i].score;
    status = check_sums(r, sum);
    const bool shares = g->weights == TZ_RULE_COUNTS || g->weights == TZ_RULE_UNIFORM;
    if (status == TZ_OK && (g->number = malloc((g->rules + 1) * sizeof *g->number)) == NULL)
        status = tz_reader_no_memory(r);
    for (size_t i = 0; status == TZ_OK && i < g->rules; i++) {
        tz_grammar_rule *rule = &g->rule[i];
        g->number[i] = shares ? rule->score / sum[rule->left] : rule->score;
        rule->score = g->weights == TZ_RULE_LOGS ? g->number[i] : log(g->number[i]);
    }
    free(sum);
    return status;
}
