/* lm_arpa_read.c - language models from ARPA files.
 *
 * The counts of the header are compared with what follows, and no memory is asked for by them.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/lines.h"
#include "base/number.h"
#include "sentences/lm/lm_model.h"

enum { LINE_LIMIT = 1 << 20, SHOWN = 60 /* bytes of the input in a message */ };

typedef struct entry {
    float prob, backoff;
    size_t line; /* 0: level 1: not in the file */
} entry;

typedef struct reader {
    tz_lines *lines;
    tz_error *error; /* or NULL */
    tz_lm *lm;
    size_t declared[TZ_LM_ORDER + 1];
    char *line; /* the one read last; blanks and tabs at its ends left out */

    /* Of the order that is read: entries, and of order n >= 2 the words n * i .. n * i + n - 1 of
     * entry i; of order 1, entry i is word i. */
    size_t count;
    entry *entry;
    uint32_t *word;
    size_t entry_capacity, word_capacity;
} reader;

#define BAD(r, ...)                                                                                \
    tz_bad_input((r)->error, tz_lines_name((r)->lines), tz_lines_number((r)->lines), __VA_ARGS__)

static tz_status fail(reader *r, tz_status status) {
    BAD(r, "%s", tz_status_name(status));
    if (r->error)
        r->error->status = status;
    return status;
}

/* ---- Lines and fields ---------------------------------------------------------------------- */

/* The next line that is not blank; TZ_NONE after the last. */
static tz_status next_line(reader *r) {
    size_t size;
    do {
        tz_status status = tz_lines_next(r->lines, &r->line, &size, r->error);
        if (status != TZ_OK)
            return status;
        while (size > 0 && strchr(" \t\r", r->line[size - 1]))
            r->line[--size] = '\0';
        r->line += strspn(r->line, " \t");
    } while (r->line[0] == '\0');
    return TZ_OK;
}

/* The same, where the file must not end. */
static tz_status need_line(reader *r) {
    tz_status status = next_line(r);
    return status == TZ_NONE ? BAD(r, "the file ends here, without \\end\\") : status;
}

/* A log10 at most `most`. */
static tz_status read_log(reader *r, const char *what, const char *text, size_t size, double most,
                          float *ret) {
    double value;
    if (size == 4 && memcmp(text, "-inf", 4) == 0) {
        value = -INFINITY;
    } else if (!tz_number_read(text, size, &value)) {
        return BAD(r, "the %s is '%.*s', not a number", what, (int)(size < SHOWN ? size : SHOWN),
                   text);
    }
    if (value > most) {
        return BAD(r, "the %s %.*s is above %g", what, (int)(size < SHOWN ? size : SHOWN), text,
                   most);
    }
    *ret = value <= -99 ? -INFINITY : (float)value;
    return TZ_OK;
}

/* ---- Header -------------------------------------------------------------------------------- */

static tz_status read_count(reader *r, const char *text, size_t *ret) {
    size_t count = 0;
    for (; *text >= '0' && *text <= '9' && count < TZ_LM_NO_NODE; text++)
        count = count * 10 + (size_t)(*text - '0');
    if (*text != '\0' || count >= TZ_LM_NO_NODE) {
        return BAD(r, "'%.*s' is not a number of n-grams below %lu", SHOWN, r->line,
                   (unsigned long)TZ_LM_NO_NODE);
    }
    *ret = count;
    return TZ_OK;
}

/* Up to the first line of the 1-grams. */
static tz_status read_header(reader *r) {
    tz_status status;
    do {
        status = next_line(r);
        if (status == TZ_NONE)
            return BAD(r, "there is no line \\data\\: not an ARPA file");
    } while (status == TZ_OK && strcmp(r->line, "\\data\\") != 0);
    while (status == TZ_OK && (status = need_line(r)) == TZ_OK && r->line[0] != '\\') {
        unsigned n = r->lm->order + 1;
        char *at = r->line + (strncmp(r->line, "ngram", 5) == 0 ? 5 : 0);
        at += strspn(at, " \t");
        if (at - r->line < 6 || at[0] != (char)('0' + n) || (at[1] >= '0' && at[1] <= '9')) {
            return BAD(r, "expected 'ngram %u=' and their number, or '\\1-grams:', not '%.*s'", n,
                       SHOWN, r->line);
        }
        if (n > TZ_LM_ORDER)
            return BAD(r, "n-grams of more than %d words are not supported", TZ_LM_ORDER);
        at += 1 + strspn(at + 1, " \t");
        if (*at != '=' || at[1 + strspn(at + 1, " \t")] == '\0')
            return BAD(r, "'ngram %u' lacks '=' and the number of n-grams", n);
        at += 1 + strspn(at + 1, " \t");
        status = read_count(r, at, &r->declared[n]);
        r->lm->order = n;
    }
    if (status == TZ_OK && r->lm->order == 0)
        return BAD(r, "\\data\\ declares no n-grams");
    return status;
}

