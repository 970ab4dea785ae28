/* conllu.c - sentences of a CoNLL-U file. SPDX-License-Identifier: MIT */
#include "io/conllu/conllu.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct tz_conllu {
    tz_lines *lines;
    bool skipping; /* the sentence was refused: its remaining lines are passed over */

    /* The rows' text, each column with its zero byte. Rows point into it only when it no longer
     * moves; till then start[] says where each begins. */
    char *text;
    size_t size, capacity;
    tz_conllu_row *row;
    size_t *start;
    size_t rows, row_capacity, start_capacity;
    const tz_conllu_row **word;
    int32_t *mark; /* per word, for the search for cycles */
    size_t word_capacity, mark_capacity;

    /* While a sentence is read. */
    int32_t words;
    int32_t covered;    /* last word of a multiword token so far */
    size_t covered_row; /* and the row of that token */
    int32_t empty;      /* empty nodes since the last word */
    bool named;         /* a comment gives the sentence's name or text */
    tz_conllu_sentence sentence;
};

static const char *const column_name[TZ_COLUMNS] = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                    "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};

tz_conllu *tz_conllu_new(tz_lines *lines) {
    tz_conllu *conllu = calloc(1, sizeof *conllu);
    if (conllu)
        conllu->lines = lines;
    return conllu;
}

void tz_conllu_free(tz_conllu *conllu) {
    if (conllu) {
        free(conllu->text);
        free(conllu->row);
        free(conllu->start);
        free(conllu->word);
        free(conllu->mark);
        free(conllu);
    }
}

bool tz_conllu_spelt(const tz_conllu_row *token) {
    const char *rest = token->column[TZ_FORM];
    int32_t w = token->first;
    for (const tz_conllu_row *row = token + 1; w <= token->last; row++) {
        if (row->kind != TZ_WORD)
            continue;
        size_t size = strlen(row->column[TZ_FORM]);
        if (strncmp(rest, row->column[TZ_FORM], size) != 0)
            return false;
        rest += size;
        w++;
    }
    return *rest == '\0';
}

const char *tz_conllu_file(const tz_conllu *conllu) {
    return tz_lines_name(conllu->lines);
}

static tz_status no_memory(const tz_conllu *conllu, tz_error *opt_error) {
    return tz_out_of_memory(opt_error, tz_lines_name(conllu->lines),
                            tz_lines_number(conllu->lines));
}

/* A field for a message: its beginning, and nothing that a terminal would obey. */
typedef struct quoted {
    char text[28];
} quoted;

static quoted quote(const char *field) {
    quoted result = {{0}};
    size_t size = strlen(field), shown = size > 20 ? 20 : size;
    for (size_t i = 0; i < shown; i++)
        result.text[i] = field[i] >= ' ' && field[i] <= '~' ? field[i] : '?';
    if (shown < size)
        strcpy(result.text + shown, "...");
    return result;
}

/* A number of 1 to 7 digits without leading zeros at *text, which moves behind it; else -1. */
static int32_t read_number(const char **text) {
    const char *at = *text;
    int32_t number = 0;
    int digits = 0;
    for (; *at >= '0' && *at <= '9' && digits < 8; at++, digits++)
        number = number * 10 + (*at - '0');
    if (digits == 0 || digits > 7 || (digits > 1 && **text == '0'))
        return -1;
    *text = at;
    return number;
}

/* What `# name = value` gives this name; NULL: the comment is another one. */
static const char *value_of(const char *comment, const char *name) {
    const char *text = comment + 1 + strspn(comment + 1, " ");
    size_t size = strlen(name);
    bool is = strncmp(text, name, size) == 0 && strncmp(text + size, " = ", 3) == 0;
    return is ? text + size + 3 : NULL;
}

static bool space_after(const char *misc) {
    static const char no[] = "SpaceAfter=No";
    for (const char *at = misc; (at = strstr(at, no)) != NULL; at++) {
        char next = at[sizeof no - 1];
        if ((at == misc || at[-1] == '|') && (next == '\0' || next == '|'))
            return false;
    }
    return true;
}

/* Appends the line with its zero byte. */
static bool keep_text(tz_conllu *conllu, const char *line, size_t size) {
    void *text = conllu->text;
    bool grown = tz_grow(&text, &conllu->capacity, conllu->size + size + 1, 1);
    conllu->text = text;
    if (grown) {
        memcpy(conllu->text + conllu->size, line, size + 1);
        conllu->size += size + 1;
    }
    return grown;
}

static bool keep_row(tz_conllu *conllu, const tz_conllu_row *row, size_t start) {
    void *rows = conllu->row, *starts = conllu->start;
    bool grown = tz_grow(&rows, &conllu->row_capacity, conllu->rows + 1, sizeof *conllu->row);
    conllu->row = rows;
    grown =
        grown && tz_grow(&starts, &conllu->start_capacity, conllu->rows + 1, sizeof *conllu->start);
    conllu->start = starts;
    if (grown) {
        conllu->row[conllu->rows] = *row;
        conllu->start[conllu->rows++] = start;
    }
    return grown;
}

