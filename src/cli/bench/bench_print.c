/* bench_print.c - the figures of `trapeze bench` as a table, TSV, JSON or curves.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/bench/bench.h"
#include "measure/plot.h"
#include "measure/probe.h"

static const char *precision_name(tz_precision precision) {
    return precision == TZ_F32 ? "f32" : "f64";
}

int tz_bench_same_but_n(const tz_bench_row *a, const tz_bench_row *b) {
    const tz_bench_case *x = &a->measured, *y = &b->measured;
    return x->asked == y->asked && x->batch == y->batch && x->threads == y->threads &&
           a->task == b->task;
}

int tz_bench_same_but_semiring(const tz_bench_row *a, const tz_bench_row *b) {
    const tz_bench_case *x = &a->measured, *y = &b->measured;
    return x->rules == y->rules && x->precision == y->precision && x->batch == y->batch &&
           x->threads == y->threads && x->n == y->n && a->task == b->task;
}

/* ---- Columns ------------------------------------------------------------------------------- */

enum { COLUMNS = 17, CELL = 80 };

/* Text to the left, numbers to the right. */
enum { TEXTS = 5 };

static const char *const columns[COLUMNS] = {
    "rules",       "semiring", "precision", "isa",         "task",  "n",
    "batch",       "lanes",    "threads",   "us/sentence", "+-%",   "sentences/s",
    "Gproducts/s", "peak%",    "growth",    "ratio",       "bytes",
};

static void put(char cell[CELL], int decimals, double value) {
    if (isnan(value))
        snprintf(cell, CELL, "-");
    else
        snprintf(cell, CELL, "%.*f", decimals, value);
}

static void make_cells(const tz_bench_row *row, char cell[COLUMNS][CELL]) {
    const tz_bench_case *of = &row->measured;
    snprintf(cell[0], CELL, "%s", tz_rules_name(of->rules));
    snprintf(cell[1], CELL, "%s", of->semiring);
    snprintf(cell[2], CELL, "%s", precision_name(of->precision));
    snprintf(cell[3], CELL, "%s", tz_isa_name(row->isa));
    snprintf(cell[4], CELL, "%s", tz_bench_task_name(row->task));
    if (of->n >= 0)
        snprintf(cell[5], CELL, "%ld", (long)of->n);
    else
        snprintf(cell[5], CELL, "mixed");
    snprintf(cell[6], CELL, "%zu", of->batch);
    if (row->lanes > 0)
        snprintf(cell[7], CELL, "%zu", row->lanes);
    else
        snprintf(cell[7], CELL, "-");
    snprintf(cell[8], CELL, "%u", of->threads);
    put(cell[9], 3, row->microseconds);
    put(cell[10], 1, 100 * row->spread);
    put(cell[11], 0, row->sentences);
    put(cell[12], 3, 1e-9 * row->products);
    put(cell[13], 1, 100 * row->share);
    put(cell[14], 2, row->growth);
    put(cell[15], 2, row->ratio);
    put(cell[16], 0, row->bytes);
}

void tz_bench_table(FILE *file, const tz_bench_head *head, const tz_bench_row *row, size_t rows) {
    char cpu[128], cell[COLUMNS][CELL];
    size_t width[COLUMNS];
    tz_cpu_name(cpu, sizeof cpu);
    fprintf(file, "# trapeze %s, %s, compiled by %s, seed %llu\n", tz_version(), cpu,
            tz_compiler_name(), (unsigned long long)head->seed);
    fprintf(file, "# medians of %g s a task, +- half the distance of the quartiles\n",
            head->seconds);
    for (int c = 0; c < COLUMNS; c++)
        width[c] = strlen(columns[c]);
    for (size_t r = 0; r < rows; r++) {
        make_cells(&row[r], cell);
        for (int c = 0; c < COLUMNS; c++)
            width[c] = strlen(cell[c]) > width[c] ? strlen(cell[c]) : width[c];
    }
    for (size_t r = 0; r <= rows; r++) {
        if (r > 0)
            make_cells(&row[r - 1], cell);
        for (int c = 0; c < COLUMNS; c++) {
            const char *text = r == 0 ? columns[c] : cell[c];
            fprintf(file, c < TEXTS ? "%-*s%s" : "%*s%s", (int)width[c], text,
                    c + 1 < COLUMNS ? "  " : "\n");
        }
    }
}

/* ---- For programs -------------------------------------------------------------------------- */

enum { NUMBERS = 8 };

static const char *const number_names[NUMBERS] = {
    "microseconds", "spread", "sentences_per_second", "products_per_second", "peak_share",
    "growth",       "ratio",  "element_bytes",
};

static void numbers_of(const tz_bench_row *row, double number[NUMBERS]) {
    number[0] = row->microseconds;
    number[1] = row->spread;
    number[2] = row->sentences;
    number[3] = row->products;
    number[4] = row->share;
    number[5] = row->growth;
    number[6] = row->ratio;
    number[7] = row->bytes;
}

