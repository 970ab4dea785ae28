/* draw.c - `trapeze draw`: results and treebanks as drawings. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/replace.h"
#include "base/width.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "cli/text_file.h"
#include "io/draw/draw.h"

static const char command[] = "trapeze draw";

enum { RESULT_LINE = 1 << 30, PIPE_WIDTH = 120, WIDEST = 1 << 20 };

enum { RULES, OUTPUT, DERIVATION, FORM, ARCS, SENTENCE, ID, COLOR, WIDTH, NO_CAPTIONS, OPTIONS };

typedef struct settings {
    const char *file, *output, *rules;
    tz_style style;
    tz_result_choice choice;
    long first, last; /* sentences */
    long width;       /* 0: the terminal's */
    int color;        /* -1: if the output is a terminal */
    bool svg;
} settings;

static const tz_option option_table[OPTIONS] = {
    [RULES] = {"rules", 'r', "RULES",
               "the rule set of the results: uses are drawn by the shapes\n"
               "of its weights, as arcs, spans, labels, pairs or a grid",
               TZ_TEXT_AT(settings, rules)},
    [OUTPUT] = {"output", 'o', "FILE",
                "write to FILE: an SVG document where its name ends in\n.svg, else text",
                TZ_TEXT_AT(settings, output)},
    [DERIVATION] = {"derivation", 0, NULL, "the proof trees of results, instead of arcs",
                    TZ_FLAG_AT(settings, choice.derivation)},
    [FORM] = {"format", 0, "tree|outline",
              "proof trees as text: bars over bars, or an indented\n"
              "outline; by default a tree where --width has room for it",
              TZ_CHOICE_AT(settings, style.proof, TZ_PROOF_TREE)},
    [ARCS] = {"arcs", 0, "NAME",
              "the weight whose uses are arcs, of 2 or 3 indices, first\n"
              "the head, last the modifier; by default arc and sib",
              TZ_TEXT_AT(settings, choice.arcs)},
    [SENTENCE] = {"sentence", 0, "K[:L]", "only the K-th sentence, or K to L, counted from 1"},
    [ID] = {"id", 0, "ID", "only what has this id or sent_id", TZ_TEXT_AT(settings, choice.id)},
    [COLOR] = {"color", 0, "always|never|auto",
               "dim skipped words instead of putting them in\n"
               "parentheses: always, never or auto (to a terminal)"},
    [WIDTH] = {"width", 0, "N",
               "the columns of text to keep to: longer lines of arcs are\n"
               "cut between words and go on below (the terminal's; in a\n"
               "pipe or file no line is cut, and labels get up to 120)",
               TZ_NUMBER_AT(settings, width, 1, WIDEST)},
    [NO_CAPTIONS] = {"no-captions", 0, NULL, "leave out the lines with ids and scores"},
};

static const char about[] =
    "Draw each sentence of FILE or standard input: of results of `trapeze run` (JSON\n"
    "Lines with \"best\", \"kbest\" or \"samples\") or of a CoNLL-U file, which is told by\n"
    "its first character.\n";

static const char notes[] =
    "Arcs stand above the words; an arrow head marks the modifier. Words of a result\n"
    "that modify nothing are skipped: dim or in parentheses, in SVG grey. Without\n"
    "\"words\" in a result, words are shown as numbers. Labels of arcs are shown in\n"
    "text where there is room: a larger --width moves words apart for them. Empty\n"
    "nodes (1.1) of CoNLL-U are left out; multiword tokens (1-2) stand below their\n"
    "words.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

static int bad_choice(const char *option, const char *choices, const char *value) {
    return tz_usage_error(command, "--%s is %s, not '%s'", option, choices, value);
}

/* K or K:L. */
static int read_sentences(settings *s, const char *value) {
    char *end;
    errno = 0;
    s->first = s->last = strtol(value, &end, 10);
    if (end != value && *end == ':') {
        const char *second = end + 1;
        s->last = strtol(second, &end, 10);
        end = end == second ? (char *)value : end;
    }
    if (errno || end == value || *end != '\0' || s->first < 1 || s->last < s->first)
        return bad_choice("sentence", "a number from 1, or two with ':' between", value);
    return 0;
}

static int take(tz_options *o, int which, void *user) {
    settings *s = user;
    int status = 0;
    switch (which) {
    case SENTENCE:
        status = read_sentences(s, o->value);
        break;
    case COLOR:
        s->color = strcmp(o->value, "always") == 0 ? 1 : strcmp(o->value, "never") == 0 ? 0 : -1;
        if (s->color < 0 && strcmp(o->value, "auto") != 0)
            status = bad_choice("color", "auto, always or never", o->value);
        break;
    case NO_CAPTIONS:
        s->style.captions = false;
        break;
    }
    return status;
}

