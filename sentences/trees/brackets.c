/* brackets.c - see brackets.h. SPDX-License-Identifier: MIT */
#include "sentences/trees/brackets.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "base/utf8.h"
#include "sentences/trees/heads.h"

/* A bracket that is not yet closed. */
typedef struct open {
    const char *category; /* NULL: none */
    const char *word;     /* NULL: none */
    uint32_t first, last; /* children that are left after cleaning */
    bool children;        /* are there any, before cleaning? */
    size_t line, column;
} open;

struct tz_brackets {
    tz_lines *lines;
    bool keep_going, failed; /* failed: the tree read last was wrong, and its rest is passed over */
    const char *line;        /* of the file; what is not yet read is line[at..size-1] */
    size_t at, size, column;

    /* The tree that is being read. */
    tz_arena *arena;
    open *stack;
    size_t depth, stack_capacity, begun; /* begun: its first line */
    tz_draft_node *draft;
    size_t nodes, draft_capacity;
    tz_tree_word *word;
    size_t words, word_capacity;
};

tz_brackets *tz_brackets_new(tz_lines *lines, bool keep_going) {
    tz_brackets *brackets = calloc(1, sizeof *brackets);
    if (brackets)
        *brackets = (tz_brackets){.lines = lines, .keep_going = keep_going};
    return brackets;
}

void tz_brackets_free(tz_brackets *brackets) {
    if (brackets) {
        free(brackets->stack);
        free(brackets->draft);
        free(brackets->word);
        free(brackets);
    }
}

size_t tz_brackets_line(const tz_brackets *brackets) {
    return brackets->begun;
}

/* ---- Messages -------------------------------------------------------------------------------- */

__attribute__((format(printf, 5, 6))) static tz_status wrong(const tz_brackets *b, size_t line,
                                                             size_t column, tz_error *opt_error,
                                                             const char *format, ...) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tz_fail(opt_error, TZ_IO, "%.480s:%zu:%zu: %s", tz_lines_name(b->lines), line, column,
                   message);
}

static tz_status no_memory(const tz_brackets *b, tz_error *opt_error) {
    return tz_out_of_memory(opt_error, tz_lines_name(b->lines), tz_lines_number(b->lines));
}

/* A word or category for a message: its beginning, as far as it may be shown. */
typedef struct shown {
    char text[48];
} shown;

static shown show(const char *name) {
    shown result = {{0}};
    size_t size = strlen(name), used = 0, length;
    for (size_t i = 0; i < size; i += length) {
        uint32_t code;
        length = tz_utf8_decode(name + i, size - i, &code);
        if (length == 0 || used + length > sizeof result.text - 4) {
            strcpy(result.text + used, "...");
            return result;
        }
        if (tz_utf8_printable(code))
            memcpy(result.text + used, name + i, length);
        else
            result.text[used] = '?';
        used += tz_utf8_printable(code) ? length : 1;
    }
    return result;
}

/* ---- Cleaning -------------------------------------------------------------------------------- */

static size_t cut(const char *category, size_t size) {
    size_t kept = category[0] == '-' ? size : 1;
    while (kept < size && !strchr("-=|", category[kept]))
        kept++;
    return kept;
}

static const struct {
    char bracket, code[6];
} codes[] = {{'(', "-LRB-"}, {')', "-RRB-"}, {'[', "-LSB-"},
             {']', "-RSB-"}, {'{', "-LCB-"}, {'}', "-RCB-"}};
enum { CODES = sizeof codes / sizeof *codes, CODE = sizeof codes->code - 1 };

/* The word that is written so. */
static const char *decoded(tz_arena *arena, const char *text, size_t size) {
    char *word = tz_arena_text(arena, text, size);
    if (!word)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < size; used++) {
        size_t c = 0;
        while (c < CODES && (size - i < CODE || memcmp(text + i, codes[c].code, CODE) != 0))
            c++;
        word[used] = c < CODES ? codes[c].bracket : text[i];
        i += c < CODES ? CODE : 1;
    }
    word[used] = '\0';
    return word;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static tz_status next_line(tz_brackets *b, tz_error *opt_error) {
    char *line;
    tz_status status = tz_lines_next(b->lines, &line, &b->size, opt_error);
    b->at = 0;
    b->column = 1;
    b->line = line;
    b->size = status == TZ_OK ? b->size : 0;
    return status;
}

/* To the next character that is no blank, which is then line[at]. TZ_NONE: there is none, in the
 * tree that is open where b->keep_going. */
static tz_status skip_blanks(tz_brackets *b, tz_error *opt_error) {
    for (;;) {
        for (; b->at < b->size; b->at++, b->column++)
            if (!blank(b->line[b->at]))
                return TZ_OK;
        tz_status status = next_line(b, opt_error);
        if (status != TZ_OK)
            return status;
        if (b->keep_going && b->depth > 0 && b->size > 0 && b->line[0] == '(')
            return TZ_NONE;
    }
}

