/* eval_compression.c - `trapeze eval compression`: what is kept against what should be.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "sentences/cli/eval/eval_compressions.h"

static const char command[] = "trapeze eval compression";

typedef struct settings {
    tz_eval_compressions c;
    const char *file[3]; /* GOLD and systems; the third may be NULL */
    const char *model;   /* or NULL */
    bool text;
} settings;

static int evaluate(settings *s) {
    tz_compression *output[2] = {NULL, NULL};
    size_t systems = s->file[2] ? 2 : 1;
    int exit = tz_eval_compressions_read(&s->c);
    for (size_t i = 0; i < systems && exit == 0; i++)
        exit = tz_eval_compressions_outputs(&s->c, s->file[1 + i], s->text, &output[i]);
    if (exit == 0 && s->model)
        exit = tz_eval_compressions_parse(&s->c, s->model, systems, output);
    if (exit == 0) {
        const tz_compression *found[2] = {output[0], output[1]};
        exit = tz_eval_compressions_report(&s->c, systems, s->file + 1, found);
    }
    tz_gold_free(&s->c.gold);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

static const char about[] =
    "Compare compressions with those of GOLD, all JSON Lines: words kept (precision, recall,\n"
    "F1, exact match), accuracy of keeping and dropping, simple string accuracy (SSA), n-grams,\n"
    "arcs where both have trees (or with -m), and how much is kept, with 95 % intervals.\n"
    "SYSTEM2: is there a difference?\n";

static const char notes[] =
    "A record of GOLD, or of SYSTEM, which may leave out the tokens:\n"
    "  {\"id\": 1, \"tokens\": \"The dog barks .\", \"keep\": \"0111\", \"heads\": [-1, 3, 0, 3]}\n"
    "\"tokens\" and \"keep\" can be lists as well; \"compression\" instead of \"keep\" is the\n"
    "compression as text or list of words; \"heads\" (optional) is the compression's tree: the\n"
    "head of each word, 0 for the root, -1 or null where the word is dropped, or heads of\n"
    "the kept words alone, counted among themselves. Several references: lists of those.\n"
    "Sentences are matched by id where GOLD has different ones and SYSTEM has any, else by\n"
    "order.\n"
    "\n"
    "SSA is 1 less the edits of words between both compressions over the reference's length.\n"
    "Mean figures are means over sentences; all others count the words, n-grams or arcs of\n"
    "all sentences together. Several references are averaged.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

int tz_cli_eval_compression(int argc, char **argv) {
    static const tz_option option[] = {
        {"text", 0, NULL, "SYSTEM is text, a compression a line, in the order of GOLD",
         TZ_FLAG_AT(settings, text)},
        {"model", 'm', "MODEL",
         "find all trees with the taggers and the parser of this\n"
         "model, whatever the files say",
         TZ_TEXT_AT(settings, model)},
    };
    tz_options o = {.command = command,
                    .synopsis = "[OPTION]... GOLD SYSTEM [SYSTEM2]",
                    .about = about,
                    .notes = notes,
                    .more = {TZ_GROUP_AT(tz_eval_option, settings, c.settings),
                             TZ_GROUP_AT(tz_eval_compressions_option, settings, c)},
                    .most = 3,
                    TZ_COMMAND_ROWS(option, argc, argv)};
    settings s = {.c = {.command = command, .settings = tz_eval_default}};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    int exit = tz_eval_files(&o, "SYSTEM", false, s.c.reference, s.c.references, s.file);
    s.c.file = s.file[0];
    return exit == 0 ? evaluate(&s) : exit;
}
