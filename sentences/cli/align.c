/* align.c - `trapeze align`: which words of an abstract come from which of its document.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text_file.h"
#include "sentences/align/baseline.h"
#include "sentences/align/pair.h"
#include "sentences/align/records.h"

static const char command[] = "trapeze align";

enum { BASELINE, DOCUMENT, ABSTRACT, TEXT, FORMAT, MAX_WORDS, KEEP_GOING, OPTIONS };
enum { LINE_LIMIT = 1 << 24 };

static const tz_option option_table[OPTIONS] = {
    [BASELINE] = {"baseline", 'b', "NAME",
                  "identity: all equal words; lcs: a longest common\n"
                  "subsequence of words; blocks:N: common stretches of at\n"
                  "least N words, longest first, each word used once"},
    [DOCUMENT] = {"document", 0, "FILE", "the documents, one a line"},
    [ABSTRACT] = {"abstract", 0, "FILE",
                  "and their abstracts, likewise, instead of the FILE of both"},
    [TEXT] = {"text", 0, NULL, "cut text into words; else there are blanks between them"},
    [FORMAT] = {"format", 'f', "NAME", "pharaoh (links i-j) or json (pharaoh)"},
    [MAX_WORDS] = {"max-words", 0, "N", "refuse texts of more words (20000)"},
    [KEEP_GOING] = {"keep-going", 0, NULL,
                    "answer a pair that is wrong with an empty line, or\n"
                    "{\"id\":..,\"error\":..}, and go on"},
};

typedef struct settings {
    tz_baseline baseline;
    const char *name; /* of the baseline, or NULL */
    const char *file, *document, *abstract;
    long words;
    bool text, json, keep_going;
} settings;

/* What is open, and the pair at hand. */
typedef struct job {
    const settings *settings;
    tz_text_file input[2]; /* the file of both; or documents, abstracts */
    tz_records records;
    tz_tokeniser *tokeniser; /* NULL: words have blanks between them */
    tz_forms *forms;
    tz_arena *arena;  /* of the pair */
    const json_t *id; /* or NULL */
    tz_pair pair;
    tz_text out;
} job;

/* ---- Reading --------------------------------------------------------------------------------- */

static tz_status too_long(const job *j, const tz_side *side, const char *name, tz_error *error) {
    if (side->words <= (size_t)j->settings->words)
        return TZ_OK;
    *error = (tz_error){.status = TZ_BAD_ARGUMENT};
    snprintf(error->message, sizeof error->message,
             "%s: %zu words, where %ld is the limit; --max-words=N raises it", name, side->words,
             j->settings->words);
    return TZ_BAD_ARGUMENT;
}

static tz_status missing(const char *name, tz_error *error) {
    *error = (tz_error){.status = TZ_BAD_ARGUMENT};
    snprintf(error->message, sizeof error->message,
             "there is no \"%s\": a string, or a list of sentences", name);
    return TZ_BAD_ARGUMENT;
}

static tz_status read_object(job *j, const json_t *object, tz_error *error) {
    j->id = json_object_get(object, "id");
    tz_status status = tz_pair_read(j->arena, j->tokeniser, object, &j->pair, error);
    if (status == TZ_OK && !j->pair.document.word)
        status = missing("document", error);
    if (status == TZ_OK && !j->pair.abstract.word)
        status = missing("abstract", error);
    return status;
}

static tz_status next_record(job *j, tz_error *error) {
    const json_t *object;
    const char *line;
    tz_status status = tz_records_next(&j->records, j->arena, &object, &line, error);
    if (status == TZ_OK && !object) {
        if (line[strspn(line, " \t\r")] == '\0' && j->records.kind == TZ_RECORDS_LINES &&
            j->records.line == 0)
            return TZ_NONE;
        return tz_bad_input(error, tz_lines_name(j->records.lines), j->records.line,
                            "expected {\"document\": .., \"abstract\": ..}; texts, one a line, "
                            "are for --document and --abstract");
    }
    if (status == TZ_OK)
        status = tz_records_locate(&j->records, read_object(j, object, error), error);
    return status;
}

/* A line of each file. */
static tz_status next_lines(job *j, tz_error *error) {
    tz_side *side[] = {&j->pair.document, &j->pair.abstract};
    tz_status first = TZ_OK;
    for (size_t s = 0; s < 2; s++) {
        char *line;
        size_t size;
        tz_lines *lines = j->input[s].lines;
        tz_status status = tz_lines_next(lines, &line, &size, error);
        if (status == TZ_OK)
            status = tz_side_of_text(j->arena, j->tokeniser, line, side[s]);
        if (s == 1 && (first == TZ_NONE) != (status == TZ_NONE) && status != TZ_NO_MEMORY &&
            first != TZ_IO && status != TZ_IO) {
            tz_lines *shorter = j->input[first == TZ_NONE ? 0 : 1].lines;
            tz_lines *longer = j->input[first == TZ_NONE ? 1 : 0].lines;
            tz_bad_input(error, tz_lines_name(shorter), tz_lines_number(shorter),
                         "the file ends here, where %s goes on; they need as many lines",
                         tz_lines_name(longer));
            return TZ_TOO_LARGE;
        }
        if (s == 1)
            return first != TZ_OK ? first : status;
        first = status;
        if (first == TZ_NO_MEMORY)
            return first;
    }
    return TZ_OK;
}

