/* analyse_options.c - the command lines of `trapeze tag`, `parse` and `compress`.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/cli/analyse/analyse.h"

enum {
    MODEL,
    FORMAT,
    INPUT,
    THREADS,
    MAX_WORDS,
    MAX_BYTES,
    KEEP_GOING,
    WRAPPED,
    LINES,
    ONE_PER_LINE,
    COMMON
};
enum { RATE = COMMON, KEEP, DROP, SCORES, ANY_TEXT, WITH, ALL = WITH + TZ_WITH_OPTIONS };

static const tz_option own_option[WITH] = {
    [MODEL] = {"model", 'm', "MODEL",
               "what `trapeze train` or `trapeze model pack` wrote (the\n"
               "English model that comes with trapeze)"},
    [FORMAT] = {"format", 'f', "text|conllu|json|svg|ptb",
                "text, conllu, json (an object a line) or svg; by default\n"
                "conllu for what was read as such, else text; of `parse`\n"
                "and `compress --with=deletions` also ptb: trees in brackets"},
    [INPUT] = {"input-format", 0, "text|conllu",
               "text or conllu; by default as the first line looks"},
    [THREADS] = {"threads", 0, "N", "threads (1)"},
    [MAX_WORDS] = {"max-words", 0, "N", "refuse sentences of more words (600)"},
    [MAX_BYTES] = {"max-bytes", 0, "N", "refuse lines of more bytes (65536)"},
    [KEEP_GOING] = {"keep-going", 0, NULL,
                    "pass over sentences that are refused: their result is an\n"
                    "empty line or {\"error\": ...}; the exit code is 1 all the same"},
    [WRAPPED] = {"wrapped", 0, NULL,
                 "sentences go on in the next line, up to a blank one; by\n"
                 "default as the first lines look, which is told"},
    [LINES] = {"lines", 0, NULL,
               "each line is cut into sentences by itself; their tags or\n"
               "compressions stay on one line"},
    [ONE_PER_LINE] = {"one-per-line", 0, NULL, "each line of text is one sentence"},
    [RATE] = {"rate", 0, "R|LOW:HIGH",
              "keep R times as many words as there are, rounded (0 to 1);\n"
              "or from LOW to HIGH times as many, whatever scores best"},
    [KEEP] = {"keep", 0, "M", "keep M words"},
    [DROP] = {"drop", 0, "D", "drop D words"},
    [SCORES] = {"scores", 0, "FILE.npz",
                "instead of the compressor's scores take these: a problem of\n"
                "`trapeze run -r compress-single-root` for each sentence,\n"
                "natural logs; tags and trees still come from the model"},
    [ANY_TEXT] = {"any-text", 0, NULL,
                  "compress also what is written like law, and mark-up, tables,\n"
                  "code and chat, which are kept whole where no -m and no length\n"
                  "is given, as the English model learnt from news; and do not\n"
                  "ask if it is English"},
};

static const char notes[] =
    "FILE is text or CoNLL-U, which is told by its first line.\n"
    "What a CoNLL-U file says of all words of a sentence (tags for parsing, the tree\n"
    "for compressing) is not predicted anew.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

/* Tagging has no trees. */
static int take_format(const tz_options *o, tz_analyse_settings *s) {
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

/* R or LOW:HIGH. */
static int set_rate(const tz_options *o, tz_analyse_settings *s) {
    const char *colon = strchr(o->value, ':');
    size_t first = strcspn(o->value, ":");
    tz_length *length = &s->length;
    length->kind = TZ_LENGTH_RATE;
    bool good = read_rate(o->value, first, &length->rate);
    if (colon && good) {
        good = read_rate(colon + 1, strlen(colon + 1), &length->rate_most) &&
               length->rate_most >= length->rate && length->rate_most > 0;
    }
    return good ? 0
                : tz_usage_error(o->command,
                                 "--rate takes a number from 0 to 1, or two, LOW:HIGH, not '%s'",
                                 o->value);
}

static int set_length(tz_options *o, int which, tz_analyse_settings *s) {
    if (s->length.kind != TZ_LENGTH_FREE)
        return tz_usage_error(o->command, "one of --rate, --keep and --drop at most");
    if (which == RATE)
        return set_rate(o, s);
    s->length.kind = which == KEEP ? TZ_LENGTH_KEEP : TZ_LENGTH_DROP;
    return tz_option_number(o, which, which == KEEP, TZ_CONLLU_WORDS, &s->length.words);
}

static int set_lines(const tz_options *o, int which, tz_analyse_settings *s) {
    if (s->limits.lines != TZ_LINES_GUESS)
        return tz_usage_error(o->command, "one of --wrapped, --lines and --one-per-line at most");
    s->limits.lines = which == WRAPPED ? TZ_LINES_WRAPPED
                      : which == LINES ? TZ_LINES_PARAGRAPHS
                                       : TZ_LINES_SENTENCES;
    return 0;
}

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

static const tz_option_place places[ALL] = {
    [MODEL] = TZ_TEXT_AT(tz_analyse_settings, model),
    [SCORES] = TZ_TEXT_AT(tz_analyse_settings, scores),
    [KEEP_GOING] = TZ_FLAG_AT(tz_analyse_settings, keep_going),
    [ANY_TEXT] = TZ_FLAG_AT(tz_analyse_settings, any_text),
    [THREADS] = TZ_NUMBER_AT(tz_analyse_settings, threads, 1, 256),
    [MAX_WORDS] = TZ_NUMBER_AT(tz_analyse_settings, limits.words, 1, TZ_CONLLU_WORDS),
    [MAX_BYTES] = TZ_NUMBER_AT(tz_analyse_settings, limits.bytes, 1, 1 << 30),
    [INPUT] = TZ_CHOICE_AT(tz_analyse_settings, input, TZ_INPUT_TEXT),
};

static int take(tz_options *o, int which, void *user) {
    tz_analyse_settings *s = user;
    int status = 0;
    switch (which) {
    case TZ_OPERAND:
        return tz_only_operand(o, "one FILE at most", &s->file);
    case FORMAT:
        status = take_format(o, s);
        break;
    case ONE_PER_LINE:
    case LINES:
    case WRAPPED:
        status = set_lines(o, which, s);
        break;
    case RATE:
    case KEEP:
    case DROP:
        status = set_length(o, which, s);
        break;
    default:
        status = tz_take_with(o, which, WITH, &s->with);
        s->stages = 1u << tz_with_stage(&s->with);
        break;
    }
    return status;
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
    tz_option option[ALL];
    memcpy(option, own_option, sizeof own_option);
    memcpy(option + WITH, tz_with_option, sizeof tz_with_option);
    tz_options o = {
        .command = s->command,
        .synopsis = compress
                        ? "[-m MODEL] [--rate R|LOW:HIGH|--keep M|--drop D] [OPTION]... [FILE|-]"
                        : "[-m MODEL] [OPTION]... [FILE|-]",
        .about = about[s->asked],
        .notes = notes,
        TZ_COMMAND_LINE(option, compress ? ALL : COMMON, places, argc, argv)};
    bool taken = tz_take_options(&o, take, s);
    *ret_exit = taken ? check(s) : o.status;
    return taken && *ret_exit == 0 ? 0 : TZ_STOP;
}
