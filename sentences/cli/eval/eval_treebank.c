/* eval_treebank.c - `trapeze eval tagger` and `trapeze eval parser`: CoNLL-U files of the same
 * words. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/cli/eval/eval.h"
#include "sentences/cli/input/treebank.h"

/* ---- Figures --------------------------------------------------------------------------------- */

enum { UPOS, XPOS, TAGS, TAGGER_FIGURES };

static const tz_figure tagger_figures[TAGGER_FIGURES] = {
    [UPOS] = {"upos", "UPOS accuracy", "words"},
    [XPOS] = {"xpos", "XPOS accuracy", "words"},
    [TAGS] = {"upos.sentences", "UPOS, whole sentences", "sentences"},
};

enum { UAS, UAS_WITHOUT, LAS, LAS_WITHOUT, TREES, PARSER_FIGURES };

static const tz_figure parser_figures[PARSER_FIGURES] = {
    [UAS] = {"uas", "UAS", "words"},
    [UAS_WITHOUT] = {"uas.without_punctuation", "UAS without punctuation", "words"},
    [LAS] = {"las", "LAS", "words"},
    [LAS_WITHOUT] = {"las.without_punctuation", "LAS without punctuation", "words"},
    [TREES] = {"uas.sentences", "UAS, whole sentences", "sentences"},
};

/* What is measured: of a sentence of the right words, each figure's ratio. */
typedef struct kind {
    const char *command;
    size_t figures;
    const tz_figure *figure;
    bool heads; /* GOLD must have them */
    void (*measure)(const tz_conllu_sentence *gold, const tz_conllu_sentence *guess,
                    tz_ratio *ret_ratio);
} kind;

static void count(tz_ratio *ratio, bool right) {
    ratio->part += right;
    ratio->whole++;
}

static bool same(const tz_conllu_row *a, const tz_conllu_row *b, int column) {
    return strcmp(a->column[column], b->column[column]) == 0;
}

static bool given(const tz_conllu_row *row, int column) {
    return strcmp(row->column[column], "_") != 0;
}

/* Does any word of the sentence have something in the column? */
static bool any(const tz_conllu_sentence *sentence, int column) {
    for (int32_t w = 1; w <= sentence->words; w++)
        if (given(sentence->word[w], column))
            return true;
    return false;
}

/* Everything right, in sentences that have words. */
static tz_ratio whole(tz_ratio ratio) {
    return (tz_ratio){ratio.whole > 0 && ratio.part == ratio.whole, ratio.whole > 0};
}

static void measure_tags(const tz_conllu_sentence *gold, const tz_conllu_sentence *guess,
                         tz_ratio *ret_ratio) {
    bool fine = any(gold, TZ_XPOS);
    for (int32_t w = 1; w <= gold->words; w++) {
        const tz_conllu_row *a = gold->word[w], *b = guess->word[w];
        count(&ret_ratio[UPOS], same(a, b, TZ_UPOS));
        if (fine)
            count(&ret_ratio[XPOS], same(a, b, TZ_XPOS));
    }
    ret_ratio[TAGS] = whole(ret_ratio[UPOS]);
}

static void measure_trees(const tz_conllu_sentence *gold, const tz_conllu_sentence *guess,
                          tz_ratio *ret_ratio) {
    bool labelled = any(gold, TZ_DEPREL);
    for (int32_t w = 1; w <= gold->words; w++) {
        const tz_conllu_row *a = gold->word[w], *b = guess->word[w];
        bool attached = a->head == b->head, label = attached && same(a, b, TZ_DEPREL);
        bool word = strcmp(a->column[TZ_UPOS], "PUNCT") != 0;
        count(&ret_ratio[UAS], attached);
        if (word)
            count(&ret_ratio[UAS_WITHOUT], attached);
        if (labelled)
            count(&ret_ratio[LAS], label);
        if (labelled && word)
            count(&ret_ratio[LAS_WITHOUT], label);
    }
    ret_ratio[TREES] = whole(ret_ratio[UAS]);
}

static const kind tagger = {.command = "trapeze eval tagger",
                            .figures = TAGGER_FIGURES,
                            .figure = tagger_figures,
                            .measure = measure_tags};
static const kind parser = {.command = "trapeze eval parser",
                            .figures = PARSER_FIGURES,
                            .figure = parser_figures,
                            .heads = true,
                            .measure = measure_trees};

/* ---- Files ----------------------------------------------------------------------------------- */

/* The figures of one predicted file. */
typedef struct measured {
    tz_ratio *ratio; /* [sentences * kind->figures] */
    size_t sentences, capacity;
    bool fine, labelled; /* some word has XPOS, DEPREL */
} measured;

/* Are the words the same, and have those of GOLD heads where they are needed? */
static int check(const kind *kind, const tz_conllu_sentence *gold, const tz_conllu_sentence *guess,
                 const char *const *name) {
    if (gold->words != guess->words) {
        tz_message(kind->command, "%s:%zu: the sentence has %d words, that of %s has %d", name[1],
                   guess->row[0].line, guess->words, name[0], gold->words);
        return TZ_EXIT_INPUT;
    }
    for (int32_t w = 1; w <= gold->words; w++) {
        const tz_conllu_row *a = gold->word[w], *b = guess->word[w];
        if (!same(a, b, TZ_FORM)) {
            tz_message(kind->command, "%s:%zu: word %d is '%s', in %s:%zu it is '%s'", name[1],
                       b->line, w, b->column[TZ_FORM], name[0], a->line, a->column[TZ_FORM]);
            return TZ_EXIT_INPUT;
        }
        if (kind->heads && a->head < 0) {
            tz_message(kind->command, "%s:%zu: word %d has no head", name[0], a->line, w);
            return TZ_EXIT_INPUT;
        }
    }
    return 0;
}

