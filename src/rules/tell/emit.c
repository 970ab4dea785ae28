/* emit.c - a compiled rule set as C source.
 *
 * Every array that the table points to becomes a constant of its own, named after where it hangs,
 * and stands before what points to it: rules_eisner__step3__nest__range0__lower. Members that are
 * zero are left out. Of equal arrays the first stands for all: most bounds of loops are 0 or n, and
 * steps of the three passes have terms in common. Recursion is as deep as table.h nests.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/tell/emit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/table.h"
#include "rules/tell/describe.h"

/* Where in the table: member `name` of `up` and, unless it is -1, its element `index`. */
typedef struct path {
    const struct path *up;
    const char *name;
    long index;
} path;

/* ---- Arrays that are there already ----------------------------------------------------------- */

/* From texts to texts: what an array is called by what it holds, and what stands for an array by
 * what it would be called. This is run when Trapeze is built: it ends where memory does. */
typedef struct dictionary {
    tz_name_table keys;
    char **value; /* by their numbers */
    size_t room;
} dictionary;

static dictionary name_of, stands_for;
static tz_arena *texts; /* of the keys */

static void *need(void *memory) {
    if (memory == NULL) {
        fputs("memory is out\n", stderr);
        exit(1);
    }
    return memory;
}

static const char *look_up(const dictionary *d, const char *key) {
    const int32_t number = tz_name_table_find(&d->keys, key, strlen(key));
    return number != TZ_NO_NUMBER ? d->value[number] : NULL;
}

/* The key is new. Takes the value. */
static void enter(dictionary *d, const char *key, char *value) {
    if (texts == NULL)
        texts = need(tz_arena_new());
    const int32_t number = tz_name_table_add(&d->keys, texts, key, strlen(key));
    need(number != TZ_NO_NUMBER &&
                 tz_grow((void **)&d->value, &d->room, d->keys.count, sizeof *d->value)
             ? d
             : NULL);
    d->value[number] = value;
}

/* ---- Names ----------------------------------------------------------------------------------- */

void tz_emit_name(FILE *out, const char *name) {
    fputs("rules_", out); /* so that no name is a keyword of C */
    for (const char *c = name; *c; c++)
        fputc(*c == '-' ? '_' : *c, out);
}

static void put_path(FILE *out, const path *path) {
    if (!path->up) {
        tz_emit_name(out, path->name);
        return;
    }
    put_path(out, path->up);
    fprintf(out, "__%s", path->name);
    if (path->index >= 0)
        fprintf(out, "%ld", path->index);
}

/* To be freed. */
static char *path_text(const path *path) {
    char *text = NULL;
    size_t size;
    FILE *file = need(open_memstream(&text, &size));
    put_path(file, path);
    fclose(file);
    return need(text);
}

