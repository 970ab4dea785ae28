/* align.c - `trapeze align`: which words of an abstract come from which of its document.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/width.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "ranks/rounds.h"
#include "sentences/align/decode/baseline.h"
#include "sentences/align/decode/decode.h"
#include "sentences/align/decode/extract.h"
#include "sentences/cli/align/align_write.h"
#include "sentences/cli/input/document_trees.h"
#include "sentences/cli/input/texts.h"

static const char command[] = "trapeze align";

typedef struct settings {
    tz_baseline baseline;
    const char *name, *model; /* the baseline's; one of the two is NULL */
    const char *file, *document, *abstract;
    const char *trees, *parser, *wordnet; /* NULL: not given */
    long words, extract;                  /* sentences, or 0 */
    tz_decode_settings decode;
    tz_align_format format;
    bool text, keep_going;
} settings;

/* What is open, and the pair at hand. */
typedef struct job {
    const settings *settings;
    tz_texts texts;
    tz_forms *forms;
    tz_aligner aligner;
    tz_align_decoder *decoder; /* NULL: a baseline */
    tz_document_trees trees;   /* where the model asks for them */
    tz_wordnet *wordnet;
    tz_arena *arena; /* of the pair */
    tz_align_writer writer;
    tz_rounds rounds;
} job;

/* ---- Answering ------------------------------------------------------------------------------- */

/* Each link of a baseline is a phrase pair of single words. */
static tz_status by_baseline(job *j, const tz_passage *document, const tz_passage *abstract,
                             tz_decoded *ret) {
    *ret = (tz_decoded){0};
    tz_status status =
        tz_baseline_align(&j->settings->baseline, j->arena, document->form, document->words,
                          abstract->form, abstract->words, &ret->links);
    if (status == TZ_OK)
        ret->phrase = tz_arena_array(j->arena, ret->links.count, sizeof *ret->phrase);
    if (status != TZ_OK || !ret->phrase)
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    for (; ret->phrases < ret->links.count; ret->phrases++) {
        tz_link link = ret->links.link[ret->phrases];
        ret->phrase[ret->phrases].pair =
            (tz_phrase_pair){.document = {link.document, link.document + 1},
                             .abstract = {link.abstract, link.abstract + 1}};
    }
    return TZ_OK;
}

static tz_status align(job *j, const tz_passage *document, const tz_passage *abstract,
                       tz_decoded *ret_answer, size_t *ret_count, tz_error *error) {
    *ret_count = 1;
    return j->decoder ? tz_decode_phrases(j->decoder, j->arena, document, abstract,
                                          &j->settings->decode, ret_answer, ret_count, error)
                      : by_baseline(j, document, abstract, ret_answer);
}

/* Each sentence of the abstract with its extract. */
static tz_status align_extracts(job *j, const tz_passage text[2], tz_decoded *ret_answer,
                                tz_error *error) {
    const tz_side *side[] = {&j->texts.pair.document, &j->texts.pair.abstract};
    tz_extract_pair *pair;
    tz_decoded answer;
    size_t pairs, count;
    tz_status status =
        tz_extract_pairs_new(j->arena, side, text, (size_t)j->settings->extract, &pair, &pairs);
    *ret_answer = (tz_decoded){0};
    for (size_t p = 0; p < pairs && status == TZ_OK; p++) {
        status = align(j, &pair[p].document, &pair[p].abstract, &answer, &count, error);
        if (status == TZ_OK)
            status = tz_extract_pair_add(j->arena, &pair[p], &answer, ret_answer);
    }
    return status;
}

static bool by_syntax(const job *j) {
    return j->decoder && j->aligner.jumps.kind == TZ_JUMP_SYNTAX;
}

