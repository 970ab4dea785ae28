/* heads.c - see heads.h. SPDX-License-Identifier: MIT */
#include "sentences/trees/heads.h"

#include <string.h>

/* The first category of `list` that any child has decides; of several such children, the first
 * from this side. None: the first child from this side. */
static const struct {
    const char *category;
    char side; /* '<' from the left, '>' from the right */
    const char *list;
} rules[] = {
    {"ADJP", '<', "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"},
    {"ADVP", '>', "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"},
    {"CONJP", '>', "CC RB IN"},
    {"FRAG", '>', ""},
    {"INTJ", '<', ""},
    {"LST", '>', "LS :"},
    {"NAC", '<', "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"},
    {"PP", '>', "IN TO VBG VBN RP FW"},
    {"PRN", '<', ""},
    {"PRT", '>', "RP"},
    {"QP", '<', "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"},
    {"RRC", '>', "VP NP ADVP ADJP PP"},
    {"S", '<', "TO IN VP S SBAR ADJP UCP NP"},
    {"SBAR", '<', "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"},
    {"SBARQ", '<', "SQ S SINV SBARQ FRAG"},
    {"SINV", '<', "VBZ VBD VBP VB MD VP S SINV ADJP NP"},
    {"SQ", '<', "VBZ VBD VBP VB MD VP SQ"},
    {"UCP", '>', ""},
    {"VP", '<', "TO VBD VBN MD VBZ VB VBG VBP AUX AUXG VP ADJP NN NNS NP"},
    {"WHADJP", '<', "CC WRB JJ ADJP"},
    {"WHADVP", '>', "CC WRB"},
    {"WHNP", '<', "WDT WP WP$ WHADJP WHPP WHNP"},
    {"WHPP", '>', "IN TO FW"},
};
enum { RULES = sizeof rules / sizeof *rules };

/* Its place in a list of names with single blanks between them, or SIZE_MAX. */
static size_t place(const char *name, const char *list) {
    size_t size = strlen(name);
    for (size_t at = 0; *list; at++) {
        size_t length = strcspn(list, " ");
        if (length == size && memcmp(list, name, size) == 0)
            return at;
        list += length + (list[length] == ' ');
    }
    return SIZE_MAX;
}

/* The child of x whose category stands first in the list, of several the first from the side; or
 * TZ_NO_NODE. */
static uint32_t by_order(const tz_tree *tree, uint32_t x, char side, const char *list) {
    uint32_t found = TZ_NO_NODE;
    size_t best = SIZE_MAX;
    for (uint32_t c = tree->node[x].first; c != TZ_NO_NODE; c = tree->node[c].next) {
        size_t at = place(tree->node[c].category, list);
        if (at < best || (at == best && at != SIZE_MAX && side == '>')) {
            best = at;
            found = c;
        }
    }
    return found;
}

/* The first child from the side whose category is in the list, or TZ_NO_NODE. */
static uint32_t by_side(const tz_tree *tree, uint32_t x, char side, const char *list) {
    uint32_t found = TZ_NO_NODE;
    for (uint32_t c = tree->node[x].first; c != TZ_NO_NODE; c = tree->node[c].next) {
        if (place(tree->node[c].category, list) != SIZE_MAX) {
            found = c;
            if (side == '<')
                break;
        }
    }
    return found;
}

static uint32_t last_child(const tz_tree *tree, uint32_t x) {
    uint32_t c = tree->node[x].first;
    while (tree->node[c].next != TZ_NO_NODE)
        c = tree->node[c].next;
    return c;
}

static uint32_t noun_head(const tz_tree *tree, uint32_t x) {
    uint32_t last = last_child(tree, x);
    if (strcmp(tree->node[last].category, "POS") == 0)
        return last;
    static const struct {
        char side;
        const char *list;
    } steps[] = {{'>', "NN NNP NNPS NNS NX NML POS JJR"},
                 {'<', "NP"},
                 {'>', "$ ADJP PRN"},
                 {'>', "CD"},
                 {'>', "JJ JJS RB QP"}};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        uint32_t found = by_side(tree, x, steps[s].side, steps[s].list);
        if (found != TZ_NO_NODE)
            return found;
    }
    return last;
}

/* Where the child just before the head is a conjunction, the one before that, if there is one. */
static uint32_t of_coordination(const tz_tree *tree, uint32_t x, uint32_t head) {
    uint32_t before[2] = {TZ_NO_NODE, TZ_NO_NODE};
    for (uint32_t c = tree->node[x].first; c != head; c = tree->node[c].next) {
        before[1] = before[0];
        before[0] = c;
    }
    return before[1] != TZ_NO_NODE && strcmp(tree->node[before[0]].category, "CC") == 0 ? before[1]
                                                                                        : head;
}

static uint32_t head_child(const tz_tree *tree, uint32_t x) {
    const char *category = tree->node[x].category;
    size_t rule = 0;
    while (rule < RULES && strcmp(rules[rule].category, category) != 0)
        rule++;
    char side = rule < RULES ? rules[rule].side : '<';
    uint32_t head;
    if (place(category, "NP NML NX") != SIZE_MAX)
        head = noun_head(tree, x);
    else
        head = by_order(tree, x, side, rule < RULES ? rules[rule].list : "");
    if (head == TZ_NO_NODE)
        head = side == '<' ? tree->node[x].first : last_child(tree, x);
    return of_coordination(tree, x, head);
}

void tz_tree_heads(tz_tree *tree) {
    for (uint32_t x = 0; x < tree->nodes; x++)
        if (!tz_tree_leaf(&tree->node[x]))
            tree->node[x].head = head_child(tree, x);
    tz_tree_head_words(tree);
}
