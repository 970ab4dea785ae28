/* test_draw.c - do drawings show what was given, and are they well-formed?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/width.h"
#include "io/draw/draw.h"
#include "tests/support/oom.h"

static tz_style style = {.captions = true, .width = 120};
static const tz_result_choice arcs = {0}, proofs = {.derivation = true};

static int set_up(void **state) {
    (void)state;
    style.utf8 = tz_utf8_locale();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    if (style.utf8)
        freelocale(style.utf8);
    return 0;
}

/* The drawings of a result as text, one below the other. */
static tz_status text_of(const char *result, const tz_result_choice *choice, const tz_style *how,
                         tz_text *out, tz_error *error) {
    tz_arena *arena = tz_arena_new();
    tz_drawing *drawing = NULL;
    size_t drawings = 0;
    tz_status status = arena ? tz_drawings_result(arena, "in", 7, result, strlen(result), choice,
                                                  &drawing, &drawings, error)
                             : TZ_NO_MEMORY;
    for (size_t f = 0; status == TZ_OK && f < drawings; f++)
        status = tz_draw_text(&drawing[f], how, out);
    tz_arena_free(arena);
    tz_text_add(out, "", 1);
    return status == TZ_OK && out->failed ? TZ_NO_MEMORY : status;
}

static tz_status svg_of(const char *result, const tz_result_choice *choice, tz_text *out) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_drawing *drawing = NULL;
    size_t drawings = 0;
    tz_page page = {{0}, 0, 0};
    tz_status status = arena ? tz_drawings_result(arena, "in", 7, result, strlen(result), choice,
                                                  &drawing, &drawings, NULL)
                             : TZ_NO_MEMORY;
    for (size_t f = 0; status == TZ_OK && f < drawings; f++)
        status = tz_draw_svg(&drawing[f], &style, &page);
    tz_svg_head(out, &page);
    tz_text_add(out, page.text.data, page.text.size);
    tz_text_put(out, "</svg>");
    tz_text_add(out, "", 1);
    tz_text_free(&page.text);
    return status == TZ_OK && out->failed ? TZ_NO_MEMORY : status;
}

static void check_text(const char *result, const tz_result_choice *choice, const tz_style *how,
                       const char *expected) {
    tz_text out = {0};
    tz_error error;
    assert_ok(text_of(result, choice, how, &out, &error));
    assert_string_equal(out.data, expected);
    tz_text_free(&out);
}

/* ---- Arcs as text -------------------------------------------------------------------------- */

static const char compression[] =
    "{\"id\": \"s1\", \"n\": 5, \"words\": [\"The\", \"old\", \"dog\", \"slept\", \".\"], "
    "\"value\": 3.25, \"best\": {\"score\": 3.25, \"weights\": [[\"arc\",0,4,1], [\"arc\",3,1,1], "
    "[\"arc\",4,3,1.25], [\"bigram\",0,1,0], [\"bigram\",1,3,0], [\"bigram\",3,4,0], "
    "[\"bigram\",4,6,0]]}}";

TEST(skipped_words) {
    check_text(compression, &arcs, &style,
               "s1: score 3.25\n"
               " ┌────────────────────┐\n"
               " │    ┌────────┐┌───┐ │\n"
               " │    ▼        │▼   │ ▼\n"
               "ROOT The (old) dog slept (.)\n");
    tz_style bare = style;
    bare.color = true;
    bare.captions = false;
    check_text(compression, &arcs, &bare,
               " ┌──────────────────┐\n"
               " │    ┌──────┐┌───┐ │\n"
               " │    ▼      │▼   │ ▼\n"
               "ROOT The \033[2mold\033[0m dog slept \033[2m.\033[0m\n");
}

