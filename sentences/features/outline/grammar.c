/* grammar.c - see grammar.h. SPDX-License-Identifier: MIT */
#include "sentences/features/outline/grammar.h"

#include <math.h>

#include "base/arena.h"
#include "sentences/features/tables/hash.h"
#include "sentences/features/tables/tally.h"

enum { TAG_CONTEXTS = 3, WORD_CONTEXTS = 2, CONTEXTS = TAG_CONTEXTS + WORD_CONTEXTS, BINS = 16 };
#define NEW_WORD 6.907755278982137 /* log 1000 */
#define LOWEST   (-25.0)

/* What a modifier is generated from: contexts as hashes, the most telling ones first. */
typedef struct event {
    uint64_t context[CONTEXTS]; /* of the tag, then of the word */
    uint64_t tag, word;
} event;

/* An end of an arc. */
typedef struct end {
    uint64_t word, tag;
} end;

static uint64_t context(uint64_t number, uint64_t a, uint64_t b, uint64_t c) {
    return tz_hash(tz_hash(tz_hash(tz_hash(number, a), b), c), number);
}

static event event_of(end head, end modifier, int32_t h, int32_t m) {
    uint64_t side = h < m, distance = (uint64_t)(h < m ? m - h : h - m);
    uint64_t bin = distance <= 2 ? distance : distance <= 6 ? 3 : 4;
    return (event){.context = {context(1, head.word, head.tag, side),
                               context(2, head.tag, side, bin), context(3, side, 0, 0),
                               context(4, modifier.tag, head.tag, side),
                               context(5, modifier.tag, 0, 0)},
                   .tag = modifier.tag,
                   .word = modifier.word};
}

/* Outcome c of an event is its tag in the tag's contexts, its word in the word's. */
static uint64_t pair_key(const event *event, size_t c) {
    return tz_hash(event->context[c], c < TAG_CONTEXTS ? event->tag : event->word);
}

static uint64_t total_key(uint64_t context) {
    return tz_hash(context, 0x616c6c);
}

static uint64_t kinds_key(uint64_t context) {
    return tz_hash(context, 0x6b696e6473);
}

/* ---- Estimating ------------------------------------------------------------------------------ */

static tz_status count_event(tz_tally *tally, const event *event) {
    tz_status status = TZ_OK;
    for (size_t c = 0; c < CONTEXTS && status == TZ_OK; c++) {
        uint32_t before, ignored;
        status = tz_tally_add(tally, pair_key(event, c), &before);
        if (status == TZ_OK)
            status = tz_tally_add(tally, total_key(event->context[c]), &ignored);
        if (status == TZ_OK && before == 0)
            status = tz_tally_add(tally, kinds_key(event->context[c]), &ignored);
    }
    return status;
}

/* P(y | x) of one of the event's chains of contexts, first..last-1, and puts it into the sketch. */
static void put_chain(const tz_tally *tally, const event *event, size_t first, size_t last,
                      double lowest, tz_sketch *sketch) {
    double prob = lowest;
    for (size_t c = last; c-- > first;) {
        uint64_t x = event->context[c];
        uint32_t both = tz_tally_get(tally, pair_key(event, c));
        double all = tz_tally_get(tally, total_key(x)), kinds = tz_tally_get(tally, kinds_key(x));
        prob = ((double)both + kinds * prob) / (all + kinds);
        if (c > 0 || both > 1)
            tz_sketch_put(sketch, pair_key(event, c), log(prob));
        if (c > 0 || all > 1)
            tz_sketch_put(sketch, total_key(x), log(kinds / (all + kinds)));
    }
}

typedef tz_status visit_event(void *user, const event *event);

static tz_status each_event(const tz_corpus *corpus, size_t count, visit_event *visit, void *user) {
    for (size_t c = 0; c < count; c++) {
        for (size_t s = 0; s < corpus[c].count; s++) {
            const tz_sentence *sentence = &corpus[c].sentence[s];
            for (int32_t m = 1; m <= sentence->words; m++) {
                int32_t h = sentence->head[m];
                if (h < 0)
                    continue;
                end head = {h > 0 ? tz_form_value(sentence->form[h]) : sentence->word[0].lower,
                            sentence->word[h].xpos};
                end modifier = {tz_form_value(sentence->form[m]), sentence->word[m].xpos};
                event event = event_of(head, modifier, h, m);
                tz_status status = visit(user, &event);
                if (status != TZ_OK)
                    return status;
            }
        }
    }
    return TZ_OK;
}

typedef struct estimate {
    tz_tally tally;
    tz_sketch *sketch;
} estimate;

static tz_status count_visit(void *user, const event *event) {
    estimate *e = user;
    return count_event(&e->tally, event);
}

static tz_status put_visit(void *user, const event *event) {
    estimate *e = user;
    put_chain(&e->tally, event, 0, TAG_CONTEXTS, 0, e->sketch);
    put_chain(&e->tally, event, TAG_CONTEXTS, CONTEXTS, 0, e->sketch);
    return TZ_OK;
}

tz_status tz_grammar_new(const tz_corpus *corpus, size_t count, tz_sketch **ret_grammar) {
    *ret_grammar = NULL;
    estimate e = {0};
    tz_status status = each_event(corpus, count, count_visit, &e);
    if (status == TZ_OK && e.tally.keys == 0)
        status = TZ_NONE;
    if (status == TZ_OK)
        status = tz_sketch_new(TZ_SKETCH_GRAMMAR, e.tally.keys, &e.sketch);
    if (status == TZ_OK)
        status = each_event(corpus, count, put_visit, &e);
    tz_tally_free(&e.tally);
    *ret_grammar = e.sketch;
    return status;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Backs off from context to context. */
static double chain(const tz_sketch *grammar, const event *event, size_t first, size_t last) {
    double sum = 0, value;
    for (size_t c = first; c < last; c++) {
        if (tz_sketch_get(grammar, pair_key(event, c), &value))
            return sum + value;
        if (tz_sketch_get(grammar, total_key(event->context[c]), &value))
            sum += value;
    }
    return sum - NEW_WORD;
}

static double log_prob(const tz_sketch *grammar, const event *event) {
    double sum =
        chain(grammar, event, 0, TAG_CONTEXTS) + chain(grammar, event, TAG_CONTEXTS, CONTEXTS);
    return sum > LOWEST ? sum : LOWEST;
}

double tz_grammar_log_prob(const tz_sketch *grammar, const tz_outline *outline, int32_t h,
                           int32_t m) {
    const tz_outline_word *head = &outline->word[h], *w = &outline->word[m];
    event event = event_of((end){head->word, head->fine}, (end){w->word, w->fine}, h, m);
    return log_prob(grammar, &event);
}

const uint8_t *tz_grammar_bins(const tz_sketch *grammar, tz_arena *arena,
                               const tz_outline *outline) {
    int32_t n = outline->words;
    size_t width = (size_t)n + 1;
    uint8_t *bin = tz_arena_array(arena, width * width, 1);
    for (int32_t h = 0; bin && h <= n; h++) {
        for (int32_t m = 1; m <= n; m++) {
            if (h != m) {
                int step = (int)(-tz_grammar_log_prob(grammar, outline, h, m) / 1.5);
                bin[(size_t)h * width + (size_t)m] =
                    (uint8_t)(1 + (step < BINS - 1 ? step : BINS - 1));
            }
        }
    }
    return bin;
}
