/* eval_text.c - `trapeze eval text`: are compressions printed as their references are?
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "base/grow.h"
#include "cli/text_file.h"
#include "sentences/cli/eval/eval.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/eval/printed.h"
#include "sentences/eval/record.h"
#include "sentences/learn/analyse.h"

static const char command[] = "trapeze eval text";

enum { LINE_LIMIT = 1 << 24, PORTION = 64 };

typedef struct settings {
    tz_eval_settings eval;
    const char *file, *model;
} settings;

/* Records on their way, and the ratios of those that are done. */
typedef struct job {
    tz_analyser *analyser;
    tz_arena *arena; /* of the portion */
    tz_analysed analysed[PORTION];
    tz_analysed *list[PORTION];
    const tz_token *token[PORTION];
    const char *text[PORTION], *reference[PORTION];
    const uint8_t *keep[PORTION];
    size_t count;
    tz_ratio *ratio; /* [measured][TZ_PRINTED_FIGURES] */
    size_t measured, passed, capacity;
} job;

/* ---- Records --------------------------------------------------------------------------------- */

static const char *string_of(job *j, const json_t *record, const char *key) {
    const json_t *value = json_object_get(record, key);
    return json_is_string(value)
               ? tz_arena_text(j->arena, json_string_value(value), json_string_length(value))
               : NULL;
}

/* Takes a record into the portion; one whose words do not stand in its text is passed over. */
static tz_status take_record(job *j, const json_t *record, tz_error *error) {
    const char *const *word;
    size_t words, references;
    tz_compression *reference;
    const char *text = string_of(j, record, "text"), *right = string_of(j, record, "compression");
    if (!text || !right || !json_object_get(record, "keep"))
        return tz_fail(error, TZ_BAD_ARGUMENT,
                       "a record takes \"text\", \"keep\" and \"compression\"");
    tz_status status = tz_record_words(j->arena, record, &word, &words, error);
    if (status == TZ_OK && !word)
        return tz_fail(error, TZ_BAD_ARGUMENT, "there are no \"tokens\"");
    if (status == TZ_OK)
        status =
            tz_record_compressions(j->arena, record, word, words, &reference, &references, error);
    if (status != TZ_OK)
        return status;
    tz_token *token = tz_arena_array(j->arena, words, sizeof *token);
    if (!token)
        return TZ_NO_MEMORY;
    if (!tz_printed_place(text, word, words, token)) {
        j->passed++;
        return TZ_OK;
    }
    tz_analysed *a = &j->analysed[j->count];
    status = tz_analysed_tokens(j->arena, text, token, words, a);
    a->todo = tz_analyser_stages(j->analyser);
    j->list[j->count] = a;
    j->token[j->count] = token;
    j->text[j->count] = text;
    j->reference[j->count] = right;
    j->keep[j->count++] = reference->keep;
    return status;
}

static tz_status print_record(job *j, size_t i, tz_text *text) {
    const tz_sentence *s = &j->analysed[i].sentence;
    size_t words = (size_t)s->words;
    const tz_kept_tree tree = {s->head, j->analysed[i].name[TZ_DEPREL]};
    bool *shown = tz_arena_array(j->arena, words, sizeof *shown);
    tz_text_clear(text);
    if (!shown)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < words; w++)
        shown[w] = j->keep[i][w];
    tz_detokenise(j->text[i], j->token[i], words, &tree, shown, text);
    tz_text_add(text, "", 1);
    return text->failed ? TZ_NO_MEMORY : TZ_OK;
}

/* Measures the portion, which is empty then. */
static tz_status measure(job *j, tz_error *error) {
    tz_text text = {0};
    size_t size = TZ_PRINTED_FIGURES * sizeof *j->ratio;
    bool grown = tz_grow_any(&j->ratio, &j->capacity, j->measured + j->count, size, false);
    tz_status status = grown ? tz_analyse(j->analyser, j->list, j->count, error) : TZ_NO_MEMORY;
    for (size_t i = 0; i < j->count && status == TZ_OK; i++) {
        status = print_record(j, i, &text);
        bool same =
            status == TZ_OK && tz_printed_measure(text.data, j->reference[i],
                                                  j->ratio + j->measured * TZ_PRINTED_FIGURES);
        j->measured += same;
        j->passed += !same;
    }
    tz_text_free(&text);
    tz_arena_free(j->arena);
    j->arena = tz_arena_new();
    j->count = 0;
    return status == TZ_OK && !j->arena ? TZ_NO_MEMORY : status;
}

