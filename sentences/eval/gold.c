/* gold.c - see gold.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/gold.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "sentences/eval/record.h"

static tz_status no_memory(tz_error *error) {
    return tz_fail(error, TZ_NO_MEMORY, "out of memory");
}

/* An error in the line read last, or `error` itself where it is no fault of the input. */
static tz_status located(tz_lines *lines, tz_status status, tz_error *error) {
    if (status != TZ_BAD_ARGUMENT)
        return status;
    tz_error here = *error;
    return tz_bad_input(error, tz_lines_name(lines), tz_lines_number(lines), "%s", here.message);
}

/* The next record that is not a blank line, in memory of its own. TZ_NONE at the end. */
static tz_status next(tz_lines *lines, tz_arena *scratch, const json_t **ret_record,
                      tz_error *error) {
    char *line;
    size_t size;
    tz_status status;
    do {
        status = tz_lines_next(lines, &line, &size, error);
    } while (status == TZ_OK && line[strspn(line, " \t\r")] == '\0');
    return status != TZ_OK
               ? status
               : located(lines, tz_record_parse(scratch, line, size, ret_record, error), error);
}

/* ---- GOLD ------------------------------------------------------------------------------------ */

static int32_t characters(const char *word) {
    int32_t count = 0;
    for (; *word; word++)
        count += ((unsigned char)*word & 0xc0) != 0x80;
    return count;
}

static tz_status describe_words(tz_gold *p, tz_source *s) {
    int32_t *form = tz_arena_array(p->arena, s->words, sizeof *form);
    int32_t *size = tz_arena_array(p->arena, s->words, sizeof *size);
    if (!form || !size)
        return TZ_NO_MEMORY;
    for (size_t w = 0; w < s->words; w++) {
        uint32_t number;
        tz_status status = tz_lm_words_add(&p->forms, s->word[w], strlen(s->word[w]), &number);
        if (status != TZ_OK)
            return status;
        form[w] = (int32_t)number;
        size[w] = characters(s->word[w]);
    }
    s->form = form;
    s->characters = size;
    return TZ_OK;
}

static tz_status add_sentence(tz_gold *p, const json_t *record, size_t line, tz_error *error) {
    if (!TZ_GROW(p->sentence, &p->capacity, p->count + 1))
        return no_memory(error);
    tz_gold_sentence *sentence = &p->sentence[p->count];
    tz_source *s = &sentence->source;
    *sentence = (tz_gold_sentence){.line = line};
    tz_status status = tz_record_id(p->arena, record, &sentence->id, error);
    if (status == TZ_OK)
        status = tz_record_words(p->arena, record, &s->word, &s->words, error);
    if (status == TZ_OK && !s->word) {
        *error = (tz_error){TZ_BAD_ARGUMENT, "there are no \"tokens\""};
        return TZ_BAD_ARGUMENT;
    }
    if (status == TZ_OK)
        status = tz_record_tags(p->arena, record, s->words, &s->opt_tag, error);
    if (status == TZ_OK) {
        status = tz_record_compressions(p->arena, record, s->word, s->words, &s->reference,
                                        &s->references, error);
    }
    if (status != TZ_OK)
        return status;
    status = tz_numbering_add(&p->numbering, sentence->id, line);
    status = status == TZ_OK ? describe_words(p, s) : status;
    p->count++;
    p->words += s->words;
    p->references += s->references;
    return status == TZ_OK ? TZ_OK : no_memory(error);
}

tz_status tz_gold_read(tz_lines *lines, tz_gold *ret_gold, tz_error *error) {
    *ret_gold = (tz_gold){.file = tz_lines_name(lines), .arena = tz_arena_new()};
    ret_gold->numbering = (tz_numbering){.file = ret_gold->file, .what = "sentence"};
    if (!ret_gold->arena)
        return no_memory(error);
    for (;;) {
        const json_t *record;
        tz_arena *scratch = tz_arena_new();
        tz_status status = scratch ? next(lines, scratch, &record, error) : no_memory(error);
        if (status == TZ_OK) {
            status = located(lines, add_sentence(ret_gold, record, tz_lines_number(lines), error),
                             error);
        }
        tz_arena_free(scratch);
        if (status == TZ_NONE) {
            return ret_gold->count > 0
                       ? TZ_OK
                       : tz_bad_input(error, tz_lines_name(lines), 0, "there is no sentence");
        }
        if (status != TZ_OK)
            return status;
    }
}

void tz_gold_free(tz_gold *gold) {
    free(gold->sentence);
    tz_numbering_free(&gold->numbering);
    tz_lm_words_free(&gold->forms);
    tz_arena_free(gold->arena);
    *gold = (tz_gold){0};
}

/* ---- Other files ----------------------------------------------------------------------------- */

typedef struct matching {
    tz_gold *gold;
    tz_lines *lines;
    tz_matching records;
    tz_error *error;
} matching;

/* Which sentence of GOLD is it? */
static tz_status find(matching *m, const char *id, size_t *ret_which) {
    return tz_matching_find(&m->records, id, tz_lines_number(m->lines), ret_which, m->error);
}

