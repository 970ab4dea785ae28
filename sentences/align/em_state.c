/* em_state.c - learning in progress, to and from its state file. SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/align/em_own.h"
#include "sentences/features/hash.h"
#include "sentences/train/state.h"

/* Of the documents' trees, as far as jumps see them. */
static uint64_t hash_trees(const tz_em *em) {
    const tz_labels *labels = &em->aligner.jumps.labels;
    uint64_t hash = labels->count;
    for (size_t l = 0; l < labels->count; l++)
        hash = tz_hash(hash, tz_hash_text(labels->name[l], strlen(labels->name[l])));
    for (size_t i = 0; i < em->pairs && em->settings.jump == TZ_JUMP_SYNTAX; i++) {
        const tz_jump_cover *cover = em->pair[i].opt_cover;
        for (size_t node = 0; node < cover->ending_from[cover->words + 1]; node++) {
            hash = tz_hash(tz_hash(hash, cover->ending[node].begin), cover->ending[node].end);
            hash = tz_hash(hash, (uint64_t)cover->ending[node].label);
        }
    }
    return hash;
}

static uint64_t hash_texts(const tz_em *em) {
    uint64_t hash = em->pairs;
    for (size_t i = 0; i < em->pairs; i++)
        hash = tz_hash(tz_hash(hash, em->pair[i].n), em->pair[i].m);
    for (size_t w = 0; w < em->forms; w++) {
        hash = tz_hash(tz_hash(hash, em->form[w].word), em->form[w].stem);
        hash = tz_hash(hash, em->stop[w]);
    }
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
    same(state, hash_texts(em), "set of texts");
    same(state, hash_trees(em), "set of trees");
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
