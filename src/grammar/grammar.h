/* grammar.h - the parts of a grammar, and of reading one. SPDX-License-Identifier: MIT */
#ifndef TZ_GRAMMAR_GRAMMAR_H
#define TZ_GRAMMAR_GRAMMAR_H

#include <trapeze/grammar.h>

#include "base/arena.h"
#include "base/table.h"

/* What a grammar knows of a symbol besides its name. */
typedef struct tz_symbol {
    uint32_t line, column; /* where it first stands */
    bool made, has_rules;
} tz_symbol;

/* list[]; index is of int32_t[rank], and the arrays grow. */
typedef struct tz_entries {
    unsigned rank;
    size_t entries, room[3];
    int32_t *index, *rule;
    double *score;
} tz_entries;

enum {
    TZ_LIST_WORD,
    TZ_LIST_NOTHING,
    TZ_LIST_UNARY,
    TZ_LIST_BINARY,
    TZ_LIST_BEFORE,
    TZ_LIST_AFTER,
    TZ_LIST_ROOT
};

struct tz_grammar {
    tz_arena *arena;
    tz_rule_weights weights;
    tz_name_table symbols, words;
    tz_symbol *symbol;
    size_t symbol_room;
    tz_grammar_rule *rule; /* score: the weight as it was read, until tz_grammar_weigh */
    size_t rules, rule_room;
    double *
        number; /* [rules] what is shown of a weight: as read; a share; a log where they are logs */
    int32_t *right;
    size_t rights, right_room;
    tz_table rule_table;
    int32_t root; /* TZ_NO_NUMBER: not yet known */
    tz_entries list[TZ_GRAMMAR_LISTS];
    tz_table key[TZ_LIST_BINARY + 1]; /* of entries */
    bool *made;
    tz_grammar_parts parts;
};

/* The state of reading a text. */
typedef struct tz_reader {
    const char *name, *text;
    size_t size, at;
    size_t line_start; /* of the line that `at` is in */
    uint32_t line;
    const double *score; /* NULL, or log weights in the place of the text's */
    size_t scores;
    tz_grammar *grammar;
    tz_error *error;
} tz_reader;

/* Writes NAME:LINE:COLUMN: message about the byte `at` of the line that is read; TZ_BAD_RULES. */
tz_status tz_reader_fail(const tz_reader *reader, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
tz_status tz_reader_no_memory(const tz_reader *reader);
uint32_t tz_reader_column(const tz_reader *reader, size_t at);
/* Byte `ahead` further on; 0 past the end. */
static inline char tz_reader_peek(const tz_reader *r, size_t ahead) {
    return r->at + ahead < r->size ? r->text[r->at + ahead] : '\0';
}

/* The number of a name, which may be new, and first stands at byte `at`; TZ_NO_NUMBER when memory
 * is out. */
int32_t tz_reader_symbol(tz_reader *reader, const char *name, size_t size, size_t at);
int32_t tz_reader_word(tz_reader *reader, const char *name, size_t size);
/* Adds a rule that stands at byte `at`. One that is there already is refused, or its weight added
 * where weights are counts or none. */
tz_status tz_reader_rule(tz_reader *reader, int32_t left, const int32_t *right, size_t size,
                         double weight, size_t at);

/* The notations. */
tz_status tz_read_arrows(tz_reader *reader);
tz_status tz_read_gbnf(tz_reader *reader);

/* Makes a symbol of this name, or one like it where the name is taken. TZ_NO_NUMBER: no memory. */
int32_t tz_grammar_make(tz_grammar *grammar, const char *name);

/* Checks words, symbols without rules, and sums; weights become logs of probabilities or
 * weights. */
tz_status tz_grammar_weigh(tz_reader *reader);
/* Makes the lists. */
tz_status tz_grammar_binarise(tz_grammar *grammar);
/* Marks entries that no tree uses, adds the lists before and after, and finds the height of trees
 * over the empty string. */
tz_status tz_grammar_nothing(tz_reader *reader);

/* The entry of one of the first four lists with this index; TZ_NO_NUMBER: there is none. */
int32_t tz_grammar_entry(const tz_grammar *grammar, unsigned list, const int32_t *index);
tz_status tz_grammar_add(tz_grammar *grammar, unsigned list, const int32_t *index, double score,
                         int32_t rule);

#endif
