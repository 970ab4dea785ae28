/* amount.h - how much a test does: AMOUNT(in full, with sanitizers).
 *
 * The sanitizers look at every access, which makes a test five to thirty times slower. With them,
 * tests draw fewer cases and shorter sentences, but enough to reach the same code; the other builds
 * check the numbers in full. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_AMOUNT_H
#define TZ_TESTS_SUPPORT_AMOUNT_H

#ifdef __SANITIZE_ADDRESS__
#define AMOUNT(full, sanitized) (sanitized)
#else
#define AMOUNT(full, sanitized) (full)
#endif

#endif
