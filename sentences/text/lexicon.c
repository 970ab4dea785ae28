/* lexicon.c - see lexicon.h. SPDX-License-Identifier: MIT */
#include "sentences/text/lexicon.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 15 }; /* letters of a word in these lists */

/* Each list is in the order of strcmp. */
static const char *const always[] = {
    "adm",   "al",   "approx", "apr",    "assn", "assoc", "attn", "aug",  "ave",  "bhd", "blvd",
    "brig",  "bros", "capt",   "cf",     "cmdr", "col",   "conf", "corp", "cpl",  "dec", "dept",
    "dist",  "dr",   "esp",    "esq",    "est",  "etc",   "ext",  "feb",  "fr",   "ft",  "gov",
    "govt",  "hon",  "hwy",    "inc",    "incl", "jan",   "jr",   "jul",  "lb",   "lbs", "lieut",
    "lt",    "ltd",  "maj",    "messrs", "mfg",  "mgr",   "misc", "mr",   "mrs",  "ms",  "msgr",
    "mt",    "nov",  "oct",    "oz",     "pfc",  "ph",    "prof", "pty",  "pvt",  "rd",  "rep",
    "reps",  "rev",  "sen",    "sens",   "sept", "sgt",   "sr",   "st",   "supt", "tel", "thur",
    "thurs", "tues", "univ",   "v",      "viz",  "vs",    "yrs",
};
static const char *const with_capital[] = {
    "ariz", "ark", "arrv", "bldg", "ca",   "cal", "calif", "co",   "colo", "comm", "conn",
    "cont", "del", "dep",  "div",  "fla",  "fri", "gen",   "ill",  "ind",  "intl", "jun",
    "kan",  "ky",  "la",   "mar",  "mass", "max", "md",    "mfr",  "mich", "min",  "minn",
    "miss", "mo",  "mon",  "mont", "natl", "neb", "nev",   "okla", "ore",  "pa",   "penn",
    "pres", "ref", "rel",  "sat",  "sec",  "sep", "spec",  "sun",  "temp", "tenn", "tex",
    "tue",  "va",  "vt",   "wash", "wed",  "wis",
};
static const char *const with_number[] = {
    "app", "art", "ch",   "chap",  "eq", "eqs",  "ex",  "exh", "fig", "figs", "no",
    "nos", "p",   "para", "paras", "pp", "sect", "ser", "tab", "vol", "vols",
};
static const char *const titles[] = {
    "adm",  "brig",  "capt", "cf",   "cmdr",   "col", "cpl",  "dr",  "drs",  "fr", "gen", "gov",
    "hon",  "lieut", "lt",   "maj",  "messrs", "mr",  "mrs",  "ms",  "msgr", "mt", "pfc", "pres",
    "prof", "pvt",   "rep",  "reps", "rev",    "sen", "sens", "sgt", "supt", "v",  "viz", "vs",
};
static const char *const openings[] = {
    "a",     "according", "after", "all",  "although", "an",   "and",  "as",      "at",    "but",
    "by",    "for",       "from",  "he",   "her",      "his",  "how",  "however", "i",     "if",
    "in",    "it",        "its",   "last", "many",     "most", "my",   "no",      "on",    "one",
    "other", "our",       "she",   "so",   "some",     "such", "that", "the",     "their", "then",
    "there", "these",     "they",  "this", "those",    "to",   "we",   "what",    "when",  "where",
    "while", "who",       "why",   "with", "yet",      "you",  "your",
};
static const char *const prefixes[] = {
    "agro",  "anti",  "arch",  "auto",  "bi",     "bio",    "co",    "counter", "cross", "cyber",
    "de",    "di",    "eco",   "ex",    "extra",  "hetero", "homo",  "hyper",   "hypo",  "immuno",
    "infra", "inter", "intra", "macro", "mega",   "meta",   "micro", "mid",     "mini",  "mono",
    "multi", "neo",   "neuro", "non",   "omni",   "over",   "pan",   "para",    "peri",  "poly",
    "post",  "pre",   "pro",   "proto", "pseudo", "psycho", "quasi", "re",      "semi",  "socio",
    "sub",   "super", "supra", "tele",  "trans",  "tri",    "ultra", "un",      "uni",
};
static const char *const contractions[] = {
    /* the bar is no letter of the word */
    "ai|nt",     "ar|nt",  "are|nt",  "can|not",  "ca|nt",   "could|nt", "did|nt",  "does|nt",
    "do|nt",     "dun|no", "gim|me",  "gon|na",   "got|ta",  "had|nt",   "has|nt",  "have|nt",
    "he|s",      "i|m",    "is|nt",   "i|ve",     "lem|me",  "must|nt",  "need|nt", "out|ta",
    "should|nt", "that|s", "there|s", "they|re",  "they|ve", "wan|na",   "was|nt",  "were|nt",
    "we|ve",     "what|s", "wo|nt",   "would|nt", "you|re",  "you|ve",
};
/* as they are written */
static const char *const units[] = {
    "AM", "Am",  "GB",  "GHz",  "Gb", "Hz", "K",   "KB",   "M",   "MB",  "MHz", "MM",
    "MW", "PM",  "Pm",  "TB",   "am", "b",  "bn",  "cm",   "ft",  "g",   "gb",  "ghz",
    "h",  "hh",  "hr",  "hrs",  "hz", "k",  "kHz", "kW",   "kWh", "kb",  "kg",  "km",
    "lb", "lbs", "m",   "mb",   "mg", "mi", "min", "mins", "ml",  "mm",  "mph", "oz",
    "p",  "pm",  "sec", "secs", "sq", "t",  "x",   "yd",   "yr",  "yrs",
};
static const char *const suffixes[] = {
    "asp", "aspx", "au",    "bak", "bat",  "biz",  "br",   "ca",   "cfg",  "cfm",  "ch",
    "cn",  "com",  "conf",  "cpp", "css",  "csv",  "dat",  "de",   "dll",  "doc",  "docx",
    "edu", "eu",   "exe",   "fr",  "gif",  "gov",  "gz",   "htm",  "html", "ie",   "info",
    "ini", "int",  "io",    "jar", "java", "jp",   "jpeg", "jpg",  "js",   "json", "log",
    "md",  "mil",  "mov",   "mp3", "mp4",  "mpg",  "net",  "nl",   "nz",   "ods",  "odt",
    "org", "pdf",  "php",   "png", "ppt",  "pptx", "ps",   "py",   "rst",  "rtf",  "ru",
    "se",  "sh",   "shtml", "sql", "svg",  "tar",  "tex",  "toml", "tsv",  "tv",   "txt",
    "uk",  "us",   "wav",   "wpd", "wps",  "xls",  "xlsx", "xml",  "yaml", "yml",  "zip",
};
static const char *const elided[] = {
    "bout", "cause", "cuz", "em",   "ere",   "n",     "neath", "nother", "nuff",
    "til",  "till",  "tis", "twas", "tween", "twere", "twill", "twixt",
};

