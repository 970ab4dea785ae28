/* train_pairs.c - see train_pairs.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "ranks/ranks.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/features/sentence/kept.h"
#include "sentences/features/tables/sketch.h"
#include "sentences/guards/guards.h"
#include "sentences/learn/compress_measure.h"

/* ---- Reading --------------------------------------------------------------------------------- */

enum { PORTION = 512 }; /* sentences that are read before all but their outlines is given back */

/* A file of pairs, on its way to outlines. */
typedef struct reading {
    const tz_train_pairs *pairs;
    const char *name;
    tz_guard_table *guards; /* NULL: all pairs are taken */
    bool single_root;
    bool share; /* of the file, this rank's sentences */
    uint64_t moved, reversed;
    tz_corpus *corpus;
    size_t capacity;
} reading;

/* Does the compression say the contrary? */
static tz_status reverses(const reading *r, tz_arena *arena, const tz_sentence *sentence,
                          bool *ret_reverses) {
    tz_guarded guarded;
    size_t broken[TZ_GUARDS];
    tz_status status = tz_guards_find(r->guards, arena, sentence, 0, &guarded);
    if (status == TZ_OK) {
        tz_guards_broken(&guarded, sentence->compression, broken);
        *ret_reverses = broken[TZ_GUARD_NEGATION] + broken[TZ_GUARD_FRAME] > 0;
    }
    return status;
}

static tz_status take(reading *r, tz_arena *scratch, tz_sentence *from) {
    bool reversed = false;
    tz_status status = r->guards ? reverses(r, scratch, from, &reversed) : TZ_OK;
    if (status != TZ_OK || reversed) {
        r->reversed += reversed;
        return status;
    }
    tz_corpus *to = r->corpus;
    tz_sources sources = {r->pairs->grammar_table, r->pairs->bigram_table, r->pairs->without};
    bool grown = TZ_GROW(to->sentence, &r->capacity, to->count + 1);
    size_t positions = (size_t)from->words + 1;
    int32_t *kept = tz_arena_array(to->arena, positions, sizeof *kept);
    if (!grown || !kept)
        return TZ_NO_MEMORY;
    memcpy(kept, from->compression, positions * sizeof *kept);
    r->moved += r->single_root ? (uint64_t)tz_kept_single_root(kept, from->words) : 0;
    status = tz_outline_new(to->arena, &sources, from);
    to->sentence[to->count] = (tz_sentence){
        .words = from->words, .compression = kept, .outline = from->outline, .line = from->line};
    to->count++;
    to->words += (size_t)from->words;
    return status;
}

static int read_pairs(reading *r) {
    const tz_corpus_options options = {.need = 1u << TZ_MISC, .limit = PORTION};
    tz_treebank treebank;
    *r->corpus = (tz_corpus){.arena = tz_arena_new()};
    if (!r->corpus->arena)
        return tz_failed(r->pairs->command, TZ_NO_MEMORY, NULL);
    int exit = tz_treebank_open(r->pairs->command, r->name, &treebank);
    if (exit != 0)
        return exit;
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_OK;
    uint64_t read = 0;
    if (r->share)
        tz_treebank_share(&treebank);
    for (size_t count = 1; status == TZ_OK && count > 0;) {
        tz_corpus portion = {0};
        status = tz_corpus_read(treebank.conllu, &options, &portion, &error);
        count = portion.count;
        read += count;
        for (size_t s = 0; s < count && status == TZ_OK; s++)
            status = take(r, portion.arena, &portion.sentence[s]);
        tz_corpus_free(&portion);
    }
    if (status == TZ_OK && r->share) {
        uint64_t sums[] = {read, r->moved, r->reversed};
        status = tz_ranks_add(sums, 3, &error);
        read = sums[0];
        r->moved = sums[1];
        r->reversed = sums[2];
    }
    if (status == TZ_OK && read == 0) {
        tz_message(r->pairs->command, "%s: there is no sentence",
                   tz_lines_name(treebank.text.lines));
        exit = TZ_EXIT_INPUT;
    }
    tz_treebank_close(&treebank);
    return status == TZ_OK ? exit : tz_failed(r->pairs->command, status, &error);
}

