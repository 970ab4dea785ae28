/* json.c - JSON by jansson.
 *
 * jansson 2.14 does not survive a failed allocation: while it reads it drops characters, runs past
 * the end of a string whose quote was dropped, or aborts. So it never sees one: its allocator jumps
 * out of it, and what it had allocated goes with the arena. Nothing else is left behind, since it
 * holds neither files nor locks.
 *
 * SPDX-License-Identifier: MIT */
#include "io/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"

typedef struct call {
    tz_arena *arena;
    jmp_buf out_of_memory;
} call;

/* The call of jansson that this thread is in: its allocator is given nothing but a size. */
static _Thread_local call *current;

static void *allocate(size_t size) {
    if (current == NULL)
        return NULL;
    void *block = tz_arena_array(current->arena, size, 1);
    if (block == NULL)
        longjmp(current->out_of_memory, 1);
    return block;
}

static void release(void *block) {
    (void)block;
}

/* Before main, so before any other use of jansson, as it demands. */
__attribute__((constructor)) static void install(void) {
    json_set_alloc_funcs(allocate, release);
}

/* ---- Errors -------------------------------------------------------------------------------- */

#define DIGITS(number) #number
#define TEXT(number)   DIGITS(number)
#define DEPTH          TEXT(JSON_PARSER_MAX_DEPTH)

static bool ends_in(const char *text, const char *end) {
    size_t size = strlen(text), tail = strlen(end);
    return size >= tail && strcmp(text + size - tail, end) == 0;
}

static tz_status fail(tz_error *error, const json_error_t *wrong) {
    const char *text = wrong->text, *hint = "";
    switch (json_error_code(wrong)) {
    case json_error_premature_end_of_input:
        text = "the line ends inside a value: write the whole of it on one line";
        break;
    case json_error_end_of_input_expected:
        text = "expected the end of the line after the value";
        break;
    case json_error_numeric_overflow:
        hint = "; whole numbers have 64 bits (a longer id can be a string), others end at 1e308, "
               "and an impossible score is null";
        break;
    case json_error_stack_overflow:
        text = "nested more than " DEPTH " deep (a proof tree takes two for each of its levels)";
        break;
    case json_error_invalid_utf8:
        text = "not UTF-8";
        break;
    case json_error_null_character:
        text = "a string cannot hold \\u0000";
        break;
    default:
        if (ends_in(text, "'NaN'") || ends_in(text, "'Infinity'") || ends_in(text, "'-'"))
            hint = "; JSON has no NaN or Infinity: write an impossible score as null";
    }
    error->status = TZ_BAD_ARGUMENT;
    snprintf(error->message, sizeof error->message, "column %d: %s%s", wrong->column, text, hint);
    tz_fail_clean(error);
    return TZ_BAD_ARGUMENT;
}

/* ---- Interface ----------------------------------------------------------------------------- */

tz_status tz_json_parse(tz_arena *arena, const char *text, size_t size, const json_t **ret_value,
                        tz_error *error) {
    call call = {.arena = arena};
    json_error_t wrong;
    *ret_value = NULL;
    current = &call;
    if (setjmp(call.out_of_memory) != 0) {
        current = NULL;
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    }
    *ret_value = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &wrong);
    current = NULL;
    return *ret_value != NULL ? TZ_OK : fail(error, &wrong);
}

static int add(const char *bytes, size_t size, void *text) {
    tz_text_add(text, bytes, size);
    return 0;
}

tz_status tz_json_print(tz_arena *arena, const json_t *value, tz_text *text) {
    call call = {.arena = arena};
    if (json_is_real(value)) {
        /* Shorter than jansson's, and a real again when it is read. */
        char digits[TZ_NUMBER_SIZE];
        tz_number_print(digits, json_real_value(value));
        tz_text_put(text, digits);
        if (strpbrk(digits, ".e") == NULL)
            tz_text_put(text, ".0");
        return text->failed ? TZ_NO_MEMORY : TZ_OK;
    }
    current = &call;
    if (setjmp(call.out_of_memory) != 0) {
        current = NULL;
        return TZ_NO_MEMORY;
    }
    int failed = json_dump_callback(value, add, text, JSON_ENCODE_ANY | JSON_COMPACT);
    current = NULL;
    return failed != 0 || text->failed ? TZ_NO_MEMORY : TZ_OK;
}

const char *tz_json_kind(const json_t *value) {
    static const char *const name[] = {
        [JSON_OBJECT] = "an object",    [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number",    [JSON_REAL] = "a number",  [JSON_TRUE] = "a truth value",
        [JSON_FALSE] = "a truth value", [JSON_NULL] = "null",
    };
    return name[json_typeof(value)];
}

bool tz_json_refuse(const tz_json_place *place, const char *format, ...) {
    tz_error *error = place->error;
    size_t size = sizeof error->message, used = 0;
    va_list arguments;
    if (place->key != NULL) {
        used = (size_t)snprintf(error->message, size, "%.100s", place->key);
        for (unsigned d = 0; d < place->depth; d++)
            used += (size_t)snprintf(error->message + used, size - used, "[%lld]",
                                     (long long)place->path[d]);
        used += (size_t)snprintf(error->message + used, size - used, ": ");
    }
    va_start(arguments, format);
    vsnprintf(error->message + used, size - used, format, arguments);
    va_end(arguments);
    error->status = TZ_BAD_ARGUMENT;
    tz_fail_clean(error);
    return false;
}

bool tz_json_no_memory(const tz_json_place *place) {
    tz_fail(place->error, TZ_NO_MEMORY, "out of memory");
    return false;
}
