/* decode_compress.c - see decode_compress.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/decode_compress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/threads.h"
#include "sentences/learn/compress_scores.h"

enum { ARC, BIGRAM }; /* weights of the rules: arc or sib, bigram */

/* A sentence whose guards hold each other up could take very many cases: after so many, fewer for
 * long sentences, the best answer so far is taken. */
enum { CASES = 200, LONG = 60 };

static size_t most_cases(int32_t words) {
    double share = (double)LONG / (double)words;
    return words <= LONG ? CASES : 2 + (size_t)(CASES * share * share * share);
}

/* What one unit of the table of guards costs: in shares of the scores' unit; and of risk, where a
 * word is worth 1 at most. */
static const double PRICE = 0.004, LIMITED_PRICE = 0.012, RISK_PRICE = 0.01;
/* What is decided of a word. */
enum { OPEN, KEPT, DROPPED };

/* Some words decided, and the best answer then. */
typedef struct node {
    double bound; /* its score less what it breaks by cells */
    uint8_t *state;
    int32_t *answer;
} node;

/* What a thread needs. */
typedef struct worker {
    tz_chart *chart, *log_chart;
    tz_limit_chart *limits;
    tz_scored scored;
    tz_neural_scores neural;
    double *bigram, *marginal; /* the bigrams' scores before any price; room */
    size_t bigrams, marginals;
    double price; /* of one unit of the table of guards */
    bool heavy;   /* a length took more than prices for words: the chart of limits has grown */
    tz_status status;
    tz_error error;
} worker;

struct tz_compress_decoder {
    tz_compress_scorer scorer;
    tz_compress_how how;
    tz_guard_table *table;
    tz_plan *plan, *log_plan; /* log: made when it is first needed, as is */
    tz_limiter *limiter;
    unsigned workers;
    worker *worker;
};

/* ---- Making ---------------------------------------------------------------------------------- */

tz_status tz_compress_decoder_new(const tz_model *model, unsigned threads,
                                  tz_compress_decoder **ret_decoder, tz_error *opt_error) {
    *ret_decoder = NULL;
    tz_compress_decoder *d = calloc(1, sizeof *d);
    if (!d)
        return TZ_NO_MEMORY;
    d->scorer = tz_compress_scorer_of(model);
    d->worker = calloc(threads, sizeof *d->worker);
    tz_status status = d->worker ? tz_guard_table_new(&d->table) : TZ_NO_MEMORY;
    d->workers = d->worker ? threads : 0;
    if (status == TZ_OK)
        status = tz_plan_new(model->rules, tz_semiring_find("max", TZ_F64), 0, &d->plan, opt_error);
    for (unsigned w = 0; w < threads && status == TZ_OK; w++)
        status = tz_chart_new(d->plan, &d->worker[w].chart);
    if (status != TZ_OK) {
        tz_compress_decoder_free(d);
        return status;
    }
    *ret_decoder = d;
    return TZ_OK;
}

void tz_compress_decoder_free(tz_compress_decoder *d) {
    if (d) {
        for (unsigned w = 0; w < d->workers; w++) {
            tz_chart_free(d->worker[w].chart);
            tz_chart_free(d->worker[w].log_chart);
            tz_limit_chart_free(d->worker[w].limits);
            tz_scored_free(&d->worker[w].scored);
            tz_neural_scores_free(&d->worker[w].neural);
            free(d->worker[w].bigram);
            free(d->worker[w].marginal);
        }
        free(d->worker);
        tz_limiter_free(d->limiter);
        tz_plan_free(d->plan);
        tz_plan_free(d->log_plan);
        tz_guard_table_free(d->table);
        free(d);
    }
}

void tz_compress_decoder_neural(tz_compress_decoder *decoder, const tz_neural *opt_neural) {
    decoder->scorer.neural = opt_neural;
}

void tz_compress_decoder_set(tz_compress_decoder *decoder, const tz_compress_how *how) {
    decoder->how = *how;
    decoder->scorer.only = how->only;
}

