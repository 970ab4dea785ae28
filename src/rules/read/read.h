/* read.h - what the parts of the reader share: lexer.c (lines and tokens), names.c (declared
 * names), expression.c (index expressions, domains), term.c, statements.c (which lines there are),
 * resource.c, input.c, view.c (weights with inputs for indices), reader.c (all other lines),
 * validate.c (meaning), warn.c (likely slips).
 *
 * A rule file is read in passes over its text, so that a name may be used above its declaration:
 * the lines are found first (tz_statement), then lengths, then weights and items, then the rest. A
 * place in the file is a pointer into the text; line and column are counted only when a message
 * needs them. Functions returning bool give false after recording the error in the reader.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_READ_READ_H
#define TZ_RULES_READ_READ_H

#include <stddef.h>

#include "base/arena.h"
#include "base/table.h"
#include "rules/read/reader.h"

enum {
    TZ_MAX_LINE = 4096,      /* bytes, without its end */
    TZ_MAX_NAME = 64,        /* bytes */
    TZ_MAX_LINES = 1024,     /* lines of one keyword; rules */
    TZ_MAX_CONSTRAINTS = 32, /* of one domain or condition; a tuple counts as one for each index */
    TZ_MAX_USED = 8,         /* relations with tuples in one condition */
};

/* Part of the text. */
typedef struct tz_span {
    const char *at;
    size_t size;
} tz_span;

typedef enum tz_statement_kind {
    TZ_STATEMENT_RULES,
    TZ_STATEMENT_CITE,
    TZ_STATEMENT_COUNT,
    TZ_STATEMENT_AMBIGUOUS,
    TZ_STATEMENT_STRUCTURES,
    TZ_STATEMENT_LENGTH,
    TZ_STATEMENT_WEIGHT,
    TZ_STATEMENT_ITEM,
    TZ_STATEMENT_RESOURCE,
    TZ_STATEMENT_RELATION,
    TZ_STATEMENT_INPUT,
    TZ_STATEMENT_NAMES,
    TZ_STATEMENT_CLOSURE,
    TZ_STATEMENT_GOAL,
    TZ_STATEMENT_RULE, /* has no keyword */
    TZ_STATEMENT_KINDS
} tz_statement_kind;

/* A header line, or a rule. */
typedef struct tz_statement tz_statement;
struct tz_statement {
    tz_statement *next;
    tz_statement_kind kind;
    uint32_t line; /* of a rule: its bar's */
    tz_span body;  /* after the keyword; of a rule: the premises */
    tz_span bar, conclusion;
    tz_span comment; /* after the # */
};

typedef enum tz_name_kind {
    TZ_NAME_LENGTH = 1 << 0,
    TZ_NAME_WEIGHT = 1 << 1,
    TZ_NAME_ITEM = 1 << 2,
    TZ_NAME_RESOURCE = 1 << 3,
    TZ_NAME_RELATION = 1 << 4,
    TZ_NAME_INPUT = 1 << 5,
    TZ_NAME_RULE = 1 << 6 /* a namespace of its own */
} tz_name_kind;

typedef struct tz_name {
    tz_span span; /* where it was declared */
    tz_name_kind kind;
    uint16_t which;
} tz_name;

/* A use of a weight with inputs, which becomes a weight of its own. */
typedef struct tz_view {
    const char *at;  /* its first use */
    uint16_t weight; /* the declared weight */
    uint8_t rank;
    tz_span index_name[TZ_MAX_RANK];
    tz_view_index index[TZ_MAX_RANK]; /* [rank of the declared weight], the rest 0 */
} tz_view;

/* The relations with tuples in a rule's condition. */
typedef struct tz_condition {
    tz_term used[TZ_MAX_USED]; /* which: the relation; index: its arguments */
    unsigned count;
} tz_condition;

/* Where the parts of a declaration or rule stand in the text. */
typedef struct tz_location {
    const char *at;            /* its name */
    const char *const *column; /* the first appearance of each index or variable */
    const char *premise[TZ_MAX_TERMS], *side[TZ_MAX_TERMS];
} tz_location;

typedef struct tz_reader {
    const char *file, *text, *end;
    tz_rules *rules;
    tz_arena *arena, *scratch; /* of the result; of the reading */
    tz_error *opt_error;
    tz_status status;
    char context[TZ_MAX_NAME + 32]; /* what is being read, for messages: `rule "attach-left"` */

    tz_statement *statement; /* in order of the file */
    size_t statements, kinds[TZ_STATEMENT_KINDS];

    tz_name *name;
    size_t names;
    tz_table numbers; /* numbers of names, by their spans */

    /* The arrays of *rules while they are being filled, and their places. */
    const char **length_name;
    tz_weight *weight;
    tz_item *item;
    tz_rule *rule;
    tz_resource *resource;
    tz_charge *charge;
    tz_listed *relation;
    tz_rules_input *input;
    tz_rules_labels *labels;
    tz_view *view; /* while rules are read, a term's weight may be one of these, numbered after the
                      others */
    uint16_t views;
    tz_condition *condition; /* of every rule, until there is a rule for each tuple */
    tz_location *weight_location, *item_location, *input_location, *rule_location;
    const char **charge_at, **relation_at;
    const char *goal_at, *structures_at;

    bool length_used[TZ_MAX_LENGTHS];
    bool *input_used;
    struct tz_noted *warning; /* in order of the file */
    uint16_t warnings;
} tz_reader;