static void tell(const reading *r) {
    if (r->reversed > 0)
        fprintf(stderr,
                "%s: %" PRIu64
                " pairs were left out, whose compression loses a negation or asserts what "
                "is denied\n",
                r->pairs->command, r->reversed);
    if (r->moved > 0)
        fprintf(stderr,
                "%s: %" PRIu64 " root words now modify the first root word of their compression\n",
                r->pairs->command, r->moved);
}

int tz_train_pairs_read(tz_train_pairs *pairs, const char *command, bool single_root, bool quiet,
                        const char *file, const char *opt_dev, tz_corpus *ret_corpus,
                        tz_corpus *ret_dev) {
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_OK;
    pairs->command = command;
    if (pairs->grammar)
        status = tz_sketch_load(pairs->grammar, TZ_SKETCH_GRAMMAR, &pairs->grammar_table, &error);
    if (status == TZ_OK && pairs->bigrams)
        status = tz_sketch_load(pairs->bigrams, TZ_SKETCH_BIGRAMS, &pairs->bigram_table, &error);
    reading r = {.pairs = pairs,
                 .name = file,
                 .single_root = single_root,
                 .share = true,
                 .corpus = ret_corpus};
    if (status == TZ_OK && !pairs->all)
        status = tz_guard_table_new(&r.guards);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    int exit = read_pairs(&r);
    if (exit == 0 && !quiet)
        tell(&r);
    tz_guard_table_free(r.guards);
    reading dev = {.pairs = pairs, .name = opt_dev, .corpus = ret_dev};
    reading test = {.pairs = pairs, .name = pairs->test, .corpus = &pairs->tests};
    exit = exit == 0 && opt_dev ? read_pairs(&dev) : exit;
    return exit == 0 && pairs->test ? read_pairs(&test) : exit;
}

/* ---- Figures --------------------------------------------------------------------------------- */

static void print_agreement(const char *what, const tz_agreement *a) {
    double sentences = (double)a->sentences;
    fprintf(stderr,
            "  %-28s kept-token F1 %.4f mean, %.4f of all words; exact %.4f; %.1f %% of words kept "
            "(right: %.1f %%)\n",
            what, a->f1 / sentences, 2 * a->both / (a->kept + a->gold),
            (double)a->exact / sentences, 100 * a->kept / a->words, 100 * a->gold / a->words);
}

static tz_status print_figures(const char *what, const tz_model *model, const tz_corpus *corpus,
                               bool all_lengths, tz_error *error) {
    tz_compress_figures f;
    tz_status status = tz_compress_measure(model, model->weight, corpus, all_lengths, &f, error);
    if (status == TZ_OK && f.free.sentences > 0) {
        fprintf(stderr, "%s: %zu sentences\n", what, f.free.sentences);
        print_agreement("free", &f.free);
        print_agreement("at the reference's length", &f.held);
    }
    if (status == TZ_OK && f.pairs > 0) {
        fprintf(stderr,
                "  bisection alone is exact for %zu of %zu sentences and lengths (%.2f %%)\n",
                f.bisected, f.pairs, 100 * (double)f.bisected / (double)f.pairs);
    }
    return status;
}

tz_status tz_train_pairs_finish(tz_train_pairs *pairs, tz_model *model, const tz_corpus *opt_dev,
                                bool quiet, tz_error *error) {
    tz_status status = TZ_OK;
    if (opt_dev) {
        double added;
        status = tz_compress_tune(model, opt_dev, pairs->tune, &added, error);
        if (status == TZ_OK && !quiet) {
            fprintf(stderr, "keeping a word weighs %+.3g more\n", added);
            status = print_figures("dev", model, opt_dev, false, error);
        }
    }
    if (status == TZ_OK && pairs->test)
        status = print_figures("test", model, &pairs->tests, true, error);
    return status;
}

void tz_train_pairs_free(tz_train_pairs *pairs) {
    tz_sketch_free(pairs->grammar_table);
    tz_sketch_free(pairs->bigram_table);
    tz_corpus_free(&pairs->tests);
}
