/* test_semirings.c - does tz_semiring_new make what its text says, and refuse with a useful
 * message?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include <trapeze/trapeze.h>

#include "semirings/maker.h"
#include "tests/support/oom.h"

static tz_semiring *made(const char *text, tz_precision precision) {
    tz_semiring *semiring;
    tz_error error;
    assert_ok(tz_semiring_new(text, precision, &semiring, &error));
    return semiring;
}

/* Every registered one, by its name: the same functions. */
TEST(plain_ones) {
    for (size_t i = 0; tz_semiring_at(i, TZ_F64) != NULL; i++)
        for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
            const tz_semiring *plain = tz_semiring_at(i, p);
            OWN(tz_semiring, semiring) = made(plain->name, p);
            assert_string_equal(semiring->name, plain->name);
            assert_ptr_equal(semiring->plus, plain->plus);
            assert_int_equal(semiring->size, plain->size);
        }
    tz_semiring_free(NULL);
}

TEST(forms) {
    size_t count = 0, kbest = 0;
    const char *form, *last = "";
    for (; (form = tz_semiring_form(count)) != NULL; count++) {
        assert_true(strcmp(last, form) < 0);
        kbest += strcmp(form, "kbest(K)") == 0;
        last = form;
    }
    assert_int_equal(kbest, 1);
    for (size_t i = 0; tz_semiring_at(i, TZ_F64) != NULL; i++) {
        size_t at = 0;
        while (strcmp(tz_semiring_form(at), tz_semiring_at(i, TZ_F64)->name) != 0)
            at++;
    }
}

TEST(kbest) {
    tz_semiring *semiring = made(" kbest( 5 ) ", TZ_F32);
    assert_string_equal(semiring->name, "kbest(5)");
    assert_int_equal(semiring->size, 8 * sizeof(float)); /* room for a power of two */
    assert_int_equal(tz_semiring_numbers(semiring), 5);
    assert_int_equal(semiring->laws, TZ_COMMUTATIVE | TZ_EXACT);
    tz_semiring_free(semiring);
    semiring = made("kbest(1)", TZ_F64);
    assert_int_equal(semiring->laws, TZ_COMMUTATIVE | TZ_EXACT | TZ_IDEMPOTENT | TZ_PATH);
    assert_int_equal(tz_semiring_numbers(tz_semiring_find("max", TZ_F64)), 1);
    tz_semiring_free(semiring);
}

TEST(refusals) {
    char known[200] = "";
    for (size_t i = 0; tz_semiring_form(i) != NULL; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i > 0 ? ", " : "",
                 tz_semiring_form(i));
    char unknown[300], nothing[300], nested[300];
    snprintf(unknown, sizeof unknown, "no semiring is called 'maximum'; there are %s", known);
    snprintf(nothing, sizeof nothing, "no semiring is called ''; there are %s", known);
    memset(nested, 'x', sizeof nested - 1);
    nested[sizeof nested - 1] = '\0';
    const struct {
        const char *text;
        tz_status status;
        const char *message;
    } bad[] = {
        {"maximum", TZ_BAD_ARGUMENT, unknown},
        {"", TZ_BAD_ARGUMENT, nothing},
        {"()", TZ_BAD_ARGUMENT, nothing},
        {"max(3)", TZ_BAD_ARGUMENT, "max takes 0 parameters, not 1: write max"},
        {"kbest", TZ_BAD_ARGUMENT, "kbest takes 1 parameter, not 0: write kbest(K)"},
        {"kbest()", TZ_BAD_ARGUMENT, "kbest takes 1 parameter, not 0: write kbest(K)"},
        {"kbest(1,2)", TZ_BAD_ARGUMENT, "kbest takes 1 parameter, not 2: write kbest(K)"},
        {"kbest(,,)", TZ_BAD_ARGUMENT, "kbest takes 1 parameter, not 3: write kbest(K)"},
        {"kbest(0)", TZ_BAD_ARGUMENT,
         "kbest(K) takes a whole number from 1 on, such as kbest(5), not '0'"},
        {"kbest(-1)", TZ_BAD_ARGUMENT,
         "kbest(K) takes a whole number from 1 on, such as kbest(5), not '-1'"},
        {"kbest(max)", TZ_BAD_ARGUMENT,
         "kbest(K) takes a whole number from 1 on, such as kbest(5), not 'max'"},
        {"kbest(16385)", TZ_TOO_LARGE, "kbest(K): K is 16384 at most"},
        {"kbest(99999999999999999999)", TZ_TOO_LARGE,
         "kbest(K): 99999999999999999999 is too large"},
        {"kbest(5", TZ_BAD_ARGUMENT,
         "'kbest(5': parentheses do not match; write NAME or NAME(PARAMETER)"},
        {"kbest(5))", TZ_BAD_ARGUMENT,
         "'kbest(5))': parentheses do not match; write NAME or NAME(PARAMETER)"},
        {"kbest5)", TZ_BAD_ARGUMENT,
         "'kbest5)': parentheses do not match; write NAME or NAME(PARAMETER)"},
        {"ways,max", TZ_BAD_ARGUMENT, "'ways,max': a comma between semirings; one is taken here"},
        {"resource(kept,3,max)", TZ_BAD_ARGUMENT,
         "resource is not a semiring here: charge the rules with the resource, and run the "
         "semiring over the charged rules"},
        {nested, TZ_TOO_LARGE, "the text of a semiring has 255 bytes at most"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tz_semiring *semiring = (tz_semiring *)&semiring;
        tz_error error;
        assert_int_equal(tz_semiring_new(bad[i].text, TZ_F64, &semiring, &error), bad[i].status);
        assert_null(semiring);
        assert_int_equal(error.status, bad[i].status);
        assert_string_equal(error.message, bad[i].message);
        assert_int_equal(tz_semiring_new(bad[i].text, TZ_F64, &semiring, NULL), bad[i].status);
    }
}

static int attempt(void *user) {
    OWN(tz_semiring, semiring) = NULL;
    return tz_semiring_new(user, TZ_F64, &semiring, NULL);
}

TEST(no_memory) {
    static char *const text[] = {"max", "entropy", "kbest(50)"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_int_equal(oom_sweep(text[i], attempt, text[i], TZ_NO_MEMORY, false), 1);
}