TEST(kinds_of_results) {
    tz_style bare = style;
    /* The empty compression: all is skipped. */
    check_text("{\"n\":2,\"best\":{\"score\":-1e-9,\"weights\":[[\"bigram\",0,3,0]]}}", &arcs,
               &bare, "score 0\n(1) (2)\n");
    check_text("{\"id\":[1],\"n\":2,\"best\":null}", &arcs, &bare, "[1]: no derivation\n");
    check_text("{\"id\":\"x\",\"n\":0,\"value\":0,\"best\":{\"score\":0,\"weights\":[]}}", &arcs,
               &bare, "x: score 0\n\n");
    check_text("{\"id\":5,\"kbest\":[],\"n\":3}", &arcs, &bare, "5: no derivation\n");
    check_text("{\"id\":5,\"error\":\"f:3: wrong\\u001b[31m\\n\"}", &arcs, &bare,
               "5: f:3: wrong\xef\xbf\xbd[31m\xef\xbf\xbd\n");
    /* Second order; the best of each amount, and samples. */
    check_text("{\"n\":2,\"best\":[null,{\"score\":1,\"weights\":[[\"sib\",0,0,2,1]]}],"
               "\"samples\":[{\"score\":-2.123456,\"weights\":[[\"sib\",0,0,1,0],[\"sib\",0,1,2,0]"
               ",[\"sib\",0,1,2,0]]}]}",
               &arcs, &bare,
               "amount 0, no derivation\n"
               "amount 1, score 1\n"
               " ┌───────┐\n"
               " │       ▼\n"
               "ROOT (1) 2\n"
               "sample 1, score -2.1235\n"
               " ┌───┬─┐\n"
               " │   ▼ ▼\n"
               "ROOT 1 2\n");
    /* Any weight can be taken for arcs; the end is a position. */
    const tz_result_choice bigrams = {.arcs = "bigram"};
    check_text("{\"n\":2,\"best\":{\"score\":0,\"weights\":[[\"bigram\",0,2,0],[\"bigram\",2,3,0]"
               "]}}",
               &bigrams, &bare,
               "score 0\n"
               " ┌───────┐┌──┐\n"
               " │       ▼│  ▼\n"
               "ROOT (1) 2  END\n");
}

TEST(id) {
    OWNED(tz_text, out) = {0};
    tz_result_choice choice = {.id = "s\"2"};
    assert_int_equal(text_of(compression, &choice, &style, &out, NULL), TZ_NONE);
    tz_text_clear(&out);
    assert_ok(
        text_of("{\"best\":null,\"n\":1,\"id\":\"\\u0073\\\"2\"}", &choice, &style, &out, NULL));
    assert_string_equal(out.data, "s\"2: no derivation\n");
}

static void conllu_text(const char *text, const tz_style *how, tz_text *out) {
    OWN(FILE, file) = fmemopen((char *)text, strlen(text), "r");
    OWN(tz_lines, lines) = need(tz_lines_new(file, "in", TZ_CONLLU_LINE));
    OWN(tz_conllu, conllu) = tz_conllu_new(lines);
    OWN(tz_arena, arena) = tz_arena_new();
    const tz_conllu_sentence *sentence;
    tz_drawing drawing;
    assert_ok(tz_conllu_next(conllu, &sentence, NULL));
    assert_ok(tz_drawing_conllu(arena, sentence, &drawing));
    assert_ok(tz_draw_text(&drawing, how, out));
    tz_text_add(out, "", 1);
}

/* Multiword tokens, and labels where there is room. */
TEST(conllu) {
    static const char german[] = "# sent_id = g\n"
                                 "1\tHaus\t_\t_\t_\t_\t0\troot\t_\t_\n"
                                 "2-3\tam\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                 "2\tan\t_\t_\t_\t_\t4\tcase\t_\t_\n"
                                 "3\tdem\t_\t_\t_\t_\t4\tdet\t_\t_\n"
                                 "4\tMeer\t_\t_\t_\t_\t1\tnmod\t_\t_\n";
    OWNED(tz_text, out) = {0};
    conllu_text(german, &style, &out);
    assert_string_equal(out.data, "g\n"
                                  "         ┌──────nmod──────┐\n"
                                  " ┌─root─┐│  ┌─case─┬─det─┐│\n"
                                  " │      ▼│  ▼      ▼     │▼\n"
                                  "ROOT   Haus an    dem   Meer\n"
                                  "            └──am───┘\n");
    tz_text_clear(&out);
    tz_style narrow = style;
    narrow.width = 20;
    conllu_text(german, &narrow, &out);
    assert_string_equal(out.data, "g\n"
                                  "       ┌───nmod────┐\n"
                                  " ┌────┐│  ┌───┬───┐│\n"
                                  " │    ▼│  ▼   ▼   │▼\n"
                                  "ROOT Haus an dem Meer\n"
                                  "          └─am─┘\n");
    tz_text_clear(&out);
    /* Lines are cut before a word, go on below, and have their label where it is seen; nothing cuts
     * what stands below two words. */
    narrow.wrap = 12;
    conllu_text(german, &narrow, &out);
    assert_string_equal(out.data, "g\n"
                                  "       ┌──\n"
                                  " ┌────┐│\n"
                                  " │    ▼│\n"
                                  "ROOT Haus\n"
                                  "\n"
                                  "───nmod──┐\n"
                                  "┌───┬───┐│\n"
                                  "▼   ▼   │▼\n"
                                  "an dem Meer\n"
                                  "└─am─┘\n");
}

