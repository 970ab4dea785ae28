/* grammar.c - `trapeze grammar check|show|binarise|sample`. SPDX-License-Identifier: MIT */
#include "cli/grammar/grammar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_file.h"

enum { LARGEST = 1 << 28 };

typedef struct grammar_choice {
    tz_grammar_choice grammar;
} grammar_choice;

/* ---- Reading --------------------------------------------------------------------------------- */

bool tz_grammar_is_gbnf(const tz_grammar_choice *choice) {
    const char *end = choice->file != NULL ? strrchr(choice->file, '.') : NULL;
    return choice->notation >= 0 ? choice->notation == TZ_GBNF
                                 : end != NULL && strcmp(end, ".gbnf") == 0;
}

int tz_grammar_open(const char *command, const tz_grammar_choice *choice, tz_grammar **ret) {
    const bool gbnf = tz_grammar_is_gbnf(choice);
    const int of = choice->weights < 0 && gbnf ? TZ_RULE_UNIFORM : choice->weights;
    tz_error error;
    char *text;
    size_t size;
    if (of < 0)
        return tz_usage_error(command, "say what the numbers of the rules are: --weights "
                                       "probabilities, weights, logs, counts or uniform");
    tz_status status = tz_text_read(choice->file, LARGEST, &text, &size, &error);
    if (status != TZ_OK)
        return tz_failed(command, status, &error);
    if (size > LARGEST) {
        free(text);
        tz_message(command, "%s: more than %d bytes", choice->file, LARGEST);
        return TZ_EXIT_INPUT;
    }
    status = tz_grammar_parse(choice->file, text, size, gbnf ? TZ_GBNF : TZ_ARROWS,
                              (tz_rule_weights)of, NULL, 0, ret, &error);
    free(text);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

/* ---- show and binarise ----------------------------------------------------------------------- */

static const tz_option grammar_options[TZ_GRAMMAR_OPTIONS] = {
    TZ_GRAMMAR_OPTION_ROWS(grammar_choice)};
#define GRAMMAR_ALONE(argc, argv)                                                                  \
    .synopsis = "-w WEIGHTS [OPTION]... GRAMMAR", TZ_COMMAND_ROWS(grammar_options, argc, argv),    \
    TZ_GRAMMAR_OPERAND(grammar_choice)

/* Of an action that takes a grammar alone; 0, or the exit code; *ret NULL: it is to end. */
static int read_alone(tz_options *o, grammar_choice *c, tz_grammar **ret) {
    *c = (grammar_choice){TZ_GRAMMAR_UNSAID};
    *ret = NULL;
    return tz_take_options(o, NULL, c) ? tz_grammar_open(o->command, &c->grammar, ret) : o->status;
}

static int print_grammar(tz_options *o, bool binarised) {
    grammar_choice choice;
    tz_grammar *grammar;
    const int status = read_alone(o, &choice, &grammar);
    if (status != 0 || grammar == NULL)
        return status;
    const size_t size = tz_grammar_show(grammar, binarised, NULL, 0);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    const bool done = text != NULL && tz_grammar_show(grammar, binarised, text, size + 1) == size;
    if (done)
        fwrite(text, 1, size, stdout);
    free(text);
    tz_grammar_free(grammar);
    return done ? tz_flush_results(o->command) : tz_failed(o->command, TZ_NO_MEMORY, NULL);
}

static int show(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze grammar show",
        .about = "Prints a grammar in the notation with arrows: counts and choices as\n"
                 "probabilities, GBNF with a symbol for each group and repetition.\n",
        GRAMMAR_ALONE(argc, argv),
    };
    return print_grammar(&options, false);
}

static int binarise(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze grammar binarise",
        .about =
            "Prints a grammar by rules of at most two symbols. What is left of a longer rule is\n"
            "a symbol: NP~3.1 is rule 3 of the file from its symbol 1 on, both counted from 0;\n"
            "rules that end alike share it. ~0 is the word of this number.\n",
        GRAMMAR_ALONE(argc, argv),
    };
    return print_grammar(&options, true);
}

/* ---- check ----------------------------------------------------------------------------------- */

/* Which symbols can stand in a tree of the start. */
static void reach(const tz_grammar_parts *p, const size_t *first, const uint32_t *by_left,
                  bool *reached, int32_t *queue) {
    size_t waiting = 0;
    queue[waiting++] = p->root;
    reached[p->root] = true;
    while (waiting > 0) {
        const int32_t a = queue[--waiting];
        for (size_t r = first[a]; r < first[a + 1]; r++) {
            const tz_grammar_rule *rule = &p->rule[by_left[r]];
            for (size_t i = 0; i < rule->size; i++) {
                const int32_t part = p->right[rule->first + i];
                if (part >= 0 && !reached[part]) {
                    reached[part] = true;
                    queue[waiting++] = part;
                }
            }
        }
    }
}

