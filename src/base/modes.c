/* modes.c - see modes.h. SPDX-License-Identifier: MIT */
#include "base/modes.h"

#if defined(__x86_64__) && defined(__GNUC__)
/* All exceptions masked, to nearest; of the x87 also of full precision. Flags that nobody here
 * looks at may stay: to write what is there already can take longer than to compute an item. */
enum { SSE_DEFAULT = 0x1f80, X87_DEFAULT = 0x37f, UNSEEN_FLAGS = 0x27 };

/* fegetenv and fesetenv store and load the state of the x87 each time, which takes ten times as
 * long. fnstenv masks the x87's exceptions: what has been raised there and would trap now does not
 * before its state is loaded again. */
void tz_modes_take(tz_modes *ret) {
    unsigned short x87;
    ret->sse = __builtin_ia32_stmxcsr();
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    ret->strange = x87 != X87_DEFAULT;
    if (ret->strange) {
        x87 = X87_DEFAULT;
        __asm__ volatile("fnstenv %0\n\tfldcw %1" : "=m"(ret->x87) : "m"(x87));
    }
    if ((ret->sse & ~(unsigned)UNSEEN_FLAGS) != SSE_DEFAULT)
        __builtin_ia32_ldmxcsr(SSE_DEFAULT);
}

void tz_modes_return(const tz_modes *taken) {
    if (taken->strange)
        __asm__ volatile("fldenv %0" : : "m"(taken->x87));
    if (__builtin_ia32_stmxcsr() != taken->sse)
        __builtin_ia32_ldmxcsr(taken->sse);
}
#elif defined(__wasm__)
void tz_modes_take(tz_modes *ret) {
    ret->none = 0;
}

void tz_modes_return(const tz_modes *taken) {
    (void)taken;
}
#else
void tz_modes_take(tz_modes *ret) {
    fegetenv(&ret->all);
    fesetenv(FE_DFL_ENV);
}

void tz_modes_return(const tz_modes *taken) {
    fesetenv(&taken->all);
}
#endif
