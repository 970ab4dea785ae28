/* train_pairs.c - see train_pairs.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train_pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/ranks.h"
#include "sentences/cli/treebank.h"
#include "sentences/features/kept.h"
#include "sentences/features/sketch.h"
#include "sentences/learn/compress_measure.h"

int tz_train_without(const tz_options *o, tz_train_pairs *pairs) {
    for (const char *at = o->value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t size = strcspn(at, ",");
        unsigned family = 0;
        const char *name;
        while ((name = tz_family_name(family)) != NULL &&
               (strlen(name) != size || strncmp(name, at, size) != 0))
            family++;
        if (!name) {
            return tz_usage_error(o->command,
                                  "--without: there is no family '%.*s' of features; --help lists "
                                  "them",
                                  (int)size, at);
        }
        pairs->without |= 1u << family;
    }
    return 0;
}

tz_sources tz_train_pairs_sources(const tz_train_pairs *pairs) {
    return (tz_sources){pairs->grammar_table, pairs->bigram_table, pairs->without};
}

static tz_status outline(const tz_train_pairs *pairs, tz_corpus *corpus) {
    tz_sources sources = tz_train_pairs_sources(pairs);
    tz_status status = TZ_OK;
    for (size_t s = 0; s < corpus->count && status == TZ_OK; s++)
        status = tz_outline_new(corpus->arena, &sources, &corpus->sentence[s]);
    return status;
}

/* One root word in every compression's tree. */
static tz_status hang(const tz_train_pairs *pairs, tz_corpus *corpus, bool quiet,
                      tz_error *error) {
    uint64_t moved = 0;
    for (size_t s = 0; s < corpus->count; s++) {
        tz_sentence *sentence = &corpus->sentence[s];
        moved += (uint64_t)tz_kept_single_root(sentence->compression, sentence->words);
    }
    tz_status status = tz_ranks_add(&moved, 1, error);
    if (status == TZ_OK && moved > 0 && !quiet) {
        fprintf(stderr,
                "%s: %" PRIu64 " root words now modify the first root word of their compression\n",
                pairs->command, moved);
    }
    return status;
}

int tz_train_pairs_begin(tz_train_pairs *pairs, const char *command, bool single_root, bool quiet,
                         tz_corpus *corpus, tz_corpus *dev) {
    const unsigned need = 1u << TZ_HEAD | 1u << TZ_DEPREL | 1u << TZ_UPOS | 1u << TZ_MISC;
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_OK;
    pairs->command = command;
    if (pairs->grammar)
        status = tz_sketch_load(pairs->grammar, TZ_SKETCH_GRAMMAR, &pairs->grammar_table, &error);
    if (status == TZ_OK && pairs->bigrams)
        status = tz_sketch_load(pairs->bigrams, TZ_SKETCH_BIGRAMS, &pairs->bigram_table, &error);
    if (status == TZ_OK && pairs->test) {
        tz_corpus_options reading = {.need = need};
        int exit = tz_treebank_read(command, pairs->test, &reading, &pairs->tests);
        if (exit != 0)
            return exit;
    }
    if (single_root && status == TZ_OK)
        status = hang(pairs, corpus, quiet, &error);
    status = status == TZ_OK ? outline(pairs, corpus) : status;
    status = status == TZ_OK ? outline(pairs, dev) : status;
    status = status == TZ_OK ? outline(pairs, &pairs->tests) : status;
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
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
        status = tz_compress_tune(model, opt_dev, &added, error);
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
