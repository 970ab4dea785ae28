/* table.c - which words need which: the table of guards, by relation (Universal Dependencies) and
 * kind of word. To change what is guarded, change a line here.
 *
 * SPDX-License-Identifier: MIT */
#include "sentences/guards/table.h"

const char *tz_guard_name(unsigned guard) {
    static const char *const name[TZ_GUARDS] = {
        "negation", "frame", "hedge", "object",    "subject", "predicate", "phrase", "name",
        "finite",   "marks", "link",  "condition", "pronoun", "main",      "limit",  "adjunct"};
    return guard < TZ_GUARDS ? name[guard] : NULL;
}

const tz_guard_class tz_guard_classes[] = {
    {TZ_IS_PRONOUN, false, "he she it they"},
    {TZ_IS_TO, false, "to"},
    {TZ_IS_AND, false, "&"},
    {TZ_IS_UNIT, false,
     "$ \u20ac \u00a3 % percent cent million billion trillion thousand hundred dozen rs us$ a$ c$"},
    {TZ_IS_RANGE, false, "- \u2013 to"},
    {TZ_IS_MARK, false, ", ; : - -- \u2013 \u2014"},
    {TZ_IS_STOP, false, ". ! ?"},
    {TZ_IS_FINITE, true, "VBD VBZ VBP MD"},
    {TZ_IS_VERB, true, "VB VBD VBG VBN VBP VBZ MD"},
    {TZ_IS_NAME, true, "NNP NNPS"},
    {TZ_IS_NUMBER, true, "CD"},
    {TZ_IS_NOUN, true, "NN NNS NNP NNPS"},
    {TZ_IS_CONTENT, true, "NN NNS NNP NNPS JJ JJR JJS RB RBR RBS VB VBD VBG VBN VBP VBZ CD"},
    {TZ_IS_OPENER, true, "DT PRP$ IN TO PDT"},
    {TZ_IS_JOINT, true, "CC WDT WP WP$ WRB"},
    {TZ_IS_WH, true, "WDT WP WRB WP$"},
    {0, false, NULL},
};

