/* pcfg_file.c - grammars as files. SPDX-License-Identifier: MIT
 *
 *   8 bytes   "TZCFGRAM"
 *   u32       version, 1
 *   u32       labels, tags, rules, bytes of names
 *   names     the labels' chains, then the tags, each with a zero byte
 *   u32       roots, one number for each label
 *   u32       a, b, c, count of each rule, in the order of tz_pcfg.rule; a -> tag has c = 2^32 - 1
 *   u32       CRC-32 of all before
 * All numbers are little-endian. */
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/replace.h"
#include "sentences/features/tables/little.h"
#include "sentences/trees/pcfg.h"

static const char magic[8] = {'T', 'Z', 'C', 'F', 'G', 'R', 'A', 'M'};
enum { VERSION = 1, HEAD = 28, RULE = 16, TAIL = 4 };

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_pcfg(const tz_pcfg *g, tz_text *text) {
    size_t names = 0;
    for (size_t l = 0; l < g->labels; l++)
        names += strlen(g->label[l].chain) + 1;
    for (size_t t = 0; t < g->tags.count; t++)
        names += strlen(g->tags.name[t]) + 1;
    tz_text_add(text, magic, sizeof magic);
    tz_text_add32(text, VERSION);
    tz_text_add32(text, (uint32_t)g->labels);
    tz_text_add32(text, (uint32_t)g->tags.count);
    tz_text_add32(text, (uint32_t)g->rules);
    tz_text_add32(text, (uint32_t)names);
    for (size_t l = 0; l < g->labels; l++)
        tz_text_add(text, g->label[l].chain, strlen(g->label[l].chain) + 1);
    for (size_t t = 0; t < g->tags.count; t++)
        tz_text_add(text, g->tags.name[t], strlen(g->tags.name[t]) + 1);
    for (size_t l = 0; l < g->labels; l++)
        tz_text_add32(text, g->label[l].roots);
    for (size_t r = 0; r < g->rules; r++) {
        tz_text_add32(text, g->rule[r].a);
        tz_text_add32(text, g->rule[r].b);
        tz_text_add32(text, g->rule[r].c);
        tz_text_add32(text, g->rule[r].count);
    }
    tz_seal(text, 0);
}

