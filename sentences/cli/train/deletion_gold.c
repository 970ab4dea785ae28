/* deletion_gold.c - see deletion_gold.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/deletion_gold.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "cli/cli.h"
#include "sentences/deletions/measure.h"
#include "sentences/learn/parses.h"

typedef struct gold_list {
    const tz_deletion_gold_options *options;
    tz_arena *arena;
    tz_deletion_gold *gold;
    tz_corpus *corpus; /* [count]: where there is a parser, the sentence of each */
    size_t count, capacity, corpora;
} gold_list;

/* ---- Reading --------------------------------------------------------------------------------- */

static tz_status add_gold(gold_list *list, const tz_deletion_pair *pair, tz_deletion_pairs *from) {
    tz_outward *tree = tz_arena_array(list->arena, 1, sizeof *tree);
    if (!(tree && TZ_GROW(list->gold, &list->capacity, list->count + 1) &&
          TZ_GROW(list->corpus, &list->corpora, list->count + 1)))
        return TZ_NO_MEMORY;
    *tree = pair->outward;
    list->corpus[list->count] =
        list->options->opt_parser ? tz_deletion_pairs_take(from) : (tz_corpus){0};
    list->gold[list->count++] = (tz_deletion_gold){tree, pair->keep};
    return TZ_OK;
}

static int read_gold(gold_list *list, const char *file, tz_tree_source source) {
    const tz_deletion_gold_options *o = list->options;
    tz_deletion_pairs from;
    tz_error error = {TZ_OK, ""};
    tz_deletion_pair pair;
    tz_status status = TZ_OK;
    tz_deletion_options options = o->pairs;
    options.extraction = TZ_EXTRACT_NOTHING;
    if (o->opt_parser && options.words > TZ_ALL_TREES_WORDS)
        options.words = TZ_ALL_TREES_WORDS;
    int exit = tz_deletion_pairs_open(o->command, file, &options, &from);
    if (exit != 0)
        return exit;
    if (tz_deletion_pairs_source(&from) != source) {
        tz_message(o->command, "%s: its trees are not of the kind that was learned from", file);
        exit = TZ_EXIT_INPUT;
    }
    while (exit == 0 &&
           (status = tz_deletion_pairs_next(&from, list->arena, &pair, &error)) == TZ_OK)
        if ((status = add_gold(list, &pair, &from)) != TZ_OK)
            break;
    tz_deletion_pairs_close(&from);
    return exit != 0           ? exit
           : status == TZ_NONE ? 0
                               : tz_failed(o->command, status, *error.message ? &error : NULL);
}

static void free_list(gold_list *list) {
    for (size_t i = 0; i < list->count; i++)
        tz_corpus_free(&list->corpus[i]);
    free(list->corpus);
    free(list->gold);
    tz_arena_free(list->arena);
}

/* ---- Measuring ------------------------------------------------------------------------------- */

static tz_status parses(void *user, size_t index, tz_arena *arena, tz_parses *ret) {
    const gold_list *list = user;
    return tz_parses_of(list->options->opt_parser, list->corpus[index].sentence, arena, ret);
}

static void tell_agreement(const char *what, const tz_deletion_agreement *a) {
    double sentences = (double)a->sentences;
    fprintf(stderr, "  %-28s accuracy %.2f %%, F1 %.4f, exact %.2f %%, kept %.1f %%\n", what,
            100 * a->right / a->words, a->f1 / sentences, 100 * (double)a->exact / sentences,
            100 * a->kept / a->words);
}

static void tell(const tz_deletion_gold_options *o, const char *what,
                 const tz_deletion_figures *f) {
    char marginals[64];
    snprintf(marginals, sizeof marginals, "words likelier than %.2f", f->threshold);
    fprintf(stderr, "%s: %zu sentences, ", what, f->best.sentences);
    if (!o->opt_parser)
        fprintf(stderr, "log Z %.3f, ", f->log_z);
    fprintf(stderr, "%.1f %% of words right to keep\n", 100 * f->best.gold / f->best.words);
    tell_agreement("likeliest choice", &f->best);
    tell_agreement(marginals, &f->marginals);
    tell_agreement("at the reference's length", &f->held);
}

int tz_deletion_gold_measure(const tz_deletion_gold_options *o, const char *file, const char *what,
                             bool tune, tz_deletions *model) {
    gold_list list = {.options = o, .arena = tz_arena_new()};
    const tz_deletion_measuring how = {.tune = tune,
                                       .held = !o->quiet,
                                       .threads = o->threads,
                                       .opt_parses = o->opt_parser ? parses : NULL,
                                       .user = &list};
    tz_deletion_figures figures;
    tz_error error = {TZ_OK, ""};
    if (!list.arena)
        return tz_failed(o->command, TZ_NO_MEMORY, NULL);
    int exit = read_gold(&list, file, model->source);
    if (exit == 0 && list.count == 0) {
        tz_message(o->command, "%s: there are no pairs of which something is kept", file);
        exit = TZ_EXIT_INPUT;
    }
    if (exit == 0) {
        tz_status status =
            tz_deletions_measure(model, list.gold, list.count, &how, &figures, &error);
        exit = status == TZ_OK ? 0 : tz_failed(o->command, status, *error.message ? &error : NULL);
    }
    if (exit == 0 && !o->quiet)
        tell(o, what, &figures);
    free_list(&list);
    return exit;
}
