/* guards.c - see guards.h. SPDX-License-Identifier: MIT */
#include "sentences/guards/guards.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/tables/hash.h"
#include "sentences/guards/table.h"

/* ---- The table by hashes --------------------------------------------------------------------- */

typedef struct member {
    uint64_t hash, next; /* next: of the word behind it; 0: any */
    unsigned is;
    bool tag;
} member;

enum { MEMBERS = 1024, ROWS = 64, RELATIONS = 32 };

struct tz_guard_table {
    member member[MEMBERS];
    size_t members;
    uint64_t relation[ROWS][RELATIONS]; /* of each row, and 0 */
    uint64_t frame[ROWS][RELATIONS];
    uint64_t joined[RELATIONS], joined_left[RELATIONS];
    uint64_t argument[RELATIONS];  /* whose "no" negates the verb */
    uint64_t auxiliary[RELATIONS]; /* that make a clause of what is no verb */
    uint64_t determiner, loose[RELATIONS];
};

static uint64_t hash_of(const char *text, size_t size) {
    return tz_hash_text(text, size);
}

/* The words of a list, one after the other. */
static const char *next_of(const char *list, size_t *ret_size) {
    list += strspn(list, " ");
    *ret_size = strcspn(list, " ");
    return *ret_size > 0 ? list : NULL;
}

static void read_relations(const char *list, uint64_t *ret) {
    size_t count = 0, size;
    for (; list && (list = next_of(list, &size)) != NULL && count + 1 < RELATIONS; list += size)
        ret[count++] = hash_of(list, size);
    ret[count] = 0;
}

static bool among(const uint64_t *list, uint64_t hash) {
    while (*list && *list != hash)
        list++;
    return *list != 0;
}

static void read_class(tz_guard_table *t, const tz_guard_class *class) {
    const char *list = class->list;
    char word[64];
    size_t size;
    for (; (list = next_of(list, &size)) != NULL && t->members < MEMBERS; list += size) {
        tz_word as;
        memcpy(word, list, size);
        word[size] = '\0';
        char *behind = class->tags ? NULL : strchr(word, '_');
        if (behind)
            *behind++ = '\0';
        tz_word_read(word, &as);
        t->member[t->members] =
            (member){class->tags ? hash_of(word, size) : as.lower, 0, class->is, class->tags};
        if (behind) {
            tz_word_read(behind, &as);
            t->member[t->members].next = as.lower;
        }
        t->members++;
    }
}

tz_status tz_guard_table_new(tz_guard_table **ret_table) {
    tz_guard_table *t = *ret_table = calloc(1, sizeof *t);
    if (!t)
        return TZ_NO_MEMORY;
    for (const tz_guard_class *c = tz_guard_classes; c->list; c++)
        read_class(t, c);
    for (size_t r = 0; tz_guard_rows[r].way; r++)
        read_relations(tz_guard_rows[r].relations, t->relation[r]);
    for (size_t r = 0; tz_guard_frames[r].way; r++)
        read_relations(tz_guard_frames[r].relations, t->frame[r]);
    read_relations(tz_guard_joined, t->joined);
    read_relations(tz_guard_joined_left, t->joined_left);
    read_relations("nsubj nsubj:pass obj", t->argument);
    read_relations("aux aux:pass cop", t->auxiliary);
    read_relations("nsubj nsubj:pass obj iobj obl root ccomp nmod", t->loose);
    t->determiner = hash_of("det", 3);
    return TZ_OK;
}

void tz_guard_table_free(tz_guard_table *table) {
    free(table);
}

/* ---- Words ----------------------------------------------------------------------------------- */

typedef struct finding {
    const tz_guard_table *table;
    const tz_sentence *sentence;
    unsigned without;
    int32_t n, *first, *last; /* spans of subtrees */
    unsigned *is;
    uint8_t *need, *apart, *no_root, *price;
} finding;

static size_t at(const finding *f, int32_t a, int32_t b) {
    return (size_t)a * ((size_t)f->n + 2) + (size_t)b;
}