static tz_status answer(job *j, tz_error *error) {
    const settings *s = j->settings;
    tz_passage text[2];
    size_t count = 1;
    tz_decoded *answer = tz_arena_array(j->arena, s->decode.most, sizeof *answer);
    if (!answer)
        return TZ_NO_MEMORY;
    tz_status status = tz_passage_of(j->arena, j->forms, &j->texts.pair.document, &text[0]);
    if (status == TZ_OK)
        status = tz_passage_of(j->arena, j->forms, &j->texts.pair.abstract, &text[1]);
    if (status == TZ_OK && by_syntax(j))
        status = tz_document_trees_next(&j->trees, j->arena, &j->texts.pair.document,
                                        tz_texts_file(&j->texts), tz_texts_line(&j->texts),
                                        &text[0].opt_tree, &text[0].trees, error);
    if (status == TZ_OK)
        status = s->extract > 0 ? align_extracts(j, text, answer, error)
                                : align(j, &text[0], &text[1], answer, &count, error);
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        status = tz_texts_locate(&j->texts,
                                 tz_align_write(&j->writer, j->arena, &j->texts.pair, j->texts.id,
                                                &answer[i], i + 1, error),
                                 error);
    return status;
}

/* The dispatcher sees if it failed. */
static void print(job *j, FILE *file) {
    tz_text_write(&j->writer.text, file);
    tz_text_clear(&j->writer.text);
}

/* One pair after the other, up to the end of the file or of this rank's block: TZ_NONE. *exit: of
 * pairs that were wrong, with --keep-going. */
static tz_status run_block(job *j, int *exit, tz_error *error) {
    for (;;) {
        *error = (tz_error){TZ_OK, ""};
        j->arena = tz_arena_new();
        tz_status status = j->arena ? tz_texts_next(&j->texts, j->arena, error) : TZ_NO_MEMORY;
        if (status == TZ_OK)
            status = answer(j, error);
        bool go_on = status == TZ_IO && j->settings->keep_going;
        if (go_on) {
            *exit = tz_failed(command, status, error);
            tz_align_write_failure(&j->writer, j->arena, j->texts.id, error->message);
        }
        tz_arena_free(j->arena);
        if (status == TZ_OK || status == TZ_IO) {
            status = j->writer.text.failed ? TZ_NO_MEMORY : go_on ? TZ_OK : status;
            print(j, j->rounds.out);
        }
        if (status != TZ_OK)
            return status;
    }
}

/* Must one rank read all? A drawing is one page, a file of trees goes with all documents, and an
 * array of objects cannot be cut. */
static bool is_whole(const job *j) {
    return tz_ranks() > 1 && (j->settings->format == TZ_ALIGN_SVG || j->trees.treebank.conllu ||
                              tz_texts_are_whole(&j->texts));
}

enum { PIPE_WIDTH = 120 }; /* of grids that go to no terminal */

static int run(job *j) {
    enum { BLOCK = 16 };
    tz_lines *const lines[] = {j->texts.input[0].lines, j->texts.input[1].lines, NULL};
    tz_error error = {TZ_OK, ""};
    int exit = 0;
    tz_status status = tz_rounds_begin(&j->rounds, lines, BLOCK, false, is_whole(j));
    j->writer.written = tz_rank() > 0; /* before this rank's first pair */
    tz_ranks_speak(j->settings->keep_going);
    while (status == TZ_OK) {
        status = run_block(j, &exit, &error);
        status = tz_rounds_end(&j->rounds, lines, status, &error);
    }
    tz_ranks_speak(false);
    if (status == TZ_NONE && exit == 0 && j->trees.treebank.conllu && tz_rank() == 0)
        status = tz_document_trees_end(&j->trees, &error) == TZ_OK ? TZ_NONE : TZ_IO;
    return status == TZ_NONE ? exit
                             : tz_failed(command, status, status == TZ_NO_MEMORY ? NULL : &error);
}

/* ---- Command line ---------------------------------------------------------------------------- */

static int take_baseline(tz_options *o, int which, void *user) {
    settings *s = user;
    (void)which;
    s->name = o->value;
    return tz_baseline_parse(o->value, &s->baseline)
               ? 0
               : tz_usage_error(command,
                                "--baseline is identity, lcs or blocks:N, a number of words "
                                "from 1 on, not '%s'",
                                o->value);
}

