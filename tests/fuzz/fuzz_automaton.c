/* fuzz_automaton.c - automata: read, shown and read again, composed with themselves.
 *
 * The first byte says how. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <trapeze/automaton.h>

#include "fuzz.h"

enum { MOST_ARCS = 30 };

static char *shown(const tz_automaton *automaton, size_t *ret_size) {
    *ret_size = tz_automaton_show(automaton, NULL, 0);
    char *text = malloc(*ret_size + 1);
    FUZZ_CHECK(text != NULL && *ret_size > 0);
    FUZZ_CHECK(tz_automaton_show(automaton, text, *ret_size + 1) == *ret_size);
    return text;
}

static tz_automaton *again(const tz_automaton *automaton, const tz_automaton_form *form,
                           char **ret_text) {
    size_t size;
    tz_automaton *read;
    tz_error error;
    *ret_text = shown(automaton, &size);
    const tz_named_text of = {"shown", *ret_text, size};
    if (tz_automaton_parse(&of, form, &read, &error) != TZ_OK)
        fuzz_fail("%s\n%s", *ret_text, error.message);
    return read;
}

/* What is shown shows itself, once states have the order of the text. */
static void read_back(const tz_automaton *automaton, const tz_automaton_form *form) {
    size_t size;
    char *text[3];
    OWN(tz_automaton, once) = again(automaton, form, &text[0]);
    OWN(tz_automaton, twice) = again(once, form, &text[1]);
    text[2] = shown(twice, &size);
    if (strcmp(text[1], text[2]) != 0 || strlen(text[0]) != size)
        fuzz_fail("%s\n%s\n%s", text[0], text[1], text[2]);
    for (unsigned t = 0; t < 3; t++)
        free(text[t]);
}

void fuzz_target(const uint8_t *data, size_t size) {
    static const char symbols[] = "e 0\na 1\nb 2\n";
    const tz_named_text table = {"table", symbols, sizeof symbols - 1};
    tz_automaton *both;
    OWN(tz_automaton, automaton) = NULL;
    tz_error error;
    unsigned line, column;
    if (size == 0)
        return;
    const tz_automaton_form form = {.weights = (tz_arc_weights)(data[0] % 3),
                                    .transducer = data[0] / 3 % 2 == 1,
                                    .inputs = data[0] / 6 % 2 == 1 ? &table : NULL};
    char *text = fuzz_copy(data + 1, size - 1);
    const tz_named_text of = {"input", text, size - 1};
    const tz_status status = tz_automaton_parse(&of, &form, &automaton, &error);
    free(text);
    if (status != TZ_OK) {
        FUZZ_CHECK(status == TZ_BAD_RULES);
        fuzz_check_error(status, &error);
        FUZZ_CHECK(sscanf(error.message, "input:%u:%u: ", &line, &column) == 2);
        return;
    }
    if (form.inputs == NULL)
        read_back(automaton, &form);
    if (tz_automaton_parts_of(automaton)->arcs <= MOST_ARCS) {
        FUZZ_CHECK(tz_automaton_compose(automaton, automaton, &both, &error) == TZ_OK);
        FUZZ_CHECK(tz_automaton_parts_of(both)->states > 0);
        tz_automaton_free(both);
    }
}