static uint64_t relation(const finding *f, int32_t w) {
    return f->sentence->word[w].deprel;
}

static int32_t head(const finding *f, int32_t w) {
    return f->sentence->head[w];
}

static bool on(const finding *f, tz_guard guard) {
    return !(f->without >> guard & 1);
}

static bool modifies(const finding *f, int32_t w) {
    return head(f, w) > 0 && relation(f, w) != hash_of("conj", 4);
}

static bool is_member(const finding *f, const member *member, int32_t w) {
    const tz_word *word = &f->sentence->word[w];
    return member->hash == (member->tag ? word->xpos : word->lower) &&
           (member->next == 0 || member->next == word[1].lower);
}

static void read_words(finding *f) {
    for (int32_t w = 1; w <= f->n; w++)
        for (size_t m = 0; m < f->table->members; m++) {
            const member *member = &f->table->member[m];
            if (is_member(f, member, w))
                f->is[w] |= member->is;
        }
    f->is[f->n + 1] = TZ_IS_STOP;
    for (int32_t w = 1; w <= f->n; w++) {
        unsigned *of_head = &f->is[head(f, w) > 0 ? head(f, w) : 0];
        if (f->is[w] & TZ_IS_FINITE)
            f->is[w] |= TZ_IS_CLAUSE;
        if (f->is[w] & TZ_IS_NEGATION && modifies(f, w))
            *of_head |= TZ_IS_NEGATED;
        if (f->is[w] & TZ_IS_CONDITION && modifies(f, w))
            *of_head |= TZ_IS_CONDITIONAL;
        if (f->is[w] & TZ_IS_FINITE && among(f->table->auxiliary, relation(f, w)))
            *of_head |= TZ_IS_CLAUSE;
    }
    for (int32_t w = 1; w <= f->n; w++) { /* "there was no evidence": was is negated, too */
        int32_t noun = head(f, w), verb = noun > 0 ? head(f, noun) : 0;
        if (verb > 0 && f->is[w] & TZ_IS_NEGATION && relation(f, w) == f->table->determiner &&
            among(f->table->argument, relation(f, noun)))
            f->is[verb] |= TZ_IS_NEGATED;
    }
    f->is[0] = 0;
}

static void read_spans(finding *f) {
    for (int32_t w = 0; w <= f->n + 1; w++)
        f->first[w] = f->last[w] = w;
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t steps = 0; /* heads are a tree, but for what a caller made up */
        for (int32_t a = w; a > 0 && steps <= f->n; a = head(f, a), steps++) {
            f->first[a] = f->first[a] < w ? f->first[a] : w;
            f->last[a] = f->last[a] > w ? f->last[a] : w;
        }
    }
}

/* ---- Needs ----------------------------------------------------------------------------------- */

/* The higher price, where several guards say so. */
static void put(finding *f, tz_guard guard, int32_t a, int32_t b, uint8_t price) {
    if (a < 1 || b < 1 || a > f->n || b > f->n || a == b || !on(f, guard) ||
        f->price[at(f, a, b)] >= price)
        return;
    f->need[at(f, a, b)] = (uint8_t)(1 + guard);
    f->price[at(f, a, b)] = price;
}

static void put_both(finding *f, tz_guard guard, int32_t a, int32_t b, uint8_t price) {
    put(f, guard, a, b, price);
    put(f, guard, b, a, price);
}

/* Two words that are of a class together: "ruled out". */
static void apply_members(finding *f) {
    for (size_t m = 0; m < f->table->members; m++)
        for (int32_t w = 1; f->table->member[m].next != 0 && w < f->n; w++)
            if (is_member(f, &f->table->member[m], w))
                put_both(f, TZ_GUARD_FRAME, w, w + 1, 250);
}

