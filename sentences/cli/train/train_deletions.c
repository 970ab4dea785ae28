/* train_deletions.c - `trapeze train deletions`: a grammar of deletions from pairs of a tree and
 * its kept words.
 *
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/cli/levels.h"
#include "sentences/cli/train/deletion_gold.h"
#include "sentences/cli/train/train.h"
#include "sentences/learn/pack.h"

static const char command[] = "trapeze train deletions";

typedef struct settings {
    const char *const *file, *output, *dev, *test, *parser;
    size_t files;
    tz_sight sight;
    tz_deletion_options pairs;
    long limit, threads;
    bool quiet;
} settings;

/* ---- Counting -------------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    tz_deletion_counts counts;
    tz_tree_source source;
    size_t pairs, empty, longer, changed;
} job;

/* A file of brackets beside one of dependencies has other categories. */
static int check_source(job *j, size_t file, const tz_deletion_pairs *pairs) {
    tz_tree_source source = tz_deletion_pairs_source(pairs);
    if (file > 0 && source != j->source) {
        tz_message(command, "%s: its trees are %s, those of %s are not; learn from one kind",
                   j->settings->file[file],
                   source == TZ_TREES_BRACKETS ? "in brackets" : "from dependencies",
                   j->settings->file[0]);
        return TZ_EXIT_INPUT;
    }
    if (source == TZ_TREES_BRACKETS && j->settings->pairs.levels == TZ_LEVELS_TAGS) {
        tz_message(command, "%s: its trees are in brackets; --levels=tags is for dependencies",
                   j->settings->file[file]);
        return TZ_EXIT_INPUT;
    }
    j->source = source;
    return 0;
}

static tz_status count_pairs(job *j, tz_deletion_pairs *from, tz_error *error) {
    tz_status status = TZ_OK;
    while (status == TZ_OK && (j->settings->limit == 0 || j->pairs < (size_t)j->settings->limit)) {
        tz_arena *arena = tz_arena_new();
        tz_deletion_pair pair;
        status = arena ? tz_deletion_pairs_next(from, arena, &pair, error) : TZ_NO_MEMORY;
        if (status == TZ_OK) {
            status =
                tz_deletion_count(&j->counts, arena, &pair.tree, &pair.outward, &pair.extracted);
            j->pairs++;
        }
        tz_arena_free(arena);
    }
    return status == TZ_NONE ? TZ_OK : status;
}

static int count_file(job *j, size_t file) {
    const settings *s = j->settings;
    tz_deletion_pairs from;
    tz_error error = {TZ_OK, ""};
    int exit = tz_deletion_pairs_open(command, s->file[file], &s->pairs, &from);
    if (exit != 0)
        return exit;
    exit = check_source(j, file, &from);
    tz_deletion_pairs_share(&from, s->limit > 0);
    tz_status status = exit == 0 ? count_pairs(j, &from, &error) : TZ_OK;
    j->empty += from.empty;
    j->longer += from.longer;
    j->changed += from.changed;
    tz_deletion_pairs_close(&from);
    return status == TZ_OK ? exit : tz_failed(command, status, *error.message ? &error : NULL);
}

/* What all ranks have counted. */
static tz_status join(job *j, tz_error *error) {
    uint64_t sum[] = {j->pairs, j->empty, j->longer, j->changed};
    tz_status status = tz_deletion_counts_all(&j->counts, error);
    if (status == TZ_OK)
        status = tz_ranks_add(sum, 4, error);
    j->pairs = (size_t)sum[0];
    j->empty = (size_t)sum[1];
    j->longer = (size_t)sum[2];
    j->changed = (size_t)sum[3];
    return status;
}

static void tell_counts(const job *j, const tz_deletions *model) {
    if (j->settings->quiet)
        return;
    fprintf(stderr, "%zu pairs, %zu rules, %zu decisions in %zu contexts\n", j->pairs,
            j->counts.rules, j->counts.decisions, model->contexts);
    if (j->empty + j->longer + j->changed > 0) {
        fprintf(
            stderr,
            "left out: %zu pairs of which nothing is kept, %zu of more than %ld words, %zu with "
            "other words in the compression\n",
            j->empty, j->longer, j->settings->pairs.words, j->changed);
    }
}