/* The name of the array that stands for the one of this path. */
static void put_reference(FILE *out, const path *path) {
    char *name = path_text(path);
    const char *other = look_up(&stands_for, name);
    fputs(other != NULL ? other : name, out);
    free(name);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text) {
    if (!text) {
        fputs("NULL", out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '\n')
            fputs(c[1] ? "\\n\"\n    \"" : "\\n", out);
        else if (*c == '"' || *c == '\\' || *c == '?') /* ??/ is a trigraph */
            fprintf(out, "\\%c", *c);
        else if (*c < ' ' || *c == 127)
            fprintf(out, "\\%03o", (unsigned)*c);
        else
            fputc(*c, out);
    fputc('"', out);
}

static bool is_zero(const tz_member *member, const void *at) {
    switch (member->kind) {
    case TZ_SIGNED:
        return tz_member_signed(at, member->size) == 0;
    case TZ_UNSIGNED:
        return tz_member_unsigned(at, member->size) == 0;
    case TZ_FLAG:
        return !*(const bool *)at;
    case TZ_REAL:
        return *(const double *)at == 0;
    case TZ_TEXT:
        return !*(const char *const *)at;
    case TZ_STRUCT:
        break;
    }
    for (size_t m = 0; m < member->type->members; m++) {
        const tz_member *inner = &member->type->member[m];
        size_t count;
        const char *element = tz_member_elements(inner, at, &count);
        if (inner->count == 0 && count > 0)
            return false;
        for (size_t i = 0; i < count; i++)
            if (!is_zero(inner, element + i * inner->size))
                return false;
    }
    return true;
}

static void put_struct(FILE *out, const path *here, const tz_described *type, const void *base);

static void put_element(FILE *out, const path *here, const tz_member *member, const void *at) {
    switch (member->kind) {
    case TZ_SIGNED:
        fprintf(out, "%" PRId64, tz_member_signed(at, member->size));
        break;
    case TZ_UNSIGNED:
        fprintf(out, "%" PRIu64, tz_member_unsigned(at, member->size));
        break;
    case TZ_FLAG:
        fputs(*(const bool *)at ? "true" : "false", out);
        break;
    case TZ_REAL:
        fprintf(out, "%.17g", *(const double *)at);
        break;
    case TZ_TEXT:
        put_text(out, *(const char *const *)at);
        break;
    case TZ_STRUCT:
        put_struct(out, here, member->type, at);
        break;
    }
}

/* The elements of an array in place that are not zero; false if there are none. */
static bool put_in_place(FILE *out, const path *here, const tz_member *member, const char *element,
                         const char *separator) {
    bool any = false;
    for (size_t i = 0; i < member->count; i++) {
        const void *at = element + i * member->size;
        const path inner = {here, member->name, member->count > 1 ? (long)i : -1};
        if (is_zero(member, at))
            continue;
        if (!any)
            fprintf(out, "%s.%s = %s", separator, member->name, member->count > 1 ? "{" : "");
        if (member->count > 1)
            fprintf(out, "%s[%zu] = ", any ? ", " : "", i);
        put_element(out, &inner, member, at);
        any = true;
    }
    if (any && member->count > 1)
        fputc('}', out);
    return any;
}

static void put_struct(FILE *out, const path *here, const tz_described *type, const void *base) {
    const char *separator = "";
    fputc('{', out);
    for (size_t m = 0; m < type->members; m++) {
        const tz_member *member = &type->member[m];
        size_t count;
        const void *element = tz_member_elements(member, base, &count);
        if (member->count > 0) {
            if (put_in_place(out, here, member, element, separator))
                separator = ", ";
        } else if (count > 0) {
            const path inner = {here, member->name, -1};
            fprintf(out, "%s.%s = ", separator, member->name);
            put_reference(out, &inner);
            separator = ", ";
        }
    }
    fputs(*separator ? "}" : "0}", out);
}

/* Defines an array, what it points to having been defined, unless another stands for it. */
static void define_array(FILE *out, const path *path_of, const tz_member *member,
                         const char *element, size_t count) {
    char *name = path_text(path_of), *body = NULL;
    size_t size;
    FILE *file = need(open_memstream(&body, &size));
    fprintf(file, "[%zu] = {", count);
    for (size_t i = 0; i < count; i++) {
        const path inner = {path_of->up, member->name, (long)i};
        fputs(i > 0 ? ",\n    " : "\n    ", file);
        put_element(file, &inner, member, element + i * member->size);
    }
    fputs("\n};", file);
    fprintf(file, " /* %s */", member->c_type); /* part of what it holds */
    fclose(file);
    const char *other = look_up(&name_of, need(body));
    if (other != NULL) {
        enter(&stands_for, name, need(strdup(other)));
        free(name);
    } else {
        fprintf(out, "static const %s %s%s\n", member->c_type, name, body);
        enter(&name_of, body, name);
    }
    free(body);
}

/* Defines every array that the struct at `base` points to, the deepest first. */
static void define_arrays(FILE *out, const path *here, const tz_described *type, const void *base) {
    for (size_t m = 0; m < type->members; m++) {
        const tz_member *member = &type->member[m];
        size_t count;
        const char *element = tz_member_elements(member, base, &count);
        bool pointer = member->count == 0, single = member->count == 1;
        for (size_t i = 0; i < count && member->kind == TZ_STRUCT; i++) {
            const path inner = {here, member->name, single ? -1 : (long)i};
            define_arrays(out, &inner, member->type, element + i * member->size);
        }
        if (!pointer || count == 0)
            continue;
        const path name = {here, member->name, -1};
        define_array(out, &name, member, element, count);
    }
}

void tz_emit_rules(FILE *out, const tz_rules *rules) {
    const path top = {NULL, rules->name, -1};
    define_arrays(out, &top, &tz_describe_rules, rules);
    fputs("static const tz_rules ", out);
    put_path(out, &top);
    fputs(" = ", out);
    put_struct(out, &top, &tz_describe_rules, rules);
    fputs(";\n\n", out);
}
