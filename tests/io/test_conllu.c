/* test_conllu.c - does the CoNLL-U reader read what the format allows, and say what is wrong with
 * the rest? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/conllu/conllu.h"
#include "tests/support/oom.h"

struct input {
    FILE *file;
    tz_lines *lines;
    tz_conllu *conllu;
    const tz_conllu_sentence *sentence;
    tz_error error;
};

static void open_text(struct input *input, const char *text, size_t size) {
    input->file = need(fmemopen((char *)text, size, "r"));
    input->lines = need(tz_lines_new(input->file, "in", TZ_CONLLU_LINE));
    input->conllu = need(tz_conllu_new(input->lines));
}

static void close_input(struct input *input) {
    tz_conllu_free(input->conllu);
    tz_lines_free(input->lines);
    fclose(input->file);
}

static tz_status next(struct input *input) {
    return tz_conllu_next(input->conllu, &input->sentence, &input->error);
}

static const char good[] = "# newdoc\n"
                           "# sent_id = one\n"
                           "# text = zum Meer\n"
                           "1-2\tzum\tl\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                           "1\tzu\tl\t_\t_\t_\t3\tdep\t_\t_\n"
                           "2\tdem\tl\t_\t_\t_\t3\tdep\t_\tSpaceAfter=Nope|Gloss=the\n"
                           "2.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "2.2\tf\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "3\tMeer\tl\t_\t_\t_\t0\tdep\t_\tGloss=sea|SpaceAfter=No\n"
                           "\n\n"
                           "# global.columns = ID\n"
                           "\n"
                           "#sent_id = two\n"
                           "1\ta b\t_\t_\t_\t_\t_\t_\t_\t_\n"
                           "2\t日本\t_\t_\t_\t_\t0\t_\t_\t_";

static void check_good(struct input *input) {
    assert_ok(next(input));
    const tz_conllu_sentence *s = input->sentence;
    assert_string_equal(s->id, "one");
    assert_int_equal(s->words, 3);
    assert_int_equal(s->rows, 9);
    assert_null(s->word[0]);
    static const int32_t head[] = {0, 3, 3, 0};
    for (int32_t w = 1; w <= 3; w++) {
        assert_int_equal(s->word[w]->kind, TZ_WORD);
        assert_int_equal(s->word[w]->first, w);
        assert_int_equal(s->word[w]->last, w);
        assert_int_equal(s->word[w]->head, head[w]);
        assert_string_equal(s->word[w]->column[TZ_LEMMA], "l");
        assert_string_equal(s->word[w]->column[TZ_DEPREL], "dep");
    }
    assert_string_equal(s->word[3]->column[TZ_FORM], "Meer");
    assert_true(s->word[2]->space_after);
    assert_false(s->word[3]->space_after);
    assert_int_equal(s->word[3]->line, 9);
    assert_int_equal(s->row[2].kind, TZ_COMMENT);
    assert_string_equal(s->row[2].column[0], "# text = zum Meer");
    assert_string_equal(s->row[2].column[TZ_MISC], "");
    assert_int_equal(s->row[3].kind, TZ_MULTIWORD);
    assert_int_equal(s->row[3].first, 1);
    assert_int_equal(s->row[3].last, 2);
    assert_string_equal(s->row[3].column[TZ_FORM], "zum");
    assert_false(s->row[3].space_after);
    assert_int_equal(s->row[7].kind, TZ_EMPTY_NODE);
    assert_int_equal(s->row[7].first, 2);
    assert_string_equal(s->row[7].column[TZ_ID], "2.2");

    assert_ok(next(input));
    s = input->sentence;
    assert_string_equal(s->id, "two");
    assert_int_equal(s->words, 2);
    assert_int_equal(s->word[1]->head, -1);
    assert_string_equal(s->word[1]->column[TZ_FORM], "a b");
    assert_string_equal(s->word[2]->column[TZ_FORM], "日本");
    assert_int_equal(next(input), TZ_NONE);
    assert_null(input->sentence);
    assert_int_equal(next(input), TZ_NONE);
}

TEST(good) {
    struct input input;
    open_text(&input, good, strlen(good));
    check_good(&input);
    close_input(&input);
}

/* The same with a byte order mark, CR LF, and a blank line at the end. */
TEST(crlf) {
    char text[2 * sizeof good + 16], *to = text + sprintf(text, "\xef\xbb\xbf");
    for (const char *at = good; *at; at++)
        to += sprintf(to, *at == '\n' ? "\r\n" : "%c", *at);
    to += sprintf(to, "\r\n\r\n");
    struct input input;
    open_text(&input, text, (size_t)(to - text));
    check_good(&input);
    close_input(&input);
}