/* Are they the same words? */
static tz_status compare_words(matching *m, const tz_gold_sentence *sentence,
                               const char *const *word, size_t words) {
    const tz_source *s = &sentence->source;
    const char *file = tz_lines_name(m->lines), *right = m->gold->file;
    size_t line = tz_lines_number(m->lines);
    if (words != s->words) {
        return tz_bad_input(m->error, file, line,
                            "the sentence has %zu words, that of %s:%zu has "
                            "%zu",
                            words, right, sentence->line, s->words);
    }
    for (size_t w = 0; w < words; w++) {
        if (strcmp(word[w], s->word[w]) != 0) {
            return tz_bad_input(m->error, file, line, "word %zu is '%s', in %s:%zu it is '%s'",
                                w + 1, word[w], right, sentence->line, s->word[w]);
        }
    }
    return TZ_OK;
}

/* One record's compressions and whose they are. TZ_NONE at the end. */
static tz_status next_record(matching *m, tz_arena *scratch, size_t *ret_which,
                             tz_compression **ret_compression, size_t *ret_count) {
    tz_arena *arena = m->gold->arena;
    const json_t *record;
    const char *id, *const *word;
    size_t words;
    tz_status status = next(m->lines, scratch, &record, m->error);
    if (status == TZ_OK)
        status = located(m->lines, tz_record_id(scratch, record, &id, m->error), m->error);
    if (status == TZ_OK)
        status = find(m, id, ret_which);
    if (status == TZ_OK) {
        status =
            located(m->lines, tz_record_words(scratch, record, &word, &words, m->error), m->error);
    }
    const tz_gold_sentence *sentence = status == TZ_OK ? &m->gold->sentence[*ret_which] : NULL;
    if (status == TZ_OK && word)
        status = compare_words(m, sentence, word, words);
    if (status == TZ_OK) {
        status = located(m->lines,
                         tz_record_compressions(arena, record, sentence->source.word,
                                                sentence->source.words, ret_compression, ret_count,
                                                m->error),
                         m->error);
    }
    return status;
}

static tz_status next_text(matching *m, size_t *ret_which, tz_compression **ret_compression,
                           size_t *ret_count) {
    char *line;
    size_t size;
    tz_status status = tz_lines_next(m->lines, &line, &size, m->error);
    if (status == TZ_OK)
        status = find(m, NULL, ret_which);
    if (status != TZ_OK)
        return status;
    const tz_source *s = &m->gold->sentence[*ret_which].source;
    tz_compression *compression = tz_arena_array(m->gold->arena, 1, sizeof *compression);
    *ret_compression = compression;
    *ret_count = 1;
    return compression ? located(m->lines,
                                 tz_record_text(m->gold->arena, line, s->word, s->words,
                                                compression, m->error),
                                 m->error)
                       : no_memory(m->error);
}

static tz_status add_references(tz_gold *p, tz_source *s, const tz_compression *added,
                                size_t count) {
    tz_compression *all = tz_arena_array(p->arena, s->references + count, sizeof *all);
    if (!all)
        return TZ_NO_MEMORY;
    memcpy(all, s->reference, s->references * sizeof *all);
    memcpy(all + s->references, added, count * sizeof *all);
    s->reference = all;
    s->references += count;
    p->references += count;
    return TZ_OK;
}

/* All of the file: outputs, or references where there is no room for outputs. */
static tz_status match(matching *m, bool text, tz_compression *opt_output) {
    for (;;) {
        size_t which, count;
        tz_compression *compression;
        tz_arena *scratch = tz_arena_new();
        tz_status status = !scratch ? no_memory(m->error)
                           : text   ? next_text(m, &which, &compression, &count)
                                    : next_record(m, scratch, &which, &compression, &count);
        tz_arena_free(scratch);
        if (status == TZ_OK && opt_output && count > 1) {
            status =
                tz_bad_input(m->error, tz_lines_name(m->lines), tz_lines_number(m->lines),
                             "%zu compressions of one sentence; one is evaluated at a time", count);
        }
        if (status != TZ_OK)
            return status == TZ_NONE ? TZ_OK : status;
        if (opt_output)
            opt_output[which] = compression[0];
        else if (add_references(m->gold, &m->gold->sentence[which].source, compression, count) !=
                 TZ_OK)
            return no_memory(m->error);
    }
}

static tz_status match_all(tz_gold *gold, tz_lines *lines, bool text, tz_compression *opt_output,
                           tz_error *error) {
    matching m = {.gold = gold, .lines = lines, .error = error};
    tz_status status =
        tz_matching_start(&m.records, gold->arena, &gold->numbering, tz_lines_name(lines));
    status = status == TZ_OK ? match(&m, text, opt_output) : no_memory(error);
    if (status == TZ_OK)
        status = tz_matching_end(&m.records, error);
    return status;
}

tz_status tz_gold_outputs(tz_gold *gold, tz_lines *lines, bool text, tz_compression **ret_output,
                          tz_error *error) {
    tz_compression *output = tz_arena_array(gold->arena, gold->count, sizeof *output);
    tz_status status = output ? match_all(gold, lines, text, output, error) : no_memory(error);
    *ret_output = output;
    return status;
}

tz_status tz_gold_references(tz_gold *gold, tz_lines *lines, tz_error *error) {
    return match_all(gold, lines, false, NULL, error);
}