static int compare(const void *key, const void *element) {
    return strcmp(key, *(const char *const *)element);
}

static char small(char b) {
    return (char)(b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b); /* in every locale */
}

bool tz_lexicon_alike(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (small(a[i]) != small(b[i]))
            return false;
    return true;
}

/* The word in lower case; false where it is too long to be in any list. */
static bool lower(const char *word, size_t size, char ret_key[LONGEST + 1]) {
    if (size > LONGEST)
        return false;
    for (size_t i = 0; i < size; i++)
        ret_key[i] = small(word[i]);
    ret_key[size] = '\0';
    return true;
}

bool tz_lexicon_listed(const char *word, size_t size, const char *const *list, size_t count) {
    char key[LONGEST + 1];
    return lower(word, size, key) && bsearch(key, list, count, sizeof *list, compare);
}

#define LISTED(list) tz_lexicon_listed(word, size, list, sizeof list / sizeof *list)

/* No list has all of these: Cllr, Sqn, Rgt. Names of two letters are words: Ng. */
static bool without_vowel(const char *word, size_t size) {
    bool clipped = size >= 3 && word[0] >= 'A' && word[0] <= 'Z';
    for (size_t i = 0; i < size && clipped; i++)
        clipped =
            (i == 0 || (word[i] >= 'a' && word[i] <= 'z')) && !strchr("aeiouyAEIOUY", word[i]);
    return clipped;
}

tz_abbreviation tz_lexicon_abbreviation(const char *word, size_t size) {
    return LISTED(always)              ? TZ_ABBREVIATION
           : LISTED(with_capital)      ? TZ_ABBREVIATION_CAPITAL
           : LISTED(with_number)       ? TZ_ABBREVIATION_WITH_NUMBER
           : without_vowel(word, size) ? TZ_ABBREVIATION
                                       : TZ_NO_ABBREVIATION;
}

bool tz_lexicon_title(const char *word, size_t size) {
    return LISTED(titles);
}

bool tz_lexicon_opening(const char *word, size_t size) {
    return LISTED(openings);
}

bool tz_lexicon_prefix(const char *word, size_t size) {
    return LISTED(prefixes);
}

bool tz_lexicon_unit(const char *word, size_t size) {
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        if (strlen(units[u]) == size && memcmp(units[u], word, size) == 0)
            return true;
    return false;
}

bool tz_lexicon_suffix(const char *word, size_t size) {
    return LISTED(suffixes);
}

bool tz_lexicon_elided(const char *word, size_t size) {
    return LISTED(elided);
}

size_t tz_lexicon_contraction(const char *word, size_t size) {
    for (size_t c = 0; c < sizeof contractions / sizeof *contractions; c++) {
        const char *entry = contractions[c];
        size_t first = strcspn(entry, "|");
        if (strlen(entry) == size + 1 && tz_lexicon_alike(word, entry, first) &&
            tz_lexicon_alike(word + first, entry + first + 1, size - first))
            return first;
    }
    return 0;
}