/* Past what is left of a tree that is wrong. */
static tz_status pass_over(tz_brackets *b, tz_error *opt_error) {
    tz_status status = TZ_OK;
    while (status == TZ_OK && (b->at > 0 || b->size == 0 || b->line[0] != '('))
        status = next_line(b, opt_error);
    b->failed = status != TZ_OK;
    return status;
}

/* What stands there up to a blank or bracket. */
static size_t take_name(tz_brackets *b, const char **ret_name) {
    size_t from = b->at;
    *ret_name = b->line + from;
    for (; b->at < b->size; b->at++) {
        char c = b->line[b->at];
        if (blank(c) || c == '(' || c == ')')
            break;
        b->column += !tz_utf8_continues(c);
    }
    return b->at - from;
}

static tz_status push(tz_brackets *b, tz_error *opt_error) {
    size_t line = tz_lines_number(b->lines), column = b->column++;
    const open *above = b->depth > 0 ? &b->stack[b->depth - 1] : NULL;
    b->at++;
    if (above && !above->category && b->depth > 1)
        return wrong(b, above->line, above->column, opt_error,
                     "brackets without a category stand inside a tree, that of %zu:%zu: is one of "
                     "its brackets not closed?",
                     b->stack[0].line, b->stack[0].column);
    if (above && above->word)
        return wrong(b, line, column, opt_error,
                     "the word '%s' and a constituent stand side by side: a word has brackets of "
                     "its own, (TAG WORD)",
                     show(above->word).text);
    if (!TZ_GROW(b->stack, &b->stack_capacity, b->depth + 1))
        return no_memory(b, opt_error);
    b->stack[b->depth++] =
        (open){.first = TZ_NO_NODE, .last = TZ_NO_NODE, .line = line, .column = column};
    return TZ_OK;
}

/* A category or a word. */
static tz_status name(tz_brackets *b, tz_error *opt_error) {
    size_t line = tz_lines_number(b->lines), column = b->column;
    const char *text;
    size_t size = take_name(b, &text);
    open *in = b->depth > 0 ? &b->stack[b->depth - 1] : NULL;
    const char *copy = in && !in->category && !in->children
                           ? tz_arena_text(b->arena, text, cut(text, size))
                           : decoded(b->arena, text, size);
    if (!copy)
        return no_memory(b, opt_error);
    if (!in)
        return wrong(b, line, column, opt_error, "'%s' stands outside brackets", show(copy).text);
    if (in->children)
        return wrong(b, line, column, opt_error,
                     "the word '%s' stands beside constituents: a word has brackets of its own, "
                     "(TAG WORD)",
                     show(copy).text);
    if (in->word)
        return wrong(b, line, column, opt_error,
                     "two words, '%s' and '%s', under one tag, %s: each has brackets of its own",
                     show(in->word).text, show(copy).text, show(in->category).text);
    if (in->category)
        in->word = copy;
    else
        in->category = copy;
    return TZ_OK;
}

/* A leaf or constituent that stays, as a child of what is open above it. */
static tz_status keep(tz_brackets *b, const open *closed, tz_error *opt_error) {
    if (b->nodes == TZ_BRACKETS_NODES)
        return wrong(b, b->stack[0].line, b->stack[0].column, opt_error,
                     "the tree has more than %d nodes", TZ_BRACKETS_NODES);
    if (!(TZ_GROW(b->draft, &b->draft_capacity, b->nodes + 1) &&
          TZ_GROW(b->word, &b->word_capacity, b->words + 1)))
        return no_memory(b, opt_error);
    uint32_t node = (uint32_t)b->nodes++;
    b->draft[node] = (tz_draft_node){closed->category, closed->first, TZ_NO_NODE, TZ_NO_NODE,
                                     (uint32_t)b->words};
    if (closed->word)
        b->word[b->words++] = (tz_tree_word){closed->word, closed->category};
    if (b->depth > 0) {
        open *above = &b->stack[b->depth - 1];
        if (above->first == TZ_NO_NODE)
            above->first = node;
        else
            b->draft[above->last].next = node;
        above->last = node;
    }
    return TZ_OK;
}