TEST(wide_characters) {
    if (!style.utf8) {
        print_message("no locale knows Unicode here\n");
        skip();
    }
    OWNED(tz_text, out) = {0};
    conllu_text("1\t日本語\t_\t_\t_\t_\t2\ta\t_\t_\n"
                "2\tcafe\xcc\x81\t_\t_\t_\t_\t_\t_\t_\t_\n",
                &style, &out);
    assert_string_equal(out.data, "  ┌──a──┐\n"
                                  "  ▼     │\n"
                                  "日本語 cafe\xcc\x81\n");
}

/* Several heads share a word's arrow head; nothing reads outside. */
TEST(many_heads) {
    check_text("{\"n\":3,\"best\":{\"weights\":[[\"arc\",1,2,0],[\"arc\",3,2,0],[\"arc\",0,2,0]]}}",
               &arcs, &style,
               " ┌───────┐\n"
               " │       ├──┐\n"
               " │    ┌──┤  │\n"
               " │    │  ▼  │\n"
               "ROOT (1) 2 (3)\n");
}

/* ---- Proof trees --------------------------------------------------------------------------- */

#define SEED(side, i)                                                                              \
    "{\"item\":\"" side "tri\",\"index\":[" i "," i "],\"rule\":\"seed\",\"premises\":[]}"
static const char derivation[] =
    "{\"id\":1,\"n\":2,\"derivation\":{\"premises\":[{\"item\":\"rtrap\",\"index\":[0,1],"
    "\"rule\":\"attach\",\"premises\":[" SEED("r", "0") "," SEED("l", "1") "]}," SEED(
        "r", "1") "],\"rule\":\"complete\",\"x\":[{}],\"index\":[0,1],\"item\":\"rtri\"}}";

TEST(proof) {
    check_text(derivation, &proofs, &style,
               "1\n"
               "───────── seed   ───────── seed\n"
               "rtri[0,0]        ltri[1,1]\n"
               "────────────────────────── attach   ───────── seed\n"
               "        rtrap[0,1]                  rtri[1,1]\n"
               "        ───────────────────────────────────── complete\n"
               "                      rtri[0,1]\n");
    tz_style narrow = style;
    narrow.width = 40;
    const char *outline = "1\n"
                          "rtri[0,1]  complete\n"
                          "├─ rtrap[0,1]  attach\n"
                          "│  ├─ rtri[0,0]  seed\n"
                          "│  └─ ltri[1,1]  seed\n"
                          "└─ rtri[1,1]  seed\n";
    check_text(derivation, &proofs, &narrow, outline);
    narrow.width = 1000;
    narrow.proof = TZ_PROOF_OUTLINE;
    check_text(derivation, &proofs, &narrow, outline);
    check_text("{\"derivation\":null,\"id\":\"y\"}", &proofs, &style, "y: no derivation\n");
    check_text("{\"derivation\":{\"item\":\"a-goal-of-no-index\",\"rule\":\"r\",\"premises\":["
               "{\"item\":\"p\",\"rule\":\"q\"}]}}",
               &proofs, &style,
               "        ─ q\n"
               "        p\n"
               "────────────────── r\n"
               "a-goal-of-no-index\n");
}

/* ---- Errors -------------------------------------------------------------------------------- */

static void check_error(const char *result, const tz_result_choice *choice, const char *message) {
    OWNED(tz_text, out) = {0};
    tz_error error = {0};
    assert_int_equal(text_of(result, choice, &style, &out, &error), TZ_IO);
    assert_string_equal(error.message, message);
}