tz_status tz_pcfg_save(const tz_pcfg *pcfg, const char *path, tz_error *opt_error) {
    tz_text text = {0};
    write_pcfg(pcfg, &text);
    tz_status status = tz_replace_text(path, &text, opt_error);
    tz_text_free(&text);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------- */

bool tz_pcfg_bytes(const void *bytes, size_t size) {
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static tz_status damaged(const char *name, tz_error *opt_error, const char *what) {
    return tz_bad_input(opt_error, name, 0,
                        "the grammar is damaged: %s; get another copy or train it anew", what);
}

typedef struct sizes {
    uint64_t labels, tags, rules, names;
} sizes;

static tz_status check(const char *name, const unsigned char *from, size_t size, sizes *ret,
                       tz_error *opt_error) {
    if (!tz_pcfg_bytes(from, size))
        return tz_bad_input(opt_error, name, 0, "not a grammar of `trapeze train pcfg`");
    if (size < HEAD + TAIL)
        return damaged(name, opt_error, "it is cut off");
    if (tz_get32(from + 8) != VERSION)
        return tz_bad_input(opt_error, name, 0,
                            "the grammar has format %u, this program reads format %d; train it "
                            "anew",
                            (unsigned)tz_get32(from + 8), VERSION);
    *ret =
        (sizes){tz_get32(from + 12), tz_get32(from + 16), tz_get32(from + 20), tz_get32(from + 24)};
    if (HEAD + ret->names + 4 * ret->labels + RULE * ret->rules + TAIL != size)
        return damaged(name, opt_error, "it is cut off");
    if (!tz_is_sealed(from, size))
        return damaged(name, opt_error, "its checksum is wrong");
    return TZ_OK;
}

/* Categories with one blank between two of them, or none at all. */
static bool good_chain(const char *chain) {
    for (const char *c = chain; *c; c++)
        if (*c == ' ' && (c == chain || c[1] == ' ' || c[1] == '\0'))
            return false;
    return true;
}

/* The next name and what is behind it; NULL where they end. */
static const char *next_name(const char **at, const char *end) {
    const char *name = *at, *zero = name < end ? memchr(name, '\0', (size_t)(end - name)) : NULL;
    if (zero)
        *at = zero + 1;
    return zero ? name : NULL;
}

static tz_status read_names(const char *at, const sizes *sizes, tz_pcfg *g, bool *ret_good) {
    const char *end = at + sizes->names;
    *ret_good = false;
    for (size_t l = 0; l < sizes->labels; l++) {
        const char *chain = next_name(&at, end);
        if (!chain || !good_chain(chain))
            return TZ_OK;
        g->label[l].chain = tz_arena_text(g->arena, chain, strlen(chain));
        if (!g->label[l].chain)
            return TZ_NO_MEMORY;
    }
    for (size_t t = 0; t < sizes->tags; t++) {
        int32_t number;
        const char *tag = next_name(&at, end);
        if (!tag)
            return TZ_OK;
        if (tz_labels_add(&g->tags, tag, &number) != TZ_OK)
            return TZ_NO_MEMORY;
        if ((size_t)number != t)
            return TZ_OK;
    }
    *ret_good = at == end;
    return TZ_OK;
}

/* In order, of labels and tags that there are; words have a chain that ends with their tag. */
static bool good_rule(const tz_pcfg *g, const tz_pcfg_rule *rule) {
    if (rule->a >= g->labels || rule->count == 0)
        return false;
    return rule->c == TZ_NO_NODE ? rule->b < g->tags.count && *g->label[rule->a].chain
                                 : rule->b < g->labels && rule->c < g->labels;
}

static bool in_order(const tz_pcfg_rule *p, const tz_pcfg_rule *q) {
    bool word = p->c == TZ_NO_NODE, other = q->c == TZ_NO_NODE;
    if (word != other)
        return other;
    return p->a != q->a ? p->a < q->a : p->b != q->b ? p->b < q->b : p->c < q->c;
}

/* Each tag is that of some word: else words of it would have no place in any tree. */
static bool read_numbers(const unsigned char *from, tz_pcfg *g) {
    bool seen[TZ_PCFG_TAGS] = {false};
    size_t tags = 0;
    for (size_t l = 0; l < g->labels; l++, from += 4) {
        g->label[l].roots = tz_get32(from);
        g->trees += g->label[l].roots;
        if (g->label[l].roots > 0 && !*g->label[l].chain)
            return false;
    }
    for (size_t r = 0; r < g->rules; r++, from += RULE) {
        tz_pcfg_rule *rule = &g->rule[r];
        *rule = (tz_pcfg_rule){tz_get32(from), tz_get32(from + 4), tz_get32(from + 8),
                               tz_get32(from + 12)};
        if (!good_rule(g, rule) || (r > 0 && !in_order(rule - 1, rule)))
            return false;
        g->label[rule->a].uses += rule->count;
        g->binary += rule->c != TZ_NO_NODE;
        if (rule->c == TZ_NO_NODE && !seen[rule->b]) {
            seen[rule->b] = true;
            tags++;
        }
    }
    return g->trees > 0 && tags == g->tags.count;
}

tz_status tz_pcfg_read(const char *name, const void *bytes, size_t size, tz_pcfg **ret_pcfg,
                       tz_error *opt_error) {
    const unsigned char *from = bytes;
    sizes sizes = {0};
    *ret_pcfg = NULL;
    tz_status status = check(name, from, size, &sizes, opt_error);
    if (status != TZ_OK)
        return status;
    if (sizes.labels == 0 || sizes.labels > TZ_PCFG_LABELS || sizes.tags > TZ_PCFG_TAGS)
        return damaged(name, opt_error, "it makes no sense");
    tz_pcfg *g = calloc(1, sizeof *g);
    if (!g)
        return tz_out_of_memory(opt_error, name, 0);
    g->labels = sizes.labels;
    g->rules = sizes.rules;
    g->arena = tz_arena_new();
    g->label = calloc(sizes.labels, sizeof *g->label);
    g->rule = calloc(sizes.rules + 1, sizeof *g->rule);
    bool good = false;
    status = g->arena && g->label && g->rule
                 ? read_names((const char *)from + HEAD, &sizes, g, &good)
                 : TZ_NO_MEMORY;
    if (status == TZ_OK && good && read_numbers(from + HEAD + sizes.names, g)) {
        *ret_pcfg = g;
        return TZ_OK;
    }
    tz_pcfg_free(g);
    return status == TZ_OK ? damaged(name, opt_error, "it makes no sense")
                           : tz_out_of_memory(opt_error, name, 0);
}
