/* analyse.c - `trapeze tag`, `trapeze parse` and `trapeze compress`: portions of sentences through
 * the stages, and out in order. SPDX-License-Identifier: MIT */
#include "sentences/cli/analyse/analyse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/width.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "ranks/rounds.h"
#include "sentences/cli/analyse/given_scores.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/deletions/model.h"
#include "sentences/text/manner.h"
#include "sentences/trees/pcfg.h"

/* A portion is decoded side by side: so many sentences, but no more than keep its memory, which
 * grows with the cube of the words at most, where one sentence of 200 words has it. */
enum { PORTION = 64, PORTION_CUBES = 8000000 };

enum { PIPE_WIDTH = 120 }; /* of drawings that go to no terminal */

typedef struct job {
    tz_analyse_settings *settings;
    tz_analyser *analyser;
    tz_given_scores *given; /* NULL: none are */
    tz_sentences sentences;
    tz_writer writer;
    tz_input_sentence item[PORTION];
    char *refused[PORTION]; /* the message, where there is no item */
    size_t count;
    bool failed; /* a sentence was refused */
    uint64_t sentences_read, like_law, no_prose;
    tz_english english; /* where the shipped model is used */
    tz_rounds rounds;
} job;

/* ---- What is to be done ---------------------------------------------------------------------- */

static unsigned bit(tz_stage stage) {
    return 1u << stage;
}

/* Those whose results are needed, besides those asked for. */
static unsigned stages_before(unsigned asked) {
    unsigned before = 0;
    for (int s = 0; s < TZ_STAGES; s++)
        before |= asked >> s & 1 ? tz_stages_before((tz_stage)s) : 0;
    return before;
}

/* The stages that a sentence is to go through: those asked for, and those before them that it lacks
 * the results of. */
static unsigned stages_of(const job *job, const tz_analysed *item) {
    unsigned asked = job->settings->stages, before = stages_before(asked), todo = asked;
    for (int s = 0; s < TZ_STAGES; s++)
        if (before >> s & 1 && tz_analysed_lacks(item, (tz_stage)s))
            todo |= bit((tz_stage)s);
    todo |= todo & bit(TZ_STAGE_PARSE) ? bit(TZ_STAGE_LABEL) : 0; /* those were another tree's */
    return todo;
}

/* Can a stage that the model lacks be done without? Where a model of fine tags or labels alone does
 * its part of what was asked for; where a file comes without tags; and labels: but deletions take
 * both. Fine tags, but of trees of constituents. */
static bool dispensable(const job *job, const tz_analysed *item, tz_stage stage) {
    unsigned asked = job->settings->stages, loaded = tz_analyser_stages(job->analyser);
    bool part = asked & bit(stage) && asked & loaded, deletions = asked & bit(TZ_STAGE_DELETE);
    return stage == TZ_STAGE_TAG     ? part || (item->sentence.rows > 0 && !deletions)
           : stage == TZ_STAGE_FINE  ? !(asked & bit(TZ_STAGE_TREE))
           : stage == TZ_STAGE_LABEL ? !deletions
                                     : part && !tz_analysed_lacks(item, stage);
}

/* Does the model have what it takes to analyse this sentence, and is it short enough? */
static tz_status check_stages(const job *job, const tz_input_sentence *item, tz_error *error) {
    int32_t words = item->analysed.sentence.words;
    if (job->settings->with.all && words > TZ_ALL_TREES_WORDS) {
        return tz_bad_input(error, tz_lines_name(job->sentences.treebank.text.lines), item->number,
                            "a sentence of %d words, where --trees=all takes %d at most",
                            (int)words, (int)TZ_ALL_TREES_WORDS);
    }
    static const tz_stage must[] = {TZ_STAGE_TAG,   TZ_STAGE_FINE,     TZ_STAGE_PARSE,
                                    TZ_STAGE_LABEL, TZ_STAGE_COMPRESS, TZ_STAGE_DELETE,
                                    TZ_STAGE_TREE};
    unsigned missing = item->analysed.todo & ~tz_analyser_stages(job->analyser);
    for (size_t m = 0; m < sizeof must / sizeof *must; m++) {
        if (missing & bit(must[m]) && !dispensable(job, &item->analysed, must[m])) {
            return tz_bad_input(error, tz_lines_name(job->sentences.treebank.text.lines),
                                item->number, "that takes a %s, which the model %s does not have",
                                tz_stage_name(must[m]), job->settings->model);
        }
    }
    return TZ_OK;
}