/* What only some questions take. */
static tz_status prepare(tz_compress_decoder *d, bool limited, tz_error *opt_error) {
    tz_status status = TZ_OK;
    if (limited && !d->limiter)
        status = tz_limiter_new(d->scorer.model->rules, "kept", TZ_F64, 0, &d->limiter, opt_error);
    if (d->how.risk && !d->log_plan && status == TZ_OK) {
        status = tz_plan_new(d->scorer.model->rules, tz_semiring_find("log", TZ_F64), 0,
                             &d->log_plan, opt_error);
    }
    for (unsigned w = 0; w < d->workers && status == TZ_OK; w++) {
        worker *worker = &d->worker[w];
        if (d->how.risk && !worker->log_chart && status == TZ_OK)
            status = tz_chart_new(d->log_plan, &worker->log_chart);
    }
    return status;
}

/* ---- Scores ---------------------------------------------------------------------------------- */

/* Bigram (i, j): the last dimension has no gaps. */
static double *bigram(const worker *worker, int32_t i, int32_t j) {
    const tz_shape *shape = &worker->scored.shape[BIGRAM];
    return worker->scored.data[BIGRAM] + (size_t)(i - shape->origin[0]) * (size_t)shape->extent[1] +
           (size_t)(j - shape->origin[1]);
}

static double *arcs_of_root(const worker *worker, size_t *ret_count) {
    const tz_shape *shape = &worker->scored.shape[ARC];
    *ret_count = worker->scored.cells[ARC] / (size_t)shape->extent[0];
    return worker->scored.data[ARC] + (size_t)(0 - shape->origin[0]) * *ret_count;
}

/* Adds to the score of every kept word. */
static void add_to_words(const worker *worker, int32_t n, double bonus) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j <= n; j++)
            *bigram(worker, i, j) += bonus;
}

/* From the model's scores to those of minimum risk. */
static tz_status make_risk(const tz_compress_decoder *d, worker *worker,
                           const tz_sentence *sentence) {
    tz_scored *s = &worker->scored;
    int32_t n = sentence->words;
    double factor = tz_compress_scale(&d->scorer, sentence);
    double threshold = tz_compress_threshold(&d->scorer, sentence);
    for (size_t w = 0; w <= BIGRAM; w++)
        for (size_t c = 0; c < s->cells[w]; c++)
            s->data[w][c] *= factor;
    if (!TZ_GROW(worker->marginal, &worker->marginals, s->cells[BIGRAM] + (size_t)n + 2))
        return TZ_NO_MEMORY;
    double *p = worker->marginal + s->cells[BIGRAM]; /* of each word */
    tz_problem problem = {.lengths = s->lengths, .scores = s->scores};
    tz_output output = tz_output_dense(&s->shape[BIGRAM], worker->marginal);
    tz_status status = tz_bind(worker->log_chart, &problem, 1, &worker->error);
    status = status == TZ_OK ? tz_inside(worker->log_chart) : status;
    status = status == TZ_OK ? tz_outside(worker->log_chart) : status;
    status = status == TZ_OK ? tz_marginals(worker->log_chart, 0, BIGRAM, &output) : status;
    if (status != TZ_OK)
        return status;
    memset(p, 0, ((size_t)n + 2) * sizeof *p);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j <= n; j++)
            p[j] += worker->marginal[bigram(worker, i, j) - s->data[BIGRAM]];
    for (size_t c = 0; c < s->cells[ARC]; c++) /* what is impossible stays so */
        s->data[ARC][c] = s->data[ARC][c] == -INFINITY ? -INFINITY : s->data[ARC][c] * 1e-6;
    for (int32_t i = 0; i <= n; i++)
        for (int32_t j = i + 1; j <= n + 1; j++) {
            double *cell = bigram(worker, i, j);
            if (*cell > -INFINITY)
                *cell = j <= n ? p[j] - threshold : 0;
        }
    return TZ_OK;
}

