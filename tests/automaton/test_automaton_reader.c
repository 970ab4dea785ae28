/* test_automaton_reader.c - are automata read as they are written: arcs, weights, symbols,
 * messages?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/automaton.h>

#include "tests/support/oom.h"

static const char tiny[] = "0 1 a 0.5\n0 1 b\n\n1\t1 <eps> 2\r\n 1 2 a Infinity\n2 0.25\n";

static tz_named_text named(const char *text) {
    return (tz_named_text){"text", text, strlen(text)};
}

static tz_automaton *parse(const char *text, const tz_automaton_form *form) {
    const tz_named_text of = named(text);
    tz_automaton *automaton;
    tz_error error;
    if (tz_automaton_parse(&of, form, &automaton, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return automaton;
}

static void expect_shown(tz_automaton *automaton, const char *expected) {
    const size_t size = tz_automaton_show(automaton, NULL, 0);
    FREED(char, text) = need(malloc(size + 1));
    assert_int_equal(tz_automaton_show(automaton, text, size + 1), size);
    assert_string_equal(text, expected);
}

TEST(arcs) {
    const tz_automaton_form costs = {.weights = TZ_ARC_COSTS};
    OWN(tz_automaton, a) = parse(tiny, &costs);
    const tz_automaton_parts *p = tz_automaton_parts_of(a);
    assert_int_equal(p->states, 3);
    assert_int_equal(p->arcs, 4);
    assert_int_equal(p->inputs, 2);
    assert_true(p->arc[0].score == -0.5 && p->arc[1].score == 0);
    assert_int_equal(p->arc[2].input, -1);
    assert_true(p->arc[3].score == -INFINITY);
    /* The second arc from 0 to 1 goes by way of a vertex of its own. */
    assert_int_equal(p->vertices, 4);
    assert_int_equal(p->pairs, 5);
    assert_true(p->end[2] == -0.25 && p->end[0] == -INFINITY && p->begin[0] == 0);
    assert_int_equal(p->largest, 1);
    expect_shown(a, "0\t1\ta\t0.5\n0\t1\tb\n1\t1\t<eps>\t2\n1\t2\ta\tInfinity\n2\t0.25\n");
}

TEST(weights) {
    const tz_automaton_form logs = {.weights = TZ_ARC_LOGS};
    const tz_automaton_form chances = {.weights = TZ_ARC_PROBABILITIES, .transducer = true};
    tz_automaton *a = parse("b a x -1.5\na\n", &logs);
    assert_true(tz_automaton_parts_of(a)->arc[0].score == -1.5);
    expect_shown(a, "b\ta\tx\t-1.5\na\n");
    tz_automaton_free(a);
    a = parse("\xef\xbb\xbf"
              "2 0.5\n2 1 x <eps> 0.1\n1 2 0 y\n1 2 0 0 0\n",
              &chances);
    assert_true(tz_automaton_parts_of(a)->arc[0].score == log(0.1));
    assert_true(tz_automaton_parts_of(a)->end[0] == log(0.5));
    assert_int_equal(tz_automaton_parts_of(a)->largest, 3);
    expect_shown(a, "2\t1\tx\t<eps>\t0.1\n1\t2\t<eps>\ty\n1\t2\t<eps>\t<eps>\t0\n2\t0.5\n");
    tz_automaton_free(a);
}

TEST(symbols) {
    const tz_named_text table = named("- 0\nthe 1\ncat 7\n0 8\n");
    const tz_automaton_form form = {.inputs = &table};
    OWN(tz_automaton, a) = parse("0 1 cat\n1 2 -\n2 2 0\n2", &form);
    assert_int_equal(tz_automaton_parts_of(a)->inputs, 3);
    assert_int_equal(tz_automaton_parts_of(a)->arc[0].input, 1);
    assert_int_equal(tz_automaton_parts_of(a)->arc[1].input, -1);
    assert_int_equal(tz_automaton_parts_of(a)->arc[2].input, 2);
}

static void expect_error(const char *text, bool transducer, tz_arc_weights weights,
                         const char *symbols, const char *message) {
    const tz_named_text of = named(text), table = named(symbols != NULL ? symbols : "");
    const tz_automaton_form form = {weights, transducer, symbols != NULL ? &table : NULL, NULL};
    tz_automaton *automaton;
    tz_error error;
    assert_int_equal(tz_automaton_parse(&of, &form, &automaton, &error), TZ_BAD_RULES);
    assert_null(automaton);
    if (strstr(error.message, message) != error.message)
        fail_msg("%s\ninstead of\n%s", error.message, message);
}

