/* parse.c - `trapeze grammar parse`: sentences, one a line, by gallery/grammar, prefix and next.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/grammar/grammar.h"
#include "cli/text_file.h"
#include "io/json/json_structures.h"

static const char command[] = "trapeze grammar parse";

enum { LINE_LIMIT = 1 << 24, MOST_WEIGHTS = 8 };

enum { BEST = TZ_GRAMMAR_OPTIONS, KBEST, SAMPLE, SEED, PREFIX, NEXT, KEEP_GOING, OPTIONS };

typedef struct choice {
    tz_grammar_choice grammar;
    const char *text;
    tz_questions asked;
    bool prefix, next, keep_going;
} choice;

static const tz_option option_table[OPTIONS] = {
    TZ_GRAMMAR_OPTION_ROWS(choice),
    [BEST] = {"best", 0, NULL, "the best tree; the default where nothing else is asked",
              TZ_FLAG_AT(choice, asked.wanted[TZ_ASK_BEST])},
    [KBEST] = {"kbest", 0, "K", "the K best trees, best first",
               TZ_NUMBER_AT(choice, asked.wanted[TZ_ASK_KBEST], 1, 1000000000)},
    [SAMPLE] = {"sample", 0, "K", "K trees of the sentence at random",
                TZ_NUMBER_AT(choice, asked.wanted[TZ_ASK_SAMPLES], 1, 1000000000)},
    [SEED] = {"seed", 0, "S", "seed of the samples (1); each line has its own",
              TZ_NUMBER_AT(choice, asked.seed, 0, 0x7fffffff)},
    [PREFIX] = {"prefix", 0, NULL, "the log of the sum over all sentences that begin so",
                TZ_FLAG_AT(choice, prefix)},
    [NEXT] = {"next", 0, NULL,
              "the words that may follow, likeliest first, each with its\n"
              "probability; null is the end",
              TZ_FLAG_AT(choice, next)},
    [KEEP_GOING] = {"keep-going", 0, NULL,
                    "a line that cannot be answered gives an error in its\n"
                    "place, and the others go on",
                    TZ_FLAG_AT(choice, keep_going)},
};

/* ---- Problems -------------------------------------------------------------------------------- */

/* A rule set of the gallery under a semiring. */
typedef struct question {
    tz_rules *rules;
    tz_plan *plan;
    tz_chart *chart;
} question;

enum { SUM, TREES, BEGIN, FOLLOW, QUESTIONS };
static const struct {
    const char *rules, *semiring;
} asked[QUESTIONS] = {[SUM] = {"gallery/grammar", "log"},
                      [TREES] = {"gallery/grammar", "max"},
                      [BEGIN] = {"gallery/prefix", "log"},
                      [FOLLOW] = {"gallery/next", "log"}};

typedef struct job {
    const choice *choice;
    const tz_grammar *grammar;
    const tz_grammar_parts *parts;
    question question[QUESTIONS];
    unsigned asked;            /* which of these, whose trees are written */
    double *total, *following; /* [symbols], [words] */
    int32_t *words;            /* of the sentence */
    size_t count, number;      /* of the sentence, from 1 */
    tz_buffer room, rule, brackets, order;
    tz_text out;
    tz_error error;
} job;

static tz_status ask_new(question *q, unsigned which, tz_error *error) {
    tz_status status = tz_gallery_read(asked[which].rules, &q->rules, error);
    if (status == TZ_OK)
        status = tz_plan_new(q->rules, tz_semiring_find(asked[which].semiring, TZ_F64), 0, &q->plan,
                             error);
    return status == TZ_OK ? tz_chart_new(q->plan, &q->chart) : status;
}

