/* test_lm_arpa.c - are language models read from ARPA files as they were written, by us and by
 * others, and is every broken file refused with its line? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "sentences/lm/lm_train.h"
#include "tests/support/comma.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/written_lm.h"

static tz_status read_bytes(const char *bytes, size_t size, tz_lm **ret_lm, tz_error *error) {
    OWN(FILE, file) = need(fmemopen((void *)(uintptr_t)bytes, size, "r"));
    return tz_lm_read(file, "in", ret_lm, error);
}

static tz_lm *read_good(const char *text) {
    tz_lm *lm;
    tz_error error = {TZ_OK, ""};
    if (read_bytes(text, strlen(text), &lm, &error) != TZ_OK)
        fail_msg("%s\n%s", error.message, text);
    return lm;
}

static tz_lm *random_model(random_state *random, unsigned order) {
    static const char *const word[] = {"a",       "b",  "Ä",     "日本", "\\x",
                                       "\\end\\", "-1", "<UNK>", "%s"};
    OWN(tz_lm_trainer, trainer) = tz_lm_trainer_new();
    for (size_t s = 0; s < 1 + random_below(random, 60); s++) {
        for (size_t w = 0; w < random_below(random, 12); w++) {
            const char *text = word[random_below(random, sizeof word / sizeof *word)];
            assert_ok(tz_lm_trainer_word(trainer, text, strlen(text)));
        }
        tz_lm_trainer_end(trainer);
    }
    tz_lm_trainer_word(trainer, "z", 1);
    tz_lm_trainer_end(trainer);
    tz_lm_settings settings = {.order = order, .min_count = 1};
    tz_lm *lm;
    assert_ok(tz_lm_train(trainer, &settings, &lm, NULL));
    return lm;
}

/* The same file again, and the same numbers. */
TEST(round_trip) {
    random_state random = random_start("round trip");
    for (unsigned round = 0; round < 40; round++) {
        tz_lm *lm = random_model(&random, 1 + round % TZ_LM_ORDER), *again;
        size_t size, size_again;
        FREED(char, bytes) = written_lm(lm, &size);
        again = read_good(bytes);
        FREED(char, bytes_again) = written_lm(again, &size_again);
        assert_int_equal(size, size_again);
        assert_memory_equal(bytes, bytes_again, size);
        for (int question = 0; question < 500; question++) {
            uint32_t words[TZ_LM_ORDER];
            for (int i = 0; i < TZ_LM_ORDER; i++) {
                words[i] = (uint32_t)random_below(&random, tz_lm_count(lm, 1));
                assert_string_equal(tz_lm_text(lm, words[i]), tz_lm_text(again, words[i]));
            }
            assert_true(tz_lm_log_prob(lm, words, TZ_LM_ORDER - 1, words[TZ_LM_ORDER - 1]) ==
                        tz_lm_log_prob(again, words, TZ_LM_ORDER - 1, words[TZ_LM_ORDER - 1]));
        }
        tz_lm_free(lm);
        tz_lm_free(again);
    }
}

static uint32_t id(const tz_lm *lm, const char *word) {
    return tz_lm_word(lm, word, strlen(word));
}

/* log10 P(c | a b); NULL: no word. */
static double log10_of(const tz_lm *lm, const char *a, const char *b, const char *c) {
    uint32_t before[2];
    size_t count = 0;
    if (a)
        before[count++] = id(lm, a);
    if (b)
        before[count++] = id(lm, b);
    return tz_lm_log_prob(lm, before, count, id(lm, c)) / M_LN10;
}

static void assert_log10(const tz_lm *lm, const char *a, const char *b, const char *c,
                         double expected) {
    double found = log10_of(lm, a, b, c);
    /* Exact in the float, but for ln 10 and back. */
    if (!(found == expected || fabs(found - expected) <= 1e-15 * fabs(expected) + DBL_EPSILON)) {
        fail_msg("P(%s | %s %s): 10^%.17g, not 10^%.17g", c, a ? a : "", b ? b : "", found,
                 expected);
    }
}

/* As several tools write it: a comment in front, CR LF, blanks for tabs, n-grams in any order,
 * no backoff where it is 0, one in the highest order, +, exponents, no blank lines or many. Numbers
 * are fractions that floats hold. */
