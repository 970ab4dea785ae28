/* test_rules.c - are rule files read as they are meant, bad ones refused with the message that they
 * should get, and doubtful ones read with their warnings?
 *
 * A bad file is tests/rules/bad/NAME.rules, its message NAME.txt beside it; one with warnings
 * stands in tests/rules/warned. To add one, write it, run this test with TZ_BLESS=1 in the
 * environment, which writes every message anew, and read what has changed. SPDX-License-Identifier:
 * MIT */
#include "tests/support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/rules_text.h"

#define FOLDER TZ_SOURCE_ROOT "/tests/rules/"

/* ---- Bad and doubtful files ------------------------------------------------------------------ */

enum { MESSAGES = 8192 };

static int is_text_file(const struct dirent *entry) {
    size_t size = strlen(entry->d_name);
    return size > 4 && strcmp(entry->d_name + size - 4, ".txt") == 0;
}

/* What is said of a rule file, a line each: why it is refused, or its warnings. */
static tz_status say(const char *name, const char *text, size_t size, char ret[MESSAGES]) {
    OWN(tz_rules, rules) = NULL;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_rules_parse(name, text, size, &rules, &error);
    unsigned line, column;
    const char *warning;
    size_t used = 0;
    ret[0] = '\0';
    if (status != TZ_OK) {
        assert_null(rules);
        snprintf(ret, MESSAGES, "%s\n", error.message);
        return status;
    }
    for (size_t w = 0; (warning = tz_rules_warning(rules, w, &line, &column)) != NULL; w++)
        used += (size_t)snprintf(ret + used, MESSAGES - used, "%s:%u:%u: warning: %s\n", name, line,
                                 column, warning);
    assert_true(used < MESSAGES);
    return status;
}

