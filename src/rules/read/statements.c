/* statements.c - the header lines and the rules of a file, before anything in them is read.
 *
 * A header line stands on one line. A rule is three lines, premises, bar and conclusion, between
 * which comments may stand but no empty line: an empty line ends a rule, so that a missing
 * conclusion is not taken from the next one. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/read/read.h"

/* The rule whose lines are being collected. */
typedef struct pending_rule {
    tz_span premises, bar; /* at is NULL where not seen yet */
    uint32_t bar_line;
} pending_rule;

static tz_statement *add_statement(tz_reader *reader, tz_statement ***last, tz_statement_kind kind,
                                   uint32_t line, const char *at) {
    if (reader->kinds[kind] == TZ_MAX_LINES) {
        tz_bad(reader, at,
               "more than %d lines like this one (rules, items, weights, ...): leave some out",
               TZ_MAX_LINES);
        return NULL;
    }
    tz_statement *statement = tz_arena_array(reader->scratch, 1, sizeof *statement);
    if (statement == NULL) {
        tz_no_memory(reader);
        return NULL;
    }
    statement->kind = kind;
    statement->line = line;
    **last = statement;
    *last = &statement->next;
    reader->statements++;
    reader->kinds[kind]++;
    return statement;
}

static const char *const once_text[TZ_STATEMENT_KINDS] = {
    [TZ_STATEMENT_RULES] = "rules",         [TZ_STATEMENT_COUNT] = "count",
    [TZ_STATEMENT_AMBIGUOUS] = "ambiguous", [TZ_STATEMENT_STRUCTURES] = "structures",
    [TZ_STATEMENT_GOAL] = "goal",
};

static bool bad_bar(tz_reader *reader, tz_span bar, const char *has, const char *remedy) {
    tz_cursor cursor;
    tz_span name;
    tz_bar_name(reader, bar, &cursor, &name);
    return tz_bad(reader, bar.at, "the bar of %s has %s: %s", reader->context, has, remedy);
}

/* A rule ends too early, at an empty line, a header line or the end of the file. */
static bool unfinished(tz_reader *reader, const pending_rule *pending) {
    if (pending->bar.at != NULL)
        return bad_bar(reader, pending->bar, "no conclusion",
                       "write the item it concludes on the next line");
    tz_cursor cursor = tz_tokens(pending->premises);
    const char *keyword = NULL;
    tz_span word = cursor.span;
    if (cursor.kind == TZ_TOKEN_NAME) {
        keyword = tz_nearest_keyword(word);
        tz_next_token(&cursor);
    }
    if (keyword != NULL && cursor.kind != TZ_TOKEN_OPEN)
        return tz_bad(reader, word.at, "unknown keyword \"%.*s\": did you mean \"%s\"?",
                      (int)word.size, word.at, keyword);
    if (cursor.kind == TZ_TOKEN_NAME && reader->kinds[TZ_STATEMENT_RULES] == 0)
        return tz_bad(reader, word.at,
                      "unknown keyword \"%.*s\": a file begins with a `rules` line, as in `rules "
                      "eisner`",
                      (int)word.size, word.at);
    return tz_bad(reader, pending->premises.at,
                  "no bar below this line: a rule is premises or `axiom`, a bar of three or more "
                  "dashes with the rule's name, and a conclusion, on lines of their own");
}

static bool read_bar_line(tz_reader *reader, pending_rule *pending, tz_span content,
                          uint32_t line) {
    size_t bytes;
    if (tz_bar_dashes(content, &bytes) < 3)
        return bad_bar(reader, content, "fewer than three dashes", "write `---`");
    if (pending->bar.at != NULL)
        return bad_bar(reader, content, "another bar above it",
                       "remove one, or write the conclusion between them");
    if (pending->premises.at == NULL)
        return bad_bar(reader, content, "no premises", "write them, or `axiom`, on the line above");
    pending->bar = content;
    pending->bar_line = line;
    return true;
}

