/* train_aligner_options.c - see train_aligner_options.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_aligner_options.h"

#include <limits.h>
#include <string.h>

#include "base/number.h"
#include "cli/cli.h"
#include "sentences/cli/train/train_options.h"

typedef tz_train_aligner_settings settings;

/* `count` numbers from 0 to `most`, with commas between them. */
static bool read_list(const char *text, size_t count, double most, double *ret) {
    for (size_t i = 0; i < count; i++) {
        size_t size = strcspn(text, ",");
        if (!tz_number_read(text, size, &ret[i]) || !(ret[i] >= 0 && ret[i] <= most) ||
            (text[size] == ',') != (i + 1 < count))
            return false;
        text += size + 1;
    }
    return true;
}

static int take_phrase(tz_options *o, int which, void *user) {
    tz_em_settings *em = &((settings *)user)->em;
    (void)which;
    double most[2];
    bool good = read_list(o->value, 2, TZ_MOST_PHRASE, most);
    for (size_t i = 0; i < 2 && good; i++)
        good = most[i] >= 1 && most[i] == (double)(unsigned)most[i];
    if (!good)
        return tz_usage_error(o->command,
                              "--phrase is two numbers from 1 to %d, as 2,2: words of the abstract "
                              "and of the document, not '%s'",
                              TZ_MOST_PHRASE, o->value);
    em->abstract_most = (unsigned)most[0];
    em->document_most = (unsigned)most[1];
    return 0;
}

static int take_null(tz_options *o, int which, void *user) {
    tz_em_settings *em = &((settings *)user)->em;
    (void)which;
    em->keep_null = strcmp(o->value, "learn") != 0;
    if (!em->keep_null ||
        (tz_number_read(o->value, strlen(o->value), &em->null) && 0 < em->null && em->null < 1))
        return 0;
    return tz_usage_error(o->command, "--null is learn, or a number between 0 and 1, not '%s'",
                          o->value);
}

static int take_prior(tz_options *o, int which, void *user) {
    (void)which;
    return read_list(o->value, TZ_PRIORS, 1e6, ((settings *)user)->em.prior)
               ? 0
               : tz_usage_error(o->command,
                                "--prior is three numbers from 0 on, as 2,4,3, not '%s'", o->value);
}

static const tz_option option_table[] = {
    {"output", 'o', "MODEL", "the file to write", TZ_TEXT_AT(settings, output)},
    {"document", 0, "FILE", "the documents, one a line", TZ_TEXT_AT(settings, opt_document)},
    {"abstract", 0, "FILE", "their abstracts, one a line; both instead of FILE",
     TZ_TEXT_AT(settings, opt_abstract)},
    {"model", 0, "semi|hmm|model1",
     "semi (default); or for comparison, of single words by the\n"
     "table alone: hmm, and model1, where words have no order",
     TZ_CHOICE_AT(settings, em.kind, 0)},
    {"phrase", 0, "P,Q",
     "words of a phrase at most, in the abstract and in the\n"
     "document, 1 to 8 each (2,2)",
     TZ_TAKEN_BY(take_phrase)},
    {"jump", 0, "relative|gaussian|powers|syntax",
     "how far from one phrase to the next: relative, a number for\n"
     "each distance (default); gaussian; powers, exact up to 8,\n"
     "then by powers of two: for documents of 1000s of words;\n"
     "syntax: by what is jumped over, subtrees and words",
     TZ_CHOICE_AT(settings, em.jump, 0)},
    {"trees", 0, "FILE",
     "for --jump syntax, the documents' sentences with their\n"
     "trees, in the same order: CoNLL-U",
     TZ_TEXT_AT(settings, opt_trees)},
    {"parse", 0, "MODEL", "the same, but find the trees by this model",
     TZ_TEXT_AT(settings, opt_parser)},
    {"length", 0, "trained|uniform|none",
     "lengths of document phrases: trained (default), uniform or\n"
     "none",
     TZ_CHOICE_AT(settings, em.length, 0)},
    {"iterations", 0, "N", "steps of expectation maximisation (10)",
     TZ_NUMBER_AT(settings, iterations, 0, 100000)},
    {"prior", 0, "A,S,T",
     "fake counts of what a word becomes: any word of the\n"
     "abstracts, the same, one of the same stem (2,4,3)",
     TZ_TAKEN_BY(take_prior)},
    {"init", 0, "mode|mean",
     "begin at the prior's mode (default), or mean, where phrases\n"
     "may be made from any others",
     TZ_CHOICE_AT(settings, em.mean, 0)},
    {"base", 0, "X", "fake count of any longer pair of phrases that is seen (0)",
     TZ_REAL_AT(settings, em.base, 0, 1000000)},
    {"wordnet", 0, "FOLDER",
     "words may be made from others of like meaning: how near\n"
     "they are in WordNet (Debian: /usr/share/wordnet)",
     TZ_TEXT_AT(settings, opt_wordnet)},
    {"null", 0, "P",
     "the share of abstract words that come from nowhere stays\n"
     "P, a number between 0 and 1; or learn (learn, from 0.16;\n"
     "hmm from 0.2)",
     TZ_TAKEN_BY(take_null)},
    {"case", 0, "fold|exact", "fold: capitals do not matter (default); or exact",
     TZ_CHOICE_AT(settings, em.exact, 0)},
    {"extract", 0, "K",
     "learn from each sentence of an abstract with K sentences of\n"
     "its document, those that have most of its rarer words",
     TZ_NUMBER_AT(settings, extract, 1, 1000)},
    {"text", 0, NULL, "cut text into words; else there are blanks between them",
     TZ_FLAG_AT(settings, text)},
    {"max-words", 0, "N", "refuse texts of more words (4096)",
     TZ_NUMBER_AT(settings, words, 1, TZ_MAX_LENGTH - 2)},
    {"table", 0, "FILE", "write the table of phrase pairs to FILE, tab-separated",
     TZ_TEXT_AT(settings, opt_table)},
    {"state", 0, "FILE", "write the training's state to FILE after every step",
     TZ_TEXT_AT(settings, opt_state)},
    {"resume", 0, NULL, "go on from the state in --state FILE", TZ_FLAG_AT(settings, resume)},
    {"threads", 0, "N", "threads (1); the model is the same for any number",
     TZ_NUMBER_AT(settings, em.threads, 1, 256)},
    {"keep-going", 0, NULL, "leave out a pair that is wrong, and go on",
     TZ_FLAG_AT(settings, keep_going)},
    {"quiet", 0, NULL, "do not say how well each step's model fits", TZ_FLAG_AT(settings, quiet)},
};