TEST(errors) {
    static const char *const bad[][2] = {
        {"{\"n\":1",
         "in:7: column 6: the line ends inside a value: write the whole of it on one line"},
        {"{\"n\":1}x", NULL},
        {"[]", "in:7: a result is a JSON object, not an array"},
        {"{\"n\":1}",
         "in:7: no \"best\", \"kbest\" or \"samples\"; `trapeze run --best` gives one"},
        {"{\"best\":{\"weights\":[]}}",
         "in:7: neither \"n\" nor \"words\" says how long the sentence is"},
        {"{\"n\":-1,\"best\":{}}", "in:7: the length of the sentence is not a number from 0 to "
                                   "1048576"},
        {"{\"n\":1e7,\"best\":{}}", "in:7: the length of the sentence is not a number from 0 to "
                                    "1048576"},
        {"{\"n\":2,\"words\":[\"a\"],\"best\":{}}", "in:7: 1 words, but \"n\" is 2"},
        {"{\"words\":[1],\"best\":{}}", "in:7: \"words\" is not an array of strings"},
        {"{\"n\":1,\"best\":7}",
         "in:7: \"best\" is neither a structure, nor a list of them, nor null"},
        {"{\"n\":1,\"best\":{}}", "in:7: a structure without \"weights\", a list"},
        {"{\"n\":1,\"best\":{\"weights\":[7]}}",
         "in:7: entry 1 of \"weights\" is not [NAME, index..., score]"},
        {"{\"n\":1,\"best\":{\"weights\":[[\"arc\",0,1,2,3,4]]}}",
         "in:7: entry 1 of \"weights\" is no arc: an arc has 2 or 3 indices, first its head, last "
         "its modifier"},
        {"{\"n\":1,\"best\":{\"weights\":[[\"arc\",0,1,2,3,4,5,6,7,8]]}}",
         "in:7: entry 1 of \"weights\" is not [NAME, index..., score]"},
        {"{\"n\":1,\"best\":{\"weights\":[[\"arc\",0,3,0]]}}",
         "in:7: entry 1 of \"weights\" is no arc between two of 1 words and the root"},
        {"{\"n\":1,\"best\":{\"weights\":[[\"arc\",1,1,0]]}}",
         "in:7: entry 1 of \"weights\" is no arc between two of 1 words and the root"},
        {"{\"n\":1,\"best\":{\"weights\":[[\"arc\",0.5,1,0]]}}",
         "in:7: entry 1 of \"weights\" is no arc between two of 1 words and the root"},
        {"{\"n\":1,\"best\":{\"weights\":[[\"emit\",1,0,0]]}}",
         "in:7: none of the weights is an arc (arc or sib); name the one that is with --arcs"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        if (bad[b][1]) {
            check_error(bad[b][0], &arcs, bad[b][1]);
        } else {
            OWNED(tz_text, out) = {0};
            assert_int_equal(text_of(bad[b][0], &arcs, &style, &out, NULL), TZ_IO);
        }
    }
    static const char *const bad_proofs[][2] = {
        {"{\"n\":1,\"best\":{}}", "in:7: no \"derivation\"; `trapeze run --derivation` gives one"},
        {"{\"derivation\":{}}", "in:7: node 1 of the derivation lacks \"item\""},
        {"{\"derivation\":{\"item\":\"a\"}}", "in:7: node 1 of the derivation lacks \"rule\""},
        {"{\"derivation\":{\"item\":7}}", "in:7: node 1 of the derivation: \"item\" is not a "
                                          "string"},
        {"{\"derivation\":{\"item\":\"a\",\"rule\":\"b\",\"index\":[1,2,3,4,5,6,7,8]}}",
         "in:7: node 1 of the derivation: \"index\" is not a list of at most 7 whole numbers "
         "or names"},
        {"{\"derivation\":{\"item\":\"a\",\"rule\":\"b\",\"premises\":{}}}",
         "in:7: node 1 of the derivation: \"premises\" is not a list"},
        {"{\"derivation\":{\"item\":\"a\",\"rule\":\"b\",\"premises\":[7]}}",
         "in:7: node 1 of the derivation: a premise is not an object"},
        {"{\"derivation\":{\"item\":\"a\",\"rule\":\"b\",\"premises\":[{}]}}",
         "in:7: node 2 of the derivation lacks \"item\""},
    };
    for (size_t b = 0; b < sizeof bad_proofs / sizeof *bad_proofs; b++)
        check_error(bad_proofs[b][0], &proofs, bad_proofs[b][1]);
}

/* What needs too many characters as text is refused, and drawn as SVG. */
TEST(too_large) {
    OWNED(tz_text, result) = {0}, out = {0};
    char part[64];
    int n = 40000;
    snprintf(part, sizeof part, "{\"n\":%d,\"best\":{\"weights\":[", n);
    tz_text_put(&result, part);
    for (int w = 1; w <= n; w++) { /* n / 2 heads, each inside the arc of the one before */
        snprintf(part, sizeof part, "%s[\"arc\",%d,%d,0]", w > 1 ? "," : "",
                 w == 1       ? 0
                 : w <= n / 2 ? n + 2 - w
                              : n + 1 - w,
                 w);
        tz_text_put(&result, part);
    }
    tz_text_put(&result, "]}}");
    tz_text_add(&result, "", 1);
    assert_int_equal(text_of(result.data, &arcs, &style, &out, NULL), TZ_TOO_LARGE);
    tz_text_clear(&out);
    assert_ok(svg_of(result.data, &arcs, &out));
}

/* ---- SVG ----------------------------------------------------------------------------------- */

/* Elements nest, attributes are quoted and of different names, entities are known, every character
 * is one that XML allows. */
static void check_xml(const char *text) {
    char open[16][16];
    size_t depth = 0, elements = 0;
    uint32_t code;
    size_t size = strlen(text);
    for (const char *at = text; *at;) {
        unsigned used = tz_utf8_decode(at, size - (size_t)(at - text), &code);
        assert_true(used > 0 && (code == '\n' || tz_utf8_printable(code)));
        if (*at == '&') {
            assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                        strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0 ||
                        strncmp(at, "&#39;", 5) == 0);
        }
        if (*at != '<') {
            assert_true(*at == '\n' || depth > 0);
            at += used;
            continue;
        }
        bool closes = at[1] == '/';
        at += closes ? 2 : 1;
        char name[16];
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        assert_true(length > 0 && length < sizeof name);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length;
        if (closes) {
            assert_true(depth > 0 && *at == '>');
            assert_string_equal(name, open[--depth]);
            at++;
            continue;
        }
        elements++;
        while (*at == ' ') {
            at += 1 + strcspn(at + 1, "= >");
            assert_true(*at++ == '=' && *at++ == '"');
            at += strcspn(at, "\"<");
            assert_true(*at++ == '"');
        }
        if (*at == '/') {
            at++;
        } else {
            assert_true(depth < 16);
            strcpy(open[depth++], name);
        }
        assert_true(*at++ == '>');
    }
    assert_int_equal(depth, 0);
    assert_true(elements > 0);
}

