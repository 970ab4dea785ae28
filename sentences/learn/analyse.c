/* analyse.c - see analyse.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/analyse.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/outline/outline.h"
#include "sentences/features/sentence/dictionary.h"
#include "sentences/features/tables/sketch.h"
#include "sentences/learn/constituents.h"
#include "sentences/learn/decode.h"
#include "sentences/learn/delete.h"
#include "sentences/learn/joint.h"
#include "sentences/learn/reparse.h"

typedef struct stage {
    tz_model *model;                 /* NULL: not loaded */
    tz_decoder *decoder;             /* of the others; */
    tz_compress_decoder *compressor; /* of TZ_STAGE_COMPRESS */
} stage;

struct tz_analyser {
    unsigned threads;
    tz_sketch *dictionary;          /* what the joint tagger looks into; NULL: not loaded */
    tz_joint joint;                 /* its labels; likewise */
    tz_sketch *grammar, *bigrams;   /* what the compressor looks into; likewise */
    tz_neural *neural;              /* what it adds to its scores; likewise */
    tz_reparser *reparser;          /* of the parser; likewise */
    tz_model *splitter, *tokeniser; /* likewise */
    tz_deleter *deleter;
    tz_constituents *constituents;
    stage stage[TZ_STAGES];
};

/* Also those of their tasks, but for the last two, which have none. */
static const char *const stage_names[TZ_STAGES] = {"tagger",
                                                   "fine-tagger",
                                                   "parser",
                                                   "labeller",
                                                   "compressor",
                                                   "grammar of deletions",
                                                   "grammar of constituents"};

const char *tz_stage_name(tz_stage stage) {
    return stage_names[stage];
}

unsigned tz_stages_before(tz_stage stage) {
    unsigned compressing = 1u << TZ_STAGE_COMPRESS;
    if (stage == TZ_STAGE_TREE)
        return 1u << TZ_STAGE_TAG | 1u << TZ_STAGE_FINE;
    return ((1u << stage) - 1) & ~(stage == TZ_STAGE_DELETE ? compressing : 0);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static bool new_names(tz_analysed *item) {
    static const int columns[] = {TZ_UPOS, TZ_XPOS, TZ_DEPREL};
    size_t positions = (size_t)item->sentence.words + 1;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        const char **name = tz_arena_array(item->arena, positions, sizeof *name);
        if (!name)
            return false;
        for (size_t w = 0; w < positions; w++)
            name[w] = "_";
        item->name[columns[c]] = name;
    }
    return true;
}

tz_status tz_analysed_tokens(struct tz_arena *arena, const char *line, const tz_token *token,
                             size_t count, tz_analysed *ret) {
    *ret = (tz_analysed){.arena = arena};
    if (count > TZ_CONLLU_WORDS)
        return TZ_TOO_LARGE;
    tz_status status = tz_sentence_new(arena, (int32_t)count, &ret->sentence);
    for (size_t t = 0; t < count && status == TZ_OK; t++) {
        size_t size = token[t].end - token[t].begin;
        const char *form = tz_arena_text(arena, line + token[t].begin, size);
        status =
            form ? tz_sentence_form(arena, &ret->sentence, (int32_t)t + 1, form) : TZ_NO_MEMORY;
    }
    return status == TZ_OK && !new_names(ret) ? TZ_NO_MEMORY : status;
}

tz_status tz_analysed_conllu(struct tz_arena *arena, const tz_sentence *sentence,
                             tz_analysed *ret) {
    *ret = (tz_analysed){.arena = arena, .sentence = *sentence};
    if (!new_names(ret))
        return TZ_NO_MEMORY;
    for (size_t r = 0; r < sentence->rows; r++) {
        const tz_conllu_row *row = &sentence->row[r];
        for (int c = 0; c < TZ_COLUMNS && row->kind == TZ_WORD; c++)
            if (ret->name[c])
                ret->name[c][row->first] = row->column[c];
    }
    return TZ_OK;
}

void tz_analysed_shown(const tz_analysed *item, const tz_token *token, bool *ret_shown) {
    for (size_t w = 0, whole = 0; w < (size_t)item->sentence.words; w++) {
        whole = token[w].begin < token[w].end ? w : whole;
        ret_shown[w] = item->sentence.compression[w + 1] >= 0;
        ret_shown[whole] |= ret_shown[w];
    }
}

