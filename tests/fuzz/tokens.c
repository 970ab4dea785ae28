/* tokens.c - how libFuzzer changes rule files: by tokens and lines, so that most of them are nearly
 * right. One time in four it changes bytes, as it does without this.
 *
 * Linked into fuzzers that are named in `by_tokens` of meson.build; the first bytes of their inputs
 * that are choices, not text, are left to libFuzzer. SPDX-License-Identifier: MIT */
#include "tests/support/own.h"
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

static const char *const words[] = {
    "n",          "m",       "T",       "i",           "j",           "k",          "l",
    "a",          "b",       "x",       "y",           "w",           "0",          "1",
    "2",          "3",       "+",       "-",           "*",           ",",          "[",
    "]",          "<",       "<=",      "=",           "!=",          ">=",         ">",
    "_",          "if ",     "axiom",   "sparse",      "---",         "length",     "item",
    "weight",     "goal",    "rules",   "count",       "resource",    "relation",   "ambiguous",
    "structures", "cite",    "#",       "derivations", "+1",          "-1",         "[i,j]",
    "[i,k]",      "[k,j]",   "[i,i]",   "[0,n]",       "0 <= i <= n", "i <= k < j", " ",
    "\n",         "1048576", "(",       ")",           "|",           "not",        "input",
    "closure",    "x[i]",    "[at[i]]",
};
enum { WORDS = sizeof words / sizeof *words };

typedef struct span {
    size_t at, size;
} span;

static uint32_t next(uint32_t *state) { /* xorshift (Marsaglia 2003) */
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static bool same_kind(uint8_t a, uint8_t b) {
    return (isalnum(a) || a == '_') ? isalnum(b) || b == '_' : ispunct(a) && a == b;
}

/* A token from a place chosen at random on, or where `line` the whole line. */
static span choose(const uint8_t *data, size_t size, bool line, uint32_t *state) {
    if (size == 0)
        return (span){0, 0};
    size_t at = next(state) % size, end = at + 1;
    if (line) {
        while (at > 0 && data[at - 1] != '\n')
            at--;
        while (end < size && data[end - 1] != '\n')
            end++;
    } else {
        while (at > 0 && same_kind(data[at], data[at - 1]))
            at--;
        while (end < size && same_kind(data[at], data[end]))
            end++;
    }
    return (span){at, end - at};
}

/* Replaces what stands in `gone` by these bytes, where there is room. */
static size_t replace(uint8_t *data, size_t size, size_t room, span gone, const void *bytes,
                      size_t count) {
    if (size - gone.size + count > room)
        return size;
    memmove(data + gone.at + count, data + gone.at + gone.size, size - gone.at - gone.size);
    memcpy(data + gone.at, bytes, count);
    return size - gone.size + count;
}

static size_t change(uint8_t *data, size_t size, size_t room, uint32_t *state) {
    const bool line = next(state) % 4 == 0;
    span to = choose(data, size, line, state), from = choose(data, size, line, state);
    const char *word = words[next(state) % WORDS];
    switch (next(state) % 6) {
    case 0: /* left out */
        return replace(data, size, room, to, "", 0);
    case 1: /* another word in its place, */
        return replace(data, size, room, to, word, strlen(word));
    case 2: /* or before it */
        return replace(data, size, room, (span){to.at, 0}, word, strlen(word));
    default: { /* the same with what stands elsewhere */
        FREED(uint8_t, copy) = malloc(from.size + 1);
        if (copy == NULL)
            return size;
        memcpy(copy, data + from.at, from.size);
        to.size = next(state) % 2 ? to.size : 0;
        size = replace(data, size, room, to, copy, from.size);
        return size;
    }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
    uint32_t state = seed | 1;
    next(&state);
    if (next(&state) % 4 == 0)
        return LLVMFuzzerMutate(data, size, room);
    for (uint32_t times = 1 + next(&state) % 3; times > 0; times--)
        size = change(data, size, room, &state);
    return size;
}
