/* draw_result.c - drawings of a line that `trapeze run` has printed.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "io/draw/draw.h"
#include "io/draw/draw_source.h"

enum key { ID, N, WORDS, BEST, KBEST, SAMPLES, DERIVATION, FAILURE, KEYS };
static const char *const key_name[KEYS] = {"id",    "n",       "words",      "best",
                                           "kbest", "samples", "derivation", "error"};

/* ---- Arcs ---------------------------------------------------------------------------------- */

static tz_status read_words(tz_draw_source *source, const json_t *words) {
    bool strings = !words || json_is_array(words);
    for (size_t w = 0; w < json_array_size(words) && strings; w++)
        strings = json_is_string(json_array_get(words, w));
    source->words = words;
    return strings ? TZ_OK : tz_draw_bad(source, "\"words\" is not an array of strings");
}

static tz_status read_length(tz_draw_source *source, const json_t *const value[KEYS]) {
    const json_t *words = value[WORDS];
    size_t count = json_array_size(words);
    if (!value[N] && !words)
        return tz_draw_bad(source, "neither \"n\" nor \"words\" says how long the sentence is");
    tz_status status = read_words(source, words);
    if (status != TZ_OK)
        return status;
    source->n = count > TZ_DRAW_WORDS ? -1 : (int32_t)count;
    if (value[N] && !tz_draw_integer(value[N], &source->n))
        source->n = -1;
    if (source->n < 0 || source->n > TZ_DRAW_WORDS) {
        return tz_draw_bad(source, "the length of the sentence is not a number from 0 to %d",
                           TZ_DRAW_WORDS);
    }
    if (words && count != (size_t)source->n)
        return tz_draw_bad(source, "%zu words, but \"n\" is %d", count, source->n);
    return TZ_OK;
}

static int by_modifier(const void *a, const void *b) {
    const tz_arc *x = a, *y = b;
    if (x->modifier != y->modifier)
        return x->modifier < y->modifier ? -1 : 1;
    return x->head < y->head ? -1 : x->head > y->head;
}

static bool is_arc(const tz_draw_source *source, const char *name) {
    const char *chosen = source->choice->arcs;
    return chosen ? strcmp(name, chosen) == 0
                  : strcmp(name, "arc") == 0 || strcmp(name, "sib") == 0;
}

/* The use ["arc",0,2,score], if it is one of an arc. */
static tz_status read_arc(const tz_draw_source *source, const json_t *use, size_t number,
                          tz_arc *arc) {
    size_t rank = json_array_size(use) - 2;
    int32_t end = source->n + 1;
    if (rank != 2 && rank != 3) {
        return tz_draw_bad(source,
                           "entry %zu of \"weights\" is no arc: an arc has 2 or 3 indices, first "
                           "its head, last its modifier",
                           number);
    }
    *arc = (tz_arc){-1, -1, "", false};
    if (!tz_draw_integer(json_array_get(use, 1), &arc->head) ||
        !tz_draw_integer(json_array_get(use, rank), &arc->modifier) || arc->head < 0 ||
        arc->head > end || arc->modifier < 0 || arc->modifier > end || arc->head == arc->modifier) {
        return tz_draw_bad(source,
                           "entry %zu of \"weights\" is no arc between two of %d words and the "
                           "root",
                           number, source->n);
    }
    return TZ_OK;
}

/* The arcs among the uses of a structure. */
static tz_status read_arcs(const tz_draw_source *source, const json_t *weights,
                           tz_diagram *diagram) {
    size_t uses = json_array_size(weights), arcs = 0, kept = 0;
    bool others = false;
    if (!json_is_array(weights))
        return tz_draw_bad(source, "a structure without \"weights\", a list");
    tz_arc *arc = tz_arena_array(source->arena, uses, sizeof *arc);
    if (!arc)
        return TZ_NO_MEMORY;
    for (size_t u = 0; u < uses; u++) {
        const json_t *use = json_array_get(weights, u);
        const char *name = json_string_value(json_array_get(use, 0));
        size_t entries = json_array_size(use);
        if (!name || entries < 2 || entries > TZ_MAX_RANK + 2) {
            return tz_draw_bad(source, "entry %zu of \"weights\" is not [NAME, index..., score]",
                               u + 1);
        }
        if (!is_arc(source, name)) {
            others |= strcmp(name, "bigram") != 0 && strcmp(name, "skip") != 0;
            continue;
        }
        tz_status status = read_arc(source, use, u + 1, &arc[arcs++]);
        if (status != TZ_OK)
            return status;
    }
    if (arcs == 0 && others && !source->choice->arcs) {
        return tz_draw_bad(source, "none of the weights is an arc (arc or sib); name the one that "
                                   "is with --arcs");
    }
    qsort(arc, arcs, sizeof *arc, by_modifier);
    for (size_t a = 0; a < arcs; a++)
        if (kept == 0 || by_modifier(&arc[a], &arc[kept - 1]) != 0)
            arc[kept++] = arc[a];
    diagram->arc = arc;
    diagram->arcs = kept;
    return TZ_OK;
}

