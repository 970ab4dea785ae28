/* dependencies.c - see dependencies.h. SPDX-License-Identifier: MIT */
#include "sentences/trees/dependencies.h"

#include <string.h>

#include "sentences/features/sentence/kept.h"
#include "sentences/features/sentence/projective.h"

const char *tz_levels_name(unsigned levels) {
    static const char *const names[] = {"flat", "prep", "verb", "tags"};
    return levels < sizeof names / sizeof *names ? names[levels] : NULL;
}

/* A tree being made. Arrays of words count from 1; 0 ends a list. */
typedef struct maker {
    tz_arena *arena;
    tz_levels levels;
    const char **relation; /* or what is to be the category */
    const char **coarse;
    tz_tree_word *word;    /* from 0 */
    int32_t *first, *next; /* dependents from left to right */
    uint32_t *phrase;      /* the node that has become of a word and all below it */
    tz_draft_node *draft;
    uint32_t nodes;
} maker;

/* Is `name` that, but for a subtype: aux:pass is aux. */
static bool is(const char *name, const char *that) {
    size_t size = strlen(that);
    return strncmp(name, that, size) == 0 && (name[size] == '\0' || name[size] == ':');
}

static uint32_t add(maker *m, const char *category, int32_t word) {
    m->draft[m->nodes] = (tz_draft_node){category, TZ_NO_NODE, TZ_NO_NODE, TZ_NO_NODE,
                                         word > 0 ? (uint32_t)word - 1 : 0};
    return m->nodes++;
}

/* A node over the phrases of dependents from..until-1 on the left, then `inner`, its head child,
 * then its dependents `right` and so on. Without any: `inner` itself. */
static uint32_t over(maker *m, const char *category, int32_t from, int32_t until, uint32_t inner,
                     int32_t right) {
    if (from == until && right == 0) {
        m->draft[inner].category = category;
        return inner;
    }
    uint32_t node = add(m, category, 0), *link = &m->draft[node].first;
    for (int32_t d = from; d != until; d = m->next[d]) {
        *link = m->phrase[d];
        link = &m->draft[*link].next;
    }
    *link = inner;
    link = &m->draft[inner].next;
    for (int32_t d = right; d > 0; d = m->next[d]) {
        *link = m->phrase[d];
        link = &m->draft[*link].next;
    }
    m->draft[node].head = inner;
    return node;
}

/* The first of the left dependents from..right-1 from which on all belong to the verb phrase. */
static int32_t verb_phrase(const maker *m, int32_t from, int32_t right) {
    int32_t begin = from;
    for (int32_t d = from; d != right; d = m->next[d]) {
        const char *relation = m->relation[d];
        if (!is(relation, "aux") && !is(relation, "cop") && !is(relation, "advmod"))
            begin = m->next[d];
    }
    return begin;
}

static bool is_marker(const maker *m, int32_t d) {
    return m->first[d] == 0 && (is(m->relation[d], "case") || is(m->relation[d], "mark"));
}

/* `inner` below the markers from..until-1, the inmost of which is the last. */
static tz_status under_markers(maker *m, const char *relation, int32_t from, int32_t until,
                               uint32_t *inner) {
    if (from == until)
        return TZ_OK;
    size_t size = strlen(relation);
    char *full = tz_arena_array(m->arena, size + 3, 1);
    if (!full)
        return TZ_NO_MEMORY;
    memcpy(full, relation, size);
    memcpy(full + size, is(m->relation[from], "mark") ? "+C" : "+P", 3);
    /* From the outmost inwards; what stands below a marker has the category that this gives it. */
    const char *category = full;
    uint32_t outmost, *link = &outmost;
    for (int32_t d = from; d != until; d = m->next[d]) {
        uint32_t node = *link = add(m, category, 0), leaf = m->phrase[d];
        m->draft[node].first = m->draft[node].head = leaf;
        link = &m->draft[leaf].next;
        category = is(m->relation[d], "mark") ? "S" : "NP";
    }
    *link = *inner;
    m->draft[*inner].category = category;
    *inner = outmost;
    return TZ_OK;
}

/* The phrase of word w, those of its dependents being made. */
static tz_status make(maker *m, int32_t w) {
    const char *relation = m->relation[w];
    uint32_t leaf = add(m, m->word[w - 1].tag, w);
    int32_t first = m->first[w], from = first, right = first;
    while (right > 0 && right < w)
        right = m->next[right];
    if (m->levels == TZ_LEVELS_PREP || m->levels == TZ_LEVELS_VERB)
        while (from != right && is_marker(m, from))
            from = m->next[from];
    int32_t begin = from;
    if (m->levels == TZ_LEVELS_VERB &&
        (strcmp(m->coarse[w], "VERB") == 0 || strcmp(m->coarse[w], "AUX") == 0))
        begin = verb_phrase(m, from, right);
    uint32_t phrase;
    if (begin == from) {
        phrase = over(m, relation, from, right, leaf, right);
    } else {
        bool alone = begin == right && right == 0;
        uint32_t vp = alone ? leaf : over(m, "VP", begin, right, leaf, right);
        phrase = over(m, relation, from, begin, vp, 0);
    }
    tz_status status = under_markers(m, relation, first, from, &phrase);
    m->phrase[w] = phrase;
    return status;
}

