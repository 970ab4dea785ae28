/* analyse_options.c - the command lines of `trapeze tag`, `parse` and `compress`.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/cli/analyse/analyse.h"

typedef tz_analyse_settings settings;

static const char notes[] =
    "FILE is text or CoNLL-U, which is told by its first line.\n"
    "Tags (for parsing) and the tree (for compressing) are not predicted anew where a\n"
    "CoNLL-U file gives them for all words of a sentence.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

/* Tagging has no trees. */
static int take_format(tz_options *o, int which, void *user) {
    settings *s = user;
    (void)which;
    static const char *const name[] = {"text", "conllu", "json", "svg", "ptb"};
    const int count = s->asked == TZ_ASKED_TAGS ? TZ_FORMAT_PTB : TZ_FORMAT_PTB + 1;
    for (s->format = 0; s->format < count; s->format++)
        if (strcmp(o->value, name[s->format]) == 0)
            return 0;
    return tz_usage_error(o->command, "--format is text, conllu, json%s, not '%s'",
                          count > TZ_FORMAT_PTB ? ", svg or ptb" : " or svg", o->value);
}

static bool read_rate(const char *text, size_t size, double *ret_rate) {
    return size < TZ_NUMBER_SIZE && tz_number_read(text, size, ret_rate) && *ret_rate >= 0 &&
           *ret_rate <= 1;
}

static int set_kind(const tz_options *o, tz_length *length, tz_length_kind kind) {
    if (length->kind != TZ_LENGTH_FREE)
        return tz_usage_error(o->command, "one of --rate, --keep and --drop at most");
    length->kind = kind;
    return 0;
}

/* R or LOW:HIGH. */
static int take_rate(tz_options *o, int which, void *user) {
    const char *colon = strchr(o->value, ':');
    tz_length *length = &((settings *)user)->length;
    int exit = set_kind(o, length, TZ_LENGTH_RATE);
    (void)which;
    bool good = read_rate(o->value, strcspn(o->value, ":"), &length->rate);
    if (colon && good) {
        good = read_rate(colon + 1, strlen(colon + 1), &length->rate_most) &&
               length->rate_most >= length->rate && length->rate_most > 0;
    }
    return exit != 0 || good
               ? exit
               : tz_usage_error(o->command,
                                "--rate takes a number from 0 to 1, or two, LOW:HIGH, not '%s'",
                                o->value);
}

static int take_keep(tz_options *o, int which, void *user) {
    tz_length *length = &((settings *)user)->length;
    int exit = set_kind(o, length, TZ_LENGTH_KEEP);
    return exit != 0 ? exit : tz_option_number(o, which, 1, TZ_CONLLU_WORDS, &length->words);
}

static int take_drop(tz_options *o, int which, void *user) {
    tz_length *length = &((settings *)user)->length;
    int exit = set_kind(o, length, TZ_LENGTH_DROP);
    return exit != 0 ? exit : tz_option_number(o, which, 0, TZ_CONLLU_WORDS, &length->words);
}

/* Which of the three ways lines are read. */
static int take_lines(tz_options *o, int which, void *user) {
    settings *s = user;
    const char *name = tz_nth_option(o, which)->name;
    if (s->limits.lines != TZ_LINES_GUESS)
        return tz_usage_error(o->command, "one of --wrapped, --lines and --one-per-line at most");
    s->limits.lines = *name == 'w'   ? TZ_LINES_WRAPPED
                      : *name == 'l' ? TZ_LINES_PARAGRAPHS
                                     : TZ_LINES_SENTENCES;
    return 0;
}

