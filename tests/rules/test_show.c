/* test_show.c - are rule sets printed as the figures they are, and is the LaTeX and Graphviz text
 * well formed whatever a rule file holds?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "rules/show/show.h"
#include "rules/tell/enumerate.h"
#include "tests/support/equal.h"
#include "tests/support/random_features.h"
#include "tests/support/rules_text.h"
#include "tests/support/texts.h"

/* Names, comments and conditions with all that LaTeX and Graphviz give a meaning to. */
static const char awkward[] =
    "# Specials: \\ { } $ & # _ % ~ ^ \" < > | -- `` ?` caf\xc3\xa9 \xe6\xbc\xa2\n"
    "# \\end{document} \\input{x} %\n"
    "rules   awk_ward-x\n"
    "cite    [x] 100% \\LaTeX {~} ^^M $x_1$\n"
    "count   1 2\n"
    "ambiguous\n"
    "length  n, Tag_set\n"
    "weight  arc_w[head_1,m] sparse 0 <= head_1 <= n, 1 <= m <= n, head_1 != m # \\ { _ % }{\n"
    "item    _x_y[i_1,j] 0 <= i_1 <= j <= n # 100 % _\n"
    "item    q\n"
    "goal    q\n"
    "resource u_k arc_w[h,m] m+1\n"
    "resource v = 2 - u_k\n"
    "  axiom\n"
    "  --- seed_1-a * arc_w[i_1,j] if j = i_1+1, i_1 != 4\n"
    "  _x_y[i_1,j]\n"
    "  _x_y[1,j] _x_y[j,n]\n"
    "  --- z\n"
    "  q\n";

static void load(const char *name, tz_rules *rules) {
    size_t size;
    FREED(char, text) = rule_file(name, &size);
    read_good_rules(text, rules);
}

/* To be freed. */
static char *shown(const tz_rules *rules, tz_status (*show)(const tz_rules *rules, FILE *file)) {
    char *text = NULL;
    size_t size;
    FILE *file = need(open_memstream(&text, &size));
    show(rules, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

#define BAR "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"

TEST(text_of_compress) {
    tz_rules rules;
    load("compress", &rules);
    FREED(char, text) = shown(&rules, tz_show_text);
    assert_memory_equal(text, "# First-order compressive", 25);
    assert_contains(text, "\nrules      compress\ncite       Model: Thadani & McKeown 2013");
    assert_contains(
        text, "\ncount      2 6 25 126 704\nlength     n\nweight     arc[h,m]     0 <= h <= n");
    assert_contains(text,
                    "\nitem       rtri[i,j]   0 <= i <= j <= n  # i heads the kept words of i..j");
    assert_contains(text, "\ngoal       rtri[0,n]\n"
                          "resource   kept arc[h,m] 1\n"
                          "resource   dropped bigram[i,j] j-i-1\n"
                          "resource   dropped = n - kept\n\n"
                          "      axiom\n    " BAR " hook-seed\n    hook[i,i]\n");
    assert_contains(text, "\n    hook[i,i]\n    " BAR " skip  if j > i\n    hook[i,j]\n");
    assert_contains(text,
                    "\n    hook[i,j]\n    " BAR " unhook  \u00d7 bigram[i,j+1]\n    rtri[i,j]\n");
    assert_contains(
        text, "\n    rtri[i,k]  ltri[k+1,j]\n    " BAR BAR
              "\u2500\u2500\u2500\u2500 attach-left  \u00d7 arc[j,i]\n          ltrap[i,j]\n");
    tz_arena_free(rules.arena);
}

TEST(text_of_awkward) {
    tz_rules rules;
    read_good_rules(awkward, &rules);
    FREED(char, text) = shown(&rules, tz_show_text);
    assert_contains(text, "\n# \\end{document} \\input{x} %\n");
    assert_contains(text, "\nambiguous\nlength     n, Tag_set\n");
    assert_contains(text, "weight     arc_w[head_1,m] sparse  0 <= head_1 <= n");
    assert_contains(text, "resource   u_k arc_w[head_1,m] m+1\nresource   v = 2 - u_k\n");
    assert_contains(text, " seed_1-a  \u00d7 arc_w[i_1,j]  if j = i_1+1, i_1 != 4\n");
    tz_arena_free(rules.arena);
}

/* What is shown as text can be read, and says the same: all but where it stands. */
/* Says the same text once more; returns what was read. */
static tz_rules *read_shown(const tz_rules *rules) {
    FREED(char, text) = shown(rules, tz_show_text);
    tz_rules *read = parse_rules(text);
    FREED(char, again) = shown(read, tz_show_text);
    OWN(tz_rules, twice) = parse_rules(again);
    assert_string_equal(again, text);
    assert_true(tz_rules_equal(read, twice));
    assert_int_equal(read->rule_count, rules->rule_count);
    assert_int_equal(read->kinds, rules->kinds);
    assert_int_equal(read->steps, rules->steps);
    for (unsigned r = 0; r < rules->rule_count; r++) {
        const tz_rule *rule = &rules->rule[r], *other = &read->rule[r];
        assert_string_equal(other->name, rule->name);
        assert_string_equal(other->condition_text, rule->condition_text);
        assert_true(other->premises == rule->premises && other->weights == rule->weights);
        assert_int_equal(other->sides, rule->sides);
    }
    assert_true(read->inputs == rules->inputs && read->labelled == rules->labelled);
    assert_true(read->relations == rules->relations && read->charges == rules->charges);
    assert_true(read->weights == rules->weights && read->declareds == rules->declareds);
    for (unsigned i = 0; i < rules->items; i++)
        assert_int_equal(read->item[i].closure, rules->item[i].closure);
    return read;
}

static void read_back(const tz_rules *rules) {
    OWN(tz_rules, read) = read_shown(rules);
    for (unsigned r = 0; r < rules->rule_count; r++) {
        const tz_rule *rule = &rules->rule[r], *other = &read->rule[r];
        assert_memory_equal(&other->conclusion, &rule->conclusion, sizeof rule->conclusion);
        assert_memory_equal(other->premise, rule->premise, rule->premises * sizeof *rule->premise);
        assert_memory_equal(other->weight, rule->weight, rule->weights * sizeof *rule->weight);
    }
}

/* Side conditions come after premises, so that variables may have other numbers: are derivations
 * the same? */
static void read_same(const tz_rules *rules, size_t *compared) {
    OWN(tz_rules, read) = read_shown(rules);
    for (int32_t n = 0; n < 4; n++) {
        const int32_t lengths[TZ_MAX_LENGTHS] = {n, n > 1 ? 5 - n : n, 2, n, n, n};
        bool same = true;
        size_t derivations = 0;
        tz_status status = tz_compare_structures(rules, read, lengths, 1000, &same, &derivations);
        assert_true(status == TZ_OK || status == TZ_TOO_LARGE || status == TZ_BAD_RULES);
        assert_true(status != TZ_OK || same);
        *compared += status == TZ_OK && derivations > 0;
    }
}

TEST(reading_back) {
    const tz_rules *rules;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) != NULL; r++)
        read_back(rules);
    /* what forms print as 2n, and what charging makes */
    tz_rules *twice = parse_rules("rules twice\nlength n\nweight w[i] 0 <= i <= n+n\n"
                                  "item x[i] -1 <= i <= n+n\ngoal x[n+n]\nresource a w[i] n+n-i\n"
                                  "resource b = n+n - a\n"
                                  "axiom\n--- r\nx[-1]\n\nx[-1]\n--- s * w[_]\nx[n+n]\n"),
             *charged;
    read_back(twice);
    assert_ok(tz_rules_charge(twice, "a", &charged, NULL));
    read_back(charged);
    tz_rules_free(twice);
    tz_rules_free(charged);
}