const tz_guard_row tz_guard_rows[] = {
    /* "was not armed" is not "was armed"; "there was no evidence" not "there was". */
    {TZ_GUARD_NEGATION, NULL, TZ_HEAD_NEEDS_CHILD, TZ_IS_NEGATION, 0, 250},
    {TZ_GUARD_NEGATION, "nsubj nsubj:pass obj obl", TZ_HEAD_NEEDS_CHILD, TZ_IS_NEGATED, 0, 250},
    /* "unless emissions are cut": neither the condition without what it is one of, nor that
     * without it. */
    {TZ_GUARD_FRAME, "mark advmod", TZ_BOTH_NEED, TZ_IS_CONDITION, 0, 250},
    {TZ_GUARD_FRAME, "advcl acl ccomp xcomp obl nmod parataxis", TZ_BOTH_NEED, TZ_IS_CONDITIONAL, 0,
     250},

    /* "kept the ferry from leaving", "would have been saved" */
    {TZ_GUARD_FRAME, "mark aux", TZ_HEAD_NEEDS_CHILD, TZ_IS_BEFORE, 0, 250},
    /* "The claim is false", "lacks money": what they are said of. */
    {TZ_GUARD_FRAME, "nsubj nsubj:pass nsubj:outer csubj csubj:pass obj cop expl",
     TZ_CHILD_NEEDS_HEAD, 0, TZ_IS_DOUBT, 250},

    /* "allegedly sold" is not "sold", "fewer than 20" not "20". */
    {TZ_GUARD_HEDGE, "advmod amod", TZ_BOTH_NEED, TZ_IS_ADVERB, 0, 250},
    {TZ_GUARD_NAME, "advmod amod nmod obl case", TZ_HEAD_NEEDS_CHILD, TZ_IS_BOUND | TZ_IS_ABOUT,
     TZ_IS_NUMBER, 80},

    {TZ_GUARD_OBJECT, "obj xcomp", TZ_CHILD_NEEDS_HEAD, 0, 0, 30},
    {TZ_GUARD_OBJECT, "obj iobj xcomp", TZ_HEAD_NEEDS_CHILD, 0, 0, 17},
    {TZ_GUARD_OBJECT, "compound:prt", TZ_BOTH_NEED, 0, 0, 31},
    {TZ_GUARD_OBJECT, "ccomp", TZ_HEAD_NEEDS_CHILD, 0, 0, 10},

    {TZ_GUARD_SUBJECT, "nsubj nsubj:pass csubj expl", TZ_CHILD_NEEDS_HEAD, 0, 0, 50},
    {TZ_GUARD_SUBJECT, "nsubj nsubj:pass csubj expl", TZ_HEAD_NEEDS_CHILD, 0, TZ_IS_CLAUSE, 24},

    {TZ_GUARD_PREDICATE, "aux aux:pass", TZ_BOTH_NEED, 0, 0, 50},
    {TZ_GUARD_PREDICATE, "cop", TZ_HEAD_NEEDS_CHILD, 0, 0, 33},
    {TZ_GUARD_PREDICATE, "cop", TZ_CHILD_NEEDS_HEAD, 0, 0, 14},

    {TZ_GUARD_PHRASE, "case", TZ_BOTH_NEED, 0, 0, 35},
    {TZ_GUARD_PHRASE, "det", TZ_BOTH_NEED, 0, 0, 42},
    {TZ_GUARD_PHRASE, "nmod:poss nummod compound", TZ_CHILD_NEEDS_HEAD, 0, 0, 35},
    {TZ_GUARD_PHRASE, "nmod:poss", TZ_HEAD_NEEDS_CHILD, 0, 0, 44},
    {TZ_GUARD_PHRASE, "mark", TZ_BOTH_NEED, TZ_IS_TO, 0, 40},
    {TZ_GUARD_PHRASE, "mark advmod", TZ_BOTH_NEED, TZ_IS_WH, 0, 60},
    {TZ_GUARD_PHRASE, NULL, TZ_CHILD_NEEDS_HEAD, TZ_IS_NEGATION, 0, 31},
    {TZ_GUARD_PHRASE, "mark cc amod advmod obl obl:agent det:predet", TZ_CHILD_NEEDS_HEAD, 0, 0,
     31},
    {TZ_GUARD_PHRASE, "nmod obl:unmarked nmod:unmarked nmod:desc acl", TZ_CHILD_NEEDS_HEAD, 0, 0,
     19},
    {TZ_GUARD_PHRASE, "acl:relcl appos", TZ_CHILD_NEEDS_HEAD, 0, 0, 5},

    {TZ_GUARD_NAME, "flat fixed goeswith", TZ_HEAD_NEEDS_CHILD, 0, 0, 50},
    {TZ_GUARD_NAME, "flat fixed goeswith", TZ_CHILD_NEEDS_HEAD, 0, 0, 26},
    {TZ_GUARD_NAME, "compound", TZ_BOTH_NEED, TZ_IS_NAME, TZ_IS_NAME, 30},
    {TZ_GUARD_NAME, "nummod", TZ_HEAD_NEEDS_CHILD, 0, 0, 37},
    {0},
};

/* "no evidence that the suspect was armed", "nothing that suggests it", "denied that he knew",
 * "believe that": no word of the clause without the word that it hangs on. By the tree; and, as
 * clauses are often hung wrongly, by the nearest word before "that" or "whether". */
const tz_guard_row tz_guard_frames[] = {
    {TZ_GUARD_FRAME, "ccomp xcomp acl acl:relcl csubj csubj:pass advcl parataxis",
     TZ_CHILD_NEEDS_HEAD, 0, TZ_IS_NEGATION | TZ_IS_NEGATED | TZ_IS_DOUBT, 250},
    /* "failure to obey the rules", "lack of evidence" */
    {TZ_GUARD_FRAME, "acl nmod xcomp ccomp", TZ_CHILD_NEEDS_HEAD, 0, TZ_IS_LACK, 250},
    {TZ_GUARD_HEDGE, "acl", TZ_CHILD_NEEDS_HEAD, 0, TZ_IS_HEDGE, 250},
    {TZ_GUARD_HEDGE, "ccomp xcomp csubj", TZ_CHILD_NEEDS_HEAD, 0, TZ_IS_HEDGE, 40},
    {0},
};