/* The id of a row: 3, 3-4 or 3.1, in order. */
static tz_status read_id(tz_conllu *conllu, const char *id, tz_conllu_row *row,
                         tz_error *opt_error) {
    const char *name = tz_lines_name(conllu->lines);
    const char *at = id;
    int32_t number = read_number(&at);
    if (number >= 0 && *at == '\0') {
        row->kind = TZ_WORD;
        row->first = row->last = number;
        if (number != conllu->words + 1) {
            return tz_bad_input(opt_error, name, row->line, "word %d stands where %d is expected",
                                number, conllu->words + 1);
        }
        if (number > TZ_CONLLU_WORDS) {
            return tz_bad_input(opt_error, name, row->line, "more than %d words in a sentence",
                                TZ_CONLLU_WORDS);
        }
        conllu->words = number;
        conllu->empty = 0;
        return TZ_OK;
    }
    char sign = *at;
    int32_t second = -1;
    if (number >= 0 && (sign == '-' || sign == '.')) {
        at++;
        second = read_number(&at);
    }
    if (second < 0 || *at != '\0') {
        return tz_bad_input(opt_error, name, row->line,
                            "the id is '%s', not a number (3), a range (3-4) or an empty node "
                            "(3.1)",
                            quote(id).text);
    }
    row->first = number;
    if (sign == '.') {
        row->kind = TZ_EMPTY_NODE;
        row->last = number;
        if (number != conllu->words || second != conllu->empty + 1) {
            return tz_bad_input(opt_error, name, row->line,
                                "empty node %s stands where %d.%d is expected", quote(id).text,
                                conllu->words, conllu->empty + 1);
        }
        conllu->empty = second;
        return TZ_OK;
    }
    row->kind = TZ_MULTIWORD;
    row->last = second;
    if (number != conllu->words + 1 || second < number || number <= conllu->covered) {
        return tz_bad_input(opt_error, name, row->line,
                            "multiword token %s must stand before its first word and overlap no "
                            "other",
                            quote(id).text);
    }
    conllu->covered = second;
    conllu->covered_row = conllu->rows;
    return TZ_OK;
}

/* One line that is not blank. */
static tz_status read_row(tz_conllu *conllu, char *line, size_t size, tz_error *opt_error) {
    const char *name = tz_lines_name(conllu->lines);
    tz_conllu_row row = {.line = tz_lines_number(conllu->lines), .head = -1, .space_after = true};
    size_t start = conllu->size;
    if (size + 1 > TZ_CONLLU_SENTENCE - start) {
        return tz_bad_input(opt_error, name, row.line, "the sentence is longer than %d bytes",
                            TZ_CONLLU_SENTENCE);
    }
    if (line[0] == '#') {
        row.kind = TZ_COMMENT;
        conllu->named |= value_of(line, "sent_id") || value_of(line, "text");
        if (!keep_text(conllu, line, size) || !keep_row(conllu, &row, start))
            return no_memory(conllu, opt_error);
        return TZ_OK;
    }

    const char *column[TZ_COLUMNS];
    size_t columns = 0;
    for (char *at = line; at; columns++) {
        char *tab = strchr(at, '\t');
        if (columns < TZ_COLUMNS)
            column[columns] = at;
        at = tab ? tab + 1 : NULL;
    }
    if (columns != TZ_COLUMNS) {
        return tz_bad_input(opt_error, name, row.line,
                            "%zu column%s where CoNLL-U has %d, separated by single tabs", columns,
                            columns == 1 ? "" : "s", TZ_COLUMNS);
    }
    for (size_t c = 1; c < TZ_COLUMNS; c++)
        line[column[c] - line - 1] = '\0';
    for (size_t c = 0; c < TZ_COLUMNS; c++) {
        if (column[c][0] == '\0') {
            return tz_bad_input(opt_error, name, row.line,
                                "column %s is empty; an unknown value is written _",
                                column_name[c]);
        }
    }
    tz_status status = read_id(conllu, column[TZ_ID], &row, opt_error);
    if (status != TZ_OK)
        return status;
    if (row.kind == TZ_WORD && strcmp(column[TZ_HEAD], "_") != 0) {
        const char *at = column[TZ_HEAD];
        row.head = read_number(&at);
        if (row.head < 0 || *at != '\0') {
            return tz_bad_input(opt_error, name, row.line,
                                "the head of word %d is '%s', not the number of a word, 0 or _",
                                row.first, quote(column[TZ_HEAD]).text);
        }
    }
    row.space_after = space_after(column[TZ_MISC]);
    if (!keep_text(conllu, line, size) || !keep_row(conllu, &row, start))
        return no_memory(conllu, opt_error);
    return TZ_OK;
}