/* Into memory of any size: what fits, and how much there is. */
static void check_memory(const char *whole, size_t needed, size_t (*put)(char *text, size_t size)) {
    FREED(char, text) = need(malloc(needed + 2));
    assert_int_equal(needed, strlen(whole));
    for (size_t size = 1; size <= needed + 1; size += 1 + size / 2) {
        memset(text, 'x', needed + 2);
        assert_int_equal(put(text, size), needed);
        assert_memory_equal(text, whole, size - 1);
        assert_true(text[size - 1] == '\0' && text[size] == 'x');
    }
}

static size_t put_text(char *text, size_t size) {
    return tz_rules_show(tz_rules_find("edit"), TZ_FIGURES_TEXT, text, size);
}

static size_t put_latex(char *text, size_t size) {
    return tz_rules_show(tz_rules_find("edit"), TZ_FIGURES_LATEX, text, size);
}

static size_t put_dot(char *text, size_t size) {
    return tz_rules_show(tz_rules_find("edit"), TZ_FIGURES_DOT, text, size);
}

static size_t put_order(char *text, size_t size) {
    return tz_rules_show(tz_rules_find("edit"), TZ_FIGURES_ORDER, text, size);
}

TEST(memory_of_any_size) {
    static const struct {
        size_t (*put)(char *text, size_t size);
        tz_status (*show)(const tz_rules *rules, FILE *file);
    } figures[] = {{put_text, tz_show_text}, {put_latex, tz_show_latex}, {put_dot, tz_show_dot}};
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
        FREED(char, whole) = shown(tz_rules_find("edit"), figures[f].show);
        check_memory(whole, figures[f].put(NULL, 0), figures[f].put);
    }
    check_memory("stage i+j: edited\n", put_order(NULL, 0), put_order);
}