static void apply_rows(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t h = head(f, w);
        for (size_t r = 0; h > 0 && tz_guard_rows[r].way; r++) {
            const tz_guard_row *row = &tz_guard_rows[r];
            bool related =
                row->relations ? among(f->table->relation[r], relation(f, w)) : modifies(f, w);
            if (!related || (row->child && !(f->is[w] & row->child)) ||
                (row->head && !(f->is[h] & row->head)))
                continue;
            if (row->way & TZ_CHILD_NEEDS_HEAD)
                put(f, row->guard, w, h, row->price);
            if (row->way & TZ_HEAD_NEEDS_CHILD)
                put(f, row->guard, h, w, row->price);
        }
    }
}

/* All words of the clause of c need w. */
static void put_clause(finding *f, const tz_guard_row *row, int32_t c, int32_t w) {
    for (int32_t x = f->first[c]; x <= f->last[c]; x++) {
        int32_t a = x;
        for (int32_t steps = 0; a > 0 && a != c && steps <= f->n; steps++)
            a = head(f, a);
        if (a == c && relation(f, x) != hash_of("punct", 5))
            put(f, row->guard, x, w, row->price);
    }
}

static void apply_frames(finding *f) {
    enum { NEAR = 4 };
    for (int32_t c = 1; c <= f->n; c++)
        for (size_t r = 0; tz_guard_frames[r].way && head(f, c) > 0; r++)
            if (among(f->table->frame[r], relation(f, c)) &&
                f->is[head(f, c)] & tz_guard_frames[r].head)
                put_clause(f, &tz_guard_frames[r], c, head(f, c));
    for (int32_t t = 2; t <= f->n; t++) {
        const char *form = f->sentence->form[t];
        bool that = strcmp(form, "that") == 0 || strcmp(form, "whether") == 0;
        if (!that || relation(f, t) != hash_of("mark", 4) || head(f, t) < t)
            continue;
        for (int32_t w = t - 1; w > 0 && t - w <= NEAR && !(f->is[w] & TZ_IS_MARK); w--)
            for (size_t r = 0; tz_guard_frames[r].way; r++)
                if (f->is[w] & tz_guard_frames[r].head && f->first[head(f, t)] > w)
                    put_clause(f, &tz_guard_frames[r], head(f, t), w);
    }
}

/* The nearest word of a kind from w on, in steps of 1 or -1, before one that ends the search; 0. */
static int32_t nearest(const finding *f, int32_t w, int32_t step, unsigned is, unsigned end) {
    for (; w >= 1 && w <= f->n && !(f->is[w] & end); w += step)
        if (f->is[w] & is)
            return w;
    return 0;
}

/* Conditions whatever the tree says, which is often wrong of them: in "... opened until they are
 * replaced" the verb before the word needs it, the word needs the verb of its clause, and that it.
 */
static void apply_conditions(finding *f) {
    for (int32_t w = 2; w < f->n; w++) {
        bool that = strcmp(f->sentence->form[w + 1], "that") == 0;
        if (!(f->is[w] & TZ_IS_CONDITION) || (f->is[w] & TZ_IS_VERB && !that))
            continue;
        int32_t left = nearest(f, w - 1, -1, TZ_IS_VERB, TZ_IS_STOP);
        int32_t right = nearest(f, w + 1, 1, TZ_IS_FINITE, TZ_IS_STOP | TZ_IS_MARK);
        while (right > 0 && right < f->n && f->is[right + 1] & TZ_IS_VERB)
            right++;
        if (left == 0 || right == 0)
            continue;
        put(f, TZ_GUARD_CONDITION, left, w, TZ_GUARD_NEVER);
        put_both(f, TZ_GUARD_CONDITION, w, right, TZ_GUARD_NEVER);
        if (that)
            put_both(f, TZ_GUARD_CONDITION, w, w + 1, TZ_GUARD_PRICE);
    }
}

static void pair_neighbours(finding *f) {
    for (int32_t w = 1; w < f->n; w++)
        for (const tz_guard_pair *p = tz_guard_pairs; p->left; p++)
            if (f->is[w] & p->left && f->is[w + 1] & p->right)
                put_both(f, p->guard, w, w + 1, p->price);
}