TEST(variants) {
    tz_lm *lm = read_good("made by hand\n"
                          "ngram 1=7\n"
                          "\n\\data\\\r\n"
                          "ngram 1=5\r\n"
                          "ngram  2 = 4 \n"
                          "ngram 3=2\n"
                          "\\1-grams:\n"
                          "-1.5 b -.5\n"
                          "-99\t<s>\t-0.25\n"
                          "\n\n"
                          "-0.5   a\t+.125  \n"
                          "\t-25e-1\t</s>\n"
                          "-3.\t<UNK>\t-99\n"
                          "\\2-grams:\n"
                          "-0.75 b a 0.5\n"
                          "-0.375 <s> b\n"
                          "-0 a b -1\n"
                          "-0.0625 <UNK> a\n"
                          "\n\\3-grams:\n"
                          "-0.125 <s> b a -7\n"
                          "-1.25 a b </s>\n"
                          "\n\\end\\\n"
                          "whatever follows\n");
    assert_int_equal(tz_lm_order(lm), 3);
    assert_int_equal(tz_lm_count(lm, 1), 5);
    assert_int_equal(tz_lm_count(lm, 3), 2);
    assert_log10(lm, NULL, NULL, "a", -0.5);
    assert_log10(lm, NULL, NULL, "<s>", -INFINITY);
    assert_log10(lm, NULL, NULL, "nowhere", -3);
    assert_log10(lm, NULL, "b", "a", -0.75);
    assert_log10(lm, NULL, "a", "a", 0.125 - 0.5);
    assert_log10(lm, NULL, "a", "b", 0);
    assert_log10(lm, NULL, "nowhere", "a", -0.0625);
    assert_log10(lm, NULL, "nowhere", "b", -INFINITY);
    assert_log10(lm, "<s>", "b", "a", -0.125);
    assert_log10(lm, "a", "b", "</s>", -1.25);
    assert_log10(lm, "a", "b", "a", -1 - 0.75);
    assert_log10(lm, "a", "b", "b", -1 - 0.5 - 1.5);
    assert_log10(lm, "b", "a", "b", 0.5 + 0);
    assert_log10(lm, "b", "a", "a", 0.5 + 0.125 - 0.5);
    assert_log10(lm, "b", "b", "a", -0.75); /* b b is not listed: nothing to pay */
    uint32_t sentence[] = {id(lm, "b"), id(lm, "a"), id(lm, "b")};
    assert_true(fabs(tz_lm_sentence(lm, sentence, 3) / M_LN10 - (-0.375 - 0.125 + 0.5 - 1.25)) <
                1e-14);
    tz_lm_free(lm);

    /* Without <unk>, <s> and </s>; an order without n-grams; of eight words. */
    lm = read_good("\\data\\\nngram 1=1\nngram 2=1\nngram 3=0\n\n\\1-grams:\n-1\ta\n\n\\2-grams:\n"
                   "-0.5 a a\n\n\\3-grams:\n\n\\end\\");
    assert_log10(lm, "a", "a", "a", -0.5);
    assert_log10(lm, "a", "a", "b", -1); /* as rare as the rarest that is listed */
    assert_log10(lm, "a", "a", "<s>", -INFINITY);
    assert_log10(lm, NULL, "<s>", "a", -1);
    double floor;
    assert_true(tz_lm_floor(lm, &floor));
    assert_true(floor == -1 * M_LN10);
    tz_lm_free(lm);
    char text[1024] = "\\data\\\n";
    for (unsigned n = 1; n <= 8; n++)
        sprintf(text + strlen(text), "ngram %u=1\n", n);
    for (unsigned n = 1; n <= 8; n++) {
        sprintf(text + strlen(text), "\\%u-grams:\n-%u", n, n);
        for (unsigned k = 0; k < n; k++)
            strcat(text, " a");
        strcat(text, "\n");
    }
    strcat(text, "\\end\\\n");
    lm = read_good(text);
    uint32_t all[8];
    for (size_t i = 0; i < 8; i++) {
        all[i] = id(lm, "a");
        assert_true(fabs(tz_lm_log_prob(lm, all, i, all[0]) / M_LN10 + (double)(i + 1)) < 1e-14);
    }
    tz_lm_free(lm);
}

#define HEAD "\\data\\\nngram 1=2\nngram 2=1\n\n\\1-grams:\n-1\ta\t-1\n-1\tb\n\n\\2-grams:\n"

