/* plot.c - see plot.h.
 *
 * Numbers are written by put(), whatever the locale says about decimal points.
 * SPDX-License-Identifier: MIT */
#include "measure/plot.h"

#include <math.h>
#include <stdlib.h>

enum {
    WIDTH = 760,
    LEFT = 70,
    RIGHT = 30,
    TOP = 44,
    HEIGHT = 400, /* of the drawing area */
    AXIS = 52,    /* below it */
    LEGEND = 20,  /* a line of the legend */
    COLORS = 8
};

/* Told apart with every kind of colour vision: Okabe & Ito 2008. */
static const char *const colors[COLORS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                           "#e69f00", "#56b4e9", "#000000", "#999933"};

typedef struct axis {
    double low, high; /* logarithms to base 10 */
    double from, to;  /* pixels */
} axis;

static double pixel(const axis *axis, double value) {
    return axis->from +
           (log10(value) - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

/* With one decimal, whatever the locale. */
static void put(FILE *file, double value) {
    long tenths = lround(value * 10);
    fprintf(file, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
}

static void put_attribute(FILE *file, const char *name, double value) {
    fprintf(file, " %s=\"", name);
    put(file, value);
    fputc('"', file);
}

static void put_text(FILE *file, const char *text) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        default: /* XML has no other control characters */
            fputc((unsigned char)*text < ' ' && *text != '\t' ? '?' : *text, file);
        }
    }
}

static void text_at(FILE *file, double x, double y, const char *more, const char *text) {
    fputs("<text", file);
    put_attribute(file, "x", x);
    put_attribute(file, "y", y);
    fprintf(file, "%s>", more);
    put_text(file, text);
    fputs("</text>\n", file);
}

static void line(FILE *file, double x1, double y1, double x2, double y2, const char *class) {
    fputs("<line", file);
    put_attribute(file, "x1", x1);
    put_attribute(file, "y1", y1);
    put_attribute(file, "x2", x2);
    put_attribute(file, "y2", y2);
    fprintf(file, " class=\"%s\"/>\n", class);
}

/* The values' range and a little more; never empty. */
static axis make_axis(const tz_curve *curve, size_t curves, int of_y) {
    axis axis = {.low = INFINITY, .high = -INFINITY};
    for (size_t c = 0; c < curves; c++) {
        for (size_t p = 0; p < curve[c].points; p++) {
            double value = log10(of_y ? curve[c].y[p] : curve[c].x[p]);
            axis.low = fmin(axis.low, value);
            axis.high = fmax(axis.high, value);
        }
    }
    double more = axis.high > axis.low ? 0.04 * (axis.high - axis.low) : 0.5;
    axis.low -= more;
    axis.high += more;
    return axis;
}

/* 1, 2, 5, 10, ... ; only powers of ten where the range is wide. */
static void ticks(FILE *file, const axis *x, const axis *y, int of_y) {
    static const int steps[] = {1, 2, 5};
    const axis *axis = of_y ? y : x;
    int wide = axis->high - axis->low > 4;
    for (int e = (int)floor(axis->low); e <= (int)ceil(axis->high); e++) {
        for (int s = 0; s < (wide ? 1 : 3); s++) {
            double value = steps[s] * pow(10, e);
            if (log10(value) < axis->low || log10(value) > axis->high)
                continue;
            char text[32] = "0.";
            int at = 2;
            if (e >= 0) {
                snprintf(text, sizeof text, "%.0f", value);
            } else {
                for (int zeros = -1; zeros > e && at < 24; zeros--)
                    text[at++] = '0';
                snprintf(text + at, sizeof text - (size_t)at, "%d", steps[s]);
            }
            double where = pixel(axis, value);
            if (of_y) {
                line(file, x->from, where, x->to, where, "grid");
                text_at(file, x->from - 8, where + 4, " text-anchor=\"end\"", text);
            } else {
                line(file, where, y->from, where, y->to, "grid");
                text_at(file, where, y->from + 18, " text-anchor=\"middle\"", text);
            }
        }
    }
}

static void draw_curve(FILE *file, const tz_curve *curve, const axis *x, const axis *y,
                       const char *color) {
    fprintf(file,
            "<g stroke=\"%s\" fill=\"%s\">\n<polyline fill=\"none\" stroke-width=\"2\" points=\"",
            color, color);
    for (size_t p = 0; p < curve->points; p++) {
        fputs(p > 0 ? " " : "", file);
        put(file, pixel(x, curve->x[p]));
        fputc(',', file);
        put(file, pixel(y, curve->y[p]));
    }
    fputs("\"/>\n", file);
    for (size_t p = 0; p < curve->points; p++) {
        fputs("<circle r=\"3\"", file);
        put_attribute(file, "cx", pixel(x, curve->x[p]));
        put_attribute(file, "cy", pixel(y, curve->y[p]));
        fputs("/>\n", file);
    }
    fputs("</g>\n", file);
}

void tz_plot(FILE *file, const char *title, const char *x_name, const char *y_name,
             const tz_curve *curve, size_t curves) {
    axis x = make_axis(curve, curves, 0), y = make_axis(curve, curves, 1);
    x.from = LEFT, x.to = WIDTH - RIGHT;
    y.from = TOP + HEIGHT, y.to = TOP;
    size_t height = TOP + HEIGHT + AXIS + LEGEND * curves + 10;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
            "viewBox=\"0 0 %d %zu\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.grid{stroke:#ddd}.axis{stroke:#333}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, height, WIDTH, height);
    text_at(file, LEFT, 24, " font-size=\"15\"", title);
    ticks(file, &x, &y, 0);
    ticks(file, &x, &y, 1);
    line(file, x.from, y.from, x.to, y.from, "axis");
    line(file, x.from, y.from, x.from, y.to, "axis");
    text_at(file, (x.from + x.to) / 2, y.from + 38, " text-anchor=\"middle\"", x_name);
    text_at(file, 0, 0, " text-anchor=\"middle\" transform=\"translate(18 244) rotate(-90)\"",
            y_name);
    for (size_t c = 0; c < curves; c++) {
        const char *color = colors[c % COLORS];
        double at = TOP + HEIGHT + AXIS + LEGEND * (double)c + 6;
        if (curve[c].points > 0)
            draw_curve(file, &curve[c], &x, &y, color);
        fprintf(file, "<g stroke=\"%s\" stroke-width=\"2\">\n", color);
        line(file, LEFT, at, LEFT + 24, at, "key");
        fputs("</g>\n", file);
        text_at(file, LEFT + 32, at + 4, "", curve[c].name);
    }
    fputs("</svg>\n", file);
}
