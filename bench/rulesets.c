/* rulesets.c - how far is each rule set from what is written for it alone? One table: the library
 * and the yardsticks of plain/, for one sentence and for a batch of 32. Answers are compared before
 * times are taken. SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rulesets.h"

/* clang-format off */
static const ruleset_size sizes[] = {
    {"eisner", {20}, 0},
    {"eisner", {40}, 0},
    {"eisner", {160}, 0},
    {"eisner", {640}, 0},
    {"chain", {40, 5}, 0},
    {"chain", {40, 20}, 0},
    {"chain", {40, 50}, 0},
    {"semimarkov", {40, 5}, 0},
    {"semimarkov", {40, 20}, 0},
    {"semimarkov", {100, 10}, 0},
    {"nussinov", {40}, 0},
    {"nussinov", {100}, 0},
    {"nussinov", {400}, 0},
    {"edit", {20, 20}, 0},
    {"edit", {100, 100}, 0},
    {"edit", {1000, 1000}, 0},
    {"affine-gaps", {20, 20}, 0},
    {"affine-gaps", {100, 100}, 0},
    {"affine-gaps", {1000, 1000}, 0},
    {"cky-dense", {20, 30}, 0},
    {"cky-dense", {40, 30}, 0},
    {"cky", {20, 100}, 2000},
    {"cky", {40, 100}, 2000},
    {"cky", {20, 100}, 20000},
    {"cky", {40, 100}, 20000},
    {"ctc", {50, 10, 30}, 0},
    {"ctc", {200, 40, 30}, 0},
    {"ctc", {1000, 200, 100}, 0},
    {"plan7", {100, 200, 20}, 0},
    {"plan7", {200, 350, 20}, 0},
    {"plan7", {250, 400, 20}, 0},
    {"trigram", {40, 10}, 0},
    {"trigram", {40, 50}, 0},
    {"align-hmm", {20, 71}, 0},
    {"align-hmm", {100, 1000}, 0},
    {"delete-tree", {20, 40, 9}, 0},
    {"delete-tree", {40, 80, 9}, 0},
    {"sibling", {20}, 0},
    {"sibling", {40}, 0},
    {"sibling", {160}, 0},
    {NULL, {0}, 0},
};

/* Short of a vector, or a little more than some. */
static const ruleset_size odd_sizes[] = {
    {"eisner", {1}, 0},
    {"eisner", {11}, 0},
    {"eisner", {18}, 0},
    {"chain", {7, 3}, 0},
    {"chain", {3, 17}, 0},
    {"semimarkov", {9, 7}, 0},
    {"nussinov", {3}, 0},
    {"nussinov", {13}, 0},
    {"edit", {7, 19}, 0},
    {"edit", {19, 3}, 0},
    {"affine-gaps", {18, 5}, 0},
    {"affine-gaps", {3, 33}, 0},
    {"cky-dense", {5, 3}, 0},
    {"cky", {5, 3}, 27},
    {"cky", {13, 7}, 200},
    {"ctc", {5, 3, 4}, 0},
    {"ctc", {13, 7, 5}, 0},
    {"ctc", {9, 8, 3}, 0},
    {"plan7", {1, 1, 1}, 0},
    {"plan7", {3, 2, 5}, 0},
    {"plan7", {7, 17, 4}, 0},
    {"plan7", {5, 35, 19}, 0},
    {"trigram", {1, 3}, 0},
    {"trigram", {2, 7}, 0},
    {"trigram", {9, 5}, 0},
    {"align-hmm", {5, 9}, 0},
    {"align-hmm", {2, 33}, 0},
    {"delete-tree", {3, 7, 2}, 0},
    {"sibling", {2}, 0},
    {"sibling", {11}, 0},
    {"sibling", {18}, 0},
    {NULL, {0}, 0},
};
/* clang-format on */

static const char usage[] =
    "Usage: rulesets [OPTION]...\n"
    "Times of the library and of plain C written for one rule set alone, and their ratios:\n"
    "microseconds of the processor a sentence, from the caller's arrays to the uses of the\n"
    "best derivation (max, float), to log Z, or to the marginals of all weights (log, double).\n"
    "`vector` and `textbook` take one sentence; of a batch of 32, as many as a vector has\n"
    "elements are side by side.\n"
    "\n"
    "  --rules LIST        these rule sets only, separated by commas\n"
    "  --odd               other sizes: small ones, at the edges of vectors\n"
    "  --time SECONDS      for each size and semiring (2)\n"
    "  --patience SECONDS  leave out a batch that takes the library more (5)\n"
    "  --isa NAME          baseline, avx2 or avx512 (the best of this machine)\n"
    "  --format NAME       table; or markdown: the library's time over the vector\n"
    "                      yardstick's, and its microseconds in brackets (table)\n"
    "  --help\n";

enum { TABLE, MARKDOWN };

void rulesets_fail(const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    fputs("rulesets: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static bool is_in(const char *list, const char *name) {
    const size_t size = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, size) == 0 && (at[size] == ',' || at[size] == '\0'))
            return true;
    }
    return false;
}

/* ---- The table ------------------------------------------------------------------------------- */

