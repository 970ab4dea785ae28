/* exp_log.c - see exp_log.h. SPDX-License-Identifier: MIT */
#include "exp_log.h"

#include <math.h>

#define TZ_REAL_BITS 64
#include "explog.h"

double tz_exp(double x, double *ret_exponent) {
    return exp_split(x, ret_exponent);
}

double tz_log(double x) {
    int exponent;
    double m = frexp(x, &exponent);
    return log_joined(2 * m, exponent - 1);
}