/* "12 to 18", "play-off". */
static void pair_ranges(finding *f) {
    for (int32_t w = 2; w < f->n; w++) {
        bool hyphen = f->sentence->word[w].xpos == hash_of("HYPH", 4);
        if (hyphen || (f->is[w] & TZ_IS_RANGE && f->is[w - 1] & TZ_IS_NUMBER &&
                       f->is[w + 1] & TZ_IS_NUMBER)) {
            put_both(f, TZ_GUARD_NAME, w - 1, w, TZ_GUARD_WHOLE);
            put_both(f, TZ_GUARD_NAME, w, w + 1, TZ_GUARD_WHOLE);
        }
    }
}

/* "and" joins two: not without the first of them, whose head is that of the second. */
static void put_conjunctions(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t c = head(f, w);
        if (relation(f, w) == hash_of("cc", 2) && c > w && relation(f, c) == hash_of("conj", 4))
            put(f, TZ_GUARD_LINK, w, head(f, c), TZ_GUARD_PRICE);
    }
}

/* What closes a mark, which may look the same; NULL: it opens nothing. */
static const char *closing(const char *form) {
    static const char *const pair[][2] = {{"(", ")"},           {"[", "]"},          {"{", "}"},
                                          {"-LRB-", "-RRB-"},   {"``", "''"},        {"\"", "\""},
                                          {"\u201c", "\u201d"}, {"\u00ab", "\u00bb"}};
    for (size_t p = 0; p < sizeof pair / sizeof *pair; p++)
        if (strcmp(form, pair[p][0]) == 0)
            return pair[p][1];
    return NULL;
}

/* Each with the next one that closes it. */
static void pair_marks(finding *f) {
    for (int32_t w = 1, end = 0; w <= f->n; w++) {
        const char *other = w > end ? closing(f->sentence->form[w]) : NULL;
        int32_t k = w + 1;
        while (other && k <= f->n && strcmp(f->sentence->form[k], other) != 0)
            k++;
        if (other && k <= f->n) {
            put_both(f, TZ_GUARD_MARKS, w, k, TZ_GUARD_PRICE);
            end = strcmp(f->sentence->form[w], other) == 0 ? k : end; /* k closes, not opens */
        }
    }
}

/* ---- Neighbours and the root ----------------------------------------------------------------- */

static void keep_apart(finding *f, tz_guard guard, int32_t i, int32_t j) {
    if (on(f, guard) && j > i + 1)
        f->apart[at(f, i, j)] = (uint8_t)(1 + guard);
}

static void apply_gaps(finding *f) {
    for (int32_t i = 1; i <= f->n; i++) {
        bool pronoun = among(f->table->loose, relation(f, i)); /* "this", "that" by themselves */
        for (const tz_guard_gap *g = tz_guard_gaps; g->left && !pronoun; g++)
            for (int32_t j = i + 2; f->is[i] & g->left && j <= f->n + 1; j++)
                if (f->is[j] & g->right)
                    keep_apart(f, g->guard, i, j);
    }
}

/* A phrase that is joined to its head by what stands before it: not without that behind the head.
 */
static void apply_joined(finding *f) {
    for (int32_t c = 1; c <= f->n; c++) {
        int32_t h = head(f, c), from = f->first[c];
        if (h < 1 || h >= from || !among(f->table->joined, relation(f, c)))
            continue;
        uint64_t cc = hash_of("cc", 2);
        int32_t link = from - 1; /* a comma before it, or a comma or "and" that it begins with */
        while (link < c && !(link > h && (f->is[link] & TZ_IS_MARK || relation(f, link) == cc)))
            link++;
        for (int32_t w = link + 1; w < c; w++) /* the word, where both are there */
            link = relation(f, w) == cc && head(f, w) == c ? w : link;
        for (int32_t i = h; link < c && i < link; i++)
            for (int32_t j = link + 1; j <= f->last[c]; j++)
                keep_apart(f, TZ_GUARD_LINK, i, j);
    }
}