static int add(const kind *kind, const tz_conllu_sentence *gold, const tz_conllu_sentence *guess,
               measured *m) {
    if (!tz_grow_any(&m->ratio, &m->capacity, m->sentences + 1, kind->figures * sizeof *m->ratio,
                     false))
        return tz_failed(kind->command, TZ_NO_MEMORY, NULL);
    tz_ratio *row = m->ratio + m->sentences++ * kind->figures;
    memset(row, 0, kind->figures * sizeof *row);
    kind->measure(gold, guess, row);
    m->fine |= any(guess, TZ_XPOS);
    m->labelled |= any(guess, TZ_DEPREL);
    return 0;
}

/* Both files side by side. */
static int walk(const kind *kind, const tz_treebank *gold, const tz_treebank *guess, measured *m) {
    const char *name[2] = {tz_lines_name(gold->text.lines), tz_lines_name(guess->text.lines)};
    for (;;) {
        const tz_conllu_sentence *a, *b;
        tz_error error = {TZ_OK, ""};
        tz_status first = tz_conllu_next(gold->conllu, &a, &error);
        tz_status second =
            first == TZ_OK || first == TZ_NONE ? tz_conllu_next(guess->conllu, &b, &error) : first;
        if (second != TZ_OK && second != TZ_NONE)
            return tz_failed(kind->command, second, &error);
        if (first != second) {
            tz_message(kind->command, "%s has fewer sentences than %s", name[first != TZ_NONE],
                       name[first == TZ_NONE]);
            return TZ_EXIT_INPUT;
        }
        if (first == TZ_NONE)
            return 0;
        int exit = check(kind, a, b, name);
        exit = exit == 0 ? add(kind, a, b, m) : exit;
        if (exit != 0)
            return exit;
    }
}

static void leave_out(measured *m, size_t figures, size_t figure) {
    for (size_t s = 0; s < m->sentences; s++)
        m->ratio[s * figures + figure] = (tz_ratio){0, 0};
}

/* A file without any label, or any fine tag, has not been given them: no figure. */
static int measure(const kind *kind, const char *gold_name, const char *name, measured *m) {
    tz_treebank gold = {0}, guess = {0};
    int exit = tz_treebank_open(kind->command, gold_name, &gold);
    exit = exit == 0 ? tz_treebank_open(kind->command, name, &guess) : exit;
    exit = exit == 0 ? walk(kind, &gold, &guess, m) : exit;
    if (exit == 0 && kind == &parser && !m->labelled) {
        leave_out(m, kind->figures, LAS);
        leave_out(m, kind->figures, LAS_WITHOUT);
    }
    if (exit == 0 && kind == &tagger && !m->fine)
        leave_out(m, kind->figures, XPOS);
    tz_treebank_close(&gold);
    tz_treebank_close(&guess);
    return exit;
}

static int evaluate(const kind *kind, const char *const *file, const tz_eval_settings *settings) {
    measured system[2] = {0};
    size_t systems = file[2] ? 2 : 1;
    int exit = 0;
    tz_report report = {
        .figure = kind->figure, .systems = systems, .resampling = settings->resampling};
    for (size_t s = 0; s < systems && exit == 0; s++) {
        exit = measure(kind, file[0], file[s + 1], &system[s]);
        report.name[s] = file[s + 1];
        report.system[s] = (tz_measured){
            .sentences = system[s].sentences, .figures = kind->figures, .ratio = system[s].ratio};
    }
    exit = exit == 0 ? tz_eval_report(kind->command, &report, settings) : exit;
    free(system[0].ratio);
    free(system[1].ratio);
    return exit;
}

/* ---- The command line ------------------------------------------------------------------------ */

int tz_cli_eval_treebank(int argc, char **argv) {
    const kind *kind = strcmp(argv[0], "tagger") == 0 ? &tagger : &parser;
    tz_options o = {
        .command = kind->command,
        .synopsis = "[OPTION]... GOLD PREDICTED [PREDICTED2]",
        .about =
            "Compare CoNLL-U files of the same words: which share of tags (tagger: UPOS, XPOS),\n"
            "or of heads without and with their labels (parser: UAS, LAS) of PREDICTED is as\n"
            "in GOLD, with 95 % intervals. PREDICTED2: is there a difference?\n",
        .notes =
            "Heads are counted over all words, and over those whose tag in GOLD is not PUNCT.\n"
            "Labels (DEPREL) are compared as they stand, with subtypes. XPOS and labels are\n"
            "compared where both files have any.\n\n"
            "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .most = 3,
        TZ_COMMAND_ROWS(tz_eval_option, argc, argv)};
    tz_eval_settings settings = tz_eval_default;
    const char *file[3];
    if (!tz_take_options(&o, NULL, &settings))
        return o.status;
    int exit = tz_eval_files(&o, "PREDICTED", true, NULL, 0, file);
    return exit == 0 ? evaluate(kind, file, &settings) : exit;
}