TEST(messages) {
    expect_error("", false, 0, NULL, "text:1:1: no line has an arc or a final state");
    expect_error("0 1 a b\n", false, 0, NULL, "text:1:7: 'b' is no cost, such as 0.5; where it is");
    expect_error("0 1 a b 1", false, 0, NULL, "text:1:9: too many columns: an arc is FROM TO LAB");
    expect_error("0 1 a b 1 2", true, 0, NULL, "text:1:11: too many columns");
    expect_error("0 1 a b 1 2 3", true, 0, NULL, "text:1:13: too many columns: 5 at most");
    expect_error("0 1 a\n", true, 0, NULL, "text:1:1: 3 columns: an arc of a transducer has two");
    expect_error("0\n\xc3\xa4 x\n", false, 0, NULL, "text:2:3: 'x' is no cost");
    expect_error("0\n1 1\n0 2", false, 0, NULL, "text:3:1: state 0 is final by a line before");
    expect_error("0 -1", false, TZ_ARC_PROBABILITIES, NULL, "text:1:3: -1 is below 0");
    expect_error("0 -Infinity", false, 0, NULL, "text:1:3: -Infinity gains without end");
    expect_error("0 1e300", false, 0, NULL, "text:1:3: a number beyond 1e290");
    expect_error("0 nan", false, 0, NULL, "text:1:3: 'nan' is no cost");
    expect_error("0 \xff", false, 0, NULL, "text:1:3: this is not UTF-8");
    expect_error("0 1 cta", false, 0, "e 0\ncat 1",
                 "text:1:5: 'cta' is not in the symbol table; did");
    expect_error("0 1 a", false, 0, "e 0\ne 1", "text:2:1: the table has 'e' already");
    expect_error("0 1 a", false, 0, "e 0\na 0", "text:2:3: number 0 is of 'e' already");
    expect_error("0 1 a", false, 0, "a -1", "text:1:3: '-1' is no number from 0 on");
    expect_error("0 1 a", false, 0, "a", "text:1:1: a symbol table has a name and a number");
}

TEST(composition) {
    const tz_automaton_form form = {.weights = TZ_ARC_COSTS, .transducer = true};
    OWN(tz_automaton, a) = parse("0 1 a x 1\n1 2 b <eps> 2\n1 3 c z\n3\n2 1\n", &form);
    tz_automaton *b = parse("0 1 x p 0.5\n1 2 <eps> q\n2 0.25\n1 5 y y\n5\n", &form), *c;
    assert_ok(tz_automaton_compose(a, b, &c, NULL));
    /* One path, though b's and q's arcs could be followed in two orders. */
    expect_shown(c, "0\t1\ta\tp\t1.5\n1\t2\tb\t<eps>\t2\n2\t3\t<eps>\tq\n3\t1.25\n");
    assert_int_equal(tz_automaton_parts_of(c)->arc[1].origin[0], 1);
    assert_int_equal(tz_automaton_parts_of(c)->arc[1].origin[1], -1);
    tz_automaton_free(c);
    static const char *const string[] = {"b"};
    OWN(tz_automaton, s) = NULL;
    assert_ok(tz_automaton_of_string(string, 1, TZ_ARC_LOGS, &s));
    assert_ok(tz_automaton_compose(s, a, &c, NULL));
    assert_int_equal(tz_automaton_parts_of(c)->arcs, 0);
    assert_int_equal(tz_automaton_parts_of(c)->states, 1);
    expect_shown(c, "0\t-Infinity\n");
    tz_automaton_free(c);
    tz_automaton_free(b);
}

/* Memory that is out, anywhere. */
static int attempt(void *user) {
    const tz_named_text of = named(tiny), table = named("<eps> 0\na 1\nb 2\n");
    const tz_automaton_form form = {.inputs = &table};
    tz_automaton *a, *b = NULL, *s = NULL;
    static const char *const string[] = {"b", "a"};
    (void)user;
    tz_status status = tz_automaton_parse(&of, &form, &a, NULL);
    if (status == TZ_OK)
        status = tz_automaton_of_string(string, 2, TZ_ARC_COSTS, &s);
    if (status == TZ_OK)
        status = tz_automaton_compose(s, a, &b, NULL);
    if (status == TZ_OK && tz_automaton_show(b, NULL, 0) == 0)
        status = TZ_NO_MEMORY;
    tz_automaton_free(a);
    tz_automaton_free(b);
    tz_automaton_free(s);
    return status;
}

TEST(no_memory) {
    assert_true(oom_sweep("automaton", attempt, NULL, TZ_NO_MEMORY, false) > 10);
}
