/* exp_vectors.h - exp of explog.h for several vectors at a time, with the same bits.
 *
 * After explog.h and fused.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_EXP_VECTORS_H
#define TZ_KERNELS_EXP_VECTORS_H

enum { CHAINS = 4 }; /* vectors at a time */

/* exp_split: exp(x[k]) = ret[k] * 2^(ret_exponent[k] - SHIFTER), for k < chains. Any numbers beyond
 * |x| = 2^50, where `far` is not set. A step of a polynomial waits for the one before it, so
 * several polynomials go in turn. */
FORCED void exp_vectors(const doubles *x, doubles *ret, doubles *ret_exponent, unsigned chains,
                        _Bool far) {
    doubles r[CHAINS];
    UNROLLED for (unsigned k = 0; k < chains; k++) {
        ret_exponent[k] = fused_doubles(x[k], all(LN2_INVERSE), all(SHIFTER));
        doubles less = SHIFTER - ret_exponent[k];
        r[k] = fused_doubles(less, all(LN2_LOW), fused_doubles(less, all(LN2_HIGH), x[k]));
        if (far) {
            masks above = r[k] > -0.5;
            r[k] = (doubles)(((masks)r[k] & above) | ((masks)all(-0.5) & ~above));
            masks below = r[k] < 0.5;
            r[k] = (doubles)(((masks)r[k] & below) | ((masks)all(0.5) & ~below));
        }
        ret[k] = all(exp_term[0]);
    }
    UNROLLED for (int t = 1; t < EXP_TERMS; t++) {
        UNROLLED for (unsigned k = 0; k < chains; k++) {
            ret[k] = fused_doubles(ret[k], r[k], all(exp_term[t]));
            IN_REGISTER(ret[k]); /* left alone, gcc computes one polynomial after the other */
        }
    }
}

#endif