/* ---- Drawing ------------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    FILE *out;
    tz_replace output;
    tz_page page; /* SVG: all drawings */
    tz_text text; /* text: one drawing */
    size_t drawn;
} job;

/* `where` of the input the drawing comes from, for messages. 0 or the exit code. */
static int draw_one(job *job, const tz_drawing *drawing, const char *file, size_t line) {
    const settings *s = job->settings;
    tz_status status;
    if (s->svg) {
        status = tz_draw_svg(drawing, &s->style, &job->page);
    } else {
        tz_text_clear(&job->text);
        if (job->drawn > 0)
            tz_text_put(&job->text, "\n");
        status = tz_draw_text(drawing, &s->style, &job->text);
    }
    if (status == TZ_TOO_LARGE) {
        tz_message(command,
                   "%s:%zu: as text the figure would take more than %d characters; draw "
                   "it as SVG (-o NAME.svg)%s",
                   file, line, TZ_DRAW_CELLS, drawing->proof ? " or with --format outline" : "");
        return TZ_EXIT_INPUT;
    }
    if (status != TZ_OK) {
        tz_message(command, "%s:%zu: %s", file, line, tz_status_name(status));
        return TZ_EXIT_INPUT;
    }
    job->drawn++;
    if (!s->svg && !tz_text_write(&job->text, job->out)) {
        tz_message(command, "cannot write %s: %s", s->output ? s->output : "the figures",
                   strerror(errno));
        return TZ_EXIT_INPUT;
    }
    return 0;
}

static int draw_conllu(job *job, tz_lines *lines) {
    const settings *s = job->settings;
    int exit = 0;
    tz_conllu *conllu = tz_conllu_new(lines);
    if (!conllu)
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    for (long k = 1; k <= s->last && exit == 0; k++) {
        const tz_conllu_sentence *sentence;
        tz_error error;
        tz_status status = tz_conllu_next(conllu, &sentence, &error);
        if (status != TZ_OK) {
            exit = status == TZ_NONE ? 0 : tz_failed(command, status, &error);
            break;
        }
        const char *id = s->choice.id;
        if (k < s->first || (id && (!sentence->id || strcmp(id, sentence->id) != 0)))
            continue;
        tz_arena *arena = tz_arena_new();
        tz_drawing drawing;
        if (!arena || tz_drawing_conllu(arena, sentence, &drawing) != TZ_OK)
            exit = tz_failed(command, TZ_NO_MEMORY, NULL);
        else
            exit = draw_one(job, &drawing, tz_lines_name(lines), sentence->row[0].line);
        tz_arena_free(arena);
    }
    tz_conllu_free(conllu);
    return exit;
}

/* One line, which may hold several drawings. */
static int draw_result(job *job, tz_lines *lines, const char *line, size_t size) {
    const char *name = tz_lines_name(lines);
    size_t number = tz_lines_number(lines), count = 0;
    tz_drawing *drawings;
    tz_error error;
    int exit = 0;
    tz_arena *arena = tz_arena_new();
    tz_status status = arena ? tz_drawings_result(arena, name, number, line, size,
                                                  &job->settings->choice, &drawings, &count, &error)
                             : TZ_NO_MEMORY;
    if (status == TZ_NO_MEMORY)
        exit = tz_failed(command, TZ_NO_MEMORY, NULL);
    else if (status != TZ_OK && status != TZ_NONE)
        exit = tz_failed(command, status, &error);
    for (size_t f = 0; status == TZ_OK && f < count && exit == 0; f++)
        exit = draw_one(job, &drawings[f], name, number);
    tz_arena_free(arena);
    return exit;
}

static int draw_results(job *job, tz_lines *lines) {
    const settings *s = job->settings;
    for (long k = 1; k <= s->last;) {
        char *line;
        size_t size;
        tz_error error;
        tz_status status = tz_lines_next(lines, &line, &size, &error);
        if (status != TZ_OK)
            return status == TZ_NONE ? 0 : tz_failed(command, status, &error);
        if (line[strspn(line, " \t")] == '\0')
            continue;
        int exit = k++ < s->first ? 0 : draw_result(job, lines, line, size);
        if (exit != 0)
            return exit;
    }
    return 0;
}

