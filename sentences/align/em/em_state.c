/* em_state.c - learning in progress, to and from its state file. SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/align/em/em_own.h"
#include "sentences/features/tables/hash.h"
#include "sentences/train/state.h"

/* Of labels of the documents' trees, as far as jumps see them. */
static uint64_t hash_labels(const tz_em *em) {
    const tz_labels *labels = &em->aligner.jumps.labels;
    uint64_t hash = labels->count;
    for (size_t l = 0; l < labels->count; l++)
        hash = tz_hash(hash, tz_hash_text(labels->name[l], strlen(labels->name[l])));
    return hash;
}

static void same(tz_state *state, uint64_t value, const char *what) {
    tz_state_same(state, &value, sizeof value, what);
}

static void numbers(tz_state *state, double *number, size_t count) {
    tz_state_bytes(state, number, count * sizeof *number);
}

/* Everything, either way. */
static void exchange(tz_em *em, uint64_t *steps, tz_state *state) {
    tz_aligner *a = &em->aligner;
    tz_em_settings *s = &em->settings;
    same(state, s->kind, "--model");
    same(state, a->abstract_most, "--phrase");
    same(state, a->document_most, "--phrase");
    same(state, s->jump, "--jump");
    same(state, s->length, "--length");
    same(state, s->exact, "--case");
    tz_state_same(state, s->prior, sizeof s->prior, "--prior");
    same(state, s->mean, "--init");
    tz_state_same(state, &s->base, sizeof s->base, "--base");
    same(state, s->keep_null, "--null");
    tz_state_same(state, &s->null, sizeof s->null, "--null");
    same(state, em->texts_hash, "set of texts");
    same(state, em->trees_hash, "set of trees");
    same(state, hash_labels(em), "set of trees");
    same(state, a->near.fingerprint, "--wordnet");

    tz_state_bytes(state, steps, sizeof *steps);
    numbers(state, &a->null, 1);
    numbers(state, a->part, TZ_PARTS);
    numbers(state, a->length, TZ_MOST_PHRASE);
    numbers(state, a->jumps.log_p, tz_jumps_count(&a->jumps));
    numbers(state, &a->jumps.beyond, 1);
    numbers(state, &a->jumps.mean, 1);
    numbers(state, &a->jumps.variance, 1);
    numbers(state, a->null_count, a->vocabulary);
    numbers(state, &a->null_total, 1);
    numbers(state, a->total, a->document.count);
    numbers(state, a->count, a->cell.count);
    numbers(state, &a->near.eta, 1);
    numbers(state, &a->unseen, 1);
    numbers(state, &em->unseen_gain, 1);
}

tz_status tz_em_save(tz_em *em, const char *path, size_t steps, tz_error *opt_error) {
    if (tz_rank() > 0)
        return TZ_OK;
    tz_state state;
    uint64_t done = steps;
    tz_state_open(&state, path, true, opt_error);
    exchange(em, &done, &state);
    return tz_state_close(&state);
}

tz_status tz_em_load(tz_em *em, const char *path, size_t *ret_steps, tz_error *opt_error) {
    tz_state state;
    uint64_t done = 0;
    tz_state_open(&state, path, false, opt_error);
    exchange(em, &done, &state);
    *ret_steps = (size_t)done;
    return tz_state_close(&state);
}