/* ---- Entries ------------------------------------------------------------------------------- */

/* Makes room for entry `i`, at least. */
static tz_status make_entry(reader *r, unsigned n, size_t i) {
    bool grown = TZ_GROW(r->entry, &r->entry_capacity, i + 1) &&
                 TZ_GROW(r->word, &r->word_capacity, (i + 1) * n);
    return grown ? TZ_OK : fail(r, TZ_NO_MEMORY);
}

/* A new word, or <unk>, <s> or </s>: entries are numbered as words are. */
static tz_status read_word(reader *r, const char *text, size_t size, entry found) {
    uint32_t word;
    tz_status status = tz_lm_words_add(&r->lm->words, text, size, &word);
    if (status != TZ_OK)
        return fail(r, status);
    if (word < r->count && r->entry[word].line > 0) {
        return BAD(r, "'%.*s' has been listed in line %zu", (int)(size < SHOWN ? size : SHOWN),
                   text, r->entry[word].line);
    }
    status = make_entry(r, 1, word);
    if (status == TZ_OK) {
        r->entry[word] = found;
        r->word[word] = word;
        r->count = word < r->count ? r->count : (size_t)word + 1;
    }
    return status;
}

/* r->line is: log10 probability, n words, and perhaps a log10 backoff weight. */
static tz_status read_entry(reader *r, unsigned n) {
    const char *field[TZ_LM_ORDER + 3], *text = r->line;
    size_t size[TZ_LM_ORDER + 3], fields = 0;
    while (fields < n + 3 && (field[fields] = tz_lm_next(&text, &size[fields])) != NULL)
        fields++;
    if (fields != n + 1 && fields != n + 2) {
        return BAD(r,
                   "a line of the %u-grams has a log10 probability, %u word%s, and perhaps a log10 "
                   "backoff weight; here are %s%zu fields",
                   n, n, n == 1 ? "" : "s", fields > n + 2 ? "at least " : "", fields);
    }
    entry found = {.line = tz_lines_number(r->lines)};
    tz_status status = read_log(r, "log10 probability", field[0], size[0], 0, &found.prob);
    if (status == TZ_OK && fields == n + 2)
        status = read_log(r, "log10 backoff weight", field[n + 1], size[n + 1], 99, &found.backoff);
    if (status != TZ_OK)
        return status;
    if (n == 1)
        return read_word(r, field[1], size[1], found);
    status = make_entry(r, n, r->count);
    for (unsigned k = 1; k <= n && status == TZ_OK; k++) {
        uint32_t word = tz_lm_words_find(&r->lm->words, field[k], size[k]);
        if (word == TZ_LM_NO_WORD) {
            return BAD(r, "'%.*s' is not among the 1-grams",
                       (int)(size[k] < SHOWN ? size[k] : SHOWN), field[k]);
        }
        r->word[r->count * n + k - 1] = word;
    }
    if (status == TZ_OK)
        r->entry[r->count++] = found;
    return status;
}

/* ---- Levels -------------------------------------------------------------------------------- */

static tz_status bad_entry(reader *r, size_t i, unsigned n, const char *what, size_t line) {
    char text[256];
    size_t used = 0;
    for (unsigned k = 0; k < n && used < sizeof text; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", k > 0 ? " " : "", SHOWN,
                                 tz_lm_text(r->lm, r->word[i * n + k]));
    }
    return line > 0 ? tz_bad_input(r->error, tz_lines_name(r->lines), r->entry[i].line,
                                   "'%s' %s %zu", text, what, line)
                    : tz_bad_input(r->error, tz_lines_name(r->lines), r->entry[i].line, "'%s' %s",
                                   text, what);
}

/* Level n from the entries, in order. */
static tz_status fill_level(reader *r, unsigned n, const tz_lm_gram *gram) {
    tz_lm_level *level = &r->lm->level[n];
    tz_status status = tz_lm_level_new(r->lm, n, r->count);
    if (status != TZ_OK)
        return fail(r, status);
    for (size_t i = 0; i < r->count; i++) {
        const uint32_t *word = r->word + (size_t)gram[i].at * n;
        const entry *e = &r->entry[gram[i].at];
        if (i > 0 && memcmp(word, r->word + (size_t)gram[i - 1].at * n, n * sizeof *word) == 0) {
            return bad_entry(r, gram[i].at, n, "has been listed in line",
                             r->entry[gram[i - 1].at].line);
        }
        if (tz_lm_level_add(r->lm, n, word, e->prob) != TZ_OK) {
            return bad_entry(r, gram[i].at, n,
                             "is listed, but what it continues, all but its last "
                             "word, is not",
                             0);
        }
        if (level->backoff)
            level->backoff[i] = e->backoff;
    }
    tz_lm_level_end(r->lm, n);
    return TZ_OK;
}