/* The column of a stage's answers, or -1. */
static int column_of(tz_stage stage) {
    static const int columns[TZ_STAGES] = {TZ_UPOS, TZ_XPOS, TZ_HEAD, TZ_DEPREL, -1, -1, -1};
    return columns[stage];
}

bool tz_analysed_lacks(const tz_analysed *item, tz_stage stage) {
    int column = column_of(stage);
    for (int32_t w = 1; w <= item->sentence.words; w++)
        if (column == TZ_HEAD ? item->sentence.head[w] < 0
                              : column < 0 || strcmp(item->name[column][w], "_") == 0)
            return true;
    return false;
}

/* ---- Models ---------------------------------------------------------------------------------- */

static tz_status load(const tz_pack *pack, tz_stage which, unsigned threads, stage *stage,
                      tz_error *opt_error) {
    const tz_task *task = tz_task_find(stage_names[which]);
    bool joint = tz_pack_find(pack, tz_joint_tagger.name) != NULL;
    if (joint && which == TZ_STAGE_FINE)
        return TZ_NONE; /* is the other tagger's */
    if (joint && which == TZ_STAGE_TAG)
        task = &tz_joint_tagger;
    tz_status status = task ? tz_pack_model(pack, task, &stage->model, opt_error) : TZ_NONE;
    if (status != TZ_OK)
        return status;
    return which == TZ_STAGE_COMPRESS
               ? tz_compress_decoder_new(stage->model, threads, &stage->compressor, opt_error)
               : tz_decoder_new(stage->model, threads, &stage->decoder, opt_error);
}

/* Of what a pack may be without. */
static tz_status optional(tz_status status) {
    return status == TZ_NONE ? TZ_OK : status;
}

/* A table that the pack may be without. */
static tz_status load_table(const tz_pack *pack, tz_sketch_kind kind, const char *name,
                            tz_sketch **ret_table, tz_error *opt_error) {
    const tz_section *section = tz_pack_find(pack, name);
    return section ? tz_sketch_read(pack->path, section->bytes, section->size, kind, ret_table,
                                    opt_error)
                   : TZ_OK;
}

/* What goes with a joint tagger. */
static tz_status load_joint(const tz_pack *pack, tz_analyser *analyser, tz_error *opt_error) {
    const tz_model *model = analyser->stage[TZ_STAGE_TAG].model;
    if (!model || model->task != &tz_joint_tagger)
        return TZ_OK;
    tz_status status = tz_joint_new(&model->labels, &analyser->joint);
    return status == TZ_OK ? load_table(pack, TZ_SKETCH_DICTIONARY, "dictionary",
                                        &analyser->dictionary, opt_error)
                           : status;
}

static tz_status load_neural(const tz_pack *pack, tz_analyser *analyser, tz_error *opt_error) {
    tz_status status = tz_pack_neural(pack, tz_neural_name, &analyser->neural, opt_error);
    tz_compress_decoder_neural(analyser->stage[TZ_STAGE_COMPRESS].compressor, analyser->neural);
    return optional(status);
}

/* Was the grammar of deletions learned from trees in brackets? */
static bool deletes_constituents(const tz_analyser *analyser) {
    return analyser->deleter && tz_deleter_source(analyser->deleter) == TZ_TREES_BRACKETS;
}

