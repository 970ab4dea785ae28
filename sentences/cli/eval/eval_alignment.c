/* eval_alignment.c - `trapeze eval alignment`: links between words against those of people.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text_file.h"
#include "sentences/cli/eval/eval.h"
#include "sentences/eval/alignment.h"

static const char command[] = "trapeze eval alignment";

typedef struct settings {
    tz_eval_settings eval;
    const char *file[3];           /* GOLD and systems; the third may be NULL */
    const char *possible, *ignore; /* or NULL */
    bool flip;
    uint32_t from;
} settings;

static int read_gold(const settings *s, tz_alignments *ret_gold) {
    tz_text_file in = {0}, words = {0};
    tz_error error = {TZ_OK, ""};
    bool none = s->ignore && strcmp(s->ignore, "none") == 0;
    int exit =
        s->ignore && !none ? tz_text_file_open(command, s->ignore, TZ_ALIGNMENT_LINE, &words) : 0;
    if (exit == 0)
        exit = tz_text_file_open(command, s->file[0], TZ_ALIGNMENT_LINE, &in);
    tz_ignore ignore = {words.lines, none};
    tz_status status =
        exit == 0 ? tz_alignments_read(in.lines, &ignore, s->flip, s->from, ret_gold, &error)
                  : TZ_OK;
    tz_text_file_close(&in);
    tz_text_file_close(&words);
    return status == TZ_OK ? exit : tz_failed(command, status, &error);
}

static int read_possible(const settings *s, tz_alignments *gold) {
    tz_text_file in;
    size_t strays = 0;
    tz_error error = {TZ_OK, ""};
    int exit = tz_text_file_open(command, s->possible, TZ_ALIGNMENT_LINE, &in);
    if (exit != 0)
        return exit;
    tz_status status = tz_alignments_possible(gold, in.lines, &strays, &error);
    tz_text_file_close(&in);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    if (strays > 0)
        tz_message(command, "%s: %zu sure links of %s are not there; they are taken as possible",
                   s->possible, strays, s->file[0]);
    return 0;
}

/* One file may count words in another way than the other: its figures would be those of chance. */
static void tell_shift(const settings *s, const tz_alignments *gold, const char *name,
                       const tz_links *links) {
    int shifted = tz_alignments_shifted(gold, links);
    if (shifted != 0)
        tz_message(command,
                   "%s: no link has word 0 of either text, as those of %s have: does it "
                   "count from 1? %s",
                   shifted < 0 ? s->file[0] : name, shifted < 0 ? name : s->file[0],
                   shifted < 0 ? "Say --from=1 then" : "Words count from 0");
}