/* By the first character that is not blank, results or CoNLL-U. */
static int draw_all(job *job, tz_lines *lines) {
    const settings *s = job->settings;
    const char *name = tz_lines_name(lines);
    char *line, first = '\0';
    size_t size;
    tz_error error;
    tz_status status;
    do {
        status = tz_lines_next(lines, &line, &size, &error);
    } while (status == TZ_OK && (first = line[strspn(line, " \t")]) == '\0');
    int exit = 0;
    if (status == TZ_OK) {
        tz_lines_back(lines);
        if (first != '{' && s->choice.derivation) {
            tz_message(command,
                       "%s:%zu: --derivation draws results, objects of JSON; a CoNLL-U file has no "
                       "derivations",
                       name, tz_lines_number(lines));
            exit = TZ_EXIT_INPUT;
        } else {
            exit = first == '{' ? draw_results(job, lines) : draw_conllu(job, lines);
        }
    } else if (status != TZ_NONE) {
        exit = tz_failed(command, status, &error);
    }
    if (exit == 0 && job->drawn == 0 && (s->choice.id || s->first > 1)) {
        tz_message(command, "%s: there is no such sentence", name);
        exit = TZ_EXIT_INPUT;
    }
    return exit;
}

/* What fails shows when the file is committed. */
static int write_svg(job *job) {
    tz_text head = {0};
    const tz_text *body = &job->page.text;
    tz_svg_head(&head, &job->page);
    bool failed = head.failed || body->failed;
    if (!failed) {
        tz_text_write(&head, job->out);
        tz_text_write(body, job->out);
        fputs("</svg>\n", job->out);
    }
    tz_text_free(&head);
    return failed ? tz_failed(command, TZ_NO_MEMORY, NULL) : 0;
}

/* Text goes out drawing by drawing, SVG at the end. */
static int draw_to(const settings *s, tz_lines *lines) {
    job job = {.settings = s, .out = stdout};
    tz_error error;
    if (s->output) {
        tz_status status = tz_replace_open(s->output, &job.output, &error);
        if (status != TZ_OK)
            return tz_failed(command, status, &error);
        job.out = job.output.file;
    }
    int exit = draw_all(&job, lines);
    if (exit == 0 && s->svg)
        exit = write_svg(&job);
    if (exit == 0 && s->output) {
        tz_status status = tz_replace_commit(&job.output, &error);
        exit = status == TZ_OK ? 0 : tz_failed(command, status, &error);
    }
    tz_replace_abandon(&job.output);
    tz_text_free(&job.text);
    tz_text_free(&job.page.text);
    return exit;
}

static bool ends_in(const char *name, const char *end) {
    size_t size = strlen(name), tail = strlen(end);
    return size >= tail && strcmp(name + size - tail, end) == 0;
}

int tz_cli_draw(int argc, char **argv) {
    settings s = {.first = 1, .last = LONG_MAX, .color = -1, .style.captions = true};
    tz_options o = {.command = command,
                    .synopsis = "[OPTION]... [FILE|-]",
                    .about = about,
                    .notes = notes,
                    TZ_COMMAND_ROWS(option_table, argc, argv),
                    TZ_OPERANDS("one FILE at most", NULL, 1, {offsetof(settings, file)})};
    if (!tz_take_options(&o, take, &s))
        return o.status;
    if (s.output && strcmp(s.output, "-") == 0)
        s.output = NULL;
    s.svg = s.output && ends_in(s.output, ".svg");
    if (s.svg && s.style.proof == TZ_PROOF_OUTLINE)
        return tz_usage_error(command, "--format outline is for text, not for SVG");
    if (s.style.proof != TZ_PROOF_FIT && !s.choice.derivation)
        return tz_usage_error(command, "--format says how to draw a --derivation");
    if (s.choice.arcs && s.choice.derivation)
        return tz_usage_error(command, "--arcs does not go with --derivation");

    if (s.choice.arcs && s.rules)
        return tz_usage_error(command,
                              "--arcs says which weight is drawn; with -r their shapes do");
    tz_rules *rules = NULL;
    int opened = s.rules ? tz_open_rules(command, s.rules, false, &rules) : 0;
    if (opened != 0)
        return opened;
    s.choice.opt_rules = rules;

    bool terminal = !s.output && isatty(STDOUT_FILENO);
    s.style.wrap = s.width > 0 ? (size_t)s.width : s.output ? 0 : tz_terminal_width(stdout);
    s.style.width = s.style.wrap > 0 ? s.style.wrap : PIPE_WIDTH;
    s.style.color = s.color < 0 ? terminal : s.color;

    tz_text_file in;
    int exit = tz_text_file_open(command, s.file, RESULT_LINE, &in);
    if (exit == 0) {
        s.style.utf8 = tz_utf8_locale();
        exit = draw_to(&s, in.lines);
        if (s.style.utf8)
            freelocale(s.style.utf8);
        tz_text_file_close(&in);
    }
    tz_rules_free(rules);
    return exit;
}