static tz_status next(job *j, tz_error *error) {
    j->id = NULL;
    j->pair = (tz_pair){0};
    tz_status status = j->input[1].lines ? next_lines(j, error) : next_record(j, error);
    if (status != TZ_OK)
        return status;
    status = too_long(j, &j->pair.document, "document", error);
    if (status == TZ_OK)
        status = too_long(j, &j->pair.abstract, "abstract", error);
    if (status != TZ_BAD_ARGUMENT)
        return status;
    tz_error here = *error;
    tz_lines *lines = j->input[0].lines;
    size_t line = j->input[1].lines ? tz_lines_number(lines) : j->records.line;
    return tz_bad_input(error, tz_lines_name(lines), line, "%s", here.message);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_id(job *j) {
    tz_text_put(&j->out, "{");
    if (j->id && !json_is_null(j->id)) {
        tz_text_put(&j->out, "\"id\":");
        if (tz_json_print(j->arena, j->id, &j->out) != TZ_OK)
            j->out.failed = true;
        tz_text_put(&j->out, ",");
    }
}

/* Each link is a phrase pair of single words. */
static void put_json(job *j, const tz_links *links, const uint8_t *aligned) {
    char number[96];
    const char *comma = "";
    put_id(j);
    tz_text_put(&j->out, "\"phrases\":[");
    for (size_t l = 0; l < links->count; l++) {
        unsigned d = links->link[l].document, a = links->link[l].abstract;
        snprintf(number, sizeof number, "%s{\"abstract\":[%u,%u],\"document\":[%u,%u]}",
                 l > 0 ? "," : "", a, a + 1, d, d + 1);
        tz_text_put(&j->out, number);
    }
    tz_text_put(&j->out, "],\"null\":[");
    for (size_t t = 0; t < j->pair.abstract.words; t++) {
        if (!aligned[t]) {
            snprintf(number, sizeof number, "%s%zu", comma, t);
            tz_text_put(&j->out, number);
            comma = ",";
        }
    }
    tz_text_put(&j->out, "],\"links\":\"");
    tz_links_print(links, &j->out);
    tz_text_put(&j->out, "\"}\n");
}

static tz_status answer(job *j) {
    const tz_side *document = &j->pair.document, *abstract = &j->pair.abstract;
    tz_form *form[2] = {tz_arena_array(j->arena, document->words, sizeof **form),
                        tz_arena_array(j->arena, abstract->words, sizeof **form)};
    uint8_t *aligned = tz_arena_array(j->arena, abstract->words, 1);
    tz_links links;
    if (!form[0] || !form[1] || !aligned)
        return TZ_NO_MEMORY;
    tz_status status = tz_forms_of(j->forms, document->word, document->words, form[0]);
    if (status == TZ_OK)
        status = tz_forms_of(j->forms, abstract->word, abstract->words, form[1]);
    if (status == TZ_OK)
        status = tz_baseline_align(&j->settings->baseline, j->arena, form[0], document->words,
                                   form[1], abstract->words, &links);
    if (status != TZ_OK)
        return status;
    for (size_t l = 0; l < links.count; l++)
        aligned[links.link[l].abstract] = 1;
    if (j->settings->json) {
        put_json(j, &links, aligned);
    } else {
        tz_links_print(&links, &j->out);
        tz_text_put(&j->out, "\n");
    }
    return TZ_OK;
}

static void put_failure(job *j, const tz_error *error) {
    if (j->settings->json) {
        put_id(j);
        tz_text_put(&j->out, "\"error\":");
        tz_text_quote(&j->out, error->message, strlen(error->message));
        tz_text_put(&j->out, "}");
    }
    tz_text_put(&j->out, "\n");
}

/* One pair after the other. */
static int run(job *j) {
    tz_error error = {TZ_OK, ""};
    int exit = 0;
    for (;;) {
        j->arena = tz_arena_new();
        tz_text_clear(&j->out);
        tz_status status = j->arena ? next(j, &error) : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = answer(j);
        bool wrong = status == TZ_IO;
        if (wrong) {
            exit = tz_failed(command, status, &error);
            if (j->settings->keep_going)
                put_failure(j, &error);
        }
        tz_arena_free(j->arena);
        if (status == TZ_OK || wrong) {
            status = j->out.failed ? TZ_NO_MEMORY : status;
            fwrite(j->out.data, 1, j->out.size, stdout); /* the dispatcher sees if it failed */
        }
        if (status == TZ_NONE || (wrong && !j->settings->keep_going))
            return exit;
        if (status != TZ_OK && !wrong)
            return tz_failed(command, status, status == TZ_NO_MEMORY ? NULL : &error);
    }
}

/* ---- Command line ---------------------------------------------------------------------------- */

static int take(tz_options *o, int which, void *user) {
    settings *s = user;
    switch (which) {
    case TZ_OPERAND:
        return tz_only_operand(o, "one FILE at most", &s->file);
    case BASELINE:
        s->name = o->value;
        return tz_baseline_parse(o->value, &s->baseline)
                   ? 0
                   : tz_usage_error(command,
                                    "--baseline is identity, lcs or blocks:N, a number of words "
                                    "from 1 on, not '%s'",
                                    o->value);
    case DOCUMENT:
        s->document = o->value;
        return 0;
    case ABSTRACT:
        s->abstract = o->value;
        return 0;
    case TEXT:
        s->text = true;
        return 0;
    case FORMAT:
        s->json = strcmp(o->value, "json") == 0;
        return s->json || strcmp(o->value, "pharaoh") == 0
                   ? 0
                   : tz_usage_error(command, "--format is pharaoh or json, not '%s'", o->value);
    case MAX_WORDS:
        return tz_option_number(o, which, 1, TZ_MOST_PAIR_WORDS, &s->words);
    case KEEP_GOING:
        s->keep_going = true;
        return 0;
    }
    return 0;
}

static int check(const settings *s) {
    if (!s->name)
        return tz_usage_error(command, "say how: --baseline=identity, lcs or blocks:N");
    if (!s->document != !s->abstract)
        return tz_usage_error(command, "--document and --abstract go together");
    if (s->document && s->file)
        return tz_usage_error(command, "'%s' is one too many: --document and --abstract say all",
                              s->file);
    if (s->document && strcmp(s->document, "-") == 0 && strcmp(s->abstract, "-") == 0)
        return tz_usage_error(command, "only one file can be standard input");
    return 0;
}

static int open_all(job *j) {
    const settings *s = j->settings;
    tz_error error = {TZ_OK, ""};
    int exit =
        tz_text_file_open(command, s->document ? s->document : s->file, LINE_LIMIT, &j->input[0]);
    if (exit == 0 && s->abstract)
        exit = tz_text_file_open(command, s->abstract, LINE_LIMIT, &j->input[1]);
    if (exit != 0)
        return exit;
    j->records.lines = j->input[0].lines;
    j->forms = tz_forms_new();
    tz_status status = j->forms ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && s->text)
        status = tz_tokeniser_new(&j->tokeniser, &error);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

static const char about[] =
    "Find which words of an abstract come from which words of its document. FILE is JSON\n"
    "Lines, or a JSON array of such objects:\n"
    "  {\"id\": 1, \"document\": [\"The dog barks .\", \"It is late .\"], \"abstract\": \"A dog "
    "barks .\"}\n"
    "Texts are strings or lists of sentences, with blanks between the words; lists of words\n"
    "are taken too. \"source\" and \"target\" are the same as \"document\" and \"abstract\".\n";

static const char notes[] =
    "pharaoh: a line for each pair, with a link i-j for each word i of the document and word\n"
    "j of the abstract that belong together, both counted from 0. json: a line with the\n"
    "pairs of phrases (the first word and the one behind the last), the abstract's words\n"
    "that come from nowhere (\"null\"), and the links. Words are compared in lower case,\n"
    "those of blocks by their English stems. Time and memory grow with the product of both\n"
    "numbers of words.\n"
    "\n"
    "Exit code: 0; 1 if a pair was wrong, also with --keep-going; 2 for bad usage.\n";

int tz_cli_align(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "--baseline NAME [OPTION]... [FILE|-]",
                    .about = about,
                    .notes = notes,
                    .option = option_table,
                    .options = OPTIONS,
                    .argc = argc,
                    .argv = argv,
                    .next = 1};
    settings s = {.words = 20000};
    if (!tz_take_options(&o, take, &s))
        return o.status;
    int exit = check(&s);
    if (exit != 0)
        return exit;
    job j = {.settings = &s};
    exit = open_all(&j);
    exit = exit == 0 ? run(&j) : exit;
    tz_records_free(&j.records);
    tz_text_file_close(&j.input[0]);
    tz_text_file_close(&j.input[1]);
    tz_tokeniser_free(j.tokeniser);
    tz_forms_free(j.forms);
    tz_text_free(&j.out);
    return exit;
}