static const char about[] =
    "Learn which phrases of documents become which phrases of their abstracts, without any\n"
    "alignments: a hidden semi-Markov model over the rule sets align-... (Daume & Marcu\n"
    "2005). FILE is JSON Lines, as for `trapeze align`:\n"
    "  {\"document\": [\"The dog barks .\", \"It is late .\"], \"abstract\": \"A dog barks .\"}\n"
    "No phrase of a document goes beyond the end of a sentence of a list.\n";

static const char notes[] =
    "Before each step, and after the last, it says how well the model fits: the log\n"
    "likelihood of the abstracts, perplexity per word of them, and the objective, which\n"
    "adds the log prior and never falls. The model holds no text. `trapeze align -m MODEL`\n"
    "aligns with it. Time grows with m n^2 for an abstract of m and a document of n words,\n"
    "and under --jump powers with m n. A table has a line for each pair of phrases: the\n"
    "document's (nothing: from nowhere), the abstract's, the probability that the one becomes\n"
    "the other, and the expected number of times that it does in the texts.\n"
    "\n"
    "Exit code: 0; 1 if the input was wrong, also with --keep-going; 2 for bad usage.\n";

static int check(const char *command, settings *s) {
    enum { MOST = 1 << TZ_JUMP_POWERS_MOST };
    if (!s->output)
        return tz_usage_error(command, "where does the model go? -o MODEL");
    if (s->em.null == 0)
        s->em.null = s->em.kind == TZ_ALIGNER_HMM ? 0.2 : tz_em_defaults().null;
    if (s->em.kind == TZ_ALIGNER_MODEL1 && s->em.jump != TZ_JUMP_RELATIVE)
        return tz_usage_error(command, "--model model1 has no --jump");
    if (s->em.jump == TZ_JUMP_SYNTAX && !s->opt_trees == !s->opt_parser)
        return tz_usage_error(command, "--jump syntax takes --trees FILE or --parse MODEL");
    if (s->em.jump != TZ_JUMP_SYNTAX && (s->opt_trees || s->opt_parser))
        return tz_usage_error(command, "--trees and --parse go with --jump syntax");
    if (s->opt_wordnet && s->em.kind != TZ_ALIGNER_SEMI)
        return tz_usage_error(command, "--wordnet goes with --model semi");
    if (s->em.jump == TZ_JUMP_POWERS && s->words > MOST)
        return tz_usage_error(command, "--max-words is %d at most under --jump powers", MOST);
    int exit = tz_train_check_state(command, s->opt_state, s->resume);
    if (exit != 0)
        return exit;
    if (!s->opt_document != !s->opt_abstract || (s->opt_document && s->files > 0))
        return tz_usage_error(command,
                              "--document and --abstract go together, without a FILE of both");
    const char *const file[] = {s->opt_document, s->opt_abstract};
    return tz_one_standard_input(command, file, 2);
}

static const char *const standard_input = "-";

bool tz_train_aligner_read_options(const char *command, int argc, char **argv, settings *s,
                                   int *ret_exit) {
    tz_options o = {.command = command,
                    .synopsis = "-o MODEL [OPTION]... [FILE|-]...",
                    .about = about,
                    .notes = notes,
                    .most = INT_MAX,
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    *s = (settings){.em = tz_em_defaults(), .iterations = 10, .words = 4096};
    s->em.null = 0; /* not given */
    bool taken = tz_take_options(&o, NULL, s);
    s->files = (size_t)o.operands;
    *ret_exit = taken ? check(command, s) : o.status;
    s->file = s->opt_document ? &s->opt_document : s->files > 0 ? o.operand : &standard_input;
    s->files = s->files > 0 ? s->files : 1;
    return taken && *ret_exit == 0;
}