void tz_bench_tsv(FILE *file, const tz_bench_row *row, size_t rows) {
    for (int c = 0; c <= 8; c++)
        fprintf(file, "%s\t", columns[c]);
    for (int i = 0; i < NUMBERS; i++)
        fprintf(file, "%s%c", number_names[i], i + 1 < NUMBERS ? '\t' : '\n');
    for (size_t r = 0; r < rows; r++) {
        char cell[COLUMNS][CELL];
        double number[NUMBERS];
        make_cells(&row[r], cell);
        numbers_of(&row[r], number);
        for (int c = 0; c <= 8; c++)
            fprintf(file, "%s\t", strcmp(cell[c], "-") == 0 ? "NA" : cell[c]);
        for (int i = 0; i < NUMBERS; i++) {
            if (isnan(number[i]))
                fputs("NA", file);
            else
                fprintf(file, "%.6g", number[i]);
            fputc(i + 1 < NUMBERS ? '\t' : '\n', file);
        }
    }
}

static void put_string(tz_text *text, const char *name, const char *value) {
    tz_text_quote(text, name, strlen(name));
    tz_text_put(text, ":");
    tz_text_quote(text, value, strlen(value));
    tz_text_put(text, ",");
}

static void put_number(tz_text *text, const char *name, double value) {
    tz_text_quote(text, name, strlen(name));
    tz_text_put(text, ":");
    if (isnan(value))
        tz_text_put(text, "null");
    else
        tz_text_number(text, value);
}

tz_status tz_bench_json(FILE *file, const tz_bench_head *head, const tz_bench_row *row,
                        size_t rows) {
    tz_text text = {0};
    char cpu[128];
    tz_cpu_name(cpu, sizeof cpu);
    tz_text_put(&text, "{");
    put_string(&text, "version", tz_version());
    put_string(&text, "cpu", cpu);
    put_string(&text, "compiler", tz_compiler_name());
    put_number(&text, "seed", (double)head->seed);
    tz_text_put(&text, ",");
    put_number(&text, "seconds", head->seconds);
    tz_text_put(&text, ",\"rows\":[");
    for (size_t r = 0; r < rows; r++) {
        char cell[COLUMNS][CELL];
        double number[NUMBERS];
        const tz_bench_case *of = &row[r].measured;
        make_cells(&row[r], cell);
        numbers_of(&row[r], number);
        tz_text_put(&text, r > 0 ? ",\n{" : "\n{");
        for (int c = 0; c < TEXTS; c++)
            put_string(&text, columns[c], cell[c]);
        put_number(&text, "n", of->n >= 0 ? of->n : (double)NAN);
        tz_text_put(&text, ",");
        put_number(&text, "batch", (double)of->batch);
        tz_text_put(&text, ",");
        put_number(&text, "lanes", row[r].lanes > 0 ? (double)row[r].lanes : (double)NAN);
        tz_text_put(&text, ",");
        put_number(&text, "threads", of->threads);
        for (int i = 0; i < NUMBERS; i++) {
            tz_text_put(&text, ",");
            put_number(&text, number_names[i], number[i]);
        }
        tz_text_put(&text, "}");
    }
    tz_text_put(&text, "\n]}\n");
    if (!text.failed)
        tz_text_write(&text, file);
    bool failed = text.failed;
    tz_text_free(&text);
    return failed ? TZ_NO_MEMORY : TZ_OK;
}

/* ---- Curves -------------------------------------------------------------------------------- */

tz_status tz_bench_plot(FILE *file, const tz_bench_row *row, size_t rows) {
    enum { NAME = 160 };
    tz_curve *curve = calloc(rows + 1, sizeof *curve);
    double *x = calloc(rows + 1, sizeof *x), *y = calloc(rows + 1, sizeof *y);
    char(*name)[NAME] = calloc(rows + 1, sizeof *name);
    size_t curves = 0, points = 0;
    tz_status status = curve && x && y && name ? TZ_OK : TZ_NO_MEMORY;
    for (size_t r = 0; r < rows && status == TZ_OK; r++) {
        const tz_bench_case *of = &row[r].measured;
        if (r == 0 || !tz_bench_same_but_n(&row[r], &row[r - 1])) {
            snprintf(name[curves], NAME, "%s x %s, %s, %s, batch %zu%s", tz_rules_name(of->rules),
                     of->semiring, precision_name(of->precision), tz_bench_task_name(row[r].task),
                     of->batch, of->threads > 1 ? ", " : "");
            if (of->threads > 1)
                snprintf(name[curves] + strlen(name[curves]), NAME - strlen(name[curves]),
                         "%u threads", of->threads);
            curve[curves] = (tz_curve){name[curves], 0, x + points, y + points};
            curves++;
        }
        if (of->n > 0 && row[r].microseconds > 0) {
            x[points] = of->n;
            y[points++] = row[r].microseconds;
            curve[curves - 1].points++;
        }
    }
    if (status == TZ_OK && points == 0)
        status = TZ_NONE;
    if (status == TZ_OK)
        tz_plot(file, "trapeze bench", "n", "microseconds a sentence", curve, curves);
    free(curve);
    free(x);
    free(y);
    free(name);
    return status;
}
