/* guards.c - see guards.h. SPDX-License-Identifier: MIT */
#include "sentences/guards/guards.h"

#include <string.h>

#include "sentences/guards/finding.h"

/* ---- The table by hashes --------------------------------------------------------------------- */

/* NULL: memory is out. */
static const uint64_t *read_relations(tz_arena *arena, const char *list) {
    uint64_t *hash = tz_arena_array(arena, strlen(list) / 2 + 2, sizeof *hash);
    for (size_t count = 0; hash && *(list += strspn(list, " ")); list += strcspn(list, " "))
        hash[count++] = hash_of(list, strcspn(list, " "));
    return hash;
}

static const uint64_t **read_rows(tz_arena *arena, const tz_guard_row *rows) {
    size_t count = 0;
    while (rows[count].way)
        count++;
    const uint64_t **relations = tz_arena_array(arena, count, sizeof *relations);
    for (size_t r = 0; relations && r < count; r++)
        if (rows[r].relations && !(relations[r] = read_relations(arena, rows[r].relations)))
            return NULL;
    return relations;
}

/* Words in lower case. */
static bool read_lists(tz_arena *arena, tz_guard_table *table) {
    for (int l = 0; l < TZ_LISTS; l++) {
        const char *text = tz_guard_lists[l];
        uint64_t *hash = tz_arena_array(arena, strlen(text) / 2 + 2, sizeof *hash);
        for (size_t count = 0; hash && *(text += strspn(text, " ")); text += strcspn(text, " ")) {
            char *word = tz_arena_text(arena, text, strcspn(text, " "));
            tz_word read;
            if (!word)
                return false;
            tz_word_read(word, &read);
            hash[count++] = read.lower;
        }
        if (!(table->list[l] = hash))
            return false;
    }
    return true;
}

tz_status tz_guard_table_new(tz_guard_table **ret_table) {
    *ret_table = NULL;
    tz_arena *arena = tz_arena_new();
    tz_guard_table *t = arena ? tz_arena_array(arena, 1, sizeof *t) : NULL;
    if (!t || tz_kinds_new(arena, &t->kinds) != TZ_OK ||
        !(t->row = read_rows(arena, tz_guard_rows)) ||
        !(t->frame = read_rows(arena, tz_guard_frames)) ||
        !(t->joined = read_relations(arena, tz_guard_joined)) ||
        !(t->joined_left = read_relations(arena, tz_guard_joined_left)) ||
        !(t->argument = read_relations(arena, "nsubj nsubj:pass obj")) ||
        !(t->auxiliary = read_relations(arena, "aux aux:pass cop")) ||
        !(t->main = read_relations(arena, tz_guard_main)) ||
        !(t->within = read_relations(arena, "amod compound case mark det")) ||
        !(t->possessor = read_relations(arena, "det nmod:poss")) ||
        !(t->subject = read_relations(arena, "nsubj nsubj:pass nsubj:outer csubj expl")) ||
        !(t->complement = read_relations(arena, "obj iobj xcomp ccomp compound:prt csubj")) ||
        !(t->adjunct = read_relations(arena, "obl advcl advmod xcomp")) ||
        !(t->adposition = read_relations(arena, "case")) || !read_lists(arena, t) ||
        !(t->loose = read_relations(arena, "nsubj nsubj:pass obj iobj obl root ccomp nmod"))) {
        tz_arena_free(arena);
        return TZ_NO_MEMORY;
    }
    t->determiner = hash_of("det", 3);
    t->expletive = hash_of("expl", 4);
    t->arena = arena;
    *ret_table = t;
    return TZ_OK;
}