#define ROW(id, form, head, misc) id "\t" form "\tl\tNOUN\t_\t_\t" head "\tdep\t_\t" misc

/* Each text is refused with this message; a good sentence follows it and is read. */
static const struct {
    const char *text, *message;
} bad[] = {
    {"1\ta\tb", "in:1: 3 columns where CoNLL-U has 10, separated by single tabs"},
    {"word", "in:1: 1 column where CoNLL-U has 10, separated by single tabs"},
    {ROW("1", "a", "0", "_") "\tx",
     "in:1: 11 columns where CoNLL-U has 10, separated by single tabs"},
    {ROW("1", "", "0", "_"), "in:1: column FORM is empty; an unknown value is written _"},
    {ROW("1", "a", "0", ""), "in:1: column MISC is empty; an unknown value is written _"},
    {ROW("x", "a", "0", "_"), "in:1: the id is 'x', not a number (3), a range (3-4) or an empty "
                              "node (3.1)"},
    {ROW("1-", "a", "0", "_"), "in:1: the id is '1-', not a number (3), a range (3-4) or an empty "
                               "node (3.1)"},
    {ROW("01", "a", "0", "_"), "in:1: the id is '01', not a number (3), a range (3-4) or an empty "
                               "node (3.1)"},
    {ROW("99999999999", "a", "0", "_"), "in:1: the id is '99999999999', not a number (3), a range "
                                        "(3-4) or an empty node (3.1)"},
    {ROW("2", "a", "0", "_"), "in:1: word 2 stands where 1 is expected"},
    {ROW("0", "a", "0", "_"), "in:1: word 0 stands where 1 is expected"},
    {ROW("1", "a", "0", "_") "\n" ROW("1", "a", "0", "_"),
     "in:2: word 1 stands where 2 is expected"},
    {ROW("1.1", "a", "_", "_"), "in:1: empty node 1.1 stands where 0.1 is expected"},
    {ROW("0.2", "a", "_", "_"), "in:1: empty node 0.2 stands where 0.1 is expected"},
    {ROW("2-3", "a", "_", "_"),
     "in:1: multiword token 2-3 must stand before its first word and overlap no other"},
    {ROW("1-2", "a", "_", "_") "\n" ROW("1", "a", "0", "_") "\n" ROW("2-3", "a", "_", "_"),
     "in:3: multiword token 2-3 must stand before its first word and overlap no other"},
    {ROW("1-2", "a", "_", "_") "\n" ROW("1", "a", "0", "_"),
     "in:1: multiword token 1-2 ends after the last word, 1"},
    {ROW("1-2", "a", "_", "_"), "in:1: multiword token 1-2 ends after the last word, 0"},
    {ROW("1", "a", "2", "_"), "in:1: the head of word 1 is 2, but the sentence has 1 word"},
    {ROW("1", "a", "-1", "_"), "in:1: the head of word 1 is '-1', not the number of a word, 0 or "
                               "_"},
    {ROW("1", "a", "x\033[31myyyyyyyyyyyyyyyyyyyyyyyyyy", "_"),
     "in:1: the head of word 1 is 'x?[31myyyyyyyyyyyyyy...', not the number of a word, 0 or _"},
    {ROW("1", "a", "1", "_"), "in:1: word 1 is its own head"},
    {ROW("1", "a", "2", "_") "\n" ROW("2", "a", "3", "_") "\n" ROW("3", "a", "2", "_"),
     "in:2: the heads of word 2, of its head 3, and so on form a cycle"},
    {"# text = a b", "in:1: a sentence without words"},
    {"# c\n#sent_id = 1", "in:1: a sentence without words"},
    {ROW("0.1", "a", "_", "_"), "in:1: a sentence without words"},
    {"# a\xff", "in:1: byte 4 of the line is not UTF-8"},
    {"# \xc0\xaf", "in:1: byte 3 of the line is not UTF-8"},
    {"# \xed\xa0\x80", "in:1: byte 3 of the line is not UTF-8"},
    {"# \xf4\x90\x80\x80", "in:1: byte 3 of the line is not UTF-8"},
    {"# \xe6\x97", "in:1: byte 3 of the line is not UTF-8"},
};

