/* align.c - `trapeze align`: which words of an abstract come from which of its document.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "cli/cli.h"
#include "sentences/align/baseline.h"
#include "sentences/align/decode.h"
#include "sentences/cli/texts.h"

static const char command[] = "trapeze align";

enum { MODEL, BASELINE, DOCUMENT, ABSTRACT, TEXT, FORMAT, MAX_WORDS, KEEP_GOING, OPTIONS };

static const tz_option option_table[OPTIONS] = {
    [MODEL] = {"model", 'm', "MODEL", "align by what `trapeze train aligner` has learned"},
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
    const char *name, *model; /* the baseline's; one of the two is NULL */
    const char *file, *document, *abstract;
    long words;
    bool text, json, keep_going;
} settings;

/* What is open, and the pair at hand. */
typedef struct job {
    const settings *settings;
    tz_texts texts;
    tz_forms *forms;
    tz_aligner aligner;
    tz_align_decoder *decoder; /* NULL: a baseline */
    tz_arena *arena;           /* of the pair */
    tz_decoded answer;
    tz_text out;
} job;

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_id(job *j) {
    tz_text_put(&j->out, "{");
    if (j->texts.id && !json_is_null(j->texts.id)) {
        tz_text_put(&j->out, "\"id\":");
        if (tz_json_print(j->arena, j->texts.id, &j->out) != TZ_OK)
            j->out.failed = true;
        tz_text_put(&j->out, ",");
    }
}

static void put_key(job *j, const char *key, double number) {
    tz_text_put(&j->out, key);
    tz_text_number(&j->out, number);
}

/* Each link is a phrase pair of single words. */
static void put_phrase(job *j, size_t l) {
    char range[96];
    unsigned d = j->answer.links.link[l].document, a = j->answer.links.link[l].abstract;
    snprintf(range, sizeof range, "%s{\"abstract\":[%u,%u],\"document\":[%u,%u]", l > 0 ? "," : "",
             a, a + 1, d, d + 1);
    tz_text_put(&j->out, range);
    if (j->decoder) {
        const tz_decoded_link *link = &j->answer.opt_link[l];
        put_key(j, ",\"p\":", link->posterior);
        put_key(j, ",\"shares\":{\"id\":", link->share[TZ_PART_SAME]);
        put_key(j, ",\"stem\":", link->share[TZ_PART_STEM]);
        put_key(j, ",\"t\":", link->share[TZ_PART_TABLE]);
        tz_text_put(&j->out, "}");
    }
    tz_text_put(&j->out, "}");
}

static void put_json(job *j, const uint8_t *aligned) {
    char number[32];
    const char *comma = "";
    put_id(j);
    if (j->decoder) {
        put_key(j, "\"score\":", j->answer.score);
        put_key(j, ",\"log_likelihood\":", j->answer.log_likelihood);
        tz_text_put(&j->out, ",");
    }
    tz_text_put(&j->out, "\"phrases\":[");
    for (size_t l = 0; l < j->answer.links.count; l++)
        put_phrase(j, l);
    tz_text_put(&j->out, "],\"null\":[");
    for (size_t t = 0; t < j->texts.pair.abstract.words; t++) {
        if (!aligned[t]) {
            snprintf(number, sizeof number, "%s%zu", comma, t);
            tz_text_put(&j->out, number);
            comma = ",";
        }
    }
    tz_text_put(&j->out, "],\"links\":\"");
    tz_links_print(&j->answer.links, &j->out);
    tz_text_put(&j->out, "\"}\n");
}

static tz_status answer(job *j, tz_error *error) {
    const tz_side *document = &j->texts.pair.document, *abstract = &j->texts.pair.abstract;
    tz_form *form[2] = {tz_arena_array(j->arena, document->words, sizeof **form),
                        tz_arena_array(j->arena, abstract->words, sizeof **form)};
    uint8_t *aligned = tz_arena_array(j->arena, abstract->words, 1);
    if (!form[0] || !form[1] || !aligned)
        return TZ_NO_MEMORY;
    tz_status status = tz_forms_of(j->forms, document->word, document->words, form[0]);
    if (status == TZ_OK)
        status = tz_forms_of(j->forms, abstract->word, abstract->words, form[1]);
    if (status == TZ_OK && j->decoder)
        status = tz_decode_words(j->decoder, &j->aligner, j->arena, form[0], document->words,
                                 form[1], abstract->words, j->settings->json, &j->answer, error);
    else if (status == TZ_OK)
        status = tz_baseline_align(&j->settings->baseline, j->arena, form[0], document->words,
                                   form[1], abstract->words, &j->answer.links);
    if (status != TZ_OK)
        return status;
    for (size_t l = 0; l < j->answer.links.count; l++)
        aligned[j->answer.links.link[l].abstract] = 1;
    if (j->settings->json) {
        put_json(j, aligned);
    } else {
        tz_links_print(&j->answer.links, &j->out);
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
        tz_status status = j->arena ? tz_texts_next(&j->texts, j->arena, &error) : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = answer(j, &error);
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
    case MODEL:
        s->model = o->value;
        return 0;
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
    if (!s->name == !s->model)
        return tz_usage_error(command,
                              "say how: -m MODEL, or --baseline=identity, lcs or blocks:N");
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
    tz_status status = s->model ? tz_aligner_load(s->model, &j->aligner, &error) : TZ_OK;
    if (status == TZ_OK && s->model)
        status = tz_align_decoder_new(&j->decoder);
    j->forms = tz_forms_new();
    if (status == TZ_OK && !j->forms)
        status = tz_fail(&error, TZ_NO_MEMORY, "out of memory");
    return status == TZ_OK ? tz_texts_open(command, s->document ? s->document : s->file,
                                           s->abstract, s->text, s->words, &j->texts)
                           : tz_failed(command, status, &error);
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
    "that come from nowhere (\"null\"), and the links; by a model also the log probability of\n"
    "this alignment (\"score\") and of all together, and of each link its probability (\"p\")\n"
    "and what it is made from: equal words, equal stems, or the table of what was learned. Words "
    "are compared in lower case,\n"
    "those of blocks by their English stems. Time and memory grow with the product of both\n"
    "numbers of words.\n"
    "\n"
    "Exit code: 0; 1 if a pair was wrong, also with --keep-going; 2 for bad usage.\n";

int tz_cli_align(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "-m MODEL|--baseline NAME [OPTION]... [FILE|-]",
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
    tz_texts_close(&j.texts);
    tz_align_decoder_free(j.decoder);
    tz_aligner_free(&j.aligner);
    tz_forms_free(j.forms);
    tz_text_free(&j.out);
    return exit;
}
