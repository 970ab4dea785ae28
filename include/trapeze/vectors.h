/* vectors.h - a semiring of your own, as fast as the built-in ones: written over vectors, it gets
 * kernels (trapeze/kernel.h) for the machine that its file is compiled for.
 *
 *   #define NAME   ways                              the semiring's, in names of functions
 *   #define FIELDS(number) number cost, ways;        the numbers of an element, all of one type,
 *   #define PARTS  2                                 and how many; of a number alone neither
 *   #include <trapeze/vectors.h>
 *
 *   static const element zero = {INFINITY, 0}, one = {0, 1};
 *   static inline vector vector_sum(vector a, vector b) { ... }
 *   static inline vector vector_product(vector a, vector b) { ... }
 *
 *   #define HAS_LIFTED                               not where the score itself is the element
 *   static inline vector vector_lifted(numbers score, const numbers *input) { ... }
 *   #include <trapeze/blocks.h>
 *
 *   const tz_semiring ways = {..., .kernels = &kernels};
 *
 * A `vector` holds VECTOR_ELEMENTS elements side by side. It has the members of an element, each of
 * type `numbers`: that many doubles. Where an element is a number alone, a vector is a `numbers`
 * itself. Operators work on `numbers`, also together with a double. There are numbers_larger,
 * numbers_smaller, numbers_of(a double); numbers_chosen(picks, a, b), where picks are is_larger,
 * is_at_most, is_equal and is_other of two `numbers`, joined by & and |; numbers_exp, _log, _sqrt,
 * _floor, _abs. All give the same bits for any compiler and machine.
 *
 * Laws    Those of every semiring; zero + a is a, and zero * a is zero, to the bit. The file must
 *         see to this itself where exp, 0 * infinity or the like break it.
 * Bits Kernels give those of plus and times, which blocks.h makes of vector_sum and vector_product.
 * Memory  Nothing is allocated, and nothing is kept but constants.
 * Version What is compiled here works with the library of this version (trapeze/plugin.h).
 *
 * The file holds one semiring and nothing else, since these headers define many short names. It
 * takes gcc or clang, C11 with their extensions, and the flags -O3 and -march=native: the kernels
 * are for AVX-512, AVX2 or the platform's baseline, as these flags say. A built-in semiring is such
 * a file, too. SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_VECTORS_H
#define TRAPEZE_VECTORS_H

/* Trapeze's build compiles built-in semirings once for each TZ_ISA. Else this file is the only
 * unit, and sees to it itself that a * b + c is never fused. */
#ifndef TZ_ISA
#define TZ_DESCRIPTOR
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
#if defined(__AVX512F__)
#if !defined(__AVX512BW__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__) || !defined(__BMI2__)
#error "kernels for AVX-512 take BW, DQ, VL and BMI2 too: add -march=native, or -mno-avx512f"
#endif
#define TZ_ISA      avx512
#define TZ_UNIT_ISA TZ_ISA_AVX512
#elif defined(__AVX2__)
#ifndef __FMA__
#error "kernels for AVX2 take FMA too: add -march=native, or -mfma"
#endif
#define TZ_ISA      avx2
#define TZ_UNIT_ISA TZ_ISA_AVX2
#else
#define TZ_ISA      baseline
#define TZ_UNIT_ISA TZ_ISA_BASELINE
#endif
#define TZ_WITH_BASELINE (TZ_UNIT_ISA == TZ_ISA_BASELINE)
#define TZ_WITH_AVX2     (TZ_UNIT_ISA == TZ_ISA_AVX2)
#define TZ_WITH_AVX512   (TZ_UNIT_ISA == TZ_ISA_AVX512)
#ifndef TZ_REAL_BITS
#define TZ_REAL_BITS 64
#endif
#endif

#include <math.h>

#include <trapeze/kernel.h>

#include "kernels/real.h"

#define HAS_VECTORS

/* NUMBER_BITS: the width of a number, where it is not that of the precision. */
#ifndef NUMBER_BITS
typedef real number;
#elif NUMBER_BITS == 64
typedef double number;
#else
typedef float number;
#endif

#ifdef FIELDS
typedef struct element {
    FIELDS(number)
} element;
static const element zero;
#ifndef BUNDLES
#define BUNDLES 0
#endif
#include "kernels/tuple.h"
#else
#define PARTS 1
typedef number element;
static const element zero;
#include "kernels/vector.h"
#endif
#include "kernels/picks.h"
#if NUMBER_BITS == 64
#include "kernels/functions.h"
#endif

#endif
