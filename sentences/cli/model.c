/* model.c - `trapeze model show` and `trapeze model pack`. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "sentences/align/model/aligner.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/deletions/model.h"
#include "sentences/learn/pack.h"
#include "sentences/neural/neural.h"
#include "sentences/trees/pcfg.h"

/* ---- Show ------------------------------------------------------------------------------------ */

static const char show[] = "trapeze model show";

/* Rows with a weight other than 0. */
static size_t used_rows(const tz_model *model) {
    size_t rows = (size_t)1 << model->bits, used = 0;
    for (size_t r = 0; r < rows; r++) {
        size_t a = 0;
        while (a < model->width && tz_model_weight(model, r * model->width + a) == 0)
            a++;
        used += a < model->width;
    }
    return used;
}

static void show_seen(unsigned seen) {
    printf("c%s%s", seen & TZ_SEE_TAG ? "t" : "", seen & TZ_SEE_WORD ? "w" : "");
}

static tz_status show_deletions(const tz_pack *pack, const tz_section *section, tz_error *error) {
    static const char *const source[TZ_TREE_SOURCES] = {"flat", "prep", "verb", "brackets", "tags"};
    tz_deletions *m;
    tz_status status = tz_deletions_read(pack->path, section->bytes, section->size, &m, error);
    if (status != TZ_OK)
        return status;
    printf("%-14s%9zu  delete-tree, %s: sisters %u, ancestors %u, ", section->name, section->size,
           source[m->source], m->sight.sisters, m->sight.ancestors);
    show_seen(m->sight.modifier);
    printf(" of ");
    show_seen(m->sight.head);
    printf("; threshold %.2f; %zu contexts\n", m->threshold, m->contexts);
    tz_deletions_free(m);
    return TZ_OK;
}

static tz_status show_pcfg(const tz_pack *pack, const tz_section *section, tz_error *error) {
    tz_pcfg *g;
    tz_status status = tz_pcfg_read(pack->path, section->bytes, section->size, &g, error);
    if (status == TZ_OK)
        printf("%-14s%9zu  %-30s%6zu  %zu rules, of %llu trees\n", section->name, section->size,
               "pcfg", g->labels, g->rules, (unsigned long long)g->trees);
    tz_pcfg_free(g);
    return status;
}

static tz_status show_neural(const tz_pack *pack, const tz_section *section, tz_error *error) {
    tz_neural *n;
    tz_status status = tz_neural_read(pack->path, section->bytes, section->size, &n, error);
    if (status == TZ_OK)
        printf("%-14s%9zu  neural scores: %u words, %u parts of words, states of %u\n",
               section->name, section->size, (unsigned)n->size.hashes[TZ_VOCABULARY_WORD],
               (unsigned)n->size.buckets, (unsigned)n->size.state);
    tz_neural_free(n);
    return status;
}

static tz_status show_section(const tz_pack *pack, const tz_section *section, tz_error *error) {
    if (strcmp(section->name, tz_deletions_name) == 0)
        return show_deletions(pack, section, error);
    if (strcmp(section->name, tz_pcfg_name) == 0)
        return show_pcfg(pack, section, error);
    if (strcmp(section->name, tz_neural_name) == 0 ||
        strcmp(section->name, tz_neural_parser_name) == 0)
        return show_neural(pack, section, error);
    const tz_task *task = tz_task_find(section->name);
    tz_model *model = NULL;
    tz_status status = task ? tz_pack_model(pack, task, &model, error) : TZ_OK;
    if (status == TZ_OK && model) {
        size_t rows = (size_t)1 << model->bits, used = used_rows(model);
        printf("%-14s%9zu  %-30s%6zu  %8zu  %5.1f %%\n", section->name, section->size,
               tz_rules_name(model->rules), model->labels.count, rows,
               100 * (double)used / (double)rows);
    } else if (status == TZ_OK) {
        printf("%-14s%9zu  -\n", section->name, section->size);
    }
    tz_model_free(model);
    return status;
}

