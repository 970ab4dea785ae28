/* eval.c - `trapeze eval`: predictions against what is right. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/eval.h"
#include "cli/treebank.h"

static const char command[] = "trapeze eval";

/* How many words, and of how many the prediction agrees. */
typedef struct count {
    size_t words, right;
} count;

static void add(count *count, bool right) {
    count->words++;
    count->right += right;
}

static void print(const char *what, const count *count) {
    printf("%-24s %7.2f %%   %zu of %zu words\n", what,
           count->words > 0 ? 100 * (double)count->right / (double)count->words : 0, count->right,
           count->words);
}

typedef struct scores {
    count tags, arcs, arcs_without; /* without punctuation */
} scores;

static int compare(const tz_conllu_sentence *gold, const tz_conllu_sentence *guess,
                   const tz_treebank *file, const tz_treebank *other, bool heads, scores *scores) {
    const char *names[2] = {tz_lines_name(file->lines), tz_lines_name(other->lines)};
    if (gold->words != guess->words) {
        tz_message(command, "%s:%zu: the sentence has %d words, that of %s has %d", names[1],
                   guess->row[0].line, guess->words, names[0], gold->words);
        return TZ_EXIT_INPUT;
    }
    for (int32_t w = 1; w <= gold->words; w++) {
        const tz_conllu_row *a = gold->word[w], *b = guess->word[w];
        if (strcmp(a->column[TZ_FORM], b->column[TZ_FORM]) != 0) {
            tz_message(command, "%s:%zu: word %d is '%s', in %s it is '%s'", names[1], b->line, w,
                       b->column[TZ_FORM], names[0], a->column[TZ_FORM]);
            return TZ_EXIT_INPUT;
        }
        if (heads && a->head < 0) {
            tz_message(command, "%s:%zu: word %d has no head", names[0], a->line, w);
            return TZ_EXIT_INPUT;
        }
        add(&scores->tags, strcmp(a->column[TZ_UPOS], b->column[TZ_UPOS]) == 0);
        add(&scores->arcs, a->head == b->head);
        if (strcmp(a->column[TZ_UPOS], "PUNCT") != 0) {
            add(&scores->arcs_without, a->head == b->head);
        }
    }
    return 0;
}

/* Both files side by side. */
static int walk(const tz_treebank *gold, const tz_treebank *guess, bool heads, scores *scores) {
    for (;;) {
        const tz_conllu_sentence *a, *b;
        tz_error error = {TZ_OK, ""};
        tz_status first = tz_conllu_next(gold->conllu, &a, &error);
        tz_status second =
            first == TZ_OK || first == TZ_NONE ? tz_conllu_next(guess->conllu, &b, &error) : first;
        if (second != TZ_OK && second != TZ_NONE) {
            return tz_treebank_error(command, second, &error);
        }
        if (first != second) {
            const tz_treebank *shorter = first == TZ_NONE ? gold : guess;
            tz_message(command, "%s has fewer sentences than %s", tz_lines_name(shorter->lines),
                       tz_lines_name((shorter == gold ? guess : gold)->lines));
            return TZ_EXIT_INPUT;
        }
        if (first == TZ_NONE) {
            return 0;
        }
        int exit = compare(a, b, gold, guess, heads, scores);
        if (exit != 0) {
            return exit;
        }
    }
}

static int evaluate(const char *const *file, bool heads) {
    tz_treebank gold = {0}, guess = {0};
    scores scores = {0};
    int exit = tz_treebank_open(command, file[0], &gold);
    exit = exit == 0 ? tz_treebank_open(command, file[1], &guess) : exit;
    exit = exit == 0 ? walk(&gold, &guess, heads, &scores) : exit;
    if (exit == 0 && heads) {
        print("UAS", &scores.arcs);
        print("UAS without punctuation", &scores.arcs_without);
    } else if (exit == 0) {
        print("UPOS accuracy", &scores.tags);
    }
    tz_treebank_close(&gold);
    tz_treebank_close(&guess);
    return exit;
}

int tz_cli_eval(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "lm") == 0) {
        return tz_cli_eval_lm(argc - 1, argv + 1);
    }
    tz_options o = {
        .command = command,
        .synopsis = "tagger|parser GOLD PREDICTED | lm -m MODEL [FILE]",
        .about =
            "Compare two CoNLL-U files of the same words: which share of tags (UPOS) or heads\n"
            "of PREDICTED is as in GOLD. 'trapeze eval lm --help': perplexity of text.\n",
        .notes = "Heads are counted over all words (UAS), and over those whose tag in GOLD is not\n"
                 "PUNCT.\n\nExit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .argc = argc,
        .argv = argv,
        .next = 1};
    const char *operand[3] = {NULL};
    size_t operands = 0;
    int which;
    while ((which = tz_next_option(&o)) != TZ_END) {
        if (which == TZ_STOP) {
            return o.status;
        }
        if (operands == 3) {
            return tz_usage_error(command, "'%s' is one too many", o.value);
        }
        operand[operands++] = o.value;
    }
    bool heads = operands > 0 && strcmp(operand[0], "parser") == 0;
    if (operands > 0 && !heads && strcmp(operand[0], "tagger") != 0) {
        return tz_usage_error(command, "tagger or parser, not '%s'", operand[0]);
    }
    if (operands < 3) {
        return tz_usage_error(command, "three arguments are needed: tagger or parser, GOLD, "
                                       "PREDICTED");
    }
    if (strcmp(operand[1], "-") == 0 && strcmp(operand[2], "-") == 0) {
        return tz_usage_error(command, "GOLD and PREDICTED cannot both be standard input");
    }
    return evaluate(operand + 1, heads);
}
