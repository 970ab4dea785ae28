/* alignment.c - see alignment.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/alignment.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "sentences/align/texts/pair.h"
#include "sentences/eval/record.h"

static tz_status no_memory(tz_error *error) {
    return tz_fail(error, TZ_NO_MEMORY, "out of memory");
}

/* ---- Words that carry little ----------------------------------------------------------------- */

static const char *const function_words[] = {
    "a",    "an",   "and",   "are",   "as",    "at",    "be",  "been", "but",  "by",
    "for",  "from", "had",   "has",   "have",  "he",    "her", "his",  "in",   "into",
    "is",   "it",   "its",   "not",   "n't",   "of",    "on",  "or",   "'s",   "she",
    "that", "the",  "their", "they",  "this",  "these", "to",  "was",  "were", "who",
    "will", "with", "which", "would", "about", "those", ".",   ",",    ";",    ":",
    "?",    "!",    "\"",    "``",    "''",    "(",     ")",   "-",
};
enum { FUNCTION_WORDS = sizeof function_words / sizeof *function_words };
_Static_assert(FUNCTION_WORDS == 58, "as documented");

static int compare_hashes(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static tz_status add_ignored(tz_alignments *g, size_t *room, const char *word, size_t size) {
    tz_form form;
    bool grown = TZ_GROW(g->ignored, room, g->ignores + 1);
    if (!grown || tz_forms_find(g->forms, word, size, &form) != TZ_OK)
        return TZ_NO_MEMORY;
    g->ignored[g->ignores++] = form.word;
    return TZ_OK;
}

static tz_status read_ignored(tz_alignments *g, const tz_ignore *ignore, tz_error *error) {
    size_t room = 0;
    tz_status status = TZ_OK;
    char *line;
    size_t size;
    if (ignore->none)
        return TZ_OK;
    for (size_t w = 0; !ignore->opt_lines && w < FUNCTION_WORDS && status == TZ_OK; w++)
        status = add_ignored(g, &room, function_words[w], strlen(function_words[w]));
    while (ignore->opt_lines && status == TZ_OK &&
           (status = tz_lines_next(ignore->opt_lines, &line, &size, error)) == TZ_OK) {
        const char *word = line + strspn(line, " \t");
        if (*word != '\0')
            status = add_ignored(g, &room, word, strcspn(word, " \t"));
    }
    if (g->ignores > 0)
        qsort(g->ignored, g->ignores, sizeof *g->ignored, compare_hashes);
    return status == TZ_NONE ? TZ_OK : status == TZ_NO_MEMORY ? no_memory(error) : status;
}

/* ---- Records --------------------------------------------------------------------------------- */

/* What is being read: one record of a pair. */
typedef struct reader {
    tz_arena *arena;
    const tz_gold_pair *pair;
    bool flip;
    uint32_t from; /* the number of the first word in links */
    tz_error *error;
} reader;

static const char *const side_name[] = {"document", "abstract"};

static tz_status outside(const reader *r, size_t side, size_t word) {
    return tz_fail(r->error, TZ_BAD_ARGUMENT,
                   "there is no word %zu in the %s, whose words are 0 to %zu", word,
                   side_name[side], r->pair->words[side] - 1);
}

static tz_status check_place(const reader *r, size_t side, size_t word) {
    if (!r->pair->form[side] || word < r->pair->words[side])
        return TZ_OK;
    if (r->pair->words[side] == 0)
        return tz_fail(r->error, TZ_BAD_ARGUMENT, "the %s has no words", side_name[side]);
    return outside(r, side, word);
}

static tz_status place_links(const reader *r, tz_links *links) {
    tz_status status = TZ_OK;
    for (size_t l = 0; l < links->count && status == TZ_OK; l++) {
        tz_link *link = &links->link[l];
        if (link->document < r->from || link->abstract < r->from)
            return tz_fail(r->error, TZ_BAD_ARGUMENT,
                           "'%lu-%lu' has word 0, but words count from 1 by --from",
                           (unsigned long)link->document, (unsigned long)link->abstract);
        *link = (tz_link){link->document - r->from, link->abstract - r->from};
        if (r->flip)
            *link = (tz_link){link->abstract, link->document};
        status = check_place(r, 0, link->document);
        if (status == TZ_OK)
            status = check_place(r, 1, link->abstract);
    }
    if (status == TZ_OK && r->flip)
        tz_links_sort(links);
    return status;
}

/* Adds links to those that there are; no text, none. */
static tz_status read_links(const reader *r, const char *opt_text, tz_links *sure,
                            tz_links *possible) {
    tz_links a, b;
    if (!opt_text)
        return TZ_OK;
    tz_status status = tz_links_parse(r->arena, opt_text, &a, &b, r->error);
    if (status == TZ_OK)
        status = place_links(r, &a);
    if (status == TZ_OK)
        status = place_links(r, &b);
    if (status == TZ_OK && (tz_links_join(r->arena, sure, &a, sure) != TZ_OK ||
                            tz_links_join(r->arena, possible, &b, possible) != TZ_OK))
        status = no_memory(r->error);
    return status;
}

/* The string of one of these keys, NULL where there is neither. */
static tz_status find_links(const reader *r, const json_t *object, const char *const *key,
                            size_t keys, const char **ret_text) {
    *ret_text = NULL;
    for (size_t k = 0; k < keys; k++) {
        const json_t *value = json_object_get(object, key[k]);
        if (value && !json_is_string(value))
            return tz_fail(r->error, TZ_BAD_ARGUMENT,
                           "%s: expected links, as in \"0-0 1-2\", not %s", key[k],
                           tz_json_kind(value));
        if (value) {
            *ret_text = json_string_value(value);
            return TZ_OK;
        }
    }
    return TZ_OK;
}

/* [from, to] of one side of a phrase pair. */
static tz_status read_range(const reader *r, const json_t *phrase, size_t number, size_t side,
                            uint32_t *ret_range) {
    const char *key = side_name[r->flip ? 1 - side : side];
    const json_t *range = json_object_get(phrase, key);
    json_int_t from = json_integer_value(json_array_get(range, 0)); /* 0 where it is none */
    json_int_t to = json_integer_value(json_array_get(range, 1));
    if (json_array_size(range) != 2 || !json_is_integer(json_array_get(range, 0)) || from < 0 ||
        to <= from || to > TZ_MOST_PAIR_WORDS) {
        return tz_fail(r->error, TZ_BAD_ARGUMENT,
                       "phrases[%zu]: expected \"%s\": [from, to], the first word and the one "
                       "behind the last, which count from 0",
                       number, key);
    }
    ret_range[0] = (uint32_t)from;
    ret_range[1] = (uint32_t)to;
    return check_place(r, side, (size_t)to - 1);
}

static tz_status read_phrase(const reader *r, const json_t *phrase, size_t number,
                             tz_phrase_pair *ret_phrase) {
    const json_t *class = json_object_get(phrase, "class");
    const char *letter = class ? json_string_value(class) : "S";
    if (!letter || (strcmp(letter, "S") != 0 && strcmp(letter, "P") != 0))
        return tz_fail(r->error, TZ_BAD_ARGUMENT, "phrases[%zu]: \"class\" is \"S\" or \"P\"",
                       number);
    ret_phrase->possible = *letter == 'P';
    tz_status status = read_range(r, phrase, number, 0, ret_phrase->document);
    return status == TZ_OK ? read_range(r, phrase, number, 1, ret_phrase->abstract) : status;
}

/* The sure ones first. */
static tz_status read_phrases(const reader *r, const json_t *list, const char *links,
                              tz_alignment *ret) {
    size_t count = json_array_size(list), sure = 0, last = count;
    tz_phrase_pair *phrase = tz_arena_array(r->arena, count, sizeof *phrase);
    if (!phrase)
        return no_memory(r->error);
    if (!json_is_array(list))
        return tz_fail(r->error, TZ_BAD_ARGUMENT, "phrases: expected a list, not %s",
                       tz_json_kind(list));
    for (size_t f = 0; f < count; f++) {
        tz_phrase_pair one;
        tz_status status = read_phrase(r, json_array_get(list, f), f, &one);
        if (status != TZ_OK)
            return status;
        phrase[one.possible ? --last : sure++] = one;
    }
    bool texts = r->pair->form[0] && r->pair->form[1];
    for (int kind = 0; kind < TZ_LINK_KINDS; kind++) {
        const tz_form *const *form =
            (const tz_form *const[2]){kind == TZ_SOFT && texts ? r->pair->form[0] : NULL,
                                      kind == TZ_SOFT && texts ? r->pair->form[1] : NULL};
        if (tz_links_of_phrases(r->arena, phrase, sure, form[0], form[1], &ret->sure[kind]) !=
                TZ_OK ||
            tz_links_of_phrases(r->arena, phrase + sure, count - sure, form[0], form[1],
                                &ret->possible[kind]) != TZ_OK)
            return no_memory(r->error);
    }
    if (texts || !links)
        return TZ_OK;
    ret->sure[TZ_SOFT] = (tz_links){0};
    return read_links(r, links, &ret->sure[TZ_SOFT], &ret->possible[TZ_SOFT]);
}

static tz_status read_object(const reader *r, const json_t *object, tz_alignment *ret) {
    static const char *const sure_key[] = {"sure", "sureAlign", "links"};
    static const char *const possible_key[] = {"possible", "possibleAlign"};
    const json_t *phrases = json_object_get(object, "phrases");
    const char *sure, *possible;
    tz_status status =
        find_links(r, object, phrases ? sure_key + 2 : sure_key, phrases ? 1 : 3, &sure);
    if (status == TZ_OK)
        status = find_links(r, object, possible_key, 2, &possible);
    if (status != TZ_OK)
        return status;
    if (phrases)
        return read_phrases(r, phrases, sure, ret);
    if (!sure && !possible)
        return tz_fail(r->error, TZ_BAD_ARGUMENT,
                       "there is no \"sure\", no \"phrases\" and no \"links\"");
    tz_links *to = &ret->possible[TZ_ALL_PAIRS];
    status = read_links(r, sure, &ret->sure[TZ_ALL_PAIRS], to);
    if (status == TZ_OK)
        status = read_links(r, possible, to, to);
    return status;
}

/* What is sure is possible. */
static tz_status join_sure(tz_arena *arena, tz_alignment *alignment) {
    tz_status status = TZ_OK;
    for (int kind = 0; kind < TZ_LINK_KINDS && status == TZ_OK; kind++)
        status = tz_links_join(arena, &alignment->sure[kind], &alignment->possible[kind],
                               &alignment->possible[kind]);
    return status;
}

/* A record's alignment of this pair. */
static tz_status read_alignment(const reader *r, const json_t *object, const char *line,
                                tz_alignment *ret) {
    *ret = (tz_alignment){0};
    tz_links *sure = ret->sure, *possible = ret->possible;
    tz_status status = object ? read_object(r, object, ret)
                              : read_links(r, line, &sure[TZ_ALL_PAIRS], &possible[TZ_ALL_PAIRS]);
    if (!object || !json_object_get(object, "phrases")) { /* single words, which are soft links */
        sure[TZ_SOFT] = sure[TZ_ALL_PAIRS];
        possible[TZ_SOFT] = possible[TZ_ALL_PAIRS];
    }
    if (status == TZ_OK && join_sure(r->arena, ret) != TZ_OK)
        status = no_memory(r->error);
    return status;
}

/* ---- GOLD ------------------------------------------------------------------------------------ */

static tz_status describe(tz_alignments *g, const tz_side *side, tz_gold_pair *pair, size_t s) {
    if (!side->word)
        return TZ_OK;
    pair->words[s] = side->words;
    pair->form[s] = tz_arena_array(g->arena, side->words, sizeof *pair->form[s]);
    pair->ignore[s] = tz_arena_array(g->arena, side->words, 1);
    if (!pair->form[s] || !pair->ignore[s])
        return TZ_NO_MEMORY;
    tz_status status = tz_forms_of(g->forms, side->word, side->words, pair->form[s]);
    for (size_t w = 0; w < side->words && status == TZ_OK; w++)
        pair->ignore[s][w] =
            g->ignores > 0 && bsearch(&pair->form[s][w].word, g->ignored, g->ignores,
                                      sizeof *g->ignored, compare_hashes) != NULL;
    return status;
}

/* Columns have been counted from 0 as they were read. */
static uint32_t first_word(const tz_alignments *g, const tz_records *records) {
    return records->kind == TZ_RECORDS_COLUMNS ? 0 : g->from;
}

/* TZ_BAD_ARGUMENT with a message without place. */
static tz_status add_pair(tz_alignments *g, tz_arena *scratch, const tz_records *records,
                          const json_t *object, const char *line, tz_error *error) {
    const char *id = NULL;
    if (!TZ_GROW(g->pair, &g->capacity, g->numbering.count + 1))
        return no_memory(error);
    tz_gold_pair *pair = &g->pair[g->numbering.count];
    tz_pair texts = {0};
    *pair = (tz_gold_pair){0};
    tz_status status = object ? tz_record_id(g->arena, object, &id, error) : TZ_OK;
    if (object && status == TZ_OK)
        status = tz_pair_read(scratch, NULL, object, &texts, error);
    if (status != TZ_OK)
        return status;
    const tz_side *side[] = {&texts.document, &texts.abstract};
    for (size_t s = 0; s < 2; s++)
        if (describe(g, side[g->flip ? 1 - s : s], pair, s) != TZ_OK)
            return no_memory(error);
    g->texts &= pair->form[0] && pair->form[1];
    reader r = {g->arena, pair, g->flip, first_word(g, records), error};
    status = read_alignment(&r, object, line, &pair->gold);
    if (status == TZ_OK && tz_numbering_add(&g->numbering, id, records->line) != TZ_OK)
        status = no_memory(error);
    return status;
}

tz_status tz_alignments_read(tz_lines *lines, const tz_ignore *ignore, bool flip, uint32_t from,
                             tz_alignments *ret_gold, tz_error *error) {
    tz_records records = {.lines = lines};
    *ret_gold = (tz_alignments){.texts = true,
                                .flip = flip,
                                .from = from,
                                .numbering = {.file = tz_lines_name(lines), .what = "pair"},
                                .forms = tz_forms_new(false),
                                .arena = tz_arena_new()};
    tz_status status = ret_gold->forms && ret_gold->arena ? TZ_OK : no_memory(error);
    if (status == TZ_OK)
        status = read_ignored(ret_gold, ignore, error);
    while (status == TZ_OK) {
        const json_t *object;
        const char *line;
        tz_arena *scratch = tz_arena_new();
        status =
            scratch ? tz_records_next(&records, scratch, &object, &line, error) : no_memory(error);
        if (status == TZ_OK)
            status = tz_records_locate(
                &records, add_pair(ret_gold, scratch, &records, object, line, error), error);
        tz_arena_free(scratch);
    }
    tz_records_free(&records);
    if (status == TZ_NONE && ret_gold->numbering.count == 0)
        return tz_bad_input(error, tz_lines_name(lines), 0, "there is no pair");
    return status == TZ_NONE ? TZ_OK : status;
}

void tz_alignments_free(tz_alignments *gold) {
    tz_numbering_free(&gold->numbering);
    free(gold->pair);
    free(gold->ignored);
    tz_forms_free(gold->forms);
    tz_arena_free(gold->arena);
    *gold = (tz_alignments){0};
}

/* ---- Other files ----------------------------------------------------------------------------- */

/* An alignment of every pair: ret[count]. as_gold: links are written as those of GOLD. */
static tz_status read_others(tz_alignments *g, tz_lines *lines, bool as_gold, tz_alignment *ret,
                             tz_error *error) {
    tz_records records = {.lines = lines};
    tz_matching matching;
    tz_status status = tz_matching_start(&matching, g->arena, &g->numbering, tz_lines_name(lines));
    if (status != TZ_OK)
        return no_memory(error);
    while (status == TZ_OK) {
        const json_t *object;
        const char *line, *id = NULL;
        size_t which = 0;
        tz_arena *scratch = tz_arena_new();
        status =
            scratch ? tz_records_next(&records, scratch, &object, &line, error) : no_memory(error);
        if (status == TZ_OK && object)
            status = tz_record_id(scratch, object, &id, error);
        if (status == TZ_OK)
            status = tz_matching_find(&matching, id, records.line, &which, error);
        if (status == TZ_OK) {
            uint32_t from = as_gold ? first_word(g, &records) : 0;
            reader r = {g->arena, &g->pair[which], as_gold && g->flip, from, error};
            status =
                tz_records_locate(&records, read_alignment(&r, object, line, &ret[which]), error);
        }
        tz_arena_free(scratch);
    }
    if (status == TZ_NONE) /* columns do not say which sentences have no links */
        status = records.kind == TZ_RECORDS_COLUMNS ? TZ_OK : tz_matching_end(&matching, error);
    tz_records_free(&records);
    return status;
}

tz_status tz_alignments_possible(tz_alignments *gold, tz_lines *lines, size_t *ret_strays,
                                 tz_error *error) {
    size_t count = gold->numbering.count;
    tz_alignment *other = tz_arena_array(gold->arena, count, sizeof *other);
    tz_status status = other ? read_others(gold, lines, true, other, error) : no_memory(error);
    *ret_strays = 0;
    for (size_t p = 0; p < count && status == TZ_OK; p++) {
        tz_alignment *own = &gold->pair[p].gold;
        *ret_strays += own->sure[TZ_ALL_PAIRS].count -
                       tz_links_common(&own->sure[TZ_ALL_PAIRS], &other[p].possible[TZ_ALL_PAIRS]);
        for (int kind = 0; kind < TZ_LINK_KINDS && status == TZ_OK; kind++)
            status = tz_links_join(gold->arena, &own->possible[kind], &other[p].possible[kind],
                                   &own->possible[kind]);
        if (status != TZ_OK)
            return no_memory(error);
    }
    return status;
}

tz_status tz_alignments_system(tz_alignments *gold, tz_lines *lines, tz_links **ret_system,
                               tz_error *error) {
    size_t count = gold->numbering.count;
    tz_alignment *other = tz_arena_array(gold->arena, count, sizeof *other);
    tz_links *links = tz_arena_array(gold->arena, count * TZ_LINK_KINDS, sizeof *links);
    *ret_system = links;
    tz_status status =
        other && links ? read_others(gold, lines, false, other, error) : no_memory(error);
    for (size_t p = 0; p < count && status == TZ_OK; p++)
        memcpy(links + p * TZ_LINK_KINDS, other[p].possible, sizeof other[p].possible);
    return status;
}

/* Has any pair a link of the first word of either text? */
static void find_first(const tz_links *links, bool *some, bool *first) {
    for (size_t l = 0; l < links->count; l++) {
        *some = true;
        first[0] |= links->link[l].document == 0;
        first[1] |= links->link[l].abstract == 0;
    }
}

int tz_alignments_shifted(const tz_alignments *gold, const tz_links *system) {
    bool some[2] = {false, false}, first[2][2] = {{false}};
    for (size_t p = 0; p < gold->numbering.count; p++) {
        find_first(&gold->pair[p].gold.possible[TZ_ALL_PAIRS], &some[0], first[0]);
        find_first(&system[p * TZ_LINK_KINDS + TZ_ALL_PAIRS], &some[1], first[1]);
    }
    bool both[] = {first[0][0] && first[0][1], first[1][0] && first[1][1]};
    bool none[] = {!first[0][0] && !first[0][1], !first[1][0] && !first[1][1]};
    return some[0] && none[0] && both[1] ? -1 : some[1] && none[1] && both[0] ? 1 : 0;
}
