/* test_public.c - does every public function that computes have the default floating-point modes
 * (base/modes.h) from its first line on? SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */

#include "tests/support/test.h"

#include <ctype.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"

#define ROOT TZ_SOURCE_ROOT "/"

static const char *const headers[] = {"include/trapeze/trapeze.h", "include/trapeze/automaton.h",
                                      "include/trapeze/grammar.h", "include/trapeze/text.h"};

/* Those that compute with no number but integers: they tell what is known, allocate or free. */
static const char *const without[] = {
    "tz_status_name",
    "tz_version",
    /* asks tz_rules_parse */
    "tz_gallery_read",
    "tz_gallery_name",
    "tz_rules_find",
    "tz_rules_builtin",
    "tz_rules_free",
    "tz_rules_name",
    "tz_rules_ambiguous",
    "tz_rules_count",
    "tz_rules_name_of",
    "tz_rules_used",
    "tz_rules_warning",
    "tz_rules_shape",
    "tz_rules_declared",
    "tz_rules_input_shape",
    "tz_rules_label",
    "tz_rules_labelled",
    "tz_rules_goal",
    "tz_rules_amount",
    "tz_semiring_find",
    "tz_semiring_free",
    "tz_semiring_form",
    "tz_semiring_numbers",
    "tz_plan_free",
    "tz_plan_isa",
    "tz_path",
    "tz_scores_dense",
    "tz_scores_sparse",
    "tz_input_numbers_dense",
    "tz_output_dense",
    "tz_chart_new",
    "tz_chart_free",
    "tz_diverging",
    "tz_kbest_free",
    "tz_sampler_free",
    "tz_facts_free",
    "tz_charts_new",
    "tz_charts_free",
    "tz_limiter_free",
    "tz_limit_chart_new",
    "tz_limit_chart_free",
    "tz_automaton_free",
    "tz_automaton_parts_of",
    "tz_grammar_free",
    "tz_grammar_parts_of",
    "tz_grammar_word",
    "tz_grammar_symbol",
    "tz_grammar_sampler_free",
    "tz_text_model_free",
    "tz_text_result_sentence",
    "tz_text_result_free",
};
enum { WITHOUT = sizeof without / sizeof *without, MOST = 200, NAME = 64 };

static char name[MOST][NAME];
static size_t names, defined[MOST], wrong;

static char *read_text(const char *path) {
    void *bytes;
    size_t size;
    tz_error error;
    if (tz_whole_read(path, &bytes, &size, &error) != TZ_OK)
        fail_msg("%s", error.message);
    char *text = need(realloc(bytes, size + 1));
    text[size] = '\0';
    return text;
}

static bool is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The names that a header declares: what stands before the first parenthesis after TZ_PUBLIC. */
static void read_names(const char *header) {
    char path[1024];
    snprintf(path, sizeof path, ROOT "%s", header);
    FREED(char, text) = read_text(path);
    static const char mark[] = "\nTZ_PUBLIC ";
    for (const char *at = text; (at = strstr(at, mark)) != NULL; at++) {
        const char *end = strchr(at, '('), *begin = end;
        while (is_of_name(begin[-1]))
            begin--;
        assert_true(names < MOST && end - begin < NAME);
        snprintf(name[names++], NAME, "%.*s", (int)(end - begin), begin);
    }
}

static bool may_be_without(const char *function) {
    size_t w = 0;
    while (w < WITHOUT && strcmp(without[w], function) != 0)
        w++;
    return w < WITHOUT;
}

/* Where the body of the definition begins that starts at `line`: behind " {\n"; else NULL. */
static const char *body_of(const char *line, const char *function) {
    const size_t size = strlen(function);
    const char *at = line, *open = strpbrk(line, "(;{=\n");
    if (!isalpha((unsigned char)*line) || strncmp(line, "static ", 7) == 0 || open == NULL ||
        *open != '(' || (size_t)(open - line) < size)
        return NULL;
    at = open - size;
    if (strncmp(at, function, size) != 0 || (at > line && is_of_name(at[-1])))
        return NULL;
    const char *end = strpbrk(open, ";{");
    return end != NULL && *end == '{' ? end + 2 : NULL;
}

static int check_file(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)walk;
    static const char line[] = "    TZ_DEFAULT_MODES;\n";
    const char *end = strrchr(path, '.');
    if (type != FTW_F || end == NULL || (strcmp(end, ".c") != 0 && strcmp(end, ".in") != 0))
        return 0;
    FREED(char, text) = read_text(path);
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        for (size_t n = 0; n < names; n++) {
            const char *body = body_of(at, name[n]);
            if (body == NULL)
                continue;
            defined[n]++;
            const bool has = strncmp(body, line, sizeof line - 1) == 0;
            if (has != may_be_without(name[n]))
                continue;
            print_error("%s: %s %s\n", path, name[n],
                        has ? "has the default modes: strike it from the list here"
                            : "may compute: let it begin with TZ_DEFAULT_MODES (base/modes.h), or "
                              "put it on the list here");
            wrong++;
        }
    }
    return 0;
}

TEST(modes) {
    static const char *const folders[] = {"src", "semirings", "sentences"};
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++)
        read_names(headers[h]);
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        char path[1024];
        snprintf(path, sizeof path, ROOT "%s", folders[f]);
        assert_int_equal(nftw(path, check_file, 16, FTW_PHYS), 0);
    }
    print_message("%zu public functions, %d without modes of their own\n", names, (int)WITHOUT);
    for (size_t n = 0; n < names; n++)
        if (defined[n] != 1)
            fail_msg("%s is defined %zu times", name[n], defined[n]);
    for (size_t w = 0; w < WITHOUT; w++) {
        size_t n = 0;
        while (n < names && strcmp(name[n], without[w]) != 0)
            n++;
        if (n == names)
            fail_msg("%s stands on the list here and in no header", without[w]);
    }
    assert_int_equal(wrong, 0);
}
