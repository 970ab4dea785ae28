/* report.h - writes the figures of one system, or of two with their difference, as text.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_REPORT_H
#define TZ_SENTENCES_EVAL_REPORT_H

#include "base/text.h"
#include "sentences/eval/resample.h"

typedef struct tz_figure {
    const char *key;      /* "kept.f1", in TSV and JSON */
    const char *name;     /* "kept words: F1", in tables */
    const char *opt_unit; /* what part and whole count, if they are counts: "words" */
} tz_figure;

/* A number besides the figures; tables show its name, TSV and JSON its key. */
typedef struct tz_remark {
    const char *key, *name;
    double value;
    bool percent; /* in tables */
} tz_remark;

typedef struct tz_report {
    const tz_figure *figure; /* [system[0].figures] */
    size_t systems;          /* 1 or 2 */
    const char *name[2];     /* of files */
    const char *opt_of;      /* the units measured: "pairs"; NULL: sentences */
    tz_measured system[2];   /* of the same sentences and figures */
    size_t remarks;
    const tz_remark *remark;
    tz_resampling resampling;
} tz_report;

typedef enum tz_report_format { TZ_REPORT_TABLE, TZ_REPORT_TSV, TZ_REPORT_JSON } tz_report_format;

/* Appends the report to `text`. Tables are in percent and leave out figures that are not defined;
 * TSV says NA and JSON null for them. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_report_print(const tz_report *report, tz_report_format format, tz_text *text);

#endif
