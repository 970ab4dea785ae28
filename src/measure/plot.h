/* plot.h - draws curves over n, both axes logarithmic, as an SVG document. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_MEASURE_PLOT_H
#define TZ_MEASURE_PLOT_H

#include <stddef.h>
#include <stdio.h>

typedef struct tz_curve {
    const char *name; /* in the legend; UTF-8 */
    size_t points;
    const double *x, *y; /* all above 0 and finite */
} tz_curve;

/* Writes the document; whether that worked, ferror(file) tells. At least one curve has a point. */
void tz_plot(FILE *file, const char *title, const char *x_name, const char *y_name,
             const tz_curve *curve, size_t curves);

#endif