TEST(bad) {
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"\n", "in:1: there is no line \\data\\: not an ARPA file"},
        {"ngram 1=1\n", "in:1: there is no line \\data\\: not an ARPA file"},
        {"\\data\\\n", "in:1: the file ends here, without \\end\\"},
        {"\\data\\\n\\1-grams:\n", "in:2: \\data\\ declares no n-grams"},
        {"\\data\\\nngram 2=1\n", "in:2: expected 'ngram 1=' and their number"},
        {"\\data\\\nngram 1=1\nngram 3=1\n", "in:3: expected 'ngram 2='"},
        {"\\data\\\nngram 11=1\n", "in:2: expected 'ngram 1='"},
        {"\\data\\\nngram1=1\n", "in:2: expected 'ngram 1='"},
        {"\\data\\\nn\n", "in:2: expected 'ngram 1='"},
        {"\\data\\\nngram 1\n", "in:2: 'ngram 1' lacks '='"},
        {"\\data\\\nngram 1=\n", "in:2: 'ngram 1' lacks '='"},
        {"\\data\\\nngram 1=-1\n", "in:2: 'ngram 1=-1' is not a number of n-grams below"},
        {"\\data\\\nngram 1=4294967295\n", "in:2: 'ngram 1=4294967295' is not a number"},
        {"\\data\\\nngram 1=99999999999999999999999\n", "in:2: 'ngram 1=9999"},
        {"\\data\\\nngram 1=0x1\n", "in:2: 'ngram 1=0x1' is not a number"},
        {"\\data\\\nngram 1=1\nngram 2=1\nngram 3=1\nngram 4=1\nngram 5=1\nngram 6=1\nngram 7=1\n"
         "ngram 8=1\nngram 9=1\n",
         "in:10: n-grams of more than 8 words are not supported"},
        {"\\data\\\nngram 1=1\n\\2-grams:\n", "in:3: expected '\\1-grams:', not '\\2-grams:'"},
        {"\\data\\\nngram 1=4000000000\n\\1-grams:\n-1 a\n\\end\\\n",
         "in:5: the header declares 4000000000 1-grams, but there are 1"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a\n-1 b\n", "in:5: there are more than the 1 1-gram"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a\n\\2-grams:\n", "in:5: expected '\\end\\', not"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1\n", "in:4: a line of the 1-grams has a log10"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a 0 0\n", "at least 4 fields"},
        {"\\data\\\nngram 1=1\n\\1-grams:\nx a\n",
         "in:4: the log10 probability is 'x', not a number"},
        {"\\data\\\nngram 1=1\n\\1-grams:\nnan a\n", "is 'nan', not a number"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n0x1 a\n", "is '0x1', not a number"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1,5 a\n", "is '-1,5', not a number"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n0.1 a\n", "in:4: the log10 probability 0.1 is above 0"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n1e999 a\n", "the log10 probability 1e999 is above 0"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a x\n", "the log10 backoff weight is 'x', not"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a inf\n", "the log10 backoff weight is 'inf', not"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a 1e9\n", "backoff weight 1e9 is above 99"},
        {"\\data\\\nngram 1=2\n\\1-grams:\n-1 a\n-1 a\n", "in:5: 'a' has been listed in line 4"},
        {"\\data\\\nngram 1=2\n\\1-grams:\n-1 <unk>\n-1 <UNK>\n", "in:5: '<UNK>' has been listed"},
        {"\\data\\\nngram 1=1\n\\1-grams:\n-1 a\xff\n", "in:4: byte 5 of the line is not UTF-8"},
        {HEAD "-1 a\n", "in:10: a line of the 2-grams has a log10 probability, 2 words, and"},
        {HEAD "-1 a c\n", "in:10: 'c' is not among the 1-grams"},
        {HEAD "-1 a b\n-1 b a\n\\end\\\n", "in:11: there are more than the 1 2-grams"},
        {HEAD "\\end\\\n", "in:10: the header declares 1 2-grams, but there are 0"},
        {HEAD "-1 a b\n", "in:10: the file ends here, without \\end\\"},
        {"\\data\\\nngram 1=1\nngram 2=2\n\\1-grams:\n-1 a\n\\2-grams:\n-1 a a\n-1 a a\n\\end\\\n",
         "in:8: 'a a' has been listed in line 7"},
        {"\\data\\\nngram 1=2\nngram 2=1\nngram 3=1\n\\1-grams:\n-1 a\n-1 b\n\\2-grams:\n-1 a a\n"
         "\\3-grams:\n-1 a b a\n\\end\\\n",
         "in:11: 'a b a' is listed, but what it continues, all but its last word, is not"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tz_lm *lm = (tz_lm *)&lm;
        tz_error error = {TZ_OK, ""};
        tz_status status = read_bytes(bad[i].text, strlen(bad[i].text), &lm, &error);
        if (status != TZ_IO || error.status != TZ_IO || !strstr(error.message, bad[i].message))
            fail_msg("%s\nexpected %s\nnot      %s", bad[i].text, bad[i].message, error.message);
        assert_null(lm);
        assert_int_equal(read_bytes(bad[i].text, strlen(bad[i].text), &lm, NULL), TZ_IO);
    }
}