tz_status tz_analyser_new(const tz_pack *pack, unsigned stages, unsigned threads,
                          tz_analyser **ret_analyser, tz_error *opt_error) {
    *ret_analyser = NULL;
    tz_analyser *analyser = calloc(1, sizeof *analyser);
    if (!analyser)
        return TZ_NO_MEMORY;
    analyser->threads = threads;
    tz_status status = TZ_OK;
    for (int s = 0; s < TZ_STAGES && status == TZ_OK; s++)
        if (stages >> s & 1)
            status = optional(load(pack, (tz_stage)s, threads, &analyser->stage[s], opt_error));
    if (status == TZ_OK && stages >> TZ_STAGE_TAG & 1)
        status = load_joint(pack, analyser, opt_error);
    if (status == TZ_OK && stages >> TZ_STAGE_DELETE & 1)
        status = optional(tz_deleter_new(pack, threads, &analyser->deleter, opt_error));
    bool brackets = deletes_constituents(analyser);
    if (status == TZ_OK && (stages >> TZ_STAGE_TREE & 1 || brackets))
        status = optional(tz_constituents_new(pack, threads, &analyser->constituents, opt_error));
    if (status == TZ_OK && analyser->stage[TZ_STAGE_PARSE].model &&
        analyser->stage[TZ_STAGE_LABEL].model)
        status = optional(tz_reparser_new(pack, &analyser->stage[TZ_STAGE_LABEL].model->labels,
                                          threads, &analyser->reparser, opt_error));
    if (status == TZ_OK)
        status =
            optional(tz_pack_model(pack, &tz_sentence_splitter, &analyser->splitter, opt_error));
    if (status == TZ_OK)
        status = optional(tz_pack_model(pack, &tz_word_tokeniser, &analyser->tokeniser, opt_error));
    if (status == TZ_OK && analyser->stage[TZ_STAGE_COMPRESS].model)
        status = load_table(pack, TZ_SKETCH_GRAMMAR, "grammar", &analyser->grammar, opt_error);
    if (status == TZ_OK && analyser->stage[TZ_STAGE_COMPRESS].model)
        status = load_table(pack, TZ_SKETCH_BIGRAMS, "bigrams", &analyser->bigrams, opt_error);
    if (status == TZ_OK && analyser->stage[TZ_STAGE_COMPRESS].model)
        status = load_neural(pack, analyser, opt_error);
    if (status != TZ_OK) {
        tz_analyser_free(analyser);
        return status;
    }
    *ret_analyser = analyser;
    return TZ_OK;
}

void tz_analyser_free(tz_analyser *analyser) {
    if (analyser) {
        for (int s = 0; s < TZ_STAGES; s++) {
            tz_compress_decoder_free(analyser->stage[s].compressor);
            tz_decoder_free(analyser->stage[s].decoder);
            tz_model_free(analyser->stage[s].model);
        }
        tz_deleter_free(analyser->deleter);
        tz_model_free(analyser->splitter);
        tz_model_free(analyser->tokeniser);
        tz_constituents_free(analyser->constituents);
        tz_joint_free(&analyser->joint);
        tz_sketch_free(analyser->dictionary);
        tz_sketch_free(analyser->grammar);
        tz_sketch_free(analyser->bigrams);
        tz_neural_free(analyser->neural);
        tz_reparser_free(analyser->reparser);
        free(analyser);
    }
}

unsigned tz_analyser_stages(const tz_analyser *analyser) {
    unsigned stages = 0;
    for (int s = 0; s < TZ_STAGES; s++)
        stages |= analyser->stage[s].model ? 1u << s : 0;
    return stages | (analyser->joint.labels > 0 ? 1u << TZ_STAGE_FINE : 0) |
           (analyser->deleter ? 1u << TZ_STAGE_DELETE : 0) |
           (analyser->constituents ? 1u << TZ_STAGE_TREE : 0);
}

tz_deleter *tz_analyser_deleter(const tz_analyser *analyser) {
    return analyser->deleter;
}

bool tz_analyser_neural(const tz_analyser *analyser) {
    return analyser->neural != NULL;
}

void tz_analyser_compress(tz_analyser *analyser, const tz_compress_how *how) {
    tz_compress_decoder *compressor = analyser->stage[TZ_STAGE_COMPRESS].compressor;
    if (compressor)
        tz_compress_decoder_set(compressor, how);
}

const tz_model *tz_analyser_splitter(const tz_analyser *analyser) {
    return analyser->splitter;
}

const tz_model *tz_analyser_tokeniser(const tz_analyser *analyser) {
    return analyser->tokeniser;
}

const tz_model *tz_analyser_parser(const tz_analyser *analyser) {
    return analyser->stage[TZ_STAGE_PARSE].model;
}

/* ---- Analysing ------------------------------------------------------------------------------- */