/* Every head is a word, and climbing from any word ends at the root or at an unknown head. */
static tz_status check_heads(tz_conllu *conllu, tz_error *opt_error) {
    const char *name = tz_lines_name(conllu->lines);
    const tz_conllu_row **word = conllu->word;
    for (int32_t w = 1; w <= conllu->words; w++) {
        if (word[w]->head > conllu->words) {
            return tz_bad_input(opt_error, name, word[w]->line,
                                "the head of word %d is %d, but the sentence has %d word%s", w,
                                word[w]->head, conllu->words, conllu->words == 1 ? "" : "s");
        }
    }
    /* A word bears the number of the climb that first met it. */
    memset(conllu->mark, 0, ((size_t)conllu->words + 1) * sizeof *conllu->mark);
    for (int32_t w = 1; w <= conllu->words; w++) {
        int32_t at = w;
        while (at > 0 && conllu->mark[at] == 0) {
            conllu->mark[at] = w;
            at = word[at]->head;
        }
        if (at > 0 && conllu->mark[at] == w) {
            return tz_bad_input(opt_error, name, word[at]->line,
                                at == word[at]->head ? "word %d is its own head"
                                                     : "the heads of word %d, of its head %d, and "
                                                       "so on form a cycle",
                                at, word[at]->head);
        }
    }
    return TZ_OK;
}

static tz_status finish(tz_conllu *conllu, tz_error *opt_error) {
    if (conllu->covered > conllu->words) {
        const tz_conllu_row *range = &conllu->row[conllu->covered_row];
        return tz_bad_input(opt_error, tz_lines_name(conllu->lines), range->line,
                            "multiword token %d-%d ends after the last word, %d", range->first,
                            range->last, conllu->words);
    }
    if (conllu->words == 0)
        return tz_bad_input(opt_error, tz_lines_name(conllu->lines), conllu->row[0].line,
                            "a sentence without words");
    size_t need = (size_t)conllu->words + 1;
    void *word = conllu->word, *mark = conllu->mark;
    bool grown = tz_grow(&word, &conllu->word_capacity, need, sizeof *conllu->word);
    conllu->word = word;
    grown = grown && tz_grow(&mark, &conllu->mark_capacity, need, sizeof *conllu->mark);
    conllu->mark = mark;
    if (!grown)
        return no_memory(conllu, opt_error);

    conllu->sentence = (tz_conllu_sentence){
        .rows = conllu->rows, .row = conllu->row, .words = conllu->words, .word = conllu->word};
    conllu->word[0] = NULL;
    for (size_t r = 0; r < conllu->rows; r++) {
        tz_conllu_row *row = &conllu->row[r];
        char *at = conllu->text + conllu->start[r];
        size_t columns = row->kind == TZ_COMMENT ? 1 : TZ_COLUMNS;
        for (size_t c = 0; c < TZ_COLUMNS; c++) {
            row->column[c] = c < columns ? at : "";
            at += c < columns ? strlen(at) + 1 : 0;
        }
        if (row->kind == TZ_WORD) {
            conllu->word[row->first] = row;
        } else if (row->kind == TZ_COMMENT) {
            const char *id = value_of(row->column[0], "sent_id");
            conllu->sentence.id = id ? id : conllu->sentence.id;
        }
    }
    return check_heads(conllu, opt_error);
}

tz_status tz_conllu_next(tz_conllu *conllu, const tz_conllu_sentence **ret_sentence,
                         tz_error *opt_error) {
    *ret_sentence = NULL;
    conllu->size = conllu->rows = conllu->covered_row = 0;
    conllu->words = conllu->covered = conllu->empty = 0;
    conllu->named = false;
    for (;;) {
        char *line;
        size_t size = 0;
        tz_status status = tz_lines_next(conllu->lines, &line, &size, opt_error);
        if (conllu->skipping && status == TZ_OK) {
            conllu->skipping = size > 0;
            continue;
        }
        bool blank = status == TZ_OK && size == 0;
        bool begun = conllu->words > 0 || conllu->covered > 0 || conllu->empty > 0 || conllu->named;
        if ((blank || status == TZ_NONE) && begun) {
            status = finish(conllu, opt_error);
            /* What ends the sentence has been read: there is nothing left to pass over. */
            if (status == TZ_OK)
                *ret_sentence = &conllu->sentence;
            return status;
        }
        if (blank) { /* between sentences, or after comments about the file */
            conllu->size = conllu->rows = 0;
            continue;
        }
        if (status == TZ_OK)
            status = read_row(conllu, line, size, opt_error);
        if (status != TZ_OK) {
            conllu->skipping = status != TZ_NONE;
            return status;
        }
    }
}