void tz_guard_table_free(tz_guard_table *table) {
    if (table)
        tz_arena_free(table->arena);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool modifies(const finding *f, int32_t w) {
    return head(f, w) > 0 && relation(f, w) != hash_of("conj", 4);
}

static void read_words(finding *f) {
    tz_kinds_find(f->table->kinds, f->sentence, f->is, f->more);
    f->is[f->n + 1] = TZ_IS_STOP;
    for (int32_t w = 1; w <= f->n; w++) {
        unsigned *of_head = &f->is[head(f, w) > 0 ? head(f, w) : 0];
        if (f->is[w] & TZ_IS_FINITE)
            f->is[w] |= TZ_IS_CLAUSE;
        if (f->is[w] & TZ_IS_EXCESS && head(f, w) > w)
            f->is[w] |= TZ_IS_NEGATION;
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

/* Words that are of a class together: "rule out". */
static void apply_phrases(finding *f) {
    for (int32_t w = 1; w <= f->n; w++)
        for (int32_t i = w; i < w + f->more[w]; i++)
            put_both(f, TZ_GUARD_FRAME, i, i + 1, TZ_GUARD_NEVER);
}

static void apply_rows(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t h = head(f, w);
        for (size_t r = 0; h > 0 && tz_guard_rows[r].way; r++) {
            const tz_guard_row *row = &tz_guard_rows[r];
            bool related =
                row->relations ? among(f->table->row[r], relation(f, w)) : modifies(f, w);
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

/* "a rumour that the bank was": the finite verb behind "that", whatever the tree says. */
static void frame_neighbour(finding *f, int32_t that) {
    int32_t verb = nearest(f, that + 1, 1, TZ_IS_FINITE, TZ_IS_STOP | TZ_IS_MARK);
    for (size_t r = 0; tz_guard_frames[r].way; r++)
        if (f->is[that - 1] & tz_guard_frames[r].head & ~(unsigned)TZ_IS_NEGATED)
            put(f, tz_guard_frames[r].guard, verb, that - 1, tz_guard_frames[r].price);
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
        if (that)
            frame_neighbour(f, t);
        if (!that || relation(f, t) != hash_of("mark", 4) || head(f, t) < t)
            continue;
        for (int32_t w = t - 1; w > 0 && t - w <= NEAR && !(f->is[w] & TZ_IS_MARK); w--)
            for (size_t r = 0; tz_guard_frames[r].way; r++)
                if (f->is[w] & tz_guard_frames[r].head && f->first[head(f, t)] > w)
                    put_clause(f, &tz_guard_frames[r], head(f, t), w);
    }
}

/* The last verb of a clause between w and a mark behind it: the tagger may take it for a noun. */
static int32_t last_verb(const finding *f, int32_t w, int32_t mark) {
    int32_t verb = nearest(f, mark - 1, -1, TZ_IS_VERB, TZ_IS_STOP);
    return verb > w ? verb : mark - 1;
}

/* Conditions whatever the tree says, which is often wrong of them: in "... opened until they are
 * replaced" the verb before the word needs it, the word needs the verb of its clause, and that it;
 * where it begins the sentence, "Had it rained, ...", the finite verb behind the comma needs it. */
static void apply_conditions(finding *f) {
    for (int32_t w = 1, end = 0; w < f->n; w++) {
        bool inverted = w == 1 && f->is[w] & TZ_IS_INVERTED && strcmp(f->sentence->form[f->n], "?");
        bool verb = f->more[w] == 0 && f->is[w] & TZ_IS_VERB; /* and no "provided that" */
        if (w <= end || !(inverted || (f->is[w] & TZ_IS_CONDITION && !verb)))
            continue;
        end = w + f->more[w];
        int32_t left = nearest(f, w - 1, -1, TZ_IS_VERB, TZ_IS_STOP);
        int32_t right = nearest(f, end + 1, 1, TZ_IS_FINITE, TZ_IS_STOP | TZ_IS_MARK);
        int32_t comma = left > 0 ? 0 : nearest(f, end + 1, 1, TZ_IS_MARK, TZ_IS_STOP);
        if (comma > end + 1) {
            left = nearest(f, comma + 1, 1, TZ_IS_FINITE, TZ_IS_STOP | TZ_IS_MARK);
            right = right > 0 ? right : last_verb(f, end, comma);
        }
        while (right > 0 && right < f->n && f->is[right + 1] & TZ_IS_VERB)
            right++;
        if (left == 0 || right == 0)
            continue;
        put_both(f, TZ_GUARD_CONDITION, left, w, TZ_GUARD_NEVER);
        put_both(f, TZ_GUARD_CONDITION, end, right, TZ_GUARD_NEVER);
    }
}

static void pair_neighbours(finding *f) {
    for (int32_t w = 2; w <= f->n; w++) /* "Leo's" */
        if (is_tag(f, w, "POS"))
            put_both(f, TZ_GUARD_PHRASE, w - 1, w, TZ_GUARD_NEVER);
    for (int32_t w = 1; w < f->n; w++)
        for (const tz_guard_pair *p = tz_guard_pairs; p->left; p++)
            if (f->is[w] & p->left && f->is[w + 1] & p->right)
                put_both(f, p->guard, w, w + 1, p->price);
}

/* "12 to 18"; "play-off", whose hyphen is printed where both its parts are. */
static void pair_ranges(finding *f) {
    for (int32_t w = 2; w < f->n; w++) {
        bool names = f->is[w - 1] & TZ_IS_NOUN && f->is[w + 1] & TZ_IS_NAME;
        bool hyphen = is_tag(f, w, "HYPH") || (names && strcmp(f->sentence->form[w], "-") == 0);
        if (hyphen || (f->is[w] & TZ_IS_RANGE && f->is[w - 1] & TZ_IS_NUMBER &&
                       f->is[w + 1] & TZ_IS_NUMBER)) {
            put_both(f, TZ_GUARD_NAME, w - 1, w + 1, TZ_GUARD_WHOLE);
            for (int32_t part = w - 1; part <= w + 1; part += 2) {
                put(f, TZ_GUARD_NAME, w, part, TZ_GUARD_WHOLE);
                if (!hyphen)
                    put(f, TZ_GUARD_NAME, part, w, TZ_GUARD_WHOLE);
            }
        }
    }
}

/* "from 40 to about 25": not "from 40"; "from April to June": not "to June", either. */
static void pair_ends(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t from = head(f, w), to = nearest(f, from + 1, 1, TZ_IS_TO, TZ_IS_STOP | TZ_IS_MARK);
        if (from <= w || strcmp(f->sentence->form[w], "from") != 0 || to == 0 ||
            to > f->last[from] + 1 || head(f, to) <= to)
            continue;
        if (f->is[from] & TZ_IS_NAME && f->is[head(f, to)] & TZ_IS_NAME)
            put_both(f, TZ_GUARD_NAME, from, head(f, to), TZ_GUARD_NEVER);
        else if (f->is[from] & (TZ_IS_NUMBER | TZ_IS_UNIT))
            put(f, TZ_GUARD_NAME, from, head(f, to), TZ_GUARD_NEVER);
    }
}

/* "on Monday, not on Friday": not "not on Friday". */
static void pair_contrasts(finding *f) {
    for (int32_t w = 3; w < f->n; w++)
        if (strcmp(f->sentence->form[w], "not") == 0 && f->is[w - 1] & TZ_IS_MARK &&
            !(f->is[w + 1] & TZ_IS_VERB))
            put(f, TZ_GUARD_NEGATION, w, w - 2, TZ_GUARD_NEVER);
}

/* "and" joins two: not without the first of them, whose head is that of the second; nor that one
 * without "but rejected". "although" is not without the verb that its clause goes with. */
static void put_conjunctions(finding *f) {
    for (int32_t w = 1; w <= f->n; w++) {
        int32_t c = head(f, w);
        if (c <= w)
            continue;
        if (is_relation(f, w, "cc") && is_relation(f, c, "conj"))
            put(f, TZ_GUARD_LINK, w, head(f, c), TZ_GUARD_PRICE);
        if (is_relation(f, w, "cc") && listed(f, TZ_LIST_BUT, w) && f->is[c] & TZ_IS_DOUBT)
            put(f, TZ_GUARD_FRAME, head(f, c), c, TZ_GUARD_NEVER);
        if (is_relation(f, w, "mark") && is_relation(f, c, "advcl"))
            put(f, TZ_GUARD_LINK, w, head(f, c), TZ_GUARD_WHOLE);
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

/* "The two sides said they would meet": not "they would meet". Whom a pronoun is for is not known;
 * the subject before it will do. */
static void apply_pronouns(finding *f) {
    int32_t named = 0;
    for (int32_t w = 1; w <= f->n; w++) {
        if (f->is[w] & TZ_IS_PRONOUN && relation(f, w) != f->table->expletive)
            put(f, TZ_GUARD_PRONOUN, w, named, TZ_GUARD_UNNAMED);
        if (f->is[w] & TZ_IS_NOUN && among(f->table->argument, relation(f, w)) && head(f, w) > w)
            named = w;
    }
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
                 .main = tz_arena_array(arena, positions, sizeof *f.main),
                 .more = tz_arena_array(arena, positions, sizeof *f.more),
                 .need = tz_arena_array(arena, positions * positions, 1),
                 .apart = tz_arena_array(arena, positions * positions, 1),
                 .no_root = tz_arena_array(arena, positions, 1),
                 .must = tz_arena_array(arena, positions, sizeof *f.must),
                 .price = tz_arena_array(arena, positions * positions, 1)};
    if (!f.first || !f.last || !f.is || !f.main || !f.more || !f.need || !f.apart || !f.no_root ||
        !f.must || !f.price)
        return TZ_NO_MEMORY;
    read_words(&f);
    read_spans(&f);
    apply_phrases(&f);
    apply_rows(&f);
    apply_frames(&f);
    apply_conditions(&f);
    pair_neighbours(&f);
    pair_ranges(&f);
    pair_ends(&f);
    pair_contrasts(&f);
    put_conjunctions(&f);
    pair_marks(&f);
    apply_pronouns(&f);
    bool limited = without & TZ_GUARDS_LIMITED;
    if (!limited) {
        tz_guards_register(&f);
        tz_guards_clauses(&f);
    }
    tz_guards_gaps(&f);
    unsigned root = tz_guards_roots(&f);
    if (!limited && !f.news)
        tz_guards_adjuncts(&f);
    *ret_guarded = (tz_guarded){f.n, f.need, f.apart, f.no_root, f.price, f.must, root};
    return TZ_OK;
}

void tz_guards_broken(const tz_guarded *guarded, const int32_t *compression,
                      size_t ret_broken[TZ_GUARDS]) {
    size_t width = (size_t)guarded->words + 2;
    int32_t last = 0;
    memset(ret_broken, 0, TZ_GUARDS * sizeof *ret_broken);
    for (int32_t a = 1; a <= guarded->words + 1; a++) {
        if (a <= guarded->words && compression[a] < 0) {
            ret_broken[TZ_GUARD_ADJUNCT] += guarded->must[a];
            continue;
        }
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