/* Every word after its dependents. */
static tz_status make_all(maker *m, int32_t words, int32_t root) {
    int32_t *order = tz_arena_array(m->arena, (size_t)words, sizeof *order), count = 1;
    if (!order)
        return TZ_NO_MEMORY;
    order[0] = root;
    for (int32_t i = 0; i < count; i++)
        for (int32_t d = m->first[order[i]]; d > 0; d = m->next[d])
            order[count++] = d;
    tz_status status = TZ_OK;
    for (int32_t i = count; i-- > 0 && status == TZ_OK;)
        status = make(m, order[i]);
    return status;
}

static bool known(const char **name, int32_t w) {
    return strcmp(name[w], "_") != 0;
}

static tz_status check(const char *file, const tz_sentence *s, const char **const name[TZ_COLUMNS],
                       tz_levels levels, tz_error *opt_error) {
    for (int32_t w = 1; w <= s->words; w++) {
        const char *lacks = NULL;
        if (s->head[w] < 0)
            lacks = "head (HEAD)";
        else if (levels != TZ_LEVELS_TAGS && !known(name[TZ_DEPREL], w))
            lacks = "relation (DEPREL)";
        else if (!known(name[TZ_XPOS], w) && !known(name[TZ_UPOS], w))
            lacks = "tag (XPOS or UPOS)";
        else if (levels == TZ_LEVELS_VERB && !known(name[TZ_UPOS], w))
            lacks = "tag (UPOS), which --levels verb tells verbs by";
        if (lacks)
            return tz_bad_input(opt_error, file ? file : "sentence", s->line, "word %d has no %s",
                                (int)w, lacks);
    }
    return TZ_OK;
}

tz_status tz_tree_of_dependencies(tz_arena *arena, const char *opt_file,
                                  const tz_sentence *sentence, const char **const name[TZ_COLUMNS],
                                  tz_levels levels, tz_tree *ret_tree, tz_error *opt_error) {
    int32_t n = sentence->words, root = 0;
    *ret_tree = (tz_tree){0};
    tz_status status = check(opt_file, sentence, name, levels, opt_error);
    if (status != TZ_OK || n == 0)
        return status;
    size_t size = (size_t)n + 1;
    maker m = {.arena = arena,
               .levels = levels,
               .relation = levels == TZ_LEVELS_TAGS
                               ? tz_arena_array(arena, size, sizeof *m.relation)
                               : name[TZ_DEPREL],
               .coarse = name[TZ_UPOS],
               .word = tz_arena_array(arena, size, sizeof *m.word),
               .first = tz_arena_array(arena, size, sizeof *m.first),
               .next = tz_arena_array(arena, size, sizeof *m.next),
               .phrase = tz_arena_array(arena, size, sizeof *m.phrase),
               /* Its leaf, its phrase, its VP, and the node that it heads as a marker. */
               .draft = tz_arena_array(arena, 4 * size, sizeof *m.draft)};
    int32_t *head = tz_arena_array(arena, size, sizeof *head);
    if (!m.relation || !m.word || !m.first || !m.next || !m.phrase || !m.draft || !head)
        return TZ_NO_MEMORY;
    memcpy(head, sentence->head, size * sizeof *head);
    tz_projectivise(head, n);
    tz_kept_single_root(head, n);
    for (int32_t w = n; w > 0; w--) {
        const char *fine = name[TZ_XPOS][w];
        m.word[w - 1].form = sentence->form[w];
        m.word[w - 1].tag = strcmp(fine, "_") == 0 ? name[TZ_UPOS][w] : fine;
        if (levels == TZ_LEVELS_TAGS)
            m.relation[w] = m.word[w - 1].tag;
        m.next[w] = head[w] > 0 ? m.first[head[w]] : 0;
        m.first[head[w]] = w;
        root = head[w] == 0 ? w : root;
    }
    status = make_all(&m, n, root);
    return status == TZ_OK
               ? tz_tree_number(arena, m.draft, m.nodes, m.phrase[root], m.word, ret_tree)
               : status;
}

void tz_tree_dependencies(const tz_tree *tree, int32_t *head) {
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        bool highest =
            node->parent == TZ_NO_NODE || tree->node[node->parent].head_word != node->head_word;
        if (highest)
            head[node->head_word + 1] =
                node->parent == TZ_NO_NODE ? 0 : (int32_t)tree->node[node->parent].head_word + 1;
    }
}
