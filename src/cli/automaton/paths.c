/* paths.c - `trapeze automaton paths`: one automaton, by gallery/paths. SPDX-License-Identifier:
 * MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/automaton/automaton.h"
#include "io/json/json_structures.h"

static const char command[] = "trapeze automaton paths";

/* Of paths among which distinct ones are looked for. */
enum { MOST_ARCS = 1000000 };

enum { BEST = TZ_AUTOMATON_OPTIONS, KBEST, DISTINCT, SAMPLE, SEED, COUNTS, STRING, OPTIONS };

typedef struct choice {
    tz_automaton_choice automaton;
    const char *string;
    tz_questions asked;
    bool distinct, counts;
} choice;

static const tz_option option_table[OPTIONS] = {
    TZ_AUTOMATON_OPTION_ROWS(choice),
    [BEST] = {"best", 0, NULL, "the best path; the default where nothing else is asked",
              TZ_FLAG_AT(choice, asked.wanted[TZ_ASK_BEST])},
    [KBEST] = {"kbest", 0, "K", "the K best paths, best first",
               TZ_NUMBER_AT(choice, asked.wanted[TZ_ASK_KBEST], 1, 1000000000)},
    [DISTINCT] = {"distinct", 0, NULL, "of paths that read and write the same, only the best",
                  TZ_FLAG_AT(choice, distinct)},
    [SAMPLE] = {"sample", 0, "K", "K paths at random",
                TZ_NUMBER_AT(choice, asked.wanted[TZ_ASK_SAMPLES], 1, 1000000000)},
    [SEED] = {"seed", 0, "S", "seed of the samples (1)",
              TZ_NUMBER_AT(choice, asked.seed, 0, 0x7fffffff)},
    [COUNTS] = {"counts", 0, NULL, "the expected number of times that each arc is followed",
                TZ_FLAG_AT(choice, counts)},
    [STRING] = {"string", 0, "TEXT", "only paths that read this string, labels between blanks",
                TZ_TEXT_AT(choice, string)},
};

/* Labels of paths that have been given. */
typedef struct given {
    tz_arena *arena;
    tz_table table;
    tz_buffer text;
    int32_t count;
    const tz_text *wanted;
} given;

typedef struct job {
    const choice *choice;
    const tz_automaton *automaton, *whole; /* the paths asked about; the file's */
    const tz_automaton_parts *parts;
    tz_rules *rules;
    tz_plan *plan;
    tz_chart *chart;
    tz_buffer arcs;
    tz_text out, labels; /* labels: of a path, to tell those that are alike */
    bool distinct;       /* of these the first alone is written */
    given seen;
    size_t looked_at; /* arcs */
    tz_error error;
} job;