TEST(bad) {
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        char text[1024];
        int size = snprintf(text, sizeof text, "%s\n%s\n\n%s\n", bad[b].text,
                            b % 2 ? "" : "# passed over", ROW("1", "good", "0", "_"));
        struct input input;
        open_text(&input, text, (size_t)size);
        assert_int_equal(next(&input), TZ_IO);
        assert_string_equal(input.error.message, bad[b].message);
        assert_int_equal(input.error.status, TZ_IO);
        assert_null(input.sentence);
        assert_ok(next(&input));
        assert_string_equal(input.sentence->word[1]->column[TZ_FORM], "good");
        assert_int_equal(next(&input), TZ_NONE);
        close_input(&input);
    }
}

TEST(zero_byte) {
    static const char text[] = "# a\0b\n";
    struct input input;
    open_text(&input, text, sizeof text - 1);
    assert_int_equal(next(&input), TZ_IO);
    assert_string_equal(input.error.message, "in:1: byte 4 of the line is zero");
    assert_int_equal(next(&input), TZ_NONE);
    close_input(&input);
}

/* A field of many megabytes is refused, and the file goes on behind it. */
TEST(giant_field) {
    static const char after[] = "\t_\t_\t_\t_\t0\t_\t_\t_\n\n" ROW("1", "good", "0", "_");
    size_t size = 8u << 20;
    FREED(char, text) = need(malloc(size + sizeof after));
    memset(text, 'x', size);
    memcpy(text, "1\t", 2);
    memcpy(text + size, after, sizeof after);
    struct input input;
    open_text(&input, text, size + sizeof after - 1);
    assert_int_equal(next(&input), TZ_IO);
    assert_string_equal(input.error.message, "in:1: the line is longer than 1048576 bytes");
    assert_ok(next(&input));
    assert_string_equal(input.sentence->word[1]->column[TZ_FORM], "good");
    close_input(&input);
}

/* A chain of 200,000 words: no recursion, and linear time. */
TEST(long_sentence) {
    int words = 200000;
    char *text = malloc((size_t)words * 64), *to = text;
    assert_non_null(text);
    for (int w = 1; w <= words; w++)
        to += sprintf(to, "%d\tw\t_\t_\t_\t_\t%d\t_\t_\t_\n", w, w < words ? w + 1 : 0);
    struct input input;
    open_text(&input, text, (size_t)(to - text));
    assert_ok(next(&input));
    assert_int_equal(input.sentence->words, words);
    assert_int_equal(input.sentence->word[words - 1]->head, words);
    close_input(&input);
    free(text);
}

static int read_good(void *user) {
    (void)user;
    int result = TZ_NO_MEMORY;
    FILE *file = fmemopen((char *)good, strlen(good), "r");
    OWN(tz_lines, lines) = file ? tz_lines_new(file, "in", TZ_CONLLU_LINE) : NULL;
    OWN(tz_conllu, conllu) = lines ? tz_conllu_new(lines) : NULL;
    for (int sentences = 0; conllu;) {
        const tz_conllu_sentence *sentence;
        tz_status status = tz_conllu_next(conllu, &sentence, NULL);
        if (status != TZ_OK) {
            result = status == TZ_NONE && sentences == 2 ? 0 : (int)status;
            break;
        }
        sentences++;
    }
    if (file)
        fclose(file);
    return result;
}

TEST(memory) {
    assert_true(oom_sweep("conllu", read_good, NULL, TZ_NO_MEMORY, false) > 0);
}

/* Every word line of a treebank is a word: counted here by another route. */
TEST(treebanks) {
    static const char *const files[] = {
        "ud-english-ewt/en_ewt-ud-dev.conllu", "ud-czech-cltt/cs_cltt-ud-dev.conllu",
        "ud-german-gsd/de_gsd-ud-dev.conllu", "ud-japanese-gsd/ja_gsd-ud-dev.conllu"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/../shared/data/%s", TZ_SOURCE_ROOT, files[f]);
        FILE *file = fopen(name, "r");
        if (!file) {
            print_message("%s is not there\n", name);
            skip();
        }
        size_t words = 0, sentences = 0, read_words = 0, read_sentences = 0;
        static char line[1 << 20];
        while (fgets(line, sizeof line, file)) {
            size_t digits = strspn(line, "0123456789");
            words += digits > 0 && line[digits] == '\t';
            sentences += line[0] == '\n';
        }
        rewind(file);
        struct input input = {.file = file, .lines = tz_lines_new(file, name, TZ_CONLLU_LINE)};
        assert_non_null(input.lines);
        input.conllu = need(tz_conllu_new(input.lines));
        tz_status status;
        while ((status = next(&input)) == TZ_OK) {
            read_words += (size_t)input.sentence->words;
            read_sentences++;
        }
        assert_int_equal(status, TZ_NONE);
        assert_int_equal(read_words, words);
        assert_int_equal(read_sentences, sentences);
        close_input(&input);
    }
}