/* The sentence to a chart, and inside. */
static tz_status bind(job *j, unsigned which) {
    question *q = &j->question[which];
    const int32_t lengths[] = {(int32_t)j->count, (int32_t)j->parts->symbols,
                               (int32_t)j->parts->words, j->parts->height};
    tz_scores scores[MOST_WEIGHTS];
    tz_shape shape;
    int64_t bound;
    tz_status status = q->chart == NULL ? ask_new(q, which, &j->error) : TZ_OK;
    const size_t weights = status == TZ_OK ? tz_rules_count(q->rules, TZ_WEIGHTS) : 0;
    for (size_t w = 0; status == TZ_OK && w < weights; w++) {
        if (w < TZ_GRAMMAR_LISTS) {
            const tz_grammar_list *list = &j->parts->list[w];
            static const int32_t none[1];
            scores[w] = list->entries > 0
                            ? tz_scores_sparse(list->index, list->score, list->entries)
                            : tz_scores_sparse(none, &j->total[0], 0);
        } else {
            status = tz_rules_shape(q->rules, w, lengths, &shape);
            scores[w] = tz_scores_dense(&shape, j->total);
        }
    }
    if (status == TZ_OK)
        status = tz_rules_input_shape(q->rules, 0, lengths, &shape, &bound);
    if (status != TZ_OK)
        return status;
    const tz_input_numbers numbers = tz_input_numbers_dense(&shape, j->words);
    const tz_problem problem = {.lengths = lengths, .scores = scores, .numbers = &numbers};
    status = tz_bind(q->chart, &problem, 1, &j->error);
    if (status == TZ_OK)
        status = tz_inside(q->chart);
    return status;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static tz_status put_tree(void *user, size_t k, const tz_derivation *found) {
    job *j = user;
    const tz_rules *rules = j->question[j->asked].rules;
    size_t count;
    (void)k;
    tz_status status = tz_buffer_reserve(&j->rule, found->nodes + 1, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_grammar_tree(j->grammar, rules, found, j->words, j->rule.data, &count);
    if (status != TZ_OK)
        return status;
    const size_t size = tz_grammar_brackets(j->grammar, j->rule.data, count, NULL, 0);
    if (size == 0 || tz_buffer_reserve(&j->brackets, size + 1, 1) != TZ_OK ||
        tz_grammar_brackets(j->grammar, j->rule.data, count, j->brackets.data, size + 1) != size)
        return TZ_NO_MEMORY;
    tz_json_next(&j->out);
    tz_text_put(&j->out, "{\"score\":");
    tz_text_number(&j->out, found->score);
    tz_text_put(&j->out, ",\"tree\":");
    tz_text_quote(&j->out, j->brackets.data, size);
    tz_text_put(&j->out, "}");
    return TZ_OK;
}

/* The trees that a question asks for, of the chart with the sentence's. */
static tz_status put_trees(job *j, tz_ask which) {
    const tz_questions *asked = &j->choice->asked;
    j->asked = which == TZ_ASK_SAMPLES ? SUM : TREES;
    const tz_asking a = {.questions = asked,
                         .chart = j->question[j->asked].chart,
                         .seed = tz_seed_at(asked->seed, j->number)};
    return tz_json_derivations(&j->out, which, &a, put_tree, j);
}

/* A word and the log of how likely it is; word `words` is the end. */
typedef struct follower {
    double log_chance;
    size_t word;
} follower;

static int likelier(const void *a, const void *b) {
    const follower *x = a, *y = b;
    return x->log_chance != y->log_chance
               ? (x->log_chance < y->log_chance) - (x->log_chance > y->log_chance)
               : (x->word > y->word) - (x->word < y->word);
}

static void put_followers(job *j, const follower *of, size_t count) {
    for (size_t f = 0; f < count; f++) {
        tz_text_put(&j->out, f > 0 ? ",[" : "[");
        if (of[f].word == j->parts->words)
            tz_text_put(&j->out, "null");
        else
            tz_text_quote(&j->out, j->parts->word[of[f].word], strlen(j->parts->word[of[f].word]));
        tz_text_put(&j->out, ",");
        tz_text_number(&j->out, exp(of[f].log_chance));
        tz_text_put(&j->out, "]");
    }
}

static size_t item_of(const tz_rules *rules, const char *name) {
    size_t item = 0;
    while (strcmp(tz_rules_name_of(rules, TZ_ITEMS, item), name) != 0)
        item++;
    return item;
}

static tz_status put_next(job *j) {
    const question *q = &j->question[FOLLOW];
    const size_t words = j->parts->words;
    const tz_output to = {.data = j->following, .stride = {1}};
    double all, end;
    size_t count = 0;
    tz_status status = tz_goal(q->chart, 0, &all);
    if (status == TZ_OK)
        status = tz_items(q->chart, 0, item_of(q->rules, "follow"), &to);
    if (status == TZ_OK)
        status = tz_item_value(q->chart, 0, item_of(q->rules, "ended"), NULL, false, &end);
    if (status == TZ_OK)
        status = tz_buffer_reserve(&j->order, words + 1, sizeof(follower));
    if (status != TZ_OK)
        return status;
    follower *of = j->order.data;
    for (size_t w = 0; w <= words; w++) {
        const double value = w < words ? j->following[w] : end;
        if (value > -INFINITY)
            of[count++] = (follower){value - all, w};
    }
    qsort(of, count, sizeof *of, likelier);
    tz_json_key(&j->out, "next");
    tz_text_put(&j->out, "[");
    put_followers(j, of, count);
    tz_text_put(&j->out, "]");
    return TZ_OK;
}

static tz_status put_value(job *j, unsigned which, const char *key) {
    double value;
    const tz_status status = tz_goal(j->question[which].chart, 0, &value);
    tz_json_key(&j->out, key);
    if (status == TZ_OK)
        tz_text_number(&j->out, value);
    return status;
}

/* All that is asked for of a sentence. After a failure j->error has a message, or none. */
static tz_status answer(job *j) {
    const choice *c = j->choice;
    const size_t *wanted = c->asked.wanted;
    const bool lists = wanted[TZ_ASK_KBEST] > 0 || wanted[TZ_ASK_SAMPLES] > 0;
    const bool best = wanted[TZ_ASK_BEST] > 0 || !(lists || c->prefix || c->next);
    tz_status status = bind(j, SUM);
    if (status == TZ_OK)
        status = put_value(j, SUM, "log_prob");
    if (status == TZ_OK && (best || wanted[TZ_ASK_KBEST] > 0))
        status = bind(j, TREES);
    if (status == TZ_OK && best)
        status = put_trees(j, TZ_ASK_BEST);
    for (tz_ask list = TZ_ASK_KBEST; list <= TZ_ASK_SAMPLES && status == TZ_OK; list++)
        if (wanted[list] > 0)
            status = put_trees(j, list);
    if (status == TZ_OK && c->prefix && (status = bind(j, BEGIN)) == TZ_OK)
        status = put_value(j, BEGIN, "prefix_log_prob");
    if (status == TZ_OK && c->next && (status = bind(j, FOLLOW)) == TZ_OK)
        status = put_next(j);
    return status;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static const char *word_name(const void *list, size_t index) {
    const tz_grammar_parts *p = list;
    return index < p->words ? p->word[index] : NULL;
}

/* The size of the next word at *at, of `size` bytes; 0: there is none. */
static size_t next_word(const job *j, const char *line, size_t size, size_t *at) {
    uint32_t code;
    if (tz_grammar_is_gbnf(&j->choice->grammar))
        return *at < size ? tz_utf8_decode(line + *at, size - *at, &code) : 0;
    while (*at < size && strchr(" \t\r\f\v", line[*at]) != NULL)
        ++*at;
    size_t end = *at;
    while (end < size && strchr(" \t\r\f\v", line[end]) == NULL)
        end++;
    return end - *at;
}

static tz_status read_words(job *j, const char *line, size_t size) {
    j->count = 0;
    for (size_t at = 0, length; (length = next_word(j, line, size, &at)) > 0; at += length) {
        const int32_t word = tz_grammar_word(j->grammar, line + at, length);
        if (word < 0) {
            char name[128];
            snprintf(name, sizeof name, "%.*s", (int)(length < 100 ? length : 100), line + at);
            const char *near = tz_nearest(name, word_name, j->parts);
            snprintf(j->error.message, sizeof j->error.message,
                     "word %zu: '%s' is no word of the grammar%s%s%s", j->count + 1, name,
                     near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                     near != NULL ? "'?" : "");
            return TZ_BAD_ARGUMENT;
        }
        if (j->count == TZ_MAX_LENGTH)
            return TZ_TOO_LARGE;
        if (tz_buffer_grow(&j->room, j->count + 1, sizeof *j->words) != TZ_OK)
            return TZ_NO_MEMORY;
        j->words = j->room.data;
        j->words[j->count++] = word;
    }
    return tz_buffer_grow(&j->room, 1, sizeof *j->words);
}

static int answer_line(job *j, tz_lines *lines, const char *line, size_t size) {
    tz_text *out = &j->out;
    j->number++;
    j->error.message[0] = '\0';
    tz_text_clear(out);
    tz_status status = read_words(j, line, size);
    j->words = j->room.data;
    tz_text_put(out, "{\"n\":");
    tz_text_number(out, (double)j->count);
    if (status == TZ_OK)
        status = answer(j);
    if (out->failed)
        status = TZ_NO_MEMORY;
    const char *message = j->error.message[0] != '\0' ? j->error.message : tz_status_name(status);
    if (status == TZ_NO_MEMORY || (status != TZ_OK && !j->choice->keep_going)) {
        tz_message(command, "%s:%zu: %s", tz_lines_name(lines), tz_lines_number(lines), message);
        return TZ_EXIT_INPUT;
    }
    if (status != TZ_OK) {
        tz_text_clear(out);
        tz_text_put(out, "{\"error\":");
        tz_text_quote(out, message, strlen(message));
    }
    tz_text_put(out, "}\n");
    tz_text_write(out, stdout);
    return 0;
}

static int answer_lines(job *j) {
    tz_text_file text;
    char *line;
    size_t size;
    int failed = tz_text_file_open(command, j->choice->text, LINE_LIMIT, &text);
    while (failed == 0) {
        const tz_status status = tz_lines_next(text.lines, &line, &size, &j->error);
        if (status == TZ_NONE)
            break;
        failed = status == TZ_OK ? answer_line(j, text.lines, line, size)
                                 : tz_failed(command, status, &j->error);
    }
    tz_text_file_close(&text);
    return failed != 0 ? failed : tz_flush_results(command);
}

static int run(const choice *c, const tz_grammar *grammar) {
    job j = {.choice = c, .grammar = grammar, .parts = tz_grammar_parts_of(grammar)};
    j.total = malloc((j.parts->symbols + 1) * sizeof *j.total);
    j.following = malloc((j.parts->words + 1) * sizeof *j.following);
    tz_status status = j.total != NULL && j.following != NULL ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && (c->prefix || c->next))
        status = tz_grammar_totals(grammar, j.total, &j.error);
    const int failed = status == TZ_OK
                           ? answer_lines(&j)
                           : tz_failed(command, status, status == TZ_NO_MEMORY ? NULL : &j.error);
    for (unsigned q = 0; q < QUESTIONS; q++) {
        tz_chart_free(j.question[q].chart);
        tz_plan_free(j.question[q].plan);
        tz_rules_free(j.question[q].rules);
    }
    TZ_FREE_BUFFERS(&j.room, &j.rule, &j.brackets, &j.order);
    tz_text_free(&j.out);
    free(j.total);
    free(j.following);
    return failed;
}

int tz_cli_grammar_parse(int argc, char **argv) {
    tz_options options = {
        .command = command,
        .synopsis = "-w WEIGHTS [OPTION]... GRAMMAR [TEXT]",
        .about =
            "Answers for each line of TEXT or standard input, a sentence: words between blanks,\n"
            "or characters where the grammar is GBNF. Results are JSON, one a line: \"n\",\n"
            "\"log_prob\", the log of the sum over all trees, and what is asked for. Trees are in\n"
            "brackets, in the grammar's own rules.\n",
        TZ_COMMAND_ROWS(option_table, argc, argv),
        TZ_OPERANDS("a grammar and one text", TZ_WHICH_GRAMMAR, 2,
                    {offsetof(choice, grammar.file), offsetof(choice, text)}),
    };
    choice c = {TZ_GRAMMAR_UNSAID, .asked = {.seed = 1, .within = INFINITY}};
    tz_grammar *grammar = NULL;
    if (!tz_take_options(&options, NULL, &c))
        return options.status;
    int status = tz_grammar_open(command, &c.grammar, &grammar);
    if (status == 0)
        status = run(&c, grammar);
    tz_grammar_free(grammar);
    return status;
}