static const tz_option option_table[] = {
    {"model", 'm', "MODEL", "align by what `trapeze train aligner` has learned",
     TZ_TEXT_AT(settings, model)},
    {"baseline", 'b', "NAME",
     "identity: all equal words; lcs: a longest common\n"
     "subsequence of words; blocks:N: common stretches of at\n"
     "least N words, longest first, each word used once",
     TZ_TAKEN_BY(take_baseline)},
    {"decode", 0, "best|posterior",
     "with a model: best, the best alignment (default); or\n"
     "posterior, the links of a probability above 0.5",
     TZ_CHOICE_AT(settings, decode.posterior, 0)},
    {"kbest", 0, "K", "with a model, as json: the K best alignments, a line each",
     TZ_NUMBER_AT(settings, decode.most, 1, 10000)},
    {"extract", 0, "K",
     "align each sentence of the abstract with K sentences of\n"
     "the document, those that have most of its rarer words",
     TZ_NUMBER_AT(settings, extract, 1, 1000)},
    {"links", 0, "soft|all",
     "links of two phrases of the same words: soft, word by word\n"
     "(default); or all, as between other phrases",
     TZ_CHOICE_AT(settings, decode.all_links, 0)},
    {"trees", 0, "FILE",
     "where the model's jumps are scored by syntax, the\n"
     "documents' sentences with their trees: CoNLL-U",
     TZ_TEXT_AT(settings, trees)},
    {"parse", 0, "MODEL", "the same, but find the trees by this model",
     TZ_TEXT_AT(settings, parser)},
    {"wordnet", 0, "FOLDER",
     "where the model has learned with WordNet, its files\n"
     "(/usr/share/wordnet)",
     TZ_TEXT_AT(settings, wordnet)},
    {"document", 0, "FILE", "the documents, one a line", TZ_TEXT_AT(settings, document)},
    {"abstract", 0, "FILE", "their abstracts, one a line; both instead of FILE",
     TZ_TEXT_AT(settings, abstract)},
    {"text", 0, NULL, "cut text into words; else there are blanks between them",
     TZ_FLAG_AT(settings, text)},
    {"format", 'f', "pharaoh|json|text|svg",
     "pharaoh (links i-j), json, text (a grid), or svg, a\n"
     "drawing (pharaoh)",
     TZ_CHOICE_AT(settings, format, 0)},
    {"max-words", 0, "N", "refuse texts of more words (20000)",
     TZ_NUMBER_AT(settings, words, 1, TZ_MOST_PAIR_WORDS)},
    {"keep-going", 0, NULL,
     "answer a pair that is wrong with an empty line, or\n"
     "{\"id\":..,\"error\":..}, and go on",
     TZ_FLAG_AT(settings, keep_going)},
};

static int check(const settings *s) {
    if (!s->name == !s->model)
        return tz_usage_error(command,
                              "say how: -m MODEL, or --baseline=identity, lcs or blocks:N");
    if (s->name && (s->decode.posterior || s->decode.most > 1 || s->decode.all_links))
        return tz_usage_error(command, "--decode, --kbest and --links go with -m MODEL");
    if (s->name && (s->trees || s->parser || s->wordnet))
        return tz_usage_error(command, "--trees, --parse and --wordnet go with -m MODEL");
    if (s->trees && s->parser)
        return tz_usage_error(command, "--trees or --parse, not both");
    if (s->decode.most > 1 && (s->decode.posterior || s->format != TZ_ALIGN_JSON || s->extract > 0))
        return tz_usage_error(command, "--kbest goes with --decode best and --format json, and "
                                       "without --extract");
    if (!s->document != !s->abstract)
        return tz_usage_error(command, "--document and --abstract go together");
    if (s->document && s->file)
        return tz_usage_error(command, "'%s' is one too many: --document and --abstract say all",
                              s->file);
    const char *const file[] = {s->document, s->abstract};
    return tz_one_standard_input(command, file, 2);
}

static int open_trees(job *j) {
    const settings *s = j->settings;
    if (!by_syntax(j) && (s->trees || s->parser))
        return tz_usage_error(
            command,
            "--trees and --parse are for models whose jumps are scored by syntax; "
            "%s is none",
            s->model);
    if (by_syntax(j) && !s->trees && !s->parser)
        return tz_usage_error(command,
                              "the jumps of %s are scored by syntax; that takes --trees FILE or "
                              "--parse MODEL",
                              s->model);
    return by_syntax(j) ? tz_document_trees_open(command, s->trees, s->parser, 1, &j->trees) : 0;
}