/* ---- Portions -------------------------------------------------------------------------------- */

static void free_portion(job *job) {
    for (size_t i = 0; i < job->count; i++) {
        tz_input_sentence_free(&job->item[i]);
        free(job->refused[i]);
        job->refused[i] = NULL;
    }
    job->count = 0;
}

static double cube(double words) {
    return words * words * words;
}

static void choose_length(job *job, tz_input_sentence *item) {
    const tz_length *length = &job->settings->length;
    const tz_sentence *s = &item->analysed.sentence;
    tz_words words = tz_length_of(length, item->kind, s->form + 1, s->words);
    bool whole = length->kind == TZ_LENGTH_WARY && words.low > 0;
    job->sentences_read += s->words > 0;
    job->like_law += whole && item->kind == TZ_PROSE && tz_like_law(s->form + 1, (size_t)s->words);
    job->no_prose += whole && item->kind != TZ_PROSE;
    item->analysed.keep = words.low;
    item->analysed.most = words.high;
    item->analysed.wary = words.wary;
}

/* Reads the next sentences. TZ_NONE: there are no more; the others' errors end the run, but what
 * was read before them is still to be written. */
static tz_status read_portion(job *job, tz_error *error) {
    bool terminal = isatty(fileno(job->sentences.treebank.text.file));
    size_t most = terminal ? 1 : PORTION;
    double cubes = 0;
    while (job->count < most && cubes < PORTION_CUBES) {
        tz_input_sentence *item = &job->item[job->count];
        tz_status status = tz_sentences_next(&job->sentences, item, error);
        if (status == TZ_OK) {
            int32_t words = item->analysed.sentence.words;
            item->analysed.todo = stages_of(job, &item->analysed);
            choose_length(job, item);
            tz_english_add(&job->english, item->analysed.sentence.form + 1, (size_t)words);
            cubes += cube(words);
            status = words > 0 ? check_stages(job, item, error) : TZ_OK;
            if (status == TZ_OK && job->given)
                status = tz_given_scores_next(job->given, &item->analysed, error);
            item->analysed.todo &= tz_analyser_stages(job->analyser);
        }
        if (status == TZ_IO && job->settings->keep_going && error->message[0]) {
            tz_message(job->settings->command, "%s", error->message);
            job->failed = true;
            tz_input_sentence_refuse(item);
            job->refused[job->count] = strdup(error->message);
            status = job->refused[job->count] ? TZ_OK : TZ_NO_MEMORY;
        }
        if (status != TZ_OK) {
            tz_input_sentence_free(item);
            return status;
        }
        job->count++;
    }
    return TZ_OK;
}

static tz_status write_portion(job *job, FILE *file) {
    tz_status status = TZ_OK;
    for (size_t i = 0; i < job->count && status == TZ_OK; i++)
        if (job->refused[i])
            tz_write_refusal(&job->writer, &job->item[i], job->refused[i]);
        else
            status = tz_write_sentence(&job->writer, &job->item[i]);
    if (status == TZ_OK && job->writer.text.failed)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK && job->writer.text.size > 0) { /* the dispatcher sees if it failed */
        tz_text_write(&job->writer.text, file);
        fflush(file);
    }
    tz_text_clear(&job->writer.text);
    return status;
}

static tz_status analyse_portion(job *job, tz_error *error) {
    tz_analysed *item[PORTION];
    size_t count = 0;
    for (size_t i = 0; i < job->count; i++)
        if (!job->refused[i])
            item[count++] = &job->item[i].analysed;
    tz_status status = tz_analyse(job->analyser, item, count, error);
    return status == TZ_OK ? write_portion(job, job->rounds.out) : status;
}

/* Up to the end of the file, or of this rank's block. TZ_NONE: it is reached. */
static tz_status run_block(job *job, tz_error *error) {
    for (;;) {
        tz_error reading = {TZ_OK, ""};
        tz_status more = read_portion(job, &reading);
        tz_status status = analyse_portion(job, error);
        free_portion(job);
        if (status != TZ_OK)
            return status;
        if (more != TZ_OK) {
            *error = reading;
            return more;
        }
    }
}