/* One system's ratios, to be freed. */
static int measure(const settings *s, tz_alignments *gold, const char *name, tz_ratio **ret_ratio) {
    tz_text_file in;
    tz_links *links;
    tz_error error = {TZ_OK, ""};
    *ret_ratio = calloc(gold->numbering.count * TZ_ALIGNMENT_FIGURES, sizeof **ret_ratio);
    if (!*ret_ratio)
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    int exit = tz_text_file_open(command, name, TZ_ALIGNMENT_LINE, &in);
    if (exit != 0)
        return exit;
    tz_status status = tz_alignments_system(gold, in.lines, &links, &error);
    tz_text_file_close(&in);
    if (status == TZ_OK) {
        tell_shift(s, gold, name, links);
        status = tz_alignments_measure(gold, links, *ret_ratio);
    }
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

static double count_links(const tz_alignments *gold, bool possible) {
    double count = 0;
    for (size_t p = 0; p < gold->numbering.count; p++) {
        const tz_alignment *a = &gold->pair[p].gold;
        count += (double)(possible ? a->possible : a->sure)[TZ_SOFT].count;
    }
    return count;
}

static int evaluate(const settings *s) {
    tz_alignments gold = {0};
    tz_ratio *ratio[2] = {NULL, NULL};
    size_t systems = s->file[2] ? 2 : 1;
    int exit = read_gold(s, &gold);
    if (exit == 0 && s->possible)
        exit = read_possible(s, &gold);
    for (size_t i = 0; i < systems && exit == 0; i++)
        exit = measure(s, &gold, s->file[1 + i], &ratio[i]);
    if (exit == 0) {
        const tz_remark remark[] = {
            {"sure", "sure links", count_links(&gold, false), false},
            {"possible", "sure or possible links", count_links(&gold, true), false}};
        tz_report report = {.figure = tz_alignment_figure,
                            .systems = systems,
                            .name = {s->file[1], s->file[2]},
                            .opt_of = "pairs",
                            .remarks = 2,
                            .remark = remark,
                            .resampling = s->eval.resampling};
        for (size_t i = 0; i < systems; i++)
            report.system[i] = (tz_measured){gold.numbering.count, TZ_ALIGNMENT_FIGURES, ratio[i],
                                             tz_alignment_harmonic};
        exit = tz_eval_report(command, &report, &s->eval);
    }
    free(ratio[0]);
    free(ratio[1]);
    tz_alignments_free(&gold);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

static const tz_option option_table[] = {
    {"possible", 0, "FILE",
     "a file like GOLD whose links are possible, the sure ones\n"
     "among them",
     TZ_TEXT_AT(settings, possible)},
    {"ignore", 0, "FILE",
     "words to leave out in the figures of content words, one a\n"
     "line, or none (58 English function words and punctuation\n"
     "marks)",
     TZ_TEXT_AT(settings, ignore)},
    {"flip", 0, NULL, "GOLD's links are j-i, its documents the abstracts",
     TZ_FLAG_AT(settings, flip)},
    {"from", 0, "0|1", "the number of the first word in GOLD's links (0)",
     TZ_CHOICE_AT(settings, from, 0)},
};

static const char about[] =
    "Compare alignments of documents and abstracts with those of GOLD: precision, recall,\n"
    "their harmonic mean, alignment error rate and exact match, of links between words, with\n"
    "95 % intervals. SYSTEM2: is there a difference?\n";

static const char notes[] =
    "A record of either file, of JSON Lines or of a JSON array of objects:\n"
    "  {\"id\": 1, \"document\": \"a b\", \"abstract\": \"b\", \"sure\": \"1-0\", \"possible\": "
    "\"0-0\"}\n"
    "i-j links word i of the document with word j of the abstract, both from 0. \"source\",\n"
    "\"target\", \"sureAlign\" and \"possibleAlign\" are the same, \"links\" in a system's file "
    "are its\n"
    "sure ones. Instead of links, \"phrases\": [{\"document\": [0, 2], \"abstract\": [0, 1],\n"
    "\"class\": \"S\"}], the first word and the one behind the last, sure (S) or possible (P). A\n"
    "line without JSON is a list of links; ipj and i?j are possible ones. Lines \"SENTENCE I J "
    "S\",\n"
    "S or P, all from 1, are read as well. Only GOLD needs texts, and only for soft links of\n"
    "phrases and for content words. Pairs are matched by id where GOLD has different ones\n"
    "and SYSTEM has any, else by order.\n"
    "\n"
    "Precision counts sure and possible links of GOLD as right, recall asks for the sure\n"
    "ones. A phrase pair stands for all pairs of its words; among soft links, where both\n"
    "phrases are the same words, for each word with its own.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n";

int tz_cli_eval_alignment(int argc, char **argv) {
    tz_options o = {.command = command,
                    .synopsis = "[OPTION]... GOLD SYSTEM [SYSTEM2]",
                    .about = about,
                    .notes = notes,
                    .more = {TZ_GROUP_AT(tz_eval_option, settings, eval)},
                    .most = 3,
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.eval = tz_eval_default};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    const char *const more[] = {s.possible, s.ignore};
    int exit = tz_eval_files(&o, "SYSTEM", false, more, 2, s.file);
    return exit == 0 ? evaluate(&s) : exit;
}