static tz_status read_structure(const tz_draw_source *source, const json_t *weights,
                                tz_drawing *drawing) {
    const char **word;
    bool *skipped;
    tz_diagram *diagram = tz_diagram_new(source->arena, source->n, &word, &skipped);
    if (!diagram)
        return TZ_NO_MEMORY;
    for (int32_t w = 1; w <= source->n; w++) {
        char number[16];
        int size = snprintf(number, sizeof number, "%d", w);
        const json_t *text = json_array_get(source->words, (size_t)w - 1);
        word[w] = text ? tz_draw_clean(source->arena, json_string_value(text))
                       : tz_arena_text(source->arena, number, (size_t)size);
        if (!word[w])
            return TZ_NO_MEMORY;
        skipped[w] = true;
    }
    tz_status status = read_arcs(source, weights, diagram);
    for (size_t a = 0; status == TZ_OK && a < diagram->arcs; a++)
        skipped[diagram->arc[a].modifier] = false;
    drawing->diagram = diagram;
    return status;
}

/* ---- Drawings ------------------------------------------------------------------------------- */

/* "ID: TEXT", or what of it there is. NULL when memory is out. */
static const char *join(tz_arena *arena, const char *id, const char *text) {
    size_t size = strlen(id) + strlen(text) + 3;
    char *joined = tz_arena_array(arena, size, 1);
    if (!joined)
        return NULL;
    snprintf(joined, size, "%s%s%s", id, id[0] && text[0] ? ": " : "", text);
    return tz_draw_clean(arena, joined);
}

/* What stands under `key`, `at` being its place in a list or -1 where it is alone. */
static tz_status read_drawing(const tz_draw_source *source, const char *id, enum key key, long at,
                              const json_t *value, tz_drawing *drawing) {
    char place[40] = "", number[TZ_NUMBER_SIZE] = "", text[96];
    const json_t *score = json_object_get(value, "score");
    const json_t *proof = json_object_get(value, "derivation");
    bool none = json_is_null(value);
    if (!none && !json_is_object(value)) {
        return tz_draw_bad(source, "\"%s\" is neither a structure, nor a list of them, nor null",
                           key_name[key]);
    }
    if (json_is_number(score)) {
        double exact = json_number_value(score);
        tz_number_print(number, fabs(exact) < 1e9 ? round(exact * 1e4) / 1e4 + 0.0 : exact);
    }
    if (at >= 0) { /* best ones are listed by amount, from 0; the others are counted */
        const char *form = key == KBEST     ? "kbest %ld"
                           : key == SAMPLES ? "sample %ld"
                                            : "amount %ld";
        snprintf(place, sizeof place, form, key == KBEST || key == SAMPLES ? at + 1 : at);
    }
    snprintf(text, sizeof text, "%s%s%s%s", place, place[0] && (number[0] || none) ? ", " : "",
             none        ? "no derivation"
             : number[0] ? "score "
                         : "",
             number);
    drawing->caption = join(source->arena, id, text);
    if (!drawing->caption)
        return TZ_NO_MEMORY;
    if (none)
        return TZ_OK;
    if (source->choice->derivation)
        return tz_draw_proof(source, proof ? proof : value, &drawing->proof);
    if (source->choice->opt_rules != NULL)
        return tz_draw_uses(source, json_object_get(value, "weights"),
                            proof == NULL && key == BEST && at < 0 ? source->proof : proof,
                            drawing);
    return read_structure(source, json_object_get(value, "weights"), drawing);
}

/* Does a structure, or the first of a list of them, have a proof tree of its own? */
static bool has_proof(const json_t *value) {
    const json_t *first = json_is_array(value) ? json_array_get(value, 0) : value;
    return json_object_get(first, "derivation") != NULL;
}

/* One drawing for each structure that stands under a key. */
static tz_status read_key(const tz_draw_source *source, const char *id, enum key key,
                          const json_t *value, tz_drawing *drawings, size_t *count) {
    tz_status status = TZ_OK;
    if (!json_is_array(value))
        return read_drawing(source, id, key, -1, value, &drawings[(*count)++]);
    for (size_t i = 0; i < json_array_size(value) && status == TZ_OK; i++) {
        status =
            read_drawing(source, id, key, (long)i, json_array_get(value, i), &drawings[(*count)++]);
    }
    return status;
}

