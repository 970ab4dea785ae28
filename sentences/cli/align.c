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

enum {
    MODEL,
    BASELINE,
    DECODE,
    KBEST,
    LINKS,
    DOCUMENT,
    ABSTRACT,
    TEXT,
    FORMAT,
    MAX_WORDS,
    KEEP_GOING,
    OPTIONS
};

static const tz_option option_table[OPTIONS] = {
    [MODEL] = {"model", 'm', "MODEL", "align by what `trapeze train aligner` has learned"},
    [BASELINE] = {"baseline", 'b', "NAME",
                  "identity: all equal words; lcs: a longest common\n"
                  "subsequence of words; blocks:N: common stretches of at\n"
                  "least N words, longest first, each word used once"},
    [DECODE] = {"decode", 0, "NAME",
                "with a model: best, the best alignment (default); or\n"
                "posterior, the links of a probability above 0.5"},
    [KBEST] = {"kbest", 0, "K", "with a model, as json: the K best alignments, a line each"},
    [LINKS] = {"links", 0, "NAME",
               "of two phrases of the same words: soft, word by word\n"
               "(default); or all, as of other phrases"},
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
    tz_decode_settings decode;
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
    const tz_passage *text;    /* the document, the abstract */
    const tz_decoded *answer;
    size_t rank; /* of the answer, from 1 */
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

static void put_range(job *j, const char *key, const uint32_t range[2]) {
    char text[64];
    snprintf(text, sizeof text, "\"%s\":[%u,%u]", key, (unsigned)range[0], (unsigned)range[1]);
    tz_text_put(&j->out, text);
}

static void put_phrase(job *j, const tz_decoded_phrase *phrase) {
    tz_text_put(&j->out, "{");
    put_range(j, "abstract", phrase->pair.abstract);
    tz_text_put(&j->out, ",");
    put_range(j, "document", phrase->pair.document);
    if (j->decoder) {
        put_key(j, ",\"p\":", phrase->posterior);
        tz_text_put(&j->out, ",\"shares\":{");
        for (size_t k = 0; k < TZ_PARTS; k++) {
            tz_text_put(&j->out, k > 0 ? ",\"" : "\"");
            tz_text_put(&j->out, tz_part_name(k));
            put_key(j, "\":", phrase->share[k]);
        }
        tz_text_put(&j->out, "}");
    }
    tz_text_put(&j->out, "}");
}

/* The abstract's words that come from nowhere. */
static void put_null(job *j) {
    const tz_decoded *answer = j->answer;
    uint8_t *aligned = tz_arena_array(j->arena, j->text[1].words, 1);
    const char *comma = "";
    j->out.failed |= !aligned;
    for (size_t f = 0; f < answer->phrases && aligned; f++) {
        const uint32_t *range = answer->phrase[f].pair.abstract;
        memset(aligned + range[0], 1, range[1] - range[0]);
    }
    for (size_t t = 0; t < j->text[1].words && aligned; t++) {
        char number[32];
        snprintf(number, sizeof number, "%s%zu", comma, t);
        if (!aligned[t]) {
            tz_text_put(&j->out, number);
            comma = ",";
        }
    }
}

static void put_json(job *j) {
    const tz_decoded *answer = j->answer;
    put_id(j);
    if (j->settings->decode.most > 1) {
        char rank[32];
        snprintf(rank, sizeof rank, "\"rank\":%zu,", j->rank);
        tz_text_put(&j->out, rank);
    }
    if (j->decoder) {
        if (!j->settings->decode.posterior) {
            put_key(j, "\"score\":", answer->score);
            tz_text_put(&j->out, ",");
        }
        put_key(j, "\"log_likelihood\":", answer->log_likelihood);
        tz_text_put(&j->out, ",");
    }
    tz_text_put(&j->out, "\"phrases\":[");
    for (size_t f = 0; f < answer->phrases; f++) {
        tz_text_put(&j->out, f > 0 ? "," : "");
        put_phrase(j, &answer->phrase[f]);
    }
    tz_text_put(&j->out, "],\"null\":[");
    put_null(j);
    tz_text_put(&j->out, "],\"links\":\"");
    tz_links_print(&answer->links, &j->out);
    tz_text_put(&j->out, "\"}\n");
}

/* Each link of a baseline is a phrase pair of single words. */
static tz_status by_baseline(job *j, tz_decoded *ret) {
    *ret = (tz_decoded){0};
    tz_status status =
        tz_baseline_align(&j->settings->baseline, j->arena, j->text[0].form, j->text[0].words,
                          j->text[1].form, j->text[1].words, &ret->links);
    if (status == TZ_OK)
        ret->phrase = tz_arena_array(j->arena, ret->links.count, sizeof *ret->phrase);
    if (status != TZ_OK || !ret->phrase)
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    for (ret->phrases = 0; ret->phrases < ret->links.count; ret->phrases++) {
        tz_link link = ret->links.link[ret->phrases];
        ret->phrase[ret->phrases].pair =
            (tz_phrase_pair){.document = {link.document, link.document + 1},
                             .abstract = {link.abstract, link.abstract + 1}};
    }
    return TZ_OK;
}

static void put_answer(job *j) {
    if (j->settings->json) {
        put_json(j);
    } else {
        tz_links_print(&j->answer->links, &j->out);
        tz_text_put(&j->out, "\n");
    }
}

static tz_status answer(job *j, tz_error *error) {
    const settings *s = j->settings;
    tz_passage text[2];
    size_t count = 1;
    tz_decoded *answer = tz_arena_array(j->arena, s->decode.most, sizeof *answer);
    if (!answer)
        return TZ_NO_MEMORY;
    j->text = text;
    tz_status status = tz_passage_of(j->arena, j->forms, &j->texts.pair.document, &text[0]);
    if (status == TZ_OK)
        status = tz_passage_of(j->arena, j->forms, &j->texts.pair.abstract, &text[1]);
    if (status == TZ_OK)
        status = j->decoder ? tz_decode_phrases(j->decoder, j->arena, &text[0], &text[1],
                                                &s->decode, answer, &count, error)
                            : by_baseline(j, answer);
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        j->answer = &answer[i];
        j->rank = i + 1;
        put_answer(j);
    }
    return status;
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
    long kbest;
    int status;
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
    case DECODE:
        s->decode.posterior = strcmp(o->value, "posterior") == 0;
        return s->decode.posterior || strcmp(o->value, "best") == 0
                   ? 0
                   : tz_usage_error(command, "--decode is best or posterior, not '%s'", o->value);
    case KBEST:
        status = tz_option_number(o, which, 1, 10000, &kbest);
        s->decode.most = status == 0 ? (size_t)kbest : 1;
        return status;
    case LINKS:
        s->decode.all_links = strcmp(o->value, "all") == 0;
        return s->decode.all_links || strcmp(o->value, "soft") == 0
                   ? 0
                   : tz_usage_error(command, "--links is soft or all, not '%s'", o->value);
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
    if (s->name && (s->decode.posterior || s->decode.most > 1 || s->decode.all_links))
        return tz_usage_error(command, "--decode, --kbest and --links go with -m MODEL");
    if (s->decode.most > 1 && (s->decode.posterior || !s->json))
        return tz_usage_error(command, "--kbest goes with --decode best and --format json");
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
        status = tz_align_decoder_new(&j->aligner, &j->decoder);
    j->forms = tz_forms_new(j->aligner.exact);
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
    "this alignment (\"score\") and of all together, and of each phrase pair its probability\n"
    "(\"p\") and what it is made by: equal words, equal stems, or the table of what was\n"
    "learned. Words are compared in lower case, unless the model says otherwise, those of\n"
    "blocks by their English stems.\n"
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
    settings s = {.words = 20000, .decode = {.most = 1}};
    if (!tz_take_options(&o, take, &s))
        return o.status;
    int exit = check(&s);
    if (exit != 0)
        return exit;
    s.decode.posteriors = s.json;
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