/* The sentences of a stage, and their answers. */
typedef struct batch {
    tz_analysed **item;
    const tz_sentence **sentence;
    tz_words *words;
    int32_t **answer;
    size_t count;
} batch;

/* What the next stages see of an answer. */
static void keep(const tz_model *model, tz_stage which, tz_analysed *item, const int32_t *answer) {
    tz_sentence *sentence = &item->sentence;
    int column = column_of(which);
    for (int32_t w = 1; w <= sentence->words; w++) {
        if (column == TZ_HEAD) {
            sentence->head[w] = answer[w];
            item->name[TZ_DEPREL][w] = "_"; /* was another tree's */
            tz_sentence_column(sentence, w, TZ_DEPREL, "_");
        } else if (column >= 0) {
            item->name[column][w] = model->labels.name[answer[w]];
            tz_sentence_column(sentence, w, column, item->name[column][w]);
            if (column == TZ_UPOS && strcmp(item->name[TZ_XPOS][w], "_") == 0)
                tz_sentence_column(sentence, w, TZ_XPOS, "_");
        }
    }
    if (column == TZ_UPOS || column == TZ_XPOS)
        tz_sentence_tagged(sentence);
}

static tz_status decode_stage(tz_analyser *analyser, tz_stage which, batch *batch,
                              tz_error *opt_error) {
    stage *stage = &analyser->stage[which];
    const tz_model *model = stage->model;
    if (which == TZ_STAGE_COMPRESS) {
        return tz_decode_compress(stage->compressor, batch->sentence, batch->count, batch->words,
                                  batch->answer, opt_error);
    }
    tz_joint_batch tags = {&analyser->joint, batch->item};
    if (model->task == &tz_joint_tagger)
        tz_decoder_adjust(stage->decoder, tz_joint_restrict, &tags);
    const int32_t *const *answer;
    tz_status status =
        tz_decode(stage->decoder, model->weight, batch->sentence, batch->count, &answer, opt_error);
    for (size_t i = 0; i < batch->count && status == TZ_OK; i++) {
        size_t positions = (size_t)batch->sentence[i]->words + 1;
        memcpy(batch->answer[i], answer[i], positions * sizeof **answer);
    }
    return status;
}

/* Is a sentence to go through all of these stages? Of both tags at once, through one of them. */
static bool goes(const tz_analyser *analyser, unsigned stages, unsigned todo) {
    return stages == 1u << TZ_STAGE_TAG && analyser->joint.labels > 0
               ? todo & (1u << TZ_STAGE_TAG | 1u << TZ_STAGE_FINE)
               : !(stages & ~todo);
}

/* Those with words that go through these stages, with what these look into. */
static tz_status gather(const tz_analyser *analyser, unsigned stages, bool outlined,
                        tz_analysed *const *item, size_t count, batch *batch) {
    batch->count = 0;
    for (size_t i = 0; i < count; i++) {
        const tz_sentence *sentence = &item[i]->sentence;
        if (!goes(analyser, stages, item[i]->todo) || sentence->words == 0)
            continue;
        tz_dictionary_look(analyser->dictionary, sentence);
        if (outlined) {
            tz_sources sources = {analyser->grammar, analyser->bigrams, 0};
            tz_status status = tz_outline_new(item[i]->arena, &sources, &item[i]->sentence);
            if (status != TZ_OK)
                return status;
        }
        int32_t *answer =
            tz_arena_array(item[i]->arena, (size_t)sentence->words + 1, sizeof *answer);
        if (!answer)
            return TZ_NO_MEMORY;
        batch->item[batch->count] = item[i];
        batch->sentence[batch->count] = sentence;
        batch->words[batch->count] = (tz_words){
            item[i]->keep, item[i]->most > 0 ? item[i]->most : item[i]->keep, item[i]->wary};
        batch->answer[batch->count++] = answer;
    }
    return TZ_OK;
}

