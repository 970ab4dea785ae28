/* pairs.c - see pairs.h. SPDX-License-Identifier: MIT */
#include "learn/pairs.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "io/text.h"

/* Words in a row, with their text. */
typedef struct list {
    const char **word;
    size_t count, capacity;
    char *text; /* a copy, cut into words; NULL where the words are the JSON value's own */
} list;

struct tz_pairs {
    tz_lines *lines;
    json_t *line; /* the one that the pair's text belongs to */
    list form, fine;
    bool *keep;
    size_t kept_capacity;
};

tz_pairs *tz_pairs_new(tz_lines *lines) {
    tz_pairs *pairs = calloc(1, sizeof *pairs);
    if (pairs) {
        pairs->lines = lines;
    }
    return pairs;
}

static void clear(list *list) {
    free(list->text);
    list->text = NULL;
    list->count = 0;
}

void tz_pairs_free(tz_pairs *pairs) {
    if (pairs) {
        clear(&pairs->form);
        clear(&pairs->fine);
        free((void *)pairs->form.word);
        free((void *)pairs->fine.word);
        free(pairs->keep);
        json_decref(pairs->line);
        free(pairs);
    }
}

static tz_status bad(const tz_pairs *pairs, tz_error *opt_error, const char *what,
                     const char *name) {
    return tz_bad_input(opt_error, tz_lines_name(pairs->lines), tz_lines_number(pairs->lines), what,
                        name);
}

static tz_status no_memory(const tz_pairs *pairs, tz_error *opt_error) {
    bad(pairs, opt_error, "out of memory%s", "");
    if (opt_error) {
        opt_error->status = TZ_NO_MEMORY;
    }
    return TZ_NO_MEMORY;
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool add(list *list, const char *word) {
    void *words = (void *)list->word;
    bool grown = tz_grow(&words, &list->capacity, list->count + 1, sizeof *list->word);
    list->word = words;
    if (grown) {
        list->word[list->count++] = word;
    }
    return grown;
}

static tz_status split(tz_pairs *pairs, const char *text, list *list, tz_error *opt_error) {
    static const char blanks[] = " \t";
    list->text = strdup(text);
    if (!list->text) {
        return no_memory(pairs, opt_error);
    }
    char *rest;
    for (char *word = strtok_r(list->text, blanks, &rest); word;
         word = strtok_r(NULL, blanks, &rest)) {
        if (!add(list, word)) {
            return no_memory(pairs, opt_error);
        }
    }
    return TZ_OK;
}

static tz_status take(tz_pairs *pairs, const json_t *array, const char *name, list *list,
                      tz_error *opt_error) {
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *word = json_string_value(json_array_get(array, i));
        if (!word || word[0] == '\0' || strpbrk(word, " \t\r\n")) {
            return bad(pairs, opt_error,
                       "\"%s\": every element is a word: a string, not empty, without blanks",
                       name);
        }
        if (!add(list, word)) {
            return no_memory(pairs, opt_error);
        }
    }
    return TZ_OK;
}

static tz_status read_words(tz_pairs *pairs, const json_t *value, const char *name, list *list,
                            tz_error *opt_error) {
    clear(list);
    return json_is_string(value)  ? split(pairs, json_string_value(value), list, opt_error)
           : json_is_array(value) ? take(pairs, value, name, list, opt_error)
                                  : bad(pairs, opt_error,
                                        "\"%s\" is missing, or neither a string of words with "
                                        "blanks between them nor an array of words",
                                        name);
}

/* ---- What is kept ---------------------------------------------------------------------------- */

/* 0, 1, or -1: it is neither. */
static int read_flag(const json_t *value, size_t i) {
    if (json_is_string(value)) {
        char flag = json_string_value(value)[i];
        return flag == '0' ? 0 : flag == '1' ? 1 : -1;
    }
    const json_t *flag = json_array_get(value, i);
    json_int_t number = json_is_integer(flag) ? json_integer_value(flag) : -1;
    return json_is_boolean(flag) ? json_is_true(flag) : number == 0 || number == 1 ? (int)number : -1;
}

static tz_status read_keep(tz_pairs *pairs, const json_t *value, size_t words, size_t *ret_kept,
                           tz_error *opt_error) {
    bool array = json_is_array(value);
    if (!array && !json_is_string(value)) {
        return bad(pairs, opt_error,
                   "\"%s\" is missing, or neither a string of 0 and 1 nor an array of them", "keep");
    }
    size_t flags = array ? json_array_size(value) : json_string_length(value);
    if (flags != words) {
        return tz_bad_input(opt_error, tz_lines_name(pairs->lines), tz_lines_number(pairs->lines),
                            "\"keep\" says of %zu words whether they are kept; \"tokens\" has %zu",
                            flags, words);
    }
    void *keep = pairs->keep;
    bool grown = tz_grow(&keep, &pairs->kept_capacity, words + 1, sizeof *pairs->keep);
    pairs->keep = keep;
    if (!grown) {
        return no_memory(pairs, opt_error);
    }
    *ret_kept = 0;
    for (size_t i = 0; i < words; i++) {
        int flag = read_flag(value, i);
        if (flag < 0) {
            return tz_bad_input(opt_error, tz_lines_name(pairs->lines),
                                tz_lines_number(pairs->lines),
                                "\"keep\" has something else than 0 or 1 for word %zu", i + 1);
        }
        pairs->keep[i] = flag == 1;
        *ret_kept += (size_t)flag;
    }
    return TZ_OK;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static tz_status read_pair(tz_pairs *pairs, tz_pair *ret_pair, tz_error *opt_error) {
    const json_t *pos = json_object_get(pairs->line, "pos");
    tz_pair pair = {.id = json_string_value(json_object_get(pairs->line, "id"))};
    tz_status status = read_words(pairs, json_object_get(pairs->line, "tokens"), "tokens",
                                  &pairs->form, opt_error);
    if (status == TZ_OK) {
        pair.words = pairs->form.count;
        status = read_keep(pairs, json_object_get(pairs->line, "keep"), pair.words, &pair.kept,
                           opt_error);
    }
    if (status == TZ_OK && pos) {
        status = read_words(pairs, pos, "pos", &pairs->fine, opt_error);
        if (status == TZ_OK && pairs->fine.count != pair.words) {
            status = tz_bad_input(opt_error, tz_lines_name(pairs->lines),
                                  tz_lines_number(pairs->lines),
                                  "\"pos\" has %zu tags for the %zu words of \"tokens\"",
                                  pairs->fine.count, pair.words);
        }
        pair.fine = pairs->fine.word;
    }
    if (status == TZ_OK) {
        pair.form = pairs->form.word;
        pair.keep = pairs->keep;
        *ret_pair = pair;
    }
    return status;
}

tz_status tz_pairs_next(tz_pairs *pairs, tz_pair *ret_pair, tz_error *opt_error) {
    char *line;
    size_t size;
    do {
        tz_status status = tz_lines_next(pairs->lines, &line, &size, opt_error);
        if (status != TZ_OK) {
            return status;
        }
    } while (strspn(line, " \t") == size);
    json_error_t error;
    json_decref(pairs->line);
    pairs->line = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error);
    if (!pairs->line) {
        return json_error_code(&error) == json_error_out_of_memory
                   ? no_memory(pairs, opt_error)
                   : bad(pairs, opt_error, "no JSON: %s", error.text);
    }
    if (!json_is_object(pairs->line)) {
        return bad(pairs, opt_error, "no JSON object with %s", "\"tokens\" and \"keep\"");
    }
    return read_pair(pairs, ret_pair, opt_error);
}