/* How likely it is to go over each kind of node, and not into it, forward and backward. */
static void show_syntax(const tz_jumps *jumps) {
    printf("forward             %.4f\n", exp(jumps->log_p[0]));
    for (int32_t l = 0; l < (int32_t)jumps->labels.count; l++)
        printf("over %-15s%.4f  %.4f\n", jumps->labels.name[l],
               exp(jumps->log_p[tz_cover_over(l, true)]),
               exp(jumps->log_p[tz_cover_over(l, false)]));
}

static void show_jumps(const tz_jumps *jumps) {
    printf("jumps               %s\n", tz_jump_name(jumps->kind));
    if (jumps->kind == TZ_JUMP_GAUSSIAN)
        printf("mean                %.4f\nvariance            %.4f\n", jumps->mean,
               jumps->variance);
    if (jumps->kind == TZ_JUMP_SYNTAX) {
        show_syntax(jumps);
        return;
    }
    for (int32_t d = -2; d <= 3; d++)
        printf("jump %+d             %.4f\n", (int)d, exp(tz_jumps_log_p(jumps, d)));
}

static int show_aligner(const char *path) {
    tz_aligner a;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_aligner_load(path, &a, &error);
    if (status != TZ_OK)
        return tz_failed(show, status, &error);
    printf("%s: an aligner\n\n", path);
    printf("kind                %s\n", tz_aligner_kind_name(a.kind));
    printf("phrases             %u, %u words at most\n", a.abstract_most, a.document_most);
    printf("words of abstracts  %zu\nwords of documents  %zu\npairs of phrases    %zu\n",
           a.vocabulary, a.document_words, a.cell.count);
    printf("from nowhere        %.4f\n", a.null);
    for (size_t k = 0; k < (a.near.fingerprint != 0 ? TZ_PARTS : TZ_PART_NEAR); k++)
        printf("part %-15s%.4f\n", tz_part_name(k), a.part[k]);
    if (a.near.fingerprint != 0)
        printf("eta                 %.4f\nphrases in WordNet  %zu\n", a.near.eta,
               a.near.phrase.count);
    for (unsigned q = 0; q < a.document_most && a.length_kind == TZ_LENGTH_TRAINED; q++)
        printf("length %u            %.4f\n", q + 1, a.length[q]);
    if (a.kind != TZ_ALIGNER_MODEL1)
        show_jumps(&a.jumps);
    tz_aligner_free(&a);
    return tz_flush_results(show);
}

static int show_file(const char *path) {
    tz_pack pack;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_pack_load(path, &pack, &error);
    if (status == TZ_OK) {
        printf("%s: %zu bytes\n\n", path, pack.size);
        printf("%-14s%9s  %-30s%6s  %8s  %7s\n", "section", "bytes", "rules", "labels", "rows",
               "used");
    }
    for (size_t s = 0; s < pack.count && status == TZ_OK; s++)
        status = show_section(&pack, &pack.section[s], &error);
    tz_pack_free(&pack);
    return status == TZ_OK ? tz_flush_results(show) : tz_failed(show, status, &error);
}

static int run_show(int argc, char **argv) {
    tz_options o = {.command = show,
                    .synopsis = "[MODEL]",
                    .about = "Show what a model file holds (the English model that comes with "
                             "trapeze).\n",
                    .notes = "Rows are those of the table of weights; used are those with a weight "
                             "other than 0.\n",
                    .most = 1,
                    .wanted = "one MODEL",
                    .argc = argc,
                    .argv = argv};
    if (!tz_take_options(&o, NULL, NULL))
        return o.status;
    const char *file = o.operands > 0 ? *o.operand : NULL;
    char *found = NULL;
    int exit = file ? 0 : tz_find_model(show, &found);
    if (exit == 0)
        exit = file && tz_aligner_file(file) ? show_aligner(file) : show_file(file ? file : found);
    free(found);
    return exit;
}

/* ---- Pack ------------------------------------------------------------------------------------ */

static const char pack_command[] = "trapeze model pack";

static bool listed(const char *list, const char *name) {
    size_t size = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == size && strncmp(at, name, size) == 0)
            return true;
    return false;
}