/* A given length asks for more than the model would leave out by itself: it then pays more. */
static double price_of(const tz_compress_decoder *d, const tz_sentence *opt_sentence,
                       const tz_words *words) {
    double share = words->high > 0 ? LIMITED_PRICE : PRICE;
    return d->how.risk ? RISK_PRICE : share * tz_compress_unit(&d->scorer, opt_sentence);
}

double tz_compress_price(const tz_compress_decoder *d, const tz_words *words) {
    return price_of(d, NULL, words);
}

/* The scores of a sentence before any price but that of the root. */
static tz_status score(const tz_compress_decoder *d, worker *worker, const tz_sentence *sentence,
                       const tz_guarded *guarded, bool limited) {
    tz_scored *s = &worker->scored;
    tz_status status = tz_compress_score(&d->scorer, sentence, &worker->neural, s);
    if (status == TZ_OK && d->how.risk)
        status = make_risk(d, worker, sentence);
    else if (status == TZ_OK)
        add_to_words(worker, sentence->words, tz_compress_bonus(&d->scorer, sentence));
    if (status == TZ_OK && d->how.bonus != 0)
        add_to_words(worker, sentence->words,
                     d->how.bonus * (d->how.risk ? 1 : d->scorer.greatest));
    if (status != TZ_OK)
        return status;
    size_t count;
    double *root = arcs_of_root(worker, &count);
    const tz_shape *shape = &s->shape[ARC];
    size_t last = (size_t)shape->extent[shape->rank - 1];
    for (size_t c = 0; c < count; c++) {
        int32_t m = (int32_t)(c % last) + shape->origin[shape->rank - 1];
        if (m >= 1)
            root[c] -= worker->price * tz_root_price(guarded, m, limited);
    }
    if (!TZ_GROW(worker->bigram, &worker->bigrams, s->cells[BIGRAM]))
        return TZ_NO_MEMORY;
    memcpy(worker->bigram, s->data[BIGRAM], s->cells[BIGRAM] * sizeof *worker->bigram);
    return TZ_OK;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* The bigrams' scores where some words are decided: what cannot be, and prices. */
static void set_prices(worker *worker, const tz_guarded *guarded, const uint8_t *state) {
    double price = worker->price;
    int32_t n = guarded->words;
    for (int32_t j = 1; j <= n + 1; j++) {
        unsigned owed = 0; /* by word j: what it needs and is surely dropped; and is in the gap */
        for (int32_t b = 1; b <= n && j <= n; b++)
            owed += state[b] == DROPPED ? tz_need_price(guarded, j, b) : 0;
        bool never = j <= n && state[j] == DROPPED;
        for (int32_t i = j - 1; i >= 0; i--) {
            double *cell = bigram(worker, i, j);
            unsigned apart = tz_apart(guarded, i, j) ? TZ_GUARD_PRICE : 0;
            *cell = never ? -INFINITY
                          : worker->bigram[cell - worker->scored.data[BIGRAM]] -
                                price * (double)(owed + apart);
            never = never || (i > 0 && state[i] == KEPT);
            owed += i > 0 && j <= n && state[i] == OPEN ? tz_need_price(guarded, j, i) : 0;
        }
    }
    for (int32_t i = 1; i <= n; i++) {
        unsigned owed = 0; /* by word i, of the gap */
        for (int32_t j = i + 1; j <= n + 1; j++) {
            *bigram(worker, i, j) -= price * (double)owed;
            owed += j <= n && state[j] == OPEN ? tz_need_price(guarded, i, j) : 0;
        }
    }
}

/* The best answer of a case. TZ_NONE: there is none. */
static tz_status solve(const tz_compress_decoder *d, worker *worker, const tz_guarded *guarded,
                       const tz_words *words, node *node) {
    const tz_scored *s = &worker->scored;
    tz_problem problem = {.lengths = s->lengths, .scores = s->scores};
    const tz_derivation *best = NULL;
    tz_status status;
    set_prices(worker, guarded, node->state);
    if (words->high > 0) {
        tz_limited limited;
        status = worker->limits ? TZ_OK : tz_limit_chart_new(d->limiter, &worker->limits);
        if (status == TZ_OK)
            status = tz_limit(worker->limits, &problem, words->low, words->high, TZ_LIMIT_AUTO,
                              &limited, &worker->error);
        best = status == TZ_OK ? limited.derivation : NULL;
        node->bound = status == TZ_OK ? limited.score : 0;
        worker->heavy = worker->heavy || status != TZ_OK || limited.path != TZ_BY_BISECTION;
    } else {
        status = tz_bind(worker->chart, &problem, 1, &worker->error);
        status = status == TZ_OK ? tz_inside(worker->chart) : status;
        status = status == TZ_OK ? tz_best(worker->chart, 0, TZ_GOAL, NULL, &best) : status;
        node->bound = status == TZ_OK ? best->score : 0;
    }
    if (status == TZ_OK) {
        for (int32_t w = 1; w <= guarded->words; w++)
            node->answer[w] = -1;
        d->scorer.model->variant->answer(best, node->answer);
    }
    return status;
}

/* The word that is open and dropped though kept words need it, none of them at the gap's ends: the
 * one that costs most; 0: there is none. *ret_broken: the prices of all such needs. */
static int32_t find_broken(const tz_guarded *guarded, const node *node, size_t *ret_broken) {
    int32_t n = guarded->words, found = 0, left = 0, right;
    size_t most = 0;
    *ret_broken = 0;
    for (int32_t b = 1; b <= n; b++) {
        if (node->answer[b] >= 0) {
            left = b;
            continue;
        }
        if (node->state[b] != OPEN)
            continue;
        for (right = b + 1; right <= n && node->answer[right] < 0; right++)
            ;
        size_t needs = 0;
        for (int32_t a = 1; a <= n; a++)
            needs +=
                node->answer[a] >= 0 && a != left && a != right ? tz_need_price(guarded, a, b) : 0;
        *ret_broken += needs;
        found = needs > most ? b : found;
        most = needs > most ? needs : most;
    }
    return found;
}

/* ---- The search ------------------------------------------------------------------------------ */

typedef struct search {
    const tz_compress_decoder *decoder;
    worker *worker;
    tz_arena *arena;
    const tz_guarded *guarded;
    const tz_words *words;
    node open[CASES]; /* still to be looked into */
    size_t opens, cases;
    double best;
    int32_t *answer; /* the caller's, of the best */
} search;

static tz_status add_case(search *s, const uint8_t *state, int32_t word, uint8_t decided) {
    size_t positions = (size_t)s->guarded->words + 2;
    node node = {.state = tz_arena_array(s->arena, positions, 1),
                 .answer = tz_arena_array(s->arena, positions, sizeof *node.answer)};
    if (!node.state || !node.answer)
        return TZ_NO_MEMORY;
    memcpy(node.state, state, positions);
    node.state[word] = decided;
    tz_status status = solve(s->decoder, s->worker, s->guarded, s->words, &node);
    s->cases++;
    if (status != TZ_OK)
        return status == TZ_NONE ? TZ_OK : status;
    size_t broken;
    int32_t more = find_broken(s->guarded, &node, &broken);
    double score = node.bound - s->worker->price * (double)broken;
    if (score > s->best) {
        s->best = score;
        memcpy(s->answer, node.answer, (positions - 1) * sizeof *s->answer);
    }
    if (more > 0 && node.bound > s->best && s->opens < CASES)
        s->open[s->opens++] = node;
    return TZ_OK;
}

static tz_status look(search *s, const uint8_t *state) {
    size_t most = most_cases(s->guarded->words);
    tz_status status = add_case(s, state, 0, OPEN);
    while (status == TZ_OK && s->opens > 0 && s->cases + 2 <= most) {
        size_t first = 0, broken;
        for (size_t o = 1; o < s->opens; o++)
            first = s->open[o].bound > s->open[first].bound ? o : first;
        node node = s->open[first];
        s->open[first] = s->open[--s->opens];
        if (node.bound <= s->best)
            break;
        int32_t word = find_broken(s->guarded, &node, &broken);
        status = add_case(s, node.state, word, KEPT);
        status = status == TZ_OK ? add_case(s, node.state, word, DROPPED) : status;
    }
    return status;
}

static tz_status decode(const tz_compress_decoder *d, worker *worker, const tz_sentence *sentence,
                        const tz_words *words, int32_t *answer) {
    tz_guarded guarded;
    tz_arena *arena = tz_arena_new();
    search *s = arena ? tz_arena_array(arena, 1, sizeof *s) : NULL;
    uint8_t *state = arena ? tz_arena_array(arena, (size_t)sentence->words + 2, 1) : NULL;
    answer[0] = 0;
    for (int32_t w = 1; w <= sentence->words; w++)
        answer[w] = -1;
    unsigned without = d->how.without | (words->high > 0 ? TZ_GUARDS_LIMITED : 0) |
                       (words->wary && !sentence->given ? 0 : 1u << TZ_GUARD_ADJUNCT);
    tz_status status =
        s && state ? tz_guards_find(d->table, arena, sentence, without, &guarded) : TZ_NO_MEMORY;
    worker->price = price_of(d, sentence, words);
    worker->heavy = false;
    if (status == TZ_OK)
        status = score(d, worker, sentence, &guarded, words->high > 0);
    if (status == TZ_OK) {
        *s = (search){.decoder = d,
                      .worker = worker,
                      .arena = arena,
                      .guarded = &guarded,
                      .words = words,
                      .best = -INFINITY,
                      .answer = answer};
        for (int32_t w = 1; w <= sentence->words; w++)
            state[w] = guarded.must[w] ? KEPT : OPEN;
        status = look(s, state);
        if (status == TZ_OK && s->best == -INFINITY) { /* given scores rule them out */
            memset(state, OPEN, (size_t)sentence->words + 2);
            status = look(s, state);
        }
        if (status == TZ_OK && tz_compress_lacks_words(sentence, answer, &worker->scored)) {
            s->best = -INFINITY;
            s->opens = 0;
            status = look(s, state);
        }
    }
    tz_scored_trim(&worker->scored);
    if (worker->heavy) { /* each sentence would leave the most that any of its kind takes */
        tz_limit_chart_free(worker->limits);
        worker->limits = NULL;
    }
    tz_arena_free(arena);
    return status == TZ_NONE ? TZ_OK : status;
}

/* Sentences that are decoded together. */
typedef struct decoding {
    tz_compress_decoder *decoder;
    const tz_sentence *const *sentence;
    size_t count;
    const tz_words *words;
    int32_t *const *answer;
} decoding;

static void decode_part(void *of, size_t part) {
    const decoding *d = of;
    worker *worker = &d->decoder->worker[part];
    worker->status = TZ_OK;
    worker->error = (tz_error){TZ_OK, ""};
    for (size_t s = part; s < d->count && worker->status == TZ_OK; s += d->decoder->workers)
        worker->status = decode(d->decoder, worker, d->sentence[s], &d->words[s], d->answer[s]);
}

tz_status tz_decode_compress(tz_compress_decoder *decoder, const tz_sentence *const *sentence,
                             size_t count, const tz_words *words, int32_t *const *answer,
                             tz_error *opt_error) {
    unsigned workers = decoder->workers;
    decoding d = {decoder, sentence, count, words, answer};
    bool limited = false;
    for (size_t s = 0; s < count; s++)
        limited |= words[s].high > 0;
    tz_status status = prepare(decoder, limited, opt_error);
    if (status != TZ_OK)
        return status;
    tz_parallel(workers, workers, decode_part, &d);
    for (unsigned w = 0; w < workers; w++) {
        const worker *worker = &decoder->worker[w];
        if (worker->status != TZ_OK) {
            if (opt_error)
                *opt_error = worker->error;
            return worker->status;
        }
    }
    return TZ_OK;
}