static void write_size(const ruleset_size *s, char *to, size_t room) {
    size_t used = 0;
    for (int l = 0; l < RULESETS_LENGTHS && s->length[l] > 0; l++)
        used +=
            (size_t)snprintf(to + used, room - used, "%s%d", l > 0 ? "x" : "", (int)s->length[l]);
    if (s->entries > 0)
        snprintf(to + used, room - used, ", %zu", s->entries);
}

static void print_head(int format) {
    if (format == MARKDOWN)
        printf("| rule set | size | best | log Z | marginals | batch: best | log Z | marginals |\n"
               "|---|---|---|---|---|---|---|---|\n");
    else
        printf("%-34s | %-43s | %s\n%-12s %-14s %-6s | %9s %9s %9s %6s %6s | %9s %9s %6s\n", "",
               "one sentence, us", "of a batch, us a sentence", "rule set", "size", "", "library",
               "vector", "textbook", "/vec", "/text", "library", "vector", "/vec");
}

static void print_number(double number, int width) {
    if (number > 0)
        printf(" %*.2f", width, number);
    else
        printf(" %*s", width, "-");
}

static void print_row(const char *rules, const char *size, const char *question,
                      const ruleset_times *t) {
    printf("%-12s %-14s %-6s |", rules, size, question);
    for (int w = BY_LIBRARY; w <= BY_TEXTBOOK; w++)
        print_number(t->microseconds[w].median, 9);
    print_number(t->to_vector.median, 6);
    print_number(t->to_textbook.median, 6);
    printf(" |");
    print_number(t->microseconds[BY_LIBRARY_BATCH].median, 9);
    print_number(t->microseconds[BY_BATCH].median, 9);
    print_number(t->to_batch.median, 6);
    putchar('\n');
}

static void print_cell(const tz_middle *ratio, const tz_middle *microseconds) {
    const double time = microseconds->median;
    if (ratio->median > 0)
        printf(" %.1f (%.*f) |", ratio->median, time < 9.95 ? 1 : 0, time);
    else
        printf(" |");
}

/* All questions about one size. */
static void print_rows(int format, const ruleset_size *s, const ruleset_times *t) {
    static const char *const questions[RULESETS_QUESTIONS] = {"best", "log Z", "marg."};
    char size[64];
    write_size(s, size, sizeof size);
    for (int q = 0; q < RULESETS_QUESTIONS && format == TABLE; q++)
        print_row(s->rules, size, questions[q], &t[q]);
    if (format == MARKDOWN) {
        printf("| `%s` | %s |", s->rules, size);
        for (int q = 0; q < RULESETS_QUESTIONS; q++)
            print_cell(&t[q].to_vector, &t[q].microseconds[BY_LIBRARY]);
        for (int q = 0; q < RULESETS_QUESTIONS; q++)
            print_cell(&t[q].to_batch, &t[q].microseconds[BY_LIBRARY_BATCH]);
        putchar('\n');
    }
    fflush(stdout);
}

/* ---- Options --------------------------------------------------------------------------------- */

typedef struct settings {
    const char *rules;
    const ruleset_size *size;
    double seconds, patience;
    tz_isa isa;
    int format;
} settings;

static int which(const char *option, const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    fprintf(stderr, "rulesets: --%s: what is %s? See --help.\n", option, name);
    exit(2);
}

static settings read_options(int count, char **arguments) {
    enum { RULES, ODD, TIME, PATIENCE, ISA, FORMAT, HELP };
    static const struct option options[] = {
        {"rules", required_argument, NULL, RULES}, {"odd", no_argument, NULL, ODD},
        {"time", required_argument, NULL, TIME},   {"patience", required_argument, NULL, PATIENCE},
        {"isa", required_argument, NULL, ISA},     {"format", required_argument, NULL, FORMAT},
        {"help", no_argument, NULL, HELP},         {NULL, 0, NULL, 0}};
    static const char *const isas[] = {"baseline", "avx2", "avx512"};
    static const char *const formats[] = {"table", "markdown"};
    settings s = {NULL, sizes, 2, 5, TZ_ISAS, TABLE};
    for (int o; (o = getopt_long(count, arguments, "", options, NULL)) != -1;)
        switch (o) {
        case RULES:
            s.rules = optarg;
            break;
        case ODD:
            s.size = odd_sizes;
            break;
        case TIME:
            s.seconds = atof(optarg);
            break;
        case PATIENCE:
            s.patience = atof(optarg);
            break;
        case ISA:
            s.isa = (tz_isa)which("isa", optarg, isas, 3);
            break;
        case FORMAT:
            s.format = which("format", optarg, formats, 2);
            break;
        case HELP:
            fputs(usage, stdout);
            exit(0);
        default:
            exit(2);
        }
    return s;
}

int main(int count, char **arguments) {
    const settings s = read_options(count, arguments);
    print_head(s.format);
    for (const ruleset_size *size = s.size; size->rules != NULL; size++) {
        ruleset_times times[RULESETS_QUESTIONS];
        if (s.rules != NULL && !is_in(s.rules, size->rules))
            continue;
        rulesets_measure(size, s.isa, s.seconds, s.patience, times);
        print_rows(s.format, size, times);
    }
    return 0;
}