/* ---- Training -------------------------------------------------------------------------------- */

/* NULL where none was named. Returns 0, or the exit code after a message. */
static int load_parser(const char *file, tz_model **ret_parser) {
    tz_pack pack;
    tz_error error = {TZ_OK, ""};
    *ret_parser = NULL;
    if (!file)
        return 0;
    tz_status status = tz_pack_load(file, &pack, &error);
    if (status == TZ_OK)
        status = tz_pack_model(&pack, &tz_parser, ret_parser, &error);
    tz_pack_free(&pack);
    if (status == TZ_NONE) {
        tz_message(command, "%s: there is no parser in this model", file);
        return TZ_EXIT_INPUT;
    }
    return status == TZ_OK ? 0 : tz_failed(command, status, *error.message ? &error : NULL);
}

static int measure(const job *j, tz_deletions *model) {
    const settings *s = j->settings;
    tz_model *parser;
    int exit = load_parser(s->parser, &parser);
    const tz_deletion_gold_options options = {.command = command,
                                              .pairs = s->pairs,
                                              .opt_parser = parser,
                                              .threads = (unsigned)s->threads,
                                              .quiet = s->quiet};
    if (exit == 0 && s->dev)
        exit = tz_deletion_gold_measure(&options, s->dev, "dev", true, model);
    if (exit == 0 && s->test)
        exit = tz_deletion_gold_measure(&options, s->test, "test", false, model);
    tz_model_free(parser);
    return exit;
}

static int train(const settings *s) {
    bool tags = s->pairs.levels == TZ_LEVELS_TAGS;
    job j = {.settings = s, .counts = {.sight = s->sight, .own = tags}};
    tz_deletions *model = NULL;
    tz_error error = {TZ_OK, ""};
    int exit = 0;
    for (size_t f = 0; f < s->files && exit == 0; f++)
        exit = count_file(&j, f);
    tz_status joined = exit == 0 ? join(&j, &error) : TZ_OK;
    if (joined != TZ_OK)
        exit = tz_failed(command, joined, *error.message ? &error : NULL);
    if (exit == 0 && j.counts.decisions == 0) {
        tz_message(command, "nothing to learn from: there is no pair of which some words are kept, "
                            "in a tree of two or more");
        exit = TZ_EXIT_INPUT;
    }
    const bool writes = exit == 0 && tz_rank() == 0;
    tz_status status = writes ? tz_deletions_new(&j.counts, j.source, &model) : TZ_OK;
    if (writes && status == TZ_OK) {
        tell_counts(&j, model);
        exit = measure(&j, model);
    }
    if (writes && exit == 0 && status == TZ_OK)
        status = tz_deletions_save(model, s->output, &error);
    tz_deletions_free(model);
    tz_deletion_counts_free(&j.counts);
    return status == TZ_OK ? exit : tz_failed(command, status, *error.message ? &error : NULL);
}

/* ---- Command line ---------------------------------------------------------------------------- */

/* c,t,w in any order, each once at most; c is there. */
static int take_list(const tz_options *o, const char *name, unsigned *ret_bits) {
    static const char letters[] = "ctw";
    unsigned bits = 0;
    const char *at = o->value;
    for (;; at += 2) {
        const char *letter = *at ? strchr(letters, *at) : NULL;
        unsigned bit = letter ? 1u << (letter - letters) : 0;
        if (!letter || bits & bit)
            break;
        bits |= bit;
        if (at[1] != ',') {
            at++;
            break;
        }
    }
    *ret_bits = bits;
    return *at == '\0' && bits & TZ_SEE_CATEGORY
               ? 0
               : tz_usage_error(command, "--%s is a list of c, t and w, with c, not '%s'", name,
                                o->value);
}

static int take_modifier(tz_options *o, int which, void *user) {
    (void)which;
    return take_list(o, "modifier", &((settings *)user)->sight.modifier);
}

static int take_head(tz_options *o, int which, void *user) {
    (void)which;
    return take_list(o, "head", &((settings *)user)->sight.head);
}

