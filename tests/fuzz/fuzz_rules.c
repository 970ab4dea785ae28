/* fuzz_rules.c - rule files: read, compiled, shown, and what is shown read again.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "rules/table.h"

static char *shown(const tz_rules *rules, tz_figures format, size_t *ret_size) {
    size_t size = tz_rules_show(rules, format, NULL, 0);
    FUZZ_CHECK(size > 0);
    char *text = malloc(size + 1);
    FUZZ_CHECK(text != NULL && tz_rules_show(rules, format, text, size + 1) == size);
    *ret_size = size;
    return text;
}

/* What is shown as text is a rule file, which shows itself. */
static void read_back(const tz_rules *rules) {
    size_t size, again;
    char *text = shown(rules, TZ_FIGURES_TEXT, &size), *twice;
    OWN(tz_rules, read) = NULL;
    tz_error error;
    if (tz_rules_parse("shown", text, size, &read, &error) != TZ_OK)
        fuzz_fail("%s\n%s", text, error.message);
    twice = shown(read, TZ_FIGURES_TEXT, &again);
    if (again != size || memcmp(text, twice, size) != 0)
        fuzz_fail("%s\n%s", text, twice);
    FUZZ_CHECK(read->kinds == rules->kinds && read->steps == rules->steps);
    FUZZ_CHECK(read->rule_count == rules->rule_count);
    free(text);
    free(twice);
}

void fuzz_target(const uint8_t *data, size_t size) {
    OWN(tz_rules, rules) = NULL;
    tz_error error;
    char degree[200];
    size_t shown_size;
    unsigned line, column;
    char *text = fuzz_copy(data, size);
    tz_status status = tz_rules_parse("input", text, size, &rules, &error);
    free(text);
    if (status != TZ_OK) {
        FUZZ_CHECK(status == TZ_BAD_RULES);
        fuzz_check_error(status, &error);
        FUZZ_CHECK(sscanf(error.message, "input:%u:%u: ", &line, &column) == 2);
        return;
    }
    read_back(rules);
    free(shown(rules, TZ_FIGURES_LATEX, &shown_size));
    free(shown(rules, TZ_FIGURES_DOT, &shown_size));
    FUZZ_CHECK(tz_rules_show(rules, TZ_FIGURES_ORDER, NULL, 0) > 0);
    for (int space = 0; space < 2; space++) {
        status = tz_rules_degree(rules, space, degree, sizeof degree);
        FUZZ_CHECK(status == TZ_OK || status == TZ_TOO_LARGE);
    }
    for (size_t w = 0; tz_rules_warning(rules, w, &line, &column) != NULL; w++)
        FUZZ_CHECK(line > 0 && column > 0);
}