static tz_status run_stage(tz_analyser *analyser, tz_stage which, tz_analysed *const *item,
                           size_t count, batch *batch, tz_error *opt_error) {
    bool outlined = which == TZ_STAGE_COMPRESS;
    tz_status status = gather(analyser, 1u << which, outlined, item, count, batch);
    if (status == TZ_OK && batch->count > 0)
        status = decode_stage(analyser, which, batch, opt_error);
    for (size_t i = 0; i < batch->count && status == TZ_OK; i++) {
        if (analyser->stage[which].model->task == &tz_joint_tagger)
            tz_joint_keep(&analyser->joint, batch->item[i], batch->answer[i]);
        else
            keep(analyser->stage[which].model, which, batch->item[i], batch->answer[i]);
        if (which == TZ_STAGE_COMPRESS)
            batch->item[i]->sentence.compression = batch->answer[i];
    }
    return status;
}

/* The tree and its labels are found once more, by what sees them. */
static tz_status look_again(tz_analyser *analyser, tz_analysed *const *item, size_t count,
                            batch *batch, tz_error *opt_error) {
    unsigned both = 1u << TZ_STAGE_PARSE | 1u << TZ_STAGE_LABEL;
    if (!analyser->reparser)
        return TZ_OK;
    tz_status status = gather(analyser, both, true, item, count, batch);
    if (status == TZ_OK && batch->count > 0)
        status =
            tz_reparse(analyser->reparser, batch->sentence, batch->count, batch->answer, opt_error);
    for (size_t i = 0; i < batch->count && status == TZ_OK; i++) {
        keep(analyser->stage[TZ_STAGE_PARSE].model, TZ_STAGE_PARSE, batch->item[i],
             batch->answer[i]);
        keep(analyser->stage[TZ_STAGE_LABEL].model, TZ_STAGE_LABEL, batch->item[i],
             tz_reparsed_labels(analyser->reparser, i));
    }
    return status;
}

/* Those that are to go through one of these stages; ret_list: room for all. */
static size_t listed(unsigned stages, tz_analysed *const *item, size_t count,
                     tz_analysed **ret_list) {
    size_t todo = 0;
    for (size_t i = 0; i < count; i++)
        if (item[i]->todo & stages && item[i]->sentence.words > 0)
            ret_list[todo++] = item[i];
    return todo;
}

/* The stages that have grammars of their own. list: room for all. */
static tz_status run_grammars(tz_analyser *analyser, tz_analysed *const *item, size_t count,
                              tz_analysed **list, tz_error *opt_error) {
    const unsigned deletion = 1u << TZ_STAGE_DELETE;
    unsigned trees = 1u << TZ_STAGE_TREE | (deletes_constituents(analyser) ? deletion : 0);
    tz_status status = TZ_OK;
    size_t todo = analyser->constituents ? listed(trees, item, count, list) : 0;
    if (todo > 0)
        status = tz_constituents_find(analyser->constituents, list, todo, opt_error);
    todo = analyser->deleter ? listed(deletion, item, count, list) : 0;
    if (todo > 0 && status == TZ_OK)
        status = tz_delete(analyser->deleter, list, todo, opt_error);
    return status;
}

tz_status tz_analyse(tz_analyser *analyser, tz_analysed *const *item, size_t count,
                     tz_error *opt_error) {
    size_t room = count > 0 ? count : 1;
    batch batch = {.item = (tz_analysed **)calloc(room, sizeof *batch.item),
                   .sentence = (const tz_sentence **)calloc(room, sizeof *batch.sentence),
                   .words = calloc(room, sizeof *batch.words),
                   .answer = (int32_t **)calloc(room, sizeof *batch.answer)};
    bool made = batch.item && batch.sentence && batch.words && batch.answer;
    tz_status status = made ? TZ_OK : TZ_NO_MEMORY;
    for (int s = 0; s < TZ_STAGES && status == TZ_OK; s++) {
        if (analyser->stage[s].model)
            status = run_stage(analyser, (tz_stage)s, item, count, &batch, opt_error);
        if (status == TZ_OK && s == TZ_STAGE_LABEL)
            status = look_again(analyser, item, count, &batch, opt_error);
    }
    if (status == TZ_OK)
        status = run_grammars(analyser, item, count, batch.item, opt_error);
    free((void *)batch.item);
    free((void *)batch.sentence);
    free(batch.words);
    free((void *)batch.answer);
    return status;
}