static const tz_option option_table[] = {
    {"output", 'o', "MODEL", "the file to write", TZ_TEXT_AT(settings, output)},
    TZ_LEVELS_AT(settings, pairs.levels),
    {"sisters", 0, "S", "sisters that a decision sees, 0 to 3 (1)",
     TZ_NUMBER_AT(settings, sight.sisters, 0, 3)},
    {"ancestors", 0, "V",
     "categories that a decision sees from the constituent\n"
     "upwards, 0 to 3 (1)",
     TZ_NUMBER_AT(settings, sight.ancestors, 0, 3)},
    {"modifier", 0, "LIST",
     "what a decision sees of the child: c, its category, always;\n"
     "t, the tag of its head word; w, that word (c,t,w)",
     TZ_TAKEN_BY(take_modifier)},
    {"head", 0, "LIST", "what a decision sees of the head child, likewise (c,t,w)",
     TZ_TAKEN_BY(take_head)},
    {"extract", 0, "kept|aligned",
     "learn from every constituent of which a word is kept: kept;\n"
     "or from those that have a partner in the tree of the\n"
     "compression: aligned (kept)",
     TZ_CHOICE_AT(settings, pairs.extraction, TZ_EXTRACT_KEPT)},
    {"substitutions", 0, "K",
     "leave out compressions with a tree of their own and more\n"
     "than K words that the sentence lacks (0)",
     TZ_NUMBER_AT(settings, pairs.substitutions, 0, TZ_CONLLU_WORDS)},
    {"dev", 0, "FILE",
     "choose by these pairs the probability from which on words\n"
     "are kept (else 0.5), for the best mean F1; and measure",
     TZ_TEXT_AT(settings, dev)},
    {"test", 0, "FILE", "measure on these pairs, too", TZ_TEXT_AT(settings, test)},
    {"parser", 0, "MODEL",
     "with --levels=tags: choose, and measure, from all trees that\n"
     "this parser scores, for `trapeze compress --trees=all`",
     TZ_TEXT_AT(settings, parser)},
    {"limit", 0, "N", "learn from the first N pairs", TZ_NUMBER_AT(settings, limit, 1, 1L << 30)},
    {"threads", 0, "N", "threads, for measuring (1)", TZ_NUMBER_AT(settings, threads, 1, 256)},
    {"max-words", 0, "N", "leave out sentences of more words (200)",
     TZ_NUMBER_AT(settings, pairs.words, 1, TZ_CONLLU_WORDS)},
    {"quiet", 0, NULL, "say nothing", TZ_FLAG_AT(settings, quiet)},
};

int tz_cli_train_deletions(int argc, char **argv) {
    const unsigned all = TZ_SEE_CATEGORY | TZ_SEE_TAG | TZ_SEE_WORD;
    tz_options o = {
        .command = command,
        .synopsis = "-o MODEL [OPTION]... [FILE|-]...",
        .about =
            "Learn which parts of sentences can go: with what probability a part of a kept\n"
            "constituent is kept, by its head, its neighbours towards the head, and what stands\n"
            "above (Galley & McKeown 2007). FILE is what `trapeze pairs` prints: CoNLL-U with\n"
            "tags, tree and labels, MISC saying Kept= of each word that is kept; or JSON Lines\n"
            "with trees in brackets:\n"
            "  {\"tree\": \"(S (NP (NNS Dogs)) (VP (VBP bark) (ADVP (RB loudly))))\", \"keep\": "
            "\"110\"}\n",
        .notes = "`trapeze model pack` puts the model beside those that tag and parse, for\n"
                 "`trapeze compress --with deletions`. It holds no text.\n"
                 "\n"
                 "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .most = INT_MAX,
        .usual = "-",
        TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.sight = {1, 1, all, all},
                  .pairs = {TZ_LEVELS_VERB, TZ_EXTRACT_KEPT, 200, 0},
                  .threads = 1};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = o.operand;
    s.files = (size_t)o.operands;
    if (!s.output)
        return tz_usage_error(command, "where does the model go? -o MODEL");
    if (s.pairs.levels == TZ_LEVELS_TAGS && (s.sight.sisters > 1 || s.sight.ancestors > 1))
        return tz_usage_error(command, "with --levels=tags, --sisters and --ancestors are 0 or 1");
    if (s.parser && (s.pairs.levels != TZ_LEVELS_TAGS || !(s.dev || s.test)))
        return tz_usage_error(command, "--parser is for --levels=tags with --dev or --test");
    return train(&s);
}