/* A line that begins with a name. */
static bool read_text_line(tz_reader *reader, tz_statement ***last, pending_rule *pending,
                           const tz_line *line, uint32_t number) {
    tz_cursor cursor = tz_tokens(line->content);
    tz_statement_kind kind =
        cursor.kind == TZ_TOKEN_NAME ? tz_keyword(cursor.span) : TZ_STATEMENT_RULE;
    if (kind == TZ_STATEMENT_RULE && pending->premises.at == NULL) {
        pending->premises = line->content;
        return true;
    }
    if (pending->premises.at != NULL && (pending->bar.at == NULL || kind != TZ_STATEMENT_RULE))
        return unfinished(reader, pending);
    if (once_text[kind] != NULL && reader->kinds[kind] > 0)
        return tz_bad(reader, cursor.span.at, "second `%s` line: a file has one; remove the other",
                      once_text[kind]);
    if (kind == TZ_STATEMENT_RULE)
        number = pending->bar_line;
    tz_statement *statement = add_statement(reader, last, kind, number, cursor.span.at);
    if (statement == NULL)
        return false;
    if (kind == TZ_STATEMENT_RULE) {
        statement->body = pending->premises;
        statement->bar = pending->bar;
        statement->conclusion = line->content;
        *pending = (pending_rule){0};
    } else {
        const char *end = line->content.at + line->content.size;
        tz_next_token(&cursor);
        statement->body = (tz_span){cursor.span.at, (size_t)(end - cursor.span.at)};
        statement->comment = line->comment;
    }
    return true;
}

/* Copies the comments of `lines` comment lines from `at` on, joined. */
static bool join_comments(tz_reader *reader, const char *at, size_t lines) {
    const char *next = at;
    size_t size = 0;
    tz_line line;
    for (size_t i = 0; i < lines; i++) {
        if (!tz_next_line(reader, &next, &line))
            return false;
        size += line.comment.size + 1;
    }
    char *text = tz_arena_array(reader->arena, size + 1, 1), *to = text;
    if (text == NULL)
        return tz_no_memory(reader);
    next = at;
    for (size_t i = 0; i < lines; i++) {
        if (!tz_next_line(reader, &next, &line))
            return false;
        if (i > 0)
            *to++ = '\n';
        memcpy(to, line.comment.at, line.comment.size);
        to += line.comment.size;
    }
    reader->rules->comment = text;
    return true;
}

static bool missing(tz_reader *reader, const char *what) {
    return tz_bad(reader, reader->text, "no %s", what);
}

/* Finds the header lines and the rules. */
bool tz_find_statements(tz_reader *reader) {
    tz_statement **last = &reader->statement;
    pending_rule pending = {0};
    const char *block = NULL; /* the comment lines directly above */
    size_t block_lines = 0;
    uint32_t number = 0;
    size_t bytes;
    for (const char *next = reader->text; next < reader->end;) {
        tz_line line;
        const char *begin = next;
        if (!tz_next_line(reader, &next, &line))
            return false;
        number++;
        if (line.content.size == 0 && line.commented) {
            block = block_lines++ == 0 ? begin : block;
            continue;
        }
        if (line.content.size == 0) {
            if (pending.premises.at != NULL)
                return unfinished(reader, &pending);
        } else if (tz_bar_dashes(line.content, &bytes) > 0) {
            if (!read_bar_line(reader, &pending, line.content, number))
                return false;
        } else {
            size_t named = reader->kinds[TZ_STATEMENT_RULES];
            if (!read_text_line(reader, &last, &pending, &line, number))
                return false;
            if (reader->kinds[TZ_STATEMENT_RULES] > named && block_lines > 0 &&
                !join_comments(reader, block, block_lines))
                return false;
        }
        block_lines = 0;
    }
    if (pending.premises.at != NULL)
        return unfinished(reader, &pending);
    if (reader->kinds[TZ_STATEMENT_RULES] == 0)
        return missing(reader, "`rules` line: name the rule set, as in `rules eisner`");
    if (reader->kinds[TZ_STATEMENT_LENGTH] == 0)
        return missing(reader, "`length` line: declare what the indices run to, as in `length n`");
    if (reader->kinds[TZ_STATEMENT_GOAL] == 0)
        return missing(reader, "`goal` line: name the item to derive, as in `goal rtri[0,n]`");
    if (reader->kinds[TZ_STATEMENT_RULE] == 0)
        return missing(reader, "rule: a rule is premises or `axiom`, a bar with the rule's name, "
                               "and a conclusion, on lines of their own");
    return true;
}