/* Each text says how wide it is, so that with any face words stand apart. */
static void check_widths(const char *svg) {
    for (const char *at = svg; (at = strstr(at, "<text ")); at++) {
        const char *end = strchr(at, '>'), *width = strstr(at, " textLength=\"");
        assert_non_null(end);
        assert_true(end[1] == '<' || (width != NULL && width < end));
    }
}

TEST(svg) {
    OWNED(tz_text, out) = {0};
    assert_ok(svg_of("{\"id\":\"a<b>&\\\"c'\\u0001\\ud83d\\ude00\",\"words\":[\"<&>\",\"x\"],"
                     "\"best\":{\"score\":0.5,\"weights\":[[\"arc\",0,1,0]]}}",
                     &arcs, &out));
    check_xml(out.data);
    check_widths(out.data);
    assert_non_null(strstr(out.data, " viewBox=\"-8 -8 "));
    assert_non_null(strstr(out.data,
                           "<title>a&lt;b&gt;&amp;&quot;c&#39;\xef\xbf\xbd\xf0\x9f\x98\x80"
                           ": score 0.5</title>"));
    assert_non_null(strstr(out.data, ">&lt;&amp;&gt;</text>"));
    assert_non_null(strstr(
        out.data, " fill=\"#999\" textLength=\"8\" lengthAdjust=\"spacingAndGlyphs\">x</text>"));
    assert_non_null(strstr(out.data, ">ROOT</text>"));
    tz_text_clear(&out);
    assert_ok(svg_of(derivation, &proofs, &out));
    check_xml(out.data);
    check_widths(out.data);
    assert_non_null(strstr(out.data, ">rtrap[0,1]</text>"));
    assert_non_null(strstr(out.data, ">attach</text>"));
}

TEST(numbers) {
    static const struct {
        int64_t px;
        const char *text;
    } cases[] = {{0, "0"},          {100, "1"},         {-100, "-1"},
                 {5, "0.05"},       {50, "0.5"},        {-5, "-0.05"},
                 {12345, "123.45"}, {-12340, "-123.4"}, {INT64_MIN, "-92233720368547758.08"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        OWNED(tz_text, out) = {0};
        tz_draw_px(&out, cases[c].px);
        tz_text_add(&out, "", 1);
        assert_string_equal(out.data, cases[c].text);
    }
}

/* ---- Memory -------------------------------------------------------------------------------- */

struct attempt {
    const char *result;
    const tz_result_choice *choice;
    bool svg;
};

static int attempt_figure(void *user) {
    const struct attempt *attempt = user;
    OWNED(tz_text, out) = {0};
    tz_error error;
    return attempt->svg ? svg_of(attempt->result, attempt->choice, &out)
                        : text_of(attempt->result, attempt->choice, &style, &out, &error);
}

TEST(memory) {
    struct attempt attempts[] = {{compression, &arcs, false},
                                 {compression, &arcs, true},
                                 {derivation, &proofs, false},
                                 {derivation, &proofs, true}};
    for (size_t a = 0; a < sizeof attempts / sizeof *attempts; a++)
        assert_true(oom_sweep("draw", attempt_figure, &attempts[a], TZ_NO_MEMORY, false) > 0);
}

TESTS_BETWEEN(set_up, tear_down)
