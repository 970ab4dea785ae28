/* eval_lm.c - `trapeze eval lm`: perplexity of text. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/text_file.h"
#include "sentences/cli/eval/eval.h"
#include "sentences/cli/input/arpa.h"

static const char command[] = "trapeze eval lm";

enum { LINE_LIMIT = 1 << 24 };

/* Of the text so far. Tokens are words and sentence ends. */
typedef struct totals {
    size_t sentences, words, unknown;
    double log_prob, log_prob_known; /* of all tokens; of those that are not unknown */
} totals;

static void add_sentence(const tz_lm *lm, const uint32_t *text, size_t size, totals *t) {
    for (size_t i = 1; i < size; i++) {
        double log_prob = tz_lm_log_prob(lm, text, i, text[i]);
        bool unknown = text[i] == TZ_LM_UNKNOWN;
        t->log_prob += log_prob;
        t->log_prob_known += unknown ? 0 : log_prob;
        t->unknown += unknown;
    }
    t->words += size - 2;
    t->sentences++;
}

static int read_text(const tz_lm *lm, tz_lines *lines, totals *t) {
    uint32_t *text = NULL;
    size_t capacity = 0;
    int exit = 0;
    while (exit == 0) {
        char *line;
        size_t size;
        tz_error error;
        tz_status status = tz_lines_next(lines, &line, &size, &error);
        if (status != TZ_OK) {
            exit = status == TZ_NONE ? 0 : tz_failed(command, status, &error);
            break;
        }
        bool grown = TZ_GROW(text, &capacity, size + 2);
        if (!grown) {
            exit = tz_failed(command, TZ_NO_MEMORY, NULL);
            break;
        }
        const char *at = line;
        size_t words = 0;
        text[words++] = TZ_LM_BEGIN;
        for (const char *word; (word = tz_lm_next(&at, &size)) != NULL;)
            text[words++] = tz_lm_word(lm, word, size);
        if (words > 1) {
            text[words++] = TZ_LM_END;
            add_sentence(lm, text, words, t);
        }
    }
    free(text);
    return exit;
}

static void put(tz_text *out, const char *name, double number) {
    tz_text_put(out, out->size > 0 ? ",\"" : "{\"");
    tz_text_put(out, name);
    tz_text_put(out, "\":");
    tz_text_number(out, number);
}

static int print(const totals *t) {
    tz_text out = {0};
    double tokens = (double)(t->words + t->sentences), known = tokens - (double)t->unknown;
    put(&out, "sentences", (double)t->sentences);
    put(&out, "words", (double)t->words);
    put(&out, "unknown", (double)t->unknown);
    put(&out, "log_prob", t->log_prob);
    put(&out, "perplexity", tokens > 0 ? exp(-t->log_prob / tokens) : 1);
    put(&out, "perplexity_known", known > 0 ? exp(-t->log_prob_known / known) : 1);
    tz_text_put(&out, "}\n");
    int exit = out.failed ? tz_failed(command, TZ_NO_MEMORY, NULL) : 0;
    if (exit == 0)
        tz_text_write(&out, stdout);
    tz_text_free(&out);
    return exit;
}

static int evaluate(const char *model, const char *name) {
    tz_lm *lm;
    tz_text_file in;
    totals t = {0};
    int exit = tz_arpa_read(command, model, &lm);
    if (exit != 0)
        return exit;
    exit = tz_text_file_open(command, name, LINE_LIMIT, &in);
    exit = exit == 0 ? read_text(lm, in.lines, &t) : exit;
    exit = exit == 0 ? print(&t) : exit;
    tz_text_file_close(&in);
    tz_lm_free(lm);
    return exit;
}

typedef struct settings {
    const char *model;
} settings;

static const tz_option option_table[] = {
    {"model", 'm', "MODEL", "an ARPA file, as `trapeze train lm` writes",
     TZ_TEXT_AT(settings, model)},
};

int tz_cli_eval_lm(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "-m MODEL.arpa [FILE|-]",
        .about =
            "How well a language model predicts text, one sentence a line, words separated by\n"
            "blanks. Prints a JSON object: sentences, words, how many of them are unknown to\n"
            "the model; the natural log of the text's probability; perplexity,\n"
            "exp(-log_prob / (words + sentences)), and the same without the unknown words.\n",
        .notes = "Perplexities compare between models of the same vocabulary only: a model that\n"
                 "knows fewer words has less to predict.\n\n"
                 "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
        .most = 1,
        .wanted = "one file at a time",
        .usual = "-",
        TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {NULL};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    return s.model ? evaluate(s.model, *o.operand)
                   : tz_usage_error(command, "which model? -m FILE");
}
