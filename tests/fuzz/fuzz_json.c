/* fuzz_json.c - problems as lines of JSON: read, checked, answered. The first byte chooses the rule
 * set and the semiring; the others are lines. SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "io/json/json_result.h"
#include "problems.h"

/* What is echoed is JSON again. */
static void echo(const tz_json_problem *problem) {
    const json_t *again;
    tz_error error;
    OWNED(tz_text, text) = {0};
    OWN(tz_arena, arena) = tz_arena_new();
    tz_json_open(&text, problem);
    tz_text_put(&text, "}");
    FUZZ_CHECK(arena != NULL && !text.failed);
    FUZZ_CHECK(tz_json_parse(arena, text.data, text.size, &again, &error) == TZ_OK);
}

void fuzz_target(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    const fuzz_chart *chart = fuzz_chart_of(fuzz_byte(&input));
    OWNED(tz_json_problem, problem) = {0};
    tz_error error;
    tz_status status;
    char *line;
    size_t length;
    FUZZ_CHECK(tz_json_problem_init(&problem, chart->rules, chart->semiring) == TZ_OK);
    fuzz_text in = fuzz_lines(input.at, input.left, FUZZ_SIZE);
    while ((status = tz_lines_next(in.lines, &line, &length, &error)) != TZ_NONE) {
        if (status == TZ_OK)
            status = tz_json_problem_read(&problem, line, length, &error);
        if (status != TZ_OK) {
            fuzz_check_error(status, &error);
            continue;
        }
        echo(&problem);
        fuzz_answer(chart, &problem.problem);
    }
    fuzz_lines_free(&in);
}