const tz_guard_pair tz_guard_pairs[] = {
    /* "at most 300", "nearly 40", "the would - be assassin", whatever the tree says */
    {TZ_GUARD_HEDGE, TZ_IS_BOUND, TZ_IS_NUMBER | TZ_IS_AMOUNT | TZ_IS_UNIT, 250},
    {TZ_GUARD_HEDGE, TZ_IS_ADVERB, TZ_IS_CONTENT, 250},
    /* "$ 5", "12 %", "3 million", "ages 12 to 18" (see pair_ranges), "Standard & Poor". Pairs say
     * less of names, and break them where nothing else fits a short length. */
    {TZ_GUARD_NAME, TZ_IS_UNIT, TZ_IS_NUMBER, 60},
    {TZ_GUARD_NAME, TZ_IS_NUMBER, TZ_IS_UNIT, 60},
    {TZ_GUARD_NAME, TZ_IS_NAME, TZ_IS_NAME, TZ_GUARD_WHOLE},
    {TZ_GUARD_NAME, TZ_IS_AND, TZ_IS_NAME, 60},
    {TZ_GUARD_NAME, TZ_IS_NAME, TZ_IS_AND, 60},
    {0},
};

const tz_guard_gap tz_guard_gaps[] = {
    /* "to the.", "voted to was"; "and." */
    {TZ_GUARD_LINK, TZ_IS_OPENER, TZ_IS_STOP | TZ_IS_FINITE},
    {TZ_GUARD_LINK, TZ_IS_JOINT, TZ_IS_STOP},
    /* "at least." */
    {TZ_GUARD_NAME, TZ_IS_BOUND | TZ_IS_ABOUT, TZ_IS_STOP},
    {0},
};

const char *const tz_guard_joined = "conj appos parataxis list";
const char *const tz_guard_joined_left = "ccomp parataxis advcl";

const char *const tz_guard_main = "ccomp parataxis list";
const char *const tz_guard_lists[TZ_LISTS] = {
    [TZ_LIST_TALK] = "i me my mine myself we our ours ourselves you your yours yourself dear",
    /* at least 2.5 times as frequent in EWT as in news, of 15 and more, closed classes */
    [TZ_LIST_PLAIN] =
        "actually instead quite these very probably then always sometimes like there either much "
        "really however pretty any only or also especially too can often even they although so "
        "might never must what n't n\u2019t such if every themselves except though not no well it "
        "them already better all until another but those would less because once how far just "
        "again",
    [TZ_LIST_OBJECT] = "it them him her me us you this that these those himself herself itself "
                       "themselves myself ourselves yourself",
    [TZ_LIST_ANY] = "something anything nothing everything someone anyone everyone somebody "
                    "anybody everybody nobody those one ones people anywhere everywhere what",
    [TZ_LIST_CONTROL] =
        "expect expects expected expecting cause causes caused causing want wants wanted allow "
        "allows allowed allowing ask asks asked asking tell tells told telling urge urges urged "
        "urging order orders ordered ordering force forces forced forcing persuade persuades "
        "persuaded persuading enable enables enabled enabling encourage encourages encouraged "
        "encouraging invite invites invited inviting require requires required requiring advise "
        "advises advised advising permit permits permitted permitting warn warns warned warning "
        "remind reminds reminded reminding teach teaches taught teaching get gets got",
    [TZ_LIST_SAY] =
        "say says said saying tell tells told telling claim claims claimed claiming argue argues "
        "argued arguing insist insists insisted insisting write writes wrote promise promises "
        "promised state states stated complain complains complained maintain maintains maintained "
        "assert asserts asserted think thinks thought believe believes believed suggest suggests "
        "suggested want wants wanted know knows knew mention mentions mentioned promise hope hopes "
        "hoped wish wished used read reads hear hears heard",
    [TZ_LIST_TELL] = "inform informs informed tell tells told assure assures assured warn warns "
                     "warned remind reminds reminded notify notifies notified convince convinces "
                     "convinced",
    [TZ_LIST_ONE] = "a an",
    [TZ_LIST_BUT] = "but",
    [TZ_LIST_TO] = "to for except",
    [TZ_LIST_FOCUS] =
        "only even so too still just also as more less most least enough again together instead "
        "otherwise then hardly almost always often usually sometimes generally mostly mainly well "
        "back here there out up down away in on off",
    [TZ_LIST_PLACE] = "in at on by during after since near within throughout last next this today "
                      "tomorrow yesterday",
    [TZ_LIST_REASON] = "because since as",
};