static tz_status read_records(job *j, tz_lines *lines, tz_error *error) {
    char *line;
    size_t size;
    tz_status status = TZ_OK;
    j->arena = tz_arena_new();
    if (!j->arena)
        return TZ_NO_MEMORY;
    while (status == TZ_OK && (status = tz_lines_next(lines, &line, &size, error)) == TZ_OK) {
        const json_t *record;
        tz_error wrong = {TZ_OK, ""};
        if (line[strspn(line, " \t\r")] == '\0')
            continue;
        status = tz_record_parse(j->arena, line, size, &record, &wrong);
        if (status == TZ_OK)
            status = take_record(j, record, &wrong);
        if (status != TZ_OK && *wrong.message)
            status = tz_fail(error, status == TZ_BAD_ARGUMENT ? TZ_IO : status, "%s:%zu: %s",
                             tz_lines_name(lines), tz_lines_number(lines), wrong.message);
        if (status == TZ_OK && j->count == PORTION)
            status = measure(j, error);
    }
    return status == TZ_NONE ? measure(j, error) : status;
}

/* ---- The report ------------------------------------------------------------------------------ */

static int evaluate(const settings *s) {
    const unsigned trees =
        1u << TZ_STAGE_TAG | 1u << TZ_STAGE_FINE | 1u << TZ_STAGE_PARSE | 1u << TZ_STAGE_LABEL;
    job j = {.count = 0};
    char *found = NULL;
    tz_text_file in = {0};
    tz_error error = {TZ_OK, ""};
    int exit = s->model ? 0 : tz_find_model(command, &found);
    exit = exit == 0 ? tz_load_models(command, s->model ? s->model : found, trees, 0,
                                      s->eval.resampling.threads, &j.analyser)
                     : exit;
    exit = exit == 0 ? tz_text_file_open(command, s->file, LINE_LIMIT, &in) : exit;
    tz_status status = exit == 0 ? read_records(&j, in.lines, &error) : TZ_OK;
    exit = status == TZ_OK ? exit : tz_failed(command, status, &error);
    if (exit == 0) {
        const tz_remark remark[] = {
            {"measured", "compressions measured", (double)j.measured, false},
            {"passed_over", "passed over", (double)j.passed, false}};
        const tz_report report = {.figure = tz_printed_figure,
                                  .systems = 1,
                                  .name = {s->file},
                                  .system = {{j.measured, TZ_PRINTED_FIGURES, j.ratio, NULL}},
                                  .remarks = 2,
                                  .remark = remark,
                                  .resampling = s->eval.resampling};
        exit = tz_eval_report(command, &report, &s->eval);
    }
    tz_text_file_close(&in);
    tz_arena_free(j.arena);
    tz_analyser_free(j.analyser);
    free(j.ratio);
    free(found);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

int tz_cli_eval_text(int argc, char **argv) {
    static const tz_option option[] = {
        {"model", 'm', "MODEL", "the model that parses (the English one)",
         TZ_TEXT_AT(settings, model)},
    };
    tz_options o = {
        .command = command,
        .synopsis = "[OPTION]... GOLD",
        .about =
            "How often the words that a reference keeps, printed as 'trapeze compress' prints\n"
            "words, have punctuation and case of the reference's own text. GOLD is JSON Lines,\n"
            "each with \"text\", its \"tokens\", \"keep\", and the \"compression\" as text.\n",
        .notes = "Blanks do not count. Passed over is what cannot be compared: tokens that do not\n"
                 "spell the text, or compressions of other words than those kept.\n\n"
                 "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .more = {TZ_GROUP_AT(tz_eval_option, settings, eval)},
        .most = 1,
        .wanted = "one GOLD",
        TZ_COMMAND_ROWS(option, argc, argv)};
    settings s = {.eval = tz_eval_default};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = o.operands > 0 ? *o.operand : NULL;
    return s.file ? evaluate(&s) : tz_usage_error(command, "GOLD is missing");
}