/* Inside, under a semiring. */
static tz_status bind(job *j, const char *semiring) {
    static const int32_t none[2];
    const tz_automaton_parts *p = j->parts;
    const int32_t lengths[] = {(int32_t)p->vertices};
    tz_scores scores[3];
    tz_shape shape;
    if (p->largest > TZ_LARGEST_COMPONENT && strcmp(semiring, "log") == 0) {
        snprintf(j->error.message, sizeof j->error.message,
                 "%s: %zu states need one another; sums are for at most %d: leave out arcs that "
                 "close their circles",
                 j->choice->automaton.file, p->largest, TZ_LARGEST_COMPONENT);
        return TZ_TOO_LARGE;
    }
    tz_chart_free(j->chart);
    tz_plan_free(j->plan);
    j->chart = NULL;
    j->plan = NULL;
    tz_status status =
        j->rules == NULL ? tz_gallery_read("gallery/paths", &j->rules, &j->error) : TZ_OK;
    if (status == TZ_OK)
        status = tz_plan_new(j->rules, tz_semiring_find(semiring, TZ_F64), 0, &j->plan, &j->error);
    if (status == TZ_OK)
        status = tz_chart_new(j->plan, &j->chart);
    if (status == TZ_OK)
        status = tz_rules_shape(j->rules, 0, lengths, &shape);
    if (status != TZ_OK)
        return status;
    scores[0] = tz_scores_dense(&shape, p->begin);
    scores[1] = tz_scores_sparse(p->pairs > 0 ? p->pair : none, p->pair_score, p->pairs);
    scores[2] = tz_scores_dense(&shape, p->end);
    const tz_problem problem = {.lengths = lengths, .scores = scores};
    status = tz_bind(j->chart, &problem, 1, &j->error);
    if (status == TZ_OK && (status = tz_inside(j->chart)) == TZ_DIVERGES)
        snprintf(j->error.message, sizeof j->error.message,
                 "%s: going round gains without end: make arcs of a circle less likely",
                 j->choice->automaton.file);
    return status;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void put_labels(tz_text *out, const char *key, const tz_automaton_parts *p,
                       const uint32_t *arc, size_t arcs, bool written) {
    tz_text_put(out, key);
    for (size_t i = 0, put = 0; i < arcs; i++) {
        const int32_t label = written ? p->arc[arc[i]].output : p->arc[arc[i]].input;
        if (label < 0)
            continue;
        const char *name = written ? p->output[label] : p->input[label];
        tz_text_put(out, put++ > 0 ? "," : "");
        tz_text_quote(out, name, strlen(name));
    }
    tz_text_put(out, "]");
}

/* The path to j->arcs, its labels to j->labels. */
static tz_status read_path(job *j, const tz_derivation *found, size_t *ret_arcs) {
    tz_status status = tz_buffer_reserve(&j->arcs, found->nodes + 1, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_automaton_path(j->automaton, found, j->arcs.data, ret_arcs);
    if (status != TZ_OK)
        return status;
    tz_text_clear(&j->labels);
    put_labels(&j->labels, ",\"input\":[", j->parts, j->arcs.data, *ret_arcs, false);
    if (j->parts->transducer)
        put_labels(&j->labels, ",\"output\":[", j->parts, j->arcs.data, *ret_arcs, true);
    return j->labels.failed ? TZ_NO_MEMORY : TZ_OK;
}

static void put_path(job *j, const tz_derivation *found, size_t arcs) {
    const uint32_t *arc = j->arcs.data;
    tz_json_next(&j->out);
    tz_text_put(&j->out, "{\"score\":");
    tz_text_number(&j->out, found->score);
    tz_text_add(&j->out, j->labels.data, j->labels.size);
    tz_text_put(&j->out, ",\"arcs\":[");
    for (size_t i = 0; i < arcs; i++) {
        tz_text_put(&j->out, i > 0 ? "," : "");
        tz_text_number(&j->out, arc[i]);
    }
    tz_text_put(&j->out, "]}");
}

static bool same_labels(const void *what, int32_t number) {
    const given *g = what;
    const char *text = ((const char *const *)g->text.data)[number];
    return strncmp(text, g->wanted->data, g->wanted->size) == 0 && text[g->wanted->size] == '\0';
}

/* *ret_new: no path with these labels has been given, until now. */
static tz_status give(given *g, const tz_text *labels, bool *ret_new) {
    const uint64_t hash = tz_hash_bytes(labels->data, labels->size);
    g->wanted = labels;
    *ret_new = tz_table_find(&g->table, hash, same_labels, g) == TZ_NO_NUMBER;
    if (!*ret_new)
        return TZ_OK;
    if (g->arena == NULL && (g->arena = tz_arena_new()) == NULL)
        return TZ_NO_MEMORY;
    const char *copy = tz_arena_text(g->arena, labels->data, labels->size);
    if (copy == NULL || tz_buffer_grow(&g->text, (size_t)g->count + 1, sizeof(char *)) != TZ_OK ||
        !tz_table_put(&g->table, hash, g->count))
        return TZ_NO_MEMORY;
    ((const char **)g->text.data)[g->count++] = copy;
    return TZ_OK;
}

/* The next path, where distinct ones are wanted only if its labels are new. */
static tz_status take_path(void *user, size_t k, const tz_derivation *found) {
    job *j = user;
    const choice *c = j->choice;
    bool new = true;
    size_t arcs;
    (void)k;
    tz_status status = read_path(j, found, &arcs);
    if (status == TZ_OK && j->distinct)
        status = give(&j->seen, &j->labels, &new);
    if (status != TZ_OK)
        return status;
    if (new) {
        put_path(j, found, arcs);
        return j->distinct && (size_t)j->seen.count == c->asked.wanted[TZ_ASK_KBEST] ? TZ_NONE
                                                                                     : TZ_OK;
    }
    if ((j->looked_at += arcs) <= MOST_ARCS)
        return TZ_OK;
    snprintf(j->error.message, sizeof j->error.message,
             "%s: the best paths, with a million arcs, have %d strings: ask for as many, or make "
             "the automaton less ambiguous",
             c->automaton.file, (int)j->seen.count);
    return TZ_TOO_LARGE;
}

/* The seed is that of the first problem of `trapeze run`. */
static tz_status put_paths(job *j, tz_ask which) {
    tz_questions asked = j->choice->asked;
    const tz_asking a = {.questions = &asked, .chart = j->chart, .seed = tz_seed_at(asked.seed, 1)};
    j->distinct = which == TZ_ASK_KBEST && j->choice->distinct;
    if (j->distinct)
        asked.wanted[which] = SIZE_MAX;
    return tz_json_derivations(&j->out, which, &a, take_path, j);
}

/* Expected counts of the file's arcs: those of a string's come from them. */
static tz_status put_counts(job *j) {
    const tz_automaton_parts *p = j->parts;
    const size_t arcs = tz_automaton_parts_of(j->whole)->arcs;
    double *uses = calloc(p->pairs + 1, sizeof *uses);
    double *count = calloc(arcs + 1, sizeof *count);
    const tz_output to = {.data = uses, .stride = {1}};
    double value;
    tz_status status = uses != NULL && count != NULL ? tz_goal(j->chart, 0, &value) : TZ_NO_MEMORY;
    if (status == TZ_OK && value > -INFINITY) {
        status = tz_outside(j->chart);
        if (status == TZ_OK)
            status = tz_marginals(j->chart, 0, 1, &to);
    }
    for (size_t i = 0; status == TZ_OK && i < p->pairs; i++) {
        const int32_t arc = p->pair_arc[i];
        const int32_t of = arc < 0 || j->automaton == j->whole ? arc : p->arc[arc].origin[1];
        if (of >= 0)
            count[of] += uses[i];
    }
    tz_json_key(&j->out, "counts");
    tz_text_put(&j->out, "[");
    for (size_t i = 0; status == TZ_OK && i < arcs; i++) {
        tz_text_put(&j->out, i > 0 ? "," : "");
        tz_text_number(&j->out, count[i]);
    }
    tz_text_put(&j->out, "]");
    free(uses);
    free(count);
    return status;
}

static tz_status answer(job *j) {
    const choice *c = j->choice;
    const size_t *wanted = c->asked.wanted;
    const bool kbest = wanted[TZ_ASK_KBEST] > 0, samples = wanted[TZ_ASK_SAMPLES] > 0;
    const bool best = wanted[TZ_ASK_BEST] > 0 || !(kbest || samples || c->counts);
    double value;
    tz_status status = bind(j, "log");
    if (status == TZ_OK)
        status = tz_goal(j->chart, 0, &value);
    if (status == TZ_OK) {
        tz_json_key(&j->out, "total");
        tz_text_number(&j->out, value);
    } else if (status == TZ_DIVERGES && !samples && !c->counts) { /* there may be a best path */
        tz_message(command, "%s; so there is no total", j->error.message);
        status = TZ_OK;
    }
    if (status != TZ_OK)
        return status;
    if (samples)
        status = put_paths(j, TZ_ASK_SAMPLES);
    if (status == TZ_OK && c->counts)
        status = put_counts(j);
    if (status == TZ_OK && (best || kbest))
        status = bind(j, "max");
    if (status == TZ_OK && best)
        status = put_paths(j, TZ_ASK_BEST);
    if (status == TZ_OK && kbest)
        status = put_paths(j, TZ_ASK_KBEST);
    tz_text_put(&j->out, "}\n");
    return status == TZ_OK && j->out.failed ? TZ_NO_MEMORY : status;
}

/* ---- A string -------------------------------------------------------------------------------- */

static const char *input_name(const void *list, size_t index) {
    const tz_automaton_parts *p = list;
    return index < p->inputs && index < 10000 ? p->input[index] : NULL;
}

/* Labels that the automaton reads? 0, or the exit code after a message. */
static int check_labels(const tz_automaton_parts *p, const char *const *label, size_t labels) {
    for (size_t i = 0; i < labels; i++) {
        size_t at = 0;
        while (at < p->inputs && strcmp(p->input[at], label[i]) != 0)
            at++;
        if (at < p->inputs)
            continue;
        const char *near = tz_nearest(label[i], input_name, p);
        tz_message(command, "label %zu: '%.100s' is read by no arc of the automaton%s%s%s", i + 1,
                   label[i], near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                   near != NULL ? "'?" : "");
        return TZ_EXIT_INPUT;
    }
    return 0;
}

/* The automaton of the paths that read the string. */
static int read_string(const choice *c, const tz_automaton *whole, tz_automaton **ret) {
    tz_arena *arena = tz_arena_new();
    const char **label = NULL;
    tz_automaton *string = NULL;
    tz_error error;
    size_t labels;
    int failed = 0;
    tz_status status =
        arena != NULL ? tz_arena_words(arena, c->string, NULL, &labels) : TZ_NO_MEMORY;
    if (status == TZ_OK && (label = tz_arena_array(arena, labels + 1, sizeof *label)) == NULL)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_arena_words(arena, c->string, label, &labels);
    if (status == TZ_OK)
        failed = check_labels(tz_automaton_parts_of(whole), label, labels);
    if (status == TZ_OK && failed == 0)
        status =
            tz_automaton_of_string(label, labels, (tz_arc_weights)c->automaton.weights, &string);
    error.message[0] = '\0';
    if (status == TZ_OK && failed == 0)
        status = tz_automaton_compose(string, whole, ret, &error);
    tz_automaton_free(string);
    tz_arena_free(arena);
    return status == TZ_OK ? failed
                           : tz_failed(command, status, error.message[0] != '\0' ? &error : NULL);
}

int tz_cli_automaton_paths(int argc, char **argv) {
    tz_options options = {
        .command = command,
        .synopsis = "-w WEIGHTS [OPTION]... AUTOMATON",
        .about =
            "Answers in a line of JSON: \"total\", the log of the sum over all paths from the\n"
            "start to final states, if it has a limit, and what is asked for. Scores are log\n"
            "weights; arcs are numbered in the order of their lines, from 0.\n",
        TZ_COMMAND_ROWS(option_table, argc, argv),
        TZ_OPERANDS("one automaton", TZ_WHICH_AUTOMATON, 1, {offsetof(choice, automaton.file)}),
    };
    choice c = {.automaton = {.weights = -1}, .asked = {.seed = 1, .within = INFINITY}};
    tz_automaton *whole = NULL, *reading = NULL;
    if (!tz_take_options(&options, NULL, &c))
        return options.status;
    int failed = tz_automaton_open(command, &c.automaton, c.automaton.file, &whole);
    if (failed == 0 && c.string != NULL)
        failed = read_string(&c, whole, &reading);
    job j = {.choice = &c, .automaton = reading != NULL ? reading : whole, .whole = whole};
    if (failed == 0) {
        j.parts = tz_automaton_parts_of(j.automaton);
        const tz_status status = answer(&j);
        if (status == TZ_OK)
            tz_text_write(&j.out, stdout);
        failed = status == TZ_OK
                     ? tz_flush_results(command)
                     : tz_failed(command, status, j.error.message[0] != '\0' ? &j.error : NULL);
    }
    tz_chart_free(j.chart);
    tz_plan_free(j.plan);
    tz_rules_free(j.rules);
    TZ_FREE_BUFFERS(&j.arcs, &j.seen.text);
    tz_table_free(&j.seen.table);
    tz_arena_free(j.seen.arena);
    tz_text_free(&j.out);
    tz_text_free(&j.labels);
    tz_automaton_free(reading);
    tz_automaton_free(whole);
    return failed;
}