/* Says so where the text is not what the shipped model is for. */
static tz_status warn(const job *job, tz_error *error) {
    const tz_analyse_settings *s = job->settings;
    const char *name = tz_lines_name(job->sentences.treebank.text.lines);
    uint64_t sum[] = {job->english.words, job->english.common, job->sentences_read, job->like_law,
                      job->no_prose};
    tz_status status = tz_ranks_add(sum, sizeof sum / sizeof *sum, error);
    const tz_english english = {sum[0], sum[1]};
    if (status != TZ_OK || !s->wary)
        return status;
    if (tz_english_lacks(&english))
        tz_message(s->command,
                   "%s: is this English? Of %zu words %zu are common ones; the English model knows "
                   "nothing else",
                   name, english.words, english.common);
    if (sum[3] > 0)
        tz_message(s->command,
                   "%s: %" PRIu64 " of %" PRIu64
                   " sentences are written like law, which this model of news compresses badly: "
                   "they were kept whole; --any-text compresses them",
                   name, sum[3], sum[2]);
    if (sum[4] > 0)
        tz_message(s->command,
                   "%s: %" PRIu64 " of %" PRIu64
                   " sentences look like mark-up, tables, code or chat: they were kept whole; "
                   "--any-text compresses them",
                   name, sum[4], sum[2]);
    return TZ_OK;
}

static int run_rounds(job *job) {
    const tz_analyse_settings *s = job->settings;
    tz_lines *const lines[] = {job->sentences.treebank.text.lines, NULL};
    tz_error error = {TZ_OK, ""};
    /* A drawing is one page. */
    bool paragraphs = job->sentences.conllu || job->sentences.width > 0;
    tz_status status = tz_rounds_begin(&job->rounds, lines, PORTION, paragraphs,
                                       job->writer.format == TZ_FORMAT_SVG);
    job->writer.written = tz_rank() > 0; /* before this rank's first sentence */
    tz_ranks_speak(s->keep_going);
    while (status == TZ_OK) {
        status = run_block(job, &error);
        status = tz_rounds_end(&job->rounds, lines, status, &error);
    }
    tz_ranks_speak(false);
    if (status == TZ_NONE && job->given && tz_given_scores_end(job->given, &error) != TZ_OK)
        status = TZ_IO;
    if (status != TZ_NONE)
        return tz_failed(s->command, status, &error);
    tz_write_end(&job->writer);
    status = write_portion(job, stdout);
    if (status == TZ_OK)
        status = warn(job, &error);
    return status == TZ_OK ? job->failed ? TZ_EXIT_INPUT : 0
                           : tz_failed(s->command, status, &error);
}

/* ---- Running --------------------------------------------------------------------------------- */

static int load(job *job) {
    tz_analyse_settings *s = job->settings;
    tz_error error = {TZ_OK, ""};
    tz_pack pack;
    tz_status status = tz_pack_load(s->model, &pack, &error);
    if (status == TZ_OK) {
        bool brackets = s->asked == TZ_ASKED_TREES && s->format == TZ_FORMAT_PTB;
        if (brackets && tz_pack_find(&pack, tz_pcfg_name))
            s->stages = bit(TZ_STAGE_TREE);
        unsigned all = s->stages | stages_before(s->stages);
        job->writer.levels = TZ_LEVELS_VERB;
        status = tz_analyser_new(&pack, all, (unsigned)s->threads, &job->analyser, &error);
    }
    const bool deletions = tz_pack_find(&pack, tz_deletions_name) != NULL;
    tz_pack_free(&pack);
    if (status == TZ_OK && !(tz_analyser_stages(job->analyser) & s->stages)) {
        tz_stage first = TZ_STAGE_TAG;
        while (!(s->stages >> first & 1))
            first++;
        tz_message(s->command, "%s: there is no %s in this model%s", s->model, tz_stage_name(first),
                   deletions && first == TZ_STAGE_COMPRESS
                       ? ", but a grammar of deletions: --with=deletions"
                       : "");
        return TZ_EXIT_INPUT;
    }
    if (status != TZ_OK)
        return tz_failed(job->settings->command, status, &error);
    if (tz_analyser_deleter(job->analyser))
        job->writer.levels =
            tz_tree_source_levels(tz_deleter_source(tz_analyser_deleter(job->analyser)));
    if (s->scores)
        status = tz_given_scores_open(s->scores, &job->given, &error);
    return status == TZ_OK ? tz_set_with(s->command, &s->with, s->model, job->analyser)
                           : tz_failed(s->command, status, &error);
}