/* Bytes changed, put in, taken out, cut off: a model, or a message that names the file. */
TEST(damage) {
    random_state random = random_start("damage");
    OWN(tz_lm, lm) = random_model(&random, 3);
    size_t size, refused = 0;
    FREED(char, bytes) = written_lm(lm, &size), *damaged = malloc(size + 8);
    enum { ROUNDS = 3000 };
    for (int round = 0; round < ROUNDS; round++) {
        static const char byte[] = "\n\t \\-.0189ae<\xff";
        size_t length = size;
        memcpy(damaged, bytes, size);
        for (size_t times = 1 + random_below(&random, 3); times > 0; times--) {
            size_t at = random_below(&random, length);
            switch (random_below(&random, 8)) {
            case 0:
                length = 1 + at;
                break;
            case 1:
                memmove(damaged + at, damaged + at + 1, --length - at);
                length += length == 0;
                break;
            default:
                damaged[at] = byte[random_below(&random, sizeof byte)];
            }
        }
        OWN(tz_lm, read) = NULL;
        tz_error error = {TZ_OK, ""};
        tz_status status = read_bytes(damaged, length, &read, &error);
        if (status == TZ_OK) {
            uint32_t before[2] = {TZ_LM_BEGIN, TZ_LM_UNKNOWN};
            assert_false(isnan(tz_lm_log_prob(read, before, 2, TZ_LM_END)));
        } else {
            assert_int_equal(status, TZ_IO);
            assert_true(strncmp(error.message, "in:", 3) == 0);
            refused++;
        }
    }
    print_message("# %zu of %d refused\n", refused, ROUNDS);
    assert_true(refused > ROUNDS / 2 && refused < ROUNDS);
}

/* In a locale that writes 1,5. */
TEST(locale) {
    use_comma();
    OWN(tz_lm, lm) = read_good("\\data\\\nngram 1=1\n\\1-grams:\n-1.5\ta\t-.25\n\\end\\\n");
    assert_log10(lm, NULL, NULL, "a", -1.5);
    size_t size;
    char *bytes = written_lm(lm, &size);
    assert_non_null(strstr(bytes, "-1.5\ta\n"));
    assert_null(strchr(bytes, ','));
    free(bytes);
    setlocale(LC_ALL, "C");
}

/* Floats and doubles come back as the same bits; what is no number is refused. */
TEST(numbers) {
    random_state random = random_start("numbers");
    for (int i = 0; i < 100000; i++) {
        uint32_t bits = (uint32_t)random_bits(&random);
        float number;
        double back;
        char text[TZ_NUMBER_SIZE];
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number)) {
            size_t size = tz_number_print_float(text, number);
            assert_int_equal(size, strlen(text));
            assert_true(tz_number_read(text, size, &back));
            float single = (float)back;
            assert_memory_equal(&single, &number, sizeof number);
            double number_2 = (double)number * random_unit(&random);
            size = tz_number_print(text, number_2);
            assert_true(tz_number_read(text, size, &back));
            assert_true(back == number_2);
        }
    }
    static const char *const good[] = {"1", "-1.", "+.5", "1e3", "1.5E-2", "00.10e+01", "1e999"};
    static const double value[] = {1, -1, 0.5, 1000, 0.015, 1, INFINITY};
    static const char *const bad[] = {"",
                                      "-",
                                      ".",
                                      "e1",
                                      "1e",
                                      "1e+",
                                      "--1",
                                      "1 ",
                                      " 1",
                                      "1,5",
                                      "0x10",
                                      "inf",
                                      "nan",
                                      "1.2.3",
                                      "1e1.5",
                                      "1-2",
                                      "123456789012345678901234567890123456789"};
    double number;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(tz_number_read(good[i], strlen(good[i]), &number));
        assert_true(number == value[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tz_number_read(bad[i], strlen(bad[i]), &number));
}

static int read_once(void *user) {
    /* Before the sweep sees it: stdio's own memory is not ours to fail. */
    FILE *file = user;
    rewind(file);
    OWN(tz_lm, lm) = NULL;
    return tz_lm_read(file, "in", &lm, NULL);
}

TEST(memory) {
    random_state random = random_start("memory");
    OWN(tz_lm, lm) = random_model(&random, 3);
    FILE *file = need(tmpfile());
    assert_ok(tz_lm_write(lm, file));
    assert_true(oom_sweep("reading", read_once, file, TZ_NO_MEMORY, false) > 10);
    fclose(file);
}

/* A full disk is noticed. */
TEST(full) {
    random_state random = random_start("full");
    FILE *file = fopen("/dev/full", "w");
    if (!file) {
        print_message("# skipped: no /dev/full\n");
        skip();
    }
    OWN(tz_lm, lm) = random_model(&random, 2);
    assert_int_equal(tz_lm_write(lm, file), TZ_IO);
    fclose(file);
}