static tz_status sort_level(reader *r, unsigned n) {
    size_t words = r->lm->words.count;
    if (r->count >= TZ_LM_NO_NODE || r->count >= SIZE_MAX / sizeof(tz_lm_gram))
        return fail(r, TZ_TOO_LARGE);
    tz_lm_gram *gram = malloc((r->count + 1) * sizeof *gram);
    tz_lm_gram *scratch = malloc((r->count + 1) * sizeof *scratch);
    size_t *start = malloc((words + 1) * sizeof *start);
    tz_status status = TZ_NO_MEMORY;
    if (gram && scratch && start) {
        for (size_t i = 0; i < r->count; i++)
            gram[i] = (tz_lm_gram){.at = (uint32_t)i};
        tz_lm_sort(gram, r->count, r->word, n, n, words, scratch, start);
        status = fill_level(r, n, gram);
    } else {
        fail(r, status);
    }
    free(gram);
    free(scratch);
    free(start);
    return status;
}

/* A model without <unk> says nothing of the words that it does not list. They become as rare as the
 * rarest one listed: were they impossible, every sentence with one would be, and all of them alike.
 */
static void set_floor(reader *r) {
    float *floor = &r->entry[TZ_LM_UNKNOWN].prob; /* -inf so far */
    for (size_t i = 0; i < r->count; i++)
        if (isfinite(r->entry[i].prob) && (isinf(*floor) || r->entry[i].prob < *floor))
            *floor = r->entry[i].prob;
    r->lm->floored = true;
}

/* r->line: the title, and after it that of the next order, or \end\. */
static tz_status read_level(reader *r, unsigned n) {
    char title[16];
    snprintf(title, sizeof title, "\\%u-grams:", n);
    if (strcmp(r->line, title) != 0)
        return BAD(r, "expected '%s', not '%.*s'", title, SHOWN, r->line);
    size_t listed = 0;
    tz_status status = TZ_OK;
    r->count = 0;
    for (size_t i = 0; n == 1 && i < TZ_LM_SPECIAL && status == TZ_OK; i++) {
        status = make_entry(r, 1, i);
        if (status == TZ_OK) {
            r->entry[i] = (entry){.prob = -INFINITY};
            r->word[i] = (uint32_t)i;
            r->count = i + 1;
        }
    }
    while (status == TZ_OK && (status = need_line(r)) == TZ_OK && r->line[0] != '\\') {
        if (listed++ == r->declared[n]) {
            return BAD(r, "there are more than the %zu %u-grams that the header declares",
                       r->declared[n], n);
        }
        status = read_entry(r, n);
    }
    if (status == TZ_OK && listed < r->declared[n]) {
        return BAD(r, "the header declares %zu %u-grams, but there are %zu", r->declared[n], n,
                   listed);
    }
    if (status == TZ_OK && n == 1 && r->entry[TZ_LM_UNKNOWN].line == 0)
        set_floor(r);
    return status == TZ_OK ? sort_level(r, n) : status;
}

static tz_status read_all(reader *r) {
    tz_status status = tz_lm_words_special(&r->lm->words);
    if (status != TZ_OK)
        return fail(r, status);
    status = read_header(r);
    for (unsigned n = 1; status == TZ_OK && n <= r->lm->order; n++)
        status = read_level(r, n);
    if (status == TZ_OK && strcmp(r->line, "\\end\\") != 0)
        status = BAD(r, "expected '\\end\\', not '%.*s'", SHOWN, r->line);
    return status;
}

tz_status tz_lm_read(FILE *file, const char *name, tz_lm **ret_lm, tz_error *opt_error) {
    reader r = {.lines = tz_lines_new(file, name, LINE_LIMIT),
                .error = opt_error,
                .lm = calloc(1, sizeof *r.lm)};
    tz_status status = TZ_NO_MEMORY;
    *ret_lm = NULL;
    if (r.lines && r.lm) {
        status = read_all(&r);
    } else if (opt_error) {
        tz_bad_input(opt_error, name, 0, "%s", tz_status_name(TZ_NO_MEMORY));
        opt_error->status = TZ_NO_MEMORY;
    }
    tz_lines_free(r.lines);
    free(r.entry);
    free(r.word);
    if (status != TZ_OK) {
        tz_lm_free(r.lm);
        return status;
    }
    *ret_lm = r.lm;
    return TZ_OK;
}
