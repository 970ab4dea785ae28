/* exp_log.h - exp and log with the same bits on every machine, for one number at a time; explog.h
 * has them for many. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_EXP_LOG_H
#define TZ_KERNELS_EXP_LOG_H

/* exp(x) = ret * 2^*ret_exponent with 0.6 < ret < 1.7, for finite x. */
double tz_exp(double x, double *ret_exponent);
/* log(x) for x > 0 that is not subnormal. */
double tz_log(double x);

#endif
