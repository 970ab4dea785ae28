/* sentences.c - see sentences.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/input/sentences.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/cli.h"
#include "ranks/ranks.h"

enum { LOOKED_AT = 1000 }; /* lines of comments before the first row, at most */
enum { LAYOUT_LINES = 200, LAYOUT_BYTES = 1 << 14 }; /* looked at for how they are wrapped */

static const char advice[] = "; --max-bytes=N raises the limit";

void tz_input_sentence_free(tz_input_sentence *item) {
    tz_corpus_free(&item->corpus);
    *item = (tz_input_sentence){0};
}

void tz_input_sentence_refuse(tz_input_sentence *item) {
    tz_corpus_free(&item->corpus);
    *item = (tz_input_sentence){.before = item->before, .followed = item->followed};
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* `# name = value`, `# newpar`, ... as CoNLL-U has them. */
static bool is_comment_of_conllu(const char *line) {
    static const char *const comments[] = {"newdoc", "newpar", "sent_id", "text", "global.columns"};
    const char *name = line + 1 + strspn(line + 1, " ");
    for (size_t c = 0; line[0] == '#' && c < sizeof comments / sizeof *comments; c++) {
        size_t size = strlen(comments[c]);
        if (strncmp(name, comments[c], size) == 0 &&
            (name[size] == '\0' || strncmp(name + size, " = ", 3) == 0 ||
             strncmp(name + size, " id = ", 6) == 0))
            return true;
    }
    return false;
}

/* The columns of a row of a treebank: a word's number, or those of several, and more behind tabs.
 * 0: it is none. */
static int columns(const char *line) {
    int tabs = 0;
    size_t number = strspn(line, "0123456789");
    if (number == 0 || line[number + strspn(line + number, "-.0123456789")] != '\t')
        return 0;
    for (const char *at = line; *at; at++)
        tabs += *at == '\t';
    return tabs + 1;
}

static tz_status refuse(const tz_sentences *from, int columns, tz_error *error) {
    const tz_lines *lines = from->treebank.text.lines;
    return tz_bad_input(error, tz_lines_name(lines), tz_lines_number(lines),
                        "a row of %d columns, as of %s; CoNLL-U has %d. Make it CoNLL-U, or say "
                        "--input-format=text if this is text",
                        columns,
                        columns == 8    ? "CoNLL-X without its last two"
                        : columns >= 14 ? "CoNLL-2009"
                                        : "a treebank",
                        TZ_COLUMNS);
}

static void to_the_beginning(tz_lines *lines) {
    if (tz_ranks() > 1) /* each begins where its share does */
        tz_lines_rewind(lines);
    else
        tz_lines_reset(lines);
}

/* Looks ahead, up to the first line that is neither blank nor begins with #. */
static tz_status guess(tz_sentences *from, tz_error *error) {
    tz_lines *lines = from->treebank.text.lines;
    tz_status status = TZ_OK;
    int found = 0;
    tz_lines_limit(lines, TZ_CONLLU_LINE, advice);
    tz_lines_mark(lines);
    for (size_t l = 0; status == TZ_OK && found == 0 && !from->conllu && l < LOOKED_AT; l++) {
        char *line;
        size_t size;
        status = tz_lines_next(lines, &line, &size, error);
        if (status != TZ_OK || size == 0)
            continue;
        from->conllu = is_comment_of_conllu(line);
        if (line[0] != '#' && (found = columns(line)) == 0)
            break;
    }
    from->conllu |= found == TZ_COLUMNS;
    if (found >= 3 && found != TZ_COLUMNS)
        return refuse(from, found, error);
    to_the_beginning(lines);
    return TZ_OK; /* a line that is wrong is told when it is read */
}

/* Looks ahead: how wide are the lines, and are they wrapped? */
static void look_at_lines(tz_sentences *from) {
    tz_lines *lines = from->treebank.text.lines;
    tz_layout_look look = {0};
    size_t bytes = 0, size;
    char *line;
    tz_lines_limit(lines, (size_t)from->limits.bytes, advice);
    tz_lines_mark(lines);
    for (size_t l = 0; l < LAYOUT_LINES && bytes < LAYOUT_BYTES; l++) {
        if (tz_lines_next(lines, &line, &size, NULL) != TZ_OK)
            break;
        tz_layout_look_at(&look, line, size);
        bytes += size;
    }
    from->guessed = from->limits.lines == TZ_LINES_GUESS && tz_layout_wrapped(&look);
    if (from->guessed || from->limits.lines == TZ_LINES_WRAPPED)
        from->width = look.width > 0 ? look.width : 1;
    to_the_beginning(lines);
}

int tz_sentences_open(const char *command, const char *name, tz_input_format format,
                      const tz_sentence_limits *limits, const tz_analyser *analyser,
                      tz_sentences *ret_sentences) {
    *ret_sentences = (tz_sentences){.limits = *limits, .conllu = format == TZ_INPUT_CONLLU};
    int exit = tz_treebank_open(command, name, &ret_sentences->treebank);
    if (exit != 0)
        return exit;
    size_t bytes = (size_t)limits->bytes;
    tz_lines *lines = ret_sentences->treebank.text.lines;
    tz_error error = {TZ_OK, ""};
    tz_status status = format == TZ_INPUT_GUESS ? guess(ret_sentences, &error) : TZ_OK;
    if (status == TZ_OK && ret_sentences->conllu) { /* comments and features may be long */
        tz_lines_limit(lines, bytes > TZ_CONLLU_LINE ? bytes : TZ_CONLLU_LINE, advice);
        return 0;
    }
    bool terminal = isatty(fileno(ret_sentences->treebank.text.file));
    if (status == TZ_OK &&
        (limits->lines == TZ_LINES_WRAPPED || (limits->lines == TZ_LINES_GUESS && !terminal)))
        look_at_lines(ret_sentences);
    tz_lines_limit(lines, bytes, advice);
    if (status == TZ_OK)
        status =
            tz_word_finder_new(tz_analyser_tokeniser(analyser), &ret_sentences->finder, &error);
    if (status == TZ_OK && limits->lines != TZ_LINES_SENTENCES)
        status =
            tz_line_splitter_new(tz_analyser_splitter(analyser), tz_analyser_tokeniser(analyser),
                                 &ret_sentences->splitter, &error);
    if (status != TZ_OK) {
        tz_sentences_close(ret_sentences);
        return tz_failed(command, status, &error);
    }
    return 0;
}

void tz_sentences_close(tz_sentences *from) {
    tz_word_finder_free(from->finder);
    tz_line_splitter_free(from->splitter);
    tz_treebank_close(&from->treebank);
    tz_text_free(&from->joined);
    *from = (tz_sentences){0};
}

/* ---- Reading --------------------------------------------------------------------------------- */

static tz_status check_words(const tz_sentences *from, size_t words, size_t line, tz_error *error) {
    return words <= (size_t)from->limits.words
               ? TZ_OK
               : tz_bad_input(error, tz_lines_name(from->treebank.text.lines), line,
                              "a sentence of %zu words, where %ld is the limit; --max-words=N "
                              "raises it",
                              words, from->limits.words);
}

/* Joins the lines that the one read last goes on in. */
static tz_status join(tz_sentences *from, const char *line, size_t size) {
    tz_lines *lines = from->treebank.text.lines;
    tz_text *joined = &from->joined;
    size_t last = 0; /* where the last line begins among those joined */
    char *next;
    size_t more = 0;
    tz_text_clear(joined);
    tz_text_add(joined, line, size);
    while (size > 0 && !joined->failed && from->behind == TZ_OK) {
        from->behind = tz_lines_next(lines, &next, &more, &from->error);
        if (from->behind != TZ_OK)
            break;
        if (joined->size + more >= (size_t)from->limits.bytes ||
            !tz_line_goes_on(from->width, joined->data + last, joined->size - last, next, more)) {
            tz_lines_back(lines);
            break;
        }
        while (joined->size > 0 && strchr(" \t", joined->data[joined->size - 1]))
            joined->size--;
        tz_text_put(joined, tz_line_ends_in_word(joined->data, joined->size) ? "" : " ");
        last = joined->size;
        tz_text_put(joined, next + strspn(next, " \t"));
    }
    tz_text_add(joined, "", 1);
    return joined->failed ? TZ_NO_MEMORY : TZ_OK;
}

/* The next line, and where its sentences are. */
static tz_status read_line(tz_sentences *from, size_t *ret_size, tz_error *error) {
    tz_lines *lines = from->treebank.text.lines;
    char *line;
    tz_status status = from->behind;
    from->parts = from->next = 0;
    from->behind = TZ_OK;
    if (status == TZ_OK)
        status = tz_lines_next(lines, &line, ret_size, error);
    else
        *error = from->error;
    if (status != TZ_OK)
        return status;
    from->number = tz_lines_number(lines);
    from->line = line;
    if (from->width > 0) {
        status = join(from, line, *ret_size);
        from->line = from->joined.data;
        *ret_size = from->joined.size - 1;
    }
    if (status != TZ_OK)
        return status;
    from->kind = tz_line_kind_of(from->line, *ret_size);
    bool whole = from->kind == TZ_MARKUP || from->kind == TZ_TABLE || from->kind == TZ_CODE;
    if (from->splitter && !whole)
        status = tz_line_split(from->splitter, from->line, *ret_size, &from->part, &from->parts);
    if (status != TZ_OK || from->parts == 1) /* the whole line, as it stands */
        from->parts = 0;
    return status;
}

static tz_status read_text(tz_sentences *from, tz_input_sentence *item, tz_error *error) {
    size_t size = 0, count;
    bool more = from->next < from->parts;
    tz_status status = more ? TZ_OK : read_line(from, &size, error);
    if (status != TZ_OK)
        return status;
    const char *line = from->line;
    if (from->parts > 0) {
        const tz_token *part = &from->part[from->next++];
        line += part->begin;
        size = part->end - part->begin;
    }
    item->before = more ? from->next - 1 : 0;
    item->followed = from->next < from->parts;
    item->number = from->number;
    item->kind = from->kind;
    status = tz_find_words(from->finder, line, size, &count);
    if (status == TZ_OK)
        status = check_words(from, count, item->number, error);
    tz_arena *arena = status == TZ_OK ? tz_arena_new() : NULL;
    if (!arena)
        return status == TZ_OK ? TZ_NO_MEMORY : status;
    item->corpus.arena = arena;
    item->line = tz_arena_text(arena, line, size);
    return item->line
               ? tz_found_words(from->finder, arena, item->line, &item->token, &item->analysed)
               : TZ_NO_MEMORY;
}

/* The forms as one line. Where a multiword token is not what its words spell, it stands there. */
static tz_status put_together(tz_arena *arena, const tz_sentence *sentence,
                              tz_input_sentence *item) {
    size_t words = (size_t)sentence->words, size = 0, at = 0;
    tz_token *token = tz_arena_array(arena, words, sizeof *token);
    bool *close = tz_arena_array(arena, words + 1, sizeof *close);
    const char **written = tz_arena_array(arena, words + 1, sizeof *written);
    if (!token || !close || !written)
        return TZ_NO_MEMORY;
    for (size_t r = 0; r < sentence->rows; r++) {
        const tz_conllu_row *row = &sentence->row[r];
        if (row->kind == TZ_WORD || row->kind == TZ_MULTIWORD)
            close[row->last] = !row->space_after || (row->kind == TZ_WORD && close[row->last]);
        if (row->kind != TZ_MULTIWORD)
            continue;
        for (int32_t w = row->first; w < row->last; w++)
            close[w] = true;
        for (int32_t w = row->first; !tz_conllu_spelt(row) && w <= row->last; w++)
            written[w] = w == row->first ? row->column[TZ_FORM] : "";
    }
    for (size_t w = 1; w <= words; w++) {
        written[w] = written[w] ? written[w] : sentence->form[w];
        size += strlen(written[w]) + 1;
    }
    char *line = tz_arena_array(arena, size + 1, 1);
    if (!line)
        return TZ_NO_MEMORY;
    for (size_t w = 1; w <= words; w++) {
        size_t part = strlen(written[w]);
        token[w - 1] = (tz_token){at, at + part};
        memcpy(line + at, written[w], part);
        at += part;
        if (!close[w] && w < words)
            line[at++] = ' ';
    }
    item->line = line;
    item->token = token;
    return TZ_OK;
}

static tz_status read_conllu(tz_sentences *from, tz_input_sentence *item, tz_error *error) {
    tz_corpus_options reading = {.keep_rows = true, .limit = 1};
    tz_status status = tz_corpus_read(from->treebank.conllu, &reading, &item->corpus, error);
    if (status == TZ_OK && item->corpus.count == 0)
        return TZ_NONE;
    const tz_sentence *sentence = item->corpus.sentence;
    if (status == TZ_OK) {
        item->number = sentence->line;
        status = check_words(from, (size_t)sentence->words, item->number, error);
    }
    if (status == TZ_OK)
        status = put_together(item->corpus.arena, sentence, item);
    return status == TZ_OK ? tz_analysed_conllu(item->corpus.arena, sentence, &item->analysed)
                           : status;
}

tz_status tz_sentences_next(tz_sentences *from, tz_input_sentence *ret_item, tz_error *error) {
    *ret_item = (tz_input_sentence){0};
    tz_status status =
        from->conllu ? read_conllu(from, ret_item, error) : read_text(from, ret_item, error);
    if (status != TZ_OK)
        tz_input_sentence_refuse(ret_item);
    return status;
}