static bool find_reached(const tz_grammar_parts *p, bool *reached) {
    size_t *first = calloc(p->symbols + 2, sizeof *first);
    uint32_t *by_left = malloc((p->rules + 1) * sizeof *by_left);
    int32_t *queue = malloc((p->symbols + 1) * sizeof *queue);
    const bool there = first != NULL && by_left != NULL && queue != NULL;
    if (there) {
        for (size_t r = 0; r < p->rules; r++)
            first[p->rule[r].left + 2]++;
        for (size_t a = 2; a < p->symbols + 2; a++)
            first[a] += first[a - 1];
        for (size_t r = 0; r < p->rules; r++)
            by_left[first[p->rule[r].left + 1]++] = (uint32_t)r;
        reach(p, first, by_left, reached, queue);
    }
    free(first);
    free(by_left);
    free(queue);
    return there;
}

/* The names of the file's symbols for which `is` is not `but`; of many, the first ones. */
static void print_symbols(const char *what, const tz_grammar_parts *p, const bool *is, bool but) {
    enum { MOST = 20 };
    size_t found = 0;
    for (size_t a = 0; a < p->symbols; a++)
        if (!p->made[a] && is[a] != but && found++ < MOST)
            printf("%s %s", found == 1 ? what : "", p->symbol[a]);
    if (found > MOST)
        printf(" ... and %zu more", found - MOST);
    if (found > 0)
        putchar('\n');
}

static int print_check(const char *command, const char *file, const tz_grammar *grammar) {
    const tz_grammar_parts *p = tz_grammar_parts_of(grammar);
    double *total = malloc((p->symbols + 1) * sizeof *total);
    bool *reached = calloc(p->symbols + 1, sizeof *reached);
    bool *derives = calloc(p->symbols + 1, sizeof *derives);
    char number[64];
    tz_error error;
    size_t symbols = 0;
    const bool there =
        total != NULL && reached != NULL && derives != NULL && find_reached(p, reached);
    const tz_status status = there ? tz_grammar_totals(grammar, total, &error) : TZ_NO_MEMORY;
    for (size_t a = 0; a < p->symbols; a++)
        symbols += !p->made[a];
    if (status == TZ_OK || status == TZ_DIVERGES) {
        printf("%s\n\nsymbols    %zu, from %s\nwords      %zu\nrules      %zu\n", file, symbols,
               p->symbol[p->root], p->words, p->rules);
        printf("binarised  %zu of two symbols, %zu unary, %zu words, %zu of nothing\n",
               p->list[3].entries, p->list[2].entries, p->list[0].entries, p->list[1].entries);
        if (p->list[1].entries > 0)
            printf("nothing    trees over nothing have at most %d rules above one another\n",
                   p->height + 1);
        snprintf(number, sizeof number, "%.10g", status == TZ_OK ? exp(total[p->root]) : 0);
        printf("total      %s\n", status == TZ_OK ? number : error.message);
        print_symbols("unused    ", p, reached, true);
        for (size_t a = 0; a < p->symbols; a++)
            derives[a] = status != TZ_OK || total[a] > -INFINITY;
        print_symbols("no words  ", p, derives, true);
    }
    free(total);
    free(reached);
    free(derives);
    return status == TZ_NO_MEMORY ? tz_failed(command, status, NULL) : tz_flush_results(command);
}

static int check(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze grammar check",
        .about = "Says how large a grammar is, the sum over all its trees (1 of a grammar of\n"
                 "probabilities in which every tree ends), and which symbols stand in no tree or\n"
                 "have no words.\n",
        GRAMMAR_ALONE(argc, argv),
    };
    grammar_choice choice;
    tz_grammar *grammar;
    int status = read_alone(&options, &choice, &grammar);
    if (status == 0 && grammar != NULL)
        status = print_check(options.command, choice.grammar.file, grammar);
    tz_grammar_free(grammar);
    return status;
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum { NUMBER = TZ_GRAMMAR_OPTIONS, SEED, ONLY_WORDS, SAMPLE_OPTIONS };

typedef struct sample_choice {
    tz_grammar_choice grammar;
    long number, seed;
    bool only_words;
} sample_choice;

static const tz_option sample_options[SAMPLE_OPTIONS] = {
    TZ_GRAMMAR_OPTION_ROWS(sample_choice),
    [NUMBER] = {"number", 'n', "K", "how many trees (1)",
                TZ_NUMBER_AT(sample_choice, number, 0, 1000000000)},
    [SEED] = {"seed", 0, "S", "seed of the random numbers (1)",
              TZ_NUMBER_AT(sample_choice, seed, 0, 0x7fffffff)},
    [ONLY_WORDS] = {"only-words", 0, NULL, "print only the words of each tree",
                    TZ_FLAG_AT(sample_choice, only_words)},
};

/* The words of a tree, from left to right: rules in the order of a leftmost derivation have those
 * that stand before a symbol before it. */