static tz_status pop(tz_brackets *b, tz_error *opt_error) {
    size_t line = tz_lines_number(b->lines), column = b->column++;
    b->at++;
    if (b->depth == 0)
        return wrong(b, line, column, opt_error, "this bracket closes none");
    open closed = b->stack[--b->depth];
    if (!closed.word && !closed.children)
        return wrong(b, closed.line, closed.column, opt_error,
                     closed.category ? "%s has neither a word nor constituents"
                                     : "there is nothing between these brackets%s",
                     closed.category ? show(closed.category).text : "");
    if (b->depth > 0)
        b->stack[b->depth - 1].children = true;
    bool trace = closed.word && strcmp(closed.category, "-NONE-") == 0;
    if (trace || (!closed.word && closed.first == TZ_NO_NODE))
        return TZ_OK;
    if (!closed.category && b->draft[closed.first].next != TZ_NO_NODE)
        return wrong(b, closed.line, closed.column, opt_error,
                     "brackets without a category hold more than one tree");
    return keep(b, &closed, opt_error);
}

/* One bracket or name further. */
static tz_status step(tz_brackets *b, tz_error *opt_error) {
    char c = b->line[b->at];
    return c == '(' ? push(b, opt_error) : c == ')' ? pop(b, opt_error) : name(b, opt_error);
}

/* Below outer brackets: the root. */
static uint32_t root(const tz_brackets *b) {
    uint32_t x = (uint32_t)b->nodes - 1;
    for (;;) {
        const tz_draft_node *node = &b->draft[x];
        bool outer = !node->category || strcmp(node->category, "ROOT") == 0 ||
                     strcmp(node->category, "TOP") == 0;
        if (!outer || node->first == TZ_NO_NODE || b->draft[node->first].next != TZ_NO_NODE)
            return x;
        x = node->first;
    }
}

static tz_status finish(tz_brackets *b, const open *outer, tz_tree *ret_tree, tz_error *opt_error) {
    if (b->nodes == 0)
        return wrong(b, outer->line, outer->column, opt_error,
                     "nothing is left of the tree without its traces (-NONE-)");
    tz_tree_word *word = tz_arena_array(b->arena, b->words, sizeof *word);
    if (!word)
        return no_memory(b, opt_error);
    memcpy(word, b->word, b->words * sizeof *word);
    tz_status status =
        tz_tree_number(b->arena, b->draft, (uint32_t)b->nodes, root(b), word, ret_tree);
    if (status != TZ_OK)
        return no_memory(b, opt_error);
    tz_tree_heads(ret_tree);
    return TZ_OK;
}

static tz_status next_tree(tz_brackets *b, tz_tree *ret_tree, tz_error *opt_error) {
    open outer = {0};
    do {
        tz_status status = skip_blanks(b, opt_error);
        if (status == TZ_NONE && b->depth > 0) {
            const open *inmost = &b->stack[b->depth - 1];
            return wrong(b, inmost->line, inmost->column, opt_error,
                         "the bracket that is opened here is never closed");
        }
        if (status == TZ_OK)
            status = step(b, opt_error);
        if (status != TZ_OK)
            return status;
        if (b->depth == 1 && outer.line == 0) {
            outer = b->stack[0];
            b->begun = outer.line;
        }
    } while (b->depth > 0);
    return finish(b, &outer, ret_tree, opt_error);
}

tz_status tz_brackets_next(tz_brackets *brackets, tz_arena *arena, tz_tree *ret_tree,
                           tz_error *opt_error) {
    tz_brackets *b = brackets;
    *ret_tree = (tz_tree){0};
    b->arena = arena;
    b->depth = b->nodes = b->words = 0;
    tz_status status = b->failed ? pass_over(b, opt_error) : TZ_OK;
    status = status == TZ_OK ? next_tree(b, ret_tree, opt_error) : status;
    b->failed |= b->keep_going && status == TZ_IO;
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* special: the characters that are not written as they are. */
static void put_name(tz_text *text, const char *name, const char *special) {
    for (size_t used; *name; name += used) {
        used = strcspn(name, special);
        tz_text_add(text, name, used);
        size_t c = 0;
        while (c < CODES && codes[c].bracket != name[used])
            c++;
        if (c < CODES)
            tz_text_put(text, codes[c].code);
        else if (name[used] != '\0')
            tz_text_put(text, "\u00a0");
        used += name[used] != '\0';
    }
}

void tz_brackets_write(const tz_tree *tree, const uint8_t *opt_dropped, tz_text *text) {
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        tz_text_put(text, x > 0 ? " (" : "(");
        put_name(text, node->category, "() \t\r\n");
        if (opt_dropped && opt_dropped[x])
            tz_text_put(text, "-DEL");
        if (!tz_tree_leaf(node))
            continue;
        tz_text_put(text, " ");
        put_name(text, tree->word[node->head_word].form, "()[]{} \t\r\n");
        uint32_t behind = tz_tree_behind(tree, x), closing = x;
        do
            tz_text_put(text, ")");
        while (closing = tree->node[closing].parent,
               closing != TZ_NO_NODE &&
                   (behind == tree->nodes || closing != tree->node[behind].parent));
    }
}