static tz_status open_model(job *j, tz_error *error) {
    const settings *s = j->settings;
    tz_status status = tz_aligner_load(s->model, &j->aligner, error);
    bool by_wordnet = status == TZ_OK && j->aligner.near.fingerprint != 0;
    if (status == TZ_OK && s->wordnet && !by_wordnet)
        return tz_bad_input(error, s->model, 0,
                            "the model has learned without WordNet; leave --wordnet out");
    if (by_wordnet)
        status =
            tz_wordnet_load(s->wordnet ? s->wordnet : "/usr/share/wordnet", &j->wordnet, error);
    if (status == TZ_OK)
        status = tz_align_decoder_new(&j->aligner, j->wordnet, &j->decoder);
    j->writer.parts = by_wordnet ? TZ_PARTS : TZ_PART_NEAR;
    return status == TZ_BAD_ARGUMENT
               ? tz_bad_input(error, s->model, 0,
                              "the model has learned with another copy of WordNet, not this one")
               : status;
}

static int open_all(job *j) {
    const settings *s = j->settings;
    tz_error error = {TZ_OK, ""};
    tz_status status = s->model ? open_model(j, &error) : TZ_OK;
    j->forms = tz_forms_new(j->aligner.exact);
    if (status == TZ_OK && !j->forms)
        status = tz_fail(&error, TZ_NO_MEMORY, "out of memory");
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    int exit = s->model ? open_trees(j) : 0;
    if (exit == 0)
        exit = tz_texts_open(command, s->document ? s->document : s->file, s->abstract, s->text,
                             s->words, &j->texts);
    enum { MOST = 1 << TZ_JUMP_POWERS_MOST };
    if (s->model && j->aligner.jumps.kind == TZ_JUMP_POWERS && s->words > MOST) {
        j->texts.words = MOST;
        j->texts.advice = "jumps by powers of two reach no further; learn with --jump relative";
    }
    return exit;
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
    "(\"p\") and what it is made by: equal words, equal stems, the table of what was learned,\n"
    "or WordNet. Words are compared in lower case, unless the model says otherwise, those of\n"
    "blocks by their English stems.\n"
    "\n"
    "Exit code: 0; 1 if a pair was wrong, also with --keep-going; 2 for bad usage.\n";

int tz_cli_align(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "-m MODEL|--baseline NAME [OPTION]... [FILE|-]",
                    .about = about,
                    .notes = notes,
                    .most = 1,
                    .wanted = "one FILE at most",
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.words = 20000, .decode = {.most = 1}};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = o.operands > 0 ? *o.operand : NULL;
    int exit = check(&s);
    if (exit != 0)
        return exit;
    s.decode.posteriors = s.format == TZ_ALIGN_JSON;
    s.decode.likely = s.format == TZ_ALIGN_TEXT;
    job j = {.settings = &s,
             .writer = {.format = s.format,
                        .model = s.model != NULL,
                        .posterior = s.decode.posterior,
                        .ranked = s.decode.most > 1,
                        .utf8 = tz_utf8_locale(),
                        .width = tz_terminal_width(stdout)}};
    j.writer.width = j.writer.width > 0 ? j.writer.width : PIPE_WIDTH;
    exit = open_all(&j);
    if (exit == 0) {
        exit = run(&j);
        tz_align_write_end(&j.writer);
        print(&j, stdout);
    }
    tz_rounds_free(&j.rounds);
    if (j.writer.utf8)
        freelocale(j.writer.utf8);
    tz_texts_close(&j.texts);
    tz_document_trees_close(&j.trees);
    tz_align_decoder_free(j.decoder);
    tz_wordnet_free(j.wordnet);
    tz_aligner_free(&j.aligner);
    tz_forms_free(j.forms);
    tz_align_writer_free(&j.writer);
    return exit;
}