static const tz_option option_table[] = {
    {"model", 'm', "MODEL",
     "model, from `trapeze train` or `trapeze model pack` (the\n"
     "English model that comes with trapeze)",
     TZ_TEXT_AT(settings, model)},
    {"format", 'f', "text|conllu|json|svg|ptb",
     "text, conllu, json (an object a line) or svg; by default\n"
     "conllu for tags and trees of CoNLL-U input, else text;\n"
     "`parse` and `compress --with=deletions` have ptb, too: trees\n"
     "in brackets",
     TZ_TAKEN_BY(take_format)},
    {"input-format", 0, "text|conllu", "text or conllu; by default the first line tells",
     TZ_CHOICE_AT(settings, input, TZ_INPUT_TEXT)},
    {"threads", 0, "N", "threads (1)", TZ_NUMBER_AT(settings, threads, 1, 256)},
    {"max-words", 0, "N", "refuse sentences of more words (600)",
     TZ_NUMBER_AT(settings, limits.words, 1, TZ_CONLLU_WORDS)},
    {"max-bytes", 0, "N", "refuse lines of more bytes (65536)",
     TZ_NUMBER_AT(settings, limits.bytes, 1, 1 << 30)},
    {"keep-going", 0, NULL,
     "pass over sentences that are refused: their result is an\n"
     "empty line or {\"error\": ...}; the exit code is 1 all the same",
     TZ_FLAG_AT(settings, keep_going)},
    {"wrapped", 0, NULL,
     "sentences run over lines, up to a blank line; by default\n"
     "the first lines tell, and a message says so",
     TZ_TAKEN_BY(take_lines)},
    {"lines", 0, NULL,
     "each line is cut into sentences by itself; their tags or\n"
     "compressions stay on one line",
     TZ_TAKEN_BY(take_lines)},
    {"one-per-line", 0, NULL, "each line of text is one sentence", TZ_TAKEN_BY(take_lines)},
    {"rate", 0, "R|LOW:HIGH",
     "keep R times as many words as there are, rounded (0 to 1);\n"
     "or from LOW to HIGH times as many, whatever scores best",
     TZ_TAKEN_BY(take_rate)},
    {"keep", 0, "M", "keep M words", TZ_TAKEN_BY(take_keep)},
    {"drop", 0, "D", "drop D words", TZ_TAKEN_BY(take_drop)},
    {"scores", 0, "FILE.npz",
     "take these scores instead of the compressor's: a problem of\n"
     "`trapeze run -r compress-single-root` for each sentence,\n"
     "natural logs; tags and trees still come from the model",
     TZ_TEXT_AT(settings, scores)},
    {"any-text", 0, NULL,
     "compress also what is written like law, and mark-up, tables,\n"
     "code and chat, which are kept whole where no -m and no length\n"
     "is given, as the English model learnt from news; and do not\n"
     "check that it is English",
     TZ_FLAG_AT(settings, any_text)},
};
enum { COMPRESS_OPTIONS = 5 }; /* the last ones: of compressing alone */

/* Do the options go together? */
static int check(const tz_analyse_settings *s) {
    if (s->asked == TZ_ASKED_COMPRESSIONS && !s->with.deletions && s->format == TZ_FORMAT_PTB)
        return tz_usage_error(s->command, "--format=ptb is for --with=deletions");
    if (s->scores && s->with.deletions)
        return tz_usage_error(s->command, "--scores is for --with=compressor");
    if (s->scores && s->with.only != TZ_SCORER_BOTH)
        return tz_usage_error(s->command,
                              "--only is about the model's scores, --scores are others");
    if (s->scores && tz_ranks() > 1)
        return tz_usage_error(s->command, "--scores are for one process, not for several");
    if (s->with.deletions && s->length.rate_most > 0)
        return tz_usage_error(s->command, "--rate=LOW:HIGH is for --with=compressor");
    return tz_check_with(s->command, &s->with, s->length.kind != TZ_LENGTH_FREE);
}

int tz_analyse_options(int argc, char **argv, tz_analyse_settings *s, int *ret_exit) {
    static const char *const about[] = {
        [TZ_ASKED_TAGS] = "Tag words with their parts of speech (UPOS, XPOS).\n",
        [TZ_ASKED_TREES] =
            "Parse sentences: the head of each word (HEAD) and their relation (DEPREL).\n",
        [TZ_ASKED_COMPRESSIONS] =
            ("Compress sentences by leaving words out: to the length that scores best, or to a\n"
             "given one, where the result is exactly the best one of that length.\n"),
    };
    bool compress = s->asked == TZ_ASKED_COMPRESSIONS;
    const int all = sizeof option_table / sizeof *option_table;
    tz_options o = {
        .command = s->command,
        .synopsis = compress
                        ? "[-m MODEL] [--rate R|LOW:HIGH|--keep M|--drop D] [OPTION]... [FILE|-]"
                        : "[-m MODEL] [OPTION]... [FILE|-]",
        .about = about[s->asked],
        .notes = notes,
        .most = 1,
        .wanted = "one FILE at most",
        TZ_COMMAND_LINE(option_table, compress ? all : all - COMPRESS_OPTIONS, argc, argv)};
    if (compress)
        o.more[0] = (tz_option_group)TZ_GROUP_AT(tz_with_option, settings, with);
    bool taken = tz_take_options(&o, NULL, s);
    s->file = o.operands > 0 ? *o.operand : NULL;
    if (compress)
        s->stages = 1u << tz_with_stage(&s->with);
    *ret_exit = taken ? check(s) : o.status;
    return taken && *ret_exit == 0 ? 0 : TZ_STOP;
}
