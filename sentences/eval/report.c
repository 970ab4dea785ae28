/* report.c - see report.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *measured(const tz_report *r) {
    return r->opt_of ? r->opt_of : "sentences";
}

/* What resampling says: of each figure. */
typedef struct answers {
    tz_interval *of[2];
    tz_difference *difference; /* of two systems */
} answers;

static void answers_free(answers *a) {
    free(a->of[0]);
    free(a->of[1]);
    free(a->difference);
}

static tz_status ask(const tz_report *r, answers *a) {
    size_t figures = r->system[0].figures;
    tz_status status = TZ_OK;
    *a = (answers){0};
    for (size_t s = 0; s < r->systems && status == TZ_OK; s++) {
        a->of[s] = calloc(figures + 1, sizeof *a->of[s]);
        status = a->of[s] ? tz_estimate(&r->resampling, &r->system[s], a->of[s]) : TZ_NO_MEMORY;
    }
    if (r->systems == 2 && status == TZ_OK) {
        a->difference = calloc(figures + 1, sizeof *a->difference);
        status = a->difference
                     ? tz_compare(&r->resampling, &r->system[0], &r->system[1], a->difference)
                     : TZ_NO_MEMORY;
    }
    return status;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { NAME_COLUMNS = 24 };

__attribute__((format(printf, 2, 3))) static void put(tz_text *text, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    tz_text_put(text, line);
}

static int name_columns(const tz_report *r) {
    size_t widest = NAME_COLUMNS;
    for (size_t f = 0; f < r->system[0].figures; f++) {
        size_t size = strlen(r->figure[f].name);
        widest = size > widest ? size : widest;
    }
    return (int)widest;
}

/* "12 of 34 words" */
static void put_counts(tz_text *text, const tz_measured *m, size_t f, const char *unit) {
    double part = 0, whole = 0;
    for (size_t s = 0; s < m->sentences; s++) {
        part += m->ratio[s * m->figures + f].part;
        whole += m->ratio[s * m->figures + f].whole;
    }
    put(text, "  %.0f of %.0f %s", part, whole, unit);
}

static void table_of_one(const tz_report *r, const answers *a, tz_text *text) {
    int columns = name_columns(r);
    for (size_t f = 0; f < r->system[0].figures; f++) {
        const tz_interval *i = &a->of[0][f];
        if (i->defined) {
            put(text, "%-*s %7.2f %%  [%6.2f, %6.2f]", columns, r->figure[f].name, 100 * i->value,
                100 * i->low, 100 * i->high);
            if (r->figure[f].opt_unit)
                put_counts(text, &r->system[0], f, r->figure[f].opt_unit);
            tz_text_put(text, "\n");
        }
    }
}

static void put_cell(tz_text *text, const tz_interval *i, const char *format) {
    if (i->defined)
        put(text, format, 100 * i->value, 100 * i->low, 100 * i->high);
    else
        put(text, "%9s%-17s", "-", "");
}

static void end_line(tz_text *text) {
    while (text->size > 0 && text->data[text->size - 1] == ' ')
        text->size--;
    tz_text_put(text, "\n");
}

static void table_of_two(const tz_report *r, const answers *a, tz_text *text) {
    int columns = name_columns(r);
    put(text, "%-*s%9s%-17s%9s%-17s%9s%-17s%7s%8s\n", columns, "%", "1", "", "2", "", "2 - 1", "",
        "2 > 1", "p");
    for (size_t f = 0; f < r->system[0].figures; f++) {
        const tz_difference *d = &a->difference[f];
        if (a->of[0][f].defined || a->of[1][f].defined) {
            put(text, "%-*s", columns, r->figure[f].name);
            put_cell(text, &a->of[0][f], "  %7.2f [%6.2f, %6.2f]");
            put_cell(text, &a->of[1][f], "  %7.2f [%6.2f, %6.2f]");
            if (d->interval.defined) {
                put_cell(text, &d->interval, "  %+7.2f [%+6.2f, %+6.2f]");
                put(text, "%7.1f%8.4f", 100 * d->greater, d->p);
            }
            end_line(text);
        }
    }
    for (size_t s = 0; s < 2; s++) {
        put(text, "%zu: ", s + 1);
        tz_text_put(text, r->name[s]);
        tz_text_put(text, "\n");
    }
}

static void print_table(const tz_report *r, const answers *a, tz_text *text) {
    (r->systems == 2 ? table_of_two : table_of_one)(r, a, text);
    for (size_t i = 0; i < r->remarks; i++) {
        const tz_remark *remark = &r->remark[i];
        put(text, remark->percent ? "%s: %.2f %%\n" : "%s: %.15g\n", remark->name,
            remark->percent ? 100 * remark->value : remark->value);
    }
    put(text, "%zu %s; in brackets 95 %% of %zu bootstrap samples of them\n",
        r->system[0].sentences, measured(r), r->resampling.resamples);
    if (r->systems == 2)
        put(text, "2 > 1: share of samples where 2 is greater; p: approximate randomisation\n");
}

/* ---- Tab-separated values -------------------------------------------------------------------- */

static void tsv_number(tz_text *text, bool defined, double number) {
    tz_text_put(text, "\t");
    if (defined)
        tz_text_number(text, number);
    else
        tz_text_put(text, "NA");
}

static void tsv_interval(tz_text *text, const tz_interval *i) {
    tsv_number(text, i->defined, i->value);
    tsv_number(text, i->defined, i->low);
    tsv_number(text, i->defined, i->high);
}

static void print_tsv(const tz_report *r, const answers *a, tz_text *text) {
    tz_text_put(text, r->systems == 1
                          ? "figure\tvalue\tlow\thigh\n"
                          : "figure\tvalue1\tlow1\thigh1\tvalue2\tlow2\thigh2\tdifference\t"
                            "difference_low\tdifference_high\tgreater\tp\n");
    for (size_t f = 0; f < r->system[0].figures; f++) {
        tz_text_put(text, r->figure[f].key);
        for (size_t s = 0; s < r->systems; s++)
            tsv_interval(text, &a->of[s][f]);
        if (r->systems == 2) {
            const tz_difference *d = &a->difference[f];
            tsv_interval(text, &d->interval);
            tsv_number(text, d->interval.defined, d->greater);
            tsv_number(text, d->interval.defined, d->p);
        }
        tz_text_put(text, "\n");
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_key(tz_text *text, const char *before, const char *key) {
    tz_text_put(text, before);
    tz_text_quote(text, key, strlen(key));
    tz_text_put(text, ":");
}

static void json_number(tz_text *text, const char *before, const char *key, double number) {
    json_key(text, before, key);
    tz_text_number(text, number);
}

/* The members of an interval, and the object's end left to the caller. */
static void json_interval(tz_text *text, const tz_interval *i) {
    json_number(text, "{", "value", i->value);
    json_number(text, ",", "low", i->low);
    json_number(text, ",", "high", i->high);
}

static void json_figure(const tz_report *r, const answers *a, size_t f, tz_text *text) {
    json_key(text, f > 0 ? ",{" : "{", "figure");
    tz_text_quote(text, r->figure[f].key, strlen(r->figure[f].key));
    tz_text_put(text, ",\"systems\":[");
    for (size_t s = 0; s < r->systems; s++) {
        tz_text_put(text, s > 0 ? "," : "");
        if (a->of[s][f].defined) {
            json_interval(text, &a->of[s][f]);
            tz_text_put(text, "}");
        } else {
            tz_text_put(text, "null");
        }
    }
    tz_text_put(text, "]");
    if (r->systems == 2) {
        const tz_difference *d = &a->difference[f];
        tz_text_put(text, ",\"difference\":");
        if (d->interval.defined) {
            json_interval(text, &d->interval);
            json_number(text, ",", "greater", d->greater);
            json_number(text, ",", "p", d->p);
            tz_text_put(text, "}");
        } else {
            tz_text_put(text, "null");
        }
    }
    tz_text_put(text, "}");
}

static void print_json(const tz_report *r, const answers *a, tz_text *text) {
    json_number(text, "{", measured(r), (double)r->system[0].sentences);
    json_number(text, ",", "resamples", (double)r->resampling.resamples);
    json_number(text, ",", "seed", (double)r->resampling.seed);
    for (size_t i = 0; i < r->remarks; i++)
        json_number(text, ",", r->remark[i].key, r->remark[i].value);
    json_key(text, ",", "systems");
    for (size_t s = 0; s < r->systems; s++) {
        tz_text_put(text, s > 0 ? "," : "[");
        tz_text_quote(text, r->name[s], strlen(r->name[s]));
    }
    tz_text_put(text, "],\"figures\":[");
    for (size_t f = 0; f < r->system[0].figures; f++)
        json_figure(r, a, f, text);
    tz_text_put(text, "]}\n");
}

/* ---------------------------------------------------------------------------------------------- */

static void (*const print[])(const tz_report *r, const answers *a, tz_text *text) = {
    [TZ_REPORT_TABLE] = print_table,
    [TZ_REPORT_TSV] = print_tsv,
    [TZ_REPORT_JSON] = print_json,
};

tz_status tz_report_print(const tz_report *report, tz_report_format format, tz_text *text) {
    answers a;
    tz_status status = ask(report, &a);
    if (status == TZ_OK) {
        print[format](report, &a, text);
        status = text->failed ? TZ_NO_MEMORY : TZ_OK;
    }
    answers_free(&a);
    return status;
}