/* ---- lexer.c --------------------------------------------------------------------------------- */

typedef enum tz_token_kind {
    TZ_TOKEN_END,
    TZ_TOKEN_NAME,
    TZ_TOKEN_INTEGER,
    TZ_TOKEN_OPEN,
    TZ_TOKEN_CLOSE,
    TZ_TOKEN_COMMA,
    TZ_TOKEN_PLUS,
    TZ_TOKEN_MINUS,
    TZ_TOKEN_STAR,
    TZ_TOKEN_LESS,
    TZ_TOKEN_AT_MOST,
    TZ_TOKEN_EQUAL,
    TZ_TOKEN_UNEQUAL,
    TZ_TOKEN_AT_LEAST,
    TZ_TOKEN_MORE,
    TZ_TOKEN_STRANGE /* no token: one character, or an operator misspelt */
} tz_token_kind;

/* A token and what follows it on its line. */
typedef struct tz_cursor {
    tz_token_kind kind;
    tz_span span;
    const char *end;
} tz_cursor;

/* A line without its end, blanks around it or comment. */
typedef struct tz_line {
    tz_span content, comment;
    bool commented;
} tz_line;

/* Records "FILE:LINE:COL: message" for a place in the text; returns false, as tz_no_memory does. */
bool tz_bad(tz_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool tz_no_memory(tz_reader *reader);
uint32_t tz_line_of(const tz_reader *reader, const char *at);
uint32_t tz_column_of(const tz_reader *reader, const char *at);

/* Reads the line at *next, which is before the end of the text, and moves past it. Refuses lines
 * that are too long, not UTF-8, or hold control characters. */
bool tz_next_line(tz_reader *reader, const char **next, tz_line *ret_line);

bool tz_span_is(tz_span span, const char *text);
/* A cursor on the first token of a span of one line, and a step to the next. */
tz_cursor tz_tokens(tz_span span);
void tz_next_token(tz_cursor *cursor);
/* Moves over a name that may contain dashes; false, without an error, where there is none. The
 * cursor then stands on the token after it. */
bool tz_dashed_name(tz_cursor *cursor, tz_span *ret_name);
/* "expected WHAT but found X in CONTEXT: REMEDY" */
bool tz_expected(tz_reader *reader, const tz_cursor *cursor, const char *what, const char *remedy);
/* The number of dashes of a bar, - or U+2500, that the line begins with; *ret_size is their
 * bytes. */
size_t tz_bar_dashes(tz_span line, size_t *ret_size);
/* Reads a bar: a cursor after its dashes and the rule's name, which is also set as context. False,
 * without an error, where there is no name; the cursor then stands where the name should. */
bool tz_bar_name(tz_reader *reader, tz_span bar, tz_cursor *ret_cursor, tz_span *ret_name);
bool tz_at_end(tz_reader *reader, const tz_cursor *cursor);

/* Sets what is being read, for messages: what "name", or only `what` if the name is empty. */
void tz_set_context(tz_reader *reader, const char *what, tz_span name);
/* Copies the text of a span to the arena of the result. */
bool tz_keep(tz_reader *reader, tz_span span, const char **ret_text);

static inline bool tz_is_blank(char c) {
    return c == ' ' || c == '\t';
}

static inline bool tz_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool tz_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* ---- names.c --------------------------------------------------------------------------------- */

/* The kind of a keyword; TZ_STATEMENT_RULE for other words. */
tz_statement_kind tz_keyword(tz_span span);
/* Is it a keyword, `axiom`, `if` or `sparse`? */
bool tz_reserved(tz_span span);
/* The keyword that a misspelt one probably stands for, or NULL. */
const char *tz_nearest_keyword(tz_span span);

/* Makes room for `most` names. */
bool tz_names_new(tz_reader *reader, size_t most);
/* The name, or NULL; kind tells the namespace. */
const tz_name *tz_names_find(const tz_reader *reader, tz_span span, tz_name_kind kind);
/* Declares a name; refuses reserved, long and known ones. */
bool tz_names_add(tz_reader *reader, tz_span span, tz_name_kind kind, uint16_t which);
/* The known name of one of these kinds that is probably meant, or NULL. */
const tz_name *tz_names_nearest(const tz_reader *reader, tz_span span, unsigned kinds);
/* The kind as text: "item", "weight", ... */
const char *tz_name_kind_text(tz_name_kind kind);
/* Checks that a span can be a name. any_word: words of the notation can, too, where nothing else
 * can stand. */
bool tz_check_name(tz_reader *reader, tz_span span, const char *what, bool any_word);

/* ---- expression.c ---------------------------------------------------------------------------- */

/* Columns by name: the indices of a declaration, or the variables of a rule. */
typedef struct tz_scope {
    tz_span name[TZ_MAX_VARIABLES];
    bool again[TZ_MAX_VARIABLES]; /* it stands in more than one place */
    unsigned count;
    bool open; /* an unknown name becomes a new column, and so does each `_` */
} tz_scope;

/* Is it one of < <= = != >= > ? */
static inline bool tz_is_relation(tz_token_kind kind) {
    return kind >= TZ_TOKEN_LESS && kind <= TZ_TOKEN_MORE;
}
/* Does the cursor stand on a name with a bracket behind it? */
bool tz_is_listed(const tz_cursor *cursor);
/* Reads a sum of variables, lengths and integers. */
bool tz_read_form(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_form *ret_form);
/* Reads chains of relations up to the end of the line; with opt_condition, relations with tuples
 * are allowed. */
bool tz_read_domain(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_domain *ret_domain,
                    tz_condition *opt_condition);
/* Reads the indices of a declaration, [v, ...] or nothing, as a closed scope. */
bool tz_read_indices(tz_reader *reader, tz_cursor *cursor, tz_scope *ret_scope);

/* ---- term.c ---------------------------------------------------------------------------------- */

/* Reads NAME[expression, ...] with the name of an item, a weight or a relation. */
bool tz_read_term(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_name_kind kind,
                  tz_term *ret_term);

/* ---- reader.c -------------------------------------------------------------------------------- */

/* Reads NAME[v, ...] of an item, a weight or an input. */
bool tz_read_declared(tz_reader *reader, tz_cursor *cursor, tz_name_kind kind, uint16_t which,
                      tz_location *location, tz_scope *ret_scope, const char **ret_name,
                      const char **index_name);
/* Reads a domain up to the end of the line, or none. */
bool tz_read_optional_domain(tz_reader *reader, tz_cursor *cursor, tz_scope *scope,
                             tz_domain *ret_domain, const char **ret_text,
                             tz_condition *opt_condition);

/* ---- input.c --------------------------------------------------------------------------------- */

bool tz_read_input(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement);
bool tz_read_names(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement);

/* ---- view.c ---------------------------------------------------------------------------------- */

/* Makes the term for a declared weight with these arguments [its rank], inputs among them, over a
 * rule's variables; the use stands at `at`. */
bool tz_use_inputs(tz_reader *reader, const char *at, unsigned weight,
                   const tz_view_index *argument, const tz_scope *scope, tz_term *ret_term);
/* Makes the views weights of the rules; after all rules are read and before relations are
 * expanded. */
bool tz_place_views(tz_reader *reader);

/* ---- statements.c
 * ---------------------------------------------------------------------------------- */

/* Finds the statements of the text, and the comment above `rules`. */
bool tz_find_statements(tz_reader *reader);

/* ---- relation.c ------------------------------------------------------------------------------ */

bool tz_read_relation(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement);
/* Makes a rule with relations into one for each choice of their tuples; after all else is read. */
bool tz_expand_relations(tz_reader *reader);

/* ---- resource.c ------------------------------------------------------------------------------ */

/* Reads a rule. */
bool tz_read_rule(tz_reader *reader, const tz_statement *statement);
/* Keeps the places of columns, for the checks. */
bool tz_keep_columns(tz_reader *reader, const tz_scope *scope, tz_location *location);

/* Reads a `resource` line if it is an `=` line and complements are asked for, or neither: all
 * charges are read before the first complement. */
bool tz_read_resource(tz_reader *reader, const tz_statement *statement, bool complements);
/* Checks that no resource is the rest of one that is itself the rest of another. */
bool tz_check_resources(tz_reader *reader);
/* Checks that no amount is negative on its weight's domain. */
bool tz_check_charges(tz_reader *reader);
/* Records an error: domains are too large to be checked. */
bool tz_too_large(tz_reader *reader, const char *at);

/* ---- warn.c ---------------------------------------------------------------------------------- */

/* Notes a warning about a place in the text; false: memory is out. */
bool tz_warn(tz_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts all warnings into the rules; those about lengths only if the file is `good`. */
void tz_keep_warnings(tz_reader *reader, bool good);

/* ---- validate.c ----------------------------------------------------------------------------- */

/* Can the rule apply for some lengths? TZ_NONE: no. TZ_NO_MEMORY, TZ_TOO_LARGE (not known). */
tz_status tz_rule_possible(const tz_rules *rules, const tz_rule *rule);
/* Checks that domains are not empty and are bounded; before views are placed. */
bool tz_check_declarations(tz_reader *reader);
/* Checks all other properties of rules that have been read. */
bool tz_check_rules(tz_reader *reader);

#endif