/* Leaves out what a later pack has too. */
static void replace_sections(tz_pack *pack, size_t packs) {
    for (size_t p = 0; p < packs; p++) {
        size_t left = 0;
        for (size_t s = 0; s < pack[p].count; s++) {
            bool again = false;
            for (size_t q = p + 1; q < packs; q++)
                again = again || tz_pack_find(&pack[q], pack[p].section[s].name);
            if (!again)
                pack[p].section[left++] = pack[p].section[s];
        }
        pack[p].count = left;
    }
}

/* Leaves those whose names are in the list, with commas between them, which are all there. */
static tz_status select_sections(tz_pack *pack, size_t packs, const char *list, tz_error *error) {
    for (size_t p = 0; p < packs; p++)
        for (size_t s = pack[p].count; s > 0; s--)
            if (!listed(list, pack[p].section[s - 1].name)) {
                memmove(&pack[p].section[s - 1], &pack[p].section[s],
                        (pack[p].count - s) * sizeof *pack[p].section);
                pack[p].count--;
            }
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        int size = (int)strcspn(at, ",");
        bool found = false;
        for (size_t p = 0; p < packs; p++)
            for (size_t s = 0; s < pack[p].count; s++)
                found |= strlen(pack[p].section[s].name) == (size_t)size &&
                         strncmp(pack[p].section[s].name, at, (size_t)size) == 0;
        if (!found)
            return tz_bad_input(error, pack[0].path, 0,
                                "there is no %.*s; `trapeze model show` lists what is there", size,
                                at);
    }
    return TZ_OK;
}

static int pack_files(const char *output, const char *const *file, size_t files, bool replace,
                      const char *opt_only) {
    tz_pack pack[TZ_PACK_SECTIONS] = {{0}};
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_OK;
    for (size_t f = 0; f < files && status == TZ_OK; f++)
        status = tz_pack_load(file[f], &pack[f], &error);
    if (status == TZ_OK && opt_only)
        status = select_sections(pack, files, opt_only, &error);
    if (status == TZ_OK && replace)
        replace_sections(pack, files);
    if (status == TZ_OK)
        status = tz_pack_save(pack, files, output, &error);
    for (size_t f = 0; f < files; f++)
        tz_pack_free(&pack[f]);
    return status == TZ_OK ? 0 : tz_failed(pack_command, status, &error);
}

typedef struct packing {
    const char *output, *only;
    bool replace;
} packing;

static int run_pack(int argc, char **argv) {
    static const tz_option option[] = {
        {"output", 'o', "MODEL", "the file to write", TZ_TEXT_AT(packing, output)},
        {"replace", 0, NULL, "of several models of one task, take the last",
         TZ_FLAG_AT(packing, replace)},
        {"only", 0, "LIST",
         "take these sections alone: names as `trapeze model show`\n"
         "has them, with commas between them",
         TZ_TEXT_AT(packing, only)},
    };
    tz_options o = {
        .command = pack_command,
        .synopsis = "-o MODEL [--replace] [--only LIST] PART...",
        .about = "Put models, of different tasks, into one file: what tag, parse and compress "
                 "take.\n",
        .notes = "A part is what `trapeze train` wrote, or a pack.\n",
        .most = TZ_PACK_SECTIONS,
        TZ_COMMAND_ROWS(option, argc, argv)};
    packing p = {NULL};
    if (!tz_take_options(&o, NULL, &p))
        return o.status;
    if (!p.output)
        return tz_usage_error(pack_command, "-o MODEL is missing: the file to write");
    if (o.operands == 0)
        return tz_usage_error(pack_command, "the parts are missing");
    return pack_files(p.output, o.operand, (size_t)o.operands, p.replace, p.only);
}

int tz_cli_model(int argc, char **argv) {
    static const tz_action actions[] = {
        {"show", "show what a model file holds", run_show},
        {"pack", "put several models into one file", run_pack},
    };
    static const tz_actions model = {
        .command = "trapeze model",
        .what = "action",
        .about = "Show what a model file holds; put several into one.\n",
        .notes = "",
        .action = actions,
        .actions = sizeof actions / sizeof *actions,
    };
    return tz_run_action(&model, argc, argv);
}