/* Is what is said of this file what stands beside it? */
static bool check_file(const char *folder, const char *name, tz_status expected) {
    char path[1024], message[MESSAGES];
    size_t size, wanted_size;
    snprintf(path, sizeof path, FOLDER "%s/%s", folder, name);
    char *text = read_file(path, &size);
    tz_status status = say(name, text, size, message);
    free(text);
    if (status != expected) {
        print_message("%s: %s\n", name, status == TZ_OK ? "not refused" : message);
        return false;
    }
    snprintf(path, sizeof path, FOLDER "%s/%.*s.txt", folder, (int)strlen(name) - 6, name);
    if (getenv("TZ_BLESS") != NULL) {
        FILE *file = need(fopen(path, "wb"));
        assert_true(fputs(message, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    FREED(char, wanted) = access(path, F_OK) == 0 ? read_file(path, &wanted_size) : NULL;
    bool same = wanted != NULL && strcmp(message, wanted) == 0;
    if (!same)
        print_message("got    %swanted %s", message, wanted != NULL ? wanted : "(no .txt file)\n");
    return same;
}

static void check_files(const char *folder, tz_status expected, int least) {
    char path[1024];
    struct dirent **entry;
    snprintf(path, sizeof path, FOLDER "%s", folder);
    int count = scandir(path, &entry, is_rule_file, alphasort), wrong = 0;
    assert_true(count >= least);
    for (int e = 0; e < count; e++) {
        wrong += !check_file(folder, entry[e]->d_name, expected);
        free(entry[e]);
    }
    free(entry);
    assert_int_equal(wrong, 0);
    /* No message is left without its file. */
    assert_int_equal(scandir(path, &entry, is_text_file, alphasort), count);
    for (int e = 0; e < count; e++)
        free(entry[e]);
    free(entry);
}

TEST(bad_files) {
    check_files("bad", TZ_BAD_RULES, 35);
}

TEST(warned_files) {
    check_files("warned", TZ_OK, 10);
}

/* ---- Good files ------------------------------------------------------------------------------ */

static void assert_form(const tz_form *form, int constant, int n, int t, int a, int b, int c) {
    assert_int_equal(form->constant, constant);
    const int length[2] = {n, t}, column[3] = {a, b, c};
    for (int l = 0; l < TZ_MAX_LENGTHS; l++)
        assert_int_equal(form->length[l], l < 2 ? length[l] : 0);
    for (int v = 0; v < TZ_MAX_COLUMNS; v++)
        assert_int_equal(form->column[v], v < 3 ? column[v] : 0);
}

static void assert_term(const tz_term *term, tz_what what, unsigned which) {
    assert_int_equal(term->what, what);
    assert_int_equal(term->which, which);
}

static const char eisner[] =
    "# Arc-factored projective dependency parsing.\n"
    "#\n"
    "  #   Any number of root words.  \n"
    "rules   eisner\n"
    "cite    Eisner 1996 (COLING); notation: Shieber, Schabes & Pereira 1995\n"
    "cite    \xc3\x89t\xc3\xa9\n"
    "count   1 3 12 9007199254740992        # structures\n"
    "length  n                              # words 1..n\n"
    "weight  arc[h,m]     0 <= h <= n, 1 <= m <= n, h != m\n"
    "item    rtri[i,j]    0 <= i <= j <= n  # i heads i..j\n"
    "item    ltri[i,j]    1 <= i <= j <= n\n"
    "item    rtrap[i,j]   0 <= i <  j <= n  # arc i -> j\n"
    "goal    rtri[0,n]\n"
    "\n"
    "    axiom\n"
    "    ----------------------- right-seed\n"
    "    rtri[i,i]\n"
    "\n"
    "    axiom\n"
    "    --- left-seed\n"
    "    ltri[i,i]\n"
    "\n"
    "    rtri[i,k]  ltri[k+1,j]\n"
    "    ----------------------- attach-right  * arc[i,j]\n"
    "    rtrap[i,j]\n"
    "\n"
    "    rtrap[i,k]  rtri[k,j]\n"
    "    ----------------------- complete-right\n"
    "    rtri[i,j]";

TEST(eisner) {
    tz_rules r;
    read_good_rules(eisner, &r);
    assert_string_equal(r.name, "eisner");
    assert_string_equal(r.comment,
                        "Arc-factored projective dependency parsing.\n\nAny number of root words.");
    assert_int_equal(r.cites, 2);
    assert_string_equal(r.cite[0],
                        "Eisner 1996 (COLING); notation: Shieber, Schabes & Pereira 1995");
    assert_string_equal(r.cite[1], "\xc3\x89t\xc3\xa9");
    assert_int_equal(r.counts, 4);
    const double counts[] = {1, 3, 12, 9007199254740992.0};
    for (int c = 0; c < 4; c++)
        assert_true(r.count[c] == counts[c]);
    assert_false(r.ambiguous);
    assert_int_equal(r.lengths, 1);
    assert_string_equal(r.length_name[0], "n");

    assert_int_equal(r.weights, 1);
    const tz_weight *arc = &r.weight[0];
    assert_string_equal(arc->name, "arc");
    assert_int_equal(arc->rank, 2);
    assert_string_equal(arc->index_name[0], "h");
    assert_string_equal(arc->index_name[1], "m");
    assert_false(arc->sparse);
    assert_int_equal(arc->line, 9);
    assert_string_equal(arc->domain_text, "0 <= h <= n, 1 <= m <= n, h != m");
    assert_string_equal(arc->comment, "");
    assert_int_equal(arc->domain.count, 5);
    assert_form(&arc->domain.at[0].form, 0, 0, 0, 1, 0, 0);
    assert_form(&arc->domain.at[1].form, 0, 1, 0, -1, 0, 0);
    assert_form(&arc->domain.at[2].form, -1, 0, 0, 0, 1, 0);
    assert_form(&arc->domain.at[3].form, 0, 1, 0, 0, -1, 0);
    assert_form(&arc->domain.at[4].form, 0, 0, 0, -1, 1, 0);
    for (int c = 0; c < 5; c++)
        assert_int_equal(arc->domain.at[c].relation, c < 4 ? TZ_GE : TZ_NE);

    assert_int_equal(r.items, 3);
    const tz_item *rtrap = &r.item[2];
    assert_string_equal(rtrap->name, "rtrap");
    assert_string_equal(rtrap->comment, "arc i -> j");
    assert_string_equal(rtrap->domain_text, "0 <= i <  j <= n");
    assert_int_equal(rtrap->line, 12);
    assert_int_equal(rtrap->rank, 2);
    assert_string_equal(rtrap->index_name[1], "j");
    assert_int_equal(rtrap->domain.count, 3);
    assert_form(&rtrap->domain.at[1].form, -1, 0, 0, -1, 1, 0);
    assert_int_equal(rtrap->domain.at[1].relation, TZ_GE);

    assert_term(&r.goal, TZ_INSIDE, 0);
    assert_form(&r.goal.index[0], 0, 0, 0, 0, 0, 0);
    assert_form(&r.goal.index[1], 0, 1, 0, 0, 0, 0);
    assert_int_equal(r.goal_line, 13);
    assert_int_equal(r.resources, 0);
    assert_int_equal(r.charges, 0);

    assert_int_equal(r.rule_count, 4);
    const tz_rule *seed = &r.rule[1], *attach = &r.rule[2];
    assert_string_equal(seed->name, "left-seed");
    assert_int_equal(seed->line, 20);
    assert_int_equal(seed->premises + seed->weights, 0);
    assert_int_equal(seed->variables, 1);
    assert_term(&seed->conclusion, TZ_INSIDE, 1);
    assert_form(&seed->conclusion.index[1], 0, 0, 0, 1, 0, 0);

    assert_string_equal(attach->name, "attach-right");
    assert_int_equal(attach->line, 24);
    assert_int_equal(attach->variables, 3);
    assert_string_equal(attach->variable_name[0], "i");
    assert_string_equal(attach->variable_name[1], "k");
    assert_string_equal(attach->variable_name[2], "j");
    assert_int_equal(attach->premises, 2);
    assert_term(&attach->premise[0], TZ_INSIDE, 0);
    assert_form(&attach->premise[0].index[1], 0, 0, 0, 0, 1, 0);
    assert_term(&attach->premise[1], TZ_INSIDE, 1);
    assert_form(&attach->premise[1].index[0], 1, 0, 0, 0, 1, 0);
    assert_form(&attach->premise[1].index[1], 0, 0, 0, 0, 0, 1);
    assert_int_equal(attach->weights, 1);
    assert_term(&attach->weight[0], TZ_WEIGHT, 0);
    assert_form(&attach->weight[0].index[1], 0, 0, 0, 0, 0, 1);
    assert_int_equal(attach->condition.count, 0);
    assert_string_equal(attach->condition_text, "");
    assert_term(&attach->conclusion, TZ_INSIDE, 2);
    tz_arena_free(r.arena);
}

/* Uses above declarations, declarations below rules, CR LF, a byte-order mark, tabs, comments
 * inside a rule, items without indices, every kind of line. */
static const char odd[] =
    "\xef\xbb\xbfgoal\ttop\r\n"
    "\r\n"
    "\tcell[n-1,T]  cell[i,a]\t# both\r\n"
    "# between\r\n"
    "\t---finish * pair[a,T,-i+n] * bonus * pair[a,a,i] if i < n, a>=0  # why\r\n"
    "\ttop\r\n"
    "axiom\r\n"
    "----- goal * bonus\r\n"
    "cell[i,a]\r\n"
    "resource left = n+T - 2 - used\r\n"
    "resource used pair[x,y,z] z+n # a charge\r\n"
    "ambiguous\r\n"
    "item top\r\n"
    "weight bonus[] n = n # a scalar\r\n"
    "weight pair[a,b,i] sparse 0 <= a <= T >= b > -1, n - 0 >= i >= 0\r\n"
    "resource used bonus 3\r\n"
    "item cell[i,a] 0<=i<=n,0<=a<=T\r\n"
    "length n, T\r\n"
    "# not directly above\r\n"
    "\r\n"
    "rules odd-1\r\n";

TEST(odd) {
    tz_rules r;
    read_good_rules(odd, &r);
    assert_string_equal(r.name, "odd-1");
    assert_string_equal(r.comment, "");
    assert_true(r.ambiguous);
    assert_int_equal(r.cites, 0);
    assert_int_equal(r.counts, 0);
    assert_int_equal(r.lengths, 2);
    assert_string_equal(r.length_name[1], "T");
    assert_int_equal(r.items, 2);
    assert_int_equal(r.item[0].rank, 0);
    assert_int_equal(r.item[0].domain.count, 0);
    assert_string_equal(r.item[0].domain_text, "");
    assert_term(&r.goal, TZ_INSIDE, 0);
    assert_int_equal(r.goal_line, 1);

    assert_int_equal(r.weights, 2);
    assert_int_equal(r.weight[0].rank, 0);
    assert_int_equal(r.weight[0].domain.count, 1);
    assert_int_equal(r.weight[0].domain.at[0].relation, TZ_EQ);
    assert_string_equal(r.weight[0].comment, "a scalar");
    const tz_weight *pair = &r.weight[1];
    assert_true(pair->sparse);
    assert_string_equal(pair->domain_text, "0 <= a <= T >= b > -1, n - 0 >= i >= 0");
    assert_int_equal(pair->domain.count, 6);
    assert_form(&pair->domain.at[1].form, 0, 0, 1, -1, 0, 0); /* a <= T */
    assert_form(&pair->domain.at[2].form, 0, 0, 1, 0, -1, 0); /* T >= b */
    assert_form(&pair->domain.at[3].form, 0, 0, 0, 0, 1, 0);  /* b > -1 */
    assert_form(&pair->domain.at[4].form, 0, 1, 0, 0, 0, -1); /* n - 0 >= i */

    assert_int_equal(r.rule_count, 2);
    const tz_rule *finish = &r.rule[0];
    assert_string_equal(finish->name, "finish");
    assert_int_equal(finish->line, 5);
    assert_int_equal(finish->premises, 2);
    assert_form(&finish->premise[0].index[0], -1, 1, 0, 0, 0, 0);
    assert_form(&finish->premise[0].index[1], 0, 0, 1, 0, 0, 0);
    assert_int_equal(finish->variables, 2);
    assert_string_equal(finish->variable_name[0], "i");
    assert_string_equal(finish->variable_name[1], "a");
    assert_int_equal(finish->weights, 3);
    assert_form(&finish->weight[0].index[2], 0, 1, 0, -1, 0, 0);
    assert_term(&finish->weight[1], TZ_WEIGHT, 0);
    assert_term(&finish->weight[2], TZ_WEIGHT, 1);
    assert_string_equal(finish->condition_text, "i < n, a>=0");
    assert_int_equal(finish->condition.count, 2);
    assert_form(&finish->condition.at[0].form, -1, 1, 0, -1, 0, 0);
    assert_form(&finish->condition.at[1].form, 0, 0, 0, 0, 1, 0);
    assert_term(&finish->conclusion, TZ_INSIDE, 0);
    assert_string_equal(r.rule[1].name, "goal");

    assert_int_equal(r.resources, 2);
    assert_string_equal(r.resource[0].name, "used");
    assert_int_equal(r.resource[0].other, -1);
    assert_int_equal(r.resource[0].line, 11);
    assert_string_equal(r.resource[1].name, "left");
    assert_int_equal(r.resource[1].other, 0);
    assert_form(&r.resource[1].total, -2, 1, 1, 0, 0, 0);
    assert_int_equal(r.resource[1].line, 10);
    assert_int_equal(r.charges, 2);
    assert_int_equal(r.charge[0].resource, 0);
    assert_int_equal(r.charge[0].weight, 1);
    assert_form(&r.charge[0].amount, 0, 1, 0, 0, 0, 1);
    assert_int_equal(r.charge[0].line, 11);
    assert_int_equal(r.charge[1].resource, 0);
    assert_int_equal(r.charge[1].weight, 0);
    assert_form(&r.charge[1].amount, 3, 0, 0, 0, 0, 0);
    tz_arena_free(r.arena);
}