static bool put_words(tz_text *text, const tz_grammar *grammar, const uint32_t *rule, size_t rules,
                      const char *between) {
    const tz_grammar_parts *p = tz_grammar_parts_of(grammar);
    size_t depth = 0, next = 0;
    struct {
        size_t at, end;
    } *open = malloc((rules + 1) * sizeof *open);
    if (open == NULL)
        return false;
    for (bool first = true; next < rules || depth > 0;) {
        if (depth > 0 && open[depth - 1].at == open[depth - 1].end) {
            depth--;
            continue;
        }
        const int32_t part = depth > 0 ? p->right[open[depth - 1].at++] : p->root;
        if (part >= 0) {
            const tz_grammar_rule *used = &p->rule[rule[next++]];
            open[depth].at = used->first;
            open[depth++].end = used->first + used->size;
            continue;
        }
        if (!first)
            tz_text_put(text, between);
        tz_text_put(text, p->word[-1 - part]);
        first = false;
    }
    free(open);
    return !text->failed;
}

static int print_sample(const char *command, const sample_choice *c, const tz_grammar *grammar,
                        tz_grammar_sampler *sampler) {
    const uint32_t *rule;
    size_t rules;
    tz_status status = tz_grammar_sampler_next(sampler, &rule, &rules);
    tz_text text = {0};
    if (status == TZ_TOO_LARGE) {
        tz_message(command,
                   "%s: a tree of more than 2^20 rules: its rules lead to ever more "
                   "symbols; give smaller weights to those that contain themselves",
                   c->grammar.file);
        return TZ_EXIT_INPUT;
    }
    if (status == TZ_OK && c->only_words) {
        const char *between = tz_grammar_is_gbnf(&c->grammar) ? "" : " ";
        status = put_words(&text, grammar, rule, rules, between) ? TZ_OK : TZ_NO_MEMORY;
    } else if (status == TZ_OK) {
        const size_t size = tz_grammar_brackets(grammar, rule, rules, NULL, 0);
        char *brackets = malloc(size + 1);
        status = size > 0 && brackets != NULL ? TZ_OK : TZ_NO_MEMORY;
        if (status == TZ_OK && tz_grammar_brackets(grammar, rule, rules, brackets, size + 1) > 0)
            tz_text_add(&text, brackets, size);
        free(brackets);
    }
    tz_text_put(&text, "\n");
    if (text.failed)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK)
        tz_text_write(&text, stdout);
    tz_text_free(&text);
    return status == TZ_OK ? 0 : tz_failed(command, status, NULL);
}

static int sample_all(const char *command, const sample_choice *c, const tz_grammar *grammar) {
    tz_error error;
    tz_grammar_sampler *sampler = NULL;
    double *total = malloc((tz_grammar_parts_of(grammar)->symbols + 1) * sizeof *total);
    if (total == NULL)
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    tz_status status = tz_grammar_totals(grammar, total, &error);
    int failed = status == TZ_OK ? 0 : tz_failed(command, status, &error);
    if (failed == 0)
        status = tz_grammar_sampler_new(grammar, total, (uint64_t)c->seed, &sampler);
    free(total);
    if (failed == 0 && status == TZ_NONE) {
        tz_message(command, "%s: the grammar has no trees: no rules lead from its start to words",
                   c->grammar.file);
        failed = TZ_EXIT_INPUT;
    } else if (failed == 0 && status != TZ_OK) {
        failed = tz_failed(command, status, NULL);
    }
    for (long k = 0; k < c->number && failed == 0; k++)
        failed = print_sample(command, c, grammar, sampler);
    tz_grammar_sampler_free(sampler);
    return failed != 0 ? failed : tz_flush_results(command);
}

static int sample(int argc, char **argv) {
    tz_options options = {
        .command = "trapeze grammar sample",
        .synopsis = "-w WEIGHTS [OPTION]... GRAMMAR",
        .about = "Prints trees of the grammar at random, each as likely as its weight, one a line\n"
                 "in brackets.\n",
        TZ_COMMAND_ROWS(sample_options, argc, argv),
        TZ_GRAMMAR_OPERAND(sample_choice),
    };
    sample_choice choice = {TZ_GRAMMAR_UNSAID, .number = 1, .seed = 1};
    tz_grammar *grammar = NULL;
    if (!tz_take_options(&options, NULL, &choice))
        return options.status;
    int status = tz_grammar_open(options.command, &choice.grammar, &grammar);
    if (status == 0)
        status = sample_all(options.command, &choice, grammar);
    tz_grammar_free(grammar);
    return status;
}

/* ---- The actions ----------------------------------------------------------------------------- */

static const tz_action actions[] = {
    {"check", "the size of a grammar, and what it derives", check},
    {"show", "the grammar in the notation with arrows", show},
    {"binarise", "the grammar in rules of at most two symbols", binarise},
    {"parse", "trees and probabilities of sentences, and next words", tz_cli_grammar_parse},
    {"sample", "trees at random", sample},
};

static const tz_actions all = {
    .command = "trapeze grammar",
    .what = "action",
    .about = "Weighted context-free grammars as text.\n",
    .action = actions,
    .actions = sizeof actions / sizeof *actions,
};

int tz_cli_grammar(int argc, char **argv) {
    return tz_run_action(&all, argc, argv);
}
