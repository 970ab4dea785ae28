/* resume.c - what a training in progress consists of, to and from its state file.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "sentences/features/outline/outline.h"
#include "sentences/train/learner.h"

/* ---- Is it the same training? ------------------------------------------------------------------
 */

typedef struct hashed {
    tz_features features;
    uint64_t hash;
} hashed;

static void hash_features(tz_features *features) {
    hashed *h = (hashed *)features;
    for (size_t f = 0; f < features->count; f++)
        h->hash = tz_hash(h->hash, features->key[f]);
}

static uint64_t hash_name(uint64_t hash, const char *name) {
    return tz_hash(hash, tz_hash_text(name, strlen(name)));
}

/* Words and right answers. */
static uint64_t hash_sentence(const tz_task *task, const tz_sentence *sentence) {
    const int32_t *right = task->gold(sentence);
    uint64_t hash = (uint64_t)sentence->words;
    for (int32_t p = 1; p <= sentence->words; p++) {
        hash = tz_hash(hash,
                       sentence->word ? sentence->word[p].form : sentence->outline->word[p].word);
        hash = tz_hash(hash, (uint64_t)(int64_t)right[p]);
    }
    return hash;
}

static uint64_t hash_dev(const tz_task *task, const tz_corpus *corpus) {
    uint64_t hash = corpus ? corpus->count + 1 : 0;
    for (size_t s = 0; corpus && s < corpus->count; s++)
        hash = tz_hash(hash, hash_sentence(task, &corpus->sentence[s]));
    return hash;
}

/* The features that the right answer has: what else is known of the words. cell: room for it. */
static uint64_t hash_right(const tz_learner *l, const tz_sentence *sentence, tz_cell *cell) {
    hashed h = {.features.flush = hash_features};
    size_t cells = l->model->variant->cells(sentence, l->model->task->gold(sentence), cell);
    for (size_t c = 0; c < cells; c++) {
        tz_cell_features(l->model, sentence, &cell[c], &h.features);
        hash_features(&h.features);
        h.features.count = 0;
    }
    return h.hash;
}

static uint64_t hash_model(const tz_model *model) {
    uint64_t hash = hash_name(tz_variant_templates(model->variant), model->task->name);
    hash = hash_name(hash, tz_rules_name(model->rules));
    for (size_t a = 0; a < model->labels.count; a++)
        hash = hash_name(hash, model->labels.name[a]);
    return hash;
}

/* ---- The file -------------------------------------------------------------------------------- */

static void same(tz_state *state, uint64_t value, const char *what) {
    tz_state_same(state, &value, sizeof value, what);
}

static void same_number(tz_state *state, double value, const char *what) {
    tz_state_same(state, &value, sizeof value, what);
}

/* Everything, either way. */
static void exchange(tz_learner *l, tz_state *state) {
    const tz_training *t = l->training;
    tz_training_progress *p = &l->progress;
    size_t size = tz_model_size(l->model);
    same(state, hash_model(l->model), "task, rule set, set of labels or version of the features");
    same(state, l->model->bits, "--table");
    same(state, t->objective, "--objective");
    same(state, t->optimiser, "--optimiser");
    same_number(state, t->margin, "--margin");
    same_number(state, t->rate, "--rate");
    same_number(state, t->l2, "--l2");
    same_number(state, t->least, "--least");
    same(state, t->seed, "--seed");
    same(state, t->batch, "--batch");
    same(state, l->corpus_hash, "treebank, or features that it is seen by");
    same(state, l->dev_hash, "--dev");

    uint32_t epoch = p->epoch, since = l->since;
    uint64_t done = p->done;
    uint8_t over = p->epoch_over, converged = l->converged;
    tz_state_bytes(state, &epoch, sizeof epoch);
    tz_state_bytes(state, &since, sizeof since);
    tz_state_bytes(state, &done, sizeof done);
    tz_state_bytes(state, &over, sizeof over);
    tz_state_bytes(state, &converged, sizeof converged);
    tz_state_bytes(state, &p->accuracy, sizeof p->accuracy);
    tz_state_bytes(state, &p->best, sizeof p->best);
    tz_state_bytes(state, &l->loss, sizeof l->loss);
    tz_state_bytes(state, &l->words, sizeof l->words);
    p->epoch = epoch;
    l->since = since;
    p->done = (size_t)done;
    p->epoch_over = over;
    l->converged = converged;

    tz_state_bytes(state, l->model->weight, size * sizeof *l->model->weight);
    tz_state_bytes(state, l->best, size * sizeof *l->best);
    tz_gradient_state(l->gradient, state);
    tz_optimiser_state(l->optimiser, state);
}

tz_status tz_learner_save(tz_learner *l) {
    if (!l->training->opt_state)
        return TZ_OK;
    tz_status status = tz_gradient_rows_first(l->gradient, l->opt_error);
    if (status == TZ_OK && l->gradient->shared)
        status = tz_optimiser_rows_first(l->optimiser, l->opt_error);
    if (status != TZ_OK || tz_rank() > 0)
        return status;
    tz_state state;
    tz_state_open(&state, l->training->opt_state, true, l->opt_error);
    exchange(l, &state);
    return tz_state_close(&state);
}

tz_status tz_learner_load(tz_learner *l) {
    tz_state state;
    tz_state_open(&state, l->training->opt_state, false, l->opt_error);
    exchange(l, &state);
    return tz_state_close(&state);
}

tz_status tz_learner_know(tz_learner *l) {
    const tz_deal *deal = l->deal;
    int32_t most = 0;
    for (size_t i = 0; i < deal->count; i++)
        most = deal->length[i] > most ? deal->length[i] : most;
    tz_cell *cell = malloc((2 * (size_t)most + 1) * sizeof *cell);
    uint64_t *hash = malloc((deal->count + 1) * sizeof *hash);
    for (size_t i = 0; i < deal->count && cell && hash; i++)
        if (deal->held[i])
            hash[i] = tz_hash(hash_sentence(l->model->task, deal->held[i]),
                              hash_right(l, deal->held[i], cell));
    tz_status status = cell && hash ? tz_deal_tell(deal, hash, l->opt_error) : TZ_NO_MEMORY;
    l->corpus_hash = deal->count;
    for (size_t i = 0; i < deal->count && status == TZ_OK; i++)
        l->corpus_hash = tz_hash(l->corpus_hash, hash[i]);
    l->dev_hash = hash_dev(l->model->task, l->opt_dev);
    free(hash);
    free(cell);
    return status;
}