static int run(job *job) {
    const tz_analyse_settings *s = job->settings;
    int exit = load(job);
    if (exit == 0)
        exit = tz_sentences_open(s->command, s->file, s->input, &s->limits, job->analyser,
                                 &job->sentences);
    if (exit == 0) {
        bool rows = job->sentences.conllu && s->asked != TZ_ASKED_COMPRESSIONS;
        job->writer.format = s->format >= 0 ? (tz_format)s->format
                             : rows         ? TZ_FORMAT_CONLLU
                                            : TZ_FORMAT_TEXT;
        if (job->sentences.guessed && tz_rank() == 0)
            tz_message(
                s->command,
                "%s: lines look wrapped and are joined, up to a blank one; --lines takes each "
                "by itself, --wrapped joins them without this note",
                tz_lines_name(job->sentences.treebank.text.lines));
        exit = run_rounds(job);
        tz_rounds_free(&job->rounds);
        tz_sentences_close(&job->sentences);
    }
    return exit;
}

int tz_analyse_run(const tz_analyse_settings *settings) {
    tz_analyse_settings named = *settings;
    char *found = NULL;
    if (!named.model) {
        int exit = tz_find_model(settings->command, &found);
        if (exit != 0)
            return exit;
        named.model = found;
        named.wary = !settings->any_text;
    }
    bool compress = settings->asked == TZ_ASKED_COMPRESSIONS;
    if (named.wary && compress)
        named.length = tz_length_wary(named.length);
    job *job = calloc(1, sizeof *job);
    int exit = TZ_EXIT_INPUT;
    if (job) {
        job->settings = &named;
        job->writer.asked = settings->asked;
        size_t terminal = tz_terminal_width(stdout);
        job->writer.style = (tz_style){.utf8 = tz_utf8_locale(),
                                       .captions = compress,
                                       .width = terminal > 0 ? terminal : PIPE_WIDTH,
                                       .wrap = terminal};
        exit = run(job);
        if (job->writer.style.utf8)
            freelocale(job->writer.style.utf8);
        tz_writer_free(&job->writer);
        tz_analyser_free(job->analyser);
        tz_given_scores_free(job->given);
    } else {
        tz_message(settings->command, "%s", tz_status_name(TZ_NO_MEMORY));
    }
    free(job);
    free(found);
    return exit;
}

/* ---- Subcommands ----------------------------------------------------------------------------- */

static int subcommand(const char *command, tz_asked asked, unsigned stages, int argc, char **argv) {
    tz_analyse_settings settings = {.command = command,
                                    .asked = asked,
                                    .stages = stages,
                                    .format = -1,
                                    .limits = {TZ_MOST_WORDS, TZ_MOST_BYTES, TZ_LINES_GUESS},
                                    .with = TZ_WITH_USUAL,
                                    .threads = 1};
    int exit;
    return tz_analyse_options(argc, argv, &settings, &exit) == 0 ? tz_analyse_run(&settings) : exit;
}

int tz_cli_tag(int argc, char **argv) {
    return subcommand("trapeze tag", TZ_ASKED_TAGS, bit(TZ_STAGE_TAG) | bit(TZ_STAGE_FINE), argc,
                      argv);
}

int tz_cli_parse(int argc, char **argv) {
    return subcommand("trapeze parse", TZ_ASKED_TREES, bit(TZ_STAGE_PARSE) | bit(TZ_STAGE_LABEL),
                      argc, argv);
}

int tz_cli_compress(int argc, char **argv) {
    return subcommand("trapeze compress", TZ_ASKED_COMPRESSIONS, bit(TZ_STAGE_COMPRESS), argc,
                      argv);
}