/* Draws every kind of structure that the result has. */
static tz_status read_drawings(tz_draw_source *source, const json_t *result, const char *id,
                               const json_t *value[KEYS], tz_drawing **ret_drawings,
                               size_t *ret_count) {
    bool derivation = source->choice->derivation, any = false;
    source->proof = value[DERIVATION];
    if (!derivation)
        value[DERIVATION] = NULL;
    size_t count = 0;
    for (enum key key = BEST; key <= DERIVATION; key++) {
        if (derivation && key != DERIVATION && value[key] && !has_proof(value[key]))
            value[key] = NULL;
        if (value[key]) {
            any = true;
            count += json_is_array(value[key]) ? json_array_size(value[key]) : 1;
        }
    }
    if (!any) {
        return derivation
                   ? tz_draw_bad(source, "no \"derivation\"; `trapeze run --derivation` gives one")
                   : tz_draw_bad(source, "no \"best\", \"kbest\" or \"samples\"; `trapeze run "
                                         "--best` gives one");
    }
    tz_drawing *drawings = tz_arena_array(source->arena, count + 1, sizeof *drawings);
    tz_status status = drawings ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && !derivation && source->choice->opt_rules == NULL)
        status = read_length(source, value);
    if (status == TZ_OK && !derivation && source->choice->opt_rules != NULL) {
        status = read_words(source, value[WORDS]);
        if (status == TZ_OK)
            status = tz_draw_lengths(source, result);
    }
    count = 0;
    for (enum key key = BEST; key <= DERIVATION && status == TZ_OK; key++)
        if (value[key]) {
            const size_t before = count;
            status = read_key(source, id, key, value[key], drawings, &count);
            /* Of a list that cannot be drawn, the best one is drawn alone. */
            if (status == TZ_NONE && key != BEST && before > 0) {
                count = before;
                status = TZ_OK;
            }
        }
    if (status == TZ_NONE)
        status = TZ_IO;                  /* as tz_draw_bad says */
    if (status == TZ_OK && count == 0) { /* an empty list */
        drawings[count++].caption = join(source->arena, id, "no derivation");
        status = drawings[0].caption ? TZ_OK : TZ_NO_MEMORY;
    }
    *ret_drawings = drawings;
    *ret_count = count;
    return status;
}

/* The id as text: a string as it is, anything else as JSON. */
static tz_status read_id(tz_arena *arena, const json_t *id, const char **ret_text) {
    tz_text text = {0};
    tz_status status = TZ_OK;
    *ret_text = "";
    if (json_is_string(id)) {
        *ret_text = tz_draw_clean(arena, json_string_value(id));
    } else if (id) {
        status = tz_json_print(arena, id, &text);
        *ret_text = status == TZ_OK ? tz_arena_text(arena, text.data, text.size) : NULL;
    }
    tz_text_free(&text);
    return *ret_text ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_drawings_result(tz_arena *arena, const char *file, size_t line, const char *text,
                             size_t size, const tz_result_choice *choice, tz_drawing **ret_drawings,
                             size_t *ret_count, tz_error *opt_error) {
    tz_draw_source source = {
        .arena = arena, .file = file, .line = line, .choice = choice, .opt_error = opt_error};
    const json_t *result, *value[KEYS];
    const char *id;
    tz_error error;
    *ret_drawings = NULL;
    tz_status status = tz_json_parse(arena, text, size, &result, &error);
    if (status == TZ_BAD_ARGUMENT)
        return tz_draw_bad(&source, "%s", error.message);
    if (status == TZ_OK && !json_is_object(result))
        return tz_draw_bad(&source, "a result is a JSON object, not %s", tz_json_kind(result));
    for (enum key key = 0; status == TZ_OK && key < KEYS; key++)
        value[key] = json_object_get(result, key_name[key]);
    if (status != TZ_OK || (status = read_id(arena, value[ID], &id)) != TZ_OK)
        return status;
    if (choice->id && strcmp(choice->id, id) != 0)
        return TZ_NONE;
    tz_drawing *drawings = NULL;
    size_t count = 1;
    if (json_is_string(value[FAILURE])) { /* of `trapeze run --keep-going` */
        const char *failure = tz_draw_clean(arena, json_string_value(value[FAILURE]));
        drawings = tz_arena_array(arena, 1, sizeof *drawings);
        if (!failure || !drawings || !(drawings->caption = join(arena, id, failure)))
            status = TZ_NO_MEMORY;
    } else {
        status = read_drawings(&source, result, id, value, &drawings, &count);
    }
    if (status == TZ_OK) {
        *ret_drawings = drawings;
        *ret_count = count;
    }
    return status;
}