/* Braces and formulas are closed, environments nested, and characters with a meaning escaped. */
static void well_formed(const char *latex) {
    const char *body = need(strstr(latex, "\\begin{document}"));
    assert_int_equal(occurrences(latex, "\\end{document}"), 1);
    assert_string_equal(latex + strlen(latex) - 15, "\\end{document}\n");
    assert_int_equal(occurrences(body, "\\begin{itemize}"), occurrences(body, "\\end{itemize}"));
    int depth = 0;
    bool formula = false;
    for (const char *c = body; *c; c++) {
        if (*c == '\\') {
            c += c[1] != '\0';
            continue;
        }
        depth += (*c == '{') - (*c == '}');
        formula ^= *c == '$';
        if (depth < 0 || strchr("&#_%~^", *c))
            fail_msg("'%c' in:\n%s", *c, c - body > 40 ? c - 40 : body);
    }
    assert_int_equal(depth, 0);
    assert_false(formula);
}

TEST(latex) {
    tz_rules rules;
    read_good_rules(awkward, &rules);
    char *text = shown(&rules, tz_show_latex);
    well_formed(text);
    assert_contains(text, "\n\\Known{\xc3\xa9}{00E9}\n\\Known{\xe6\xbc\xa2}{6F22}\n");
    assert_contains(text, "\\section*{awk\\_ward-x}");
    assert_contains(
        text, "Specials: \\textbackslash{} \\{ \\} \\$ \\& \\# \\_ \\% \\textasciitilde{} "
              "\\textasciicircum{} \" \\textless{} \\textgreater{} \\textbar{} -{}- `{}` ?{}` ");
    assert_contains(text, "\\textbackslash{}end\\{document\\} \\textbackslash{}input\\{x\\} \\%");
    assert_contains(
        text, "$\\mathit{arc\\_w}[\\mathit{head\\_1},m]$ (sparse), $0 \\le \\mathit{head\\_1} "
              "\\le n$, $");
    assert_contains(text, "\n\\item{} [x] 100\\% \\textbackslash{}LaTeX");
    assert_contains(text, "{\\textsf{seed\\_1-a} $\\times$ $\\mathit{arc\\_w}[");
    free(text);
    tz_arena_free(rules.arena);

    load("skip-bigram-note", &rules);
    text = shown(&rules, tz_show_latex);
    well_formed(text);
    assert_contains(text,
                    "\\infer{\\text{$\\mathit{rtrap}[i,k]$}\\quad\\text{$\\mathit{rtri}[k,j,p]"
                    "$}}{\\text{$\\mathit{rtri}[i,j,p]$}}{\\textsf{complete-right}}\n");
    assert_contains(text, "{\\textsf{skip} if $");
    free(text);
    tz_arena_free(rules.arena);
}

TEST(dot) {
    tz_rules rules;
    load("eisner-single-root", &rules);
    FREED(char, text) = shown(&rules, tz_show_dot);
    assert_memory_equal(text, "digraph \"eisner-single-root\" {\n", 31);
    assert_string_equal(text + strlen(text) - 4, "]\n}\n");
    assert_contains(text, "    item0 [shape=ellipse, label=\"rtri[i,j]\"]\n");
    assert_contains(text, "    item4 [shape=ellipse, peripheries=2, label=\"top\"]\n");
    assert_contains(text, "    rule6 [shape=box, label=\"root\\n\u00d7 arc[0,m]\"]\n"
                          "    item1 -> rule6 [label=\"[1,m]\", arrowhead=none]\n"
                          "    item0 -> rule6 [label=\"[m,n]\", arrowhead=none]\n"
                          "    rule6 -> item4 [label=\"\"]\n");
    /* 7 rules with 10 premises */
    assert_int_equal(occurrences(text, " -> "), 17);
    assert_int_equal(occurrences(text, "\"") % 2, 0);
    tz_arena_free(rules.arena);
}

/* Every feature of the notation, before and after charging; LaTeX and Graphviz take all of it. */
TEST(reading_back_random) {
    random_state random = random_start("reading back");
    size_t plain = 0, charged = 0, compared = 0;
    for (unsigned i = 0; i < random_rule_sets(AMOUNT(40, 8)); i++) {
        static rules_text text;
        tz_rules *rules[2] = {NULL, NULL};
        if (i % 3 == 0)
            make_random_closures(&random, &text);
        else
            make_random_rules(&random, &text);
        add_features(&random, &text);
        add_resource(&random, "used", &text);
        if (tz_rules_parse("random", text.at, text.size, &rules[0], NULL) != TZ_OK)
            continue;
        if (rules[0]->resources > 0 && rules[0]->rule_count <= 8)
            tz_rules_charge(rules[0], "used", &rules[1], NULL);
        for (unsigned r = 0; r < 2 && rules[r] != NULL; r++) {
            read_same(rules[r], &compared);
            free(shown(rules[r], tz_show_latex));
            free(shown(rules[r], tz_show_dot));
        }
        plain++;
        charged += rules[1] != NULL;
        tz_rules_free(rules[0]);
        tz_rules_free(rules[1]);
    }
    print_message("# %zu, %zu of them charged; %zu comparisons\n", plain, charged, compared);
    assert_true(plain > 1 && charged > 0 && compared > 0);
}