/* "Although it rained, we left", "He is ill, she said": the clauses not without the comma. */
static void apply_joined_left(finding *f) {
    for (int32_t c = 1; c <= f->n; c++) {
        int32_t h = head(f, c), link = f->last[c] + 1, least = link - 2;
        if (h <= c || !among(f->table->joined_left, relation(f, c)))
            continue;
        while (link > c && link > least && !(f->is[link] & TZ_IS_MARK)) /* behind it, or its last */
            link--;
        if (link <= c || link >= h || !(f->is[link] & TZ_IS_MARK))
            continue;
        for (int32_t i = c; i < link; i++)
            for (int32_t j = link + 1; j <= h; j++)
                keep_apart(f, TZ_GUARD_LINK, i, j);
    }
}

/* The sentence's full stop stays. */
static void apply_stop(finding *f) {
    for (int32_t i = 0; i < f->n && f->n > 0 && f->is[f->n] & TZ_IS_STOP; i++)
        keep_apart(f, TZ_GUARD_MARKS, i, f->n + 1);
}

static void apply_finite(finding *f) {
    bool any = false;
    for (int32_t w = 1; w <= f->n; w++)
        any |= (f->is[w] & TZ_IS_CLAUSE) != 0;
    for (int32_t w = 1; w <= f->n && any && on(f, TZ_GUARD_FINITE); w++)
        f->no_root[w] = f->is[w] & TZ_IS_CLAUSE ? 0 : 1 + TZ_GUARD_FINITE;
}

tz_status tz_guards_find(const tz_guard_table *table, tz_arena *arena, const tz_sentence *sentence,
                         unsigned without, tz_guarded *ret_guarded) {
    size_t positions = (size_t)sentence->words + 2;
    finding f = {.table = table,
                 .sentence = sentence,
                 .without = without,
                 .n = sentence->words,
                 .first = tz_arena_array(arena, positions, sizeof *f.first),
                 .last = tz_arena_array(arena, positions, sizeof *f.last),
                 .is = tz_arena_array(arena, positions, sizeof *f.is),
                 .need = tz_arena_array(arena, positions * positions, 1),
                 .apart = tz_arena_array(arena, positions * positions, 1),
                 .no_root = tz_arena_array(arena, positions, 1),
                 .price = tz_arena_array(arena, positions * positions, 1)};
    if (!f.first || !f.last || !f.is || !f.need || !f.apart || !f.no_root || !f.price)
        return TZ_NO_MEMORY;
    read_words(&f);
    read_spans(&f);
    apply_members(&f);
    apply_rows(&f);
    apply_frames(&f);
    apply_conditions(&f);
    pair_neighbours(&f);
    pair_ranges(&f);
    put_conjunctions(&f);
    pair_marks(&f);
    apply_gaps(&f);
    apply_joined(&f);
    apply_joined_left(&f);
    apply_finite(&f);
    apply_stop(&f);
    *ret_guarded = (tz_guarded){f.n, f.need, f.apart, f.no_root, f.price};
    return TZ_OK;
}

void tz_guards_broken(const tz_guarded *guarded, const int32_t *compression,
                      size_t ret_broken[TZ_GUARDS]) {
    size_t width = (size_t)guarded->words + 2;
    int32_t last = 0;
    memset(ret_broken, 0, TZ_GUARDS * sizeof *ret_broken);
    for (int32_t a = 1; a <= guarded->words + 1; a++) {
        if (a <= guarded->words && compression[a] < 0)
            continue;
        uint8_t apart = guarded->apart[(size_t)last * width + (size_t)a];
        if (apart)
            ret_broken[apart - 1]++;
        last = a;
        if (a > guarded->words)
            break;
        if (compression[a] == 0 && guarded->no_root[a])
            ret_broken[guarded->no_root[a] - 1]++;
        for (int32_t b = 1; b <= guarded->words; b++) {
            uint8_t need = guarded->need[(size_t)a * width + (size_t)b];
            if (need && compression[b] < 0)
                ret_broken[need - 1]++;
        }
    }
}
