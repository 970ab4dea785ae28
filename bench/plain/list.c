/* list.c - the yardsticks of one form, algebra and instruction set. SPDX-License-Identifier: MIT */
#include "bench/plain/number.h"

#define DECLARE(name) extern const plain_yardstick PLAIN_JOIN(name, PLAIN_UNIT);
#define NAME(name)    &PLAIN_JOIN(name, PLAIN_UNIT),
#define EACH(DO)                                                                                   \
    DO(affine)                                                                                     \
    DO(align)                                                                                      \
    DO(chain)                                                                                      \
    DO(cky)                                                                                        \
    DO(cky_dense)                                                                                  \
    DO(ctc)                                                                                        \
    DO(deletion)                                                                                   \
    DO(edit) DO(eisner) DO(nussinov) DO(plan7) DO(semimarkov) DO(sibling) DO(trigram)

EACH(DECLARE)

extern const plain_yardstick *const PLAIN_JOIN(plain_list, PLAIN_UNIT)[];
const plain_yardstick *const PLAIN_JOIN(plain_list, PLAIN_UNIT)[] = {EACH(NAME) NULL};
