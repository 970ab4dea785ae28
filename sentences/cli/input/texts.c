/* texts.c - see texts.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/input/texts.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { LINE_LIMIT = 1 << 24 };

int tz_texts_open(const char *command, const char *file, const char *opt_abstract, bool text,
                  long words, tz_texts *ret_texts) {
    tz_error error = {TZ_OK, ""};
    *ret_texts = (tz_texts){.words = (size_t)words, .advice = "--max-words=N raises it"};
    int exit = tz_text_file_open(command, file, LINE_LIMIT, &ret_texts->input[0]);
    if (exit == 0 && opt_abstract)
        exit = tz_text_file_open(command, opt_abstract, LINE_LIMIT, &ret_texts->input[1]);
    ret_texts->records.lines = ret_texts->input[0].lines;
    if (exit != 0 || !text)
        return exit;
    tz_status status = tz_tokeniser_new(&ret_texts->tokeniser, &error);
    return status == TZ_OK ? 0 : tz_failed(command, status, &error);
}

void tz_texts_close(tz_texts *texts) {
    tz_records_free(&texts->records);
    tz_text_file_close(&texts->input[0]);
    tz_text_file_close(&texts->input[1]);
    tz_tokeniser_free(texts->tokeniser);
    *texts = (tz_texts){0};
}

bool tz_texts_are_whole(const tz_texts *texts) {
    return !texts->input[1].lines && tz_lines_peek(texts->input[0].lines) == '[';
}

void tz_texts_share(tz_texts *texts, size_t share, size_t shares) {
    if (shares == 1)
        return;
    tz_lines_cut cut = {
        .share = share, .shares = shares, .block = tz_texts_are_whole(texts) ? SIZE_MAX : 1};
    for (size_t s = 0; s < 2; s++)
        if (texts->input[s].lines)
            tz_lines_share(texts->input[s].lines, &cut);
}

static tz_status too_long(const tz_texts *texts, const tz_side *side, const char *name,
                          tz_error *error) {
    if (side->words <= texts->words)
        return TZ_OK;
    *error = (tz_error){.status = TZ_BAD_ARGUMENT};
    snprintf(error->message, sizeof error->message, "%s: %zu words, where %zu is the limit; %s",
             name, side->words, texts->words, texts->advice);
    return TZ_BAD_ARGUMENT;
}

static tz_status missing(const char *name, tz_error *error) {
    *error = (tz_error){.status = TZ_BAD_ARGUMENT};
    snprintf(error->message, sizeof error->message,
             "there is no \"%s\": a string, or a list of sentences", name);
    return TZ_BAD_ARGUMENT;
}

static tz_status read_object(tz_texts *texts, tz_arena *arena, const json_t *object,
                             tz_error *error) {
    texts->id = json_object_get(object, "id");
    tz_status status = tz_pair_read(arena, texts->tokeniser, object, &texts->pair, error);
    if (status == TZ_OK && !texts->pair.document.word)
        status = missing("document", error);
    if (status == TZ_OK && !texts->pair.abstract.word)
        status = missing("abstract", error);
    return status;
}

static tz_status next_record(tz_texts *texts, tz_arena *arena, tz_error *error) {
    const json_t *object;
    const char *line;
    tz_status status = tz_records_next(&texts->records, arena, &object, &line, error);
    if (status == TZ_OK && !object) {
        if (line[strspn(line, " \t\r")] == '\0' && texts->records.kind == TZ_RECORDS_LINES &&
            texts->records.line == 0)
            return TZ_NONE;
        return tz_bad_input(error, tz_lines_name(texts->records.lines), texts->records.line,
                            "expected {\"document\": .., \"abstract\": ..}; texts, one a line, "
                            "are for --document and --abstract");
    }
    if (status == TZ_OK)
        status =
            tz_records_locate(&texts->records, read_object(texts, arena, object, error), error);
    return status;
}

/* A line of each file. */
static tz_status next_lines(tz_texts *texts, tz_arena *arena, tz_error *error) {
    tz_side *side[] = {&texts->pair.document, &texts->pair.abstract};
    tz_status first = TZ_OK;
    for (size_t s = 0; s < 2; s++) {
        char *line;
        size_t size;
        tz_lines *lines = texts->input[s].lines;
        tz_status status = tz_lines_next(lines, &line, &size, error);
        if (status == TZ_OK)
            status = tz_side_of_text(arena, texts->tokeniser, line, side[s]);
        if (s == 1 && (first == TZ_NONE) != (status == TZ_NONE) && status != TZ_NO_MEMORY &&
            first != TZ_IO && status != TZ_IO) {
            tz_lines *shorter = texts->input[first == TZ_NONE ? 0 : 1].lines;
            tz_lines *longer = texts->input[first == TZ_NONE ? 1 : 0].lines;
            tz_bad_input(error, tz_lines_name(shorter), tz_lines_number(shorter),
                         "the file ends here, where %s goes on; they need as many lines",
                         tz_lines_name(longer));
            return TZ_TOO_LARGE;
        }
        if (s == 1)
            return first != TZ_OK ? first : status;
        first = status;
        if (first == TZ_NO_MEMORY)
            return first;
    }
    return TZ_OK;
}

const char *tz_texts_file(const tz_texts *texts) {
    return tz_lines_name(texts->input[0].lines);
}

size_t tz_texts_line(const tz_texts *texts) {
    return texts->input[1].lines ? tz_lines_number(texts->input[0].lines) : texts->records.line;
}

tz_status tz_texts_next(tz_texts *texts, tz_arena *arena, tz_error *error) {
    texts->id = NULL;
    texts->pair = (tz_pair){0};
    tz_status status =
        texts->input[1].lines ? next_lines(texts, arena, error) : next_record(texts, arena, error);
    if (status != TZ_OK)
        return status;
    status = too_long(texts, &texts->pair.document, "document", error);
    if (status == TZ_OK)
        status = too_long(texts, &texts->pair.abstract, "abstract", error);
    return tz_texts_locate(texts, status, error);
}

tz_status tz_texts_locate(const tz_texts *texts, tz_status status, tz_error *error) {
    if (status != TZ_BAD_ARGUMENT)
        return status;
    tz_error here = *error;
    return tz_bad_input(error, tz_texts_file(texts), tz_texts_line(texts), "%s", here.message);
}
